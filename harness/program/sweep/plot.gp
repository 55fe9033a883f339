# SPDX-License-Identifier: Apache-2.0
# Draws the curves of sweeps, as wide as a column of a paper: mean latency, and below it accepted load, against the
# offered rate.
#
#   gnuplot -c plot.gp svg|pdf|png PICTURE TITLE A.csv,B.csv
#
# Each CSV is the output of 'ecube sweep --format csv'. TITLE may be ''. A line before a file is its name in the key. To
# change the plot, copy this file. Lengths are points of 1/72 inch.

set encoding utf8
set datafile separator comma
set datafile columnheaders

# --- Curves: their columns in arrays, and the ranges of the axes.
max = 1000
array file[max]; array begin[max]; array end[max]; array label[max] # rows of the file, from 0
array zero[max]; array bound[max]; array sends[max]
array low[max]; array high[max]; array latency_low[max]; array latency_high[max] # brackets; NaN: not found
curves = 0
rate_max = latency_max = accepted_max = 0.

number(name) = (t = strcol(name), t eq '' ? NaN : real(t))
known(x) = (x == x)
or_zero(x) = (known(x) ? x : 0)
larger(x, y) = (y > x ? y : x)
smaller(x, y) = (y < x ? y : x)
take(k) = (zero[k] = number('zero_load'), bound[k] = number('bound'), \
    sends[k] = number('sends') > 0 ? number('sends') : 1, \
    low[k] = known(number('backlog_ratio')) ? number('backlog_low') : NaN, high[k] = number('backlog_high'), \
    latency_low[k] = known(number('latency_ratio')) && known(zero[k]) ? number('latency_low') : NaN, \
    latency_high[k] = number('latency_high'), rate_max = larger(rate_max, number('rate')), l = number('latency'), \
    least = known(least) ? smaller(least, l) : l, most = larger(most, l + or_zero(number('latency_half_width'))), \
    accepted_max = larger(accepted_max, number('accepted') + or_zero(number('accepted_half_width'))), 0)

# Awk finds the labels, because gnuplot 5.4 cuts a text in quotes at its first comma: the first row of a curve, a comma,
# its label.
labels = "awk 'NR > 1 { label = substr($0, 1, index($0, \",\") - 1) } \
    match($0, /^\"[^\"]*\"/) { label = substr($0, 2, RLENGTH - 2) } \
    NR == 2 || NR > 2 && label != last { print NR - 2 \",\" label } { last = label }' "
# A single parameter with obvious values goes without its name, and a label that is too wide loses its middle.
bare(s) = s[1:8] eq 'pattern=' ? s[9:*] : s[1:9] eq 'topology=' || s[1:9] eq 'workload=' ? s[10:*] : s
stem(s) = s[strlen(s)-3:*] eq '.csv' ? s[1:strlen(s)-4] : s[strlen(s)-4:*] eq '.json' ? s[1:strlen(s)-5] : s
short(s) = strlen(s) > 48 ? s[1:24].'...'.s[strlen(s)-23:*] : s
prefixed(name, s) = name.(strlen(name) && strlen(s) ? ': ' : '').s
rest = ARG4.','
several = strstrt(ARG4, ',') > 0
while (strlen(rest)) {
    path = rest[1:strstrt(rest, ',')-1]
    rest = rest[strlen(path)+2:*]
    name = strstrt(path, "\n") ? path[1:strstrt(path, "\n")-1] : path
    path = path[strstrt(path, "\n")+1:*]
    while (strstrt(name, '/')) { name = name[strstrt(name, '/')+1:*] }
    lines = system(labels."'".path."'")."\n"
    if (lines eq "\n") { exit error name.': there are no points' }
    first = curves + 1
    while (strstrt(lines, "\n") > 1) {
        line = lines[1:strstrt(lines, "\n")-1]
        lines = lines[strlen(line)+2:*]
        curves = curves + 1
        file[curves] = path
        begin[curves] = int(line[1:strstrt(line, ',')-1])
        label[curves] = prefixed(several ? stem(name) : '', bare(line[strstrt(line, ',')+1:*]))
        label[curves] = strlen(label[curves]) ? short(label[curves]) : 'mean, 95 % interval'
        end[curves] = 1e6
        if (curves > first) { end[curves-1] = begin[curves] - 1 }
    }
}
# Above six times the latency without contention a curve only shows where its queues were when the run ended.
longest = 20
same_zero = same_bound = same_sends = 1
replies = 0
zeros = bounds = latencies = backlogs = 0
do for [k = 1:curves] {
    least = NaN
    most = 0
    stats file[k] every ::begin[k]::end[k] using (take(k)) nooutput
    latency_max = larger(latency_max, smaller(1.08 * most, 6 * (known(zero[k]) ? zero[k] : least)))
    latency_max = known(latency_low[k]) ? larger(latency_max, 3.3 * zero[k]) : latency_max
    rate_max = larger(rate_max, bound[k])
    longest = larger(longest, strlen(label[k]))
    zeros = zeros || known(zero[k]); bounds = bounds || known(bound[k])
    latencies = latencies || known(latency_low[k]); backlogs = backlogs || known(low[k])
    same_zero = same_zero && zero[k] == zero[1]
    same_bound = same_bound && bound[k] == bound[1]
    same_sends = same_sends && sends[k] == sends[1]
    replies = replies || sends[k] > 1
}
rate_max = rate_max > 0 ? 1.03 * rate_max : 1
latency_max = latency_max > 0 ? latency_max : 1
accepted_max = accepted_max > 0 ? 1.2 * accepted_max : 1

# --- Page: a title, the key, two panels.
width = 252.
columns = larger(1, int(width / (26 + 4 * longest)))
rows = int((curves + zeros + bounds + latencies + backlogs + columns - 1) / columns)
head = strlen(ARG3) ? 14 : 3
top = head + 9 * rows + 5
height = top + 118 + 9 + 96 + 30.

if (ARG1 eq 'pdf') {
    set terminal pdfcairo noenhanced color size width/72,height/72 font 'Helvetica,7' fontscale 0.75 \
        linewidth 1.4 pointscale 0.4 dashlength 1.2
}
if (ARG1 eq 'png') { # 300 dots per inch; a letter has 96
    set terminal pngcairo noenhanced color background 'white' size width*300/72,height*300/72 font 'Helvetica,7' \
        fontscale 3.125 linewidth 3.4 pointscale 1.7 dashlength 1.6
}
if (ARG1 eq 'svg') { # twice the size, for screens
    set terminal svg noenhanced size 2*width,2*height font 'Helvetica,14' linewidth 1.6 dashlength 0.8 background 'white'
}
size = ARG1 eq 'svg' ? 0.75 : 1 # the others have a pointscale
set output ARG2

# Colours that the colour-blind tell apart (Okabe and Ito); for a grey print a point shape and a dash pattern. A mean
# without interval is hollow.
colours = '#0072b2 #d55e00 #009e73 #cc79a7 #000000 #e69f00 #56b4e9 #7a6a00'
array shape[10] = [7, 5, 9, 13, 4, 6, 8, 12, 11, 10]
array hollow[10] = [6, 4, 8, 12, 4, 6, 8, 12, 10, 10]
array dash[4] = ['1', '(10,4)', '(4,3)', '(12,4,3,4)']
colour(k) = word(colours, (k - 1) % 8 + 1)
do for [k = 1:curves] {
    eval sprintf('set style line %d lc rgb "%s" pt %d ps %g lw 1.3 dt %s', k, colour(k), shape[(k - 1) % 10 + 1], \
        0.65 * size, dash[(k - 1) % 4 + 1])
}
grey = '#555555' # lines of theory that all curves share
set border 3 lw 0.8 lc rgb '#333333'
set tics nomirror scale 0.6
set grid lc rgb '#e4e4e4' lw 0.6 dt 1
set bars 0.6
set xrange [0:rate_max]

# The largest of 1, 2, 5, 10, ... and their tenths that divides the axis into at least three parts.
power(m) = 10. ** floor(log10(m))
part(m) = m >= 15 ? 5 : m >= 6 ? 2 : m >= 3 ? 1 : m >= 1.5 ? 0.5 : 0.2
tics(m) = power(m) * part(m / power(m))
half_width(what) = number(what.'_half_width')
point_of(k, what) = known(half_width(what)) ? shape[(k - 1) % 10 + 1] : hollow[(k - 1) % 10 + 1]

# --- Panels. Names of axes are centred by hand, to stand in one line.
set multiplot
if (strlen(ARG3)) { set label 1 ARG3 at screen 0.5, 1 - 8 / height center front }
set lmargin at screen 42 / width
set rmargin at screen 1 - 7 / width
do for [what in 'latency accepted'] {
    upper = what eq 'latency'
    from = upper ? top : top + 127
    tall = upper ? 118 : 96
    y_max = upper ? latency_max : accepted_max
    set tmargin at screen 1 - from / height
    set bmargin at screen 1 - (from + tall) / height
    set yrange [0:y_max]
    set ytics 0, tics(y_max)
    set label 2 upper ? "mean latency\n(cycles)" : "accepted load\n(flits/node/cycle)" \
        at screen 6 / width, 1 - (from + tall / 2.) / height center rotate
    set format x upper ? '' : '%g'
    set xlabel upper ? '' : (replies ? 'rate of requests' : 'offered load').' (flits/node/cycle)' offset 0, 0.4
    unset arrow
    do for [k = 1:curves] {
        if (upper && zero[k] < y_max && (k == 1 || !same_zero)) {
            set arrow from first 0, zero[k] to first rate_max, zero[k] nohead lw 1 dt (6,4) \
                lc rgb (same_zero ? grey : colour(k)) back
        }
        if (!upper && (k == 1 || !same_sends)) { # as much as is offered
            edge = smaller(rate_max, y_max / sends[k])
            set arrow from first 0, 0 to first edge, edge * sends[k] nohead lw 1 dt (2,3) \
                lc rgb (same_sends ? grey : colour(k)) back
        }
        if (known(bound[k]) && (k == 1 || !same_bound)) {
            set arrow from first bound[k], 0 to first bound[k], y_max nohead lw 1 dt (12,4,2,4) \
                lc rgb (same_bound ? grey : colour(k)) back
        }
    }
    # Intervals are solid. They come first, because gnuplot clears the place of their points.
    plot for [k = 1:curves] file[k] every ::begin[k]::end[k] \
            using (known(half_width(what)) ? number('rate') : NaN):(number(what)):(half_width(what)) \
            with yerrorbars ls k lw 0.9 dt 1 notitle, \
        for [k = 1:curves] file[k] every ::begin[k]::end[k] using (number('rate')):(number(what)):(point_of(k, what)) \
            with linespoints ls k pt variable notitle, \
        for [k = 1:curves] '+' using (upper ? (latency_low[k] + latency_high[k]) / 2 : (low[k] + high[k]) / 2): \
            (upper ? 3 * zero[k] : sends[k] * (low[k] + high[k]) / 2): \
            (upper ? latency_low[k] : low[k]):(upper ? latency_high[k] : high[k]) every ::::0 \
            with xerrorbars pt (upper ? 6 : 12) ps 2 * size lw 1.3 dt 1 lc rgb colour(k) notitle
    unset label 1
}

# The key is a plot as large as the picture: gnuplot leaves out entries that do not fit in the plot of a key.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
unset border
unset tics
unset xlabel
unset label
unset arrow
set key at screen 0.5, 1 - head / height center top vertical maxcols columns maxrows rows samplen 2.6 spacing 1 \
    Left reverse nobox
key = 'plot for [k = 1:curves] NaN with linespoints ls k title label[k]'
sign = ', NaN with points ps 2 * size lc rgb grey pt '
rule = ', NaN with lines lw 1 lc rgb grey dt '
if (zeros) { key = key.rule.'(6,4) title "zero load, exact"' }
if (bounds) { key = key.rule.'(12,4,2,4) title "channel bound, exact"' }
if (latencies) { key = key.sign.'6 title "3 × zero load"' }
if (backlogs) { key = key.sign.'12 title "backlogs grow"' }
eval key
unset multiplot
unset output
