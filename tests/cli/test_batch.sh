#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lists of runs: every line in one process, the worst status, one report per line.
. "$(dirname "$0")/lib.sh"

for q in 1 2 3 4 5 6 7; do
    echo "cube:3 shift:q=$q,m=7"
    echo "cube:3 shift:q=$q,m=7 --router order=high  # the other order"
done >grid.txt

exits 'all shifts of a 3-cube pass' 0 run --from grid.txt
equal 'a line each and a summary' "$(grep -c '^PASS' out) $(tail -n 1 out)" '14 14 jobs: 14 passed'
exits 'standard input is a list, too' 2 run --from -
printf 'cube:3 shfit:q=5\ncube:3\n' | "$ecube" run --from - >out 2>err
equal 'the first bad line is reported, even if a later one is malformed' "$(grep -c 'standard input:1: ' err)" 1
"$ecube" run --from - --format csv <grid.txt >out 2>err
equal 'a list from standard input passes' "$?" 0
equal 'CSV has one header' "$(wc -l <out) $(grep -c '^topology' out)" '15 1'
exits 'JSON is one object per line' 0 run --from grid.txt --format json
equal 'each with its own command' "$(jq -r .command out | sed -n '2p;$p')" \
    'ecube run cube:3 shift:q=1,m=7 --router order=high
ecube run cube:3 shift:q=7,m=7 --router order=high'
exits 'options of the command line hold for every line' 0 \
    run --from grid.txt --startup 3 --router order=low --format json
equal 'unless the line has its own' "$(jq -r .command out | sed -n '1,2p')" \
    'ecube run --startup 3 --router order=low cube:3 shift:q=1,m=7
ecube run --startup 3 --router order=low cube:3 shift:q=1,m=7 --router order=high'
jq -r .command out | sed -n 2p | sed 's/^ecube/run_again/' >again
run_again()
{
    "$ecube" "$@" --format json | jq -c '[.cycles, .digest, .router]'
}
# shellcheck source=/dev/null
equal 'and that command repeats the run' "$(. ./again)" \
    "$(sed -n 2p out | jq -c '[.cycles, .digest, .router]')"
exits 'a batch of audits passes' 0 audit --from grid.txt --expect congestion-free
exits '--verbose gives every report in full' 0 run --from grid.txt --verbose
equal 'with 14 pictures' "$(grep -c 'messages per link' out)" 14

# Schedules of a list are made when it is checked, and used when their turn comes.
cat >schedules.txt <<'END'
cube:3 gsh:cycle=4-1+3-2,K=4 --algorithm best
cube:3 gsh:cycle=5-4-3,K=8 --algorithm flow --sync data
cube:3 shift:q=3
cube:3 gsh:cycle=5-4-3,K=8 --algorithm flow --sync data
END
exits 'schedules in a list' 0 run --from schedules.txt --format json
jq -c '[.algorithm, .cycles, .digest, .router]' out >together
while read -r line; do
    # shellcheck disable=SC2086 # words of a command
    "$ecube" run $line --format json | jq -c '[.algorithm, .cycles, .digest, .router]'
done <schedules.txt >alone
equal 'are those of its lines alone' "$(<together)" "$(<alone)"
echo 'cube:3 gsh:cycle=5-4-3,K=8 --algorithm flows' >>schedules.txt
exits 'a bad line behind them' 2 run --from schedules.txt
equal 'is refused before any runs' "$(wc -l <out) $(cat err)" \
    "0 ecube: schedules.txt:5: unknown algorithm 'flows': expected a name that \
\`ecube list algorithms\` shows; did you mean 'flow'?"

# The worst status wins.
echo 'cube:6 bitrev:m=8 --expect congestion-free' >>grid.txt
exits 'one failed line fails the batch' 1 run --from grid.txt
contains 'and is counted' out '15 jobs: 14 passed, 1 failed'
echo 'torus:4x4 uniform:rate=0.6,m=16 --router vcs=1' >>grid.txt
echo 'cube:3 shift:q=1' >>grid.txt
exits 'deadlock is worse' 4 run --from grid.txt
contains 'and the line after it is still done' out '17 jobs: 15 passed, 1 failed, 1 deadlocked'
echo 'cube:3 shift:q=8' >>grid.txt
refused 2 'grid.txt:18' run --from grid.txt

# A list has one pair of sides: the router of the side rtl cannot be another one in a line.
own=(--rtl "$source_root/rtl/ec_router.sv" --top ec_router)
echo 'cube:3 shift:q=1' >sides.txt
exits 'a list is compared with the router of the command line' 0 compare tiles rtl --from sides.txt "${own[@]}" --format json
equal 'which is in the command of each line' "$(jq -r .command out)" \
    "ecube compare ${own[*]} tiles rtl cube:3 shift:q=1"
echo "cube:3 shift:q=2 ${own[*]}" >>sides.txt
refused 2 'sides.txt:2: --rtl cannot be used in a list of runs' compare tiles tiles --from sides.txt
refused 2 'sides.txt:2: --rtl cannot be used in a list of runs' compare tiles rtl --from sides.txt "${own[@]}"
exits 'a run takes the router of its line' 0 run --from sides.txt

# Parse errors are found before anything runs, impossible networks when their turn comes.
printf 'cube:3 shift:q=1\ncube:21 shift:q=1\ncube:3 shift:q=2\n' >large.txt
exits 'a network that the RTL cannot have ends the batch' 2 run --from large.txt --output result.txt
contains 'with its line' err 'large.txt:2'
contains 'finished results are kept' result.txt 'partial: 1 of 3 jobs: 1 passed'

done_testing
