#!/bin/sh
# SPDX-License-Identifier: MIT
# make faults: limits, missing files, closed descriptors, wrong clocks, programs
# that die. Each ends in time, by the right exit code, says so and spares the
# other rows. A line each: tried | what happened | ok. With OFFLINE=1 a CPU is
# taken offline, which everything else on the machine notices.
# shellcheck disable=SC2016 # shell commands for other shells
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"
# What the make above us was told is not meant for one that a test starts.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
TALLY=$tmp/tally

# try WHAT COMMAND...: as check does, but a row of the table.
try() {
	what=$1
	shift
	: >"$tmp/saw"
	set +e
	(
		set -e
		"$@"
	) >"$tmp/log" 2>&1
	ended=$?
	set -e
	verdict=ok
	case $ended in
	0)	;;
	77)	verdict=skip
		tail -n 1 "$tmp/log" >"$tmp/saw";;
	*)	verdict='not ok'
		failures=$((failures + 1));;
	esac
	echo "$verdict" >>"$TALLY"
	printf '%-38s | %s | %s\n' "$what" "$(cut -c -100 "$tmp/saw")" \
	    "$verdict"
	[ "$verdict" != 'not ok' ] || sed 's/^/	/' "$tmp/log"
}

# happens CODE COMMAND...: ends in time, with this code. What it said goes into
# the table: on stderr, else of its rows, else what it marked them with.
happens() {
	wanted=$1 got=0
	shift
	timeout -k 5 100 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || got=$?
	tell "$wanted" "$got"
}

tell() {
	line=$(head -n 1 "$tmp/err" | sed "s|$tmp|TMP|g; s|$root|ROOT|g")
	for marks in 's/^# \(skip\|fail\|warn\): /\1: /p' \
	    's/^# sample: .*\(disturbed=.*\)/\1/p'; do
		[ -n "$line" ] || line=$(sed -n "$marks" "$tmp/out" \
		    "$tmp/records" 2>/dev/null | head -n 1)
	done
	echo "exit $2${line:+: $line}" >"$tmp/saw"
	[ "$2" = "$1" ] || fail "exit code $2, not $1: $(cat "$tmp/err")"
	[ "$(wc -l <"$tmp/err")" -le "${lines-1}" ] ||
		fail "lines: $(cat "$tmp/err")"
}

# driver CODE COMMAND...: a short run of the driver that COMMAND, env mostly,
# starts: its records are whole. With options in $options.
driver() {
	code=$1
	shift
	rm -f "$tmp/records"
	# shellcheck disable=SC2086 # options are words
	happens "$code" env BUILD="$tmp/build" PATIENCE=2 "$@" \
	    sh "$root/run_all.sh" --quick --only 'loop/*' --rounds 1 \
	    --place none --out "$tmp/records" ${options-}
}

# The rows named have figures, in the tables of stdout.
measured() {
	for name in "$@"; do
		has "$tmp/out" "^\\| $name +\\|[^|]*\\| +[0-9]"
	done
}

all_measured() {
	measured Empty Register Memory Atomic
	strict "$tmp/records"
}

# Of programs in the copy: one row follows the one that had to go wrong.
next_row() {
	has "$tmp/out" "^Benchmark$1 "
	none_left "$tmp"
}

as_nobody() {
	have setpriv || skip 'no setpriv'
	have prlimit || skip 'no prlimit'
	[ "$(id -u)" = 0 ] || skip 'only root can become another user'
}

# private COMMAND: a shell command in a mount namespace of its own.
private() {
	[ "$(id -u)" = 0 ] || skip 'only root may mount'
	unshare -m true 2>/dev/null || skip 'unshare -m is refused'
	unshare -m sh -euc "$1; mount -t tmpfs none $tmp/mnt" 2>"$tmp/why" ||
		skip "cannot mount: $(cat "$tmp/why")"
}

# --- limits

processes() {
	as_nobody
	# A user who has no other process.
	happens 77 setpriv --reuid=$((100000 + $$)) --clear-groups \
	    prlimit --nproc=50 \
	    "$tmp/build/switch/futex" --as "$1" -w 512,2 -n 1024 -s 1 --bare
	sed -n 's/^# skip: //p' "$tmp/out" >"$tmp/saw"
	has "$tmp/saw" "[0-9] of 512 $2: limit"
	next_row "Futex/as=$1/place=same/workers=2"
}

memory() {
	have prlimit || skip 'no prlimit'
	happens 77 prlimit --as=536870912 "$tmp/build/switch/futex" \
	    --as thread -w 4096,2 -n 4096 -s 1
	has "$tmp/err" 'of 4096 threads: limit'
	next_row Futex/as=thread/place=same/workers=2
}

descriptors() {
	have prlimit || skip 'no prlimit'
	happens 77 prlimit --nofile=10 "$tmp/build/switch/pipe" --as thread \
	    -w 8,2 -n 80 -s 1
	has "$tmp/err" 'Too many open files'
	next_row Pipe/as=thread/place=same/workers=2
}

# The whole run with hardly any descriptor, or little memory.
limited() {
	have prlimit || skip 'no prlimit'
	driver 0 prlimit "$@"
	all_measured
}

report_memory() {
	have prlimit || skip 'no prlimit'
	awk 'BEGIN {
		for (i = 1; i <= 200000; i++)
			print "BenchmarkEmpty/x=" i "/workers=1 9 1.5 ns/iter"
	}' >"$tmp/large"
	happens 1 prlimit --as=40000000 "$tmp/build/report/table" "$tmp/large"
	said 'bytes of memory'
}

# --- what is not there

hidden() {
	private "mount -t tmpfs none $1"
	driver 0 unshare -m sh -euc 'for folder in $1; do
		mount -t tmpfs none "$folder"
	done
	shift
	exec "$@"' - "$*"
	all_measured
	grep -E '^(topology|governor|cpu):' "$tmp/records" | tr '\n' ' ' |
		sed 's/^/exit 0: /' >"$tmp/saw"
}

read_only() {
	private "mount --bind $root $tmp/mnt"
	happens 0 unshare -m sh -euc '
		mount --bind "$1" "$2/mnt"
		mount -o remount,bind,ro "$2/mnt"
		cd "$2/mnt"
		! touch x 2>/dev/null
		BUILD=$2/built ./build.sh >/dev/null
		BUILD=$2/built ./run_all.sh --quick --only empty --rounds 1 \
		    --out "$2/ro-records"' - "$root" "$tmp"
	has "$tmp/out" '^\| Empty '
}

read_only_results() {
	private "mount -t tmpfs none $tmp/mnt"
	happens 1 unshare -m sh -euc '
		mount -t tmpfs -o ro none "$2/mnt"
		BUILD=$2/build exec sh "$1/run_all.sh" --quick --only empty \
		    --out "$2/mnt/records"' - "$root" "$tmp"
	said 'mnt/records: cannot write'
}

# The disk fills up in the middle: what fits is kept and shown.
full_disk() {
	private "mount -t tmpfs none $tmp/mnt"
	# Of the program, of the torn line, of the driver.
	lines=3
	happens 1 unshare -m sh -euc '
		mount -t tmpfs -o size=20k none "$2/mnt"
		code=0
		BUILD=$2/build sh "$1/run_all.sh" --quick --only "loop/*" \
		    --place none --out "$2/mnt/records" || code=$?
		cp "$2/mnt/records" "$2/records"
		exit $code' - "$root" "$tmp"
	[ "$(wc -c <"$tmp/records")" -ge 19000 ] || fail 'it was not full'
	has "$tmp/err" 'No space left|cannot write'
	has "$tmp/out" '^\| Empty '
	# All but the last line are whole.
	sed '$d' "$tmp/records" >"$tmp/kept"
	strict "$tmp/kept"
}

dev_full() {
	[ -c /dev/full ] || skip 'no /dev/full'
	options='--out /dev/full' driver 1 env
}

no_home() {
	driver 0 env -i BUILD="$tmp/build" PATH="$PATH"
	all_measured
}

no_temporary() {
	driver 0 env TMPDIR=/none TMP=/none
	all_measured
}

# --- descriptors that are closed: 0 when only stdin or stderr is

closed() {
	wanted=$1
	for shell in dash 'busybox sh' bash; do
		have "${shell%% *}" || continue
		rm -f "$tmp/records" "$tmp/out" "$tmp/err"
		: >"$tmp/out"
		: >"$tmp/err"
		got=0
		eval "BUILD=\$tmp/build timeout -k 5 100 $shell \
		    \"\$root/run_all.sh\" --quick --only 'loop/*' --rounds 1 \
		    --place none --out \"\$tmp/records\" $2" || got=$?
		tell "$wanted" "$got"
		strict "$tmp/records"
		[ "$(grep -c ^Benchmark "$tmp/records")" -ge 12 ] ||
			fail 'rows are missing'
	done
}

program_closed() {
	wanted=$1 out=$tmp/out err=$tmp/err
	for program in 'loop/empty -n 100000' 'loop/empty --host' \
	    'loop/empty -h' "report/table $root/tests/golden/records.txt" \
	    "report/compare $root/tests/golden/records.txt \
	    $root/tests/golden/records.txt"; do
		: >"$out"
		: >"$err"
		got=0
		eval "timeout -k 5 100 \$tmp/build/$program $2" || got=$?
		tell "$wanted" "$got"
	done
}

# --- terminals

# terminal COLUMNS COMMAND...: what it writes to a terminal, in $tmp/tty.
terminal() {
	have script || skip 'no script'
	columns=$1
	shift
	rm -f "$tmp/records"
	script -qec "stty cols $columns; BUILD='$tmp/build' $* \
	    sh '$root/run_all.sh' --quick --only 'loop/*' --rounds 1 \
	    --place none --format text --out '$tmp/records' >'$tmp/out'; \
	    echo code=\$?" "$tmp/tty" >/dev/null </dev/null 2>&1
	tr '\r' '\n' <"$tmp/tty" | sed 's/ *$//' |
		grep -v -e '^Script ' -e '^$' >"$tmp/lines" || :
	has "$tmp/lines" '^code=0'
	lacks "$tmp/tty" "$(printf '\033')"
	sed -n 's/^code=/exit /p' "$tmp/lines" >"$tmp/saw"
}

progress() {
	terminal "$@"
	widest=$(awk '/s left/ && length > n { n = length }
	    END { print n + 0 }' "$tmp/lines")
	[ "$widest" -gt 0 ] || fail 'no progress'
	[ "$widest" -lt "$1" ] || fail "progress $widest wide"
	sed -i "s/\$/: progress of at most $widest columns/" "$tmp/saw"
}

dumb() {
	terminal "$@"
	lacks "$tmp/lines" 's left'
	sed -i 's/$/: no progress, no escapes/' "$tmp/saw"
}

# --- clocks

# clock HOW CODE PATTERN OPTION...
clock() {
	export SHIM="$1" LD_PRELOAD="$tmp/clock.so"
	pattern=$3 code=$2
	shift 3
	happens "$code" "$tmp/build/loop/register" "$@"
	unset SHIM LD_PRELOAD
	cat "$tmp/out" "$tmp/err" >"$tmp/both"
	has "$tmp/both" "$pattern"
	lacks "$tmp/out" '^Benchmark[^ ]* +[0-9]+ +(-|0 |nan|inf)'
}

# --- what happens during a run

# started PROGRAM OPTION...: in the background, until its first record; $row is
# the process of its row.
started() {
	path=$tmp/build/$1
	shift
	"$path" --bare "$@" >"$tmp/out" 2>"$tmp/err" &
	program=$!
	tries=0
	until row=$(cat "/proc/$program/task/$program/children") &&
	    row=${row%% *} && [ -n "$row" ] && grep -q ^Bench "$tmp/out"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || fail "no record: $(cat "$tmp/err")"
		sleep 0.1
	done
}

# finished CODE
finished() {
	got=0
	wait "$program" || got=$?
	rm -f "$tmp/records"
	tell "$1" "$got"
	none_left "$tmp"
}

mask() {
	have taskset || skip 'no taskset'
	[ "$(allowed_cpus | wc -l)" -gt 1 ] || skip 'one CPU allowed'
	a=$(allowed_cpus | head -n 1)
	b=$(allowed_cpus | tail -n 1)
	started switch/futex --as thread --place "$a" -s 10 -t 100
	taskset -acp "$b" "$row" >/dev/null
	finished 0
	has "$tmp/out" '^# warn: Futex/.*: moved off its CPUs'
	has "$tmp/out" "^# sample: .*cpus=$b,$b "
}

offline() {
	last=$(allowed_cpus | tail -n 1)
	switch=/sys/devices/system/cpu/cpu$last/online
	[ "${OFFLINE-}" = 1 ] || skip 'only with OFFLINE=1'
	[ -w "$switch" ] || skip "cannot write $switch"
	started switch/futex --as thread --place "$last" -s 10 -t 100
	trap 'echo 1 >"$switch"' EXIT
	echo 0 >"$switch" || skip "refused: $switch"
	sleep 1
	echo 1 >"$switch"
	finished 0
	has "$tmp/out" '^# warn: Futex/.*: moved off its CPUs'
}

# A tenth of a CPU: the samples say that they were throttled.
quota() {
	v2=/sys/fs/cgroup v1=/sys/fs/cgroup/cpu
	if [ -w $v1/cpu.cfs_quota_us ] || [ -w $v1/cgroup.procs ]; then
		group=$v1/faults-$$
		mkdir "$group" 2>/dev/null || skip "cannot make $group"
		echo 10000 >"$group/cpu.cfs_quota_us" || quota=refused
	elif [ -w $v2/cgroup.procs ]; then
		group=$v2/faults-$$
		mkdir "$group" 2>/dev/null || skip "cannot make $group"
		echo '10000 100000' >"$group/cpu.max" || quota=refused
	else
		skip 'no CPU group that we may make'
	fi
	trap 'rmdir "$group"' EXIT
	[ -z "${quota-}" ] || skip 'no quota in a group of ours'
	rm -f "$tmp/records"
	happens 0 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" \
	    "$tmp/build/loop/register" -s 5 -t 100
	has "$tmp/out" '^# sample: .*throttled_ns=.*disturbed=.*throttled'
	has "$tmp/out" '^quota: 0.10 CPUs'
}

# Its samples are longer for it, and marked.
stopped() {
	started switch/futex --as thread -s 10 -t 100
	kill -STOP "$row"
	sleep 2
	kill -CONT "$row"
	finished 0
	has "$tmp/out" '^# sample: .*disturbed='
}

killed() {
	started switch/futex --as "$1" -w 2,3 --limit 5 -s 10 -t 100
	victim=$row
	[ "$2" = row ] ||
		victim=$(cat "/proc/$row/task/$row/children")
	kill -KILL "${victim%% *}"
	finished 1
	said 'killed by signal 9'
	has "$tmp/out" '^# fail: Futex/.*/workers=2: .*killed by signal 9'
	has "$tmp/out" '^BenchmarkFutex/.*/workers=3 '
}

traced() {
	have strace || skip 'no strace'
	strace -o "$tmp/strace" true 2>"$tmp/why" ||
		skip "ptrace is refused: $(cat "$tmp/why")"
	started switch/futex --as thread -s 10 -t 100
	strace -f -o "$tmp/strace" -p "$row" 2>/dev/null &
	finished 0
	has "$tmp/out" '^# warn: Futex/.*: traced'
}

# --- other programs than ours in the build folder

# fake CODE PATTERN: the shell script on stdin is loop/memory for a run; the
# tables say what became of it, and have the others.
fake() {
	rm -f "$tmp/build/loop/memory"
	cat >"$tmp/build/loop/memory"
	chmod +x "$tmp/build/loop/memory"
	broken "$@"
}

broken() {
	driver "$1" env
	cp -f "$BUILD/loop/memory" "$tmp/build/loop/memory"
	measured Empty Register Atomic
	has "$tmp/out" "$2"
	sed -n 's/^# \(warn: .*\)/: \1/p' "$tmp/records" | head -n 1 |
		sed "s/^/exit $1/" >"$tmp/line"
	[ ! -s "$tmp/line" ] || cp "$tmp/line" "$tmp/saw"
	none_left "$tmp"
}

crashes() {
	fake 1 'loop/memory .*exit code 1(34|39)' <<-'END'
	#!/bin/sh
	[ "$1" != --about ] || exit 0
	kill -ABRT $$
	END
}

out_of_memory() {
	fake 1 'loop/memory .*exit code 137' <<-'END'
	#!/bin/sh
	[ "$1" != --about ] || exit 0
	printf '# sample: round=1 cpus=0\nBenchmarkMemory/workers=1 9 1 ns/it'
	kill -KILL $$
	END
}

hangs() {
	fake 1 'loop/memory .*it hung' <<-'END'
	#!/bin/sh
	[ "$1" != --about ] || exit 0
	trap '' TERM INT HUP
	exec sleep 1000
	END
}

# Its lines are left out and named; the driver thinks it did well.
garbage() {
	rm -f "$tmp/build/loop/memory"
	cat >"$tmp/build/loop/memory" <<-'END'
	#!/bin/sh
	[ "$1" != --about ] || exit 0
	head -c 100000 "${0%/loop/*}/report/table"
	END
	chmod +x "$tmp/build/loop/memory"
	rm -f "$tmp/records"
	got=0
	BUILD=$tmp/build sh "$root/run_all.sh" --quick --only 'loop/*' \
	    --rounds 1 --place none --out "$tmp/records" >"$tmp/out" \
	    2>"$tmp/err" </dev/null || got=$?
	cp -f "$BUILD/loop/memory" "$tmp/build/loop/memory"
	echo "exit $got: $(grep more "$tmp/err" | head -n 1 |
		sed "s|$tmp|TMP|")" >"$tmp/saw"
	[ $got = 0 ] || fail "exit code $got"
	measured Empty Register Atomic
	lacks "$tmp/out" '[[:cntrl:]]'
	has "$tmp/err" 'more lines left out'
}

gone() {
	rm "$tmp/build/loop/memory"
	broken 1 'loop/memory: not built'
}

not_executable() {
	chmod -x "$tmp/build/loop/memory"
	broken 1 'loop/memory: not built'
}

other_machine() {
	rm -f "$tmp/build/loop/memory"
	printf '\177ELF\2\1\1garbage' >"$tmp/build/loop/memory"
	chmod +x "$tmp/build/loop/memory"
	lines=3                 # of the shell
	driver 1 env
	cp -f "$BUILD/loop/memory" "$tmp/build/loop/memory"
	measured Empty Register Atomic
}

mkdir "$tmp/build" "$tmp/mnt"
cp -R "$BUILD"/switch "$BUILD"/gen "$BUILD"/loop "$BUILD"/report "$tmp/build"
chmod -R u+w,a+rX "$tmp/build"
chmod 755 "$tmp"
# shellcheck disable=SC2086
$CC -O2 -shared -fPIC -o "$tmp/clock.so" "$root/tests/fixtures/clock_shim.c"
out=$tmp/out err=$tmp/err

try '50 threads a user' processes thread threads
try '50 processes a user' processes process processes
try '512 MiB of address space' memory
try '10 descriptors' descriptors
try '16 descriptors, the driver' limited --nofile=16
try '64 MiB of address space, the driver' limited --as=67108864
try '5 MB for the tables' report_memory
try 'no /sys' hidden /sys
try 'no /proc' hidden /proc
try 'neither /sys nor /proc' hidden /sys /proc
try 'read-only checkout' read_only
try 'read-only results' read_only_results
try 'a disk that fills up' full_disk
try '--out /dev/full' dev_full
try 'no HOME, no environment' no_home
try 'no place for temporary files' no_temporary
for program in '' program_; do
	who=${program:+programs: }
	try "${who}closed stdin" ${program}closed 0 \
	    '<&- >"$out" 2>"$err"'
	try "${who}closed stdout" ${program}closed 1 \
	    '</dev/null >&- 2>"$err"'
	try "${who}closed stderr" ${program}closed 0 \
	    '</dev/null >"$out" 2>&-'
	try "${who}closed all three" ${program}closed 1 '<&- >&- 2>&-'
done
try 'a terminal of 80 columns' progress 80
try 'a terminal of 40 columns' progress 40
try 'a terminal of 1,000 columns' progress 1000
try 'NO_COLOR' progress 80 NO_COLOR=1
try 'TERM=dumb' dumb 80 TERM=dumb
try 'no TERM' dumb 80 env -u TERM
try 'a clock that is coarse' clock coarse 0 '^BenchmarkRegister' -s 1 -t 1
try 'a coarse clock, few ops' clock coarse 77 'less than a step' -n 1000 -s 2
try 'a clock that is slow to read' clock slow 0 '^BenchmarkRegister' -s 2
try 'a clock that goes at half its speed' clock half 0 \
    'disturbed=.*clock' -s 5
try 'a clock that stands still' clock still 1 'stands still' --bare
try 'a clock that steps back' clock back 1 'ran backwards' --bare -s 20
try 'mask narrowed during a run' mask
try 'a CPU offline during a run' offline
try 'a tenth of a CPU (quota)' quota
try 'stopped and continued' stopped
try 'strace attached' traced
try 'SIGKILL of the row' killed thread row
try 'SIGKILL of a worker' killed process worker
try 'a program that crashes' crashes
try 'a program killed, a record torn' out_of_memory
try 'a program that hangs' hangs
try 'a program that prints garbage' garbage
try 'a program that is missing' gone
try 'a program that is not executable' not_executable
try 'a program that is none' other_machine

count() {
	grep -c "^$1\$" "$TALLY" || :
}
skipped=$(count skip)
total="$(count ok) passed, $failures failed"
[ "$skipped" = 0 ] || total="$total, $skipped skipped"
echo "$total"
