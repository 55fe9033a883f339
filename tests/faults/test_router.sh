#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults of the router that deliver everything, late, unfairly or with wrong taps: no run can find them; a
# comparison in lock-step, or a regression, must. (Faults that a run must find: tests/run/test_faults.c; those
# of which the benches and proofs know: tests/rtl.)
. "$(dirname "$0")/lib.sh"
printf 'cycle,source,destination,words\n1,4,7,8\n1,5,7,8\n' >two.csv
printf 'cycle,source,destination,words\n1,4,7,8\n2,5,7,8\n' >collide.csv
printf 'cube:3 hotspot:m=8\ncube:3 uniform:rate=0.5,m=4 --cycles 500\n' >baseline.txt
"$ecube" regress baseline.txt --update --quiet >/dev/null
random=(compare tiles rtl cube:3 uniform:rate=0.5,m=4 --cycles 500 --rtl FILES --top ec_router --no-failure-wave --quiet)
twice=(compare tiles rtl cube:3 trace:file=two.csv --rtl FILES --top ec_router --no-failure-wave --quiet)
collide=(compare tiles rtl cube:3 trace:file=collide.csv --rtl FILES --top ec_router --no-failure-wave --quiet)
torus=(compare tiles rtl torus:4x4 uniform:rate=0.5,m=4 --cycles 500 --rtl FILES --top ec_router --no-failure-wave --quiet)
regress=(regress baseline.txt --quiet --rtl FILES --top ec_router)

rtl_fault 'the pointer stays at the winner' ec_arbiter.sv "(~(grant_o | (grant_o - 1'b1)) & {N{moves}})" \
    "(~(grant_o - 1'b1) & {N{moves}})" compare "${random[@]}"
rtl_fault 'the pointer never moves' ec_arbiter.sv "wire moves = move_i && grant_o != '0;" "wire moves = move_i && 1'b0;" \
    regress "${regress[@]}"
rtl_fault 'the pointer starts behind the first requester' ec_arbiter.sv "if (rst_i) mask_q <= '1;" "if (rst_i) mask_q <= '1 << 1;" \
    compare "${collide[@]}"
rtl_fault 'with several VCs the pointer moves with tails only' ec_output.sv '.move_i(Vcs > 1 || tail)' '.move_i(tail)' \
    compare "${torus[@]}"
rtl_fault 'a head waits for two credits' ec_router.sv '.need_i(need_q)' ".need_i(need_q + 1'b1)" regress "${regress[@]}"
rtl_fault 'a body flit waits for two credits' ec_output.sv "held ? credits_q != '0" "held ? credits_q > Cw'(1)" \
    regress "${regress[@]}"
rtl_fault 'contended is told of the winner, too' ec_router.sv 'contended_o = contended_o & ~pop;' 'contended_o = contended_o;' \
    compare "${twice[@]}"
rtl_fault 'contended is not told where the output is held' ec_output.sv 'assign contended_o = lost |' 'assign contended_o =' \
    compare "${torus[@]}"
rtl_fault 'starved is told of empty buffers' ec_router.sv 'assign starved_o = ~empty & ~pop & ~contended_o;' \
    'assign starved_o = ~pop & ~contended_o;' compare "${twice[@]}"
rtl_fault 'want is off by one' ec_router.sv "empty[Buf] ? 8'd0 : 8'(ask_port)" "empty[Buf] ? 8'd0 : 8'(ask_port) + 8'd1" \
    compare "${twice[@]}"
rtl_fault 'one place of a buffer is not used' ec_router.sv '.depth_i(depth_i[Cw-1:0])' ".depth_i(depth_i[Cw-1:0] - 1'b1)" \
    regress "${regress[@]}"
rtl_fault 'lanes are exchanged in every router' ec_input.sv "{1'(InVc >> 1), class_out}" "{~1'(InVc >> 1), class_out}" \
    compare compare tiles rtl torus:4x4 uniform:rate=0.5,m=4 --router vcs=4 --cycles 500 --rtl FILES --top ec_router \
    --no-failure-wave --quiet

done_testing
