#!/bin/sh
# SPDX-License-Identifier: MIT
# One run in five formats: the same figures, and whatever a format treats as
# special comes out as itself. Where LaTeX, python3 and google/benchmark's
# compare script are installed, they read what is meant for them.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

golden=$root/tests/golden
table=$BUILD/report/table
records=$golden/records.txt
gbench=/usr/share/benchmark/compare.py

# What the page of a format holds, as its reader sees it.
read_tables() {
	awk -v format="$1" -f "$root/tests/tables.awk" "$2"
}

same_figures() {
	for format in md text tex csv json; do
		"$table" --format $format "$1" >"$tmp/page.$format"
	done
	for format in md text tex; do
		read_tables $format "$tmp/page.$format" >"$tmp/tables.$format"
		awk -f "$root/tests/same.awk" "$tmp/page.csv" "$tmp/page.json" \
		    "$tmp/tables.$format" || fail "$format: see above"
	done
	# The other tables of the page, too.
	cmp "$tmp/tables.md" "$tmp/tables.text"
	cmp "$tmp/tables.md" "$tmp/tables.tex"
}

# spoiled FILE SED: the comparison notices.
spoiled() {
	cp "$tmp/$1" "$tmp/kept"
	sed "$2" "$tmp/kept" >"$tmp/$1"
	! cmp -s "$tmp/kept" "$tmp/$1" || fail "nothing to spoil: $2"
	! awk -f "$root/tests/same.awk" "$tmp/page.csv" "$tmp/page.json" \
	    "$tmp/tables.md" >"$tmp/out" || fail "not noticed: $2"
	mv "$tmp/kept" "$tmp/$1"
}

notices() {
	same_figures "$records"
	spoiled tables.md 's/	11\.1	/	11.2	/'
	spoiled tables.md 's/	n\/a	/	1..2	/'
	spoiled tables.md '/^Status	none/d'
	spoiled page.csv 's/^\(Empty.*,ns.iter,\)0/\11/'
	spoiled page.json 's/"real_time": 1/"real_time": 2/'
	spoiled page.json 's/"overlap": 0/"overlap": 1/'
	spoiled page.json '/"cpu_time"/d'
	spoiled page.json 's/"withheld"/"skipped"/'
}

# rendered FORMAT: the table of render.c, as it was when last looked at.
rendered() {
	"$tmp/render" "$1" >"$tmp/out"
	[ -z "${UPDATE-}" ] || cp "$tmp/out" "$golden/render.$1"
	diff -u "$golden/render.$1" "$tmp/out"
}

# What ASCII has reads the same in each: a control character is a blank.
specials() {
	for format in md tex; do
		"$tmp/render" $format >"$tmp/page"
		read_tables $format "$tmp/page" >"$tmp/read.$format"
	done
	grep -v -e caf -e bad -e 'tab	' "$tmp/read.md" >"$tmp/md"
	grep -v -e caf -e bad -e 'tab	' "$tmp/read.tex" >"$tmp/tex"
	diff -u "$tmp/md" "$tmp/tex"
	# shellcheck disable=SC2016,SC1003 # as they are
	title='gcc | _x_ & "quoted" <b> -O2 --param # 50 % $HOME {a} ~ ^ \'
	# shellcheck disable=SC2016,SC1003
	for cell in '[x]' '*y*' '`z`' "'q'" "it's" ',,' '--' '\\' 'two lines' \
	    '\end{tabular}' '</table>' '&amp;' "$title"; do
		printf '%s\t%s\t%s\n' "$title" "$cell" "$cell"
	done >"$tmp/want"
	while IFS= read -r line; do
		grep -Fqx -e "$line" "$tmp/md" || fail "md lacks: $line"
	done <"$tmp/want"
}

# Five fields or one: csv is cut where RFC 4180 says.
csv() {
	have python3 || skip "no python3"
	"$tmp/render" csv >"$tmp/csv"
	python3 - "$tmp/csv" <<-'END'
	import csv, sys
	rows = list(csv.reader(open(sys.argv[1], newline="",
	    encoding="latin-1"), strict=True))
	assert all(len(row) == 2 for row in rows), rows
	cells = [row[0] for row in rows]
	for cell in ("two\nlines", "a, b", "return\r", rows[0][0]):
	    assert cells.count(cell) >= 2, cell
	END
}

json() {
	have python3 || skip "no python3"
	"$tmp/render" json >"$tmp/json"
	"$table" --format json "$records" >"$tmp/page.json"
	"$table" --format json "$records" "$tmp/other" >"$tmp/two.json"
	"$BUILD/report/claims" -f json -c "$root/report/published.claims" \
	    "$records" >"$tmp/claims.json"
	"$BUILD/report/compare" -f json "$records" "$tmp/other" \
	    >"$tmp/compare.json"
	for name in json page.json two.json claims.json compare.json; do
		python3 -m json.tool "$tmp/$name" "$tmp/out"
		# What RFC 8259 does not have, though json.tool does.
		lacks "$tmp/$name" '[:,[] *-?(NaN|nan|Infinity|inf)'
	done
	python3 - "$tmp/json" <<-'END'
	import json, sys
	tables = json.load(open(sys.argv[1], encoding="utf-8"))
	assert len(tables) == 2 and tables[0] == tables[1]
	rows = tables[0]["rows"]
	first = next(iter(rows[0]))
	assert first == tables[0]["title"] == rows[0][first]
	cells = [row["a number"] for row in rows]
	for cell in ("two\nlines", "caf\u00e9", "bad\ufffdbyte", "\x01", None,
	    "007", "1e5", "NaN", 0.5, -3, "\\\\"):
	    assert cell in cells, cell
	END
}

# What its readers need of each entry, and that repetitions are numbered.
schema() {
	"$table" --format json "$records" >"$tmp/page.json"
	have python3 || skip "no python3"
	python3 - "$tmp/page.json" <<-'END'
	import json, sys
	page = json.load(open(sys.argv[1]))
	context = page["context"]
	assert context["date"] == "2026-01-02T03:04:05Z"
	assert context["num_cpus"] == 2 and "cpu" in context
	seen = {}
	for b in page["benchmarks"]:
	    for key in ("name", "run_name", "time_unit", "run_type"):
	        assert isinstance(b[key], str), (key, b)
	    for key in ("repetitions", "threads", "iterations",
	        "family_index", "per_family_instance_index"):
	        assert isinstance(b[key], int), (key, b)
	    assert isinstance(b["real_time"], float) or b["real_time"] > 0
	    if b["run_type"] == "iteration":
	        at = seen.setdefault(b["name"], [])
	        assert b["repetition_index"] == len(at)
	        at.append(b["real_time"])
	    else:
	        assert b["run_type"] == "aggregate"
	        name = b["aggregate_name"]
	        assert name in ("median", "low", "high", "least")
	        assert b["name"] == b["run_name"] + "_" + name
	        assert "repetition_index" not in b
	        at = sorted(seen[b["run_name"]])
	        assert b["repetitions"] == len(at)
	        if name == "median":
	            middle = (at[(len(at) - 1) // 2] + at[len(at) // 2]) / 2
	            assert abs(b["real_time"] - middle) <= 1e-5 * middle
	assert len(seen) > 5
	for row in page["left_out"]:
	    assert row["state"] in ("withheld", "skipped", "failed")
	    assert row["name"] not in seen
	assert len(page["left_out"]) >= 3
	END
}

# Its own reader. It needs the CPU time of every row, which our programs give.
google_compare() {
	[ -f "$gbench" ] || skip "no $gbench (libbenchmark-tools)"
	/usr/bin/python3 -c 'import scipy.stats' 2>/dev/null ||
		skip "no scipy for it (python3-scipy)"
	for name in old new; do
		awk -v name=$name '!/^Benchmark/ || /cpu-ns/ {
			if (name == "new" && /^BenchmarkMutex/)
				$3 *= 1.5
			print
		}' "$records" >"$tmp/$name"
		"$table" --format json "$tmp/$name" >"$tmp/$name.json"
	done
	/usr/bin/python3 "$gbench" --no-color benchmarks "$tmp/old.json" \
	    "$tmp/new.json" >"$tmp/out"
	has "$tmp/out" '^Mutex/as=thread/place=same/workers=2_median +\+0\.5000'
	has "$tmp/out" '^Mutex/as=thread/place=same/workers=2_pvalue .* 6 vs 6'
	has "$tmp/out" '^Atomic/place=same/workers=1_median +\+0\.0000'
}

latex() {
	have pdflatex || skip "no pdflatex (texlive-latex-recommended)"
	pages=$tmp/pages
	mkdir -p "$pages"
	"$table" --format tex "$records" >"$pages/run.tex"
	"$table" --format tex "$records" "$tmp/other" >"$pages/hosts.tex"
	"$tmp/render" tex >"$pages/render.tex"
	"$BUILD/report/claims" -f tex -c "$root/report/published.claims" \
	    "$records" >"$pages/claims.tex"
	"$BUILD/report/compare" -f tex "$records" "$tmp/other" \
	    >"$pages/compare.tex"
	{
		printf '%s\n' '\documentclass{article}' \
		    '\usepackage{booktabs,graphicx}' '\begin{document}'
		for page in run hosts render claims compare; do
			printf '%s\n' "\\input{$page}" '\clearpage'
		done
		printf '%s\n' '\end{document}'
	} >"$pages/article.tex"
	cd "$pages"
	HOME=$tmp pdflatex -interaction=nonstopmode -halt-on-error \
	    article.tex >"$tmp/latex" 2>&1 ||
		fail "$(grep -A 5 '^!' "$tmp/latex")"
	[ -s article.pdf ] || fail "no article.pdf"
	# No table is wider than the text.
	awk '/^Overfull .hbox/ { s = $3; sub(/\(/, "", s)
		if (s + 0 > 20) { print; bad = 1 } }
	END { exit bad }' "$tmp/latex"
	# An article that is wrong does not pass.
	echo 'a & b' >>render.tex
	! HOME=$tmp pdflatex -interaction=nonstopmode -halt-on-error \
	    article.tex >"$tmp/latex" 2>&1 || fail "'&' was taken"
}

# Reader and printer agree on what a byte that is none may become.
bytes() {
	printf 'cpu: a\001b\377c\303\251 \357\277\n' >"$tmp/bytes"
	printf 'BenchmarkEmpty/workers=1 1 2 ns/iter\n' >>"$tmp/bytes"
	for format in md text csv json tex benchstat; do
		expect 0 "$table" -f $format "$tmp/bytes"
		cp "$tmp/out" "$tmp/page"
		case $format in
		text|tex) has "$tmp/page" 'a\?b\?c\? \?';;
		*) grep -q "$(printf 'a?b?c\303\251 ?')" "$tmp/page" ||
			fail "$format: $(cat "$tmp/page")";;
		esac
	done
}

awk '{ sub(/^cpu: .*/, "cpu: Another") } 1' "$records" >"$tmp/other"
# shellcheck disable=SC2086
$CC -std=c11 -O2 -I"$root/bench" "$root/tests/render.c" \
    "$root/report/model.c" "$root/report/render.c" "$root/report/json.c" \
    "$root/report/tex.c" "$root/report/records.c" "$root/report/stats.c" \
    "$root/bench/util.c" -o "$tmp/render" -lm

check 'five formats, the same figures' same_figures "$records"
check 'other figures are noticed' notices
for format in md text csv json tex; do
	check "what is special in $format" rendered $format
done
check 'md and tex read back' specials
check 'csv read back' csv
check 'json read back' json
check 'bytes that are not text' bytes
check "google/benchmark's schema" schema
check "google/benchmark's compare script" google_compare
check 'LaTeX compiles' latex
