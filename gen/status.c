/* SPDX-License-Identifier: MIT */
/*
 * A generator written by hand: a state and a resume function, called through a
 * pointer. One op is to resume one that returns at once, its value arriving as
 * a status code and an out parameter, and to start another in its place. This
 * is what a compiler makes of a stackless coroutine. No frame is allocated.
 */
#include "generator.h"

enum status { YIELDED, RETURNED };

struct generator {
	enum status (*resume)(struct generator *, uint64_t *value);
	uint64_t argument;
	int at;                 /* where to go on: 0 start, 1 end */
};

struct state {
	struct answer answer;
	struct generator slot[];
};

static BENCH_NOINLINE enum status
give_back(struct generator *g, uint64_t *value)
{
	switch (g->at) {
	case 0:
		g->at = 1;
		*value = g->argument;
		return RETURNED;
	default:
		*value = 0;
		return YIELDED;         /* resumed after its end */
	}
}

static void
start(struct generator *g, uint64_t argument)
{
	g->resume = give_back;
	g->argument = argument;
	g->at = 0;
}

static void
setup(struct run *run)
{
	struct state *s;

	run->state = bench_alloc(sizeof *s +
		(size_t)run->workers * sizeof s->slot[0]);
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	for (int i = 0; i < run->workers; i++)
		start(&s->slot[i], (uint64_t)i);
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	struct generator *g = s->slot, *end = s->slot + run->workers;
	uint64_t alive = (uint64_t)run->workers, sum = 0, value;

	(void)member;
	for (uint64_t i = 0; i < ops; i++) {
		bench_keep_memory(g->resume);
		if (g->resume(g, &value) == RETURNED)
			sum += value;
		start(g, i + alive);
		if (++g == end)
			g = s->slot;
	}
	s->answer = (struct answer){ops, sum};
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	answer_check(&s->answer, tally);
}

static const struct bench bench = {
	.name = "Status",
	.group = "gen",
	.unit = "return",
	.op = "resume; status, value",
	.is_not = "a switch of stacks: a call through a pointer, the state in "
		"a struct",
	.floor = "Call/as=pointer",
	.worker = "generator",
	.work = WORK_TOTAL,
	.footprint = 32,
	.least = 1,
	.most = 1000000,
	.as = {{.name = "generator", .crew = CREW_ONE}},
	.setup = setup,
	.reset = reset,
	.run = resume,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
