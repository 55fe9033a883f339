# SPDX-License-Identifier: Apache-2.0
# The columns of CSV, for every script here and in tests/docs.
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
