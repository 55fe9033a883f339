/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms for any dimension permutation: random ones with inversions are carried out to the last
 * element; steps, memory and the choice of the best are checked. */
#include "gsh.h"

#include <stdlib.h>

#include "ecube/audit.h"

static uint32_t noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* A random permutation of k storage and n processor dimensions as text; `share` of 8 dimensions are
 * inverted. Written by following the bits, not by the library. False: it moves nothing. */
static bool random_text(char *text, size_t size, unsigned k, unsigned n, uint32_t per_node,
                        unsigned share, uint64_t *state)
{
    unsigned to[16], m = k + n, parts = 0;
    bool inverted[16], done[16] = {false};
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");

    for (unsigned i = 0; i < m; i++) {
        const unsigned j = noise(state) % (i + 1);
        to[i] = i;
        to[i] = to[j];
        to[j] = i;
        inverted[i] = noise(state) % 8 < share;
    }
    for (unsigned i = 0; i < m; i++) {
        if (done[i] || (to[i] == i && !inverted[i]))
            continue;
        const char *before = parts++ ? "+" : "";
        for (unsigned j = i; !done[j]; j = to[j], before = "-") {
            done[j] = true;
            used += (size_t)snprintf(text + used, size - used, "%s%s%u", before,
                                     inverted[j] ? "~" : "", j);
        }
    }
    snprintf(text + used, size - used, ",K=%u", per_node);
    return parts > 0;
}

static void check_random(const char *algorithm, unsigned rounds, unsigned k_least)
{
    uint64_t state = 11;
    char topology[16], text[160];

    for (unsigned round = 0; round < rounds; round++) {
        const unsigned n = 1 + noise(&state) % 4, k = k_least * n + noise(&state) % 4;
        if (!random_text(text, sizeof text, k, n, UINT32_C(1) << k, round % 4, &state))
            continue;
        snprintf(topology, sizeof topology, "cube:%u", n);
        audited(topology, text, algorithm);
    }
}

static void cycles_carry_out_any_permutation(NO_STATE)
{
    check_random("cycles", 150, 0);
    check_random("cycles:block=2", 40, 0);
    check_random("cycles-one-port", 150, 0);
    check_random("cycles-one-port:block=2", 40, 0);
}

static void two_all_to_alls_carry_out_any_permutation(NO_STATE)
{
    check_random("aapc-twice", 60, 1);
    check_random("aapc-twice-one-port", 60, 1);
    check_random("aapc-twice:block=3", 20, 1);
}

static void best_carries_out_any_permutation(NO_STATE)
{
    check_random("best", 100, 0);
}

/* Whatever it leaves out as hopeless. */
static void no_algorithm_is_faster_than_the_best(NO_STATE)
{
    uint64_t random = 5;
    char topology[16], text[160], name[64];

    for (unsigned round = 0; round < 150; round++) {
        const unsigned n = 1 + noise(&random) % 4, k = noise(&random) % 6, block = 1 + round % 3;
        const struct ec_algorithm_info *a;
        if (!random_text(text, sizeof text, k, n, UINT32_C(1) << k, round % 4, &random))
            continue;
        snprintf(topology, sizeof topology, "cube:%u", n);
        snprintf(name, sizeof name, "best:block=%u", block);
        const uint32_t least = audited(topology, text, name).steps;
        struct ec_topology t = topology_of(topology);
        struct ec_workload *w = workload_of(text, &t);
        for (size_t i = 1; (a = ec_algorithm_at(i)); i++) {
            struct ec_schedule *s = NULL;
            snprintf(name, sizeof name, "%s:block=%u", a->name, block);
            if (ec_schedule_open(&t, w, name, &s, NULL) == EC_OK && s->steps < least)
                fail_msg("%s: %s takes %u steps, best %u", text, name, s->steps, least);
            ec_schedule_close(s);
        }
        ec_workload_close(w);
    }
}

static void elements_need_not_be_a_power_of_two(NO_STATE)
{
    static const char *const texts[] = {
        "gsh:cycle=4-3+~6-5,K=7",    "gsh:cycle=8-7-0+6-5,K=18",   "gsh:cycle=~5-6-7+8-0,K=28",
        "gsh:cycle=5-4-3-~6,K=5",    "gsh:cycle=~8+~6-7+5-0,K=30", "gsh:cycle=~4+~6,K=12",
        "gsh:cycle=1-0+7-6-~5,K=24",
    };

    for (size_t i = 0; i < COUNT(texts); i++) {
        audited("cube:4", texts[i], "cycles");
        audited("cube:4", texts[i], "cycles-one-port");
        audited("cube:4", texts[i], "best");
    }
    audited("cube:2", "gsh:cycle=4-5,K=12", "aapc-twice");
    audited("cube:2", "gsh:cycle=4-0+5-1,K=12", "aapc-twice");
    audited("cube:3", "gsh:cycle=5-0+6-1-7,K=24", "aapc-twice");
}

static void two_all_to_alls_take_k_steps(NO_STATE)
{
    static const char *const names[] = {"bitrev", "shuffle", "bitcomp", "tocyclic"};

    for (unsigned n = 1; n <= 6; n++) {
        for (uint32_t copies = 1; copies <= (n < 6 ? 4U : 1U); copies *= 2) {
            const uint32_t per_node = copies << n;
            char topology[16], text[32];
            snprintf(topology, sizeof topology, "cube:%u", n);
            for (size_t i = 0; i < COUNT(names); i++) {
                snprintf(text, sizeof text, "%s:K=%u", names[i], per_node);
                struct ec_schedule_audit a = audited(topology, text, "aapc-twice");
                assert_int_equal(a.steps, per_node);
                assert_int_equal(a.peak_memory, per_node);
                assert_int_equal(a.max_link_elements, per_node); /* all links, all steps */
                assert_int_equal(a.element_hops, ((uint64_t)per_node * n) << n);
                a = audited(topology, text, "aapc-twice-one-port");
                assert_int_equal(a.steps, n * per_node);
                assert_int_equal(a.peak_memory, per_node);
            }
        }
    }
    /* Every element is looked at a few times, not in every step: else this would take minutes. */
    assert_int_equal(audited("cube:2", "tocyclic:K=65536", "aapc-twice").steps, 65536);
}

static void parts_are_done_as_announced(NO_STATE)
{
    /* Pairs together: K/2 + 1. A real 3-cycle of 16: 10 (bound 4K/7). An inversion: K. */
    assert_int_equal(audited("cube:4", "gsh:cycle=7-4+6-5,K=16", "cycles").steps, 9);
    assert_int_equal(audited("cube:6", "gsh:cycle=9-8-7+6-5-4,K=16", "cycles").steps, 20);
    assert_int_equal(audited("cube:4", "gsh:cycle=7-6-5+~4,K=16", "cycles").steps, 10 + 16);
    assert_int_equal(audited("cube:4", "gsh:cycle=3-2+1-~0,K=16", "cycles").steps, 0);
    /* A mixed GSH: K/2 + 1 for K >= 2 sigma_r; then the real one. */
    assert_int_equal(audited("cube:3", "gsh:cycle=6-5-4-0,K=16", "cycles").steps, 9);
    assert_int_equal(audited("cube:5", "gsh:cycle=5-4-0+8-7-6,K=16", "cycles").steps, 9 + 10);
    /* One port: sigma_r K/2 mixed, (r + 1) K/2 real and even by A1, K for an inversion. */
    assert_int_equal(audited("cube:5", "gsh:cycle=5-4-0+8-7+~6,K=16", "cycles-one-port").steps,
                     16 + 24 + 16);
    assert_int_equal(audited("cube:6", "gsh:cycle=4-3+6-5,K=5", "cycles-one-port").steps, 20);
    /* Two 3-cycles at once, 8 elements each: twice max(4, ceil(32/6)). */
    assert_int_equal(audited("cube:6", "gsh:cycle=9-8-7+6-5-4,K=16", "cycles-concurrent").steps,
                     12);
    audited("cube:6", "gsh:cycle=9-8-7+6-~5,K=16", "cycles-concurrent");
    audited("cube:6", "gsh:cycle=~9+8-7+~6-5-4,K=16", "cycles-concurrent");
    audited("cube:6", "gsh:cycle=6-5-4+3-2-1,K=2", "cycles-concurrent");
    audited("cube:6", "gsh:cycle=5-4-3+2-1-0,K=1", "cycles-concurrent");
    audited("cube:6", "gsh:cycle=7-6+5-~4+8-0,K=12", "cycles-concurrent");
}

/* Messages on the busiest link if the elements of `workload` go straight. */
static uint64_t direct_load(unsigned n, const char *workload, const char *order)
{
    char topology[16], router[32];
    struct ec_audit *audit;
    struct ec_error error;

    snprintf(topology, sizeof topology, "cube:%u", n);
    snprintf(router, sizeof router, "order=%s", order);
    const struct ec_topology t = topology_of(topology);
    const struct ec_router r = router_of(router, &t);
    struct ec_workload *w = workload_of(workload, &t);
    if (ec_audit_open(&t, &r, w, false, &audit, &error) != EC_OK)
        fail_msg("%s", error.message);
    const uint64_t load = audit->max_link_load;
    ec_audit_close(audit);
    ec_workload_close(w);
    return load;
}

/* Dimensions k..k+n-1 rotated left by `by`, or reversed (by = 0), behind k storage dimensions. */
static void processors_only(char *text, size_t size, unsigned k, unsigned n, unsigned by)
{
    bool done[16] = {false};
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");
    const char *join = "";

    for (unsigned i = 0; i < n; i++) {
        const unsigned next = by ? (i + n - by) % n : n - 1 - i;
        if (done[i] || next == i)
            continue;
        for (unsigned j = i; !done[j]; j = by ? (j + n - by) % n : n - 1 - j, join = "-") {
            done[j] = true;
            used += (size_t)snprintf(text + used, size - used, "%s%u", join, k + j);
        }
        join = "+";
    }
    snprintf(text + used, size - used, ",K=%u", 1U << k);
}

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void direct_routing_loads_links_k_times_the_closed_forms(NO_STATE)
{
    char text[160];

    for (unsigned n = 2; n <= 10; n++) {
        for (unsigned k = 0; k <= 3; k += 3) {
            for (unsigned by = 1; by < n; by++) {
                processors_only(text, sizeof text, k, n, by);
                assert_int_equal(direct_load(n, text, "low"), 1U << k << lesser(by - 1, n - by));
                assert_int_equal(direct_load(n, text, "high"), 1U << k << lesser(n - by - 1, by));
            }
            processors_only(text, sizeof text, k, n, 0);
            assert_int_equal(direct_load(n, text, "low"), 1U << k << (n / 2 - 1));
            assert_int_equal(direct_load(n, text, "high"), 1U << k << (n / 2 - 1));
            snprintf(text, sizeof text, "bitcomp:K=%u", 1U << k);
            assert_int_equal(direct_load(n, text, "low"), 1U << k);
        }
    }
}

static void assert_best(const char *topology, const char *workload, const char *name,
                        uint32_t steps)
{
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(workload, &t);
    struct ec_schedule *s = NULL;
    struct ec_error error;

    if (ec_schedule_open(&t, w, "best", &s, &error) != EC_OK)
        fail_msg("%s", error.message);
    if (strcmp(s->algorithm, name) || s->steps != steps)
        fail_msg("%s: %s in %u steps, expected %s in %u", workload, s->algorithm, s->steps, name,
                 steps);
    ec_schedule_close(s);
    ec_workload_close(w);
}

static void best_names_what_it_chose(NO_STATE)
{
    assert_best("cube:3", "gsh:cycle=6-5-4-0,K=16", "best (parity)", 9);
    assert_best("cube:3", "gsh:cycle=6-5-4,K=16", "best (flow)", 10);
    assert_best("cube:3", "gsh:cycle=6-5-~4,K=16", "best (a1-packed)", 11);
    assert_best("cube:4", "gsh:cycle=7-6-5-4,K=16", "best (a1-concurrent)", 10);
    assert_best("cube:4", "bitrev", "best (a2x2)", 4);
    assert_best("cube:2", "gsh:cycle=4-~3,K=7", "best (cycle4)", 6);
    assert_best("cube:3", "gsh:cycle=~6+~5+~4,K=16", "best (crossing)", 16);
    assert_best("cube:6", "gsh:cycle=9-8-7+6-5-4,K=16", "best (cycles-concurrent)", 12);
    assert_best("cube:3", "gsh:cycle=5-0+~4,K=8", "best (aapc-twice)", 8);
}

static void what_does_not_apply_is_refused(NO_STATE)
{
    static const struct {
        const char *topology, *workload, *algorithm, *words;
    } cases[] = {
        {"cube:3", "shift:q=1", "best", "best|address bits|shift:q=1"},
        {"cube:3", "shift:q=1", "cycles", "cycles|address bits"},
        {"mesh:2x4", "bitrev", "cycles", "address bits on cube:D|'bitrev:m=1' on mesh:2x4"},
        {"ring:8", "shuffle", "a1-packed",
         "address bits on cube:D|on cube:D|'shuffle:m=1' on ring:8"},
        {"cube:3", "shuffle:K=4", "aapc-twice", "multiple of the 8 nodes|K=4|K=8"},
        {"cube:3", "shuffle:K=4", "cycles-concurrent", "two parts|use cycles"},
        {"cube:3", "shuffle:K=4", "bset", "did you mean 'best'"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = workload_of(cases[i].workload, &t);
        struct ec_schedule *s = NULL;
        struct ec_error error;
        assert_refused(cases[i].algorithm, ec_schedule_open(&t, w, cases[i].algorithm, &s, &error),
                       EC_USAGE, &error, cases[i].words);
        assert_null(s);
        ec_workload_close(w);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("cycle by cycle, any permutation with any inversions is carried out",
             cycles_carry_out_any_permutation),
        TEST("two all-to-alls carry out any permutation where the nodes divide K",
             two_all_to_alls_carry_out_any_permutation),
        TEST("two all-to-alls take K steps with every link at work, and nK with one port",
             two_all_to_alls_take_k_steps),
        TEST("the best algorithm carries out any permutation", best_carries_out_any_permutation),
        TEST("no algorithm takes fewer steps than the best", no_algorithm_is_faster_than_the_best),
        TEST("K need not be a power of two", elements_need_not_be_a_power_of_two),
        TEST("parts take the steps of their algorithms, in sequence or at once",
             parts_are_done_as_announced),
        TEST("direct routing loads the busiest link K times the closed form, to the 10-cube",
             direct_routing_loads_links_k_times_the_closed_forms),
        TEST("the best algorithm names its choice", best_names_what_it_chose),
        TEST("an algorithm that does not apply says so in one clear line",
             what_does_not_apply_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
