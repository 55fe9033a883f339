#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in a long run: what is finished is printed, marked partial; exit status 130.
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
    # The processor time of the child tells that it is past its beginning.
    until (($(awk '{print $14}' "/proc/$child/stat" 2>/dev/null || echo 99) >= 20)); do
        sleep 0.05
    done
    kill -s "$signal" $child
    wait $child
    status=$?
}

interrupted INT "${long[@]}"
equal 'SIGINT ends a run with status 130' $status 130
contains 'a partial result is printed' out PARTIAL
contains 'with what was simulated' out 'router-cycles/s'
equal 'and no error' "$(<err)" ''

interrupted TERM "${long[@]}" --format json --output result.json
equal 'SIGTERM does the same' $status 130
equal 'the result file is whole, and marked' "$(jq -c '[.outcome, .verdict]' result.json)" \
    '["interrupted","fail"]'

printf 'cube:3 shift:q=1\n%s\ncube:3 shift:q=2\n' "${long[*]}" >list.txt
interrupted INT --from list.txt
equal 'an interrupted list ends with status 130' $status 130
contains 'and tells how far it came' out 'partial: 2 of 3 jobs: 1 passed, 1 interrupted'

# A schedule is made without a look at signals: the program ends all the same.
env --default-signal=INT "$ecube" audit cube:3 gsh:cycle=0-18,K=262144 --algorithm best --output result.txt >out 2>err &
child=$!
until (($(awk '{print $14}' "/proc/$child/stat") >= 20)); do sleep 0.05; done
kill -s TERM $child
wait $child
equal 'an interrupted computation ends with status 130' $? 130
contains 'and says so' err 'ecube: interrupted in the middle of a long computation'
equal 'and leaves no file' "$(ls -d result.txt* 2>/dev/null)" ''

done_testing
