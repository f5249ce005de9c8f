/* SPDX-License-Identifier: MIT */
/*
 * One op is: lock a mutex, add 1 to a counter, unlock. This is what the usual
 * "thread switch" benchmark does, and it is an acquire, not a switch: a worker
 * that unlocks runs on and locks again, mostly without meeting anyone. A
 * hand-off, counted inside the lock, is an acquire whose previous owner was
 * another worker. Left out: creating the workers. With -n the workers share a
 * fixed total, which is the published form of this test; then watch overlap.
 * Implementation: the C library's default pthread mutex, made process-shared
 * for processes.
 */
#include "bench.h"

#include <pthread.h>
#include <string.h>

struct state {
	_Alignas(BENCH_LINE) pthread_mutex_t lock;
	_Alignas(BENCH_LINE) uint64_t counter;  /* these three are the lock's */
	int64_t handoffs;
	int owner;
};

static void
setup(struct run *run)
{
	struct state *s = bench_alloc(sizeof *s);
	pthread_mutexattr_t attr;
	int err = pthread_mutexattr_init(&attr);

	if (err == 0 && run->processes)
		err = pthread_mutexattr_setpshared(&attr,
			PTHREAD_PROCESS_SHARED);
	if (err == 0)
		err = pthread_mutex_init(&s->lock, &attr);
	if (err != 0)
		bench_skip("mutex: %s", strerror(err));
	(void)pthread_mutexattr_destroy(&attr);
	run->state = s;
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	s->counter = 0;
	s->handoffs = 0;
	s->owner = -1;
}

static uint64_t
add(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	uint64_t left = ops;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			pthread_mutex_lock(&s->lock);
			if (s->owner != member) {
				s->owner = member;
				s->handoffs++;
			}
			s->counter++;
			pthread_mutex_unlock(&s->lock);
		}
	}
	return ops - left;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->ops = s->counter;
	tally->handoffs = s->handoffs - 1;      /* the first owner had none */
}

static void
teardown(struct run *run)
{
	struct state *s = run->state;

	(void)pthread_mutex_destroy(&s->lock);
}

static const struct bench bench = {
	.name = "Mutex",
	.group = "switch",
	.unit = "acquire",
	.op = "lock, add 1, unlock",
	.is_not = "a switch: one worker acquires many times in a row; see "
		"handoffs/op",
	.floor = "Atomic",
	.worker = "worker",
	.work = WORK_CONTEND,
	.footprint = 256,
	.least = 1,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.setup = setup,
	.reset = reset,
	.run = add,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
