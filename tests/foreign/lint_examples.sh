#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Verilator finds nothing wrong with the routers of docs/guide/BRING-YOUR-OWN-ROUTER.md, apart from pins of the
# contract that an adapter has no use for.
#
#   lint_examples.sh ROUTERS-FOLDER RTL-FOLDER
set -eu
export ECUBE_RTL="$2"
for list in "$1"/*/files.f; do
    top=$(sed -n 's/.*--top //p' "$list")
    verilator --lint-only -Wall -Wno-UNUSEDSIGNAL -F "$list" --top-module "$top"
done

# The guide says which one Yosys reads, for `ecube tile prove` and `ecube tile mutate`.
if command -v yosys >/dev/null; then
    cd "$1/handshake"
    yosys -q -p "read_verilog -sv $(grep -v // "$2/adapter/cells.f" | sed "s,^,$2/adapter/," | tr '\n' ' ') \
        $(grep -v '^//\|^-F' files.f | tr '\n' ' '); hierarchy -check -top hs_adapter"
fi
