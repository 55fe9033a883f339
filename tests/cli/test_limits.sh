#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every row of the table "Numbers" in docs/LIMITS.md, at the limit and one beyond: one beyond is refused with
# status 2 and one line that names the limit.
#
#   test_limits.sh PROGRAM        the quick part
#   test_limits.sh PROGRAM long   the largest audits, and whole runs at the limits
. "$(dirname "$0")/lib.sh"
how=${2:-quick}
: >known

# limit IDENTIFIER [FILE]: the following lines, or a test in FILE, test the row with this identifier.
limit()
{
    echo "$1" >>known
    [[ $# -eq 1 ]] || contains "$1 is tested in $2" "$source_root/$2" "${3:-$1}"
}

# accepted ARGUMENTS...: exit status 0, or 1 of an audit with --expect.
accepted()
{
    exits "ecube $* is accepted" 0 "$@"
}

quick()
{
    limit EC_NODES_MAX
    refused 2 '2 to 16777216 nodes' audit mesh:4097x4096 neighbor
    refused 2 'N from 1 to 16777216' audit ring:16777217 neighbor
    limit EC_DIMS_MAX
    twelve=1x2x1x1x2x1x1x2x1x1x2x1
    accepted audit "mesh:${twelve}x$twelve" neighbor
    refused 2 'more than 24 dimensions' audit "mesh:${twelve}x${twelve}x1" neighbor
    refused 2 'D from 1 to 24' audit cube:25 neighbor
    limit GRAPH_ROUTERS_MAX
    printf 'routers 8193\n' >many.net
    refused 2 'N from 1 to 8192' audit graph:file=many.net shift:q=1
    limit GRAPH_NODES_MAX
    printf 'routers 3000\nnodes 0-2999 22\n' >many.net
    refused 2 '66000 nodes: expected 2 to 65536' audit graph:file=many.net shift:q=1
    limit FLIT_HOPS_MAX tests/unit/run/test_limits.c 'INT64_MAX'
    limit EC_RTL_ADDRESS_BITS
    refused 2 '21 address bits' run cube:21 neighbor
    refused 2 '21 address bits' run mesh:1025x1023 neighbor
    refused 2 '21 address bits' run torus:1048577 neighbor
    limit check_draws
    accepted audit mesh:32x32 neighbor --router routing=valiant
    refused 2 '10 each; this network needs 11' audit mesh:32x33 neighbor --router routing=valiant
    limit EC_TILE_DIMS_MAX
    refused 2 'expected at most 20, the limit of the RTL' run mesh:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 neighbor
    limit EC_TILE_PORTS_MAX
    refused 2 'routers of 68 ports: expected at most 64' run mesh:2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 neighbor --router ports=all
    limit EC_VCS_MAX
    accepted audit torus:4x4 neighbor --router vcs=8
    refused 2 'expected 1, 2, 4 or 8' run torus:4x4 neighbor --router vcs=9
    refused 2 'expected 1, 2, 4 or 8' run torus:4x4 neighbor --router vcs=6
    limit EC_STAGES_MAX
    accepted run torus:4x4 neighbor --router stages=3,va=dynamic
    refused 2 'from 1 to 3' run torus:4x4 neighbor --router stages=4
    limit EC_LINK_MAX
    accepted run torus:4x4 neighbor --router link=64
    refused 2 'from 1 to 64' run torus:4x4 neighbor --router link=65
    limit EC_DEPTH_MAX
    accepted run mesh:8x8 neighbor:m=2000 --router depth=1024
    refused 2 'from 1 to 1024' run mesh:8x8 neighbor --router depth=1025
    refused 2 'from 1 to 1024' run mesh:8x8 neighbor --router depth=0
    limit EC_MESSAGE_WORDS_MAX tests/unit/run/test_limits.c '1u << 24'
    accepted run cube:3 shift:q=5,m=65536 # once refused as not in flight
    exits 'the longest range is accepted' 3 run cube:3 uniform:rate=0.00005,m=1..16777216 --cycles 1000 # too short
    refused 2 '1 to 16777216' run cube:3 shift:q=5,m=16777217
    refused 2 '1 to 16777216' run cube:3 uniform:rate=0.5,m=1..16777217
    refused 2 '1 to 16777216' run cube:3 uniform:rate=0.5,m=1+16777217
    echo 1,0,7,16777216 >long.csv
    accepted audit cube:3 trace:file=long.csv
    echo 1,0,7,16777217 >longer.csv
    refused 2 '1 to 16777216' run cube:3 trace:file=longer.csv
    accepted audit ring:8 shift:q=3,m=16777216 --algorithm ring
    refused 2 'words from node 0 to 1: expected 1 to 16777216' \
        audit cube:3 transpose:K=8,m=16777216 --algorithm pipelined:block=8
    limit EC_MESSAGES_MAX tests/unit/run/test_limits.c
    limit number_bits tests/unit/run/test_scoreboard.c
    limit CYCLE_MAX
    echo 281474976710656,0,7,3 >last.csv
    for command in run audit 'compare tiles tiles'; do
        # shellcheck disable=SC2086 # words
        accepted $command cube:3 trace:file=last.csv
    done
    echo 281474976710657,0,7,3 >late.csv
    for command in run audit 'compare tiles tiles'; do
        # shellcheck disable=SC2086 # words
        refused 2 '1 to 281474976710656' $command cube:3 trace:file=late.csv
    done
    limit CYCLES_MAX tests/unit/run/test_limits.c 'UINT64_C(1) << 60'
    limit CLI_INTEGER_MAX
    accepted run cube:3 shift:q=1 --cycles 9007199254740991 --seed 9007199254740991 \
        --shuffle 9007199254740991
    for option in --cycles --warmup --seed --shuffle; do
        refused 2 'to 9007199254740991' run cube:3 uniform:rate=0.1 "$option" 9007199254740992
    done
    limit cli_number32
    accepted run cube:3 shift:q=1 --packet 4294967295
    accepted audit cube:3 shift:q=1 --startup 4294967295
    contains 'and all its cycles are counted' out '4294967300'
    for option in --startup --packet --local-cost --random-init; do
        refused 2 'to 4294967295' run cube:3 shift:q=1 "$option" 4294967296
    done
    limit ec_schedule_workload # 16 moves before the first transfer
    moves='cube:3 gsh:cycle=5-4-3-2,K=16 --algorithm align --local-cost'
    # shellcheck disable=SC2086 # words
    accepted audit $moves 268435455
    contains 'and its cycles are counted' out '4294967307'
    # shellcheck disable=SC2086 # words
    refused 2 'less than 2^32 cycles' audit $moves 268435456
    limit PREDICTION_MAX tests/unit/run/test_limits.c 'a_prediction_fits_its_number_or_is_none'
    limit RATE_MAX
    refused 2 'at most 64' run cube:3 uniform:rate=64.0001,m=100
    refused 2 'expected a rate below 8' run cube:3 uniform:rate=8,m=8
    limit LEAST_RATE
    exits 'the lowest rate is accepted' 3 run cube:3 uniform:rate=1e-12 --cycles 1000 # too short
    refused 2 'at least 1e-12' run cube:3 uniform:rate=0.99e-12
    refused 2 'at least 8.38861e-06' run cube:3 uniform:rate=0.000008,m=1..16777216
    limit BURST_MAX
    exits 'the longest burst is accepted' 3 run cube:3 uniform:rate=0.1,burst=1e9 --cycles 1000 # too short
    refused 2 'burst=1 to 1e9' run cube:3 uniform:rate=0.1,burst=1.1e9
    refused 2 'burst=1 to 1e9' run cube:3 uniform:rate=0.1,burst=0.99,on=0.1
    limit LEAST_BURST
    exits 'the rarest message in a burst is accepted' 3 run cube:3 uniform:rate=0.5e-6,burst=1 --cycles 1000 # too short
    refused 2 'one burst in 1e+06' run cube:3 uniform:rate=0.49e-6,burst=1
    limit THINK_MAX
    refused 2 'from 0 to 1000000' audit cube:3 uniform:rate=0.1,reply=1,think=1000001
    refused 2 'set --warmup 2002 or more' run cube:3 uniform:rate=0.1,reply=1,think=1001,classes=1
    accepted audit cube:3 uniform:rate=0.1,reply=1,think=1000000
    limit EC_PARTS_MAX
    eight=uniform+uniform+uniform+uniform+uniform+uniform+uniform+uniform
    accepted run cube:3 "mix:rate=0.1,of=$eight"
    refused 2 'at most 8 parts' run cube:3 "mix:rate=0.1,of=$eight+uniform"
    limit SHARE_MIN
    accepted run cube:3 mix:rate=0.1,of=uniform@1e-6+bitrev@0.999999
    refused 2 'at least 1e-06' run cube:3 mix:rate=0.1,of=uniform@0.9e-6+bitrev
    limit eject_stall
    accepted run cube:3 shift:q=1 --eject-stall 0.99
    refused 2 'from 0 to 0.99' run cube:3 shift:q=1 --eject-stall 0.9901
    limit JOBS_MAX # below, in the long half
    limit SIZE_MOST
    truncate -s $((2 ** 30 + 1)) holes
    refused 2 'more than 1073741824 bytes' regress holes
    truncate -s $((2 ** 30)) holes
    refused 2 'a zero byte' regress holes
    rm holes
    limit LINE_MAX_BYTES
    printf 'cube:3 shift:q=1 %65519s\n' '' >line
    accepted audit --from line
    printf 'cube:3 shift:q=1 %65520s\n' '' >line
    refused 2 'more than 65536 bytes' audit --from line
    limit ROW_MAX
    printf '1,0,7,4%249s# and a comment\n' '' >row.csv
    accepted audit cube:3 trace:file=row.csv
    printf '1,0,7,4%250s\n' '' >row.csv
    refused 2 'row.csv:1: line too long' audit cube:3 trace:file=row.csv
    limit LIST_ROW_MAX # below, in the long half
    limit ID_MAX
    printf 'source,destination,words,id\n1,0,7,9223372036854775807\n' >id.csv
    accepted audit cube:3 trace:file=id.csv
    printf 'source,destination,words,id\n1,0,7,9223372036854775808\n' >id.csv
    refused 2 "id '9223372036854775808'" audit cube:3 trace:file=id.csv
    limit EC_WORKLOAD_ELEMENTS_MAX
    refused 2 '1 to 2097152' audit cube:3 bitrev:K=2097153
    limit COLLECTIVE_MAX
    refused 2 'at most 134217728 messages' audit ring:11586 allgather:m=11586
    limit ENTRIES_MAX
    refused 2 'more than 134217728 transfers' audit ring:1000000 shift:q=500000 --algorithm ring
    limit BLOCK_MAX
    accepted audit cube:3 bitrev:K=8 --algorithm best:block=1048576
    refused 2 '1 to 1048576' audit cube:3 bitrev:K=8 --algorithm best:block=1048577
    limit EC_PARTITION_MAX tests/unit/parts/test_partition.c 'cube:14|4097|1 to 4096'
    limit EC_THREADS_MAX tests/parts/test_options.sh 'from 1 to 1024'
    limit EC_FLAT_NODES_MAX
    refused 2 'at most 64' run mesh:5x13 neighbor --backend flat
    limit ec_systemc_open tests/systemc/test_backend.c
    limit EC_PRECISION_MOST
    refused 2 'precision' run cube:3 uniform:rate=0.1 --precision 50.1%
    refused 2 'precision' run cube:3 uniform:rate=0.1 --precision 0.009%
    accepted run cube:3 uniform:rate=0.1 --precision 50% --quiet
    limit VARIANTS_MAX tests/cli/test_sweep.sh 'more than 1000 variants'
    limit SWEEP_RATES_MAX
    refused 2 'more than 1000 rates' sweep cube:3 uniform --rates 0.0005:0.5005:0.0005
    limit CLI_SEEDS_MAX
    refused 2 'seeds' sweep cube:3 uniform --rates 0.1 --seeds 1001
    limit cli_slice_read
    echo 'cube:3 neighbor' >short
    accepted audit --from short --slice 1/99999
    refused 2 '99999' audit --from short --slice 1/100000
    limit DELAY
    printf 'source,destination,words,delay,step\n0,7,4,4294967295,4294967295\n' >delay.csv
    accepted audit cube:3 trace:file=delay.csv
    printf 'source,destination,words,delay\n0,7,4,4294967296\n' >delay.csv
    refused 2 'a number of cycles' audit cube:3 trace:file=delay.csv
    printf 'source,destination,words,step\n0,7,4,4294967296\n' >delay.csv
    refused 2 'a step' audit cube:3 trace:file=delay.csv
    limit EC_WAVE_NODES_MAX
    accepted run torus:8x8 neighbor --router vcs=2 --wave a.fst --wave-nodes all
    refused 2 '65 routers: expected at most 64' \
        run mesh:5x13 neighbor --wave a.fst --wave-nodes all
    refused 2 'at most 64' run cube:20 neighbor --wave a.fst --wave-nodes all # before the audit
    echo 1,0,69,1 >far.csv
    refused 2 'the longest path has 70 routers' run mesh:70 trace:file=far.csv --wave a.fst
    limit LAYOUT_NODES_MAX
    accepted draw cube:6 shift:q=1 -o a.svg
    refused 2 'at most 64 nodes' draw mesh:5x13 neighbor -o a.svg
    limit COLUMNS_MAX
    accepted draw cube:1 gsh:cycle=10-0,K=800 --algorithm pipelined -o a.svg
    refused 2 'at most 400 x 400' draw cube:1 gsh:cycle=10-0,K=802 --algorithm pipelined -o a.svg
    limit BLOCKS_MAX
    accepted draw cube:5 gsh:cycle=5-0+6-1+7-2+8-3+9-4,K=32 --algorithm pipelined --what table --names paper -o a.txt
    refused 2 'at most 5 blocks' \
        draw cube:6 gsh:cycle=6-0+7-1+8-2+9-3+10-4+11-5,K=64 --algorithm pipelined --what table --names paper

    # The limits in the table, and the limits tested here.
    sed -n '/^## Numbers/,/^## /p' "$source_root/docs/LIMITS.md" | grep '^|' |
        awk -F'|' 'NR > 2 { print $4 }' | grep -oE '[A-Za-z_0-9]+' | sort -u >rows
    sort -u known >tried
    equal 'every row of LIMITS is tried, and no other' "$(comm -3 rows tried | tr -d '\t')" ''
    check 'the table was found' test "$(wc -l <rows)" -gt 20
}

long()
{
    accepted audit mesh:16777216 neighbor:m=16777216
    accepted audit cube:24 neighbor
    refused 2 '2^63 - 1' audit mesh:16777216 shift:q=8388608,m=16777216 --quiet
    accepted run cube:4 bitcomp:K=1048576
    accepted run cube:20 neighbor
    accepted run mesh:2x2x1x1x1x1x1x1x1x1x1x1x1x1x1x2 neighbor:m=100 --router ports=all
    accepted run cube:3 shift:q=5,m=16777216
    contains 'in as many cycles as predicted' out '16777220 cycles'
    accepted run cube:3 shift:q=5,m=16777216 --packet 1
    accepted run ring:8 shift:q=3,m=16777216 --algorithm ring
    accepted compare tiles tiles cube:3 shift:q=5,m=16777216
    printf '%s\n' 1,0,7,16777216 1,1,0,16777216 281474976710656,0,7,4 281474976710656,0,7,4 >t.csv
    accepted run cube:3 trace:file=t.csv
    printf 'source,destination,words,id,after\n0,1,1,1,\n1,0,7,,1%67108856s\n' '' >list.csv # 2^26 characters
    accepted audit cube:3 trace:file=list.csv
    printf 'source,destination,words,id,after\n0,1,1,1,\n1,0,7,,1%67108857s\n' '' >list.csv
    refused 2 'list.csv:3: line too long' audit cube:3 trace:file=list.csv
    rm list.csv
    accepted run cube:6 shift:q=1 --backend flat
    echo 'cube:3 shift:q=5,m=16777216' >baseline
    accepted regress baseline --update
    accepted regress baseline
    yes 'cube:1 shift:q=1' | head -n 1000000 >list
    accepted audit --from list --format csv -o list.csv
    equal 'a million audits' "$(wc -l <list.csv)" 1000001
    echo 'cube:1 shift:q=1' >>list
    refused 2 'list:1000001: more than 1000000 runs' audit --from list
}

"$how"
done_testing
