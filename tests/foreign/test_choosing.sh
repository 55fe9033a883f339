#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Routers that choose their paths (docs/ROUTER-CONTRACT.md, section 12.2): a west-first router passes, its defects do not.
. "$(dirname "$0")/../cli/lib.sh"
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
judged 'not alone' 2 'routing=dor or routing=table only' tile check mesh:4x4 --only "${minimal[@]}"
run run mesh:4x4 transpose:m=8 "${minimal[@]}" --quiet
equal 'the own router does not choose' "$status" 2

judged 'all turns' 4 'buffers wait for each other' run mesh:4x4 "$random" --cycles 2000 "${minimal[@]}" --define ADAPTIVE_DEFECT=1
judged 'a lost word' 1 'is lost' run mesh:4x4 transpose:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=2
judged 'a word twice' 1 'duplicated' run mesh:4x4 transpose:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=3
judged 'mixed packets' 1 'packets are mixed' run mesh:4x4 hotspot:m=8 "${minimal[@]}" --define ADAPTIVE_DEFECT=4
judged 'a packet that wanders' 1 'livelock' run mesh:4x4 hotspot:m=1 "${any[@]}" --define ADAPTIVE_DEFECT=5
judged 'a detour' 1 'does not come nearer' run mesh:4x4 hotspot:m=1 "${minimal[@]}" --define ADAPTIVE_DETOUR=1
judged 'a detour that is allowed' 0 'PASS' run mesh:4x4 hotspot:m=1 "${any[@]}" --define ADAPTIVE_DETOUR=1
done_testing
