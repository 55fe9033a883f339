# SPDX-License-Identifier: Apache-2.0
# The table of a list, as docs/RESULTS.md shows it below the command that makes it.
#
#   awk -v list=NAME -f docs/results/tools/stored.awk docs/RESULTS.md

/^\$ / { on = index($0 " ", "table.sh " list " ") > 0 }
/^```/ { on = 0 }
on && !/^[$>]/ { print; lines++ }
END {
    if (!lines) {
        print "no table of " list > "/dev/stderr"
        exit 1
    }
}
