# SPDX-License-Identifier: Apache-2.0
# The saturation of every curve of stored sweeps. Run with fields.awk.
FNR == 1 {
    delete column
    for (i = fields($0, f); i > 0; i--)
        column[f[i]] = i
    if (NR == 1)
        print "# network, curve: bound, a backlog grows from..to, latency above 3 zero loads from..to, most accepted"
    next
}
{
    fields($0, f)
    curve = f[column["parameters_topology"]] ", " f[column["variant"]]
    if (curve != last)
        printf "%-58s %6.4f  %6.4f..%6.4f  %6.4f..%6.4f  %6s\n", curve, f[column["bound"]], f[column["backlog_low"]],
            f[column["backlog_high"]], f[column["latency_low"]], f[column["latency_high"]],
            (most = f[column["most_accepted"]]) == "" ? "-" : sprintf("%.4f", most)
    last = curve
}
