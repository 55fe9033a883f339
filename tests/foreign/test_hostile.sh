#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# RTL that ends or breaks the simulation: in every mode the run that it belongs to fails its check "rtl", with the
# cycle, the router and the first message, and nothing else is lost. See hostile.sv for what --packet N does.
. "$(dirname "$0")/../cli/lib.sh"
export ECUBE_CYCLE_SECONDS=1
hostile=(--rtl "$source_root/tests/foreign/hostile.sv,$source_root/rtl/ec_router.sv" --top hostile --no-failure-wave)
words=(cube:3 shift:q=5,m=1024)

# The value that --packet adds to delay the event beyond the trial of the router, into the run.
late=16

# like SENTENCE TEXT PATTERN: the simulator's versions word and number differently.
like()
{
    # shellcheck disable=SC2053 # a pattern
    if [[ $2 == $3 ]]; then pass "$1"; else fail "$1" "got '$2', expected '$3'"; fi
}

# --- run: text, JSON and CSV.
while IFS='|' read -r packet outcome what; do
    exits "run, case $packet" 1 run "${words[@]}" --packet $((packet + late)) "${hostile[@]}" --format json --quiet
    equal 'is one JSON object, a failure' "$(jq -r '.verdict + " " + .outcome' out)" "fail $outcome"
    equal 'of the check rtl' "$(jq -r '[.checks[] | select(.verdict == "fail") | .name] | join(" ")' out)" rtl
    like 'with place and message' "$(jq -r '.checks[] | select(.name == "rtl") | .detail' out)" "$what"
done <<'END'
1|broken|cycle 500, router 3 (011): *hostile.sv:*: $finish
2|finished|cycle 500, router 3 (011): %Error: hostile.sv:*: not "well" in 3 and more (the first of * messages)
5|finished|cycle 500, router 3 (011): *hostile.sv:*: the end of 3
6|finished|cycle 500, router 3 (011): *hostile.sv:*: $stop
7|finished|cycle 500, router 3 (011): %Error: hostile.sv:*: 'assert' failed. (the first of * messages)
9|broken|cycle 499, router 3 (011): *did not converge*
10|broken|before the end of reset, router 0 (000): *hostile.sv:*: $finish (the first of 8 messages)
14|finished|cycle 500, router 3 (011): %Error: hostile.sv:*: 'assert' failed.
3|broken|cycle 500, router 3: one cycle took more than 1.01 s of processor time
4|broken|cycle 500, router 3: its process was killed by signal 6 (Aborted)
8|broken|cycle 500, router 3: its process ended early with status 0
END
equal 'a run whose process died has no numbers' \
    "$(jq -c '[.cycles, .words, .flit_hops, .digest, .latency.mean, .links, .seconds]' out)" \
    '[null,null,null,null,null,null,null]'

# Split, the run says the same. Router 3 is not in the first part.
while IFS='|' read -r split packet what; do
    # shellcheck disable=SC2086 # two words
    exits "run $split, case $packet" 1 run "${words[@]}" $split --packet $((packet + late)) "${hostile[@]}" \
        --format json --quiet
    like 'has the same place and message' \
        "$(jq -r '.checks[] | select(.name == "rtl") | .detail' out)" "cycle 500, router 3*$what"
done <<'END'
--threads 4|3|: one cycle took more than 1.01 s of processor time
--threads 4|4|: its process was killed by signal 6 (Aborted)
--threads 4|8|: its process ended early with status 0
--threads 4|1| (011): *hostile.sv:*: $finish
--threads 8|4|: its process was killed by signal 6 (Aborted)
END

exits 'an event before the run' 1 run "${words[@]}" --packet 4 "${hostile[@]}" --quiet
contains 'is reported as such' out 'trial of the router alone, cycle 12, router 3: its process was killed by signal 6'

# --- Output that does not count as a failure.
exits 'errors before the end of reset do not count' 0 run "${words[@]}" --packet 11 "${hostile[@]}" --quiet
exits 'final blocks are not executed' 0 run "${words[@]}" --packet 31 "${hostile[@]}" --quiet --report page.html
check 'and the page of a foreign router knows no least time of a hop' grep -q '"minimum_hop":null' page.html
exits "\$display does not count" 0 run "${words[@]}" --packet 12 "${hostile[@]}" --format json
equal 'which leaves JSON alone' "$(jq '.verdict == "pass"' out)" true
equal 'is shown with its place' "$(grep -m 1 RTL err)" 'ecube: RTL: cycle 1, router 0 (000): { from 0'
equal 'and not without limit' "$(grep -c RTL err)" 21
grep RTL err >whole
exits 'nor does it in threads' 0 run "${words[@]}" --packet 12 "${hostile[@]}" --format json --threads 4
equal 'where the same lines are shown in the same order' "$(grep RTL err)" "$(cat whole)"
exits 'output that is written to stdout directly' 0 run "${words[@]}" --packet 13 "${hostile[@]}" --format json
equal 'leaves JSON alone, too' "$(jq '.verdict == "pass"' out)" true
equal 'and is shown the same way' "$(grep -m 1 RTL err)" 'ecube: RTL: cycle 1, router 0 (000): { raw'

# --- A sweep measures the other points, too.
exits 'a sweep with a hostile router' 1 sweep cube:3 uniform:m=64 --rates 0.1,0.2 --packet $((1 + late)) \
    --precision 0.5 --cycles 20000 "${hostile[@]:0:4}" --format json
equal 'has a failed point for each rate' "$(jq -r '[.curves[].points[].state] | join(" ")' out)" 'failed failed'
like 'with the reason' "$(jq -r '.curves[0].points[0].detail' out)" 'rtl: cycle * router *finish*'

# --- A list continues whatever happens to one run.
for n in 4 16 3 1 16; do echo "${words[*]} --packet $((n + late))"; done >list
exits 'a list with hostile lines' 1 run --from list "${hostile[@]}" --format csv --output list.csv --quiet
equal 'has a line for each' "$(cut -d, -f 1 list.csv | tr '\n' ' ')" 'topology cube:3 cube:3 cube:3 cube:3 cube:3 '
exits 'and as text' 1 run --from list "${hostile[@]}"
equal 'a summary' "$(tail -n 1 out)" '5 jobs: 2 passed, 3 failed'

# The other commands, and defects that need a router of their own.
rest_is_long "${2:-}"

# --- compare, tile check, regress, claims.
while IFS='|' read -r packet what; do
    exits "compare, case $packet" 1 compare tiles rtl "${words[@]}" --packet $((packet + late)) "${hostile[@]}" \
        --format json
    like 'says so' "$(jq -r .detail out)" "$what"
    exits "compare deliveries, case $packet" 1 compare tiles rtl "${words[@]}" --packet $((packet + late)) \
        "${hostile[@]}" --deliveries --quiet
    exits "tile check, case $packet" 1 tile check cube:3 --router "depth=$packet" --rtl "${hostile[1]}" --top hostile \
        --no-failure-wave
    contains 'says so' err "cube:3"
    [[ $packet != 3 ]] || contains 'a limit of time is no verdict' err 'cube:3: not judged: trial of the router alone'
    echo "${words[*]} --packet 32" >base.txt
    exits 'a baseline' 0 regress base.txt --update --quiet
    sed -i "s/--packet 32/--packet $((packet + late))/; p; s/--packet $((packet + late))/--packet 32/" base.txt
    exits "regress, case $packet" 1 regress base.txt "${hostile[@]}" --junit junit.xml
    equal 'one run failed, one did not' "$(grep -c '<failure' junit.xml) $(grep -c '<testcase' junit.xml)" '1 2'
    contains 'and why' junit.xml 'rtl: cycle 500, router 3'
done <<'END'
1|the RTL of side B: cycle 500, router 3 (011): *hostile.sv:*: $finish
2|the RTL of side B: cycle 500, router 3 (011): %Error: hostile.sv:*
3|side B, cycle 500, router 3: one cycle took more than 1.01 s of processor time
4|side B, cycle 500, router 3: its process was killed by signal 6 (Aborted)
END
exits 'tile check of a router that ends the simulation in an initial block' 1 \
    tile check cube:3 --only --router depth=10 --rtl "${hostile[1]}" --top hostile --no-failure-wave
like 'names it' "$(cat err)" "*breaks the contract: cycle *hostile.sv:*: \$finish"
exits 'claims on a router that ends the simulation' 1 claims grama.cube.steps --rtl "${hostile[1]}" --top hostile_finish \
    --format json
equal 'does not hold' "$(jq -r '.as_expected' out)" false
contains 'for that reason' out 'check rtl failed: cycle 12, router 3'

# --- A failed run leaves its wave.
exits 'a failed run has a wave' 1 run "${words[@]}" --packet 17 "${hostile[@]:0:4}" --failure-dir "$PWD" --format json --quiet
equal 'of the router that ended it' "$(jq '.failure.nodes[0] == 3 and .failure.cycle == 500' out)" true
check 'in a file' test -s "$(jq -r .failure.wave out)"

# --- Concurrent properties sample the inputs of their own cycle.
properties=(--rtl "${hostile[1]}" --top properties --router depth=10 --no-failure-wave)
load=(mesh:4 uniform:rate=0.3,m=1..3 --cycles 300)
exits 'true properties hold in a run' 0 run "${load[@]}" "${properties[@]}" --quiet
exits 'and in a trial of the router' 0 tile check mesh:4 --only "${properties[@]}"
while IFS='|' read -r packet what; do
    exits "false property $packet" 1 run "${load[@]}" --packet "$packet" "${properties[@]}" --format json --quiet
    like 'fails, in its cycle' "$(jq -r '.checks[] | select(.name == "rtl") | .detail' out)" "$what"
    exits "false property $packet in a trial" 1 tile check mesh:4 --only "${properties[@]/depth=10/depth=$packet}"
    contains 'fails, too' err 'hostile.sv'
done <<'END'
11|cycle 1, router 0: %Error: hostile.sv:*false_reset*
12|cycle 1, router 0: %Error: hostile.sv:*false_disabled*
13|cycle 1, router 0: %Error: hostile.sv:*false_word*
14|cycle 3, router 0: %Error: hostile.sv:*false_credit*
END
exits 'a false property leaves its wave' 1 run "${load[@]}" --packet 14 "${properties[@]:0:6}" --failure-dir "$PWD" --quiet
contains 'and the replay says the same' out '  cycle 3, router'
exits 'covers of single words' 0 run mesh:4 shift:q=1 "${properties[@]}" --quiet --coverage covered
equal 'see each word once, none twice' "$(sed -n 's/.*gen_port.*\.\(once\|twice\).* \([0-9]*\)$/\1 \2/p' covered/coverage.dat |
    awk '{ n[$1] += $2 } END { print n["once"] + 0, n["twice"] + 0 }')" '10 0'

# --- A router that refuses itself in an initial block, or while it is elaborated.
while IFS='|' read -r packet expected what; do
    exits "initial block, case $packet" "$expected" run mesh:4 shift:q=1 --packet $((packet + late)) "${properties[@]}" --quiet
    like 'with one line that says why' "$(cat err)" "$what"
done <<'END'
5|5|ecube: --top properties: an initial block refuses this router: *hostile.sv:*not 5
6|5|ecube: --top properties: an initial block refuses this router: *hostile.sv:*not 6
7|5|ecube: --top properties: an initial block refuses this router: *hostile.sv:*: $stop
8|5|ecube: --top properties: an initial block refuses this router: none.hex:*$readmem file not found
9|5|ecube: --top properties: an initial block refuses this router: *hostile.sv:*'assert' failed.
10|0|
1|0|
END
while IFS='|' read -r refusal what; do
    refusing=(--rtl "${hostile[1]}" --top refusing --define "REFUSAL=$refusal" --quiet)
    for command in 'run mesh:4 shift:q=1' 'sweep mesh:4 uniform --rates 0.1' 'compare tiles rtl mesh:4 shift:q=1' \
        'tile check mesh:4' 'tile build mesh:4'; do
        # shellcheck disable=SC2086 # words
        exits "$command, $refusal" 5 $command "${refusing[@]}"
        like 'with one line that says why' "$(cat err)" "ecube: *$what*"
    done
done <<'END'
initial if (Locals < 2) $fatal(1, "two, not %0d", Locals);|refuses this router: *hostile.sv:*two, not 1
$error("two, not %0d", Locals);|%Error-USERERROR: *hostile.sv:*two, not 1
if (Locals < 2) $fatal(1, "two, not %0d", Locals);|%Error-USERFATAL: *hostile.sv:*two, not 1
END

done_testing
