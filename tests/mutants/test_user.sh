#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mutants of a user's router are compared with it, not with ecube's: nothing is assumed of its registers, and the places are
# those of the network that the command names.
#
#   test_user.sh PROGRAM FOLDER
folder=$2
. "$(dirname "$0")/../cli/lib.sh"
example=$source_root/harness/example/routers/handshake

exits 'mutants of an adapter are judged' 0 mutate mesh:3 --file-list-here "$example/files.f" --top hs_adapter --parameter Slices=0 \
    --count 12 --judges tile --seconds 4 --format json --folder "$folder"
equal 'some of them are killed, and some survive' "$(jq -c '[.killed > 2, .killed < 12]' out)" '[true,true]'
equal 'each survivor has a class, and mutant 0 is no other router' \
    "$(jq -c '[.unmutated != "hole", ([.rows[] | select((.fate == "survived") != (.class != null))] | length)]' out)" '[true,0]'
equal "no invariant of ecube's router is used" "$(grep -c EC_INVARIANTS "$folder/equal/top.sv")" 0
check 'places are those of the network' test -s "$folder/equal/pins.sv"
equal 'the views of its registers, too' "$(awk '$4 ~ /view_|care_/' "$folder/equal/circuit.map" | wc -l)" 0
done_testing
