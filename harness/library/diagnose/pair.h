/* SPDX-License-Identifier: Apache-2.0 */
/* A pair: two networks stepped with the same inputs, behind the interface of one. A play on it sees
 * side A; the first difference of side B appears as a fault. */
#pragma once

#include "base/list.h"
#include "ecube/compare.h"
#include "ecube/net.h"

struct pair_difference {
    bool found;
    uint64_t cycle;
    uint32_t node;
    unsigned port, vc;
    enum ec_compared field;
    uint64_t a, b;
};

struct pair {
    struct ec_net net; /* first: the interface */
    struct ec_net *side[2];
    struct ec_arrays arrays; /* all of the following: */
    struct ec_port_events out_b;
    unsigned ports, vcs; /* ports: also those of the shape that the network does not use */
    bool taps;           /* both sides have them */
    bool comparing;      /* false: only step both (a replay with other watchers) */

    size_t stride;      /* of a row, in uint64_t */
    uint64_t *rows;     /* [node * stride] inputs and outputs of the routers of side A */
    uint64_t *shown[2]; /* [node] last cycle in which a side had something to show */
    size_t active, matched;
    uint64_t compared;
    struct ec_net_watch watch[2];
    struct pair_difference first;
    struct ec_net_fault fault;
    struct ec_net_rtl rtl; /* of the side that reported first */
};

/* Borrows both nets, which must have the same topology and router, and takes their watchers. */
enum ec_code pair_open(struct pair *p, struct ec_net *a, struct ec_net *b, struct ec_error *reterr);
/* Stop comparing, and let these watch the sides instead; NULL: none. */
void pair_look(struct pair *p, const struct ec_net_watch *a, const struct ec_net_watch *b);
/* The side whose RTL reported first; 2: neither did. */
unsigned pair_rtl_side(const struct pair *p);
/* Do both sides have all their credits back? */
bool pair_net_drained(const struct pair *p, struct ec_net_fault *ret_fault);
void pair_close(struct pair *p); /* leaves the nets open, unwatched */
