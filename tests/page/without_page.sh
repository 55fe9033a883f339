#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A build without d3: reports are refused in one line that names the package, before anything runs, and all else works.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

echo '{"schema": "ecube-regress-1", "rows": []}' >result.json
refused 5 'install the package node-d3 and build again' report result.json
check 'and there is no page' test ! -e result.html
refused 5 'node-d3' run cube:3 shift:q=1 --report page.html
check 'and none of a run' test ! -e page.html
printf 'cube:3 shift:q=1 --report page.html\n' >list.txt
refused 5 'node-d3' run --from list.txt
exits 'everything else is there' 0 list topologies
done_testing
