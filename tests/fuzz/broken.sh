#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The target `router` finds defects of the RTL (tests/faults/rtl.txt): each is planted in a copy of rtl/, compiled, and
# must end the plain driver with the words of a rule. Prints TAP, with the processor time in seconds once it is compiled.
# Long links are no part of a router: their defects are left to comparisons with the network in RTL.
#
#   broken.sh SOURCE-ROOT BUILD-ROOT [PART PARTS]
set -u
export LC_ALL=C
source_root=$1 build_root=$2 part=${3:-0} parts=${4:-1}
here=$(dirname "$(realpath "$0")")
# shellcheck source-path=SCRIPTDIR source=../faults/plant.sh
. "$here/../faults/plant.sh"
# shellcheck disable=SC2034 # of plant.sh
libdir=lib
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-broken.XXXXXX")
trap 'rm -rf "$work"' EXIT
export ECUBE_CACHE=$work/cache
cd "$work" || exit 1
seen=0 tests=0

# fuzz: status 0 if a finding ended it. The first input with a network waits for the compiler.
fuzz()
{
    timeout 900 "$build_root/tests/fuzz/fuzz_router" --seconds 60 --seed 1 --limit 600 "$here/corpus/router" >out 2>err
    [[ $? -eq 134 ]] && grep -q '^fuzz: .*cycle [0-9]*, router' err
}

try()
{
    # shellcheck disable=SC2154 # of plant.sh
    [[ $file == rtl/* ]] && ((seen++ % parts == part)) || return 0
    tests=$((tests + 1))
    if [[ $file == rtl/ec_link.sv ]]; then
        # shellcheck disable=SC2154 # of plant.sh
        echo "ok $tests - $title # SKIP it is outside of routers"
        return 0
    fi
    rm -rf damaged
    mkdir -p damaged/share
    ln -s "$source_root" damaged/share/ecube
    if ! plant "$work/damaged" >out 2>err || ! ECUBE_DATA=$work/damaged/share/ecube fuzz; then
        echo "not ok $tests - $title"
        tail -n 3 err | sed 's/^/#   /'
        return 0
    fi
    TIMEFORMAT=%U
    { time ECUBE_DATA=$work/damaged/share/ecube fuzz; } 2>seconds
    echo "ok $tests - $title"
    echo "#   $(tail -n 1 seconds) s: $(sed -n 's/^fuzz: //p' err | head -n 1 | cut -c 1-200)"
}
records "$here/../faults/rtl.txt" try
echo "1..$tests"
