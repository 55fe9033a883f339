#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables of results: where a row begins with an `ecube run` or `ecube audit` command, every cell under the
# name of a key of its CSV output has the value that the command gives.
#
#   tables.sh PROGRAM [DOCUMENT...]
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program
shift
whole=0
# shellcheck disable=SC2046 # names of documents have no blanks
[ $# -gt 0 ] || { whole=1; set -- $(documents); }
cp "$here"/files/* .

tab=$(printf '\t')
awk -f "$here/tables.awk" "$@" >"$work/rows"
bad=0 cells=0
while IFS=$tab read -r place command pairs; do
    status=0
    sh -c "$command --format csv" >"$work/csv" 2>"$work/log" || status=$?
    if [ "$status" -gt 4 ] || [ ! -s "$work/csv" ]; then
        cat "$work/log" >&2
        fail "$place: $command"
    fi
    while [ -n "$pairs" ]; do
        pair=${pairs%%"$tab"*}
        [ "$pair" = "$pairs" ] && pairs= || pairs=${pairs#*"$tab"}
        cells=$((cells + 1))
        is=$(awk -v key="${pair%%=*}" -f "$root/docs/results/tools/fields.awk" -f "$here/csv_value.awk" "$work/csv") ||
            fail "$place: ${pair%%=*} is not a key of: $command"
        if [ "$is" != "${pair#*=}" ]; then
            echo "FAIL: $place: ${pair%%=*} is '$is', not '${pair#*=}': $command" >&2
            bad=1
        fi
    done
done <"$work/rows"
[ "$whole" -eq 0 ] || [ "$cells" -gt 10 ] || fail "only $cells cells found: is this the right tree?"
echo "$cells cells"
exit "$bad"
