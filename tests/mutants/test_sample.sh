#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube mutate`: a few mutants, the keys of its output, and what it says if it cannot make them.
#
#   test_sample.sh PROGRAM FOLDER
# shellcheck disable=SC2016 # backticks of Markdown
folder=$2
. "$(dirname "$0")/../cli/lib.sh"

run mutate cube:3 --count 10 --seed 3 --judges tile --format json --folder "$folder"
cp out score.json
equal 'the tile check alone kills most mutants, and each has its source' \
    "$(jq '.mutants == 10 and .killed >= 8 and (.rows | length) == 10 and ([.rows[] | select(.line != null)] | length) >= 5' score.json)" true
equal 'the numbers of the survivors are in the folder' \
    "$(cat "$folder/survivors.txt")" "$(jq -r '.rows[] | select(.fate == "survived").mutant' score.json)"
keys_of_page()
{
    awk -v heading="$1" '/^#+ / { on = $0 == heading } on && /^\| `/ { split($0, part, "`"); print part[2] }' "$source_root/docs/OUTPUT.md"
}
equal 'the keys are those of OUTPUT.md' "$(jq -r 'keys_unsorted[]' score.json)" "$(keys_of_page '## `ecube mutate`')"
equal 'the keys of judges, too' "$(jq -r '.judges[0] | keys_unsorted[]' score.json)" "$(keys_of_page '### `judges`')"
equal 'the keys of mutants, too' "$(jq -r '.rows[0] | keys_unsorted[]' score.json)" "$(keys_of_page '### Mutants')"

echo 'module mine (input wire clk_i); import foo::*; endmodule' >mine.sv
YOSYS=/nowhere/yosys refused 5 'apt-get install yosys' mutate cube:3 --folder none
refused 5 'Yosys cannot read the router' mutate cube:3 --rtl mine.sv --top mine --folder none
refused 2 'expected tile, rows or lockstep' mutate cube:3 --judges tile,nobody
done_testing
