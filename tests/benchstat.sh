#!/bin/sh
# SPDX-License-Identifier: MIT
# What is meant for benchstat: a line a round, in its grammar, and one set of
# keys, for each set makes a table of its own.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

records=$root/tests/golden/records.txt

rounds() {
	"$BUILD/report/table" -f benchstat "$@"
}

# golang.org/design/14313-benchmark-format, as benchfmt reads it: keys that are
# lower case come before all results and once; a result is a name, a count and
# pairs of a number and a unit, the same units in all lines of a name.
grammar() {
	awk '
	function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
	/^[a-z][^ \t:A-Z]*:[ \t]+[^ \t]/ {
		if (results)
			wrong("a key after results")
		if (seen[$1]++)
			wrong("a key twice")
		next
	}
	/^Unit / {
		if (NF != 3 || $3 !~ /^better=(lower|higher)$/ ||
		    (($2 in unit) && unit[$2] != $3))
			wrong("no unit line")
		unit[$2] = $3
		next
	}
	/^Benchmark[A-Z]/ {
		results++
		if ($2 !~ /^[1-9][0-9]*$/ || NF < 4 || NF % 2)
			wrong("no result")
		units = ""
		for (i = 3; i <= NF; i += 2) {
			if ($i !~ /^-?[0-9]+(\.[0-9]+)?$/)
				wrong("no number")
			units = units " " $(i + 1)
		}
		if (($1 in of) && of[$1] != units)
			wrong("other units")
		of[$1] = units
		# A number after the last dash is read as GOMAXPROCS.
		if ($1 ~ /-[0-9]+$/)
			wrong("a name that ends in -N")
		next
	}
	{ wrong("not in the grammar") }
	END { exit bad || !results }' "$1"
}

line_a_round() {
	rounds "$records" >"$tmp/rounds"
	grammar "$tmp/rounds"
	[ "$(grep -c '^BenchmarkEmpty/workers=1 ' "$tmp/rounds")" = 6 ] ||
		fail "not a line a round"
	awk '/^Benchmark/ { $3 *= 1.01 } 1' "$records" >"$tmp/other"
	rounds "$records" "$tmp/other" >"$tmp/rounds"
	grammar "$tmp/rounds"
	[ "$(grep -c '^BenchmarkEmpty/workers=1 ' "$tmp/rounds")" = 12 ] ||
		fail "not a line a round of two files"
	# The grammar is one.
	# shellcheck disable=SC2016 # $ is sed's
	for spoil in 's/^os: .*/os:linux/' '$a os: linux' \
	    's/^\(BenchmarkEmpty[^ ]*\) 1/\1/' 's/ns\/iter//' \
	    's/^BenchmarkEmpty.workers=1/&-8/'; do
		sed "$spoil" "$tmp/rounds" >"$tmp/bad"
		! grammar "$tmp/bad" >"$tmp/out" || fail "taken: $spoil"
	done
}

# Two runs on this machine, minutes or seeds apart, have the same keys.
same_keys() {
	for run in 1 2; do
		sh "$root/run_all.sh" --quick --only empty --rounds 2 \
		    --seed $run --out "$tmp/run$run" >"$tmp/md"
		sleep 1
		rounds "$tmp/run$run" >"$tmp/rounds$run"
		grammar "$tmp/rounds$run"
		grep '^[a-z][^ ]*:' "$tmp/rounds$run" >"$tmp/keys$run"
	done
	diff "$tmp/keys1" "$tmp/keys2"
	! cmp -s "$tmp/run1" "$tmp/run2" || fail "the same run"
}

real() {
	have benchstat || skip "no benchstat (Debian has none)"
	rounds "$records" >"$tmp/old"
	awk '/^BenchmarkEmpty/ { $3 *= 2 } 1' "$tmp/old" >"$tmp/new"
	expect 0 benchstat "$tmp/old" "$tmp/new"
	[ ! -s "$tmp/err" ] || fail "$(cat "$tmp/err")"
	# One block of keys: all results are in one set of tables.
	[ "$(grep -c '^os: ' "$tmp/out")" = 1 ] || fail "several tables"
	has "$tmp/out" '^Empty/workers=1 .*\+100\.00%'
}

check 'a line a round, in the grammar' line_a_round
check 'two runs have the same keys' same_keys
check 'benchstat reads it' real
