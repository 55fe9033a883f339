#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One defect at a time, each with the command that must catch it: it ends with status 1 and says what and where.
# The same command must pass with the undamaged program. Prints TAP, and under each defect what caught it.
#
#   run.sh SOURCE-ROOT BUILD-ROOT LIBDIR FILE [PART PARTS]
set -u
export LC_ALL=C
source_root=$1 build_root=$2 libdir=$3 table=$(realpath "$4") part=${5:-0} parts=${6:-1}
# shellcheck source-path=SCRIPTDIR source=plant.sh
. "$(dirname "$(realpath "$0")")/plant.sh"
[[ -r $table ]] || { echo "Bail out! no table $4"; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-faults.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
seen=0 tests=0 caught=0

# not_ok WHY: with the output of the command.
not_ok()
{
    echo "not ok $tests - $title"
    echo "#   $file: $1"
    echo "#   ${target##*/} $args"
    head -n 12 out err 2>/dev/null | cut -c 1-240 | sed 's/^/#   /'
}

# ends PREFIX: run the command with this program; its exit status. Two minutes of processor time are a hang; on a busy
# machine they last longer.
ends()
{
    local words
    read -ra words <<<"$args"
    [[ ${words[0]:-} != @(run|compare) ]] || words+=(--no-failure-wave)
    [[ $target != "$claims_target" ]] || words+=(--format json)
    (ulimit -S -t 120 && exec timeout 600 "$1/bin/${target##*/}" "${words[@]}") >out 2>err </dev/null
    set -- $?
    [[ $target != "$claims_target" ]] || findings
    return "$1"
}

# findings: in place of the JSON of claims, a line for each: is it red, and why?
findings()
{
    jq -r '"\(if .as_expected then "expected" else "UNEXPECTED" end) \(.id): \(.verdict); \(.note)"' out >lines
    mv lines out
}

# found_by STATUS: did the command find something? The program has words for it, which a record must know; a test
# counts failures. Neither may crash or hang.
found_by()
{
    if [[ $target == @("$ecube_target"|"$claims_target") ]]; then
        (($1 == 1 || $1 == 3 || $1 == 4)) && ((${#says[@]}))
    else
        (($1 > 0 && $1 < 124))
    fi
}

try()
{
    local word status
    tests=$((tests + 1))
    [[ -z $trace ]] || printf '%s\n' cycle,source,destination,words "$trace" >trace.csv
    rm -rf sound damaged out err
    sound_prefix "$work/sound"
    if [[ -n $baseline ]]; then
        printf '%s' "$baseline" >base.txt
        sound/bin/ecube regress base.txt --update --quiet >out 2>err || { not_ok 'there is no baseline'; return; }
    fi
    ends "$work/sound" || { not_ok "exit status $? without the defect"; return; }
    sound_prefix "$work/damaged"
    plant "$work/damaged" >out 2>err || { not_ok 'the defect does not apply: change this table'; return; }
    ends "$work/damaged"
    status=$?
    found_by "$status" || { not_ok "not caught: exit status $status"; return; }
    for word in "${says[@]}"; do
        grep -qF -- "$word" out err || { not_ok "caught, but without '$word'"; return; }
    done
    caught=$((caught + 1))
    echo "ok $tests - $title"
    grep -hF -- "${says[0]:-FAIL}" out err | head -n 1 | cut -c 1-200 | sed "s,^ *,#   ${target##*/}${args:+ ${args%% *}}: ,"
}

mine()
{
    ((seen++ % parts != part)) || try
}
records "$table" mine
echo "# $caught of $tests caught"
echo "1..$tests"
