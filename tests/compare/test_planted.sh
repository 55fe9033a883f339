#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mistakes that the generator of the engine simd could make are found by a comparison with Verilator. Each is compiled
# (some seconds).
#
#   test_planted.sh PROGRAM [all]
. "$(dirname "$0")/lib.sh"

# A sentence, then what sed does to the generated code.
mistakes=(
    'a register is never written' '0,/^s\.s[0-9]*\[0\] = pick/s//\/\/&/'
    'all equalities are inverted' 's/equal(/~equal(/g'
    'a selection is swapped' '0,/= pick(\(s[0-9]*_0\), /s//= pick(~\1, /'
    'all orders are inverted' 's/less(/~less(/'
    'a word loses its upper half' 's/out\.link_o\[1\] = .*/out.link_o[1] = fill(0);/'
    'credits come from another port' 's/out\.credit_o\[0\] = .*/&out.credit_o[0] = out.credit_o[0] << 1;/'
    'a memory is written in the wrong cycles' '0,/^write_memory<[^>]*>(s\.m[0-9]*, /s//&~/'
    'a memory is read at address 0' '0,/^read_memory<\([^(]*\)(s\.\(m[0-9]*\), .*, s/s//read_memory<\1(s.\2, fill(0), s/'
    'sums are one bit too narrow' '/ [+] /s/& 0x7u/\& 0x3u/'
    'resets are ignored' 's/fill(Reset ? ~0u : 0)/fill(0)/'
    'a tap is lost' 's/out\.contended_o\[0\] = .*/out.contended_o[0] = fill(0);/'
    'a router sleeps too early' 's/out\.quiet_o\[0\] = .*/out.quiet_o[0] = fill(1);/'
)
count=$((${#mistakes[@]} / 2))
first=${SEED:-6} step=$count
[[ ${2:-} != all ]] || first=0 step=1

"$ecube" tile build cube:3 >built || exit 1
mapfile -t usual < <(grep -l '"description": "cube dims=3 locals=1 vcs=1 depth=4"' "$ECUBE_CACHE"/*/manifest.json | xargs dirname)
usual+=("$ECUBE_CACHE"/runtime-*)
export CXX
CXX=$source_root/tests/compare/plant.sh
for ((i = first; i < count; i += step)); do
    export PLANT=${mistakes[2 * i + 1]} ECUBE_CACHE=$PWD/cache-$i
    # The other side is as usual, whatever the compiler.
    mkdir -m 700 "$ECUBE_CACHE"
    cp -r "${usual[@]}" "$ECUBE_CACHE/"
    exits "found: ${mistakes[2 * i]}" 1 compare tiles simd cube:3 uniform:rate=0.4,m=6 --cycles 500 --warmup 10 \
        --quiet --no-failure-wave
    # Whichever way words move, by vectors or by routers, the same fault is found in the same cycle.
    for way in '' --shuffle=7; do
        "$ecube" run --engine simd cube:3 uniform:rate=0.4,m=6 --cycles 500 --warmup 10 --quiet --no-failure-wave \
            ${way:+"$way"} --format json 2>err |
            jq -cS '[.verdict, .failure, .simulated_cycles, .flit_hops, .contended_cycles, .starved_cycles, .digest]' >"way$way"
    done
    equal 'the same result router by router' "$(cat way)" "$(cat way--shuffle=7)"
    rm -r "$ECUBE_CACHE"
done
done_testing
