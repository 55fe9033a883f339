/* SPDX-License-Identifier: Apache-2.0 */
/* The dependency graph of one line of nodes, for the search and for its test. */
#ifndef EC_DEADLOCK_H
#define EC_DEADLOCK_H

#include "ecube/topology.h"

/* A vertex of the graph of a line: the channel from coordinate `coord` upwards or downwards, in a
 * class. There are 4 per node. */
static inline uint32_t ec_line_vertex(uint32_t coord, unsigned down, unsigned class_)
{
    return (coord * 2 + down) * 2 + class_;
}

/* One dimension of a topology on its own: a ring or a linear array. */
struct ec_topology ec_line_of(const struct ec_topology *t, unsigned dim);

/* All edges of a line: bit c of next[v] is the edge from vertex v to the next channel in the same
 * direction, in class c. next[4 * nodes] is zero before. */
void ec_line_edges(const struct ec_topology *line, bool dateline, unsigned char *next);

#endif
