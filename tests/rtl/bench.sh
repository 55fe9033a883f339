#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run a bench in Icarus Verilog, with the RTL's own checks on. It must print PASS, and no check may fail.
#
#   bench.sh RTL-FOLDER BENCH [PARAMETER=VALUE...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
rtl=$1 bench=$2
shift 2

for parameter; do
    shift
    set -- "$@" "-P$bench.$parameter"
done
# shellcheck disable=SC2046 # a list of files
iverilog -g2012 -DEC_CHECKS "-I$rtl" "-I$here/bench" "$@" -s "$bench" -o "$work/bench" \
    -y "$here/bench" -y "$rtl/checker" -Y .sv "$here/bench/$bench.sv" $(router_files "$rtl")
timeout 100 vvp -n "$work/bench" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "vvp died"; }
tail -n 20 "$work/log"
if ! grep -q '^PASS' "$work/log" || grep -q -e '^ERROR' -e '^FATAL' "$work/log"; then
    fail "$bench $*"
fi
