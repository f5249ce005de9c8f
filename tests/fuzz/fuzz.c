/* SPDX-License-Identifier: MIT */
#define FUZZ_ITSELF
#include "fuzz.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Before each block. */
struct block {
	struct block *next, *previous;
	size_t size;
	size_t pad;             /* what follows is aligned as malloc does */
};

static struct block blocks = {&blocks, &blocks, 0, 0};
static jmp_buf end;
static int running;
static int file = -1;           /* of fuzz_file */

void
fuzz_demand(int holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "demanded: %s\n", what);
	abort();
}

void
fuzz_exit(int code)
{
	fuzz_demand(running, "an end within fuzz_one");
	/* Whatever the input is, it is its author's mistake and not ours. */
	fuzz_demand(code == 0 || code == 2, "exit code 0 or 2");
	longjmp(end, 1);
}

void *
fuzz_malloc(size_t size)
{
	return fuzz_realloc(NULL, size);
}

void *
fuzz_calloc(size_t n, size_t size)
{
	void *p = size > 0 && n > SIZE_MAX / size ? NULL :
		fuzz_realloc(NULL, n * size);

	if (p != NULL)
		memset(p, 0, n * size);
	return p;
}

/* Always moves, so that whoever keeps the old address is found out. */
void *
fuzz_realloc(void *old, size_t size)
{
	struct block *b = malloc(sizeof *b + size), *o = old;

	if (b == NULL)
		return NULL;
	*b = (struct block){b, b, size, 0};
	if (running) {
		b->next = blocks.next;
		b->previous = &blocks;
		b->next->previous = b->previous->next = b;
	}
	if (o != NULL) {
		o--;
		memcpy(b + 1, old, o->size < size ? o->size : size);
		fuzz_free(old);
	}
	return b + 1;
}

void
fuzz_free(void *p)
{
	struct block *b = p;

	if (b == NULL)
		return;
	b--;
	b->next->previous = b->previous;
	b->previous->next = b->next;
	free(b);
}

const char *
fuzz_file(const void *data, size_t size)
{
	static char name[64];

	if (file < 0)
		file = memfd_create("fuzz", MFD_CLOEXEC);
	fuzz_demand(file >= 0 && ftruncate(file, 0) == 0 &&
		pwrite(file, data, size, 0) == (ssize_t)size, "a file");
	(void)snprintf(name, sizeof name, "/dev/fd/%d", file);
	return name;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_setup();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int free_fd = -1;

	if (free_fd < 0) {
		(void)fuzz_file("", 0);
		free_fd = dup(file);
		(void)close(free_fd);
	}
	running = 1;
	if (setjmp(end) == 0) {
		fuzz_one(data, size);
		fuzz_demand(blocks.next == &blocks, "all freed");
	}
	while (blocks.next != &blocks)
		fuzz_free(blocks.next + 1);
	running = 0;
	/* One that ends leaves its files open; it has one at a time. */
	(void)close(free_fd);
	return 0;
}
