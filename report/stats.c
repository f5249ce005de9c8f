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

struct modes
find_modes(const double *v, size_t n)
{
	struct modes modes = {0};
	double *sorted = need(n, sizeof *sorted);

	memcpy(sorted, v, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, ascending);
	for (size_t k = 2; k + 2 <= n && !modes.two; k++) {
		double gap = sorted[k] - sorted[k - 1];
		double below = sorted[k - 1] - sorted[0];
		double above = sorted[n - 1] - sorted[k];

		modes.two = gap > 0.25 * sorted[k - 1] && gap > 4 * below &&
			gap > 4 * above;
		modes.lows = k;
	}
	if (modes.two) {
		modes.highs = n - modes.lows;
		modes.low = median(sorted, modes.lows);
		modes.high = median(sorted + modes.lows, modes.highs);
	}
	free(sorted);
	return modes;
}

/*
 * The largest k such that the k - 1 lowest of all n * m differences lie below
 * the true shift's with a probability of at most 2.5 %, and the level of the
 * interval from the k-th lowest to the k-th highest. count[u] of all equally
 * likely orders have the rank-sum statistic u (Mann, Whitney 1947): built up
 * factor by factor of the Gaussian binomial.
 */
static size_t
rank_sum_limit(size_t n, size_t m, double *level)
{
	size_t most = n * m, k = 0;
	double *share, tail = 0;

	/* Beyond, the products below lose digits and the normal limit is
	 * good to a rank or so. */
	if (n > 30 || m > 30) {
		double limit = (double)most / 2 - 1.96 * sqrt((double)most *
			(double)(n + m + 1) / 12);

		*level = 0.95;
		return limit < 1 ? 0 : (size_t)limit;
	}
	share = need(most + 1, sizeof *share);
	share[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		/* times (1 - q^(n + i)) / (1 - q^i), and i / (n + i) so that
		 * it stays a probability */
		for (size_t u = most; u >= n + i; u--)
			share[u] -= share[u - n - i];
		for (size_t u = i; u <= most; u++)
			share[u] += share[u - i];
		for (size_t u = 0; u <= most; u++)
			share[u] *= (double)i / (double)(n + i);
	}
	while (tail + share[k] <= 0.025)
		tail += share[k++];
	*level = 1 - 2 * tail;
	free(share);
	return k;
}

struct ratio
ratio_independent(const double *old, size_t n, const double *new, size_t m)
{
	struct ratio r = {0};
	double *all;
	size_t k, pairs;

	n = n < RATIO_MOST ? n : RATIO_MOST;
	m = m < RATIO_MOST ? m : RATIO_MOST;
	pairs = n * m;
	all = need(pairs, sizeof *all);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			all[i * m + j] = log(new[j] / old[i]);
	r.ratio = exp(median(all, pairs));
	k = rank_sum_limit(n, m, &r.level);
	if (k > 0) {
		r.low = exp(all[k - 1]);
		r.high = exp(all[pairs - k]);
	} else {
		r.level = 0;
	}
	free(all);
	return r;
}

struct ratio
ratio_paired(const double *old, const double *new, size_t n)
{
	struct summary s;
	double *ratios = need(n, sizeof *ratios);

	for (size_t i = 0; i < n; i++)
		ratios[i] = new[i] / old[i];
	s = summarise(ratios, n);
	free(ratios);
	return (struct ratio){s.median, s.low, s.high, s.level};
}

/* Mean ranks of v, from 1. */
static double *
ranks(const double *v, size_t n)
{
	double *rank = need(n, sizeof *rank);

	for (size_t i = 0; i < n; i++) {
		size_t less = 0, same = 0;

		for (size_t k = 0; k < n; k++) {
			less += v[k] < v[i];
			same += v[k] == v[i];
		}
		rank[i] = (double)less + ((double)same + 1) / 2;
	}
	return rank;
}

double
rank_correlation(const double *x, const double *y, size_t n)
{
	double *a = ranks(x, n), *b = ranks(y, n);
	double mean = ((double)n + 1) / 2, ab = 0, aa = 0, bb = 0;

	for (size_t i = 0; i < n; i++) {
		ab += (a[i] - mean) * (b[i] - mean);
		aa += (a[i] - mean) * (a[i] - mean);
		bb += (b[i] - mean) * (b[i] - mean);
	}
	free(a);
	free(b);
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}
