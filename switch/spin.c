/* SPDX-License-Identifier: MIT */
/*
 * A token goes round a ring by atomics alone: each worker watches a line of
 * its own until its neighbour writes the token there. One op is one pass, the
 * cost of a cache line between two CPUs and back to work: the floor of every
 * hand-off across CPUs. Nobody sleeps and the kernel is not entered, so there
 * is no kernel switch. Workers each need a CPU of their own.
 */
#include "bench.h"

struct slot {
	_Alignas(BENCH_LINE) atomic_uint_least64_t token;
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
		atomic_store(&slots[i].token, i == 0);
}

static uint64_t
pass(struct run *run, int member, uint64_t ops)
{
	struct slot *slots = run->state;
	atomic_uint_least64_t *self = &slots[member].token;
	atomic_uint_least64_t *next =
		&slots[(member + 1) % run->members].token;
	/* The token counts passes; it comes by once a lap. */
	uint64_t token = (uint64_t)member + 1;

	for (uint64_t i = ops; i > 0; i--) {
		while (atomic_load_explicit(self, memory_order_acquire) !=
		    token)
			;
		atomic_store_explicit(next, token + 1, memory_order_release);
		token += (uint64_t)run->members;
	}
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++) {
		uint64_t token = atomic_load(&slots[i].token);

		if (token > tally->ops + 1)
			tally->ops = token - 1;
	}
	tally->handoffs = (int64_t)tally->ops;
}

static const struct bench bench = {
	.name = "Spin",
	.group = "switch",
	.unit = "handoff",
	.op = "token by atomics",
	.is_not = "a kernel switch: both sides burn a CPU while they wait",
	.floor = "Atomic",
	.worker = "worker",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 4096,
	.apart = true,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.setup = setup,
	.reset = reset,
	.run = pass,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
