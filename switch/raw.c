/* SPDX-License-Identifier: MIT */
/*
 * A ring of contexts under a hand-written switch: one op is one switch to the
 * next context, registers and floating-point control kept as the ABI demands.
 * The kernel is not entered and cannot see it. It is the floor of every
 * switch that keeps a stack. Left out: creating the contexts, and any
 * scheduler: the next one is known. Stacks are small so that two share a page;
 * --stack 8192 shows what a page each costs in the TLB. Implementation:
 * raw_abi.h, for x86-64, aarch64 and riscv64.
 */
#include "raw_abi.h"
#include "stack.h"

#if HAVE_RAW

struct context {
	_Alignas(64) void *sp;
	uint64_t left;          /* turns left in this sample */
	struct context *next;
	uint64_t strayed;       /* turns that came to the wrong stack */
};

struct state {
	void *driver;           /* the thread's own stack pointer */
	struct stacks stacks;
	struct context *context;
};

static struct state *state;
static struct context *starting;

/*
 * The hot loop. The switch passes on who is next, so that a context need not
 * wait for its own stack's loads to find out; when its turns are used up it
 * gives control back to the driver, and checks that it was itself all along.
 */
static void
turn(void)
{
	struct context *const mine = starting;
	struct context *self = raw_switch(&mine->sp, state->driver, NULL);

	for (;;) {
		while (self->left > 0) {
			struct context *next = self->next;

			self->left--;
			self = raw_switch(&self->sp, next->sp, next);
		}
		mine->strayed += self != mine;
		self = raw_switch(&mine->sp, state->driver, NULL);
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

		c->next = &state->context[(i + 1) % run->workers];
		c->sp = raw_prepare(stack_base(&state->stacks, i),
			stack_size(&state->stacks), turn);
		starting = c;
		(void)raw_switch(&state->driver, c->sp, NULL);
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
	struct context *first = &state->context[0];

	(void)run, (void)member;
	(void)raw_switch(&state->driver, first->sp, first);
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	turns_count(run, &state->context[0].left, sizeof *state->context,
		tally);
	for (int i = 0; i < run->workers; i++)
		if (state->context[i].strayed > 0)
			bench_fail("context %d ran on another's stack", i);
}

#endif

static const struct bench bench = {
	.name = "Raw",
	.group = "switch",
	.unit = "switch",
	.op = "hand-written switch",
	.is_not = "seen by the kernel; a runtime adds its scheduler to this",
	.floor = "Call/as=pointer",
	.worker = "context",
	.work = WORK_TOTAL,
	.footprint = 320,
	.least = 2,
	.most = 1000000,
	.as = {{.name = "context", .crew = CREW_ONE, .lacks = RAW_LACKS}},
	.param = {{.name = "stack", .standard = 2048, .least = 1024,
		.most = 1 << 20, .help = "bytes of stack a context"}},
#if HAVE_RAW
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
