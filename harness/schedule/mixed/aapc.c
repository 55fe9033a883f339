/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules by all-to-all personalized communication (Johnsson and Ho, section 4.1.2): stage i is
 * the i-th exchange of every block. Rows go in groups of beta, one in each block at a time, so that
 * a group is a row of a schedule of one block whose every step is beta steps long. Knows groups and
 * stages; must not know elements. */
#include <stdlib.h>

#include "schedule/mixed/mixed.h"

/* Group `group` exchanges storage[b] with alpha_i of every block b, i = from..to, from stage
 * `stage` (1, 2, ...) on. Blocks of a lower order let stages pass. */
static void visit(struct mixed_table *t, uint32_t group, uint32_t stage, const uint8_t *storage,
                  unsigned from, unsigned to)
{
    const struct mixed_gsh *g = t->g;

    for (unsigned i = from; i <= to; i++, stage++) {
        for (unsigned u = 0; u < g->blocks; u++) {
            for (unsigned s = 0; s < g->blocks; s++) {
                const uint32_t row = group * g->blocks + u;
                const unsigned b = (u + s) % g->blocks;
                if (row < t->rows && i <= g->block[b].order)
                    mixed_visit(t, row, (stage - 1) * g->blocks + s + 1, storage[b], b, i, i);
            }
        }
    }
}

/* Where orders differ there may be steps in which nothing moves: leave them out. */
static void close_gaps(struct mixed_table *t)
{
    uint32_t last = 0, steps = 0;

    for (size_t i = 0; i < t->cells; i++)
        last = t->cell[i].step > last ? t->cell[i].step : last;
    uint32_t *number = calloc((size_t)last + 1, sizeof *number);
    if (!number) {
        t->memory_short = true;
        return;
    }
    for (size_t i = 0; i < t->cells; i++)
        number[t->cell[i].step] = 1;
    for (uint32_t i = 1; i <= last; i++)
        number[i] = steps += number[i];
    for (size_t i = 0; i < t->cells; i++)
        t->cell[i].step = number[t->cell[i].step];
    free(number);
}

/* K/2 + sigma_r - beta steps where all orders are equal and beta divides K/2. */
enum ec_code mixed_aapc(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    uint8_t alpha[MIXED_BLOCKS_MAX];
    const enum ec_code code = mixed_plain_rows(t, reterr);

    for (unsigned b = 0; b < g->blocks; b++)
        alpha[b] = g->block[b].dim[0];
    for (uint32_t group = 0; group * g->blocks < t->rows; group++)
        visit(t, group, group + 1, alpha, 1, g->longest);
    close_gaps(t);
    return code;
}

/* Two blocks, each with a free storage dimension of its own, v_b. Classes: the four elements of a
 * node with fixed I_b = v_b xor alpha_0 xor parity of block b; in v and in alpha_0, each xor
 * parity, they make two complementary pairs. Exchanging v_b keeps the first pairs, exchanging
 * alpha_0 the second, so the rows of a group that starts elsewhere choose their elements anew in
 * between, when both have done all exchanges of a stage. */
struct classes {
    const struct mixed_gsh *g;
    uint8_t alpha[2], v[2];
    uint32_t alphas, vs;           /* as bits */
    uint8_t start, plain_v, plain; /* frames */
    uint32_t *base;                /* of the sets of 16 slots that make four classes each */
    uint32_t sets;
};

static bool find_free(const struct mixed_gsh *g, struct classes *c)
{
    unsigned found = 0;

    for (unsigned b = 0; b < 2; b++) {
        c->alpha[b] = g->block[b].dim[0];
        c->alphas |= UINT32_C(1) << c->alpha[b];
    }
    for (unsigned d = 0; d < g->storage && found < 2; d++) {
        if (c->alphas >> d & 1)
            continue;
        c->v[found++] = (uint8_t)d;
        c->vs |= UINT32_C(1) << d;
    }
    return found == 2;
}

static enum ec_code open_classes(struct mixed_table *t, struct classes *c, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct mixed_frame f = mixed_plain_frame(g);

    *c = (struct classes){.g = g};
    if (!find_free(g, c))
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s': needs a free storage dimension for each of two blocks; "
                       "K=%u has %u dimensions, take K >= 16",
                       g->name, g->per_node, g->storage);
    c->plain = (uint8_t)mixed_frame_add(t, f);
    f.across |= c->vs;
    c->plain_v = (uint8_t)mixed_frame_add(t, f);
    for (unsigned b = 0; b < 2; b++)
        f.odd[b] = UINT32_C(1) << c->v[b];
    c->start = (uint8_t)mixed_frame_add(t, f);
    c->base = malloc(g->per_node * sizeof *c->base);
    if (!c->base)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    for (uint32_t slot = 0; slot < g->per_node; slot++) {
        if (!(slot & (c->alphas | c->vs)) && (slot | c->alphas | c->vs) < g->per_node)
            c->base[c->sets++] = slot;
    }
    return EC_OK;
}

/* Seat `row` (0, 1) of class `k`; `frame` says in which dimensions its elements are complements. */
static struct mixed_seat class_seat(const struct classes *c, uint32_t k, unsigned row,
                                    uint8_t frame)
{
    uint32_t slot = c->base[k / 4];

    for (unsigned b = 0; b < 2; b++) {
        const bool pair = b && row, other = pair ^ (k >> b & 1);
        slot |= (uint32_t)(frame == c->start ? other : pair) << c->alpha[b];
        slot |= (uint32_t)(frame == c->start ? pair : other) << c->v[b];
    }
    return (struct mixed_seat){slot, frame};
}

/* Rows of groups that start elsewhere, of the first classes; then the others, of what is left. */
static enum ec_code seat_groups(struct mixed_table *t, const struct classes *c, uint32_t doubles,
                                struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const uint32_t used = doubles * g->packet, all = 4 * c->sets;
    struct mixed_seat *rest = malloc(g->per_node / 2 * sizeof *rest);
    uint32_t count = 0;

    if (!rest)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    for (uint32_t row = 0; row < 2 * doubles; row++) {
        mixed_row_add(t);
        for (uint32_t i = 0; i < g->packet; i++)
            mixed_seat_add(t, class_seat(c, row / 2 * g->packet + i, row % 2, c->start));
    }
    for (uint32_t k = 2 * used; k < 2 * all; k++)
        rest[count++] = class_seat(c, k / 2, k % 2, c->plain_v);
    const uint32_t lowest = c->alphas & (~c->alphas + 1);
    for (uint32_t slot = 0; slot < g->per_node; slot++) {
        /* Of a seat's two elements, the one whose lowest alpha_0 is 0 stands for both. */
        if ((slot | c->alphas | c->vs) >= g->per_node && !(slot & lowest))
            rest[count++] = (struct mixed_seat){slot, c->plain};
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i % g->packet == 0)
            mixed_row_add(t);
        mixed_seat_add(t, rest[i]);
    }
    free(rest);
    return EC_OK;
}

/* `single`: how groups begin, as rows of a schedule of one block. */
static void begin_groups(struct mixed_table *t, const struct mixed_begins *single,
                         const struct classes *c)
{
    const struct mixed_gsh *g = t->g;
    const struct mixed_begin *s = &single->block[0];
    const unsigned order = g->block[0].order;
    const uint64_t mask = c->alphas | (uint64_t)(g->block[0].nodes | g->block[1].nodes)
                                          << g->storage;

    for (uint32_t k = 0; k < s->doubles_kept; k++) {
        const unsigned start = mixed_start_of(single, 0, k);
        const uint32_t again = s->ordinary + k + 1;
        visit(t, k, 1 + (single->paired ? k % 2 : 0), c->v, start, order);
        mixed_sync_add(t, (again - 1) * 2 + 1, 2 * k, mask);
        visit(t, k, again, c->alpha, 1, start);
    }
    for (uint32_t u = 0; u < s->ordinary_kept; u++)
        visit(t, s->doubles_kept + u, u + 1, c->alpha, 1, order);
}

static enum ec_code begin(struct mixed_table *t, const struct mixed_begins *single,
                          struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const uint32_t doubles = single->block[0].doubles_kept;
    struct classes c = {0};
    enum ec_code code = open_classes(t, &c, reterr);

    if (code == EC_OK && doubles * g->packet > 4 * c.sets)
        code = ec_fail(reterr, EC_USAGE,
                       "algorithm '%s': %u groups of elements have to start elsewhere than in the "
                       "first dimension, and K=%u has room for %u; take a larger K or 'aapc'",
                       g->name, doubles * g->packet, g->per_node, 4 * c.sets);
    if (code == EC_OK)
        code = seat_groups(t, &c, doubles, reterr);
    if (code == EC_OK)
        begin_groups(t, single, &c);
    free(c.base);
    return code;
}

static enum ec_code check(const struct mixed_gsh *g, struct ec_error *reterr)
{
    if (g->blocks != 2)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s': %u blocks; how the rows of a group start elsewhere is "
                       "known for two ('aapc' takes any number)",
                       g->name, g->blocks);
    if (g->block[0].order != g->block[1].order)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s': blocks of orders %u and %u; it takes blocks of equal "
                       "orders only ('aapc' takes any)",
                       g->name, g->block[0].order, g->block[1].order);
    if (g->rows % 2)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s': %u rows are no groups of two, one row for each block; "
                       "ceil(K/2B) must be even ('aapc' takes any)",
                       g->name, g->rows);
    return EC_OK;
}

/* sigma_r + 3 beta steps for 8 beta < K <= 2 (sigma_r + beta), K/2 + 2 beta above. */
enum ec_code mixed_aapc_concurrent(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct mixed_begins single = {.paired = true};
    if (g->blocks == 1)
        return mixed_concurrent(t, reterr);
    const enum ec_code code = check(g, reterr);

    if (code)
        return code;
    single.block[0] = mixed_published_begin(g->block[0].order, g->rows / g->blocks);
    if (single.block[0].doubles == 0)
        return mixed_aapc(t, reterr);
    return begin(t, &single, reterr);
}

/* The same with the starts of the parity schedule: sigma_r + beta steps for K <= 2 sigma_r,
 * K/2 + beta above. */
enum ec_code mixed_aapc_parity(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct mixed_begins single = {.paired = false};
    if (g->blocks == 1)
        return mixed_parity(t, reterr);
    const enum ec_code code = check(g, reterr);

    if (code)
        return code;
    single.block[0] = mixed_parity_begin(g->block[0].order, g->rows / g->blocks);
    if (single.block[0].doubles_kept == 0)
        return mixed_aapc(t, reterr);
    return begin(t, &single, reterr);
}
