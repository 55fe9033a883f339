/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the contract against a second model of the router (router_model.h), which gets
 * random legal traffic. Then
 * - the rules find nothing, and their account is what the model holds, in every cycle;
 * - of every cycle, each single change of what the router shows is a breach, in that cycle, at that
 *   place, and in the right words;
 * - a foreign router may show the same words and credits later. */
#include "contract/rules.h"

#include <stdlib.h>
#include <string.h>

#include "network/names.h"
#include "router_model.h"
#include "unit.h"

static struct rules *rules;

/* --- The account ------------------------------------------------------------------------------ */

static void compare_input(const struct model *b, unsigned own, size_t at, uint64_t c)
{
    const struct input *in = &b->in[own];
    const struct shadow *shadow = rules_shadow(rules);
    const struct rules_ask ask = rules_ask(rules, at);
    const unsigned count = in->count + in->between;
    const uint32_t granted = rules_granted(rules, at);
    model_assert(b, c, "the number of words", own, shadow->buffers[at].count, count);
    for (unsigned k = 0; k < count; k++)
        model_assert(b, c, "a word", own, shadow_word(shadow, at, k),
                     k < in->between ? in->leaving.word : in->q[k - in->between].word);
    model_assert(b, c, "the front word", own, ask.word, count ? shadow_front(shadow, at) : 0);
    const unsigned to = in->leaving.port * b->vcs + in->leaving_vc;
    model_assert(b, c, "the grant", own, granted, in->between ? to : RULES_NOBODY);
    if (in->between) {
        model_assert(b, c, "the port of the grant", own, ask.port, in->leaving.port);
        model_assert(b, c, "the VC of the grant", own, ask.vc, in->leaving_vc);
        model_assert(b, c, "its VCs", own, ask.vcs, 1u << in->leaving_vc);
        model_assert(b, c, "its time", own, ask.since, in->leaving_since);
    } else if (in->count) {
        const bool head = ec_word_head(in->q[0].word);
        const unsigned vc = model_choose(b, own);
        const bool bound = !head && b->out[in->q[0].port * b->vcs + vc].holder == (int)own;
        model_assert(b, c, "the port", own, ask.port, in->q[0].port);
        model_assert(b, c, "the VC", own, ask.vc, vc);
        model_assert(b, c, "the VCs", own, ask.vcs, bound ? 1u << vc : in->q[0].vcs);
        model_assert(b, c, "the time", own, ask.since, in->since);
        model_assert(b, c, "the tail", own, ask.complete, model_is_complete(in, UINT64_MAX));
    }
}

static void compare_accounts(const struct model *b, uint64_t c)
{
    for (unsigned own = 0; own < b->buffers; own++) {
        const size_t at = shadow_at(rules_shadow(rules), b->x->node, own / b->vcs, own % b->vcs);
        const struct rules_output *is = rules_output(rules, at);
        const struct output *out = &b->out[own];
        compare_input(b, own, at, c);
        model_assert(b, c, "the holder", own, is->holder,
                     out->holder == NOBODY ? RULES_NOBODY : (uint32_t)out->holder);
        if (out->holder != NOBODY)
            model_assert(b, c, "the packet", own, is->packet, out->packet);
        model_assert(b, c, "the words out", own, is->sent, out->sent);
        model_assert(b, c, "the last credit", own, is->credit_at, out->credit_at);
        model_assert(b, c, "the last tail", own, is->freed_at, out->freed_at);
        model_assert(b, c, "the last time without words out", own, is->correct_at, out->correct_at);
        if (out->sent)
            model_assert(b, c, "the first word out", own, is->out_since, out->out_since);
    }
    model_assert(b, c, "the last move", 0, rules_moved_at(rules), b->moved_at);
    model_assert(b, c, "the last cycle", 0, rules_shown_at(rules, b->x->node), b->shown_at);
}

static void assert_silent(const struct model *b, uint64_t cycle)
{
    const struct rules_breach *breach = rules_breach(rules);
    char text[600];
    if (!breach)
        return;
    rules_text(rules, breach, text, sizeof text);
    fail_msg("%s %s, cycle %llu: %s", b->x->topology, b->x->router, (unsigned long long)cycle,
             text);
}

/* `node`: EC_NONE to open the rules for all routers. */
static void bench_open(struct model *b, const struct setting *x, uint64_t seed, uint32_t node,
                       struct rules_options options)
{
    model_open(b, x, seed);
    rules = rules_open(&b->t, &b->r, node, options);
    assert_non_null(rules);
}

/* Traffic until all is empty again, seen by the rules. */
static void play(struct model *b, uint64_t *ret_words)
{
    *ret_words = 0;
    for (uint64_t c = 1; c <= CYCLES; c++) {
        struct pins *now = &b->pins[c], *next = &b->pins[c + 1];
        model_enter(b, c);
        model_show(b, c + 1);
        now->shown = now->in_valid || next->out_valid || !model_is_empty(b) || model_draw(b, 2);
        for (unsigned vc = 0; vc < b->vcs; vc++)
            now->shown |= now->in_credit[vc] || next->out_credit[vc];
        b->moved_at = next->out_valid ? c : b->moved_at;
        b->shown_at = now->shown ? c : b->shown_at;
        *ret_words += (unsigned)__builtin_popcountll(next->out_valid);
        model_see(rules, b, c);
        assert_silent(b, c);
        compare_accounts(b, c);
    }
    assert_true(model_is_empty(b));
    rules_end(rules, CYCLES);
    assert_silent(b, CYCLES);
}

static const struct rules_options exact = {.taps = true}, foreign = {.foreign = true};

static struct setting settings[SETTINGS_MAX];
static size_t setting_count;

static void the_account_is_what_the_router_holds(void **state)
{
    (void)state;
    static struct model b;
    for (size_t i = 0; i < setting_count; i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            uint64_t words;
            struct setting x = settings[i]; /* and at other places */
            x.node = (x.node + 5 * (uint32_t)(seed - 1)) % topology_of(x.topology).nodes;
            bench_open(&b, &x, seed, seed % 2 ? EC_NONE : x.node, exact);
            play(&b, &words);
            assert_true(words > 10);
            rules_close(rules);
        }
    }
}

/* --- Single changes --------------------------------------------------------------------------- */

struct expected {
    enum rules_kind kind;
    bool input;
    unsigned port, vc;
    uint64_t word;
    char text[400];
};

/* Plays the recorded cycles again, up to the outputs of cycle `at`. */
static void play_until(const struct model *b, uint64_t at)
{
    rules_reset(rules);
    for (uint64_t c = 1; c < at; c++)
        model_see(rules, b, c);
}

/* Plays the recorded cycles again, the last one changed: what it shows in cycle `at`. */
static void assert_breach(struct model *b, uint64_t at, const struct expected *e)
{
    char text[600], start[200], router[EC_NAME_SIZE];
    play_until(b, at);
    const struct rules_breach *breach = rules_breach(rules);
    if (!breach)
        fail_msg("%s %s, cycle %llu: no breach: expected %s", b->x->topology, b->x->router,
                 (unsigned long long)at, e->text);
    rules_text(rules, breach, text, sizeof text);
    ec_topology_node_name(&b->t, b->x->node, router, sizeof router);
    snprintf(start, sizeof start, "cycle %llu, router %s, %s %s: ", (unsigned long long)at, router,
             e->input ? "input" : "output", model_vc_name(b, e->port, e->vc));
    if (breach->kind != e->kind || strncmp(text, start, strlen(start)) != 0 ||
        strcmp(text + strlen(start), e->text) != 0)
        fail_msg("%s %s: kind %d, %s\n  expected kind %d, %s%s", b->x->topology, b->x->router,
                 (int)breach->kind, text, (int)e->kind, start, e->text);
    assert_true(breach->cycle == at && breach->node == b->x->node && breach->word == e->word);
    assert_true(breach->input == e->input && breach->port == e->port && breach->vc == e->vc);
}

#define EXPECT(kind_, input_, port_, vc_, word_, ...)                                              \
    do {                                                                                           \
        struct expected e_ = {kind_, input_, port_, vc_, word_, ""};                               \
        snprintf(e_.text, sizeof e_.text, __VA_ARGS__);                                            \
        assert_breach(b, at, &e_);                                                                 \
    } while (0)

static bool taken(uint64_t mask, unsigned port)
{
    return mask >> port & 1;
}

/* A word is not there, and it was removed from its buffer. */
static void try_lost_word(struct model *b, uint64_t at, unsigned port)
{
    struct pins *p = &b->pins[at];
    const unsigned own = (unsigned)b->facts[at].from[port];
    const uint64_t word = p->out_word[port];
    p->out_valid ^= UINT64_C(1) << port;
    if (b->r.stages == 1)
        EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs, word,
               "word %s is removed from its buffer but does not leave", model_word_name(b, word));
    else
        EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs, word,
               "word %s was granted output %s in the cycle before, but is not on it (lost)",
               model_word_name(b, word), model_vc_name(b, port, ec_word_vc(word, b->vcs)));
    p->out_valid ^= UINT64_C(1) << port;
}

static bool is_near(const struct model *b, uint64_t x, uint64_t y)
{
    return x && y && __builtin_popcountll((x ^ y) & ~ec_word_vc_mask(b->vcs)) == 1;
}

/* Words in the router that differ from `changed` in a single bit, other than `word`. */
static unsigned count_near(const struct model *b, uint64_t at, uint64_t word, uint64_t changed)
{
    unsigned near = 0;
    for (unsigned own = 0; own < b->buffers; own++) {
        for (size_t k = 0; k < COUNT(b->facts[at].queue[own]); k++)
            near += b->facts[at].queue[own][k] != word &&
                    is_near(b, b->facts[at].queue[own][k], changed);
    }
    return near;
}

/* A field of a word is another one. */
static void try_altered_word(struct model *b, uint64_t at, unsigned port, bool is_foreign)
{
    struct pins *p = &b->pins[at];
    const uint64_t word = p->out_word[port];
    const unsigned vc = ec_word_vc(word, b->vcs);
    const uint64_t bits[] = {1,
                             UINT64_C(1) << b->layout.index_bits,
                             UINT64_C(1) << b->layout.src_shift,
                             UINT64_C(1) << b->layout.dst_shift,
                             EC_WORD_HEAD,
                             EC_WORD_TAIL};
    for (size_t i = 0; i < COUNT(bits); i++) {
        struct expected e = {RULES_WORD, false, port, vc, word ^ bits[i], ""};
        p->out_word[port] = word ^ bits[i];
        play_until(b, at);
        const struct rules_breach *breach = rules_breach(rules);
        /* By chance it is a word that waits, or one that left: then it is another breach, or a
         * foreign router may do so. */
        if (!breach || breach->kind != RULES_WORD || !strstr(breach->what, "(altered")) {
            assert_true(is_foreign || (breach && breach->cycle == at));
            continue;
        }
        const unsigned own = (unsigned)b->facts[at].from[port];
        char unknown[200];
        snprintf(unknown, sizeof unknown,
                 "leaves, but no buffer has it at its front (altered or invented; word %s of input "
                 "%s differs in bit %d)",
                 model_word_name(b, word), model_vc_name(b, own / b->vcs, own % b->vcs),
                 __builtin_ctzll(bits[i]));
        if (is_foreign)
            snprintf(e.text, sizeof e.text, "word %s %s", model_word_name(b, word ^ bits[i]),
                     unknown);
        else
            snprintf(e.text, sizeof e.text, "word %s leaves as word %s (altered)",
                     model_word_name(b, word), model_word_name(b, word ^ bits[i]));
        /* One of several words may be the one that was altered. */
        const bool alone = count_near(b, at, word, word ^ bits[i]) == 0;
        if (!is_foreign || alone)
            assert_breach(b, at, &e);
        if (is_foreign || b->r.stages > 1)
            continue;
        /* Only a word that was removed from its buffer can have been altered. */
        p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
        snprintf(e.text, sizeof e.text, "word %s %s", model_word_name(b, word ^ bits[i]), unknown);
        if (alone)
            assert_breach(b, at, &e);
        p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    }
    for (unsigned other = 0; b->vcs > 1 && other < b->vcs; other++) {
        if (other == vc || b->r.va == EC_VA_DYNAMIC)
            continue;
        p->out_word[port] = (word & ~ec_word_vc_mask(b->vcs)) | (uint64_t)other
                                                                    << ec_word_vc_shift(b->vcs);
        EXPECT(RULES_VC, false, port, other, p->out_word[port],
               "wrong VC: word %s leaves on VC %u instead of VC %u%s", model_word_name(b, word),
               other, vc,
               is_foreign ? " (a router that chooses VCs itself needs --router va=dynamic)" : "");
    }
    p->out_word[port] = word;
}

/* Did the last word of the input VC from which a word leaves by `port` leave by `other`? */
static bool went(const struct model *b, uint64_t at, unsigned port, unsigned other)
{
    const struct facts *f = &b->facts[at];
    const int own = f->from[port];
    const struct pins *p = own < 0 || f->left_at[own] >= at ? NULL : &b->pins[f->left_at[own]];
    return p && p->out_valid >> other & 1 &&
           ((p->out_word[other] ^ f->left[own]) & ~ec_word_vc_mask(b->vcs)) == 0;
}

/* A word leaves by another port. */
static void try_wrong_port(struct model *b, uint64_t at, unsigned port, bool is_foreign)
{
    struct pins *p = &b->pins[at];
    const uint64_t word = p->out_word[port], valid = p->out_valid;
    const unsigned vc = ec_word_vc(word, b->vcs);
    for (unsigned other = 0; other <= b->ports; other++) {
        if (taken(valid, other))
            continue;
        const uint64_t was = p->out_word[other];
        p->out_word[other] = word;
        p->out_valid = (valid & ~(UINT64_C(1) << port)) | UINT64_C(1) << other;
        if (other == b->ports)
            EXPECT(RULES_PORT, false, other, vc, word, "word %s leaves by a port without a link",
                   model_word_name(b, word));
        else
            EXPECT(RULES_PORT, false, other, vc, word, "wrong turn: word %s belongs to port %s%s",
                   model_word_name(b, word), model_port_name(b, port),
                   !is_foreign           ? ""
                   : !ec_word_head(word) ? ", where its head left"
                   : went(b, at, port, other) && !model_moves(b, word, other)
                       ? "; it goes the way of the packet before it"
                       : "");
        p->out_word[other] = was;
    }
    p->out_valid = valid;
}

/* Does a word of this input VC leave in cycle `at`? */
static bool leaves(const struct model *b, uint64_t at, unsigned own)
{
    for (unsigned port = 0; port < b->ports; port++) {
        if (b->facts[at].from[port] == (int)own)
            return true;
    }
    return false;
}

/* A word that was never sent, or that left before, leaves by a port that is free. */
static void try_strange_words(struct model *b, uint64_t at, bool is_foreign)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const struct pins was = *p;
    for (unsigned port = 0; port < b->ports; port++) {
        const unsigned vc = port % b->vcs;
        if (taken(was.out_valid, port))
            continue;
        p->out_valid |= UINT64_C(1) << port;
        p->out_word[port] = ec_word_pack(&b->layout, port % 2, at % 2, vc, 1, 0,
                                         ec_word_numbers(&b->layout, 16000, port));
        EXPECT(RULES_WORD, false, port, vc, p->out_word[port],
               "word %s leaves, but no buffer has it at its front (altered or invented)",
               model_word_name(b, p->out_word[port]));
        for (unsigned own = port % 3; own < b->buffers; own += 3) {
            /* Of a foreign router, the words that are right count first. */
            const bool again = is_foreign && leaves(b, at, own);
            if (f->left[own] == 0 || f->left_at[own] == at || again)
                continue;
            p->out_word[port] = f->left[own];
            EXPECT(RULES_WORD, false, port, ec_word_vc(f->left[own], b->vcs), f->left[own],
                   "word %s leaves a second time (duplicated); it left input %s in cycle %llu",
                   model_word_name(b, f->left[own]), model_vc_name(b, own / b->vcs, own % b->vcs),
                   (unsigned long long)f->left_at[own]);
        }
        *p = was;
    }
}

/* One stage: a word leaves by its port and by another one, or with the words in front of it. */
static void try_copies(struct model *b, uint64_t at, unsigned port)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const struct pins was = *p;
    for (unsigned from = 0; from < b->ports; from++) {
        p->out_word[port] = was.out_word[from];
        p->out_valid = was.out_valid | UINT64_C(1) << port;
        if (taken(was.out_valid, from))
            EXPECT(RULES_WORD, false, port, ec_word_vc(was.out_word[from], b->vcs),
                   was.out_word[from], "word %s leaves by output %s and a second time (duplicated)",
                   model_word_name(b, was.out_word[from]), model_port_name(b, from));
    }
    for (unsigned own = 0; own < b->buffers; own++) {
        for (unsigned k = 1; k < 3 && f->queue[own][k]; k++) {
            p->out_word[port] = f->queue[own][k];
            EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs, f->queue[own][0],
                   "%sword %s leaves: the word in front of it is lost (%s%s)",
                   model_rest_name(b, f->queue[own][0], f->queue[own][k]),
                   model_word_name(b, f->queue[own][k]), model_word_name(b, f->queue[own][0]),
                   k > 1 ? " and others" : "");
        }
    }
    *p = was;
}

/* The front word of an input VC, as it leaves. */
static uint64_t leaving_word(const struct model *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    if (b->vcs == 1)
        return f->front[own];
    return (f->front[own] & ~ec_word_vc_mask(b->vcs)) | (uint64_t)f->choice[own]
                                                            << ec_word_vc_shift(b->vcs);
}

/* Several stages: a front word that was not granted its output leaves. */
static void try_ungranted(struct model *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const struct pins was = *p;
    const unsigned port = f->port[own], vc = f->choice[own];
    if (taken(was.out_valid, port) || f->left_at[own] == at || !f->front[own])
        return;
    p->out_valid |= UINT64_C(1) << port;
    p->out_word[port] = leaving_word(b, at, own);
    EXPECT(RULES_WORD, false, port, vc, p->out_word[port],
           "word %s leaves, but was not granted the output in the cycle before",
           model_word_name(b, f->front[own]));
    *p = was;
}

/* One stage: a word leaves, and its credit does not. */
static void try_missing_credit(struct model *b, uint64_t at, unsigned own)
{
    struct pins *p = &b->pins[at];
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    EXPECT(RULES_CREDIT_MISSING, true, own / b->vcs, own % b->vcs, b->facts[at].front[own],
           "word %s leaves, but no credit is returned for it, which is due in this cycle",
           model_word_name(b, b->facts[at].front[own]));
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
}

/* One stage: a credit comes, and no word leaves. */
static void try_extra_credit(struct model *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    EXPECT(RULES_CREDIT_TWICE, true, own / b->vcs, own % b->vcs, f->left[own],
           "a credit is returned, but no word leaves (%s; %s)",
           f->front[own] ? model_word_name(b, f->front[own]) : "the buffer is empty",
           model_when("the last word left", "no word has left yet", f->left_at[own]));
    p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
}

static void try_credit_without_link(struct model *b, uint64_t at)
{
    struct pins *p = &b->pins[at];
    for (unsigned vc = 0; vc < b->vcs; vc++) {
        p->out_credit[vc] ^= UINT64_C(1) << b->ports;
        EXPECT(RULES_CREDIT_TWICE, true, b->ports, vc, 0,
               "a credit is returned on a port without a link");
        p->out_credit[vc] ^= UINT64_C(1) << b->ports;
    }
}

/* Without taps, a router that holds a word back may have forgotten a credit. */
static void try_without_taps(struct model *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const struct pins was = *p;
    for (unsigned port = 0; port < b->ports; port++) {
        if (f->granted[port] == NOBODY)
            continue;
        const unsigned own = (unsigned)f->granted[port], vc = f->to[port], free = f->free[port][vc];
        p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
        if (b->r.stages == 1)
            p->out_valid ^= UINT64_C(1) << port;
        EXPECT(
            RULES_HELD_BACK, false, port, vc, leaving_word(b, at, own),
            "word %s could leave and does not, with %u of %u credits free: %s (%s), or the grant "
            "is missing",
            model_word_name(b, f->front[own]), free, b->r.depth,
            f->credit_at[port][vc] == 0            ? "too few after the reset"
            : free == model_need(b, f->front[own]) ? "the router forgot a credit"
                                                   : "the router forgot credits",
            model_credit_name(f->credit_at[port][vc]));
        *p = was;
    }
    for (unsigned own = 0; b->r.stages == 1 && own < b->buffers; own++) {
        if (f->front[own] == 0 || f->granted[f->port[own]] != (int)own)
            try_extra_credit(b, at, own);
    }
}

/* A word that is granted its output stays, whatever the taps say of it. */
static void try_held_back(struct model *b, uint64_t at, unsigned port)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const unsigned own = (unsigned)f->granted[port], vc = f->to[port];
    const uint64_t bit = UINT64_C(1) << own / b->vcs, word = f->front[own];
    const unsigned free = f->free[port][vc];
    const char *const forgotten =
        free == model_need(b, word) ? "the router forgot a credit" : "the router forgot credits";
    const struct pins was = *p;
    p->out_credit[own % b->vcs] ^= bit;
    if (b->r.stages == 1)
        p->out_valid ^= UINT64_C(1) << port;
    EXPECT(RULES_LOST, true, own / b->vcs, own % b->vcs, leaving_word(b, at, own),
           "word %s could leave by output %s, but is not in its buffer (lost, or never stored; due "
           "there since cycle %llu)",
           model_word_name(b, word), model_vc_name(b, port, vc), (unsigned long long)f->since[own]);
    p->starved[own % b->vcs] |= bit;
    EXPECT(RULES_HELD_BACK, false, port, vc, leaving_word(b, at, own),
           "word %s could leave and does not, with %u of %u credits free: %s (%s), or the grant is "
           "missing",
           model_word_name(b, word), free, b->r.depth,
           f->credit_at[port][vc] ? forgotten : "too few after the reset",
           model_credit_name(f->credit_at[port][vc]));
    p->starved[own % b->vcs] ^= bit;
    p->contended[own % b->vcs] |= bit;
    EXPECT(RULES_HELD_BACK, false, port, vc, leaving_word(b, at, own),
           "word %s could leave and does not: the router takes the output for held by another "
           "packet (%s)",
           model_word_name(b, word),
           model_when("the last tail left", "no tail has left yet", f->freed_at[port][vc]));
    *p = was;
}

/* Another word that could leave gets the link. */
static void try_wrong_order(struct model *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const unsigned port = f->port[own], winner = (unsigned)f->granted[port], due = f->to[port];
    const struct pins was = *p;
    char lost[120] = "";
    p->out_credit[own % b->vcs] |= UINT64_C(1) << own / b->vcs;
    p->out_credit[winner % b->vcs] ^= UINT64_C(1) << winner / b->vcs;
    if (b->r.stages == 1)
        p->out_word[port] = leaving_word(b, at, own);
    if (f->choice[own] != due && f->credit_at[port][due])
        snprintf(lost, sizeof lost, ", or a credit of VC %u was forgotten: %s", due,
                 model_credit_name(f->credit_at[port][due]));
    EXPECT(RULES_ORDER, false, port, due, f->front[winner],
           "the link is granted to input %s instead of input %s (round robin%s)",
           model_vc_name(b, own / b->vcs, own % b->vcs),
           model_vc_name(b, winner / b->vcs, winner % b->vcs), lost);
    *p = was;
}

/* Why a word does not leave, as the model sees it. */
static void why_not(const struct model *b, uint64_t at, unsigned own, char *text, size_t size)
{
    const struct facts *f = &b->facts[at];
    const unsigned port = f->port[own], vc = f->choice[own];
    const int winner = f->granted[port], holder = f->holder[port][vc];
    if (f->front[own] == 0)
        snprintf(text, size, "the buffer is empty");
    else if (winner == (int)own)
        snprintf(text, size, "its word leaves");
    else if (holder != NOBODY && holder != (int)own)
        snprintf(text, size, "output %s is held by input %s", model_vc_name(b, port, vc),
                 model_vc_name(b, (unsigned)holder / b->vcs, (unsigned)holder % b->vcs));
    else if (winner != NOBODY)
        snprintf(text, size, "the link is granted to another input");
    else
        snprintf(text, size, "no other packet is in the way to output %s",
                 model_vc_name(b, port, vc));
}

static void try_wrong_taps(struct model *b, uint64_t at, unsigned own)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const uint64_t bit = UINT64_C(1) << own / b->vcs;
    char why[200];
    /* A word in the route stage is in the buffer for waiting_name(), not for the taps. */
    why_not(b, at, own, why, sizeof why);
    const bool known = b->r.stages < 3 || f->front[own];
    for (unsigned k = 0; known && k < 2; k++) {
        uint64_t *mask = k ? &p->starved[own % b->vcs] : &p->contended[own % b->vcs];
        const bool is = !(*mask & bit);
        *mask ^= bit;
        EXPECT(RULES_TAP, true, own / b->vcs, own % b->vcs, f->front[own],
               "%s is %d: expected %d (%s)", k ? "starved_o" : "contended_o", is, !is, why);
        *mask ^= bit;
    }
    if (!((p->contended[own % b->vcs] | p->starved[own % b->vcs]) & bit))
        return;
    const unsigned want = p->want[own];
    p->want[own] = (uint8_t)(want + 1);
    EXPECT(RULES_TAP, true, own / b->vcs, own % b->vcs, f->front[own], "want_o is %u: expected %u",
           want + 1, want);
    p->want[own] = (uint8_t)want;
}

/* The router is not shown although a word is in it. */
static void try_sleep(struct model *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    struct pins *now = &b->pins[at - 1];
    unsigned own = 0;
    uint64_t in = now->in_valid;
    for (unsigned vc = 0; vc < b->vcs; vc++)
        in |= now->in_credit[vc];
    while (own < b->buffers && f->front[own] == 0)
        own++;
    if (in || own == b->buffers || b->r.stages > 1 || !now->shown)
        return;
    now->shown = false;
    const uint64_t cycle = at - 1;
    char text[600];
    rules_reset(rules);
    for (uint64_t c = 1; c <= cycle; c++)
        model_see(rules, b, c);
    const struct rules_breach *breach = rules_breach(rules);
    assert_true(breach && breach->kind == RULES_ASLEEP && breach->cycle == cycle);
    assert_true(breach->input && breach->port == own / b->vcs && breach->vc == own % b->vcs);
    snprintf(text, sizeof text,
             "the router sleeps with a word (%s, at the front since cycle %llu): quiet_o is wrong",
             model_word_name(b, f->front[own]), (unsigned long long)f->since[own]);
    assert_string_equal(breach->what, text);
    now->shown = true;
}

/* A front word leaves although it may not: another packet holds its output VC, or credits are
 * missing, or the rest of its packet. */
static void try_forbidden(struct model *b, uint64_t at, unsigned own, bool is_foreign)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    const struct pins was = *p;
    const unsigned port = f->port[own], vc = f->choice[own], free = f->free[port][vc];
    const int holder = f->holder[port][vc];
    const uint64_t word = leaving_word(b, at, own);
    const char *const name = model_word_name(b, word);
    if (f->request[own] || f->front[own] == 0 || f->from[port] != NOBODY)
        return;
    p->out_valid |= UINT64_C(1) << port;
    p->out_word[port] = word;
    p->out_credit[own % b->vcs] |= UINT64_C(1) << own / b->vcs;
    if (holder != NOBODY && holder != (int)own) {
        char packet[100];
        ec_word_name(&b->t, &b->layout, f->packet[port][vc] << b->layout.index_bits, packet,
                     sizeof packet);
        packet[strcspn(packet, ".")] = '\0';
        EXPECT(RULES_MIXED, false, port, vc, word,
               "packets are mixed: word %s leaves on VC %u inside another packet (the word is from "
               "input %s, packet %s from input %s has not ended)",
               name, vc, model_vc_name(b, own / b->vcs, own % b->vcs), packet,
               model_vc_name(b, (unsigned)holder / b->vcs, (unsigned)holder % b->vcs));
    } else if (free == 0) {
        EXPECT(
            RULES_NO_CREDIT, false, port, vc, word,
            "word %s leaves without a credit: %u words are out (a credit was counted twice, or a "
            "word not at all? %s)",
            name, b->r.depth, model_credit_name(f->credit_at[port][vc]));
    } else if (!is_foreign && b->r.switching == EC_STORE_AND_FORWARD && !f->complete[own]) {
        EXPECT(RULES_TOO_EARLY, false, port, vc, word,
               "word %s leaves before its tail has arrived (store-and-forward)", name);
    } else if (!is_foreign) {
        EXPECT(RULES_TOO_EARLY, false, port, vc, word,
               "word %s leaves with %u credit%s, %s needs %u (%s)", name, free,
               free == 1 ? "" : "s",
               b->r.switching == EC_CUT_THROUGH ? "cut-through" : "store-and-forward", b->r.packet,
               model_credit_name(f->credit_at[port][vc]));
    }
    *p = was;
}

/* Taps that are not shown may hold anything. */
static void spoil_taps(struct model *b)
{
    for (uint64_t c = 1; c <= CYCLES + 1; c++) {
        for (unsigned vc = 0; vc < b->vcs; vc++) {
            b->pins[c].contended[vc] = model_draw(b, 64);
            b->pins[c].starved[vc] = model_draw(b, 64);
        }
    }
    rules_reset(rules);
    for (uint64_t c = 1; c <= CYCLES; c++)
        model_see(rules, b, c);
    assert_silent(b, CYCLES);
}

static void a_router_may_have_no_taps(void **state)
{
    (void)state;
    static struct model b;
    for (size_t i = 0; i < setting_count; i++) {
        uint64_t words;
        bench_open(&b, &settings[i], 8, EC_NONE, (struct rules_options){.taps = false});
        play(&b, &words);
        for (uint64_t at = 2; at <= 30; at += 3) {
            if (b.pins[at - 1].shown)
                try_without_taps(&b, at);
        }
        spoil_taps(&b);
        rules_close(rules);
    }
}

/* What the pins alone tell of a router that was sound before and after a wrong tap: the words in an
 * input VC, those out of an output VC, and who holds it. */
struct observed {
    unsigned count[INPUTS], sent[INPUTS];
    int holder[INPUTS];
};

static void observe(const struct model *b, uint64_t c, struct observed *x)
{
    const struct pins *now = &b->pins[c], *next = &b->pins[c + 1];
    for (unsigned to = 0; to < b->buffers; to++) {
        const unsigned port = to / b->vcs, vc = to % b->vcs;
        x->count[to] += taken(now->in_valid, port) && ec_word_vc(now->in_word[port], b->vcs) == vc;
        x->sent[to] -= taken(now->in_credit[vc], port);
        if (!taken(next->out_valid, port) || ec_word_vc(next->out_word[port], b->vcs) != vc)
            continue;
        const int from = b->facts[c + 1].from[port];
        x->count[from]--;
        x->sent[to]++;
        x->holder[to] = ec_word_tail(next->out_word[port]) ? NOBODY : from;
    }
}

/* After a breach, words that were granted count when they leave. */
static void a_wrong_tap_leaves_the_account_whole(void **state)
{
    (void)state;
    static struct model b;
    for (size_t i = 0; i < setting_count * 4; i++) {
        uint64_t words, at = 2 + i % 4 * 9;
        struct observed x = {{0}, {0}, {0}};
        bench_open(&b, &settings[i / 4], i, EC_NONE, exact);
        play(&b, &words);
        while (!b.pins[at - 1].shown)
            at++;
        b.pins[at].starved[0] ^= 1;
        rules_reset(rules);
        for (unsigned to = 0; to < b.buffers; to++)
            x.holder[to] = NOBODY;
        for (uint64_t c = 1; c <= CYCLES; c++) {
            model_see(rules, &b, c);
            observe(&b, c, &x);
            const struct rules_breach *breach = rules_breach(rules);
            assert_int_equal(breach != NULL, c + 1 >= at);
            assert_true(!breach || (breach->kind == RULES_TAP && breach->cycle == at));
            for (unsigned to = 0; c > at && to < b.buffers; to++) {
                const size_t k = shadow_at(rules_shadow(rules), b.x->node, to / b.vcs, to % b.vcs);
                const struct rules_output *out = rules_output(rules, k);
                model_assert(&b, c, "the number of words", to,
                             rules_shadow(rules)->buffers[k].count, x.count[to]);
                model_assert(&b, c, "the words out", to, out->sent, x.sent[to]);
                model_assert(&b, c, "the holder", to, out->holder,
                             x.holder[to] == NOBODY ? RULES_NOBODY : (uint32_t)x.holder[to]);
            }
        }
        rules_close(rules);
    }
}

static void try_changes(struct model *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    for (unsigned port = 0; port < b->ports; port++) {
        if (f->from[port] != NOBODY) {
            try_lost_word(b, at, port);
            try_altered_word(b, at, port, false);
            try_wrong_port(b, at, port, false);
        }
        if (f->granted[port] != NOBODY)
            try_held_back(b, at, port);
    }
    for (unsigned own = 0; own < b->buffers; own++) {
        const unsigned port = f->port[own];
        const bool granted = f->front[own] && f->granted[port] == (int)own;
        if (b->r.stages == 1 && granted)
            try_missing_credit(b, at, own);
        if (b->r.stages == 1 && !granted)
            try_extra_credit(b, at, own);
        if (f->front[own] && f->request[own] && !granted)
            try_wrong_order(b, at, own);
        try_wrong_taps(b, at, own);
        if (b->r.stages == 1)
            try_forbidden(b, at, own, false);
    }
    try_strange_words(b, at, false);
    for (unsigned port = 0; b->r.stages == 1 && port < b->ports; port++) {
        if (f->from[port] == NOBODY)
            try_copies(b, at, port);
    }
    for (unsigned own = 0; b->r.stages > 1 && own < b->buffers; own++)
        try_ungranted(b, at, own);
    try_credit_without_link(b, at);
}

static void every_change_of_a_cycle_is_a_breach(void **state)
{
    (void)state;
    static struct model b;
    for (size_t i = 0; i < setting_count; i++) {
        uint64_t words;
        bench_open(&b, &settings[i], 9, i % 2 ? EC_NONE : settings[i].node, exact);
        play(&b, &words);
        for (uint64_t at = 2; at <= CYCLES; at++) {
            if (b.pins[at - 1].shown && at <= 30)
                try_changes(&b, at);
            try_sleep(&b, at);
        }
        rules_close(rules);
    }
}

/* --- Foreign routers -------------------------------------------------------------------------- */

/* Words and credits that come later than those of ecube's router, each by a constant; credits also
 * before their words. */
static void a_foreign_router_may_be_slower(void **state)
{
    (void)state;
    static const unsigned late[][2] = {{0, 0}, {0, 1}, {1, 0}, {3, 3}, {7, 2}, {2, 20}, {0, 63}};
    static struct model b;
    for (size_t i = 0; i < setting_count * COUNT(late); i++) {
        const struct setting *x = &settings[i / COUNT(late)];
        bench_open(&b, x, i, i % 2 ? EC_NONE : x->node, foreign);
        b.late_words = late[i % COUNT(late)][0];
        b.late_credits = late[i % COUNT(late)][1];
        for (uint64_t c = 1; c <= CYCLES + LATE; c++) {
            model_enter(&b, c);
            model_show(&b, c + 1);
            b.pins[c].shown = true;
            model_see(rules, &b, c);
            assert_silent(&b, c);
        }
        assert_true(model_is_empty(&b));
        rules_end(rules, CYCLES + LATE);
        assert_silent(&b, CYCLES);
        rules_close(rules);
    }
}

/* A credit that never comes, of a word that left in cycle `at`: in the end one is missing. */
static void try_lost_credit(struct model *b, uint64_t at, unsigned own)
{
    const uint64_t left_at = b->in[own].left_at, late = left_at + RULES_CREDIT_DELAY;
    char text[300];
    b->pins[at].out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    rules_reset(rules);
    for (uint64_t c = 1; c <= CYCLES; c++)
        model_see(rules, b, c);
    snprintf(text, sizeof text,
             "the router owes a credit: by cycle %llu it has returned fewer than words left up to "
             "cycle %llu (at most 64 cycles: contract, section 12.1); last correct in cycle %llu",
             (unsigned long long)late, (unsigned long long)left_at,
             at > 2 ? (unsigned long long)at - 1 : 0ull); /* the first outputs are of cycle 2 */
    const struct rules_breach *breach = rules_breach(rules);
    assert_true(breach && breach->input && breach->port == own / b->vcs);
    assert_int_equal(breach->vc, own % b->vcs);
    if (breach->kind == RULES_INPUT) { /* the neighbour, as it was recorded, had that credit */
        assert_non_null(strstr(breach->what, "without a credit: the buffer is full"));
    } else {
        assert_true(breach->kind == RULES_CREDIT_MISSING && breach->cycle == at);
        assert_string_equal(breach->what, text);
    }
    b->pins[at].out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
}

static void try_foreign_changes(struct model *b, uint64_t at)
{
    const struct facts *f = &b->facts[at];
    struct pins *p = &b->pins[at];
    for (unsigned port = 0; port < b->ports; port++) {
        if (f->from[port] == NOBODY)
            continue;
        try_altered_word(b, at, port, true);
        try_wrong_port(b, at, port, true);
    }
    try_strange_words(b, at, true);
    for (unsigned own = 0; own < b->buffers; own++) {
        const bool granted = f->front[own] && f->granted[f->port[own]] == (int)own;
        if (granted)
            try_lost_credit(b, at, own);
        try_forbidden(b, at, own, true);
        if (f->front[own])
            continue;
        p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
        EXPECT(RULES_CREDIT_TWICE, true, own / b->vcs, own % b->vcs, 0,
               "a credit is returned for an empty buffer: all words that came have theirs (the "
               "last credit was returned in cycle %llu)",
               (unsigned long long)f->left_at[own]);
        p->out_credit[own % b->vcs] ^= UINT64_C(1) << own / b->vcs;
    }
}

/* Those that a router of any pipeline and arbitration must not show; here it has one stage. */
static void changes_of_a_foreign_router_are_breaches(void **state)
{
    (void)state;
    static struct model b;
    for (size_t i = 0; i < setting_count; i++) {
        uint64_t words;
        bench_open(&b, &settings[i], 7, i % 2 ? EC_NONE : settings[i].node, foreign);
        if (b.r.stages == 1) {
            play(&b, &words);
            for (uint64_t c = 1; c <= CYCLES; c++)
                b.pins[c].shown = true;
            for (uint64_t at = 2; at <= 40; at += 2)
                try_foreign_changes(&b, at);
        }
        rules_close(rules);
    }
}

int main(void)
{
    setting_count = model_settings(TEST_OWN, settings);
    const struct CMUnitTest tests[] = {
        TEST("the account is what the router holds", the_account_is_what_the_router_holds),
        TEST("a router may have no taps", a_router_may_have_no_taps),
        TEST("a wrong tap leaves the account whole", a_wrong_tap_leaves_the_account_whole),
        TEST("every change of a cycle is a breach", every_change_of_a_cycle_is_a_breach),
        TEST("a foreign router may be slower", a_foreign_router_may_be_slower),
        TEST("changes of a foreign router are breaches", changes_of_a_foreign_router_are_breaches),
    };
    return cmocka_run_group_tests_name("rules model", tests, NULL, NULL);
}
