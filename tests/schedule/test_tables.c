/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts against tables of exhaustive counts, row by row (tests/data). */
#include "made.h"

#include <string.h>

#include "ecube/audit.h"

static void shift_opened(const char *kind, uint32_t a, uint32_t b, uint32_t q, const char *labels,
                         const char *algorithm, struct made *ret)
{
    char topology[48], workload[48];

    if (b)
        snprintf(topology, sizeof topology, "%s:%ux%u", kind, a, b);
    else
        snprintf(topology, sizeof topology, "%s:%u", kind, a);
    snprintf(workload, sizeof workload, "shift:q=%u%s", q, labels);
    made_open(topology, workload, algorithm, ret);
}

static void right_on_torus(uint32_t s, uint32_t q, const char *algorithm, uint32_t steps)
{
    struct made m;
    shift_opened("torus", s, s, q, "", algorithm, &m);
    made_right(&m, q, steps);
    made_close(&m);
}

static void ring_row(const struct row *r)
{
    struct made m;
    shift_opened("ring", r->number[0], 0, r->number[1], "", "ring", &m);
    made_right(&m, r->number[1], r->number[2]);
    made_close(&m);
}

static void rings(NO_STATE)
{
    each_row("ring-shift-steps", 120, ring_row);
}

static void torus_row(const struct row *r)
{
    const uint32_t s = r->number[0], q = r->number[1];

    right_on_torus(s, q, "forward", r->number[2]);
    right_on_torus(s, q, "plain", r->number[3]);
    right_on_torus(s, q, "merged", r->number[4]);
    right_on_torus(s, q, "per-column", r->number[5]);
    if (r->number[6] != UINT32_MAX)
        right_on_torus(s, q, "compensate-each-row", r->number[6]);
    if (r->number[7] != UINT32_MAX) {
        struct made m;
        shift_opened("torus", s, s, q, "", "compensate-wrapped", &m);
        assert_int_equal(m.a.placed, r->number[7]);
        made_close(&m);
    }
}

static void tori(NO_STATE)
{
    each_row("torus-shift-steps", 113, torus_row);
}

static void torus_worst_row(const struct row *r)
{
    static const char *const names[] = {"forward", "plain", "merged", "per-column"};
    const uint32_t s = r->number[0];

    for (int k = 0; k < 4; k++) {
        uint32_t worst = 0, at = 0;
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            shift_opened("torus", s, s, q, "", names[k], &m);
            if (m.a.steps > worst) {
                worst = m.a.steps;
                at = q;
            }
            made_close(&m);
        }
        assert_int_equal(worst, r->number[1 + 2 * k]);
        assert_int_equal(at, r->number[2 + 2 * k]);
    }
}

static void worst_shifts_of_tori(NO_STATE)
{
    each_row("torus-shift-worst", 5, torus_worst_row);
}

static void direct_row(const struct row *r)
{
    char topology[48], workload[48];
    struct ec_audit *a = NULL;
    struct ec_error error;

    snprintf(topology, sizeof topology, "torus:%ux%u", r->number[0], r->number[0]);
    snprintf(workload, sizeof workload, "shift:q=%u", r->number[1]);
    const struct ec_topology t = topology_of(topology);
    const struct ec_router router = router_of("order=low", &t);
    struct ec_workload *w = workload_of(workload, &t);
    if (ec_audit_open(&t, &router, w, false, &a, &error))
        fail_msg("%s", error.message);
    assert_int_equal(a->max_link_load, r->number[2]);
    ec_audit_close(a);
    ec_workload_close(w);
}

static void direct_routing_on_tori(NO_STATE)
{
    each_row("torus-direct-loads", 47, direct_row);
}

static void gray_row(const struct row *r)
{
    const uint32_t d = r->number[0], q = r->number[1];
    struct made m;

    assert_int_equal(r->number[5], r->number[6]); /* the non-adjacent form is optimal */
    assert_int_equal(r->number[2], __builtin_popcount(q));
    shift_opened("cube", d, 0, q, ",labels=gray", "gray-forward", &m);
    assert_string_equal(m.s->algorithm, "gray-forward:order=A");
    made_right(&m, q, r->number[3]);
    made_close(&m);
    shift_opened("cube", d, 0, q, ",labels=gray", "gray-signed:order=C", &m);
    assert_string_equal(m.s->algorithm, "gray-signed:order=C");
    made_right(&m, q, r->number[5]);
    assert_int_equal(2 * r->number[4] - q % 2, r->number[5]); /* two links a term, +-1 one */
    made_close(&m);
}

static void gray_rings(NO_STATE)
{
    each_row("gray-shift-steps", 57, gray_row);
}

static void gray_worst_row(const struct row *r)
{
    const uint32_t d = r->number[0];
    uint32_t forward = 0, both = 0, count = 0;

    for (uint32_t q = 1; q < UINT32_C(1) << d; q++) {
        struct made m;
        shift_opened("cube", d, 0, q, ",labels=gray", "gray-forward", &m);
        forward = m.a.steps > forward ? m.a.steps : forward;
        made_close(&m);
        shift_opened("cube", d, 0, q, ",labels=gray", "gray-signed", &m);
        both = m.a.steps > both ? m.a.steps : both;
        count += m.a.steps == d;
        made_close(&m);
    }
    assert_int_equal(forward, r->number[1]);
    assert_int_equal(both, r->number[2]);
    assert_int_equal(count, r->number[3]);
}

static void worst_shifts_of_gray_rings(NO_STATE)
{
    each_row("gray-shift-worst", 8, gray_worst_row);
}

/* The dimension that an element crosses in a step (1 or 2); UINT32_MAX: none. */
static uint32_t crossed(const struct ec_schedule *s, uint32_t element, uint32_t step)
{
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        if (x->step == step && s->carried[x->first].element == element)
            return (uint32_t)__builtin_ctz(x->src ^ x->dst);
    }
    return UINT32_MAX;
}

static void route_row(const struct row *r)
{
    const uint32_t d = r->number[0], j = r->number[1], node = r->number[3];
    struct made m;

    assert_int_equal(gray_of(r->number[2]), node);
    assert_int_equal(gray_of(r->number[4]), r->number[5]);
    shift_opened("cube", d, 0, UINT32_C(1) << j, ",labels=gray", "gray-forward:order=A", &m);
    assert_int_equal(m.s->target[node].node, r->number[5]);
    assert_int_equal(crossed(m.s, node, 1), r->number[6]);
    assert_int_equal(crossed(m.s, node, 2), r->number[7]);
    made_close(&m);
    if (j == 0)
        return;
    shift_opened("cube", d, 0, UINT32_C(1) << j, ",labels=gray", "gray-forward:order=B", &m);
    assert_int_equal(crossed(m.s, node, 1), r->number[7]);
    assert_int_equal(crossed(m.s, node, 2), r->number[6]);
    made_close(&m);
    shift_opened("cube", d, 0, UINT32_C(1) << j, ",labels=gray", "gray-forward:order=C", &m);
    assert_int_equal(crossed(m.s, node, 1), r->number[8]);
    assert_int_equal(crossed(m.s, node, 2), r->number[9]);
    made_close(&m);
    assert_int_equal(node & ((UINT32_C(1) << (j - 1)) - 1), r->number[10]);
}

static void routes_of_a_phase(NO_STATE)
{
    each_row("gray-two-link-routes", 96, route_row);
}

/* Order C: in both steps every node sends to the same neighbour; these neighbours form cycles
 * through the subcubes of equal low j-1 bits. Backward, the same cycles the other way. */
static void circular_order_goes_round_cycles(NO_STATE)
{
    for (unsigned d = 2; d <= 6; d++) {
        const uint32_t p = UINT32_C(1) << d;
        for (unsigned j = 1; j < d; j++) {
            uint32_t next[2][64] = {{0}};
            for (int back = 0; back < 2; back++) {
                struct made m;
                const uint32_t leap = UINT32_C(1) << j;
                shift_opened("cube", d, 0, back ? p - leap : leap, ",labels=gray",
                             "gray-signed:order=C", &m);
                assert_int_equal(m.a.steps, 2);
                for (uint32_t i = 0; i < p; i++)
                    next[back][i] = m.s->transfers[i].dst; /* sorted: node i sends it */
                for (size_t i = 0; i < m.s->transfer_count; i++)
                    assert_int_equal(m.s->transfers[i].dst, next[back][m.s->transfers[i].src]);
                assert_int_equal(m.s->transfer_count, 2 * p);
                made_close(&m);
            }
            for (uint32_t i = 0; i < p; i++) {
                uint32_t length = 1;
                for (uint32_t at = next[0][i]; at != i && length <= p; at = next[0][at])
                    length++;
                assert_int_equal(length, p >> (j - 1)); /* all of its subcube */
                assert_int_equal((i ^ next[0][i]) & ((UINT32_C(1) << (j - 1)) - 1), 0);
                /* 2^(d-1) is its own opposite: there both signs are one schedule. */
                if (j < d - 1)
                    assert_int_equal(next[1][next[0][i]], i);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("rings", rings),
        TEST("tori", tori),
        TEST("the worst shifts of tori", worst_shifts_of_tori),
        TEST("direct routing on tori", direct_routing_on_tori),
        TEST("Gray rings", gray_rings),
        TEST("the worst shifts of Gray rings", worst_shifts_of_gray_rings),
        TEST("the two links of a phase, in each order", routes_of_a_phase),
        TEST("the circular order goes round cycles", circular_order_goes_round_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
