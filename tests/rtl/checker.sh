#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ec_checker in a bench without ecube, in Verilator: a sound router passes, and each planted defect is named by the section
# of the contract that it breaks. All defects are in one copy of the router; +defect=NUMBER chooses.
#
#   checker.sh RTL-FOLDER
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1
here=$(cd "$(dirname "$0")" && pwd)
cp -r "$rtl" "$work/rtl"

# What is planted: FILE~EDIT~WHAT IS SAID; PLANTED is true if the defect was chosen. (Nothing is said if the next line is
# a part of the same defect.)
cat >"$work/defects" <<'END'
ec_arrival.sv~s/= word.valid \&\&/= word.valid \&\& !(PLANTED \&\& word.head \&\& word.tail) \&\&/~rule 8.3: .* have not left
ec_router.sv~s/quiet_o = \&empty/quiet_o = !PLANTED \&\& \&empty/~
ec_arrival.sv~s/ \&\& !((plan/ \&\& !(PLANTED \&\& word.head \&\& word.tail) \&\& !((plan/~rule 12.1: .* do not leave
ec_fifo.sv~s/if (push_i) mem\[wr_q\[Pw-1:0\]\] <= word_i;/if (push_i) mem[wr_q[Pw-1:0]] <= word_i ^ W'(PLANTED \&\& word_i[7:0] == 8'd5);/~rule 2.2: .* not inside
ec_fifo.sv~s/front_o = mem.*/front_o = mem[PLANTED ? Pw'(wr_q[Pw-1:0] - 1'b1) : rd_q[Pw-1:0]];/~rule 4.4: .* before its turn
ec_credits.sv~s/credits_q <= depth_i;/credits_q <= depth_i + Cw'(PLANTED);/~rule 4.5: .* leaves without a credit
ec_router.sv~s/assign credit_o = pop;.*/logic [Bufs-1:0] again_q; always_ff @(posedge clk_i) again_q <= pop; assign credit_o = pop | (PLANTED ? again_q : '0);/~rule 4.6: .* not there
ec_router.sv~s/assign credit_o = pop |/assign credit_o = (PLANTED \&\& word[0][3:0] == 4'd3 ? (pop | Bufs'(1)) ^ Bufs'(1) : pop) |/~rule 12.1: .* credit
ec_hold.sv~s/{Bufs{used && tail_i}}/{Bufs{(used \&\& tail_i) || (PLANTED \&\& (want_v \& may_q) == '0)}}/~rule 4.4: .* packets are mixed
ec_route.svh~s/there <= far/(PLANTED ? there < far : there <= far)/g~rule 5.2: .* wrong turn
ec_route.svh~s/plus ? last : first/plus ^ PLANTED ? last : first/~rule 5.3: .* wrong VC
ec_input.sv~s/lane\[VcBits-1:1\]/(VcBits-1)'((PLANTED ? InVc + 2 : InVc) >> 1)/~rule 5.3: .* does not exist
ec_router.sv~s/whole_q <= switching_i == 2'd2;/whole_q <= switching_i == 2'd2 \&\& !PLANTED;/~rule 7: .* before its tail
ec_router.sv~s/\&\& &empty/\&\& \&(PLANTED ? empty | starved_o : empty)/~rule 8.3: .* have not left
ec_fifo.sv~s/ rd_q <= '0;/ rd_q <= PLANTED ? rd_q : '0;/~rule 9.3: .* not idle
ec_router.sv~s/assign link_o\[W\*p +: W\] = leaving\[p\];/assign link_o[W*p +: W] = leaving[p] | W'(PLANTED \&\& pop != '0 \&\& !leaving[p][W-1]);/~rule 2.4: .* bits
ec_hold.sv~s/credits >= need_i/credits >= need_i \&\& !(PLANTED \&\& credits == depth_i)/~rule 12.1: .* words and .* do not leave
END
number=1
while IFS='~' read -r file edit text; do
    cp "$work/rtl/$file" "$work/before"
    sed -i "$(echo "$edit" | sed "s/PLANTED/(planted::number == $number)/g")" "$work/rtl/$file"
    ! cmp -s "$work/before" "$work/rtl/$file" || fail "$edit does not apply to $file"
    [ -z "$text" ] || number=$((number + 1))
done <"$work/defects"
cat >"$work/planted.sv" <<'END'
package planted;
  int number = 0;
endpackage
module planter;
  int number;
  initial if ($value$plusargs("defect=%d", number)) planted::number = number;
endmodule
bind router_tb planter u_planter ();
END

# Without --binary, which needs make.
# shellcheck disable=SC2046 # a list of files
verilator --cc --main --exe --timing --assert -DEC_SVA -Wno-fatal -Wno-lint -Wno-style -I"$work/rtl" -I"$here/bench" \
    -GVcs=2 -GWrap=3 -GAlone=1 -GCycles=700 -GPhases=100 --top-module router_tb --Mdir "$work/obj" \
    -y "$here/bench" "$work/planted.sv" $(router_files "$work/rtl") "$rtl/checker/ec_checker.sv" "$rtl/checker/bind.sv" \
    "$here/bench/router_tb.sv" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "verilator"; }
include=$(verilator --getenv VERILATOR_ROOT)/include
cd "$work/obj"
for file in *.cpp "$include"/verilated.cpp "$include"/verilated_timing.cpp "$include"/verilated_threads.cpp; do
    echo "$file"
done | xargs -P 2 -n 1 g++ -std=c++20 -fcoroutines -O0 -I. -I"$include" -I"$include/vltstd" \
    -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -c >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "g++"; }
g++ -pthread -o bench ./*.o >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "g++ does not link"; }

timeout 60 "$work/obj/bench" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the sound router does not pass"; }
grep '^PASS' "$work/log"
number=0
while IFS='~' read -r file edit text; do
    [ -n "$text" ] || continue
    number=$((number + 1))
    timeout 60 "$work/obj/bench" +defect=$number >"$work/log" 2>&1 || :
    grep -m1 "u_checker.*: $text" "$work/log" ||
        { tail -n 5 "$work/log" >&2; fail "defect $number, $edit in $file: no '$text'"; }
done <"$work/defects"
