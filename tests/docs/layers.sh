#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which folder may include which (docs/ARCHITECTURE.md), and which words a folder must not use.
#
#   layers.sh [ROOT]
# shellcheck disable=SC2046 # lists of files
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
bad=0

# The folders of harness/, from the bottom up. A file includes headers of its own folder and of those above it
# in this list.
order='library/include/ecube library/base library/network library/parts library/parts/ranks library/parts/mpi library/workload
library/schedule/plan library/schedule/shift library/schedule/mixed library/schedule/real library/schedule/general
library/schedule library/audit library/contract library/shape library/netlist library/simd library/trial library/backend library/traffic
library/measure library/run library/observe library/diagnose library/session library/result
program/terminal program/draw program/page program/coverage program/options program/report program/runs
program/regress program/sweep program/plan program/commands program
verify/prove verify/mutate verify/score verify/commands verify
claims claims/experiments'

# nothing WHAT: report each line of standard input as an error.
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

# Lines FILE:HEADER of the folders of harness/, without harness/, closed forms and the generated paths.h. Includes
# name folders of the library and of verify/, terminal/, draw/ and page/ without their room.
all_includes() {
    find harness -path harness/library/example -prune -o -path harness/library/shape/shim -prune -o -name '*.[ch]' -print | sort |
        xargs grep -HoE '^#include "[^"]+"' | sed 's,^harness/,,; s/#include //; s/"//g; s,:ecube/,:include/ecube/,' |
        grep -vE ':(ec_cost[a-z_]*|paths)\.h$' |
        sed -E 's,:(prove|mutate|score)/,:verify/\1/,; s,:(terminal|draw|page)/,:program/\1/,; /:(verify|program|claims)\//!s,:,:library/,'
}

nothing 'a folder knows those below it only' <<END
$(all_includes | awk -v order="$order" '
    function folder(path) { return path ~ /\// ? substr(path, 1, length(path) - length(base(path)) - 1) : "" }
    function base(path) { sub(/.*\//, "", path); return path }
    BEGIN {
        n = split(order, name, /[ \n]+/)
        for (i = 1; i <= n; i++) floor[name[i]] = i
    }
    {
        split($0, end, ":")
        from = folder(end[1]); to = folder(end[2])
        if (!(from in floor)) print $0 " (no place for " from ")"
        else if (!(to in floor)) print $0 " (no such folder)"
        else if (floor[to] > floor[from]) print $0
    }')
END
nothing 'the closed forms know only numbers' <<END
$(includes model/cost/*.[ch] | grep -vE ':ec_cost[a-z_]*\.h$' || :)
END
nothing 'only predictions, bounds and the study know the closed forms' <<END
$(find harness -name '*.[ch]' -print | sort | xargs grep -HoE '^#include "ec_cost[^"]+"' |
    grep -vE '^harness/(library/(run/(predict|lower_bounds)\.c|audit/bits\.c)|claims/)' || :)
END
nothing 'public headers know public headers' <<END
$(includes harness/library/include/ecube/*.h | grep -vE ':ecube/[a-z]+\.h$' || :)
END
nothing 'the study knows public headers and the options of runs' <<END
$(includes $(find harness/claims -name '*.[ch]') |
    grep -vE ':(ecube/[a-z]+\.h|ec_cost[a-z_]*\.h|claims/.*|base/(workers|record|file|text)\.h|parts/host\.h|terminal/.*|program/(options/(claims|job)\.h|report/claims\.def))$' || :)
END
nothing 'the audit and the routing know neither RTL nor time' <<END
$(includes harness/library/audit/*.[ch] harness/library/network/route.c harness/library/network/walk.h |
    grep -E ':ecube/(net|tile|shape|run|word)\.h$' || :)
END
nothing 'workloads know neither routing nor routers' <<END
$(includes harness/library/workload/*.[ch] | grep -E ':(ecube/(route|router|net|tile|shape|run|audit)\.h|network/walk\.h)$' || :)
END
nothing 'the rules of the contract know neither RTL nor how routers are built and run' <<END
$(includes harness/library/contract/*.[ch] | grep -E ':ecube/(tile|shape|run|workload|audit)\.h$|:(shape|backend|run)/' || :)
END
nothing 'schedules know what is to be moved where, not how a network moves it' <<END
$(includes $(find harness/library/schedule -name '*.[ch]') | grep -E ':ecube/(net|tile|shape|run|word)\.h$' || :)
END
nothing 'only schedule/algorithm.c knows algorithms by name' <<END
$(grep -nE '^[^/]*\<ec_(schedule_(open|choose)|algorithm_at)\(' $(find harness/library/schedule -mindepth 2 -name '*.[ch]') || :)
END
nothing 'the run knows nets, not tiles' <<END
$(includes harness/library/run/*.[ch] | grep -E ':ecube/(tile|shape)\.h$' || :)
END
nothing 'the tile network does not know messages' <<END
$(includes harness/library/backend/*.[ch] | grep -E ':ecube/(workload|route|audit|run)\.h$|:workload/' || :)
END
nothing 'the model in SystemC knows itself, and where it meets the library, public headers' <<END
$(includes model/systemc/*.cpp model/systemc/ecube-systemc/*.h |
    grep -vE ':(ecube-systemc/[a-z_]+|pins|route|buffer|arbiter|router|geometry|long_link|network_ports|description|word)\.h$' |
    grep -vE '^model/systemc/(backend|parse|description|rtl_network)\.(cpp|h):ecube/[a-z]+\.h$' || :)
END
nothing 'the model in SystemC finds its own way' <<END
$(grep -nE 'ec_topology_(coord|neighbor|reverse|node|distance)|ec_route(_|\()|ec_shape_places|->(stride|shift|bits)\b' \
    model/systemc/*.cpp model/systemc/ecube-systemc/*.h || :)
END
nothing 'the library and proofs do not print, exit or abort' <<END
$(find harness model/cost -path harness/program -prune -o -path harness/claims -prune -o \
    -path harness/verify/commands -prune -o -path harness/verify/score -prune -o \
    -path harness/library/example -prune -o -path harness/library/base/workers.c -prune -o -path harness/library/base/child.c -prune -o -name '*.c' -print |
    sort | xargs grep -nE '\<(printf|puts|putchar|perror|exit|_exit|abort)\(|\<(stdout|stderr)\>' |
    grep -vE '^[^:]*:[0-9]+: ?(/\*| \*)|format\(printf' || :)
END
# shellcheck disable=SC2016 # system tasks of Verilog
nothing 'RTL knows no files, times or foreign functions' <<END
$(grep -nE '\$(display|write|monitor|f?open|time|random|readmem)|import *"DPI' rtl/*.sv rtl/*.svh || :)
END
nothing 'tests include cmocka through tests/unit/runner.h, which removes its macro stop' <<END
$(grep -rnE '^#include .*cmocka' --include='*.[ch]' --include='*.cpp' tests | grep -v '^tests/unit/runner\.h:' || :)
END
[ "$(all_includes | wc -l)" -gt 500 ] || { echo "FAIL: hardly any includes" >&2; bad=1; }
exit "$bad"
