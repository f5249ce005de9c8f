/* SPDX-License-Identifier: MIT */
/* Hand-offs within a thread, on one CPU, and from near to far. */
#include "bars.h"

#include <stdlib.h>
#include <string.h>

static void
distance_row(struct page *page, struct picture *p, const struct axis *axis,
	const struct row *row, bool last)
{
	struct figure f = row_figure(row);
	char *label = row_label(&page->results, row), *comma;
	enum colour colour = kind_colour(row_kind(row));
	struct text value = {0}, hands = {0};
	double end = axis->from;

	comma = strrchr(label, ',');
	if (comma != NULL)
		*comma = '\0';          /* the heading says where */
	figure_add(&value, &f);
	spell(p, label, value.s, last);
	svg_begin(p, row->name);
	svg_text(p, SVG_EDGE, p->y + 4, PLAIN, START, LABELS - SVG_EDGE - 8,
		label);
	if (f.none == NULL) {
		double at = axis_at(axis, f.mode[0] > 0 ? f.mode[0] : f.median);

		end = axis_at(axis, figure_most(&f)) + 4;
		svg_bar(p, colour, f.disturbed, axis->from, p->y - 5,
			at - axis->from, 10);
		if (f.mode[0] > 0)
			svg_interval(p, colour, at, p->y,
				axis_at(axis, f.mode[1]), p->y);
		else if (f.low > 0)
			svg_whisker(p, axis_at(axis, f.low), p->y,
				axis_at(axis, f.high), p->y);
		if (row_kind(row) == KIND_NONE)
			handoffs_add(&hands, row);
	}
	svg_text(p, end + 7, p->y + 4, PLAIN, START, 100, value.s);
	if (hands.len > 0)
		svg_text(p, end + 19 + svg_width(PLAIN, value.s), p->y + 4,
			MUTED, START, SVG_WIDE - SVG_EDGE - end - 19 -
			svg_width(PLAIN, value.s), hands.s);
	svg_end(p);
	p->y += STEP;
	free(label);
	text_free(&value);
	text_free(&hands);
}

/* Within a thread, then from near to far. */
static const struct {
	const char *place, *heading;
	enum kind kind;
} distances[] = {
	{NULL, "Within a thread: one coroutine gives way to another",
		KIND_USER},
	{"same", "On one CPU: one thread sleeps, another goes on", KIND_KERNEL},
	{"smt", "Between two hardware threads of a core", KIND_KERNEL},
	{"llc", "Between two cores under one last-level cache", KIND_KERNEL},
	{"cross", "Between cores far apart", KIND_KERNEL},
};

#define DISTANCES (sizeof distances / sizeof *distances)

/* Is the row one of this distance? */
static bool
is_at(struct page *page, const struct row *row, const char *place)
{
	if (place != NULL)
		return hands_over(row) && row->state == ROW_MEASURED &&
			strcmp(row->place, place) == 0;
	return row->metrics > 0 && is_summary_row(&page->results, row) &&
		*row->as == '\0' && row->workers == 2 &&
		row_kind(row) == KIND_USER;
}

/* The range of what the numbers of a section say, of hand-offs only. */
static void
range_add(struct text *t, const struct section *s)
{
	double low = 0, high = 0;

	for (size_t i = 0; i < s->rows; i++) {
		struct figure f = row_figure(s->row[i]);

		if (f.none != NULL || row_kind(s->row[i]) == KIND_NONE)
			continue;
		f.low = f.high = 0;     /* the numbers themselves */
		low = low > 0 && low < figure_least(&f) ? low :
			figure_least(&f);
		high = high > figure_most(&f) ? high : figure_most(&f);
	}
	time_add(t, low);
	if (high > low) {
		text_add(t, " to ");
		time_add(t, high);
	}
}

static bool
has_handoff(const struct section *s)
{
	for (size_t i = 0; i < s->rows; i++)
		if (row_kind(s->row[i]) != KIND_NONE &&
		    no_number(s->row[i]) == NULL)
			return true;
	return false;
}

static void
distance_head(struct picture *p, const struct section *section)
{
	static const char *const words[DISTANCES] = {"within a thread",
		"between threads on one CPU", "within a core",
		"between two cores", "between far CPUs"};
	struct text t = {0};
	bool across = false;

	text_add(&p->title, "What a hand-off costs depends on how far it goes");
	text_add(&t, "One goes on where another stopped: ");
	for (size_t d = 0, n = 0; d < DISTANCES; d++) {
		if (!has_handoff(&section[d]))
			continue;
		text_add(&t, "%s%s ", n++ ? "; " : "", words[d]);
		range_add(&t, &section[d]);
		across |= d > 1;
	}
	text_add(&t, ". On one CPU it is a switch%s", across ? "; across CPUs, "
		"a sleeping thread's CPU has to be woken first." : ".");
	picture_head(p, t.s);
	text_free(&t);
}

static void
draw_sections(struct page *page, struct picture *p, struct section *section,
	struct marks *marks, double low, double high)
{
	struct axis axis = axis_make(low, high, LABELS, 500);
	struct text before;
	double top;

	distance_head(p, section);
	before = rows_begin(p, &top);
	for (size_t d = 0; d < DISTANCES; d++) {
		if (section[d].rows == 0)
			continue;
		if (distances[d].place == NULL)
			qsort(section[d].row, section[d].rows,
				sizeof *section[d].row, cheaper);
		heading(p, distances[d].heading, distances[d].kind);
		p->y += STEP / 2.0 - 2;
		for (size_t i = 0; i < section[d].rows; i++)
			distance_row(page, p, &axis, section[d].row[i],
				i + 1 == section[d].rows);
		p->y -= STEP / 2.0;
	}
	rows_end(p, before, &axis, top);
	picture_foot(page, p, marks, "Two workers. Grey: a lock, no switch.",
		"line");
}

bool
draw_distance(struct page *page, struct picture *p)
{
	struct section section[DISTANCES] = {{0}};
	struct marks marks = {0};
	double low = 1, high = 1e5;
	bool any = false;

	for (size_t d = 0; d < DISTANCES; d++) {
		for (size_t i = 0; i < page->results.rows; i++) {
			const struct row *row = page->results.row[i];
			struct figure f;

			if (!is_at(page, row, distances[d].place))
				continue;
			f = row_figure(row);
			section_add(&section[d], row);
			span(page, row, false, &low, &high);
			marks_take(&marks, row, &f);
		}
		any |= has_handoff(&section[d]);
	}
	if (any)
		draw_sections(page, p, section, &marks, low, high);
	for (size_t d = 0; d < DISTANCES; d++)
		free(section[d].row);
	return any;
}
