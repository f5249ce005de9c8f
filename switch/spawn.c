/* SPDX-License-Identifier: MIT */
/*
 * One op is to create one of what other programs switch between, let it run
 * once and be rid of it:
 *
 *	thread	pthread_create and pthread_join, default attributes
 *	process	fork and waitpid; the child exits at once
 *	context	getcontext and makecontext on a stack that is there, a switch
 *		to it, and one back as its function returns
 *	generator	allocate a frame, resume it once, free it
 *
 * The parent waits for each, so that a thread or a process is a switch there
 * and one back. cpu-ns/op and the counts of switches are of parent and child
 * together. Left out: a new stack for the context, and for
 * the thread, whose stack the C library keeps for the next; what a process
 * larger than this one would have to copy. Implementation: spawn.h.
 */
#include "spawn.h"

enum { THREAD, PROCESS, CONTEXT, GENERATOR };

struct state {
	uint64_t ran;           /* children that left their mark */
	struct stacks stacks;
};

static void
setup(struct run *run)
{
	struct state *s = bench_alloc(sizeof *s);

	s->stacks = stacks_map(1, 16384);
	run->state = s;
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	s->ran = 0;
}

static uint64_t
spawn(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	uint64_t i = ops;

	(void)member;
	switch (run->as) {
	case THREAD:
		for (; i > 0; i--)
			spawn_thread(&s->ran);
		break;
	case PROCESS:
		for (; i > 0; i--)
			spawn_process(&s->ran);
		break;
	case CONTEXT:
		for (; i > 0; i--)
			spawn_context(&s->ran, &s->stacks);
		break;
	default:
		for (; i > 0; i--)
			spawn_generator(&s->ran);
	}
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->ops = s->ran;
}

static const struct bench bench = {
	.name = "Spawn",
	.group = "switch",
	.unit = "spawn",
	.op = "create, run once, reap",
	.is_not = "a switch alone: making and reaping dwarf it",
	.floor = "Syscall/as=bare",
	.worker = "spawner",
	.work = WORK_TOTAL,
	.least = 1,
	.most = 1,
	.as = {
		{.name = "thread", .crew = CREW_ONE,
			.op = "pthread_create, join", .waits = true,
			.spawns = true},
		{.name = "process", .crew = CREW_ONE, .op = "fork, waitpid",
			.waits = true, .spawns = true},
		{.name = "context", .crew = CREW_ONE,
			.op = "makecontext, run, back",
			.floor = "Syscall/as=mask", .lacks = CONTEXT_LACKS},
		{.name = "generator", .crew = CREW_ONE,
			.op = "malloc, resume, free",
			.floor = "Call/as=pointer"},
	},
	.setup = setup,
	.reset = reset,
	.run = spawn,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
