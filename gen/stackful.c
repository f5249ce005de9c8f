/* SPDX-License-Identifier: MIT */
/*
 * A generator with a stack of its own, in which D plain calls are nested: the
 * innermost yields straight to the caller, past all of them, and is resumed
 * where it was. One op is one resume that yields one value: two swapcontext(3),
 * there and back, each with a system call for the signal mask. That is dear,
 * but does not grow with D, which is the point beside delegate.c. Left out:
 * creating the context and descending into it. Implementation: the C
 * library's.
 */
#include "generator.h"

#if HAVE_UCONTEXT

#include <ucontext.h>

struct state {
	ucontext_t caller, generator;
	struct answer answer;
	uint64_t next, yielded; /* values */
	int nested;             /* calls between the context and its yield */
	bool closing;
	_Alignas(64) char stack[64 * 1024];
};

static struct state *state;

static BENCH_NOINLINE void
yield_all(void)
{
	for (;;) {
		swapcontext(&state->generator, &state->caller);
		if (state->closing)
			return;
		state->yielded = state->next++;
	}
}

/* What comes after the inner call keeps this from becoming a loop. */
static BENCH_NOINLINE void
descend(int depth)
{
	state->nested++;
	if (depth > 1)
		descend(depth - 1);
	else
		yield_all();
	bench_keep(depth);
	state->nested--;
}

static void
setup(struct run *run)
{
	state = bench_alloc(sizeof *state);
	if (getcontext(&state->generator) != 0)
		bench_skip("getcontext:");
	state->generator.uc_stack.ss_sp = state->stack;
	state->generator.uc_stack.ss_size = sizeof state->stack;
	state->generator.uc_link = &state->caller;
	makecontext(&state->generator, (void (*)(void))descend, 1,
		run->workers);
	if (swapcontext(&state->caller, &state->generator) != 0)
		bench_skip("swapcontext:");
}

static void
reset(struct run *run)
{
	(void)run;
	state->next = 0;
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	uint64_t sum = 0;

	(void)run, (void)member;
	for (uint64_t i = ops; i > 0; i--) {
		swapcontext(&state->caller, &state->generator);
		sum += state->yielded;
	}
	state->answer = (struct answer){ops, sum};
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	if (state->nested != run->workers)
		bench_fail("%d calls are nested, not %d", state->nested,
			run->workers);
	answer_check(&state->answer, tally);
}

static void
teardown(struct run *run)
{
	(void)run;
	state->closing = true;
	if (swapcontext(&state->caller, &state->generator) != 0 ||
	    state->nested != 0)
		bench_fail("the generator did not end");
}

#define LACKS NULL

#else
#define LACKS "this C library has no makecontext"
#endif

static const struct bench bench = {
	.name = "Stackful",
	.group = "gen",
	.unit = "resume",
	.op = "two swapcontexts",
	.is_not = "a chain of calls: it yields from any depth straight to the "
		"caller",
	.floor = "Syscall/as=mask",
	.parts = "Syscall/as=mask Syscall/as=mask",
	.worker = "depth",
	.work = WORK_TOTAL,
	.least = 1,
	.most = 64,
	.as = {{.name = "context", .crew = CREW_ONE, .lacks = LACKS}},
#if HAVE_UCONTEXT
	.setup = setup,
	.reset = reset,
	.run = resume,
	.count = count,
	.teardown = teardown,
#endif
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
