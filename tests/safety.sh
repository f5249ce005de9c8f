#!/bin/sh
# SPDX-License-Identifier: MIT
# What must not be in the sources: formats that come from elsewhere, commands
# made of what was read, privileges, temporary files whose names can be guessed.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

# Ours, tests apart.
sources=$(cd "$root" && find bench switch gen loop report -name '*.[ch]')

# formats COMPILER
formats() {
	have "$1" || skip "no $1"
	for file in $(printf '%s\n' "$sources" | grep 'c$'); do
		"$1" -std=c11 -O2 -pthread -Ibench -Wformat -Wformat-security \
		    -Wformat-nonliteral -Werror -fsyntax-only "$file"
	done
	# What is looked for is found.
	cat >"$tmp/bad.c" <<-END
	#include <stdio.h>
	int main(int argc, char **argv) { return printf(argv[argc - 1]); }
	END
	! "$1" -Wformat -Wformat-security -Wformat-nonliteral -Werror \
	    -fsyntax-only "$tmp/bad.c" 2>/dev/null || fail 'not found'
}

# none PATTERN FILE...: no line of these, comments apart, matches.
none() {
	pattern=$1
	shift
	! grep -nE "$pattern" "$@" | grep -vE '^[^:]*:[0-9]*:[ 	]*(#|/?\*)' ||
		fail 'see above'
}

commands() {
	none '\<eval\>|sh -c|\| *sh\>|`|\<source\>' ./*.sh
	# shellcheck disable=SC2086 # names without blanks
	none '\<(system|popen|wordexp)\(|/bin/sh' $sources
}

privileges() {
	# shellcheck disable=SC2086
	none '\<set(res?|e)?[ug]id\(|setgroups|chmod.*[1-7][0-7]{3}' \
	    ./*.sh Makefile $sources
	set -- "$(find "$root" "$BUILD" -type f -perm /6000 2>/dev/null)"
	[ -z "$1" ] || fail "setuid: $1"
}

# Nobody else can talk to a server of ours.
local_only() {
	# shellcheck disable=SC2086
	none 'INADDR_ANY|in6addr_any|0\.0\.0\.0' $sources
}

temporary() {
	# shellcheck disable=SC2086
	none '(tmpnam|tempnam|[^a-z]mktemp)\(|/tmp' $sources
	none '> *"?/tmp/|\$\$\.' build.sh run_all.sh
	# mktemp's are removed.
	mkdir "$tmp/temporary"
	TMPDIR=$tmp/temporary BUILD=$tmp/built expect 0 ./build.sh \
	    loop=unused "$tmp/built/loop/empty"
	[ -z "$(ls "$tmp/temporary")" ] || fail "$(ls "$tmp/temporary")"
}

cd "$root"
check 'formats are literal, gcc' formats gcc
check 'formats are literal, clang' formats clang
check 'no command is made of data' commands
check 'no privileges' privileges
check 'servers are for this machine' local_only
check 'no temporary file with a name of its own' temporary
