/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a tile network, router by router: what a part does not know of the others is in the
 * rows of their routers. Knows the inputs of the next step. Must not know what the registers of a
 * router are. */
#include <stdlib.h>
#include <string.h>

#include "backend/tiles.h"
#include "parts/state.h"
#include "shape/bank_state.h"

/* --- Links of several cycles ------------------------------------------------------------------ */

/* A word or credit on a link to the router of a part that saved. */
static bool save_crossing(const struct tiles *s, struct on_link x, uint64_t at,
                          struct crossing **list, size_t *count, size_t *room)
{
    const unsigned ports = s->net_links + s->locals;
    const unsigned port = x.channel - x.node * s->ports;
    const struct crossing c = {x.word, s->own[x.node] * ports + port, (uint32_t)at};
    return EC_LIST_PUSH(*list, *count, *room, c);
}

static void save_links(const struct tiles *s, struct state *state)
{
    const struct tiles_links *l = &s->on_links;
    struct crossing *list = NULL;
    size_t count = 0, room = 0, next = l->first;
    for (unsigned k = 0; k < l->delay; k++) {
        for (uint32_t n = l->due[(l->turn + k) % l->delay]; n > 0; n--, next++) {
            if (!save_crossing(s, l->ring[next & (l->size - 1)], s->net.cycle + 1 + k, &list,
                               &count, &room))
                state->failed = true;
        }
    }
    for (unsigned k = 1; s->border.waiting && k <= s->border.delay; k++) {
        const uint64_t at = s->net.cycle + k;
        const struct border_due *d = &s->border.due[at % s->border.delay];
        for (size_t i = 0; i < d->count; i++) {
            if (!save_crossing(s, d->x[i], at, &list, &count, &room))
                state->failed = true;
        }
    }
    state_save_list(state, list, count * sizeof *list);
    free(list);
}

/* What arrives in `wait` cycles; the ring of links that take the same time is in this order. */
static void load_link(struct tiles *s, const struct crossing *c, unsigned wait, struct state *state)
{
    const unsigned ports = s->net_links + s->locals;
    const uint32_t node = c->channel / ports, port = c->channel % ports;
    if (c->at - (uint32_t)s->net.cycle != wait)
        return;
    state->failed = node >= s->net.topology->routers || port >= s->net_links ||
                    (!(c->word & EC_WORD_VALID) && c->word >= s->vcs);
    const uint32_t router = state->failed ? 0 : tiles_inside(s, node);
    if (state->failed || router >= s->nodes || s->own[router] != node)
        return;
    const struct on_link x = {c->word, router, router * s->ports + port};
    if (s->delays || s->peers[x.channel] >= s->nodes) {
        border_keep(s, x, s->net.cycle + wait);
        return;
    }
    struct tiles_links *l = &s->on_links;
    if (l->count == l->size && !tiles_links_grow(l)) {
        state->failed = true;
        return;
    }
    l->ring[(l->first + l->count++) & (l->size - 1)] = x;
    l->due[(l->turn + wait - 1) % l->delay]++;
}

static void load_links(struct tiles *s, struct state *state)
{
    const unsigned longest = s->delays ? s->border.delay : s->on_links.delay;
    struct crossing *all = NULL;
    size_t count = 0, room = 0;
    for (size_t part = 0; part < state->file->parts; part++) {
        size_t size;
        const struct crossing *list = state_load_list(state, part, &size);
        for (size_t i = 0; !state->failed && i < size / sizeof *list; i++)
            state->failed = !EC_LIST_PUSH(all, count, room, list[i]);
    }
    for (unsigned wait = 1; wait <= longest; wait++) {
        for (size_t i = 0; !state->failed && i < count; i++)
            load_link(s, &all[i], wait, state);
    }
    free(all);
}

/* --- A router --------------------------------------------------------------------------------- */

static void state_of_bank(const struct tiles *s, struct state *state, uint32_t router)
{
    const struct ec_bank_state_api *api = ec_shape_state(s->shape);
    size_t size = 0;
    const unsigned char *bytes = state->file ? NULL : api->save(s->bank, router, &size);
    state->failed = state->failed || (!state->file && !bytes);
    if (bytes)
        state_visit(state, (void *)bytes, size);
    if (!state->file || state->failed)
        return;
    state->failed = !api->load(s->bank, router, state->next, state->left);
    state->next += state->left;
    state->left = 0;
}

/* What a credit from another part is compared with (backend/part.c): the outputs of the last step.
 */
static void state_of_outputs(struct tiles *s, struct state *state, uint32_t router)
{
    const struct ec_tile_io *io = &s->io[0];
    bool stepped =
        !state->file && bsearch(&router, s->ids, s->id_count, sizeof *s->ids, tiles_by_node);
    STATE_VISIT(state, stepped);
    if (state->file && stepped)
        s->ids[s->id_count++] = router;
    STATE_VISIT(state, io->out_valid[router]);
    state_visit(state, &io->out_word[(size_t)router * s->ports], s->ports * sizeof *io->out_word);
}

static void state_of_router(struct tiles *s, struct state *state, uint32_t router)
{
    const unsigned next = !s->turn, ports = s->ports, vcs = s->vcs;
    const struct ec_tile_io *io = &s->io[next];
    const size_t first = (size_t)router * ports, local = (size_t)router * s->locals;
    state_visit(state, &io->in_word[first], ports * sizeof *io->in_word);
    STATE_VISIT(state, io->in_valid[router]);
    state_visit(state, &io->in_credit[(size_t)router * vcs], vcs * sizeof *io->in_credit);
    STATE_VISIT(state, s->awake[next][router]);
    state_visit(state, &s->ledger[first * vcs], ports * vcs * sizeof *s->ledger);
    state_visit(state, &s->injected_ledger[local * vcs],
                s->locals * vcs * sizeof *s->injected_ledger);
    state_visit(state, &s->flits[first], ports * sizeof *s->flits);
    state_visit(state, &s->contended[first], ports * sizeof *s->contended);
    state_visit(state, &s->starved[first], ports * sizeof *s->starved);
    state_visit(state, &s->injected[local], s->locals * sizeof *s->injected);
    if (vcs > 1)
        state_visit(state, &s->vc_rule.open[first * vcs], ports * vcs * sizeof *s->vc_rule.open);
    state_of_outputs(s, state, router);
    state_of_bank(s, state, router);
    if (s->in_fabric) { /* these are no inputs of the bank */
        io->in_valid[router] = 0;
        memset(&io->in_credit[(size_t)router * vcs], 0, vcs * sizeof *io->in_credit);
        s->awake[next][router] = false;
    }
}

/* --- The network ------------------------------------------------------------------------------ */

/* Loading begins after a reset: the turn is 0. */
static void state_of_all(struct tiles *s, struct state *state)
{
    if (s->in_fabric) {
        fabric_count(s);
        fabric_show(s, !s->turn);
    }
    STATE_COMMON(state, STATE_SAME, s->net.cycle);
    STATE_COMMON(state, STATE_SUM, s->net.moved);
    STATE_COMMON(state, STATE_SUM, s->net.in_flight);
    STATE_COMMON(state, STATE_SUM, s->stepped);
    STATE_COMMON(state, STATE_SUM, s->vc_rule.unknown);
    STATE_COMMON(state, STATE_SAME, s->linked_at);
    if (state->file)
        load_links(s, state);
    else
        save_links(s, state);
}

void tiles_state(struct ec_net *net, struct state *state, uint32_t router)
{
    struct tiles *s = tiles_of(net);
    if (state->file) {
        fabric_leave(s);
        s->loaded = true;
    }
    if (router == EC_NONE)
        state_of_all(s, state);
    else
        state_of_router(s, state, tiles_inside(s, router));
}

void tiles_track(struct ec_net *net, uint64_t word)
{
    struct tiles *s = tiles_of(net);
    if (s->vc_rule.follows)
        tiles_vcs_cross(&s->vc_rule, ec_word_vc(word, s->vcs), word);
}
