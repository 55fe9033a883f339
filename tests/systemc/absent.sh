#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Without its module the backend systemc is refused in one clear line, and nothing else needs it.
#
#   absent.sh PROGRAM
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-absent.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

cp "$1" "$work/ecube" # outside of the build tree, so that its module is not found
status=0
"$work/ecube" run cube:3 shift:q=1 --backend systemc >"$work/out" 2>"$work/err" || status=$?
[ "$status" -eq 5 ] || fail "status $status"
[ ! -s "$work/out" ] || fail "output: $(cat "$work/out")"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line: $(cat "$work/err")"
grep -q 'libsystemc-dev' "$work/err" || fail "the line is: $(cat "$work/err")"
! ldd "$1" | grep -q systemc || fail "the program links SystemC"
echo "PASS: $(cat "$work/err")"
