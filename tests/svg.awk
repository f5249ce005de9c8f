# SPDX-License-Identifier: MIT
# awk -f svg.awk picture.svg: what is wrong with it. Tags that do not match, a
# bare '&', text that is small, runs over another or out of the picture. A
# text's box is guessed from its size and a usual sans-serif font.

function bad(what) {
	print FILENAME ":" FNR ": " what
	wrong = 1
}

# The attribute's value, or "".
function attribute(tag, name) {
	if (!match(tag, "[ \t]" name "=\"[^\"]*\""))
		return ""
	return substr(tag, RSTART + length(name) + 3,
		RLENGTH - length(name) - 4)
}

# Ems.
function width(s, i, sum) {
	sum = 0
	for (i = 1; i <= length(s); i++)
		sum += substr(s, i, 1) ~ /[fijlrtI .,:;'!|()\/-]/ ? 0.36 : \
			substr(s, i, 1) ~ /[A-Zmw%&@=<>+]/ ? 0.75 : \
			substr(s, i, 1) ~ /[acksvxyz]/ ? 0.56 : 0.6
	return sum
}

function plain(s) {
	gsub(/&lt;/, "<", s)
	gsub(/&gt;/, ">", s)
	gsub(/&quot;/, "\"", s)
	gsub(/&amp;/, "\\&", s)
	return s
}

function box(tag, s, size, w, x, anchor) {
	size = attribute(tag, "font-size")
	if (size < 12)
		bad("text of " size " px: " s)
	w = width(plain(s)) * size
	if (attribute(tag, "font-weight") == "bold")
		w *= 1.1
	x = attribute(tag, "x")
	anchor = attribute(tag, "text-anchor")
	x -= anchor == "end" ? w : anchor == "middle" ? w / 2 : 0
	n++
	left[n] = x
	right[n] = x + w
	top[n] = attribute(tag, "y") - 0.76 * size
	bottom[n] = attribute(tag, "y") + 0.22 * size
	said[n] = s
	if (left[n] < 0 || right[n] > wide || top[n] < 0 || bottom[n] > high)
		bad("out of the picture: " s)
}

function text(s) {
	if (inside == "text")
		box(tag_of_text, s)
	while (match(s, /&/)) {
		s = substr(s, RSTART)
		if (s !~ /^&(amp|lt|gt|quot);/)
			bad("a bare '&'")
		s = substr(s, 2)
	}
}

function tag(t, name) {
	name = t
	gsub(/^<\/?|[ \/>].*$/, "", name)
	if (t ~ /^<\//) {
		if (depth < 1 || open[depth--] != name)
			bad("closes what is not open: " t)
	} else if (t !~ /\/>$/) {
		open[++depth] = name
	}
	if (name == "svg" && t !~ /^<\//) {
		split(attribute(t, "viewBox"), view, " ")
		wide = view[3]
		high = view[4]
	}
	if (name == "text" && t !~ /^<\//)
		tag_of_text = t
	inside = t ~ /^<\// || t ~ /\/>$/ ? "" : name
}

{
	rest = $0
	while (match(rest, /<[^>]*>/)) {
		before = substr(rest, 1, RSTART - 1)
		this = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		text(before)
		tag(this)
	}
	if (rest ~ /</)
		bad("a bare '<'")
	text(rest)
}

END {
	if (depth != 0)
		bad("not closed: " open[depth])
	if (n == 0)
		bad("no text")
	for (i = 1; i <= n; i++)
		for (k = i + 1; k <= n; k++)
			if (left[i] < right[k] && left[k] < right[i] &&
			    top[i] < bottom[k] && top[k] < bottom[i])
				bad("'" said[i] "' and '" said[k] "' overlap")
	exit wrong
}
