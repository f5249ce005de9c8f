#!/bin/sh
# SPDX-License-Identifier: MIT
# Values that no option can mean, given to the drivers and the programs of
# report/: refused in one line, nothing done, nothing written, no command run.
# (Those of the measuring programs are in contract.sh.)
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

good=$root/tests/golden/records.txt
huge=99999999999999999999

# Values that are wrong for each kind of option, one a line.
wrong() {
	cat <<-END

	x
	-1
	-$huge
	$huge
	1x
	 1
	+1
	0x10
	1e3
	nan
	inf
	,
	1,
	,1
	*
	../x
	%s%n
	\$(touch pwned)
	\`touch pwned\`
	; touch pwned
	'; touch pwned; '
	END
	awk 'BEGIN { for (i = 0; i < 70000; i++) printf "9"; print "" }'
}

# all_wrong COMMAND... OPTION: with each value. In 400 MB of memory.
all_wrong() {
	for option; do :; done
	wrong >"$tmp/wrong"
	while IFS= read -r value; do
		refused limited "$@" "$value"
	done <"$tmp/wrong"
	refused "$@"
	nothing_done
}

nothing_done() {
	set -- *
	[ "$1" = '*' ] || fail "left: $*"
}

compared() {
	for option in --within --fail-on-slower --format -f; do
		all_wrong "$BUILD/report/compare" "$good" "$good" $option
	done
	refused "$BUILD/report/compare" --within . "$good" "$good"
	expect 0 "$BUILD/report/compare" --within 0.5 "$good" "$good"
}

shown() {
	for option in --format -f; do
		all_wrong "$BUILD/report/table" "$good" $option
		all_wrong "$BUILD/report/claims" "$good" "$option"
	done
	for option in --claims -c; do
		all_wrong "$BUILD/report/claims" "$good" "$option"
	done
}

next() {
	echo 'qdf - loop/empty -w 1' | "$BUILD/report/next" "$@"
}

planned() {
	for option in --size --round --rounds --seed --workers; do
		all_wrong next $option
	done
	# What may stand for something is no command even so.
	while IFS= read -r value; do
		for option in --only --place --lacks --results; do
			limited next $option "$value" >"$tmp/out" 2>&1 || :
		done
	done <"$tmp/wrong"
	nothing_done
}

driver() {
	"${shell:-sh}" "$root/run_all.sh" --quick --plan "$@"
}

driven() {
	for option in --workers --place --rounds --seed --format --from --ab; do
		wrong >"$tmp/wrong"
		while IFS= read -r value; do
			expect 2 driver $option "$value"
			[ ! -s "$tmp/out" ] || fail "$option $value: stdout"
			said .
		done <"$tmp/wrong"
	done
	while IFS= read -r value; do
		for option in --only --out; do
			driver $option "$value" >"$tmp/out" 2>&1 || :
		done
	done <"$tmp/wrong"
	nothing_done
	for value in x -1 0 1.5 $huge; do
		PATIENCE=$value expect 2 driver
		said PATIENCE
	done
}

# A name is a name, whatever is in it.
names() {
	# shellcheck disable=SC2016 # it is not to expand
	for name in 'a b' '$(touch pwned)' '; touch pwned' '%s' '*' "a'b" -x; do
		expect 0 sh "$root/run_all.sh" --quick --only empty \
		    --rounds 1 --out "$name"
		strict "./$name"
		expect 0 sh "$root/run_all.sh" --from "$name"
		rm -- "$name"
	done
	nothing_done
}

# What the records say is no command and no format, nor a pattern.
contents() {
	{
		# shellcheck disable=SC2016
		echo '# only: $(touch pwned) * %s%n'
		# shellcheck disable=SC2016
		echo '# run: loop/empty; touch pwned `touch pwned`'
		cat "$good"
	} >"$tmp/sly"
	expect 0 sh "$root/run_all.sh" --from "$tmp/sly"
	mkdir -p "$tmp/checkout/results"
	cp "$root/run_all.sh" "$tmp/checkout"
	# shellcheck disable=SC2016
	for name in '$(touch pwned).txt' '; touch pwned;.txt' '-x %s.txt'; do
		cp "$tmp/sly" "$tmp/checkout/results/$name"
	done
	expect 0 sh "$tmp/checkout/run_all.sh" --list
	[ "$(grep -c 'touch pwned' "$tmp/out")" -ge 2 ] || fail 'not listed'
	nothing_done
}

# Of one that is given twice the last counts; no list grows.
repeated() {
	for source in "$root"/switch/*.c "$root"/gen/*.c "$root"/loop/*.c; do
		program=${source#"$root"/}
		program=$BUILD/${program%.c}
		least=$("$program" -h | sed -n \
		    's/^  -w, .*(\([0-9]*\) to .*/\1/p')
		set -- -w "$least" --place none -n 9 -s 1 -t 1 --limit 1 \
		    --round 1
		"$program" --plan "$@" >"$tmp/once"
		for _ in 1 2 3 4; do
			set -- "$@" -w "$least,$least" --place same,none -n 8 \
			    -s 2 -t 2 "$@"
		done
		expect 0 "$program" --plan "$@"
		cmp "$tmp/once" "$tmp/out"
	done
	program=$BUILD/loop/empty
	"$program" --plan --place none >"$tmp/once"
	expect 0 "$program" --plan --place same,same --place none --place none
	cmp "$tmp/once" "$tmp/out"
	for option in '--format csv --format md' '-f text -f csv -f md'; do
		"$BUILD/report/table" "$good" >"$tmp/once"
		# shellcheck disable=SC2086
		expect 0 "$BUILD/report/table" $option "$good"
		cmp "$tmp/once" "$tmp/out"
	done
	expect 0 driver --only empty --rounds 9 --rounds 2 --seed 3 --seed 4
	has "$tmp/out" ' 2 rounds'
}

mkdir "$tmp/here"
cd "$tmp/here"
check 'compare' compared
check 'table, claims' shown
check 'next' planned
check 'run_all.sh' driven
check 'names of files' names
check 'contents of records' contents
check 'given twice' repeated
