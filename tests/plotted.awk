# SPDX-License-Identifier: MIT
# awk -v picture=ladder -f plotted.awk names.txt table.md: the names are a
# picture's rows, one a line. Says which the table has and the picture lacks, or
# the other way about.

# "Mutex/as=thread/total=2/place=same/workers=8": what the tables call it.
function take(name, part, i, n, as, params, place, workers) {
	n = split(name, part, "/")
	place = "none"
	for (i = 2; i <= n; i++) {
		if (part[i] ~ /^as=/)
			as = " " substr(part[i], 4)
		else if (part[i] ~ /^place=/)
			place = substr(part[i], 7)
		else if (part[i] ~ /^workers=/)
			workers = substr(part[i], 9)
		else
			params = params (params == "" ? " " : "/") part[i]
	}
	if (picture == "distance" && as != " thread" && part[1] != "Spin")
		return          # within a thread: no row of that table
	if (picture == "distance")
		drawn[part[1] ", " place] = 1
	else if (picture == "workers")
		drawn[part[1] as params ", " place ", " workers] = 1
	else
		drawn[part[1] as params ", " place] = 1
}

FILENAME == ARGV[1] {
	take($0)
	next
}

/^## / {
	ours = picture == "ladder" && /^## ns per switch/ || \
		picture == "distance" && /^## By distance/ || \
		picture == "workers" && /^## (Switches|The published form)/
	heading = 0
}

!ours || !/^\|/ || /^\|-/ {
	next
}

{
	gsub(/\\/, "")
	n = split($0, cell, "|")
	for (i = 1; i <= n; i++)
		gsub(/^ +| +$/, "", cell[i])
}

!heading {
	heading = 1
	for (i = 1; i <= n; i++)
		name[i] = cell[i]
	next
}

picture == "ladder" {
	table[cell[2] ", " cell[3]] = 1
	next
}

{
	for (i = 4; i < n; i++) {
		if (picture == "distance" && cell[i] != "")
			table[name[i] ", " cell[2]] = 1
		if (picture == "workers" && cell[i] ~ /^[0-9]/) {
			line = cell[2] ", " cell[3]
			point[line ", " name[i]] = line
			points[line]++
		}
	}
}

END {
	for (key in point)
		if (points[point[key]] > 1)
			table[key] = 1
	for (key in table) {
		rows++
		if (!(key in drawn)) {
			print picture ": not drawn: " key
			wrong = 1
		}
	}
	for (key in drawn)
		if (!(key in table)) {
			print picture ": not in the table: " key
			wrong = 1
		}
	if (!rows) {
		print picture ": no table"
		wrong = 1
	}
	exit wrong
}
