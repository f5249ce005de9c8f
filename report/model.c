/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdlib.h>

void
table_column(struct table *t, const char *name, bool right)
{
	t->column = need_more(t->column, t->columns + 1, sizeof *t->column);
	t->column[t->columns++] = (struct column){name, right};
}

/* A formatted string at the end of a list of them. */
static void FORMAT(3, 0)
append(char ***list, size_t *n, const char *fmt, va_list args)
{
	struct text t = {0};

	text_addv(&t, fmt, args);
	/* Full at each power of two: not every realloc grows in place. */
	if ((*n & (*n - 1)) == 0)
		*list = need_more(*list, *n > 0 ? 2 * *n : 1, sizeof **list);
	(*list)[(*n)++] = t.s;
}

void
table_cell(struct table *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(&t->cell, &t->cells, fmt, args);
	va_end(args);
}

void
table_note(struct table *t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(&t->note, &t->notes, fmt, args);
	va_end(args);
}

void
table_free(struct table *t)
{
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	for (size_t i = 0; i < t->notes; i++)
		free(t->note[i]);
	free(t->cell);
	free(t->note);
	free(t->column);
	free(t->title);
	free(t->caption);
	free(t->host);
	*t = (struct table){0};
}
