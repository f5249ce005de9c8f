/* SPDX-License-Identifier: MIT */
/*
 * What every program needs, those of report/ included: the feature macros, the
 * error function, bounded numbers, growing text, checked output.
 */
#ifndef UTIL_H
#define UTIL_H

/* POSIX.1-2008, RUSAGE_THREAD, affinity. Other systems show all they have
 * where no standard is asked for, and hide mmap's flags where one is. */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _GNU_SOURCE
#endif

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FORMAT(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define FORMAT(fmt, args)
#endif

/* Exit codes of every program. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,        /* a program or its check failed */
	EXIT_USAGE = 2,
	EXIT_SKIPPED = 77       /* not possible here; the reason was printed */
};

/* Prefix of messages: the last part of argv[0]. Call first in main. */
void util_name(const char *argv0);

/* See that descriptors 0 to 2 are open, if only so that writing fails: what a
 * program opens later must not become its standard output. */
void util_descriptors(void);

/*
 * Print one line on stderr, "name: message". A message that ends in ':' gets
 * strerror(errno) appended. complain() returns; die() exits with code.
 */
void complain(const char *fmt, ...) FORMAT(1, 2);
_Noreturn void die(int code, const char *fmt, ...) FORMAT(2, 3);

/* The usage error for what getopt_long (with opterr 0 and a ':' first) did not
 * like: c is the '?' or ':' that it returned. */
_Noreturn void die_option(int c, char *const argv[]);

/*
 * Parse all of s as a decimal integer between least and most.
 * Returns NULL and sets *value, or returns what is wrong with it ("not a
 * number", "too small", "too large") and leaves *value alone.
 * After OpenBSD's strtonum(3).
 */
const char *parse_number(const char *s, int64_t least, int64_t most,
	int64_t *value);

/* The same for the value of option --name; a usage error that names it and the
 * bounds when it is wrong. */
int64_t option_number(const char *name, const char *s, int64_t least,
	int64_t most);

/* Cut the next element off the comma-separated *list, which becomes NULL after
 * the last one. An empty list has one empty element. */
char *cut(char **list);

/* Memory or death: these never return NULL. n * size is checked. */
void *need(size_t n, size_t size);
void *need_more(void *old, size_t n, size_t size);
char *need_copy(const char *s, size_t len);

/* Text that grows. Zero-initialise; s is always NUL-terminated once used. */
struct text {
	char *s;
	size_t len, room;
};

void text_add(struct text *t, const char *fmt, ...) FORMAT(2, 3);
void text_addv(struct text *t, const char *fmt, va_list args) FORMAT(2, 0);

/*
 * Append v as a plain decimal (no exponent) of so many significant digits,
 * trailing zeros after the point dropped. v must be finite.
 */
void text_decimal(struct text *t, double v, int digits);
void text_free(struct text *t);

/*
 * Write all of it to the file descriptor in as few write(2) as the kernel
 * allows (one, for a file). Returns 0 or an errno value.
 */
int put(int fd, const char *s, size_t len);

/* Flush and close stdout; exit 1 with a message if any of it was lost. */
void close_stdout(void);

#endif
