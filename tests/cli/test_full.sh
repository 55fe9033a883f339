#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A disk without room: one line that names the file, exit status 2, nothing half-written left, and no result
# lost that was there before.
. "$(dirname "$0")/lib.sh"

# within KILOBYTES ARGUMENTS...: no file may become larger; what is printed goes through pipes.
within()
{
    local size=$1
    shift
    {
        {
            (ulimit -f "$size" && exec "$ecube" "$@" </dev/null 2>&1 >&3)
            echo $? >code
        } | cat >err
    } 3>&1 | cat >out
    status=$(<code)
}

# on_disk KILOBYTES ARGUMENTS...: with a file system of that size in the folder disk; what is there at the end is
# in the file left.
on_disk()
{
    local size=$1
    shift
    mkdir -p disk
    # shellcheck disable=SC2016
    unshare -rm bash -c '
        mount -t tmpfs -o mode=700,size="$0"k tmpfs disk || exit 99
        "$@" >out 2>err </dev/null
        status=$?
        ls -A disk >left
        exit $status' "$size" "$ecube" "$@"
    status=$?
}

wave=(run cube:3 uniform:rate=0.4,m=4 --cycles 20000 --quiet)

# The dump: 20000 cycles of 8 routers take megabytes.
within 200 "${wave[@]}" --wave w.fst
equal 'a dump beyond the limit of file sizes: exit status 2' "$status" 2
equal 'in one line' "$(wc -l <err)" 1
contains 'which names the file' err 'ecube: cannot write the wave w.fst: File too large'
contains 'and the remedy' err 'ulimit -f'
contains 'the result of the run is there' out 'PASS  cube:3 uniform'
equal 'without the wave' "$(grep -c w.fst out)" 0
equal 'and no file of it is left' "$(ls -d w.* 2>/dev/null)" ''
within 200 "${wave[@]}" --wave w.fst --format json
equal 'JSON has the result without a wave' "$(jq -c '[.verdict, .wave]' out)" '["pass",null]'
within 200 "${wave[@]}" --packets-csv p.csv
equal 'packets beyond the limit of file sizes: exit status 2' "$status $(wc -l <err)" '2 1'
contains 'names the file of the packets' err 'ecube: cannot write the packet log p.csv: File too large'
contains 'the result of that run is there' out 'PASS  cube:3 uniform'
equal 'no packets are left' "$(ls -d p.* 2>/dev/null)" ''
within 1 "${wave[@]}" --wave w.fst
equal 'a dump that cannot even begin: exit status 2' "$status $(wc -l <err)" '2 1'
contains 'names the file too' err 'cannot write the wave w.fst: File too large'
equal 'nothing is left of that either' "$(ls -d w.* 2>/dev/null)" ''
within 200 "${wave[@]}" --wave w.fst --events e.txt
equal 'a dump and an event log: one line for both' "$status $(wc -l <err)" '2 1'
contains 'with the event log' err 'cannot write the event log e.txt: File too large'
contains 'and the wave' err 'cannot write the wave w.fst: File too large'
equal 'nothing is left of both' "$(ls -d w.* e.* 2>/dev/null)" ''

printf 'cube:3 shift:q=1\ncube:3 %s --wave w.fst\ncube:3 shift:q=2\n' "${wave[*]:2:3}" >list.txt
within 200 run --from list.txt --quiet
equal 'a list ends at the wave that cannot be written' "$status $(wc -l <err)" '2 1'
contains 'which is named with its line' err 'list.txt:2: cannot write the wave w.fst'
contains 'with the results before it' out 'PASS  cube:3 shift:q=1'
contains 'and its own' out 'PASS  cube:3 uniform'
contains 'and how far it came' out 'partial: 2 of 3 jobs: 2 passed'
within 200 run --from list.txt --quiet --output results.txt
equal 'as a file, the list is complete up to there' "$status $(grep -c PASS results.txt)" '2 2'

# Other outputs.
refused 2 "cannot write '/dev/full': No space left" draw cube:3 shift:q=5 --output /dev/full
refused 2 "cannot write '/dev/full': No space left" claims grama.ring.min --quiet --output /dev/full
exits 'an event log on a full disk: exit status 2' 2 run cube:3 shift:q=1 --events /dev/full
equal 'in one line' "$(cat err)" "ecube: cannot write the event log /dev/full: No space left on device; free some \
space there, or write it elsewhere"
contains 'and the result is there' out 'PASS  cube:3 shift:q=1'
echo 'cube:3 shift:q=1' >matrix.txt
within 0 regress matrix.txt --update
equal 'a baseline that cannot be written: exit status 2' "$status $(wc -l <err)" '2 1'
contains 'names it' err "cannot write 'matrix.txt': File too large"
equal 'and stays as it was' "$(cat matrix.txt) $(ls matrix*)" 'cube:3 shift:q=1 matrix.txt'
exits 'JUnit on a full disk: exit status 2' 2 regress matrix.txt --junit /dev/full
equal 'in one line' "$(cat err)" "ecube: cannot write '/dev/full': No space left on device; free some \
space there, or write it elsewhere"

# A separate disk needs a mount namespace, which not every kernel allows to users.
if unshare -rm bash -c 'mkdir -p try && mount -t tmpfs tmpfs try' 2>/dev/null; then
    on_disk 256 "${wave[@]}" --wave disk/w.fst
    equal 'a dump on a small disk: exit status 2' "$status $(wc -l <err)" '2 1'
    equal 'names the file and what helps' "$(cat err)" "ecube: cannot write the wave disk/w.fst: No space left on \
device; free some space there, or write it elsewhere"
    contains 'keeps the result' out 'PASS  cube:3 uniform'
    equal 'and nothing else' "$(cat left)" ''
    on_disk 16 run cube:3 shift:q=5,m=64 --wave disk/w.fst --quiet
    equal 'layouts on a small disk: exit status 2' "$status $(wc -l <err)" '2 1'
    contains 'names the file' err 'cannot write the wave disk/w.'
    equal 'keeps nothing half-written' "$(cat left)" ''
    on_disk 16 run cube:3 shift:q=5,m=64 --events disk/e.txt --quiet
    equal 'an event log on a small disk' "$status $(wc -l <err) $(cat left)" '2 1 '
    contains 'names the file' err 'cannot write the event log disk/e.txt: No space left'
    on_disk 256 "${wave[@]}" --wave disk/w.fst --wave-cycles 1:9 --events disk/e.txt
    equal 'an event log without room leaves that to the wave' "$status $(wc -l <err) $(xargs <left)" \
        '2 1 w.fst w.gtkw w.labels w.sucl'
    on_disk 4 draw cube:6 shift:q=5 --output disk/p.svg
    equal 'a picture on a small disk' "$status $(wc -l <err) $(cat left)" '2 1 '
    on_disk 4 run cube:6 shift:q=5 --format json --channels --output disk/r.json
    equal 'a report on a small disk' "$status $(wc -l <err) $(cat left)" '2 1 '
    mkdir -p disk
    ECUBE_CACHE=$work/disk on_disk 64 run cube:3 shift:q=1 --quiet
    equal 'a cache of shapes on a small disk' "$status $(wc -l <err)" '2 1'
    contains 'names the file' err 'No space left'
    equal 'keeps no half-built shape' "$(grep '^tmp' left)" ''
else
    pass 'a disk of its own # SKIP this user may not mount'
fi

done_testing
