#!/bin/sh
# SPDX-License-Identifier: MIT
# The hand-written switch keeps what the ABI says, at each optimisation.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

keeps() {
	# shellcheck disable=SC2086
	$CC -std=c11 "$1" -pthread -I"$root/bench" "$root/tests/raw_abi.c" \
	    "$root/bench/util.c" -o "$tmp/raw_abi"
	"$tmp/raw_abi"
}

for level in -O0 -O2 -O3; do
	check "raw_switch at $level" keeps $level
done
