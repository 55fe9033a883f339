#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Damaged files: every file that ecube reads, cut off and with wrong bytes (the cache: cache.sh). The journal, which ecube
# wrote for itself, is made again from there on, and the result is the usual one. What the user wrote gets one message, or
# is another valid file. Nothing crashes or hangs.
. "$(dirname "$0")/lib.sh"
make_inputs

# damage FILE KIND: cut it off, turn one byte into another, or one into a zero.
damage()
{
    local size
    size=$(stat -c %s "$1")
    case $2 in
    cut) truncate -s $((((RANDOM << 15) + RANDOM) % size)) "$1" ;;
    zero) printf '\0' | dd of="$1" bs=1 seek=$((((RANDOM << 15) + RANDOM) % size)) conv=notrunc status=none ;;
    *) # a printable byte finds its way into texts, any byte into the rest
        # shellcheck disable=SC2059
        printf "\\$(printf %o $((RANDOM % 2 ? 33 + RANDOM % 94 : RANDOM % 256)))" |
            dd of="$1" bs=1 seek=$((((RANDOM << 15) + RANDOM) % size)) conv=notrunc status=none
        ;;
    esac
}

# judge WHAT SAME: SAME says that the result must be that of the undamaged file.
judge()
{
    local wrong=''
    if ((status >= 124 && status != 130)); then
        wrong="status $status"
    elif [[ $2 == same ]]; then
        ((status == expected)) && cmp -s <(plain out) <(plain right.out) || wrong="status $status, another result"
    elif ((status == 2 || status == 5)) && (($(grep -c '^ecube: ' err) != 1)); then
        wrong="$(grep -c '^ecube: ' err) messages"
    elif ((status != 0 && expected == 0)) && [[ ! -s err && ! -s out ]]; then
        wrong="status $status without a word"
    fi
    [[ -z $wrong ]] || found "$1: ecube ${command[*]}: $wrong: $(head -c 200 err)"
}

# series SENTENCE FILE TRIALS SAME ARGUMENTS...
series()
{
    local sentence=$1 file=$2 trials=$3 same=$4 i kinds=(cut byte zero byte)
    shift 4
    command=("$@")
    cp "$file" undamaged
    "$ecube" "$@" >right.out 2>err </dev/null
    expected=$?
    [[ -z $long ]] || trials=$((10 * trials))
    for ((i = 0; i < trials; i++)); do
        cp undamaged "$file"
        damage "$file" "${kinds[i % 4]}"
        timeout $patience "$ecube" "$@" >out 2>err </dev/null
        status=$?
        judge "${kinds[i % 4]} $(cmp undamaged "$file" 2>&1 | head -n 1)" "$same"
    done
    cp undamaged "$file"
    report "$sentence" "$trials"
}

# --- Files of the user ---
series 'a list' list.txt 8 any audit --from list.txt
series 'a trace' trace.csv 8 any audit cube:3 trace:file=trace.csv
series 'a map' swap.csv 8 any audit cube:3 perm:file=swap.csv
series 'a baseline' base.txt 6 any regress base.txt --quiet
series 'a stored result' result.json 8 any report result.json --output r.html --quiet
series 'a stored sweep' sweep.csv 6 any sweep --from sweep.csv --plot p.svg

# --- The journal: what is damaged, and all behind it, is made again ---
journal=(run --from list.txt --jobs 1 --format json --output j.json)
printf '%s\n' "$(<list.txt)" 'cube:21 shift:q=1' >longer.txt
"$ecube" run --from longer.txt --jobs 1 --format json --output j.json >/dev/null 2>&1
cp j.json.journal kept
rm -f j.json*
"$ecube" "${journal[@]}" --quiet && plain j.json >right
[[ -z $long ]] && trials=8 || trials=80
for ((i = 0; i < trials; i++)); do
    cp kept j.json.journal
    damage j.json.journal "$( ((i % 3)) && echo byte || echo cut)"
    timeout $patience "$ecube" "${journal[@]}" --resume >out 2>err </dev/null
    status=$?
    if ((status == 2)) && grep -q 'is not a journal of this version' err && (($(cmp kept j.json.journal | awk '{ print $5 + 0 }') <= 16)); then
        continue # the first line says what it is
    fi
    { ((status == 0)) && cmp -s <(plain j.json) right; } || found "$(cmp kept j.json.journal 2>&1): status $status: $(head -c 200 err)"
done
report 'a journal' "$trials"

done_testing
