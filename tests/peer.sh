#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch and rows: nothing is lost, nobody else is served, whoever dies is told.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

ways='fetch:thread fetch:process fetch:coroutine
rows:thread rows:process rows:greenlet rows:callback'

# with_edit FILE SED PROGRAM: builds a copy in which FILE is edited.
with_edit() {
	rm -rf "$tmp/copy"
	mkdir "$tmp/copy"
	cp -R "$root/switch" "$root/bench" "$tmp/copy"
	sed "$2" "$root/$1" >"$tmp/copy/$1"
	! cmp -s "$root/$1" "$tmp/copy/$1" || fail "nothing to edit in $1"
	# shellcheck disable=SC2086
	$CC -std=c11 -O2 -pthread -I"$tmp/copy/bench" \
	    "$tmp/copy/switch/$3.c" "$tmp/copy"/switch/peer/*.c \
	    "$tmp/copy"/bench/*.c -o "$tmp/$3"
}

# Measured in each way that there is here.
each_way() {
	for way in $ways; do
		got=0
		"$BUILD/switch/${way%:*}" --as "${way#*:}" -s 2 "$@" \
		    >"$tmp/out" 2>"$tmp/err" || got=$?
		[ $got != 77 ] || continue
		[ $got = 0 ] || fail "$way $*: $got: $(cat "$tmp/err")"
		strict "$tmp/out"
	done
}

every_byte() {
	with_edit switch/peer/server.c \
	    's/\(c->buffer\[i\] = page_byte(.*\));/\1 + (i == 4000));/' fetch
	for as in thread process coroutine; do
		expect 1 "$tmp/fetch" --as $as -w 5 -n 50 -s 1
		said 'page [0-9]*: byte 4000 is wrong'
	done
}

# The server takes one row less than it says.
lost_row() {
	with_edit switch/peer/server.c \
	    's/atomic_fetch_add(&server->rows, n)/&; server->rows -= n == 3/' \
	    rows
	expect 1 "$tmp/rows" --as thread -w 1 -n 6 --batch 3 -s 1
	said 'wrong answer: the workers did 6 ops, the state shows 4'
	with_edit switch/peer/server.c 's/sum += row.id/sum += i/' rows
	expect 1 "$tmp/rows" --as callback -w 1 -n 6 -s 1
	said 'the ids of 6 rows add up to'
}

stranger() {
	fixture stranger -I"$root/switch/peer" "$root/switch/peer/server.c" \
	    "$root/switch/peer/poller.c" "$root/switch/peer/exchange.c"
	expect 0 "$tmp/stranger" -s 1
}

# children PID: the processes that it started, eldest first.
children() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		list=$(cat "/proc/$1/task/"*/children 2>/dev/null) || :
		[ -z "$list" ] || break
		sleep 0.2
	done
	[ -n "$list" ] || fail "no child of $1: $(cat "$tmp/err")"
	# shellcheck disable=SC2086 # one a line
	printf '%s\n' $list
}

# killed WAY WHICH MESSAGE: of the row's processes the first is the server.
killed() {
	[ -r "/proc/$$/task/$$/children" ] || skip "no list of children"
	more=
	[ "${1%:*}" = rows ] || more='-n 20000 --delay 20000000'
	# shellcheck disable=SC2086
	"$BUILD/switch/${1%:*}" --as "${1#*:}" -w 4 -n 1000000 -s 1 $more \
	    >"$tmp/out" 2>"$tmp/err" &
	program=$!
	row=$(children $program | head -n 1)
	# The pool is there a moment after the server.
	sleep 1
	if grep -q '^# skip' "$tmp/out"; then
		wait $program || :
		skip "$(tail -n 1 "$tmp/err")"
	fi
	kill -KILL "$(children "$row" | sed -n "$2p")"
	tries=0
	while kill -0 $program 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -le 50 ] || {
			kill $program
			fail "still there after 5 s"
		}
		sleep 0.1
	done
	got=0
	wait $program || got=$?
	[ $got = 1 ] || fail "exit code $got: $(cat "$tmp/err")"
	said "$3"
	has "$tmp/out" '^# fail: '
}

descriptors() {
	for way in fetch:thread fetch:coroutine rows:callback; do
		got=0
		(
			# shellcheck disable=SC3045
			ulimit -n 16
			exec "$BUILD/switch/${way%:*}" --as "${way#*:}" \
			    -w 50,2 -n 100 -s 1 >"$tmp/out" 2>"$tmp/err"
		) || got=$?
		[ $got = 77 ] || fail "$way: $got: $(cat "$tmp/err")"
		has "$tmp/out" 'skip: .*/workers=50: .*open files'
		has "$tmp/out" "^(Benchmark|# skip).*/workers=2(:| )"
	done
}

no_loopback() {
	have unshare || skip "no unshare"
	unshare -n true 2>/dev/null || skip "no network namespaces"
	for way in fetch:thread fetch:process fetch:coroutine rows:thread; do
		expect 77 unshare -n "$BUILD/switch/${way%:*}" \
		    --as "${way#*:}" -w 2 -n 4 -s 1
		said 'unreachable'
	done
}

# As where there is no epoll.
with_poll() {
	with_edit bench/bench.h 's/define HAVE_EPOLL 1/define HAVE_EPOLL 0/' \
	    fetch
	expect 0 "$tmp/fetch" --as thread,process -w 5 -n 50 -s 1
	with_edit bench/bench.h 's/define HAVE_EPOLL 1/define HAVE_EPOLL 0/' \
	    rows
	expect 0 "$tmp/rows" --as callback -w 1,40,200 -n 1000 -s 1
}

check 'one page, one row' each_way -w 1,3 -n 1
check 'more workers than work' each_way -w 100 -n 7
check 'no delay to speak of' each_way -w 8 -n 400 --delay 1
check 'batches' "$BUILD/switch/rows" --as thread -w 7 -n 1000 --batch 1,99,1000
check 'a wrong byte' every_byte
check 'a lost row' lost_row
check 'a stranger' stranger
for way in $ways; do
	check "the server is killed: $way" killed "$way" 1 \
	    'the server (is gone|hung up)'
done
check 'a process of the pool is killed' killed fetch:process 3 \
    'pool was killed by signal 9'
check 'ulimit -n' descriptors
check 'no loopback' no_loopback
check 'poll in place of epoll' with_poll
