/* SPDX-License-Identifier: MIT */
/*
 * One op is one call of a function that returns a value, which is how a value
 * comes back to a caller at no further cost: the floor under every generator.
 * The function is not inlined and its body is opaque to the compiler.
 *
 *	direct	the compiler knows whom it calls
 *	pointer	through a pointer that it must load, as generators are resumed
 */
#include "generator.h"

struct state {
	uint64_t (*function)(uint64_t);
	struct answer answer;
};

static BENCH_NOINLINE uint64_t
give_back(uint64_t value)
{
	bench_keep(value);
	return value;
}

static void
setup(struct run *run)
{
	struct state *s = bench_alloc(sizeof *s);

	s->function = give_back;
	run->state = s;
}

static uint64_t
direct(uint64_t ops)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < ops; i++)
		sum += give_back(i);
	return sum;
}

static uint64_t
through_pointer(struct state *s, uint64_t ops)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < ops; i++) {
		bench_keep_memory(s->function);
		sum += s->function(i);
	}
	return sum;
}

static uint64_t
call(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;

	(void)member;
	s->answer.sum = run->as == 0 ? direct(ops) : through_pointer(s, ops);
	s->answer.ops = ops;
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	answer_check(&s->answer, tally);
}

static const struct bench bench = {
	.name = "Call",
	.group = "gen",
	.unit = "call",
	.op = "call a function",
	.is_not = "a call that the compiler inlined",
	.floor = "Empty",
	.worker = "caller",
	.work = WORK_TOTAL,
	.footprint = 64,
	.least = 1,
	.most = 1,
	.as = {
		{.name = "direct", .crew = CREW_ONE},
		{.name = "pointer", .crew = CREW_ONE,
			.op = "call through a pointer"},
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
