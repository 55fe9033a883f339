/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the contract against hand-made sequences (sequences.h): each breach must be found in
 * its cycle, at its place and in the right words. */
#include "contract/rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"
#include "sequences.h"
#include "unit.h"

enum { CYCLES = 100, PORTS = 64, VCS = 4 };

/* The pins of the router in a cycle. */
struct pins {
    uint64_t in_word[PORTS], out_word[PORTS], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS], contended[VCS], starved[VCS];
    uint8_t want[PORTS * VCS]; /* [port * VCs of the router + VC] */
    bool shown;                /* the router is stepped in this cycle */
};

/* Cycle c: the inputs of pins[c], the outputs of pins[c + 1]. */
static void pins_see(struct rules *rules, uint32_t node, const struct pins *pins, uint64_t c)
{
    const struct pins *now = &pins[c], *next = &pins[c + 1];
    if (now->shown)
        rules_see(rules, &(struct ec_net_seen){.cycle = c,
                                               .node = node,
                                               .in_word = now->in_word,
                                               .in_credit = now->in_credit,
                                               .in_valid = now->in_valid,
                                               .out_word = next->out_word,
                                               .out_credit = next->out_credit,
                                               .out_valid = next->out_valid,
                                               .contended = next->contended,
                                               .starved = next->starved,
                                               .want = next->want});
    rules_cycle(rules, c);
}

static uint32_t here; /* the router */

/* The cycles of the sequence after which the traffic is over, or nothing has moved for long; 0:
 * none. */
static uint64_t end_at, still_at;

static uint64_t word_of(const char *name, unsigned vc)
{
    const uint32_t k = (uint32_t)(name[1] - '0');
    for (size_t i = 0; i < COUNT(packets); i++) {
        if (packets[i].letter == name[0])
            return ec_word_pack(&narrow, k == 0, k + 1 == packets[i].words, vc, packets[i].dst,
                                packets[i].src, packets[i].number << 13 | k);
    }
    fail_msg("no packet %s", name);
    return 0;
}

/* "1" or "1.2" at *text, which moves behind it. */
static unsigned read_port(const char **text, unsigned *ret_vc)
{
    char *end;
    const unsigned port = (unsigned)strtoul(*text, &end, 10);
    *ret_vc = *end == '.' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
    *text = end;
    return port;
}

static void read_token(const char *token, uint64_t cycle, struct pins *p)
{
    const char *at = token;
    unsigned vc;
    if (strcmp(token, "z") == 0) {
        p->shown = false;
    } else if (strcmp(token, "end") == 0) {
        end_at = cycle;
    } else if (strcmp(token, "still") == 0) {
        still_at = cycle;
    } else if (*at == '+') {
        at++;
        const unsigned port = read_port(&at, &vc);
        p->in_credit[vc] |= UINT64_C(1) << port;
    } else if (isupper((unsigned char)*at)) {
        at += 3;
        const unsigned port = read_port(&at, &vc);
        p->out_word[port] = word_of(token, vc);
        p->out_valid |= UINT64_C(1) << port;
    } else if (*at == 'c' || *at == 's') {
        at++;
        const unsigned port = read_port(&at, &vc);
        (*token == 'c' ? p->contended : p->starved)[vc] |= UINT64_C(1) << port;
        p->want[port * (unsigned)p->in_word[PORTS - 1] + vc] = (uint8_t)atoi(at + 1);
    } else {
        const unsigned port = read_port(&at, &vc);
        if (*at == '+') {
            p->out_credit[vc] |= UINT64_C(1) << port;
        } else {
            p->in_word[port] = word_of(at + 1, vc);
            p->in_valid |= UINT64_C(1) << port;
        }
    }
}

/* The pins of cycles 1, 2, ...; their number. */
static unsigned read_sequence(const char *text, unsigned vcs, struct pins *cycles)
{
    char copy[600], *rest = copy;
    unsigned count = 0;
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    end_at = still_at = 0;
    for (unsigned c = 0; c < CYCLES; c++)
        cycles[c].shown = true;
    for (char *part; (part = strsep(&rest, "|"));) {
        if (*part == '*')
            count += (unsigned)atoi(part + 1);
        if (*part == '*')
            continue;
        struct pins *p = &cycles[++count];
        assert_true(count < CYCLES - 1);
        p->in_word[PORTS - 1] = vcs; /* for `want`; the port does not exist */
        for (char *token; (token = strsep(&part, " "));) {
            if (*token)
                read_token(token, count, p);
        }
    }
    for (unsigned c = 0; c < CYCLES; c++) {
        for (unsigned vc = vcs; vc < VCS; vc++) /* what does not exist may hold anything */
            cycles[c].in_credit[vc] = cycles[c].out_credit[vc] = cycles[c].contended[vc] =
                cycles[c].starved[vc] = UINT64_MAX;
    }
    return count;
}

static void see(struct rules *rules, const struct pins *cycles, uint64_t c)
{
    pins_see(rules, here, cycles, c);
    if (c == end_at)
        rules_end(rules, c);
    if (c == still_at)
        rules_still(rules, c, 5);
}

/* The router of a sequence, which becomes `here`. */
static struct ec_router here_of(const char *words, struct ec_topology *ret)
{
    char network[40] = "mesh:3";
    const char *const at = strchr(words, '@');
    here = 1;
    if (at) {
        char *end;
        snprintf(network, sizeof network, "%.*s", (int)(at - words), words);
        here = (uint32_t)strtoul(at + 1, &end, 10);
        words = end + 1;
    }
    *ret = topology_of(network);
    struct ec_router r = router_of(words, ret);
    r.packet = 3;
    return r;
}

/* A breach says which word it concerns, unless it is about the turn of another one or about credits
 * alone. */
static void assert_word(const struct rules *rules, const struct rules_breach *b)
{
    if (b->kind == RULES_ORDER || b->kind == RULES_CREDIT_TWICE || b->kind == RULES_TAP)
        return;
    if (b->word ? !strstr(b->what, rules_word_name(rules, b->word).text) : !!strstr(b->what, "->"))
        fail_msg("word %s: %s", rules_word_name(rules, b->word).text, b->what);
}

/* In every cycle: an input VC asks for its front word, and has a whole packet if it has a tail. */
static void assert_asks(const struct rules *rules)
{
    const struct shadow *const shadow = rules_shadow(rules);
    for (size_t at = 0; at < shadow->count; at++) {
        const struct rules_ask ask = rules_ask(rules, at);
        bool tail = false;
        for (uint32_t k = 0; k < shadow->buffers[at].count; k++)
            tail |= ec_word_tail(shadow_word(shadow, at, k));
        assert_true(ask.word == shadow_front(shadow, at));
        assert_int_equal(ask.complete, tail);
    }
}

/* Plays a sequence; *ret has its first breach, text its words. False: there is none. After a reset
 * it is the same. `only`: the router is shown alone, not as one of the network. */
static bool play_once(const struct sequence *s, bool is_foreign, bool only,
                      struct rules_breach *ret, char *text, size_t size)
{
    struct ec_topology t;
    const struct ec_router r = here_of(s->router, &t);
    const struct rules_options options = {.foreign = is_foreign,
                                          .stored =
                                              is_foreign && r.switching == EC_STORE_AND_FORWARD,
                                          .taps = !is_foreign};
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, only ? here : EC_NONE, options);
    assert_true(cycles && rules);
    const unsigned count = read_sequence(s->text, r.vcs, cycles);
    bool found = false;
    for (unsigned again = 0; again < 2; again++) {
        for (uint64_t c = 1; c <= count; c++) {
            see(rules, cycles, c);
            if (!rules_breach(rules))
                assert_asks(rules);
        }
        const struct rules_breach *b = rules_breach(rules);
        if (again && (found != (b != NULL) || (b && strcmp(b->what, ret->what) != 0)))
            fail_msg("%s: after a reset: %s", s->name, b ? b->what : "no breach");
        if (b) {
            rules_text(rules, b, text, size);
            *ret = *b;
            assert_word(rules, b);
        }
        found = b != NULL;
        rules_reset(rules);
        assert_null(rules_breach(rules));
    }
    rules_close(rules);
    free(cycles);
    return found;
}

static bool play(const struct sequence *s, bool is_foreign, struct rules_breach *ret, char *text,
                 size_t size)
{
    struct rules_breach whole;
    char words[600];
    const bool found = play_once(s, is_foreign, true, ret, text, size);
    if (play_once(s, is_foreign, false, &whole, words, sizeof words) != found)
        fail_msg("%s: as one of a network: %s", s->name, found ? "no breach" : words);
    if (found && strcmp(words, text) != 0)
        fail_msg("%s: as one of a network: %s", s->name, words);
    return found;
}

static void assert_sound(const struct sequence *s, bool is_foreign)
{
    struct rules_breach b;
    char text[600];
    if (play(s, is_foreign, &b, text, sizeof text))
        fail_msg("%s: expected no breach; got %s", s->name, text);
}

static void assert_broken(const struct broken *x, bool is_foreign)
{
    struct rules_breach b;
    char text[600], place[40], words[200], *rest = words;
    const struct sequence s = {x->name, x->router, x->text};
    if (!play(&s, is_foreign, &b, text, sizeof text))
        fail_msg("%s: no breach found", x->name);
    snprintf(place, sizeof place, "%s %u", b.input ? "input" : "output", b.port);
    if (strchr(x->place, '.'))
        snprintf(place + strlen(place), sizeof place - strlen(place), ".%u", b.vc);
    if (b.kind != x->kind || b.cycle != x->cycle || b.node != here || strcmp(place, x->place) != 0)
        fail_msg("%s: expected kind %d, cycle %u, %s; got kind %d, %s", x->name, (int)x->kind,
                 (unsigned)x->cycle, x->place, (int)b.kind, text);
    if (!strchr(x->router, '@')) { /* the names of the middle router of a row */
        static const char *const ports[] = {"+x", "-x", "local"};
        char begin[80];
        const int length = snprintf(begin, sizeof begin, "cycle %u, router 1, %s %s",
                                    (unsigned)x->cycle, b.input ? "input" : "output",
                                    b.port < 3 && !strstr(x->router, "all") ? ports[b.port] : "");
        if (strncmp(text, begin, (size_t)length) != 0)
            fail_msg("%s: expected %s; got %s", x->name, begin, text);
    }
    snprintf(words, sizeof words, "%s", x->what);
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(b.what, word))
            fail_msg("%s: '%s' is not in: %s", x->name, word, text);
    }
}

static void a_sound_router_breaks_no_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sound); i++) {
        assert_sound(&sound[i], false);
        assert_sound(&sound[i], true);
    }
}

static void assert_no_breach(const struct rules *rules, const char *name, unsigned until)
{
    if (rules_breach(rules))
        fail_msg("%s: reset in cycle %u: %s", name, until, rules_breach(rules)->what);
}

/* Taps that are not shown may hold anything. */
static void a_router_may_have_no_taps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sound); i++) {
        struct ec_topology t;
        const struct ec_router r = here_of(sound[i].router, &t);
        struct pins *cycles = calloc(CYCLES, sizeof *cycles);
        struct rules *rules = rules_open(&t, &r, here, (struct rules_options){.taps = false});
        assert_true(cycles && rules);
        const unsigned count = read_sequence(sound[i].text, r.vcs, cycles);
        for (unsigned c = 0; c < CYCLES; c++) {
            memset(cycles[c].contended, (int)c % 3, sizeof cycles[c].contended);
            memset(cycles[c].starved, (int)c % 2, sizeof cycles[c].starved);
        }
        for (unsigned c = 1; c <= count; c++)
            see(rules, cycles, c);
        assert_no_breach(rules, sound[i].name, 0);
        rules_close(rules);
        free(cycles);
    }
}

static void a_foreign_router_may_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(loose); i++)
        assert_sound(&loose[i], true);
}

static void every_breach_is_found_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(exact); i++)
        assert_broken(&exact[i], false);
}

static void breaches_of_foreign_routers_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(foreign); i++)
        assert_broken(&foreign[i], true);
}

static void some_breaches_leave_the_account_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(conserved); i++) {
        struct ec_topology t;
        const struct ec_router r = here_of(conserved[i].router, &t);
        struct pins *cycles = calloc(CYCLES, sizeof *cycles);
        struct rules *rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.taps = true});
        assert_true(cycles && rules);
        const unsigned count = read_sequence(conserved[i].text, r.vcs, cycles);
        for (unsigned c = 1; c <= count; c++)
            see(rules, cycles, c);
        const struct rules_breach *b = rules_breach(rules);
        if (!b || !rules_conserves(b->kind))
            fail_msg("%s: %s", conserved[i].name, b ? b->what : "no breach");
        for (size_t at = 0; at < rules_shadow(rules)->count; at++) {
            const struct rules_output *out = rules_output(rules, at);
            if (out->sent || out->holder != RULES_NOBODY || rules_ask(rules, at).word)
                fail_msg("%s: VC %zu: %u words are out", conserved[i].name, at, out->sent);
            assert_int_equal(rules_granted(rules, at), RULES_NOBODY);
        }
        rules_close(rules);
        free(cycles);
    }
}

/* Who is asked for, and for which VCs a node is excused. */
struct excuses {
    unsigned asked, vcs;
};

static bool excuse(const void *context, uint32_t node, unsigned local, unsigned vc)
{
    struct excuses *const x = *(struct excuses *const *)context;
    assert_int_equal(node, here);
    assert_int_equal(local, 0); /* the first one behind the links */
    x->asked |= 1u << vc;
    return x->vcs >> vc & 1;
}

/* A packet ends here on VC 1; the node owes its two credits, for a reason of its own or not. */
static void a_node_with_an_excuse_owes_no_credits(void **state)
{
    (void)state;
    const struct sequence s = {"", "vcs=2,depth=4",
                               "1.1>E0 | E0>2.1 1.1+ 1.1>E1 | E1>2.1 1.1+ | |*9| still"};
    for (unsigned vcs = 0; vcs < 4; vcs++) {
        struct excuses x = {0, vcs}, *const context = &x;
        struct ec_topology t;
        const struct ec_router r = here_of(s.router, &t);
        struct pins *cycles = calloc(CYCLES, sizeof *cycles);
        struct rules *rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.foreign = true});
        assert_true(cycles && rules);
        rules_excuse_nodes(rules, excuse, &context);
        const unsigned count = read_sequence(s.text, r.vcs, cycles);
        for (unsigned again = 0; again < 2; again++) { /* excuses outlive a reset */
            x.asked = 0;
            rules_reset(rules);
            for (unsigned c = 1; c <= count; c++)
                see(rules, cycles, c);
            const struct rules_breach *b = rules_breach(rules);
            assert_int_equal(x.asked, 2);
            assert_int_equal(b == NULL, vcs >> 1);
            if (b)
                assert_string_equal(b->what, "the node did not return 2 of 4 credits; all were "
                                             "here in cycle 0");
        }
        rules_close(rules);
        free(cycles);
    }
}

/* After a reset in any cycle a sequence is as sound as before, and so is silence: credits that were
 * missing are not missed. */
static void try_resets(const struct sequence *s, bool is_foreign)
{
    struct ec_topology t;
    const struct rules_options options = {.foreign = is_foreign, .taps = !is_foreign};
    const struct ec_router r = here_of(s->router, &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, here, options);
    assert_true(cycles && rules);
    const unsigned count = read_sequence(s->text, r.vcs, cycles);
    for (unsigned until = 1; until < count; until++) {
        for (unsigned silent = 0; silent < 2; silent++) {
            for (unsigned c = 1; c <= until; c++)
                see(rules, cycles, c);
            rules_reset(rules);
            assert_int_equal(rules_moved_at(rules), 0);
            assert_int_equal(rules_shown_at(rules, here), 0);
            for (unsigned c = silent ? count + 1 : 1; c <= (silent ? CYCLES - 2 : count); c++)
                see(rules, cycles, c);
            assert_no_breach(rules, s->name, until);
            rules_reset(rules);
        }
    }
    rules_close(rules);
    free(cycles);
}

static void a_reset_in_any_cycle_forgets_everything(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sound); i++) {
        try_resets(&sound[i], false);
        try_resets(&sound[i], true);
    }
    for (size_t i = 0; i < COUNT(loose); i++)
        try_resets(&loose[i], true);
    rules_close(NULL);
}

/* What an input VC of the router asks for. */
static struct rules_ask ask_after(const char *router, const char *text, unsigned cycle,
                                  unsigned port, unsigned vc, uint32_t *ret_granted)
{
    struct ec_topology t;
    const struct ec_router r = here_of(router, &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, here, (struct rules_options){.taps = true});
    assert_true(cycles && rules);
    (void)read_sequence(text, r.vcs, cycles);
    for (uint64_t c = 1; c <= cycle; c++)
        see(rules, cycles, c);
    if (rules_breach(rules))
        fail_msg("%s: %s", text, rules_breach(rules)->what);
    const size_t input = shadow_at(rules_shadow(rules), here, port, vc);
    const struct rules_ask ret = rules_ask(rules, input);
    *ret_granted = rules_granted(rules, input);
    rules_close(rules);
    free(cycles);
    return ret;
}

static void an_input_vc_asks_for_what_its_front_word_needs(void **state)
{
    static const struct {
        const char *router, *text;
        unsigned cycle, port, vc; /* of the input */
        const char *word;         /* NULL: empty */
        unsigned to, vcs, takes;
        uint64_t since;
        uint32_t granted;
    } rows[] = {
        {"vcs=2,depth=4", "1.1>B0 | B0>0.1 1.1+ |", 1, 1, 1, NULL, 0, 0, 0, 0, RULES_NOBODY},
        {"vcs=2,depth=4", "2.1>D0 1.0>B0 | B0>0.0 1.0+ c2.1>0 |", 1, 2, 1, "D0", 0, 2, 1, 2,
         RULES_NOBODY},
        {"depth=4", "1>Z0 | s1>3 |", 1, 1, 0, "Z0", 3, 1, 0, 2, RULES_NOBODY},
        {"vcs=2,va=dynamic,depth=1",
         "1.1>B0 | B0>0.0 1.1+ | 1.1>B0 | B0>0.1 1.1+ | 1.1>B0 | s1.1>0 |", 5, 1, 1, "B0", 0, 3, 0,
         6, RULES_NOBODY},
        {"depth=4,stages=2", "1>E0 | 1+ |", 1, 1, 0, "E0", 2, 1, 0, 2, 2},
        {"depth=4,stages=2", "1>B0 2>D0 | 1+ c2>0 |", 1, 2, 0, "D0", 0, 1, 0, 2, RULES_NOBODY},
        {"vcs=2,depth=4,stages=2", "1.1>E0 | 1.1+ |", 1, 1, 1, "E0", 2, 2, 1, 2, 5},
        {"vcs=2,depth=4,stages=2", "1.1>E0 | 1.1+ |", 1, 1, 0, NULL, 0, 0, 0, 0, RULES_NOBODY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t granted;
        const struct rules_ask ask = ask_after(rows[i].router, rows[i].text, rows[i].cycle,
                                               rows[i].port, rows[i].vc, &granted);
        assert_true(ask.word == (rows[i].word ? word_of(rows[i].word, rows[i].vc) : 0));
        assert_int_equal(ask.vc, rows[i].takes);
        assert_int_equal(granted, rows[i].granted);
        if (!rows[i].word)
            continue;
        assert_int_equal(ask.port, rows[i].to);
        assert_int_equal(ask.vcs, rows[i].vcs);
        assert_int_equal(ask.since, rows[i].since);
    }
}

static void a_packet_is_complete_with_its_tail(void **state)
{
    (void)state;
    struct ec_topology t;
    const struct ec_router r = here_of("depth=4,switching=store-and-forward", &t);
    struct pins *cycles = calloc(CYCLES, sizeof *cycles);
    struct rules *rules = rules_open(&t, &r, here, (struct rules_options){.taps = true});
    assert_true(cycles && rules);
    (void)read_sequence("1>A0 | s1>0 1>A1 | s1>0 1>A2 | A0>0 1+", r.vcs, cycles);
    const size_t input = shadow_at(rules_shadow(rules), here, 1, 0);
    assert_true(rules_ask(rules, input).word == 0);
    for (uint64_t c = 1; c <= 3; c++) {
        see(rules, cycles, c);
        const struct rules_ask ask = rules_ask(rules, input);
        assert_true(ask.word == word_of(c < 3 ? "A0" : "A1", 0));
        assert_int_equal(ask.port, 0);
        assert_int_equal(ask.vcs, 1);
        assert_int_equal(ask.complete, c == 3);
    }
    assert_null(rules_breach(rules));
    rules_close(rules);
    free(cycles);
}

/* All routers of a row get a word, which none of them sends on. One is not shown in the next cycle.
 */
static void the_router_that_sleeps_is_found(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:5");
    struct ec_router r = router_of("depth=4,switching=store-and-forward", &t);
    r.packet = 3;
    for (uint32_t sleeper = 0; sleeper <= t.nodes; sleeper++) {
        struct rules *rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.taps = true});
        assert_non_null(rules);
        for (uint64_t cycle = 1; cycle <= 3; cycle++) {
            for (uint32_t node = 0; node < t.nodes; node++) {
                const unsigned to = node < 4 ? 0 : 1; /* the next node, or the one before */
                uint64_t in[64] = {0}, none[4] = {0}, starved[4] = {4}; /* local ports wait */
                uint8_t want[64] = {[2] = (uint8_t)to};
                in[2] = ec_word_pack(&narrow, true, false, 0, to ? node - 1 : node + 1, node, 0);
                if (cycle == 2 && node == sleeper)
                    continue;
                rules_see(rules, &(struct ec_net_seen){.cycle = cycle,
                                                       .node = node,
                                                       .in_word = in,
                                                       .in_credit = none,
                                                       .in_valid = cycle == 1 ? 4 : 0,
                                                       .out_word = none,
                                                       .out_credit = none,
                                                       .contended = none,
                                                       .starved = starved,
                                                       .want = want});
            }
            rules_cycle(rules, cycle);
        }
        const struct rules_breach *b = rules_breach(rules);
        assert_int_equal(b != NULL, sleeper < t.nodes);
        if (b)
            assert_true(b->kind == RULES_ASLEEP && b->node == sleeper && b->cycle == 2);
        rules_close(rules);
    }
}

/* Rules that were opened for one router are not about the others, before or behind it. */
static void other_routers_are_not_looked_at(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:3x3");
    const struct ec_router r = router_of("depth=4,stages=2", &t);
    const struct ec_word_layout layout = ec_word_layout(t.address_bits, r.vcs);
    struct pins cycles[3] = {{.shown = true}, {.shown = true}};
    cycles[1].in_word[0] = ec_word_pack(&layout, false, true, 0, 5, 3, 5); /* without its head */
    cycles[1].in_valid = cycles[2].out_credit[0] = 1;
    struct rules *rules = rules_open(&t, &r, 4, (struct rules_options){0});
    assert_non_null(rules);
    for (uint32_t node = 0; node < t.nodes; node++) {
        if (node != 4)
            pins_see(rules, node, cycles, 1);
    }
    assert_null(rules_breach(rules));
    assert_int_equal(rules_shown_at(rules, 4), 0);
    pins_see(rules, 4, cycles, 1);
    assert_non_null(rules_breach(rules));
    rules_close(rules);
}

static void kinds_of_breaches_are_told_apart(void **state)
{
    (void)state;
    for (unsigned kind = RULES_HELD_BACK; kind <= RULES_INPUT; kind++) {
        const bool credits = kind == RULES_HELD_BACK || kind == RULES_NO_CREDIT ||
                             kind == RULES_CREDIT_MISSING || kind == RULES_CREDIT_TWICE;
        const bool conserves =
            kind == RULES_VC || kind == RULES_ORDER || kind == RULES_TOO_EARLY || kind == RULES_TAP;
        assert_int_equal(rules_about_credits((enum rules_kind)kind), credits);
        assert_int_equal(rules_conserves((enum rules_kind)kind), conserves);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a sound router breaks no rule", a_sound_router_breaks_no_rule),
        TEST("a router may have no taps", a_router_may_have_no_taps),
        TEST("a foreign router may differ in what the contract leaves open",
             a_foreign_router_may_differ),
        TEST("every breach is found in its cycle, at its place", every_breach_is_found_where_it_is),
        TEST("breaches of foreign routers are found", breaches_of_foreign_routers_are_found),
        TEST("a packet is complete with its tail", a_packet_is_complete_with_its_tail),
        TEST("the router that sleeps is found", the_router_that_sleeps_is_found),
        TEST("some breaches leave the account whole", some_breaches_leave_the_account_whole),
        TEST("a node with an excuse owes no credits", a_node_with_an_excuse_owes_no_credits),
        TEST("other routers are not looked at", other_routers_are_not_looked_at),
        TEST("kinds of breaches are told apart", kinds_of_breaches_are_told_apart),
        TEST("a reset in any cycle forgets everything", a_reset_in_any_cycle_forgets_everything),
        TEST("an input VC asks for what its front word needs",
             an_input_vc_asks_for_what_its_front_word_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
