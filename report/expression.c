/* SPDX-License-Identifier: MIT */
#include "expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

#define DEPTH_MOST 50           /* of parentheses and signs */
#define DIGITS_MOST 15          /* of a number: exact in a double */
#define WORD_MOST 31
#define KEYS_MOST 8             /* of a row */

const char *const answers[] = {"holds", "does not hold", "not resolved",
	"not measured", "not testable"};

struct parser {
	const struct results *results;
	const struct source *source;
	const char *s;          /* what comes next */
	int depth;
};

/* A figure for each round, or one number that has no rounds. */
struct value {
	double *v, *id;         /* id: which round */
	size_t n;
	bool rounds;
	bool row;               /* it comes from one */
	double one;
	char *missing;          /* why there is none, or NULL */
};

enum field { NS, HANDOFFS, SWITCHES, OVERLAP, CYCLES, LEAST, FIELDS };

static const char *const field_names[FIELDS] = {"", "handoffs", "switches",
	"overlap", "cycles", "least"};
static const char *const field_units[FIELDS] = {NULL, "handoffs/op", "vcsw/op",
	"overlap", "cycles/op", NULL};

/* Which row is meant. */
struct wanted {
	const char *at;         /* as written, with its length */
	size_t len;
	char name[WORD_MOST + 1];
	char as[WORD_MOST + 1], place[WORD_MOST + 1];   /* "": not said */
	struct text params;     /* "/stack=8192/total=9/" */
	size_t keys, params_n;
	bool series;            /* its workers are not written */
	int64_t workers;
	enum field field;
};

enum sign { LESS, MORE, LESS_SAME, MORE_SAME, ABOUT, SIGNS };

static const char *const signs[SIGNS] = {"<", ">", "<=", ">=", "~"};

void
expected(const struct source *source, size_t offset, const char *what)
{
	die(EXIT_USAGE, "%s:%zu:%zu: expected %s", source->file, source->line,
		source->column + offset, what);
}

static _Noreturn void
wrong(const struct parser *p, const char *at, const char *what)
{
	expected(p->source, (size_t)(at - p->source->s), what);
}

static void
blanks(struct parser *p)
{
	p->s += strspn(p->s, " \t");
}

static bool
accept(struct parser *p, const char *token)
{
	size_t len = strlen(token);

	blanks(p);
	if (strncmp(p->s, token, len) != 0)
		return false;
	p->s += len;
	return true;
}

static void
demand(struct parser *p, const char *token, const char *what)
{
	if (!accept(p, token))
		wrong(p, p->s, what);
}

static bool
in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A name, or what may stand after '=' (also "." and "-"). */
static void
word(struct parser *p, char *to, const char *more, const char *what)
{
	size_t n = 0;

	blanks(p);
	while (in_word(p->s[n]) || (p->s[n] != '\0' && strchr(more, p->s[n])))
		n++;
	if (n == 0)
		wrong(p, p->s, what);
	if (n > WORD_MOST)
		wrong(p, p->s, "a word of at most 31 letters");
	memcpy(to, p->s, n);
	to[n] = '\0';
	p->s += n;
}

/* The word that comes next, without taking it: is it this one? */
static bool
next_is(struct parser *p, const char *name)
{
	size_t len = strlen(name);

	blanks(p);
	return strncmp(p->s, name, len) == 0 && !in_word(p->s[len]);
}

static double
number(struct parser *p, const char *what)
{
	const char *at;
	size_t digits = 0;
	double v = 0, unit = 1;
	bool point = false;

	blanks(p);
	for (at = p->s; isdigit((unsigned char)*p->s) || (*p->s == '.' &&
	    !point && p->s[1] != '.'); p->s++) {
		if (*p->s == '.') {
			point = true;
			continue;
		}
		if (++digits > DIGITS_MOST)
			wrong(p, at, "a number of at most 15 digits");
		v = v * 10 + (*p->s - '0');
		unit *= point ? 10 : 1;
	}
	if (digits == 0)
		wrong(p, at, what);
	return v / unit;
}

static int64_t
count(struct parser *p, const char *what)
{
	const char *at;
	double v;

	blanks(p);
	at = p->s;
	v = number(p, what);
	if (v < 1 || v > INT32_MAX || v > floor(v))
		wrong(p, at, what);
	return (int64_t)v;
}

/* "as=thread", "total=2000000" */
static void
key(struct parser *p, struct wanted *w)
{
	char name[WORD_MOST + 1], value[WORD_MOST + 1];

	blanks(p);
	if (w->keys++ == KEYS_MOST)
		wrong(p, p->s, "at most 8 keys");
	word(p, name, "", "as, place or a parameter");
	demand(p, "=", "'=' and a value");
	word(p, value, ".-", "a value after '='");
	if (strcmp(name, "as") == 0) {
		memcpy(w->as, value, sizeof w->as);
	} else if (strcmp(name, "place") == 0) {
		memcpy(w->place, value, sizeof w->place);
	} else {
		text_add(&w->params, "%s=%s/", name, value);
		w->params_n++;
	}
}

static void
field(struct parser *p, struct wanted *w)
{
	char name[WORD_MOST + 1];
	const char *at;

	if (*p->s != '.' || p->s[1] == '.')
		return;
	at = ++p->s;
	word(p, name, "", "handoffs, switches, overlap, cycles or least");
	for (int i = NS + 1; i < FIELDS; i++)
		if (strcmp(name, field_names[i]) == 0)
			w->field = (enum field)i;
	if (w->field == NS)
		wrong(p, at, "handoffs, switches, overlap, cycles or least");
}

/* A row, or without a worker count a series of them. */
static void
parse_wanted(struct parser *p, struct wanted *w, bool series)
{
	bool open = !series;

	*w = (struct wanted){.series = series};
	text_add(&w->params, "/");
	blanks(p);
	w->at = p->s;
	word(p, w->name, "", "the name of a program");
	if (!series) {
		demand(p, "(", "'(' and a number of workers");
		w->workers = count(p, "a number of workers");
	} else if ((open = accept(p, "("))) {
		key(p, w);
	}
	while (open && accept(p, ","))
		key(p, w);
	if (open)
		demand(p, ")", "',' or ')'");
	field(p, w);
	w->len = (size_t)(p->s - w->at);
}

/* "stop_iteration" is StopIteration. */
static bool
same_name(const char *a, const char *b)
{
	for (;;) {
		a += strspn(a, "_");
		b += strspn(b, "_");
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (*a == '\0')
			return true;
		a++;
		b++;
	}
}

/* All of the row's parameters are wanted, and no others. */
static bool
same_params(const struct wanted *w, const struct row *row)
{
	const char *s = row->params;
	size_t n = 0;

	while (*s != '\0') {
		size_t len = strcspn(s, "/");
		struct text one = {0};
		bool found;

		text_add(&one, "/%.*s/", (int)len, s);
		found = strstr(w->params.s, one.s) != NULL;
		text_free(&one);
		if (!found)
			return false;
		n++;
		s += len + (s[len] == '/');
	}
	return n == w->params_n;
}

static bool
fits(const struct wanted *w, const struct row *row)
{
	return (w->workers == 0 || w->workers == row->workers) &&
		(*w->as == '\0' || strcmp(w->as, row->as) == 0) &&
		(*w->place == '\0' || strcmp(w->place, row->place) == 0) &&
		same_name(w->name, row->base) && same_params(w, row);
}

/* The row, or NULL and why there is none. */
static const struct row *
find_row(const struct results *r, const struct wanted *w, const char **why)
{
	const struct row *first = NULL, *none = NULL, *only = NULL;
	size_t measured = 0;

	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = r->row[i];

		/* Ways are in the program's order: the first one counts. */
		if (!fits(w, row) || (first && strcmp(first->as, row->as)))
			continue;
		first = first ? first : row;
		if (strcmp(row->place, "same") == 0)
			return row;
		none = strcmp(row->place, "none") == 0 ? row : none;
		only = row->metrics > 0 ? row : only;
		measured += row->metrics > 0;
	}
	*why = first == NULL ? "no such row" : "several placements, name one";
	return measured == 1 ? only : none ? none : measured == 0 ? first :
		NULL;
}

/* Appends why a row cannot be used; nothing when it can. */
static void
unusable(struct text *t, const struct row *row)
{
	size_t rounds;

	if (row->metrics == 0) {
		text_add(t, "%s%s%s", row->state == ROW_FAILED ? "failed" :
			"skipped", row->why ? ", " : "", row->why ? row->why :
			"");
		return;
	}
	rounds = row->metric[0].rounds.n;
	if (view_withheld(row))
		text_add(t, "withheld, its workers ran one after another");
	else if (rounds < ROUNDS_LEAST)
		text_add(t, "only %zu round%s, under six", rounds,
			rounds == 1 ? "" : "s");
}

static void
missing(struct value *v, const struct wanted *w, const char *why)
{
	struct text t = {0};

	text_add(&t, "%.*s", (int)w->len, w->at);
	if (w->series && w->workers > 0)
		text_add(&t, " at %lld", (long long)w->workers);
	text_add(&t, ": %s", why);
	v->missing = t.s;
}

/* A unit that not all rounds have cannot be told by its position. */
static bool
take_unit(struct value *v, const struct row *row, const char *unit)
{
	const struct metric *m = unit ? row_metric(row, unit) : row->metric;

	if (m == NULL || m->rounds.n != row->round_ids.n)
		return false;
	for (size_t i = 0; i < v->n; i++)
		v->v[i] += m->rounds.v[i];
	return true;
}

static struct value
value_of(const struct row *row, const struct wanted *w)
{
	struct value v = {.rounds = w->field != LEAST, .row = true};
	struct text why = {0};

	unusable(&why, row);
	if (why.s != NULL) {
		missing(&v, w, why.s);
		text_free(&why);
		return v;
	}
	v.one = row->metric[0].least;
	if (!v.rounds)
		return v;
	v.n = row->round_ids.n;
	v.v = need(v.n, sizeof *v.v);
	v.id = need(v.n, sizeof *v.id);
	memcpy(v.id, row->round_ids.v, v.n * sizeof *v.id);
	if (!take_unit(&v, row, field_units[w->field]) ||
	    (w->field == SWITCHES && !take_unit(&v, row, "ivcsw/op")))
		missing(&v, w, "not counted in every round");
	return v;
}

static void
value_free(struct value *v)
{
	free(v->v);
	free(v->id);
	free(v->missing);
	*v = (struct value){0};
}

static struct value
parse_row(struct parser *p)
{
	struct wanted w;
	struct value v = {.rounds = true, .row = true};
	const struct row *row;
	const char *why;

	parse_wanted(p, &w, false);
	row = find_row(p->results, &w, &why);
	if (row != NULL)
		v = value_of(row, &w);
	else
		missing(&v, &w, why);
	text_free(&w.params);
	return v;
}

static double
apply(char op, double a, double b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return b < 0 || b > 0 ? a / b : NAN;
	}
}

/* Keeps of each only the rounds that both have, in the order of a. */
static void
common(struct value *a, struct value *b)
{
	double *v = need(a->n, sizeof *v);
	size_t n = 0, from = 0;

	for (size_t i = 0; i < a->n; i++) {
		size_t tried = 0;

		/* Mostly it is the next one. */
		while (tried < b->n && (b->id[from] < a->id[i] ||
		    b->id[from] > a->id[i])) {
			from = (from + 1) % b->n;
			tried++;
		}
		if (tried == b->n)
			continue;
		v[n] = b->v[from];
		from = (from + 1) % b->n;
		a->v[n] = a->v[i];
		a->id[n++] = a->id[i];
	}
	free(b->v);
	b->v = v;
	b->n = a->n = n;
	b->id = need_more(b->id, n, sizeof *b->id);
	memcpy(b->id, a->id, n * sizeof *b->id);
}

/* Both over the same rounds, unless they are numbers or missing. */
static void
pair_up(struct value *a, struct value *b)
{
	if (a->missing != NULL || b->missing != NULL || !a->rounds ||
	    !b->rounds)
		return;
	common(a, b);
	if (a->n < ROUNDS_LEAST) {
		struct text t = {0};

		text_add(&t, "only %zu rounds have all rows, under six", a->n);
		a->missing = t.s;
	}
}

static double
nth(const struct value *v, size_t i)
{
	return v->rounds ? v->v[i] : v->one;
}

/* Takes a and b. */
static struct value
combine(char op, struct value a, struct value b)
{
	struct value *to;
	bool finite = true;

	pair_up(&a, &b);
	to = b.rounds && !a.rounds ? &b : &a;
	if (a.missing == NULL && b.missing == NULL) {
		for (size_t i = 0; to->rounds && i < to->n; i++) {
			to->v[i] = apply(op, nth(&a, i), nth(&b, i));
			finite &= isfinite(to->v[i]) != 0;
		}
		if (!to->rounds)
			to->one = apply(op, a.one, b.one);
		if (!finite || !isfinite(to->one)) {
			static const char why[] = "a division by zero, or "
				"too large a number";

			to->missing = need_copy(why, strlen(why));
		}
	} else if (to->missing == NULL) {
		to->missing = to == &a ? b.missing : a.missing;
		*(to == &a ? &b.missing : &a.missing) = NULL;
	}
	to->row = a.row || b.row;
	value_free(to == &a ? &b : &a);
	return *to;
}

static struct value sum(struct parser *p);

static struct value
factor(struct parser *p)
{
	struct value v = {0};

	blanks(p);
	if (p->depth == DEPTH_MOST)
		wrong(p, p->s, "at most 50 levels of nesting");
	p->depth++;
	if (accept(p, "-")) {
		v = combine('-', (struct value){0}, factor(p));
	} else if (accept(p, "(")) {
		v = sum(p);
		demand(p, ")", "an operator or ')'");
	} else if (isdigit((unsigned char)*p->s) || *p->s == '.') {
		v.one = number(p, "a number");
	} else if (isalpha((unsigned char)*p->s)) {
		v = parse_row(p);
	} else {
		wrong(p, p->s, "a number, a row, '-' or '('");
	}
	p->depth--;
	return v;
}

static struct value
product(struct parser *p)
{
	struct value v = factor(p);

	for (;;) {
		const char *before;
		struct value right;
		char op;

		blanks(p);
		op = *p->s;
		if (op != '*' && op != '/')
			return v;
		p->s++;
		blanks(p);
		before = p->s;
		right = factor(p);
		if (op == '/' && !right.row && right.missing == NULL &&
		    !(right.one < 0 || right.one > 0))
			wrong(p, before, "a divisor that is not 0");
		v = combine(op, v, right);
	}
}

static struct value
sum(struct parser *p)
{
	struct value v = product(p);

	for (;;) {
		char op;

		blanks(p);
		op = *p->s;
		if (op != '+' && op != '-')
			return v;
		p->s++;
		v = combine(op, v, product(p));
	}
}

static void
add_number(struct text *t, double v, bool ratio)
{
	if (fabs(v) < 0.0995)
		view_rate(t, v);
	else if (ratio)
		view_ratio(t, v);
	else
		view_number(t, v);
}

static char *
describe(const struct summary *s, bool ratio)
{
	struct text t = {0};

	add_number(&t, s->median, ratio);
	text_add(&t, "%s", ratio ? "x" : "");
	if (s->level > 0) {
		text_add(&t, " (");
		add_number(&t, s->low, ratio);
		text_add(&t, "..");
		add_number(&t, s->high, ratio);
		text_add(&t, ")");
	}
	return t.s;
}

static struct summary
summary_of(const struct value *v)
{
	return v->rounds ? summarise(v->v, v->n) :
		(struct summary){.median = v->one};
}

/* Where the interval lies against the border; "~" is that near to it. */
static enum answer
decide(enum sign sign, const struct summary *s, double border, double near)
{
	if (s->level <= 0)
		return NOT_RESOLVED;
	switch (sign) {
	case LESS:
		return s->high < border ? HOLDS : s->low >= border ?
			DOES_NOT_HOLD : NOT_RESOLVED;
	case MORE:
		return s->low > border ? HOLDS : s->high <= border ?
			DOES_NOT_HOLD : NOT_RESOLVED;
	case LESS_SAME:
		return s->high <= border ? HOLDS : s->low > border ?
			DOES_NOT_HOLD : NOT_RESOLVED;
	case MORE_SAME:
		return s->low >= border ? HOLDS : s->high < border ?
			DOES_NOT_HOLD : NOT_RESOLVED;
	default:
		return s->low >= border - near && s->high <= border + near ?
			HOLDS : s->low > border + near ||
			s->high < border - near ? DOES_NOT_HOLD : NOT_RESOLVED;
	}
}

static bool
positive(const struct value *v)
{
	if (!v->rounds)
		return v->one > 0;
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i] <= 0)
			return false;
	return true;
}

/* Takes both sides. */
static void
compare(struct figure *f, enum sign sign, struct value a, struct value b)
{
	bool ratio = false, number_right = !b.rounds;
	struct summary left = {0}, right = {0}, s;
	struct value v;

	pair_up(&a, &b);
	if (a.missing == NULL && b.missing == NULL) {
		ratio = positive(&a) && positive(&b);
		left = summary_of(&a);
		right = summary_of(&b);
	}
	v = combine(ratio ? '/' : '-', a, b);
	f->missing = v.missing;
	v.missing = NULL;
	if (f->missing == NULL) {
		s = summary_of(&v);
		f->answer = decide(sign, &s, ratio ? 1 : 0, ABOUT_EQUAL *
			(ratio ? 1 : fabs(right.median)));
		/* Against a number, the left side says more than a ratio. */
		f->measured = number_right ? describe(&left, false) :
			describe(&s, ratio);
	}
	value_free(&v);
}

static enum sign
parse_sign(struct parser *p)
{
	/* The longer first. */
	static const enum sign order[SIGNS] = {LESS_SAME, MORE_SAME, LESS,
		MORE, ABOUT};

	for (int i = 0; i < SIGNS; i++)
		if (accept(p, signs[order[i]]))
			return order[i];
	wrong(p, p->s, "an operator or one of < > <= >= ~");
}

static void
comparison(struct parser *p, struct figure *f)
{
	const char *start = p->s;
	struct value a = sum(p), b;
	enum sign sign = parse_sign(p);

	b = sum(p);
	if (!a.row && !b.row)
		wrong(p, start, "a row on one side at least");
	compare(f, sign, a, b);
}

/* The least worker count in the range that is over after, or 0. */
static int64_t
next_workers(const struct results *r, struct wanted *w, int64_t after,
	int64_t last)
{
	int64_t least = 0;

	w->workers = 0;
	for (size_t i = 0; i < r->rows; i++) {
		int64_t n = r->row[i]->workers;

		if (n > after && n <= last && (least == 0 || n < least) &&
		    r->row[i]->state != ROW_SKIPPED && fits(w, r->row[i]))
			least = n;
	}
	return least;
}

/* The next row of the series. The first one says which way and placement the
 * others have. */
static struct value
next_value(const struct results *r, struct wanted *w, int64_t after,
	int64_t last)
{
	struct value v = {.rounds = true, .row = true};
	const struct row *row;
	const char *why = "under two worker counts of the range";

	w->workers = next_workers(r, w, after, last);
	row = w->workers > 0 ? find_row(r, w, &why) : NULL;
	if (row == NULL) {
		missing(&v, w, why);
		return v;
	}
	if (strlen(row->as) <= WORD_MOST && strlen(row->place) <= WORD_MOST) {
		memcpy(w->as, row->as, strlen(row->as) + 1);
		memcpy(w->place, row->place, strlen(row->place) + 1);
	}
	return value_of(row, w);
}

static struct value
copy_value(const struct value *v)
{
	struct value c = *v;

	c.v = need(v->n, sizeof *c.v);
	c.id = need(v->n, sizeof *c.id);
	if (v->n > 0) {
		memcpy(c.v, v->v, v->n * sizeof *c.v);
		memcpy(c.id, v->id, v->n * sizeof *c.id);
	}
	return c;
}

/* Takes in the ratio of one row of a series to the first: the figure keeps
 * what is farthest from level, or of a growing one the last. */
static void
take_ratio(struct figure *f, const struct value *v, int64_t workers, bool flat,
	double limit, double *farthest)
{
	struct summary s = summary_of(v);
	struct text where = {0};
	enum answer a = decide(MORE, &s, limit, 0);

	if (flat) {
		bool over = a == HOLDS || (s.level > 0 && s.high < 1 / limit);
		bool level = s.level > 0 && s.low >= 1 / limit &&
			s.high <= limit;

		a = over ? DOES_NOT_HOLD : level ? HOLDS : NOT_RESOLVED;
		if (f->answer == DOES_NOT_HOLD || (f->answer == NOT_RESOLVED &&
		    a == HOLDS))
			a = f->answer;
	}
	f->answer = a;
	if (flat && f->measured != NULL && fabs(log(s.median)) <= *farthest)
		return;
	*farthest = fabs(log(s.median));
	text_add(&where, " at %lld", (long long)workers);
	free(f->measured);
	free(f->where);
	f->measured = describe(&s, true);
	f->where = where.s;
}

static void
each_ratio(const struct results *r, struct figure *f, struct wanted *w,
	int64_t first, int64_t last, bool flat, double limit)
{
	struct value base = next_value(r, w, first - 1, last);
	double farthest = 0;
	int64_t n = w->workers;

	f->answer = HOLDS;
	if (base.missing == NULL && next_workers(r, w, n, last) == 0)
		missing(&base, w, "under two worker counts of the range");
	while (base.missing == NULL && f->missing == NULL &&
	    (n = next_workers(r, w, n, last)) > 0) {
		struct value v = next_value(r, w, n - 1, last);

		v = combine('/', v, copy_value(&base));
		if (v.missing == NULL && !positive(&v))
			missing(&v, w, "a figure that is not positive");
		if (v.missing == NULL)
			take_ratio(f, &v, n, flat, limit, &farthest);
		f->missing = v.missing;
		v.missing = NULL;
		value_free(&v);
	}
	if (base.missing != NULL)
		f->missing = base.missing;
	base.missing = NULL;
	value_free(&base);
}

static void
series(struct parser *p, struct figure *f, bool flat)
{
	const char *start;
	struct wanted w;
	int64_t first, last;
	double limit;

	demand(p, "(", "'('");
	parse_wanted(p, &w, true);
	demand(p, ",", "',' and a range of workers");
	first = count(p, "a number of workers");
	demand(p, "..", "'..'");
	blanks(p);
	start = p->s;
	last = count(p, "a number of workers");
	if (last <= first)
		wrong(p, start, "more workers than the range starts with");
	demand(p, ",", "',' and a limit");
	blanks(p);
	start = p->s;
	limit = number(p, "a limit");
	if (limit <= 1)
		wrong(p, start, "a limit over 1");
	demand(p, ")", "')'");
	if (w.field == LEAST)
		wrong(p, w.at, "a series that has rounds, not least");
	each_ratio(p->results, f, &w, first, last, flat, limit);
	text_free(&w.params);
}

/* A new figure; text and answer are put in by finish(). */
static struct figure *
add_figure(struct verdict *verdict)
{
	verdict->figure = need_more(verdict->figure, verdict->figures + 1,
		sizeof *verdict->figure);
	verdict->figure[verdict->figures] = (struct figure){0};
	return &verdict->figure[verdict->figures++];
}

static void
finish(const struct parser *p, struct figure *f, const char *start)
{
	size_t len = (size_t)(p->s - start);

	while (len > 0 && (start[len - 1] == ' ' || start[len - 1] == '\t'))
		len--;
	f->s = need_copy(start, len);
	if (f->missing != NULL) {
		f->answer = NOT_MEASURED;
		free(f->measured);
		f->measured = NULL;
	}
}

void
expression_test(const struct results *results, const struct source *source,
	struct verdict *verdict)
{
	struct parser p = {results, source, source->s, 0};

	do {
		struct figure *f = add_figure(verdict);
		const char *start;

		blanks(&p);
		start = p.s;
		if (next_is(&p, "flat") || next_is(&p, "growing")) {
			bool flat = *p.s == 'f';

			p.s += strlen(flat ? "flat" : "growing");
			series(&p, f, flat);
		} else {
			comparison(&p, f);
		}
		finish(&p, f, start);
	} while (next_is(&p, "and") && accept(&p, "and"));
	if (*p.s != '\0')
		wrong(&p, p.s, "an operator, 'and' or the end");
}

static struct value
whole_sum(const struct results *results, const struct source *source,
	struct parser *p)
{
	struct value v;

	*p = (struct parser){results, source, source->s, 0};
	v = sum(p);
	blanks(p);
	if (*p->s != '\0')
		wrong(p, p->s, "an operator or the end");
	return v;
}

void
expression_show(const struct results *results, const struct source *source,
	struct verdict *verdict)
{
	struct figure *f = add_figure(verdict);
	struct parser p;
	struct value v = whole_sum(results, source, &p);
	struct summary s;

	f->missing = v.missing;
	v.missing = NULL;
	if (f->missing == NULL) {
		s = summary_of(&v);
		f->measured = describe(&s, false);
	}
	finish(&p, f, source->s);
	f->answer = NOT_TESTABLE;
	value_free(&v);
}

void
expression_value(const struct results *results, const struct source *source,
	struct text *out)
{
	struct parser p;
	struct value v = whole_sum(results, source, &p);

	if (v.missing == NULL)
		add_number(out, summary_of(&v).median, false);
	else
		text_add(out, "(not measured)");
	value_free(&v);
}

const struct figure *
verdict_deciding(const struct verdict *verdict)
{
	static const enum answer order[] = {DOES_NOT_HOLD, NOT_MEASURED,
		NOT_RESOLVED, HOLDS, NOT_TESTABLE};

	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < verdict->figures; i++)
			if (verdict->figure[i].answer == order[k])
				return &verdict->figure[i];
	return NULL;
}

void
verdict_free(struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->figures; i++) {
		free(verdict->figure[i].s);
		free(verdict->figure[i].measured);
		free(verdict->figure[i].where);
		free(verdict->figure[i].missing);
	}
	free(verdict->figure);
	*verdict = (struct verdict){0};
}
