#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Routers of other microarchitectures (valid/ready, a pipeline of two stages and more, credits before the word
# leaves) go through every door that is open to one's own router.
. "$(dirname "$0")/../cli/lib.sh"
here=$source_root/tests/foreign
router=(--rtl "$here/vr_router.sv,$here/vr_switch.sv" --top vr_router)

# --- run: all checks hold but those that need ecube's own timing or taps.
while read -r topology workload options; do
    # shellcheck disable=SC2086
    exits "run $topology $workload" 0 run "$topology" "$workload" $options "${router[@]}" --format json
    equal 'taps are not there' "$(jq -c '[.contended_cycles, .starved_cycles]' out)" '[null,null]'
    # shellcheck disable=SC2086
    exits "it delivers what ecube's router delivers" 0 \
        compare tiles rtl "$topology" "$workload" $options "${router[@]}" --deliveries --quiet
done <<'END'
cube:3 shift:q=5,m=16
cube:3 bitcomp:m=3 --router depth=1
cube:3 uniform:rate=0.2,m=1..5 --cycles 1000
mesh:4x3 randperm:m=9
mesh:2x3 uniform:rate=0.2,m=1..5 --cycles 1000 --eject-stall 0.3
mesh:4x3 hotspot:m=4 --router order=high
END
# --- a second one, of yet another school: structs and packages, a file that is included, an asynchronous reset,
# a queue in the router behind that of its adapter, so that credits return long before words leave.
noc=(--rtl "$here/noc/include/noc_defines.svh,$here/noc/rtl/noc_pkg.sv,$here/noc/rtl/noc_router.sv,$here/noc_adapter.sv"
    --top noc_adapter)
exits 'tile check of the second one' 0 tile check mesh:4x4 mesh:3x5 "${noc[@]}"
while read -r topology workload options; do
    # shellcheck disable=SC2086
    exits "run $topology $workload on it" 0 run "$topology" "$workload" $options "${noc[@]}" --quiet
    # shellcheck disable=SC2086
    exits 'and the same is delivered' 0 \
        compare tiles rtl "$topology" "$workload" $options "${noc[@]}" --deliveries --quiet
done <<'END'
mesh:4x4 transpose:m=8
mesh:3x5 hotspot:m=4 --router depth=1
mesh:4x4 uniform:rate=0.3,m=1..6 --cycles 1000 --eject-stall 0.2 --router depth=2
END
run run torus:4x4 shift:q=1 "${noc[@]}" --quiet
equal 'what it refuses it says itself' "$status $(grep -c noc_error_meshes_of_two_dimensions err)" '5 1'
exits 'an order that it does not know is seen' 1 run mesh:4x4 transpose:m=8 --router order=high "${noc[@]}" \
    --no-failure-wave --quiet
contains 'and named' out 'wrong turn: word'

# Two cycles a router instead of one: a message of m words over h links takes 2h + m + 2 cycles.
printf 'cycle,source,destination,words\n1,0,7,5\n' >one.csv
run run cube:3 trace:file=one.csv "${router[@]}" --format json
equal 'its time is its own' "$(jq -c '[.verdict, .cycles]' out)" '["pass",13]'

# --- compare: in lock-step it must differ, and where is known: the word is in router 0 in cycle 2.
exits 'in lock-step it differs' 1 compare tiles rtl cube:3 trace:file=one.csv "${router[@]}" \
    --format json --no-failure-wave
equal 'in the first cycle in which pipelines can differ' \
    "$(jq -c '.divergence | [.cycle, .node, .port, .field, .a_text, .b_text]' out)" \
    '[2,0,0,"word out","head VC 0  0->7 #0.0","no word"]'
exits 'with itself it agrees' 0 compare rtl rtl cube:3 uniform:rate=0.3,m=4 --cycles 500 "${router[@]}"
contains 'without taps' out 'a side has no taps'

# --- waves
exits 'a wave of it' 0 run cube:3 shift:q=5,m=4 "${router[@]}" --wave foreign.fst --quiet
check 'is there' test -s foreign.fst

# --- claims: those of paths hold on it; those that count cycles are predicted for ecube's own pipeline.
exits 'claims of paths hold on it' 0 claims grama.cube.map grama.cube.ecube.cfree grama.cube.longest \
    "${router[@]}" --quiet
exits 'claims of cycles do not' 1 claims grama.cube.steps "${router[@]}" --quiet
check 'and say which cycles' grep -qE 'cycles of 1 steps: 5 != 3' out

# --- the Moore rule
exits 'tile check finds nothing' 0 tile check cube:3 mesh:4x3 "${router[@]}"
contains 'and says what it did' out 'keeps the Moore rule'
exits "ecube's own router passes too" 0 tile check cube:3
contains 'in the same words' out 'keeps the Moore rule'
# mealy NAME FROM TO: a router whose output follows an input is refused at once, with the output's name.
mealy()
{
    sed "s/$2/$3/" "$here/vr_router.sv" >mealy.sv
    check "there is a router with $1 that follows inputs" test "$(cmp mealy.sv "$here/vr_router.sv" | wc -l)" -eq 1
    run run cube:3 shift:q=5 --rtl "mealy.sv,$here/vr_switch.sv" --top vr_router --quiet
    equal "it is refused" "$status $(wc -l <err)" '2 1'
    contains "with its reason" err 'breaks the Moore rule'
    contains "and the output's name" err "its output $1"
}
mealy link_o 'assign link_o\[64\*p +: 64\] = ' "&credit_i[p] ? 64'd0 : "
mealy credit_o 'assign credit_o\[p\] = credit_q' '& \&\& !link_i[64*p + 63]'

# --- the diagnosis: a credit before its word is no swallowed word, a wrong turn is a wrong turn.
cat >turn.sed <<'END'
s/assign in_to\[Pw\*p +: Pw\] = to;/assign in_to[Pw*p +: Pw] = coord_q == 16'd5 \&\& to == Pw'(1) ? Pw'(2) : to;/
END
sed -f turn.sed "$here/vr_router.sv" >turn.sv
printf 'cycle,source,destination,words\n1,4,7,8\n' >turn.csv
exits 'a wrong turn is caught' 1 run cube:3 trace:file=turn.csv --rtl "turn.sv,$here/vr_switch.sv" \
    --top vr_router --no-failure-wave --quiet
contains 'and named' out 'router 5 (101), port dim2: wrong turn'
cat >swallow.sed <<'END'
s/if (room) full_q\[o\] <= choice != '0;/if (room) full_q[o] <= choice != '0 \&\& data_d[12:0] != 13'd3;/
END
sed -f swallow.sed "$here/vr_switch.sv" >swallow.sv
exits 'a swallowed word is caught' 1 run cube:3 trace:file=turn.csv --rtl "$here/vr_router.sv,swallow.sv" \
    --top vr_router --no-failure-wave --quiet
contains 'where the word behind it comes first' out 'no buffer has it at its front'

# --- what it does not support it says itself.
run run torus:4x4 shift:q=1 "${router[@]}" --quiet
equal 'two virtual channels are refused by its own RTL' "$status $(wc -l <err)" '5 1'
contains 'with its own words' err 'vr_error_one_virtual_channel_and_one_local_port_only'

done_testing
