/* SPDX-License-Identifier: Apache-2.0 */
/* Permutations of address bits: closed forms of their loads, against audits of all messages.
 *
 *     test_bits BITS COMPLEMENTED   all permutations of up to BITS bits, of up to COMPLEMENTED with
 *                                   every complement */
#include "unit.h"

#include <stdlib.h>

#include "ec_cost_ecube.h"
#include "ecube/audit.h"

enum { BITS_MAX = 8 };

static unsigned bits, complemented;

/* Permutation `number` of n bits. */
static struct ec_sdp permutation(unsigned n, unsigned number)
{
    struct ec_sdp s = ec_sdp_identity(0, n);
    for (unsigned i = n; i > 1; number /= i--) {
        const unsigned j = number % i;
        const uint8_t last = s.from[i - 1];
        s.from[i - 1] = s.from[j];
        s.from[j] = last;
    }
    return s;
}

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static struct ec_audit *audit_of(const struct ec_topology *t, const struct ec_router *r,
                                 const struct ec_sdp *s)
{
    struct ec_message messages[1U << BITS_MAX];
    struct ec_workload w = {.text = "bits", .nodes = t->nodes, .messages = messages, .longest = 1};
    struct ec_audit *a = NULL;
    for (uint32_t i = 0; i < t->nodes; i++) {
        const uint32_t to = (uint32_t)ec_sdp_apply(s, i);
        if (to != i)
            messages[w.message_count++] = (struct ec_message){1, i, to, 1, 0};
    }
    assert_int_equal(ec_audit_open(t, r, &w, false, &a, NULL), EC_OK);
    return a;
}

static bool crosses(const struct ec_topology *t, const struct ec_router *r, const struct ec_sdp *s,
                    uint32_t src, uint32_t node, unsigned link)
{
    struct ec_hop path[BITS_MAX];
    const uint32_t dst = (uint32_t)ec_sdp_apply(s, src);
    const size_t hops = ec_route_path(t, r, src, dst, path, BITS_MAX);
    for (size_t i = 0; i < hops; i++) {
        if (path[i].node == node && path[i].link == link)
            return true;
    }
    return false;
}

/* The dimension of the largest load, the verdict and its certificate. */
static void check_reason(const struct ec_topology *t, const struct ec_router *r,
                         const struct ec_sdp *s, const struct ec_audit *a,
                         const struct ec_bit_loads *loads)
{
    assert_int_equal(a->max_link_load, loads->load[loads->worst]);
    assert_int_equal(a->congestion_free, loads->passing == 0);
    if (!loads->passing)
        return;
    assert_int_equal(loads->load[loads->worst], 1U << __builtin_popcountll(loads->passing));
    assert_int_not_equal(loads->src[0], loads->src[1]);
    for (int i = 0; i < 2; i++)
        assert_true(crosses(t, r, s, loads->src[i], loads->at, loads->worst));
}

/* The loads in closed form, and the reason for the largest one: of the first dimension that has it
 * and of the link that the audit shows. */
static void compare(const struct ec_topology *t, const struct ec_router *r, const struct ec_sdp *s)
{
    struct ec_audit *a = audit_of(t, r, s);
    struct ec_bit_loads loads;
    assert_true(ec_bit_loads_of(s, r->order, NULL, &loads));
    assert_int_equal(loads.dims, t->dims);
    for (unsigned d = 0; d < t->dims; d++) {
        uint64_t used = 0, sum = 0;
        for (uint32_t node = 0; node < t->nodes; node++) {
            const uint32_t load = a->link_load[node * a->links + d];
            assert_true(load == 0 || load == loads.load[d]);
            used += load > 0;
            sum += load;
        }
        /* All messages cross a dimension that keeps its bit inverted, half of them one that gets
         * another bit. */
        assert_int_equal(sum, s->from[d] != d          ? t->nodes / 2
                              : s->complement >> d & 1 ? t->nodes
                                                       : 0);
        assert_int_equal(used > 0, loads.load[d] > 0);
    }
    check_reason(t, r, s, a, &loads);
    assert_true(ec_bit_loads_of(s, r->order, &a->busiest, &loads));
    check_reason(t, r, s, a, &loads);
    assert_true(a->congestion_free || loads.worst == a->busiest.port);
    ec_audit_close(a);
}

static void all_permutations_have_their_loads(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= bits; n++) {
        char name[16];
        snprintf(name, sizeof name, "cube:%u", n);
        const struct ec_topology t = topology_of(name);
        const struct ec_router low = router_of("order=low", &t), high = router_of("order=high", &t);
        for (unsigned number = 0; number < factorial(n); number++) {
            struct ec_sdp s = permutation(n, number);
            for (; s.complement < (n <= complemented ? t.nodes : 1); s.complement++) {
                compare(&t, &low, &s);
                compare(&t, &high, &s);
            }
        }
    }
}

/* With every bit inverted, so that messages cross all dimensions. */
static void an_order_without_conflict_exists(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= bits; n++) {
        for (unsigned number = 0; number < factorial(n); number++) {
            const struct ec_sdp s = permutation(n, number);
            struct ec_bit_loads found;
            uint64_t load[BITS_MAX], most = 0, seen = 0;
            assert_true(ec_bit_loads_of(&s, EC_ORDER_LOW, NULL, &found));
            ec_cost_ecube_bits(n, s.from, (UINT64_C(1) << n) - 1, found.order, load);
            for (unsigned d = 0; d < n; d++) {
                most = load[d] > most ? load[d] : most;
                seen |= UINT64_C(1) << found.order[d];
            }
            assert_int_equal(seen, (UINT64_C(1) << n) - 1);
            assert_int_equal(most, 1);
        }
    }
}

static void mixed_permutations_are_refused(void **state)
{
    (void)state;
    struct ec_bit_loads loads;
    struct ec_sdp s = ec_sdp_identity(1, 2);
    assert_true(ec_bit_loads_of(&s, EC_ORDER_LOW, NULL, &loads));
    assert_int_equal(ec_sdp_parse("1-0", 1, 2, &s, NULL), EC_OK);
    assert_false(ec_bit_loads_of(&s, EC_ORDER_LOW, NULL, &loads));
    s = ec_sdp_identity(2, 0);
    assert_false(ec_bit_loads_of(&s, EC_ORDER_LOW, NULL, &loads));
    s = ec_sdp_identity(0, EC_DIMS_MAX + 1);
    assert_false(ec_bit_loads_of(&s, EC_ORDER_LOW, NULL, &loads));
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("the loads of every permutation of address bits are those of all its messages",
             all_permutations_have_their_loads),
        TEST("every permutation of address bits has an order of dimensions without conflict",
             an_order_without_conflict_exists),
        TEST("loads of permutations that move storage bits are refused",
             mixed_permutations_are_refused),
    };
    bits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 6;
    complemented = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 4;
    if (bits > BITS_MAX)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
