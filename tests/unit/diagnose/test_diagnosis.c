/* SPDX-License-Identifier: Apache-2.0 */
/* The diagnosis of one word on its way from node 0 to node 1 of mesh:3, with one thing missing or
 * one too many: a defect of a router before that of a wire, what is missing when nothing moves or
 * all is over, and nodes that have a reason to hold words back. Real rules and real wires. */
#include "diagnose/diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include "diagnose/waiting.h"
#include "ecube/tile.h"
#include "ecube/word.h"
#include "scarce.h"
#include "unit.h"

#define NAMED(name) __asm__(name)

/* Ports of a router: 0 leads up, 1 leads down, 2 is local. */
enum { UP, DOWN, LOCAL, CYCLES = 12, STILL = 200, PATIENCE = 64, VCS = 2 };

/* What is on the wires in a cycle, in the order of the way of the word. */
enum thing {
    SENT = 1,         /* cycle 1: node 0 sends the word */
    ENTERS = 2,       /* ... and its router gets it */
    SENDER_PAID = 4,  /* cycle 2: the router shows a credit */
    SENDER_HAS = 8,   /* ... and the node gets it */
    LEAVES = 16,      /* cycle 2: the router shows the word */
    ARRIVES = 32,     /* ... and router 1 gets it */
    PAID = 64,        /* cycle 3: router 1 shows a credit */
    HAS = 128,        /* ... and router 0 gets it */
    EJECTS = 256,     /* cycle 3: router 1 shows the word */
    RECEIVED = 512,   /* ... and node 1 gets it */
    ACCEPTED = 1024,  /* cycle 4: node 1 gives the credit back */
    ACCOUNTED = 2048, /* ... and the router gets it */
    ALL = 4095,
};

static struct {
    struct ec_topology t;
    struct ec_router r;
    struct ec_net net;
    struct diagnosis *d;
    uint64_t word, leaving; /* leaving: as router 0 sends it */
} m;

static void open_diagnosis(const char *router, bool foreign)
{
    m.t = topology_of("mesh:3");
    m.r = router_of(router, &m.t);
    m.r.packet = 4;
    m.net = (struct ec_net){.topology = &m.t, .router = &m.r, .foreign = foreign};
    m.word = ec_word_pack(&narrow, true, true, 0, 1, 0, 0);
    m.leaving = m.word;
    m.d = diagnosis_open(&m.net);
    assert_non_null(m.d);
}

/* What one router gets in a cycle and shows in the next one. */
struct signals {
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX], in_valid, out_valid;
    uint64_t in_credit[VCS], out_credit[VCS];
};

static void get(struct signals *s, unsigned port, uint64_t word)
{
    s->in_word[port] = word;
    s->in_valid |= UINT64_C(1) << port;
}

static void put(struct signals *s, unsigned port, uint64_t word)
{
    s->out_word[port] = word;
    s->out_valid |= UINT64_C(1) << port;
}

static void show(uint64_t cycle, uint32_t node, const struct signals *s)
{
    static const uint64_t none[EC_TILE_PORTS_MAX];
    const struct ec_net_seen seen = {.cycle = cycle,
                                     .node = node,
                                     .in_word = s->in_word,
                                     .in_credit = s->in_credit,
                                     .out_word = s->out_word,
                                     .out_credit = s->out_credit,
                                     .contended = none,
                                     .starved = none,
                                     .want = (const uint8_t *)none,
                                     .in_valid = s->in_valid,
                                     .out_valid = s->out_valid};
    const struct ec_net_watch *w = diagnosis_watch(m.d);
    w->router(w->context, &seen);
}

/* The routers of a cycle: inputs of the cycle, outputs of the next one. */
static void show_routers(uint64_t cycle, unsigned things)
{
    struct signals s[2] = {0};
    if (cycle == 1 && things & ENTERS)
        get(&s[0], LOCAL, m.word);
    if (cycle == 1 && things & SENDER_PAID)
        s[0].out_credit[0] |= 1u << LOCAL;
    if (cycle == 1 && things & LEAVES)
        put(&s[0], UP, m.leaving);
    if (cycle == 2 && things & ARRIVES)
        get(&s[1], DOWN, m.leaving);
    if (cycle == 2 && things & PAID)
        s[1].out_credit[0] |= 1u << DOWN;
    if (cycle == 2 && things & EJECTS)
        put(&s[1], LOCAL, m.word);
    if (cycle == 3 && things & HAS)
        s[0].in_credit[0] |= 1u << UP;
    if (cycle == 4 && things & ACCOUNTED)
        s[1].in_credit[0] |= 1u << LOCAL;
    show(cycle, 0, &s[0]);
    show(cycle, 1, &s[1]);
}

static void show_nodes(uint64_t cycle, unsigned things)
{
    struct ec_port_word in_word = {0, m.word}, out_word = {1, m.word};
    struct ec_port_credit in_credit = {1, 0}, out_credit = {0, 0};
    struct ec_port_events in = {.words = &in_word, .credits = &in_credit};
    struct ec_port_events out = {.words = &out_word, .credits = &out_credit};
    in.word_count = cycle == 1 && things & SENT;
    out.credit_count = cycle == 1 && things & SENDER_HAS;
    out.word_count = cycle == 2 && things & RECEIVED;
    in.credit_count = cycle == 4 && things & ACCEPTED;
    diagnosis_nodes(m.d, cycle, &in, &out);
}

static void play(unsigned things)
{
    const struct ec_net_watch *w = diagnosis_watch(m.d);
    for (uint64_t cycle = 1; cycle <= CYCLES; cycle++) {
        show_routers(cycle, things);
        w->cycle(w->context, cycle);
        show_nodes(cycle, things);
    }
}

/* --- What is missing -------------------------------------------------------------------------- */

enum end { OPEN, STANDS_STILL, DRAINED };

struct row {
    unsigned missing; /* things */
    enum end end;
    const char *cause; /* its words, separated by '|'; NULL: none */
    uint64_t cycle;
    uint32_t node;
    unsigned port;
    bool conserves, about_credits;
};

static const struct row rows[] = {
    {0, OPEN, NULL, 0, 0, 0, false, false},
    {0, STANDS_STILL, NULL, 0, 0, 0, false, false},
    {0, DRAINED, NULL, 0, 0, 0, false, false},
    /* Wires. */
    {SENT, OPEN,
     "cycle 1, router 0, port local: word |0->1 #0.0 arrives, but the node did not send it "
     "(wiring error)",
     1, 0, LOCAL, false, false},
    {SENDER_HAS, OPEN,
     "cycle 2, router 0, port local: a credit leaves but does not arrive at the node (wiring "
     "error)",
     2, 0, LOCAL, false, false},
    {SENDER_PAID, OPEN,
     "cycle 2, router 0, port local: a credit arrives at the node, but the router did not send "
     "it (wiring error)",
     2, 0, LOCAL, false, false},
    {LEAVES, OPEN,
     "cycle 2, router 1, port -x: word |0->1 #0.0 arrives, but router 0 did not send it "
     "(wiring error)",
     2, 1, DOWN, false, false},
    {ARRIVES, OPEN,
     "cycle 2, router 0, port +x: word |0->1 #0.0 leaves but does not arrive at router 1 "
     "(wiring error)",
     2, 0, UP, false, false},
    {HAS, OPEN,
     "cycle 3, router 1, port -x: a credit leaves but does not arrive at router 0 (wiring "
     "error)",
     3, 1, DOWN, false, false},
    {PAID, OPEN,
     "cycle 3, router 0, port +x: a credit arrives, but router 1 did not send it (wiring "
     "error)",
     3, 0, UP, false, false},
    {RECEIVED, OPEN,
     "cycle 3, router 1, port local: word |0->1 #0.0 leaves but does not arrive at the node "
     "(wiring error)",
     3, 1, LOCAL, false, false},
    {ACCEPTED, OPEN,
     "cycle 4, router 1, port local: a credit arrives, but the node did not send it (wiring "
     "error)",
     4, 1, LOCAL, false, false},
    {ACCOUNTED, OPEN,
     "cycle 4, router 1, port local: a credit leaves the node but does not arrive at the "
     "router (wiring error)",
     4, 1, LOCAL, false, false},
    /* A router: both ends agree. The router comes first even if a wire breaks later. */
    {SENT | ENTERS, OPEN, "cycle 2, router 0, output +x: word |0->1 #0.0", 2, 0, UP, false, false},
    {ARRIVES | LEAVES, OPEN, "cycle 3, router 1, output local: word |0->1 #0.0", 3, 1, LOCAL, false,
     false},
    {SENT | ENTERS | RECEIVED, OPEN, "cycle 2, router 0, output +x: word |0->1 #0.0", 2, 0, UP,
     false, false},
    /* What comes late is missing only at the end. */
    {PAID | HAS, OPEN, NULL, 0, 0, 0, false, false},
    {PAID | HAS, STANDS_STILL, "router 1, input -x: the router has not returned 1 credit|", 3, 1,
     DOWN, false, true},
    {PAID | HAS, DRAINED, "router 1, input -x: the router has not returned 1 credit|", 3, 1, DOWN,
     false, true},
    {ACCEPTED | ACCOUNTED, OPEN, NULL, 0, 0, 0, false, false},
    {ACCEPTED | ACCOUNTED, STANDS_STILL,
     "router 1, output local: the node did not return 1 of 4 credits|", 3, 1, LOCAL, false, false},
    {EJECTS | RECEIVED | ACCEPTED | ACCOUNTED | PAID | HAS, DRAINED, "router 1, input -x: |", 3, 1,
     DOWN, false, true},
    /* After a broken wire, nothing more is looked for. */
    {ARRIVES | PAID | HAS | EJECTS | RECEIVED | ACCEPTED | ACCOUNTED, STANDS_STILL,
     "cycle 2, router 0, port +x: word |leaves but does not arrive at router 1", 2, 0, UP, false,
     false},
};

static void assert_words(const char *is, const char *words)
{
    char copy[300], *rest = copy;
    snprintf(copy, sizeof copy, "%s", words);
    for (const char *part; (part = strsep(&rest, "|"));) {
        const char *at = strstr(is, part);
        if (!at)
            fail_msg("'%s'\nexpected '%s'", is, part);
        is = at;
    }
}

static void the_first_breach_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *x = &rows[i];
        uint64_t cycle = 1000;
        uint32_t node = 1000;
        unsigned port = 1000;
        open_diagnosis("depth=4", true);
        play(ALL & ~x->missing);
        if (x->end == STANDS_STILL)
            diagnosis_still(m.d, STILL, PATIENCE);
        if (x->end == DRAINED)
            diagnosis_drained(m.d, STILL);
        const char *cause = diagnosis_cause(m.d);
        if ((cause != NULL) != (x->cause != NULL))
            fail_msg("row %zu: %s", i, cause ? cause : "no cause");
        assert_int_equal(diagnosis_place(m.d, &cycle, &node, &port), x->cause != NULL);
        if (x->cause) {
            assert_words(cause, x->cause);
            if (node != x->node || port != x->port)
                fail_msg("row %zu: router %u, port %u", i, node, port);
            if (x->end == OPEN)
                assert_int_equal(cycle, x->cycle);
        }
        if (diagnosis_conserves(m.d) != x->conserves ||
            diagnosis_about_credits(m.d) != x->about_credits)
            fail_msg("row %zu: conserves %d, about credits %d", i, diagnosis_conserves(m.d),
                     diagnosis_about_credits(m.d));
        assert_false(diagnosis_memory_short(m.d));
        diagnosis_close(m.d);
    }
}

/* Patience has not passed. */
static void what_may_still_come_is_not_missing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        open_diagnosis("depth=4", true);
        play(ALL & ~(PAID | HAS));
        diagnosis_still(m.d, 2 + PATIENCE + k, PATIENCE);
        assert_int_equal(diagnosis_cause(m.d) != NULL, k);
        diagnosis_close(m.d);
    }
}

/* With several VCs, that of a credit is told. */
static void the_vc_of_a_credit_is_told(void **state)
{
    (void)state;
    open_diagnosis("depth=4,vcs=2", true);
    play(ALL & ~HAS);
    assert_words(diagnosis_cause(m.d), "cycle 3, router 1, port -x: a credit of VC 0 leaves");
    diagnosis_close(m.d);
}

/* Its words are still accounted for, so that a deadlock may follow from it. */
static void a_word_on_the_wrong_vc_is_accounted_for(void **state)
{
    (void)state;
    uint64_t cycle;
    uint32_t node;
    unsigned port;
    open_diagnosis("depth=4,vcs=2", true);
    m.leaving = ec_word_pack(&narrow, true, true, 1, 1, 0, 0);
    play(SENT | ENTERS | SENDER_PAID | SENDER_HAS | LEAVES | ARRIVES);
    assert_words(diagnosis_cause(m.d), "cycle 2, router 0, output +x VC 1: wrong VC: |0->1 #0.0");
    assert_true(diagnosis_conserves(m.d));
    assert_false(diagnosis_about_credits(m.d));
    assert_true(diagnosis_place(m.d, &cycle, &node, &port));
    assert_true(cycle == 2 && node == 0 && port == UP);
    diagnosis_close(m.d);
}

/* --- Nodes that hold words back --------------------------------------------------------------- */

static bool refuse(const void *context, uint32_t node, unsigned local, unsigned vc,
                   struct waiting_refusal *ret)
{
    assert_non_null(ret);
    return node == 1 && local == 0 && vc == 0 && *(const bool *)context;
}

static void a_node_without_room_owes_nothing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const bool refuses = k;
        open_diagnosis("depth=4", true);
        diagnosis_ask_nodes(m.d, refuse, &refuses);
        play(ALL & ~(ACCEPTED | ACCOUNTED));
        diagnosis_still(m.d, STILL, PATIENCE);
        assert_int_equal(diagnosis_cause(m.d) == NULL, refuses);
        diagnosis_close(m.d);
    }
}

/* --- Waiting ---------------------------------------------------------------------------------- */

static void a_buffer_that_waits_is_described(void **state)
{
    (void)state;
    struct waiting_found waits;
    struct ec_node_set nodes = {0};
    open_diagnosis("depth=4", true);
    play(SENT | ENTERS); /* and nothing more */
    assert_false(diagnosis_waiting(m.d, &waits, &nodes));
    assert_non_null(waits.culprit);
    assert_words(waits.culprit,
                 "router 0, input local VC 0: packet |0->1 #0.0 could leave and does not, "
                 "by output +x VC 0 with 4 of 4 credits free");
    assert_int_equal(nodes.count, 1);
    assert_int_equal(nodes.nodes[0], 0);
    free(waits.culprit);
    ec_node_set_free(&nodes);
    diagnosis_close(m.d);
}

static struct waiting asked; /* the search for waiting buffers */

bool real_find(const struct waiting *w, struct waiting_found *ret, struct ec_node_set *nodes)
    NAMED("__real_waiting_find");
bool find_here(const struct waiting *w, struct waiting_found *ret, struct ec_node_set *nodes)
    NAMED("__wrap_waiting_find");

bool find_here(const struct waiting *w, struct waiting_found *ret, struct ec_node_set *nodes)
{
    asked = *w;
    return real_find(w, ret, nodes);
}

/* No front word can move if no word has left a router for two cycles, and for one more for each
 * cycle by which the loop of a credit exceeds that of short links and one stage. */
static void the_search_knows_the_network(void **state)
{
    static const struct {
        const char *router;
        uint64_t still_after;
    } table[] = {{"depth=4", 2},
                 {"depth=4,stages=2", 3},
                 {"depth=4,link=2", 4},
                 {"depth=4,stages=3,link=5", 12}};
    (void)state;
    for (unsigned k = 0; k < 2 * COUNT(table); k++) {
        const bool refuses = false;
        struct waiting_found waits;
        struct ec_node_set nodes = {0};
        open_diagnosis(table[k / 2].router, k % 2);
        if (k > 2)
            diagnosis_ask_nodes(m.d, refuse, &refuses);
        play(0);
        assert_false(diagnosis_waiting(m.d, &waits, &nodes));
        assert_null(waits.culprit);
        assert_true(asked.t == &m.t && asked.r == &m.r && asked.rules != NULL);
        assert_int_equal(asked.foreign, k % 2);
        assert_int_equal(asked.cycle, CYCLES);
        assert_int_equal(asked.still_after, table[k / 2].still_after);
        assert_true(asked.ask == (k > 2 ? refuse : NULL));
        assert_ptr_equal(asked.ask_context, k > 2 ? &refuses : NULL);
        diagnosis_close(m.d);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void missing_memory_is_told(void **state)
{
    (void)state;
    bool failed = true;
    unsigned at = 0;
    open_diagnosis("depth=4,link=2", true);
    diagnosis_close(m.d);
    for (; failed; at++) {
        scarce_after = at;
        m.d = diagnosis_open(&m.net);
        failed = scarce_after == SCARCE_NEVER;
        assert_int_equal(m.d == NULL, failed);
        if (m.d) {
            play(SENT | ENTERS);
            failed = scarce_after == SCARCE_NEVER;
            assert_int_equal(diagnosis_memory_short(m.d), failed);
        }
        scarce_after = SCARCE_NEVER;
        diagnosis_close(m.d);
    }
    assert_between(at, 20, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the first breach is named", the_first_breach_is_named),
        TEST("what may still come is not missing", what_may_still_come_is_not_missing),
        TEST("the VC of a credit is told", the_vc_of_a_credit_is_told),
        TEST("a word on the wrong VC is accounted for", a_word_on_the_wrong_vc_is_accounted_for),
        TEST("a node without room owes nothing", a_node_without_room_owes_nothing),
        TEST("a buffer that waits is described", a_buffer_that_waits_is_described),
        TEST("the search knows the network", the_search_knows_the_network),
        TEST("a diagnosis that lacks memory says so", missing_memory_is_told),
    };
    return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
