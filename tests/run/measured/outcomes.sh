#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How often a load passes, by its part of saturation: the table of docs/MEASUREMENT.md. Saturation is taken as the largest load that passes a window of 40000 cycles, found by five bisections.
#
#   outcomes.sh ECUBE SEEDS WINDOW...
set -eu
ecube=$1 seeds=$2
shift 2
networks='mesh:8x8 uniform:m=4 0.1 0.5
cube:3 uniform:m=8 0.2 0.9
ring:8 uniform:m=1+8 0.1 0.6 --router vcs=2
torus:4x4 uniform:m=8 0.1 0.8 --router vcs=2
mesh:8x8 transpose:m=1 0.05 0.3
mesh:4x4 hotspot:m=4 0.05 0.5
cube:4 bitrev:m=1..8 0.1 0.8 --router switching=cut-through,depth=8
cube:4 uniform:m=4 0.1 0.9 --router switching=store-and-forward,depth=4'

at() { awk "BEGIN { printf \"%.5g\", $1 }"; }

# outcomes RATE WINDOW: of the network in the variables, a line for each seed.
outcomes()
{
    for ((seed = 1; seed <= seeds; seed++)); do
        echo "$topology $workload,rate=$1 --cycles $2 --seed $seed $options"
    done | "$ecube" run --from - --format csv --quiet --no-failure-wave | sed 's/"[^"]*"/text/g' | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "steady") at = i }
        NR > 1 { n[$at]++ }
        END { print n["yes"] + 0, n["too short"] + 0, n["no"] + 0 }' || true
}

while read -r topology workload low high options; do
    for _ in 1 2 3 4 5; do
        middle=$(at "($low + $high) / 2")
        # shellcheck disable=SC2086 # words
        if "$ecube" run "$topology" "$workload,rate=$middle" --cycles 40000 --quiet $options >/dev/null; then
            low=$middle
        else
            high=$middle
        fi
    done
    for window; do
        for part in 0.1 0.5 0.8 0.9 1 1.05 1.1 1.2; do
            echo "$topology $workload $options, saturation $low, window $window, load $part:" \
                "$(outcomes "$(at "$low * $part")" "$window")"
        done
    done
done <<<"$networks"
