/* SPDX-License-Identifier: Apache-2.0 */
/* A real cycle by the routes of an optimal flow. Knows which routes share the links of an r-cube
 * best, and which element goes first if two want one link; must not know slots.
 *
 * The routes are those of A1. A letter v, 0 or 1, is put before bit j of the address. It moves once
 * round the cycle: in each of r + 1 moves it changes places with the next bit, which crosses that
 * dimension if the two differ. Every bit is then where its successor was. That makes 2r routes from
 * every node. On a cycle with an odd number of inversions, equal shares of them load all links
 * equally, which is the least possible. Otherwise two nodes send nothing, and the shares depend on
 * the number of ones in the address: docs/study/GSH-REAL.md derives them. The elements with the
 * most hops left go first.
 *
 * Each link has a queue of the packets that cross it next, a skew heap: next[i] are the branches of
 * packet i. So the cost of a step depends on what it moves, not on what waits. */
#include <stdlib.h>
#include <string.h>

#include "schedule/real/real.h"

#define ORDER_MAX  12 /* shares fit 40 bits */
#define HOPS_MAX   (ORDER_MAX + 1)
#define ROUTES_MAX (2 * ORDER_MAX)

struct way {
    uint8_t hops, dim[HOPS_MAX];
};

/* A way, and the share of the elements of its source that take it. */
struct choice {
    struct way way;
    uint64_t share;
};

/* Ways to deal packets out to routes: routes that cross the same dimensions in the same order count
 * as one, or not; in the shares of the best flow, or in equal ones. */
enum deal { DEAL_MERGED, DEAL_APART, DEAL_EQUAL, DEALS };

struct flow {
    struct plan *p;
    struct ec_sdp_cycle c;
    struct mover m;
    uint32_t packets; /* of a node */
    uint64_t relabel; /* bits that are inverted to leave at most the inversion of bit 0 */
    bool inverts;     /* that one is left */
    uint64_t share[2][ORDER_MAX + 1]; /* of the letter v, from a source with that many ones */
    struct way *way;                  /* [nodes * packets] */
    uint32_t *at;                     /* [nodes * packets] the node where it is */
    uint8_t *left;                    /* [nodes * packets] hops to go */
    uint32_t (*next)[2]; /* [nodes * packets] the branches in the queue, packet + 1; 0: none */
    uint32_t *queue;     /* [nodes * order] of each link: the first packet + 1; 0: empty */
    uint32_t *moved;     /* [nodes * order] packets of a step */
};

/* The bits of the cycle in the address of a node, in its order. */
static unsigned label(const struct flow *f, uint32_t node)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < f->c.length; i++)
        bits |= (node >> (f->c.dim[i] - f->m.storage) & 1) << i;
    return bits ^ (unsigned)f->relabel;
}

/* Shares that load all links equally. A word of r + 1 letters with k ones is a source and its
 * letter in r + 1 ways; these load its links together, so k share[1][k - 1] + (r + 1 - k)
 * share[0][k] is the same for all k. So is share[1][k] + share[0][k] for all sources that send. The
 * factor lcm(1..r+1) makes all of them whole numbers. */
static void find_shares(struct flow *f)
{
    const unsigned r = f->c.length;
    uint64_t factor = 1, one = 0; /* share[1][k - 1]; the source 0...0 sends nothing */

    for (unsigned k = 0; k <= r; k++)
        f->share[0][k] = f->share[1][k] = f->inverts;
    if (f->inverts)
        return;
    for (unsigned k = 2; k <= r + 1; k++) {
        uint64_t a = factor, b = k;
        while (b) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        factor *= k / a;
    }
    const uint64_t load = (r + 1) * ((UINT64_C(1) << (r - 1)) - 1) * factor;
    for (unsigned k = 1; k < r; k++) {
        f->share[0][k] = (load - k * one) / (r + 1 - k);
        f->share[1][k] = ((UINT64_C(1) << r) - 1) * factor - f->share[0][k];
        one = f->share[1][k];
    }
}

/* The way of a source with the letter `v` before bit `first`. */
static struct way way_of(const struct flow *f, unsigned from, unsigned first, unsigned v)
{
    const unsigned r = f->c.length;
    struct way way = {0};

    for (unsigned move = 0; move <= r; move++) {
        const unsigned i = (first + move) % r;
        if (i == 0 && move > 0 && f->inverts)
            v ^= 1;
        const unsigned bit = from >> i & 1;
        if (bit != v) {
            way.dim[way.hops++] = (uint8_t)i;
            from ^= 1U << i;
        }
        v = bit;
    }
    return way;
}

/* All ways from a label that have a share. */
static unsigned ways_from(const struct flow *f, unsigned from, enum deal deal, struct choice *ret)
{
    const unsigned ones = (unsigned)__builtin_popcount(from);
    const bool sends = f->inverts || (ones > 0 && ones < f->c.length);
    unsigned count = 0;

    for (unsigned n = 0; n < 2 * f->c.length; n++) {
        const struct way way = way_of(f, from, n / 2, n % 2);
        const uint64_t share = deal == DEAL_EQUAL ? sends : f->share[n % 2][ones];
        unsigned same = deal == DEAL_MERGED ? 0 : count;
        while (same < count && memcmp(&ret[same].way, &way, sizeof way) != 0)
            same++;
        if (share > 0 && same < count)
            ret[same].share += share;
        else if (share > 0)
            ret[count++] = (struct choice){way, share};
    }
    return count;
}

/* Packets of a node take the ways in their shares: each one takes the way that is most behind. */
static void choose_ways(struct flow *f, uint32_t node, enum deal deal)
{
    struct choice ways[ROUTES_MAX];
    uint32_t taken[ROUTES_MAX] = {0};
    struct way *to = &f->way[(size_t)node * f->packets];
    const unsigned count = ways_from(f, label(f, node), deal, ways);
    uint64_t all = 0;

    for (unsigned w = 0; w < count; w++)
        all += ways[w].share;
    for (uint32_t i = 0; i < f->packets && count; i++) {
        unsigned best = 0;
        int64_t most = INT64_MIN;
        for (unsigned w = 0; w < count; w++) {
            const int64_t behind = (int64_t)(ways[w].share * (i + 1)) - (int64_t)(all * taken[w]);
            if (behind > most) {
                most = behind;
                best = w;
            }
        }
        taken[best]++;
        to[i] = ways[best].way;
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
    uint32_t *queue = &f->queue[(size_t)f->at[i] * f->c.length + next_dim(f, i)];

    f->next[i][0] = f->next[i][1] = 0;
    merge_queues(f, queue, *queue, i + 1);
}

static enum ec_code flow_begin(struct flow *f, struct plan *p, struct ec_error *reterr)
{
    *f = (struct flow){.p = p};
    enum ec_code code = real_one_cycle(p, &f->c, reterr);
    if (code)
        return code;
    if (f->c.length > ORDER_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected a cycle of 2 to %d processor dimensions; %s has %u: use "
                       "--algorithm a1-packed",
                       p->s->algorithm, ORDER_MAX, p->w->text, f->c.length);
    f->inverts = __builtin_parityll(f->c.complement);
    for (unsigned i = 1; i < f->c.length; i++)
        f->relabel |= ((f->relabel >> (i - 1) ^ f->c.complement >> i) & 1) << i;
    find_shares(f);
    code = mover_open(&f->m, p, 3 * p->w->per_node + 4 * f->c.length * p->block, reterr);
    if (code)
        return code;
    f->packets = real_groups(p->w->per_node, p->block);
    const size_t packets = (size_t)p->w->nodes * f->packets;
    const size_t links = (size_t)p->w->nodes * f->c.length;
    struct ec_arrays *const arrays = &f->m.arrays;
    EC_ARRAY(arrays, f->way, packets);
    EC_ARRAY(arrays, f->at, packets);
    EC_ARRAY(arrays, f->left, packets);
    EC_ARRAY(arrays, f->next, packets);
    EC_ARRAY(arrays, f->queue, links);
    EC_ARRAY(arrays, f->moved, links);
    if (arrays->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    return EC_OK;
}

/* All packets where they begin, with their ways, in the queues of their first links. */
static void start(struct flow *f, enum deal deal)
{
    const uint32_t nodes = f->p->w->nodes;

    memset(f->way, 0, (size_t)nodes * f->packets * sizeof *f->way);
    for (uint32_t node = 0; node < nodes; node++)
        choose_ways(f, node, deal);
    for (uint32_t i = 0; i < nodes * f->packets; i++) {
        f->left[i] = f->way[i].hops;
        f->at[i] = i / f->packets;
        enqueue(f, i);
    }
}

/* The elements of packet `i` cross its next dimension. */
static void move_elements(struct flow *f, uint32_t i)
{
    const uint32_t block = f->p->block, slot = i % f->packets * block;
    const uint32_t left = f->p->w->per_node - slot, count = left < block ? left : block;
    const uint32_t e = first_element(f, i);
    const unsigned dim = f->c.dim[next_dim(f, i)];

    for (uint32_t k = 0; k < count; k++)
        mover_go(&f->m, e + k, f->m.address[e + k] ^ UINT64_C(1) << dim);
}

/* One step: the first packet of every queue moves and joins the queue of its next link; its
 * elements move if `write` is set. False: all have arrived. */
static bool take_step(struct flow *f, bool write)
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
        if (write)
            move_elements(f, i);
        f->at[i] ^= UINT32_C(1) << (f->c.dim[next_dim(f, i)] - f->m.storage);
        f->left[i]--;
    }
    for (size_t k = 0; k < count; k++)
        enqueue(f, f->moved[k]);
    return count > 0;
}

/* Of equals the first. */
static enum deal best_deal(struct flow *f)
{
    enum deal best = DEAL_MERGED;
    uint32_t least = UINT32_MAX;

    for (enum deal deal = DEAL_MERGED; deal < DEALS; deal++) {
        uint32_t steps = 0;
        start(f, deal);
        while (take_step(f, false))
            steps++;
        if (steps < least) {
            least = steps;
            best = deal;
        }
    }
    return best;
}

enum ec_code real_flow(struct plan *p, struct ec_error *reterr)
{
    struct flow f;
    enum ec_code code = flow_begin(&f, p, reterr);

    if (code == EC_OK) {
        start(&f, best_deal(&f));
        for (uint32_t step = 1; take_step(&f, true); step++)
            mover_commit(&f.m, step);
        code = mover_finish(&f.m, reterr);
    }
    mover_close(&f.m);
    return code;
}
