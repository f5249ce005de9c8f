/* SPDX-License-Identifier: MIT */
/*
 * The records of bench/ and of run_all.sh, parsed and grouped into rows. The
 * format is the Go benchmark data format (golang.org/design/14313-benchmark-
 * format); lines that start with '#' are comments to others and data to us.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "util.h"

/* Numbers in the order in which they came. */
struct values {
	double *v;
	size_t n, room;
};

/* One unit of one row. */
struct metric {
	const char *unit;       /* "ns/acquire", "handoffs/op" */
	struct values now;      /* samples of the round being read */
	struct values rounds;   /* the median of each round */
	double least;           /* of all samples */
};

/* What disturbed a sample; DISTURBED_NAMES in the same order. */
enum { DISTURBED_KINDS = 6 };
extern const char *const disturbed_names[DISTURBED_KINDS];

/* Points kept of a row: a scatter needs no more. */
#define POINTS_MOST 1000

/* More rounds than a file has. */
#define ROUNDS_MOST 1000000

/* What an "# about:" line says. Absent fields are NULL. */
struct about {
	char *name;             /* "Mutex", "Syscall/as=mask" */
	char *group, *unit, *floor, *parts, *worker, *op, *is_not;
	char *work;             /* "contend", "total" ... */
	char *as;               /* "thread,process": the ways, in order */
};

enum row_state { ROW_MEASURED, ROW_SKIPPED, ROW_FAILED };

/* All samples of one name. */
struct row {
	char *name;             /* "Mutex/as=thread/place=same/workers=2" */
	char *base;             /* "Mutex" */
	char *work;             /* "contend", "total" ... */
	char *as;               /* "thread", or "" */
	char *params;           /* "stack=8192", "total=2000000", or "" */
	char *place;            /* "same", or "none" */
	long workers;
	bool fixed;             /* has a total of its own */
	char *cpus;             /* those of the last sample, or NULL */
	int round;              /* that is being read; -1: none yet */
	int file;               /* it is in, from 0 */
	struct values round_ids;        /* of the headline's rounds; in the
	                                 * second file from ROUNDS_MOST on */
	struct values round_ops;        /* all ops of each of these rounds */
	double ops_now;                 /* of the round being read */
	size_t samples;
	size_t disturbed;       /* samples that were, by anything */
	size_t disturbed_by[DISTURBED_KINDS];
	struct values x, y;     /* hand-offs per op and ns of samples, where
	                         * both were measured; the first POINTS_MOST */
	enum row_state state;
	char *why;              /* it was skipped or failed */
	char *run;              /* the driver's command line, or NULL */
	int64_t ops;            /* calibrated ops of its first round, or 0 */
	struct metric *metric;  /* [0] is the headline */
	size_t metrics;
	const struct about *about;      /* NULL: unknown */
};

/* A "key: value" line, or a "# key: value" line. */
struct fact {
	char *key, *value;
};

struct results {
	struct row **row;       /* in order of appearance */
	size_t rows, row_room;
	size_t *index;          /* hash table over row, +1; 0: free */
	size_t index_size;
	struct about *about;
	size_t abouts;
	struct fact *host;      /* key: value */
	size_t hosts;
	struct fact *note;      /* # key: value, warnings among them */
	size_t notes;
	char **run;             /* the driver's commands, each once */
	size_t runs;
	int files;              /* read so far */
	size_t seen;            /* benchmark lines, rows skipped or failed */
	size_t malformed;       /* lines left out */
};

/*
 * Read one file (fd is read to its end; name is for messages) into results,
 * which starts zeroed. Malformed lines are named on stderr, the first ten of a
 * file, counted and left out; a file without any record gets one line there.
 * Returns 0, or the errno value of a read error.
 */
int results_read(struct results *results, int fd, const char *name);

/*
 * Take the records of another file, which is of the same host, as more rounds
 * of these; from becomes empty. Call for both before results_finish.
 */
void results_merge(struct results *into, struct results *from);

/*
 * Call once after the last file: closes the open rounds and ties rows to what
 * is said about them.
 */
void results_finish(struct results *results);

/* Call when the order of rows was changed. */
void results_reindex(struct results *results);

/* The row of this name, or NULL. */
struct row *results_find(const struct results *results, const char *name);

/* The value of a host or note key, or NULL. Of several, the last. */
const char *fact_find(const struct fact *facts, size_t n, const char *key);

/* The metric of a unit in a row, or NULL where it was not measured. */
const struct metric *row_metric(const struct row *row, const char *unit);

/* What is said about a way of a program, or about the program, or NULL. */
const struct about *about_find(const struct results *results,
	const char *base, const char *as);

/* Bytes of the UTF-8 sequence that s starts with, or 0 if it is none. All
 * strings of results are UTF-8, without control characters but tabs. */
size_t utf8_length(const char *s);

void values_add(struct values *values, double v);
void results_free(struct results *results);

#endif
