#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a list and print its table of cycles.
#
#   table.sh LIST [SCRIPT [OPTION-OF-AWK...]]
#
# LIST is a file with a run on each line, as `ecube run --from` reads it, or a list that lists.sh prints; SCRIPT
# makes the table: table (docs/results/tools/table.awk, cycles by algorithm) or startups.
set -eu
[ $# -ge 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
list=$1
script=${2:-table}
shift
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if [ ! -e "$list" ]; then
    sh "$here/lists.sh" "$list" >"$work/list"
    list=$work/list
fi
ecube run --quiet --from "$list" --format csv >"$work/runs"
awk "$@" -f "$here/tools/fields.awk" -f "$here/tools/csv.awk" -f "$here/tools/$script.awk" "$work/runs"
