/* SPDX-License-Identifier: MIT */
/*
 * Time per op against the number of workers, both logarithmic, a line a series,
 * named at its end.
 */
#ifndef CHART_H
#define CHART_H

#include "picture.h"

/* A line: rows that differ in nothing but their worker count. */
struct series {
	const struct row **row;
	size_t rows;
	char *label;
	enum colour colour;
	int dash;
	double end;             /* where it ends */
	double at;              /* where its name stands */
};

struct chart {
	struct series *series;
	size_t n;
	struct axis across, up;
};

/* Add a row to the last series, or to a new one; rows come as view_sort leaves
 * them. */
void chart_take(struct chart *c, const struct row *row);

/* Keep the series that have so many numbers. Returns how many numbers went. */
size_t chart_drop(struct chart *c, size_t least);

/* From p's head on; foot goes before what the marks mean. Series have their
 * label, colour and dash; they are sorted by where they end. */
void chart_draw(struct page *page, struct picture *p, struct chart *c,
	const char *foot);
void chart_free(struct chart *c);

#endif
