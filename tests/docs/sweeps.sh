#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every stored sweep docs/results/NAME.csv is what the command with --output NAME.csv in a document gives.
#
#   sweeps.sh PROGRAM
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program

for stored in docs/results/*.csv; do
    name=$(basename "$stored")
    # shellcheck disable=SC2046 # names of documents have no blanks
    command=$(grep -hE "^ecube sweep .* --output $name\$" $(documents) | sort -u)
    [ -n "$command" ] || fail "no document has the command of $stored"
    sh -c "$command --quiet" || fail "status $? of: $command"
    cmp "$name" "$stored" >&2 || fail "$stored is not what its command gives: $command"
done
