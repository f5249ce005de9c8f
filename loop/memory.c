/* SPDX-License-Identifier: MIT */
/*
 * One op is one addition to a counter in memory: load, add, store, and the
 * next load needs what this store wrote. Older cores take 4 to 6 cycles to
 * forward a store to a load; newer ones rename the memory operand and take
 * none, so that this row can equal `register`. There is no switch. Workers
 * share nothing, each has its own line.
 */
#include "bench.h"

struct slot {
	_Alignas(BENCH_LINE) uint64_t sum;
};

static void
setup(struct run *run)
{
	run->state = bench_alloc((size_t)run->members * sizeof(struct slot));
}

static void
reset(struct run *run)
{
	struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		slots[i].sum = 0;
}

static uint64_t
count_up(struct run *run, int member, uint64_t ops)
{
	struct slot *slot = (struct slot *)run->state + member;
	uint64_t left = ops;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			slot->sum += 1;
			bench_keep_memory(slot->sum);
		}
	}
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
	.name = "Memory",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 in memory",
	.is_not = "slower than Register on a core that forwards stores for "
		"nothing",
	.floor = "Register",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 128,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.setup = setup,
	.reset = reset,
	.run = count_up,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
