#!/bin/sh
# SPDX-License-Identifier: MIT
# The figures of the tables, worked out again from the records by figures.awk.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

records=$root/tests/golden/records.txt

agree() {
	"$BUILD/report/table" --format csv "$records" >"$tmp/csv"
	awk -f "$root/tests/figures.awk" "$records" "$tmp/csv" ||
		fail "see above"
}

# figures.awk itself notices.
notices() {
	"$BUILD/report/table" --format csv "$records" >"$tmp/csv"
	awk -F, -v OFS=, 'NR == 2 { $8 *= 1.001 } 1' "$tmp/csv" >"$tmp/low"
	sed 4d "$tmp/csv" >"$tmp/short"
	for name in low short; do
		! awk -f "$root/tests/figures.awk" "$records" "$tmp/$name" \
		    >"$tmp/out" || fail "$name: not noticed"
	done
}

# Two rounds give no interval; six do, from the least to the greatest.
intervals() {
	"$BUILD/report/table" --format text "$records" >"$tmp/text"
	has "$tmp/text" '^thread, spread +2 .* n/a '
	has "$tmp/text" '^thread, same +2 .* [0-9.]+\.\.[0-9.]+ '
	awk '/round=2/ { exit } 1' "$records" >"$tmp/few"
	"$BUILD/report/table" --format text "$tmp/few" >"$tmp/text"
	has "$tmp/text" 'too few for an interval'
	lacks "$tmp/text" '[0-9]\.\.[0-9]'
}

# A file is a run of its own: its round 1 is not the other's.
two_files() {
	awk '/^Benchmark/ { $3 *= 1.01 } 1' "$records" >"$tmp/other"
	"$BUILD/report/table" --format csv "$records" "$tmp/other" >"$tmp/csv"
	awk -F, '$1 == "Empty/workers=1" && $6 == "ns/iter" && $12 != 12 {
		print; bad = 1
	}
	END { exit bad }' "$tmp/csv"
}

check 'the csv agrees with the records' agree
check 'what does not agree is noticed' notices
check 'an interval takes six rounds' intervals
check 'rounds of two files add up' two_files
