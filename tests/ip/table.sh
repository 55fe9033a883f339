#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of rtl/README.md is made of the figures on record (tests/ip/area/).
#
#   table.sh ROOT [--update]
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$1"
page=rtl/README.md
awk '
    BEGIN {
        print "| shape | stages | VCs | configuration | cells | flip-flops | LUT6 | levels | word | credit |"
        print "|---|---|---|---|---|---|---|---|---|---|"
    }
    NF == 11 && !/^#/ {
        vcs = $3 == 1 ? "1" : $3 ", " $4
        print "| " $1 " | " $2 " | " vcs " | " $5 " | " $6 " | " $7 " | " $8 " | " $9 " | " $10 " | " $11 " |"
    }' tests/ip/area/yosys-0.23.txt >"$work/table"
awk -v table="$work/table" '
    /^<!-- end -->$/ { off = 0 }
    !off { print }
    /^<!-- area -->$/ { off = 1; while ((getline line <table) > 0) print line }' $page >"$work/page"
if [ "${2:-}" = --update ]; then
    cp "$work/page" $page
else
    diff $page "$work/page" >&2 || fail "$page: another table than tests/ip/area/yosys-0.23.txt gives; run $0 $1 --update"
fi
