#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No memory: each allocation of a command fails in turn. One line says so and the status is 2, or the result is the
# usual one. A run that failed anyway may miss its explanation; it says why.
. "$(dirname "$0")/lib.sh"
make_inputs

# attempt N: the Nth allocation fails, with "+" all later ones, too. False: the command has fewer.
attempt()
{
    local wrong=''
    rm -f note
    CHAOS_ALLOC=$1 CHAOS_NOTE=$work/note LD_PRELOAD=$shims/chaos_alloc.so \
        timeout $patience "$ecube" "${command[@]}" >out 2>err </dev/null
    status=$?
    [[ -e note ]] || return 1
    if ((status == 2 && expected != 2)); then
        # Without memory for its manifest, an entry of the cache seems to be damaged, and the next worker waits until it
        # is built again; a sweep says what it has kept.
        (($(grep -vcE 'building it again$|waiting for another process|--resume continues from there$' err) == 1)) && grep -q memory err || wrong='not one line on memory'
    elif ((expected == 4 && status == 1)) && grep -q 'out of memory for the reason' out; then
        wrong='' # no memory to tell a deadlock from a stand-still
    elif ((status != expected)); then
        wrong="status $status"
    elif ! cmp -s <(grep -v 'waiting for another process' err) right.err; then
        wrong='other messages' # workers that cannot read their entry look again, one at a time, and then have memory
    elif ! cmp -s <(plain out) <(plain right.out) && ! grep -qE '(out of|allocate|fit the) memory' out; then
        wrong='another result'
    fi
    [[ -z $(ls -d ./*.tmp.* 2>/dev/null) ]] || wrong+=', leaves a temporary file'
    rm -f ./*.tmp.*
    [[ -z $wrong ]] || found "$1: ecube ${command[*]}: $wrong: $(head -c 200 err)"
}

# The number of allocations of the command.
count_allocations()
{
    local low=0 high=1 middle
    while attempt $high; do low=$high high=$((2 * high)); done
    while ((high - low > 1)); do
        middle=$(((low + high) / 2))
        if attempt $middle; then low=$middle; else high=$middle; fi
    done
    count=$low
}

# sites: the first allocation of each call stack of the command.
sites()
{
    rm -f sites
    CHAOS_ALLOC=0 CHAOS_SITES=$work/sites LD_PRELOAD=$shims/chaos_alloc.so "$ecube" "${command[@]}" >/dev/null 2>&1 </dev/null
    sort -nu sites
}

# series SENTENCE SAMPLE ARGUMENTS...: at most SAMPLE of its allocations, all of them if that is 0; in the long suite
# one of each call stack, of at most 60 of them.
series()
{
    local sentence=$1 sample=$2 count at trials=0 step ats
    shift 2
    command=("$@")
    "$ecube" "$@" >right.out 2>right.err </dev/null
    expected=$?
    if [[ -n $long ]]; then
        ats=$(sites | chosen 6)
        sentence+=", $(wc -w <<<"$ats") call stacks"
    else
        count_allocations
        step=$((sample == 0 || count <= sample ? 1 : count / sample))
        ats=$(seq $((1 + RANDOM % step)) $step "$count")
        sentence+=", $count allocations"
    fi
    for at in $ats; do
        attempt "$at"
        trials=$((trials + 1))
        if ((RANDOM % 4 == 0)); then
            attempt "$at+"
            trials=$((trials + 1))
        fi
    done
    report "$sentence" "$trials"
}

all=$([[ -n $long ]] && echo 0 || echo 15)
series 'a run' "$all" run cube:3 shift:q=1 --quiet
series 'an audit' "$all" audit cube:3 bitrev
series 'a run as JSON' 8 run cube:3 shift:q=1 --format json --output o.json
series 'a list' 6 run --from list.txt --jobs 1 --quiet --output o.txt
if [[ -n $long ]]; then
    series 'a run with a map' 4 run cube:3 perm:file=swap.csv --quiet
    series 'a plan' 8 plan torus:4x4 shift:q=5
    series 'a report' 6 run cube:3 shift:q=1 --quiet --report r.html
    series 'a run with a trace' 4 run cube:3 trace:file=trace.csv --quiet
    series 'a run with random traffic' 6 run cube:3 uniform:rate=0.2,m=4 --cycles 1000 --format json
    series 'a deadlock' 8 run torus:4x4 uniform:rate=0.6,m=16 --router vcs=1 --failure-dir failures
    series 'a run in threads' 6 run cube:3 shift:q=1 --threads 2 --quiet
    series 'a wave and an event log' 6 run cube:3 shift:q=1 --quiet --wave w.fst --events e.txt
    series 'a schedule' 6 run cube:3 shift:q=3 --algorithm best
    series 'a picture' 6 draw cube:3 shift:q=5 --output p.svg
    series 'a sweep' 6 sweep cube:3 uniform:m=4 --rates 0.1,0.2 --cycles 1000 --format csv --output s.csv
    series 'a plot' 6 sweep --from sweep.csv --plot s.svg
    series 'a comparison' 6 compare tiles tiles cube:3 shift:q=1 --quiet
    series 'a regression' 6 regress base.txt --quiet
    series 'a stored result' 6 report result.json --output s.html
    # Schedules without simulation.
    for algorithm in parity align aapc pipelined concurrent cycles; do
        series "the audit of $algorithm" 0 audit cube:4 gsh:cycle=6-5-1-3+4-0,K=8 --algorithm $algorithm
    done
    for algorithm in a1-packed a2 flow aapc-twice cycles; do
        series "the audit of $algorithm" 0 audit cube:3 gsh:cycle=5-4-3,K=8 --algorithm $algorithm
    done
    series 'the audit of extended' 0 audit cube:4 gsh:cycle=2-0,K=4,sub=3 --algorithm extended
    series 'the audit of gray-signed' 0 audit cube:3 shift:q=3,labels=gray --algorithm gray-signed
    series 'the audit of gohil-mesh' 0 audit torus:4x4 shift:q=5 --algorithm gohil-mesh
    series 'the audit of line' 0 audit mesh:8 shift:q=3 --algorithm line
    series 'a deadlock that can occur' 0 audit torus:4x4 shift:q=5 --router vcs=1
    series 'the audit of a trace' 0 audit cube:3 trace:file=trace.csv
    series 'the audit of a mixture' 0 audit cube:3 mix:of=uniform@3+bitcomp,rate=0.1
    series 'a list of workloads' 0 list workloads
    series 'help' 0 help run # of argp, which aborts without memory, the first allocation
fi

# A rank of MPI, while it opens its part, plays and gives its statistics: the message names it.
trials=0
ranked=(run cube:3 uniform:rate=0.2,m=4 --cycles 1000 --quiet)
if [[ -e $(dirname "$ecube")/../library/parts/mpi/ecube-mpi-mpich.so ]] && command -v mpirun.mpich >/dev/null; then
    second=(env LD_PRELOAD="$shims/chaos_alloc.so" CHAOS_NOTE="$work/note")
    rm -f sites
    mpirun.mpich -n 1 "$ecube" "${ranked[@]}" : \
        -n 1 "${second[@]}" CHAOS_ALLOC=0 CHAOS_SITES="$work/sites" "$ecube" "${ranked[@]}" >out 2>err </dev/null
    for at in $(sort -nu sites | tail -n 75 | chosen 6); do
        trials=$((trials + 1))
        timeout $patience mpirun.mpich -n 1 "$ecube" "${ranked[@]}" : \
            -n 1 "${second[@]}" CHAOS_ALLOC="$at" "$ecube" "${ranked[@]}" >out 2>err </dev/null
        grep -qE '^ecube: rank 1 on [^ ]*: (out of|its process ran out of) memory' out err ||
            found "$at: $(grep -h '^ecube' out err | head -c 200)"
    done
    report 'a rank' "$trials"
else
    echo '# no module or no mpirun.mpich: ranks are not tested'
fi

done_testing
