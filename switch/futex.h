/* SPDX-License-Identifier: MIT */
/* The futex system call, with the names the manual page uses (futex(2)). */
#ifndef FUTEX_H
#define FUTEX_H

#include "bench.h"

#include <limits.h>

#if HAVE_FUTEX

#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's numbers: musl comes without the kernel's headers. */
#ifndef FUTEX_WAIT
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1
#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129
#endif

/* 32-bit systems with a 64-bit time_t only have the newer call; without a
 * timeout both take the same arguments. */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

/* Block while *word is value. Returns 0 when woken; else -1, errno EAGAIN (it
 * was not value) or EINTR. shared: waker and waiter are processes. */
static inline long
futex_wait(atomic_uint *word, unsigned value, bool shared)
{
	return syscall(SYS_futex, word,
		shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Wake at most so many waiters. Returns how many it woke. */
static inline long
futex_wake(atomic_uint *word, int waiters, bool shared)
{
	return syscall(SYS_futex, word,
		shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, waiters, NULL, NULL,
		0);
}

#define FUTEX_LACKS NULL

#else

#define FUTEX_LACKS "no futex on this system"

static inline long
futex_wait(atomic_uint *word, unsigned value, bool shared)
{
	(void)word, (void)value, (void)shared;
	return -1;
}

static inline long
futex_wake(atomic_uint *word, int waiters, bool shared)
{
	(void)word, (void)waiters, (void)shared;
	return 0;
}

#endif
#endif
