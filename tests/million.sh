#!/bin/sh
# SPDX-License-Identifier: MIT
# A million records: read in a memory that grows with rows and not with records,
# and right. How long it takes is told, not judged.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

table=$BUILD/report/table

# records ROWS SAMPLES: six rounds of so many samples of each row; the median of
# round r of row i is 100 * i + r.
records() {
	awk -v rows="$1" -v samples="$2" 'BEGIN {
		print "os: linux"
		for (r = 1; r <= 6; r++)
			for (i = 1; i <= rows; i++)
				for (k = 1; k <= samples; k++) {
					v = k - (samples + 1) / 2
					v = 100 * i + r + v / samples
					printf "# sample: round=%d cpus=0 " \
						"n=2000000\nBenchmarkMutex/" \
						"workers=%d  2000000  %.6f " \
						"ns/acquire  0.000035 " \
						"handoffs/op  0.00001 vcsw/op" \
						"  %.6f cpu-ns/op\n", \
						r, i, v, v
				}
	}'
}

# right ROWS: the csv on stdin has the medians and intervals of records().
right() {
	awk -F, -v rows="$1" '
	$6 == "ns/acquire" {
		n++
		i = $3
		if ($7 - (100 * i + 3.5) > 0.1 || (100 * i + 3.5) - $7 > 0.1 ||
		    $12 != 6 || $13 == 0) {
			print
			bad = 1
		}
		samples += $13
	}
	END {
		print n " rows of " samples " records"
		exit bad || n != rows
	}'
}

million() {
	records 100 1667 >"$tmp/million"
	start=$(date +%s)
	"$table" -f csv "$tmp/million" >"$tmp/csv"
	end=$(date +%s)
	right 100 <"$tmp/csv"
	size=$(wc -c <"$tmp/million")
	echo "$((size / 1000000)) MB in $((end - start)) s" >"$tmp/took"
}

# All of them kept would be 32 MB, and the room to grow as much again.
memory() {
	(
		# shellcheck disable=SC3045
		ulimit -v 24576 2>/dev/null || exit 77
		"$table" -h >/dev/null 2>&1 || exit 77  # sanitizers
		"$table" -f csv "$tmp/million" >"$tmp/csv"
	) || { [ $? = 77 ] && skip "no limit to a process's memory"; fail no; }
	right 100 <"$tmp/csv"
	# The limit is one: what has to be kept is more than it allows.
	awk 'BEGIN { while (i++ < 200000)
		print "BenchmarkMutex/workers=" i " 1 2 ns/acquire" }' \
		>"$tmp/rows"
	! (
		# shellcheck disable=SC3045
		ulimit -v 24576
		"$table" -f csv "$tmp/rows" >/dev/null 2>"$tmp/err"
	) || fail "200,000 rows passed: no limit"
}

# One bad line in a thousand is counted, and the rest is what it was.
some_bad() {
	awk 'NR % 1000 == 500 { print "BenchmarkMutex/workers=1 x" } 1' \
	    "$tmp/million" >"$tmp/bad"
	expect 0 "$table" -f csv "$tmp/bad"
	cmp "$tmp/out" "$tmp/csv"
	has "$tmp/err" 'bad:500: expected a number of ops'
	has "$tmp/err" ': 1990 more lines left out'
	[ "$(wc -l <"$tmp/err")" -eq 11 ] || fail "$(head "$tmp/err")"
}

check 'a million records' million
[ ! -s "$tmp/took" ] || check "that was $(cat "$tmp/took")" true
check 'they take no more memory than rows do' memory
check 'bad lines among them' some_bad
