/* SPDX-License-Identifier: MIT */
/* Switches against the number of workers. */
#include "chart.h"

#include <string.h>

/* From its fewest to its most workers. */
static void
grows_add(struct text *t, const struct chart *c, const char *base, bool fixed,
	const char *what)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct row *first = c->series[i].row[0];
		const struct row *last = c->series[i].row[c->series[i].rows -
			1];

		if (strcmp(first->base, base) != 0 || first->fixed != fixed ||
		    no_number(first) || no_number(last) ||
		    strcmp(first->as, "process") == 0)
			continue;
		text_add(t, "%s%s ", t->len ? "; " : "", what);
		time_add(t, view_headline(first).median);
		text_add(t, " with %ld, ", first->workers);
		time_add(t, view_headline(last).median);
		text_add(t, " with %ld", last->workers);
		return;
	}
}

static void
workers_head(struct picture *p, const struct chart *c)
{
	struct text t = {0};

	text_add(&p->title, "One op, as workers grow in number");
	grows_add(&t, c, "EventLoop", false, "A task's turn in a loop:");
	grows_add(&t, c, "Futex", false, "a switch from thread to thread:");
	grows_add(&t, c, "Mutex", true, "a lock that all of them want:");
	text_add(&t, "%s", t.len ? "." : "Time per op against the number of "
		"workers, both logarithmic.");
	picture_head(p, t.s);
	text_free(&t);
}

bool
draw_workers(struct page *page, struct picture *p)
{
	struct chart c = {0};
	struct text foot = {0};
	size_t gone;
	int used[COLOURS] = {0};

	for (size_t i = 0; i < page->results.rows; i++)
		if (in_group(page->results.row[i], "switch"))
			chart_take(&c, page->results.row[i]);
	gone = chart_drop(&c, 2);
	if (c.n == 0) {
		chart_free(&c);
		return false;
	}
	for (size_t i = 0; i < c.n; i++) {
		struct series *s = &c.series[i];

		s->label = row_label(&page->results, s->row[0]);
		s->colour = kind_colour(row_kind(s->row[0]));
		s->dash = used[s->colour]++ % DOTTED;
	}
	workers_head(p, &c);
	if (gone > 0)
		text_add(&foot, "Left out: %zu row%s measured at one worker "
			"count only.", gone, gone == 1 ? "" : "s");
	chart_draw(page, p, &c, foot.s ? foot.s : "");
	text_free(&foot);
	chart_free(&c);
	return true;
}
