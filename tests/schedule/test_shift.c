/* SPDX-License-Identifier: Apache-2.0 */
/* Every circular shift by every algorithm: steps by formulas and searches that are written here, on
 * tori of unequal radices by those of the cost model; placement by moving the elements. Argument:
 * the largest cube of which every q is tried; of larger ones, up to 12, a sample. */
#include "made.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/audit.h"
#include "torus_steps.h"

static unsigned all_dims = 8;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void right(const char *topology, uint32_t q, const char *labels, const char *algorithm,
                  uint32_t steps)
{
    struct made m;
    char workload[48];

    snprintf(workload, sizeof workload, "shift:q=%u%s", q, labels);
    made_open(topology, workload, algorithm, &m);
    made_right(&m, q, steps);
    made_close(&m);
}

static void rings_go_the_shorter_way(NO_STATE)
{
    char ring[16], torus[16];

    for (uint32_t p = 2; p <= 64; p = p == 33 ? 64 : p + 1) {
        for (uint32_t q = 1; q < p; q++) {
            snprintf(ring, sizeof ring, "ring:%u", p);
            snprintf(torus, sizeof torus, "torus:%u", p);
            right(ring, q, "", "ring", least(q, p - q));
            right(torus, q, "", "ring", least(q, p - q));
        }
    }
}

static void half_way_round_is_forward(NO_STATE)
{
    struct made m;

    made_open("ring:6", "shift:q=3", "ring", &m);
    assert_int_equal(m.s->transfers[0].src, 0);
    assert_int_equal(m.s->transfers[0].dst, 1);
    made_close(&m);
}

static void lines_have_no_way_round(NO_STATE)
{
    char line[3][24];
    struct made m;

    for (uint32_t p = 2; p <= 33; p++) {
        snprintf(line[0], sizeof line[0], "mesh:%u", p);
        snprintf(line[1], sizeof line[0], "mesh:%ux1", p);
        snprintf(line[2], sizeof line[0], "mesh:1x%u", p);
        for (uint32_t q = 1; q < p; q++) {
            char workload[32];
            for (int k = 0; k < 3; k++)
                right(line[k], q, "", "line", most(q, p - q));
            /* With one port it would fail exactly where elements meet: everywhere but p = 2. */
            snprintf(workload, sizeof workload, "shift:q=%u", q);
            made_open(line[0], workload, "line", &m);
            assert_int_equal(m.a.one_port, p == 2);
            assert_true(m.a.peak_memory <= 2);
            made_close(&m);
        }
    }
}

/* Links on a shortest way from (0,0) to (x,y), by spreading from node to node over a torus. */
static void spread(uint32_t s, uint32_t *distance)
{
    uint32_t changed = 1;

    for (uint32_t i = 0; i < s * s; i++)
        distance[i] = i ? UINT32_MAX - 1 : 0;
    while (changed) {
        changed = 0;
        for (uint32_t i = 0; i < s * s; i++) {
            const uint32_t x = i % s, y = i / s;
            const uint32_t around[] = {y * s + (x + 1) % s, y * s + (x + s - 1) % s,
                                       (y + 1) % s * s + x, (y + s - 1) % s * s + x};
            for (int k = 0; k < 4; k++) {
                if (distance[around[k]] + 1 < distance[i]) {
                    distance[i] = distance[around[k]] + 1;
                    changed = 1;
                }
            }
        }
    }
}

/* The longest way that any element has to go. */
static uint32_t worst_distance(uint32_t s, uint32_t q, const uint32_t *distance)
{
    uint32_t worst = 0;

    for (uint32_t i = 0; i < s * s; i++) {
        const uint32_t j = (i + q) % (s * s);
        const uint32_t dx = (j % s + s - i % s) % s, dy = (j / s + s - i / s) % s;
        worst = most(worst, distance[dy * s + dx]);
    }
    return worst;
}

static void torus_steps_are_the_formulas(NO_STATE)
{
    static uint32_t distance[16 * 16];
    char torus[16];

    for (uint32_t s = 2; s <= 16; s++) {
        snprintf(torus, sizeof torus, "torus:%ux%u", s, s);
        spread(s, distance);
        for (uint32_t q = 1; q < s * s; q++) {
            const uint32_t r = q % s, c = q / s, row = least(r, s - r), fix = r > 0;
            const uint32_t own = most(least(c, s - c), least(c + 1, s - c - 1));
            right(torus, q, "", "forward", r + fix + c);
            right(torus, q, "", "plain", row + fix + least(c, s - c));
            right(torus, q, "", "merged", row + (fix ? least(c + 1, s - c) : least(c, s - c)));
            right(torus, q, "", "per-column", row + (fix ? own : least(c, s - c)));
            right(torus, q, "", "compensate-each-row", 2 * r + c);
            right(torus, q, "", "per-column", worst_distance(s, q, distance));
        }
    }
}

/* Grama's and Gergel's bounds, and by which side and q they are reached first. */
static void torus_maxima(NO_STATE)
{
    const char *const names[] = {"forward", "plain", "merged", "per-column"};

    for (uint32_t s = 2; s <= 10; s++) {
        uint32_t max[4] = {0};
        for (uint32_t q = 1; q < s * s; q++) {
            for (int k = 0; k < 4; k++) {
                struct made m;
                char torus[16], workload[32];
                snprintf(torus, sizeof torus, "torus:%ux%u", s, s);
                snprintf(workload, sizeof workload, "shift:q=%u", q);
                made_open(torus, workload, names[k], &m);
                max[k] = most(max[k], m.a.steps);
                made_close(&m);
            }
        }
        assert_int_equal(max[0], 2 * s - 1);
        assert_int_equal(max[1], 2 * (s / 2) + 1);
        assert_int_equal(max[2], s);
        assert_int_equal(max[3], s % 2 ? s - 1 : s);
    }
}

/* The longest way of any element of a q-shift, by the labels as they are added. */
static uint32_t longest_way(const uint32_t *radix, unsigned dims, uint32_t nodes, uint32_t q)
{
    uint32_t longest = 0;

    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t from = i, to = (i + q) % nodes, way = 0;
        for (unsigned k = 0; k < dims; from /= radix[k], to /= radix[k], k++) {
            const uint32_t x = from % radix[k], y = to % radix[k], apart = x < y ? y - x : x - y;
            way += least(apart, radix[k] - apart);
        }
        longest = most(longest, way);
    }
    return longest;
}

/* Direct routing, either order of dimensions: the busiest link. */
static void direct_load_of(const char *torus, const uint32_t *radix, unsigned dims, uint32_t q)
{
    static const char *const orders[] = {"order=low", "order=high"};
    const struct ec_topology t = topology_of(torus);
    char workload[32];

    snprintf(workload, sizeof workload, "shift:q=%u", q);
    struct ec_workload *w = workload_of(workload, &t);
    for (size_t k = 0; k < COUNT(orders); k++) {
        const struct ec_router router = router_of(orders[k], &t);
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &router, w, false, &a, NULL), EC_OK);
        assert_int_equal(a->max_link_load, torus_load(dims, radix, q));
        ec_audit_close(a);
    }
    ec_workload_close(w);
}

static void every_shift_of(const uint32_t *radix, unsigned dims, uint32_t nodes)
{
    char torus[64] = "torus";

    for (unsigned k = 0; k < dims; k++) {
        const size_t used = strlen(torus);
        snprintf(torus + used, sizeof torus - used, "%c%u", k ? 'x' : ':', radix[k]);
    }
    for (uint32_t q = 1; q < nodes; q++) {
        const uint32_t best = longest_way(radix, dims, nodes, q);
        direct_load_of(torus, radix, dims, q);
        right(torus, q, "", "forward", (uint32_t)torus_forward(dims, radix, q));
        right(torus, q, "", "plain", (uint32_t)torus_plain(dims, radix, q));
        right(torus, q, "", "merged", (uint32_t)torus_merged(dims, radix, q));
        right(torus, q, "", "per-column", best);
        assert_int_equal(torus_per_column(dims, radix, q), best);
    }
}

/* All lists of `dims` radices from 2 on with a product of at most `nodes`. Returns their number. */
static unsigned tori_of(uint32_t *radix, unsigned k, unsigned dims, uint32_t product,
                        uint32_t nodes)
{
    unsigned tori = 0;

    if (k == dims) {
        every_shift_of(radix, dims, product);
        return 1;
    }
    for (radix[k] = 2; product * radix[k] <= nodes; radix[k]++)
        tori += tori_of(radix, k + 1, dims, product * radix[k], nodes);
    return tori;
}

static void tori_of_any_radices(NO_STATE)
{
    uint32_t radix[5];
    unsigned tori = 0;
    /* A radix of 1 changes nothing, wherever it is. */
    static const uint32_t flat[][4] = {{1, 5, 1, 1}, {3, 1, 4, 1}, {1, 1, 2, 3}, {4, 3, 1, 2}};

    for (unsigned dims = 1; dims <= 4; dims++)
        tori += tori_of(radix, 0, dims, 1, 64);
    assert_int_equal(tori, 428);
    for (size_t i = 0; i < COUNT(flat); i++)
        every_shift_of(flat[i], 4, flat[i][0] * flat[i][1] * flat[i][2] * flat[i][3]);
    every_shift_of((const uint32_t[]){2, 3, 2, 2, 2}, 5, 48);
}

/* The same schedule, transfer by transfer. */
static void same_schedule(const char *topology, const char *one, const char *other, uint32_t q)
{
    struct made a, b;
    char workload[32];

    snprintf(workload, sizeof workload, "shift:q=%u", q);
    made_open(topology, workload, one, &a);
    made_open(topology, workload, other, &b);
    assert_int_equal(a.s->transfer_count, b.s->transfer_count);
    assert_memory_equal(a.s->transfers, b.s->transfers,
                        a.s->transfer_count * sizeof *a.s->transfers);
    made_close(&a);
    made_close(&b);
}

static void on_a_ring_all_go_the_shorter_way(NO_STATE)
{
    static const char *const names[] = {"plain", "merged", "per-column"};

    for (uint32_t q = 1; q < 9; q++) {
        for (size_t k = 0; k < COUNT(names); k++)
            same_schedule("ring:9", "ring", names[k], q);
        right("ring:9", q, "", "forward", q);
    }
}

/* Fewest steps to go q on a ring of 2^d by leaps of 2^j either way, 2 steps each, 1 for j = 0:
 * Dijkstra's search with a queue per number of steps. */
static void cheapest(unsigned d, uint32_t *steps)
{
    const uint32_t p = UINT32_C(1) << d;

    for (uint32_t i = 0; i < p; i++)
        steps[i] = i ? UINT32_MAX : 0;
    for (uint32_t now = 0; now <= 2 * d; now++) {
        for (uint32_t i = 0; i < p; i++) {
            if (steps[i] != now)
                continue;
            for (unsigned j = 0; j < d; j++) {
                const uint32_t leap = UINT32_C(1) << j, cost = now + (j ? 2 : 1);
                const uint32_t up = (i + leap) % p, down = (i + p - leap) % p;
                steps[up] = least(steps[up], cost);
                steps[down] = least(steps[down], cost);
            }
        }
    }
}

/* The q to try on a cube of d dimensions: all of them, or a sample with both ends. */
static uint32_t next_q(unsigned d, uint32_t q)
{
    const uint32_t p = UINT32_C(1) << d, stride = d <= all_dims ? 1 : p / 7;

    return q + stride < p || q == p - 1 ? q + stride : p - 1;
}

static void gray_steps_are_the_formulas(NO_STATE)
{
    static uint32_t steps[1 << 12];
    char cube[16], forward[] = "gray-forward:order=A", both[] = "gray-signed:order=A";

    for (unsigned d = 1; d <= 12; d++) {
        uint32_t max = 0;
        snprintf(cube, sizeof cube, "cube:%u", d);
        cheapest(d, steps);
        for (uint32_t q = 1; q < UINT32_C(1) << d; q = next_q(d, q)) {
            const uint32_t ones = (uint32_t)__builtin_popcount(q);
            for (char order = 'A'; order <= 'C'; order++) {
                forward[strlen(forward) - 1] = both[strlen(both) - 1] = order;
                right(cube, q, ",labels=gray", forward, 2 * ones - q % 2);
                right(cube, q, ",labels=gray", both, steps[q]);
            }
        }
        for (uint32_t q = 1; q < UINT32_C(1) << d; q++)
            max = most(max, steps[q]);
        assert_int_equal(max, d);
    }
}

static void ecube_stages_hold_one_element_a_node(NO_STATE)
{
    char cube[16];

    for (unsigned d = 1; d <= 12; d++) {
        snprintf(cube, sizeof cube, "cube:%u", d);
        for (uint32_t q = 1; q < UINT32_C(1) << d; q = next_q(d, q)) {
            const uint32_t longest = d - (uint32_t)__builtin_ctz(q);
            right(cube, q, "", "ecube-steps", longest);
            right(cube, q, "", "ecube-steps:order=high", longest);
        }
    }
}

/* All orders of up to four dimensions, by counting in base d and leaving out the repetitions. */
static void any_common_order_will_do(NO_STATE)
{
    unsigned tried = 0;

    for (unsigned d = 1; d <= 4; d++) {
        uint32_t all = 1;
        for (unsigned k = 0; k < d; k++)
            all *= d;
        for (uint32_t code = 0; code < all; code++) {
            char cube[16], algorithm[48] = "ecube-steps:order=";
            uint32_t rest = code, seen = 0;
            for (unsigned k = 0; k < d; k++, rest /= d) {
                seen |= UINT32_C(1) << rest % d;
                const size_t used = strlen(algorithm);
                snprintf(algorithm + used, sizeof algorithm - used, "%s%u", k ? "-" : "", rest % d);
            }
            if (seen != (UINT32_C(1) << d) - 1)
                continue;
            tried++;
            snprintf(cube, sizeof cube, "cube:%u", d);
            for (uint32_t q = 1; q < UINT32_C(1) << d; q++)
                right(cube, q, "", algorithm, d - (uint32_t)__builtin_ctz(q));
        }
    }
    assert_int_equal(tried, 1 + 2 + 6 + 24);
}

static void mixed_orders_meet(NO_STATE)
{
    struct made m;
    static struct found f;

    made_open("cube:2", "shift:q=1", "ecube-steps:order=mixed", &m);
    made_follow(&m, &f);
    made_agree(&m, &f);
    assert_true(m.a.sound && m.a.placed && m.a.adjacent);
    assert_false(m.a.one_port);
    assert_false(m.a.valid);
    assert_int_equal(m.a.max_link_elements, 2); /* 1 -> 2 and 3 -> 0 both cross node 1's dim0 */
    assert_int_equal(m.a.peak_memory, 2);
    made_close(&m);
    made_open("cube:2", "shift:q=1", "ecube-steps", &m);
    assert_int_equal(m.a.max_link_elements, 1);
    made_close(&m);
}

/* Compensating what wrapped is right going east and wrong for every q going west. */
static void compensating_what_wrapped_going_west_is_wrong(NO_STATE)
{
    static struct found f;
    uint32_t first_side = 0, first_q = 0;

    for (uint32_t s = 2; s <= 10; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            char torus[16], workload[32];
            snprintf(torus, sizeof torus, "torus:%ux%u", s, s);
            snprintf(workload, sizeof workload, "shift:q=%u", q);
            made_open(torus, workload, "compensate-wrapped", &m);
            made_follow(&m, &f);
            made_agree(&m, &f);
            const uint32_t r = q % s;
            const bool west = r > s - r;
            assert_int_equal(m.a.placed, !west);
            assert_true(m.a.sound && m.a.adjacent && m.a.congestion_free);
            if (!m.a.placed && !first_side) {
                first_side = s;
                first_q = q;
                assert_non_null(
                    strstr(m.a.defect, "at the end: the element of node 0 is in slot 0"));
            }
            made_close(&m);
        }
    }
    assert_int_equal(first_side, 3);
    assert_int_equal(first_q, 2);
}

/* "A 3-shift on 4x4 by one row step back": 12 of 16 elements are a row short. */
static void one_step_is_not_a_3_shift(NO_STATE)
{
    struct made m;
    struct ec_schedule_audit a;
    static struct found f;
    uint32_t short_of = 0;

    made_open("torus:4x4", "shift:q=3", "merged", &m);
    assert_int_equal(m.a.steps, 2);
    m.s->steps = 1;
    while (m.s->transfers[m.s->transfer_count - 1].step > 1)
        m.s->transfer_count--;
    assert_int_equal(ec_schedule_audit(&m.t, &low_first, m.s, &a, NULL), EC_OK);
    assert_false(a.valid);
    assert_false(a.placed);
    assert_non_null(strstr(a.defect, "at the end"));
    made_follow(&m, &f);
    for (uint32_t i = 0; i < 16; i++) {
        if (f.at[i] != (i + 3) % 16) {
            assert_int_equal((f.at[i] + 4) % 16, (i + 3) % 16);
            assert_true(f.at[i] % 4 < 3);
            short_of++;
        }
    }
    assert_int_equal(short_of, 12);
    made_close(&m);
}

/* Figure 4.22: the 5-shift on 4x4 after each of its three steps. */
static void figure_4_22(NO_STATE)
{
    /* The element in each node. */
    static const uint32_t after[3][16] = {
        {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14},
        {15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
        {11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
    };
    struct made m;
    static struct found f;

    for (uint32_t step = 1; step <= 3; step++) {
        made_open("torus:4x4", "shift:q=5", "forward", &m);
        while (m.s->transfers[m.s->transfer_count - 1].step > step)
            m.s->transfer_count--;
        made_follow(&m, &f);
        for (uint32_t node = 0; node < 16; node++)
            assert_int_equal(f.at[after[step - 1][node]], node);
        made_close(&m);
    }
}

/* Reversed, a q-shift is a (p-q)-shift in as many steps. */
static void duals_shift_back(NO_STATE)
{
    const struct {
        const char *topology, *labels, *algorithm;
    } cases[] = {
        {"ring:2", "", "ring"},
        {"ring:9", "", "ring"},
        {"mesh:7", "", "line"},
        {"torus:4x4", "", "forward"},
        {"torus:5x5", "", "per-column"},
        {"torus:3x3", "", "compensate-each-row"},
        {"cube:1", ",labels=gray", "gray-signed"},
        {"cube:4", ",labels=gray", "gray-forward:order=C"},
        {"cube:4", "", "ecube-steps:order=high"},
    };

    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct ec_topology t = topology_of(cases[k].topology);
        for (uint32_t q = 1; q < t.nodes; q++) {
            struct made m, back;
            char workload[48];
            struct ec_error error;
            snprintf(workload, sizeof workload, "shift:q=%u%s", q, cases[k].labels);
            made_open(cases[k].topology, workload, cases[k].algorithm, &m);
            back = m;
            if (ec_schedule_reverse(m.s, &back.s, &error) ||
                ec_schedule_audit(&t, &low_first, back.s, &back.a, &error))
                fail_msg("%s: %s", m.text, error.message);
            made_right(&back, t.nodes - q, m.a.steps);
            assert_int_equal(back.s->transfer_count, m.s->transfer_count);
            ec_schedule_close(back.s);
            made_close(&m);
        }
    }
}

/* A dual takes local moves back, too; and schedules without a dual are refused. */
static void duals_of_moves_and_of_nonsense(NO_STATE)
{
    const struct ec_topology t = topology_of("ring:2");
    struct ec_place target[] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}};
    struct ec_transfer transfers[] = {{1, 0, 1, 0, 1}, {1, 1, 0, 1, 1}};
    struct ec_carried carried[] = {{0, 1}, {3, 0}};
    struct ec_local_move moves[] = {{1, 2, 5}, {2, 1, 1}, {2, 2, 0}};
    struct ec_schedule s = {.nodes = 2,
                            .holders = 2,
                            .per_node = 2,
                            .words = 1,
                            .target = target,
                            .transfers = transfers,
                            .carried = carried,
                            .moves = moves,
                            .transfer_count = 2,
                            .carried_count = 2,
                            .move_count = 3,
                            .steps = 1};
    struct ec_schedule *dual = NULL;
    struct ec_schedule_audit a;
    struct ec_error error;

    assert_int_equal(ec_schedule_audit(&t, &low_first, &s, &a, &error), EC_OK);
    assert_string_equal(a.defect, "");
    assert_int_equal(ec_schedule_reverse(&s, &dual, &error), EC_OK);
    assert_int_equal(ec_schedule_audit(&t, &low_first, dual, &a, &error), EC_OK);
    assert_string_equal(a.defect, "");
    assert_int_equal(a.local_moves, 2);       /* element 1 "moves" to where it is */
    assert_int_equal(dual->moves[0].step, 1); /* what came last comes first */
    ec_schedule_close(dual);

    target[0] = target[1];
    assert_refused("two to one", ec_schedule_reverse(&s, &dual, &error), EC_USAGE, &error,
                   "no dual|different target");
    target[0] = (struct ec_place){1, 2};
    assert_refused("no slot", ec_schedule_reverse(&s, &dual, &error), EC_USAGE, &error, "no dual");
    target[0] = (struct ec_place){1, 1};
    carried[0].element = 4;
    assert_refused("no element", ec_schedule_reverse(&s, &dual, &error), EC_USAGE, &error,
                   "no dual");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST("rings go the shorter way round", rings_go_the_shorter_way),
        TEST("half-way round is forward", half_way_round_is_forward),
        TEST("lines have no way round", lines_have_no_way_round),
        TEST("torus: steps match the formulas, per-column the worst distance",
             torus_steps_are_the_formulas),
        TEST("torus: the maxima over all q", torus_maxima),
        TEST("torus: any radices, steps match the formulas, per-column the worst distance",
             tori_of_any_radices),
        TEST("torus: on a ring all go the shorter way", on_a_ring_all_go_the_shorter_way),
        TEST("Gray ring: steps match the formulas, signed is optimal", gray_steps_are_the_formulas),
        TEST("E-cube: every stage holds one element a node", ecube_stages_hold_one_element_a_node),
        TEST("E-cube: any common order will do", any_common_order_will_do),
        TEST("E-cube: mixed orders meet", mixed_orders_meet),
        TEST("compensating what wrapped going west is wrong for every q",
             compensating_what_wrapped_going_west_is_wrong),
        TEST("one step is not a 3-shift on 4x4", one_step_is_not_a_3_shift),
        TEST("Figure 4.22, step by step", figure_4_22),
        TEST("the dual of a shift shifts back in as many steps", duals_shift_back),
        TEST("duals take moves back, and invalid schedules have none",
             duals_of_moves_and_of_nonsense),
    };

    if (argc > 1)
        all_dims = (unsigned)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
