/* SPDX-License-Identifier: Apache-2.0 */
/* The audit against theorems, against closed forms, and against tables of exhaustive counts. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"
#include "ecube/audit.h"

static struct ec_audit *audit_of(const struct ec_topology *t, const char *options, const char *text)
{
    struct ec_router r = router_of(options, t);
    struct ec_workload *w = workload_of(text, t);
    struct ec_audit *a = NULL;
    struct ec_error error;

    if (ec_audit_open(t, &r, w, false, &a, &error) != EC_OK)
        fail_msg("%s", error.message);
    ec_workload_close(w);
    return a;
}

static const char *const orders[] = {"order=low", "order=high"};

static void plain_shifts_are_congestion_free(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 8; d++) {
        char name[16], text[32];
        snprintf(name, sizeof name, "cube:%u", d);
        struct ec_topology t = topology_of(name);
        for (uint32_t q = 1; q < t.nodes; q++) {
            for (int o = 0; o < 2; o++) {
                snprintf(text, sizeof text, "shift:q=%u", q);
                struct ec_audit *a = audit_of(&t, orders[o], text);
                assert_int_equal(a->max_link_load, 1);
                assert_true(a->congestion_free);
                assert_int_equal(a->max_hops, d - (unsigned)__builtin_ctz(q));
                assert_int_equal(a->max_hops, ec_cost_shift_hops(d, q));
                ec_audit_close(a);
            }
        }
    }
}

static bool is_power(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

static void gray_shifts_congest_unless_q_is_a_power(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 8; d++) {
        char name[16], text[40];
        snprintf(name, sizeof name, "cube:%u", d);
        struct ec_topology t = topology_of(name);
        for (uint32_t q = 1; q < t.nodes; q++) {
            uint32_t load = is_power(q) || is_power(t.nodes - q) ? 1 : 2; /* q = +-2^j mod p */
            for (int o = 0; o < 2; o++) {
                snprintf(text, sizeof text, "shift:q=%u,labels=gray", q);
                struct ec_audit *a = audit_of(&t, orders[o], text);
                assert_int_equal(a->max_link_load, load);
                assert_int_equal(a->congestion_free, load == 1);
                ec_audit_close(a);
            }
        }
    }
}

static uint32_t power(unsigned e)
{
    return UINT32_C(1) << e;
}

static unsigned less(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void assert_load(const struct ec_topology *t, int order, const char *text, uint32_t load)
{
    struct ec_audit *a = audit_of(t, orders[order], text);

    if (a->max_link_load != load)
        fail_msg("%s on cube:%u, %s: load %u, not %u", text, t->dims, orders[order],
                 a->max_link_load, load);
    ec_audit_close(a);
}

static void permutations_have_their_closed_forms(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 12; n++) {
        char name[16], text[32];
        snprintf(name, sizeof name, "cube:%u", n);
        struct ec_topology t = topology_of(name);
        for (int o = 0; o < 2; o++) {
            bool low = o == 0;
            for (unsigned k = 1; k < n; k++) {
                snprintf(text, sizeof text, "kshuffle:k=%u", k);
                assert_load(&t, o, text, power(low ? less(k - 1, n - k) : less(n - k - 1, k)));
            }
            assert_load(&t, o, "bitcomp", 1);
            if (n < 2)
                continue;
            assert_load(&t, o, "shuffle", low || n == 2 ? 1 : 2);
            assert_load(&t, o, "unshuffle", low && n > 2 ? 2 : 1);
            assert_load(&t, o, "bitrev", power(n / 2 - 1));
            if (n % 2 == 0)
                assert_load(&t, o, "transpose", power(n / 2 - 1));
        }
    }
}

/* A cell of the table: a number, or '-' for "not counted", which agrees with anything. */
static void assert_cell(const char *row, const char *cell, uint64_t value)
{
    if (strcmp(cell, "-") != 0 && strtoull(cell, NULL, 10) != value)
        fail_msg("%s: %s expected, counted %llu", row, cell, (unsigned long long)value);
}

static void loads_are_those_of_the_table(void **state)
{
    (void)state;
    FILE *f = fopen(TEST_DATA "/cube-loads.csv", "r");
    char line[256];
    size_t rows = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char cell[5][16], text[64], name[16];
        unsigned dims;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%u,%15[^,],%15[^,],%15[^,],%15[^,],%15[^,],%63s", &dims, cell[0], cell[1],
                   cell[2], cell[3], cell[4], text) != 7)
            continue; /* comment, header */
        rows++;
        snprintf(name, sizeof name, "cube:%u", dims);
        struct ec_topology t = topology_of(name);
        struct ec_audit *low = audit_of(&t, "order=low", text);
        struct ec_audit *high = audit_of(&t, "order=high", text);
        assert_cell(line, cell[0], low->max_link_load);
        assert_cell(line, cell[1], high->max_link_load);
        assert_cell(line, cell[2], low->max_hops);
        assert_cell(line, cell[3], low->total_hops);
        assert_cell(line, cell[4], low->channels_used);
        assert_int_equal(low->channels, dims * t.nodes);
        ec_audit_close(low);
        ec_audit_close(high);
    }
    fclose(f);
    assert_int_equal(rows, 168);
}

static void paths_are_those_of_the_figure(void **state)
{
    (void)state;
    FILE *f = fopen(TEST_DATA "/cube3-shift-paths.csv", "r");
    struct ec_topology t = topology_of("cube:3");
    char line[256];
    size_t rows = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        unsigned q, src, dst, hops;
        int at = 0;
        if (sscanf(line, "%u,%u,%u,%u,%n", &q, &src, &dst, &hops, &at) != 4)
            continue;
        rows++;
        assert_int_equal(dst, (src + q) % 8);
        struct ec_hop path[3];
        assert_int_equal(ec_route_path(&t, EC_ORDER_LOW, false, src, dst, path, 3), hops);
        for (unsigned i = 0; i < hops; i++) {
            unsigned node, dim;
            int used = 0;
            assert_int_equal(sscanf(line + at, " %u:%u%n", &node, &dim, &used), 2);
            at += used;
            assert_int_equal(path[i].node, node);
            assert_int_equal(path[i].link, dim);
        }
    }
    fclose(f);
    assert_int_equal(rows, 56); /* 7 shifts of 8 nodes */
}

/* "(2 0) (~1)": bit 2 takes bit 0, bit 0 takes bit 2, bit 1 takes its own inverse. */
static uint32_t apply_cycles(const char *cycles, uint32_t src)
{
    uint32_t dst = src;

    for (const char *c = strchr(cycles, '('); c; c = strchr(c + 1, '(')) {
        unsigned bit[32], inverted[32], length = 0;
        for (const char *at = c + 1; *at != ')'; at++) {
            if (*at == ' ')
                continue;
            inverted[length] = *at == '~';
            bit[length++] = (unsigned)strtoul(at + (*at == '~'), (char **)&at, 10);
            at--;
        }
        for (unsigned i = 0; i < length; i++) {
            uint32_t value = (src >> bit[(i + 1) % length] & 1) ^ inverted[i];
            dst = (dst & ~(UINT32_C(1) << bit[i])) | value << bit[i];
        }
    }
    return dst;
}

static void permutations_are_those_of_the_table(void **state)
{
    (void)state;
    FILE *f = fopen(TEST_DATA "/bit-cycles.csv", "r");
    char line[256];
    size_t rows = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        unsigned bits;
        char text[32], cycles[128], name[16];
        if (sscanf(line, "%u,%31[^,],%127[^\n]", &bits, text, cycles) != 3)
            continue;
        rows++;
        snprintf(name, sizeof name, "cube:%u", bits);
        struct ec_topology t = topology_of(name);
        struct ec_workload *w = workload_of(text, &t);
        for (uint32_t src = 0; src < t.nodes; src++) {
            uint32_t dst = apply_cycles(cycles, src);
            if (w->messages[src].dst != dst)
                fail_msg("%s: %u -> %u, not %u", text, src, w->messages[src].dst, dst);
        }
        ec_workload_close(w);
    }
    fclose(f);
    assert_int_equal(rows, 34);
}

/* All loads of an audit, counted again hop by hop through ec_topology_neighbor(). */
static void recount(const struct ec_topology *t, const struct ec_router *r,
                    const struct ec_workload *w, struct ec_audit *ret)
{
    struct ec_hop hops[64];

    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        size_t n = ec_route_path(t, r->order, r->dateline, m->src, m->dst, hops, COUNT(hops));
        unsigned in = 0, out = 0;
        if (n == 0)
            continue;
        for (size_t k = 0; k < n; k++) {
            ret->link_load[hops[k].node * ret->links + hops[k].link]++;
            ret->link_words[hops[k].node * ret->links + hops[k].link] += m->words;
        }
        if (r->ports == EC_PORTS_ALL) {
            in = hops[0].link;
            for (out = 0; out < ret->links; out++) { /* the link of dst that leads back */
                if (ec_topology_neighbor(t, m->dst, out) == hops[n - 1].node)
                    break;
            }
        }
        ret->inject_load[m->src * ret->locals + in]++;
        ret->inject_words[m->src * ret->locals + in] += m->words;
        ret->eject_load[m->dst * ret->locals + out]++;
        ret->eject_words[m->dst * ret->locals + out] += m->words;
        ret->total_hops += n;
        ret->flit_hops += n * m->words;
    }
}

static struct ec_audit *empty_audit(const struct ec_topology *t, unsigned locals)
{
    struct ec_audit *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->links = ec_topology_links(t);
    a->locals = locals;
    a->link_load = calloc(t->nodes * a->links, sizeof *a->link_load);
    a->inject_load = calloc(t->nodes * locals, sizeof *a->inject_load);
    a->eject_load = calloc(t->nodes * locals, sizeof *a->eject_load);
    a->link_words = calloc(t->nodes * a->links, sizeof *a->link_words);
    a->inject_words = calloc(t->nodes * locals, sizeof *a->inject_words);
    a->eject_words = calloc(t->nodes * locals, sizeof *a->eject_words);
    return a;
}

static uint32_t largest(const uint32_t *loads, size_t count)
{
    uint32_t max = 0;

    for (size_t i = 0; i < count; i++)
        max = loads[i] > max ? loads[i] : max;
    return max;
}

static bool uses(const struct ec_topology *t, const struct ec_router *r, const struct ec_message *m,
                 const struct ec_channel *c)
{
    struct ec_hop hops[64];
    size_t n = ec_route_path(t, r->order, r->dateline, m->src, m->dst, hops, COUNT(hops));
    bool all = r->ports == EC_PORTS_ALL;

    if (n == 0)
        return false;
    if (c->kind == EC_CHANNEL_INJECT)
        return m->src == c->node && (!all || hops[0].link == c->port);
    if (c->kind == EC_CHANNEL_EJECT)
        return m->dst == c->node &&
               (!all || ec_topology_neighbor(t, m->dst, c->port) == hops[n - 1].node);
    for (size_t k = 0; k < n; k++) {
        if (hops[k].node == c->node && hops[k].link == c->port)
            return true;
    }
    return false;
}

/* Two different messages through the busiest channel, and no third with a shorter path. */
static void check_witness(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_workload *w, const struct ec_audit *a)
{
    const struct ec_message *m = w->messages;
    unsigned hops[2];

    assert_true(a->witness[0] != a->witness[1]);
    for (int k = 0; k < 2; k++) {
        const struct ec_message *one = &m[a->witness[k]];
        assert_true(uses(t, r, one, &a->busiest));
        hops[k] = ec_topology_distance(t, one->src, one->dst);
    }
    assert_true(hops[0] <= hops[1]);
    for (size_t i = 0; i < w->message_count; i++) {
        if (i == a->witness[0] || i == a->witness[1] || !uses(t, r, &m[i], &a->busiest))
            continue;
        unsigned other = ec_topology_distance(t, m[i].src, m[i].dst);
        assert_true(other > hops[1] || (other == hops[1] && i > a->witness[1]));
    }
}

static const struct ec_channel *lowest(const struct ec_audit *a, const struct ec_topology *t,
                                       struct ec_channel *ret)
{
    const uint32_t *loads[] = {a->link_load, a->inject_load, a->eject_load};
    const unsigned ports[] = {a->links, a->locals, a->locals};

    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < (size_t)t->nodes * ports[kind]; i++) {
            if (loads[kind][i] == a->max_channel_load) {
                *ret = (struct ec_channel){(enum ec_channel_kind)kind, (uint32_t)(i / ports[kind]),
                                           (unsigned)(i % ports[kind])};
                return ret;
            }
        }
    }
    return NULL;
}

static void compare(const struct ec_topology *t, const char *options, const char *text)
{
    struct ec_router r = router_of(options, t);
    struct ec_workload *w = workload_of(text, t);
    struct ec_audit *a = NULL, *b = empty_audit(t, ec_router_locals(&r, t));
    size_t links = (size_t)t->nodes * b->links, locals = (size_t)t->nodes * b->locals;
    struct ec_channel channel;

    assert_int_equal(ec_audit_open(t, &r, w, true, &a, NULL), EC_OK);
    recount(t, &r, w, b);
    assert_int_equal(a->links, b->links);
    assert_int_equal(a->locals, b->locals);
    assert_memory_equal(a->link_load, b->link_load, links * sizeof *a->link_load);
    assert_memory_equal(a->inject_load, b->inject_load, locals * sizeof *a->inject_load);
    assert_memory_equal(a->eject_load, b->eject_load, locals * sizeof *a->eject_load);
    assert_memory_equal(a->link_words, b->link_words, links * sizeof *a->link_words);
    assert_memory_equal(a->inject_words, b->inject_words, locals * sizeof *a->inject_words);
    assert_memory_equal(a->eject_words, b->eject_words, locals * sizeof *a->eject_words);
    assert_int_equal(a->total_hops, b->total_hops);
    assert_int_equal(a->flit_hops, b->flit_hops);
    assert_int_equal(a->max_link_load, largest(b->link_load, links));
    uint32_t local = largest(b->inject_load, locals), eject = largest(b->eject_load, locals);
    local = local > eject ? local : eject;
    assert_int_equal(a->max_channel_load, local > a->max_link_load ? local : a->max_link_load);
    assert_int_equal(a->congestion_free, a->max_channel_load < 2);
    if (a->max_channel_load > 0) {
        assert_non_null(lowest(a, t, &channel));
        assert_int_equal(a->busiest.kind, channel.kind);
        assert_int_equal(a->busiest.node, channel.node);
        assert_int_equal(a->busiest.port, channel.port);
    }
    if (!a->congestion_free)
        check_witness(t, &r, w, a);
    ec_audit_close(a);
    ec_audit_close(b);
    ec_workload_close(w);
}

static void counts_agree_with_a_second_count(void **state)
{
    (void)state;
    static const char *const networks[] = {"cube:1",    "cube:4",     "ring:2",    "ring:9",
                                           "mesh:4x4",  "mesh:1x8",   "torus:4x4", "torus:5x3",
                                           "torus:2x8", "torus:3x4x5"};
    static const char *const options[] = {"order=low", "order=high,ports=all", "ports=all"};
    static const char *const texts[] = {"shift:q=1,m=3", "randperm:m=2", "hotspot:node=1",
                                        "tornado", "neighbor:m=5"};

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        for (size_t o = 0; o < COUNT(options); o++) {
            for (size_t k = 0; k < COUNT(texts); k++)
                compare(&t, options[o], texts[k]);
        }
    }
}

static void existing_channels_are_counted(void **state)
{
    (void)state;
    static const char *const networks[] = {"cube:1",    "cube:5",    "ring:2",    "ring:3",
                                           "mesh:4x3",  "mesh:1x8",  "torus:4x4", "torus:5x3x1",
                                           "torus:2x8", "mesh:2x2x2"};

    for (size_t i = 0; i < COUNT(networks); i++) {
        struct ec_topology t = topology_of(networks[i]);
        struct ec_audit *a = audit_of(&t, "", "randperm");
        uint64_t channels = 0;
        for (uint32_t node = 0; node < t.nodes; node++) {
            for (unsigned link = 0; link < ec_topology_links(&t); link++)
                channels += ec_topology_neighbor(&t, node, link) != EC_NONE;
        }
        assert_int_equal(a->channels, channels);
        ec_audit_close(a);
    }
}

static void all_pairs_load_all_links_alike(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n++) {
        char name[16];
        snprintf(name, sizeof name, "cube:%u", n);
        struct ec_topology t = topology_of(name);
        struct ec_router r = router_of("", &t);
        struct ec_message *messages = calloc((size_t)t.nodes * t.nodes, sizeof *messages);
        assert_non_null(messages);
        struct ec_workload w = {.text = "all pairs", .nodes = t.nodes, .messages = messages};
        for (uint32_t i = 0; i < t.nodes * t.nodes; i++)
            messages[w.message_count++] = (struct ec_message){1, i / t.nodes, i % t.nodes, 1};
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &r, &w, false, &a, NULL), EC_OK);
        for (uint32_t i = 0; i < t.nodes * n; i++)
            assert_int_equal(a->link_load[i], t.nodes / 2);
        ec_audit_close(a);
        free(messages);
    }
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:3"), other = topology_of("cube:4");
    struct ec_router r = router_of("", &t);
    struct ec_workload *open = workload_of("uniform:rate=0.1", &t);
    struct ec_workload *small = workload_of("bitrev", &t);
    struct ec_audit *a = NULL;
    struct ec_error error;

    assert_refused("open loop", ec_audit_open(&t, &r, open, false, &a, &error), EC_USAGE, &error,
                   "uniform|rate");
    assert_refused("wrong size", ec_audit_open(&other, &r, small, false, &a, &error), EC_USAGE,
                   &error, "8 nodes|16");
    assert_null(a);
    ec_workload_close(open);
    ec_workload_close(small);
    ec_audit_close(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("every shift with plain labels on cubes of 2 to 256 nodes is congestion-free and its "
             "longest path is d - gamma(q)",
             plain_shifts_are_congestion_free),
        TEST("a shift with Gray labels loads a link once iff q = +-2^j, else twice",
             gray_shifts_congest_unless_q_is_a_power),
        TEST("the loads of the named permutations are their closed forms up to 4096 nodes",
             permutations_have_their_closed_forms),
        TEST("the loads on cubes are those of the table of exhaustive counts",
             loads_are_those_of_the_table),
        TEST("the paths of all shifts on 8 nodes are those of the figure",
             paths_are_those_of_the_figure),
        TEST("the named permutations are the cycles of address bits of the table",
             permutations_are_those_of_the_table),
        TEST("loads, words, busiest channel and witness agree with a second count",
             counts_agree_with_a_second_count),
        TEST("the number of channels is that of the links that exist",
             existing_channels_are_counted),
        TEST("one message per pair loads every link of a cube with half the nodes",
             all_pairs_load_all_links_alike),
        TEST("random traffic and workloads of another size are refused", bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
