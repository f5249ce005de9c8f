/* SPDX-License-Identifier: MIT */
/*
 * A value that comes back the interpreter's way. A generator's frame is
 * allocated when it is called; it is resumed through a pointer and finishes by
 * raising: it allocates a StopIteration object that carries the value and
 * returns NULL. The caller matches the exception by type, unwraps the value,
 * and frees both objects. One op is one such return and the next generator's
 * call. No byte code is interpreted: this is the floor of that protocol, not
 * the cost of an interpreter.
 */
#include "object.h"

struct state {
	struct answer answer;
	struct frame *slot[];
};

static BENCH_NOINLINE struct object *
give_back(struct frame *f)
{
	struct object *stop = allocate(sizeof *stop);

	f->at = 1;
	stop->type = &stop_iteration;
	stop->value = f->argument;
	raised = stop;
	return NULL;
}

static BENCH_NOINLINE struct frame *
call(uint64_t argument)
{
	struct frame *f = allocate(sizeof *f);

	*f = (struct frame){&generator, give_back, argument, 0};
	return f;
}

/* The value of a generator that returned, as `yield from` takes it. */
static BENCH_NOINLINE uint64_t
take(struct frame *f)
{
	struct object *yielded = f->resume(f), *stop = raised;
	uint64_t value = 0;

	if (yielded == NULL && matches(stop, &stop_iteration)) {
		value = stop->value;
		raised = NULL;
		free(stop);
	}
	free(f);
	return value;
}

static void
setup(struct run *run)
{
	struct state *s;

	s = bench_alloc(sizeof *s + (size_t)run->workers * sizeof s->slot[0]);
	for (int i = 0; i < run->workers; i++)
		s->slot[i] = call(0);
	run->state = s;
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	for (int i = 0; i < run->workers; i++)
		s->slot[i]->argument = (uint64_t)i;
}

static uint64_t
resume(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	struct frame **f = s->slot, **end = s->slot + run->workers;
	uint64_t alive = (uint64_t)run->workers, sum = 0;

	(void)member;
	for (uint64_t i = 0; i < ops; i++) {
		sum += take(*f);
		*f = call(i + alive);
		if (++f == end)
			f = s->slot;
	}
	s->answer = (struct answer){ops, sum};
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	answer_check(&s->answer, tally);
}

static void
teardown(struct run *run)
{
	struct state *s = run->state;

	for (int i = 0; i < run->workers; i++)
		free(s->slot[i]);
}

static const struct bench bench = {
	.name = "StopIteration",
	.group = "gen",
	.unit = "return",
	.op = "resume; raises value",
	.is_not = "an interpreter: the protocol alone, two allocations and a "
		"type match",
	.floor = "Call/as=pointer",
	.worker = "generator",
	.work = WORK_TOTAL,
	.footprint = 192,
	.least = 1,
	.most = 1000000,
	.as = {{.name = "generator", .crew = CREW_ONE}},
	.setup = setup,
	.reset = reset,
	.run = resume,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
