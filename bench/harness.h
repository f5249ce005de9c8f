/* SPDX-License-Identifier: MIT */
/* What the files of bench/ share. Programs never include this. */
#ifndef HARNESS_H
#define HARNESS_H

#include "bench.h"

#define LIST_MOST 64            /* entries of any list given as an option */

/* place.c: where members of a crew sit. */

enum place_kind {
	PLACE_NONE, PLACE_SAME, PLACE_SMT, PLACE_LLC, PLACE_CROSS,
	PLACE_SPREAD, PLACE_LIST
};

/* A CPU and the numbers of what it is part of; equal numbers are the same
 * thing. Cores are numbered within their package or machine-wide. */
struct cpu {
	int id;                 /* as the kernel numbers it */
	int core, cache;        /* last-level cache; -1: unknown */
	int package, node;
	int kind;               /* of hybrid parts; the greatest is fastest */
	int thread;             /* 0: the first of its core that is allowed */
	int late;               /* taken last: its core serves interrupts */
};

struct machine {
	struct cpu *cpu;
	int cpus;
	const char *source;     /* "hwloc", "sysfs", "CPU numbers" */
	bool simulated;         /* not this machine: pin nothing */
	bool flat;              /* nothing is known but the numbers */
};

/* sysfs.c: fill in the machine from the kernel's files, CPUs of the inherited
 * mask only. False when the files are not there. */
bool sysfs_read(struct machine *machine);

struct place {
	enum place_kind kind;
	const char *name;       /* as given: "same", "0,1" */
	int *cpu;               /* member i sits on cpu[i % cpus] */
	int cpus;               /* 0: left to the scheduler */
	const char *lacks;      /* why the machine has no such placement */
	bool simulated;
};

/*
 * Parse a list of placement names, or of CPU numbers (one placement), into
 * places[most], zeroed or parsed before. Returns how many, or dies with a
 * usage error.
 */
int place_parse(const char *list, struct place *places, int most);

/* CPUs in the inherited affinity mask, ascending; *cpu is malloc'd. Returns
 * how many, or 0 when the system does not tell. */
int place_allowed(int **cpu);

/* Why members workers cannot sit so, or NULL when they can. */
const char *place_lacks(const struct place *place, int members);

/* The CPU of a member, -1 for none. */
int place_cpu(const struct place *place, int member);

/* How a member sits to member 0, "same core", in words. */
const char *place_relation(const struct place *place, int member);

/* Who told about the machine, and whether it is this one. */
const char *place_source(void);
bool place_simulated(void);

/* Append the CPUs of each kind of core, "0-7 | 8-15", the fastest kind first;
 * nothing where there is one kind only. */
void place_kinds(struct text *t);

/* How many CPUs so many members have between them under this placement. */
int place_width(const struct place *place, int members);

/*
 * Put the calling thread on cpu and read the mask back (sched_setaffinity(2)).
 * Returns 0, an errno value, or PLACE_IGNORED: the call succeeded without
 * effect.
 */
#define PLACE_IGNORED (-1)
#define PLACE_SIMULATED (-2)    /* not tried: see struct machine */
int place_bind(int cpu);

/* The CPU the caller is on, or -1. */
int place_current(void);

/* Append "0-3,8" for ascending numbers. */
void place_ranges(struct text *t, const int *cpu, int cpus);

/* crew.c: the members, their gates, clocks and usage. */

/* CLOCK_MONOTONIC in ns. */
int64_t clock_now(void);

/* One sample, over all members. A field is -1 where the system does not
 * tell. */
struct sample {
	uint64_t ops;           /* sum of what run() returned */
	int64_t wall;           /* ns, first start (of a total: member 0's, who
	                         * starts it) to last end */
	int64_t cpu;            /* ns of CPU time */
	int64_t delay;          /* ns runnable but not running (schedstat) */
	int64_t vcsw, ivcsw;    /* the kernel's count of switches */
	double overlap;         /* share of wall in which all were at it */
	int active;             /* members that did any op */
	struct tally tally;     /* what count() found */
};

/* What members found out about their CPUs; the worst of them. */
struct probe {
	double cycle;           /* ns of one dependent addition, member 0's */
	double empty;           /* ns of an empty turn of a loop, member 0's */
	double adds;            /* independent additions a cycle, member 0's */
	double gaps;            /* share of a millisecond that was lost */
	double line;            /* ns of a cache line between the CPUs of the
	                         * first two, or -1 */
};

struct crew;

/* Start run->members members and wait until each sits where it should. Skips
 * the row ("49 of 512 threads: ...") when the system will not have so many. */
struct crew *crew_start(struct run *run, const struct place *place);

/* Why a member is not where the placement says, or NULL. */
const char *crew_misplaced(const struct crew *crew);

/*
 * One sample: ops in all, or, when ops is 0, until at least least ns have
 * passed since the last member started. Fails the row when it takes longer
 * than limit s (0: no limit) or a member dies.
 */
void crew_sample(struct crew *crew, uint64_t ops, int64_t least, int limit,
	struct sample *sample);

/* Did a member end its last sample elsewhere than where it was pinned? */
bool crew_moved(const struct crew *crew);

/* Let the members look at their CPUs, the first on each. */
void crew_probe(struct crew *crew, int limit, struct probe *probe);

/* Append the CPU that each member last ran on. */
void crew_cpus(const struct crew *crew, struct text *t);
void crew_stop(struct crew *crew);

/* probe.c: run by a member, on its CPU. */

/*
 * ns of one dependent addition, the fastest of five short chains: a clock
 * cycle. (Not of a constant, which newer cores fold.) And how many independent
 * ones, of four chains, take no longer: 3.3 to 4 on a core of one's own, fewer
 * while its other hardware thread is busy, be it another guest's.
 */
void probe_core(double *cycle, double *adds);

/* ns of one turn of a loop that does nothing: the least that an op can cost.
 * An op under half of it was deleted by the compiler. */
double probe_empty(void);

/* The share of a millisecond of back-to-back clock reads that went by in steps
 * over 5 us: whoever takes a CPU away, a hypervisor included, shows here. */
double probe_gaps(void);

/* ns that a cache line takes from one CPU to the other, seen by both, of which
 * first is one. -1 when the other does not answer within 2 ms. */
double probe_line(atomic_int *mine, atomic_int *others, bool first);

struct clocks {
	int64_t monotonic, raw;
};

/* Time of the CPUs we may use so far (/proc/stat), in ns; -1: not known. */
struct cpu_time {
	int64_t busy;           /* spent on any task or interrupt */
	int64_t stolen;         /* taken by the hypervisor */
};

/* What went on around one sample. */
struct around {
	struct probe before, after;
	struct cpu_time cpus;   /* ns, as throttled; -1: not known */
	int64_t throttled;
	struct clocks clocks;
	double drift;           /* of the clock against the raw one, relative */
	double adds_most;       /* ever seen here, or in an earlier round */
};

/* Call right before and right after a sample; the probe after one is the probe
 * before the next, so crew_probe(&around->after) comes before the first. */
void around_begin(struct around *around);
void around_end(struct around *around, struct crew *crew, int limit);

/* ns of a cycle where both sides of the sample agree on it within 1 %, in a row
 * that can have cycles; else 0. */
double around_cycle(const struct around *around, const struct run *run,
	const struct place *place);

/* Append " lost=0.01 gaps=0 ... disturbed=busy,gaps". */
void around_text(const struct around *around, const struct run *run,
	const struct place *place, const struct sample *s, double cycle,
	struct text *t);

/* host.c */

/* Append the key: value lines of this machine and build. */
void host_block(struct text *t);

/* Clock facts: smallest step seen and cost of a read, in ns. */
struct clock_facts {
	double step, read;
	const char *wrong;      /* why it is no clock, or NULL */
};
struct clock_facts host_clock(void);

struct cpu_time host_cpu_time(void);

/* Does another process trace this one (ptrace(2))? */
bool host_traced(void);

/* ns that a CPU quota took so far (cgroup cpu.stat), -1: not known. */
int64_t host_throttled(void);

/* Bytes of the second-level cache; 256 KiB when the system does not tell. */
int64_t host_cache(void);

/* bench.c */

/* The row's process goes on to something that may hang ("setup"), or to what
 * is watched elsewhere (NULL). */
void row_does(struct run *run, const char *what);

/* option.c */

struct options {
	int workers[LIST_MOST], worker_count;
	struct place places[LIST_MOST];
	int place_count;
	int as[BENCH_WAYS], as_count;
	int64_t param[BENCH_PARAMS][LIST_MOST];
	int param_count[BENCH_PARAMS];
	const char *text;       /* the program's text option, or NULL */
	uint64_t ops;           /* -n; 0: calibrate, or until stopped */
	int samples;
	int64_t least;          /* ns a sample lasts at least */
	int limit;              /* s a sample may take */
	int round;              /* 0: not part of a driver's run */
	int adds;               /* most additions a cycle seen in earlier
	                         * rounds, in hundredths; 0: none */
	bool bare;              /* records only: a driver wrote the rest */
	bool about, host, plan;
};

/* Parse, or print help and exit 0, or die with a usage error. */
void options_parse(int argc, char **argv, const struct bench *bench,
	struct options *options);
void options_free(struct options *options);

#endif
