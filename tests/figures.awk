# SPDX-License-Identifier: MIT
# Works out from the records (first file) what the report's csv (second file)
# has to say: the median of the round medians, the sign-test interval, the
# least sample; six digits are written. Prints what differs, exits 1.

function sort(a, n,   i, k, v) {
	for (i = 2; i <= n; i++) {
		v = a[i]
		for (k = i - 1; k > 0 && a[k] > v; k--)
			a[k + 1] = a[k]
		a[k + 1] = v
	}
}

function median(a, n) {
	sort(a, n)
	return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
}

function same(what, got, want,   d) {
	d = got - want
	if ((want == "") != (got == "") || d * d > 3e-11 * want * want) {
		print name " " unit ": " what " is '" got "', not " want
		bad = 1
	}
}

# What stands behind "key=" on this line.
function after(key,   i) {
	for (i = 1; i <= NF; i++)
		if (index($i, key "=") == 1)
			return substr($i, length(key) + 2)
	return ""
}

function add(key, v) {
	if (!(key in least) || v + 0 < least[key])
		least[key] = v + 0
	if (++samples[key, round] == 1)
		rounds[key]++
	value[key, round, samples[key, round]] = v + 0
	if (round + 0 > last)
		last = round + 0
}

# Cuts the next field of a csv line off rest.
function field(   s, i) {
	if (substr(rest, 1, 1) != "\"") {
		i = index(rest ",", ",")
		s = substr(rest, 1, i - 1)
		rest = substr(rest, i + 1)
		return s
	}
	rest = substr(rest, 2)
	i = index(rest, "\"")
	s = substr(rest, 1, i - 1)
	rest = substr(rest, i + 2)
	return s
}

{ sub(/\r$/, "") }

FNR == 1 { file++ }

file == 1 && /^# sample:/ {
	round = after("round")
	line = after("line_ns")
	adds = after("adds")
}

file == 1 && /^Benchmark/ {
	name = substr($1, 10)
	for (i = 3; i < NF; i += 2)
		add(name SUBSEP $(i + 1), $i)
	if (line != "")
		add(name SUBSEP "line-ns", line)
	if (adds != "")
		add(name SUBSEP "adds/cycle", adds)
}

file == 2 && FNR > 1 {
	rest = $0
	name = field()
	for (i = 2; i <= 5; i++)
		field()
	unit = field()
	got_median = field()
	got_low = field()
	got_high = field()
	field()
	got_least = field()
	got_rounds = field()
	if (unit == "")
		next
	key = name SUBSEP unit
	n = 0
	for (r = 1; r <= last; r++) {
		m = samples[key, r]
		for (k = 1; k <= m; k++)
			a[k] = value[key, r, k] + 0
		if (m)
			b[++n] = median(a, m)
	}
	same("median", got_median, median(b, n))
	same("low", got_low, n == 6 ? b[1] : "")
	same("high", got_high, n == 6 ? b[6] : "")
	same("least", got_least, least[key])
	same("rounds", got_rounds, rounds[key])
	compared++
}

END {
	for (key in rounds)
		expected++
	if (compared != expected || !compared) {
		print compared " figures in the table, " expected " in records"
		bad = 1
	}
	exit bad
}
