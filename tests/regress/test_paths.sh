#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Paths that the source draws, order=class and routing=valiant, and one crossbar input for each port: bounds, closed
# forms, runs in parts, small buffers, and what is refused.
#
#   test_paths.sh PROGRAM [systemc]
. "$(dirname "$0")/../compare/lib.sh"

# bound TOPOLOGY PATTERN ROUTER EXPECTED: rate and mean hops, which papers and textbooks have
bound()
{
    exits "$1 $2 $3" 0 audit "$1" "$2:rate=0.1" --router "$3" --format json
    equal 'has the bound of all draws' "$(jq -c '[.bound_rate + 0, .mean_hops + 0, .deadlock_free]' out)" "[$4,true]"
}
bound mesh:8x8 transpose order=low 0.142857142857,6
bound mesh:8x8 transpose order=class 0.285714285714,6
bound mesh:8x8 uniform order=class 0.4921875,5.33333333333
bound mesh:8x8 uniform routing=valiant 0.25,10.5
bound torus:8x8 tornado routing=valiant,ties=balanced 0.5,8
bound torus:8x8 bitcomp routing=valiant,ties=balanced 0.5,8
bound cube:6 bitcomp routing=valiant 1,6

# same TOPOLOGY WORKLOAD ROUTER: in three parts and, with small buffers, without a deadlock
same()
{
    exits "$1 $2 $3" 0 run "$1" "$2" --router "$3" --format json --quiet
    local one
    one=$(jq -r .digest out)
    exits 'in three parts' 0 run "$1" "$2" --router "$3" --format json --quiet --threads 3
    equal 'is the same' "$(jq -r .digest out)" "$one"
    exits 'with buffers of a word' 3 run "$1" uniform:rate=0.9,m=5 --router "$3,depth=1" --format json --quiet --cycles 2000 \
        --no-failure-wave
    equal 'is no deadlock' "$(jq -r .verdict out)" unstable
    [[ $systemc != systemc ]] || exits 'the model agrees' 0 compare tiles systemc "$1" "$2" --router "$3" --quiet
}
systemc=${2:-}
same torus:4x4 randperm:m=9 vcs=4,order=class
same torus:4x4 uniform:rate=0.2 vcs=4,order=class
same mesh:4x4 randperm:m=9 vcs=2,routing=valiant
same mesh:4x4 uniform:rate=0.2,m=4 vcs=2,routing=valiant
same mesh:4x4 uniform:rate=0.2,m=4 vcs=2,speedup=1

printf 'cycle,source,destination,words\n1,0,15,8\n' >one.csv
for router in vcs=4,order=class vcs=2,routing=valiant; do
    network=$([[ $router == *class ]] && echo torus:4x4 || echo mesh:4x4)
    exits 'a message that is alone' 0 run "$network" trace:file=one.csv --router "$router" --format json
    equal 'takes the time of the closed form' "$(jq -r '.predicted_cycles == .cycles and .cycles > 0' out)" true
    exits 'requests with replies' 2 audit mesh:4x4 uniform:rate=0.1,reply=4 --router "${router/vcs=4/vcs=2}"
    contains 'are refused' err 'requests and replies need'
    exits 'schedules' 2 run cube:3 shift:q=5,labels=gray,m=8 --algorithm gohil-cube --router "${router/vcs=4/vcs=2}"
    contains 'are refused, too' err 'one path between two nodes'
    exits 'a router of yours' 2 run mesh:4x4 randperm:m=8 --router "${router/vcs=4/vcs=2}" -F "$source_root/harness/library/example/routers/handshake/files.f" --top hs_adapter
    contains 'has paths of its own' err 'leave out --top'
    exits 'nor has a proof' 2 tile prove mesh:2x2 --router "${router/vcs=4/vcs=2}" -F "$source_root/harness/library/example/routers/handshake/files.f" --top hs_adapter
    contains 'such a router' err "${router#vcs=?,} is an option of ecube's own router: leave out --top"
    exits 'no other modes' 2 tile check mesh:4x4 --router "${router/vcs=4/vcs=2}"
    exits 'the router keeps the contract' 0 tile check "$network" --only --router "$router" --quiet
done

# digest ROUTER: of one run
digest()
{
    exits "$1" 0 run mesh:4x4 randperm:m=40 --router "$1" --format json --quiet
    jq -r .digest out >"$1"
}
for router in vcs=1 vcs=1,speedup=1 vcs=2,va=dynamic vcs=2,va=dynamic,speedup=1 \
    vcs=2,va=dynamic,speedup=vcs; do digest "$router"; done
equal 'two VCs have an input each by default' "$(<vcs=2,va=dynamic,speedup=vcs)" "$(<vcs=2,va=dynamic)"
equal 'one VC has one crossbar input' "$(<vcs=1,speedup=1)" "$(<vcs=1)"
check 'two VCs have two' [ "$(<vcs=2,va=dynamic,speedup=1)" != "$(<vcs=2,va=dynamic)" ]
exits 'another number of inputs' 2 audit mesh:4x4 transpose:rate=0.1 --router vcs=4,speedup=2
contains 'is refused' err 'speedup'
exits 'a router of yours' 2 run mesh:4x4 randperm:m=8 --router speedup=1 -F "$source_root/harness/library/example/routers/handshake/files.f" --top hs_adapter
contains 'has crossbar inputs of its own' err 'leave out --top'
exits 'also in a proof' 2 tile prove mesh:2 --router vcs=2,speedup=1 -F "$source_root/harness/library/example/routers/handshake/files.f" --top hs_adapter
contains 'it has' err 'leave out --top'
exits 'the router keeps the contract' 0 tile check mesh:4x4 --only --router vcs=2,speedup=1 --quiet
done_testing
