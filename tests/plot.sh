#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of records: valid, complete, readable, written whole or not.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

plot=$BUILD/report/plot
golden=$root/tests/golden/records.txt
peer=$root/tests/fixtures/peer.txt

# valid FILE...: XML, and nothing that svg.awk finds.
valid() {
	for file in "$@"; do
		if have xmllint; then
			xmllint --noout "$file"
		elif have python3; then
			python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$file"
		fi
		awk -f "$root/tests/svg.awk" "$file" || fail "see above"
		has "$file" '^<svg xmlns="http://www.w3.org/2000/svg" '
		has "$file" '^<title id="[a-z]*-title">.'
		has "$file" '^<desc id="[a-z]*-desc">.'
		has "$file" 'prefers-color-scheme:dark'
		lacks "$file" '<script|href|url\(|@import|@font-face'
	done
}

# rows FILE: the names of the rows in a picture. row FILE NAME: what it shows.
rows() {
	sed -n 's/^<g><title>\(.*\)<\/title>$/\1/p' "$1"
}

row() {
	awk -v first="<g><title>$2</title>" '
	$0 == first { on = 1 }
	on
	/^<\/g>$/ { on = 0 }' "$1" >"$tmp/row"
	[ -s "$tmp/row" ] || fail "no $2 in $1"
}

# A run that has all there is, and many lines that end in one place.
crowd() {
	cat "$golden"
	for name in Raw EventLoop Wide; do
		echo "# about: $name group=switch unit=ns/switch work=total" \
		    'op="a turn" not="x"'
	done
	echo '# about: Pipe group=switch unit=ns/handoff work=total op=byte'
	awk 'BEGIN {
		split("same smt llc cross", place, " ")
		for (round = 1; round <= 6; round++) {
			print "# sample: round=" round " cpus=0,0"
			one("Raw/place=same/workers=2", 3, "switch")
			one("EventLoop/place=same/workers=2", 14, "switch")
			one("EventLoop/place=same/workers=512", 15, "switch")
			for (i = 1; i <= 4; i++)
				one("Pipe/as=thread/place=" place[i] \
				    "/workers=2", 1500 * i, "handoff")
			for (i = 1; i <= 30; i++) {
				name = "Wide/length=" i "000000000000/workers="
				one(name "2", 100 + i, "switch")
				one(name "99999", 100 + i / 9, "switch")
			}
		}
	}
	function one(name, ns, op) {
		print "Benchmark" name, 100, ns * (1 + round / 900), "ns/" op,
		    1, "handoffs/op", op == "handoff", "vcsw/op", 0,
		    "ivcsw/op"
	}'
}

all_of() {
	expect 0 "$plot" -o "$tmp/$1" "$2"
	shift 2
	for name in "$@"; do
		valid "$tmp/$name.svg"
	done
}

pictures() {
	all_of golden "$golden" golden/ladder golden/distance golden/workers
	all_of peer "$peer" peer/fetch peer/rows
	crowd >"$tmp/crowd.txt"
	all_of crowd "$tmp/crowd.txt" crowd/ladder crowd/distance crowd/workers
	lacks "$tmp/golden/ladder.svg" '[^ -~]'
	# Another time, to standard output, in another locale: the same.
	for name in ladder distance workers; do
		LC_ALL=de_DE.UTF-8 "$plot" -p $name <"$tmp/crowd.txt" \
		    >"$tmp/again"
		cmp "$tmp/again" "$tmp/crowd/$name.svg"
	done
}

invalid() {
	! (valid "$1") >"$tmp/found" 2>&1 || fail "not noticed: $1"
}

# Each with one thing wrong.
pictures_noticed() {
	file=$tmp/golden/ladder.svg
	sed '$d' "$file" >"$tmp/cut.svg"
	sed 's/&quot;/\&/' "$file" >"$tmp/bare.svg"
	sed 's/<\/text>/<\/test>/' "$file" >"$tmp/tags.svg"
	sed 's/font-size="12"/font-size="11"/' "$file" >"$tmp/small.svg"
	sed 's/<text x="12.0"/<text x="590.0"/' "$file" >"$tmp/out.svg"
	sed 's/<desc.*//' "$file" >"$tmp/desc.svg"
	for name in cut bare tags small out desc; do
		invalid "$tmp/$name.svg"
	done
	# Two names that overlap by a hair's breadth, and two that do not.
	for x in 40 60; do
		sed '1q' "$file" >"$tmp/two.svg"
		cat >>"$tmp/two.svg" <<-END
		<text x="12" y="30" font-size="12" class="ink">Name</text>
		<text x="$x" y="34" font-size="12" class="ink">Name</text>
		</svg>
		END
		got=0
		awk -f "$root/tests/svg.awk" "$tmp/two.svg" >"$tmp/out" ||
			got=$?
		[ $got = $((x == 40)) ] || fail "at $x: $(cat "$tmp/out")"
	done
}

# shown PICTURE RECORDS SVG: it has the rows of its table, and no others.
shown() {
	"$BUILD/report/table" "$2" >"$tmp/md"
	rows "$3" >"$tmp/names"
	awk -v picture="$1" -f "$root/tests/plotted.awk" "$tmp/names" "$tmp/md"
}

rows_shown() {
	for name in ladder distance workers; do
		shown $name "$golden" "$tmp/golden/$name.svg"
		shown $name "$tmp/crowd.txt" "$tmp/crowd/$name.svg"
		# Rows that the table has not, in place of some that it has.
		sed 's/^<g><title>Mutex/<g><title>Nobody/' \
		    "$tmp/golden/$name.svg" >"$tmp/other.svg"
		! shown $name "$golden" "$tmp/other.svg" >"$tmp/found" ||
			fail "$name: not noticed"
		has "$tmp/found" 'not drawn: Mutex'
		has "$tmp/found" 'not in the table: Nobody'
	done
	for name in Fetch Rows; do
		sed -n "s/^Benchmark\\(${name}[^ ]*\\).*/\\1/p" "$peer" |
			sort -u >"$tmp/want"
		lower=$(echo $name | tr FR fr)
		rows "$tmp/peer/$lower.svg" | sort | diff "$tmp/want" -
	done
}

# Seconds are ns a page times pages: 2 ms a page, five at a time.
fetch_values() {
	row "$tmp/peer/fetch.svg" Fetch/as=thread/pages=50/workers=5
	has "$tmp/row" '>20\.[0-9] ms<'
	row "$tmp/peer/fetch.svg" Fetch/as=thread/pages=100/workers=5
	has "$tmp/row" '>4[01]\.[0-9] ms<'
}

honest() {
	# Hollow where it was disturbed, and only there.
	row "$tmp/peer/fetch.svg" Fetch/as=process/pages=50/workers=15
	has "$tmp/row" 'class="paper"'
	has "$tmp/peer/fetch.svg" 'hollow:'
	row "$tmp/peer/fetch.svg" Fetch/as=process/pages=50/workers=5
	lacks "$tmp/row" 'class="paper"'
	lacks "$tmp/golden/ladder.svg" 'hollow:'
	# No interval of two rounds, but of six.
	awk '/round=3/ { exit } 1' "$golden" >"$tmp/few.txt"
	"$plot" -p ladder "$tmp/few.txt" >"$tmp/few.svg"
	valid "$tmp/few.svg"
	lacks "$tmp/few.svg" 'opacity|interval,'
	has "$tmp/few.svg" 'no interval'
	has "$tmp/golden/ladder.svg" 'opacity'
	# No mark for what is withheld, and no claim that leans on it.
	name=Mutex/as=thread/place=same/workers=2
	sed "s#^\\(Benchmark$name .*\\) [0-9.]* overlap#\\1 0.3 overlap#" \
	    "$golden" >"$tmp/withheld.txt"
	"$plot" -p ladder "$tmp/withheld.txt" >"$tmp/withheld.svg"
	valid "$tmp/withheld.svg"
	row "$tmp/withheld.svg" $name
	has "$tmp/row" '>withheld<'
	lacks "$tmp/row" 'currentColor'
	has "$tmp/withheld.svg" 'one after another'
	row "$tmp/golden/ladder.svg" $name
	has "$tmp/row" 'currentColor'
	has "$tmp/row" '1 hand-off in [0-9,]* acquires'
}

# "Threads do not switch faster" only where the rows say so.
title() {
	"$plot" -p ladder "$tmp/crowd.txt" >"$tmp/out"
	has "$tmp/out" '>Threads do not switch faster than coroutines<'
	# A lock that is handed over each time; a task that takes longer.
	sed '/Mutex/s/ [0-9.]* handoffs/ 1 handoffs/' "$tmp/crowd.txt" \
	    >"$tmp/other.txt"
	"$plot" -p ladder "$tmp/other.txt" >"$tmp/out"
	lacks "$tmp/out" 'Threads do not'
	sed '/^BenchmarkEventLoop/s/ 1[45]/ 99999/' "$tmp/crowd.txt" \
	    >"$tmp/other.txt"
	"$plot" -p ladder "$tmp/other.txt" >"$tmp/out"
	lacks "$tmp/out" 'Threads do not'
}

specials() {
	{
		printf 'cpu: A & B <C> "D" \001\377 \303\251 \355\240\200\n'
		echo 'BenchmarkOdd<&>"row"/workers=1 5 1 ns/op'
		printf 'Benchmark%0300d/workers=1 5 2 ns/op\n' 0 |
			sed 's/k0/kZ/'
	} >"$tmp/odd.txt"
	expect 0 "$plot" -p ladder "$tmp/odd.txt"
	valid "$tmp/out"
	has "$tmp/out" 'A &amp; B &lt;C&gt; &quot;D&quot; \?\? .* \?\?\?'
	has "$tmp/out" '<title>Odd&lt;&amp;&gt;&quot;row&quot;/workers=1<'
	printf '\303\251' >"$tmp/e"
	grep -qF "$(cat "$tmp/e")" "$tmp/out" || fail "UTF-8 did not pass"
}

# No file at all, or a whole one.
nothing() {
	: >"$tmp/empty.txt"
	refused "$plot" -o "$tmp/none" "$tmp/empty.txt"
	has "$tmp/err" 'empty\.txt'
	[ ! -e "$tmp/none" ] || fail "made a folder"
	echo '# skip: Empty/workers=1: not here' >"$tmp/skipped.txt"
	expect 77 "$plot" -o "$tmp/none" "$tmp/skipped.txt"
	has "$tmp/err" '^plot: ladder: left out: '
	[ -z "$(ls -A "$tmp/none")" ] || fail "wrote: $(ls -A "$tmp/none")"
	expect 77 "$plot" -p fetch "$golden"
	said '^plot: fetch: left out: '
	[ ! -s "$tmp/out" ] || fail "wrote to stdout"
}

one_point() {
	echo 'BenchmarkEmpty/workers=1 5 1 ns/iter' >"$tmp/one.txt"
	expect 0 "$plot" -o "$tmp/one" "$tmp/one.txt"
	valid "$tmp/one/ladder.svg"
	[ "$(ls -A "$tmp/one")" = ladder.svg ] || fail "$(ls -A "$tmp/one")"
	[ "$(grep -c ': left out: ' "$tmp/err")" = 4 ] ||
		fail "$(cat "$tmp/err")"
	for name in Rows/as=thread/rows=9 Fetch/as=thread/pages=9; do
		lower=$(echo ${name%%/*} | tr FR fr)
		echo "Benchmark$name/workers=3 5 1000 ns/row" >"$tmp/one.txt"
		expect 0 "$plot" -p "$lower" "$tmp/one.txt"
		valid "$tmp/out"
	done
}

unwritable() {
	: >"$tmp/file"
	expect 1 "$plot" -o "$tmp/file" "$golden"
	said "^plot: $tmp/file/ladder\\.svg: "
	expect 1 "$plot" -o "$tmp/no/such" "$golden"
	said "^plot: $tmp/no/such: "
	mkdir -p "$tmp/taken/ladder.svg"
	expect 1 "$plot" -o "$tmp/taken" "$golden"
	said 'taken/ladder\.svg: '
	[ "$(ls -A "$tmp/taken")" = ladder.svg ] || fail "$(ls -A "$tmp/taken")"
	if [ -c /dev/full ]; then
		got=0
		"$plot" -p ladder "$golden" >/dev/full 2>"$tmp/err" || got=$?
		[ $got = 1 ] || fail "exit code $got"
		said 'standard output'
	fi
}

# The disk is full in the middle of a file: the old one stays.
cut_off() {
	mkdir "$tmp/old"
	echo old >"$tmp/old/ladder.svg"
	# shellcheck disable=SC3045
	(ulimit -f 4) 2>/dev/null || skip "no ulimit -f"
	trap '' XFSZ
	ulimit -f 4
	got=0
	"$plot" -o "$tmp/old" "$golden" 2>/dev/null || got=$?
	[ $got = 1 ] || exit 1
	[ "$(cat "$tmp/old/ladder.svg")" = old ] || exit 1
	[ "$(ls -A "$tmp/old")" = ladder.svg ] || exit 1
}

# Files of one host are one run; a picture is of one host.
two_files() {
	awk '/^Benchmark/ { $3 *= 1.01 } 1' "$golden" >"$tmp/again.txt"
	expect 0 "$plot" -p ladder "$golden" "$tmp/again.txt"
	valid "$tmp/out"
	has "$tmp/out" 'Median of 12 rounds'
	sed 's/^cpu: .*/cpu: another/' "$golden" >"$tmp/another.txt"
	refused "$plot" -o "$tmp/none" "$golden" "$tmp/another.txt"
	said '2 hosts'
}

bad_options() {
	for option in --nonsense -x -o -p --picture; do
		refused "$plot" "$option"
	done
	refused "$plot" -p pie "$golden"
	refused "$plot" -o '' "$golden"
	refused "$plot" "$tmp/missing"
	expect 0 "$plot" -h
	has "$tmp/out" '^usage: '
	[ "$(wc -l <"$tmp/out")" -le 24 ] || fail "more than a screen"
}

check 'valid pictures, no text over another' pictures
check 'what is not valid is noticed' pictures_noticed
check 'every row of its table' rows_shown
check 'a fetch in seconds' fetch_values
check 'disturbed, withheld, too few rounds' honest
check 'a title that the rows bear out' title
check 'characters that XML treats as special' specials
check 'nothing to show' nothing
check 'one point' one_point
check 'a folder that cannot be written' unwritable
check 'cut off in the middle' cut_off
check 'two files, two hosts' two_files
check 'bad options' bad_options
