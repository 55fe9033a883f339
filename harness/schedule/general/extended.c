/* SPDX-License-Identifier: Apache-2.0 */
/* The extended-cube permutation (Johnsson and Ho, TR-04-91, Definition 3 and Corollary 2): the data
 * of an n-dimensional subcube of an (n + e)-cube are expanded to all nodes, permuted in every
 * n-subcube, and compressed. Knows subcubes, slots and steps; must not know how the permutation of
 * a subcube is done.
 *
 * e storage dimensions that the permutation does not move say where an element goes: the value j of
 * those bits is the number of its subcube, the value c of the others its slot there; its *index* is
 * j * K / 2^e + c. On its way it lies in slot `index`, at home in slot c: nobody's slot is ever
 * another's, for c < K / 2^e, and elements with j = 0 do not travel. */
#include "schedule/general/extended.h"

#include <stdio.h>
#include <stdlib.h>

#include "schedule/general/general.h"

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
    uint32_t *element; /* [nodes * K] who has index i, of the node with the same n low bits */
    uint32_t *slot;    /* [elements] where each is, */
    uint32_t *want;    /* and where it is to be next */
};

/* The highest e storage dimensions that stay, all slots of which are there, as a mask. */
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
                   "%s spreads elements by %u storage dimension%s that the permutation does not "
                   "move; K=%u has %u, a multiple of 2^%u has enough",
                   x->p->s->algorithm, x->dims, x->dims == 1 ? "" : "s", x->per_node, found,
                   needed);
}

/* The permutation of one subcube: without the dimensions of `mask`. */
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

/* Bits of `slot` in `mask`, or not in it, moved together. */
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
    const struct ec_sdp *s = x->p->w->sdp;
    const enum ec_code code = plan_elements(x->p, x->per_node, x->p->w->words, reterr);
    const size_t elements = (size_t)x->nodes * x->per_node;

    if (code)
        return code;
    x->at = malloc(x->per_node * sizeof *x->at);
    x->element = malloc(elements * sizeof *x->element);
    x->slot = malloc(elements * sizeof *x->slot);
    x->want = malloc(elements * sizeof *x->want);
    if (!x->at || !x->element || !x->slot || !x->want)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule of %zu elements", elements);
    for (uint32_t slot = 0; slot < x->per_node; slot++)
        x->at[extract(slot, mask) * x->each + extract(slot, ~mask)] = slot;
    for (uint32_t e = 0; e < elements; e++) {
        const uint32_t node = e / x->per_node, i = e % x->per_node;
        const uint64_t to = ec_sdp_apply(s, (uint64_t)node << s->storage | i);
        x->element[e] = node * x->per_node + x->at[i];
        x->slot[e] = x->want[e] = i;
        plan_target(x->p, e, (uint32_t)(to >> s->storage),
                    (uint32_t)(to & ((UINT64_C(1) << s->storage) - 1)));
    }
    return EC_OK;
}

static void carry(struct extension *x, uint32_t e, uint32_t slot)
{
    plan_carry(x->p, e, slot);
    x->slot[e] = x->want[e] = slot;
}

/* All elements that are not where they are to be move there. */
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

/* The hops [first, end) over one link, in all cubes of that kind; back instead of forth in step
 * `reversed` if that is not 0. */
static void cross(struct extension *x, size_t first, size_t end, uint32_t reversed)
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

static void expand(struct extension *x)
{
    const struct spread *s = &x->spread;

    for (size_t i = 0, end; i < s->hops; i = end) {
        for (end = i + 1; end < s->hops && same_link(&s->hop[i], &s->hop[end]);)
            end++;
        cross(x, i, end, 0);
    }
}

/* The same hops the other way, the last one first. */
static void compress(struct extension *x, uint32_t before)
{
    const struct spread *s = &x->spread;

    for (size_t i = 0, end; i < s->hops; i = end) {
        for (end = i + 1; end < s->hops && same_link(&s->hop[i], &s->hop[end]);)
            end++;
        cross(x, i, end, before + s->steps + 1 - s->hop[i].step);
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

    /* Those that did not travel go to their slots in subcube 0, or at once where the permutation
     * wants them first. */
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

/* Who is where after the permutation; in subcube 0 everybody is home. */
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
    expand(x);
    permute(x);
    find_places(x);
    compress(x, x->spread.steps + x->permute->steps);
    snprintf(p->chosen, sizeof p->chosen, "%s", x->permute->algorithm);
    return EC_OK;
}

static enum ec_code make(struct plan *p, bool one_port, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    struct extension x = {.p = p, .nodes = w->holders, .per_node = w->per_node};
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    if (w->holders == w->nodes)
        return ec_fail(reterr, EC_USAGE,
                       "%s spreads the elements of a subcube over the cube; %s has some in every "
                       "node (sub=N puts them into the N lowest dimensions)",
                       p->s->algorithm, w->text);
    x.low = w->sdp->processor;
    x.dims = p->t->dims - x.low;
    code = extend(&x, one_port, reterr);
    ec_schedule_close(x.permute);
    spread_close(&x.spread);
    free(x.at);
    free(x.element);
    free(x.slot);
    free(x.want);
    return code;
}

static enum ec_code extended(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, reterr);
}

static enum ec_code extended_one_port(struct plan *p, struct ec_error *reterr)
{
    return make(p, true, reterr);
}

#define SUBCUBE "any permutation of address bits with sub=N on cube:N+E"
#define SOURCE  "Johnsson and Ho, TR-04-91, Definition 3, Corollary 2; docs/GSH-REAL.md"

const struct plan_algorithm plan_extended_algorithms[] = {
    {.info = {"extended", "block=B", SUBCUBE,
              "expands the data to all nodes, permutes within every N-subcube by the fastest "
              "algorithm, compresses: 2 ceil((K - K/2^E)/E) steps and those of K/2^E elements",
              SOURCE},
     .keys = PLAN_BLOCK,
     .all_ports = true,
     .beyond = true,
     .make = extended},
    {.info = {"extended-one-port", "block=B", SUBCUBE,
              "the same, each phase for one port: 2(K - K/2^E) steps and those of K/2^E elements",
              SOURCE},
     .keys = PLAN_BLOCK,
     .beyond = true,
     .make = extended_one_port},
    {.info = {.name = NULL}},
};
