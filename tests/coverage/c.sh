#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of the C code by gcov: builds the project once more, runs its suites, and compares the lines of the library
# that no test reaches with those that c-uncovered.txt explains.
#
#   c.sh SOURCE-ROOT TILE-CACHE [--update] [BUILD [SUITE...]]
#
# BUILD: a build folder to make or to use again, whose counts are added to; else a scratch one. SUITE...: only these
# suites ("none": only compare). --update writes the records, with a proposed reason for each new one, and the figures.
# FAIL if a line that is not covered has no record, if a record has no such line or no reason, or if less than LEAST
# percent of the library's lines are covered. Lines whose record says that they are open are counted apart.
set -eu
root=$(realpath "$1") cache=$(realpath "$2")
LEAST=${LEAST:-95}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-gcov.XXXXXX")
trap 'rm -rf "$work"' EXIT
shift 2
update=
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
# Of the suite long: what has no other test, and what makes each allocation and each write fail.
long='routers at fixed and at relative places
defects of a router with dynamic allocation are named
the adapters of the guide keep the contract
ranks of MPI are one run, or share a list, many
chaos memory long
chaos disk long
chaos process long'
suites='unit contract run cli formal docs lockstep waves claims faults chaos long'
# Builds ecube elsewhere, where nothing is counted.
elsewhere='the library as its document says'
build=${1:-$work/build}
[ $# -eq 0 ] || shift
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- $suites

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

# names SUITE: those of its tests that count; of what belongs to the suite long, too, only the names above.
names() {
    if [ "$1" = long ]; then
        echo "$long"
    else
        meson introspect --tests "$build" |
            jq -r --arg suite ":$1" '.[] | select(.suite | any(endswith($suite)) and all(endswith(":long") | not)) | .name' |
            grep -vxF "$elsewhere"
    fi
}

# Tests that fail here pass in the usual build, or that one reports them: this build needs more memory, and
# says so itself on standard error if the disk of a test is full.
run_tests() {
    names "$1" | xargs -d '\n' nice meson test -C "$build" --suite "$1" --no-rebuild --timeout-multiplier 10 >"$work/log" 2>&1 ||
        sed -n 's/^/  /; /FAIL\|TIMEOUT/p' "$work/log" >&2
}
if [ "$1" != none ]; then
    nice ninja -C "$build" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
    # What another version of a source has counted: each command would complain about it.
    find "$build" -name '*.gcda' | while read -r counts; do
        [ -z "$(find "${counts%.gcda}.gcno" -newer "$counts")" ] || rm -f "$counts"
    done
    for suite; do run_tests "$suite"; done
fi

# FILE, LINE, FUNCTION, HITS of every line that has code. Lines of headers come from many objects, also those of tests.
find "$build/harness" "$build/tests" -name '*.gcno' ! -path '*mpi*' | sort >"$work/objects"
[ -s "$work/objects" ] || { echo "FAIL: nothing was counted in $build" >&2; exit 1; }
(cd "$build" && xargs gcov --json-format --stdout <"$work/objects" 2>/dev/null) |
    jq -r '.files[] | .file as $f | select($f | test("harness/.*\\.[ch]$")) | ($f | sub("^.*harness/"; "harness/")) as $f |
        .lines[] | "\($f)\t\(.line_number)\t\(.function_name)\t\(.count)"' |
    awk -F'\t' '
        { at = $1 "\t" $2; if (!(at in most) || $4 > most[at]) { most[at] = $4; name[at] = $3 } }
        END { for (at in most) print at "\t" name[at] "\t" most[at] }' | sort -t"$(printf '\t')" -k1,1 -k2,2n >"$work/all"
# The program and what only it uses are not the library.
program='program|study|draw|terminal|page/embed'
grep -vE "^harness/($program)" "$work/all" >"$work/lines"

awk -v root="$root" -f "$here/c-blocks.awk" "$work/lines" >"$work/seen"
: >"$work/sums"
check() { awk -v root="$root" -v sums="$work/sums" "$@" -f "$here/c-records.awk" "$here/c-uncovered.txt" "$work/seen"; }
if [ -n "$update" ]; then
    check -v update=1 >"$work/records"
    cp "$work/records" "$here/c-uncovered.txt"
fi
check >"$work/wrong"

# Figures of each folder and of all. Explained: not covered, and with a record; open: it is not known yet.
awk -F'\t' '
    FNR == NR { explained[$3] = $1; open[$3] = $2; next }
    { folder = $1; sub(/\/[^\/]*$/, "", folder); all[folder]++; hit[folder] += $4 > 0 }
    END {
        for (f in all) {
            printf "%d of %d lines, %d explained, %d open: %s\n", hit[f], all[f], explained[f], open[f], f | "sort -k 9"
            hits += hit[f]; lines += all[f]; reasons += explained[f]; unknown += open[f]
        }
        close("sort -k 9")
        printf "%d of %d lines, %d explained, %d open: all\n", hits, lines, reasons, unknown
    }' "$work/sums" "$work/lines" >"$work/figures"
cat "$work/figures"
[ -z "$update" ] || cp "$work/figures" "$here/c-figures.txt"
# The program and what only it uses have no records.
grep -E "^harness/($program)" "$work/all" | awk -F'\t' '{ hit += $4 > 0 }
    END { printf "%d of %d lines: program, study, draw, terminal, page/embed.c, without records\n", hit, NR }'
tail -n 1 "$work/figures" | awk -v least="$LEAST" '100 * $1 < least * $3 { print "less than " least " % are covered" }' >>"$work/wrong"
if [ -s "$work/wrong" ]; then
    sort "$work/wrong" | sed 's/^/FAIL: /' >&2
    exit 1
fi
