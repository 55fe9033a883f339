#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Graphs: fat trees, dragonflies and networks from files are audited and run; what they cannot do yet is refused.
#
#   test_graphs.sh PROGRAM [proofs]     proofs: ecube-verify was built
. "$(dirname "$0")/../compare/lib.sh"

# verdicts EXPRESSION CHECK...: a value of the result, and the verdicts of checks.
verdicts()
{
    local value=$1
    shift
    jq -c --args "[$value] + [\$ARGS.positional[] as \$name | .checks[] | select(.name == \$name).verdict]" "$@" <out
}

exits 'a permutation on a fat tree' 0 run fattree:4 shift:q=3,m=8 --format json
equal 'takes the predicted cycles' "$(jq -c '[.cycles, .predicted_cycles, .contended_cycles]' out)" '[13,13,0]'
digest=$(jq -r .digest out)
exits 'in another order of its routers' 0 run fattree:4 shift:q=3,m=8 --format json --shuffle 5 --no-sleep
equal 'it is the same' "$(jq -r .digest out)" "$digest"
exits 'messages within a switch are predicted, too' 0 run fattree:4 shift:q=1,m=2 --startup 3 --format json
equal 'with start-up' "$(jq -c '.cycles == .predicted_cycles' out)" true
exits 'store-and-forward' 0 run fattree:4 shift:q=1,m=2 --router switching=store-and-forward --format json
equal 'is predicted' "$(jq -c '.cycles == .predicted_cycles' out)" true
exits 'longer links' 0 run fattree:4 shift:q=3,m=8 --router link=3,depth=8 --format json
equal 'are predicted' "$(jq -c '.cycles == .predicted_cycles' out)" true
exits 'a congested permutation' 0 run fattree:4 randperm:m=8 --seed 4 --format json
exits 'uniform traffic on a fat tree' 0 run fattree:4 uniform:rate=0.5,m=2 --cycles 2000 --format json
equal 'crosses the expected links' "$(verdicts '(.links | length)' loads ledger)" '[64,"pass","pass"]'
exits 'its bound is that of the nodes' 0 audit fattree:4 uniform:rate=0.5 --format json
equal 'and its paths are spread' "$(jq -c '[.bound_rate + 0, .mean_hops + 0, .deadlock_free]' out)" '[1,3.46666666667,true]'
exits 'a dragonfly' 0 run dragonfly:2,2,1 uniform:rate=0.3 --cycles 2000 --format json
equal 'with the classes of its channels' "$(verdicts .max_hops vcs loads)" '[3,"pass","pass"]'
exits 'a dragonfly with one VC' 0 audit dragonfly:2,4,2 uniform:rate=0.1 --router vcs=1
contains 'takes other paths' out 'up/down'
exits 'adaptive routing on a large mesh' 0 audit mesh:33x32 uniform:rate=0.1 --router routing=adaptive
contains 'is not searched' out 'by the argument of the contract (section 5.5), not by a search'
exits 'requests and replies' 0 run fattree:4 uniform:rate=0.1,m=2,reply=4,outstanding=4 --router vcs=2 --cycles 1000 --quiet

# --- files
cat >ring.net <<'END'
# four routers in a ring, a switch in the middle, a double link
routers 5
nodes 0-3 2
link 0:0 1:1
link 1:0 2:1
link 2:0 3:1
link 3:0 0:1
link 4:0 0:2
link 4:1 2:2
link 4:2 2:3
END
exits 'a network from a file' 0 run graph:file=ring.net uniform:rate=0.3,m=4 --cycles 2000 --format json
equal 'has its nodes' "$(verdicts .nodes loads)" '[8,"pass"]'
# Links of 3 and 5 cycles: alone, a message takes m + h + 1 cycles and the delays beyond 1.
printf 'routers 3\nnodes 0-2 1\nlink 0:0 1:0 3\nlink 1:1 2:0 5\n' >slow.net
printf 'cycle,source,destination,words\n1,0,2,1\n100,0,1,1\n200,2,0,4\n300,1,2,3\n' >trace.csv
exits 'links of different delays' 0 run graph:file=slow.net trace:file=trace.csv --quiet --packets-csv slow.csv
equal 'delay words by their sum' "$(cut -d , -f 8 slow.csv | tr '\n' ' ')" 'latency 10 5 13 9 '
exits 'random traffic' 0 run graph:file=slow.net uniform:rate=0.2,m=3 --router vcs=2,depth=2 --cycles 2000 --format json
equal 'passes all checks' "$(verdicts .zero_load_latency loads ledger drain)" '[null,"pass","pass","pass"]'
exits 'store-and-forward' 0 run graph:file=slow.net shift:q=1,m=4 --router switching=store-and-forward
awk 'BEGIN { print "routers 6\nnodes 0-5 1"; for (i = 0; i < 6; i++) print "link " i ":0 " (i + 1) % 6 ":1" }' >six.net
exits 'shortest paths that can deadlock are not taken' 0 audit graph:file=six.net uniform:rate=0.1
contains 'which is said' out 'up/down'
awk 'BEGIN { for (v = 0; v < 6; v++) for (d = 0; d < 6; d++) printf "%d%s", v == d ? 2 : 0, d < 5 ? " " : "\n" }' >round.txt
exits 'a planted cycle is found' 1 audit graph:file=six.net uniform:rate=0.1 --router table=round.txt,routing=table
contains 'and named' out '6 channels waiting for each other in a cycle'
contains 'longer paths are counted' out 'minimal     no: 12 of 30 pairs'
exits 'traffic that closes no cycle' 1 audit graph:file=six.net hotspot:node=2 --router table=round.txt,routing=table --format json
equal 'cannot deadlock' "$(jq -c '[.deadlock_free, .deadlock_possible, .longer_paths]' out)" '[false,"no",12]'
sed '1s/0 0$/0 -/' round.txt >unreachable.txt
exits 'an unreachable node' 2 run graph:file=six.net uniform:rate=0.1 --router routing=table,table=unreachable.txt
contains 'is named' err 'router 0 has no way to node 5'
sed '1s/2 0/2 7/' round.txt >wrong.txt
exits 'a wrong port' 2 run graph:file=six.net uniform:rate=0.1 --router routing=table,table=wrong.txt
contains 'is named' err "wrong.txt:1: entry '7' of router 0 for node 1"
printf 'routers 2\nnodes 0 2\nlink 0:0 0:1\n' >loop.net
exits 'a loop is refused' 2 run graph:file=loop.net uniform:rate=0.1
contains 'with its line' err "loop.net:3: expected a link to another router; got '0:1'"
printf 'routers 1\nnodes 0 4\n' >one.net
exits 'one router' 0 run graph:file=one.net uniform:rate=0.4 --cycles 1000 --format json
equal 'is a network' "$(verdicts .max_hops loads)" '[0,"pass"]'
awk 'BEGIN { print "routers 4096\nnodes 0-4095 1"; for (i = 0; i < 4096; i++) { print "link " i ":0 " (i + 1) % 4096 ":1"
    if (i < 2048) print "link " i ":2 " i + 2048 ":2" } }' >many.net
exits '4096 routers' 0 audit graph:file=many.net shift:q=2048,m=4 --quiet

# --- parts: results to the bit, also where parts have no nodes, or a run fails
cat >runs.list <<'END'
fattree:4 uniform:rate=0.5,m=2 --cycles 400
fattree:4 randperm:m=5 --router link=3,depth=8
fattree:4 uniform:rate=0.1,m=2,reply=4,outstanding=4 --router vcs=2 --cycles 400
dragonfly:2,2,1 hotspot:rate=0.2,m=1..5 --cycles 400 --eject-stall 0.2
graph:file=ring.net uniform:rate=0.3,m=3 --precision 20% --cycles 20000
graph:file=ring.net hotspot:m=5 --startup 3
graph:file=slow.net uniform:rate=0.2,m=3 --cycles 400
graph:file=six.net shift:q=2,m=64 --router table=round.txt,routing=table,vcs=2,dateline=off
END
split()
{
    sed "s/\$/ $1/" runs.list >split.list
    "$ecube" run --from split.list --keep-going --no-failure-wave --format json 2>/dev/null |
        jq -S 'del(.command, .seconds, .cpu_seconds, .peak_rss_bytes, .router_cycles_per_second, .parts, .threads)'
}
whole=$(split '')
equal 'runs in one part' "$(jq -r .verdict <<<"$whole" | tr '\n' ' ')" 'pass pass pass pass pass pass pass deadlock '
for how in '--threads 2' '--threads 3' '--threads 5'; do
    equal "are the same with $how" "$(split "$how" | md5sum)" "$(md5sum <<<"$whole")"
done

# --- observers, and what is not there
exits 'a wave' 0 run fattree:2 shift:q=1,m=2 --wave w.fst --wave-nodes path:0-1 --quiet
exits 'events' 0 run fattree:4 shift:q=1,m=2 --events e.jsonl --quiet
equal 'of all routers on the way' "$(jq -s -c 'map(.router) | unique | length > 4' e.jsonl)" true
exits 'a report' 0 run graph:file=slow.net trace:file=trace.csv --report slow.html --quiet
equal 'has its routers, nodes and delays' "$(sed -n '/ id="data">/,/<\/script>/p' slow.html | sed '1d;$d' |
    jq -c '.network | [.nodes, .family, .radix, (.first_node, .link_delays | @base64d | explode | map(select(. > 0)))]')" \
    '[3,"graph",[3],[1,2,3],[3,3,5,5]]'
exits 'every group of a dragonfly to the next one' 0 audit dragonfly:2,4,2 shift:q=8,rate=0.1 --format json
equal 'shares one link' "$(jq .bound_rate out)" 0.125
exits 'more' 3 run dragonfly:2,4,2 shift:q=8,rate=0.2 --cycles 4000 --format json
equal 'is not accepted' "$(jq '.accepted_load < 0.126' out)" true
exits 'a sweep' 0 sweep fattree:4 uniform --rates 0.2,0.4 --cycles 600 --quiet

# --- routers of users: one that is given the table, one that computes its ways, and their defects
tree=(-F "$source_root/tests/foreign/tree.f" --top tree_router)
up=("${tree[@]}" --define UPWARDS)
choice=(--router routing=minimal)
run=(run fattree:4 uniform:rate=0.3,m=4 --cycles 1000 --format json --no-failure-wave)
exits 'a router of the user' 0 "${run[@]}" "${tree[@]}"
equal 'follows the table' "$(verdicts .max_hops loads ledger)" '[4,"pass","pass"]'
exits 'and delivers the same' 0 compare tiles rtl fattree:4 shift:q=3,m=8 "${tree[@]}" --deliveries --quiet
exits 'without a table' 1 "${run[@]}" "${up[@]}"
equal 'it is judged by the table' "$(jq -r '.checks[] | select(.verdict == "fail").name' out)" loads
exits 'a choice of ways' 0 "${run[@]}" "${up[@]}" "${choice[@]}"
equal 'comes nearer in each hop' "$(verdicts .max_hops loads congestion)" '[4,"pass","not-checked"]'
whole=$(jq -r .digest out)
for how in '--threads 3' '--engine simd' '--shuffle 5'; do
    [[ $how == *simd && ${2-} != proofs ]] && continue # Yosys
    # shellcheck disable=SC2086 # words
    exits "the same with $how" 0 "${run[@]}" "${up[@]}" "${choice[@]}" $how
    equal 'to the bit' "$(jq -r .digest out)" "$whole"
done
exits 'beside the own router' 0 compare tiles rtl fattree:4 hotspot:m=8 "${up[@]}" "${choice[@]}" --deliveries --quiet
exits 'in a sweep' 0 sweep fattree:4 uniform --rates 0.2,0.4 --cycles 600 "${up[@]}" "${choice[@]}" --quiet
exits 'a way back' 1 "${run[@]}" "${up[@]}" "${choice[@]}" --define WRONG_TURN
contains 'is named' out 'wrong turn: word head 0->5 #0.0 does not come nearer'
exits 'another port than that of the table' 1 "${run[@]}" "${tree[@]}" --define WRONG_TURN
contains 'is named, too' out 'by the routing table'
exits 'half of the configuration port' 5 "${run[@]}" "${tree[@]}" --define HALF_PORT
contains 'is refused' err 'only a part of the configuration port'
exits 'alone' 0 tile check fattree:4 --only "${tree[@]}"
exits 'alone, with a choice' 0 tile check fattree:4 --only "${up[@]}" --router routing=any
exits 'alone, with a wrong turn' 1 tile check fattree:4 --only "${tree[@]}" --define WRONG_TURN
repeat=$(sed -n 's/^  repeat *ecube //p' out)
# shellcheck disable=SC2086 # words
exits 'which the command repeats' 1 $repeat
exits 'the own router, alone' 0 tile check dragonfly:2,2,1 --only
damage sound ec_fifo.sv
exits 'the own router as one of the user' 0 run dragonfly:2,2,1 uniform:rate=0.3 --cycles 500 --format json \
    --rtl "$(files sound ,)" --top ec_router
whole=$(jq -r .digest out)
exits 'and as it is' 0 run dragonfly:2,2,1 uniform:rate=0.3 --cycles 500 --format json
equal 'give the same, with classes in the table' "$(jq -r .digest out)" "$whole"

# --- sets of ports in a table: all ways up and the way down, for the router that computes its ways
# sets UP: of fattree:4, with these ports up from the first routers for node 9
sets()
{
    awk -v up="$1" 'BEGIN {
        for (v = 0; v < 20; v++)
            for (d = 0; d < 16; d++) {
                leaf = int(d / 2)
                port = v < 8 ? (leaf == v ? 4 + d % 2 : d == 9 ? up : "0|1") \
                     : v >= 16 ? int(leaf / 2) : int(leaf / 2) == int(v % 8 / 2) ? leaf % 2 : "2|3"
                printf "%s%s", port, d < 15 ? " " : "\n"
            }
    }'
}
sets '0|1' >sets.txt
set=(--router 'routing=table,table=sets.txt')
exits 'a table with sets' 0 audit fattree:4 uniform:rate=0.3 "${set[@]}" --format json
equal 'is free of deadlock whatever is chosen' \
    "$(jq -c '[.deadlock_free, .deadlock_possible, .longer_paths, .max_link_load, .bound_rate]' out)" '[true,"no",0,null,null]'
exits 'judges a router that chooses' 0 "${run[@]}" "${up[@]}" "${set[@]}"
equal 'by its ports' "$(verdicts .max_hops loads ledger congestion)" '[4,"pass","pass","not-checked"]'
whole=$(jq -r .digest out)
exits 'in parts' 0 "${run[@]}" "${up[@]}" "${set[@]}" --threads 3
equal 'it is the same' "$(jq -r .digest out)" "$whole"
sets 1 >narrow.txt
for how in '--threads 1' '--threads 3'; do
    # shellcheck disable=SC2086 # words
    exits 'a port outside its set' 1 "${run[@]}" "${up[@]}" --router routing=table,table=narrow.txt $how
    contains 'is named' out 'router 2, output port0: wrong turn: word head 5->9 #0.0 leaves by a port that the routing table does not'
    equal "with $how" "$(jq -c '[.checks[] | select(.verdict == "fail").name]' out)" '["loads"]'
done
exits 'the configuration port has no room' 5 "${run[@]}" "${tree[@]}" "${set[@]}"
contains 'for sets' err 'tree_router takes its routing table by the configuration port, whose entries have one port'
exits 'no comparison with the own router' 2 compare tiles rtl fattree:4 shift:q=1 --deliveries "${up[@]}" "${set[@]}"
contains 'which has one port in each entry' err 'router 0 has 2 ports for node 2'
# On the ring of six routers: the other way round too, where both are equally long; and where they are not.
circle()
{
    awk -v both="$1" 'BEGIN { for (v = 0; v < 6; v++) for (d = 0; d < 6; d++) { way = (d - v + 6) % 6
        printf "%s%s", way == 0 ? 2 : way == both ? "0|1" : way <= 3 ? 0 : 1, d < 5 ? " " : "\n" } }'
}
circle 3 >circle.txt
exits 'a cycle of waiting by choices' 1 audit graph:file=six.net uniform:rate=0.1 --router routing=table,table=circle.txt --format json
equal 'is found' "$(jq -c '[.deadlock_free, .deadlock_possible, .longer_paths]' out)" '[false,"not checked",0]'
exits 'and named' 1 audit graph:file=six.net uniform:rate=0.1 --router routing=table,table=circle.txt
contains 'channel by channel' out '6 channels waiting for each other in a cycle'
circle 2 >away.txt
exits 'choices that lead round' 2 audit graph:file=six.net uniform:rate=0.1 --router routing=table,table=away.txt
contains 'for ever are refused' err 'words for node 0 can go round for ever: routers 3, 4, 3'

# What is refused, with a part of the message.
while IFS='|' read -r what words message; do
    # shellcheck disable=SC2086 # words
    [[ $what == proofs && ${2-} != proofs ]] || exits "$what are refused" 2 $words
    contains 'with the reason' err "$message"
done <<'END'
algorithms|run fattree:4 shift:q=1 --algorithm best|expected --algorithm direct
patterns of coordinates|run fattree:4 tornado|choose shift
collective operations|run fattree:4 allreduce:m=16|got a graph
another routing|run fattree:4 shift:q=1 --router routing=dor|routing=table
other backends|run fattree:4 shift:q=1 --backend systemc|backend 'tiles'
other sides of a comparison|compare tiles systemc fattree:4 shift:q=1|the backend
many links|run fattree:22 shift:q=1|22 links at a router: expected at most 20
pictures of schedules|draw fattree:4 shift:q=1|graph
checks of all modes|tile check fattree:4|a routing table is for one network
choices of the own router|run fattree:4 shift:q=1 --router routing=minimal|expected --rtl FILES
sets for the own router|run fattree:4 shift:q=1 --router routing=table,table=sets.txt|router 0 has 2 ports for node 2
sets without a network|tile check fattree:4 --only --router routing=table,table=sets.txt|in a network only
order that needs no promise|audit graph:file=six.net uniform:rate=0.1 --router routing=table,table=round.txt,ordered=yes|order follows from the path
proofs|tile prove fattree:4|
END
done_testing
