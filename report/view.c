/* SPDX-License-Identifier: MIT */
#include "view.h"

#include <stdlib.h>
#include <string.h>

static const char *const groups[] = {"loop", "gen", "switch", "peer"};
static const char *const places[] = {"none", "same", "smt", "llc", "cross",
	"spread"};

const char *const view_distances[] = {"same", "smt", "llc", "cross", NULL};

static int
rank(const char *const *list, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], s) == 0)
			return (int)i;
	return (int)n;
}

#define RANK(list, s) rank(list, sizeof (list) / sizeof *(list), s)

/* Where a way stands in its program's own list. */
static int
rank_way(const struct row *row, const struct results *results)
{
	const struct about *about = about_find(results, row->base, "");
	const char *list = about ? about->as : NULL;
	size_t len = strlen(row->as);
	int i = 0;

	while (list != NULL && *list != '\0') {
		size_t n = strcspn(list, ",");

		if (n == len && strncmp(list, row->as, n) == 0)
			return i;
		list += n + (list[n] == ',');
		i++;
	}
	return i;
}

/* As strcmp, but numbers in them by their value: "pages=50", "pages=100". */
static int
compare_params(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		size_t n = strspn(a, "0123456789");
		size_t m = strspn(b, "0123456789");

		if (n > 0 && m > 0 && n != m)
			return n < m ? -1 : 1;
		if (*a != *b)
			break;
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

/* qsort passes nothing else on. */
static const struct results *sorting;

static int
order(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a;
	const struct row *y = *(const struct row *const *)b;
	int d = RANK(groups, view_group(x)) - RANK(groups, view_group(y));

	if (d == 0 && x->about != NULL && y->about != NULL &&
	    strcmp(x->base, y->base) != 0) {
		const struct about *p = about_find(sorting, x->base, "");
		const struct about *q = about_find(sorting, y->base, "");

		d = (p > q) - (p < q);
	}
	if (d == 0)
		d = strcmp(x->base, y->base);
	if (d == 0)
		d = x->fixed - y->fixed;
	if (d == 0)
		d = rank_way(x, sorting) - rank_way(y, sorting);
	if (d == 0)
		d = strcmp(x->as, y->as);
	if (d == 0)
		d = compare_params(x->params, y->params);
	if (d == 0)
		d = RANK(places, x->place) - RANK(places, y->place);
	if (d == 0)
		d = strcmp(x->place, y->place);
	if (d == 0)
		d = (x->workers > y->workers) - (x->workers < y->workers);
	return d;
}

void
view_sort(struct results *results)
{
	sorting = results;
	if (results->rows > 0)
		qsort(results->row, results->rows, sizeof *results->row,
			order);
	results_reindex(results);
}

bool
view_same_series(const struct row *a, const struct row *b)
{
	return strcmp(a->base, b->base) == 0 && strcmp(a->as, b->as) == 0 &&
		strcmp(a->params, b->params) == 0 &&
		strcmp(a->place, b->place) == 0;
}

char *
view_label(const struct row *row)
{
	struct text t = {0};

	text_add(&t, "%s", row->base);
	if (*row->as != '\0')
		text_add(&t, " %s", row->as);
	if (*row->params != '\0')
		text_add(&t, " %s", row->params);
	return t.s;
}

const char *
view_group(const struct row *row)
{
	return row->about && row->about->group ? row->about->group : "other";
}

double
view_value(const struct row *row, const char *unit)
{
	const struct metric *m = row_metric(row, unit);

	if (m == NULL || m->rounds.n == 0)
		return -1;
	return summarise(m->rounds.v, m->rounds.n).median;
}

double
view_switches(const struct row *row)
{
	double voluntary = view_value(row, "vcsw/op");
	double involuntary = view_value(row, "ivcsw/op");

	if (voluntary < 0 || involuntary < 0)
		return -1;
	return voluntary + involuntary;
}

bool
view_withheld(const struct row *row)
{
	double overlap = view_value(row, "overlap");
	double active = view_value(row, "active");
	const char *work = row->about ? row->about->work : NULL;

	if (work != NULL && (strcmp(work, "total") == 0 ||
	    strcmp(work, "fixed") == 0))
		return false;
	if (!row->fixed && row->workers > 1 && active >= 0 && active < 2)
		return true;
	return !row->fixed && overlap >= 0 && overlap < OVERLAP_LEAST;
}

struct summary
view_headline(const struct row *row)
{
	return summarise(row->metric[0].rounds.v, row->metric[0].rounds.n);
}

struct modes
view_modes(const struct row *row)
{
	return find_modes(row->metric[0].rounds.v, row->metric[0].rounds.n);
}

bool
view_disturbed(const struct row *row, struct text *t)
{
	bool any = false;

	if (4 * row->disturbed < row->samples || row->disturbed == 0)
		return false;
	for (int i = 0; i < DISTURBED_KINDS; i++) {
		if (row->disturbed_by[i] == 0)
			continue;
		if (t != NULL)
			text_add(t, "%s%s", any ? ", " : "",
				disturbed_names[i]);
		any = true;
	}
	return any;
}

void
view_claim(const struct row *row, struct text *t)
{
	double handoffs = view_value(row, "handoffs/op");
	double switches = view_switches(row);

	if (handoffs < 0 || switches < 0)
		return;
	if (handoffs < 0.9)
		text_add(t, "no switch");
	else if (switches < 0.01)
		text_add(t, "unseen");
	else if (switches < 0.9)
		text_add(t, "slept %.0f %%", 100 * switches);
	else if (switches <= 1.1)
		text_add(t, "switch");
	else
		text_add(t, "hand-off");
}

const struct row *
view_find(const struct results *results, const char *base, const char *as,
	const char *place, long workers)
{
	const struct row *found = NULL;

	for (size_t i = 0; i < results->rows; i++) {
		const struct row *row = results->row[i];

		if (row->state != ROW_MEASURED || row->fixed || *row->params ||
		    strcmp(row->base, base) != 0 || strcmp(row->as, as) != 0 ||
		    strcmp(row->place, place) != 0)
			continue;
		if (row->workers == workers)
			return row;
		if (workers == 0 && (found == NULL ||
		    row->workers < found->workers))
			found = row;
	}
	return found;
}

const struct row *
view_floor(const struct results *results, const struct row *row)
{
	const char *floor = row->about ? row->about->floor : NULL;
	const struct row *found;
	char *base, *as;

	if (floor == NULL)
		return NULL;
	base = need_copy(floor, strcspn(floor, "/"));
	as = strstr(floor, "/as=");
	as = as ? as + strlen("/as=") : base + strlen(base);
	found = view_find(results, base, as, row->place, row->workers);
	if (found == NULL)
		found = view_find(results, base, as, row->place, 0);
	/* A floor that names no way has the row's own. */
	if (found == NULL && *as == '\0')
		found = view_find(results, base, row->as, row->place,
			row->workers);
	/* What one worker does alone costs the same anywhere. */
	if (found == NULL)
		found = view_find(results, base, as, "same", 1);
	free(base);
	return found;
}

void
view_number(struct text *t, double v)
{
	double size = v < 0 ? -v : v;
	int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;

	text_add(t, "%.*f", decimals, v);
}

void
view_rate(struct text *t, double v)
{
	if (v >= 0.0995)
		text_add(t, "%.2f", v);
	else
		text_decimal(t, v, v < 1e-4 ? 1 : 2);
}

void
view_ratio(struct text *t, double v)
{
	text_add(t, "%.*f", v < 10 ? 2 : v < 100 ? 1 : 0, v);
}
