/* SPDX-License-Identifier: MIT */
/*
 * Pages fetched: a line of cells for each number of pages, a cell for each
 * number at a time, in it a bar for each way.
 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#define LEFT 104                /* where cells start */
#define BLOCK 3                 /* cells side by side */
#define STEP 18                 /* from one bar to the next */
#define VALUE 66                /* what stands at a bar's end */

/* The fetches, their distinct parameters, counts and ways. */
struct grid {
	const struct row **row;
	size_t rows;
	const char **params;
	size_t lines;
	long *workers;
	size_t columns;
	const char **as;
	size_t ways;
};

static int64_t
pages_of(const char *params)
{
	const char *s = strstr(params, "pages=");
	int64_t pages = 0;

	if (s != NULL) {
		char *number = need_copy(s + 6, strcspn(s + 6, "/"));

		(void)parse_number(number, 1, INT64_MAX, &pages);
		free(number);
	}
	return pages;
}

static int
by_pages(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int64_t m = pages_of(x), n = pages_of(y);

	return m > n ? 1 : m < n ? -1 : strcmp(x, y);
}

static int
by_count(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static void
add_name(const char ***list, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i], name) == 0)
			return;
	*list = need_more(*list, *n + 1, sizeof **list);
	(*list)[(*n)++] = name;
}

static void
take_row(struct grid *g, const struct row *row)
{
	size_t k = 0;

	g->row = need_more(g->row, g->rows + 1, sizeof *g->row);
	g->row[g->rows++] = row;
	add_name(&g->params, &g->lines, row->params);
	add_name(&g->as, &g->ways, row->as);
	while (k < g->columns && g->workers[k] != row->workers)
		k++;
	if (k < g->columns)
		return;
	g->workers = need_more(g->workers, g->columns + 1, sizeof *g->workers);
	g->workers[g->columns++] = row->workers;
}

static const struct row *
find(const struct grid *g, const char *params, long workers, const char *as)
{
	for (size_t i = 0; i < g->rows; i++)
		if (g->row[i]->workers == workers &&
		    strcmp(g->row[i]->params, params) == 0 &&
		    strcmp(g->row[i]->as, as) == 0)
			return g->row[i];
	return NULL;
}

/* The longest of a page in this line, in ns. */
static double
longest(const struct grid *g, const char *params)
{
	double most = 0;

	for (size_t i = 0; i < g->rows; i++) {
		struct figure f = row_figure(g->row[i]);

		if (strcmp(g->row[i]->params, params) == 0 &&
		    f.none == NULL && figure_most(&f) > most)
			most = figure_most(&f);
	}
	return most;
}

/* "50 pages", "50 pages, delay=0" */
static void
line_name(struct text *t, const char *params)
{
	text_add(t, "%lld pages", (long long)pages_of(params));
	while (*params != '\0') {
		size_t len = strcspn(params, "/");

		if (strncmp(params, "pages=", 6) != 0)
			text_add(t, ", %.*s", (int)len, params);
		params += len + (params[len] == '/');
	}
}

/* One bar; scale is px a ns of a page. */
static void
draw_bar(struct picture *p, const struct row *row, double x, double scale,
	bool last)
{
	struct figure f = row_figure(row);
	double end = x;
	double pages = (double)pages_of(row->params);
	struct text t = {0};

	svg_begin(p, row->name);
	if (f.none != NULL) {
		text_add(&t, "%s", f.none);
	} else {
		end = x + f.median * scale;
		svg_bar(p, way_colour(row->as), f.disturbed, x, p->y - 5,
			f.median * scale, 10);
		if (f.low > 0)
			svg_interval(p, way_colour(row->as), x + f.low * scale,
				p->y, x + f.high * scale, p->y);
		end = x + figure_most(&f) * scale;
		time_add(&t, f.median * pages);
	}
	text_add(&p->words, " %s %s%s", row->as, t.s, last ? ";" : ",");
	svg_text(p, end + 6, p->y + 4, PLAIN, START, VALUE - 6, t.s);
	svg_end(p);
	text_free(&t);
}

/* What the wait alone would take: one line through a cell. */
static void
draw_ideal(struct picture *p, const struct grid *g, const char *params,
	long workers, double x, double scale)
{
	for (size_t w = 0; w < g->ways; w++) {
		const struct row *row = find(g, params, workers, g->as[w]);
		double ideal = row ? view_value(row, "x-ideal") : -1;

		if (ideal <= 0 || no_number(row) != NULL)
			continue;
		x += view_headline(row).median / ideal * scale;
		svg_whisker(p, x, p->y - 9, x, p->y +
			(double)g->ways * STEP - 9);
		return;
	}
}

static void
draw_line(struct picture *p, const struct grid *g, const char *params,
	size_t from, struct marks *marks)
{
	size_t n = g->columns - from < BLOCK ? g->columns - from : BLOCK;
	double cell = (double)(SVG_WIDE - SVG_EDGE - LEFT) / (double)n;
	double most = longest(g, params);
	double scale = most > 0 ? (cell - VALUE - 12) / most : 0;
	struct text name = {0};

	line_name(&name, params);
	p->y += 30;
	svg_text(p, SVG_EDGE, p->y, HEADING, START, SVG_WIDE, name.s);
	p->y += 16;
	for (size_t w = 0; w < g->ways; w++)
		svg_text(p, SVG_EDGE, p->y + 4 + (double)w * STEP, PLAIN, START,
			LEFT - SVG_EDGE - 6, g->as[w]);
	for (size_t k = 0; k < n; k++) {
		double x = LEFT + (double)k * cell, top = p->y;
		struct text t = {0};

		text_add(&t, "%ld at a time", g->workers[from + k]);
		svg_text(p, x, top - 16, MUTED, START, cell, t.s);
		text_add(&p->words, " %s, %s:", name.s, t.s);
		svg_grid(p, x, top - 8, x, top + (double)g->ways * STEP - 8);
		for (size_t w = 0; w < g->ways; w++, p->y += STEP) {
			const struct row *row = find(g, params,
				g->workers[from + k], g->as[w]);
			struct figure f;

			if (row == NULL)
				continue;
			f = row_figure(row);
			marks_take(marks, row, &f);
			draw_bar(p, row, x, scale, w + 1 == g->ways);
		}
		p->y = top;
		draw_ideal(p, g, params, g->workers[from + k], x, scale);
		text_free(&t);
	}
	p->y += (double)g->ways * STEP - 12;
	text_free(&name);
}

bool
draw_fetch(struct page *page, struct picture *p)
{
	struct grid g = {0};
	struct marks marks = {0};
	bool any = false;

	for (size_t i = 0; i < page->results.rows; i++) {
		const struct row *row = page->results.row[i];

		if (strcmp(row->base, "Fetch") != 0 ||
		    pages_of(row->params) == 0)
			continue;
		take_row(&g, row);
		any |= no_number(row) == NULL;
	}
	if (any) {
		qsort(g.params, g.lines, sizeof *g.params, by_pages);
		qsort(g.workers, g.columns, sizeof *g.workers, by_count);
		text_add(&p->title, "Fetching pages: how long it takes");
		picture_head(p, "All pages, so many of them at a time. The "
			"upright line is what waiting for them would take if "
			"nothing else took time.");
		for (size_t from = 0; from < g.columns; from += BLOCK)
			for (size_t i = 0; i < g.lines; i++)
				draw_line(p, &g, g.params[i], from, &marks);
		p->y += 8;
		marks.modes = false;    /* the bar is their median */
		picture_foot(page, p, &marks, "Each number of pages has a "
			"scale of its own.", "pale");
	}
	free(g.row);
	free(g.params);
	free(g.workers);
	free(g.as);
	return any;
}
