#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong with a router that allocates virtual channels itself is named, in a run or alone:
# FILE@FROM@TO@COMMAND@WORDS
. "$(dirname "$0")/../cli/lib.sh"
routers=$source_root/harness/library/example/routers
cp "$routers"/virtual-channels/* .
defective=(-F files.f --top vc_adapter --router va=dynamic,vcs=2 --quiet)
while IFS=@ read -r file from to command words; do
    sed -i "s/$from/${to/AT_CLOCK/@(posedge clk_i)}/" "$file"
    check "$file has $from" test "$(cmp "$file" "$routers/virtual-channels/$file" | wc -l)" -eq 1
    # shellcheck disable=SC2086 # words
    exits "caught by $command" 1 $command "${defective[@]}"
    check "and named: $words" grep -qF -- "$words" out err
    cp "$routers/virtual-channels/$file" .
done <<'END'
vc_router.sv@held_q\[v\] <= .*@held_q[v] <= 1'b0;@run mesh:3x3 hotspot:m=20 --no-failure-wave@packets are mixed: word head 6->0 #0.0 leaves on VC 1 inside another packet
vc_router.sv@in_credit\[p\] <= !rst@in_credit[p] <= !rst \&\& !(in_valid[0] \&\& in_valid[4])@run mesh:3x3 uniform:rate=0.4,m=4 --cycles 1000 --no-failure-wave@the router owes a credit: by cycle
vc_router.sv@(out_credit\[o\]@(out_credit[o] \&\& !(in_valid[0] \&\& in_valid[4])@run mesh:3x3 uniform:rate=0.4,m=4 --cycles 1000 --no-failure-wave@could leave and does not, by output
vc_router.sv@(out_credit\[o\]@(out_credit[o] \&\& in_valid != '1@tile check mesh:3x3 --only@has never left: it could by output
vc_adapter.sv@assign credit_o.* = \(.*\);@logic [99:0] late_q; always_ff AT_CLOCK late_q <= rst_i ? '0 : {late_q[98:0], \1}; assign credit_o[Vcs*p + v] = late_q[99];@tile check mesh:3x3 --only@at most 64 cycles
vc_router.sv@^endmodule@endmodule  \/\/ that knows no message classes@run mesh:3x3 uniform:rate=0.05,m=2,reply=2 --no-failure-wave@wrong VC: word head 8->2 #0.0 leaves on VC 1 instead of VC 0
END
exits "a sound router serves all, in all its shapes" 0 tile check mesh:2 --router vcs=2
done_testing
