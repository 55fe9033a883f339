#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzz all targets, or those named, with libFuzzer and the sanitizers for addresses and undefined behaviour.
#
#   tests/fuzz/run.sh [SECONDS [SEED [TARGET...]]]
#
# SECONDS in all (150), shared equally; SEED (1). Also $ECUBE_FUZZ_SECONDS and $ECUBE_FUZZ_SEED. As many targets run at
# a time as there are processors ($ECUBE_FUZZ_JOBS). The build is in $ECUBE_FUZZ_BUILD (build/fuzz), with the inputs that
# were found, from which the next call goes on, and with findings: build/fuzz/found. Status: 0 nothing was found;
# 1 findings, each with the command that repeats it; 77 (in CI 1) without clang.
set -eu
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
build=${ECUBE_FUZZ_BUILD:-$root/build/fuzz}
seconds=${1:-${ECUBE_FUZZ_SECONDS:-150}} seed=${2:-${ECUBE_FUZZ_SEED:-1}} jobs=${ECUBE_FUZZ_JOBS:-$(nproc)}
shift $(($# < 2 ? $# : 2))
missing=77
[ -z "${CI:-}" ] || missing=1
if ! command -v clang >/dev/null || ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address -xc - -o /dev/null 2>/dev/null; then
    echo "fuzz: needs clang with libFuzzer (Debian package clang)" >&2
    exit $missing
fi

# Router shapes are compiled with the sanitizers, too, into a cache of their own; their branches count, their
# comparisons do not, which would take longer than the rest.
export CXX="clang++ -fsanitize=address,undefined -fno-sanitize=vptr,function -g1 \
-fsanitize-coverage=inline-8bit-counters,pc-table" ECUBE_CACHE=$build/tile-cache
mkdir -p "$build"
if [ ! -f "$build/build.ninja" ]; then
    CC=clang CXX=clang++ meson setup --buildtype debugoptimized -Db_sanitize=address,undefined -Db_lundef=false \
        -Dfuzz=true -Dtests=enabled -Dsystemc=disabled -Dmpi=disabled "$build" "$root" >"$build/setup.log" 2>&1 ||
        { cat "$build/setup.log"; exit 1; }
fi
ninja -C "$build" fuzz >"$build/ninja.log" 2>&1 || { tail -n 30 "$build/ninja.log"; exit 1; }

export ASAN_OPTIONS=abort_on_error=1:detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
targets=("$@")
if [ "$#" -eq 0 ]; then
    for file in "$root"/tests/fuzz/targets/*.c; do
        file=${file##*/} targets+=("${file%.c}")
    done
fi
each=$((seconds * (jobs < ${#targets[@]} ? jobs : ${#targets[@]}) / ${#targets[@]}))
[ "$each" -gt 0 ] || each=1

# shellcheck disable=SC2317 # xargs calls it
# fuzz_one TARGET: its last lines are the statistics of libFuzzer.
fuzz_one()
{
    local target=$1 work=$build/inputs/$1 found=$build/found/$1 dictionary=$root/tests/fuzz/corpus/$1.dict options schedule=1
    mkdir -p "$work" "$found"
    # The usual schedule of libFuzzer takes 9 of 10 seconds for itself where an input has 10,000 features.
    case $target in damage | router | run) schedule=0 ;; esac
    options=(-max_total_time="$each" -seed="$seed" -timeout=25 -rss_limit_mb=2048 -malloc_limit_mb=1024 -max_len=4096
        -entropic="$schedule" -print_final_stats=1 -artifact_prefix="$found/" -verbosity=0)
    if [ -f "$dictionary" ]; then
        grep -o '"[^"]*"' "$dictionary" >"$build/$1.dict" # libFuzzer takes a word a line
        options+=(-dict="$build/$1.dict")
    fi
    if "$build/tests/fuzz/fuzz_$target" "${options[@]}" "$work" "$root/tests/fuzz/corpus/$target" \
        >"$build/$target.log" 2>&1; then
        awk -v target="$target" -v seconds="$each" '
            /stat::number_of_executed_units/ { n = $2 }
            END { printf "%-10s %12d inputs  %8.0f a second  nothing found\n", target, n, n / seconds }' "$build/$target.log"
    else
        echo "$target: FOUND; repeat: ECUBE_CACHE=$ECUBE_CACHE $build/tests/fuzz/fuzz_$target" \
            "$(sed -n 's/.*Test unit written to //p' "$build/$target.log" | tail -n 1)"
        grep -m 3 -E '^fuzz: |ERROR: |runtime error|SUMMARY' "$build/$target.log" | sed 's/^/    /'
        return 1
    fi
}
export -f fuzz_one
export root build each seed
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'fuzz_one {}' && exit 0
exit 1
