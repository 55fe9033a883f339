#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube run --precision`: a measurement, its repetition by a fixed window, and how it ends.
. "$(dirname "$0")/lib.sh"

# --- What cannot be measured is refused before anything runs.
refused 2 "--precision requires an open-loop workload" run cube:3 bitrev --precision 2%
refused 2 'cannot be combined with --warmup' run cube:3 uniform:rate=0.1 --precision 2% --warmup 5
refused 2 'expected a number from 0.0001 to 0.5, or in percent' run cube:3 uniform:rate=0.1 --precision 0
refused 2 'expected a number from 0.0001 to 0.5, or in percent' run cube:3 uniform:rate=0.1 --precision 200%
refused 2 'at most 100 cycles (--cycles): expected 512' run cube:3 uniform:rate=0.1 --precision 2% --cycles 100

# --- The fixed window of a measurement repeats its figures to the last digit.
figures='[.latency, .network_latency, .accepted, .offered, .window_messages, .window_missing, .round_trip_latency,
    [.classes[]? | del(.messages, .packets, .words, .packets_measured, .independent, .[keys[] | select(test("half|low|high"))])]]'
repeated() # RUN...
{
    exits "$* has the precision" 0 run "$@" --precision 5% --format json
    equal "$*: the state" "$(jq -r .measurement.state out)" steady
    jq -c "$figures" out >measured
    equal "$*: the figures are those of the measurement" \
        "$(jq -c '[.latency.mean, .latency.p50, .latency.p95, .latency.p99, .latency.max, .accepted]' out)" \
        "$(jq -c '.measurement | [.latency, .p50, .p95, .p99, .max, .accepted]' out)"
    equal "$*: the intervals contain them" \
        "$(jq -c '.measurement | .latency_half <= 0.05 * .latency and .p50_low <= .p50 and .p50 <= .p50_high and
            .p95_low <= .p95 and .p95 <= .p95_high and .p99_low <= .p99 and .p99 <= .p99_high' out)" true
    run run "$@" --warmup "$(jq .measurement.truncated out)" --cycles "$(jq .measurement.window out)" --format json
    equal "$*: the window repeats them" "$(jq -c "$figures" out)" "$(cat measured)"
    equal "$*: without a measurement of its own" "$(jq -c '[.measurement[]] | unique' out)" '[null]'
}
repeated torus:4x4 uniform:rate=0.3,m=8
repeated cube:3 uniform:rate=0.8,m=1..4 --router ports=all --seed 7
repeated mesh:8x8 transpose:rate=0.08,m=4 --eject-stall 0.1

# --- So does that of each class, and the classes together are all packets.
# shellcheck disable=SC2016 # jq
classes() # NAMES RUN...
{
    local names=$1
    shift
    repeated "$@"
    run run "$@" --precision 5% --format json
    equal "$*: its classes" "$(jq -c '[.classes[].name]' out)" "$names"
    equal "$*: together they are all packets" \
        "$(jq -c 'def all(f): [.classes[] | f] | add; def near(a; b): (a - b | fabs) < 1e-9; [all(.words) == .words,
            all(.packets) == .packets, all(.messages) == .messages, all(.packets_measured) == .measurement.packets,
            near(all(.accepted); .accepted), near(all(.offered); .offered),
            near(all(.packets_measured * .latency_mean) / .measurement.packets; .latency.mean)] | all' out)" true
    equal "$*: each has intervals" \
        "$(jq -c '[.classes[] | 0 < .latency_half and .latency_half < 0.15 * .latency_mean and
            0 < .accepted_half and .accepted_half < 0.1 * .accepted and .latency_p50_low <= .latency_p50 and
            .latency_p95_low <= .latency_p95 and .latency_p99_low <= .latency_p99 and
            .latency_p50 <= .latency_p50_high and .latency_p95 <= .latency_p95_high and
            .latency_p99 <= .latency_p99_high] | all' out)" true
}
classes '["uniform:m=4","hotspot:node=5:share=0.2:m=8"]' mesh:4x4 mix:rate=0.15,m=4,of=uniform@0.7+hotspot:node=5:m=8@0.3
classes '["requests","replies"]' torus:4x4 uniform:rate=0.05,m=2,reply=5,think=30 --router vcs=4
equal 'round trips have intervals' \
    "$(jq -c '.round_trip_latency as $l | .measurement | $l.mean == .round_trip and 0 < .round_trip_half and
        .round_trip_half < 0.02 * .round_trip and .round_trip_p99_low <= $l.p99 and $l.p99 <= .round_trip_p99_high' out)" true
equal 'and are a request, its think time and its reply' \
    "$(jq '([.classes[].latency_mean] | add + 30) - .measurement.round_trip | fabs < 1e-6' out)" true
run run torus:4x4 uniform:rate=0.05,m=1,reply=1 --router vcs=4 --precision 20%
check 'the text has them, too' grep -q 'round trip [0-9.]* +- ' out
check 'and those of each class' grep -q 'replies .* accepted [0-9.]* +- [0-9.]* of [0-9.]*, latency [0-9.]* +- \([0-9.]*\|? (correlated)\) ' out

# --- How it ends otherwise.
exits 'beyond saturation' 3 run cube:3 uniform:rate=0.95,m=8 --precision 5% --format json
equal 'accepted has an interval, latency is not measured' \
    "$(jq -c '[.verdict, .steady, .measurement.state, .measurement.latency, .latency.mean, .measurement.p99_high,
        .measurement.accepted_half > 0, .measurement.least_share < 1]' out)" \
    '["unstable","no","saturated",null,null,null,true,true]'
exits 'a limit that is too low' 3 run cube:3 uniform:rate=0.5,m=8 --precision 1% --cycles 10000
contains 'is named' out 'expected +- 1 %'
contains 'with a higher one' out 'a higher limit to try: --cycles '
contains 'the text names the window' out ' repeats them)'
exits 'a limit of less than ten bursts' 3 run cube:3 uniform:rate=0.3,m=2,burst=1000,on=0.5 --precision 10% --cycles 8192
contains 'a limit with enough of them' out 'a higher limit to try: --cycles 40000'
exits 'sources that end in an odd window' 3 run torus:4x4 uniform:rate=0.9,m=2,burst=1.2,on=0.5 --cycles 3001
contains 'are overloaded' out 'the backlogs of 16 sources grow'

# --- An interval is right or absent.
correlated=(run cube:3 uniform:rate=0.6,m=8 --precision 10% --cycles 8192)
exits 'correlated batches' 3 "${correlated[@]}" --format json
equal 'have a mean, but no intervals of latency' "$(jq -c '.measurement | [.state, .independent, .latency > 0, .p99 > 0,
    .latency_half, .p50_low, .p50_high, .p99_low, .p99_high, .accepted_half > 0]' out)" \
    '["limit",false,true,true,null,null,null,null,null,true]'
contains 'the check says why' out 'its interval is not known: batches are correlated'
exits 'the text' 3 "${correlated[@]}"
equal 'has no other interval' "$(grep -c 'latency [0-9.]* +- [0-9]' out)" 0
contains 'and says why' out ' +- ? (not known: batches are correlated)'
exits 'a few packets, although they are precise' 3 run torus:4x4 uniform:m=4,rate=0.1 --precision 10% --cycles 5000
contains 'are named as what is missing' out 'after 4992 cycles, but of only 1750 packets: expected at least 2000'

# --- In lists.
printf '%s\n' 'cube:3 uniform:rate=0.2,m=4 --precision 10%' 'cube:3 uniform:rate=0.2,m=4' >list
exits 'a list of both kinds' 0 run --from list --format csv
equal 'has the columns of both' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "measurement_state") at = NF - i }
    NR > 1 { print "<" $(NF - at) ">" }' out | xargs)" '<steady> <>'
done_testing
