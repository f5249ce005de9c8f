/* SPDX-License-Identifier: MIT */
/* Rows against each other: by distance, in plain calls, as sums of floors. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* How a value comes back, against a plain call. */
void
against_call(struct page *p)
{
	const struct row *call = NULL;
	struct table t = {0};
	struct text title = {0};

	for (size_t i = 0; i < p->results.rows; i++)
		if (strcmp(p->results.row[i]->base, "Call") == 0 &&
		    strcmp(p->results.row[i]->as, "direct") == 0 &&
		    p->results.row[i]->state == ROW_MEASURED)
			call = p->results.row[i];
	table_column(&t, "how a value comes back", false);
	table_column(&t, "generators", true);
	table_column(&t, "ns", true);
	table_column(&t, "interval", true);
	table_column(&t, "plain calls", true);
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		char *label;

		if (!in_group(row, "gen") || no_number(row) != NULL)
			continue;
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%ld", row->workers);
		ns_cell(&t, row);
		interval_cell(&t, row);
		if (call != NULL)
			number_cell(&t, view_headline(row).median /
				view_headline(call).median);
		else
			table_cell(&t, "%s", "");
	}
	text_add(&title, "%s", "A value comes back: how many plain calls");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0)
		page_table(p, &t);
	table_free(&t);
}

bool
hands_over(const struct row *row)
{
	const char *unit = row->metrics ? row->metric[0].unit : "";

	return row->workers == 2 && !row->fixed && *row->params == '\0' &&
		(*row->as == '\0' || strcmp(row->as, "thread") == 0) &&
		(strcmp(unit, "ns/handoff") == 0 ||
		 strcmp(unit, "ns/acquire") == 0) &&
		strcmp(row->place, "none") != 0;
}

/* How far the cost of a cache line moved between rounds, over all rows: a
 * hypervisor moves CPUs about under a guest. */
static void
line_note(struct page *p, struct table *t)
{
	double low = 0, high = 0;
	struct text s = {0};

	for (size_t i = 0; i < p->results.rows; i++) {
		const struct metric *m = row_metric(p->results.row[i],
			"line-ns");

		for (size_t k = 0; m != NULL && k < m->rounds.n; k++) {
			double v = m->rounds.v[k];

			low = low > 0 && low < v ? low : v;
			high = high > v ? high : v;
		}
	}
	if (low <= 0)
		return;
	text_add(&s, "A cache line took ");
	view_number(&s, low);
	text_add(&s, " to ");
	view_number(&s, high);
	text_add(&s, " ns from one CPU to the other, seen beside each row in "
		"its rounds.");
	if (high > 2 * low)
		text_add(&s, " That is more than twice: the machine moved our "
			"CPUs about, or its clock rate, and every row across "
			"CPUs moved with it.");
	table_note(t, "%s", s.s);
	text_free(&s);
}

void
by_distance(struct page *p)
{
	const struct row *column[PER_TABLE];
	struct table t = {0};
	struct text title = {0};
	size_t n = 0;

	for (size_t i = 0; i < p->results.rows && n < PER_TABLE; i++) {
		bool known = !hands_over(p->results.row[i]);

		for (size_t k = 0; k < n; k++)
			known |= strcmp(column[k]->base,
				p->results.row[i]->base) == 0;
		if (!known)
			column[n++] = p->results.row[i];
	}
	table_column(&t, "ns per op, 2 threads on", false);
	table_column(&t, "CPUs", false);
	for (size_t k = 0; k < n; k++)
		table_column(&t, column[k]->base, true);
	for (const char *const *d = view_distances; *d != NULL; d++) {
		const struct row *cell[PER_TABLE], *any = NULL;

		for (size_t k = 0; k < n; k++) {
			cell[k] = view_find(&p->results, column[k]->base,
				column[k]->as, *d, 2);
			any = cell[k] ? cell[k] : any;
		}
		if (any == NULL)
			continue;
		table_cell(&t, "%s", *d);
		table_cell(&t, "%s", any->cpus ? any->cpus : "");
		for (size_t k = 0; k < n; k++)
			ns_cell(&t, cell[k]);
	}
	text_add(&title, "%s", "By distance: hand-offs, and a lock");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0) {
		table_note(&t, "same: both on one CPU; smt: two hardware "
			"threads of a core; llc: two cores under one "
			"last-level cache; cross: as far as the machine goes. "
			"On one CPU a hand-off is a switch; across CPUs it is "
			"a wake-up: the other CPU may have to leave an idle "
			"state first.");
		line_note(p, &t);
		page_table(p, &t);
	}
	table_free(&t);
}

/* The floors of one row, by name: "Syscall/as=wake Syscall/as=wait". Returns
 * how many were measured on one CPU, or 0 when one was not. */
static size_t
find_parts(struct page *p, const char *parts, const struct row **part,
	size_t most)
{
	size_t n = 0;

	while (*parts != '\0' && n < most) {
		size_t len = strcspn(parts, " ");
		char *name = need_copy(parts, len), *as = strstr(name, "/as=");

		if (as != NULL)
			*as = '\0';
		part[n] = view_find(&p->results, name, as ? as + 4 : "", "same",
			0);
		free(name);
		if (part[n++] == NULL)
			return 0;
		parts += len + (parts[len] == ' ');
	}
	return n;
}

/* What is left of a row's round after the same round of each part; nothing if
 * one of them has no such round. */
static void
own_part(const struct row *row, size_t round, const struct row **part,
	size_t n, struct values *own)
{
	double x = row->metric[0].rounds.v[round];
	int64_t id = (int64_t)row->round_ids.v[round];
	size_t found = 0;

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < part[k]->round_ids.n; i++)
			if ((int64_t)part[k]->round_ids.v[i] == id) {
				x -= part[k]->metric[0].rounds.v[i];
				found++;
				break;
			}
	if (found == n)
		values_add(own, x);
}

/* row = part + part + x, where it runs on one CPU and costs add up. x is the
 * median over rounds, and may be negative: then they do not. */
void
ladder(struct page *p)
{
	struct table t = {0};
	struct text title = {0};

	table_column(&t, "one op of", false);
	table_column(&t, "workers", true);
	table_column(&t, "ns", true);
	table_column(&t, "is", false);
	table_column(&t, "and its own", true);
	table_column(&t, "interval", true);
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i], *part[4];
		struct values own = {0};
		struct text sum = {0};
		struct summary s;
		char *label;
		size_t n = 0;

		/* More workers add their cache misses, which is no part. */
		if (row->about != NULL && row->about->parts != NULL &&
		    row->workers <= 2 &&
		    no_number(row) == NULL && strcmp(row->place, "same") == 0 &&
		    *row->params == '\0')
			n = find_parts(p, row->about->parts, part, 4);
		if (n == 0)
			continue;
		for (size_t r = 0; r < row->round_ids.n; r++)
			own_part(row, r, part, n, &own);
		if (own.n == 0)
			continue;
		for (size_t k = 0; k < n; k++) {
			const char *as = part[k]->as;

			text_add(&sum, "%s%s ", k ? "+ " : "",
				*as ? as : part[k]->base);
			view_number(&sum, view_headline(part[k]).median);
			text_add(&sum, "%s", k + 1 < n ? " " : "");
		}
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%ld", row->workers);
		ns_cell(&t, row);
		table_cell(&t, "%s", sum.s);
		s = summarise(own.v, own.n);
		number_cell(&t, s.median);
		range_cell(&t, &s);
		text_free(&sum);
		free(own.v);
	}
	text_add(&title, "%s", "What a switch is made of, on one CPU");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0) {
		table_note(&t, "Its own: the median over rounds of what is "
			"left in each. Only where one CPU does one thing after "
			"the other is a cost the sum of its parts; across CPUs "
			"they overlap, and no sum is given.");
		page_table(p, &t);
	}
	table_free(&t);
}
