/* SPDX-License-Identifier: MIT */
/*
 * Does raw_switch keep what the ABI demands? Two contexts switch to each other,
 * each with its own pattern in every such register. Assembly fills and reads
 * them: a compiler saves what it uses and would make good any loss.
 */
#include "../switch/raw_abi.h"

#include <stdio.h>

#if HAVE_RAW

/*
 * REGS lists the callee-saved registers. SWAP_* exchange one with a slot of the
 * array whose address is in the fourth argument register, and step to the next
 * slot; control goes last. Done twice around the switch, this fills them, gets
 * back what the switch left of them, and gives the caller's own back to it.
 */
#if defined(__x86_64__)
#define REGS(I, F) I("rbx") I("rbp") I("r12") I("r13") I("r14") I("r15")
#define SWAP_I(r) "xchgq %" r ", (%rcx)\naddq $8, %rcx\n"
#define SWAP_CONTROL \
	"movq (%rcx), %r11\nmovq %r11, -8(%rsp)\nstmxcsr (%rcx)\n" \
	"fnstcw 4(%rcx)\nldmxcsr -8(%rsp)\nfldcw -4(%rsp)\n"
#define ENTER "pushq %rcx\n"
#define SWITCH "call raw_switch\npopq %rcx\n"
#define CONTROL(a, b) (0x37f00001f80 | (a) << 13 | (b) << 42)
#define SET_CONTROL(at) \
	__asm__ volatile("ldmxcsr (%0)\n\tfldcw 4(%0)" : : "r"(at) : "memory")
#elif defined(__aarch64__)
#define REGS(I, F) \
	I("x19") I("x20") I("x21") I("x22") I("x23") I("x24") I("x25") \
	I("x26") I("x27") I("x28") I("x29") F("d8") F("d9") F("d10") \
	F("d11") F("d12") F("d13") F("d14") F("d15")
#define SWAP_I(r) "ldr x12, [x3]\nstr " r ", [x3], #8\nmov " r ", x12\n"
#define SWAP_F(r) "ldr d16, [x3]\nstr " r ", [x3], #8\nfmov " r ", d16\n"
#define SWAP_CONTROL \
	"ldr x12, [x3]\nmrs x13, fpcr\nstr x13, [x3]\nmsr fpcr, x12\n"
#define ENTER "stp x3, x30, [sp, #-16]!\n"
#define SWITCH "bl raw_switch\nldp x3, x30, [sp], #16\n"
#define CONTROL(a, b) ((a) << 22 | (b) << 24)
#define SET_CONTROL(at) __asm__ volatile("msr fpcr, %0" : : "r"(*(at)))
#else
#define REGS(I, F) I("s0") I("s1") I("s2") I("s3") I("s4") I("s5") \
	I("s6") I("s7") I("s8") I("s9") I("s10") I("s11") F("fs0") F("fs1") \
	F("fs2") F("fs3") F("fs4") F("fs5") F("fs6") F("fs7") F("fs8") \
	F("fs9") F("fs10") F("fs11")
#define SWAP_I(r) \
	"ld t3, (a3)\nsd " r ", (a3)\nmv " r ", t3\naddi a3, a3, 8\n"
#define SWAP_F(r) \
	"fld ft0, (a3)\nfsd " r ", (a3)\nfmv.d " r ", ft0\naddi a3, a3, 8\n"
#define SWAP_CONTROL "ld t3, (a3)\nfsrm t4, t3\nsd t4, (a3)\n"
#define ENTER "addi sp, sp, -16\nsd a3, (sp)\nsd ra, 8(sp)\n"
#define SWITCH "call raw_switch\n" \
	"ld a3, (sp)\nld ra, 8(sp)\naddi sp, sp, 16\n"
#define CONTROL(a, b) ((a) + 0 * (b))
#define SET_CONTROL(at) __asm__ volatile("fsrm %0" : : "r"(*(at)))
#endif

/* push and pop: the compiler does not know that the section changes here. */
__asm__(
	".pushsection .text\n.globl abi_switch\n.hidden abi_switch\n"
	".p2align 4\nabi_switch:\n"
	ENTER REGS(SWAP_I, SWAP_F) SWAP_CONTROL
	SWITCH REGS(SWAP_I, SWAP_F) SWAP_CONTROL "ret\n.popsection\n"
);
void *abi_switch(void **save, void *to, void *pass, uint64_t *kept);

#define NAME(r) r,
static const char *const names[] = {REGS(NAME, NAME) "floating-point control"};
#define KEPT (sizeof names / sizeof *names)
#define ROUNDS 256              /* all pairs of the 16 controls */

static uint64_t kept[2][KEPT];
static void *sp[2];
static bool askew;
static _Alignas(64) char stack[1 << 16], passed[2][ROUNDS];

static uint64_t
pattern(int me, int round, size_t reg)
{
	uint64_t r = (uint64_t)round, m = (uint64_t)me;

	if (reg == KEPT - 1)
		return CONTROL(r >> m * 4 & 3, r >> (m * 4 + 2) & 3);
	return 0x9e3779b97f4a7c15 * ((r * 2 + m) * KEPT + reg + 1);
}

/* answer: the round whose pass value the other side sends back. */
static void
trade(int me, int round, int answer)
{
	void *got;

	for (size_t i = 0; i < KEPT; i++)
		kept[me][i] = pattern(me, round, i);
	got = abi_switch(&sp[me], sp[!me], &passed[me][round], kept[me]);
	for (size_t i = 0; i < KEPT; i++)
		if (kept[me][i] != pattern(me, round, i))
			die(EXIT_FAILED, "round %d: %s lost", round, names[i]);
	if (got != &passed[!me][answer])
		die(EXIT_FAILED, "round %d: wrong pass value", round);
}

static void
other(void)
{
	/* Where the frame pointer points is 16-aligned if the entry was. */
	askew = (uintptr_t)__builtin_frame_address(0) % 16 != 0;
	for (int round = 0;; round++)
		trade(1, round, round + 1);
}

#endif

int
main(void)
{
	util_name("raw_abi");
#if HAVE_RAW
	uint64_t control = CONTROL(UINT64_C(2), UINT64_C(1));

	SET_CONTROL(&control);
	sp[1] = raw_prepare(stack, sizeof stack, other);
	for (int round = 0; round < ROUNDS; round++) {
		trade(0, round, round);
		if (askew)
			die(EXIT_FAILED, "stack not aligned at entry");
		/* There waits what the other began with. */
		if (kept[1][KEPT - 1] != control)
			die(EXIT_FAILED, "control is not the creator's");
	}
	(void)printf("raw_abi: ok\n");
	close_stdout();
	return EXIT_OK;
#else
	die(EXIT_SKIPPED, "%s", RAW_LACKS);
#endif
}
