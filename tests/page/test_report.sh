#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pages for a browser: recorded by a run, or made from a stored result by running it again. Looks at the files; a
# browser is not needed here.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

# data PAGE FILTER: of the data in a page, by jq.
data()
{
    sed -n '/ id="data">/,/<\/script>/p' "$1" | sed '1d;$d' | jq -c "$2"
}

# --- A run ---------------------------------------------------------------------------------------
case=(run torus:4x4 uniform:rate=0.2,m=8 --cycles 300)
exits 'a run writes its page' 0 "${case[@]}" --report page.html
contains 'and says where it is' out 'report      page.html: 96 channels'
equal 'the page is one HTML document' "$(grep -c '^<!DOCTYPE html>' page.html)$(grep -ci '</html>' page.html)" 11
equal 'that loads nothing' "$(grep -oE "default-src 'none'" page.html)$(grep -cE '<(script|img|link|iframe)[^>]* (src|href)="[^"]*(//|\.)' page.html)" "default-src 'none'0"
contains 'and has the licence of d3' page.html 'Redistributions in binary form'
run "${case[@]}" --report page.html --format json
cp out with.json
run "${case[@]}" --format json
equal 'recording changes no result' "$(jq -c '[.digest, .cycles, .latency, .links, .simulated_cycles]' with.json)" \
    "$(jq -c '[.digest, .cycles, .latency, .links, .simulated_cycles]' out)"
equal 'JSON names the page' "$(jq -r .report with.json) $(jq -r .report out)" 'page.html null'
same='del(.seconds, .cpu_seconds, .router_cycles_per_second, .peak_rss_bytes)'
equal 'the page has the result as it is' "$(data page.html ".result | $same")" "$(jq -c "$same" with.json)"
equal 'its kind and its time' "$(data page.html '[.schema, .kind, .time.first, .channels.left_out, .notes]')" \
    '["ecube-page-1","run",1,null,[]]'
exits 'long lists of the result' 0 "${case[@]}" --interval 1 --cycles 5000 --packets --format json --report lists.html
equal 'are not in the page' "$(data lists.html '[.result.intervals, (.result | has("packet_log")), (.notes | length)]')" '[null,false,1]'
exits 'a large network has a small page' 0 run cube:12 shift:q=1365,m=4 --report large.html --quiet
equal 'of less than 10 MB' "$(($(stat -c %s large.html) < 10000000))" 1
equal 'with at most two million cells' "$(data large.html \
    '.time.bins * 4 * (.channels.count + .grid.width * .grid.height) <= 2000000')" true
contains 'which says what was left out' <(data large.html .notes) 'of 57344'
exits 'more than 4096 nodes have no list of names' 0 run mesh:65x64 shift:q=1 --report many.html --quiet
equal 'and none of neighbours' "$(data many.html '[.network.node_names, .network.neighbor]')" '[null,null]'
mkdir '<'
printf 'cycle,source,destination,words\n1,0,5,4\n' >'</script>&<!--.csv'
run run torus:4x4 'trace:file=</script>&<!--.csv' --report odd.html --quiet
equal 'names of files cannot end the data' "$status $(data odd.html .title)" '0 "torus:4x4 trace:file=</script>&<!--.csv"'

printf 'cycle,source,destination,words\n1,0,2,4\n8000000000,1,3,4\n' >gap.csv
exits 'a run may have gaps of billions of cycles' 0 run ring:4 trace:file=gap.csv --report gap.html
equal 'whose packets cannot be shown' "$(data gap.html '[.time.last, .packets.all, .packets.kept, (.notes | length)]')" \
    '[8000000006,2,1,1]'

# --- Deadlock ------------------------------------------------------------------------------------
exits 'a deadlock has a page' 4 run ring:8 shift:q=3,m=32 --router vcs=1,dateline=off --report dead.html \
    --no-failure-wave
equal 'with the inputs that wait for each other' "$(data dead.html '[.waiting[:2][] | [.node, .port, .vc, .wants]]')" \
    '[[0,1,0,0],[0,2,0,0]]'
exits 'and so has a knot, in which a head waits for several VCs' 4 run torus:4x4 uniform:rate=0.9,m=4 --cycles 3000 \
    --router va=dynamic,vcs=2,dateline=off --report knot.html --no-failure-wave
equal 'which is named' "$(data knot.html .knot) $(data dead.html .knot)" 'true null'
equal 'and the packets that never arrived' "$(data dead.html '[.packets.all, .packets.kept, .result.packets]')" '[8,8,0]'

# --- Lists ---------------------------------------------------------------------------------------
printf 'cube:3 shift:q=1 --report a.html\ncube:3 shift:q=2 --report b.html\n' >list.txt
exits 'lines of a list have pages' 0 run --from list.txt --quiet
equal 'of their own' "$(data a.html .title) $(data b.html .title)" '"cube:3 shift:q=1,m=1" "cube:3 shift:q=2,m=1"'
refused 2 'every run would write the same file' run --from list.txt --report all.html
printf 'cube:3 shift:q=1 --report a.html\ncube:3 shift:q=2 --report a.html\n' >list.txt
refused 2 'expected different files' run --from list.txt
refused 2 'page.html' run cube:3 shift:q=1 --report page.html --output page.html

# --- Files ---------------------------------------------------------------------------------------
(ulimit -f 100 && exec "$ecube" "${case[@]}" --report page.html --quiet </dev/null 2>&1 >/dev/null) | cat >err
contains 'a full disk is reported' err 'cannot write the report page.html: File too large'
contains 'and the page of before is kept' page.html '</html>'
equal 'without a temporary file' "$(ls -d page.html.* 2>/dev/null)" ''
refused 2 'cannot write the report /nowhere/page.html' "${case[@]}" --report /nowhere/page.html
env --default-signal=INT "$ecube" "${case[@]}" --cycles 100000000000 --report killed.html >out 2>err &
child=$!
until ls -d killed.html.* >/dev/null 2>&1 || ! kill -0 $child; do sleep 0.02; done
kill -s TERM $child
wait $child
kill -0 $child 2>/dev/null
equal 'an interrupted run leaves a whole page or none' \
    "$(ls -d killed.html.* 2>/dev/null)$(test ! -e killed.html || grep -c '</html>' killed.html | sed 's/^1$//')" ''

# --- Stored results ------------------------------------------------------------------------------
exits 'a stored result is run again' 0 report with.json
equal 'into a page beside it' "$(data with.html '[.kind, .replayed, .result.digest]')" \
    "[\"run\",true,$(jq .digest with.json)]"
equal 'with the same recording' "$(data with.html '[.time, .series, .strip, .packets]' | md5sum)" \
    "$(data page.html '[.time, .series, .strip, .packets]' | md5sum)"
jq '.digest = "0123456789abcdef" | .version = "0.0.7"' with.json >other.json
refused 1 "ecube 0.0.7 has the digest 0123456789abcdef, its replay by ecube" report other.json
contains 'the message has the digest of the replay' err "$(jq -r .digest with.json)"
check 'and there is no page' test ! -e other.html
exits 'a page from standard input needs a name' 2 report -
"$ecube" report - --output in.html <with.json >out 2>err
equal 'and gets it' "$? $(data in.html .kind)" '0 "run"'
cp with.json same.html
refused 2 'expected different files' report same.html --output same.html

run compare tiles flat torus:4x4 shift:q=5 --format json
cp out compare.json
exits 'side A of a comparison is run again' 0 report compare.json
equal 'its page shows the comparison' "$(data compare.html '[.kind, .result.b, .time.first]')" '["compare","flat",1]'
printf 'cube:3 shift:q=1\n' >baseline.txt
run regress baseline.txt --update --format json
cp out regress.json
exits 'a regression is shown as it is' 0 report regress.json --quiet
equal 'all of it' "$(data regress.html '[.kind, .result.runs, has("time")]')" '["regress",1,false]'
printf '{"schema": "ecube-sweep-1", "curves": [{"variant": "</script>"}]}' >sweep.json
exits 'so is a sweep' 0 report sweep.json
equal 'whatever its texts' "$(data sweep.html '[.kind, .result.curves[0].variant]')" '["sweep","</script>"]'

# --- Damaged and hostile files -------------------------------------------------------------------
# bad WORD JSON
bad()
{
    printf '%s' "$2" >bad.json
    refused 2 "$1" report bad.json
    check 'and there is no page' test ! -e bad.html
}
bad 'is not JSON: line 1' '{"schema": "ecube-run-2", "command": "ecube run'
bad 'expected one JSON object' '[1]'
bad 'more than one result' "$(jq -c . with.json)$(jq -c . with.json)"
bad "the schema ''" '{"schema": 7}'
bad "key 'curves': expected a list of objects" '{"schema": "ecube-sweep-1", "curves": [7]}'
bad "key 'rows': expected a list of objects" '{"schema": "ecube-regress-1"}'
bad "the schema 'ecube-audit-1': expected ecube-run-3" '{"schema": "ecube-audit-1"}'
bad "no key 'command'" '{"schema": "ecube-run-2", "digest": "1", "command": ["ecube"]}'
bad 'no digest' '{"schema": "ecube-run-2", "digest": null, "command": "ecube run cube:3 shift:q=1"}'
bad 'was interrupted' '{"schema": "ecube-run-2", "outcome": "interrupted", "digest": "1", "command": "ecube run x y"}'
# shellcheck disable=SC2016
bad 'unexpected argument' '{"schema": "ecube-run-2", "digest": "1", "command": "ecube run cube:3 shift:q=1 $(touch hacked);"}'
bad 'expected ecube run' '{"schema": "ecube-run-2", "digest": "1", "command": "touch hacked"}'
bad 'a quote is not closed' "{\"schema\": \"ecube-run-2\", \"digest\": \"1\", \"command\": \"ecube run 'x\"}"
bad 'expected one run' '{"schema": "ecube-run-2", "digest": "1", "command": "ecube run --from list.txt"}'
bad 'unknown side' '{"schema": "ecube-compare-1", "command": "ecube compare x y cube:3 shift:q=1"}'
bad '\u0000 is not allowed' '{"schema": "ecube-run-2", "digest": "1", "command": "ecube run \u0000"}'
bad 'is not JSON' ''
rm -f bad.json
refused 2 "cannot read 'bad.json'" report bad.json
jq '.command |= sub("--report page.html"; "--wave w.fst --events e.txt --output o.txt --report r.html")' with.json >hostile.json
exits 'a stored command writes only the page' 0 report hostile.json --quiet
equal 'and no other file' "$(ls -d w.fst e.txt o.txt r.html hacked 2>/dev/null)" ''
done_testing
