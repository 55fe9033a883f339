#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The mutation scores of ecube's router are those of rtl-scores.txt, or better.
#
#   rtl.sh PROGRAM            judge all mutants; red if a score falls
#   rtl.sh PROGRAM --update   and store the scores
#
# A row: the arguments of `ecube mutate`, an equals sign, and what became of the mutants. Another version of Yosys
# draws other mutants: then a score may be up to SLACK percentage points lower.
set -eu
slack=2
here=$(cd "$(dirname "$0")" && pwd)
ecube=$(realpath "$1") update=${2:-}
scores=$here/rtl-scores.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
yosys=$("${YOSYS:-yosys}" -V | awk '{ print $1, $2 }')
stored=$(sed -n 's/^# Made with //p' "$scores")
[ "$yosys" = "$stored" ] && slack=0
cd "$work"
bad=0
{
    sed '/^# Made with /,$d' "$scores"
    echo "# Made with $yosys"
    echo
} >new.txt
grep -v '^#' "$scores" | grep . >rows.txt
while read -r row; do
    words=${row%% = *} was=${row#* = }
    echo "ecube mutate $words"
    # shellcheck disable=SC2086 # words
    "$ecube" mutate $words --format json --output score.json --folder "$work/mutants" </dev/null
    is=$(jq -r '"killed \(.killed) of \(.mutants)" + (.judges | map(", \(.judge) \(.killed)") | join("")) ' score.json)
    echo "  $is (stored: $was)"
    jq -r '.rows[] | select(.fate == "survived") | "    \(.mutant) \(.kind) \(.file):\(.line) \(.place)"' score.json
    echo "$words = $is" >>new.txt
    printf '%s\n%s\n' "$was" "$is" | awk -v slack=$slack '
        { share[NR] = 100 * $2 / $4 }
        END { exit !(share[2] >= share[1] - slack) }' || { echo "FAIL: the score fell: $words" >&2; bad=1; }
done <rows.txt
[ -z "$update" ] || { cp new.txt "$scores"; bad=0; }
exit "$bad"
