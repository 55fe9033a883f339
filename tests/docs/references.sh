#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the documents name exists: paths, files, functions and identifiers in backticks, relative links and
# their anchors; every file of docs/ is linked from another document; README.md has fewer than 120 lines.
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
grep -rhoE --exclude-dir=docs '[A-Za-z_][A-Za-z0-9_]*' rtl/ model/ harness/ tests/ meson.build \
    meson_options.txt | sort -u >"$work/words"
find rtl/ model/ harness/ tests/ docs/ scripts/ waves/ ./*.* ./LICENSE .ci/ 2>/dev/null |
    sed 's,.*/,,' | sort -u >"$work/names"

exists() {
    for file in $1; do # a pattern must match something
        [ -e "$file" ] || return 1
    done
}

# Suites in the tables of CONTRIBUTING.md.
# shellcheck disable=SC2016 # backticks of Markdown
awk -F'|' '/^\|/ && !/^\|-/ { print NF == 5 && $2 ~ /^ `/ ? $2 : $4 }' CONTRIBUTING.md |
    grep -oE '`[a-z]+`' | tr -d '`' | sort -u >"$work/suites"
[ "$(wc -l <"$work/suites")" -gt 5 ] || fail "no suites in CONTRIBUTING.md"
while read -r suite; do
    grep -qsE "'$suite'" tests/*/meson.build || complain CONTRIBUTING.md "no suite $suite"
done <"$work/suites"

spans=0
while IFS=$tab read -r place kind text behind; do
    [ "$kind" = span ] || continue
    spans=$((spans + 1))
    case $text in
    *' '* | *'='* | *'$'* | *'<'* | /* | ~*) ;;
    *'()')
        name=${text%'()'}
        case $behind in
        ' in `'*) # the file that has it
            file=${behind#' in `'}
            grep -qsw -e "$name" "$file" || complain "$place" "no $text in $file"
            ;;
        *) grep -qxF -e "$name" "$work/words" || complain "$place" "no $text in the sources" ;;
        esac
        ;;
    rtl/* | model/* | harness/* | tests/* | docs/* | scripts/* | waves/*)
        exists "$text" || complain "$place" "no $text"
        ;;
    ecube/*.h) [ -e "harness/include/$text" ] || complain "$place" "no $text" ;;
    */*) ;;
    ?*.[ch] | *.sv | *.svh | *.md | *.sh | *.cpp | *.awk | meson*)
        for name in $text; do
            grep -qxF -e "$name" "$work/names" || complain "$place" "no file $text"
        done
        ;;
    *[!A-Za-z0-9_]*) ;;
    *_*) grep -qxF -e "$text" "$work/words" || complain "$place" "no $text in the sources" ;;
    esac
done <"$work/spans"
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
