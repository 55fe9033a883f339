# SPDX-License-Identifier: Apache-2.0
# The value of column KEY in the only row of a CSV file:  awk -v key=KEY -f csv_value.awk FILE

# Split a line at its commas, quotes respected.
function fields(line, f,    n, i, c, quoted) {
    n = 1
    f[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") {
            if (quoted && substr(line, i + 1, 1) == "\"") {
                f[n] = f[n] c
                i++
            } else
                quoted = !quoted
        } else if (c == "," && !quoted)
            f[++n] = ""
        else
            f[n] = f[n] c
    }
    return n
}

NR == 1 { heads = fields($0, head) }
NR == 2 {
    fields($0, value)
    for (i = 1; i <= heads; i++)
        if (head[i] == key) {
            print value[i]
            found = 1
        }
}
END { exit !found }
