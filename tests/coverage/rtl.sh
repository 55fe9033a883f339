#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of our RTL: everything that a list of runs does not reach is explained, one by one, and nothing
# else is.
#
#   rtl.sh PROGRAM LIST UNREACHED [FIGURES]
#
# UNREACHED: lines FILE:LINE KIND NAME, each behind a line "# reason". A list of some of the runs has no
# such file ("-"): then only the results of the runs count. FIGURES: where the last line is written.
set -eu
program=$(realpath "$1")
list=$(realpath "$2")
unreached=$3
[ "$unreached" = - ] || unreached=$(realpath "$unreached")
figures=${4:+$(realpath "$4")}
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-coverage.XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0

# The load is meant to be too high, so that no steady state (status 3) is right.
status=0
"$program" run --from "$list" --coverage "$work/reached" --no-toggle --no-failure-wave >"$work/log" 2>&1 || status=$?
if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
    echo "FAIL: status $status of the runs" >&2
    grep -E 'FAIL|ecube:' "$work/log" >&2 || cat "$work/log" >&2
    exit 1
fi
jq -r '.uncovered[] | "\(.file | sub(".*/rtl/"; "rtl/")):\(.line) \(.kind) \(.name)" | sub(" *$"; "")' \
    "$work/reached/summary.json" | sort >"$work/seen"

[ "$unreached" != - ] || { tail -n 1 "$work/log"; exit 0; }

# A reason, and what it is given for.
awk '/^#/ { reason = 1; next } /^$/ { reason = 0; next } !reason { print "no reason: " $0 }' "$unreached" >"$work/bare"
grep -v '^#' "$unreached" | grep -v '^$' | sed 's/ *$//' | sort >"$work/known" || :
comm -23 "$work/seen" "$work/known" | sed 's/^/not reached, and no reason given: /' >"$work/wrong"
comm -13 "$work/seen" "$work/known" | sed 's/^/a reason is given, but it is reached, or is not there: /' >>"$work/wrong"
cat "$work/bare" >>"$work/wrong"
if [ -s "$work/wrong" ]; then
    sed 's/^/FAIL: /' "$work/wrong" >&2
    bad=1
fi

summary=$(jq -r --argjson known "$(wc -l <"$work/known")" '.all |
    "lines \(.line.covered) of \(.line.all), branches \(.branch.covered) of \(.branch.all), " +
    "user points \(.user.covered) of \(.user.all); \($known) explained"' "$work/reached/summary.json")
echo "$summary"
[ -z "$figures" ] || echo "$summary" >"$figures"
exit "$bad"
