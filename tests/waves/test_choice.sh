#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The routers and cycles of a wave, its files, and refused requests.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# The routers of a dump, in the order of their names.
routers()
{
    fst2vcd "$1" 2>/dev/null |
        awk '$1 == "$scope" && ++depth == 1 { print $3 } $1 == "$upscope" { depth-- }' | sort -V | xargs
}

# chooses TOPOLOGY LIST EXPECTED...
chooses()
{
    local topology=$1 list=$2
    shift 2
    run run "$topology" uniform:rate=0.1,m=2 --cycles 40 --warmup 0 --wave w.fst --wave-nodes "$list"
    equal "$topology: --wave-nodes $list" "$(routers w.fst)" "$*"
}

chooses cube:3 5 n5_101
chooses cube:3 '(101)' n5_101
chooses cube:3 0-2,7 n0_000 n1_001 n2_010 n7_111
chooses cube:3 path:5-0 n0_000 n4_100 n5_101
chooses cube:3 'path:(101)-(000),5' n0_000 n4_100 n5_101
chooses torus:4x4 '(1,2)' n9_x1_y2
chooses torus:4x4 x1y2,0 n0_x0_y0 n9_x1_y2
chooses torus:4x4 'path:(0,0)-(1,1)' n0_x0_y0 n1_x1_y0 n5_x1_y1
run run cube:3 shift:q=1 --wave w.fst
equal "all of a small network by default" "$(routers w.fst | wc -w)" 8
run run torus:4x4 transpose --router vcs=2 --wave w.fst
equal "the longest path of a larger one" "$(routers w.fst | wc -w)" 5

# Layouts: every signal of the layout is in the dump.
run run torus:4x4 tornado:m=6 --router vcs=2 --wave w.fst --wave-nodes all
fst2vcd w.fst 2>/dev/null |
    awk '$1 == "$scope" { path[++d] = $3 } $1 == "$upscope" { d-- }
         $1 == "$var" { name = ""; for (i = 1; i <= d; i++) name = name path[i] "."; print name $5 }' | sort -u >have
sed -n 's/^+{[^}]*} \([^[]*\).*/\1/p' w.gtkw | sort -u >want
check "the layout for GTKWave names signals" test -s want
equal "the layout for GTKWave names no signal that the dump lacks" "$(comm -13 have want | head -n 1)" ""
sed -n 's/^variable_add //p' w.sucl | sort -u >want
check "the layout for Surfer names signals" test -s want
equal "the layout for Surfer names no signal that the dump lacks" "$(comm -13 have want | head -n 1)" ""
# GTKWave finds the labels from any folder only if the layout has its own name before theirs.
equal "the layout names itself first" "$(head -n 1 w.gtkw)" '[savefile] "w.gtkw"'
check "the layout groups by router" grep -q '^-router 9 (1,2)$' w.gtkw
check "labels tell words apart" grep -q '?\[0->5 #0\.0 v[0-3]$' w.labels
check "no temporary file is left" test -z "$(compgen -G '*tmp*')"

mkdir folder.fst
refused 2 'is not a node of cube:3' run cube:3 shift:q=1 --wave w.fst --wave-nodes 8
refused 2 'is not a node of cube:3' run cube:3 shift:q=1 --wave w.fst --wave-nodes '(1,2)'
refused 2 'empty item' run cube:3 shift:q=1 --wave w.fst --wave-nodes 1,,2
refused 2 'is empty: 3 is greater than 1' run cube:3 shift:q=1 --wave w.fst --wave-nodes 3-1
refused 2 'SRC-DST' run cube:3 shift:q=1 --wave w.fst --wave-nodes path:3
refused 2 "'': expected two nodes" run cube:3 shift:q=1 --wave w.fst --wave-nodes path:
refused 2 "'-1': expected two nodes" run cube:3 shift:q=1 --wave w.fst --wave-nodes -1
refused 2 "'1-': expected two nodes" run cube:3 shift:q=1 --events w.txt --events-packets 1-
refused 2 'at most 64' run mesh:8x9 shift:q=1 --wave w.fst --wave-nodes all
refused 2 'expected FROM:TO with FROM' run cube:3 shift:q=1 --wave w.fst --wave-cycles 9:3
refused 2 'not a range of cycles' run cube:3 shift:q=1 --wave w.fst --wave-cycles x
refused 2 'counted from 1' run cube:3 shift:q=1 --wave w.fst --wave-cycles 0:4
refused 2 'needs --wave' run cube:3 shift:q=1 --wave-nodes 1
refused 2 'needs --events' run cube:3 shift:q=1 --events-nodes 1
refused 2 'expected text, jsonl or perfetto' run cube:3 shift:q=1 --events e --events-format xml
refused 2 'No such file' run cube:3 shift:q=1 --wave no/such/w.fst
refused 2 'it is a folder' run cube:3 shift:q=1 --wave folder.fst
refused 2 'expected FILE.fst' run cube:3 shift:q=1 --wave w.vcd
refused 2 'expected FILE.fst' run cube:3 shift:q=1 --wave .fst
refused 2 'No such file' run cube:3 shift:q=1 --events no/such/e

# An interrupted run leaves the cycles dumped so far.
"$ecube" run cube:3 uniform:rate=0.05,m=2 --cycles 1000000000 --wave part.fst --wave-cycles 1:500 \
    >out 2>err </dev/null &
pid=$!
until (($(ticks $pid) >= 20)); do sleep 0.05; done
kill -TERM $pid # background jobs of a script ignore SIGINT
wait $pid
equal "an interrupted run leaves its wave" "$(routers part.fst | wc -w)" 8
check "and its layout" test -s part.gtkw

done_testing
