/* SPDX-License-Identifier: MIT */
#include "server.h"
#include "poller.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if HAVE_EPOLL
#include <sys/timerfd.h>
#endif

#define NS 1000000000
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* A client, as the server sees it. */
struct client {
	int fd;
	bool known;             /* its token was right */
	struct hello hello;
	size_t got;             /* bytes of what is being read */
	uint64_t load, rows;    /* rows of the load, and yet to come */
	char buffer[64 * ROW_BYTES];    /* of a load, or the page */
	const char *out;        /* what is being sent, and how much is left */
	size_t left;
	int64_t asked;          /* when it was, in ns */
	struct client *next;    /* in the order in which answers are due */
};

static struct server *server;
static struct poller *poller;
static int listener, timer = -1;
static bool listening;
static struct client *due, *due_last;

static int64_t
now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS + t.tv_nsec;
}

/* Wake up when the first answer is due. All wait equally long, so that is the
 * one that was asked for first. poll(2) would round to milliseconds. */
static void
set_timer(void)
{
#if HAVE_EPOLL
	int64_t at = due->asked + server->delay;
	struct itimerspec t = {.it_value = {(time_t)(at / NS),
		(long)(at % NS)}};

	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &t, NULL) != 0)
		bench_fail("timerfd:");
#endif
}

/* How long poll may wait where there is no such timer, in ms, rounded up. */
static int
patience(void)
{
	int64_t left;

	if (timer >= 0 || due == NULL)
		return -1;
	left = due->asked + server->delay - now();
	return left <= 0 ? 0 : (int)((left + 999999) / 1000000);
}

static void
hang_up(struct client *c)
{
	poller_want(poller, c->fd, 0, NULL);
	(void)close(c->fd);
	free(c);
	/* One that could not be accepted now can. */
	if (!listening)
		poller_want(poller, listener, POLLIN, &listener);
	listening = true;
}

/* Send what is left; what the socket does not take waits until it does. */
static void
send_on(struct client *c)
{
	while (c->left > 0) {
		ssize_t n = send(c->fd, c->out, c->left, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			poller_want(poller, c->fd, POLLOUT, c);
			return;
		}
		if (n < 0) {
			hang_up(c);
			return;
		}
		c->out += n;
		c->left -= (size_t)n;
	}
	if (c->hello.kind == KIND_PAGE)
		hang_up(c);
	else
		poller_want(poller, c->fd, POLLIN, c);
}

static void
answer(struct client *c)
{
	atomic_fetch_add(&server->answers, 1);
	atomic_fetch_add(&server->waited, now() - c->asked);
	c->out = c->buffer;
	if (c->hello.kind == KIND_PAGE) {
		c->left = PAGE_BYTES;
		for (size_t i = 0; i < PAGE_BYTES; i++)
			c->buffer[i] = page_byte(c->hello.page, i);
	} else {
		c->left = sizeof c->load;
		memcpy(c->buffer, &c->load, sizeof c->load);
	}
	send_on(c);
}

static void
answer_later(struct client *c)
{
	c->asked = now();
	if (server->delay == 0) {
		answer(c);
		return;
	}
	/* It may hang up meanwhile: we find out as we answer. */
	poller_want(poller, c->fd, 0, NULL);
	c->next = NULL;
	if (due == NULL)
		due = c;
	else
		due_last->next = c;
	due_last = c;
	if (due == c)
		set_timer();
}

static void
answer_due(void)
{
	int64_t until = now() - server->delay;

	while (due != NULL && due->asked <= until) {
		struct client *c = due;

		due = c->next;
		answer(c);
	}
	if (due != NULL)
		set_timer();
}

/* Read into what is to have size bytes. Returns 1 when it has them, 0 when not
 * yet, -1 when the client is gone or sends what it must not. */
static int
read_on(struct client *c, void *to, size_t size)
{
	while (c->got < size) {
		ssize_t n = recv(c->fd, (char *)to + c->got, size - c->got, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0)
			return -1;
		c->got += (size_t)n;
	}
	c->got = 0;
	return 1;
}

static int
read_rows(struct client *c)
{
	while (c->rows > 0) {
		uint64_t most = sizeof c->buffer / ROW_BYTES;
		uint64_t n = c->rows < most ? c->rows : most;
		uint64_t sum = 0;
		int got = read_on(c, c->buffer, (size_t)n * ROW_BYTES);

		if (got <= 0)
			return got;
		for (size_t i = 0; i < n; i++) {
			struct loaded row;

			memcpy(&row, c->buffer + i * ROW_BYTES, ROW_BYTES);
			sum += row.id;
		}
		atomic_fetch_add(&server->rows, n);
		atomic_fetch_add(&server->ids, sum);
		c->rows -= n;
	}
	return 1;
}

static void
serve(struct client *c)
{
	int got = 1;

	if (c->left > 0) {
		send_on(c);
		return;
	}
	if (!c->known) {
		got = read_on(c, &c->hello, sizeof c->hello);
		if (got > 0 && memcmp(c->hello.token, server->token,
		    TOKEN_BYTES) != 0)
			got = -1;
		c->known = got > 0;
		if (got > 0 && c->hello.kind == KIND_PAGE) {
			answer_later(c);
			return;
		}
	}
	if (got > 0 && c->rows == 0) {
		got = read_on(c, &c->load, sizeof c->load);
		c->rows = got > 0 ? c->load : 0;
	}
	if (got > 0)
		got = read_rows(c);
	if (got < 0)
		hang_up(c);
	else if (got > 0)
		answer_later(c);
}

static void
accept_all(void)
{
	for (;;) {
		struct client *c;
		int one = 1, fd = accept(listener, NULL, NULL);

		if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
			/* They wait in the backlog until one hangs up. */
			server->lacks = errno;
			poller_want(poller, listener, 0, NULL);
			listening = false;
			return;
		}
		if (fd < 0)
			return;
		(void)fcntl(fd, F_SETFL, O_NONBLOCK);
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one,
			sizeof one);
		c = need(1, sizeof *c);
		c->fd = fd;
		poller_want(poller, fd, POLLIN, c);
		serve(c);
	}
}

static _Noreturn void
run_server(int lifeline)
{
	poller = poller_new();
	poller_want(poller, listener, POLLIN, &listener);
	poller_want(poller, lifeline, POLLIN, &server);
	listening = true;
#if HAVE_EPOLL
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer >= 0)
		poller_want(poller, timer, POLLIN, &timer);
#endif
	for (;;) {
		void *who = poller_next(poller, patience());
		uint64_t times;

		if (who == &server)
			_exit(EXIT_OK);
		if (who == &listener)
			accept_all();
		else if (who == NULL)
			answer_due();
		else if (who != &timer)
			serve(who);
		else if (read(timer, &times, sizeof times) > 0)
			answer_due();
	}
}

static void
open_listener(int backlog)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof a;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&a, sizeof a) != 0 ||
	    listen(listener, backlog) != 0 ||
	    getsockname(listener, (struct sockaddr *)&a, &len) != 0)
		bench_skip("a server on 127.0.0.1:");
	if (fcntl(listener, F_SETFL, O_NONBLOCK) != 0)
		bench_fail("a server on 127.0.0.1:");
	server->port = ntohs(a.sin_port);
}

static void
make_token(void)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, server->token, TOKEN_BYTES) != TOKEN_BYTES)
		bench_skip("/dev/urandom:");
	(void)close(fd);
}

struct server *
server_start(int64_t delay, int backlog)
{
	int ends[2];
	pid_t pid;

	server = bench_alloc(sizeof *server);
	server->delay = delay;
	make_token();
	open_listener(backlog);
	if (pipe(ends) != 0)
		bench_skip("pipe:");
	pid = bench_fork();
	if (pid < 0)
		bench_skip("a process for the server:");
	if (pid == 0) {
		(void)close(ends[1]);
		run_server(ends[0]);
	}
	(void)close(ends[0]);
	(void)close(listener);
	server->pid = pid;
	server->alive = ends[1];
	return server;
}

void
server_reset(struct server *s)
{
	s->answers = s->rows = s->ids = 0;
	s->waited = 0;
}

void
server_check(const struct server *s, uint64_t answers)
{
	if (s->lacks != 0)
		bench_skip("the server's side: %s", strerror(s->lacks));
	if (s->answers != answers)
		bench_fail("the server gave %llu answers of %llu",
			(unsigned long long)s->answers,
			(unsigned long long)answers);
}

void
server_stop(struct server *s)
{
	int status;

	(void)close(s->alive);
	if (waitpid(s->pid, &status, 0) != s->pid || status != 0)
		bench_fail("the server did not end well");
}
