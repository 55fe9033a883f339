# SPDX-License-Identifier: Apache-2.0
# What the tables share: the CSV of `ecube run --from`, read by the names of its columns. After the first line
# get("cycles") is a value of the current line, startup_cycles() its start-up, and option(TEXT, KEY, ELSE) the value
# of KEY=VALUE in a workload or an algorithm.
# Split a line at its commas, quotes respected.
function fields(line, f,    n, i, c, quoted) {
    n = 1
    f[1] = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"")
            quoted = !quoted
        else if (c == "," && !quoted)
            f[++n] = ""
        else
            f[n] = f[n] c
    }
    return n
}

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
