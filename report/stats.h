/* SPDX-License-Identifier: MIT */
/* Order statistics. Nothing here assumes how the numbers are distributed. */
#ifndef STATS_H
#define STATS_H

#include "util.h"

/* The median of n > 0 values; of an even number, the mean of the two in the
 * middle. Sorts them. */
double median(double *v, size_t n);

/*
 * The exact interval on a median by the sign test: ranks rank .. n + 1 - rank
 * of the sorted values cover it with probability level, whatever their
 * distribution (Hahn, Meeker: Statistical Intervals, 5.2). The narrowest whose
 * level is at least 95 %. rank is 0 below six values: there is none.
 */
struct sign_interval {
	size_t rank;            /* 1-based */
	double level;           /* 0 to 1 */
};

struct sign_interval sign_interval(size_t n);

/* Median, interval and least of a row's round medians. */
struct summary {
	double median, low, high;
	double level;           /* 0: no interval, low and high are unset */
	size_t rounds;
};

/* n > 0. Does not change v. */
struct summary summarise(const double *v, size_t n);

/*
 * Do round medians fall into two groups? They do when sorted they have a gap
 * of over 25 % that is four times the spread on either side of it, with two
 * rounds or more on each. low and high are the groups' medians.
 */
struct modes {
	bool two;
	double low, high;
	size_t lows, highs;
};

struct modes find_modes(const double *v, size_t n);

/* A ratio, new to old, and an interval that covers it with level (0: there is
 * none, and low and high are unset). */
struct ratio {
	double ratio, low, high, level;
};

/*
 * Of two independent samples of positive values: the Hodges-Lehmann estimate
 * of shift on their logarithms, that is the median of all ratios, with the
 * interval that the exact rank-sum distribution gives (Hollander, Wolfe,
 * Chicken: Nonparametric Statistical Methods, 4.2, 4.3; Moses). n and m are 1
 * to RATIO_MOST; beyond, only the first RATIO_MOST count.
 */
#define RATIO_MOST 200
struct ratio ratio_independent(const double *old, size_t n, const double *new,
	size_t m);

/* Of n pairs of positive values measured side by side: the median of their
 * ratios and its sign-test interval. */
struct ratio ratio_paired(const double *old, const double *new, size_t n);

/*
 * Spearman's rank correlation of n > 1 pairs, ties taking their mean rank; 0
 * when one side is constant (Kendall, Gibbons: Rank Correlation Methods).
 */
double rank_correlation(const double *x, const double *y, size_t n);

#endif
