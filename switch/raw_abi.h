/* SPDX-License-Identifier: MIT */
/*
 * The hand-written switch of raw.c, one per ABI: it keeps every register that
 * the ABI calls callee-saved, the floating-point control words included, and
 * nothing else (System V AMD64 psABI 3.2.1; AAPCS64 6.1; RISC-V psABI,
 * "Integer" and "Floating-point Register Convention").
 *
 * It leaves by an indirect jump: the return predictor expects returns to match
 * calls, and here they never do. Control words are loaded only when they
 * differ, which costs less than loading them and keeps the same promise.
 */
#ifndef RAW_ABI_H
#define RAW_ABI_H

#include "bench.h"

#include <string.h>

#if defined(__x86_64__) && !defined(__ILP32__) && defined(__ELF__)
#define HAVE_RAW 1
#define RAW_FRAME 64            /* bytes that raw_switch keeps on the stack */
#define RAW_RETURN 56           /* where in it control goes */
__asm__(
	".pushsection .text\n"
	".globl raw_switch\n"
	".hidden raw_switch\n"
	".type raw_switch, @function\n"
	".p2align 5\n"
	"raw_switch:\n"
	/* void *raw_switch(void **save, void *to, void *pass) */
	"	leaq	-56(%rsp), %rsp\n"
	"	stmxcsr	(%rsp)\n"
	"	fnstcw	4(%rsp)\n"
	"	movq	%r12, 8(%rsp)\n"
	"	movq	%r13, 16(%rsp)\n"
	"	movq	%r14, 24(%rsp)\n"
	"	movq	%r15, 32(%rsp)\n"
	"	movq	%rbx, 40(%rsp)\n"
	"	movq	%rbp, 48(%rsp)\n"
	"	movl	(%rsp), %r8d\n"
	"	movzwl	4(%rsp), %r9d\n"
	"	movq	%rsp, (%rdi)\n"
	"	movq	%rsi, %rsp\n"
	"	movq	%rdx, %rax\n"
	"	movq	56(%rsp), %rcx\n"
	"	cmpl	(%rsp), %r8d\n"
	"	jne	2f\n"
	"1:	cmpw	4(%rsp), %r9w\n"
	"	jne	4f\n"
	"3:	movq	8(%rsp), %r12\n"
	"	movq	16(%rsp), %r13\n"
	"	movq	24(%rsp), %r14\n"
	"	movq	32(%rsp), %r15\n"
	"	movq	40(%rsp), %rbx\n"
	"	movq	48(%rsp), %rbp\n"
	"	leaq	64(%rsp), %rsp\n"
	"	jmp	*%rcx\n"
	"2:	ldmxcsr	(%rsp)\n"
	"	jmp	1b\n"
	"4:	fldcw	4(%rsp)\n"
	"	jmp	3b\n"
	".size raw_switch, .-raw_switch\n"
	".popsection\n"
);

static inline void
raw_control(char *frame)
{
	__asm__ volatile("stmxcsr (%0)\n\tfnstcw 4(%0)" : : "r"(frame) :
		"memory");
}

#elif defined(__aarch64__) && !defined(__ILP32__) && defined(__ELF__)
#define HAVE_RAW 1
#define RAW_FRAME 176
#define RAW_RETURN 88
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define RAW_JUMP "ret"          /* br may only land where a bti is */
#else
#define RAW_JUMP "br"
#endif
__asm__(
	".pushsection .text\n"
	".globl raw_switch\n"
	".hidden raw_switch\n"
	".type raw_switch, %function\n"
	".p2align 5\n"
	"raw_switch:\n"
	"	sub	sp, sp, #176\n"
	"	stp	x19, x20, [sp, #0]\n"
	"	stp	x21, x22, [sp, #16]\n"
	"	stp	x23, x24, [sp, #32]\n"
	"	stp	x25, x26, [sp, #48]\n"
	"	stp	x27, x28, [sp, #64]\n"
	"	stp	x29, x30, [sp, #80]\n"
	"	stp	d8, d9, [sp, #96]\n"
	"	stp	d10, d11, [sp, #112]\n"
	"	stp	d12, d13, [sp, #128]\n"
	"	stp	d14, d15, [sp, #144]\n"
	"	mrs	x9, fpcr\n"
	"	str	x9, [sp, #160]\n"
	"	mov	x10, sp\n"
	"	str	x10, [x0]\n"
	"	mov	sp, x1\n"
	"	mov	x0, x2\n"
	"	ldr	x11, [sp, #160]\n"
	"	cmp	x9, x11\n"
	"	b.ne	2f\n"
	"1:	ldp	x19, x20, [sp, #0]\n"
	"	ldp	x21, x22, [sp, #16]\n"
	"	ldp	x23, x24, [sp, #32]\n"
	"	ldp	x25, x26, [sp, #48]\n"
	"	ldp	x27, x28, [sp, #64]\n"
	"	ldp	x29, x16, [sp, #80]\n"
	"	ldp	d8, d9, [sp, #96]\n"
	"	ldp	d10, d11, [sp, #112]\n"
	"	ldp	d12, d13, [sp, #128]\n"
	"	ldp	d14, d15, [sp, #144]\n"
	"	mov	x30, x16\n"
	"	add	sp, sp, #176\n"
	"	" RAW_JUMP "	x16\n"
	"2:	msr	fpcr, x11\n"
	"	b	1b\n"
	".size raw_switch, .-raw_switch\n"
	".popsection\n"
);

static inline void
raw_control(char *frame)
{
	uint64_t fpcr;

	__asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
	memcpy(frame + 160, &fpcr, sizeof fpcr);
}

#elif defined(__riscv) && __riscv_xlen == 64 && \
	defined(__riscv_float_abi_double) && defined(__ELF__)
#define HAVE_RAW 1
#define RAW_FRAME 224
#define RAW_RETURN 96
#define RAW_S(op, reg, at) "	" op "	" reg ", " #at "(sp)\n"
#define RAW_ALL(i, f) \
	RAW_S(i, "s0", 0) RAW_S(i, "s1", 8) RAW_S(i, "s2", 16) \
	RAW_S(i, "s3", 24) RAW_S(i, "s4", 32) RAW_S(i, "s5", 40) \
	RAW_S(i, "s6", 48) RAW_S(i, "s7", 56) RAW_S(i, "s8", 64) \
	RAW_S(i, "s9", 72) RAW_S(i, "s10", 80) RAW_S(i, "s11", 88) \
	RAW_S(f, "fs0", 104) RAW_S(f, "fs1", 112) RAW_S(f, "fs2", 120) \
	RAW_S(f, "fs3", 128) RAW_S(f, "fs4", 136) RAW_S(f, "fs5", 144) \
	RAW_S(f, "fs6", 152) RAW_S(f, "fs7", 160) RAW_S(f, "fs8", 168) \
	RAW_S(f, "fs9", 176) RAW_S(f, "fs10", 184) RAW_S(f, "fs11", 192)
__asm__(
	".pushsection .text\n"
	".globl raw_switch\n"
	".hidden raw_switch\n"
	".type raw_switch, @function\n"
	".p2align 5\n"
	"raw_switch:\n"
	"	addi	sp, sp, -224\n"
	RAW_ALL("sd", "fsd")
	"	sd	ra, 96(sp)\n"
	"	frrm	t0\n"
	"	sd	t0, 200(sp)\n"
	"	sd	sp, 0(a0)\n"
	"	mv	sp, a1\n"
	"	mv	a0, a2\n"
	"	ld	t1, 200(sp)\n"
	"	bne	t0, t1, 2f\n"
	"1:\n"
	RAW_ALL("ld", "fld")
	"	ld	ra, 96(sp)\n"
	"	mv	t2, ra\n"
	"	addi	sp, sp, 224\n"
	"	jr	t2\n"
	"2:	fsrm	t1\n"
	"	j	1b\n"
	".size raw_switch, .-raw_switch\n"
	".popsection\n"
);

static inline void
raw_control(char *frame)
{
	uint64_t rounding;

	__asm__ volatile("frrm %0" : "=r"(rounding));
	memcpy(frame + 200, &rounding, sizeof rounding);
}

#else
#define HAVE_RAW 0
#define RAW_LACKS "no hand-written switch for this architecture"
#endif

#if HAVE_RAW

#define RAW_LACKS NULL

/*
 * Suspend the caller: store its stack pointer in *save, continue the context
 * whose stack pointer is to. The call returns in that context, as pass; the
 * caller's own call returns when somebody switches back to *save.
 */
void *raw_switch(void **save, void *to, void *pass);

/*
 * Prepare a stack (base 64-aligned, size a multiple of 64) so that the first
 * switch to it enters function entry, which must not return. Returns the stack
 * pointer to switch to. entry finds what was passed in raw_switch's return
 * register only by switching once itself, so it takes no argument.
 */
static inline void *
raw_prepare(char *base, size_t size, void (*entry)(void))
{
	/* At the entry of a function the stack is 16-aligned, on x86-64 less
	 * the return address; there the frame's end leaves a slot for it. */
	char *frame = base + size - 64 - RAW_FRAME;

#if defined(__x86_64__)
	frame -= 8;
#endif
	memset(frame, 0, RAW_FRAME);
	memcpy(frame + RAW_RETURN, &entry, sizeof entry);
	raw_control(frame);
	return frame;
}

#endif
#endif
