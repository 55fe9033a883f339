#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The exit statuses of runs and audits, and the matching first word of the report.
. "$(dirname "$0")/lib.sh"

# word SENTENCE WORD: the report begins with WORD.
word()
{
    equal "$1" "$(head -n 1 out | sed 's/  .*//')" "$2"
}

exits 'a shift on a cube passes' 0 run cube:3 shift:q=5,m=64
word 'and says so first' PASS
contains 'with the cycles predicted' out '= predicted'
contains 'and the loads of the links drawn' out 'messages per link'
equal 'nothing is wider than 80 columns in the picture' \
    "$(sed -n '/per link/,$p' out | awk 'length > 80' | wc -l)" 0
equal 'no escape sequences in a file' "$(grep -c $'\033' out)" 0
exits 'contention is a result, not a failure' 0 run cube:6 bitrev:m=8
word 'of a passing run' PASS
contains 'with the links that were waited for drawn' out 'waiting for each link: contended and starved cycles'
exits '--expect congestion-free makes it a failure' 1 \
    run cube:6 bitrev:m=8 --expect congestion-free
word 'of a failing run' FAIL
contains 'that names the check' out 'expect'
exits '--expect is met by a shift' 0 run cube:6 shift:q=21,m=8 --expect congestion-free
exits 'a closed run can be stopped by --cycles' 6 run cube:6 bitrev:m=64 --cycles 20
contains 'and says why' out 'stopped by --cycles 20'
check 'and how far it came' grep -q '^STOPPED .* [0-9]* of 3584 words delivered in 20 cycles' out
exits 'one cycle less than a run needs' 6 run cube:3 shift:q=5,m=64 --cycles 67 --quiet
equal 'is too few' "$(<out)" \
    'STOPPED  cube:3 shift:q=5,m=64  wormhole  510 of 512 words delivered in 67 cycles, stopped by --cycles 67'
printf 'cycle,source,destination,words\n5,0,1,4\n1000,1,2,4\n' >late.csv
exits 'a trace can be stopped between its messages' 6 run ring:4 trace:file=late.csv --cycles 999 --quiet
contains 'and idle time that was skipped counts' out 'stopped by --cycles 999'
for split in 1 2; do
    exits "as many pass in $split parts, although the network drains later" 0 \
        run cube:3 shift:q=5,m=64 --cycles 68 --threads $split --quiet
done
exits 'a failure counts more' 1 run cube:6 bitrev:m=64 --cycles 20 --expect congestion-free --quiet
printf '%s\n' 'cube:3 shift:q=5 --cycles 2' 'cube:3 shift:q=5' >stopped.txt
exits 'a list with a run that is stopped' 6 run --from stopped.txt --quiet
equal 'counts it' "$(tail -n 1 out)" '2 jobs: 1 passed, 1 stopped'
echo 'cube:3 uniform:rate=0.95,m=8' >>stopped.txt
exits 'one that is unstable is worse' 3 run --from stopped.txt --format csv
equal 'CSV has the verdicts' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") at = i }
    NR > 1 { gsub(/"[^"]*"/, ""); print $at }' out | xargs)" 'stopped pass unstable'
exits 'overload is unstable' 3 run cube:3 uniform:rate=0.95,m=8 --cycles 10000
word 'and says so' UNSTABLE
check 'without a latency' grep -q '^UNSTABLE .* latency not measured$' out
contains 'because the backlogs grow' out 'FAIL  stability'
check 'of so many sources' grep -q 'the backlogs of [0-9]* sources* grow' out
exits 'a window can be too short' 3 run cube:3 uniform:rate=0.8,m=8 --cycles 300
equal 'and the verdict says so' "$(sed -n '1s/  .*//p' out)" 'TOO SHORT'
check 'without the latency of growing backlogs' grep -q '^TOO SHORT .* latency not measured$' out
check 'but with a longer window' grep -q '^ *a longer window to try: --cycles [0-9]*$' out
contains 'as an undecided check' out 'OPEN  stability'

# --- No latency of an open loop without its interval, and none of a window that cannot show its own error.
for seed in 1 2 3; do
    exits "a queue at 99 % of its channel, seed $seed, is not steady" 3 run ring:2 uniform:rate=0.99,m=2 --seed $seed --quiet
    check 'its latency has no interval' grep -qE '^TOO SHORT .* latency [0-9.]+ \+- \?$' out
    contains 'and the window suggested is 40 relaxation times' out '--cycles 800000'
done
exits 'at the bound of a channel' 3 run cube:1 shift:q=1,rate=1,m=2 --quiet
contains 'there is no steady state' out 'no window shows a steady state: the rate is 1, and at 1 the busiest channel'
exits 'at the bound of a node that stalls' 3 \
    run ring:2 uniform:rate=0.8,m=2 --eject-stall 0.2 --seed 5 --quiet
exits 'nor above it' 3 run mesh:4x4 transpose:rate=0.34,m=4 --format json
equal 'whatever the window shows' "$(jq -c '[.bound_rate < .workload_rate, .steady == "yes", .latency_half]' out)" '[true,false,null]'
exits 'nor does a precision help' 3 run cube:1 shift:q=1,rate=1,m=2 --precision 50% --cycles 20000 --format json
equal 'at the bound' "$(jq -r .measurement.state out)" 'too short'
exits 'at a moderate load' 0 run torus:4x4 uniform:m=2,reply=5,rate=0.06 --router vcs=4 --format json
equal 'every mean has an interval' "$(jq -c '[.latency_half, .network_latency_half, .round_trip_half, .accepted_half,
    (.classes[] | .latency_half, .network_latency_half)] | [length, (map(. > 0) | all)]' out)" '[8,true]'
exits 'of ten packets' 0 run cube:3 uniform:rate=0.005,m=8 --cycles 2000 --seed 3
check 'it is not known' grep -qE 'mean [0-9.]+ \+- \?  p50' out

# --- Moderate loads, and lists.
short='--cycles 2000'
# shellcheck disable=SC2086 # two words
for network in 'torus:4x4 uniform:rate=0.3,m=8 --router vcs=1' \
    'torus:4x4 uniform:rate=0.02,m=2,reply=5,queue=1,classes=1'; do
    exits 'a run that can deadlock passes' 0 run $network $short --quiet
    check 'and warns' grep -q '^  warning     can deadlock: .*: use ' out
    exits 'unless it is expected to be free of it' 1 run $network $short --expect deadlock-free --format json
    equal 'as a check' "$(jq -r '.deadlock_possible, .checks[-1].verdict' out | xargs)" 'yes fail'
    contains 'with the reason on standard error' err 'torus:4x4: warning: can deadlock: '
done
exits 'its own remedy cures it' 0 run torus:4x4 uniform:rate=0.3,m=8 --router vcs=2,dateline=on --cycles 2000 --expect deadlock-free
exits 'a permutation has its own paths' 0 run torus:4x4 tornado:m=8 --router vcs=1 --expect both
exits 'whatever others of the routing do' 1 audit torus:4x4 tornado:m=8 --router vcs=1 --expect deadlock-free --format json
equal 'which the audit says' "$(jq -r '.deadlock_free, .deadlock_possible' out | xargs)" 'false no'
printf 'torus:4x4 uniform:rate=%s --router vcs=1\n' 0.1 0.2 >rings.txt
echo 'ring:8 uniform:rate=0.1 --router vcs=1' >>rings.txt
exits 'a list that can deadlock' 0 run --from rings.txt --format csv --quiet
equal 'warns once per network' "$(grep -c 'warning: can deadlock' err)" 2
exits 'a baseline that can deadlock' 0 regress rings.txt --update --quiet
equal 'warns once per ring' "$(grep -c '^  warning .*can deadlock' out)" 2
exits 'and is as before' 0 regress rings.txt --quiet
exits 'unless no row may deadlock' 1 regress rings.txt --format json --expect deadlock-free --junit rings.xml
equal 'which are failures' "$(grep -c '<failure .*"pass, as before; deadlock possible: yes"' rings.xml)" 3
equal 'as its rows say' "$(jq -r '.rows[].deadlock_possible' out | xargs)" 'yes yes yes'
exits 'a moderate load passes' 0 run cube:3 uniform:rate=0.4,m=8
word 'and says so' PASS
printf '%s\n' 'cube:3 uniform:rate=0.95,m=8' 'cube:3 uniform:rate=0.8,m=8 --cycles 300' \
    'cube:3 uniform:rate=0.4,m=8' >steady.txt
exits 'a list of the three' 3 run --from steady.txt --quiet
contains 'counts them' out '3 jobs: 1 passed, 2 unstable or too short'
for cycles in 3000 10000; do
    for workload in uniform:rate=0.3,m=4 transpose:rate=0.16,m=4; do
        exits "$workload does not pass with $cycles cycles" 3 run mesh:8x8 $workload --cycles $cycles --quiet
    done
done
exits 'a torus without datelines deadlocks' 4 run torus:4x4 uniform:rate=0.6,m=16 --router vcs=1
word 'and says so' DEADLOCK
contains 'with the cycle of waiting' out 'waiting     in a cycle'
contains 'and datelines as the remedy' out 'this network can deadlock with these options (ecube audit): use --router vcs=2,dateline=on'
contains 'and the layouts of both viewers' out ' surfer -c ./ecube-failure-'
check 'and no pictures' test "$(grep -c 'per link\|each link' out)" = 0
check 'and how far it came' grep -q '^DEADLOCK .* words delivered in [0-9]* cycles' out
equal 'no channel is used more than 100 %' "$(awk 'NF > 3 && $(NF - 2) == "%" && $(NF - 3) > 100' out)" ''
exits 'a deadlock before the first delivery' 4 run torus:8x8 tornado:m=32 --router vcs=1,dateline=off --no-failure-wave
check 'says so' grep -q '^DEADLOCK .* 0 of 2048 words delivered' out
check 'its busiest channels are shown' test -n "$(awk 'NF > 3 && $(NF - 2) == "%"' out)"
equal 'none of them busy more than 100 %' "$(awk 'NF > 3 && $(NF - 2) == "%" && $(NF - 3) > 100' out)" ''
exits 'the dateline prevents it' 0 run torus:4x4 uniform:rate=0.1,m=16 --cycles 2000
exits 'back-pressure at ejection is survived' 0 \
    run cube:3 shift:q=3,m=64 --eject-stall 0.5 --router depth=4
contains 'and its achieved rate reported' out 'ejection    stalled in'
for options in '' '--threads 2' '--router vcs=2'; do
    # shellcheck disable=SC2086
    exits "words for ports that stall $options" 0 run cube:3 shift:q=1 --eject-stall 0.9 --format json --packets $options
    equal 'arrive when the node takes them' "$(jq -c '.packets as $n | .eject_stalled as $s | [.cycles == .latency.max,
        ([.packet_log[] | .delivered - .created + 1] | add) == .flit_hops + 2 * $n + ($n * $s / (1 - $s) | round)]' out)" \
        '[true,true]'
done

exits 'audit: a shift is congestion-free' 0 audit cube:6 shift:q=21 --expect congestion-free
word 'and says so' CONGESTION-FREE
exits 'audit: bit reversal is not' 1 audit cube:6 bitrev --expect congestion-free
word 'and says so' CONGESTED
contains 'with the shared channel marked in both paths' out '==>'
exits 'audit: nor may steps be longer than a link' 0 audit torus:2x2 shift:q=1 --algorithm gohil-mesh:reading=nodes
word 'and says so' DEFECTIVE
exits 'audit: congestion alone is not a failure' 0 audit cube:6 bitrev
exits 'audit: a torus with one channel can deadlock' 1 audit torus:4x4 neighbor --router vcs=1
word 'and says so' 'CAN DEADLOCK'
exits 'audit: random traffic has no loads' 0 audit torus:4x4 uniform:rate=0.1
contains 'and the report says so' out 'not audited'
exits 'audit: random traffic cannot be promised congestion-free' 1 \
    audit cube:3 uniform:rate=0.1 --expect congestion-free

# The ways to look at one run.
exits '--quiet leaves the verdict line' 0 run cube:3 shift:q=1 --quiet
equal 'alone' "$(wc -l <out) $(wc -l <err)" '1 0'
exits '--verbose shows every check' 0 run cube:3 shift:q=1 --verbose
for check in delivery drain ledger vcs loads congestion 'time' progress stability; do
    contains "--verbose shows the check $check" out "  $check "
done

# The time that RTL may take for one cycle.
for seconds in abc -3 0 0x1 nan 1e999 '1 '; do
    ECUBE_CYCLE_SECONDS=$seconds refused 2 "ECUBE_CYCLE_SECONDS '$seconds': expected a number above 0" run cube:1 shift:q=1
done
for command in 'compare tiles tiles cube:1 shift:q=1' regress 'claims grama.ring.min'; do
    # shellcheck disable=SC2086 # words of a command
    ECUBE_CYCLE_SECONDS=0 refused 2 "ECUBE_CYCLE_SECONDS '0': expected a number above 0" $command
done
for seconds in 2.5 ''; do
    ECUBE_CYCLE_SECONDS=$seconds exits "ECUBE_CYCLE_SECONDS may be '$seconds'" 0 run cube:1 shift:q=1
done

# Determinism: none of these changes the digest.
digest()
{
    run run "$@" --format json
    jq -r .digest out
}
# shellcheck disable=SC2086 # cases are words
for case in 'cube:3 randperm:m=9' 'cube:3 uniform:rate=0.3,m=4'; do
    reference=$(digest $case --cycles 800)
    for option in '--no-sleep' '--shuffle 1' '--shuffle 2' '--random-init 1' '--random-init 2'; do
        equal "$option does not change the digest of $case" "$(digest $case --cycles 800 $option)" \
            "$reference"
    done
    check "another seed changes it ($case)" test "$(digest $case --cycles 800 --seed 2)" != "$reference"
done

# A window that is not much longer than a latency proves nothing, whatever its random numbers.
for seed in {1..40}; do
    echo "cube:3 uniform:rate=0.9,m=8 --warmup 0 --cycles 10 --seed $seed"
    echo "cube:3 uniform:rate=0.9,m=16384 --cycles 10000 --seed $seed"
done >short.txt
exits 'windows of less than ten latencies' 3 run --from short.txt
equal 'never pass' "$(tail -n 1 out)" '80 jobs: 80 unstable or too short'
# --- The link that everybody waits for, not the ports that look alike.
{ for node in {0..63}; do echo "1,$node,$((node ^ 1)),4"; done; echo 1,0,7,20; echo 1,1,7,20; } >alike.csv
exits 'a trace with one busy link' 0 run cube:6 trace:file=alike.csv
sed '1,/most waiting first/d; /^$/,$d' out | head -n 1 >first
check 'names that link first' grep -q '^    1 (000001) dim1 -> 3 (000011) ' first
for node in {0..63..8}; do echo "1,$node,$((node + 7)),20"; echo "1,$((node + 1)),$((node + 7)),20"; done >alike.csv
exits 'the same in eight places' 0 run cube:6 trace:file=alike.csv
contains 'shares a line, which counts the others' out '    1 (000001) dim1 -> 3 (000011), 7 more alike'
exits 'intervals of a run' 0 run cube:3 bitrev:m=8 --interval 5
check 'are a table' grep -qE '^    1-5 +[0-9]+ +[0-9]+ +[0-9]+ ' out
printf '%s\n' 1,0,7,4 1,1,7,4 1001,3,4,4 1300,3,4,4 >phases.csv
exits 'a trace has intervals and fairness' 0 run cube:3 trace:file=phases.csv
contains 'with the phases' out '    993-1008 '
check 'and the worst source' grep -q 'mean latency .* Jain index 0\.[0-9]*; worst at node 0' out
{ for node in {0..15}; do [ "$node" = 5 ] || echo "200,$node,5,16"; done; } >gather.csv
exits 'a phase in which all send to a node' 0 run mesh:4x4 trace:file=gather.csv
check 'has the ejection there as the cause, the waiting elsewhere' \
    grep -qE '^    209-224 .*  eject at 5 \(1,1\): 100 % +[0-9]+ .* -> .*: [0-9]+' out
exits 'and in JSON' 0 run mesh:4x4 trace:file=gather.csv --format json
equal 'too' "$(jq -c '.intervals[1] | [.busiest, .busiest_use == 1, .busiest_ties]' out)" '["eject at 5 (1,1)",true,0]'
exits 'random traffic has the shares of its sources' 0 run cube:3 uniform:rate=0.4,m=8
contains 'in a line' out 'accepted / offered'

done_testing
