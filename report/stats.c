/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, ascending);
	if (n % 2 == 1)
		return v[n / 2];
	return (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct sign_interval
sign_interval(size_t n)
{
	struct sign_interval best = {0, 0};
	double term = 1, tail = 0;

	/* 2^-n underflows above; there the normal limit is as good. */
	if (n > 1000) {
		best.rank = (size_t)((double)n / 2 - 0.98 * sqrt((double)n));
		best.level = 0.95;
		return best;
	}
	/* term is C(n, k) / 2^n; the interval of rank k + 1 misses when k or
	 * fewer values lie on one side of the median. */
	for (size_t i = 0; i < n; i++)
		term /= 2;
	for (size_t k = 0; 2 * k + 1 < n; k++) {
		tail += term;
		if (1 - 2 * tail < 0.95)
			break;
		best = (struct sign_interval){k + 1, 1 - 2 * tail};
		term *= (double)(n - k) / (double)(k + 1);
	}
	return best;
}

struct summary
summarise(const double *v, size_t n)
{
	struct sign_interval interval = sign_interval(n);
	struct summary s = {.level = interval.level, .rounds = n};
	double *sorted = need(n, sizeof *sorted);

	memcpy(sorted, v, n * sizeof *sorted);
	s.median = median(sorted, n);
	if (interval.rank > 0) {
		s.low = sorted[interval.rank - 1];
		s.high = sorted[n - interval.rank];
	}
	free(sorted);
	return s;
}
