/* SPDX-License-Identifier: MIT */
/*
 * The loop of register.c as the body of a coroutine that never yields: a
 * generator written by hand, resumed once through a pointer, counts in a local
 * and returns the sum. One op is one addition; the one resume is all that the
 * coroutine adds, and shared among all ops. A local needs no name to be looked
 * up and no cell, which is what cell.c and dict.c add. There is no switch.
 * Workers share nothing.
 */
#include "bench.h"

enum status { YIELDED, RETURNED };

struct coroutine {
	_Alignas(BENCH_LINE) enum status (*resume)(struct coroutine *);
	struct run *run;
	uint64_t left;          /* of the ops it was given */
	uint64_t sum;           /* what it returned */
	enum { START, END } at;
};

#define ADD(sum, one) do { (sum) += (one); bench_keep(sum); } while (0)

static BENCH_NOINLINE enum status
count_up(struct coroutine *c)
{
	uint64_t left = c->left, sum = 0, one = 1;

	if (c->at == END)
		return YIELDED;         /* resumed after its end */
	c->at = END;
	bench_keep(one);
	while (left > 0 && !bench_stopped(c->run)) {
		int i = bench_batch(&left);

		for (; i >= 4; i -= 4) {
			ADD(sum, one);
			ADD(sum, one);
			ADD(sum, one);
			ADD(sum, one);
		}
		for (; i > 0; i--)
			ADD(sum, one);
	}
	c->left = left;
	c->sum = sum;
	return RETURNED;
}

static void
setup(struct run *run)
{
	run->state = bench_alloc((size_t)run->members *
		sizeof(struct coroutine));
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	struct coroutine *c = (struct coroutine *)run->state + member;

	*c = (struct coroutine){count_up, run, ops, 0, START};
	bench_keep_memory(c->resume);
	if (c->resume(c) != RETURNED)
		bench_fail("the coroutine did not run to its end");
	return ops - c->left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct coroutine *coroutines = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += coroutines[i].sum;
}

static const struct bench bench = {
	.name = "NoSuspend",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 to a local",
	.is_not = "a switch: the coroutine never yields",
	.floor = "Register",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 128,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.setup = setup,
	.run = resume,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
