#!/bin/sh
# SPDX-License-Identifier: MIT
# The sizes keep their promise: rows, and seconds of the least time they take,
# within 20 %. Of the default's 150 rows at most 110 are calibrated; the others
# are the grids of fetch and rows.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# promise ROWS SECONDS OPTION...
promise() {
	rows=$1 seconds=$2
	shift 2
	expect 0 sh "$root/run_all.sh" --plan "$@"
	[ ! -s "$tmp/err" ] || fail "complained: $(cat "$tmp/err")"
	awk -v most="$rows" -v seconds="$seconds" '
	{ last = $0 }
	/^ *[0-9.]+ s  [a-z]+\/[a-z_]+/ { rows++; sum += $1 }
	END {
		split(last, word, " ")
		told = last
		sub(/.*about /, "", told)
		told += 0
		print last ", their sum " sum " s"
		exit !(word[1] == rows && rows > 0 && rows <= most &&
			told <= 1.2 * seconds && sum <= 1.2 * seconds &&
			told > 0.9 * sum - 1 && told < 1.1 * sum + 1)
	}' "$tmp/out"
}

# Nothing but the plan, and every row of it is one that its program knows.
rows_exist() {
	for size in --quick '' --full; do
		# shellcheck disable=SC2086 # '' is no word
		sh "$root/run_all.sh" --plan $size >"$tmp/plan"
		sed -n 's/^ *[0-9.]* s  //p' "$tmp/plan" | sort -u >"$tmp/rows"
		while read -r program args; do
			# shellcheck disable=SC2086
			"$BUILD/$program" $args --plan >"$tmp/out" 2>&1 ||
				fail "$program $args: $(cat "$tmp/out")"
			[ "$(grep -c '^[A-Z]' "$tmp/out")" -eq 1 ] ||
				fail "not one row: $program $args"
		done <"$tmp/rows"
	done
}

check '--quick' promise 35 15 --quick
check 'default' promise 150 90
check 'every row of each size is one' rows_exist
