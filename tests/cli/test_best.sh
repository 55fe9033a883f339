#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --algorithm best is the fastest of all algorithms, direct included, that the ports allow.
. "$(dirname "$0")/lib.sh"

# cycles ALGORITHM OPTION...: the cycles of a run with that algorithm; empty if it does not apply.
cycles()
{
    local algorithm=$1
    shift
    "$ecube" run "$topology" "$workload" --algorithm "$algorithm" "$@" --format json 2>/dev/null | jq .cycles
}

mapfile -t names < <("$ecube" list algorithms --format json | jq -r '.algorithms[].name' | grep -vx best)
check 'there are algorithms to choose from' test "${#names[@]}" -gt 20
while read -r topology workload options; do
    read -ra words <<<"$options"
    least=$(for name in "${names[@]}"; do cycles "$name" "${words[@]}"; done | sort -n | head -n 1)
    # Direct traffic may use all ports, too, unless ports= is given.
    if [[ $options != *ports=* ]]; then
        direct=$(cycles direct "${words[@]}" --router ports=all)
        least=$((direct < least ? direct : least))
    fi
    exits "best on $topology $workload $options" 0 \
        run "$topology" "$workload" --algorithm best:block=1 "${words[@]}" --format json
    equal 'takes no longer than any other' "$(jq .cycles out)" "$least"
    equal 'as the first of its candidates says' \
        "$(jq -r '[.candidates[0].cycles, "best:block=1 (\(.candidates[0].algorithm))" == .algorithm] | @csv' out)" "$least,true"
    equal 'the others are not faster' "$(jq '[.candidates[].cycles] | min' out)" "$least"
    check 'and no number is a guess' test \
        "$(jq -r '[.candidates[].basis] | unique - ["predicted", "measured", "at-least"] | length' out)" = 0
done <<'END'
cube:6 transpose:K=64
cube:6 transpose:K=64 --router ports=one
cube:6 transpose:K=64 --router ports=all
cube:6 transpose:K=64,m=8
cube:4 gsh:cycle=7-6-5-4,K=16,m=8 --router ports=one
cube:3 gsh:cycle=5-0+~4,K=8,m=2 --startup 20
cube:4 bitrev:K=4,m=9 --packet 3
END

# Direct was left out once, one port was not respected, and packets were of one element only.
for row in '- pipelined:block=6 48 all' 'ports=all pipelined:block=6 48 all' 'ports=one direct 153 one'; do
    read -r router name time ports <<<"$row"
    [[ $router == - ]] && router=vcs=1
    run run cube:6 transpose:K=64 --algorithm best --router "$router" --format json
    equal "with $router" "$(jq -r '[.algorithm, .cycles, .candidates[0].ports] | join(" ")' out)" "best ($name) $time $ports"
    equal 'with the ports it names' "$(jq -r .router out | grep -o 'ports=[a-z]*')" "ports=$ports"
done
equal 'one port admits algorithms for one port only' "$(jq -r '[.candidates[].ports] | unique | join(" ")' out)" one

# An audit does not simulate: algorithms without a prediction are listed with a bound, but not chosen.
run audit cube:6 transpose:K=64 --algorithm best
contains 'an audit chooses by predictions' out 'by best (pipelined:block=6)'
contains 'and shows the next ones' out '  runners-up  align:block=6, ports=all: 48 cycles predicted'
contains 'and algorithms without a prediction' out '  unknown     direct, ports=all: at least 34 cycles (no prediction; '
run run cube:6 transpose:K=64 --algorithm best:block=1
contains 'a run names the choice' out '  best        direct, ports=all: 71 cycles measured'
contains 'and the cycles of the next one' out '  runners-up  pipelined, ports=all: 96 cycles predicted'
run run cube:6 transpose:K=64 --algorithm pipelined --format json
equal 'of a named algorithm there are no candidates' "$(jq .candidates out)" null

done_testing
