/* SPDX-License-Identifier: MIT */
/* The one table model in each format. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define WIDE 100                /* columns of the widest line of text */

enum format
format_parse(const char *name)
{
	static const char *const names[] = {"md", "text", "csv", "benchstat"};

	for (int i = 0; i < 4; i++)
		if (strcmp(name, names[i]) == 0)
			return (enum format)i;
	die(EXIT_USAGE, "--format: '%s': not one of md, text, csv, "
		"benchstat", name);
}

/* What is special in Markdown's table cells and prose becomes itself. */
static void
add_md(struct text *out, const char *s)
{
	for (; *s != '\0'; s++)
		text_add(out, strchr("|<>*_`\\[]", *s) ? "\\%c" : "%c", *s);
}

static void
add_csv(struct text *out, const char *s)
{
	if (s[strcspn(s, ",\"\r\n")] == '\0') {
		text_add(out, "%s", s);
		return;
	}
	text_add(out, "\"");
	for (; *s != '\0'; s++)
		text_add(out, *s == '"' ? "\"\"" : "%c", *s);
	text_add(out, "\"");
}

static void
add_escaped(struct text *out, enum format format, const char *s)
{
	if (format == FORMAT_MD)
		add_md(out, s);
	else
		text_add(out, "%s", s);
}

static void
add_spaces(struct text *out, size_t n)
{
	text_add(out, "%*s", (int)n, "");
}

/* One padded cell. The last column of text is not padded. */
static void
add_padded(struct text *out, enum format format, const char *s, size_t width,
	bool right, bool last)
{
	struct text cell = {0};
	size_t pad;

	text_add(&cell, "%s", "");
	add_escaped(&cell, format, s);
	pad = width > cell.len ? width - cell.len : 0;
	if (right)
		add_spaces(out, pad);
	text_add(out, "%s", cell.s);
	if (!right && !(last && format == FORMAT_TEXT))
		add_spaces(out, pad);
	text_free(&cell);
}

static size_t
escaped_length(enum format format, const char *s)
{
	struct text t = {0};
	size_t len;

	add_escaped(&t, format, s);
	len = t.len;
	text_free(&t);
	return len;
}

static size_t *
widths(const struct table *t, enum format format)
{
	size_t *width = need(t->columns, sizeof *width);

	for (size_t i = 0; i < t->columns + t->cells; i++) {
		size_t c = i % t->columns;
		size_t len = escaped_length(format, i < t->columns ?
			t->column[c].name : t->cell[i - t->columns]);

		width[c] = len > width[c] ? len : width[c];
	}
	return width;
}

static void
add_row(struct text *out, enum format format, const struct table *t,
	const size_t *width, char **cell)
{
	bool md = format == FORMAT_MD;

	for (size_t c = 0; c < t->columns; c++) {
		text_add(out, "%s", md ? "| " : c ? "  " : "");
		add_padded(out, format, cell ? cell[c] : t->column[c].name,
			width[c], t->column[c].right, c + 1 == t->columns);
		text_add(out, "%s", md ? " " : "");
	}
	text_add(out, md ? "|\n" : "\n");
}

static void
add_rule(struct text *out, enum format format, const struct table *t,
	const size_t *width)
{
	for (size_t c = 0; c < t->columns; c++) {
		size_t n = width[c] + (format == FORMAT_MD ? 2 : 0);

		text_add(out, "%s", format == FORMAT_MD ? "|" : c ? "  " : "");
		for (size_t i = 0; i < n; i++)
			text_add(out, "%c", format == FORMAT_MD && i + 1 == n &&
				t->column[c].right ? ':' : '-');
	}
	text_add(out, format == FORMAT_MD ? "|\n" : "\n");
}

static void
render_csv(struct text *out, const struct table *t)
{
	for (size_t i = 0; i < t->columns + t->cells; i++) {
		size_t c = i % t->columns;

		if (c > 0)
			text_add(out, ",");
		add_csv(out, i < t->columns ? t->column[c].name :
			t->cell[i - t->columns]);
		if (c + 1 == t->columns)
			text_add(out, "\r\n");  /* RFC 4180 */
	}
}

/* Prose broken at blanks so that no line is wider than WIDE. */
static void
add_wrapped(struct text *out, enum format format, const char *s,
	const char *indent)
{
	size_t column = 0;

	while (*s != '\0') {
		struct text word = {0};
		size_t len = strcspn(s, " ");
		char *raw = need_copy(s, len);

		text_add(&word, "%s", "");
		add_escaped(&word, format, raw);
		free(raw);
		if (column > 0 && column + 1 + word.len > WIDE) {
			text_add(out, "\n%s", indent);
			column = strlen(indent);
		} else if (column > 0) {
			text_add(out, " ");
			column++;
		}
		text_add(out, "%s", word.s);
		column += word.len;
		text_free(&word);
		s += len + strspn(s + len, " ");
	}
	text_add(out, "\n");
}

void
render_heading(struct text *out, enum format format, int level, const char *s)
{
	if (format == FORMAT_CSV)
		return;
	if (format == FORMAT_MD)
		text_add(out, "%.*s ", level, "######");
	add_escaped(out, format, s);
	text_add(out, "\n");
	for (size_t i = 0; format == FORMAT_TEXT && i < strlen(s); i++)
		text_add(out, "%s%s", level > 2 ? "-" : "=",
			i + 1 < strlen(s) ? "" : "\n");
	text_add(out, "\n");
}

void
render_prose(struct text *out, enum format format, const char *s)
{
	if (format == FORMAT_CSV)
		return;
	add_wrapped(out, format, s, strncmp(s, "- ", 2) == 0 ? "  " : "");
}

/* Lines as they are; one that is too wide goes on under itself. */
void
render_literal(struct text *out, enum format format, const char *s)
{
	if (format == FORMAT_CSV)
		return;
	text_add(out, "%s", format == FORMAT_MD ? "```\n" : "");
	while (*s != '\0') {
		size_t len = strcspn(s, "\n");
		char *line = need_copy(s, len);

		add_wrapped(out, FORMAT_TEXT, line, "    ");
		free(line);
		s += len + (s[len] == '\n');
	}
	text_add(out, "%s", format == FORMAT_MD ? "```\n\n" : "\n");
}

void
render_verbatim(struct text *out, enum format format, const char *s)
{
	if (format == FORMAT_MD)
		text_add(out, "```\n%s```\n\n", s);
	else if (format == FORMAT_TEXT)
		text_add(out, "%s\n", s);
}

void
render_table(struct text *out, enum format format, const struct table *t)
{
	size_t *width;

	if (format == FORMAT_CSV) {
		render_csv(out, t);
		return;
	}
	if (t->title != NULL)
		render_heading(out, format, t->level, t->title);
	if (t->caption != NULL) {
		render_prose(out, format, t->caption);
		text_add(out, "\n");
	}
	width = widths(t, format);
	add_row(out, format, t, width, NULL);
	add_rule(out, format, t, width);
	for (size_t i = 0; i < t->cells; i += t->columns)
		add_row(out, format, t, width, t->cell + i);
	text_add(out, "\n");
	for (size_t i = 0; i < t->notes; i++) {
		render_prose(out, format, t->note[i]);
		text_add(out, "%s", i + 1 == t->notes ? "\n" : "");
	}
	free(width);
}
