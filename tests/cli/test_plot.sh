#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plots of sweeps: from curves just measured and from stored ones, in every format.
. "$(dirname "$0")/lib.sh"

# --- What cannot be plotted is refused before anything runs.
refused 2 'expected a name that ends in .svg, .pdf, .png' sweep cube:3 uniform --plot curve.eps
refused 2 "'/nowhere/curve.svg'" sweep cube:3 uniform --plot /nowhere/curve.svg
refused 2 '--from needs --plot FILE, --format csv or --output FILE' sweep --from curve.csv
refused 2 'nothing is measured' sweep cube:3 uniform --from curve.csv --plot curve.svg
refused 2 'cannot read none.csv' sweep --from none.csv --plot curve.svg
printf 'cycle,source\n1,2\n' >other.csv
refused 2 "other.csv: there is no column 'rate'" sweep --from other.csv --plot curve.svg
printf 'rate,state,accepted,latency\n0.1,steady,0.1\n' >short.csv
refused 2 'short.csv:2: the row has 3 columns: expected the 4' sweep --from short.csv --plot curve.svg
printf 'rate,state,accepted,latency\n0.1,steady,0.1,x\n' >text.csv
refused 2 "text.csv:2: latency: expected a number of at least 0; got 'x'" sweep --from text.csv --plot curve.svg
printf 'rate,state,accepted,latency\n0.1,lost,0.1,3\n' >state.csv
refused 2 "state 'lost'" sweep --from state.csv --plot curve.svg
printf 'rate,state,accepted,latency\n0.1,too short,0.1,\n0.2,not steady,0.1,\n' >older.csv
exits 'the former name of a state is read' 0 sweep --from older.csv --plot older.gp --quiet
equal 'as the present one' "$(grep -c ',not steady\|,too short' older.gp)" 0
printf 'rate,state,accepted,latency\n' >empty.csv
refused 2 'there are no points' sweep --from empty.csv --plot curve.svg
printf 'rate,state,"accepted\n",latency,\n' >header.csv
refused 2 'header.csv:1: the header has a line break in quotes' sweep --from header.csv --plot curve.svg
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
refused 2 'expected --plot, or --format csv and one file' sweep --from pairs.json,pairs.csv --output both.csv
refused 2 'expected --plot, or --format csv and one file' sweep --from pairs.csv --plot a.svg --output pairs.txt
refused 2 'vary m+vcs: expected a value for each key' sweep cube:3 uniform --vary m+vcs=4+2,8
refused 2 'vary vcs is given twice' sweep cube:3 uniform --vary m+vcs=4+2 --vary vcs=1
jq '.curves[0].points[0] = 1' pairs.json >damaged.json
refused 2 "damaged.json: expected the output of 'ecube sweep --format json'" sweep --from damaged.json --plot no.gp
exits 'another result' 0 run cube:1 bitcomp --output run.json
refused 2 "run.json: expected the output of 'ecube sweep" sweep --from run.json --plot no.gp
# The key has all curves, however many and however long their labels are.
{
    echo variant,rate,state,accepted,latency
    seq -f "$(printf 'x%.0s' {1..150})%g,0.1,steady,0.1,9" 60
} >long.csv
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
exits 'as a script' 0 sweep --from curve.csv --plot 'my plot.gp'
check 'which gnuplot can draw' env LC_ALL=C.UTF-8 gnuplot 'my plot.gp'
check 'under its name' test -s 'my plot.pdf'
contains 'it has the points with half-widths' 'my plot.gp' "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { printf "%.10g %.10g ", $at["rate"], $at["latency"] }' <(sed 's/"[^"]*"/text/g' curve.csv))"

# --- Several files: the legend has what differs.
cat >a.csv <<'END'
variant,parameters_topology,parameters_router_vcs,parameters_pattern,bound,rate,state,accepted,latency
,mesh:8x8,1,uniform,0.5,0.1,steady,0.1,12
,mesh:8x8,1,uniform,0.5,0.6,saturated,0.4,
"with ""quotes"", commas",mesh:8x8,4,transpose,,0.1,steady,0.1,10
END
sed 's/mesh:8x8/torus:8x8/; s/,0.1,12/,0.1,9/' a.csv | tr '\n' '\r' | sed 's/\r/\r\n/g' >b.csv
exits 'several files in one plot' 0 sweep --from a.csv --from b.csv --plot both.gp
for label in 'mesh:8x8, vcs=1, uniform' 'mesh:8x8, vcs=4, transpose' 'torus:8x8, vcs=1, uniform'; do
    contains "with the legend '$label'" both.gp "title '$label'"
done
# Datelines that follow from topology and VCs are no news.
sed '1s/_vcs/&,parameters_router_dateline/; 2,$s/x8,[14]/&,off/' a.csv >off.csv
sed 's/mesh/torus/; s/4,off/4,on/' off.csv >on.csv
exits 'files of routers with their default datelines' 0 sweep --from off.csv,on.csv --plot lines.gp
contains 'have a legend without them' lines.gp "title 'torus:8x8, vcs=4, transpose'"
sed 's/mesh/torus/' off.csv >on.csv
sed 's/mesh/torus/; s/4,off/4,on/' off.csv >>on.csv && sed -i 5d on.csv
exits 'others' 0 sweep --from off.csv,on.csv --plot lines.gp
contains 'have them in it' lines.gp 'dateline=off'
exits 'one file keeps its labels' 0 sweep --from a.csv --plot one.gp
contains 'quotes and commas are read' one.gp "title 'with \"quotes\", commas'"
sed '1s/,parameters_[a-z_]*//g; 2,$s/,mesh:8x8,[14],[a-z]*//' a.csv >c.csv
cp c.csv d.csv
exits 'without parameters' 0 sweep --from c.csv,d.csv --plot named.gp
contains 'the files are named' named.gp "title 'd'"

# --- Damaged files. The last row of a.csv is its only one with quotes.
sed '1s/bound/latency/' a.csv >twice.csv
refused 2 "twice.csv: column 'latency' is there twice" sweep --from twice.csv --plot no.gp
sed '$s/,10$/,"10/' a.csv >open.csv
refused 2 'open.csv:4: a quote is not closed' sweep --from open.csv --plot no.gp
head -c 4096 /dev/zero | cat a.csv - >zeros.csv
refused 2 'zeros.csv: a NUL byte' sweep --from zeros.csv --plot no.gp
sed '$s/,10$/,-10/' a.csv >negative.csv
refused 2 "negative.csv:4: latency: expected a number of at least 0; got '-10'" sweep --from negative.csv --plot no.gp
mkfifo pipe.csv
refused 2 'cannot read pipe.csv: not a regular file' sweep --from pipe.csv --plot no.gp
{
    echo variant,rate,state,accepted,latency
    seq 1002 | sed 's/$/,0.1,steady,0.1,9/'
} >many.csv
refused 2 'many.csv:1003: more than 1000 curves' sweep --from many.csv --plot no.gp
refused 2 'expected a name without line breaks' sweep --from a.csv --plot $'no\nno.gp'
check 'none of them is plotted' test ! -e no.gp
exits 'a title that is not UTF-8' 0 sweep --from a.csv --plot title.gp --title $'a\xffb\x01c'
contains 'is replaced' title.gp "set label 1 'a?b c'"

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
equal 'if gnuplot draws nothing the status is 5' "$? $(<err)" '5 ecube: gnuplot has drawn nothing: '
printf '#!/bin/sh\necho $$ >drawing\nexec sleep 60\n' >bin/gnuplot
PATH=$PWD/bin:$PATH "$ecube" sweep --from curve.csv --plot lost.svg 2>err &
until [[ -s drawing ]] || ! kill -0 $!; do sleep 0.05; done
kill -TERM $!
wait $!
equal 'an interrupt ends the plot' "$? $(<err)" '130 ecube: interrupted while gnuplot was running: there is no plot'
# shellcheck disable=SC2016 # the inner shell expands it
check 'and gnuplot' bash -c '! kill -0 "$(<drawing)" 2>/dev/null'
check 'and no part of a plot' test -z "$(find . -name 'lost*' -o -name '*.gp.*')"

done_testing
