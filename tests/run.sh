#!/bin/sh
# SPDX-License-Identifier: MIT
# BUILD=dir CC=cc sh tests/run.sh [NAME ...]
# Runs the test files of this folder, or those named, each under $TEST_SH (sh):
# a line a check, the total last. Exit 1 when a check failed.
set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$here/../build}" && pwd)
TALLY=$(mktemp)
export BUILD TALLY
# What the make above us was told is not meant for one that a test starts.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
trap 'rm -f "$TALLY"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A test file is one that sources lib.sh. make lint is for those who edit;
# the matrix, make faults and fuzzing take minutes.
[ $# -gt 0 ] || for file in "$here"/*.sh; do
	case ${file##*/} in
	lint.sh|matrix.sh|faults.sh|fuzz.sh) continue;;
	esac
	! grep -q '^\. .*/lib\.sh"$' "$file" || set -- "$@" "$file"
done

for file in "$@"; do
	name=$(basename "$file" .sh)
	code=0
	# shellcheck disable=SC2086 # "busybox sh" is two words
	${TEST_SH:-sh} "$here/$name.sh" || code=$?
	case $code in
	0|1|77) ;;
	*)	echo "not ok $name: ended early, exit code $code"
		echo 'not ok' >>"$TALLY";;
	esac
done

count() {
	grep -c "^$1\$" "$TALLY" || :
}
failed=$(count 'not ok')
skipped=$(count skip)
total="$(count ok) passed, $failed failed"
[ "$skipped" = 0 ] || total="$total, $skipped skipped"
echo "$total"
[ "$failed" = 0 ]
