#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Routers that choose their paths (docs/ROUTER-CONTRACT.md, section 12.2): a west-first router passes, its defects do not.
. "$(dirname "$0")/../compare/lib.sh"
router=(-F "$source_root/tests/foreign/adaptive.f" --top hs_adapter --quiet)

# judged SENTENCE STATUS WORDS ARGUMENTS...: the run ends so, and stdout or stderr has the words
judged()
{
    run "${@:4}" "${router[@]}"
    equal "$1: status" "$status" "$2"
    cat err >>out
    contains "$1" out "$3"
}
minimal=(--router routing=minimal)
any=(--router routing=any)
random=uniform:rate=0.6,m=8..16

judged 'an adaptive router is sound' 0 'PASS' run mesh:4x4 uniform:rate=0.3,m=1..6 --cycles 1000 "${minimal[@]}"
judged 'what was not checked is named' 0 'the router chooses them' run mesh:4x4 transpose:m=16 "${minimal[@]}"
judged 'it delivers the same' 0 'SAME DELIVERIES' compare tiles rtl mesh:4x4 hotspot:m=8 "${minimal[@]}" --deliveries
judged 'it is not dimension-ordered' 1 'wrong turn' run mesh:4x4 transpose:m=8
judged 'packets overtake' 1 'ordered=yes: a packet' run mesh:4x4 "$random" --packet 2 --cycles 1000 \
    --router routing=minimal,ordered=yes
judged 'which is allowed without ordered=yes' 0 'not checked' run mesh:4x4 transpose:m=64 --packet 2 "${minimal[@]}"
judged 'no audit, no schedule' 2 '--algorithm direct' run mesh:4x1 shift:q=1,m=2 --algorithm line "${minimal[@]}"
run run mesh:4x4 transpose:m=8 "${minimal[@]}" --quiet
equal 'the own router does not choose' "$status" 2

judged 'all turns' 4 'buffers wait for each other' run mesh:4x4 "$random" --cycles 2000 "${minimal[@]}" --define ADAPTIVE_DEFECT=1
judged 'a lost word' 1 'is lost' run mesh:4x4 transpose:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=2
judged 'a word twice' 1 'duplicated' run mesh:4x4 transpose:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=3
judged 'mixed packets' 1 'packets are mixed' run mesh:4x4 hotspot:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=4
judged 'a packet that wanders' 1 'livelock' run mesh:4x4 hotspot:m=1 "${any[@]}" --define ADAPTIVE_DEFECT=5
judged 'a router that never delivers' 1 'livelock: the packet that node 1 sent' run mesh:4x4 hotspot:m=1 "${any[@]}" \
    --define ADAPTIVE_DEFECT=7
judged 'a livelock that fills the buffers' 1 'livelock' run mesh:4x4 uniform:rate=0.001,m=1 --cycles 2000 "${any[@]}" \
    --define ADAPTIVE_DEFECT=7
judged 'a sweep without a bound' 0 'a backlog grows            0.' sweep mesh:4x4 uniform:m=4 --saturation backlog \
    --precision 5% --cycles 4000 --jobs 1 "${minimal[@]}"
judged 'a detour' 1 'does not come nearer' run mesh:4x4 hotspot:m=1 "${minimal[@]}" --define ADAPTIVE_DETOUR=1
judged 'a detour that is allowed' 0 'PASS' run mesh:4x4 hotspot:m=1 "${any[@]}" --define ADAPTIVE_DETOUR=1

# The same as sets in a table: west first, then any port that comes nearer; and any from the beginning.
sets() # CONDITION: only west, while x < 0
{
    awk 'BEGIN { for (v = 0; v < 16; v++) for (d = 0; d < 16; d++) {
        x = d % 4 - v % 4; y = int(d / 4) - int(v / 4)
        across = x < 0 ? 1 : x > 0 ? 0 : ""; along = y < 0 ? 3 : y > 0 ? 2 : ""
        printf "%s%s", v == d ? 4 : x == 0 ? along : y == 0 || ('"$1"') ? across : across "|" along, d < 15 ? " " : "\n" } }'
}
sets 'x < 0' >west.txt
sets 0 >any.txt
west=(--router routing=table,table=west.txt)
judged 'sets of ports' 0 'the router chooses them' run mesh:4x4 uniform:rate=0.3,m=1..6 --cycles 1000 "${west[@]}"
judged 'in which packets overtake' 1 'ordered=yes: a packet' run mesh:4x4 "$random" --packet 2 --cycles 1000 \
    --router routing=table,table=west.txt,ordered=yes
sed '13s,0|3,0,g' west.txt >narrow.txt
judged 'a port that comes nearer, outside its set' 1 'by a port that the routing table does not give it' run mesh:4x4 transpose:m=8 \
    --router routing=table,table=narrow.txt
judged 'all turns of sets' 4 'buffers wait for each other' run mesh:4x4 "$random" --cycles 2000 \
    --router routing=table,table=any.txt --define ADAPTIVE_DEFECT=1
exits 'west first is free of deadlock' 0 audit mesh:4x4 transpose:m=16 "${west[@]}" --expect deadlock-free
exits 'all turns are not' 1 audit mesh:4x4 transpose:m=16 --router routing=table,table=any.txt
contains 'by a cycle of all choices' out 'not excluded: 8 channels waiting for each other in a cycle'
exits 'there is no picture of them' 2 draw mesh:4x4 transpose:m=4 "${west[@]}"
contains 'because paths are not prescribed' err 'one port in each entry'

# One router alone.
check=(tile check mesh:4x4 --only)
ordered=(--router routing=minimal,ordered=yes)
judged 'alone' 0 'keeps the contract' "${check[@]}" "${minimal[@]}"
judged 'in other modes and networks' 0 'lacks  ring:6 --router vcs=1,depth=4,switching=wormhole,ports=one' \
    tile check mesh:4x4 "${minimal[@]}"
judged 'alone: a lost word' 1 'is lost (' "${check[@]}" "${minimal[@]}" --define ADAPTIVE_DEFECT=2
judged 'alone: a word twice' 1 'duplicated' "${check[@]}" "${minimal[@]}" --define ADAPTIVE_DEFECT=3
judged 'alone: mixed packets' 1 'packets are mixed' "${check[@]}" "${any[@]}" --define ADAPTIVE_DEFECT=4
judged 'alone: a detour' 1 'does not come nearer' "${check[@]}" "${minimal[@]}" --define ADAPTIVE_DETOUR=1
judged 'alone: a detour that is allowed' 0 'not checked: hops' "${check[@]}" "${any[@]}" --define ADAPTIVE_DETOUR=1
for defect in 5 7; do # at one place, and everywhere
    judged 'alone: a livelock' 1 'and none by a local port' "${check[@]}" "${any[@]}" --define ADAPTIVE_DEFECT=$defect
done
judged 'alone: swapped packets' 1 'in spite of ordered=yes' "${check[@]}" "${ordered[@]}" --define ADAPTIVE_DEFECT=6
judged 'alone: which is allowed without ordered=yes' 0 'keeps' "${check[@]}" "${minimal[@]}" --define ADAPTIVE_DEFECT=6

# Turn models: what no neighbour sends is left out, and counted. The counts are those of a walk over all turns.
models=('' west-first negative-first north-last odd-even)
model() # NUMBER SENTENCE STATUS WORDS ARGUMENTS...
{
    judged "${models[$1]}: $2" "${@:3:2}" "${@:5}" "${minimal[@]}" --define ADAPTIVE_MODEL="$1"
}
for k in 1 2 3 4; do
    model $k 'alone' 0 'keeps the contract' tile check mesh:5x3 --only
    model $k 'a network' 0 PASS run mesh:4x4 transpose:m=16
    model $k 'at random' 0 PASS run mesh:4x4 uniform:rate=0.2,m=1..6 --cycles 2000
    model $k 'a lost word' 1 'is lost (' "${check[@]}" --define ADAPTIVE_DEFECT=2
    model $k 'mixed packets' 1 'packets are mixed' "${check[@]}" --define ADAPTIVE_DEFECT=4
    model $k 'a detour' 1 'does not come nearer' "${check[@]}" --define ADAPTIVE_DETOUR=1
    [ $k = 3 ] || model $k 'a wrong port' 1 'does not come nearer' "${check[@]}" --define ADAPTIVE_DEFECT=8
done
model 1 'a larger network' 0 'not checked: 482 of 1984 ways' tile check mesh:8x8 --only
model 4 'a larger network' 0 'not checked: 322 of 1984 ways' tile check mesh:8x8 --only

# The router of rtl/, which is minimal and keeps the order, in networks that the adaptive one does not serve.
damage sound ec_fifo.sv
damage leaky ec_credits.sv "+ Cw'(credit_i) -" "+ Cw'(credit_i && !used_i) -"
own() # FOLDER
{
    router=(--rtl "$(files "$1" ,)" --top ec_router --quiet)
}
own sound
for network in 'torus:4x4 vcs=2' 'cube:3 vcs=4,va=dynamic' 'ring:6 vcs=2,classes=2,va=dynamic,ordered=yes'; do
    read -r topology options <<<"$network"
    judged "$network, alone" 0 'keeps the contract' tile check "$topology" --only --router "routing=minimal,$options"
    judged "$network, in threads" 0 'PASS' run "$topology" uniform:rate=0.1,m=1..3 --cycles 300 --threads 2 \
        --router "routing=any,$options"
done
echo 'torus:4x4 transpose:m=4 --router routing=minimal,vcs=2' >rows.txt
judged 'a regression' 0 'UPDATED' regress rows.txt --update
judged 'a regression again' 0 'SAME' regress rows.txt

# Classes of the ports of a set: on rings of three, that of a link is 1 if it wraps (and not, if it is one of y). Without
# the configuration port, which has no room for sets.
classes() # CONDITION
{
    awk 'function hop(d, a, b) {
            if (a == b) return ""
            up = (b - a + 3) % 3 == 1
            return 2 * d + !up (a == (up ? 2 : 0) && ('"$1"') ? "/1" : "")
        }
        BEGIN { for (v = 0; v < 9; v++) for (d = 0; d < 9; d++) {
            x = hop(0, v % 3, d % 3); y = hop(1, int(v / 3), int(d / 3))
            printf "%s%s", v == d ? 4 : x == "" ? y : y == "" ? x : y "|" x, d < 8 ? " " : "\n" } }'
}
classes 1 >classes.txt
classes 'd == 0' >wrong.txt
damage plain ec_fifo.sv
sed -i 's/ifdef EC_TABLE/ifdef EC_NO_TABLE_HERE/' plain/*.sv
own plain
class=vcs=2,dateline=on,routing=table
judged 'classes of sets' 0 'PASS' run torus:3x3 uniform:rate=0.3,m=3 --cycles 500 --router "$class,table=classes.txt"
judged 'a wrong class' 1 'leaves on VC 1 instead of VC 0' run torus:3x3 uniform:rate=0.3,m=3 --cycles 500 \
    --router "$class,table=wrong.txt"
cp -r plain altered # a destination that is no node
sed -i "s/= leaving\[p\];/= leaving[p] | (p == 0 \&\& leaving[p][63:61] != 0 \&\& !leaving[p][62] ? W'(64'h0F00000000000000) : 0);/" altered/ec_router.sv
own altered
judged 'an altered destination' 1 'altered or invented' run torus:3x3 shift:q=1,m=3 --router "$class,table=classes.txt"
own leaky
judged 'alone: a lost credit' 1 'credits are free' tile check torus:4x4 --only --router routing=minimal,vcs=2
done_testing
