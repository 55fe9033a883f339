/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of a network: ranges of labels, blocks of a grid of parts.
 * Must not know routers, runs, threads or ranks. */
#include "ecube/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* The first of `nodes` positions that belongs to part `part` of `parts` equal ones. */
static uint32_t bound(uint32_t nodes, uint32_t parts, uint32_t part)
{
    return (uint32_t)((uint64_t)nodes * part / parts);
}

/* --- Ranges of labels ------------------------------------------------------------------------- */

static void cut_ranges(struct ec_partition *p)
{
    for (uint32_t k = 0; k < p->parts; k++) {
        const uint32_t end = bound(p->nodes, p->parts, k + 1);
        for (uint32_t x = bound(p->nodes, p->parts, k); x < end; x++)
            p->part_of[x] = k;
    }
}

/* --- Blocks of a grid ------------------------------------------------------------------------- */

struct grid {
    uint32_t parts[EC_DIMS_MAX]; /* of every dimension */
    uint64_t channels;           /* between the blocks */
};

/* All channels between two planes of nodes, in both directions, at every border of a block. */
static uint64_t grid_channels(const struct ec_topology *t, const uint32_t *parts)
{
    uint64_t channels = 0;

    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t borders = t->wrap[d] && parts[d] > 1 ? parts[d] : parts[d] - 1;
        channels += 2 * (uint64_t)borders * (t->nodes / t->radix[d]);
    }
    return channels;
}

/* Complete the grid `now`, whose blocks have at most `block` nodes in the dimensions below `dim`,
 * in all ways that make `parts` more of it; `best` becomes the one with the fewest channels among
 * those whose blocks have at most `most` nodes. Among equals, the one that cuts high dimensions
 * wins: its blocks are contiguous in memory. */
static void try_grids(const struct ec_topology *t, uint32_t parts, uint32_t most, unsigned dim,
                      uint64_t block, struct grid *now, struct grid *best)
{
    if (dim == t->dims) {
        now->channels = grid_channels(t, now->parts);
        if (parts == 1 && block <= most && now->channels < best->channels)
            *best = *now;
        return;
    }
    for (uint32_t p = 1; p <= parts && p <= t->radix[dim]; p++) {
        if (parts % p != 0)
            continue;
        now->parts[dim] = p;
        try_grids(t, parts / p, most, dim + 1, block * ((t->radix[dim] + p - 1) / p), now, best);
    }
}

/* False: every grid has a block with more than its share of nodes. */
static bool cut_grid(const struct ec_topology *t, struct ec_partition *p)
{
    struct grid now, best = {.channels = UINT64_MAX};

    try_grids(t, p->parts, (p->nodes + p->parts - 1) / p->parts, 0, 1, &now, &best);
    if (best.channels == UINT64_MAX)
        return false;
    for (uint32_t x = 0; x < p->nodes; x++) {
        uint32_t part = 0;
        for (unsigned d = t->dims; d-- > 0;) {
            const uint64_t ahead = ec_topology_coord(t, x, d) + UINT64_C(1);
            part = part * best.parts[d] + (uint32_t)((ahead * best.parts[d] - 1) / t->radix[d]);
        }
        p->part_of[x] = part;
    }
    return true;
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void list_nodes(struct ec_partition *p)
{
    for (uint32_t x = 0; x < p->nodes; x++)
        p->first[p->part_of[x] + 1]++;
    for (uint32_t k = 0; k < p->parts; k++)
        p->first[k + 1] += p->first[k];
    /* first[k] counts up to first[k + 1], so the array is shifted by one part afterwards. */
    for (uint32_t x = 0; x < p->nodes; x++)
        p->node[p->first[p->part_of[x]]++] = x;
    for (uint32_t k = p->parts; k > 0; k--)
        p->first[k] = p->first[k - 1];
    p->first[0] = 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The neighbours of all parts. `seen` has one entry per part. False: out of memory. */
static bool list_neighbours(const struct ec_topology *t, struct ec_partition *p, uint32_t *seen)
{
    size_t count = 0, room = 0;

    if (!ec_list_room(&p->neighbour, sizeof *p->neighbour, count, &room)) /* a list, if empty */
        return false;
    for (uint32_t k = 0; k < p->parts; k++)
        seen[k] = EC_NONE;
    for (uint32_t k = 0; k < p->parts; k++) {
        const size_t first = count;
        for (uint32_t i = p->first[k]; i < p->first[k + 1]; i++) {
            for (unsigned l = 0; l < ec_topology_links(t); l++) {
                const uint32_t y = ec_topology_neighbor(t, p->node[i], l);
                const uint32_t other = y == EC_NONE ? k : p->part_of[y];
                if (other == k || seen[other] == k)
                    continue;
                seen[other] = k;
                if (!EC_LIST_PUSH(p->neighbour, count, room, other))
                    return false;
            }
        }
        qsort(p->neighbour + first, count - first, sizeof *p->neighbour, by_number);
        p->first_neighbour[k + 1] = (uint32_t)count;
    }
    return true;
}

/* --- Partitions ------------------------------------------------------------------------------- */

static enum ec_code check_parts(const struct ec_topology *t, uint32_t parts,
                                struct ec_error *reterr)
{
    const uint32_t units = t->routers < t->nodes ? t->routers : t->nodes;
    const uint32_t most = units < EC_PARTITION_MAX ? units : EC_PARTITION_MAX;

    if (parts >= 1 && parts <= most)
        return EC_OK;
    char name[160];
    ec_topology_format(t, name, sizeof name);
    return ec_fail(reterr, EC_USAGE,
                   "cannot split %s (%u %s) into %u parts: expected 1 to %u parts", name, units,
                   units < t->nodes ? "routers" : "nodes", parts, most);
}

/* Nothing is cut yet. NULL: out of memory. */
static struct ec_partition *new_partition(uint32_t parts, uint32_t nodes)
{
    struct ec_partition *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct ec_partition){.parts = parts, .nodes = nodes, .routers = p};
    p->part_of = malloc(nodes * sizeof *p->part_of);
    p->node = malloc(nodes * sizeof *p->node);
    p->first = calloc((size_t)parts + 1, sizeof *p->first);
    p->first_neighbour = calloc((size_t)parts + 1, sizeof *p->first_neighbour);
    if (p->part_of && p->node && p->first && p->first_neighbour)
        return p;
    ec_partition_close(p);
    return NULL;
}

/* Nodes and routers are the same. False: out of memory. */
static bool cut(const struct ec_topology *t, struct ec_partition *p)
{
    uint32_t *const seen = malloc(p->parts * sizeof *seen);
    if (t->graph || t->kind == EC_CUBE || !cut_grid(t, p))
        cut_ranges(p);
    list_nodes(p);
    const bool good = seen && list_neighbours(t, p, seen);
    free(seen);
    return good;
}

/* The nodes of the routers of each part, which are cut. */
static void follow_routers(const struct ec_topology *t, struct ec_partition *p)
{
    for (uint32_t node = 0; node < p->nodes; node++)
        p->part_of[node] = p->routers->part_of[ec_topology_router(t, node)];
    list_nodes(p);
    memcpy(p->first_neighbour, p->routers->first_neighbour,
           ((size_t)p->parts + 1) * sizeof *p->first_neighbour);
    p->neighbour = p->routers->neighbour;
}

enum ec_code ec_partition_open(const struct ec_topology *t, uint32_t parts,
                               struct ec_partition **ret, struct ec_error *reterr)
{
    const enum ec_code code = check_parts(t, parts, reterr);
    if (code != EC_OK)
        return code;
    struct ec_partition *p = new_partition(parts, t->nodes);
    if (p && t->graph)
        p->routers = new_partition(parts, t->routers);
    if (p && p->routers && cut(t, p->routers)) {
        if (t->graph)
            follow_routers(t, p);
        *ret = p;
        return EC_OK;
    }
    ec_partition_close(p);
    return ec_fail(reterr, EC_MEMORY, "out of memory for a partition of %u nodes", t->nodes);
}

void ec_partition_close(struct ec_partition *p)
{
    if (!p)
        return;
    if (p->routers != p)
        ec_partition_close(p->routers);
    else
        free(p->neighbour);
    free(p->part_of);
    free(p->node);
    free(p->first);
    free(p->first_neighbour);
    free(p);
}
