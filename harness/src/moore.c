/* SPDX-License-Identifier: Apache-2.0 */
/* The Moore rule, tried at run time: a router whose outputs follow its inputs within a cycle gives
 * results that depend on the order in which routers are stepped, so it must be refused before it is
 * used. (Our own router is proved; this is for those of others.)
 *
 * One router alone, with neighbours and a node that keep the contract. Knows what may arrive where;
 * nothing of the network's other routers. */
#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"
#include "ecube/shape.h"
#include "ecube/word.h"
#include "names.h"
#include "ports.h"
#include "rng.h"
#include "tile_io.h"

enum {
    CYCLES = 400, /* per place: some hundred packets, buffers full and empty */
    PLACES = 4,
    TRIES = 8, /* for a destination whose way leads through this router by this link */
};

struct trial {
    const struct ec_tile_api *api;
    const struct ec_topology *t;
    struct ec_router r;
    uint32_t node;
    unsigned links, net_links, locals, ports, vcs; /* links, ports: of the shape */
    uint64_t key, draws;
    struct ec_tile_bank *bank;
    struct ec_tile_io io, poked; /* one router each */
    uint32_t *sent;              /* [port * vcs + vc] words sent to it and not credited */
    uint32_t *owed;              /* the same: words it sent and that were not credited yet */
    uint64_t words;
};

static uint64_t draw(struct trial *m)
{
    return ec_rng_draw(m->key, m->draws++);
}

static uint32_t below(struct trial *m, uint32_t n)
{
    return (uint32_t)ec_rng_below(draw(m), n);
}

/* --- Legal inputs --------------------------------------------------------------------------- */

/* A one-flit packet that may arrive at this port; 0: none was found. */
static uint64_t arrival(struct trial *m, unsigned port)
{
    const struct ec_topology *t = m->t;
    const bool local = port >= m->links;
    const uint32_t src = local ? m->node : ec_topology_neighbor(t, m->node, port);
    struct ec_hop hop = {0};
    for (unsigned try = 0; try < TRIES && src != EC_NONE; try++) {
        const uint32_t dst = below(m, t->nodes);
        if (dst == src || ec_route_path(t, m->r.order, m->r.dateline, src, dst, &hop, 1) == 0)
            continue;
        if (local && m->locals > 1 && hop.link != port - m->links)
            continue;
        if (!local && ec_topology_neighbor(t, src, hop.link) != m->node)
            continue;
        const unsigned lane = below(m, ec_router_lanes(&m->r));
        const unsigned vc = m->r.dateline ? 2 * lane + (local ? 0 : hop.class_) : lane;
        if (!local && ec_topology_reverse(t, hop.link) != port)
            continue;
        return ec_word_pack(true, true, vc, ec_topology_address(t, dst),
                            ec_topology_address(t, src), (uint32_t)draw(m));
    }
    return 0;
}

/* Ports that are there: links with a neighbour, local ports. */
static bool exists(const struct trial *m, unsigned port)
{
    if (port >= m->links)
        return port - m->links < m->locals;
    return port < m->net_links && ec_topology_neighbor(m->t, m->node, port) != EC_NONE;
}

/* As many credits as a packet of its kind needs. */
static uint32_t room(const struct trial *m)
{
    const uint32_t need = m->r.switching == EC_WORMHOLE ? 1 : m->r.packet;
    return m->r.depth - need + 1;
}

static void offer(struct trial *m)
{
    m->io.in_valid[0] = 0;
    for (unsigned port = 0; port < m->ports; port++) {
        const uint64_t word = exists(m, port) && below(m, 2) ? arrival(m, port) : 0;
        uint32_t *sent = &m->sent[port * m->vcs + (ec_word_vc(word) & (m->vcs - 1))];
        m->io.in_word[port] = 0;
        if (!word || *sent >= room(m))
            continue;
        ++*sent;
        m->io.in_word[port] = word;
        m->io.in_valid[0] |= UINT64_C(1) << port;
    }
    for (unsigned vc = 0; vc < m->vcs; vc++) {
        m->io.in_credit[vc] = 0;
        for (unsigned port = 0; port < m->ports; port++) {
            uint32_t *owed = &m->owed[port * m->vcs + vc];
            if (*owed == 0 || below(m, 2))
                continue;
            --*owed;
            m->io.in_credit[vc] |= UINT64_C(1) << port;
        }
    }
}

/* What the router did with them. One that breaks the rules of credits is not this test's business,
 * but must not spoil its books. */
static void account(struct trial *m)
{
    for (uint64_t left = m->io.out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const unsigned vc = ec_word_vc(m->io.out_word[port]) & (m->vcs - 1);
        m->owed[port * m->vcs + vc]++;
        m->words++;
    }
    for (unsigned vc = 0; vc < m->vcs; vc++) {
        for (uint64_t left = m->io.out_credit[vc]; left; left &= left - 1) {
            uint32_t *sent = &m->sent[(size_t)__builtin_ctzll(left) * m->vcs + vc];
            *sent -= *sent > 0;
        }
    }
}

/* --- Any inputs ----------------------------------------------------------------------------- */

static void poke(struct trial *m)
{
    const uint32_t id = 0;
    m->poked.in_valid[0] = draw(m) & ((UINT64_C(2) << (m->ports - 1)) - 1);
    for (unsigned port = 0; port < m->ports; port++)
        m->poked.in_word[port] = draw(m) | EC_WORD_VALID;
    for (unsigned vc = 0; vc < m->vcs; vc++)
        m->poked.in_credit[vc] = draw(m) & ((UINT64_C(2) << (m->ports - 1)) - 1);
    m->api->peek(m->bank, &m->poked, &id, 1);
}

static bool differ(const struct trial *m, const char **ret_output, unsigned *ret_port)
{
    const struct ec_tile_io *a = &m->io, *b = &m->poked;
    uint64_t bits = a->out_valid[0] ^ b->out_valid[0];
    *ret_output = "link_o";
    for (uint64_t left = a->out_valid[0] & b->out_valid[0]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        bits |= (uint64_t)(a->out_word[port] != b->out_word[port]) << port;
    }
    const struct {
        const char *name;
        const uint64_t *a, *b;
    } masks[] = {{"credit_o", a->out_credit, b->out_credit},
                 {"contended_o", a->contended, b->contended},
                 {"starved_o", a->starved, b->starved}};
    for (unsigned k = 0; bits == 0 && k < sizeof masks / sizeof *masks; k++) {
        *ret_output = masks[k].name;
        for (unsigned vc = 0; vc < m->vcs; vc++)
            bits |= masks[k].a[vc] ^ masks[k].b[vc];
    }
    for (unsigned vc = 0; bits == 0 && vc < m->vcs; vc++) {
        *ret_output = "want_o";
        for (uint64_t left = a->contended[vc] | a->starved[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * m->vcs + vc;
            bits |= (uint64_t)(a->want[at] != b->want[at]) << port;
        }
    }
    *ret_port = bits ? (unsigned)__builtin_ctzll(bits) : m->ports;
    if (bits == 0)
        *ret_output = "quiet_o";
    return bits != 0 || a->quiet[0] != b->quiet[0];
}

static enum ec_code refuse(const struct trial *m, const char *output, unsigned port, unsigned cycle,
                           struct ec_error *reterr)
{
    char name[EC_NAME_SIZE] = "";
    if (port < m->ports) {
        const unsigned outer = ec_port_outside(port, m->links, m->net_links);
        memcpy(name, " of port ", 10);
        ec_port_name(m->t, m->locals, outer, name + 9, sizeof name - 9);
    }
    return ec_fail(
        reterr, EC_USAGE,
        "this router breaks the Moore rule (contract, section 1): in cycle %u its output "
        "%s%.40s changes when its inputs change, without a clock edge; give that output a "
        "register, or make it a function of registers",
        cycle, output, name);
}

/* --- The trial ------------------------------------------------------------------------------ */

static void close_trial(struct trial *m)
{
    m->api->close(m->bank);
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++) {
        ec_tile_io_free_inputs(both[k]);
        ec_tile_io_free_outputs(both[k]);
    }
    free(m->sent);
    free(m->owed);
}

static bool open_trial(struct trial *m)
{
    struct ec_tile_place *places = calloc(m->t->nodes, sizeof *places);
    const size_t buffers = (size_t)m->ports * m->vcs;
    m->sent = calloc(buffers, sizeof *m->sent);
    m->owed = calloc(buffers, sizeof *m->owed);
    bool good = places && m->sent && m->owed;
    struct ec_tile_io *const both[] = {&m->io, &m->poked};
    for (unsigned k = 0; k < 2; k++)
        good = ec_tile_io_inputs(both[k], 1, m->ports, m->vcs) &&
               ec_tile_io_outputs(both[k], 1, m->ports, m->vcs) && good;
    if (good) {
        ec_shape_places(m->t, &m->r, &m->api->shape, places);
        m->bank = m->api->open(1, places + m->node, 0);
    }
    free(places);
    return good && m->bank;
}

static enum ec_code try_place(struct trial *m, struct ec_error *reterr)
{
    const uint32_t id = 0;
    const char *output;
    unsigned port;
    enum ec_code code =
        open_trial(m) ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a router");
    if (code == EC_OK)
        m->api->reset(m->bank);
    for (unsigned cycle = 1; code == EC_OK && cycle <= CYCLES; cycle++) {
        offer(m);
        m->api->step(m->bank, &m->io, &id, 1);
        account(m);
        poke(m);
        if (differ(m, &output, &port))
            code = refuse(m, output, port, cycle, reterr);
    }
    close_trial(m);
    return code;
}

enum ec_code ec_shape_moore(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, uint64_t *ret_words, struct ec_error *reterr)
{
    const struct ec_tile_api *api = ec_shape_api(s);
    enum ec_code code = EC_OK;
    uint64_t words = 0;
    for (uint32_t k = 0; api->peek && code == EC_OK && k < PLACES && k < t->nodes; k++) {
        struct trial m = {
            .api = api,
            .t = t,
            .r = *r,
            .node = (uint32_t)((uint64_t)t->nodes * k / (t->nodes < PLACES ? t->nodes : PLACES)),
            .links = ec_tile_shape_links(&api->shape),
            .net_links = ec_topology_links(t),
            .locals = ec_router_locals(r, t),
            .vcs = api->shape.vcs,
            .key = ec_rng_key(1, k),
        };
        m.ports = m.links + api->shape.locals;
        m.r.packet = r->packet ? r->packet : 1;
        code = try_place(&m, reterr);
        words += m.words;
    }
    if (code == EC_OK && ret_words)
        *ret_words = words;
    return code;
}
