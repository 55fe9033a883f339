#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests of this folder must fail on documents that are wrong: a copy of the tree is damaged in one place
# at a time, and the right test must fail.
#
#   self_test.sh PROGRAM PRINT_KEYS
# shellcheck disable=SC2016 # backticks of Markdown
set -eu
print_keys=$(realpath "$2")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# A copy of the files to damage, links to the rest.
copy=$work/copy
mkdir "$copy"
for entry in "$root"/*; do
    case ${entry##*/} in
    build*) ;;
    README.md | CONTRIBUTING.md | docs | harness | waves) cp -r "$entry" "$copy/" ;;
    tests)
        mkdir "$copy/tests"
        for part in "$entry"/*; do
            case ${part##*/} in
            docs) cp -r "$part" "$copy/tests/" ;;
            *) ln -s "$part" "$copy/tests/" ;;
            esac
        done
        ;;
    *) ln -s "$entry" "$copy/" ;;
    esac
done

bad=0
# must_fail TEXT FILE SED-EXPRESSION SCRIPT [ARGUMENT...]
must_fail() {
    text=$1 file=$2 damage=$3 script=$4
    shift 4
    cp "$copy/$file" "$work/whole"
    sed "$damage" "$work/whole" >"$copy/$file"
    if cmp -s "$work/whole" "$copy/$file"; then
        echo "FAIL: the damage does not apply to $file: $damage" >&2
        bad=1
    elif sh "$copy/tests/docs/$script" "$@" >"$work/log" 2>&1; then
        echo "FAIL: $script passes in spite of $damage in $file" >&2
        bad=1
    elif ! grep -qF -e "$text" "$work/log"; then
        cat "$work/log" >&2
        echo "FAIL: $script fails, but not with '$text', after $damage in $file" >&2
        bad=1
    fi
    cp "$work/whole" "$copy/$file"
}

# all_fail SCRIPT [ARGUMENT...]: the same with one run for all damages, lines of the input: TEXT@FILE@SED-EXPRESSION
all_fail() {
    script=$1
    shift
    cat >"$work/damages"
    mkdir "$work/before"
    cp -r "$copy/README.md" "$copy/docs" "$copy/harness" "$work/before"
    while IFS=@ read -r text file damage; do
        cp "$copy/$file" "$work/whole"
        sed "$damage" "$work/whole" >"$copy/$file"
        ! cmp -s "$work/whole" "$copy/$file" || {
            echo "FAIL: the damage does not apply to $file: $damage" >&2
            bad=1
        }
    done <"$work/damages"
    ! sh "$copy/tests/docs/$script" "$@" >"$work/log" 2>&1 || fail "$script passes in spite of all damages"
    while IFS=@ read -r text file damage; do
        grep -qF -e "$text" "$work/log" || {
            echo "FAIL: $script does not say '$text' after $damage in $file" >&2
            bad=1
        }
    done <"$work/damages"
    rm -r "$copy/README.md" "$copy/docs" "$copy/harness"
    mv "$work/before"/* "$copy"
    rmdir "$work/before"
}

tour=docs/TOUR.md
must_fail 'the output has changed' $tour 's/  5 cycles = predicted/  6 cycles = predicted/' \
    commands.sh "$program" $tour
must_fail 'the output has changed' $tour 's/^         4  eject/         5  eject/' \
    commands.sh "$program" $tour
must_fail 'status 2' $tour 's/^\$ ecube run cube:3 shift:q=5,m=1 --quiet/&x/' \
    commands.sh "$program" $tour
must_fail 'got: 2' docs/OUTPUT.md '/shift:q=8$/,/^2$/s/^2$/0/' commands.sh "$program" docs/OUTPUT.md
must_fail 'neither sh nor console' $tour 's/^```console/```text/' commands.sh "$program" $tour
must_fail "cycles is '71', not '72'" README.md 's/^\(| `ecube.*m=64` |\) 71/\1 72/' \
    tables.sh "$program" README.md
must_fail 'is not a key of' README.md 's/^| command | `cycles`/| command | `cycle`/' \
    tables.sh "$program" README.md
must_fail 'keys of the event log' docs/output/run.md 's/^| `wants` |/| `want` |/' keys.sh "$program" "$print_keys"
all_fail keys.sh "$program" "$print_keys" <<'END'
> | `flit_hops` |@docs/output/run.md@/^| `flit_hops` |/d
< | `p999` |@docs/output/run.md@s/^| `p99` |/| `p999` |/
keys of harness/program/ecube.1.in@harness/program/ecube.1.in@s/^\.It Va digest/.It Va digets/
END
cp "$(dirname "$program")/ecube.1" "$copy/docs/"
must_fail 'not in the manual page: --startup' docs/ecube.1 's/Fl Fl startup/Fl startup/' \
    man.sh "$program" docs/ecube.1
must_fail 'in the manual page only: --colour' docs/ecube.1 's/Fl Fl startup/Fl Fl colour/' \
    man.sh "$program" docs/ecube.1
all_fail references.sh <<END
no play_cycle() in harness/library/session/run.c@$tour@s,\`play_cycle()\` in \`harness/library/run/play.c\`,\`play_cycle()\` in \`harness/library/session/run.c\`,
no harness/library/run/playing.c@$tour@s,\`harness/library/run/play.c\`,\`harness/library/run/playing.c\`,
no ec_no_such_thing in the sources@$tour@s,\`u_fifo\`,\`ec_no_such_thing\`,
a link to nothing@README.md@s,(docs/TOUR.md),(docs/TUOR.md),
no heading #checks-of-no-run@docs/output/run.md@s/#checks-of-every-run/#checks-of-no-run/
no document links here@docs/adr/README.md@s/0006-vc-hold.md/0003-sleeping-routers.md/
119 are allowed@README.md@s/^$/\\n\\n\\n/
END
if command -v gnuplot >/dev/null; then # plots.sh is not run without
    # Only the version that drew the plots can detect that a point is a little higher.
    ! grep -qi "produced by $(gnuplot --version)" "$copy/docs/results/sizes.svg" ||
        must_fail 'is not what gnuplot makes' docs/RESULTS.md 's/^\(cube:6  *500  *256  *8338  *\)4548/\14648/' \
            plots.sh "$program"
    must_fail 'other points' docs/RESULTS.md '/^cube:8  *0  *1024  *8198/d' plots.sh "$program"
    must_fail 'other points' docs/results/torus-load.csv '4,6d' plots.sh "$program"
fi
sed '4s/steady/limit/' docs/results/torus-load.csv >"$work/other.csv"
! awk -f docs/results/tools/fields.awk -f "$here/same_csv.awk" docs/results/torus-load.csv "$work/other.csv" >"$work/log" ||
    fail 'another state is the same sweep'

# The parts: one forbidden line at a time.
cp -rL "$copy/harness" "$copy/model" "$copy/rtl" "$work"
mkdir "$work/tests"
cp -rL "$copy/tests/unit" "$work/tests"
# must_not_know TEXT FILE LINE
must_not_know() {
    cp "$work/$2" "$work/whole"
    echo "$3" >>"$work/$2"
    if sh "$here/layers.sh" "$work" >"$work/log" 2>&1 || ! grep -qF -e "$1" "$work/log"; then
        echo "FAIL: layers.sh does not say '$1' when $2 has: $3" >&2
        bad=1
    fi
    cp "$work/whole" "$work/$2"
}
sh "$here/layers.sh" "$work" || bad=1
must_not_know 'only numbers' model/cost/ec_cost.c '#include "ecube/topology.h"'
must_not_know 'those below it only' harness/library/run/play.c '#include "session/run.h"'
must_not_know 'those below it only' harness/library/session/run.c '#include "program/options/job.h"'
must_not_know 'public headers' harness/claims/judge.c '#include "network/names.h"'
must_not_know 'no such folder' harness/library/base/text.c '#include "src/text.h"'
must_not_know 'only predictions, bounds and the study' harness/library/session/run.c '#include "ec_cost.h"'
must_not_know 'neither RTL nor time' harness/library/audit/audit.c '#include "ecube/net.h"'
must_not_know 'neither routing' harness/library/workload/pattern.c '#include "ecube/route.h"'
must_not_know 'not tiles' harness/library/run/play.c '#include "ecube/tile.h"'
must_not_know 'know messages' harness/library/backend/tiles.c '#include "ecube/workload.h"'
must_not_know 'print, exit' harness/library/base/error.c 'void f(void) { exit(1); }'
must_not_know 'its macro stop' tests/unit/unit.c '#include <cmocka.h>'
must_not_know 'foreign functions' rtl/ec_fifo.sv 'initial $display("x");'
exit "$bad"
