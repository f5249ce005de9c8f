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

#endif
