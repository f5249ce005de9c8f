/* SPDX-License-Identifier: MIT */
/*
 * Time per op against the number of workers, both logarithmic, a line a series,
 * named at its end.
 */
#include "chart.h"

#include <stdlib.h>
#include <string.h>

#define LEFT 66                 /* the plot's sides; names to its right */
#define RIGHT 424
#define NAMES 440
#define HEIGHT 330

void
chart_take(struct chart *c, const struct row *row)
{
	struct series *s = c->n ? &c->series[c->n - 1] : NULL;

	if (s == NULL || !view_same_series(s->row[0], row)) {
		c->series = need_more(c->series, c->n + 1, sizeof *c->series);
		s = &c->series[c->n++];
		*s = (struct series){0};
	}
	s->row = need_more(s->row, s->rows + 1, sizeof *s->row);
	s->row[s->rows++] = row;
}

size_t
chart_drop(struct chart *c, size_t least)
{
	size_t kept = 0, gone = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t numbers = 0;

		for (size_t k = 0; k < c->series[i].rows; k++)
			numbers += no_number(c->series[i].row[k]) == NULL;
		if (numbers >= least) {
			c->series[kept++] = c->series[i];
		} else {
			gone += numbers;
			free(c->series[i].row);
		}
	}
	c->n = kept;
	return gone;
}

static void
make_axes(struct chart *c, double top, double bottom)
{
	double low = 0, high = 0;
	long fewest = 0, most = 0;

	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->series[i].rows; k++) {
			const struct row *row = c->series[i].row[k];
			struct figure f = row_figure(row);

			fewest = fewest && fewest < row->workers ? fewest :
				row->workers;
			most = most > row->workers ? most : row->workers;
			if (f.none != NULL)
				continue;
			low = low > 0 && low < figure_least(&f) ? low :
				figure_least(&f);
			high = high > figure_most(&f) ? high : figure_most(&f);
		}
	}
	c->up = axis_make(low, high, bottom, top);
	c->across = (struct axis){(double)fewest, (double)most, LEFT + 12,
		RIGHT - 8};
}

static int
by_end(const void *a, const void *b)
{
	const struct series *x = a, *y = b;

	return x->end > y->end ? 1 : x->end < y->end ? -1 :
		strcmp(x->label, y->label);
}

/*
 * Each name as near to its line's end as others let it: runs of names that
 * would overlap are moved as one, to the mean of where they want to be
 * (pool adjacent violators; Barlow et al., Statistical Inference under Order
 * Restrictions, 1972).
 */
static void
push_apart(struct series *s, size_t n, double top, double bottom)
{
	struct run {
		double sum;
		size_t n;
	} *run = need(n, sizeof *run);
	size_t runs = 0, i = 0;
	double last = bottom - (double)(n ? n - 1 : 0) * SVG_LINE;

	for (size_t k = 0; k < n; k++) {
		/* Less the room that those above take. */
		double want = s[k].end - (double)k * SVG_LINE;

		want = want < top ? top : want > last ? last : want;
		run[runs++] = (struct run){want, 1};
		while (runs > 1 && run[runs - 2].sum *
		    (double)run[runs - 1].n >= run[runs - 1].sum *
		    (double)run[runs - 2].n) {
			run[runs - 2].sum += run[runs - 1].sum;
			run[runs - 2].n += run[runs - 1].n;
			runs--;
		}
	}
	for (size_t r = 0; r < runs; r++)
		for (size_t k = 0; k < run[r].n; k++, i++)
			s[i].at = run[r].sum / (double)run[r].n +
				(double)i * SVG_LINE;
	free(run);
}

/* The counts that were measured, as far as there is room to name them. */
static void
draw_counts(struct chart *c, struct picture *p, double top, double bottom)
{
	double taken = 0;
	long count = 0;

	for (;;) {
		long next = 0;
		struct text t = {0};
		double x, half;

		for (size_t i = 0; i < c->n; i++)
			for (size_t k = 0; k < c->series[i].rows; k++) {
				long w = c->series[i].row[k]->workers;

				if (w > count && (next == 0 || w < next))
					next = w;
			}
		if (next == 0)
			return;
		count = next;
		x = axis_at(&c->across, (double)count);
		text_add(&t, "%ld", count);
		half = svg_width(MUTED, t.s) / 2;
		svg_grid(p, x, top, x, bottom);
		if (x - half > taken) {
			svg_text(p, x, bottom + 17, MUTED, MIDDLE, 80, t.s);
			taken = x + half + 6;
		}
		text_free(&t);
	}
}

static void
draw_series(struct chart *c, struct picture *p, struct series *s,
	struct marks *marks)
{
	double from_x = 0, from_y = 0;  /* 0: what has no number is a gap */

	for (size_t k = 0; k < s->rows; k++) {
		struct figure f = row_figure(s->row[k]);
		double x = axis_at(&c->across, (double)s->row[k]->workers);
		double y = f.none == NULL ? axis_at(&c->up, f.median) : 0;

		if (from_y > 0 && y > 0)
			svg_line(p, s->colour, s->dash, from_x, from_y, x, y);
		from_x = x;
		from_y = y;
	}
	for (size_t k = 0; k < s->rows; k++) {
		const struct row *row = s->row[k];
		struct figure f = row_figure(row);
		double x = axis_at(&c->across, (double)row->workers);

		marks_take(marks, row, &f);
		if (f.none != NULL)
			continue;
		svg_begin(p, row->name);
		draw_figure(p, s->colour, &f, &c->up, x, true);
		svg_end(p);
	}
}

/* The names, and what ties each to its line's end. */
static void
draw_names(struct chart *c, struct picture *p)
{
	for (size_t i = 0; i < c->n; i++) {
		struct series *s = &c->series[i];
		double x = 0;

		for (size_t k = 0; k < s->rows; k++)
			if (no_number(s->row[k]) == NULL)
				x = axis_at(&c->across,
					(double)s->row[k]->workers);
		svg_line(p, s->colour, DOTTED, x + 8, s->end, RIGHT + 3,
			s->end);
		svg_line(p, s->colour, DOTTED, RIGHT + 3, s->end, NAMES - 4,
			s->at);
		svg_text(p, NAMES, s->at + 4, PLAIN, START,
			SVG_WIDE - SVG_EDGE - NAMES, s->label);
	}
}

/* "Futex, 1 CPU: 1.16 us at 2, 2.09 us at 8." */
static void
spell(struct picture *p, const struct series *s)
{
	text_add(&p->words, " %s:", s->label);
	for (size_t k = 0; k < s->rows; k++) {
		struct figure f = row_figure(s->row[k]);
		struct text t = {0};

		figure_add(&t, &f);
		text_add(&p->words, "%s %s at %ld", k ? "," : "", t.s,
			s->row[k]->workers);
		text_free(&t);
	}
	text_add(&p->words, ".");
}

/* What has no number, and where. */
static void
missing_add(const struct chart *c, struct text *t)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->series[i].rows; k++) {
			const struct row *row = c->series[i].row[k];
			const char *none = no_number(row);

			if (none == NULL)
				continue;
			text_add(t, "%s %s at %ld: %s", any ? ";" :
				" No point:", c->series[i].label, row->workers,
				none);
			any = true;
		}
	text_add(t, "%s", any ? "." : "");
}

void
chart_draw(struct page *page, struct picture *p, struct chart *c,
	const char *foot)
{
	struct marks marks = {0};
	struct text said = {0};
	double top, bottom;

	p->y += 28;
	svg_text(p, SVG_EDGE, p->y - 5, MUTED, START, SVG_WIDE,
		"time per op");
	top = p->y += 8;
	bottom = top + HEIGHT;
	/* All names are to have room. */
	if (bottom < top + (double)c->n * SVG_LINE)
		bottom = top + (double)c->n * SVG_LINE;
	make_axes(c, top, bottom);
	draw_axis(p, &c->up, LEFT, RIGHT, true);
	draw_counts(c, p, top, bottom);
	svg_text(p, NAMES, bottom + 17, MUTED, START,
		SVG_WIDE - SVG_EDGE - NAMES, "workers");
	for (size_t i = 0; i < c->n; i++) {
		struct series *s = &c->series[i];

		for (size_t k = 0; k < s->rows; k++) {
			struct figure f = row_figure(s->row[k]);

			if (f.none == NULL)
				s->end = axis_at(&c->up, f.median);
		}
		spell(p, s);
	}
	for (size_t i = 0; i < c->n; i++)
		draw_series(c, p, &c->series[i], &marks);
	qsort(c->series, c->n, sizeof *c->series, by_end);
	push_apart(c->series, c->n, top + 4, bottom - 4);
	draw_names(c, p);
	p->y = bottom + 22;
	text_add(&said, "%s", foot);
	missing_add(c, &said);
	picture_foot(page, p, &marks, said.s + strspn(said.s, " "), "pale");
	text_free(&said);
}

void
chart_free(struct chart *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->series[i].row);
		free(c->series[i].label);
	}
	free(c->series);
}
