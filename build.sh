#!/bin/sh
# SPDX-License-Identifier: MIT
# Finds out by linking what this system has, prints it, and runs make.
set -eu
export LC_ALL=C
unset CDPATH

usage() {
	cat <<'EOF'
usage: ./build.sh [make arguments]

  ./build.sh                      build into build/
  CC=clang ./build.sh             with another compiler
  CFLAGS='-O3 -flto' ./build.sh   with other flags (default -O2)
  BUILD=/tmp/b ./build.sh         somewhere else
  ./build.sh --without-hwloc      read the topology from /sys even so

Then: ./run_all.sh
EOF
}

hwloc=yes
case "${1-}" in
-h|--help)
	usage
	exit 0;;
--without-hwloc)
	hwloc=no
	shift;;
esac

cd "$(dirname "$0")"
: "${CC:=cc}" "${CFLAGS:=-O2}" "${BUILD:=build}"
export CC CFLAGS BUILD
mkdir -p "$BUILD"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# probe NAME WHAT [FLAGS LIBS]: does the program on stdin link? Adds
# -DHAVE_NAME=1 or =0, and returns which.
probes=
probe() {
	cat >"$work/probe.c"
	# shellcheck disable=SC2086 # flags are words
	if $CC -std=c11 -pthread $CFLAGS ${3-} -o "$work/probe" \
	    "$work/probe.c" ${LDFLAGS-} ${4-} >"$work/log" 2>&1; then
		printf '%-12s yes\n' "$2"
		probes="$probes -DHAVE_$1=1"
	else
		printf '%-12s no\n' "$2"
		probes="$probes -DHAVE_$1=0"
		return 1
	fi
}

if ! command -v make >/dev/null; then
	echo "build.sh: make: not found; install it, or compile by hand" \
	    "(README.md)" >&2
	exit 1
fi
echo 'int main(void) { return 0; }' >"$work/probe.c"
# shellcheck disable=SC2086
if ! $CC $CFLAGS -o "$work/probe" "$work/probe.c" >"$work/log" 2>&1; then
	echo "build.sh: $CC $CFLAGS: cannot compile a C program:" \
	    "$(head -n 1 "$work/log")" >&2
	exit 1
fi
printf '%-12s %s\n' compiler "$($CC --version 2>/dev/null | head -n 1)"

probe FUTEX futex <<'EOF' || :
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif
int main(void)
{
	int word = 0;
	return (int)syscall(SYS_futex, &word, 129, 1, 0, 0, 0);
}
EOF

probe AFFINITY affinity <<'EOF' || :
#define _GNU_SOURCE
#include <sched.h>
int main(void)
{
	cpu_set_t *set = CPU_ALLOC(4096);
	return sched_getaffinity(0, CPU_ALLOC_SIZE(4096), set) +
		sched_getcpu() < -1;
}
EOF

probe EPOLL epoll <<'EOF' || :
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/timerfd.h>
int main(void)
{
	return epoll_create1(EPOLL_CLOEXEC) +
		timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
}
EOF

probe UCONTEXT ucontext <<'EOF' || :
#define _GNU_SOURCE
#include <ucontext.h>
static ucontext_t a, b;
static void f(void) { }
int main(void)
{
	makecontext(&b, f, 0);
	return swapcontext(&a, &b);
}
EOF

# hwloc is optional: a header without its library, or an hwloc before 2.0,
# counts as none.
hwloc_cflags='' hwloc_libs=''
if [ "$hwloc" = yes ]; then
	hwloc_cflags=$(pkg-config --cflags hwloc 2>/dev/null || :)
	hwloc_libs=$(pkg-config --libs hwloc 2>/dev/null || echo -lhwloc)
	probe HWLOC hwloc "$hwloc_cflags" "$hwloc_libs" <<'EOF' || hwloc=no
#include <hwloc.h>
#if HWLOC_API_VERSION < 0x00020000
#error "hwloc before 2.0"
#endif
int main(void)
{
	hwloc_topology_t t;
	return hwloc_topology_init(&t);
}
EOF
	if grep -q 'before 2.0' "$work/log"; then
		echo '             (an hwloc before 2.0 is too old; using /sys)'
	elif [ "$hwloc" = no ]; then
		echo '             (using /sys)'
	fi
else
	printf '%-12s left out\n' hwloc
	probes="$probes -DHAVE_HWLOC=0"
fi
[ "$hwloc" = yes ] || { hwloc_cflags='' hwloc_libs=''; }

# What is set on make's command line or in its environment still wins.
cat >"$work/config.mk" <<EOF
ifeq (\$(origin CC),default)
CC = $CC
endif
CFLAGS ?= $CFLAGS
PROBES =$probes
HWLOC_CFLAGS = $hwloc_cflags
HWLOC_LIBS = $hwloc_libs
EOF
cmp -s "$work/config.mk" "$BUILD/config.mk" ||
	cp "$work/config.mk" "$BUILD/config.mk"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
make -s -j "$jobs" "$@"
now=./run_all.sh
[ "$BUILD" = build ] || now="BUILD=$(cd "$BUILD" && pwd) $now"
echo "built in $BUILD; now: $now"
