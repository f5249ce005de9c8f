/* SPDX-License-Identifier: MIT */
/*
 * A token goes round a ring. Each worker blocks in FUTEX_WAIT on a word of its
 * own until its neighbour has passed the token on and woken it. One op is one
 * pass: every op is a hand-off, and a kernel switch wherever the receiver was
 * asleep. On one CPU with many workers the kernel's count exceeds the ops: a
 * waker that its wake-up preempts is resumed only to go to sleep. Left out:
 * creating the workers. Implementation: the system call, private futexes
 * between threads, shared ones between processes.
 */
#include "futex.h"

struct slot {
	_Alignas(BENCH_LINE) atomic_uint tokens;        /* ever received */
	unsigned passed;                                /* the worker's own */
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

	for (int i = 0; i < run->members; i++) {
		atomic_store(&slots[i].tokens, i == 0);
		slots[i].passed = 0;
	}
}

static uint64_t
pass(struct run *run, int member, uint64_t ops)
{
	struct slot *slots = run->state;
	struct slot *self = &slots[member];
	struct slot *next = &slots[(member + 1) % run->members];
	bool shared = run->processes;

	/* By value, not by the call's word: a wake-up may come before the wait
	 * (EAGAIN), for nothing, or be a signal (EINTR). */
	for (uint64_t i = ops; i > 0; i--) {
		while (atomic_load(&self->tokens) == self->passed)
			futex_wait(&self->tokens, self->passed, shared);
		self->passed++;
		atomic_fetch_add(&next->tokens, 1);
		futex_wake(&next->tokens, 1, shared);
	}
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += atomic_load(&slots[i].tokens);
	tally->ops--;                   /* the one that nobody passed */
	tally->handoffs = (int64_t)tally->ops;
}

static const struct bench bench = {
	.name = "Futex",
	.group = "switch",
	.unit = "handoff",
	.op = "wake next, sleep",
	.is_not = "a lock: every op hands over; over 1 kernel switch an op on "
		"one CPU is wakers resumed only to sleep",
	.floor = "Syscall/as=wake",
	.parts = "Syscall/as=wake Syscall/as=wait",
	.worker = "worker",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS,
			.lacks = FUTEX_LACKS},
		{.name = "process", .crew = CREW_PROCESSES,
			.lacks = FUTEX_LACKS},
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
