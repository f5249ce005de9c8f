/* SPDX-License-Identifier: MIT */
/*
 * Members as threads or forked processes. All of them block at a gate before
 * each sample; each reads its own clock and usage on the way in and out.
 * Every member is a thread or a process of its own, even a single one: in a
 * process that never had a second thread glibc takes locks without atomics.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000

struct usage {
	int64_t cpu, delay, vcsw, ivcsw;
};

/* A member writes its own; the row's process reads it when done is posted. */
struct member {
	_Alignas(BENCH_LINE) sem_t go;
	struct crew *crew;
	int misplaced;          /* what place_bind returned */
	int index, cpu;
	bool first;             /* on its CPU; without one, of all */
	int last_cpu;
	pid_t pid;
	pthread_t thread;
	uint64_t ops;
	int64_t start, end;
	struct usage before, after;
	struct probe probe;
	_Alignas(BENCH_LINE) atomic_int line;   /* of probe_line */
};

struct crew {
	_Alignas(BENCH_LINE) atomic_int stop;
	_Alignas(BENCH_LINE) atomic_int started;
	int awaited;            /* members that must start before we go on */
	sem_t done, all_started;
	enum { SAMPLE, PROBE, QUIT } job;
	int pair[2];            /* members on two CPUs, for probe_line; or -1 */
	struct run *run;
	int members;
	struct member member[];
};

int64_t
clock_now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS + t.tv_nsec;
}

/* The second number of schedstat: ns spent runnable on a run queue.
 * Opened each time: 4,096 descriptors are over many a limit. */
static int64_t
run_delay(void)
{
	char s[96];
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	long long ran, waited;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, s, sizeof s - 1);
	(void)close(fd);
	if (n <= 0)
		return -1;
	s[n] = '\0';
	return sscanf(s, "%lld %lld", &ran, &waited) == 2 ? waited : -1;
}

static int64_t
timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * NS + (int64_t)t.tv_usec * 1000;
}

/* Of the calling thread, of its process, or of that with the children that it
 * has reaped, where run() spawns its own. */
static void
read_usage(const struct run *run, struct usage *u)
{
	bool spawns = run->bench->as[run->as].spawns;
	bool process = run->processes || spawns;
	struct timespec t;
	struct rusage r;
	int who = RUSAGE_SELF;

#ifdef RUSAGE_THREAD
	if (!process)
		who = RUSAGE_THREAD;
#else
	if (!process)
		who = INT_MIN;  /* not to be had for one thread */
#endif
	*u = (struct usage){-1, spawns ? -1 : run_delay(), -1, -1};
	if (clock_gettime(process ? CLOCK_PROCESS_CPUTIME_ID :
	    CLOCK_THREAD_CPUTIME_ID, &t) == 0)
		u->cpu = (int64_t)t.tv_sec * NS + t.tv_nsec;
	if (getrusage(who, &r) == 0) {
		u->vcsw = r.ru_nvcsw;
		u->ivcsw = r.ru_nivcsw;
	}
	if (spawns && u->cpu >= 0 && getrusage(RUSAGE_CHILDREN, &r) == 0) {
		u->cpu += timeval_ns(r.ru_utime) + timeval_ns(r.ru_stime);
		u->vcsw += r.ru_nvcsw;
		u->ivcsw += r.ru_nivcsw;
	}
}

/*
 * Contexts have small stacks, so a handler that some tool installs must be
 * able to run elsewhere. SIGSTKSZ is too small for new register sets, and no
 * constant since glibc 2.34.
 */
static void
own_signal_stack(void)
{
	long size = -1;
	stack_t s = {0};

#ifdef _SC_SIGSTKSZ
	size = sysconf(_SC_SIGSTKSZ);
#endif
	if (size < 64 * 1024)
		size = 64 * 1024;
	s.ss_size = (size_t)size;
	s.ss_sp = mmap(NULL, s.ss_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s.ss_sp != MAP_FAILED)
		(void)sigaltstack(&s, NULL);
}

static void
wait_on(sem_t *sem)
{
	while (sem_wait(sem) != 0)
		if (errno != EINTR)
			bench_fail("gate:");
}

static uint64_t
share(const struct run *run, int member)
{
	const struct bench *bench = run->bench;
	uint64_t members = (uint64_t)run->members;

	if (run->ops == 0)
		return UINT64_MAX;
	if (run->members == 1 || bench->drivers > 0)
		return run->ops;
	if (bench->work == WORK_TOTAL)
		return bench_turns(run->ops, run->members, member);
	return run->ops / members + (member == 0 ? run->ops % members : 0);
}

/* Only the first member on each CPU looks. */
static void
look(struct member *m)
{
	struct crew *crew = m->crew;
	struct probe *p = &m->probe;

	*p = (struct probe){.cycle = -1, .line = -1};
	if (!m->first)
		return;
	probe_core(&p->cycle, &p->adds);
	p->empty = probe_empty();
	p->gaps = probe_gaps();
	for (int i = 0; i < 2 && crew->pair[1] >= 0; i++)
		if (crew->pair[i] == m->index)
			p->line = probe_line(&m->line,
				&crew->member[crew->pair[1 - i]].line, i == 0);
}

static void *
work(void *arg)
{
	struct member *m = arg;
	struct crew *crew = m->crew;
	struct run *run = crew->run;

	own_signal_stack();
	if (m->cpu >= 0)
		m->misplaced = place_bind(m->cpu);
	(void)sem_post(&crew->done);
	for (;;) {
		wait_on(&m->go);
		if (crew->job == QUIT)
			return NULL;
		if (crew->job == PROBE) {
			look(m);
			(void)sem_post(&crew->done);
			continue;
		}
		read_usage(run, &m->before);
		m->start = clock_now();
		if (atomic_fetch_add(&crew->started, 1) + 1 == crew->awaited)
			(void)sem_post(&crew->all_started);
		m->ops = run->bench->run(run, m->index, share(run, m->index));
		m->end = clock_now();
		read_usage(run, &m->after);
		m->last_cpu = place_current();
		(void)sem_post(&crew->done);
	}
}

/* Names a limit that explains why only some of the members could be had. */
static void
skip_short(int got, int wanted, const char *what, int err)
{
	struct text limits = {0};
	struct rlimit r;

#ifdef RLIMIT_NPROC
	if (getrlimit(RLIMIT_NPROC, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
		text_add(&limits, "; ulimit -u is %llu",
			(unsigned long long)r.rlim_cur);
#endif
#ifdef RLIMIT_AS
	if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
		text_add(&limits, "; ulimit -v is %llu KiB",
			(unsigned long long)r.rlim_cur / 1024);
#endif
	bench_skip("%d of %d %s: limit reached (%s%s)", got, wanted, what,
		strerror(err), limits.len ? limits.s : "");
}

static void
start_processes(struct crew *crew)
{
	for (int i = 0; i < crew->members; i++) {
		struct member *m = &crew->member[i];
		pid_t pid = bench_fork();

		if (pid < 0) {
			int err = errno;

			for (int k = 0; k < i; k++)
				(void)kill(crew->member[k].pid, SIGKILL);
			/* Until they are reaped they count for the next row. */
			for (int k = 0; k < i; k++)
				(void)waitpid(crew->member[k].pid, NULL, 0);
			skip_short(i, crew->members, "processes", err);
		}
		if (pid > 0) {
			m->pid = pid;   /* shared: the child must not store 0 */
			continue;
		}
		(void)work(m);
		_exit(EXIT_OK);
	}
}

static void
start_threads(struct crew *crew)
{
	size_t stack = 256 * 1024;
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	/* The default, 8 MiB, is 32 GiB of address space for 4,096 of them. */
#ifdef PTHREAD_STACK_MIN
	if (stack < (size_t)PTHREAD_STACK_MIN)
		stack = (size_t)PTHREAD_STACK_MIN;
#endif
	if (err == 0)
		err = pthread_attr_setstacksize(&attr, stack);
	if (err != 0)
		bench_fail("thread attributes: %s", strerror(err));
	for (int i = 0; i < crew->members; i++) {
		err = pthread_create(&crew->member[i].thread, &attr, work,
			&crew->member[i]);
		if (err != 0)
			skip_short(i, crew->members, "threads", err);
	}
	(void)pthread_attr_destroy(&attr);
}

/* A member that died would be waited for until the limit. */
static void
check_alive(const struct crew *crew)
{
	for (int i = 0; crew->run->processes && i < crew->members; i++) {
		int status;

		if (waitpid(crew->member[i].pid, &status, WNOHANG) <= 0)
			continue;
		if (WIFSIGNALED(status))
			bench_fail("worker %d was killed by signal %d", i,
				WTERMSIG(status));
		/* It has said why itself. */
		_exit(WEXITSTATUS(status));
	}
}

/*
 * Waits in slices of a second and counts those, rather than look at a clock:
 * a program that was stopped and continued has made no progress, but has not
 * hung either.
 */
static void
wait_for(struct crew *crew, sem_t *sem, int limit)
{
	for (int slices = 0;;) {
		struct timespec t;

		(void)clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec++;
		if (sem_timedwait(sem, &t) == 0)
			return;
		if (errno == EINTR)
			continue;
		if (errno != ETIMEDOUT)
			bench_fail("waiting for workers:");
		check_alive(crew);
		if (limit > 0 && ++slices >= limit)
			bench_fail("no end after %d s: a worker hangs, or -n "
				"is too large (--limit)", limit);
	}
}

struct crew *
crew_start(struct run *run, const struct place *place)
{
	size_t members = (size_t)run->members;
	struct crew *crew = bench_alloc(sizeof *crew +
		members * sizeof crew->member[0]);

	crew->run = run;
	crew->members = run->members;
	crew->pair[0] = crew->pair[1] = -1;
	run->stop = &crew->stop;
	if (sem_init(&crew->done, 1, 0) != 0 ||
	    sem_init(&crew->all_started, 1, 0) != 0)
		bench_fail("semaphore:");
	for (int i = 0; i < crew->members; i++) {
		struct member *m = &crew->member[i];

		m->crew = crew;
		m->index = i;
		m->cpu = place_cpu(place, i);
		m->last_cpu = -1;
		if (place->simulated)
			m->cpu = -1;
		if (m->cpu < 0 && place->kind != PLACE_NONE)
			m->misplaced = place->simulated ? PLACE_SIMULATED :
				ENOSYS;
		m->first = m->cpu >= 0 || i == 0;
		for (int k = 0; k < i && m->cpu >= 0; k++)
			m->first &= crew->member[k].cpu != m->cpu;
		if (m->first && m->cpu >= 0 && crew->pair[1] < 0)
			crew->pair[crew->pair[0] >= 0] = i;
		if (sem_init(&m->go, 1, 0) != 0)
			bench_fail("semaphore:");
	}
	if (run->processes)
		start_processes(crew);
	else
		start_threads(crew);
	for (int i = 0; i < crew->members; i++)
		wait_for(crew, &crew->done, 30);
	return crew;
}

const char *
crew_misplaced(const struct crew *crew)
{
	for (int i = 0; i < crew->members; i++) {
		int err = crew->member[i].misplaced;

		if (err == PLACE_SIMULATED)
			return "the topology is simulated";
		if (err == PLACE_IGNORED)
			return "the affinity call was ignored";
		if (err != 0)
			return strerror(err);
	}
	return NULL;
}

/* For the members from first on. */
static void
open_gate(struct crew *crew, int first)
{
	for (int i = crew->members - 1; i >= first; i--)
		if (sem_post(&crew->member[i].go) != 0)
			bench_fail("gate:");
}

static void
sleep_for(int64_t ns)
{
	struct timespec t = {(time_t)(ns / NS), (long)(ns % NS)};

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}

/* ns between the first and the last start. All members have started. */
static int64_t
start_spread(const struct crew *crew)
{
	int64_t first = INT64_MAX, last = 0;

	for (int i = 0; i < crew->members; i++) {
		int64_t start = crew->member[i].start;

		first = start < first ? start : first;
		last = start > last ? start : last;
	}
	return last - first;
}

/* Differences add up; one that could not be read makes the sum unknown. */
static void
add(int64_t *sum, int64_t before, int64_t after)
{
	if (*sum >= 0)
		*sum = before < 0 || after < 0 ? -1 : *sum + after - before;
}

static void
sum_up(const struct crew *crew, struct sample *s)
{
	int64_t first = INT64_MAX, last = 0, first_end = INT64_MAX;
	int64_t spread = start_spread(crew);

	*s = (struct sample){0};
	for (int i = 0; i < crew->members; i++) {
		const struct member *m = &crew->member[i];

		if (m->end < m->start)
			bench_fail("the clock ran backwards by %lld ns",
				(long long)(m->start - m->end));
		first = m->start < first ? m->start : first;
		last = m->end > last ? m->end : last;
		first_end = m->end < first_end ? m->end : first_end;
		s->ops += m->ops;
		s->active += m->ops > 0;
		add(&s->cpu, m->before.cpu, m->after.cpu);
		add(&s->delay, m->before.delay, m->after.delay);
		add(&s->vcsw, m->before.vcsw, m->after.vcsw);
		add(&s->ivcsw, m->before.ivcsw, m->after.ivcsw);
	}
	/* Where member 0 starts it all, nothing was done before it. */
	if (crew->run->bench->work == WORK_TOTAL) {
		first += spread;
		spread = 0;
	}
	s->wall = last - first;
	if (first_end > first + spread)
		s->overlap = (double)(first_end - first - spread) /
			(double)s->wall;
}

void
crew_sample(struct crew *crew, uint64_t ops, int64_t least, int limit,
	struct sample *sample)
{
	struct run *run = crew->run;
	/* Member 0 passes the first token or wakes the others: it finds them
	 * all at their places. */
	int first = run->bench->work == WORK_TOTAL && crew->members > 1;

	run->ops = ops;
	crew->job = SAMPLE;
	crew->awaited = crew->members - first;
	atomic_store(&crew->stop, 0);
	atomic_store(&crew->started, 0);
	row_does(run, "reset");
	if (run->bench->reset != NULL)
		run->bench->reset(run);
	row_does(run, NULL);
	open_gate(crew, first);
	wait_for(crew, &crew->all_started, limit);
	if (first > 0 && sem_post(&crew->member[0].go) != 0)
		bench_fail("gate:");
	if (ops == 0) {
		/* The time in which members start one after another is not to
		 * count: overlap over 0.9 where they really meet. */
		int64_t starts = 15 * start_spread(crew);

		sleep_for(starts > least ? starts : least);
		atomic_store(&crew->stop, 1);
	}
	for (int i = 0; i < crew->members; i++)
		wait_for(crew, &crew->done, limit);
	sum_up(crew, sample);
}

bool
crew_moved(const struct crew *crew)
{
	for (int i = 0; i < crew->members; i++) {
		const struct member *m = &crew->member[i];

		if (m->cpu >= 0 && m->last_cpu >= 0 && m->last_cpu != m->cpu)
			return true;
	}
	return false;
}

void
crew_probe(struct crew *crew, int limit, struct probe *probe)
{
	crew->job = PROBE;
	for (int i = 0; i < crew->members; i++)
		atomic_store(&crew->member[i].line, 0);
	open_gate(crew, 0);
	for (int i = 0; i < crew->members; i++)
		wait_for(crew, &crew->done, limit);
	*probe = crew->member[0].probe;
	for (int i = 1; i < crew->members; i++) {
		if (crew->member[i].probe.line >= 0)
			probe->line = crew->member[i].probe.line;
		if (crew->member[i].probe.gaps > probe->gaps)
			probe->gaps = crew->member[i].probe.gaps;
	}
}

void
crew_cpus(const struct crew *crew, struct text *t)
{
	/* A list of hundreds helps nobody; the placement is in the name. */
	for (int i = 0; i < crew->members && i < 16; i++)
		text_add(t, "%s%d", i ? "," : "", crew->member[i].last_cpu);
	if (crew->members > 16)
		text_add(t, ",...");
}

void
crew_stop(struct crew *crew)
{
	crew->job = QUIT;
	open_gate(crew, 0);
	for (int i = 0; i < crew->members; i++) {
		struct member *m = &crew->member[i];
		int status, err;

		if (!crew->run->processes) {
			err = pthread_join(m->thread, NULL);
			if (err != 0)
				bench_fail("pthread_join: %s", strerror(err));
		} else if (waitpid(m->pid, &status, 0) != m->pid ||
		    status != 0) {
			bench_fail("worker %d did not end well", i);
		}
	}
}
