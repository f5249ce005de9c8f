/* SPDX-License-Identifier: MIT */
/*
 * The ready queue of an event loop. Each callback that is to run has a handle,
 * allocated when it is scheduled and freed when it has run, as asyncio's
 * call_soon and gevent's run_callback do; first in, first out.
 */
#ifndef READY_H
#define READY_H

#include "bench.h"

#include <stdlib.h>

struct handle {
	void (*callback)(void *task);
	void *task;
	struct handle *next;
};

/* Zero-initialise. */
struct ready {
	struct handle *first, *last;
};

/* Let callback(task) run after all that were scheduled before. Skips the row
 * when there is no memory. */
static inline void
ready_add(struct ready *r, void (*callback)(void *task), void *task)
{
	struct handle *h = malloc(sizeof *h);

	if (h == NULL)
		bench_skip("a handle of %zu bytes:", sizeof *h);
	*h = (struct handle){callback, task, NULL};
	if (r->last != NULL)
		r->last->next = h;
	else
		r->first = h;
	r->last = h;
}

/* Run the callback that was scheduled first; there must be one. */
static inline void
ready_run(struct ready *r)
{
	struct handle *h = r->first;

	r->first = h->next;
	if (r->first == NULL)
		r->last = NULL;
	h->callback(h->task);
	free(h);
}

/*
 * What tasks did that each add 1 to one counter, turn by turn: turns of task i
 * is stride bytes after that of task i - 1. As they go round, none may have two
 * turns more than another.
 */
static inline void
ready_count(const struct run *run, uint64_t counter, const uint64_t *turns,
	size_t stride, struct tally *tally)
{
	uint64_t each = counter / (uint64_t)run->workers;

	for (int i = 0; i < run->workers; i++) {
		uint64_t n = *(const uint64_t *)(const void *)
			((const char *)turns + (size_t)i * stride);

		if (n != each && n != each + 1)
			bench_fail("task %d had %llu turns of %llu", i,
				(unsigned long long)n,
				(unsigned long long)counter);
		tally->ops += n;
	}
	if (tally->ops != counter)
		bench_fail("wrong answer: %llu turns counted to %llu",
			(unsigned long long)tally->ops,
			(unsigned long long)counter);
	tally->handoffs = run->workers > 1 ? (int64_t)tally->ops : 0;
}

/* Free what is scheduled still. */
static inline void
ready_clear(struct ready *r)
{
	while (r->first != NULL) {
		struct handle *h = r->first;

		r->first = h->next;
		free(h);
	}
	r->last = NULL;
}

#endif
