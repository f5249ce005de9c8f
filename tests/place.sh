#!/bin/sh
# SPDX-License-Identifier: MIT
# Workers sit where they were put, on CPUs that are allowed, or it is told.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

futex=$BUILD/switch/futex
empty=$BUILD/loop/empty

# The CPUs of a plan, a member a line.
planned() {
	sed -n 's/^  worker [0-9]*: cpu \([0-9]*\).*/\1/p' "$tmp/out"
}

# Members take the CPUs of a list in turn: in the plan and in the record.
in_turn() {
	expect 0 "$futex" --as thread -w 5 --place "$b,$a" --plan
	planned | tr '\n' , >"$tmp/cpus"
	[ "$(cat "$tmp/cpus")" = "$b,$a,$b,$a,$b," ] || fail "$(cat "$tmp/out")"
	for way in thread process; do
		expect 0 "$futex" --bare --as $way -w 5 -n 500 -s 1 \
		    --place "$b,$a"
		has "$tmp/out" " cpus=$b,$a,$b,$a,$b( |\$)"
		has "$tmp/out" "/place=$b,$a/workers=5 "
	done
}

# The inherited mask is obeyed: its ids, and no others.
mask() {
	expect 0 taskset -c "$b" "$futex" --bare --as thread -w 3 -n 300 -s 1 \
	    --place same,none
	[ "$(grep -c " cpus=$b,$b,$b\( \|\$\)" "$tmp/out")" -eq 2 ] ||
		fail "$(cat "$tmp/out")"
	expect 77 taskset -c "$b" "$futex" --as thread -w 2 -n 300 -s 1 \
	    --place spread
	said 'one CPU allowed'
	has "$tmp/out" '^# skip: Futex/as=thread/place=spread/workers=2: one '
	has "$tmp/out" "^cpus: 1 allowed \($b\)"
}

spread() {
	expect 0 "$futex" --as thread -w 4 --place spread --plan
	planned | sort -u >"$tmp/cpus"
	[ "$(wc -l <"$tmp/cpus")" -ge 2 ] || fail "$(cat "$tmp/out")"
	expect 0 "$futex" --as thread -w 4 --place same --plan
	planned | sort -u >"$tmp/cpus"
	[ "$(wc -l <"$tmp/cpus")" -eq 1 ] || fail "$(cat "$tmp/out")"
}

not_allowed() {
	refused taskset -c "$b" "$futex" --place "$a"
	has "$tmp/err" "allowed: $b\)"
	refused taskset -c "$b" "$futex" --place "$b,$a"
	refused "$futex" --place 99999
	has "$tmp/err" 'allowed: '
}

# shim refuse|ignore REASON
shim() {
	for way in thread process; do
		SHIM=$1 LD_PRELOAD=$tmp/shim.so expect 0 "$futex" --bare \
		    --as $way -w 2 -n 500 -s 1 --place same
		has "$tmp/out" "^BenchmarkFutex/as=$way/workers=2 "
		lacks "$tmp/out" '^Benchmark.*/place='
		has "$tmp/out" "^# warn: Futex/as=$way/place=same/.*$2"
	done
	# What is not pinned is not warned of.
	SHIM=$1 LD_PRELOAD=$tmp/shim.so expect 0 "$empty" --bare -n 50000 \
	    -s 1 --place none
	lacks "$tmp/out" '^# warn'
}

shim_warns() {
	cc_shim >"$tmp/log2" 2>&1 || skip "cannot build a shim"
	SHIM=refuse LD_PRELOAD=$tmp/shim.so "$empty" --plan >/dev/null \
	    2>"$tmp/err" || :
	[ ! -s "$tmp/err" ] || skip "cannot preload: $(head -n 1 "$tmp/err")"
	shim "$@"
}

cc_shim() {
	# shellcheck disable=SC2086
	$CC -shared -fPIC -o "$tmp/shim.so" \
	    "$root/tests/fixtures/affinity_shim.c"
}

check 'affinity refused' shim_warns refuse 'not pinned'
check 'affinity ignored' shim_warns ignore 'not pinned'

have taskset || skip_all 'no taskset'
[ "$(allowed_cpus | wc -l)" -gt 1 ] || skip_all 'one CPU allowed'
a=$(allowed_cpus | head -n 1)
b=$(allowed_cpus | tail -n 1)
check 'a list of CPUs' in_turn
check 'the inherited mask' mask
check 'same and spread' spread
check 'a CPU that is not allowed' not_allowed
