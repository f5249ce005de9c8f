/* SPDX-License-Identifier: MIT */
/* A table of what formats treat as special, in the format that argv[1] names:
 * in its title, headings, cells and notes. */
#include "../report/model.h"

#include <string.h>
#include <unistd.h>

static const char *const hostile[] = {
	"gcc | _x_ & \"quoted\" <b> -O2 --param # 50 % $HOME {a} ~ ^ \\",
	"[x]", "*y*", "`z`", "'q'", "it's", ",,", "a, b", "-", "--", "\\\\",
	"two\nlines", "tab\there", "return\r", "caf\303\251", "bad\377byte",
	"\001", "", " ", "0.50", "007", "-3", "1e5", "12345678901234567890",
	"NaN", "\\end{tabular}", "%n%s", "&amp;", "</table>", "=1+1",
};

int
main(int argc, char **argv)
{
	enum format format = format_parse(argc > 1 ? argv[1] : "md", false);
	struct table t = {.level = 2};
	struct text out = {0};

	util_name(argv[0]);
	t.title = need_copy(hostile[0], strlen(hostile[0]));
	t.host = need_copy(hostile[0], strlen(hostile[0]));
	table_column(&t, hostile[0], false);
	table_column(&t, "a number", true);
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		table_cell(&t, "%s", hostile[i]);
		table_cell(&t, "%s", hostile[i]);
	}
	table_note(&t, "%s", hostile[0]);
	render_begin(&out, format);
	render_table(&out, format, &t);
	/* A second: what joins them must be right, too. */
	render_table(&out, format, &t);
	render_literal(&out, format, "[lines]\n  as \\they --are\n");
	render_verbatim(&out, format, "[lines]\n  as \\they --are\n");
	render_end(&out, format);
	table_free(&t);
	return put(STDOUT_FILENO, out.s, out.len);
}
