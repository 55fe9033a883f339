/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms for mixed GSH in which rows begin in different dimensions, or go through all
 * blocks at once: in which step each row exchanges which dimensions. Knows rows, blocks and steps;
 * must not know elements. */
#include "schedule/mixed/mixed.h"

#include <stdlib.h>

/* --- Rows that begin in different dimensions of their blocks --------------------------------- */

/* How the rows of a block begin. Double rows: row k = 0, 1, ... exchanges v with alpha_s..alpha_r
 * from step 1 on, and alpha_0 with alpha_1..alpha_s at the end; s = start - k, or, of `paired`
 * rows, which have to be synchronised, s = start - 2 floor(k/2), the second of a pair a step later.
 * Ordinary rows: row u = 1, 2, ... exchanges alpha_0 with alpha_1..alpha_r from step u on. Steps
 * are those of a schedule of all rows; of each kind, the first `kept` are there. */
struct mixed_begin {
    uint32_t doubles, doubles_kept;
    uint32_t ordinary, ordinary_kept;
    unsigned start;
};

/* How the rows of each block begin; `paired` is the same for all. */
struct mixed_begins {
    bool paired;
    bool parity;  /* v is EC_EXCHANGE_PARITY */
    bool printed; /* negative control: s = start - floor(k/2), the text's "sigma_r - j" */
    struct mixed_begin block[MIXED_BLOCKS_MAX];
};

struct starter {
    struct mixed_table *t;
    const struct mixed_begins *begins;
    struct mixed_seating seats;
    uint32_t next_plain;          /* of the seating's plain seats */
    bool spare[MIXED_BLOCKS_MAX]; /* the block's last seat has no double row */
    uint32_t edges[MIXED_BLOCKS_MAX];
};

/* The start dimension of double row k. */
static unsigned start_of(const struct mixed_begins *begins, unsigned b, uint32_t k)
{
    const uint32_t below = begins->printed ? k / 2 : begins->paired ? k & ~UINT32_C(1) : k;

    return begins->block[b].start - below;
}

/* The step in which the row at `place` (1, 2, ...) of block b's list enters block b + h; h = beta:
 * block b for the second time. */
static uint32_t entry(const struct starter *s, unsigned b, unsigned h, uint32_t place)
{
    const unsigned blocks = s->t->g->blocks;
    uint32_t step = s->begins->block[(b + h) % blocks].ordinary + place;

    for (unsigned i = 1; i < h; i++) {
        const struct mixed_begin *between = &s->begins->block[(b + i) % blocks];
        step += between->doubles + between->ordinary;
    }
    return step;
}

/* All blocks but the first one of the row. */
static void visit_others(const struct starter *s, uint32_t row, unsigned b, uint32_t place)
{
    const struct mixed_gsh *g = s->t->g;

    for (unsigned h = 1; h < g->blocks; h++) {
        const struct mixed_block *next = &g->block[(b + h) % g->blocks];
        mixed_visit(s->t, row, entry(s, b, h, place), next->dim[0], (b + h) % g->blocks, 1,
                    next->order);
    }
}

/* The two rows of a pair can exchange elements after both have done the same exchanges: when the
 * first one has waited for a step, the second has caught up. */
static enum ec_code add_sync(const struct starter *s, uint32_t row, unsigned b, uint32_t k,
                             struct ec_error *reterr)
{
    const struct mixed_gsh *g = s->t->g;
    const struct mixed_block *own = &g->block[b];
    const struct mixed_block *other = &g->block[(b + 1) % g->blocks];
    uint32_t done = 1 + own->order - start_of(s->begins, b, k);
    uint64_t mask = UINT64_C(1) << s->seats.v;

    if (g->blocks > 1)
        mask = UINT64_C(1) << own->dim[0] | UINT64_C(1) << other->dim[0] |
               (uint64_t)(own->nodes | other->nodes) << g->storage;
    for (unsigned h = 1; h <= g->blocks; h++) {
        const uint32_t next = entry(s, b, h, k + 1);
        if (next > done + 1) {
            mixed_sync_add(s->t, done + 2, row, mask);
            return EC_OK;
        }
        done = next + g->block[(b + h) % g->blocks].order - 1;
    }
    return ec_fail(reterr, EC_INTERNAL, "rows %u and %u never wait", row, row + 1);
}

/* Seat i of double row k. Rows use edges one after the other; each row of a pair uses one seat of
 * each edge. Paired rows of a single block lie in one value of alpha_0 each. */
static struct mixed_seat double_seat(const struct starter *s, unsigned b, uint32_t k, uint32_t i)
{
    const struct mixed_gsh *g = s->t->g;
    const struct mixed_seat *edge = &s->seats.edge[2 * (size_t)s->seats.first[b]];

    if (!s->begins->paired)
        return edge[(size_t)k * g->packet + i];
    const size_t at = (size_t)(k / 2) * g->packet + i;
    struct mixed_seat seat = edge[2 * at + k % 2];
    if (g->blocks == 1) {
        seat.base = edge[2 * at].base ^ (k % 2 ? UINT32_C(1) << g->block[0].dim[0] : 0);
        seat.frame = (uint8_t)(s->t->frames - 1);
    }
    return seat;
}

static enum ec_code double_row(struct starter *s, unsigned b, uint32_t k, struct ec_error *reterr)
{
    const struct mixed_gsh *g = s->t->g;
    const struct mixed_block *own = &g->block[b];
    const unsigned start = start_of(s->begins, b, k);
    const uint32_t row = mixed_row_add(s->t), first = 1 + (s->begins->paired ? k % 2 : 0);

    for (uint32_t i = 0; i < g->packet; i++)
        mixed_seat_add(s->t, double_seat(s, b, k, i));
    mixed_visit(s->t, row, first, s->seats.v, b, start, own->order);
    visit_others(s, row, b, k + 1);
    mixed_visit(s->t, row, entry(s, b, g->blocks, k + 1), own->dim[0], b, 1, start);
    return s->begins->paired && k % 2 == 0 ? add_sync(s, row, b, k, reterr) : EC_OK;
}

/* The seat that double rows of the block before leave over is usable by rows that visit that block
 * last, as this one does. */
static void ordinary_row(struct starter *s, unsigned b, uint32_t u)
{
    const struct mixed_gsh *g = s->t->g;
    const unsigned before = (b + g->blocks - 1) % g->blocks;
    const uint32_t row = mixed_row_add(s->t);
    uint32_t seats = 0;

    if (s->spare[before]) {
        const uint32_t last = s->seats.first[before] + s->edges[before];
        mixed_seat_add(s->t, s->seats.edge[2 * (size_t)last - 1]);
        s->spare[before] = false;
        seats++;
    }
    for (; seats < g->packet && s->next_plain < s->seats.plains; seats++)
        mixed_seat_add(s->t, s->seats.plain[s->next_plain++]);
    mixed_visit(s->t, row, u, g->block[b].dim[0], b, 1, g->block[b].order);
    visit_others(s, row, b, s->begins->block[b].doubles + u);
}

/* The table in which every row then moves to the next blocks, one after the other, and double rows
 * end where they have begun. EC_USAGE: no room for the double rows. */
static enum ec_code begin_rows(struct mixed_table *t, const struct mixed_begins *begins,
                               struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct starter s = {.t = t, .begins = begins};

    for (unsigned b = 0; b < g->blocks; b++) {
        const uint32_t seats = begins->block[b].doubles_kept * g->packet;
        s.edges[b] = (seats + 1) / 2;
        s.spare[b] = seats % 2;
    }
    enum ec_code code = mixed_seating_open(t, s.edges, begins->parity, &s.seats, reterr);
    if (code == EC_OK && begins->paired && g->blocks == 1)
        mixed_frame_add(t, (struct mixed_frame){.across = UINT32_C(1) << s.seats.v});
    for (unsigned b = 0; code == EC_OK && b < g->blocks; b++) {
        for (uint32_t k = 0; code == EC_OK && k < begins->block[b].doubles_kept; k++)
            code = double_row(&s, b, k, reterr);
        for (uint32_t u = 1; code == EC_OK && u <= begins->block[b].ordinary_kept; u++)
            ordinary_row(&s, b, u);
    }
    mixed_seating_close(&s.seats);
    return code;
}

/* Given the double rows of all blocks: block b + 1 begins with as many ordinary rows as block b has
 * dimensions that no double row begins in; all further rows of at least `least` are ordinary ones
 * of the last block. Returns how many rows are too many. */
static uint32_t add_ordinary_rows(const struct mixed_gsh *g, uint32_t least, struct mixed_begins *s)
{
    const uint32_t rows = g->rows > least ? g->rows : least;

    for (unsigned b = 0; b < g->blocks; b++)
        s->block[(b + 1) % g->blocks].ordinary = g->block[b].order - s->block[b].doubles;
    s->block[g->blocks - 1].ordinary += rows - g->order;
    for (unsigned b = 0; b < g->blocks; b++) {
        s->block[b].doubles_kept = s->block[b].doubles;
        s->block[b].ordinary_kept = s->block[b].ordinary;
    }
    return rows - g->rows;
}

/* --- Parity ---------------------------------------------------------------------------------- */

/* Rows begin in different dimensions of every block, and none waits for another: K/2 + 1 steps for
 * K >= 2 sigma_r, the least possible; sigma_r + 1 below. Not in the paper; docs/study/GSH-MIXED.md
 * proves it.
 */

/* Fewer rows than dimensions: leave out double rows of the block that has most of them, then
 * ordinary ones. */
static void leave_out_rows(struct mixed_begins *s, unsigned blocks, uint32_t more)
{
    while (more--) {
        struct mixed_begin *doubles = &s->block[0], *ordinary = &s->block[0];
        for (unsigned b = 1; b < blocks; b++) {
            if (s->block[b].doubles_kept > doubles->doubles_kept)
                doubles = &s->block[b];
            if (s->block[b].ordinary_kept)
                ordinary = &s->block[b];
        }
        if (doubles->doubles_kept)
            doubles->doubles_kept--;
        else
            ordinary->ordinary_kept--;
    }
}

/* No double row begins in the first dimension of a block, nor, with `ends` = 2, in the last. */
static void begin_everywhere(const struct mixed_gsh *g, unsigned ends, struct mixed_begins *s)
{
    for (unsigned b = 0; b < g->blocks; b++) {
        const unsigned order = g->block[b].order;
        s->block[b].doubles = order > ends ? order - ends : 0;
        s->block[b].start = order + 1 - ends;
    }
    leave_out_rows(s, g->blocks, add_ordinary_rows(g, g->order, s));
}

/* Without a storage dimension to spare, or with too little room, the additional bit takes its
 * place. Fewer double rows then have room in any case. */
enum ec_code mixed_parity(struct mixed_table *t, struct ec_error *reterr)
{
    struct mixed_begins every = {.parity = false}, fewer = {.parity = true};

    begin_everywhere(t->g, 1, &every);
    const enum ec_code code = begin_rows(t, &every, reterr);
    if (code != EC_USAGE)
        return code;
    begin_everywhere(t->g, 2, &fewer);
    return begin_rows(t, &fewer, reterr);
}

/* --- Concurrent ------------------------------------------------------------------------------ */

/* The published concurrent schedules (Johnsson and Ho, Figures 5 and 9, Theorems 1 and 2). */

/* The better of the published choices (Figure 5) for one block of order r and `rows` rows; no
 * double rows if they save nothing. */
static struct mixed_begin published_begin(unsigned order, uint32_t rows)
{
    struct mixed_begin b = {.start = order - (order % 2 ? 0 : 1)};

    if (order <= 3 || rows <= 4) {
        b.ordinary = rows;
    } else if (rows >= order + 1) {
        b.doubles = (order - 1) / 2 * 2;
        b.ordinary = rows - b.doubles;
    } else {
        b.ordinary = rows % 2 ? 3 : 4;
        b.doubles = rows - b.ordinary;
        b.start = order - (rows % 2 ? 1 : 2);
    }
    b.doubles_kept = b.doubles;
    b.ordinary_kept = b.ordinary;
    return b;
}

/* Leave out `more` rows: pairs of the block that has most of them, then ordinary rows of the block
 * that has most of those. */
static void leave_out_pairs(struct mixed_begins *s, unsigned blocks, uint32_t more)
{
    while (more) {
        struct mixed_begin *doubles = &s->block[0], *ordinary = &s->block[0];
        for (unsigned b = 1; b < blocks; b++) {
            if (s->block[b].doubles_kept > doubles->doubles_kept)
                doubles = &s->block[b];
            if (s->block[b].ordinary_kept > ordinary->ordinary_kept)
                ordinary = &s->block[b];
        }
        if (more >= 2 && doubles->doubles_kept) {
            doubles->doubles_kept -= 2;
            more -= 2;
        } else {
            ordinary->ordinary_kept--;
            more--;
        }
    }
}

/* Blocks side by side, one row more than there are dimensions. */
static void begin_several(const struct mixed_gsh *g, struct mixed_begins *s)
{
    for (unsigned b = 0; b < g->blocks; b++) {
        const unsigned order = g->block[b].order;
        s->block[b].doubles = order <= 3 ? 0 : (order - 1) / 2 * 2;
        s->block[b].start = order - (order % 2 ? 0 : 1);
    }
    leave_out_pairs(s, g->blocks, add_ordinary_rows(g, g->order + 1, s));
}

/* If starting in other dimensions saves nothing (Theorem 1, case 1; Theorem 2, case 2 and much of
 * case 1), this is the pipelined schedule. */
enum ec_code mixed_concurrent(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const bool few = g->rows <= g->order && g->rows <= 4 * g->blocks;
    struct mixed_begins s = {.paired = true, .printed = t->printed};

    if (g->longest <= 3 || (few && mixed_pipelined_steps(t) <= g->order + 3))
        return mixed_pipelined(t, reterr);
    if (g->blocks == 1)
        s.block[0] = published_begin(g->order, g->rows);
    else
        begin_several(g, &s);
    for (unsigned b = 0; t->printed && b < g->blocks; b++)
        s.block[b].start = g->block[b].order;
    const enum ec_code code = begin_rows(t, &s, reterr);
    return few && code == EC_USAGE ? mixed_pipelined(t, reterr) : code;
}

/* --- All-to-all ------------------------------------------------------------------------------ */

/* Schedules by all-to-all personalized communication (Johnsson and Ho, section 4.1.2). Stage i is
 * the i-th exchange of every block. Rows go in groups of beta, one in each block at a time, so that
 * a group is a row of a schedule of one block whose steps are beta steps long. */

/* Group `group` exchanges storage[b] with alpha_i of every block b, i = from..to, from stage
 * `stage` (1, 2, ...) on. Blocks of a lower order let stages pass. */
static void visit_blocks(struct mixed_table *t, uint32_t group, uint32_t stage,
                         const uint8_t *storage, unsigned from, unsigned to)
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

/* If orders differ, there may be steps in which nothing moves: remove them. */
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
        visit_blocks(t, group, group + 1, alpha, 1, g->longest);
    close_gaps(t);
    return code;
}

/* Two blocks, each with its own free storage dimension v_b. Classes: the four elements of a node
 * with fixed I_b = v_b xor alpha_0 xor parity of block b; in v and in alpha_0, each xor parity,
 * they make two complementary pairs. Exchanging v_b keeps the first pairs, exchanging alpha_0 the
 * second, so the rows of a group that starts elsewhere exchange elements in between, when both have
 * done all exchanges of a stage. */
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
        return ec_fail(
            reterr, EC_USAGE,
            "algorithm %s: expected a free storage dimension for each of two blocks; K=%u "
            "has %u dimensions: use K >= 16",
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

/* Rows of groups that start elsewhere, from the first classes; then the other rows, from the
 * remaining classes. */
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
        /* Of a seat's two elements, the one whose lowest alpha_0 is 0 represents both. */
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
        const unsigned start = start_of(single, 0, k);
        const uint32_t again = s->ordinary + k + 1;
        visit_blocks(t, k, 1 + (single->paired ? k % 2 : 0), c->v, start, order);
        mixed_sync_add(t, (again - 1) * 2 + 1, 2 * k, mask);
        visit_blocks(t, k, again, c->alpha, 1, start);
    }
    for (uint32_t u = 0; u < s->ordinary_kept; u++)
        visit_blocks(t, s->doubles_kept + u, u + 1, c->alpha, 1, order);
}

static enum ec_code begin_classes(struct mixed_table *t, const struct mixed_begins *single,
                                  struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    const uint32_t doubles = single->block[0].doubles_kept;
    struct classes c = {0};
    enum ec_code code = open_classes(t, &c, reterr);

    if (code == EC_OK && doubles * g->packet > 4 * c.sets)
        code =
            ec_fail(reterr, EC_USAGE,
                    "algorithm %s: %u groups of elements do not start in the first dimension, but "
                    "K=%u has room for %u: use a larger K, or 'aapc'",
                    g->name, doubles * g->packet, g->per_node, 4 * c.sets);
    if (code == EC_OK)
        code = seat_groups(t, &c, doubles, reterr);
    if (code == EC_OK)
        begin_groups(t, single, &c);
    free(c.base);
    return code;
}

static enum ec_code check_two_blocks(const struct mixed_gsh *g, struct ec_error *reterr)
{
    if (g->blocks != 2)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s: expected two blocks; got %u blocks: use 'aapc'", g->name,
                       g->blocks);
    if (g->block[0].order != g->block[1].order)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s: expected blocks of equal orders; got orders %u and %u: use "
                       "'aapc'",
                       g->name, g->block[0].order, g->block[1].order);
    if (g->rows % 2)
        return ec_fail(
            reterr, EC_USAGE,
            "algorithm %s: expected an even number of rows, ceil(K/2B); got %u rows: use "
            "'aapc'",
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
    const enum ec_code code = check_two_blocks(g, reterr);

    if (code)
        return code;
    single.block[0] = published_begin(g->block[0].order, g->rows / g->blocks);
    if (single.block[0].doubles == 0)
        return mixed_aapc(t, reterr);
    return begin_classes(t, &single, reterr);
}

/* The same with the starts of the parity schedule: sigma_r + beta steps for K <= 2 sigma_r,
 * K/2 + beta above. */
enum ec_code mixed_aapc_parity(struct mixed_table *t, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct mixed_begins single = {.paired = false};
    if (g->blocks == 1)
        return mixed_parity(t, reterr);
    const enum ec_code code = check_two_blocks(g, reterr);

    if (code)
        return code;
    const struct mixed_gsh half = {
        .rows = g->rows / 2, .blocks = 1, .order = g->block[0].order, .block = {g->block[0]}};
    begin_everywhere(&half, 1, &single);
    if (single.block[0].doubles_kept == 0)
        return mixed_aapc(t, reterr);
    return begin_classes(t, &single, reterr);
}
