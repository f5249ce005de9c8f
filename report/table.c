/* SPDX-License-Identifier: MIT */
/* Tables from results files: the answer on one screen, then tables over worker
 * counts, then each primitive on its own, then what all that stands on. */
#include "page.h"

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
	if (any)
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
	if (p->results.files > 1)
		text_add(&t, " They come from %d files.", p->results.files);
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

/* A table looks each row's neighbours up among all. */
#define ROWS_MOST 5000

static void
tables(struct page *p)
{
	if (p->results.rows > ROWS_MOST)
		die(EXIT_USAGE, "%zu rows are too many for tables (%d); -f csv "
			"takes them", p->results.rows, ROWS_MOST);
	render_begin(&p->out, p->format);
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
	render_end(&p->out, p->format);
}

static _Noreturn void
help(void)
{
	(void)printf("usage: table [-f FORMAT] [FILE ...]\n\n"
		"  table results/*.txt          Markdown, to paste\n"
		"  table -f text < run.txt      for a terminal, 100 columns\n"
		"  table -f tex run.txt         for an article with booktabs, "
		"graphicx\n"
		"  table -f csv run.txt         one line a figure, nothing "
		"rounded\n"
		"  table -f json run.txt        as google/benchmark writes it\n"
		"  table -f benchstat run.txt   one line a round, for "
		"benchstat\n"
		"  table a.txt b.txt c.txt      the files of one host are one "
		"run of more rounds,\n"
		"                               several hosts stand side by "
		"side\n"
		"  table --list results/*.txt   a line a file: date, host, "
		"what it holds\n"
		"\nWithout a file, or with -, reads standard input.\n"
		"Exit code: 0 done, 2 usage, or no records in any file.\n");
	close_stdout();
	exit(EXIT_OK);
}

static void
print(struct text *out, enum format format, struct results *host,
	size_t hosts)
{
	struct page p = {.results = host[0], .format = format};

	if (format == FORMAT_CSV) {
		figures_csv(out, host, hosts);
	} else if (format == FORMAT_JSON) {
		figures_json(out, host, hosts);
	} else if (format == FORMAT_BENCHSTAT) {
		figures_benchstat(out, host, hosts);
	} else if (hosts > 1) {
		side_by_side(out, format, host, hosts);
	} else {
		tables(&p);
		*out = p.out;
	}
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"format", required_argument, NULL, 'f'},
		{"list", no_argument, NULL, 'l'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	enum format format = FORMATS;
	struct results *host;
	struct text out = {0};
	bool list = false;
	size_t hosts;
	int c, err;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1) {
		if (c == 'h')
			help();
		else if (c == 'l')
			list = true;
		else if (c == 'f')
			format = format_parse(optarg, true);
		else
			die_option(c, argv);
	}
	if (format == FORMATS)
		format = list ? FORMAT_TEXT : FORMAT_MD;
	if (list) {
		list_files(&out, format, argc - optind, argv + optind);
	} else {
		host = view_read(argc - optind, argv + optind, &hosts);
		print(&out, format, host, hosts);
		view_free(host, hosts);
	}
	err = put(STDOUT_FILENO, out.s, out.len);
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&out);
	return EXIT_OK;
}
