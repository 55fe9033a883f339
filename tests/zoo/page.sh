#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/study/ROUTERS.md are made of the records of tests/zoo. They need no checkout of any router.
#
#   page.sh ROOT [--update]
set -eu
cd "$1"
page=docs/study/ROUTERS.md
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-zoo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
update=${2:-}
for row in tests/zoo/ecube tests/zoo/[!e]*/; do
    row=${row%/}
    [ -f "$row/record.json" ] || fail "$row has no record.json; run tests/zoo/row.sh"
    jq -c --arg name "$(basename "$row")" '.name = $name' "$row/record.json"
done >"$work/records"

# shellcheck disable=SC2016 # jq's variables
jq -rs '
    def digits: . * 1000 | round / 1000;
    def range: if . == null then "-" else "\(.low // 0 | digits) to \(.high | digits)" end;
    def figure: . // "-" | tostring;
    "| router | flow control | words at an input | contract | proof |",
    "|---|---|---|---|---|",
    (.[] | "| `\(.name)`: \(.row.title) | \(.row.flow) | \(.row.buffers) | \(
        [.check[] | "`\(.options)`: " + (if .verdict == "serves" then "kept, \(.words) words" else
        "**\(.reason | sub("^this router breaks the contract: "; "") | sub(" \\(contract, [^)]*\\)"; ""))**" end)] |
        join("; ")) | \(.prove | sub("  .*"; "") | sub("^refused: ecube: "; "") | sub("Yosys cannot read the router: "; "") |
        sub(" \\((docs|choose).*"; "") | sub("ERROR: "; "") | gsub("\\|"; "/")) |"),
    "",
    "| router | cycles a hop | cycles a word | uniform | transpose | bit complement | least share | cells | flip-flops | levels | router-cycles/s |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    (.[] | "| `\(.name)` | \(.hops.cycles_per_hop | digits) | \(.hops.cycles_per_word | digits) | \(
        [.uniform, .transpose, .bitcomp | range] | join(" | ")) | \(
        .uniform.least_share | digits) | \(.area.cells | figure) | \(.area.flip_flops | figure) | \(
        .area.levels | figure) | \(.speed) 000 |")
' "$work/records" >"$work/table"
awk -v table="$work/table" '
    /^<!-- end -->$/ { off = 0 }
    !off { print }
    /^<!-- rows -->$/ { off = 1; while ((getline line <table) > 0) print line }' $page >"$work/page"
if [ "$update" = --update ]; then
    cp "$work/page" $page
else
    diff $page "$work/page" >&2 || fail "$page: another table than the records of tests/zoo give; run tests/zoo/page.sh . --update"
fi
