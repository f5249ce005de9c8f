/* SPDX-License-Identifier: MIT */
/*
 * The machine, the compiler and the conditions that the numbers come from.
 * Everything here may be absent: then the value is "unknown", never an error.
 */
#include "harness.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef BENCH_FLAGS_H            /* written by the Makefile: the exact flags */
#include BENCH_FLAGS_H
#endif

#ifndef BENCH_CFLAGS
#ifdef __OPTIMIZE__
#define BENCH_CFLAGS "optimised, flags unknown"
#else
#define BENCH_CFLAGS "-O0, flags unknown"
#endif
#endif

#define READS_MOST 20000000     /* of the clock, for 200 us: 0.4 s and more */
#define CPU_FOLDER "/sys/devices/system/cpu/"

/* First line of a file, trimmed, or NULL. The caller frees it. */
static char *
first_line(const char *path)
{
	FILE *f = fopen(path, "r");
	char s[512];
	size_t len = 0;

	if (f == NULL)
		return NULL;
	if (fgets(s, sizeof s, f) != NULL)
		len = strlen(s);
	(void)fclose(f);
	while (len > 0 && isspace((unsigned char)s[len - 1]))
		len--;
	return len > 0 ? need_copy(s, len) : NULL;
}

/* One "key: value" line. A value must stay on its line. */
static void
add(struct text *t, const char *key, const char *value)
{
	text_add(t, "%s: ", key);
	for (const char *s = value && *value ? value : "unknown"; *s; s++)
		text_add(t, "%c", *s < ' ' || *s > '~' ? ' ' : *s);
	text_add(t, "\n");
}

static void
add_file(struct text *t, const char *key, const char *path)
{
	char *line = first_line(path);

	add(t, key, line);
	free(line);
}

/* The one in brackets of "always [madvise] never". */
static void
add_choice(struct text *t, const char *key, const char *path)
{
	char *line = first_line(path);
	char *open = line ? strchr(line, '[') : NULL;
	char *close = open ? strchr(open, ']') : NULL;

	if (close != NULL)
		*close = '\0';
	add(t, key, close ? open + 1 : line);
	free(line);
}

/* The value after the colon of the first line of cpuinfo with this key. */
static char *
cpuinfo(const char *key)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char s[4096], *found = NULL;

	while (f != NULL && found == NULL && fgets(s, sizeof s, f) != NULL) {
		char *colon = strchr(s, ':');

		if (colon == NULL || strncmp(s, key, strlen(key)) != 0)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		found = need_copy(colon, strcspn(colon, "\n"));
	}
	if (f != NULL)
		(void)fclose(f);
	return found;
}

static void
add_cpu(struct text *t)
{
	static const char *const keys[] = {"model name", "Model", "cpu model",
		"uarch", "Hardware", "CPU part"};
	char *model = NULL;

	for (size_t i = 0; i < sizeof keys / sizeof *keys && !model; i++)
		model = cpuinfo(keys[i]);
	add(t, "cpu", model);
	free(model);
}

static void
add_cpus(struct text *t)
{
	struct text value = {0};
	char *online = first_line(CPU_FOLDER "online");
	int *cpu, n = place_allowed(&cpu);

	if (n > 0) {
		text_add(&value, "%d allowed (", n);
		place_ranges(&value, cpu, n);
		text_add(&value, ") of online %s", online ? online : "unknown");
	}
	add(t, "cpus", value.s);
	text_free(&value);
	free(cpu);
	free(online);
}

/* PREEMPT_DYNAMIC kernels tell the model in debugfs only, which plain users
 * cannot read; else the build's name has it. */
static void
add_preempt(struct text *t, const char *version)
{
	static const char *const models[] = {"PREEMPT_DYNAMIC", "PREEMPT_RT",
		"PREEMPT_LAZY", "PREEMPT"};
	char *now = first_line("/sys/kernel/debug/sched/preempt");
	char *open = now ? strchr(now, '(') : NULL;
	const char *model = "none or voluntary";

	for (size_t i = 4; i-- > 0;)
		if (strstr(version, models[i]) != NULL)
			model = models[i];
	if (open != NULL)
		open[strcspn(open, ")")] = '\0';
	add(t, "preempt", open ? open + 1 : model);
	free(now);
}

/* The mitigations that change what a kernel entry costs, where needed. */
static void
add_mitigations(struct text *t)
{
	static const char *const names[] = {"meltdown", "spectre_v2",
		"retbleed", "mds"};
	struct text value = {0};
	bool known = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[128], *line, *what;

		(void)snprintf(path, sizeof path,
			CPU_FOLDER "vulnerabilities/%s", names[i]);
		line = first_line(path);
		known |= line != NULL;
		if (line != NULL && strcmp(line, "Not affected") != 0) {
			what = strncmp(line, "Mitigation: ", 12) == 0 ?
				line + 12 : line;
			text_add(&value, "%s%s: %.*s", value.len ? ", " : "",
				names[i], (int)strcspn(what, ";"), what);
		}
		free(line);
	}
	add(t, "mitigations", value.len || !known ? value.s : "none needed");
	text_free(&value);
}

/* cpuinfo's flag says there is one; which one it is, the system files say. */
static void
add_hypervisor(struct text *t)
{
	char *flags = cpuinfo("flags");
	char *type = first_line("/sys/hypervisor/type");
	char *vendor = first_line("/sys/class/dmi/id/sys_vendor");
	bool guest = flags && strstr(flags, " hypervisor") != NULL;

	if (type != NULL)
		add(t, "hypervisor", type);
	else if (guest)
		add(t, "hypervisor", vendor ? vendor : "yes");
	else
		add(t, "hypervisor", flags ? "none seen" : NULL);
	free(flags);
	free(type);
	free(vendor);
}

static void
add_libc(struct text *t)
{
#ifdef __GLIBC__
	struct text value = {0};

	text_add(&value, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
	add(t, "libc", value.s);
	text_free(&value);
#elif defined(__linux__)
	add(t, "libc", "not glibc");
#else
	add(t, "libc", NULL);
#endif
}

static void
add_compiler(struct text *t)
{
	struct text value = {0};

#if defined(__clang__)
	text_add(&value, "clang %d.%d.%d", __clang_major__, __clang_minor__,
		__clang_patchlevel__);
#elif defined(__GNUC__)
	text_add(&value, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__,
		__GNUC_PATCHLEVEL__);
#else
	text_add(&value, "unknown");
#endif
	text_add(&value, " %s", BENCH_CFLAGS);
	add(t, "compiler", value.s);
	text_free(&value);
}

struct cpu_time
host_cpu_time(void)
{
	FILE *f = fopen("/proc/stat", "r");
	long ticks = sysconf(_SC_CLK_TCK);
	struct cpu_time t = {-1, -1};
	int *cpu, n = place_allowed(&cpu);
	char s[512];

	while (f != NULL && ticks > 0 && fgets(s, sizeof s, f) != NULL) {
		long long user, nice, system, irq, softirq, steal;
		int64_t ns = 1000000000 / ticks;
		int id, i = 0;

		if (sscanf(s, "cpu%d %lld %lld %lld %*d %*d %lld %lld %lld",
		    &id, &user, &nice, &system, &irq, &softirq, &steal) != 7)
			continue;
		while (i < n && cpu[i] != id)
			i++;
		if (i == n)
			continue;       /* not one of ours */
		t.busy = (t.busy < 0 ? 0 : t.busy) +
			(user + nice + system + irq + softirq) * ns;
		t.stolen = (t.stolen < 0 ? 0 : t.stolen) + steal * ns;
	}
	if (f != NULL)
		(void)fclose(f);
	free(cpu);
	return t;
}

bool
host_traced(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	long tracer = 0;
	char s[256];

	while (f != NULL && fgets(s, sizeof s, f) != NULL)
		if (sscanf(s, "TracerPid: %ld", &tracer) == 1)
			break;
	if (f != NULL)
		(void)fclose(f);
	return tracer != 0;
}

/* The path of this process's group in a hierarchy: "0::/path" (v2), or
 * "4:cpu,cpuacct:/path" (v1). */
static char *
group_path(bool v2)
{
	FILE *f = fopen("/proc/self/cgroup", "r");
	char s[4096], *path = NULL;

	while (f != NULL && path == NULL && fgets(s, sizeof s, f) != NULL) {
		char *names = strchr(s, ':');
		char *colon = names ? strchr(names + 1, ':') : NULL;

		if (colon == NULL)
			continue;
		*colon = '\0';
		if (v2 ? names[1] == '\0' : strcmp(names, ":cpu") == 0 ||
		    strncmp(names, ":cpu,", 5) == 0)
			path = need_copy(colon + 1, strcspn(colon + 1, "\n"));
	}
	if (f != NULL)
		(void)fclose(f);
	return path;
}

/* Open a file of this process's CPU group. In a container the group itself is
 * the root of what is mounted. */
static FILE *
group_file(bool v2, const char *name)
{
	const char *root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
	char *path = group_path(v2);
	FILE *f = NULL;

	for (int own = 1; own >= 0 && f == NULL; own--) {
		struct text t = {0};

		text_add(&t, "%s%s/%s", root, own && path ? path : "", name);
		f = fopen(t.s, "r");
		text_free(&t);
	}
	free(path);
	return f;
}

int64_t
host_throttled(void)
{
	bool v2 = true;
	FILE *f = group_file(v2, "cpu.stat");
	int64_t ns = -1;
	char s[128];

	if (f == NULL) {
		v2 = false;
		f = group_file(v2, "cpu.stat");
	}
	while (f != NULL && fgets(s, sizeof s, f) != NULL) {
		long long v;

		if (sscanf(s, "throttled_usec %lld", &v) == 1)
			ns = v * 1000;
		else if (sscanf(s, "throttled_time %lld", &v) == 1)
			ns = v;
	}
	if (f != NULL)
		(void)fclose(f);
	return ns;
}

/* "2.00 CPUs" of a quota, or "none". */
static void
add_quota(struct text *t)
{
	double quota = -1, period = 0;
	struct text value = {0};
	FILE *f = group_file(true, "cpu.max");

	if (f != NULL) {
		if (fscanf(f, "%lf %lf", &quota, &period) != 2)
			quota = -1;     /* "max 100000" */
		(void)fclose(f);
	} else if ((f = group_file(false, "cpu.cfs_quota_us")) != NULL) {
		if (fscanf(f, "%lf", &quota) != 1)
			quota = -1;
		(void)fclose(f);
		f = group_file(false, "cpu.cfs_period_us");
		if (f != NULL && fscanf(f, "%lf", &period) != 1)
			period = 0;
		if (f != NULL)
			(void)fclose(f);
	}
	if (quota > 0 && period > 0)
		text_add(&value, "%.2f CPUs", quota / period);
	add(t, "quota", value.len ? value.s : "none");
	text_free(&value);
}

int64_t
host_cache(void)
{
	char *line = first_line(CPU_FOLDER "cpu0/cache/index2/size");
	long long kib;
	int64_t size = 256 * 1024;

	if (line != NULL && sscanf(line, "%lldK", &kib) == 1)
		size = kib * 1024;
	free(line);
	return size;
}

struct clock_facts
host_clock(void)
{
	struct clock_facts facts = {0};
	int64_t first = clock_now(), last = first;
	int reads = 0;

	/* Long enough for a coarse clock (4 ms) to step; 200 us on a fine
	 * one. */
	while (last - first < 200000 && facts.wrong == NULL) {
		int64_t now = clock_now();

		reads++;
		if (now < last)
			facts.wrong = "CLOCK_MONOTONIC ran backwards: no "
				"number can be trusted here";
		else if (reads == READS_MOST)
			facts.wrong = "CLOCK_MONOTONIC stands still, or steps "
				"too seldom";
		if (now > last && (facts.step == 0 ||
		    (double)(now - last) < facts.step))
			facts.step = (double)(now - last);
		last = now;
	}
	facts.read = (double)(last - first) / reads;
	return facts;
}

static void
add_topology(struct text *t)
{
	struct text value = {0};

	text_add(&value, "%s%s", place_source(),
		place_simulated() ? " (simulated)" : "");
	add(t, "topology", value.s);
	text_free(&value);
	place_kinds(&value);
	if (value.len > 0)
		add(t, "kinds", value.s);
	text_free(&value);
}

void
host_block(struct text *t)
{
	struct utsname u = {0};
	struct text os = {0};

	(void)uname(&u);
	text_add(&os, "%s", u.sysname);
	for (size_t i = 0; i < os.len; i++)
		os.s[i] = (char)tolower((unsigned char)os.s[i]);
	add(t, "os", os.s);
	text_free(&os);
	add(t, "arch", u.machine);
	add_cpu(t);
	add_cpus(t);
	add_quota(t);
	add_topology(t);
	add(t, "kernel", u.release);
	add_preempt(t, u.version);
	add_mitigations(t);
	add_file(t, "idle", CPU_FOLDER "cpuidle/current_driver");
	add_file(t, "governor", CPU_FOLDER "cpu0/cpufreq/scaling_governor");
	add_hypervisor(t);
	add_choice(t, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	add_libc(t);
	add_compiler(t);
	add_file(t, "clock", "/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource");
}
