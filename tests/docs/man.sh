#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual page describes every option that --help of a command shows, and no other. Its examples and
# those of --help run, but for those of slow.txt. Every command has a page of its own with its options.
#
#   man.sh PROGRAM [PAGE]    (default: the page that was built beside the program)
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program
page=${2:-$(dirname "$program")/ecube.1}
bad=0
cp "$here"/files/* .

options_of() { grep -oE -e '^\.It .*Fl Fl [a-z-]+' "$1" | sed 's/.*Fl Fl /--/' | sort -u; } # PAGE

for command in $(ecube --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -v '^help$'); do
    ecube "$command" --help >"$work/help" || fail "ecube $command --help"
    grep -oE -e '^ +(-[A-Za-z], )?--[a-z-]+' "$work/help" | grep -oE -e '--[a-z-]+' >"$work/here"
    cat "$work/here" >>"$work/shown"
    own=$(dirname "$program")/ecube-$command.1
    [ -e "$own" ] || own=${own%"$command.1"}tile-$command.1 # a former name
    options_of "$own" >"$work/own"
    sort -u "$work/here" | diff - "$work/own" >&2 || { echo "FAIL: the page of $command has other options (>)" >&2; bad=1; }
    awk '/^Examples:$/ { on = 1; next } /^[^ ]/ { on = 0 } on && NF' "$work/help" >>"$work/examples"
done
echo --version >>"$work/shown"
options_of "$page" >"$work/described"
sort -u "$work/shown" >"$work/sorted"
[ "$(wc -l <"$work/sorted")" -gt 20 ] || fail "only $(wc -l <"$work/sorted") options in --help"
if ! diff "$work/sorted" "$work/described" >"$work/diff"; then
    sed -n 's/^< /in --help and not in the manual page: /p; s/^> /in the manual page only: /p' \
        "$work/diff" >&2
    exit 1
fi

awk '/^\.Sh / { on = $2 == "EXAMPLES" } on && sub(/^\.Dl \$ /, "")' "$page" >"$work/of_page"
[ "$(wc -l <"$work/of_page")" -gt 2 ] || fail "no examples in the manual page"
cat "$work/examples" "$work/of_page" | sed 's/^ *//' | awk '!met[$0]++' >"$work/each"
runs=0
while read -r example; do
    if grep -qF "$example #" "$here/slow.txt"; then
        echo "$example" >>"$work/left_out"
        continue
    fi
    # Of some examples another status than 0 is the point: statuses.txt.
    runs=$((runs + 1))
    status=0
    sh -c "$example" >"$work/log" 2>&1 || status=$?
    wanted=$(awk -v line="$example" 'substr($0, 3) == line { print $1 }' "$here/statuses.txt")
    if [ "$status" != "${wanted:-0}" ]; then
        echo "FAIL: status $status: $example" >&2
        tail -5 "$work/log" >&2
        bad=1
    fi
done <"$work/each"
echo "$runs examples"
[ "$(sort -u "$work/left_out" | wc -l)" = "$(grep -vc '^#' "$here/slow.txt")" ] || fail "a command of slow.txt is no example"
exit "$bad"
