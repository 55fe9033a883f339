#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A failed run leaves a wave of the right routers at the right cycles, and the RTL's own checks are reported.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

scopes()
{
    fst2vcd "$1" 2>/dev/null |
        awk '$1 == "$scope" && ++depth == 1 { print $3 } $1 == "$upscope" { depth-- }'
}

# times DUMP: the cycles in which anything changes.
times()
{
    fst2vcd "$1" 2>/dev/null | sed -n 's/^#//p'
}

# screen DUMP: the first screen of its layout.
screen()
{
    fst2vcd "$1" 2>/dev/null | awk -f "$here/screen.awk" "${1%.fst}.gtkw" -
}

# values CYCLE: "ROW | VALUE" of every row of the file `screen`.
values()
{
    awk -v cycle="$1" '{ bar = index($0, " | ") } bar {
        rest = substr($0, bar + 3)
        value = ""
        while (match(rest, /(^|, )[0-9]+: /)) {
            at = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            gsub(/[^0-9]/, "", at)
            if (at + 0 > cycle) break
            value = match(rest, /, [0-9]+: /) ? substr(rest, 1, RSTART - 1) : rest
        }
        row = substr($0, 1, bar - 1)
        gsub(/^ +/, "", row)
        gsub(/"/, "", value)
        print row " | " value
    }' screen
}

# value ROW CYCLE
value()
{
    values "$2" | awk -v row="$1 | " 'index($0, row) == 1 { print substr($0, length(row) + 1) }'
}

# A deadlock: the routers that wait for each other are in the dump.
run run torus:4x4 perm:file="$here/half-turn.csv",m=64 --router vcs=2,dateline=off --format json
equal "without datelines the ring of a torus deadlocks" "$status" 4
wave=$(jq -r .failure.wave out)
check "the wave is there" test -s "$wave"
check "the layout is there" test -s "${wave%.fst}.gtkw"
check "the layout marks the place" grep -q '^\[markername\] ..: FAILURE' "${wave%.fst}.gtkw"
equal "no names of marks overlap" "$(awk -f "$here/marks.awk" "${wave%.fst}.gtkw")" ""
scopes "$wave" >have
jq -r '.waiting[]' out | sed -n 's/^router \([0-9]*\) .*/n\1_/p' | sort -u >circle
check "there are waiting buffers" test -s circle
missing=0
while read -r node; do grep -q "^$node" have || missing=$((missing + 1)); done <circle
equal "every router of the cycle is in the dump" "$missing" 0
cycle=$(jq .failure.cycle out)
check "the dump reaches the failure" test "$(times "$wave" | tail -n 1)" -ge "$cycle"

check "and nothing but them" test "$(wc -l <have)" -eq "$(wc -l <circle)"
check "it is small" test "$(stat -c %s "$wave")" -lt 40000

# Its layout tells the story: it opens at the failure, and shows the buffers of the circle one below the other.
screen "$wave" >screen
equal "the cursor is at the failure" "$(awk '$1 == "cursor" { print $2 }' screen)" "$cycle"
# shellcheck disable=SC2016 # of awk
check "which is on the first screen" awk -v c="$cycle" '$1 == "screen" { exit !($2 < c && c < $3) }' screen
equal "the signals of every row are in the dump" "$(grep MISSING screen)" ""
sed -n 's/^[0-9]*: \(.*\) has | .*/\1/p' screen >rows
jq -r '.waiting[]' out | sed 's/^router \(.*\), input \(.* VC [0-9]\): .*/\1 \2/' >waits
equal "the rows are the buffers that wait, in this order" "$(xargs -a rows -d '\n')" "$(xargs -a waits -d '\n')"
jq -r '.waiting[]' out | sed 's/.*: packet \(head \)\?\([^ ]* [^ ]*\) wants .*/\2/' >packets
at=0
while read -r row; do
    at=$((at + 1))
    value "$at: $row has" "$cycle" | cut -d ' ' -f 1-2
done <rows >fronts
equal "each has the name of its front packet" "$(xargs -a fronts -d '\n')" "$(xargs -a packets -d '\n')"
equal "the verdict stands there from that cycle on" "$(value FAILURE $((cycle - 1)))$(value FAILURE "$cycle")" \
    '-DEADLOCK: 8 buffers wait for each other'
equal "all of them on the first screen, which has 37 rows" \
    "$(sed -n '/^FAILURE/,$p' screen | head -n 37 | grep -c '^places taken')" 8
# shellcheck disable=SC2016 # of awk
check "and there is room for their texts behind the names" awk '$1 == "room" { exit !($2 >= 32) }' screen
contains "each row says what it waits for" screen '"waits for 1 (1,0) -x VC 0: no place"'
check "the window begins before the first of them stopped" \
    test "$(times "$wave" | head -n 1)" -lt "$(awk '$1 == "mark" { print $2 }' screen | sort -n | head -n 1)"
check "Surfer opens at the failure, too" grep -qx "cursor_set $cycle" "${wave%.fst}.sucl"
check "and shows the names as text" grep -qx "item_set_format ASCII" "${wave%.fst}.sucl"

# The deadlock of the README: its table has the values of the first screen, row by row.
run run torus:4x4 perm:file="$here/../../waves/deadlock.csv",m=12 --router vcs=1,dateline=off --format json
screen "$(jq -r .failure.wave out)" >screen
values "$(jq .failure.cycle out)" >have
# shellcheck disable=SC2016 # backquotes of Markdown
sed -n '/^| row | value at cycle/,/^$/p' "$here/../../waves/README.md" |
    sed -n 's/^| \(.*\) | `\?\([^`]*[^` ]\)`\?\( (`-` before)\)\? |$/\1 | \2/p' | grep -v '…\|^row\|^--' >told
check "the README has a table of it" test "$(wc -l <told)" -ge 8
equal "with the cycle of the cursor" "$(grep -o 'value at cycle [0-9]*' "$here/../../waves/README.md")" \
    "value at cycle $(jq .failure.cycle out)"
equal "whose rows stand on the screen, in this order" \
    "$(awk 'NR == FNR { told[++n] = $0; next } $0 == told[at + 1] { at++ } END { print told[at + 1] }' told have)" ""

# Another router, here the same one passed as a user's router, leaves a wave of its own.
ring=(run ring:4 shift:q=2,m=64 --router "vcs=2,dateline=off" --failure-dir two --format json)
files=
for file in "$source_root"/rtl/*.sv; do
    [[ $file == *ec_tile* || $file == *ec_network* ]] || files+=${files:+,}$file
done
run "${ring[@]}"
own=$(jq -r '"\(.failure.wave) \(.digest)"' out)
run "${ring[@]}" --rtl "$files" --top ec_router
user=$(jq -r '"\(.failure.wave) \(.digest)"' out)
equal "both deadlock with the same deliveries" "${own#* }" "${user#* }"
check "two routers leave two waves" test "${own% *}" != "${user% *}" -a -s "${own% *}" -a -s "${user% *}"
run "${ring[@]}"
equal "one router leaves one" "$(jq -r .failure.wave out)" "${own% *}"

# A cycle of more routers than fit into a dump: it is listed in full, and the dump has the first ones.
run run ring:100 shift:q=40,m=64 --router vcs=2,dateline=off --failure-dir ring --format json
equal "all of a ring of 100 deadlocks" "$status $(jq '.waiting | length' out)" "4 200"
equal "all of its routers are concerned" "$(jq -c '.failure.nodes | [length, (unique | length)]' out)" "[100,100]"
scopes "$(jq -r .failure.wave out)" | sed 's/^n//' | sort -n >have
equal "the dump has the first 64 of them" "$(jq '.failure.nodes[:64][]' out | sort -n | xargs)" "$(xargs <have)"
screen "$(jq -r .failure.wave out)" >screen
equal "the first screen shows how the first of them wait, and folds the others" \
    "$(grep -c ' has | ' screen) $(jq -r '.waiting[15]' out | sed 's/^router \(.*\), input \(.* VC [0-9]\): .*/16: \1 \2/')" \
    "16 $(sed -n 's/^\(16: .*\) has | .*/\1/p' screen)"
equal "and the note says so" "$(jq -r .failure.note out)" "the wave has the first 64 of the 100 routers concerned"
run run ring:100 shift:q=40,m=64 --router vcs=2,dateline=off --failure-dir ring
contains "the text counts what is in the dump" out ".fst: 64 routers, cycles"
contains "and shows the beginning of the cycle" out "    and 176 more, back to the first (--verbose shows all)"
run run ring:100 shift:q=40,m=64 --router vcs=2,dateline=off --failure-dir ring --verbose
equal "--verbose shows it in full" "$(grep -c '^    router .* wants output' out)" 200

# The folder is created with the usual permissions.
run run torus:4x4 perm:file="$here/half-turn.csv",m=64 --router vcs=2,dateline=off --failure-dir new/folder --format json
check "the wave is in a folder made for it" test -s "$(jq -r '.failure.wave | select(startswith("new/folder/"))' out)"
equal "which has the usual mode" "$(stat -c %A new/folder)" "$(mkdir usual && stat -c %A usual)"

# A path that is too long is refused.
part=$(printf '%0120d' 0)
run run torus:4x4 perm:file="$here/half-turn.csv",m=64 --router vcs=2,dateline=off \
    --failure-dir "$part/$part/$part/$part" --format json
equal "a path too long has no wave, and a reason" "$(jq -r '.failure.note[:23]' out) $(ls -d "$part" 2>/dev/null)" \
    'no wave: path too long: '

# --no-failure-wave
mkdir none && cd none || exit 1
run run torus:4x4 perm:file="$here/half-turn.csv",m=64 --router vcs=2,dateline=off --no-failure-wave
cd .. || exit 1
equal "--no-failure-wave leaves nothing" "$(ls none)" ""

# A bug in the RTL: word 5 of a packet is shown twice, once in router 1 first.
cp -r "$source_root/rtl" bad
sed -i "s/rd_q <= rd_q + (Pw + 1)'({pop_i});/rd_q <= rd_q + (Pw + 1)'({pop_i \&\& front_o[12:0] != 13'd5});/" \
    bad/ec_fifo.sv
check "the bug is planted" test -n "$(diff bad/ec_fifo.sv "$source_root/rtl/ec_fifo.sv")"
files=
for file in bad/*.sv; do
    [[ $file == *ec_tile* || $file == *ec_network* ]] || files+=${files:+,}$file
done
cat >one.csv <<'END'
1,1,4,12
END
mkdir left
run run cube:3 trace:file=one.csv --rtl "$files" --top ec_router --failure-dir left --format json
equal "the bug fails the run" "$status" 1
equal "the culprit comes first" "$(jq .failure.nodes[0] out)" 1
wave=$(jq -r .failure.wave out)
check "the wave is in the folder asked for" test "${wave#left/}" != "$wave" -a -s "$wave"
cycle=$(jq .failure.cycle out)
fst2vcd "$wave" 2>/dev/null | awk -f "$here/dump_words.awk" >words
equal "the dump shows the doubled word in the cycle that is named" \
    "$(awk -v c="$cycle" '$2 == "hop" && $3 == 1 && $9 == 5 && ($1 == c || $1 == c - 1)' words | wc -l)" 2
screen "$wave" >screen
equal "the layout opens there" "$(awk '$1 == "cursor" { print $2 }' screen)" "$cycle"
check "the dump reaches from the cause to the last move" \
    test "$(times "$wave" | head -n 1)" -lt "$cycle" -a "$(times "$wave" | tail -n 1)" -gt "$cycle"
check "it says what failed from that cycle on" grep -q "^FAILURE | .*, $cycle: \"router 1 (001), " screen
contains "and what is in the buffer" screen '"1->4 #0.5"'
check "a check inside the RTL fired, with router, port and meaning" \
    grep -q 'router 1 (001), input local VC 0: push into a full FIFO' out
check "and did not end the process" test "$(jq -r .outcome out)" = broken

# No room for dumps (files are limited to a kilobyte; output goes through a pipe): the report still has the failure,
# and the reason why there is no wave.
without_room()
{
    (ulimit -f 1 && exec "$ecube" "$@" 2>/dev/null </dev/null) | cat >out
    status=${PIPESTATUS[0]}
}
mkdir full
without_room run torus:4x4 perm:file="$here/half-turn.csv",m=64 --router vcs=2,dateline=off --failure-dir full \
    --format json
equal "a deadlock whose dump cannot be written is a deadlock" "$status" 4
equal "and its wave is missing for that reason" "$(jq -r '.failure | "\(.wave) \(.note)"' out | sed 's/[0-9a-f]\{16\}/HASH/')" \
    "null no wave: cannot write the wave full/ecube-failure-HASH.fst: File too large; raise the limit of file sizes (ulimit -f)"
without_room compare tiles rtl cube:3 trace:file=one.csv --rtl "$files" --top ec_router --failure-dir full --format json
equal "a difference whose dumps cannot be written is a difference" "$status $(jq .divergence.node out)" "1 1"
equal "and both waves are missing for that reason" \
    "$(jq -r '.waves[] | "\(.file) \(.note[:72])"' out | sed 's/[0-9a-f]\{16\}-[ab]/HASH/' | uniq -c)" \
    "      2 null no wave: cannot write the wave full/ecube-compare-HASH.fst"
equal "nothing half-written is left" "$(ls full)" ""

# Only the wave of B cannot be written, because its path is taken: that of A is complete.
different=(compare tiles rtl cube:3 trace:file=one.csv --rtl "$files" --top ec_router --failure-dir one --format json)
mkdir one
run "${different[@]}"
wave=$(jq -r '.waves[1].file' out)
rm one/*
mkdir "$wave"
run "${different[@]}"
equal "if the wave of B cannot be written the difference is still reported" "$status $(jq .divergence.node out)" '1 1'
equal "B has no wave for that reason" "$(jq -r '.waves[1] | "\(.file) \(.note)"' out)" \
    "null no wave: cannot write the wave $wave: it is a folder"
check "A has one" test -s "$(jq -r '.waves[0].file' out)"

done_testing
