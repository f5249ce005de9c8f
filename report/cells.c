/* SPDX-License-Identifier: MIT */
/* The cells that the tables of a page share. */
#include "page.h"

#include <string.h>

void
page_table(struct page *p, struct table *t)
{
	struct text host = {0};

	view_host(&p->results, &host);
	t->host = host.s;
	render_table(&p->out, p->format, t);
}

bool
in_group(const struct row *row, const char *group)
{
	return strcmp(view_group(row), group) == 0;
}

void
number_cell(struct table *t, double v)
{
	struct text s = {0};

	view_number(&s, v);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* A rate, or nothing where it was not measured. */
void
rate_cell(struct table *t, double v)
{
	struct text s = {0};

	text_add(&s, "%s", "");
	if (v >= 0)
		view_rate(&s, v);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* What stands where a number cannot: why there is none. */
const char *
no_number(const struct row *row)
{
	if (row == NULL)
		return "";
	if (row->state == ROW_SKIPPED)
		return "skipped";
	if (row->state == ROW_FAILED || row->why != NULL)
		return "failed";
	return view_withheld(row) ? "withheld" : NULL;
}

/* The median, or both of two modes; a mark where something disturbed it. */
void
ns_cell(struct table *t, const struct row *row)
{
	const char *none = no_number(row);
	struct text s = {0};
	struct modes modes;

	if (none != NULL) {
		table_cell(t, "%s", none);
		return;
	}
	modes = view_modes(row);
	view_number(&s, modes.two ? modes.low : view_headline(row).median);
	if (modes.two) {
		text_add(&s, "/");
		view_number(&s, modes.high);
	}
	if (view_disturbed(row, NULL))
		text_add(&s, "!");
	table_cell(t, "%s", s.s);
	text_free(&s);
}

void
range_cell(struct table *t, const struct summary *s)
{
	struct text text = {0};

	if (s->level == 0) {
		table_cell(t, "n/a");
		return;
	}
	view_number(&text, s->low);
	text_add(&text, "..");
	view_number(&text, s->high);
	table_cell(t, "%s", text.s);
	text_free(&text);
}

void
interval_cell(struct table *t, const struct row *row)
{
	struct summary s;

	if (row == NULL) {
		table_cell(t, "%s", "");
		return;
	}
	s = view_headline(row);
	range_cell(t, &s);
}

void
least_cell(struct table *t, const struct row *row)
{
	if (row != NULL)
		number_cell(t, row->metric[0].least);
	else
		table_cell(t, "%s", "");
}

/* "22.1x Atomic", "1.60x mask", or nothing. */
void
floor_cell(struct page *p, struct table *t, const struct row *row)
{
	const struct row *floor = view_floor(&p->results, row);
	struct text s = {0};

	if (floor == NULL) {
		table_cell(t, "%s", "");
		return;
	}
	view_ratio(&s, view_headline(row).median /
		view_headline(floor).median);
	text_add(&s, "x %s", *floor->as && strcmp(floor->as, row->as) ?
		floor->as : floor->base);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* The kernel's switches per op and what they allow to call it. */
void
claim_cell(struct table *t, const struct row *row)
{
	struct text s = {0};
	double switches = row ? view_switches(row) : -1;

	text_add(&s, "%s", "");
	if (switches > 1.1)
		text_add(&s, "%.1f ", switches);
	else if (switches >= 0.9)
		text_add(&s, "%.2f ", switches);
	if (row != NULL)
		view_claim(row, &s);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* Cycles, where most rounds had them. */
void
cycles_cell(struct table *t, const struct row *row)
{
	const struct metric *m = row ? row_metric(row, "cycles/op") : NULL;

	if (m == NULL || 2 * m->rounds.n <= row->metric[0].rounds.n)
		table_cell(t, "%s", "");
	else
		number_cell(t, summarise(m->rounds.v, m->rounds.n).median);
}

/* A row of this program that was measured, or NULL. */
const struct row *
first_of(struct page *p, const char *base)
{
	for (size_t i = 0; i < p->results.rows; i++)
		if (strcmp(p->results.row[i]->base, base) == 0 &&
		    p->results.row[i]->metrics > 0)
			return p->results.row[i];
	return NULL;
}
