# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/shuffle.gp >docs/results/shuffle.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $one
print system(sprintf(tabulate, 'shuffle-one-port'))
set print $all
print system(sprintf(tabulate, 'shuffle-all-ports'))
unset print

set terminal svg size 1000,860 font 'sans-serif,14' background 'white'
set multiplot layout 2,2 margins 0.08,0.985,0.165,0.9 spacing 0.05,0.1 \
    title 'Shuffle on a 5-cube: the router and the algorithms' font ',17'
set logscale x 2
set logscale y 10
set xrange [1.5:11000]
set xtics 2,8,8192
set format y '10^{%T}'
set yrange [4:200000]
unset key
do for [t in '0 500'] {
    ts = t + 0
    set title sprintf('one port, start-up %d cycles', ts)
    if (ts == 0) { set ylabel 'cycles' } else { unset ylabel }
    plot $one using ($2 == ts ? $3 : NaN):4 with linespoints ls 3, \
        '' using ($2 == ts ? $3 : NaN):5 with linespoints ls 7, \
        '' using ($2 == ts ? $3 : NaN):6 with linespoints ls 4, \
        '' using ($2 == ts ? $3 : NaN):8 with linespoints ls 1, \
        '' using ($2 == ts ? $3 : NaN):9 with linespoints ls 2, \
        '' using ($2 == ts ? $3 : NaN):10 with linespoints ls 5
}
set xlabel 'K, words per node'
do for [t in '0 500'] {
    ts = t + 0
    set title sprintf('all ports, start-up %d cycles', ts)
    if (ts == 0) { set ylabel 'cycles' } else { unset ylabel }
    if (ts == 0) {
        set key at screen 0.53,0.01 center bottom maxrows 2 samplen 4 width 2 Left reverse nobox
    } else { unset key }
    plot $all using ($2 == ts ? $3 : NaN):4 with linespoints ls 3 title 'direct, low dimension first', \
        '' using ($2 == ts ? $3 : NaN):5 with linespoints ls 7 title 'direct, high first', \
        '' using ($2 == ts ? $3 : NaN):6 with linespoints ls 1 title 'A1', \
        '' using ($2 == ts ? $3 : NaN):7 with linespoints ls 2 title 'A2', \
        '' using ($2 == ts ? $3 : NaN):8 with linespoints ls 5 title 'AAPC twice', \
        NaN with linespoints ls 4 title 'E-cube in steps, one port'
}
unset multiplot
