#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A soak of equal sides agrees; one with a damaged side ends with a command that differs, and a smaller one.
#
#   test_soak.sh PROGRAM [long]
#
# Without `long` the seeds draw networks that are compiled anyway (../shapes/meson.build).
. "$(dirname "$0")/lib.sh"

wired=(--cycles 1000000 --seed 1115) any=(--cycles 1500000 --seed 2171)
[[ ${2:-} != long ]] || wired=(--cycles 2000000) any=(--cycles 5000000)

flat=(compare tiles flat --soak "${wired[@]}" --quiet)
exits 'tiles and flat agree' 0 "${flat[@]}"
check 'the soak reports its extent' grep -qE \
    '^AGREE  tiles, flat  [0-9]+ random configurations, [0-9]{7} router-cycles, [0-9]+ s$' out
first=$(sed 's/, [0-9]* s$//' out)
exits 'again' 0 "${flat[@]}"
equal 'the same seed draws the same' "$(sed 's/, [0-9]* s$//' out)" "$first"

# Deliveries are known at the end of a run: such a soak draws no deadlocks and no limits.
exits 'tiles and tiles deliver the same' 0 compare tiles tiles --soak --deliveries "${any[@]}" --quiet
check 'and the soak reports its extent' grep -qE '^AGREE  tiles, tiles  [0-9]+ random .*, [0-9]{7} router-cycles' out

damage later ec_arbiter.sv "(-(moving << 1))" "(-moving)"
exits 'a damaged arbiter is found' 1 compare tiles rtl --soak --cycles 100000000 --quiet \
    --rtl "$(files later ,)" --top ec_router --no-failure-wave
cp out soak
contains 'the soak shows the place' soak 'differs  '
for label in 'found by' smaller; do
    command=$(sed -n "s/^  $label *ecube //p" soak)
    check "there is a command: $label" test -n "$command"
    eval "run $command --no-failure-wave --format json"
    equal "the command differs: $label" "$status $(jq .verdict out)" '1 "fail"'
    jq '[.nodes, .words, .divergence.cycle]' out >"${label%% *}.json"
done
equal 'the smaller one has fewer nodes' "$(jq -n --slurpfile a found.json --slurpfile b smaller.json '$b[0][0] < $a[0][0]')" true
equal 'and ends in fewer cycles' "$(jq -n --slurpfile a found.json --slurpfile b smaller.json '$b[0][2] <= $a[0][2]')" true

done_testing
