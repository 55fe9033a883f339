#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A test of a test: it must fail, with a given text, on a damaged copy of the RTL.
#
#   must_fail.sh RTL-FOLDER FILE SED-EXPRESSION TEXT SCRIPT [ARGUMENTS...]
#
# runs SCRIPT [ARGUMENTS...] with every argument "RTL" replaced by the damaged copy.
set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rtl=$1 file=$2 damage=$3 text=$4
shift 4

mkdir "$work/rtl"
cp -r "$rtl"/* "$work/rtl"
sed "$damage" "$rtl/$file" >"$work/rtl/$file"
! cmp -s "$rtl/$file" "$work/rtl/$file" || fail "the damage $damage does not apply to $file"

for argument; do
    shift
    [ "$argument" != RTL ] || argument=$work/rtl
    set -- "$@" "$argument"
done
if "$@" >"$work/log" 2>&1; then
    fail "passed in spite of $damage in $file"
fi
grep -q -e "$text" "$work/log" || { cat "$work/log" >&2; fail "failed, but not with: $text"; }
echo "caught: $damage in $file by tests/rtl, $text"
