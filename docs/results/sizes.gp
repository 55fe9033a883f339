# SPDX-License-Identifier: Apache-2.0
#   gnuplot docs/results/sizes.gp >docs/results/sizes.svg
# From the root of the tree.
load 'docs/results/tools/style.gp'
set print $shuffle
print system(sprintf(tabulate, 'sizes-shuffle'))
set print $bitrev
print system(sprintf(tabulate, 'sizes-bitrev'))
unset print
cube(name) = real(name[6:])

set terminal svg size 860,520 font 'sans-serif,14' background 'white'
set title 'The router against the best algorithm, 1024 words per node, all ports, no start-up' font ',16'
set lmargin at screen 0.1
set rmargin at screen 0.98
set bmargin at screen 0.3
set xlabel 'n, dimensions of the cube'
set ylabel 'cycles of direct / cycles of the algorithm'
set logscale y 2
set samples 200
set xrange [2.7:8.3]
set yrange [0.9:22]
set ytics 1,2,16
set xtics 3,1,8
set key at screen 0.5,0.02 center bottom maxrows 3 samplen 3 width -4 Left reverse nobox
plot $bitrev using (cube(stringcolumn(1))):($4/$5) with points ls 2 title 'bit reversal, against A2 squared', \
    2**floor(int(x + 0.5)/2) with lines ls 12 title '2^{floor(n/2)}', \
    $shuffle using (cube(stringcolumn(1))):($5/$6) with points ls 4 title 'shuffle, high dimension first, against A1', \
    $shuffle using (cube(stringcolumn(1))):($4/$6) with points ls 1 title 'shuffle, low dimension first, against A1', \
    2*x/(x + 1) with lines ls 11 title '2n / (n + 1)', \
    4*x/(x + 1) with lines ls 13 title '4n / (n + 1)'
