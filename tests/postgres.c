/* SPDX-License-Identifier: MIT */
/*
 * What a PostgreSQL answers, in parts of any size; and the option that names
 * one. Prints what went wrong, and exits 1.
 */
#include "../switch/peer/peer_postgres.c"

#include <setjmp.h>
#include <stdlib.h>

/* A message: its letter and its body. Without a letter: bytes as they are. */
struct part {
	const char *body;
	size_t len;
	char what;
};

#define PART(what, body) {body, sizeof body - 1, what}
#define MUCH "Notice More than anybody would keep, six times over. "
#define STATUS PART('S', "application_name\0nps\0")
#define NOTICE PART('N', "SNOTICE\0Mhm\0\0")
#define LONG PART('N', MUCH MUCH MUCH MUCH MUCH MUCH)
#define DONE PART('C', "INSERT 0 3\0")
#define READY PART('Z', "I")
#define ROW(a, b) PART('D', "\0\002\0\0\0\001" a "\0\0\0\001" b)
#define STOPPED PART('E', "SFATAL\0VFATAL\0C57P01\0Mit is\ntold to end\0\0")
#define FULL PART('E', "SFATAL\0VFATAL\0C53300\0Mtoo many clients\0\0")
#define LOGIN(how) PART('R', "\0\0\0" how)
#define SORRY "; this program knows trust and password: choose one in its " \
	"pg_hba.conf"
#define NO_NUMBERS "the server's answer is not two numbers"
#define NO_ANSWER "not what a PostgreSQL answers: "
#define BYTES(n) "a message of " n " bytes"

static const struct answer {
	uint64_t asked;         /* rows; none: on the other connection */
	const char *end;        /* what ends the row; "": it is complete */
	struct part parts[6];
} answers[] = {
	{3, "", {DONE, READY}},
	{3, "", {STATUS, NOTICE, LONG, DONE, NOTICE, READY}},
	{3, "", {LONG, LONG, DONE, LONG, READY}},
	{0, "", {DONE, DONE, READY}},
	{0, "", {PART('T', "\0\0"), ROW("3", "6"), DONE, READY}},
	{0, "", {LOGIN("\0"), STATUS, READY}},
	{0, "", {LOGIN("\003")}},
	{3, "not complete", {DONE}},
	{2, "the server said 'INSERT 0 3' to 2 rows", {DONE, READY}},
	{3, "the server said 'INSERT 0 3' to 3 rows", {DONE, DONE, READY}},
	{3, "the server said '' to 3 rows", {PART('C', ""), READY}},
	{3, "the server did nothing with 3 rows", {NOTICE, READY}},
	{3, "FATAL 57P01: it is?told to end", {DONE, STOPPED}},
	{3, "FATAL 57P01: it is?told to end", {LONG, STOPPED}},
	{3, "FATAL ?: ?", {LONG, PART('E', "SFATAL")}},
	{3, "? ?: ?", {PART('E', "")}},
	{3, "skipped: FATAL 53300: too many clients", {FULL}},
	{3, NO_ANSWER "message 68", {ROW("3", "6")}},
	{0, NO_NUMBERS, {ROW("3", "x")}},
	{0, NO_NUMBERS, {PART('D', "\0\002\0\0\0\0013\377\377\377\377")}},
	{0, NO_NUMBERS, {PART('D', "\0\002\0\0\0\0013\0\0\0\0026")}},
	{0, NO_NUMBERS, {PART('D', "\0\002")}},
	{0, "the server wants a login by MD5" SORRY, {LOGIN("\005")}},
	{0, "the server wants a login by an unknown one" SORRY,
		{PART('R', "")}},
	{3, NO_ANSWER BYTES("3"), {PART(0, "C\0\0\0\003")}},
	{3, NO_ANSWER BYTES("1048577"), {PART(0, "N\0\020\0\001")}},
	{3, NO_ANSWER BYTES("4294967295"), {PART(0, "N\377\377\377\377")}},
	{3, NO_ANSWER BYTES("1414811695"), {PART(0, "HTTP/1.1 400")}},
};

#define ANSWERS (sizeof answers / sizeof *answers)

/* Write the bytes of it to s. Returns how many. */
static size_t
bytes_of(const struct answer *a, char *s)
{
	char *at = s;

	for (size_t i = 0; i < 6 && a->parts[i].body != NULL; i++) {
		const struct part *p = &a->parts[i];

		if (p->what != 0) {
			at[0] = p->what;
			put32(at + 1, 4 + p->len);
			at += HEADER;
		}
		memcpy(at, p->body, p->len);
		at += p->len;
	}
	return (size_t)(at - s);
}

static jmp_buf ended;
static char reason[400];
static int failures;

void
bench_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(reason, sizeof reason, fmt, args);
	va_end(args);
	longjmp(ended, 1);
}

void
bench_skip(const char *fmt, ...)
{
	size_t len = strlen(strcpy(reason, "skipped: "));
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(reason + len, sizeof reason - len, fmt, args);
	va_end(args);
	longjmp(ended, 1);
}

static void
wrong(const char *what, size_t which, const char *got)
{
	(void)printf("%s %zu: %s\n", what, which, got);
	failures++;
}

/* Take it in pieces that end before each multiple of every and before cut.
 * Returns what ended it, "" when it was complete at its last byte. */
static const char *
take_pieces(struct loader *l, const char *s, size_t len, size_t every,
	size_t cut_at)
{
	bool complete = false;

	if (setjmp(ended) != 0)
		return reason;
	for (size_t at = 0, next; at < len; at = next) {
		char *piece;

		if (complete)
			return "complete too early";
		next = at + every - at % every;
		next = next > cut_at && at < cut_at ? cut_at : next;
		next = next > len ? len : next;
		/* So that a sanitizer sees what is read beyond it. */
		piece = need_copy(s + at, next - at);
		complete = take(&l->x, piece, next - at);
		free(piece);
	}
	return complete ? "" : "not complete";
}

static void
check_answers(void)
{
	for (size_t i = 0; i < ANSWERS; i++) {
		const struct answer *a = &answers[i];
		const char *got = a->end;
		char s[1024];
		size_t len = bytes_of(a, s);

		for (size_t k = 1; k <= len && !strcmp(got, a->end); k++) {
			struct loader l = {.asked = a->asked};

			got = take_pieces(&l, s, len, k, len);
			if (strcmp(got, a->end) != 0)
				break;
			l = (struct loader){.asked = a->asked};
			got = take_pieces(&l, s, len, len, k);
		}
		if (strcmp(got, a->end) != 0)
			wrong("answer", i, got);
	}
	if (found[0] != 3 || found[1] != 6)
		wrong("columns", 0, "not 3 and 6");
}

/* What comes after an answer belongs to the next. */
static void
check_next(void)
{
	char s[2048];
	size_t first = bytes_of(&answers[0], s);
	size_t len = first + bytes_of(&answers[1], s + first);

	for (size_t k = first; k < len; k++) {
		struct loader l = {.asked = 3};
		const char *got = take_pieces(&l, s, k, len, len);

		if (*got == '\0')
			got = take_pieces(&l, s + k, len - k, len, len);
		if (*got != '\0') {
			wrong("the next answer, cut at", k, got);
			return;
		}
	}
}

/* No bytes at all make it go astray, in any pieces. */
static void
check_noise(void)
{
	uint64_t x = 88172645463325252;

	for (size_t i = 0; i < 200000; i++) {
		const struct answer *a = &answers[i % ANSWERS];
		struct loader l = {.asked = a->asked};
		char s[1024];
		size_t len = bytes_of(a, s);

		for (int k = 0; k < 3; k++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			s[x % len] = (char)(x >> 32);
		}
		(void)take_pieces(&l, s, len, 1 + x % len, len);
		if (l.keeps > HEADER + MOST)
			wrong("noise", i, "keeps more than there is");
		for (const char *c = reason; *c != '\0'; c++)
			if (*c < ' ' || *c > '~')
				wrong("noise", i, reason);
	}
}

static void
check_option(void)
{
	static const struct {
		const char *s, *host, *port, *user, *dbname, *password;
	} good[] = {
		{"user=u", "127.0.0.1", "5432", "u", "u", ""},
		{"  user = u\tport= 1 ", "127.0.0.1", "1", "u", "u", ""},
		{"user='u v' password='it\\'s \\\\'dbname=d", "127.0.0.1",
		"5432", "u v", "d", "it's \\"},
		{"user=a\\ b\\'c dbname='' host=/tmp password=x=y",
		"/tmp", "5432", "a b'c", "a b'c", "x=y"},
		{"user=u user=v host=localhost password=", "localhost", "5432",
		"v", "v", ""},
		{"host=10.0.0.1 port=65535 user=u\\", "10.0.0.1", "65535", "u",
		"u", ""},
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct conninfo c;

		conninfo_parse(good[i].s, &c);
		if (strcmp(c.host, good[i].host) != 0 ||
		    strcmp(c.port, good[i].port) != 0 ||
		    strcmp(c.user, good[i].user) != 0 ||
		    strcmp(c.dbname, good[i].dbname) != 0 ||
		    strcmp(c.password, good[i].password) != 0)
			wrong("option", i, good[i].s);
	}
}

int
main(void)
{
	util_name("postgres");
	/* For the answer that asks for it. */
	(void)strcpy(conninfo.password, "a password");
	check_answers();
	check_next();
	check_noise();
	check_option();
	return failures > 0;
}
