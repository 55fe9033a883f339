#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traces for Perfetto: slices have the words of the event log, flows are the paths of all packets, counters are the
# words between injection and ejection.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# The slices that the words of an event log make.
log_slices()
{
    jq -r 'select(.event == "inject" or .event == "hop" or .event == "eject") |
        "\(.node) \(if .event == "hop" then .port elif (.port == "local") then .event
            else "\(.event)-\(.port)" end).\(.vc) \(.src) \(.dst) \(.packet) \(.cycle) \(.head) \(.tail)"' "$1" |
        awk '{ key = $1 " " $2 " " $3 " " $4 " " $5 }
             !(key in words) { first[key] = $6; head[key] = tail[key] = "false" }
             { words[key]++; last[key] = $6 }
             $7 == "true" { head[key] = $7 } $8 == "true" { tail[key] = $8 }
             END { for (key in words) print "slice", first[key], last[key], key, words[key], head[key], tail[key] }' | sort
}

# same_slices NAME: e.jsonl and e.perfetto.json are of the same run.
same_slices()
{
    jq -r -f "$here/perfetto.jq" e.perfetto.json >rebuilt
    awk '$1 == "slice" { sub(/>[0-9]+/, "", $5); print }' rebuilt | sort >slices
    log_slices e.jsonl >expected
    check "$1: there are slices" test -s slices
    check "$1: every packet is a slice on its channels, from its first word to its tail" cmp slices expected
    awk '$1 == "flow"' rebuilt | sort -k 2,2n -k 4,4n >flows
}

# The paths of packets in dimension order, lowest first, the shorter way round: "SRC DST PACKET: NODES".
expected_paths() # RADIX...
{
    jq -r 'select(.event == "inject" and .head) | "\(.src) \(.dst) \(.packet)"' e.jsonl |
        awk -v radices="$*" '{
            dims = split(radices, radix, " ")
            path = $1 " " $2 " " $3 ": " $1
            at = $1
            stride = 1
            for (d = 1; d <= dims; stride *= radix[d++]) {
                from = int($1 / stride) % radix[d]
                by = (int($2 / stride) % radix[d] - from + radix[d]) % radix[d]
                way = 2 * by <= radix[d] ? 1 : -1
                for (k = way > 0 ? by : radix[d] - by; k > 0; k--) {
                    to = (from + way + radix[d]) % radix[d]
                    at += (to - from) * stride
                    from = to
                    path = path " " at
                }
            }
            print path
        }' | sort
}

# Words in buffers are those injected before, less those that are on links or were ejected.
balance()
{
    { jq -r 'select(.event == "inject" or .event == "hop" or .event == "eject") | "\(.event) \(.cycle)"' e.jsonl
        awk '$1 == "words" { print $1, $2, $3 "/" $4 " " $5, $6 }' rebuilt; } | awk '
        { last = $2 > last ? $2 : last }
        $1 == "inject" { in_network[$2 + 1]++ }
        $1 == "eject" { in_network[$2]-- }
        $1 == "hop" { on_links[$2]++ }
        $1 == "words" { buffered[$2] += $5 - was[$3 $4]; was[$3 $4] = $5; sum += $5 }
        END { for (c = 1; c <= last + 1; c++) {
            n += in_network[c]; b += buffered[c]
            if (n - on_links[c] != b) { print "cycle " c ": " n, on_links[c] + 0, b + 0; exit }
        } print (sum ? "counted" : "no words waited") }'
}

# radices; network, workload, options: those of the test of dumps.
while IFS='|' read -r radices words; do
    # shellcheck disable=SC2086 # they are words
    for file in e.jsonl e.perfetto.json; do
        "$ecube" run $words --events $file --quiet >out 2>err </dev/null
    done
    same_slices "$words"
    awk -f "$here/paths.awk" flows | sort >paths
    # shellcheck disable=SC2086
    expected_paths $radices >expected
    check "$words: the flows are the paths of all packets" cmp paths expected
    equal "$words: the counters are the words in buffers" "$(balance)" counted
done <<'END'
2 2 2|cube:3 hotspot:m=6
2 2 2|cube:3 shift:q=5,m=9 --router switching=store-and-forward --packet 2 --startup 3
2 2 2 2|cube:4 bitrev:m=7
4 4|torus:4x4 uniform:rate=0.3,m=4 --router vcs=2 --cycles 150 --warmup 20
END

# Selections: of the words, and no flow that begins or goes on in the middle.
for selection in '--events-nodes path:3-12 --events-cycles 5:11' '--events-packets 3-12,5-10' '--events-cycles 9:14'; do
    for file in e.jsonl e.perfetto.json; do
        # shellcheck disable=SC2086
        "$ecube" run cube:4 bitrev:m=7 --events $file $selection --quiet >out 2>err </dev/null
    done
    same_slices "$selection"
    equal "$selection: arrows lead from hop to hop" \
        "$(awk -v open=1 -f "$here/paths.awk" flows | grep -c WRONG) $(test -s flows && echo some)" '0 some'
done

# The name chooses the format, which is the same without it; the file is complete or absent.
run run cube:4 bitrev:m=7 --events-cycles 9:14 --events-format perfetto --events e.txt
check "--events-format perfetto writes the same file" cmp e.txt e.perfetto.json
equal "its lines are counted" "$(sed -n 's/.*e.txt: \([0-9]*\) lines/\1/p' out)" "$(($(wc -l <e.txt) - 2))"
refused 2 'No space left' run cube:3 shift:q=1 --quiet --events /dev/full --events-format perfetto --output r.txt
(ulimit -f 8 && trap '' XFSZ && "$ecube" run cube:4 bitrev:m=64 --events cut.perfetto.json >out 2>err)
equal "a file that does not fit: exit status 2, and nothing is left" "$? $(compgen -G 'cut*')" '2 '
done_testing
