/* SPDX-License-Identifier: MIT */
/*
 * A lock that its holder keeps until it is asked for it, as CPython's has been
 * since 3.2. Whoever waits for an interval in which nobody took it sets
 * drop_request; the holder looks at that when it likes, and gil_hand_over then
 * does not return before another has had the lock: a release alone would mostly
 * be followed by the same thread's next acquire. This reads a clock, as the
 * original does, for the deadline of a wait.
 */
#ifndef GIL_H
#define GIL_H

#include "bench.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* Elsewhere waits are timed by a clock that can be set. */
#if defined(_POSIX_CLOCK_SELECTION) && _POSIX_CLOCK_SELECTION > 0
#define GIL_CLOCK CLOCK_MONOTONIC
#else
#define GIL_CLOCK CLOCK_REALTIME
#define pthread_condattr_setclock(attr, clock) 0
#endif

struct gil {
	pthread_mutex_t mutex;          /* of all but drop_request */
	pthread_cond_t released, taken;
	int64_t interval;               /* ns */
	uint64_t turns;                 /* times that it was taken */
	bool locked;
	_Alignas(BENCH_LINE) atomic_bool drop_request;
};

/* Returns 0 or an error number. */
static inline int
gil_init(struct gil *g, int64_t interval)
{
	pthread_condattr_t attr;
	int err = pthread_condattr_init(&attr);

	if (err != 0)
		return err;
	err = pthread_condattr_setclock(&attr, GIL_CLOCK);
	if (err == 0)
		err = pthread_cond_init(&g->released, &attr);
	if (err == 0)
		err = pthread_cond_init(&g->taken, NULL);
	if (err == 0)
		err = pthread_mutex_init(&g->mutex, NULL);
	(void)pthread_condattr_destroy(&attr);
	g->interval = interval;
	return err;
}

static inline void
gil_destroy(struct gil *g)
{
	(void)pthread_cond_destroy(&g->released);
	(void)pthread_cond_destroy(&g->taken);
	(void)pthread_mutex_destroy(&g->mutex);
}

static inline bool
gil_requested(struct gil *g)
{
	return atomic_load_explicit(&g->drop_request, memory_order_relaxed);
}

static inline void
gil_request(struct gil *g, bool drop)
{
	atomic_store_explicit(&g->drop_request, drop, memory_order_relaxed);
}

static inline struct timespec
gil_deadline(const struct gil *g)
{
	struct timespec t = {0};
	int64_t ns;

	(void)clock_gettime(GIL_CLOCK, &t);
	ns = t.tv_nsec + g->interval;
	t.tv_sec += (time_t)(ns / 1000000000);
	t.tv_nsec = (long)(ns % 1000000000);
	return t;
}

/* With the mutex held: wait until the lock is free and take it. */
static inline void
gil_get(struct gil *g)
{
	while (g->locked) {
		uint64_t seen = g->turns;
		struct timespec t = gil_deadline(g);
		int err = pthread_cond_timedwait(&g->released, &g->mutex, &t);

		if (err == ETIMEDOUT && g->locked && g->turns == seen)
			gil_request(g, true);
	}
	g->locked = true;
	g->turns++;
	gil_request(g, false);
	pthread_cond_broadcast(&g->taken);
}

static inline void
gil_take(struct gil *g)
{
	pthread_mutex_lock(&g->mutex);
	gil_get(g);
	pthread_mutex_unlock(&g->mutex);
}

static inline void
gil_release(struct gil *g)
{
	pthread_mutex_lock(&g->mutex);
	g->locked = false;
	pthread_cond_signal(&g->released);
	pthread_mutex_unlock(&g->mutex);
}

/* By the holder, when it was requested. Whoever did that waits still, since
 * only taking the lock ends its wait: so this does return. */
static BENCH_NOINLINE void
gil_hand_over(struct gil *g)
{
	uint64_t turn;

	pthread_mutex_lock(&g->mutex);
	turn = g->turns;
	g->locked = false;
	pthread_cond_signal(&g->released);
	while (g->turns == turn)
		pthread_cond_wait(&g->taken, &g->mutex);
	gil_get(g);
	pthread_mutex_unlock(&g->mutex);
}

#endif
