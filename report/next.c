/* SPDX-License-Identifier: MIT */
/*
 * What the driver runs next. Reads the matrix on standard input and the
 * records so far, and prints one round: a command a line, shuffled, with the
 * ops that the first round found. All state is in the results file.
 *
 * A line of the matrix: the sizes it belongs to (letters of q, d, f), the
 * milliseconds that a process of it takes (- for what its samples take), the
 * program and its arguments. An argument that is a list stands for a row each.
 */
#include "records.h"
#include "stats.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS 32                /* of a matrix line */
#define START_MS 8              /* to start a process and its workers */

/* The three sizes: samples a process, ms a sample, rounds. */
static const struct size {
	const char *name;
	int samples, time, rounds;
} sizes[] = {
	{"quick", 3, 12, 6},
	{"default", 3, 18, 6},
	{"full", 5, 50, 12},
};

struct command {
	char *key;              /* program and arguments */
	double ms;
	bool lacking;           /* its placement is not there: told once */
};

static struct {
	const struct size *size;
	const char *only, *workers, *place, *lacks, *file;
	int64_t round, rounds, seed;
	bool plan;
} option = {.size = &sizes[1], .round = 1, .seed = 1};

static struct command *command;
static size_t commands;
static struct results results;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Fisher-Yates. */
static void
shuffle(void)
{
	uint64_t state = (uint64_t)option.seed * 1000003 +
		(uint64_t)option.round;

	for (size_t i = commands; i > 1; i--) {
		size_t k = (size_t)(next_random(&state) % i);
		struct command c = command[i - 1];

		command[i - 1] = command[k];
		command[k] = c;
	}
}

static bool
wanted(const char *program)
{
	const char *slash = strrchr(program, '/');

	if (option.only == NULL)
		return true;
	return fnmatch(option.only, program, 0) == 0 ||
		(slash != NULL && fnmatch(option.only, slash + 1, 0) == 0);
}

static bool
has(char **w, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(w[i], name) == 0)
			return true;
	return false;
}

/* A list of numbers after --place is one placement. */
static bool
is_list(const char *name, const char *value)
{
	if (name[0] != '-' || strchr(value, ',') == NULL)
		return false;
	return strcmp(name, "--place") != 0 ||
		strspn(value, "0123456789,") != strlen(value);
}

static bool
in_list(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (list != NULL && *list != '\0') {
		size_t n = strcspn(list, ",");

		if (n == len && strncmp(list, word, n) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

/* Are two commands the same but for " -s N" at their end? */
static bool
same_row(const char *a, const char *b)
{
	const char *x = strstr(a, " -s "), *y = strstr(b, " -s ");
	size_t n = x ? (size_t)(x - a) : strlen(a);
	size_t m = y ? (size_t)(y - b) : strlen(b);

	return n == m && strncmp(a, b, n) == 0;
}

static void
add_command(char **w, size_t n, double ms)
{
	struct text key = {0};
	bool lacking = false;

	for (size_t i = 0; i < n; i++) {
		text_add(&key, "%s%s", i ? " " : "", w[i]);
		lacking |= i > 0 && strcmp(w[i - 1], "--place") == 0 &&
			in_list(option.lacks, w[i]);
	}
	/* --workers and --place make some the same; samples are no row. */
	for (size_t i = 0; i < commands; i++)
		if (same_row(command[i].key, key.s)) {
			text_free(&key);
			return;
		}
	command = need_more(command, commands + 1, sizeof *command);
	command[commands++] = (struct command){key.s, ms, lacking};
}

/* Each element of the lists from word i on in its turn. */
static void
expand(char **w, size_t n, size_t i, double ms)
{
	char *list, *value;

	while (i < n && !is_list(w[i - 1], w[i]))
		i++;
	if (i >= n) {
		add_command(w, n, ms);
		return;
	}
	list = w[i];
	value = need_copy(list, strlen(list));
	for (char *left = value; left != NULL;) {
		w[i] = cut(&left);
		expand(w, n, i + 1, ms);
	}
	w[i] = list;
	free(value);
}

static void
replace(char **w, size_t n, const char *name, const char *value)
{
	for (size_t i = 0; value != NULL && i + 1 < n; i++)
		if (strcmp(w[i], name) == 0)
			w[i + 1] = (char *)(uintptr_t)value;
}

static void
read_matrix(void)
{
	static const char letters[] = "qdf";
	char line[1024], *w[WORDS];

	for (int number = 1; fgets(line, sizeof line, stdin); number++) {
		size_t n = 0;
		double ms;

		for (char *s = strtok(line, " \t\n"); s != NULL && n < WORDS;
		    s = strtok(NULL, " \t\n"))
			w[n++] = s;
		if (n == 0 || w[0][0] == '#')
			continue;
		if (n < 3)
			die(EXIT_USAGE, "matrix line %d: expected sizes, ms "
				"and a program", number);
		if (!strchr(w[0], letters[option.size - sizes]) ||
		    !wanted(w[2]))
			continue;
		replace(w + 3, n - 3, "-w", option.workers);
		replace(w + 3, n - 3, "--place", option.place);
		ms = START_MS;
		ms += w[1][0] == '-' ? (option.size->samples + 1) *
			option.size->time : atof(w[1]);
		expand(w + 2, n - 2, 1, ms);
	}
	if (ferror(stdin))
		die(EXIT_FAILED, "matrix:");
	if (commands == 0)
		die(EXIT_USAGE, "no row matches '%s'",
			option.only ? option.only : "");
}

static const struct row *
row_of(const char *key)
{
	for (size_t i = 0; i < results.rows; i++)
		if (results.row[i]->run != NULL &&
		    strcmp(results.row[i]->run, key) == 0)
			return results.row[i];
	return NULL;
}

static bool
is_over(const struct command *c)
{
	const struct row *row = row_of(c->key);

	/* It would be skipped again, hang again, or refuse its options. */
	if (row != NULL)
		return row->state != ROW_MEASURED || row->why != NULL;
	for (size_t i = 0; i < results.runs; i++)
		if (strcmp(results.run[i], c->key) == 0)
			return true;
	return false;
}

/* A row's first process also has to find its ops: some 6 samples more. */
static double
first_ms(const struct command *c)
{
	return c->lacking ? START_MS : c->ms + 6 * option.size->time;
}

static double
later_ms(const struct command *c)
{
	return c->lacking ? 0 : c->ms;
}

static void
print_plan(void)
{
	double total = 0;

	for (size_t i = 0; i < commands; i++) {
		double ms = first_ms(&command[i]) +
			(double)(option.rounds - 1) * later_ms(&command[i]);

		(void)printf("%6.1f s  %s\n", ms / 1000, command[i].key);
		total += ms;
	}
	(void)printf("%zu rows, %lld rounds, about %.0f s\n", commands,
		(long long)option.rounds, total / 1000);
}

/* A bit that differs from row to row and with the seed. */
static uint64_t
key_hash(const char *s)
{
	uint64_t state = (uint64_t)option.seed;

	for (; *s != '\0'; s++)
		state = state * 31 + (unsigned char)*s;
	return next_random(&state);
}

/*
 * Additions a cycle on a core that nobody shares, in hundredths: what one in
 * ten rows saw more than. The most would be one where the clock changed speed
 * in between. 0: nothing is known.
 */
static long
most_adds(void)
{
	struct values seen = {0};
	double most = 0;

	for (size_t i = 0; i < results.rows; i++) {
		const struct metric *m = row_metric(results.row[i],
			"adds/cycle");

		for (size_t k = 0; m != NULL && k < m->rounds.n; k++)
			values_add(&seen, m->rounds.v[k]);
	}
	if (seen.n > 0) {
		(void)median(seen.v, seen.n);   /* sorts */
		most = seen.v[seen.n - 1 - seen.n / 10];
	}
	free(seen.v);
	return (long)(100 * most);
}

static void
print_round(void)
{
	double left = 0;
	long adds = most_adds();
	size_t n = 0;

	/* What is over counts no more. */
	for (size_t i = 0; i < commands; i++)
		if (!is_over(&command[i]))
			command[n++] = command[i];
		else
			free(command[i].key);
	commands = n;
	shuffle();
	for (size_t i = 0; i < commands; i++)
		left += later_ms(&command[i]) *
			(double)(option.rounds - option.round) +
			(option.round == 1 ? first_ms(&command[i]) :
			later_ms(&command[i]));
	for (size_t i = 0; i < commands; i++) {
		const struct command *c = &command[i];
		const struct row *row = row_of(c->key);
		char *copy = need_copy(c->key, strlen(c->key)), *w[WORDS];
		size_t words = 0;
		uint64_t turn = key_hash(c->key) + (uint64_t)option.round;

		for (char *s = strtok(copy, " "); s != NULL && words < WORDS;
		    s = strtok(NULL, " "))
			w[words++] = s;
		/* Of two builds, each goes first in every other round. */
		(void)printf("%.0f\t%c\t%s\t%s --bare --round %lld",
			left / 1000, turn & 1 ? 'a' : 'b',
			c->key, c->key, (long long)option.round);
		if (!has(w, words, "-s"))
			(void)printf(" -s %d", option.size->samples);
		if (!has(w, words, "-t"))
			(void)printf(" -t %d", option.size->time);
		if (!has(w, words, "-n") && row != NULL && row->ops > 0)
			(void)printf(" -n %lld", (long long)row->ops);
		if (adds > 0)
			(void)printf(" --adds %ld", adds);
		(void)printf("\n");
		left -= option.round == 1 ? first_ms(c) : later_ms(c);
		free(copy);
	}
}

static void
read_results(void)
{
	int fd = open(option.file, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		die(EXIT_USAGE, "%s:", option.file);
	err = results_read(&results, fd, option.file);
	if (err != 0)
		die(EXIT_USAGE, "%s: %s", option.file, strerror(err));
	(void)close(fd);
	results_finish(&results);
}

static void
check_workers(const char *list)
{
	char *copy = need_copy(list, strlen(list)), *left = copy;

	while (left != NULL)
		(void)option_number("workers", cut(&left), 1, 1000000);
	free(copy);
}

static void
take(int c)
{
	switch (c) {
	case 's':
		for (size_t i = 0; i < 3; i++)
			if (strcmp(optarg, sizes[i].name) == 0) {
				option.size = &sizes[i];
				return;
			}
		die(EXIT_USAGE, "--size: '%s': not one of quick, default, full",
			optarg);
	case 'r':
		option.round = option_number("round", optarg, 1, 1000000);
		break;
	case 'R':
		option.rounds = option_number("rounds", optarg, 1, 1000);
		break;
	case 'S':
		option.seed = option_number("seed", optarg, 0,
			INT64_MAX / 2000003);
		break;
	case 'f':
		option.file = optarg;
		break;
	case 'o':
		option.only = optarg;
		break;
	case 'w':
		check_workers(optarg);
		option.workers = optarg;
		break;
	case 'p':
		option.place = optarg;
		break;
	case 'l':
		option.lacks = optarg;
		break;
	default:
		option.plan = true;
	}
}

static void
help(void)
{
	(void)printf("usage: next [options] < matrix\n\n"
		"  next --size quick --plan < matrix\n"
		"  next --round 2 --results run.txt < matrix\n\n"
		"For run_all.sh: prints the commands of a round, a line each: "
		"seconds left,\n"
		"which of two builds goes first, the row, the command.\n\n"
		"  --size quick|default|full   rows and samples\n"
		"  --round N --rounds N        the one to print, of how many\n"
		"  --results FILE              the records so far\n"
		"  --seed N                    of the order\n"
		"  --only GLOB, --workers LIST, --place LIST, --lacks LIST\n"
		"  --plan                      rows and seconds instead\n\n"
		"Exit code: 0 done, 2 usage, or no row matches.\n");
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"size", required_argument, NULL, 's'},
		{"round", required_argument, NULL, 'r'},
		{"rounds", required_argument, NULL, 'R'},
		{"seed", required_argument, NULL, 'S'},
		{"results", required_argument, NULL, 'f'},
		{"only", required_argument, NULL, 'o'},
		{"workers", required_argument, NULL, 'w'},
		{"place", required_argument, NULL, 'p'},
		{"lacks", required_argument, NULL, 'l'},
		{"plan", no_argument, NULL, 'P'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c;

	util_name("run_all.sh");        /* which is who asks */
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c == 'h') {
			help();
			close_stdout();
			return EXIT_OK;
		}
		if (c == ':' || c == '?')
			die_option(c, argv);
		take(c);
	}
	if (optind < argc)
		die(EXIT_USAGE, "'%s': not an option; see -h", argv[optind]);
	if (option.rounds == 0)
		option.rounds = option.size->rounds;
	read_matrix();
	if (option.file != NULL && option.round > 1)
		read_results();
	if (option.plan)
		print_plan();
	else if (option.round <= option.rounds)
		print_round();
	close_stdout();
	for (size_t i = 0; i < commands; i++)
		free(command[i].key);
	free(command);
	results_free(&results);
	return EXIT_OK;
}
