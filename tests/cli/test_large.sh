#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Networks beyond 16 address bits, verified to the cycle. Time and memory are printed, not judged: they depend on
# the machine.
#
#   test_large.sh PROGRAM        131,072 routers
#   test_large.sh PROGRAM long   1,048,576 routers
. "$(dirname "$0")/lib.sh"
how=${2:-quick}

# shift_of CUBE CYCLES: of 12345 nodes, 8 words each. As CSV: JSON has every channel.
shift_of()
{
    exits "$1 passes" 0 run "$1" shift:q=12345,m=8 --format csv --quiet
    equal "$1 takes as many cycles as predicted" \
        "$(column cycles) $(column predicted_cycles) $(column contended_cycles) $(column packets)" \
        "$2 $2 0 $((2 ** ${1#cube:}))"
    echo "# $1: $(column seconds) s, $(($(column peak_rss_bytes) >> ${1#cube:})) bytes per router"
}

# column NAME: of the only run in out, whose fields may have quoted commas.
column()
{
    awk -v name="$1" -F, '
        function field(line, k,    n) {
            for (n = 1; n < k; n++) {
                match(line, /^("[^"]*"|[^,]*),/)
                line = substr(line, RLENGTH + 1)
            }
            match(line, /^("[^"]*"|[^,]*)/)
            return substr(line, 1, RLENGTH)
        }
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) which = k }
        NR == 2 { print field($0, which) }' out
}

if [[ $how == long ]]; then
    shift_of cube:20 29
else
    shift_of cube:17 26
fi
done_testing
