/* SPDX-License-Identifier: MIT */
/*
 * One op is one addition to a counter that is found by its name in a hash
 * table, as a module's variable is: look it up and get it, add 1, look it up
 * and set it. The table uses open addressing; a name carries its hash, and the
 * very same string is known by its address, which is how CPython finds interned
 * names: no characters are compared. Nor is the value boxed. There is no
 * switch. Workers share nothing, each has its own table.
 */
#include "bench.h"

#include <string.h>

#define ENTRIES 8               /* a power of two, never full */

struct name {
	uint64_t hash;
	const char *text;
};

struct dict {
	_Alignas(BENCH_LINE) struct entry {
		const struct name *name;
		uint64_t value;
	} entry[ENTRIES];
};

/* The first is where it belongs: its hash finds it at once. */
static struct name names[] = {{0, "counter"}, {0, "total"}, {0, "range"},
	{0, "worker"}, {0, "main"}};
#define NAMES (sizeof names / sizeof *names)

static uint64_t
hash(const char *s)
{
	uint64_t h = 14695981039346656037u;     /* FNV-1a */

	while (*s != '\0')
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h;
}

/* Where name is, or where it would go. */
static inline struct entry *
find(struct dict *d, const struct name *name)
{
	struct entry *e = &d->entry[name->hash % ENTRIES];

	while (e->name != NULL && e->name != name &&
	    (e->name->hash != name->hash ||
	     strcmp(e->name->text, name->text) != 0))
		if (++e == d->entry + ENTRIES)
			e = d->entry;
	return e;
}

static BENCH_NOINLINE uint64_t
get(struct dict *d, const struct name *name)
{
	return find(d, name)->value;
}

static BENCH_NOINLINE void
set(struct dict *d, const struct name *name, uint64_t value)
{
	struct entry *e = find(d, name);

	e->name = name;
	e->value = value;
}

static void
setup(struct run *run)
{
	for (size_t i = 0; i < NAMES; i++)
		names[i].hash = hash(names[i].text);
	run->state = bench_alloc((size_t)run->members * sizeof(struct dict));
}

static void
reset(struct run *run)
{
	struct dict *dicts = run->state;

	for (int i = 0; i < run->members; i++)
		for (size_t k = 0; k < NAMES; k++)
			set(&dicts[i], &names[k], 0);
}

static uint64_t
count_up(struct run *run, int member, uint64_t ops)
{
	struct dict *d = (struct dict *)run->state + member;
	const struct name *counter = &names[0];
	uint64_t left = ops;

	while (left > 0 && !bench_stopped(run)) {
		for (int i = bench_batch(&left); i > 0; i--) {
			bench_keep(counter);
			set(d, counter, get(d, counter) + 1);
		}
	}
	return ops - left;
}

/* By a name that is equal, not the same: its characters are compared. */
static void
count(struct run *run, struct tally *tally)
{
	const struct name counter = {hash("counter"), "counter"};
	struct dict *dicts = run->state;

	for (int i = 0; i < run->members; i++)
		tally->ops += get(&dicts[i], &counter);
}

static const struct bench bench = {
	.name = "Dict",
	.group = "loop",
	.unit = "iter",
	.op = "add 1 by name",
	.is_not = "a comparison of strings: the name is known by its address",
	.floor = "Memory",
	.worker = "thread",
	.work = WORK_BESIDE,
	.footprint = 256,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_THREADS}},
	.setup = setup,
	.reset = reset,
	.run = count_up,
	.count = count,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
