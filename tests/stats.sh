#!/bin/sh
# SPDX-License-Identifier: MIT
# The intervals of report/stats cover what they promise, by simulation.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

covers() {
	# shellcheck disable=SC2086
	$CC -std=c11 -O2 -I"$root/bench" "$root/tests/stats.c" \
	    "$root/report/stats.c" "$root/bench/util.c" -o "$tmp/stats" -lm
	"$tmp/stats"
}

check 'coverage of the intervals' covers
