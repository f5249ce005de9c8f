/* SPDX-License-Identifier: MIT */
/*
 * One op is one turn of a loop with nothing in it: what the harness and the
 * loop cost themselves. Every other row contains this. There is no switch.
 * Workers share nothing.
 */
#include "bench.h"

struct slot {
	_Alignas(BENCH_LINE) uint64_t turns;
};

static void
setup(struct run *run)
{
	run->state = bench_alloc((size_t)run->members * sizeof(struct slot));
}

static uint64_t
turn(struct run *run, int member, uint64_t ops)
{
	struct slot *slots = run->state;
	uint64_t left = ops;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--)
			bench_keep(i);
	}
	slots[member].turns = ops - left;
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += slots[i].turns;
}

static const struct bench bench = {
	.name = "Empty",
	.group = "loop",
	.unit = "iter",
	.op = "an empty turn",
	.is_not = "work: it is what the harness itself adds to every row",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 64,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.setup = setup,
	.run = turn,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
