#!/bin/sh
# SPDX-License-Identifier: MIT
# run_all.sh: what runs, in which order, what comes out, under each shell.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

run() {
	# shellcheck disable=SC2086 # "busybox sh" is two words
	${shell:-sh} "$root/run_all.sh" "$@"
}

# The rows of a records file in the order in which they ran.
order() {
	sed -n 's/^# run: //p' "$1"
}

# Each row of a records file has so many rounds.
rounds() {
	awk -v want="$2" '
	/^# sample:/ {
		round = $0
		sub(/.*round=/, "", round)
		sub(/ .*/, "", round)
	}
	/^Benchmark/ && !seen[$1, round]++ { rounds[$1]++ }
	END {
		for (name in rounds)
			if (rounds[name] != want) {
				print name ": rounds: " rounds[name]
				bad = 1
			}
		exit bad
	}' "$1"
}

quick() {
	records=$tmp/quick-$1
	expect 0 run --quick --only 'loop/*' --seed 7 --out "$records"
	[ ! -s "$tmp/err" ] || fail "complained: $(cat "$tmp/err")"
	cp "$tmp/out" "$records.md"
	strict "$records"
	rounds "$records" 6
	for name in Empty Register Memory Atomic; do
		has "$records" "^Benchmark$name/"
		has "$records.md" "^\| $name "
	done
	has "$records" '^# seed: 7$'
	has "$records" '^# date: ....-..-..T'
	# Nothing for a terminal, nothing that is not ASCII.
	lacks "$records.md" '[^ -~]'
}

# The tables of the run are those of its records; their figures are right.
tables() {
	for records in "$tmp"/quick-?; do
		expect 0 "$BUILD/report/table" "$records"
		cmp "$tmp/out" "$records.md"
		"$BUILD/report/table" --format csv "$records" >"$tmp/csv"
		awk -f "$root/tests/figures.awk" "$records" "$tmp/csv" ||
			fail "see above"
	done
}

switches() {
	expect 0 run --quick --only 'switch/*' --rounds 1 --workers 2 \
	    --format text --out "$tmp/switches"
	strict "$tmp/switches"
	rounds "$tmp/switches" 1
	has "$tmp/out" 'too few'
	lacks "$tmp/out" '.{101}'
	lacks "$tmp/out" '[^ -~]'
}

# Shuffled anew in each round, by the seed and nothing else.
shuffled() {
	for name in a:1 b:1 c:2; do
		run --quick --only 'loop/*' --place none --rounds 2 \
		    --seed "${name#?:}" --out "$tmp/${name%:?}" >"$tmp/out"
		order "$tmp/${name%:?}" >"$tmp/order-${name%:?}"
	done
	cmp "$tmp/order-a" "$tmp/order-b"
	! cmp -s "$tmp/order-a" "$tmp/order-c" || fail "seed 2 is as seed 1"
	half=$(($(wc -l <"$tmp/order-a") / 2))
	head -n $half "$tmp/order-a" >"$tmp/first"
	tail -n $half "$tmp/order-a" >"$tmp/second"
	! cmp -s "$tmp/first" "$tmp/second" || fail "round 2 is as round 1"
	sort "$tmp/first" >"$tmp/first-sorted"
	sort "$tmp/second" | cmp - "$tmp/first-sorted"
}

# An error that is told in one line; nothing ran and no file was made.
wrong() {
	expect "$@"
	[ ! -s "$tmp/out" ] || fail "wrote to stdout"
	said '^run_all\.sh: '
	[ ! -s "$tmp/none" ] || fail "left a records file"
}

no_match() {
	wrong 2 run --quick --only 'nothing*' --out "$tmp/none"
	has "$tmp/err" 'nothing'
}

bad_options() {
	for option in --only --workers --place --rounds --seed --out \
	    --format --plots; do
		wrong 2 run "$option"
		wrong 2 run "$option" ''
	done
	huge=99999999999999999999
	while read -r option value; do
		expect 2 run --out "$tmp/none" "$option" "$value"
		[ ! -s "$tmp/out" ] || fail "$option $value: wrote to stdout"
		said .
		[ ! -s "$tmp/none" ] || fail "$option $value: left a file"
	done <<-END
	--workers 0
	--workers 1,x
	--workers -3
	--workers $huge
	--place moon
	--place same,moon
	--place 99999
	--rounds 0
	--rounds -1
	--rounds x
	--rounds $huge
	--seed x
	--seed -1
	--seed $huge
	--format html
	--nonsense 1
	-q 1
	garbage 1
	END
	wrong 2 run ''
}

help() {
	for option in -h --help; do
		expect 0 run $option
		[ ! -s "$tmp/err" ] || fail "$option wrote to stderr"
		has "$tmp/out" '^usage: '
	done
}

# A program of the copied build is gone or another: the others still count.
copy() {
	rm -rf "$tmp/build"
	mkdir "$tmp/build"
	cp -R "$BUILD"/switch "$BUILD"/gen "$BUILD"/loop "$BUILD"/report \
	    "$tmp/build"
	chmod -R u+w "$tmp/build"
}

others() {
	BUILD=$tmp/build expect 1 run --quick --only 'loop/*' --place none \
	    --rounds 2 --format text --out "$tmp/$1"
	for name in Empty Register Atomic; do
		has "$tmp/out" "^$name .* [0-9]"
	done
	rounds "$tmp/$1" 2
}

one_fails() {
	copy
	for fault in 1 4; do
		fixture faulty -DFAULT=$fault
		cp "$tmp/faulty" "$tmp/build/loop/memory"
		others "fails-$fault"
		has "$tmp/out" '^Faulty .* failed'
		has "$tmp/out" '^Failed'
	done
}

one_skips() {
	copy
	fixture faulty -DFAULT=2
	cp "$tmp/faulty" "$tmp/build/loop/memory"
	BUILD=$tmp/build expect 0 run --quick --only 'loop/*' --place none \
	    --rounds 2 --format text --out "$tmp/skips"
	has "$tmp/out" '^Faulty .* skipped'
	has "$tmp/out" 'the fixture skips'
	[ ! -s "$tmp/err" ] || fail "complained: $(cat "$tmp/err")"
}

one_missing() {
	copy
	rm "$tmp/build/loop/memory"
	others missing
	has "$tmp/out" 'loop/memory'
}

# Killed from outside: not by its own record.
one_dies() {
	copy
	cat >"$tmp/build/loop/memory" <<-'END'
	#!/bin/sh
	[ "$1" != --about ] || exit 0
	kill -9 $$
	END
	chmod +x "$tmp/build/loop/memory"
	others dies
	has "$tmp/out" 'loop/memory'
}

not_built() {
	mkdir -p "$tmp/empty"
	BUILD=$tmp/empty wrong 1 run --quick
	has "$tmp/err" 'build\.sh'
}

out_exists() {
	echo mine >"$tmp/mine"
	wrong 2 run --quick --only empty --out "$tmp/mine"
	[ "$(cat "$tmp/mine")" = mine ] || fail "it was overwritten"
	wrong 2 run --quick --only empty --out "$tmp"
}

out_unwritable() {
	wrong 1 run --quick --only empty --out "$tmp/no/such/folder"
	[ "$(id -u)" != 0 ] || return 0
	mkdir "$tmp/closed"
	chmod 555 "$tmp/closed"
	wrong 1 run --quick --only empty --out "$tmp/closed/file"
}

# Without --out, from elsewhere, with a relative BUILD.
default_out() {
	mkdir "$tmp/checkout"
	cp "$root/run_all.sh" "$tmp/checkout"
	copy
	cd "$tmp"
	BUILD=build expect 0 sh checkout/run_all.sh --quick --only empty \
	    --rounds 1
	set -- checkout/results/20[0-9][0-9]*T*Z-"$(uname -n)".txt
	[ $# -eq 1 ] || fail "files: $*"
	strict "$1"
}

# Tables from an old file, as the run itself printed them; nothing is measured.
from() {
	records=$tmp/quick-1
	cp "$records" "$tmp/old"
	expect 0 run --from "$tmp/old"
	cmp "$tmp/out" "$records.md"
	cmp "$records" "$tmp/old"
	for format in md text csv json tex; do
		expect 0 run --from "$tmp/old" --format $format
		cp "$tmp/out" "$tmp/from"
		expect 0 "$BUILD/report/table" --format $format "$tmp/old"
		cmp "$tmp/out" "$tmp/from"
	done
	# One of all programs has its claims.
	sed '/^# only: /d' "$records" >"$tmp/whole"
	expect 0 run --from "$tmp/whole"
	has "$tmp/out" '^## Claims'
	expect 0 run --from "$tmp/whole" --format json
	lacks "$tmp/out" 'Claims'
	wrong 2 run --from "$tmp/none"
	wrong 2 run --from "$tmp"
	wrong 2 run --from "$tmp/old" --format html
	: >"$tmp/nothing"
	expect 2 run --from "$tmp/nothing"
}

# What results/ holds, a line a run; one that was interrupted says so.
list() {
	rm -rf "$tmp/runs"
	mkdir -p "$tmp/runs"
	cp "$root/run_all.sh" "$tmp/runs"
	expect 2 sh "$tmp/runs/run_all.sh" --list
	said 'no runs'
	mkdir "$tmp/runs/results"
	cp "$tmp/quick-1" "$tmp/runs/results/1.txt"
	sed '/^# only/,$d' "$tmp/quick-1" >"$tmp/runs/results/2.txt"
	{
		sed '/round=3/,$d' "$tmp/quick-1"
		echo '# interrupted: INT'
	} >"$tmp/runs/results/3.txt"
	sed '$d' "$tmp/quick-1" >"$tmp/runs/results/4.txt"
	: >"$tmp/runs/results/other"
	expect 0 sh "$tmp/runs/run_all.sh" --list
	host=$(uname -n)
	has "$tmp/out" "^20.*Z +$host +quick +6 +[0-9]+ +whole .*/1\.txt\$"
	has "$tmp/out" "^20.*Z +$host +quick +0 +0 +no records .*/2\.txt\$"
	has "$tmp/out" "^20.*Z +$host +quick +2 +[0-9]+ +interrupted .*/3"
	[ "$(grep -c '\.txt$' "$tmp/out")" -eq 4 ] || fail "not four lines"
	lacks "$tmp/out" 'other'
}

read_only() {
	mkdir "$tmp/closed-checkout"
	cp "$root/run_all.sh" "$tmp/closed-checkout"
	chmod 555 "$tmp/closed-checkout"
	[ "$(id -u)" != 0 ] || skip "root may write anywhere"
	wrong 1 sh "$tmp/closed-checkout/run_all.sh" --quick --only empty
	has "$tmp/err" '--out'
}

one_cpu() {
	have taskset || skip "no taskset"
	[ "$(allowed_cpus | wc -l)" -gt 1 ] || skip "one CPU allowed"
	cpu=$(allowed_cpus | tail -n 1)
	expect 0 taskset -c "$cpu" sh "$root/run_all.sh" --quick \
	    --only 'loop/*' --rounds 2 --format text --out "$tmp/one-cpu"
	has "$tmp/out" '^Atomic +[a-z]+ .*skipped'
	has "$tmp/out" '^- one CPU allowed: Atomic/'
	has "$tmp/one-cpu" "^# sample: .*cpus=$cpu( |\$)"
	lacks "$tmp/one-cpu" "^# sample: .*cpus=[0-9]*,"
}

# Pictures beside the tables; a folder that cannot be is told before a run.
plots() {
	expect 0 run --quick --only 'loop/*' --rounds 1 --out "$tmp/drawn" \
	    --plots "$tmp/pictures/new"
	has "$tmp/out" '^\| Empty '
	has "$tmp/pictures/new/ladder.svg" '^<svg '
	tail -n 1 "$tmp/pictures/new/ladder.svg" >"$tmp/last"
	has "$tmp/last" '^</svg>$'
	: >"$tmp/a-file"
	wrong 1 run --quick --only empty --out "$tmp/none" \
	    --plots "$tmp/a-file/new"
	wrong 2 run --ab "$BUILD" "$BUILD" --out "$tmp/none" \
	    --plots "$tmp/pictures"
}

check 'bad options' bad_options
check 'no row matches' no_match
check 'help' help
check 'not built' not_built
check 'an --out that exists' out_exists
check 'an --out that cannot be written' out_unwritable
check 'a checkout that cannot be written' read_only
check 'the default --out' default_out
check '--plots' plots
check 'shuffled by the seed' shuffled
check 'the switches' switches
number=0
for shell in dash 'busybox sh' bash; do
	have "${shell%% *}" || continue
	number=$((number + 1))
	check "--quick under $shell" quick $number
done
shell=
check 'tables of the records' tables
check '--from an old file' from
check '--list' list
check 'one CPU' one_cpu
check 'one program fails' one_fails
check 'one program skips' one_skips
check 'one program is missing' one_missing
check 'one program dies' one_dies
