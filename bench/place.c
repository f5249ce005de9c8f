/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_AFFINITY
#include <sched.h>
#include <unistd.h>

/* The kernel's mask may be larger than cpu_set_t: 1024 CPUs. */
#define CPUS_MOST (1 << 20)

static cpu_set_t *
read_mask(size_t *size, int *cpus)
{
	for (*cpus = 1024; *cpus <= CPUS_MOST; *cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)*cpus);

		if (set == NULL)
			return NULL;
		*size = CPU_ALLOC_SIZE((size_t)*cpus);
		CPU_ZERO_S(*size, set);
		if (sched_getaffinity(0, *size, set) == 0)
			return set;
		CPU_FREE(set);
		if (errno != EINVAL)
			return NULL;
	}
	return NULL;
}

int
place_allowed(int **cpu)
{
	int cpus, n = 0;
	size_t size;
	cpu_set_t *set = read_mask(&size, &cpus);

	*cpu = NULL;
	if (set == NULL)
		return 0;
	*cpu = need((size_t)CPU_COUNT_S(size, set), sizeof **cpu);
	for (int i = 0; i < cpus; i++)
		if (CPU_ISSET_S((size_t)i, size, set))
			(*cpu)[n++] = i;
	CPU_FREE(set);
	return n;
}

int
place_bind(int cpu)
{
	size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
	int err = 0, cpus;

	if (set == NULL)
		return ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	if (sched_setaffinity(0, size, set) != 0)
		err = errno;
	CPU_FREE(set);
	if (err != 0)
		return err;
	/* A container or a tracer may say yes and do nothing. */
	set = read_mask(&size, &cpus);
	if (set == NULL || CPU_COUNT_S(size, set) != 1 ||
	    !CPU_ISSET_S((size_t)cpu, size, set))
		err = PLACE_IGNORED;
	CPU_FREE(set);
	return err;
}

int
place_current(void)
{
	return sched_getcpu();
}

#else

int
place_allowed(int **cpu)
{
	*cpu = NULL;
	return 0;
}

int
place_bind(int cpu)
{
	(void)cpu;
	return ENOSYS;
}

int
place_current(void)
{
	return -1;
}

#endif

void
place_ranges(struct text *t, const int *cpu, int cpus)
{
	for (int i = 0, j; i < cpus; i = j) {
		for (j = i + 1; j < cpus && cpu[j] == cpu[j - 1] + 1; j++)
			;
		text_add(t, "%s%d", i ? "," : "", cpu[i]);
		if (j - i > 1)
			text_add(t, "-%d", cpu[j - 1]);
	}
}

static bool
is_allowed(int cpu, const int *allowed, int n)
{
	for (int i = 0; i < n; i++)
		if (allowed[i] == cpu)
			return true;
	return false;
}

/* A list of numbers is one placement: members take them in turn. */
static void
parse_cpus(char *list, struct place *place, const int *allowed, int n)
{
	struct text ids = {0};

	place->kind = PLACE_LIST;
	place->cpu = need(strlen(list), sizeof *place->cpu);
	for (char *end, *s = list; s != NULL; s = end) {
		int64_t id;
		const char *wrong;

		end = strchr(s, ',');
		if (end != NULL)
			*end++ = '\0';
		wrong = parse_number(s, 0, INT32_MAX, &id);
		if (wrong != NULL)
			die(EXIT_USAGE, "--place: CPU '%s': %s", s, wrong);
		place_ranges(&ids, allowed, n);
		if (!is_allowed((int)id, allowed, n))
			die(EXIT_USAGE, "--place: CPU %s is not allowed here "
				"(allowed: %s)", s, n ? ids.s : "unknown");
		text_free(&ids);
		place->cpu[place->cpus++] = (int)id;
	}
}

int
place_parse(const char *list, struct place *places, int most)
{
	char *copy = need_copy(list, strlen(list)), *end;
	int *allowed, n = place_allowed(&allowed), count = 0;

	if (*list >= '0' && *list <= '9') {
		places[0].name = list;
		parse_cpus(copy, &places[0], allowed, n);
		free(allowed);
		free(copy);
		return 1;
	}
	for (char *s = copy; s != NULL; s = end) {
		static const char *const names[] = {"none", "same", "spread"};
		struct place *place = &places[count];
		int kind = 0;

		end = strchr(s, ',');
		if (end != NULL)
			*end++ = '\0';
		while (kind < 3 && strcmp(s, names[kind]) != 0)
			kind++;
		if (kind == 3)
			die(EXIT_USAGE, "--place: '%s': not a placement (none, "
				"same, spread, or CPU numbers)", s);
		if (count++ == most)
			die(EXIT_USAGE, "--place: more than %d placements",
				most);
		*place = (struct place){.kind = (enum place_kind)kind,
			.name = names[kind]};
		if (kind == PLACE_NONE || n == 0)
			continue;
		place->cpus = kind == PLACE_SAME ? 1 : n;
		place->cpu = need((size_t)n, sizeof *place->cpu);
		memcpy(place->cpu, allowed, (size_t)n * sizeof *allowed);
	}
	free(allowed);
	free(copy);
	return count;
}

const char *
place_lacks(const struct place *place, int members)
{
	if (place->kind == PLACE_SPREAD && members > 1 && place->cpus == 1)
		return "one CPU allowed";
	return NULL;
}

int
place_cpu(const struct place *place, int member)
{
	return place->cpus ? place->cpu[member % place->cpus] : -1;
}

int
place_width(const struct place *place, int members)
{
	int *allowed, n, width = 0;

	if (place->cpus == 0) {
		n = place_allowed(&allowed);
		free(allowed);
		return n == 0 || members < n ? members : n;
	}
	for (int i = 0; i < members && i < place->cpus; i++)
		width += !is_allowed(place->cpu[i], place->cpu, i);
	return width;
}
