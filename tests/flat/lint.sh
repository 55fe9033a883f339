#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ec_network without a warning, and a wrong parameter with a message that names it.
#
#   lint.sh verilator|icarus|yosys RTL-FOLDER TOPOLOGY ROUTER
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tool=$1 rtl=$2
network "$3" "$4"

# elaborate PARAMETER=VALUE...: the last value of a name counts.
elaborate() {
    local p list=''
    case $tool in
    verilator)
        # The wrapper leaves outputs open on purpose: they are parts of others.
        verilator --lint-only -Wall -Wno-PINCONNECTEMPTY "${@/#/-G}" "-I$rtl" "$rtl"/ec_*.sv "$rtl"/ec_tile_network.vlt \
            --top-module ec_tile_network
        ;;
    icarus)
        iverilog -g2012 -Wall "-I$rtl" -s ec_network -o "$work/out" "${@/#/-Pec_network.}" \
            "$rtl"/ec_[!t]*.sv
        ;;
    yosys)
        # Its chparam dies on derived modules: set the defaults in a copy.
        cp "$rtl/ec_network.sv" "$work/network.sv"
        for p; do
            sed -i "s/\(parameter [^=]*\b${p%%=*} = \)[^,\/]*/\1${p#*=}/" "$work/network.sv"
        done
        # shellcheck disable=SC2046
        list=$(printf '%s\n' "$rtl"/ec_[!t]*.sv | grep -v ec_network)
        yosys -q -p "read_verilog -sv -I$rtl ${list//$'\n'/ } $work/network.sv
            synth -run begin:fine -top ec_network
            select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr
            check -assert"
        ;;
    esac >"$work/log" 2>&1
}

# shellcheck disable=SC2086,SC2090 # words without blanks
elaborate $parameters || { cat "$work/log" >&2; fail "$tool: $3 $4"; }
if grep -iq warning "$work/log"; then
    cat "$work/log" >&2
    fail "$tool warns: $3 $4"
fi
# shellcheck disable=SC2086,SC2090 # words without blanks
! elaborate $parameters "Nodes=$((nodes + 1))" || fail "$tool: a node too many is accepted"
grep -q ec_error_nodes_must_be_the_product_of_the_radices "$work/log" ||
    { cat "$work/log" >&2; fail "$tool: a node too many is refused without a message about it"; }
