#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The mutation scores of ecube's router are those of rtl-scores.txt, or better, and each survivor that is not
# proved equivalent is in rtl-survivors.txt.
#
#   rtl.sh PROGRAM [FOLDER]            judge all mutants; red if a score falls or a survivor is new
#   rtl.sh PROGRAM --update [FOLDER]   and store the scores and the survivors
#
# FOLDER keeps what is finished: the command can be interrupted, and goes on when it is repeated. A row of the scores:
# the arguments of `ecube mutate`, an equals sign, and what became of the mutants. A row of the survivors: these
# arguments, a colon, the mutant and its class, and behind # why it survives, which an update keeps. Another version of
# Yosys draws other mutants: then a score may be up to SLACK percentage points lower, and survivors are not compared.
# Survivors of a row with --no-classify are not listed.
set -eu
slack=2
here=$(cd "$(dirname "$0")" && pwd)
ecube=$(realpath "$1")
shift
update=
[ "${1:-}" != --update ] || { update=1 && shift; }
scores=$here/rtl-scores.txt survivors=$here/rtl-survivors.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$(realpath "${1:-$work}")
yosys=$("${YOSYS:-yosys}" -V | awk '{ print $1, $2 }')
stored=$(sed -n 's/^# Made with //p' "$scores")
[ "$yosys" = "$stored" ] && slack=0
# Of processor time; routers as small as these need microseconds for a cycle.
export ECUBE_CYCLE_SECONDS=2
bad=0

# judge WORDS: the score as JSON; prints its file.
judge()
{
    name=$(echo "$1" | tr -c 'a-z0-9\n' -)
    if [ ! -s "$folder/$name.json" ]; then
        status=0
        # shellcheck disable=SC2086 # words
        "$ecube" mutate $1 --format json --output "$work/score.json" --folder "$folder/$name" --resume </dev/null || status=$?
        [ $status = 0 ] || exit $status
        mv "$work/score.json" "$folder/$name.json"
    fi
    echo "$folder/$name.json"
}

sed '/^# Made with /,$d' "$scores" >"$work/scores"
printf '# Made with %s\n\n' "$yosys" >>"$work/scores"
sed '/^[^#]/,$d' "$survivors" >"$work/survivors"
grep -v '^#' "$scores" | grep . >"$work/rows"
while read -r row; do
    words=${row%% = *} was=${row#* = }
    echo "ecube mutate $words"
    score=$(judge "$words")
    is=$(jq -r '"killed \(.killed) of \(.mutants), equivalent \(.equivalent), holes \(.holes), undecided \(.undecided)" +
        (.judges | map(", \(.judge) \(.killed)") | join(""))' "$score")
    echo "  $is"
    echo "  stored: $was"
    echo "$words = $is" >>"$work/scores"
    printf '%s\n%s\n' "$was" "$is" | tr -d , | awk -v slack=$slack '
        { rest = $4 - $6; share[NR] = rest > 0 ? 100 * $2 / rest : 0 }
        END { exit !(share[2] >= share[1] - slack) }' || { echo "FAIL: the score fell: $words" >&2; bad=1; }
    jq -r --arg words "$words" 'select(.equivalent != null) | .rows[] | select(.fate != "killed" and .class != "equivalent") |
        "\($words): \(.mutant) \(.kind) \(if .line then "\(.file):\(.line)" else "-" end) \(.place): \(.class // .fate)" +
        (if .class == "hole" then ", \(.output) in cycle \(.cycle)" else "" end)' "$score" >"$work/of_row"
    while read -r line; do
        if ! grep -qF "${line%%, *}" "$survivors"; then
            echo "  new: $line"
            [ $slack != 0 ] || [ -n "$update" ] || { echo "FAIL: a survivor that is not in $survivors" >&2; bad=1; }
        fi
        why=$(awk -v line="${line%%, *}" 'index($0, line) == 1 { sub(/^[^#]*/, ""); print }' "$survivors")
        echo "$line${why:+ $why}" >>"$work/survivors"
    done <"$work/of_row"
done <"$work/rows"
[ -z "$update" ] || { cp "$work/scores" "$scores"; cp "$work/survivors" "$survivors"; bad=0; }
exit "$bad"
