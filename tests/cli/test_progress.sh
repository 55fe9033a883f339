#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Work that takes longer than two seconds reports progress on stderr, also in plain lines to a file.
. "$(dirname "$0")/lib.sh"

# told WORDS ARGUMENTS...: the program is stopped as soon as a line with WORDS is in the log.
told()
{
    local words=$1 child i
    shift
    "$ecube" "$@" >out 2>err </dev/null &
    child=$!
    for ((i = 0; i < 600; i++)); do
        grep -qF -- "$words" err && break
        kill -0 $child 2>/dev/null || break
        sleep 0.1
    done
    kill -TERM $child 2>/dev/null
    wait $child 2>/dev/null
    contains "ecube $* tells what it does" err "$words"
    check 'in plain lines' test "$(grep -cv '^ecube: .*$' err)$(tr -cd '\r\033' <err | wc -c)" = 00
}

long='uniform:rate=0.2,m=8 --cycles 100000000000'
# shellcheck disable=SC2086 # words
told ' M router-cycles/s, ' run cube:3 $long
printf 'cube:3 shift:q=1\ncube:3 %s\n' "$long" >list.txt
told 'run 2 of 2, 1 done, about ' run --from list.txt
echo "cube:3 $long" >baseline.txt
told 'run 1 of 1: ' regress baseline.txt
told "making the schedule 'align'" audit cube:12 transpose:K=4096 --algorithm align
told "trying algorithm '" audit cube:12 transpose:K=4096 --algorithm best

# --quiet also applies without a terminal: a run of three seconds prints no progress, which comes after two without it.
# shellcheck disable=SC2086 # words
timeout -s TERM 3 "$ecube" run cube:3 $long --quiet >out 2>err
equal '--quiet prints nothing' "$? $(wc -c <err)" '124 0'

done_testing
