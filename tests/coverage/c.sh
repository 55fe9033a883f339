#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of the C code by gcov: builds the project once more, runs its usual suites, and prints the lines
# covered in each folder of harness/, the library's lines that are not covered by their class, and how many
# of them belong to none.
#
#   c.sh SOURCE-ROOT TILE-CACHE CLASSES [BUILD [SUITE...]]
#
# BUILD: a build folder to make or to use again, whose counts are added to; else a scratch one. SUITE...: only
# these suites ("none": only print). CLASSES: lines "NAME | regular expression", for an uncovered line or
# the three above it. FAIL if less than LEAST percent of the lines of the library are covered.
set -eu
root=$(realpath "$1") cache=$(realpath "$2") classes=$(realpath "$3")
LEAST=${LEAST:-95}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-gcov.XXXXXX")
trap 'rm -rf "$work"' EXIT
build=${4:-$work/build}
shift 3
[ $# -eq 0 ] || shift
more=
[ $# -gt 0 ] || more='routers at fixed and at relative places' # of the suite long: a folder has no other test
[ $# -gt 0 ] || set -- unit contract run cli lockstep waves claims

if [ ! -d "$build" ]; then
    mkdir -p "$build"
    build=$(realpath "$build")
    ${CC:-cc} -fPIC -c "$here/exit.c" -o "$build/exit.o"
    meson setup "$build" "$root" -Db_coverage=true -Dbuildtype=debug -Dtests=enabled -Dc_args=-fprofile-update=atomic \
        "-Dc_link_args=--coverage -Wl,-u,__gcov_dump -Wl,--wrap=_exit $build/exit.o" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    ln -s "$cache" "$build/tile-cache"
fi
build=$(realpath "$build")

# Tests that fail here pass in the usual build, or that one reports them: this build needs more memory, and
# says so itself on standard error if the disk of a test is full.
run_tests() {
    nice meson test -C "$build" --no-rebuild --timeout-multiplier 10 "$@" >"$work/log" 2>&1 ||
        sed -n 's/^/  /; /FAIL\|TIMEOUT/p' "$work/log" >&2
}
if [ "$1" != none ]; then
    nice ninja -C "$build" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
    for suite; do run_tests --suite "$suite"; done
    [ -z "$more" ] || run_tests --suite long "$more"
fi

# FILE:LINE:HITS of every line that has code, as gcov prints it. Lines of headers come from many objects.
find "$build/harness" -name '*.gcno' ! -path '*mpi*' | sort >"$work/objects"
[ -s "$work/objects" ] || { echo "FAIL: nothing was counted in $build" >&2; exit 1; }
(cd "$build" && xargs gcov --stdout <"$work/objects" 2>/dev/null) |
    awk -F: '
        /^ *-: *0:Source:/ { file = $4; sub(/^.*\/harness\//, "harness/", file); next }
        file ~ /^harness\/.*\.[ch]$/ && $1 !~ /-/ && $2 > 0 {
            hits = $1; gsub(/[ *]/, "", hits)
            hits = hits ~ /^[#=]/ ? 0 : hits + 0
            at = file ":" $2 + 0
            if (!(at in most) || hits > most[at]) most[at] = hits
        }
        END { for (at in most) print at ":" most[at] }' | sort -t: -k1,1 -k2,2n >"$work/lines"

awk -F: -v least="$LEAST" -v root="$root" -v classes="$classes" '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    # The class of an uncovered line: its own, or that of one of the three lines above it.
    function class_of(file, line,    k, c) {
        if (!(file in read)) {
            read[file] = 1
            for (k = 1; (getline text[file, k] < (root "/" file)) > 0; k++);
            close(root "/" file)
        }
        for (k = 0; k < 4 && line > k; k++)
            for (c = 1; c <= n; c++)
                if (text[file, line - k] ~ pattern[c]) return name[c]
        return "none"
    }
    BEGIN {
        while ((getline row < classes) > 0) {
            if (row ~ /^#/ || row !~ / \| /) continue
            name[++n] = substr(row, 1, index(row, " | ") - 1)
            pattern[n] = substr(row, index(row, " | ") + 3)
        }
    }
    {
        at = folder($1)
        all[at]++; hit[at] += $3 > 0
        program = $1 ~ /^harness\/(program|study|draw|terminal|page\/embed)/
        if (!program) { lines++; covered += $3 > 0 }
        if (!program && $3 == 0) {
            class = class_of($1, $2)
            count[class]++
            missing = missing sprintf("  %s:%d  %s\n", $1, $2, class)
        }
    }
    END {
        sort = "sort"
        for (at in all) printf "%6.1f %% %6d of %6d  %s\n", 100 * hit[at] / all[at], hit[at], all[at], at | sort " -k 6"
        close(sort " -k 6")
        print "\nlines of the library that are not covered:"
        printf "%s", missing
        print "\nby class:"
        for (class in count) printf "%6d  %s\n", count[class], class | sort " -rn"
        close(sort " -rn")
        printf "library: %d of %d lines covered (%.1f %%), %d more explained, %d not\n", covered, lines,
            100 * covered / lines, lines - covered - count["none"], count["none"]
        if (100 * covered < least * lines) { print "FAIL: less than " least " %"; exit 1 }
    }' "$work/lines"
