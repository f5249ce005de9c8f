#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the programs in rounds, keeps every record, prints the tables.
set -euf
export LC_ALL=C
unset CDPATH

# sizes (q quick, d default, f full), ms a process takes if its samples do not
# tell (-), program, arguments. A list stands for a row each.
matrix() {
	cat <<'EOF'
qdf - loop/empty         -w 1
qdf - loop/register      -w 1
qdf - loop/memory        -w 1
 df - loop/cell          -w 1
 df - loop/dict          -w 1
 df - loop/nosuspend     -w 1
qdf - loop/atomic        -w 1 --place same
qdf - loop/atomic        -w 2 --place smt,llc,cross
 df 200 loop/atomic      -w 2 --place same
  f - loop/register      -w 2 --place spread
  f - loop/memory        -w 2 --place spread

qdf - gen/call           --as direct,pointer
qdf - gen/status         -w 1
qdf - gen/stop_iteration -w 1
qdf - gen/longjmp        -w 1
 df - gen/delegate       -w 1,4,16,64
 df - gen/stackful       -w 1,64
 df - gen/status         -w 4096
 df - gen/stop_iteration -w 4096
  f - gen/delegate       -w 2,8,32
  f - gen/status         -w 32,1000000
  f - gen/stop_iteration -w 32,1000000
  f - gen/longjmp        -w 32,4096

qdf - switch/syscall     --as bare,wake,wait,mask
qdf - switch/raw         -w 2,128
qdf - switch/ucontext    -w 2
qdf - switch/eventloop   -w 2
 df - switch/eventloop   -w 32,128,512,4096
 df - switch/greenlet    -w 2,32,512
 df - switch/raw         -w 32,512,4096
 df - switch/ucontext    -w 32,128,512,4096
  f - switch/raw         -w 100000
  f - switch/ucontext    -w 100000
  f - switch/greenlet    -w 100000
 df - switch/raw         -w 128 --stack 8192
 df - switch/spawn       --as thread,process,context,generator

qdf - switch/spin        --as thread -w 2 --place smt,llc,cross
  f - switch/spin        --as process -w 2 --place llc

qdf 120 switch/mutex     --as thread -w 2 --place same
qdf - switch/mutex       --as thread -w 2 --place smt,llc,cross
 df 200 switch/mutex     --as process -w 2 --place same
 df - switch/mutex       --as process -w 2 --place llc
 df 1000 switch/mutex    --as thread -w 8 --place same -s 1
 df 600 switch/mutex     --as thread -w 8 --place spread -s 1
 df - switch/mutex       --as thread -w 2 --place none
  f 3000 switch/mutex    --as thread -w 32,64 --place spread -s 1
qdf 120 switch/mutex     --as thread -w 2,32 -n 2000000 --place none -s 1
 df 160 switch/mutex     --as thread -w 4,8,16 -n 2000000 --place none -s 1
 df 160 switch/mutex     --as thread -w 64,512 -n 2000000 --place none -s 1

qdf - switch/futex       --as thread -w 2 --place same,smt,llc,cross
qdf - switch/futex       --as process -w 2 --place same
 df - switch/futex       --as thread -w 2 --place none
 df - switch/futex       --as process -w 2 --place llc
 df - switch/futex       --as thread -w 8,32,64 --place same
 df 120 switch/futex     --as thread -w 512 --place same -s 1
 df - switch/futex       --as thread -w 8 --place spread
  f - switch/futex       --as thread -w 4,16 --place same
  f 9000 switch/futex    --as thread -w 4096 --place same -s 1

 df - switch/pipe        --as thread -w 2 --place same,smt,llc,cross
 df - switch/pipe        --as process -w 2 --place same
 df - switch/condvar     --as thread -w 2 --place same,smt,llc,cross
 df - switch/condvar     --as process -w 2 --place same
 df - switch/yield       --as thread -w 2 --place same
  f - switch/yield       --as thread -w 8 --place same

qdf - switch/wake        --as thread -w 2 --place same
 df - switch/wake        --as thread -w 2 --place llc
 df - switch/wake        --as thread -w 32 --place same
 df - switch/wake        --as process -w 2 --place same

 df 250 switch/gil       -w 2 --place spread -s 1
 df 60 switch/gil        -w 2,32,512 -n 2000000 --place none -s 1
  f 2000 switch/gil      -w 8,32 --place spread -s 1

 df 40 switch/fetch --as thread,process,coroutine -w 5,10,15 --pages 50,100,200 --place none -s 1
  f 300 switch/fetch --as thread,process,coroutine -w 5,15 --pages 200 --delay 20000000 --place none -s 1
  f 300 switch/fetch --as thread,process,coroutine -w 50,200 --pages 1000 --place none -s 1
 df 60 switch/rows --as thread,process,greenlet,callback -w 15,120,350 --rows 4200 --place none -s 1
 df 30 switch/rows --as thread,process,greenlet,callback -w 120 --rows 36000 --batch 100 --place none -s 1
 df 50 switch/rows --as thread,callback -w 120 --rows 1200 --work 1000,10000,100000 --place none -s 1
  f 60 switch/rows --as process,greenlet -w 120 --rows 1200 --work 1000,10000,100000 --place none -s 1
  f 400 switch/rows --as thread,process,greenlet,callback -w 15,120,350 --rows 4200 --delay 1000000 --place none -s 1
EOF
}

usage() {
	cat <<'EOF'
usage: ./run_all.sh [options] > tables.md

  ./run_all.sh                     about 90 s: tables on stdout, in Markdown
  ./run_all.sh --quick             about 15 s (--full: more rows, long samples)
  ./run_all.sh --only 'switch/*'   some of the programs (mutex, gen/*)
  taskset -c 2,3 ./run_all.sh      on these CPUs only
  ./run_all.sh --list              the runs in results/, and what they hold
  ./run_all.sh --from FILE         the tables of one of them again

  --workers LIST     worker counts, in place of the matrix's
  --place LIST       none, same, smt, llc, cross, spread, in place of its own
  --rounds N         processes a row (6; 12 with --full; an interval takes 6)
  --seed N           of the order in which rows run
  --out FILE         where the records go (default results/TIME-HOST.txt)
  --format FORMAT    md, text or tex; csv or json: the figures alone
  --plots DIR        five pictures, too, as SVG (build/report/plot -h)
  --ab BUILD BUILD   measure two builds side by side and compare them
  --plan             print the rows and the estimated seconds, run nothing

Set BUILD when the programs are not in build/. Exit code: 0 done (rows that
cannot run here are skipped, with the reason), 1 a program failed, 2 usage,
130 or 143 interrupted: the tables of what was measured are printed even so.
EOF
}

die() {
	echo "run_all.sh: $2" >&2
	exit "$1"
}

# Progress goes to a terminal only, and there on one line.
progress() {
	[ "$live" = no ] ||
		printf '\r%*s\r%.*s' "$width" '' "$width" "$1" >&2
}

# Told before anything is measured.
plots_folder() {
	[ -z "$other" ] || die 2 "--plots: not with --ab"
	{ mkdir -p -- "$plots" && [ -w "$plots" ]; } 2>/dev/null ||
		die 1 "$plots: cannot write pictures there"
}

# A run that holds nothing for a picture has been told so.
pictures() {
	code=0
	"$build/report/plot" -o "$plots" -- "$out" || code=$?
	[ "$code" = 0 ] || [ "$code" = 77 ] || failed=1
}

tables() {
	progress ''
	if [ -n "$other" ]; then
		"$build/report/compare" --format "$format" -- "$out" "$out.b"
	else
		"$build/report/table" --format "$format" -- "$out"
		[ -z "$plots" ] || pictures
		# Of a part of the rows most claims would be "not measured";
		# csv and json are one document.
		case $format in
		csv|json) return;;
		esac
		[ -n "$only" ] || grep -q '^# only: ' "$out" ||
			"$build/report/claims" -f "$format" \
			    -c "$here/report/published.claims" -- "$out"
	fi
}

# note FILE LINE: ours, among the records. What a program was killed in the
# middle of must not spoil it.
note() {
	if [ -n "$(tail -c 1 "$1")" ]; then
		set -- "$1" "
$2"
	fi
	(printf '%s\n' "$2" >>"$1") 2>/dev/null || {
		tables || :
		die 1 "$1: cannot write to it"
	}
}

# Asks us, now and then, to look whether the program still does anything. A
# subshell in the background: it ends with us, and its sleep with it.
watch() {
	trap '' INT HUP         # bash would end in its wait
	trap 'kill "$!"; exit' TERM
	while kill -0 $$; do
		sleep "$patience" &
		wait "$!"
		kill -USR1 $$
	done
}

# Our programs end themselves when they hang; this is for those that do not.
look() {
	now="$! $(wc -c <"$out")${other:+ $(wc -c <"$out.b")}"
	looked=yes
	if [ "$!" != "$reaped" ] && [ "$now" = "$seen" ]; then
		hung=yes
		kill -KILL "$!" 2>/dev/null || :
	fi
	seen=$now
}

# Ends the child that runs, prints what there is. A second signal ends us.
interrupted() {
	trap - INT TERM HUP
	trap '' USR1
	kill "$watcher" 2>/dev/null || :
	if [ "$!" != "$reaped" ]; then
		# One that was stopped gets the first only with the second.
		kill -TERM "$!" 2>/dev/null || :
		kill -CONT "$!" 2>/dev/null || :
		wait "$!" 2>/dev/null || :
	fi
	note "$out" "# interrupted: $2"
	tables || :
	echo "run_all.sh: interrupted; the records are in $out" >&2
	exit "$1"
}

here=$(dirname "$0")
build=${BUILD:-$here/build}
format=md out='' size=default only='' workers='' place='' rounds='' plan=''
seed=$(date +%s) live=no failed=0 other='' code=0 list='' from=''
looked=no seen='' patience=${PATIENCE:-120}
plots=''
date=$(date -u +%Y-%m-%dT%H:%M:%SZ)

while [ $# -gt 0 ]; do
	case $1 in
	--quick|--full) size=${1#--};;
	--only|--workers|--place|--rounds|--seed|--out|--format|--from|\
	--plots)
		[ $# -gt 1 ] || die 2 "$1: needs a value; see --help"
		[ -n "$2" ] || die 2 "$1: '': empty; see --help"
		case $1 in
		--only) only=$2;;
		--workers) workers=$2;;
		--place) place=$2;;
		--rounds) rounds=$2;;
		--seed) seed=$2;;
		--out) out=$2;;
		--format) format=$2;;
		--from) from=$2;;
		--plots) plots=$2;;
		esac
		shift;;
	--ab)
		[ $# -gt 2 ] ||
			die 2 "--ab: needs two build folders; see --help"
		build=$2 other=$3
		shift 2;;
	--plan) plan=--plan;;
	--list) list=yes;;
	-h|--help) usage; exit 0;;
	*) die 2 "'$1': no such option; see --help";;
	esac
	shift
done

case $patience in
*[!0-9]*|0*|????????*) die 2 "PATIENCE: '$patience': not a number of seconds";;
esac
for dir in "$build" ${other:+"$other"}; do
	[ -x "$dir/report/next" ] ||
		die 1 "$dir: not built; run ./build.sh first"
done
build=$(cd "$build" && pwd)
other=${other:+$(cd "$other" && pwd)}
case $format in
md|text|csv|json|tex) ;;
*) die 2 "--format: '$format': not one of md, text, csv, json, tex";;
esac

if [ -n "$list" ]; then
	set +f
	set -- "$here"/results/*.txt
	[ -e "$1" ] || die 2 "$here/results: no runs there"
	"$build/report/table" --list -- "$@"
	exit 0
fi
if [ -n "$from" ]; then
	[ -f "$from" ] || die 2 "--from: '$from': no such file; see --list"
	out=$from
	[ -z "$plots" ] || plots_folder
	tables
	exit "$failed"
fi

# The programs themselves say what is wrong with a placement.
"$build/loop/empty" ${place:+--place "$place"} --plan >/dev/null

# What the machine has not takes no time; its rows are run once, to say why.
lacks=$("$build/loop/empty" -w 2 --place smt,llc,cross,spread --plan |
	sed -n 's/.*place=\([a-z]*\).*: skipped.*/\1/p' | tr '\n' ,)

# next ROUND: the commands of one round, or the plan.
next() {
	matrix | "$build/report/next" --size "$size" --round "$1" \
	    --seed "$seed" ${rounds:+--rounds "$rounds"} \
	    ${only:+--only "$only"} ${workers:+--workers "$workers"} \
	    ${place:+--place "$place"} ${lacks:+--lacks "$lacks"} \
	    ${out:+--results "$out"} $plan
}

todo=$(next 1)
if [ -n "$plan" ]; then
	printf '%s\n' "$todo"
	exit 0
fi

if [ -z "$out" ]; then
	mkdir -p "$here/results" 2>/dev/null ||
		die 1 "no place for the records; see --out"
	out=$here/results/$(date -u +%Y%m%dT%H%M%SZ)-$(uname -n).txt
fi
for file in "$out" ${other:+"$out.b"}; do
	[ ! -s "$file" ] || die 2 "$file: exists; give another --out"
done
[ -z "$plots" ] || plots_folder
version=$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)

[ ! -t 2 ] || [ "${TERM-dumb}" = dumb ] || live=yes
width=$(stty size <&2 2>/dev/null) || width=
width=${width#* }
[ "$width" -gt 1 ] 2>/dev/null && [ "$width" -lt 80 ] || width=80
width=$((width - 2))
(: >"$out") 2>/dev/null || die 1 "$out: cannot write the records there"
watch </dev/null >/dev/null 2>&1 &
watcher=$! reaped=$!
trap 'kill "$watcher" 2>/dev/null || :' EXIT
trap look USR1
trap 'interrupted 130 INT' INT
trap 'interrupted 143 TERM' TERM
trap 'interrupted 129 HUP' HUP

# run FILE COMMAND...: one process; what it prints goes to the file, how it
# ended to $code. A child of a shell ignores INT, and the shell's traps wait for
# a child in the foreground: so in the background, and wait.
run() {
	file=$1 code=0 hung=no
	shift
	"$@" >>"$file" </dev/null &
	wait "$!" 2>/dev/null || code=$?
	# A look ends a wait; one that came after it found nothing to wait for.
	while [ $looked = yes ]; do
		looked=no again=0
		wait "$!" 2>/dev/null || again=$?
		[ $again = 127 ] || code=$again
	done
	reaped=$!
	why="exit code $code"
	[ $hung = no ] || why="it hung: nothing written in $patience s"
}

# header BUILD FILE: what comes before the records.
header() {
	run "$2" "$1/loop/empty" --host
	case $code in
	0)	;;
	1)	exit 1;;        # it has said why
	*)	die 1 "$1/loop/empty --host: $why";;
	esac
	while read -r program; do
		[ -x "$1/$program" ] || continue
		run "$2" "$1/$program" --about
		[ $code = 0 ] || note "$2" "# warn: $program --about: $why"
	done <<EOF
$(matrix | while read -r _ _ program _; do
	[ -z "$program" ] || echo "$program"
done | uniq)
EOF
	note "$2" "# date: $date"
	note "$2" "# host: $(uname -n)"
	note "$2" "# version: $version"
	note "$2" "# size: $size"
	note "$2" "# seed: $seed"
	[ -z "$only" ] || note "$2" "# only: $only"
	[ -z "$other" ] || note "$2" "# pair: $date $seed"
	[ ! -r /proc/loadavg ] || note "$2" "# load: $(cat /proc/loadavg)"
}

header "$build" "$out"
[ -z "$other" ] || header "$other" "$out.b"

# measure BUILD FILE KEY COMMAND: one row.
measure() {
	if [ ! -x "$1/${4%% *}" ]; then
		[ "$round" -gt 1 ] || note "$2" "# warn: ${4%% *}: not built"
		failed=1
		return
	fi
	note "$2" "# run: $3"
	# shellcheck disable=SC2086 # a command is words
	run "$2" "$1"/$4
	case $code in
	0|77) ;;
	*)	# A worker count that is not for this program is the caller's.
		[ "$code" = 2 ] && [ -n "$workers" ] || failed=1
		[ "$code" = 1 ] || note "$2" "# warn: $3: $why";;
	esac
}

tab=$(printf '\t')
round=1
while [ -n "$todo" ]; do
	while IFS=$tab read -r left first key command; do
		progress "round $round, $left s left: $key"
		if [ -z "$other" ]; then
			measure "$build" "$out" "$key" "$command"
		elif [ "$first" = a ]; then
			measure "$build" "$out" "$key" "$command"
			measure "$other" "$out.b" "$key" "$command"
		else
			measure "$other" "$out.b" "$key" "$command"
			measure "$build" "$out" "$key" "$command"
		fi
	done <<EOF
$todo
EOF
	round=$((round + 1))
	todo=$(next "$round")
done

tables
exit "$failed"
