#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of the sources: every cell as printed, by hand or by another way to compute it; and a wrong schedule gives
# another picture.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$here/../cli/lib.sh"

# --- Memory: Johnsson and Ho, Figures 1, 3, 4 and 10 ----------------------------------------------

# memory TITLE: the slots of this moment in `out`, one line each, cells "element" or "element:mark".
memory()
{
    awk -v title="$1" '
        $0 == title { on = 1; next }
        !NF { on = 0 }
        on && $1 == "slot" {
            line = ""
            for (i = 3; i <= NF; i++)
                line = line ($i ~ /^(X|→)/ ? ":" : i > 3 ? " " : "") $i
            print line
        }' out
}
marks() # TITLE: the same, marks only
{
    memory "$1" | sed 's/[0-9|.]*:/:/g; s/\<[0-9|]\+\>/./g; s/:\./:/g; s/://g'
}

run draw cube:2 gsh:cycle=3-1,K=4 --algorithm pipelined:block=2 --what memory --names bits
equal "Figure 1, before" "$(memory 'step 1 of 1' | sed 's/:X[0-9]//g')" \
    "$(for slot in 00 01 10 11; do echo "00|$slot 01|$slot 10|$slot 11|$slot"; done)"
equal "Figure 1, after" "$(memory 'at the end')" \
    '00|00 01|00 00|10 01|10
00|01 01|01 00|11 01|11
10|00 11|00 10|10 11|10
10|01 11|01 10|11 11|11'

run draw cube:3 gsh:cycle=3-2-1-0,K=2 --algorithm pipelined --what memory
equal "Figure 3, initial allocation" "$(memory 'step 1 of 3' | sed 's/:X[0-9]//g')" \
    '0 2 4 6 8 10 12 14
1 3 5 7 9 11 13 15'
equal "Figure 3, step 1" "$(marks 'step 1 of 3')" '. X0 . X1 . X2 . X3
X0 . X1 . X2 . X3 .'
equal "Figure 3, step 2" "$(marks 'step 2 of 3')" '. . X0 X1 . . X2 X3
X0 X1 . . X2 X3 . .'
equal "Figure 3, step 3" "$(marks 'step 3 of 3')" '. . . . X0 X1 X2 X3
X0 X1 X2 X3 . . . .'
equal "Figure 3, final allocation" "$(memory 'at the end')" '0 1 2 3 4 5 6 7
8 9 10 11 12 13 14 15'

run draw cube:3 gsh:cycle=3-2-1-0,K=2 --algorithm align --what memory
equal "Figure 4, initial reordering" "$(marks 'moves within nodes, before step 1')" '. X0 X1 . X2 . . X3
. X0 X1 . X2 . . X3'
equal "Figure 4, step 1" "$(marks 'step 1 of 3')" '. . X1 X1 X2 X2 . .
X0 X0 . . . . X3 X3'
equal "Figure 4, step 2" "$(marks 'step 2 of 3')" '. X1 . X1 X2 . X2 .
X0 . X0 . . X3 . X3'
equal "Figure 4, step 3" "$(marks 'step 3 of 3')" '. X1 X2 . . X1 X2 .
X0 . . X3 X0 . . X3'
equal "Figure 4, final reordering" "$(marks 'moves within nodes, at the end')" '. X0 X1 . X2 . . X3
. X0 X1 . X2 . . X3'
equal "Figure 4 ends as Figure 3" "$(memory 'at the end')" '0 1 2 3 4 5 6 7
8 9 10 11 12 13 14 15'

# Printed with the storage bit first; here it is last.
run draw cube:3 gsh:cycle=3-2-1,K=2 --algorithm a1-one-port --what memory --names bits
figure10=('000|0 001|0 010|0 011|0 100|0 101|0 110|0 111|0
000|1 001|1 010|1 011|1 100|1 101|1 110|1 111|1'
    '000|0 000|1 010|0 010|1 100|0 100|1 110|0 110|1
001|0 001|1 011|0 011|1 101|0 101|1 111|0 111|1'
    '000|0 000|1 001|0 001|1 100|0 100|1 101|0 101|1
010|0 010|1 011|0 011|1 110|0 110|1 111|0 111|1'
    '000|0 000|1 001|0 001|1 010|0 010|1 011|0 011|1
100|0 100|1 101|0 101|1 110|0 110|1 111|0 111|1')
for step in 1 2 3 4; do
    equal "Figure 10, table $step" "$(memory "step $step of 4" | sed 's/:X[0-9]//g')" "${figure10[step - 1]}"
done
equal "Figure 10, table 5" "$(memory 'at the end')" '000|0 100|0 001|0 101|0 010|0 110|0 011|0 111|0
000|1 100|1 001|1 101|1 010|1 110|1 011|1 111|1'

# A2 sends one way: half of the nodes are empty in between.
run draw cube:3 gsh:cycle=3-2-1,K=2 --algorithm a2 --what memory
equal "before the second step of A2, two nodes are empty" \
    "$(memory 'step 2 of 3' | awk '{ for (i = 1; i <= NF; i++) if ($i != ".") full[i] } END { for (i = 1; i <= 8; i++) if (!(i in full)) print i - 1 }' | xargs)" '1 6'
contains "it names where they go" out '→7'

# A wrong schedule: rows that went west are compensated the wrong way.
run draw torus:4x4 shift:q=3 --algorithm compensate-wrapped --what memory
wrong=$(memory 'at the end')
run draw torus:4x4 shift:q=3 --algorithm plain --what memory
equal "after a shift by 3" "$(memory 'at the end')" '13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 12'
check "a wrong schedule does not end so" test "$wrong" != "$(memory 'at the end')"
COLUMNS=40 run draw cube:3 gsh:cycle=3-2-1-0,K=2 --algorithm align --what memory
equal "on a narrow terminal no line is too long" "$(awk '/^  / && length($0) > 40' out)" ""
equal "and no node is missing" "$(awk '/^step 1/ { on = 1 } /^step 2/ { on = 0 } on && $1 == "node"' out | tr -s ' ' '\n' | grep -c '[0-9]')" 8

done_testing
