/* SPDX-License-Identifier: MIT */
/*
 * The contract between a program and the harness. A program is one file that
 * includes this header first, fills in one struct bench and returns
 * bench_main() from main; the harness does the rest: options, workers, gates,
 * clocks, calibration, the check of the answer, the records.
 *
 * A row is one combination of a way to run, parameters, a placement and a
 * worker count. Each row runs in a process of its own, in this order:
 *
 *	setup		once, before any worker exists
 *	  reset		before each sample, while all workers wait
 *	  run		in every member of the crew at the same time
 *	  count		after each sample, when all of them are done
 *	teardown	once, after the last worker is gone
 */
#ifndef BENCH_H
#define BENCH_H

#include "util.h"               /* first: it sets the feature macros */

#include <stdatomic.h>
#include <sys/types.h>

/*
 * What a link probe found (build.sh), else what the system is known to have.
 * Each can be forced off: -DHAVE_FUTEX=0.
 */
#ifndef HAVE_FUTEX
#ifdef __linux__
#define HAVE_FUTEX 1
#else
#define HAVE_FUTEX 0
#endif
#endif
#ifndef HAVE_AFFINITY
#ifdef __linux__
#define HAVE_AFFINITY 1
#else
#define HAVE_AFFINITY 0
#endif
#endif
#ifndef HAVE_EPOLL              /* and timerfd */
#ifdef __linux__
#define HAVE_EPOLL 1
#else
#define HAVE_EPOLL 0
#endif
#endif
#ifndef HAVE_HWLOC
#define HAVE_HWLOC 0            /* needs -lhwloc */
#endif
#ifndef HAVE_UCONTEXT
#ifdef __GLIBC__
#define HAVE_UCONTEXT 1
#else
#define HAVE_UCONTEXT 0
#endif
#endif

/* Bytes between fields that different workers write: two cache lines, since
 * the adjacent-line prefetcher moves them in pairs. */
#define BENCH_LINE 128

/* How many ops a worker that runs until stopped does between two looks. */
#define BENCH_BATCH 64

#define BENCH_WAYS 4            /* entries of as[], param[] */
#define BENCH_PARAMS 4
#define BENCH_MORE 2

/* Who calls run(). */
enum bench_crew {
	CREW_ONE,               /* one thread, which drives all workers */
	CREW_THREADS,           /* a thread for each worker */
	CREW_PROCESSES          /* a forked process for each worker */
};

/* What ends a sample, and what its wall time is divided by. */
enum bench_work {
	/* A given total of ops, calibrated, or -n. Rings, one-thread programs.
	 * Member 0 starts it: the others are at their places by then, and the
	 * clock runs from its start. */
	WORK_TOTAL,
	/*
	 * All workers want the same thing and go on until stopped. With -n they
	 * share that total instead: another measurement, so the row's name gets
	 * /total=N, and its overlap says whether they met at all.
	 */
	WORK_CONTEND,
	/* The same, but nothing is shared: ns are per worker, that is
	 * wall x min(workers, CPUs) / ops. */
	WORK_BESIDE,
	/* param[0] is the total, always in the row's name, done once a sample:
	 * no calibration, no warm-up. -n is another word for it. */
	WORK_FIXED
};

/* One entry of as[]: a way to run the same thing. */
struct bench_way {
	const char *name;       /* "thread"; in the row's name if there are
	                         * two */
	enum bench_crew crew;
	const char *op;         /* if it differs from the program's */
	const char *floor;      /* likewise */
	const char *lacks;      /* why it cannot be built here, or NULL: the
	                         * row is skipped with that reason */
	bool waits;             /* the crew sleeps while others do the work:
	                         * its idle time says nothing */
	bool spawns;            /* run() makes threads or processes, and ends
	                         * them: what they use counts too */
};

/* A further axis, an option --name LIST. In the row's name when not at its
 * default. Values are bounded integers. */
struct bench_param {
	const char *name;
	int64_t standard, least, most;
	const char *help;       /* one line, with the unit */
};

/* One row while it runs. Lies in memory that all workers share. */
struct run {
	const struct bench *bench;
	int workers;
	int members;            /* threads or processes that call run() */
	int as;                 /* index into bench->as */
	bool processes;         /* members are processes: futexes, mutexes and
	                         * what else they meet on must be shared */
	int64_t param[BENCH_PARAMS];
	const char *text;       /* the text option's value, or NULL */
	uint64_t ops;           /* total asked of this sample; 0: until
	                         * stopped */
	int64_t wall;           /* ns that the sample took: for count() */
	void *state;            /* the program's, from bench_alloc */
	atomic_int *stop;
	bool over;              /* the harness's: all samples were taken */
	atomic_flag told;       /* likewise: why the row ended */
	const char *doing;      /* likewise: what could hang now, or NULL */
	atomic_uint steps;      /* likewise: such things so far */
};

/* What count() found. */
struct tally {
	uint64_t ops;           /* that really happened, recomputed from
	                         * state */
	int64_t handoffs;       /* ops whose owner differs from the previous
	                         * op's owner; left at -1: not counted */
	/* What else there is to say of the sample; no unit: nothing. */
	struct {
		const char *unit;
		double value;
	} more[BENCH_MORE];
};

struct bench {
	const char *name;       /* "Mutex": BenchmarkMutex/... */
	const char *group;      /* "switch", "gen", "loop", "peer" */
	const char *unit;       /* "acquire": ns/acquire */
	const char *op;         /* what one op is; at most 22 characters */
	const char *is_not;     /* what a reader might take it for */
	const char *floor;      /* the row it stands on, "Syscall/as=mask", or
	                         * NULL */
	const char *worker;     /* what -w counts: "thread", "context" ... */
	enum bench_work work;
	int least, most;        /* workers */
	bool apart;             /* members need a CPU each: more are skipped */
	/* Bytes that a worker works on, where no op enters the kernel: such
	 * rows get cycles, if all of it fits the cache. 0: no cycles. */
	size_t footprint;
	/* The rows whose sum this one exceeds by what is its own, such as
	 * "Syscall/as=wake Syscall/as=wait", on one CPU. Or NULL. */
	const char *parts;
	int drivers;            /* members beyond the workers (a waker); they
	                         * come first: member 0 is one */
	struct bench_way as[BENCH_WAYS];        /* at least one */
	struct bench_param param[BENCH_PARAMS];
	/* One option that takes text. Its rows are others: /with=NAME. check,
	 * if there is one, dies with a usage error when it is wrong. */
	struct {
		const char *name, *help;
		void (*check)(const char *text);
	} text;

	/* Any of these but run and count may be NULL. */
	/* The ns that a sample run until stopped has to last, by the row's
	 * parameters; if it is more than what was asked for. */
	int64_t (*lasts)(const struct run *);
	void (*setup)(struct run *);
	void (*reset)(struct run *);
	/*
	 * The hot loop. member is 0 .. members-1; ops is what this member is to
	 * do: its share of a total (the remainder goes to the first), all of it
	 * under CREW_ONE and with drivers, or UINT64_MAX until bench_stopped.
	 * Returns the ops it did. The sum over members must be what was asked.
	 */
	uint64_t (*run)(struct run *, int member, uint64_t ops);
	/* Recompute the answer. The harness fails the row when tally->ops is
	 * not the sum of what run() returned. */
	void (*count)(struct run *, struct tally *);
	void (*teardown)(struct run *);
};

/* Run the program. Returns the exit code for main: 0, 1, 2 or 77. */
int bench_main(int argc, char **argv, const struct bench *bench);

/*
 * size zeroed bytes, page-aligned, seen by threads and forked workers alike.
 * Call from setup. Skips the row when there is no memory. Freed with the row.
 */
void *bench_alloc(size_t size);

/* fork(2), but the child ends with its parent. */
pid_t bench_fork(void);

/* ns of one dependent addition on the caller's CPU, here and now: so that a
 * program can do a piece of computing of a given length. */
double bench_cycle(void);

/*
 * End this row, and no other, from setup, reset, run or count: "not possible
 * here" (77) or "failed" (1). The reason is recorded; one that ends in ':'
 * gets strerror(errno) appended.
 */
_Noreturn void bench_skip(const char *fmt, ...) FORMAT(1, 2);
_Noreturn void bench_fail(const char *fmt, ...) FORMAT(1, 2);

/* Has this sample been told to end? Relaxed: a plain load. */
static inline bool
bench_stopped(const struct run *run)
{
	return atomic_load_explicit(run->stop, memory_order_relaxed) != 0;
}

/* Take a batch off *left, which is what is left of run()'s ops. */
static inline int
bench_batch(uint64_t *left)
{
	int batch = *left < BENCH_BATCH ? (int)*left : BENCH_BATCH;

	*left -= (uint64_t)batch;
	return batch;
}

/* Worker i's part of total ops that go round a ring, starting at worker 0. */
static inline uint64_t
bench_turns(uint64_t total, int workers, int i)
{
	uint64_t w = (uint64_t)workers;

	return total / w + ((uint64_t)i < total % w ? 1 : 0);
}

/* A function that really is called. */
#if defined(__GNUC__)
#define BENCH_NOINLINE __attribute__((noinline))
#else
#define BENCH_NOINLINE
#endif

/*
 * Make the compiler believe that x is read and changed here: an op whose
 * result is kept so can be neither deleted nor hoisted nor folded into the
 * next. Costs nothing. x is an integer or pointer variable.
 */
#define bench_keep(x) __asm__ volatile("" : "+r"(x))

/* The same for a variable that has to live in memory, and for all memory. */
#define bench_keep_memory(x) __asm__ volatile("" : "+m"(x))
#define bench_clobber() __asm__ volatile("" : : : "memory")

#endif
