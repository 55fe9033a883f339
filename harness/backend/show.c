/* SPDX-License-Identifier: Apache-2.0 */
/* What the tile network shows to watchers: the arrays of tile.h, with ports as the topology numbers
 * them. Knows nothing of wiring, credits or counters. */
#include "backend/show.h"

#include <string.h>

struct renumbered {
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX];
    uint64_t in_credit[EC_VCS_MAX], out_credit[EC_VCS_MAX];
    uint64_t contended[EC_VCS_MAX], starved[EC_VCS_MAX];
    uint8_t want[EC_TILE_PORTS_MAX * EC_VCS_MAX];
};

static void renumber_words(const struct ec_port_map *map, uint64_t *to, const uint64_t *from,
                           uint64_t valid)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        to[ec_port_outside(map, port)] = from[port];
    }
}

static void renumber_vc(const struct tiles_view *v, struct renumbered *to,
                        const struct ec_net_seen *from, unsigned vc)
{
    const struct ec_port_map *map = &v->map;
    to->in_credit[vc] = ec_ports_outside(map, from->in_credit[vc]);
    to->out_credit[vc] = ec_ports_outside(map, from->out_credit[vc]);
    to->contended[vc] = ec_ports_outside(map, from->contended[vc]);
    to->starved[vc] = ec_ports_outside(map, from->starved[vc]);
    for (uint64_t left = from->contended[vc] | from->starved[vc]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        to->want[ec_port_outside(map, port) * v->vcs + vc] =
            (uint8_t)ec_port_outside(map, from->want[port * v->vcs + vc]);
    }
}

/* Words and `want` of ports without a bit are 0. */
static void show_renumbered(const struct tiles_view *v, const struct ec_net_watch *w,
                            const struct ec_net_seen *plain)
{
    struct renumbered to;
    struct ec_net_seen seen = *plain;
    memset(to.in_word, 0, v->ports * sizeof *to.in_word);
    memset(to.out_word, 0, v->ports * sizeof *to.out_word);
    memset(to.want, 0, v->ports * v->vcs);
    renumber_words(&v->map, to.in_word, plain->in_word, plain->in_valid);
    renumber_words(&v->map, to.out_word, plain->out_word, plain->out_valid);
    for (unsigned vc = 0; vc < v->vcs; vc++)
        renumber_vc(v, &to, plain, vc);
    seen.in_word = to.in_word;
    seen.out_word = to.out_word;
    seen.in_credit = to.in_credit;
    seen.out_credit = to.out_credit;
    seen.contended = to.contended;
    seen.starved = to.starved;
    seen.want = to.want;
    seen.in_valid = ec_ports_outside(&v->map, plain->in_valid);
    seen.out_valid = ec_ports_outside(&v->map, plain->out_valid);
    w->router(w->context, &seen);
}

static void show_router(const struct tiles_view *v, const struct ec_net_watch *w, uint32_t node)
{
    const struct ec_tile_io *now = v->now;
    const size_t word = (size_t)node * v->ports, vc = (size_t)node * v->vcs;
    const struct ec_net_seen seen = {
        .cycle = v->cycle,
        .node = node,
        .in_word = now->in_word + word,
        .in_credit = now->in_credit + vc,
        .out_word = now->out_word + word,
        .out_credit = now->out_credit + vc,
        .contended = now->contended + vc,
        .starved = now->starved + vc,
        .want = now->want + word * v->vcs,
        .in_valid = now->in_valid[node],
        .out_valid = now->out_valid[node],
    };
    if (ec_port_map_is_identity(&v->map))
        w->router(w->context, &seen);
    else
        show_renumbered(v, w, &seen);
}

void tiles_show(const struct tiles_view *v, const struct ec_net_watch *w, const uint32_t *ids,
                size_t count)
{
    for (size_t i = 0; w->router && i < count; i++) {
        if (!w->nodes || w->nodes[ids[i] >> 6] >> (ids[i] & 63) & 1)
            show_router(v, w, ids[i]);
    }
    if (w->cycle)
        w->cycle(w->context, v->cycle);
}
