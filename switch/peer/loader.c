/* SPDX-License-Identifier: MIT */
#include "loader.h"

/* A dependent addition takes a clock cycle on any CPU. */
static void
compute(uint64_t additions)
{
	uint64_t x = 0, y = 1;

	bench_keep(y);
	for (uint64_t i = 0; i < additions; i++) {
		x += y;
		bench_keep(x);
	}
}

short
loader_step(struct loader *l, const struct peer *peer, uint64_t batch,
	uint64_t work)
{
	for (;;) {
		if (l->asked > 0) {
			short want = exchange_step(&l->x);

			if (want != 0)
				return want;
			l->loaded += l->asked;
		}
		l->asked = l->end - l->next;
		if (l->asked > batch)
			l->asked = batch;
		if (l->asked == 0)
			return 0;
		compute(work * l->asked);
		l->x.out = l->message;
		l->x.left = peer->request(l->message, l->next, l->asked);
		l->next += l->asked;
	}
}
