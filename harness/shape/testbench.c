/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings of one router: random traffic that the contract allows, and whether the router
 * sends on what it got: each word once, unaltered, by the channel that is its own.
 *
 * Knows what may arrive where, and where it belongs; nothing of the network's other routers, nor in
 * which cycle a word has to leave. */
#include "shape/testbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/route.h"
#include "ecube/word.h"
#include "network/names.h"

enum {
    TRIES = 8,    /* for a destination whose way leads through this router by this link */
    UPSTREAM = 2, /* hops behind a packet that comes by a link: it may have crossed a wrap link */
    NUMBER_BITS = 16, /* of the data of a word: which packet it belongs to */
};

struct around_packet {
    uint64_t word; /* of each of its words, but for head, tail and VC */
    uint32_t length, left;
    unsigned port, vc; /* by which it has to leave */
};

struct around_stream {
    size_t packet;
    uint32_t left; /* words still to be sent; 0: none is on its way */
    unsigned vc;
};

static uint64_t draw(struct around *a)
{
    return ec_rng_draw(a->key, a->draws++);
}

static uint32_t below(struct around *a, uint32_t n)
{
    return (uint32_t)ec_rng_below(draw(a), n);
}

bool around_open(struct around *a, const struct ec_topology *t, const struct ec_router *r,
                 const struct ec_tile_shape *shape, uint32_t node, unsigned cycles, uint64_t stream)
{
    *a = (struct around){
        .t = t,
        .r = *r,
        .node = node,
        .map = ec_port_map_of(shape, t, r),
        .links = ec_tile_shape_links(shape),
        .net_links = ec_topology_links(t),
        .locals = ec_router_locals(r, t),
        .vcs = shape->vcs,
        .key = ec_rng_key(1, stream),
    };
    a->ports = a->links + shape->locals;
    a->room = (size_t)a->ports * cycles; /* at most one head per port and cycle */
    const size_t buffers = (size_t)a->ports * a->vcs;
    a->streams = calloc(buffers, sizeof *a->streams);
    a->sent = calloc(buffers, sizeof *a->sent);
    a->owed = calloc(buffers, sizeof *a->owed);
    a->packets = calloc(a->room, sizeof *a->packets);
    return a->streams && a->sent && a->owed && a->packets;
}

void around_close(struct around *a)
{
    free(a->streams);
    free(a->sent);
    free(a->owed);
    free(a->packets);
}

/* --- What arrives --------------------------------------------------------------------------- */

/* Where a packet comes from, goes to, and by which channel it must leave. */
struct way {
    uint32_t src, dst;
    unsigned in_class, out_port, out_class;
};

/* Up to UPSTREAM hops back along the dimension of a link; 0 hops back from a local port. */
static unsigned go_back(struct around *a, unsigned port, uint32_t *ret_src)
{
    const unsigned most = port >= a->links ? 0 : 1 + below(a, UPSTREAM);
    unsigned hops = 0;
    *ret_src = a->node;
    while (hops < most) {
        const uint32_t next = ec_topology_neighbor(a->t, *ret_src, port);
        if (next == EC_NONE || next == a->node)
            break;
        *ret_src = next;
        hops++;
    }
    return hops;
}

static bool try_way(struct around *a, unsigned port, struct way *ret)
{
    const struct ec_topology *t = a->t;
    struct ec_hop path[UPSTREAM + 1];
    struct way w = {.dst = below(a, t->nodes)};
    const unsigned back = go_back(a, port, &w.src);
    const size_t hops =
        ec_route_path(t, a->r.order, a->r.dateline, w.src, w.dst, path, UPSTREAM + 1);
    if (hops == 0 || hops < back)
        return false;
    if (back == 0 && a->locals > 1 && path[0].link != port - a->links)
        return false; /* contract, 11.4 */
    if (back > 0) {
        const struct ec_hop *last = &path[back - 1];
        if (ec_topology_neighbor(t, last->node, last->link) != a->node ||
            ec_topology_reverse(t, last->link) != port)
            return false;
        w.in_class = last->class_;
    }
    const bool home = hops == back;
    w.out_port = home ? a->links + (a->locals > 1 ? port : 0) : path[back].link;
    w.out_class = home ? 0 : path[back].class_;
    *ret = w;
    return true;
}

/* As many credits as a head needs. */
static uint32_t need(const struct around *a)
{
    return a->r.switching == EC_WORMHOLE ? 1 : a->r.packet;
}

static uint32_t draw_length(struct around *a)
{
    const uint32_t lengths[] = {1, 2, a->r.depth + 1};
    const uint32_t length = lengths[below(a, 3)];
    return a->r.switching == EC_WORMHOLE || length <= a->r.packet ? length : a->r.packet;
}

/* A packet that may begin at this port now; false: none was found. */
static bool begin(struct around *a, unsigned port, struct around_stream **ret)
{
    struct way w;
    bool found = false;
    for (unsigned k = 0; k < TRIES && !found; k++)
        found = try_way(a, port, &w);
    if (!found || a->count == a->room)
        return false;
    const unsigned lane = below(a, ec_router_lanes(&a->r));
    const unsigned vc = a->r.dateline ? 2 * lane + w.in_class : lane;
    struct around_stream *s = &a->streams[port * a->vcs + vc];
    if (s->left > 0 || a->sent[port * a->vcs + vc] + need(a) > a->r.depth)
        return false;
    const uint32_t data = (uint32_t)(draw(a) << NUMBER_BITS | a->count);
    struct around_packet *p = &a->packets[a->count];
    p->word = ec_word_pack(false, false, 0, ec_topology_address(a->t, w.dst),
                           ec_topology_address(a->t, w.src), data);
    p->length = p->left = draw_length(a);
    p->port = w.out_port;
    p->vc = a->r.dateline ? 2 * lane + w.out_class : lane;
    *s = (struct around_stream){.packet = a->count++, .left = p->length, .vc = vc};
    *ret = s;
    return true;
}

/* The next word of the packet on a VC drawn, or of a new one; 0: nothing may be sent there. */
static uint64_t arrival(struct around *a, unsigned port)
{
    const unsigned vc = below(a, a->vcs);
    struct around_stream *s = &a->streams[port * a->vcs + vc];
    if (s->left > 0) {
        if (a->sent[port * a->vcs + vc] == a->r.depth)
            return 0;
    } else if (!begin(a, port, &s)) {
        return 0;
    }
    const struct around_packet *p = &a->packets[s->packet];
    const uint64_t word = p->word | (s->left == p->length ? EC_WORD_HEAD : 0) |
                          (s->left == 1 ? EC_WORD_TAIL : 0) | (uint64_t)s->vc << EC_WORD_VC_SHIFT;
    s->left--;
    a->sent[port * a->vcs + s->vc]++;
    return word;
}

/* Ports that are there: links with a neighbour, local ports. */
static bool exists(const struct around *a, unsigned port)
{
    if (port >= a->links)
        return port - a->links < a->locals;
    return port < a->net_links && ec_topology_neighbor(a->t, a->node, port) != EC_NONE;
}

void around_offer(struct around *a, struct ec_tile_io *io)
{
    io->in_valid[0] = 0;
    for (unsigned port = 0; port < a->ports; port++) {
        io->in_word[port] = exists(a, port) && below(a, 2) ? arrival(a, port) : 0;
        io->in_valid[0] |= (uint64_t)(io->in_word[port] != 0) << port;
    }
    for (unsigned vc = 0; vc < a->vcs; vc++) {
        io->in_credit[vc] = 0;
        for (unsigned port = 0; port < a->ports; port++) {
            uint32_t *owed = &a->owed[port * a->vcs + vc];
            if (*owed == 0 || below(a, 2))
                continue;
            --*owed;
            io->in_credit[vc] |= UINT64_C(1) << port;
        }
    }
}

/* --- What leaves ---------------------------------------------------------------------------- */

static void channel_name(const struct around *a, unsigned port, unsigned vc, char *buffer,
                         size_t size)
{
    char name[EC_NAME_SIZE];
    ec_port_name(a->t, a->locals, ec_port_outside(&a->map, port), name, sizeof name);
    snprintf(buffer, size, "port %.40s, VC %u", name, vc);
}

static const char *wrong_word(const struct around_packet *p, uint64_t word)
{
    const uint64_t own = EC_WORD_HEAD | EC_WORD_TAIL | EC_WORD_VC_MASK;
    if (!p || (word & ~own) != p->word)
        return "is none that it got";
    if (p->left == 0)
        return "leaves a second time";
    if (ec_word_head(word) != (p->left == p->length) || ec_word_tail(word) != (p->left == 1))
        return "is not the next one of its packet";
    return NULL;
}

static void look_at(struct around *a, uint64_t word, unsigned port, unsigned vc)
{
    char name[EC_NAME_SIZE], is[80], belongs[80];
    const size_t number = ec_word_data(word) & ((UINT32_C(1) << NUMBER_BITS) - 1);
    struct around_packet *p = number < a->count ? &a->packets[number] : NULL;
    const char *wrong = wrong_word(p, word);
    if (!wrong && p->port == port && p->vc == vc) {
        p->left--;
        return;
    }
    ec_word_name(a->t, word, name, sizeof name);
    name[strcspn(name, "#")] = '\0';
    channel_name(a, port, vc, is, sizeof is);
    if (wrong) {
        snprintf(a->wrong, sizeof a->wrong, "a word %.60son %s %s", name, is, wrong);
    } else {
        channel_name(a, p->port, p->vc, belongs, sizeof belongs);
        snprintf(a->wrong, sizeof a->wrong, "a word %.60sleaves by %s and belongs to %s", name, is,
                 belongs);
    }
}

static void too_many(struct around *a, const char *what, unsigned port, unsigned vc)
{
    char name[80];
    channel_name(a, port, vc, name, sizeof name);
    snprintf(a->wrong, sizeof a->wrong, "%s on %s", what, name);
}

/* After the first wrong thing nothing more is looked at, but the books must not be spoilt. */
void around_take(struct around *a, const struct ec_tile_io *io)
{
    for (uint64_t left = io->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const unsigned vc = ec_word_vc(io->out_word[port]) & (a->vcs - 1);
        uint32_t *owed = &a->owed[port * a->vcs + vc];
        if (!a->wrong[0])
            look_at(a, io->out_word[port], port, vc);
        if (!a->wrong[0] && *owed == a->r.depth)
            too_many(a, "a word without a credit", port, vc);
        *owed += *owed < a->r.depth;
        a->words++;
    }
    for (unsigned vc = 0; vc < a->vcs; vc++) {
        for (uint64_t left = io->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            uint32_t *sent = &a->sent[port * a->vcs + vc];
            if (!a->wrong[0] && *sent == 0)
                too_many(a, "a credit for an empty buffer", port, vc);
            *sent -= *sent > 0;
        }
    }
}
