/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

_Noreturn void
exchange_lost(const char *what)
{
	struct rlimit r;

	switch (errno) {
	case EMFILE:
		if (getrlimit(RLIMIT_NOFILE, &r) == 0)
			bench_skip("%s: %s (ulimit -n is %llu)", what,
				strerror(EMFILE),
				(unsigned long long)r.rlim_cur);
		/* FALLTHROUGH */
	case ENFILE: case ENOBUFS: case ENOMEM: case EADDRNOTAVAIL:
	case ENETUNREACH: case ENETDOWN: case EAFNOSUPPORT: case EACCES:
	case EPERM:
		bench_skip("%s:", what);
	case ECONNREFUSED: case ECONNRESET: case EPIPE:
		bench_fail("%s: the server is gone (%s)", what,
			strerror(errno));
	default:
		bench_fail("%s:", what);
	}
}

void
exchange_unblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
		exchange_lost("socket");
}

int
exchange_open(const struct sockaddr *address, socklen_t length, bool blocking)
{
	/* Nobody waits minutes for an address that swallows packets. */
	struct timeval patience = {30, 0};
	int one = 1, fd = socket(address->sa_family, SOCK_STREAM, 0);

	if (fd < 0)
		exchange_lost("socket");
	if (!blocking)
		exchange_unblock(fd);
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience,
		sizeof patience);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	while (connect(fd, address, length) != 0 && errno != EISCONN) {
		if (errno == EINPROGRESS && !blocking)
			break;
		if (errno == EINTR || errno == EALREADY)
			continue;
		if (errno == EINPROGRESS)
			errno = ETIMEDOUT;
		return -1;
	}
	return fd;
}

int
exchange_connect(int port, bool blocking)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = exchange_open((struct sockaddr *)&a, sizeof a, blocking);

	if (fd < 0)
		exchange_lost("connect");
	return fd;
}

short
exchange_send(struct exchange *x)
{
	while (x->left > 0) {
		ssize_t n = send(x->fd, x->out, x->left, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		/* Not connected yet is ENOTCONN on some systems. */
		if (n < 0 && (errno == EAGAIN || errno == ENOTCONN))
			return POLLOUT;
		if (n < 0)
			exchange_lost("send");
		x->out += n;
		x->left -= (size_t)n;
	}
	return 0;
}

short
exchange_step(struct exchange *x)
{
	char s[8192];

	if (exchange_send(x) != 0)
		return POLLOUT;
	for (;;) {
		ssize_t n = recv(x->fd, s, sizeof s, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return POLLIN;
		if (n < 0)
			exchange_lost("recv");
		if (n == 0)
			bench_fail("the server hung up");
		if (x->take(x, s, (size_t)n))
			return 0;
	}
}
