# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/shifts-worst.gp >docs/results/shifts-worst.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $table
print system(sprintf(tabulate, 'shifts-worst'))
unset print

set terminal svg size 1000,480 font 'sans-serif,14' background 'white'
set multiplot layout 1,2 margins 0.075,0.985,0.30,0.82 spacing 0.055 \
    title 'Circular shift on a 6-cube, every algorithm at its worst q' font ',17'
set logscale x 2
set logscale y 10
set xrange [0.8:5200]
set yrange [0.9:90000]
set xtics 1,4,4096
set xlabel 'm, words per message'
set format y '10^{%T}'
d = 6
do for [t in '0 500'] {
    ts = t + 0
    set title sprintf('start-up %d cycles', ts)
    if (ts == 0) { set ylabel 'cycles' } else { unset ylabel }
    if (ts == 0) {
        set key at screen 0.5,0.005 center bottom maxrows 2 samplen 3 width 2 Left reverse nobox
    } else { unset key }
    plot (2*d - 1)*(ts + x) with lines ls 11 title 'eq. 4.11, (t_s + m)(2d - 1)', \
        $table using ($2 == ts ? $3 : NaN):4 with points ls 1 title 'gray-forward, q = 63', \
        d*(ts + x) with lines ls 12 title 'signed bound, (t_s + m) d', \
        $table using ($2 == ts ? $3 : NaN):5 with points ls 2 title 'gray-signed, q = 42', \
        ts + x with lines ls 13 title 'eq. 4.12, t_s + m', \
        $table using ($2 == ts ? $3 : NaN):6 with points ls 3 title 'direct, q = 63'
}
unset multiplot
