# SPDX-License-Identifier: Apache-2.0
# The code spans of documents outside of blocks, and the links:
#
#   DOCUMENT:LINE TAB span TAB TEXT TAB WHAT FOLLOWS
#   DOCUMENT:LINE TAB link TAB TARGET
#   DOCUMENT:LINE TAB head TAB ANCHOR

# The anchor of a heading, as forges make it.
function anchor(text) {
    text = tolower(text)
    gsub(/`/, "", text)
    gsub(/[^a-z0-9 _-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

FNR == 1 { inside = 0 }
/^ *```/ { inside = !inside; next }
inside { next }

/^#+ / {
    text = $0
    sub(/^#+ /, "", text)
    print FILENAME ":" FNR "\thead\t" anchor(text)
}

{
    n = split($0, part, "`")
    plain = ""
    for (i = 1; i <= n; i++) {
        if (i % 2)
            plain = plain part[i]
        else if (i < n)
            print FILENAME ":" FNR "\tspan\t" part[i] "\t" part[i + 1] "`" part[i + 2]
    }
    while (match(plain, /\]\([^)]*\)/)) {
        print FILENAME ":" FNR "\tlink\t" substr(plain, RSTART + 2, RLENGTH - 3)
        plain = substr(plain, RSTART + RLENGTH)
    }
}
