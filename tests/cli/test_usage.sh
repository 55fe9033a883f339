#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every syntax error: exit status 2 and one line that names the cause or the remedy.
. "$(dirname "$0")/lib.sh"

# Commands.
refused 2 'missing command: expected run, sweep, audit, plan, compare, regress, draw, tile, list, report, claims or help'
refused 2 "did you mean 'run'" rnu
refused 2 'lists all' frobnicate
refused 2 'or a command first' --versions
refused 2 'or a command first' -x
refused 2 "did you mean 'audit'" help adit
exits 'the help of help is that of all commands' 0 help help
exits 'so is --help' 0 help --help
contains 'with their names' out 'regress'
refused 2 "unexpected argument 'audit'" help run audit
refused 2 "unexpected argument 'x'" help tile prove x
refused 2 'missing subcommand: expected build, check, list, clean, export, import, prove, mutate or new' tile
refused 2 'options follow the subcommand: expected ecube tile prove' tile --quiet prove mesh:2

# Subcommands that another program does, and their former names.
for word in prove mutate; do
    exits "$word is a subcommand" 0 tile "$word" --help
    contains 'with a help of its own' out "Usage: ecube tile $word "
    cp out help
    exits 'its former name works' 0 "$word" --help
    check 'and has the same help' cmp out help
    equal 'after a line with the new one' "$(<err)" "ecube: 'ecube $word' is now 'ecube tile $word'"
    refused 2 "unknown option '--onyl'" tile "$word" --onyl
done
mkdir alone
cp "$ecube" alone/ecube
alone/ecube tile prove >out 2>err
equal 'without ecube-verify the status is that of a missing tool' $? 5
contains 'and the message names the cause' err 'ecube: cannot find the program ecube-verify: expected it beside ecube'

# Words that are missing or too many.
refused 2 'missing TOPOLOGY: expected TOPOLOGY WORKLOAD' run
refused 2 'missing WORKLOAD: expected TOPOLOGY WORKLOAD' run cube:3
# Before the router is built, which would print more lines.
refused 2 'a lane each' run mesh:3x3 uniform:rate=0.1,reply=1 --router depth=1024,stages=3
refused 2 'expected A B TOPOLOGY WORKLOAD' compare tiles cube:3 shift:q=1
refused 2 'missing TOPOLOGY: expected TOPOLOGY WORKLOAD' audit
refused 2 "unexpected argument 'again': expected TOPOLOGY WORKLOAD" run cube:3 shift:q=1 again
refused 2 'TOPOLOGY' run '' shift:q=1
refused 2 'WORKLOAD' run cube:3 ''

# Topologies.
refused 2 "did you mean 'cube'" run cub:3 shift:q=1
refused 2 "did you mean 'torus'" run tours:4x4 shift:q=1
for topology in cube cube: cube:0 cube:-1 cube:x cube:3x cube:3.5 cube:25 cube:99999999999999999999 \
    mesh: mesh:x mesh:4x mesh:x4 mesh:4x0 mesh:4xx4 mesh:4,4 mesh:16777216x2 torus:4x-4 torus:4x4x \
    ring: ring:0 ring:1x2 ring:99999999999 'cube:3 '; do
    refused 2 "$topology" run "$topology" shift:q=1
done
refused 2 "unknown topology ' cube'" run ' cube:3' shift:q=1
refused 2 '20' run cube:21 shift:q=1

# Workloads.
refused 2 "did you mean 'shift'" run cube:3 shfit:q=1
refused 2 "did you mean 'bitrev'" audit cube:3 bitrv
refused 2 'from 1 to 7' run cube:3 shift:q=0
refused 2 'from 1 to 7' run cube:3 shift:q=8
refused 2 'from 1 to 7' audit cube:3 shift:q=99999999999999999999
refused 2 "missing key 'q'" run cube:3 shift
for workload in shift: shift:q shift:q= shift:q=1, shift:,q=1 shift:q=1,q=2 shift:q=-1 shift:q=1.5 \
    shift:q=1,m=0 shift:q=1,m=-3 shift:q=1,m=99999999999 shift:q=1,labels=grey shift:p=1 \
    shift:q=1,k=2 kshuffle:k=x uniform uniform:rate= uniform:rate=-1 uniform:rate=nan \
    uniform:rate=inf uniform:rate=0x1 hotspot:node=8 hotspot:share=2,rate=0.1 perm trace; do
    refused 2 "${workload%%:*}" run cube:3 "$workload"
done
refused 2 '2^n nodes' run torus:3x3 bitrev
refused 2 'even' run cube:3 transpose
# Requests and replies.
refused 2 'vcs=1 makes 1 lane: set vcs=2' run mesh:4x4 uniform:rate=0.1,reply=4
refused 2 'vcs=2 with datelines makes 1 lane: set vcs=4' run torus:4x4 uniform:rate=0.1,reply=4
refused 2 'set --packet 8, shorter requests or queue=inf' run mesh:4x4 uniform:rate=0.1,m=8,reply=4,queue=2 \
    --router vcs=2 --packet 4
refused 2 'creates more than one message per cycle in a burst' run mesh:4x4 uniform:rate=0.6,burst=9
exits 'an audit sees that replies can wait behind requests' 1 audit mesh:4x4 uniform:rate=0.1,reply=4,queue=2,classes=1
contains 'and says so' out 'CAN DEADLOCK'
exits 'unless a node has room for all' 0 audit mesh:4x4 uniform:rate=0.1,reply=4,queue=30,classes=1,outstanding=2

# Options.
refused 2 "did you mean '--packet" run cube:3 shift:q=1 --paket 3
refused 2 "unknown option '--zzzzzz'" run cube:3 shift:q=1 --zzzzzz
refused 2 "unknown option '--wave'; 'ecube run' has it" audit cube:3 shift:q=1 --wave x.fst
for command in 'sweep cube:3 uniform' 'compare tiles flat cube:3 bitrev' regress; do
    # shellcheck disable=SC2086 # words
    refused 2 "unknown option '--report': add '--format json >F.json', then 'ecube report F.json'" $command --report x.html
done
refused 2 '--report x.pdf: expected FILE.html' run cube:3 bitrev --report x.pdf
refused 2 '--output one.pdf: expected FILE.html' report one.json --output one.pdf
refused 2 "--events 'e.json': expected FILE.jsonl (JSON lines) or FILE.perfetto.json" run cube:3 bitrev --events e.json
refused 2 "--rtl ',a.sv': a file name is empty" run cube:3 shift:q=1 --rtl ,a.sv --top x
refused 2 "no file ' b.sv': write the list without blanks" run cube:3 shift:q=1 --rtl "$source_root/rtl/ec_fifo.sv, b.sv" --top x
refused 2 "no file 'x/*.sv': name the files, separated by commas" run cube:3 shift:q=1 --rtl 'x/*.sv' --top x
refused 2 'rtl is a folder: name the files, separated by commas' run cube:3 shift:q=1 --rtl "$source_root/rtl" --top x
refused 2 "or 'grama.ring*'" claims grama.ring
refused 2 'workload perm: file=: cannot open' run cube:3 perm:file=missing.csv
refused 2 "did you mean '--version'" --versoin
refused 2 "unknown option '-z'" run cube:3 shift:q=1 -z
refused 2 'ambiguous: --router or --rtl' run cube:3 shift:q=1 --r vcs=1
refused 2 "'--cycles' needs a value" run cube:3 shift:q=1 --cycles
refused 2 "'-o' needs a value" run cube:3 shift:q=1 -o
refused 2 "'--quiet' takes no value" run cube:3 shift:q=1 --quiet=yes
refused 2 '--quiet cannot be combined with --verbose' run cube:3 shift:q=1 --quiet --verbose
refused 2 "did you mean 'direct'" run cube:3 shift:q=1 --algorithm dircet
refused 2 "did you mean 'gray-signed'" audit cube:3 shift:q=1,labels=gray --algorithm gray-singed
refused 2 'gray-signed' run cube:3 shift:q=1 --algorithm ring
refused 2 'shift:q=3,labels=gray' run cube:3 shift:q=3 --algorithm gray-forward
refused 2 'order' run cube:3 shift:q=3,labels=gray --algorithm gray-forward:order=D
refused 2 "unknown key 'block'" run ring:5 shift:q=3 --algorithm ring:block=2
refused 2 'use K=2 elements or more' run cube:3 bitrev --algorithm parity
refused 2 'from 1 to 4' run ring:5 shift:q=5 --algorithm ring
refused 2 'rate=' run ring:5 uniform:rate=0.1 --algorithm ring
refused 2 'expected step or data' run ring:5 shift:q=3 --algorithm ring --sync steps
refused 2 '--sync needs --algorithm' run ring:5 shift:q=3 --sync data
refused 2 '--local-cost needs --algorithm' audit ring:5 shift:q=3 --local-cost 3
refused 2 'set ports=all' run mesh:5 shift:q=3 --algorithm line --router ports=one
refused 2 'expected tiles, flat or systemc' run cube:3 shift:q=1 --backend round
refused 2 'takes at most 64' run cube:7 shift:q=1 --backend flat
refused 2 'only the backend tiles' run cube:3 shift:q=1 --backend flat --rtl a.sv --top a
for option in '--rtl a.sv --top a' '--shuffle 3' '--random-init 3'; do
    # shellcheck disable=SC2086 # words
    refused 2 "${option%% *} cannot be combined with --backend systemc" run cube:3 shift:q=1 --backend systemc $option
done

# Options that would have no effect.
refused 2 '--packets needs --format json' run cube:3 shift:q=1 --packets
refused 2 '--packets needs --format json' run cube:3 shift:q=1 --packets --format csv
refused 2 '--warmup requires an open-loop workload' run cube:3 shift:q=1 --warmup 10
refused 2 '--warmup requires an open-loop workload' compare tiles flat cube:3 shift:q=1 --warmup 10
printf 'cube:3 shift:q=1 --warmup 10\n' >warm.txt
refused 2 'warm.txt:1: --warmup requires' run --from warm.txt
printf 'cube:3 shift:q=1\ncube:3 uniform:rate=0.1\n' >mixed.txt
exits 'for a list it is given once, for those that are' 0 run --from mixed.txt --warmup 10 --cycles 100 --quiet
refused 2 '--shuffle cannot be combined with --backend flat' run cube:3 shift:q=1 --backend flat --shuffle 3
refused 2 '--failure-dir cannot be combined with --no-failure-wave' run cube:3 shift:q=1 --failure-dir . --no-failure-wave
refused 2 "--rtl needs a side 'rtl'" compare tiles flat cube:3 shift:q=1 --rtl a.sv --top a
refused 2 '--deliveries cannot be combined with --failure-dir' compare tiles flat cube:3 shift:q=1 --deliveries --failure-dir .
refused 2 '--update cannot be combined with --against' regress new.txt --update --against tiles
refused 2 '--against cannot be combined with --quiet' regress --quiet --against tiles
refused 2 '--failure-dir cannot be combined with --no-failure-wave' regress --failure-dir . --no-failure-wave
for option in --quick --full '--jobs 2' --table --quiet; do
    # shellcheck disable=SC2086
    refused 2 "--list cannot be combined with ${option%% *}:" claims --list $option
done
refused 2 '--list cannot be combined with --format csv: a list judges nothing' claims --list --format csv
refused 2 '--table cannot be combined with --format json: the table is CSV' claims grama.cube.gain --table --format json
for option in '--router vcs=1' '--rtl a.sv --top a' --random-init --quiet; do
    # shellcheck disable=SC2086
    refused 2 "${option%% *} is not an option of 'tile list'" tile list $option
done
refused 2 "--format is not an option of 'tile build TOPOLOGY...'" tile build cube:3 --format json
refused 2 "--random-init is not an option of 'tile check TOPOLOGY...'" tile check cube:3 --random-init
for option in '--packet 3' '--startup 3'; do
    # shellcheck disable=SC2086
    refused 2 "${option%% *} needs --algorithm best" draw cube:3 shift:q=1 $option
done
refused 2 '--sync needs --algorithm best' draw ring:5 shift:q=3 --algorithm ring --sync data
refused 2 'needs --algorithm NAME' draw mesh:4096x4096 neighbor --what steps

# Pictures that cannot be drawn are refused before the run: each of these would take minutes.
refused 2 'cannot draw 1048576 nodes: a picture has at most 64' draw mesh:1024x1024 neighbor --output big.svg
refused 2 'cannot draw 4096 nodes: a picture has at most 64' draw cube:12 transpose:K=4096 --algorithm align --what steps --format svg
check 'and leaves no file' test ! -e big.svg

refused 2 'congestion-free' run cube:3 shift:q=1 --expect congestion
refused 2 'expected text, json or csv' run cube:3 shift:q=1 --format xml
refused 2 'needs --rtl' run cube:3 shift:q=1 --top router
refused 2 'needs --top' run cube:3 shift:q=1 --rtl router.sv
refused 2 "unknown option '--cycles'" audit cube:3 shift:q=1 --cycles 3
# shown VALUE: as a complaint shows it, in quotes where it would not be seen.
shown()
{
    case $1 in '' | *' '*) echo "'$1'" ;; *) echo "$1" ;; esac
}
for option in --packet --cycles --shuffle --random-init; do
    refused 2 'whole number from 1' run cube:3 shift:q=1 $option 0
done
for option in --packet --startup --local-cost --cycles --warmup --seed --shuffle --random-init; do
    for value in '' -1 +1 1x x 1.5 15e-1 1e-3 1e99 0x10 ' 1' 18446744073709551617 99999999999999999999999; do
        refused 2 "$option $(shown "$value"): expected a whole number from" run cube:3 shift:q=1 $option "$value"
    done
done
for value in 1e6 1E6 0.1e7 1000e3 1e+6 10000000e-1; do
    exits "--cycles $value" 0 run cube:3 shift:q=1 --cycles $value --format json
    equal 'is a million' "$(jq .limit out)" 1000000
done
for value in '' -0.1 1 2 x nan inf 0x1p-1 0.5x; do
    refused 2 "--eject-stall $(shown "$value"): expected a number from 0 to 0.99" run cube:3 shift:q=1 --eject-stall "$value"
done

refused 2 'expected a number from 0.001 to 1e+06 MHz' run cube:3 shift:q=1 --clock 1GHz

# Options of a line meet those of the command line: values must fit together, and a line takes precedence.
echo 'cube:3 shift:q=1 --backend flat' >flat.txt
refused 2 'flat.txt:1: --shuffle cannot be combined with --backend flat' run --from flat.txt --shuffle 3
refused 2 'flat.txt:1: --backend cannot be used in a row of a baseline' regress flat.txt
echo 'cube:3 shift:q=1 --no-failure-wave --packet 4' >line.txt
exits 'a line may say the opposite of the command line' 0 run --from line.txt --failure-dir . --packet 2 --format csv
contains 'and its value is used' out packet=4
echo 'cube:3 shift:q=1 --format json' >format.txt
refused 2 'format.txt:1: --format cannot be used in a list of runs' run --from format.txt
echo 'cube:3' >short.txt
refused 2 'short.txt:1: missing WORKLOAD: expected TOPOLOGY WORKLOAD' run --from short.txt
refused 2 'short.txt:1: missing WORKLOAD: expected TOPOLOGY WORKLOAD' compare tiles flat --from short.txt

# A schedule in which a node sends what it does not have.
refused 1 'cannot be played' run cube:3 shift:q=3 --algorithm gohil-cube:reading=printed

# Routers.
refused 2 "did you mean 'depth'" run cube:3 shift:q=1 --router dept=4
refused 2 "did you mean 'wormhole'" run cube:3 shift:q=1 --router switching=wormhol
for router in vcs=0 vcs=3 vcs=16 vcs= vcs depth=0 depth=1025 depth=x order=up ports=two \
    dateline=maybe vcs=1,vcs=2 ,vcs=1 vcs=1,; do
    refused 2 'router: ' run cube:3 shift:q=1 --router "$router"
done
refused 2 "--router ''" run cube:3 shift:q=1 --router ''
refused 2 'depth of at least 8' run cube:3 shift:q=1,m=8 --packet 8 \
    --router switching=cut-through,depth=4
refused 2 'depth of at least 8' audit cube:3 shift:q=1,m=8 --packet 8 \
    --router switching=store-and-forward,depth=4

# The smaller commands.
refused 2 "did you mean 'workloads'" list workload
refused 2 "unexpected argument 'routers': expected [section]" list workloads routers
refused 2 'expected text or json' list --format csv
refused 2 "did you mean 'build'" tile biuld
refused 2 'missing TOPOLOGY: expected tile build TOPOLOGY...' tile build
refused 2 'cube' tile build cub:3
refused 2 "unexpected argument 'cube:3': expected tile list" tile list cube:3
refused 2 '--top needs --rtl FILES' tile build cube:3 --top x

# A newline in an argument does not split the message into two lines.
refused 2 'VCs depend on absolute coordinates' tile check torus:4x4 --relative --router vcs=2
refused 2 'q=1?' run cube:3 $'shift:q=1\n'
refused 2 'unknown command' $'ru\nn'

done_testing
