/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of traffic matrices against an enumeration of all pairs of nodes and their paths. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "audit/traffic.h"
#include "ecube/route.h"
#include "tables.h"

static const char *const topologies[] = {
    "ring:2",      "ring:3",      "ring:4",   "ring:7",    "ring:8",  "mesh:2",    "mesh:5",
    "mesh:4x3",    "mesh:3x2x4",  "mesh:1x5", "torus:3x4", "torus:5", "torus:4x4", "torus:2x5",
    "torus:5x3x2", "torus:3x4x1", "cube:1",   "cube:3",    "cube:4",
};
static const char *const routers[] = {"order=low",
                                      "order=high",
                                      "order=low,ports=all",
                                      "order=high,ports=all",
                                      "order=class,vcs=4",
                                      "order=class,vcs=4,ports=all",
                                      "routing=valiant,vcs=4",
                                      "routing=valiant,vcs=4,order=high"};

enum { TABLES = 3 }; /* random ones, besides these routers */

struct loads {
    const struct ec_topology *t;
    unsigned links, locals;
    traffic_sum *of[3]; /* by kind of channel, [node * ports + port] */
};

static unsigned ports_of(const struct loads *x, unsigned kind)
{
    return kind == EC_CHANNEL_LINK ? x->links : x->locals;
}

static struct loads loads_open(const struct ec_topology *t, const struct ec_router *r)
{
    struct loads x = {.t = t, .links = ec_topology_links(t), .locals = ec_router_locals(r, t)};
    for (unsigned kind = 0; kind < 3; kind++)
        x.of[kind] = calloc((size_t)t->nodes * ports_of(&x, kind), sizeof *x.of[kind]);
    return x;
}

static void loads_close(struct loads *x)
{
    for (unsigned kind = 0; kind < 3; kind++)
        free(x->of[kind]);
}

static void add_path(struct loads *x, const struct ec_router *r, const struct traffic_matrix *m,
                     uint32_t src, uint32_t dst, uint32_t way, uint64_t *histogram)
{
    struct ec_hop hops[32];
    const size_t n = ec_route_drawn(x->t, r, src, dst, way, hops, COUNT(hops));
    const bool all = x->locals > 1;

    assert_between(n, 1, COUNT(hops));
    for (size_t i = 0; i < n; i++)
        x->of[EC_CHANNEL_LINK][hops[i].node * x->links + hops[i].link] += m->through;
    x->of[EC_CHANNEL_INJECT][src * x->locals + (all ? hops[0].link : 0)] += m->entry;
    x->of[EC_CHANNEL_EJECT]
         [dst * x->locals + (all ? ec_topology_reverse(x->t, hops[n - 1].link) : 0)] += m->through;
    histogram[n] += r->order != EC_ORDER_CLASS || way == 0; /* both are equally long */
}

static bool sends(const struct traffic_matrix *m, uint32_t src, uint32_t dst)
{
    switch (m->kind) {
    case TRAFFIC_ALL:
        return true;
    case TRAFFIC_TO:
        return dst == m->node;
    case TRAFFIC_FROM:
        return src == m->node;
    case TRAFFIC_MAP:
        break;
    }
    return m->reversed ? m->map[dst] == src : m->map[src] == dst;
}

static void enumerate(struct loads *x, const struct ec_router *r, const struct traffic_matrix *m,
                      uint64_t *histogram)
{
    const uint32_t first = r->routing == EC_ROUTING_VALIANT;
    const uint32_t last = first ? x->t->nodes : r->order == EC_ORDER_CLASS;
    for (uint32_t src = 0; src < x->t->nodes; src++) {
        for (uint32_t dst = 0; dst < x->t->nodes; dst++) {
            for (uint32_t way = first; way <= last && src != dst && sends(m, src, dst); way++)
                add_path(x, r, m, src, dst, way, histogram);
        }
    }
}

static void check_hops(const struct ec_topology *t, const struct ec_router *r,
                       const struct traffic_matrix *m, const uint64_t *expected)
{
    uint64_t found[64] = {0};
    struct ec_error error;
    assert_int_equal(traffic_hops(t, r, m, found, &error), EC_OK);
    for (unsigned h = 0; h < COUNT(found); h++)
        assert_int_equal(found[h], expected[h]);
}

static void check_loads(const char *name, const struct loads *x, const struct traffic *s)
{
    struct ec_channel busiest = {0};
    traffic_sum most = 0, ejection, most_ejected = 0;
    unsigned most_kind = 0;

    for (unsigned kind = 0; kind < 3; kind++) {
        for (uint32_t node = 0; node < x->t->nodes; node++) {
            for (unsigned port = 0; port < ports_of(x, kind); port++) {
                const traffic_sum load = x->of[kind][node * ports_of(x, kind) + port];
                const struct ec_channel c = {(enum ec_channel_kind)kind, node, port};
                if (traffic_load(s, c) != load)
                    fail_msg("%s: kind %u node %u port %u: load %llu: expected %llu", name, kind,
                             node, port, (unsigned long long)traffic_load(s, c),
                             (unsigned long long)load);
                if (kind == EC_CHANNEL_EJECT && load > most_ejected)
                    most_ejected = load;
                if (load > most) {
                    most = load;
                    most_kind = kind;
                }
            }
        }
    }
    assert_true(traffic_busiest(s, &busiest, &ejection) == most);
    assert_true(ejection == most_ejected);
    assert_int_equal(busiest.kind, most_kind);
    assert_true(traffic_load(s, busiest) == most);
}

/* The matrices, one after the other and together. */
static void check(const char *name, const struct ec_topology *t, const struct ec_router *r,
                  const struct traffic_matrix *m, size_t count)
{
    struct traffic *s;
    struct ec_error error;
    struct loads all = loads_open(t, r);

    for (size_t i = 0; i <= count; i++) {
        const bool together = i == count;
        struct loads one = loads_open(t, r);
        uint64_t histogram[64] = {0};
        if (!together) {
            enumerate(&one, r, &m[i], histogram);
            enumerate(&all, r, &m[i], (uint64_t[64]){0});
            check_hops(t, r, &m[i], histogram);
        }
        assert_int_equal(traffic_open(t, r, together ? m : &m[i], together ? count : 1, &s, &error),
                         EC_OK);
        check_loads(name, together ? &all : &one, s);
        traffic_close(s);
        loads_close(&one);
    }
    loads_close(&all);
}

static void loads_are_those_of_all_paths(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(topologies); i++) {
        const struct ec_topology t = topology_of(topologies[i]);
        for (size_t k = 0; k < COUNT(routers) + TABLES; k++) {
            struct ec_router r = router_of(k < COUNT(routers) ? routers[k] : "", &t);
            struct ec_table *table = k < COUNT(routers) ? NULL : random_table(&t, false, k);
            r.table = table;
            r.ties = k % 2 ? EC_TIES_BALANCED : EC_TIES_UP;
            struct ec_workload *shift = workload_of("shift:q=1,rate=0.1", &t);
            struct ec_workload *tornado = workload_of("tornado:rate=0.1", &t);
            for (uint32_t node = 0; node < t.nodes; node++) {
                const uint32_t other = (node * 5 + 2) % t.nodes;
                const struct traffic_matrix m[] = {
                    {.kind = TRAFFIC_ALL, .through = 3, .entry = 5},
                    {.kind = TRAFFIC_TO, .node = node, .through = 7, .entry = 2},
                    {.kind = TRAFFIC_FROM, .node = other, .through = 11, .entry = 13},
                    {.kind = TRAFFIC_FROM, .node = node, .through = 1, .entry = 9},
                    {.kind = TRAFFIC_MAP, .map = shift->parts[0].map, .through = 2, .entry = 3},
                    {.kind = TRAFFIC_MAP,
                     .map = tornado->parts[0].map,
                     .through = 5,
                     .entry = 1,
                     .reversed = true},
                };
                check(topologies[i], &t, &r, m, 4); /* without maps */
                if (node == 0)
                    check(topologies[i], &t, &r, m, COUNT(m));
            }
            ec_workload_close(shift);
            ec_workload_close(tornado);
            ec_table_close(table);
        }
    }
}

static void large_networks_need_no_enumeration(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("cube:24");
    const struct ec_router r = router_of(NULL, &t);
    const struct traffic_matrix m = {.kind = TRAFFIC_ALL, .through = 1, .entry = 1};
    struct traffic *s;
    struct ec_channel busiest;
    traffic_sum ejection;
    struct ec_error error;

    assert_int_equal(traffic_open(&t, &r, &m, 1, &s, &error), EC_OK);
    assert_true(traffic_busiest(s, &busiest, &ejection) ==
                t.nodes - 1); /* the ports; links: half of it */
    assert_int_equal(busiest.kind, EC_CHANNEL_INJECT);
    assert_true(traffic_load(s, (struct ec_channel){EC_CHANNEL_LINK, 77, 13}) == t.nodes / 2);
    traffic_close(s);
}

static void costs_that_overflow_are_refused(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:8x8");
    const struct ec_router r = router_of(NULL, &t);
    const struct traffic_matrix m = {
        .kind = TRAFFIC_ALL, .through = (traffic_sum)1 << 116, .entry = 1};
    struct traffic *s;
    struct ec_error error;

    assert_refused("2^116", traffic_open(&t, &r, &m, 1, &s, &error), EC_USAGE, &error,
                   "too many digits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("loads and distances are those of all paths", loads_are_those_of_all_paths),
        TEST("large networks need no enumeration", large_networks_need_no_enumeration),
        TEST("costs that overflow are refused", costs_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
