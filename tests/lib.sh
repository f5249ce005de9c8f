# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the test files share; each sources it first. They may write below $tmp.

root=$(cd "$(dirname "$0")/.." && pwd)
: "${BUILD:=$root/build}" "${CC:=cc}" "${TALLY:=/dev/null}"
export BUILD
subject=$(basename "$0" .sh)
tmp=$(mktemp -d)
failures=0
# shellcheck disable=SC3045 # where there is none, there may be core files
ulimit -c 0 2>/dev/null || :

finish() {
	ended=$?
	trap - EXIT
	chmod -R u+w "$tmp"
	rm -rf "$tmp"
	[ "$failures" = 0 ] || [ "$ended" != 0 ] || ended=1
	exit "$ended"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# report ok|not ok|skip WHAT
report() {
	echo "$1 $subject: $2"
	echo "$1" >>"$TALLY"
}

# check WHAT COMMAND...: one check. The command, mostly a function, runs in a
# subshell under set -e; what it printed is shown when it fails. What it leaves
# in $tmp/found is told with the check.
check() {
	what=$1
	shift
	rm -f "$tmp/found"
	set +e
	(
		set -e
		"$@"
	) >"$tmp/log" 2>&1
	ended=$?
	set -e
	case $ended in
	0)	[ ! -f "$tmp/found" ] || what="$what: $(cat "$tmp/found")"
		report ok "$what";;
	77)	report skip "$what: $(tail -n 1 "$tmp/log")";;
	*)	report 'not ok' "$what"
		sed 's/^/	/' "$tmp/log"
		failures=$((failures + 1));;
	esac
}

# Inside a check: it failed; it is not possible here.
fail() {
	echo "$*"
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

# The whole file is not possible here.
skip_all() {
	report skip "$*"
	exit 77
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# expect CODE COMMAND...: leaves $tmp/out and $tmp/err.
expect() {
	expected=$1
	shift
	got=0
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null || got=$?
	[ "$got" = "$expected" ] || fail "$*: exit code $got, not $expected:" \
	    "$(head -n 3 "$tmp/err")"
}

# said PATTERN: the command of the last expect wrote one line on stderr, which
# matches.
said() {
	[ "$(wc -l <"$tmp/err")" -eq 1 ] ||
		fail "not one line on stderr: $(cat "$tmp/err")"
	has "$tmp/err" "$1"
}

# has FILE PATTERN, lacks FILE PATTERN: some line matches, none does.
has() {
	grep -Eq -e "$2" "$1" || fail "no '$2' in: $(tail -n 20 "$1")"
}

lacks() {
	! grep -E -e "$2" "$1" || fail "$1 has '$2'"
}

# refused COMMAND...: a usage error, told in one line, and nothing was done.
refused() {
	expect 2 "$@"
	[ ! -s "$tmp/out" ] || fail "$*: refused, but wrote to stdout"
	said .
}

# limited COMMAND...: in 400 MB of address space; in any where a program of
# report/ does not even start in that, as with a sanitizer.
limited() {
	[ -n "${fits-}" ] || fits=$(
		# shellcheck disable=SC3045 # or without
		ulimit -v 400000 2>/dev/null || :
		"$BUILD/report/table" -h >/dev/null 2>&1 && echo yes || echo no
	)
	(
		# shellcheck disable=SC3045
		[ "$fits" = no ] || ulimit -v 400000 2>/dev/null || :
		"$@"
	)
}

# The strict reader of records; names what is wrong with them.
strict() {
	awk -f "$root/tests/records.awk" "$@" || fail "$*: see above"
}

# fixture NAME [FLAG...]: compiles fixtures/NAME.c with the harness.
fixture() {
	source=$root/tests/fixtures/$1.c
	target=$tmp/$1
	shift
	# shellcheck disable=SC2086 # a compiler may be several words
	$CC -std=c11 -O2 -pthread -I"$root/bench" "$@" "$source" \
		"$root"/bench/*.c -o "$target"
}

# No program below DIR is running. The kernel ends children of the killed a
# moment later.
none_left() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		left=
		for exe in /proc/[0-9]*/exe; do
			case $(readlink "$exe" 2>/dev/null) in
			"$1"/*) left="$left ${exe%/exe}";;
			esac
		done
		[ -n "$left" ] || return 0
		sleep 1
	done
	fail "left behind:$left"
}

# What build.sh looks for, all of it forced off.
probes_off() {
	sed -n 's/^	*probe \([A-Z]*\) .*/-DHAVE_\1=0/p' "$root/build.sh" |
		tr '\n' ' '
}

# The CPUs that this process may use, one a line.
allowed_cpus() {
	sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status |
		tr ',' '\n' | awk -F- '{ for (i = $1; i <= $NF; i++) print i }'
}
