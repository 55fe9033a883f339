#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of rtl/README.md, read by all three tools without a warning.
#
#   example.sh RTL-FOLDER
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1
awk '/^```systemverilog$/ { on = 1; next } /^```$/ { on = 0 } on' "$rtl/README.md" >"$work/node_1_2.sv"
top=node_1_2
grep -q "^module $top " "$work/$top.sv" || fail "rtl/README.md has no module $top"
files=$(ip_files "$rtl" rtl | tr '\n' ' ')
# shellcheck disable=SC2086 # a list of files
verilator --lint-only -Wall "-I$rtl" $files "$work/$top.sv" --top-module $top >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "verilator"; }
# shellcheck disable=SC2086
iverilog -g2012 -Wall "-I$rtl" -s $top -o "$work/out" $files "$work/$top.sv" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "icarus"; }
yosys -q -p "read_verilog -sv -I$rtl $files $work/$top.sv; synth -run begin:fine -flatten -top $top
    select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr; check -assert" >>"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "yosys"; }
if grep -i 'warning' "$work/log" >&2; then fail "warnings"; fi
