/* SPDX-License-Identifier: MIT */
/*
 * One op is one addition of two registers that depends on the one before: one
 * clock cycle. If this row costs more, the harness is in the way; if it costs
 * less, something has folded additions. There is no switch. Workers share
 * nothing.
 */
#include "bench.h"

struct slot {
	_Alignas(BENCH_LINE) uint64_t sum;
};

#define ADD(sum, one) do { (sum) += (one); bench_keep(sum); } while (0)

static void
setup(struct run *run)
{
	run->state = bench_alloc((size_t)run->members * sizeof(struct slot));
}

static uint64_t
count_up(struct run *run, int member, uint64_t ops)
{
	struct slot *slots = run->state;
	uint64_t left = ops, sum = 0, one = 1;

	/* Newer cores fold additions of a constant: hence a register. They
	 * take one branch a cycle: hence four additions to a branch. */
	bench_keep(one);
	while (left > 0 && !bench_stopped(run)) {
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
	slots[member].sum = sum;
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += slots[i].sum;
}

static const struct bench bench = {
	.name = "Register",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 to a register",
	.is_not = "a switch: the loop under everything above, one cycle",
	.floor = "Empty",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 64,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.setup = setup,
	.run = count_up,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
