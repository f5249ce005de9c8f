/* SPDX-License-Identifier: MIT */
/* The reader of records: what it takes in is whole and finite. */
#include "fuzz.h"

#include "../../report/records.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "../../report/view.h"

void
fuzz_setup(void)
{
}

static void
read_one(struct results *r, const uint8_t *data, size_t size)
{
	int fd = open(fuzz_file(data, size), O_RDONLY | O_CLOEXEC);

	fuzz_demand(fd >= 0, "a file");
	fuzz_demand(results_read(r, fd, "fuzz") == 0, "a file that is read");
	(void)close(fd);
}

static void
check_row(const struct results *r, const struct row *row)
{
	fuzz_demand(row->workers >= 1, "workers");
	fuzz_demand(row->name && row->base && row->as && row->params &&
		row->place, "the parts of a name");
	fuzz_demand(results_find(r, row->name) == row, "a row by its name");
	fuzz_demand(row->metrics > 0 || row->state != ROW_MEASURED,
		"what was measured");
	for (size_t i = 0; i < row->metrics; i++) {
		const struct metric *m = &row->metric[i];

		fuzz_demand(row_metric(row, m->unit) == m, "each unit once");
		fuzz_demand(m->now.n == 0 && m->rounds.n > 0, "closed rounds");
		for (size_t k = 0; k < m->rounds.n; k++)
			fuzz_demand(isfinite(m->rounds.v[k]) != 0, "finite");
	}
}

/* Two files, where there is a line of two bytes 0xff. */
void
fuzz_one(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memmem(data, size, "\xff\xff\n", 3);
	size_t first = cut ? (size_t)(cut - data) : size;
	struct results r = {0}, other = {0};

	read_one(&r, data, first);
	if (cut != NULL) {
		read_one(&other, cut + 3, size - first - 3);
		results_merge(&r, &other);
	}
	results_finish(&r);
	view_sort(&r);
	for (size_t i = 0; i < r.rows; i++)
		check_row(&r, r.row[i]);
	results_free(&r);
}
