#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiled routers in a file (ecube tile export, import): used where Verilator and a compiler are missing; a file that is
# damaged, hostile or of another machine or version is refused as a whole, in one line.
. "$(dirname "$0")/lib.sh"

# A cache with one router and its runtime; programs: tar alone.
filled=$ECUBE_CACHE
run run cube:3 shift:q=3,m=5 --format json
digest=$(jq -r .digest out) key=$(jq -r .shape_key out)
runtime=$(jq -r .runtime "$filled/$key/manifest.json")
mkdir -m 700 one bin
cp -a "$filled/$key" "$filled/$runtime" one
ln -s "$(command -v tar)" "$(command -v gzip)" bin
export ECUBE_CACHE=$work/one

# bare CACHE ARGUMENTS...: on a machine without tools, with that cache.
bare()
{
    ECUBE_CACHE=$work/$1 PATH=$work/bin "$ecube" "${@:2}" >out 2>err </dev/null
    status=$?
}

exits 'the routers of a cache become a file' 0 tile export routers.tar
contains 'the number is printed' out 'exported 1 shape of'
equal 'which depends on no file of Verilator' "$(jq -c .includes "one/$key/manifest.json")" '{}'
bare there run cube:3 shift:q=3,m=5
equal 'without the router and the tools there is no run' "$status" 5
contains 'and the message names the remedy' err 'ecube tile import'
umask 002
bare there tile import routers.tar
equal 'the file becomes routers of another cache' "$status $(<out)$(<err)" '0 imported 1 shape from routers.tar'
bare there run cube:3 shift:q=3,m=5 --format json
equal 'which runs use without any tool' "$status $(jq -r .digest out)" "0 $digest"
equal 'its modes do not depend on the mask' "$(stat -c %a "there/$key" "there/$key/tile.so" "there/$key/manifest.json" | xargs)" '700 755 600'
umask 022
bare there tile import routers.tar
equal 'a second import changes nothing' "$status" 0
gzip -k routers.tar
mkdir other:machine
mv routers.tar.gz other:machine
bare there2 tile import other:machine/routers.tar.gz
equal 'a compressed file will do' "$status" 0

# --- What is not copied ---
mkdir -m 700 more && cp -a one/* more
jq '.sources = "0"' "one/$key/manifest.json" >"more/$key/manifest.json"
ECUBE_CACHE=$work/more refused 2 'has no router to export' tile export none.tar
check 'no file is left' test ! -e none.tar
jq '.shim = "0"' "one/$key/manifest.json" >"more/$key/manifest.json"
ECUBE_CACHE=$work/more refused 2 'has no router to export' tile export none.tar
cp -a one/* more
cp -a "one/$key" more/00000000000000000000000000000000
jq '.runtime = ""' "one/$key/manifest.json" >more/00000000000000000000000000000000/manifest.json
ECUBE_CACHE=$work/more run tile export some.tar
contains 'routers of the engine simd are left out' out 'exported 1 shape of'
contains 'and counted' out '1 left out'
refused 2 'nowhere/x.tar' tile export nowhere/x.tar
refused 2 'missing FILE' tile import
PATH=/nonexistent "$ecube" tile import routers.tar >out 2>err
equal 'a missing tar has status 5' $? 5
contains 'and is named' err 'cannot start tar'

# --- Files that are refused ---
# hostile SENTENCE WORD: import the folder `bad` as a file, or bad.tar.
hostile()
{
    [[ -e bad.tar ]] || tar -C bad -cf bad.tar .
    rm -rf empty
    bare empty tile import bad.tar
    equal "$1 is refused" "$status $(wc -l <err)" '2 1'
    contains "with the reason ($2)" err "$2"
    equal 'and nothing is imported' "$(find empty -name '*.so' -o -name 'tmp*' | wc -l)" 0
    rm -rf bad bad.tar
}
fresh() { rm -rf bad && mkdir bad && tar -C bad -xf routers.tar; }

: >bad.tar && hostile 'an empty file' 'cannot import bad.tar'
echo 'shape' >bad.tar && hostile 'another file' 'cannot import bad.tar'
for part in 3 2; do
    head -c $(($(stat -c %s routers.tar) * part / 4)) routers.tar >bad.tar
    hostile "a file of $part quarters" 'cannot import bad.tar'
done
fresh && printf '\x55' | dd of="bad/$key/tile.so" bs=1 seek=20000 conv=notrunc status=none
hostile 'a router with a wrong byte' 'is damaged'
fresh && echo '{' >"bad/$key/manifest.json" && hostile 'a manifest that is no JSON' 'is damaged'
fresh && rm "bad/$key/tile.so" && hostile 'a router without its object' 'is damaged'
fresh && truncate -s 2G "bad/$key/tile.so" && tar -C bad -cSf bad.tar . && hostile 'a huge object' 'is damaged'
fresh && rm -r "bad/$runtime" && hostile 'a router without its runtime' 'libecube-verilated'
fresh && printf '\xb7' | dd of="bad/$key/tile.so" bs=1 seek=18 conv=notrunc status=none
hostile 'a router for ARM' 'another kind of processor'
fresh && jq '.sources = "0"' "one/$key/manifest.json" >"bad/$key/manifest.json"
hostile 'a router of another version' 'another version of ecube'
fresh && jq '.shim = "0"' "one/$key/manifest.json" >"bad/$key/manifest.json"
hostile 'a router of another shim' 'another version of ecube'
fresh && jq '.runtime = ""' "one/$key/manifest.json" >"bad/$key/manifest.json"
hostile 'a router of the engine simd' 'one kind of processor only'
fresh && echo x >bad/notes && hostile 'a file beside the routers' 'expected the files'
fresh && echo x >"bad/$key/more" && hostile 'a file beside a router' 'expected the files'
fresh && mkdir "bad/$key/x.so" && hostile 'a folder instead of an object' 'expected the files'
fresh && mkfifo "bad/$key/y.so" && hostile 'a pipe' 'expected the files'
fresh && mv "bad/$key/tile.so" . && ln -s "$work/tile.so" "bad/$key/tile.so" && hostile 'a link' 'expected the files'
fresh && mv "bad/$key" "$work/out.side" && ln -s "$work/out.side" "bad/$key" && hostile 'a linked folder' 'expected the files'
echo x >outside
tar -P -cf bad.tar ../"${work##*/}"/outside && hostile 'a path above the folder' ..
tar -P -cf bad.tar "$work/outside" && hostile 'an absolute path' 'expected the files'
mkfifo bad.tar && hostile 'a pipe as the file' 'not a regular file'

done_testing
