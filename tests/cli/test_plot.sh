#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plots of sweeps: from curves just measured and from stored ones, in every format.
. "$(dirname "$0")/lib.sh"

# --- What cannot be plotted is refused before anything runs.
refused 2 'expected a name that ends in .svg, .pdf or .png' sweep cube:3 uniform --plot curve.eps
refused 2 "'/nowhere/curve.svg'" sweep cube:3 uniform --plot /nowhere/curve.svg
refused 2 '--from needs --plot FILE, --format csv or --output FILE' sweep --from curve.csv
refused 2 'nothing is measured' sweep cube:3 uniform --from curve.csv --plot curve.svg
refused 2 "cannot read 'none.csv'" sweep --from none.csv --plot curve.svg
mkfifo pipe.csv
refused 2 "cannot read 'pipe.csv': expected a regular file" sweep --from pipe.csv --plot curve.svg
printf 'cycle,source\n1,2\n' >other.csv
refused 2 'expected what a command with --format json has printed' sweep --from other.csv --plot curve.svg
printf 'variant,rate,state,accepted,latency\n' >empty.csv
refused 5 'empty.csv: there are no points' sweep --from empty.csv --plot curve.svg
printf 'variant,rate,state\n,0.1,steady\n' >short.csv
refused 5 'gnuplot failed with status 1: ' sweep --from short.csv --plot curve.svg
refused 2 'expected different files' sweep --from short.csv --plot curve.svg --plot curve.svg --from curve.svg
check 'no file is left' test -z "$(find . -name 'curve*')"

# --- A curve is measured, stored and plotted; the plot does not depend on where the curve comes from.
quick=(--rates 0.1,0.4,0.9 --cycles 2000 --quiet)
exits 'a sweep with a plot' 0 sweep cube:3 uniform:m=4 --vary order=low,high "${quick[@]}" --plot now.svg \
    --title "Karl's curves" --format csv --output curve.csv
exits 'the same from CSV' 0 sweep --from curve.csv --plot later.svg --title "Karl's curves"
check 'is the same plot, byte by byte' cmp now.svg later.svg
contains 'which is complete' now.svg '</svg>'
for word in "Karl's curves" 'order=low' 'order=high' 'zero load, exact' 'channel bound, exact' \
    'offered load (flits/node/cycle)'; do
    contains "which has '$word'" now.svg "$word"
done
# Stored as JSON, with pairs of values, and with classes that only some curves have.
paired=(--vary 'workload+vcs=uniform:m=4+1;uniform:m=2,reply=3,queue=4,classes=2+2' "${quick[@]}")
exits 'pairs of values' 0 sweep cube:3 uniform "${paired[@]}" --format csv --output pairs.csv --plot pairs.svg
contains 'have one curve for each pair' pairs.svg 'uniform:m=4, vcs=1'
equal 'and no other' "$(tail -n +2 pairs.csv | sed 's/^\("[^"]*"\).*/\1/' | sort -u | wc -l)" 2
exits 'the same sweep as JSON' 0 sweep cube:3 uniform "${paired[@]}" --output pairs.json
exits 'can be plotted' 0 sweep --from pairs.json --plot again.svg
check 'with the same plot' cmp pairs.svg again.svg
exits 'and converted' 0 sweep --from pairs.json --format csv --output again.csv
check 'to the same CSV' cmp pairs.csv again.csv
refused 2 'cannot write both.csv: expected --plot FILE, or --output FILE.csv and one file' sweep --from pairs.json,pairs.csv --output both.csv
refused 2 'expected --plot FILE, or --output FILE.csv and one file' sweep --from pairs.csv --plot a.svg --output pairs.txt
refused 2 'vary m+vcs: expected a value for each key' sweep cube:3 uniform --vary m+vcs=4+2,8
refused 2 'vary vcs is given twice' sweep cube:3 uniform --vary m+vcs=4+2 --vary vcs=1
refused 2 "cannot read 'none.json': No such file or directory" sweep --from none.json --plot no.svg
jq '.curves[0].points[0] = 1' pairs.json >damaged.json
refused 2 "'damaged.json': expected the output of 'ecube sweep'" sweep --from damaged.json --plot no.svg
exits 'another result' 0 run cube:1 bitcomp --output run.json
refused 2 "'run.json': expected the output of 'ecube sweep'" sweep --from run.json --plot no.svg
# The key has all curves, however many and however long their labels are.
awk -F, -v OFS=, 'NR == 1 { print } NR == 2 { sub(/[^,]*/, ""); label = sprintf("%150s", ""); gsub(/ /, "x", label)
    for (i = 1; i <= 60; i++) print label i $0 }' curve.csv >long.csv
exits '60 curves with long labels' 0 sweep --from long.csv --plot long.svg
equal 'are all in the key' "$(grep -c 'xx\.\.\.xx.*<' long.svg)" 60
exits 'as PDF' 0 sweep --from curve.csv --plot curve.pdf
equal 'it is PDF' "$(head -c 5 curve.pdf)" '%PDF-'
exits 'as PNG' 0 sweep --from curve.csv --plot curve.png
equal 'it is PNG' "$(head -c 4 curve.png | tail -c 3)" PNG
# A file name is no command, no folder of a user and no option.
for name in '|touch run;.svg' '~root.svg' -o.svg; do
    exits "a file named $name" 0 sweep --from curve.csv "--plot=$name"
    check 'has the plot' grep -q '</svg>' -- "$name"
done
check 'and runs nothing' test ! -e run
check 'the script alone draws it, too' env LC_ALL=C gnuplot -c "$source_root/harness/program/sweep/plot.gp" svg copy.svg '' curve.csv
check 'as the program does' cmp copy.svg ./-o.svg

# --- Several files: the key has their names.
sed '1b; s/^[^,]*/"\xc3\xa9"/; s/$/\r/' curve.csv | sed '3,4s/"[^"]*"/"a, b"/' >b.csv
exits 'several files in one plot' 0 sweep --from curve.csv --from pairs.json,b.csv --plot both.svg --title 'Three files'
for label in 'Three files' 'curve: order=low' 'curve: order=high' 'pairs: uniform:m=4, vcs=1' 'b: é' 'b: a, b'; do
    contains "with the legend '$label'" both.svg ">$label"
done
equal 'the key has all curves, and two lines' "$(grep -c 'gnuplot_plot_[0-9]*c' both.svg)" 9
{
    head -n 1 curve.csv
    for i in {1..1001}; do sed -n "2s/[^,]*/$i/p" curve.csv; done
} >many.csv
refused 5 'gnuplot failed with status 1: ' sweep --from many.csv --plot no.svg
check 'none of them is plotted' test ! -e no.svg

# --- Without gnuplot.
refused_without()
{
    PATH=/nonexistent "$ecube" sweep --from curve.csv --plot lost.svg >out 2>err
    equal 'without gnuplot the status is 5' "$?" 5
    contains 'and one line names the package' err 'install the package gnuplot-nox'
    equal 'one line' "$(wc -l <err)" 1
}
refused_without
mkdir bin
printf '#!/bin/sh\necho "no such terminal" >&2\nexit 7\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH "$ecube" sweep cube:3 uniform:m=4 "${quick[@]}" --plot lost.svg --format csv --output kept.csv 2>err
equal 'if gnuplot fails the status is 5' "$?" 5
contains 'with what it said' err 'gnuplot failed with status 7: no such terminal'
equal 'the results are kept' "$(wc -l <kept.csv)" 4
printf '#!/bin/sh\nexit 0\n' >bin/gnuplot
PATH=$PWD/bin:$PATH "$ecube" sweep --from curve.csv --plot lost.svg 2>err
equal 'if gnuplot draws nothing the status is 5' "$? $(<err)" '5 ecube: gnuplot has drawn nothing'
printf '#!/bin/sh\necho $$ >drawing\nexec sleep 60\n' >bin/gnuplot
PATH=$PWD/bin:$PATH "$ecube" sweep --from curve.csv --plot lost.svg 2>err &
until [[ -s drawing ]] || ! kill -0 $!; do sleep 0.05; done
kill -TERM $!
wait $!
equal 'an interrupt ends the plot' "$? $(<err)" '130 ecube: interrupted while gnuplot was running: there is no plot'
# shellcheck disable=SC2016 # the inner shell expands it
check 'and gnuplot' bash -c '! kill -0 "$(<drawing)" 2>/dev/null'
check 'and no part of a plot' test -z "$(find . -name 'lost*' -o -name '*.tmp.*')"

done_testing
