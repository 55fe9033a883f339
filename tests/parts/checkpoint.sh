#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run that was saved, ended and continued has the result of one that was not: the whole JSON but for host figures, and
# the exit status, with other numbers of threads before and after; and whatever ends a run leaves a whole checkpoint.
#
#   checkpoint.sh PROGRAM [long]
#   COUNT=200 SEED=7 checkpoint.sh PROGRAM long      other configurations, and more of them
. "$(dirname "$0")/../cli/lib.sh"
wide=0
[[ ${2:-} != long ]] || wide=1

# shellcheck disable=SC2016 # Markdown
mapfile -t host < <(sed -n 's/^| `\([a-z_]*\)` |[^|]*| host figure: .*/\1/p' "$source_root"/docs/output/*.md | sort -u)
((${#host[@]} >= 7)) || { echo 'Bail out! docs/output/ has no host figures'; exit 1; }

# result FILE: what must be equal. The router of a run with checkpoints is compiled in another way.
result()
{
    local IFS=,
    jq -S --arg host "${host[*]}" 'del(.command, .shape_key, .[$host / "," | .[]])' "$1" 2>/dev/null
    echo "status $status"
}

# saved COMMAND THREADS FROM FILE EVERY: write checkpoints, with so many threads; FROM: continue there.
saved()
{
    local words
    read -ra words <<<"$1"
    [[ -z $3 ]] || words=(--restart "$3")
    [[ -z $3 ]] && words+=(--no-failure-wave)
    run run "${words[@]}" --threads "$2" --format json ${4:+--checkpoint "$4" --every "$5"}
}

# cycles_of PART: cycles between two checkpoints: the first one is after that part of the run.
cycles_of() { jq --argjson part "$1" '.simulated_cycles * $part | floor + 1' base; }

# compare COMMAND THREADS...: save with the first number of threads, continue with each of the others in turn, and save
# again before the last. A run whose parts fail is repeated in one part, whose result is right: so its parts are counted.
compare()
{
    local command=$1 from='' last sentence part=(0.55 0.8 1)
    local -a threads=("${@:2}")
    sentence="$command: ${threads[*]} threads"
    # shellcheck disable=SC2086 # words
    run run $command --no-failure-wave --format json
    cp out base
    result out >expected
    rm -f ./*.ck
    for ((k = 0; k < ${#threads[@]}; k++)); do
        last=$((k + 1 == ${#threads[@]}))
        saved "$command" "${threads[k]}" "$from" "$( ((last)) || echo $k.ck)" "$(cycles_of "${part[k]}")cycles"
        result out >got
        if ! cmp -s expected got || { ((!status)) && [[ $(jq .parts out) != "${threads[k]}" ]]; }; then
            fail "$sentence" "step $((k + 1)): $(jq .parts out) parts" "$(diff expected got | head -n 6)"
            return
        fi
        ((last)) || from=$k.ck
        [[ -e $from ]] || { ((wide)) && return; fail "$sentence" "no checkpoint $k"; return; }
    done
    pass "$sentence"
}

handshake=$source_root/harness/library/example/routers/handshake/files.f

cat >trace.csv <<'END'
id,cycle,src,dst,words,after,delay
1,1,0,5,40,,0
2,1,3,9,64,,0
3,10,5,2,30,1,0
4,10,9,12,90,2,0
5,10,12,12,0,4,40
6,60,12,0,50,5,0
7,60,2,7,300,3 4,5
8,70,12,0,50,,0
END
if ((!wide)); then
    compare 'torus:4x4 shift:q=5,m=64' 1 3 2
    compare 'torus:4x4 shift:q=5,m=64 --packet 16 --startup 200' 3 1 2
    compare 'torus:4x4 transpose:m=40 --eject-stall 0.5' 2 3 1
    compare 'torus:4x4 trace:file=trace.csv' 1 3 1
    compare 'torus:4x4 uniform:rate=0.3,m=6 --router routing=valiant --cycles 3000' 1 3 1
    compare 'mesh:4x4 uniform:rate=0.3,m=6 --router order=class --cycles 3000' 1 3 1
    compare 'torus:4x4 uniform:m=4,rate=0.2 --warmup 500 --cycles 3000' 1 3 1
    compare 'torus:4x4 uniform:m=8,rate=0.3 --precision 20% --cycles 40000' 1 2 3
    compare 'torus:4x4 mix:of=uniform@2+hotspot:node=4@1,rate=0.05,m=5,reply=3,queue=2,outstanding=2 --cycles 4000 --router va=dynamic,vcs=4' 1 3 2
    compare 'torus:4x4 uniform:rate=0.1,m=1..20,reply=9 --router va=dynamic,vcs=4 --packet 4 --cycles 4000' 1 3 1
    compare 'torus:4x4 uniform:rate=0.3,m=6 --engine simd --cycles 3000' 1 1 3
    compare 'torus:4x4 uniform:rate=0.6,m=16 --router vcs=1 --cycles 2000' 3 3 2
else
    compare 'torus:4x4 shift:q=5,m=64' 1 1 1
    compare 'torus:4x4 shift:q=5,m=64 --router link=3 --packet 16 --startup 10' 3 1 2
    compare 'torus:4x4 tornado:m=400 --router dateline=off --interval 50' 1 2 1
    compare 'torus:4x4 shift:q=5,m=64 --algorithm forward' 3 1 3
    compare 'torus:4x4 uniform:m=8,rate=0.3 --precision 20% --cycles 40000' 3 1 2
    compare 'torus:4x4 uniform:rate=0.1,m=1..20,reply=9 --router va=dynamic,vcs=4 --packet 4 --cycles 4000' 2 1 3
    compare 'torus:4x4 uniform:rate=0.3,m=6 --router routing=adaptive,va=dynamic,vcs=4 --cycles 3000' 1 3 1
    compare 'dragonfly:2,4,2 uniform:m=4,rate=0.1 --router vcs=2,depth=16 --cycles 3000' 2 3 1
    compare "mesh:4x4 transpose:m=64 --router vcs=1 --top hs_adapter --file-list-here $handshake" 1 3 1
    exits 'a router that keeps its order is refused' 2 run mesh:4x4 transpose:m=64 --router vcs=1,routing=minimal,ordered=yes \
        --top hs_adapter --file-list-here "$handshake" --checkpoint b.ck
    contains 'by name' err 'ordered=yes'
    awk -f "$source_root/tests/parts/cases.awk" -v watched=0 -v wide=0 -v seed="${SEED:-4}" -v count="${COUNT:-60}" \
        </dev/null >cases.tsv
    while IFS=$'\t' read -r nodes command; do
        ((nodes >= 3)) || continue
        for order in '1 3 2' '3 1 3' '2 3 1'; do
            # shellcheck disable=SC2086 # words
            compare "$command" $order
        done
    done <cases.tsv
fi

# --- Ranks of MPI ---------------------------------------------------------------------------------------------------

ranked='torus:4x4 uniform:rate=0.1,m=1..20,reply=9 --router va=dynamic,vcs=4 --packet 4 --cycles 4000'
module=$(dirname "$ecube")/../library/parts/mpi/ecube-mpi-openmpi.so
if [[ -e $module ]] && command -v mpirun.openmpi >/dev/null; then
    export OMPI_MCA_mpi_yield_when_idle=1
    ranks=(mpirun.openmpi --oversubscribe --allow-run-as-root -n 2 "$ecube" run)
    # shellcheck disable=SC2086 # words
    run run $ranked --format json
    result out >expected
    # shellcheck disable=SC2086
    timeout 60 "${ranks[@]}" $ranked --format json --checkpoint m.ck --every 3000cycles >out 2>err </dev/null
    status=$?
    result out >got
    check 'two ranks write a checkpoint' cmp -s expected got
    run run --restart m.ck --threads 3
    result out >got
    check 'which three threads continue' cmp -s expected got
    timeout 60 "${ranks[@]}" --restart m.ck --threads 2 >out 2>err </dev/null
    status=$?
    result out >got
    check 'and two ranks' cmp -s expected got
else
    echo "# no module or no mpirun.openmpi: ranks are not tested"
fi

# --- Ends -----------------------------------------------------------------------------------------------------------

long='torus:4x4 uniform:m=8,rate=0.3 --warmup 5000 --cycles 200000 --format json -q'
# shellcheck disable=SC2086 # words
run run $long
result out >expected
kept=0
for ((i = 0; i < (wide ? 60 : 2); i++)); do
    rm -f k.ck
    # shellcheck disable=SC2086
    setsid "$ecube" run $long --checkpoint k.ck --every 2000cycles >/dev/null 2>&1 &
    victim=$!
    for _ in {1..200}; do [[ ! -e k.ck ]] || break; sleep 0.05; done
    sleep 0.$((RANDOM % 90 + 10))
    kill -9 -- -$victim 2>/dev/null # if it has not ended before
    wait $victim 2>/dev/null
    run run --restart k.ck --threads $((i % 3 + 1))
    result out >got
    if cmp -s expected got; then kept=$((kept + 1)); else fail "kill -9 leaves a whole checkpoint ($i)" "$(diff expected got | head -n 5)"; fi
done
equal 'all runs that are killed can be continued' "$kept" "$i"

# shellcheck disable=SC2086
"$ecube" run $long --checkpoint i.ck --every 2000cycles >out 2>err &
for _ in {1..200}; do [[ ! -e i.ck ]] || break; sleep 0.05; done
kill -TERM $!
wait $!
equal 'an interrupt keeps its status' "$?" 130
run run --restart i.ck
result out >got
check 'an interrupted run is continued' cmp -s expected got

# --- Files ----------------------------------------------------------------------------------------------------------

run run torus:4x4 shift:q=5,m=64 --checkpoint a.ck --every 100cycles
head -c 9000 a.ck >truncated.ck
cp a.ck damaged.ck
printf X | dd of=damaged.ck bs=1 seek=9000 conv=notrunc status=none
echo text >text.ck
sed 's/(build ./(build #/' a.ck >other.ck
refused 2 'truncated' run --restart truncated.ck
refused 2 'another hash' run --restart damaged.ck
refused 2 'not a checkpoint' run --restart text.ck
refused 2 'another hash' run --restart other.ck
refused 2 'not a regular file' run --restart .
cp "$ecube" other
echo >>other # another program, which does the same
ECUBE_DATA=$source_root ./other run torus:4x4 shift:q=5,m=64 --checkpoint b.ck --every 100cycles >out 2>err
refused 2 'was written by ecube' run --restart b.ck
refused 2 'cannot read none.ck' run --restart none.ck
refused 2 '--seed beside --restart' run --restart a.ck --seed 4
refused 2 "'cube:3' beside --restart" run --restart a.ck cube:3
refused 2 'expected a number' run cube:3 shift:q=1 --checkpoint b.ck --every 5
refused 2 'cannot write' run torus:4x4 shift:q=5,m=64 --checkpoint none/b.ck
for option in '--packets --format json' '--wave w.fst' '--events e' '--backend flat' '--backend systemc' '--report r.html'; do
    # shellcheck disable=SC2086
    refused 2 '--checkpoint cannot be combined' run torus:4x4 shift:q=5,m=64 --checkpoint b.ck $option
done
exits 'a run goes on without a checkpoint on a full disk' 0 run torus:4x4 shift:q=5,m=64 --checkpoint /dev/full \
    --every 100cycles
contains 'and says why' err 'No space left'
done_testing
