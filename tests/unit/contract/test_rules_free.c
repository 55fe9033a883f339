/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the contract against a router that does what it likes where section 12 leaves it
 * free: whose turn it is, which VC of a class a packet takes, who overtakes whom, when credits come
 * back. Then
 * - the rules find nothing, and their account is what the model holds, in every cycle;
 * - as ecube's own router it breaks a rule soon, but the account stays right;
 * - if the run ends in any cycle, the rules say what is missing, by the definition of each case. */
#include <string.h>

#include "network/names.h"
#include "router_model.h"
#include "unit.h"

/* What section 12 leaves free, in percent. */
struct freedom {
    unsigned eager;  /* an output that could send a word does */
    unsigned prompt; /* a credit that could be returned is */
    unsigned ahead;  /* credits that may come before their words leave: a number */
    bool overtakes;  /* words of an input VC that no rule keeps in order */
};

/* What the model knows beyond struct model: of an input VC. */
struct payment {
    int ahead, best;              /* credits returned minus words that left; the most so far */
    uint64_t left_at[64];         /* of words without a credit, the oldest first */
    uint64_t last_left;           /* when the last word left */
    bool last_word;               /* there is one */
    unsigned last_port;           /* where it left */
    uint64_t credit_at;           /* the last credit */
    uint64_t correct, missing_at; /* the last cycle without a missing credit, the first with one */
    bool overtaken;               /* the front word was not: it has been there for longer */
};

enum { ALL = CYCLES + LATE + 2 };

static struct rules *rules;
static struct model b;
static struct payment pay[INPUTS];
static uint8_t left[INPUTS][ALL]; /* words that left an input VC in a cycle */
static const struct freedom *f;
static int resting; /* an input VC from which no more words leave in this cycle, or NOBODY */

/* --- The router ------------------------------------------------------------------------------- */

static uint64_t packet_of(uint64_t word)
{
    return (word & ((UINT64_C(1) << b.layout.vc_shift) - 1)) >> b.layout.index_bits;
}

/* The VCs that a word of an input VC may take at its output port, as bits. */
static unsigned vcs_of(unsigned own, const struct queued *q)
{
    const struct output *outs = &b.out[q->port * b.vcs];
    for (unsigned vc = 0; !ec_word_head(q->word) && vc < b.vcs; vc++) {
        const bool mine = outs[vc].holder == (int)own && outs[vc].packet == packet_of(q->word);
        if (mine && b.r.va == EC_VA_DYNAMIC)
            return 1u << vc;
    }
    return q->vcs;
}

/* Does a rule keep word k of an input VC behind one in front of it? */
static bool is_kept_behind(const struct input *in, unsigned k)
{
    for (unsigned i = 0; i < k; i++) {
        const bool same = b.r.va == EC_VA_DYNAMIC
                              ? packet_of(in->q[i].word) == packet_of(in->q[k].word)
                              : in->q[i].port == in->q[k].port && in->q[i].vcs == in->q[k].vcs;
        if (same)
            return true;
    }
    return false;
}

static bool must_wait(const struct input *in, unsigned k)
{
    return is_kept_behind(in, k) || (k > 0 && !f->overtakes);
}

static bool may_take(unsigned own, const struct queued *q, unsigned vc)
{
    const struct output *out = &b.out[q->port * b.vcs + vc];
    if (!(vcs_of(own, q) >> vc & 1) || out->sent >= b.r.depth)
        return false;
    return out->holder == (ec_word_head(q->word) ? NOBODY : (int)own);
}

static void send(unsigned own, unsigned k, unsigned vc, uint64_t now)
{
    struct input *in = &b.in[own];
    struct payment *p = &pay[own];
    const struct queued q = in->q[k];
    struct output *out = &b.out[q.port * b.vcs + vc];
    uint64_t word = q.word;
    if (b.vcs > 1)
        word = (word & ~ec_word_vc_mask(b.vcs)) | (uint64_t)vc << ec_word_vc_shift(b.vcs);
    b.pins[now].out_word[q.port] = word;
    b.pins[now].out_valid |= UINT64_C(1) << q.port;
    if (out->sent++ == 0)
        out->out_since = now;
    out->holder = ec_word_tail(word) ? NOBODY : (int)own;
    out->packet = packet_of(word);
    if (ec_word_tail(word))
        out->freed_at = now;
    if (--p->ahead < 0)
        p->left_at[-p->ahead - 1] = now;
    p->last_left = now;
    p->last_word = true;
    p->last_port = q.port;
    left[own][now]++;
    p->overtaken = k > 0 || (p->overtaken && in->count > 1 && in->since == now + 1);
    memmove(in->q + k, in->q + k + 1, (--in->count - k) * sizeof *in->q);
    in->since = now + 1;
    if (in->count && in->q[0].entered > in->since)
        in->since = in->q[0].entered;
}

/* A word for a port, if one may leave and the router feels like it. */
static void serve_port(unsigned port, uint64_t now)
{
    const unsigned first = (unsigned)model_draw(&b, b.buffers);
    if (model_draw(&b, 100) >= f->eager || b.pins[now].out_valid >> port & 1)
        return;
    for (unsigned i = 0; i < b.buffers; i++) {
        const unsigned own = (first + i) % b.buffers, turn = (unsigned)model_draw(&b, b.vcs);
        const struct input *in = &b.in[own];
        const unsigned from = in->count ? (unsigned)model_draw(&b, in->count) : 0;
        for (unsigned n = 0; n < in->count && (int)own != resting; n++) {
            const unsigned k = (from + n) % in->count;
            if (in->q[k].port != port || in->q[k].entered > now || must_wait(in, k))
                continue;
            for (unsigned v = 0; v < b.vcs; v++) {
                if (!may_take(own, &in->q[k], (turn + v) % b.vcs))
                    continue;
                send(own, k, (turn + v) % b.vcs, now);
                return;
            }
        }
    }
}

/* A credit for an input VC, of a word that left or, if the router likes, of one that has not. */
static void return_credit(unsigned own, uint64_t now)
{
    struct payment *p = &pay[own];
    const bool late = p->ahead < 0 && now - p->left_at[0] >= RULES_CREDIT_DELAY - 1;
    const int most = f->ahead < b.in[own].count ? (int)f->ahead : (int)b.in[own].count;
    if (p->ahead >= most || (!late && model_draw(&b, 100) >= f->prompt))
        return;
    if (p->ahead++ < 0)
        memmove(p->left_at, p->left_at + 1, sizeof p->left_at - sizeof *p->left_at);
    p->credit_at = now;
    b.pins[now].out_credit[own % b.vcs] |= UINT64_C(1) << own / b.vcs;
}

/* Are all credits accounted for at the end of a cycle? As many are ahead as ever, or all is quiet.
 */
static void settle(unsigned own, uint64_t now)
{
    struct payment *p = &pay[own];
    if (p->ahead >= p->best || (p->ahead == 0 && b.in[own].count == 0)) {
        p->best = p->ahead > p->best ? p->ahead : p->best;
        p->correct = now;
        p->missing_at = 0;
    } else if (p->missing_at == 0) {
        p->missing_at = now;
    }
}

/* The outputs of cycle `now`. */
static void show(uint64_t now)
{
    const unsigned first = (unsigned)model_draw(&b, b.ports);
    for (unsigned i = 0; i < b.ports; i++)
        serve_port((first + i) % b.ports, now);
    for (unsigned own = 0; own < b.buffers; own++) {
        return_credit(own, now);
        settle(own, now);
    }
}

static void step(uint64_t c)
{
    struct pins *const now = &b.pins[c];
    model_enter(&b, c);
    show(c + 1);
    now->shown = true;
    b.moved_at = b.pins[c + 1].out_valid ? c : b.moved_at;
    b.shown_at = c;
}

/* --- The account ------------------------------------------------------------------------------ */

static unsigned choice_of(unsigned own, unsigned vcs)
{
    const struct queued *q = &b.in[own].q[0];
    int free = NOBODY, first = NOBODY;
    for (unsigned vc = 0; vc < b.vcs; vc++) {
        const struct output *out = &b.out[q->port * b.vcs + vc];
        if (!(vcs >> vc & 1))
            continue;
        first = first == NOBODY ? (int)vc : first;
        if (out->holder != NOBODY && out->holder != (int)own)
            continue;
        if (model_free(&b, out) >= model_need(&b, q->word))
            return vc;
        free = free == NOBODY ? (int)vc : free;
    }
    return (unsigned)(free == NOBODY ? first : free);
}

static void compare_input(unsigned own, size_t at, uint64_t c)
{
    const struct input *in = &b.in[own];
    const struct shadow *shadow = rules_shadow(rules);
    const struct rules_ask ask = rules_ask(rules, at);
    model_assert(&b, c, "the number of words", own, shadow->buffers[at].count, in->count);
    for (unsigned k = 0; k < in->count; k++)
        model_assert(&b, c, "a word", own, shadow_word(shadow, at, k), in->q[k].word);
    model_assert(&b, c, "the front word", own, ask.word, in->count ? in->q[0].word : 0);
    model_assert(&b, c, "the grant", own, rules_granted(rules, at), RULES_NOBODY);
    if (in->count == 0)
        return;
    const unsigned vcs = vcs_of(own, &in->q[0]);
    model_assert(&b, c, "the port", own, ask.port, in->q[0].port);
    model_assert(&b, c, "the VCs", own, ask.vcs, vcs);
    model_assert(&b, c, "the VC", own, ask.vc, choice_of(own, vcs));
    model_assert(&b, c, "the tail", own, ask.complete, model_is_complete(in, UINT64_MAX));
    if (!pay[own].overtaken)
        model_assert(&b, c, "the time", own, ask.since, in->since);
}

static void compare_accounts(uint64_t c)
{
    for (unsigned own = 0; own < b.buffers; own++) {
        const size_t at = shadow_at(rules_shadow(rules), b.x->node, own / b.vcs, own % b.vcs);
        const struct rules_output *is = rules_output(rules, at);
        const struct output *out = &b.out[own];
        compare_input(own, at, c);
        model_assert(&b, c, "the holder", own, is->holder,
                     out->holder == NOBODY ? RULES_NOBODY : (uint32_t)out->holder);
        if (out->holder != NOBODY)
            model_assert(&b, c, "the packet", own, is->packet, out->packet);
        model_assert(&b, c, "the words out", own, is->sent, out->sent);
        model_assert(&b, c, "the last credit", own, is->credit_at, out->credit_at);
        model_assert(&b, c, "the last tail", own, is->freed_at, out->freed_at);
        model_assert(&b, c, "the last time without words out", own, is->correct_at,
                     out->correct_at);
        if (out->sent)
            model_assert(&b, c, "the first word out", own, is->out_since, out->out_since);
    }
    model_assert(&b, c, "the last move", 0, rules_moved_at(rules), b.moved_at);
    model_assert(&b, c, "the last cycle", 0, rules_shown_at(rules, b.x->node), b.shown_at);
}

static void assert_silent(uint64_t c)
{
    char text[600];
    if (!rules_breach(rules))
        return;
    rules_text(rules, rules_breach(rules), text, sizeof text);
    fail_msg("%s %s, cycle %llu: %s", b.x->topology, b.x->router, (unsigned long long)c, text);
}

static struct setting settings[SETTINGS_MAX];
static size_t setting_count;

static const struct freedom freedoms[] = {
    {100, 100, 0, false}, {60, 100, 0, false}, {80, 15, 0, false},
    {50, 60, 2, false},   {70, 50, 1, true},   {90, 8, 0, true},
};

static void bench_open(size_t setting, size_t freedom, struct rules_options options)
{
    static struct setting x; /* at any place */
    x = settings[setting];
    f = &freedoms[freedom];
    resting = NOBODY;
    x.node = (x.node + 2 * (uint32_t)freedom) % topology_of(x.topology).nodes;
    model_open(&b, &x, 100 * setting + freedom);
    memset(pay, 0, sizeof pay);
    memset(left, 0, sizeof left);
    if (!options.foreign)
        b.r.stages = 1;
    rules = rules_open(&b.t, &b.r, (setting + freedom) % 2 ? EC_NONE : x.node, options);
    assert_non_null(rules);
    b.r.stages = 1; /* the model has one: words enter the buffer at once */
}

static void the_account_is_what_a_free_router_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < setting_count * COUNT(freedoms); i++) {
        uint64_t words = 0;
        bench_open(i / COUNT(freedoms), i % COUNT(freedoms),
                   (struct rules_options){.foreign = true});
        for (uint64_t c = 1; c <= CYCLES + LATE; c++) {
            step(c);
            model_see(rules, &b, c);
            assert_silent(c);
            compare_accounts(c);
            words += (unsigned)__builtin_popcountll(b.pins[c + 1].out_valid);
        }
        assert_true(model_is_empty(&b) && words > 10);
        rules_end(rules, CYCLES + LATE);
        assert_silent(CYCLES + LATE);
        rules_close(rules);
    }
}

/* The same router with its turns and times is not ecube's. Words and credits leave together. */
static void a_breach_leaves_the_account_whole(void **state)
{
    (void)state;
    unsigned kinds = 0;
    for (size_t i = 0; i < setting_count; i++) {
        for (size_t k = 0; k < 2; k++) {
            const struct rules_breach *breach = NULL;
            bench_open(i, k, (struct rules_options){0});
            for (uint64_t c = 1; c <= CYCLES; c++) {
                step(c);
                model_see(rules, &b, c);
                compare_accounts(c);
                if (breach || !rules_breach(rules))
                    continue;
                breach = rules_breach(rules);
                model_assert(&b, c, "the cycle of the breach", 0, breach->cycle, c + 1);
                kinds |= 1u << breach->kind;
            }
            if (!breach)
                fail_msg("%s %s: no breach", b.x->topology, b.x->router);
            rules_close(rules);
        }
    }
    assert_int_equal(kinds & (1u << RULES_ORDER | 1u << RULES_HELD_BACK | 1u << RULES_VC),
                     1u << RULES_ORDER | 1u << RULES_HELD_BACK | 1u << RULES_VC);
}

/* --- The end in any cycle --------------------------------------------------------------------- */

/* What must be found: the case with the earliest cycle; of those, the first. */
struct found {
    bool some, input;
    enum rules_kind kind;
    uint64_t cycle, word;
    unsigned at;
    char text[400];
};

#define NOTE(ret_, kind_, input_, cycle_, at_, word_, ...)                                         \
    do {                                                                                           \
        const uint64_t note_ = (cycle_);                                                           \
        if (!(ret_)->some || note_ < (ret_)->cycle) {                                              \
            *(ret_) = (struct found){true, (input_), (kind_), note_, (word_), (at_), ""};          \
            snprintf((ret_)->text, sizeof(ret_)->text, __VA_ARGS__);                               \
        }                                                                                          \
    } while (0)

static void find_missing(uint64_t now, uint64_t patience, struct found *ret)
{
    for (unsigned own = 0; own < b.buffers; own++) {
        const struct payment *p = &pay[own];
        const uint64_t last = p->last_left > p->credit_at ? p->last_left : p->credit_at;
        if (p->ahead < 0 && last + patience <= now)
            NOTE(ret, RULES_CREDIT_MISSING, true, p->missing_at ? p->missing_at : now, own, 0,
                 "the router has not returned %d credit%s by cycle %llu; last correct in cycle "
                 "%llu",
                 -p->ahead, p->ahead == -1 ? "" : "s", (unsigned long long)now,
                 (unsigned long long)p->correct);
    }
}

/* Nodes may have excuses for local ports and VCs: bits, by local * vcs + vc. */
static uint64_t excused;

static bool excuse(const void *context, uint32_t node, unsigned local, unsigned vc)
{
    assert_ptr_equal(context, &excused);
    assert_true(node == b.x->node && local < b.locals && vc < b.vcs);
    return excused >> (local * b.vcs + vc) & 1;
}

static bool has_excuse(unsigned to)
{
    return to / b.vcs >= b.links && excused >> (to - b.links * b.vcs) & 1;
}

/* Of outputs from `first` on: the first one that owes credits. */
static void find_owed(unsigned first, struct found *ret)
{
    for (unsigned to = first * b.vcs; !ret->some && to < b.buffers; to++) {
        const struct output *out = &b.out[to];
        if (out->sent && !has_excuse(to))
            NOTE(ret, RULES_INPUT, false, out->out_since, to, 0,
                 "the %s did not return %u of %u credits; all were here in cycle %llu",
                 to / b.vcs >= b.links ? "node" : "neighbour", out->sent, b.r.depth,
                 (unsigned long long)out->correct_at);
    }
}

static void find_still(uint64_t now, uint64_t patience, struct found *ret)
{
    find_missing(now, patience, ret);
    if (!ret->some && b.moved_at + patience < now)
        find_owed(b.links, ret);
}

static void find_rest(unsigned own, struct found *ret)
{
    const struct input *in = &b.in[own];
    const struct queued *q = &in->q[0];
    if (in->count == 0)
        return;
    const unsigned vc = choice_of(own, vcs_of(own, q));
    const struct output *out = &b.out[q->port * b.vcs + vc];
    const char *const to = model_vc_name(&b, q->port, vc);
    if (out->holder != NOBODY && out->holder != (int)own)
        return; /* the other packet is to blame */
    if (pay[own].ahead > 0)
        NOTE(ret, RULES_LOST, true, pay[own].credit_at, own, q->word,
             "word %s has not left, but its credit was returned: it is lost, or the router has "
             "forgotten a credit or the end of a packet at output %s (%u of %u credits are free, "
             "%s)",
             model_word_name(&b, q->word), to, model_free(&b, out), b.r.depth,
             model_credit_name(out->credit_at));
    else
        NOTE(ret, RULES_HELD_BACK, true, in->since, own, q->word,
             "word %s has never left: it could by output %s (%u of %u credits are free, %s)",
             model_word_name(&b, q->word), to, model_free(&b, out), b.r.depth,
             model_credit_name(out->credit_at));
}

static void find_open(uint64_t now, struct found *ret)
{
    for (unsigned to = 0; !ret->some && to < b.buffers; to++) {
        const int holder = b.out[to].holder;
        if (holder == NOBODY)
            continue;
        const bool sent = b.in[holder].rest == 0;
        NOTE(ret, sent ? RULES_LOST : RULES_INPUT, false, now, to, 0,
             "the packet from input %s has no tail: it %s",
             model_vc_name(&b, (unsigned)holder / b.vcs, (unsigned)holder % b.vcs),
             sent ? "arrived and has not left" : "never arrived");
    }
}

static void find_end(uint64_t now, struct found *ret)
{
    find_still(now, 0, ret);
    if (ret->some)
        return;
    for (unsigned own = 0; own < b.buffers; own++)
        find_rest(own, ret);
    if (!ret->some)
        find_open(now, ret);
    if (!ret->some)
        find_owed(0, ret);
}

static void assert_found(const struct found *x, uint64_t c)
{
    char text[600], expected[600], router[EC_NAME_SIZE];
    const struct rules_breach *const breach = rules_breach(rules);
    ec_topology_node_name(&b.t, b.x->node, router, sizeof router);
    snprintf(expected, sizeof expected, "cycle %llu, router %s, %s %s: %s",
             (unsigned long long)x->cycle, router, x->input ? "input" : "output",
             model_vc_name(&b, x->at / b.vcs, x->at % b.vcs), x->text);
    if (!breach || !x->some) {
        if (breach)
            assert_silent(c);
        if (x->some)
            fail_msg("%s %s, cycle %llu: expected %s", b.x->topology, b.x->router,
                     (unsigned long long)c, expected);
        return;
    }
    rules_text(rules, breach, text, sizeof text);
    if (breach->kind != x->kind || breach->word != x->word || strcmp(text, expected) != 0)
        fail_msg("%s %s, cycle %llu: kind %d, %s\n  expected kind %d, %s", b.x->topology,
                 b.x->router, (unsigned long long)c, (int)breach->kind, text, (int)x->kind,
                 expected);
}

static unsigned kinds_found;

/* Ends the run after cycle `until`: with no patience, or because nothing moves. */
static void end_after(uint64_t until, uint64_t silence)
{
    static const uint64_t patience[] = {0, 1, 3, 10};
    for (size_t k = 0; k <= COUNT(patience); k++) {
        struct found x = {0};
        const uint64_t now = until + silence;
        rules_reset(rules);
        for (uint64_t c = 1; c <= until; c++)
            model_see(rules, &b, c);
        assert_silent(until);
        if (k < COUNT(patience)) {
            rules_still(rules, now, patience[k]);
            find_still(now, patience[k], &x);
        } else {
            rules_end(rules, now);
            find_end(now, &x);
        }
        assert_found(&x, until);
        kinds_found |= x.some ? 1u << x.kind : 0;
    }
}

static void the_end_in_any_cycle_says_what_is_missing(void **state)
{
    (void)state;
    for (size_t i = 0; i < setting_count; i++) {
        for (size_t k = 2; k < COUNT(freedoms); k++) {
            if (freedoms[k].overtakes) /* since when a word is at the front is not certain */
                continue;
            bench_open(i, k, (struct rules_options){.foreign = true});
            excused = i % 2 ? model_draw(&b, UINT64_C(1) << 16) : 0;
            if (i % 3)
                rules_excuse_nodes(rules, excuse, &excused);
            else
                excused = 0;
            for (uint64_t c = 1; c <= CYCLES; c++) {
                step(c);
                if (c % 9 == i % 9 || c > TRAFFIC)
                    end_after(c, c % 3 * 2);
            }
            rules_close(rules);
        }
    }
    assert_int_equal(kinds_found, 1u << RULES_CREDIT_MISSING | 1u << RULES_INPUT |
                                      1u << RULES_LOST | 1u << RULES_HELD_BACK);
}

/* --- A credit too few or too many ------------------------------------------------------------- */

/* What the counts of an input VC say of the recorded cycles: words that entered and left, and
 * credits. */
struct counts {
    int words, ahead, best;
    uint64_t unpaid[ALL], first, end; /* when words left without a credit, from first to end - 1 */
    uint64_t credit_at, correct, missing_at;
};

/* The credits of a cycle, and the words that left in it. */
static void count_outputs(unsigned own, uint64_t now, struct counts *x, struct found *ret)
{
    for (unsigned k = 0; k < left[own][now]; k++) {
        x->words--;
        if (--x->ahead < 0)
            x->unpaid[x->end++] = now;
    }
    if (b.pins[now].out_credit[own % b.vcs] >> own / b.vcs & 1) {
        if (x->ahead >= x->words) {
            NOTE(ret, RULES_CREDIT_TWICE, true, now, own, 0,
                 "a credit is returned for an empty buffer: all words that came have theirs (the "
                 "last credit was returned in cycle %llu)",
                 (unsigned long long)x->credit_at);
        } else {
            x->first += x->ahead++ < 0;
            x->credit_at = now;
        }
    }
    if (x->ahead >= x->best || (x->ahead == 0 && x->words == 0)) {
        x->best = x->ahead > x->best ? x->ahead : x->best;
        x->correct = now;
        x->missing_at = 0;
    } else if (x->missing_at == 0) {
        x->missing_at = now;
    }
    if (x->first < x->end && x->unpaid[x->first] + RULES_CREDIT_DELAY <= now)
        NOTE(ret, RULES_CREDIT_MISSING, true, x->missing_at, own, 0,
             "the router owes a credit: by cycle %llu it has returned fewer than words left up to "
             "cycle %llu (at most 64 cycles: contract, section 12.1); last correct in cycle %llu",
             (unsigned long long)now, (unsigned long long)x->unpaid[x->first],
             (unsigned long long)x->correct);
}

static void find_by_counts(unsigned own, struct found *ret)
{
    static struct counts x;
    memset(&x, 0, sizeof x);
    for (uint64_t c = 1; c <= CYCLES + LATE; c++) {
        const uint64_t word = b.pins[c].in_word[own / b.vcs];
        if (b.pins[c].in_valid >> own / b.vcs & 1 && ec_word_vc(word, b.vcs) == own % b.vcs) {
            if (x.words >= (int)b.r.depth + x.ahead)
                NOTE(ret, RULES_INPUT, true, c, own, word,
                     "the %s sends word %s without a credit: the buffer is full",
                     own / b.vcs >= b.links ? "node" : "neighbour", model_word_name(&b, word));
            x.words++;
        }
        count_outputs(own, c + 1, &x, ret);
        if (ret->some)
            return;
    }
}

/* Takes a credit away, or gives one more. */
static void try_credit(unsigned own, uint64_t at)
{
    struct found x = {0};
    uint64_t *const mask = &b.pins[at].out_credit[own % b.vcs];
    *mask ^= UINT64_C(1) << own / b.vcs;
    rules_reset(rules);
    for (uint64_t c = 1; c <= CYCLES + LATE && !rules_breach(rules); c++)
        model_see(rules, &b, c);
    find_by_counts(own, &x);
    assert_found(&x, at);
    kinds_found |= x.some ? 1u << x.kind : 0;
    *mask ^= UINT64_C(1) << own / b.vcs;
}

static void the_counts_find_a_credit_too_few_or_too_many(void **state)
{
    (void)state;
    kinds_found = 0;
    for (size_t i = 0; i < setting_count; i++) {
        for (size_t k = 1; k < COUNT(freedoms); k++) {
            bench_open(i, k, (struct rules_options){.foreign = true});
            for (uint64_t c = 1; c <= CYCLES + LATE; c++)
                step(c);
            for (unsigned n = 0; n < 12; n++)
                try_credit((unsigned)model_draw(&b, b.buffers), 2 + model_draw(&b, TRAFFIC));
            rules_close(rules);
        }
    }
    assert_int_equal(kinds_found,
                     1u << RULES_CREDIT_MISSING | 1u << RULES_INPUT | 1u << RULES_CREDIT_TWICE);
}

/* --- Wrong inputs ----------------------------------------------------------------------------- */

/* A credit that is not due, or a word in the wrong place of a packet. False: there is none. */
static bool send_wrongly(uint64_t c, struct found *ret)
{
    const unsigned own = (unsigned)model_draw(&b, b.buffers);
    const uint64_t bit = UINT64_C(1) << own / b.vcs;
    const char *const who = own / b.vcs >= b.links ? "node" : "neighbour";
    struct pins *p = &b.pins[c];
    const uint64_t word = p->in_word[own / b.vcs];
    if (model_draw(&b, 2)) {
        if (p->in_credit[own % b.vcs] & bit || b.out[own].sent || b.out[own].credit_at == c)
            return false;
        p->in_credit[own % b.vcs] |= bit;
        NOTE(ret, RULES_INPUT, false, c, own, 0,
             "the %s returns a credit, but all credits are already here", who);
        return true;
    }
    if (!(p->in_valid & bit) || ec_word_vc(word, b.vcs) != own % b.vcs)
        return false;
    p->in_word[own / b.vcs] ^= EC_WORD_HEAD;
    NOTE(ret, RULES_INPUT, true, c, own, word ^ EC_WORD_HEAD, "the %s sends word %s %s", who,
         model_word_name(&b, word ^ EC_WORD_HEAD),
         ec_word_head(word) ? "without its head" : "inside another packet");
    return true;
}

/* The first cycle in which a node or a neighbour does so ends the trial. */
static void wrong_inputs_are_not_the_router_s_fault(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (uint64_t i = 0; i < setting_count * 12; i++) {
        struct found x = {0};
        bench_open(i / 12, i % COUNT(freedoms), (struct rules_options){.foreign = true});
        b.key += i;
        for (uint64_t c = 1; c <= TRAFFIC && !x.some; c++) {
            model_enter(&b, c);
            if (c > 5 + i % 12 && send_wrongly(c, &x)) {
                b.pins[c].shown = true; /* with the outputs of the cycle before, which are sound */
                model_see(rules, &b, c);
                assert_found(&x, c);
                for (unsigned to = 0; to < b.buffers; to++) {
                    const size_t k =
                        shadow_at(rules_shadow(rules), b.x->node, to / b.vcs, to % b.vcs);
                    model_assert(&b, c, "the words out", to, rules_output(rules, k)->sent,
                                 b.out[to].sent);
                }
                tried++;
                break;
            }
            show(c + 1);
            b.pins[c].shown = true;
            model_see(rules, &b, c);
        }
        rules_close(rules);
    }
    assert_between(tried, setting_count * 8, setting_count * 12);
}

/* --- Words lost or invented ------------------------------------------------------------------- */

/* A word leaves from behind others of its way, which are lost. False: there is no such word. */
static bool lose_words(uint64_t now, struct found *ret)
{
    const unsigned own = (unsigned)model_draw(&b, b.buffers);
    struct input *in = &b.in[own];
    if (b.r.va == EC_VA_DYNAMIC) /* which VC the rest of a packet takes is not certain then */
        return false;
    for (unsigned k = 1; k < in->count; k++) {
        const struct queued front = in->q[0], q = in->q[k];
        const unsigned vc = (unsigned)__builtin_ctz(q.vcs);
        if (!is_kept_behind(in, k) || k > 1 + model_draw(&b, 3) ||
            b.out[q.port * b.vcs + vc].sent >= b.r.depth)
            continue;
        uint64_t word = q.word;
        if (b.vcs > 1)
            word = (word & ~ec_word_vc_mask(b.vcs)) | (uint64_t)vc << ec_word_vc_shift(b.vcs);
        NOTE(ret, RULES_LOST, true, now, own, front.word,
             "%sword %s leaves: the word in front of it is lost (%s%s)",
             model_rest_name(&b, front.word, word), model_word_name(&b, word),
             model_word_name(&b, front.word), k > 1 ? " and others" : "");
        for (unsigned i = 0; i < k; i++) {
            if (--pay[own].ahead < 0)
                pay[own].left_at[-pay[own].ahead - 1] = now;
            left[own][now]++;
        }
        in->count -= k;
        memmove(in->q, in->q + k, in->count * sizeof *in->q);
        send(own, 0, vc, now);
        resting = (int)own;
        return true;
    }
    return false;
}

/* A word that was never sent, on a VC with words out. */
static bool invent_word(uint64_t now, struct found *ret)
{
    const unsigned to = (unsigned)model_draw(&b, b.buffers), port = to / b.vcs;
    if (b.out[to].sent == 0 || b.out[to].sent >= b.r.depth)
        return false;
    const uint64_t word = ec_word_pack(&b.layout, now % 2, now / 2 % 2, to % b.vcs, 1, 0,
                                       ec_word_numbers(&b.layout, 16000, port));
    b.pins[now].out_word[port] = word;
    b.pins[now].out_valid |= UINT64_C(1) << port;
    b.out[to].sent++;
    NOTE(ret, RULES_WORD, false, now, to, word,
         "word %s leaves, but no buffer has it at its front (altered or invented)",
         model_word_name(&b, word));
    return true;
}

/* A front word leaves by a port that is not its own. It counts there. */
static bool misroute_word(uint64_t now, bool is_foreign, struct found *ret)
{
    const unsigned own = (unsigned)model_draw(&b, b.buffers);
    const unsigned port = (unsigned)model_draw(&b, b.ports), vc = own % b.vcs;
    struct input *in = &b.in[own];
    const struct output *out = &b.out[port * b.vcs + vc];
    if (b.r.va == EC_VA_DYNAMIC || in->count == 0 || in->q[0].port == port ||
        out->sent >= b.r.depth || out->holder != NOBODY)
        return false;
    const struct queued q = in->q[0];
    uint64_t word = q.word;
    if (b.vcs > 1)
        word = (word & ~ec_word_vc_mask(b.vcs)) | (uint64_t)vc << ec_word_vc_shift(b.vcs);
    bool behind_head = false;
    for (unsigned v = 0; v < b.vcs && !ec_word_head(word); v++)
        behind_head |= b.out[q.port * b.vcs + v].holder == (int)own;
    const bool behind_last = ec_word_head(word) && pay[own].last_word &&
                             pay[own].last_port == port && !model_moves(&b, word, port);
    NOTE(ret, RULES_PORT, false, now, port * b.vcs + vc, word,
         "wrong turn: word %s belongs to port %s%s", model_word_name(&b, word),
         model_port_name(&b, q.port),
         !is_foreign   ? ""
         : behind_head ? ", where its head left"
         : behind_last ? "; it goes the way of the packet before it"
                       : "");
    in->q[0].port = port;
    send(own, 0, vc, now);
    resting = (int)own;
    return true;
}

/* The account goes on with what is there: of any router, in every cycle after the breach. */
static void the_account_goes_on_without_what_was_lost(void **state)
{
    (void)state;
    kinds_found = 0;
    for (size_t i = 0; i < setting_count * 8; i++) {
        struct found x = {0};
        const bool is_foreign = i % 8 < 6;
        bench_open(i / 8, i % 8 < 6 ? 1 + i % 5 : i % 8 - 6,
                   (struct rules_options){.foreign = is_foreign});
        for (uint64_t c = 1; c <= CYCLES; c++) {
            const bool due = c > 10 && c <= TRAFFIC && model_draw(&b, 8) == 0;
            model_enter(&b, c);
            const uint64_t what = model_draw(&b, 3);
            if (due)
                (void)(what == 0   ? lose_words(c + 1, &x)
                       : what == 1 ? misroute_word(c + 1, is_foreign, &x)
                                   : invent_word(c + 1, &x));
            show(c + 1);
            resting = NOBODY;
            b.pins[c].shown = true;
            b.moved_at = b.pins[c + 1].out_valid ? c : b.moved_at;
            b.shown_at = c;
            model_see(rules, &b, c);
            compare_accounts(c);
            if (is_foreign)
                assert_found(&x, c);
        }
        kinds_found |= x.some ? 1u << x.kind : 0;
        rules_close(rules);
    }
    assert_int_equal(kinds_found, 1u << RULES_LOST | 1u << RULES_WORD | 1u << RULES_PORT);
}

int main(void)
{
    setting_count = model_settings(TEST_FREE, settings);
    const struct CMUnitTest tests[] = {
        TEST("the account is what a free router holds", the_account_is_what_a_free_router_holds),
        TEST("a breach leaves the account whole", a_breach_leaves_the_account_whole),
        TEST("the end in any cycle says what is missing",
             the_end_in_any_cycle_says_what_is_missing),
        TEST("the counts find a credit too few or too many",
             the_counts_find_a_credit_too_few_or_too_many),
        TEST("wrong inputs are not the router's fault", wrong_inputs_are_not_the_router_s_fault),
        TEST("the account goes on without what was lost",
             the_account_goes_on_without_what_was_lost),
    };
    return cmocka_run_group_tests_name("rules of free routers", tests, NULL, NULL);
}
