/* SPDX-License-Identifier: Apache-2.0 */
/* The VC rule on the wires, without routers: the class of every hop against the routing's own walk,
 * and packets whose words the test moves itself. */
#include "unit.h"

#include <string.h>

#include "backend/vcs.h"
#include "network/walk.h"

/* --- The class ------------------------------------------------------------------------------ */

static void assert_walk(const struct ec_topology *t, enum ec_order order, uint32_t src,
                        uint32_t dst)
{
    const struct ec_router r = {.order = order, .dateline = true};
    struct ec_walk walk = ec_walk_begin(t, &r, src, dst);
    struct ec_hop hop;
    while (ec_walk_next(&walk, &hop)) {
        const unsigned due =
            class_rule_due(class_rule_of(t, hop.node, hop.link), ec_topology_address(t, src));
        if (due != hop.class_)
            fail_msg("%u -> %u, node %u, link %u, order %d: class %u, the walk says %u", src, dst,
                     hop.node, hop.link, order, due, hop.class_);
    }
}

static void the_class_is_that_of_the_walk(void **state)
{
    (void)state;
    static const char *const networks[] = {
        "ring:2",     "ring:3",      "ring:4",      "ring:5",      "ring:8",        "ring:13",
        "ring:64",    "mesh:9",      "mesh:5x4",    "torus:3x3",   "cube:4",        "torus:4x4",
        "torus:5x3",  "torus:2x6",   "torus:7x5",   "torus:8x8",   "torus:6x1",     "torus:1x5x4",
        "mesh:2x3x4", "torus:3x4x5", "torus:2x2x7", "torus:5x2x5", "torus:3x3x3x4",
    };
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        for (uint32_t src = 0; src < t.nodes; src++) {
            for (uint32_t dst = 0; dst < t.nodes; dst++) {
                assert_walk(&t, EC_ORDER_LOW, src, dst);
                assert_walk(&t, EC_ORDER_HIGH, src, dst);
            }
        }
    }
}

/* All 16 bits of an address, in one field and in two. */
static void the_class_is_that_of_the_walk_in_large_networks(void **state)
{
    (void)state;
    static const char *const networks[] = {"ring:65536",      "ring:40000",   "torus:256x256",
                                           "torus:1024x1024", "ring:1000003", "torus:3x16384"};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        const uint32_t last = t.nodes - 1, half = t.nodes / 2;
        const uint32_t some[] = {0, 1, 255, half - 1, half, half + 1, last - 256, last - 1, last};
        for (size_t a = 0; a < COUNT(some); a++) {
            for (size_t b = 0; b < COUNT(some); b++)
                assert_walk(&t, a % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW, some[a], some[b]);
        }
    }
}

/* --- Packets -------------------------------------------------------------------------------- */

struct wires {
    struct ec_topology t;
    struct ec_router r;
    struct tiles_vcs v;
    unsigned links, ports;
};

static void open_wires(struct wires *w, const char *topology, const char *router)
{
    enum { NODES_MAX = 1 << 16 };
    static uint32_t all[NODES_MAX];
    w->t = topology_of(topology);
    w->r = router_of(router, &w->t);
    w->links = ec_topology_links(&w->t);
    w->ports = w->links + ec_router_locals(&w->r, &w->t);
    assert_between(w->t.nodes, 1, NODES_MAX);
    for (uint32_t node = 0; node < w->t.nodes; node++)
        all[node] = node;
    assert_true(tiles_vcs_open(&w->v, &w->t, &w->r, all, w->t.nodes, w->links, w->ports));
    tiles_vcs_reset(&w->v, true);
}

static uint64_t word_of(uint32_t src, uint32_t dst, uint32_t number, bool head, bool tail)
{
    return ec_word_pack(&narrow, head, tail, 0, dst, src, ec_word_numbers(&narrow, number, 0));
}

/* A word leaves a router: is its VC correct? */
static bool leaves(struct wires *w, uint32_t node, unsigned port, unsigned vc, uint64_t word)
{
    const size_t channel = (size_t)node * w->ports + port;
    const bool right = tiles_vcs_right(&w->v, channel, vc, word, w->r.vcs);
    tiles_vcs_pass(&w->v, channel, vc, word, w->r.vcs, port >= w->links);
    return right;
}

static void assert_says(struct wires *w, uint32_t node, unsigned port, unsigned vc, uint64_t word,
                        const char *what)
{
    const size_t channel = (size_t)node * w->ports + port;
    char text[200];
    assert_false(tiles_vcs_right(&w->v, channel, vc, word, w->r.vcs));
    tiles_vcs_explain(&w->v, channel, vc, word, text, sizeof text);
    assert_string_equal(text, what);
}

static void a_packet_keeps_its_vc(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "mesh:4", "vcs=4");
    const uint64_t first = word_of(0, 3, 7, true, true), second = word_of(0, 3, 8, true, true);
    assert_true(tiles_vcs_enter(&w.v, 2, first));
    assert_true(tiles_vcs_enter(&w.v, 3, second));
    assert_true(leaves(&w, 0, 0, 2, first));
    assert_true(leaves(&w, 0, 0, 3, second));
    assert_says(&w, 1, 0, 0, first,
                "word 0->3 #7.0: expected VC 2, got VC 0 (its node sent it on VC 2)");
    assert_false(leaves(&w, 1, 0, 2, second));
    assert_true(leaves(&w, 1, 0, 2, first));
    assert_int_equal(w.v.unknown, 0);
    tiles_vcs_reset(&w.v, true); /* and no VC is known any more */
    assert_true(leaves(&w, 1, 0, 0, first));
    assert_int_equal(w.v.unknown, 1);
    tiles_vcs_reset(&w.v, true);
    assert_int_equal(w.v.unknown, 0);
    tiles_vcs_close(&w.v);
    open_wires(&w, "ring:5", "vcs=2"); /* two classes of datelines: nothing to keep */
    assert_true(tiles_vcs_enter(&w.v, 0, first));
    assert_int_equal(w.v.kept.count, 0);
    const uint64_t word = word_of(3, 1, 1, true, true); /* over 4 and 0 */
    assert_says(&w, 3, 0, 1, word,
                "word 3->1 #1.0: expected class 0 (before the wrap link), got class 1");
    assert_says(&w, 4, 0, 0, word,
                "word 3->1 #1.0: expected class 1 (on the wrap link), got class 0");
    assert_says(&w, 0, 0, 0, word,
                "word 3->1 #1.0: expected class 1 (after the wrap link), got class 0");
    tiles_vcs_close(&w.v);
}

/* In a torus the class of datelines changes, which is the lowest bit of the VC. */
static void a_packet_keeps_its_vc_and_changes_its_class(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "ring:4", "vcs=4");
    const uint64_t word = word_of(3, 0, 1, true, true);
    assert_true(tiles_vcs_enter(&w.v, 2, word));
    assert_says(&w, 3, 0, 2, word,
                "word 3->0 #1.0: expected class 1 (on the wrap link), got class 0");
    assert_says(&w, 3, 0, 1, word,
                "word 3->0 #1.0: expected VC 3, got VC 1 (its node sent it on VC 2)");
    assert_true(leaves(&w, 3, 0, 3, word));
    assert_says(&w, 0, 2, 3, word,
                "word 3->0 #1.0: expected class 0 (on a local port), got class 1");
    assert_true(leaves(&w, 0, 2, 2, word));
    assert_false(tiles_vcs_enter(&w.v, 1, word));
    tiles_vcs_close(&w.v);
}

/* Dynamic allocation: any VC on every channel, but never the other message or dateline class, and
 * not the VC of another packet. */
static void a_packet_takes_any_vc_of_its_class(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "ring:4", "vcs=8,va=dynamic,classes=2");
    const struct ec_word_layout *l = &w.v.layout;
    const uint64_t word =
        ec_word_pack(l, true, false, 0, 0, 3, ec_word_numbers(l, 1, 0)); /* 3 -> 0 */
    assert_true(tiles_vcs_enter(&w.v, 4, word));
    for (unsigned vc = 0; vc < 8; vc++) {
        const bool right = vc == 5 || vc == 7; /* class 1 on the wrap link, replies */
        assert_int_equal(tiles_vcs_right(&w.v, (size_t)3 * w.ports, vc, word, 8), right);
    }
    assert_says(&w, 3, 0, 6, word,
                "word 3->0 #1.0: expected class 1 (on the wrap link), got class 0");
    assert_says(&w, 3, 0, 1, word, "word 3->0 #1.0: expected message class 1, got message class 0");
    assert_true(leaves(&w, 3, 0, 7, word));
    assert_says(&w, 3, 0, 7, word,
                "word 3->0 #1.0: expected a flit of the open packet 1 of node 3, got another "
                "packet");
    assert_true(leaves(&w, 0, 2, 4, word));
    tiles_vcs_close(&w.v);
}

static void packets_on_a_vc_follow_each_other_whole(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "mesh:4", "vcs=2");
    assert_true(tiles_vcs_enter(&w.v, 0, word_of(0, 3, 0, true, false)));
    assert_true(tiles_vcs_enter(&w.v, 1, word_of(0, 2, 1, true, false)));
    assert_true(tiles_vcs_enter(&w.v, 0, word_of(1, 3, 0, true, true)));
    assert_says(&w, 0, 0, 0, word_of(0, 3, 0, false, false),
                "word 0->3 #0.0: expected a head on this VC, got a body flit");
    assert_true(leaves(&w, 0, 0, 0, word_of(0, 3, 0, true, false)));
    assert_true(leaves(&w, 0, 0, 1, word_of(0, 2, 1, true, false))); /* on another VC */
    assert_true(leaves(&w, 0, 0, 0, word_of(0, 3, 0, false, false)));
    assert_says(
        &w, 0, 0, 0, word_of(1, 3, 0, true, true),
        "word 1->3 #0.0: expected a flit of the open packet 0 of node 0, got another packet");
    assert_says(
        &w, 0, 0, 1, word_of(0, 3, 0, false, true),
        "word 0->3 #0.0: expected a flit of the open packet 1 of node 0, got another packet");
    assert_true(leaves(&w, 0, 0, 0, word_of(0, 3, 0, false, true)));
    assert_true(leaves(&w, 0, 0, 0, word_of(1, 3, 0, true, true)));
    tiles_vcs_reset(&w.v, true); /* and nothing is open any more */
    assert_true(leaves(&w, 0, 0, 1, word_of(0, 3, 5, true, true)));
    tiles_vcs_close(&w.v);
}

/* More packets of one source than the table has places for at first: it grows, and no VC is
 * forgotten. Then they arrive, and their places are free again. */
static void any_number_of_packets_may_be_under_way(void **state)
{
    (void)state;
    enum { MANY = 1 << 14 };
    struct wires w;
    open_wires(&w, "mesh:4x3", "vcs=4");
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t number = i * 40503 % MANY; /* each once, in no order */
        assert_true(tiles_vcs_enter(&w.v, number % 4, word_of(9, 1, number, true, true)));
    }
    assert_int_equal(w.v.kept.count, MANY);
    for (uint32_t number = 0; number < MANY; number++) {
        assert_true(leaves(&w, 9, 0, number % 4, word_of(9, 1, number, true, true)));
        assert_false(leaves(&w, 9, 0, (number + 1) % 4, word_of(9, 1, number, true, true)));
    }
    assert_int_equal(w.v.unknown, 0);
    for (uint32_t number = 0; number < MANY; number++)
        assert_true(leaves(&w, 1, w.links, number % 4, word_of(9, 1, number, true, true)));
    assert_int_equal(w.v.kept.count, 0);
    assert_true(leaves(&w, 9, 0, 0, word_of(9, 1, 77, true, true)));
    assert_int_equal(w.v.unknown, 1); /* a missing packet is not reported */
    tiles_vcs_close(&w.v);
}

/* One packet after the other needs no room, whatever their numbers. */
static void numbers_come_round(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "mesh:4", "vcs=2");
    for (uint32_t i = 0; i < 3u << narrow.number_bits; i++) {
        const uint64_t word = word_of(2, 3, i & ((1u << narrow.number_bits) - 1), true, true);
        assert_true(tiles_vcs_enter(&w.v, i % 2, word));
        assert_false(leaves(&w, 2, 0, (i + 1) % 2, word));
        assert_true(leaves(&w, 3, w.links, i % 2, word));
    }
    assert_int_equal(w.v.kept.count, 0);
    assert_between(w.v.kept.bits, 1, 8);
    assert_int_equal(w.v.unknown, 0);
    tiles_vcs_close(&w.v);
}

/* Packets whose places in the table collide: whichever leaves first, the others are found. */
static void packets_leave_in_any_order(void **state)
{
    (void)state;
    enum { NODES = 16, PACKETS = 512 };
    struct wires w;
    open_wires(&w, "mesh:4x4", "vcs=4");
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < PACKETS; i++)
            assert_true(tiles_vcs_enter(
                &w.v, (i + round) % 4, word_of(i % NODES, (i + 1) % NODES, i / NODES, true, true)));
        for (uint32_t i = 0; i < PACKETS; i++) {
            const uint32_t k = (i * (2 * round + 1) + round) % PACKETS;
            const uint64_t word = word_of(k % NODES, (k + 1) % NODES, k / NODES, true, true);
            assert_false(leaves(&w, k % NODES, w.links, (k + round + 1) % 4, word));
            assert_true(packet_vcs_find(&w.v.kept, packet_name(&w.v.layout, word)) == VC_UNKNOWN);
        }
        assert_int_equal(w.v.unknown, 0);
        assert_int_equal(w.v.kept.count, 0);
    }
    tiles_vcs_close(&w.v);
}

static void one_vc_is_not_followed(void **state)
{
    (void)state;
    struct wires w;
    open_wires(&w, "ring:4", "vcs=1");
    assert_false(w.v.follows);
    assert_null(w.v.open);
    tiles_vcs_close(&w.v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the class is that of the walk", the_class_is_that_of_the_walk),
        TEST("the class is that of the walk in large networks",
             the_class_is_that_of_the_walk_in_large_networks),
        TEST("a packet keeps its VC", a_packet_keeps_its_vc),
        TEST("a packet keeps its VC and changes its class",
             a_packet_keeps_its_vc_and_changes_its_class),
        TEST("dynamic allocation: a packet takes any VC of its class",
             a_packet_takes_any_vc_of_its_class),
        TEST("packets on a VC follow each other whole", packets_on_a_vc_follow_each_other_whole),
        TEST("any number of packets may be under way", any_number_of_packets_may_be_under_way),
        TEST("packet numbers come round", numbers_come_round),
        TEST("packets leave in any order, and the others are found", packets_leave_in_any_order),
        TEST("one VC is not followed", one_vc_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
