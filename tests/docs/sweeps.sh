#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every stored sweep NAME.csv in docs/results/ is what the command with --output NAME.csv in a document gives. New columns are
# no difference.
#
#   sweeps.sh PROGRAM
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program

for stored in docs/results/*.csv docs/results/routing/*.csv; do
    name=$(basename "$stored")
    # shellcheck disable=SC2046 # names of documents have no blanks
    command=$(grep -hE "^ecube sweep .* --output $name\$" $(documents) | sort -u)
    [ -n "$command" ] || fail "no document has the command of $stored"
    sh -c "$command --quiet" || fail "status $? of: $command"
    awk -f docs/results/tools/fields.awk -f "$here/same_csv.awk" "$stored" "$name" >&2 || fail "$stored is not what its command gives: $command"
done
