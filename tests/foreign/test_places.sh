#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A router whose place is a parameter is compiled for each place; one that sees relative coordinates only shows the
# same at translated places.
. "$(dirname "$0")/../cli/lib.sh"
here=$source_root/tests/foreign
# The lowest bit of the coordinates is a parameter.
sed "s/^  parameter int DepthMax = 4,/&\n  parameter int Low = 0,/; s/coord_q <= coord_i;/coord_q <= {coord_i[15:1], 1'(Low)};/" \
    "$here/vr_router.sv" >placed.sv
placed=(--rtl "placed.sv,$here/vr_switch.sv" --top vr_router)
exits 'each place is compiled' 0 run cube:3 bitcomp:m=3 "${placed[@]}" --parameter Low=%x0 --format json
check 'with progress' grep -q 'vr_router: 1 of 1 built' err
equal 'and the placeholder is in the result' "$(jq -r .build out)" '--parameter Low=%x0'
exits 'a larger network shares them, too' 0 run cube:3 uniform:rate=0.2,m=1..5 --cycles 500 "${placed[@]}" \
    --parameter Low=%x0 --shuffle 3 --random-init 4 --format json
whole=$(jq -c '[.digest, .simulated_cycles, .checks]' out)
exits 'and two threads' 0 run cube:3 uniform:rate=0.2,m=1..5 --cycles 500 "${placed[@]}" \
    --parameter Low=%x0 --shuffle 3 --random-init 4 --format json --threads 2
equal 'with the same result' "$(jq -c '[.digest, .simulated_cycles, .checks, .parts]' out)" "${whole%]},2]"
exits 'it delivers what the one with pins delivers' 0 compare "tiles:rtl=$here/vr_router.sv+$here/vr_switch.sv,top=vr_router" \
    rtl cube:3 uniform:rate=0.3,m=4 --cycles 300 "${placed[@]}" --parameter Low=%x0
exits 'a curve of it' 0 sweep cube:3 uniform:m=3 --rates 0.1 --cycles 2000 --plot own.svg \
    --vary "rtl=mine=$here/vr_router.sv+$here/vr_switch.sv:top=vr_router"
contains 'has its name in the key' own.svg 'rtl=mine'
contains 'and in the text' out 'rtl=mine'
exits 'the wrong place is caught' 1 run cube:3 bitcomp:m=3 "${placed[@]}" --parameter Low=%x1 --quiet
contains 'by its wrong turns' out 'wrong turn'
contains 'without a wave' out 'failure     no wave: the place of vr_router is a parameter'
exits 'tile check tries the places of the network' 0 tile check cube:2 "${placed[@]}" --parameter Low=%x0
contains 'and no other parameters' out 'not tried: the place is a parameter, and every place would be compiled'

# --- a wide network has more coordinates than places that are tried thoroughly
sed "s/assign in_to\[Pw\*p +: Pw\] = to;/assign in_to[Pw*p +: Pw] = coord_q[7:3] == 5'd3 \&\& to == Pw'(2) ? '0 : to;/" \
    "$here/vr_router.sv" >wide.sv
exits 'a wrong turn in 8 of 200 columns is found' 1 tile check mesh:200x200 --only --no-failure-wave \
    --rtl "wide.sv,$here/vr_switch.sv" --top vr_router
contains 'and named' err 'output +x: wrong turn'

# --- relative coordinates
cp "$here/vr_router.sv" whole.sv
whole=(--rtl "whole.sv,$here/vr_switch.sv" --top vr_router)
exits 'a router that cannot tell its place' 0 tile check cube:2 --only --relative "${whole[@]}"
contains 'is the same at all places' out 'relative coordinates: 4 pairs of places show the same'
sed "s/assign out_ready\[p\] = credits_q != '0/logic odd_q;\n    always_ff @(posedge clk_i) odd_q <= !rst_i \&\& !odd_q;\n    & \&\& !(odd_q \&\& coord_q == 16'd2)/" \
    "$here/vr_router.sv" >slow.sv
exits 'one that can is caught' 1 tile check cube:2 --only --relative --no-failure-wave --rtl "slow.sv,$here/vr_switch.sv" \
    --top vr_router
check 'with the other place' grep -qE 'differs from that of router . \(..\) with the same traffic, translated' err
contains 'and a command that repeats it' out '--relative --only'
exits 'a sound router may' 0 tile check cube:2 --only --rtl "slow.sv,$here/vr_switch.sv" --top vr_router
done_testing
