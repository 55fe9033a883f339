/* SPDX-License-Identifier: Apache-2.0 */
/* The VC rule on the wires: set-up, words that enter, and the messages. The comparison itself is
 * inline in backend/vcs.h.
 *
 * Knows the contract's rule for VCs and the fields of a word. Must not know routers, credits, or
 * how words are moved. */
#include "backend/vcs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/names.h"

/* Under an empty mask x is 0: 0 - 1 <= 0 is false (unsigned), 0 - 0 <= 0 is true. */
static const struct class_rule always_0 = {.mask = 0, .low = 1, .span = 0};
static const struct class_rule always_1 = {.mask = 0, .low = 0, .span = 0};

struct class_rule class_rule_of(const struct ec_topology *t, uint32_t node, unsigned link)
{
    const unsigned dim = link / t->links_per_dim, shift = t->shift[dim];
    const bool plus = link % t->links_per_dim == 0;
    if (!t->wrap[dim])
        return always_0;
    const uint32_t here = ec_topology_coord(t, node, dim), last = t->radix[dim] - 1;
    if (here == (plus ? last : 0))
        return always_1;
    const uint32_t from = plus ? here + 1 : 0, to = plus ? last : here - 1;
    return (struct class_rule){.mask = ((1u << t->bits[dim]) - 1) << shift,
                               .low = from << shift,
                               .span = (to - from) << shift};
}

/* --- What packets keep ------------------------------------------------------------------------ */

enum { FIRST_BITS = 8, MOST_BITS = 31 };

bool packet_vcs_open(struct packet_vcs *l)
{
    *l = (struct packet_vcs){.bits = FIRST_BITS};
    l->of = calloc((size_t)1 << l->bits, sizeof *l->of);
    return l->of != NULL;
}

void packet_vcs_close(struct packet_vcs *l)
{
    free(l->of);
    *l = (struct packet_vcs){0};
}

void packet_vcs_reset(struct packet_vcs *l)
{
    if (l->count > 0)
        memset(l->of, 0, ((size_t)1 << l->bits) * sizeof *l->of);
    l->count = 0;
}

/* Where the packet is, or would be. */
static size_t find(const struct packet_vcs *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    size_t i = packet_vcs_place(l, packet);
    while (l->of[i].packet && l->of[i].packet != packet)
        i = (i + 1) & mask;
    return i;
}

static bool grow(struct packet_vcs *l)
{
    struct packet_vcs wide = {.bits = l->bits + 1, .count = l->count};
    if (wide.bits > MOST_BITS)
        return false;
    wide.of = calloc((size_t)1 << wide.bits, sizeof *wide.of);
    if (!wide.of)
        return false;
    for (size_t i = 0; i < (size_t)1 << l->bits; i++) {
        if (l->of[i].packet)
            wide.of[find(&wide, l->of[i].packet)] = l->of[i];
    }
    free(l->of);
    *l = wide;
    return true;
}

void packet_vcs_keep(struct packet_vcs *l, uint32_t packet, uint32_t kept)
{
    const bool full = l->count >= (uint32_t)1 << (l->bits - 1);
    if (full && !grow(l))
        return;
    struct packet_vc *x = &l->of[find(l, packet)];
    l->count += x->packet == 0;
    *x = (struct packet_vc){packet, kept};
}

/* Those behind it that would not be found beyond a free place move up. */
void packet_vcs_forget(struct packet_vcs *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    size_t hole = find(l, packet);
    if (l->of[hole].packet == 0)
        return;
    for (size_t i = (hole + 1) & mask; l->of[i].packet; i = (i + 1) & mask) {
        const size_t from_home = (i - packet_vcs_place(l, l->of[i].packet)) & mask;
        if (from_home >= ((i - hole) & mask)) {
            l->of[hole] = l->of[i];
            hole = i;
        }
    }
    l->of[hole].packet = 0;
    l->count--;
}

/* --- The rule --------------------------------------------------------------------------------- */

static bool open_rules(struct tiles_vcs *v, const uint32_t *node)
{
    const unsigned ports = v->ports;
    const unsigned net_links = ec_topology_links(v->t);
    v->rules = calloc((size_t)v->routers * ports, sizeof *v->rules);
    if (!v->rules)
        return false;
    for (uint32_t router = 0; router < v->routers; router++) {
        for (unsigned port = 0; port < ports; port++)
            v->rules[(size_t)router * ports + port] = port < v->links && port < net_links
                                                          ? class_rule_of(v->t, node[router], port)
                                                          : always_0;
    }
    return true;
}

bool tiles_vcs_open(struct tiles_vcs *v, const struct ec_topology *t, const struct ec_router *r,
                    const uint32_t *node, uint32_t routers, unsigned links, unsigned ports)
{
    *v = (struct tiles_vcs){.t = t,
                            .routers = routers,
                            .links = links,
                            .ports = ports,
                            .vcs = r->vcs,
                            .class_bits = r->dateline,
                            .dynamic = r->va == EC_VA_DYNAMIC};
    /* A VC is message class, VC of the class and dateline class, from its high bits down. */
    const unsigned kept = v->dynamic ? ec_router_classes(r) : ec_router_lanes(r);
    v->kept_shift = (unsigned)__builtin_ctz(r->vcs / kept);
    v->legs = r->routing == EC_ROUTING_VALIANT;
    v->kept_mask = v->legs ? kept / 2 - 1 : kept - 1; /* the legs are message classes */
    v->layout = ec_router_layout(r, t);
    if (v->vcs == 1)
        return true;
    v->open = calloc((size_t)routers * ports * v->vcs, sizeof *v->open);
    bool ok = v->open != NULL;
    v->node = node;
    if (r->dateline && r->table)
        v->table = r->table;
    else if (r->dateline && r->routing != EC_ROUTING_ADAPTIVE) /* which takes any of its class */
        ok = open_rules(v, node) && ok;
    if (v->kept_mask > 0)
        ok = packet_vcs_open(&v->kept) && ok;
    return ok;
}

void tiles_vcs_reset(struct tiles_vcs *v, bool follow)
{
    v->follows = follow && v->vcs > 1;
    v->unknown = 0;
    if (v->open)
        memset(v->open, 0, (size_t)v->routers * v->ports * v->vcs * sizeof *v->open);
    packet_vcs_reset(&v->kept);
}

void tiles_vcs_close(struct tiles_vcs *v)
{
    free(v->rules);
    free(v->open);
    packet_vcs_close(&v->kept);
    *v = (struct tiles_vcs){0};
}

void tiles_vcs_cross(struct tiles_vcs *v, unsigned vc, uint64_t word)
{
    if (v->follows && v->kept.of && ec_word_head(word))
        packet_vcs_keep(&v->kept, packet_name(&v->layout, word),
                        vc >> v->kept_shift & v->kept_mask);
}

bool tiles_vcs_enter(struct tiles_vcs *v, unsigned vc, uint64_t word)
{
    if (v->class_bits && (vc & 1))
        return false;
    tiles_vcs_cross(v, vc, word);
    return true;
}

static const char *class_reason(const struct tiles_vcs *v, size_t channel, unsigned due)
{
    if (v->table)
        return "by the routing table";
    const struct class_rule rule = v->rules[channel];
    if (channel % v->ports >= v->links)
        return "on a local port";
    if (rule.mask)
        return due ? "after the wrap link" : "before the wrap link";
    return due ? "on the wrap link" : "the dimension does not wrap";
}

void tiles_vcs_explain(const struct tiles_vcs *v, size_t channel, unsigned vc, uint64_t word,
                       char *buffer, size_t size)
{
    const uint32_t open = v->open[channel * v->vcs + vc];
    const struct ec_word_layout *layout = &v->layout;
    const uint32_t kept =
        v->kept.of ? packet_vcs_find(&v->kept, packet_name(layout, word)) : VC_UNKNOWN;
    char name[EC_NAME_SIZE];
    ec_word_name(v->t, layout, word, name, sizeof name);
    if ((v->rules || v->table) && tiles_vcs_class(v, channel, vc, word) != (vc & 1)) {
        const unsigned due = !(vc & 1);
        snprintf(buffer, size, "word %.60s: expected class %u (%s), got class %u", name, due,
                 class_reason(v, channel, due), vc & 1);
    } else if (ec_word_head(word) && kept != VC_UNKNOWN &&
               kept != (vc >> v->kept_shift & v->kept_mask)) {
        const unsigned low = vc & ((1u << v->kept_shift) - 1);
        if (v->dynamic)
            snprintf(buffer, size, "word %.60s: expected message class %u, got message class %u",
                     name, kept, vc >> v->kept_shift);
        else
            snprintf(buffer, size,
                     "word %.60s: expected VC %u, got VC %u (its node sent it on VC %u)", name,
                     kept << v->kept_shift | low, vc, kept << v->kept_shift);
    } else if (open == 0) {
        snprintf(buffer, size, "word %.60s: expected a head on this VC, got a body flit", name);
    } else {
        snprintf(
            buffer, size,
            "word %.60s: expected a flit of the open packet %u of node %u, got another packet",
            name, ec_word_field(open, 0, layout->number_bits),
            ec_topology_node(v->t, ec_word_field(open, layout->number_bits, layout->address_bits)));
    }
}
