/* SPDX-License-Identifier: MIT */
/*
 * A generator that returns by unwinding: the caller calls setjmp(3), resumes
 * it through a pointer, and the value arrives by longjmp. One op is one such
 * return. setjmp is taken without the signal mask where the C library leaves
 * that out (glibc, musl), so the kernel is not entered. Each landing is
 * counted: a return that did not jump fails the row.
 */
#include "generator.h"

#include <setjmp.h>

struct generator {
	void (*resume)(struct generator *);
	uint64_t argument;
};

struct state {
	struct answer answer;
	uint64_t landed;
	struct generator slot[];
};

static jmp_buf caller;
static uint64_t returned;

static BENCH_NOINLINE void
give_back(struct generator *g)
{
	returned = g->argument;
	longjmp(caller, 1);
}

static void
start(struct generator *g, uint64_t argument)
{
	g->resume = give_back;
	g->argument = argument;
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

	s->landed = 0;
	for (int i = 0; i < run->workers; i++)
		start(&s->slot[i], (uint64_t)i);
}

/* setjmp has a function of its own: a local of its caller that changes between
 * the two would be indeterminate after the jump. */
static BENCH_NOINLINE uint64_t
take(struct state *s, struct generator *g)
{
	if (setjmp(caller) == 0)
		g->resume(g);
	else
		s->landed++;
	return returned;
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	struct generator *g = s->slot, *end = s->slot + run->workers;
	uint64_t alive = (uint64_t)run->workers, sum = 0;

	(void)member;
	for (uint64_t i = 0; i < ops; i++) {
		bench_keep_memory(g->resume);
		sum += take(s, g);
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

	if (s->landed != s->answer.ops)
		bench_fail("%llu returns of %llu jumped",
			(unsigned long long)s->landed,
			(unsigned long long)s->answer.ops);
	answer_check(&s->answer, tally);
}

static const struct bench bench = {
	.name = "Longjmp",
	.group = "gen",
	.unit = "return",
	.op = "setjmp, longjmp back",
	.is_not = "a switch: it unwinds within one stack",
	.floor = "Call/as=pointer",
	.worker = "generator",
	.work = WORK_TOTAL,
	.footprint = 256,
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
