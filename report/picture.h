/* SPDX-License-Identifier: MIT */
/* The pictures of a run, and what they have in common. */
#ifndef PICTURE_H
#define PICTURE_H

#include "page.h"
#include "svg.h"

/*
 * Each draws itself from the page's rows and returns true, or returns false
 * where the run has nothing to show there. p starts zeroed but for its name.
 */
typedef bool picture_draw(struct page *page, struct picture *p);
picture_draw draw_ladder, draw_distance, draw_workers, draw_fetch, draw_rows;

/* What happens in an op, by what was counted. The colours of the first three
 * are SQUARE, CIRCLE and DIAMOND. */
enum kind { KIND_KERNEL, KIND_USER, KIND_NONE, KIND_UNKNOWN };

enum kind row_kind(const struct row *row);
enum colour kind_colour(enum kind kind);

/* The colour of a way of doing the same: thread, process, coroutine ... */
enum colour way_colour(const char *as);

/* What is drawn of a row. */
struct figure {
	const char *none;       /* why there is no number, or NULL */
	double median;
	double low, high;       /* the interval; low 0: none */
	double mode[2];         /* two modes; mode[0] 0: one */
	bool disturbed;
};

struct figure row_figure(const struct row *row);

/* The least and the greatest of what is drawn of it. */
double figure_least(const struct figure *f);
double figure_most(const struct figure *f);

/* Interval and marks, along a horizontal axis at height across, or upright
 * along a vertical one. */
void draw_figure(struct picture *p, enum colour colour, const struct figure *f,
	const struct axis *axis, double across, bool upright);

/* Append ns with its unit, to three digits: "20.1 ns", "1.17 us"; both of two
 * modes, or why there is none. */
void time_add(struct text *t, double ns);
void figure_add(struct text *t, const struct figure *f);

/* "Mutex, 1 CPU", "Spawn process", "Raw stack=8192": as view_label, but threads
 * only named where that is no matter of course, with the place where a program
 * has several. The caller frees it. */
char *row_label(const struct results *results, const struct row *row);

/* "every op hands over", "1 hand-off in 240,000 acquires"; nothing where that
 * was not counted. */
void handoffs_add(struct text *t, const struct row *row);

/* The steps of an axis of times, each with its line from top to bottom, or, of
 * an upright axis, from left to right. */
void draw_axis(struct picture *p, const struct axis *axis, double from,
	double to, bool upright);

/* The title and what is said under it; p->title is set before. */
void picture_head(struct picture *p, const char *said);

/* Under a picture: what its marks mean, as far as there are such, an interval
 * being a line or pale, and on what it was measured. Ends the picture. */
struct marks {
	bool disturbed, few, modes, withheld;
	size_t rounds;          /* most of a row */
	double least, most;     /* levels of intervals; 0: there is none */
};

void marks_take(struct marks *marks, const struct row *row,
	const struct figure *f);
void picture_foot(struct page *page, struct picture *p, struct marks *marks,
	const char *said, const char *interval);

#endif
