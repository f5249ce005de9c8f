# SPDX-License-Identifier: MIT
# awk -f tests/plan.awk -v places=same,llc -v rows=N MACHINE PLAN: checks what
# --plan printed, worker by worker, against the rules of the placements and a
# machine written down as in fixtures/topology/README. With simulated=1 each
# row must say so; with flat=1 nothing but the machine's CPU numbers counts.

function wrong(what) {
	print "wrong: " row (cpu == "" ? "" : " worker " worker " on cpu " \
	    cpu) ": " what
	if (++errors >= 5)
		exit 1
}

# What a CPU belongs to, for the reasons and for cross.
function domain(c) {
	if (across == "package")
		return package[c]
	return across == "node" ? node[c] : cache[c]
}

# How worker c sits to worker a, in words.
function relation(a, c) {
	if (worker == 0)
		return "the first"
	if (a == c)
		return "the same CPU"
	if (flat)
		return "another CPU"
	if (core[a] == core[c])
		return "same core"
	if (cache[a] != "-" && cache[a] == cache[c])
		return "another core, shares the last-level cache"
	if (package[a] != package[c])
		return "another package"
	if (node[a] != node[c])
		return "another node, same package"
	return "another core, same node"
}

# Count the CPUs of a set: all, by core, by domain of cross, and by core in it.
# For each: how many have at least so many, to know when all had their turn.
function size_up(set, c,    k) {
	cpus[set]++
	k = ++size[set, "core", core[c]]
	enough[set, "core", k]++
	k = ++size[set, "domain", domain(c)]
	enough[set, "domain", k]++
	k = ++size[set, "within " domain(c), core[c]]
	enough[set, "within " domain(c), k]++
}

# Of what is counted by so (cores, domains), this one takes its next CPU: then
# all of that had as many before.
function in_turn(so, which,    k) {
	k = used[so, which]++
	if (k > 0 && taken[so, k] != enough[set, so, k])
		wrong("not in turn: " so " " which " again, others wait")
	taken[so, k + 1]++
}

# What the machine has, from the table.
function study(    c) {
	across = packages > 1 ? "package" : nodes > 1 ? "node" : "cache"
	for (c in core) {
		size_up("all", c)
		size_up("core " core[c], c)
		size_up("llc " llc[c], c)
	}
	for (c in core) {
		if (fastest["same"] == "" || kind[c] > fastest["same"])
			fastest["same"] = kind[c]
		if (cpus["core " core[c]] > 1 && (!has_smt ||
		    kind[c] > fastest["smt"])) {
			has_smt = 1
			fastest["smt"] = kind[c]
		}
		if (enough["llc " llc[c], "core", 1] > 1 && (!has_llc ||
		    kind[c] > fastest["llc"])) {
			has_llc = 1
			fastest["llc"] = kind[c]
		}
	}
	has_cross = packages > 1 || nodes > 1 || caches > 1
	one = cpus["all"] == 1
	if (flat)
		has_smt = has_llc = has_cross = 0
}

# Why there is no such row, as a pattern; "" when there is.
function lacking() {
	if (flat && place ~ /^(smt|llc|cross)$/)
		return "^nothing is known here of cores and caches$"
	if (place == "smt" && !has_smt)
		return "^no core has two hardware threads allowed$"
	if (place == "llc" && !has_llc)
		return one ? "^one CPU allowed$" : \
		    "^no two cores allowed share a last-level cache$"
	if (place == "cross" && !has_cross)
		return one ? "^one CPU allowed$" : "^one last-level cache: "
	if (place == "spread" && one && workers > 1)
		return "^one CPU allowed$"
	return ""
}

function end_row() {
	cpu = ""
	if (row != "" && worker != left_out - 1)
		wrong("ends at worker " worker)
}

function begin_row(    said, reason, want) {
	row = $0
	cpu = ""
	if (row !~ ("^[A-Z][A-Za-z]*(/as=[a-z]+)?(/place=[a-z]+)?/workers=" \
	    "[0-9]+(: skipped: .*[^ ])?( [(]simulated[)])?$"))
		wrong("what is this")
	said = sub(/ \(simulated\)$/, "", row)
	if (said != (simulated + 0))
		wrong(said ? "not simulated" : "simulated, but does not say so")
	reason = ""
	if (match(row, /: skipped: /)) {
		reason = substr(row, RSTART + RLENGTH)
		row = substr(row, 1, RSTART - 1)
	}
	place = "none"
	if (match(row, /\/place=[a-z]+/))
		place = substr(row, RSTART + 7, RLENGTH - 7)
	workers = row
	sub(/.*\/workers=/, "", workers)
	workers += 0
	if ((place, workers) in seen)
		wrong("twice")
	seen[place, workers] = 1
	of_place[place]++
	want = lacking()
	if (want == "" && reason != "")
		wrong("skipped, but the machine has it: " reason)
	else if (want != "" && reason == "")
		wrong("the machine does not have it: " want)
	else if (want != "" && reason !~ want)
		wrong("skipped for another reason: " reason)
	worker = -1
	left_out = reason == "" ? workers : 0
}

# One worker's line.
function check_worker(    reason) {
	worker++
	cpu = ""
	if (place == "none") {
		if ($0 != "  worker " worker \
		    ": any cpu (left to the scheduler)")
			wrong($0)
		return
	}
	if ($1 != "worker" || $2 != worker ":" || $3 != "cpu" ||
	    $4 !~ /^[0-9]+$/ || $0 !~ /^  w.*[0-9] \(.*\)$/) {
		wrong($0)
		return
	}
	cpu = $4
	if (!(cpu in core)) {
		wrong("there is no such CPU")
		return
	}
	if (worker == 0)
		start()
	reason = substr($0, index($0, "(") + 1)
	reason = substr(reason, 1, length(reason) - 1)
	if (reason != relation(first, cpu))
		wrong("(" reason "), not (" relation(first, cpu) ")")
	if (place == "same") {
		if (cpu != first)
			wrong("not on the CPU of worker 0")
		return
	}
	if (place == "smt" && core[cpu] != core[first])
		wrong("not on the core of worker 0")
	if (place == "llc" && llc[cpu] != llc[first])
		wrong("another cache, package or kind than worker 0")
	if (place == "llc" && worker == 1 && core[cpu] == core[first])
		wrong("on the core of worker 0")
	if (place == "cross" && worker == 1 && domain(cpu) == domain(first))
		wrong("in the " across " of worker 0")
	# Rounds over the whole set: each CPU of it once in each.
	if (worker % cpus[set] == 0) {
		split("", used)
		split("", taken)
	}
	if (load[cpu]++ != int(worker / cpus[set]))
		wrong("it has " load[cpu] " workers, others have less")
	if (place != "cross") {
		in_turn("core", core[cpu])
	} else {
		in_turn("domain", domain(cpu))
		in_turn("within " domain(cpu), core[cpu])
	}
}

# Worker 0 decides which core or cache it is.
function start() {
	first = cpu
	split("", load)
	set = place == "smt" ? "core " core[cpu] : \
	    place == "llc" ? "llc " llc[cpu] : "all"
	if (!flat && place in fastest && kind[cpu] != fastest[place])
		wrong("kind " kind[cpu] ", not the fastest, " fastest[place])
	if (place == "smt" && cpus[set] < 2)
		wrong("the core has one thread")
	if (place == "llc" && enough[set, "core", 1] < 2)
		wrong("the cache has one core")
}

FNR == 1 { file++ }

/^#/ { next }

file == 1 {
	cores++
	n = split($1, threads, ",")
	for (i = 1; i <= n; i++) {
		c = threads[i]
		core[c] = flat ? c : cores
		cache[c] = $2
		package[c] = $3
		node[c] = $4
		kind[c] = $5 + 0
		llc[c] = $2 " " $3 " " $5
	}
	packages += !(("package", $3) in known)
	nodes += !(("node", $4) in known)
	caches += !(("cache", $2) in known)
	known["package", $3] = known["node", $4] = known["cache", $2] = 1
	next
}

!studied {
	study()
	studied = 1
}

/^ / {
	check_worker()
	next
}

{
	end_row()
	begin_row()
}

END {
	if (errors >= 5)
		exit 1
	end_row()
	row = "all"
	n = split(places, list, ",")
	for (i = 1; i <= n; i++)
		if (of_place[list[i]] != rows)
			wrong(of_place[list[i]] + 0 " rows of " list[i] \
			    ", not " rows)
	exit errors > 0
}
