/* SPDX-License-Identifier: MIT */
/* What went on around a sample: members look at their CPUs before and after,
 * the system's own counts are read, and what disturbed it gets a name. */
#include "harness.h"

#include <time.h>

#define GAP_TIME 1000000        /* ns of back-to-back clock reads */
#define GAP_LEAST 5000          /* ns: above any read, below any interrupt that
                                 * matters */
#define CHAINS 5
#define CHAIN_ADDS 8000         /* 2 us at 4 GHz */

/* A core does fewer independent additions at a time when its other hardware
 * thread is busy, by a third or more: the part of the most seen that is left of
 * them then. Dependent ones take a cycle each all the same. */
#define SHARED_MOST 0.85
#define LINE_TRIPS 200
#define LINE_TIME 2000000       /* ns until we give up on the other side */

/* Parts beyond which somebody is setting the clock; steering it is limited to
 * 500 per million (adjtimex(2)). */
#define DRIFT_MOST 400e-6

/* The share of a sample that other tasks may take before it is marked, and the
 * share of a millisecond that may go by in gaps: a timer tick in a virtual
 * machine takes up to 0.05 of it, and is everywhere. */
#define LOST_MOST 0.03
#define GAPS_MOST 0.10

#define TICK 10e6               /* ns, what /proc/stat counts in */

#define ADD(x, y) do { (x) += (y); bench_keep(x); } while (0)

/* ns that two reads of the clock are apart with nothing between them. */
static int64_t
read_cost(void)
{
	int64_t least = INT64_MAX;

	for (int k = 0; k < CHAINS; k++) {
		int64_t start = clock_now(), took = clock_now() - start;

		least = took < least ? took : least;
	}
	return least;
}

/* ns that CHAIN_ADDS dependent additions take. */
static int64_t
one_chain(void)
{
	uint64_t x = 0, y = 1;
	int64_t start = clock_now();

	bench_keep(y);
	for (int i = 0; i < CHAIN_ADDS / 8; i++) {
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
		ADD(x, y);
	}
	return clock_now() - start;
}

/* The same of four chains side by side. */
static int64_t
four_chains(void)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, y = 1;
	int64_t start = clock_now();

	bench_keep(y);
	for (int i = 0; i < CHAIN_ADDS / 8; i++) {
		ADD(a, y);
		ADD(b, y);
		ADD(c, y);
		ADD(d, y);
		ADD(a, y);
		ADD(b, y);
		ADD(c, y);
		ADD(d, y);
	}
	return clock_now() - start;
}

void
probe_core(double *cycle, double *adds)
{
	int64_t one = INT64_MAX, four = INT64_MAX, read = read_cost();

	/* In turns, so that both see the same speed of the clock. */
	for (int k = 0; k < CHAINS; k++) {
		int64_t took = one_chain();

		one = took < one ? took : one;
		took = four_chains();
		four = took < four ? took : four;
	}
	one -= read;
	four -= read;
	*cycle = (double)one / CHAIN_ADDS;
	*adds = (double)one / (double)(four > 0 ? four : 1);
}

double
bench_cycle(void)
{
	double cycle, adds;

	probe_core(&cycle, &adds);
	return cycle;
}

/* Counted without a sign: a sanitizer looks after an overflow of others. */
double
probe_empty(void)
{
	const uint64_t iterations = 10000;
	int64_t least = INT64_MAX, read = read_cost();

	for (int k = 0; k < CHAINS; k++) {
		int64_t start = clock_now(), took;

		for (uint64_t i = 0; i < iterations; i++)
			bench_keep(i);
		took = clock_now() - start;
		least = took < least ? took : least;
	}
	return (double)(least - read) / (double)iterations;
}

double
probe_gaps(void)
{
	int64_t start = clock_now(), last = start, lost = 0;

	while (last - start < GAP_TIME) {
		int64_t now = clock_now();

		if (now < last)
			bench_fail("the clock ran backwards by %lld ns",
				(long long)(last - now));
		if (now - last > GAP_LEAST)
			lost += now - last;
		last = now;
	}
	return (double)lost / (double)(last - start);
}

/* Wait for the other side; false when it does not come in time: its CPU may
 * be taken from us. Looks at the clock now and then only. */
static bool
await(atomic_int *line, int value)
{
	int64_t start = 0;

	for (int i = 1; atomic_load_explicit(line, memory_order_acquire) !=
	    value; i++) {
		if (i % 4096 != 0)
			continue;
		if (start == 0)
			start = clock_now();
		else if (clock_now() - start > LINE_TIME)
			return false;
	}
	return true;
}

double
probe_line(atomic_int *mine, atomic_int *others, bool first)
{
	int64_t start = 0;

	/* The first trip waits for the other to come at all. */
	for (int i = 1; i <= LINE_TRIPS + 1; i++) {
		if (first)
			atomic_store_explicit(others, i, memory_order_release);
		if (!await(mine, i))
			return -1;
		if (!first)
			atomic_store_explicit(others, i, memory_order_release);
		if (i == 1)
			start = clock_now();
	}
	return (double)(clock_now() - start) / (2 * LINE_TRIPS);
}

/* Both clocks at one time: again until nothing came in between. */
static struct clocks
read_clocks(void)
{
	struct clocks c = {clock_now(), 0};

#ifdef CLOCK_MONOTONIC_RAW
	for (int k = 0; k < 10; k++) {
		struct timespec t;

		c.monotonic = clock_now();
		if (clock_gettime(CLOCK_MONOTONIC_RAW, &t) != 0)
			return (struct clocks){0, 0};
		c.raw = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
		if (clock_now() - c.monotonic < 1000)
			return c;
	}
#endif
	return (struct clocks){0, 0};
}

static int64_t
since(int64_t before, int64_t after)
{
	return before < 0 || after < 0 ? -1 : after - before;
}

void
around_begin(struct around *around)
{
	around->before = around->after;
	around->cpus = host_cpu_time();
	around->throttled = host_throttled();
	around->clocks = read_clocks();
}

void
around_end(struct around *around, struct crew *crew, int limit)
{
	struct clocks now = read_clocks();
	struct cpu_time cpus = host_cpu_time();
	int64_t took = now.monotonic - around->clocks.monotonic;
	int64_t raw = now.raw - around->clocks.raw;

	around->drift = 0;
	/* Of a short sample, the reads themselves would be the drift. */
	if (now.raw > 0 && around->clocks.raw > 0 && raw > 1000000)
		around->drift = (double)took / (double)raw - 1;
	around->cpus.busy = since(around->cpus.busy, cpus.busy);
	around->cpus.stolen = since(around->cpus.stolen, cpus.stolen);
	around->throttled = since(around->throttled, host_throttled());
	crew_probe(crew, limit, &around->after);
	if (around->before.adds > around->adds_most)
		around->adds_most = around->before.adds;
	if (around->after.adds > around->adds_most)
		around->adds_most = around->after.adds;
}

/* The share of their time that the members wanted to run and could not, for
 * another task's sake; -1 where that cannot be told. */
static double
lost_time(const struct around *around, const struct run *run,
	const struct place *place, const struct sample *s)
{
	enum bench_work work = run->bench->work;
	int width = place_width(place, run->members);
	double others;

	if (work == WORK_FIXED || run->bench->as[run->as].waits)
		return -1;
	/* All on one CPU, which one of them always wants. */
	if (width == 1)
		return s->cpu < 0 ? -1 :
			1 - (double)s->cpu / (double)s->wall;
	if (run->members <= width)
		return s->delay < 0 ? -1 : (double)s->delay /
			((double)s->wall * run->members);
	/* They wait for each other as well: what others ran, in ticks of the
	 * kernel, is left. A few ticks are noise. */
	if (s->cpu < 0 || around->cpus.busy < 0 ||
	    (double)s->wall * width < 10 * TICK)
		return -1;
	others = (double)(around->cpus.busy - s->cpu);
	return others > 2 * TICK ? (others - TICK) /
		((double)s->wall * width) : 0;
}

/* Additions at a time on the CPU that all members share; the fewer of before
 * and after. 0 where members are on several, or kinds of core may differ. */
static double
fewest_adds(const struct around *around, const struct place *place)
{
	if (place->kind != PLACE_SAME)
		return 0;
	return around->before.adds < around->after.adds ?
		around->before.adds : around->after.adds;
}

/* What disturbed the sample, by name; nothing if nothing did. */
static void
add_disturbed(struct text *t, const struct around *around, double lost,
	double adds, const struct sample *s)
{
	static const char *const names[] = {"busy", "gaps", "stolen",
		"throttled", "clock", "shared"};
	bool is[6] = {
		lost > LOST_MOST,
		around->before.gaps > GAPS_MOST ||
			around->after.gaps > GAPS_MOST,
		(double)around->cpus.stolen > LOST_MOST * (double)s->wall,
		around->throttled > 0,
		around->drift > DRIFT_MOST || around->drift < -DRIFT_MOST,
		adds > 0 && adds < SHARED_MOST * around->adds_most,
	};
	bool any = false;

	for (int i = 0; i < 6; i++) {
		if (is[i])
			text_add(t, "%s%s", any ? "," : " disturbed=",
				names[i]);
		any |= is[i];
	}
}

static void
add_field(struct text *t, const char *name, double v)
{
	text_add(t, " %s=", name);
	text_decimal(t, v, 4);
}

double
around_cycle(const struct around *around, const struct run *run,
	const struct place *place)
{
	double a = around->before.cycle, b = around->after.cycle;
	double low = a < b ? a : b, high = a < b ? b : a;
	double bytes = (double)run->bench->footprint * run->workers;

	if (bytes == 0 || bytes > (double)host_cache() / 2 || low <= 0 ||
	    high > 1.01 * low || place_width(place, run->members) > 1 ||
	    (place->cpus == 0 && run->members > 1))
		return 0;
	return low;
}

void
around_text(const struct around *around, const struct run *run,
	const struct place *place, const struct sample *s, double cycle,
	struct text *t)
{
	double lost = lost_time(around, run, place, s);
	double adds = fewest_adds(around, place);

	if (lost >= 0)
		add_field(t, "lost", lost);
	add_field(t, "gaps", around->before.gaps > around->after.gaps ?
		around->before.gaps : around->after.gaps);
	if (around->before.line >= 0 && around->after.line >= 0)
		add_field(t, "line_ns", (around->before.line +
			around->after.line) / 2);
	if (cycle > 0)
		add_field(t, "ghz", 1 / cycle);
	if (adds > 0)
		add_field(t, "adds", adds);
	if (around->cpus.stolen > 0)
		add_field(t, "stolen_ns", (double)around->cpus.stolen);
	if (around->throttled > 0)
		add_field(t, "throttled_ns", (double)around->throttled);
	add_disturbed(t, around, lost, adds, s);
}
