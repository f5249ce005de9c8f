# SPDX-License-Identifier: MIT
# awk -f same.awk CSV JSON TABLES: do they hold the same figures? CSV and JSON
# of report/table, TABLES what tables.awk read. csv and json are to agree in
# all they have; of the tables, each of a primitive with what its numbers were
# rounded from. Prints what differs, exits 1.

function differ(what, a, b) {
	print what ": '" a "' and '" b "'"
	bad = 1
}

# Cuts the next field of a csv line off rest.
function field(   s, i) {
	if (substr(rest, 1, 1) != "\"") {
		i = index(rest ",", ",")
		s = substr(rest, 1, i - 1)
		rest = substr(rest, i + 1)
		return s
	}
	s = ""
	rest = substr(rest, 2)
	while ((i = index(rest, "\"")) > 0) {
		s = s substr(rest, 1, i - 1)
		rest = substr(rest, i + 1)
		if (substr(rest, 1, 1) != "\"")
			break
		s = s "\""
		rest = substr(rest, 2)
	}
	rest = substr(rest, 2)
	return s
}

# "Mutex/as=thread/stack=1/workers=2" as the tables say it: program, way,
# parameters, place, workers.
function key(name,   part, n, i, base, as, params, place, workers) {
	n = split(name, part, "/")
	place = "none"
	for (i = 2; i <= n; i++)
		if (part[i] ~ /^as=/)
			as = substr(part[i], 4)
		else if (part[i] ~ /^place=/)
			place = substr(part[i], 7)
		else if (part[i] ~ /^workers=/)
			workers = substr(part[i], 9)
		else
			params = params (params == "" ? "" : "/") part[i]
	return part[1] "|" as "|" params "|" place "|" workers
}

# Was shown rounded from exact, which is of six digits?
function rounded(what, shown, exact,   places, half, d) {
	places = index(shown, ".") ? length(shown) - index(shown, ".") : 0
	half = 0.5000005
	while (places-- > 0)
		half /= 10
	half += exact * 5e-6
	d = shown - exact
	if (shown == "" || exact == "" || d > half || d < -half)
		differ(what, shown, exact)
	else
		rounded_from++
}

function member(line) {
	sub(/^\t/, "", line)
	sub(/,$/, "", line)
	return line
}

{ sub(/\r$/, "") }

FNR == 1 { file++ }

file == 1 && FNR == 1 {
	rest = $0
	while (rest != "")
		column[++columns] = field()
	next
}

file == 1 {
	rest = $0
	for (i = 1; i <= columns; i++)
		csv[column[i]] = field()
	name = csv["benchmark"]
	state[name] = csv["state"]
	states++
	if (!(name in headline))
		headline[name] = csv["unit"]
	unit = csv["unit"] == headline[name] ? "real_time" : \
		csv["unit"] == "cpu-ns/op" ? "cpu_time" : csv["unit"]
	for (i = 7; i <= 18; i++)
		figure[name, unit, column[i]] = csv[column[i]]
	if (unit == "real_time")
		row_name[key(name)] = name
	if (csv["state"] != "measured")
		next
	expected[name, unit, "median"] = csv["median"]
	expected[name, unit, "least"] = csv["least"]
	if (figure[name, "real_time", "low"] != "" && csv["low"] != "") {
		expected[name, unit, "low"] = csv["low"]
		expected[name, unit, "high"] = csv["high"]
	}
	next
}

# One member a line; the numbers of an entry are known at its end.
file == 2 && /^\t"/ {
	s = member($0)
	i = index(s, "\": ")
	json[substr(s, 2, i - 2)] = substr(s, i + 3)
	if (s ~ /}(, \{)?$/)
		sub(/}(, \{)?$/, "", json[substr(s, 2, i - 2)])
}

file == 2 && /}(, \{)?$/ && ("run_name" in json || "state" in json) {
	name = json["run_name"]
	gsub(/"/, "", name)
	gsub(/"/, "", json["aggregate_name"])
	which = json["aggregate_name"]
	for (unit in json) {
		if (which == "" || json[unit] ~ /^"/)
			continue
		if ((name, unit, which) in expected) {
			if (expected[name, unit, which] != json[unit])
				differ(name " " unit " " which, \
					expected[name, unit, which], \
					json[unit])
			delete expected[name, unit, which]
			compared++
		}
	}
	if (which == "" && "run_name" in json)
		rounds[name]++
	if ("state" in json) {
		gsub(/"/, "", json["name"])
		gsub(/"/, "", json["state"])
		if (state[json["name"]] != json["state"])
			differ(json["name"], state[json["name"]], json["state"])
	}
	split("", json)
}

file == 3 {
	n = split($0, cell, "\t")
	if (cell[2] ~ /^(as, )?on(, with)?$/) {
		for (i = 1; i <= n; i++)
			head[i] = cell[i]
		next
	}
	if (head[2] !~ /^(as, )?on(, with)?$/ || n < 7)
		next
	as = params = ""
	m = split(cell[2], part, ", ")
	i = 1
	if (head[2] ~ /^as/)
		as = part[i++]
	place = part[i++]
	if (i <= m)
		params = part[i]
	base = cell[1]
	if (index(base, ", ")) {
		params = substr(base, index(base, ", ") + 2)
		base = substr(base, 1, index(base, ", ") - 1)
	}
	k = base "|" as "|" params "|" place "|" cell[3]
	if (!(k in row_name)) {
		differ("no such row in csv", k, "")
		next
	}
	name = row_name[k]
	in_tables++
	if (state[name] != "measured") {
		if (cell[5] != state[name])
			differ(name, cell[5], state[name])
		next
	}
	ns = cell[5]
	sub(/!$/, "", ns)
	if (split(ns, part, "/") == 2) {
		rounded(name " low mode", part[1], \
			figure[name, "real_time", "mode_low"])
		rounded(name " high mode", part[2], \
			figure[name, "real_time", "mode_high"])
	} else
		rounded(name " ns", ns, figure[name, "real_time", "median"])
	rounded(name " least", cell[6], figure[name, "real_time", "least"])
	if (split(cell[7], part, "\\.\\.") == 2) {
		rounded(name " low", part[1], figure[name, "real_time", "low"])
		rounded(name " high", part[2], \
			figure[name, "real_time", "high"])
	} else if (cell[7] != "n/a" || \
	    figure[name, "real_time", "low"] != "")
		differ(name " interval", cell[7], \
			figure[name, "real_time", "low"])
}

END {
	for (e in expected) {
		split(e, part, SUBSEP)
		differ(part[1] " " part[2] " " part[3] ": not in json", \
			expected[e], "")
	}
	for (name in headline) {
		rows++
		if (state[name] == "measured" && \
		    rounds[name] != figure[name, "real_time", "rounds"])
			differ(name " rounds", rounds[name], \
				figure[name, "real_time", "rounds"])
	}
	if (in_tables != rows || !compared || !rounded_from) {
		print rows " rows, " in_tables + 0 " in the tables; " \
			compared + 0 " figures compared, " rounded_from + 0 \
			" rounded"
		bad = 1
	}
	exit bad
}
