# SPDX-License-Identifier: Apache-2.0
# What the tables share: the CSV of `ecube run --from`, read by the names of its columns. After the first line
# get("cycles") is a value of the current line, startup_cycles() its start-up, and option(TEXT, KEY, ELSE) the value
# of KEY=VALUE in a workload or an algorithm. Needs fields.awk.

function complain(text) {
    print "table: " text > "/dev/stderr"
    exit bad = 1
}

function get(key) {
    if (!(key in column))
        complain("no column " key)
    return field[column[key]]
}

function option(text, key, otherwise) {
    if (!match(text, "[:,]" key "=[^, ]*"))
        return otherwise
    return substr(text, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
}

function startup_cycles() {
    return match(get("command"), /--startup [0-9]+/) ? substr(get("command"), RSTART + 10, RLENGTH - 10) : 0
}

NR == 1 {
    n = fields($0, head)
    for (i = 1; i <= n; i++)
        column[head[i]] = i
    next
}

{
    fields($0, field)
    if (get("verdict") != "pass")
        complain("not passed: " get("command"))
}
