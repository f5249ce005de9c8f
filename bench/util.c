/* SPDX-License-Identifier: MIT */
#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name = "ns-per-switch";

void
util_name(const char *argv0)
{
	const char *slash;

	if (argv0 == NULL || *argv0 == '\0')
		return;
	slash = strrchr(argv0, '/');
	name = slash ? slash + 1 : argv0;
}

void
util_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void FORMAT(1, 0)
say(const char *fmt, va_list args)
{
	struct text t = {0};
	int err = errno;
	size_t len = strlen(fmt);

	text_add(&t, "%s: ", name);
	text_addv(&t, fmt, args);
	if (len > 0 && fmt[len - 1] == ':')
		text_add(&t, " %s", strerror(err));
	text_add(&t, "\n");
	/* Nothing is left to be told to if stderr is gone. */
	(void)put(STDERR_FILENO, t.s, t.len);
	text_free(&t);
}

void
complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void
die(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	exit(code);
}

void
die_option(int c, char *const argv[])
{
	/* Of letters in a bunch only optopt tells which; it is 0 for words. */
	if (c == '?' && optopt > 0 && optopt < 128)
		die(EXIT_USAGE, "'-%c': no such option; see -h", optopt);
	die(EXIT_USAGE, "'%s': %s; see -h", argv[optind - 1],
		c == ':' ? "needs a value" : "no such option");
}

const char *
parse_number(const char *s, int64_t least, int64_t most, int64_t *value)
{
	const char *digit = s + (*s == '-');
	long long v;
	char *end;

	/* strtoll also takes blanks and '+', which nobody means here. */
	if (*digit < '0' || *digit > '9')
		return "not a number";
	errno = 0;
	v = strtoll(s, &end, 10);
	if (*end != '\0')
		return "not a number";
	if (v < least || (errno == ERANGE && v < 0))
		return "too small";
	if (v > most || errno == ERANGE)
		return "too large";
	*value = v;
	return NULL;
}

int64_t
option_number(const char *option, const char *s, int64_t least, int64_t most)
{
	int64_t v = 0;
	const char *wrong = parse_number(s, least, most, &v);

	if (wrong != NULL)
		die(EXIT_USAGE, "--%s: '%s': %s (%lld to %lld)", option, s,
			wrong, (long long)least, (long long)most);
	return v;
}

char *
cut(char **list)
{
	char *s = *list;
	char *comma = strchr(s, ',');

	*list = comma ? comma + 1 : NULL;
	if (comma != NULL)
		*comma = '\0';
	return s;
}

/* Without allocating, as complain() would. */
static _Noreturn void
no_memory(size_t n, size_t size)
{
	char s[256];
	int len = snprintf(s, sizeof s, "%.100s: %zu x %zu bytes of memory: "
		"%.80s\n", name, n, size, strerror(ENOMEM));

	if (len > 0)
		(void)put(STDERR_FILENO, s, (size_t)len);
	exit(EXIT_FAILED);
}

void *
need(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (p == NULL)
		no_memory(n, size);
	return p;
}

void *
need_more(void *old, size_t n, size_t size)
{
	void *p;

	if (size > 0 && n > SIZE_MAX / size)
		no_memory(n, size);
	p = realloc(old, n > 0 && size > 0 ? n * size : 1);
	if (p == NULL)
		no_memory(n, size);
	return p;
}

char *
need_copy(const char *s, size_t len)
{
	char *copy = need(len + 1, 1);

	memcpy(copy, s, len);
	return copy;
}

void
text_addv(struct text *t, const char *fmt, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		abort();        /* a broken format is a bug here */
	if (t->room - t->len <= (size_t)n) {
		t->room = (t->len + (size_t)n + 1) * 2;
		t->s = need_more(t->s, t->room, 1);
	}
	(void)vsnprintf(t->s + t->len, t->room - t->len, fmt, args);
	t->len += (size_t)n;
}

void
text_add(struct text *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_addv(t, fmt, args);
	va_end(args);
}

void
text_decimal(struct text *t, double v, int digits)
{
	double size = v < 0 ? -v : v;
	int places = digits - 1;

	/* Not log10: programs link without libm. */
	for (; size >= 10 && places > 0; size /= 10)
		places--;
	for (; size > 0 && size < 1 && places < 15; size *= 10)
		places++;
	text_add(t, "%.*f", places, v);
	if (places > 0) {
		while (t->s[t->len - 1] == '0')
			t->len--;
		if (t->s[t->len - 1] == '.')
			t->len--;
		t->s[t->len] = '\0';
	}
}

void
text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}

int
put(int fd, const char *s, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		s += n;
		len -= (size_t)n;
	}
	return 0;
}

void
close_stdout(void)
{
	bool lost = ferror(stdout) != 0;

	if (fflush(stdout) != 0 || lost)
		die(EXIT_FAILED, "standard output:");
}
