/* SPDX-License-Identifier: MIT */
/* What results files hold, a line each. */
#include "page.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *
note(const struct results *r, const char *key)
{
	const char *value = fact_find(r->note, r->notes, key);

	return value ? value : "";
}

static size_t
rounds_of(const struct row *row)
{
	return row->metrics ? row->metric[0].rounds.n : 0;
}

/* "whole", or what became of the run. */
static void
state_cell(struct table *t, const struct results *r, size_t rounds)
{
	size_t failed = 0, fewer = 0;

	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = r->row[i];
		bool fails = row->state == ROW_FAILED ||
			(row->state == ROW_MEASURED && row->why != NULL);

		failed += fails;
		fewer += row->state == ROW_MEASURED && !fails &&
			rounds_of(row) < rounds;
	}
	if (r->rows == 0)
		table_cell(t, "no records");
	else if (fact_find(r->note, r->notes, "interrupted") != NULL)
		table_cell(t, "interrupted");
	else if (fewer > 0)
		table_cell(t, "cut short");
	else if (failed > 0)
		table_cell(t, "%zu failed", failed);
	else
		table_cell(t, "whole");
}

static void
file_line(struct table *t, const struct results *r, const char *name)
{
	size_t rounds = 0, measured = 0;

	for (size_t i = 0; i < r->rows; i++) {
		size_t n = rounds_of(r->row[i]);

		rounds = n > rounds ? n : rounds;
		measured += r->row[i]->state == ROW_MEASURED;
	}
	table_cell(t, "%s", note(r, "date"));
	table_cell(t, "%s", note(r, "host"));
	table_cell(t, "%s", note(r, "size"));
	table_cell(t, "%zu", rounds);
	table_cell(t, "%zu", measured);
	state_cell(t, r, rounds);
	table_cell(t, "%s", name);
}

void
list_files(struct text *out, enum format format, int files, char **file)
{
	struct table t = {0};

	table_column(&t, "date", false);
	table_column(&t, "host", false);
	table_column(&t, "size", false);
	table_column(&t, "rounds", true);
	table_column(&t, "rows", true);
	table_column(&t, "state", false);
	table_column(&t, "file", false);
	for (int i = 0; i < files; i++) {
		struct results r = {0};
		int fd = open(file[i], O_RDONLY | O_CLOEXEC), err;

		if (fd < 0)
			die(EXIT_USAGE, "%s:", file[i]);
		err = results_read(&r, fd, file[i]);
		(void)close(fd);
		if (err != 0)
			die(EXIT_USAGE, "%s: %s", file[i], strerror(err));
		results_finish(&r);
		file_line(&t, &r, file[i]);
		results_free(&r);
	}
	render_begin(out, format);
	render_table(out, format, &t);
	render_end(out, format);
	table_free(&t);
}
