/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of permutations under test: opened, audited, and their targets compared with a
 * bit-level definition written here. */
#ifndef EC_TEST_GSH_H
#define EC_TEST_GSH_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/schedule.h"

/* Where the element of `slot` at `node` has to go, bit by bit. */
static inline struct ec_place target_of(const struct ec_sdp *s, uint32_t node, uint32_t slot)
{
    struct ec_place to = {0, 0};

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        const unsigned f = s->from[i];
        const uint32_t old = f < s->storage ? slot >> f & 1 : node >> (f - s->storage) & 1;
        const uint32_t bit = old != (s->complement >> i & 1);
        if (i < s->storage)
            to.slot |= bit << i;
        else
            to.node |= bit << (i - s->storage);
    }
    return to;
}

/* Fails if two elements ever share a slot between steps: every slot is left before others are
 * taken, by the moves before a step as by its transfers. */
static inline void assert_slots(const struct ec_schedule *s, const char *what)
{
    const uint32_t elements = s->holders * s->per_node;
    uint32_t room = s->per_node;
    size_t move = 0, transfer = 0;

    for (size_t i = 0; i < s->carried_count; i++)
        room = s->carried[i].slot >= room ? s->carried[i].slot + 1 : room;
    for (size_t i = 0; i < s->move_count; i++)
        room = s->moves[i].slot >= room ? s->moves[i].slot + 1 : room;
    struct ec_place *at = malloc(elements * sizeof *at);
    bool *taken = calloc((size_t)s->nodes * room, sizeof *taken);
    assert_true(at && taken);
    for (uint32_t e = 0; e < elements; e++) {
        at[e] = (struct ec_place){e / s->per_node, e % s->per_node};
        taken[(size_t)at[e].node * room + at[e].slot] = true;
    }
    for (uint32_t step = 1; step <= s->steps + 1; step++) {
        const size_t first_move = move, first_transfer = transfer;
        for (; move < s->move_count && s->moves[move].step == step; move++) {
            const struct ec_place from = at[s->moves[move].element];
            taken[(size_t)from.node * room + from.slot] = false;
        }
        for (size_t i = first_move; i < move; i++) {
            struct ec_place *to = &at[s->moves[i].element];
            to->slot = s->moves[i].slot;
            if (taken[(size_t)to->node * room + to->slot])
                fail_msg("%s: a move before step %u into a slot in use", what, step);
            taken[(size_t)to->node * room + to->slot] = true;
        }
        for (; transfer < s->transfer_count && s->transfers[transfer].step == step; transfer++) {
            const struct ec_transfer *x = &s->transfers[transfer];
            for (uint32_t c = x->first; c < x->first + x->count; c++) {
                const struct ec_place from = at[s->carried[c].element];
                taken[(size_t)from.node * room + from.slot] = false;
            }
        }
        for (size_t i = first_transfer; i < transfer; i++) {
            const struct ec_transfer *x = &s->transfers[i];
            for (uint32_t c = x->first; c < x->first + x->count; c++) {
                const struct ec_place to = {x->dst, s->carried[c].slot};
                at[s->carried[c].element] = to;
                if (taken[(size_t)to.node * room + to.slot])
                    fail_msg("%s: step %u puts two elements into a slot", what, step);
                taken[(size_t)to.node * room + to.slot] = true;
            }
        }
    }
    assert_true(move == s->move_count && transfer == s->transfer_count);
    free(at);
    free(taken);
}

/* Open, audit and close; fails unless the schedule is valid and has the right targets. */
static inline struct ec_schedule_audit audited(const char *topology, const char *workload,
                                               const char *algorithm)
{
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(workload, &t);
    struct ec_schedule *s = NULL;
    struct ec_schedule_audit a;
    struct ec_error error;

    if (ec_schedule_open(&t, w, algorithm, &s, &error) != EC_OK)
        fail_msg("%s %s %s: %s", topology, workload, algorithm, error.message);
    for (uint32_t e = 0; e < s->holders * s->per_node; e++) {
        const struct ec_place to = target_of(w->sdp, e / s->per_node, e % s->per_node);
        if (s->target[e].node != to.node || s->target[e].slot != to.slot)
            fail_msg("%s %s %s: element %u has the wrong target", topology, workload, algorithm, e);
    }
    if (ec_schedule_audit(&t, &low_first, s, &a, &error) != EC_OK)
        fail_msg("%s", error.message);
    if (!a.valid || a.max_step_load > 1)
        fail_msg("%s %s %s: %s", topology, workload, algorithm, a.defect);
    if (a.steps != s->steps)
        fail_msg("%s %s %s: %u steps with transfers, %u in all", topology, workload, algorithm,
                 a.steps, s->steps);
    assert_slots(s, s->algorithm);
    ec_schedule_close(s);
    ec_workload_close(w);
    return a;
}

/* A real cycle of r processor dimensions behind k storage dimensions; bit i of `inverted`: the i-th
 * from the left. "gsh:cycle=~5-4,K=16". */
static inline void real_cycle(char *text, size_t size, unsigned r, uint32_t per_node,
                              unsigned inverted)
{
    unsigned k = 0;
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");

    while (UINT32_C(1) << k < per_node)
        k++;
    for (unsigned i = 0; i < r; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%u", i ? "-" : "",
                                 inverted >> i & 1 ? "~" : "", k + r - 1 - i);
    snprintf(text + used, size - used, ",K=%u", per_node);
}

#endif
