/* SPDX-License-Identifier: MIT */
/*
 * One op is one sched_yield(2). It promises very little: that the caller goes
 * behind those of its own priority on its CPU's queue, and even that only to
 * real-time policies. It does not name who is next; the default scheduler may
 * run the caller again at once, and does when nobody else wants that CPU. So an
 * op counts as a hand-off only when the yield before it was another worker's.
 * On one CPU that count is exact, and the kernel's should agree with it; across
 * CPUs it tells how calls interleave, not that a CPU changed hands. The kernel
 * counts such a switch as involuntary. Left out: creating the workers.
 */
#include "bench.h"

#include <sched.h>

struct state {
	_Alignas(BENCH_LINE) atomic_int owner;  /* who yielded last */
	struct {
		_Alignas(BENCH_LINE) uint64_t yielded;
		int64_t handoffs;
	} slot[];
};

static void
setup(struct run *run)
{
	struct state *s;

	run->state = bench_alloc(sizeof *s +
		(size_t)run->members * sizeof s->slot[0]);
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	atomic_store(&s->owner, -1);
}

static uint64_t
yield(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	uint64_t left = ops, yielded = 0;
	int64_t handoffs = 0;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			if (atomic_load_explicit(&s->owner,
			    memory_order_relaxed) != member) {
				atomic_store_explicit(&s->owner, member,
					memory_order_relaxed);
				handoffs++;
			}
			yielded += sched_yield() == 0;
		}
	}
	s->slot[member].yielded = yielded;
	s->slot[member].handoffs = handoffs;
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->handoffs = 0;
	for (int i = 0; i < run->members; i++) {
		tally->ops += s->slot[i].yielded;
		tally->handoffs += s->slot[i].handoffs;
	}
	tally->handoffs--;              /* the first yield followed none */
}

static const struct bench bench = {
	.name = "Yield",
	.group = "switch",
	.unit = "yield",
	.op = "sched_yield",
	.is_not = "a promise that another runs: see handoffs/op and, across "
		"CPUs, ivcsw/op",
	.floor = "Syscall/as=bare",
	.parts = "Syscall/as=bare",
	.worker = "worker",
	.work = WORK_CONTEND,
	.least = 1,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.setup = setup,
	.reset = reset,
	.run = yield,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
