/* SPDX-License-Identifier: MIT */
/*
 * Load rows into a peer over connections that stay open, each waiting for the
 * peer's answer before it sends the next: one op is a row that the peer has
 * acknowledged. As threads and as processes: one a connection, which blocks.
 * As greenlets: a task with a stack for each (peer/task.h), on one thread. As
 * callbacks: one thread, one loop, a function called for each connection that
 * is ready. --batch rows go into one request; --work is computing of the
 * client's own for each row. Left out: connecting. What was loaded is read
 * back. The peer is a server that the program forks (peer/server.c); with
 * --postgres, a PostgreSQL (peer/peer_postgres.c).
 */
#include "peer/loaders.h"

static void
setup(struct run *run)
{
	size_t n = (size_t)run->workers;

	state = bench_alloc(sizeof *state + n * sizeof state->loader[0]);
	state->peer = run->text != NULL ? &peer_postgres : &peer_server;
	state->batch = (uint64_t)run->param[1];
	state->work = (uint64_t)((double)run->param[2] / bench_cycle());
	state->peer->setup(run);
	for (size_t i = 0; i < n; i++) {
		struct loader *l = &state->loader[i];

		l->x.fd = state->peer->connect(run);
		l->x.take = state->peer->take;
		l->message = bench_alloc(state->peer->room(state->batch));
		if (run->as >= AS_GREENLET)
			exchange_unblock(l->x.fd);
	}
	if (run->as == AS_GREENLET)
		tasks_setup(run->workers);
}

static void
reset(struct run *run)
{
	uint64_t next = 1;

	state->peer->reset();
	for (int i = 0; i < run->workers; i++) {
		struct loader *l = &state->loader[i];

		l->next = next;
		next += bench_turns(run->ops, run->workers, i);
		l->end = next;
		l->asked = l->loaded = 0;
	}
}

static uint64_t
load(struct run *run, int member, uint64_t ops)
{
	if (run->as == AS_GREENLET) {
		tasks_run(run->workers, task);
		return ops;
	}
	if (run->as == AS_CALLBACK) {
		callbacks(run);
		return ops;
	}
	while (step(&state->loader[member]) != 0)
		;
	return state->loader[member].loaded;
}

static void
count(struct run *run, struct tally *tally)
{
	uint64_t rows, ids;

	state->peer->read_back(&rows, &ids);
	if (ids != run->ops * (run->ops + 1) / 2)
		bench_fail("the ids of %llu rows add up to %llu",
			(unsigned long long)rows, (unsigned long long)ids);
	tally->ops = rows;
}

static void
teardown(struct run *run)
{
	(void)run;
	state->peer->teardown();
}

static const struct bench bench = {
	.name = "Rows",
	.group = "peer",
	.unit = "row",
	.op = "a row acknowledged",
	.is_not = "a switch: most of it is the network's and the peer's time",
	.worker = "connection",
	.work = WORK_FIXED,
	.least = 1,
	.most = 10000,
	.as = {{.name = "thread", .crew = CREW_THREADS, .waits = true},
		{.name = "process", .crew = CREW_PROCESSES, .waits = true},
		{.name = "greenlet", .crew = CREW_ONE, .waits = true,
		.lacks = TASK_LACKS},
		{.name = "callback", .crew = CREW_ONE, .waits = true}},
	.param = {{.name = "rows", .standard = 6000, .least = 1,
		.most = 1000000000, .help = "rows in all"},
		{.name = "batch", .standard = 1, .least = 1, .most = 1000,
		.help = "rows a request"},
		{.name = "work", .standard = 0, .least = 0,
		.most = 1000000000, .help = "ns of computing a row"},
		{.name = "delay", .standard = 0, .least = 0,
		.most = 10000000000, .help = "ns until the peer answers"}},
	.text = {"postgres", "load into it: 'host=... user=... dbname=...'",
		peer_postgres_check},
	.setup = setup,
	.reset = reset,
	.run = load,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
