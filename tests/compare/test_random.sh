#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random configurations on two sides agree in every cycle, and a damaged side is found.
#
#   test_random.sh PROGRAM [long]
#   test_random.sh PROGRAM engines [all]          the same with both engines; all: also each row of `ecube regress`
#   test_random.sh PROGRAM soak [N]               lists until N router-cycles (10^9) of the engine simd have been compared
#   test_random.sh PROGRAM paths [N [OPTION]]     the same (10^7) of routers that choose or share (or have this option), in RTL and
#                                                 SystemC; ENGINE=simd: of that engine
#   COUNT=1000 SEED=7 test_random.sh PROGRAM      other configurations, and more of them
#
# Without `long` only networks that are compiled anyway (../shapes/meson.build).
. "$(dirname "$0")/lib.sh"

count=${COUNT:-$([[ ${2:-} == long ]] && echo 300 || echo 20)}
networks='ring:2 vcs=1;ring:5 vcs=2;mesh:4x3 vcs=1;ring:3 vcs=2,ports=all;torus:2x3 vcs=2;cube:1 vcs=1'
networks+=';cube:3 vcs=1;cube:3 vcs=1,ports=all'
[[ ${2:-} != long ]] || networks+=';ring:8 vcs=4;mesh:2x3 vcs=2,ports=all;torus:3x3 vcs=2,ports=all;cube:4 vcs=1;mesh:3x2x2 vcs=2;torus:4x4 vcs=2;torus:5x3 vcs=2;torus:4x2x2 vcs=2'
# Sources draw a path, routers choose one, and ports have one crossbar input: in static and dynamic allocation, all shapes, one to
# three stages.
paths=';cube:4 vcs=2,order=class;torus:5x4 vcs=8,va=dynamic,order=class;mesh:3x4 vcs=4,va=dynamic,stages=2,order=class'
paths+=';torus:4x5 vcs=4,routing=valiant;cube:3 vcs=4,va=dynamic,routing=valiant;torus:4x4 vcs=8,stages=3,routing=valiant'
paths+=';torus:4x4 vcs=4,speedup=1;mesh:3x4 vcs=4,va=dynamic,stages=2,speedup=1;cube:4 vcs=8,va=dynamic,stages=3,speedup=1'
paths+=';mesh:4x4 vcs=2,routing=adaptive;torus:5x4 vcs=4,routing=adaptive;cube:3 vcs=4,stages=2,routing=adaptive'
paths+=';torus:4x4 vcs=8,stages=3,link=3,routing=adaptive;mesh:3x4 vcs=4,routing=adaptive,speedup=1'
# Without a network that is compiled as a whole also pipelines, long links and dynamic allocation.
piped=$networks';mesh:6 vcs=2,va=dynamic,stages=2;ring:8 vcs=2,va=dynamic,stages=3;cube:3 stages=3;torus:4x4 vcs=4,va=dynamic,link=4'
piped+=';torus:4x4 vcs=2,depth=8;cube:6 depth=16,link=7;mesh:8x8 vcs=1;torus:4x4 vcs=4,order=class;mesh:4x4 vcs=2,routing=valiant'
[[ ${2:-} != long && ${2:-} != soak ]] || piped+=$paths
[[ ${2:-} != paths ]] || piped=$(tr ';' '\n' <<<"${paths:1}" | grep -E "${4:-.}" | paste -sd ';')

# draw FILE NETWORKS WHOLE: a list. WHOLE=1: without deadlocks.
draw()
{
    awk -v count="$count" -v seed="${SEED:-4}" -v networks="$2" -v whole="$3" '
        function draw(bound) { state = state * 16807 % 2147483647; return int(state / 2147483647 * bound) }
        function one_of(list,   item) { return item[1 + draw(split(list, item, " "))] }
        BEGIN {
            state = seed + 1
            for (i = 0; i < 20; i++) draw(2)
            n = split(networks, network, ";")
            for (i = 1; i <= count; i++) {
                router = network[1 + draw(n)]
                depth = 1 + draw(4)
                text = router (router ~ /depth=/ ? "" : ",depth=" depth) (router ~ /order/ ? "" : ",order=" one_of("low high"))
                text = text ",switching=" (router ~ /^torus.*dynamic/ ? "wormhole" : one_of("wormhole cut-through store-and-forward"))
                if (!whole && router ~ /^(ring|torus).*vcs=[24]/ && router !~ /class|valiant/ && draw(8) == 0) text = text ",dateline=off"
                if (router ~ /^(ring:8|torus:4)/ && draw(2)) text = text ",ties=balanced"
                sub(/ /, " WORKLOAD --router ", text)
                m = 1 + draw(12)
                rate = (1 + draw(99)) / 100
                if (draw(3)) work = one_of("uniform: hotspot: shift:q=1,") "rate=" (rate < m ? rate : m / 2) ",m=" m ".." m + draw(8) \
                    " --warmup 10 --cycles " 100 + draw(3000)
                else work = one_of("hotspot: randperm: shift:q=1,") "m=" m * (1 + draw(16))
                sub(/WORKLOAD/, work, text)
                text = text " --packet " 1 + draw(depth)
                if (draw(3) == 0) text = text " --startup " 1 + draw(40)
                if (draw(3) == 0) text = text " --eject-stall 0." 1 + draw(9)
                print text " --seed " 1 + draw(1000000)
            }
        }' </dev/null >"$1"
}

# agree SENTENCE LIST OPTION...: no line of the list differs.
agree()
{
    local sentence=$1 list=$2
    shift 2
    exits "$sentence" 0 compare "$@" --from "$list" --quiet --no-failure-wave
    equal "all $count of them" "$(grep -cE '^(AGREE|SAME DELIVERIES)' out)" "$count"
}

# The engine simd refuses arbiters of more than 32 requests, as large cubes and 8 VCs with dynamic allocation have.
[[ ${2:-} != soak ]] || piped=$(tr ';' '\n' <<<"$piped" | grep -v 'vcs=8' | paste -sd ';')

# Verilator's code is the other side on large networks of the same routers; where the model in SystemC was
# built, it is on every fourth list, on the small ones. `paths` compares these two.
if [[ ${2:-} == soak || ${2:-} == paths ]]; then
    large=$(tr ';' '\n' <<<"$piped" | sed -E 's/ring:8/ring:1024/; s/mesh:8x8/mesh:48x48/; s/torus:4x4/torus:32x32/
        /dynamic|adaptive/!s/cube:(3|6)/cube:11/' | paste -sd ';')
    "$ecube" list backends | grep -q systemc && model=systemc || model=
    one=simd enough=${3:-1000000000}
    [[ $2 == soak ]] || one=${ENGINE:-tiles} enough=${3:-10000000} model=systemc
    for ((done = 0, seed = ${SEED:-4}; done < enough; seed++)); do
        if [[ $2 == paths ]] || ((seed % 4 == 1)) && [[ $model ]]; then other=$model networks=$piped; else other=tiles networks=$large; fi
        SEED=$seed draw soak.txt "$networks" 0
        sed -i 's/--cycles /&1/' soak.txt # 1,000 or 10,000 cycles more
        "$ecube" compare "$one" "$other" --from soak.txt --quiet --no-failure-wave --format json >out 2>err
        equal "list $seed agrees with $other after $done router-cycles" "$(jq -r .verdict out | grep -c pass)" "$count"
        compared=$(jq -s 'map(.compared) | add // 0' out)
        ((compared > 0 && (done += compared))) || break
    done
    echo "# $done router-cycles"
    done_testing
    exit
fi

# Each network is compiled by the engine simd: some seconds.
if [[ ${2:-} == engines ]]; then
    engines='cube:3 vcs=1;mesh:4x3 vcs=1'
    [[ ${3:-} != all ]] || engines=$piped
    draw engines.txt "$engines" 0
    agree 'both engines agree in every cycle' engines.txt tiles simd
    # chosen RATE ENGINE: by the rule of auto
    chosen()
    {
        exits "auto at rate $1" 0 run mesh:8x8 "uniform:rate=$1,m=8" --engine auto --verbose --cycles 300
        contains "takes $2" out "engine      $2"
    }
    chosen 0.2 simd
    chosen 0.02 'verilator: auto takes simd for'
    YOSYS=/none chosen 0.2 'verilator: Yosys is missing'
    exits 'auto is a side, too' 0 compare tiles auto mesh:8x8 uniform:rate=0.2,m=8 --cycles 300 --quiet
    echo 'mesh:8x8 shift:q=1,m=2000' >row.txt
    exits 'a regression with simd stores a row' 0 regress row.txt --update --engine simd --quiet
    exits 'which auto finds again' 0 regress row.txt --engine auto
    contains 'the same' out SAME
    if [[ ${3:-} == all ]]; then
        # Without the options that only runs have.
        sed -n 's/^\([^#].*\) = .*/\1/p' "$source_root/harness/program/regress/default.txt" |
            sed -E 's/ --(no-sleep|shuffle [0-9]+|random-init [0-9]+)//g' >rows.txt
        count=$(wc -l <rows.txt)
        agree 'on each row of the regression, too' rows.txt tiles simd
    fi
    # Whole runs: here the bank of the engine simd moves words and credits itself.
    for engine in verilator simd; do
        "$ecube" run --from engines.txt --engine "$engine" --format json --quiet --no-failure-wave 2>err |
            jq -c 'del(.command, .engine, .shape_key, .seconds, .cpu_seconds, .router_cycles_per_second, .peak_rss_bytes)' \
                >"$engine.runs"
    done
    equal 'whole runs have the same results' "$(md5sum <simd.runs)" "$(md5sum <verilator.runs)"
    equal "all $count of them" "$(wc -l <simd.runs)" "$(wc -l <engines.txt)"
    done_testing
    exit
fi

draw flat.txt "$networks" 0
agree 'tiles and flat agree' flat.txt tiles flat
draw whole.txt "$piped" 1
agree 'tiles deliver the same in any order' whole.txt tiles tiles --deliveries
draw piped.txt "$piped" 0
if "$ecube" list backends | grep -q systemc; then agree 'tiles and the model in SystemC agree' piped.txt tiles systemc; fi

damage later ec_arbiter.sv "(-(moving << 1))" "(-moving)"
exits 'a damaged arbiter is found' 1 compare tiles rtl --from flat.txt --quiet --no-failure-wave \
    --rtl "$(files later ,)" --top ec_router
check 'with its place' grep -q 'differs  ' out

done_testing
