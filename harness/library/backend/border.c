/* SPDX-License-Identifier: Apache-2.0 */
/* The border of a part: what leaves for other parts, and what has come from them too early. Knows
 * links between parts. Must not know which node is in which part, or how crossings are carried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/tiles.h"
#include "base/list.h"

/* --- Opening --------------------------------------------------------------------------------- */

bool border_open(struct border *b, const struct ec_partition *cut, uint32_t part, unsigned delay)
{
    const uint32_t first = cut ? cut->first_neighbour[part] : 0;
    b->neighbours = cut ? cut->first_neighbour[part + 1] - first : 0;
    b->delay = delay;
    EC_ARRAY(&b->arrays, b->neighbour, b->neighbours);
    EC_ARRAY(&b->arrays, b->leaving, b->neighbours);
    EC_ARRAY(&b->arrays, b->due, delay);
    if (b->arrays.memory_short)
        return false;
    if (cut)
        memcpy(b->neighbour, cut->neighbour + first, b->neighbours * sizeof *b->neighbour);
    return true;
}

uint32_t border_add(struct border *b, uint32_t part, uint32_t channel, unsigned delay)
{
    uint32_t k = 0;
    while (b->neighbour[k] != part)
        k++;
    if (EC_LIST_PUSH(b->end, b->ends, b->room, (struct border_end){channel, k, delay}))
        return b->ends - 1;
    b->memory_short = true;
    return 0;
}

/* --- Leaving ---------------------------------------------------------------------------------- */

void border_send(struct tiles *s, uint32_t end, uint64_t word)
{
    const struct border_end to = s->border.end[end];
    struct border_leaving *l = &s->border.leaving[to.neighbour];
    const struct crossing x =
        (struct crossing){word, to.channel, (uint32_t)(s->net.cycle + to.delay)};
    s->net.memory_short |= !EC_LIST_PUSH(l->x, l->count, l->size, x);
}

/* --- On the way ------------------------------------------------------------------------------- */

void border_keep(struct tiles *s, struct on_link x, uint64_t at)
{
    struct border_due *d = &s->border.due[at % s->border.delay];
    if (EC_LIST_PUSH(d->x, d->count, d->size, x))
        s->border.waiting++;
    else
        s->net.memory_short = true;
}

/* --- Both directions -------------------------------------------------------------------------- */

static void describe(const struct tiles *s, uint32_t node, unsigned port, uint64_t word,
                     struct ec_net_fault *ret)
{
    const bool is_word = word & EC_WORD_VALID;
    ret->node = node;
    ret->port = port;
    ret->vc = is_word ? ec_word_vc(word, s->vcs) : (unsigned)word;
    snprintf(ret->what, sizeof ret->what, "a %s is on the link", is_word ? "word" : "credit");
}

bool border_on_the_way(const struct tiles *s, struct ec_net_fault *ret_fault)
{
    const struct border *b = &s->border;
    const unsigned ports = s->net_links + s->locals;
    for (unsigned wait = 1; b->waiting && wait <= b->delay; wait++) {
        const struct border_due *d = &b->due[(s->net.cycle + wait) % b->delay];
        if (d->count > 0) {
            const struct on_link *x = d->x;
            describe(s, s->own[x->node], x->channel - x->node * s->ports, x->word, ret_fault);
            return true;
        }
    }
    for (uint32_t k = 0; k < b->neighbours; k++) {
        if (b->leaving[k].count > 0) {
            const struct crossing *x = b->leaving[k].x;
            describe(s, x->channel / ports, x->channel % ports, x->word, ret_fault);
            return true;
        }
    }
    return false;
}

void border_reset(struct border *b)
{
    for (uint32_t k = 0; k < b->neighbours; k++)
        b->leaving[k].count = 0;
    for (unsigned k = 0; b->due && k < b->delay; k++)
        b->due[k].count = 0;
    b->waiting = 0;
}

void border_close(struct border *b)
{
    for (uint32_t k = 0; b->leaving && k < b->neighbours; k++)
        free(b->leaving[k].x);
    for (unsigned k = 0; b->due && k < b->delay; k++)
        free(b->due[k].x);
    free(b->end);
    ec_arrays_free(&b->arrays);
    *b = (struct border){0};
}
