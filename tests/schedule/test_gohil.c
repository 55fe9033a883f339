/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's procedures as printed: the audit finds the defect of each reading, and no others. */
#include "made.h"

#include <string.h>

static void mesh_opened(uint32_t s, uint32_t q, const char *reading, struct made *ret)
{
    char topology[24], workload[24], algorithm[160];

    snprintf(topology, sizeof topology, "torus:%ux%u", s, s);
    snprintf(workload, sizeof workload, "shift:q=%u", q);
    snprintf(algorithm, sizeof algorithm, "gohil-mesh:reading=%s", reading);
    made_open(topology, workload, algorithm, ret);
}

static void cube_opened(unsigned d, uint32_t q, const char *labels, const char *reading,
                        struct made *ret)
{
    char topology[24], workload[40], algorithm[48];

    snprintf(topology, sizeof topology, "cube:%u", d);
    snprintf(workload, sizeof workload, "shift:q=%u%s", q, labels);
    snprintf(algorithm, sizeof algorithm, "gohil-cube:reading=%s", reading);
    made_open(topology, workload, algorithm, ret);
}

/* Messages that are received and do not cross just one link. */
static uint32_t far_ones(const struct made *m)
{
    uint32_t count = 0;

    for (size_t i = 0; i < m->s->transfer_count; i++) {
        const struct ec_transfer *x = &m->s->transfers[i];
        count +=
            m->s->carried[x->first].slot == 0 && ec_topology_distance(&m->t, x->src, x->dst) != 1;
    }
    return count;
}

static void mesh_row(const struct row *r)
{
    static struct found f;
    struct made m;

    mesh_opened(r->number[0], r->number[1], r->table->cell[2], &m);
    made_follow(&m, &f);
    made_agree(&m, &f);
    if (m.a.placed != r->number[3] || far_ones(&m) != r->number[4])
        fail_msg("%s: placed %d, expected %u; %u far, expected %u", m.text, m.a.placed,
                 r->number[3], far_ones(&m), r->number[4]);
    made_close(&m);
}

static void mesh_as_in_the_table(NO_STATE)
{
    each_row("gohil-mesh", 104, mesh_row);
}

static void expect_defect(const struct made *m, const char *words)
{
    char copy[128];

    snprintf(copy, sizeof copy, "%s", words);
    char *rest = copy;
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(m->a.defect, word))
            fail_msg("%s: no '%s' in '%s'", m->text, word, m->a.defect);
    }
}

/* A ring of q steps, whose row ends are no links of the torus, and a step of messages to oneself.
 */
static void p_the_number_of_nodes(NO_STATE)
{
    for (uint32_t s = 2; s <= 6; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            mesh_opened(s, q, "nodes", &m);
            assert_true(m.a.sound && m.a.placed && m.a.one_port);
            assert_false(m.a.adjacent);
            assert_int_equal(m.a.steps, q + 1);
            for (size_t i = 0; i < m.s->transfer_count; i++) {
                const struct ec_transfer *x = &m.s->transfers[i];
                assert_int_equal(x->step == q + 1, x->src == x->dst);
            }
            if (s == 2 && q == 1)
                expect_defect(&m, "step 1|node 1 (1,0) sends to node 2 (0,1), 2 links away");
            made_close(&m);
        }
    }
}

/* Up and down lead to row 0, where no node receives all that: it ends there, for every q. */
static void p_the_side(NO_STATE)
{
    for (uint32_t s = 2; s <= 8; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            mesh_opened(s, q, "side", &m);
            assert_false(m.a.valid || m.a.placed || m.a.one_port);
            assert_int_equal(m.a.steps, q % s + 1); /* the first statement of up and down */
            if (s == 2 && q == 1)
                expect_defect(&m, "step 2|node 0 (0,0) sends to itself");
            made_close(&m);
        }
    }
}

/* Where rows that go left or right and columns that go up take all elements: not where they should.
 */
static void ends_backward(const struct found *f, uint32_t s, uint32_t q, bool rows_left)
{
    const uint32_t r = q % s, c = q / s;

    for (uint32_t i = 0; i < s * s; i++) {
        const uint32_t column = (i % s + (rows_left ? s - r : r)) % s;
        const uint32_t rows = c + (column < r);
        assert_int_equal(f->at[i], (i / s + 2 * s - rows) % s * s + column);
    }
}

/* The side in rows, the number of nodes in columns: columns go backward. */
static void p_mixed(NO_STATE)
{
    static struct found f;

    for (uint32_t s = 2; s <= 8; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            mesh_opened(s, q, "mixed", &m);
            made_follow(&m, &f);
            ends_backward(&f, s, q, false);
            assert_true(m.a.sound && m.a.adjacent && m.a.one_port && m.a.congestion_free);
            assert_int_equal(m.a.placed, s == 2 || 2 * q == s * s);
            if (s == 3 && q == 1)
                expect_defect(&m, "at the end");
            made_close(&m);
        }
    }
}

/* Rows left, columns up: a shift by -q where the side divides q, and never else but by accident. */
static void the_prose(NO_STATE)
{
    static struct found f;

    for (uint32_t s = 2; s <= 8; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            bool back = true;
            mesh_opened(s, q, "prose", &m);
            made_follow(&m, &f);
            made_agree(&m, &f);
            ends_backward(&f, s, q, true);
            assert_true(m.a.sound && m.a.adjacent && m.a.one_port && m.a.congestion_free);
            assert_int_equal(m.a.placed, s == 2 || 2 * q == s * s);
            for (uint32_t i = 0; i < s * s; i++)
                back = back && (f.at[i] + q) % (s * s) == i;
            if (s > 2)
                assert_int_equal(back, q % s == 0);
            made_close(&m);
        }
    }
}

static void corrected_mesh_is_the_shift(NO_STATE)
{
    for (uint32_t s = 2; s <= 8; s++) {
        for (uint32_t q = 1; q < s * s; q++) {
            struct made m;
            mesh_opened(s, q, "corrected", &m);
            made_right(&m, q, q % s + (q % s > 0) + q / s);
            made_close(&m);
        }
    }
}

/* Figure 1: the 5-shift on 4x4, in three steps only where it is corrected. */
static void its_own_figure(NO_STATE)
{
    const char *const readings[] = {"nodes", "side", "mixed", "prose", "corrected"};

    for (size_t k = 0; k < COUNT(readings); k++) {
        struct made m;
        mesh_opened(4, 5, readings[k], &m);
        assert_int_equal(m.a.valid, k == 4);
        assert_int_equal(m.a.placed, k == 0 || k == 4);
        made_close(&m);
    }
}

static uint32_t farthest(const struct made *m)
{
    uint32_t most = 0;

    for (size_t i = 0; i < m->s->transfer_count; i++) {
        const uint32_t x = m->s->transfers[i].src ^ m->s->transfers[i].dst;
        const uint32_t links = (uint32_t)__builtin_popcount(x);
        most = links > most ? links : most;
    }
    return most;
}

static void cube_row(const struct row *r)
{
    static struct found f;
    const unsigned d = r->number[0];
    const uint32_t q = r->number[1];
    struct made m;

    cube_opened(d, q, "", "printed", &m);
    made_follow(&m, &f);
    made_agree(&m, &f);
    assert_int_equal(m.a.placed, r->number[2]);
    assert_int_equal(farthest(&m), r->number[4]);
    assert_int_equal(m.a.steps, r->number[5]);
    made_close(&m);

    cube_opened(d, q, "", "received", &m);
    made_follow(&m, &f);
    made_agree(&m, &f);
    assert_int_equal(m.a.placed, r->number[3]);
    assert_int_equal(farthest(&m), r->number[4]);
    assert_int_equal(m.a.adjacent, r->number[4] == 1);
    made_close(&m);

    cube_opened(d, q, ",labels=gray", "corrected", &m);
    made_right(&m, q, r->number[6]);
    made_close(&m);
}

static void cube_as_in_the_table(NO_STATE)
{
    each_row("gohil-cube", 26, cube_row);
}

/* Sent and never received; sent again, the message is no longer there. */
static void printed_cube_never_receives(NO_STATE)
{
    for (unsigned d = 1; d <= 7; d++) {
        for (uint32_t q = 1; q < UINT32_C(1) << d; q++) {
            struct made m;
            cube_opened(d, q, "", "printed", &m);
            assert_false(m.a.placed);
            assert_int_equal(m.a.sound, __builtin_popcount(q) == 1);
            if (d == 1)
                expect_defect(&m, "element of node 0|slot 1 of node 1, not in slot 0 of node 1");
            if (d == 2 && q == 1)
                expect_defect(&m, "step 1|node 1 (01) sends to node 2 (10), 2 links away");
            made_close(&m);
        }
    }
}

/* With the receive that it implies, elements get where they should; no phase is a step. */
static void received_cube_sends_too_far(NO_STATE)
{
    for (unsigned d = 1; d <= 7; d++) {
        for (uint32_t q = 1; q < UINT32_C(1) << d; q++) {
            const unsigned lowest = (unsigned)__builtin_ctz(q);
            struct made m;
            cube_opened(d, q, "", "received", &m);
            assert_true(m.a.sound && m.a.placed && m.a.one_port);
            assert_int_equal(farthest(&m), d - lowest);
            made_close(&m);
            cube_opened(d, q, ",labels=gray", "received", &m);
            assert_true(m.a.sound && m.a.placed && m.a.one_port);
            assert_int_equal(farthest(&m), q == 1 ? 1 : 2);
            assert_int_equal(m.a.adjacent, q == 1);
            made_close(&m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("mesh: every reading as in the table", mesh_as_in_the_table),
        TEST("mesh, p = nodes: right places over links that do not exist", p_the_number_of_nodes),
        TEST("mesh, p = side: messages that no node receives", p_the_side),
        TEST("mesh, p mixed: columns backward", p_mixed),
        TEST("mesh, the prose: a shift by -q where the side divides q", the_prose),
        TEST("mesh, corrected: the shift", corrected_mesh_is_the_shift),
        TEST("mesh: its own figure", its_own_figure),
        TEST("cube: every reading as in the table", cube_as_in_the_table),
        TEST("cube, printed: never receives", printed_cube_never_receives),
        TEST("cube, received: sends too far", received_cube_sends_too_far),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
