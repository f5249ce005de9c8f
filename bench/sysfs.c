/* SPDX-License-Identifier: MIT */
/*
 * The kernel's topology files (Documentation/admin-guide/cputopology.rst and
 * ABI/testing/sysfs-devices-system-cpu), for machines without hwloc. The
 * variable BENCH_SYSFS names another root than /sys: for tests, and a machine
 * found there is simulated.
 */
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_MOST 65536

/* A file below cpuN/, or the default when there is none. */
static long
number(const char *root, int cpu, const char *name, long otherwise)
{
	struct text path = {0};
	long v = otherwise;
	FILE *f;

	text_add(&path, "%s/devices/system/cpu/cpu%d/%s", root, cpu, name);
	f = fopen(path.s, "r");
	text_free(&path);
	if (f == NULL)
		return otherwise;
	if (fscanf(f, "%ld", &v) != 1)
		v = otherwise;
	(void)fclose(f);
	return v;
}

/* The lowest CPU of a list such as "0-3,8", which names a set; -1: no list. */
static int
first_of(const char *root, int cpu, const char *name)
{
	/* Reads the number at its start. */
	return (int)number(root, cpu, name, -1);
}

/* The last-level data cache of a CPU, named by its first CPU; -1: unknown. */
static int
outer_cache(const char *root, int cpu)
{
	int found = -1;
	long most = 0;

	for (int i = 0; i < 16; i++) {
		char name[64];
		long level;

		(void)snprintf(name, sizeof name, "cache/index%d/level", i);
		level = number(root, cpu, name, -1);
		if (level < 0)
			break;
		if (level <= most)
			continue;
		(void)snprintf(name, sizeof name,
			"cache/index%d/shared_cpu_list", i);
		found = first_of(root, cpu, name);
		most = level;
	}
	return found;
}

/* cpuN has an entry nodeM, a link to its NUMA node. */
static int
node_of(const char *root, int cpu)
{
	struct text path = {0};
	const struct dirent *entry;
	int node = 0;
	DIR *d;

	text_add(&path, "%s/devices/system/cpu/cpu%d", root, cpu);
	d = opendir(path.s);
	text_free(&path);
	while (d != NULL && (entry = readdir(d)) != NULL)
		if (strncmp(entry->d_name, "node", 4) == 0 &&
		    entry->d_name[4] >= '0' && entry->d_name[4] <= '9')
			node = atoi(entry->d_name + 4);
	if (d != NULL)
		(void)closedir(d);
	return node;
}

/* Every number in a list such as "0-3,8", from a file. Returns how many. */
static int
read_list(const char *path, int **cpu)
{
	FILE *f = fopen(path, "r");
	int n = 0, from, to, last = -1;
	char c = ',';

	*cpu = NULL;
	if (f == NULL)
		return 0;
	while (c == ',' && fscanf(f, "%d", &from) == 1 && from > last) {
		to = from;
		if (fscanf(f, "%c", &c) == 1 && c == '-' &&
		    (fscanf(f, "%d", &to) != 1 || fscanf(f, "%c", &c) != 1))
			c = '\n';
		for (last = from; last <= to && last < CPUS_MOST; last++) {
			*cpu = need_more(*cpu, (size_t)n + 1, sizeof **cpu);
			(*cpu)[n++] = last;
		}
		last--;
	}
	(void)fclose(f);
	return n;
}

/* x86 hybrids name their fast cores in a list of their own. */
static void
mark_fast(const char *root, struct machine *m)
{
	struct text path = {0};
	int *fast, n;

	text_add(&path, "%s/devices/cpu_core/cpus", root);
	n = read_list(path.s, &fast);
	text_free(&path);
	for (int i = 0, k = 0; i < m->cpus; i++) {
		while (k < n && fast[k] < m->cpu[i].id)
			k++;
		if (k < n && fast[k] == m->cpu[i].id)
			m->cpu[i].kind++;
	}
	free(fast);
}

bool
sysfs_read(struct machine *m)
{
	const char *root = getenv("BENCH_SYSFS");
	struct text online = {0};
	int *cpu, n;

	m->simulated = root != NULL && *root != '\0';
	root = m->simulated ? root : "/sys";
	text_add(&online, "%s/devices/system/cpu/online", root);
	/* Of a made-up machine every CPU may be used: nothing will be. */
	n = m->simulated ? read_list(online.s, &cpu) : place_allowed(&cpu);
	text_free(&online);
	m->cpu = need((size_t)n, sizeof *m->cpu);
	m->source = "sysfs";
	for (m->cpus = 0; m->cpus < n; m->cpus++) {
		int id = cpu[m->cpus];
		int core = first_of(root, id, "topology/core_cpus_list");

		if (core < 0)   /* its name before Linux 5.3 */
			core = first_of(root, id,
				"topology/thread_siblings_list");
		if (core < 0)
			break;
		m->cpu[m->cpus] = (struct cpu){
			.id = id,
			.core = core,
			.cache = outer_cache(root, id),
			.package = (int)number(root, id,
				"topology/physical_package_id", 0),
			.node = node_of(root, id),
			.kind = (int)number(root, id, "cpu_capacity", 0),
		};
	}
	free(cpu);
	if (m->cpus == n && n > 0) {
		mark_fast(root, m);
		return true;
	}
	free(m->cpu);
	m->cpu = NULL;
	m->cpus = 0;
	return false;
}
