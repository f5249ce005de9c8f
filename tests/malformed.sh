#!/bin/sh
# SPDX-License-Identifier: MIT
# Results files that are none, or are damaged.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

table=$BUILD/report/table
good=$root/tests/golden/records.txt

from_stdin() {
	"$table" <"$1"
}

# nothing_in FILE: told in one line that names it, exit 2.
nothing_in() {
	refused "$table" "$1"
	has "$tmp/err" "$1"
	expect 2 from_stdin "$1"
	said 'standard input'
}

garbage() {
	awk 'BEGIN { while (i++ < 99) print "Lorem ipsum " i }' >"$tmp/garbage"
	nothing_in "$tmp/garbage"
	has "$tmp/err" '1: '
}

empty() {
	: >"$tmp/empty"
	nothing_in "$tmp/empty"
	printf '\n\n' >"$tmp/blank"
	nothing_in "$tmp/blank"
	printf 'os: linux\n# date: today\n' >"$tmp/head"
	nothing_in "$tmp/head"
}

binary() {
	head -c 100000 "$table" >"$tmp/binary"
	nothing_in "$tmp/binary"
	head -c 3000000 /dev/zero >"$tmp/zero"
	nothing_in "$tmp/zero"
}

long_line() {
	{
		cat "$good"
		head -c 2097152 /dev/zero | tr '\0' x
		echo
		echo '# warn: after it'
	} >"$tmp/long"
	expect 0 "$table" "$tmp/long"
	n=$(wc -l <"$good")
	said "long:$((n + 1)): "
	has "$tmp/out" 'after it'
	head -c 2097152 /dev/zero | tr '\0' x >"$tmp/only"
	nothing_in "$tmp/only"
}

# Named with file and line; the rest is used as if they were not there.
bad_lines() {
	name=BenchmarkEmpty/workers=1
	cat >"$tmp/bad" <<-END
	$name
	$name x 1 ns/iter
	$name 0 1 ns/iter
	$name -5 1 ns/iter
	$name 5
	$name 5 1
	$name 5 nan ns/iter
	$name 5 inf ns/iter
	$name 5 1,5 ns/iter
	$name 5 1 ns/iter 2
	BenchmarkEmpty 5 1 ns/iter
	BenchmarkEmpty/workers=0 5 1 ns/iter
	BenchmarkEmpty/workers=x 5 1 ns/iter
	BenchmarkEmpty/what/workers=1 5 1 ns/iter
	benchmarkEmpty/workers=1 5 1 ns/iter
	# fail: nothing
	# skip:
	# sample: round=x cpus=0
	no such line
	END
	"$table" "$good" >"$tmp/want"
	while read -r line; do
		{
			sed 3q "$good"
			printf '%s\n' "$line"
			sed 1,3d "$good"
		} >"$tmp/one"
		expect 0 "$table" "$tmp/one"
		said "^table: $tmp/one:4: expected "
		cmp "$tmp/out" "$tmp/want" || fail "changed by: $line"
	done <"$tmp/bad"
}

# Ten are named, the rest counted.
many_bad_lines() {
	{
		cat "$good"
		awk 'BEGIN { while (i++ < 500) print "nonsense" }'
	} >"$tmp/many"
	expect 0 "$table" "$tmp/many"
	[ "$(wc -l <"$tmp/err")" -eq 11 ] || fail "$(cat "$tmp/err")"
	has "$tmp/err" '490'
}

cut_short() {
	size=$(wc -c <"$good")
	head -c $((size - 20)) "$good" >"$tmp/cut"
	expect 0 "$table" "$tmp/cut"
}

other_file() {
	nothing_in "$root"
	refused "$table" "$tmp/missing"
	has "$tmp/err" "$tmp/missing"
	refused "$table" "$good" "$tmp/missing"
	: >"$tmp/empty"
	expect 0 "$table" "$good" "$tmp/empty"
	said "$tmp/empty"
}

bad_options() {
	for value in --nonsense -x --format; do
		refused "$table" "$value"
		has "$tmp/err" "'$value'"
	done
	for value in '' html MD mdx; do
		refused "$table" --format "$value" "$good"
	done
	expect 0 "$table" -h
	has "$tmp/out" '^usage: '
	[ ! -s "$tmp/err" ] || fail "-h wrote to stderr"
}

no_output() {
	[ -c /dev/full ] || skip "no /dev/full"
	got=0
	"$table" "$good" >/dev/full 2>"$tmp/err" || got=$?
	[ $got = 1 ] || fail "exit code $got"
	said 'standard output'
}

check 'garbage' garbage
check 'nothing in it' empty
check 'binary' binary
check 'a line of 2 MiB' long_line
check 'bad lines among good ones' bad_lines
check 'many bad lines' many_bad_lines
check 'cut short' cut_short
check 'a folder, a file that is missing' other_file
check 'bad options' bad_options
check 'output that cannot be written' no_output
