/* SPDX-License-Identifier: MIT */
/* Files to hosts: whose records they are, and what is said of each host. */
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
read_file(struct results *results, const char *file)
{
	bool standard = file == NULL || strcmp(file, "-") == 0;
	const char *name = standard ? "standard input" : file;
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		die(EXIT_USAGE, "%s:", name);
	err = results_read(results, fd, name);
	if (err != 0)
		die(EXIT_USAGE, "%s: %s", name, strerror(err));
	if (!standard)
		(void)close(fd);
}

static bool
same_facts(const struct results *a, const struct results *b)
{
	for (size_t i = 0; i < a->hosts; i++) {
		const char *value = fact_find(b->host, b->hosts,
			a->host[i].key);

		if (value == NULL || strcmp(value, a->host[i].value) != 0)
			return false;
	}
	return a->hosts == b->hosts;
}

static bool
same_host(const struct results *a, const struct results *b)
{
	const char *x = fact_find(a->note, a->notes, "host");
	const char *y = fact_find(b->note, b->notes, "host");

	return same_facts(a, b) && strcmp(x ? x : "", y ? y : "") == 0;
}

static uint64_t
mix(uint64_t sum, const char *s)
{
	for (; s != NULL && *s != '\0'; s++)
		sum = (sum ^ (unsigned char)*s) * 1099511628211u;
	return sum;
}

/* The host, names and headlines in one number; 0 where nothing was measured. */
static uint64_t
fingerprint(const struct results *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = r->row[i];

		for (size_t k = 0; row->metrics > 0 &&
		    k < row->metric[0].rounds.n; k++) {
			uint64_t bits;

			memcpy(&bits, &row->metric[0].rounds.v[k], sizeof bits);
			sum = mix(sum * 31 + bits, row->name);
		}
	}
	for (size_t i = 0; sum != 0 && i < r->hosts; i++)
		sum = mix(sum, r->host[i].value);
	return sum ? mix(sum, fact_find(r->note, r->notes, "host")) : 0;
}

struct results *
view_read(int files, char **file, size_t *hosts)
{
	struct results *host = NULL;
	uint64_t *prints = need((size_t)files, sizeof *prints);
	size_t n = 0;

	for (int i = 0; i < files || i == 0; i++) {
		struct results one = {0};
		size_t k = 0;

		read_file(&one, files > 0 ? file[i] : NULL);
		/* It has been named; the others may do. */
		if (one.rows == 0) {
			results_free(&one);
			continue;
		}
		/* Rounds that count twice would look twice as sure. */
		if (files > 0)
			prints[i] = fingerprint(&one);
		for (int j = 0; j < i; j++)
			if (prints[i] != 0 && prints[i] == prints[j])
				die(EXIT_USAGE, "%s: holds the same samples "
					"as %s", file[i], file[j]);
		while (k < n && !same_host(&host[k], &one))
			k++;
		if (k < n) {
			results_merge(&host[k], &one);
			continue;
		}
		host = need_more(host, n + 1, sizeof *host);
		host[n++] = one;
	}
	free(prints);
	if (n == 0)
		exit(EXIT_USAGE);
	for (size_t k = 0; k < n; k++) {
		results_finish(&host[k]);
		view_sort(&host[k]);
	}
	*hosts = n;
	return host;
}

void
view_free(struct results *host, size_t hosts)
{
	for (size_t k = 0; k < hosts; k++)
		results_free(&host[k]);
	free(host);
}

/* Appends the value, or as much of it as stands before end. */
static void
add_fact(struct text *t, const struct results *r, const char *key,
	const char *before, const char *end)
{
	const char *value = fact_find(r->host, r->hosts, key);

	if (value != NULL && strcmp(value, "unknown") != 0)
		text_add(t, "%s%.*s", t->len > 0 ? before : "",
			(int)strcspn(value, end), value);
}

void
view_host(const struct results *r, struct text *t)
{
	const char *virtual = fact_find(r->host, r->hosts, "hypervisor");
	struct text cpus = {0};

	add_fact(t, r, "cpu", "", "");
	add_fact(&cpus, r, "cpus", "", " ");
	if (cpus.len > 0)
		text_add(t, "%s%s CPU%s", t->len > 0 ? ", " : "", cpus.s,
			strcmp(cpus.s, "1") == 0 ? "" : "s");
	text_free(&cpus);
	if (virtual != NULL && strcmp(virtual, "none seen") != 0 &&
	    strcmp(virtual, "unknown") != 0)
		text_add(t, "%svirtual", t->len > 0 ? ", " : "");
	add_fact(t, r, "os", ", ", "");
	add_fact(t, r, "kernel", " ", "");
	add_fact(t, r, "compiler", ", ", "");
	text_add(t, "%s", t->len > 0 ? "" : "unknown host");
}
