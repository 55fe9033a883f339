/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle of channels that wait for each other, by the routes of all pairs of nodes or of some. */
#pragma once

#include "ecube/audit.h"

/* *ret_length 0: there is none. Else *ret_cycle (unless NULL) gets one, which the caller frees. At
 * most 64 links for each router. Time and memory: O(routers * nodes), if every router has a few
 * links. EC_MEMORY. */
enum ec_code dependence_cycle(const struct ec_topology *t, const struct ec_router *r,
                              struct ec_vertex **ret_cycle, size_t *ret_length,
                              struct ec_error *reterr);

/* The same of the escape channels of adaptive routing, with the indirect dependences between them.
 * Time and memory: O(nodes^2 * dimensions). */
enum ec_code escape_cycle(const struct ec_topology *t, const struct ec_router *r,
                          struct ec_vertex **ret_cycle, size_t *ret_length,
                          struct ec_error *reterr);

/* The same of some pairs: add them, then search, which forgets them. NULL: out of memory. */
struct dependence;
struct dependence *dependence_open(const struct ec_topology *t, const struct ec_router *r);
void dependence_add(struct dependence *d, uint32_t src, uint32_t dst);
bool dependence_search(struct dependence *d);
void dependence_close(struct dependence *d); /* accepts NULL */

/* --- A cycle in any graph --------------------------------------------------------------------- */

/* A search, depth first. The vertices below `channels` are channels of routers. */
struct cycle_search {
    void *context;
    /* Take another edge of the vertex; false: there is none left. */
    bool (*edge)(void *context, uint32_t vertex, uint32_t *ret);
    unsigned out; /* channels of a router: links * EC_TABLE_CLASSES */
    size_t channels, vertices;
    uint32_t *stack, *place; /* [depth] a path of vertices; [vertex] its depth + 1; 0: not on it */
    bool *done;              /* [vertex] all edges are taken */
    size_t depth;
};

/* False: out of memory. Close it in any case. */
bool cycle_search_open(struct cycle_search *s);
void cycle_search_close(struct cycle_search *s);
/* Search from all channels. The length of the cycle at the end of the path; 0: there is none. */
size_t cycle_search_all(struct cycle_search *s);
/* The channels of that cycle: *ret_cycle (unless NULL) gets them, which the caller frees. */
enum ec_code cycle_search_take(const struct cycle_search *s, size_t length,
                               struct ec_vertex **ret_cycle, size_t *ret_length,
                               struct ec_error *reterr);
