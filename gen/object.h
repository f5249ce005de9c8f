/* SPDX-License-Identifier: MIT */
/* As much of an interpreter's objects as a StopIteration takes. */
#ifndef OBJECT_H
#define OBJECT_H

#include "generator.h"

#include <stdlib.h>

struct type {
	const char *name;
	const struct type *base;
};

struct object {
	const struct type *type;
	uint64_t value;
};

/* A generator's frame: allocated when it is called, freed when it is over. */
struct frame {
	const struct type *type;
	struct object *(*resume)(struct frame *);
	uint64_t argument;
	int at;
};

static const struct type exception = {"Exception", NULL};
static const struct type stop_iteration = {"StopIteration", &exception};
static const struct type generator = {"generator", NULL};

/* The thread's pending exception. */
static struct object *raised;

/* Out of memory fails the row, wherever it happens. */
static inline void *
allocate(size_t size)
{
	void *p = malloc(size);

	if (p == NULL)
		bench_fail("%zu bytes:", size);
	return p;
}

/* Is it of the wanted type or of one derived from it? */
static inline bool
matches(const struct object *o, const struct type *wanted)
{
	const struct type *type = o->type;

	while (type != NULL && type != wanted)
		type = type->base;
	return type != NULL;
}

#endif
