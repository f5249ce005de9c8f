#!/bin/sh
# SPDX-License-Identifier: MIT
# Does it hold up anywhere? Each cell is a build of its own, with warnings as
# errors; in it every program runs in all its ways, the records are read, the
# tables of golden/ come out the same, and the hand-written switch keeps its
# registers. A line a cell, the total last.
#
#	sh tests/matrix.sh [CELL ...]
#
# A CELL is a pattern ('gcc*'); without any, all. A compiler that is missing
# skips its cells, or fails them where ALL=yes is in the environment.
set -euf
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# Name, compiler, what its programs run under, what rows are skipped for there
# (and must be; -: nothing), flags.
matrix() {
	cat <<EOF
gcc-O0       gcc      native - -O0
gcc-O2       gcc      native - -O2
gcc-O3-lto   gcc      native - -O3 -flto
gcc-Os       gcc      native - -Os
gcc-static   gcc      native - -O2 -static
gcc-hardened gcc      native - -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong
clang-O0     clang    native - -O0
clang-O2     clang    native - -O2
clang-O3-lto clang    native - -O3 -flto
clang-Os     clang    native - -Os
clang-static clang    native - -O2 -static
musl-shared  musl-gcc native makecontext -O2
musl-static  musl-gcc native makecontext -O2 -static
off-gcc      gcc      native makecontext|futex -O2
off-clang    clang    native makecontext|futex -O2
off-posix    gcc      native makecontext|futex -O2 $posix
aarch64      aarch64-linux-gnu-gcc   qemu-aarch64-static - -O2 -static
riscv64      riscv64-linux-gnu-gcc   qemu-riscv64-static - -O2 -static
arm-time64   arm-linux-gnueabihf-gcc qemu-arm-static hand-written -O2 $time64
tsan-gcc     gcc      native   - -O1 -g -fsanitize=thread
tsan-clang   clang    native   - -O1 -g -fsanitize=thread
valgrind     gcc      valgrind - -O1 -g
tcc          tcc      native   - -O2
EOF
}

# Nothing says Linux, and nothing is declared beyond POSIX but mmap's flags.
posix='-U__linux__ -U__linux -U__gnu_linux__ -D_POSIX_C_SOURCE=200809L
-D_DEFAULT_SOURCE'
time64="-static -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
-I$root/tests/fixtures/time64"
posix=$(echo "$posix" | tr '\n' ' ')
time64=$(echo "$time64" | tr '\n' ' ')

# Spinning threads get their turns. A step of the stack pointer that is larger
# than any frame here is a switch to another stack.
memcheck='valgrind -q --fair-sched=yes --max-stackframe=16384'
memcheck="$memcheck --error-exitcode=9 --leak-check=full"
memcheck="$memcheck --show-leak-kinds=definite"
memcheck="$memcheck --errors-for-leak-kinds=definite"

# The programs that measure; those that report.
programs() {
	for folder in switch gen loop; do
		find "$root/$folder" -maxdepth 1 -name '*.c'
	done | sort | sed "s,^$root/,,; s/\.c\$//"
}

tools() {
	find "$root/report" -name '*.c' -exec grep -l '^main(' {} + |
		sort | sed "s,^$root/,,; s/\.c\$//"
}

build() {
	case $cell in
	off-*)	set -- --without-hwloc "PROBES=$(probes_off)";;
	valgrind)
		set -- --without-hwloc;;        # which asks the CPU itself
	*)	set --;;
	esac
	CC=$cc CFLAGS="$flags -Werror" BUILD=$made "$root/build.sh" "$@"
}

# tcc 0.9.27 has no atomics; report/ needs none.
build_tools() {
	set --
	for tool in $(tools); do
		set -- "$@" "$made/$tool"
	done
	make -s -C "$root" CC="$cc" CFLAGS="$flags" BUILD="$made" \
	    COMPILE="$cc -std=c11 -Ibench -Wall -Werror" "$@"
}

# A program that is not run natively is a script that says under what.
wrap() {
	for program in $(programs) $(tools); do
		mkdir -p "$BUILD/${program%/*}"
		printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$run" \
		    "$made/$program" >"$BUILD/$program"
		chmod +x "$BUILD/$program"
	done
}

# Two workers where there can be two, on two CPUs where there are two.
arguments() {
	read -r least most <<-END
	$("$1" -h | tee "$tmp/help" |
		sed -n 's/^  -w, .*(\([0-9]*\) to \([0-9]*\))$/\1 \2/p')
	END
	[ "$least" -gt 1 ] || [ "$most" -lt 2 ] || least=2
	place=spread
	"$1" --plan -w "$least" --place $place |
		grep -v ': skipped: ' >/dev/null || place=same
	case $cell in
	gcc*|clang*|musl*|off*)
		echo "-t 1";;
	*)	echo "-n 100";;
	esac
	# As far apart as other mappings are.
	[ "$cell" != valgrind ] || ! grep -q '^  --stack ' "$tmp/help" ||
		echo "--stack 1048576"
	echo "-w $least --place $place"
}

smoke() {
	"$BUILD/loop/empty" --host
	for program in $(programs); do
		"$ask/$program" --about
	done
	for program in $(programs); do
		arguments=$(arguments "$ask/$program" | tr '\n' ' ')
		echo "$program $arguments" >&2
		code=0
		# shellcheck disable=SC2086 # arguments are words
		"$BUILD/$program" --bare -s 1 $arguments </dev/null || code=$?
		[ $code = 0 ] || [ $code = 77 ] ||
			fail "$program: exit code $code"
	done
}

# judge RECORDS REASONS: they parse; each program has a record, or a reason why
# not; rows are skipped for these reasons and for want of CPUs, no others, and
# for each of these there are some.
judge() {
	strict "$1"
	lacks "$1" '^# fail'
	sed -n 's/^# about: \([^ /]*\).*/\1/p' "$1" >"$tmp/names"
	while read -r name; do
		has "$1" "^(Benchmark|# skip: )$name/"
	done <"$tmp/names"
	! sed -n 's/^# skip: [^ ]*: //p' "$1" |
		grep -Ev "one CPU allowed|needs its own|$2" ||
		fail "skipped for another reason"
	[ "$2" = - ] || for reason in $(echo "$2" | tr '|' ' '); do
		has "$1" "^# skip: .*$reason"
	done
}

# judge, under the eyes of one.
refuses_records() {
	cat >"$tmp/good" <<-'END'
	os: linux
	Unit ns/iter better=lower
	# about: Empty group=loop
	# sample: cpus=0
	BenchmarkEmpty/workers=1 100 1 ns/iter
	# skip: Raw/workers=1: one CPU allowed
	END
	judge "$tmp/good" - || fail "good ones are refused"
	! (judge "$tmp/good" makecontext) || fail "nothing lacks makecontext"
	for line in '# skip: Raw/workers=1: no futex' '# fail: Raw: no' \
	    '# about: Raw2 group=switch' '# about: Lost group=loop' x; do
		{
			cat "$tmp/good"
			echo "$line"
		} >"$tmp/bad"
		! (judge "$tmp/bad" -) || fail "taken: $line"
	done
}

# Without a total of their own in ours.
subtest() {
	TALLY=/dev/null sh "$root/tests/$1.sh"
}

# The report takes what was measured, and says of golden/ what it always says.
reports() {
	if [ -s "$records" ]; then
		"$BUILD/report/table" "$records" >"$tmp/tables"
		has "$tmp/tables" '^\| Status '
		"$BUILD/report/compare" "$records" "$records" >"$tmp/tables"
		"$BUILD/report/claims" "$records" 'dict(2) > register(2)' \
		    >"$tmp/tables"
	fi
	subtest golden
	[ "$cell" != valgrind ] || SLOW=yes subtest malformed
}

# With the flags of the cell, and with others where no other test does.
registers() {
	# shellcheck disable=SC2086 # flags are words
	$cc -std=c11 $flags -pthread -I"$root/bench" "$root/tests/raw_abi.c" \
	    "$root/bench/util.c" -o "$tmp/raw_abi"
	code=0
	case $reasons in *hand-written*) code=77;; esac
	# shellcheck disable=SC2086
	expect $code $run "$tmp/raw_abi"
	case $run$code in
	qemu*0)	RUN=$run CC="$cc -static" subtest raw_abi;;
	esac
}

# A lock that nobody takes.
sees_race() {
	sed '/pthread_mutex_lock/d; /pthread_mutex_unlock/d' \
	    "$root/switch/mutex.c" >"$tmp/race.c"
	set +f
	# shellcheck disable=SC2086
	$cc -std=c11 $flags -pthread -I"$root/bench" "$tmp/race.c" \
	    "$root"/bench/*.c -o "$tmp/race"
	set -f
	# shellcheck disable=SC2086
	$run "$tmp/race" --as thread -w 2 -n 100000 -s 1 --place same,none \
	    >"$tmp/out" 2>"$tmp/err" || :
	has "$tmp/err" 'ThreadSanitizer: data race'
}

sees_misuse() {
	# shellcheck disable=SC2086
	$cc $flags "$root/tests/fixtures/misuse.c" -o "$tmp/misuse"
	for way in read lose; do
		# shellcheck disable=SC2086
		expect 9 $run "$tmp/misuse" $way
	done
}

# Where it could be installed.
lacking() {
	[ "${ALL-}" != yes ] || fail "$*"
	skip "$*"
}

# What was built, and what ran.
found() {
	version=$($cc --version 2>/dev/null | sed 's/ *([^)]*)//g; q')
	took=$(($(date +%s) - start))
	if [ -s "$records" ]; then
		echo "$version: $(programs | wc -l) programs," \
		    "$(grep -c '^Benchmark' "$records") rows," \
		    "$(grep -c '^# skip' "$records" || :) skipped, $took s"
	else
		echo "$version: report/ only, $(tools | wc -l) programs," \
		    "$took s"
	fi
}

cell() {
	cell=$1 cc=$2 run=$3 reasons=$4 start=$(date +%s)
	shift 4
	flags=$*
	have "$cc" || lacking "no $cc"
	[ "$run" = native ] || have "$run" || lacking "no $run"
	made=$tmp/$cell BUILD=$tmp/$cell records=$tmp/records
	: >"$records"
	mkdir "$made"
	case $cell in
	tcc)	build_tools;;
	*)	build;;
	esac
	case $cell in
	valgrind)
		run=$memcheck;;
	# Its memory does not fit around what newer kernels place at random.
	tsan-*)	! setarch -R true 2>/dev/null || run='setarch -R';;
	esac
	[ "$run" = native ] || {
		BUILD=$tmp/$cell.wrapped
		wrap
	}
	# What need not be slow.
	ask=$BUILD
	[ "$cell" != valgrind ] || ask=$made
	[ "$run" != native ] || run=
	case $cell in
	tcc)	;;
	*)	smoke >"$records"
		judge "$records" "$reasons";;
	esac
	reports
	case $cell in
	tsan-*)	sees_race;;
	valgrind)
		sees_misuse;;
	tcc)	;;
	*)	registers;;
	esac
	found >"$tmp/found"
	rm -r "$made"
}

wanted() {
	[ $# -gt 1 ] || return 0
	name=$1
	shift
	for pattern in "$@"; do
		# shellcheck disable=SC2254 # it is a pattern
		case $name in $pattern) return 0;; esac
	done
	return 1
}

# So that the total comes last.
TALLY=$tmp/tally
check 'records that must be refused' refuses_records
matrix >"$tmp/matrix"
while read -r name compiler under reasons flags; do
	wanted "$name" "$@" || continue
	# shellcheck disable=SC2086
	check "$name" cell "$name" "$compiler" "$under" "$reasons" $flags
done <"$tmp/matrix"

count() {
	grep -c "^$1\$" "$TALLY" || :
}
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
[ "$failures" = 0 ]
