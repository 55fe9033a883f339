#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How long the build of a shape takes, and what ecube announces: compile_times.sh PROGRAM. Uses an empty
# cache and no ccache. Run it on a quiet machine; the ratio should be between 0.5 and 2.
set -eu
ecube=$(realpath "${1:?usage: $0 PROGRAM}")
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-times.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export CCACHE_DISABLE=1 ECUBE_CACHE=$work/cache TIMEFORMAT='%R %U %S'
mkdir -m 700 cache

# build ARGUMENTS...: compile what the command needs, and print a line.
build()
{
    local announced seconds
    { time "$ecube" "$@" >/dev/null 2>messages; } 2>time.txt
    announced=$(sed -n 's/.*, about \([0-9]*\) s$/\1/p' messages)
    seconds=$("$ecube" tile list --format json | jq '[.[] | select(.description | startswith("runtime") | not)] | max_by(.built).seconds')
    awk -v announced="${announced:--}" -v seconds="${seconds:-0}" -v what="$*" '{
        ratio = seconds > 0 ? sprintf("%.2f", announced / seconds) : "-"
        printf "%9s %9.1f %9.1f %6s  %s\n", announced, seconds, $2 + $3, ratio, what }' time.txt
}

printf '%9s %9s %9s %6s  %s\n' announced seconds processor ratio command
# The first one compiles Verilator's runtime, too.
for topology in cube:3 cube:10 cube:16 mesh:8x8 torus:8x8 torus:4x4x4; do
    build tile build $topology
done
build tile build cube:3 --router vcs=2
build tile build cube:3 --router vcs=4
build tile build cube:10 --router vcs=4
build tile build torus:8x8 --router vcs=4
build tile build torus:8x8 --router vcs=4,ports=all
build tile build torus:4x4x4x4 --router ports=all
build tile build mesh:2x2x2x2x2x2 --router ports=all,vcs=2
build tile build mesh:8x8 --router depth=1024
build tile build mesh:8x8 --random-init
for run in cube:3 torus:8x8 cube:10; do
    build run $run shift:q=1 --wave w.fst --wave-nodes 0
done
build run torus:8x8 shift:q=1 --router vcs=4,ports=all --wave w.fst --wave-nodes 0
for run in cube:3 torus:4x4 cube:6 torus:8x8 mesh:8x4; do
    build run $run shift:q=1 --backend flat
done
build run torus:4x4 shift:q=1 --router vcs=4,ports=all --backend flat
