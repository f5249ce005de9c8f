#!/bin/sh
# SPDX-License-Identifier: MIT
# What every program owes to whoever runs it. Programs are found by their
# sources: a new one is tested without an edit here.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# "least most" of -w, and "name least most standard" of each parameter.
workers_range() {
	"$program" -h | sed -n 's/^  -w, .*(\([0-9]*\) to \([0-9]*\))$/\1 \2/p'
}

params() {
	"$program" -h | sed -n 's/^  --\([a-z]*\) .* '\
'(\(-*[0-9]*\) to \([0-9]*\), default \(-*[0-9]*\))$/\1 \2 \3 \4/p'
}

# The value of a key of the program's about line.
about() {
	"$program" --about | sed -n \
	    "s/^# about: [A-Z][A-Za-z0-9]* .*$1=\\([^ ]*\\) .*/\\1/p"
}

about_name() {
	"$program" --about |
		sed -n '/^# about/{s/# about: \([^ ]*\) .*/\1/p;q;}'
}

# - where there is only one.
ways() {
	about ' as' | grep . | tr , ' ' || echo -
}

read_range() {
	read -r least most <<-END
	$(workers_range)
	END
}

help() {
	expect 0 "$program" -h
	[ ! -s "$tmp/err" ] || fail "-h wrote to stderr"
	has "$tmp/out" '^usage: '
	[ "$(workers_range | wc -w)" -eq 2 ] || fail "no range of -w"
}

about_lines() {
	expect 0 "$program" --about
	[ ! -s "$tmp/err" ] || fail "--about wrote to stderr"
	awk '
	NR == 1 && /^Unit ns\/[a-z]+ better=lower$/ { unit = $2; next }
	unit && /^Unit [a-z]+\/op better=(lower|higher)$/ { next }
	!/^# about: [A-Z][A-Za-z0-9]*(\/as=[a-z_]+)? / ||
	!/^# about: [^ ]+( [a-z]+=([^ "]+|"[^"]+"))+$/ ||
	!/ group=(switch|gen|loop|peer) / ||
	index($0, " unit=" unit " ") == 0 ||
	!/ work=(total|contend|beside|fixed) / || !/ worker=/ ||
	!/ op="/ || !/ not="/ { print "about: " $0; bad = 1 }
	{
		op = $0
		sub(/.* op="/, "", op)
		sub(/".*/, "", op)
		if (length(op) > 32) { print "too long: " op; bad = 1 }
	}
	END { exit bad || NR < 2 }' "$tmp/out" || fail "see above"
}

# A floor is a row that some program has.
floor() {
	"$program" --about | sed -n 's/.* floor=\([^ ]*\) .*/\1/p' \
	    >"$tmp/floors"
	while read -r floor; do
		way=${floor#*/as=}
		[ "$way" != "$floor" ] || way='.*'
		grep "^# about: ${floor%%/*} " "$tmp/abouts" |
			grep -Eq "$way" || fail "no such row: $floor"
	done <"$tmp/floors"
}

bad_arguments() {
	read_range
	huge=99999999999999999999
	many=$(awk 'BEGIN { while (i++ < 64) printf "7," }')7
	for option in -w -n -s -t --place --as --limit --round; do
		refused "$program" $option
		for value in '' x moon ' 1' +1 1x 1.5 -3 -1 $huge -$huge ','; do
			refused "$program" $option "$value"
		done
	done
	for value in 0 $((least - 1)) $((most + 1)) "$least,x" "$least," \
	    ",$least" "$least,,$least" "$many"; do
		refused "$program" -w "$value"
	done
	for value in 0 '1,' 1,2; do
		refused "$program" -n "$value"
		refused "$program" -s "$value"
		refused "$program" -t "$value"
		refused "$program" --round "$value"
	done
	refused "$program" --place same,moon
	refused "$program" --place 99999
	refused "$program" --place "$huge"
	for value in --nonsense -x --about=1 garbage '' -; do
		refused "$program" "$value"
		refused "$program" -n 10 "$value"
		has "$tmp/err" "'$value'"
	done
	refused "$program" -n 10 -- garbage
}

# getopt does not tell which of several letters in one word it was.
unknown_letter() {
	refused "$program" -n 10 -xn
	has "$tmp/err" "'-xn?'"
}

bad_params() {
	params >"$tmp/params"
	while read -r param least most _; do
		refused "$program" "--$param"
		for value in '' x ' 1' 1x "$least,x" "$least," \
		    99999999999999999999 $((least - 1)) $((most + 1)); do
			refused "$program" "--$param" "$value"
		done
	done <"$tmp/params"
}

# planned NAME OPTION...: so is the row called.
planned() {
	want=$1/workers=$least
	shift
	expect 0 "$program" --plan -w "$least" "$@"
	has "$tmp/out" "^$want(: skipped: .*)?\$"
}

# as where there are several ways, parameters off their default or that are the
# work to do, a total that replaces "until stopped", place where pinned,
# workers.
names() {
	read_range
	base=$(about_name)
	total=
	params >"$tmp/params"
	fixed=
	case $(about work) in
	contend|beside) total=/total=9;;
	fixed)
		read -r fixed _ <"$tmp/params";;
	esac
	for way in $(ways); do
		name=$base
		set --
		[ "$way" = - ] || name=$base/as=$way
		bare=$name
		[ -z "$fixed" ] || name=$bare/$fixed=9
		[ -z "$fixed" ] || set -- "--$fixed" 9
		[ "$way" = - ] || set -- "$@" --as "$way"
		planned "$name/place=same" "$@"
		planned "$name" "$@" --place none
		planned "$name$total/place=same" "$@" -n 9
		while read -r param low high standard; do
			value=$low
			[ "$low" != "$standard" ] || value=$high
			row=$name
			[ "$param" != "$fixed" ] || row=$bare
			planned "$row/$param=$value$total/place=same" "$@" \
			    -n 9 "--$param" "$value"
		done <"$tmp/params"
	done
}

# Exactly so many ops are done, also by workers among whom they do not divide.
exact() {
	read_range
	counts=$(awk -v least="$least" -v most="$most" 'BEGIN {
		printf "%d", least
		for (w = 2; w <= 7; w += w == 2 ? 1 : 4)
			if (w > least && w <= most)
				printf ",%d", w
	}')
	for ops in 1 103; do
		measured -w "$counts" -n $ops -s 1
		awk -v ops=$ops '
		/^Benchmark/ && $2 != ops { print; bad = 1 }
		END { exit bad }' "$tmp/out" || fail "not $ops ops"
	done
}

# The records of all ways, each of which is measured or skipped with a reason.
measured() {
	got=0
	"$program" --place "$place" "$@" >"$tmp/out" 2>"$tmp/err" || got=$?
	[ "$got" != 77 ] || grep -q '^# skip: ' "$tmp/out" || fail "no reason"
	[ "$got" = 0 ] || [ "$got" = 77 ] || fail "$*: $got: $(cat "$tmp/err")"
	grep -q '^Benchmark' "$tmp/out" || skip "$(cat "$tmp/err")"
	for way in $(ways); do
		[ "$way" = - ] || has "$tmp/out" \
		    "^(Benchmark|# skip: )$(about_name)/as=$way/"
	done
	! grep '^# warn' "$tmp/out" || fail "warned of a plain run"
}

records() {
	measured -n 200 -s 2
	strict "$tmp/out"
	"$program" -n 200 --place "$place" -s 2 --bare --round 7 >"$tmp/bare"
	lacks "$tmp/bare" '^[a-z]|^Unit|^# about'
	has "$tmp/bare" '^# sample: round=7 '
}

# 100 times the ops take more than 10 times as long, by the records' own wall
# time. Least of seven samples of 0.2 ms or more: one that is not disturbed is
# enough.
scaling() {
	[ "$(about work)" != fixed ] || skip "its total is its own"
	measured -t 1 -s 1
	for way in $(ways); do
		set -- "$program" --bare --place "$place"
		[ "$way" = - ] || set -- "$@" --as "$way"
		"$@" -t 1 -s 1 >"$tmp/out" 2>"$tmp/err" || continue
		ops=$(awk '/^Benchmark/ { printf "%d", 2e5 / $3 + 50 }' \
		    "$tmp/out")
		{
			"$@" -s 7 -n "$ops"
			"$@" -s 7 -n "${ops}00"
		} | awk -v ops="$ops" -v way="$way" '
		/^Benchmark/ {
			wall = $2 * $3
			if (!($2 in least) || wall < least[$2])
				least[$2] = wall
		}
		END {
			once = least[ops]
			often = least[ops "00"]
			if (once > 0 && often > 10 * once)
				exit 0
			print way ": " once " ns, 100 times: " often " ns"
			exit 1
		}' || fail "see above"
	done
}

no_output() {
	[ -c /dev/full ] || skip "no /dev/full"
	for args in '-n 9' -h --about --plan; do
		got=0
		# shellcheck disable=SC2086 # -n 9 is two words
		"$program" $args >/dev/full 2>"$tmp/err" || got=$?
		[ $got = 1 ] || fail "$args >/dev/full: exit code $got"
		said 'standard output'
	done
}

cd "$root"
for source in switch/*.c gen/*.c loop/*.c; do
	"$BUILD/${source%.c}" --about >>"$tmp/abouts" || :
done
for source in switch/*.c gen/*.c loop/*.c; do
	program=$BUILD/${source%.c}
	# Workers that spin need a CPU each.
	place=same
	"$program" --plan | grep -v ': skipped: ' >/dev/null || place=spread
	for subject_of in help about_lines floor bad_arguments \
	    unknown_letter bad_params \
	    names records exact scaling no_output; do
		check "${source%.c}: $subject_of" $subject_of
	done
done
