/* SPDX-License-Identifier: MIT */
/* The workers of rows that share one thread; the others just step. */
#ifndef LOADERS_H
#define LOADERS_H

#include "loader.h"
#include "task.h"

enum { AS_THREAD, AS_PROCESS, AS_GREENLET, AS_CALLBACK };       /* bench.as */

struct state {
	const struct peer *peer;
	uint64_t batch, work;
	struct loader loader[];
};

static struct state *state;

static inline short
step(struct loader *l)
{
	return loader_step(l, state->peer, state->batch, state->work);
}

static inline void
task(int i)
{
	struct loader *l = &state->loader[i];
	short events;

	while ((events = step(l)) != 0)
		task_wait(l->x.fd, events);
	task_forget(l->x.fd);
}

static inline void
callbacks(struct run *run)
{
	struct poller *poller = poller_new();
	struct loader *l = state->loader;

	for (int left = run->workers, started = 0; left > 0;) {
		short events;

		l = started < run->workers ? &state->loader[started++] :
			poller_next(poller, -1);
		events = step(l);
		poller_want(poller, l->x.fd, events, l);
		left -= events == 0;
	}
	poller_free(poller);
}

#endif
