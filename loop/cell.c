/* SPDX-License-Identifier: MIT */
/*
 * One op is one addition to a counter that a closure shares with the function
 * around it: the closure points to a cell, the cell to a box, and the box holds
 * the value. Both pointers are loaded anew each time, since any call in between
 * could have changed them. No box is allocated, where an interpreter would make
 * a new one for each value. There is no switch. Workers share nothing, each has
 * its own lines.
 */
#include "bench.h"

struct box {
	uint64_t value;
};

struct cell {
	struct box *box;
};

struct slot {
	_Alignas(BENCH_LINE) struct cell *closure;
	_Alignas(64) struct cell cell;
	_Alignas(64) struct box box;
};

static void
setup(struct run *run)
{
	struct slot *slots = bench_alloc((size_t)run->members * sizeof *slots);

	for (int i = 0; i < run->members; i++) {
		slots[i].closure = &slots[i].cell;
		slots[i].cell.box = &slots[i].box;
	}
	run->state = slots;
}

static void
reset(struct run *run)
{
	struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		slots[i].box.value = 0;
}

static uint64_t
count_up(struct run *run, int member, uint64_t ops)
{
	struct slot *slot = (struct slot *)run->state + member;
	uint64_t left = ops;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			struct cell *cell;
			struct box *box;

			bench_keep_memory(slot->closure);
			cell = slot->closure;
			bench_keep_memory(cell->box);
			box = cell->box;
			box->value += 1;
			bench_keep_memory(box->value);
		}
	}
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += slots[i].box.value;
}

static const struct bench bench = {
	.name = "Cell",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 in a cell",
	.is_not = "an interpreter's closure, which allocates each new value",
	.floor = "Memory",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 256,
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
