#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shape parameter out of range is an elaboration error that names it.
#
#   bad_parameters.sh verilator|icarus|yosys RTL-FOLDER [long]
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tool=$1 rtl=$2

# elaborate Dims LinksPerDim Locals Vcs DepthMax
elaborate() {
    case $tool in
    verilator)
        verilator --lint-only -Wno-fatal "-GDims=$1" "-GLinksPerDim=$2" "-GLocals=$3" "-GVcs=$4" \
            "-GDepthMax=$5" -y "$rtl" "$rtl/ec_tile.sv" --top-module ec_tile
        ;;
    icarus)
        # shellcheck disable=SC2046 # a list of files
        iverilog -g2012 "-I$rtl" -s ec_router -o "$work/out" "-Pec_router.Dims=$1" \
            "-Pec_router.LinksPerDim=$2" "-Pec_router.Locals=$3" "-Pec_router.Vcs=$4" \
            "-Pec_router.DepthMax=$5" $(router_files "$rtl")
        ;;
    yosys)
        write_top "$@" >"$work/top.sv"
        yosys -q -p "read_verilog -sv -I$rtl $(router_files "$rtl") $work/top.sv
            hierarchy -check -top top"
        ;;
    *) fail "no tool $tool" ;;
    esac >"$work/log" 2>&1
}

elaborate 3 1 1 1 4 || { cat "$work/log" >&2; fail "good parameters do not elaborate"; }

# own TOOL...: with a zero these tools stop at an empty vector before they print our message.
# slow TOOL: takes 11 s, with `long` only.
while read -r dims links locals vcs depth message own; do
    [ "$own ${3:-}" != "slow $tool " ] || continue
    parameters="Dims=$dims LinksPerDim=$links Locals=$locals Vcs=$vcs DepthMax=$depth"
    ! elaborate "$dims" "$links" "$locals" "$vcs" "$depth" || fail "$parameters elaborates"
    case "$own " in "own "*"$tool "*) continue ;; esac
    grep -q "ec_error_$message" "$work/log" ||
        { cat "$work/log" >&2; fail "$parameters: no word of ec_error_$message"; }
done <<END
0 1 1 1 4 dims_must_be_1_to_20 own yosys
21 1 1 1 4 a_cube_needs_an_address_bit_per_dimension
21 2 1 1 4 dims_must_be_1_to_20 slow yosys
3 0 1 1 4 links_per_dim_must_be_1_or_2 own yosys
3 3 1 1 4 links_per_dim_must_be_1_or_2
3 1 0 1 4 locals_must_be_1_or_one_per_link
3 1 2 1 4 locals_must_be_1_or_one_per_link
2 2 2 1 4 locals_must_be_1_or_one_per_link
3 1 1 0 4 vcs_must_be_1_2_4_or_8 own verilator
3 1 1 3 4 vcs_must_be_1_2_4_or_8
1 1 1 16 4 vcs_must_be_1_2_4_or_8
3 1 1 1 0 depth_max_must_be_2_to_1024 own yosys
3 1 1 1 1 depth_max_must_be_2_to_1024
3 1 1 1 2048 depth_max_must_be_2_to_1024
3 1 1 1 6 fifo_depth_must_be_a_power_of_two
END
