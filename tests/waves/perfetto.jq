# SPDX-License-Identifier: Apache-2.0
# A trace in the format of trace events as lines:
#   slice FIRST LAST NODE TRACK SRC DST PACKET WORDS HEAD TAIL
#   flow ID PHASE CYCLE NODE TRACK SRC DST PACKET      with the slice that has it
#   words CYCLE NODE COUNTER COUNT
# TRACK is "inject.0", "dim1>5.0": channel, router at its end, VC.
.traceEvents as $e
| ($e | map(select(.name == "process_name") | {key: "\(.pid)", value: (.args.name | split(" ")[1])}) | from_entries) as $node
| ($e | map(select(.name == "thread_name") | {key: "\(.tid)",
    value: (.args.name | sub(" to "; ">") | sub(" VC "; ".") | gsub(" "; "-"))}) | from_entries) as $track
| ($e | map(select(.ph == "X") | {key: "\(.tid) \(.ts)", value: "\(.args.src) \(.args.dst) \(.args.packet)"})
    | from_entries) as $slice
| $e[]
| if .ph == "X" then
    "slice \(.ts) \(.ts + .dur - 1) \($node["\(.pid)"]) \($track["\(.tid)"]) \(.args.src) \(.args.dst) \(.args.packet)" +
    " \(.args.words) \(.args.head) \(.args.tail)"
  elif .ph == "s" or .ph == "t" or .ph == "f" then
    "flow \(.id) \(.ph) \(.ts) \($node["\(.pid)"]) \($track["\(.tid)"]) \($slice["\(.tid) \(.ts)"])"
  elif .ph == "C" then
    "words \(.ts) \($node["\(.pid)"]) \(.name) \(.args.words)"
  else empty end
