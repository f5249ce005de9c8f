#!/bin/sh
# SPDX-License-Identifier: MIT
# run_all.sh, interrupted: children ended, records whole, tables of what ran.
# fixtures/signals.c starts it so that INT reaches it as from a terminal.
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
