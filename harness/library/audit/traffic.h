/* SPDX-License-Identifier: Apache-2.0 */
/* The load of every channel under random traffic, exactly, from the traffic matrix. */
#pragma once

#include "ecube/audit.h"
#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"

/* Sums over pairs of nodes; all sums are below 2^127. */
typedef unsigned __int128 traffic_sum;

enum traffic_kind {
    TRAFFIC_ALL,  /* a message from every node to every other */
    TRAFFIC_TO,   /* from every other node to `node` */
    TRAFFIC_FROM, /* from `node` to every other */
    TRAFFIC_MAP,  /* from every node to map[node]; none if that is the node itself */
};

/* A matrix: messages between pairs of nodes, all of the same cost. */
struct traffic_matrix {
    enum traffic_kind kind;
    uint32_t node;
    const uint32_t *map;
    bool reversed;       /* MAP: from map[node] to node */
    traffic_sum through; /* what each message adds to the load of a link or an ejection port */
    traffic_sum entry;   /* the same of an injection port */
};

struct traffic;

/* The sum of `count` matrices. Copies its arguments, but borrows `t`. EC_USAGE: the costs are too
 * large for a traffic_sum. EC_MEMORY. */
enum ec_code traffic_open(const struct ec_topology *t, const struct ec_router *r,
                          const struct traffic_matrix *matrices, size_t count, struct traffic **ret,
                          struct ec_error *reterr);
void traffic_close(struct traffic *s); /* accepts NULL */

/* A message takes any of so many paths, all equally likely (order=class, routing=valiant), and
 * loads are sums over them: so many times the average. */
uint32_t traffic_paths(const struct traffic *s);

/* The load of a channel; 0 if there is no such channel. */
traffic_sum traffic_load(const struct traffic *s, struct ec_channel channel);

/* The largest load, and a channel that has it: links first, then injection, then ejection ports.
 * 0: no message uses the network. *ret_ejection: the largest load of an ejection port. */
traffic_sum traffic_busiest(const struct traffic *s, struct ec_channel *ret,
                            traffic_sum *ret_ejection);

/* The hops of the longest path, at most. */
static inline unsigned traffic_furthest(const struct ec_topology *t, const struct ec_router *r)
{
    return r->table                           ? t->routers - 1
           : r->routing == EC_ROUTING_VALIANT ? 2 * ec_topology_diameter(t)
                                              : ec_topology_diameter(t);
}

/* Adds the messages of a matrix to histogram[hops], for hops from 1 to traffic_furthest(); with
 * routing=valiant each of them by way of every node. */
enum ec_code traffic_hops(const struct ec_topology *t, const struct ec_router *r,
                          const struct traffic_matrix *m, uint64_t *histogram,
                          struct ec_error *reterr);
