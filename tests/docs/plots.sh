#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The plots of docs/RESULTS.md and COLLECTIVES are drawn from the tables they show (which commands.sh checks), those of
# sweeps from the stored CSV (which sweeps.sh checks): redrawn, they are the same to the byte. Another version of gnuplot
# than the one that drew them may write other coordinates; then each plot must have as many points of each shape.
#
#   plots.sh PROGRAM
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program

# draw NAME: docs/results/NAME.svg again, into the scratch folder. In routing/ a plot has the curves of one pattern, NETWORK-PATTERN.
draw() {
    if [ -e "docs/results/routing/${1%-*}.csv" ]; then
        grep -E "^variant|=${1##*-}," "docs/results/routing/${1%-*}.csv" >"$work/$1.csv"
        ecube sweep --from "$work/$1.csv" --plot "$work/$1.svg"
    elif [ -e "docs/results/$1.csv" ]; then
        ecube sweep --from "docs/results/$1.csv" --plot "$work/$1.svg"
    else
        gnuplot "docs/results/$1.gp" >"$work/$1.svg"
    fi
}

# How many points of each shape (white ones only hide lines behind them), and the version that drew them.
points() { sed '/FFFFFF/d' "$1" | grep -o "use xlink:href='#gpPt[0-9]*'" | sort | uniq -c; }
author() { grep -o 'GNUPLOT [0-9].*[0-9a-z]' "$1" | head -n 1; }

bad=0
count=0
for stored in docs/results/*.svg docs/results/routing/*.svg; do
    name=$(basename "$stored" .svg)
    count=$((count + 1))
    if ! draw "$name" 2>"$work/log" || [ -s "$work/log" ]; then
        cat "$work/log" >&2
        echo "FAIL: gnuplot complains about $name" >&2
        bad=1
        continue
    fi
    points "$stored" >"$work/want"
    points "$work/$name.svg" >"$work/got"
    if [ ! -s "$work/want" ] || ! cmp -s "$work/want" "$work/got"; then
        echo "FAIL: $stored has other points than its table" >&2
        bad=1
    elif [ "$(author "$stored")" != "$(author "$work/$name.svg")" ]; then
        echo "$stored: points counted, drawn by $(author "$stored"), here is $(author "$work/$name.svg")"
    elif ! cmp "$stored" "$work/$name.svg" >&2; then
        echo "FAIL: $stored is not what gnuplot makes of its table" >&2
        bad=1
    fi
done
[ "$count" -gt 3 ] || fail "only $count plots found: is this the right tree?"
for source in docs/results/*.gp docs/results/*.csv; do
    [ -e "${source%.*}.svg" ] || { echo "FAIL: $source has drawn nothing" >&2; bad=1; }
done
echo "$count plots"
exit "$bad"
