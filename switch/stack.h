/* SPDX-License-Identifier: MIT */
/* Rings of contexts: their stacks in one mapping, and whose turn it was. */
#ifndef STACK_H
#define STACK_H

#include "bench.h"

#include <sys/mman.h>

/* Tops must not share a cache set, or the cost of many contexts would be that
 * set's: 56 offsets of a line each, out of the 64 sets of a first-level
 * cache. */
#define STACK_OFFSETS 56
#define STACK_ALIGN 64

struct stacks {
	char *memory;
	size_t size;
};

/*
 * Map n stacks of size bytes (rounded up to 64). Skips the row when there is no
 * memory. There is no guard page between them: a mapping each would hit
 * vm.max_map_count at 32,000. Pages are touched as stacks are used.
 */
static inline struct stacks
stacks_map(int n, size_t size)
{
	size_t slack = STACK_OFFSETS * STACK_ALIGN;
	struct stacks s = {NULL, (size + STACK_ALIGN - 1) / STACK_ALIGN *
		STACK_ALIGN};
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

#ifdef MAP_NORESERVE
	flags |= MAP_NORESERVE;
#endif
	s.memory = mmap(NULL, (size_t)n * s.size + slack,
		PROT_READ | PROT_WRITE, flags, -1, 0);
	if (s.memory == MAP_FAILED)
		bench_skip("%d stacks of %zu bytes:", n, size);
	return s;
}

/* Lowest address of stack i; its top, size - 64 bytes above, is 64-aligned. */
static inline char *
stack_base(const struct stacks *s, int i)
{
	size_t slack = STACK_OFFSETS * STACK_ALIGN;
	size_t offset = (size_t)(i % STACK_OFFSETS) * STACK_ALIGN;

	return s->memory + slack + (size_t)i * s->size - offset;
}

static inline size_t
stack_size(const struct stacks *s)
{
	return s->size - STACK_ALIGN;
}

/*
 * Each context of a ring counts down the turns it has left, in a field of its
 * own: first is context 0's, stride bytes lie between two. Deal out a sample's
 * ops, and count those that were done.
 */
static inline uint64_t *
turns_of(uint64_t *first, size_t stride, int i)
{
	return (uint64_t *)(void *)((char *)first + (size_t)i * stride);
}

static inline void
turns_deal(const struct run *run, uint64_t *first, size_t stride)
{
	for (int i = 0; i < run->workers; i++)
		*turns_of(first, stride, i) =
			bench_turns(run->ops, run->workers, i);
}

static inline void
turns_count(const struct run *run, uint64_t *first, size_t stride,
	struct tally *tally)
{
	for (int i = 0; i < run->workers; i++)
		tally->ops += bench_turns(run->ops, run->workers, i) -
			*turns_of(first, stride, i);
	tally->handoffs = (int64_t)tally->ops;
}

#endif
