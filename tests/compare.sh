#!/bin/sh
# SPDX-License-Identifier: MIT
# report/compare: verdicts on made-up runs whose truth is known, the driver's
# --ab, and what report/table says of modes, disturbance and claims.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

compare=$BUILD/report/compare

# run NAME ROUNDS NS HANDOFFS [COMPILER [MORE]]: records of one contended row,
# 1 % apart between rounds.
run() {
	awk -v rounds="$2" -v ns="$3" -v handoffs="$4" \
	    -v compiler="${5-gcc -O2}" -v more="${6-}" 'BEGIN {
		print "os: linux"
		print "compiler: " compiler
		print "# about: Mutex group=switch unit=ns/acquire " \
			"work=contend worker=worker op=\"lock\" " \
			"not=\"a switch\""
		for (r = 1; r <= rounds; r++) {
			printf "# sample: round=%d cpus=0,1%s\n", r, more
			printf "BenchmarkMutex/workers=2 100 %.4f ns/acquire " \
				"%s handoffs/op 0.1 vcsw/op 0 ivcsw/op " \
				"0.99 overlap 2 active\n",
				ns * (1 + (r * 7 % 5 - 2) / 200), handoffs
		}
	}' >"$tmp/$1"
}

# verdict PATTERN OLD NEW [OPTION...]
verdict() {
	pattern=$1 old=$2 new=$3
	shift 3
	expect 0 "$compare" "$@" "$tmp/$old" "$tmp/$new"
	has "$tmp/out" "^\\| Mutex.*\\| $pattern *\\|\$"
}

same_twice() {
	run a 12 100 0.2
	verdict same a a
	run b 6 100 0.2
	lacks_verdict slower b b
	lacks_verdict faster b b
}

lacks_verdict() {
	expect 0 "$compare" "$tmp/$2" "$tmp/$3"
	! grep -q "^| Mutex.*$1" "$tmp/out" || fail "$1: $(cat "$tmp/out")"
}

slower() {
	run a 6 100 0.2
	run b 6 110 0.2
	verdict slower a b
	verdict faster b a
	verdict same a b --within 20
}

too_few() {
	run a 4 115 0.2
	run b 5 78.8 0.2
	verdict 'too few rounds' a b
}

contention() {
	run a 6 100 0.2
	run b 6 110 0.3
	verdict 'not comparable' a b
}

alignment() {
	run a 6 0.9 0.2
	run b 6 1.3 0.2 'clang -O3'
	verdict 'not resolved' a b
	has "$tmp/out" 'NOT THE SAME MACHINE OR BUILD'
	has "$tmp/out" '^\| compiler +\| gcc -O2 +\| clang -O3 +\|'
	# Within one build the same numbers are a difference.
	run b 6 1.3 0.2
	verdict slower a b
	lacks "$tmp/out" 'NOT THE SAME'
}

codes() {
	run a 6 100 0.2
	run b 6 110 0.2
	expect 1 "$compare" --fail-on-slower 5 "$tmp/a" "$tmp/b"
	expect 0 "$compare" --fail-on-slower 20 "$tmp/a" "$tmp/b"
	expect 0 "$compare" --fail-on-slower 5 "$tmp/b" "$tmp/a"
	refused "$compare" "$tmp/a"
	refused "$compare" "$tmp/a" "$tmp/none"
	refused "$compare" --within x "$tmp/a" "$tmp/b"
	refused "$compare" --format benchstat "$tmp/a" "$tmp/b"
}

only_one() {
	run a 6 100 0.2
	sed 's/Mutex/Other/' "$tmp/a" >"$tmp/b"
	expect 0 "$compare" "$tmp/a" "$tmp/b"
	has "$tmp/out" 'Only in the old file .*Mutex/workers=2'
	has "$tmp/out" 'Only in the new file .*Other/workers=2'
	has "$tmp/out" '^0 slower, 0 faster, 0 the same'
}

# A pair of runs is compared within rounds: drift common to both cancels.
pairs() {
	for side in a b; do
		awk -v side="$side" 'BEGIN {
			print "# pair: 1"
			for (r = 1; r <= 6; r++) {
				t = r * 10 * (side == "b" ? 1.05 : 1)
				print "# sample: round=" r
				print "BenchmarkRaw/workers=2 1 " t " ns/switch"
			}
		}' >"$tmp/$side"
	done
	expect 0 "$compare" "$tmp/a" "$tmp/b"
	has "$tmp/out" 'side by side'
	has "$tmp/out" '^\| Raw.* 1\.050 .*slower'
}

ab() {
	cp -r "$BUILD" "$tmp/other"
	expect 0 "$root/run_all.sh" --quick --only register --ab "$BUILD" \
	    "$tmp/other" --out "$tmp/ab"
	has "$tmp/out" 'side by side'
	has "$tmp/out" '^\| Register/'
	strict "$tmp/ab"
	strict "$tmp/ab.b"
	[ "$(grep -c '^Benchmark' "$tmp/ab")" = \
	    "$(grep -c '^Benchmark' "$tmp/ab.b")" ] || fail "uneven rounds"
}

modes() {
	awk 'BEGIN {
		split("30 31 30.5 210 211 209", v, " ")
		for (r = 1; r <= 6; r++) {
			print "# sample: round=" r
			print "BenchmarkSpin/workers=2 9 " v[r] " ns/handoff"
		}
	}' >"$tmp/modes"
	expect 0 "$BUILD/report/table" "$tmp/modes"
	has "$tmp/out" '30\.5/210'
	has "$tmp/out" '30\.5 ns in 3 rounds and 210 in 3'
}

disturbed() {
	run a 6 100 0.2 gcc ' disturbed=busy,gaps'
	expect 0 "$BUILD/report/table" "$tmp/a"
	has "$tmp/out" '\| +100!'
	has "$tmp/out" '1 of 1 rows carry'
	has "$tmp/out" 'disturbed \(busy, gaps\) in 6 of 6 samples'
	expect 0 "$compare" "$tmp/a" "$tmp/a"
	has "$tmp/out" 'not resolved !|same !'
}

# claim SWITCHES HANDOFFS PATTERN
claim() {
	printf '%s\n' "# about: Ring group=switch unit=ns/handoff work=total \
worker=worker op=\"pass\" not=\"x\"" "BenchmarkRing/workers=2 9 100 ns/handoff \
$2 handoffs/op $1 vcsw/op 0 ivcsw/op" >"$tmp/claim"
	expect 0 "$BUILD/report/table" "$tmp/claim"
	has "$tmp/out" "^\\| Ring .*\\| $3 *\\|"
}

claims() {
	claim 1 1 '1\.00 switch'
	claim 0.6 1 'slept 60 %'
	claim 1.34 1 '1\.3 hand-off'
	claim 0.00001 1 unseen
	claim 0.00001 0.2 'no switch'
}

benchstat() {
	run a 6 100 0.2
	expect 0 "$BUILD/report/table" -f benchstat "$tmp/a"
	cp "$tmp/out" "$tmp/rounds"
	[ "$(grep -c '^Benchmark' "$tmp/rounds")" = 6 ] || fail "not six lines"
	# The strict reader also wants what our programs say of each sample.
	awk '/^Benchmark/ { print "# sample: round=1 cpus=0,1" } 1' \
		"$tmp/rounds" >"$tmp/samples"
	strict "$tmp/samples"
}

# A row that fails in the new run is worse than a slow one.
failed_row() {
	run a 6 100 0.2
	run b 6 100 0.2
	echo '# fail: Mutex/workers=2: wrong answer' >>"$tmp/b"
	expect 1 "$compare" --fail-on-slower 10 "$tmp/a" "$tmp/b"
	has "$tmp/out" 'FAILED in the new file: Mutex/workers=2: wrong answer'
	expect 0 "$compare" "$tmp/a" "$tmp/b"
	expect 0 "$BUILD/report/table" "$tmp/b"
	has "$tmp/out" '^\| Mutex .*\| +failed \|'
}

many_against_one() {
	run a 31 100 0.2
	run b 1 100 0.2
	verdict 'too few rounds' a b
	run b 40 110 0.2
	verdict slower a b
}

# Sums are of the same round; where a part lacks it there is none.
ladder() {
	awk 'BEGIN {
		print "# about: Part group=switch unit=ns/call work=total " \
			"worker=w op=\"p\" not=\"x\""
		print "# about: Whole group=switch unit=ns/call work=total " \
			"parts=\"Part\" worker=w op=\"w\" not=\"x\""
		for (r = 1; r <= 6; r++) {
			print "# sample: round=" r
			print "BenchmarkWhole/place=same/workers=2 1 " \
				100 * r + 7 " ns/call"
			if (r == 2)
				continue
			print "# sample: round=" r
			print "BenchmarkPart/place=same/workers=1 1 " 100 * r \
				" ns/call"
		}
	}' >"$tmp/sum"
	expect 0 "$BUILD/report/table" "$tmp/sum"
	has "$tmp/out" '^\| Whole .* 7\.00 \| +n/a \|'
}

# Two machines in one file: said, not silent.
mixture() {
	run a 6 100 0.2
	run b 6 100 0.2 'clang -O3'
	cat "$tmp/a" "$tmp/b" >"$tmp/mixed"
	expect 0 "$BUILD/report/table" "$tmp/mixed"
	tr '\n' ' ' <"$tmp/out" >"$tmp/line"
	has "$tmp/line" 'the records differ in compiler'
}

# Whatever the format, nothing is lost: failures, rows of one file.
formats() {
	run a 6 100 0.2
	run b 6 110 0.2 'clang -O3'
	printf '%s\n' '# fail: Gil/workers=2: its check' \
	    'BenchmarkOther/workers=1 1 2 ns/iter' >>"$tmp/b"
	for format in md text tex json csv; do
		expect 0 "$compare" -f $format "$tmp/a" "$tmp/b"
		tr '\n' ' ' <"$tmp/out" >"$tmp/line"
		for word in 1\.100 slower 'FAILED in' Gil/workers=2 \
		    Other/workers=1; do
			has "$tmp/line" "$word"
		done
		cat "$tmp/out" "$tmp/err" >"$tmp/all"
		has "$tmp/all" 'NOT THE SAME'
	done
	# csv is one table.
	awk -F, '/^Mutex/ { n = NF } NF < 7 || NF != (n ? n : NF) { bad = 1 }
		END { exit bad }' "$tmp/out" || fail "$(cat "$tmp/out")"
}

check 'a failed row fails the gate, and is shown' failed_row
check 'more than thirty rounds, or one' many_against_one
check 'parts are subtracted round by round' ladder
check 'two builds in one file are a mixture' mixture
check 'nothing is lost in any format' formats
check 'the same data twice: no difference' same_twice
check 'ten per cent are found, and tolerated on demand' slower
check 'four rounds against five: too few' too_few
check 'different contention is not compared' contention
check 'another build: none under 1 ns, and loudly' alignment
check 'exit codes and usage' codes
check 'rows of one file only' only_one
check 'pairs of rounds' pairs
check 'run_all.sh --ab' ab
check 'two modes are named' modes
check 'disturbance is marked' disturbed
check 'claims agree with the count' claims
check 'a line a round for benchstat' benchstat
