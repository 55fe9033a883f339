# SPDX-License-Identifier: Apache-2.0
# Names of marks in a GTKWave layout that overlap. GTKWave centres a name on its line; a letter has
# about 6 pixels, and 200 pixels show a whole number of cycles (2 to the zoom, rounded down).
/^\*-?[0-9.]+ / {
    pixels = 200 / int(2 ^ -substr($1, 2))
    for (i = 3; i <= NF; i++)
        if ($i >= 0) at[substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", i - 2, 1)] = $i * pixels
}
/^\[markername\] / {
    letter = substr($2, 1, 1)
    half = 3 * (length($0) - length("[markername] A"))
    n++
    left[n] = at[letter] - half
    right[n] = at[letter] + half
    name[n] = $0
}
END {
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (left[i] < right[j] && left[j] < right[i]) print name[i] " and " name[j]
    if (n == 0) print "no names"
}
