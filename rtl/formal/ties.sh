#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Print the Yosys commands that tie the wires inv_* of ec_proof_invariants.svh to the registers of ec_router.
#
#   ties.sh Dims LinksPerDim Locals Vcs DepthMax Dynamic Stages AddressBits DataBits [Paths]
#
# To be run after `prep -flatten` and `memory_map`, and before `opt`.
set -eu
dims=$1 per_dim=$2 locals=$3 vcs=$4 depth_max=$5 dynamic=$6 stages=$7 address=$8 data=$9 paths=${10:-0}
ports=$((dims * per_dim + locals))
bufs=$((ports * vcs))
w=$((3 + (vcs == 8 ? 3 : 2) + 2 * address + data))
vc_bits=$((vcs == 8 ? 3 : 2))

# Bits that count to $1 - 1.
clog2() {
    bits=0
    while [ $((1 << bits)) -lt "$1" ]; do bits=$((bits + 1)); done
    echo "$bits"
}
cw=$(clog2 $((depth_max + 1)))
iw=$(clog2 "$depth_max")
pw=$(clog2 "$ports")
rw=$((pw + 1)) routes=genblk1.gen_routed.routes
[ "$paths" != 2 ] || rw=$((pw + 2)) routes=genblk1.genblk1.gen_routed_legs.routes

# tie WIRE WIDTH INDEX REGISTER: bits WIDTH*INDEX and up of WIRE are the router's REGISTER.
tie() {
    printf 'connect -set inv_%s[%d:%d] \\u_router.%s\n' "$1" $(($2 * $3 + $2 - 1)) $(($2 * $3)) "$4"
}

tie coord "$address" 0 coord_q
[ "$dims" = 1 ] || tie order_high 1 0 order_high_q
tie whole 1 0 whole_q
tie need "$cw" 0 need_q
[ "$dynamic" != 2 ] || tie open_need "$cw" 0 open_need_q
if [ "$per_dim" = 2 ]; then
    tie mask $((address * dims)) 0 mask_q
    tie far $((address * dims)) 0 far_q
    pins='turn wrap first last'
    [ "$dynamic" != 2 ] || pins='turn wrap'
    for pin in $pins; do tie "$pin" "$dims" 0 "${pin}_q"; done
fi
[ "$vcs" = 1 ] || tie dateline 1 0 dateline_q
[ "$vcs" = 1 ] || [ "$dynamic" = 0 ] || tie classes 1 0 classes_q

port=0
while [ $port -lt $ports ]; do
    output=gen_output[$port].u_output
    if [ "$stages" = 3 ]; then tie arrival $w $port "gen_port[$port].u_arrival.gen_stage.word_q"; fi
    if [ "$stages" -gt 1 ]; then tie grant $bufs $port "gen_traversal.gen_register[$port].grant_q"; fi
    [ "$dynamic" = 0 ] || tie held "$vcs" $port "$output.gen_bind.u_vcs.held_q"
    tie pointer $bufs $port "$output.u_arbiter.mask_q"
    vc=0
    while [ $vc -lt "$vcs" ]; do
        buf=$((port * vcs + vc)) input="gen_port[$port].gen_vc[$vc].u_input"
        tie rd $((iw + 1)) $buf "$input.u_fifo.rd_q"
        tie wr $((iw + 1)) $buf "$input.u_fifo.wr_q"
        tie tails "$cw" $buf "$input.tails_q"
        if [ "$dynamic" != 0 ] || { [ "$stages" -gt 1 ] && [ "$vcs" -gt 1 ]; }; then tie vc $vc_bits $buf "$input.vc_q"; fi
        [ "$dynamic" != 2 ] || tie port "$pw" $buf "$input.gen_adaptive.port_q"
        slot=0
        while [ $slot -lt "$depth_max" ]; do
            tie mem $w $((depth_max * buf + slot)) "$input.u_fifo.mem[$slot]"
            if [ "$dynamic" != 2 ] && { [ "$per_dim" = 2 ] || [ "$stages" = 3 ]; }; then
                # Yosys names the scope of an `else if'.
                tie routes $rw $((depth_max * buf + slot)) "$input.${routes}[$slot]"
            fi
            slot=$((slot + 1))
        done
        if [ "$dynamic" = 0 ]; then
            tie credits "$cw" $buf "$output.gen_hold.u_vcs.gen_vc[$vc].u_credits.credits_q"
            tie may $bufs $buf "$output.gen_hold.u_vcs.gen_vc[$vc].may_q"
        else
            tie credits "$cw" $buf "$output.gen_bind.u_vcs.gen_vc[$vc].u_credits.credits_q"
        fi
        vc=$((vc + 1))
    done
    port=$((port + 1))
done
