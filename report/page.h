/* SPDX-License-Identifier: MIT */
/* A page of tables: what it is made from, how it is rendered, its sections. */
#ifndef PAGE_H
#define PAGE_H

#include "model.h"
#include "view.h"

#define PER_TABLE 7             /* columns of numbers side by side, so that a
                                 * table keeps to 100 columns of text */

struct page {
	struct results results; /* sorted by view_sort */
	enum format format;
	struct text out;
};

/* The table with the host that it is of. */
void page_table(struct page *p, struct table *t);

/* Is the row one of those that stand for their mechanism in the summary? */
bool is_summary_row(const struct results *results, const struct row *row);

/* All figures, for programs: csv, one line a figure; the format of Go's
 * benchmarks, one line a round; JSON as google/benchmark writes it. */
void figures_csv(struct text *out, const struct results *host, size_t hosts);
void figures_benchstat(struct text *out, const struct results *host,
	size_t hosts);
void figures_json(struct text *out, const struct results *host, size_t hosts);

/* What each of the files holds, one a line. */
void list_files(struct text *out, enum format format, int files, char **file);

/* Several hosts in the columns of the tables. */
void side_by_side(struct text *out, enum format format,
	const struct results *host, size_t hosts);

/* Sections. Each appends itself, or nothing where it has no rows. */
void summary(struct page *p);
void over_workers(struct page *p, const char *group, bool fixed,
	const char *title);
void by_distance(struct page *p);
void against_call(struct page *p);
void ladder(struct page *p);
void primitives(struct page *p);
void writeups(struct page *p);
void when_it_matters(struct page *p);

/* Is it a way in which two threads hand something over, by_distance's? */
bool hands_over(const struct row *row);

/*
 * Cells. A row is not to be NULL but where it says so; what was not measured
 * leaves the cell empty, what must not be shown says why.
 */
bool in_group(const struct row *row, const char *group);
const struct row *first_of(struct page *p, const char *base);
const char *no_number(const struct row *row);           /* or NULL */
void number_cell(struct table *t, double v);
void rate_cell(struct table *t, double v);              /* < 0: none */
void ns_cell(struct table *t, const struct row *row);   /* or NULL */
void range_cell(struct table *t, const struct summary *s);
void interval_cell(struct table *t, const struct row *row);     /* or NULL */
void least_cell(struct table *t, const struct row *row);        /* or NULL */
void floor_cell(struct page *p, struct table *t, const struct row *row);
void claim_cell(struct table *t, const struct row *row);        /* or NULL */
void cycles_cell(struct table *t, const struct row *row);       /* or NULL */

#endif
