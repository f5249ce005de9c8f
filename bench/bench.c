/* SPDX-License-Identifier: MIT */
/* Rows: calibration, samples, the check of the answer, the records. */
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LAPS 20

/* The row that this process measures; bench_skip and bench_fail name it. */
static struct {
	char *name;
	bool bare;
	atomic_flag *told;
	struct clock_facts clock;
} row;

/* Records go out in one write each, so that an interrupt tears none. */
static void
record(const struct text *t)
{
	int err = put(STDOUT_FILENO, t->s, t->len);

	if (err != 0) {
		complain("standard output: %s", strerror(err));
		_exit(EXIT_FAILED);
	}
}

static _Noreturn void FORMAT(3, 0)
end_row(int code, const char *what, const char *fmt, va_list args)
{
	struct text t = {0}, reason = {0};
	size_t len = strlen(fmt);
	int err = errno;

	/* Of several threads or processes that find the same, one says so, and
	 * ends the others. */
	if (atomic_flag_test_and_set(row.told)) {
		(void)sleep(1);
		_exit(code);
	}
	text_addv(&reason, fmt, args);
	if (len > 0 && fmt[len - 1] == ':')
		text_add(&reason, " %s", strerror(err));
	text_add(&t, "# %s: %s: %s\n", what, row.name, reason.s);
	record(&t);
	/* A driver tells of skipped rows in its tables. */
	if (code == EXIT_FAILED || !row.bare)
		complain("%s: %s", row.name, reason.s);
	_exit(code);
}

void
bench_skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end_row(EXIT_SKIPPED, "skip", fmt, args);
	va_end(args);
}

void
bench_fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end_row(EXIT_FAILED, "fail", fmt, args);
	va_end(args);
}

pid_t
bench_fork(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid != 0)
		return pid;
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(EXIT_FAILED);
	return 0;
}

void *
bench_alloc(size_t size)
{
	void *p = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bench_skip("%zu bytes of shared memory:", size);
	return p;
}

void
row_does(struct run *run, const char *what)
{
	run->doing = what;
	atomic_fetch_add(&run->steps, 1);
}

static void
check_answer(struct run *run, uint64_t asked, struct sample *s)
{
	struct tally tally = {.handoffs = -1};

	run->wall = s->wall;
	row_does(run, "count");
	run->bench->count(run, &tally);
	row_does(run, NULL);
	if (asked != 0 && s->ops != asked)
		bench_fail("%llu ops were asked for and %llu done",
			(unsigned long long)asked, (unsigned long long)s->ops);
	if (tally.ops != s->ops)
		bench_fail("wrong answer: the workers did %llu ops, the state "
			"shows %llu", (unsigned long long)s->ops,
			(unsigned long long)tally.ops);
	if (s->ops == 0)
		bench_fail("no op was done");
	s->tally = tally;
}

static void
take_sample(struct crew *crew, struct run *run, const struct options *o,
	uint64_t ops, int64_t least, struct sample *s)
{
	/* On a busy machine they may all be told to stop before any of them
	 * got to run: that is no sample yet. */
	for (int k = 0; k == 0 || (k < 100 && ops == 0 && s->ops == 0); k++)
		crew_sample(crew, ops, least, o->limit, s);
	check_answer(run, ops, s);
	if (s->wall <= 0 && least > 0)
		bench_skip("%llu ops take less than a step of the clock, %.0f "
			"ns: give more (-n)", (unsigned long long)s->ops,
			row.clock.step);
}

/* ns of an empty turn of a loop beside the sample. It takes a cycle at best,
 * and more on a core that is shared, which an op need not feel. */
static double
least_op(const struct around *around)
{
	const double of[] = {around->before.empty, around->after.empty,
		around->before.cycle, around->after.cycle};
	double least = of[0];

	for (int i = 1; i < 4; i++)
		least = of[i] < least ? of[i] : least;
	return least;
}

/* Did an op cost less than half of that? */
static bool
is_deleted(const struct sample *s, const struct around *around)
{
	return s->cpu >= 0 &&
		(double)s->cpu < least_op(around) / 2 * (double)s->ops;
}

/* A compiler deletes an op for good; a CPU that changes its speed between the
 * loop and the sample only looks like it once or twice. */
static void
check_deleted(struct crew *crew, struct run *run, const struct options *o,
	uint64_t ops, int64_t least, struct sample s, struct around around)
{
	for (int k = 0; is_deleted(&s, &around); k++) {
		if (k == 5)
			bench_fail("%.3f ns of CPU an op, where an empty loop "
				"costs %.3f: the compiler deleted the op",
				(double)s.cpu / (double)s.ops,
				least_op(&around));
		around_begin(&around);
		take_sample(crew, run, o, ops, least, &s);
		around_end(&around, crew, o->limit);
	}
}

/* Grow until a sample lasts long enough, and does so twice: one preemption
 * would end the search ten times too early. A ring goes round at least
 * LAPS times: the first lap is cold, and in the last its workers end. */
static uint64_t
find_ops(struct crew *crew, struct run *run, const struct options *o,
	int64_t least)
{
	uint64_t ops = LAPS * (uint64_t)run->workers;
	struct sample s;

	for (int good = 0;;) {
		double grow;

		take_sample(crew, run, o, ops, 0, &s);
		if (s.wall >= least) {
			if (++good == 2)
				return ops;
			continue;
		}
		good = 0;
		grow = 1.2 * (double)least / (double)(s.wall > 0 ? s.wall : 1);
		grow = grow > 10 ? 10 : grow;
		if ((double)ops * grow > 1e18)
			bench_fail("no number of ops takes %lld ns",
				(long long)least);
		ops = (uint64_t)((double)ops * grow) + 1;
	}
}

/* How many times as long one sample took as the other, in wall time or in CPU
 * time: on a busy machine the wall time is mostly others'. */
static double
times_as_long(const struct sample *once, const struct sample *twice)
{
	double wall = (double)twice->wall / (double)(once->wall + 1);
	double cpu = (double)twice->cpu / (double)(once->cpu + 1);

	return once->cpu >= 0 && cpu > wall ? cpu : wall;
}

/* Twice the ops must take more than 1.5 times as long. One try is
 * enough: a busy machine can hide it, nothing can fake it. */
static void
check_scaling(struct crew *crew, struct run *run, const struct options *o,
	uint64_t ops)
{
	double best = 0;

	for (int k = 0; k < 20; k++) {
		struct sample once, twice;
		double ratio;

		take_sample(crew, run, o, ops, 0, &once);
		take_sample(crew, run, o, 2 * ops, 0, &twice);
		ratio = times_as_long(&once, &twice);
		if (ratio > 1.5)
			return;
		best = ratio > best ? ratio : best;
	}
	bench_fail("twice the ops took %.2f times as long: the time does not "
		"depend on them", best);
}

static void
add_value(struct text *t, double v, const char *unit)
{
	text_add(t, "  ");
	text_decimal(t, v, 6);
	text_add(t, " %s", unit);
}

static void
add_per_op(struct text *t, int64_t sum, uint64_t ops, const char *unit)
{
	if (sum >= 0)
		add_value(t, (double)sum / (double)ops, unit);
}

static void
write_sample(const struct crew *crew, struct run *run,
	const struct options *o, const struct place *place,
	const struct sample *s, const struct around *around)
{
	double cycle = around_cycle(around, run, place);
	struct text t = {0}, unit = {0};
	double ns = (double)s->wall / (double)s->ops;

	if (run->bench->work == WORK_BESIDE)
		ns *= place_width(place, run->members);
	text_add(&t, "# sample:");
	if (o->round > 0)
		text_add(&t, " round=%d", o->round);
	text_add(&t, " cpus=");
	crew_cpus(crew, &t);
	if (run->bench->work == WORK_TOTAL)
		text_add(&t, " n=%llu", (unsigned long long)run->ops);
	if (s->delay >= 0)
		text_add(&t, " delay_ns=%lld", (long long)s->delay);
	around_text(around, run, place, s, cycle, &t);
	text_add(&unit, "ns/%s", run->bench->unit);
	text_add(&t, "\nBenchmark%s  %llu", row.name,
		(unsigned long long)s->ops);
	add_value(&t, ns, unit.s);
	add_per_op(&t, s->tally.handoffs, s->ops, "handoffs/op");
	add_per_op(&t, s->vcsw, s->ops, "vcsw/op");
	add_per_op(&t, s->ivcsw, s->ops, "ivcsw/op");
	add_per_op(&t, s->cpu, s->ops, "cpu-ns/op");
	if (cycle > 0)
		add_value(&t, ns / cycle, "cycles/op");
	if (run->members > 1) {
		add_value(&t, s->overlap, "overlap");
		add_value(&t, s->active, "active");
	}
	for (int i = 0; i < BENCH_MORE && s->tally.more[i].unit; i++)
		add_value(&t, s->tally.more[i].value, s->tally.more[i].unit);
	text_add(&t, "\n");
	record(&t);
	text_free(&t);
	text_free(&unit);
}

/* The name of a row: way if there are several, parameters that are not at
 * their default or are the work to do, a total that replaced "until stopped",
 * place, workers. */
static char *
name_row(const struct run *run, const struct options *o,
	const struct place *place)
{
	const struct bench *bench = run->bench;
	struct text t = {0};

	text_add(&t, "%s", bench->name);
	if (bench->as[1].name != NULL)
		text_add(&t, "/as=%s", bench->as[run->as].name);
	if (run->text != NULL)
		text_add(&t, "/with=%s", bench->text.name);
	for (int i = 0; i < BENCH_PARAMS && bench->param[i].name; i++)
		if (run->param[i] != bench->param[i].standard ||
		    (i == 0 && bench->work == WORK_FIXED))
			text_add(&t, "/%s=%lld", bench->param[i].name,
				(long long)run->param[i]);
	if (o->ops != 0 && (bench->work == WORK_CONTEND ||
	    bench->work == WORK_BESIDE))
		text_add(&t, "/total=%llu", (unsigned long long)o->ops);
	if (place->kind != PLACE_NONE)
		text_add(&t, "/place=%s", place->name);
	text_add(&t, "/workers=%d", run->workers);
	return t.s;
}

static int
count_members(const struct bench *bench, int as, int workers)
{
	if (bench->as[as].crew == CREW_ONE)
		return 1;
	return workers + bench->drivers;
}

/* Why this row is not possible here, or NULL. */
static const char *
row_lacks(const struct run *run, const struct place *place)
{
	const char *lacks = run->bench->as[run->as].lacks;

	if (lacks == NULL)
		lacks = place_lacks(place, run->members);
	if (lacks == NULL && run->bench->apart &&
	    place_width(place, run->members) < run->members)
		lacks = "more workers than CPUs, and each needs its own";
	return lacks;
}

static void FORMAT(1, 2)
warn(const char *fmt, ...)
{
	struct text t = {0};
	va_list args;

	text_add(&t, "# warn: %s: ", row.name);
	va_start(args, fmt);
	text_addv(&t, fmt, args);
	va_end(args);
	text_add(&t, "\n");
	record(&t);
	text_free(&t);
}

/* In the row's own process. */
static void
measure(struct run *run, const struct options *o, const struct place *place)
{
	static const struct place nowhere = {.kind = PLACE_NONE};
	enum bench_work work = run->bench->work;
	uint64_t ops = o->ops;
	int64_t steps, least = o->least;
	const char *misplaced, *lacks = row_lacks(run, place);
	struct crew *crew;
	struct sample s;
	struct around around = {.adds_most = o->adds / 100.0};
	bool moved = false, traced = false;

	if (lacks != NULL)
		bench_skip("%s", lacks);
	row_does(run, "setup");
	row.clock = host_clock();
	if (row.clock.wrong != NULL)
		bench_fail("%s", row.clock.wrong);
	steps = (int64_t)(1000 * row.clock.step);
	least = steps > least ? steps : least;
	if (run->bench->lasts != NULL && run->bench->lasts(run) > least)
		least = run->bench->lasts(run);
	if (run->bench->setup != NULL)
		run->bench->setup(run);
	row_does(run, NULL);
	crew = crew_start(run, place);
	misplaced = crew_misplaced(crew);
	if (misplaced != NULL) {
		warn("not pinned (%s): measured as place=none", misplaced);
		place = &nowhere;
		free(row.name);
		row.name = name_row(run, o, place);
	}
	if (work == WORK_FIXED) {
		ops = (uint64_t)run->param[0];
	} else if (work == WORK_TOTAL && ops == 0) {
		ops = find_ops(crew, run, o, least);
		check_scaling(crew, run, o, ops);
	}
	/* The warm-up. Work of a fixed size is done as its authors did it:
	 * once, cold. */
	if (work == WORK_TOTAL || (work != WORK_FIXED && ops == 0))
		take_sample(crew, run, o, ops, least, &s);
	crew_probe(crew, o->limit, &around.after);
	for (int i = 0; i < o->samples; i++) {
		around_begin(&around);
		take_sample(crew, run, o, ops, least, &s);
		around_end(&around, crew, o->limit);
		check_deleted(crew, run, o, ops, least, s, around);
		write_sample(crew, run, o, place, &s, &around);
		moved |= misplaced == NULL && crew_moved(crew);
		traced |= host_traced();
	}
	if (moved)
		warn("moved off its CPUs while it ran (a mask that changed, "
			"a CPU that went offline)");
	if (traced)
		warn("traced while it ran (strace, a debugger)");
	row_does(run, "ending its workers");
	crew_stop(crew);
	row_does(run, "teardown");
	if (run->bench->teardown != NULL)
		run->bench->teardown(run);
	run->over = true;
}

/* A row's process could not say why it failed: "Name: why". */
static int
tell_failed(struct text *why)
{
	struct text line = {0};

	complain("%s", why->s);
	text_add(&line, "# fail: %s\n", why->s);
	record(&line);
	text_free(&line);
	text_free(why);
	return EXIT_FAILED;
}

static void
tick(int signal)
{
	(void)signal;           /* it is here to interrupt waitpid */
}

/*
 * Waits for the row's process. Returns what hung for limit s and was killed
 * for it, or NULL. Seconds are counted, as in crew.c: a process that is
 * stopped does not hang.
 */
static const char *
wait_for_row(struct run *run, pid_t pid, int limit, int *status)
{
	static const struct itimerval second = {{1, 0}, {1, 0}};
	struct sigaction on_tick = {.sa_handler = tick};
	bool stopped = false;
	unsigned steps = 0;
	int idle = 0;

	(void)sigaction(SIGALRM, &on_tick, NULL);
	(void)setitimer(ITIMER_REAL, &second, NULL);
	for (;;) {
		const char *doing;

		if (waitpid(pid, status, WUNTRACED | WCONTINUED) == pid) {
			if (WIFEXITED(*status) || WIFSIGNALED(*status))
				return NULL;
			stopped = WIFSTOPPED(*status);
			continue;
		}
		if (errno != EINTR)
			die(EXIT_FAILED, "waitpid:");
		doing = run->doing;
		idle = doing == NULL || stopped || steps != run->steps ? 0 :
			idle + 1;
		steps = run->steps;
		if (limit == 0 || idle < limit)
			continue;
		(void)kill(pid, SIGKILL);
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
		return doing;
	}
}

/*
 * A row has a process to itself: one that crashes, hangs or leaks takes no
 * other with it, and memory starts out the same for each.
 */
static int
run_row(struct run *run, const struct options *o, const struct place *place)
{
	pid_t pid;
	struct text why = {0};
	const char *hung;
	int status;

	run->over = false;
	atomic_flag_clear(&run->told);
	row_does(run, NULL);
	pid = bench_fork();
	if (pid < 0) {
		text_add(&why, "%s: fork: %s", row.name, strerror(errno));
		return tell_failed(&why);
	}
	if (pid == 0) {
		measure(run, o, place);
		exit(EXIT_OK);
	}
	hung = wait_for_row(run, pid, o->limit, &status);
	if (hung != NULL) {
		text_add(&why, "%s: no end of %s after %d s: it hangs "
			"(--limit)", row.name, hung, o->limit);
		return tell_failed(&why);
	}
	if (WIFEXITED(status) && (WEXITSTATUS(status) != EXIT_OK || run->over))
		return WEXITSTATUS(status);     /* it has said why itself */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		(void)raise(SIGPIPE);   /* nobody reads us: end as it did */
	if (WIFSIGNALED(status))
		text_add(&why, "%s: killed by signal %d", row.name,
			WTERMSIG(status));
	else
		text_add(&why, "%s: a worker ended the process", row.name);
	return tell_failed(&why);
}

static void
plan_row(const struct run *run, const struct place *place)
{
	struct text t = {0};
	const char *lacks = row_lacks(run, place);

	text_add(&t, "%s%s%s%s\n", row.name, lacks ? ": skipped: " : "",
		lacks ? lacks : "", place->simulated ? " (simulated)" : "");
	for (int i = 0; lacks == NULL && i < run->members; i++) {
		int cpu = place_cpu(place, i);

		text_add(&t, "  worker %d: ", i);
		if (cpu >= 0)
			text_add(&t, "cpu %d", cpu);
		else
			text_add(&t, "any cpu");
		text_add(&t, " (%s)\n", place_relation(place, i));
	}
	record(&t);
	text_free(&t);
}

/* What the descriptor says, for whoever reads the records: a line, and one
 * more for each way that differs from it. */
static void
about(const struct bench *bench, struct text *t)
{
	static const char *const work[] = {"total", "contend", "beside",
		"fixed"};

	text_add(t, "Unit ns/%s better=lower\n", bench->unit);
	if (bench->footprint > 0)
		text_add(t, "Unit cycles/op better=lower\n");
	for (int i = -1; i < BENCH_WAYS; i++) {
		const struct bench_way *way = i < 0 ? NULL : &bench->as[i];
		const char *op = bench->op, *floor = bench->floor;

		if (way != NULL && way->name == NULL)
			break;
		if (way != NULL && way->op == NULL && way->floor == NULL)
			continue;
		text_add(t, "# about: %s", bench->name);
		if (way != NULL)
			text_add(t, "/as=%s", way->name);
		if (way != NULL && way->op != NULL)
			op = way->op;
		if (way != NULL && way->floor != NULL)
			floor = way->floor;
		text_add(t, " group=%s unit=ns/%s work=%s", bench->group,
			bench->unit, work[bench->work]);
		if (floor != NULL)
			text_add(t, " floor=%s", floor);
		if (way == NULL && bench->as[1].name != NULL) {
			text_add(t, " as=");
			for (int k = 0; k < BENCH_WAYS && bench->as[k].name;
			    k++)
				text_add(t, "%s%s", k ? "," : "",
					bench->as[k].name);
		}
		if (bench->parts != NULL)
			text_add(t, " parts=\"%s\"", bench->parts);
		text_add(t, " worker=%s op=\"%s\" not=\"%s\"\n", bench->worker,
			op, bench->is_not);
	}
}

static void
header(const struct bench *bench, const struct options *o)
{
	struct text t = {0};

	if (!o->about) {
		struct clock_facts clock = host_clock();

		if (clock.wrong != NULL)
			die(EXIT_FAILED, "%s", clock.wrong);
		host_block(&t);
		text_add(&t, "# clock-cost: step %.0f ns, read %.1f ns\n",
			clock.step, clock.read);
	}
	if (!o->host)
		about(bench, &t);
	record(&t);
	text_free(&t);
}

/* Step through every combination of values; the last one turns fastest. */
static bool
next_combination(const struct options *o, int at[BENCH_PARAMS])
{
	for (int i = BENCH_PARAMS - 1; i >= 0; i--) {
		if (++at[i] < o->param_count[i])
			return true;
		at[i] = 0;
	}
	return false;
}

static int
worse(int a, int b)
{
	if (a == EXIT_OK || (a == EXIT_SKIPPED && b != EXIT_OK))
		return b;
	return a;
}

static int
do_row(const struct bench *bench, const struct options *o, struct run *run,
	const int at[BENCH_PARAMS], const struct place *place)
{
	int code = EXIT_OK;

	run->members = count_members(bench, run->as, run->workers);
	run->processes = bench->as[run->as].crew == CREW_PROCESSES;
	for (int i = 0; i < BENCH_PARAMS; i++)
		run->param[i] = o->param[i][at[i]];
	row.name = name_row(run, o, place);
	if (o->plan)
		plan_row(run, place);
	else
		code = run_row(run, o, place);
	free(row.name);
	row.name = NULL;
	return code;
}

int
bench_main(int argc, char **argv, const struct bench *bench)
{
	struct options o;
	struct run *run;
	int code = EXIT_OK;

	util_name(argc > 0 ? argv[0] : NULL);
	util_descriptors();
	options_parse(argc, argv, bench, &o);
	if (o.about || o.host || (!o.plan && !o.bare))
		header(bench, &o);
	if (o.about || o.host) {
		options_free(&o);
		return EXIT_OK;
	}
	row.bare = o.bare;
	run = bench_alloc(sizeof *run);
	run->bench = bench;
	run->text = o.text;
	row.told = &run->told;
	for (int a = 0; a < o.as_count; a++) {
		int at[BENCH_PARAMS] = {0};

		run->as = o.as[a];
		do {
			for (int p = 0; p < o.place_count; p++)
				for (int w = 0; w < o.worker_count; w++) {
					run->workers = o.workers[w];
					code = worse(code, do_row(bench, &o,
						run, at, &o.places[p]));
				}
		} while (next_combination(&o, at));
	}
	(void)munmap(run, sizeof *run);
	options_free(&o);
	return code;
}
