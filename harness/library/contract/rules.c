/* SPDX-License-Identifier: Apache-2.0 */
/* The rules: opens the account, passes on what routers show to the strictness in force, and keeps
 * the first breach. */
#include "contract/rules.h"

#include <inttypes.h>
#include <stdlib.h>

#include "contract/account.h"

const struct rules_breach *rules_breach(const struct rules *rules)
{
    return rules->found ? &rules->breach : NULL;
}

/* --- Cycles --------------------------------------------------------------------------------- */

void rules_see(struct rules *rules, const struct ec_net_seen *seen)
{
    const uint32_t router = account_router(rules, seen->node);
    if (rules->shadow.memory_short || router >= rules->routers)
        return;
    rules->shown[router] = seen->cycle;
    if (seen->out_valid)
        rules->moved_at = seen->cycle;
    account_take(rules, seen);
    if (!rules->options.foreign && !rules->found) {
        own_see(rules, seen);
        return;
    }
    own_forget(rules, router);
    any_words(rules, seen);
    any_credits(rules, seen);
}

/* A router that did not get anything and is not shown slept. */
static void judge_sleep(struct rules *rules, uint32_t router, uint64_t cycle)
{
    const size_t first = (size_t)router * rules->buffers;
    for (size_t at = first; at < first + rules->buffers; at++) {
        const uint64_t word = shadow_front(&rules->shadow, at);
        if (word == 0)
            continue;
        rules_note(rules, account_at_input(rules, RULES_ASLEEP, cycle, at, word),
                   "the router sleeps with a word (%s, at the front since cycle %" PRIu64
                   "): quiet_o is wrong",
                   rules_word_name(rules, word).text, rules->inputs[at].front_at);
        return;
    }
}

void rules_cycle(struct rules *rules, uint64_t cycle)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rules->busy_count; i++) {
        const uint32_t router = rules->busy[i];
        if (rules->words[router] == 0) {
            rules->listed[router] = false;
            continue;
        }
        rules->busy[kept++] = router;
        if (rules->shown[router] != cycle && !rules->options.foreign)
            judge_sleep(rules, router, cycle);
    }
    rules->busy_count = kept;
}

/* --- The end -------------------------------------------------------------------------------- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Credits that an input VC owes for words that left it. */
static void judge_missing(struct rules *rules, size_t at, uint64_t cycle, uint64_t patience)
{
    const struct account_input *in = &rules->inputs[at];
    const uint64_t last = in->left_at > in->credit_at ? in->left_at : in->credit_at;
    const uint32_t missing = (uint32_t)-in->ahead;
    if (in->ahead >= 0 || last + patience > cycle)
        return;
    rules_note(rules,
               account_at_input(rules, RULES_CREDIT_MISSING,
                                in->missing_at ? in->missing_at : cycle, at, 0),
               "the router has not returned %" PRIu32 " credit%s by cycle %" PRIu64
               "; last correct in cycle %" PRIu64,
               missing, plural(missing), cycle, in->correct_at);
}

static bool is_local(const struct rules *rules, size_t at)
{
    return at % rules->buffers / rules->vcs >= rules->shadow.links;
}

void rules_excuse_nodes(struct rules *rules, rules_excuse *excuse, const void *context)
{
    rules->excuse = excuse;
    rules->excuse_context = context;
}

static bool is_excused(const struct rules *rules, size_t at)
{
    const uint32_t node = rules->shadow.first + (uint32_t)(at / rules->buffers);
    const unsigned out = (unsigned)(at % rules->buffers);
    return rules->excuse && rules->excuse(rules->excuse_context, node,
                                          out / rules->vcs - rules->shadow.links, out % rules->vcs);
}

/* Credits that a node, or the neighbour of a router shown alone, owes. */
static void judge_owed(struct rules *rules, size_t at)
{
    const struct rules_output *out = &rules->outputs[at];
    if (out->sent > 0 && !(is_local(rules, at) && is_excused(rules, at)))
        rules_note(rules, account_at_output(rules, RULES_INPUT, out->out_since, at, 0),
                   "%s did not return %" PRIu32 " of %u credits; all were here in cycle %" PRIu64,
                   account_peer(rules, at), out->sent, rules->r->depth, out->correct_at);
}

void rules_still(struct rules *rules, uint64_t cycle, uint64_t patience)
{
    if (rules->found)
        return;
    for (size_t at = 0; at < rules->shadow.count; at++)
        judge_missing(rules, at, cycle, patience);
    for (size_t at = 0; at < rules->shadow.count && !rules->found; at++) {
        if (is_local(rules, at) && rules->moved_at + patience < cycle)
            judge_owed(rules, at);
    }
}

static void judge_rest(struct rules *rules, size_t at)
{
    const struct account_input *in = &rules->inputs[at];
    const uint64_t word = shadow_front(&rules->shadow, at);
    if (word == 0)
        return;
    if (in->port >= rules->ports) {
        rules_note(rules, account_at_input(rules, RULES_HELD_BACK, in->front_at, at, word),
                   "word %s names no node", rules_word_name(rules, word).text);
        return;
    }
    const size_t output = account_choice(rules, at);
    const struct rules_output *out = &rules->outputs[output];
    const struct rules_name to = rules_vc_name(rules, in->port, (unsigned)(output % rules->vcs));
    if (account_is_held(rules, at))
        return; /* it waits for another packet, which is to blame */
    if (in->ahead > 0)
        rules_note(rules, account_at_input(rules, RULES_LOST, in->credit_at, at, word),
                   "word %s has not left, but its credit was returned: it is lost, or the router "
                   "has forgotten a credit or the end of a packet at output %s (%u of %u credits "
                   "are free, %s)",
                   rules_word_name(rules, word).text, to.text, rules->r->depth - out->sent,
                   rules->r->depth, rules_credit_name(out).text);
    else
        rules_note(rules, account_at_input(rules, RULES_HELD_BACK, in->front_at, at, word),
                   "word %s has never left: it could by output %s (%u of %u credits are free, %s)",
                   rules_word_name(rules, word).text, to.text, rules->r->depth - out->sent,
                   rules->r->depth, rules_credit_name(out).text);
}

static void judge_open(struct rules *rules, size_t at, uint64_t cycle)
{
    const uint32_t holder = rules->outputs[at].holder;
    if (holder == RULES_NOBODY)
        return;
    const size_t from = at - at % rules->buffers + holder;
    const bool sent = !rules->inputs[from].open;
    rules_note(rules, account_at_output(rules, sent ? RULES_LOST : RULES_INPUT, cycle, at, 0),
               "the packet from input %s has no tail: it %s",
               rules_vc_name(rules, holder / rules->vcs, holder % rules->vcs).text,
               sent ? "arrived and has not left" : "never arrived");
}

void rules_end(struct rules *rules, uint64_t cycle)
{
    rules_still(rules, cycle, 0);
    if (rules->found)
        return;
    for (size_t at = 0; at < rules->shadow.count; at++)
        judge_rest(rules, at);
    for (size_t at = 0; at < rules->shadow.count && !rules->found; at++)
        judge_open(rules, at, cycle);
    for (size_t at = 0; at < rules->shadow.count && !rules->found; at++)
        judge_owed(rules, at);
}

/* --- The account ---------------------------------------------------------------------------- */

const struct shadow *rules_shadow(const struct rules *rules)
{
    return &rules->shadow;
}

struct rules_ask rules_ask(const struct rules *rules, size_t input)
{
    const struct account_input *in = &rules->inputs[input];
    const uint64_t word = shadow_front(&rules->shadow, input);
    const bool leaves = word != 0 && in->port < rules->ports;
    return (struct rules_ask){.word = word,
                              .port = in->port,
                              .vcs = in->vcs,
                              .vc = leaves ? (unsigned)(account_choice(rules, input) % rules->vcs)
                                           : 0,
                              .since = in->front_at,
                              .complete = in->tails > 0};
}

bool rules_may_leave(const struct rules *rules, size_t input, unsigned port)
{
    return account_may_leave(rules, input, port);
}

unsigned rules_vcs(const struct rules *rules, size_t input, unsigned port)
{
    return account_vcs(rules, input, port);
}

uint32_t rules_granted(const struct rules *rules, size_t input)
{
    const struct account_input *in = &rules->inputs[input];
    const size_t router = input / rules->buffers;
    if (!rules->granted || in->port >= rules->ports || !(rules->granted[router] >> in->port & 1) ||
        rules->winner[router * rules->ports + in->port] != input % rules->buffers)
        return RULES_NOBODY;
    return in->port * rules->vcs + (unsigned)__builtin_ctz(in->vcs);
}

const struct rules_output *rules_output(const struct rules *rules, size_t output)
{
    return &rules->outputs[output];
}

uint64_t rules_shown_at(const struct rules *rules, uint32_t node)
{
    return rules->shown[account_router(rules, node)];
}

uint64_t rules_moved_at(const struct rules *rules)
{
    return rules->moved_at;
}

bool rules_memory_short(const struct rules *rules)
{
    return rules->shadow.memory_short;
}

/* --- Opening and closing -------------------------------------------------------------------- */

struct rules *rules_open(const struct ec_topology *t, const struct ec_router *r, uint32_t node,
                         struct rules_options options)
{
    struct rules *rules = calloc(1, sizeof *rules);
    if (!rules)
        return NULL;
    rules->t = t;
    rules->r = r;
    rules->options = options;
    rules->routers = node == EC_NONE ? t->routers : 1;
    if (!shadow_open(&rules->shadow, t, r, node) ||
        (options.foreign && !shadow_open(&rules->unpaid, t, r, node)))
        goto fail;
    rules->ports = rules->shadow.ports;
    rules->vcs = rules->shadow.vcs;
    rules->buffers = rules->ports * rules->vcs;
    rules->route = !options.foreign && r->stages == 3;
    const size_t routers = rules->routers, ports = routers * rules->ports;
    struct ec_arrays *const all = &rules->arrays;
    EC_ARRAY(all, rules->inputs, rules->shadow.count);
    EC_ARRAY(all, rules->outputs, rules->shadow.count);
    EC_ARRAY(all, rules->filled, routers * rules->vcs);
    EC_ARRAY(all, rules->pointer, ports);
    EC_ARRAY(all, rules->turn, ports);
    if (!options.foreign && r->stages >= 2) {
        EC_ARRAY(all, rules->granted, routers);
        EC_ARRAY(all, rules->winner, ports);
    }
    EC_ARRAY(all, rules->shown, routers);
    EC_ARRAY(all, rules->words, routers);
    EC_ARRAY(all, rules->busy, routers);
    EC_ARRAY(all, rules->listed, routers);
    if (all->memory_short)
        goto fail;
    rules_reset(rules);
    return rules;

fail:
    rules_close(rules);
    return NULL;
}

void rules_reset(struct rules *rules)
{
    shadow_reset(&rules->shadow);
    shadow_reset(&rules->unpaid);
    ec_arrays_clear(&rules->arrays);
    for (size_t i = 0; i < rules->shadow.count; i++)
        rules->outputs[i].holder = RULES_NOBODY;
    rules->busy_count = 0;
    rules->moved_at = 0;
    rules->found = false;
}

void rules_close(struct rules *rules)
{
    if (!rules)
        return;
    shadow_close(&rules->shadow);
    shadow_close(&rules->unpaid);
    ec_arrays_free(&rules->arrays);
    free(rules);
}
