# SPDX-License-Identifier: Apache-2.0
# Stored sweeps of one rate list, a line for every curve: the bracket of saturation, and latencies. Run with fields.awk.
function show() {
    if (curve != "")
        printf "%-42s %7s  %6.4f..%-6s  %5.2f  %5.2f +- %4.2f at %.2f  %6s\n", curve, bound, low, high, first, latency, half, at, most
}
function shorter(text) { return text == "" ? "-" : sprintf("%.4f", text) }
FNR == 1 {
    show()
    curve = ""
    delete column
    for (i = fields($0, f); i > 0; i--)
        column[f[i]] = i
    if (NR == 1)
        print "# network, curve: bound, a backlog grows from..to, latency at the lowest rate, at the highest with an interval, most accepted"
    next
}
{
    fields($0, f)
    name = f[column["parameters_topology"]] " " f[column["variant"]]
    gsub(/(pattern|order|routing)=|,/, "", name)
    if (name != curve) {
        show()
        first = f[column["latency"]]
    }
    curve = name
    bound = shorter(f[column["bound"]])
    low = f[column["backlog_low"]]
    high = shorter(f[column["backlog_high"]])
    most = shorter(f[column["most_accepted"]])
    if (f[column["latency_half_width"]] != "") {
        latency = f[column["latency"]]
        half = f[column["latency_half_width"]]
        at = f[column["rate"]]
    }
}
END { show() }
