#!/bin/sh
# SPDX-License-Identifier: MIT
# The hand-written switch keeps what the ABI says, at each optimisation; one
# that forgets a register is caught. For another machine's compiler, RUN is
# what runs its programs.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

compiled() {
	# shellcheck disable=SC2086
	$CC -std=c11 "$1" -pthread -I"$root/bench" -I"$root/switch" "$2" \
	    "$root/bench/util.c" -o "$tmp/raw_abi"
}

keeps() {
	compiled "$1" "$root/tests/raw_abi.c"
	${RUN-} "$tmp/raw_abi"
}

# forgets WHAT EDIT: with the header so edited, that is what it loses.
forgets() {
	mkdir -p "$tmp/switch" "$tmp/tests"
	cp -f "$root/tests/raw_abi.c" "$tmp/tests"
	sed "$2" "$root/switch/raw_abi.h" >"$tmp/switch/raw_abi.h"
	! cmp -s "$tmp/switch/raw_abi.h" "$root/switch/raw_abi.h" ||
		fail "nothing keeps $1"
	compiled -O2 "$tmp/tests/raw_abi.c"
	# shellcheck disable=SC2086
	expect 1 ${RUN-} "$tmp/raw_abi"
	said "$1 (lost|is not)"
}

# What is loaded goes elsewhere, or nothing is.
caught() {
	case $($CC -dumpmachine) in
	x86_64*)
		for reg in rbx rbp r12 r13 r14 r15; do
			forgets $reg "s/(%rsp), %$reg\\\\n/(%rsp), %r10\\\\n/"
		done
		forgets control 's/ldmxcsr	(%rsp)/nop/'
		forgets control 's/fldcw	4(%rsp)/nop/';;
	aarch64*)
		for reg in 19 21 23 25 27 29; do
			forgets x$reg "s/ldp	x$reg,/ldp	x17,/"
		done
		for reg in 20 22 24 26 28; do
			forgets x$reg "s/\\(ldp.*, \\)x$reg,/\\1x17,/"
		done
		for reg in 8 10 12 14; do
			forgets d$reg "s/ldp	d$reg,/ldp	d31,/"
		done
		for reg in 9 11 13 15; do
			forgets d$reg "s/\\(ldp.*, \\)d$reg,/\\1d31,/"
		done
		forgets control 's/msr	fpcr, x11/nop/';;
	riscv64*)
		for reg in s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 fs0 fs1 fs2 \
		    fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11; do
			forgets $reg "s/RAW_S([if], \"$reg\", [0-9]*)//"
		done
		forgets control 's/fsrm	t1/nop/';;
	*)	skip "no hand-written switch for this architecture";;
	esac
}

for level in -O0 -O2 -O3; do
	check "raw_switch at $level" keeps $level
done
check 'what forgets a register is caught' caught
