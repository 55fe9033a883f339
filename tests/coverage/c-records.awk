# SPDX-License-Identifier: Apache-2.0
# For c.sh: the records of c-uncovered.txt (first file) against the blocks of c-blocks.awk (second file). Prints what is
# wrong; with `update` the file as it should be, where new records have their proposed reason. `sums`: a file for each
# folder's numbers of explained lines and of open ones.

function bad(words) {
    if (!update) print words
}

# The key of a reason: its first word, without the mark for "sometimes".
function class(why) {
    sub(/^~/, "", why)
    sub(/ .*/, "", why)
    return why
}

# The reason must be in the table. What it names must occur in the source file.
function check_reason(file, why, record,    part, line) {
    if (!(class(why) in known)) {
        bad("no such reason: " record)
        return
    }
    split(why, part, " ")
    if (part[2] == "") return
    if (file != source) {
        source = file
        body = ""
        while ((getline line < (root "/" file)) > 0) body = body "\n" line
        close(root "/" file)
    }
    if (index(body, part[2] "(") == 0) bad("does not call " part[2] ": " record)
}

# Record i takes this block.
function take(i, lines, file) {
    taken[i] += lines
    sub(/\/[^\/]*$/, "", file)
    if (class(reason[i]) == "open") unknown[file] += lines
    else if (reason[i] !~ /[?]/) explained[file] += lines
    folders[file] = 1
}

# A block has the record of its first line, that of its function, or that of its class in its file, in this order. The
# number of lines of a record is exact; if tests reach them sometimes (~), it is the most.
function record_of(file, name, lines, why, first,    k, i, at, best) {
    k = file " | " name " | " first
    for (at = 1; at <= had[k]; at++) {
        i = which[k, at]
        if (!taken[i] && (count[i] == lines || (reason[i] ~ /^~/ && count[i] > lines && !best))) best = i
        if (best && count[best] == lines) break
    }
    if (best) return best
    k = file " | " name " | *"
    if (had[k]) return which[k, 1]
    k = file " | * | " class(why)
    return had[k] ? which[k, 1] : 0
}

# A new record: the class of the file if the text of the source decides it; else one for the block.
function propose(file, name, lines, why, first,    k) {
    if (class(why) ~ /^(memory|passed-on|no-value)$/) {
        k = file " | * | " class(why)
        name = first = "*"
        why = "~" class(why)
    } else k = file " | " name " | " first
    add(file, name, lines, why, first, k)
    return records
}

function add(file, name, lines, why, first, k) {
    where[++records] = file
    row[records] = name
    count[records] = lines
    reason[records] = why
    start[records] = first
    which[k, ++had[k]] = records
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
        if (part[1] == "*" && part[4] != "*") bad("line " FNR ": a class of a file is * | LINES | REASON | *: " $0)
        add(listed, part[1], part[2], part[3], part[4],
            listed " | " part[1] " | " (part[1] == "*" ? class(part[3]) : part[4]))
    }
    next
}

# A block: FILE | FUNCTION | LINES | proposed reason | first line.
{
    split($0, part, / \| /)
    i = record_of(part[1], part[2], part[3], part[4], part[5])
    if (!i) {
        bad("not covered, and no record: " $0)
        if (!update) next
        i = propose(part[1], part[2], part[3], part[4], part[5])
        count[i] = 0
        new[i] = 1
    }
    if (new[i]) count[i] += part[3]
    take(i, part[3], part[1])
}

END {
    for (i = 1; i <= records; i++) {
        text = "  " row[i] " | " count[i] " | " reason[i] " | " start[i]
        if (!(reason[i] ~ /^~/ ? taken[i] <= count[i] : taken[i] == count[i])) {
            if (!taken[i]) bad("covered, or gone, but has a record: " where[i] " |" substr(text, 2))
            else bad(taken[i] " lines are not covered: " where[i] " |" substr(text, 2))
            if (!taken[i]) continue
            text = "  " row[i] " | " taken[i] " | " reason[i] " | " start[i]
        }
        if (!(where[i] in rows)) order[++files] = where[i]
        rows[where[i]] = rows[where[i]] "\n" text
    }
    if (update) {
        sub(/\n+$/, "\n", head)
        printf "%s", head
        # In the order of names: a file may be new.
        for (i = 2; i <= files; i++) {
            file = order[i]
            for (k = i - 1; k > 0 && order[k] > file; k--) order[k + 1] = order[k]
            order[k + 1] = file
        }
        for (i = 1; i <= files; i++) printf "\n%s%s\n", order[i], rows[order[i]]
    }
    for (folder in folders) print explained[folder] + 0 "\t" unknown[folder] + 0 "\t" folder >sums
}
