#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mutants of a user's router.
#
#   test_user.sh PROGRAM FOLDER
folder=$2
. "$(dirname "$0")/../cli/lib.sh"
example=$source_root/harness/library/example/routers/handshake

exits 'mutants of an adapter are judged' 0 tile mutate mesh:3 --file-list-here "$example/files.f" --top hs_adapter --parameter Slices=0 \
    --count 12 --judges tile --format json --folder "$folder"
equal 'some of them are killed, and some survive' "$(jq -c '[.killed > 2, .killed < 12]' out)" '[true,true]'
exits 'its rows are judged' 0 tile mutate mesh:3 --file-list-here "$example/files.f" --top hs_adapter --parameter Slices=0 \
    --count 12 --mutants 1 --judges rows --format json --folder "$folder"
equal 'but none of a mode that it lacks, which is no failure' \
    "$(jq -r '.dropped_rows[].reason | split(":")[0]' out | sort -u)" lacks
done_testing
