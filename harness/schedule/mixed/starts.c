/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that begin in different dimensions of their blocks, and what follows from how they begin:
 * the common part of the published concurrent schedules and of the parity schedules. Knows steps
 * and the order of blocks; must not know how many rows begin where, nor elements. */
#include "schedule/mixed/mixed.h"

struct starter {
    struct mixed_table *t;
    const struct mixed_begins *begins;
    struct mixed_seating seats;
    uint32_t next_plain;          /* of the seating's plain seats */
    bool spare[MIXED_BLOCKS_MAX]; /* the block's last seat has no double row */
    uint32_t edges[MIXED_BLOCKS_MAX];
};

unsigned mixed_start_of(const struct mixed_begins *begins, unsigned b, uint32_t k)
{
    const uint32_t below = begins->printed ? k / 2 : begins->paired ? k & ~UINT32_C(1) : k;

    return begins->block[b].start - below;
}

static uint32_t rows_of(const struct mixed_begin *b)
{
    return b->doubles + b->ordinary;
}

/* The step in which the row at `place` (1, 2, ...) of block b's list enters block b + h; h = beta:
 * block b for the second time. */
static uint32_t entry(const struct starter *s, unsigned b, unsigned h, uint32_t place)
{
    const unsigned blocks = s->t->g->blocks;
    uint32_t step = s->begins->block[(b + h) % blocks].ordinary + place;

    for (unsigned i = 1; i < h; i++)
        step += rows_of(&s->begins->block[(b + i) % blocks]);
    return step;
}

/* All blocks but the row's first. */
static void go_on(const struct starter *s, uint32_t row, unsigned b, uint32_t place)
{
    const struct mixed_gsh *g = s->t->g;

    for (unsigned h = 1; h < g->blocks; h++) {
        const struct mixed_block *next = &g->block[(b + h) % g->blocks];
        mixed_visit(s->t, row, entry(s, b, h, place), next->dim[0], (b + h) % g->blocks, 1,
                    next->order);
    }
}

/* The two rows of a pair can exchange elements once both have done the same exchanges: where the
 * first one has waited for a step, the second has caught up. */
static enum ec_code synchronise(const struct starter *s, uint32_t row, unsigned b, uint32_t k,
                                struct ec_error *reterr)
{
    const struct mixed_gsh *g = s->t->g;
    const struct mixed_block *own = &g->block[b];
    const struct mixed_block *other = &g->block[(b + 1) % g->blocks];
    uint32_t done = 1 + own->order - mixed_start_of(s->begins, b, k);
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

/* Seat i of double row k: edges are used up row by row, or one of each edge by each row of a pair;
 * paired rows of a single block lie in one value of alpha_0 each. */
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
    const unsigned start = mixed_start_of(s->begins, b, k);
    const uint32_t row = mixed_row_add(s->t), first = 1 + (s->begins->paired ? k % 2 : 0);

    for (uint32_t i = 0; i < g->packet; i++)
        mixed_seat_add(s->t, double_seat(s, b, k, i));
    mixed_visit(s->t, row, first, s->seats.v, b, start, own->order);
    go_on(s, row, b, k + 1);
    mixed_visit(s->t, row, entry(s, b, g->blocks, k + 1), own->dim[0], b, 1, start);
    return s->begins->paired && k % 2 == 0 ? synchronise(s, row, b, k, reterr) : EC_OK;
}

/* The seat that double rows of the block before have left over may be used by rows that visit that
 * block last, as this one does. */
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
    go_on(s, row, b, s->begins->block[b].doubles + u);
}

enum ec_code mixed_begin_rows(struct mixed_table *t, const struct mixed_begins *begins,
                              struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct starter s = {.t = t, .begins = begins};

    for (unsigned b = 0; b < g->blocks; b++) {
        const uint32_t seats = begins->block[b].doubles_kept * g->packet;
        s.edges[b] = (seats + 1) / 2;
        s.spare[b] = seats % 2;
    }
    enum ec_code code = mixed_seating_open(t, s.edges, &s.seats, reterr);
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
