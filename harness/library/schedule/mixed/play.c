/* SPDX-License-Identifier: Apache-2.0 */
/* From a table of rows to transfers: moves every element, exchange by exchange. Knows machine
 * addresses and slots; must not know how the table was chosen. */
#include <stdlib.h>

#include "schedule/mixed/mixed.h"

/* In each node a seat holds two elements, in any slots. An element that arrives takes the slot of
 * the one that leaves in that step. */
struct player {
    struct plan *p;
    const struct mixed_gsh *g;
    struct mixed_table *t;
    uint32_t *held;    /* [(seat * nodes + node) * 2 ..]: elements */
    uint32_t *address; /* of each element and EC_EXCHANGE_PARITY; an exchange swaps two bits */
    uint32_t *slot;    /* of each element */
};

static bool odd(uint64_t bits)
{
    return __builtin_parityll(bits);
}

static uint32_t *held(const struct player *q, uint32_t seat, uint32_t node)
{
    return &q->held[((size_t)seat * q->g->nodes + node) * 2];
}

/* Put the elements into their seats. */
static enum ec_code fill_seats(struct player *q, struct ec_error *reterr)
{
    const struct mixed_gsh *g = q->g;
    const struct mixed_table *t = q->t;

    for (uint32_t seat = 0; seat < t->seats; seat++) {
        const struct mixed_frame *f = &t->frame[t->seat[seat].frame];
        for (uint32_t node = 0; node < g->nodes; node++) {
            uint32_t turned = 0;
            for (unsigned b = 0; b < g->blocks; b++)
                turned ^= odd(node & g->block[b].nodes) ? f->odd[b] : 0;
            for (unsigned i = 0; i < 2; i++) {
                const uint32_t even = t->seat[seat].base ^ (i ? f->across : 0);
                const uint32_t slot = even ^ turned;
                const uint32_t e = (node ^ g->relabel) * g->per_node + slot;
                if (slot >= g->per_node || q->address[e] != UINT32_MAX)
                    return ec_fail(reterr, EC_INTERNAL, "slot %u of node %u: not in one seat", slot,
                                   node);
                held(q, seat, node)[i] = e;
                q->address[e] = node << g->storage | slot;
                if (odd(q->address[e] & f->summed))
                    q->address[e] |= UINT32_C(1) << EC_EXCHANGE_PARITY;
                q->slot[e] = t->aligned ? even : slot;
                if (q->slot[e] != slot)
                    plan_move(q->p, 1, e, q->slot[e]);
            }
        }
    }
    return EC_OK;
}

/* Which of the two elements of a seat leaves its node in an exchange: the one whose two bits
 * differ. -1 unless exactly one leaves. */
static int leaver(const struct player *q, const uint32_t *two, uint32_t dims)
{
    const bool first = odd(q->address[two[0]] & dims), second = odd(q->address[two[1]] & dims);
    return first == second ? -1 : second;
}

static enum ec_code exchange(struct player *q, const struct mixed_cell *c, struct ec_error *reterr)
{
    const struct mixed_gsh *g = q->g;
    const uint32_t dims = UINT32_C(1) << c->storage | UINT32_C(1) << c->processor;
    const uint32_t bit = UINT32_C(1) << (c->processor - g->storage);
    const uint32_t begin = q->t->first[c->row], end = q->t->first[c->row + 1];

    for (uint32_t node = 0; node < g->nodes; node++) {
        plan_transfer(q->p, c->step, node ^ g->relabel, node ^ bit ^ g->relabel);
        for (uint32_t seat = begin; seat < end; seat++) {
            const uint32_t *here = held(q, seat, node), *there = held(q, seat, node ^ bit);
            const int out = leaver(q, here, dims), in = leaver(q, there, dims);
            if (out < 0 || in < 0)
                return ec_fail(reterr, EC_INTERNAL,
                               "row %u, step %u, dimensions %u and %u: not one of two elements "
                               "leaves node %u",
                               c->row, c->step, c->storage, c->processor,
                               (out < 0 ? node : node ^ bit) ^ g->relabel);
            plan_carry(q->p, here[out], q->slot[there[in]]);
        }
    }
    for (uint32_t seat = begin; seat < end; seat++) {
        for (uint32_t node = 0; node < g->nodes; node++) {
            if (node & bit)
                continue;
            uint32_t *here = held(q, seat, node), *there = held(q, seat, node | bit);
            const int out = leaver(q, here, dims), in = leaver(q, there, dims);
            const uint32_t a = here[out], b = there[in], slot = q->slot[a];
            here[out] = b;
            there[in] = a;
            q->slot[a] = q->slot[b];
            q->slot[b] = slot;
            q->address[a] ^= dims;
            q->address[b] ^= dims;
        }
    }
    return EC_OK;
}

/* Distribute the elements of two rows that have done the same exchanges over these rows again. */
static enum ec_code synchronise(struct player *q, const struct mixed_sync *y,
                                struct ec_error *reterr)
{
    const uint32_t *first = &q->t->first[y->even];

    for (uint32_t i = 0; i < first[1] - first[0]; i++) {
        for (uint32_t node = 0; node < q->g->nodes; node++) {
            uint32_t *two[2] = {held(q, first[0] + i, node), held(q, first[1] + i, node)};
            const uint32_t four[4] = {two[0][0], two[0][1], two[1][0], two[1][1]};
            unsigned count[2] = {0};
            for (unsigned j = 0; j < 4; j++) {
                const bool row = odd(q->address[four[j]] & y->mask);
                if (count[row] == 2)
                    return ec_fail(reterr, EC_INTERNAL, "row %u, step %u: no four to synchronise",
                                   y->even, y->step);
                two[row][count[row]++] = four[j];
            }
        }
    }
    return EC_OK;
}

static int by_step(const void *a, const void *b)
{
    const struct mixed_cell *x = a, *y = b;
    const uint64_t m = (uint64_t)x->step << 32 | x->row, n = (uint64_t)y->step << 32 | y->row;
    /* Only an invalid schedule has two exchanges of a row in a step. */
    return m != n ? (m > n) - (m < n) : x->processor - y->processor;
}

static enum ec_code play(struct player *q, struct ec_error *reterr)
{
    struct mixed_table *t = q->t;
    enum ec_code code = fill_seats(q, reterr);
    uint32_t now = 0;

    if (t->cells)
        qsort(t->cell, t->cells, sizeof *t->cell, by_step);
    for (size_t i = 0; code == EC_OK && i < t->cells; i++) {
        const struct mixed_cell *c = &t->cell[i];
        for (size_t j = 0; code == EC_OK && c->step > now && j < t->syncs; j++) {
            if (t->sync[j].step > now && t->sync[j].step <= c->step)
                code = synchronise(q, &t->sync[j], reterr);
        }
        now = c->step;
        if (code == EC_OK)
            code = exchange(q, c, reterr);
        plan_exchange(q->p, c->row, c->step, c->storage, c->processor);
    }
    return code;
}

/* Local moves to the targets of all elements. */
static void finish_moves(struct player *q, uint32_t last)
{
    for (uint32_t e = 0; e < q->g->nodes * q->g->per_node; e++) {
        const uint32_t slot = q->p->s->target[e].slot;
        if (q->slot[e] != slot)
            plan_move(q->p, last + 1, e, slot);
    }
}

enum ec_code mixed_play(struct plan *p, const struct mixed_gsh *g, struct mixed_table *t,
                        struct ec_error *reterr)
{
    struct player q = {.p = p, .g = g, .t = t};
    const size_t elements = (size_t)g->nodes * g->per_node;

    /* Bounds the number of elements, so that the sizes below do not overflow. */
    enum ec_code code = plan_bit_elements(p, reterr);
    if (code)
        return code;
    if (!t->memory_short && (size_t)t->seats * 2 != g->per_node)
        return ec_fail(reterr, EC_INTERNAL, "%u seats for %u elements", t->seats, g->per_node);
    plan_expect(p, (uint64_t)t->cells * g->nodes);
    if (plan_full(p))
        return plan_full_error(p, reterr);
    q.held = malloc(elements * sizeof *q.held);
    q.address = malloc(elements * sizeof *q.address);
    q.slot = malloc(elements * sizeof *q.slot);
    if (t->memory_short || !q.held || !q.address || !q.slot) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a schedule of %zu elements", elements);
        goto out;
    }
    for (size_t e = 0; e < elements; e++)
        q.address[e] = UINT32_MAX;
    code = play(&q, reterr);
    if (code == EC_OK)
        finish_moves(&q, t->cells ? t->cell[t->cells - 1].step : 0);
out:
    free(q.held);
    free(q.address);
    free(q.slot);
    return code;
}
