# SPDX-License-Identifier: Apache-2.0
# Every column of the first file is in the second one, with the same values; the second may have more columns:
#
#   awk -f fields.awk -f same_csv.awk STORED NEW
function wrong(text) {
    print "row " FNR ": " text
    bad = 1
}

FNR == 1 {
    file++
    heads = fields($0, head)
    for (i = 1; i <= heads; i++)
        column[file, head[i]] = i
    if (file == 1)
        stored = fields($0, name)
    for (i = 1; file == 2 && i <= stored; i++)
        if (!((2, name[i]) in column))
            wrong("no column " name[i])
    next
}
file == 1 { row[++rows] = $0 }
file == 2 {
    seen++
    fields(row[FNR - 1], old)
    fields($0, new)
    for (i = 1; i <= stored; i++)
        if (((2, name[i]) in column) && old[i] != new[column[2, name[i]]])
            wrong(name[i] ": " old[i] " is now " new[column[2, name[i]]])
}
END {
    if (rows == 0 || rows != seen)
        wrong(rows + 0 " rows are now " seen + 0)
    exit bad
}
