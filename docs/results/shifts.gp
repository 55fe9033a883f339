# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/shifts.gp >docs/results/shifts.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $long
print system(sprintf(tabulate, 'shifts'))
set print $short
print system(sprintf(tabulate, 'shifts-short'))
unset print

set terminal svg size 1000,520 font 'sans-serif,14' background 'white'
set multiplot layout 1,2 margins 0.075,0.985,0.32,0.82 spacing 0.08 \
    title 'Steps on the Gray-coded ring against direct routing: where they cross' font ',17'
set logscale x 2
set logscale y 2
set xlabel 'm, words per message'
set ylabel 'cycles in steps / cycles direct'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lw 2 lc rgb '#444444' back

set title '6-cube, start-up 0 (lines) and 500 (points only)'
set xrange [0.8:5200]
set yrange [0.22:10]
set xtics 1,4,4096
set label 1 'direct is faster' at graph 0.5, first 1.2 tc rgb '#444444'
set label 2 'steps are faster' at graph 0.97, first 0.7 right tc rgb '#444444'
set key at graph 0.5,-0.3 center top maxrows 3 samplen 3 Left reverse nobox
plot $long using ($2 == 0 ? $3 : NaN):($4/$6) with linespoints ls 1 title 'gray-forward, q = 43: 7 steps', \
    '' using ($2 == 0 ? $3 : NaN):($5/$6) with linespoints ls 2 title 'gray-signed, q = 43: 5 steps', \
    '' using ($2 == 0 ? $3 : NaN):($7/$8) with linespoints ls 4 title 'gray-signed, q = 1: 1 step', \
    '' using ($2 == 500 ? $3 : NaN):($4/$6) with points ls 1 notitle, \
    '' using ($2 == 500 ? $3 : NaN):($5/$6) with points ls 2 notitle, \
    '' using ($2 == 500 ? $3 : NaN):($7/$8) with points ls 4 notitle

set title '10-cube, start-up 0'
unset ylabel
set label 1 at graph 0.03, first 1.2
set label 2 at graph 0.97, first 0.3
set xrange [0.9:18]
set xtics 1,2,16
plot $short using ($2 == 0 ? $3 : NaN):($8/$9) with linespoints ls 1 title 'gray-signed, q = 3: 3 steps', \
    '' using ($2 == 0 ? $3 : NaN):($6/$7) with linespoints ls 2 title 'gray-signed, q = 2: 2 steps', \
    '' using ($2 == 0 ? $3 : NaN):($4/$5) with linespoints ls 4 title 'gray-signed, q = 1: 1 step'
unset multiplot
