/* SPDX-License-Identifier: MIT */
/*
 * Pages fetched and rows loaded: a line of cells for each way to set the task,
 * a cell for each number at a time, in it a bar for each way to do it.
 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#define LEFT 104                /* where cells start */
#define CELL 161                /* the width of one */
#define BLOCK 3                 /* so many side by side */
#define VALUE 66                /* of what stands at a bar's end */
#define STEP 18                 /* from one bar to the next */

/* A picture of this kind. */
struct task {
	const char *base;       /* the program */
	const char *size;       /* the parameter that says how much there is */
	const char *things;     /* what there is so much of */
	const char *at_a_time;  /* what a worker count is called */
	bool rate;              /* so many a second, not how long in all */
};

/* Its rows, by what may differ. */
struct grid {
	const struct task *task;
	const struct row **row;
	size_t rows;
	const char **params;    /* distinct ones, in order */
	size_t lines;
};

/* The numbers and ways of one line, and px for what its bars are made of. */
struct line {
	long *workers;
	size_t cells;
	const char **as;
	size_t ways;
	double scale;
};

/* How much there is to do; 0: it is not said. */
static int64_t
size_of(const struct task *task, const char *params)
{
	size_t len = strlen(task->size);
	int64_t n = 0;
	char *number;

	while (strncmp(params, task->size, len) != 0 || params[len] != '=') {
		params += strcspn(params, "/");
		if (*params++ == '\0')
			return 0;
	}
	number = need_copy(params + len + 1, strcspn(params + len + 1, "/"));
	(void)parse_number(number, 1, INT64_MAX, &n);
	free(number);
	return n;
}

/* What a bar is as long as. */
static double
amount(const struct task *task, double ns)
{
	return task->rate ? 1e9 / ns : ns;
}

/* What has no more parameters comes first, then from little to do to much;
 * qsort passes nothing else on. */
static const struct task *sorting;

static int
by_size(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int64_t m = size_of(sorting, x), n = size_of(sorting, y);
	int more = (strchr(x, '/') != NULL) - (strchr(y, '/') != NULL);

	return more ? more : m > n ? 1 : m < n ? -1 : strcmp(x, y);
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

/* Returns whether there is a number to show. */
static bool
find_rows(struct page *page, struct grid *g)
{
	bool any = false;

	for (size_t i = 0; i < page->results.rows; i++) {
		const struct row *row = page->results.row[i];

		if (strcmp(row->base, g->task->base) != 0 ||
		    size_of(g->task, row->params) == 0)
			continue;
		g->row = need_more(g->row, g->rows + 1, sizeof *g->row);
		g->row[g->rows++] = row;
		add_name(&g->params, &g->lines, row->params);
		any |= no_number(row) == NULL;
	}
	sorting = g->task;
	if (g->lines > 0)
		qsort(g->params, g->lines, sizeof *g->params, by_size);
	return any;
}

static struct line
find_line(const struct grid *g, const char *params)
{
	struct line line = {0};
	double most = 0;

	for (size_t i = 0; i < g->rows; i++) {
		const struct row *row = g->row[i];
		struct figure f = row_figure(row);
		size_t k = 0;

		if (strcmp(row->params, params) != 0)
			continue;
		add_name(&line.as, &line.ways, row->as);
		while (k < line.cells && line.workers[k] != row->workers)
			k++;
		if (k == line.cells) {
			line.workers = need_more(line.workers, k + 1,
				sizeof *line.workers);
			line.workers[line.cells++] = row->workers;
		}
		if (f.none == NULL) {
			double v = amount(g->task, g->task->rate ?
				figure_least(&f) : figure_most(&f));

			most = most > v ? most : v;
		}
	}
	if (line.cells > 0)
		qsort(line.workers, line.cells, sizeof *line.workers, by_count);
	line.scale = most > 0 ? (CELL - VALUE - 12) / most : 0;
	return line;
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

/* "50 pages", "1200 rows, work=1000" */
static void
name_add(struct text *t, const struct task *task, const char *params)
{
	text_add(t, "%lld %s", (long long)size_of(task, params), task->things);
	while (*params != '\0') {
		size_t len = strcspn(params, "/");

		if (strncmp(params, task->size, strlen(task->size)) != 0)
			text_add(t, ", %.*s", (int)len, params);
		params += len + (params[len] == '/');
	}
}

/* "20.8 ms", "124k/s" */
static void
value_add(struct text *t, const struct task *task, const struct row *row)
{
	double ns = view_headline(row).median, v = 1e9 / ns;
	int thousands = 0;

	if (!task->rate) {
		time_add(t, ns * (double)size_of(task, row->params));
		return;
	}
	for (; v >= 999.5 && thousands < 2; thousands++)
		v /= 1000;
	view_number(t, v);
	text_add(t, "%s/s", thousands == 2 ? "M" : thousands == 1 ? "k" : "");
}

static void
draw_bar(struct picture *p, const struct task *task, const struct row *row,
	double x, double scale)
{
	struct figure f = row_figure(row);
	double end = x;
	struct text t = {0};

	svg_begin(p, row->name);
	if (f.none != NULL) {
		text_add(&t, "%s", f.none);
	} else {
		double length = amount(task, f.median) * scale;
		double low = amount(task, figure_least(&f)) * scale;
		double high = amount(task, figure_most(&f)) * scale;

		svg_bar(p, way_colour(row->as), f.disturbed, x, p->y - 5,
			length, 10);
		if (f.low > 0)
			svg_interval(p, way_colour(row->as), x + low, p->y,
				x + high, p->y);
		end += low > high ? low : high;
		value_add(&t, task, row);
	}
	text_add(&p->words, " %s %s,", row->as, t.s);
	svg_text(p, end + 6, p->y + 4, PLAIN, START, VALUE, t.s);
	svg_end(p);
	text_free(&t);
}

/* What the wait alone would take: one line through a cell. */
static void
draw_ideal(struct picture *p, const struct row *row, double x,
	const struct line *line)
{
	double ideal = row ? view_value(row, "x-ideal") : -1;

	if (ideal <= 0 || no_number(row) != NULL)
		return;
	x += view_headline(row).median / ideal * line->scale;
	svg_whisker(p, x, p->y - 9, x, p->y + (double)line->ways * STEP - 9);
}

/* The cells from the first on, as far as they go side by side. */
static void
draw_block(struct picture *p, const struct grid *g, const char *params,
	const struct line *line, size_t first, struct marks *marks)
{
	const struct task *task = g->task;

	for (size_t w = 0; w < line->ways; w++)
		svg_text(p, SVG_EDGE, p->y + 4 + (double)w * STEP, PLAIN, START,
			LEFT - SVG_EDGE - 6, line->as[w]);
	for (size_t k = first; k < line->cells && k < first + BLOCK; k++) {
		double x = LEFT + (double)(k - first) * CELL, top = p->y;
		struct text t = {0};

		text_add(&t, "%ld %s", line->workers[k], task->at_a_time);
		svg_text(p, x, top - 16, MUTED, START, CELL - 8, t.s);
		text_add(&p->words, " %s:", t.s);
		svg_grid(p, x, top - 8, x, top + (double)line->ways * STEP - 8);
		for (size_t w = 0; w < line->ways; w++, p->y += STEP) {
			const struct row *row = find(g, params,
				line->workers[k], line->as[w]);
			struct figure f;

			if (row == NULL)
				continue;
			f = row_figure(row);
			marks_take(marks, row, &f);
			draw_bar(p, task, row, x, line->scale);
		}
		p->y = top;
		if (!task->rate)
			draw_ideal(p, find(g, params, line->workers[k],
				line->as[0]), x, line);
		text_free(&t);
	}
}

static void
draw_line(struct picture *p, const struct grid *g, const char *params,
	struct marks *marks)
{
	struct line line = find_line(g, params);
	struct text name = {0};

	name_add(&name, g->task, params);
	text_add(&p->words, " %s:", name.s);
	p->y += 30;
	svg_text(p, SVG_EDGE, p->y, HEADING, START, SVG_WIDE - 2 * SVG_EDGE,
		name.s);
	/* A long name has a line of its own. */
	if (svg_width(HEADING, name.s) > LEFT - SVG_EDGE - 6)
		p->y += 18;
	for (size_t k = 0; k < line.cells; k += BLOCK) {
		p->y += k > 0 ? 28 : 16;
		draw_block(p, g, params, &line, k, marks);
		p->y += (double)line.ways * STEP - 12;
	}
	text_free(&name);
	free(line.workers);
	free(line.as);
}

static bool
draw_grid(struct page *page, struct picture *p, const struct task *task,
	const char *title, const char *said)
{
	struct grid g = {.task = task};
	struct marks marks = {0};
	bool any = find_rows(page, &g);

	if (any) {
		text_add(&p->title, "%s", title);
		picture_head(p, said);
		p->y -= 2;
		for (size_t i = 0; i < g.lines; i++)
			draw_line(p, &g, g.params[i], &marks);
		p->y += 8;
		marks.modes = false;    /* a bar is their median */
		picture_foot(page, p, &marks, "Each line of cells has a scale "
			"of its own.", "pale");
	}
	free(g.row);
	free(g.params);
	return any;
}

bool
draw_fetch(struct page *page, struct picture *p)
{
	static const struct task task = {"Fetch", "pages", "pages", "at a time",
		false};

	return draw_grid(page, p, &task, "Fetching pages: how long it takes",
		"All pages, so many of them at a time. The upright line is "
		"what waiting for them would take if nothing else took time.");
}

bool
draw_rows(struct page *page, struct picture *p)
{
	static const struct task task = {"Rows", "rows", "rows", "connections",
		true};

	return draw_grid(page, p, &task, "Loading rows: how many a second",
		"So many rows over so many connections; work is the client's "
		"own, in ns a row, batch how many go in one message.");
}
