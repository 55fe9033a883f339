/* SPDX-License-Identifier: Apache-2.0 */
/* ecube's own router: what it must show in a cycle by sections 4.6, 6, 7 and 8 of the contract, and
 * which rule it broke if it shows anything else. Knows the account only.
 *
 * With one stage, words leave in the cycle of their grant. With several, they leave one cycle
 * later, and a grant shows in the credit only. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contract/account.h"

/* --- What is due ---------------------------------------------------------------------------- */

/* Is the packet at the front of an input VC here up to its tail, if it has to be? */
static bool may_start(const struct rules *rules, size_t from, uint64_t word, uint64_t now)
{
    const struct account_input *in = &rules->inputs[from];
    const bool coming = !in->open && in->entered_at > now; /* the last tail is in the route stage */
    return !ec_word_head(word) || rules->r->switching != EC_STORE_AND_FORWARD || in->tails > coming;
}

/* The ports whose input VC is not empty: a word may still be in the route stage. */
static uint64_t filled_ports(const struct rules *rules, size_t router, unsigned vc, uint64_t now)
{
    uint64_t ret = rules->filled[router * rules->vcs + vc];
    for (uint64_t left = rules->route ? ret : 0; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (rules->inputs[router * rules->buffers + port * rules->vcs + vc].front_at > now)
            ret &= ~(UINT64_C(1) << port);
    }
    return ret;
}

/* Section 6.2: does the front word of an input VC request its output port? (With dynamic allocation
 * a head does if any VC of its class is free and has the credits: the choice is such a VC.) */
static bool is_request(const struct rules *rules, size_t from, uint64_t now)
{
    const uint64_t word = shadow_front(&rules->shadow, from);
    const struct rules_output *out = &rules->outputs[account_choice(rules, from)];
    const unsigned free = account_free(rules, out);
    if (out->holder == from % rules->buffers)
        return free > 0;
    return out->holder == RULES_NOBODY &&
           free >= rules_need(rules, word, (unsigned)(account_choice(rules, from) % rules->vcs)) &&
           may_start(rules, from, word, now);
}

/* Section 5.5: what the heads ask for in this cycle. */
static void choose_outputs(struct rules *rules, size_t router, uint64_t now)
{
    for (unsigned vc = 0; vc < rules->vcs && rules->r->routing == EC_ROUTING_ADAPTIVE; vc++) {
        for (uint64_t left = filled_ports(rules, router, vc, now); left; left &= left - 1)
            adaptive_choose(rules, router * rules->buffers +
                                       (unsigned)__builtin_ctzll(left) * rules->vcs + vc);
    }
}

/* Section 6.6: does another VC of its input port go before this one, which requests its output? */
static bool is_passed_over(const struct rules *rules, size_t from, uint64_t now)
{
    const size_t router = from / rules->buffers;
    const unsigned own = (unsigned)(from % rules->buffers), port = own / rules->vcs;
    const unsigned pointer = rules->r->speedup ? rules->turn[router * rules->ports + port] : 0;
    for (unsigned k = 0; rules->r->speedup && k < rules->vcs; k++) {
        const unsigned vc = (pointer + k) % rules->vcs;
        const size_t other = from - own + port * rules->vcs + vc;
        if (other == from)
            return false;
        if (filled_ports(rules, router, vc, now) >> port & 1 &&
            rules->inputs[other].port < rules->ports && is_request(rules, other, now))
            return true;
    }
    return false;
}

/* The words of section 6.3, in turn from the pointer of their port. */
static void grant_ports(const struct rules *rules, size_t router, uint64_t now, struct due *ret)
{
    const size_t first = router * rules->buffers;
    unsigned turn[PORTS_MAX];
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        uint64_t left = filled_ports(rules, router, vc, now);
        for (; left; left &= left - 1) {
            const unsigned own = (unsigned)__builtin_ctzll(left) * rules->vcs + vc;
            const unsigned port = rules->inputs[first + own].port;
            if (port >= rules->ports || !is_request(rules, first + own, now) ||
                is_passed_over(rules, first + own, now))
                continue;
            const unsigned pointer = rules->pointer[router * rules->ports + port];
            const unsigned after = own >= pointer ? own - pointer : own + rules->buffers - pointer;
            if (!(ret->valid >> port & 1) || after < turn[port]) {
                turn[port] = after;
                ret->winner[port] = own;
            }
            ret->valid |= UINT64_C(1) << port;
        }
    }
}

static uint64_t leaving_word(const struct rules *rules, size_t from)
{
    const uint64_t word = shadow_front(&rules->shadow, from);
    if (rules->vcs == 1)
        return word;
    return (word & ~ec_word_vc_mask(rules->vcs)) |
           (uint64_t)(account_choice(rules, from) % rules->vcs) << ec_word_vc_shift(rules->vcs);
}

/* Section 8: is another packet in the way of this front word, which is not granted? */
static bool is_contended(const struct rules *rules, size_t from, uint64_t now,
                         const struct due *due)
{
    const unsigned port = rules->inputs[from].port;
    if (port >= rules->ports)
        return false;
    return (due->valid >> port & 1) || account_is_held(rules, from) ||
           (is_request(rules, from, now) && is_passed_over(rules, from, now));
}

static void derive(const struct rules *rules, size_t router, uint64_t now, struct due *ret)
{
    const size_t first = router * rules->buffers;
    ret->valid = 0;
    memset(ret->credit, 0, sizeof ret->credit);
    memset(ret->contended, 0, sizeof ret->contended);
    memset(ret->starved, 0, sizeof ret->starved);
    grant_ports(rules, router, now, ret);
    for (uint64_t left = ret->valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left), own = ret->winner[port];
        ret->word[port] = leaving_word(rules, first + own);
        ret->credit[own % rules->vcs] |= UINT64_C(1) << own / rules->vcs;
    }
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        uint64_t left = filled_ports(rules, router, vc, now) & ~ret->credit[vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            uint64_t *taps = is_contended(rules, first + port * rules->vcs + vc, now, ret)
                                 ? ret->contended
                                 : ret->starved;
            taps[vc] |= UINT64_C(1) << port;
        }
    }
}

/* --- Comparing ------------------------------------------------------------------------------ */

static bool same_words(const struct due *due, const struct ec_net_seen *seen)
{
    if (due->valid != seen->out_valid)
        return false;
    for (uint64_t left = due->valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (due->word[port] != seen->out_word[port])
            return false;
    }
    return true;
}

/* The first tap that is wrong, as an input VC (SIZE_MAX: none), and its name. */
static size_t wrong_tap(const struct rules *rules, size_t router, const struct due *due,
                        const struct ec_net_seen *seen, const char **ret_name)
{
    const size_t first = router * rules->buffers;
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        const uint64_t contended = due->contended[vc] ^ seen->contended[vc];
        const uint64_t starved = due->starved[vc] ^ seen->starved[vc];
        uint64_t left = contended | starved;
        if (left) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            *ret_name = contended >> port & 1 ? "contended_o" : "starved_o";
            return first + port * rules->vcs + vc;
        }
        for (left = due->contended[vc] | due->starved[vc]; left; left &= left - 1) {
            const unsigned own = (unsigned)__builtin_ctzll(left) * rules->vcs + vc;
            if (seen->want[own] == rules->inputs[first + own].port)
                continue;
            *ret_name = "want_o";
            return first + own;
        }
    }
    return SIZE_MAX;
}

/* --- Which rule is broken? ------------------------------------------------------------------ */

struct case_ {
    struct rules *rules;
    const struct due *due;
    const struct ec_net_seen *seen;
    size_t first; /* input VC of the router */
    uint64_t cycle;
};

static bool shows(const struct case_ *c, const uint64_t *mask, unsigned own)
{
    return mask[own % c->rules->vcs] >> own / c->rules->vcs & 1;
}

static struct rules_breach at_output(const struct case_ *c, enum rules_kind kind, size_t from,
                                     uint64_t word)
{
    return account_at_output(c->rules, kind, c->cycle, account_choice(c->rules, from), word);
}

/* A head that leaves too early for its switching mode; false: it does not. */
static bool judge_start(const struct case_ *c, size_t from, struct rules_breach at)
{
    struct rules *rules = c->rules;
    const struct rules_output *out = &rules->outputs[c->first + at.port * rules->vcs + at.vc];
    const unsigned free = account_free(rules, out), need = rules_need(rules, at.word, at.vc);
    const bool complete = may_start(rules, from, at.word, c->cycle);
    at.kind = RULES_TOO_EARLY;
    if (!complete)
        rules_note(rules, at, "word %s leaves before its tail has arrived (store-and-forward)",
                   rules_word_name(rules, at.word).text);
    else if (free < need)
        rules_note(rules, at, "word %s leaves with %u credit%s, %s needs %u (%s)",
                   rules_word_name(rules, at.word).text, free, free == 1 ? "" : "s",
                   rules->r->switching == EC_CUT_THROUGH ? "cut-through" : "store-and-forward",
                   need, rules_credit_name(out).text);
    return free < need || !complete;
}

/* Adaptive routing: a head goes where it chooses. False: it does. */
static bool judge_choice(const struct case_ *c, size_t from, struct rules_breach at)
{
    const struct account_input *in = &c->rules->inputs[from];
    const unsigned due = (unsigned)(account_choice(c->rules, from) % c->rules->vcs);
    const bool right = at.port == in->port && in->vcs >> at.vc & 1;
    at.kind = RULES_PORT;
    if (!right)
        rules_note(c->rules, at,
                   "wrong choice: word %s leaves here, but the free credits prescribe output %s",
                   rules_word_name(c->rules, at.word).text,
                   rules_vc_name(c->rules, in->port, due).text);
    return !right;
}

/* Dynamic allocation: a head takes the first VC that it may. False: it does. */
static bool judge_binding(const struct case_ *c, size_t from, struct rules_breach at)
{
    const unsigned due = (unsigned)(account_choice(c->rules, from) % c->rules->vcs);
    at.kind = RULES_VC;
    if (at.vc != due)
        rules_note(c->rules, at, "word %s leaves on VC %u, but VC %u is free and comes first",
                   rules_word_name(c->rules, at.word).text, at.vc, due);
    return at.vc != due;
}

/* Does the front word of an input VC leave where it is due? */
static bool leaves_rightly(const struct case_ *c, size_t from)
{
    const unsigned port = c->rules->inputs[from].port;
    return (c->due->valid & c->seen->out_valid) >> port & 1 &&
           c->due->winner[port] == from - c->first && c->due->word[port] == c->seen->out_word[port];
}

enum { REASON_SIZE = 160 };

/* A word leaves that could, but it was the turn of another one. */
static void judge_grant(const struct case_ *c, size_t from, size_t winner)
{
    struct rules *rules = c->rules;
    const unsigned own = (unsigned)(from - c->first), due = (unsigned)(winner - c->first);
    const struct rules_output *out = &rules->outputs[account_choice(rules, winner)];
    const uint64_t word = shadow_front(&rules->shadow, winner);
    const struct rules_breach at = at_output(c, RULES_ORDER, winner, word);
    char credit[REASON_SIZE] = "";
    if (shows(c, c->seen->out_credit, due)) {
        rules_note(rules, account_at_input(rules, RULES_LOST, c->cycle, winner, word),
                   "word %s is removed from its buffer but does not leave: word %s leaves",
                   rules_word_name(rules, word).text,
                   rules_word_name(rules, shadow_front(&rules->shadow, from)).text);
        return;
    }
    if (account_choice(rules, from) != account_choice(rules, winner) && out->credit_at)
        snprintf(credit, sizeof credit, ", or a credit of VC %u was forgotten: %s", at.vc,
                 rules_credit_name(out).text);
    rules_note(rules, at, "the link is granted to input %s instead of input %s (round robin%s)",
               rules_vc_name(rules, own / rules->vcs, own % rules->vcs).text,
               rules_vc_name(rules, due / rules->vcs, due % rules->vcs).text, credit);
}

/* A word leaves that was not due. */
static void judge_leaving(const struct case_ *c, unsigned port)
{
    struct rules *rules = c->rules;
    const struct rules_breach at = any_leaving(rules, c->seen, port);
    const uint64_t word = at.word;
    if (!any_has_link(rules, at))
        return;
    const size_t from = any_source(rules, c->first + port * rules->vcs + at.vc, word, false);
    const bool due = c->due->valid >> port & 1;
    const unsigned winner = due ? c->due->winner[port] : 0;
    if (from == SIZE_MAX) {
        const bool popped = due && shows(c, c->seen->out_credit, winner);
        any_judge_unknown(rules, at, popped ? c->due->word[port] : 0);
    } else if (leaves_rightly(c, from)) {
        rules_note(rules, at, "word %s leaves by output %s and a second time (duplicated)",
                   rules_word_name(rules, word).text,
                   rules_port_name(rules, rules->inputs[from].port).text);
    } else if (any_judge(rules, from, at) && !judge_choice(c, from, at) &&
               !judge_start(c, from, at) && !judge_binding(c, from, at) && due) {
        judge_grant(c, from, c->first + winner);
    }
}

/* A word was due at a port that shows nothing. The taps tell what the router takes it for. */
static void judge_staying(const struct case_ *c, unsigned port)
{
    struct rules *rules = c->rules;
    const unsigned own = c->due->winner[port];
    const size_t from = c->first + own;
    const uint64_t word = c->due->word[port];
    const struct rules_output *out = &rules->outputs[account_choice(rules, from)];
    const struct rules_name name = rules_word_name(rules, word);
    const unsigned free = account_free(rules, out),
                   need = rules_need(rules, word,
                                     (unsigned)(account_choice(rules, from) % rules->vcs));
    const bool contended = rules->options.taps && shows(c, c->seen->contended, own);
    const bool starved = rules->options.taps && shows(c, c->seen->starved, own);
    const struct rules_breach at = at_output(c, RULES_HELD_BACK, from, word);
    if (shows(c, c->seen->out_credit, own))
        rules_note(rules, account_at_input(rules, RULES_LOST, c->cycle, from, word),
                   "word %s is removed from its buffer but does not leave", name.text);
    else if (rules->options.taps && !contended && !starved)
        rules_note(rules, account_at_input(rules, RULES_LOST, c->cycle, from, word),
                   "word %s could leave by output %s, but is not in its buffer (lost, or never "
                   "stored; due there since cycle %" PRIu64 ")",
                   name.text, rules_vc_name(rules, at.port, at.vc).text,
                   rules->inputs[from].front_at);
    else if (contended)
        rules_note(rules, at,
                   "word %s could leave and does not: the router takes the output for held by "
                   "another packet (%s)",
                   name.text,
                   rules_when("the last tail left", "no tail has left yet", out->freed_at).text);
    else
        rules_note(rules, at,
                   "word %s could leave and does not, with %u of %u credits free: %s (%s), or the "
                   "grant is missing",
                   name.text, free, rules->r->depth,
                   out->credit_at == 0 ? "too few after the reset"
                   : free == need      ? "the router forgot a credit"
                                       : "the router forgot credits",
                   rules_credit_name(out).text);
}

/* A credit that was due and is not returned, or the reverse. All words are right. */
static void judge_credit(const struct case_ *c, unsigned own)
{
    struct rules *rules = c->rules;
    const size_t from = c->first + own;
    const struct account_input *in = &rules->inputs[from];
    const uint64_t word = shadow_front(&rules->shadow, from);
    const struct rules_name name = rules_word_name(rules, word);
    const bool stays = !rules->options.taps || shows(c, c->seen->contended, own) ||
                       shows(c, c->seen->starved, own);
    if (shows(c, c->due->credit, own))
        rules_note(rules, account_at_input(rules, RULES_CREDIT_MISSING, c->cycle, from, word),
                   "word %s leaves, but no credit is returned for it, which is due in this cycle",
                   name.text);
    else if (word && !stays)
        rules_note(rules, account_at_input(rules, RULES_LOST, c->cycle, from, word),
                   "word %s is removed from its buffer but does not leave", name.text);
    else
        rules_note(rules, account_at_input(rules, RULES_CREDIT_TWICE, c->cycle, from, in->left),
                   "a credit is returned, but no word leaves (%s; %s)",
                   word ? name.text : "the buffer is empty",
                   rules_when("the last word left", "no word has left yet", in->left_at).text);
}

static void judge_credits(const struct case_ *c)
{
    const struct rules *rules = c->rules;
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        uint64_t left = c->due->credit[vc] ^ c->seen->out_credit[vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < rules->ports)
                judge_credit(c, port * rules->vcs + vc);
            else
                rules_note(c->rules,
                           (struct rules_breach){.kind = RULES_CREDIT_TWICE,
                                                 .cycle = c->cycle,
                                                 .node = c->seen->node,
                                                 .input = true,
                                                 .port = port,
                                                 .vc = vc},
                           "a credit is returned on a port without a link");
        }
    }
}

static void explain_words(const struct case_ *c)
{
    for (uint64_t left = c->seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (!(c->due->valid >> port & 1) || c->due->word[port] != c->seen->out_word[port])
            judge_leaving(c, port);
    }
    for (uint64_t left = c->due->valid & ~c->seen->out_valid; left; left &= left - 1)
        judge_staying(c, (unsigned)__builtin_ctzll(left));
    judge_credits(c);
}

/* Why the front word of an input VC does not leave. */
static struct rules_name waiting_name(const struct case_ *c, size_t at)
{
    const struct rules *rules = c->rules;
    const unsigned port = rules->inputs[at].port, own = (unsigned)(at - c->first);
    struct rules_name ret = {"the buffer is empty"};
    if (shadow_front(&rules->shadow, at) == 0)
        return ret;
    if (port >= rules->ports)
        return (struct rules_name){"its word names no node"};
    const size_t output = account_choice(rules, at);
    const uint32_t holder = rules->outputs[output].holder;
    const bool granted = c->due->valid >> port & 1;
    const struct rules_name out = rules_vc_name(rules, port, (unsigned)(output % rules->vcs));
    if (granted && c->due->winner[port] == own)
        snprintf(ret.text, sizeof ret.text, "its word leaves");
    else if (account_is_held(rules, at))
        snprintf(ret.text, sizeof ret.text, "output %.30s is held by input %.30s", out.text,
                 rules_vc_name(rules, holder / rules->vcs, holder % rules->vcs).text);
    else if (granted)
        snprintf(ret.text, sizeof ret.text, "the link is granted to another input");
    else if (is_request(rules, at, c->cycle) && is_passed_over(rules, at, c->cycle))
        snprintf(ret.text, sizeof ret.text, "it is the turn of another VC of its port");
    else
        snprintf(ret.text, sizeof ret.text, "no other packet is in the way to output %.30s",
                 out.text);
    return ret;
}

static void judge_taps(const struct case_ *c)
{
    struct rules *rules = c->rules;
    const char *name;
    const size_t at = wrong_tap(rules, c->first / rules->buffers, c->due, c->seen, &name);
    if (at == SIZE_MAX)
        return;
    const unsigned own = (unsigned)(at - c->first);
    const uint64_t word = shadow_front(&rules->shadow, at);
    const struct rules_breach b = account_at_input(rules, RULES_TAP, c->cycle, at, word);
    if (strcmp(name, "want_o") == 0) {
        rules_note(rules, b, "want_o is %u: expected %u", c->seen->want[own],
                   rules->inputs[at].port);
        return;
    }
    const bool contended = name[0] == 'c';
    rules_note(rules, b, "%s is %d: expected %d (%s)", name,
               shows(c, contended ? c->seen->contended : c->seen->starved, own),
               shows(c, contended ? c->due->contended : c->due->starved, own),
               waiting_name(c, at).text);
}

/* --- Between allocation and output ---------------------------------------------------------- */

/* The words that were granted in the cycle before; they are at the fronts of their input VCs. */
static void take_granted(const struct rules *rules, size_t router, struct due *ret)
{
    ret->valid = rules->granted[router];
    for (uint64_t left = ret->valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        ret->winner[port] = rules->winner[router * rules->ports + port];
        ret->word[port] = leaving_word(rules, router * rules->buffers + ret->winner[port]);
    }
}

/* A word leaves that was not granted this output. */
static void judge_ungranted(const struct case_ *c, unsigned port)
{
    struct rules *rules = c->rules;
    const struct rules_breach at = any_leaving(rules, c->seen, port);
    const uint64_t word = at.word;
    if (!any_has_link(rules, at))
        return;
    const bool due = c->due->valid >> port & 1;
    const size_t from = any_source(rules, c->first + port * rules->vcs + at.vc, word, false);
    if (from == SIZE_MAX)
        any_judge_unknown(rules, at, due ? c->due->word[port] : 0);
    else if ((rules->inputs[from].port == port && rules->inputs[from].vcs >> at.vc & 1) ||
             any_judge(rules, from, at))
        rules_note(rules, at, "word %s leaves, but was not granted the output in the cycle before",
                   rules_word_name(rules, word).text);
}

static void explain_leaving(const struct case_ *c)
{
    struct rules *rules = c->rules;
    for (uint64_t left = c->seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (!(c->due->valid >> port & 1) || c->due->word[port] != c->seen->out_word[port])
            judge_ungranted(c, port);
    }
    for (uint64_t left = c->due->valid & ~c->seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const size_t from = c->first + c->due->winner[port];
        rules_note(rules, account_at_input(rules, RULES_LOST, c->cycle, from, c->due->word[port]),
                   "word %s was granted output %s in the cycle before, but is not on it (lost)",
                   rules_word_name(rules, c->due->word[port]).text,
                   rules_vc_name(rules, port, ec_word_vc(c->due->word[port], rules->vcs)).text);
    }
}

/* A credit shows that an input VC was granted its output, which was not its turn. */
static void judge_wrong_grant(const struct case_ *c, unsigned own)
{
    struct rules *rules = c->rules;
    const size_t from = c->first + own;
    const struct account_input *in = &rules->inputs[from];
    const uint64_t word = shadow_front(&rules->shadow, from);
    if (word && in->front_at > c->cycle) {
        rules_note(rules, account_at_input(rules, RULES_TOO_EARLY, c->cycle, from, word),
                   "word %s is granted its output, but it is still in the route stage",
                   rules_word_name(rules, word).text);
        return;
    }
    if (word == 0 || in->port >= rules->ports) {
        judge_credit(c, own);
        return;
    }
    const size_t output = account_choice(rules, from);
    const struct rules_output *out = &rules->outputs[output];
    const struct rules_name name = rules_word_name(rules, word);
    const struct rules_name to = rules_vc_name(rules, in->port, (unsigned)(output % rules->vcs));
    struct rules_breach at = at_output(c, RULES_MIXED, from, word);
    if (out->holder != RULES_NOBODY && out->holder != own) {
        rules_note(rules, at, "word %s is granted output %s, which input %s holds", name.text,
                   to.text,
                   rules_vc_name(rules, out->holder / rules->vcs, out->holder % rules->vcs).text);
    } else if (account_free(rules, out) == 0) {
        at.kind = RULES_NO_CREDIT;
        rules_note(rules, at, "word %s is granted output %s without a credit (%s)", name.text,
                   to.text, rules_credit_name(out).text);
    } else if (!judge_start(c, from, at) && c->due->valid >> in->port & 1) {
        judge_grant(c, from, c->first + c->due->winner[in->port]);
    }
}

/* The grants are wrong: those that were made first, since they explain those that are missing. */
static void explain_grants(const struct case_ *c)
{
    struct rules *rules = c->rules;
    for (unsigned vc = 0; vc < rules->vcs; vc++) {
        uint64_t left = c->seen->out_credit[vc] & ~c->due->credit[vc];
        for (; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < rules->ports)
                judge_wrong_grant(c, port * rules->vcs + vc);
        }
    }
    for (uint64_t left = c->due->valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (!shows(c, c->seen->out_credit, c->due->winner[port]))
            judge_staying(c, port);
    }
    judge_credits(c); /* of ports without a link */
}

void own_forget(struct rules *rules, size_t router)
{
    if (!rules->granted)
        return;
    for (uint64_t left = rules->granted[router]; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const size_t from = router * rules->buffers + rules->winner[router * rules->ports + port];
        struct rules_output *out = &rules->outputs[account_choice(rules, from)];
        out->sent -= out->sent > 0;
    }
    rules->granted[router] = 0;
}

/* The words granted in the cycle before are on the outputs. False: they are not, and that is
 * recorded. */
static bool granted_leave(struct rules *rules, const struct ec_net_seen *seen)
{
    const size_t router = account_router(rules, seen->node);
    struct due due;
    take_granted(rules, router, &due);
    const struct case_ c = {rules, &due, seen, router * rules->buffers, seen->cycle + 1};
    if (!same_words(&due, seen)) {
        explain_leaving(&c);
        return false;
    }
    for (uint64_t left = due.valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        account_leave(rules, c.first + due.winner[port], c.cycle, c.cycle);
    }
    rules->granted[router] = 0;
    return true;
}

/* --- A cycle of a router -------------------------------------------------------------------- */

static void account_due(struct rules *rules, size_t router, const struct due *due, uint64_t cycle)
{
    const size_t first = router * rules->buffers;
    for (uint64_t left = due->valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left), own = due->winner[port];
        const size_t from = first + own, to = account_choice(rules, from);
        if (rules->granted) {
            account_grant(rules, from, to, cycle);
            rules->winner[router * rules->ports + port] = (uint16_t)own;
        } else {
            account_pass(rules, from, to, cycle);
        }
        account_credit(rules, from, cycle);
        if (rules->r->speedup)
            rules->turn[router * rules->ports + own / rules->vcs] =
                (uint16_t)((own + 1) % rules->vcs);
        if (rules->vcs > 1 || ec_word_tail(due->word[port]))
            rules->pointer[router * rules->ports + port] = (uint16_t)((own + 1) % rules->buffers);
    }
    if (rules->granted)
        rules->granted[router] = due->valid;
}

void own_see(struct rules *rules, const struct ec_net_seen *seen)
{
    const size_t router = account_router(rules, seen->node);
    struct due due;
    if (rules->granted && !granted_leave(rules, seen)) {
        own_forget(rules, router);
        any_words(rules, seen);
        any_credits(rules, seen);
        return;
    }
    choose_outputs(rules, router, seen->cycle + 1);
    derive(rules, router, seen->cycle + 1, &due);
    const struct case_ c = {rules, &due, seen, router * rules->buffers, seen->cycle + 1};
    const bool same_credits =
        memcmp(due.credit, seen->out_credit, rules->vcs * sizeof *due.credit) == 0;
    if (same_credits && (rules->granted || same_words(&due, seen))) {
        if (rules->options.taps)
            judge_taps(&c);
        account_due(rules, router, &due, c.cycle);
        return;
    }
    if (rules->granted) {
        explain_grants(&c);
    } else {
        explain_words(&c);
        any_words(rules, seen);
    }
    any_credits(rules, seen);
}
