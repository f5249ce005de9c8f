/* SPDX-License-Identifier: MIT */
/*
 * A token goes round a ring of condition variables. Under one mutex each
 * worker waits on a condition variable of its own until the token is its own,
 * passes it on and signals its neighbour. One op is one pass: every op is a
 * hand-off, and a kernel switch wherever the receiver was asleep. The signal
 * comes while the mutex is held, as it does in most programs: a neighbour that
 * wakes before the unlock goes to sleep again, on the mutex, and the kernel
 * counts more switches than ops. Left out: creating the workers.
 * Implementation: the C library's, made process-shared for processes.
 */
#include "bench.h"

#include <pthread.h>
#include <string.h>

struct state {
	_Alignas(BENCH_LINE) pthread_mutex_t lock;
	uint64_t token;                 /* passes so far; the lock's */
	struct {
		_Alignas(BENCH_LINE) pthread_cond_t mine;
	} slot[];
};

static void
setup(struct run *run)
{
	int sharing = run->processes ? PTHREAD_PROCESS_SHARED :
		PTHREAD_PROCESS_PRIVATE;
	struct state *s = bench_alloc(sizeof *s +
		(size_t)run->members * sizeof s->slot[0]);
	pthread_mutexattr_t attr;
	pthread_condattr_t cond_attr;
	int err = pthread_mutexattr_init(&attr);

	if (err == 0)
		err = pthread_mutexattr_setpshared(&attr, sharing);
	if (err == 0)
		err = pthread_mutex_init(&s->lock, &attr);
	if (err == 0)
		err = pthread_condattr_init(&cond_attr);
	if (err == 0)
		err = pthread_condattr_setpshared(&cond_attr, sharing);
	for (int i = 0; err == 0 && i < run->members; i++)
		err = pthread_cond_init(&s->slot[i].mine, &cond_attr);
	if (err != 0)
		bench_skip("condition variable: %s", strerror(err));
	(void)pthread_mutexattr_destroy(&attr);
	(void)pthread_condattr_destroy(&cond_attr);
	run->state = s;
}

static void
reset(struct run *run)
{
	struct state *s = run->state;

	s->token = 0;
}

static uint64_t
pass(struct run *run, int member, uint64_t ops)
{
	struct state *s = run->state;
	pthread_cond_t *self = &s->slot[member].mine;
	pthread_cond_t *next = &s->slot[(member + 1) % run->members].mine;
	/* The token counts passes; it comes by once a lap. */
	uint64_t token = (uint64_t)member;

	for (uint64_t i = ops; i > 0; i--) {
		pthread_mutex_lock(&s->lock);
		while (s->token != token)
			pthread_cond_wait(self, &s->lock);
		s->token++;
		pthread_cond_signal(next);
		pthread_mutex_unlock(&s->lock);
		token += (uint64_t)run->members;
	}
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	const struct state *s = run->state;

	tally->ops = s->token;
	tally->handoffs = (int64_t)tally->ops;
}

static void
teardown(struct run *run)
{
	struct state *s = run->state;

	for (int i = 0; i < run->members; i++)
		(void)pthread_cond_destroy(&s->slot[i].mine);
	(void)pthread_mutex_destroy(&s->lock);
}

static const struct bench bench = {
	.name = "Condvar",
	.group = "switch",
	.unit = "handoff",
	.op = "signal next, wait",
	.is_not = "a lock: every op hands over; over 1 kernel switch an op is "
		"a waker's mutex in the way",
	.floor = "Futex",
	.worker = "worker",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.setup = setup,
	.reset = reset,
	.run = pass,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
