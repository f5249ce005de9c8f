/* SPDX-License-Identifier: MIT */
/* Tables from results files: the answer on one screen, then tables over worker
 * counts, then each primitive on its own, then what all that stands on. */
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
list_states(struct page *p, enum row_state state, const char *title)
{
	bool any = false;

	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		struct text line = {0};
		bool told = false;

		if (row->why == NULL || (state == ROW_FAILED) !=
		    (row->state != ROW_SKIPPED))
			continue;
		/* One line a reason. */
		for (size_t k = 0; k < i; k++)
			told |= p->results.row[k]->why != NULL &&
				p->results.row[k]->state == row->state &&
				strcmp(p->results.row[k]->why, row->why) == 0;
		if (told)
			continue;
		text_add(&line, "- %s:", row->why);
		for (size_t k = i; k < p->results.rows; k++)
			if (p->results.row[k]->why != NULL &&
			    p->results.row[k]->state == row->state &&
			    strcmp(p->results.row[k]->why, row->why) == 0)
				text_add(&line, " %s", p->results.row[k]->name);
		if (!any)
			render_heading(&p->out, p->format, 2, title);
		any = true;
		render_prose(&p->out, p->format, line.s);
		text_free(&line);
	}
	if (any && p->format != FORMAT_CSV)
		text_add(&p->out, "\n");
}

static void
what_rows_are(struct page *p)
{
	const struct about *last = NULL;

	render_heading(&p->out, p->format, 2, "What each row is, and is not");
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		const struct about *a = about_find(&p->results, row->base, "");
		struct text line = {0};

		if (a == NULL || a == last || !a->op || !a->is_not || !a->unit)
			continue;
		last = a;
		text_add(&line, "- %s (%s): %s. Not %s.", a->name, a->unit,
			a->op, a->is_not);
		if (a->floor != NULL)
			text_add(&line, " Stands on %s.", a->floor);
		render_prose(&p->out, p->format, line.s);
		text_free(&line);
	}
	text_add(&p->out, "\n");
}

static void
stands_on(struct page *p)
{
	size_t rounds = 0;
	struct text t = {0};

	for (size_t i = 0; i < p->results.rows; i++)
		if (p->results.row[i]->metrics > 0 &&
		    p->results.row[i]->metric[0].rounds.n > rounds)
			rounds = p->results.row[i]->metric[0].rounds.n;
	render_heading(&p->out, p->format, 2, "What these numbers stand on");
	if (rounds >= 6)
		text_add(&t, "%zu rounds of a process for each row, in "
			"shuffled order. ns is the median of the rounds' "
			"medians, the interval its sign-test interval "
			"(%.1f %%): it holds within this run, not for another "
			"day. Nothing was dropped but one warm-up a process.",
			rounds, 100 * sign_interval(rounds).level);
	else
		text_add(&t, "%zu round%s: too few for an interval (six). ns "
			"is the median of the rounds' medians.", rounds,
			rounds == 1 ? "" : "s");
	render_prose(&p->out, p->format, t.s);
	text_add(&p->out, "\n");
	text_free(&t);
	for (size_t i = 0; i < p->results.hosts; i++)
		text_add(&t, "%s: %s\n", p->results.host[i].key,
			p->results.host[i].value);
	for (size_t i = 0; i < p->results.notes; i++)
		if (strcmp(p->results.note[i].key, "warn") != 0)
			text_add(&t, "%s: %s\n", p->results.note[i].key,
				p->results.note[i].value);
	render_literal(&p->out, p->format, t.s ? t.s : "");
	text_free(&t);
}

/* One line a figure: everything that was measured, nothing rounded. */
static void
figures(struct page *p)
{
	static const char *const names[] = {"benchmark", "group", "workers",
		"place", "cpus", "unit", "median", "low", "high", "level",
		"least", "rounds", "samples", "state", "reason", "cpu",
		"kernel", "compiler"};
	struct table t = {0};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		table_column(&t, names[i], false);
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];

		for (size_t k = 0; k < (row->metrics ? row->metrics : 1); k++) {
			const struct metric *m = row->metrics ?
				&row->metric[k] : NULL;
			struct summary s = {0};
			double v[5];

			if (m != NULL)
				s = summarise(m->rounds.v, m->rounds.n);
			v[0] = s.median;
			v[1] = s.low;
			v[2] = s.high;
			v[3] = s.level;
			v[4] = m ? m->least : 0;
			table_cell(&t, "%s", row->name);
			table_cell(&t, "%s", view_group(row));
			table_cell(&t, "%ld", row->workers);
			table_cell(&t, "%s", row->place);
			table_cell(&t, "%s", row->cpus ? row->cpus : "");
			table_cell(&t, "%s", m ? m->unit : "");
			for (int c = 0; c < 5; c++) {
				struct text n = {0};

				text_add(&n, "%s", "");
				if (m != NULL && (s.level > 0 || c == 0 ||
				    c == 4))
					text_decimal(&n, v[c], 6);
				table_cell(&t, "%s", n.s);
				text_free(&n);
			}
			table_cell(&t, "%zu", s.rounds);
			table_cell(&t, "%zu", row->samples);
			table_cell(&t, "%s", no_number(row) ? no_number(row) :
				"measured");
			table_cell(&t, "%s", row->why ? row->why : "");
			for (int c = 15; c < 18; c++) {
				const char *value = fact_find(p->results.host,
					p->results.hosts, names[c]);

				table_cell(&t, "%s", value ? value : "");
			}
		}
	}
	render_table(&p->out, p->format, &t);
	table_free(&t);
}

/* Which way is better, of times: benchstat does not know our units. */
static void
unit_lines(struct page *p)
{
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];

		if (row->metrics == 0 || (i > 0 && row->about != NULL &&
		    row->about == p->results.row[i - 1]->about))
			continue;
		text_add(&p->out, "Unit %s better=lower\n",
			row->metric[0].unit);
	}
	text_add(&p->out, "Unit cycles/op better=lower\n");
}

/* The Go benchmark format again, a line a round: what benchstat may take for
 * independent samples. */
static void
benchstat(struct page *p)
{
	for (size_t i = 0; i < p->results.hosts; i++)
		text_add(&p->out, "%s: %s\n", p->results.host[i].key,
			p->results.host[i].value);
	unit_lines(p);
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		size_t rounds = row->metrics ? row->metric[0].rounds.n : 0;

		for (size_t r = 0; r < rounds; r++) {
			text_add(&p->out, "Benchmark%s 1", row->name);
			for (size_t k = 0; k < row->metrics; k++) {
				const struct metric *m = &row->metric[k];

				/* One that some rounds lack cannot be told
				 * by its position. */
				if (m->rounds.n != rounds)
					continue;
				text_add(&p->out, " ");
				text_decimal(&p->out, m->rounds.v[r], 6);
				text_add(&p->out, " %s", m->unit);
			}
			text_add(&p->out, "\n");
		}
	}
}

static void
read_all(struct page *p, int files, char **file)
{
	for (int i = 0; i < files || i == 0; i++) {
		bool standard = files == 0 || strcmp(file[i], "-") == 0;
		const char *name = standard ? "standard input" : file[i];
		int fd = STDIN_FILENO, err;

		if (!standard)
			fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die(EXIT_USAGE, "%s:", name);
		err = results_read(&p->results, fd, name);
		if (err != 0)
			die(EXIT_USAGE, "%s: %s", name, strerror(err));
		if (!standard)
			(void)close(fd);
	}
	if (p->results.rows == 0)
		exit(EXIT_USAGE);       /* each file has been named */
	results_finish(&p->results);
	view_sort(&p->results);
}

static void
tables(struct page *p)
{
	summary(p);
	over_workers(p, "switch", false, "Switches, over worker counts");
	over_workers(p, "switch", true, "The published form: a fixed total "
		"shared by the workers");
	over_workers(p, "gen", false, "Generators, over how many are alive");
	over_workers(p, "loop", false, "Loops, over worker counts");
	over_workers(p, "other", false, "Others, over worker counts");
	by_distance(p);
	against_call(p);
	ladder(p);
	writeups(p);
	when_it_matters(p);
	render_heading(&p->out, p->format, 2, "Each on its own");
	primitives(p);
	list_states(p, ROW_FAILED, "Failed");
	list_states(p, ROW_SKIPPED, "Skipped");
	what_rows_are(p);
	stands_on(p);
}

static _Noreturn void
help(void)
{
	(void)printf("usage: table [-f FORMAT] [FILE ...]\n\n"
		"  table results/*.txt         Markdown, to paste\n"
		"  table -f text < run.txt     for a terminal, 100 columns\n"
		"  table -f csv run.txt        one line a figure, nothing "
		"rounded\n"
		"  table -f benchstat run.txt  one line a round, for "
		"benchstat\n"
		"\nExit code: 0 done, 2 usage, or no records in any file.\n");
	close_stdout();
	exit(EXIT_OK);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct page p = {0};
	int c, err;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1) {
		if (c == 'h')
			help();
		if (c != 'f')
			die_option(c, argv);
		p.format = format_parse(optarg);
	}
	read_all(&p, argc - optind, argv + optind);
	if (p.format == FORMAT_BENCHSTAT)
		benchstat(&p);
	else if (p.format == FORMAT_CSV)
		figures(&p);
	else
		tables(&p);
	err = put(STDOUT_FILENO, p.out.s, p.out.len);
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&p.out);
	results_free(&p.results);
	return EXIT_OK;
}
