/* SPDX-License-Identifier: MIT */
/* The options of all programs; a program adds only its ways and parameters. */
#include "harness.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_PLACE = 256, OPT_AS, OPT_LIMIT, OPT_ROUND, OPT_BARE, OPT_ABOUT,
	OPT_HOST, OPT_PLAN, OPT_ADDS, OPT_TEXT,
	OPT_PARAM               /* the program's, in order; last */
};

static const struct option common[] = {
	{"workers", required_argument, NULL, 'w'},
	{"ops", required_argument, NULL, 'n'},
	{"samples", required_argument, NULL, 's'},
	{"time", required_argument, NULL, 't'},
	{"place", required_argument, NULL, OPT_PLACE},
	{"as", required_argument, NULL, OPT_AS},
	{"limit", required_argument, NULL, OPT_LIMIT},
	{"round", required_argument, NULL, OPT_ROUND},
	{"adds", required_argument, NULL, OPT_ADDS},
	{"bare", no_argument, NULL, OPT_BARE},
	{"about", no_argument, NULL, OPT_ABOUT},
	{"host", no_argument, NULL, OPT_HOST},
	{"plan", no_argument, NULL, OPT_PLAN},
	{"help", no_argument, NULL, 'h'},
};

#define COMMON (sizeof common / sizeof *common)

static int
numbers(const char *option, const char *s, int64_t least, int64_t most,
	int64_t *values)
{
	char *copy = need_copy(s, strlen(s)), *list = copy;
	int n = 0;

	while (list != NULL) {
		if (n == LIST_MOST)
			die(EXIT_USAGE, "--%s: more than %d values", option,
				LIST_MOST);
		values[n++] = option_number(option, cut(&list), least, most);
	}
	free(copy);
	return n;
}

static void
parse_workers(const char *s, const struct bench *bench, struct options *o)
{
	int64_t values[LIST_MOST];

	o->worker_count = numbers("workers", s, bench->least, bench->most,
		values);
	for (int i = 0; i < o->worker_count; i++)
		o->workers[i] = (int)values[i];
}

static void
parse_as(const char *s, const struct bench *bench, struct options *o)
{
	char *copy = need_copy(s, strlen(s)), *list = copy;
	int n = 0;

	while (list != NULL) {
		char *want = cut(&list);
		int i = 0;

		while (i < BENCH_WAYS && bench->as[i].name != NULL &&
		    strcmp(bench->as[i].name, want) != 0)
			i++;
		if (i == BENCH_WAYS || bench->as[i].name == NULL) {
			struct text known = {0};

			for (i = 0; i < BENCH_WAYS && bench->as[i].name; i++)
				text_add(&known, "%s%s", i ? ", " : "",
					bench->as[i].name);
			die(EXIT_USAGE, "--as: '%s': not one of %s", want,
				known.s);
		}
		if (n == BENCH_WAYS)
			die(EXIT_USAGE, "--as: more than %d ways", n);
		o->as[n++] = i;
	}
	o->as_count = n;
	free(copy);
}

static void
help_line(const char *option, const char *what)
{
	(void)printf("  %-18s %s\n", option, what);
}

/* As it was called, for its help. */
static const char *program;

/* In lines of at most 79 columns. */
static void
help_prose(const char *s)
{
	while (strlen(s) > 79) {
		int n = 79;

		while (n > 0 && s[n] != ' ')
			n--;
		(void)printf("%.*s\n", n, s);
		s += n + 1;
	}
	(void)printf("%s\n", s);
}

static void
help_params(const struct bench *bench)
{
	if (bench->as[1].name != NULL) {
		(void)printf("  %-18s", "--as");
		for (int i = 0; i < BENCH_WAYS && bench->as[i].name; i++)
			(void)printf("%s %s", i ? "," : "", bench->as[i].name);
		(void)printf("\n");
	}
	for (int i = 0; i < BENCH_PARAMS && bench->param[i].name; i++) {
		const struct bench_param *p = &bench->param[i];

		(void)printf("  --%-16s %s (%lld to %lld, default %lld)\n",
			p->name, p->help, (long long)p->least,
			(long long)p->most, (long long)p->standard);
	}
	if (bench->text.name != NULL)
		(void)printf("  --%-16s %s\n", bench->text.name,
			bench->text.help);
}

static _Noreturn void
help(const struct bench *bench)
{
	bool until_stopped = bench->work == WORK_CONTEND ||
		bench->work == WORK_BESIDE;
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	struct text t = {0};

	(void)printf("usage: %s [options]\n\n"
		"  %s                 the fewest workers, on one CPU\n"
		"  %s -w %d,%d --place same,none    a row for each of both\n"
		"  %s -s 1 --plan     the rows and their CPUs, nothing run\n\n",
		program, name, name, bench->least, bench->most > bench->least ?
		bench->least + 1 : bench->most, name);
	text_add(&t, "%s: one op is %s. It is not %s. Most options take "
		"lists (-w 1,8): a row for each element.",
		bench->name, bench->op, bench->is_not);
	help_prose(t.s);
	text_free(&t);
	(void)printf("  %-18s %ss (%d to %d)\n", "-w, --workers",
		bench->worker, bench->least, bench->most);
	help_params(bench);
	help_line("--place", "none, same, smt, llc, cross, spread, or CPUs");
	help_line("-n, --ops", until_stopped ? "a fixed total, shared: another "
		"row (default: until stopped)" : bench->work == WORK_FIXED ?
		"total ops of a sample, as the first of these" :
		"total ops of a sample (default: calibrated)");
	help_line("-s, --samples", "samples a row (1 to 1000, default 5)");
	help_line("-t, --time", "ms a sample lasts at least (1 to 60000, "
		"default 10)");
	help_line("--limit", "s until a sample counts as hung (default 30; "
		"0: never)");
	help_line("--about, --host", "print what the rows are; what this "
		"machine is");
	help_line("--bare", "records only; for run_all.sh, with --round and "
		"--adds");
	(void)printf("Exit code: 0 done, 1 failed, 2 usage, 77 not possible "
		"here.\n");
	close_stdout();
	exit(EXIT_OK);
}

static void
defaults(const struct bench *bench, struct options *o)
{
	*o = (struct options){.samples = 5, .least = 10 * 1000000,
		.limit = 30, .worker_count = 1};
	o->workers[0] = bench->least;
	o->place_count = place_parse("same", o->places, LIST_MOST);
	while (o->as_count < BENCH_WAYS && bench->as[o->as_count].name) {
		o->as[o->as_count] = o->as_count;
		o->as_count++;
	}
	for (int i = 0; i < BENCH_PARAMS; i++) {
		o->param[i][0] = bench->param[i].standard;
		o->param_count[i] = 1;
	}
}

static void
take(int c, const struct bench *bench, struct options *o)
{
	const struct bench_param *p;

	switch (c) {
	case 'w':
		parse_workers(optarg, bench, o);
		break;
	case 'n':
		p = &bench->param[0];
		if (bench->work == WORK_FIXED) {
			o->param[0][0] = option_number("ops", optarg, p->least,
				p->most);
			o->param_count[0] = 1;
			break;
		}
		o->ops = (uint64_t)option_number("ops", optarg, 1,
			INT64_MAX / 4);
		break;
	case 's':
		o->samples = (int)option_number("samples", optarg, 1, 1000);
		break;
	case 't':
		o->least = option_number("time", optarg, 1, 60000) * 1000000;
		break;
	case OPT_PLACE:
		o->place_count = place_parse(optarg, o->places, LIST_MOST);
		break;
	case OPT_AS:
		parse_as(optarg, bench, o);
		break;
	case OPT_LIMIT:
		o->limit = (int)option_number("limit", optarg, 0, 1000000);
		break;
	case OPT_ROUND:
		o->round = (int)option_number("round", optarg, 1, 1000000);
		break;
	case OPT_ADDS:
		o->adds = (int)option_number("adds", optarg, 1, 10000);
		break;
	case OPT_BARE:
		o->bare = true;
		break;
	case OPT_ABOUT:
		o->about = true;
		break;
	case OPT_HOST:
		o->host = true;
		break;
	case OPT_PLAN:
		o->plan = true;
		break;
	case OPT_TEXT:
		o->text = optarg;
		if (bench->text.check != NULL)
			bench->text.check(o->text);
		break;
	case 'h':
		help(bench);
	default:
		c -= OPT_PARAM;
		p = &bench->param[c];
		o->param_count[c] = numbers(p->name, optarg, p->least, p->most,
			o->param[c]);
		break;
	}
}

void
options_parse(int argc, char **argv, const struct bench *bench,
	struct options *o)
{
	struct option all[COMMON + BENCH_PARAMS + 2] = {{0}};
	size_t n = COMMON;
	int c;

	program = argc > 0 && argv[0] != NULL ? argv[0] : bench->name;
	memcpy(all, common, sizeof common);
	for (int i = 0; i < BENCH_PARAMS && bench->param[i].name; i++)
		all[n++] = (struct option){bench->param[i].name,
			required_argument, NULL, OPT_PARAM + i};
	if (bench->text.name != NULL)
		all[n] = (struct option){bench->text.name, required_argument,
			NULL, OPT_TEXT};
	defaults(bench, o);
	opterr = 0;             /* one line, and it is ours */
	while ((c = getopt_long(argc, argv, ":w:n:s:t:h", all, NULL)) != -1) {
		if (c == '?' || c == ':')
			die_option(c, argv);
		take(c, bench, o);
	}
	if (optind < argc)
		die(EXIT_USAGE, "'%s': not an option; see -h", argv[optind]);
	/* A sample that is as long as was asked for has not hung. */
	if (o->limit > 0)
		o->limit += (int)(4 * o->least / 1000000000);
}

void
options_free(struct options *o)
{
	for (int i = 0; i < o->place_count; i++)
		free(o->places[i].cpu);
}
