#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The routers and adapters of docs/guide/BRING-YOUR-OWN-ROUTER.md keep the contract and deliver; their times are measured.
. "$(dirname "$0")/../cli/lib.sh"
routers=$source_root/harness/example/routers

# adapter FOLDER TOP OPTIONS...
adapter()
{
    local options=(-F "$routers/$1/files.f" --top "$2" "${@:3}")
    exits "$1 ${*:3} keeps the contract" 0 tile check mesh:4x4 --only --relative "${options[@]}" --quiet
    contains 'and cannot tell its place' out 'relative coordinates: '
    grep '^  time' out >time.txt
    for workload in transpose:m=8 hotspot:m=4 'uniform:rate=0.3,m=1..6 --cycles 1000 --eject-stall 0.2'; do
        # shellcheck disable=SC2086 # words
        exits 'it delivers the same' 0 compare tiles rtl mesh:4x4 $workload "${options[@]}" --deliveries --quiet
    done
    exits 'on a larger network, too' 0 run mesh:3x7 shift:q=1,m=8 "${options[@]}" --quiet
}

# timed CONSTANTS CYCLES: the last adapter
timed()
{
    check "time: $1" grep -q "time  $1" time.txt
    equal 'which the run shows' "$(head -n 1 out | grep -o '[0-9]* cycles.*')" "$2"
}
adapter credit cr_adapter
timed '1 cycle a router, 1 a word; full rate with depth=2 or more' '17 cycles = calibrated (1 cycle a router, 1 a word)'
exits 'a row of routers is served' 0 run mesh:9 neighbor:m=3 -F "$routers/credit/files.f" --top cr_adapter --quiet
equal 'constants of meshes with turns are not used for it' "$(head -n 1 out | grep -o '[0-9]* cycles.*')" '12 cycles'
adapter look-ahead la_adapter
timed '3 cycles a router' '35 cycles = calibrated (3 cycles a router, 1 a word)'
adapter handshake hs_adapter --parameter Slices=0
timed '2 cycles a router' '26 cycles = calibrated (2 cycles a router, 1 a word)'
adapter handshake hs_adapter --parameter Slices=2
timed '4 cycles a router' '44 cycles = calibrated (4 cycles a router, 1 a word)'
adapter handshake hs_adapter --parameter Throttle=1
check 'a time that is not affine has no constants' grep -q 'no constants: depth=4: a message of . words from node' time.txt
check 'and a run says nothing' grep -qE ' [0-9]+ cycles$' out
adapter virtual-channels vc_adapter --router va=dynamic,vcs=2
timed '3 cycles a router, 1 a word; full rate with depth=4 or more' '35 cycles = calibrated (3 cycles a router, 1 a word)'
exits 'also with 4 VCs, most of which are busy' 0 compare tiles rtl mesh:4x4 'uniform:rate=0.5,m=1..6' --cycles 500 \
    -F "$routers/virtual-channels/files.f" --top vc_adapter --router va=dynamic,vcs=4 --deliveries --quiet
adapter length lh_adapter --router switching=store-and-forward,depth=8
equal 'store-and-forward is not calibrated' "$(cat time.txt)" ''

# Without quiet_o all routers of a large network are stepped: that takes long, and does not change the verdict.
env --default-signal=INT "$ecube" tile check mesh:100x100 --only -F "$routers/handshake/files.f" --top hs_adapter >out 2>err &
child=$!
until grep -q 'mesh:100x100: measuring the time' err || ! kill -0 $child 2>/dev/null; do sleep 0.1; done
kill -s INT $child
wait $child
equal 'an interrupted calibration ends' "$? $(tail -n 1 err)" '130 ecube: interrupted'
contains 'and the verdict is kept' out 'keeps the contract and the Moore rule'
done_testing
