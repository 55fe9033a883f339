/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension-ordered routing from coordinates. Knows the topology; must not know the RTL, whose
 * opinion is compared with this one in every run. */
#include "ecube/route.h"

/* The i-th dimension to be corrected. */
static unsigned nth_dim(const struct ec_topology *t, enum ec_order order, unsigned i)
{
    return order == EC_ORDER_LOW ? i : t->dims - 1 - i;
}

/* True if the way from coordinate x to y != x in dimension `dim` leads downwards. A tie between
 * the two ways round goes up. */
static bool goes_down(const struct ec_topology *t, unsigned dim, uint32_t x, uint32_t y)
{
    if (!t->wrap[dim])
        return y < x;
    uint32_t up = y > x ? y - x : y + t->radix[dim] - x;
    return up > t->radix[dim] - up;
}

static unsigned link_of(const struct ec_topology *t, unsigned dim, bool down)
{
    if (t->links_per_dim == 1)
        return dim;
    return 2 * dim + (down && t->radix[dim] > 2);
}

uint32_t ec_route_link(const struct ec_topology *t, enum ec_order order, uint32_t node,
                       uint32_t dst)
{
    for (unsigned i = 0; i < t->dims; i++) {
        unsigned dim = nth_dim(t, order, i);
        uint32_t x = ec_topology_coord(t, node, dim), y = ec_topology_coord(t, dst, dim);
        if (x != y)
            return link_of(t, dim, goes_down(t, dim, x, y));
    }
    return EC_NONE;
}

size_t ec_route_path(const struct ec_topology *t, enum ec_order order, bool dateline, uint32_t src,
                     uint32_t dst, struct ec_hop *hops, size_t room)
{
    size_t length = 0;
    uint32_t node = src;

    for (unsigned i = 0; i < t->dims; i++) {
        unsigned dim = nth_dim(t, order, i), class_ = 0;
        uint32_t last = t->radix[dim] - 1, stride = t->stride[dim];
        uint32_t x = ec_topology_coord(t, node, dim), y = ec_topology_coord(t, dst, dim);
        if (x == y)
            continue;
        bool down = goes_down(t, dim, x, y);
        unsigned link = link_of(t, dim, down);
        while (x != y) {
            bool wraps = x == (down ? 0 : last);
            if (dateline && wraps)
                class_ = 1; /* from the wrap link on, that link included */
            if (length < room)
                hops[length] = (struct ec_hop){node, link, class_};
            length++;
            if (down) {
                node = wraps ? node + last * stride : node - stride;
                x = wraps ? last : x - 1;
            } else {
                node = wraps ? node - last * stride : node + stride;
                x = wraps ? 0 : x + 1;
            }
        }
    }
    return length;
}
