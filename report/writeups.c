/* SPDX-License-Identifier: MIT */
/*
 * The write-ups' own tables, in their own shape, with what was measured here
 * beside each figure. Theirs are from CPython: they are set beside ours, not
 * against them. Then what it matters.
 */
#include "page.h"

#include <string.h>

static const struct row *
find(struct page *p, const char *base, const char *as, const char *params,
	long workers)
{
	for (size_t i = 0; i < p->results.rows; i++) {
		const struct row *row = p->results.row[i];

		if (row->workers == workers && no_number(row) == NULL &&
		    strcmp(row->base, base) == 0 &&
		    strcmp(row->as, as) == 0 &&
		    strcmp(row->params, params) == 0)
			return row;
	}
	return NULL;
}

/* ns per op, or -1 where it was not measured. */
static double
ns_of(const struct row *row)
{
	return row == NULL ? -1 : view_headline(row).median;
}

/* A figure with so many decimals; nothing where there is none, which is what 0
 * or less says. */
static void
figure_cell(struct table *t, int decimals, double v)
{
	if (v > 0)
		table_cell(t, "%.*f", decimals, v);
	else
		table_cell(t, "%s", "");
}

static void
percent_cell(struct table *t, int decimals, double share)
{
	table_cell(t, "%.*f %%", decimals, 100 * share);
}

static void
per_second_cell(struct table *t, double ns)
{
	figure_cell(t, 0, 1e9 / ns);
}

static void
finish(struct page *p, struct table *t, int level, const char *title,
	const char *caption)
{
	t->title = need_copy(title, strlen(title));
	t->level = level;
	t->caption = need_copy(caption, strlen(caption));
	page_table(p, t);
	table_free(t);
}

static void
v2ex(struct page *p)
{
	static const struct {
		long workers;
		double threads, thread_ns, coroutines, coroutine_ns;
	} theirs[] = {
		{2, 2278386, 438, 122296, 8176},
		{4, 737829, 1350, 0, 0},
		{8, 393786, 2539, 0, 0},
		{16, 367123, 2720, 0, 0},
		{32, 369260, 2708, 243502, 4106},
		{64, 381061, 2624, 0, 0},
		{128, 0, 0, 252571, 3959},
		{512, 381403, 2622, 253258, 3948},
		{4096, 0, 0, 239334, 4178},
	};
	struct table t = {0};

	table_column(&t, "N", true);
	table_column(&t, "threads/s", true);
	table_column(&t, "ns", true);
	table_column(&t, "here: ns", true);
	table_column(&t, "hand-offs", true);
	table_column(&t, "coroutines/s", true);
	table_column(&t, "ns", true);
	table_column(&t, "here: ns", true);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
		long n = theirs[i].workers;
		const struct row *mutex = find(p, "Mutex", "thread",
			"total=2000000", n);
		double handoffs = mutex ? view_value(mutex, "handoffs/op") :
			-1;

		table_cell(&t, "%ld", n);
		figure_cell(&t, 0, theirs[i].threads);
		figure_cell(&t, 0, theirs[i].thread_ns);
		ns_cell(&t, mutex);
		figure_cell(&t, 0, handoffs * 2000000);
		figure_cell(&t, 0, theirs[i].coroutines);
		figure_cell(&t, 0, theirs[i].coroutine_ns);
		ns_cell(&t, find(p, "EventLoop", "", "", n));
	}
	finish(p, &t, 3, "V2EX: adding 1 to a counter, 2,000,000 times in all",
		"Threads take a mutex around each addition (here: Mutex, the "
		"same total, unpinned); coroutines yield to the event loop "
		"after each (here: EventLoop). Hand-offs: how often the mutex "
		"changed hands in the 2,000,000.");
}

static void
v2ex_loops(struct page *p)
{
	static const struct {
		const char *what;
		double per_second;
		const char *base;
	} theirs[] = {
		{"a plain for loop", 10e6, "Register"},
		{"the counter in a closure's cell", 0, "Cell"},
		{"the counter found by its name", 0, "Dict"},
		{"in a coroutine that never yields", 20e6, "NoSuspend"},
	};
	struct table t = {0};

	table_column(&t, "loop", false);
	table_column(&t, "turns/s", true);
	table_column(&t, "here: turns/s", true);
	table_column(&t, "row", false);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
		table_cell(&t, "%s", theirs[i].what);
		figure_cell(&t, 0, theirs[i].per_second);
		per_second_cell(&t, ns_of(find(p, theirs[i].base, "", "", 1)));
		table_cell(&t, "%s", theirs[i].base);
	}
	finish(p, &t, 3, "V2EX: the loop by itself", "Their plain loop counted "
		"a variable that the interpreter finds by its name, the "
		"coroutine's a local one.");
}

static void
zzzeek_calls(struct page *p)
{
	static const struct {
		const char *what;
		double seconds;
		const char *base, *as;
	} theirs[] = {
		{"a call", 2.11, "Call", "direct"},
		{"through StopIteration", 12.53, "StopIteration", ""},
	};
	struct table t = {0};
	double first = -1;

	table_column(&t, "10 million values", false);
	table_column(&t, "s", true);
	table_column(&t, "x call", true);
	table_column(&t, "here: s", true);
	table_column(&t, "x call", true);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
		double ns = ns_of(find(p, theirs[i].base, theirs[i].as, "",
			1));

		first = i == 0 ? ns : first;
		table_cell(&t, "%s", theirs[i].what);
		figure_cell(&t, 2, theirs[i].seconds);
		figure_cell(&t, 2, theirs[i].seconds /
			theirs[0].seconds);
		figure_cell(&t, 4, ns / 100);
		figure_cell(&t, 2, first > 0 ? ns / first : 0);
	}
	finish(p, &t, 3, "zzzeek: a value comes back",
		"Returned by a function, or by a generator that ends.");
}

static void
zzzeek_rows(struct page *p)
{
	static const struct {
		const char *what;
		double first, second;
		const char *as;
	} theirs[] = {
		{"threads (2.7)", 22000, 22000, "thread"},
		{"threads (3.4)", 10000, 21000, "thread"},
		{"greenlets (2.7)", 18000, 19000, "greenlet"},
		{"event loop (3.4)", 8000, 10000, "callback"},
		{"processes", 0, 0, "process"},
	};
	struct table t = {0};

	table_column(&t, "workers are", false);
	table_column(&t, "rows/s", true);
	table_column(&t, "rows/s", true);
	table_column(&t, "here: 120", true);
	table_column(&t, "120 by 100", true);
	table_column(&t, "15", true);
	table_column(&t, "350", true);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
		const char *as = theirs[i].as;

		table_cell(&t, "%s", theirs[i].what);
		figure_cell(&t, 0, theirs[i].first);
		figure_cell(&t, 0, theirs[i].second);
		per_second_cell(&t, ns_of(find(p, "Rows", as, "rows=4200",
			120)));
		per_second_cell(&t, ns_of(find(p, "Rows", as,
			"rows=36000/batch=100", 120)));
		per_second_cell(&t, ns_of(find(p, "Rows", as, "rows=4200",
			15)));
		per_second_cell(&t, ns_of(find(p, "Rows", as, "rows=4200",
			350)));
	}
	finish(p, &t, 3, "zzzeek: loading rows",
		"Theirs over 120 connections, first and second part. Here over "
		"120, 15 and 350 connections to a peer that acknowledges each "
		"row, or 100 at a time (by 100), and does nothing else.");
}

/* The share of the time in which a member of the crew was not on a CPU. */
static double
wait_share(const struct row *row)
{
	double cpu = view_value(row, "cpu-ns/op");
	double members = view_value(row, "active");

	return cpu < 0 ? -1 : 1 - cpu / (ns_of(row) *
		(members > 1 ? members : 1));
}

static void
zzzeek_work(struct page *p)
{
	static const char *const work[] = {"rows=4200",
		"rows=1200/work=1000", "rows=1200/work=10000",
		"rows=1200/work=100000"};
	static const char *const us[] = {"0", "1", "10", "100"};
	static const char *const as[] = {"thread", "callback"};
	struct table t = {0};
	bool any = false;

	table_column(&t, "us a row", true);
	for (int k = 0; k < 2; k++) {
		table_column(&t, as[k], true);
		table_column(&t, "CPU", true);
		table_column(&t, "waits", true);
	}
	for (int i = 0; i < 4; i++) {
		table_cell(&t, "%s", us[i]);
		for (int k = 0; k < 2; k++) {
			const struct row *row = find(p, "Rows", as[k], work[i],
				120);
			double waits = row ? wait_share(row) : -1;

			any |= row != NULL && i > 0;
			per_second_cell(&t, ns_of(row));
			if (waits < 0) {
				table_cell(&t, "%s", "");
				table_cell(&t, "%s", "");
				continue;
			}
			percent_cell(&t, 0, view_value(row, "cpu-ns/op") /
				ns_of(row));
			percent_cell(&t, 1, waits);
		}
	}
	if (any)
		finish(p, &t, 3, "zzzeek: work of the client's own", "Rows a "
			"second over 120 connections, with so much computing "
			"for each. CPU: of one CPU, all workers together. "
			"Waits: the share of its time that a thread did not "
			"run.");
	else
		table_free(&t);
}

static void
cr0hn(struct page *p)
{
	static const struct {
		long pages, at_a_time;
		double seconds[3];
	} theirs[] = {
		{50, 5, {5.64, 6.23, 5.84}},
		{50, 10, {2.68, 2.81, 3.49}},
		{50, 15, {1.97, 2.07, 2.40}},
		{100, 5, {10.73, 10.18, 12.54}},
		{100, 10, {6.38, 5.94, 6.64}},
		{100, 15, {3.70, 3.87, 4.93}},
		{200, 5, {21.59, 20.82, 23.11}},
		{200, 10, {11.15, 10.27, 13.32}},
		{200, 15, {7.85, 7.41, 9.25}},
	};
	static const char *const as[] = {"thread", "coroutine", "process"};
	struct table t = {0};

	table_column(&t, "pages", true);
	table_column(&t, "C", true);
	table_column(&t, "threads", true);
	table_column(&t, "coroutines", true);
	table_column(&t, "processes", true);
	table_column(&t, "here: threads", true);
	table_column(&t, "coroutines", true);
	table_column(&t, "processes", true);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
		struct text params = {0};

		table_cell(&t, "%ld", theirs[i].pages);
		table_cell(&t, "%ld", theirs[i].at_a_time);
		text_add(&params, "pages=%ld", theirs[i].pages);
		for (int k = 0; k < 3; k++)
			figure_cell(&t, 2, theirs[i].seconds[k]);
		for (int k = 0; k < 3; k++) {
			const struct row *row = find(p, "Fetch", as[k],
				params.s, theirs[i].at_a_time);

			if (row != NULL)
				table_cell(&t, "%.4f (%.2f)", ns_of(row) /
					1e9 * (double)theirs[i].pages,
					view_value(row, "x-ideal"));
			else
				table_cell(&t, "%s", "");
		}
		text_free(&params);
	}
	finish(p, &t, 3, "cr0hn: seconds to fetch pages, at most C at a "
		"time", "Theirs from a server far away; here from one that "
		"waits 2 ms before it answers, and in brackets as a multiple "
		"of the ideal, pages / C x the delay that was really given.");
}

void
writeups(struct page *p)
{
	bool mutex = find(p, "Mutex", "thread", "total=2000000", 2) != NULL;
	bool loops = find(p, "NoSuspend", "", "", 1) != NULL;
	bool calls = find(p, "StopIteration", "", "", 1) != NULL;
	bool rows = first_of(p, "Rows") != NULL;
	bool fetch = first_of(p, "Fetch") != NULL;

	if (p->format == FORMAT_CSV || !(mutex || loops || calls || rows ||
	    fetch))
		return;
	render_heading(&p->out, p->format, 2, "The write-ups' tables, and the "
		"same here");
	if (mutex)
		v2ex(p);
	if (loops)
		v2ex_loops(p);
	if (calls)
		zzzeek_calls(p);
	if (rows) {
		zzzeek_rows(p);
		zzzeek_work(p);
	}
	if (fetch)
		cr0hn(p);
}

/* The share of a core that so many waits a second spend on switching. */
static void
share_cell(struct table *t, double ns, double waits)
{
	double share = waits * ns / 1e9;

	percent_cell(t, share >= 0.1 ? 0 : share >= 0.001 ? 1 :
		share >= 1e-5 ? 3 : 6, share);
}

static void
wait_cell(struct table *t, double ns)
{
	struct text s = {0};
	static const char *const units[] = {"ns", "us", "ms"};
	int unit = 0;

	for (; ns >= 1000 && unit < 2; unit++)
		ns /= 1000;
	view_number(&s, ns);
	table_cell(t, "%s %s", s.s, units[unit]);
	text_free(&s);
}

void
when_it_matters(struct page *p)
{
	static const struct {
		const char *base, *as;
	} mechanisms[] = {
		{"Raw", ""}, {"EventLoop", ""}, {"Ucontext", ""},
		{"Greenlet", ""}, {"Yield", ""}, {"Futex", "thread"},
		{"Futex", "process"}, {"Pipe", "thread"},
		{"Condvar", "thread"},
	};
	struct table t = {0};
	bool any = false;

	table_column(&t, "mechanism", false);
	table_column(&t, "on", false);
	table_column(&t, "ns", true);
	table_column(&t, "10/s", true);
	table_column(&t, "1,000/s", true);
	table_column(&t, "100,000/s", true);
	table_column(&t, "1 % of a wait of", true);
	for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
		for (int k = 0; view_distances[k] != NULL; k++) {
			const struct row *row = view_find(&p->results,
				mechanisms[i].base, mechanisms[i].as,
				view_distances[k], 2);
			double ns = ns_of(row);

			if (row == NULL || no_number(row) != NULL)
				continue;
			any = true;
			table_cell(&t, "%s%s%s", row->base,
				*row->as ? " " : "", row->as);
			table_cell(&t, "%s", row->place);
			ns_cell(&t, row);
			share_cell(&t, ns, 10);
			share_cell(&t, ns, 1000);
			share_cell(&t, ns, 100000);
			wait_cell(&t, 99 * ns);
		}
	if (!any) {
		table_free(&t);
		return;
	}
	table_note(&t, "%s", "Share of one core = waits a second x ns / 1e9, "
		"one op a wait: who waits hands over to whoever's wait has "
		"ended. A "
		"switch is 1 % of the time where the wait lasts 99 times as "
		"long; of a longer wait it is less.");
	finish(p, &t, 2, "When does it matter?", "The share of one core that "
		"is spent switching, at so many waits a second.");
}
