#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mutants of a user's router are compared with it, not with ecube's: nothing is assumed of its registers, and the places are
# those of the network that the command names.
#
#   test_user.sh PROGRAM FOLDER CLASSIFY
#
# CLASSIFY is the program of classify.c.
folder=$2 classify=$(realpath "$3")
. "$(dirname "$0")/../cli/lib.sh"
example=$source_root/harness/library/example/routers/handshake

exits 'mutants of an adapter are judged' 0 tile mutate mesh:3 --file-list-here "$example/files.f" --top hs_adapter --parameter Slices=0 \
    --count 12 --judges tile --seconds 4 --format json --folder "$folder"
equal 'some of them are killed, and some survive' "$(jq -c '[.killed > 2, .killed < 12]' out)" '[true,true]'
equal 'each survivor has a class, and mutant 0 is no other router' \
    "$(jq -c '[.unmutated != "hole", ([.rows[] | select((.fate == "survived") != (.class != null))] | length)]' out)" '[true,0]'
equal "no invariant of ecube's router is used" "$(grep -c EC_INVARIANTS "$folder/equal/top.sv")" 0
check 'places are those of the network' test -s "$folder/equal/pins.sv"
equal 'the views of its registers, too' "$(awk '$4 ~ /view_|care_/' "$folder/equal/circuit.map" | wc -l)" 0

exits 'its rows are judged' 0 tile mutate mesh:3 --file-list-here "$example/files.f" --top hs_adapter --parameter Slices=0 \
    --count 12 --mutants 1 --judges rows --no-classify --format json --folder "$folder"
equal 'but none of a mode that it lacks, which is no failure' \
    "$(jq -r '.dropped_rows[].reason | split(":")[0]' out | sort -u)" lacks

# Packets may have as many words as the buffer. A router that reads the bound 2 as 0 differs only if they have two.
mkdir own
cp "$source_root"/rtl/ec_*.sv* own
rm own/ec_tile*.sv own/ec_network.sv
network=(mesh:3 --router switching=cut-through,depth=2)
exits "ecube's router as that of a user" 0 tile mutate "${network[@]}" --rtl "$(printf '%s,' own/*.sv | sed 's/,$//')" --top ec_router \
    --count 1 --judges tile --no-classify --quiet --folder "$folder-own"
cell=$(awk '$1 == "cell" { cell = $3 } /connect \\Q .*need_q/ { print cell }' "$folder-own/netlist.il")
echo "mutate -mode const0 -module ec_netlist -cell $cell -port Q -portbit 1" >"$folder-own/mutants.txt"
equal 'packets of all lengths are compared' \
    "$(ECUBE_DATA=$source_root "$classify" "$folder-own" "${network[0]}" "${network[2]}" ec_router 10 0 1 | xargs)" '0 equivalent 1 different'
done_testing
