#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One damage at a time in router 5 of one side: the difference is named with the cycle, the port and the
# values that the contract lets one compute by hand. Messages 4 -> 5 -> 7 (through router 5 from dim0 to
# dim1; word k of the only message leaves it in cycle 3 + k) and 7 -> 5 -> 1 (from dim1 to dim2).
. "$(dirname "$0")/lib.sh"
printf 'cycle,source,destination,words\n1,4,7,8\n' >one.csv
printf 'cycle,source,destination,words\n1,4,7,8\n1,5,7,8\n' >two.csv

# differs NAME FILE FROM TO TRACE JQ EXPECTED: with that damage, the divergence has these values.
differs()
{
    damage "$1" "$2" "$3" "$4"
    run compare tiles rtl cube:3 "trace:file=$5" --rtl "$(files "$1" ,)" --top ec_router \
        --no-failure-wave --format json
    equal "$1: exit status" "$status" 1
    equal "$1: where and what" "$(jq -c ".divergence | $6" out)" "$7"
}
at5="coord_q == 16'd5"
fields='[.cycle, .node, .port, .vc, .field, .a_text, .b_text]'

differs turn ec_router.sv 'leaving[to[i]] =' \
    "leaving[$at5 && to[i] == Pw'(1) ? Pw'(2) : to[i]] =" one.csv "$fields" \
    '[3,5,1,0,"word out","head VC 0  4->7 #0.0","no word"]'
differs credit ec_router.sv 'assign credit_o = pop;' \
    "assign credit_o = pop & ~($at5 ? Bufs'(1) : Bufs'(0));" one.csv "[.cycle, .node, .port, .field, .a, .b, .packets]" \
    '[3,5,0,"credit out",1,0,["4->7 #0"]]'
equal "the document has the keys of a divergence" "$(jq -r ".divergence | keys_unsorted[]" out | xargs)" \
    "$(awk "/^## .divergence./ { on = 1; next } /^#/ { on = 0 } on" "$source_root/docs/output/compare.md" |
        sed -n "s/^| \`\([a-z_]*\)\`.*/\1/p" | xargs)"

# A wire: in the flat network node 0 hears on dim0 what is meant for its dim1, and the reverse. So the word
# of 1 is there in time and goes on as it should, but its credit goes back by the wrong port.
mkdir -p data/harness/library/include data/harness/library/shape
cp -r "$source_root/rtl" data/
cp -r "$source_root/harness/library/shape/shim" data/harness/library/shape/
cp -r "$source_root/harness/library/include/ecube" data/harness/library/include/
sed -i 's/localparam int Dim = p \/ LinksPerDim;/localparam int Dim = (n == 0 \&\& p < 2 ? 1 - p : p) \/ LinksPerDim;/
        s/Back = Radix == 2 ? p :/Back = Radix == 2 ? (n == 0 \&\& p < 2 ? 1 - p : p) :/' data/rtl/ec_network.sv
printf 'cycle,source,destination,words\n1,1,2,8\n' >over0.csv
ECUBE_DATA=$work/data run compare tiles flat cube:3 trace:file=over0.csv --no-failure-wave --format json
equal 'a swapped wire: exit status' "$status" 1
equal 'a swapped wire: where and what' "$(jq -c ".divergence | $fields" out)" \
    '[3,0,0,0,"credit out","yes","no"]'

# Without damage everything agrees, taps included, so the damage causes the values above.
damage sound none
for trace in one two; do
    run compare tiles rtl cube:3 trace:file=$trace.csv --rtl "$(files sound ,)" --top ec_router --format json
    equal "an undamaged copy agrees, $trace" "$status $(jq -c '[.divergence, .taps, .compared > 20]' out)" \
        '0 [null,true,true]'
done
side=tiles:rtl=$(files sound +),top=ec_router
exits 'a side may name its own router' 0 compare "$side" tiles cube:3 trace:file=one.csv --quiet
exits 'and differ from another one' 1 compare "$side" "tiles:rtl=$(files turn +),top=ec_router" \
    cube:3 trace:file=one.csv --quiet --no-failure-wave
contains 'whose name stands apart from what it shows' out ',top=ec_router no word'

# Two tile networks are compared in another way than a tile network and something else.
for load in 0.02 0.3; do
    for side in tiles flat; do
        run compare tiles $side cube:3 uniform:rate=$load,m=4 --cycles 300 --format json
        jq -c '[.verdict, .cycles, .words, .packets, .compared]' out >counts.$side
    done
    equal "both ways compare the same, load $load" "$(<counts.tiles)" "$(<counts.flat)"
done

# The waves of both sides, in the folder asked for.
mkdir waves
exits 'a difference leaves waves' 1 compare tiles rtl cube:3 trace:file=one.csv \
    --rtl "$(files turn ,)" --top ec_router --failure-dir waves
for letter in a b; do
    wave=$(echo waves/ecube-compare-*-$letter.fst)
    check "there is the wave of side $letter" test -s "$wave"
    contains 'with its layout' "${wave%.fst}.gtkw" "n5_101"
    contains 'and the command that opens it' out "gtkwave $wave ${wave%.fst}.gtkw"
done
contains 'the text names the place' out 'cycle 3, router 5 (101), output dim1: word out'
part=$(printf '%0120d' 0)
exits 'a folder whose name is too long' 1 compare tiles rtl cube:3 trace:file=one.csv \
    --rtl "$(files turn ,)" --top ec_router --failure-dir "$part/$part/$part/$part"
contains 'has no waves, and the text says why' out 'no wave: path too long'

# The names of the waves: another comparison has another one, the same has the same.
leave()
{
    run compare tiles rtl cube:3 "$@" --rtl "$(files turn ,)" --top ec_router --failure-dir names --quiet
}
count=0
leave trace:file=one.csv
for options in '--cycles 500' '--packet 4' '--startup 3' '--eject-stall 0.3' '--seed 2'; do
    # shellcheck disable=SC2086
    leave trace:file=one.csv $options
    count=$((count + 1))
    equal "other waves with $options" "$(ls names/*-[ab].fst | wc -l)" $((2 * count + 2))
done
leave shift:q=3,m=2
leave shift:q=3,m=2 --algorithm ecube-steps
leave shift:q=3,m=2 --algorithm ecube-steps --sync data
equal 'other waves of another schedule' "$(ls names/*-[ab].fst | wc -l)" $((2 * count + 8))
leave trace:file=one.csv
equal 'the same waves of the same comparison' "$(ls names/*-[ab].fst | wc -l)" $((2 * count + 8))

# --deliveries compares packets, not times: another arbitration order delivers the same, a lost word does not.
damage later ec_arbiter.sv "(-(moving << 1))" "(-moving)"
printf 'cycle,source,destination,words\n1,4,7,8\n1,5,7,8\n9,4,7,8\n9,5,7,8\n2,7,5,3\n2,6,5,3\n' >many.csv
exits 'an arbiter that repeats itself differs in lock-step' 1 compare tiles rtl cube:3 uniform:rate=0.5,m=4 \
    --cycles 300 --rtl "$(files later ,)" --top ec_router --no-failure-wave --quiet
exits 'and delivers the same' 0 compare tiles rtl cube:3 uniform:rate=0.3,m=4 --cycles 300 \
    --rtl "$(files later ,)" --top ec_router --deliveries
contains 'which the text says' out 'SAME DELIVERIES'
exits 'a wrong turn does not' 1 compare tiles rtl cube:3 trace:file=many.csv \
    --rtl "$(files turn ,)" --top ec_router --deliveries
exits 'a side that loses credits fails on its own' 1 compare tiles rtl cube:3 trace:file=one.csv \
    --rtl "$(files credit ,)" --top ec_router --deliveries --format json
equal 'the record has the outcome and the failed checks of each side' \
    "$(jq -c '.deliveries | [.a_outcome, [.a_failed[].name], .b_outcome, [.b_failed[].name]]' out)" \
    '["finished",[],"broken",["delivery","drain","progress"]]'
check 'and the reason' grep -q '"detail": "side B: progress: .*router 5 (101), input dim0' out
run compare tiles rtl cube:3 trace:file=one.csv --rtl "$(files credit ,)" --top ec_router --deliveries
check 'so does the text' grep -q 'side B fails  progress: .*router 5 (101), input dim0' out
exits 'a deadlock is one of both sides' 4 compare tiles tiles ring:8 shift:q=3,m=16 --router vcs=1,dateline=off --deliveries
contains 'not a difference' out 'BROKEN'
contains 'of A' out 'side A fails  progress: deadlock'
contains 'and of B' out 'side B fails  progress: deadlock'
contains 'with the buffers that wait' out 'router 7, input local VC 0'
run compare tiles tiles cube:3 shift:q=5,m=16 --deliveries --cycles 10
contains 'the same deliveries of two runs that were cut short are not a difference' out 'BROKEN'
contains 'but a reason' out 'side A fails  stopped by --cycles after 10 cycles'

# Refusals.
refused 2 'did you mean' compare tiles flatt cube:3 shift:q=1
refused 2 'missing B: expected A B TOPOLOGY WORKLOAD' compare tiles
refused 2 'missing WORKLOAD: expected A B TOPOLOGY WORKLOAD' compare tiles flat cube:3
refused 2 '--rtl FILES' compare tiles rtl cube:3 shift:q=1
refused 2 'expected both rtl=' compare tiles:rtl=a.sv tiles cube:3 shift:q=1
refused 2 'unknown key' compare tiles:file=a.sv tiles cube:3 shift:q=1
refused 2 '--format csv: expected text or json' compare tiles flat cube:3 shift:q=1 --format csv

rest_is_long "${2:-}"

# Side B alone lets router 5 sleep with the word of 5 in it, which waited for that of 4.
printf "cycle,source,destination,words\n1,4,7,1\n2,5,7,1\n" >meet.csv
differs quiet ec_router.sv "assign quiet_o = &empty" "assign quiet_o = $at5 || &empty" meet.csv "$fields" \
    '[4,5,1,0,"word out","head tail VC 0  5->7 #0.0","no word"]'

# The message from 5 is first at the link (it has no hop before): the one from 4 waits at dim0.
differs contended ec_router.sv 'contended_o = contended_o & ~pop;' \
    "contended_o = contended_o & ~pop & ~{Bufs{$at5}};" two.csv "[.cycle, .node, .port, .field, .a, .b, .packets]" \
    '[3,5,0,"contended",1,0,["4->7 #0"]]'
differs want ec_router.sv "empty[Buf] ? 8'd0 : 8'(ask_port)" \
    "empty[Buf] ? 8'd0 : 8'(ask_port ^ Pw'($at5))" two.csv "$fields" \
    '[3,5,0,0,"want","dim1","dim0"]'
differs payload ec_router.sv 'assign link_o[W*p +: W] = leaving[p];' \
    "assign link_o[W*p +: W] = leaving[p] ^ W'($at5 && leaving[p][12:0] == 13'd3);" one.csv "$fields" \
    '[6,5,1,0,"word out","VC 0  4->7 #0.3","VC 0  4->7 #0.2"]'
exits 'with two VCs as well' 1 compare "$side" "tiles:rtl=$(files want +),top=ec_router" \
    cube:3 uniform:rate=0.3,m=4 --router vcs=2 --cycles 300 --quiet --no-failure-wave

# A difference in only one tap, or of only one VC, is detected, too.
# only NAME OPTIONS JQ EXPECTED FROM TO...: under random load.
only()
{
    # shellcheck disable=SC2086
    damage "$1" ec_router.sv "${@:5}" && run compare tiles rtl cube:3 uniform:rate=0.6,m=4 --cycles 300 \
        --eject-stall 0.3 $2 --rtl "$(files "$1" ,)" --top ec_router --no-failure-wave --format json
    equal "$1 alone" "$status $(jq -c ".divergence | $3" out)" "1 $4"
}
starved='assign starved_o = ~empty & ~pop & ~contended_o;'
only starved '' '[.node, .field, .a, .b]' '[5,"starved",1,0]' "$starved" "${starved%;} & ~{Bufs{$at5}};"
for vc in 0 1; do
    only "contended$vc" '--router vcs=2' '[.node, .vc, .field, .a, .b]' "[5,$vc,\"contended\",1,0]" \
        'contended_o = contended_o & ~pop;' \
        "contended_o = contended_o & ~pop & ~({Ports{Vcs'(1 << $vc)}} & {Bufs{$at5}});" \
        "$starved" "logic [Bufs-1:0] all;
  always_comb begin
    all = '0;
    for (int p = 0; p < Ports; p++) all = all | contended[p];
  end
  assign starved_o = ~empty & ~pop & ~all;"
done
done_testing
