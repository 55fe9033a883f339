#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The views of waves/: each view of waves/README.md can be regenerated, and the layouts there name only signals of
# the dump. Waves do not depend on the backend.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"
views=$here/../../waves
export ECUBE="$ecube" ECUBE_WAVES="$PWD/dumps"

# signals DUMP: full names, one a line.
signals()
{
    fst2vcd "$1" 2>/dev/null |
        awk '$1 == "$scope" { path[++d] = $3 } $1 == "$upscope" { d-- }
             $1 == "$var" { name = ""; for (i = 1; i <= d; i++) name = name path[i] "."; print name $5 }' | sort -u
}

show()
{
    DISPLAY='' "$views/show" "$@" >show.log 2>&1
}

# shellcheck disable=SC2016 # backquotes of Markdown
mapfile -t told < <(grep -o '`waves/show [a-z-]*`' "$views/README.md" | sed 's/.* //; s/`//' | grep -v NAME | sort -u)
mapfile -t known < <("$views/show" 2>&1 | sed 's/.*show //; s/ .*//' | tr '|' '\n' | sort -u)
equal "the README has every view" "${told[*]}" "${known[*]}"
for name in "${told[@]}"; do
    check "$name: regenerated" show "$name" --dump
    check "$name: there is a dump" test -s "dumps/$name.fst"
    check "$name: its layout is kept" cmp "$views/$name.gtkw" "dumps/$name.gtkw"
    # Without it, GTKWave finds the labels only from the folder of the layout.
    equal "$name: the layout tells its name first" "$(head -n 1 "dumps/$name.gtkw")" "[savefile] \"$name.gtkw\""
    signals "dumps/$name.fst" >have
    sed -n 's/^+{[^}]*} \([^[]*\).*/\1/p' "dumps/$name.gtkw" | sort -u >want
    check "$name: the layout names signals" test -s want
    equal "$name: every signal of the layout is in the dump" "$(comm -13 have want | head -n 1)" ""
    while read -r labels; do
        check "$name: labels of the layout exist" test -s "dumps/$(basename "$labels")"
    done < <(sed -n 's/^\^[0-9]* \([^ ]*\.labels\)$/\1/p' "dumps/$name.gtkw" | sort -u)
done
show --dump one-flit && status=0 || status=$?
equal "--dump may stand before the name" "$status" 0
check "the paths shown have no detour" test -z "$(grep -F /../ show.log)"
show nonsense && status=0 || status=$?
equal "a view that does not exist" "$status" 2

# Generated layouts: if events are close together, all are listed, and the names at their lines are readable.
run run cube:3 hotspot:m=8 --wave busy.fst
equal "no names of marks overlap" "$(awk -f "$here/marks.awk" busy.gtkw)" ""
check "marks without a name are explained in the list" test "$(grep -c '^-[A-Z]: cycle' busy.gtkw)" -gt "$(grep -c '^.markername' busy.gtkw)"

# The same wave from both backends.
for backend in tiles flat; do
    run run cube:3 uniform:rate=0.3,m=3 --cycles 60 --warmup 0 --backend "$backend" --wave "$backend.fst" --wave-nodes 0,5
    # shellcheck disable=SC2016 # of the dump, not of the shell
    fst2vcd "$backend.fst" 2>/dev/null | sed '/^\$date/,/^\$end/d' >"$backend.vcd"
done
check "tiles and flat leave the same wave" cmp tiles.vcd flat.vcd
done_testing
