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

unreadable() {
	cp "$good" "$tmp/closed"
	chmod 000 "$tmp/closed"
	set -- "$table" "$tmp/closed"
	if [ "$(id -u)" = 0 ]; then
		have setpriv || skip 'root may read anything'
		chmod a+x "$tmp"
		cp "$table" "$tmp/table"
		set -- setpriv --reuid=65534 --clear-groups "$tmp/table"
		# A checker that wraps it may lie where that user cannot go.
		"$@" -h >/dev/null 2>&1 || skip 'nobody may not run it'
		set -- "$@" "$tmp/closed"
	fi
	refused "$@"
	said "closed: .*denied"
}

# At any byte: what was whole before it is used.
cut_anywhere() {
	head -n 60 "$good" >"$tmp/short"
	size=$(wc -c <"$tmp/short")
	awk -v size="$size" 'BEGIN {
		srand(7)
		for (i = 0; i < 200; i++)
			print int(size * rand())
	}' >"$tmp/cuts"
	while read -r cut; do
		head -c "$cut" "$tmp/short" >"$tmp/cut"
		whole=$(head -c "$cut" "$tmp/short" | grep -c '^Benchmark' || :)
		got=0
		"$table" -f csv "$tmp/cut" >"$tmp/out" 2>"$tmp/err" || got=$?
		[ "$(wc -l <"$tmp/err")" -le 1 ] || fail "$(cat "$tmp/err")"
		[ $got = 0 ] || [ "$whole" -le 1 ] ||
			fail "cut at $cut: exit code $got"
	done <"$tmp/cuts"
}

twice() {
	for program in table claims; do
		refused "$BUILD/report/$program" "$good" "$good"
		said 'records.txt: holds the same samples as .*records.txt'
		cp "$good" "$tmp/copy"
		refused "$BUILD/report/$program" "$good" "$tmp/copy"
	done
	# To compare it with itself is another thing.
	expect 0 "$BUILD/report/compare" "$good" "$good"
}

# Of two things that cannot both be so, both are told.
contradictory() {
	{
		cat "$good"
		echo 'cpu: another'
		echo 'Unit ns/iter better=higher'
		echo '# skip: Empty/workers=1: it was not there'
		echo '# sample: round=9 cpus=0'
		echo 'BenchmarkEmpty/workers=1 5 7 ns/other'
	} >"$tmp/both"
	expect 0 "$table" -f text "$tmp/both"
	tr '\n' ' ' <"$tmp/out" | tr -s ' ' >"$tmp/line"
	has "$tmp/line" 'WARNING: .*differ in cpu \(.*another\): rows are mix'
	has "$tmp/out" '^Empty .* failed'
	has "$tmp/out" '^- it was not there: Empty/workers=1'
	expect 0 "$table" -f csv "$tmp/both"
	has "$tmp/out" '^Empty/workers=1,.*,ns/other,7'
}

# hostile LINE: 20,000 lines with $i in them and a good one. In little memory,
# and no time that grows with the square of a number in the file.
hostile() {
	[ -z "${SLOW-}" ] || skip 'takes minutes under a checker'
	watch=
	! have timeout || watch='timeout 60'
	while IFS= read -r line; do
		{
			awk -v line="$line" 'BEGIN {
				for (i = 1; i <= 20000; i++) {
					s = line
					gsub(/@/, i, s)
					gsub(/\|/, "\n", s)
					print s
				}
			}'
			cat "$good"
		} >"$tmp/hostile"
		for program in 'table -f text' 'table -f csv' 'table -f json' \
		    "compare $good" "claims -c $root/report/published.claims"
		do
			got=0
			# shellcheck disable=SC2086 # words
			limited $watch "$BUILD"/report/$program \
			    "$tmp/hostile" >"$tmp/out" 2>"$tmp/err" || got=$?
			[ $got = 0 ] || [ $got = 2 ] ||
				fail "$line: $program: $got: $(cat "$tmp/err")"
			[ "$(wc -l <"$tmp/err")" -le 11 ] ||
				fail "$line: $program: many lines"
		done
	done <<-END
	# key@: value
	key@: value
	# run: command@
	# warn: warning@
	# about: Name@ group=loop unit=ns/iter work=beside
	# about: Name group=x@
	# skip: Name@/workers=1: why
	# fail: Empty/workers=1: why@
	BenchmarkEmpty/workers=1 1 1 unit@
	BenchmarkName@/workers=1 1 1 ns/iter
	BenchmarkEmpty/workers=@ 1 1 ns/iter
	BenchmarkEmpty/workers=2147483647 9223372036854775807 1e15 ns/iter
	BenchmarkEmpty/p@=@/workers=1 1 0.000000001 ns/iter
	# sample: round=@|BenchmarkEmpty/workers=1 9 1 ns/iter
	# sample: round=2147483647 n=9223372036854775807 cpus=@
	# sample: line_ns=1e999|BenchmarkEmpty/workers=1 9 1e-300 ns/iter
	END
}

check 'garbage' garbage
check 'nothing in it' empty
check 'binary' binary
check 'a line of 2 MiB' long_line
check 'bad lines among good ones' bad_lines
check 'many bad lines' many_bad_lines
check 'cut short' cut_short
check 'cut at any byte' cut_anywhere
check 'unreadable' unreadable
check 'the same twice' twice
check 'contradictory' contradictory
check 'numbers of an attacker' hostile
check 'a folder, a file that is missing' other_file
check 'bad options' bad_options
check 'output that cannot be written' no_output
