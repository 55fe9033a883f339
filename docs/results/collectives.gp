# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/collectives.gp >docs/results/collectives.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $table # log2 m, then torus: all-reduce, all-to-all, and the same on the cube
print system("awk '!/^[0-9]/ { on = /for i in/ } on && /^[0-9]/' docs/study/COLLECTIVES.md")
unset print

set terminal svg size 1000,860 font 'sans-serif,14' background 'white'
set multiplot layout 2,2 margins 0.08,0.985,0.165,0.9 spacing 0.05,0.1 \
    title 'Collective operations on 64 nodes, start-up 100 cycles' font ',17'
set logscale y 10
set xrange [-0.5:20.5]
set yrange [400:20000000]
set xtics 0,4,20
set format x '2^{%.0f}'
set format y '10^{%T}'
way = 'ring,ways=2 ring,ways=1 doubling tree exchange'
do for [net = 0:1] {
    if (net == 1) { set xlabel 'm, words of a node' }
    do for [all = 0:1] {
        first = 2 + 7 * net + 4 * all
        set title (all ? 'all-to-all, ' : 'all-reduce, ').(net ? 'cube:6' : 'torus:8x8')
        if (all) { unset ylabel } else { set ylabel 'cycles' }
        if (net == 1 && all == 0) {
            set key at screen 0.53,0.01 center bottom maxrows 2 samplen 4 width 2 Left reverse nobox
        } else { unset key }
        plot for [k = 1:2] $table using 1:(column(first + k - 1)) with linespoints ls k title 'by='.word(way, k), \
            for [k = 3:(all ? 2 : 4)] $table using 1:(column(first + k - 1)) with linespoints ls k \
                title 'by='.word(way, k), \
            $table using 1:(all ? column(first + 2) : NaN) with linespoints ls 5 title 'by=exchange'
    }
}
unset multiplot
