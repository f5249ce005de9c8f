#!/bin/sh
# SPDX-License-Identifier: MIT
# The reader of records that the other tests trust: it takes what is right, and
# nothing that is wrong, under each awk.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

good() {
	cat <<-'END'
	os: linux
	cpu: Some CPU @ 3: GHz
	Unit ns/acquire better=lower
	# about: Mutex group=switch
	# sample: round=1 cpus=0,0
	BenchmarkMutex/as=thread/workers=2  200  10.9 ns/acquire  0 vcsw/op
	# sample: cpus=0 n=5
	BenchmarkMutex/as=thread/workers=2 1 -0.5 ns/acquire
	END
}

# spoil N LINE: good() with line N replaced.
spoil() {
	good | awk -v n="$1" -v line="$2" 'NR == n { print line; next } 1'
}

takes() {
	good >"$tmp/good"
	$awk -f "$root/tests/records.awk" "$tmp/good" || fail "refused"
}

refuses() {
	name=BenchmarkMutex/as=thread/workers=2
	while read -r n line; do
		spoil "$n" "$line" >"$tmp/bad"
		! $awk -f "$root/tests/records.awk" "$tmp/bad" >/dev/null ||
			fail "taken: $line"
	done <<-END
	1 OS: linux
	1 os:linux
	1 os:
	1 cpu: twice
	2 Benchmark
	3 Unit ns/acquire
	3 Unit ns/acquire better=more
	3 Unit ns/handoff better=lower
	4 late: second block
	4 Unit ns/acquire better=higher
	4 no comment
	5 # note: no sample
	5 # sample: round=1
	5 # sample: round 1 cpus=0
	6 Benchmarkmutex/workers=2 200 10.9 ns/acquire
	6 BenchmarkMutex/as=thread 200 10.9 ns/acquire
	6 BenchmarkMutex/thread/workers=2 200 10.9 ns/acquire
	6 $name 200 10.9
	6 $name 200
	6 $name 200 10.9 ns/acquire 5
	6 $name 0 10.9 ns/acquire
	6 $name -1 10.9 ns/acquire
	6 $name 2e5 10.9 ns/acquire
	6 $name 200 1.09e1 ns/acquire
	6 $name 200 nan ns/acquire
	6 $name 200 inf ns/acquire
	6 $name 200 +1 ns/acquire
	6 $name 200 10,9 ns/acquire
	6 $name 200 .9 ns/acquire
	6 $name 200 10. ns/acquire
	6 $name 200 0x1p3 ns/acquire
	6 $name 200 1 ns/acquire 1 ns/acquire
	6 $name 200 1 7
	END
	good | grep -v '^[a-z]' >"$tmp/bad"
	! $awk -f "$root/tests/records.awk" "$tmp/bad" >/dev/null ||
		fail "taken without keys"
}

for awk in awk mawk gawk 'busybox awk' 'original-awk'; do
	have "${awk%% *}" || continue
	# A busybox may come without it.
	$awk 'BEGIN { exit 0 }' 2>/dev/null || continue
	check "$awk takes good records" takes
	check "$awk refuses bad ones" refuses
done
