#!/bin/sh
# SPDX-License-Identifier: MIT
# Where --plan puts workers, on machines that are not this one: plan.awk checks
# each worker's CPU and reason against a table of the machine, from which an
# hwloc file and a made-up /sys are written for the product to read. Damaged
# files, the inherited mask, and what build.sh makes of which hwloc. Simulated
# machines are not measured.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"
unset HWLOC_SYNTHETIC HWLOC_XMLFILE HWLOC_THISSYSTEM HWLOC_COMPONENTS \
    BENCH_SYSFS

all=none,same,smt,llc,cross,spread
folder=$root/tests/fixtures/topology
with=$tmp/with/loop/empty
without=$tmp/without/loop/empty
real=$(allowed_cpus | tr '\n' , | sed 's/,$//')
cpus=$(allowed_cpus | wc -l)
a=${real%%,*}
b=${real##*,}

# build DIR ARGUMENT...: one program of it; what build.sh said is in $tmp/said.
build() {
	(cd "$root" && BUILD=$1 && export BUILD && shift &&
	    ./build.sh "$@" "$BUILD/loop/empty") >"$tmp/said" 2>&1 ||
		fail "$(cat "$tmp/said")"
}

# shape PACKAGES NODES CACHES CORES THREADS LEVEL near|far: the table of a
# machine with so many nodes a package, caches a node, cores a cache, threads
# a core (fixtures/topology/README). LEVEL 0: no cache known. Siblings are
# numbered i, i+1 or i, i+n/THREADS.
shape() {
	awk -v packages="$1" -v nodes="$2" -v caches="$3" -v cores="$4" \
	    -v threads="$5" -v level="$6" -v far="$7" 'BEGIN {
		all = packages * nodes * caches * cores
		for (i = 0; i < all; i++) {
			list = ""
			for (k = 0; k < threads; k++)
				list = list (k ? "," : "") (far == "far" ? \
				    i + k * all : i * threads + k)
			cache = level ":" int(i / cores)
			print list, level ? cache : "-", \
			    int(i / cores / caches / nodes), \
			    int(i / cores / caches), 0
		}
	}'
}

# The columns of a table of CPUs whose numbers are all that is known.
numbers() {
	tr ',' '\n' | sed 's/$/ - 0 0 0/'
}

# counts MOST...: 1 to MOST as arguments of -w, at most 64 values a line.
counts() {
	awk -v most="$1" 'BEGIN {
		for (w = 1; w <= most; w++)
			printf "%d%s", w, w % 64 && w < most ? "," : "\n"
	}'
}

# plans PROGRAM PLACES W,...: what --plan prints of all these, on stdout.
plans() {
	for w in $3; do
		timeout 60 "$1" --plan --place "$2" -w "$w" ||
			echo "exit code $?"
	done
}

# checked TABLE MOST PROGRAM [VARIABLE=VALUE...]: the plan of 1 to MOST workers
# follows the rules.
checked() {
	table=$1 most=$2 program=$3
	shift 3
	for set; do
		shift
		set -- "$@" -v "$set"
	done
	plans "$program" $all "$(counts "$most")" | awk "$@" \
	    -v places=$all -v rows="$most" -f "$root/tests/plan.awk" \
	    "$table" - || fail "see above"
}

# tree DIR TABLE [WITHOUT]: a made-up /sys.
tree() {
	rm -rf "$1"
	awk -v root="$1" -v dirs=1 -v without="${3-}" -f "$folder/tree.awk" \
	    "$2" | xargs mkdir -p
	awk -v root="$1" -v dirs=0 -v without="${3-}" -f "$folder/tree.awk" \
	    "$2"
}

by_synthetic() {
	have_hwloc
	HWLOC_SYNTHETIC=$3
	export HWLOC_SYNTHETIC
	checked "$1" "$2" "$with" simulated=1
}

by_xml() {
	have_hwloc
	awk -f "$folder/xml.awk" "$1" >"$tmp/machine.xml"
	HWLOC_XMLFILE=$tmp/machine.xml
	export HWLOC_XMLFILE
	checked "$1" "$2" "$with" simulated=1
}

by_sysfs() {
	tree "$tmp/sys" "$1" "${3-}"
	BENCH_SYSFS=$tmp/sys
	export BENCH_SYSFS
	checked "$1" "$2" "$without" simulated=1
}

have_hwloc() {
	[ -n "$hwloc" ] || skip "no hwloc to build with"
}

# A kernel that does not tell everything. What it leaves out is left out of
# the table too.
by_less() {
	awk -v without="$2" '!/^#/ {
		if (without == "cache")
			$2 = "-"
		if (without == "node")
			$4 = 0
		if (without == "kind")
			$5 = 0
		print
	}' "$1" >"$tmp/less"
	tree "$tmp/sys" "$1" "$2"
	BENCH_SYSFS=$tmp/sys
	export BENCH_SYSFS
	checked "$tmp/less" 40 "$without" simulated=1
}

# Without topology there are the numbers of the CPUs of this process.
by_numbers() {
	echo "$real" | numbers >"$tmp/numbers"
	tree "$tmp/sys" "$folder/hybrid" topology
	for BENCH_SYSFS in "$tmp/sys" "$tmp/nothing" /dev/null; do
		export BENCH_SYSFS
		checked "$tmp/numbers" 8 "$without" simulated=1 flat=1
		expect 0 "$without" --host
		has "$tmp/out" '^topology: CPU numbers \(simulated\)$'
	done
}

# 2,048 CPUs, the ids of the second threads beyond 1,024. As many workers, and
# more; and it does not take long.
huge() {
	some="1,2,3,300,1023,1024,1025,2047,2048,4096"
	began=$(date +%s)
	plans "$1" $all "$some" | awk -v places=$all -v rows=10 -v simulated=1 \
	    -f "$root/tests/plan.awk" "$tmp/huge" - || fail "see above"
	took=$(($(date +%s) - began))
	[ $took -le 8 ] || fail "it took $took s"
}

huge_synthetic() {
	have_hwloc
	HWLOC_SYNTHETIC='pack:2 numa:4 l3:4 core:32 pu:2(indexes=2*1024:1024*1)'
	export HWLOC_SYNTHETIC
	huge "$with"
}

huge_sysfs() {
	tree "$tmp/sys" "$tmp/huge" thread_siblings_list,inner
	BENCH_SYSFS=$tmp/sys
	export BENCH_SYSFS
	huge "$without"
}

# survives: the plan of a damaged machine is made, in bounded time and memory,
# of CPUs that it has or that this process has.
survives() {
	# shellcheck disable=SC3045 # where there is none, it is not limited
	(
		ulimit -v 1000000 2>/dev/null || :
		BENCH_SYSFS=$tmp/sys
		export BENCH_SYSFS
		timeout 5 "$without" --plan --place $all -w 1,2,9
	) >"$tmp/out" 2>"$tmp/err" || fail "$1: exit code $?: $(cat "$tmp/err")"
	[ ! -s "$tmp/err" ] || fail "$1: $(cat "$tmp/err")"
	awk -v known=",$real,0,1,2,3,4,5,6,7," '
	/^ .* cpu [0-9]/ && index(known, "," $4 ",") == 0 { print; bad = 1 }
	/ \(simulated\)$/ { rows++ }
	END { exit bad || rows != 18 }' "$tmp/out" ||
		fail "$1: $(cat "$tmp/out")"
}

# CPUs that are online have no folder: numbers it is.
damaged_online() {
	shape 1 1 1 4 2 3 near >"$tmp/small"
	tree "$tmp/sys" "$tmp/small"
	online=$tmp/sys/devices/system/cpu/online
	for list in 0-99999999999 -5 '' letters 0- '0-1,' ',0' 5-3 2147483647 \
	    99999999999999999999 0-2147483647 2147483640-2147483647 0,,1 \
	    '0 - 3' 0x3 0-7-9 0-65535 +3 '	1' 7:8 0-7:2/4; do
		echo "$list" >"$online"
		survives "online '$list'"
	done
	printf '0-' >"$online"
	survives 'online, no newline'
	printf '0-7' >"$online"
	survives 'online, cut off'
	(BENCH_SYSFS=$tmp/sys && export BENCH_SYSFS &&
	    checked "$tmp/small" 9 "$without" simulated=1)
	printf '0-\0\0007\n' >"$online"
	survives 'online with NUL'
	head -c 300000 /dev/zero | tr '\0' 9 >"$online"
	survives 'online of 300,000 digits'
	awk 'BEGIN { while (i++ < 100000) printf "0," }' >"$online"
	survives 'online of 100,000 zeros'
	rm "$online"
	survives 'no online'
	mkdir "$online"
	survives 'online is a folder'
}

damaged_files() {
	shape 1 1 1 4 2 3 near >"$tmp/small"
	tree "$tmp/sys" "$tmp/small"
	cpu=$tmp/sys/devices/system/cpu/cpu2
	for name in topology/core_cpus_list topology/physical_package_id \
	    cache/index0/level cache/index3/level \
	    cache/index3/shared_cpu_list cpu_capacity; do
		: >>"$cpu/$name"
		mv "$cpu/$name" "$tmp/whole"
		survives "no $name"
		for content in '' letters -5 99999999999999999999 \
		    -99999999999 4294967296 0-; do
			echo "$content" >"$cpu/$name"
			survives "$name '$content'"
		done
		rm "$cpu/$name"
		mkdir "$cpu/$name"
		survives "$name is a folder"
		rmdir "$cpu/$name"
		mv "$tmp/whole" "$cpu/$name"
	done
	rm -r "$cpu"/node*
	survives 'no node'
	: >"$cpu/node99999999999999999999"
	mkdir "$cpu/node" "$cpu/nodes" "$cpu/node-1" "$cpu/nodex"
	survives 'strange nodes'
	rm -r "$tmp/sys/devices/system/cpu/cpu5"
	survives 'no folder of a CPU'
}

# A file that hwloc cannot read must not crash either; hwloc then falls back
# on this machine by itself.
damaged_xml() {
	have_hwloc
	awk -f "$folder/xml.awk" "$folder/hybrid" | head -n 20 >"$tmp/cut.xml"
	for HWLOC_XMLFILE in "$tmp/cut.xml" "$tmp/no.xml" /dev/null; do
		export HWLOC_XMLFILE
		expect 0 "$with" --plan --place $all -w 1,2,9
	done
	unset HWLOC_XMLFILE
	for HWLOC_SYNTHETIC in letters pu:0 'pack:2 core' 'pu:-1'; do
		export HWLOC_SYNTHETIC
		expect 0 "$with" --plan --place $all -w 1,2,9
	done
}

# Here, all readers tell the same.
agree() {
	have_hwloc
	"$with" --plan --place $all -w 1,2,3,4,5,6,7,8 >"$tmp/one"
	"$without" --plan --place $all -w 1,2,3,4,5,6,7,8 >"$tmp/two"
	expect 0 "$with" --host
	has "$tmp/out" '^topology: hwloc$'
	expect 0 "$without" --host
	grep -q '^topology: sysfs$' "$tmp/out" || skip "/sys does not tell"
	diff "$tmp/one" "$tmp/two"
}

# So do the numbers, where all cores are alike.
agree_numbers() {
	! "$without" --plan --place smt -w 2 | grep -q ' cpu [0-9]' ||
		skip "cores of more than one thread"
	for place in same spread; do
		"$without" --plan --place $place -w 1,2,3,4,5,6,7,8 |
			sed 's/ (.*//; s/: skipped.*//' >"$tmp/one"
		BENCH_SYSFS=$tmp/nothing "$without" --plan --place $place \
		    -w 1,2,3,4,5,6,7,8 |
			sed 's/ (.*//; s/: skipped.*//' >"$tmp/two"
		diff "$tmp/one" "$tmp/two" || fail "$place"
	done
}

# not_pinned PROGRAM: nothing is measured as if it were pinned.
not_pinned() {
	for place in same spread; do
		expect 0 "$1" --bare -n 1000 -s 1 -w 2 --place $place
		has "$tmp/out" '^BenchmarkEmpty(/total=1000)?/workers=2 '
		lacks "$tmp/out" '^Benchmark.*place='
		has "$tmp/out" "^# warn: Empty/.*place=$place/.*simulated"
	done
	expect 0 "$1" --bare -n 1000 -s 1 -w 2 --place none
	lacks "$tmp/out" '^# warn'
	expect 0 "$1" --host
	has "$tmp/out" '^topology: [^(]* \(simulated\)$'
}

not_pinned_hwloc() {
	have_hwloc
	HWLOC_SYNTHETIC='pack:2 core:4 pu:2' not_pinned "$with"
	awk -f "$folder/xml.awk" "$folder/hybrid" >"$tmp/machine.xml"
	HWLOC_XMLFILE=$tmp/machine.xml not_pinned "$with"
	HWLOC_XMLFILE=$tmp/machine.xml expect 0 "$with" --host
	has "$tmp/out" '^kinds: 0-7 \| 8-11$'
}

not_pinned_sysfs() {
	tree "$tmp/sys" "$folder/hybrid"
	BENCH_SYSFS=$tmp/sys not_pinned "$without"
	BENCH_SYSFS=$tmp/sys expect 0 "$without" --host
	has "$tmp/out" '^kinds: 0-7 \| 8-11$'
}

# Explicit ids are those of the simulated machine, and so are the allowed ones
# that an error names.
simulated_list() {
	tree "$tmp/sys" "$folder/gaps"
	BENCH_SYSFS=$tmp/sys
	export BENCH_SYSFS
	expect 0 "$without" --plan -w 4 --place 4095,3,3
	[ "$(on)" = 4095,3,3,4095, ] || fail "$(cat "$tmp/out")"
	refused "$without" --plan --place 3,4
	has "$tmp/err" 'CPU 4 .*allowed: 3,5,7,40,1027,1029,1064,2000-2001,4094'
}

# The CPUs of the last plan.
on() {
	sed -n 's/^  worker .*: cpu \([0-9]*\) .*/\1/p' "$tmp/out" |
		tr '\n' ,
}

# masked PROGRAM: only what is inherited is used.
masked() {
	have taskset || skip "no taskset"
	for only in "$a" "$b"; do
		taskset -c "$only" "$1" --plan --place $all -w 1,2,3 \
		    >"$tmp/out"
		has "$tmp/out" " cpu $only "
		! grep ' cpu [0-9]' "$tmp/out" | grep -v " cpu $only " ||
			fail "not only CPU $only"
		for place in smt llc cross; do
			has "$tmp/out" "=$place/workers=2: skipped: [a-z]"
		done
		has "$tmp/out" '=spread/workers=2: skipped: one CPU allowed$'
		has "$tmp/out" '=spread/workers=1$'
	done
	[ "$cpus" -gt 1 ] || skip "one CPU allowed"
	refused taskset -c "$b" "$1" --plan --place "$a"
	has "$tmp/err" "CPU $a .*allowed: $b\\)"
	refused taskset -c "$b" "$1" --plan --place "$b,$a"
	has "$tmp/err" "CPU $a .*allowed: $b\\)"
}

# listed PROGRAM: in the order given, wrapped, duplicates as they are.
listed() {
	expect 0 "$1" --plan -w 5 --place "$a,$a,$b"
	[ "$(on)" = "$a,$a,$b,$a,$a," ] || fail "$(cat "$tmp/out")"
	has "$tmp/out" '^  worker 1: .*\(the same CPU\)$'
	expect 0 "$1" --plan -w 1 --place "$b,$a"
	[ "$(on)" = "$b," ] || fail "$(cat "$tmp/out")"
	refused "$1" --plan --place "$a,99999"
	has "$tmp/err" 'CPU 99999 .*allowed: '
}

# falls_back NAME [FLAG]: with this hwloc.h in front of all others.
falls_back() {
	mkdir -p "$tmp/fake"
	cat >"$tmp/fake/hwloc.h"
	(CFLAGS="-O0 -I$tmp/fake" && export CFLAGS && build "$tmp/$1")
	has "$tmp/said" '^hwloc +no'
	has "$tmp/$1/config.mk" 'HAVE_HWLOC=0'
	expect 0 "$tmp/$1/loop/empty" --host
	has "$tmp/out" '^topology: (sysfs|CPU numbers)$'
}

no_library() {
	falls_back missing <<-'END'
	#define HWLOC_API_VERSION 0x00020800
	#define hwloc_topology_init no_such_function_init
	typedef struct hwloc_topology *hwloc_topology_t;
	int hwloc_topology_init(hwloc_topology_t *);
	END
}

too_old() {
	falls_back old <<-'END'
	#define HWLOC_API_VERSION 0x00010b00
	typedef struct hwloc_topology *hwloc_topology_t;
	int hwloc_topology_init(hwloc_topology_t *);
	END
	has "$tmp/said" 'before 2\.0'
}

# pkg-config is a help, no need.
no_pkg_config() {
	have_hwloc
	! pkg-config --libs hwloc 2>/dev/null | grep -q -e -L ||
		skip "hwloc is where only pkg-config knows"
	mkdir "$tmp/path"
	printf '#!/bin/sh\nexit 1\n' >"$tmp/path/pkg-config"
	chmod +x "$tmp/path/pkg-config"
	(PATH=$tmp/path:$PATH && build "$tmp/plain")
	has "$tmp/said" '^hwloc +yes'
	expect 0 "$tmp/plain/loop/empty" --host
	has "$tmp/out" '^topology: hwloc$'
}

left_out() {
	build "$tmp/without" --without-hwloc
	has "$tmp/said" '^hwloc +left out$'
	has "$tmp/without/config.mk" 'HAVE_HWLOC=0'
	! grep -aq 'hwloc_topology' "$without" || fail "hwloc is in it"
}

built_in() {
	build "$tmp/with"
	grep -q '^hwloc  *yes' "$tmp/said" || skip "no hwloc to build with"
	has "$tmp/with/config.mk" 'HAVE_HWLOC=1'
}

check 'build.sh: --without-hwloc' left_out
[ -x "$without" ] || exit 1
check 'build.sh: hwloc' built_in
hwloc=
! grep -q 'HAVE_HWLOC=1' "$tmp/with/config.mk" || hwloc=yes
check 'build.sh: hwloc without pkg-config' no_pkg_config
check 'build.sh: a header without its library' no_library
check 'build.sh: hwloc 1.x' too_old

while read -r name synthetic; do
	case $name in
	smt)	shape 2 1 1 4 2 0 near;;
	caches)	shape 2 1 2 4 1 3 near;;
	single)	shape 1 1 1 1 1 0 near;;
	esac >"$tmp/$name"
	check "hwloc: $synthetic" by_synthetic "$tmp/$name" 300 "$synthetic"
	check "sysfs: $synthetic" by_sysfs "$tmp/$name" 300
done <<END
smt pack:2 core:4 pu:2
caches pack:2 l3:2 core:4 pu:1
single pack:1 core:1 pu:1
END
shape 2 1 1 64 2 3 far >"$tmp/2 nodes of 64 cores"
shape 1 2 1 4 2 0 far >"$tmp/2 nodes in a package"
shape 1 1 4 3 2 3 far >"$tmp/4 caches in a node"
shape 1 1 4 1 2 3 near >"$tmp/a cache for each core"
shape 2 4 4 32 2 3 far >"$tmp/huge"
for name in "$tmp/2 nodes of 64 cores" "$folder/hybrid"; do
	check "hwloc: ${name##*/}" by_xml "$name" 300
	check "sysfs: ${name##*/}" by_sysfs "$name" 300
done
for name in "$tmp/2 nodes in a package" "$tmp/4 caches in a node" \
    "$tmp/a cache for each core" "$folder"/[a-z]*; do
	case $name in *.awk|*/hybrid) continue;; esac
	check "hwloc: ${name##*/}" by_xml "$name" 40
	check "sysfs: ${name##*/}" by_sysfs "$name" 40
done
check 'hwloc: 2,048 CPUs' huge_synthetic
check 'sysfs: 2,048 CPUs' huge_sysfs
for less in core_cpus_list cache node kind; do
	check "sysfs: no $less" by_less "$folder/hybrid" "$less"
	check "sysfs: no $less, gaps" by_less "$folder/gaps" "$less"
done
check 'sysfs: no topology' by_numbers
check 'sysfs: damaged list of CPUs' damaged_online
check 'sysfs: damaged files' damaged_files
check 'hwloc: damaged file' damaged_xml
check 'hwloc and sysfs agree here' agree
check 'CPU numbers agree here' agree_numbers
check 'hwloc: simulated, not pinned' not_pinned_hwloc
check 'sysfs: simulated, not pinned' not_pinned_sysfs
check 'a list on a simulated machine' simulated_list
for program in "$with" "$without"; do
	[ -x "$program" ] || continue
	reader=sysfs
	[ "$program" = "$without" ] || reader=hwloc
	check "$reader: the inherited mask" masked "$program"
	check "$reader: a list" listed "$program"
done
