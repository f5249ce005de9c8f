/* SPDX-License-Identifier: MIT */
/*
 * A request and its reply on one socket, as a step that goes on as far as the
 * socket allows: in a worker of its own the socket blocks and one step does it
 * all; on an event loop each step says what to wait for.
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "bench.h"

#include <sys/socket.h>

struct exchange {
	int fd;
	const char *out;        /* what is left to send */
	size_t left;
	/*
	 * Takes n bytes of the reply; true when it is complete. Fails the row
	 * when they are wrong.
	 */
	bool (*take)(struct exchange *x, const char *s, size_t n);
};

/* A socket on its way to the address, or connected, if it blocks; -1, with
 * errno, when nothing there answers. Skips the row, with the reason, where the
 * system has no more sockets. */
int exchange_open(const struct sockaddr *address, socklen_t length,
	bool blocking);

/* A socket on its way to 127.0.0.1:port. Skips the row, with the reason, where
 * the system has no more of them. */
int exchange_connect(int port, bool blocking);

/* Make a socket of an event loop's of one that blocked. */
void exchange_unblock(int fd);

/* Send what is left of it. 0 when all of it went, else POLLOUT. */
short exchange_send(struct exchange *x);

/* The same, then the reply: 0 when that is complete, else what to wait for,
 * POLLIN or POLLOUT. Fails the row when the peer is gone. */
short exchange_step(struct exchange *x);

/* End the row for what errno says: what the system has no more of skips it,
 * anything else fails it. */
_Noreturn void exchange_lost(const char *what);

#endif
