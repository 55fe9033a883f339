# SPDX-License-Identifier: Apache-2.0
# From a dump (as VCD) to the events of its words: one line "CYCLE EVENT NODE PORT VC SRC DST PACKET WORD" per
# word and cycle on a link. Reads the 64-bit words "in" and "out" of the ports only, and none of the
# names or labels that the layouts are made of.
function number(bits, from, length_, value, i)
{
    value = 0
    for (i = from; i < from + length_; i++)
        value = 2 * value + substr(bits, i, 1)
    return value
}

function show(cycle, id, bits, event)
{
    bits = value[id]
    if (substr(bits, 1, 1) != 1)
        return
    event = side[id] == "in" ? "inject" : local[id] ? "eject" : "hop"
    print cycle, event, node[id], port[id], number(bits, 4, 2), number(bits, 22, 16), \
        number(bits, 6, 16), number(bits, 38, 14), number(bits, 52, 13)
}

$1 == "$scope" { scope[++depth] = $3 }
$1 == "$upscope" { depth-- }
$1 == "$var" && depth == 3 && scope[2] == "ec_tile" && ($5 == "in" || $5 == "out") && $3 == 64 {
    is_local = scope[3] ~ /^local/
    if ($5 == "out" || is_local) { # a word that enters by a link has left the neighbour
        id = $4
        # Two names of one signal share their code (links are wires): keep a list per code.
        n = ++names
        ids[n] = id
        side[n] = $5
        local[n] = is_local
        port[n] = scope[3]
        node[n] = substr(scope[1], 2)
        sub(/_.*/, "", node[n])
        count[id]++
        of[id, count[id]] = n
    }
}
/^#/ {
    now = substr($1, 2) + 0
    for (; started && cycle < now; cycle++)
        for (n = 1; n <= names; n++)
            show(cycle, n)
    cycle = now
    started = 1
}
/^b/ {
    bits = substr($1, 2)
    while (length(bits) < 64)
        bits = "0" bits
    for (k = 1; k <= count[$2]; k++)
        value[of[$2, k]] = bits
}
