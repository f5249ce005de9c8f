/* SPDX-License-Identifier: MIT */
/*
 * Where members sit. The only file that knows hwloc or affinity calls. A
 * machine is a list of the CPUs that this process may use, each with the
 * numbers of what it is part of; hwloc fills it in where it is compiled in,
 * else the kernel's topology files, else all CPUs look alike. Each placement
 * is an order of CPUs that members take in turn.
 */
#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_AFFINITY
#include <sched.h>
#include <unistd.h>
#endif
#if HAVE_HWLOC
#include <hwloc.h>
#endif

static struct machine machine;
static bool machine_known;

#if HAVE_AFFINITY

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

static bool
is_in(int cpu, const int *list, int n)
{
	for (int i = 0; i < n; i++)
		if (list[i] == cpu)
			return true;
	return false;
}

#if HAVE_HWLOC

static int
ancestor(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t obj,
	int otherwise)
{
	hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, type, obj);

	return found ? (int)found->logical_index : otherwise;
}

/* The outermost cache above a CPU, named by its first CPU: cores may differ in
 * how many levels they have, and each level counts from 0. */
static int
outer_cache(hwloc_obj_t obj, int otherwise)
{
	int found = otherwise;

	for (; obj != NULL; obj = obj->parent)
		if (hwloc_obj_type_is_dcache(obj->type))
			found = hwloc_bitmap_first(obj->cpuset);
	return found;
}

static bool
read_hwloc(void)
{
	hwloc_topology_t topology;
	hwloc_obj_t obj = NULL;
	int *allowed, n = place_allowed(&allowed);

	/* Where there is no /sys it would say so in dozens of lines. */
	(void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology) != 0)
		return false;
	if (hwloc_topology_load(topology) != 0) {
		hwloc_topology_destroy(topology);
		return false;
	}
	machine.source = "hwloc";
	machine.simulated = !hwloc_topology_is_thissystem(topology);
	machine.cpu = need((size_t)hwloc_get_nbobjs_by_type(topology,
		HWLOC_OBJ_PU), sizeof *machine.cpu);
	while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, obj))
	    != NULL) {
		struct cpu *c = &machine.cpu[machine.cpus];
		int id = (int)obj->os_index, kind = -1;

		if (!machine.simulated && !is_in(id, allowed, n))
			continue;
#if HWLOC_API_VERSION >= 0x00020400
		kind = hwloc_cpukinds_get_by_cpuset(topology, obj->cpuset, 0);
#endif
		*c = (struct cpu){
			.id = id,
			.core = ancestor(topology, HWLOC_OBJ_CORE, obj, id),
			.cache = outer_cache(obj, -1),
			.package = ancestor(topology, HWLOC_OBJ_PACKAGE, obj,
				0),
			.node = hwloc_bitmap_first(obj->nodeset),
			.kind = kind < 0 ? 0 : kind,
		};
		machine.cpus++;
	}
	free(allowed);
	hwloc_topology_destroy(topology);
	return machine.cpus > 0;
}

#else

static bool
read_hwloc(void)
{
	return false;
}

#endif

static int
by_core(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;
	int d = y->kind - x->kind;      /* the fastest first */

	d = d ? d : x->late - y->late;
	d = d ? d : x->package - y->package;
	d = d ? d : x->node - y->node;
	d = d ? d : x->cache - y->cache;
	d = d ? d : x->core - y->core;
	return d ? d : x->id - y->id;
}

/* Same core, however cores are numbered within a package. */
static bool
shares_core(const struct cpu *a, const struct cpu *b)
{
	return a->package == b->package && a->core == b->core;
}

/* What order members take CPUs in. */
static void
sort_machine(void)
{
	struct cpu *c = machine.cpu, first;
	int n = machine.cpus, k = 0;

	/* The core of the lowest CPU serves most interrupts: it comes last of
	 * its kind. */
	first = c[0];
	for (int i = 1; i < n; i++)
		if (c[i].id < first.id)
			first = c[i];
	for (int i = 0; i < n; i++)
		c[i].late = shares_core(&c[i], &first);
	qsort(c, (size_t)n, sizeof *c, by_core);
	for (int i = 0; i < n; i++) {
		k = i > 0 && shares_core(&c[i], &c[i - 1]) ? k + 1 : 0;
		c[i].thread = k;
	}
}

static const struct machine *
know_machine(void)
{
	int *allowed;

	if (machine_known)
		return &machine;
	machine_known = true;
	if (!read_hwloc() && !sysfs_read(&machine)) {
		machine.cpus = place_allowed(&allowed);
		machine.cpu = need((size_t)machine.cpus, sizeof *machine.cpu);
		machine.source = "CPU numbers";
		machine.flat = true;
		for (int i = 0; i < machine.cpus; i++)
			machine.cpu[i] = (struct cpu){.id = allowed[i],
				.core = allowed[i], .cache = -1};
		free(allowed);
	}
	if (machine.cpus > 0)
		sort_machine();
	return &machine;
}

const char *
place_source(void)
{
	return know_machine()->source;
}

bool
place_simulated(void)
{
	return know_machine()->simulated;
}

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

static int
ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void
place_kinds(struct text *t)
{
	const struct machine *m = know_machine();
	int *ids = need((size_t)m->cpus, sizeof *ids), n;

	/* Sorted, CPUs of a kind stand together. */
	for (int i = 0; i < m->cpus; i += n) {
		for (n = 0; i + n < m->cpus &&
		    m->cpu[i + n].kind == m->cpu[i].kind; n++)
			ids[n] = m->cpu[i + n].id;
		if (n == m->cpus)
			break;
		qsort(ids, (size_t)n, sizeof *ids, ascending);
		text_add(t, "%s", i ? " | " : "");
		place_ranges(t, ids, n);
	}
	free(ids);
}

/* What two CPUs have to differ in, or share, for a placement. */
typedef bool relation(const struct cpu *, const struct cpu *);

static bool
any_two(const struct cpu *a, const struct cpu *b)
{
	(void)a, (void)b;
	return true;
}

static bool
shares_cache(const struct cpu *a, const struct cpu *b)
{
	/* Where no cache is known, a package is taken for one. */
	return a->kind == b->kind && a->package == b->package &&
		a->cache == b->cache;
}

/*
 * Append to the placement the CPUs that stand in this relation to start: the
 * first threads of all cores, then the second ones, the busy core last.
 */
static void
take(struct place *place, const struct cpu *start, relation *fits)
{
	const struct machine *m = &machine;
	int threads = 0;

	for (int i = 0; i < m->cpus; i++)
		threads = m->cpu[i].thread > threads ? m->cpu[i].thread :
			threads;
	for (int thread = 0; thread <= threads; thread++)
		for (int i = 0; i < m->cpus; i++)
			if (m->cpu[i].thread == thread &&
			    fits(start, &m->cpu[i]))
				place->cpu[place->cpus++] = m->cpu[i].id;
}

static const struct cpu *
cpu_of(int id)
{
	for (int i = 0; i < machine.cpus; i++)
		if (machine.cpu[i].id == id)
			return &machine.cpu[i];
	return NULL;
}

/* Cores that place has among its CPUs. */
static int
count_cores(const struct place *place)
{
	int n = 0;

	for (int i = 0; i < place->cpus; i++)
		n += cpu_of(place->cpu[i])->thread == 0;
	return n;
}

/* The CPUs around the first start that has enough of them. */
static void
take_around(struct place *place, relation *fits, bool cores, const char *lacks)
{
	struct place all = {.cpu = need((size_t)machine.cpus, sizeof(int))};

	take(&all, &machine.cpu[0], any_two);
	for (int i = 0; i < all.cpus && cpu_of(all.cpu[i])->thread == 0; i++) {
		place->cpus = 0;
		take(place, cpu_of(all.cpu[i]), fits);
		if ((cores ? count_cores(place) : place->cpus) > 1) {
			free(all.cpu);
			return;
		}
	}
	free(all.cpu);
	place->lacks = lacks;
}

static int
package_of(const struct cpu *c)
{
	return c->package;
}

static int
node_of(const struct cpu *c)
{
	return c->node;
}

static int
cache_of(const struct cpu *c)
{
	return c->cache;
}

/* One CPU of each domain in turn. Returns false when there is one domain. */
static bool
take_across(struct place *place, int (*domain)(const struct cpu *))
{
	struct place all = {.cpu = need((size_t)machine.cpus, sizeof(int))};
	int *seen = need((size_t)machine.cpus, sizeof *seen), domains = 0;
	int left;

	take(&all, &machine.cpu[0], any_two);
	for (int i = 0; i < all.cpus; i++) {
		int d = domain(cpu_of(all.cpu[i]));

		if (!is_in(d, seen, domains))
			seen[domains++] = d;
	}
	for (left = domains > 1 ? all.cpus : 0; left > 0;)
		for (int k = 0; k < domains; k++)
			for (int i = 0; i < all.cpus; i++) {
				if (all.cpu[i] < 0 || domain(cpu_of(
				    all.cpu[i])) != seen[k])
					continue;
				place->cpu[place->cpus++] = all.cpu[i];
				all.cpu[i] = -1;
				left--;
				break;
			}
	free(all.cpu);
	free(seen);
	return domains > 1;
}

/* Fills in the CPUs of a placement that has a name. */
static void
choose(struct place *place)
{
	const struct machine *m = know_machine();

	place->simulated = m->simulated;
	if (m->cpus == 0 || place->kind == PLACE_NONE)
		return;
	place->cpu = need((size_t)m->cpus, sizeof *place->cpu);
	if (m->flat && place->kind != PLACE_SAME &&
	    place->kind != PLACE_SPREAD) {
		place->lacks = "nothing is known here of cores and caches";
		return;
	}
	switch (place->kind) {
	case PLACE_SMT:
		take_around(place, shares_core, false,
			"no core has two hardware threads allowed");
		break;
	case PLACE_LLC:
		take_around(place, shares_cache, true, m->cpus == 1 ?
			"one CPU allowed" :
			"no two cores allowed share a last-level cache");
		break;
	case PLACE_CROSS:
		if (!take_across(place, package_of) &&
		    !take_across(place, node_of) &&
		    !take_across(place, cache_of))
			place->lacks = m->cpus == 1 ? "one CPU allowed" :
				"one last-level cache: llc is as far as it "
				"goes";
		break;
	default:
		take(place, &m->cpu[0], any_two);
	}
	if (place->kind == PLACE_SAME)
		place->cpus = 1;
}

static int
by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A list of numbers is one placement: members take them in turn. */
static void
parse_cpus(char *list, struct place *place)
{
	const struct machine *m = know_machine();

	place->kind = PLACE_LIST;
	place->simulated = m->simulated;
	place->cpu = need(strlen(list), sizeof *place->cpu);
	while (list != NULL) {
		char *s = cut(&list);
		int64_t id;
		const char *wrong = parse_number(s, 0, INT32_MAX, &id);

		if (wrong != NULL)
			die(EXIT_USAGE, "--place: CPU '%s': %s", s, wrong);
		if (cpu_of((int)id) == NULL) {
			struct text ids = {0};
			int *allowed = need((size_t)m->cpus, sizeof *allowed);

			for (int i = 0; i < m->cpus; i++)
				allowed[i] = m->cpu[i].id;
			qsort(allowed, (size_t)m->cpus, sizeof *allowed,
				by_number);
			place_ranges(&ids, allowed, m->cpus);
			free(allowed);
			die(EXIT_USAGE, "--place: CPU %s is not allowed here "
				"(allowed: %s)", s,
				m->cpus ? ids.s : "unknown");
		}
		place->cpu[place->cpus++] = (int)id;
	}
}

int
place_parse(const char *list, struct place *places, int most)
{
	static const char *const names[] = {"none", "same", "smt", "llc",
		"cross", "spread"};
	char *copy = need_copy(list, strlen(list)), *left = copy;
	int count = 0;

	for (int i = 0; i < most; i++) {
		free(places[i].cpu);
		places[i].cpu = NULL;   /* it may not be taken again */
	}
	if (*list >= '0' && *list <= '9') {
		places[0] = (struct place){.name = list};
		parse_cpus(copy, &places[0]);
		free(copy);
		return 1;
	}
	while (left != NULL) {
		char *s = cut(&left);
		int kind = 0;

		while (kind < 6 && strcmp(s, names[kind]) != 0)
			kind++;
		if (kind == 6)
			die(EXIT_USAGE, "--place: '%s': not a placement (none, "
				"same, smt, llc, cross, spread, or CPU "
				"numbers)", s);
		if (count == most)
			die(EXIT_USAGE, "--place: more than %d placements",
				most);
		places[count] = (struct place){.kind = (enum place_kind)kind,
			.name = names[kind]};
		choose(&places[count++]);
	}
	free(copy);
	return count;
}

const char *
place_lacks(const struct place *place, int members)
{
	if (place->lacks != NULL)
		return place->lacks;
	if (place->kind == PLACE_SPREAD && members > 1 && place->cpus == 1)
		return "one CPU allowed";
	return NULL;
}

int
place_cpu(const struct place *place, int member)
{
	return place->cpus ? place->cpu[member % place->cpus] : -1;
}

const char *
place_relation(const struct place *place, int member)
{
	const struct cpu *a, *b;

	if (place->cpus == 0)
		return "left to the scheduler";
	if (member == 0)
		return "the first";
	a = cpu_of(place_cpu(place, 0));
	b = cpu_of(place_cpu(place, member));
	if (a == b)
		return "the same CPU";
	if (machine.flat)
		return "another CPU";
	if (shares_core(a, b))
		return "same core";
	if (a->cache >= 0 && a->package == b->package && a->cache == b->cache)
		return "another core, shares the last-level cache";
	if (a->package == b->package && a->node == b->node)
		return "another core, same node";
	if (a->package == b->package)
		return "another node, same package";
	return "another package";
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
		width += !is_in(place->cpu[i], place->cpu, i);
	return width;
}
