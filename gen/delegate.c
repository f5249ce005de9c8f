/* SPDX-License-Identifier: MIT */
/*
 * A generator at the end of a chain of delegations, as `yield from` makes them.
 * Each of D delegators resumes the next through its pointer, and hands the
 * value that this one yields up to its own caller. One op is one resume from
 * the top, which goes all the way down and comes all the way back: a call a
 * level. A level cannot leave itself out, since it has to see whether the next
 * has returned. (Interpreters differ: CPython since 3.3 calls through each
 * level, as this does.)
 */
#include "generator.h"

enum status { YIELDED, RETURNED };

struct level {
	enum status (*resume)(struct level *, uint64_t *value);
	struct level *inner;    /* NULL: the generator */
	uint64_t next;          /* value to yield */
	enum { RUNNING, END } at;
};

struct state {
	struct answer answer;
	struct level level[];   /* the top first */
};

static BENCH_NOINLINE enum status
yield_next(struct level *g, uint64_t *value)
{
	if (g->at == END)
		return RETURNED;
	*value = g->next++;
	return YIELDED;
}

static BENCH_NOINLINE enum status
yield_from(struct level *g, uint64_t *value)
{
	uint64_t yielded;

	if (g->at == RUNNING &&
	    g->inner->resume(g->inner, &yielded) == YIELDED) {
		*value = yielded;
		return YIELDED;
	}
	g->at = END;
	return RETURNED;
}

static void
setup(struct run *run)
{
	size_t levels = (size_t)run->workers + 1;
	struct state *s;

	run->state = bench_alloc(sizeof *s + levels * sizeof s->level[0]);
}

static void
reset(struct run *run)
{
	struct state *s = run->state;
	int depth = run->workers;

	for (int i = 0; i < depth; i++)
		s->level[i] = (struct level){yield_from, &s->level[i + 1], 0,
			RUNNING};
	s->level[depth] = (struct level){yield_next, NULL, 0, RUNNING};
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	struct level *top = &s->level[0];
	uint64_t sum = 0, value;

	(void)member;
	for (uint64_t i = ops; i > 0; i--) {
		bench_keep_memory(top->resume);
		if (top->resume(top, &value) == YIELDED)
			sum += value;
	}
	s->answer = (struct answer){ops, sum};
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	if (s->level[run->workers].next != s->answer.ops)
		bench_fail("the generator yielded %llu times in %llu resumes",
			(unsigned long long)s->level[run->workers].next,
			(unsigned long long)s->answer.ops);
	answer_check(&s->answer, tally);
}

static const struct bench bench = {
	.name = "Delegate",
	.group = "gen",
	.unit = "resume",
	.op = "resume down the chain",
	.is_not = "one call: each level of delegation is one more",
	.floor = "Call/as=pointer",
	.worker = "depth",
	.work = WORK_TOTAL,
	.footprint = 64,
	.least = 1,
	.most = 64,
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
