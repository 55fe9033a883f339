/* SPDX-License-Identifier: Apache-2.0 */
/* The crossings of a part: hands over what leaves, and takes what enters. See backend/part.h.
 *
 * Knows links between parts. Must not know how crossings are carried. */
#include "backend/part.h"

#include "backend/tiles.h"

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
    if (node >= s->net.topology->routers || (!(x->word & EC_WORD_VALID) && x->word >= s->vcs))
        return false;
    const uint32_t router = tiles_inside(s, node);
    const uint32_t peer = s->peers[(size_t)router * s->ports + port];
    *ret = (struct on_link){x->word, router, router * s->ports + port};
    return s->own[router] == node && peer >= s->nodes && peer != EC_NONE;
}

/* On links of one cycle, but not in a graph: a credit for the word that this output has just sent,
 * from a router that comes first in the whole network. There it would have been one too many. The
 * outputs of a router that sleeps are old: it may be quiet while its last word is on them. */
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
        else if (s->border.delay == 1 && !s->backs)
            enter_at_once(s, here);
        else
            border_keep(s, here, s->net.cycle + wait);
    }
    return true;
}
