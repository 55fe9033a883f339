#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lists in several workers: the same output for every number of them, in order; interrupted, killed and resumed;
# with lines that cannot be done; in slices. The argument "long" adds many kill times.
. "$(dirname "$0")/lib.sh"

# rows FILE: the results without what depends on the host.
rows()
{
    jq -c 'del(.seconds, .cpu_seconds, .router_cycles_per_second, .peak_rss_bytes)' "$1"
}

for seed in {1..12}; do
    echo "cube:3 uniform:rate=0.2,m=4 --cycles $((seed == 1 ? 20000 : 2000)) --seed $seed"
done >list.txt
printf 'cube:3 gsh:cycle=4-1+3-2,K=4 --algorithm best\ncube:3 shift:q=3\ncube:6 bitrev:m=8\n' >>list.txt

# --- The same for every N ---
exits 'a list in one worker' 0 run --from list.txt --jobs 1 --format json --output one.json
exits 'in five' 0 run --from list.txt --jobs 5 --format json --output five.json
equal 'has the same rows' "$(rows five.json)" "$(rows one.json)"
equal 'one for each line' "$(wc -l <five.json)" 15
equal 'a complete list leaves no journal' "$(echo *.journal*)" '*.journal*'
sed 's/ --cycles [0-9]*//' list.txt >audits.txt
"$ecube" audit --from audits.txt --jobs 1 >one.txt
"$ecube" audit --from audits.txt --jobs 3 >three.txt
equal 'audits, too' "$(wc -l <three.txt) $(sed 's/  [0-9.]* s$//' three.txt | md5sum)" \
    "16 $(sed 's/  [0-9.]* s$//' one.txt | md5sum)"
head -n 3 list.txt | sed 's/ --cycles [0-9]*/ --cycles 300/' >short.txt
exits 'comparisons' 0 compare tiles tiles --from short.txt --jobs 2 --format json
equal 'come in order' "$(jq -r .command out | sed 's/.* //' | xargs)" '1 2 3'
sed 's/ --cycles [0-9]*/ --cycles 1000/' list.txt >matrix.txt
"$ecube" regress matrix.txt --update --jobs 1 >out 2>err
cp matrix.txt one.txt
sed -i 's/ = .*//' matrix.txt
"$ecube" regress matrix.txt --update --jobs 4 >out 2>err
equal 'a regression stores the same' "$? $(diff one.txt matrix.txt)" '0 '
for ((q = 0; q < 260; q++)); do echo "cube:3 shift:q=$((q % 7 + 1))"; done >many.txt
exits 'as many workers as there may be' 0 audit --from many.txt --jobs 256 --format csv
equal 'do a long list' "$(wc -l <out)" 261
refused 2 '--jobs 257: expected a whole number from 1 to 256' audit --from many.txt --jobs 257
refused 2 '--jobs needs --from' run cube:3 shift:q=1 --jobs 2
refused 2 '--jobs 0: expected a whole number from 1' run --from list.txt --jobs 0

# --- Killed and resumed ---
run=(run --from list.txt --jobs 2 --format json --output r.json)

# killed SIGNAL RECORDS: once the journal has so many records (of some kilobytes each). A last line keeps the list from
# ending before.
endless='cube:3 uniform:rate=0.2,m=8 --cycles 100000000000'
killed()
{
    local child worker workers
    echo "$endless" >>list.txt
    "$ecube" "${run[@]}" --quiet "${@:3}" 2>err &
    child=$!
    until (($(stat -c %s r.json.journal 2>/dev/null || echo 0) > 3500 * $2)) || ! kill -0 $child; do sleep 0.01; done
    workers=$(pgrep -P $child)
    kill -s "$1" $child
    wait $child 2>/dev/null
    # Until the last of them has ended, its files are locked.
    for worker in $workers; do
        while kill -0 "$worker" 2>/dev/null; do sleep 0.01; done
    done
    sed -i '$d' list.txt
}

# resumed SENTENCE: the rest of the list gives the same rows.
resumed()
{
    "$ecube" "${run[@]}" --resume 2>err
    equal "$1" "$? $(rows r.json | diff - <(rows one.json)) $(echo r.json*)" '0  r.json'
    taken=$(sed -n 's/^ecube: \([0-9]*\) of 15 results come from r.json.journal.*/\1/p' err)
    rm -f r.json*
}

killed KILL 1
check 'a list that is killed leaves its journal, and no output' test -e r.json.journal -a ! -e r.json
resumed 'resumed, it has the same rows'
check 'not all of which were made again' test "$taken" -ge 1
killed KILL 3
cp r.json.journal journal
size=$(stat -c %s journal)
truncate -s $((size - 3)) r.json.journal
resumed 'a journal with a torn end'
whole=$taken
for where in $((size / 2)) 8; do
    cp journal r.json.journal
    printf '\377' | dd of=r.json.journal bs=1 seek="$where" conv=notrunc status=none
    ((where == 8)) || resumed "a journal with a wrong byte at $where of $size"
done
refused 2 'is not a journal of this version of ecube' "${run[@]}" --resume
rm -f r.json*
check 'a wrong byte costs records' test "$taken" -le "$whole"
: >r.json.journal
resumed 'an empty journal'
equal 'has nothing' "$taken" 0
killed TERM 3
resumed 'a list that was interrupted'
check 'has its complete rows' test "$taken" -ge 1

# Only lines that are the same as then are taken.
killed KILL 3
sed -i 's/--seed 1$/--seed 99/' list.txt
"$ecube" "${run[@]}" --resume 2>err
status=$?
equal 'a line that has changed runs again' "$status $(rows r.json | jq -c .seed | head -n 1)" '0 99'
equal 'as the others show' "$(rows r.json | tail -n +2)" "$(rows one.json | tail -n +2)"
sed -i 's/--seed 99$/--seed 1/' list.txt
rm r.json
echo '1,0,3,4' >trace.csv
{
    echo 'cube:3 trace:file=trace.csv'
    echo 'cube:3 shift:q=9'
} >files.txt
exits 'a list ends at a line that cannot be done' 2 run --from files.txt --output f.txt
sed -i 2d files.txt
echo 'cube:21 shift:q=1' >>files.txt
exits 'also in its turn' 2 run --from files.txt --jobs 1 --output f.txt
contains 'and says how to go on' err 'ecube: 1 result kept in f.txt.journal: --resume continues from there'
sed -i 2d files.txt
cp f.txt.journal journal
exits 'the corrected list' 0 run --from files.txt --output f.txt --resume
contains 'takes the other lines' err 'ecube: 1 of 1 results come from f.txt.journal'
cp journal f.txt.journal
echo '1,0,3,5' >trace.csv
exits 'unless a file that they read has changed' 0 run --from files.txt --output f.txt --resume
contains 'which is said' err 'ecube: 0 of 1 results come from f.txt.journal'
check 'and the trace is new' grep -q 'PASS  cube:3 trace' f.txt
for i in {0..7}; do echo "$i,$((7 - i))"; done >swap.csv
part=cube:3\ mix:rate=0.1,of=uniform+perm:file=swap.csv@0.5
printf '%s --cycles 500\ncube:3 shift:q=9\n' "$part" >mix.txt
exits 'a list with a mixture' 2 run --from mix.txt --keep-going --output m.txt
echo '#' >>swap.csv
exits 'and another file of one of its parts' 2 run --from mix.txt --keep-going --output m.txt --resume
contains 'runs again' err 'ecube: 0 of 2 results come from m.txt.journal'
# shellcheck disable=SC2086 # two words
refused 2 'expected different files' run $part --events swap.csv
exits 'without a journal a list runs all' 0 audit --from files.txt --output fresh.txt --resume
contains 'and says so' err 'results come from fresh.txt.journal, which was empty or missing'
refused 2 '--resume needs --output' run --from files.txt --resume
refused 2 'not a regular file' run --from files.txt --resume --output /dev/null

# A second process with the same output.
echo "$endless" >endless.txt
"$ecube" run --from endless.txt --output r.json >/dev/null 2>&1 &
child=$!
until [[ -s r.json.journal ]] || ! kill -0 $child; do sleep 0.01; done
refused 2 "'r.json.journal' is in use: another process writes to the same output" run --from files.txt --output r.json
kill -KILL $child
wait $child 2>/dev/null
rm -f r.json*

# A journal without room: one line; the results are there.
head -n 11 list.txt | tail -n 10 >ten.txt
(ulimit -f 1 && exec "$ecube" run --from ten.txt --output r.txt --jobs 2 2>err)
equal 'a journal that cannot be written does not end the list' "$? $(tail -n 1 r.txt)" '0 10 jobs: 10 passed'
equal 'one line says so' "$(cat err)" "ecube: cannot write the journal r.txt.journal: File too large; raise the limit of \
file sizes (ulimit -f)"

# Memory: what the system says is available decides the number of workers.
if unshare -rm bash -c 'mount --bind /proc/meminfo /proc/meminfo' 2>/dev/null; then
    # shellcheck disable=SC2016
    unshare -rm bash -c 'sed "s/^MemAvailable:.*/MemAvailable: 9000 kB/" /proc/meminfo >meminfo
        mount --bind meminfo /proc/meminfo
        taskset -c 0-1 "$0" run --from short.txt >out 2>err' "$ecube"
    if (($(nproc) > 1)); then
        equal 'memory limits the number of workers, once' "$(grep -c 'memory limits the list to 1 worker at a time' err)" 1
    fi
    equal 'and the list is done' "$(tail -n 1 out)" '3 jobs: 3 passed'
else
    pass 'another memory # SKIP this user may not mount'
fi

# --- Lines that cannot be done ---
{
    echo 'cube:3 shift:q=1'
    echo 'cube:3 shfit:q=1'
    echo 'cube:3 shift:q=1 --rtl missing.sv --top x'
    echo 'cube:3 shift:q=2 --cylces 3'
    echo 'cube:3 shift:q=2'
    echo 'cube:21 shift:q=2'
    echo 'cube:3 shift:q=3'
} >bad.txt
exits '--keep-going does the other lines' 2 run --from bad.txt --keep-going --jobs 2
equal 'in their order' "$(sed -n 's/^PASS .*q=\(.\).*/\1/p' out | xargs) $(tail -n 1 out)" \
    '1 2 3 partial: 3 of 7 jobs: 3 passed'
equal 'and lists the others' "$(sed -n 's/^ecube: \(bad.txt:.\): .*(\(status .\))$/\1 \2/p;s/^ecube: \(.*:\)$/\1/p' err | xargs)" \
    '4 of 7 jobs could not be done: bad.txt:2 status 2 bad.txt:3 status 2 bad.txt:4 status 2 bad.txt:6 status 2'
exits 'without it nothing runs' 2 run --from bad.txt
equal 'in one line' "$(wc -l <err) $(wc -l <out)" '1 0'

# --- Slices ---
for i in 1 2 3 4; do
    "$ecube" run --from list.txt --slice $i/4 --format csv --output "slice-$i.csv" --quiet || echo "status $?"
done >out
equal 'four slices' "$(cat out)$(cat slice-*.csv | grep -vc ^topology)" 15
cat slice-*.csv.journal >all.csv.journal
exits 'and have journals' 0 run --from list.txt --resume --format csv --output all.csv
contains 'which together are that of the list' err 'ecube: 15 of 15 results come from all.csv.journal'
equal 'in its order' "$(head -n 1 all.csv | grep -c ^topology) $(grep -o ',[0-9a-f]\{16\},' all.csv | md5sum)" \
    "1 $(jq -r '"," + .digest + ","' one.json | md5sum)"
cat slice-[124].csv.journal >some.csv.journal
exits 'what is missing in them is run' 0 run --from list.txt --resume --format csv --output some.csv
contains 'and named' err 'ecube: to be run: list.txt:3, list.txt:7, list.txt:11'
equal 'slice 2 has every fourth line' "$(grep -o 'seed [0-9]*' slice-2.csv | xargs)" 'seed 2 seed 6 seed 10'
exits 'a slice without lines is done' 0 run --from short.txt --slice 4/4 --format csv --output empty.csv
equal 'and empty' "$(stat -c %s empty.csv)" 0
refused 2 "--slice '0/4': expected I/N with 1 <= I <= N" run --from list.txt --slice 0/4
echo 'not a journal' >kept.csv.journal
refused 2 "'kept.csv.journal' is needed for the journal, but is another file" run --from short.txt --output kept.csv
equal 'a file with the name of the journal is kept' "$(<kept.csv.journal)" 'not a journal'
exits 'a sweep that is refused late' 2 sweep cube:3 uniform:m=4 --rates 0.1 --cycles 9 --output late.txt
equal 'leaves no journal' "$(echo late*)" 'late*'
printf '%s\n' 'cube:3 shift:q=1' 'cube:3 uniform:rate=1' >rate.txt
refused 2 'rate.txt:2: rate=1 with messages of 1 word' run --from rate.txt
refused 2 "--slice '5/4'" run --from list.txt --slice 5/4
refused 2 "--slice '1/4x'" run --from list.txt --slice 1/4x

if [[ ${2:-} == long ]]; then
    for i in {1..60}; do
        "$ecube" "${run[@]}" --quiet 2>err &
        child=$!
        sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
        signals=(TERM KILL KILL)
        kill -s "${signals[i % 3]}" $child 2>/dev/null
        wait $child 2>/dev/null
        "$ecube" "${run[@]}" --quiet --resume 2>err &
        child=$!
        sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
        kill -s KILL $child 2>/dev/null
        wait $child 2>/dev/null
        resumed "killed twice and resumed, time $i"
    done
fi

done_testing
