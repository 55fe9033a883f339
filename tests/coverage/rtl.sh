#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of our RTL: everything that the list of runs does not reach is explained, one by one, and nothing
# else is.
#
#   rtl.sh PROGRAM
#
# rtl.txt has the runs, and rtl-unreached.txt the reasons. Other versions of Verilator have other points: then the
# status is 77 (skipped).
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

jq -r '.all | "\(.line.covered) of \(.line.all) lines, \(.branch.covered) of \(.branch.all) branches, " +
    "\(.user.covered) of \(.user.all) user points"' "$work/reached/summary.json"
jq -e '.all | .line.all > 100 and .branch.all > 50 and .user.all > 100' "$work/reached/summary.json" >/dev/null ||
    echo 'there are far fewer points than expected' >>"$work/wrong"
if [ -s "$work/wrong" ]; then
    sed 's/^/FAIL: /' "$work/wrong" >&2
    exit 1
fi
