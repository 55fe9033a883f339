#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every defect that the tests of the project plant, its place, and the test that must catch it: one line each. Those
# tests prove that they do; here a duplicate title is an error.
#
#   table.sh SOURCE-ROOT RUN-FAULTS [TITLE FILE CATCHER]...
set -u
export LC_ALL=C
source_root=$1 run_faults=$2
shift 2
# shellcheck source-path=SCRIPTDIR source=plant.sh
. "$(dirname "$0")/plant.sh"

row()
{
    printf '%-24s  %-24s  %s\n' "$2" "$3" "$1"
}

planted()
{
    local words
    read -ra words <<<"$args"
    case $target in
    "$ecube_target") row "$title" "${file##*/}" "ecube ${words[0]}" ;;
    "$claims_target") row "$title" "${file##*/}" 'ecube claims' ;;
    *) row "$title" "${file##*/}" "$target" ;;
    esac
}

list()
{
    local table
    for table in "$(dirname "$0")"/*.txt; do
        records "$table" planted
    done
    "$run_faults" list | while IFS='|' read -r title file catcher; do
        row "$title" "$file" "$catcher"
    done
    while (($#)); do
        row "$1" "$2" "$3"
        shift 3
    done
}

lines=$(list "$@") || exit 1
row 'what is wrong' 'in' 'caught by'
echo "$lines"
echo
echo "$lines" | awk '{ sub(":", "", $3); by[$2 == "ecube" ? $2 " " $3 : $2]++ } END { for (b in by) print by[b], b }' | sort -rn
echo "$(echo "$lines" | wc -l) defects, $(echo "$lines" | cut -c 53- | sort -u | wc -l) titles"
twice=$(echo "$lines" | cut -c 1-25,53- | sort | uniq -d)
[[ -z $twice ]] || { echo "FAIL: twice: $twice" >&2; exit 1; }
