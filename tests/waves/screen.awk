# SPDX-License-Identifier: Apache-2.0
# The first screen of a GTKWave layout, as text: awk -f screen.awk LAYOUT DUMP.vcd. First the lines "screen FROM TO",
# "cursor CYCLE", "mark CYCLE NAME" and "room LETTERS" (for the values at the cursor behind the names), then a line for
# each row outside folded groups: "NAME | CYCLE: VALUE, CYCLE: VALUE ...", with the value at the left edge and the
# changes on the screen.
#
# Names and waves have 1390 pixels together. As in GTKWave 3.3.118, 200 pixels show a whole number of cycles (2 to the
# zoom, rounded down), a name loses all up to its last dot, and the longest name or comment makes the column.
function flag(bit) # of the trace that follows
{
    return int(flags / bit) % 2
}

function hex(text, value, i)
{
    value = 0
    for (i = 1; i <= length(text); i++)
        value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

function text_of(bits, text, i, k, code)
{
    text = ""
    while (length(bits) % 8)
        bits = "0" bits
    for (i = 1; i <= length(bits); i += 8) {
        code = 0
        for (k = 0; k < 8; k++)
            code = 2 * code + substr(bits, i + k, 1)
        if (code)
            text = text sprintf("%c", code)
    }
    return text
}

function number_of(bits, value, i)
{
    value = 0
    for (i = 1; i <= length(bits); i++)
        value = 2 * value + substr(bits, i, 1)
    return value
}

function hex_of(bits, text, i)
{
    text = ""
    while (length(bits) % 4)
        bits = "0" bits
    for (i = 1; i <= length(bits); i += 4)
        text = text sprintf("%x", number_of(substr(bits, i, 4)))
    return text
}

function shown_as(kind, bits)
{
    return kind == "ascii" ? "\"" text_of(bits) "\"" : kind == "decimal" ? number_of(bits) : hex_of(bits)
}

# --- The layout.
FNR == 1 { file++ }
file == 1 && /^\[timestart\]/ { from = $2 }
file == 1 && /^\*-?[0-9.]+ / {
    pixels = 200 / int(2 ^ -substr($1, 2))
    cursor = $2
    for (i = 3; i <= NF; i++)
        if ($i >= 0) at[substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", i - 2, 1)] = $i
}
file == 1 && /^\[signals_width\]/ { wide = $2 }
file == 1 && /^\[markername\] / { name_of[substr($2, 1, 1)] = substr($0, length("[markername] A") + 1) }
file == 1 && /^@/ {
    flags = hex(substr($1, 2))
    next
}
file == 1 && /^-/ && flag(8388608) { # a group begins
    if (folded || flag(4194304)) folded++
    else print_title[++rows] = substr($0, 2)
    next
}
file == 1 && /^-/ && flag(16777216) {
    if (folded) folded--
    next
}
file == 1 && /^-/ && !folded { print_title[++rows] = substr($0, 2) }
file == 1 && /^\+\{/ && !folded {
    rows++
    split(substr($0, 3), half, "}")
    alias[rows] = half[1]
    sub(/.*\./, "", alias[rows])
    signal[rows] = half[2]
    sub(/^ /, "", signal[rows])
    sub(/\[.*/, "", signal[rows])
    kind[rows] = flag(2048) ? "ascii" : flag(4) ? "decimal" : "bits"
}
# --- The dump.
file == 2 && $1 == "$scope" { scope[++depth] = $3 }
file == 2 && $1 == "$upscope" { depth-- }
file == 2 && $1 == "$var" {
    path = ""
    for (i = 1; i <= depth; i++)
        path = path scope[i] "."
    code[path $5] = $4
}
file == 2 && /^#/ { now = substr($1, 2) + 0 }
file == 2 && /^b/ { note($2, substr($1, 2)) }
file == 2 && /^[01]/ { note(substr($1, 2), substr($1, 1, 1)) }
function note(id, bits)
{
    if (now <= from)
        first[id] = bits
    else if (now <= from + (1390 - wide) / pixels)
        changes[id, ++count[id]] = now SUBSEP bits
}
END {
    printf "screen %d %d\ncursor %d\n", from, from + (1390 - wide) / pixels, cursor
    for (letter in at)
        print "mark", at[letter], name_of[letter]
    for (row = 1; row <= rows; row++) {
        name = row in print_title ? print_title[row] : alias[row]
        longest = length(name) > longest ? length(name) : longest
    }
    print "room", int((wide - 8 * longest) / 8) - 4
    for (row = 1; row <= rows; row++) {
        if (row in print_title) {
            print print_title[row]
            continue
        }
        id = code[signal[row]]
        if (id == "") {
            print alias[row], "| MISSING", signal[row]
            continue
        }
        line = alias[row] " | " from ": " shown_as(kind[row], first[id])
        for (i = 1; i <= count[id]; i++) {
            split(changes[id, i], part, SUBSEP)
            line = line ", " part[1] ": " shown_as(kind[row], part[2])
        }
        print line
    }
}
