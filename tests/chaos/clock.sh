#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Clocks that jump by hours while ecube runs: nothing hangs, no run is ended as if it hung, results are the usual ones,
# and no time is negative or absurd.
. "$(dirname "$0")/lib.sh"
make_inputs

# jumps ARGUMENTS...: with the clock of the day, and then with every clock.
trials=0
jumps()
{
    local clocks wrong expected
    timeout $patience "$ecube" "$@" >right.out 2>/dev/null </dev/null
    expected=$?
    for clocks in wall all; do
        for leap in 1 7200 100000000; do
            wrong=''
            CHAOS_CLOCK=$leap CHAOS_CLOCKS=$clocks LD_PRELOAD=$shims/chaos_clock.so \
                timeout $patience "$ecube" "$@" >out 2>err </dev/null
            status=$?
            trials=$((trials + 1))
            ((status == expected)) || wrong="status $status"
            cmp -s <(plain out) <(plain right.out) || wrong+=' another result'
            ! grep -qE '(^|[^0-9a-z.])-[0-9.]+ ?(s|ms|us|min|h)( |$|,)|seconds": ?-|nan|inf ' out err || wrong+=' a negative time'
            [[ -z $wrong ]] || found "$clocks $leap: ecube $*: $wrong: $(head -c 200 err)"
        done
    done
}

jumps run cube:3 shift:q=1 --format json
jumps run --from list.txt --jobs 2 --quiet
jumps sweep cube:3 uniform:m=4 --rates 0.1 --cycles 1000 --format csv
jumps compare tiles tiles cube:3 shift:q=1 --format json
jumps regress base.txt --quiet
jumps audit --from list.txt --quiet
jumps run cube:3 shift:q=1 --threads 2 --quiet
if [[ -n $long ]]; then
    jumps run cube:6 uniform:rate=0.3,m=4 --cycles 20000 --quiet
    jumps plan torus:4x4 shift:q=5
fi
report 'clocks that jump' "$trials"

done_testing
