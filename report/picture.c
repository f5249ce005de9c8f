/* SPDX-License-Identifier: MIT */
/* What the pictures have in common. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind
row_kind(const struct row *row)
{
	double handoffs = view_value(row, "handoffs/op");
	double switches = view_switches(row);

	if (in_group(row, "loop") || in_group(row, "gen") ||
	    (handoffs >= 0 && handoffs < 0.9))
		return KIND_NONE;
	if (switches < 0)
		return KIND_UNKNOWN;
	if (handoffs >= 0)
		return switches < 0.01 ? KIND_USER : KIND_KERNEL;
	return switches < 0.5 ? KIND_NONE : KIND_KERNEL;
}

enum colour
kind_colour(enum kind kind)
{
	return kind == KIND_UNKNOWN ? WEDGE : (enum colour)kind;
}

enum colour
way_colour(const char *as)
{
	static const char *const ways[COLOURS] = {[SQUARE] = "thread",
		[CIRCLE] = "coroutine", [TRIANGLE] = "process",
		[PENTAGON] = "greenlet", [WEDGE] = "callback"};

	for (int i = 0; i < COLOURS; i++)
		if (ways[i] != NULL && strcmp(as, ways[i]) == 0)
			return (enum colour)i;
	return DIAMOND;
}

struct figure
row_figure(const struct row *row)
{
	struct figure f = {.none = no_number(row)};
	struct summary s;
	struct modes modes;

	if (f.none != NULL)
		return f;
	s = view_headline(row);
	modes = view_modes(row);
	f.median = s.median;
	if (s.level > 0) {
		f.low = s.low;
		f.high = s.high;
	}
	if (modes.two) {
		f.mode[0] = modes.low;
		f.mode[1] = modes.high;
	}
	f.disturbed = view_disturbed(row, NULL);
	return f;
}

double
figure_least(const struct figure *f)
{
	double v = f->mode[0] > 0 ? f->mode[0] : f->median;

	return f->low > 0 && f->low < v ? f->low : v;
}

double
figure_most(const struct figure *f)
{
	double v = f->mode[0] > 0 ? f->mode[1] : f->median;

	return f->high > v ? f->high : v;
}

void
draw_figure(struct picture *p, enum colour colour, const struct figure *f,
	const struct axis *axis, double across, bool upright)
{
	bool two = f->mode[0] > 0;

	/* Of two modes the interval says only that there are two. */
	if (f->low > 0 && !two) {
		double low = axis_at(axis, f->low);
		double high = axis_at(axis, f->high);

		svg_interval(p, colour, upright ? across : low,
			upright ? low : across, upright ? across : high,
			upright ? high : across);
	}
	if (two) {
		double low = axis_at(axis, f->mode[0]);
		double high = axis_at(axis, f->mode[1]);

		svg_line(p, colour, 0, upright ? across : low,
			upright ? low : across, upright ? across : high,
			upright ? high : across);
	}
	for (int i = 0; i < (two ? 2 : 1); i++) {
		double at = axis_at(axis, two ? f->mode[i] : f->median);

		svg_mark(p, colour, f->disturbed, upright ? across : at,
			upright ? at : across);
	}
}

/* The unit that makes v readable, and what to divide by. */
static const char *
time_unit(double ns, double *unit)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	int i = 0;

	/* 999.6 would print as 1000. */
	for (*unit = 1; i < 3 && ns >= 999.5 * *unit; i++)
		*unit *= 1000;
	return names[i];
}

void
time_add(struct text *t, double ns)
{
	double unit;
	const char *name = time_unit(ns, &unit);

	view_number(t, ns / unit);
	text_add(t, " %s", name);
}

void
figure_add(struct text *t, const struct figure *f)
{
	double unit;
	const char *name;

	if (f->none != NULL || f->mode[0] <= 0) {
		if (f->none != NULL)
			text_add(t, "%s", f->none);
		else
			time_add(t, f->median);
		return;
	}
	name = time_unit(f->mode[0], &unit);
	view_number(t, f->mode[0] / unit);
	text_add(t, "/");
	view_number(t, f->mode[1] / unit);
	text_add(t, " %s", name);
}

/* Where a row ran, if that is not where its program always runs. */
static const char *
place_words(const struct results *results, const struct row *row)
{
	static const char *const words[][2] = {{"same", "1 CPU"},
		{"none", "unpinned"}, {"smt", "1 core"}, {"llc", "2 cores"},
		{"cross", "far CPUs"}};
	bool several = false;

	if (row->fixed && strcmp(row->place, "none") == 0)
		return NULL;    /* the published form, nowhere else */
	for (size_t i = 0; i < results->rows && !several; i++)
		several = strcmp(results->row[i]->base, row->base) == 0 &&
			results->row[i]->state == ROW_MEASURED &&
			strcmp(results->row[i]->place, row->place) != 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(row->place, words[i][0]) == 0)
			return !several && i < 2 ? NULL : words[i][1];
	return row->place;
}

char *
row_label(const struct results *results, const struct row *row)
{
	const char *place = place_words(results, row);
	struct text t = {0};

	text_add(&t, "%s", row->base);
	/* Where each way is an op of its own, as in Spawn, it must be said. */
	if (*row->as != '\0' && (strcmp(row->as, "thread") != 0 ||
	    row->about != about_find(results, row->base, "")))
		text_add(&t, " %s", row->as);
	if (*row->params != '\0')
		text_add(&t, " %s", row->params);
	if (place != NULL)
		text_add(&t, ", %s", place);
	return t.s;
}

/* To two digits, with commas. */
static void
count_add(struct text *t, double v)
{
	struct text plain = {0};
	double unit = pow(10, floor(log10(v)) - 1);

	text_add(&plain, "%.0f", v < 10 ? v : round(v / unit) * unit);
	for (size_t i = 0; i < plain.len; i++)
		text_add(t, "%s%c", i > 0 && (plain.len - i) % 3 == 0 ? "," :
			"", plain.s[i]);
	text_free(&plain);
}

void
handoffs_add(struct text *t, const struct row *row)
{
	double handoffs = view_value(row, "handoffs/op");
	const char *op = strchr(row->metric[0].unit, '/');

	op = op ? op + 1 : "op";
	if (handoffs >= 0.9)
		text_add(t, "every op hands over");
	else if (handoffs >= 0.01)
		text_add(t, "%.0f %% of %ss hand over", 100 * handoffs, op);
	else if (handoffs > 0) {
		text_add(t, "1 hand-off in ");
		count_add(t, 1 / handoffs);
		text_add(t, " %ss", op);
	} else if (handoffs >= 0) {
		text_add(t, "no hand-off");
	}
}

void
draw_axis(struct picture *p, const struct axis *axis, double from, double to,
	bool upright)
{
	double tick[TICKS_MOST], taken = 0;
	size_t n = axis_ticks(axis, tick);

	for (size_t i = 0; i < n; i++) {
		double at = axis_at(axis, tick[i]), unit, half;
		const char *name = time_unit(tick[i], &unit);
		struct text t = {0};

		text_decimal(&t, tick[i] / unit, 3);
		text_add(&t, " %s", name);
		half = svg_width(MUTED, t.s) / 2;
		if (upright) {
			svg_grid(p, from, at, to, at);
			svg_text(p, from - 7, at + 4, MUTED, END, from - 9,
				t.s);
		} else {
			svg_grid(p, at, from, at, to);
			if (at - half > taken)
				svg_text(p, at, from - 5, MUTED, MIDDLE, 80,
					t.s);
			taken = at - half > taken ? at + half + 6 : taken;
		}
		text_free(&t);
	}
}

void
picture_head(struct picture *p, const char *said)
{
	p->y = SVG_EDGE - 4;
	svg_prose(p, TITLE, p->title.s);
	p->y += 4;
	svg_prose(p, PLAIN, said);
	text_add(&p->words, "%s", said);
}

void
marks_take(struct marks *marks, const struct row *row, const struct figure *f)
{
	size_t rounds;
	double level;

	if (f->none != NULL) {
		marks->withheld |= view_withheld(row);
		return;
	}
	rounds = row->metric[0].rounds.n;
	level = sign_interval(rounds).level;
	marks->disturbed |= f->disturbed;
	marks->modes |= f->mode[0] > 0;
	marks->few |= f->low <= 0;
	if (rounds > marks->rounds)
		marks->rounds = rounds;
	if (f->low <= 0)
		return;
	if (marks->least <= 0 || level < marks->least)
		marks->least = level;
	if (level > marks->most)
		marks->most = level;
}

void
picture_foot(struct page *page, struct picture *p, struct marks *marks,
	const char *said, const char *interval)
{
	const char *date = fact_find(page->results.note, page->results.notes,
		"date");
	struct text t = {0}, host = {0};

	view_host(&page->results, &host);
	text_add(&t, "%s Median of %zu round%s", said, marks->rounds,
		marks->rounds == 1 ? "" : "s");
	if (marks->least > 0 && marks->least < marks->most)
		text_add(&t, "; %s: its interval, of 95 %% or more", interval);
	else if (marks->least > 0)
		text_add(&t, "; %s: its %.1f %% interval", interval,
			100 * marks->most);
	if (marks->few)
		text_add(&t, "; %s rounds: no interval", marks->least > 0 ?
			"where it has none, under six" : "under six");
	if (marks->modes)
		text_add(&t, "; a/b, or two marks joined: two modes");
	if (marks->disturbed)
		text_add(&t, "; hollow: something else disturbed a quarter or "
			"more of its samples");
	text_add(&t, ".");
	if (marks->withheld)
		text_add(&t, " Withheld: the workers ran one after another.");
	p->y += 6;
	svg_prose(p, MUTED, t.s);
	text_free(&t);
	text_add(&t, "Measured%s%.10s on ", date ? " " : "", date ? date : "");
	text_add(&t, "%s.", host.s);
	svg_prose(p, MUTED, t.s);
	text_free(&host);
	p->y += SVG_EDGE;
	text_free(&t);
}
