#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube list` without the program ecube-claims, and with one that fails or prints something else.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

mkdir alone
cp "$ecube" alone/ecube
ecube=$work/alone/ecube

# claims_program SCRIPT: installs a program in the place of ecube-claims.
claims_program()
{
    printf '#!/bin/bash\n%s\n' "$1" >alone/ecube-claims
    chmod +x alone/ecube-claims
}

# fails_with SENTENCE WORD: the lists name the reason; the other lists are there; the status is 5.
fails_with()
{
    exits "$1: list prints the other lists and fails" 5 list
    contains 'stdout gives the reason' <(grep -A 9 'not available:' out | tr -s ' \n' ' ') "$2"
    contains 'so does stderr' err "$2"
    check 'and not that the program is missing' bash -c '! grep -q "cannot find" out err'
    exits "$1: the same with JSON" 5 list --format json
    equal 'claims is null' "$(jq -c '[.claims, (.topologies | length > 0)]' out)" '[null,true]'
    contains 'stderr gives the reason' err "$2"
    refused 5 "$2" list claims --format json
}

# --- Missing ---
exits 'without ecube-claims there are the other lists' 0 list
contains 'and the reason' out 'cannot find the program ecube-claims: expected it beside ecube'
equal 'which is no error' "$(<err)" ''
exits 'without ecube-claims there is JSON' 0 list --format json
equal 'claims is null, not empty' "$(jq -c '[.claims, (.topologies | length > 0)]' out)" '[null,true]'
contains 'stderr gives the reason' err 'ecube: cannot find the program ecube-claims'
exits 'another list does not look for it' 0 list topologies --format json
equal 'and says nothing' "$(<err)" ''
refused 5 'cannot find the program ecube-claims' list claims --format json

# --- Failing ---
# shellcheck disable=SC2016 # scripts
claims_program 'echo "{}"; echo "ecube: grama.txt:3: no such thing" >&2; exit 2'
fails_with 'status 2' "ecube-claims --list' failed with status 2: ecube: grama.txt:3: no such thing"
claims_program 'exit 7'
fails_with 'no message' "ecube-claims --list' failed with status 7"

# --- Other output ---
row='{"id": "a", "source": "b", "statement": "c"}'
claims_program "echo '$row'; echo 'a warning'; echo '$row'"
fails_with 'a line that is not JSON' "unexpected output of ecube-claims --list: expected a JSON object"
contains 'which is shown' err "got 'a warning'"
claims_program "echo '$row'; echo '{\"id\": \"a\"}'"
fails_with 'an object without its texts' "unexpected output of ecube-claims --list: expected a JSON object"
claims_program ''
fails_with 'no output' "unexpected output of ecube-claims --list: expected a JSON object"
claims_program "yes '$row' | head -n 30000"
fails_with 'more than a megabyte' \
    'ecube-claims is too long: expected at most 1048575 bytes'
claims_program "yes '$row' | head -n 3"
exits 'what it should print is accepted' 0 list --format json
equal 'all of it' "$(jq '.claims | length' out)" 3

done_testing
