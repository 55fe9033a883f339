/* SPDX-License-Identifier: Apache-2.0 */
/* What buffers wait for, and knots of them, by the definitions in diagnose/waiting.h: found in an
 * account by following all waits from each buffer. */
#ifndef EC_UNIT_WAITS_H
#define EC_UNIT_WAITS_H

#include "contract/rules.h"
#include "diagnose/diagnosis.h"

enum { WAITS_BUFFERS = 256, WAITS_NODES = 64 };

/* The account of a network at the end of a cycle. Its owner fills it; borrows t, r and shadow. */
struct account {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct shadow *shadow; /* of its buffers only the numbers of words are read */
    struct rules_ask ask[WAITS_BUFFERS];
    struct rules_output out[WAITS_BUFFERS];
    uint64_t shown_at[WAITS_NODES], moved_at, cycle;
    uint64_t still_after;                  /* as in diagnose/waiting.h */
    bool asks, refuses[WAITS_NODES][8][8]; /* [node][local][vc] */
    struct waiting_refusal refusal[WAITS_NODES];
    unsigned need; /* credits, of a head */
    struct rules_name (*name)(const void *context, uint64_t word);
    const void *context;
};

extern struct account account;

/* Find what all buffers wait for. */
void waits_find(bool foreign);
bool waits_in_knot(size_t buffer);
/* The first buffer with words whose waits lead to a knot; SIZE_MAX: none do. */
size_t waits_start(void);
/* The knot found is one, its lines, inputs and routers are right, and it is reached from the first
 * buffer. `nodes` may be NULL. */
void waits_assert_knot(const struct waiting_found *w, const struct ec_node_set *nodes);
/* There is none; the culprit is the first buffer that may move. */
void waits_assert_no_knot(const struct waiting_found *w, const struct ec_node_set *nodes);

#endif
