/* SPDX-License-Identifier: MIT */
/*
 * One op is one system call that gives nothing away: the floors under every
 * switch that enters the kernel.
 *
 *	bare	getppid(2), the least the kernel can be asked
 *	wake	FUTEX_WAKE on a word nobody waits for
 *	wait	FUTEX_WAIT on a word that has another value: returns at once
 *	mask	the signal-mask call that swapcontext makes
 *
 * There is no switch: one worker, and it never blocks.
 */
#include "futex.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { BARE, WAKE, WAIT, MASK };

struct state {
	atomic_uint word;
	uint64_t answered;      /* calls that returned what they should */
};

static void
setup(struct run *run)
{
	run->state = bench_alloc(sizeof(struct state));
}

static uint64_t
bare(uint64_t ops)
{
	uint64_t answered = 0;
	pid_t parent = getppid();

	for (uint64_t i = ops; i > 0; i--)
		answered += getppid() == parent;
	return answered;
}

static uint64_t
wake(struct state *s, uint64_t ops)
{
	uint64_t answered = 0;

	for (uint64_t i = ops; i > 0; i--)
		answered += futex_wake(&s->word, 1, false) == 0;
	return answered;
}

static uint64_t
wait(struct state *s, uint64_t ops)
{
	uint64_t answered = 0;

	for (uint64_t i = ops; i > 0; i--)
		answered += futex_wait(&s->word, 1, false) == -1 &&
			errno == EAGAIN;
	return answered;
}

static uint64_t
mask(uint64_t ops)
{
	uint64_t answered = 0;
	sigset_t now, old;

	(void)sigprocmask(SIG_SETMASK, NULL, &now);
	for (uint64_t i = ops; i > 0; i--)
		answered += sigprocmask(SIG_SETMASK, &now, &old) == 0;
	return answered;
}

static uint64_t
call(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;

	(void)member;
	s->answered = run->as == BARE ? bare(ops) :
		run->as == WAKE ? wake(s, ops) :
		run->as == WAIT ? wait(s, ops) : mask(ops);
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->ops = s->answered;
}

static const struct bench bench = {
	.name = "Syscall",
	.group = "switch",
	.unit = "call",
	.op = "one system call",
	.is_not = "a switch: it enters the kernel and comes straight back",
	.floor = "Call/as=direct",
	.worker = "thread",
	.work = WORK_TOTAL,
	.least = 1,
	.most = 1,
	.as = {
		{.name = "bare", .crew = CREW_ONE, .op = "getppid"},
		{.name = "wake", .crew = CREW_ONE,
			.op = "futex wake, no waiter",
			.floor = "Syscall/as=bare", .lacks = FUTEX_LACKS},
		{.name = "wait", .crew = CREW_ONE,
			.op = "futex wait, no wait",
			.floor = "Syscall/as=bare",
			.lacks = FUTEX_LACKS},
		{.name = "mask", .crew = CREW_ONE, .op = "set the signal mask",
			.floor = "Syscall/as=bare"},
	},
	.setup = setup,
	.run = call,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
