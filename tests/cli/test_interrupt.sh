#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in a long run: finished results are printed, marked partial; exit status 130.
. "$(dirname "$0")/lib.sh"

long=(cube:3 uniform:rate=0.2,m=8 --cycles 100000000000)

# begun CHILD N: wait until its simulation runs and, in a list, N runs have ended: the workers of a busy machine may
# come to them late.
begun()
{
    while kill -0 "$1" && (($(ticks "$1") < 20 || $(sed -n '/PASS/p' r.txt.journal 2>/dev/null | wc -l) < $2)); do
        sleep 0.05
    done
}

# interrupted SIGNAL N ARGUMENTS...: start, wait until it has begun, send the signal.
interrupted()
{
    local signal=$1 n=$2 child
    shift 2
    # Without job control bash starts children with SIGINT ignored; env --default-signal undoes it.
    env --default-signal=INT "$ecube" run "$@" >out 2>err &
    child=$!
    begun $child "$n"
    kill -s "$signal" $child
    wait $child
    status=$?
}

interrupted INT 0 "${long[@]}"
equal 'SIGINT ends a run with status 130' $status 130
contains 'a partial result is printed' out PARTIAL
contains 'with the simulated work' out 'router-cycles/s'
equal 'and no error, besides progress on a slow machine' "$(grep -v ' left ([0-9]* s)$' err)" ''

echo former >result.json
interrupted TERM 0 "${long[@]}" --output result.json
equal 'SIGTERM does the same' $status 130
equal 'the former result stays' "$(<result.json)" former
equal 'the new one is whole, marked, and beside it' \
    "$(jq -c '[.outcome, .verdict]' result.json.partial) $(echo result.json*)" \
    '["interrupted","partial"] result.json result.json.partial'
contains 'as a line says' err 'ecube: interrupted: the partial result goes to result.json.partial'

printf 'cube:3 shift:q=1\n%s\ncube:3 shift:q=2\n' "${long[*]}" >list.txt
interrupted INT 2 --from list.txt --output r.txt
equal 'an interrupted list ends with status 130' $status 130
contains 'and reports its progress' r.txt.partial '3 jobs: 2 passed, 1 interrupted'
rm r.txt*
interrupted INT 1 --from list.txt --jobs 1 --output r.txt
contains 'also with one worker' r.txt.partial 'partial: 2 of 3 jobs: 1 passed, 1 interrupted'
rm r.txt*

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

# twice N ARGUMENTS...: to a program that has begun.
twice()
{
    local n=$1 child
    shift
    env --default-signal=INT "$ecube" "$@" >out 2>err &
    child=$!
    begun $child "$n"
    ls -d ./*.tmp* >meanwhile
    terminate_twice $child
}
twice 0 run "${long[@]}" --wave w.fst --wave-cycles 1:9 --events e.txt --events-cycles 1:9 --output r.txt
equal 'a second SIGTERM ends a run as SIGTERM does' $status 143
equal 'there were three files by then' "$(sed 's/tmp.*/tmp/' meanwhile | tr '\n' ' ')" \
    './e.txt.tmp ./r.txt.tmp ./w.fst.tmp '
equal 'and none is left' "$(ls -d ./*.tmp* 2>/dev/null)" ''
rm -f [erw].* # the first signal may have been obeyed so far that one is complete
printf 'cube:3 shift:q=1\n%s\n' "${long[*]}" >list.txt
twice 1 run --from list.txt --output r.txt
equal 'of a list' "$status" 143
equal 'finished results and the journal are kept' "$(grep -c 'PASS  cube:3 shift:q=1' r.txt.partial) $(echo r.txt*)" \
    '1 r.txt.journal r.txt.partial'
rm r.txt*
echo former >r.txt
interrupted INT 1 --from list.txt --output r.txt
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
