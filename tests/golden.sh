#!/bin/sh
# SPDX-License-Identifier: MIT
# The tables of golden/records.txt, byte for byte. After a change that is meant:
#
#	UPDATE=1 make check TESTS=golden
#
# writes them anew into the checkout; then read the difference.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

golden=$root/tests/golden

# Of those that have a line for each round and each figure, a few rows do.
same() {
	cat "$golden/records.txt" >"$tmp/records"
	case $1 in
	json|benchstat)
		awk '!/^Benchmark/ || /^BenchmarkAtomic/' \
		    "$golden/records.txt" >"$tmp/records";;
	esac
	expect 0 "$BUILD/report/table" --format "$1" "$tmp/records"
	[ ! -s "$tmp/err" ] || fail "complained: $(cat "$tmp/err")"
	cp "$tmp/out" "$tmp/now.$1"
	[ -z "${UPDATE-}" ] || cp "$tmp/out" "$golden/table.$1"
	diff -u "$golden/table.$1" "$tmp/out"
}

from_stdin() {
	"$BUILD/report/table" <"$golden/records.txt" >"$tmp/out"
	cmp "$tmp/out" "$tmp/now.md"
	"$BUILD/report/table" - <"$golden/records.txt" >"$tmp/out"
	cmp "$tmp/out" "$tmp/now.md"
}

crlf() {
	awk '{ printf "%s\r\n", $0 }' "$golden/records.txt" >"$tmp/crlf"
	expect 0 "$BUILD/report/table" "$tmp/crlf"
	cmp "$tmp/out" "$tmp/now.md"
}

narrow() {
	expect 0 "$BUILD/report/table" --format text "$golden/records.txt"
	lacks "$tmp/out" '.{101}'
	lacks "$tmp/out" '[^ -~]'
}

# Every line of a table has as many cells as its heading.
cells() {
	expect 0 "$BUILD/report/table" --format md "$golden/records.txt"
	awk '
	/^```/ { code = !code }
	code { next }
	/^\|/ {
		line = $0
		gsub(/\\./, "", line)
		n = gsub(/\|/, "", line)
		if (columns && n != columns) { print; bad = 1 }
		columns = n
		if (line ~ /[<>*_`~$&]/) { print "not escaped: " $0; bad = 1 }
		next
	}
	{ columns = 0 }
	END { exit bad }' "$tmp/out"
}

foreign_locale() {
	set -- de_DE.UTF-8 fr_FR.UTF-8
	if have localedef && localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" \
	    >"$tmp/localedef" 2>&1; then
		export LOCPATH="$tmp"
	else
		lacking=yes
	fi
	for locale in "$@"; do
		for format in md text csv tex; do
			LC_ALL=$locale "$BUILD/report/table" --format $format \
			    "$golden/records.txt" >"$tmp/out"
			cmp "$tmp/out" "$tmp/now.$format"
		done
	done
	[ -z "${lacking-}" ] || skip "same, but no such locale is installed"
}

for format in md text csv json tex benchstat; do
	check "$format" same $format
done
check 'from standard input' from_stdin
check 'lines that end in CR LF' crlf
check 'text is ASCII and at most 100 wide' narrow
check 'Markdown tables have their cells' cells
check 'a decimal comma changes nothing' foreign_locale
