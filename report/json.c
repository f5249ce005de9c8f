/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259): its strings and numbers, and a table in it. */
#include "model.h"
#include "records.h"

#include <math.h>
#include <string.h>

void
json_string(struct text *out, const char *s)
{
	static const char named[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";

	text_add(out, "\"");
	while (*s != '\0') {
		const char *special = strchr(named, *s);
		size_t n = utf8_length(s);

		if (special != NULL)
			text_add(out, "\\%c", letter[special - named]);
		else if (n == 0)
			text_add(out, "\\ufffd");
		else if ((unsigned char)*s < ' ')
			text_add(out, "\\u%04x", (unsigned)*s);
		else
			text_add(out, "%.*s", (int)n, s);
		s += n ? n : 1;
	}
	text_add(out, "\"");
}

void
json_number(struct text *out, double v)
{
	if (isfinite(v))
		text_decimal(out, v, 6);
	else
		text_add(out, "null");
}

/* "0", "-12", "1.50" and no other form of a number. */
static bool
is_number(const char *s)
{
	size_t n;

	s += *s == '-';
	n = strspn(s, "0123456789");
	if (n == 0 || n > 15 || (n > 1 && *s == '0'))
		return false;
	s += n;
	if (*s != '.')
		return *s == '\0';
	n = strspn(++s, "0123456789");
	return n > 0 && s[n] == '\0';
}

static void
add_member(struct text *out, const char *name, const char *s)
{
	if (s == NULL)
		return;
	text_add(out, "\"%s\": ", name);
	json_string(out, s);
	text_add(out, ",\n");
}

static void
add_row(struct text *out, const struct table *t, char **cell)
{
	text_add(out, "{");
	for (size_t c = 0; c < t->columns; c++) {
		text_add(out, "%s", c ? ", " : "");
		json_string(out, t->column[c].name);
		text_add(out, ": ");
		if (*cell[c] == '\0')
			text_add(out, "null");
		else if (t->column[c].right && is_number(cell[c]))
			text_add(out, "%s", cell[c]);
		else
			json_string(out, cell[c]);
	}
	text_add(out, "}");
}

void
json_table(struct text *out, const struct table *t)
{
	text_add(out, "%s{\n", out->s[out->len - 1] == '}' ? ",\n" : "\n");
	add_member(out, "title", t->title);
	add_member(out, "caption", t->caption);
	add_member(out, "host", t->host);
	text_add(out, "\"rows\": [");
	for (size_t i = 0; i < t->cells; i += t->columns) {
		text_add(out, "%s", i ? ",\n" : "\n");
		add_row(out, t, t->cell + i);
	}
	text_add(out, "],\n\"notes\": [");
	for (size_t i = 0; i < t->notes; i++) {
		text_add(out, "%s", i ? ",\n" : "\n");
		json_string(out, t->note[i]);
	}
	text_add(out, "]}");
}
