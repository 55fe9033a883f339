# SPDX-License-Identifier: Apache-2.0
# What the plots share: colours that the colour-blind tell apart (Okabe and Ito), and for a grey print a point
# shape for each algorithm and a dash pattern for each formula.
tabulate = 'awk -v list=%s -f docs/results/tools/stored.awk docs/RESULTS.md' # what the document shows
set datafile missing '-'
set encoding utf8
set grid lc rgb '#dddddd' lw 1
set border lw 1 lc rgb '#444444'
set tics nomirror
set style line 1 lc rgb '#d55e00' pt 5 ps 0.7 lw 2 dt 1
set style line 2 lc rgb '#0072b2' pt 7 ps 0.7 lw 2 dt 2
set style line 3 lc rgb '#000000' pt 9 ps 0.8 lw 2 dt 1
set style line 4 lc rgb '#009e73' pt 4 ps 0.8 lw 2 dt 4
set style line 5 lc rgb '#cc79a7' pt 6 ps 0.8 lw 2 dt 5
set style line 6 lc rgb '#7a6a00' pt 8 ps 0.9 lw 2 dt 3
set style line 7 lc rgb '#56b4e9' pt 2 ps 0.8 lw 2 dt 2
set style line 11 lc rgb '#d55e00' lw 1.5 dt 1
set style line 12 lc rgb '#0072b2' lw 1.5 dt 2
set style line 13 lc rgb '#000000' lw 1.5 dt 3
