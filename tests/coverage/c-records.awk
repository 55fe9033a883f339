# SPDX-License-Identifier: Apache-2.0
# For c.sh: the records of c-uncovered.txt (first file) against the blocks of c-blocks.awk (second file). Prints what is
# wrong; with `update` the file as it should be, where new records have their proposed reason. `sums`: a file for the
# number of explained lines in each folder.

function bad(words) {
    if (!update) print words
}

function key(file, name, text) { return file " | " name " | " text }

# The reason must be in the table. What it names must occur in the source file.
function check_reason(file, why, record,    part, found, line) {
    sub(/^~/, "", why)
    split(why, part, " ")
    if (!(part[1] in known)) {
        bad("no such reason: " record)
        return
    }
    if (part[2] == "") return
    if (file != source) {
        source = file
        body = ""
        while ((getline line < (root "/" file)) > 0) body = body "\n" line
        close(root "/" file)
    }
    if (index(body, part[2] "(") == 0) bad("does not call " part[2] ": " record)
}

# The records: a table of reasons, then the names of files, and below each FUNCTION | LINES | REASON | first line.
FNR == NR {
    if (/^harness\//) listed = $0
    else if (listed == "") {
        head = head $0 "\n"
        if (match($0, /^# [a-z-]+: /)) known[substr($0, 3, RLENGTH - 4)] = 1
    } else if (/^  /) {
        if (split(substr($0, 3), part, / \| /) != 4) {
            bad("line " FNR " is no record: " $0)
            next
        }
        check_reason(listed, part[3], listed " |" substr($0, 2))
        k = key(listed, part[1], part[4])
        at = ++had[k]
        lines[k, at] = part[2]
        reason[k, at] = part[3]
        text[++records] = $0
        where[records] = listed
        which[records] = k SUBSEP at
    }
    next
}

# A block: FILE | FUNCTION | LINES | proposed reason | first line. It takes a record of as many lines, or one of more
# lines that are sometimes reached.
{
    split($0, part, / \| /)
    k = key(part[1], part[2], part[5])
    for (at = 1; at <= had[k]; at++)
        if (!((k, at) in used) && lines[k, at] == part[3]) break
    if (at > had[k])
        for (at = 1; at <= had[k]; at++)
            if (!((k, at) in used) && reason[k, at] ~ /^~/ && lines[k, at] > part[3]) break
    why = part[4]
    count = part[3]
    if (at <= had[k]) {
        used[k, at] = 1
        why = reason[k, at]
        count = lines[k, at]
        folder = part[1]
        sub(/\/[^\/]*$/, "", folder)
        if (why !~ /[?]/) explained[folder] += part[3]
    } else bad("not covered, and no record: " $0)
    if (!(part[1] in rows)) order[++files] = part[1]
    rows[part[1]] = rows[part[1]] "\n  " part[2] " | " count " | " why " | " part[5]
}

END {
    for (i = 1; i <= records; i++) {
        split(which[i], part, SUBSEP)
        if ((part[1], part[2]) in used) continue
        if (reason[part[1], part[2]] !~ /^~/) bad("covered, or gone, but has a record: " where[i] " |" substr(text[i], 2))
        else {
            if (!(where[i] in rows)) order[++files] = where[i]
            rows[where[i]] = rows[where[i]] "\n" text[i]
        }
    }
    if (update) {
        sub(/\n+$/, "\n", head)
        printf "%s", head
        for (i = 1; i <= files; i++) printf "\n%s%s\n", order[i], rows[order[i]]
    }
    for (folder in explained) print explained[folder] "\t" folder >sums
}
