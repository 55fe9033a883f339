#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The bounds of open-loop traffic: the latency without contention is that of the RTL, to the digit.
. "$(dirname "$0")/lib.sh"

# all_pairs NODES LENGTH...: a trace with a message of each length between all pairs, one at a time.
all_pairs()
{
    awk -v nodes="$1" -v lengths="${*:2}" 'BEGIN {
        n = split(lengths, length_of, " ")
        print "cycle,source,destination,words"
        for (s = 0; s < nodes; s++) for (d = 0; d < nodes; d++) for (i = 1; i <= n; i++)
            if (s != d) print 1 + 200 * count++ "," s "," d "," length_of[i]
    }' >all.csv
}

while read -r topology nodes m lengths options; do
    read -ra words <<<"$options"
    IFS=, read -ra each <<<"$lengths"
    all_pairs "$nodes" "${each[@]}"
    run audit "$topology" "uniform:rate=0.1,m=$m" "${words[@]}" --format json
    bound=$(jq .zero_load_latency out)
    exits "all pairs of $topology, $m words, $options" 0 run "$topology" trace:file=all.csv "${words[@]}" --format json
    equal 'have the computed mean latency' "$(jq .latency.mean out)" "$bound"
done <<'END'
cube:3 8 5 5 --router depth=4
torus:4x4 16 1+8 1,8 --packet 3 --startup 2
torus:2x3x4 24 3..5 3,4,5 --router order=high,vcs=2,depth=4,switching=cut-through
cube:3 8 2..4 2,3,4 --router depth=4,switching=store-and-forward,ports=all --packet 3
END

exits 'random traffic on an idle network' 0 \
    run torus:4x4 tornado:rate=0.002,m=7 --packet 3 --cycles 8000 --format json
equal 'has that latency, too' "$(jq .latency.mean out)" "$(jq .zero_load_latency out)"
equal 'and a small part of the bound' "$(jq '.bound_share > 0 and .bound_share < 0.01' out)" true
exits 'requests and replies on an idle network' 0 \
    run torus:4x4 tornado:rate=0.0005,m=4,reply=8 --router vcs=4 --cycles 20000 --format json
equal 'have it over both classes, and both need the ports' \
    "$(jq '.latency.mean == .zero_load_latency and .zero_load_latency == 9 and .bound_rate == 0.333333333333' out)" true
run run torus:4x4 tornado:rate=0.002,m=7 --eject-stall 0.5 --cycles 8000 --format json
equal 'nodes that stall have no closed form' "$(jq -c '[.zero_load_latency, .bound_rate == 1]' out)" '[null,true]'

run audit mesh:8x8 transpose:rate=0.1,m=4
contains 'an audit of random traffic shows the bound' out \
    '  bound       0.1429 flits/node/cycle: then 0 (0,0) +y -> 8 (0,1) is always busy'
contains 'and the latency' out '  latency     11.0000 cycles on average without contention, over 6.0000 hops'
run audit cube:16 hotspot:rate=0.1,share=0.25 --format json
equal 'as a value' "$(jq -c '[.bound_rate == 6.10332936617e-05, .bound_channel]' out)" \
    '[true,"eject at 0 (0000000000000000)"]' # 1 / (65535 / 4 + 3 / 4)
run audit cube:3 shift:q=1 --format json
equal 'a list of messages has none' "$(jq -c '[.bound_rate, .bound_channel, .zero_load_latency]' out)" '[null,null,null]'
done_testing
