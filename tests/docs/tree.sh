#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/ARCHITECTURE.md has a row for every folder with sources, and for no other; no folder has too many files.
#
#   tree.sh
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
page=docs/ARCHITECTURE.md
most=25 # files in a folder

awk -F'|' '/^## / { on = $0 == "## The tree" } on && /^\| `/ { gsub(/[` ]/, "", $2); print $2 }' "$page" |
    sort >"$work/listed"
find rtl/ model/ harness/ waves/ scripts/ -type f ! -name meson.build ! -name '*.pyc' | sed 's,[^/]*$,,' | sort -u >"$work/folders"
comm -13 "$work/listed" "$work/folders" | sed "s,^,FAIL: not in $page: ," >"$work/wrong"
comm -23 "$work/listed" "$work/folders" | sed "s,^,FAIL: $page: no folder ," >>"$work/wrong"
find rtl/ model/ harness/ waves/ scripts/ docs/ tests/ -type f ! -name meson.build ! -name '*.pyc' | sed 's,/[^/]*$,,' | sort | uniq -c |
    awk -v most=$most '$1 > most { print "FAIL: " $2 ": " $1 " files; at most " most " are allowed" }' >>"$work/wrong"
cat "$work/wrong" >&2
[ ! -s "$work/wrong" ]
