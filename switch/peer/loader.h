/* SPDX-License-Identifier: MIT */
/*
 * Loads rows over one connection: a request of so many rows, the peer's answer,
 * the next. What is said on the wire is the peer's: the server that the program
 * forks, or a PostgreSQL.
 */
#ifndef LOADER_H
#define LOADER_H

#include "exchange.h"

struct loader {
	struct exchange x;      /* first: a loader is found by it */
	uint64_t next, end;     /* ids of rows not yet sent: next .. end-1 */
	uint64_t asked;         /* rows of the request under way */
	uint64_t loaded;        /* rows that the peer has acknowledged */
	char *message;          /* room for one request */
	/* The peer's: what came of an answer, or the start of it, and how much
	 * that was. All zero before the first. */
	char kept[256];
	size_t keeps;
	bool acknowledged;
};

/* A peer that takes rows. Ids are 1 .. rows. */
struct peer {
	/* Before any connection; text is the option's value. */
	void (*setup)(const struct run *run);
	/* A connection that is ready for rows; it blocks. */
	int (*connect)(const struct run *run);
	/* Bytes that a request of so many rows may take. */
	size_t (*room)(uint64_t rows);
	/* Write the request for rows first .. first+n-1; returns its length. */
	size_t (*request)(char *message, uint64_t first, uint64_t n);
	/* Take n bytes of the answer to x; true when it is complete. Fails the
	 * row when it is not what it should be. */
	bool (*take)(struct exchange *x, const char *s, size_t n);
	void (*reset)(void);
	/* How many rows there are, and the sum of their ids, read back. */
	void (*read_back)(uint64_t *rows, uint64_t *ids);
	void (*teardown)(void);
};

extern const struct peer peer_server, peer_postgres;

/* A usage error where peer_postgres could not make sense of the option. */
void peer_postgres_check(const char *conninfo);

/* Go on as far as the socket allows, as exchange_step does. batch is rows a
 * request, work the additions that the client does for each row of its own. */
short loader_step(struct loader *l, const struct peer *peer, uint64_t batch,
	uint64_t work);

#endif
