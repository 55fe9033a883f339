#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For scripts/lint (the suite has tests/flat/lint.sh): lint the flat networks: a cube, a torus with unequal radices and 2 VCs, a mesh with all local ports.
#
#   lint_networks.sh RTL-FOLDER
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1

# lint_network Dims LinksPerDim Radices Wraps Nodes Locals Vcs
lint_network() {
    parameters="Dims=$1 LinksPerDim=$2 Radices=$3 Wraps=$4 Nodes=$5 Locals=$6 Vcs=$7"
    set --
    for parameter in $parameters; do set -- "$@" "-G$parameter"; done
    verilator --lint-only -Wall "$@" -y "$rtl" "$rtl/ec_network.sv" --top-module ec_network \
        >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "verilator ec_network $parameters"; }
    # The wrapper leaves outputs open of which it shows the same thing in another form.
    verilator --lint-only -Wall -Wno-PINCONNECTEMPTY "$@" -y "$rtl" "$rtl/ec_tile_network.sv" \
        --top-module ec_tile_network \
        >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "verilator ec_tile_network $parameters"; }
}
lint_network 3 1 "96'h000000020000000200000002" "3'b0" 8 1 1
lint_network 2 2 "64'h0000000500000003" "2'b11" 15 1 2
lint_network 2 2 "64'h0000000200000003" "2'b00" 6 4 1

# shellcheck disable=SC2046 # a list of files
iverilog -g2012 -Wall "-I$rtl" -s ec_network -o "$work/out" "$rtl/ec_network.sv" \
    $(router_files "$rtl") >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "icarus"; }
[ ! -s "$work/log" ] || { cat "$work/log" >&2; fail "icarus warns"; }
run_yosys "read_verilog -sv -I$rtl $(router_files "$rtl") $rtl/ec_network.sv
    prep -top ec_network
    select -assert-none */t:\$dlatch
    check -assert" || fail "yosys"
