/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of messages: the gaps of an open-loop process are those of one coin per cycle, nodes are
 * independent, destinations and lengths are as requested, closed lists are handed out in order.
 * Seeds are fixed; the bounds are five deviations, or the 1e-6 tail of a chi-square. */
#include "traffic/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_workload *w;
    struct sources *s;
};

static void bench_open(struct bench *b, const char *topology, const char *router,
                       const char *workload, uint64_t seed)
{
    struct ec_error error;
    if (ec_topology_parse(topology, &b->t, &error) ||
        ec_router_parse(router, &b->t, &b->r, &error) ||
        ec_workload_open(workload, &b->t, seed, &b->w, &error))
        fail_msg("%s", error.message);
    b->s = sources_open(&b->t, &b->r, b->w, seed, NULL);
    assert_non_null(b->s);
}

static void bench_close(struct bench *b)
{
    sources_close(b->s);
    ec_workload_close(b->w);
}

/* A sum of (seen - expected)^2 / expected over cells must stay below the 1e-6 tail (Wilson and
 * Hilferty: chi-square of n degrees is near n (1 - 2/9n + z sqrt(2/9n))^3, z = 4.75). */
static void assert_chi_square(const char *what, double sum, unsigned degrees)
{
    const double n = degrees, part = 2 / (9 * n);
    const double bound = n * pow(1 - part + 4.75 * sqrt(part), 3);
    if (sum > bound)
        fail_msg("%s: chi-square %.1f with %u degrees of freedom, bound %.1f", what, sum, degrees,
                 bound);
}

#define CELLS 40

/* Gaps of a process of probability p: P(gap = n) = p q^(n - 1), in CELLS cells of about equal
 * probability and one for the rest. */
struct gaps {
    double p;
    uint64_t width; /* of a cell */
    uint64_t cells[CELLS + 1], count, sum;
};

static void take_gap(struct gaps *g, uint64_t gap)
{
    const uint64_t cell = (gap - 1) / g->width;
    g->cells[cell < CELLS ? cell : CELLS]++;
    g->count++;
    g->sum += gap;
}

static void assert_geometric(const char *what, const struct gaps *g)
{
    const double q = 1 - g->p, n = (double)g->count;
    const double mean = (double)g->sum / n, deviation = sqrt(q) / g->p / sqrt(n);
    if (fabs(mean - 1 / g->p) > 5 * deviation)
        fail_msg("%s: mean gap %.4f, should be %.4f +- %.4f", what, mean, 1 / g->p, 5 * deviation);
    double chi = 0, rest = n, seen_rest = n;
    unsigned degrees = 0;
    for (unsigned cell = 0; cell < CELLS; cell++) { /* cells too rare to count go to the rest */
        const double expected =
            n * (pow(q, (double)(cell * g->width)) - pow(q, (double)((cell + 1) * g->width)));
        if (expected < 20 || rest - expected < 20)
            continue;
        chi += pow((double)g->cells[cell] - expected, 2) / expected;
        rest -= expected;
        seen_rest -= (double)g->cells[cell];
        degrees++;
    }
    chi += pow(seen_rest - rest, 2) / rest;
    assert_chi_square(what, chi, degrees);
}

/* Rates on both sides of the change from drawing cycle by cycle to drawing bits of a gap: the
 * latter begins where more than 7 bits are needed, at a probability of about 0.29. */
static void gaps_are_geometric(void **state)
{
    static const struct {
        const char *workload;
        double p;
    } rows[] = {
        {"uniform:rate=0.9,m=1", 0.9},          {"uniform:rate=0.5,m=1", 0.5},
        {"uniform:rate=0.31,m=1", 0.31},        {"uniform:rate=0.30,m=1", 0.30},
        {"uniform:rate=0.295,m=1", 0.295},      {"uniform:rate=0.29,m=1", 0.29},
        {"uniform:rate=0.28,m=1", 0.28},        {"uniform:rate=0.2,m=1", 0.2},
        {"uniform:rate=0.4,m=8", 0.05},         {"uniform:rate=0.02,m=8", 0.0025},
        {"uniform:rate=0.9,m=1+16", 0.9 / 8.5}, {"uniform:rate=0.001,m=100", 0.00001},
        {"bitcomp:rate=0.3,m=1..9", 0.06},      {"hotspot:rate=0.3,m=2", 0.15},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        struct gaps g = {.p = rows[i].p};
        g.width = (uint64_t)ceil(3 / rows[i].p / CELLS);
        bench_open(&b, "cube:3", NULL, rows[i].workload, 5);
        for (uint32_t node = 0; node < b.t.nodes; node++) {
            uint64_t before = 0;
            for (unsigned k = 0; k < 25000; k++) {
                const uint64_t next = sources_next(b.s, node);
                const struct source_message m = sources_take(b.s, node);
                assert_int_equal(m.created, next);
                assert_true(next > before);
                take_gap(&g, next - before);
                before = next;
            }
        }
        assert_geometric(rows[i].workload, &g);
        bench_close(&b);
    }
}

/* Creation cycles of two nodes as rows of 0 and 1: their covariance is that of chance. */
static void nodes_are_independent(void **state)
{
    static const char *const workloads[] = {"uniform:rate=0.5,m=1", "uniform:rate=0.1,m=1"};
    static const uint64_t seeds[] = {1, 2, UINT64_C(0x123456789abcdef)};
    enum { CYCLES = 20000, NODES = 16, SHIFTS = 3 };
    static bool created[NODES][CYCLES + SHIFTS + 1];
    (void)state;
    for (size_t i = 0; i < COUNT(workloads) * COUNT(seeds); i++) {
        struct bench b;
        memset(created, 0, sizeof created);
        bench_open(&b, "cube:4", NULL, workloads[i / COUNT(seeds)], seeds[i % COUNT(seeds)]);
        for (uint32_t node = 0; node < NODES; node++) {
            while (sources_next(b.s, node) <= CYCLES + SHIFTS)
                created[node][sources_take(b.s, node).created] = true;
        }
        const double p = b.w->rate, chance = p * (1 - p) / sqrt(CYCLES);
        for (unsigned x = 0; x < NODES; x++) {
            for (unsigned y = 0; y < NODES; y++) {
                for (unsigned shift = x == y; shift <= SHIFTS; shift++) {
                    double both = 0;
                    for (unsigned c = 1; c <= CYCLES; c++)
                        both += ((double)created[x][c] - p) * ((double)created[y][c + shift] - p);
                    if (fabs(both / CYCLES) > 5 * chance)
                        fail_msg(
                            "%s: nodes %u and %u, %u cycles apart: covariance %.5f, bound %.5f",
                            b.w->text, x, y, shift, both / CYCLES, 5 * chance);
                }
            }
        }
        bench_close(&b);
    }
}

static void destinations_are_uniform(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "mesh:3x5", NULL, "uniform:rate=0.2,m=1", 3);
    for (uint32_t node = 0; node < b.t.nodes; node++) {
        uint64_t seen[15] = {0};
        double chi = 0;
        for (unsigned k = 0; k < 14000; k++)
            seen[sources_take(b.s, node).dst]++;
        for (uint32_t dst = 0; dst < b.t.nodes; dst++)
            chi += dst == node ? 0 : pow((double)seen[dst] - 1000, 2) / 1000;
        assert_int_equal(seen[node], 0);
        assert_chi_square("destinations", chi, 13);
    }
    bench_close(&b);
}

static void a_hot_node_gets_its_share(void **state)
{
    (void)state;
    struct bench b;
    const unsigned draws = 20000;
    bench_open(&b, "mesh:3x5", NULL, "hotspot:rate=0.2,m=1,node=4,share=0.3", 3);
    for (uint32_t node = 0; node < b.t.nodes; node++) {
        /* The share goes there, and the uniform rest of it too; the hot node itself is uniform. */
        const double p = node == 4 ? 0 : 0.3 + 0.7 / 14;
        unsigned hot = 0;
        for (unsigned k = 0; k < draws; k++)
            hot += sources_take(b.s, node).dst == 4;
        if (fabs(hot / (double)draws - p) > 5 * sqrt(p * (1 - p) / draws))
            fail_msg("node %u: %.4f of the messages go to the hot node, should be %.4f", node,
                     hot / (double)draws, p);
    }
    bench_close(&b);
}

static void lengths_are_as_asked_for(void **state)
{
    static const struct {
        const char *workload;
        unsigned first, last;
        bool mix;
    } rows[] = {{"uniform:rate=0.2,m=3..7", 3, 7, false},
                {"uniform:rate=0.2,m=1+16", 1, 16, true},
                {"uniform:rate=0.2,m=16+1", 1, 16, true},
                {"uniform:rate=0.2,m=5", 5, 5, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench b;
        uint64_t seen[32] = {0};
        const unsigned draws = 40000, kinds = rows[i].mix ? 2 : rows[i].last - rows[i].first + 1;
        double chi = 0;
        bench_open(&b, "cube:2", NULL, rows[i].workload, 3);
        for (unsigned k = 0; k < draws; k++) {
            const uint32_t words = sources_take(b.s, k % 4).words;
            assert_between(words, rows[i].first, rows[i].last);
            seen[words]++;
        }
        for (unsigned words = rows[i].first; words <= rows[i].last; words++) {
            const double expected = draws / (double)kinds;
            if (rows[i].mix && words != rows[i].first && words != rows[i].last)
                assert_int_equal(seen[words], 0);
            else
                chi += pow((double)seen[words] - expected, 2) / expected;
        }
        if (kinds > 1)
            assert_chi_square(rows[i].workload, chi, kinds - 1);
        else
            assert_int_equal(seen[rows[i].first], draws);
        bench_close(&b);
    }
}

static void note(void *context, uint32_t port)
{
    ((unsigned *)context)[port]++;
}

/* With a port per link a node's messages are the same; they wait at the port of their first link.
 */
static void ports_share_the_process_of_their_node(void **state)
{
    enum { CYCLES = 3000 };
    (void)state;
    struct bench one, all;
    unsigned filled[8 * 3] = {0};
    uint64_t taken = 0;
    bench_open(&one, "cube:3", "ports=one", "uniform:rate=0.7,m=1..4", 9);
    bench_open(&all, "cube:3", "ports=all", "uniform:rate=0.7,m=1..4", 9);
    assert_false(sources_need_create(one.s));
    assert_true(sources_need_create(all.s));
    for (uint64_t now = 1; now <= CYCLES; now++) {
        assert_true(sources_create(all.s, now, note, filled));
        for (uint32_t node = 0; node < 8; node++) {
            if (sources_next(one.s, node) != now)
                continue;
            const struct source_message m = sources_take(one.s, node);
            const uint32_t port = node * 3 + (uint32_t)__builtin_ctz(node ^ m.dst);
            assert_int_equal(sources_next(all.s, port), now);
            const struct source_message n = sources_take(all.s, port);
            assert_int_equal(n.created, m.created);
            assert_int_equal(n.dst, m.dst);
            assert_int_equal(n.words, m.words);
            assert_int_equal(filled[port], 1);
            filled[port] = 0;
            taken++;
        }
    }
    assert_true(taken > 1000);
    const uint64_t *const by_node = sources_created(one.s, CYCLES);
    const uint64_t *const by_port = sources_created(all.s, CYCLES);
    assert_int_equal(sources_messages(one.s), taken);
    assert_int_equal(sources_messages(all.s), taken);
    for (uint32_t node = 0; node < 8; node++)
        assert_int_equal(by_node[node],
                         by_port[3 * node] + by_port[3 * node + 1] + by_port[3 * node + 2]);
    bench_close(&one);
    bench_close(&all);
}

/* A port takes a message in every fifth cycle, so that the backlog of some grows while they take.
 */
static void a_backlog_keeps_its_order(void **state)
{
    enum { CYCLES = 300, PORTS = 8 * 3 };
    (void)state;
    struct bench one, all;
    unsigned filled[PORTS] = {0};
    bench_open(&one, "cube:3", "ports=one", "uniform:rate=0.7,m=1", 9);
    bench_open(&all, "cube:3", "ports=all", "uniform:rate=0.7,m=1", 9);
    for (unsigned round = 0; round < 2; round++) { /* again after a reset */
        struct source_message made[PORTS][CYCLES];
        size_t count[PORTS] = {0}, taken[PORTS] = {0};
        for (uint64_t now = 1; now <= CYCLES; now++) {
            assert_true(sources_create(all.s, now, note, filled));
            for (uint32_t node = 0; node < 8; node++) {
                while (sources_next(one.s, node) <= now) {
                    const struct source_message m = sources_take(one.s, node);
                    const uint32_t port = node * 3 + (uint32_t)__builtin_ctz(node ^ m.dst);
                    made[port][count[port]++] = m;
                }
            }
            for (uint32_t port = 0; port < PORTS; port++) {
                const bool some = taken[port] < count[port];
                const struct source_message *m = &made[port][taken[port]];
                assert_true(sources_next(all.s, port) == (some ? m->created : SOURCE_NEVER));
                if (!some || now % 5)
                    continue;
                const struct source_message n = sources_take(all.s, port);
                assert_true(n.created == m->created && n.dst == m->dst);
                taken[port]++;
            }
        }
        assert_true(count[0] > taken[0] + 16);
        sources_reset(one.s);
        sources_reset(all.s);
    }
    bench_close(&one);
    bench_close(&all);
}

/* Whether taken or not, words are counted in the cycle of their creation, to the cycle. */
static void created_words_are_counted(void **state)
{
    enum { CYCLES = 2000, STEP = 7 };
    (void)state;
    for (unsigned round = 0; round < 3; round++) { /* taken at once, never, after a stop */
        struct bench b;
        uint64_t words[8] = {0}, messages = 0;
        bench_open(&b, "cube:3", NULL, "uniform:rate=0.4,m=1..4", 9);
        struct bench taker;
        bench_open(&taker, "cube:3", NULL, "uniform:rate=0.4,m=1..4", 9);
        for (uint64_t now = STEP; now <= CYCLES; now += STEP) {
            for (uint32_t node = 0; node < 8; node++) {
                while (sources_next(taker.s, node) <= now) {
                    words[node] += sources_take(taker.s, node).words;
                    messages++;
                }
                while (round == 0 && sources_next(b.s, node) <= now)
                    sources_take(b.s, node);
            }
            if (round == 2 && now > CYCLES / 2)
                sources_stop(b.s);
            assert_memory_equal(sources_created(b.s, now), words, sizeof words);
            assert_int_equal(sources_messages(b.s), messages);
        }
        const double mean = 8 * CYCLES * 0.4,
                     all = (double)(words[0] + words[1] + words[2] + words[3] + words[4] +
                                    words[5] + words[6] + words[7]);
        assert_true(fabs(all - mean) < 0.15 * mean);
        assert_int_equal(sources_next(b.s, 0) == SOURCE_NEVER, round == 2);
        sources_reset(b.s);
        assert_int_equal(sources_created(b.s, 0)[0], 0);
        assert_int_equal(sources_messages(b.s), 0);
        bench_close(&b);
        bench_close(&taker);
    }
}

static void a_list_is_handed_out_in_order(void **state)
{
    (void)state;
    static const char *const routers[] = {"ports=one", "ports=all"};
    char workload[128];
    snprintf(workload, sizeof workload, "trace:file=%s",
             scratch_file(
                 "cycle,source,destination,words\n9,2,3,4\n5,2,0,1\n5,2,6,2\n1,7,7,3\n5,0,1,8\n"));
    for (unsigned all = 0; all < 2; all++) {
        struct bench b;
        bench_open(&b, "cube:3", routers[all], workload, 1);
        const unsigned locals = all ? 3 : 1;
        for (unsigned round = 0; round < 2; round++) { /* again after a reset */
            uint64_t last[24] = {0};
            unsigned taken = 0;
            for (uint32_t port = 0; port < 8 * locals; port++) {
                while (sources_next(b.s, port) != SOURCE_NEVER) {
                    assert_false(sources_exhausted(b.s));
                    const uint64_t next = sources_next(b.s, port);
                    const struct source_message m = sources_take(b.s, port);
                    const uint32_t node = port / locals, way = node ^ m.dst;
                    assert_int_equal(m.created, next);
                    assert_true(m.created >= last[port]);
                    if (all && way)
                        assert_int_equal(port % locals, __builtin_ctz(way));
                    last[port] = m.created;
                    taken++;
                }
            }
            assert_int_equal(taken, 5);
            assert_true(sources_exhausted(b.s));
            sources_reset(b.s);
        }
        bench_close(&b);
    }
    scratch_files_remove();
}

static void nodes_mapped_to_themselves_are_silent(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cube:4", NULL, "bitrev:rate=0.5,m=1", 1);
    for (uint32_t node = 0; node < 16; node++) {
        const bool self = node == 0 || node == 6 || node == 9 || node == 15;
        assert_int_equal(sources_next(b.s, node) == SOURCE_NEVER, self);
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("gaps are geometric at rates high and low", gaps_are_geometric),
        TEST("nodes are independent of each other and of their past", nodes_are_independent),
        TEST("destinations are uniform", destinations_are_uniform),
        TEST("a hot node gets its share", a_hot_node_gets_its_share),
        TEST("lengths are as requested", lengths_are_as_asked_for),
        TEST("ports share the process of their node", ports_share_the_process_of_their_node),
        TEST("a backlog keeps its order", a_backlog_keeps_its_order),
        TEST("created words are counted, taken or not", created_words_are_counted),
        TEST("a list is handed out in order, port by port", a_list_is_handed_out_in_order),
        TEST("nodes mapped to themselves are silent", nodes_mapped_to_themselves_are_silent),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
