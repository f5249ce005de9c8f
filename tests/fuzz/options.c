/* SPDX-License-Identifier: MIT */
/* The options of a measuring program, an argument a line; and the numbers and
 * lists that report/ takes: what comes through lies within its bounds. */
#include "fuzz.h"

#include "../../bench/harness.h"

#include <getopt.h>
#include <string.h>

#define ARGUMENTS_MOST 40

static const struct bench bench = {
	.name = "Fuzz",
	.group = "loop",
	.unit = "op",
	.op = "an op",
	.is_not = "one",
	.worker = "worker",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.param = {
		{"stack", 0, 0, 1 << 30, "bytes"},
		{"delay", -5, -9, INT64_MAX, "ns"},
	},
};

void
fuzz_setup(void)
{
	struct place place = {0};

	/* It looks at the machine once. */
	(void)place_parse("none", &place, 1);
}

static void
check(const struct options *o)
{
	fuzz_demand(o->worker_count >= 1 && o->worker_count <= LIST_MOST &&
		o->place_count >= 1 && o->place_count <= LIST_MOST &&
		o->as_count >= 1 && o->as_count <= BENCH_WAYS, "lists");
	for (int i = 0; i < o->worker_count; i++)
		fuzz_demand(o->workers[i] >= bench.least &&
			o->workers[i] <= bench.most, "workers");
	for (int i = 0; i < o->as_count; i++)
		fuzz_demand(o->as[i] >= 0 && o->as[i] < 2, "ways");
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < o->param_count[i]; k++)
			fuzz_demand(o->param[i][k] >= bench.param[i].least &&
				o->param[i][k] <= bench.param[i].most,
				"parameters");
	fuzz_demand(o->ops <= INT64_MAX / 4 && o->samples >= 1 &&
		o->samples <= 1000 && o->least >= 1000000 &&
		o->limit >= 0 && o->limit <= 1000300, "numbers");
}

void
fuzz_one(const uint8_t *data, size_t size)
{
	char *all = need_copy((const char *)data, size), *s = all;
	char *argv[ARGUMENTS_MOST + 2] = {"fuzz"};
	struct options o;
	int argc = 1;

	while (argc <= ARGUMENTS_MOST && s != NULL) {
		char *end = strchr(s, '\n');

		argv[argc++] = s;
		if (end != NULL)
			*end++ = '\0';
		s = end;
	}
	optind = 0;             /* of glibc: start anew */
	options_parse(argc, argv, &bench, &o);
	check(&o);
	/* What places hold is kept to the end of the program. */
	exit(EXIT_OK);
}
