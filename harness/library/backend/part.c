/* SPDX-License-Identifier: Apache-2.0 */
/* The border of a part: words and credits for other parts, and from them. See backend/part.h.
 *
 * Knows links between parts. Must not know which node is in which part, or how crossings are
 * carried. */
#include "backend/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/tiles.h"
#include "base/list.h"

/* --- Opening --------------------------------------------------------------------------------- */

bool border_open(struct border *b, const struct ec_partition *cut, uint32_t part, unsigned delay)
{
    const uint32_t first = cut->first_neighbour[part];
    b->neighbours = cut->first_neighbour[part + 1] - first;
    b->delay = delay;
    b->neighbour = calloc(b->neighbours + 1, sizeof *b->neighbour);
    b->leaving = calloc(b->neighbours + 1, sizeof *b->leaving);
    b->due = calloc(delay, sizeof *b->due);
    if (!b->neighbour || !b->leaving || !b->due)
        return false;
    memcpy(b->neighbour, cut->neighbour + first, b->neighbours * sizeof *b->neighbour);
    return true;
}

uint32_t border_add(struct border *b, uint32_t part, uint32_t channel)
{
    uint32_t k = 0;
    while (b->neighbour[k] != part)
        k++;
    struct border_end *end = ec_list_grow(b->end, sizeof *end, b->ends, &b->room);
    if (!end) {
        b->memory_short = true;
        return 0;
    }
    b->end = end;
    b->end[b->ends] = (struct border_end){channel, k};
    return b->ends++;
}

/* --- Leaving ---------------------------------------------------------------------------------- */

void border_send(struct tiles *s, uint32_t end, uint64_t word)
{
    const struct border_end to = s->border.end[end];
    struct border_leaving *l = &s->border.leaving[to.neighbour];
    struct crossing *x = ec_list_grow(l->x, sizeof *x, l->count, &l->size);
    if (!x) {
        s->net.memory_short = true;
        return;
    }
    l->x = x;
    l->x[l->count++] =
        (struct crossing){word, to.channel, (uint32_t)(s->net.cycle + s->on_links.delay)};
}

const uint32_t *tiles_part_neighbours(const struct ec_net *net, size_t *ret_count)
{
    const struct tiles *s = (const struct tiles *)net;
    *ret_count = s->border.neighbours;
    return s->border.neighbour;
}

const struct crossing *tiles_part_leaving(const struct ec_net *net, size_t k, size_t *ret_count)
{
    const struct border_leaving *l = &((const struct tiles *)net)->border.leaving[k];
    *ret_count = l->count;
    return l->x;
}

void tiles_part_left(struct ec_net *net)
{
    struct border *b = &tiles_of(net)->border;
    for (uint32_t k = 0; k < b->neighbours; k++)
        b->leaving[k].count = 0;
}

/* --- Entering --------------------------------------------------------------------------------- */

/* False: it does not arrive by a link of this part from another one: local ports lead nowhere. */
static bool find_inside(const struct tiles *s, const struct crossing *x, struct on_link *ret)
{
    const unsigned ports = s->net_links + s->locals;
    const uint32_t node = x->channel / ports, port = x->channel - node * ports;
    if (node >= s->net.topology->nodes || (!(x->word & EC_WORD_VALID) && x->word >= s->vcs))
        return false;
    const uint32_t router = s->router_of[(size_t)node * s->locals];
    const uint32_t peer = s->peers[(size_t)router * s->ports + port];
    *ret = (struct on_link){x->word, router, router * s->ports + port};
    return s->own[router] == node && peer >= s->nodes && peer != EC_NONE;
}

static void keep_until(struct tiles *s, struct on_link x, uint64_t at)
{
    struct border_due *d = &s->border.due[at % s->border.delay];
    struct on_link *list = ec_list_grow(d->x, sizeof *list, d->count, &d->size);
    if (!list) {
        s->net.memory_short = true;
        return;
    }
    d->x = list;
    d->x[d->count++] = x;
    s->border.waiting++;
}

/* On links of one cycle: a credit for the word that this output has just sent, from a router that
 * comes first in the whole network. There it would have been one too many. The outputs of a router
 * that sleeps are old: it may be quiet while its last word is on them. */
static bool credits_the_last_word(const struct tiles *s, struct on_link x)
{
    const struct ec_tile_io *io = &s->io[0];
    if (x.word & EC_WORD_VALID || s->ledger[(size_t)x.channel * s->vcs + x.word] != 1)
        return false;
    const uint32_t end = s->peers[x.channel] - s->nodes;
    return s->border.end[end].channel / (s->net_links + s->locals) < s->own[x.node] &&
           io->out_valid[x.node] >> (x.channel - x.node * s->ports) & 1 &&
           ec_word_vc(io->out_word[x.channel], s->vcs) == x.word &&
           bsearch(&x.node, s->ids, s->id_count, sizeof *s->ids, tiles_by_node);
}

static void enter_at_once(struct tiles *s, struct on_link x)
{
    if (credits_the_last_word(s, x))
        tiles_note_extra_credit(s, x, s->net.cycle + 1);
    tiles_arrive(s, !s->turn, x, s->net.cycle + 1);
}

bool tiles_part_enter(struct ec_net *net, const struct crossing *x, size_t count)
{
    struct tiles *s = tiles_of(net);
    for (size_t i = 0; i < count; i++) {
        const uint32_t wait = x[i].at - (uint32_t)s->net.cycle;
        struct on_link here;
        if (!find_inside(s, &x[i], &here))
            return false;
        if (x[i].word & EC_WORD_VALID)
            tiles_vcs_cross(&s->vc_rule, ec_word_vc(x[i].word, s->vcs), x[i].word);
        if (wait == 0 || wait > s->border.delay)
            tiles_note_fault(s, s->net.cycle + 1, here.node, here.channel - here.node * s->ports, 0,
                             "something from another part did not arrive in its cycle");
        else if (s->border.delay == 1)
            enter_at_once(s, here);
        else
            keep_until(s, here, s->net.cycle + wait);
    }
    return true;
}

void border_take(struct tiles *s)
{
    struct border *b = &s->border;
    if (b->waiting == 0)
        return;
    struct border_due *d = &b->due[s->net.cycle % b->delay];
    for (size_t i = 0; i < d->count; i++)
        tiles_arrive(s, s->turn, d->x[i], s->net.cycle);
    b->waiting -= d->count;
    d->count = 0;
}

/* --- Both ------------------------------------------------------------------------------------- */

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
    free(b->neighbour);
    free(b->leaving);
    free(b->due);
    *b = (struct border){0};
}
