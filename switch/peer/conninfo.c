/* SPDX-License-Identifier: MIT */
#include "conninfo.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define OPTION "--postgres"
#define BLANKS " \t\n\r\v\f"

static const struct keyword {
	const char *name;
	size_t at, room;        /* of its value, in struct conninfo */
} keywords[] = {
#define KEYWORD(name) {#name, offsetof(struct conninfo, name), \
	sizeof ((struct conninfo *)0)->name}
	KEYWORD(host), KEYWORD(port), KEYWORD(user), KEYWORD(dbname),
	KEYWORD(password),
};

#define KEYWORDS (sizeof keywords / sizeof *keywords)

static const struct keyword *
find(const char *s, size_t len)
{
	for (size_t i = 0; i < KEYWORDS; i++)
		if (strlen(keywords[i].name) == len &&
		    memcmp(keywords[i].name, s, len) == 0)
			return &keywords[i];
	die(EXIT_USAGE, OPTION ": '%.*s': not one of host, port, user, dbname, "
		"password", (int)(len < 64 ? len : 64), s);
}

/* Quoted or not, a backslash takes the next character as it is. Returns what
 * comes after the value. */
static const char *
take_value(const char *s, const struct keyword *k, char *value)
{
	bool quoted = *s == '\'';
	size_t n = 0;

	s += quoted;
	while (*s != '\0' && (quoted ? *s != '\'' : !strchr(BLANKS, *s))) {
		if (*s == '\\' && *++s == '\0')
			break;
		if (n + 1 == k->room)
			die(EXIT_USAGE, OPTION ": %s: longer than %zu "
				"characters", k->name, k->room - 1);
		value[n++] = *s++;
	}
	value[n] = '\0';
	if (quoted && *s++ != '\'')
		die(EXIT_USAGE, OPTION ": %s: no closing quote", k->name);
	return s;
}

static void
find_address(struct conninfo *c)
{
	const char *host = c->host;
	int64_t port = 0;
	const char *wrong = parse_number(c->port, 1, 65535, &port);
	int n;

	if (wrong != NULL)
		die(EXIT_USAGE, OPTION ": port: '%s': %s (1 to 65535)",
			c->port, wrong);
	if (*host == '/') {
		struct sockaddr_un *un = &c->address.un;

		un->sun_family = AF_UNIX;
		n = snprintf(un->sun_path, sizeof un->sun_path,
			"%s/.s.PGSQL.%s", host, c->port);
		if (n < 0 || (size_t)n >= sizeof un->sun_path)
			die(EXIT_USAGE, OPTION ": host: '%s': too long for a "
				"socket", host);
		c->length = sizeof *un;
		return;
	}
	if (strcmp(host, "localhost") == 0)
		host = "127.0.0.1";
	c->address.in.sin_family = AF_INET;
	c->address.in.sin_port = htons((uint16_t)port);
	if (inet_pton(AF_INET, host, &c->address.in.sin_addr) != 1)
		die(EXIT_USAGE, OPTION ": host: '%s': not localhost, an IPv4 "
			"address or a folder that begins with '/'", host);
	c->length = sizeof c->address.in;
}

/* Give a value that is empty its default. */
static void
otherwise(char *value, const char *standard)
{
	if (*value == '\0')
		memcpy(value, standard, strlen(standard) + 1);
}

void
conninfo_parse(const char *s, struct conninfo *c)
{
	*c = (struct conninfo){0};
	for (s += strspn(s, BLANKS); *s != '\0'; s += strspn(s, BLANKS)) {
		size_t len = strcspn(s, "=" BLANKS);
		const struct keyword *k = find(s, len);

		s += len;
		s += strspn(s, BLANKS);
		if (*s++ != '=')
			die(EXIT_USAGE, OPTION ": '%s': no '=' after it",
				k->name);
		s += strspn(s, BLANKS);
		s = take_value(s, k, (char *)c + k->at);
	}
	if (*c->user == '\0')
		die(EXIT_USAGE, OPTION ": no user=...");
	otherwise(c->host, "127.0.0.1");
	otherwise(c->port, "5432");
	otherwise(c->dbname, c->user);
	find_address(c);
}
