# SPDX-License-Identifier: Apache-2.0
# Compare the output of a command with the text in a document.
#
#   awk -f same.awk WANT GOT
#
# The mark "…" in the document stands for any text within a line; alone on a line for any lines.
# Blanks at the end of a line do not count.

function matches(pattern, text,    n, parts, i, at) {
    n = split(pattern, parts, mark)
    if (substr(text, 1, length(parts[1])) != parts[1])
        return 0
    text = substr(text, length(parts[1]) + 1)
    if (n == 1)
        return text == ""
    for (i = 2; i < n; i++) {
        at = index(text, parts[i])
        if (!at)
            return 0
        text = substr(text, at + length(parts[i]))
    }
    return length(text) >= length(parts[n]) &&
        substr(text, length(text) - length(parts[n]) + 1) == parts[n]
}

# Lines want[w..] against got[g..].
function rest(w, g) {
    for (; w <= wants; w++) {
        if (want[w] == mark) {
            for (; g <= gots + 1; g++)
                if (rest(w + 1, g))
                    return 1
            return 0
        }
        if (g > gots || !matches(want[w], got[g])) {
            if (g >= farthest) {
                farthest = g
                why = "want: " want[w] "\n got: " (g > gots ? "(the end)" : got[g])
            }
            return 0
        }
        g++
    }
    if (g <= gots && g >= farthest) {
        farthest = g
        why = "want: (the end)\n got: " got[g]
    }
    return g > gots
}

BEGIN { mark = "…" }
{ sub(/[ \t\r]+$/, "") }
FILENAME == ARGV[1] { want[++wants] = $0; next }
{ got[++gots] = $0 }
END {
    if (rest(1, 1))
        exit 0
    print why
    exit 1
}
