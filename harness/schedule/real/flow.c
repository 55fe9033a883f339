/* SPDX-License-Identifier: Apache-2.0 */
/* A real cycle by the routes of an optimal flow. Knows which routes share the links of an r-cube
 * best, and which element goes first if two want one link; must not know slots.
 *
 * The rotation of an address by one bit is a multicommodity flow on the r-cube. The table has the
 * routes of an optimal fractional flow for one source of each orbit under rotations and the
 * inversion of all bits, which map cube and traffic onto themselves. Elements take the routes in
 * these shares, so that every link carries little more than the minimum. The elements with the most
 * hops left go first.
 *
 * Each link has a queue of the packets that cross it next, a skew heap: next[i] are the branches of
 * packet i. So the cost of a step depends on what it moves, not on what waits. */
#include <stdlib.h>
#include <string.h>

#include "schedule/real/real.h"

#define ORDER_MAX  5
#define HOPS_MAX   6
#define ROUTES_MAX 40 /* of one source, all images of the routes below */

/* `share` of the elements of `src` cross these dimensions. */
struct route {
    unsigned src, share;
    const char *dims;
};

static const struct route routes[ORDER_MAX + 1][10] = {
    [2] = {{1, 1, "10"}},
    [3] = {{1, 4, "01"}, {1, 2, "10"}, {1, 1, "2012"}},
    [4] = {{1, 7, "01"}, {1, 1, "10"}, {1, 4, "2012"}, {3, 12, "20"}, {5, 12, "3012"}},
    [5] = {{1, 18, "01"},
           {1, 4, "10"},
           {1, 9, "3013"},
           {3, 14, "02"},
           {3, 9, "20"},
           {3, 8, "1201"},
           {5, 10, "0123"},
           {5, 18, "1230"},
           {5, 3, "401234"}},
};

struct way {
    unsigned hops, share;
    uint8_t dim[HOPS_MAX];
};

struct flow {
    struct plan *p;
    struct ec_sdp_cycle c;
    struct mover m;
    uint32_t packets;    /* of a node */
    uint64_t relabel;    /* bits of the cycle that are inverted to match the table */
    struct way *way;     /* [nodes * packets] */
    uint8_t *left;       /* [nodes * packets] hops to go */
    uint32_t (*next)[2]; /* [nodes * packets] the branches in the queue, packet + 1; 0: none */
    uint32_t *queue;     /* [nodes * order] of each link: the first packet + 1; 0: empty */
    uint32_t *moved;     /* [nodes * order] packets of a step */
};

/* The bits of the cycle in an address, as a label of the r-cube of the tables. */
static unsigned label(const struct flow *f, uint64_t address)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < f->c.length; i++)
        bits |= (unsigned)(address >> f->c.dim[i] & 1) << i;
    return bits ^ (unsigned)f->relabel;
}

static unsigned rotate(unsigned bits, unsigned by, unsigned order)
{
    return (bits << by | bits >> (order - by)) & ((1U << order) - 1);
}

/* All ways from a label: every image of a route of the table whose source becomes it. */
static unsigned ways_from(unsigned order, unsigned from, struct way *ret)
{
    unsigned count = 0;

    for (const struct route *r = routes[order]; r->dims; r++) {
        for (unsigned image = 0; image < 2 * order; image++) {
            const unsigned by = image / 2, inverted = image % 2 ? (1U << order) - 1 : 0;
            if ((rotate(r->src, by, order) ^ inverted) != from)
                continue;
            struct way *w = &ret[count++];
            *w = (struct way){.share = r->share};
            for (; w->hops < HOPS_MAX && r->dims[w->hops]; w->hops++)
                w->dim[w->hops] = (uint8_t)(((unsigned)(r->dims[w->hops] - '0') + by) % order);
        }
    }
    return count;
}

/* Packets of a node take the ways in their shares: each one takes the way that is most behind. */
static void choose_ways(struct flow *f, uint32_t node)
{
    struct way ways[ROUTES_MAX];
    uint32_t taken[ROUTES_MAX] = {0};
    struct way *to = &f->way[(size_t)node * f->packets];
    const unsigned from = label(f, (uint64_t)node << f->m.storage);
    const unsigned count = ways_from(f->c.length, from, ways);
    uint64_t all = 0;

    for (unsigned w = 0; w < count; w++)
        all += ways[w].share;
    for (uint32_t i = 0; i < f->packets && count; i++) {
        unsigned best = 0;
        int64_t most = INT64_MIN;
        for (unsigned w = 0; w < count; w++) {
            const int64_t behind =
                (int64_t)((uint64_t)ways[w].share * (i + 1)) - (int64_t)(all * taken[w]);
            if (behind > most) {
                most = behind;
                best = w;
            }
        }
        taken[best]++;
        to[i] = ways[best];
    }
}

/* The first element of packet `i`. */
static uint32_t first_element(const struct flow *f, uint32_t i)
{
    return i / f->packets * f->p->w->per_node + i % f->packets * f->p->block;
}

/* An index into the cycle. */
static unsigned next_dim(const struct flow *f, uint32_t i)
{
    return f->way[i].dim[f->way[i].hops - f->left[i]];
}

/* Most hops left first, then by number. */
static bool before(const struct flow *f, uint32_t x, uint32_t y)
{
    return f->left[x] != f->left[y] ? f->left[x] > f->left[y] : x < y;
}

/* Merge two queues into *ret. */
static void merge_queues(const struct flow *f, uint32_t *ret, uint32_t a, uint32_t b)
{
    while (a && b) {
        if (before(f, b - 1, a - 1)) {
            const uint32_t other = a;
            a = b;
            b = other;
        }
        uint32_t *next = f->next[a - 1];
        *ret = a;
        a = next[1];
        next[1] = next[0];
        ret = &next[0];
    }
    *ret = a ? a : b;
}

/* Packet `i` joins the queue of its next link, unless it has arrived. */
static void enqueue(struct flow *f, uint32_t i)
{
    if (f->left[i] == 0)
        return;
    const uint64_t node = f->m.address[first_element(f, i)] >> f->m.storage;
    uint32_t *queue = &f->queue[node * f->c.length + next_dim(f, i)];

    f->next[i][0] = f->next[i][1] = 0;
    merge_queues(f, queue, *queue, i + 1);
}

static enum ec_code flow_begin(struct flow *f, struct plan *p, struct ec_error *reterr)
{
    *f = (struct flow){.p = p};
    enum ec_code code = real_one_cycle(p, &f->c, reterr);
    if (code)
        return code;
    if (f->c.length > ORDER_MAX || __builtin_parityll(f->c.complement))
        return ec_fail(
            reterr, EC_USAGE,
            "%s: expected a cycle of 2 to %d processor dimensions with an even number of "
            "inversions; %s has %u dimensions, %d of them inverted",
            p->s->algorithm, ORDER_MAX, p->w->text, f->c.length,
            __builtin_popcountll(f->c.complement));
    for (unsigned i = 1; i < f->c.length; i++)
        f->relabel |= ((f->relabel >> (i - 1) ^ f->c.complement >> i) & 1) << i;
    code = mover_open(&f->m, p, 3 * p->w->per_node + 2 * p->block, reterr);
    if (code)
        return code;
    f->packets = real_groups(p->w->per_node, p->block);
    const size_t packets = (size_t)p->w->nodes * f->packets;
    f->way = calloc(packets, sizeof *f->way);
    f->left = calloc(packets, sizeof *f->left);
    const size_t links = (size_t)p->w->nodes * f->c.length;
    f->next = calloc(packets, sizeof *f->next);
    f->queue = calloc(links, sizeof *f->queue);
    f->moved = calloc(links, sizeof *f->moved);
    if (!f->way || !f->left || !f->next || !f->queue || !f->moved)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    for (uint32_t node = 0; node < p->w->nodes; node++)
        choose_ways(f, node);
    for (uint32_t i = 0; i < packets; i++) {
        f->left[i] = (uint8_t)f->way[i].hops;
        enqueue(f, i);
    }
    return EC_OK;
}

/* Packet `i` crosses its next dimension. */
static void extend_path(struct flow *f, uint32_t i)
{
    const uint32_t block = f->p->block, slot = i % f->packets * block;
    const uint32_t left = f->p->w->per_node - slot, count = left < block ? left : block;
    const uint32_t e = first_element(f, i);
    const unsigned dim = f->c.dim[next_dim(f, i)];

    for (uint32_t k = 0; k < count; k++)
        mover_go(&f->m, e + k, f->m.address[e + k] ^ UINT64_C(1) << dim);
    f->left[i]--;
}

/* One step: the first packet of every queue moves and joins the queue of its next link. False: all
 * have arrived. */
static bool take_step(struct flow *f, uint32_t step)
{
    const size_t links = (size_t)f->p->w->nodes * f->c.length;
    size_t count = 0;

    for (size_t link = 0; link < links; link++) {
        uint32_t *queue = &f->queue[link];
        if (!*queue)
            continue;
        const uint32_t i = *queue - 1;
        f->moved[count++] = i;
        merge_queues(f, queue, f->next[i][0], f->next[i][1]);
        extend_path(f, i);
    }
    for (size_t k = 0; k < count; k++)
        enqueue(f, f->moved[k]);
    mover_commit(&f->m, step);
    return count > 0;
}

enum ec_code real_flow(struct plan *p, struct ec_error *reterr)
{
    struct flow f;
    enum ec_code code = flow_begin(&f, p, reterr);

    if (code == EC_OK) {
        for (uint32_t step = 1; take_step(&f, step); step++)
            ;
        code = mover_finish(&f.m, reterr);
    }
    free(f.way);
    free(f.left);
    free(f.next);
    free(f.queue);
    free(f.moved);
    mover_close(&f.m);
    return code;
}
