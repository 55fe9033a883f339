#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The cache of compiled routers: damaged entries, many starts at once, other versions, folders that cannot be written
# or go away. A run gives the usual result, or one message; an entry is right or is built again.
. "$(dirname "$0")/lib.sh"
run_it=(run cube:3 shift:q=1 --quiet)

# A cache with nothing but the entry that this run uses, and its runtime.
filled=$ECUBE_CACHE
mapfile -t objects < <(LD_DEBUG=files "$ecube" "${run_it[@]}" 2>&1 >right.out |
    sed -nE 's,.*calling init: (.*/(tile|libecube-verilated-[0-9a-f]*)\.so)$,\1,p')
entry=$(dirname "$(realpath "${objects[1]}")") runtime=$(dirname "$(realpath "${objects[0]}")")
mkdir -m 700 pristine
cp -a "$entry" "$runtime" pristine
export ECUBE_CACHE=$work/cache
key=${entry##*/} runtime=${runtime##*/}

# fresh: the cache as it was.
fresh()
{
    rm -rf cache && cp -a pristine cache
}

# same_result SENTENCE: the run passes as always.
same_result()
{
    run "${run_it[@]}"
    equal "$1" "$status $(<out)" "0 $(<right.out)"
}

damage()
{
    local size where
    size=$(stat -c %s "$1")
    where=$((((RANDOM << 15) + RANDOM) % size))
    if [[ $2 == cut ]]; then
        truncate -s "$where" "$1"
    else
        # shellcheck disable=SC2059
        printf "\\$(printf %o $((($(od -An -tu1 -j $where -N 1 "$1") + 1 + RANDOM % 255) % 256)))" |
            dd of="$1" bs=1 seek="$where" conv=notrunc status=none
    fi
}

fresh
same_result 'an entry that was copied is used'
equal 'without a compiler' "$(wc -l <err)" 0

# --- Damaged entries are noticed ---
# A manifest may have a wrong byte in what is only shown, or times; no byte of an object may be wrong.
trials=$([[ -n $long ]] && echo 60 || echo 6)
for ((i = 0; i < trials; i++)); do
    fresh
    file=cache/$key/tile.so
    ((i % 2)) && file=$(echo "cache/$runtime"/*.so)
    damage "$file" "$( ((i % 3)) && echo byte || echo cut)"
    "$ecube" tile list --format json >out 2>err
    [[ $(jq -r "map(select(.valid | not) | .key) | @text" out) == "[\"$(basename "$(dirname "$file")")\"]" ]] ||
        found "$file: $(cmp "$file" "pristine/${file#cache/}")"
done
report 'a wrong byte in a compiled router or its runtime' "$trials"
for ((i = 0; i < trials; i++)); do
    fresh
    damage "cache/$key/manifest.json" "$( ((i % 3)) && echo byte || echo cut)"
    "$ecube" tile list >out 2>err || found "$(cmp "cache/$key/manifest.json" "pristine/$key/manifest.json"): status $?"
done
report 'a wrong byte in a manifest' "$trials"
for ((i = 0; i < trials; i++)); do
    fresh
    "$ecube" "${run_it[@]}" >/dev/null 2>&1
    cp cache/programs.json kept
    damage cache/programs.json "$( ((i % 3)) && echo byte || echo cut)"
    timeout $patience "$ecube" "${run_it[@]}" >out 2>err
    status=$?
    { ((status == 0)) && cmp -s out right.out && [[ ! -s err ]]; } || found "$(cmp cache/programs.json kept): status $status: $(head -c 200 err)"
done
report 'a wrong byte in what is known of the tools' "$trials"

# --- Folders ---
if ((EUID == 0)); then
    fresh
    chown 12345 cache
    refused 2 'belongs to user 12345' "${run_it[@]}"
fi
fresh
chmod o+w "cache/$key/tile.so"
refused 2 'is writable by others (mode 0' "${run_it[@]}"
fresh
chmod go+w cache
refused 2 'is writable by others' "${run_it[@]}"
rm -rf cache
echo >cache
refused 2 'cache' "${run_it[@]}"
rm -f cache
ln -s nowhere cache
refused 2 'cache' "${run_it[@]}"
rm -f cache
if unshare -rm true 2>/dev/null; then
    fresh
    # shellcheck disable=SC2016
    unshare -rm bash -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && "$@" >out 2>err' - \
        "$work/cache" "$ecube" "${run_it[@]}"
    equal 'a cache that can only be read is used' "$? $(<out)" "0 $(<right.out)"
    rm -rf cache/"$key"
    # shellcheck disable=SC2016
    unshare -rm bash -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && "$@" >out 2>err' - \
        "$work/cache" "$ecube" "${run_it[@]}"
    equal 'what it lacks cannot be built: one message' "$? $(grep -c 'Read-only file system' err) $(grep -c '^ecube: ' err)" '2 1 1'
fi

# --- The whole: entries are built ---
if [[ -n $long ]]; then
    for file in "$key/tile.so" "$key/manifest.json" "$runtime"/*.so "$runtime/manifest.json"; do
        for kind in cut byte byte; do
            fresh
            # shellcheck disable=SC2086
            damage cache/$file $kind
            same_result "$kind in ${file##*/}: the run passes"
        done
    done

    # An entry of another shape under this name, with a right checksum.
    fresh
    ECUBE_CACHE=$filled "$ecube" run torus:4x4 shift:q=5 --quiet >/dev/null
    other=$(LD_DEBUG=files ECUBE_CACHE=$filled "$ecube" run torus:4x4 shift:q=5 --quiet 2>&1 >/dev/null |
        sed -nE 's,.*calling init: (.*/tile\.so)$,\1,p')
    cp "$(dirname "$other")"/{tile.so,manifest.json} "cache/$key/"
    run run cube:3 shift:q=1
    equal 'the entry of another router is not used' "$status $(head -n 1 out)" "0 $(<right.out)"
    contains 'but built again' err 'is damaged; building it again'

    # Two versions of the sources share the cache.
    fresh
    mkdir data
    cp -r "$source_root/rtl" "$source_root/harness" data
    echo '// another version' >>data/rtl/ec_fifo.sv
    for i in 1 2 3; do
        ECUBE_DATA=$work/data same_result "the other version, time $i"
        same_result "this version, time $i"
    done
    equal 'each has its entry, and they share the runtime' \
        "$("$ecube" tile list --format json | jq -c '[length, (map(select(.valid)) | length)]')" '[3,3]'

    # Many starts on a cold cache.
    rm -rf cache
    for i in {1..200}; do
        ("$ecube" run cube:3 shift:q=1 >"many.$i.out" 2>"many.$i.err" </dev/null || echo "status $?" >>many.failed) &
    done
    wait
    equal '200 starts on a cold cache all pass' "$(cat many.failed 2>/dev/null)$(grep -h PASS many.*.out | sort -u)" "$(<right.out)"
    equal 'and one of them compiles' "$(cat many.*.err | grep -c 'building router shape')" 1
    equal 'with two entries at the end' "$(find cache -mindepth 1 -maxdepth 1 -type d ! -name locks ! -name logs | wc -l)" 2

    # The folder is removed while a list uses it.
    for i in {1..40}; do echo "cube:3 uniform:rate=0.3,m=4 --cycles 20000 --seed $i"; done >list.txt
    "$ecube" run --from list.txt --jobs 2 --output r.txt >out 2>err &
    child=$!
    sleep 0.5
    rm -rf cache
    wait $child
    equal 'a cache that is removed meanwhile' "$? $(grep -c ^PASS r.txt)" '0 40'
fi

done_testing
