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
own leaky
judged 'alone: a lost credit' 1 'credits are free' tile check torus:4x4 --only --router routing=minimal,vcs=2
done_testing
