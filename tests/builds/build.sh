#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Another build of the project, in a scratch folder, and a representative part of its tests: with the address and
# undefined behaviour sanitizers, or by clang. Router shapes come from the cache of the calling build.
#
#   build.sh [--strict] sanitizers|clang SOURCE-ROOT TILE-CACHE
#
# Without clang the status is 77 (skipped), with --strict or in CI 1.
set -eu
missing=77
[ -z "${CI:-}" ] || missing=1
[ "$1" != --strict ] || { missing=1 && shift; }
kind=$1 source_root=$2 cache=$3
suites=(--suite unit)
names=(run-odd run-order run-graph run-progress run-replay run-determinism 'flat and tiles agree, cube 3 vcs=1'
    cli-usage cli-files cli-status cli-formats cli-batch cli-interrupt cli-plan claims-rows claims-judge draw waves-truth)

options=(-Dtests=enabled) compilers=()
case $kind in
sanitizers)
    # The address sanitizer does not know the stacks of SystemC's coroutines. Without -Werror, because gcc 12 warns
    # about bounds in the code that the sanitizer adds.
    options+=(-Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Dsystemc=disabled)
    names+=(run-session claims-expression claims-damaged claims-quick 'compare names the place of a difference'
        'a soak agrees, or finds a difference and makes it smaller' 'regress tells time from function, and names the rows')
    export ASAN_OPTIONS=halt_on_error=1:abort_on_error=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
    ;;
clang)
    if ! command -v clang >/dev/null || ! command -v clang++ >/dev/null; then
        echo "clang is not installed (Debian package clang)"
        exit $missing
    fi
    options+=(-Dwerror=true)
    # Router shapes are compiled by the usual compiler: they come from the cache.
    compilers=(CC=clang CXX=clang++)
    names+=('SystemC and tiles agree, cube 3 vcs=1')
    ;;
*)
    echo "unknown build '$kind': expected sanitizers or clang" >&2
    exit 2
    ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
env "${compilers[@]}" meson setup "${options[@]}" "$work/build" "$source_root" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ln -s "$cache" "$work/build/tile-cache"
status=0
meson test -C "$work/build" --print-errorlogs --timeout-multiplier 10 "${suites[@]}" || status=1
meson test -C "$work/build" --print-errorlogs --timeout-multiplier 10 "${names[@]}" || status=1
exit $status
