/* SPDX-License-Identifier: MIT */
/* Rows go to the server that the program forks. */
#include "loader.h"
#include "server.h"

#include <string.h>

static struct server *server;

static void
setup(const struct run *run)
{
	server = server_start(run->param[3], run->workers + 16);
}

static bool
nothing(struct exchange *x, const char *s, size_t n)
{
	(void)x, (void)s, (void)n;
	return true;
}

static int
connect_loader(const struct run *run)
{
	struct hello hello = {.kind = KIND_ROWS};
	struct exchange x = {exchange_connect(server->port, true),
		(const char *)&hello, sizeof hello, nothing};

	(void)run;
	memcpy(hello.token, server->token, TOKEN_BYTES);
	exchange_send(&x);
	return x.fd;
}

static size_t
room(uint64_t rows)
{
	return sizeof(struct load) + (size_t)rows * ROW_BYTES;
}

static size_t
request(char *message, uint64_t first, uint64_t n)
{
	struct load load = {n};
	struct loaded row = {.filler = "a row"};

	memcpy(message, &load, sizeof load);
	for (uint64_t i = 0; i < n; i++) {
		row.id = first + i;
		memcpy(message + sizeof load + i * sizeof row, &row,
			sizeof row);
	}
	return room(n);
}

static bool
take(struct exchange *x, const char *s, size_t n)
{
	struct loader *l = (struct loader *)x;
	uint64_t rows;

	if (n > sizeof rows - l->keeps)
		bench_fail("the server says more than was asked");
	memcpy(l->kept + l->keeps, s, n);
	l->keeps += n;
	if (l->keeps < sizeof rows)
		return false;
	memcpy(&rows, l->kept, sizeof rows);
	l->keeps = 0;
	if (rows != l->asked)
		bench_fail("the server took %llu rows of %llu",
			(unsigned long long)rows,
			(unsigned long long)l->asked);
	return true;
}

static void
reset(void)
{
	server_reset(server);
}

static void
read_back(uint64_t *rows, uint64_t *ids)
{
	server_check(server, server->answers);
	*rows = server->rows;
	*ids = server->ids;
}

static void
teardown(void)
{
	server_stop(server);
}

const struct peer peer_server = {
	.setup = setup,
	.connect = connect_loader,
	.room = room,
	.request = request,
	.take = take,
	.reset = reset,
	.read_back = read_back,
	.teardown = teardown,
};
