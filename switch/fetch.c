/* SPDX-License-Identifier: MIT */
/*
 * Fetch pages from a server that takes its time over each, so many at a time,
 * a connection a page: what workers cost when they mostly wait. One op is a
 * page fetched, every byte of it checked. As threads: a new one for each page,
 * behind a semaphore. As processes: a pool of as many as may fetch at a time,
 * and forking it counts. As coroutines: a task for each page on one event loop
 * (peer/task.h over epoll), behind a semaphore. Left out: starting the server,
 * which this program forks (peer/server.c) and which times its own delays:
 * x-ideal is the time it took, by pages / at a time x the delay really given.
 */
#include "peer/fetchers.h"

static void
setup(struct run *run)
{
	state = bench_alloc(sizeof *state);
	state->server = server_start(run->param[1], run->workers + 16);
	if (run->as == AS_COROUTINE)
		tasks_setup((int)run->param[0]);
}

static void
reset(struct run *run)
{
	if (sem_init(&state->places, 0, (unsigned)run->workers) != 0)
		bench_fail("semaphore:");
	server_reset(state->server);
	state->next = state->fetched = 0;
}

static uint64_t
fetch_all(struct run *run, int member, uint64_t ops)
{
	(void)member;
	if (run->as == AS_THREAD)
		by_threads(run);
	else if (run->as == AS_PROCESS)
		by_processes(run);
	else
		tasks_run(run->workers, task);
	return ops;
}

static void
count(struct run *run, struct tally *tally)
{
	uint64_t pages = (uint64_t)run->param[0], at_a_time =
		(uint64_t)run->workers;
	uint64_t turns = (pages + at_a_time - 1) / at_a_time;
	double delay = (double)state->server->waited / (double)pages;

	server_check(state->server, pages);
	tally->ops = state->fetched;
	tally->more[0].unit = "x-ideal";
	tally->more[0].value = (double)run->wall / (delay * (double)turns);
	tally->more[1].unit = "delay-ns";
	tally->more[1].value = delay;
}

static void
teardown(struct run *run)
{
	(void)run;
	server_stop(state->server);
}

static const struct bench bench = {
	.name = "Fetch",
	.group = "peer",
	.unit = "request",
	.op = "a page fetched",
	.is_not = "a switch: most of it is the server's delay",
	.worker = "client",
	.work = WORK_FIXED,
	.least = 1,
	.most = 4096,
	.as = {{.name = "thread", .crew = CREW_ONE, .waits = true,
		.spawns = true},
		{.name = "process", .crew = CREW_ONE, .waits = true,
		.spawns = true},
		{.name = "coroutine", .crew = CREW_ONE, .waits = true,
		.lacks = TASK_LACKS}},
	.param = {{.name = "pages", .standard = 50, .least = 1,
		.most = 1000000, .help = "pages in all"},
		{.name = "delay", .standard = 2000000, .least = 1,
		.most = 10000000000, .help = "ns until a page is sent"}},
	.setup = setup,
	.reset = reset,
	.run = fetch_all,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
