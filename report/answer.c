/* SPDX-License-Identifier: MIT */
/* The answer on one screen, and the tables over worker counts. */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row *
measured(const struct results *r, const struct row *like, const char *as,
	const char *place)
{
	return view_find(r, like->base, as, place, like->workers);
}

/*
 * A mechanism appears once on one CPU, or wherever it ran, and once as far
 * apart as it ran, at two workers where something gives way, else at the fewest
 * it has; threads stand for processes.
 */
bool
is_summary_row(const struct results *r, const struct row *row)
{
	const struct row *first;
	const char *far = NULL;

	if (row->fixed || *row->params != '\0' || row->state == ROW_SKIPPED)
		return false;
	first = in_group(row, "switch") ? view_find(r, row->base,
		row->as, row->place, 2) : NULL;
	if (first == NULL)
		first = view_find(r, row->base, row->as, row->place,
			0);
	if (first != NULL && first != row)
		return false;
	/* Where each way is an op of its own, as in Spawn, each has a line. */
	if (strcmp(row->as, "process") == 0 && row->about == about_find(
	    r, row->base, "") &&
	    measured(r, row, "thread", row->place) != NULL)
		return false;
	for (const char *const *d = view_distances; *d != NULL; d++)
		if (measured(r, row, row->as, *d) != NULL)
			far = *d;
	return far == NULL || strcmp(row->place, far) == 0 ||
		strcmp(row->place, "same") == 0;
}

/* What the mark means, and how many there are. */
static void
disturbance_note(struct page *p, struct table *t)
{
	static const char *const advice[DISTURBED_KINDS] = {
		"busy: other tasks ran on its CPUs; stop them, or choose other "
			"CPUs with taskset",
		"gaps: its CPUs went away for over 5 us at a time "
			"(interrupts, other tasks, a hypervisor); use a "
			"quieter machine",
		"stolen: the hypervisor ran something else; use a quieter host",
		"throttled: a CPU quota ran out; raise it",
		"clock: the clock was being set; wait until it has settled",
		"shared: the other hardware thread of its core was busy, "
			"perhaps with another guest; stop that, or use a host "
			"of your own",
	};
	size_t marked = 0, measured = 0, by[DISTURBED_KINDS] = {0};
	struct text s = {0};

	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];

		measured += row->state == ROW_MEASURED;
		if (!view_disturbed(row, NULL))
			continue;
		marked++;
		for (int k = 0; k < DISTURBED_KINDS; k++)
			by[k] += row->disturbed_by[k] > 0;
	}
	text_add(&s, "%zu of %zu rows carry a '!': a quarter or more of their "
		"samples were disturbed (they stay in).", marked, measured);
	for (int k = 0; k < DISTURBED_KINDS; k++)
		if (by[k] > 0)
			text_add(&s, " %s (%zu).", advice[k], by[k]);
	table_note(t, "%s", s.s);
	text_free(&s);
}

/* What is wrong with the build or the machine as a whole. */
static void
warnings(struct page *p, struct table *t)
{
	const char *compiler = fact_find(p->results.host, p->results.hosts,
		"compiler");
	const char *clock = fact_find(p->results.host, p->results.hosts,
		"clock");
	const char *arch = fact_find(p->results.host, p->results.hosts, "arch");

	if (compiler != NULL && strstr(compiler, "-O2") == NULL &&
	    strstr(compiler, "-O3") == NULL && strstr(compiler, "-Os") == NULL)
		table_note(t, "WARNING: built without -O2 (%s): the loops "
			"themselves cost several times what they should. Build "
			"with ./build.sh and no CFLAGS.", compiler);
	if (arch != NULL && strcmp(arch, "x86_64") == 0 && clock != NULL &&
	    strcmp(clock, "tsc") != 0 && strcmp(clock, "unknown") != 0)
		table_note(t, "WARNING: the clock is %s, not the TSC: reading "
			"it is slow and coarse. See /sys/devices/system/"
			"clocksource.", clock);
	for (size_t i = 0; i < p->results.notes; i++)
		if (strcmp(p->results.note[i].key, "warn") == 0)
			table_note(t, "WARNING: %s", p->results.note[i].value);
}

void
summary(struct page *p)
{
	struct table t = {0};

	table_column(&t, "what", false);
	table_column(&t, "on", false);
	table_column(&t, "ns per op", true);
	table_column(&t, "x floor", true);
	table_column(&t, "switches", false);
	table_column(&t, "one op is", false);
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		const char *none = no_number(row);
		char *label;

		if (!is_summary_row(&p->results, row))
			continue;
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%s", row->place);
		ns_cell(&t, row);
		if (none == NULL)
			floor_cell(p, &t, row);
		else
			table_cell(&t, "%s", "");
		claim_cell(&t, none ? NULL : row);
		table_cell(&t, "%s", row->about && row->about->op ?
			row->about->op : "");
	}
	if (t.cells > 0) {
		struct text s = {0};

		text_add(&s, "%s", "ns per switch: the answer on one screen");
		t.title = s.s;
		t.level = 2;
		table_note(&t, "Two workers where something gives way, one "
			"elsewhere; medians, or both of two modes (a/b). "
			"'switches' is the kernel's count per op, and what it "
			"allows to call one: a switch; a hand-off that took "
			"more than one; slept N %%: the others found the token "
			"before they slept; no switch: one worker's ops mostly "
			"follow its own; unseen: the kernel knows nothing of "
			"it. A floor is the row that one stands on. Processes, "
			"other placements and more workers follow below.");
		disturbance_note(p, &t);
		warnings(p, &t);
		page_table(p, &t);
	}
	table_free(&t);
}

/* Worker counts that a group has, ascending. */
static size_t
worker_counts(struct page *p, const char *group, bool fixed, long *counts,
	size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		size_t at = 0;

		if (!in_group(row, group) || row->fixed != fixed)
			continue;
		while (at < n && counts[at] < row->workers)
			at++;
		if ((at < n && counts[at] == row->workers) || n == most)
			continue;
		memmove(counts + at + 1, counts + at,
			(n - at) * sizeof *counts);
		counts[at] = row->workers;
		n++;
	}
	return n;
}

static const struct row *
with_workers(struct page *p, const struct row *row, long workers)
{
	for (size_t i = 0; i < p->results.rows; i++)
		if (p->results.row[i]->workers == workers &&
		    view_same_series(p->results.row[i], row))
			return p->results.row[i];
	return NULL;
}

void
over_workers(struct page *p, const char *group, bool fixed, const char *title)
{
	long counts[256];
	size_t n = worker_counts(p, group, fixed, counts, 256);
	char name[256][24];
	struct table t = {.level = 2, .keep = 2};

	table_column(&t, "ns per op at workers:", false);
	table_column(&t, "placed", false);
	for (size_t k = 0; k < n; k++) {
		(void)snprintf(name[k], sizeof name[k], "%ld", counts[k]);
		table_column(&t, name[k], true);
	}
	for (size_t i = 0; n > 0 && i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];
		char *label;

		if (!in_group(row, group) || row->fixed != fixed ||
		    (i > 0 && view_same_series(row, p->results.row[i - 1])))
			continue;
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%s", row->place);
		for (size_t k = 0; k < n; k++)
			ns_cell(&t, with_workers(p, row, counts[k]));
	}
	t.title = need_copy(title, strlen(title));
	if (t.cells > 0)
		page_table(p, &t);
	table_free(&t);
}
