#!/bin/sh
# SPDX-License-Identifier: MIT
# How often is a comparison wrong? By hand, on a quiet machine: it takes
# minutes. Measures a build against itself (false alarms; at most 1 % of row
# comparisons) and against one whose ops are about a tenth dearer (called
# slower in at least 95 %), each side by side, and prints both rates.
#
#	tests/validate.sh [--only GLOB] [REPEATS]	(default 10)
set -euf
export LC_ALL=C

only='*' repeats=10 runs=0
while [ $# -gt 0 ]; do
	case $1 in
	--only) only=$2; shift;;
	[1-9]*) repeats=$1;;
	*) echo "usage: tests/validate.sh [--only GLOB] [REPEATS]" >&2; exit 2;;
	esac
	shift
done
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# An op that is about a tenth dearer, by dependent additions put into a copy of
# the source: the product has no such switch. In raw and status an op is bound
# by what a cycle can hold, so additions are free until their chain is longer
# than that: as many as that takes here (x86-64, 2023).
cp -r "$top" "$work/slow"
rm -rf "$work/slow/build"
cd "$work/slow"

# after FILE PATTERN N LINE...: put the lines, N times, after where it matches.
after() {
	file=$1 pattern=$2 n=$3
	shift 3
	while [ "$n" -gt 0 ]; do
		printf '%s\n' "$@"
		n=$((n - 1))
	done >"$work/lines"
	sed -i "/$pattern/r $work/lines" "$file"
}

after loop/register.c 'int i = bench_batch' 3 \
	'ADD(sum, one);' 'sum -= one;' 'bench_keep(sum);'
after switch/raw.c 'self->left--;' 6 \
	'next = (void *)((uintptr_t)next + zero);' 'bench_keep(next);'
after switch/raw.c 'self->left--;' 1 'uintptr_t zero = 0;' 'bench_keep(zero);'
after gen/status.c 'bench_keep_memory(g->resume);' 3 \
	'sum += alive;' 'bench_keep(sum);' 'sum -= alive;' 'bench_keep(sum);'
for f in loop/register.c switch/raw.c gen/status.c; do
	! cmp -s "$f" "$top/$f" || {
		echo "validate.sh: $f: not slowed" >&2
		exit 1
	}
done
(cd "$top" && BUILD=$work/fast ./build.sh >/dev/null)
BUILD=$work/slower ./build.sh >/dev/null
cp -r "$work/fast" "$work/again"

# compare_builds NAME A B GLOB ROUNDS: the verdicts of each repeat, one a line.
compare_builds() {
	i=0
	while [ "$i" -lt "$repeats" ]; do
		i=$((i + 1))
		runs=$((runs + 1))
		"$top/run_all.sh" --quick --rounds "$5" --only "$4" \
		    --ab "$2" "$3" --seed "$i" --format csv \
		    --out "$work/out.$1.$runs" |
		    awk -F, 'NR > 1 && NF > 5 { print $1 "," $4 "," $7 }' \
		    >>"$work/$1"
		printf '.' >&2
	done
	printf '\n' >&2
}

[ ! -r /proc/loadavg ] || echo "load before: $(cat /proc/loadavg)"
: >"$work/same"; : >"$work/slow.v"
compare_builds same "$work/fast" "$work/again" "$only" 6
for name in register raw status; do
	compare_builds slow.v "$work/fast" "$work/slower" "$name" 20
done
[ ! -r /proc/loadavg ] || echo "load after: $(cat /proc/loadavg)"

awk -F, '{ n++; bad += $3 ~ /^(slower|faster)/ }
	$3 ~ /^(slower|faster)/ { print "false alarm: " $0 }
	END {
		printf "a build against itself: %d false alarms in %d " \
			"comparisons, %.2f %%\n", bad, n, n ? 100 * bad / n : 0
	}' "$work/same"
awk -F, '{
		n[$1]++; ok[$1] += $3 ~ /^slower/; r[$1] += $2
		N++; OK += $3 ~ /^slower/
	}
	END {
		for (k in n)
			printf "%s: slower in %d of %d, ratio %.3f\n",
				k, ok[k], n[k], r[k] / n[k]
		printf "a slower build: called slower in %d of %d " \
			"comparisons, %.1f %%\n", OK, N, N ? 100 * OK / N : 0
	}' "$work/slow.v"
