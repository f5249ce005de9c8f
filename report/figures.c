/* SPDX-License-Identifier: MIT */
/* All figures, not rounded and not arranged: csv, and Go's benchmark format. */
#include "page.h"

#include <string.h>

static const char *const columns[] = {"benchmark", "group", "workers", "place",
	"cpus", "unit", "median", "low", "high", "level", "least", "rounds",
	"samples", "state", "reason", "disturbed", "mode_low", "mode_high",
	"host", "cpu", "kernel", "compiler"};

static void
decimal_cell(struct table *t, bool measured, double v)
{
	struct text n = {0};

	text_add(&n, "%s", "");
	if (measured)
		text_decimal(&n, v, 6);
	table_cell(t, "%s", n.s);
	text_free(&n);
}

static void
text_cell(struct table *t, const char *s)
{
	table_cell(t, "%s", s ? s : "");
}

/* One figure of a row, or, of one that has none, that it has none. */
static void
add_figure(struct table *t, const struct results *r, const struct row *row,
	const struct metric *m)
{
	struct summary s = {0};
	struct modes modes = {0};
	const char *none = no_number(row);

	if (m != NULL)
		s = summarise(m->rounds.v, m->rounds.n);
	if (m != NULL && m == row->metric)
		modes = view_modes(row);
	text_cell(t, row->name);
	text_cell(t, view_group(row));
	table_cell(t, "%ld", row->workers);
	text_cell(t, row->place);
	text_cell(t, row->cpus);
	text_cell(t, m ? m->unit : "");
	decimal_cell(t, m != NULL, s.median);
	decimal_cell(t, s.level > 0, s.low);
	decimal_cell(t, s.level > 0, s.high);
	decimal_cell(t, s.level > 0, s.level);
	decimal_cell(t, m != NULL, m ? m->least : 0);
	table_cell(t, "%zu", s.rounds);
	table_cell(t, "%zu", row->samples);
	text_cell(t, none ? none : "measured");
	text_cell(t, row->why);
	table_cell(t, "%zu", row->disturbed);
	decimal_cell(t, modes.two, modes.low);
	decimal_cell(t, modes.two, modes.high);
	text_cell(t, fact_find(r->note, r->notes, "host"));
	text_cell(t, fact_find(r->host, r->hosts, "cpu"));
	text_cell(t, fact_find(r->host, r->hosts, "kernel"));
	text_cell(t, fact_find(r->host, r->hosts, "compiler"));
}

void
figures_csv(struct text *out, const struct results *host, size_t hosts)
{
	struct table t = {0};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		table_column(&t, columns[i], false);
	for (size_t h = 0; h < hosts; h++)
		for (size_t i = 0; i < host[h].rows; i++) {
			const struct row *row = host[h].row[i];

			if (row->metrics == 0)
				add_figure(&t, &host[h], row, NULL);
			for (size_t k = 0; k < row->metrics; k++)
				add_figure(&t, &host[h], row, &row->metric[k]);
		}
	render_table(out, FORMAT_CSV, &t);
	table_free(&t);
}

/* Which way is better, of times: benchstat does not know our units. */
static void
unit_lines(struct text *out, const struct results *r)
{
	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = r->row[i];

		if (row->metrics == 0 || (i > 0 && row->about != NULL &&
		    row->about == r->row[i - 1]->about))
			continue;
		text_add(out, "Unit %s better=lower\n", row->metric[0].unit);
	}
	text_add(out, "Unit cycles/op better=lower\n");
}

/* A line a round: what may be taken for independent samples. */
static void
round_lines(struct text *out, const struct row *row)
{
	size_t rounds = row->metrics ? row->metric[0].rounds.n : 0;

	for (size_t r = 0; r < rounds; r++) {
		text_add(out, "Benchmark%s 1", row->name);
		for (size_t k = 0; k < row->metrics; k++) {
			const struct metric *m = &row->metric[k];

			/* One that some rounds lack cannot be told by its
			 * position. */
			if (m->rounds.n != rounds)
				continue;
			text_add(out, " ");
			text_decimal(out, m->rounds.v[r], 6);
			text_add(out, " %s", m->unit);
		}
		text_add(out, "\n");
	}
}

/* benchstat makes a table of its own for each set of keys: so only what two
 * runs on a host share, and its name where there are several. */
void
figures_benchstat(struct text *out, const struct results *host, size_t hosts)
{
	for (size_t h = 0; h < hosts; h++) {
		const struct results *r = &host[h];
		const char *name = fact_find(r->note, r->notes, "host");

		/* What the host before had must not stay. */
		for (size_t i = 0; h > 0 && i < host[h - 1].hosts; i++) {
			const char *key = host[h - 1].host[i].key;

			if (fact_find(r->host, r->hosts, key) == NULL)
				text_add(out, "%s:\n", key);
		}
		if (hosts > 1 && fact_find(r->host, r->hosts, "host") == NULL)
			text_add(out, "host: %s\n", name ? name : "");
		for (size_t i = 0; i < r->hosts; i++)
			text_add(out, "%s: %s\n", r->host[i].key,
				r->host[i].value);
		unit_lines(out, r);
		for (size_t i = 0; i < r->rows; i++)
			round_lines(out, r->row[i]);
	}
}
