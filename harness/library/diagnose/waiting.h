/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffers wait for which, in the account of a replayed run.
 *
 * A buffer waits for others: the holder of the output VC that its front word wants, or the full
 * buffer behind that. With dynamic allocation a head may take any VC of its class, so it waits for
 * several, and one of them is enough. Buffers are therefore proved stuck only as a knot: each waits
 * for buffers of the knot alone, and none for anything else. With a single VC per class a knot is a
 * circle. */
#pragma once

#include "contract/rules.h"
#include "ecube/run.h"
#include "ecube/select.h"
#include "ecube/tile.h"

/* Why a node holds back words of a VC: it has no room for a request. */
struct waiting_refusal {
    uint32_t held; /* requests in the node */
    /* For each local port the VCs, as bits, of one of which its reply waits for a place; 0: no
     * reply waits there. */
    uint8_t replies[EC_TILE_PORTS_MAX];
};

/* Asks the nodes; false: the node does not hold back words of this VC. */
typedef bool waiting_ask(const void *context, uint32_t node, unsigned local, unsigned vc,
                         struct waiting_refusal *ret);

/* Buffers that wait for nothing but each other: a line for each, and its input. */
struct waiting_found {
    char **lines;
    struct ec_waiting_input *inputs;
    size_t count;
    bool knot; /* some wait for several others; else each for the next, the last for the first */
    char *culprit; /* if there are none: the first buffer that could move and does not; or NULL */
    bool memory_short; /* lines or the culprit are missing, or the search was not finished */
};

struct waiting {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct rules *rules;
    bool foreign;
    uint64_t cycle;       /* the last one seen */
    uint64_t still_after; /* if no word has left a router for more cycles, no front word can move */
    waiting_ask *ask;     /* or NULL */
    const void *ask_context;
};

/* As diagnosis_waiting(). */
bool waiting_find(const struct waiting *w, struct waiting_found *ret, struct ec_node_set *nodes);
