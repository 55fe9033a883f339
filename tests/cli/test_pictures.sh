#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of link loads: strips, maps and histograms, to the character.
. "$(dirname "$0")/lib.sh"

# draws SENTENCE ARGUMENTS...: the picture of an audit is the text on stdin.
draws()
{
    local sentence=$1 expected
    shift
    expected=$(cat)
    run audit "$@"
    equal "$sentence" "$(sed -n '/messages per link/,$p' out)" "$expected"
}

draws 'a cube is a strip per dimension' cube:3 shift:q=6 <<'END'
    messages per link
            0   1   2   3   4   5   6   7
    dim0    .   .   .   .   .   .   .   .
    dim1    1   1   1   1   1   1   1   1
    dim2    .   .   1   1   .   .   1   1
END
draws 'a ring is a strip per direction' ring:6 shift:q=2 <<'END'
    messages per link
            0   1   2   3   4   5
    +x      2   2   2   2   2   2
    -x      .   .   .   .   .   .
END
draws 'a mesh is a map per direction, without the links beyond its border' mesh:3x3 transpose <<'END'
    messages per link
       +x       -x       +y       -y
     0 . .        2 1    2 . .
     3 1 .        . 1    1 1 .    . 1 1
     6 1 2        . .             . . 2
END
draws 'a torus has links everywhere' torus:4x3 neighbor <<'END'
    messages per link
       +x         -x         +y         -y
     0 1 1 1 1    . . . .    1 1 1 1    . . . .
     4 1 1 1 1    . . . .    1 1 1 1    . . . .
     8 1 1 1 1    . . . .    1 1 1 1    . . . .
END
draws 'two nodes in a dimension have one link between them' mesh:2x2 bitcomp <<'END'
    messages per link
       +x     -x     +y     -y
     0 1 1           1 1
     2 1 1           1 1
END
draws 'numbers that do not fit become heights' ring:64 hotspot:node=0 <<'END'
    messages per link
         0        8        16       24       32       40       48       56
    +x   ........ ........ ........ ........ 11122223 33444455 56666777 88889999
    -x   .9998888 77766665 55444433 32222111 ........ ........ ........ ........
         9 = 32
END
draws 'a large network is a histogram' cube:7 bitrev <<'END'
    messages per link: how many links
            0 ######################################## 672
            1 ######## 128
            2 #### 64
            4 ## 32
END
run audit cube:12 hotspot
contains 'large loads are counted by powers of two' out '      5-8 # 256'
LC_ALL=C.UTF-8 "$ecube" audit torus:4x3 neighbor >out
contains 'UTF-8 has arrows' out '+y ↓'
NO_COLOR=1 run audit cube:3 bitcomp
equal 'no colour in a pipe' "$(grep -c $'\033' out)" 0
for case in cube:{1,2,3,4,5,6}\ bitcomp mesh:8x8\ transpose torus:8x8\ tornado mesh:16x4\ bitrev \
    mesh:32x2\ bitrev mesh:64x1\ bitrev mesh:1x64\ bitrev torus:4x4x4\ tornado ring:3\ shift:q=1 \
    mesh:2x32\ hotspot ring:64\ hotspot mesh:4x2x8\ hotspot; do
    # shellcheck disable=SC2086 # two words
    run audit $case
    equal "the picture of $case fits 80 columns, without blanks at the end" \
        "$status $(sed -n '/per link/,$p' out | awk 'length > 80 || / $/' | wc -l)" '0 0'
done

done_testing
