#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/SCALING.md with measured and predicted speeds. They need a quiet machine with two processors
# or more, Open MPI and jq; it takes a minute or two.
#
#   scaling.sh [strong|weak]    (default: both)
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seconds=${SECONDS_PER_CASE:-2}

# scale CASE...: the prediction of a case as JSON, with one and two threads, and two ranks.
scale() {
    # shellcheck disable=SC2086 # words of the case
    mpirun --bind-to none -n 2 ecube scale $1 --threads 1,2 --ranks 2 --verify --time "$seconds" --format json </dev/null 2>/dev/null
}

# Cycles per second, predicted and measured, with two threads, and with two ranks.
strong() {
    echo '| case | one part | 2 threads: predicted | measured | 2 ranks: predicted | measured |'
    echo '|---|---|---|---|---|---|'
    while read -r case; do
        scale "$case" | jq -r --arg case "$case" '
            def n: if . >= 1000 then (. / 10 | round * 10) else (. * 10 | round / 10) end | tostring;
            .rows as [$one, $two, $ranks]
            | def both($row): "\($row.cycles_per_second | n) (\($row.speedup * 100 | round / 100)) | " +
                "\($row.measured_cycles_per_second | n) (\($row.measured_cycles_per_second /
                    $one.measured_cycles_per_second * 100 | round / 100))";
            "| `\($case)` | \($one.measured_cycles_per_second | n) | \(both($two)) | \(both($ranks)) |"'
    done <<'END'
cube:6 uniform:rate=0.2,m=8
cube:6 uniform:rate=0.5,m=8
cube:8 uniform:rate=0.2,m=8
cube:12 uniform:rate=0.2,m=8
mesh:16x16 uniform:rate=0.05,m=8
torus:32x32 neighbor:rate=0.2,m=8
cube:10 bitrev:m=64
END
}

# A network of twice the size in two parts, against one part.
weak() {
    echo '| one part | two parts of that size | 2 threads | 2 ranks |'
    echo '|---|---|---|---|'
    while read -r small large load; do
        one=$(scale "$small $load" | jq '.rows[0].measured_cycles_per_second')
        scale "$large $load" | jq -r --argjson one "$one" --arg small "$small" --arg large "$large $load" '
            def percent: . * 100 | round | tostring + " %";
            .rows as [$alone, $two, $ranks]
            | "| `\($small)` | `\($large)` | \($two.measured_cycles_per_second / $one | percent) | " +
              "\($ranks.measured_cycles_per_second / $one | percent) |"'
    done <<'END'
torus:8x8 torus:16x8 neighbor:rate=0.2,m=8
torus:16x16 torus:32x16 neighbor:rate=0.2,m=8
END
}

case ${1:-both} in
strong) strong ;;
weak) weak ;;
*) strong && echo && weak ;;
esac
