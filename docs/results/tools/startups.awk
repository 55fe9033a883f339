# SPDX-License-Identifier: Apache-2.0
# Start-ups and transfers of pairs of runs that differ in the start-up only, beside what Tables 1 to 3 of
# Johnsson and Ho print. T is linear in t_s, so that its slope counts start-ups; a step takes two cycles more
# than t_s + B, and what is left without them is transfers.
#
#   table.sh LIST startups

NR == 1 { next }

function ceil(a, b) { return int((a + b - 1) / b) }

# The printed terms: K elements a node, packets of B, `blocks` cycles of s processor dimensions together.
function printed(name, K, B, s, blocks) {
    if (name == "one-port")
        return s * ceil(K, 2 * B) " " s * K / 2
    if (name == "pipelined" && blocks > 1 && K < 2 * B * s)
        return ceil(K, 2 * blocks * B) + s - 1 " " ceil(K, 2 * blocks) + (s - 1) * B
    if (name == "pipelined")
        return ceil(K, 2 * B) + s / blocks - 1 " " K / 2 + (s / blocks - 1) * B
    if (name == "concurrent" && B == ceil(K, 2 * (s + 1)))
        return s + 3 " " (s + 3) * B
    if (name == "concurrent")
        return ceil(K, 2 * B) + 2 " " K / 2 + 2 * B
    if (name == "aapc")
        return ceil(K, 2 * B) + s - blocks " " (ceil(K, 2 * B) + s - blocks) * B
    if (name == "a1-one-port")
        return (s + 1) * ceil(K, 2 * B) " " (s + 1) * K / 2
    if (name == "a2-one-port")
        return s * ceil(K, B) " " s * K
    if (name == "a1-concurrent")
        return (s + 1) * ceil(K, 2 * s * B) " " (s + 1) * ceil(K, 2 * s)
    if (name == "a2")
        return s * ceil(K, s * B) " " K
    if (name == "a2x2")
        return ceil(K, 2 * B) + 1 " " K / 2 + B
    return "- -"
}

{
    key = get("workload") " " get("algorithm")
    if (!(key in free)) {
        free[key] = get("cycles")
        if (startup_cycles() != 0)
            complain("first without start-up: " get("command"))
        next
    }
    work = get("workload")
    K = option(work, "K", 0) + 0
    cycle = option(work, "cycle", "")
    orders = stored = s = 0
    blocks = split(cycle, block, "+")
    for (b = 1; b <= blocks; b++) {
        n = split(block[b], dimension, "-")
        order = 0
        for (i = 1; i <= n; i++)
            order += 2 ^ dimension[i] >= K
        stored += n - order
        s += order
        orders = b == 1 ? order : orders "+" order
    }
    table = !stored ? 3 : blocks > 1 ? 2 : 1
    name = get("algorithm")
    B = option(name, "block", 0) + 0
    sub(/:.*/, "", name)
    slope = (get("cycles") - free[key]) / startup_cycles()
    split(printed(name, K, B, s, blocks), paper, " ")
    if (!lines++)
        print "# table  orders  algorithm          B  start-ups  printed  transfers  printed"
    printf "%7d  %6s  %-13s %6d  %9d  %7s  %9d  %7s%s\n", table, orders, name, B, slope, paper[1],
        free[key] - 2 * slope, paper[2],
        paper[1] == "-" || (paper[1] == slope && paper[2] == free[key] - 2 * slope) ? "" : "  differs"
}
