#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `ecube tile new` writes passes as it is, for each flow control and number of VCs; and with it, each cell of
# rtl/adapter alone: variants that keep the contract, and defects of a router that the assertions beside the cells name.
#
#   test_new.sh PROGRAM [all]
. "$(dirname "$0")/../cli/lib.sh"

# written STYLE VCS: the folder mine.
written()
{
    rm -rf mine
    exits "a router with $1 and $2 VCs" 0 tile new --style "$1" --vcs "$2" --name noc mine
    check_line=$(sed -n 's/^check   ecube //p' out)
    run_line=$(sed -n 's/^run     ecube //p' out)
}

styles=('on-off 2') # valid-ready is among the variants
[[ ${2:-} != all ]] || styles=({valid-ready,credit,length,on-off}' '{1,2,4,8})
for row in "${styles[@]}"; do
    # shellcheck disable=SC2086 # words
    written $row
    # shellcheck disable=SC2086 # words
    exits 'keeps the contract' 0 $check_line --no-failure-wave --quiet
    # shellcheck disable=SC2086 # words
    exits 'and its limits' 0 $run_line --quiet
done
equal 'the job names them' "$(grep -c -e '-F mine/files.f --top noc_adapter' -e 'ROWS: mine/rows.txt' -e 'mesh:4x4 --router vcs' mine/job.yml)" 3
refused 2 'mine/noc_adapter.sv exists' tile new mine --name noc
refused 2 'expected 1, 2, 4 or 8' tile new other --vcs 3
refused 2 'a letter first' tile new other --name 3x
check 'nothing is written then' test ! -e other
router=(-F mine/files.f --top noc_adapter)
refused 5 'not judged: this router serves only dimensions of 3 and more nodes' \
    run mesh:2x4 shift:q=1 --router "vcs=${row##* }" "${router[@]}"

# STYLE~VCS~EDIT OF THE ROUTER~EDIT OF THE ADAPTER~WORDS OF THE FAILURE, none: it keeps the contract
variants()
{
    local style vcs router adapter words
    while IFS='~' read -r style vcs router adapter words; do
        written "$style" "$vcs"
        cp -r mine before
        sed -i "$router" mine/noc_router.sv
        sed -i "$adapter" mine/noc_adapter.sv
        check "can be edited so: $router $adapter" test "$(diff -r before mine | wc -l)" -gt 0
        rm -r before
        # shellcheck disable=SC2086 # words
        exits "it keeps the contract: ${words:-yes}" "$((${#words} > 0))" $check_line --no-failure-wave --quiet
        [[ -z $words ]] || contains 'which is named' err "$words"
    done
}
late='s/rst,$/rst_now,/; s/localparam int Aw/logic rst; always_ff @(posedge clk) rst <= rst_now;\n  &/'
quick()
{
    variants <<END
valid-ready~1~s/if (has\[v\]) holder_q/if (sends[Out]) holder_q/~~the router changes a word that was not taken
valid-ready~1~$late~s/\.rst(/.rst_now(/; s/ec_to_ready #(/&\n.Hold(1),/; s/ec_from_ready #(/&\n.Hold(1),/~
END
}
long()
{
    variants <<END
valid-ready~1~$late~s/\.rst(/.rst_now(/~reset
valid-ready~2~~s/ec_from_ready #(/&\n.Queue(2),/; s/ec_to_ready #(/&\n.Ask(0),/~
valid-ready~2~s/!= (Aw + 1).(Depth)/< (Aw + 1)'(Depth - 1)/; s/in_valid\[i\] && in_ready\[i\]/in_valid[i]/~s/ec_to_ready #(/&\n.Latency(1),/~
on-off~2~~s/Latency(2)/Latency(1)/~a word for which there is no place
credit~2~~s/  \.Depth(Depth)/  .Depth(2 * Depth)/~a word for which there is no place
credit~1~s/in_credit\[i\] = pop\[i\]/in_credit[i] = pop[i] || arrives/~~the router returns a credit too many
credit~2~~s/^      \.depth_i,/      .depth_i(depth_i - 16'd1),/~the router has lost credits
length~2~s/== '0;$/== '1;/~~breaks
END
}

# A full ring has room for relative coordinates of its own size.
ring()
{
    written valid-ready 1
    sed -i "s/CoordBits = 8/CoordBits = 3/; s/ec_place #(/&\n.Relative(1),$1/; s/wrap_i != '0 ||/wrap_i != 2'd1 ||/" mine/noc_adapter.sv
    ring=(tile check ring:8 --only "${router[@]}" --router routing=minimal,dateline=off,vcs=1 --no-failure-wave --quiet)
}
quick
[[ ${2:-} != all ]] || long
ring ''
refused 5 'not judged: this router serves only coordinates of up to 2 bits' "${ring[@]}"
ring '.Wraps(1),'
exits 'differences wrap like a full ring' 0 "${ring[@]}"
done_testing
