/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed GSH: the blocks of a permutation, the lists of a table of rows, and the table of
 * algorithms. Must not know how an algorithm chooses rows and steps. */
#include "schedule/mixed/mixed.h"

#include <stdlib.h>

#include "base/list.h"

/* --- From a permutation to its constituting mixed GSH ---------------------------------------- */

/* The beginning of all messages; its arguments are the algorithm and the workload. */
#define IN "algorithm %.60s on '%.100s': "

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
                       IN
                       "expected a mixed GSH; one element per node has no storage dimension: use "
                       "K=2 elements or more, or an algorithm for real GSH",
                       g->name, p->w->text);
    for (unsigned i = 0; i < cycles; i++) {
        if (cycle[i].dim[0] >= s->storage)
            return ec_fail(reterr, EC_USAGE,
                           IN "expected a mixed GSH; the cycle of dimension %u has no storage "
                              "dimension (0 to %u): use an algorithm for real GSH",
                           g->name, p->w->text, cycle[i].dim[0], s->storage - 1);
        const unsigned parts = ec_sdp_factor(&cycle[i], s->storage, part, &virtual);
        for (unsigned j = 0; j < parts; j++)
            add_block(g, &part[j]);
    }
    if (g->blocks == 0)
        return ec_fail(reterr, EC_USAGE,
                       IN
                       "expected a mixed GSH; no cycle has both storage and processor dimensions "
                       "(from %u on)",
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
                       "expected a permutation of address bits on a cube, such as gsh:cycle=4-3-0",
                       g.name, w->text);
    g.storage = s->storage;
    for (unsigned i = s->storage; i < s->storage + s->processor; i++) {
        if (s->from[i] == i && s->complement >> i & 1)
            return ec_fail(reterr, EC_USAGE,
                           IN
                           "expected a mixed GSH; processor dimension %u is inverted without being "
                           "in a cycle with a storage dimension",
                           g.name, w->text, i);
    }
    const enum ec_code code = factor(p, &g, reterr);
    if (code)
        return code;
    if (w->per_node % 2)
        return ec_fail(reterr, EC_USAGE, IN "K=%u: expected an even number of elements per node",
                       g.name, w->text, w->per_node);
    g.packet = p->block < w->per_node / 2 ? p->block : w->per_node / 2;
    g.rows = (w->per_node / 2 + g.packet - 1) / g.packet;
    *ret = g;
    return EC_OK;
}

/* --- A table of rows ------------------------------------------------------------------------- */

void mixed_table_close(struct mixed_table *t)
{
    free(t->seat);
    free(t->first);
    free(t->cell);
    free(t->sync);
}

unsigned mixed_frame_add(struct mixed_table *t, struct mixed_frame f)
{
    t->frame[t->frames] = f;
    return t->frames++;
}

struct mixed_frame mixed_plain_frame(const struct mixed_gsh *g)
{
    struct mixed_frame f = {0};

    for (unsigned b = 0; b < g->blocks; b++) {
        f.odd[b] = UINT32_C(1) << g->block[b].dim[0];
        f.across |= f.odd[b];
    }
    return f;
}

uint32_t mixed_row_add(struct mixed_table *t)
{
    /* One entry more than rows: the end of the last one. */
    t->memory_short |=
        !ec_list_room(&t->first, sizeof *t->first, (size_t)t->rows + 1, &t->first_room);
    if (!t->memory_short) {
        t->first[t->rows] = t->seats;
        t->first[t->rows + 1] = t->seats;
    }
    return t->rows++;
}

void mixed_seat_add(struct mixed_table *t, struct mixed_seat s)
{
    t->memory_short = t->memory_short || !EC_LIST_PUSH(t->seat, t->seats, t->seat_room, s);
    if (!t->memory_short)
        t->first[t->rows] = t->seats;
}

uint32_t mixed_visit(struct mixed_table *t, uint32_t row, uint32_t step, unsigned storage,
                     unsigned b, unsigned from, unsigned to)
{
    for (unsigned i = from; i <= to; i++, step++)
        t->memory_short |=
            !EC_LIST_PUSH(t->cell, t->cells, t->cell_room,
                          (struct mixed_cell){row, step, (uint8_t)storage, t->g->block[b].dim[i]});
    return step;
}

void mixed_sync_add(struct mixed_table *t, uint32_t step, uint32_t even, uint64_t mask)
{
    t->memory_short |=
        !EC_LIST_PUSH(t->sync, t->syncs, t->sync_room, (struct mixed_sync){step, even, mask});
}

/* --- The algorithms -------------------------------------------------------------------------- */

static enum ec_code make(struct plan *p, struct ec_error *reterr)
{
    static const char *const readings[] = {"corrected", "printed", NULL};
    struct mixed_gsh g;
    struct mixed_table t;
    unsigned reading = 0;
    enum ec_code code = EC_OK;

    if (p->value[PLAN_KEY_READING].at)
        code = plan_choice(p, PLAN_KEY_READING, readings, 0, &reading, reterr);
    if (code == EC_OK)
        code = mixed_gsh_of(p, &g, reterr);
    if (code)
        return code;
    t = (struct mixed_table){.g = &g, .printed = reading == 1};
    code = p->algorithm->fill_table(&t, reterr);
    if (code == EC_OK)
        code = mixed_play(p, &g, &t, reterr);
    mixed_table_close(&t);
    return code;
}

static enum ec_code align(struct mixed_table *t, struct ec_error *reterr)
{
    t->aligned = true;
    return mixed_pipelined(t, reterr);
}

static enum ec_code lockstep(struct plan *p, struct ec_error *reterr)
{
    struct mixed_gsh g;
    const enum ec_code code = mixed_gsh_of(p, &g, reterr);

    return code ? code : mixed_lockstep(p, &g, reterr);
}

static enum ec_code from_store(struct plan *p, struct ec_error *reterr)
{
    struct mixed_gsh g;
    const enum ec_code code = mixed_gsh_of(p, &g, reterr);

    return code ? code : mixed_stored(p, &g, reterr);
}

#define MIXED "mixed gsh on cube:N, K even"

const struct plan_algorithm plan_mixed_algorithms[] = {
    {.info = {"one-port", "block=B", MIXED,
              "every pair of elements, dimension by dimension; sigma_r ceil(K/2B) steps",
              "Johnsson and Ho, TR-04-91, 4.1.1"},
     .make = make,
     .fill_table = mixed_one_port},
    {.info = {"pipelined", "block=B,reading=corrected|printed", MIXED,
              "rows of two elements follow one another through the dimensions; K/2 + "
              "max sigma_r - 1 steps for K >= 2 sigma_r; printed: blocks begin with "
              "equally many rows, though their orders differ (a negative control)",
              "Johnsson and Ho, TR-04-91, Figures 2 and 8"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_pipelined},
    {.info = {"align", "block=B", MIXED,
              "align, permute as pipelined with equal local addresses at both ends, "
              "realign",
              "Johnsson and Ho, TR-04-91, Figure 4"},
     .all_ports = true,
     .make = make,
     .fill_table = align},
    {.info =
         {"concurrent", "block=B,reading=corrected|printed", MIXED,
          "some pairs of rows start in other dimensions and synchronise; K/2 + 2 "
          "steps for K >= 2 (sigma_r + 1), sigma_r + 3 below; printed: set j starts in dimension "
          "sigma_r - j (a negative control)",
          "Johnsson and Ho, TR-04-91, Figures 5 and 9"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_concurrent},
    {.info = {"parity", "block=B", MIXED,
              "rows start in different dimensions, without synchronisation; K/2 + 1 steps "
              "for K >= 2 sigma_r, the least possible, and sigma_r + 1 below",
              "ecube, docs/study/GSH-MIXED.md"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_parity},
    {.info = {"lockstep", "block=B", MIXED ", one block",
              "elements start in different dimensions and never wait; sigma_r steps, the "
              "least possible, for ceil(K/2B) <= (sigma_r + 1)/2",
              "ecube, docs/study/GSH-MIXED.md"},
     .all_ports = true,
     .make = lockstep},
    {.info = {"stored", "", MIXED ", K=8 and orders 5, 3 and 2, or 4 and 1",
              "5 steps, the least possible, with at most 8 elements in a node: ways of elements "
              "that an integer program has found",
              "ecube, docs/study/GSH-MIXED.md"},
     .all_ports = true,
     .make = from_store},
    {.info = {"aapc", "block=B", MIXED,
              "the i-th exchange of all blocks as one all-to-all; K/2 + sigma_r - beta "
              "steps for beta blocks of equal orders",
              "Johnsson and Ho, TR-04-91, 4.1.2"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_aapc},
    {.info = {"aapc-concurrent", "block=B", MIXED ", one or two blocks of equal orders",
              "all-to-alls with the starts of concurrent; K/2 + 2 beta steps for "
              "K >= 2 (sigma_r + beta)",
              "Johnsson and Ho, TR-04-91, 4.1.2"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_aapc_concurrent},
    {.info = {"aapc-parity", "block=B", MIXED ", one or two blocks of equal orders",
              "all-to-alls with the starts of parity; K/2 + beta steps for "
              "K >= 2 sigma_r",
              "ecube, docs/study/GSH-MIXED.md"},
     .all_ports = true,
     .make = make,
     .fill_table = mixed_aapc_parity},
    {.info = {.name = NULL}},
};
