#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# However a run is split, its results are the same: JSON, text, event logs, logs of packets and exit statuses of random
# configurations in threads and in ranks of MPI, against those in one part.
#
#   parity.sh PROGRAM [long]
#   COUNT=200 SEED=7 parity.sh PROGRAM      other configurations, and more of them
#
# A configuration that differs is printed with a command that repeats it.
. "$(dirname "$0")/../cli/lib.sh"
wide=0
touch out err
[[ ${2:-} != long ]] || wide=1
count=${COUNT:-$((wide ? 200 : 50))}
seed=${SEED:-4}

# shellcheck disable=SC2016 # Markdown
# The keys that may differ: host figures (docs/output/run.md marks them), and the command line.
mapfile -t host < <(sed -n 's/^| `\([a-z_]*\)` |[^|]*| host figure: .*/\1/p' "$source_root"/docs/output/*.md | sort -u)
((${#host[@]} >= 7)) || { echo 'Bail out! docs/output/ has no host figures'; exit 1; }

# lists FOLDER NAME WATCHED SEED COUNT: a list of configurations, and their traces.
lists()
{
    mkdir -p "$1"
    (cd "$1" && awk -f "$source_root/tests/parts/cases.awk" -v watched="$3" -v wide=$wide -v seed="$4" -v count="$5" \
        </dev/null >"$2.tsv")
}

# split FILE N: its lines, each with --threads N, or fewer on networks with fewer nodes.
split()
{
    awk -F '\t' -v n="$2" '{ print $2 (n == 1 ? "" : " --threads " (n < $1 ? n : $1)) }' "$1"
}

# values FILE: a line for each value of each record: COMMAND, KEY, VALUE.
values()
{
    local IFS=,
    jq -r --arg host "${host[*]}" '(.command | sub(" --threads [0-9]+"; "")) as $command |
        del(.command, .[$host / "," | .[]]) | to_entries[] | "\($command)\t\(.key)\t\(.value | tojson)"' "$1"
}

# do_list FOLDER LIST N FORMAT OPTION...: run it in a new folder; what has to be equal is then in that folder.
do_list()
{
    local folder=$1 list=$2 n=$3 format=$4 wave
    shift 4
    mkdir "$folder"
    cp "${list%/*}"/*.csv "$folder" 2>/dev/null
    split "$list" "$n" >"$folder.list"
    (cd "$folder" && timeout $((wide ? 7200 : 900)) "$ecube" run --from "$folder.list" --keep-going --no-failure-wave --format "$format" "$@" \
        >"$folder.out" 2>"$folder.err")
    echo "status $?" >"$folder/status"
    sed "s,$folder.list,list,; /^ecube: run [0-9]* of /d; / router shape /d" "$folder.err" >"$folder/errors" # no progress
    find "$folder" -type f ! -name '*.fst' -exec sed -Ei '/ecube run /s/ --threads [0-9]+//' {} +
    for wave in "$folder"/*.fst; do # the header has the time of day
        [[ ! -e $wave ]] || tail -c +331 "$wave" >"$wave.body"
        rm -f "$wave"
    done
    if [[ $format == json ]]; then
        values "$folder.out" >"$folder/values"
    else
        grep -v '^  speed ' "$folder.out" >"$folder/text"
    fi
}

# do_ranks FOLDER LIST N COMMAND...: the first N lines one by one, each with the command (mpirun and its options).
do_ranks()
{
    local folder=$1 list=$2 n=$3 line words
    shift 3
    mkdir "$folder"
    cp "${list%/*}"/*.csv "$folder" 2>/dev/null
    head -n "$n" "$list" | cut -f 2 | while read -r line; do
        read -ra words <<<"$line"
        (cd "$folder" && timeout 120 "$@" "$ecube" run "${words[@]}" --no-failure-wave --format json </dev/null 2>>"$folder.err")
        echo "{\"command\": \"$line\", \"status\": $?}"
    done >"$folder.out"
    values "$folder.out" >"$folder/values"
}

# same SENTENCE BASE FOLDER: what is in the folders is equal. Names the first configurations that differ.
same()
{
    local sentence=$1 base=$2 folder=$3 row
    if diff -r "$base" "$folder" >"$work/diff" 2>&1; then
        pass "$sentence"
        return
    fi
    fail "$sentence" "$(cut -c 1-400 "$work/diff" | grep -v '^---' | head -n 12)"
    diff "$base/values" "$folder/values" 2>/dev/null | sed -n 's/^[<>] \([^\t]*\)\t\([^\t]*\).*/\1 (\2)/p' |
        awk '{ key = $NF; sub(/ [^ ]*$/, ""); keys[$0] = keys[$0] key } END { for (c in keys) print c ": " keys[c] }' |
        cut -c 1-600 | while read -r row; do echo "#   differs: $row"; done
}

lists "$work/plain" plain 0 "$seed" "$count"
lists "$work/watched" watched 1 $((seed + 1000000)) $((count / 2))
do_list "$work/b1" "$work/plain/plain.tsv" 1 json
do_list "$work/b2" "$work/watched/watched.tsv" 1 json --packets
do_list "$work/b3" "$work/plain/plain.tsv" 1 text --verbose
done_lines=$(cut -f 1 "$work/b1/values" | sort -u | wc -l)
check "at least nine of ten configurations can be run ($done_lines of $count)" test $((10 * done_lines)) -ge $((9 * count))
((wide)) || check 'no shape was compiled on the way' test -z "$(grep -h building "$work"/b?.err)"
((count < 50)) || equal 'deadlocks are among them' "$(($(grep -c 'outcome	"deadlock"' "$work/b1/values") > 0))" 1

number=0
# variant N
variant()
{
    number=$((number + 1))
    do_list "$work/v$number.1" "$work/plain/plain.tsv" "$1" json
    same "$1 threads: JSON and statuses" "$work/b1" "$work/v$number.1"
    equal "$1 threads: good runs were split" 0 "$(jq -c 'select(.verdict == "pass") |
        select((.command | capture("--threads (?<n>[0-9]+)").n | tonumber) != .parts)' "$work/v$number.1.out" | wc -l)"
    do_list "$work/v$number.2" "$work/watched/watched.tsv" "$1" json --packets
    same "$1 threads: logs" "$work/b2" "$work/v$number.2"
    rm -rf "$work/v$number".*
}

for threads in 2 3 4 7; do variant $threads; done
do_list "$work/t2" "$work/plain/plain.tsv" 2 text --verbose
same '2 threads: text' "$work/b3" "$work/t2"

# Routers that end the simulation or fail their own checks (tests/foreign/hostile.sv).
mkdir hostile
for packet in 17 18 30 $( ((wide)) && echo 21 22 25 26); do
    echo "8	cube:3 shift:q=5,m=1024 --packet $packet --top hostile" \
        "--rtl $source_root/tests/foreign/hostile.sv,$source_root/rtl/ec_router.sv"
done >hostile/list.tsv
do_list "$work/h0" "$work/hostile/list.tsv" 1 json
equal 'broken routers fail' "$(grep -c 'verdict	"fail"' h0/values)" "$(wc -l <hostile/list.tsv)"
do_list "$work/h3" "$work/hostile/list.tsv" 3 json
same 'broken routers, 3 threads' "$work/h0" "$work/h3"

# Ranks need longer: fewer configurations.
few=$((count / 5))
lists "$work/few" few 0 $((seed + 2000000)) $few

# Ranks of MPI: one start for each run.
ranks_lines=$((wide ? 60 : 3))
do_ranks "$work/b5" "$work/few/few.tsv" $ranks_lines env
for mpi in openmpi mpich; do
    module=$(dirname "$ecube")/../library/parts/mpi/ecube-mpi-$mpi.so
    options=()
    [[ $mpi != openmpi ]] || options=(--oversubscribe --allow-run-as-root)
    if [[ ! -e $module ]] || ! command -v mpirun.$mpi >/dev/null; then
        echo "# no module or no mpirun.$mpi: ranks are not tested"
        continue
    fi
    for ranks in 2 $( ((wide)) && echo 3 4); do
        do_ranks "$work/r$mpi$ranks" "$work/few/few.tsv" $ranks_lines "mpirun.$mpi" "${options[@]}" -n "$ranks"
        same "$ranks ranks of $mpi" "$work/b5" "$work/r$mpi$ranks"
    done
done

if ((wide)); then
    for threads in 2 3 4 7; do
        exits "all rows of the baseline with $threads threads" 0 regress --no-failure-wave --threads $threads
    done
fi
done_testing
