#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The recipes of docs/LISTS.md for GNU parallel and Snakemake give the table of the whole list, and Snakemake continues what
# a killed task has left. A tool that is missing is skipped (77).
#
#   farms.sh PROGRAM
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program
seq 8 | sed 's/.*/torus:4x4 shift:q=&,m=8/' >grid.txt
ecube run --from grid.txt --format csv --output whole.csv --quiet
# shellcheck disable=SC2016 # Markdown
sed -n '/^```python$/,/^```$/p' docs/LISTS.md | grep -v '^```' >Snakefile
status=77

# The columns before `command`: host figures follow.
columns() { sed 's/"[^"]*"/text/g' "$1.csv" | cut -d, -f 1-29; }

same() {
    columns all >all.txt
    columns whole | cmp - all.txt || fail "$1: not the table of the whole list"
    status=0
}

if command -v parallel >/dev/null; then
    sh -c "$(grep '| parallel ' docs/LISTS.md)" 2>log || fail "parallel: $(cat log)"
    cat grid-[0-9].csv.journal >all.csv.journal
    ecube run --from grid.txt --format csv --resume --output all.csv --quiet
    same parallel
    rm grid-*.csv* all.csv
else
    echo 'GNU parallel is missing: not tested'
fi
if command -v snakemake >/dev/null; then
    ecube run --from grid.txt --format csv --slice 2/4 --output grid-2.csv --quiet
    rm grid-2.csv
    snakemake --cores 2 >log 2>&1 || fail "snakemake: $(cat log)"
    same snakemake
else
    echo 'Snakemake is missing: not tested'
fi
exit $status
