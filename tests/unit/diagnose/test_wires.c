/* SPDX-License-Identifier: Apache-2.0 */
/* Wires as a diagnosis sees them; the test plays both ends. */
#include "diagnose/diagnosis.h"

#include <string.h>

#include "ecube/tile.h"
#include "ecube/word.h"
#include "unit.h"

#define VCS    2
#define LOCALS 2

static struct wires *opened_with(const struct ec_topology *t, unsigned delay)
{
    struct wires *w = wires_open(t, LOCALS, VCS, delay);
    assert_non_null(w);
    return w;
}

static struct wires *opened(const struct ec_topology *t)
{
    return opened_with(t, 1);
}

/* Inputs and outputs of a router at one port in one cycle; word 0: none. */
struct side {
    uint32_t node;
    unsigned port;
    uint64_t in_word, out_word;
    unsigned in_credit, out_credit; /* bits are VCs */
};

static void see(struct wires *w, uint64_t cycle, struct side s)
{
    uint64_t in_word[EC_TILE_PORTS_MAX] = {0}, out_word[EC_TILE_PORTS_MAX] = {0};
    uint64_t in_credit[VCS], out_credit[VCS];
    in_word[s.port] = s.in_word;
    out_word[s.port] = s.out_word;
    for (unsigned vc = 0; vc < VCS; vc++) {
        in_credit[vc] = (uint64_t)(s.in_credit >> vc & 1) << s.port;
        out_credit[vc] = (uint64_t)(s.out_credit >> vc & 1) << s.port;
    }
    const struct ec_net_seen seen = {.cycle = cycle,
                                     .node = s.node,
                                     .in_word = in_word,
                                     .in_credit = in_credit,
                                     .out_word = out_word,
                                     .out_credit = out_credit,
                                     .in_valid = (uint64_t)(s.in_word != 0) << s.port,
                                     .out_valid = (uint64_t)(s.out_word != 0) << s.port};
    wires_see(w, &seen);
}

static void assert_none(struct wires *w, uint64_t cycle)
{
    struct wire_fault fault;
    assert_false(wires_judge(w, cycle, &fault));
}

static void assert_fault(struct wires *w, struct wire_fault due)
{
    struct wire_fault is;
    assert_true(wires_judge(w, due.cycle, &is));
    assert_int_equal(is.node, due.node);
    assert_int_equal(is.port, due.port);
    assert_int_equal(is.peer, due.peer);
    assert_int_equal(is.cycle, due.cycle);
    assert_int_equal(is.lost, due.lost);
    assert_true(is.word == due.word);
    if (!due.word)
        assert_int_equal(is.vc, due.vc);
}

static const uint64_t word = EC_WORD_VALID | 77, other = EC_WORD_VALID | 78;

/* cube:3: port 1 of router 1 leads to port 1 of router 3. Outputs of router 1 in its step of cycle
 * 4 are on the link in cycle 5. */
static void what_is_sent_arrives(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_word = word, .out_credit = 2});
    assert_none(w, 4);
    see(w, 5, (struct side){.node = 3, .port = 1, .in_word = word, .in_credit = 2});
    assert_none(w, 5);
    assert_none(w, 6);
    wires_close(w);
}

static void a_word_is_lost(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_word = word});
    assert_none(w, 4);
    assert_fault(w, (struct wire_fault){
                        .cycle = 5, .node = 1, .port = 1, .peer = 3, .word = word, .lost = true});
    wires_close(w);
}

static void a_word_is_altered(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_word = word});
    assert_none(w, 4);
    see(w, 5, (struct side){.node = 3, .port = 1, .in_word = other});
    assert_fault(w, (struct wire_fault){
                        .cycle = 5, .node = 1, .port = 1, .peer = 3, .word = word, .lost = true});
    wires_close(w);
}

/* Garbage on an input with the valid bit set may be 0. */
static void a_word_was_not_sent(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    const uint64_t zero[EC_TILE_PORTS_MAX] = {0};
    const struct ec_net_seen seen = {.cycle = 9,
                                     .node = 3,
                                     .in_word = zero,
                                     .in_credit = zero,
                                     .out_word = zero,
                                     .out_credit = zero,
                                     .in_valid = 2};
    assert_none(w, 8);
    wires_see(w, &seen);
    assert_fault(
        w, (struct wire_fault){.cycle = 9, .node = 3, .port = 1, .peer = 1, .word = EC_WORD_VALID});
    wires_close(w);
}

/* Cycles 5 and 7 share memory. */
static void what_was_seen_before_is_forgotten(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    see(w, 5, (struct side){.node = 1, .port = 1, .out_word = word});
    see(w, 6, (struct side){.node = 3, .port = 1, .in_word = word});
    assert_none(w, 6);
    see(w, 8, (struct side){.node = 3, .port = 1, .in_word = word});
    assert_fault(w, (struct wire_fault){.cycle = 8, .node = 3, .port = 1, .peer = 1, .word = word});
    wires_close(w);
}

static void a_credit_is_of_another_vc(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    struct wires *w = opened(&t);
    /* -x of router 0 is +x of router 3 */
    see(w, 4, (struct side){.node = 0, .port = 1, .out_credit = 2});
    assert_none(w, 4);
    see(w, 5, (struct side){.node = 3, .port = 0, .in_credit = 1});
    assert_fault(
        w, (struct wire_fault){.cycle = 5, .node = 0, .port = 1, .peer = 3, .vc = 1, .lost = true});
    wires_close(w);
}

/* On every link of a topology the word that does not arrive is found, and its link named. */
static void every_link_is_watched(void **state)
{
    (void)state;
    static const char *const names[] = {"ring:5", "mesh:3x2", "torus:2x3x4", "cube:4"};
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct ec_topology t = topology_of(names[k]);
        struct wires *w = opened(&t);
        uint64_t cycle = 1;
        for (uint32_t node = 0; node < t.nodes; node++) {
            for (unsigned port = 0; port < ec_topology_links(&t); port++, cycle += 2) {
                const uint32_t peer = ec_topology_neighbor(&t, node, port);
                if (peer == EC_NONE)
                    continue;
                see(w, cycle, (struct side){.node = node, .port = port, .out_word = word});
                assert_none(w, cycle);
                assert_fault(w, (struct wire_fault){.cycle = cycle + 1,
                                                    .node = node,
                                                    .port = port,
                                                    .peer = peer,
                                                    .word = word,
                                                    .lost = true});
            }
        }
        wires_close(w);
    }
}

/* --- Links of several cycles ------------------------------------------------------------------ */

/* cube:3: a word and a credit of router 1 for router 3, shown in each of `cycles` cycles from 5 on;
 * they arrive `delay` - 1 cycles later. */
static void play_far(struct wires *w, unsigned delay, uint64_t cycles, uint64_t until)
{
    for (uint64_t c = 4; c <= until; c++) {
        if (c < 4 + cycles)
            see(w, c,
                (struct side){.node = 1, .port = 1, .out_word = word | c << 32, .out_credit = 2});
        if (c >= 4 + delay && c < 4 + delay + cycles)
            see(w, c,
                (struct side){
                    .node = 3, .port = 1, .in_word = word | (c - delay) << 32, .in_credit = 2});
        if (c < until)
            assert_none(w, c);
    }
}

static void what_is_on_a_long_link_arrives_in_its_cycle(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    for (unsigned delay = 2; delay <= 64; delay += 31) {
        struct wires *w = opened_with(&t, delay);
        play_far(w, delay, 150, 300);
        assert_none(w, 300);
        wires_close(w);
    }
}

static void a_word_on_a_long_link_is_late(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened_with(&t, 5);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_word = word});
    for (uint64_t c = 4; c < 9; c++)
        assert_none(w, c);
    assert_fault(w, (struct wire_fault){
                        .cycle = 9, .node = 1, .port = 1, .peer = 3, .word = word, .lost = true});
    wires_close(w);
}

static void a_word_on_a_long_link_is_early(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened_with(&t, 5);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_word = word});
    assert_none(w, 4);
    see(w, 8, (struct side){.node = 3, .port = 1, .in_word = word});
    assert_fault(w, (struct wire_fault){.cycle = 8, .node = 3, .port = 1, .peer = 1, .word = word});
    wires_close(w);
}

/* Local ports never take longer. */
static void a_credit_on_a_long_link_is_lost(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened_with(&t, 2);
    see(w, 4, (struct side){.node = 1, .port = 1, .out_credit = 2});
    assert_none(w, 4);
    see(w, 5, (struct side){.node = 1, .port = 3, .out_credit = 2});
    assert_none(w, 5);
    assert_fault(
        w, (struct wire_fault){.cycle = 6, .node = 1, .port = 1, .peer = 3, .vc = 1, .lost = true});
    wires_close(w);
}

/* --- Local ports ------------------------------------------------------------------------------ */

/* Node 3 of cube:3 at its local port 1, which is port 4 of the router and port 7 of all nodes. */
struct local {
    uint64_t sent, in, out, got; /* words, from the node's sender to its receiver */
    unsigned gave, in_credit, out_credit, has;
    unsigned twice;        /* how often `got` arrives; 0: once */
    struct wire_fault due; /* cycle 0: none */
};

static size_t add_credits(struct ec_port_credit *to, unsigned credits)
{
    size_t count = 0;
    for (unsigned vc = 0; vc < VCS; vc++) {
        if (credits >> vc & 1)
            to[count++] = (struct ec_port_credit){7, vc};
    }
    return count;
}

static void try_local(const struct local *l)
{
    const struct ec_topology t = topology_of("cube:3");
    struct wires *w = opened(&t);
    struct ec_port_word sent[1] = {{7, l->sent}}, got[2] = {{7, l->got}, {7, l->got}};
    struct ec_port_credit gave[VCS], has[VCS];
    const struct ec_port_events in = {sent, gave, l->sent != 0, add_credits(gave, l->gave)};
    const struct ec_port_events out = {got, has, l->got ? 1 + l->twice : 0,
                                       add_credits(has, l->has)};
    struct wire_fault is = {0};
    see(w, 9,
        (struct side){3, 4, l->in, l->out, .in_credit = l->in_credit, .out_credit = l->out_credit});
    assert_none(w, 9);
    assert_int_equal(wires_judge_nodes(w, 9, &in, &out, &is), l->due.cycle != 0);
    assert_true(is.cycle == l->due.cycle && is.word == l->due.word);
    assert_int_equal(is.lost, l->due.lost);
    assert_int_equal(is.out, l->due.out);
    assert_int_equal(is.vc, l->due.vc);
    if (l->due.cycle)
        assert_true(is.node == 3 && is.port == 4 && is.peer == EC_NONE);
    wires_close(w);
}

static void every_local_port_is_watched(void **state)
{
    (void)state;
    const struct local cases[] = {
        {0},
        {word, word, other, other, 2, 2, 1, 1, .twice = 0},
        {word, 0, .due = {.cycle = 9, .word = word, .lost = true}},
        {word, other, .due = {.cycle = 9, .word = word, .lost = true}},
        {0, word, .due = {.cycle = 9, .word = word}},
        {.out = word, .due = {.cycle = 10, .word = word, .lost = true, .out = true}},
        {.got = word, .due = {.cycle = 10, .word = word, .out = true}},
        {.out = word, .got = word, .twice = 1, .due = {.cycle = 10, .word = word, .out = true}},
        {.gave = 2, .due = {.cycle = 9, .vc = 1, .lost = true}},
        {.gave = 1, .in_credit = 3, .due = {.cycle = 9, .vc = 1}},
        {.out_credit = 2, .due = {.cycle = 10, .vc = 1, .lost = true, .out = true}},
        {.out_credit = 1, .has = 2, .due = {.cycle = 10, .vc = 1, .out = true}},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        try_local(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(a_word_is_lost),
        cmocka_unit_test(a_word_is_altered),
        cmocka_unit_test(a_word_was_not_sent),
        cmocka_unit_test(what_was_seen_before_is_forgotten),
        cmocka_unit_test(a_credit_is_of_another_vc),
        cmocka_unit_test(every_link_is_watched),
        cmocka_unit_test(what_is_on_a_long_link_arrives_in_its_cycle),
        cmocka_unit_test(a_word_on_a_long_link_is_late),
        cmocka_unit_test(a_word_on_a_long_link_is_early),
        cmocka_unit_test(a_credit_on_a_long_link_is_lost),
        cmocka_unit_test(every_local_port_is_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
