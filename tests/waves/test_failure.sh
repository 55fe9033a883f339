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
check "the dump reaches the failure" test "$(fst2vcd "$wave" 2>/dev/null | sed -n 's/^#//p' | tail -n 1)" -ge "$cycle"

# A cycle of more routers than fit into a dump: it is listed in full, and the dump has the first ones.
run run ring:100 shift:q=40,m=64 --router vcs=2,dateline=off --failure-dir ring --format json
equal "all of a ring of 100 deadlocks" "$status $(jq '.waiting | length' out)" "4 200"
equal "all of its routers are concerned" "$(jq -c '.failure.nodes | [length, (unique | length)]' out)" "[100,100]"
scopes "$(jq -r .failure.wave out)" | sed 's/^n//' | sort -n >have
equal "the dump has the first 64 of them" "$(jq '.failure.nodes[:64][]' out | sort -n | xargs)" "$(xargs <have)"
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
for part in router input output fifo arbiter route; do files+=${files:+,}bad/ec_$part.sv; done
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
