#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Killed processes: a list is ended by a signal at each of its system calls in turn, in the program or in a worker, and
# resumed: the results are the same. No process is left, no result is lost that the journal had.
. "$(dirname "$0")/lib.sh"
make_inputs
for seed in 1 2 3; do echo "cube:3 uniform:rate=0.2,m=4 --cycles 300 --seed $seed"; done >>list.txt
"$shims/inject" --calls write --at 0 true
if (($? == 77)); then
    echo '1..0 # SKIP the system does not allow seccomp notifications'
    exit 0
fi
calls=write,writev,pwritev,openat,rename,renameat,renameat2,close,sendto,poll,ppoll,read,clone,clone3,unlink,unlinkat
list=(run --from list.txt --jobs 2 --format json --quiet --output r.json)
"$shims/inject" --calls $calls --at 0 --count count "$ecube" "${list[@]}"
plain r.json >right
lines=$(wc -l <right)
rm -f r.json*

# ends AT SIGNAL: the process that makes that call gets the signal; then the list is resumed.
ends()
{
    timeout $patience "$shims/inject" --calls $calls --at "$1" --signal "$2" "$ecube" "${list[@]}" >out 2>err </dev/null
    status=$?
    # 99: processes are left. Kept results need no resuming if the list was not ended.
    ((status != 99 && status != 124)) || found "signal $2 at call $1: status $status"
    if [[ -e r.json ]] && ! jq -e . r.json >/dev/null 2>&1; then
        found "signal $2 at call $1: an output that is not whole"
    fi
    timeout $patience "$ecube" "${list[@]}" --resume >out 2>err </dev/null
    status=$?
    { ((status == 0)) && cmp -s <(plain r.json) right; } || found "signal $2 at call $1, resumed: status $status: $(head -c 200 err)"
    [[ -z $(ls -d r.json?* 2>/dev/null) ]] || found "signal $2 at call $1: left $(echo r.json?*)"
    rm -f r.json*
}

total=$(<count) trials=0
check 'a list of six lines makes some hundred calls' test "$total" -gt 100 -a "$lines" = 6
for at in $(pick "$total" 10); do
    signals=(9 15 2 9 1)
    ends "$at" "${signals[RANDOM % 5]}"
    trials=$((trials + 1))
done
report 'a list that is killed and resumed' "$trials"

# The program and its workers stopped and continued: their clocks go on, which must not look like a hang.
ECUBE_CYCLE_SECONDS=1 "$ecube" run --from list.txt --jobs 2 --quiet --output s.txt &
child=$!
for i in {1..3}; do
    kill -s STOP $child 2>/dev/null
    pkill -STOP -P $child 2>/dev/null
    sleep 0.2
    pkill -CONT -P $child 2>/dev/null
    kill -s CONT $child 2>/dev/null
done
wait $child
equal 'a list that is stopped and continued' "$? $(grep -c ^PASS s.txt)" '0 6'

# A worker that is killed loses its line only.
printf 'cube:3 shift:q=1\ncube:3 uniform:rate=0.2,m=8 --cycles 100000000000\ncube:3 shift:q=2\n' >endless.txt
"$ecube" run --from endless.txt --jobs 2 --output w.txt >out 2>err &
child=$!
killed=
until [[ -n $killed ]] || ! kill -0 $child; do
    for worker in $(pgrep -P $child); do
        if (($(awk '{ print $14 }' "/proc/$worker/stat") > 20)); then
            kill -s KILL "$worker"
            killed=$worker
        fi
    done
    sleep 0.02
done
wait $child
equal 'the other lines are done' "$(grep -c ^PASS w.txt)" 2
contains 'and the loss is named' err 'endless.txt:2'

# kill -9 of the program: its workers end.
"$ecube" run --from endless.txt --jobs 2 --output k.txt >out 2>err &
child=$!
until [[ -n $(pgrep -P $child) ]] || ! kill -0 $child; do sleep 0.02; done
sleep 0.2
workers=$(pgrep -P $child)
kill -s KILL $child
wait $child 2>/dev/null
for i in {1..500}; do
    left=$(for w in $workers; do [[ -e /proc/$w && $(awk '{ print $3 }' "/proc/$w/stat" 2>/dev/null) != Z ]] && echo "$w"; done)
    [[ -n $left ]] || break
    sleep 0.02
done
equal 'no worker survives the program' "$left" ''

# The compiler of a shape: the program is killed while it runs, and the next one builds the shape.
if [[ -n $long ]]; then
    export ECUBE_CACHE=$work/cold
    for delay in 0.05 0.3 0.8 1.5 2.5; do
        "$ecube" run ring:3 shift:q=1 --quiet >out 2>err &
        child=$!
        sleep $delay
        kill -s KILL $child 2>/dev/null
        wait $child 2>/dev/null
    done
    exits 'a shape whose builds were killed is built' 0 run ring:3 shift:q=1 --quiet
    sleep 5
    exits 'and its leftovers are removed by the next build' 0 run ring:3 shift:q=1 --quiet --wave w.fst
    equal 'the cache has no unfinished entry' "$(find "$work/cold" -name 'tmp*')" ''
    for signal in TERM INT; do
        rm -rf "$work/cold"
        env --default-signal=INT "$ecube" run ring:3 shift:q=1 --quiet >out 2>err &
        child=$!
        sleep 1.2
        kill -s $signal $child
        wait $child
        equal "SIG$signal ends the build" "$?" 130
        equal 'with its compilers, and leaves nothing' "$(pgrep -f "$work/cold")$(find "$work/cold" -name 'tmp*')" ''
    done
fi

# Two signals at once, as by timeout(1), which signals its child and then its process group: the program ends its tools
# and its workers, and leaves no file and no folder of an unfinished entry. (The signals of the terminal reach workers,
# too.)
export ECUBE_CACHE=$work/twice
sed 's/^  parameter int DepthMax = 4,/&\n  parameter int Low = 0,/' "$source_root/tests/foreign/vr_router.sv" >placed.sv
placed=(--rtl "placed.sv,$source_root/tests/foreign/vr_switch.sv" --top vr_router --parameter Low=%x0)
printf '%s\n' 'ring:3 shift:q=1' 'mesh:3x3 transpose' 'cube:3 shift:q=1 --router vcs=2' >shapes.txt
trials=0

# tools CHILD: how many it has started; each leads a process group in the session of the program.
tools()
{
    ps -s "$1" -o pid=,pgid= 2>/dev/null | awk -v program="$1" '$1 == $2 && $1 != program { n++ } END { print n + 0 }'
}

# left_of CHILD: the processes of its session. A tool that only says its version or its folder ends by itself, and the
# system may need a moment for one that was killed.
left_of()
{
    local left i
    for i in {1..200}; do
        left=$(ps -s "$1" -o stat=,pid=,args= |
            awk '$1 !~ /^Z/ && !/ --(version|getenv VERILATOR_ROOT)$/ { print substr($0, 1, 100) }')
        [[ -n $left ]] || return
        sleep 0.05
    done
    echo "$left"
}

# doubly TOOLS ARGUMENTS...: two signals as soon as that many tools are at work, or later.
doubly()
{
    local least=$1 child left signals=(INT TERM HUP) signal
    shift
    signal=${signals[RANDOM % 3]}
    rm -rf twice work
    setsid env --default-signal=INT "$ecube" "$@" >out 2>err </dev/null &
    child=$!
    until (($(tools $child) >= least)) || ! kill -0 $child 2>/dev/null; do sleep 0.01; done
    sleep 0.$((RANDOM % 8))
    kill -s "$signal" $child && kill -s "$signal" -- -$child
    wait $child 2>/dev/null
    status=$?
    left=$(left_of $child)$(find twice -name 'tmp.*' 2>/dev/null)$(find . -maxdepth 1 -name '[rs].*.tmp.*')
    [[ -z $left ]] || found "SIG$signal twice, ecube $*: left $left"
    ((status > 128)) || found "SIG$signal twice, ecube $*: status $status: $(head -c 200 err)"
    trials=$((trials + 1))
}
for ((i = 0; i < ${long:+1} + 1; i++)); do
    doubly 2 run --from shapes.txt --jobs 2 --output r.txt
    [[ -n $long ]] || break
    doubly 2 tile build ring:3 mesh:3x3 cube:3
    doubly 1 run ring:3 shift:q=1 --quiet --output r.txt
    doubly 1 run cube:3 shift:q=1 "${placed[@]}" --quiet
    doubly 2 run cube:3 shift:q=1 "${placed[@]}" --quiet
    doubly 2 regress shapes.txt --update --jobs 2
    doubly 1 sweep ring:3 uniform:m=4 --rates 0.1,0.2 --cycles 1000 --format csv --output s.csv
    doubly 1 compare tiles flat ring:3 shift:q=1 --quiet
    doubly 1 tile check ring:3
    if command -v yosys >/dev/null && command -v yosys-abc >/dev/null; then
        doubly 1 tile prove cube:2
        doubly 1 tile mutate cube:2 --count 5 --jobs 2 --folder work
        doubly 2 tile mutate cube:2 --count 5 --jobs 2 --folder work
    fi
done
report 'two signals while tools are at work' "$trials"

# A worker gets two signals in one go, because it did not run when they came: the one of the terminal, and the order of
# its parent to end at once (AT_ONCE in harness/program/terminal/vitals.c). It must end its tools before.
rm -rf twice
setsid env --default-signal=HUP "$ecube" tile build ring:3 >out 2>err </dev/null &
child=$!
until pgrep -s $child -f 'verilator_bin --cc' >/dev/null || ! kill -0 $child; do sleep 0.01; done
worker=$(pgrep -P $child)
kill -s STOP "$worker"
kill -s HUP "$worker"
env kill -s TERM -q $((0x65637562)) "$worker"
kill -s CONT "$worker"
wait $child 2>/dev/null
equal 'two signals in one go leave no tool' \
    "$(left_of $child)$(find twice -name 'tmp.*')" ''

done_testing
