/* SPDX-License-Identifier: Apache-2.0 */
/* Brings values that each part keeps for its own nodes together in part 0. Must not know what they
 * mean. */
#pragma once

#include "ecube/partition.h"
#include "parts/exchange.h"

/* Collective. values[node * per_node + k] of own nodes -> the same array in part 0, where the
 * values of other nodes are overwritten. False: out of memory, or another part is gone. */
bool gather_nodes(struct exchange *x, const struct ec_partition *partition, uint64_t *values,
                  unsigned per_node);
/* The same from an array of own nodes only, in ascending order; `whole`: NULL except in part 0. */
bool gather_rows(struct exchange *x, const struct ec_partition *partition, const uint64_t *own,
                 unsigned per_node, uint64_t *whole);

/* Collective: values[0..count) of part 0 become the sums over all parts; those of other parts stay.
 */
bool gather_sums(struct exchange *x, uint64_t *values, size_t count);
