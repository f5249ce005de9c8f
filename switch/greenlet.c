/* SPDX-License-Identifier: MIT */
/*
 * The loop of eventloop.c over tasks that have a stack each, as greenlets do:
 * a task adds 1 to a counter, schedules itself and yields to the hub, which
 * takes the handle that was scheduled first and switches to its task. One op
 * is one task's turn, and that is two swapcontext(3), there and back, each of
 * which makes a system call for the signal mask. The kernel sees no switch.
 * Left out: creating the tasks, and any poll for input and output. A greenlet
 * proper copies stacks out of each other's way; these have their own.
 * Implementation: the C library's.
 */
#include "ready.h"
#include "stack.h"

#if HAVE_UCONTEXT

#include <ucontext.h>

struct task {
	_Alignas(64) uint64_t turns;
	ucontext_t uc;
};

struct state {
	ucontext_t hub;
	struct ready ready;
	struct task *current;
	uint64_t counter;
	struct stacks stacks;
	struct task task[];
};

static struct state *state;

static void
switch_to(void *task)
{
	state->current = task;
	swapcontext(&state->hub, &state->current->uc);
}

static void
add_and_yield(void)
{
	struct task *self = state->current;

	for (;;) {
		state->counter++;
		self->turns++;
		ready_add(&state->ready, switch_to, self);
		swapcontext(&self->uc, &state->hub);
	}
}

static void
setup(struct run *run)
{
	state = bench_alloc(sizeof *state +
		(size_t)run->workers * sizeof state->task[0]);
	state->stacks = stacks_map(run->workers, (size_t)run->param[0]);
	for (int i = 0; i < run->workers; i++) {
		struct task *t = &state->task[i];

		if (getcontext(&t->uc) != 0)
			bench_skip("getcontext:");
		t->uc.uc_stack.ss_sp = stack_base(&state->stacks, i);
		t->uc.uc_stack.ss_size = stack_size(&state->stacks);
		makecontext(&t->uc, add_and_yield, 0);
		ready_add(&state->ready, switch_to, t);
	}
}

static void
reset(struct run *run)
{
	state->counter = 0;
	for (int i = 0; i < run->workers; i++)
		state->task[i].turns = 0;
}

static uint64_t
loop(struct run *run, int member, uint64_t ops)
{
	(void)run, (void)member;
	for (uint64_t i = ops; i > 0; i--)
		ready_run(&state->ready);
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	ready_count(run, state->counter, &state->task[0].turns,
		sizeof state->task[0], tally);
}

static void
teardown(struct run *run)
{
	(void)run;
	ready_clear(&state->ready);
}

#define LACKS NULL

#else
#define LACKS "this C library has no makecontext"
#endif

static const struct bench bench = {
	.name = "Greenlet",
	.group = "switch",
	.unit = "switch",
	.op = "a turn, 2 swapcontexts",
	.is_not = "one switch: to the task and back to the hub, a system call "
		"each",
	.floor = "Syscall/as=mask",
	.parts = "Syscall/as=mask Syscall/as=mask",
	.worker = "task",
	.work = WORK_TOTAL,
	.least = 1,
	.most = 1000000,
	.as = {{.name = "greenlet", .crew = CREW_ONE, .lacks = LACKS}},
	.param = {{.name = "stack", .standard = 8192, .least = 4096,
		.most = 1 << 20, .help = "bytes of stack a task"}},
#if HAVE_UCONTEXT
	.setup = setup,
	.reset = reset,
	.run = loop,
	.count = count,
	.teardown = teardown,
#endif
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
