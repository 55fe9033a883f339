#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ranks of MPI: one run; refusals, also of lists; ranks that are interrupted or killed.
#
#   ranks.sh PROGRAM UNIT_EXCHANGE [long]
#
# Without "long" only what takes little time, most of it with MPICH, whose ranks start faster.
# shellcheck disable=SC2030,SC2031 # subshells have their own environment
exchange=$(realpath "$2")
. "$(dirname "$0")/../cli/lib.sh"
long=${3:-}
touch out err
export OMPI_MCA_orte_execute_quiet=1 # no banner of mpirun at the end of a failed rank
# In a build with sanitizers: both libraries leak memory of their own, and a library is preloaded below.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:verify_asan_link_order=0
# The host figures of a result.
figures='del(.seconds, .cpu_seconds, .peak_rss_bytes, .router_cycles_per_second, .command, .parts, .threads, .ranks)'

# use MPI: start ranks with it from now on.
use()
{
    mpi=$1
    launcher=("mpirun.$mpi")
    [[ $mpi != openmpi ]] || launcher+=(--oversubscribe --allow-run-as-root)
}

# ranks ARGUMENTS...: those of mpirun; results in $status, out and err, where "err" has the lines of ecube.
ranks()
{
    timeout 300 "${launcher[@]}" "$@" >"$work/out" 2>"$work/all" </dev/null
    status=$?
    complaints >"$work/err"
}

# What ecube says, without its progress: on a busy machine there is some.
complaints()
{
    grep '^ecube: ' "$work/all" | grep -vE ' \([0-9]+ s\)$'
}

# says SENTENCE STATUS WORD ARGUMENTS...: this status, and one line on standard error, with this word.
says()
{
    local sentence="$mpi: $1" expected=$2 word=$3
    shift 3
    ranks "$@"
    if [[ $status == "$expected" && $(wc -l <err) == 1 && ! -s out ]] && grep -qF -- "$word" err; then
        pass "$sentence"
    else
        fail "$sentence" "exit status $status, expected $expected and one line with '$word'"
    fi
}

# one_run N OPTION...: the same result as without ranks.
one_run()
{
    local n=$1
    shift
    "$ecube" run "${network:=cube:4}" uniform:rate=0.2,m=4 --cycles 500 --format json "$@" >one
    ranks -n "$n" "$ecube" run "$network" uniform:rate=0.2,m=4 --cycles 500 --format json "$@"
    equal "$mpi: $n ranks have the result of one process on $network${*:+, with }$*" "$(jq -S "$figures" one)" "$(jq -S "$figures" out)"
    equal "$mpi: and say so" "$n" "$(jq .ranks out)"
}

refusals()
{
    says 'bad usage is reported once' 2 'WORKLOAD' -n 2 "$ecube" run cube:3
    says 'ranks with different commands are refused' 2 'expected the same command' \
        -n 1 "$ecube" run cube:3 shift:q=1,m=8 : -n 1 "$ecube" run cube:3 shift:q=2,m=8
    says 'more ranks than nodes are refused' 2 'too few for 3 ranks' -n 3 "$ecube" run cube:1 shift:q=1
    mkdir -p data/harness/library/shape
    cp -r "$source_root/rtl" data
    cp -r "$source_root/harness/library/shape/shim" data/harness/library/shape
    echo '// another version' >>data/rtl/ec_fifo.sv
    says 'ranks of different versions are refused' 5 'have different RTL' -n 1 "$ecube" run cube:3 shift:q=1,m=8 : \
        -n 1 env ECUBE_DATA="$PWD/data" "$ecube" run cube:3 shift:q=1,m=8
    says 'an output that cannot be written ends all ranks' 2 '/nowhere/x' \
        -n 2 "$ecube" run cube:3 shift:q=1,m=8 --output /nowhere/x
    says 'a log that cannot be written, too' 2 '/nowhere/y' -n 2 "$ecube" run cube:3 shift:q=1,m=8 --events /nowhere/y
    mkdir -p empty
    says 'a rank without a compiler ends all ranks' 5 'rank 1 on ' -n 1 "$ecube" run cube:3 shift:q=1,m=8 : \
        -n 1 env PATH=/nowhere ECUBE_CACHE="$PWD/empty" "$ecube" run cube:3 shift:q=1,m=8
}

# Processes that a launcher has started, but that cannot find each other.
lonely()
{
    SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 refused 2 'srun started 4 processes' run cube:3 shift:q=1,m=8
    SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 ECUBE_MPI=none exits 'they may be independent' 0 run cube:3 shift:q=1,m=8
    ECUBE_MPI=lam refused 2 'openmpi, mpich or none' run cube:3 shift:q=1,m=8
    use mpich
    says "the module of another MPI is refused" 2 "connects only 1" -n 2 env ECUBE_MPI=openmpi "$ecube" run cube:3 shift:q=1,m=8
}

# gives_up WHAT WORD: the job fails, and says why. A rank that waits for rank 0 in vain says so, too, and the status of
# a job that it ends is up to MPICH's launcher: 15, 143 or 255.
gives_up()
{
    check "$mpi: $1: the status is $status" test $((status * (124 - status))) -ne 0
    check "$mpi: $1, which it says" grep -qF -- "$2" err
    equal "$mpi: $1, and nothing else" '' "$(grep -vF -- "$2" err)"
}

# Programs of ecube without the module of their MPI, and an MPI without threads.
crippled()
{
    mkdir -p lone
    cp "$ecube" lone
    ranks -n 2 env ECUBE_DATA="$source_root" "$work/lone/ecube" run cube:3 shift:q=1,m=8
    gives_up 'without its module ranks are refused' "ecube-mpi-$mpi.so is missing; build ecube with -Dmpi=enabled"
    echo 'int PMPI_Init_thread(int *, char ***, int, int *);
        int MPI_Init_thread(int *c, char ***v, int wanted, int *level) {
            int error = PMPI_Init_thread(c, v, wanted, level);
            *level = 0;
            return error;
        }' >single.c
    cc -shared -fPIC -o single.so single.c
    ranks -n 2 env LD_PRELOAD="$PWD/single.so" "$ecube" run cube:3 shift:q=1,m=8
    gives_up 'without threads ranks are refused' 'built without support of threads'
}

lists()
{
    printf 'cube:3 shift:q=%d,m=16
' 1 2 >list
    says 'a list is refused' 2 'can share one run, but no list' -n 2 "$ecube" run --from list
    says 'a sweep is refused' 2 'can share one run, but no list' -n 2 "$ecube" sweep cube:3 uniform --rates 0.1
    says 'a regression is refused' 2 'can share one run, but no list' -n 2 "$ecube" regress
    ECUBE_MPI=none ranks -n 2 "$ecube" run --from list --format json
    equal "$mpi: two independent lists are not" "$status $(wc -l <out)" '0 4'
}

# start COMMAND...: in the background, in a process group of its own; sets $pid.
start()
{
    setsid "$@" >out 2>all </dev/null &
    pid=$!
}

# process RANK worker|parent: the process of this rank.
process()
{
    local p parent of
    for p in $(pgrep -f "^$ecube run .*$work/big"); do
        [[ $(tr '\0' '\n' <"/proc/$p/environ" | grep -cxE "(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1") == 1 ]] 2>/dev/null || continue
        parent=$(awk '{ print $4 }' "/proc/$p/stat")
        of=parent
        [[ $(cat "/proc/$parent/comm") != ecube ]] || of=worker
        [[ $of != "$2" ]] || echo "$p"
    done 2>/dev/null | head -n 1
}

# ended SENTENCE SIGNAL: the launcher ends before its time limit, with a status other than 0, and nothing is left.
ended()
{
    local status i
    wait "$pid"
    status=$?
    # MPICH's launcher may forget the status of a rank that is interrupted.
    if [[ $2 != 9 && $mpi == mpich ]]; then
        check "$mpi: $1: the status is $status" test $status -ne 124
    else
        check "$mpi: $1: the status is $status" test $((status * (124 - status))) -ne 0
    fi
    for ((i = 0; i < 200; i++)); do
        [[ -n $(pgrep -f "^$ecube run .*$work/big") ]] || break
        sleep 0.1
    done
    check "$mpi: $1: no process is left" test -z "$(pgrep -f "^$ecube run .*$work/big")"
}

# blames WORDS: rank 1 says this of itself. MPICH's launcher ends a rank as soon as its connection closes, often before it
# can speak, and its library may abort rank 0 at the same time: nothing is certain there but the status.
blames()
{
    [[ $mpi == mpich ]] || check "$mpi: it is rank 1" grep -qE "^ecube: rank 1 on .* $1" all
}

# killed SIGNAL RANK worker|parent SECONDS
killed()
{
    rm -f big.json*
    start timeout 300 "${launcher[@]}" -n 2 "$ecube" run cube:4 uniform:rate=0.2,m=4 --cycles 400000000 --output "$work/big.json"
    # Ranks start slowly on a busy machine, or with sanitizers.
    while kill -0 "$pid" 2>/dev/null && [[ -z $(process "$2" worker) ]]; do sleep 0.1; done
    # One that is interrupted has a result if the run has begun: then there is progress.
    [[ $1 == 9 ]] || until grep -q 'router-cycles/s' all || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    sleep "$4"
    kill "-$1" "$(process "$2" "$3")"
    ended "signal $1 for the $3 of rank $2" "$1"
    if [[ $1 == 9 ]]; then
        check "$mpi: and no result" test ! -e big.json
        [[ $2$3 != 1worker ]] || blames 'was killed by signal 9'
    else
        equal "$mpi: and a complete result" '"interrupted"' "$(jq .outcome big.json.partial)"
    fi
}

# A rank that is stopped for longer than 30 s is named, and the run goes on when it does.
stopped()
{
    local victim status
    start timeout 300 "${launcher[@]}" -n 3 "$ecube" run cube:4 uniform:rate=0.2,m=4 --cycles 400000 --output "$work/big.json"
    until grep -q 'router-cycles/s' all || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    victim=$(process 2 worker)
    kill -STOP "$victim"
    timeout 60 sh -c 'until grep -q "rank 2 on .* has not answered since cycle [1-9]" all; do sleep 1; done'
    equal "$mpi: a rank that does not answer is named" 0 "$?"
    kill -CONT "$victim"
    wait "$pid"
    status=$?
    equal "$mpi: and the run goes on with it" "0 1" "$status $(grep -c 'not answered' all)"
}

units()
{
    local n threads mode
    for n in $1; do
        for threads in $2; do
            ranks -n "$n" "$exchange" "$threads"
            equal "$mpi: messages between $n ranks of $threads threads" 0 "$status"
            for mode in $3; do
                ranks -n "$n" "$exchange" "$threads" "$mode"
                check "$mpi: $n ranks of $threads threads learn of an $mode ($status)" test $((status * (124 - status))) -gt 0
                equal "$mpi: and why" 0 "$(grep -c '\[  FAILED' out)"
            done
        done
    done
}

lonely
for mpi in mpich openmpi; do
    use $mpi
    one_run 2
    network=fattree:4 one_run 2
    if [[ $mpi == mpich || $long ]]; then
        crippled
        refusals
        lists
        killed 9 1 worker 1
        killed TERM 0 parent 1
    fi
done
if [[ $long ]]; then
    for mpi in mpich openmpi; do
        use $mpi
        one_run 3
        one_run 5
        one_run 2 --threads 2
        one_run 3 --threads 3
        stopped
        units '2 3 4' '1 2' 'abort end refusal'
        for rank in 0 1 0 1 0 1; do
            {
                killed 9 $rank worker 0.$((RANDOM % 900 + 100))
                killed 9 $rank parent 0.$((RANDOM % 900 + 100))
                killed TERM $rank worker 1.$((RANDOM % 900 + 100))
                killed INT $rank parent 1.$((RANDOM % 900 + 100))
            }
        done
    done
fi
done_testing
