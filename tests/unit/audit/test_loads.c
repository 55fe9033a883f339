/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of E-cube routing: theorems, closed forms, and tables of exhaustive counts. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

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
static void assert_cell(const struct table *t, size_t cell, uint64_t value)
{
    if (table_has(t, cell) && table_number(t, cell) != value)
        fail_msg("cube:%s %s, column %zu: %s expected, counted %llu", t->cell[0], t->cell[6], cell,
                 t->cell[cell], (unsigned long long)value);
}

static void loads_are_those_of_the_table(void **state)
{
    (void)state;
    struct table row = table_open("cube-loads");

    while (table_next(&row)) {
        char name[16];
        snprintf(name, sizeof name, "cube:%u", table_number(&row, 0));
        struct ec_topology t = topology_of(name);
        struct ec_audit *low = audit_of(&t, "order=low", table_text(&row, 6));
        struct ec_audit *high = audit_of(&t, "order=high", table_text(&row, 6));
        assert_cell(&row, 1, low->max_link_load);
        assert_cell(&row, 2, high->max_link_load);
        assert_cell(&row, 3, low->max_hops);
        assert_cell(&row, 4, low->total_hops);
        assert_cell(&row, 5, low->channels_used);
        assert_int_equal(low->channels, table_number(&row, 0) * t.nodes);
        ec_audit_close(low);
        ec_audit_close(high);
    }
    assert_int_equal(row.rows, 168);
}

static void paths_are_those_of_the_figure(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:3");
    struct table row = table_open("cube3-shift-paths");

    while (table_next(&row)) {
        const uint32_t src = table_number(&row, 1), dst = (src + table_number(&row, 0)) % 8;
        char links[32] = "";
        size_t used = 0;
        struct ec_hop path[3];
        const size_t hops = ec_route_path(&t, &low_first, src, dst, path, 3);
        for (size_t i = 0; i < hops; i++)
            used += (size_t)snprintf(links + used, sizeof links - used, "%s%u:%u", i ? "+" : "",
                                     path[i].node, path[i].link);
        assert_string_equal(links, row.cell[2]);
    }
    assert_int_equal(row.rows, 56); /* 7 shifts of 8 nodes */
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
    struct table row = table_open("bit-cycles");

    while (table_next(&row)) {
        char name[16];
        snprintf(name, sizeof name, "cube:%u", table_number(&row, 0));
        struct ec_topology t = topology_of(name);
        struct ec_workload *w = workload_of(row.cell[1], &t);
        for (uint32_t src = 0; src < t.nodes; src++) {
            uint32_t dst = apply_cycles(row.cell[2], src);
            if (w->messages[src].dst != dst)
                fail_msg("%s: %u -> %u, not %u", row.cell[1], src, w->messages[src].dst, dst);
        }
        ec_workload_close(w);
    }
    assert_int_equal(row.rows, 34);
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
            messages[w.message_count++] = (struct ec_message){1, i / t.nodes, i % t.nodes, 1, 0};
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &r, &w, false, &a, NULL), EC_OK);
        for (uint32_t i = 0; i < t.nodes * n; i++)
            assert_int_equal(a->link_load[i], t.nodes / 2);
        ec_audit_close(a);
        free(messages);
    }
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
        TEST("one message per pair loads every link of a cube with half the nodes",
             all_pairs_load_all_links_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
