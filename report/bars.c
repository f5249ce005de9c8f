/* SPDX-License-Identifier: MIT */
/* One row under the other along one axis, under headings. */
#include "bars.h"

#include <stdlib.h>
#include <string.h>

#define HEAD 27                 /* a heading's height */

void
section_add(struct section *s, const struct row *row)
{
	s->row = need_more(s->row, s->rows + 1, sizeof *s->row);
	s->row[s->rows++] = row;
}

int
dearer(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a;
	const struct row *y = *(const struct row *const *)b;
	struct figure f = row_figure(x), g = row_figure(y);

	if (f.median > g.median || f.median < g.median)
		return f.median < g.median ? 1 : -1;
	return strcmp(x->name, y->name);
}

int
cheaper(const void *a, const void *b)
{
	return dearer(b, a);
}

void
span(struct page *page, const struct row *row, bool floors, double *low,
	double *high)
{
	struct figure f = row_figure(row);
	const struct row *floor = floors && f.none == NULL ?
		view_floor(&page->results, row) : NULL;
	double least = f.none == NULL ? figure_least(&f) : *low;
	double most = f.none == NULL ? figure_most(&f) : *high;

	if (floor != NULL && view_headline(floor).median < least)
		least = view_headline(floor).median;
	if (floor != NULL && view_headline(floor).median > most)
		most = view_headline(floor).median;
	*low = *low > 0 && *low < least ? *low : least;
	*high = *high > most ? *high : most;
}

void
heading(struct picture *p, const char *s, enum kind kind)
{
	double x = SVG_EDGE;

	if (kind != KIND_UNKNOWN) {
		svg_mark(p, kind_colour(kind), false, x + 5, p->y + HEAD - 11);
		x += 17;
	}
	svg_text(p, x, p->y + HEAD - 6.5, HEADING, START,
		SVG_WIDE - SVG_EDGE - x, s);
	text_add(&p->words, " %s:", s);
	p->y += HEAD;
}

void
spell(struct picture *p, const char *label, const char *value, bool last)
{
	text_add(&p->words, " %s %s%s", label, value, last ? "." : ",");
}

struct text
rows_begin(struct picture *p, double *top)
{
	struct text before = p->body;

	p->y += 28;
	*top = p->y;
	p->body = (struct text){0};
	return before;
}

void
rows_end(struct picture *p, struct text before, const struct axis *axis,
	double top)
{
	struct text rows = p->body;

	p->body = before;
	svg_text(p, SVG_EDGE, top - 5, MUTED, START, LABELS, "time per op");
	draw_axis(p, axis, top, p->y, false);
	text_add(&p->body, "%s", rows.s);
	text_free(&rows);
}
