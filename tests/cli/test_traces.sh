#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Traces with dependences, and what --export-trace writes: the messages of a schedule, played again, take the
# same cycles and deliver the same words in them.
#
#   test_traces.sh PROGRAM [long]: all algorithms on many small networks
. "$(dirname "$0")/lib.sh"

numbers='[.cycles, .digest, .packets, .latency, .network_latency, .contended_cycles, .predicted_cycles]'

# replays TOPOLOGY WORKLOAD OPTIONS...
replays()
{
    local play
    run run "$@" --export-trace x.csv --format json
    jq -c "$numbers" out >schedule
    play=$(sed -n 's/^# To play them: ecube run \(.*\):file=FILE\(.*\)/\1:file=x.csv\2/p' x.csv)
    # shellcheck disable=SC2086 # words of a command
    run run $play --format json
    if ((status == 0)) && jq -c "$numbers" out | cmp -s schedule -; then
        pass "as a trace in the same cycles: $*"
    else
        fail "as a trace in the same cycles: $*" "$(<schedule)" "$(jq -c "$numbers" out)"
    fi
}

if [[ ${2:-} == long ]]; then
    cases=('ring:6 shift:q=2,m=5' 'mesh:6 shift:q=4,m=3' 'torus:4x4 shift:q=7,m=4'
        'cube:4 shift:q=7,labels=gray,m=5' 'cube:4 shift:q=7,m=5' 'cube:3 bitrev:m=5'
        'cube:3 gsh:cycle=6-5-~4+3-0,K=16' 'cube:3 gsh:cycle=4-3-2,K=4' 'cube:4 gsh:cycle=5-4-3-2,K=4'
        'cube:3 gsh:cycle=5-4-0,K=8' 'cube:3 gsh:cycle=4-3-2-1-0,K=4' 'cube:4 gsh:cycle=4-2,K=4,sub=3'
        'cube:3 tocyclic:K=8' 'cube:3 gsh:cycle=~2+~3,K=4' 'cube:3 gsh:cycle=3-~2,K=4' 'cube:4 gsh:cycle=4-3+~5,K=4'
        'cube:3 shuffle:K=8,m=2')
    options=('--sync data' '--sync step' '--sync data --local-cost 3 --startup 5'
        '--sync step --local-cost 2 --packet 2'
        '--sync data --local-cost 1 --router switching=cut-through,depth=6,vcs=2')
    for algorithm in $("$ecube" list algorithms --format json | jq -r '.algorithms[].name'); do
        [[ $algorithm != direct && $algorithm != compensate-wrapped ]] || continue
        before=$tests
        for case in "${cases[@]}"; do
            # shellcheck disable=SC2086
            run audit $case --algorithm "$algorithm" --quiet
            for ((i = 0; status < 2 && i < ${#options[@]}; i++)); do
                # shellcheck disable=SC2086
                replays $case --algorithm "$algorithm" ${options[i]}
                ((status < 2)) || status=0
            done
        done
        check "$algorithm was run" [ "$tests" -gt "$before" ]
    done
    done_testing
    exit
fi

replays torus:4x4 shift:q=7,m=4 --algorithm per-column --sync data --startup 3
replays cube:4 shift:q=7,labels=gray,m=5 --algorithm gray-forward --sync step
replays cube:3 gsh:cycle=4-3-0,K=4 --algorithm one-port --sync data --local-cost 3
replays cube:3 gsh:cycle=4-3-0,K=4 --algorithm one-port --sync step --local-cost 3 --packet 2
replays cube:3 bitrev:m=5
contains 'a pattern is a plain trace' x.csv 'cycle,source,destination,words'

# A trace with dependences, exported again.
printf 'id,source,destination,words,after,delay,cycle\n1,0,7,16,,,1\n2,7,0,4,1,10,5\n3,0,1,4,,,2\n4,7,3,8,1 3,,1\n' >a.csv
exits 'a trace with dependences runs' 0 run cube:3 trace:file=a.csv --packets --format json
equal 'message 4 is ready before message 2, and overtakes it' \
    "$(jq -c '.packet_log | map([.dst, .created, .delivered])' out)" \
    '[[7,1,20],[1,2,22],[3,23,32],[0,31,38]]'
replays cube:3 trace:file=a.csv
exits 'an audit exports, too' 0 audit cube:3 trace:file=a.csv --export-trace b.csv --quiet
check 'the same' cmp <(grep -v '^#' x.csv) <(grep -v '^#' b.csv)

refused 2 'random traffic' audit cube:3 uniform:rate=0.1 --export-trace x.csv
refused 2 'without reply=' run mesh:4x4 uniform:rate=0.1,reply=1 --router vcs=2 --export-trace x.csv
refused 2 'expected different files' run cube:3 trace:file=a.csv --export-trace a.csv
refused 2 'cannot write the trace none/x.csv' audit cube:3 shift:q=1 --export-trace none/x.csv
printf 'cube:3 shift:q=1\n' >list
refused 2 '--export-trace' run --from list --export-trace x.csv
printf 'cube:3 shift:q=1 --export-trace one.csv\ncube:3 shift:q=2 --export-trace two.csv\n' >list
exits 'each line of a list has its own' 0 audit --from list
check 'both are there' [ -s one.csv -a -s two.csv ]

# A run of random traffic writes what its nodes have sent.
numbers='[.cycles, .digest, .packets]'
replays torus:4x4 uniform:rate=0.3,m=1..8 --packet 5 --startup 2 --cycles 300 --warmup 50

# Packets as CSV: those of the JSON log, and what follows from them.
rows='(.packet_log // []) | map([.src, .dst, .words, .created, .injected, .delivered] | @csv) | .[]'
for case in 'cube:3 trace:file=a.csv' 'cube:3 uniform:rate=0.2,m=1..6 --packet 4 --cycles 300'; do
    # shellcheck disable=SC2086
    run run $case --packets --format json --packets-csv p.csv
    check "packets of $case as in the JSON" cmp <(tail -n +2 p.csv | cut -d, -f1-6) <(jq -r "$rows" out)
    equal 'the mean of their latencies' \
        "$(awk -F, -v from="$(jq 'if .steady then 1000 else 0 end' out)" \
            'NR > 1 && $4 > from && $4 <= from + 300 { sum += $8; n++ } END { printf "%.9g", sum / n }' p.csv)" \
        "$(jq .latency.mean out | awk '{ printf "%.9g", $1 }')"
    equal 'as many words times hops as on the links' \
        "$(awk -F, 'NR > 1 { sum += $3 * $7 } END { print sum }' p.csv)" "$(jq .flit_hops out)"
done
equal 'the columns are those of OUTPUT' "$(head -n 1 p.csv)" \
    "$(sed -n '/^## Packets as CSV/,/^## Event log/s/^| \(`[^|]*\) |.*/\1/p' "$source_root/docs/output/run.md" |
        tr -d '` ' | paste -sd,)"
exits 'packets of two classes' 0 run mesh:4x4 uniform:rate=0.05,m=1,reply=4 --router vcs=2 --cycles 200 --format json \
    --packets-csv p.csv
equal 'as many of each as the report has' \
    "$(tail -n +2 p.csv | cut -d, -f11 | sort | uniq -c | awk '{ print $2 ":" $1 }' | paste -sd' ')" \
    "$(jq -r '[.classes | to_entries[] | "\(.key):\(.value.packets)"] | join(" ")' out)"
exits 'packets of a trace' 0 run cube:3 trace:file=a.csv --packets-csv p.csv --quiet
equal 'name its messages' "$(tail -n +2 p.csv | cut -d, -f10 | tr '\n' ' ')" '1 3 4 2 '
refused 2 '--packets-csv' run --from list --packets-csv p.csv

done_testing
