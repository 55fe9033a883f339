#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube tile mutate`: a few mutants, the keys of its output, and what it says if it cannot make them.
# With `long` it is interrupted and resumed, too.
#
#   test_sample.sh PROGRAM FOLDER [long]
# shellcheck disable=SC2016 # backticks of Markdown
folder=$2
. "$(dirname "$0")/../cli/lib.sh"

run tile mutate cube:3 --count 10 --seed 3 --judges tile --format json --folder "$folder"
cp out score.json
equal 'the tile check alone kills most mutants, and each has its source' \
    "$(jq '.mutants == 10 and .killed >= 8 and (.rows | length) == 10 and ([.rows[] | select(.line != null)] | length) >= 5' score.json)" true
equal 'each mutant is killed or survives' \
    "$(jq -c '[.complete, .not_judged, .dropped_rows == [], .killed + .survived, .score == .killed / .mutants]' score.json)" \
    '[true,0,true,10,true]'
equal 'the command that repeats it is there' "$(jq -r .command score.json)" \
    "ecube tile mutate cube:3 --count 10 --seed 3 --judges tile --format json --folder $folder"
keys_of_page()
{
    awk -v heading="$1" '/^#+ / { on = $0 == heading } on && /^\| `/ { split($0, part, "`"); print part[2] }' "$source_root/docs/output/tile.md"
}
equal 'the keys are those of OUTPUT.md' "$(jq -r 'keys_unsorted[]' score.json)" "$(keys_of_page '## `ecube tile mutate`')"
equal 'the keys of judges, too' "$(jq -r '.judges[0] | keys_unsorted[]' score.json)" "$(keys_of_page '### `judges`')"
equal 'the keys of mutants, too' "$(jq -r '.rows[0] | keys_unsorted[]' score.json)" "$(keys_of_page '### Mutants')"

equal 'the keys of dropped rows, too' "$(keys_of_page '### `dropped_rows`' | tr '\n' ' ')" 'row reason '

again=(tile mutate cube:3 --count 10 --seed 3 --judges tile --jobs 1 --folder "$folder")
refused 2 'takes seeds up to 2147483647' tile mutate cube:3 --seed 2147483648 --folder none
refused 2 'expected numbers from 1 to 10' "${again[@]}" --quiet --mutants 3,11
refused 2 'expected numbers from 1 to 10' "${again[@]}" --quiet --mutants 4-2

echo 'module mine (input wire clk_i); import foo::*; endmodule' >mine.sv
mkfifo pipe.sv
echo pipe.sv >list.f
refused 2 'pipe.sv is not a regular file' tile mutate cube:3 --file-list list.f --top mine --folder none
YOSYS=/nowhere/yosys refused 5 'apt-get install yosys' tile mutate cube:3 --folder none
check 'without Yosys there is no folder' test ! -e none
refused 5 'Yosys cannot read the router' tile mutate cube:3 --rtl mine.sv --top mine --folder none
refused 2 'expected tile, rows or lockstep' tile mutate cube:3 --judges tile,nobody

rest_is_long "${3:-}"

# Interrupted when some mutants have a result, and resumed: the compiled mutants are those of before.
# interrupted ARGUMENTS...: with a signal after some results.
interrupted()
{
    rm -f "$folder/score.journal"
    "$ecube" "${again[@]}" "$@" >out 2>err &
    child=$!
    until (($(stat -c %s "$folder/score.journal" 2>/dev/null || echo 0) > 6000)) || ! kill -0 $child; do sleep 0.02; done
    kill -s TERM $child
    wait $child
}
status=0
interrupted || status=$?
equal 'an interrupted command ends with status 130' $status 130
contains 'and says how many are killed so far, and how many are left' out ' are left'
interrupted --format json || status=$?
equal 'its JSON has no share and no verdict' "$status $(jq -c '[.complete, .verdict, .score, .mutants > 0]' out)" \
    '130 [false,null,null,true]'
contains 'and says how many results are kept' err '--resume continues from there'
run "${again[@]}" --resume --format json
equal 'a resumed command has the score of one that was not interrupted' "$(jq -c '[.killed, .complete]' out)" \
    "$(jq -c '[.killed, true]' score.json)"
contains 'and takes results from the journal' err 'of the brief tile check come from'
run "${again[@]}" --resume --format json
contains 'which then has all of them' err ': 11 of 11 results of the brief tile check come from'
equal 'so the score is the same' "$(jq -c '[.killed, .complete]' out)" "$(jq -c '[.killed, true]' score.json)"
survivor=$(jq -r 'first(.rows[] | select(.fate == "survived").mutant)' score.json)
run "${again[@]}" --mutants "$survivor"
contains 'a survivor can be judged alone' out '0 of 1 mutants are killed'
done_testing
