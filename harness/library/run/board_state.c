/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard in a checkpoint. Knows where the record of a packet must be: in one part at its
 * source; in several in the part of its head, which is not known of a packet on its way, so that it
 * is in limbo until a part sees its head (run/packets.h). */
#include <stdlib.h>

#include "base/list.h"
#include "network/walk.h"
#include "run/scoreboard.h"

/* --- Units ------------------------------------------------------------------------------------ */

void scoreboard_state_node(struct scoreboard *s, struct state *state, uint32_t node)
{
    const size_t port = (size_t)node * s->locals, ports = s->locals;
    struct outstanding *o = &s->records.source[node];
    STATE_VISIT(state, o->next);
    STATE_VISIT(state, o->messages);
    if (state->file) {
        o->first = o->next;
        o->away = 0;
    }
    state_visit(state, &s->arriving[port * s->vcs], ports * s->vcs * sizeof *s->arriving);
    if (!s->link_words)
        return;
    state_visit(state, &s->inject_words[port], ports * sizeof *s->inject_words);
    state_visit(state, &s->eject_words[port], ports * sizeof *s->eject_words);
}

void scoreboard_state_router(struct scoreboard *s, struct state *state, uint32_t router)
{
    const size_t links = ec_topology_links(s->t);
    if (s->link_words)
        state_visit(state, &s->link_words[router * links], links * sizeof *s->link_words);
}

/* --- Packets in flight ------------------------------------------------------------------------ */

struct flight {
    struct packet packet;
    uint32_t src, number, hops;
};

static void save_flights(const struct scoreboard *s, struct state *state)
{
    const struct packets *k = &s->records;
    struct packets_at at = {0};
    struct flight *list = NULL;
    size_t count = 0, room = 0;
    for (const struct packet *p; (p = packets_next(k, &at));) {
        const struct guest *guest = packets_guest_at(k, &at);
        const uint64_t number = (guest ? guest->key : at.number - 1) & k->number_mask;
        if (at.limbo && !state->first)
            break;
        if (!EC_LIST_PUSH(list, count, room,
                          (struct flight){*p, at.src, (uint32_t)number, guest ? guest->hops : 0}))
            state->failed = true;
    }
    state_save_list(state, list, count * sizeof *list);
    free(list);
}

/* Count the words of a packet, or take them back, on the channels of own routers behind the first
 * `from` hops of its path, up to hop `to`, and if it begins with them at its source. Returns the
 * hops of the whole path. */
static unsigned count_hops(struct scoreboard *s, const struct nodes_own *routers,
                           const struct flight *f, unsigned from, unsigned to, uint64_t words)
{
    const unsigned links = ec_topology_links(s->t);
    struct ec_walk walk = ec_walk_drawn(s->t, s->r, f->src, scoreboard_destination(s, &f->packet),
                                        scoreboard_way(s, &f->packet));
    struct ec_hop hop;
    unsigned hops = 0, first = 0;
    for (; ec_walk_next(&walk, &hop); hops++) {
        first = hops == 0 ? hop.link : first;
        if (hops >= from && hops < to && nodes_own_has(routers, hop.node))
            s->link_words[(size_t)hop.node * links + hop.link] += words;
    }
    if (from == 0 && to > 0 && hops > 0 && nodes_own_has(&s->records.own, f->src))
        s->inject_words[(size_t)f->src * s->locals + (s->locals > 1 ? first : 0)] += words;
    return hops;
}

/* In one part, a path is counted when its packet arrives; in several, now: each part counts its own
 * channels. */
static unsigned settle_hops(struct scoreboard *s, const struct nodes_own *routers, bool parts,
                            const struct flight *f)
{
    if (!s->link_words)
        return 0;
    if (parts)
        return count_hops(s, routers, f, f->hops, UINT32_MAX, f->packet.words);
    count_hops(s, routers, f, 0, f->hops, (uint64_t)0 - f->packet.words);
    return 0;
}

static bool load_flight(struct scoreboard *s, const struct nodes_own *routers, bool parts,
                        const struct flight *f)
{
    struct packets *k = &s->records;
    const bool here = nodes_own_has(&k->own, f->src);
    const unsigned hops = settle_hops(s, routers, parts, f);
    if (!parts)
        return packets_restore(k, f->src, f->number, &f->packet);
    if (here)
        packets_restore_away(k, f->src, f->number);
    if (ec_word_head(f->packet.next))
        return packets_restore_limbo(k, f->src, f->number, &f->packet, hops);
    return !nodes_own_has(&k->own, scoreboard_destination(s, &f->packet)) ||
           packets_enter(k, f->src, f->number, &f->packet, hops);
}

/* Packets that are arriving have an entry of the assembly, and are found by their records. */
static void find_arriving(struct scoreboard *s)
{
    const size_t rows = (size_t)s->locals * s->vcs;
    for (uint32_t i = 0; i < s->records.own.count; i++) {
        struct arriving *a = &s->arriving[nodes_own_at(&s->records.own, i) * rows];
        for (size_t k = 0; k < rows; k++) {
            const struct packet *p =
                a[k].open ? packets_find(&s->records, a[k].src, a[k].number) : NULL;
            a[k].guest = p ? packets_guest(&s->records, p) : 0;
        }
    }
}

static void load_flights(struct scoreboard *s, struct state *state, const struct nodes_own *routers,
                         bool parts, void (*track)(void *context, uint64_t word), void *context)
{
    for (size_t part = 0; part < state->file->parts; part++) {
        size_t size;
        const struct flight *list = state_load_list(state, part, &size);
        for (size_t i = 0; !state->failed && i < size / sizeof *list; i++) {
            struct flight f = list[i];
            const bool head = ec_word_head(f.packet.next);
            state->failed = f.src >= s->t->nodes;
            if (f.packet.whole && !head)
                f.packet.message += state->moved[part];
            if (head)
                track(context, f.packet.next);
            state->failed = state->failed || !load_flight(s, routers, parts, &f);
        }
    }
    find_arriving(s);
}

/* --- The rest --------------------------------------------------------------------------------- */

static void state_of_class(struct traffic_class *c, struct state *state)
{
    STATE_COMMON(state, STATE_SUM, c->messages);
    STATE_COMMON(state, STATE_SUM, c->packets);
    STATE_COMMON(state, STATE_SUM, c->words);
    STATE_COMMON(state, STATE_SUM, c->accepted);
    latency_state(&c->packet_latency, state);
    latency_state(&c->network_latency, state);
}

void scoreboard_state_begin(struct scoreboard *s, struct state *state)
{
    assembly_state(&s->assembly, state, &s->records.own);
}

void scoreboard_state(struct scoreboard *s, struct state *state, const struct nodes_own *routers,
                      bool parts, void (*track)(void *context, uint64_t word), void *context)
{
    uint64_t hops = s->max_hops;
    STATE_COMMON(state, STATE_SUM, s->measured);
    STATE_COMMON(state, STATE_SUM, s->latency_sum);
    STATE_COMMON(state, STATE_SUM, s->words);
    STATE_COMMON(state, STATE_SUM, s->packets);
    STATE_COMMON(state, STATE_SUM, s->messages);
    STATE_COMMON(state, STATE_SUM, s->digest);
    STATE_COMMON(state, STATE_SUM, s->accepted);
    STATE_COMMON(state, STATE_SUM, s->hop_words);
    STATE_COMMON(state, STATE_MAX, s->recent_latency);
    STATE_COMMON(state, STATE_MAX, s->last_cycle);
    STATE_COMMON(state, STATE_MAX, hops);
    s->max_hops = (unsigned)hops;
    state_common(state, STATE_SUM, s->from, s->t->nodes * sizeof *s->from);
    latency_state(&s->packet_latency, state);
    latency_state(&s->network_latency, state);
    latency_state(&s->round_trip, state);
    for (unsigned k = 0; s->classes && k < s->class_count; k++)
        state_of_class(&s->classes[k], state);
    if (state->file)
        load_flights(s, state, routers, parts, track, context);
    else
        save_flights(s, state);
}
