#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube claims` as its users run it: all rows on the quick grids, formats, an interrupt, a damaged router.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

# All claims; and the page that is generated from them.
exits 'all claims have the verdict on record' 0 claims --format markdown --output page.md
check 'docs/study/REPRODUCTION.md equals the output of ecube claims --format markdown' \
    diff -u "$source_root/docs/study/REPRODUCTION.md" page.md
diff "$source_root/docs/study/REPRODUCTION.md" page.md | head -5 | sed 's/^/# /'

exits 'a pattern selects rows by their prefix' 0 claims 'grama.fig*' --format csv
equal 'CSV has a heading and one line per row' "$(wc -l <out)" 5
equal 'the verdicts' "$(tail -n +2 out | grep -c ',holds,')" 4
exits 'one claim is shown in full' 0 claims grama.torus.bound.fwd
contains 'with its counterexample' out 'steps: 5, stated at most 4'
contains 'with the command that shows it' out 'torus:3x3 shift:q=8 --algorithm forward'
PATH=$(dirname "$ecube"):$PATH sh -c "$(sed -n 's/^commands *//p' out)" >again 2>&1
equal 'which works' $? 0
contains 'and takes 5 steps' again '5 steps'
exits 'a conditional one' 0 claims grama.torus.wrap
check 'says under which condition' grep -q '^condition  *forward rows only' out
exits 'a claim from a section' 0 claims jh.fig10
contains 'names its place in the source' out 'TR-04-91, Fig. 10, section 4.2 (claim 163)'

exits 'JSON is one object for one claim' 0 claims grama.fig4.22 --format json
equal 'with these values' "$(jq -c '[.id, .verdict, .expected, .as_expected, .cases, .schema]' out)" \
    '["grama.fig4.22","holds","holds",true,20,"ecube-claims-1"]'
exits 'and a line each for several' 0 claims grama.fig4.22 gohil.fig1 --format json
equal 'two lines for two claims' "$(jq -c .id out | wc -l)" 2
exits 'a table of an experiment' 0 claims grama.cube.gain --table
contains 'has a heading' out 'd,q,m,ts,forward,signed,direct'
exits 'the list' 0 claims --list
contains 'has all rows' out '253 claims and 21 results beyond the papers'
exits 'a summary counts' 0 claims 'grama.fig*' --quiet
equal 'every verdict' "$(<out)" \
    'holds 4, refuted 0, conditional 0, unverifiable 0, not run 0, unexpected 0; covered 4 of 4'
exits 'results beyond the papers' 0 claims gohil.fig1 'beyond.ecube*' --quiet
equal 'are counted apart' "$(<out)" \
    'holds 1, refuted 0, conditional 0, unverifiable 0, not run 0, unexpected 0; covered 1 of 1
beyond the papers: holds 3, refuted 0, conditional 0, unverifiable 0, not run 0, unexpected 0; covered 3 of 3'

refused 2 "did you mean 'grama.ring.min'" claims grama.ring.mim
refused 2 '--table needs exactly one claim' claims --table
refused 2 'grama.ring.min makes no table' claims grama.ring.min --table
refused 2 '--quick cannot be combined with --full' claims --quick --full
refused 2 '--rtl needs --top NAME' claims --rtl a.sv
refused 2 '--rtl: cannot read nofile.sv: No such file or directory' claims 'grama.ring*' --rtl nofile.sv --top x
echo 'module x; endmodule' >x.sv
refused 2 "--output writes 'x.sv' and --rtl reads 'x.sv'" claims grama.ring.min --rtl x.sv --top x -o x.sv
refused 2 '--jobs 0: expected a whole number from 1 to 256' claims --jobs 0

# The program of the claims must be beside this one.
mkdir alone
cp "$ecube" alone/ecube
alone/ecube claims --list >out 2>err
equal 'without ecube-claims the status is that of a missing tool' $? 5
contains 'and the message names the cause' err 'ecube: cannot find the program ecube-claims: expected it beside ecube'
# shellcheck disable=SC2016 # a script
alone/ecube list >out 2>err
equal 'the other lists do not need it' $? 0
contains 'and the list of claims reports it' out 'cannot find the program ecube-claims'
# shellcheck disable=SC2016 # for the script that is written
printf '#!/bin/sh\necho "$0 $*"\nexit 7\n' >alone/ecube-claims
chmod +x alone/ecube-claims
alone/ecube claims a --quiet >out 2>err
equal 'its exit status is passed on' $? 7
contains 'and its arguments' out 'claims a --quiet'

# Ctrl-C: finished rows are printed, marked partial.
env --default-signal=INT "$ecube" claims --jobs 1 >out 2>err &
child=$!
# Field 16: processor time of children that have ended. At least one row is done then.
until (($(awk '{print $16 + $17}' "/proc/$child/stat" 2>/dev/null || echo 99) > 0)); do
    sleep 0.02
done
kill -s INT $child
wait $child
equal 'an interrupt ends with status 130' $? 130
contains 'finished rows are printed' out 'grama.perm.def'
contains 'and marked' out 'PARTIAL, interrupted after '
equal 'no process is left behind' "$(pgrep -P $child | wc -l)" 0

# A damaged router: node 5 takes the dimensions in the other order.
mkdir rtl
cp "$source_root"/rtl/*.sv* rtl
sed -i 's/\.order_high_i(order_high_q)/.order_high_i(order_high_q ^ (coord_q == 16'"'"'d5))/' rtl/ec_router.sv
rm rtl/ec_network.sv rtl/ec_tile.sv rtl/ec_tile_network.sv
files=$(printf '%s,' rtl/*.sv)
files=${files%,}
run claims grama.fig4.24 grama.fig4.23a --rtl "$files" --top ec_router
equal 'a damaged router turns a row red' "$status" 1
contains 'and marks it UNEXPECTED' out UNEXPECTED
contains 'and names the check and the place' out 'check loads failed: cause: cycle 2, router 5 (101), output dim1: wrong turn'
contains 'but not a row that runs nothing' out 'unexpected 1;'

rest_is_long "${2:-}"

# Every command of a finding runs: status 0, or 1 where it finds a defect. The first command of a row
# with a counterexample reproduces it.
exits 'all findings as JSON' 0 claims --format json --output all.json
jq -r '.commands[] | select(startswith("ecube claims") | not)' all.json | sort -u >commands
while IFS= read -r line; do
    PATH=$(dirname "$ecube"):$PATH sh -c "$line" >shown 2>&1 </dev/null || [[ $? == 1 ]] ||
        echo "$line"
done <commands >failed
equal 'the commands of all findings run' "$(<failed)" ''
check 'there are more than 150 of them' test "$(wc -l <commands)" -gt 150
jq -r 'select((.counterexample // "") | test("^[sd]=[0-9]+, q=[0-9]+: steps: ")) |
    .commands[0] + "\t" + (.counterexample | capture("steps: (?<n>[0-9]+)").n)' all.json >counter
while IFS=$'\t' read -r line steps; do
    PATH=$(dirname "$ecube"):$PATH sh -c "$line" 2>&1 </dev/null | grep -q " $steps steps" || echo "$line"
done <counter >failed
equal 'those that name steps show that number' "$(<failed)" ''
check 'there are at least three such claims' test "$(wc -l <counter)" -ge 3
jq -r 'select(.verdict == "refuted") | .commands[0]' all.json | grep -v '^ecube claims' >counter
while IFS= read -r line; do
    PATH=$(dirname "$ecube"):$PATH sh -c "$line" >shown 2>&1 </dev/null
    [[ $? == "$(grep -c '^WRONG ' shown)" ]] || echo "$line"
done <counter >failed
equal 'those of refuted claims end with status 1 where the schedule is wrong, else 0' "$(<failed)" ''
check 'there are at least 15 such claims' test "$(wc -l <counter)" -ge 15
# "s=3, q=8: steps: 5, stated at most 4"
jq -r '.counterexample // "" | select(test(", stated "))' all.json >counter
equal 'a counterexample with numbers says what they count' \
    "$(grep -vE '(^|: )[a-z][^:=]*: [0-9]+, stated (at most |at least |less than |more than )?[0-9]+$' counter)" ''
check 'there are at least 40 such claims' test "$(wc -l <counter)" -ge 40
equal 'results beyond the papers are numbered behind the claims' "$(jq -c 'select(.beyond) | .number' all.json | tr '\n' ' ')" '254 255 256 257 258 259 260 261 262 263 264 265 266 267 268 269 270 271 272 273 274 '
done_testing
