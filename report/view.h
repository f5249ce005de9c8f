/* SPDX-License-Identifier: MIT */
/* What the rows mean: their order, their floors, what may be shown of them. */
#ifndef VIEW_H
#define VIEW_H

#include "records.h"
#include "stats.h"

/* Below this overlap, contending workers mostly ran one after another. */
#define OVERLAP_LEAST 0.9

/*
 * Read the named files ("-", or none: standard input). Those of one host, that
 * is, with the same host block and host name, are rounds of one run; returns an
 * array of *hosts results, in the order in which their first files came,
 * finished and sorted. A usage error when a file cannot be read or nothing is
 * left; what was wrong has been told.
 */
struct results *view_read(int files, char **file, size_t *hosts);
void view_free(struct results *results, size_t hosts);

/* Append what the numbers come from, on one line: the processor, how many CPUs
 * were allowed, the kernel, the compiler. */
void view_host(const struct results *results, struct text *t);

/* Sort the rows as tables show them: group, program, way, parameters, place,
 * workers. Call after results_finish. */
void view_sort(struct results *results);

/* Do two rows differ in nothing but their worker count? */
bool view_same_series(const struct row *a, const struct row *b);

/* "Mutex", "Mutex process", "Raw stack=8192". The caller frees it. */
char *view_label(const struct row *row);

/* "switch", "gen", "loop"; "other" when nothing is said about the row. */
const char *view_group(const struct row *row);

/* The median over rounds, or -1 where it was not measured. */
double view_value(const struct row *row, const char *unit);

/* Switches that the kernel counted per op, of both kinds; -1: unknown. */
double view_switches(const struct row *row);

/* Did its workers run one after another, or only one of them at all, so that
 * ns per op is of something else? Never so for a ring, whose workers wait for
 * each other, for work of a fixed size, nor for a fixed total, which is shown
 * with its overlap. */
bool view_withheld(const struct row *row);

/* Summary of the headline. Call only for measured rows. */
struct summary view_headline(const struct row *row);

/* Do the row's rounds fall into two groups? */
struct modes view_modes(const struct row *row);

/* Was the row disturbed, that is, at least one in four of its samples? Appends
 * by what, "busy, gaps", if t is not NULL. */
bool view_disturbed(const struct row *row, struct text *t);

/*
 * What the counts allow to say of the row's ops: appends "switch", "slept
 * 60 %", "unseen" (hand-offs that the kernel knows nothing of) and the like;
 * nothing where there is no hand-off to speak of.
 */
void view_claim(const struct row *row, struct text *t);

/* The placements from near to far; NULL ends them. */
extern const char *const view_distances[];

/* A measured row by program, way ("" if it has one only), place and workers,
 * without parameters; workers 0: the fewest. Or NULL. */
const struct row *view_find(const struct results *results, const char *base,
	const char *as, const char *place, long workers);

/* The row that this one stands on, where it was measured, or NULL. Across
 * CPUs, a floor from another placement is no floor. */
const struct row *view_floor(const struct results *results,
	const struct row *row);

/* Append a ratio: as ns, but with two decimals below 10. */
void view_ratio(struct text *t, double v);

/* Append ns for reading: three significant digits, or all before
 * the point; a rate, which may be very small, with two, or one. */
void view_number(struct text *t, double v);
void view_rate(struct text *t, double v);

#endif
