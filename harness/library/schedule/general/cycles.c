/* SPDX-License-Identifier: Apache-2.0 */
/* Any dimension permutation, cycle by cycle. Knows how to split a permutation into parts and how to
 * join their schedules; must not know how the parts move. */
#include <stdlib.h>

#include "schedule/general/general.h"

#define PARTS_MAX (EC_SDP_DIMS_MAX / 2 + 2)

/* The parts of a permutation; local moves do the rest. */
struct parts {
    struct ec_sdp at[PARTS_MAX];
    unsigned count;
    bool mixed; /* at[0] is all mixed cycles together, the others are real */
};

/* The state between parts, when each element is in a slot 0..K-1. */
struct joint {
    struct plan *p;
    uint32_t *element; /* [nodes * K] the element in this place */
    uint32_t *slot;    /* [elements] its slot, after all moves */
    size_t *moved;     /* [elements] its last local move, as index + 1; 0: none */
    uint32_t steps;    /* so far */
    bool one_port;     /* of all algorithms */
};

/* A part of the elements: slots first..first + size - 1 of every node, group `index` of `count`. */
struct group {
    uint32_t first, size, index, count;
};

static void add_cycle(struct ec_sdp *to, const struct ec_sdp *s, const struct ec_sdp_cycle *c)
{
    for (unsigned i = 0; i < c->length; i++) {
        to->from[c->dim[i]] = s->from[c->dim[i]];
        to->complement |= s->complement & UINT64_C(1) << c->dim[i];
    }
}

/* `together`: all pairs of processor bits make one part. */
static void split(const struct ec_sdp *s, bool together, struct parts *ret)
{
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
    const struct ec_sdp none = ec_sdp_identity(s->storage, s->processor);
    struct ec_sdp mixed = none, pairs = none, inverted = none, real[PARTS_MAX];
    unsigned reals = 0;
    const unsigned count = ec_sdp_cycles(s, cycles);

    for (unsigned i = 0; i < count; i++) {
        struct ec_sdp one = none;
        add_cycle(&one, s, &cycles[i]);
        const enum ec_sdp_kind kind = ec_sdp_classify(&one).kind;
        if (kind == EC_SDP_MIXED)
            add_cycle(&mixed, s, &cycles[i]);
        else if (together && kind == EC_SDP_REAL && cycles[i].length == 2 &&
                 (cycles[i].complement == 0 || cycles[i].complement == 3))
            add_cycle(&pairs, s, &cycles[i]);
        else if (kind == EC_SDP_REAL)
            real[reals++] = one;
    }
    for (unsigned i = s->storage; i < s->storage + s->processor; i++) {
        if (s->from[i] == i)
            inverted.complement |= s->complement & UINT64_C(1) << i;
    }
    *ret = (struct parts){.mixed = ec_sdp_classify(&mixed).order > 0};
    if (ret->mixed)
        ret->at[ret->count++] = mixed;
    if (ec_sdp_classify(&pairs).order > 0)
        ret->at[ret->count++] = pairs;
    for (unsigned i = 0; i < reals; i++)
        ret->at[ret->count++] = real[i];
    if (inverted.complement)
        ret->at[ret->count++] = inverted;
}

/* The same permutation of processor dimensions behind `storage` others. */
static struct ec_sdp behind(const struct ec_sdp *s, unsigned storage)
{
    struct ec_sdp moved = ec_sdp_identity(storage, s->processor);

    for (unsigned b = 0; b < s->processor; b++)
        moved.from[storage + b] = (uint8_t)(s->from[s->storage + b] - s->storage + storage);
    moved.complement = s->complement >> s->storage << storage;
    return moved;
}

static void move_locally(struct joint *j, uint32_t step, uint32_t element, uint32_t slot)
{
    struct ec_schedule *s = j->p->s;

    /* The last move of one part and the first of the next may be in one step: make it one move. */
    if (j->moved[element] && s->moves[j->moved[element] - 1].step == step) {
        s->moves[j->moved[element] - 1].slot = slot;
    } else {
        const size_t before = s->move_count;
        plan_move(j->p, step, element, slot);
        j->moved[element] = s->move_count > before ? s->move_count : 0;
    }
    j->slot[element] = slot;
}

/* A slot of a part's schedule in the whole memory: its own slots, or those beyond K. */
static uint32_t whole_slot(const struct joint *j, const struct group *g, uint32_t slot)
{
    return slot < g->size ? g->first + slot
                          : j->p->w->per_node + (slot - g->size) * g->count + g->index;
}

/* The element that is where element `e` of the part begins. */
static uint32_t element_at(const struct joint *j, const struct group *g, uint32_t e)
{
    return j->element[e / g->size * j->p->w->per_node + g->first + e % g->size];
}

/* Append the schedule `s` of a group to the steps so far. */
static enum ec_code join(struct joint *j, const struct group *g, const struct ec_schedule *s,
                         struct ec_error *reterr)
{
    const uint32_t elements = s->nodes * s->per_node;
    size_t next_move = 0;

    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        for (; next_move < s->move_count && s->moves[next_move].step <= x->step; next_move++) {
            const struct ec_local_move *m = &s->moves[next_move];
            move_locally(j, j->steps + m->step, element_at(j, g, m->element),
                         whole_slot(j, g, m->slot));
        }
        plan_transfer(j->p, j->steps + x->step, x->src, x->dst);
        for (uint32_t c = 0; c < x->count && !j->p->memory_short; c++) {
            const struct ec_carried *carried = &s->carried[x->first + c];
            const uint32_t element = element_at(j, g, carried->element);
            j->slot[element] = whole_slot(j, g, carried->slot);
            plan_carry(j->p, element, j->slot[element]);
        }
    }
    for (; next_move < s->move_count; next_move++) {
        const struct ec_local_move *m = &s->moves[next_move];
        move_locally(j, j->steps + m->step, element_at(j, g, m->element),
                     whole_slot(j, g, m->slot));
    }
    uint32_t *arrived = malloc(elements * sizeof *arrived);
    if (!arrived)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    for (uint32_t e = 0; e < elements; e++)
        arrived[s->target[e].node * g->size + s->target[e].slot] = element_at(j, g, e);
    for (uint32_t place = 0; place < elements; place++)
        j->element[place / g->size * j->p->w->per_node + g->first + place % g->size] =
            arrived[place];
    free(arrived);
    return EC_OK;
}

/* One part of the permutation for one group of the elements. Raises *ret_steps to its steps. */
static enum ec_code do_part(struct joint *j, const struct ec_sdp *part, const struct group *g,
                            uint32_t *ret_steps, struct ec_error *reterr)
{
    static const struct plan_algorithm *const families[] = {plan_mixed_algorithms,
                                                            plan_real_algorithms, NULL};
    unsigned storage = part->storage;
    struct ec_schedule *s;

    if (g->count > 1) {
        for (storage = 0; UINT32_C(1) << storage < g->size;)
            storage++;
    }
    struct ec_sdp sdp = storage == part->storage ? *part : behind(part, storage);
    const struct ec_workload w = {.text = "a part of the permutation",
                                  .name = "gsh",
                                  .nodes = j->p->w->nodes,
                                  .holders = j->p->w->holders,
                                  .sdp = &sdp,
                                  .per_node = g->size,
                                  .words = j->p->w->words};
    enum ec_code code =
        general_fastest(j->p->t, &w, j->p->block, families, j->one_port, &s, reterr);
    if (code)
        return code;
    code = join(j, g, s, reterr);
    if (s->steps > *ret_steps)
        *ret_steps = s->steps;
    ec_schedule_close(s);
    return code;
}

static enum ec_code open_joint(struct joint *j, struct plan *p, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    const enum ec_code code = plan_bit_elements(p, reterr);

    *j = (struct joint){.p = p};
    if (code)
        return code;
    const uint32_t elements = w->nodes * w->per_node;
    j->element = malloc(elements * sizeof *j->element);
    j->slot = malloc(elements * sizeof *j->slot);
    j->moved = calloc(elements, sizeof *j->moved);
    if (!j->element || !j->slot || !j->moved)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    for (uint32_t e = 0; e < elements; e++) {
        j->element[e] = e;
        j->slot[e] = e % w->per_node;
    }
    return EC_OK;
}

/* The rest are local moves. */
static void close_joint(struct joint *j, enum ec_code code)
{
    for (uint32_t e = 0; code == EC_OK && e < j->p->w->nodes * j->p->w->per_node; e++) {
        if (j->slot[e] != j->p->s->target[e].slot)
            move_locally(j, j->steps + 1, e, j->p->s->target[e].slot);
    }
    free(j->element);
    free(j->slot);
    free(j->moved);
}

enum ec_code general_cycles(struct plan *p, struct ec_error *reterr)
{
    const bool one_port = !p->algorithm->all_ports;
    struct joint j;
    struct parts parts;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    split(p->w->sdp, !one_port, &parts);
    code = open_joint(&j, p, reterr);
    j.one_port = one_port;
    for (unsigned i = 0; code == EC_OK && i < parts.count; i++) {
        uint32_t steps = 0;
        code = do_part(&j, &parts.at[i], &(struct group){0, p->w->per_node, 0, 1}, &steps, reterr);
        j.steps += steps;
    }
    close_joint(&j, code);
    return code;
}

/* Group `index` of `count`. If K is even, pairs stay together, since A1 needs them. */
static struct group group_of(uint32_t per_node, uint32_t index, uint32_t count)
{
    const uint32_t unit = per_node % 2 ? 1 : 2, units = per_node / unit;
    const uint32_t first = (uint32_t)((uint64_t)units * index / count);
    const uint32_t next = (uint32_t)((uint64_t)units * (index + 1) / count);

    return (struct group){first * unit, (next - first) * unit, index, count};
}

enum ec_code general_cycles_concurrent(struct plan *p, struct ec_error *reterr)
{
    struct joint j;
    struct parts parts;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    split(p->w->sdp, true, &parts);
    const struct ec_sdp *real = parts.at + parts.mixed;
    const unsigned count = parts.count - parts.mixed;
    if (count < 2)
        return ec_fail(
            reterr, EC_USAGE,
            "%s: expected two parts of processor dimensions, or more; %s has %u: use cycles",
            p->s->algorithm, p->w->text, count);
    code = open_joint(&j, p, reterr);
    if (code == EC_OK && parts.mixed) {
        uint32_t steps = 0;
        code = do_part(&j, &parts.at[0], &(struct group){0, p->w->per_node, 0, 1}, &steps, reterr);
        j.steps += steps;
    }
    for (unsigned turn = 0; code == EC_OK && turn < count; turn++) {
        uint32_t steps = 0;
        for (unsigned i = 0; code == EC_OK && i < count; i++) {
            const struct group g = group_of(p->w->per_node, i, count);
            if (g.size)
                code = do_part(&j, &real[(i + turn) % count], &g, &steps, reterr);
        }
        j.steps += steps;
    }
    close_joint(&j, code);
    return code;
}
