/* SPDX-License-Identifier: MIT */
/* Two results files: which rows differ, by how much, how sure. */
#include "model.h"
#include "view.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_LEAST 6          /* on either side */

/* Hand-off rates above HANDOFFS_LEAST that differ by more than this ratio are
 * different contention: the rows did not measure the same thing. */
#define HANDOFFS_RATIO 1.2
#define HANDOFFS_LEAST 0.001

/* Code alignment alone moves loops by this much from one build to another. */
#define ALIGNMENT_NS 1.0

enum verdict {
	SLOWER, FASTER, SAME, NOT_RESOLVED, TOO_FEW, NOT_COMPARABLE, VERDICTS
};

static const char *const verdicts[VERDICTS] = {"slower", "faster", "same",
	"not resolved", "too few rounds", "not comparable"};

static const struct results *before, *after;
static enum format format;
static double within = 0.02;    /* the same is 1 +- this */

/* Both were measured in one interleaved run, so that rounds pair up. */
static bool paired;

static bool builds_differ;

/* The ratio over the rounds that both have. */
static struct ratio
pair_up(const struct row *a, const struct row *b, const char *unit, size_t *n)
{
	const struct metric *x = row_metric(a, unit), *y = row_metric(b, unit);
	struct values u = {0}, v = {0};
	struct ratio r = {0};

	for (size_t i = 0; i < x->rounds.n && i < a->round_ids.n; i++)
		for (size_t k = 0; k < y->rounds.n && k < b->round_ids.n; k++) {
			if (a->round_ids.v[i] < b->round_ids.v[k] ||
			    a->round_ids.v[i] > b->round_ids.v[k])
				continue;
			values_add(&u, x->rounds.v[i]);
			values_add(&v, y->rounds.v[k]);
		}
	if (u.n > 0)
		r = ratio_paired(u.v, v.v, u.n);
	*n = u.n;
	free(u.v);
	free(v.v);
	return r;
}

static struct ratio
compare_unit(const struct row *a, const struct row *b, const char *unit,
	size_t *rounds)
{
	const struct metric *x = row_metric(a, unit), *y = row_metric(b, unit);

	if (paired)
		return pair_up(a, b, unit, rounds);
	*rounds = x->rounds.n < y->rounds.n ? x->rounds.n : y->rounds.n;
	return ratio_independent(x->rounds.v, x->rounds.n, y->rounds.v,
		y->rounds.n);
}

static bool
different_contention(const struct row *a, const struct row *b)
{
	const char *work = b->about ? b->about->work : NULL;
	double x = view_value(a, "handoffs/op"), y = view_value(b,
		"handoffs/op");
	double low = x < y ? x : y, high = x < y ? y : x;

	return work != NULL && strcmp(work, "contend") == 0 && low >= 0 &&
		high > HANDOFFS_LEAST && high > HANDOFFS_RATIO * low;
}

static enum verdict
judge(const struct row *a, const struct row *b, const struct ratio *r,
	size_t rounds)
{
	double x = view_headline(a).median, y = view_headline(b).median;

	if (strcmp(a->metric[0].unit, b->metric[0].unit) != 0 ||
	    different_contention(a, b) || view_withheld(a) || view_withheld(b))
		return NOT_COMPARABLE;
	if (rounds < ROUNDS_LEAST || r->level == 0)
		return TOO_FEW;
	if (r->low > 1 - within && r->high < 1 + within)
		return SAME;
	if (builds_differ && fabs(x - y) < ALIGNMENT_NS)
		return NOT_RESOLVED;
	if (r->low > 1 + within)
		return SLOWER;
	if (r->high < 1 - within)
		return FASTER;
	return NOT_RESOLVED;
}

static void
number_cell(struct table *t, double v, int decimals)
{
	struct text s = {0};

	if (decimals < 0)
		view_number(&s, v);
	else
		text_add(&s, "%.*f", decimals, v);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

static void
ratio_cells(struct table *t, const struct ratio *r)
{
	number_cell(t, r->ratio, 3);
	if (r->level > 0)
		table_cell(t, "%.3f..%.3f", r->low, r->high);
	else
		table_cell(t, "n/a");
}

/* Cycles, in which a changing clock rate is not a change of the program. */
static void
cycles_cell(struct table *t, const struct row *a, const struct row *b)
{
	const struct metric *x = row_metric(a, "cycles/op");
	const struct metric *y = row_metric(b, "cycles/op");
	struct ratio r;

	if (x == NULL || y == NULL || x->rounds.n < ROUNDS_LEAST ||
	    y->rounds.n < ROUNDS_LEAST) {
		table_cell(t, "%s", "");
		return;
	}
	r = ratio_independent(x->rounds.v, x->rounds.n, y->rounds.v,
		y->rounds.n);
	table_cell(t, "%.3f", r.ratio);
}

static void
row_line(struct table *t, const struct row *a, const struct row *b,
	enum verdict v, const struct ratio *r)
{
	struct text marks = {0};

	table_cell(t, "%s", b->name);
	number_cell(t, view_headline(a).median, -1);
	number_cell(t, view_headline(b).median, -1);
	ratio_cells(t, r);
	cycles_cell(t, a, b);
	text_add(&marks, "%s", verdicts[v]);
	/* One that was disturbed may be slower for that reason alone. */
	if (view_disturbed(a, NULL) || view_disturbed(b, NULL))
		text_add(&marks, " !");
	table_cell(t, "%s", marks.s);
	text_free(&marks);
}

static const char *
fact_or_none(const struct results *r, const char *key)
{
	const char *value = fact_find(r->host, r->hosts, key);

	return value ? value : "(not given)";
}

/* Loudly: what differs is often the answer. */
static void
host_differences(struct text *out)
{
	struct table t = {0};
	struct text title = {0}, keys = {0};

	table_column(&t, "differs", false);
	table_column(&t, "old", false);
	table_column(&t, "new", false);
	for (int side = 0; side < 2; side++) {
		const struct results *r = side ? after : before;

		for (size_t i = 0; i < r->hosts; i++) {
			const char *key = r->host[i].key;
			const char *x = fact_or_none(before, key);
			const char *y = fact_or_none(after, key);

			/* Those that only the new one has come second. */
			if (strcmp(x, y) == 0 || (side == 1 &&
			    fact_find(before->host, before->hosts, key)))
				continue;
			table_cell(&t, "%s", key);
			table_cell(&t, "%s", x);
			table_cell(&t, "%s", y);
			text_add(&keys, "%s%s", keys.len ? ", " : "", key);
			builds_differ |= strcmp(key, "compiler") == 0;
		}
	}
	/* csv is one table. */
	if (t.cells > 0 && format == FORMAT_CSV) {
		complain("NOT THE SAME MACHINE OR BUILD: the files differ in "
			"%s", keys.s);
	} else if (t.cells > 0) {
		text_add(&title, "%s", "NOT THE SAME MACHINE OR BUILD");
		t.title = title.s;
		t.level = 2;
		table_note(&t, "Whatever differs below may come from this.");
		render_table(out, format, &t);
	}
	table_free(&t);
	text_free(&keys);
}

static bool
has_failed(const struct row *row)
{
	return row->state == ROW_FAILED ||
		(row->state == ROW_MEASURED && row->why != NULL);
}

static void
empty_cells(struct table *t)
{
	while (t->cells % t->columns != t->columns - 1)
		table_cell(t, "%s", "");
}

/* A row that is not compared: csv has no notes, and gets a line for it. */
static void
left_out(struct table *t, const struct row *row, const char *why,
	const char *which)
{
	if (format != FORMAT_CSV)
		return;
	table_cell(t, "%s", row->name);
	empty_cells(t);
	table_cell(t, "%s in %s", why, which);
}

static void
note_single(struct table *t, const struct results *a, const struct results *b,
	const char *which)
{
	struct text s = {0};
	size_t n = 0;

	for (size_t i = 0; i < a->rows; i++) {
		const struct row *other = results_find(b, a->row[i]->name);

		if (a->row[i]->metrics == 0 || (other != NULL &&
		    other->metrics > 0))
			continue;
		text_add(&s, "%s%s", n++ ? " " : "", a->row[i]->name);
		left_out(t, a->row[i], "only", which);
	}
	if (n > 0)
		table_note(t, "- Only in %s (%zu, not compared): %s", which, n,
			s.s);
	text_free(&s);
}

/* Rows that failed have no number to compare, but must not go unseen. Returns
 * how many there are. */
static size_t
note_failed(struct table *t, const struct results *r, const char *which)
{
	size_t n = 0;

	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = r->row[i];

		if (!has_failed(row))
			continue;
		table_note(t, "- FAILED in %s: %s: %s", which, row->name,
			row->why);
		left_out(t, row, "FAILED", which);
		n++;
	}
	return n;
}

/* The host, or both where they differ, on one line. */
static char *
hosts_line(void)
{
	struct text old = {0}, new = {0}, t = {0};

	view_host(before, &old);
	view_host(after, &new);
	if (strcmp(old.s, new.s) == 0)
		text_add(&t, "%s", new.s);
	else
		text_add(&t, "old: %s; new: %s", old.s, new.s);
	text_free(&old);
	text_free(&new);
	return t.s;
}

/* Returns how many rows are slower by more than limit (a ratio), and sets how
 * many of the new ones failed. */
static size_t
compare(struct text *out, double limit, size_t *failed)
{
	struct table t = {0};
	struct text title = {0};
	size_t count[VERDICTS] = {0}, over = 0;

	table_column(&t, "row", false);
	table_column(&t, "old ns", true);
	table_column(&t, "new ns", true);
	table_column(&t, "ratio", true);
	table_column(&t, "interval", true);
	table_column(&t, "cycles", true);
	table_column(&t, "verdict", false);
	for (size_t i = 0; i < after->rows; i++) {
		const struct row *b = after->row[i];
		const struct row *a = results_find(before, b->name);
		enum verdict v;
		struct ratio r;
		size_t rounds = 0;

		if (a == NULL || a->metrics == 0 || b->metrics == 0 ||
		    has_failed(a) || has_failed(b))
			continue;
		r = strcmp(a->metric[0].unit, b->metric[0].unit) == 0 ?
			compare_unit(a, b, b->metric[0].unit, &rounds) :
			(struct ratio){0};
		v = judge(a, b, &r, rounds);
		count[v]++;
		over += v == SLOWER && r.low > limit;
		row_line(&t, a, b, v, &r);
	}
	text_add(&title, "New against old (%s)", paired ?
		"measured side by side: ratios within rounds" :
		"independent runs");
	t.title = title.s;
	t.level = 2;
	table_note(&t, "%zu slower, %zu faster, %zu the same within %.3g %%, "
		"%zu not resolved, %zu with too few rounds, %zu not "
		"comparable.", count[SLOWER], count[FASTER], count[SAME],
		100 * within, count[NOT_RESOLVED], count[TOO_FEW],
		count[NOT_COMPARABLE]);
	table_note(&t, "Slower or faster: the whole interval of new/old lies "
		"beyond 1 +- %.3g %%. Not resolved is not the same. '!': "
		"disturbed in one of the files. Not comparable: hand-off rates "
		"over 20 %% apart (different contention), workers that ran one "
		"after another, or another unit.", 100 * within);
	if (builds_differ)
		table_note(&t, "Compiler or flags differ: below 1 ns, code "
			"alignment alone makes a difference, so none is "
			"called.");
	(void)note_failed(&t, before, "the old file");
	*failed = note_failed(&t, after, "the new file");
	note_single(&t, before, after, "the old file");
	note_single(&t, after, before, "the new file");
	t.host = hosts_line();
	render_table(out, format, &t);
	table_free(&t);
	return over;
}

static double
percent(const char *name, const char *s)
{
	char *end;
	double v = strtod(s, &end);

	/* strtod also takes blanks, 0x10, 1e3, nan. */
	if (*s < '0' || *s > '9' || s[strspn(s, "0123456789.")] != '\0' ||
	    *end != '\0' || v > 1000)
		die(EXIT_USAGE, "--%s: '%s': not a percentage (0 to 1000)",
			name, s);
	return v / 100;
}

static _Noreturn void
help(void)
{
	(void)printf("usage: compare [options] OLD NEW\n\n"
		"  compare old.txt new.txt          which rows differ\n"
		"  compare --fail-on-slower 10 a b  exit 1 when one is surely "
		"10 %% slower\n\n"
		"  --within PCT          what counts as the same (default 2)\n"
		"  --fail-on-slower PCT  for CI\n"
		"  -f, --format FORMAT   md, text, csv, json or tex\n\n"
		"Exit code: 0 whatever it finds, 1 with --fail-on-slower, 2 "
		"usage.\n");
	close_stdout();
	exit(EXIT_OK);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"format", required_argument, NULL, 'f'},
		{"within", required_argument, NULL, 'w'},
		{"fail-on-slower", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *a, *b;
	struct text out = {0};
	double limit = HUGE_VAL;
	size_t over, failed = 0, hosts;
	struct results *old, *new;
	int c, err;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1) {
		switch (c) {
		case 'h':
			help();
		case 'f':
			format = format_parse(optarg, false);
			break;
		case 'w':
			within = percent("within", optarg);
			break;
		case 's':
			limit = 1 + percent("fail-on-slower", optarg);
			break;
		default:
			die_option(c, argv);
		}
	}
	if (argc - optind != 2)
		die(EXIT_USAGE, "needs two results files; see -h");
	old = view_read(1, argv + optind, &hosts);
	new = view_read(1, argv + optind + 1, &hosts);
	before = old;
	after = new;
	a = fact_find(before->note, before->notes, "pair");
	b = fact_find(after->note, after->notes, "pair");
	paired = a != NULL && b != NULL && strcmp(a, b) == 0;
	render_begin(&out, format);
	host_differences(&out);
	over = compare(&out, limit, &failed);
	render_end(&out, format);
	err = put(STDOUT_FILENO, out.s, out.len);
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&out);
	view_free(old, 1);
	view_free(new, 1);
	/* One that fails is as slow as can be. */
	return over > 0 || (limit < HUGE_VAL && failed > 0) ? EXIT_FAILED :
		EXIT_OK;
}
