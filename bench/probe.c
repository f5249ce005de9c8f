/* SPDX-License-Identifier: MIT */
/* What a member finds out about its CPU, before and after each sample. */
#include "harness.h"

#define GAP_TIME 1000000        /* ns of back-to-back clock reads */
#define GAP_LEAST 5000          /* ns: above any read, below any interrupt that
                                 * matters */
#define CHAINS 5
#define CHAIN_ADDS 8000         /* 2 us at 4 GHz */
#define LINE_TRIPS 200
#define LINE_TIME 2000000       /* ns until we give up on the other side */

#define ADD(x, y) do { (x) += (y); bench_keep(x); } while (0)

double
probe_chain(void)
{
	int64_t least = INT64_MAX;
	uint64_t x = 0, y = 1;

	bench_keep(y);
	for (int k = 0; k < CHAINS; k++) {
		int64_t start = clock_now(), took;

		for (int i = 0; i < CHAIN_ADDS / 8; i++) {
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
			ADD(x, y);
		}
		took = clock_now() - start;
		least = took < least ? took : least;
	}
	return (double)least / CHAIN_ADDS;
}

double
probe_gaps(void)
{
	int64_t start = clock_now(), last = start, lost = 0;

	while (last - start < GAP_TIME) {
		int64_t now = clock_now();

		if (now - last > GAP_LEAST)
			lost += now - last;
		last = now;
	}
	return (double)lost / (double)(last - start);
}

/* Wait for the other side; false when it does not come in time: its CPU may
 * be taken from us. Looks at the clock now and then only. */
static bool
await(atomic_int *line, int value)
{
	int64_t start = 0;

	for (int i = 1; atomic_load_explicit(line, memory_order_acquire) !=
	    value; i++) {
		if (i % 4096 != 0)
			continue;
		if (start == 0)
			start = clock_now();
		else if (clock_now() - start > LINE_TIME)
			return false;
	}
	return true;
}

double
probe_line(atomic_int *mine, atomic_int *others, bool first)
{
	int64_t start = 0;

	/* The first trip waits for the other to come at all. */
	for (int i = 1; i <= LINE_TRIPS + 1; i++) {
		if (first)
			atomic_store_explicit(others, i, memory_order_release);
		if (!await(mine, i))
			return -1;
		if (!first)
			atomic_store_explicit(others, i, memory_order_release);
		if (i == 1)
			start = clock_now();
	}
	return (double)(clock_now() - start) / (2 * LINE_TRIPS);
}
