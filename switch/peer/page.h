/* SPDX-License-Identifier: MIT */
/* Fetching one page from the server, every byte of it checked. */
#ifndef PAGE_H
#define PAGE_H

#include "exchange.h"
#include "server.h"

#include <string.h>
#include <unistd.h>

struct page {
	struct exchange x;      /* first: a page is found by it */
	struct hello hello;
	size_t got;
};

static inline bool
page_take(struct exchange *x, const char *s, size_t n)
{
	struct page *page = (struct page *)x;
	uint64_t number = page->hello.page;

	for (size_t i = 0; i < n; i++, page->got++)
		if (page->got == PAGE_BYTES ||
		    s[i] != page_byte(number, page->got))
			bench_fail("page %llu: byte %zu is wrong",
				(unsigned long long)number, page->got);
	return page->got == PAGE_BYTES;
}

/* Then exchange_step(&page->x) until it returns 0, then close page->x.fd. */
static inline void
page_begin(struct page *page, const struct server *server, uint64_t number,
	bool blocking)
{
	page->got = 0;
	page->hello = (struct hello){.kind = KIND_PAGE, .page = number};
	memcpy(page->hello.token, server->token, TOKEN_BYTES);
	page->x = (struct exchange){exchange_connect(server->port, blocking),
		(const char *)&page->hello, sizeof page->hello, page_take};
}

/* All of it, by a worker that can block. */
static inline void
page_fetch(const struct server *server, uint64_t number)
{
	struct page page;

	page_begin(&page, server, number, true);
	while (exchange_step(&page.x) != 0)
		;
	(void)close(page.x.fd);
}

#endif
