#!/bin/sh
# SPDX-License-Identifier: MIT
# run_all.sh, interrupted: children ended, records whole, tables of what ran.
# fixtures/signals.c starts it so that INT reaches it as from a terminal, in a
# process group of its own. COUNT=100 SEED=1: so many random moments of each.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# Start it on the copied build and wait for some records.
start() {
	records=$tmp/$1-records
	# shellcheck disable=SC2086
	BUILD=$tmp/build "$tmp/signals" ${shell:-sh} "$root/run_all.sh" \
	    --quick --only 'switch/[fm]*' --format text --out "$records" \
	    >"$tmp/tables" 2>"$tmp/err" &
	driver=$!
	tries=0
	: >"$records"
	until [ "$(grep -c '^Benchmark' "$records")" -ge 5 ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || fail "no records in a minute"
		kill -0 "$driver" || fail "ended: $(cat "$tmp/err")"
		sleep 0.1
	done
}

# interrupted SIGNAL CODE TARGET-PREFIX
interrupted() {
	start "$1$3"
	kill -"$1" "$3$driver"
	got=0
	wait "$driver" || got=$?
	[ $got = "$2" ] || fail "exit code $got: $(cat "$tmp/err")"
	none_left "$tmp"
	has "$tmp/tables" 'What these numbers stand on'
	has "$tmp/tables" '^(Futex|Mutex) .* [0-9]'
	said 'interrupted.*records'
	strict "$records"
	[ -z "$(tail -c 1 "$records" | tr -d '\n')" ] || fail "a torn line"
	has "$records" '^# interrupted: '
	lacks "$tmp/tables" '[^ -~]'
}

# Nobody of the group is left, zombies apart, nor a temporary file.
nothing_left() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		left=$(group "$1")
		[ -n "$left" ] || break
		sleep 0.2
	done
	[ -z "$left" ] || fail "left behind: $left"
	none_left "$tmp"
	set -- "$tmp"/temporary/*
	[ ! -e "$1" ] || fail "temporary files: $*"
}

group() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed -n \
	    "s/^\([0-9]*\) (\(.*\)) [^Z] [0-9]* $1 .*/\1 \2/p"
}

# What has a name would be left behind: nothing that is shared, and no
# temporary file, is given one.
nameless() {
	cd "$root"
	! grep -nE '(shm|sem|mq)_open|(shm|msg)get|tmp(file|nam)|mk.?temp' \
	    -r bench switch gen loop run_all.sh || fail 'see above'
}

# begin NUMBER OPTION...: a run; $driver is its shell, each in its turn.
begin() {
	records=$tmp/records
	rm -f "$records"
	turn=$(($1 % 3))
	shift
	shell="sh"
	[ $turn != 1 ] || ! have bash || shell=bash
	[ $turn != 2 ] || ! have busybox || shell='busybox sh'
	# shellcheck disable=SC2086
	TMPDIR=$tmp/temporary BUILD=$tmp/build "$tmp/signals" $shell \
	    "$root/run_all.sh" --quick --only switch/futex --format text \
	    --out "$records" "$@" >"$tmp/tables" 2>"$tmp/err" &
	driver=$!
}

# What is in the file is whole. A moment may come before there is any.
whole() {
	[ -s "$records" ] || return 0
	[ -z "$(tail -c 1 "$records")" ] || fail 'a torn line'
	! grep -q '^Benchmark' "$records" || strict "$records"
}

# moments SALT: COUNT lines of a number, another at random, a random moment
# in seconds.
moments() {
	awk -v seed="$seed" -v salt="$1" -v count="$count" 'BEGIN {
		srand(seed % 100000 * 7 + salt)
		for (i = 1; i <= count; i++)
			printf "%d %d %.3f\n", i, 1000 * rand(), 1.5 * rand()
	}'
}

# at_moments SIGNAL CODE: to the driver, or to its group as a terminal does.
at_moments() {
	moments "$2" >"$tmp/moments"
	while read -r number other moment; do
		begin "$number"
		sleep "$moment"
		to=$driver
		[ $((other % 2)) = 0 ] || to=-$driver
		kill -s "$1" -- "$to"
		got=0
		wait "$driver" || got=$?
		[ $got = "$2" ] || fail "at $moment s: $got: $(cat "$tmp/err")"
		nothing_left "$driver"
		whole
		! grep -q '^Benchmark' "$records" 2>/dev/null || {
			has "$records" '^# interrupted: '
			has "$tmp/tables" '^Futex '
			# A shell whose group got the signal adds its own.
			[ "$(grep -c '^run_all\.sh: interrupted; the records ' \
			    "$tmp/err")" = 1 ] || fail "$(cat "$tmp/err")"
		}
	done <"$tmp/moments"
}

# One of the processes below the driver dies: at most its row suffers.
kill_at_moments() {
	moments 9 >"$tmp/moments"
	while read -r number other moment; do
		begin "$number" --rounds 2
		sleep "$moment"
		group "$driver" | awk -v other="$other" -v driver="$driver" '
		$1 != driver && $2 == "futex" { pid[n++] = $1 }
		END { if (n) print pid[other % n] }' >"$tmp/victim"
		victim=$(cat "$tmp/victim")
		[ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null || :
		got=0
		wait "$driver" || got=$?
		[ $got -le 1 ] || fail "at $moment s: $got: $(cat "$tmp/err")"
		nothing_left "$driver"
		whole
		has "$tmp/tables" '^Futex '
		lost=$(awk '/^# run: / { n[$0]++ }
		/^# skip: / { runs-- }
		/^Benchmark/ { k[$1]++ }
		END {
			for (i in n) runs += n[i]
			for (i in k) rounds += k[i] / 3
			print runs - rounds
		}' "$records")
		# A program that failed is not run again in the second round.
		case $lost in
		0|0.*|1) ;;
		*) fail "at $moment s: $lost runs are lost";;
		esac
	done <"$tmp/moments"
}

# The tables hang, and the first INT waits for them.
second() {
	mv "$tmp/build/report/table" "$tmp/table"
	printf '#!/bin/sh\nexec sleep 60\n' >"$tmp/build/report/table"
	chmod +x "$tmp/build/report/table"
	begin "$1"
	sleep 1
	kill -INT "-$driver"
	sleep 0.5
	kill -0 "$driver" || fail 'it did not wait'
	start=$(date +%s)
	kill -INT "-$driver"
	got=0
	wait "$driver" || got=$?
	mv "$tmp/table" "$tmp/build/report/table"
	[ $got = 130 ] || fail "exit code $got: $(cat "$tmp/err")"
	[ $(($(date +%s) - start)) -le 5 ] || fail 'not at once'
	nothing_left "$driver"
	whole
}

fixture_signals() {
	# shellcheck disable=SC2086
	$CC -o "$tmp/signals" "$root/tests/fixtures/signals.c"
}

mkdir "$tmp/build"
cp -R "$BUILD"/switch "$BUILD"/gen "$BUILD"/loop "$BUILD"/report "$tmp/build"
fixture_signals
for shell in dash 'busybox sh' bash; do
	have "${shell%% *}" || continue
	check "INT under $shell" interrupted INT 130 ''
	check "TERM under $shell" interrupted TERM 143 ''
	check "HUP under $shell" interrupted HUP 129 ''
	check "Ctrl-C: INT to the group, under $shell" interrupted INT 130 -
done

[ -r /proc/self/stat ] || skip_all 'no /proc'
count=${COUNT:-3} seed=${SEED:-$(date +%s)}
mkdir "$tmp/temporary"
check 'nothing shared has a name' nameless
moments="at $count random moments (seed $seed)"
check "INT $moments" at_moments INT 130
check "TERM $moments" at_moments TERM 143
check "HUP $moments" at_moments HUP 129
check "KILL of a child $moments" kill_at_moments
for number in 0 1 2; do
	check "a second INT ends at once ($number)" second $number
done
