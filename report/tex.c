/* SPDX-License-Identifier: MIT */
/* LaTeX of 2020 or later, with the packages booktabs and graphicx. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* A row of notes takes as long as a row of the table: of more than these, they
 * stand under the float and may be broken over pages. */
#define NOTES_IN_FLOAT 1500     /* bytes */

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What LaTeX reads as something else, alone or before its like ("--"), and what
 * to write for it; NULL for the rest. '[' and '*' would belong to the end of
 * the line before. */
static const char *
escape(const char *s, char before)
{
	static const struct {
		char c;
		const char *tex;
	} specials[] = {
		{'&', "\\&"}, {'%', "\\%"}, {'$', "\\$"}, {'#', "\\#"},
		{'_', "\\_"}, {'{', "\\{"}, {'}', "\\}"}, {'[', "{[}"},
		{']', "{]}"}, {'*', "{*}"},
		{'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"},
		{'\\', "\\textbackslash{}"}, {'<', "\\textless{}"},
		{'>', "\\textgreater{}"}, {'|', "\\textbar{}"},
		{'"', "\\texttt{\\char34}"}, {'\'', "\\textquotesingle{}"},
		{'`', "\\textasciigrave{}"},
	};

	/* An apostrophe: it looks better as it is. */
	if (*s == '\'' && is_letter(before) && is_letter(s[1]))
		return NULL;
	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
		if (specials[i].c == *s)
			return specials[i].tex;
	if (s[0] == s[1] && s[0] == '-')
		return "-{}";
	if (s[0] == s[1] && s[0] == ',')
		return ",{}";
	return NULL;
}

void
tex_text(struct text *out, const char *s)
{
	char c = ' ';

	while (*s != '\0') {
		const char *special = escape(s, c);

		c = plain_next(&s);

		if (special != NULL)
			text_add(out, "%s", special);
		else
			text_add(out, "%c", c);
	}
}

/* Lines in a fixed pitch, every blank as it is. */
void
tex_lines(struct text *out, const char *s, bool wrap)
{
	text_add(out, "\\begin{flushleft}\\%s\\ttfamily\n",
		wrap ? "footnotesize" : "scriptsize");
	while (*s != '\0') {
		size_t len = strcspn(s, "\n");
		char *line = need_copy(s, len), *blank = line;

		text_add(out, "\\mbox{}");
		while (!wrap && (blank = strchr(line, ' ')) != NULL) {
			*blank = '\0';
			tex_text(out, line);
			text_add(out, "~");
			memmove(line, blank + 1, strlen(blank + 1) + 1);
		}
		tex_text(out, line);
		free(line);
		text_add(out, "\\\\\n");
		s += len + (s[len] == '\n');
	}
	text_add(out, "\\end{flushleft}\n\n");
}

static void
add_row(struct text *out, const struct table *t, char **cell)
{
	for (size_t c = 0; c < t->columns; c++) {
		text_add(out, "%s", c ? " & " : "");
		tex_text(out, cell ? cell[c] : t->column[c].name);
	}
	text_add(out, " \\\\\n");
}

static void
add_notes(struct text *out, const struct table *t)
{
	for (size_t i = 0; i < t->notes; i++) {
		tex_text(out, t->note[i]);
		text_add(out, "\\par\n");
	}
}

static void
add_caption(struct text *out, const struct table *t)
{
	const char *part[] = {t->title, t->caption, t->host};
	bool any = false;

	text_add(out, "\\caption{");
	for (int i = 0; i < 3; i++) {
		size_t len = part[i] ? strlen(part[i]) : 0;

		if (len == 0)
			continue;
		text_add(out, "%s", any ? " " : "");
		tex_text(out, part[i]);
		text_add(out, "%s", part[i][len - 1] == '.' ? "" : ".");
		any = true;
	}
	text_add(out, "}\n");
}

void
tex_table(struct text *out, const struct table *t)
{
	size_t size = 0;

	for (size_t i = 0; i < t->notes; i++)
		size += strlen(t->note[i]);
	text_add(out, "\\begin{table}[htbp]\n\\centering\\small\n");
	add_caption(out, t);
	/* As wide as it is, or as the text where it would be wider. */
	text_add(out, "\\resizebox{\\ifdim\\width>\\textwidth\\textwidth"
		"\\else\\width\\fi}{!}{%%\n\\begin{tabular}{");
	for (size_t c = 0; c < t->columns; c++)
		text_add(out, "%c", t->column[c].right ? 'r' : 'l');
	text_add(out, "}\n\\toprule\n");
	add_row(out, t, NULL);
	text_add(out, "\\midrule\n");
	for (size_t i = 0; i < t->cells; i += t->columns)
		add_row(out, t, t->cell + i);
	text_add(out, "\\bottomrule\n\\end{tabular}}\n");
	if (t->notes > 0 && size <= NOTES_IN_FLOAT) {
		text_add(out, "\\par\\medskip\n\\begin{minipage}{\\textwidth}"
			"\\footnotesize\\raggedright\n");
		add_notes(out, t);
		text_add(out, "\\end{minipage}\n");
	}
	text_add(out, "\\end{table}\n\n");
	if (size > NOTES_IN_FLOAT) {
		text_add(out, "{\\footnotesize\\raggedright\n");
		add_notes(out, t);
		text_add(out, "}\n\n");
	}
}
