#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Routing tables: made of dimension order they give what dimension order gives, to the cycle; read from a file they
# give other paths, which audit, run, model and users' routers agree on.
#
#   test_table.sh PROGRAM [systemc]
. "$(dirname "$0")/../compare/lib.sh"
default=$source_root/harness/program/regress/default.txt

# with_table PATTERN: the rows of the baseline, with routing=table, for shapes that are compiled.
with_table()
{
    grep -E "$1" "$default" | grep -vE 'ports=all|vcs=4|depth=8|va=|random-init|link=4' | awk '{
        at = index($0, " = "); row = substr($0, 1, at - 1)
        if (!sub(/--router /, "--router routing=table,", row)) row = row " --router routing=table"
        print row substr($0, at) }'
}
with_table '^(cube:[36]|mesh:)' >rows.txt
exits 'tables of dimension order change nothing' 0 regress rows.txt --quiet
equal 'in many rows' "$(($(wc -l <rows.txt) >= 35))" 1
with_table '^(torus:4x4|ring:8) .*deliveries=[0-9a-f]' >tori.txt
exits 'their classes are those of destinations' 1 regress tori.txt --quiet
contains 'which changes times only' out ' 0 in function'

# --- a file
# table CONDITION: one of mesh:4x4 that goes along x first if the condition on x, the steps to the right, and d, the
# destination, holds.
table()
{
    awk 'BEGIN {
        print "# along x if '"$1"'"
        for (v = 0; v < 16; v++)
            for (d = 0; d < 16; d++) {
                x = d % 4 - v % 4; y = int(d / 4) - int(v / 4)
                port = v == d ? 4 : y == 0 || x != 0 && ('"$1"') ? (x < 0 ? 1 : 0) : (y < 0 ? 3 : 2)
                printf "%d%s", port, d < 15 ? " " : "\n"
            }
    }'
}
table 'x < 0' >west.txt # first, then along y, then east
table 'd % 2' >both.txt
file=(--router 'vcs=1,routing=table,table=west.txt')
exits 'the paths of a file' 0 run mesh:4x4 randperm:m=16 "${file[@]}" --format json
equal 'are other ones' "$(jq -r '.router, .digest != $other' --arg other "$("$ecube" run mesh:4x4 randperm:m=16 --format json | jq -r .digest)" out | xargs)" \
    'vcs=1,depth=4,switching=wormhole,ports=one,dateline=off,routing=table,table=west.txt,packet=16 true'
digest=$(jq -r .digest out)
exits 'in parts they are the same' 0 run mesh:4x4 randperm:m=16 "${file[@]}" --threads 3 --format json
equal 'to the cycle' "$(jq -r .digest out)" "$digest"
exits 'their bound is found' 0 audit mesh:4x4 uniform:rate=0.1,m=4 "${file[@]}" --format json
equal 'and no deadlock' "$(jq -c '[.bound_rate, .deadlock_free]' out)" '[0.535714285714,true]'
exits 'which is none of both orders' 1 audit mesh:4x4 uniform:rate=0.1,m=4 --router vcs=1,routing=table,table=both.txt
contains 'whose channels are named' out 'channels waiting for each other in a cycle'
exits 'and it stops' 4 run mesh:4x4 uniform:rate=0.9,m=16 --router vcs=1,routing=table,table=both.txt --no-failure-wave
contains 'at these' out 'buffers wait for each other'
sed '2s/ 2/ 1/' west.txt >wrong.txt
exits 'a wrong port is refused' 2 run mesh:4x4 randperm:m=16 --router vcs=1,routing=table,table=wrong.txt
contains 'by its name' err 'routing table: router 0 sends words for node 4 to port 1 (-x), which leads nowhere'

# --- other routers
if [[ ${2:-} == systemc ]]; then
    exits 'the model follows a file' 0 compare tiles systemc mesh:4x4 uniform:rate=0.5,m=4 --cycles 500 "${file[@]}" --quiet
    exits 'and classes' 0 compare tiles systemc torus:4x4 uniform:rate=0.4,m=4 --cycles 500 --router routing=table --quiet
fi
hs=(-F "$source_root/harness/library/example/routers/handshake/files.f" --top hs_adapter --quiet)
exits 'a router of yours has its own table' 0 run mesh:4x4 randperm:m=16 --router routing=table "${hs[@]}"
exits 'which is compared with the file' 1 run mesh:4x4 randperm:m=16 "${file[@]}" "${hs[@]}" --no-failure-wave
contains 'hop by hop' out 'by the routing table'
for words in 'the engine simd:--engine simd' 'the backend flat:--backend flat'; do
    # shellcheck disable=SC2086 # words
    exits "not with ${words%%:*}" 2 run mesh:4x4 randperm:m=16 "${file[@]}" ${words#*:}
done
exits 'alone in this network' 0 tile check mesh:4x4 --only "${file[@]}" --quiet
exits 'and no other' 2 tile check mesh:4x4 "${file[@]}"
contains 'which is said' err 'expected --only with it'
exits 'a router of yours is sound with its own table' 0 tile check mesh:4x4 --only --router vcs=1,routing=table "${hs[@]}"
exits 'and wrong with the file' 1 tile check mesh:4x4 --only "${file[@]}" "${hs[@]}"
contains 'at a port' err 'by the routing table'
exits 'no proof' 2 tile prove mesh:4x4 "${file[@]}"
done_testing
