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

# The credits of node 0 come after 700 cycles once, while another part would not meet this one in a start-up: the run is
# repeated in one part, since message 2 waits for message 1 there.
cat >late <<'END'
      wire due = in_credit[p] && in_credit_vc[p] == VcBits'(v);
      logic [3:0] owed_q;
      logic [9:0] wait_q;
      wire pay = owed_q != 0 && wait_q == 700;
      always_ff @(posedge clk_i) begin
        owed_q <= rst_i ? '0 : owed_q + 4'(due) - 4'(pay);
        if (rst_i) wait_q <= p == 4 && coord_i == 0 ? '0 : 10'd700;
        else if (owed_q != 0 && !pay) wait_q <= wait_q + 1;
      end
      assign credit_o[Vcs*p + v] = pay;
END
sed -i -e '/assign credit_o/{r late' -e 'd}' vc_adapter.sv
printf 'id,source,destination,words,after\n1,0,1,6,\n2,6,5,2,1\n' >late.csv
late=(run mesh:8x1 trace:file=late.csv --startup 1000 "${defective[@]}" --format json)
exits 'credits that are late once' 0 "${late[@]}"
whole=$(jq -c '[.cycles, .digest]' out)
exits 'while parts do not meet' 0 "${late[@]}" --threads 2
equal 'do not make them differ' "$(jq -c '[.cycles, .digest]' out)" "$whole"
contains 'which they notice' err '2 parts did not finish the run, but one part did'
done_testing
