/* SPDX-License-Identifier: MIT */
/*
 * Every mechanism on one axis, its floor marked, under headings that say
 * whether anything gave way to anything.
 */
#include "bars.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL, USER, LOCK, SYSCALL, SPAWN, BACK, LOOP, OTHER, SECTIONS };

static const struct {
	const char *says;
	enum kind kind;         /* of all rows, or KIND_UNKNOWN */
} headings[SECTIONS] = {
	[KERNEL] = {"Kernel switch: one thread sleeps, another goes on",
		KIND_KERNEL},
	[USER] = {"User-space switch: another goes on, unseen by the kernel",
		KIND_USER},
	[LOCK] = {"No switch: a lock mostly stays with the thread that has it",
		KIND_NONE},
	[SYSCALL] = {"No switch: into the kernel and straight back", KIND_NONE},
	[SPAWN] = {"Made, run once, and ended", KIND_UNKNOWN},
	[BACK] = {"No switch: a value comes back to its caller", KIND_NONE},
	[LOOP] = {"No switch: loops, the floor under everything", KIND_NONE},
	[OTHER] = {"Others", KIND_UNKNOWN},
};

static int
section_of(const struct row *row)
{
	enum kind kind = row_kind(row);

	if (in_group(row, "loop"))
		return LOOP;
	if (in_group(row, "gen"))
		return BACK;
	if (row->metrics > 0 && strcmp(row->metric[0].unit, "ns/spawn") == 0)
		return SPAWN;
	if (kind == KIND_UNKNOWN || !in_group(row, "switch"))
		return OTHER;
	if (kind == KIND_NONE)
		return view_value(row, "handoffs/op") >= 0 ? LOCK : SYSCALL;
	return kind == KIND_KERNEL ? KERNEL : USER;
}

/* The three that the argument is about; NULL, or not what they are taken for
 * in this run. */
struct argument {
	const struct row *lock, *thread, *coroutine;
	double least, most;     /* of all ways to switch within a thread */
	bool settled;
};

static struct argument
find_argument(struct page *page, const struct section *section)
{
	const struct results *r = &page->results;
	struct argument a = {
		.lock = view_find(r, "Mutex", "thread", "same", 2),
		.thread = view_find(r, "Futex", "thread", "same", 2),
		.coroutine = view_find(r, "EventLoop", "", "same", 2),
	};

	if (a.lock == NULL || a.thread == NULL || a.coroutine == NULL ||
	    no_number(a.lock) || no_number(a.thread) ||
	    no_number(a.coroutine) || section_of(a.lock) != LOCK ||
	    section_of(a.thread) != KERNEL || section_of(a.coroutine) != USER)
		return a;
	for (size_t i = 0; i < section[USER].rows; i++) {
		double v = row_figure(section[USER].row[i]).median;

		if (*section[USER].row[i]->as != '\0')
			continue;       /* threads that spin */
		a.least = a.least > 0 && a.least < v ? a.least : v;
		a.most = a.most > v ? a.most : v;
	}
	a.settled = view_headline(a.thread).median > a.most &&
		view_value(a.lock, "handoffs/op") < 0.1;
	return a;
}

/* What the picture says, where its rows bear it out. */
static void
ladder_head(struct picture *p, const struct argument *a)
{
	struct text t = {0};

	if (!a->settled) {
		text_add(&p->title, "What one operation costs, and what it is");
		picture_head(p, "From what puts a thread to sleep down to what "
			"only adds 1, on one axis.");
		return;
	}
	text_add(&p->title, "Threads do not switch faster than coroutines");
	text_add(&t, "It was said because 438 ns were published for a thread "
		"switch and 8176 ns for a coroutine's, in Python. The first "
		"timed a lock, which is no switch: taking one costs ");
	time_add(&t, view_headline(a->lock).median);
	text_add(&t, " here, with ");
	handoffs_add(&t, a->lock);
	text_add(&t, ". The second timed an interpreter: in C a turn of an "
		"event loop takes ");
	time_add(&t, view_headline(a->coroutine).median);
	text_add(&t, ". To stop one thread and run another takes ");
	time_add(&t, view_headline(a->thread).median);
	text_add(&t, " on one CPU.");
	picture_head(p, t.s);
	text_free(&t);
}

/* Beside the marks, on the side where there is room, the first that fits. */
static void
beside(struct picture *p, const struct axis *axis, double least, double most,
	enum style style, const char *const *said, size_t n)
{
	double left = axis_at(axis, least) - 9, right = axis_at(axis, most) + 9;
	double room_left = left - LABELS, room_right = axis->to - right;

	for (size_t i = 0; i < n; i++) {
		double width = said[i] ? svg_width(style, said[i]) : 0;

		if (width <= 0)
			continue;
		if (width <= room_right)
			svg_text(p, right, p->y + 4, style, START, width,
				said[i]);
		else if (width <= room_left)
			svg_text(p, left, p->y + 4, style, END, width,
				said[i]);
		else
			continue;
		return;
	}
}

static void
ladder_row(struct page *page, struct picture *p, const struct axis *axis,
	const struct argument *a, const struct row *row, bool last)
{
	struct figure f = row_figure(row);
	const struct row *floor = f.none == NULL ?
		view_floor(&page->results, row) : NULL;
	bool chosen = a->settled && (row == a->lock || row == a->thread ||
		row == a->coroutine);
	char *label = row_label(&page->results, row);
	enum colour colour = kind_colour(row_kind(row));
	struct text value = {0}, both = {0}, hands = {0};
	const char *op = row->about && row->about->op ? row->about->op : "";
	double least, most;

	figure_add(&value, &f);
	spell(p, label, value.s, last);
	svg_begin(p, row->name);
	if (chosen)
		svg_band(p, p->y - STEP / 2.0, STEP);
	svg_text(p, SVG_EDGE, p->y + 4, chosen ? STRONG : PLAIN, START,
		LABELS - SVG_EDGE - 8, label);
	svg_text(p, SVG_WIDE - SVG_EDGE, p->y + 4, chosen ? STRONG : PLAIN, END,
		90, value.s);
	if (f.none == NULL) {
		least = figure_least(&f);
		most = figure_most(&f);
		if (floor != NULL) {
			double v = view_headline(floor).median;

			svg_line(p, colour, DOTTED, axis_at(axis, v), p->y,
				axis_at(axis, f.median), p->y);
			svg_line(p, colour, 0, axis_at(axis, v), p->y - 5,
				axis_at(axis, v), p->y + 5);
			least = v < least ? v : least;
			most = v > most ? v : most;
		}
		draw_figure(p, colour, &f, axis, p->y, false);
		text_add(&hands, "%s", "");
		if (chosen || section_of(row) == LOCK)
			handoffs_add(&hands, row);
		if (hands.len > 0)
			text_add(&both, "%s: %s", op, hands.s);
		beside(p, axis, least, most, chosen ? PLAIN : MUTED,
			(const char *const []){both.s, hands.s, op}, 3);
	}
	svg_end(p);
	p->y += STEP;
	free(label);
	text_free(&value);
	text_free(&both);
	text_free(&hands);
}

static void
draw_sections(struct page *page, struct picture *p, struct section *section,
	struct marks *marks, double low, double high)
{
	struct argument argument = find_argument(page, section);
	struct axis axis = axis_make(low, high, LABELS, 496);
	struct text before;
	double top;

	/* A little beyond, so that marks keep clear of labels and values. */
	axis.low = low / 1.5 > axis.low ? low / 1.5 : axis.low;
	axis.high = high * 1.5 < axis.high ? high * 1.5 : axis.high;
	ladder_head(p, &argument);
	before = rows_begin(p, &top);
	for (int s = 0; s < SECTIONS; s++) {
		if (section[s].rows == 0)
			continue;
		qsort(section[s].row, section[s].rows, sizeof *section[s].row,
			dearer);
		heading(p, headings[s].says, headings[s].kind);
		p->y += STEP / 2.0 - 2;
		for (size_t i = 0; i < section[s].rows; i++)
			ladder_row(page, p, &axis, &argument, section[s].row[i],
				i + 1 == section[s].rows);
		p->y -= STEP / 2.0;
	}
	rows_end(p, before, &axis, top);
	picture_foot(page, p, marks, "Two workers where something gives way, "
		"one elsewhere. Tick and dots: the floor that an op stands "
		"on.", "pale");
}

bool
draw_ladder(struct page *page, struct picture *p)
{
	struct section section[SECTIONS] = {{0}};
	struct marks marks = {0};
	double low = 0, high = 0;

	for (size_t i = 0; i < page->results.rows; i++) {
		const struct row *row = page->results.row[i];
		struct figure f;

		if (!is_summary_row(&page->results, row))
			continue;
		f = row_figure(row);
		section_add(&section[section_of(row)], row);
		span(page, row, true, &low, &high);
		marks_take(&marks, row, &f);
	}
	if (high > 0)
		draw_sections(page, p, section, &marks, low, high);
	for (int s = 0; s < SECTIONS; s++)
		free(section[s].row);
	return high > 0;
}
