#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults of the wiring and of the harness: each a patch of one line, and the command that must catch it.
. "$(dirname "$0")/lib.sh"
printf 'cycle,source,destination,words\n1,4,7,8\n9,4,7,8\n2,7,5,3\n' >trace.csv
cat >matrix.txt <<'END'
cube:3 bitrev:m=8
cube:3 hotspot:m=4
cube:3 uniform:rate=0.4,m=4 --cycles 500
torus:4x4 randperm:m=12 --seed 4
torus:4x4 randperm:m=12 --seed 4 --eject-stall 0.3
END
cp matrix.txt baseline.txt
"$ecube" regress baseline.txt --update --quiet >/dev/null
cube=(run cube:3 bitcomp:m=8 --no-failure-wave --quiet)
full=(run cube:6 bitrev:m=8 --no-failure-wave --quiet)
torus=(run torus:4x4 randperm:m=12 --no-failure-wave --quiet)
tiles=harness/src/tiles.c

# --- wiring
c_fault 'two links of a router are swapped' $tiles 'const unsigned back = to == EC_NONE ? 0 : ec_topology_reverse(t, port);' \
    'const unsigned back = to == EC_NONE ? 0 : ec_topology_reverse(t, node == 5 && port < 2 ? 1 - port : port);' run "${cube[@]}"
c_fault 'a word goes to the wrong input of its neighbour' $tiles '.channel = to == EC_NONE ? 0 : to * s->ports + back,' \
    '.channel = to == EC_NONE ? 0 : to * s->ports + (node == 5 ? (back + 1) % 3 : back),' run "${cube[@]}"
c_fault 'credits of all VCs go to VC 0' $tiles 'next->in_credit[(size_t)to->node * vcs + vc] |= to->bit;' \
    'next->in_credit[(size_t)to->node * vcs] |= to->bit;' run "${torus[@]}"
c_fault 'a credit on its way is lost' $tiles 'next->in_credit[(size_t)to->node * vcs + vc] |= to->bit;' \
    'next->in_credit[(size_t)to->node * vcs + vc] |= node == 5 ? 0 : to->bit;' run "${cube[@]}"
c_fault 'an injected word keeps the port of its neighbour' $tiles 'io->in_valid[node] |= UINT64_C(1) << port;' \
    'io->in_valid[node] |= UINT64_C(1) << (node == 5 ? 0 : port);' run "${cube[@]}"
c_fault 'a router with words in it sleeps' $tiles 'if (!now->quiet[node])' 'if (0)' regress regress baseline.txt
c_fault 'a router is not woken by a credit' $tiles $'next->in_credit[(size_t)to->node * vcs + vc] |= to->bit;\n                awake[to->node] = true;' \
    'next->in_credit[(size_t)to->node * vcs + vc] |= to->bit;' 'compare tiles flat' \
    compare tiles flat cube:3 trace:file=trace.csv --no-failure-wave --quiet
c_fault 'inputs of the last cycle stay' $tiles 'now->in_valid[node] = 0;' 'now->in_valid[node] &= UINT64_C(1) << 1;' run "${cube[@]}"
c_fault 'a delivered word is lost' $tiles 'out->word_count += ejected;' \
    'out->word_count += ejected && node == 5 && s->net.cycle == 9 ? ejected - 1 : ejected;' run "${cube[@]}"
c_fault 'a delivered word is doubled' $tiles 'out->word_count += ejected;' \
    'if (ejected && node == 7 && s->net.cycle == 8) { out->words[out->word_count + ejected] = out->words[out->word_count + ejected - 1]; ejected++; } out->word_count += ejected;' run \
    run cube:3 trace:file=trace.csv --no-failure-wave --quiet
c_fault 'contended is counted as starved' $tiles 'contended >> from & 1 ? s->contended : s->starved' \
    'contended >> from & 1 ? s->starved : s->contended' run "${full[@]}"
c_fault 'words of a link are counted twice' $tiles 's->flits[channel]++;' 's->flits[channel] += 1 + (port == 0);' run "${cube[@]}"

# --- pins
pins=harness/src/shape_choose.c
c_fault 'the order pin is not driven' $pins '.order_high = r->order == EC_ORDER_HIGH,' '.order_high = 0,' \
    run run cube:3 hotspot:m=4 --router order=high --no-failure-wave --quiet
c_fault 'the switching pins are exchanged' $pins ': r->switching == EC_CUT_THROUGH ? 1' ': r->switching == EC_CUT_THROUGH ? 2' \
    run run cube:3 bitcomp:m=8 --router switching=cut-through --packet 2 --no-failure-wave --quiet
c_fault 'the depth pin is one too small' $pins '.depth = r->depth,' '.depth = r->depth - 1,' \
    run run cube:3 bitcomp:m=8 --router depth=2 --no-failure-wave --quiet
c_fault 'the packet pin is one too large' $pins '.packet = r->packet,' '.packet = r->packet + 1,' \
    run run cube:3 bitcomp:m=8 --router switching=store-and-forward,depth=4 --packet 2 --no-failure-wave --quiet
c_fault 'a router has the address of another' $pins 'places[node].coord = ec_topology_address(t, node);' \
    'places[node].coord = ec_topology_address(t, node < 2 ? 1 - node : node);' run "${cube[@]}"
c_fault 'the wrap pins are not driven' $pins 'place.wrap |= (uint32_t)t->wrap[d] << d;' '' run "${torus[@]}"
c_fault 'the dateline pin is not driven' $pins '.dateline = r->dateline,' '.dateline = 0,' \
    'run' run torus:4x4 uniform:rate=0.5,m=16 --cycles 5000 --no-failure-wave --quiet

# --- nodes
sender=harness/src/sender.c
c_fault 'a node sends without a credit' $sender 'else if (*credits == 0) {' 'else if (0) {' \
    run run cube:3 hotspot:m=16 --no-failure-wave --quiet
c_fault 'the start-up is one cycle too long' $sender 'x->ready = now + s->startup;' 'x->ready = now + s->startup + 1;' run "${cube[@]}"
c_fault 'a node injects on an odd VC' $sender $'    const unsigned vc = s->r->dateline ? 2 * x->lane : x->lane;\n    uint32_t *credits' \
    $'    const unsigned vc = 1;\n    uint32_t *credits' run "${torus[@]}"
c_fault 'the last word of a message is not sent' $sender 'if (++x->sent < x->words)' \
    'if (++x->sent < x->words - (x->words > 7))' run "${cube[@]}"
receiver=harness/src/receiver.c
c_fault 'a node returns a credit twice' $receiver $'            give_credit(in, port, vc);\n            continue;' \
    $'            give_credit(in, port, vc);\n            if (port == 5) give_credit(in, port, vc);\n            continue;' run "${cube[@]}"
c_fault 'a node keeps a credit' $receiver $'            give_credit(in, port, vc);\n            continue;' \
    $'            if (port != 5 || now != 9) give_credit(in, port, vc);\n            continue;' run "${cube[@]}"
c_fault 'back-pressure is forgotten' $receiver 'if (ec_rng_draw(r->key, now * r->ports + port) < r->stall) {' 'if (0) {' \
    regress regress baseline.txt
c_fault 'messages come in another order' harness/src/source.c 'const uint32_t link = ec_route_link(s->t, s->r->order, src, dst);' \
    'const uint32_t link = ec_route_link(s->t, 1 - s->r->order, src, dst);' run \
    run cube:3 bitcomp:m=8 --router ports=all --no-failure-wave --quiet

# --- checks and predictions
c_fault 'the closed form has a cycle too many' model/cost/ec_cost.c $'return ts + 1 + (m - n) * word_gap' \
    'return ts + 2 + (m - n) * word_gap' run "${cube[@]}"
c_fault 'two messages on a channel count as none' harness/src/audit.c 'a->congestion_free = a->max_step_load <= 1;' 'a->congestion_free = a->max_step_load <= 9;' run "${full[@]}"
c_fault 'a link of a path is not audited' harness/src/audit.c 'a->flit_hops += (uint64_t)hops * m->words;' \
    'a->flit_hops += (uint64_t)(hops - 1) * m->words;' run "${cube[@]}"
c_fault 'the digest forgets the cycle' harness/src/scoreboard.c 'cycle * UINT64_C(0x9e3779b97f4a7c15)' '0' \
    regress regress baseline.txt
c_fault 'a ring is not closed' harness/src/topology.c 'return down ? node + (radix - 1) * stride : node - (radix - 1) * stride;' \
    'return down ? node + (radix - 1) * stride : node;' run "${torus[@]}"
done_testing
