#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The dump is right: the paths and times of all packets, rebuilt from the words on its links, equal those of the
# event log and of the packet log. Tracing changes no result.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# The words of a dump, sorted.
dump_words()
{
    fst2vcd "$1" 2>/dev/null | awk -f "$here/dump_words.awk" | sort
}

# The same from an event log in JSON lines.
log_words()
{
    jq -r 'select(.event == "inject" or .event == "hop" or .event == "eject") |
        "\(.cycle) \(.event) \(.node) \(.port) \(.vc) \(.src) \(.dst) \(.packet) \(.word)"' "$1" | sort
}

# Packets, from the words of a dump: "SRC DST WORDS INJECTED DELIVERED". Numbers count modulo 2^14, which
# these runs do not reach.
dump_packets()
{
    awk '$2 == "inject" && $9 == 0 { injected[$6 " " $8] = $1 }
         $2 == "eject" { key = $6 " " $8; dst[key] = $7; words[key]++
             if ($1 > last[key]) last[key] = $1 }
         END { for (key in dst) { split(key, k, " "); print k[1], dst[key], words[key], injected[key], last[key] } }' |
        sort
}

log_packets()
{
    jq -r '.packet_log[] | "\(.src) \(.dst) \(.words) \(.injected) \(.delivered)"' "$1" | sort
}

# later DUMP LOG: lines "... TIME", the second time of each pair is not smaller, and once larger.
later()
{
    paste -d ' ' "$1" "$2" | awk '{ if ($5 > $10) bad = 1; if ($5 < $10) more = 1 } END { exit bad || !more }'
}

# network, options: nodes are their own addresses here (all radices are powers of two), 64 at most.
while read -r topology workload options; do
    name="$topology $workload $options"
    # shellcheck disable=SC2086 # options are words
    "$ecube" run "$topology" "$workload" $options --wave w.fst --wave-nodes all --events e.jsonl \
        --packets --format json >traced.json 2>err </dev/null
    status=$?
    equal "$name passes" "$status" 0
    dump_words w.fst >dump
    log_words e.jsonl >log
    check "$name: something moved" test -s dump
    check "$name: every word of the dump is in the event log, at its cycle, and the other way round" \
        cmp -s dump log
    dump_packets <dump >dump_packets
    log_packets traced.json >log_packets
    case $options in
    *--eject-stall*) # a word is delivered when the node takes it from the port
        check "$name: no packet is delivered before its last word is at the port, some are later" \
            later dump_packets log_packets
        cut -d ' ' -f 1-4 dump_packets >dump
        cut -d ' ' -f 1-4 log_packets >log ;;
    *) mv dump_packets dump && mv log_packets log ;;
    esac
    check "$name: packets have the sources, destinations, lengths and times of the packet log" cmp -s dump log
    # shellcheck disable=SC2086
    "$ecube" run "$topology" "$workload" $options --format json >plain.json 2>err </dev/null
    equal "$name: tracing changes no result" \
        "$(jq -c '[.digest, .cycles, .contended_cycles, .starved_cycles]' traced.json)" \
        "$(jq -c '[.digest, .cycles, .contended_cycles, .starved_cycles]' plain.json)"
done <<'END'
cube:3 bitrev:m=6
cube:3 shift:q=5,m=9 --router switching=store-and-forward --packet 2 --startup 3
torus:4x4 bitrev:m=7 --router vcs=2
cube:3 randperm:m=20 --eject-stall 0.4
torus:4x4 tornado:m=6 --router vcs=2
cube:3 bitrev:m=6 --router link=3,depth=4
torus:4x4 uniform:rate=0.3,m=4 --router vcs=2 --cycles 300 --warmup 20
END

# A window and a selection of routers show the same words as the whole dump.
run run torus:4x4 bitrev:m=7 --router vcs=2 --wave w.fst --wave-nodes path:3-12 --wave-cycles 5:11 --events e.jsonl \
    --events-nodes path:3-12 --events-cycles 5:11
dump_words w.fst | awk '$1 >= 5 && $1 <= 11' >dump
log_words e.jsonl >log
check "a window shows something" test -s dump
check "a window agrees with the log of that window" cmp -s dump log
check "no word of the dump is outside the window and the one cycle after it" \
    test -z "$(dump_words w.fst | awk '$1 < 5 || $1 > 12')"

done_testing
