# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For the chaos tests: what each of them tries, and how a result is judged. Sourced with the program as $1, the folder
# of the helpers (shim/) as $2, and as $3 "long" for a tenfold sample or "all" for everything. SEED chooses the sample.
# shellcheck disable=SC2034 # the tests use it
shims=$(realpath "$2")
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
long=${3:-}
RANDOM=${SEED:-1}

# A command that takes longer hangs.
# shellcheck disable=SC2034
patience=300

# A list, a trace, a map, stored results: what commands read.
make_inputs()
{
    printf 'cube:3 shift:q=1\ncube:3 uniform:rate=0.2,m=4 --cycles 1000\ncube:3 shift:q=3\n' >list.txt
    cp list.txt base.txt
    awk 'BEGIN { for (i = 1; i < 20; i++) print i "," i % 8 "," (3 * i + 1) % 8 ",4" }' >trace.csv
    for i in {0..7}; do echo "$i,$((7 - i))"; done >swap.csv
    "$ecube" regress base.txt --update >/dev/null 2>&1
    "$ecube" run cube:3 shift:q=1 --format json --output result.json
    "$ecube" sweep cube:3 uniform:m=4 --rates 0.1,0.2 --cycles 1000 --format csv --output sweep.csv
} 2>/dev/null

# plain FILE: without what differs from run to run: lines and keys of the host's times, which CSV has as columns.
plain()
{
    sed -E '/^  speed /d
        s/"(seconds|cpu_seconds|router_cycles_per_second|peak_rss_bytes)": ?[0-9.e+-]+/"\1":0/g
        s/ time="[0-9.]+"//g; s/(, |  )[0-9.]+ m?s$//; s/^(topology|sweep|cube:3)(,[^,]*,[^,]*,[^,]*,[^,]*).*/\1\2/' "$1"
}

# chosen SAMPLE: so many of the lines on stdin, ten times as many in the long suite.
chosen()
{
    if [[ $long == all ]]; then
        cat
    else
        shuf -n $(($1 * (${#long} ? 10 : 1))) --random-source=<(yes "${SEED:-1}") | sort -n
    fi
}

# A finding of a series of trials; report SENTENCE TRIALS ends the series.
findings=()
found()
{
    findings+=("$*")
}
report()
{
    if ((${#findings[@]} == 0)); then
        pass "$1 ($2 trials)"
    else
        : >out
        : >err
        fail "$1" "${#findings[@]} of $2 trials:" "${findings[@]}"
    fi
    findings=()
}
