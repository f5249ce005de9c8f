/* SPDX-License-Identifier: MIT */
/*
 * An event loop and its tasks, which are generators written by hand: each adds
 * 1 to a counter and yields, for ever. One op is one turn of one task: the loop
 * takes the handle that was scheduled first and calls it, the task's step
 * resumes the generator through a pointer and, since it yielded, schedules
 * itself again; the old handle is freed. Each turn but a lone task's is a
 * switch to another task, on one stack, and the kernel is not entered. Left
 * out: creating the tasks, timers, and the poll for input and output that
 * asyncio makes once a lap, which is a system call shared by all tasks.
 */
#include "ready.h"

enum status { YIELDED, RETURNED };

struct task {
	enum status (*resume)(struct task *);
	uint64_t turns;
	enum { START, LOOPING, END } at;
};

struct state {
	struct ready ready;
	uint64_t counter;
	struct task task[];
};

static struct state *state;     /* the running loop */

static BENCH_NOINLINE enum status
add_and_yield(struct task *t)
{
	switch (t->at) {
	case START:
		t->at = LOOPING;
		/* fall through */
	case LOOPING:
		state->counter++;
		t->turns++;
		return YIELDED;
	default:
		return RETURNED;
	}
}

static BENCH_NOINLINE void
step(void *task)
{
	struct task *t = task;

	if (t->resume(t) == YIELDED)
		ready_add(&state->ready, step, t);
}

static void
setup(struct run *run)
{
	state = bench_alloc(sizeof *state +
		(size_t)run->workers * sizeof state->task[0]);
	for (int i = 0; i < run->workers; i++) {
		state->task[i] = (struct task){add_and_yield, 0, START};
		ready_add(&state->ready, step, &state->task[i]);
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

static const struct bench bench = {
	.name = "EventLoop",
	.group = "switch",
	.unit = "switch",
	.op = "a task's turn",
	.is_not = "a switch of stacks: a queue, a malloc and two calls through "
		"pointers",
	.floor = "Call/as=pointer",
	.worker = "task",
	.work = WORK_TOTAL,
	.footprint = 64,
	.least = 1,
	.most = 1000000,
	.as = {{.name = "coroutine", .crew = CREW_ONE}},
	.setup = setup,
	.reset = reset,
	.run = loop,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
