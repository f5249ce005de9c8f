/* SPDX-License-Identifier: MIT */
/*
 * Rows go to a PostgreSQL, by version 3 of its protocol: a simple query for
 * each request. Of the ways to log in it knows trust and password.
 *
 * The table is a plain one: a temporary one is seen by one connection only, and
 * an unlogged one would leave out the wait for the log. It is named after the
 * server's process for the connection that made it, so that no two in use have
 * one name, and what a program left that was killed is dropped by the next one
 * of the same user: that process is gone.
 */
#include "conninfo.h"
#include "loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define HEADER 5                /* of a message: what it is, its length */
#define KEPT (sizeof ((struct loader *)0)->kept - 1)    /* and a NUL */
#define MOST (1 << 20)          /* bytes of a message */
#define PATIENCE 30             /* s */
#define FILLER "as many bytes as a row of the server has"
#define ROW_ROOM (sizeof "(,'')," + 20 + sizeof FILLER)

static struct conninfo conninfo;
static struct loader control;   /* the connection that loads nothing */
static char table[32];
static int connected, wanted;   /* loaders; none wanted: they all are */
static bool wants_password;
static uint64_t found[2];       /* columns of the last row that came */

static uint32_t
get32(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
		(uint32_t)b[2] << 8 | (uint32_t)b[3];
}

static void
put32(char *s, size_t v)
{
	for (int i = 3; i >= 0; i--, v >>= 8)
		s[i] = (char)(v & 0xff);
}

/* Put the header before a string. Returns the length of the message. */
static size_t
message(char *s, char what, size_t len)
{
	s[0] = what;
	put32(s + 1, 4 + len + 1);
	return HEADER + len + 1;
}

/* What the server says goes into one line of ASCII. */
static const char *
printable(char *s)
{
	for (char *c = s; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return s;
}

/* A field of an error, by its letter; "?" where it is not in what was kept. */
static const char *
field(struct loader *l, char letter)
{
	char *s = l->kept + HEADER, *end = l->kept + l->keeps;

	for (; s < end && *s != '\0'; s += strlen(s) + 1)
		if (*s == letter)
			return printable(s + 1);
	return "?";
}

static _Noreturn void
take_error(struct loader *l)
{
	const char *code = field(l, 'C');
	struct text t = {0};

	if (wanted > 0)
		text_add(&t, "%d of %d connections: ", connected, wanted);
	text_add(&t, "%s %s: %s", field(l, 'S'), code, field(l, 'M'));
	/* It has no more of something; it is starting or stopping. */
	if (strncmp(code, "53", 2) == 0 || strcmp(code, "57P03") == 0)
		bench_skip("%s", t.s);
	bench_fail("%s", t.s);
}

/* Is the server content, or does it ask for the password? */
static bool
take_login(const struct loader *l)
{
	static const char *const names[] = {[2] = "Kerberos", [5] = "MD5",
		[6] = "SCM", [7] = "GSSAPI", [9] = "SSPI", [10] = "SCRAM"};
	uint32_t how = l->keeps < HEADER + 4 ? 1 : get32(l->kept + HEADER);
	const char *name = "an unknown one";

	if (how == 0)
		return false;
	if (how < sizeof names / sizeof *names && names[how] != NULL)
		name = names[how];
	if (how != 3)
		bench_fail("the server wants a login by %s; this program knows "
			"trust and password: choose one in its pg_hba.conf",
			name);
	if (*conninfo.password == '\0')
		bench_fail("the server wants a password: password=...");
	return wants_password = true;
}

static void
take_columns(const struct loader *l)
{
	const char *s = l->kept + HEADER + 2;
	const char *end = l->kept + l->keeps;

	for (int i = 0; i < 2; i++) {
		char digits[24] = "";
		int64_t v = 0;
		size_t len = s + 4 <= end ? get32(s) : sizeof digits;

		if (len < sizeof digits && s + 4 + len <= end)
			memcpy(digits, s + 4, len);
		if (parse_number(digits, 0, INT64_MAX, &v) != NULL)
			bench_fail("the server's answer is not two numbers");
		found[i] = (uint64_t)v;
		s += 4 + len;
	}
}

static void
take_tag(struct loader *l)
{
	char tag[40];

	if (l->asked > 0) {
		(void)snprintf(tag, sizeof tag, "INSERT 0 %llu",
			(unsigned long long)l->asked);
		if (l->acknowledged || strcmp(l->kept + HEADER, tag) != 0)
			bench_fail("the server said '%s' to %llu rows",
				printable(l->kept + HEADER),
				(unsigned long long)l->asked);
	}
	l->acknowledged = true;
}

/* A message is there, or the start of it; true when it ends the answer. */
static bool
take_message(struct loader *l)
{
	char what = l->kept[0];

	if (l->keeps > KEPT)
		l->keeps = KEPT;
	l->kept[l->keeps] = '\0';
	switch (what) {
	case 'A': case 'N': case 'S':   /* news of other things, at any time */
		return false;
	case 'E':
		take_error(l);
	case 'C':
		take_tag(l);
		return false;
	case 'Z':
		if (l->asked > 0 && !l->acknowledged)
			bench_fail("the server did nothing with %llu rows",
				(unsigned long long)l->asked);
		l->acknowledged = false;
		return true;
	}
	if (l->asked == 0 && what == 'R')
		return take_login(l);
	if (l->asked == 0 && what == 'D')
		take_columns(l);
	else if (l->asked > 0 || strchr("KTv", what) == NULL)
		bench_fail("not what a PostgreSQL answers: message %d",
			what);
	return false;
}

/* Bytes of the message of which l has the start; a header until it has one. */
static size_t
message_size(const struct loader *l)
{
	uint32_t length;

	if (l->keeps < HEADER)
		return HEADER;
	length = get32(l->kept + 1);
	if (length < 4 || length > MOST)
		bench_fail("not what a PostgreSQL answers: a message of %lu "
			"bytes", (unsigned long)length);
	return 1 + length;
}

static bool
take(struct exchange *x, const char *s, size_t n)
{
	struct loader *l = (struct loader *)x;
	bool complete = false;

	while (n > 0) {
		size_t some = message_size(l) - l->keeps;
		size_t at = l->keeps < KEPT ? l->keeps : KEPT;

		some = some < n ? some : n;
		memcpy(l->kept + at, s, some < KEPT - at ? some : KEPT - at);
		l->keeps += some;
		s += some;
		n -= some;
		if (l->keeps >= HEADER && l->keeps == message_size(l)) {
			complete |= take_message(l);
			l->keeps = 0;
		}
	}
	return complete;
}

/* Send what is in message, if it fits, and take the answer. */
static void
converse(struct loader *l, const char *s, size_t len)
{
	l->x.out = s;
	l->x.left = len;
	if (exchange_step(&l->x) != 0)
		bench_fail("no answer from the server in %d s", PATIENCE);
}

/* The arguments are the program's own and short. */
static void FORMAT(1, 2)
query(const char *fmt, ...)
{
	char s[1024];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(s + HEADER, sizeof s - HEADER, fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof s - HEADER)
		bench_fail("a query is too long");
	converse(&control, s, message(s, 'Q', (size_t)len));
}

/* This one message has no letter, only its length, and the version. */
static void
say_hello(struct loader *l)
{
	char s[512];
	int len = snprintf(s + 8, sizeof s - 8, "user%c%s%cdatabase%c%s%c"
		"application_name%cns-per-switch%c", 0, conninfo.user, 0, 0,
		conninfo.dbname, 0, 0, 0);

	put32(s, 8 + (size_t)len + 1);
	put32(s + 4, 3 << 16);
	converse(l, s, 8 + (size_t)len + 1);
}

static void
start(struct loader *l)
{
	struct timeval patience = {PATIENCE, 0};

	l->x.take = take;
	l->x.fd = exchange_open(&conninfo.address.any, conninfo.length, true);
	if (l->x.fd < 0)
		bench_skip("PostgreSQL on %s, port %s:", conninfo.host,
			conninfo.port);
	(void)setsockopt(l->x.fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
		sizeof patience);
	wants_password = false;
	say_hello(l);
	if (wants_password) {
		char s[HEADER + sizeof conninfo.password];
		size_t len = strlen(conninfo.password);

		memcpy(s + HEADER, conninfo.password, len + 1);
		wants_password = false;
		converse(l, s, message(s, 'p', len));
	}
	if (wants_password || l->keeps > 0)
		bench_fail("the server says more than was asked");
}

static void
setup(const struct run *run)
{
	if (run->param[3] != 0)
		bench_skip("a PostgreSQL takes its own time: no --delay");
	conninfo_parse(run->text, &conninfo);
	start(&control);
	/* What others left behind, whose process there is gone. */
	query("DO $$ DECLARE t text; BEGIN FOR t IN "
		"SELECT relname FROM pg_class WHERE relkind = 'r' "
		"AND relname ~ '^nps_rows_[0-9]+$' "
		"AND pg_table_is_visible(oid) "
		"AND pg_get_userbyid(relowner) = current_user "
		"AND NOT EXISTS (SELECT FROM pg_stat_activity "
		"WHERE pid::text = substr(relname, 10) "
		"AND pid <> pg_backend_pid()) LOOP "
		"EXECUTE 'DROP TABLE IF EXISTS ' || t; END LOOP; END $$");
	query("SELECT pg_backend_pid(), 0");
	(void)snprintf(table, sizeof table, "nps_rows_%llu",
		(unsigned long long)found[0]);
}

static int
connect_loader(const struct run *run)
{
	struct loader l = {.next = 0};

	wanted = run->workers;
	start(&l);
	if (++connected == wanted)
		wanted = 0;
	return l.x.fd;
}

static size_t
room(uint64_t rows)
{
	return HEADER + sizeof "INSERT INTO  VALUES" + sizeof table +
		(size_t)rows * ROW_ROOM;
}

static size_t
request(char *s, uint64_t first, uint64_t n)
{
	char *at = s + HEADER;

	at += sprintf(at, "INSERT INTO %s VALUES", table);
	for (uint64_t id = first; id < first + n; id++)
		at += sprintf(at, "%s(%llu,'" FILLER "')", id > first ? "," :
			" ", (unsigned long long)id);
	return message(s, 'Q', (size_t)(at - s) - HEADER);
}

/* A new table for each sample, and none before all connections are there. */
static void
reset(void)
{
	query("DROP TABLE IF EXISTS %s; CREATE TABLE %s (id bigint, "
		"filler text)", table, table);
}

static void
read_back(uint64_t *rows, uint64_t *ids)
{
	found[0] = found[1] = 0;
	query("SELECT count(*), coalesce(sum(id), 0) FROM %s", table);
	*rows = found[0];
	*ids = found[1];
}

static void
teardown(void)
{
	query("DROP TABLE %s", table);
}

void
peer_postgres_check(const char *s)
{
	conninfo_parse(s, &conninfo);
}

const struct peer peer_postgres = {
	.setup = setup,
	.connect = connect_loader,
	.room = room,
	.request = request,
	.take = take,
	.reset = reset,
	.read_back = read_back,
	.teardown = teardown,
};
