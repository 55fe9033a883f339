# SPDX-License-Identifier: Apache-2.0
# From the CSV of many runs to a table of their cycles: a row for every network, start-up and number of words
# that a node sends (m, or K m), a column for every algorithm and what else tells runs apart.
#
#   table.sh LIST table
#       [-v by=block]                       rows by the packet length B in place of the words
#       [-v ratios='COLUMN/COLUMN ...']     more columns: one over another
#
# The first and the last line begin with "#", so gnuplot reads the output as it is.

NR == 1 { next }

{
    work = get("workload")
    algorithm = name = get("algorithm")
    row = get("topology") " " startup_cycles() " " \
        (by == "block" ? option(algorithm, "block", "?") : option(work, "K", 1) * option(work, "m", 1))
    sub(/:.*/, "", name)
    if (option(work, "q", "") != "")
        name = name ",q=" option(work, "q", "")
    if (option(algorithm, "order", option("," get("router"), "order", "low")) == "high")
        name = name ",high"
    if ((row, name) in cycles)
        complain("twice: " get("command"))
    if (!(row in met_row)) {
        met_row[row] = 1
        rows[++height] = row
    }
    if (!(name in met_name)) {
        met_name[name] = 1
        names[++width] = name
    }
    cycles[row, name] = get("cycles")
    runs++
    predicted += get("predicted_cycles") != ""
    exact += get("predicted_cycles") == get("cycles")
    contended += get("contended_cycles") > 0
}

END {
    if (bad || !runs)
        exit 1
    wanted = split(ratios, ratio, " ")
    line = "# network startup " (by == "block" ? "block" : "words")
    for (i = 1; i <= width; i++)
        line = line "  " names[i]
    for (i = 1; i <= wanted; i++)
        line = line "  " ratio[i]
    print line
    for (r = 1; r <= height; r++) {
        split(rows[r], key, " ")
        line = sprintf("%-9s %7d %5d", key[1], key[2], key[3])
        for (i = 1; i <= width; i++)
            line = line sprintf("  %" length(names[i]) "s",
                (rows[r], names[i]) in cycles ? cycles[rows[r], names[i]] : "-")
        for (i = 1; i <= wanted; i++) {
            split(ratio[i], of, "/")
            line = line sprintf("  %" length(ratio[i]) ".2f",
                cycles[rows[r], of[1]] / cycles[rows[r], of[2]])
        }
        print line
    }
    printf "# %d runs: %d with a prediction, of which %d exact; %d with contention\n", runs, predicted,
        exact, contended
}
