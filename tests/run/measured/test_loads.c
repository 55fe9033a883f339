/* SPDX-License-Identifier: Apache-2.0 */
/* Permutations and other closed traffic: every channel carries the words of an independent count of
 * the paths, the busiest link has the load of the tables and formulas of the literature, and
 * messages meet exactly where they share a channel. */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "rig.h"
#include "table.h"

static unsigned diameter(const struct ec_topology *t)
{
    unsigned sum = 0;
    for (unsigned d = 0; d < t->dims; d++)
        sum += t->wrap[d] ? t->radix[d] / 2 : t->radix[d] - 1;
    return sum;
}

static void check_channels(const struct trial *trial, const struct oracle_loads *l)
{
    const struct ec_report *r = trial->report;
    for (uint32_t node = 0; node < trial->rig->t.nodes; node++) {
        for (unsigned k = 0; k < l->links; k++)
            trial_assert_equal(trial, "words of a link", r->flits[node * r->ports + k],
                               l->link_words[node * l->links + k]);
        for (unsigned k = 0; k < l->locals; k++) {
            trial_assert_equal(trial, "words of an injection port",
                               r->injected[node * l->locals + k],
                               l->inject_words[node * l->locals + k]);
            trial_assert_equal(trial, "words of an ejection port",
                               r->flits[node * r->ports + l->links + k],
                               l->eject_words[node * l->locals + k]);
        }
    }
}

static void check_contention(const struct trial *trial, const struct oracle_loads *l)
{
    const struct ec_report *r = trial->report;
    uint64_t seen = 0;
    for (uint32_t node = 0; node < trial->rig->t.nodes; node++) {
        for (unsigned port = 0; port < r->ports; port++) {
            const uint32_t load = port < l->links ? l->link[node * l->links + port]
                                                  : l->eject[node * l->locals + port - l->links];
            const uint64_t contended = r->contended[node * r->ports + port];
            if (load < 2 && contended)
                trial_fail(trial, "node %u port %u: contended for %llu cycles with load %u", node,
                           port, (unsigned long long)contended, load);
            seen += contended;
        }
    }
    trial_assert_equal(trial, "contended cycles", r->contended_cycles, seen);
    if (trial->w->permutation && l->busiest >= 2 && trial->w->longest > diameter(&trial->rig->t) &&
        seen == 0)
        trial_fail(trial, "load %u and no contention", l->busiest);
    if (l->busiest < 2 && l->busiest_eject < 2)
        trial_assert_equal(trial, "contended cycles", seen, 0);
}

/* Run a closed workload and compare everything that does not depend on timing. */
static struct oracle_loads check_run(struct rig *rig, const char *workload)
{
    struct trial trial = rig_run(rig, workload, NULL);
    struct oracle_loads l =
        oracle_loads(&rig->t, &rig->r, trial.w->messages, trial.w->message_count);
    trial_assert_passed(&trial);
    trial_assert_equal(&trial, "longest path", trial.report->max_hops, l.longest);
    trial_assert_equal(&trial, "max link load", trial.report->max_link_load, l.busiest);
    check_channels(&trial, &l);
    check_contention(&trial, &l);
    trial_close(&trial);
    return l;
}

static void assert_load(const char *workload, const char *topology, const char *what, uint64_t is,
                        uint64_t should)
{
    if (is != should)
        fail_msg("%s on %s: %s %llu, should be %llu", workload, topology, what,
                 (unsigned long long)is, (unsigned long long)should);
}

/* One row of tests/data/cube-loads.csv. */
static void check_row(struct rig *rig, struct table *row, unsigned high, const char *ports)
{
    char topology[16], router[64], workload[192];
    const unsigned dims = table_number(row, 0), m = dims + 1; /* longer than the diameter */
    snprintf(topology, sizeof topology, "cube:%u", dims);
    snprintf(router, sizeof router, "order=%s,ports=%s", high ? "high" : "low", ports);
    snprintf(workload, sizeof workload, "%s%cm=%u", table_text(row, 6),
             strchr(row->cell[6], ':') ? ',' : ':', m);
    rig_open(rig, &(struct ec_case_spec){.topology = topology, .router = router, .longest = m});
    struct oracle_loads l = check_run(rig, workload);
    assert_load(workload, topology, router, l.busiest, table_number(row, 1 + high));
    assert_load(workload, topology, "hops", l.hops, table_number(row, 4));
    if (table_has(row, 3))
        assert_load(workload, topology, "longest path", l.longest, table_number(row, 3));
    if (table_has(row, 5) && !high)
        assert_load(workload, topology, "links used", l.links_used, table_number(row, 5));
    oracle_loads_free(&l);
}

static void tables_of_cube_loads(NO_STATE)
{
    static const char *const ports[] = {"one", "all"};
    for (size_t i = 0; i < COUNT(ports); i++) { /* one shape at a time */
        struct table row = table_open("cube-loads");
        struct rig rig = {0};
        while (table_next(&row)) {
            check_row(&rig, &row, 0, ports[i]);
            check_row(&rig, &row, 1, ports[i]);
        }
        rig_close(&rig);
        assert_int_equal(row.rows, 168);
    }
}

static unsigned power(unsigned exponent)
{
    return 1u << exponent;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void check_formula(struct rig *rig, const char *workload, unsigned low, unsigned high)
{
    char topology[160];
    ec_topology_format(&rig->t, topology, sizeof topology);
    for (unsigned order = 0; order < 2; order++) {
        rig_open(rig, &(struct ec_case_spec){.topology = topology,
                                             .router = order ? "order=high" : "order=low",
                                             .longest = 9});
        struct oracle_loads l = check_run(rig, workload);
        assert_load(workload, topology, order ? "load, high first" : "load, low first", l.busiest,
                    order ? high : low);
        oracle_loads_free(&l);
    }
}

/* Loads of direct E-cube routing in closed form, for rotations, reversal, transpose, complement. */
static void formulas_of_cube_loads(NO_STATE)
{
    struct rig rig = {0};
    for (unsigned n = 2; n <= 8; n++) {
        char topology[16], workload[64];
        snprintf(topology, sizeof topology, "cube:%u", n);
        rig_open(&rig, &(struct ec_case_spec){.topology = topology});
        for (unsigned k = 1; k < n; k++) {
            snprintf(workload, sizeof workload, "kshuffle:k=%u,m=9", k);
            check_formula(&rig, workload, power(least(k - 1, n - k)), power(least(n - k - 1, k)));
        }
        check_formula(&rig, "shuffle:m=9", 1, n >= 3 ? 2 : 1);
        check_formula(&rig, "unshuffle:m=9", n >= 3 ? 2 : 1, 1);
        check_formula(&rig, "bitcomp:m=9", 1, 1);
        check_formula(&rig, "bitrev:m=9", power(n / 2 - 1), power(n / 2 - 1));
        if (n % 2 == 0)
            check_formula(&rig, "transpose:m=9", power(n / 2 - 1), power(n / 2 - 1));
    }
    rig_close(&rig);
}

/* With Gray labels two messages share a link unless q or p - q is a power of two. */
static void gray_labels_collide(NO_STATE)
{
    struct rig rig = {0};
    for (unsigned d = 2; d <= 7; d++) {
        char topology[16], workload[64];
        const unsigned p = 1u << d;
        snprintf(topology, sizeof topology, "cube:%u", d);
        rig_open(&rig, &(struct ec_case_spec){.topology = topology, .longest = d + 1});
        for (unsigned q = 1; q < p; q++) {
            const bool single = (q & (q - 1)) == 0 || ((p - q) & (p - q - 1)) == 0;
            snprintf(workload, sizeof workload, "shift:q=%u,labels=gray,m=%u", q, d + 1);
            struct oracle_loads l = check_run(&rig, workload);
            assert_load(workload, topology, "load", l.busiest, single ? 1 : 2);
            oracle_loads_free(&l);
        }
    }
    rig_close(&rig);
}

/* The maps of the named permutations: the run delivers to where the cycles of bits say. */
static void named_permutations_are_the_tables(NO_STATE)
{
    struct table row = table_open("bit-cycles");
    struct rig rig = {0};
    while (table_next(&row)) {
        const char *cycles = row.cell[2];
        char topology[16];
        snprintf(topology, sizeof topology, "cube:%u", table_number(&row, 0));
        rig_open(&rig, &(struct ec_case_spec){.topology = topology});
        const struct ec_run_options options = {.seed = 1, .keep_packets = true};
        struct trial trial = rig_run(&rig, row.cell[1], &options);
        trial_assert_passed(&trial);
        uint64_t moved = 0;
        for (uint32_t node = 0; node < rig.t.nodes; node++)
            moved += oracle_cycles(cycles, node) != node;
        trial_assert_equal(&trial, "packets", trial.report->packets, moved);
        for (uint64_t i = 0; i < trial.report->packets; i++)
            trial_assert_equal(&trial, "destination", trial.report->packets_log[i].dst,
                               oracle_cycles(cycles, trial.report->packets_log[i].src));
        trial_close(&trial);
    }
    rig_close(&rig);
    assert_int_equal(row.rows, 34);
}

static unsigned round_trip(unsigned x, unsigned s)
{
    return least(x % s, s - x % s);
}

/* Direct X-then-Y routing of a q-shift on a square torus: q = c s + r loads the busiest link with
 * max(f(r), f(c), f(c + 1) if r > 0), f(x) the distance of x on a ring of s. */
static void torus_shifts_have_the_known_loads(NO_STATE)
{
    struct rig rig = {0};
    for (unsigned s = 3; s <= 8; s++) {
        char topology[16], workload[64];
        snprintf(topology, sizeof topology, "torus:%ux%u", s, s);
        rig_open(&rig,
                 &(struct ec_case_spec){.topology = topology, .router = "vcs=2", .longest = s + 1});
        for (unsigned q = 1; q < s * s; q++) {
            const unsigned r = q % s, c = q / s;
            unsigned load = round_trip(r, s);
            load = round_trip(c, s) > load ? round_trip(c, s) : load;
            if (r > 0 && round_trip(c + 1, s) > load)
                load = round_trip(c + 1, s);
            snprintf(workload, sizeof workload, "shift:q=%u,m=%u", q, s + 1);
            struct oracle_loads l = check_run(&rig, workload);
            assert_load(workload, topology, "load", l.busiest, load);
            oracle_loads_free(&l);
        }
    }
    rig_close(&rig);
}

static void ring_shifts_load_every_link_alike(NO_STATE)
{
    struct rig rig = {0};
    for (unsigned p = 2; p <= 16; p++) {
        char topology[16], workload[64];
        snprintf(topology, sizeof topology, "ring:%u", p);
        rig_open(&rig,
                 &(struct ec_case_spec){.topology = topology, .router = "vcs=2", .longest = 9});
        for (unsigned q = 1; q < p; q++) {
            snprintf(workload, sizeof workload, "shift:q=%u,m=9", q);
            struct oracle_loads l = check_run(&rig, workload);
            assert_load(workload, topology, "load", l.busiest, least(q, p - q));
            assert_load(workload, topology, "links used", l.links_used, p);
            oracle_loads_free(&l);
        }
    }
    rig_close(&rig);
}

struct network {
    const char *topology, *router;
};

/* Networks of every kind; everything here is compared with the count of paths only. */
static void other_traffic_loads_the_counted_channels(NO_STATE)
{
    static const struct network networks[] = {
        {"cube:6", "ports=all"},
        {"cube:6", "order=high"},
        {"mesh:8x8", ""},
        {"mesh:5x3", "order=high"},
        {"mesh:7", "depth=1"},
        {"torus:4x4", "vcs=2"},
        {"torus:5x3", "vcs=2,order=high"},
        {"torus:4x4", "vcs=4"},
        {"torus:16x2", "vcs=2"},
        {"torus:4x4", "vcs=2,ports=all"},
        {"torus:2x5", "vcs=2,ports=all,order=high"},
        {"torus:3x4x5", "vcs=2"},
        {"mesh:2x3x4", "vcs=2"},
    };
    static const char *const workloads[] = {"tornado:m=17", "neighbor:m=17", "randperm:m=17",
                                            "hotspot:m=2",  "bitcomp:m=17",  "transpose:m=17"};
    struct rig rig = {0};
    for (size_t n = 0; n < COUNT(networks); n++) {
        for (size_t w = 0; w < COUNT(workloads); w++) {
            rig_open(&rig, &(struct ec_case_spec){.topology = networks[n].topology,
                                                  .router = networks[n].router,
                                                  .longest = 17});
            const bool square = rig.t.dims == 2 && rig.t.radix[0] == rig.t.radix[1];
            const bool bits = (rig.t.nodes & (rig.t.nodes - 1)) == 0;
            if ((strstr(workloads[w], "bitcomp") && !bits) ||
                (strstr(workloads[w], "transpose") && !square && rig.t.kind != EC_CUBE))
                continue; /* not defined there */
            struct oracle_loads l = check_run(&rig, workloads[w]);
            oracle_loads_free(&l);
        }
    }
    rig_close(&rig);
}

static const struct ec_net_ops *real_ops;

/* The counters of a net whose routers have no taps. */
static void counters_without_taps(struct ec_net *net, struct ec_net_counters *ret)
{
    static const uint64_t zeros[16 * 5];
    real_ops->counters(net, ret);
    assert_true(net->topology->nodes * ret->ports <= COUNT(zeros));
    ret->contended = ret->starved = zeros;
}

static void routers_without_taps_are_not_judged(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig, &(struct ec_case_spec){.topology = "cube:4", .router = "", .longest = 8});
    struct ec_net_ops ops = *rig.net->ops;
    real_ops = rig.net->ops;
    ops.counters = counters_without_taps;
    rig.net->ops = &ops;
    for (int taps = 0; taps < 2; taps++) {
        rig.net->has_taps = taps;
        struct trial trial = rig_run(&rig, "bitrev:m=8", NULL);
        assert_true(trial.audit->max_channel_load >= 2);
        trial_assert_equal(&trial, "verdict", trial.report->checks[EC_CHECK_CONGESTION].verdict,
                           taps ? EC_VERDICT_FAIL : EC_VERDICT_UNCHECKED);
        trial_assert_passed_but(&trial, EC_CHECK_CONGESTION);
        trial_close(&trial);
    }
    rig.net->ops = real_ops;
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("cube loads are those of the table, both orders, one and all ports",
             tables_of_cube_loads),
        TEST("cube loads are those of the formulas up to 8 dimensions", formulas_of_cube_loads),
        TEST("Gray-labelled shifts collide unless q is a power of two up or down",
             gray_labels_collide),
        TEST("named permutations deliver where the cycles of address bits say",
             named_permutations_are_the_tables),
        TEST("torus shifts have the loads of the formula", torus_shifts_have_the_known_loads),
        TEST("ring shifts load every link of their direction alike",
             ring_shifts_load_every_link_alike),
        TEST("any traffic on any network loads the channels of an independent count",
             other_traffic_loads_the_counted_channels),
        TEST("routers without taps are not asked for contention",
             routers_without_taps_are_not_judged),
    };
    return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
