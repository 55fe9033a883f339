# SPDX-License-Identifier: Apache-2.0
# The rows of tables that begin with a command: one line each,
#
#   DOCUMENT:LINE TAB COMMAND TAB COLUMN=VALUE TAB ...
#
# for the columns whose head is a key in backticks. "-" stands for nothing.

function cell(text) {
    gsub(/^[ *]+|[ *]+$/, "", text)
    return text
}

!/^\|/ { head = 0; next }

{
    n = split($0, cells, "|")
    for (i = 2; i < n; i++)
        cells[i] = cell(cells[i])
}

/^\|[ :|-]+\|$/ { next }

!head {
    split("", key)
    for (i = 2; i < n; i++)
        if (cells[i] ~ /^`[a-z0-9_]+`$/)
            key[i] = substr(cells[i], 2, length(cells[i]) - 2)
    head = 1
    next
}

cells[2] ~ /^`ecube (run|audit) .*`$/ {
    line = FILENAME ":" FNR "\t" substr(cells[2], 2, length(cells[2]) - 2)
    for (i = 3; i < n; i++)
        if (i in key)
            line = line "\t" key[i] "=" (cells[i] == "-" ? "" : cells[i])
    print line
}
