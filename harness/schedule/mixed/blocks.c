/* SPDX-License-Identifier: Apache-2.0 */
/* From a permutation of address bits to its constituting mixed GSH. Knows cycles and complements;
 * must not know schedules. */
#include "schedule/mixed/mixed.h"

/* What all messages here begin with, and the argument for it. */
#define IN "algorithm '%.60s' on '%.100s': "

static void add_block(struct mixed_gsh *g, const struct ec_sdp_cycle *c)
{
    struct mixed_block *b = &g->block[g->blocks++];
    uint32_t inverted = 0;

    b->order = c->length - 1;
    b->dim[0] = c->dim[0];
    for (unsigned i = 1; i < c->length; i++) {
        const uint32_t bit = UINT32_C(1) << (c->dim[i] - g->storage);
        b->dim[i] = c->dim[i];
        b->nodes |= bit;
        /* p -> p ^ relabel, the permutation without complements, and back again inverts alpha_i
         * by relabel's bits of alpha_i and alpha_(i-1); alpha_0 has none. */
        inverted ^= (uint32_t)(c->complement >> i & 1);
        g->relabel |= inverted ? bit : 0;
    }
    g->order += b->order;
    if (b->order > g->longest)
        g->longest = b->order;
}

static enum ec_code factor(const struct plan *p, struct mixed_gsh *g, struct ec_error *reterr)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2], part[EC_SDP_DIMS_MAX / 2], virtual;
    const struct ec_sdp *s = p->w->sdp;
    const unsigned cycles = ec_sdp_cycles(s, cycle);

    if (s->storage == 0)
        return ec_fail(reterr, EC_USAGE,
                       IN "with one element per node no bit is in the storage, so it is no mixed "
                          "GSH; take K=2 elements or more, or an algorithm for real ones (`ecube "
                          "list algorithms`)",
                       g->name, p->w->text);
    for (unsigned i = 0; i < cycles; i++) {
        if (cycle[i].dim[0] >= s->storage)
            return ec_fail(reterr, EC_USAGE,
                           IN "the cycle of dimension %u has no storage dimension (0 to %u), so it "
                              "is no mixed GSH; take an algorithm for real ones (`ecube list "
                              "algorithms`)",
                           g->name, p->w->text, cycle[i].dim[0], s->storage - 1);
        const unsigned parts = ec_sdp_factor(&cycle[i], s->storage, part, &virtual);
        for (unsigned j = 0; j < parts; j++)
            add_block(g, &part[j]);
    }
    if (g->blocks == 0)
        return ec_fail(reterr, EC_USAGE,
                       IN "no cycle has both storage and processor dimensions (from %u on), so "
                          "there is no mixed GSH in it",
                       g->name, p->w->text, s->storage);
    return EC_OK;
}

enum ec_code mixed_gsh_of(const struct plan *p, struct mixed_gsh *ret, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    const struct ec_sdp *s = w->sdp;
    struct mixed_gsh g = {
        .name = p->algorithm->info.name, .nodes = w->nodes, .per_node = w->per_node};

    if (!s || w->words == 0)
        return ec_fail(reterr, EC_USAGE,
                       IN
                       "only for permutations of address bits on a cube, such as gsh:cycle=4-3-0",
                       g.name, w->text);
    g.storage = s->storage;
    for (unsigned i = s->storage; i < s->storage + s->processor; i++) {
        if (s->from[i] == i && s->complement >> i & 1)
            return ec_fail(reterr, EC_USAGE,
                           IN "processor dimension %u is inverted in its place, which no mixed GSH "
                              "does; it would have to be in a cycle with a storage dimension",
                           g.name, w->text, i);
    }
    const enum ec_code code = factor(p, &g, reterr);
    if (code)
        return code;
    if (w->per_node % 2)
        return ec_fail(reterr, EC_USAGE, IN "K=%u elements per node are no pairs; K must be even",
                       g.name, w->text, w->per_node);
    g.packet = p->block < w->per_node / 2 ? p->block : w->per_node / 2;
    g.rows = (w->per_node / 2 + g.packet - 1) / g.packet;
    *ret = g;
    return EC_OK;
}
