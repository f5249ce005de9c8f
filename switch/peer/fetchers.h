/* SPDX-License-Identifier: MIT */
/* The workers of fetch: three ways to have so many pages fetched at a time. */
#ifndef FETCHERS_H
#define FETCHERS_H

#include "page.h"
#include "task.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>

enum { AS_THREAD, AS_PROCESS, AS_COROUTINE };   /* as in bench.as */

struct state {
	struct server *server;
	sem_t places;
	_Atomic uint64_t next, fetched;
};

static struct state *state;

static inline void
fetch(uint64_t number)
{
	page_fetch(state->server, number);
	atomic_fetch_add(&state->fetched, 1);
}

static inline void *
fetch_and_leave(void *unused)
{
	(void)unused;
	fetch(atomic_fetch_add(&state->next, 1));
	(void)sem_post(&state->places);
	return NULL;
}

static inline void
enter(void)
{
	while (sem_wait(&state->places) != 0)
		if (errno != EINTR)
			bench_fail("semaphore:");
}

static inline void
by_threads(const struct run *run)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err = pthread_attr_init(&attr);

	if (err == 0)
		err = pthread_attr_setdetachstate(&attr,
			PTHREAD_CREATE_DETACHED);
	for (uint64_t i = 0; i < run->ops && err == 0; i++) {
		enter();
		err = pthread_create(&thread, &attr, fetch_and_leave, NULL);
	}
	if (err != 0)
		bench_skip("thread: %s", strerror(err));
	for (int i = 0; i < run->workers; i++)
		enter();
	(void)pthread_attr_destroy(&attr);
}

static inline void
by_processes(const struct run *run)
{
	uint64_t number;
	pid_t pid;
	int status;

	for (int i = 0; i < run->workers; i++) {
		pid = bench_fork();
		if (pid < 0)
			bench_skip("%d of %d processes:", i, run->workers);
		if (pid > 0)
			continue;
		while ((number = atomic_fetch_add(&state->next, 1)) < run->ops)
			fetch(number);
		_exit(EXIT_OK);
	}
	for (int i = 0; i < run->workers; i++) {
		while ((pid = waitpid(-1, &status, 0)) < 0)
			if (errno != EINTR)
				bench_fail("waitpid:");
		if (pid == state->server->pid)
			bench_fail("the server is gone");
		if (WIFSIGNALED(status))
			bench_fail("a process of the pool was killed by signal "
				"%d", WTERMSIG(status));
		/* It has said why itself. */
		if (WEXITSTATUS(status) == EXIT_SKIPPED)
			bench_skip("a process of the pool");
		if (status != 0)
			bench_fail("a process of the pool");
	}
}

static inline void
task(int i)
{
	struct page page;
	short events;

	task_enter();
	page_begin(&page, state->server, (uint64_t)i, false);
	while ((events = exchange_step(&page.x)) != 0)
		task_wait(page.x.fd, events);
	task_forget(page.x.fd);
	(void)close(page.x.fd);
	state->fetched++;
	task_leave();
}

#endif
