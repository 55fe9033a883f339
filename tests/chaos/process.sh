#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Poor surroundings: limits of the system, closed descriptors, folders and variables that are missing. ecube does its
# work, or says in one line what it lacks, with status 2 or 5.
. "$(dirname "$0")/lib.sh"
make_inputs

# poor SENTENCE STATUSES COMMAND...: a line of shell that runs "$ecube".
poor()
{
    local sentence=$1 statuses=$2
    shift 2
    (export ecube && timeout $patience bash -c "$*") >out 2>err </dev/null
    status=$?
    if [[ " $statuses " != *" $status "* ]]; then
        fail "$sentence" "exit status $status, expected one of: $statuses"
    elif ((status != 0)) && (($(grep -c 'ecube: ' err) != 1)); then
        fail "$sentence" "$(grep -c 'ecube: ' err) messages"
    else
        pass "$sentence"
    fi
}

# shellcheck disable=SC2016 # the words are for the other shell
{
    for size in 10000 30000 60000 100000 150000; do
        poor "$size kB of address space" '0 2 5' "ulimit -v $size; exec \"\$ecube\" run cube:3 shift:q=1 --quiet"
        poor "$size kB of address space for an audit" '0 2' "ulimit -v $size; exec \"\$ecube\" audit cube:10 bitrev --quiet"
    done
    for files in 4 5 6 7 8 10; do
        poor "$files descriptors" '0 2 5' "ulimit -n $files; exec \"\$ecube\" run cube:3 shift:q=1 --quiet"
        poor "$files descriptors for a list" '0 2 5' \
            "ulimit -n $files; exec \"\$ecube\" run --from list.txt --jobs 2 --quiet --output o.txt"
    done
    poor 'a stack of 128 kB' '0' 'ulimit -s 128; exec "$ecube" run cube:3 shift:q=1 --quiet'
    poor 'a stack of 256 kB for a plan' '0' 'ulimit -s 256; exec "$ecube" plan torus:4x4 shift:q=5'
    poor 'no processor time' '0 137 152' 'ulimit -t 1; exec "$ecube" run cube:3 shift:q=1 --quiet'
    poor 'no HOME and no cache' '2' 'exec env -u HOME -u ECUBE_CACHE -u XDG_CACHE_HOME "$ecube" run cube:3 shift:q=1 --quiet'
    poor 'no HOME, for an audit' '0' 'exec env -u HOME -u ECUBE_CACHE -u XDG_CACHE_HOME "$ecube" audit cube:3 bitrev --quiet'
    poor 'an empty environment' '0 2' 'exec env -i "$ecube" audit cube:3 bitrev --quiet'
    poor 'a TMPDIR that is missing' '0' 'TMPDIR=/nowhere exec "$ecube" run cube:3 shift:q=1 --quiet'
    poor 'another locale' '0' 'LC_ALL=xx_YY.UTF-8 exec "$ecube" run cube:3 shift:q=1 --quiet'
    mkdir gone
    poor 'a folder that is gone' '0 2' 'cd gone; rmdir ../gone; exec "$ecube" run cube:3 shift:q=1 --quiet'

    # Descriptors 0 to 2: what ecube opens takes their numbers.
    for closed in '0<&-' '1>&-' '0<&- 1>&-'; do
        poor "without $closed, to a file" '0' "exec \"\$ecube\" run cube:3 shift:q=1 --quiet --output r.txt $closed"
        equal 'the file is whole' "$(cut -d' ' -f 1-3 r.txt)" 'PASS  cube:3'
        rm -f r.txt
        poor "a list without $closed" '0' "exec \"\$ecube\" run --from list.txt --jobs 2 --output r.txt $closed"
        equal 'has all results' "$(grep -c ^PASS r.txt)" 3
        rm -f r.txt
    done
    for closed in '2>&-' '0<&- 1>&- 2>&-'; do
        bash -c "exec \"\$0\" run --from list.txt --jobs 2 --output r.txt $closed" "$ecube"
        equal "a list without $closed" "$? $(grep -c ^PASS r.txt)" '0 3'
        rm -f r.txt
        bash -c "exec \"\$0\" run cube:3 shift:q=1 --events e.txt --wave w.fst --output r.txt $closed" "$ecube"
        equal "logs without $closed" "$? $(grep -c ^PASS r.txt) $(grep -c . e.txt | sed 's/[1-9][0-9]*/some/')" '0 1 some'
        rm -f r.txt
    done
    poor 'nothing to print to' '2' 'exec "$ecube" run cube:3 shift:q=1 1>&-'
    poor 'a full device to print to' '2' 'exec "$ecube" run --from list.txt --format json >/dev/full'
    poor 'a reader that has gone' '0' '"$ecube" run --from list.txt --verbose | head -n 1 >/dev/null'
    poor 'nothing to read from' '2' 'exec "$ecube" run --from - 0<&-'
}

done_testing
