/* SPDX-License-Identifier: Apache-2.0 */
/* What the tile network shows to watchers. Knows the arrays of tile.h and in which numbers watchers
 * count ports; nothing of wiring, credits or counters. */
#include "backend/show.h"

static unsigned seen_port(const struct tiles_view *v, unsigned port)
{
    return port < v->links ? port : port - v->links + v->seen_links;
}

static uint64_t spread(const struct tiles_view *v, uint64_t mask)
{
    const uint64_t links = (UINT64_C(1) << v->links) - 1;
    return (mask & links) | mask >> v->links << v->seen_links;
}

/* A network wired in RTL has no dimensions in reserve: its local ports have other numbers than
 * those of the tiles that would serve it, which is what watchers know. */
static void show_spread(const struct tiles_view *v, const struct ec_net_watch *w,
                        const struct ec_net_seen *plain)
{
    uint64_t in_word[EC_TILE_PORTS_MAX] = {0}, out_word[EC_TILE_PORTS_MAX] = {0};
    uint64_t in_credit[EC_VCS_MAX], out_credit[EC_VCS_MAX];
    uint64_t contended[EC_VCS_MAX], starved[EC_VCS_MAX];
    uint8_t want[EC_TILE_PORTS_MAX * EC_VCS_MAX] = {0};
    struct ec_net_seen seen = *plain;
    for (unsigned port = 0; port < v->ports; port++) {
        const unsigned to = seen_port(v, port);
        in_word[to] = plain->in_word[port];
        out_word[to] = plain->out_word[port];
        for (unsigned vc = 0; vc < v->vcs; vc++)
            want[to * v->vcs + vc] = (uint8_t)seen_port(v, plain->want[port * v->vcs + vc]);
    }
    for (unsigned vc = 0; vc < v->vcs; vc++) {
        in_credit[vc] = spread(v, plain->in_credit[vc]);
        out_credit[vc] = spread(v, plain->out_credit[vc]);
        contended[vc] = spread(v, plain->contended[vc]);
        starved[vc] = spread(v, plain->starved[vc]);
    }
    seen.in_word = in_word;
    seen.out_word = out_word;
    seen.in_credit = in_credit;
    seen.out_credit = out_credit;
    seen.contended = contended;
    seen.starved = starved;
    seen.want = want;
    seen.in_valid = spread(v, plain->in_valid);
    seen.out_valid = spread(v, plain->out_valid);
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
    if (v->seen_links == v->links)
        w->router(w->context, &seen);
    else
        show_spread(v, w, &seen);
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
