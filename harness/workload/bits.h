/* SPDX-License-Identifier: Apache-2.0 */
/* Permutations of the bits of machine addresses, with K elements on every node of a cube. */
#ifndef EC_WORKLOAD_BITS_H
#define EC_WORKLOAD_BITS_H

#include "workload/table.h"

#define EC_WORKLOAD_ELEMENTS_MAX (UINT32_C(1) << 24) /* on all nodes */

/* k, the storage dimensions that K elements per node need: the least k with K <= 2^k. */
unsigned ec_workload_storage(uint32_t per_node);

/* The permutation that workload `id` is on 2^n nodes of `per_node` elements; `rotation` for
 * kshuffle, `cycles` for gsh. EC_USAGE begins with `text`, the whole workload. */
enum ec_code ec_workload_sdp(const char *text, enum ec_workload_id id, unsigned processor,
                             uint32_t per_node, unsigned rotation, struct ec_slice cycles,
                             struct ec_sdp *ret, struct ec_error *reterr);

/* One message of `words` words for each element that changes its node, in the order of nodes and
 * slots, into w->messages. EC_MEMORY. */
enum ec_code ec_workload_elements(struct ec_workload *w, uint32_t words, struct ec_error *reterr);

#endif
