/* SPDX-License-Identifier: Apache-2.0 */
/* The dual of a schedule: the same steps in reverse order, with every transfer backwards. Knows the
 * lists of a schedule; must not know topologies or algorithms. */
#include <stdio.h>
#include <stdlib.h>

#include "schedule/plan/plan.h"

/* The dual of an element begins at the target of the element. */
static uint32_t dual(const struct ec_schedule *s, uint32_t element)
{
    return s->target[element].node * s->per_node + s->target[element].slot;
}

/* True if targets are a bijection of the slots and all elements exist. */
static bool can_reverse(const struct ec_schedule *s, unsigned char *taken)
{
    const uint32_t elements = s->holders * s->per_node;

    for (uint32_t e = 0; e < elements; e++) {
        if (s->target[e].node >= s->holders || s->target[e].slot >= s->per_node ||
            taken[dual(s, e)]++)
            return false;
    }
    for (size_t i = 0; i < s->carried_count; i++) {
        if (s->carried[i].element >= elements)
            return false;
    }
    for (size_t i = 0; i < s->move_count; i++) {
        if (s->moves[i].element >= elements)
            return false;
    }
    return true;
}

static void reverse_move(struct plan *p, const struct ec_schedule *s, const struct ec_local_move *m,
                         uint32_t *slot)
{
    plan_move(p, s->steps + 2 - m->step, dual(s, m->element), slot[m->element]);
    slot[m->element] = m->slot;
}

/* Walks forward through the schedule to find the slots that elements leave; plan_finish() sorts. */
static void reverse_steps(struct plan *p, const struct ec_schedule *s, uint32_t *slot)
{
    size_t next = 0;

    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        for (; next < s->move_count && s->moves[next].step <= x->step; next++)
            reverse_move(p, s, &s->moves[next], slot);
        plan_transfer(p, s->steps + 1 - x->step, x->dst, x->src);
        for (uint32_t k = 0; k < x->count; k++) {
            const struct ec_carried *c = &s->carried[x->first + k];
            plan_carry(p, dual(s, c->element), slot[c->element]);
            slot[c->element] = c->slot;
        }
    }
    for (; next < s->move_count; next++)
        reverse_move(p, s, &s->moves[next], slot);
}

enum ec_code ec_schedule_reverse(const struct ec_schedule *s, struct ec_schedule **ret,
                                 struct ec_error *reterr)
{
    const uint32_t elements = s->holders * s->per_node;
    struct ec_schedule *r = calloc(1, sizeof *r);
    uint32_t *slot = malloc((size_t)elements * sizeof *slot);
    unsigned char *taken = calloc(elements, 1);
    struct plan p = {.s = r};
    enum ec_code code = EC_OK;

    if (r)
        r->target = malloc((size_t)elements * sizeof *r->target);
    if (!r || !slot || !taken || !r->target) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the dual of a schedule");
    } else if (!can_reverse(s, taken)) {
        code =
            ec_fail(reterr, EC_USAGE,
                    "schedule '%s' has no dual: expected a different target for each element, and "
                    "elements and slots that exist",
                    s->algorithm);
    } else if ((size_t)snprintf(r->algorithm, sizeof r->algorithm, "%s, reversed", s->algorithm) >=
               sizeof r->algorithm) {
        code = ec_fail(reterr, EC_USAGE, "schedule '%s' cannot be reversed: its name is too long",
                       s->algorithm);
    } else {
        r->nodes = s->nodes;
        r->per_node = s->per_node;
        r->holders = s->holders;
        r->words = s->words;
        r->all_ports = s->all_ports;
        r->routed = s->routed;
        for (uint32_t e = 0; e < elements; e++) {
            slot[e] = e % s->per_node;
            r->target[dual(s, e)] = (struct ec_place){e / s->per_node, e % s->per_node};
        }
        reverse_steps(&p, s, slot);
        code = plan_finish(&p, reterr);
    }
    free(slot);
    free(taken);
    if (code == EC_OK)
        *ret = r;
    else
        ec_schedule_close(r);
    return code;
}
