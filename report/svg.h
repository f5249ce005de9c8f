/* SPDX-License-Identifier: MIT */
/*
 * What a picture is drawn with: text that is escaped and measured, marks, a
 * logarithmic axis. Lengths are px, y grows downwards, and a picture is 600
 * wide, at which its text is 12 px high or more.
 */
#ifndef SVG_H
#define SVG_H

#include "util.h"

#define SVG_WIDE 600
#define SVG_EDGE 12             /* left free on every side */
#define SVG_LINE 16             /* from one line of plain text to the next */

struct picture {
	const char *name;       /* "ladder" */
	struct text title;      /* a sentence */
	struct text words;      /* what it shows, for who cannot see it */
	struct text body;
	double y;               /* where the next thing goes; in the end,
	                         * its height */
};

enum style { TITLE, HEADING, STRONG, PLAIN, MUTED };
enum anchor { START, MIDDLE, END };

/*
 * Colours, each with a mark of its own shape. They differ in lightness, too,
 * so that print in grey tells them apart; all have a pair for dark pages.
 */
enum colour { SQUARE, CIRCLE, DIAMOND, TRIANGLE, PENTAGON, WEDGE };
#define COLOURS 6

/* The width of a line of text, in the widest of the fonts that it may be shown
 * in. */
double svg_width(enum style style, const char *s);

/* Append s to t as XML text: escaped, what no XML may hold as '?'. */
void svg_escape(struct text *t, const char *s);

/* A line of text, its baseline at y; cut short with "..." where it would be
 * wider than most. */
void svg_text(struct picture *p, double x, double y, enum style style,
	enum anchor anchor, double most, const char *s);

/* Lines of text over the picture's whole width, broken at blanks, from p->y on;
 * moves p->y. */
void svg_prose(struct picture *p, enum style style, const char *s);

enum { DOTTED = 4 };             /* dashes 1 to 3 are for what was measured */

/* A line of the grid; what stands behind a row; a line of a colour, plain
 * or one of the dashes; an interval, wide and pale; a thin line
 * that stands out from bars; a mark, and a bar. */
void svg_grid(struct picture *p, double x1, double y1, double x2, double y2);
void svg_band(struct picture *p, double y, double height);
void svg_line(struct picture *p, enum colour colour, int dash, double x1,
	double y1, double x2, double y2);
void svg_interval(struct picture *p, enum colour colour, double x1, double y1,
	double x2, double y2);
void svg_whisker(struct picture *p, double x1, double y1, double x2, double y2);
void svg_mark(struct picture *p, enum colour colour, bool hollow, double x,
	double y);
void svg_bar(struct picture *p, enum colour colour, bool hollow, double x,
	double y, double width, double height);

/* What follows, up to svg_end, belongs to the row of this name. */
void svg_begin(struct picture *p, const char *name);
void svg_end(struct picture *p);

/* The whole file. */
void svg_file(struct text *out, const struct picture *p);
void svg_free(struct picture *p);

/* Where values stand: low at from, high at to. */
struct axis {
	double low, high, from, to;
};

double axis_at(const struct axis *axis, double v);

/* From a step at or below low to one at or above high, 0 < low <= high. Steps
 * are powers of ten, and over less than two decades 2 and 5 times those. */
struct axis axis_make(double low, double high, double from, double to);

/* The steps to mark on it. Returns how many. */
#define TICKS_MOST 40
size_t axis_ticks(const struct axis *axis, double *tick);

#endif
