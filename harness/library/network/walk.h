/* SPDX-License-Identifier: Apache-2.0 */
/* A walk: the path of a message without storing it, hop by hop (ec_route_path()) or leg by leg (the
 * audit). The only implementation of routing in the library. Inline, because the audit of a 20-cube
 * takes ten million steps. */
#pragma once

#include "ecube/route.h"

/* All hops of a walk in one dimension: `steps` links from `node`, in one direction. */
struct ec_leg {
    uint32_t node, steps;
    unsigned dim, link;
    bool down;
};

struct ec_walk {
    const struct ec_topology *t;
    const struct ec_router *r;
    uint32_t node, dst, end; /* dst: to be reached next, on the way to `end` */
    bool high;               /* the highest dimension goes first */
    unsigned done;           /* dimensions entered so far */
    uint32_t left;           /* steps left in the current dimension */
    unsigned dim;            /* the current dimension; the position in it, and the direction: */
    uint32_t coord;
    bool down;
    unsigned class_;
};

/* From a router. */
static inline struct ec_walk ec_walk_from(const struct ec_topology *t, const struct ec_router *r,
                                          uint32_t router, uint32_t dst, uint32_t way)
{
    const bool high = r->order == EC_ORDER_CLASS ? way == 1 : r->order == EC_ORDER_HIGH;
    const bool via = r->routing == EC_ROUTING_VALIANT && way > 0;
    return (struct ec_walk){
        .t = t, .r = r, .node = router, .dst = via ? way - 1 : dst, .end = dst, .high = high};
}

/* From a node, as drawn (ec_route_draw()). A message to the node itself goes nowhere. */
static inline struct ec_walk ec_walk_drawn(const struct ec_topology *t, const struct ec_router *r,
                                           uint32_t src, uint32_t dst, uint32_t way)
{
    return ec_walk_from(t, r, ec_topology_router(t, src), dst, src == dst ? 0 : way);
}

static inline struct ec_walk ec_walk_begin(const struct ec_topology *t, const struct ec_router *r,
                                           uint32_t src, uint32_t dst)
{
    return ec_walk_drawn(t, r, src, dst, 0);
}

/* Steps from coordinate x to y in a dimension, and the direction: the shorter one if the dimension
 * wraps; a tie goes up, or as `ties` says. */
static inline uint32_t ec_walk_steps(const struct ec_walk *w, unsigned dim, uint32_t x, uint32_t y,
                                     bool *down)
{
    const struct ec_topology *t = w->t;
    if (!t->wrap[dim]) {
        *down = y < x;
        return *down ? x - y : y - x;
    }
    uint32_t up = y >= x ? y - x : y + t->radix[dim] - x;
    const uint32_t back = t->radix[dim] - up;
    *down = up > back || (up == back && w->r->ties == EC_TIES_BALANCED && x % 2 == 1);
    return *down ? back : up;
}

/* From the node on the way to the destination; false at the destination. */
static inline bool ec_walk_turn(struct ec_walk *w)
{
    if (w->dst == w->end)
        return false;
    w->dst = w->end;
    w->done = 0;
    return true;
}

/* Move on to the next dimension that needs correction. */
static inline bool ec_walk_enter(struct ec_walk *w)
{
    while (w->left == 0) {
        if (w->done == w->t->dims && !ec_walk_turn(w))
            return false;
        w->dim = w->high ? w->t->dims - 1 - w->done : w->done;
        w->done++;
        w->class_ = 0;
        w->coord = ec_topology_coord(w->t, w->node, w->dim);
        w->left =
            ec_walk_steps(w, w->dim, w->coord, ec_topology_coord(w->t, w->dst, w->dim), &w->down);
    }
    return true;
}

/* The output link of a walk in its current dimension. Radix 2 has one link for both directions. */
static inline unsigned ec_walk_link(const struct ec_walk *w)
{
    return 2 * w->dim + (w->down && w->t->radix[w->dim] > 2);
}

/* On a cube the differing address bits are the links: the next one. There must be one. */
static inline unsigned ec_walk_cube_link(const struct ec_walk *w)
{
    uint32_t rest = w->node ^ w->dst;

    return (unsigned)(w->high ? 31 - __builtin_clz(rest) : __builtin_ctz(rest));
}

/* The next hop of a walk that follows a table. */
static inline bool ec_walk_table(struct ec_walk *w, struct ec_hop *hop)
{
    const struct ec_table *table = w->r->table;
    const size_t at = (size_t)w->node * table->nodes + w->dst;

    if (table->port[at] >= ec_topology_links(w->t))
        return false;
    *hop = (struct ec_hop){w->node, table->port[at],
                           w->r->dateline && table->class_ ? table->class_[at] : 0};
    w->node = ec_topology_neighbor(w->t, w->node, hop->link);
    return true;
}

/* The next hop; false at the destination. */
static inline bool ec_walk_next(struct ec_walk *w, struct ec_hop *hop)
{
    if (w->r->table)
        return ec_walk_table(w, hop);
    if (w->t->links_per_dim == 1) {
        if (w->node == w->dst && !ec_walk_turn(w))
            return false;
        *hop = (struct ec_hop){w->node, ec_walk_cube_link(w), 0};
        w->node ^= UINT32_C(1) << hop->link;
        return true;
    }
    if (!ec_walk_enter(w))
        return false;

    uint32_t last = w->t->radix[w->dim] - 1, stride = w->t->stride[w->dim];
    bool wraps = w->t->wrap[w->dim] && w->coord == (w->down ? 0 : last);
    if (w->r->dateline && wraps)
        w->class_ = 1; /* on the wrap link and after it */
    *hop = (struct ec_hop){w->node, ec_walk_link(w), w->class_};
    w->left--;
    if (wraps) {
        w->coord = w->down ? last : 0;
        w->node = w->down ? w->node + last * stride : w->node - last * stride;
    } else {
        w->coord = w->down ? w->coord - 1 : w->coord + 1;
        w->node = w->down ? w->node - stride : w->node + stride;
    }
    return true;
}

/* The next leg; false at the destination. Do not mix with ec_walk_next(). The legs of a table are
 * its hops. */
static inline bool ec_walk_leg(struct ec_walk *w, struct ec_leg *leg)
{
    if (w->r->table) {
        struct ec_hop hop;
        if (!ec_walk_table(w, &hop))
            return false;
        *leg = (struct ec_leg){hop.node, 1, hop.link / w->t->links_per_dim, hop.link,
                               w->t->links_per_dim == 2 && hop.link % 2};
        return true;
    }
    if (w->t->links_per_dim == 1) {
        if (w->node == w->dst && !ec_walk_turn(w))
            return false;
        unsigned link = ec_walk_cube_link(w);
        *leg = (struct ec_leg){w->node, 1, link, link, false};
        w->node ^= UINT32_C(1) << link;
        return true;
    }
    if (!ec_walk_enter(w))
        return false;
    *leg = (struct ec_leg){w->node, w->left, w->dim, ec_walk_link(w), w->down};
    w->node += (ec_topology_coord(w->t, w->dst, w->dim) - w->coord) * w->t->stride[w->dim];
    w->left = 0;
    return true;
}
