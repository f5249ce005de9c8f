/* SPDX-License-Identifier: MIT */
/* Pictures from results files, each written whole or not at all. */
#include "picture.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name;
	picture_draw *draw;
	const char *lacking;    /* what a run has not where it is left out */
} pictures[] = {
	{"ladder", draw_ladder, "row"},
	{"distance", draw_distance, "hand-off"},
	{"workers", draw_workers, "row at two worker counts"},
	{"fetch", draw_fetch, "fetch"},
	{"rows", draw_rows, "loading of rows"},
};

#define PICTURES (sizeof pictures / sizeof *pictures)

/* The file gets its name when all of it is there: nobody sees half of one, and
 * an old one stays until then. */
static void
write_file(const char *dir, const char *name, const struct text *svg)
{
	struct text path = {0}, draft = {0};
	mode_t mask = umask(0);
	int fd, err;

	(void)umask(mask);
	text_add(&path, "%s/%s.svg", dir, name);
	text_add(&draft, "%s/.%s.svg.XXXXXX", dir, name);
	fd = mkstemp(draft.s);
	if (fd < 0)
		die(EXIT_FAILED, "%s:", path.s);
	err = put(fd, svg->s, svg->len);
	/* mkstemp's mode is for secrets. */
	if (err == 0 && fchmod(fd, 0666 & ~mask) != 0)
		err = errno;
	if (close(fd) != 0 && err == 0)
		err = errno;
	if (err == 0 && rename(draft.s, path.s) != 0)
		err = errno;
	if (err != 0) {
		(void)unlink(draft.s);
		die(EXIT_FAILED, "%s: %s", path.s, strerror(err));
	}
	text_free(&path);
	text_free(&draft);
}

/* To a file in dir, or to stdout where dir is NULL. False: nothing to show. */
static bool
make(struct page *page, size_t i, const char *dir)
{
	struct picture p = {.name = pictures[i].name};
	struct text svg = {0};
	bool drawn = pictures[i].draw(page, &p);
	int err = 0;

	if (drawn) {
		svg_file(&svg, &p);
		if (dir != NULL)
			write_file(dir, p.name, &svg);
		else
			err = put(STDOUT_FILENO, svg.s, svg.len);
	} else {
		complain("%s: left out: no %s in the records", p.name,
			pictures[i].lacking);
	}
	if (err != 0)
		die(EXIT_FAILED, "standard output: %s", strerror(err));
	text_free(&svg);
	svg_free(&p);
	return drawn;
}

static _Noreturn void
help(void)
{
	(void)printf("usage: plot [-o DIR] [-p PICTURE] [FILE ...]\n\n"
		"  plot -o pictures run.txt             all of them, as "
		"pictures/ladder.svg ...\n"
		"  plot -p ladder run.txt >ladder.svg   one, to standard "
		"output\n\n"
		"  ladder    every mechanism on one axis, its floor marked\n"
		"  distance  a hand-off within a thread, on one CPU, across\n"
		"  workers   ns against the number of workers\n"
		"  fetch     pages fetched: seconds by pages and how many at a "
		"time\n"
		"  rows      rows loaded in a second, by connections\n\n"
		"  -o, --output DIR        where the files go (default .)\n"
		"  -p, --picture PICTURE   this one only; without -o to "
		"standard output\n"
		"  -h, --help              print this\n\n"
		"Several files are to be of one host; without a file, or "
		"with -, reads\nstandard input. "
		"A picture of which the records hold nothing is left out,\n"
		"with a note.\n"
		"Exit code: 0 done, 1 a file could not be written, 2 usage or "
		"no records,\n77 nothing to show.\n");
	close_stdout();
	exit(EXIT_OK);
}

static size_t
picture_number(const char *name)
{
	for (size_t i = 0; i < PICTURES; i++)
		if (strcmp(name, pictures[i].name) == 0)
			return i;
	die(EXIT_USAGE, "--picture: '%s': not one of ladder, distance, "
		"workers, fetch, rows", name);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"picture", required_argument, NULL, 'p'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct page page = {0};
	struct results *host;
	size_t hosts;
	const char *dir = NULL;
	size_t only = PICTURES;
	bool any = false;
	int c;

	util_name(argc > 0 ? argv[0] : NULL);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":o:p:h", options, NULL)) != -1) {
		if (c == 'h')
			help();
		else if (c == 'o')
			dir = optarg;
		else if (c == 'p')
			only = picture_number(optarg);
		else
			die_option(c, argv);
	}
	if (dir != NULL && *dir == '\0')
		die(EXIT_USAGE, "--output: '': empty; see -h");
	host = view_read(argc - optind, argv + optind, &hosts);
	if (hosts > 1)
		die(EXIT_USAGE, "%zu hosts: a picture is of one; see -h",
			hosts);
	page.results = host[0];
	if (only == PICTURES && dir == NULL)
		dir = ".";
	if (dir != NULL && mkdir(dir, 0777) != 0 && errno != EEXIST)
		die(EXIT_FAILED, "%s:", dir);
	for (size_t i = 0; i < PICTURES; i++)
		if (only == PICTURES || only == i)
			any |= make(&page, i, dir);
	view_free(host, hosts);
	return any ? EXIT_OK : EXIT_SKIPPED;
}
