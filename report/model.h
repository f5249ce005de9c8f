/* SPDX-License-Identifier: MIT */
/* A table as every renderer sees it, and the renderers. */
#ifndef MODEL_H
#define MODEL_H

#include "util.h"

/* What is special in Markdown's cells and prose, and takes a '\\' before it. */
#define MD_SPECIALS "|<>*_`\\[]~$&"

struct column {
	const char *name;
	bool right;             /* numbers */
};

struct table {
	char *title;            /* or NULL */
	int level;              /* of the title's heading, 1 to 6 */
	char *caption;          /* a sentence above it, or NULL */
	char *host;             /* what it was measured on, one line, or NULL */
	struct column *column;
	size_t columns;
	char **cell;            /* row by row */
	size_t cells;
	char **note;            /* lines under it */
	size_t notes;
	size_t keep;            /* one too wide for 100 columns of text is
	                         * split; each part has the first so many
	                         * columns. 0: it is not split */
};

void table_column(struct table *t, const char *name, bool right);

/* Append the next cell; a row is as many as there are columns. */
void table_cell(struct table *t, const char *fmt, ...) FORMAT(2, 3);
void table_note(struct table *t, const char *fmt, ...) FORMAT(2, 3);
void table_free(struct table *t);

/*
 * md: Markdown, to paste. text: ASCII, aligned, 100 columns. csv: the cells of
 * tables alone. json: see render_begin. tex: for an article that uses the
 * packages booktabs and graphicx. benchstat has no tables: only report/table
 * makes it.
 */
enum format {
	FORMAT_MD, FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_TEX,
	FORMAT_BENCHSTAT, FORMATS
};

/* Returns the format of this name, or dies with a usage error, which it is to
 * ask for benchstat where there is none. */
enum format format_parse(const char *name, bool has_benchstat);

/* Is it for reading, with headings and prose? Else there are only tables. */
bool format_is_page(enum format format);

/*
 * What comes before the first table and after the last. json is an array of
 * tables: {"title", "caption", "host", "rows": [{"column": cell ...} ...],
 * "notes": [...]}; a cell that is a number is one, an empty one is null, and
 * what a table lacks is left out.
 */
void render_begin(struct text *out, enum format format);
void render_end(struct text *out, enum format format);

/* Append the table, a heading, prose, a list of lines, or lines that must stay
 * exactly as they are (a picture). csv and json have none but tables. */
void render_table(struct text *out, enum format format, const struct table *t);
void render_heading(struct text *out, enum format format, int level,
	const char *s);
void render_prose(struct text *out, enum format format, const char *s);
void render_literal(struct text *out, enum format format, const char *s);
void render_verbatim(struct text *out, enum format format, const char *s);

/* The formats that take more than a few lines, for render_table. */
void json_table(struct text *out, const struct table *t);
void tex_table(struct text *out, const struct table *t);

/* The next character of *s, which moves past it, for a format that is ASCII:
 * '?' for what is not, a blank for a control character. */
char plain_next(const char **s);

/* Append s with what LaTeX treats as special made to come out as itself; lines
 * in a fixed pitch, which may be broken, or not. */
void tex_text(struct text *out, const char *s);
void tex_lines(struct text *out, const char *s, bool wrap);

/* Append s as a JSON string, v as a number; one that is not finite is null. */
void json_string(struct text *out, const char *s);
void json_number(struct text *out, double v);

#endif
