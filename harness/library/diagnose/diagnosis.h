/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis: watches every router in the replay of a failed run, from outside. It names the first
 * router that broke a rule of the contract, or the first wire that did not carry what it got, and,
 * when nothing moves, which buffers wait for which. */
#pragma once

#include "diagnose/waiting.h"
#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/select.h"
#include "ecube/topology.h"

struct diagnosis;

/* For a replay of this net. */
struct diagnosis *diagnosis_open(const struct ec_net *net);
void diagnosis_close(struct diagnosis *d);
/* Nodes may hold back words. */
void diagnosis_ask_nodes(struct diagnosis *d, waiting_ask *ask, const void *context);
/* Before the replay: count the hops of the packet with this word, from cycle `from` on. */
void diagnosis_follow(struct diagnosis *d, uint64_t word, uint64_t from);
/* After it. */
uint64_t diagnosis_hops(const struct diagnosis *d);
/* For the net during the whole replay. */
const struct ec_net_watch *diagnosis_watch(struct diagnosis *d);
/* After each step of the replay: what the nodes sent in it, and what they get in the next cycle. */
void diagnosis_nodes(void *diagnosis, uint64_t cycle, const struct ec_port_events *in,
                     const struct ec_port_events *out);
/* Out of memory during the replay: the diagnosis is not reliable. */
bool diagnosis_memory_short(const struct diagnosis *d);

/* After the replay, in this cycle: the network has drained; or nothing moves any more, or only
 * elsewhere, and what has not happened for `patience` cycles never will. Then credits that are
 * missing are lost, even those of a router that may return them late. */
void diagnosis_drained(struct diagnosis *d, uint64_t cycle);
void diagnosis_still(struct diagnosis *d, uint64_t cycle, uint64_t patience);

/* The first breach, as one line with cycle, router and port, valid until the next call; NULL: none.
 */
const char *diagnosis_cause(struct diagnosis *d);
/* Its place; false: none. */
bool diagnosis_place(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node,
                     unsigned *ret_port);
/* Are all words and credits still accounted for after it? Then the waiting buffers are known. */
bool diagnosis_conserves(const struct diagnosis *d);
/* Is it about a credit, or a word that could leave? */
bool diagnosis_about_credits(const struct diagnosis *d);

/* From every blocked packet, follow the buffers that wait for each other (waiting.h). False: all
 * chains end where something could move. The caller owns what *ret points to. The routers of the
 * buffers, or of the culprit, are added to `nodes`. */
bool diagnosis_waiting(const struct diagnosis *d, struct waiting_found *ret,
                       struct ec_node_set *nodes);

/* --- Wires ---------------------------------------------------------------------------------- */

/* Links and local ports: the words and credits that one end shows in a cycle must be those that the
 * other end gets in it, or on a longer link some cycles later. */
struct wires;

/* A broken wire, in the cycle in which something should have arrived, or did. Link: `node` and
 * `port` are where a word or credit left (lost) or came in (not lost). Local port: they are those
 * of its router, `peer` is EC_NONE, and `out` tells whether the wire leads to the node. */
struct wire_fault {
    uint64_t cycle, word; /* word: 0 for a credit */
    uint32_t node, peer;
    unsigned port, vc;
    bool lost, out;
};

/* `delay`: cycles of a link. */
struct wires *wires_open(const struct ec_topology *t, unsigned locals, unsigned vcs,
                         unsigned delay);
void wires_close(struct wires *w);
bool wires_memory_short(const struct wires *w);
void wires_see(struct wires *w, const struct ec_net_seen *seen);
/* After all routers of a cycle were seen. True: *ret is a fault in it. */
bool wires_judge(struct wires *w, uint64_t cycle, struct wire_fault *ret);
/* The same for local ports, after wires_judge(): `in` and `out` of the step of this cycle. */
bool wires_judge_nodes(struct wires *w, uint64_t cycle, const struct ec_port_events *in,
                       const struct ec_port_events *out, struct wire_fault *ret);
