/* SPDX-License-Identifier: MIT */
/* The one table model in each format. */
#include "model.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

#define WIDE 100                /* columns of the widest line of text */
#define TEX_ROWS 40             /* of a table that is to fit on a page */

enum format
format_parse(const char *name, bool has_benchstat)
{
	static const char *const names[FORMATS] = {"md", "text", "csv", "json",
		"tex", "benchstat"};

	for (int i = 0; i < (has_benchstat ? FORMATS : FORMAT_BENCHSTAT); i++)
		if (strcmp(name, names[i]) == 0)
			return (enum format)i;
	die(EXIT_USAGE, "--format: '%s': not one of md, text, csv, json, tex%s",
		name, has_benchstat ? ", benchstat" : "");
}

bool
format_is_page(enum format format)
{
	return format == FORMAT_MD || format == FORMAT_TEXT ||
		format == FORMAT_TEX;
}

void
render_begin(struct text *out, enum format format)
{
	if (format == FORMAT_JSON)
		text_add(out, "[");
	if (format == FORMAT_TEX)
		text_add(out, "%% \\usepackage{booktabs,graphicx}\n\n");
}

void
render_end(struct text *out, enum format format)
{
	if (format == FORMAT_JSON)
		text_add(out, "\n]\n");
}

char
plain_next(const char **s)
{
	size_t n = utf8_length(*s);
	char c = **s;

	*s += n ? n : 1;
	return n != 1 ? '?' : (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
}

static void
add_md(struct text *out, const char *s)
{
	for (; *s != '\0'; s++)
		text_add(out, strchr(MD_SPECIALS, *s) ? "\\%c" : "%c",
			(unsigned char)*s < ' ' ? ' ' : *s);
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
	else if (format == FORMAT_TEX)
		tex_text(out, s);
	else
		while (*s != '\0')
			text_add(out, "%c", plain_next(&s));
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
	size_t start;

	if (!format_is_page(format))
		return;
	if (format == FORMAT_MD)
		text_add(out, "%.*s ", level, "######");
	else if (format == FORMAT_TEX)
		text_add(out, "\\%ssection*{", level > 2 ? "sub" : "");
	start = out->len;
	add_escaped(out, format, s);
	if (format == FORMAT_TEXT) {
		size_t len = out->len - start;

		text_add(out, "\n");
		while (len-- > 0)
			text_add(out, level > 2 ? "-" : "=");
	}
	text_add(out, format == FORMAT_TEX ? "}\n\n" : "\n\n");
}

void
render_prose(struct text *out, enum format format, const char *s)
{
	if (!format_is_page(format))
		return;
	if (format == FORMAT_TEX)
		text_add(out, "{\\raggedright ");
	add_wrapped(out, format, s, strncmp(s, "- ", 2) == 0 ? "  " : "");
	if (format == FORMAT_TEX)
		text_add(out, "\\par}\n");
}

/* Lines as they are; one that is too wide goes on under itself. */
void
render_literal(struct text *out, enum format format, const char *s)
{
	if (format == FORMAT_TEX)
		tex_lines(out, s, true);
	if (format == FORMAT_TEX || !format_is_page(format))
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
	else if (format == FORMAT_TEX)
		tex_lines(out, s, false);
}

static void
render_part(struct text *out, enum format format, const struct table *t)
{
	size_t *width;

	if (format == FORMAT_TEX) {
		tex_table(out, t);
		return;
	}
	if (t->title != NULL)
		render_heading(out, format, t->level, t->title);
	if (t->caption != NULL)
		render_prose(out, format, t->caption);
	if (t->host != NULL)
		render_prose(out, format, t->host);
	if (t->caption != NULL || t->host != NULL)
		text_add(out, "\n");
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

/* How many columns from column on fit beside those that each part keeps. */
static size_t
fitting(const struct table *t, const size_t *width, size_t column)
{
	size_t used = 0, n = 0;

	for (size_t c = 0; c < t->keep; c++)
		used += width[c] + 2;
	while (column + n < t->columns && (n == 0 ||
	    used + width[column + n] <= WIDE))
		used += width[column + n++] + 2;
	return n;
}

/* The columns that are kept and n from column on; of the rows those that have
 * anything there. The cells stay the whole table's. */
static struct table
narrower(const struct table *t, size_t column, size_t n)
{
	struct table part = {.level = t->level, .caption = t->caption,
		.host = t->host};

	for (size_t c = 0; c < t->columns; c++)
		if (c < t->keep || (c >= column && c < column + n))
			table_column(&part, t->column[c].name,
				t->column[c].right);
	part.cell = need(t->cells, sizeof *part.cell);
	for (size_t i = 0; i < t->cells; i += t->columns) {
		bool any = false;

		for (size_t c = column; c < column + n; c++)
			any |= *t->cell[i + c] != '\0';
		for (size_t c = 0; any && c < t->columns; c++)
			if (c < t->keep || (c >= column && c < column + n))
				part.cell[part.cells++] = t->cell[i + c];
	}
	return part;
}

/* So many rows at a time; notes after the last. */
static void
render_rows(struct text *out, enum format format, const struct table *t,
	const struct table *whole, bool first, bool last)
{
	size_t most = format == FORMAT_TEX ? TEX_ROWS * t->columns : t->cells;
	size_t at = 0;

	do {
		struct table part = *t;
		struct text title = {0};
		bool ends = t->cells - at <= most;

		if (whole->title != NULL)
			text_add(&title, "%s%s", whole->title,
				first && at == 0 ? "" : " (continued)");
		part.title = title.s;
		if (t->cells > 0)
			part.cell += at;
		part.cells = ends ? t->cells - at : most;
		part.note = whole->note;
		part.notes = ends && last ? whole->notes : 0;
		render_part(out, format, &part);
		text_free(&title);
		at += part.cells;
	} while (at < t->cells);
}

void
render_table(struct text *out, enum format format, const struct table *t)
{
	size_t *width, n;

	if (format == FORMAT_CSV)
		render_csv(out, t);
	if (format == FORMAT_JSON)
		json_table(out, t);
	if (!format_is_page(format))
		return;
	if (t->keep == 0) {
		render_rows(out, format, t, t, true, true);
		return;
	}
	width = widths(t, FORMAT_TEXT);
	for (size_t c = t->keep; c < t->columns; c += n) {
		struct table part;

		n = fitting(t, width, c);
		part = narrower(t, c, n);
		render_rows(out, format, &part, t, c == t->keep,
			c + n == t->columns);
		free(part.cell);
		free(part.column);
	}
	free(width);
}
