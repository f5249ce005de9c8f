/* SPDX-License-Identifier: MIT */
/*
 * One op is one atomic addition to a counter that all workers share. With one
 * worker, or all on one CPU, it is the locked instruction alone; across CPUs
 * it is a cache line on the move. A hand-off is an addition that finds another
 * worker's in between: the value it returns tells. Nothing blocks and the
 * kernel is never entered, so there is no switch.
 */
#include "bench.h"

struct state {
	_Alignas(BENCH_LINE) atomic_uint_least64_t sum;
	struct {
		_Alignas(BENCH_LINE) uint64_t handoffs;
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

	atomic_store(&s->sum, 0);
}

static uint64_t
count_up(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	uint64_t left = ops, expected = 0, handoffs = 0;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			uint64_t old = atomic_fetch_add(&s->sum, 1);

			handoffs += old != expected;
			expected = old + 1;
		}
	}
	s->slot[member].handoffs = handoffs;
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	struct state *s = run->state;

	tally->ops = atomic_load(&s->sum);
	tally->handoffs = 0;
	for (int i = 0; i < run->members; i++)
		tally->handoffs += (int64_t)s->slot[i].handoffs;
}

static const struct bench bench = {
	.name = "Atomic",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 atomically",
	.is_not = "a switch: nobody waits, a cache line moves",
	.floor = "Memory",
	.worker = "thread",
	.work = WORK_CONTEND,
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
