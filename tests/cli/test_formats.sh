#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# JSON and CSV: valid, the promised keys in the promised order, the same in the manual page.
. "$(dirname "$0")/lib.sh"

run_keys='topology nodes workload algorithm sync router backend seed verdict checks cycles
predicted_cycles steps words packets flit_hops max_hops contended_cycles starved_cycles
max_link_load latency accepted digest shape_key command seconds router_cycles_per_second
peak_rss_bytes wave version schema'
audit_keys='topology nodes workload algorithm router congestion_free max_link_load max_hops
channels channels_used steps peak_memory witness deadlock_free waiting_cycle version schema'

# flat WORDS: on one line.
flat()
{
    # shellcheck disable=SC2086 # blanks are joined
    echo $1
}

# keys_until_schema: the keys of the object on stdin, in order, up to the schema.
keys_until_schema()
{
    jq -r 'keys_unsorted[]' | sed '/^schema$/q' | tr '\n' ' ' | sed 's/ $//'
}

# --- JSON ---
exits 'a run writes JSON' 0 run cube:3 shift:q=5,m=64 --format json --packets
cp out run.json
equal 'the keys of run are those of the schema' "$(keys_until_schema <run.json)" "$(flat "$run_keys")"
equal 'the schema has its name' "$(jq -r .schema run.json)" ecube-run-3
equal 'latency has its keys' "$(jq -c '.latency | keys_unsorted' run.json)" \
    '["mean","p50","p95","p99","max"]'
equal 'checks have their keys' "$(jq -c '.checks[0] | keys_unsorted' run.json)" \
    '["name","verdict","detail"]'
equal 'a digest is 16 hexadecimal digits' "$(jq '.digest | test("^[0-9a-f]{16}$")' run.json)" true
equal 'a permutation has a prediction' "$(jq '.cycles == .predicted_cycles' run.json)" true
equal 'the command line is quoted' "$(jq -r .command run.json)" \
    'ecube run cube:3 shift:q=5,m=64 --format json --packets'
equal 'every directed link has a row' "$(jq '.links | length' run.json)" 24
equal 'flit-hops are the sum over links' "$(jq '[.links[].flits] | add == '"$(jq .flit_hops run.json)" run.json)" true
equal 'loads are messages: flits / 64' "$(jq 'all(.links[]; .flits == 64 * .load)' run.json)" true
equal 'every word is ejected somewhere' \
    "$(jq '([.locals[] | select(.name == "eject").flits] | add) == .words' run.json)" true
equal 'every packet is in the log' "$(jq '(.packet_log | length) == .packets' run.json)" true
equal 'the log agrees with the latency' \
    "$(jq '([.packet_log[] | .delivered - .created + 1] | max) == .latency.max' run.json)" true

# --- A run in which nothing crosses a link takes no cycles, and that is predicted.
printf '%d,%d\n' 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 >same.csv
printf 'cycle,source,destination,words\n1,0,0,5\n7,3,3,2\n' >self.csv
for words in 'gsh:cycle=1-0,K=4' 'gsh:cycle=1-0,K=4 --algorithm cycles' perm:file=same.csv trace:file=self.csv; do
    # shellcheck disable=SC2086
    exits "a run of $words" 0 run cube:3 $words --startup 3 --format json
    equal 'takes 0 cycles, as predicted' \
        "$(jq -c '[.cycles, .predicted_cycles, (.checks[] | select(.name == "time").verdict)]' out)" '[0,0,"pass"]'
    # shellcheck disable=SC2086
    run run cube:3 $words --quiet
    contains 'in words, too' out '0 cycles = predicted'
    # shellcheck disable=SC2086
    run audit cube:3 $words --format json
    equal 'and so says the audit' "$(jq .predicted_cycles out)" 0
done
exits 'a row of CSV of it' 0 run cube:3 perm:file=same.csv --format csv
contains 'has both numbers' out ',0,0,,0,0,0,0,'
exits 'no log is written unless asked for' 0 run cube:3 shift:q=1 --format json
equal 'then the key is missing' "$(jq 'has("packet_log")' out)" false

exits 'an open-loop run writes JSON' 0 run cube:6 uniform:rate=0.1,m=8 --cycles 500 --format json
equal 'loads are null there' "$(jq -c '[.max_link_load, .links[0].load, .predicted_cycles]' out)" \
    '[null,null,null]'
equal 'accepted is about what was offered' \
    "$(jq '.accepted > 0.05 and .accepted >= 0.95 * .offered' out)" true

equal 'a steady state is reported' "$(jq -c '[.steady, .window_missing]' out)" '["yes",0]'
equal 'and the messages of the window' "$(jq '.window_messages * 8 == .offered * 64 * 500' out)" true
equal 'those before and behind it are sent, too' "$(jq '.messages > .window_messages + 700' out)" true
equal 'closed runs have none' "$(jq -c '[.steady, .window_messages, .window_missing]' run.json)" '[null,null,null]'
steady='[.verdict, .steady, .window_missing, .latency.mean == null, .network_latency.max == null,
    (.checks[] | select(.name == "stability").verdict)]'
exits 'an unstable run writes JSON' 3 run cube:3 uniform:rate=0.95,m=8 --format json
equal 'and no latency' "$(jq -c "$steady" out)" '["unstable","no",null,true,true,"fail"]'
exits 'a window too short writes JSON' 3 run cube:3 uniform:rate=0.8,m=8 --cycles 300 --format json
equal 'and that it is' "$(jq -c "$steady" out)" '["too short","too short",0,false,false,"open"]'
exits 'one that gives up waiting, too' 3 \
    run mesh:8x8 transpose:rate=0.9 --cycles 8 --warmup 30000 --format json --no-failure-wave
equal 'and what is missing' "$(jq -c "$steady" out | sed 's/,[1-9][0-9]*,/,N,/')" \
    '["too short","too short",N,true,true,"open"]'
printf '%s\n' 'cube:3 uniform:rate=0.95,m=8' 'cube:3 uniform:rate=0.8,m=8 --cycles 300' \
    'cube:3 uniform:rate=0.4,m=8' 'cube:3 bitrev' >steady.txt
exits 'CSV has the outcomes' 3 run --from steady.txt --format csv
equal 'in a column' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "steady") at = NF - i }
    NR > 1 { print $(NF - at) }' out | tr '\n' ';')" 'no;too short;yes;;'

exits 'an audit writes JSON' 0 audit cube:6 bitrev --format json
cp out audit.json
equal 'the keys of audit are those of the schema' "$(keys_until_schema <audit.json)" \
    "$(flat "$audit_keys")"
equal 'with the reason for its loads' "$(jq -c '[.bit_loads, .bit_reason, .bit_order]' audit.json)" \
    '[[1,2,4,4,2,1],"0, 1 pass dimension 3, to 5, 4: 4 messages on each link used there",[2,3,1,4,0,5]]'
equal 'of the link that is shown' "$(jq -r .witness.channel audit.json)" '0 (000000) dim3 -> 8 (001000)'
exits 'an audit of several elements per node' 0 audit cube:4 gsh:cycle=5-2,K=4 --format json
equal 'does not explain its loads' "$(jq -c '[.max_link_load, .bit_loads, .bit_reason]' out)" '[4,null,null]'
exits 'as text' 0 audit cube:4 gsh:cycle=5-2+4-3,K=4
equal 'it counts messages that are alike' "$(sed -n '/busiest/,/deadlock/p' out | sed '$d' | xargs)" \
    'busiest 0 (0000) dim2 -> 4 (0100): 8 messages; 4 of them: 2 to 4: 2 (0010) -> 0 (0000) ==> 4 (0100)'
exits 'text of one element per node' 0 audit cube:6 bitrev
equal 'names an algorithm' "$(grep -o 'ecube-steps:order=[^ ]* shares no link' out)" 'ecube-steps:order=2-3-1-4-0-5 shares no link'
exits 'in which no messages share a link' 0 audit cube:6 bitrev --algorithm ecube-steps:order=2-3-1-4-0-5 --expect congestion-free
equal 'bit reversal congests' "$(jq -c '[.congestion_free, .max_link_load, (.witness.packets | length)]' audit.json)" \
    '[false,4,2]'
equal 'both witness paths go from source to destination' \
    "$(jq -c 'all(.witness.packets[]; .path[0] == .src and .path[-1] == .dst)' audit.json)" true
exits 'an audit of a routing that can deadlock fails' 1 \
    audit torus:4x4 neighbor --router vcs=1 --format json
equal 'and shows a cycle' "$(jq '.deadlock_free == false and (.waiting_cycle | length) > 1' out)" true
exits 'an audit of random traffic writes JSON' 0 audit cube:3 uniform:rate=0.1 --format json
equal 'it has no loads' "$(jq -c '[.congestion_free, .max_link_load]' out)" '[null,null]'
exits 'list writes JSON' 0 list --format json
equal 'with all six lists' "$(jq -c 'keys_unsorted' out)" \
    '["topologies","workloads","routers","algorithms","claims","backends"]'
equal 'every claim has its statement and its source' \
    "$(jq '.claims | length > 250 and all(.[]; .name and .description and .source)' out)" true
exits 'tile list writes JSON' 0 tile list --format json
equal 'which is a list of shapes' "$(jq 'all(.[]; has("key") and has("valid"))' out)" true

# --- Schedules ---
exits 'a run of a schedule writes JSON' 0 run ring:8 shift:q=3,m=5 --algorithm ring --startup 2 \
    --local-cost 1 --format json
equal 'with its algorithm, discipline and steps' \
    "$(jq -c '[.algorithm, .sync, .steps, .peak_memory, .local_cost, .valid, .defect]' out)" \
    '["ring","step",3,1,1,true,null]'
equal 'a step takes start-up + words + 2 cycles' "$(jq -c '[.cycles, .predicted_cycles]' out)" '[27,27]'
equal 'and nothing is contended' "$(jq -c '[.contended_cycles, .max_link_load]' out)" '[0,3]'
exits 'a schedule goes by its data, too' 0 run ring:8 shift:q=3,m=5 --algorithm ring --sync data \
    --format json
equal 'and the row has the discipline' "$(jq -c '[.sync, .cycles == .predicted_cycles]' out)" '["data",true]'
exits 'direct traffic has no schedule' 0 run ring:8 shift:q=3,m=5 --format json
equal 'and says so' \
    "$(jq -c '[.algorithm, .sync, .steps, .peak_memory, .local_cost, .local_moves, .element_hops, .valid, .defect]' out)" \
    '["direct",null,null,null,null,null,null,null,null]'
exits 'an audit of a schedule writes JSON' 0 audit ring:8 shift:q=3,m=5 --algorithm ring --sync data \
    --format json
equal 'with all that it proves' \
    "$(jq -c '[.congestion_free, .sound, .placed, .one_port, .adjacent, .max_step_load, .element_hops]' out)" \
    '[true,true,true,true,true,1,24]'
exits 'a schedule for all ports chooses them' 0 run mesh:5 shift:q=2 --algorithm line --format json
equal 'ports=all' "$(jq '.router | test("ports=all")' out)" true
exits 'an audit of a wrong schedule fails' 1 audit torus:4x4 shift:q=6 \
    --algorithm gohil-mesh:reading=side --format json
equal 'and names the defect' "$(jq -c '[.placed, .valid, (.defect | length > 0)]' out)" '[false,false,true]'
exits 'a run of it fails' 1 run torus:4x4 shift:q=6 --algorithm gohil-mesh:reading=side --format json
equal 'in the check of delivery' \
    "$(jq -r '[.checks[] | select(.verdict == "fail").name] | join(" ")' out)" delivery
equal 'which no wave of a router would explain' "$(jq -c .failure out) $(ls ecube-failure* 2>/dev/null)" 'null '

# Bytes that are no UTF-8 must not make invalid JSON.
cp /dev/null $'map\xff.csv'
printf '0,1\n' >$'map\xff.csv'
exits 'a file name that is no UTF-8 is accepted' 0 audit cube:3 $'perm:file=map\xff.csv' --format json
equal 'and the JSON is valid' "$(jq -r .schema out)" ecube-audit-1

# --- CSV ---
# columns FILE: the number of cells of each line, quotes respected.
columns()
{
    jq -rR '[scan("(?:^|,)(?:\"(?:[^\"]|\"\")*\"|[^,]*)")] | length' "$1" | sort -u | tr '\n' ' '
}
exits 'a run writes CSV' 0 run cube:3 shift:q=5,m=64 --format csv
equal 'a header and a row' "$(wc -l <out)" 2
equal 'of equally many columns' "$(columns out | wc -w)" 1
expected=$(flat "$run_keys" | sed 's/latency/latency_mean latency_p50 latency_p95 latency_p99 latency_max/; s/ /,/g')
equal 'the header begins with the keys of the schema' "$(head -n 1 out | cut -c "1-${#expected}")" "$expected"
contains 'checks are name:verdict' out 'delivery:pass;drain:pass'
exits 'an audit with a witness writes CSV' 0 audit cube:6 bitrev --format csv
equal 'of equally many columns, too' "$(wc -l <out) $(columns out | wc -w)" '2 1'

# --- Memory for lists ---
# short ARGUMENTS...: a run with little memory.
short()
{
    (ulimit -v 90000 && exec "$ecube" run "$@" >"$work/out" 2>"$work/err" </dev/null)
    status=$?
}
if (ulimit -v 90000 && exec "$ecube" --version) >/dev/null 2>&1; then
    short cube:14 shift:q=1 --format json
    equal 'lists that do not fit the memory are refused' "$status $(wc -c <out) $(wc -l <err)" '2 0 1'
    contains 'with a remedy' err 'use --format csv'
    short cube:12 shift:q=1,m=8 --format csv
    equal 'a row of CSV needs no memory for lists' "$status $(wc -l <out)" '0 2'
else
    pass 'little memory # SKIP sanitizers need more'
fi

# --- Every parameter has a key of its own ---
run run torus:4x4 hotspot:node=3,rate=0.1,share=0.5,m=2..4 --router vcs=4,order=high --format json
equal 'the keys router_* say what router says' "$(jq -r '. as $r | .router | split(",") | map(split("=")) |
    map(select(.[1] != ($r["router_" + .[0]] | tostring)) | .[0]) | join(" ")' out)" ''
equal 'the keys workload_* say what workload says' \
    "$(jq -c '[.family, .radices, .pattern, .workload_node, .workload_rate, .workload_share, .workload_m, .window]' out)" \
    '["torus","4x4","hotspot",3,0.1,0.5,"2..4",10000]'
missing=
while read -r key; do
    [[ $key == K ]] && key=elements
    jq -e "has(\"workload_$key\")" out >out2 || missing+=" $key"
done < <("$ecube" list workloads --format json | jq -r '.workloads[].parameters' | tr -d ' ' | tr ',' '\n' | sed -n 's/=.*//p')
equal 'every key of a workload has one' "$missing" ''

# --- Units of a machine: they change no result, and a word that a schedule sends twice counts once ---
run run cube:4 transpose:m=8 --algorithm two-phase --format json
jq -S 'del(.command, .cpu_seconds, .seconds, .router_cycles_per_second, .peak_rss_bytes)' out >plain.json
equal 'without --clock they are null' "$(jq -c '[.clock, .link_bits, .microseconds, .latency_microseconds, .node_gigabytes_per_second]' out)" \
    '[null,null,null,null,null]'
run run cube:4 transpose:m=8 --algorithm two-phase --format json --clock 312.5 --link-bits 24
equal 'microseconds are cycles / MHz' "$(jq '(.microseconds * .clock - .cycles) | fabs < 1e-6' out)" true
equal 'so are those of the latency' "$(jq '(.latency_microseconds * .clock - .latency.mean) | fabs < 1e-6' out)" true
equal '12 of 16 nodes receive 8 words of 3 bytes' \
    "$(jq '(.node_gigabytes_per_second - 12 * 8 * 3 / 16 / (1000 * .microseconds)) | fabs < 1e-9' out)" true
equal 'all other values are the same' "$(jq -S 'del(.command, .cpu_seconds, .seconds, .router_cycles_per_second, .peak_rss_bytes) |
    .clock = null | .link_bits = null | .microseconds = null | .latency_microseconds = null |
    .node_gigabytes_per_second = null' out | diff - plain.json)" ''
jq -r .node_gigabytes_per_second out >run_rate
run plan cube:4 transpose:m=8 --format json --clock 312.5 --link-bits 24 --no-crossings
equal 'a plan has the same figures' \
    "$(jq -r '.rows[] | select(.algorithm == "two-phase:order=low") | .node_gigabytes_per_second' out)" "$(<run_rate)"
run run cube:3 uniform:rate=0.2,m=4 --format json --clock 1000 --link-bits 8
equal 'in open loop a node receives what is accepted' "$(jq '(.node_gigabytes_per_second - .accepted) | fabs < 1e-9' out)" true
refused 2 'needs --clock' run cube:3 shift:q=1 --link-bits 8
refused 2 'from 0.001 to 1e+06' run cube:3 shift:q=1 --clock 0

# --- The manual page documents exactly these keys ---
man=$(dirname "$ecube")/ecube.1
documented=$(sed '1,/^\.Ss Keys of run/d; /^\.S[sh]/,$d' "$man" | sed -n 's/^\.It Va //p' | tr -d ',' | tr '\n' ' ' | tr -s ' ')
equal 'the manual page has the keys of run, in order' "$documented" \
    "$(jq -r 'keys_unsorted[]' run.json | tr '\n' ' ')"
documented=$(sed '1,/^\.Ss Keys of audit/d; /^\.S[sh]/,$d' "$man" | sed -n 's/^\.It Va //p' | tr -d ',' | tr '\n' ' ' | tr -s ' ')
equal 'the manual page has the keys of audit, in order' "$documented" \
    "$(jq -r 'keys_unsorted[]' audit.json | tr '\n' ' ')"

# Names of results are never cut.
order=$(seq -s - 19 -1 0)
run audit cube:20 shift:q=5,labels=gray --algorithm "ecube-steps:order=$order" --format json
equal 'a long name of an algorithm is not cut' "$(jq -r .algorithm out)" "ecube-steps:order=$order"
zeros=$(printf '%0100d' 0)
refused 2 'more than 199 characters' audit cube:3 shift:q=5,labels=gray \
    --algorithm "ecube-steps:order=${zeros}2-${zeros}1-${zeros}0"
letters=$(printf '%0201d' 0 | tr 0 a)
refused 2 'at most 200 characters' run cube:3 shift:q=1 --rtl "$source_root/rtl/ec_router.sv" --top "$letters"

done_testing
