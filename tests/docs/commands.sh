#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command of a ```sh or ```console block runs and ends with status 0, and prints what the document
# shows. A status other than 0 is right if the next command of the block is "echo $?".
#
#   commands.sh PROGRAM [DOCUMENT...]
#
# Without documents all but docs/RESULTS.md, docs/REGRESSION.md and docs/guide/, whose many runs and shapes are tests of
# their own.
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
use_program
shift
whole=0
# shellcheck disable=SC2046 # names of documents have no blanks
[ $# -gt 0 ] || { whole=1; set -- $(documents | grep -v -e "^docs/RESULTS\.md$" -e "^docs/REGRESSION\.md$" -e "^docs/guide/"); }

cp "$here"/files/* .
bad=0
complain() {
    echo "FAIL: $(cat "$work/out/$1.head"): $2" >&2
    bad=1
}

# check BLOCK COMMAND
check() {
    name=$work/out/$1.$2
    [ -e "$name.got" ] || return 0 # run elsewhere
    status=$(cat "$name.status")
    next=$(cat "$work/out/$1.$(($2 + 1)).command" 2>/dev/null || :)
    if [ "$status" -ne 0 ] && [ "$next" != 'echo $?' ]; then
        complain "$1" "status $status of: $(cat "$name.command")"
        cat "$name.got" >&2
    elif ! awk -f "$here/same.awk" "$name.want" "$name.got" >"$work/why"; then
        complain "$1" "the output has changed: $(cat "$name.command")"
        cat "$work/why" >&2
    fi
}

ran=0
: >"$work/met"
for document; do
    rm -rf "$work/out"
    mkdir "$work/out"
    awk -v out="$work/out" -v elsewhere="$here/elsewhere.txt" -f "$here/blocks.awk" "$document" ||
        bad=1
    block=1
    while [ "$block" -le "$(cat "$work/out/count")" ]; do
        status=0
        sh "$work/out/$block.sh" >"$work/log" 2>&1 || status=$?
        if grep -q ' sh$' "$work/out/$block.head"; then
            [ "$status" -eq 0 ] || { complain "$block" "status $status"; cat "$work/log" >&2; }
        else
            k=1
            while [ -e "$work/out/$block.$k.command" ]; do
                check "$block" "$k"
                k=$((k + 1))
            done
        fi
        block=$((block + 1))
        ran=$((ran + 1))
    done
    cat "$work/out/met" >>"$work/met" 2>/dev/null || :
done

# A reason for not running a command must not outlive the command.
if [ "$whole" -eq 1 ]; then
    [ "$ran" -gt 10 ] || fail "only $ran blocks found: is this the right tree?"
    sed -n '/^#/d; s/ *# .*//p' "$here/elsewhere.txt" | while read -r command; do
        grep -qxF -e "$command" "$work/met" || echo "$command"
    done >"$work/unused"
    if [ -s "$work/unused" ]; then
        cat "$work/unused" >&2
        fail "these commands of elsewhere.txt are in no document"
    fi
fi
echo "$ran blocks"
exit "$bad"
