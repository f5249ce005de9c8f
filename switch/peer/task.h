/* SPDX-License-Identifier: MIT */
/*
 * Tasks with stacks of their own on one event loop, as greenlets are: each runs
 * until it has to wait, for a descriptor or for a place, and the loop goes on
 * with whoever need not.
 */
#ifndef TASK_H
#define TASK_H

#include "poller.h"
#include "../stack.h"

#if HAVE_UCONTEXT

#include <ucontext.h>

#define TASK_LACKS NULL
#define TASK_STACK 32768

struct task {
	ucontext_t uc;
	struct task *next;      /* in the queue that it waits in */
};

struct queue {
	struct task *first, *last;
};

struct tasks {
	ucontext_t loop;
	struct task *task, *current;
	int n, left;            /* in all, and not yet at their end */
	struct queue ready, waiting;    /* to run, for a place */
	int places;             /* that are free */
	struct poller *poller;
	struct stacks stacks;
	void (*body)(int i);
};

static struct tasks tasks;

static inline void
queue_add(struct queue *q, struct task *t)
{
	t->next = NULL;
	if (q->first == NULL)
		q->first = t;
	else
		q->last->next = t;
	q->last = t;
}

static inline struct task *
queue_take(struct queue *q)
{
	struct task *t = q->first;

	q->first = t->next;
	return t;
}

static inline void
task_yield(void)
{
	swapcontext(&tasks.current->uc, &tasks.loop);
}

/* Wait until fd is ready for events, POLLIN or POLLOUT. */
static inline void
task_wait(int fd, short events)
{
	poller_want(tasks.poller, fd, events, tasks.current);
	task_yield();
}

/* Call before closing what was waited for. */
static inline void
task_forget(int fd)
{
	poller_want(tasks.poller, fd, 0, NULL);
}

/* Take one of the places, or wait until another task leaves one. */
static inline void
task_enter(void)
{
	if (tasks.places > 0) {
		tasks.places--;
		return;
	}
	queue_add(&tasks.waiting, tasks.current);
	task_yield();
}

static inline void
task_leave(void)
{
	if (tasks.waiting.first != NULL)
		queue_add(&tasks.ready, queue_take(&tasks.waiting));
	else
		tasks.places++;
}

static inline void
task_main(void)
{
	tasks.body((int)(tasks.current - tasks.task));
	tasks.left--;
	task_yield();
}

/* Call from setup: memory for n tasks. */
static inline void
tasks_setup(int n)
{
	tasks.n = n;
	tasks.task = bench_alloc((size_t)n * sizeof *tasks.task);
	tasks.stacks = stacks_map(n, TASK_STACK);
}

/* Make a task of body for each number below n and run them to their ends, of
 * those that call task_enter so many at a time as there are places. */
static inline void
tasks_run(int places, void (*body)(int i))
{
	tasks.left = tasks.n;
	tasks.places = places;
	tasks.poller = poller_new();
	tasks.body = body;
	for (int i = 0; i < tasks.n; i++) {
		struct task *t = &tasks.task[i];

		if (getcontext(&t->uc) != 0)
			bench_skip("getcontext:");
		t->uc.uc_stack.ss_sp = stack_base(&tasks.stacks, i);
		t->uc.uc_stack.ss_size = stack_size(&tasks.stacks);
		makecontext(&t->uc, task_main, 0);
		queue_add(&tasks.ready, t);
	}
	while (tasks.left > 0) {
		tasks.current = tasks.ready.first != NULL ?
			queue_take(&tasks.ready) :
			poller_next(tasks.poller, -1);
		swapcontext(&tasks.loop, &tasks.current->uc);
	}
	poller_free(tasks.poller);
}

#else

#define TASK_LACKS "this C library has no makecontext"

static inline void
task_wait(int fd, short events)
{
	(void)fd, (void)events;
}

static inline void
task_forget(int fd)
{
	(void)fd;
}

static inline void
task_enter(void)
{
}

static inline void
task_leave(void)
{
}

static inline void
tasks_setup(int n)
{
	(void)n;
}

static inline void
tasks_run(int places, void (*body)(int i))
{
	(void)places, (void)body;
}

#endif
#endif
