/* SPDX-License-Identifier: MIT */
/* Tables from results files: the answer on one screen, then tables over worker
 * counts, then each primitive on its own, then what all that stands on. */
#include "model.h"
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PER_TABLE 7             /* worker counts side by side: 100 columns */

static struct results results;
static enum format format;
static struct text out;

static bool
in_group(const struct row *row, const char *group)
{
	return strcmp(view_group(row), group) == 0;
}

static void
number_cell(struct table *t, double v)
{
	struct text s = {0};

	view_number(&s, v);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* A rate, or nothing where it was not measured. */
static void
rate_cell(struct table *t, double v)
{
	struct text s = {0};

	text_add(&s, "%s", "");
	if (v >= 0)
		view_rate(&s, v);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* What stands where a number cannot: why there is none. */
static const char *
no_number(const struct row *row)
{
	if (row == NULL)
		return "";
	if (row->state == ROW_SKIPPED)
		return "skipped";
	if (row->state == ROW_FAILED)
		return "failed";
	return view_withheld(row) ? "withheld" : NULL;
}

/* The median, or both of two modes; a mark where something disturbed it. */
static void
ns_cell(struct table *t, const struct row *row)
{
	const char *none = no_number(row);
	struct text s = {0};
	struct modes modes;

	if (none != NULL) {
		table_cell(t, "%s", none);
		return;
	}
	modes = view_modes(row);
	view_number(&s, modes.two ? modes.low : view_headline(row).median);
	if (modes.two) {
		text_add(&s, "/");
		view_number(&s, modes.high);
	}
	if (view_disturbed(row, NULL))
		text_add(&s, "!");
	table_cell(t, "%s", s.s);
	text_free(&s);
}

static void
range_cell(struct table *t, const struct summary *s)
{
	struct text text = {0};

	if (s->level == 0) {
		table_cell(t, "n/a");
		return;
	}
	view_number(&text, s->low);
	text_add(&text, "..");
	view_number(&text, s->high);
	table_cell(t, "%s", text.s);
	text_free(&text);
}

static void
interval_cell(struct table *t, const struct row *row)
{
	struct summary s = view_headline(row);

	range_cell(t, &s);
}

/* "22.1 x Atomic", "1.6 x mask", or nothing. */
static void
floor_cell(struct table *t, const struct row *row)
{
	const struct row *floor = view_floor(&results, row);
	struct text s = {0};

	if (floor == NULL) {
		table_cell(t, "%s", "");
		return;
	}
	view_number(&s, view_headline(row).median /
		view_headline(floor).median);
	text_add(&s, " x %s", *floor->as ? floor->as : floor->base);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* The kernel's switches per op and what they allow to call it. */
static void
claim_cell(struct table *t, const struct row *row)
{
	struct text s = {0};
	double switches = row ? view_switches(row) : -1;

	text_add(&s, "%s", "");
	if (switches >= 0.01)
		text_add(&s, "%.2f ", switches);
	if (row != NULL)
		view_claim(row, &s);
	table_cell(t, "%s", s.s);
	text_free(&s);
}

/* The worker count at which a mechanism appears in the summary: two where
 * something gives way, else the fewest it has. */
static bool
is_summary_row(size_t i)
{
	const struct row *row = results.row[i];
	long want = in_group(row, "switch") ? 2 : 1;
	bool first = i == 0 || !view_same_series(row, results.row[i - 1]);

	if (row->fixed || *row->params != '\0')
		return false;
	if (row->workers == want)
		return true;
	for (size_t k = 0; k < results.rows; k++)
		if (results.row[k]->workers == want &&
		    view_same_series(row, results.row[k]))
			return false;
	return first;
}

/* What the mark means, and how many there are. */
static void
disturbance_note(struct table *t)
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
	};
	size_t marked = 0, measured = 0, by[DISTURBED_KINDS] = {0};
	struct text s = {0};

	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];

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
warnings(struct table *t)
{
	const char *compiler = fact_find(results.host, results.hosts,
		"compiler");
	const char *clock = fact_find(results.host, results.hosts, "clock");
	const char *arch = fact_find(results.host, results.hosts, "arch");

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
	for (size_t i = 0; i < results.notes; i++)
		if (strcmp(results.note[i].key, "warn") == 0)
			table_note(t, "WARNING: %s", results.note[i].value);
}

static void
summary(void)
{
	struct table t = {0};

	table_column(&t, "what", false);
	table_column(&t, "placed", false);
	table_column(&t, "ns per op", true);
	table_column(&t, "x floor", true);
	table_column(&t, "switches", false);
	table_column(&t, "one op is", false);
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
		const char *none = no_number(row);
		char *label;

		if (!is_summary_row(i))
			continue;
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%s", row->place);
		ns_cell(&t, row);
		if (none == NULL)
			floor_cell(&t, row);
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
			"it. A floor is the row that one stands on.");
		disturbance_note(&t);
		warnings(&t);
		render_table(&out, format, &t);
	}
	table_free(&t);
}

/* Worker counts that a group has, ascending. */
static size_t
worker_counts(const char *group, bool fixed, long *counts, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
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
with_workers(const struct row *row, long workers)
{
	for (size_t i = 0; i < results.rows; i++)
		if (results.row[i]->workers == workers &&
		    view_same_series(results.row[i], row))
			return results.row[i];
	return NULL;
}

/* One line of a table over workers. Left out when it has no cell there. */
static void
series_line(struct table *t, const struct row *row, const long *counts,
	size_t n)
{
	bool any = false;
	char *label;

	for (size_t k = 0; k < n; k++)
		any |= with_workers(row, counts[k]) != NULL;
	if (!any)
		return;
	label = view_label(row);
	table_cell(t, "%s", label);
	free(label);
	table_cell(t, "%s", row->place);
	for (size_t k = 0; k < n; k++)
		ns_cell(t, with_workers(row, counts[k]));
}

static void
over_workers(const char *group, bool fixed, const char *title)
{
	long counts[256];
	size_t n = worker_counts(group, fixed, counts, 256);

	for (size_t from = 0; from < n; from += PER_TABLE) {
		size_t here = n - from < PER_TABLE ? n - from : PER_TABLE;
		struct table t = {0};
		struct text names = {0}, heading = {0};

		table_column(&t, "ns per op at workers:", false);
		table_column(&t, "placed", false);
		for (size_t k = 0; k < here; k++) {
			text_add(&names, "%ld", counts[from + k]);
			text_add(&names, "%c", '\0');
		}
		for (size_t k = 0, at = 0; k < here; k++) {
			table_column(&t, names.s + at, true);
			at += strlen(names.s + at) + 1;
		}
		for (size_t i = 0; i < results.rows; i++) {
			const struct row *row = results.row[i];

			if (!in_group(row, group) || row->fixed != fixed ||
			    (i > 0 && view_same_series(row,
			    results.row[i - 1])))
				continue;
			series_line(&t, row, counts + from, here);
		}
		text_add(&heading, "%s%s", title, from ? " (continued)" : "");
		t.title = heading.s;
		t.level = 2;
		render_table(&out, format, &t);
		table_free(&t);
		text_free(&names);
	}
}

/* "acquires/s", from "ns/acquire": how many in one second. */
static void
rate_name(struct text *t, const struct row *row)
{
	const char *unit = row->metrics ? row->metric[0].unit : "ns/op";

	text_add(t, "%s", strncmp(unit, "ns/", 3) == 0 ? unit + 3 : "op");
	text_add(t, "%s/s", t->len > 2 &&
		strcmp(t->s + t->len - 2, "ch") == 0 ? "es" : "s");
}

static const struct row *
first_of(const char *base)
{
	for (size_t i = 0; i < results.rows; i++)
		if (strcmp(results.row[i]->base, base) == 0 &&
		    results.row[i]->metrics > 0)
			return results.row[i];
	return NULL;
}

/* Cycles, where most rounds had them. */
static void
cycles_cell(struct table *t, const struct row *row)
{
	const struct metric *m = row ? row_metric(row, "cycles/op") : NULL;

	if (m == NULL || 2 * m->rounds.n <= row->metric[0].rounds.n)
		table_cell(t, "%s", "");
	else
		number_cell(t, summarise(m->rounds.v, m->rounds.n).median);
}

/* What has to be said about one row of a primitive's table. */
static void
row_notes(struct table *t, const struct row *row)
{
	struct text label = {0}, why = {0};
	struct modes modes;

	if (row->state != ROW_MEASURED)
		return;
	text_add(&label, "%s%s%s, %ld", row->as, *row->as ? " " : "",
		row->place, row->workers);
	if (view_withheld(row))
		table_note(t, "%s: withheld, the workers run one after another, "
			"so ns per op is not that of workers who contend.",
			label.s);
	modes = view_modes(row);
	if (modes.two) {
		text_add(&why, "%s: two modes, ", label.s);
		view_number(&why, modes.low);
		text_add(&why, " ns in %zu rounds and ", modes.lows);
		view_number(&why, modes.high);
		text_add(&why, " in %zu.", modes.highs);
		table_note(t, "%s", why.s);
		text_free(&why);
	}
	if (view_disturbed(row, &why))
		table_note(t, "%s: disturbed (%s) in %zu of %zu samples.",
			label.s, why.s, row->disturbed, row->samples);
	text_free(&label);
	text_free(&why);
}

#define SCATTER_WIDTH 60
#define SCATTER_HEIGHT 8

/* A row whose workers contend: does ns per op follow the hand-offs? */
static void
scatter(const struct row *row)
{
	char dot[SCATTER_HEIGHT][SCATTER_WIDTH + 1];
	size_t n = row->x.n;
	struct text s = {0};
	double x0, x1, y0, y1;

	if (n < 6 || view_withheld(row))
		return;
	x0 = x1 = row->x.v[0];
	y0 = y1 = row->y.v[0];
	for (size_t i = 1; i < n; i++) {
		x0 = row->x.v[i] < x0 ? row->x.v[i] : x0;
		x1 = row->x.v[i] > x1 ? row->x.v[i] : x1;
		y0 = row->y.v[i] < y0 ? row->y.v[i] : y0;
		y1 = row->y.v[i] > y1 ? row->y.v[i] : y1;
	}
	/* With next to no hand-offs there is nothing to explain. */
	if (x1 < 0.001 || x1 <= x0 || y1 <= y0)
		return;
	memset(dot, ' ', sizeof dot);
	for (size_t i = 0; i < n; i++) {
		int x = (int)((row->x.v[i] - x0) / (x1 - x0) *
			(SCATTER_WIDTH - 1));
		int y = (int)((row->y.v[i] - y0) / (y1 - y0) *
			(SCATTER_HEIGHT - 1));

		dot[SCATTER_HEIGHT - 1 - y][x] = 'o';
	}
	text_add(&s, "%s, %zu samples:\nns per op (up) against hand-offs per "
		"op (right), rank correlation %.2f\n", row->name, n,
		rank_correlation(row->x.v, row->y.v, n));
	for (int k = 0; k < SCATTER_HEIGHT; k++) {
		struct text edge = {0};

		text_add(&edge, "%s", "");
		if (k == 0)
			view_number(&edge, y1);
		if (k == SCATTER_HEIGHT - 1)
			view_number(&edge, y0);
		dot[k][SCATTER_WIDTH] = '\0';
		text_add(&s, "%8s |%s\n", edge.s, dot[k]);
		text_free(&edge);
	}
	text_add(&s, "%8s +", "");
	for (int k = 0; k < SCATTER_WIDTH; k++)
		text_add(&s, "-");
	text_add(&s, "\n%10s", "");
	view_rate(&s, x0);
	text_add(&s, "%*s", SCATTER_WIDTH - 16, "");
	view_rate(&s, x1);
	text_add(&s, "\n");
	render_verbatim(&out, format, s.s);
	text_free(&s);
}

/* Its rows in the write-ups' form, those with a fixed total apart. */
static void
primitive(size_t from, size_t end)
{
	const struct row *first = results.row[from];
	const struct row *measured = first_of(first->base);
	const struct about *about = about_find(&results, first->base, "");
	bool ways = false, params = false, fixed = first->fixed, cycles = false;
	struct table t = {0};
	struct text per_second = {0}, title = {0}, caption = {0};

	for (size_t i = from; i < end; i++) {
		ways |= *results.row[i]->as != '\0';
		cycles |= row_metric(results.row[i], "cycles/op") != NULL;
		params |= !fixed && *results.row[i]->params != '\0';
	}
	if (ways)
		table_column(&t, "as", false);
	if (params)
		table_column(&t, "with", false);
	table_column(&t, "placed", false);
	table_column(&t, "workers", true);
	rate_name(&per_second, measured ? measured : first);
	table_column(&t, per_second.s, true);
	table_column(&t, "ns", true);
	table_column(&t, "interval", true);
	if (cycles)
		table_column(&t, "cycles", true);
	table_column(&t, "hand-offs", true);
	table_column(&t, "switches", true);
	table_column(&t, "overlap", true);
	for (size_t i = from; i < end; i++) {
		const struct row *row = results.row[i];
		const char *none = no_number(row);

		if (ways)
			table_cell(&t, "%s", row->as);
		if (params)
			table_cell(&t, "%s", row->params);
		table_cell(&t, "%s", row->place);
		table_cell(&t, "%ld", row->workers);
		if (none == NULL)
			table_cell(&t, "%.0f", 1e9 / view_headline(row).median);
		else
			table_cell(&t, "%s", "");
		ns_cell(&t, row);
		if (none == NULL)
			interval_cell(&t, row);
		else
			table_cell(&t, "%s", "");
		if (cycles)
			cycles_cell(&t, none ? NULL : row);
		rate_cell(&t, view_value(row, "handoffs/op"));
		rate_cell(&t, view_switches(row));
		rate_cell(&t, view_value(row, "overlap"));
	}
	for (size_t i = from; i < end; i++)
		row_notes(&t, results.row[i]);
	if (fixed)
		table_note(&t, "The published form: this total, shared by the "
			"workers. Its overlap says how long they were at it "
			"together; near 0, one did its share after the other.");
	text_add(&title, "%s%s%s", first->base, fixed ? ", " : "",
		fixed ? first->params : "");
	t.title = title.s;
	t.level = 3;
	if (!fixed && about != NULL && about->op != NULL && about->is_not != NULL) {
		text_add(&caption, "One op: %s. Not %s.", about->op,
			about->is_not);
		t.caption = caption.s;
	}
	render_table(&out, format, &t);
	table_free(&t);
	text_free(&per_second);
	for (size_t i = from; !fixed && i < end; i++)
		if (about != NULL && about->work != NULL &&
		    strcmp(about->work, "contend") == 0)
			scatter(results.row[i]);
}

static bool
same_table(const struct row *a, const struct row *b)
{
	return strcmp(a->base, b->base) == 0 && a->fixed == b->fixed &&
		(!a->fixed || strcmp(a->params, b->params) == 0);
}

static void
primitives(void)
{
	for (size_t from = 0, end; from < results.rows; from = end) {
		end = from + 1;
		while (end < results.rows &&
		    same_table(results.row[from], results.row[end]))
			end++;
		primitive(from, end);
	}
}

/* How a value comes back, against a plain call. */
static void
against_call(void)
{
	const struct row *call = NULL;
	struct table t = {0};
	struct text title = {0};

	for (size_t i = 0; i < results.rows; i++)
		if (strcmp(results.row[i]->base, "Call") == 0 &&
		    strcmp(results.row[i]->as, "direct") == 0 &&
		    results.row[i]->state == ROW_MEASURED)
			call = results.row[i];
	table_column(&t, "how a value comes back", false);
	table_column(&t, "generators", true);
	table_column(&t, "ns", true);
	table_column(&t, "interval", true);
	table_column(&t, "plain calls", true);
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
		char *label;

		if (!in_group(row, "gen") || no_number(row) != NULL)
			continue;
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%ld", row->workers);
		ns_cell(&t, row);
		interval_cell(&t, row);
		if (call != NULL)
			number_cell(&t, view_headline(row).median /
				view_headline(call).median);
		else
			table_cell(&t, "%s", "");
	}
	text_add(&title, "%s", "A value comes back: how many plain calls");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0)
		render_table(&out, format, &t);
	table_free(&t);
}

/* Is it a way in which two threads hand something over? */
static bool
hands_over(const struct row *row)
{
	const char *unit = row->metrics ? row->metric[0].unit : "";

	return row->workers == 2 && !row->fixed && *row->params == '\0' &&
		(*row->as == '\0' || strcmp(row->as, "thread") == 0) &&
		(strcmp(unit, "ns/handoff") == 0 ||
		 strcmp(unit, "ns/acquire") == 0) &&
		strcmp(row->place, "none") != 0;
}

/* How far the cost of a cache line moved between rounds, over all rows: a
 * hypervisor moves CPUs about under a guest. */
static void
line_note(struct table *t)
{
	double low = 0, high = 0;
	struct text s = {0};

	for (size_t i = 0; i < results.rows; i++) {
		const struct metric *m = row_metric(results.row[i], "line-ns");

		for (size_t k = 0; m != NULL && k < m->rounds.n; k++) {
			double v = m->rounds.v[k];

			low = low > 0 && low < v ? low : v;
			high = high > v ? high : v;
		}
	}
	if (low <= 0)
		return;
	text_add(&s, "A cache line took ");
	view_number(&s, low);
	text_add(&s, " to ");
	view_number(&s, high);
	text_add(&s, " ns from one CPU to the other, seen beside each row in "
		"its rounds.");
	if (high > 2 * low)
		text_add(&s, " That is more than twice: the machine moved our "
			"CPUs about, or its clock rate, and every row across "
			"CPUs moved with it.");
	table_note(t, "%s", s.s);
	text_free(&s);
}

static void
by_distance(void)
{
	const struct row *column[PER_TABLE];
	struct table t = {0};
	struct text title = {0};
	size_t n = 0;

	for (size_t i = 0; i < results.rows && n < PER_TABLE; i++) {
		bool known = !hands_over(results.row[i]);

		for (size_t k = 0; k < n; k++)
			known |= strcmp(column[k]->base,
				results.row[i]->base) == 0;
		if (!known)
			column[n++] = results.row[i];
	}
	table_column(&t, "ns per op, 2 threads on", false);
	table_column(&t, "CPUs", false);
	for (size_t k = 0; k < n; k++)
		table_column(&t, column[k]->base, true);
	for (const char *const *d = view_distances; *d != NULL; d++) {
		const struct row *cell[PER_TABLE], *any = NULL;

		for (size_t k = 0; k < n; k++) {
			cell[k] = view_find(&results, column[k]->base,
				column[k]->as, *d, 2);
			any = cell[k] ? cell[k] : any;
		}
		if (any == NULL)
			continue;
		table_cell(&t, "%s", *d);
		table_cell(&t, "%s", any->cpus ? any->cpus : "");
		for (size_t k = 0; k < n; k++)
			ns_cell(&t, cell[k]);
	}
	text_add(&title, "%s", "A hand-off by distance");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0) {
		table_note(&t, "same: both on one CPU; smt: two hardware "
			"threads of a core; llc: two cores under one last-level "
			"cache; cross: as far as the machine goes. On one CPU a "
			"hand-off is a switch; across CPUs it is a wake-up: "
			"the other CPU may have to leave an idle state first.");
		line_note(&t);
		render_table(&out, format, &t);
	}
	table_free(&t);
}

/* The floors of one row, by name: "Syscall/as=wake Syscall/as=wait". Returns
 * how many were measured on one CPU, or 0 when one was not. */
static size_t
find_parts(const char *parts, const struct row **part, size_t most)
{
	size_t n = 0;

	while (*parts != '\0' && n < most) {
		size_t len = strcspn(parts, " ");
		char *name = need_copy(parts, len), *as = strstr(name, "/as=");

		if (as != NULL)
			*as = '\0';
		part[n] = view_find(&results, name, as ? as + 4 : "", "same",
			0);
		free(name);
		if (part[n++] == NULL)
			return 0;
		parts += len + (parts[len] == ' ');
	}
	return n;
}

/* row = part + part + x, where it runs on one CPU and costs add up. x is the
 * median over rounds, and may be negative: then they do not. */
static void
ladder(void)
{
	struct table t = {0};
	struct text title = {0};

	table_column(&t, "one op of", false);
	table_column(&t, "workers", true);
	table_column(&t, "ns", true);
	table_column(&t, "is", false);
	table_column(&t, "and its own", true);
	table_column(&t, "interval", true);
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i], *part[4];
		struct values own = {0};
		struct text sum = {0};
		struct summary s;
		char *label;
		size_t n = 0;

		if (row->about != NULL && row->about->parts != NULL &&
		    no_number(row) == NULL && strcmp(row->place, "same") == 0 &&
		    *row->params == '\0')
			n = find_parts(row->about->parts, part, 4);
		if (n == 0)
			continue;
		for (size_t r = 0; r < row->metric[0].rounds.n; r++) {
			double x = row->metric[0].rounds.v[r];

			for (size_t k = 0; k < n; k++)
				if (r < part[k]->metric[0].rounds.n)
					x -= part[k]->metric[0].rounds.v[r];
			values_add(&own, x);
		}
		for (size_t k = 0; k < n; k++) {
			char *name = view_label(part[k]);

			text_add(&sum, "%s%s ", k ? "+ " : "", name);
			view_number(&sum, view_headline(part[k]).median);
			text_add(&sum, "%s", k + 1 < n ? " " : "");
			free(name);
		}
		label = view_label(row);
		table_cell(&t, "%s", label);
		free(label);
		table_cell(&t, "%ld", row->workers);
		ns_cell(&t, row);
		table_cell(&t, "%s", sum.s);
		s = summarise(own.v, own.n);
		number_cell(&t, s.median);
		range_cell(&t, &s);
		text_free(&sum);
		free(own.v);
	}
	text_add(&title, "%s", "What a switch is made of, on one CPU");
	t.title = title.s;
	t.level = 2;
	if (t.cells > 0) {
		table_note(&t, "Only where one CPU does one thing after the "
			"other is a cost the sum of its parts; across CPUs they "
			"overlap, and no sum is given.");
		render_table(&out, format, &t);
	}
	table_free(&t);
}

static void
list_states(enum row_state state, const char *title)
{
	bool any = false;

	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
		struct text line = {0};
		bool told = false;

		if (row->why == NULL || (state == ROW_FAILED) !=
		    (row->state != ROW_SKIPPED))
			continue;
		/* One line a reason. */
		for (size_t k = 0; k < i; k++)
			told |= results.row[k]->why != NULL &&
				results.row[k]->state == row->state &&
				strcmp(results.row[k]->why, row->why) == 0;
		if (told)
			continue;
		text_add(&line, "- %s:", row->why);
		for (size_t k = i; k < results.rows; k++)
			if (results.row[k]->why != NULL &&
			    results.row[k]->state == row->state &&
			    strcmp(results.row[k]->why, row->why) == 0)
				text_add(&line, " %s", results.row[k]->name);
		if (!any)
			render_heading(&out, format, 2, title);
		any = true;
		render_prose(&out, format, line.s);
		text_free(&line);
	}
	if (any && format != FORMAT_CSV)
		text_add(&out, "\n");
}

static void
what_rows_are(void)
{
	const struct about *last = NULL;

	render_heading(&out, format, 2, "What each row is, and is not");
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
		const struct about *a = about_find(&results, row->base, "");
		struct text line = {0};

		if (a == NULL || a == last || !a->op || !a->is_not || !a->unit)
			continue;
		last = a;
		text_add(&line, "- %s (%s): %s. Not %s.", a->name, a->unit,
			a->op, a->is_not);
		if (a->floor != NULL)
			text_add(&line, " Stands on %s.", a->floor);
		render_prose(&out, format, line.s);
		text_free(&line);
	}
	text_add(&out, "\n");
}

static void
stands_on(void)
{
	size_t rounds = 0;
	struct text t = {0};

	for (size_t i = 0; i < results.rows; i++)
		if (results.row[i]->metrics > 0 &&
		    results.row[i]->metric[0].rounds.n > rounds)
			rounds = results.row[i]->metric[0].rounds.n;
	render_heading(&out, format, 2, "What these numbers stand on");
	if (rounds >= 6)
		text_add(&t, "%zu rounds of a process for each row, in shuffled "
			"order. ns is the median of the rounds' medians, the "
			"interval its sign-test interval (%.1f %%): it holds "
			"within this run, not for another day. Nothing was "
			"dropped but one warm-up a process.", rounds,
			100 * sign_interval(rounds).level);
	else
		text_add(&t, "%zu round%s: too few for an interval (six). ns is "
			"the median of the rounds' medians.", rounds,
			rounds == 1 ? "" : "s");
	render_prose(&out, format, t.s);
	text_add(&out, "\n");
	text_free(&t);
	for (size_t i = 0; i < results.hosts; i++)
		text_add(&t, "%s: %s\n", results.host[i].key,
			results.host[i].value);
	for (size_t i = 0; i < results.notes; i++)
		if (strcmp(results.note[i].key, "warn") != 0)
			text_add(&t, "%s: %s\n", results.note[i].key,
				results.note[i].value);
	render_literal(&out, format, t.s ? t.s : "");
	text_free(&t);
}

/* One line a figure: everything that was measured, nothing rounded. */
static void
figures(void)
{
	static const char *const names[] = {"benchmark", "group", "workers",
		"place", "cpus", "unit", "median", "low", "high", "level",
		"least", "rounds", "samples", "state", "reason", "cpu",
		"kernel", "compiler"};
	struct table t = {0};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		table_column(&t, names[i], false);
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];

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
				const char *value = fact_find(results.host,
					results.hosts, names[c]);

				table_cell(&t, "%s", value ? value : "");
			}
		}
	}
	render_table(&out, format, &t);
	table_free(&t);
}

/* The Go benchmark format again, a line a round: what benchstat may take for
 * independent samples. */
static void
benchstat(void)
{
	for (size_t i = 0; i < results.hosts; i++)
		text_add(&out, "%s: %s\n", results.host[i].key,
			results.host[i].value);
	for (size_t i = 0; i < results.rows; i++) {
		const struct row *row = results.row[i];
		size_t rounds = row->metrics ? row->metric[0].rounds.n : 0;

		for (size_t r = 0; r < rounds; r++) {
			text_add(&out, "Benchmark%s 1", row->name);
			for (size_t k = 0; k < row->metrics; k++) {
				const struct metric *m = &row->metric[k];

				/* One that some rounds lack cannot be told
				 * by its position. */
				if (m->rounds.n != rounds)
					continue;
				text_add(&out, " ");
				text_decimal(&out, m->rounds.v[r], 6);
				text_add(&out, " %s", m->unit);
			}
			text_add(&out, "\n");
		}
	}
}

static void
read_all(int files, char **file)
{
	for (int i = 0; i < files || i == 0; i++) {
		bool standard = files == 0 || strcmp(file[i], "-") == 0;
		const char *name = standard ? "standard input" : file[i];
		int fd = STDIN_FILENO, err;

		if (!standard)
			fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die(EXIT_USAGE, "%s:", name);
		err = results_read(&results, fd, name);
		if (err != 0)
			die(EXIT_USAGE, "%s: %s", name, strerror(err));
		if (!standard)
			(void)close(fd);
	}
	if (results.rows == 0)
		exit(EXIT_USAGE);       /* each file has been named */
	results_finish(&results);
	view_sort(&results);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c, err;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":f:h", options, NULL)) != -1) {
		if (c == 'h') {
			(void)printf("usage: table [-f FORMAT] [FILE ...]\n"
				"\n  table results/*.txt       Markdown, to "
				"paste\n  table -f text < run.txt   for a "
				"terminal, 100 columns\n  table -f csv run.txt  "
				"    one line a figure, nothing rounded\n"
				"  table -f benchstat run.txt  one line a round,"
				" for benchstat\n\n"
				"Exit code: 0 done, 2 usage, or no records in "
				"any file.\n");
			close_stdout();
			return EXIT_OK;
		}
		if (c != 'f')
			die(EXIT_USAGE, "'%s': %s; see -h", argv[optind - 1],
				c == ':' ? "needs a value" : "no such option");
		format = format_parse(optarg);
	}
	read_all(argc - optind, argv + optind);
	if (format == FORMAT_BENCHSTAT) {
		benchstat();
	} else if (format == FORMAT_CSV) {
		figures();
	} else {
		summary();
		over_workers("switch", false, "Switches, over worker counts");
		over_workers("switch", true, "The published form: a fixed "
			"total shared by the workers");
		over_workers("gen", false, "Generators, over how many are "
			"alive");
		over_workers("loop", false, "Loops, over worker counts");
		over_workers("other", false, "Others, over worker counts");
		by_distance();
		against_call();
		ladder();
		render_heading(&out, format, 2, "Each on its own");
		primitives();
		list_states(ROW_FAILED, "Failed");
		list_states(ROW_SKIPPED, "Skipped");
		what_rows_are();
		stands_on();
	}
	err = put(STDOUT_FILENO, out.s, out.len);
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&out);
	results_free(&results);
	return EXIT_OK;
}
