/* SPDX-License-Identifier: MIT */
/* A table as every renderer sees it, and the renderers. */
#ifndef MODEL_H
#define MODEL_H

#include "util.h"

struct column {
	const char *name;
	bool right;             /* numbers */
};

struct table {
	char *title;            /* or NULL */
	int level;              /* of the title's heading, 1 to 6 */
	char *caption;          /* a sentence above it, or NULL */
	struct column *column;
	size_t columns;
	char **cell;            /* row by row */
	size_t cells;
	char **note;            /* lines under it */
	size_t notes;
};

void table_column(struct table *t, const char *name, bool right);

/* Append the next cell; a row is as many as there are columns. */
void table_cell(struct table *t, const char *fmt, ...) FORMAT(2, 3);
void table_note(struct table *t, const char *fmt, ...) FORMAT(2, 3);
void table_free(struct table *t);

/* FORMAT_BENCHSTAT has no tables: only report/table makes it. */
enum format { FORMAT_MD, FORMAT_TEXT, FORMAT_CSV, FORMAT_BENCHSTAT };

/* Returns the format of this name, or dies with a usage error. */
enum format format_parse(const char *name);

/* Append the table, a heading, prose, a list of lines, or lines that must stay
 * exactly as they are (a picture). csv has none but tables. */
void render_table(struct text *out, enum format format, const struct table *t);
void render_heading(struct text *out, enum format format, int level,
	const char *s);
void render_prose(struct text *out, enum format format, const char *s);
void render_literal(struct text *out, enum format format, const char *s);
void render_verbatim(struct text *out, enum format format, const char *s);

#endif
