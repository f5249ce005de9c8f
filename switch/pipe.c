/* SPDX-License-Identifier: MIT */
/*
 * A token, one byte, goes round a ring of pipes. Each worker blocks in read(2)
 * on a pipe of its own and writes to its neighbour's. One op is one pass, a
 * write and a read: every op is a hand-off, and a kernel switch wherever the
 * receiver was asleep. The byte counts passes, so that a token that is lost or
 * doubled shows. Left out: creating the workers and the pipes.
 */
#include "bench.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

struct slot {
	_Alignas(BENCH_LINE) int fd[2]; /* the worker's own pipe: read, write */
	uint64_t passed;
};

/* A signal may end either call before its byte. */
static uint8_t
take(int fd)
{
	uint8_t token;
	ssize_t n;

	while ((n = read(fd, &token, 1)) != 1)
		if (n == 0 || errno != EINTR)
			bench_fail(n == 0 ? "a pipe was closed" : "read:");
	return token;
}

static void
give(int fd, uint8_t token)
{
	while (write(fd, &token, 1) != 1)
		if (errno != EINTR)
			bench_fail("write:");
}

static void
setup(struct run *run)
{
	struct slot *slots = bench_alloc((size_t)run->members * sizeof *slots);

	for (int i = 0; i < run->members; i++)
		if (pipe(slots[i].fd) != 0)
			bench_skip("pipe %d of %d (descriptors needed: %d):",
				i + 1, run->members, 2 * run->members);
	run->state = slots;
}

static void
reset(struct run *run)
{
	struct slot *slots = run->state;

	give(slots[0].fd[1], 0);
	for (int i = 0; i < run->members; i++)
		slots[i].passed = 0;
}

static uint64_t
pass(struct run *run, int member, uint64_t ops)
{
	struct slot *slots = run->state;
	int in = slots[member].fd[0];
	int out = slots[(member + 1) % run->members].fd[1];

	for (uint64_t i = ops; i > 0; i--) {
		give(out, (uint8_t)(take(in) + 1));
		slots[member].passed++;
	}
	return ops;
}

/* One token is left, in the pipe where the last pass put it. */
static void
count(struct run *run, struct tally *tally)
{
	struct slot *slots = run->state;
	int last;

	for (int i = 0; i < run->members; i++)
		tally->ops += slots[i].passed;
	tally->handoffs = (int64_t)tally->ops;
	last = (int)(tally->ops % (uint64_t)run->members);
	for (int i = 0; i < run->members; i++) {
		struct pollfd p = {.fd = slots[i].fd[0], .events = POLLIN};

		if (poll(&p, 1, 0) != (i == last))
			bench_fail("the token is not where the last pass was");
	}
	if (take(slots[last].fd[0]) != (uint8_t)tally->ops)
		bench_fail("the token does not show the number of passes");
}

static void
teardown(struct run *run)
{
	struct slot *slots = run->state;

	for (int i = 0; i < run->members; i++)
		if (close(slots[i].fd[0]) != 0 || close(slots[i].fd[1]) != 0)
			bench_fail("close:");
}

static const struct bench bench = {
	.name = "Pipe",
	.group = "switch",
	.unit = "handoff",
	.op = "write to next, read",
	.is_not = "a bare switch: two system calls that copy a byte through a "
		"buffer",
	.floor = "Syscall/as=bare",
	.parts = "Syscall/as=bare Syscall/as=bare",
	.worker = "worker",
	.work = WORK_TOTAL,
	.least = 2,
	.most = 4096,
	.as = {
		{.name = "thread", .crew = CREW_THREADS},
		{.name = "process", .crew = CREW_PROCESSES},
	},
	.setup = setup,
	.reset = reset,
	.run = pass,
	.count = count,
	.teardown = teardown,
};

int
main(int argc, char **argv)
{
	return bench_main(argc, argv, &bench);
}
