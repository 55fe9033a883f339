#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Sound routers of many microarchitectures: no command complains, whatever the network, load and mode; and if a
# run fails without their fault, they are not blamed. Without arguments behind the program the two that differ
# most from ecube's own router, on small networks; with "all" every one.
. "$(dirname "$0")/../cli/lib.sh"
here=$source_root/tests/foreign
tops=(lab_burst oq_router)
[[ ${2:-} != all ]] ||
    tops=(oq_router lab_two_stage lab_three_stage lab_lazy lab_burst lab_train lab_input_first lab_wavefront lab_deep)

# router TOP: sets the options that choose it.
router()
{
    local files=("$here"/{lab_port,lab_choice,lab_router,lab_tops}.sv)
    [[ $1 != oq_router ]] || files=("$here"/{lab_port,lab_choice,oq_router}.sv)
    router=(--rtl "$(IFS=,; echo "${files[*]}")" --top "$1")
}

# A router that gives a link to one packet from head to tail is free of deadlocks only where datelines are not
# needed, or where a head waits for room for its whole packet.
is_stuck()
{
    [[ $top == lab_train && $* == @(ring|torus):* && $* != *switching=* ]]
}

# sound ARGUMENTS...: a run without a failed check; only too much traffic may fail.
sound()
{
    ! is_stuck "$@" || return
    run run "$@" "${router[@]}" --format json --no-failure-wave
    equal "$top: $*" "$(jq -r '.checks[] | select(.verdict == "fail" and .name != "stability") | .name + ": " + .detail' out)" ''
    equal 'which has delivered something' "$(jq '.words > 0' out)" true
}

# few TOPOLOGY: on one small shape.
few()
{
    sound "$1" 'uniform:rate=0.9,m=1..6' --cycles 400
    sound "$1" hotspot:m=9 --router depth=1 --eject-stall 0.3
    sound "$1" 'uniform:rate=0.2,m=1..4' --cycles 400 --router switching=store-and-forward
}

deadlock()
{
    exits "$top deadlocks without datelines" 4 \
        run ring:6 'uniform:rate=0.9,m=1..6' --router vcs=2,dateline=off "${router[@]}" --no-failure-wave --quiet
    contains 'because buffers wait for each other' out 'buffers wait for each other'
    contains 'which datelines prevent' out 'use --router vcs=2,dateline=on'
    equal 'which no router has caused' "$(grep 'cause:' out)" ''
}

many()
{
    local words
    while read -ra words; do
        sound "${words[@]}"
    done <<'END'
torus:4x4 uniform:rate=0.1,m=1..6 --cycles 1000 --router depth=16
torus:4x4 uniform:rate=0.9,m=1..6 --cycles 1000 --router depth=16
torus:4x4 uniform:rate=0.9,m=1..6 --cycles 1000 --router depth=16,switching=cut-through
torus:4x4 tornado:m=30
torus:5x3 hotspot:m=12 --eject-stall 0.3
torus:4x4 randperm:m=24 --router switching=cut-through,depth=8 --packet 6
torus:4x4 randperm:m=9 --router vcs=4,depth=2
ring:7 uniform:rate=0.3,m=4 --cycles 1000
mesh:4x4 transpose:m=16
mesh:3x5 uniform:rate=0.9,m=1..6 --cycles 1000 --router vcs=2,order=high
cube:4 shift:q=5,m=16
cube:4 bitrev:m=16 --router vcs=2,depth=2
cube:4 uniform:rate=0.9,m=1..6 --cycles 1000 --eject-stall 0.2
cube:3 uniform:rate=0.3,m=1..6 --cycles 1000 --router ports=all
END
    while read -ra words; do
        exits "$top delivers what ecube's router delivers: ${words[*]}" 0 \
            compare tiles rtl "${words[@]}" "${router[@]}" --deliveries --quiet
    done <<'END'
mesh:4x4 randperm:m=24
cube:4 bitcomp:m=9 --router depth=1
mesh:4x4 hotspot:m=4 --eject-stall 0.3
END
    for words in cube:4 'torus:4x4 --router vcs=4' 'mesh:4x4 --router ports=all'; do
        # shellcheck disable=SC2086 # words
        exits "$top keeps the contract in $words" 0 tile check --only $words "${router[@]}"
    done
    exits "$top serves all" 0 tile check ring:6 "${router[@]}"
    equal 'without exceptions' "$(grep -c '^  lacks' out)" 0
}

# Each of these routers has one defect, by file and text; the check names it.
defects()
{
    local top file from to words
    while IFS=@ read -r top file from to words; do
        router "$top"
        sed "s/$from/$to/" "$here/$file" >"$file"
        check "$file has $from" test "$(cmp "$file" "$here/$file" | wc -l)" -eq 1
        exits 'the defect is caught' 1 tile check torus:4x4 --only --rtl "${router[1]/"$here/$file"/$file}" --top "$top" --quiet
        contains 'and named' err "$words"
        [[ $words != *starves* ]] ||
            exits 'the rest is checked if asked for' 0 tile check torus:4x4 --only --allow-starvation \
                --rtl "${router[1]/"$here/$file"/$file}" --top "$top" --quiet
    done <<'END'
lab_two_stage@lab_router.sv@- 16'(credit_i\[o\])@- 16'(credit_i[o] \&\& sent == '0)@the router has lost credits
lab_two_stage@lab_router.sv@else if (!held) holder_q@else if (!held || ask == '0) holder_q@packets are mixed
lab_two_stage@lab_choice.sv@grant_o | (grant_o - 1'b1);@'0;@the arbitration starves it
lab_two_stage@lab_port.sv@^        rd_q <= '0;@@after a reset
lab_wavefront@lab_router.sv@{valid, moving,@{moving,@inside; its output
END
}

# A router may take its time (contract, section 12.1).
slow()
{
    router lab_two_stage
    sed 's/^  wire arst = .*/&\n  logic [6:0] time_q;\n  always_ff @(posedge clk_i) time_q <= rst_i ? 7'"'d0 : time_q + 7'd1;/
        s/assign may\[o\] = ask/assign may[o] = {Bufs{time_q == 0}} \& ask/" "$here/lab_router.sv" >lab_router.sv
    exits 'a router that acts once in 128 cycles keeps the contract' 0 \
        tile check cube:1 --only --rtl "${router[1]/"$here/lab_router.sv"/lab_router.sv}" --top lab_two_stage --quiet
}

for top in "${tops[@]}"; do
    router "$top"
    if [[ ${2:-} == all ]]; then
        few cube:3
        few ring:6
        many
        [[ $top == lab_train ]] || deadlock # links that are held may be the cause
    elif [[ $top == oq_router ]]; then
        few ring:6
        deadlock
    else
        few cube:3
        exits "$top keeps the contract" 0 tile check cube:3 --only "${router[@]}"
    fi
done
if [[ ${2:-} == all ]]; then
    slow
    defects
fi
done_testing
