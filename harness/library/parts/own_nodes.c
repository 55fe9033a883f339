/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of nodes as ranges: a part of a cube is one range, a block of a grid has one per row. */
#include "parts/own_nodes.h"

#include <stdlib.h>

static bool follows(const uint32_t *node, uint32_t i)
{
    return i > 0 && node[i] == node[i - 1] + 1;
}

bool nodes_own_open(struct nodes_own *o, const uint32_t *node, uint32_t count)
{
    size_t ranges = 0;
    for (uint32_t i = 0; i < count; i++)
        ranges += !follows(node, i);
    *o = (struct nodes_own){.node = node, .count = count, .ranges = ranges};
    o->range = calloc(ranges ? ranges : 1, sizeof *o->range);
    if (!o->range)
        return false;
    size_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (follows(node, i))
            o->range[k - 1].to++;
        else
            o->range[k++] = (struct node_range){node[i], node[i] + 1};
    }
    return true;
}

void nodes_own_close(struct nodes_own *o)
{
    free(o->range);
    *o = (struct nodes_own){0};
}

bool nodes_own_has(const struct nodes_own *o, uint32_t node)
{
    size_t from = 0, to = o->ranges;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct node_range r = nodes_own_range(o, middle);
        if (node < r.from)
            to = middle;
        else if (node >= r.to)
            from = middle + 1;
        else
            return true;
    }
    return false;
}
