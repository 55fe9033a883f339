#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in a long run: finished results are printed, marked partial; exit status 130.
. "$(dirname "$0")/lib.sh"

long=(cube:3 uniform:rate=0.2,m=8 --cycles 100000000000)

# interrupted SIGNAL ARGUMENTS...: start, wait until the simulation runs, send the signal.
interrupted()
{
    local signal=$1 child
    shift
    # Without job control bash starts children with SIGINT ignored; env --default-signal undoes it.
    env --default-signal=INT "$ecube" run "$@" >out 2>err &
    child=$!
    until (($(ticks "$child") >= 20)); do sleep 0.05; done
    kill -s "$signal" $child
    wait $child
    status=$?
}

interrupted INT "${long[@]}"
equal 'SIGINT ends a run with status 130' $status 130
contains 'a partial result is printed' out PARTIAL
contains 'with the simulated work' out 'router-cycles/s'
equal 'and no error, besides progress on a slow machine' "$(grep -v ' left ([0-9]* s)$' err)" ''

echo former >result.json
interrupted TERM "${long[@]}" --output result.json
equal 'SIGTERM does the same' $status 130
equal 'the former result stays' "$(<result.json)" former
equal 'the new one is whole, marked, and beside it' \
    "$(jq -c '[.outcome, .verdict]' result.json.partial) $(echo result.json*)" \
    '["interrupted","partial"] result.json result.json.partial'
contains 'as a line says' err 'ecube: interrupted: the partial result goes to result.json.partial'

printf 'cube:3 shift:q=1\n%s\ncube:3 shift:q=2\n' "${long[*]}" >list.txt
interrupted INT --from list.txt
equal 'an interrupted list ends with status 130' $status 130
contains 'and reports its progress' out '3 jobs: 2 passed, 1 interrupted'
interrupted INT --from list.txt --jobs 1
contains 'also with one worker' out 'partial: 2 of 3 jobs: 1 passed, 1 interrupted'

# Making a schedule does not poll signals; the program ends nevertheless.
env --default-signal=INT "$ecube" audit cube:3 gsh:cycle=0-18,K=262144 --algorithm best --output result.txt >out 2>err &
child=$!
until (($(ticks "$child") >= 20)); do sleep 0.05; done
kill -s TERM $child
wait $child
equal 'an interrupted computation ends with status 130' $? 130
contains 'and says so' err 'ecube: interrupted in the middle of a long computation'
equal 'and leaves no file' "$(ls -d result.txt* 2>/dev/null)" ''

# A second signal: the program ends at once, as by that signal, and no file without its name is left.
# terminate_twice CHILD: the first one is seen before the second is sent, but the program cannot go on in between.
terminate_twice()
{
    kill -s TERM "$1"
    kill -s STOP "$1"
    until [[ $(awk '{print $3}' "/proc/$1/stat") == T ]]; do sleep 0.01; done
    kill -s TERM "$1"
    kill -s CONT "$1"
    wait "$1" 2>/dev/null
    status=$?
}

# twice ARGUMENTS...: to a program that is at work.
twice()
{
    local child
    env --default-signal=INT "$ecube" "$@" >out 2>err &
    child=$!
    until (($(ticks "$child") >= 20)); do sleep 0.05; done
    ls -d ./*.tmp* >meanwhile
    terminate_twice $child
}
twice run "${long[@]}" --wave w.fst --wave-cycles 1:9 --events e.txt --events-cycles 1:9 --output r.txt
equal 'a second SIGTERM ends a run as SIGTERM does' $status 143
equal 'there were three files by then' "$(sed 's/tmp.*/tmp/' meanwhile | tr '\n' ' ')" \
    './e.txt.tmp ./r.txt.tmp ./w.fst.tmp '
equal 'and none is left' "$(ls -d ./*.tmp* e.* r.* w.* 2>/dev/null)" ''
printf 'cube:3 shift:q=1\n%s\n' "${long[*]}" >list.txt
twice run --from list.txt --output r.txt
equal 'of a list' "$status" 143
equal 'finished results and the journal are kept' "$(grep -c 'PASS  cube:3 shift:q=1' r.txt.partial) $(echo r.txt*)" \
    '1 r.txt.journal r.txt.partial'
rm r.txt*
echo former >r.txt
interrupted INT --from list.txt --output r.txt
equal 'after one signal, too' "$(<r.txt) $(grep -c '^PASS' r.txt.partial) $(echo r.txt*)" \
    'former 1 r.txt r.txt.journal r.txt.partial'
rm r.txt*

# A program that is killed cannot tidy up; the next one that writes the same files does. A living one keeps its own.
left()
{
    find . -name '[erw].*.tmp.*-??????' | wc -l
}
killed=(run "${long[@]}" --wave w.fst --wave-cycles 1:9 --events e.txt --events-cycles 1:9 --output r.txt)
"$ecube" "${killed[@]}" >out 2>err &
first=$!
"$ecube" "${killed[@]}" >out 2>err &
second=$!
until (($(left) == 6)) || ! kill -0 $first $second; do sleep 0.05; done
kill -s KILL $first
wait $first 2>/dev/null
touch r.txt.tmp.backup r.txt.tmp.1-backup
until (($(left) <= 4)) || ! kill -0 $second; do # a worker holds its locks until it has noticed
    sleep 0.1
    run run cube:3 shift:q=1 --wave w.fst --events e.txt --output r.txt
done
kill -s TERM $second
wait $second
equal 'the next run removes what a killed one has left, and a living one is not disturbed' \
    "$? $(left) $(echo r.txt*)" '130 1 r.txt r.txt.partial r.txt.tmp.1-backup r.txt.tmp.backup'
rm -f [erw].*

# The wave of a failure: messages that deadlock so late that the replay takes time.
awk 'BEGIN { for (c = 1; c < 3000000; c += 20) print c ",0,1,4"
    for (n = 0; n < 4; n++) print "3000000," n "," (n + 2) % 4 ",64" }' >late.csv
failing=(torus:4x4 trace:file=late.csv --router "vcs=2,dateline=off" --failure-dir left)
mkdir left
env --default-signal=INT "$ecube" run "${failing[@]}" >out 2>err &
child=$!
until [[ -n $(ls left) ]] || ! kill -0 $child; do sleep 0.02; done
ls left >meanwhile
terminate_twice $child
equal 'a second SIGTERM in the replay of a failure' "$status $(wc -l <meanwhile)" '143 1'
equal 'leaves nothing of its wave' "$(ls left)" ''

done_testing
