/* SPDX-License-Identifier: MIT */
/*
 * Several hosts: what they have in common and what not, each row's range over
 * them, then all of them side by side. Nothing is pooled: a number is one
 * host's.
 */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MOST 9             /* bytes of a host's name over a column */
#define RANGE_LEAST 3           /* hosts: two are read side by side */

static const struct results *host;
static size_t hosts;
static char (*head)[24];        /* of each host's column */

/* The rows of all hosts, each name once, in the order of a table. */
static struct results all;

static const char *
name_of(size_t h)
{
	return fact_find(host[h].note, host[h].notes, "host");
}

/* Names where all are short and none is another's, else numbers. */
static void
name_columns(void)
{
	bool named = true;

	head = need(hosts, sizeof *head);
	for (size_t h = 0; h < hosts; h++) {
		const char *name = name_of(h);

		named &= name != NULL && *name != '\0' &&
			strlen(name) <= NAME_MOST;
		for (size_t k = 0; named && k < h; k++)
			named &= strcmp(name, name_of(k)) != 0;
	}
	for (size_t h = 0; h < hosts; h++)
		if (named)
			(void)snprintf(head[h], sizeof *head, "%s",
				name_of(h));
		else
			(void)snprintf(head[h], sizeof *head, "%zu", h + 1);
}

static void
gather_rows(void)
{
	for (size_t h = 0; h < hosts; h++) {
		if (host[h].abouts > all.abouts) {
			all.about = host[h].about;
			all.abouts = host[h].abouts;
		}
		for (size_t i = 0; i < host[h].rows; i++) {
			bool known = false;

			for (size_t k = 0; k < h && !known; k++)
				known = results_find(&host[k],
					host[h].row[i]->name) != NULL;
			if (known)
				continue;
			all.row = need_more(all.row, all.rows + 1,
				sizeof *all.row);
			all.row[all.rows++] = host[h].row[i];
		}
	}
	view_sort(&all);
}

static void
hosts_table(struct text *out, enum format format)
{
	struct table t = {.level = 2};
	struct text title = {0};

	table_column(&t, "host", false);
	table_column(&t, "files", true);
	table_column(&t, "rounds", true);
	table_column(&t, "rows", true);
	table_column(&t, "date", false);
	table_column(&t, "name", false);
	for (size_t h = 0; h < hosts; h++) {
		const char *date = fact_find(host[h].note, host[h].notes,
			"date");
		size_t rounds = 0, rows = 0;

		for (size_t i = 0; i < host[h].rows; i++) {
			const struct row *row = host[h].row[i];

			rows += row->state == ROW_MEASURED;
			if (row->metrics > 0 &&
			    row->metric[0].rounds.n > rounds)
				rounds = row->metric[0].rounds.n;
		}
		table_cell(&t, "%s", head[h]);
		table_cell(&t, "%d", host[h].files);
		table_cell(&t, "%zu", rounds);
		table_cell(&t, "%zu", rows);
		table_cell(&t, "%s", date ? date : "");
		table_cell(&t, "%s", name_of(h) ? name_of(h) : "");
	}
	text_add(&title, "%zu hosts, side by side", hosts);
	t.title = title.s;
	table_note(&t, "Files of one host are one run of more rounds. Where "
		"any field of the host block differs it is another host. For "
		"the tables of one host, give its files alone.");
	render_table(out, format, &t);
	table_free(&t);
}

/* Appends the hosts for which it holds as a list, "1-4,7". */
static void
add_list(struct text *t, const bool *in)
{
	const char *before = "";

	for (size_t h = 0, end; h < hosts; h = end) {
		end = h + 1;
		if (!in[h])
			continue;
		while (end < hosts && in[end])
			end++;
		text_add(t, "%s%s", before, head[h]);
		if (end > h + 1)
			text_add(t, "%s%s", end > h + 2 ? ".." : ",",
				head[end - 1]);
		before = ",";
	}
}

/* Appends a line for each value that a host has: one, where they agree. */
static void
field_lines(struct text *t, const char *key)
{
	bool *told = need(hosts, sizeof *told), *in = need(hosts, sizeof *in);

	for (size_t h = 0; h < hosts; h++) {
		const char *value = fact_find(host[h].host, host[h].hosts, key);
		size_t n = 0;

		if (told[h])
			continue;
		for (size_t k = 0; k < hosts; k++) {
			const char *other = fact_find(host[k].host,
				host[k].hosts, key);

			in[k] = value == NULL || other == NULL ?
				value == other : strcmp(value, other) == 0;
			told[k] |= in[k];
			n += in[k];
		}
		if (n < hosts) {
			text_add(t, "* %s (", key);
			add_list(t, in);
			text_add(t, "): ");
		} else {
			text_add(t, "%s: ", key);
		}
		text_add(t, "%s\n", value ? value : "(not given)");
	}
	free(told);
	free(in);
}

static void
host_block(struct text *out, enum format format)
{
	struct text t = {0};

	render_heading(out, format, 2, "The hosts; where they differ, a star");
	for (size_t h = 0; h < hosts; h++)
		for (size_t i = 0; i < host[h].hosts; i++) {
			const char *key = host[h].host[i].key;
			bool told = false;

			for (size_t k = 0; k < h && !told; k++)
				told = fact_find(host[k].host, host[k].hosts,
					key) != NULL;
			if (!told)
				field_lines(&t, key);
		}
	render_literal(out, format, t.s ? t.s : "");
	text_free(&t);
}

static bool
in_summary(const char *name)
{
	for (size_t h = 0; h < hosts; h++) {
		const struct row *row = results_find(&host[h], name);

		if (row != NULL && is_summary_row(&host[h], row))
			return true;
	}
	return false;
}

static void
row_cells(struct table *t, const struct row *row)
{
	char *label = view_label(row);

	table_cell(t, "%s", label);
	free(label);
	table_cell(t, "%s", row->place);
	table_cell(t, "%ld", row->workers);
}

/* A number and the host it is of. */
struct found {
	double v;
	size_t h;
};

static int
ascending(const void *a, const void *b)
{
	double x = ((const struct found *)a)->v;
	double y = ((const struct found *)b)->v;

	return (x > y) - (x < y);
}

static void
range_line(struct table *t, const struct row *like)
{
	struct found *f = need(hosts, sizeof *f);
	size_t n = 0;

	for (size_t h = 0; h < hosts; h++) {
		const struct row *row = results_find(&host[h], like->name);

		if (row != NULL && no_number(row) == NULL)
			f[n++] = (struct found){view_headline(row).median, h};
	}
	if (n > 0) {
		qsort(f, n, sizeof *f, ascending);
		row_cells(t, like);
		table_cell(t, "%zu", n);
		number_cell(t, f[0].v);
		table_cell(t, "%s", head[f[0].h]);
		number_cell(t, n % 2 ? f[n / 2].v :
			(f[n / 2 - 1].v + f[n / 2].v) / 2);
		number_cell(t, f[n - 1].v);
		table_cell(t, "%s", head[f[n - 1].h]);
		table_cell(t, "%.2f", f[n - 1].v / f[0].v);
	}
	free(f);
}

static void
range_table(struct text *out, enum format format)
{
	static const char title[] = "Over the hosts: ns per op where it is "
		"lowest and highest";
	struct table t = {.level = 2};

	table_column(&t, "what", false);
	table_column(&t, "on", false);
	table_column(&t, "N", true);
	table_column(&t, "hosts", true);
	table_column(&t, "lowest", true);
	table_column(&t, "host", false);
	table_column(&t, "median", true);
	table_column(&t, "highest", true);
	table_column(&t, "host", false);
	table_column(&t, "ratio", true);
	for (size_t i = 0; i < all.rows; i++)
		if (in_summary(all.row[i]->name))
			range_line(&t, all.row[i]);
	t.title = need_copy(title, strlen(title));
	table_note(&t, "Of each host its median; N: workers; ratio: highest to "
		"lowest. Nothing is pooled over hosts.");
	if (t.cells > 0)
		render_table(out, format, &t);
	table_free(&t);
}

static void
side_table(struct text *out, enum format format, bool summary,
	const char *title)
{
	struct table t = {.level = 2, .keep = 3};

	table_column(&t, "ns per op on host:", false);
	table_column(&t, "on", false);
	table_column(&t, "N", true);
	for (size_t h = 0; h < hosts; h++)
		table_column(&t, head[h], true);
	for (size_t i = 0; i < all.rows; i++) {
		const char *name = all.row[i]->name;

		if (in_summary(name) != summary)
			continue;
		row_cells(&t, all.row[i]);
		for (size_t h = 0; h < hosts; h++)
			ns_cell(&t, results_find(&host[h], name));
	}
	t.title = need_copy(title, strlen(title));
	table_note(&t, "Medians, or both of two modes (a/b); '!': disturbed. "
		"Empty: the host has no such row.");
	if (t.cells > 0)
		render_table(out, format, &t);
	table_free(&t);
}

/* The i-th of what a host has to tell, or NULL: its warnings, then its rows
 * that failed. i is below notes + rows. */
static char *
complaint(const struct results *r, size_t i)
{
	const struct row *row = i < r->notes ? NULL : r->row[i - r->notes];
	struct text t = {0};

	if (row == NULL && strcmp(r->note[i].key, "warn") == 0)
		text_add(&t, "WARNING: %s", r->note[i].value);
	else if (row != NULL && row->why != NULL && row->state != ROW_SKIPPED)
		text_add(&t, "FAILED: %s: %s", row->name, row->why);
	return t.s;
}

static bool
complains_of(const struct results *r, const char *what)
{
	bool found = false;

	for (size_t i = 0; i < r->notes + r->rows && !found; i++) {
		char *s = complaint(r, i);

		found = s != NULL && strcmp(s, what) == 0;
		free(s);
	}
	return found;
}

/* One line for what several hosts have to tell. */
static void
complaints(struct text *out, enum format format)
{
	bool *in = need(hosts, sizeof *in), any = false;

	for (size_t h = 0; h < hosts; h++)
		for (size_t i = 0; i < host[h].notes + host[h].rows; i++) {
			char *what = complaint(&host[h], i);
			struct text line = {0};
			bool told = false;

			for (size_t k = 0; what != NULL && k < hosts; k++) {
				in[k] = complains_of(&host[k], what);
				told |= k < h && in[k];
			}
			if (what != NULL && !told) {
				if (!any)
					render_heading(out, format, 2,
						"Warnings and failures");
				any = true;
				text_add(&line, "- ");
				add_list(&line, in);
				text_add(&line, ": %s", what);
				render_prose(out, format, line.s);
			}
			free(what);
			text_free(&line);
		}
	free(in);
}

void
side_by_side(struct text *out, enum format format, const struct results *h,
	size_t n)
{
	host = h;
	hosts = n;
	name_columns();
	gather_rows();
	render_begin(out, format);
	hosts_table(out, format);
	host_block(out, format);
	if (hosts >= RANGE_LEAST)
		range_table(out, format);
	side_table(out, format, true, "The answer on each host");
	side_table(out, format, false, "All other rows on each host");
	complaints(out, format);
	render_end(out, format);
	free(all.row);
	free(all.index);
	free(head);
}
