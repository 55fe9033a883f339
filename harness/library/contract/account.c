/* SPDX-License-Identifier: Apache-2.0 */
/* The account: which words are in which input VC and where they must leave, who holds which output
 * VC, how many credits are out. Knows words, credits and routes (sections 4 and 5); must not know
 * when a word has to leave. */
#include "contract/account.h"

#include "network/walk.h"

/* --- Routes --------------------------------------------------------------------------------- */

/* routing=valiant: is a word in an input VC of this router on its way to its destination? Then it
 * is in message class 1, or comes to the node on the way here. */
static bool is_onward(const struct rules *rules, uint32_t node, unsigned vc, uint64_t word)
{
    return 2 * vc >= rules->vcs ||
           ec_word_via(&rules->shadow.layout, word) == ec_topology_address(rules->t, node);
}

/* The address to which a word goes. */
static uint32_t target_due(const struct rules *rules, uint32_t node, unsigned vc, uint64_t word)
{
    return rules->r->routing == EC_ROUTING_VALIANT && !is_onward(rules, node, vc, word)
               ? ec_word_via(&rules->shadow.layout, word)
               : ec_word_dst(&rules->shadow.layout, word);
}

/* The output port of a word in this router; rules->ports: its destination is not a node. */
static unsigned port_due(const struct rules *rules, uint32_t node, unsigned in, unsigned vc,
                         uint64_t word)
{
    const unsigned links = rules->shadow.links;
    const uint32_t dst = ec_topology_node(rules->t, target_due(rules, node, vc, word));
    if (dst == EC_NONE)
        return rules->ports;
    if (rules->r->table) {
        const unsigned port = rules->r->table->port[(size_t)node * rules->r->table->nodes + dst];
        return port < rules->ports ? port : rules->ports;
    }
    const unsigned order = rules->r->order == EC_ORDER_CLASS && 2 * vc >= rules->vcs;
    struct ec_walk walk = ec_walk_from(rules->t, rules->r, node, dst, order);
    struct ec_hop hop;
    if (ec_walk_next(&walk, &hop))
        return hop.link;
    if (rules->shadow.locals == 1)
        return links;
    return in < links ? links + in : in;
}

/* The VC on output port `port` of a word from input VC (in, vc), if its lane stays. With datelines
 * the class is 1 from the wrap link to the end of the dimension, or that of the table. */
static unsigned vc_due(const struct rules *rules, uint32_t node, unsigned in, unsigned vc,
                       unsigned port, uint64_t word)
{
    const struct ec_topology *t = rules->t;
    const struct ec_table *table = rules->r->table;
    const unsigned links = rules->shadow.links;
    const bool turns = rules->r->routing == EC_ROUTING_VALIANT && 2 * vc < rules->vcs &&
                       is_onward(rules, node, vc, word);
    unsigned class_ = 0;
    if (!rules->r->dateline)
        return turns ? vc + rules->vcs / 2 : vc;
    if (table) {
        const uint32_t dst = ec_topology_node(t, ec_word_dst(&rules->shadow.layout, word));
        /* a word that was altered may name no node */
        class_ = dst != EC_NONE &&
                 (ec_table_ports(table, (size_t)node * table->nodes + dst, 1) >> port & 1);
    } else if (port < links) {
        const unsigned dim = port / t->links_per_dim;
        const uint32_t here = ec_topology_coord(t, node, dim);
        const bool plus = port % t->links_per_dim == 0;
        const bool round = t->wrap[dim] && here == (plus ? t->radix[dim] - 1 : 0);
        const bool same = in < links && in / t->links_per_dim == dim && !turns;
        class_ = round || (same && (vc & 1));
    }
    return (vc & ~1u) | class_ | (turns ? rules->vcs / 2 : 0);
}

/* --- Input VCs ------------------------------------------------------------------------------ */

struct rules_breach account_at_input(const struct rules *rules, enum rules_kind kind,
                                     uint64_t cycle, size_t at, uint64_t word)
{
    return (struct rules_breach){.kind = kind,
                                 .cycle = cycle,
                                 .node = rules->shadow.first + (uint32_t)(at / rules->buffers),
                                 .input = true,
                                 .port = (unsigned)(at % rules->buffers / rules->vcs),
                                 .vc = (unsigned)(at % rules->vcs),
                                 .word = word};
}

struct rules_breach account_at_output(const struct rules *rules, enum rules_kind kind,
                                      uint64_t cycle, size_t at, uint64_t word)
{
    struct rules_breach b = account_at_input(rules, kind, cycle, at, word);
    b.input = false;
    return b;
}

uint64_t account_packet(const struct rules *rules, uint64_t word)
{
    const struct ec_word_layout *l = &rules->shadow.layout;
    return (word & ((UINT64_C(1) << l->vc_shift) - 1)) >> l->index_bits;
}

/* Where a word in an input VC may leave. */
struct way {
    unsigned port, vcs; /* vcs: bits */
};

unsigned account_port(const struct rules *rules, size_t at, uint64_t word)
{
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const unsigned own = (unsigned)(at % rules->buffers);
    return port_due(rules, node, own / rules->vcs, own % rules->vcs, word);
}

/* The VCs of the class that a head may take; the rest of its packet follows it. */
static unsigned vcs_due(const struct rules *rules, size_t first, unsigned own, unsigned port,
                        unsigned vc, uint64_t word)
{
    const struct rules_output *out = &rules->outputs[first + port * rules->vcs];
    const unsigned mask = ec_router_class_mask(rules->r);
    unsigned vcs = 0;
    if (rules->r->va == EC_VA_STATIC)
        return 1u << vc;
    for (unsigned v = 0; v < rules->vcs; v++) {
        if (!ec_word_head(word) && out[v].holder == own &&
            out[v].packet == account_packet(rules, word))
            return 1u << v;
        vcs |= (unsigned)(((v ^ vc) & mask) == 0) << v;
    }
    return vcs;
}

/* A packet that had a choice of ports: the one that its head took; rules->ports: none holds it. */
static unsigned port_taken(const struct rules *rules, size_t at, uint64_t word)
{
    const unsigned own = (unsigned)(at % rules->buffers);
    const struct rules_output *out = &rules->outputs[at - own];
    for (unsigned k = 0; k < rules->buffers; k++) {
        if (out[k].holder == own && out[k].packet == account_packet(rules, word))
            return k / rules->vcs;
    }
    return rules->ports;
}

bool account_may_leave(const struct rules *rules, size_t at, unsigned port)
{
    const struct account_input *in = &rules->inputs[at];
    const uint64_t word = shadow_front(&rules->shadow, at);
    const enum ec_routing routing = rules->r->routing;
    const struct ec_table *const table = rules->r->table;
    if (!ec_router_chooses(rules->r) || !ec_word_head(word) || in->port >= rules->ports)
        return in->port == port;
    if (routing == EC_ROUTING_ADAPTIVE)
        return adaptive_vcs(rules, at, port) != 0;
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const uint32_t dst = ec_topology_node(rules->t, ec_word_dst(&rules->shadow.layout, word));
    if (dst == EC_NONE)
        return false;
    if (routing == EC_ROUTING_TABLE)
        return ec_table_all_ports(table, (size_t)node * table->nodes + dst) >> port & 1;
    if (port >= rules->shadow.links)
        return ec_topology_router(rules->t, dst) == node &&
               port - rules->shadow.links == dst - ec_topology_first_node(rules->t, node);
    const uint32_t next = ec_topology_neighbor(rules->t, node, port);
    return next != EC_NONE &&
           (routing == EC_ROUTING_ANY ||
            ec_topology_hops(rules->t, next, dst) < ec_topology_hops(rules->t, node, dst));
}

unsigned account_vcs(const struct rules *rules, size_t at, unsigned port)
{
    const uint64_t word = shadow_front(&rules->shadow, at);
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const unsigned own = (unsigned)(at % rules->buffers), in = own / rules->vcs;
    if (rules->r->routing == EC_ROUTING_ADAPTIVE && ec_word_head(word))
        return adaptive_vcs(rules, at, port);
    if (!ec_router_has_sets(rules->r) || !ec_word_head(word) ||
        rules->inputs[at].port >= rules->ports)
        return rules->inputs[at].vcs;
    /* each port has a class */
    return vcs_due(rules, at - own, own, port,
                   vc_due(rules, node, in, own % rules->vcs, port, word), word);
}

static struct way way_of(const struct rules *rules, size_t at, uint64_t word)
{
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const unsigned own = (unsigned)(at % rules->buffers);
    const unsigned port = own / rules->vcs, vc = own % rules->vcs;
    struct way ret = {rules->ports, 1};
    if (ec_router_chooses(rules->r) && !ec_word_head(word))
        ret.port = port_taken(rules, at, word);
    if (ret.port == rules->ports)
        ret.port = port_due(rules, node, port, vc, word);
    if (ret.port < rules->ports)
        ret.vcs = vcs_due(rules, at - own, own, ret.port,
                          vc_due(rules, node, port, vc, ret.port, word), word);
    return ret;
}

/* Must word b of an input VC not leave before word a? With dynamic allocation, or a choice of
 * ports, packets may overtake each other; with ordered=yes not those of one source and destination.
 */
static bool keep_order(const struct rules *rules, size_t at, uint64_t a, uint64_t b)
{
    const unsigned number = rules->r->ordered ? rules->shadow.layout.number_bits : 0;
    if (rules->r->va == EC_VA_DYNAMIC || ec_router_chooses(rules->r))
        return account_packet(rules, a) >> number == account_packet(rules, b) >> number;
    const struct way x = way_of(rules, at, a), y = way_of(rules, at, b);
    return x.port == y.port && x.vcs == y.vcs;
}

bool account_overtake(struct rules *rules, size_t at, uint32_t k, uint64_t cycle)
{
    const uint64_t word = shadow_word(&rules->shadow, at, k);
    for (uint32_t before = 0; before < k; before++) {
        if (keep_order(rules, at, shadow_word(&rules->shadow, at, before), word))
            return false;
    }
    shadow_promote(&rules->shadow, at, k);
    account_look(rules, at, cycle);
    return true;
}

void account_look(struct rules *rules, size_t at, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    const size_t router = at / rules->buffers;
    const unsigned port = (unsigned)(at % rules->buffers / rules->vcs);
    const unsigned vc = (unsigned)(at % rules->vcs);
    uint64_t *filled = &rules->filled[router * rules->vcs + vc];
    if (rules->shadow.buffers[at].count == 0) {
        *filled &= ~(UINT64_C(1) << port);
        return;
    }
    const struct way way = way_of(rules, at, shadow_front(&rules->shadow, at));
    *filled |= UINT64_C(1) << port;
    in->front_at = cycle;
    if (rules->shadow.buffers[at].count == 1 && in->entered_at > cycle)
        in->front_at = in->entered_at;
    in->port = (uint8_t)way.port;
    in->vcs = (uint8_t)way.vcs;
}

unsigned rules_need(const struct rules *rules, uint64_t word, unsigned vc)
{
    if (!ec_word_head(word))
        return 1;
    if (rules->r->switching != EC_WORMHOLE)
        return rules->r->packet;
    return adaptive_vc(rules, vc) ? rules->r->depth : 1;
}

size_t account_choice(const struct rules *rules, size_t at)
{
    const struct account_input *in = &rules->inputs[at];
    const size_t first = at - at % rules->buffers + in->port * rules->vcs;
    const uint64_t word = shadow_front(&rules->shadow, at);
    size_t best = first + (unsigned)__builtin_ctz(in->vcs);
    bool open = false;
    for (unsigned left = in->vcs; left; left &= left - 1) {
        const size_t to = first + (unsigned)__builtin_ctz(left);
        const struct rules_output *out = &rules->outputs[to];
        if (out->holder != RULES_NOBODY && out->holder != at % rules->buffers)
            continue;
        if (account_free(rules, out) >= rules_need(rules, word, (unsigned)(to % rules->vcs)))
            return to;
        best = open ? best : to;
        open = true;
    }
    return best;
}

bool account_is_held(const struct rules *rules, size_t at)
{
    const uint32_t holder = rules->outputs[account_choice(rules, at)].holder;
    return holder != RULES_NOBODY && holder != at % rules->buffers;
}

const char *account_peer(const struct rules *rules, size_t at)
{
    return at % rules->buffers / rules->vcs >= rules->shadow.links ? "the node" : "the neighbour";
}

static void judge_entry(struct rules *rules, size_t at, uint64_t word, uint64_t cycle)
{
    const struct account_input *in = &rules->inputs[at];
    const bool open = in->open;
    const char *wrong = NULL;
    if (rules->shadow.buffers[at].count >= (int64_t)rules->r->depth + in->ahead)
        wrong = "without a credit: the buffer is full";
    else if (ec_word_head(word) == open)
        wrong = open ? "inside another packet" : "without its head";
    if (wrong)
        rules_note(rules, account_at_input(rules, RULES_INPUT, cycle, at, word),
                   "%s sends word %s %s", account_peer(rules, at),
                   rules_word_name(rules, word).text, wrong);
}

static void take_word(struct rules *rules, uint32_t router, size_t at, uint64_t word,
                      uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    judge_entry(rules, at, word, cycle);
    if (!shadow_push(&rules->shadow, at, word))
        return;
    in->open = !ec_word_tail(word);
    in->tails += ec_word_tail(word);
    in->entered_at = cycle + 1 + rules->route;
    if (rules->shadow.buffers[at].count == 1)
        account_look(rules, at, cycle + 1);
    rules->words[router]++;
    if (!rules->listed[router])
        rules->busy[rules->busy_count++] = router;
    rules->listed[router] = true;
}

static void take_credit(struct rules *rules, size_t at, uint64_t cycle)
{
    struct rules_output *out = &rules->outputs[at];
    if (out->sent == 0) {
        rules_note(rules, account_at_output(rules, RULES_INPUT, cycle, at, 0),
                   "%s returns a credit, but all credits are already here",
                   account_peer(rules, at));
        return;
    }
    out->credit_at = cycle;
    if (--out->sent == 0)
        out->correct_at = cycle;
}

void account_take(struct rules *rules, const struct ec_net_seen *seen)
{
    const struct shadow *s = &rules->shadow;
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (port >= rules->ports)
            break;
        const uint64_t word = seen->in_word[port];
        take_word(rules, account_router(rules, seen->node),
                  shadow_at(s, seen->node, port, ec_word_vc(word, rules->vcs)), word, seen->cycle);
    }
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        for (uint64_t left = seen->in_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < rules->ports)
                take_credit(rules, shadow_at(s, seen->node, port, vc), seen->cycle);
        }
    }
}

static void remove_front(struct rules *rules, size_t at, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    in->tails -= ec_word_tail(shadow_front(&rules->shadow, at)) && in->tails > 0;
    if (--in->ahead < 0 && rules->unpaid.buffers && !shadow_push(&rules->unpaid, at, cycle))
        rules->shadow.memory_short = true;
    rules->words[at / rules->buffers]--;
    shadow_leave(&rules->shadow, at);
}

void account_credit(struct rules *rules, size_t at, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    if (in->ahead++ < 0 && rules->unpaid.buffers)
        shadow_leave(&rules->unpaid, at);
    in->credit_at = cycle;
}

void account_grant(struct rules *rules, size_t from, size_t to, uint64_t cycle)
{
    struct rules_output *out = &rules->outputs[to];
    const uint64_t word = shadow_front(&rules->shadow, from);
    if (out->sent++ == 0)
        out->out_since = cycle;
    out->holder = (uint32_t)(from % rules->buffers);
    out->packet = account_packet(rules, word);
    rules->inputs[from].vcs = (uint8_t)(1u << to % rules->vcs); /* until the word leaves */
    if (ec_word_tail(word)) {
        out->holder = RULES_NOBODY;
        out->freed_at = cycle;
    }
}

void account_leave(struct rules *rules, size_t from, uint64_t cycle, uint64_t next)
{
    struct account_input *in = &rules->inputs[from];
    in->left = shadow_front(&rules->shadow, from);
    in->left_at = cycle;
    remove_front(rules, from, cycle);
    account_look(rules, from, next);
}

void account_pass(struct rules *rules, size_t from, size_t to, uint64_t cycle)
{
    account_grant(rules, from, to, cycle);
    account_leave(rules, from, cycle, cycle + 1);
}

void account_drop(struct rules *rules, size_t at, uint32_t count, uint64_t cycle)
{
    for (uint32_t k = 0; k < count; k++)
        remove_front(rules, at, cycle);
    account_look(rules, at, cycle);
}
