#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube tile prove` proves every property of ecube's own router in the networks of networks.txt.
#
#   networks.sh PROGRAM [PATTERN]      all lines, or those that match
. "$(dirname "$0")/../cli/lib.sh"
export ECUBE_CACHE=$work/cache
grep -v '^#' "$source_root/tests/formal/networks.txt" | grep -E "${2:-.}" >networks
while read -r line; do
    read -ra words <<<"$line"
    run tile prove "${words[@]}" --seconds 1200 --quiet --require-proof --format json
    equal "$line is proved" "$status $(jq -rs 'all(.[]; .verdict == "proved" or (.asked | not))' out)" '0 true'
done <networks
done_testing
