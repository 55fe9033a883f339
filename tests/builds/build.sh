#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Another build of the project, in a scratch folder, and the tests that it is for: most of them with the address and
# undefined behaviour sanitizers, those of threads with the thread sanitizer, those of compiled routers under valgrind, and a
# few by clang. Router shapes come from the cache of the calling build, so the sanitizers do not watch the models in
# them; valgrind does.
#
#   build.sh [--strict] sanitizers|threads|valgrind|clang SOURCE-ROOT TILE-CACHE
#
# Without the tool the status is 77 (skipped), with --strict or in CI 1.
set -eu
missing=77
[ -z "${CI:-}" ] || missing=1
[ "$1" != --strict ] || { missing=1 && shift; }
kind=$1 source_root=$2 cache=$3
suites=() wrapper=()
names=(run-odd run-order run-graph run-replay run-session 'flat and tiles agree, cube 3 vcs=1')

options=(-Dtests=enabled) compilers=()
# Splitting a run into parts: in turns, in threads, in ranks.
parts=(parts-callbacks parts-nodes parts-wiring 'how a run is split, and what is refused'
    'runs in parts and threads have the same results')
case $kind in
sanitizers)
    # The address sanitizer does not know the stacks of SystemC's coroutines. Without -Werror, because gcc 12 warns
    # about bounds in the code that the sanitizer adds.
    options+=(-Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Dsystemc=disabled)
    suites=(--suite unit)
    names+=(run-progress run-determinism claims-rows claims-judge claims-expression claims-damaged draw waves-truth
        cli-usage cli-files cli-status cli-formats cli-batch cli-jobs cli-interrupt cli-plan cli-sweep cli-precision cli-traces
        'compare names the place of a difference' 'random configurations agree on two sides'
        'regress tells time from function, and names the rows' "${parts[@]}")
    export ASAN_OPTIONS=halt_on_error=1:abort_on_error=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
    ;;
threads)
    # A worker is a fork of a process that may have had threads.
    options+=(-Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false -Dsystemc=disabled)
    names=(exchange rank_messages run-determinism run-session cli-jobs "${parts[@]}")
    # The MPI libraries are compiled without the sanitizer: locks of Open MPI look like a deadlock to it, and a hook
    # of UCX, which MPICH uses, calls it in a thread that has ended.
    export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:ignore_noninstrumented_modules=1 UCX_MEM_EVENTS=no
    ;;
valgrind)
    if ! command -v valgrind >/dev/null; then
        echo "valgrind is not installed (Debian package valgrind)"
        exit $missing
    fi
    # Only the test program itself: tools that it starts are not ours.
    options+=(-Dbuildtype=debugoptimized -Dsystemc=disabled)
    wrapper=(--wrap 'valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite')
    names=(run-odd run-order run-session parts-callbacks parts-wiring order tiles sender receiver scoreboard play checks
        diagnosis)
    ;;
clang)
    if ! command -v clang >/dev/null || ! command -v clang++ >/dev/null; then
        echo "clang is not installed (Debian package clang)"
        exit $missing
    fi
    options+=(-Dwerror=true)
    # Router shapes are compiled by the usual compiler: they come from the cache.
    compilers=(CC=clang CXX=clang++)
    names+=(schedule-audit cli-usage cli-status claims-rows 'SystemC and tiles agree, cube 3 vcs=1')
    ;;
*)
    echo "unknown build '$kind': expected sanitizers, threads, valgrind or clang" >&2
    exit 2
    ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
env "${compilers[@]}" meson setup "${options[@]}" "$work/build" "$source_root" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ln -s "$cache" "$work/build/tile-cache"
status=0
tests=(meson test -C "$work/build" --print-errorlogs --timeout-multiplier 20 "${wrapper[@]}")
[ ${#suites[@]} -eq 0 ] || "${tests[@]}" "${suites[@]}" || status=1
"${tests[@]}" "${names[@]}" || status=1
exit $status
