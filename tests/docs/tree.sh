#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The list of files in docs/ARCHITECTURE.md is the tree: every file is in it, and everything in it is there.
#
#   tree.sh
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
page=docs/ARCHITECTURE.md

# Patterns of paths, one a line; a row without a folder belongs to the last.
awk -F'|' '/^## / { on = $0 == "## The tree" }
    on && /^\| *(`|\|)/ {
        if ($2 ~ /`/) { folder = $2; gsub(/[` ]/, "", folder) }
        n = split($3, word, " ")
        for (i = 1; i <= n; i++) { gsub(/`/, "", word[i]); print index(word[i], folder) == 1 ? word[i] : folder word[i] }
    }' "$page" >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 100 ] || fail "no list of files in $page"

while read -r pattern; do
    # shellcheck disable=SC2086 # a pattern
    ls -d $pattern 2>/dev/null || echo "FAIL: $page: no $pattern" >>"$work/missing"
done <"$work/rows" | sort >"$work/listed"

find rtl/ model/ harness/ waves/ scripts/ -type f ! -name meson.build | sort >"$work/files"
uniq "$work/listed" >"$work/known"
comm -13 "$work/known" "$work/files" | sed "s,^,FAIL: not in $page: ," >>"$work/missing"
uniq -d "$work/listed" | sed "s,^,FAIL: twice in $page: ," >>"$work/missing"
cat "$work/missing" >&2
[ ! -s "$work/missing" ]
