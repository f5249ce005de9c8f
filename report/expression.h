/* SPDX-License-Identifier: MIT */
/*
 * The language of claims, evaluated over rows:
 *
 *   test       = comparison { "and" comparison }
 *   comparison = sum ("<" | ">" | "<=" | ">=" | "~") sum
 *              | ("flat" | "growing")
 *                "(" series "," N ".." N "," LIMIT ")"
 *   sum        = product { ("+" | "-") product }
 *   product    = factor { ("*" | "/") factor }
 *   factor     = NUMBER | "-" factor | "(" sum ")" | row [ "." FIELD ]
 *   row        = NAME "(" WORKERS { "," KEY "=" VALUE } ")"
 *   series     = NAME [ "(" KEY "=" VALUE { "," KEY "=" VALUE } ")" ]
 *                [ "." FIELD ]
 *
 * NAME is a program's, small letters, "_" or not: mutex, stop_iteration. KEY
 * is as, place or a parameter: mutex(2,place=same), mutex(32,total=2000000).
 * Parameters are those that the row's name has, all of them. Where as is not
 * given it is the program's first way; where place is not, it is same, else
 * the only one measured, else none.
 *
 * A row is its headline, ns per op. FIELD is handoffs, switches (the kernel's,
 * of both kinds), overlap or cycles, all per op but overlap, or least, the
 * least ns of all samples: one number, which has no interval.
 *
 * A value has a figure for each round that all its rows have: rounds of one
 * run pair up. A comparison is decided by the sign-test interval on left/right
 * over rounds, or on left - right where a side is not positive: it holds when
 * the whole interval is on its side, does not when the whole of it is on the
 * other, else it is not resolved. "~": within 10 % of the right side.
 *
 * flat: at each worker count of the range that was measured, the ratio to the
 * first lies between 1/LIMIT and LIMIT. growing: the ratio of the last to the
 * first is over LIMIT.
 */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "records.h"

#define ROUNDS_LEAST 6          /* fewer have no interval */
#define ABOUT_EQUAL 0.1         /* of the right side: what "~" allows */

enum answer {
	HOLDS, DOES_NOT_HOLD, NOT_RESOLVED, NOT_MEASURED, NOT_TESTABLE
};

extern const char *const answers[];     /* "holds" ... */

/* A text and where it stands, for messages. Counted from 1. */
struct source {
	const char *file;
	size_t line, column;
	char *s;
};

/* One comparison, or one value. */
struct figure {
	char *s;                /* as written */
	enum answer answer;
	char *measured;         /* "1.46x (1.44..1.48)"; NULL: not measured */
	char *where;            /* " at 4096", of a series; or NULL */
	char *missing;          /* why it was not measured, or NULL */
};

/* All comparisons of a claim; zero-initialise. */
struct verdict {
	struct figure *figure;
	size_t figures;
};

/*
 * Evaluate a test and append its figures; or a sum, whose figure's answer is
 * NOT_TESTABLE. A malformed one ends the program with a usage error, "file:
 * line:column: expected ...". The results are sorted by view_sort.
 */
void expression_test(const struct results *results,
	const struct source *source, struct verdict *verdict);
void expression_show(const struct results *results,
	const struct source *source, struct verdict *verdict);

/* Append the median of a sum, or "(not measured)". Malformed: as above. */
void expression_value(const struct results *results,
	const struct source *source, struct text *out);

/* End with the usage error for what stands at this offset of the source. */
_Noreturn void expected(const struct source *source, size_t offset,
	const char *what);

/* What all of them together say, and which of them decides (NULL: there is
 * none). One that does not hold outranks one that was not measured. */
const struct figure *verdict_deciding(const struct verdict *verdict);
void verdict_free(struct verdict *verdict);

#endif
