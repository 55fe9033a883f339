/* SPDX-License-Identifier: Apache-2.0 */
/* Elements followed along what a run delivered. Knows schedules and the cycles of their messages;
 * must not know how the messages were ordered: a message that left too early is found here.
 *
 * Nodes follow from deliveries, slots from the schedule: where in its memory a node puts what has
 * arrived is no business of the network. */
#include "run/placement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct element {
    struct ec_place at;
    uint64_t since; /* cycle in which it arrived there; 0: it was there from the beginning */
};

/* The local moves of the steps up to `step`. Moves of one step happen at once: each of them tells
 * the new slot of its own element. */
static size_t make_moves(const struct ec_schedule *s, struct element *elements, size_t next,
                         uint32_t step)
{
    const size_t count = (size_t)s->holders * s->per_node;
    for (; next < s->move_count && s->moves[next].step <= step; next++) {
        if (s->moves[next].element < count)
            elements[s->moves[next].element].at.slot = s->moves[next].slot;
    }
    return next;
}

static bool carry(const struct ec_schedule *s, const struct ec_message *messages,
                  struct element *elements, size_t i, const uint64_t *started,
                  const uint64_t *delivered, char *why, size_t size)
{
    const struct ec_transfer *t = &s->transfers[i];
    if (messages[i].words != (uint64_t)t->count * s->words) {
        snprintf(why, size,
                 "step %" PRIu32 ": node %" PRIu32 " sends %" PRIu32 " elements of %" PRIu32
                 " words in a message of %" PRIu32 " words",
                 t->step, t->src, t->count, s->words, messages[i].words);
        return false;
    }
    for (uint32_t k = 0; k < t->count; k++) {
        const struct ec_carried *c = &s->carried[t->first + k];
        if (c->element >= (uint64_t)s->holders * s->per_node) {
            snprintf(why, size, "step %" PRIu32 ": there is no element %" PRIu32, t->step,
                     c->element);
            return false;
        }
        struct element *e = &elements[c->element];
        if (e->at.node != t->src || e->since >= started[i]) {
            snprintf(why, size,
                     "step %" PRIu32 ": node %" PRIu32 " began in cycle %" PRIu64
                     " to send element %" PRIu32 ", which was in node %" PRIu32
                     " from cycle %" PRIu64 " on",
                     t->step, t->src, started[i], c->element, e->at.node, e->since);
            return false;
        }
        *e = (struct element){.at = {t->dst, c->slot}, .since = delivered[i]};
    }
    return true;
}

static bool at_targets(const struct ec_schedule *s, const struct element *elements, char *why,
                       size_t size)
{
    const size_t count = (size_t)s->holders * s->per_node;
    for (size_t i = 0; i < count; i++) {
        const struct ec_place *is = &elements[i].at, *should = &s->target[i];
        if (is->node == should->node && is->slot == should->slot)
            continue;
        snprintf(why, size,
                 "element %zu ended in node %" PRIu32 " slot %" PRIu32
                 ", its target is node %" PRIu32 " slot %" PRIu32,
                 i, is->node, is->slot, should->node, should->slot);
        return false;
    }
    return true;
}

bool placement_follow(const struct ec_schedule *s, const struct ec_message *messages,
                      const uint64_t *started, const uint64_t *delivered, char *why, size_t size)
{
    const size_t count = (size_t)s->holders * s->per_node;
    struct element *elements = calloc(count ? count : 1, sizeof *elements);
    size_t moves = 0;
    bool good = elements != NULL;
    if (!elements)
        snprintf(why, size, "out of memory for the places of %zu elements", count);
    for (size_t i = 0; good && i < count; i++)
        elements[i].at =
            (struct ec_place){(uint32_t)(i / s->per_node), (uint32_t)(i % s->per_node)};
    for (size_t i = 0; good && i < s->transfer_count; i++) {
        moves = make_moves(s, elements, moves, s->transfers[i].step);
        if (delivered[i] == 0) {
            snprintf(why, size, "message %zu of step %" PRIu32 " was never delivered", i,
                     s->transfers[i].step);
            good = false;
        } else {
            good = carry(s, messages, elements, i, started, delivered, why, size);
        }
    }
    if (good)
        make_moves(s, elements, moves, UINT32_MAX);
    good = good && at_targets(s, elements, why, size);
    free(elements);
    return good;
}
