/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that wait for each other, in random accounts of small networks: compared with what a
 * buffer waits for by the definitions in diagnose/waiting.h, and with knots found by reachability.
 *
 * The linker replaces the rules by a stand-in: its account is drawn at random. So it has waits that
 * no run would show, and every case of the definitions. */
#include "diagnose/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "scarce.h"
#include "unit.h"
#include "waits.h"

enum { TRIALS = 6000 };

/* --- The account ------------------------------------------------------------------------------ */

static struct shadow shadow;
static uint64_t key, drawn;

#define STAND_IN(name) __asm__("__wrap_" #name)
const struct shadow *shadow_here(const struct rules *rules) STAND_IN(rules_shadow);
struct rules_ask ask_here(const struct rules *rules, size_t input) STAND_IN(rules_ask);
const struct rules_output *output_here(const struct rules *rules, size_t at) STAND_IN(rules_output);
struct rules_name name_here(const struct rules *rules, uint64_t word) STAND_IN(rules_word_name);
unsigned need_here(const struct rules *rules, uint64_t word, unsigned vc) STAND_IN(rules_need);
uint64_t shown_here(const struct rules *rules, uint32_t node) STAND_IN(rules_shown_at);
uint64_t moved_here(const struct rules *rules) STAND_IN(rules_moved_at);

const struct shadow *shadow_here(const struct rules *rules)
{
    (void)rules;
    return &shadow;
}

struct rules_ask ask_here(const struct rules *rules, size_t input)
{
    (void)rules;
    return account.ask[input];
}

const struct rules_output *output_here(const struct rules *rules, size_t at)
{
    (void)rules;
    return &account.out[at];
}

static struct rules_name name_of(const void *context, uint64_t word)
{
    struct rules_name ret;
    (void)context;
    snprintf(ret.text, sizeof ret.text, "W%llx%s", (unsigned long long)(word & 0xffff),
             word & 1 ? ""
                      : " with a name that is so long that it is cut behind seventy characters");
    return ret;
}

struct rules_name name_here(const struct rules *rules, uint64_t word)
{
    return name_of(rules, word);
}

unsigned need_here(const struct rules *rules, uint64_t word, unsigned vc)
{
    (void)rules;
    (void)vc;
    return ec_word_head(word) ? account.need : 1;
}

uint64_t shown_here(const struct rules *rules, uint32_t node)
{
    (void)rules;
    return account.shown_at[node];
}

uint64_t moved_here(const struct rules *rules)
{
    (void)rules;
    return account.moved_at;
}

static unsigned draw(unsigned below)
{
    return (unsigned)ec_rng_below(ec_rng_draw(key, drawn++), below);
}

static bool ask_node(const void *context, uint32_t node, unsigned local, unsigned vc,
                     struct waiting_refusal *ret)
{
    assert_ptr_equal(context, &account);
    *ret = account.refusal[node];
    return account.refuses[node][local][vc];
}

static void draw_nodes(void)
{
    account.asks = draw(3) == 0;
    for (uint32_t node = 0; node < account.t->nodes; node++) {
        account.shown_at[node] = account.cycle - draw(8);
        account.refusal[node] = (struct waiting_refusal){.held = draw(3)};
        for (unsigned local = 0; local < shadow.locals; local++) {
            account.refusal[node].replies[local] = (uint8_t)(draw(2) ? draw(1u << shadow.vcs) : 0);
            for (unsigned vc = 0; vc < shadow.vcs; vc++)
                account.refuses[node][local][vc] = draw(3) > 0;
        }
    }
}

/* An output that exists: links more often than local ports; or the number of ports. */
static unsigned draw_port(uint32_t node)
{
    if (draw(60) == 0)
        return shadow.ports;
    for (;;) {
        const unsigned port = draw(draw(6) ? shadow.links : shadow.ports);
        if (port >= shadow.links || ec_topology_neighbor(account.t, node, port) != EC_NONE)
            return port;
    }
}

static unsigned draw_vcs(void)
{
    const unsigned all = (1u << shadow.vcs) - 1;
    if (account.r->va == EC_VA_STATIC)
        return 1u << draw(shadow.vcs);
    if (account.r->dateline)
        return (draw(2) ? 0x55 : 0xaa) & all;
    return all;
}

/* How often a place is empty, full or held decides how long the chains are. */
static void draw_account(const struct ec_topology *t, const struct ec_router *r, uint64_t seed)
{
    account = (struct account){.t = t, .r = r, .shadow = &shadow, .cycle = 1000, .name = name_of};
    key = seed;
    drawn = 0;
    assert_true(shadow_open(&shadow, t, r, EC_NONE));
    assert_true(shadow.count <= WAITS_BUFFERS && t->nodes <= WAITS_NODES);
    account.need = r->switching == EC_WORMHOLE ? 1 : r->packet;
    account.moved_at = account.cycle - draw(8);
    account.still_after = draw(6);
    const unsigned filled = 1 + draw(14), held = draw(10), full = 5 + draw(7);
    for (size_t b = 0; b < shadow.count; b++) {
        const uint32_t node = (uint32_t)(b / shadow.vcs / shadow.ports);
        const unsigned vcs = draw_vcs();
        account.ask[b] = (struct rules_ask){.word = EC_WORD_VALID | draw(0x10000),
                                            .port = draw_port(node),
                                            .vcs = vcs,
                                            .complete = draw(3) > 0};
        account.ask[b].word |= draw(2) ? EC_WORD_HEAD : 0;
        do {
            account.ask[b].vc = draw(shadow.vcs);
        } while (!(vcs >> account.ask[b].vc & 1));
        if (draw(12) < filled)
            shadow.buffers[b].count = draw(10) < full ? r->depth : 1 + draw(r->depth);
        if (shadow.buffers[b].count == 0)
            account.ask[b] = (struct rules_ask){.port = shadow.ports};
        account.out[b] =
            (struct rules_output){.holder = RULES_NOBODY,
                                  .sent = draw(10) < full ? r->depth : draw(r->depth + 1),
                                  .credit_at = draw(3) ? account.cycle - draw(9) : 0};
    }
    /* An input VC holds at most one output VC; that is often the one that it asks for. */
    for (size_t b = 0; b < shadow.count; b++) {
        const uint32_t first = (uint32_t)(b / shadow.vcs / shadow.ports);
        const unsigned own = (unsigned)(b % (shadow.ports * shadow.vcs));
        unsigned port = account.ask[b].port, vc = account.ask[b].vc;
        if (draw(10) >= held)
            continue;
        if (draw(2) || port >= shadow.ports) {
            port = draw(shadow.ports);
            vc = draw(shadow.vcs);
        }
        account.out[shadow_at(&shadow, first, port, vc)].holder = own;
        for (unsigned k = 0; k < shadow.ports * shadow.vcs; k++) {
            struct rules_output *out = &account.out[(size_t)first * shadow.ports * shadow.vcs + k];
            if (k != port * shadow.vcs + vc && out->holder == own)
                out->holder = RULES_NOBODY;
        }
    }
    /* What is full by its credits is full of words, unless a credit is under way. */
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned port = 0; port < shadow.links; port++) {
            const uint32_t to = ec_topology_neighbor(t, node, port);
            for (unsigned vc = 0; to != EC_NONE && vc < shadow.vcs; vc++) {
                struct rules_output *out = &account.out[shadow_at(&shadow, node, port, vc)];
                const uint32_t count =
                    shadow.buffers[shadow_at(&shadow, to, ec_topology_reverse(t, port), vc)].count;
                if (draw(40))
                    out->sent = count;
            }
        }
    }
    draw_nodes();
}

/* --- Trials ----------------------------------------------------------------------------------- */

static struct waiting setting(bool foreign)
{
    return (struct waiting){.t = account.t,
                            .r = account.r,
                            .rules = (const struct rules *)&account,
                            .foreign = foreign,
                            .cycle = account.cycle,
                            .still_after = account.still_after,
                            .ask = account.asks ? ask_node : NULL,
                            .ask_context = &account};
}

static void free_waits(struct waiting_found *w, struct ec_node_set *nodes)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->lines[i]);
    free(w->lines);
    free(w->inputs);
    free(w->culprit);
    ec_node_set_free(nodes);
}

static const struct {
    const char *topology, *router;
} networks[] = {
    {"mesh:3", "depth=2"},
    {"mesh:2x2", "depth=1"},
    {"ring:4", "vcs=2,depth=3"},
    {"ring:5", "vcs=2,dateline=off,depth=2"},
    {"torus:3x3", "vcs=2,depth=2"},
    {"cube:2", "depth=4,ports=all"},
    {"mesh:3x2", "vcs=2,depth=4,switching=store-and-forward"},
    {"ring:4", "vcs=2,depth=4,switching=cut-through"},
    {"mesh:4", "vcs=2,va=dynamic,depth=2"},
    {"ring:3", "vcs=4,va=dynamic,depth=2"},
    {"mesh:3", "vcs=8,va=dynamic,depth=1"},
    {"torus:3x2", "vcs=4,depth=2"},
    {"cube:3", "vcs=2,depth=2,ports=all"},
};

static void a_knot_is_found_if_there_is_one(void **state)
{
    (void)state;
    unsigned knots = 0, circles = 0, others = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const size_t k = trial % COUNT(networks);
        const struct ec_topology t = topology_of(networks[k].topology);
        struct ec_router r = router_of(networks[k].router, &t);
        r.packet = r.switching == EC_WORMHOLE ? 8 : 2 + trial % 3;
        draw_account(&t, &r, trial);
        const bool foreign = draw(3) == 0;
        waits_find(foreign);
        const struct waiting w = setting(foreign);
        struct waiting_found waits;
        struct ec_node_set nodes = {0};
        const bool found = waiting_find(&w, &waits, &nodes);
        assert_int_equal(found, waits_start() != SIZE_MAX);
        assert_false(waits.memory_short);
        if (found)
            waits_assert_knot(&waits, &nodes);
        else
            waits_assert_no_knot(&waits, &nodes);
        knots += found && waits.knot;
        circles += found && !waits.knot;
        others += !found;
        free_waits(&waits, &nodes);
        shadow_close(&shadow);
    }
    /* Otherwise the test shows little. */
    assert_between(knots, TRIALS / 100, TRIALS);
    assert_between(circles, TRIALS / 10, TRIALS);
    assert_between(others, TRIALS / 10, TRIALS);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* A diagnosis that lacks something says so. */
static void missing_memory_is_told(void **state)
{
    (void)state;
    unsigned short_of = 0;
    for (unsigned trial = 0; trial < 300; trial++) {
        const size_t k = trial % COUNT(networks);
        const struct ec_topology t = topology_of(networks[k].topology);
        struct ec_router r = router_of(networks[k].router, &t);
        r.packet = r.switching == EC_WORMHOLE ? 8 : 2;
        draw_account(&t, &r, 7000 + trial);
        waits_find(false);
        const struct waiting w = setting(false);
        for (unsigned at = 0;; at++) {
            struct waiting_found waits;
            struct ec_node_set nodes = {0};
            scarce_after = at;
            const bool found = waiting_find(&w, &waits, &nodes);
            const bool failed = scarce_after == SCARCE_NEVER;
            scarce_after = SCARCE_NEVER;
            assert_int_equal(waits.memory_short, failed);
            assert_false(found && waits_start() == SIZE_MAX);
            for (size_t i = 0; i < waits.count; i++)
                assert_true(waits_in_knot(shadow_at(&shadow, waits.inputs[i].node,
                                                    waits.inputs[i].port, waits.inputs[i].vc)));
            free_waits(&waits, &nodes);
            short_of += failed;
            if (!failed)
                break;
        }
        shadow_close(&shadow);
    }
    assert_between(short_of, 1000, 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a knot of waiting buffers is found if there is one", a_knot_is_found_if_there_is_one),
        TEST("a search that lacks memory says so", missing_memory_is_told),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
