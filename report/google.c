/* SPDX-License-Identifier: MIT */
/*
 * JSON as google/benchmark writes it, which its compare script and dashboards
 * read: "context", and of each row in "benchmarks" an entry of run_type
 * "iteration" for each round and one of run_type "aggregate" for its median,
 * interval and least. Those know the members from name to time_unit; any other
 * number is a counter. real_time is the headline, in ns per op.
 * Rows without a number are in "left_out", which only we know, since to those
 * each benchmark has times.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* Members of an entry that no unit may be called. */
static const char *const members[] = {"name", "run_name", "run_type",
	"family_index", "per_family_instance_index", "repetitions",
	"repetition_index", "threads", "iterations", "real_time", "cpu_time",
	"time_unit", "aggregate_name", "aggregate_unit", "label", "workers",
	"group", "place", "cpus", "samples", "disturbed", "level", "mode_low",
	"mode_high"};

/* And of the context, no key. */
static const char *const contexts[] = {"date", "host_name", "executable",
	"num_cpus", "warnings", "hosts", "host"};

enum aggregate { MEDIAN, LOW, HIGH, LEAST, AGGREGATES };

static const char *const aggregates[AGGREGATES] = {"median", "low", "high",
	"least"};

/* Where the next entry is put, and what all entries of a row share. */
struct entry {
	struct text *out;
	const struct results *results;
	const struct row *row;
	size_t family, instance;
	char *name;
};

static bool
is_one_of(const char *const *list, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], s) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(list, s) is_one_of(list, sizeof (list) / sizeof *(list), s)

static void
add_key(struct text *out, const char *key)
{
	text_add(out, "%s\n\t", out->s[out->len - 1] == '{' ? "" : ",");
	json_string(out, key);
	text_add(out, ": ");
}

static void
add_string(struct text *out, const char *key, const char *s)
{
	if (s == NULL || *s == '\0')
		return;
	add_key(out, key);
	json_string(out, s);
}

static void
add_number(struct text *out, const char *key, double v)
{
	add_key(out, key);
	json_number(out, v);
}

static void
add_count(struct text *out, const char *key, size_t n)
{
	add_key(out, key);
	text_add(out, "%zu", n);
}

/* Ends what the list has so far, so that another may come. */
static void
add_open(struct text *out)
{
	text_add(out, "%s{", out->s[out->len - 1] == '}' ? ", " : "\n");
}

static void
add_warnings(struct text *out, const struct results *r)
{
	const char *before = "";

	if (fact_find(r->note, r->notes, "warn") == NULL)
		return;
	add_key(out, "warnings");
	text_add(out, "[");
	for (size_t i = 0; i < r->notes; i++) {
		if (strcmp(r->note[i].key, "warn") != 0)
			continue;
		text_add(out, "%s", before);
		json_string(out, r->note[i].value);
		before = ", ";
	}
	text_add(out, "]");
}

static void
add_context(struct text *out, const struct results *r)
{
	const char *cpus = fact_find(r->host, r->hosts, "cpus");
	size_t n = cpus ? strspn(cpus, "0123456789") : 0;

	add_string(out, "date", fact_find(r->note, r->notes, "date"));
	add_string(out, "host_name", fact_find(r->note, r->notes, "host"));
	add_string(out, "executable", "ns-per-switch");
	if (n > 0 && n < 10 && *cpus != '0') {
		add_key(out, "num_cpus");
		text_add(out, "%.*s", (int)n, cpus);
	}
	for (size_t i = 0; i < r->hosts; i++)
		if (!IS_ONE_OF(contexts, r->host[i].key))
			add_string(out, r->host[i].key, r->host[i].value);
	for (size_t i = 0; i < r->notes; i++)
		if (!IS_ONE_OF(contexts, r->note[i].key) &&
		    strcmp(r->note[i].key, "warn") != 0 &&
		    fact_find(r->host, r->hosts, r->note[i].key) == NULL)
			add_string(out, r->note[i].key, r->note[i].value);
	add_warnings(out, r);
}

/* Threads, or processes, that ran at the same time: contexts, generators, tasks
 * and the like share one. */
static long
threads(const struct row *row)
{
	static const char *const sharing[] = {"context", "generator", "task",
		"depth", "caller", "spawner", "coroutine", "greenlet",
		"callback"};
	const char *worker = row->about ? row->about->worker : NULL;

	return IS_ONE_OF(sharing, row->as) || (worker != NULL &&
		IS_ONE_OF(sharing, worker)) ? 1 : row->workers;
}

static void
begin_entry(const struct entry *e, const char *aggregate)
{
	const struct row *row = e->row;
	struct text name = {0};

	text_add(&name, "%s%s%s", e->name, aggregate ? "_" : "",
		aggregate ? aggregate : "");
	add_open(e->out);
	add_string(e->out, "name", name.s);
	text_free(&name);
	add_count(e->out, "family_index", e->family);
	add_count(e->out, "per_family_instance_index", e->instance);
	add_string(e->out, "run_name", e->name);
	add_string(e->out, "run_type", aggregate ? "aggregate" : "iteration");
	add_count(e->out, "repetitions", row->metric[0].rounds.n);
	add_count(e->out, "threads", (size_t)threads(row));
	if (aggregate != NULL) {
		add_string(e->out, "aggregate_name", aggregate);
		add_string(e->out, "aggregate_unit", "time");
	}
}

static void
add_metric(const struct entry *e, size_t k, double v)
{
	const char *unit = e->row->metric[k].unit;

	if (k == 0)
		add_number(e->out, "real_time", v);
	else if (strcmp(unit, "cpu-ns/op") == 0)
		add_number(e->out, "cpu_time", v);
	else if (!IS_ONE_OF(members, unit))
		add_number(e->out, unit, v);
}

static void
end_entry(const struct entry *e)
{
	const struct row *row = e->row;

	add_string(e->out, "time_unit", "ns");
	add_count(e->out, "workers", (size_t)row->workers);
	add_string(e->out, "group", view_group(row));
	add_string(e->out, "place", row->place);
	add_string(e->out, "cpus", row->cpus);
	add_string(e->out, "label", row->metric[0].unit);
	text_add(e->out, "}");
}

static void
add_round(const struct entry *e, size_t round)
{
	const struct row *row = e->row;

	begin_entry(e, NULL);
	add_count(e->out, "repetition_index", round);
	add_number(e->out, "iterations", row->round_ops.v[round]);
	for (size_t k = 0; k < row->metrics; k++)
		/* One that some rounds lack cannot be told by its position. */
		if (row->metric[k].rounds.n == row->metric[0].rounds.n)
			add_metric(e, k, row->metric[k].rounds.v[round]);
	end_entry(e);
}

static void
add_aggregate(const struct entry *e, enum aggregate which)
{
	const struct row *row = e->row;
	struct summary s = view_headline(row);
	struct modes modes = view_modes(row);

	if (s.level == 0 && (which == LOW || which == HIGH))
		return;
	begin_entry(e, aggregates[which]);
	add_count(e->out, "iterations", s.rounds);
	for (size_t k = 0; k < row->metrics; k++) {
		const struct metric *m = &row->metric[k];
		struct summary of = summarise(m->rounds.v, m->rounds.n);

		if (which == MEDIAN || which == LEAST || of.level > 0)
			add_metric(e, k, which == MEDIAN ? of.median :
				which == LEAST ? m->least :
				which == LOW ? of.low : of.high);
	}
	if (which == MEDIAN) {
		add_count(e->out, "samples", row->samples);
		add_count(e->out, "disturbed", row->disturbed);
		if (s.level > 0)
			add_number(e->out, "level", s.level);
		if (modes.two) {
			add_number(e->out, "mode_low", modes.low);
			add_number(e->out, "mode_high", modes.high);
		}
	}
	end_entry(e);
}

/* Of several hosts, one row's names must not be the other's. */
static char *
name_on(const struct row *row, const struct results *host, size_t h,
	size_t hosts)
{
	const char *name = fact_find(host->note, host->notes, "host");
	struct text t = {0};

	text_add(&t, "%s", row->name);
	if (hosts > 1)
		text_add(&t, "/host=%zu%s%s", h + 1, name ? "-" : "",
			name ? name : "");
	return t.s;
}

static void
add_host(struct text *out, const struct results *host, size_t h, size_t hosts,
	bool measured)
{
	struct entry e = {.out = out, .results = &host[h]};

	for (size_t i = 0; i < host[h].rows; i++) {
		bool new = i == 0 || strcmp(host[h].row[i]->base,
			host[h].row[i - 1]->base) != 0;
		const char *none;

		e.row = host[h].row[i];
		e.family += new && i > 0;
		e.instance = new ? 0 : e.instance + 1;
		none = no_number(e.row);
		if ((none == NULL) != measured)
			continue;
		e.name = name_on(e.row, &host[h], h, hosts);
		if (none != NULL) {
			add_open(out);
			add_string(out, "name", e.name);
			add_string(out, "state", none);
			add_string(out, "reason", e.row->why);
			text_add(out, "}");
		} else {
			for (size_t r = 0; r < e.row->metric[0].rounds.n; r++)
				add_round(&e, r);
			for (int a = 0; a < AGGREGATES; a++)
				add_aggregate(&e, (enum aggregate)a);
		}
		free(e.name);
	}
}

void
figures_json(struct text *out, const struct results *host, size_t hosts)
{
	text_add(out, "{\n\"context\": {");
	if (hosts == 1) {
		add_context(out, host);
	} else {
		add_key(out, "hosts");
		text_add(out, "[");
		for (size_t h = 0; h < hosts; h++) {
			add_open(out);
			add_context(out, &host[h]);
			text_add(out, "}");
		}
		text_add(out, "]");
	}
	text_add(out, "\n},\n\"benchmarks\": [");
	for (size_t h = 0; h < hosts; h++)
		add_host(out, host, h, hosts, true);
	text_add(out, "\n],\n\"left_out\": [");
	for (size_t h = 0; h < hosts; h++)
		add_host(out, host, h, hosts, false);
	text_add(out, "\n]\n}\n");
}
