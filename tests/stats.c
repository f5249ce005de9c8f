/* SPDX-License-Identifier: MIT */
/*
 * Do the intervals of report/stats cover what they promise? Simulates runs
 * whose truth is known and prints the coverage of each method under each kind
 * of noise; exits 1 when independent noise is covered less than 93 %.
 * Correlated rounds break the promise of any such interval; they are printed
 * so that nobody is surprised.
 */
#include "../report/stats.h"

#include <math.h>
#include <stdio.h>

#define RUNS 10000
#define ROUNDS_MOST 12

static uint64_t state = 4711;

/* splitmix64 (Steele, Lea, Flood 2014), as a number in (0, 1). */
static double
uniform(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

/* Box, Muller 1958. */
static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static const struct noise {
	const char *name;
	double size;            /* standard deviation, relative */
	bool one_sided;         /* only ever slower, as disturbance is */
	double correlation;     /* of a round with the one before */
} noises[] = {
	{"1 %", 0.01, false, 0},
	{"3 %", 0.03, false, 0},
	{"5 %", 0.05, false, 0},
	{"one-sided 5 %", 0.05, true, 0},
	{"correlated 0.6, 3 %", 0.03, false, 0.6},
};

/* n rounds around 100; returns their true median. */
static double
simulate(const struct noise *noise, double *v, size_t n)
{
	double last = normal(), c = noise->correlation;

	for (size_t i = 0; i < n; i++) {
		last = c * last + sqrt(1 - c * c) * normal();
		v[i] = 100 * (1 + noise->size *
			(noise->one_sided ? fabs(last) : last));
	}
	return noise->one_sided ? 100 * (1 + 0.67448975 * noise->size) : 100;
}

int
main(void)
{
	static const size_t rounds[] = {6, 9, 12};
	int failed = 0;

	(void)printf("coverage of %d runs: median, ratio of independent runs, "
		"ratio of paired rounds\n", RUNS);
	for (size_t k = 0; k < sizeof noises / sizeof *noises; k++)
		for (size_t r = 0; r < 3; r++) {
			size_t n = rounds[r];
			int in[3] = {0, 0, 0};
			double share[3];

			for (int i = 0; i < RUNS; i++) {
				double a[ROUNDS_MOST], b[ROUNDS_MOST];
				double truth = simulate(&noises[k], a, n);
				struct summary s = summarise(a, n);
				struct ratio u, p;

				(void)simulate(&noises[k], b, n);
				u = ratio_independent(a, n, b, n);
				p = ratio_paired(a, b, n);
				in[0] += s.low <= truth && truth <= s.high;
				in[1] += u.low <= 1 && 1 <= u.high;
				in[2] += p.low <= 1 && 1 <= p.high;
			}
			(void)printf("%-20s %2zu rounds", noises[k].name, n);
			for (int m = 0; m < 3; m++) {
				share[m] = 100.0 * in[m] / RUNS;
				(void)printf("  %5.1f %%", share[m]);
				failed |= noises[k].correlation <= 0 &&
					share[m] < 93;
			}
			(void)printf("\n");
		}
	(void)printf(failed ? "an interval covers less than 93 %%\n" : "ok\n");
	return failed;
}
