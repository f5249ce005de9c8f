/* SPDX-License-Identifier: MIT */
/*
 * The peer of fetch and rows: a process that this program forks, which answers
 * on a port of 127.0.0.1 and ends with it. It knows its clients by a random
 * token that comes first on each connection; strangers are hung up on.
 *
 *	client	token, kind, then one page number, or row after row
 *	server	after its delay, the page; or the number of rows it took
 */
#ifndef SERVER_H
#define SERVER_H

#include "bench.h"

#define TOKEN_BYTES 16
#define PAGE_BYTES 4096
#define ROW_BYTES 64

enum kind { KIND_PAGE = 1, KIND_ROWS };

/* What comes first on a connection. */
struct hello {
	char token[TOKEN_BYTES];
	uint64_t kind;
	uint64_t page;          /* KIND_PAGE: which; the server hangs up when
	                         * it has sent it */
};

/* KIND_ROWS: n rows follow; they are answered with n. */
struct load {
	uint64_t n;
};

struct loaded {
	uint64_t id;
	char filler[ROW_BYTES - 8];
};

/* Lies in memory that server and clients share. */
struct server {
	char token[TOKEN_BYTES];
	int port;
	int64_t delay;          /* ns, asked for */
	pid_t pid;
	int alive;              /* our end of a pipe: the server ends when it
	                         * closes */
	/* What it did, since they were last set to 0. */
	_Alignas(BENCH_LINE) _Atomic uint64_t answers;
	_Atomic int64_t waited; /* ns, sum of the delays really given */
	_Atomic uint64_t rows, ids;     /* how many, and their sum */
	_Atomic int lacks;      /* the errno of a client not let in at once */
};

/*
 * Start a server that answers after delay ns, 0: at once, and holds backlog
 * connections that it has not accepted yet. Skips the row where it cannot be.
 * Call from setup.
 */
struct server *server_start(int64_t delay, int backlog);

/* Call from reset. */
void server_reset(struct server *server);

/* Call from count. Skips the row where the server could not let all clients in
 * at once; fails it when it gave another number of answers. */
void server_check(const struct server *server, uint64_t answers);

/* Call from teardown. Fails the row when it has died. */
void server_stop(struct server *server);

/* A page's bytes, for both sides. */
static inline char
page_byte(uint64_t page, size_t i)
{
	return (char)(page * 31 + i * 7 + (i >> 8));
}

#endif
