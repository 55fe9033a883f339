#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who may know whom, as docs/ARCHITECTURE.md says: by the headers that a part includes and the words it uses.
#
#   layers.sh [ROOT]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
bad=0

# nothing WHAT: complain about each line of standard input.
nothing() {
    while read -r line; do
        [ -n "$line" ] || continue
        echo "FAIL: $1: $line" >&2
        bad=1
    done
}

# includes FILE...: FILE:HEADER of every include in quotes.
includes() {
    grep -HoE '^#include "[^"]+"' "$@" | sed 's/#include //; s/"//g'
}

# Lines FILE:HEADER whose header is not one of the folder's own, nor matches the pattern.
foreign() { # PATTERN
    while IFS=: read -r file header; do
        [ -e "$(dirname "$file")/$header" ] || echo "$file:$header" | grep -vE ":($1)\$" || :
    done
}

nothing 'the closed forms know only numbers' <<END
$(includes model/cost/*.[ch] | foreign 'none')
END
nothing 'the program knows public headers, workers, its pictures, the claims, and nearest.h' <<END
$(includes harness/cli/*.[ch] | foreign 'ecube/[a-z]+\.h|nearest\.h|(workers|vitals)\.h|panel\.h|grid\.h|claims\.h|farm\.h')
END
nothing 'workers know errors and the pulse of a network' <<END
$(includes harness/base/*.[ch] | foreign 'ecube/(error|net)\.h')
END
nothing 'pictures know public headers' <<END
$(includes harness/draw/*.[ch] | foreign 'ecube/[a-z]+\.h')
END
nothing 'schedules know what is to be moved where, not how a network moves it' <<END
$(includes harness/schedule/*.[ch] |
    foreign 'ecube/(error|route|router|schedule|sdp|topology|workload)\.h|(text|nearest|walk|workload_spec)\.h')
END
nothing 'the claims know public headers, workers and the closed forms' <<END
$(includes harness/claims/*.[ch] | foreign 'ecube/[a-z]+\.h|(workers|vitals)\.h|ec_cost[a-z_]*\.h')
END
nothing 'rows of claims are data' <<END
$(grep -lE '^CLAIMS_TABLE' harness/claims/*.c | xargs grep -nE '^[a-z].*\)$' || :)
END
nothing 'the library does not know the program' <<END
$(includes harness/src/*.[ch] | foreign 'ecube/[a-z]+\.h|ec_cost[a-z_]*\.h')
END
nothing 'public headers know public headers' <<END
$(includes harness/include/ecube/*.h | foreign 'ecube/[a-z]+\.h')
END
nothing 'only predict.c knows the closed forms' <<END
$(includes harness/src/*.[ch] harness/cli/*.[ch] | grep -E ':ec_cost[a-z_]*\.h$' | grep -v '/predict\.c:' || :)
END
nothing 'the audit and the routing know neither RTL nor time' <<END
$(includes harness/src/audit.c harness/src/route.c harness/src/deadlock.c harness/src/walk.h |
    grep -E ':(ecube/(net|tile|shape|run|word)|play|run)\.h$' || :)
END
nothing 'workloads know neither routing nor routers' <<END
$(includes harness/src/workload*.[ch] harness/src/pattern.[ch] |
    grep -E ':(ecube/(route|router|net|tile|shape|run|audit)|walk)\.h$' || :)
END
nothing 'the run knows nets, not tiles' <<END
$(includes harness/src/play.[ch] harness/src/sender.[ch] harness/src/receiver.[ch] \
    harness/src/scoreboard.[ch] harness/src/checks.[ch] | grep -E ':ecube/(tile|shape)\.h$' || :)
END
nothing 'the model in SystemC knows itself, and where it meets the library, public headers' <<END
$(includes model/systemc/*.cpp model/systemc/*.h model/systemc/ecube-systemc/*.h |
    grep -vE ':(ecube-systemc/[a-z_]+|pins|route|buffer|arbiter|router|geometry|network_ports|description|word|ledger|onlooker)\.h$' |
    grep -vE '^model/systemc/(backend|parse|description|rtl_network|ledger|onlooker)\.(cpp|h):ecube/[a-z]+\.h$' || :)
END
nothing 'the model in SystemC finds its own way' <<END
$(grep -nE 'ec_topology_(coord|neighbor|reverse|node|distance)|ec_route(_|\()|ec_shape_places|->(stride|shift|bits)\b' \
    model/systemc/*.cpp model/systemc/*.h model/systemc/ecube-systemc/*.h || :)
END
nothing 'the tile network does not know messages' <<END
$(includes harness/src/tiles*.c | grep -E ':(ecube/(workload|route|audit|run)|pattern|source|sender|play)\.h$' || :)
END
nothing 'the library does not print, exit or abort' <<END
$(grep -nwE 'printf|puts|putchar|perror|stdout|stderr|exit|_exit|abort' harness/src/*.c model/cost/*.c |
    grep -vE '^[^:]*:[0-9]+: ?(/\*| \*)|format\(printf' || :)
END
# shellcheck disable=SC2016 # system tasks of Verilog
nothing 'RTL knows no files, times or foreign functions' <<END
$(grep -nE '\$(display|write|monitor|f?open|time|random|readmem)|import *"DPI' rtl/*.sv rtl/*.svh || :)
END
[ "$(includes harness/cli/*.[ch] | wc -l)" -gt 50 ] || { echo "FAIL: hardly any includes" >&2; bad=1; }
exit "$bad"
