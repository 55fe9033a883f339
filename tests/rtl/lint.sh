#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lint one router shape with one tool; any warning fails.
#
#   lint.sh verilator|icarus|yosys RTL-FOLDER Dims LinksPerDim Locals Vcs DepthMax
#           [Dynamic [Stages [AddressBits [DataBits]]]]
#
# (Not Verilator with DataBits: its top is the wrapper of the simulator, which has words of 64 bits.)
# Yosys also synthesises in outline: no latch, no loop, no undriven or multiply driven wire.
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tool=$1 rtl=$2
shift 2
defines='EC_PLAIN EC_CHECKS'
[ "${6:-0}" = 2 ] || defines="$defines EC_TABLE" # adaptive routing has no table

# With several VCs also with paths by message class, and one crossbar input for each port.
more=
[ "$4" = 1 ] || more=EC_SPEEDUP=1
[ "$4" = 1 ] || [ "${6:-0}" = 2 ] || more='EC_SPEEDUP=1 EC_PATHS=1 EC_PATHS=2'

case $tool in
verilator)
    for define in $defines $more; do
        verilator --lint-only -Wall "-D$define" \
            -GDims="$1" -GLinksPerDim="$2" -GLocals="$3" -GVcs="$4" -GDepthMax="$5" \
            -GDynamic="${6:-0}" -GStages="${7:-1}" -GAddressBits="${8:-16}" \
            -y "$rtl" "$rtl/ec_tile.sv" --top-module ec_tile >"$work/log" 2>&1 ||
            { cat "$work/log" >&2; fail "verilator -D$define"; }
    done
    ;;
icarus)
    for define in $defines $more; do
        # shellcheck disable=SC2046 # a list of files
        iverilog -g2012 -Wall "-D$define" "-I$rtl" -s ec_router -o "$work/out" \
            "-Pec_router.Dims=$1" "-Pec_router.LinksPerDim=$2" "-Pec_router.Locals=$3" \
            "-Pec_router.Vcs=$4" "-Pec_router.DepthMax=$5" "-Pec_router.Dynamic=${6:-0}" \
            "-Pec_router.Stages=${7:-1}" "-Pec_router.AddressBits=${8:-16}" ${9:+-Pec_router.DataBits=$9} \
            $(case $define in
                EC_PATHS*) echo "-Pec_router.Paths=${define#*=}" ;;
                EC_SPEEDUP*) echo "-Pec_router.Speedup=${define#*=}" ;;
            esac) $(router_files "$rtl") >"$work/log" 2>&1 ||
            { cat "$work/log" >&2; fail "icarus -D$define"; }
        [ ! -s "$work/log" ] || { cat "$work/log" >&2; fail "icarus -D$define warns"; }
    done
    ;;
yosys)
    write_top "$@" >"$work/top.sv"
    run_yosys "read_verilog -sv $table -I$rtl $(router_files "$rtl") $work/top.sv
        synth -run begin:fine -flatten -top top
        select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr
        check -assert" || fail "yosys"
    ;;
*) fail "no tool $tool" ;;
esac
