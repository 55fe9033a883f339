#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Full and failing disks: each system call that writes a file of ecube fails in turn, with no space, an input/output
# error or half of the bytes written. One line names the file, the status is 2, and no file under its name is
# incomplete; or all results are there.
. "$(dirname "$0")/lib.sh"
make_inputs
"$shims/inject" --calls write --at 0 true
if (($? == 77)); then
    echo '1..0 # SKIP the system does not allow seccomp notifications'
    exit 0
fi
writes=write,writev,pwrite64,pwritev,fsync,ftruncate,close,rename,renameat,renameat2,openat,mkdir,mkdirat,fchmod
errors=(28 5 122) # ENOSPC, EIO, EDQUOT

# whole FOLDER: is every file in it one of the undisturbed command, as long as that one?
whole()
{
    local file
    for file in "$1"/*; do
        [[ -e $file ]] || continue
        if [[ ! -e right/${file##*/} ]]; then
            echo "left ${file##*/}"
        elif [[ $file == *.fst ]]; then
            # The time of writing is in the head.
            (($(stat -c %s "$file") == $(stat -c %s "right/${file##*/}"))) || echo "incomplete ${file##*/}"
        elif ! cmp -s <(plain "$file") <(plain "right/${file##*/}"); then
            echo "incomplete ${file##*/}"
        fi
    done
}

# The number of messages, besides the one on the journal, which a list can do without, the hint to it, and progress.
complaints()
{
    grep -v -e 'cannot write the journal' -e 'continues from there' -e ' ([0-9]* s)$' err | grep -c '^ecube: '
}

# attempt WHAT...: the command under the shim, judged.
attempt()
{
    local wrong=''
    rm -rf d && mkdir d
    timeout $patience "$shims/inject" --calls $writes --path "$path" "$@" "$ecube" "${command[@]}" >out 2>err </dev/null
    status=$?
    rm -f d/*.journal # kept on purpose
    if ((status == expected)); then
        # Nothing failed that matters: all files are there.
        [[ $(cd d && echo *) == "$(cd right && echo *)" ]] || wrong="status $status without all files"
        (($(wc -l <err) <= $(wc -l <right.err) + 1)) || wrong='more than one line'
    elif ((status != 2)); then
        wrong="status $status"
    elif (($(complaints) > 1)) || ! grep -q '^ecube: ' err; then
        wrong="$(complaints) messages"
    fi
    wrong+=$(whole d)
    [[ -z $wrong ]] || found "$*: ecube ${command[*]}: $wrong: $(head -c 200 err)"
}

# series SENTENCE PATH SAMPLE ARGUMENTS...: the calls on files whose path contains PATH.
series()
{
    local sentence=$1 sample=$3 count at trials=0 kind
    path=$2
    shift 3
    command=("$@")
    rm -rf d right && mkdir d
    "$shims/inject" --calls $writes --path "$path" --at 0 --count count "$ecube" "$@" >right.out 2>right.err </dev/null
    expected=$?
    mv d right
    rm -f right/*.journal
    count=$(<count)
    ((count > 0)) || found "no call on $path"
    for at in $(seq 1 "$count" | chosen "$sample"); do
        kind=$((RANDOM % 3))
        attempt --at "$at" --error "${errors[kind]}"
        trials=$((trials + 1))
        [[ -z $long ]] || { attempt --at "$at+" --error 28 && trials=$((trials + 1)); }
        [[ -z $long ]] || { attempt --at "$at" --short && trials=$((trials + 1)); }
    done
    report "$sentence" "$trials"
}

run=(run cube:3 shift:q=1)
series 'results as JSON' /d/ 1 "${run[@]}" --format json --output d/r.json
series 'results as CSV' /d/ 1 "${run[@]}" --format csv --output d/r.csv
series 'results of a list' /d/ 3 run --from list.txt --output d/r.txt --jobs 1
series 'an event log' /d/ 1 "${run[@]}" --events d/e.txt
series 'packets' /d/ 1 "${run[@]}" --packets-csv d/p.csv
series 'a wave and its layouts' /d/ 2 "${run[@]}" --wave d/w.fst
series 'a report' /d/ 1 "${run[@]}" --report d/r.html
series 'the report of a stored result' /d/ 1 report result.json --output d/s.html
series 'a plot' /d/ 1 sweep --from sweep.csv --plot d/p.svg
series 'a picture' /d/ 1 draw cube:3 shift:q=5 --output d/p.svg
series 'a sweep' /d/ 1 sweep cube:3 uniform:m=4 --rates 0.1 --cycles 1000 --format csv --output d/s.csv
series 'a test report' /d/ 1 regress base.txt --junit d/j.xml

done_testing
