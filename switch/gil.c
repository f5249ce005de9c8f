/* SPDX-License-Identifier: MIT */
/*
 * One lock that all workers need to run, handed over on request, the way an
 * interpreter's global lock works: gil.h. The holder adds 1 and looks at the
 * request flag, op after op; a waiter that has slept for an interval sets the
 * flag; the holder then releases the lock, signals, and sleeps until another
 * has taken it. On one CPU the waiter must be given the CPU before it can ask,
 * so that a turn lasts a scheduler's slice at least. One op is one addition
 * with the lock held: no switch but for the few that a request brings about,
 * counted under the lock; a sample lasts 20 intervals, to see some.
 * With -n the workers share a fixed total, which is the published form: a share
 * that takes less than an interval is done before anybody asks, and workers run
 * one after another; then watch overlap. Left out: creating the workers, and
 * all that an interpreter does besides. Implementation: the C library's mutex
 * and condition variables.
 */
#include "gil.h"

#include <string.h>

struct state {
	_Alignas(BENCH_LINE) struct gil gil;
	_Alignas(BENCH_LINE) uint64_t counter;  /* these three are the lock's */
	int64_t handoffs;
	int owner;
};

static void
setup(struct run *run)
{
	struct state *s = bench_alloc(sizeof *s);
	int err = gil_init(&s->gil, run->param[0]);

	if (err != 0)
		bench_skip("condition variable: %s", strerror(err));
	run->state = s;
}

/* 20 intervals: with fewer, chance decides how many hand-offs there are. */
static int64_t
lasts(const struct run *run)
{
	return 20 * run->param[0];
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	s->counter = 0;
	s->handoffs = 0;
	s->owner = -1;
}

static uint64_t
add(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	uint64_t left = ops;

	gil_take(&s->gil);
	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			if (s->owner != member) {
				s->owner = member;
				s->handoffs++;
			}
			s->counter++;
			bench_keep_memory(s->counter);
			if (gil_requested(&s->gil))
				gil_hand_over(&s->gil);
		}
	}
	gil_release(&s->gil);
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	if (s->gil.locked)
		bench_fail("the lock was not released");
	tally->ops = s->counter;
	tally->handoffs = s->handoffs - 1;      /* the first owner had none */
}

static void
teardown(struct run *run)
{
	struct state *s = run->state;

	gil_destroy(&s->gil);
}

static const struct bench bench = {
	.name = "Gil",
	.group = "switch",
	.unit = "add",
	.op = "add 1, see if asked",
	.is_not = "a switch: the holder adds until another has waited for an "
		"interval",
	.floor = "Memory",
	.worker = "thread",
	.work = WORK_CONTEND,
	.footprint = 384,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.param = {{.name = "interval", .standard = 5000000, .least = 1000,
		.most = 1000000000, .help = "ns a waiter waits"}},
	.lasts = lasts,
	.setup = setup,
	.reset = reset,
	.run = add,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
