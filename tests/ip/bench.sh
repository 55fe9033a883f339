#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a bench of the product wrappers, with the RTL's checks on. It must print PASS, and no check may fail.
#
#   bench.sh icarus|netlist|verilator RTL-FOLDER BENCH [PARAMETER=VALUE...]
#
# verilator: with the clocked assertions, too. netlist: Icarus; one router of ip_tb is what Yosys makes of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
tool=$1 rtl=$2 bench=$3
shift 3
files=$(ip_files "$rtl" rtl)

# The words of ip_tb are too short to be told apart.
sva=-DEC_SVA
[ "$bench" = stream_tb ] || sva=

case $tool in
verilator)
    if command -v ccache >/dev/null; then export OBJCACHE=ccache; fi
    # shellcheck disable=SC2046,SC2086 # lists
    verilator --binary --timing --assert -Wno-fatal -Wno-lint -Wno-style -DEC_CHECKS $sva "-I$rtl" \
        $(printf -- '-G%s ' "$@") --top-module "$bench" --Mdir "$work/obj" -o bench -CFLAGS -O0 \
        $files $(ip_files "$rtl" checks) "$here/bench/$bench.sv" >"$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; fail "verilator"; }
    set -- "$work/obj/bench"
    ;;
icarus | netlist)
    edits='' extra=''
    for parameter; do
        edits="$edits;s/\\(parameter int ${parameter%%=*} = \\)[0-9]*/\\1${parameter#*=}/"
        shift
        set -- "$@" "-P$bench.$parameter"
    done
    if [ "$tool" = netlist ]; then
        sed "$edits" "$here/bench/ip_netlist.sv" >"$work/top.sv"
        yosys -q -p "read_verilog -sv -I$rtl $(echo "$files" | tr '\n' ' ') $work/top.sv
            synth -flatten -top ip_netlist; check -assert; select -assert-none t:*_DLATCH*
            write_verilog -noattr $work/netlist.v" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "yosys"; }
        extra="-DEC_NETLIST $work/netlist.v"
    fi
    # shellcheck disable=SC2086
    iverilog -g2012 -DEC_CHECKS "-I$rtl" "$@" -s "$bench" -o "$work/bench" $extra $files "$here/bench/$bench.sv"
    set -- vvp -n "$work/bench"
    ;;
*) fail "no tool $tool" ;;
esac
timeout 500 "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$bench died"; }
tail -n 20 "$work/log"
if ! grep -q '^PASS' "$work/log" || grep -qE '^(ERROR|FATAL|\[.*%Error)' "$work/log"; then
    fail "$bench"
fi
