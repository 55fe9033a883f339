/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of routers, cycles and packets as the user writes them. Waves and event logs share
 * this grammar. */
#ifndef ECUBE_SELECT_H
#define ECUBE_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/router.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

/* Routers in the order of their first mention, without duplicates. */
struct ec_node_set {
    uint32_t *nodes; /* owned; see ec_node_set_free */
    size_t count;
};

struct ec_cycle_range {
    uint64_t from, to; /* inclusive; `to` UINT64_MAX: no end */
};

/* "5", "(1,2)", "x1y2", "(101)" on a cube, "0-3", "path:SRC-DST" (the routers on the path of a
 * packet, in that order), "all", or several of these, comma-separated. EC_USAGE, EC_MEMORY. */
enum ec_code ec_select_nodes(const char *text, const struct ec_topology *t,
                             const struct ec_router *r, struct ec_node_set *ret,
                             struct ec_error *reterr);
/* The routers on the path from src to dst, both included. */
enum ec_code ec_select_path(const struct ec_topology *t, const struct ec_router *r, uint32_t src,
                            uint32_t dst, struct ec_node_set *ret, struct ec_error *reterr);
/* Append a node that is not in the set yet. False if memory is short. */
bool ec_node_set_add(struct ec_node_set *set, uint32_t node);
void ec_node_set_free(struct ec_node_set *set);

/* "100:200", "100:", ":200", or "150" for one cycle. Cycles count from 1. EC_USAGE. */
enum ec_code ec_select_cycles(const char *text, struct ec_cycle_range *ret,
                              struct ec_error *reterr);

/* "5-0" or "(0,0)-(2,1)": a source and a destination. EC_USAGE. */
enum ec_code ec_select_pair(const char *text, const struct ec_topology *t, uint32_t *ret_src,
                            uint32_t *ret_dst, struct ec_error *reterr);

#pragma GCC visibility pop

#endif
