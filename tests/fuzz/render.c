/* SPDX-License-Identifier: MIT */
/*
 * A table of whatever the input holds: the first byte is the format, the second
 * the columns, then cells, each up to a byte 0. Nothing in a cell makes another
 * cell, or another line.
 */
#include "fuzz.h"

#include "../../report/model.h"

#include <string.h>

void
fuzz_setup(void)
{
}

/* In each line of the table, all but the first and last are '|' between cells,
 * unless a '\\' stands before them. */
static void
check_md(const struct text *out, const struct table *t)
{
	size_t lines = 0;
	char *s = out->s;

	while (*s != '\0') {
		size_t bars = 0, len = strcspn(s, "\n");

		for (size_t i = 0; i < len; i++) {
			if (s[i] == '\\')
				i++;
			else
				bars += s[i] == '|';
		}
		fuzz_demand(len == 0 || bars == t->columns + 1, "md columns");
		lines += len > 0;
		s += len + (s[len] == '\n');
	}
	fuzz_demand(lines == 2 + t->cells / t->columns, "md rows");
}

/* RFC 4180 */
static void
check_csv(const struct text *out, const struct table *t)
{
	size_t cells = 0, rows = 0;
	char *s = out->s;

	while (*s != '\0') {
		if (*s == '"') {
			for (s++; *s != '"' || s[1] == '"'; s++) {
				fuzz_demand(*s != '\0', "a csv quote");
				s += *s == '"';
			}
			s++;
		} else {
			s += strcspn(s, ",\"\r\n");
		}
		cells++;
		fuzz_demand(*s == ',' || strncmp(s, "\r\n", 2) == 0, "csv");
		if (*s++ == ',')
			continue;
		s++;
		rows++;
		fuzz_demand(cells == rows * t->columns, "csv columns");
	}
	fuzz_demand(rows == 1 + t->cells / t->columns, "csv rows");
}

static void
check_text(const struct text *out)
{
	for (const char *s = out->s; *s != '\0'; s++)
		fuzz_demand(*s == '\n' || (*s >= ' ' && *s <= '~'), "ASCII");
}

/* Outside of strings there is nothing but what JSON has, and it is closed. */
static void
check_json(const struct text *out)
{
	int depth = 0;

	for (const char *s = out->s; *s != '\0'; s++) {
		if (*s == '"') {
			for (s++; *s != '"'; s++) {
				fuzz_demand((unsigned char)*s >= ' ',
					"a JSON string");
				s += *s == '\\';
			}
			continue;
		}
		fuzz_demand(strchr("[]{},: \n-+.0123456789eEnul", *s) != NULL,
			"JSON");
		depth += *s == '[' || *s == '{';
		depth -= *s == ']' || *s == '}';
		fuzz_demand(depth >= 0, "JSON that opens before it closes");
	}
	fuzz_demand(depth == 0, "JSON that is closed");
}

void
fuzz_one(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a", "b|c", "d,\"e\"", "_f_"};
	struct table t = {.level = 2};
	struct text out = {0};
	enum format format;
	char *all, *s, *end;

	if (size < 2)
		return;
	format = (enum format)(data[0] % FORMAT_BENCHSTAT);
	for (size_t i = 0; i < 1u + data[1] % 4; i++)
		table_column(&t, names[i], data[1] >> i & 16);
	all = need_copy((const char *)data + 2, size - 2);
	end = all + size - 2;
	for (s = all; s < end; s += strlen(s) + 1)
		table_cell(&t, "%s", s);
	while (t.cells % t.columns != 0)
		table_cell(&t, "%s", "");
	render_begin(&out, format);
	render_table(&out, format, &t);
	render_end(&out, format);
	text_add(&out, "%s", "");
	if (format == FORMAT_MD)
		check_md(&out, &t);
	else if (format == FORMAT_CSV)
		check_csv(&out, &t);
	else if (format == FORMAT_TEXT)
		check_text(&out);
	else if (format == FORMAT_JSON)
		check_json(&out);
	table_free(&t);
	/* Prose, wrapped. */
	render_prose(&out, format, all);
	render_literal(&out, format, all);
	text_free(&out);
	free(all);
}
