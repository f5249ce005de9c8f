/* SPDX-License-Identifier: MIT */
#include "poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HAVE_EPOLL
#include <sys/epoll.h>
#endif

#define BATCH 128

struct slot {
	void *who;
	short events;           /* 0: not watched */
};

struct poller {
	struct slot *slot;      /* by descriptor */
	int slots;
	int ready[BATCH];       /* descriptors not yet told of */
	int n, told;
#if HAVE_EPOLL
	int fd;
#else
	struct pollfd *poll;
	int watched, looked;
#endif
};

struct poller *
poller_new(void)
{
	struct poller *p = need(1, sizeof *p);

#if HAVE_EPOLL
	p->fd = epoll_create1(EPOLL_CLOEXEC);
	if (p->fd < 0)
		bench_skip("epoll:");
#endif
	return p;
}

static struct slot *
slot_of(struct poller *p, int fd)
{
	int had = p->slots;

	if (fd >= had) {
		p->slots = fd + 64;
		p->slot = need_more(p->slot, (size_t)p->slots,
			sizeof *p->slot);
		memset(p->slot + had, 0,
			(size_t)(p->slots - had) * sizeof *p->slot);
	}
	return &p->slot[fd];
}

#if HAVE_EPOLL

void
poller_want(struct poller *p, int fd, short events, void *who)
{
	struct slot *s = slot_of(p, fd);
	struct epoll_event e = {.data.fd = fd};
	int op = EPOLL_CTL_MOD;

	s->who = who;
	if (s->events == events)
		return;
	if (events == 0)
		op = EPOLL_CTL_DEL;
	else if (s->events == 0)
		op = EPOLL_CTL_ADD;
	s->events = events;
	e.events = (events & POLLIN ? (uint32_t)EPOLLIN : 0) |
		(events & POLLOUT ? (uint32_t)EPOLLOUT : 0);
	if (epoll_ctl(p->fd, op, fd, &e) != 0)
		bench_fail("epoll_ctl:");
}

static void
look(struct poller *p, int ms)
{
	struct epoll_event e[BATCH];

	do
		p->n = epoll_wait(p->fd, e, BATCH, ms);
	while (p->n < 0 && errno == EINTR);
	if (p->n < 0)
		bench_fail("epoll_wait:");
	for (int i = 0; i < p->n; i++)
		p->ready[i] = e[i].data.fd;
}

#else

void
poller_want(struct poller *p, int fd, short events, void *who)
{
	struct slot *s = slot_of(p, fd);

	s->who = who;
	p->watched += (events != 0) - (s->events != 0);
	s->events = events;
}

static void
look(struct poller *p, int ms)
{
	int n = 0, ready, from = p->looked;

	p->poll = need_more(p->poll, (size_t)p->watched + 1, sizeof *p->poll);
	for (int fd = 0; fd < p->slots; fd++)
		if (p->slot[fd].events != 0)
			p->poll[n++] = (struct pollfd){fd,
				p->slot[fd].events, 0};
	do
		ready = poll(p->poll, (nfds_t)n, ms);
	while (ready < 0 && errno == EINTR);
	if (ready < 0)
		bench_fail("poll:");
	/* Not always from the first on: with many, the last would starve. */
	p->n = 0;
	for (int i = 0; i < n && p->n < BATCH; i++) {
		const struct pollfd *f = &p->poll[(from + i) % n];

		if (f->revents != 0)
			p->ready[p->n++] = f->fd;
		p->looked = (from + i + 1) % n;
	}
}

#endif

void *
poller_next(struct poller *p, int ms)
{
	for (;;) {
		const struct slot *s;

		if (p->told == p->n) {
			look(p, ms);
			p->told = 0;
			if (p->n == 0)
				return NULL;
		}
		/* It may have been forgotten meanwhile. */
		s = slot_of(p, p->ready[p->told++]);
		if (s->events != 0)
			return s->who;
	}
}

void
poller_free(struct poller *p)
{
#if HAVE_EPOLL
	(void)close(p->fd);
#else
	free(p->poll);
#endif
	free(p->slot);
	free(p);
}
