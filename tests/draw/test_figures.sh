#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of the sources: every cell as printed, by hand or by another way to compute it; and a wrong schedule gives
# another picture.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# --- Rings on cubes: Grama et al., Figures 4.23 and 4.24; Gergel, Figure 3.1 -----------------------

# Figures 4.23(a) and (b), and Figure 2 of Gohil: how far the packets are after each step. In the middle of a phase the
# nodes that are reached make a permutation, in which no packet is more than a link from where it was.
progress() # RING-SIZE: the common distance of the packets in the ring after each step, "-" if they have none
{
    awk -v p="$1" '/^step/ { if (on) print far; on = 1; far = "" }
        /^  [0-9]/ { d = (substr($3, 2) - substr($4, 2) + p) % p; far = far == "" || far == d ? d : "-" } END { print far }' out | xargs
}
run draw cube:3 shift:q=5,labels=gray --algorithm gray-forward:order=C
equal "Figure 4.23: 4 nodes on after two steps, 5 after three" "$(progress 8)" '- 4 5'
run draw cube:3 shift:q=7,labels=gray --algorithm gohil-cube:reading=corrected
equal "Figure 2 of Gohil: 4, 6 and 7 nodes on" "$(progress 8)" '- 4 - 6 7'
run draw cube:3 shift:q=7,labels=gray --algorithm gohil-cube:reading=received
check "as printed, packets are not there" test "$(progress 8)" != '- 4 - 6 7'

# Figure 4.24: the links of all paths, from the definition of E-cube routing.
paths_of() # Q [OPTION...]: lines "q link-from dimension source" of a picture of a shift
{
    run draw cube:3 "shift:q=$1" "${@:2}"
    awk -v q="$1" '/^  [0-7] / { for (i = 1; i <= NF; i++) if (sub(/^dim/, "", $i)) { dim = $i + 0; for (j = i + 1; j <= NF && $j !~ /^dim/; j++) print q, $1, dim, $j + 0 } }' out
}
for q in 1 2 3 4 5 6 7; do paths_of $q; done | sort >drawn
awk 'BEGIN { for (q = 1; q < 8; q++) for (s = 0; s < 8; s++) {
        at = s; to = (s + q) % 8
        for (d = 0; d < 3; d++) { bit = 2 ^ d
            if (int(at / bit) % 2 != int(to / bit) % 2) { print q, at, d, s; at += int(at / bit) % 2 ? -bit : bit } } } }' | sort >expected
check "Figure 4.24: the paths of all messages of all shifts" cmp drawn expected
for q in 1 2 3 4 5 6 7; do paths_of $q --router order=high; done | sort >high
check "another order gives other paths" test "$(cmp -s high expected; echo $?)" = 1

# --- Tables: Johnsson and Ho, Figures 5, 8 and 9 ----------------------------------------------------

# table SEQUENCE...: the cells "row step text" of rows 0, 1, ...; a sequence of one row: "CONTROL:FIRST-LAST@STEP" joined
# by '+', primes at the end of CONTROL; "•ROW@STEP" is a synchronisation.
table()
{
    printf '%s\n' "$@" | awk '{
        n = split($0, part, "+")
        for (i = 1; i <= n; i++) {
            split(part[i], at, "@")
            if (part[i] ~ /^•/) { print NR - 1, at[2], at[1]; continue }
            split(at[1], x, ":"); split(x[2], range, "-")
            prime = x[1]; gsub(/[^\047"]/, "", prime); control = x[1] ~ /^v/ ? "v" : x[1]
            for (d = range[1]; d <= range[2]; d++) print NR - 1, at[2] + d - range[1], control "," d prime
        } }' | sort
}
cells() # of the table in `out`
{
    awk '/^row [0-9]/ { for (i = 3; i <= NF; i++) if ($i != ".") print $2, i - 2, $i }' out | sort
}

# The first four rows start in dimensions 5, 5, 3, 3 with v, and go on with alpha_0; bullets in columns 3 and 5.
figure5=(v:5-6@1+•1@3+0:1-5@6 v:5-6@2+0:1-5@7 v:3-6@1+•3@5+0:1-3@8 v:3-6@2+0:1-3@9 0:1-6@{1,2,3,4,5})
run draw cube:6 gsh:cycle=10-9-8-7-6-5-0,K=18 --algorithm concurrent --names paper
equal "Figure 5" "$(cells)" "$(table "${figure5[@]}")"
run draw cube:6 gsh:cycle=10-9-8-7-6-5-0,K=18 --algorithm concurrent:reading=printed --names paper
check "sets that start as the text says give another table" test "$(cells)" != "$(table "${figure5[@]}")"
run draw cube:6 gsh:cycle=10-9-8-7-6-5-0,K=18 --algorithm parity
equal "rows by parity never synchronise" "$(grep -c • out)" 0

# 5 rows begin in the first block and 7 in the second; all rows of a block follow one another.
figure8=()
for row in 0 1 2 3 4; do figure8+=("0:1-5@$((row + 1))+0':1-5@$((row + 8))"); done
for row in 0 1 2 3 4 5 6; do figure8+=("0':1-5@$((row + 1))+0:1-5@$((row + 6))"); done
run draw cube:10 gsh:cycle=9-8-7-6-5-0+14-13-12-11-10-1,K=24 --algorithm pipelined --names paper
equal "Figure 8" "$(cells)" "$(table "${figure8[@]}")"

# Row 1 in column 3 is v,6 (0,6 in print). The bullets of rows 6 and 8 are printed one row and one column further.
figure9=("v:5-6@1+•1@3+0':1-6@5+0:1-5@11" "v:5-6@2+0':1-6@6+0:1-5@12" "v:3-6@1+•3@5+0':1-6@7+0:1-3@13" "v:3-6@2+0':1-6@8+0:1-3@14"
    "0:1-6@1+0':1-6@9" "0:1-6@2+0':1-6@10"
    "v':5-6@1+0:1-6@3+•7@9+0':1-5@11" "v':5-6@2+0:1-6@4+0':1-5@12" "v':3-6@1+0:1-6@5+•9@11+0':1-3@13" "v':3-6@2+0:1-6@6+0':1-3@14"
    "0':1-6@1+0:1-6@7" "0':1-6@2+0:1-6@8" "0':1-6@3+0:1-6@9" "0':1-6@4+0:1-6@10")
run draw cube:12 gsh:cycle=16-15-14-13-12-11-0+10-9-8-7-6-5-1,K=28 --algorithm concurrent --names paper
equal "Figure 9" "$(cells)" "$(table "${figure9[@]}" | sed "s/v',\([0-9]\)'*/v,\1'/")"

done_testing
