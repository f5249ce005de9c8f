/* SPDX-License-Identifier: MIT */
/* A file of claims against a few rows; the format is what the first byte says,
 * whose highest bit is for one claim as on the command line. */
#include "fuzz.h"

#define SIZE_MOST 2048
#define main claims_main
int main(int argc, char **argv);
#include "../../report/claims.c"

static void
add_row(struct text *t, const char *name, double ns)
{
	for (int i = 1; i <= 6; i++)
		text_add(t, "# sample: round=%d\n"
			"Benchmark%s 9 %.3f ns/op  0.5 handoffs/op"
			"  0.25 vcsw/op  0.75 ivcsw/op  1 overlap\n",
			i, name, ns + i % 3);
}

void
fuzz_setup(void)
{
	struct text t = {0};
	int fd;

	add_row(&t, "Raw/place=same/workers=2", 4);
	add_row(&t, "Ucontext/place=same/workers=2", 200);
	add_row(&t, "Ucontext/place=same/workers=64", 390);
	add_row(&t, "StopIteration/place=same/workers=1", 24);
	add_row(&t, "Futex/as=thread/place=llc/workers=2", 900);
	add_row(&t, "Futex/as=process/stack=9/workers=4", 700);
	add_row(&t, "Mutex/as=thread/total=9/workers=4", 40);
	text_add(&t, "# skip: Spin/place=smt/workers=2: one thread a core\n");
	fd = open(fuzz_file(t.s, t.len), O_RDONLY | O_CLOEXEC);
	fuzz_demand(fd >= 0 && results_read(&results, fd, "rows") == 0 &&
		results.rows == 8, "rows");
	(void)close(fd);
	results_finish(&results);
	view_sort(&results);
	text_free(&t);
}

void
fuzz_one(const uint8_t *data, size_t size)
{
	struct text out = {0};

	claims = NULL;
	claim_count = 0;
	if (size < 2)
		return;
	format = (enum format)((data[0] & 127) % FORMAT_BENCHSTAT);
	if (data[0] & 128) {
		char *own = need_copy((const char *)data + 1, size - 1);

		own_claim(own);
		free(own);
	} else {
		read_claims(fuzz_file(data + 1, size - 1));
	}
	render_begin(&out, format);
	make_table(&out);
	render_end(&out, format);
	text_free(&out);
	free_claims();
}
