/* SPDX-License-Identifier: MIT */
/* Which of many descriptors can be read or written: epoll(7), or poll(2) where
 * there is none. Errors fail the row. */
#ifndef POLLER_H
#define POLLER_H

#include "bench.h"

#include <poll.h>

struct poller;

struct poller *poller_new(void);

/*
 * Tell who, from now on, when fd is ready for events: POLLIN or POLLOUT. No
 * system call when that is what it was told before. 0 forgets the descriptor:
 * call that before closing it.
 */
void poller_want(struct poller *p, int fd, short events, void *who);

/* The next one that is ready; waits until there is one, or for ms at most,
 * when ms is not negative: then NULL. */
void *poller_next(struct poller *p, int ms);

void poller_free(struct poller *p);

#endif
