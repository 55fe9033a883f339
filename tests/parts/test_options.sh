#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How runs are split: what a run says of it, what is refused, and workers with several threads. That the
# results do not depend on it is tested in tests/parts.
. "$(dirname "$0")/../cli/lib.sh"

# --- What a run says of itself ---
exits 'a run in one part' 0 run cube:3 shift:q=1,m=4 --format json
equal 'says so' "$(jq -c '[.parts, .threads, .ranks]' out)" '[1,1,1]'
exits 'auto takes one thread for a small network' 0 run cube:3 shift:q=1,m=4 --threads auto --format json
equal 'and says so' "$(jq .threads out)" 1
exits 'and for a short measurement' 0 run torus:4x4 uniform:rate=0.2 --cycles 300 --threads auto --format json
equal 'as well' "$(jq .threads out)" 1
exits 'more threads than nodes' 0 run cube:2 shift:q=1,m=4 --threads 9 --format json
equal 'are as many as nodes' "$(jq .threads out)" 4
exits 'a run with more threads than nodes' 0 run cube:2 shift:q=1,m=4 --threads 9
equal 'says so' "$(grep -c 'ecube: cube:2 has 4 nodes: 4 threads run instead of 9' err)" 1
echo 'cube:2 shift:q=1 --threads 9' >many.txt
exits 'a list' 0 run --from many.txt
equal 'does not' "$(grep -c 'instead of 9' err)" 0
little='too little work for 2 parts: one is probably faster'
exits 'a split that cannot pay' 0 run cube:3 shift:q=1,m=4 --threads 2
equal 'says so' "$(grep -c "^ecube: cube:3: $little" err)" 1
exits 'but not with --quiet' 0 run cube:3 shift:q=1,m=4 --threads 2 --quiet
equal 'it does not' "$(cat err)" ''
exits 'a split that pays' 0 run cube:6 uniform:rate=0.2,m=8 --cycles 10000 --threads 2
equal 'does not' "$(grep -c "$little" err)" 0
equal 'the shell completes auto' "$("$ecube" --complete ecube run --threads a)" auto

printf '1,1,3,100000\n5,0,3,1\n' >old.csv
exits 'a run with a packet that is old, but not stuck' 0 run ring:8 trace:file=old.csv --threads 2
equal 'says that its parts did not finish it' "$(grep -c '^ecube: ring:8 trace:file=old.csv: 2 parts did not finish the run, but one part did' err)" 1
equal 'whose result it is' "$(jq -c '[.verdict, .parts]' <<<"$("$ecube" run ring:8 trace:file=old.csv --threads 2 --format json 2>err)")" '["pass",1]'

# --- Refusals ---
refused 2 "the backend 'flat' is one model of the whole network" run cube:3 shift:q=1 --backend flat --threads 2
refused 2 "the backend 'systemc' is one model of the whole network" run cube:3 shift:q=1 --backend systemc --threads 2
refused 2 '--threads two: expected a whole number from 1 to 1024 or auto' run cube:3 shift:q=1 --threads two
refused 2 '--threads 0: expected a whole number from 1 to 1024 or auto' run cube:3 shift:q=1 --threads 0
refused 2 '--threads needs --deliveries' compare tiles tiles cube:3 shift:q=1 --threads 2
refused 2 "side 'flat' is one model of the whole network" compare tiles flat cube:3 shift:q=1 --deliveries --threads 2

# --- All commands ---
sweep=(sweep cube:3 uniform:m=2,reply=2,classes=1 --rates 0.1 --precision 30% --cycles 2000 --format json)
run "${sweep[@]}"
mv out whole.json
run "${sweep[@]}" --threads 2 --jobs 1
equal 'a sweep in threads has the same curves' "$(diff out whole.json | head -n 4)" ''
printf 'cube:3 bitrev:m=8\ntorus:4x4 uniform:rate=0.2,m=4 --cycles 500 --router link=3\nring:8 tornado:m=16 --router vcs=2,dateline=off\n' >base.txt
"$ecube" regress base.txt --update --accept-failures --quiet >out 2>err
exits 'a baseline of runs in one part holds for threads' 0 regress base.txt --accept-failures --threads 2
cp base.txt again.txt
"$ecube" regress again.txt --update --accept-failures --quiet --threads 2 >out 2>err
equal 'which store the same' "$(diff base.txt again.txt)" ''
exits 'deliveries of two sides in threads' 0 compare tiles tiles torus:4x4 uniform:rate=0.2,m=4 --cycles 500 --deliveries \
    --threads 2 --format json
equal 'are split' "$(jq -c '[.parts, .threads, .ranks]' out)" '[2,2,1]'
exits 'a run in threads is stored' 0 run cube:4 uniform:rate=0.1,m=4 --cycles 300 --threads 2 --format json --output run.json
exits 'and shown as a page' 0 report run.json --quiet

# --- Workers with several threads ---
# most_workers COUNT OPTION...: the most workers at a time of a list of eight runs without an end, COUNT and a moment more.
most_workers()
{
    local most=0 now child i expected=$1 moment=10
    shift
    "$ecube" run --from eight.txt --quiet "$@" >out 2>err &
    child=$!
    for ((i = 0; i < 600 && moment > 0; i++)); do
        now=$(pgrep -c -P $child)
        ((now <= most)) || most=$now
        ((most < expected)) || ((moment--))
        sleep 0.1
    done
    kill -TERM $child
    wait $child
    echo "$most"
}
for seed in {1..8}; do echo "cube:3 uniform:rate=0.2,m=4 --cycles 100000000000 --seed $seed"; done >eight.txt
equal 'four jobs of one thread are four workers' "$(most_workers 4 --jobs 4)" 4
equal 'of two threads two' "$(most_workers 2 --jobs 4 --threads 2)" 2
done_testing
