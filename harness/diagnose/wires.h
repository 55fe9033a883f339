/* SPDX-License-Identifier: Apache-2.0 */
/* The links between routers: the words and credits that one end shows in a cycle must be those that
 * the other end gets in it. */
#ifndef EC_DIAGNOSIS_WIRES_H
#define EC_DIAGNOSIS_WIRES_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/topology.h"

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
