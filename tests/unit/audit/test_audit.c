/* SPDX-License-Identifier: Apache-2.0 */
/* Every number of an audit against an independent count, hop by hop. */
#include "unit.h"

#include <stdlib.h>

#include "ecube/audit.h"

/* All loads of an audit, counted again hop by hop through ec_topology_neighbor(). */
static void recount(const struct ec_topology *t, const struct ec_router *r,
                    const struct ec_workload *w, struct ec_audit *ret)
{
    struct ec_hop hops[64];

    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        size_t n = ec_route_path(t, r, m->src, m->dst, hops, COUNT(hops));
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
    size_t n = ec_route_path(t, r, m->src, m->dst, hops, COUNT(hops));
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

/* Two messages that meet at their destination only, in the same step or in different ones. */
static void steps_are_counted_one_by_one(void **state)
{
    static const struct {
        const char *router;
        uint32_t second_step;
        unsigned max_step_load;
    } rows[] = {{"ports=one", 1, 2}, {"ports=one", 2, 1}, {"ports=all", 1, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_topology t = topology_of("cube:2");
        struct ec_router r = router_of(rows[i].router, &t);
        struct ec_message messages[] = {{1, 1, 0, 3, 0}, {1, 2, 0, 3, 0}};
        uint32_t step[] = {1, rows[i].second_step};
        struct ec_message_order order = {.step = step, .by_step = true};
        const struct ec_workload w = {
            .nodes = 4, .messages = messages, .message_count = 2, .longest = 3, .order = &order};
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &r, &w, false, &a, NULL), EC_OK);
        assert_int_equal(a->max_link_load, 1);
        assert_int_equal(a->max_step_load, rows[i].max_step_load);
        assert_int_equal(a->congestion_free, rows[i].max_step_load == 1);
        if (!a->congestion_free) {
            assert_true(a->busiest.kind == EC_CHANNEL_EJECT && a->busiest.node == 0);
            assert_true(a->witness[0] == 0 && a->witness[1] == 1);
        }
        ec_audit_close(a);
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
        struct ec_router r = router_of("", &t);
        struct ec_workload *w = workload_of("randperm", &t);
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &r, w, false, &a, NULL), EC_OK);
        uint64_t channels = 0;
        for (uint32_t node = 0; node < t.nodes; node++) {
            for (unsigned link = 0; link < ec_topology_links(&t); link++)
                channels += ec_topology_neighbor(&t, node, link) != EC_NONE;
        }
        assert_int_equal(a->channels, channels);
        ec_audit_close(a);
        ec_workload_close(w);
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
        TEST("loads, words, busiest channel and witness agree with a second count",
             counts_agree_with_a_second_count),
        TEST("steps are counted one by one", steps_are_counted_one_by_one),
        TEST("the number of channels is that of the links that exist",
             existing_channels_are_counted),
        TEST("random traffic and workloads of another size are refused", bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
