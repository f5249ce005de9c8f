/* SPDX-License-Identifier: MIT */
/*
 * What the programs of gen/ share: op i resumes the generator in slot
 * i mod N, takes the value i that it returns, and renews the slot, so that N
 * generators are alive throughout. The sum of all values is the check.
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include "bench.h"

struct answer {
	uint64_t ops, sum;
};

/* Fails the row unless the values 0 .. ops - 1 came back. */
static inline void
answer_check(const struct answer *answer, struct tally *tally)
{
	uint64_t n = answer->ops;
	uint64_t want = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;

	if (answer->sum != want)
		bench_fail("wrong answer: the values add up to %llu, not %llu",
			(unsigned long long)answer->sum,
			(unsigned long long)want);
	tally->ops = n;
}

#endif
