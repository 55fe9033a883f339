#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The routers and adapters of docs/guide/BRING-YOUR-OWN-ROUTER.md keep the contract and deliver, in their own times.
. "$(dirname "$0")/../cli/lib.sh"
routers=$source_root/harness/library/example/routers

# adapter FOLDER TOP OPTIONS...
adapter()
{
    local options=(-F "$routers/$1/files.f" --top "$2" "${@:3}")
    exits "$1 ${*:3} keeps the contract" 0 tile check mesh:4x4 --only --relative "${options[@]}" --quiet
    contains 'and cannot tell its place' out 'relative coordinates: '
    for workload in transpose:m=8 hotspot:m=4 'uniform:rate=0.3,m=1..6 --cycles 1000 --eject-stall 0.2'; do
        # shellcheck disable=SC2086 # words
        exits 'it delivers the same' 0 compare tiles rtl mesh:4x4 $workload "${options[@]}" --deliveries --quiet
    done
    exits 'on a larger network, too' 0 run mesh:3x7 shift:q=1,m=8 "${options[@]}" --quiet
}

# timed CYCLES: the run of the last adapter
timed()
{
    equal 'in its own time' "$(head -n 1 out | grep -o '[0-9]* cycles.*')" "$1 cycles"
}
adapter credit cr_adapter
timed 17
exits 'a row of routers is served' 0 run mesh:9 neighbor:m=3 -F "$routers/credit/files.f" --top cr_adapter --quiet
adapter look-ahead la_adapter
timed 35
adapter handshake hs_adapter --parameter Slices=0
timed 26
adapter handshake hs_adapter --parameter Slices=2
timed 44
adapter handshake hs_adapter --parameter Throttle=1
adapter virtual-channels vc_adapter --router va=dynamic,vcs=2
timed 35
exits 'also with 4 VCs, most of which are busy' 0 compare tiles rtl mesh:4x4 'uniform:rate=0.5,m=1..6' --cycles 500 \
    -F "$routers/virtual-channels/files.f" --top vc_adapter --router va=dynamic,vcs=4 --deliveries --quiet
adapter length lh_adapter --router switching=store-and-forward,depth=8
done_testing
