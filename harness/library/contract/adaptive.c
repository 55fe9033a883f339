/* SPDX-License-Identifier: Apache-2.0 */
/* What a head asks for with adaptive routing (section 5.5 of the contract). Knows the account and
 * routes; must not know when a word has to leave. */
#include "contract/account.h"
#include "network/walk.h"

/* The ports that lead a head nearer to its destination. */
struct ways {
    unsigned count, escape_class; /* that of the first one, on its escape VC */
    uint8_t port[PORTS_MAX];      /* [count] in the order of their dimensions; or the local port */
};

static struct ways ways_of(const struct rules *rules, size_t at)
{
    const struct ec_topology *t = rules->t;
    const uint64_t word = shadow_front(&rules->shadow, at);
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const uint32_t dst = ec_topology_node(t, ec_word_dst(&rules->shadow.layout, word));
    struct ways ret = {0};
    struct ec_leg leg;
    if (dst == node)
        ret.port[ret.count++] = (uint8_t)rules->shadow.links;
    if (dst == node || dst == EC_NONE)
        return ret;
    for (struct ec_walk walk = ec_walk_begin(t, rules->r, node, dst); ec_walk_leg(&walk, &leg);) {
        const uint32_t x = ec_topology_coord(t, leg.node, leg.dim);
        const bool round = leg.down ? leg.steps > x : x + leg.steps >= t->radix[leg.dim];
        if (ret.count == 0)
            ret.escape_class = rules->r->dateline && t->wrap[leg.dim] && !round;
        ret.port[ret.count++] = (uint8_t)leg.link;
    }
    return ret;
}

/* The VCs of the message class of an input VC; *ret_escape: those of its escape lane. */
static unsigned class_vcs(const struct rules *rules, size_t at, unsigned *ret_escape)
{
    const unsigned size = rules->vcs / ec_router_classes(rules->r);
    const unsigned first = (unsigned)(at % rules->vcs) / size * size;
    *ret_escape = (rules->r->dateline ? 3u : 1u) << first;
    return ((1u << size) - 1) << first;
}

bool adaptive_vc(const struct rules *rules, unsigned vc)
{
    unsigned escape;
    class_vcs(rules, vc, &escape);
    return rules->r->routing == EC_ROUTING_ADAPTIVE && !(escape >> vc & 1);
}

unsigned adaptive_vcs(const struct rules *rules, size_t at, unsigned port)
{
    const struct ways ways = ways_of(rules, at);
    unsigned escape, vcs = 0;
    const unsigned all = class_vcs(rules, at, &escape);
    for (unsigned i = 0; i < ways.count; i++) {
        if (ways.port[i] == port)
            vcs = all & ~escape;
    }
    if (ways.count > 0 && ways.port[0] == port)
        vcs |= escape & (rules->r->dateline ? 0x55u << ways.escape_class : 0xffu);
    return vcs;
}

void adaptive_choose(struct rules *rules, size_t at)
{
    struct account_input *in = &rules->inputs[at];
    const struct ways ways = ways_of(rules, at);
    const uint64_t word = shadow_front(&rules->shadow, at);
    unsigned escape, most = 0;
    const unsigned open_vcs = class_vcs(rules, at, &escape) & ~escape;
    if (ways.count == 0 || !ec_word_head(word))
        return;
    in->port = ways.port[0];
    in->vcs = (uint8_t)(adaptive_vcs(rules, at, in->port) & escape);
    for (unsigned i = 0; i < ways.count; i++) {
        const struct rules_output *out =
            &rules->outputs[at - at % rules->buffers + (size_t)ways.port[i] * rules->vcs];
        unsigned room = 0;
        bool open = false;
        for (unsigned left = open_vcs; left; left &= left - 1) {
            const unsigned vc = (unsigned)__builtin_ctz(left), free = account_free(rules, &out[vc]);
            room += free;
            open |= out[vc].holder == RULES_NOBODY && free >= rules_need(rules, word, vc);
        }
        if (open && room > most) {
            most = room;
            in->port = ways.port[i];
            in->vcs = (uint8_t)open_vcs;
        }
    }
}
