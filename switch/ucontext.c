/* SPDX-License-Identifier: MIT */
/*
 * A ring of contexts under swapcontext(3): one op is one switch to the next.
 * It is called a user-space switch and makes a system call each time, to save
 * and set the signal mask; `raw` shows what is left without it. The kernel
 * sees no switch. Left out: creating the contexts, and any scheduler. There is
 * no guard page between stacks. Implementation: the C library's.
 */
#include "stack.h"

#if HAVE_UCONTEXT

#include <ucontext.h>

struct context {
	_Alignas(64) uint64_t left;     /* turns left in this sample */
	struct context *next;
	ucontext_t uc;
};

struct state {
	ucontext_t driver;
	struct stacks stacks;
	struct context *context;
};

static struct state *state;
static struct context *starting;

/* makecontext passes ints only, which a pointer need not fit: a context finds
 * out who it is when it first runs. */
static void
turn(void)
{
	struct context *self = starting;

	for (;;) {
		swapcontext(&self->uc, &state->driver);
		while (self->left > 0) {
			self->left--;
			swapcontext(&self->uc, &self->next->uc);
		}
	}
}

static void
setup(struct run *run)
{
	size_t n = (size_t)run->workers;

	state = bench_alloc(sizeof *state);
	state->context = bench_alloc(n * sizeof *state->context);
	state->stacks = stacks_map(run->workers, (size_t)run->param[0]);
	for (int i = 0; i < run->workers; i++) {
		struct context *c = &state->context[i];

		if (getcontext(&c->uc) != 0)
			bench_skip("getcontext:");
		c->next = &state->context[(i + 1) % run->workers];
		c->uc.uc_stack.ss_sp = stack_base(&state->stacks, i);
		c->uc.uc_stack.ss_size = stack_size(&state->stacks);
		makecontext(&c->uc, turn, 0);
		starting = c;
		if (swapcontext(&state->driver, &c->uc) != 0)
			bench_skip("swapcontext:");
	}
}

static void
reset(struct run *run)
{
	turns_deal(run, &state->context[0].left, sizeof *state->context);
}

static uint64_t
drive(struct run *run, int member, uint64_t ops)
{
	(void)run, (void)member;
	if (swapcontext(&state->driver, &state->context[0].uc) != 0)
		bench_fail("swapcontext:");
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	turns_count(run, &state->context[0].left, sizeof *state->context,
		tally);
}

#define LACKS NULL

#else
#define LACKS "this C library has no makecontext"
#endif

static const struct bench bench = {
	.name = "Ucontext",
	.group = "switch",
	.unit = "switch",
	.op = "swapcontext",
	.is_not = "free of the kernel: each one sets the signal mask by a "
		"system call",
	.floor = "Syscall/as=mask",
	.parts = "Syscall/as=mask",
	.worker = "context",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 1000000,
	.as = {{.name = "context", .crew = CREW_ONE, .lacks = LACKS}},
	.param = {{.name = "stack", .standard = 8192, .least = 4096,
		.most = 1 << 20, .help = "bytes of stack a context"}},
#if HAVE_UCONTEXT
	.setup = setup,
	.reset = reset,
	.run = drive,
	.count = count,
#endif
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
