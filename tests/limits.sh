#!/bin/sh
# SPDX-License-Identifier: MIT
# What the system will not give is told and skipped; the next row runs.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# short WHAT FEW COMMAND...: too many WHAT, then FEW of them.
short() {
	what=$1 few=$2
	shift 2
	expect 77 "$@"
	has "$tmp/out" "^# skip: Futex/.*: [0-9]+ of [0-9]+ $what: limit"
	has "$tmp/err" "[0-9]+ of [0-9]+ $what: limit"
	has "$tmp/out" "^BenchmarkFutex/.*/workers=$few "
	lacks "$tmp/out" '^# fail'
	none_left "$tmp"
}

# As a user that has no process yet.
processes() {
	have prlimit || skip "no prlimit"
	have setpriv || skip "no setpriv"
	[ "$(id -u)" = 0 ] || skip "only root can become another user"
	chmod 755 "$tmp"
	for way in thread process; do
		what=${way}s
		[ $way = thread ] || what=processes
		short $what 2 setpriv --reuid=65534 --clear-groups \
		    prlimit --nproc=50 "$tmp/futex" --as $way -w 512,2 \
		    -n 1024 -s 1
		has "$tmp/out" "^# skip: .* of 512 $what"
	done
}

# 256 KiB of stack each: 4,096 of them do not fit.
memory() {
	have prlimit || skip "no prlimit"
	prlimit --as=536870912 "$tmp/futex" --about >/dev/null 2>&1 ||
		skip "does not even start in 512 MiB"
	short threads 2 prlimit --as=536870912 "$tmp/futex" --as thread \
	    -w 4096,2 -n 4096 -s 1
}

cp "$BUILD/switch/futex" "$tmp/futex"
check 'ulimit -u' processes
check 'ulimit -v' memory
