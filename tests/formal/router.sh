#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prove the whole router in one shape (rtl/formal/ec_proof.sv) with Yosys alone, for any number of cycles.
#
#   router.sh RTL-FOLDER prove|cover Dims LinksPerDim Locals Vcs DepthMax Dynamic Stages AddressBits DataBits
#
# prove: all properties and invariants, by induction over one step. The base case is an arbitrary state and one
# cycle of reset. The step is proved for groups of assertions: one group in the next cycle, if all assertions held
# in the cycle before. This is sound, and several times faster than all of them at once.
# cover: the situations that ec_proof.sv lists can be reached, so that the assumptions exclude none of them.
#
# A failed proof leaves a wave in $FORMAL_WAVES (default: the current folder). A proof must have its line in
# results.txt, which is written with FORMAL_UPDATE=1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../rtl/lib.sh
. "$here/../rtl/lib.sh"
rtl=$1 task=$2
shift 2
shape=$(echo "$*" | tr ' ' -)
deepest=8  # cycles of the search for a trace from reset
per_group=75 # assertions

# Parameters are set in a copy: Yosys' chparam dies on derived modules (see write_top).
cp "$rtl/formal/ec_proof.sv" "$work/top.sv"
sh "$rtl/formal/ties.sh" "$@" >"$work/ties.ys"
for name in Dims LinksPerDim Locals Vcs DepthMax Dynamic Stages AddressBits DataBits; do
    sed "s/\(parameter int $name = \)[0-9]*/\1$1/" "$work/top.sv" >"$work/set.sv"
    grep -q "parameter int $name = $1\\b" "$work/set.sv" || fail "ec_proof has no parameter $name"
    mv "$work/set.sv" "$work/top.sv"
    shift
done
properties=
for file in "$rtl"/formal/ec_proof_*.sv; do properties="$properties $file"; done

[ "$task" = prove ] && other=cover || other=assert
cat >"$work/prepare.ys" <<END
read_verilog -formal -sv -I$rtl $(router_files "$rtl")
read_verilog -formal -sv -DEC_INVARIANTS -I$rtl/formal $properties $work/top.sv
prep -flatten -top ec_proof
memory_map
script $work/ties.ys
chformal -$other -remove
opt -full
async2sync
setundef -undriven -anyseq
setundef -anyseq
dffunmap
opt_clean
select -assert-min 5 t:\$assert t:\$cover
select -write $work/goals t:\$assert t:\$cover
write_rtlil $work/model.il
END
yosys -q "$work/prepare.ys" >"$work/out" 2>&1 || {
    grep -v 'has no driver' "$work/out" >&2
    fail "Yosys cannot read the router"
}
goals=$(grep -c . "$work/goals")

# solve NAME COMMANDS SAT-OPTIONS: is it true? With a wave NAME.vcd if not.
solve() {
    cat >"$work/$1.ys" <<END
read_rtlil $work/model.il
$2
opt_clean
tee -q -o $work/$1.asserts dump t:\$assert
sat $3 -seq 1 -prove-asserts -set-assumes -show-all -dump_vcd $work/$1.vcd -verify
END
    yosys -q -l "$work/$1.log" "$work/$1.ys" >"$work/out" 2>&1 && return 0
    grep -q 'proof did fail' "$work/out" || { cat "$work/out" >&2; fail "Yosys stopped"; }
    return 1
}
base='-tempinduct -tempinduct-baseonly -maxsteps'

# The assertions that are 0 in the last cycle of a failed proof NAME, by their place in the sources.
violated() {
    awk '
        FNR == NR && $1 ~ /^[0-9]+$/ && NF == 5 { value[$2] = $5; next }
        FNR == NR { next }
        /attribute .src/ { split($0, part, "\""); n = split(part[2], place, "|"); at = place[1]
            for (i = 1; i <= n; i++) if (place[i] !~ /ec_router.sv/) at = place[i] }
        $1 == "connect" && $2 == "\\A" { a = $3 }
        $1 == "connect" && $2 == "\\EN" { if (value[a] ~ /^0/ && (value[$3] ~ /^1/ || $3 == "1'"'"'1")) print at }
    ' "$work/$1.log" "$work/$1.asserts" | sed 's,.*/,  ,; s,^  top.sv,  ec_proof.sv,' | sort -u
}

# not_proved NAME WHAT: keep the wave and say what failed.
not_proved() {
    wave=${FORMAL_WAVES:-$PWD}/formal-$shape-$1.vcd
    cp "$work/$1.vcd" "$wave"
    { echo "$2. Assertions that fail in the last cycle:"; violated "$1"; echo "  gtkwave $wave"; } >&2
    fail "router $shape: not proved"
}

if [ "$task" = cover ]; then
    number=0
    while read -r goal; do
        number=$((number + 1))
        echo "$goal" >"$work/goal"
        solve "cover$number" "select -read $work/goal; delete t:\$cover %n t:\$cover %i; select -clear
            techmap -map $here/reached.v" "$base $deepest" && fail "router $shape: never reached: $goal"
    done <"$work/goals"
    echo "PASS: $goals situations within $deepest cycles"
    exit
fi

solve base '' "$base 2" || not_proved base "Violated after one cycle of reset"
groups=$(((goals + per_group - 1) / per_group)) group=0
while [ $group -lt $groups ]; do
    awk -v group=$group -v groups=$groups -v n="$goals" 'int((NR - 1) * groups / n) == group' "$work/goals" >"$work/mine"
    solve "step$group" "select -read $work/mine; setattr -set mine 1 %; select -clear
        techmap -map $here/before.v t:\$assert a:mine %d" '-tempinduct -tempinduct-inductonly -maxsteps 1' || {
        solve trace '' "$base $deepest" || not_proved trace "Violated after a reset"
        not_proved "step$group" "No violation within $deepest cycles of a reset. The step of the induction fails, \
from a state that may be unreachable"
    }
    group=$((group + 1))
done
line="$shape: $goals assertions proved, induction over 1 step, Yosys sat"
stored=$here/results.txt
if [ -n "${FORMAL_UPDATE:-}" ]; then
    grep -v "^$shape:" "$stored" >"$work/results" || :
    { grep '^#' "$work/results" || :; { grep -v '^#' "$work/results" || :; echo "$line"; } | sort; } >"$stored"
fi
grep -qxF "$line" "$stored" || fail "results.txt has no line: $line"
echo "PASS: $line"
