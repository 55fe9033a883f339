#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prove the whole router in one shape (rtl/formal/ec_proof.sv) for any number of cycles, by induction over one step.
#
#   router.sh RTL-FOLDER prove[:PROPERTY]|cover Dims LinksPerDim Locals Vcs DepthMax Dynamic Stages AddressBits DataBits
#
# prove: Yosys makes a circuit, and $FORMAL_INDUCTION (induction.c) asks CaDiCaL whether all properties and invariants
# hold in the next cycle if they hold in this one. Before the first reset they say nothing, so the step from there
# is the base case: any state, one cycle of reset, and then all of them.
# cover: the situations that ec_proof.sv lists can be reached, so that the assumptions exclude none of them.
#
# A defect leaves a wave in $FORMAL_WAVES (default: the current folder), shortest from a reset on; with PROPERTY, a part
# of names, one that violates this property if there is one. A proof must have its line in results.txt, which is
# written with FORMAL_UPDATE=1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../rtl/lib.sh
. "$here/../rtl/lib.sh"
rtl=$1 task=${2%%:*} property=${2#"${2%%:*}"}
shift 2
shape=$(echo "$*" | tr ' ' -)
deepest=14 # cycles of the search from a reset
stages=$7

# Parameters are set in a copy: Yosys' chparam dies on derived modules (see write_top).
set_parameter() { # set_parameter NAME VALUE
    sed "s/\(parameter int $1 = \)[0-9]*/\1$2/" "$work/top.sv" >"$work/set.sv"
    grep -q "parameter int $1 = $2\\b" "$work/set.sv" || fail "ec_proof has no parameter $1"
    mv "$work/set.sv" "$work/top.sv"
}
cp "$rtl/formal/ec_proof.sv" "$work/top.sv"
sh "$rtl/formal/ties.sh" "$@" >"$work/ties.ys"
for name in Dims LinksPerDim Locals Vcs DepthMax Dynamic Stages AddressBits DataBits; do
    set_parameter $name "$1"
    shift
done
# Cycles in which this router may stand still: a word in the route stage is not seen for one.
if grep -q 'parameter int Still ' "$work/top.sv"; then set_parameter Still $((stages == 3 ? 2 : 1)); fi
properties=
for file in "$rtl"/formal/ec_proof_*.sv; do properties="$properties $file"; done

# Assertions and covers become outputs. Those of rtl/formal but the invariants are wires already.
cat >"$work/maps.v" <<'END_OF_MAPS'
(* techmap_celltype = "$assert" *)
module formal_assert (input A, EN);
  (* keep *) wire broken_assertion = EN & ~A;
endmodule
(* techmap_celltype = "$cover" *)
module formal_cover (input A, EN);
  (* keep *) wire reached = EN & A;
endmodule
END_OF_MAPS
if [ "$task" = prove ]; then goals='broken_'; else goals='.reached'; fi
cat >"$work/prepare.ys" <<END_OF_SCRIPT
read_verilog -formal -sv -I$rtl $(router_files "$rtl")
read_verilog -formal -sv -DEC_INVARIANTS -I$rtl/formal $properties $work/top.sv
hierarchy -check -top ec_proof
proc
async2sync t:\$check
delete *ec_proof_*/t:\$assert
rename -src t:\$assert t:\$cover
techmap -map $work/maps.v
flatten
expose w:*$goals*
expose w:link w:credit w:coord w:mask w:radix w:wrap w:dateline w:classes w:balanced w:order_high w:switching w:depth w:packet
memory -nomap
memory_map
script $work/ties.ys
setundef -anyseq
opt -full
async2sync
setundef -undriven -anyseq
setundef -anyseq
dffunmap
opt -full
formalff -clk2ff -ff2anyinit
techmap
setundef -undriven -anyseq
setundef -anyseq
aigmap
write_aiger -zinit -no-startoffset -map $work/circuit.map $work/circuit.aig
END_OF_SCRIPT
yosys -q -l "$work/yosys.log" "$work/prepare.ys" >"$work/out" 2>&1 || {
    grep -v 'has no driver' "$work/out" >&2
    fail "Yosys cannot read the router"
}
count=$(grep -c "New module port: .*$goals" "$work/yosys.log")

if [ "$task" = cover ]; then
    "$FORMAL_INDUCTION" cover "$work" $deepest || fail "router $shape: not all situations are reached"
    # Outputs that are constant have no name in the map.
    named=$(grep -c '^output .*\.reached$' "$work/circuit.map")
    [ "$named" = "$count" ] || fail "router $shape: $((count - named)) situations can never be reached"
    echo "PASS: $count situations reached"
    exit
fi

"$FORMAL_INDUCTION" prove "$work" "${FORMAL_WAVES:-$PWD}/formal-$shape.vcd" $deepest ${property:+"${property#:}"} ||
    fail "router $shape: not proved"
line="$shape: $count assertions proved, induction over 1 step"
stored=$here/results.txt
if [ -n "${FORMAL_UPDATE:-}" ]; then
    grep -v "^$shape:" "$stored" >"$work/results" || :
    { grep '^#' "$work/results" || :; { grep -v '^#' "$work/results" || :; echo "$line"; } | sort; } >"$stored"
fi
grep -qxF "$line" "$stored" || fail "results.txt has no line: $line"
echo "PASS: $line"
