#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A wrong wire in a copy of rtl/ec_network.sv makes the lockstep test fail.
#
#   must_fail.sh PROGRAM SOURCE-ROOT WHAT
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
ecube=$1 source=$2 what=$3

mkdir -p "$work/data/harness/library/include" "$work/data/harness/library/shape"
cp -r "$source/rtl" "$work/data/"
cp -r "$source/harness/library/shape/shim" "$work/data/harness/library/shape/"
cp -r "$source/harness/library/include/ecube" "$work/data/harness/library/include/"
case $what in
swapped-links) # node 0 hears on link 0 what should come on link 1, and the reverse
    damage='s/localparam int Dim = p \/ LinksPerDim;/localparam int Dim = (n == 0 \&\& p < 2 ? 1 - p : p) \/ LinksPerDim;/
            s/Back = Radix == 2 ? p :/Back = Radix == 2 ? (n == 0 \&\& p < 2 ? 1 - p : p) :/' ;;
wrong-place) # two nodes have each other's address
    damage='s/(Addresses\[AddressBits\*n +:/(Addresses[AddressBits*(n < 2 ? 1 - n : n) +:/' ;;
*) fail "no damage $what" ;;
esac
sed -i "$damage" "$work/data/rtl/ec_network.sv"
! cmp -s "$work/data/rtl/ec_network.sv" "$source/rtl/ec_network.sv" || fail "nothing was damaged"

# The tiles come from the shared cache; the damaged network has a key of its own there.
if FLAT_DATA=$work/data bash "$(dirname "$0")/lockstep.sh" "$ecube" cube:3 vcs=1 >"$work/log" 2>&1; then
    fail "$what goes unnoticed"
fi
grep -q 'differ$' "$work/log" || { cat "$work/log" >&2; fail "$what: it fails for another reason"; }
echo "caught: $what in ec_network.sv by tests/flat"
echo "PASS: $(grep -c '^[-+] ' "$work/log") lines of the first differences shown"
