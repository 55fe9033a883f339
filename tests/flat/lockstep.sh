#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole reports of two backends, every channel and every packet in them, are the same.
#
#   lockstep.sh PROGRAM TOPOLOGY ROUTER [BACKEND]
#
# BACKEND is compared with tiles: flat if none is given.
#
# FLAT_DATA is where the flat network's RTL is taken from, if not from where the tiles' is.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
ecube=$1 topology=$2 router=$3 other=${4:-flat}
runs=0

# If there is an algorithm for this topology, its schedule: by steps, and by data under back-pressure.
case $topology in
cube:1) schedule='' ;;
cube:*) schedule='shift:q=3,labels=gray,m=6 --algorithm gray-forward' ;;
ring:[3-9]*) schedule='shift:q=2,m=6 --algorithm ring' ;;
torus:3x3) schedule='shift:q=7,m=6 --algorithm plain' ;;
torus:4x4) schedule='shift:q=6,m=6 --algorithm per-column' ;;
*) schedule='' ;;
esac

# Saturated and light traffic at random, a permutation in long messages, back-pressure.
{
    for switching in wormhole cut-through store-and-forward; do
        for order in low high; do
            pins="--router $router,depth=4,switching=$switching,order=$order"
            echo "$topology uniform:rate=0.8,m=1..5 $pins --cycles 300 --warmup 20"
            echo "$topology uniform:rate=0.1,m=4 $pins --cycles 300 --warmup 20 --seed 2"
            echo "$topology randperm:m=23 $pins"
            echo "$topology uniform:rate=0.3,m=3 $pins --cycles 200 --warmup 0 --eject-stall 0.4"
            [ -z "$schedule" ] || {
                echo "$topology $schedule $pins --startup 3"
                echo "$topology $schedule $pins --sync data --eject-stall 0.4"
            }
        done
    done
} >"$work/runs"
runs=$(wc -l <"$work/runs")

# Wall-clock times and the name of the backend may differ.
own='.backend, .command, .seconds, .cpu_seconds, .router_cycles_per_second, .peak_rss_bytes,
     .shape_key, .stepped'
# The model in SystemC has no RTL that could complain, and does not check VCs.
[ "$other" != systemc ] || own+=', (.checks[]? | select(.name == "vcs" or .name == "rtl"))'
for backend in tiles "$other"; do
    status=0
    if [ "$backend" = flat ] && [ -n "${FLAT_DATA:-}" ]; then export ECUBE_DATA=$FLAT_DATA; fi
    "$ecube" run --from "$work/runs" --backend "$backend" --packets --no-failure-wave --format json \
        >"$work/$backend.json" 2>"$work/$backend.err" || status=$?
    echo "status $status" >"$work/$backend.out"
    jq -S --indent 1 "del($own)" "$work/$backend.json" >>"$work/$backend.out"
    [ "$(jq -r .backend "$work/$backend.json" | sort -u)" = "$backend" ] ||
        { cat "$work/$backend.err" >&2; fail "not $backend"; }
done
[ "$(jq -s 'map(select(.words > 0)) | length' "$work/tiles.json")" = "$runs" ] ||
    { cat "$work/tiles.err" >&2; fail "tiles: not $runs runs with traffic"; }
if ! diff -U 0 "$work/tiles.out" "$work/$other.out" >"$work/diff"; then
    head -n 20 "$work/diff" >&2
    fail "$topology $router: the reports of tiles and $other differ"
fi
# Watchers see the same, link by link: a backend may number its ports differently, but must
# show them as those of the tiles.
unset ECUBE_DATA
for backend in tiles "$other"; do
    if [ "$backend" = flat ] && [ -n "${FLAT_DATA:-}" ]; then export ECUBE_DATA=$FLAT_DATA; fi
    "$ecube" run "$topology" randperm:m=9 --router "$router,depth=4" \
        --backend "$backend" --no-failure-wave --quiet --events "$work/$backend.events" \
        --output "$work/$backend.txt"
done
[ "$(wc -l <"$work/tiles.events")" -gt 20 ] || fail "the event log is empty"
if ! diff -U 0 "$work/tiles.events" "$work/$other.events" >"$work/diff"; then
    head -n 20 "$work/diff" >&2
    fail "$topology $router: the event logs of tiles and $other differ"
fi

# And side by side: every word, credit and tap of every router in every cycle.
[ -n "${FLAT_DATA:-}" ] ||
    "$ecube" compare tiles "$other" --from "$work/runs" --no-failure-wave >"$work/compared" 2>&1 ||
    { tail -n 20 "$work/compared" >&2; fail "$topology $router: tiles and $other differ in lock-step"; }

echo "PASS: $runs runs, $(jq -s 'map(.packets) | add' "$work/$other.json") packets"
