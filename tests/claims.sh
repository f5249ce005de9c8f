#!/bin/sh
# SPDX-License-Identifier: MIT
# report/claims: each answer on made-up rows whose truth is known, malformed
# claims named by line and column, the thirteen published ones.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

claims=$BUILD/report/claims
published=$root/report/published.claims

# row NAME UNIT SPREAD NS [MORE [ROUNDS]]: a row whose rounds lie within
# +- SPREAD of NS, all rows rising and falling together.
row() {
	awk -v name="$1" -v unit="$2" -v spread="$3" -v ns="$4" \
	    -v more="${5-}" -v rounds="${6-6}" 'BEGIN {
		for (r = 1; r <= rounds; r++) {
			print "# sample: round=" r " cpus=0,0"
			printf "Benchmark%s 9 %.6f ns/%s %s\n", name,
				ns * (1 + spread * (r * 7 % 5 - 2) / 2), unit,
				more
		}
	}'
}

rows() {
	row Raw/place=same/workers=2 switch 0.1 4 \
		'1 handoffs/op 0 vcsw/op 0 ivcsw/op'
	row Ucontext/place=same/workers=2 switch 0.1 200
	row Ucontext/place=same/workers=8 switch 0.1 210
	row Ucontext/place=same/workers=64 switch 0.1 390
	row StopIteration/place=same/workers=1 return 0 24
	row Call/as=direct/place=same/workers=1 call 0 4
	row Call/as=pointer/place=same/workers=1 call 0 5
	row Wide/place=same/workers=1 iter 0 5
	# What shares no rise and fall with the others.
	printf '# sample: round=%s\nBenchmarkWide/workers=2 9 %s ns/iter\n' \
		1 1 2 9 3 1 4 9 5 1 6 9
	row Futex/as=thread/place=llc/workers=2 handoff 0.1 900
	row Futex/as=thread/workers=4 handoff 0.1 900
	row Futex/as=thread/place=llc/workers=4 handoff 0.1 700
	row Pipe/place=same/workers=2 handoff 0 100
	row Pipe/workers=2 handoff 0 300
	row Pipe/place=llc/workers=4 handoff 0 100
	row Pipe/place=spread/workers=4 handoff 0 300
	row Falls/workers=2 iter 0 9
	row Falls/workers=4 iter 0 3
	row Short/place=same/workers=2 iter 0 9 '' 5
	row Late/place=same/workers=2 iter 0 9 '' 7 | sed 1,2d
	echo '# skip: Spin/place=smt/workers=2: one thread a core'
	echo '# fail: Gil/place=same/workers=2: its check'
	row Mutex/as=thread/place=same/workers=2 acquire 0 20 '0.1 overlap'
	row Mutex/as=thread/total=9/workers=2 acquire 0 20 \
		'0.001 handoffs/op 0.1 overlap'
	row Mutex/as=thread/total=9/workers=4 acquire 0 40
	row Mutex/as=thread/total=9/workers=8 acquire 0 90
}
rows >"$tmp/rows"

# answer PATTERN CLAIM: of a claim on the command line.
answer() {
	expect 0 "$claims" "$tmp/rows" "$2"
	has "$tmp/out" "^\\| 1 .*\\| $1 *\\|\$"
}

decided() {
	answer holds 'ucontext(2) > 10 * raw(2)'
	# Rounds pair up: both vary by a tenth, their ratio does not.
	has "$tmp/out" '\| 5\.00x \(5\.00\.\.5\.00\) \|'
	answer 'does not hold' 'ucontext(2) < raw(2)'
	answer 'not resolved' 'wide(2) < raw(2)'
	answer 'not resolved' 'wide(2) > raw(2)'
	answer 'not resolved' 'wide(2) ~ 5'
	answer holds 'stop_iteration(1) / call(1,as=direct) ~ 6'
	has "$tmp/out" '\| 6\.00 \(6\.00\.\.6\.00\) \|'
	answer 'does not hold' 'stopiteration(1) ~ 5 * call(1)'
	answer holds 'call(1,as=pointer) <= wide(1) and wide(1) >= call(1)'
	answer 'does not hold' 'call(1,as=pointer) < wide(1)'
	answer holds 'call(1) - 2 * -call(1) ~ 12'
	answer 'not resolved' 'raw(2).least < 5'
}

fields() {
	answer holds 'raw(2).switches < 0.01'
	answer holds 'raw(2).handoffs ~ 1'
	answer holds 'mutex(2,total=9).overlap < 0.9'
	answer holds 'raw(2).least < raw(2) + 1'
	answer 'not measured' 'raw(2).cycles < 9'
	has "$tmp/out" 'raw\(2\).cycles: not counted in every round'
}

placed() {
	answer holds 'futex(2) ~ 900'
	answer holds 'futex(4) ~ 900'
	answer holds 'futex(4,place=llc) ~ 700'
	answer holds 'pipe(2) ~ 100'
	answer 'not measured' 'pipe(4) ~ 100'
	has "$tmp/out" 'several placements'
}

over_workers() {
	answer 'does not hold' 'flat(ucontext, 2..64, 1.3)'
	has "$tmp/out" '1\.95x .*at 64'
	answer holds 'flat(ucontext, 2..63, 1.3)'
	answer 'does not hold' 'flat(falls, 2..4, 1.3)'
	answer holds 'growing(mutex(total=9), 2..32, 1.5)'
	answer 'does not hold' 'growing(mutex(as=thread,total=9), 2..4, 3)'
	answer 'not measured' 'flat(ucontext, 65..4096, 1.3)'
	answer 'not measured' 'flat(ucontext, 9..64, 1.3)'
	has "$tmp/out" 'under two worker counts'
}

unmeasured() {
	for pair in 'absent(2):no such row' 'raw(3):no such row' \
	    'raw(2,stack=9):no such row' 'mutex(2,total=8):no such row' \
	    'spin(2):skipped, one thread' 'gil(2):failed, its check' \
	    'mutex(2):withheld' 'short(2):only 5 rounds, under six' \
	    'call(1) / raw(2).switches:division by zero'; do
		answer 'not measured' "raw(2) < ${pair%%:*}"
		has "$tmp/out" "not measured \\(.*${pair#*:}"
	done
	# Six rounds each, five of them the same.
	answer 'not measured' 'late(2) > raw(2)'
	has "$tmp/out" 'only 5 rounds have all rows'
	# One that is refuted stays so whatever else was not measured.
	answer 'does not hold' 'absent(2) < 1 and raw(2) > 9'
}

# Two files are two runs: no round of one is a round of the other.
two_runs() {
	row Raw/workers=2 switch 0 4 >"$tmp/a"
	row Ucontext/workers=2 switch 0 9 >"$tmp/b"
	expect 0 "$claims" "$tmp/a" "$tmp/b" 'raw(2) < ucontext(2)'
	has "$tmp/out" 'only 0 rounds have all rows'
	cat "$tmp/a" "$tmp/b" >"$tmp/ab"
	"$claims" - 'raw(2) < ucontext(2)' <"$tmp/ab" >"$tmp/out"
	has "$tmp/out" '\| holds'
}

# at COLUMN EXPECTED CLAIM
at() {
	refused "$claims" "$tmp/rows" "$3"
	said "^claims: command line:1:$1: expected .*$2"
}

malformed() {
	at 6 "',' or '\\)'" 'raw(2'
	at 5 'workers' 'raw(x) < 1'
	at 5 'workers' 'raw(0) < 1'
	at 5 '15 digits' 'raw(99999999999999999999) < 1'
	at 5 'workers' 'raw(9999999999) < 1'
	at 8 'handoffs, ' 'raw(2).nothing < 1'
	at 7 "one of <" 'raw(2)'
	at 10 'a number, a row' 'raw(2) < '
	at 12 "'and' or the end" 'raw(2) < 1 1'
	at 1 'a row on one side' '1 < 2'
	at 14 'not 0' 'raw(2) < 1 / 0'
	at 14 'more workers' 'flat(raw, 9..9, 2)'
	at 17 'limit over 1' 'flat(raw, 2..9, 1)'
	at 12 "'='" 'raw(2,place) < 1'
	at 15 'a number, a row' 'raw(2) < 1 and'
}

nested() {
	deep=$(printf '%40s' '' | tr ' ' '(')raw\(2\)$(printf '%40s' '' |
		tr ' ' ')')
	answer holds "$deep < 9"
	deep=$(printf '%60000s' '' | tr ' ' '(')
	at 51 '50 levels' "$deep"
	deep=$(printf '%60000s' '' | tr ' ' -)
	at 60 '50 levels' "raw(2) < $deep"
	long=$(printf '%0100d' 0)
	at 1 'at most 31' "a$long(2) < 1"
}

# broken LINE:COLUMN EXPECTED: of the file of claims on stdin.
broken() {
	cat >"$tmp/x.claims"
	refused "$claims" -c "$tmp/x.claims" "$tmp/rows"
	said "^claims: .*/x\\.claims:$1: expected .*$2"
}

blocks() {
	printf 'claim: x\n' | broken 1:1 "'id:'"
	printf '# c\n\nid: A\nclaim: x\n' | broken 3:5 "'test:'"
	printf 'id: A\ntest: raw(2) < 1\n' | broken 1:5 "'claim:'"
	printf 'id: A\nclam: x\n' | broken 2:1 'id, claim'
	printf 'id: A\nclaim\n' | broken 2:1 'key: value'
	printf 'id: A\nid: B\n' | broken 2:1 'empty line'
	printf 'id:\n' | broken 1:4 'a value'
	printf 'id: A\nclaim: x\nnature: y\n' | broken 3:9 interpreter
	printf 'id: A\nclaim: x\ntest: raw(2)  <\n' | broken 3:16 'a row'
	printf 'id: A\nclaim: x\ntest: raw(2) < 1\nwhy: a {raw(}\n' |
		broken 4:13 workers
	printf 'id: A\nclaim: x\ntest: raw(2) < 1\nwhy: a {raw(2)\n' |
		broken 4:15 "'}'"
	printf 'id: A\nclaim: x\ntest: 1\0\n' | broken 3:8 NUL
	printf '# nothing\n' | broken 1:1 'a claim'
	printf 'id: A\nclaim: x\ntest: raw(2) < 1\n\nid: A\nclaim: x\n%s\n' \
		'test: raw(2) < 1' | broken 5:5 'an id of its own'
}

file() {
	printf '%s\r\n' 'id: A' 'claim: first' 'claim: and more' \
	    'published: 9 ns' 'test: raw(2) < 9' 'test: raw(2) > 5' \
	    'really: raw(2) < 9' 'why: raw takes {raw(2)} ns,' \
	    'why: and {absent(2)}.' '' '# comment' 'id: B' 'claim: c' \
	    'nature: interpreter' 'shows: 2 * raw(2)' >"$tmp/x.claims"
	expect 0 "$claims" -c "$tmp/x.claims" "$tmp/rows"
	has "$tmp/out" '^\| A .*\| 9 ns .*\| does not hold; really yes'
	has "$tmp/out" '^- A: "first and more\." raw takes 4\.00 ns, and \(not'
	has "$tmp/out" '^\| B .*\| 8\.00 \(7\.20\.\.8\.80\) .*\| not testable'
	[ "$(grep -c '^| [AB]' "$tmp/out")" = 2 ] || fail "not a row a claim"
}

formats() {
	for format in md text csv; do
		expect 0 "$claims" -f $format -c "$published" "$tmp/rows"
		for id in V1 V2 V3 V4 V5 Z1 Z2 Z3 Z4 C1 C2 C3 C4; do
			[ "$(grep -Ec "^(\\| )?${id}[ ,]" "$tmp/out")" = 1 ] ||
				fail "$format: not one row of $id"
			[ $format = csv ] || has "$tmp/out" "^- $id: "
		done
		[ $format = csv ] || awk 'length > 100 { bad = 1; print }
			END { exit bad }' "$tmp/out" || fail "over 100 wide"
	done
}

narrow() {
	long=$(printf '%0300d' 0)
	printf '%s\n' 'id: 12345678' "claim: $long < $long" \
	    "published: $long" 'test: 999999999999999 * raw(2) > 1' \
	    'really: absent(2) < 1' >"$tmp/x.claims"
	expect 0 "$claims" -f text -c "$tmp/x.claims" "$tmp/rows"
	! grep '^12345678' "$tmp/out" | grep -Eq '.{101}' || fail "too wide"
	has "$tmp/out" 'holds; really n/a'
}

usage() {
	refused "$claims"
	refused "$claims" 'raw(2) < 1'
	refused "$claims" "$tmp/none"
	refused "$claims" -c "$tmp/none" "$tmp/rows"
	refused "$claims" -f benchstat -c "$published" "$tmp/rows"
	refused "$claims" -x
	expect 0 "$claims" -h
	has "$tmp/out" '^usage: claims'
}

check 'decided on intervals of paired rounds' decided
check 'fields of a row' fields
check 'the placement that is meant' placed
check 'flat and growing over worker counts' over_workers
check 'not measured, and why' unmeasured
check 'rounds of two runs do not pair up' two_runs
check 'malformed expressions by column' malformed
check 'nesting and words are bounded' nested
check 'malformed files by line and column' blocks
check 'a file of claims' file
check 'the thirteen, in each format' formats
check 'never over 100 columns' narrow
check 'usage' usage
