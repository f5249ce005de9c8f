#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that are wrong on purpose come out as they must.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# wrong CODE REASON OPTION...: the row is not measured, for that reason.
wrong() {
	code=$1 kind=fail reason=$2
	[ "$code" = 1 ] || kind=skip
	shift 2
	for way in thread process; do
		expect "$code" "$faulty" -n 1000 -s 1 -w 2 --as $way "$@"
		said "Faulty/as=$way/.*: .*$reason"
		has "$tmp/out" "^# $kind: Faulty/as=$way/[^ ]*: .*$reason"
		lacks "$tmp/out" '^Benchmark'
	done
	none_left "$tmp"
}

# Two workers of which one hangs: found out by name, and nothing stays.
hangs() {
	watch=
	! have timeout || watch='timeout 60'
	for way in thread process; do
		# shellcheck disable=SC2086
		expect 1 $watch "$faulty" --as $way -w 2 --limit 1 --fault 5
		said "Faulty/as=$way/fault=5/.*hangs"
		none_left "$tmp"
	done
}

# hangs_in FAULT WHERE: likewise, and the next row is measured.
hangs_in() {
	watch=
	! have timeout || watch='timeout 60'
	# shellcheck disable=SC2086
	expect 1 $watch "$faulty" --as process -w 2 --limit 1 -n 100 -s 1 \
	    --fault "$1,0"
	said "Faulty/as=process/fault=$1/.*no end of $2 after 1 s"
	has "$tmp/out" "^# fail: Faulty/as=process/fault=$1/.*no end of $2"
	has "$tmp/out" '^BenchmarkFaulty/as=process/place=same/workers=2 '
	none_left "$tmp"
}

# A program that was stopped, for longer than the limit, has not hung.
stopped() {
	"$faulty" --as thread --limit 2 -n 300000000 -s 5 --bare \
	    >"$tmp/out" 2>"$tmp/err" &
	program=$!
	sleep 0.3
	row=$(cat /proc/$program/task/$program/children) ||
		skip "no list of children"
	for process in $row $program; do
		kill -STOP "$process"
		sleep 4
		kill -CONT "$process"
	done
	got=0
	wait $program || got=$?
	[ $got = 0 ] || fail "exit code $got: $(cat "$tmp/err")"
	[ "$(grep -c ^Benchmark "$tmp/out")" = 5 ] || fail "$(cat "$tmp/out")"
}

# One row takes no other with it, whatever becomes of it.
spares() {
	for way in thread process; do
		got=0
		"$faulty" --bare -w 2 --as $way -n 1000 -s 1 --limit 2 \
		    --fault 0,1,0,2,0,3,0,4,0,5,0,6,0 \
		    >"$tmp/out" 2>"$tmp/err" || got=$?
		[ "$got" = 1 ] || fail "exit code $got"
		sed 's/fault=.//' "$tmp/out" | grep -c ^Benchmark >"$tmp/n" || :
		[ "$(cat "$tmp/n")" -eq 7 ] || fail "$(cat "$tmp/out")"
		[ "$(grep -c '^# fail: ' "$tmp/out")" -eq 5 ] ||
			fail "not five failures: $(cat "$tmp/out")"
		[ "$(wc -l <"$tmp/err")" -eq 5 ] || fail "$(cat "$tmp/err")"
	done
	none_left "$tmp"
}

# 1 outranks 77 outranks 0, whatever the order.
outranks() {
	while read -r code faults; do
		expect "$code" "$faulty" -n 1000 -s 1 --as thread --fault \
		    "$faults"
	done <<-END
	0 0,0
	77 0,2
	77 2,0
	1 2,1
	1 1,2
	1 1,0
	1 0,1,2,0
	END
}

deleted() {
	fixture deleted
	for options in '' '-n 100000000'; do
		# shellcheck disable=SC2086
		expect 1 "$tmp/deleted" $options
		said 'deleted'
		has "$tmp/out" '^# fail: Deleted/'
	done
	fixture deleted -DKEPT
	expect 0 "$tmp/deleted" -s 1
}

# withheld OPTION...: by the report, for what they did is no contention.
withheld() {
	expect 0 "$serial" -w 2 --place none -s 3 "$@"
	cp "$tmp/out" "$tmp/records"
	for format in text md; do
		expect 0 "$BUILD/report/table" --format $format "$tmp/records"
		has "$tmp/out" ' withheld '
		tr '\n' ' ' <"$tmp/out" >"$tmp/line"
		has "$tmp/line" 'one after another|alone'
	done
	expect 0 "$BUILD/report/table" --format csv "$tmp/records"
	has "$tmp/out" 'withheld'
}

# A worker alone has nobody to meet.
alone() {
	expect 0 "$serial" -w 1 --place none -s 3
	cp "$tmp/out" "$tmp/records"
	expect 0 "$BUILD/report/table" --format text "$tmp/records"
	lacks "$tmp/out" ' withheld '
}

fixture faulty
faulty=$tmp/faulty
fixture serial
serial=$tmp/serial

check 'without a fault all is well' expect 0 "$faulty" -s 1 -w 1,2
check 'the state shows another count' wrong 1 'wrong answer' --fault 1
check 'setup skips' wrong 77 'the fixture skips' --fault 2
check 'run fails' wrong 1 'the fixture fails' --fault 3
check 'a crash' wrong 1 'killed by signal 6' --fault 4
check 'fewer ops than asked for' wrong 1 'asked for' --fault 6
check 'a worker ends the process' wrong 1 . --fault 7
check 'a worker hangs' hangs
check 'setup hangs' hangs_in 8 setup
check 'reset hangs' hangs_in 9 reset
check 'count hangs' hangs_in 10 count
check 'teardown hangs' hangs_in 11 teardown
check 'stopped for a while' stopped
check 'other rows are still measured' spares
check '1 outranks 77 outranks 0' outranks
check 'the compiler deletes the op' deleted
check 'one holds the lock: withheld' withheld --early 0
check 'one is left alone: withheld' withheld --early 1
check 'a worker alone is not' alone
