/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies: grammar, coordinates and links. Must not know routing, routers or RTL, whose limits
 * ec_shape_choose() checks. */
#include "ecube/topology.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyvalue.h"
#include "base/text.h"
#include "network/graph.h"

static const char *const kind_names[] = {"ring",    "mesh",      "torus", "cube",
                                         "fattree", "dragonfly", "graph", NULL};
static const char *const kind_forms[] = {"ring:N",         "mesh:AxB[xC...]", "torus:AxB[xC...]",
                                         "cube:D",         "fattree:K",       "dragonfly:P,A,H",
                                         "graph:file=NAME"};
static const char *const kind_sizes[] = {"N", "each", "each", "D"};

/* Fill in what follows from kind, dims and radix[]. False: too many nodes. */
static bool set_derived(struct ec_topology *t)
{
    uint64_t nodes = 1;

    t->links_per_dim = t->kind == EC_CUBE ? 1 : 2;
    t->address_bits = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        t->wrap[d] = (t->kind == EC_RING || t->kind == EC_TORUS) && t->radix[d] > 2;
        t->stride[d] = (uint32_t)nodes;
        nodes *= t->radix[d];
        if (nodes > EC_NODES_MAX)
            return false;
        while (UINT32_C(1) << t->bits[d] < t->radix[d])
            t->bits[d]++;
        t->shift[d] = t->address_bits;
        t->address_bits += t->bits[d];
    }
    t->nodes = t->routers = (uint32_t)nodes;
    return true;
}

/* Names that other simulators use. */
static const struct {
    const char *alias;
    enum ec_topology_kind kind;
} aliases[] = {{"grid", EC_MESH}, {"hypercube", EC_CUBE}, {"ncube", EC_CUBE}};

/* "torus:8x8" for "torus:8,8", "torus8x8" or "torus-8x8": a name and numbers that are a topology
 * once the separators are right. "; did you mean ...?", or "". */
static const char *respell(const char *text, char *hint, size_t size)
{
    struct ec_topology t;
    char spelt[80];
    size_t used = 0, letters = 0;

    hint[0] = '\0';
    while (isalpha((unsigned char)text[letters]))
        letters++;
    struct ec_slice name = {text, letters};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (ec_slice_is(name, aliases[i].alias))
            name = ec_slice_of(kind_names[aliases[i].kind]);
    }
    if (strlen(text) + name.length + 2 > sizeof spelt)
        return hint;
    for (; used < name.length; used++)
        spelt[used] = (char)tolower((unsigned char)name.at[used]);
    const size_t begin = used;
    for (const char *c = text + letters; *c; c++) {
        if (!isdigit((unsigned char)*c))
            continue;
        if (used == begin || !isdigit((unsigned char)c[-1])) {
            spelt[used] = used == begin ? ':' : 'x';
            used++;
        }
        spelt[used++] = *c;
    }
    spelt[used] = '\0';
    if (strcmp(spelt, text) != 0 && ec_topology_parse(spelt, &t, NULL) == EC_OK)
        snprintf(hint, size, "; did you mean '%s'?", spelt);
    return hint;
}

static enum ec_code bad_size(const char *text, const struct ec_topology *t, struct ec_slice size,
                             uint32_t most, struct ec_error *reterr)
{
    char hint[120] = "";
    if (reterr)
        respell(text, hint, sizeof hint);
    return ec_fail(reterr, EC_USAGE,
                   "topology '%.100s': size '%.*s': expected %s, %s from 1 to %u%s", text,
                   EC_SHOWN(size), kind_forms[t->kind], kind_sizes[t->kind], most, hint);
}

static enum ec_code parse_cube(const char *text, struct ec_slice size, struct ec_topology *t,
                               struct ec_error *reterr)
{
    uint64_t dims;

    if (!ec_slice_number(size, EC_DIMS_MAX, &dims) || dims == 0)
        return bad_size(text, t, size, EC_DIMS_MAX, reterr);
    t->dims = (unsigned)dims;
    for (unsigned d = 0; d < t->dims; d++)
        t->radix[d] = 2;
    return EC_OK;
}

static enum ec_code parse_radices(const char *text, struct ec_slice sizes, struct ec_topology *t,
                                  struct ec_error *reterr)
{
    const unsigned most = t->kind == EC_RING ? 1 : EC_DIMS_MAX;
    struct ec_slice size;

    while (ec_slice_take(&sizes, 'x', &size)) {
        uint64_t radix;
        if (!ec_slice_number(size, EC_NODES_MAX, &radix) || radix == 0)
            return bad_size(text, t, size, EC_NODES_MAX, reterr);
        if (t->dims == most)
            return ec_fail(reterr, EC_USAGE, "topology '%.100s' has more than %u %s", text, most,
                           most == 1 ? "dimension: expected ring:N (mesh and torus have more)"
                                     : "dimensions");
        t->radix[t->dims++] = (uint32_t)radix;
    }
    return EC_OK;
}

/* A graph has the dimensions of a cube with as many links. */
static void take_graph(struct ec_topology *t, const struct ec_graph *g)
{
    t->graph = g;
    t->dims = g->links;
    t->links_per_dim = 1;
    t->nodes = g->nodes;
    t->routers = g->routers;
    for (unsigned d = 0; d < t->dims; d++)
        t->radix[d] = 2;
    while (UINT32_C(1) << t->address_bits < t->nodes)
        t->address_bits++;
    t->bits[0] = t->address_bits;
}

static enum ec_code open_kind(const char *text, struct ec_topology *t, struct ec_slice size,
                              bool graphs, struct ec_error *reterr)
{
    struct ec_graph *graph;
    if (t->kind < EC_FATTREE)
        return t->kind == EC_CUBE ? parse_cube(text, size, t, reterr)
                                  : parse_radices(text, size, t, reterr);
    if (!graphs)
        return ec_fail(reterr, EC_USAGE,
                       "topology '%.100s' is a graph: expected ring, mesh, torus or cube here",
                       text);
    const enum ec_code code = graph_open(t->kind, text, size, &graph, reterr);
    if (code == EC_OK) {
        graph->users = 1;
        take_graph(t, graph);
    }
    return code;
}

static enum ec_code read_topology(const char *text, bool graphs, struct ec_topology *ret,
                                  struct ec_error *reterr)
{
    struct ec_topology t = {0};
    struct ec_slice rest = ec_slice_of(text), name;
    char hint[120];
    int kind = 0;

    ec_slice_take(&rest, ':', &name);
    while (kind_names[kind] && !ec_slice_is(name, kind_names[kind]))
        kind++;
    if (!kind_names[kind] && reterr && *respell(text, hint, sizeof hint))
        return ec_fail(reterr, EC_USAGE,
                       "unknown topology '%.*s': expected ring, mesh, torus, cube, fattree, "
                       "dragonfly or graph%s",
                       EC_SHOWN(name), hint);
    if (!kind_names[kind])
        return ec_keyvalue_unknown("topology", name, kind_names, NULL, reterr);
    t.kind = (enum ec_topology_kind)kind;
    if (!rest.at || rest.length == 0)
        return ec_fail(reterr, EC_USAGE, "topology '%.100s' has no size: expected %s", text,
                       kind_forms[kind]);
    const enum ec_code code = open_kind(text, &t, rest, graphs, reterr);
    if (code)
        return code;
    if (!t.graph && (!set_derived(&t) || t.nodes < 2))
        return ec_fail(reterr, EC_USAGE, "topology '%.100s' has %s: expected 2 to %u nodes", text,
                       t.nodes == 1 ? "1 node" : "too many nodes", EC_NODES_MAX);
    *ret = t;
    return EC_OK;
}

enum ec_code ec_topology_parse(const char *text, struct ec_topology *ret, struct ec_error *reterr)
{
    return read_topology(text, false, ret, reterr);
}

enum ec_code ec_topology_open(const char *text, struct ec_topology *ret, struct ec_error *reterr)
{
    return read_topology(text, true, ret, reterr);
}

struct ec_topology ec_topology_flat(const struct ec_topology *t)
{
    struct ec_topology flat = *t;
    if (t->graph) {
        flat.dims = 1;
        flat.radix[0] = t->routers;
        flat.stride[0] = 1;
    }
    return flat;
}

void ec_topology_close(struct ec_topology *t)
{
    struct ec_graph *const graph = (struct ec_graph *)t->graph;
    if (graph && --graph->users == 0)
        graph_close(graph);
    t->graph = NULL;
}

struct ec_topology ec_topology_share(const struct ec_topology *t)
{
    struct ec_graph *const graph = (struct ec_graph *)t->graph;
    if (graph)
        graph->users++;
    return *t;
}

void ec_topology_format(const struct ec_topology *t, char *buffer, size_t size)
{
    if (t->graph) {
        snprintf(buffer, size, "%s", t->graph->name);
        return;
    }
    if (t->kind == EC_CUBE) {
        snprintf(buffer, size, "cube:%u", t->dims);
        return;
    }
    snprintf(buffer, size, "%s", kind_names[t->kind]);
    for (unsigned d = 0; d < t->dims; d++)
        ec_append(buffer, size, "%c%u", d ? 'x' : ':', t->radix[d]);
}

uint32_t ec_topology_neighbor(const struct ec_topology *t, uint32_t node, unsigned link)
{
    if (t->graph)
        return t->graph->far[(size_t)node * t->graph->links + link];
    if (t->links_per_dim == 1)
        return node ^ UINT32_C(1) << link;

    unsigned dim = link / 2;
    bool down = link % 2;
    uint32_t radix = t->radix[dim], stride = t->stride[dim];
    uint32_t coord = ec_topology_coord(t, node, dim);

    if (radix == 1 || (radix == 2 && down))
        return EC_NONE;
    if (radix == 2)
        return coord ? node - stride : node + stride;
    if (down ? coord > 0 : coord + 1 < radix)
        return down ? node - stride : node + stride;
    if (!t->wrap[dim])
        return EC_NONE;
    return down ? node + (radix - 1) * stride : node - (radix - 1) * stride;
}

unsigned ec_topology_back(const struct ec_topology *t, uint32_t node, unsigned link)
{
    return t->graph ? t->graph->back[(size_t)node * t->graph->links + link]
                    : ec_topology_reverse(t, link);
}

unsigned ec_topology_reverse(const struct ec_topology *t, unsigned link)
{
    return t->links_per_dim == 1 || t->radix[link / 2] == 2 ? link : link ^ 1;
}

uint32_t ec_topology_address(const struct ec_topology *t, uint32_t node)
{
    uint32_t address = 0;

    if (t->graph)
        return node;
    for (unsigned d = 0; d < t->dims; d++) {
        address |= node % t->radix[d] << t->shift[d];
        node /= t->radix[d];
    }
    return address;
}

uint32_t ec_topology_node(const struct ec_topology *t, uint32_t address)
{
    uint32_t node = 0;

    if (t->address_bits < 32 && address >> t->address_bits)
        return EC_NONE;
    if (t->graph)
        return address < t->nodes ? address : EC_NONE;
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t coord = address >> t->shift[d] & ((UINT32_C(1) << t->bits[d]) - 1);
        if (coord >= t->radix[d])
            return EC_NONE;
        node += coord * t->stride[d];
    }
    return node;
}

unsigned ec_topology_diameter(const struct ec_topology *t)
{
    unsigned diameter = 0;

    if (t->graph)
        return t->graph->diameter;
    for (unsigned d = 0; d < t->dims; d++)
        diameter += t->wrap[d] ? t->radix[d] / 2 : t->radix[d] - 1;
    return diameter;
}

unsigned ec_topology_distance(const struct ec_topology *t, uint32_t a, uint32_t b)
{
    unsigned hops = 0;

    if (t->graph)
        return t->graph
            ->distance[(size_t)ec_topology_router(t, a) * t->routers + ec_topology_router(t, b)];
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t x = ec_topology_coord(t, a, d), y = ec_topology_coord(t, b, d);
        uint32_t way = x > y ? x - y : y - x;
        if (t->wrap[d] && t->radix[d] - way < way)
            way = t->radix[d] - way;
        hops += way;
    }
    return hops;
}

void ec_topology_node_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size)
{
    char place[EC_DIMS_MAX * 9 + 1] = ""; /* at most 8 digits and a comma per dimension */

    if (t->graph) {
        snprintf(buffer, size, "%u", node);
        return;
    }
    if (t->kind == EC_CUBE) {
        for (unsigned d = t->dims; d-- > 0;)
            ec_append(place, sizeof place, "%u", node >> d & 1);
    } else {
        for (unsigned d = 0; d < t->dims; d++)
            ec_append(place, sizeof place, "%s%u", d ? "," : "", ec_topology_coord(t, node, d));
    }
    if (t->dims == 1) /* the coordinate is the label */
        snprintf(buffer, size, "%u", node);
    else
        snprintf(buffer, size, "%u (%s)", node, place);
}

void ec_topology_link_name(const struct ec_topology *t, unsigned link, char *buffer, size_t size)
{
    char sign = link % 2 ? '-' : '+';

    if (t->links_per_dim == 1)
        snprintf(buffer, size, "%s%u", t->graph ? "port" : "dim", link);
    else if (t->dims <= 3)
        snprintf(buffer, size, "%c%c", sign, "xyz"[link / 2]);
    else
        snprintf(buffer, size, "%cd%u", sign, link / 2);
}
