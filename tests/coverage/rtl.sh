#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of our RTL: everything that the list of runs does not reach is explained, one by one, and nothing
# else is.
#
#   rtl.sh PROGRAM [--update]
#
# rtl.txt has the runs, rtl-unreached.txt the reasons, and rtl-figures.txt, which --update writes, the figures
# of the last time. Other versions of Verilator have other points: then the status is 77 (skipped).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
version='Verilator 5.006'
case $("${VERILATOR:-verilator}" --version) in
"$version "*) ;;
*) echo "skipped: the reasons are for the points of $version"; exit 77 ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-coverage.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The load is meant to be too high, so that no steady state (status 3) is right.
status=0
"$program" run --from "$here/rtl.txt" --coverage "$work/reached" --no-toggle --no-failure-wave \
    >"$work/log" 2>&1 || status=$?
if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
    echo "FAIL: status $status of the runs" >&2
    cat "$work/log" >&2
    exit 1
fi
# FILE:LINE KIND NAME, as in the reasons.
jq -r '.uncovered[] | "\(.file | sub(".*/rtl/"; "rtl/")):\(.line) \(.kind) \(.name)" | sub(" *$"; "")' \
    "$work/reached/summary.json" | sort >"$work/seen"

# A reason is a comment, and holds up to an empty line.
reasons=$here/rtl-unreached.txt
grep -v -e '^#' -e '^$' "$reasons" | sort >"$work/known" || :
{
    awk '/^#/ { reason = 1; next } /^$/ { reason = 0; next } !reason { print "no reason: " $0 }' "$reasons"
    comm -23 "$work/seen" "$work/known" | sed 's/^/not reached, and no reason is given: /'
    comm -13 "$work/seen" "$work/known" | sed 's/^/a reason is given, but it is reached or does not exist: /'
} >"$work/wrong"

jq -r --arg version "$version" --argjson known "$(wc -l <"$work/known")" '
    def row(name): "\(.line.covered // 0) of \(.line.all // 0) lines, \(.branch.covered // 0) of \(.branch.all // 0) " +
        "branches, \(.user.covered // 0) of \(.user.all // 0) user points: \(name)";
    (.files[] | (.file | sub(".*/rtl/"; "rtl/")) as $f | row($f)), (.all | row("all")),
    "\($known) of those not reached are explained; \($version)"' \
    "$work/reached/summary.json" >"$work/figures"
cat "$work/figures"
[ "${2-}" != --update ] || cp "$work/figures" "$here/rtl-figures.txt"
diff "$here/rtl-figures.txt" "$work/figures" | sed 's/^/the figures have changed (rtl.sh ... --update): /' >>"$work/wrong"
if [ -s "$work/wrong" ]; then
    sed 's/^/FAIL: /' "$work/wrong" >&2
    exit 1
fi
