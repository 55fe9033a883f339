#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Moore rule, by machine: in one router shape no output depends on an input within a cycle.
#
#   moore.sh RTL-FOLDER Dims LinksPerDim Locals Vcs DepthMax [Dynamic [Stages [AddressBits [DataBits]]]]
#
# The forward cone of all inputs but the clock (reset included), stopped at flip-flops, must miss every
# output. Memories are mapped to flip-flops first: behind a memory cell a path would hide.
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1
shift

write_top "$@" >"$work/top.sv"
run_yosys "read_verilog -sv $table -I$rtl $(router_files "$rtl") $work/top.sv
    prep -flatten -top top
    memory
    opt_clean
    select -set free i:* i:clk_i %d
    select -assert-min 10 @free
    select -assert-min 6 o:*
    select -assert-any t:\$*dff*
    select -assert-none t:\$mem*
    select -set reached @free %coe*
    select -write $work/broken @reached o:* %i
    select -assert-none @reached o:* %i" || {
    cat "$work/broken" >&2 2>&1 || :
    fail "outputs that depend on an input of the same cycle"
}
