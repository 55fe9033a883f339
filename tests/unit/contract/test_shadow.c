/* SPDX-License-Identifier: Apache-2.0 */
/* The shadow of the input buffers, against lists in the test. */
#include "contract/shadow.h"

#include <stdlib.h>

#include "ecube/tile.h"
#include "ecube/word.h"
#include "unit.h"

enum { VCS = 2, DEPTH = 4 };

static struct shadow opened(const struct ec_topology *t)
{
    const struct ec_router r = router_of("vcs=2,depth=4", t);
    struct shadow s;
    assert_true(shadow_open(&s, t, &r, EC_NONE));
    return s;
}

/* Word number `data` on a VC. */
static uint64_t word_of(unsigned vc, uint32_t data)
{
    return ec_word_pack(&narrow, true, false, vc, 0, 0, data);
}

static void enter(struct shadow *s, uint32_t node, unsigned port, uint64_t word)
{
    uint64_t words[EC_TILE_PORTS_MAX] = {0};
    words[port] = word;
    shadow_enter(
        s, &(struct ec_net_seen){.node = node, .in_word = words, .in_valid = UINT64_C(1) << port});
}

static void credit(struct shadow *s, uint32_t node, unsigned port, unsigned vc)
{
    uint64_t credits[VCS + 1] = {0};
    credits[VCS] = UINT64_MAX; /* what does not exist may hold anything */
    credits[vc] = UINT64_C(1) << port;
    shadow_leave_by_credits(s, &(struct ec_net_seen){.node = node, .out_credit = credits});
}

static void assert_front(const struct shadow *s, size_t at, uint64_t word, uint32_t count)
{
    assert_true(shadow_front(s, at) == word);
    assert_int_equal(s->buffers[at].count, count);
}

/* Words have a wider VC with eight of them, and wider addresses in large networks. */
static void words_have_the_layout_of_the_network(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *router;
        unsigned vc_shift, address_bits;
    } rows[] = {{"cube:3", "", 59, 16},
                {"cube:3", "vcs=8", 58, 16},
                {"cube:8", "vcs=4", 59, 16},
                {"cube:18", "vcs=2", 59, 20},
                {"cube:18", "vcs=8", 58, 20}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ec_topology t = topology_of(rows[i].topology);
        const struct ec_router r = router_of(rows[i].router, &t);
        struct shadow s;
        assert_true(shadow_open(&s, &t, &r, 5));
        assert_int_equal(s.layout.vc_shift, rows[i].vc_shift);
        assert_int_equal(s.layout.address_bits, rows[i].address_bits);
        shadow_close(&s);
    }
}

static void every_input_vc_has_its_own_buffer(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:3x4");
    struct shadow s = opened(&t);
    assert_int_equal(s.ports, 5);
    assert_int_equal(s.count, 12 * 5 * VCS);
    for (uint32_t node = 0; node < t.nodes; node++) {
        for (unsigned port = 0; port < s.ports; port++) {
            for (unsigned vc = 0; vc < VCS; vc++)
                enter(&s, node, port, word_of(vc, (node * s.ports + port) * VCS + vc));
        }
    }
    for (uint32_t i = 0; i < s.count; i++)
        assert_front(&s, i, word_of(i % VCS, i), 1);
    shadow_close(&s);
}

static void words_leave_in_order_by_the_credits_of_their_vc(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("ring:4");
    struct shadow s = opened(&t);
    const size_t first = shadow_at(&s, 2, 1, 0), second = shadow_at(&s, 2, 1, 1);
    enter(&s, 2, 1, word_of(0, 10));
    enter(&s, 2, 1, word_of(1, 20));
    enter(&s, 2, 1, word_of(0, 11));
    assert_front(&s, first, word_of(0, 10), 2);
    credit(&s, 2, 1, 0);
    assert_front(&s, first, word_of(0, 11), 1);
    assert_front(&s, second, word_of(1, 20), 1);
    credit(&s, 2, 1, 0);
    credit(&s, 2, 1, 0); /* one too many */
    assert_front(&s, first, 0, 0);
    assert_false(shadow_leave(&s, first));
    assert_true(shadow_leave(&s, second));
    assert_front(&s, second, 0, 0);
    shadow_close(&s);
}

/* Words enter and leave at random, up to many times the depth, as in a router that ignores credits.
 */
static void order_is_kept_beyond_the_depth(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:2");
    struct shadow s = opened(&t);
    const size_t at = shadow_at(&s, 3, 0, 1);
    uint32_t in = 0, out = 0, most = 0;
    for (unsigned i = 0; i < 2000; i++) {
        if (i % 7 < 4) {
            enter(&s, 3, 0, word_of(1, in++));
        } else if (out < in) {
            credit(&s, 3, 0, 1);
            out++;
        }
        most = in - out > most ? in - out : most;
        assert_front(&s, at, in > out ? word_of(1, out) : 0, in - out);
    }
    assert_true(most > 10 * DEPTH);
    assert_false(s.memory_short);
    shadow_close(&s);
}

/* A word leaves, and is at the front again; a later word overtakes those before it. */
static void words_come_back_and_overtake(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:2");
    struct shadow s = opened(&t);
    const size_t at = shadow_at(&s, 2, 1, 0);
    uint64_t list[16];
    for (uint32_t count = 1; count <= COUNT(list); count++) {
        for (uint32_t k = 0; k < count; k++) {
            shadow_reset(&s);
            for (uint32_t i = 0; i < count; i++) {
                list[i] = word_of(0, i);
                assert_true(shadow_push(&s, at, list[i]));
            }
            shadow_promote(&s, at, k);
            assert_front(&s, at, list[k], count);
            for (uint32_t i = 1; i < count; i++)
                assert_true(shadow_word(&s, at, i) == list[i <= k ? i - 1 : i]);
            assert_true(shadow_leave(&s, at));
            assert_true(shadow_return(&s, at, word_of(0, 99))); /* in its place */
            assert_true(shadow_return(&s, at, word_of(0, 98))); /* as one more */
            assert_front(&s, at, word_of(0, 98), count + 1);
            assert_true(shadow_word(&s, at, 1) == word_of(0, 99));
            for (uint32_t i = 1; i < count; i++)
                assert_true(shadow_word(&s, at, i + 1) == list[i <= k ? i - 1 : i]);
        }
    }
    shadow_close(&s);
}

static void ports_of_the_shape_alone_are_ignored(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:2");
    struct shadow s = opened(&t);
    enter(&s, 0, s.ports, word_of(0, 1));
    credit(&s, 0, s.ports, 0);
    for (size_t i = 0; i < s.count; i++)
        assert_front(&s, i, 0, 0);
    shadow_close(&s);
}

static void a_reset_empties_all_buffers(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:2");
    struct shadow s = opened(&t);
    const size_t at = shadow_at(&s, 1, 2, 0);
    for (uint32_t k = 0; k < 3 * DEPTH; k++)
        enter(&s, 1, 2, word_of(0, k));
    credit(&s, 1, 2, 0);
    shadow_reset(&s);
    for (size_t i = 0; i < s.count; i++)
        assert_front(&s, i, 0, 0);
    enter(&s, 1, 2, word_of(0, 99));
    assert_front(&s, at, word_of(0, 99), 1);
    shadow_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("words have the layout of the network", words_have_the_layout_of_the_network),
        TEST("every input VC has its own buffer", every_input_vc_has_its_own_buffer),
        TEST("words leave in order, by the credits of their VC",
             words_leave_in_order_by_the_credits_of_their_vc),
        TEST("the order is kept beyond the depth of a buffer", order_is_kept_beyond_the_depth),
        TEST("words come back to the front, and overtake", words_come_back_and_overtake),
        TEST("ports of the shape that the network does not use are ignored",
             ports_of_the_shape_alone_are_ignored),
        TEST("a reset empties all buffers", a_reset_empties_all_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
