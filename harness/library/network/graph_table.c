/* SPDX-License-Identifier: Apache-2.0 */
/* Routing tables of graphs. Knows links and distances; must not know virtual channels, but for the
 * classes of dragonflies. */
#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"
#include "ecube/topology.h"

struct making {
    const struct ec_graph *g;
    struct ec_table *table;
    bool updown;
    uint32_t *rank;   /* [routers] up/down routing: a link to a lower rank leads up */
    uint32_t *order;  /* [routers] by rank */
    uint32_t *down;   /* [routers] links of the shortest path that only leads down; NEVER */
    uint32_t *length; /* [routers] links of the path to the current router; NEVER */
    uint8_t *level;   /* [routers] distance from the nearest router with nodes */
};
#define NEVER UINT32_MAX

static bool has_nodes(const struct ec_graph *g, uint32_t router)
{
    return g->first_node[router] < g->first_node[router + 1];
}

static void set_levels(struct making *m)
{
    const struct ec_graph *g = m->g;
    for (uint32_t a = 0; a < g->routers; a++) {
        m->level[a] = UINT8_MAX;
        for (uint32_t b = 0; b < g->routers; b++) {
            const unsigned hops = g->distance[(size_t)a * g->routers + b];
            if (has_nodes(g, b) && hops < m->level[a])
                m->level[a] = (uint8_t)hops;
        }
    }
}

/* The root of up/down routing (Schroeder et al. 1991): the router from which the farthest node is
 * the nearest; of equals the lowest. */
static uint32_t find_root(const struct ec_graph *g)
{
    uint32_t root = 0;
    unsigned least = UINT16_MAX + 1U;
    for (uint32_t a = 0; a < g->routers; a++) {
        unsigned most = 0;
        for (uint32_t b = 0; b < g->routers; b++) {
            const unsigned hops = g->distance[(size_t)a * g->routers + b];
            most = has_nodes(g, b) && hops > most ? hops : most;
        }
        if (most < least) {
            least = most;
            root = a;
        }
    }
    return root;
}

/* Rank by distance from the root, then by number. */
static void rank_routers(struct making *m)
{
    const struct ec_graph *g = m->g;
    const uint16_t *hops = &g->distance[(size_t)find_root(g) * g->routers];
    uint32_t next = 0;
    for (unsigned depth = 0; next < g->routers && depth <= UINT16_MAX; depth++) {
        if (depth > g->routers) /* routers without any path */
            depth = UINT16_MAX;
        for (uint32_t router = 0; router < g->routers; router++) {
            if (hops[router] != depth)
                continue;
            m->rank[router] = next;
            m->order[next++] = router;
        }
    }
}

/* The fewest links of `of` at the routers on one side of a router, plus one; NEVER: there are none.
 */
static uint32_t best_behind(const struct making *m, uint32_t router, bool below, const uint32_t *of)
{
    const struct ec_graph *g = m->g;
    uint32_t best = NEVER;
    for (unsigned link = 0; link < g->links; link++) {
        const uint32_t far = g->far[(size_t)router * g->links + link];
        if (far != EC_NONE && (m->rank[far] > m->rank[router]) == below && of[far] != NEVER &&
            of[far] + 1 < best)
            best = of[far] + 1;
    }
    return best;
}

/* The lengths of all paths to a router. Up/down routing: a path leads down as soon as it can, so
 * that no link up follows a link down, whichever path a word came on. */
static void measure(struct making *m, uint32_t to)
{
    const struct ec_graph *g = m->g;
    for (uint32_t router = 0; !m->updown && router < g->routers; router++) {
        const uint16_t hops = g->distance[(size_t)to * g->routers + router];
        m->length[router] = hops == UINT16_MAX ? NEVER : hops;
    }
    if (!m->updown)
        return;
    for (uint32_t i = g->routers; i-- > 0;) {
        const uint32_t router = m->order[i];
        m->down[router] = router == to ? 0 : best_behind(m, router, true, m->down);
    }
    for (uint32_t i = 0; i < g->routers; i++) {
        const uint32_t router = m->order[i];
        m->length[router] =
            m->down[router] != NEVER ? m->down[router] : best_behind(m, router, false, m->length);
    }
}

/* Is the router at the other end the next one of a path? */
static bool is_next(const struct making *m, uint32_t router, uint32_t far)
{
    if (far == EC_NONE || m->length[far] == NEVER || m->length[far] + 1 != m->length[router])
        return false;
    if (!m->updown)
        return true;
    const bool down = m->down[router] != NEVER;
    return (m->rank[far] > m->rank[router]) == down && (!down || m->down[far] != NEVER);
}

/* The entries of a router for the nodes of another one. Of c links that are equally good, number
 * (d / c^l) mod c leads to node d, where l is the level of the router. In a fat tree, paths to the
 * nodes of one switch so spread over all switches above it. */
static void fill_entries(struct making *m, uint32_t router, uint32_t to)
{
    const struct ec_graph *g = m->g;
    uint8_t next[EC_DIMS_MAX];
    unsigned count = 0;
    for (unsigned link = 0; link < g->links; link++) {
        if (is_next(m, router, g->far[(size_t)router * g->links + link]))
            next[count++] = (uint8_t)link;
    }
    for (uint32_t node = g->first_node[to]; node < g->first_node[to + 1]; node++) {
        uint8_t *const entry = &m->table->port[(size_t)router * g->nodes + node];
        uint32_t number = node;
        for (unsigned l = 0; l < m->level[router] && count > 1; l++)
            number /= count;
        if (router == to)
            *entry = (uint8_t)(g->links + node - g->first_node[to]);
        else if (count > 0)
            *entry = next[number % count];
    }
}

/* One link to the router with the global link to the group, this link, and one link there. Class 1
 * in the group of the destination, so that it comes after class 0 only. */
static void fill_dragonfly(struct ec_table *table, const struct ec_graph *g)
{
    const unsigned a = g->size[1], h = g->size[2];
    const uint32_t groups = g->routers / a;
    for (uint32_t router = 0; router < g->routers; router++) {
        const uint32_t group = router / a, own = router % a;
        for (uint32_t node = 0; node < g->nodes; node++) {
            const uint32_t to = g->router_of[node], c = (to / a + groups - group - 1) % groups;
            const bool here = to / a == group;
            const uint32_t way = here ? to % a : c / h; /* the router of this group to go to */
            const size_t at = (size_t)router * g->nodes + node;
            table->port[at] = (uint8_t)(router == to ? g->links + node - g->first_node[to]
                                        : way == own ? a - 1 + c % h
                                                     : way - (way > own));
            if (table->class_)
                table->class_[at] = here && router != to;
        }
    }
}

enum ec_code ec_table_fill_graph(struct ec_table *table, const struct ec_topology *t, bool updown,
                                 struct ec_error *reterr)
{
    const struct ec_graph *g = t->graph;
    const size_t entries = (size_t)table->routers * table->nodes;
    memset(table->port, EC_TABLE_NONE, entries);
    if (table->class_)
        memset(table->class_, 0, entries);
    if (t->kind == EC_DRAGONFLY && !updown) {
        fill_dragonfly(table, g);
        return EC_OK;
    }
    uint32_t *const words = malloc((size_t)g->routers * 4 * sizeof *words);
    struct making m = {.g = g, .table = table, .updown = updown, .level = malloc(g->routers)};
    const bool good = words && m.level;
    if (good) {
        m.rank = words;
        m.order = words + g->routers;
        m.down = words + 2 * (size_t)g->routers;
        m.length = words + 3 * (size_t)g->routers;
        set_levels(&m);
        rank_routers(&m);
    }
    for (uint32_t to = 0; good && to < g->routers; to++) {
        if (!has_nodes(g, to))
            continue;
        measure(&m, to);
        for (uint32_t router = 0; router < g->routers; router++)
            fill_entries(&m, router, to);
    }
    free(m.level);
    free(words);
    return good ? EC_OK
                : ec_fail(reterr, EC_MEMORY, "out of memory for a routing table of %u routers",
                          g->routers);
}
