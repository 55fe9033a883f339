#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example platform in SystemC prints the same for the model and for the RTL, to the cycle.
#
#   platform.sh PLATFORM
set -eu
platform=$1
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 LC_ALL=C

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

while read -r topology router; do
    model=$("$platform" model "$topology" "$router") || fail "the model of $topology $router: $model"
    rtl=$("$platform" rtl "$topology" "$router") || fail "the RTL of $topology $router: $rtl"
    [ "$model" = "$rtl" ] || fail "the model says '$model', the RTL '$rtl'"
    [[ $model == "$topology: "*" 0 wrong, the last in cycle "* ]] || fail "it says '$model'"
    echo "ok: $model"
done <<'END'
cube:3
cube:3 depth=3,order=high
cube:6 depth=8,switching=cut-through,order=high
torus:4x4 vcs=2
torus:4x4 vcs=2,link=3
torus:2x3x4 vcs=2
mesh:6 vcs=8,va=dynamic,stages=2,link=2,depth=4
mesh:8x8 depth=8,switching=store-and-forward,vcs=2
END
status=0
"$platform" model cube:3 depth=0 >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "depth=0 ends with status $status"
"$platform" rtl blob:3 >/dev/null 2>&1 && fail "blob:3 is taken for a topology"
echo PASS
