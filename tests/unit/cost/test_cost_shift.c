/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of circular shifts against tables that were counted by moving every element, and against
 * distances and searches in this test. */
#include "table.h"
#include "torus_steps.h"

#include "ec_cost.h"
#include "ec_cost_gergel.h"
#include "ec_cost_gohil.h"
#include "ec_cost_grama.h"
#include "ec_cost_shift.h"

static void the_tables_hold(void **state)
{
    (void)state;
    struct table t = table_open("ring-shift-steps");
    while (table_next(&t))
        assert_int_equal(ec_cost_shift_ring(table_number(&t, 0), table_number(&t, 1)),
                         table_number(&t, 2));
    assert_true(t.rows >= 100);

    t = table_open("torus-shift-steps");
    while (table_next(&t)) {
        const unsigned s = table_number(&t, 0), q = table_number(&t, 1);
        assert_int_equal(ec_cost_shift_forward(s, q), table_number(&t, 2));
        assert_int_equal(ec_cost_shift_plain(s, q), table_number(&t, 3));
        assert_int_equal(ec_cost_shift_merged(s, q), table_number(&t, 4));
        assert_int_equal(ec_cost_shift_per_column(s, q), table_number(&t, 5));
        if (table_has(&t, 6))
            assert_int_equal(ec_cost_shift_compensate_each_row(s, q), table_number(&t, 6));
        assert_int_equal(ec_cost_gohil_mesh_corrected(s, q), table_number(&t, 2));
        assert_int_equal(ec_cost_gohil_mesh_printed(s, q), q);
    }
    assert_true(t.rows >= 100);

    t = table_open("torus-direct-loads");
    while (table_next(&t))
        assert_int_equal(ec_cost_shift_torus_load(table_number(&t, 0), table_number(&t, 1)),
                         table_number(&t, 2));
    assert_true(t.rows >= 40);

    t = table_open("gray-shift-steps");
    while (table_next(&t)) {
        const unsigned d = table_number(&t, 0), q = table_number(&t, 1);
        assert_int_equal(ec_cost_shift_gray_forward(d, q), table_number(&t, 3));
        assert_int_equal(ec_cost_shift_gray_terms(d, q), table_number(&t, 4));
        assert_int_equal(ec_cost_shift_gray_signed(d, q), table_number(&t, 5));
        assert_int_equal(ec_cost_gohil_cube_corrected(d, q), table_number(&t, 3));
    }
    assert_true(t.rows >= 50);
}

static void the_tables_of_worst_shifts_hold(void **state)
{
    (void)state;
    struct table t = table_open("torus-shift-worst");
    while (table_next(&t)) {
        const unsigned s = table_number(&t, 0);
        assert_int_equal(2 * s - 1, table_number(&t, 1));
        assert_int_equal(2 * (s / 2) + 1, table_number(&t, 3));
        assert_int_equal(s, table_number(&t, 5));
        assert_int_equal(s - s % 2, table_number(&t, 7));
    }
    assert_true(t.rows >= 5);

    t = table_open("gray-shift-worst");
    while (table_next(&t)) {
        const unsigned d = table_number(&t, 0);
        assert_int_equal(2 * d - 1, table_number(&t, 1));
        assert_int_equal(d, table_number(&t, 2));
    }
    assert_true(t.rows >= 8);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The worst of each formula over all q is the formula of the worst. */
static void worst_is_the_maximum_over_q(void **state)
{
    (void)state;
    for (uint64_t s = 2; s <= 40; s++) {
        uint64_t forward = 0, plain = 0, merged = 0, column = 0;
        for (uint64_t q = 1; q < s * s; q++) {
            forward = larger(forward, ec_cost_shift_forward(s, q));
            plain = larger(plain, ec_cost_shift_plain(s, q));
            merged = larger(merged, ec_cost_shift_merged(s, q));
            column = larger(column, ec_cost_shift_per_column(s, q));
        }
        assert_int_equal(forward, 2 * s - 1);
        assert_int_equal(plain, 2 * (s / 2) + 1);
        assert_int_equal(merged, s);
        assert_int_equal(column, s - s % 2);
    }
    for (unsigned d = 1; d <= 16; d++) {
        uint64_t forward = 0, back_and_forth = 0;
        for (uint64_t q = 1; q >> d == 0; q++) {
            forward = larger(forward, ec_cost_shift_gray_forward(d, q));
            back_and_forth = larger(back_and_forth, ec_cost_shift_gray_signed(d, q));
        }
        assert_int_equal(forward, 2 * d - 1);
        assert_int_equal(back_and_forth, d);
    }
}

/* On square tori the formulas for any radices are those of the papers. */
static void square_tori_are_a_special_case(void **state)
{
    (void)state;
    for (uint32_t s = 2; s <= 40; s++) {
        const uint32_t radix[] = {s, s};
        for (uint64_t q = 1; q < s * s; q++) {
            assert_int_equal(torus_forward(2, radix, q), ec_cost_shift_forward(s, q));
            assert_int_equal(torus_plain(2, radix, q), ec_cost_shift_plain(s, q));
            assert_int_equal(torus_merged(2, radix, q), ec_cost_shift_merged(s, q));
            assert_int_equal(torus_per_column(2, radix, q), ec_cost_shift_per_column(s, q));
            assert_int_equal(torus_load(2, radix, q), ec_cost_shift_torus_load(s, q));
        }
    }
}

/* The largest steps over all q, with n dimensions of more than one node (docs/study/SHIFTS.md). */
static void worst_shifts_of_any_torus(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 6 * 6 * 6 * 6; code++) {
        const uint32_t radix[] = {code % 6 + 1, code / 6 % 6 + 1, code / 36 % 6 + 1,
                                  code / 216 + 1};
        const uint32_t nodes = radix[0] * radix[1] * radix[2] * radix[3];
        uint64_t forward = 0, plain = 0, merged = 0, column = 0;
        for (uint64_t q = 1; q < nodes; q++) {
            forward = larger(forward, torus_forward(4, radix, q));
            plain = larger(plain, torus_plain(4, radix, q));
            merged = larger(merged, torus_merged(4, radix, q));
            column = larger(column, torus_per_column(4, radix, q));
        }
        if (nodes == 1)
            continue;
        uint64_t n = 0, sum = 0, halves = 0, rounded = 0;
        for (unsigned k = 0; k < 4; k++) {
            sum += radix[k] > 1 ? radix[k] : 0;
            halves += radix[k] / 2;
            rounded += radix[k] > 1 ? (radix[k] + (n > 0)) / 2 : 0;
            n += radix[k] > 1;
        }
        assert_int_equal(forward, sum - 1);
        assert_int_equal(plain, halves + n - 1);
        assert_int_equal(merged, rounded);
        assert_int_equal(column, halves);
    }
}

static unsigned ring_distance(unsigned s, unsigned x, unsigned y)
{
    const unsigned up = (y + s - x) % s;

    return up < s - up ? up : s - up;
}

/* No schedule is faster than its packet with the longest path; `per-column` reaches that bound. */
static void per_column_is_the_longest_way(void **state)
{
    (void)state;
    for (unsigned s = 2; s <= 12; s++) {
        for (unsigned q = 1; q < s * s; q++) {
            unsigned longest = 0;
            for (unsigned i = 0; i < s * s; i++) {
                const unsigned j = (i + q) % (s * s);
                const unsigned way =
                    ring_distance(s, i % s, j % s) + ring_distance(s, i / s, j / s);
                longest = way > longest ? way : longest;
            }
            assert_int_equal(ec_cost_shift_per_column(s, q), longest);
        }
    }
}

/* On a line node 0 sends q up and node p - 1 sends p - q down; the larger distance counts. */
static void a_line_takes_the_longer_way(void **state)
{
    (void)state;
    for (unsigned p = 2; p <= 33; p++) {
        for (unsigned q = 1; q < p; q++) {
            unsigned longest = 0;
            for (unsigned i = 0; i < p; i++) {
                const unsigned j = (i + q) % p, way = j > i ? j - i : i - j;
                longest = way > longest ? way : longest;
            }
            assert_int_equal(ec_cost_shift_line(p, q), longest);
            assert_int_equal(ec_cost_shift_line_printed(p, q), q < p - q ? q : p - q);
        }
    }
}

/* The least steps of any sum of +-2^j, two each but one for 2^0: distances from 0 modulo 2^d. */
static void signed_phases_are_the_fewest(void **state)
{
    static unsigned least[1 << 12];

    (void)state;
    for (unsigned d = 1; d <= 12; d++) {
        const unsigned p = 1U << d;
        for (unsigned q = 1; q < p; q++)
            least[q] = 4 * d;
        least[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (unsigned q = 0; q < p; q++) {
                for (unsigned j = 0; j < d; j++) {
                    const unsigned cost = least[q] + (j ? 2 : 1), step = 1U << j;
                    unsigned *up = &least[(q + step) % p], *down = &least[(q + p - step) % p];
                    changed = changed || *up > cost || *down > cost;
                    *up = *up > cost ? cost : *up;
                    *down = *down > cost ? cost : *down;
                }
            }
        }
        for (unsigned q = 1; q < p; q++)
            assert_int_equal(ec_cost_shift_gray_signed(d, q), least[q]);
    }
}

static unsigned gray(unsigned i)
{
    return i ^ i >> 1;
}

/* Lowest dimension first on Gray labels, every path walked. */
static void direct_gray_loads(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 8; d++) {
        const unsigned p = 1U << d;
        for (unsigned q = 1; q < p; q++) {
            unsigned load[256][8] = {{0}}, most = 0;
            for (unsigned i = 0; i < p; i++) {
                unsigned at = gray(i);
                for (unsigned b = 0; b < d; b++) {
                    if (!((at ^ gray((i + q) % p)) >> b & 1))
                        continue;
                    most = ++load[at][b] > most ? load[at][b] : most;
                    at ^= 1U << b;
                }
            }
            assert_int_equal(ec_cost_shift_gray_direct_load(d, q), most);
        }
    }
}

/* The equations, with a different prime for every symbol. */
static void equations_in_their_symbols(void **state)
{
    const uint64_t ts = 7, tw = 3, th = 2, m = 11;

    (void)state;
    assert_int_equal(ec_cost_grama_step(ts, tw, m), 40);
    for (uint64_t s = 2; s <= 16; s++) {
        uint64_t worst = 0;
        for (uint64_t q = 1; q < s * s; q++)
            worst = larger(worst, 40 * ec_cost_shift_plain(s, q));
        assert_int_equal(ec_cost_grama_mesh_printed(s, ts, tw, m), 40 * (s + 1));
        assert_int_equal(ec_cost_gergel_3_19(s, ts, tw, m), worst);
        assert_true(worst <= ec_cost_grama_mesh_printed(s, ts, tw, m));
        assert_int_equal(worst == ec_cost_grama_mesh_printed(s, ts, tw, m), s % 2 == 0);
    }
    for (unsigned d = 1; d <= 12; d++) {
        const uint64_t last = (UINT64_C(1) << d) - 1;
        assert_int_equal(ec_cost_grama_4_11(d, ts, tw, m),
                         40 * ec_cost_shift_gray_forward(d, last));
        assert_int_equal(ec_cost_grama_4_11_signed(d, ts, tw, m), 40 * d);
        assert_int_equal(ec_cost_gergel_3_20(d, ts, tw, m), ec_cost_grama_4_11(d, ts, tw, m));
        for (uint64_t q = 1; q <= last; q++) {
            const uint64_t hops = d - (unsigned)__builtin_ctzll(q);
            assert_int_equal(ec_cost_grama_4_12_corrected(d, q, ts, th, tw, m), 40 + 2 * hops);
            assert_int_equal(ec_cost_gergel_3_21(d, q, ts, tw, th, m), 40 + 2 * hops);
            /* On the routers here: t_h = t_w = 1, one cycle more for the ejection. */
            assert_int_equal(ec_cost_grama_4_12_corrected(d, q, ts, 1, 1, m) + 1,
                             ec_cost_wormhole(hops, m, m, ts, 2));
            assert_true(ec_cost_shift_gray_forward(d, q) <= 2 * d - 1);
        }
    }
    assert_int_equal(ec_cost_grama_4_12_printed(ts, tw, m), 40);
    assert_int_equal(ec_cost_gergel_3_21_long(ts, tw, m), 40);
    assert_int_equal(ec_cost_gohil_message_printed(ts, tw, m), 40);
    assert_int_equal(ec_cost_gohil_message_corrected(5, ts, th, tw, m), 50);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the tables of shift steps hold", the_tables_hold),
        TEST("the tables of worst shifts hold", the_tables_of_worst_shifts_hold),
        TEST("the worst is the maximum over q", worst_is_the_maximum_over_q),
        TEST("the formulas for any torus hold those for square ones",
             square_tori_are_a_special_case),
        TEST("the worst is the maximum over q on any torus", worst_shifts_of_any_torus),
        TEST("per-column takes as long as the packet with the longest path",
             per_column_is_the_longest_way),
        TEST("a line takes the longer of two distances", a_line_takes_the_longer_way),
        TEST("no sum of signed powers of two takes fewer steps", signed_phases_are_the_fewest),
        TEST("direct shifts on Gray labels load a link twice unless q is a power of two",
             direct_gray_loads),
        TEST("the equations match their symbols", equations_in_their_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
