#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The names in the documents exist: paths, files, functions and identifiers in backticks, relative links and
# their anchors; every document is linked from another document; README.md has fewer than 120 lines.
#
#   references.sh
# shellcheck disable=SC2094 # spans is only read
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tab=$(printf '\t')
# shellcheck disable=SC2046
awk -f "$here/spans.awk" $(documents) >"$work/spans"
bad=0
complain() {
    echo "FAIL: $1: $2" >&2
    bad=1
}

# Every word of the sources, and every file name.
grep -IrhoE --exclude-dir=docs '[A-Za-z_][A-Za-z0-9_]*' rtl/ model/ harness/ tests/ meson.build \
    meson_options.txt | sort -u >"$work/words"
find rtl/ model/ harness/ tests/ docs/ scripts/ waves/ ./*.* ./LICENSE .ci/ 2>/dev/null |
    sed 's,.*/,,' | sort -u >"$work/names"

# Suites in the tables of CONTRIBUTING.md.
# shellcheck disable=SC2016 # backticks of Markdown
awk -F'|' '/^\|/ && !/^\|-/ { print NF == 5 && $2 ~ /^ `/ ? $2 : $4 }' CONTRIBUTING.md |
    grep -oE '`[a-z]+`' | tr -d '`' | sort -u >"$work/suites"
[ "$(wc -l <"$work/suites")" -gt 5 ] || fail "no suites in CONTRIBUTING.md"
while read -r suite; do
    grep -qsE "'$suite'" tests/*/meson.build || complain CONTRIBUTING.md "no suite $suite"
done <"$work/suites"

# The names that the shell has to check; a path may be a pattern.
awk -f "$here/named.awk" "$work/words" "$work/names" "$work/spans" >"$work/named"
while IFS=$tab read -r place kind text file; do
    case $kind in
    missing) complain "$place" "$text" ;;
    has) grep -qsw -e "$text" "$file" || complain "$place" "no $text() in $file" ;;
    path)
        for match in $text; do
            [ -e "$match" ] || complain "$place" "no $text"
        done
        ;;
    esac
done <"$work/named"
spans=$(sed -n "s/^${tab}count$tab//p" "$work/named")
[ "$spans" -gt 100 ] || fail "only $spans code spans found: is this the right tree?"

while IFS=$tab read -r place kind target _; do
    [ "$kind" = link ] || continue
    document=${place%:*}
    case $target in
    http://* | https://*) continue ;;
    '#'*) file=$document ;;
    *)
        file=$(dirname "$document")/${target%%#*}
        [ -e "$file" ] || { complain "$place" "a link to nothing: $target"; continue; }
        realpath --relative-to="$root" "$file" >>"$work/linked"
        file=$(realpath --relative-to="$root" "$file")
        ;;
    esac
    case $target in
    *'#'*)
        grep -qxE -e "${file#./}:[0-9]+${tab}head${tab}${target#*#}" "$work/spans" ||
            complain "$place" "no heading #${target#*#} in $file"
        ;;
    esac
done <"$work/spans"

for document in $(documents); do
    [ "$document" = README.md ] || grep -qxF -e "$document" "$work/linked" ||
        complain "$document" "no document links here"
done
lines=$(wc -l <README.md)
[ "$lines" -lt 120 ] || complain README.md "$lines lines, 119 are allowed"
echo "$spans code spans"
exit "$bad"
