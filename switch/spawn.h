/* SPDX-License-Identifier: MIT */
/*
 * Create one thing that can run, let it run once, be rid of it. Each child
 * leaves a mark: it adds 1 to *ran, or, being a process, which cannot, exits
 * with a status that its parent expects and adds 1 for. A child that cannot be
 * had skips the row.
 */
#ifndef SPAWN_H
#define SPAWN_H

#include "stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void *
thread_main(void *ran)
{
	++*(uint64_t *)ran;
	return NULL;
}

static inline void
spawn_thread(uint64_t *ran)
{
	pthread_t thread;
	int err = pthread_create(&thread, NULL, thread_main, ran);

	if (err != 0)
		bench_skip("thread: %s", strerror(err));
	err = pthread_join(thread, NULL);
	if (err != 0)
		bench_fail("pthread_join: %s", strerror(err));
}

static inline void
spawn_process(uint64_t *ran)
{
	int status, mark = (int)(*ran % 100) + 1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(mark);
	if (pid < 0)
		bench_skip("fork:");
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			bench_fail("waitpid:");
	*ran += WIFEXITED(status) && WEXITSTATUS(status) == mark;
}

struct frame {
	void (*resume)(struct frame *);
	uint64_t *ran;
};

static inline void
generator_main(struct frame *f)
{
	++*f->ran;
}

static inline void
spawn_generator(uint64_t *ran)
{
	struct frame *f = malloc(sizeof *f);

	if (f == NULL)
		bench_skip("%zu bytes:", sizeof *f);
	*f = (struct frame){generator_main, ran};
	bench_keep(f);          /* or there would be neither frame nor call */
	f->resume(f);
	free(f);
}

#if HAVE_UCONTEXT

#include <ucontext.h>

#define CONTEXT_LACKS NULL

static ucontext_t context_parent, context_child;
static uint64_t *context_ran;   /* makecontext passes no pointers */

static inline void
context_main(void)
{
	++*context_ran;
}

/* On stack 0. It goes back to its parent as its function returns. */
static inline void
spawn_context(uint64_t *ran, const struct stacks *s)
{
	context_ran = ran;
	getcontext(&context_child);
	context_child.uc_stack.ss_sp = stack_base(s, 0);
	context_child.uc_stack.ss_size = stack_size(s);
	context_child.uc_link = &context_parent;
	makecontext(&context_child, context_main, 0);
	swapcontext(&context_parent, &context_child);
}

#else

#define CONTEXT_LACKS "this C library has no makecontext"

static inline void
spawn_context(uint64_t *ran, const struct stacks *s)
{
	(void)ran, (void)s;
}

#endif
#endif
