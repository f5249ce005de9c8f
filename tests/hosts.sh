#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of one host are more rounds; several hosts stand side by side, and no
# number is of two.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

table=$BUILD/report/table
records=$root/tests/golden/records.txt

# host NAME CPU FACTOR: the records with other times, as of that host.
host() {
	awk -v name="$1" -v cpu="$2" -v factor="$3" '
	/^cpu:/ { $0 = "cpu: " cpu }
	/^# date:/ { print "# host: " name }
	/^Benchmark/ { $3 *= factor }
	1' "$records" >"$tmp/$1.txt"
}

# figure NAME UNIT COLUMN: from the csv of the last expect.
figure() {
	awk -F, -v name="$1" -v unit="$2" -v column="$3" '
	$1 == name && $6 == unit { print $column }' "$tmp/out"
}

one() {
	host n1 CPU 1
	expect 0 "$table" -f text "$tmp/n1.txt"
	lacks "$tmp/out" 'side by side'
	has "$tmp/out" '^CPU, 2 CPUs, linux'
}

# Twelve rounds, whose median is of both files.
pooled() {
	host n1 CPU 1
	awk '/^Benchmark/ { $3 *= 1.01 } 1' "$tmp/n1.txt" >"$tmp/again"
	expect 0 "$table" -f csv "$tmp/n1.txt"
	one=$(figure Empty/workers=1 ns/iter 7)
	expect 0 "$table" -f csv "$tmp/n1.txt" "$tmp/again"
	[ "$(figure Empty/workers=1 ns/iter 12)" = 12 ] || fail "rounds"
	both=$(figure Empty/workers=1 ns/iter 7)
	awk -v one="$one" -v both="$both" 'BEGIN {
		exit !(both > one && both < one * 1.01) }' ||
		fail "$one, both $both"
	expect 0 "$table" -f text "$tmp/n1.txt" "$tmp/again"
	lacks "$tmp/out" 'side by side'
	tr '\n' ' ' <"$tmp/out" >"$tmp/line"
	has "$tmp/line" '12 rounds of .* from 2 files'
	# The order of the files is that of the rounds, nothing more.
	"$table" -f csv "$tmp/again" "$tmp/n1.txt" >"$tmp/swapped"
	"$table" -f csv "$tmp/n1.txt" "$tmp/again" | cmp - "$tmp/swapped"
	# A row or a unit that only one has keeps its rounds.
	grep -v '^BenchmarkEmpty' "$tmp/again" >"$tmp/less"
	expect 0 "$table" -f csv "$tmp/less" "$tmp/n1.txt"
	[ "$(figure Empty/workers=1 ns/iter 12)" = 6 ] || fail "rounds"
	[ "$(figure Empty/workers=1 ns/iter 7)" = "$one" ] || fail "median"
}

# Whatever differs, the name alone included, it is another.
two() {
	host n1 CPU 1
	host n2 'Other CPU' 2
	host n3 CPU 1
	for other in n2 n3; do
		expect 0 "$table" -f text "$tmp/n1.txt" "$tmp/$other.txt"
		has "$tmp/out" '^2 hosts, side by side'
		has "$tmp/out" "^ns per op on host: .* N +n1 +$other\$"
		has "$tmp/out" '^os: linux$'
		expect 0 "$table" -f csv "$tmp/n1.txt" "$tmp/$other.txt"
		[ "$(figure Empty/workers=1 ns/iter 12 | tr '\n' ' ')" = \
		    '6 6 ' ] || fail "pooled"
	done
	awk '/^Benchmark/ { $3 *= 1.00001 } 1' "$tmp/n1.txt" >"$tmp/again"
	expect 0 "$table" -f text "$tmp/n1.txt" "$tmp/n2.txt" "$tmp/again"
	has "$tmp/out" '^\* cpu \(n1\): CPU$'
	has "$tmp/out" '^\* cpu \(n2\): Other CPU$'
	has "$tmp/out" '^Empty +none +1 +0\.320 +0\.640$'
	has "$tmp/out" '^n1 +2 +12 '
	has "$tmp/out" '^Mutex process +spread +2 +skipped +skipped'
	has "$tmp/out" '^- n1,n2: FAILED: Futex/as=process'
	lacks "$tmp/out" 'Over the hosts'
	refused "$BUILD/report/claims" "$tmp/n1.txt" "$tmp/n2.txt" 'raw(2) < 9'
	has "$tmp/err" '2 hosts'
}

# Names that are long or the same give way to numbers.
numbered() {
	host n1 CPU 1
	sed 's/^compiler: .*/compiler: clang/' "$tmp/n1.txt" >"$tmp/clang"
	expect 0 "$table" -f text "$tmp/n1.txt" "$tmp/clang"
	has "$tmp/out" '^ns per op on host: .* N +1 +2$'
	has "$tmp/out" '^\* compiler \(2\): clang$'
	has "$tmp/out" '^2 +1 +6 +13 +2026-01-02T03:04:05Z +n1$'
}

thirty() {
	set --
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 \
	    24 25 26 27 28 29 30; do
		cpu=CPU
		[ "$i" -lt 20 ] || cpu=Other
		host "h$i" $cpu "$(awk -v i="$i" 'BEGIN {
			print 1 + (i * 7 % 31) / 100 }')"
		set -- "$@" "$tmp/h$i.txt"
	done
	# One of them lacks a row.
	grep -v '^BenchmarkStatus' "$tmp/h5.txt" >"$tmp/less"
	mv "$tmp/less" "$tmp/h5.txt"
	expect 0 "$table" -f text "$@"
	lacks "$tmp/out" '.{101}'
	lacks "$tmp/out" '[^ -~]'
	has "$tmp/out" '^30 hosts'
	has "$tmp/out" '^\* cpu \(h1\.\.h19\): CPU$'
	has "$tmp/out" '^\* cpu \(h20\.\.h30\): Other$'
	# i * 7 % 31 is least for 9 and greatest for 22.
	has "$tmp/out" '^Empty +none +1 +30 .* h9 .* h22 +1\.29$'
	has "$tmp/out" '^Status +none +4096 +29 '
	# Every host has its column, in one part or another.
	for i in 1 15 30; do
		grep '^ns per op on host' "$tmp/out" | grep -qw "h$i" ||
			fail "no column of h$i"
	done
	expect 0 "$table" -f csv "$@"
	[ "$(figure Empty/workers=1 ns/iter 7 | wc -l)" -eq 30 ] ||
		fail "not a line a host"
	[ "$(figure Status/workers=4096 ns/return 7 | wc -l)" -eq 29 ] ||
		fail "not a line a host that has the row"
	expect 0 "$table" -f benchstat "$@"
	[ "$(grep -c '^host: h' "$tmp/out")" -eq 30 ] || fail "hosts"
	expect 0 "$table" -f json "$@"
	for i in 1 15 30; do
		has "$tmp/out" "\"name\": \"Empty/workers=1/host=$i-h$i\""
	done
}

# What is wrong with one file leaves the others.
some_bad() {
	host n1 CPU 1
	host n2 Other 1
	: >"$tmp/empty"
	echo nonsense >>"$tmp/n2.txt"
	expect 0 "$table" -f text "$tmp/n1.txt" "$tmp/empty" "$tmp/n2.txt"
	has "$tmp/err" "$tmp/empty: no records"
	has "$tmp/err" "$tmp/n2.txt:[0-9]*: expected"
	has "$tmp/out" '^2 hosts'
	expect 2 "$table" "$tmp/empty" "$tmp/empty"
}

check 'one file' one
check 'files of one host are pooled' pooled
check 'two hosts side by side' two
check 'numbers where names do not do' numbered
check 'thirty hosts' thirty
check 'a bad file among good ones' some_bad
