/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions: which part of a split run owns which nodes.
 *
 * Rings, meshes and tori: blocks of a grid of parts, if one exists whose largest block has
 * ceil(N / P) nodes; of these the one with the fewest channels between parts. Otherwise, and in
 * cubes, part k of P owns the nodes k * N / P ... (k + 1) * N / P - 1 (rounded down): in a cube a
 * power of two of parts cuts by the top bits of the address. In all cases no part has more than
 * ceil(N / P) nodes. The partition depends only on the topology and the number of parts.
 *
 * In a graph this holds for routers, and a node is in the part of its router: a part may have
 * routers without nodes only. */
#ifndef ECUBE_PARTITION_H
#define ECUBE_PARTITION_H

#include <stdint.h>

#include "ecube/error.h"
#include "ecube/topology.h"

#pragma GCC visibility push(default)

#define EC_PARTITION_MAX 4096

struct ec_partition {
    uint32_t parts, nodes;
    uint32_t *part_of; /* [nodes] */
    uint32_t *node;    /* [nodes] by part, ascending within a part */
    uint32_t *first;   /* [parts + 1] part k owns node[first[k]] ... node[first[k + 1] - 1] */
    /* Parts with which a part shares a channel: neighbour[first_neighbour[k]] ..., ascending. */
    uint32_t *first_neighbour; /* [parts + 1] */
    uint32_t *neighbour;       /* [first_neighbour[parts]] */
    /* The same of the routers, with their numbers for nodes: not this one in a graph only. */
    struct ec_partition *routers;
};

/* Split a network: 1 <= parts <= min(nodes, routers, EC_PARTITION_MAX). EC_USAGE, EC_MEMORY. */
enum ec_code ec_partition_open(const struct ec_topology *t, uint32_t parts,
                               struct ec_partition **ret, struct ec_error *reterr);
void ec_partition_close(struct ec_partition *p);

#pragma GCC visibility pop

#endif
