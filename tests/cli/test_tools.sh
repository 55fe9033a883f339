#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tile builder from the command line: no tools, a cold cache, two runs at once, a damaged cache, a
# broken router. Uses its own cache and compiles one small shape.
. "$(dirname "$0")/lib.sh"
unset ECUBE_CACHE XDG_CACHE_HOME
export HOME=$work/home
mkdir -p "$HOME" bin
cache=$HOME/.cache/ecube

saved_path=$PATH

# without_tools PATH ARGUMENTS...: the program where only the tools of PATH exist.
without_tools()
{
    refused_path=$1
    shift
    PATH=$refused_path
    "$ecube" "$@" >out 2>err </dev/null
    status=$?
    PATH=$saved_path
}

without_tools "$work/nowhere" run cube:3 shift:q=1
equal 'without Verilator a run ends with status 5' "$status" 5
equal 'in one line' "$(wc -l <err)" 1
contains 'that names it' err erilator
without_tools "$work/nowhere" audit cube:3 shift:q=1
equal 'an audit needs no tools' "$status" 0

XDG_CACHE_HOME=$work/xdg run tile list
contains 'the cache is in XDG_CACHE_HOME' out "$work/xdg/ecube"
XDG_CACHE_HOME=xdg run tile list
contains 'unless that is relative' out "$cache"

# Two commands at once on a cold cache, one of them with two workers.
printf '%s\n' 'cube:3 shift:q=3,m=5'{,} >list.txt
"$ecube" run cube:3 shift:q=3,m=5 --format json >result1.json 2>err1 &
pids[1]=$!
"$ecube" run --from list.txt --jobs 2 --format json >result2.json 2>err2 &
pids[2]=$!
for i in 1 2; do
    wait "${pids[i]}"
    equal "of two commands on a cold cache number $i passes" $? 0
done
equal 'all three runs see the same network' "$(jq -r .digest result[12].json | sort | uniq -c | awk '{ print $1 }')" 3
equal 'the build is announced once' "$(cat err1 err2 | grep -cE '\(Verilator\)$')" 1
equal 'by the process that builds; the others wait for it' "$(cat err1 err2 | grep -c 'waiting for another process that builds')" 2
exits 'the cache lists what they built' 0 tile list --format json
equal 'once' "$(jq '[.[] | select(.description | startswith("cube"))] | length' out)" 1
equal 'nothing half-built is left' "$(find "$cache" -name '*tmp*' | wc -l)" 0
equal 'the cache belongs to its owner alone' "$(stat -c %a "$cache")" 700
run run cube:3 shift:q=3,m=5
equal 'a third run compiles nothing' "$status $(wc -l <err)" '0 0'

# A damaged entry.
object=$(find "$cache" -name '*.so' -path "*$(jq -r .shape_key result1.json)*" | head -n 1)
check 'the compiled shape is found' test -s "$object"
chmod u+w "$object"
head -c 1000 "$object" >short
cp --remove-destination short "$object"
exits 'tile list sees the damage' 0 tile list
contains 'and says so' out damaged
exits 'a run repairs it' 0 run cube:3 shift:q=3,m=5 --format json
equal 'with the same result' "$(jq -r .digest out)" "$(jq -r .digest result1.json)"

# What tells rows of one shape apart.
equal 'a row has its variant, tools and source' \
    "$(run tile list --format json; jq -c '[.[] | select(.description | startswith("cube"))][0] | [.traced, .random_init, .top, (.verilator | startswith("Verilator")), (.sources | length), (.seconds > 0)]' out)" \
    '[false,false,"",true,32,true]'
run tile list
contains 'the text says that the RTL is the present one' out '(current)'
cp -r "$source_root/rtl" other-rtl
mkdir -p data/harness/library/shape data/harness/library/include
cp -r "$source_root/harness/library/shape/shim" data/harness/library/shape
cp -r "$source_root/harness/library/include" data/harness
mv other-rtl data/rtl
echo >>data/rtl/ec_fifo.sv
ECUBE_DATA=$work/data run tile list
contains 'or another one' out '(another version)'

# The user's own router.
refused 2 'missing.sv' run cube:3 shift:q=1 --rtl missing.sv --top router
echo 'module router(input x' >broken.sv
run run cube:3 shift:q=1 --rtl broken.sv --top router --quiet
equal 'a router that does not compile ends with status 5' "$status $(wc -l <err)" '5 1'
contains 'with its log' err log
cp -r "$source_root/rtl" mine
exits 'modules beside the file named are found' 0 run cube:3 shift:q=1 --rtl mine/ec_router.sv --top ec_router
echo >>mine/ec_fifo.sv
exits 'tile list sees that one of them has changed' 0 tile list
equal 'and calls what was built stale, not damaged' "$(grep -c ' stale ' out) $(grep -c ' damaged ' out)" '1 0'
contains 'for this file' out 'mine/ec_fifo.sv has changed'
contains 'of the router in this one' out "of $work/mine/ec_router.sv"
equal 'the same in JSON' "$(run tile list --format json; jq -r '.[] | select(.stale) | .reason, .top' out | tr '\n' ' ')" \
    "$work/mine/ec_fifo.sv has changed ec_router "

# shellcheck disable=SC2016 # a name with dollars, one of which begins the name of a variable
name='my$HOME/r${LC_ALL}.sv'
cp -r "$source_root/rtl" "${name%/*}"
mv "${name%/*}/ec_router.sv" "$name"
exits 'names have dollars, also of variables' 0 run cube:3 shift:q=1 --rtl "$name" --top ec_router

exits 'tile clean empties the cache' 0 tile clean
exits 'tile list then finds nothing' 0 tile list
contains 'and says so' out '0 shapes'

# A cache that others could write to is not trusted.
chmod 777 "$cache"
run run cube:3 shift:q=1 --quiet
equal 'a cache open to others is refused' "$status $(wc -l <err)" '2 1'

done_testing
