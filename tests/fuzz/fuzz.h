/* SPDX-License-Identifier: MIT */
/*
 * Included before everything in what is fuzzed: a program that ends comes back
 * to us, and what it did not free is freed, or told when it ended well.
 */
#ifndef FUZZ_H
#define FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* memfd_create */
#endif
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Once, before the first input; and with each input. */
void fuzz_setup(void);
void fuzz_one(const uint8_t *data, size_t size);

/* The name of a file that holds these bytes, until the next call. */
const char *fuzz_file(const void *data, size_t size);

/* Abort with what is wrong unless it holds. */
void fuzz_demand(int holds, const char *what);

_Noreturn void fuzz_exit(int code);
void *fuzz_malloc(size_t size);
void *fuzz_calloc(size_t n, size_t size);
void *fuzz_realloc(void *old, size_t size);
void fuzz_free(void *p);

#ifndef FUZZ_ITSELF
#define exit fuzz_exit
#define _exit fuzz_exit
#define malloc fuzz_malloc
#define calloc fuzz_calloc
#define realloc fuzz_realloc
#define free fuzz_free
#endif

#endif
