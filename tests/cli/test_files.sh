#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that are missing, empty, broken, huge or not to be written: one line, exit status 2, and no
# half-written file.
. "$(dirname "$0")/lib.sh"

# Maps and traces.
: >empty
printf 'src,dst\n0,1\n1,0\n' >swap.csv
printf '0,1\n1' >truncated.csv
printf '0,1\n0,2\n' >twice.csv
printf '0,1\n2,1\n' >same.csv
printf '0,8\n' >outside.csv
printf 'a,b\nc,d\n' >words.csv
printf '0,1\0002,3\n' >zero.csv
head -c 100000 /dev/zero | tr '\0' '7' >endless.csv
printf '1,0,1,4\n2,1,0,4\n' >packets.csv
printf '1,0,1\n' >short-trace.csv
printf '0,0,1,4\n' >cycle0.csv
printf '1,0,1,0\n' >no-words.csv
exits 'a map of two nodes is audited' 0 audit cube:3 perm:file=swap.csv
exits 'a trace of two packets is audited' 0 audit cube:3 trace:file=packets.csv
refused 2 "'missing.csv'" audit cube:3 perm:file=missing.csv
refused 2 'directory' audit cube:3 perm:file=.
for file in empty truncated.csv twice.csv same.csv outside.csv words.csv zero.csv endless.csv; do
    refused 2 "$file" audit cube:3 perm:file=$file
done
for file in empty truncated.csv short-trace.csv cycle0.csv no-words.csv words.csv zero.csv; do
    refused 2 "$file" audit cube:3 trace:file=$file
done
refused 2 '/dev/zero' audit cube:3 perm:file=/dev/zero
if ((EUID != 0)); then
    cp swap.csv locked.csv && chmod 0 locked.csv
    refused 2 'locked.csv' audit cube:3 perm:file=locked.csv
fi

# Lists of runs.
printf '# nothing\n\n' >nothing.txt
printf 'cube:3 shift:q=1\ncube:3 shift:q=9\n' >bad-line.txt
printf 'cube:3 shift:q=1 --format json\n' >format.txt
printf 'cube:3 "shift:q=1\n' >quote.txt
printf 'cube:3\n' >short.txt
printf 'cube:3 shift:q=1 --help\n' >help.txt
head -c 100000 /dev/zero | tr '\0' 'x' >long-line.txt
refused 2 'missing.txt' run --from missing.txt
refused 2 'directory' run --from .
refused 2 'no runs' run --from empty
refused 2 'no runs' run --from nothing.txt
refused 2 'no runs' run --from /dev/null
refused 2 'bad-line.txt:2' run --from bad-line.txt
refused 2 'format.txt:1' run --from format.txt
refused 2 'quote.txt:1' run --from quote.txt
refused 2 'short.txt:1' audit --from short.txt
refused 2 'help.txt:1' audit --from help.txt
refused 2 'long-line.txt:1' run --from long-line.txt
refused 2 'zero.csv:1' run --from zero.csv
refused 2 '/dev/zero' run --from /dev/zero
refused 2 '--from cannot be combined with TOPOLOGY' run --from bad-line.txt cube:3

# Output.
mkdir folder
refused 2 'directory' audit cube:3 bitrev --output folder
refused 2 'missing/result' audit cube:3 bitrev --output missing/result
refused 2 'swap.csv/result' audit cube:3 bitrev --output swap.csv/result
refused 2 "--output ''" audit cube:3 bitrev --output ''
for format in text json csv; do
    refused 2 'No space left' audit cube:6 bitrev --format $format --output /dev/full
    "$ecube" audit cube:6 bitrev --format $format >/dev/full 2>err
    equal "audit notices a full disk behind stdout ($format)" "$?" 2
done
"$ecube" list >/dev/full 2>err
equal 'list notices a full disk' "$? $(wc -l <err)" '2 1'
"$ecube" help run >/dev/full 2>err
equal 'help notices a full disk' "$? $(wc -l <err)" '2 1'
"$ecube" --version >/dev/full 2>err
equal '--version notices a full disk' "$? $(wc -l <err)" '2 1'
"$ecube" --version >&- 2>err
equal '--version notices that there is no stdout' "$? $(wc -l <err)" '2 1'
if ((EUID != 0)); then
    chmod 500 folder
    refused 2 'Permission denied' audit cube:3 bitrev --output folder/result
fi

# No output is another file of the command line.
mkdir names
ln -s names/k.gtkw layout
cp swap.csv layout.labels
echo 'module r; endmodule' | tee q.sv >r.sv
printf 'cube:3 shift:q=1 --events a.txt\ncube:3 shift:q=2\ncube:3 shift:q=1 --events ./a.txt\n' >events.txt
printf 'cube:3 shift:q=1 --wave k.fst\ncube:3 shift:q=2 --wave names/../k.fst\n' >waves.txt
printf 'cube:3 perm:file=swap.csv\ncube:3 shift:q=2 --events swap.csv\n' >reads.txt
printf 'cube:3 shift:q=1\n' >plain.txt
cp reads.txt plain.txt events.txt waves.txt swap.csv names
same=(run cube:3 shift:q=1)
refused 2 "--wave writes 'w.fst' and --output writes 'w.fst'" "${same[@]}" --wave w.fst -o w.fst
refused 2 "--events writes 'x' and --output writes './x'" "${same[@]}" --events x -o ./x
refused 2 "--events writes 'x' and --output writes '$work/x'" "${same[@]}" --events x -o "$work/x"
for ending in fst gtkw labels sucl; do
    refused 2 "--wave writes 'k.$ending' and --events writes 'k.$ending'" "${same[@]}" --wave k.fst --events k.$ending
done
refused 2 "--events writes 'a.txt' (events.txt:1) and --events writes './a.txt' (events.txt:3)" run --from events.txt
refused 2 "--wave writes 'k.fst' (waves.txt:1) and --wave writes 'names/../k.fst' (waves.txt:2)" run --from waves.txt
echo old >names/k.gtkw
refused 2 "--wave writes 'names/k.gtkw' and --output writes 'layout'" "${same[@]}" --wave names/k.fst -o layout
# Standard output is a file, too.
"$ecube" "${same[@]}" --events x.log >x.log 2>err
equal 'an event log where standard output goes is refused' "$? $(<err)" \
    "2 ecube: --events writes 'x.log', where standard output goes: expected different files"
"$ecube" "${same[@]}" --wave k.fst >k.labels 2>err
equal 'so is a layout of a wave' "$? $(<err)" \
    "2 ecube: --wave writes 'k.labels', where standard output goes: expected different files"
"$ecube" run --from plain.txt >>plain.txt 2>err
equal 'and a list that is read' "$? $(<err)" \
    "2 ecube: --from reads 'plain.txt', where standard output goes: expected different files"
"$ecube" audit cube:3 bitrev -o y.log >y.log 2>err
equal 'with --output nothing goes to standard output' "$? $(<err)" '0 '
contains 'and the result is there' y.log 'cube:3 bitrev'
ln -s names/later.txt dangling
refused 2 "--events writes 'names/later.txt' and --output writes 'dangling'" \
    "${same[@]}" --events names/later.txt -o dangling
ln names/k.gtkw hard
refused 2 "--events writes 'hard' and --output writes 'layout'" "${same[@]}" --events hard -o layout
equal 'the file stays' "$(<names/k.gtkw)" old
# Nor one that it reads.
for command in run audit 'compare tiles tiles'; do
    # shellcheck disable=SC2086 # words of a command
    refused 2 "--output writes 'plain.txt' and --from reads 'plain.txt'" $command --from plain.txt -o plain.txt
    # shellcheck disable=SC2086
    refused 2 "--output writes 'swap.csv' and WORKLOAD reads 'swap.csv'" $command cube:3 perm:m=2,file=swap.csv -o swap.csv
done
refused 2 "--output writes 'swap.csv' and WORKLOAD reads './swap.csv'" draw cube:3 perm:file=./swap.csv -o swap.csv
refused 2 "--events writes 'packets.csv' and WORKLOAD reads" run cube:3 trace:file=packets.csv --events packets.csv
refused 2 "--wave writes 'layout.labels' and WORKLOAD reads 'layout.labels'" run cube:3 perm:file=layout.labels --wave layout.fst
refused 2 "--events writes 'swap.csv' (reads.txt:2) and WORKLOAD reads 'swap.csv' (reads.txt:1)" run --from reads.txt
refused 2 "--output writes 'r.sv' and --rtl reads 'r.sv'" "${same[@]}" --rtl r.sv --top r -o r.sv
refused 2 "--output writes 'r.sv' and side B reads 'r.sv'" \
    compare tiles tiles:rtl=q.sv+r.sv,top=r cube:3 shift:q=1 -o r.sv
for file in names/*.txt names/*.csv; do
    check "${file#names/} stays" cmp -s "$file" "${file#names/}"
done
exits 'a device may be named twice' 0 "${same[@]}" --events /dev/null -o /dev/null

# The folder of failures is checked before the run.
refused 2 "--failure-dir 'swap.csv': Not a directory" "${same[@]}" --failure-dir swap.csv
refused 2 "--failure-dir 'swap.csv/sub/sub': Not a directory" "${same[@]}" --failure-dir swap.csv/sub/sub
refused 2 "--failure-dir 'swap.csv'" compare tiles tiles cube:3 shift:q=1 --failure-dir swap.csv
refused 2 "--failure-dir 'swap.csv'" tile check ring:3 --failure-dir swap.csv
refused 2 "--failure-dir 'swap.csv'" tile prove ring:3 --failure-dir swap.csv
refused 2 "--failure-dir '/proc/sub': Permission denied" "${same[@]}" --failure-dir /proc/sub
printf 'cube:3 shift:q=1\ncube:3 shift:q=1 --failure-dir swap.csv\n' >folders.txt
refused 2 "folders.txt:2: --failure-dir 'swap.csv': Not a directory" run --from folders.txt
exits 'a folder that does not exist yet is fine' 0 "${same[@]}" --failure-dir later/of/all
check 'and made only after a failure' test ! -e later
mkdir nothing
exits 'an empty folder is fine' 0 "${same[@]}" --failure-dir nothing
check 'and stays empty' rmdir nothing
if ((EUID != 0)); then
    refused 2 "--failure-dir 'folder/sub': Permission denied" "${same[@]}" --failure-dir folder/sub
fi

# The name of the output decides the format, unless --format does.
for command in audit run 'compare tiles tiles'; do
    # shellcheck disable=SC2086 # words of a command
    exits "${command%% *} with FILE.json" 0 $command cube:3 bitrev --output named.json
    contains 'writes JSON' named.json '"schema":'
done
exits 'FILE.csv has CSV' 0 audit cube:3 bitrev --output named.csv
contains 'with keys' named.csv 'schema,'
exits '--format takes precedence' 0 audit cube:3 bitrev --format text --output named.json
contains 'with text' named.json CONGESTION-FREE

# A result file appears complete or not at all.
echo old >result
refused 2 'from 1 to 7' audit cube:3 shift:q=8 --output result
equal 'a refused job leaves the old file' "$(<result)" old
exits 'a good job replaces it' 0 audit cube:3 bitrev --output result
contains 'with its report' result CONGESTION-FREE
exits '--output - is standard output' 0 audit cube:3 bitrev --output -
contains 'with the report' out CONGESTION-FREE
check 'and no file' test ! -e -
refused 2 '--events -: expected FILE' run cube:3 bitrev --events -
ln -s result link
exits 'a symbolic link is followed' 0 audit cube:6 bitrev --output link
check 'and stays a link' test -L link
contains 'to the new report' result CONGESTED
mkdir there
ln -s ../later there/second
ln -s there/second first
exits 'a link to a link to no file is followed' 0 audit cube:6 bitrev --output first
equal 'both stay' "$(readlink first there/second)" $'there/second\n../later'
contains 'and the file is made' later CONGESTED
ln -s loop loop
refused 2 'symbolic links' audit cube:6 bitrev --output loop
equal 'a link to itself stays' "$(readlink loop)" loop
equal 'no temporary file is left' "$(ls -d ./*.tmp* folder/* 2>/dev/null)" ''
"$ecube" list 2>err | head -n 1 >/dev/null
equal 'a reader that stops early is not an error' "$(<err)" ''

# Files without an end, and one of holes, in every place that reads a file: refused, in little memory.
truncate -s 20G holes
memory=4000000
(ulimit -v $memory && exec "$ecube" --version) >/dev/null 2>&1 || memory=unlimited # a build with sanitizers
for file in /dev/zero holes; do
    for command in "regress $file" "run --from $file" "run cube:3 trace:file=$file" "run cube:3 perm:file=$file" \
        "sweep --from $file --plot p.svg" "report $file" "run cube:3 shift:q=1 -f $file --top x" \
        "run cube:3 shift:q=1 --rtl $file --top x"; do
        # shellcheck disable=SC2086 # words
        (ulimit -v $memory && exec "$ecube" $command) >out 2>err </dev/null
        equal "ecube $command is refused in one line" "$? $(grep -cE "^ecube: .*$file" err) $(wc -l <err)" '2 1 1'
    done
done

done_testing
