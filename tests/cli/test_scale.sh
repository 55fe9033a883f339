#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ecube scale`: its rows, its formats, and what it refuses. Times differ from machine to machine, so only
# what does not depend on them is checked; the model has a unit test.
. "$(dirname "$0")/lib.sh"

case=(cube:4 uniform:rate=0.2,m=4)
quick=(--time 0.1 --quiet)

# holds SENTENCE FILTER: it is true of the JSON in out.
holds()
{
    if jq -e "$2" out >/dev/null; then pass "$1"; else fail "$1" "not true: $2"; fi
}

# --- What is wrong is refused before anything is measured.
for list in 0 2,1 2,2 a 1, ...,4 2,... 5000 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17; do
    refused 2 'ascending numbers' scale "${case[@]}" --ranks "$list"
done
refused 2 '--threads x' scale "${case[@]}" --threads x
refused 2 '--latency' scale "${case[@]}" --latency 0
refused 2 '--latency 50%: expected a number from' scale "${case[@]}" --latency 50%
refused 2 '4,2: a number is not above the one before' scale "${case[@]}" --ranks 4,2
refused 2 '2,...,8192: a number is out of range' scale "${case[@]}" --ranks 2,...,8192
refused 2 'cube:4 has 16 nodes' scale "${case[@]}" --threads 17 "${quick[@]}"
refused 2 'only random traffic' scale cube:5 shift:q=3,m=4 --nodes 16
refused 2 'beyond its saturation' scale mesh:8x8 uniform:rate=0.6,m=4 --nodes 16
refused 2 'missing WORKLOAD' scale cube:3
printf '%s\n' 0,0 1,1 >identity.csv
refused 2 'no word uses the network' scale cube:1 perm:file=identity.csv "${quick[@]}"

# --- One row per split, ranks first; what has more parts than nodes is left out.
exits 'JSON' 0 scale "${case[@]}" "${quick[@]}" --ranks 2,...,8 --threads 1,4 --format json
equal 'has its schema' "$(jq -r .schema out)" ecube-scale-1
equal 'has the splits in order' "$(jq -c '[.rows[] | [.ranks, .threads]]' out)" \
    '[[1,1],[1,4],[2,1],[2,4],[4,1],[4,4],[8,1]]'
equal 'has the sizes of parts' "$(jq -c '[.rows[].routers]' out)" '[16,4,8,2,4,1,2]'
equal 'has the neighbours of ranks' "$(jq -c '[.rows[].rank_neighbours]' out)" '[0,0,1,1,2,2,3]'
holds 'one part neither swaps nor waits' '.rows[0] | .swap_us + .network_us + .waiting_us == 0'
holds 'every term is at least 0' '[.rows[] | .work_us, .waiting_us, .swap_us, .network_us | . >= 0] | all'
holds 'speedup is relative to one part' '.rows[0].speedup == 1 and .rows[0].efficiency == 1'
holds 'two halves exchange the words of 8 links, more than nothing' '.rows[2].leaving > 0.1 and .rows[2].leaving < 8'
holds 'the best split is one of the rows' '[[.best_ranks, .best_threads]] - [.rows[] | [.ranks, .threads]] == []'
holds 'all times are positive' '.router_ns + .word_ns > 0 and all(.rows[]; .cycles_per_second > 0)'

exits 'a verification' 0 scale "${case[@]}" "${quick[@]}" --ranks 2 --threads 1 --verify --format json
holds 'runs the case in as many threads as there are processors, not in ranks' \
    '.rows[0].measured_cycles_per_second > 0 and .rows[1].measured_cycles_per_second == null and .measured_ranks == null'
x='(.rows[0] | .measured_ratio * .cycles_per_second / .measured_cycles_per_second)'
holds 'and compares' "$x > 0.99 and $x < 1.01"
exits 'CSV' 0 scale "${case[@]}" "${quick[@]}" --ranks 2 --threads 1 --format csv
equal 'has a header and a row per split' "$(wc -l <out)" 3
exits 'text' 0 scale "${case[@]}" --time 0.1 --ranks 2,...,64 --threads 1
contains 'says which parts are small' out '3 splits have parts of fewer than 8 routers'
equal 'no cost is 0' "$(grep -c ' 0 ns' out)" 0
contains 'says how many splits are left out' out '2 splits are left out'
contains 'has the table of networks' out 'link delay from which'

# --- A network that is slower costs more; link delay helps unless messages wait for others.
slow=(--ranks 2 --threads 1 --latency 1000 --format json)
exits 'a slow network' 0 scale "${case[@]}" "${quick[@]}" "${slow[@]}"
holds 'costs its latency' '.rows[1].network_us > 1000 and .rows[1].epoch == 1 and .best_ranks == 1'
exits 'with link delay' 0 scale "${case[@]}" "${quick[@]}" "${slow[@]}" --router link=8
holds 'costs an eighth' '.rows[1].network_us < 200 and .rows[1].epoch == 8'
exits 'a schedule' 0 scale cube:3 shift:q=3,m=8 --algorithm ecube-steps "${quick[@]}" "${slow[@]}" --router link=8
holds 'cannot look ahead' '.looks_ahead == false and .rows[1].epoch == 1'

# --- Every kind of network, also one that is not run itself.
for case in 'ring:32 uniform:rate=0.05,m=4' 'mesh:8x8 transpose:m=16' 'torus:4x8 tornado:m=8' 'cube:10 uniform:rate=0.2,m=8 --nodes 64'; do
    # shellcheck disable=SC2086
    exits "$case" 0 scale $case "${quick[@]}" --ranks 2,3 --threads 1 --format json
    holds "$case is predicted" '(.rows | length) == 3 and .words > 1'
done
# --- Under MPI the network is measured.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for mpi in openmpi mpich; do
    module=$(dirname "$ecube")/../parts/mpi/ecube-mpi-$mpi.so
    if [[ ! -e $module ]] || ! command -v mpirun.$mpi >/dev/null; then
        echo "# no module or no mpirun.$mpi: ranks are not tested"
        continue
    fi
    timeout 60 mpirun.$mpi -n 2 "$ecube" scale cube:3 uniform:rate=0.2,m=4 "${quick[@]}" --threads 1 --ranks 2 \
        --verify --format json >out 2>err </dev/null
    equal "$mpi: status" $? 0
    holds "$mpi: two ranks measure their network and verify the prediction for it" \
        '.measured_ranks == 2 and .latency_us > 0 and all(.rows[]; .measured_cycles_per_second > 0)'
done
done_testing
