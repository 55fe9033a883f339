/* SPDX-License-Identifier: Apache-2.0 */
/* Any dimension permutation by two all-to-all personalized communications (AAPC): every node
 * spreads its elements over all nodes, then every node collects its own. Knows the intermediate
 * nodes and which dimensions are free when; must not know slots.
 *
 * An AAPC of one element per pair of nodes is the same for all nodes: an element from p to p xor
 * rho crosses the dimensions of rho. Each dimension is in N/2 values of rho, and no rho has more
 * than N/2 dimensions, so the AAPC takes N/2 steps in which every dimension of every node is busy
 * (Konig's theorem: the bipartite graph of rhos and dimensions has an edge colouring with as many
 * colours as its largest degree). */
#include <stdlib.h>
#include <string.h>

#include "schedule/general/general.h"
#include "schedule/plan/mover.h"

#define NONE UINT32_MAX

/* A colouring of the edges (rho, dimension). */
struct colouring {
    unsigned n;
    uint32_t colours; /* steps of an AAPC */
    uint32_t
        *at_rho; /* [2^n * colours] dimension that rho crosses then, or NONE; while colouring */
    uint32_t *at_dim; /* [n * colours] rho that crosses the dimension then, or NONE */
};

static uint32_t *rho_cell(const struct colouring *c, uint32_t rho, uint32_t colour)
{
    return &c->at_rho[(size_t)rho * c->colours + colour];
}

static uint32_t *dim_cell(const struct colouring *c, uint32_t dim, uint32_t colour)
{
    return &c->at_dim[(size_t)dim * c->colours + colour];
}

static uint32_t first_free(const uint32_t *cells)
{
    uint32_t colour = 0;

    while (cells[colour] != NONE)
        colour++;
    return colour;
}

/* Exchange the colours a and b along the path that leaves `dim` by colour a, so that a becomes free
 * there. The path never reaches a rho where a is free. */
static void flip(struct colouring *c, uint32_t dim, uint32_t a, uint32_t b)
{
    uint32_t rho = *dim_cell(c, dim, a);

    *dim_cell(c, dim, a) = NONE;
    while (rho != NONE) { /* the edge (rho, dim) of colour a becomes b */
        const uint32_t next_dim = *rho_cell(c, rho, b);
        const uint32_t next_rho = next_dim == NONE ? NONE : *dim_cell(c, next_dim, a);
        *dim_cell(c, dim, b) = rho;
        *rho_cell(c, rho, b) = dim;
        *rho_cell(c, rho, a) = next_dim;
        if (next_dim != NONE) { /* the edge (rho, next_dim) of colour b becomes a */
            *dim_cell(c, next_dim, a) = rho;
            *dim_cell(c, next_dim, b) = NONE;
        }
        dim = next_dim;
        rho = next_rho;
    }
}

static void colour_edges(struct colouring *c)
{
    for (uint32_t rho = 1; rho >> c->n == 0; rho++) {
        for (uint32_t dim = 0; dim < c->n; dim++) {
            if (!(rho >> dim & 1))
                continue;
            const uint32_t a = first_free(rho_cell(c, rho, 0)), b = first_free(dim_cell(c, dim, 0));
            if (*dim_cell(c, dim, a) != NONE)
                flip(c, dim, a, b);
            *rho_cell(c, rho, a) = dim;
            *dim_cell(c, dim, a) = rho;
        }
    }
}

/* One port: one edge after the other. */
static void number_edges(struct colouring *c)
{
    uint32_t next = 0;

    for (uint32_t rho = 1; rho >> c->n == 0; rho++) {
        for (uint32_t dim = 0; dim < c->n; dim++) {
            if (rho >> dim & 1)
                *dim_cell(c, dim, next++) = rho;
        }
    }
}

static void close_colouring(struct colouring *c)
{
    free(c->at_rho);
    free(c->at_dim);
}

static enum ec_code open_colouring(struct colouring *c, unsigned n, bool one_port,
                                   struct ec_error *reterr)
{
    const size_t nodes = (size_t)1 << n;

    *c = (struct colouring){.n = n, .colours = (uint32_t)(nodes / 2 * (one_port ? n : 1))};
    c->at_dim = malloc((size_t)n * c->colours * sizeof *c->at_dim);
    if (!one_port)
        c->at_rho = malloc(nodes * c->colours * sizeof *c->at_rho);
    if (!c->at_dim || (!one_port && !c->at_rho))
        return ec_fail(reterr, EC_MEMORY, "out of memory for an all-to-all communication");
    memset(c->at_dim, 0xff, (size_t)n * c->colours * sizeof *c->at_dim);
    if (one_port) {
        number_edges(c);
        return EC_OK;
    }
    memset(c->at_rho, 0xff, nodes * c->colours * sizeof *c->at_rho);
    colour_edges(c);
    return EC_OK;
}

/* The intermediate node of an element. Every node must send K/N of its elements to each node, and
 * collect K/N from each. So bit j of the intermediate node is an address bit, or the sum of two,
 * that takes both values among the elements of one source and among those of one destination. Among
 * those of a source the storage dimensions do; among those of a destination, the bits that go into
 * storage dimensions. */
struct between {
    uint64_t mask[EC_SDP_DIMS_MAX]; /* bit j: parity of the address bits in mask[j] */
};

static struct between choose_between(const struct ec_sdp *s, unsigned free_storage)
{
    const uint64_t source = (UINT64_C(1) << free_storage) - 1;
    struct between between = {.mask = {0}};
    uint64_t destination = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < free_storage; i++)
        destination |= UINT64_C(1) << s->from[i];
    uint64_t both = source & destination, left = source & ~both, right = destination & ~both;
    for (; both && count < s->processor; both &= both - 1)
        between.mask[count++] = both & -both;
    for (; left && count < s->processor; left &= left - 1, right &= right - 1)
        between.mask[count++] = (left & -left) | (right & -right);
    return between;
}

struct spread {
    struct mover m;
    uint32_t *node;  /* [elements] where it goes in this phase */
    uint32_t *rho;   /* [elements] the dimensions that it crosses in this phase */
    uint32_t *round; /* [elements] the AAPC of this phase in which it does */
    uint32_t *count; /* [nodes * nodes] */
    uint32_t *order; /* [elements] ascending by round, then rho */
    uint32_t *first; /* [nodes * rounds + 1] where those of a round and rho begin in order */
};

/* Assign rounds: `block` elements from one node to another per round. */
static void sort_elements(struct spread *s, uint32_t rounds)
{
    const struct mover *m = &s->m;
    const uint32_t nodes = m->p->w->nodes, block = m->p->block;

    memset(s->count, 0, (size_t)nodes * nodes * sizeof *s->count);
    memset(s->first, 0, ((size_t)nodes * rounds + 1) * sizeof *s->first);
    for (uint32_t e = 0; e < m->elements; e++) {
        const uint32_t from = (uint32_t)(m->address[e] >> m->storage);
        s->rho[e] = from ^ s->node[e];
        s->round[e] = s->count[(size_t)from * nodes + s->node[e]]++ / block;
        s->first[s->round[e] * nodes + s->rho[e] + 1]++;
    }
    for (uint32_t i = 0; i < nodes * rounds; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t e = 0; e < m->elements; e++)
        s->order[s->first[s->round[e] * nodes + s->rho[e]]++] = e;
    for (uint32_t i = nodes * rounds; i > 0;
         i--) /* each entry has become the start of the next one */
        s->first[i] = s->first[i - 1];
    s->first[0] = 0;
}

/* One AAPC: every element goes to node[e]. `before`: steps done. */
static void spread_once(struct spread *s, const struct colouring *c, uint32_t before)
{
    struct mover *m = &s->m;
    const uint32_t nodes = m->p->w->nodes;
    const uint32_t copies = m->p->w->per_node / nodes, block = m->p->block;
    const uint32_t rounds = copies / block + (copies % block != 0);

    sort_elements(s, rounds);
    for (uint32_t i = 0; i < rounds * c->colours; i++) {
        const uint32_t *first = &s->first[i / c->colours * nodes];
        for (uint32_t dim = 0; dim < c->n; dim++) {
            const uint32_t rho = *dim_cell(c, dim, i % c->colours);
            for (uint32_t j = rho == NONE ? 0 : first[rho]; rho != NONE && j < first[rho + 1];
                 j++) {
                const uint32_t e = s->order[j];
                mover_go(m, e, m->address[e] ^ UINT64_C(1) << (m->storage + dim));
            }
        }
        mover_commit(m, before + i + 1);
    }
}

static enum ec_code open_spread(struct spread *s, struct plan *p, struct ec_error *reterr)
{
    const size_t nodes = p->w->nodes;

    *s = (struct spread){.node = NULL};
    const enum ec_code code = mover_open(&s->m, p, 0, reterr);
    if (code)
        return code;
    struct ec_arrays *const arrays = &s->m.arrays;
    EC_ARRAY(arrays, s->node, s->m.elements);
    EC_ARRAY(arrays, s->rho, s->m.elements);
    EC_ARRAY(arrays, s->round, s->m.elements);
    EC_ARRAY(arrays, s->order, s->m.elements);
    /* nodes <= K, and nodes * rounds <= K */
    EC_ARRAY(arrays, s->count, nodes * nodes);
    EC_ARRAY(arrays, s->first, (size_t)p->w->per_node + 1);
    if (arrays->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for an all-to-all communication");
    return EC_OK;
}

static enum ec_code twice(struct plan *p, const struct colouring *c, struct ec_error *reterr)
{
    const struct ec_sdp *sdp = p->w->sdp;
    const unsigned free_storage = (unsigned)__builtin_ctz(p->w->per_node);
    const struct between between = choose_between(sdp, free_storage);
    const uint64_t local = (UINT64_C(1) << sdp->storage) - 1;
    struct spread s;
    enum ec_code code = open_spread(&s, p, reterr);

    if (code == EC_OK) {
        for (uint32_t e = 0; e < s.m.elements; e++) {
            s.node[e] = 0;
            for (unsigned j = 0; j < sdp->processor; j++)
                s.node[e] |= (uint32_t)__builtin_parityll(s.m.address[e] & between.mask[j]) << j;
        }
        spread_once(&s, c, 0);
        for (uint32_t e = 0; e < s.m.elements; e++) {
            s.node[e] = p->s->target[e].node;
            s.m.address[e] = (s.m.address[e] & ~local) | p->s->target[e].slot;
        }
        spread_once(&s, c, s.m.last_step);
        code = mover_finish(&s.m, reterr);
    }
    mover_close(&s.m);
    return code;
}

enum ec_code general_aapc_twice(struct plan *p, struct ec_error *reterr)
{
    struct colouring c;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    if (p->w->per_node % p->w->nodes)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected K to be a multiple of the %u nodes; got K=%u: use K=%u",
                       p->s->algorithm, p->w->nodes, p->w->per_node,
                       (p->w->per_node / p->w->nodes + 1) * p->w->nodes);
    code = open_colouring(&c, p->w->sdp->processor, !p->algorithm->all_ports, reterr);
    if (code == EC_OK)
        code = twice(p, &c, reterr);
    close_colouring(&c);
    return code;
}
