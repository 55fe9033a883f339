#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures: their contents are right, their labels are readable, and impossible pictures are refused in one line.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# legible TOPOLOGY WORKLOAD OPTIONS...: no texts overlap.
legible()
{
    run draw "$@" --output picture.svg
    equal "$*: drawn" "$status" 0
    awk -f "$here/overlap.awk" picture.svg >overlaps
    equal "$*: screen readers have a title and a description" "$(grep -cE '^<(title|desc)>.{9}' picture.svg)" 2
    equal "$*: every label is legible" "$(head -n 1 overlaps)" ""
    if [ -n "$(command -v rsvg-convert)" ]; then
        check "$*: a viewer can show it" rsvg-convert -o picture.png picture.svg
    fi
}

legible cube:3 shift:q=5
for q in 1 2 3 4 6 7; do legible cube:3 shift:q=$q; done
legible cube:1 shift:q=1
legible cube:4 shift:q=7
legible cube:5 bitrev
legible cube:6 shift:q=21
legible cube:3 shift:q=5,labels=gray --algorithm gray-forward
legible cube:5 shift:q=11,labels=gray --algorithm gray-signed:order=C
legible torus:4x4 shift:q=5 --algorithm forward
legible torus:6x6 shift:q=22 --algorithm plain
legible torus:4x4 shift:q=5
legible ring:16 shift:q=3 --algorithm ring
legible mesh:5x4 neighbor
legible cube:3 gsh:cycle=3-2+1-0,K=4 --algorithm best
legible cube:4 gsh:cycle=5-4-3-2,K=4 --algorithm best
legible cube:6 bitrev
legible cube:6 shuffle
legible mesh:8x8 transpose
legible mesh:8 shift:q=3 --algorithm line
legible torus:3x3 shift:q=4 --algorithm forward
legible cube:3 gsh:cycle=5-4-3-0,K=8 --algorithm pipelined
legible cube:4 gsh:cycle=7-6-5-4-0,K=16 --algorithm parity
legible cube:4 gsh:cycle=7-6-1+5-4-0,K=16 --algorithm pipelined --what steps
legible torus:4x4 shift:q=5 --algorithm forward --columns 3 --compact --width 170
legible torus:4x4 shift:q=5 --compact
legible ring:8 shift:q=3 --compact
legible cube:3 shift:q=5,labels=gray --algorithm gray-forward --compact
legible torus:4x4x4 shift:q=21
legible mesh:2x3x4 shift:q=7
legible torus:3x3x3 shift:q=13
legible torus:3x3x3 shift:q=13 --compact
legible cube:12 gsh:cycle=16-15-14-13-12-11-0+10-9-8-7-6-5-1,K=28 --algorithm concurrent --names paper

# Their contents, against a count by hand.
run draw cube:3 shift:q=5
contains "the path of 1 begins with dimension 0... of 5 -> 2" out 'dim2->1: 4'
equal "as many link crossings as the paths are long" \
    "$(grep -o 'dim[0-9]->[0-9]: [0-9]' out | wc -l)" \
    "$(n=0; for i in 0 1 2 3 4 5 6 7; do x=$((i ^ (i + 5) % 8)); n=$((n + (x & 1) + (x >> 1 & 1) + (x >> 2))); done; echo $n)"
run draw torus:4x4 shift:q=5 --algorithm forward
equal "after the last step every node holds the right element" \
    "$(awk '/^step 3/ { on = 1; next } on && $1 ~ /^[0-9]+$/ { if (($3 + 5) % 16 != $1) print $1 }' out)" ""
run draw cube:3 gsh:cycle=5-4-3-0,K=8 --algorithm pipelined
equal "Figure 2 of Johnsson and Ho, row by row" "$(awk '/^row [0-9]/ { $1 = ""; print }' out | xargs)" \
    "0 0,3 0,4 0,5 . . . 1 . 0,3 0,4 0,5 . . 2 . . 0,3 0,4 0,5 . 3 . . . 0,3 0,4 0,5"

# Links that nothing crosses are grey lines between their nodes. Of the 32 links, step 1 of this shift uses the 16 of
# the rows, step 2 the 4 of a column, step 3 the 16 of the columns; 4 of 16 are drawn in two pieces.
run draw torus:4x4 shift:q=5 --algorithm forward --output picture.svg
equal "idle links are grey, used ones are not" \
    "$(awk '/>step . of 3</ { n++ } /#cccccc/ { grey[n]++ } END { print n, grey[1], grey[2], grey[3] }' picture.svg)" \
    "3 20 35 20"
equal "and are where their nodes are" "$(awk '/<circle/ { split($0, c, "\""); x[c[2]]; y[c[4]] }
    /#cccccc/ { lines[++n] = $0 }
    END { for (i = 1; i <= n; i++) { split(lines[i], m, /[ML" ]+/); if (!(m[3] in x) && !(m[4] in y)) print lines[i] } }' \
    picture.svg | head -n 1)" ""

# Panels side by side, and the width in print.
boxes() # COLUMNS: panels whose nodes 0 are at one height
{
    run draw torus:4x4 shift:q=5 --algorithm forward --columns "$1" --output picture.svg
    awk -F'"' '/<circle/ { y = $4 } />0<\/text>/ && /bold/ { rows[y]++ } END { for (y in rows) print rows[y] }' picture.svg |
        sort -n | xargs
}
equal "three panels in a row" "$(boxes 3)" 3
equal "two in a row, one below" "$(boxes 2)" '1 2'
run draw torus:4x4 shift:q=5 --algorithm forward --width 80 --output picture.svg
equal "80 mm in print" "$(grep -o 'width="80.0mm"' picture.svg | head -n 1)" 'width="80.0mm"'

# Links between the slices of a torus of three dimensions name the other end.
run draw torus:3x3x3 shift:q=9 --output picture.svg
equal "each node sends to the slice above" \
    "$(sed -n 's/.*>\([0-9]*\)→\([0-9]*\)<.*/\1 \2/p' picture.svg | awk '($1 + 9) % 27 == $2' | sort -u | wc -l)" 27
equal "the slices have names" "$(grep -o 'z = [0-9]' picture.svg | xargs)" 'z = 0 z = 1 z = 2'

# As text: no trailing blanks, the links of a node in order, and tables wider than a line in pieces.
for words in 'torus:4x4 shift:q=5 --algorithm forward' 'cube:3 hotspot' 'cube:3 gsh:cycle=6-5-4,K=16 --algorithm a2'; do
    # shellcheck disable=SC2086
    run draw $words
    equal "$words: no blanks at ends of lines" "$(grep -c ' $' out)" 0
done
run draw cube:4 bitrev
equal "links are in their order" "$(awk '{ last = -1; for (i = 1; i <= NF; i++) if ($i ~ /^dim/) {
    d = substr($i, 4, 1); if (d <= last) print; last = d } }' out)" ""
rows_of() # FILE: every row of a table with all its cells
{
    awk '/^row [0-9]/ { for (i = 3; i <= NF; i++) cells[$2] = cells[$2] " " $i } END { for (r in cells) print r cells[r] }' "$1" |
        sort -n
}
wide=(draw cube:6 'gsh:cycle=10-9-8-7-6-5-0,K=32' --algorithm parity)
run "${wide[@]}"
equal "in a file a table is in one piece" "$(grep -c '^row 0 ' out)" 1
rows_of out >whole
COLUMNS=80 run "${wide[@]}"
equal "in 80 columns no line of it is too long" "$(awk '/^row/ && length($0) > 80' out)" ""
equal "on a terminal it is in pieces" "$(grep -c '^row 0 ' out)" 2
rows_of out >pieces
check "that together make up the table" cmp whole pieces
COLUMNS=1 run "${wide[@]}"
rows_of out >pieces
check "and so it is in lines that are too short for anything" cmp whole pieces
COLUMNS=wide run "${wide[@]}"
equal "an invalid width is ignored" "$(grep -c '^row 0 ' out)" 1

# The pictures in the documents equal those that their commands make.
for page in PICTURES.md study/GALLERY.md; do
    while read -r line; do
        eval "set -- ${line#ecube }"
        run "$@"
        file=${!#}
        stored=$(sed -n "s,^!\\[.*](\\(.*$file\\))\$,\\1,p" "$here/../../docs/$page" | head -n 1)
        check "docs/$page shows what its command makes, $file" cmp "$file" "$here/../../docs/$(dirname "$page")/$stored"
    done < <(grep -h '^ecube draw .*\.svg$' "$here/../../docs/$page")
done
equal "every picture of the gallery is on its page" "$(ls "$here/../../docs/study/pictures")" \
    "$(grep -o '](pictures/[^)]*)' "$here/../../docs/study/GALLERY.md" | sed 's,](pictures/,,; s/)//' | sort)"

# Refusals: exit 2, one line.
refuses()
{
    local words=$1
    shift
    run draw "$@"
    equal "$*: refused" "$status" 2
    contains "$*: says why" err "$words"
    equal "$*: in one line" "$(wc -l <err)" 1
}
refuses 'at most 64 nodes' cube:7 shift:q=1 --output x.svg
refuses 'cannot draw a grid of 4 dimensions' mesh:2x2x2x3 neighbor --format svg
refuses 'needs --what table' cube:3 shift:q=1 --algorithm ecube-steps --what steps --names paper
refuses 'needs --algorithm' cube:3 shift:q=1 --what table
refuses 'has no table of exchanges' ring:5 shift:q=1 --algorithm ring --what table
refuses 'rate=' cube:3 uniform:rate=0.1
refuses 'unknown algorithm' cube:3 shift:q=1 --algorithm nonsense
refuses 'expected FILE.svg' cube:3 shift:q=1 --output x.png
run draw cube:3 shift:q=1 --output x.svg.txt
equal "the ending of the file counts" "$(head -n 1 x.svg.txt)" 'cube:3 shift:q=1,m=1'
rm x.svg.txt
refuses 'expected steps, paths or table' cube:3 shift:q=1 --what nonsense
refuses 'missing WORKLOAD' cube:3
check "nothing is left of a refused picture" test ! -e x.svg
done_testing
