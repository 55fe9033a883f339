# SPDX-License-Identifier: Apache-2.0
# For c.sh. Input: FILE, LINE, FUNCTION, HITS of every line that has code, separated by tabs and in order. Output: a
# record for each block, which are lines of one function that follow each other and that nothing reached:
# FILE | FUNCTION | LINES | proposed reason | first line. `root`: where the files are.

function load(file,    k) {
    if (file == loaded) return
    split("", text)
    for (k = 1; (getline text[k] < (root "/" file)) > 0; k++);
    close(root "/" file)
    loaded = file
}

# What decides that a line is reached: the condition above it, and the statement in front of that, which may have set the
# value that is tested.
function before(line,    k, all) {
    for (k = line - 1; k > 0 && k > line - 9; k--) {
        if (text[k] ~ /^[ \t]*$|^}|^{/) return all
        all = text[k] " " all
        if (text[k] ~ /(^|[^a-z_])(if|switch|while|for|case|default)([ :]|$)/) break
    }
    if (text[k - 1] ~ /^[ \t]*$/) k--
    for (k--; k > 0 && text[k] !~ /^[ \t]*$|^}|^{|[{}:]$/ && k > line - 16; k--) {
        all = text[k] " " all
        if (text[k - 1] ~ /[;{}:]$/) break
    }
    return all
}

# The last function that is called in `code` and may fail.
function callee(code,    name, best) {
    while (match(code, /[a-z_][a-z_0-9]*\(/)) {
        name = substr(code, RSTART, RLENGTH - 1)
        code = substr(code, RSTART + RLENGTH)
        if (name !~ /^(if|while|for|switch|sizeof|return|free|dlclose|io_error|ec_fail|ec_slice_is|.*_(close|free))$/) best = name
    }
    return best
}

# Is the last condition in `code` that of a loop?
function is_loop(code,    last) {
    while (match(code, /(^|[^a-z_])(if|for|while|switch) \(/)) {
        last = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH)
    }
    return last ~ /for|while/
}

function proposal(file, line, own,    front, all) {
    front = before(line)
    all = front " " own
    if (own ~ /^default:/ || front ~ /default:[^;]*$/) return "no-value"
    if (own ~ /EC_INTERNAL/ || is_loop(front)) return "?"
    if (all ~ /EC_MEMORY|out of memory|_memory_fails\(|no_memory|[cm]alloc\(|realloc\(|memalign\(|strn?dup\(|asprintf\(|ec_list_grow\(|memory_short/)
        return "memory"
    if (all ~ /errno|MAP_FAILED|ferror\(|EINTR/) return callee(front) == "" ? "system" : ("system " callee(front))
    # An error is passed on: the condition tests what a function says.
    if (front ~ /!= EC_OK|\(code\)|code &&|EC_OK\)/ && callee(front) != "") return "passed-on " callee(front)
    # So does `if (!NAME(...)) return false;`, unless NAME only asks.
    if (own ~ /^(return (false|NULL|code|-1)|goto|[a-z_0-9]+_close\()/ && front ~ /![a-z_]+\(|== NULL|< 0\)|!(good|done)/ &&
        callee(front) !~ /^$|^is|(^|_)(is|has|can|are|have|known|wanted|find|reaches)(_|$)|^str/)
        return "passed-on " callee(front)
    return "?"
}

function flush() {
    if (count) print file " | " name " | " count " | " reason " | " first
    count = 0
}

BEGIN { FS = "\t" }
{
    if ($4 > 0 || $1 != file || $3 != name) flush()
    if ($4 > 0) next
    if (!count) {
        file = $1
        name = $3
        load($1)
        first = text[$2]
        gsub(/^[ \t]+|[ \t]+$/, "", first)
        gsub(/ \| /, " |", first)
        reason = proposal($1, $2, first)
        if (length(first) > 70) { # whole words
            first = substr(first, 1, 70)
            sub(/ [^ ]*$/, "", first)
        }
    }
    count++
}
END { flush() }
