/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that a part owns. What is kept per node or per port is indexed by global numbers and
 * allocated with calloc(), and only the entries of own nodes are touched: those of other nodes need
 * no memory. Must not know what is kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Nodes from..to - 1. */
struct node_range {
    uint32_t from, to;
};

struct nodes_own {
    const uint32_t *node; /* [count] ascending, borrowed; NULL: 0..count - 1 */
    uint32_t count;
    struct node_range *range; /* [ranges] the same nodes, ascending; NULL: one range */
    size_t ranges;
};

/* All nodes of a network: nothing to close. */
static inline struct nodes_own nodes_all(uint32_t nodes)
{
    return (struct nodes_own){.count = nodes, .ranges = 1};
}

/* The nodes node[0..count - 1], ascending. False if memory is short. */
bool nodes_own_open(struct nodes_own *o, const uint32_t *node, uint32_t count);
void nodes_own_close(struct nodes_own *o);

static inline uint32_t nodes_own_at(const struct nodes_own *o, uint32_t i)
{
    return o->node ? o->node[i] : i;
}

static inline struct node_range nodes_own_range(const struct nodes_own *o, size_t k)
{
    return o->range ? o->range[k] : (struct node_range){0, o->count};
}

bool nodes_own_has(const struct nodes_own *o, uint32_t node);

/* Zero the entries of own nodes in an array with `size` bytes per node. */
static inline void nodes_own_clear(const struct nodes_own *o, void *array, size_t size)
{
    for (size_t k = 0; k < o->ranges; k++) {
        const struct node_range r = nodes_own_range(o, k);
        memset((char *)array + r.from * size, 0, (r.to - r.from) * size);
    }
}
