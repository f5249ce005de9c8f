# SPDX-License-Identifier: MIT
# A strict reader of the Go benchmark data format (golang.org/design/
# 14313-benchmark-format) as the programs write it. Names what is wrong and
# exits 1; prints nothing when all is well. For mawk, gawk and busybox awk.

function wrong(what) {
	print FILENAME ":" FNR ": " what ": " $0
	bad = 1
}

function key_values(first,   i) {
	for (i = first; i <= NF; i++)
		if ($i !~ /^[a-z_]+=[^=]+$/)
			wrong("'" $i "' is not key=value")
}

/[^ -~]/ { wrong("not printable ASCII") }

/^[a-z]/ {
	kind = "key"
	if ($0 !~ /^[a-z][a-z0-9-]*: [^ ]/)
		wrong("not 'key: value'")
	if ($1 in keys)
		wrong("twice")
	keys[$1] = 1
	if (last != "key" && ++blocks > 1)
		wrong("a second block of keys")
	last = kind
	next
}

/^Unit / {
	last = "unit"
	if (NF != 3 || $3 !~ /^better=(lower|higher)$/)
		wrong("not 'Unit name better=...'")
	if ($2 in units && units[$2] != $3)
		wrong("differs from an earlier one")
	units[$2] = $3
	next
}

/^# sample:/ {
	last = "sample"
	if ($0 !~ / cpus=/)
		wrong("no cpus=")
	key_values(3)
	next
}

/^#/ {
	last = "comment"
	if ($0 !~ /^# [a-z-]+: [^ ]/)
		wrong("not '# key: value'")
	next
}

/^Benchmark/ {
	if (last != "sample")
		wrong("no '# sample:' line before it")
	last = "benchmark"
	count++
	if ($1 !~ /^Benchmark[A-Z][A-Za-z0-9]*(\/[a-z_]+=[^\/=]+)*$/)
		wrong("name")
	if ($1 !~ /\/workers=[1-9][0-9]*$/)
		wrong("no workers= at the end of the name")
	if (NF < 4 || NF % 2 != 0)
		wrong("not pairs of a value and a unit")
	if ($2 !~ /^[1-9][0-9]*$/)
		wrong("iterations")
	if (!($4 in units))
		wrong("no Unit line for " $4)
	for (i = 3; i < NF; i += 2) {
		if ($i !~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/)
			wrong("'" $i "' is not a plain decimal")
		if ($(i + 1) !~ /^[a-z][a-z\/-]*$/)
			wrong("'" $(i + 1) "' is not a unit")
		if (seen[count, $(i + 1)]++)
			wrong($(i + 1) " twice")
	}
	next
}

{ wrong("neither record nor comment") }

END {
	if (blocks != 1)
		wrong("no block of keys")
	if (!count)
		wrong("no record")
	exit bad
}
