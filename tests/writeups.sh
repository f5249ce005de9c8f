#!/bin/sh
# SPDX-License-Identifier: MIT
# The write-ups' tables, and when it matters, of made-up records whose figures
# can be told by head.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# row NAME UNIT NS [VALUE UNIT ...]: six rounds of it, 1 % either side.
row() {
	name=$1 unit=$2 ns=$3
	shift 3
	awk -v name="$name" -v unit="$unit" -v ns="$ns" -v more="$*" 'BEGIN {
		for (round = 1; round <= 6; round++) {
			v = ns * (0.97 + round / 100 - (round > 3) * 0.01)
			printf "# sample: round=%d cpus=0\n", round
			printf "Benchmark%s  1000  %.6f %s  %s\n", name, v,
			    unit, more
		}
	}'
}

records() {
	echo 'os: test'
	while read -r name group unit work as; do
		echo "# about: $name group=$group unit=$unit work=$work" \
		    "${as:+as=$as }worker=worker op=\"a\" not=\"b\""
	done <<-END
	Mutex switch ns/acquire contend thread,process
	Futex switch ns/handoff total thread,process
	EventLoop switch ns/switch total
	NoSuspend loop ns/iter beside
	Call gen ns/call total direct,pointer
	StopIteration gen ns/return total
	Fetch peer ns/request fixed thread,process,coroutine
	Rows peer ns/row fixed thread,process,greenlet,callback
	END
	row Mutex/as=thread/total=2000000/workers=2 ns/acquire 12 \
	    0.0000035 handoffs/op 0.1 overlap 2 active
	row EventLoop/place=same/workers=2 ns/switch 20
	row NoSuspend/place=same/workers=1 ns/iter 0.5
	row Call/as=direct/place=same/workers=1 ns/call 2
	row StopIteration/place=same/workers=1 ns/return 30
	row Fetch/as=thread/pages=50/workers=5 ns/request 402000 \
	    8000 cpu-ns/op 1.005 x-ideal
	row Fetch/as=coroutine/pages=200/workers=15 ns/request 150000 \
	    1.07 x-ideal
	row Rows/as=thread/rows=4200/workers=120 ns/row 10000 \
	    5000 cpu-ns/op 120 active
	row Rows/as=callback/rows=4200/workers=120 ns/row 8000 4000 cpu-ns/op
	row Rows/as=callback/rows=1200/work=100000/workers=120 ns/row 125000 \
	    100000 cpu-ns/op
	row Rows/as=callback/rows=36000/batch=100/workers=120 ns/row 100 \
	    50 cpu-ns/op
	row Futex/as=thread/place=same/workers=2 ns/handoff 1000 \
	    1 handoffs/op 1 vcsw/op 0 ivcsw/op
}

# line CELL...: some line of the tables has these cells.
line() {
	want=
	for cell in "$@"; do
		want="$want *$cell *\\|"
	done
	grep -Eq "^\\|$want" "$tmp/out" || fail "no line with: $*" \
	    "$(grep -F "$1" "$tmp/out")"
}

tables() {
	expect 0 "$BUILD/report/table" "$tmp/records"
	[ ! -s "$tmp/err" ] || fail "complained: $(cat "$tmp/err")"
	# Threads, their 438 ns, ours, 7 hand-offs; coroutines, 8176, ours.
	line 2 2278386 438 12.0 7 122296 8176 20.0
	line 4096 '' '' '' '' 239334 4178 ''
	line 'in a coroutine that never yields' 20000000 2000000000 NoSuspend
	line 'through StopIteration' 12.53 5.94 0.3000 15.00
	line 'threads \(2.7\)' 22000 22000 100000 '' '' ''
	line 'event loop \(3.4\)' 8000 10000 125000 10000000 '' ''
	# Half of a CPU; of 120 threads each waits but for a 240th.
	line 0 100000 '50 %' '99.6 %' 125000 '50 %' '50.0 %'
	line 100 '' '' '' 8000 '80 %' '20.0 %'
	line 50 5 5.64 6.23 5.84 '0.0201 \(1.00\)' '' ''
	line 200 15 7.85 7.41 9.25 '' '0.0300 \(1.07\)' ''
	line 'Futex thread' same 1000 '0.001 %' '0.1 %' '10 %' '99.0 us'
}

# What was not measured has no table, and is no 0 in one.
nothing() {
	grep -v 'Fetch\|Rows\|Mutex\|EventLoop' "$tmp/records" >"$tmp/few"
	expect 0 "$BUILD/report/table" "$tmp/few"
	lacks "$tmp/out" 'V2EX: adding|loading rows|cr0hn|own work'
	lacks "$tmp/out" '\| +0 \|'
	has "$tmp/out" 'V2EX: the loop by itself'
	echo 'os: test' >"$tmp/none"
	row Other/workers=1 ns/iter 5 >>"$tmp/none"
	expect 0 "$BUILD/report/table" "$tmp/none"
	lacks "$tmp/out" "write-ups|does it matter"
}

records >"$tmp/records"
check 'the figures' tables
check 'what was not measured' nothing
