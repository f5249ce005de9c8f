#!/bin/sh
# SPDX-License-Identifier: MIT
# -h and --help: one screen, examples first.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# screen EXAMPLE COMMAND...: 24 lines of 80 columns; the first is the usage,
# then, after an empty line, examples.
screen() {
	example=$1
	shift
	for option in -h --help; do
		expect 0 "$@" $option
		[ ! -s "$tmp/err" ] || fail "$option wrote to stderr"
		[ "$(wc -l <"$tmp/out")" -le 24 ] || fail "over 24 lines"
		lacks "$tmp/out" '.{81}'
		sed -n 1p "$tmp/out" >"$tmp/line"
		has "$tmp/line" '^usage: '
		sed -n 3p "$tmp/out" >"$tmp/line"
		has "$tmp/line" "^  $example"
	done
}

check build.sh screen './build.sh' sh "$root/build.sh"
check run_all.sh screen './run_all.sh' sh "$root/run_all.sh"
for program in "$BUILD"/report/* "$BUILD"/switch/* "$BUILD"/gen/* \
    "$BUILD"/loop/*; do
	[ ! -d "$program" ] || continue
	case $program in
	*.[od]) continue;;
	esac
	name=${program##*/}
	check "${program#"$BUILD"/}" screen "$name " "$program"
done
