#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Words in a wrong place or with a wrong separator: the message names the right one, and ecube accepts it.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
printf 'cycle,source,destination,words\n1,0,1,1\n' >file.csv
: >empty.txt

# value WORD: one that its option or key takes.
value()
{
    case $1 in
    vc* | virtual*) echo 2 ;;
    switching) echo wormhole ;;
    order) echo high ;;
    ports) echo all ;;
    dateline*) echo on ;;
    va | allocation) echo dynamic ;;
    ties) echo balanced ;;
    speedup) echo 1 ;;
    routing) echo dor ;;
    stages | pipeline) echo 2 ;;
    rate | load | injection-rate | share | *stall) echo 0.1 ;;
    labels) echo gray ;;
    k | node) echo 1 ;;
    K | elements | sub) echo 2 ;;
    file | trace) echo file.csv ;;
    algorithm | schedule) echo direct ;;
    sync) echo data ;;
    backend) echo tiles ;;
    *) echo 8 ;;
    esac
}

# Every row of the table.
rows=$(sed -n 's/^    {"\([^"]*\)", \([^,]*\), "\([^"]*\)"},$/\1 \2 \3/p' "$source_root/harness/library/base/text.c")
check 'the table of hints is found' test "$(wc -l <<<"$rows")" -ge 40
while read -r word grammar form; do
    value=$(value "$word")
    form=${form//@/$value}
    if [[ $grammar == NULL ]]; then
        refused 2 "did you mean '$form'?" run cube:4 bitrev --router "$word=$value"
        # shellcheck disable=SC2086 # words
        refused 2 'no runs' run --from empty.txt $form
    else
        refused 2 "'$form'?" run cube:4 bitrev "--$word" "$value"
        [[ $form == --* ]] || form="cube:4 $form"
        [[ $form != --* ]] || form="torus:4x4 neighbor $form"
        # shellcheck disable=SC2086
        exits "audit accepts $form" 0 audit $form
    fi
done <<<"$rows"

# offered COMMAND...: all options that the message names are options of this command.
offered()
{
    local word options
    options=$("$ecube" "$@" --help | grep -oE -- '--[a-z-]+')
    while read -r word; do
        run "$@" mesh:2x2 --router "$word=0" # which no key takes
        check "$* has what it suggests for $word" test -z "$(grep -oE -- '--[a-z-]+' err | grep -vxF -- "$options")"
        check 'and no workload' test "$(grep -c 'a key of the workload' err)" -eq 0
    done < <(cut -d ' ' -f 1 <<<"$rows")
}
offered tile check
offered tile build
offered tile prove
offered tile mutate
# ... and of these folders, whose messages `tile check` and `tile prove` print.
for folder in library/contract library/trial library/netlist verify/prove; do
    [[ $folder == */netlist || $folder == verify/* ]] && words=(tile prove) || words=(tile)
    options=$("$ecube" "${words[@]}" --help | grep -oE -- '--[a-z-]+')
    check "there are sources in $folder" test -n "$(ls "$source_root/harness/$folder"/*.c)"
    check "messages of $folder name such options only" test -z "$(grep -ohE '"[^"]* --[a-z][a-z-]+[^"]*"' \
        "$source_root/harness/$folder"/*.c | grep -oE -- ' --[a-z-]+' | tr -d ' ' | grep -vxF -- "$options")"
done
refused 2 "unknown option '--onyl'" tile build mesh:2x2 --onyl
check 'a subcommand suggests its own options' test "$(grep -c 'did you mean' err)" -eq 0

# The value may be joined, or missing; the place must exist on this command line.
refused 2 "did you mean '--router vcs=2'?" run cube:3 shift:q=1 --vcs=2
refused 2 "did you mean '--router vcs=...'?" run cube:3 shift:q=1 --vcs
refused 2 "did you mean '--router vcs=2'?" run cube:3 shift:q=1 -vcs 2
refused 2 "did you mean '--router vcs=2'?" run cube:3 shift:q=1,vcs=2
refused 2 "unknown option '--vcs'" list --vcs 2
check 'list has no routers' test "$(<err)" = "ecube: unknown option '--vcs'"

# A comma separates keys.
refused 2 'rate=0,1: expected a decimal point, rate=0.1, since a comma separates keys' run cube:3 uniform:rate=0,1
refused 2 'rate=0,1: expected a decimal point' run cube:3 hotspot:node=2,rate=0,1
refused 2 "unknown key '8'" run cube:3 shift:q=1,8
refused 2 'with a decimal point' run cube:3 shift:q=1 --eject-stall 0,1

# Topologies, their separators, and the order of arguments.
while read -r given meant; do
    refused 2 "did you mean '$meant'?" run "$given" neighbor
done <<'LIST'
torus:8,8 torus:8x8
torus:8X8 torus:8x8
torus:8*8 torus:8x8
torus8x8 torus:8x8
mesh-4x4x4 mesh:4x4x4
cube3 cube:3
hypercube:3 cube:3
grid:4x4 mesh:4x4
LIST
refused 2 "did you mean 'mesh:8x8'?" run mesh 8x8
refused 2 "did you mean 'mesh:8x8'?" run mesh 8x8 neighbor
refused 2 "did you mean 'cube:3 shift:q=5'?" run shift:q=5 cube:3
refused 2 "did you mean 'shift:q=5'?" run cube:3 shift q=5
refused 2 "did you mean 'shift:q=5'?" run cube:3 shift,q=5
refused 2 "did you mean 'uniform:rate=0.1,m=8'?" run cube:3 uniform:rate=0.1 m=8
refused 2 "did you mean 'shift:q=5'?" run cube:3 shift:5
refused 2 "did you mean 'uniform:rate=0.1'?" run cube:3 uniform:0.1,m=4
refused 2 "did you mean 'shift:rate=0.1'?" run cube:3 shift:0.1
refused 2 "did you mean 'vcs=2'?" run cube:3 shift:q=1 --router 2
refused 2 "unknown key '8': expected rate, m, burst, on, reply, think, queue, outstanding or classes" run cube:3 uniform:8
check 'a number that fits no key has no hint' test "$(grep -c 'did you mean' err)" = 0
refused 2 "did you mean 'vcs=2,depth=8'?" run cube:3 shift:q=1 --router vcs=2 depth=8

# Mixtures, bursts, numbers and lines of lists.
refused 2 "expected '@' in front of a weight" run cube:4 mix:rate=0.1,of=uniform:0.5+transpose:0.5
refused 2 "expected '+' between patterns" run cube:4 mix:rate=0.1,of=uniform,transpose
refused 2 "expected '+' between patterns" run cube:4 mix:rate=0.1,of=uniform@1,transpose@2
refused 2 'uniform:rate=0.1,burst=8,on=0.25' run cube:4 bursty:rate=0.1
refused 2 'use m=8' run cube:3 All-to-all:m=4
refused 2 'expected 2^n nodes' run torus:3x3 broadcast:m=4
refused 2 'trace:file=FILE' run cube:3 multicast
refused 2 'use m=16' run torus:4x4 all-reduce:m=10
refused 2 'use m=32' run torus:4x4 all_gather:m=10,ways=2
refused 2 'expected a ring, a torus or a cube' run mesh:4x4 allreduce:m=16
refused 2 'whose dimensions are rings; got a graph' run fattree:4 allgather:m=16
refused 2 'got a graph: use ecube run' plan fattree:4 allreduce:m=16,by=tree
refused 2 'm=1..4: expected a number of words' run ring:8 alltoall:m=1..4
refused 2 'is not a mixture' run torus:4x4 mix:rate=0.1,of=allreduce:m=16
refused 2 'a workload that reduces' run torus:4x4 allgather:m=16 --combine 1
refused 2 'leave them out' plan torus:4x4 allreduce:m=32,ways=2
refused 2 'by=tree: expected ring' run torus:4x4 allgather:m=32,by=tree
refused 2 'ways=2: expected by=ring' run torus:4x4 allreduce:m=32,by=tree,ways=2
refused 2 'hotspot:node=0' run cube:3 incast
refused 2 "did you mean 'share=0.2'?" run cube:4 hotspot:rate=0.1,share=20%
refused 2 'did you mean 1000?' run cube:4 uniform:rate=0.1 --cycles 1k
refused 2 'did you mean 2000000?' run cube:4 uniform:rate=0.1 --cycles 2M
echo 'ecube run cube:3 bitrev' >commands.txt
refused 2 "commands.txt:1: a line is TOPOLOGY WORKLOAD [OPTION...]: leave out 'ecube'" run --from commands.txt

# Other names of workloads.
refused 2 "did you mean 'bit_reverse'?" run cube:3 bit-reverse
refused 2 "did you mean 'random'?" run cube:3 randmo:rate=0.1

done_testing
