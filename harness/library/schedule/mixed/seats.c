/* SPDX-License-Identifier: Apache-2.0 */
/* Which two elements of a node form a seat. Knows storage bits and the parities of blocks; must not
 * know steps.
 *
 * A v-group is the 2^(beta + 1) slots that differ in the alpha_0s and in v. After alignment (every
 * alpha_0 xor the parity of its block), a slot and its complement form a point, so a group has
 * 2^beta points. Each point is a seat of elements that exchange alpha_0s only. An edge, two points
 * that differ in v and one alpha_0, is two seats that may also exchange v in that block. If v is no
 * storage dimension, a group has half as many points, and edges differ in one alpha_0 alone. */
#include <stdlib.h>

#include "schedule/mixed/mixed.h"

#define IN "algorithm %.60s: "

struct seater {
    const struct mixed_gsh *g;
    uint32_t alphas, v; /* bits of slots; v = 0: EC_EXCHANGE_PARITY */
    unsigned points;    /* of a group */
    uint32_t groups;
    uint32_t *base;   /* of the groups, ascending */
    bool *taken;      /* [group * points + point] */
    uint32_t touched; /* groups before this one have been used */
    uint32_t whole;   /* groups before this one are full */
};

/* The frames of a seating's seats, in this order; one per block from FRAME_START on. */
enum { FRAME_PLAIN, FRAME_PLAIN_V, FRAME_START };

/* Bit b of x becomes the bit of alpha_0 of block b. */
static uint32_t spread_bits(const struct mixed_gsh *g, uint32_t x)
{
    uint32_t slot = 0;

    for (unsigned b = 0; b < g->blocks; b++)
        slot |= (x >> b & 1) << g->block[b].dim[0];
    return slot;
}

/* Point x is {x, v = 0}, or {x}, and its complement. Its partner in block b has v and alpha_0
 * inverted. With one block that is the point itself: both points of the group are free to start. */
static unsigned partner(const struct seater *s, unsigned x, unsigned b)
{
    if (s->g->blocks == 1)
        return x ^ 1;
    const unsigned y = x ^ 1U << b ^ (s->v ? s->points : 0);
    return y & s->points ? y ^ (2 * s->points - 1) : y;
}

/* All groups that have every slot. */
static enum ec_code find_groups(struct seater *s, struct ec_error *reterr)
{
    const uint32_t all = s->alphas | s->v;

    free(s->base);
    free(s->taken);
    s->points = UINT32_C(1) << s->g->blocks >> (s->v ? 0 : 1);
    s->groups = 0;
    for (uint32_t slot = 0; slot < s->g->per_node; slot++)
        s->groups += !(slot & all) && (slot | all) < s->g->per_node;
    s->base = malloc((s->groups + 1) * sizeof *s->base);
    s->taken = calloc((size_t)s->groups * s->points + 1, sizeof *s->taken);
    if (!s->base || !s->taken)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < s->g->per_node; slot++) {
        if (!(slot & all) && (slot | all) < s->g->per_node)
            s->base[count++] = slot;
    }
    s->touched = 0;
    s->whole = 0;
    return EC_OK;
}

/* Where an edge of block b is tried: at the point `next` of `group` or after it, among points with
 * `crowd` - 1 neighbours that are taken, or fewer. Edges next to each other leave more room for
 * others. */
struct place {
    uint32_t group, touched, whole; /* the last two: as they were before */
    unsigned b, crowd, next, point;
};

static void first_place(const struct seater *s, struct place *p)
{
    p->group = p->whole = s->whole;
    p->touched = s->touched;
    p->crowd = 2 * s->g->blocks + 1;
    p->next = 0;
}

static unsigned crowd(const struct seater *s, const bool *taken, unsigned x, unsigned y)
{
    unsigned count = 1;

    for (unsigned b = 0; b < s->g->blocks; b++)
        count += taken[partner(s, x, b)] + taken[partner(s, y, b)];
    return count;
}

/* Find the next place where both points are free. In an empty group, all points are alike. */
static bool next_place(const struct seater *s, struct place *p)
{
    for (; p->crowd; p->crowd--, p->group = s->whole) {
        for (; p->group < s->groups && p->group <= s->touched; p->group++, p->next = 0) {
            const bool *taken = &s->taken[(size_t)p->group * s->points];
            const unsigned end = p->group == s->touched ? 1 : s->points;
            while (p->next < end) {
                const unsigned x = p->next++, y = partner(s, x, p->b);
                p->point = x;
                if (!taken[x] && !taken[y] && crowd(s, taken, x, y) == p->crowd)
                    return true;
            }
        }
    }
    return false;
}

static void set_taken(struct seater *s, const struct place *p, bool taken)
{
    bool *group = &s->taken[(size_t)p->group * s->points];

    group[p->point] = taken;
    group[partner(s, p->point, p->b)] = taken;
    s->touched = p->touched;
    s->whole = p->whole;
    if (!taken)
        return;
    s->touched += p->group == s->touched;
    for (bool full = true; full && s->whole < s->touched;) {
        for (unsigned x = 0; x < s->points; x++)
            full = full && s->taken[(size_t)s->whole * s->points + x];
        s->whole += full;
    }
}

/* Edges to take back in a search: enough for all sets of blocks that we know (see the document). */
#define RETRIES_MAX 20000

/* Find places for all edges. Returns for how many there is room. */
static uint32_t place_edges(struct seater *s, struct place *place, uint32_t wanted)
{
    uint32_t k = 0, most = 0, retries = 0;

    first_place(s, place);
    while (k < wanted) {
        if (next_place(s, &place[k])) {
            set_taken(s, &place[k], true);
            if (++k < wanted)
                first_place(s, &place[k]);
            most = k > most ? k : most;
        } else if (k == 0 || retries++ == RETRIES_MAX) {
            break;
        } else {
            set_taken(s, &place[--k], false);
        }
    }
    return most;
}

/* The two seats of an edge. With one block, inverting v and alpha_0 gives the same point; inverting
 * v, the other. */
static void seat_edge(const struct seater *s, const struct place *p, struct mixed_seat *two)
{
    const uint32_t base = s->base[p->group] | spread_bits(s->g, p->point);
    const uint32_t other = s->g->blocks == 1 ? base : base ^ spread_bits(s->g, 1U << p->b);

    two[0] = (struct mixed_seat){base, (uint8_t)(FRAME_START + p->b)};
    two[1] = (struct mixed_seat){other | s->v, (uint8_t)(FRAME_START + p->b)};
}

/* Frames of the seats: plain seats, plain seats of groups with edges, edges. */
static void add_frames(const struct seater *s, struct mixed_table *t)
{
    struct mixed_frame f = mixed_plain_frame(s->g);

    mixed_frame_add(t, f);
    f.across |= s->v;
    mixed_frame_add(t, f);
    for (unsigned b = 0; b < s->g->blocks; b++) {
        struct mixed_frame start = f;
        start.odd[b] = s->v;
        if (!s->v)
            start.summed = f.odd[b] | s->g->block[b].nodes << s->g->storage;
        mixed_frame_add(t, start);
    }
}

/* Everything that is not in edges: points left over in groups with edges, pairs elsewhere. */
static enum ec_code seat_others(const struct seater *s, struct mixed_seating *ret,
                                struct ec_error *reterr)
{
    const bool **taken_at = calloc(s->g->per_node, sizeof *taken_at);

    if (!taken_at)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    for (uint32_t i = 0; i < s->touched; i++)
        taken_at[s->base[i]] = &s->taken[(size_t)i * s->points];
    for (uint32_t slot = 0; slot < s->g->per_node; slot++) {
        const bool *taken = taken_at[slot & ~s->v];
        if (slot & s->alphas || (taken && slot & s->v))
            continue;
        const unsigned seats = taken ? s->points : UINT32_C(1) << s->g->blocks >> 1;
        for (unsigned x = 0; x < seats; x++) {
            if (!taken || !taken[x])
                ret->plain[ret->plains++] = (struct mixed_seat){
                    slot | spread_bits(s->g, x), taken ? FRAME_PLAIN_V : FRAME_PLAIN};
        }
    }
    free(taken_at);
    return EC_OK;
}

static enum ec_code no_room(const struct seater *s, uint32_t wanted, uint32_t room,
                            struct ec_error *reterr)
{
    return ec_fail(reterr, EC_USAGE,
                   IN "%u pairs of rows do not start in the first dimension of their block, but "
                      "K=%u elements, in groups of %u, have room for %u: use a larger K, or "
                      "'parity'",
                   s->g->name, wanted, s->g->per_node, 2 * s->points, room);
}

/* The lowest free storage dimension with room for the edges becomes v. */
static enum ec_code find_edges(struct seater *s, struct place *place, bool parity,
                               struct mixed_seating *ret, struct ec_error *reterr)
{
    uint32_t most = 0;

    for (unsigned v = 0; v < (parity ? 1 : s->g->storage); v++) {
        s->v = parity ? 0 : UINT32_C(1) << v;
        if (s->v & s->alphas)
            continue;
        const enum ec_code code = find_groups(s, reterr);
        if (code)
            return code;
        const uint32_t room = place_edges(s, place, ret->edges);
        if (room == ret->edges) {
            ret->v = parity ? EC_EXCHANGE_PARITY : (uint8_t)v;
            for (uint32_t k = 0; k < room; k++)
                seat_edge(s, &place[k], &ret->edge[2 * (size_t)k]);
            return EC_OK;
        }
        most = room > most ? room : most;
    }
    return no_room(s, ret->edges, most, reterr);
}

enum ec_code mixed_seating_open(struct mixed_table *t, const uint32_t *edges, bool parity,
                                struct mixed_seating *ret, struct ec_error *reterr)
{
    const struct mixed_gsh *g = t->g;
    struct seater s = {.g = g, .alphas = mixed_plain_frame(g).across, .points = 1U << g->blocks};
    struct mixed_seating seating = {0};
    enum ec_code code = EC_OK;

    for (unsigned b = 0; edges && b < g->blocks; b++) {
        seating.first[b] = seating.edges;
        seating.edges += edges[b];
    }
    struct place *place = malloc(((size_t)seating.edges + 1) * sizeof *place);
    seating.edge = malloc((2 * (size_t)seating.edges + 1) * sizeof *seating.edge);
    seating.plain = malloc(g->per_node / 2 * sizeof *seating.plain);
    if (!place || !seating.edge || !seating.plain)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    for (unsigned b = 0; code == EC_OK && edges && b < g->blocks; b++) {
        for (uint32_t k = 0; k < edges[b]; k++)
            place[seating.first[b] + k].b = b;
    }
    if (code == EC_OK && seating.edges)
        code = find_edges(&s, place, parity, &seating, reterr);
    if (code == EC_OK)
        code = seat_others(&s, &seating, reterr);
    if (code == EC_OK) {
        add_frames(&s, t);
        *ret = seating;
    } else {
        mixed_seating_close(&seating);
    }
    free(place);
    free(s.base);
    free(s.taken);
    return code;
}

void mixed_seating_close(struct mixed_seating *s)
{
    free(s->edge);
    free(s->plain);
}
