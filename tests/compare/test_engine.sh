#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Users' routers with the engine simd: the same words and credits as with Verilator's code, or a refusal that names the
# cause. Each variant is compiled by both.
#
#   test_engine.sh PROGRAM [long]
. "$(dirname "$0")/lib.sh"

cp -r "$source_root/harness/library/example/routers" routers
cp -r "$source_root/rtl/adapter" .
export ECUBE_RTL=$PWD
adapter=routers/handshake/hs_adapter.sv
hs=(-F routers/handshake/files.f --top hs_adapter)
traffic=(mesh:4x4 uniform:rate=0.4,m=1..9 --cycles 500 --no-failure-wave)

# agree SENTENCE KEYS: each word and credit of both engines.
agree()
{
    local side="file-list-here=routers/handshake/files.f,top=hs_adapter$2"
    exits "$1" 0 compare "tiles:$side" "simd:$side" "${traffic[@]}" --quiet
}

# digest OPTION...
digest() { "$ecube" run "${traffic[@]}" "${hs[@]}" --format json "$@" 2>err | jq -r '.digest'; }

if [[ ${2:-} == long ]]; then
    agree 'both engines agree on a router of yours' ''
    throttle=(--parameter Throttle=1)
    agree 'with a parameter, too' ",parameter=${throttle[1]}"
    equal 'a random start changes nothing' "$(digest "${throttle[@]}" --engine simd --random-init 7)" "$(digest "${throttle[@]}")"
fi

# Registers that have a first value and no reset; a product; an asynchronous reset; a file that is included.
echo '  logic stop_q = 1'"'"'b0;' >more.svh
sed -i 's/^endmodule/`include "more.svh"\n  always_ff @(posedge clk_i) stop_q <= stop_q \&\& coord_i != 16'"'"'hffff;\n&/
    s/^    \.my_x,/    .my_x(stop_q ? ~my_x : my_x * (1 + stop_q)),/' $adapter
sed -i 's/always_ff @(posedge clk_i) credits_q <= rst_i ? depth_i :/always_ff @(posedge clk_i or posedge rst_i)\
    if (rst_i) credits_q <= 16'"'"'d4; else credits_q <=/' adapter/ec_link_out.sv
agree 'asynchronous resets and first values are read' ',include=.'
exits 'auto runs it' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine auto --verbose
contains 'with simd' out 'engine      simd'
contains 'all its checks' out 'no error message after the reset'
equal 'which stay at a random start' "$(digest --include . --engine simd --random-init 7)" "$(digest --include .)"
exits 'the router is in the cache' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine simd
equal 'and not built' "$(grep -c building err)" 0
if [[ ${2:-} == long ]]; then
    echo '// changed' >>more.svh
    exits 'it is built again' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine simd
    contains 'if an included file has changed' err 'have changed'
fi

sed -i 's/^endmodule/  assign undeclared = rst_i;\n&/' $adapter
exits 'an implicit name is refused' 5 run "${traffic[@]}" "${hs[@]}" --include . --engine simd
contains 'with the reason' err "Identifier \`\\undeclared' is implicitly declared"
exits 'where auto takes Verilator' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine auto --verbose
contains 'and says why' out 'engine      verilator: Yosys may read another circuit'

# shellcheck disable=SC2016 # a task of SystemVerilog
sed -i 's/^  assign undeclared.*/  always_ff @(posedge clk_i) if (coord_i == 16'"'"'hffff) $display("never");/' $adapter
exits 'a router with messages runs' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine simd
contains 'without a verdict on them' out 'not checked rtl (the engine simd leaves out'
exits 'auto takes Verilator' 0 run "${traffic[@]}" "${hs[@]}" --include . --engine auto --verbose
contains 'because of them' out 'engine      verilator: the router has assertions'
done_testing
