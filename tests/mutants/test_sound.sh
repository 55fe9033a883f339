#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No mutant that a judge kills is called equivalent, and the router itself is. A judge sees traffic of one network, the
# proof is about any that the contract allows, so both answers cannot be right.
#
#   test_sound.sh PROGRAM FOLDER CLASSIFY TOPOLOGY ROUTER COUNT SECONDS
#
# CLASSIFY is the program of classify.c; SECONDS are those for a mutant: most proofs of equivalent ones need less.
folder=$2 classify=$(realpath "$3") topology=$4 router=$5 count=$6 seconds=$7
. "$(dirname "$0")/../cli/lib.sh"

run tile mutate "$topology" --router "$router" --count "$count" --seed 11 --judges tile --no-classify --format json \
    --folder "$folder"
mapfile -t killed < <(jq -r '.rows[] | select(.fate == "killed").mutant' out)
equal 'the tile check kills most mutants' "$((${#killed[@]} * 4 > count * 3))" 1
"$classify" "$folder" "$topology" "$router" - "$seconds" 0 "${killed[@]}" >classes 2>err
equal 'all of them are compared with the router' "$? $(wc -l <classes)" "0 $((${#killed[@]} + 1))"
equal 'the router is equivalent to itself' "$(head -n 1 classes)" '0 equivalent'
equal 'no killed mutant is equivalent' "$(tail -n +2 classes | grep equivalent)" ''
check 'for most of them traffic is found that shows it' \
    test "$(grep -c different classes)" -ge "$((${#killed[@]} / 3))"
done_testing
