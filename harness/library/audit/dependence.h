/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle of channels that wait for each other, by the routes of all pairs of nodes or of some. */
#ifndef EC_DEPENDENCE_H
#define EC_DEPENDENCE_H

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

#endif
