/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis: watches every router in the replay of a failed run, from outside, with a shadow of the
 * input buffers. It names the first router or wire that broke conservation or routing (a word lost,
 * duplicated, altered or sent the wrong way, a credit lost) and, when nothing moves, which buffers
 * wait for which. */
#ifndef EC_DIAGNOSIS_H
#define EC_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/select.h"
#include "ecube/topology.h"

struct diagnosis;

/* `foreign`: a word may leave some cycles before or after its credit (contract, section 12). */
struct diagnosis *diagnosis_open(const struct ec_topology *t, const struct ec_router *r,
                                 bool foreign);
void diagnosis_close(struct diagnosis *d);
/* For the net during the whole replay. */
const struct ec_net_watch *diagnosis_watch(struct diagnosis *d);
/* Out of memory during the replay: the diagnosis is not reliable. */
bool diagnosis_memory_short(const struct diagnosis *d);

/* The first violation, as one line with cycle, router and port; NULL: none. */
const char *diagnosis_violation(const struct diagnosis *d);

/* The place of that violation; false: none. */
bool diagnosis_place(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node);

/* Is that violation a word on the wrong VC? Such a network may deadlock, and the waiting buffers
 * are still known; after other violations the shadow is not reliable. */
bool diagnosis_wrong_vc(const struct diagnosis *d);

/* From every blocked packet, follow the buffers that wait for each other. True: there is a cycle of
 * waiting, and *ret_lines has its steps, one line each (the caller owns lines and array). False:
 * the chains end at a router that could move and does not; *ret_culprit (owned by the caller, or
 * NULL) describes it. The routers of the cycle, or that one, are added to `nodes`. */
bool diagnosis_waiting(const struct diagnosis *d, char ***ret_lines, size_t *ret_count,
                       char **ret_culprit, struct ec_node_set *nodes);

/* --- Wires ---------------------------------------------------------------------------------- */

/* The links between routers: the words and credits that one end shows in a cycle must be those that
 * the other end gets in it. */
struct wires;

/* A broken wire: `node` and `port` are where a word or credit left (lost) or came in (not lost). */
struct wire_fault {
    uint64_t cycle, word; /* word: 0 for a credit */
    uint32_t node, peer;
    unsigned port, vc;
    bool lost;
};

struct wires *wires_open(const struct ec_topology *t, unsigned vcs);
void wires_close(struct wires *w);
void wires_see(struct wires *w, const struct ec_net_seen *seen);
/* After all routers of a cycle were seen. True: *ret is a fault in it. */
bool wires_judge(struct wires *w, uint64_t cycle, struct wire_fault *ret);

#endif
