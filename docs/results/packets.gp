# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/packets.gp >docs/results/packets.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $table
print system(sprintf(tabulate, 'packets'))
unset print

set terminal svg size 1000,520 font 'sans-serif,14' background 'white'
set multiplot layout 1,2 margins 0.075,0.985,0.31,0.82 spacing 0.06 \
    title 'Cycles against the length of packets, 128 elements per node' font ',17'
set logscale x 2
set logscale y 2
set xrange [0.85:150]
set yrange [70:60000]
set xtics 1,2,128
set xlabel 'B, elements per packet'
do for [t in '2 14'] {
    ts = t + 0
    set title sprintf('start-up %d cycles', ts)
    if (ts == 2) {
        set ylabel 'cycles'
        set key at screen 0.53,0.01 center bottom maxrows 2 samplen 4 width 1 Left reverse nobox
    } else {
        unset ylabel
        unset key
    }
    set arrow 1 from 4*sqrt(ts + 2), graph 0 to 4*sqrt(ts + 2), graph 1 nohead lw 1.5 dt 3 lc rgb '#7a6a00' back
    set arrow 2 from 8*sqrt(ts + 2), graph 0 to 8*sqrt(ts + 2), graph 1 nohead lw 1.5 dt 3 lc rgb '#000000' back
    set label 1 'best for pipelined' at 4*sqrt(ts + 2)*0.9, graph 0.97 right rotate tc rgb '#444444'
    set label 2 'best for A2 squared' at 8*sqrt(ts + 2)*1.12, graph 0.97 right rotate tc rgb '#444444'
    plot $table using ($2 == ts ? $3 : NaN):9 with linespoints ls 2 title 'A2, one port', \
        '' using ($2 == ts ? $3 : NaN):8 with linespoints ls 1 title 'A1, one port', \
        '' using ($2 == ts ? $3 : NaN):7 with linespoints ls 7 title 'A2', \
        '' using ($2 == ts ? $3 : NaN):6 with linespoints ls 4 title 'A1', \
        '' using ($2 == ts ? $3 : NaN):4 with linespoints ls 6 title 'pipelined', \
        '' using ($2 == ts ? $3 : NaN):5 with linespoints ls 3 title 'A2 squared'
}
unset multiplot
