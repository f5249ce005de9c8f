# SPDX-License-Identifier: MIT
# awk -v format=md|text|tex -f tables.awk: the tables of a page as its reader
# sees them, one cell list a line: title TAB cell TAB cell ..., the heading
# first. What each format escapes is read back.

function emit(n,   i, line) {
	line = title
	for (i = 1; i <= n; i++)
		line = line "\t" cell[i]
	print line
}

function trim(s) {
	sub(/^ +/, "", s)
	sub(/ +$/, "", s)
	return s
}

# "a \| b" to "a | b"; of a row of cells, they go to cell[].
function read_md(s,   i, c, n, now) {
	n = 0
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			now = now substr(s, ++i, 1)
		else if (c == "|") {
			cell[n++] = trim(now)
			now = ""
		} else
			now = now c
	}
	cell[n] = trim(now)
	return n - 1
}

# Commands to what they print; {x} to x.
function read_tex(s,   i, c, out, rest, name) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		rest = substr(s, i)
		if (c == "{" || c == "}")
			continue
		if (c != "\\") {
			out = out c
			continue
		}
		if (match(rest, /^\\[&%$#_{}]/)) {
			out = out substr(rest, 2, 1)
			i++
			continue
		}
		if (index(rest, "\\texttt{\\char34}") == 1) {
			out = out "\""
			i += 15
			continue
		}
		match(rest, /^\\[a-z]+\{\}/)
		name = substr(rest, 2, RLENGTH - 3)
		if (!(name in glyph)) {
			print "not known: " rest
			exit 1
		}
		out = out glyph[name]
		i += RLENGTH - 1
	}
	return out
}

function split_tex(s,   n, i, j, from) {
	sub(/ \\\\$/, "", s)
	from = 1
	for (i = 1; i <= length(s); i++) {
		if (substr(s, i, 1) == "\\") {
			i++
			continue
		}
		if (substr(s, i, 3) == " & ") {
			cell[++n] = trim(read_tex(substr(s, from, i - from)))
			from = i + 3
			i++     # the blank after it may begin the next " & "
		}
	}
	cell[++n] = trim(read_tex(substr(s, from)))
	return n
}

BEGIN {
	glyph["textasciitilde"] = "~"
	glyph["textasciicircum"] = "^"
	glyph["textbackslash"] = "\\"
	glyph["textless"] = "<"
	glyph["textgreater"] = ">"
	glyph["textbar"] = "|"
	glyph["textquotesingle"] = "'"
	glyph["textasciigrave"] = "`"
}

format == "md" {
	if (/^```/)
		code = !code
	if (code)
		next
	if (/^#+ /) {
		title = $0
		sub(/^#+ /, "", title)
		read_md(title)
		title = trim(cell[0])
	} else if (/^\|/ && !/^\|[-:|]+$/)
		emit(read_md($0))
	next
}

# The rule tells where the columns are: its heading was the line before.
format == "text" {
	if (/^(=+|-+)$/ && length(before) == length($0)) {
		title = before
		columns = 0
	} else if (/^-+(  -+)*$/) {
		columns = 0
		rest = $0
		at = 1
		while (match(rest, /-+/)) {
			start[++columns] = at + RSTART - 1
			width[columns] = RLENGTH
			at += RSTART + RLENGTH - 1
			rest = substr(rest, RSTART + RLENGTH)
		}
		row(before)
	} else if ($0 == "")
		columns = 0
	else if (columns)
		row($0)
	before = $0
	next
}

function row(s,   i) {
	for (i = 1; i <= columns; i++)
		cell[i] = trim(substr(s, start[i], width[i]))
	emit(columns)
}

# Of a caption the title is what comes first; it has no full stop in it.
format == "tex" {
	if (/^\\caption\{/) {
		title = $0
		sub(/^\\caption\{/, "", title)
		sub(/\. .*|\.?\}$/, "", title)
		title = read_tex(title)
	} else if (/^\\toprule/)
		inside = 1
	else if (/^\\bottomrule/)
		inside = 0
	else if (inside && !/^\\midrule/)
		emit(split_tex($0))
}
