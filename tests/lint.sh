#!/bin/sh
# SPDX-License-Identifier: MIT
# make lint: what a reader or another compiler would stumble over. A tool that
# is missing is told as skipped.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes'

# sources PATTERN...: ours, whose names have no blanks.
sources() {
	for pattern in "$@"; do
		find ./*.sh bench switch gen loop report tests/ -name "$pattern"
	done | sort
}

shell() {
	have shellcheck || skip "no shellcheck"
	# SC2317: what a trap calls is no dead code.
	set -- ./*.sh tests/*.sh
	[ ! -f .ci/run ] || set -- "$@" .ci/run
	shellcheck -x -P tests -e SC2317 "$@"
}

cpp() {
	have cppcheck || skip "no cppcheck"
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
	    --enable=warning,portability,performance \
	    --suppress=missingIncludeSystem \
	    '-D_Noreturn=__attribute__((noreturn))' -D__linux__ -D__x86_64__ \
	    -D__GNUC__=12 -DHAVE_FUTEX=1 -DHAVE_AFFINITY=1 -DHAVE_UCONTEXT=1 \
	    -Ibench bench switch gen loop report tests
}

# Twice: with all that can be had, and with all of it forced off.
compiles() {
	have "$1" || skip "no $1"
	for off in '' "$(probes_off)"; do
		for file in $(sources '*.c'); do
			# shellcheck disable=SC2086
			"$1" -std=c11 -O2 -pthread -Ibench $warnings -Werror \
			    $off -fsyntax-only "$file"
		done
	done
}

# Tabs count eight. A line of the matrix is one line.
width() {
	for file in $(sources '*.[ch]' '*.sh' '*.awk') Makefile; do
		sed '/^matrix() {/,/^EOF/d' "$file" | expand |
			awk -v file="$file" 'length > 80 {
				print file ": wider than 80: " $0
				bad = 1
			}
			END { exit bad }' || wide=yes
	done
	[ -z "${wide-}" ] || exit 1
}

tidy() {
	for file in $(sources '*.[ch]' '*.sh' '*.awk') Makefile; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' ||
			untidy="${untidy-} $file:no-SPDX"
		! grep -q '[ 	]$' "$file" ||
			untidy="${untidy-} $file:blank-at-end-of-line"
	done
	[ -z "${untidy-}" ] || fail "$untidy"
}

# A program is read top to bottom at one sitting.
length() {
	for file in switch/*.c gen/*.c loop/*.c; do
		lines=$(wc -l <"$file")
		[ "$lines" -ge 40 ] && [ "$lines" -le 140 ] ||
			long="${long-} $file:$lines"
	done
	[ -z "${long-}" ] || fail "not 40 to 140 lines:$long"
}

cd "$root"
# So that the total comes last, as in make check.
TALLY=$tmp/tally
check shellcheck shell
check cppcheck cpp
check gcc compiles gcc
check clang compiles clang
check 'at most 80 columns' width
check 'SPDX lines, no blanks at the end' tidy
check 'length of programs' length

count() {
	grep -c "^$1\$" "$TALLY" || :
}
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
