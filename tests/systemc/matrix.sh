#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every combination of the options of a router, on small networks: both sides show the same words, credits and taps
# in every cycle.
#
#   matrix.sh PROGRAM A B [SHAPE...]
#   matrix.sh PROGRAM A B --sample SEED COUNT SHAPE...
#
# All rows, or those whose router matches a SHAPE, or so many of these. A SHAPE is an extended regular expression for
# "KIND va=VA,stages=S,vcs=V,ports=PORTS", where KIND is cube or grid: a compiled router serves all rows of such a shape
# (two depths apart).
set -eu
export LC_ALL=C
ecube=$1 a=$2 b=$3 seed=1 count=0
shift 3
if [ "${1:-}" = --sample ]; then
    seed=$2 count=$3
    shift 3
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-matrix.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# A row is its shape, a tab, and the words of a comparison. Traffic, depth, packets and back-pressure are drawn. Rings
# without datelines may deadlock: on both sides in the same cycle.
rows() {
    awk -v seed="$seed" '
    function draw(below) { # Lehmer
        state = state * 48271 % 2147483647
        return int(state / 2147483647 * below)
    }
    function traffic(open, classes) {
        if (open && classes == 2)
            return sprintf("uniform:rate=0.%d,m=%d,reply=%d,outstanding=%d --cycles 300 --warmup 0", 1 + draw(4),
                           1 + draw(4), 1 + draw(6), 1 + draw(5))
        if (open)
            return sprintf("uniform:rate=0.%d,m=1..%d --cycles 300 --warmup 0", 1 + draw(9), 2 + draw(8))
        return sprintf("%s:m=%d --cycles 2000", draw(4) ? "randperm" : "hotspot", 8 + draw(24))
    }
    function row(topology, kind) {
        depth = 1 + draw(vcs == 2 && ports == "one" && draw(2) ? 8 : 4)
        options = sprintf("va=%s,stages=%d,link=%d,vcs=%d,depth=%d,switching=%s,order=%s,ports=%s", va, stages, link, vcs,
                          depth, switching, order, ports)
        if (dateline != "")
            options = options ",dateline=" dateline
        if (classes == 2)
            options = options ",classes=2"
        printf "%s va=%s,stages=%d,vcs=%d,ports=%s\t", kind, va, stages, vcs, ports
        printf "%s %s --router %s --seed %d", topology, traffic(open, classes), options, 1 + draw(1000)
        if (draw(3) == 0)
            printf " --packet %d", 1 + draw(depth)
        if (draw(3) == 0)
            printf " --eject-stall 0.%d", 1 + draw(7)
        print ""
    }
    function rows_of(topology, kind, wraps,    at, n, dls, lanes) {
        for (at = 0; at < 864; at++) {
            n = at
            va = n % 2 ? "dynamic" : "static"; n = int(n / 2)
            stages = 1 + n % 3; n = int(n / 3)
            link = substr("125", 1 + n % 3, 1); n = int(n / 3)
            vcs = 2 ^ (n % 4); n = int(n / 4)
            switching = n % 3 == 0 ? "wormhole" : n % 3 == 1 ? "cut-through" : "store-and-forward"; n = int(n / 3)
            order = n % 2 ? "high" : "low"; n = int(n / 2)
            ports = n % 2 ? "all" : "one"
            for (dls = wraps && vcs > 1 ? 2 : 1; dls > 0; dls--) {
                dateline = !wraps || vcs == 1 ? "" : dls == 2 ? "on" : "off"
                lanes = vcs / dls
                for (classes = 1; classes <= 2 && classes <= lanes; classes++)
                    for (open = 0; open < 2; open++)
                        row(topology, kind)
            }
        }
    }
    BEGIN {
        state = seed * 7919 + 1
        rows_of("cube:3", "cube", 0)
        rows_of("mesh:3x3", "grid", 0)
        rows_of("ring:5", "grid", 1)
        rows_of("torus:4x3", "grid", 1)
        rows_of("torus:5x2", "grid", 1)
    }'
}

shapes=$(printf '|%s' "$@")
rows | grep -E "^(${shapes#|})" | cut -f 2 >"$work/rows"
[ -s "$work/rows" ] || fail "no row has such a shape: $*"
if [ "$count" -gt 0 ]; then
    awk -v seed="$seed" -v left="$(wc -l <"$work/rows")" -v wanted="$count" '
        BEGIN { state = seed * 7919 + 1 }
        { state = state * 48271 % 2147483647 }
        state / 2147483647 * left-- < wanted { print; wanted-- }' "$work/rows" >"$work/sample"
    mv "$work/sample" "$work/rows"
fi

status=0
"$ecube" compare "$a" "$b" --from "$work/rows" --no-failure-wave --format json >"$work/out" 2>"$work/err" || status=$?
if [ "$status" -ne 0 ]; then
    grep -v '^ecube: [0-9]* of' "$work/err" | head -n 5 >&2
    jq -r 'select(.verdict != "pass") | "\(.command)\n    \(.divergence.place // "") \(.divergence.field // .detail // "")"' \
        "$work/out" | head -n 20 >&2
    fail "$a and $b differ, or a row is refused: status $status"
fi
jq -rs 'length as $rows | "PASS: \($rows) rows, \(map(.simulated_cycles * .nodes) | add) router-cycles, \(map(.words) | add) words"' \
    "$work/out"
