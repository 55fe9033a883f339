# SPDX-License-Identifier: Apache-2.0
# Texts of an SVG picture that lie on one another, on a circle that is not theirs, or outside the picture. Widths are estimated: 0.62 of the font size
# a character.
function attribute(name,   parts) {
    split($0, parts, name "=\"")
    sub(/".*/, "", parts[2])
    return parts[2]
}
/^<svg/ { split(attribute("viewBox"), box, " "); width = box[3]; height = box[4] }
/^<circle/ {
    circles++
    cx[circles] = attribute("cx") + 0; cy[circles] = attribute("cy") + 0; r[circles] = attribute("r") - 2
}
/^<text/ {
    words = $0
    sub(/^[^>]*>/, "", words); sub(/<.*/, "", words)
    gsub(/&[a-z]+;/, "x", words); gsub(/→/, "x", words)
    if (words == "") next
    size = attribute("font-size") + 0
    long = 0.62 * size * length(words)
    x = attribute("x") + 0
    anchor = attribute("text-anchor")
    n++
    left[n] = x - (anchor == "middle" ? long / 2 : anchor == "end" ? long : 0)
    right[n] = left[n] + long
    bottom[n] = attribute("y") + 0
    top[n] = bottom[n] - 0.72 * size
    said[n] = words
    middle[n] = x
    if (left[n] < -1 || right[n] > width + 1 || top[n] < 0 || bottom[n] > height) { print "outside: " words; bad = 1 }
}
END {
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (left[i] < right[j] && left[j] < right[i] && top[i] < bottom[j] && top[j] < bottom[i]) {
                print "overlap: " said[i] " and " said[j]
                bad = 1
            }
    for (i = 1; i <= n; i++)
        for (j = 1; j <= circles; j++)
            if (left[i] < cx[j] + r[j] && cx[j] - r[j] < right[i] && top[i] < cy[j] + r[j] && cy[j] - r[j] < bottom[i] &&
                middle[i] != cx[j]) {
                print "on a circle: " said[i]
                bad = 1
            }
    if (n < 3) { print "hardly any text"; bad = 1 }
    exit bad
}
