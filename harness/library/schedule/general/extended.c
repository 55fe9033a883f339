/* SPDX-License-Identifier: Apache-2.0 */
/* The extended-cube permutation (Johnsson and Ho, TR-04-91, Definition 3 and Corollary 2): the data
 * of an n-dimensional subcube of an (n + e)-cube are expanded to all nodes, permuted in every
 * n-subcube, and compressed. Knows subcubes, slots and steps; must not know how a subcube is
 * permuted. */
#include "schedule/general/general.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"

/* --- One node spreads its elements over a cube ----------------------------------------------- */

/* With all ports, tree l, one for each link of node 0, sends an element first over link l, then
 * over the other dimensions of its destination in cyclic order, l + 1, l + 2, ... No link belongs
 * to two trees: at node x, dimension b is crossed by the tree of the first dimension of x that
 * follows b cyclically. Within a tree, elements that never wait do not meet if they start in
 * different steps, since each link is always crossed equally long after the start. So only the
 * starts at node 0 matter: the loads of the trees are balanced, and the farthest elements go first.
 */

/* In `step` (from 1 on) element `index` crosses from node `from` to node from ^ 1 << bit. */
struct spread_hop {
    uint32_t step, from, index;
    uint8_t bit;
};

/* The elements index = d * each + i, i < each, of node 0 go to node d of a cube, over shortest
 * paths. No link carries more than `block` elements in a step. */
struct spread {
    unsigned dims;
    uint32_t each, block;
    uint32_t steps;
    struct spread_hop *hop; /* by step, then from, bit and index; owned */
    size_t hops;
};

static void add_hop(struct spread *s, uint32_t step, uint32_t from, unsigned bit, uint32_t index)
{
    s->hop[s->hops++] = (struct spread_hop){step, from, index, (uint8_t)bit};
    if (step > s->steps)
        s->steps = step;
}

/* Dimension by dimension, the highest first: every node that holds elements sends the half whose
 * destinations are beyond the dimension. */
static void halve(struct spread *s)
{
    uint32_t before = 0;

    for (unsigned b = s->dims; b-- > 0;) {
        const uint32_t half = s->each << b, beyond = UINT32_C(1) << b;
        for (uint32_t d = 0; d < UINT32_C(1) << s->dims; d++) {
            for (uint32_t i = 0; d & beyond && i < s->each; i++) {
                const uint32_t rank = (d & (beyond - 1)) * s->each + i;
                add_hop(s, before + 1 + rank / s->block, d >> (b + 1) << (b + 1), b,
                        d * s->each + i);
            }
        }
        before += half / s->block + (half % s->block != 0);
    }
}

static unsigned least_loaded(uint32_t links, const uint32_t *load)
{
    unsigned best = (unsigned)__builtin_ctz(links);

    for (unsigned l = best + 1; links >> l; l++) {
        if (links >> l & 1 && load[l] < load[best])
            best = l;
    }
    return best;
}

/* The tree of every element. Elements with few links to choose from go first. */
static void choose_trees(const struct spread *s, uint8_t *tree)
{
    uint32_t load[32] = {0};

    for (unsigned distance = 1; distance <= s->dims; distance++) {
        for (uint32_t d = 1; d < UINT32_C(1) << s->dims; d++) {
            if ((unsigned)__builtin_popcount(d) != distance)
                continue;
            for (uint32_t i = 0; i < s->each; i++) {
                const unsigned l = least_loaded(d, load);
                tree[d * s->each + i] = (uint8_t)l;
                load[l]++;
            }
        }
    }
}

static void go_down(struct spread *s, unsigned tree, uint32_t start, uint32_t index)
{
    const uint32_t to = index / s->each;
    uint32_t at = 0;

    for (unsigned turn = 0; turn < s->dims; turn++) {
        const unsigned bit = (tree + turn) % s->dims;
        if (!(to >> bit & 1))
            continue;
        add_hop(s, start++, at, bit, index);
        at |= UINT32_C(1) << bit;
    }
}

static void send_all_ways(struct spread *s, const uint8_t *tree)
{
    uint32_t sent[32] = {0};

    for (unsigned distance = s->dims; distance > 0; distance--) {
        for (uint32_t d = 1; d < UINT32_C(1) << s->dims; d++) {
            if ((unsigned)__builtin_popcount(d) != distance)
                continue;
            for (uint32_t i = 0; i < s->each; i++) {
                const uint32_t index = d * s->each + i;
                go_down(s, tree[index], 1 + sent[tree[index]]++ / s->block, index);
            }
        }
    }
}

static int by_hop(const void *a, const void *b)
{
    const struct spread_hop *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->bit != y->bit)
        return x->bit < y->bit ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* `one_port`: one link of a node at a time: sum over d < dims of ceil(2^d each / block) steps. Else
 * all links: ceil((2^dims - 1) each / dims) steps for block = 1, the least possible.
 * `dims` is 1 to 30 and 2^dims * each at most 2^28. EC_MEMORY. */
static enum ec_code spread_open(unsigned dims, uint32_t each, uint32_t block, bool one_port,
                                struct spread *ret, struct ec_error *reterr)
{
    struct spread s = {.dims = dims, .each = each, .block = block};
    uint8_t *tree = malloc((size_t)each << dims);

    /* A destination is on average half of the dimensions away. */
    s.hop = malloc((((size_t)each << dims) / 2 * dims + 1) * sizeof *s.hop);
    if (!tree || !s.hop) {
        free(tree);
        free(s.hop);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    }
    if (one_port) {
        halve(&s);
    } else {
        choose_trees(&s, tree);
        send_all_ways(&s, tree);
    }
    free(tree);
    qsort(s.hop, s.hops, sizeof *s.hop, by_hop);
    *ret = s;
    return EC_OK;
}

/* --- Expand, permute, compress --------------------------------------------------------------- */

/* The value j of e storage dimensions that the permutation does not move is the number of an
 * element's subcube; the value c of the others is its slot there. Its *index* is j * K / 2^e + c.
 * On its way it lies in slot `index`, in its subcube in slot c. Slots never collide, because c < K
 * / 2^e and elements with j = 0 do not travel. */

struct extension {
    struct plan *p;
    unsigned low, dims;          /* n and e */
    uint32_t nodes, per_node;    /* 2^n, K */
    uint32_t each;               /* K / 2^e */
    struct ec_workload inner;    /* the permutation of one subcube */
    struct ec_sdp inner_sdp;     /* inner.sdp */
    struct ec_schedule *permute; /* its schedule */
    struct spread spread;
    uint32_t *at;      /* [K] the slot of index i at the beginning */
    uint32_t *element; /* [nodes * K] element with index i, of the node with the same n low bits */
    uint32_t *slot;    /* [elements] where each is */
    uint32_t *want;    /* [elements] where it has to be next */
    struct ec_arrays arrays; /* these */
};

/* A mask of the highest e storage dimensions that stay and have all their slots. */
static enum ec_code choose_dims(const struct extension *x, uint64_t *ret, struct ec_error *reterr)
{
    const struct ec_sdp *s = x->p->w->sdp;
    unsigned found = 0, needed = 0;
    uint64_t mask = 0;

    for (unsigned d = s->storage; d-- > 0 && found < x->dims;) {
        if (s->from[d] != d || x->per_node % (UINT64_C(1) << (d + 1)))
            continue;
        mask |= UINT64_C(1) << d;
        found++;
    }
    *ret = mask;
    if (found == x->dims)
        return EC_OK;
    for (unsigned free_dims = 0; free_dims < x->dims; needed++)
        free_dims += needed >= s->storage || s->from[needed] == needed;
    return ec_fail(reterr, EC_USAGE,
                   "%s: expected %u storage dimension%s that the permutation does not move; K=%u "
                   "has %u: use a multiple of 2^%u",
                   x->p->s->algorithm, x->dims, x->dims == 1 ? "" : "s", x->per_node, found,
                   needed);
}

/* The permutation of one subcube: that of the workload without the dimensions of `mask`. */
static void make_inner(struct extension *x, uint64_t mask)
{
    const struct ec_sdp *s = x->p->w->sdp;
    const unsigned all = s->storage + s->processor;
    uint8_t number[EC_SDP_DIMS_MAX] = {0};
    char cycles[160];
    unsigned count = 0;

    x->inner_sdp = ec_sdp_identity(s->storage - x->dims, s->processor);
    for (unsigned d = 0; d < all; d++) {
        if (!(mask >> d & 1))
            number[d] = (uint8_t)count++;
    }
    for (unsigned d = 0; d < all; d++) {
        if (mask >> d & 1)
            continue;
        x->inner_sdp.from[number[d]] = number[s->from[d]];
        x->inner_sdp.complement |= (s->complement >> d & 1) << number[d];
    }
    x->inner = (struct ec_workload){.name = "gsh",
                                    .nodes = x->nodes,
                                    .holders = x->nodes,
                                    .sdp = &x->inner_sdp,
                                    .per_node = x->each,
                                    .words = x->p->w->words};
    ec_sdp_format(&x->inner_sdp, cycles, sizeof cycles);
    snprintf(x->inner.text, sizeof x->inner.text, "gsh:cycle=%s,K=%u", cycles, x->each);
}

/* The bits of `slot` in `mask`, packed. */
static uint32_t extract(uint32_t slot, uint64_t mask)
{
    uint32_t bits = 0, count = 0;

    for (unsigned d = 0; d < 32; d++) {
        if (mask >> d & 1)
            bits |= (slot >> d & 1) << count++;
    }
    return bits;
}

static enum ec_code take_elements(struct extension *x, uint64_t mask, struct ec_error *reterr)
{
    const enum ec_code code = plan_bit_elements(x->p, reterr);
    const size_t elements = (size_t)x->nodes * x->per_node;

    if (code)
        return code;
    EC_ARRAY(&x->arrays, x->at, x->per_node);
    EC_ARRAY(&x->arrays, x->element, elements);
    EC_ARRAY(&x->arrays, x->slot, elements);
    EC_ARRAY(&x->arrays, x->want, elements);
    if (x->arrays.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule of %zu elements", elements);
    for (uint32_t slot = 0; slot < x->per_node; slot++)
        x->at[extract(slot, mask) * x->each + extract(slot, ~mask)] = slot;
    for (uint32_t e = 0; e < elements; e++) {
        const uint32_t node = e / x->per_node, i = e % x->per_node;
        x->element[e] = node * x->per_node + x->at[i];
        x->slot[e] = x->want[e] = i;
    }
    return EC_OK;
}

static void carry(struct extension *x, uint32_t e, uint32_t slot)
{
    plan_carry(x->p, e, slot);
    x->slot[e] = x->want[e] = slot;
}

/* Move all elements that are not in the slot where they have to be. */
static void settle(struct extension *x, uint32_t step)
{
    for (uint32_t e = 0; e < x->nodes * x->per_node; e++) {
        if (x->slot[e] != x->want[e])
            plan_move(x->p, step, e, x->want[e]);
        x->slot[e] = x->want[e];
    }
}

static bool same_link(const struct spread_hop *a, const struct spread_hop *b)
{
    return a->step == b->step && a->from == b->from && a->bit == b->bit;
}

/* The hops [first, end) over one link, in all cubes; backwards in step `reversed` if that is not 0.
 */
static void cross_hops(struct extension *x, size_t first, size_t end, uint32_t reversed)
{
    const struct spread_hop *h = &x->spread.hop[first];
    const uint32_t near = h->from << x->low;
    const uint32_t far = near | UINT32_C(1) << (x->low + h->bit);

    for (uint32_t a = 0; a < x->nodes; a++) {
        if (reversed)
            plan_transfer(x->p, reversed, far | a, near | a);
        else
            plan_transfer(x->p, h->step, near | a, far | a);
        for (size_t i = first; i < end; i++) {
            const uint32_t index = x->spread.hop[i].index, to = index / x->each;
            const uint32_t e = x->element[a * x->per_node + index];
            uint32_t slot = index;
            if (reversed && near == 0)
                slot = x->p->s->target[e].slot;
            else if (!reversed && far >> x->low == to)
                slot = index % x->each;
            carry(x, e, slot);
        }
    }
}

/* Expand, or, if `reversed` is the step after all, compress: the same hops backwards, the last one
 * first. */
static void cross_all(struct extension *x, uint32_t reversed)
{
    const struct spread *s = &x->spread;

    for (size_t i = 0, end; i < s->hops; i = end) {
        for (end = i + 1; end < s->hops && same_link(&s->hop[i], &s->hop[end]);)
            end++;
        cross_hops(x, i, end, reversed ? reversed - s->hop[i].step : 0);
    }
}

/* Element `e` of the permutation of a subcube, in subcube j. */
static uint32_t element_of(const struct extension *x, uint32_t e, uint32_t j)
{
    return e / x->each * x->per_node + x->at[j * x->each + e % x->each];
}

/* Local moves of the permutation before the transfers of `step`, in all subcubes. */
static size_t want_moves(struct extension *x, size_t next, uint32_t step)
{
    const struct ec_schedule *s = x->permute;

    for (; next < s->move_count && s->moves[next].step <= step; next++) {
        for (uint32_t j = 0; j < UINT32_C(1) << x->dims; j++) {
            const uint32_t e = element_of(x, s->moves[next].element, j);
            x->want[e] = s->moves[next].slot;
            if (step > 1) {
                plan_move(x->p, x->spread.steps + s->moves[next].step, e, x->want[e]);
                x->slot[e] = x->want[e];
            }
        }
    }
    return next;
}

static void permute(struct extension *x)
{
    const struct ec_schedule *s = x->permute;
    const uint32_t before = x->spread.steps;
    size_t next = 0;

    /* Elements that did not travel go to their slots in subcube 0, or where the permutation moves
     * them first. */
    for (uint32_t a = 0; a < x->nodes; a++) {
        for (uint32_t c = 0; c < x->each; c++)
            x->want[x->element[a * x->per_node + c]] = c;
    }
    if (s->steps) {
        next = want_moves(x, next, 1);
        settle(x, before + 1);
    }
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        next = want_moves(x, next, t->step);
        for (uint32_t j = 0; j < UINT32_C(1) << x->dims; j++) {
            plan_transfer(x->p, before + t->step, j << x->low | t->src, j << x->low | t->dst);
            for (uint32_t k = 0; k < t->count; k++) {
                const struct ec_carried *c = &s->carried[t->first + k];
                carry(x, element_of(x, c->element, j), c->slot);
            }
        }
    }
}

/* Where elements are after the permutation; those of subcube 0 are at their targets. */
static void find_places(struct extension *x)
{
    const struct ec_schedule *s = x->permute;

    for (uint32_t e = 0; e < x->nodes * x->each; e++) {
        const struct ec_place to = s->target[e];
        for (uint32_t j = 0; j < UINT32_C(1) << x->dims; j++) {
            const uint32_t mine = element_of(x, e, j);
            x->element[to.node * x->per_node + j * x->each + to.slot] = mine;
            x->want[mine] = j ? to.slot : x->p->s->target[mine].slot;
        }
    }
    settle(x, x->spread.steps + s->steps + 1);
}

static enum ec_code open_permutation(struct extension *x, bool one_port, struct ec_error *reterr)
{
    const struct plan_algorithm *const families[] = {plan_mixed_algorithms, plan_real_algorithms,
                                                     plan_general_algorithms, NULL};
    struct ec_topology t;
    char text[16];

    snprintf(text, sizeof text, "cube:%u", x->low);
    const enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code)
        return code;
    return general_fastest(&t, &x->inner, x->p->block, families, one_port, &x->permute, reterr);
}

static enum ec_code extend(struct extension *x, bool one_port, struct ec_error *reterr)
{
    struct plan *p = x->p;
    uint64_t mask;
    enum ec_code code = choose_dims(x, &mask, reterr);

    if (code)
        return code;
    x->each = x->per_node >> x->dims;
    make_inner(x, mask);
    code = open_permutation(x, one_port, reterr);
    if (code == EC_OK)
        code = take_elements(x, mask, reterr);
    if (code == EC_OK)
        code = spread_open(x->dims, x->each, p->block, one_port, &x->spread, reterr);
    if (code)
        return code;
    cross_all(x, 0);
    permute(x);
    find_places(x);
    cross_all(x, 2 * x->spread.steps + x->permute->steps + 1);
    snprintf(p->chosen, sizeof p->chosen, "%s", x->permute->algorithm);
    return EC_OK;
}

static enum ec_code extended(struct plan *p, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    struct extension x = {.p = p, .nodes = w->holders, .per_node = w->per_node};
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    if (w->holders == w->nodes)
        return ec_fail(
            reterr, EC_USAGE,
            "%s: expected elements in a subcube; %s has some in every node: use sub=N for "
            "the N lowest dimensions",
            p->s->algorithm, w->text);
    x.low = w->sdp->processor;
    x.dims = p->t->dims - x.low;
    code = extend(&x, !p->algorithm->all_ports, reterr);
    ec_schedule_close(x.permute);
    free(x.spread.hop);
    ec_arrays_free(&x.arrays);
    return code;
}

#define SUBCUBE "any permutation of address bits with sub=N on cube:N+E"
#define SOURCE  "Johnsson and Ho, TR-04-91, Definition 3, Corollary 2; docs/study/GSH-REAL.md"

const struct plan_algorithm plan_extended_algorithms[] = {
    {.info = {"extended", "block=B", SUBCUBE,
              "expands the data to all nodes, permutes within every N-subcube by the fastest "
              "algorithm, compresses: 2 ceil((K - K/2^E)/E) steps and those of K/2^E elements",
              SOURCE},
     .all_ports = true,
     .beyond = true,
     .make = extended},
    {.info = {"extended-one-port", "block=B", SUBCUBE,
              "the same, each phase for one port: 2(K - K/2^E) steps and those of K/2^E elements",
              SOURCE},
     .beyond = true,
     .make = extended},
    {.info = {.name = NULL}},
};
