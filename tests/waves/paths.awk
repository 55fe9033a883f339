# SPDX-License-Identifier: Apache-2.0
# The path of every packet, by the arrows of its flow: "SRC DST PACKET: NODES", where every arrow leads to the
# router at the end of its channel. Reads "flow" lines of perfetto.jq, sorted by ID and cycle.
function wrong(why) { print "WRONG " $0 ": " why }
$2 != id && phase != "" && phase != "f" && !open { print "WRONG flow " id " does not end" }
$2 != id {
    if ($3 != "s") wrong("begins with " $3)
    id = $2; path = $7 " " $8 " " $9 ": " $5; packet = $7 " " $8 " " $9; next_node = $5
}
{
    if (packet != $7 " " $8 " " $9) wrong("another packet")
    if (phase == "f" && $3 != "s") wrong("goes on after its end")
    if (next_node != $5) wrong("the last channel leads to " next_node)
    if (path !~ (" " $5 "$")) path = path " " $5
    channel = $6; phase = $3
    if (sub(/\.[0-9]+$/, "", channel) && sub(/.*>/, "", channel)) next_node = channel
    if ($3 == "f") print path
}
