/* SPDX-License-Identifier: MIT */
/*
 * All waiters block on one futex and a waker wakes as many as are asleep. One
 * op is one waiter that was woken, ran and blocked again; the ops are what
 * FUTEX_WAKE returned, and each waiter counts its own wake-ups to check that.
 * Left out: creating the waiters. A wake-up is half of a hand-off: nobody
 * waits for the waiter's answer, so many can be on their way at once.
 */
#include "futex.h"

#include <errno.h>
#include <sched.h>

struct state {
	_Alignas(BENCH_LINE) atomic_uint word;  /* 1: go home */
	uint64_t woken;                         /* the waker's */
	struct {
		_Alignas(BENCH_LINE) atomic_uint_least64_t wakes;
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

	atomic_store(&s->word, 0);
	for (int i = 0; i < run->members; i++)
		atomic_store(&s->slot[i].wakes, 0);
}

static uint64_t
sum(struct run *run)
{
	struct state *s = run->state;
	uint64_t wakes = 0;

	for (int i = 0; i < run->members; i++)
		wakes += atomic_load(&s->slot[i].wakes);
	return wakes;
}

static uint64_t
wake(struct run *run, uint64_t ops)
{
	struct state *s = run->state;
	bool shared = run->processes;
	uint64_t left = ops;

	while (left > 0) {
		int most = left < INT_MAX ? (int)left : INT_MAX;
		long woken = futex_wake(&s->word, most, shared);

		if (woken > 0)
			left -= (uint64_t)woken;
		else
			(void)sched_yield();    /* none has gone to sleep yet */
	}
	s->woken = ops - left;
	/* Wakes that send waiters home must not be counted by them. */
	while (sum(run) < ops)
		(void)sched_yield();
	atomic_store(&s->word, 1);
	(void)futex_wake(&s->word, INT_MAX, shared);
	return 0;
}

static uint64_t
sleep_and_count(struct run *run, int member)
{
	struct state *s = run->state;
	bool shared = run->processes;
	uint64_t wakes = 0;

	while (atomic_load(&s->word) == 0)
		if (futex_wait(&s->word, 0, shared) == 0 &&
		    atomic_load(&s->word) == 0)
			atomic_store(&s->slot[member].wakes, ++wakes);
	return wakes;
}

static uint64_t
run_member(struct run *run, int member, uint64_t ops)
{
	if (member == 0)
		return wake(run, ops);
	return sleep_and_count(run, member);
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->ops = s->woken;
}

static const struct bench bench = {
	.name = "Wake",
	.group = "switch",
	.unit = "waiter",
	.op = "wake one, it sleeps",
	.is_not = "a hand-off: the waker does not wait for the woken",
	.floor = "Syscall/as=wake",
	.worker = "waiter",
	.work = WORK_TOTAL,
	.least = 1,
	.most = 4096,
	.drivers = 1,
	.as = {
		{.name = "thread", .crew = CREW_THREADS,
			.lacks = FUTEX_LACKS},
		{.name = "process", .crew = CREW_PROCESSES,
			.lacks = FUTEX_LACKS},
	},
	.setup = setup,
	.reset = reset,
	.run = run_member,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
