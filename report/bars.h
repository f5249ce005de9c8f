/* SPDX-License-Identifier: MIT */
/* One row under the other along one axis, under headings. */
#ifndef BARS_H
#define BARS_H

#include "picture.h"

#define LABELS 130              /* where the axis starts */
#define STEP 18                 /* from one row to the next */

/* The rows under one heading. Starts zeroed; its list is the caller's to
 * free. */
struct section {
	const struct row **row;
	size_t rows;
};

void section_add(struct section *s, const struct row *row);

/* For qsort of such a list: what has no number comes last, or first. */
int dearer(const void *a, const void *b);
int cheaper(const void *a, const void *b);

/* Widen low to high, 0 and 0 at first, by what is drawn of the row; of its
 * floor, too, where floors says so. */
void span(struct page *page, const struct row *row, bool floors, double *low,
	double *high);

/* A heading, behind its kind's mark unless that is KIND_UNKNOWN. */
void heading(struct picture *p, const char *s, enum kind kind);

/* Add the row in words; last of its heading. */
void spell(struct picture *p, const char *label, const char *value, bool last);

/* What is drawn in between are rows that lie over the axis's lines, and say how
 * far down these go. rows_begin returns what was drawn before, for rows_end. */
struct text rows_begin(struct picture *p, double *top);
void rows_end(struct picture *p, struct text before, const struct axis *axis,
	double top);

#endif
