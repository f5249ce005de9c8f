/* SPDX-License-Identifier: MIT */
/* Each primitive on its own, in the write-ups' form. */
#include "page.h"

#include <string.h>

#define SCATTER_WIDTH 60
#define SCATTER_HEIGHT 8

/* "acquires/s", from "ns/acquire": how many in one second. */
static void
rate_name(struct text *t, const struct row *row)
{
	const char *unit = row->metrics ? row->metric[0].unit : "ns/op";

	text_add(t, "%s", strncmp(unit, "ns/", 3) == 0 ? unit + 3 : "op");
	text_add(t, "%s/s", t->len > 2 &&
		strcmp(t->s + t->len - 2, "ch") == 0 ? "es" : "s");
}

/* What has to be said about one row of a primitive's table. */
static void
row_notes(struct table *t, const struct row *row)
{
	struct text label = {0}, why = {0};
	struct modes modes;

	if (row->state != ROW_MEASURED)
		return;
	text_add(&label, "%s%s%s%s%s, %ld", row->as, *row->as ? " " : "",
		row->place, *row->params ? " " : "", row->params,
		row->workers);
	if (view_withheld(row))
		table_note(t, "%s: withheld, the workers run one after "
			"another, or one alone, so ns per op is not that of "
			"workers who contend.",
			label.s);
	modes = view_modes(row);
	if (modes.two) {
		text_add(&why, "%s: two modes, ", label.s);
		view_number(&why, modes.low);
		text_add(&why, " ns in %zu rounds and ", modes.lows);
		view_number(&why, modes.high);
		text_add(&why, " in %zu.", modes.highs);
		table_note(t, "%s", why.s);
		text_free(&why);
	}
	if (view_disturbed(row, &why))
		table_note(t, "%s: disturbed (%s) in %zu of %zu samples.",
			label.s, why.s, row->disturbed, row->samples);
	text_free(&label);
	text_free(&why);
}


/* A row whose workers contend: does ns per op follow the hand-offs? */
static void
scatter(struct page *p, const struct row *row)
{
	char dot[SCATTER_HEIGHT][SCATTER_WIDTH + 1];
	size_t n = row->x.n;
	struct text s = {0};
	double x0, x1, y0, y1;

	if (n < 6 || view_withheld(row))
		return;
	x0 = x1 = row->x.v[0];
	y0 = y1 = row->y.v[0];
	for (size_t i = 1; i < n; i++) {
		x0 = row->x.v[i] < x0 ? row->x.v[i] : x0;
		x1 = row->x.v[i] > x1 ? row->x.v[i] : x1;
		y0 = row->y.v[i] < y0 ? row->y.v[i] : y0;
		y1 = row->y.v[i] > y1 ? row->y.v[i] : y1;
	}
	/* With next to no hand-offs there is nothing to explain. */
	if (x1 < 0.001 || x1 <= x0 || y1 <= y0)
		return;
	memset(dot, ' ', sizeof dot);
	for (size_t i = 0; i < n; i++) {
		int x = (int)((row->x.v[i] - x0) / (x1 - x0) *
			(SCATTER_WIDTH - 1));
		int y = (int)((row->y.v[i] - y0) / (y1 - y0) *
			(SCATTER_HEIGHT - 1));

		dot[SCATTER_HEIGHT - 1 - y][x] = 'o';
	}
	text_add(&s, "%s, %zu samples:\nns per op (up) against hand-offs per "
		"op (right), rank correlation %.2f\n", row->name, n,
		rank_correlation(row->x.v, row->y.v, n));
	for (int k = 0; k < SCATTER_HEIGHT; k++) {
		struct text edge = {0};

		text_add(&edge, "%s", "");
		if (k == 0)
			view_number(&edge, y1);
		if (k == SCATTER_HEIGHT - 1)
			view_number(&edge, y0);
		dot[k][SCATTER_WIDTH] = '\0';
		text_add(&s, "%8s |%s\n", edge.s, dot[k]);
		text_free(&edge);
	}
	text_add(&s, "%8s +", "");
	for (int k = 0; k < SCATTER_WIDTH; k++)
		text_add(&s, "-");
	text_add(&s, "\n%10s", "");
	view_rate(&s, x0);
	text_add(&s, "%*s", SCATTER_WIDTH - 16, "");
	view_rate(&s, x1);
	text_add(&s, "\n");
	render_verbatim(&p->out, p->format, s.s);
	text_free(&s);
}

static void
ns_or_nothing(struct table *t, double v)
{
	if (v >= 0)
		number_cell(t, v);
	else
		table_cell(t, "%s", "");
}

/* Its rows in the write-ups' form, those with a fixed total apart. */
static void
primitive(struct page *p, size_t from, size_t end)
{
	const struct row *first = p->results.row[from];
	const struct row *measured = first_of(p, first->base);
	const struct about *about = about_find(&p->results, first->base, "");
	bool ways = false, params = false, fixed = first->fixed;
	bool cycles = false, handoffs = false, overlap = false, ideal = false;
	struct table t = {0};
	/* Its workers wait for each other, or for a peer. */
	bool peer = about != NULL && about->work != NULL &&
		strcmp(about->work, "fixed") == 0;
	bool waits = peer || (about != NULL && about->work != NULL &&
		strcmp(about->work, "total") == 0);
	struct text per_second = {0}, title = {0}, caption = {0};

	for (size_t i = from; i < end; i++) {
		ways |= *p->results.row[i]->as != '\0';
		handoffs |= row_metric(p->results.row[i],
			"handoffs/op") != NULL;
		overlap |= row_metric(p->results.row[i], "overlap") != NULL &&
			!waits;
		cycles |= row_metric(p->results.row[i], "cycles/op") != NULL;
		ideal |= row_metric(p->results.row[i], "x-ideal") != NULL;
		params |= !fixed && *p->results.row[i]->params != '\0';
	}
	table_column(&t, ways && params ? "as, on, with" : ways ? "as, on" :
		params ? "on, with" : "on", false);
	table_column(&t, "N", true);
	rate_name(&per_second, measured ? measured : first);
	table_column(&t, per_second.s, true);
	table_column(&t, "ns", true);
	if (!peer)
		table_column(&t, "least", true);
	table_column(&t, "interval", true);
	/* Of workers that contend, cycles say less than their overlap. */
	cycles &= !overlap;
	if (cycles)
		table_column(&t, "cycles", true);
	if (ideal)
		table_column(&t, "x ideal", true);
	if (peer)
		table_column(&t, "CPU ns", true);
	if (handoffs)
		table_column(&t, "handoffs", true);
	table_column(&t, "switches", true);
	if (overlap)
		table_column(&t, "overlap", true);
	for (size_t i = from; i < end; i++) {
		const struct row *row = p->results.row[i];
		const char *none = no_number(row);

		table_cell(&t, "%s%s%s%s%s", row->as, ways ? ", " : "",
			row->place, params && *row->params ? ", " : "",
			params ? row->params : "");
		table_cell(&t, "%ld", row->workers);
		if (none == NULL)
			table_cell(&t, "%.0f", 1e9 / view_headline(row).median);
		else
			table_cell(&t, "%s", "");
		ns_cell(&t, row);
		if (!peer)
			least_cell(&t, none ? NULL : row);
		interval_cell(&t, none ? NULL : row);
		if (cycles)
			cycles_cell(&t, none ? NULL : row);
		if (ideal)
			rate_cell(&t, view_value(row, "x-ideal"));
		if (peer)
			ns_or_nothing(&t, view_value(row, "cpu-ns/op"));
		if (handoffs)
			rate_cell(&t, view_value(row, "handoffs/op"));
		rate_cell(&t, view_switches(row));
		if (overlap)
			rate_cell(&t, view_value(row, "overlap"));
	}
	for (size_t i = from; i < end; i++)
		row_notes(&t, p->results.row[i]);
	if (fixed)
		table_note(&t, "The published form: this total, shared by the "
			"workers. Its overlap says how long they were at it "
			"together; near 0, one did its share after the other.");
	text_add(&title, "%s%s%s", first->base, fixed ? ", " : "",
		fixed ? first->params : "");
	t.title = title.s;
	t.level = 3;
	if (!fixed && about != NULL && about->op != NULL &&
	    about->is_not != NULL) {
		text_add(&caption, "One op: %s. Not %s.", about->op,
			about->is_not);
		t.caption = caption.s;
	}
	page_table(p, &t);
	table_free(&t);
	text_free(&per_second);
	for (size_t i = from; !fixed && i < end; i++)
		if (about != NULL && about->work != NULL &&
		    strcmp(about->work, "contend") == 0)
			scatter(p, p->results.row[i]);
}

static bool
same_table(const struct row *a, const struct row *b)
{
	return strcmp(a->base, b->base) == 0 && a->fixed == b->fixed &&
		(!a->fixed || strcmp(a->params, b->params) == 0);
}

void
primitives(struct page *p)
{
	for (size_t from = 0, end; from < p->results.rows; from = end) {
		end = from + 1;
		while (end < p->results.rows &&
		    same_table(p->results.row[from], p->results.row[end]))
			end++;
		primitive(p, from, end);
	}
}
