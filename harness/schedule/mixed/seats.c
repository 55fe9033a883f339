/* SPDX-License-Identifier: Apache-2.0 */
/* Which two elements of a node form a seat. Knows storage bits and the parities of blocks; must not
 * know steps.
 *
 * A v-group is the 2^(beta + 1) slots that differ in the alpha_0s and in v. After alignment (every
 * alpha_0 xor the parity of its block), a slot and its complement form a point, so a group has
 * 2^beta points. Each point is a seat of elements that exchange alpha_0s only. An edge, two points
 * that differ in v and one alpha_0, is two seats that may also exchange v in that block. */
#include <stdlib.h>

#include "schedule/mixed/mixed.h"

#define IN "algorithm %.60s: "

struct seater {
    const struct mixed_gsh *g;
    uint32_t alphas, v; /* bits of slots */
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

/* Point x is {x, v = 0} and its complement; its partner in block b has v and alpha_0 inverted. With
 * one block that is the point itself: both points of the group are free to start. */
static unsigned partner(const struct seater *s, unsigned x, unsigned b)
{
    return s->g->blocks == 1 ? x ^ 1 : (x ^ 1U << b) ^ (s->points - 1);
}

/* All groups that have every slot. */
static enum ec_code find_groups(struct seater *s, struct ec_error *reterr)
{
    const uint32_t all = s->alphas | s->v;

    free(s->base);
    free(s->taken);
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

/* How many neighbours of a point are taken: edges next to each other leave more room for others. */
static unsigned crowd(const struct seater *s, const bool *taken, unsigned x)
{
    unsigned count = 0;

    for (unsigned b = 0; b < s->g->blocks; b++)
        count += taken[partner(s, x, b)];
    return count;
}

/* Take an edge of block b. False: none is left. */
static bool take_edge(struct seater *s, unsigned b, uint32_t *ret_group, unsigned *ret_point)
{
    unsigned best = 0;
    bool found = false;

    for (uint32_t i = s->whole; i < s->groups && i <= s->touched; i++) {
        const bool *taken = &s->taken[(size_t)i * s->points];
        for (unsigned x = 0; x < s->points; x++) {
            const unsigned y = partner(s, x, b);
            if (taken[x] || taken[y])
                continue;
            const unsigned score = 1 + crowd(s, taken, x) + crowd(s, taken, y);
            if (score <= best)
                continue;
            best = score;
            *ret_group = i;
            *ret_point = x;
            found = true;
        }
    }
    if (!found)
        return false;
    s->taken[(size_t)*ret_group * s->points + *ret_point] = true;
    s->taken[(size_t)*ret_group * s->points + partner(s, *ret_point, b)] = true;
    s->touched += *ret_group == s->touched;
    for (bool full = true; full && s->whole < s->touched;) {
        for (unsigned x = 0; x < s->points; x++)
            full = full && s->taken[(size_t)s->whole * s->points + x];
        s->whole += full;
    }
    return true;
}

/* Take edges for all blocks. Returns how many there is room for. */
static uint32_t take_edges(struct seater *s, const uint32_t *edges, struct mixed_seating *ret)
{
    uint32_t taken = 0;

    for (unsigned b = 0; b < s->g->blocks; b++) {
        for (uint32_t j = 0; j < edges[b]; j++, taken++) {
            uint32_t group = 0;
            unsigned x = 0;
            if (!take_edge(s, b, &group, &x))
                return taken;
            const uint32_t base = s->base[group] | spread_bits(s->g, x);
            /* With one block, inverting v and alpha_0 gives the same point; inverting v, the other.
             */
            const uint32_t other = s->g->blocks == 1 ? base : base ^ spread_bits(s->g, 1U << b);
            ret->edge[2 * taken] = (struct mixed_seat){base, (uint8_t)(FRAME_START + b)};
            ret->edge[2 * taken + 1] =
                (struct mixed_seat){other | s->v, (uint8_t)(FRAME_START + b)};
        }
    }
    return taken;
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
        const unsigned seats = UINT32_C(1) << s->g->blocks >> (taken ? 0 : 1);
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
                      "'pipelined'",
                   s->g->name, wanted, s->g->per_node, 2 * s->points, room);
}

/* The lowest free storage dimension with room for the edges becomes v. */
static enum ec_code find_edges(struct seater *s, const uint32_t *edges, uint32_t wanted,
                               struct mixed_seating *ret, struct ec_error *reterr)
{
    uint32_t most = 0;

    for (unsigned v = 0; v < s->g->storage; v++) {
        s->v = UINT32_C(1) << v;
        if (s->v & s->alphas)
            continue;
        const enum ec_code code = find_groups(s, reterr);
        if (code)
            return code;
        const uint32_t room = take_edges(s, edges, ret);
        if (room == wanted) {
            ret->v = (uint8_t)v;
            return EC_OK;
        }
        most = room > most ? room : most;
    }
    return no_room(s, wanted, most, reterr);
}

enum ec_code mixed_seating_open(struct mixed_table *t, const uint32_t *edges,
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
    seating.edge = malloc((2 * (size_t)seating.edges + 1) * sizeof *seating.edge);
    seating.plain = malloc(g->per_node / 2 * sizeof *seating.plain);
    if (!seating.edge || !seating.plain)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the seats of a schedule");
    if (code == EC_OK && seating.edges)
        code = find_edges(&s, edges, seating.edges, &seating, reterr);
    if (code == EC_OK)
        code = seat_others(&s, &seating, reterr);
    if (code == EC_OK) {
        add_frames(&s, t);
        *ret = seating;
    } else {
        mixed_seating_close(&seating);
    }
    free(s.base);
    free(s.taken);
    return code;
}

void mixed_seating_close(struct mixed_seating *s)
{
    free(s->edge);
    free(s->plain);
}
