#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Routers of other microarchitectures (valid/ready, a pipeline of two stages and more, credits before the word
# leaves) work with every command that accepts a user router. With "long" also ecube's own in all its shapes, and defects.
. "$(dirname "$0")/../cli/lib.sh"
here=$source_root/tests/foreign
router=(--rtl "$here/vr_router.sv,$here/vr_switch.sv" --top vr_router)

# --- run: all checks hold but those that need ecube's own timing or taps.
while read -r topology workload options; do
    # shellcheck disable=SC2086
    exits "run $topology $workload" 0 run "$topology" "$workload" $options "${router[@]}" --format json
    equal 'taps are not there' "$(jq -c '[.contended_cycles, .starved_cycles]' out)" '[null,null]'
    whole=$(jq -c '[.digest, .simulated_cycles, .stepped, .checks]' out)
    # shellcheck disable=SC2086
    exits 'and in three parts' 0 run "$topology" "$workload" $options "${router[@]}" --format json --threads 3
    equal 'it is the same' "$(jq -c '[.digest, .simulated_cycles, .stepped, .checks, .parts]' out)" "${whole%]},3]"
    # shellcheck disable=SC2086
    exits "it delivers what ecube's router delivers" 0 \
        compare tiles rtl "$topology" "$workload" $options "${router[@]}" --deliveries --quiet
done <<'END'
cube:3 shift:q=5,m=16
cube:3 bitcomp:m=3 --router depth=1
cube:3 uniform:rate=0.2,m=1..5 --cycles 1000
mesh:4x3 randperm:m=9
mesh:2x3 uniform:rate=0.2,m=1..5 --cycles 1000 --eject-stall 0.3
mesh:4x3 hotspot:m=4 --router order=high
END
# --- checks that ecube cannot make on it are reported as such in every format, without numbers.
exits 'the closed forms are not those of its pipeline' 0 run cube:3 shift:q=5,m=16 "${router[@]}" --format json
equal 'so there is no prediction' "$(jq -c .predicted_cycles out)" null
equal 'and three checks were not done' \
    "$(jq -r '.checks[] | select(.verdict == "not-checked") | .name' out | sort | xargs)" 'congestion switching time'
equal 'with reasons' "$(jq -r '.checks[] | select(.verdict == "not-checked") | .detail' out | xargs -d '\n')" \
    "no taps foreign pipeline; ecube's own would take 20 cycles foreign router"
exits 'in a table too' 0 run cube:3 shift:q=5,m=16 "${router[@]}" --format csv
contains 'the checks say so' out 'congestion:not-checked;time:not-checked;'
equal 'the prediction is empty' \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_cycles") print i - 1 }' out)" 11
check 'beside the cycles' grep -q ',24,,,128,8,' out
for verbosity in --quiet --verbose; do
    exits "for a person with $verbosity" 0 run cube:3 shift:q=5,m=16 "${router[@]}" "$verbosity"
    equal 'the verdict line predicts nothing and names what is not known' "$(head -n 1 out)" \
        'PASS  cube:3 shift:q=5,m=16  wormhole (not checked)  24 cycles'
done
run run cube:3 shift:q=5,m=16 "${router[@]}" --quiet
equal 'with one line of checks that were not done' "$(sed -n 2p out)" \
    "  not checked congestion (no taps), time (foreign pipeline; ecube's own would take 20 cycles), switching (foreign router)"
run run cube:3 bitcomp:m=3 "${router[@]}" --router depth=1
check 'no column of zeros without taps' test "$(grep -cE ' 0 +0$' out)" -eq 0
run run cube:3 shift:q=5,m=16 --format json
equal "of ecube's own router all is checked that applies" \
    "$(jq -c '[[.checks[] | select(.verdict == "not-checked").name], .cycles == .predicted_cycles]' out)" '[[],true]'

# --- a mode that the router does not implement is detected at the nodes: packets arrive too early.
store=(--router switching=store-and-forward,depth=8)
exits 'a wormhole router is not a store-and-forward router' 1 \
    run cube:3 shift:q=5,m=16 "${store[@]}" "${router[@]}" --no-failure-wave --quiet
contains 'the check says which packet was too fast' out 'took 10 cycles over 2 hops; at least 16 are needed'
exits 'links delay its packets, too' 1 run cube:3 shift:q=5,m=3 --router switching=store-and-forward,depth=8,link=9 \
    --packet 3 "${router[@]}" --no-failure-wave --quiet
contains 'and the least time has their delay' out 'over 2 hops; at least 28 are needed'
exits 'it delivers the same' 0 \
    compare tiles rtl cube:3 shift:q=5,m=16 "${store[@]}" "${router[@]}" --deliveries --quiet
exits 'packets of one word cannot tell' 0 run cube:3 shift:q=5 "${store[@]}" "${router[@]}" --quiet
contains 'and the verdict line says so' out 'store-and-forward (not checked)'
for workload in 'shift:q=5,m=64' 'uniform:rate=0.4,m=1..9 --cycles 2000' 'hotspot:m=13 --startup 3 --packet 3'; do
    # shellcheck disable=SC2046,SC2086 # words
    exits "ecube's own router keeps it: $workload" 0 run cube:3 ${workload%% *} "${store[@]}" \
        $(cut -s -d ' ' -f 2- <<<"$workload") --format json
    equal 'in every packet' "$(jq -r '.checks[] | select(.name == "switching").verdict' out)" pass
done

# --- a second one, of yet another school: structs and packages, a file that is included, an asynchronous reset,
# a queue in the router behind that of its adapter, so that credits return long before words leave.
noc=(-F "$source_root/rtl/adapter/cells.f" --rtl "$here/noc/include/noc_defines.svh,$here/noc/rtl/noc_pkg.sv,$here/noc/rtl/noc_router.sv,$here/noc_adapter.sv"
    --top noc_adapter)
exits 'tile check of the second one' 0 tile check mesh:4x4 mesh:3x5 --only "${noc[@]}"
while read -r topology workload options; do
    # shellcheck disable=SC2086
    exits "run $topology $workload on it" 0 run "$topology" "$workload" $options "${noc[@]}" --quiet
    # shellcheck disable=SC2086
    exits 'and the same is delivered' 0 \
        compare tiles rtl "$topology" "$workload" $options "${noc[@]}" --deliveries --quiet
done <<'END'
mesh:4x4 transpose:m=8
mesh:3x5 hotspot:m=4 --router depth=1
mesh:4x4 uniform:rate=0.3,m=1..6 --cycles 1000 --eject-stall 0.2 --router depth=2
END
# In open loop a slower router has not sent everything when the window ends: how much the two have in common is
# what the packet logs of two runs have in common.
load=(mesh:4x4 'uniform:rate=0.9,m=1..5' --cycles 1000)
packets='.packet_log[] | "\(.src) \(.dst) \(.created) \(.words)"'
run run "${load[@]}" --packets --format json
jq -r "$packets" out | sort >a.txt
run run "${load[@]}" "${router[@]}" --packets --format json
jq -r "$packets" out | sort >b.txt
exits 'what was sent is the same' 0 compare tiles rtl "${load[@]}" "${router[@]}" --deliveries --format json
equal 'as far as both sides came' "$(jq -c '.deliveries | [.common, .a_only, .b_only]' out)" \
    "[$(comm -12 a.txt b.txt | wc -l),$(comm -23 a.txt b.txt | wc -l),$(comm -13 a.txt b.txt | wc -l)]"
exits 'and the report says so' 0 compare tiles rtl "${load[@]}" "${router[@]}" --deliveries --quiet
check 'beside the verdict' grep -qx "  the same    $(comm -12 a.txt b.txt | wc -l) packets; $(comm -23 a.txt b.txt | wc -l) more of A and $(comm -13 a.txt b.txt | wc -l) of B, .*" out

run run torus:4x4 shift:q=1 "${noc[@]}" --quiet
equal 'its own RTL rejects parameters' "$status $(grep -c noc_error_meshes_of_two_dimensions err)" '5 1'
exits 'an order that it does not know is seen' 1 run mesh:4x4 transpose:m=8 --router order=high "${noc[@]}" \
    --no-failure-wave --quiet
contains 'and named' out 'wrong turn: word'

# Two cycles a router instead of one: a message of m words over h links takes 2h + m + 2 cycles.
printf 'cycle,source,destination,words\n1,0,7,5\n' >one.csv
run run cube:3 trace:file=one.csv "${router[@]}" --format json
equal 'its time has no prediction' "$(jq -c '[.verdict, .cycles]' out)" '["pass",13]'

# --- compare: in lock-step it must differ, and where is known: the word is in router 0 in cycle 2.
exits 'in lock-step it differs' 1 compare tiles rtl cube:3 trace:file=one.csv "${router[@]}" \
    --format json --no-failure-wave
equal 'in the first cycle in which pipelines can differ' \
    "$(jq -c '.divergence | [.cycle, .node, .port, .field, .a_text, .b_text]' out)" \
    '[2,0,0,"word out","head VC 0  0->7 #0.0","no word"]'
exits 'with itself it agrees' 0 compare rtl rtl cube:3 uniform:rate=0.3,m=4 --cycles 500 "${router[@]}"
contains 'without taps' out 'a side has no taps'

# --- waves
exits 'a wave of it' 0 run cube:3 shift:q=5,m=4 "${router[@]}" --wave foreign.fst --quiet
check 'is there' test -s foreign.fst

# --- the Moore rule, and what a shape serves
exits 'tile check finds nothing' 0 tile check cube:3 --only "${router[@]}"
contains 'and reports its checks' out 'keeps the contract and the Moore rule'
contains 'and what it did not try' out '(--only)'
# damaged FROM TO: the router with one line changed, in mealy.sv.
damaged()
{
    sed "s/$1/$2/" "$here/vr_router.sv" >mealy.sv
    check "there is a router with $1" test "$(cmp mealy.sv "$here/vr_router.sv" | wc -l)" -eq 1
}
mealy=(--rtl "mealy.sv,$here/vr_switch.sv" --top vr_router)
# mealy NAME FROM TO: a router whose output follows an input is refused at once, with the output's name.
mealy()
{
    damaged "$2" "$3"
    run run cube:3 shift:q=5 "${mealy[@]}" --quiet
    equal "it is refused" "$status $(wc -l <err)" '1 1'
    contains "with its reason" err 'breaks the Moore rule'
    contains "and the output's name" err "its output $1"
    run tile check cube:3 "${mealy[@]}" --quiet
    equal 'a failed check' "$status $(wc -l <out)" '1 0'
}
link='assign link_o\[64\*p +: 64\] = '
mealy link_o "$link" "&credit_i[p] ? 64'd0 : "

# --- its own RTL rejects what it does not support.
run run torus:4x4 shift:q=1 "${router[@]}" --quiet
equal 'two virtual channels are refused by its own RTL' "$status $(wc -l <err)" '5 1'
contains 'with its own message' err 'vr_error_one_virtual_channel_and_one_local_port_only'

# Each defect below needs a router of its own, which takes seconds to compile.
rest_is_long "${2:-}"
# --- claims: those of paths hold on it; those that count cycles are predicted for ecube's own pipeline.
exits 'claims of paths hold on it' 0 claims grama.cube.map grama.cube.longest "${router[@]}" --quiet
# Results that depend on contended cycles are unknown on a router without taps: neither 0 nor true.
exits 'claims of contention are not judged' 1 claims grama.cube.ecube.cfree "${router[@]}" --format json
equal 'they are not run' "$(jq -r '[.verdict, .as_expected] | @csv' out)" '"not run",false'
equal 'no contended cycles are counted' "$(jq -r '.measured, .predicted' out)" $'cycles 12..20\nlink load 1'
check 'and the reason is given' grep -q '"not checked: contended cycles (no taps); ' out
equal 'the command repeats it on the same router' "$(jq -r '.commands[-1]' out)" \
    "ecube claims grama.cube.ecube.cfree --rtl ${router[1]} --top vr_router"
mkdir own
cp "$source_root"/rtl/*.sv "$source_root"/rtl/*.svh own
rm own/ec_tile*.sv own/ec_network.sv
taps=(--rtl "$(printf '%s,' own/*.sv | sed 's/,$//')" --top ec_router)
exits 'with taps they hold' 0 claims grama.cube.ecube.cfree "${taps[@]}" --format json
contains 'and the cycles are counted' out 'contended cycles 0'
exits 'claims of cycles do not' 1 claims grama.cube.steps "${router[@]}" --quiet
check 'and say which cycles' grep -qE 'cycles of 1 steps: 5, not 3' out

exits 'nor on meshes, where it lists what it lacks' 0 tile check mesh:4x3 --format json "${router[@]}"
lacking() # FILTER: modes that it lacks, beside large networks
{
    jq -r "select(.verdict == \"lacks\" and (.topology | test(\"[0-9][0-9]\") | not) and $1) | .topology +
        (.router | capture(\",(?<p>ports=[a-z]*)\").p) + \" \" + .router[:5]" out | sort -u | sed 's/ports=/ /' | xargs
}
equal 'what it lacks: going round, VCs and local ports' "$(lacking '(.router | test("store") | not)')" \
    "mesh:4x3 all vcs=1 mesh:4x3 one vcs=2 mesh:4x3 one vcs=4 ring:6 one vcs=1 torus:1x6 one vcs=1 torus:2x5 one vcs=1 \
torus:3x2 one vcs=1 torus:4x5 one vcs=1 torus:5x4 one vcs=1 torus:8x5 one vcs=1"
equal 'and waiting for tails' "$(lacking '(.reason | test("before its tail has arrived"))' | grep -o 'mesh:[^ ]*' | xargs)" \
    'mesh:2x5 mesh:4x3'
equal 'but no large mesh' "$(jq -r 'select(.topology | test("mesh:.*[0-9][0-9]")).verdict' out | sort -u)" serves
equal 'with a reason' "$(jq -r 'select((.verdict == "lacks") != (.reason != null)).router' out | wc -l)" 0
equal 'its own RTL refuses parameters' \
    "$(jq -r 'select(.reason // "" | contains("vr_error_one_virtual_channel")).verdict' out | xargs)" 'lacks lacks lacks'
read -ra words <<<"$(jq -r 'select(.verdict == "serves").command' out | sed -n '2s/^ecube //p')"
exits 'each line has the command that tries it alone' 0 "${words[@]}"
run tile check mesh:4x4 "${noc[@]}"
check 'what another one lacks: the other order' grep -q '^  lacks  mesh:4x4 --router .*order=high' out
check 'with the word that shows it' grep -q 'output +x: wrong turn: word .* belongs to port +y\(; it goes the way of the packet before it\)\?$' out
equal 'on a network that is always tried it is reported once, too' \
    "$(grep -c '^  lacks  mesh:4x3 .*order=high' out) $(grep '^  lacks' out | sort | uniq -d)" '1 '
check 'and a summary' grep -q '^  2 of 5 parameter sets are served; ' out
exits "ecube's own router passes too" 0 tile check torus:4x4
contains 'in the same words' out 'keeps the contract and the Moore rule'
equal 'in all that its shapes serve, with classes and without' \
    "$(grep -oE '[0-9]+ modes of [0-9]+ networks? and [0-9] parameter sets' out)" \
    '539 modes of 59 networks and 7 parameter sets'
check 'it lacks nothing' test "$(wc -l <out)" -eq 1
mealy credit_o 'assign credit_o\[p\] = credit_q' '& \&\& !link_i[64*p + 63]'
# Defects in some packets or modes only.
mealy link_o "$link" "&!out_data[64*p + 61] \\&\\& !out_data[64*p + 62] \\&\\& credit_i[p] ? 64'd0 : "
damaged "$link" "&high_q \\&\\& credit_i[p] ? 64'd0 : "
exits 'another order of dimensions is tried' 1 tile check cube:3 "${mealy[@]}" --quiet
contains 'and named' err 'cube:3 --router vcs=1,depth=4,switching=wormhole,order=high'
exits 'in which it cannot be used' 1 run cube:3 shift:q=5 --router order=high "${mealy[@]}" --quiet
exits 'but in the first one' 0 run cube:3 shift:q=5 "${mealy[@]}" --quiet
printf 'cube:3 shift:q=5\ncube:3 shift:q=5 --router order=high\n' >both.txt
exits 'nor after the first one' 1 run --from both.txt "${mealy[@]}" --quiet
contains 'in the same process' err 'both.txt:2: --top vr_router: this router breaks the Moore rule'
exits 'claims that need it are not run' 1 claims grama.cube.ecube.cfree "${mealy[@]}" --quiet
damaged "$link" "&around_q \\&\\& credit_i[p] ? 64'd0 : "
sed -i 's/high_q <= order_high_i;/& around_q <= |wrap_i;/; s/logic high_q;/logic high_q, around_q;/' mealy.sv
exits 'another topology of the shape is tried' 1 tile check mesh:4x4 "${mealy[@]}" --quiet
contains 'and named, too' err 'torus:5x4 --router'

# All outputs are registers, but it is wrong nevertheless.
while IFS=@ read -r from to words; do
    damaged "$from" "$to"
    exits 'another breach of the contract fails the check' 1 tile check cube:3 "${mealy[@]}" --quiet
    contains 'with what was seen' err "$words"
done <<'END'
credit_q <= pop;@credit_q <= pop || push;@a credit is returned for an empty buffer
out_ready\[p\] = credits_q != '0@out_ready[p] = 1'b1@leaves without a credit
\] <= link_i\[64\*p +: 64\];@] <= link_i[64*p +: 64] ^ 64'd1;@no buffer has it at its front
END

# --- the diagnosis: a credit before its word is not a lost word, a wrong turn is a wrong turn.
cat >turn.sed <<'END'
s/assign in_to\[Pw\*p +: Pw\] = to;/assign in_to[Pw*p +: Pw] = coord_q == 16'd5 \&\& to == Pw'(1) ? Pw'(2) : to;/
END
sed -f turn.sed "$here/vr_router.sv" >turn.sv
printf 'cycle,source,destination,words\n1,4,7,8\n' >turn.csv
exits 'a wrong turn is caught' 1 run cube:3 trace:file=turn.csv --rtl "turn.sv,$here/vr_switch.sv" \
    --top vr_router --no-failure-wave --quiet
contains 'and named' out 'router 5 (101), output dim2: wrong turn'
sed "s/to == Pw'(1) ? Pw'(2)/to == Pw'(Links) ? Pw'(0)/" turn.sed | sed -f - "$here/vr_router.sv" >home.sv
printf 'cycle,source,destination,words\n1,4,5,2\n' >home.csv
exits 'a packet that is not let out comes to an end' 1 run cube:3 trace:file=home.csv --rtl "home.sv,$here/vr_switch.sv" \
    --top vr_router --no-failure-wave --quiet
contains 'and the cause follows the observation' out \
    'livelock: a packet keeps moving but is never delivered; cause: cycle 5, router 5 (101), output dim0: wrong turn'
exits 'by tile check, too' 1 tile check cube:3 --rtl "turn.sv,$here/vr_switch.sv" --top vr_router --failure-dir waves
check 'with the word' grep -q 'cycle [0-9]*, router 5 (101), output dim2: wrong turn: word .* belongs to port dim1' err
check 'it says what the router went through' grep -qx '  during     mixed traffic' out
check 'and which rule it breaks' grep -q '^  breach     .*output dim2: wrong turn: word .* belongs to port dim1' out
cp err first
read -ra words <<<"$(sed -n 's/^  repeat  *ecube //p' out)"
read -ra run <<<"$(sed -n 's/^  network  *ecube //p' out)"
check 'a wave shows it' test -s waves/ecube-check-cube-3-5.fst
check 'and is named' grep -qx '  wave       gtkwave waves/ecube-check-cube-3-5.fst waves/ecube-check-cube-3-5.gtkw' out
check 'its mark is at the cycle of the message' grep -q \
    "^-A: cycle $(sed -n 's/.*contract: cycle \([0-9]*\),.*/\1/p' err), FAILURE" waves/ecube-check-cube-3-5.gtkw
exits 'a command repeats it' 1 "${words[@]}" --quiet
check 'with the same message' grep -qxFf err first
exits 'and a run that fails, too, leaves a wave' 1 "${run[@]}" --failure-dir "$work"
check 'of the failure' grep -q '^  failure  ' out
sed 's/if (rst_i) credits_q <= depth_i;/if (rst_i \&\& credits_q == 0) credits_q <= depth_i;/' "$here/vr_router.sv" >kept.sv
exits 'a register that is not reset is found' 1 tile check cube:2 --only --rtl "kept.sv,$here/vr_switch.sv" --top vr_router \
    --failure-dir waves
check 'a wave shows it, too' grep -q '^  wave       gtkwave waves/ecube-check-cube-2-' out
contains 'and what follows from it does not replace it' err 'a fresh router: a register is not reset'
exits 'on another network it is only reported as lacking' 0 tile check cube:2 --rtl "turn.sv,$here/vr_switch.sv" --top vr_router --quiet
check 'by name' grep -q '^  lacks  cube:3 ' out
cat >unfair.sed <<'END'
s/assign ask\[i\] = \(.*\);/wire own = \1; if (i == Ports - 1) begin logic [5:0] time_q; always_ff @(posedge clk_i) time_q <= rst_i ? '0 : time_q + 1'b1; assign ask[i] = own \&\& (time_q == '0 || (locked_q[o] \&\& owner_q[i])); end else begin assign ask[i] = own; end/
END
sed -f unfair.sed "$here/vr_switch.sv" >unfair.sv
exits 'an unfair arbiter may keep the contract' 0 tile check cube:2 --only --rtl "$here/vr_router.sv,unfair.sv" --top vr_router --quiet
check 'and is reported' grep -qE '^  unfair  input local gets [0-9]+ % of output dim. while 2 inputs want nothing else' out
exits 'also in JSON' 0 tile check cube:2 --only --rtl "$here/vr_router.sv,unfair.sv" --top vr_router --format json
equal 'with the same words' "$(jq -r '.unfair | strings' out | wc -l)" 1
exits 'a fair one is not' 0 tile check cube:2 --only "${router[@]}" --quiet
check 'named' test "$(grep -c unfair out)" -eq 0
# Counters: of the words of a packet, of cycles in which a word waits, of cycles without traffic.
found() { # NAME SCENARIO: vr_switch.sv as changed by NAME.sed breaks the contract in this scenario.
    sed -f "$1.sed" "$here/vr_switch.sv" >"$1.sv"
    exits "a counter is found: $1" 1 tile check mesh:3 --only --rtl "$here/vr_router.sv,$1.sv" --top vr_router --no-failure-wave
    check "in its scenario: $1" grep -qxE "  during     ($2)" out
}
cat >last.sed <<'END'
s/logic room, tail;/logic room, tail; logic [4:0] words_q;/
s/locked_q\[o\] <= !tail;/locked_q[o] <= !tail || words_q == 5'd15; words_q <= tail ? '0 : words_q + 1'b1;/
s/locked_q\[o\] <= 1'b0;/locked_q[o] <= 1'b0; words_q <= '0;/
END
found last 'packets of 4, 8, 16, ... words|the end of packets of one length'
cat >long.sed <<'END'
s/logic room, tail;/logic room, tail; logic [8:0] words_q;/
s/locked_q\[o\] <= !tail;/locked_q[o] <= !tail \&\& words_q != 9'd279; words_q <= tail ? '0 : words_q + 1'b1;/
s/locked_q\[o\] <= 1'b0;/locked_q[o] <= 1'b0; words_q <= '0;/
END
found long 'long packets'
cat >age.sed <<'END'
s/logic room, tail;/logic room, tail; logic [7:0] age_q;/
s/if (room) full_q\[o\] <= \(.*\);/age_q <= room ? '0 : age_q + 1'b1; if (room) full_q[o] <= \1; else if (age_q == 8'd200) full_q[o] <= 1'b0;/
s/locked_q\[o\] <= 1'b0;/locked_q[o] <= 1'b0; age_q <= '0;/
END
found age 'words wait long for credits|credits return after a long time'
cat >idle.sed <<'END'
s/logic \[Ports-1:0\] locked_q, full_q;/& logic [7:0] idle_q; always_ff @(posedge clk_i) idle_q <= rst_i || valid_i != '0 ? '0 : idle_q + 8'(idle_q != 8'd255);/
s/if (room) full_q\[o\] <= choice != '0;/if (room) full_q[o] <= choice != '0 \&\& idle_q != 8'd255;/
END
found idle 'traffic after a long time without any|the end of traffic after a long time without any'
cat >swallow.sed <<'END'
s/if (room) full_q\[o\] <= choice != '0;/if (room) full_q[o] <= choice != '0 \&\& data_d[12:0] != 13'd3;/
END
sed -f swallow.sed "$here/vr_switch.sv" >swallow.sv
exits 'a swallowed word is caught' 1 run cube:3 trace:file=turn.csv --rtl "$here/vr_router.sv,swallow.sv" \
    --top vr_router --no-failure-wave --quiet
contains 'where the word behind it comes first' out 'the word in front of it is lost'

# --- lost words, and more that only shows elsewhere: the check ends, and names it. FILE~SED~COMMAND~WORDS
mkdir originals
cp -r "$source_root"/harness/library/example/routers/{handshake,cells} "$source_root/rtl/adapter" originals
cp -r originals/* .
export ECUBE_RTL=$PWD
example=(-F handshake/files.f --top hs_adapter)
text=$(printf 'x%.0s' {1..600})
while IFS='~' read -r file edit command words; do
    sed -i "${edit/TEXT/$text}" "$file"
    check "$file can be edited so" test "$(cmp "$file" "originals/$file" | wc -l)" -eq 1
    # shellcheck disable=SC2086 # words
    exits 'the defect is caught' 1 $command "${example[@]}" --no-failure-wave --quiet
    check "and named: $words" grep -qF -- "$words" out err
    cp "originals/$file" "$file"
done <<'END'
adapter/ec_link_out.sv~s/ready_o\[v\] = some\[v\] && !hold;/ready_o[v] = some[v] || age_q == 5'd20; logic [4:0] age_q; always_ff @(posedge clk_i) age_q <= rst_i || !valid_i[v] || ready_o[v] ? '0 : age_q + 1'b1;/~tile check mesh:3 --only~it is lost
adapter/ec_link_in.sv~s/wire arrives = link_i\[63\]/wire lost = link_i[61] \&\& link_i[12:0] == 13'd3; wire arrives = link_i[63] \&\& !lost/; s/!rst_i && taken\[v\];/!rst_i \&\& (taken[v] || (link_i[63] \&\& lost));/~tile check mesh:4x4 --only~has not ended: its words from #3 on are lost; word head
handshake/hs_adapter.sv~s/^  localparam int CoordBits.*/& always_ff @(posedge clk_i) if (!rst_i \&\& link_i[63]) $error("TEXT the end");/~tile check mesh:3 --only~xx the end
handshake/hs_adapter.sv~s/^  localparam int CoordBits.*/& always_ff @(posedge clk_i) if (!rst_i \&\& link_i[63]) $error("TEXT the end");/~run mesh:3 neighbor:m=4~xx the end
handshake/hs_router.sv~s/x > my_x/x[2:0] > my_x[2:0]/; s/x < my_x/x[2:0] < my_x[2:0]/~tile check mesh:16x2 --only~wrong turn: word head
handshake/hs_router.sv~s/y > my_y/y[2:0] > my_y[2:0]/; s/y < my_y/y[2:0] < my_y[2:0]/~tile check mesh:200x200 --only~output local: wrong turn: word head 6->8000 #13457.0 belongs to port +y
END
check 'a comparison of few bits is no route of the packet before' test "$(grep -c 'the packet before' err)" -eq 0
exits 'a head that leaves before its tail is one of no store-and-forward router' 1 \
    tile check mesh:3 --only --router switching=store-and-forward --packet 3 "${example[@]}" --no-failure-wave
contains 'which is named' err 'leaves before its tail has arrived (store-and-forward)'
contains 'and can be repeated with the same packets' out ' --packet 3 --seed 1 --only'
sed -i 's/x > my_x/x[2:0] > my_x[2:0]/; s/x < my_x/x[2:0] < my_x[2:0]/' handshake/hs_router.sv
exits 'a router of narrow coordinates serves its network' 0 tile check mesh:3 "${example[@]}" --format json
equal 'and lacks wide ones' "$(jq -r 'select(.topology == "mesh:256x256" and .verdict == "lacks").reason' out | grep -c 'wrong turn')" 2

done_testing
