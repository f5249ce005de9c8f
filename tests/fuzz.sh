#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/fuzz.sh [SECONDS [NAME ...]]: builds what is in fuzz/ with libFuzzer and
# the sanitizers and runs each for so long (60), two at a time. A finding is
# left in the folder that is told. FUZZ=dir keeps what was built and the corpora
# that grew.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"
TALLY=$tmp/tally

seconds=${1-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- records table claims options render
work=${FUZZ:-$tmp/fuzz}
mkdir -p "$work/findings"
work=$(cd "$work" && pwd)
cd "$root"

# The sources of each: those that have no main.
sources() {
	case $1 in
	options)	ls bench/*.c;;
	*)	grep -L '^main(' report/*.c
		echo bench/util.c;;
	esac
}

build() {
	have clang || skip 'no clang'
	echo 'int LLVMFuzzerTestOneInput(const char *s, long n) {
		return s && n < 0; }' >"$tmp/probe.c"
	clang -fsanitize=fuzzer "$tmp/probe.c" -o "$tmp/probe" ||
		skip 'clang has no libFuzzer'
	clang -g -O1 -fsanitize=fuzzer-no-link,address,undefined \
	    -fno-sanitize-recover=all -c tests/fuzz/fuzz.c -o "$work/$1.o"
	# shellcheck disable=SC2046 # names without blanks
	clang -std=c11 -g -O1 -pthread -Ibench \
	    -include tests/fuzz/fuzz.h -DCHUNK=1024 \
	    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o "$work/$1" "tests/fuzz/$1.c" $(sources "$1") "$work/$1.o" -lm
}

start() {
	mkdir -p "$work/$1-corpus"
	"$work/$1" -max_total_time="$seconds" -timeout=10 -max_len=4096 \
	    -rss_limit_mb=1024 -close_fd_mask=3 -print_final_stats=1 \
	    -detect_leaks=0 -artifact_prefix="$work/findings/$1-" \
	    "$work/$1-corpus" "tests/fuzz/corpus/$1" >"$work/$1.log" 2>&1 &
}

ended() {
	[ "$2" = 0 ] || fail "$(grep -E 'demanded|ERROR|SUMMARY|runtime error' \
	    "$work/$1.log"; ls "$work/findings/$1"-*; [ -n "${FUZZ-}" ] ||
	    base64 "$work/findings/$1"-*)"
}

# Two at a time.
while [ $# -gt 0 ]; do
	pair=$1
	[ $# -lt 2 ] || pair="$1 $2"
	running=
	for name in $pair; do
		shift
		check "build $name" build "$name"
		if [ -x "$work/$name" ]; then
			start "$name"
			running="$running $name:$!"
		fi
	done
	for one in $running; do
		code=0
		wait "${one#*:}" || code=$?
		name=${one%:*}
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' \
		    "$work/$name.log" | tail -n 1)
		check "$name: ${runs:-0} executions" ended "$name" "$code"
	done
done

count() {
	grep -c "^$1\$" "$TALLY" || :
}
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
