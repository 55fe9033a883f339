#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prove tests/formal/PROOF.sv, the contract of one cell, with Yosys alone (temporal induction: base case and step).
#
#   cells.sh RTL-FOLDER PROOF [PARAMETER=VALUE...]
#
# Registers of a cell that a proof refers to are tied to wires of the proof after flattening, so that the
# RTL needs no ports for it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../rtl/lib.sh
. "$here/../rtl/lib.sh"
rtl=$1 proof=$2
shift 2

# Parameters are set in a copy: Yosys' chparam dies on derived modules (see write_top).
cp "$here/$proof.sv" "$work/proof.sv"
value() { # value PARAMETER
    sed -n "s/.*parameter int $1 = \([0-9]*\).*/\1/p" "$work/proof.sv"
}
for setting; do
    sed "s/\(parameter int ${setting%%=*} = \)[0-9]*/\1${setting#*=}/" "$work/proof.sv" \
        >"$work/set.sv"
    mv "$work/set.sv" "$work/proof.sv"
    [ "$(value "${setting%%=*}")" = "${setting#*=}" ] || fail "$proof has no parameter for $setting"
done

# tie WIRE WIDTH INDEX REGISTER: bits WIDTH*INDEX and up of the proof's WIRE are the cell's REGISTER.
tie() {
    printf 'connect -set %s[%d:%d] %s\n' "$1" $(($2 * $3 + $2 - 1)) $(($2 * $3)) "\\u_dut.$4"
}
# Bits that count to $1.
bits() {
    count=0
    while [ $((1 << count)) -le "$1" ]; do count=$((count + 1)); done
    echo "$count"
}

dff_check='' also='' mode='-tempinduct -maxsteps 5'
case $proof in
fifo_proof)
    depth=$(value Depth)
    tie rd_q "$(bits "$depth")" 0 rd_q
    tie wr_q "$(bits "$depth")" 0 wr_q
    for word in $(seq 0 $((depth - 1))); do tie mem 64 "$word" "mem[$word]"; done
    ;;
arbiter_proof)
    tie mask_q "$(value N)" 0 mask_q
    ;;
output_proof)
    for vc in $(seq 0 $(($(value Vcs) - 1))); do
        tie credits "$(bits "$(value DepthMax)")" "$vc" "gen_hold.u_vcs.gen_vc[$vc].u_credits.credits_q"
        tie may "$(value Bufs)" "$vc" "gen_hold.u_vcs.gen_vc[$vc].may_q"
    done
    ;;
bind_proof)
    tie held "$(value Vcs)" 0 gen_bind.u_vcs.held_q
    for vc in $(seq 0 $(($(value Vcs) - 1))); do
        tie credits "$(bits "$(value DepthMax)")" "$vc" "gen_bind.u_vcs.gen_vc[$vc].u_credits.credits_q"
    done
    ;;
waiting_proof)
    tie mask "$(value Bufs)" 0 u_arbiter.mask_q
    [ "$(value Dynamic)" = 0 ] && kind=gen_hold || kind=gen_bind
    for vc in $(seq 0 $(($(value Vcs) - 1))); do
        tie credits "$(bits "$(value DepthMax)")" "$vc" "$kind.u_vcs.gen_vc[$vc].u_credits.credits_q"
        [ "$kind" = gen_bind ] || tie may "$(value Bufs)" "$vc" "gen_hold.u_vcs.gen_vc[$vc].may_q"
    done
    [ "$kind" = gen_hold ] || tie held "$(value Vcs)" 0 gen_bind.u_vcs.held_q
    ;;
quiet_proof)
    # One step from any state: every flip-flop keeps its value.
    mode='' dff_check="techmap -max_iter 1 -map $here/holds.v"
    ;;
route_proof)
    # A function: no cycle before, and no state.
    mode='' also="$rtl/formal/ec_proof_pins.sv $rtl/formal/ec_proof_route.sv $rtl/formal/ec_proof_step.sv"
    address=$(value AddressBits) dims=$(value Dims)
    if [ "$(value LinksPerDim)" = 2 ]; then
        for pin in far turn first last; do
            [ $pin = far ] && width=$((address * dims)) || width=$dims
            tie $pin "$width" 0 ${pin}_q | sed 's/u_dut/gen_router.u_dut/'
        done
    fi
    ;;
*) fail "no proof $proof" ;;
esac >"$work/ties.ys"

# The RTL's own checks are proved along with those of the proof, but for quiet_proof: its states need
# not be reachable, and such states need not satisfy them.
case $proof in quiet_proof | route_proof) rtl_mode='' ;; *) rtl_mode=-formal ;; esac
cat >"$work/prove.ys" <<END
read_verilog $rtl_mode -sv -I$rtl $(router_files "$rtl")
read_verilog -formal -sv -I$rtl $also $work/proof.sv
prep -flatten -top $proof
memory_map
$(cat "$work/ties.ys")
chformal -cover -remove
opt -full
async2sync
setundef -undriven -anyseq
setundef -anyseq
dffunmap
$dff_check
select -assert-min 2 t:\$assert
sat $mode -seq 1 -prove-asserts -set-assumes -verify
END
if ! yosys -q -l "$work/log" "$work/prove.ys" >"$work/out" 2>&1; then
    grep -v 'has no driver' "$work/out" | head -n 60 >&2
    fail "$proof $*: not proved"
fi
echo "PASS: $(grep '^Import proof for assert' "$work/log" | sort -u | wc -l) obligations"
