/* SPDX-License-Identifier: MIT */
#include "records.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats.h"

#ifndef CHUNK                   /* fuzzed with a smaller one */
#define CHUNK (1 << 20)         /* bytes; also the longest line */
#endif
#define COMPLAINTS 10           /* a file */

/* Of host facts, of notes, of commands, of abouts; of a row's units. Each is
 * compared with all before it: more would take minutes. */
#define DISTINCT_MOST 5000
#define UNITS_MOST 64

const char *const disturbed_names[DISTURBED_KINDS] = {"busy", "gaps",
	"stolen", "throttled", "clock", "shared"};

/* Where a line came from, and what the last "# sample:" line said. */
struct reader {
	struct results *results;
	const char *file;
	size_t line;
	struct text complaint[COMPLAINTS];
	size_t complaints;
	int round;
	int64_t ops;
	unsigned disturbed;     /* a bit for each kind */
	double line_ns;         /* of a cache line between its CPUs, or -1 */
	double adds;            /* its CPU did at a time, or -1 */
	char *cpus;
	char *run;              /* of the last "# run:" line */
	struct row *row;        /* of the last benchmark line */
};

static void
malformed(struct reader *r, const char *expected)
{
	r->results->malformed++;
	if (r->complaints < COMPLAINTS)
		text_add(&r->complaint[r->complaints], "%zu: expected %s",
			r->line, expected);
	r->complaints++;
}

/* Is there room for one after these n? */
static bool
room(struct reader *reader, size_t n)
{
	if (n >= DISTINCT_MOST)
		malformed(reader, "at most 5,000 different lines of this kind");
	return n < DISTINCT_MOST;
}

/* A file in which nothing was found gets one line, not one for each of its. */
static void
tell(struct reader *r, bool found)
{
	size_t n = r->complaints < COMPLAINTS ? r->complaints : COMPLAINTS;

	if (!found)
		complain("%s: no records in it%s%s", r->file,
			n ? "; line " : "", n ? r->complaint[0].s : "");
	for (size_t i = 0; i < n; i++) {
		if (found)
			complain("%s:%s", r->file, r->complaint[i].s);
		text_free(&r->complaint[i]);
	}
	if (found && r->complaints > n)
		complain("%s: %zu more lines left out", r->file,
			r->complaints - n);
}

void
values_add(struct values *values, double v)
{
	if (values->n == values->room) {
		values->room = values->room ? 2 * values->room : 8;
		values->v = need_more(values->v, values->room,
			sizeof *values->v);
	}
	values->v[values->n++] = v;
}

static char *
copy(const char *s)
{
	return need_copy(s, strlen(s));
}

static void
set_text(char **to, const char *s)
{
	free(*to);
	*to = copy(s);
}

/* FNV-1a (Fowler, Noll, Vo). */
static size_t
hash(const char *s)
{
	uint64_t h = 14695981039346656037u;

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return (size_t)h;
}

/* The place of name in the index: that of its row, or a free one. */
static size_t *
find_slot(const struct results *r, const char *name)
{
	size_t i = hash(name) & (r->index_size - 1);

	while (r->index[i] != 0 &&
	    strcmp(r->row[r->index[i] - 1]->name, name) != 0)
		i = (i + 1) & (r->index_size - 1);
	return &r->index[i];
}

struct row *
results_find(const struct results *r, const char *name)
{
	size_t *slot;

	if (r->index_size == 0)
		return NULL;
	slot = find_slot(r, name);
	return *slot ? r->row[*slot - 1] : NULL;
}

void
results_reindex(struct results *r)
{
	if (r->index_size == 0)
		r->index_size = 256;
	while (r->index_size < 2 * r->rows)
		r->index_size *= 2;
	free(r->index);
	r->index = need(r->index_size, sizeof *r->index);
	for (size_t i = 0; i < r->rows; i++)
		*find_slot(r, r->row[i]->name) = i + 1;
}

size_t
utf8_length(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t len = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 :
		p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Written too long, a surrogate, beyond the last. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

/* What no format can show becomes '?': control characters and what is not
 * UTF-8. Nearly all lines are plain ASCII, which eight bytes at a time tell. */
static void
clean(char *s, size_t len)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	uint64_t odd = 0, eight;
	size_t i = 0;

	for (; len - i >= sizeof eight; i += sizeof eight) {
		memcpy(&eight, s + i, sizeof eight);
		odd |= (eight | (eight - high / 4) | (eight + high / 128)) &
			high;
	}
	if (odd == 0)
		s += i;
	while (*s != '\0') {
		size_t n = utf8_length(s);

		if (n == 0 || ((unsigned char)*s < ' ' && *s != '\t') ||
		    *s == 0x7f)
			*s = '?';
		s += n ? n : 1;
	}
}

/* Split "Mutex/as=thread/stack=1/place=same/workers=2". Returns what is wrong
 * with it, or NULL. */
static const char *
split_name(struct row *row)
{
	char *parts = copy(row->name), *end;
	struct text params = {0};
	const char *wrong = NULL;
	int64_t workers = -1;

	end = strchr(parts, '/');
	if (end != NULL)
		*end++ = '\0';
	row->base = copy(parts);
	for (char *s = end; s != NULL && wrong == NULL; s = end) {
		char *value = strchr(s, '=');

		end = strchr(s, '/');
		if (end != NULL)
			*end++ = '\0';
		if (value == NULL || (end != NULL && value >= end)) {
			wrong = "key=value after each '/' of the name";
			break;
		}
		*value++ = '\0';
		if (strcmp(s, "as") == 0 && row->as == NULL) {
			row->as = copy(value);
		} else if (strcmp(s, "place") == 0 && row->place == NULL) {
			row->place = copy(value);
		} else if (strcmp(s, "workers") == 0) {
			if (parse_number(value, 1, INT32_MAX, &workers))
				wrong = "a number after workers=";
		} else {
			row->fixed |= strcmp(s, "total") == 0;
			text_add(&params, "%s%s=%s", params.len ? "/" : "", s,
				value);
		}
	}
	if (workers < 0 && wrong == NULL)
		wrong = "workers=N in the name";
	row->workers = (long)workers;
	row->params = params.s ? params.s : copy("");
	row->as = row->as ? row->as : copy("");
	row->place = row->place ? row->place : copy("none");
	free(parts);
	return wrong;
}

static void
free_row(struct row *row)
{
	for (size_t i = 0; i < row->metrics; i++) {
		free((char *)(uintptr_t)row->metric[i].unit);
		free(row->metric[i].now.v);
		free(row->metric[i].rounds.v);
	}
	free(row->metric);
	free(row->round_ids.v);
	free(row->round_ops.v);
	free(row->x.v);
	free(row->y.v);
	free(row->name);
	free(row->base);
	free(row->as);
	free(row->params);
	free(row->place);
	free(row->cpus);
	free(row->why);
	free(row->run);
	free(row);
}

static void
add_row(struct results *r, struct row *row)
{
	if (r->rows == r->row_room) {
		r->row_room = r->row_room ? 2 * r->row_room : 64;
		r->row = need_more(r->row, r->row_room, sizeof *r->row);
	}
	r->row[r->rows++] = row;
	if (2 * r->rows > r->index_size)
		results_reindex(r);
	else
		*find_slot(r, row->name) = r->rows;
}

/* The row of this name, a new one if need be; NULL if the name is bad. */
static struct row *
get_row(struct reader *reader, const char *name)
{
	struct results *r = reader->results;
	struct row *row = reader->row;
	const char *wrong;

	if (row == NULL || strcmp(row->name, name) != 0)
		row = results_find(r, name);
	if (row != NULL)
		return reader->row = row;
	row = need(1, sizeof *row);
	row->name = copy(name);
	row->round = -1;
	row->file = reader->results->files;
	row->run = reader->run ? copy(reader->run) : NULL;
	wrong = split_name(row);
	if (wrong != NULL) {
		malformed(reader, wrong);
		free_row(row);
		return NULL;
	}
	add_row(r, row);
	return reader->row = row;
}

/* Closes a row's round: its samples give way to their median. */
static void
end_round(struct row *row)
{
	if (row->metrics > 0 && row->metric[0].now.n > 0) {
		values_add(&row->round_ids, (double)row->file * ROUNDS_MOST +
			row->round);
		values_add(&row->round_ops, row->ops_now);
	}
	row->ops_now = 0;
	for (size_t i = 0; i < row->metrics; i++) {
		struct metric *m = &row->metric[i];

		if (m->now.n > 0)
			values_add(&m->rounds, median(m->now.v, m->now.n));
		m->now.n = 0;
	}
}

/*
 * A plain decimal, as our programs write it, without strtod: that takes most
 * of the time of a million records. Anything else goes to strtod, which also
 * rounds the last bit right when there are more than 15 digits.
 */
static bool
parse_value(const char *s, double *v)
{
	static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
		1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *p = s + (*s == '-');
	uint64_t digits = 0;
	int n = 0, places = 0;
	bool point = false;
	char *end;

	for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		digits = digits * 10 + (uint64_t)(*p - '0');
		n += digits != 0;
		places += point;
		if (n > 15 || places > 15)
			break;
	}
	if (*p == '\0' && (n > 0 || places > 0 || p[-1] == '0')) {
		*v = (double)digits / power[places];
		*v = *s == '-' ? -*v : *v;
		return true;
	}
	if ((*s < '0' || *s > '9') && *s != '-')
		return false;   /* nor inf, nan or blanks */
	*v = strtod(s, &end);
	return *end == '\0' && end != s && isfinite(*v);
}

/* Cuts the next word off *s; NULL at the end. Words are short: strcspn would
 * take longer to get going than they are. */
static char *
word(char **s)
{
	char *start = *s, *end;

	while (*start == ' ' || *start == '\t')
		start++;
	if (*start == '\0')
		return NULL;
	for (end = start; *end != '\0' && *end != ' ' && *end != '\t'; end++)
		;
	*s = end;
	if (*end != '\0')
		*(*s)++ = '\0';
	return start;
}

/* Mostly the metric at this place: the lines of a row have the same order. */
static struct metric *
get_metric(struct row *row, const char *unit, size_t place)
{
	struct metric *m;

	if (place < row->metrics && strcmp(row->metric[place].unit, unit) == 0)
		return &row->metric[place];
	for (size_t i = 0; i < row->metrics; i++)
		if (strcmp(row->metric[i].unit, unit) == 0)
			return &row->metric[i];
	row->metric = need_more(row->metric, row->metrics + 1,
		sizeof *row->metric);
	m = &row->metric[row->metrics++];
	*m = (struct metric){.unit = copy(unit), .least = INFINITY};
	return m;
}

static void
add_sample(struct row *row, const char *unit, size_t place, double v)
{
	struct metric *m = get_metric(row, unit, place);

	values_add(&m->now, v);
	if (v < m->least)
		m->least = v;
}

/* What the "# sample:" line before a benchmark line said of it. */
static void
take_sample_line(struct reader *reader, struct row *row)
{
	if (reader->cpus != NULL) {
		free(row->cpus);
		row->cpus = reader->cpus;
		reader->cpus = NULL;
	}
	if (row->ops == 0)
		row->ops = reader->ops;
	if (reader->line_ns >= 0)
		add_sample(row, "line-ns", row->metrics - 1, reader->line_ns);
	if (reader->adds >= 0)
		add_sample(row, "adds/cycle", row->metrics - 1, reader->adds);
	row->disturbed += reader->disturbed != 0;
	for (int i = 0; i < DISTURBED_KINDS; i++)
		row->disturbed_by[i] += reader->disturbed >> i & 1;
	reader->ops = 0;
	reader->line_ns = reader->adds = -1;
	reader->disturbed = 0;
}

/* "BenchmarkName  ops  value unit  value unit ..." */
static void
parse_benchmark(struct reader *reader, char *line)
{
	struct {
		char *unit;
		double v;
	} pair[32];
	size_t pairs = 0;
	char *name = word(&line) + strlen("Benchmark"), *s = word(&line);
	struct row *row;
	int64_t ops;

	if (s == NULL || parse_number(s, 1, INT64_MAX, &ops) != NULL) {
		malformed(reader, "a number of ops after the name");
		return;
	}
	while ((s = word(&line)) != NULL) {
		if (pairs == sizeof pair / sizeof *pair) {
			malformed(reader, "at most 32 values");
			return;
		}
		pair[pairs].unit = word(&line);
		if (!parse_value(s, &pair[pairs].v) ||
		    pair[pairs++].unit == NULL) {
			malformed(reader, "pairs of a finite value and a unit");
			return;
		}
	}
	/* Times of nothing, or of a month, are nobody's. */
	if (pairs == 0 || pair[0].v <= 0 || pair[0].v > 1e15) {
		malformed(reader, "a first value over 0 and at most 1e15, and "
			"its unit");
		return;
	}
	row = get_row(reader, name);
	if (row == NULL)
		return;
	row->file = reader->results->files;
	if (row->round != reader->round) {
		end_round(row);
		row->round = reader->round;
	}
	if (row->metrics + pairs > UNITS_MOST) {
		malformed(reader, "at most 64 units of a row");
		return;
	}
	for (size_t i = 0; i < pairs; i++) {
		add_sample(row, pair[i].unit, i, pair[i].v);
		if (strcmp(pair[i].unit, "handoffs/op") == 0 &&
		    row->x.n < POINTS_MOST) {
			values_add(&row->x, pair[i].v);
			values_add(&row->y, pair[0].v);
		}
	}
	take_sample_line(reader, row);
	row->ops_now += (double)ops;
	row->samples++;
	row->state = ROW_MEASURED;
	reader->results->seen++;
}

/* "gaps,busy" */
static void
parse_disturbed(struct reader *reader, char *list)
{
	while (list != NULL) {
		const char *name = cut(&list);
		int i = 0;

		while (i < DISTURBED_KINDS && strcmp(name, disturbed_names[i]))
			i++;
		if (i < DISTURBED_KINDS)
			reader->disturbed |= 1u << i;
		else
			malformed(reader, "a known reason after disturbed=");
	}
}

/* " round=1 cpus=0,0 ..." */
static void
parse_sample(struct reader *reader, char *line)
{
	char *s;

	reader->ops = 0;
	reader->line_ns = reader->adds = -1;
	reader->disturbed = 0;
	while ((s = word(&line)) != NULL) {
		int64_t round;

		if (strncmp(s, "round=", 6) == 0) {
			if (!parse_number(s + 6, 0, ROUNDS_MOST - 1, &round))
				reader->round = (int)round;
			else
				malformed(reader, "a number after round=");
		} else if (strncmp(s, "n=", 2) == 0) {
			if (parse_number(s + 2, 1, INT64_MAX, &reader->ops))
				malformed(reader, "a number after n=");
		} else if (strncmp(s, "disturbed=", 10) == 0) {
			parse_disturbed(reader, s + 10);
		} else if (strncmp(s, "line_ns=", 8) == 0) {
			if (!parse_value(s + 8, &reader->line_ns))
				malformed(reader, "a number after line_ns=");
		} else if (strncmp(s, "adds=", 5) == 0) {
			if (!parse_value(s + 5, &reader->adds))
				malformed(reader, "a number after adds=");
		} else if (strncmp(s, "cpus=", 5) == 0) {
			set_text(&reader->cpus, s + 5);
		}
	}
}

/* "Name key=value key="quoted value" ..." */
static void
parse_about(struct reader *reader, char *line)
{
	struct results *r = reader->results;
	struct about a = {0};
	char *s = word(&line);

	if (s == NULL) {
		malformed(reader, "a name after '# about:'");
		return;
	}
	if (!room(reader, r->abouts))
		return;
	a.name = copy(s);
	for (;;) {
		char *key = line + strspn(line, " "), *value, **to = NULL;

		value = strchr(key, '=');
		if (value == NULL)
			break;
		*value++ = '\0';
		if (*value == '"') {
			value++;
			line = strchr(value, '"');
			if (line == NULL) {
				malformed(reader, "a closing quote");
				break;
			}
		} else {
			line = value + strcspn(value, " ");
		}
		if (*line != '\0')
			*line++ = '\0';
		to = strcmp(key, "group") == 0 ? &a.group :
			strcmp(key, "unit") == 0 ? &a.unit :
			strcmp(key, "floor") == 0 ? &a.floor :
			strcmp(key, "worker") == 0 ? &a.worker :
			strcmp(key, "op") == 0 ? &a.op :
			strcmp(key, "as") == 0 ? &a.as :
			strcmp(key, "work") == 0 ? &a.work :
			strcmp(key, "parts") == 0 ? &a.parts :
			strcmp(key, "not") == 0 ? &a.is_not : NULL;
		if (to != NULL && *to == NULL)
			*to = copy(value);
	}
	r->about = need_more(r->about, r->abouts + 1, sizeof a);
	r->about[r->abouts++] = a;
}

/* "Name: reason" */
static void
parse_state(struct reader *reader, char *line, enum row_state state)
{
	char *name = word(&line);
	size_t len = name ? strlen(name) : 0;
	struct row *row;

	if (len < 2 || name[len - 1] != ':') {
		malformed(reader, "the name of a row and ':'");
		return;
	}
	name[len - 1] = '\0';
	row = get_row(reader, name);
	if (row == NULL)
		return;
	reader->results->seen++;
	if (row->samples == 0)
		row->state = state;
	set_text(&row->why, line + strspn(line, " "));
}

static void
add_fact(struct fact **facts, size_t *n, const char *key, const char *value)
{
	*facts = need_more(*facts, *n + 1, sizeof **facts);
	(*facts)[(*n)++] = (struct fact){copy(key), copy(value)};
}

/* Whether two hosts differ is for who compares files; here the last counts. */
static void
set_fact(struct fact **facts, size_t *n, const char *key, const char *value)
{
	for (size_t i = 0; i < *n; i++) {
		if (strcmp((*facts)[i].key, key) == 0) {
			set_text(&(*facts)[i].value, value);
			return;
		}
	}
	add_fact(facts, n, key, value);
}

/* A command of the driver, whose records follow. */
static void
parse_run(struct reader *reader, const char *key)
{
	struct results *r = reader->results;

	set_text(&reader->run, key);
	for (size_t i = 0; i < r->runs; i++)
		if (strcmp(r->run[i], key) == 0)
			return;
	if (!room(reader, r->runs))
		return;
	r->run = need_more(r->run, r->runs + 1, sizeof *r->run);
	r->run[r->runs++] = copy(key);
}

/* Records of several machines or builds in one file make rows that are
 * mixtures. */
static void
set_host(struct reader *reader, const char *key, const char *value)
{
	struct results *r = reader->results;
	const char *old = fact_find(r->host, r->hosts, key);

	if (old == NULL && !room(reader, r->hosts))
		return;
	if (old != NULL && strcmp(old, value) != 0 &&
	    room(reader, r->notes)) {
		struct text t = {0};

		text_add(&t, "the records differ in %s (%s / %s): rows are "
			"mixtures", key, old, value);
		add_fact(&r->note, &r->notes, "warn", t.s);
		text_free(&t);
	}
	set_fact(&r->host, &r->hosts, key, value);
}

static void
parse_comment(struct reader *reader, char *line)
{
	struct results *r = reader->results;
	char *colon;

	line += 1 + strspn(line + 1, " ");
	colon = strchr(line, ':');
	if (colon == NULL || strcspn(line, " ") < (size_t)(colon - line))
		return;         /* a comment to us, too */
	*colon = '\0';
	if (strcmp(line, "sample") == 0)
		parse_sample(reader, colon + 1);
	else if (strcmp(line, "about") == 0)
		parse_about(reader, colon + 1);
	else if (strcmp(line, "skip") == 0)
		parse_state(reader, colon + 1, ROW_SKIPPED);
	else if (strcmp(line, "fail") == 0)
		parse_state(reader, colon + 1, ROW_FAILED);
	else if (strcmp(line, "run") == 0)
		parse_run(reader, colon + 1 + strspn(colon + 1, " "));
	else if (strcmp(line, "warn") != 0 &&
	    fact_find(r->note, r->notes, line) != NULL)
		set_fact(&r->note, &r->notes, line, colon + 1 +
			strspn(colon + 1, " "));
	else if (room(reader, r->notes))
		add_fact(&r->note, &r->notes, line, colon + 1 +
			strspn(colon + 1, " "));
}

static void
parse_line(struct reader *reader, char *line, size_t len)
{
	char *colon;

	reader->line++;
	if (len > 0 && line[len - 1] == '\r')
		line[--len] = '\0';
	if (strlen(line) != len) {
		malformed(reader, "text, not a NUL byte");
		return;
	}
	clean(line, len);
	if (line[strspn(line, " \t")] == '\0')
		return;
	if (line[0] == '#') {
		parse_comment(reader, line);
		return;
	}
	if (strncmp(line, "Benchmark", 9) == 0 && line[9] >= 'A' &&
	    line[9] <= 'Z') {
		parse_benchmark(reader, line);
		return;
	}
	if (strncmp(line, "Unit ", 5) == 0)
		return;
	colon = strchr(line, ':');
	if (line[0] >= 'a' && line[0] <= 'z' && colon != NULL &&
	    strcspn(line, " \t") > (size_t)(colon - line)) {
		*colon = '\0';
		set_host(reader, line, colon + 1 + strspn(colon + 1, " \t"));
		return;
	}
	malformed(reader, "a benchmark line, 'key: value' or '# ...'");
}

int
results_read(struct results *r, int fd, const char *name)
{
	struct reader reader = {.results = r, .file = name, .line_ns = -1,
		.adds = -1};
	char *buffer = need(CHUNK + 1, 1);
	size_t have = 0, found = r->seen;
	bool skipping = false;  /* the rest of a line that was too long */
	int err = 0;

	for (;;) {
		ssize_t n = read(fd, buffer + have, CHUNK - have);
		char *line = buffer, *end;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = errno;
		if (n <= 0)
			break;
		have += (size_t)n;
		while ((end = memchr(line, '\n', have)) != NULL) {
			size_t len = (size_t)(end - line);

			*end = '\0';
			if (!skipping)
				parse_line(&reader, line, len);
			skipping = false;
			line = end + 1;
			have -= len + 1;
		}
		if (have == CHUNK) {
			if (!skipping) {
				reader.line++;
				malformed(&reader, "a line under 1 MiB");
			}
			skipping = true;
			have = 0;
		}
		memmove(buffer, line, have);
	}
	buffer[have] = '\0';
	if (have > 0 && !skipping)
		parse_line(&reader, buffer, have);
	free(buffer);
	free(reader.cpus);
	free(reader.run);
	if (err == 0)
		tell(&reader, r->seen > found);
	/* The next file's rounds are others, whatever their numbers. */
	for (size_t i = 0; i < r->rows; i++) {
		end_round(r->row[i]);
		r->row[i]->round = -1;
	}
	r->files++;
	return err;
}

static const struct about *
about_exact(const struct results *r, const char *name)
{
	for (size_t i = 0; i < r->abouts; i++)
		if (strcmp(r->about[i].name, name) == 0)
			return &r->about[i];
	return NULL;
}

static void
append_values(struct values *into, const struct values *from, double more)
{
	for (size_t i = 0; i < from->n; i++)
		values_add(into, from->v[i] + more);
}

/* The rounds of from become later rounds of into. */
static void
merge_row(struct row *into, struct row *from)
{
	for (size_t i = 0; i < from->metrics; i++) {
		const struct metric *f = &from->metric[i];
		struct metric *m = get_metric(into, f->unit, i);

		append_values(&m->rounds, &f->rounds, 0);
		m->least = f->least < m->least ? f->least : m->least;
	}
	append_values(&into->round_ids, &from->round_ids, 0);
	append_values(&into->round_ops, &from->round_ops, 0);
	for (size_t i = 0; i < from->x.n && into->x.n < POINTS_MOST; i++) {
		values_add(&into->x, from->x.v[i]);
		values_add(&into->y, from->y.v[i]);
	}
	into->samples += from->samples;
	into->disturbed += from->disturbed;
	for (int i = 0; i < DISTURBED_KINDS; i++)
		into->disturbed_by[i] += from->disturbed_by[i];
	if (from->state == ROW_MEASURED ||
	    (into->state == ROW_SKIPPED && from->state == ROW_FAILED))
		into->state = from->state;
	if (from->why != NULL)
		set_text(&into->why, from->why);
	if (from->cpus != NULL)
		set_text(&into->cpus, from->cpus);
}

static void
merge_notes(struct results *into, const struct results *from)
{
	for (size_t i = 0; i < from->notes; i++) {
		const struct fact *f = &from->note[i];
		bool told = false;

		if (strcmp(f->key, "warn") != 0) {
			set_fact(&into->note, &into->notes, f->key, f->value);
			continue;
		}
		for (size_t k = 0; k < into->notes; k++)
			told |= strcmp(into->note[k].key, f->key) == 0 &&
				strcmp(into->note[k].value, f->value) == 0;
		if (!told)
			add_fact(&into->note, &into->notes, f->key, f->value);
	}
}

void
results_merge(struct results *into, struct results *from)
{
	double more = (double)into->files * ROUNDS_MOST;

	for (size_t i = 0; i < from->rows; i++) {
		struct row *row = from->row[i];
		struct row *old = results_find(into, row->name);

		for (size_t k = 0; k < row->round_ids.n; k++)
			row->round_ids.v[k] += more;
		if (old != NULL) {
			merge_row(old, row);
			continue;
		}
		add_row(into, row);
		from->row[i] = NULL;
	}
	for (size_t i = 0; i < from->abouts; i++) {
		if (about_exact(into, from->about[i].name) != NULL)
			continue;
		into->about = need_more(into->about, into->abouts + 1,
			sizeof *into->about);
		into->about[into->abouts++] = from->about[i];
		from->about[i] = (struct about){0};
	}
	merge_notes(into, from);
	into->files += from->files;
	into->seen += from->seen;
	into->malformed += from->malformed;
	results_free(from);
}

const struct about *
about_find(const struct results *r, const char *base, const char *as)
{
	const struct about *found = NULL;
	struct text name = {0};

	text_add(&name, "%s/as=%s", base, as);
	for (size_t i = 0; i < r->abouts; i++) {
		if (strcmp(r->about[i].name, name.s) == 0)
			found = &r->about[i];
		if (found == NULL && strcmp(r->about[i].name, base) == 0)
			found = &r->about[i];
	}
	text_free(&name);
	return found;
}

void
results_finish(struct results *r)
{
	for (size_t i = 0; i < r->rows; i++)
		r->row[i]->about = about_find(r, r->row[i]->base,
			r->row[i]->as);
}

const char *
fact_find(const struct fact *facts, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(facts[i].key, key) == 0)
			return facts[i].value;
	return NULL;
}

const struct metric *
row_metric(const struct row *row, const char *unit)
{
	for (size_t i = 0; i < row->metrics; i++)
		if (strcmp(row->metric[i].unit, unit) == 0)
			return &row->metric[i];
	return NULL;
}

static void
free_facts(struct fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(facts[i].key);
		free(facts[i].value);
	}
	free(facts);
}

void
results_free(struct results *r)
{
	for (size_t i = 0; i < r->rows; i++)
		if (r->row[i] != NULL)
			free_row(r->row[i]);
	for (size_t i = 0; i < r->abouts; i++) {
		struct about *a = &r->about[i];

		free(a->name);
		free(a->group);
		free(a->unit);
		free(a->floor);
		free(a->worker);
		free(a->op);
		free(a->is_not);
		free(a->as);
		free(a->work);
		free(a->parts);
	}
	free(r->row);
	free(r->index);
	free(r->about);
	for (size_t i = 0; i < r->runs; i++)
		free(r->run[i]);
	free(r->run);
	free_facts(r->host, r->hosts);
	free_facts(r->note, r->notes);
	*r = (struct results){0};
}
