/* SPDX-License-Identifier: MIT */
/* Claims against rows: what was published, what was measured here, and whether
 * the one bears the other out. */
#include "expression.h"
#include "model.h"
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLAIMS "report/published.claims"
#ifndef SIZE_MOST               /* fuzzed with a smaller one */
#define SIZE_MOST (1 << 20)     /* of a file of claims, in bytes */
#endif
#define WIDE 100                /* columns of a table of text */
#define ID_MOST 8               /* columns, so that the rest fits */
#define PUBLISHED_MOST 14
#define MEASURED_MOST 24
#define CLAIM_LEAST 12          /* for the claim, whatever the others take */

/* A key that may be given several times: tests are all to hold, and claim and
 * why go on. */
struct lines {
	struct source *line;
	size_t n;
};

enum key {
	ID, CLAIM, SHORT, PUBLISHED, TEST, REALLY, NATURE, SHOWS, WHY, KEYS
};

static const char *const keys[KEYS] = {"id", "claim", "short", "published",
	"test", "really", "nature", "shows", "why"};

struct claim {
	struct lines key[KEYS];
	struct verdict test;    /* or what it shows */
	struct verdict really;
};

static struct results results;
static struct claim *claims;
static size_t claim_count;
static enum format format;

static char *
read_all(const char *name, size_t *len)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	char *s;

	if (fd < 0)
		die(EXIT_USAGE, "%s:", name);
	s = need(SIZE_MOST + 2, 1);
	*len = 0;
	while (*len <= SIZE_MOST) {
		ssize_t n = read(fd, s + *len, SIZE_MOST + 1 - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die(EXIT_USAGE, "%s:", name);
		if (n == 0)
			break;
		*len += (size_t)n;
	}
	if (*len > SIZE_MOST)
		die(EXIT_USAGE, "%s:1:1: expected at most 1 MiB", name);
	(void)close(fd);
	return s;
}

static struct claim *
new_claim(void)
{
	claims = need_more(claims, claim_count + 1, sizeof *claims);
	claims[claim_count] = (struct claim){0};
	return &claims[claim_count++];
}

static void
add_line(struct claim *c, enum key key, const struct source *at, const char *s)
{
	struct lines *l = &c->key[key];

	l->line = need_more(l->line, l->n + 1, sizeof *l->line);
	l->line[l->n] = *at;
	l->line[l->n++].s = need_copy(s, strlen(s));
}

/* The sentence of a claim may take several lines. */
static void
go_on(struct source *line, const char *s)
{
	struct text t = {0};

	text_add(&t, "%s %s", line->s, s);
	free(line->s);
	line->s = t.s;
}

static const struct source *
first(const struct claim *c, enum key key)
{
	return c->key[key].n > 0 ? c->key[key].line : NULL;
}

static const char *
said(const struct claim *c, enum key key)
{
	return c->key[key].n > 0 ? c->key[key].line->s : "";
}

/* A claim is whole: called at the end of each. */
static void
check_claim(const struct claim *c)
{
	const struct source *id = first(c, ID);

	for (size_t i = 0; i + 1 < claim_count; i++)
		if (strcmp(said(&claims[i], ID), id->s) == 0)
			expected(id, 0, "an id of its own");
	if (strlen(id->s) > ID_MOST)
		expected(id, 0, "an id of at most 8 letters");
	if (first(c, CLAIM) == NULL)
		expected(id, 0, "a 'claim:' in this claim");
	if (first(c, NATURE) != NULL &&
	    strcmp(said(c, NATURE), "interpreter") != 0)
		expected(first(c, NATURE), 0, "'interpreter'");
	if (first(c, NATURE) != NULL && first(c, TEST) != NULL)
		expected(first(c, TEST), 0, "no test of what is the "
			"interpreter's; 'shows:' may say what C rows show");
	if (first(c, NATURE) == NULL && first(c, TEST) == NULL)
		expected(id, 0, "a 'test:' or 'nature: interpreter' in this "
			"claim");
	if (first(c, NATURE) == NULL && first(c, SHOWS) != NULL)
		expected(first(c, SHOWS), 0, "'nature: interpreter' before "
			"what is shown instead of a test");
}

static enum key
parse_key(const struct source *at, char *line, char **value)
{
	char *colon = strchr(line, ':');
	int i = 0;

	if (colon == NULL)
		expected(at, 0, "'key: value', '#' or an empty line");
	*colon = '\0';
	while (i < KEYS && strcmp(line, keys[i]) != 0)
		i++;
	if (i == KEYS)
		expected(at, 0, "id, claim, short, published, test, really, "
			"nature, shows or why");
	*value = colon + 1 + strspn(colon + 1, " \t");
	if (**value == '\0')
		expected(at, (size_t)(*value - line), "a value");
	return (enum key)i;
}

/* Returns the claim that is open after this line, or NULL. */
static struct claim *
parse_line(struct claim *c, struct source *at, char *line)
{
	enum key key;
	char *value;

	if (line[0] == '#')
		return c;
	if (line[strspn(line, " \t")] == '\0') {
		if (c != NULL)
			check_claim(c);
		return NULL;
	}
	at->s = line;
	key = parse_key(at, line, &value);
	if ((c == NULL) != (key == ID))
		expected(at, 0, c ? "an empty line before the next id" :
			"'id:' first");
	if (c == NULL)
		c = new_claim();
	if (c->key[key].n > 0 && key != CLAIM && key != TEST && key != WHY)
		expected(at, 0, "this key once in a claim");
	at->column += (size_t)(value - line);
	if (key == CLAIM && c->key[key].n > 0)
		go_on(&c->key[key].line[0], value);
	else
		add_line(c, key, at, value);
	return c;
}

static void
read_claims(const char *name)
{
	size_t len, line_no = 0;
	char *all = read_all(name, &len), *line = all, *last = all + len;
	struct claim *c = NULL;

	while (line < last) {
		char *end = memchr(line, '\n', (size_t)(last - line));
		struct source at = {name, ++line_no, 1, line};

		end = end ? end : last;
		*end = '\0';
		if (strlen(line) != (size_t)(end - line))
			expected(&at, strlen(line), "text, not a NUL byte");
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		c = parse_line(c, &at, line);
		line = end + 1;
	}
	if (c != NULL)
		check_claim(c);
	if (claim_count == 0)
		die(EXIT_USAGE, "%s:1:1: expected a claim", name);
	free(all);
}

/* One that the command line gave: its sentence is its test. */
static void
own_claim(const char *test)
{
	struct source at = {"command line", 1, 1, NULL};
	struct claim *c = new_claim();
	struct text id = {0};

	text_add(&id, "%zu", claim_count);
	add_line(c, ID, &at, id.s);
	add_line(c, CLAIM, &at, test);
	add_line(c, TEST, &at, test);
	text_free(&id);
}

static void
judge(struct claim *c)
{
	for (size_t i = 0; i < c->key[TEST].n; i++)
		expression_test(&results, &c->key[TEST].line[i], &c->test);
	if (first(c, SHOWS) != NULL)
		expression_show(&results, first(c, SHOWS), &c->test);
	if (first(c, REALLY) != NULL)
		expression_test(&results, first(c, REALLY), &c->really);
}

/* "holds", or with a second test "holds; really no" */
static void
add_answer(struct text *t, const struct claim *c)
{
	static const char *const really[] = {"yes", "no", "open", "n/a"};
	const struct figure *f = verdict_deciding(&c->test);

	text_add(t, "%s", answers[f ? f->answer : NOT_TESTABLE]);
	f = verdict_deciding(&c->really);
	if (f != NULL)
		text_add(t, "; really %s", really[f->answer]);
}

/* Replaces each {expression} of a line by its value. */
static void
add_why(struct text *t, const struct source *line)
{
	char *s = line->s, *open;

	while ((open = strchr(s, '{')) != NULL) {
		char *close = strchr(open, '}');
		struct source at = *line;

		if (close == NULL)
			expected(line, strlen(line->s), "'}'");
		text_add(t, "%.*s", (int)(open - s), s);
		at.column += (size_t)(open + 1 - line->s);
		at.s = need_copy(open + 1, (size_t)(close - open - 1));
		expression_value(&results, &at, t);
		free(at.s);
		s = close + 1;
	}
	text_add(t, "%s", s);
}

static void
add_whys(struct text *t, const struct claim *c)
{
	for (size_t i = 0; i < c->key[WHY].n; i++) {
		text_add(t, i ? " " : "");
		add_why(t, &c->key[WHY].line[i]);
	}
}

/* All comparisons with what they say; of those not measured, the first. */
static void
add_figures(struct text *t, const struct verdict *v, const char *before)
{
	size_t unmeasured = 0;

	for (size_t i = 0; i < v->figures; i++) {
		const struct figure *f = &v->figure[i];

		if (f->missing != NULL && unmeasured++ > 0)
			continue;
		text_add(t, "%s%s", before, f->s);
		before = "; ";
		if (f->missing != NULL)
			text_add(t, ": not measured (%s)", f->missing);
		else
			text_add(t, ": %s%s", f->measured, f->where ? f->where :
				"");
		if (f->missing == NULL && f->answer != NOT_TESTABLE)
			text_add(t, ", %s", answers[f->answer]);
	}
	if (unmeasured > 1)
		text_add(t, "; %zu more not measured", unmeasured - 1);
}

static void
add_note(struct text *t, const struct claim *c)
{
	const char *claim = said(c, CLAIM);
	size_t len = strlen(claim);

	text_add(t, "- %s: ", said(c, ID));
	if (strcmp(claim, said(c, TEST)) != 0)
		text_add(t, "\"%s%s\" ", claim, claim[len - 1] == '.' ? "" :
			".");
	add_whys(t, c);
	if (c->test.figures + c->really.figures == 0)
		return;
	text_add(t, "%s(", c->key[WHY].n > 0 ? " " : "");
	add_figures(t, &c->test, "");
	add_figures(t, &c->really, "; really: ");
	text_add(t, ")");
}

/* Columns of a cell in Markdown, where some letters take two. */
static size_t
columns(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += strchr(MD_SPECIALS, *s) ? 2 : 1;
	return n;
}

/* Appends s, cut at a blank if need be so that it takes at most so many. */
static void
add_cut(struct text *t, const char *s, size_t most)
{
	char *part = need_copy(s, strlen(s));
	size_t len = strlen(part);

	while (len > 0 && columns(part) + (s[len] ? 3 : 0) > most) {
		part[--len] = '\0';
		while (len > 0 && s[len] != ' ')
			part[--len] = '\0';
	}
	/* One word that is too long. */
	for (; len == 0 && len + 5 < most && s[len] != '\0'; len++)
		part[len] = s[len];
	text_add(t, "%s%s", part, s[len] ? "..." : "");
	free(part);
}

/* Where there is no room, the interval is left to the note. */
static void
add_measured(struct text *t, const struct claim *c)
{
	const struct figure *f = verdict_deciding(&c->test);
	const char *s = f && f->measured ? f->measured : "";
	char *number = need_copy(s, strcspn(s, " "));

	if (!format_is_page(format) || strlen(s) <= MEASURED_MOST)
		text_add(t, "%s", s);
	else
		add_cut(t, number, MEASURED_MOST);
	free(number);
}

/* The cells of a claim but the claim itself. */
struct cells {
	struct text published, measured, answer;
};

static size_t
wider(size_t width, const char *s)
{
	return columns(s) > width ? columns(s) : width;
}

static struct cells
make_cells(const struct claim *c, size_t *widest)
{
	struct cells cells = {0};

	add_cut(&cells.published, said(c, PUBLISHED), !format_is_page(format) ?
		SIZE_MAX : PUBLISHED_MOST);
	add_measured(&cells.measured, c);
	add_answer(&cells.answer, c);
	widest[0] = wider(widest[0], said(c, ID));
	widest[1] = wider(widest[1], cells.published.s);
	widest[2] = wider(widest[2], cells.measured.s);
	widest[3] = wider(widest[3], cells.answer.s);
	return cells;
}

static void
claim_row(struct table *t, const struct claim *c, struct cells *cells,
	size_t room)
{
	struct text claim = {0}, why = {0};
	const char *brief = format_is_page(format) && first(c, SHORT) != NULL ?
		said(c, SHORT) : said(c, CLAIM);

	add_cut(&claim, brief, !format_is_page(format) ? SIZE_MAX : room);
	table_cell(t, "%s", said(c, ID));
	table_cell(t, "%s", claim.s);
	table_cell(t, "%s", cells->published.s);
	table_cell(t, "%s", cells->measured.s);
	table_cell(t, "%s", cells->answer.s);
	add_note(&why, c);
	if (!format_is_page(format))
		table_cell(t, "%s", why.s + strlen("- "));
	else
		table_note(t, "%s", why.s);
	text_free(&claim);
	text_free(&why);
	text_free(&cells->published);
	text_free(&cells->measured);
	text_free(&cells->answer);
}

static void
make_table(struct text *out)
{
	static const char title[] = "Claims", caption[] = "Each claim against "
		"its counterpart in C. Measured: what decides, the left side "
		"over the right within rounds (x) or the left side alone "
		"against a number, and its interval. Holds, does not hold: "
		"the whole interval says so. Really: the row that the claim "
		"speaks of, where the published one measured something else. "
		"Not testable: a property of the interpreter.";
	struct table t = {.level = 2};
	struct text host = {0};
	struct cells *cells = need(claim_count, sizeof *cells);
	/* The headings, but the claim's. */
	size_t widest[] = {2, 9, 8, 6}, used = 16;

	t.title = need_copy(title, strlen(title));
	t.caption = need_copy(caption, strlen(caption));
	table_column(&t, "id", false);
	table_column(&t, "claim", false);
	table_column(&t, "published", false);
	table_column(&t, "measured", false);
	table_column(&t, "answer", false);
	if (!format_is_page(format))
		table_column(&t, "why", false);
	for (size_t i = 0; i < claim_count; i++) {
		judge(&claims[i]);
		cells[i] = make_cells(&claims[i], widest);
	}
	for (size_t i = 0; i < sizeof widest / sizeof *widest; i++)
		used += widest[i];
	for (size_t i = 0; i < claim_count; i++)
		claim_row(&t, &claims[i], &cells[i], used + CLAIM_LEAST < WIDE ?
			WIDE - used : CLAIM_LEAST);
	view_host(&results, &host);
	t.host = host.s;
	render_table(out, format, &t);
	table_free(&t);
	free(cells);
}

/* A claim and not a file: it has what a name mostly has not, and no file is
 * called that. */
static bool
is_claim(const char *s)
{
	return s[strcspn(s, "<>~(")] != '\0' && access(s, F_OK) != 0;
}

static void
free_claims(void)
{
	for (size_t i = 0; i < claim_count; i++) {
		for (int k = 0; k < KEYS; k++) {
			for (size_t n = 0; n < claims[i].key[k].n; n++)
				free(claims[i].key[k].line[n].s);
			free(claims[i].key[k].line);
		}
		verdict_free(&claims[i].test);
		verdict_free(&claims[i].really);
	}
	free(claims);
}

static _Noreturn void
help(void)
{
	(void)printf("usage: claims [options] RESULTS ... [CLAIM ...]\n\n"
		"  claims run.txt                      those of " CLAIMS "\n"
		"  claims run.txt 'ucontext(2) > 10 * raw(2)'\n"
		"                                      one of your own\n\n"
		"  -c, --claims FILE    another file of claims\n"
		"  -f, --format FORMAT  md, text, csv, json or tex\n\n"
		"report/expression.h says what a claim may be made of.\n"
		"Exit code: 0 whatever it finds, 2 usage, a malformed claim, "
		"or no records.\n");
	close_stdout();
	exit(EXIT_OK);
}

/* Files and claims in any order: reads the files, and the file of claims, then
 * takes the others. */
static struct results *
take_arguments(int n, char **argument, const char *file)
{
	char **name = need((size_t)n, sizeof *name);
	struct results *host;
	size_t hosts;
	int files = 0;

	for (int i = 0; i < n; i++)
		if (!is_claim(argument[i]))
			name[files++] = argument[i];
	if (file != NULL || files == n)
		read_claims(file ? file : CLAIMS);
	if (files == 0)
		die(EXIT_USAGE, "needs a results file; see -h");
	for (int i = 0; i < n; i++)
		if (is_claim(argument[i]))
			own_claim(argument[i]);
	host = view_read(files, name, &hosts);
	if (hosts > 1)
		die(EXIT_USAGE, "the files are of %zu hosts: give those of "
			"one", hosts);
	free(name);
	return host;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"claims", required_argument, NULL, 'c'},
		{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *file = NULL;
	struct text out = {0};
	struct results *host;
	int c, err;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":c:f:h", options, NULL)) != -1) {
		if (c == 'h')
			help();
		else if (c == 'c')
			file = optarg;
		else if (c == 'f')
			format = format_parse(optarg, false);
		else
			die_option(c, argv);
	}
	host = take_arguments(argc - optind, argv + optind, file);
	results = *host;
	render_begin(&out, format);
	make_table(&out);
	render_end(&out, format);
	err = put(STDOUT_FILENO, out.s, out.len);
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&out);
	free_claims();
	view_free(host, 1);
	return EXIT_OK;
}
