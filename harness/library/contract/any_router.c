/* SPDX-License-Identifier: Apache-2.0 */
/* What every router must keep to, a foreign one included (contract, section 12): finds out where
 * the words that leave come from, and judges them. Must not know when a word has to leave. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "contract/account.h"

static uint64_t without_vc(const struct rules *rules, uint64_t word)
{
    return word & ~ec_word_vc_mask(rules->vcs);
}

/* --- Where does a word come from? ----------------------------------------------------------- */

static bool is_routed(const struct rules *rules, size_t from, size_t to)
{
    const unsigned port = (unsigned)(to % rules->buffers / rules->vcs);
    return account_may_leave(rules, from, port) &&
           account_vcs(rules, from, port) >> to % rules->vcs & 1;
}

static bool has_turn(const struct rules *rules, size_t from, size_t to, uint64_t word)
{
    const uint32_t holder = rules->outputs[to].holder;
    return holder == (ec_word_head(word) ? RULES_NOBODY : (uint32_t)(from % rules->buffers));
}

size_t any_source(const struct rules *rules, size_t to, uint64_t word, bool routed)
{
    const size_t router = to / rules->buffers;
    size_t best = SIZE_MAX;
    unsigned most = 0;
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        for (uint64_t left = rules->filled[router * rules->vcs + vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t from = router * rules->buffers + port * rules->vcs + vc;
            if (without_vc(rules, shadow_front(&rules->shadow, from)) != without_vc(rules, word))
                continue;
            const bool right = is_routed(rules, from, to);
            const unsigned fits = 1 + 4u * right + 2u * has_turn(rules, from, to, word) +
                                  (rules->inputs[from].ahead > 0);
            if (fits > most && (right || !routed)) {
                best = from;
                most = fits;
            }
        }
    }
    return best;
}

/* The input VC of a router that has the word, but not at its front. SIZE_MAX: none. */
static size_t find_behind(const struct rules *rules, size_t router, uint64_t word,
                          uint32_t *ret_before)
{
    for (size_t k = 0; k < rules->buffers; k++) {
        const size_t at = router * rules->buffers + k;
        const uint32_t count = rules->shadow.buffers[at].count;
        for (uint32_t before = 1; before < count; before++) {
            if (without_vc(rules, shadow_word(&rules->shadow, at, before)) !=
                without_vc(rules, word))
                continue;
            *ret_before = before;
            return at;
        }
    }
    return SIZE_MAX;
}

/* Words that are equal may be at the fronts of two input VCs. If one of them has left, and now the
 * word behind the other one leaves, it was the other one. False: that is not so. */
static bool exchange_equals(struct rules *rules, size_t behind, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[behind];
    const size_t first = behind - behind % rules->buffers;
    const uint64_t front = shadow_front(&rules->shadow, behind);
    for (size_t at = first; at < first + rules->buffers; at++) {
        struct account_input *other = &rules->inputs[at];
        if (at == behind || other->left_at < in->front_at ||
            without_vc(rules, other->left) != without_vc(rules, front))
            continue;
        if (!shadow_return(&rules->shadow, at, other->left))
            return false;
        account_credit(rules, at, other->credit_at);
        other->tails += ec_word_tail(front);
        rules->words[at / rules->buffers]++;
        for (size_t out = first; out < first + rules->buffers && !ec_word_tail(front); out++) {
            if (rules->outputs[out].holder == at - first)
                rules->outputs[out].holder = (uint32_t)(behind - first);
        }
        in->left = other->left;
        in->left_at = other->left_at;
        other->left = 0;
        account_drop(rules, behind, 1, cycle);
        account_look(rules, at, cycle);
        return true;
    }
    return false;
}

/* The front word that should leave here and differs least. "": all differ in more than a few bits.
 */
static struct rules_name near_name(const struct rules *rules, size_t router, struct rules_breach at)
{
    enum { FEW = 4 };
    struct rules_name ret = {""};
    uint64_t least = 0;
    size_t nearest = SIZE_MAX;
    for (size_t k = 0; k < rules->buffers; k++) {
        const size_t from = router * rules->buffers + k;
        if (rules->shadow.buffers[from].count == 0 ||
            !is_routed(rules, from, shadow_at(&rules->shadow, at.node, at.port, at.vc)))
            continue;
        const uint64_t bits = without_vc(rules, shadow_front(&rules->shadow, from) ^ at.word);
        if (nearest == SIZE_MAX || __builtin_popcountll(bits) < __builtin_popcountll(least)) {
            nearest = from;
            least = bits;
        }
    }
    if (nearest == SIZE_MAX || __builtin_popcountll(least) > FEW)
        return ret;
    const unsigned k = (unsigned)(nearest % rules->buffers);
    ec_append(ret.text, sizeof ret.text, "; word %s of input %s differs in bit%s",
              rules_word_name(rules, shadow_front(&rules->shadow, nearest)).text,
              rules_vc_name(rules, k / rules->vcs, k % rules->vcs).text,
              __builtin_popcountll(least) > 1 ? "s" : "");
    for (; least; least &= least - 1)
        ec_append(ret.text, sizeof ret.text, " %d", __builtin_ctzll(least));
    return ret;
}

/* --- Judging -------------------------------------------------------------------------------- */

void any_judge_unknown(struct rules *rules, struct rules_breach at, uint64_t instead)
{
    const size_t router = account_router(rules, at.node);
    const struct rules_name word = rules_word_name(rules, at.word);
    uint32_t before;
    const size_t behind = find_behind(rules, router, at.word, &before);
    if (behind != SIZE_MAX) {
        const uint64_t lost = shadow_front(&rules->shadow, behind);
        struct rules_name rest = {""};
        if (!ec_word_head(lost) && account_packet(rules, lost) != account_packet(rules, at.word))
            snprintf(rest.text, sizeof rest.text,
                     "packet %u has not ended: its words from #%u on are lost; ",
                     ec_word_number(&rules->shadow.layout, lost),
                     ec_word_index(&rules->shadow.layout, lost));
        rules_note(rules, account_at_input(rules, RULES_LOST, at.cycle, behind, lost),
                   "%sword %s leaves: the word in front of it is lost%s (%s%s)", rest.text,
                   word.text, rules->r->ordered ? ", or overtaken in spite of ordered=yes" : "",
                   rules_word_name(rules, lost).text, before > 1 ? " and others" : "");
        return;
    }
    for (unsigned k = 0; k < rules->buffers; k++) {
        const struct account_input *in = &rules->inputs[router * rules->buffers + k];
        if (in->left == 0 || without_vc(rules, in->left) != without_vc(rules, at.word))
            continue;
        rules_note(rules, at,
                   "word %s leaves a second time (duplicated); it left input %s in cycle %" PRIu64,
                   word.text, rules_vc_name(rules, k / rules->vcs, k % rules->vcs).text,
                   in->left_at);
        return;
    }
    if (instead)
        rules_note(rules, at, "word %s leaves as word %s (altered)",
                   rules_word_name(rules, instead).text, word.text);
    else
        rules_note(rules, at,
                   "word %s leaves, but no buffer has it at its front (altered or invented%s)",
                   word.text, near_name(rules, router, at).text);
}

/* Both packets, if another one has not ended. */
static void note_mixed(struct rules *rules, size_t from, struct rules_breach at)
{
    const struct rules_output *out =
        &rules->outputs[shadow_at(&rules->shadow, at.node, at.port, at.vc)];
    const uint32_t own = (uint32_t)(from % rules->buffers), holder = out->holder;
    struct rules_name packet;
    at.kind = RULES_MIXED;
    if (holder == RULES_NOBODY) {
        rules_note(rules, at, "packets are mixed: word %s leaves on VC %u without its head",
                   rules_word_name(rules, at.word).text, at.vc);
        return;
    }
    packet = rules_word_name(rules, out->packet << rules->shadow.layout.index_bits);
    packet.text[strcspn(packet.text, ".")] = '\0'; /* not the position of a word in it */
    rules_note(rules, at,
               "packets are mixed: word %s leaves on VC %u inside another packet (the word is from "
               "input %s, packet %s from input %s has not ended)",
               rules_word_name(rules, at.word).text, at.vc,
               rules_vc_name(rules, own / rules->vcs, own % rules->vcs).text, packet.text,
               rules_vc_name(rules, holder / rules->vcs, holder % rules->vcs).text);
}

/* Would another order of dimensions, the other way round, or a comparison of the lowest bits only
 * take the word to this port? */
static bool leads_on(const struct rules *rules, struct rules_breach at)
{
    const struct ec_topology *t = rules->t;
    const uint32_t to = ec_word_dst(&rules->shadow.layout, at.word);
    const uint32_t dst = ec_topology_node(t, to), dim = at.port / t->links_per_dim;
    if (t->graph)
        return false;
    if (at.port < rules->shadow.links)
        return ec_topology_coord(t, at.node, dim) != ec_topology_coord(t, dst, dim);
    return dst != at.node && (to ^ ec_topology_address(t, at.node)) % 2 == 0;
}

/* Foreign routers may keep the route of a packet. A word that goes another way than its head, or
 * the way of the packet before it for no other reason, shows that the route was kept too short or
 * too long. */
static const char *turn_kept(const struct rules *rules, size_t from, struct rules_breach at)
{
    const struct account_input *in = &rules->inputs[from];
    const size_t own = from - from % rules->buffers + (size_t)in->port * rules->vcs;
    if (!rules->options.foreign || in->port >= rules->ports)
        return "";
    if (ec_word_head(at.word))
        return in->left && account_port(rules, from, in->left) == at.port && !leads_on(rules, at)
                   ? "; it goes the way of the packet before it"
                   : "";
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        if (has_turn(rules, from, own + vc, at.word))
            return ", where its head left";
    }
    return "";
}

bool any_judge(struct rules *rules, size_t from, struct rules_breach at)
{
    const struct account_input *in = &rules->inputs[from];
    const size_t to = shadow_at(&rules->shadow, at.node, at.port, at.vc);
    const struct rules_output *out = &rules->outputs[to];
    const uint64_t front = shadow_front(&rules->shadow, from);
    const unsigned field = ec_word_vc_field(at.word, rules->vcs);
    const struct rules_name word = rules_word_name(rules, at.word);
    if (!account_may_leave(rules, from, at.port) && ec_word_head(at.word) &&
        ec_router_chooses(rules->r)) {
        at.kind = RULES_PORT;
        rules_note(rules, at, "wrong turn: word %s %s", word.text,
                   ec_router_has_sets(rules->r)
                       ? "leaves by a port that the routing table does not give it"
                       : "does not come nearer to its destination");
    } else if (!account_may_leave(rules, from, at.port)) {
        at.kind = RULES_PORT;
        rules_note(rules, at, "wrong turn: word %s belongs to port %s%s%s", word.text,
                   in->port < rules->ports ? rules_port_name(rules, in->port).text : "nowhere",
                   rules->r->table ? " by the routing table" : "", turn_kept(rules, from, at));
    } else if (rules->vcs > 1 && !(account_vcs(rules, from, at.port) >> field & 1)) {
        at.kind = RULES_VC;
        rules_note(rules, at, "wrong VC: word %s leaves on VC %u instead of %s%s", word.text, field,
                   rules_vcs_name(account_vcs(rules, from, at.port)).text,
                   rules->options.foreign && rules->r->va == EC_VA_STATIC
                       ? " (a router that chooses VCs itself needs --router va=dynamic)"
                       : "");
    } else if (rules->vcs == 1 && at.word != front) {
        at.kind = RULES_WORD;
        rules_note(rules, at, "word %s is altered: its field vc is %u instead of %u", word.text,
                   field, ec_word_vc_field(front, rules->vcs));
    } else if (!has_turn(rules, from, to, at.word)) {
        note_mixed(rules, from, at);
    } else if (out->sent >= rules->r->depth) {
        at.kind = RULES_NO_CREDIT;
        rules_note(rules, at,
                   "word %s leaves without a credit: %u words are out (a credit was counted "
                   "twice, or a word not at all? %s)",
                   word.text, out->sent, rules_credit_name(out).text);
    } else if (rules->options.stored && ec_word_head(at.word) && in->tails == 0) {
        at.kind = RULES_TOO_EARLY;
        rules_note(rules, at, "word %s leaves before its tail has arrived (store-and-forward)",
                   word.text);
    } else {
        return true;
    }
    return false;
}

/* A router returns a credit. */
static void any_credit(struct rules *rules, size_t at, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    if (in->ahead >= (int32_t)rules->shadow.buffers[at].count) {
        rules_note(rules, account_at_input(rules, RULES_CREDIT_TWICE, cycle, at, 0),
                   "a credit is returned for an empty buffer: all words that came have theirs "
                   "(the last credit was returned in cycle %" PRIu64 ")",
                   in->credit_at);
        return;
    }
    account_credit(rules, at, cycle);
}

/* A credit that does not come in time (contract, section 12.1) is lost. Credits are alike, so which
 * one it is shows only in the counts: the first that was missing. */
static void judge_late(struct rules *rules, size_t at, uint64_t cycle)
{
    const struct account_input *in = &rules->inputs[at];
    const uint64_t left_at = shadow_front(&rules->unpaid, at);
    if (left_at == 0 || left_at + RULES_CREDIT_DELAY > cycle)
        return;
    rules_note(rules, account_at_input(rules, RULES_CREDIT_MISSING, in->missing_at, at, 0),
               "the router owes a credit: by cycle %" PRIu64
               " it has returned fewer than words left up to cycle %" PRIu64
               " (at most %u cycles: contract, section 12.1); last correct in cycle %" PRIu64,
               cycle, left_at, RULES_CREDIT_DELAY, in->correct_at);
}

/* After all words and credits of a cycle: is every credit accounted for? A router with a pipeline
 * returns credits before their words leave, so a lost one shows as a credit less ahead. */
static void settle(struct rules *rules, size_t at, uint64_t cycle)
{
    struct account_input *in = &rules->inputs[at];
    if (in->ahead >= in->best || (in->ahead == 0 && rules->shadow.buffers[at].count == 0)) {
        in->best = in->ahead > in->best ? in->ahead : in->best;
        in->correct_at = cycle;
        in->missing_at = 0;
    } else if (in->missing_at == 0) {
        in->missing_at = cycle;
    }
    if (rules->unpaid.buffers)
        judge_late(rules, at, cycle);
}

/* --- A cycle of a router -------------------------------------------------------------------- */

struct rules_breach any_leaving(const struct rules *rules, const struct ec_net_seen *seen,
                                unsigned port)
{
    const uint64_t word = seen->out_word[port];
    return (struct rules_breach){.kind = RULES_WORD,
                                 .cycle = seen->cycle + 1,
                                 .node = seen->node,
                                 .port = port,
                                 .vc = ec_word_vc(word, rules->vcs),
                                 .word = word};
}

bool any_has_link(struct rules *rules, struct rules_breach at)
{
    at.kind = RULES_PORT;
    if (at.port >= rules->ports)
        rules_note(rules, at, "word %s leaves by a port without a link",
                   rules_word_name(rules, at.word).text);
    return at.port < rules->ports;
}

/* A word that is not at the front of an input VC that leads here. */
static void any_odd(struct rules *rules, struct rules_breach at)
{
    const size_t to = shadow_at(&rules->shadow, at.node, at.port, at.vc);
    uint32_t before;
    size_t from = find_behind(rules, account_router(rules, at.node), at.word, &before);
    const struct rules_output *out = &rules->outputs[to];
    /* Within another packet of the same input VC: the rest of that one will not come any more. */
    const bool cuts =
        out->holder == from % rules->buffers && out->packet != account_packet(rules, at.word);
    const bool overtakes = from != SIZE_MAX && rules->options.foreign && !cuts;
    if (overtakes && account_overtake(rules, from, before, at.cycle)) {
        any_judge(rules, from, at);
        account_pass(rules, from, to, at.cycle);
        return;
    }
    if (overtakes && before == 1 && exchange_equals(rules, from, at.cycle)) {
        any_judge(rules, from, at);
        account_pass(rules, from, to, at.cycle);
        return;
    }
    const size_t front = any_source(rules, to, at.word, false);
    if (front != SIZE_MAX) {
        any_judge(rules, front, at);
        account_pass(rules, front, to, at.cycle);
        return;
    }
    any_judge_unknown(rules, at, 0);
    if (from == SIZE_MAX) {
        rules->outputs[to].sent++;
        return;
    }
    account_drop(rules, from, before, at.cycle);
    account_pass(rules, from, to, at.cycle);
}

void any_words(struct rules *rules, const struct ec_net_seen *seen)
{
    const size_t first = (size_t)account_router(rules, seen->node) * rules->buffers;
    uint64_t odd = seen->out_valid;
    bool again = true;
    while (again) { /* a word may leave in the same cycle as the one in front of it */
        again = false;
        for (uint64_t left = odd; left; left &= left - 1) {
            const struct rules_breach at =
                any_leaving(rules, seen, (unsigned)__builtin_ctzll(left));
            if (at.port >= rules->ports)
                break;
            const size_t to = first + at.port * rules->vcs + at.vc;
            const size_t from = any_source(rules, to, at.word, true);
            if (from == SIZE_MAX)
                continue;
            any_judge(rules, from, at);
            account_pass(rules, from, to, at.cycle);
            odd &= ~(UINT64_C(1) << at.port);
            again = odd != 0;
        }
    }
    for (uint64_t left = odd; left; left &= left - 1) {
        const struct rules_breach at = any_leaving(rules, seen, (unsigned)__builtin_ctzll(left));
        if (any_has_link(rules, at))
            any_odd(rules, at);
    }
}

void any_credits(struct rules *rules, const struct ec_net_seen *seen)
{
    const size_t first = (size_t)account_router(rules, seen->node) * rules->buffers;
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < rules->ports)
                any_credit(rules, first + port * rules->vcs + vc, seen->cycle + 1);
        }
    }
    for (size_t k = 0; k < rules->buffers; k++)
        settle(rules, first + k, seen->cycle + 1);
}
