/* SPDX-License-Identifier: Apache-2.0 */
/* Negative controls: schedules that are wrong in print do fail; impossible requests are refused in
 * one line that names a remedy. */
#include <string.h>

#include "gsh.h"
#include "made.h"
#include "mixed_audit.h"

/* The printed reading of a case gives a schedule with a defect, the corrected one does not. */
static void wrong(const char *orders, uint32_t per_node, const char *algorithm)
{
    const struct blocks b = blocks_of(orders, per_node);
    char topology[16], workload[256], name[64];
    struct made m;

    blocks_topology(&b, topology, sizeof topology);
    blocks_workload(&b, 0, workload, sizeof workload);
    snprintf(name, sizeof name, "%s:reading=printed", algorithm);
    made_open(topology, workload, name, &m);
    if (m.a.valid)
        fail_msg("%s: valid", m.text);
    assert_true(!m.a.congestion_free || !m.a.sound);
    made_close(&m);
    snprintf(name, sizeof name, "%s:reading=corrected", algorithm);
    made_open(topology, workload, name, &m);
    if (!m.a.valid)
        fail_msg("%s: %s", m.text, m.a.defect);
    made_close(&m);
}

static void equal_partition(NO_STATE)
{
    wrong("3-1", 8, "pipelined");
    wrong("4-1", 8, "pipelined");
    wrong("5-3", 16, "pipelined");
    wrong("4-2-1", 16, "pipelined");
    wrong("1-5", 16, "pipelined");
    const struct blocks equal = blocks_of("3-3", 8);
    assert_int_equal(blocks_audit(&equal, 0, "pipelined:reading=printed").steps, 7);
}

static void start_dimensions(NO_STATE)
{
    wrong("6", 18, "concurrent");
    wrong("5", 16, "concurrent");
    wrong("7", 16, "concurrent");
    wrong("6-2", 32, "concurrent");
}

static bool parity_of(uint32_t x)
{
    return __builtin_parity(x);
}

/* Elements of a set of four (v, alpha_0) in every node of an r-cube, exchanged once in every
 * dimension by v and once by alpha_0, both aligned by the parity of the node: how many change their
 * local address. Aligned by the exchanged dimension only, that one never changes. */
static void alignment(NO_STATE)
{
    static const uint32_t expected[] = {8, 32, 96, 256};

    for (unsigned r = 1; r <= 4; r++) {
        uint32_t mismatches = 0, own = 0;
        for (unsigned i = 0; i < r; i++) {
            for (uint32_t at = 0; at < 4U << r; at++) {
                for (unsigned bit = 0; bit < 2; bit++) {
                    if ((at >> bit & 1) == (at >> (2 + i) & 1))
                        continue;
                    const uint32_t to = at ^ 1U << bit ^ 1U << (2 + i);
                    const uint32_t old = (at & 3) ^ (parity_of(at >> 2) ? 3 : 0);
                    const uint32_t new = (to & 3) ^ (parity_of(to >> 2) ? 3 : 0);
                    mismatches += old != new;
                    own += (old ^ new) >> bit & 1;
                }
            }
        }
        assert_int_equal(mismatches, expected[r - 1]);
        assert_int_equal(own, 0);
    }
}

/* Two locations can be a row of three blocks only if every exchange of an aligned control bit tells
 * them apart: complements, and no other pair. */
static void pairs(NO_STATE)
{
    static const unsigned right[] = {7, 6, 5, 4, 3, 2, 1, 0};

    for (unsigned x = 0; x < 8; x++) {
        for (unsigned y = 0; y < 8; y++) {
            bool apart = x != y;
            for (unsigned b = 0; b < 3; b++)
                apart = apart && ((x ^ y) >> b & 1);
            assert_int_equal(apart, right[x] == y);
        }
    }
}

/* One block of order 4, alpha_0 the lowest bit of a slot: the links that elements use, and how many
 * are in each node. */
static struct {
    bool used[4][16][4]; /* [step][node][dimension] */
    uint32_t held[4][16];
} few;

static void few_row(const struct row *r)
{
    const uint32_t *after = &r->number[2];
    uint32_t at = r->number[0];

    assert_int_equal(after[3], (at << 1 | (r->number[1] & 1)) & 15);
    for (unsigned t = 0; t < 4; t++) {
        const uint32_t crossed = at ^ after[t];
        assert_true((crossed & (crossed - 1)) == 0);
        if (crossed) {
            bool *used = &few.used[t][at][__builtin_ctz(crossed)];
            assert_false(*used);
            *used = true;
        }
        at = after[t];
        assert_true(++few.held[t][at] <= 6);
    }
}

/* parity takes 5 steps; lockstep needs K <= 4. */
static void few_by_search(NO_STATE)
{
    each_row("gsh/four-steps", 96, few_row);
}

/* In the numbering of their lists, and with other dimensions, inversions and cycles. */
static void stored(NO_STATE)
{
    static const char *const orders[] = {"5", "3-2", "4-1", "2-3", "1-4"};

    for (size_t i = 0; i < COUNT(orders); i++) {
        const struct blocks b = blocks_of(orders[i], 8);
        for (uint32_t layout = 0; layout < 20; layout++) {
            const struct ec_schedule_audit a = blocks_audit(&b, layout, "stored");
            assert_int_equal(a.steps, least_steps(&b));
            assert_true(a.peak_memory <= 8);
        }
    }
}

static const struct {
    const char *topology, *workload, *algorithm;
    const char *words; /* all of them in the message */
} cases[] = {
    {"cube:3", "shift:q=3", "parity", "algorithm parity|'shift:q=3|bits on a cube|gsh:cycle="},
    {"cube:3", "gsh:cycle=5-4-3,K=8", "parity", "dimension 3|no storage dimension (0 to 2)|real"},
    {"cube:3", "gsh:cycle=5-4-0+~3,K=8", "pipelined", "dimension 3|inverted|with a storage"},
    {"cube:4", "gsh:cycle=6-5-4-3-0,K=8", "stored", "K=8|orders 5, 3 and 2|K=8,m=1|'parity'"},
    {"cube:5", "gsh:cycle=8-7-6-5-4-0,K=16", "stored", "K=8|K=16,m=1|'parity'"},
    {"cube:3", "gsh:cycle=2-1-0,K=8", "pipelined", "no cycle|from 3 on|expected a mixed GSH"},
    {"cube:7", "gsh:cycle=7-6-5-4-0+8-1+9-2+10-3,K=16", "concurrent",
     "1 pairs|K=16|groups of 32|'parity'"},
    {"cube:4", "gsh:cycle=6-5-4-3-0,K=6", "lockstep", "(4 + 1)/2|got 3|larger packets|'parity'"},
    {"cube:4", "gsh:cycle=5-4-0+3-2-1,K=4", "lockstep", "one block|got 2|'parity'"},
    {"cube:3", "gsh:cycle=5-4-0+6-1,K=16", "aapc-concurrent", "orders 2 and 1|equal orders|'aapc'"},
    {"cube:6", "gsh:cycle=6-0+7-1+8-2,K=16", "aapc-parity", "3 blocks|expected two|'aapc'"},
    {"cube:2", "gsh:cycle=3-0+4-1,K=6", "aapc", "K=6"},
    {"cube:8", "gsh:cycle=9-8-7-6-0+5-4-3-10-1,K=8", "aapc-parity", "each of two blocks|K >= 16"},
    {"cube:3", "gsh:cycle=5-4-3-0,K=8", "concurrent:reading=x", "reading=x|corrected|printed"},
    {"cube:3", "gsh:cycle=5-4-3-0,K=8", "parity:reading=printed", "'reading'|expected block"},
};

static void refused(NO_STATE)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = NULL;
        struct ec_schedule *s = NULL;
        struct ec_error error = {0};
        enum ec_code code = ec_workload_open(cases[i].workload, &t, 1, &w, &error);
        if (code == EC_OK)
            code = ec_schedule_open(&t, w, cases[i].algorithm, &s, &error);
        assert_refused(cases[i].algorithm, code, EC_USAGE, &error, cases[i].words);
        ec_workload_close(w);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("blocks of equally many rows collide where orders differ", equal_partition),
        TEST("sets that start in dimension sigma_r - j collide", start_dimensions),
        TEST("v and alpha_0 aligned by one parity do not keep local addresses", alignment),
        TEST("only complementary locations are pairs for three control dimensions", pairs),
        TEST("one block of order 4, K = 6: 4 steps", few_by_search),
        TEST("stored schedules: the fewest steps, in any layout", stored),
        TEST("impossible requests are refused in one line", refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
