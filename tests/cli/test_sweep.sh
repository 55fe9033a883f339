#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sweeps: the curve is found, does not depend on workers or interrupts, and its brackets hold.
. "$(dirname "$0")/lib.sh"

# --- What cannot be swept is refused before anything runs.
refused 2 'leave out rate=0.2' sweep cube:3 uniform:m=4,rate=0.2
echo '1,0,1,4' >one.csv
refused 2 'cannot be swept' sweep cube:3 trace:file=one.csv
refused 2 "cannot be swept" sweep cube:3 bitrev:sub=2
refused 2 "--rates '0.1,x': expected rates above 0" sweep cube:3 uniform --rates 0.1,x
refused 2 'expected rates above 0' sweep cube:3 uniform --rates 0.3:0.1:0.1
refused 2 'rate 1: rate=1 with messages of 1 word creates at least one message per node and cycle' sweep cube:3 uniform --rates 0.1,1
refused 2 "'vcs': expected KEY=VALUE" sweep cube:3 uniform --vary vcs
refused 2 'a value is empty' sweep cube:3 uniform --vary vcs=1,
refused 2 'is given twice' sweep cube:3 uniform --vary m=1 --vary m=2
refused 2 'vcs=3: router: vcs=3: expected 1, 2, 4 or 8' sweep cube:3 uniform --vary vcs=1,3
refused 2 '--vary vcs: --router has this key, too' sweep cube:3 uniform --router depth=8,vcs=8 --vary vcs=2,4
refused 2 "unknown key 'foo'" sweep cube:3 uniform --vary foo=1
refused 2 'use --rates' sweep cube:3 uniform --vary rate=0.1
refused 2 'expected FILE+FILE...:top=MODULE, the same after NAME=, or ecube' sweep cube:3 uniform --vary rtl=a.sv
refused 2 "two curves have the label 'vcs=1': expected different values" sweep cube:3 uniform --vary vcs=1,2,1
refused 2 "two curves have the label 'rtl=r': expected different values, or rtl=NAME=FILE" \
    sweep cube:3 uniform --vary rtl=old/r.sv:top=r,new/r.sv:top=r
refused 2 'more than 1000 variants' sweep cube:3 uniform --vary m="$(seq -s, 1 40)" --vary depth="$(seq -s, 1 40)"

# --- A whole curve, across saturation.
loose=(--precision 0.1 --cycles 32000)
exits 'a sweep across saturation ends with status 0' 0 \
    sweep cube:3 uniform:m=4 "${loose[@]}" --jobs 1 --format json --output curve.json
equal 'the rates ascend' "$(jq '[.curves[0].points[].rate] | . == (sort | unique)' curve.json)" true
equal 'and no two show the same' \
    "$(jq '.curves[0] | .bound as $b | [.points[].rate] | [.[1:], .[:-1]] | transpose | all(.[0] - .[1] > 0.00099 * $b)' curve.json)" true
equal 'it is steady first and saturated last' \
    "$(jq -r '.curves[0].points | .[0].state + " " + .[-1].state' curve.json)" 'steady saturated'
equal 'beyond saturation there is an accepted load but no latency' \
    "$(jq -c '.curves[0].points[-1] | [.latency, .accepted > 0.5]' curve.json)" '[null,true]'
equal 'the bound is exact' "$(jq '.curves[0] | .bound == 1 and (.zero_load - 47 / 7 | fabs) < 1e-9' curve.json)" true
equal 'at the lowest load the latency is that without contention' \
    "$(jq '.curves[0].low_load_ratio | . > 1 and . < 1.06' curve.json)" true
exits 'with two workers' 0 sweep cube:3 uniform:m=4 "${loose[@]}" --jobs 2 --format json
# shellcheck disable=SC2016 # jq
equal 'the result is the same' "$(jq -c 'del(.command)' out)" "$(jq -c 'del(.command)' curve.json)"

# --- Points without an interval decide nothing about the latency; a list of rates leaves wide brackets.
short=(sweep cube:3 uniform:m=8 --rates 0.2,0.4,0.6,0.9 --precision 10% --cycles 8192)
exits 'a sweep of short runs' 0 "${short[@]}" --format json
equal 'a mean that is certain has an interval, one of correlated batches has none, and a reason' \
    "$(jq -c '.curves[0].points[1:3][] | [.state, .latency > 0, .latency_half_width > 0, .p99 > 0, .p99_low > 0,
        (.detail // "" | test("batches are correlated"))]' out)" '["steady",true,true,true,true,false]
["limit",true,false,true,false,true]'
equal 'which does not end a bracket, although the mean is five zero loads' \
    "$(jq -c '.curves[0] | [.latency_low, .latency_high, .backlog_low]' out)" '[0.4,0.9,0.6]'
hollow=$(jq '[.curves[0].points[] | select(.latency and (.latency_half_width | not))] | length' out)
exits 'as text' 0 "${short[@]}" --plot short.svg
check 'it shows that' grep -qE '0\.6 .* [0-9.]+ \+- \? +[0-9]+ +limit$' out
equal 'so does the plot: hollow points have no bars' "$(grep -c "#gpPt5' .* scale(2" short.svg)" "$hollow"
contains 'where no run is between the ends, longer ones would not help' out 'without a run between: more --rates'

# --- A bracket ends at the bound if no run below it is beyond saturation.
exits 'rates below saturation' 0 sweep cube:3 uniform:m=4 --rates 0.1,0.2 "${loose[@]}" --format json
equal 'the upper ends are the bound' "$(jq -c '.curves[0] | [.backlog_low, .backlog_high + 0, .backlog_end, .latency_end,
    .backlog_ratio, .most_accepted]' out)" '[0.2,1,"bound","bound",null,null]'
exits 'rates at the bound and above' 0 sweep cube:1 shift:q=1,m=2 --rates 0.5,1,1.02 --precision 20% --cycles 4096 --format json
equal 'none is steady, and the bound is the end' "$(jq -c '.curves[0] | [.backlog_low, .backlog_high + 0,
    (.points[1:] | map(.state == "steady" or .state == "limit") | any)]' out)" '[0.5,1,false]'
equal 'no default rate is the bound' "$(jq -c '.curves[0] | .bound as $b | [.points[].rate] | [index($b), max > $b]' curve.json)" '[null,true]'
equal 'the accepted load beyond saturation has its rate' "$(jq -c '.curves[0] | (.points | map(select(.state == "saturated")) |
    [max_by(.accepted).accepted, max_by(.accepted).rate, .[-1].accepted, .[-1].rate]) ==
    [.most_accepted, .most_accepted_rate, .saturated_accepted, .saturated_rate]' curve.json)" true
equal 'the ends of brackets are measured here' "$(jq -c '.curves[0] | [.backlog_end, .latency_end, .backlog_high <= .bound]' curve.json)" \
    '["measured","measured",true]'

# --- The brackets hold in long runs with another seed.
low=$(jq '.curves[0].backlog_low' curve.json) high=$(jq '.curves[0].backlog_high' curve.json)
exits 'a long run at the lower end of the bracket is steady' 0 \
    run cube:3 "uniform:rate=$low,m=4" --cycles 100000 --seed 77
exits 'a long run at its upper end is not' 3 run cube:3 "uniform:rate=$high,m=4" --cycles 100000 --seed 77
exits 'nor is the latency at the ends of the other' 0 \
    run cube:3 "uniform:rate=$(jq '.curves[0].latency_low' curve.json),m=4" --cycles 100000 --seed 77 --format json
equal 'above three zero loads below it' "$(jq '.latency.mean <= 3.1 * 47 / 7' out)" true

# --- Every row has a command that repeats it; CSV and JSON are the same.
jq -r '.curves[0].points[3].command' curve.json | sed 's/^ecube/run_again/' >again
run_again()
{
    "$ecube" "$@" --format json
}
# shellcheck source=/dev/null
. ./again >again.json
equal 'the command of a row repeats it' "$(jq -c '[.latency.mean, .accepted, .seed]' again.json)" \
    "$(jq -c '.curves[0].points[3] | [.latency, .accepted, .seed]' curve.json)"
exits 'curves of two networks' 0 sweep mesh:8x8 uniform:m=4 --rates 0.1 --vary topology=mesh:8x8,torus:4x4 "${loose[@]}"
contains 'may differ in VCs' err 'the curves also differ in virtual channels'
two=(sweep cube:3 uniform --rates 0.1,0.3 --vary m=1,4 --vary order=low,high --seeds 3 "${loose[@]}")
exits 'a cross product of variants' 0 "${two[@]}" --format json --output two.json
equal 'is a curve for each' "$(jq -r '.curves[].variant' two.json)" 'm=1, order=low
m=1, order=high
m=4, order=low
m=4, order=high'
exits 'as CSV' 0 "${two[@]}" --format csv --output two.csv
equal 'it has a row for each point' "$(wc -l <two.csv)" 9
column()
{
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' |
        jq -cs .
}
sed 's/"[^"]*"/text/g' two.csv >plain.csv
for key in rate latency latency_half_width accepted p99 latency_min seed seeds; do
    equal "$key is the same in CSV and JSON" "$(column $key <plain.csv)" \
        "$(jq -c "[.curves[].points[].$key]" two.json)"
done
equal 'the mean of a row is that of its runs' \
    "$(jq '[.curves[].points[] | (([.runs[].latency] | add / 3) - .latency) | fabs < 1e-9] | all' two.json)" true
equal 'whose seeds are counted from --seed' \
    "$(jq -c '[.curves[0].points[0].runs[].seed]' two.json)" '[1,2,3]'

# --- Replicas: the same rule whatever --jobs is. Rounds of equal runs end when the common interval is narrow.
pooled=(sweep cube:3 uniform:m=4 --rates 0.3,0.55 --precision 3% --cycles 100000 --format json)
exits 'a sweep with replicas' 0 "${pooled[@]}" --replicas 8 --jobs 1 --output pooled.json
exits 'and with more workers' 0 "${pooled[@]}" --replicas auto --jobs 2 --output jobs.json
equal 'has the same result' "$(jq -c .curves jobs.json)" "$(jq -c .curves pooled.json)"
equal 'has its runs' "$(jq -c '[.curves[0].points[].runs | map(.seed)] | unique' pooled.json)" '[[1,2,3,4,5,6,7,8]]'
equal 'the easy point in few cycles, the other one in all' \
    "$(jq -c '[.curves[].points[] | .truncated + .window] | [.[0] < 30000, .[1] > 95000, .[1] <= 100000]' pooled.json)" \
    '[true,true,true]'
equal 'the interval is no narrower than their spread' \
    "$(jq '[.curves[].points[] | .latency as $mean | ([.runs[].latency - $mean | . * .] | add / 56 | sqrt * 2.36462)
        / .latency_half_width < 1.000001] | all' pooled.json)" true
equal 'and decides the state' "$(jq '[.curves[].points[]
    | (.state == "steady") == (.latency_half_width <= 0.03 * .latency)] | all' pooled.json)" true
equal 'one of each here' "$(jq -c '[.curves[0].points[].state]' pooled.json)" '["steady","limit"]'
jq -r '.curves[0].points[1].command' pooled.json | sed 's/^ecube/run_again/' >again
# shellcheck source=/dev/null
. ./again >again.json
equal 'the command of a row repeats it' "$(jq -c '.curves[0].points[0].runs' again.json)" \
    "$(jq -c '.curves[0].points[1].runs' pooled.json)"
exits 'beyond saturation' 0 sweep mesh:4x4 uniform:m=4 --rates 0.95 --replicas 4 --format json --output beyond.json
equal 'all replicas show it' "$(jq -c '.curves[0].points[0] | [.state, (.runs | map(.state) | unique), .truncated + .window < 200000,
    .accepted_half_width <= 0.02 * .accepted]' beyond.json)" '["saturated",["saturated"],true,true]'
exits 'replicas are not seeds' 2 "${pooled[@]}" --replicas 8 --seeds 2
exits 'and more than three' 2 "${pooled[@]}" --replicas 3
exits 'and at least 512 cycles long' 2 "${pooled[@]}" --replicas 300
contains 'with the reason' err '--cycles 100000 for 300 replicas: expected at least 512 cycles for each'
equal 'replicas with too few packets for their interval are not steady' \
    "$("$ecube" sweep cube:3 uniform:m=4 --rates 0.3 --precision 3% --cycles 100000 --replicas 190 --format json --quiet |
        jq -c '.curves[0].points[0] | [.state, .latency_half_width <= 0.03 * .latency, .detail[:15]]')" \
    '["limit",true,"too few packets"]'

# --- Slices: each has a part of the points, and their journals together are that of the sweep.
sliced=(sweep cube:3 uniform:m=4 --rates 0.1,0.3,0.5 --vary vcs=1,2 --precision 10% --replicas 4 --format json)
exits 'a sweep' 0 "${sliced[@]}" --output whole.json
for k in 1 2 3 4; do
    exits "slice $k" 0 "${sliced[@]}" --slice "$k/4" --output "part-$k.json"
done
equal 'together they have each point once' "$(jq -s -c '[.[].curves[] | .label as $curve | .points[] | [$curve, .]] | sort' part-?.json)" \
    "$(jq -c '[.curves[] | .label as $curve | .points[] | [$curve, .]] | sort' whole.json)"
cat part-[124].json.journal >all.json.journal
exits 'their journals, one missing, resumed' 0 "${sliced[@]}" --resume --output all.json
contains 'what is missing is named' err 'round 1: 20 of 24 runs come from all.json.journal; to be run: rate 0.'
equal 'they make the same sweep' "$(jq -c .curves all.json)" "$(jq -c .curves whole.json)"
exits 'a slice beyond the last' 2 "${sliced[@]}" --slice 5/4 --output part.json
exits 'a slice without a file' 2 "${sliced[@]}" --slice 1/4
exits 'a slice without points' 0 "${sliced[@]}" --slice 7/7 --output none.json
equal 'has a file, too' "$(jq -c '[.curves[].points[]]' none.json)" '[]'
exits 'nothing is measured with --from' 2 sweep --from whole.json --slice 1/2 --format csv --output part.csv

# --- Traffic classes: a row has those of its run, and CSV a column for each figure.
mixed=(sweep torus:4x4 uniform:m=1 --rates 0.05 --router vcs=4 "${loose[@]}"
    --vary 'workload=uniform:m=1;uniform:m=1,reply=2,think=5;mix:m=2,of=uniform@0.5+neighbor@0.5')
exits 'a sweep of traffic with and without classes' 0 "${mixed[@]}" --format json --output mixed.json
exits 'as CSV' 0 "${mixed[@]}" --format csv --output mixed.csv
equal 'classes are those of each curve' "$(jq -c '[.curves[].points[0].classes | map(.name)?]' mixed.json)" \
    '[["requests","replies"],["uniform:m=2","neighbor:m=2"]]'
sed 's/"[^"]*"/text/g' mixed.csv >plain.csv
for key in accepted latency latency_half_width p99; do
    for k in 1 2; do
        equal "class $k: $key is the same in CSV and JSON" \
            "$(column "classes_${k}_$key" <plain.csv)" \
            "$(jq -c "[.curves[].points[0].classes[$k - 1].$key | values]" mixed.json)"
    done
done
jq -r '.curves[1].points[0].command' mixed.json | sed 's/^ecube/run_again/' >again
# shellcheck source=/dev/null
. ./again >again.json
equal 'the command of a row repeats its classes and round trips' \
    "$(jq -c '[.measurement.round_trip, .measurement.round_trip_half,
        (.classes[] | .accepted, .latency_mean, .latency_half, .latency_p99) | . + 0]' again.json)" \
    "$(jq -c '.curves[1].points[0] | [.round_trip, .round_trip_half_width,
        (.classes[] | .accepted, .latency, .latency_half_width, .p99) | . + 0]' mixed.json)"
once=(torus:4x4 uniform:m=1,reply=2 --router vcs=4 "${loose[@]}" --format json)
exits 'with two seeds' 0 sweep "${once[@]}" --rates 0.05 --seeds 2 --output twice.json
for seed in 1 2; do
    "$ecube" run "${once[@]/uniform:/uniform:rate=0.05,}" --seed $seed
done >each.json
equal 'the figures of a class are means over the runs' \
    "$(jq -s 'map(.classes[1].latency_mean, .classes[1].accepted, .classes[1].latency_p99, .measurement.round_trip)
        | [.[0] + .[4], .[1] + .[5], .[2] + .[6], .[3] + .[7]] | map(. / 2 * 1e6 | round)' -c each.json)" \
    "$(jq -c '.curves[0].points[0] | [.classes[1].latency, .classes[1].accepted, .classes[1].p99, .round_trip]
        | map(. * 1e6 | round)' twice.json)"
equal 'with intervals from their spread' "$(jq '.curves[0].points[0].classes[1].latency_half_width > 0' twice.json)" true
exits 'the text' 0 "${mixed[@]}"
check 'has a line for each class' grep -qE '[0-9.]+ \+- [0-9.]+ +[0-9.]+ \+- [0-9.]+ +[0-9]+ +replies$' out
check 'and for round trips' grep -qE -- '- +[0-9.]+ \+- [0-9.]+ +[0-9]+ +round trip$' out

# --- Interrupted after its first runs, and resumed.
slow=(sweep cube:3 uniform:m=4 --rates 0.05:0.55:0.1 --precision 0.005 --cycles 100000 --format csv --jobs 2)
exits 'a sweep that is not disturbed' 0 "${slow[@]}" --output whole.csv
# Without job control bash starts children with SIGINT ignored; env --default-signal undoes it.
env --default-signal=INT "$ecube" "${slow[@]}" --output part.csv >out 2>err &
child=$!
until [[ -s part.csv.journal && $(wc -c <part.csv.journal) -gt 2000 ]] || ! kill -0 $child; do sleep 0.02; done
kill -INT $child
wait $child
equal 'interrupted, it ends with status 130' $? 130
contains 'and says how to go on' err '--resume continues from there'
exits 'it is resumed' 0 "${slow[@]}" --output part.csv --resume
check 'with the same result as without the interrupt' cmp whole.csv part.csv
equal 'and no journal is left' "$([ -e part.csv.journal ] && echo left)" ''
refused 2 '--resume needs --output' sweep cube:3 uniform --resume

# --- A point that fails does not end the sweep, but decides its status.
exits 'a sweep with a deadlock' 4 \
    sweep torus:4x4 uniform:m=16 --router vcs=2,dateline=off --rates 0.01,0.7,0.8 "${loose[@]}" --format json
equal 'has all points, and says which failed' \
    "$(jq -r '[.curves[0].points[].verdict] | join(" ")' out)" 'pass fail fail'
contains 'with the reason' out 'progress: deadlock by cycle'
contains 'and the remedy' out '; use --router vcs=2,dateline=on'
contains 'which is known before' err 'warning: can deadlock: 4 channels wait for each other (0 -> 1 -> 2 -> 3 -> 0): use --router vcs=2,dateline=on'
equal 'and in the result' "$(jq -r '.curves[0].deadlock_possible' out)" yes
exits 'which a sweep may not have' 1 \
    sweep torus:4x4 uniform:m=4 --vary vcs=1,2 --rates 0.01 "${loose[@]}" --expect deadlock-free
equal 'only the curve that can' "$(grep -c '^  warning     can deadlock: ' out) $(grep -c -- '--expect deadlock-free: deadlock possible: yes' err)" '1 1'

# --- Rates that nodes cannot create are left out before anything runs.
exits 'a sweep of messages of one word' 0 sweep cube:1 shift:q=1 --cycles 600 --saturation none --precision 0.5
equal 'ends below one message per cycle' "$(grep -c '^ *0\.9 ' out)$(grep -c '^ *1 ' out)" 10
refused 2 'rate=1 with messages of 1 word' sweep cube:1 shift:q=1 --rates 0.1,1
refused 2 'expected 512 to' sweep cube:1 shift:q=1 --cycles 500

done_testing
