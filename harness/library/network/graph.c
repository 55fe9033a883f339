/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: fat trees, dragonflies, and what follows from the links of any graph. Must not know
 * routing. */
#include "network/graph.h"

#include <stdlib.h>
#include <string.h>

/* --- Making ----------------------------------------------------------------------------------- */

static enum ec_code no_memory(uint32_t routers, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for a graph of %u routers", routers);
}

enum ec_code graph_maker_open(struct graph_maker *m, uint32_t routers, struct ec_error *reterr)
{
    const size_t ports = (size_t)routers * EC_DIMS_MAX;

    *m = (struct graph_maker){.routers = routers};
    m->far = malloc(ports * sizeof *m->far);
    m->back = calloc(ports, 1);
    m->delay = calloc(ports, 1);
    m->nodes = calloc(routers, sizeof *m->nodes);
    if (!m->far || !m->back || !m->delay || !m->nodes)
        return no_memory(routers, reterr);
    for (size_t i = 0; i < ports; i++)
        m->far[i] = EC_NONE;
    return EC_OK;
}

void graph_maker_close(struct graph_maker *m)
{
    free(m->far);
    free(m->back);
    free(m->delay);
    free(m->nodes);
    *m = (struct graph_maker){0};
}

void graph_connect(struct graph_maker *m, struct graph_end a, struct graph_end b, unsigned delay)
{
    const size_t x = (size_t)a.router * EC_DIMS_MAX + a.port,
                 y = (size_t)b.router * EC_DIMS_MAX + b.port;

    m->far[x] = b.router;
    m->back[x] = (uint8_t)b.port;
    m->far[y] = a.router;
    m->back[y] = (uint8_t)a.port;
    m->delay[x] = m->delay[y] = (uint8_t)delay;
}

/* --- Generators ------------------------------------------------------------------------------- */

/* The numbers of "4" or "2,4,2"; false: another text. */
static bool read_sizes(struct ec_slice text, unsigned count, unsigned *size)
{
    struct ec_slice part;
    uint64_t number;
    unsigned k = 0;

    while (ec_slice_take(&text, ',', &part)) {
        if (k == count || !ec_slice_number(part, GRAPH_NODES_MAX, &number) || number == 0)
            return false;
        size[k++] = (unsigned)number;
    }
    return k == count;
}

/* K pods of K/2 edge switches with K/2 nodes each, and K/2 switches above them; K*K/4 core switches
 * (Al-Fares, Loukissas and Vahdat 2008). Edge switches come first, so that the nodes are numbered
 * by pod, edge switch and place. Links lead down first, then up; those of an edge switch only up.
 */
static enum ec_code make_fattree(const char *text, const unsigned *size, struct graph_maker *m,
                                 struct ec_error *reterr)
{
    const unsigned k = size[0], half = k / 2;

    if (k % 2 || k < 2 || k > EC_DIMS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "topology '%.100s': expected fattree:K, K even and from 2 to %u", text,
                       EC_DIMS_MAX);
    const enum ec_code code = graph_maker_open(m, k * k + half * half, reterr);
    if (code)
        return code;
    for (unsigned pod = 0; pod < k; pod++) {
        for (unsigned i = 0; i < half; i++) {
            const uint32_t edge = pod * half + i, upper = k * half + pod * half + i;
            m->nodes[edge] = half;
            for (unsigned j = 0; j < half; j++) {
                const struct graph_end over = {k * half + pod * half + j, i},
                                       core = {k * k + i * half + j, pod};
                graph_connect(m, (struct graph_end){edge, j}, over, 1);
                graph_connect(m, (struct graph_end){upper, half + j}, core, 1);
            }
        }
    }
    return EC_OK;
}

/* G = A H + 1 groups of A routers with P nodes and H global links each; all routers of a group are
 * connected, and every pair of groups by one link (Kim, Dally, Scott and Abts 2008). Global link c
 * of a group, number c mod H of router c / H, leads c + 1 groups further. The links within the
 * group come first. */
static enum ec_code make_dragonfly(const char *text, const unsigned *size, struct graph_maker *m,
                                   struct ec_error *reterr)
{
    const unsigned p = size[0], a = size[1], h = size[2];
    const uint64_t groups = (uint64_t)a * h + 1, routers = groups * a;

    if (a > EC_DIMS_MAX || h > EC_DIMS_MAX || a - 1 + h > EC_DIMS_MAX ||
        routers > GRAPH_ROUTERS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "topology '%.100s': expected dragonfly:P,A,H with A - 1 + H at most %u "
                       "links of a router and A (A H + 1) at most %u routers",
                       text, EC_DIMS_MAX, GRAPH_ROUTERS_MAX);
    const enum ec_code code = graph_maker_open(m, (uint32_t)routers, reterr);
    if (code)
        return code;
    for (uint32_t router = 0; router < routers; router++) {
        const uint32_t group = router / a, i = router % a;
        m->nodes[router] = p;
        for (unsigned j = i + 1; j < a; j++)
            graph_connect(m, (struct graph_end){router, j - 1},
                          (struct graph_end){group * a + j, i}, 1);
        for (unsigned j = 0; j < h; j++) {
            const uint32_t c = i * h + j, back = a * h - 1 - c,
                           other = (group + c + 1) % (uint32_t)groups;
            graph_connect(m, (struct graph_end){router, a - 1 + j},
                          (struct graph_end){other * a + back / h, a - 1 + back % h}, 1);
        }
    }
    return EC_OK;
}

/* --- What follows from the links -------------------------------------------------------------- */

static bool number_nodes(struct ec_graph *g, const struct graph_maker *m)
{
    g->first_node = malloc(((size_t)g->routers + 1) * sizeof *g->first_node);
    if (!g->first_node)
        return false;
    g->first_node[0] = 0;
    for (uint32_t router = 0; router < g->routers; router++) {
        g->first_node[router + 1] = g->first_node[router] + m->nodes[router];
        g->locals = m->nodes[router] > g->locals ? m->nodes[router] : g->locals;
    }
    g->nodes = g->first_node[g->routers];
    g->router_of = malloc((g->nodes ? g->nodes : 1) * sizeof *g->router_of);
    for (uint32_t router = 0; g->router_of && router < g->routers; router++) {
        for (uint32_t node = g->first_node[router]; node < g->first_node[router + 1]; node++)
            g->router_of[node] = router;
    }
    return g->router_of != NULL;
}

/* The links of all routers, as many of each as the router with most has. */
static bool copy_links(struct ec_graph *g, const struct graph_maker *m)
{
    const size_t ports = (size_t)g->routers * EC_DIMS_MAX;

    g->links = 1; /* routers have a link port, even if it leads nowhere */
    for (size_t i = 0; i < ports; i++) {
        const unsigned link = (unsigned)(i % EC_DIMS_MAX);
        if (m->far[i] != EC_NONE && link >= g->links)
            g->links = link + 1;
    }
    const size_t links = (size_t)g->routers * g->links;
    g->far = malloc(links * sizeof *g->far);
    g->back = malloc(links);
    g->delays = calloc(links, 1);
    if (!g->far || !g->back || !g->delays)
        return false;
    g->least = UINT8_MAX;
    for (size_t i = 0; i < links; i++) {
        const size_t from = i / g->links * EC_DIMS_MAX + i % g->links;
        g->far[i] = m->far[from];
        g->back[i] = m->back[from];
        g->delays[i] = m->delay[from];
        if (g->far[i] == EC_NONE)
            continue;
        g->delay = g->delay > m->delay[from] ? g->delay : m->delay[from];
        g->least = g->least < m->delay[from] ? g->least : m->delay[from];
    }
    g->delay = g->delay ? g->delay : 1;
    if (g->least >= g->delay) {
        free(g->delays);
        g->delays = NULL;
    }
    return true;
}

/* Distances from one router, breadth first. `queue` has room for all routers. */
static void measure_from(struct ec_graph *g, uint32_t router, uint32_t *queue)
{
    uint16_t *const hops = &g->distance[(size_t)router * g->routers];
    uint32_t first = 0, last = 0;

    hops[router] = 0;
    queue[last++] = router;
    while (first < last) {
        const uint32_t at = queue[first++];
        for (unsigned link = 0; link < g->links; link++) {
            const uint32_t far = g->far[(size_t)at * g->links + link];
            if (far == EC_NONE || hops[far] != UINT16_MAX)
                continue;
            hops[far] = (uint16_t)(hops[at] + 1);
            queue[last++] = far;
        }
    }
}

static enum ec_code measure(struct ec_graph *g, const char *text, struct ec_error *reterr)
{
    const size_t pairs = (size_t)g->routers * g->routers;
    uint32_t *const queue = malloc(g->routers * sizeof *queue);

    g->distance = malloc(pairs * sizeof *g->distance);
    if (!g->distance || !queue) {
        free(queue);
        return no_memory(g->routers, reterr);
    }
    memset(g->distance, 0xff, pairs * sizeof *g->distance);
    for (uint32_t router = 0; router < g->routers; router++)
        measure_from(g, router, queue);
    free(queue);
    const uint32_t first = g->router_of[0];
    for (uint32_t a = 0; a < g->routers; a++) {
        const bool ends = g->first_node[a] < g->first_node[a + 1];
        if (ends && g->distance[(size_t)first * g->routers + a] == UINT16_MAX)
            return ec_fail(reterr, EC_USAGE,
                           "topology '%.200s': no path leads from node 0 at router %u to node %u "
                           "at router %u: expected links between them",
                           text, first, g->first_node[a], a);
        for (uint32_t b = 0; ends && b < g->routers; b++) {
            const unsigned hops = g->distance[(size_t)a * g->routers + b];
            if (g->first_node[b] < g->first_node[b + 1] && hops > g->diameter)
                g->diameter = hops;
        }
    }
    return EC_OK;
}

static enum ec_code finish(struct ec_graph *g, const char *text, const struct graph_maker *m,
                           struct ec_error *reterr)
{
    g->routers = m->routers;
    if (!number_nodes(g, m) || !copy_links(g, m))
        return no_memory(g->routers, reterr);
    if (g->nodes < 2 || g->nodes > GRAPH_NODES_MAX)
        return ec_fail(reterr, EC_USAGE, "topology '%.200s' has %u node%s: expected 2 to %u", text,
                       g->nodes, g->nodes == 1 ? "" : "s", GRAPH_NODES_MAX);
    return measure(g, text, reterr);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static enum ec_code make(enum ec_topology_kind kind, const char *text, struct ec_slice size,
                         struct ec_graph *g, struct graph_maker *m, struct ec_error *reterr)
{
    static const char file[] = "file=";

    if (kind == EC_GRAPH) {
        if (size.length <= strlen(file) || strncmp(size.at, file, strlen(file)) != 0)
            return ec_fail(reterr, EC_USAGE, "topology '%.200s': expected graph:file=NAME", text);
        return graph_read(size.at + strlen(file), m, reterr);
    }
    if (!read_sizes(size, kind == EC_FATTREE ? 1 : 3, g->size))
        return ec_fail(reterr, EC_USAGE, "topology '%.100s': expected %s", text,
                       kind == EC_FATTREE ? "fattree:K, K switch ports"
                                          : "dragonfly:P,A,H, nodes of a router, routers of a "
                                            "group and global links of a router");
    return kind == EC_FATTREE ? make_fattree(text, g->size, m, reterr)
                              : make_dragonfly(text, g->size, m, reterr);
}

enum ec_code graph_open(enum ec_topology_kind kind, const char *text, struct ec_slice size,
                        struct ec_graph **ret, struct ec_error *reterr)
{
    struct graph_maker m = {0};
    struct ec_graph *g = calloc(1, sizeof *g);
    if (!g)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a graph");
    enum ec_code code = EC_OK;
    if ((size_t)snprintf(g->name, sizeof g->name, "%s", text) >= sizeof g->name)
        code = ec_fail(reterr, EC_USAGE,
                       "topology '%.40s...': expected a name of at most %zu "
                       "characters",
                       text, sizeof g->name - 1);
    if (code == EC_OK)
        code = make(kind, text, size, g, &m, reterr);
    if (code == EC_OK)
        code = finish(g, text, &m, reterr);
    graph_maker_close(&m);
    if (code == EC_OK)
        *ret = g;
    else
        graph_close(g);
    return code;
}

void graph_close(struct ec_graph *g)
{
    if (!g)
        return;
    free(g->far);
    free(g->back);
    free(g->delays);
    free(g->first_node);
    free(g->router_of);
    free(g->distance);
    free(g);
}
