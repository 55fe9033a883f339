/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of open-loop traffic: known values, and sums over all pairs, lengths and packets. That an
 * idle network has these latencies is tested in tests/cli/test_bounds.sh. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/audit.h"
#include "ecube/route.h"
#include "run/predict.h"

static struct ec_bounds bounds_of(const char *network, const char *options, const char *workload)
{
    const struct ec_topology t = topology_of(network);
    struct ec_router r = router_of(options, &t);
    struct ec_workload *w = workload_of(workload, &t);
    struct ec_bounds b = {0};
    struct ec_error error;

    if (ec_router_set_packet(&r, 0, w->longest, &error) != EC_OK ||
        ec_bounds(&t, &r, w, 0, &b, &error) != EC_OK)
        fail_msg("%s", error.message);
    ec_workload_close(w);
    return b;
}

static void known_rates(void **state)
{
    (void)state;
    static const struct {
        const char *network, *workload;
        double rate, sends;
        enum ec_channel_kind kind;
    } row[] = {
        /* The middle of a k-ary mesh: (k/2)^2 k of the k^2 (k^2 - 1) pairs cross each link. */
        {"mesh:8x8", "uniform:rate=0.1", 63. / 128, 1, EC_CHANNEL_LINK},
        {"mesh:5x5", "uniform:rate=0.1", 24. / 30, 1, EC_CHANNEL_LINK},
        /* Ties go up: 1 + 2 + 3 + 4 pairs of a ring of 8 cross a link upwards. */
        {"torus:8x8", "uniform:rate=0.1", 63. / 80, 1, EC_CHANNEL_LINK},
        {"ring:8", "uniform:rate=0.1,m=1..16", 7. / 10, 1, EC_CHANNEL_LINK},
        {"ring:9", "uniform:rate=0.1", 8. / 10, 1, EC_CHANNEL_LINK},
        {"cube:6", "uniform:rate=0.1", 1, 1, EC_CHANNEL_INJECT},
        {"cube:16", "uniform:rate=0.1,m=1+8", 1, 1, EC_CHANNEL_INJECT},
        {"mesh:8x8", "transpose:rate=0.1", 1. / 7, 56. / 64, EC_CHANNEL_LINK},
        {"mesh:8x8", "bitcomp:rate=0.1", 1. / 4, 1, EC_CHANNEL_LINK},
        {"torus:8x8", "tornado:rate=0.1", 1. / 3, 1, EC_CHANNEL_LINK},
        {"cube:6", "bitrev:rate=0.1", 1. / 4, 56. / 64, EC_CHANNEL_LINK},
        {"cube:6", "shift:q=5,rate=0.1", 1, 1, EC_CHANNEL_LINK},
        /* A fifth of 63 messages, and the 63 shares of the rest: 13.4 for one of each node. */
        {"mesh:8x8", "hotspot:rate=0.01", 5. / 67, 1, EC_CHANNEL_EJECT},
        {"cube:4", "hotspot:rate=0.01,share=1,node=3", 1. / 15, 1, EC_CHANNEL_EJECT},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        const struct ec_bounds b = bounds_of(row[i].network, NULL, row[i].workload);
        if (b.rate != row[i].rate || b.sends != row[i].sends || b.channel.kind != row[i].kind)
            fail_msg("%s %s: rate %.17g sends %.17g kind %d: expected %.17g %.17g %d",
                     row[i].network, row[i].workload, b.rate, b.sends, b.channel.kind, row[i].rate,
                     row[i].sends, row[i].kind);
        assert_true(b.has_rate);
    }
}

static void a_busiest_channel_is_named(void **state)
{
    (void)state;
    const struct ec_bounds b = bounds_of("mesh:8x8", "order=high", "uniform:rate=0.1");
    assert_int_equal(b.channel.node, 3); /* +x from (3,0); as many messages as +y from (0,3) */
    assert_int_equal(b.channel.port, 0);
}

static void nodes_that_send_nothing_have_no_bound(void **state)
{
    (void)state;
    const struct ec_bounds b = bounds_of("ring:2", NULL, "tornado:rate=0.1");
    assert_false(b.has_rate);
}

/* --- Against sums over everything ---------------------------------------------------------------
 */

#define ROOM 4096

struct sums {
    const struct ec_topology *t;
    const struct ec_router *r;
    uint32_t startup;
    long double link[ROOM], inject[ROOM], eject[ROOM];
    long double words, rate, packets, packet_time, messages, hops;
    bool closed; /* all times have a closed form */
};

/* `p`: messages of a pair of nodes for each message of a node. */
static void add_message(struct sums *s, long double p, uint32_t src, uint32_t dst, uint32_t words)
{
    struct ec_hop hops[32];
    const size_t n = ec_route_path(s->t, s->r, src, dst, hops, COUNT(hops));
    const unsigned links = ec_topology_links(s->t), locals = ec_router_locals(s->r, s->t);
    uint32_t sent = 0;
    unsigned packets = 0;

    for (; sent < words; packets++) {
        sent = words - sent < s->r->packet ? words : sent + s->r->packet;
        s->packet_time += p * predict_message(s->r, (unsigned)n, sent, s->startup);
    }
    /* None: wormhole packets after start-ups, where a link of several cycles is not kept busy; and
     * packets that choose virtual channels there. */
    if (packets > 1 && (s->startup > 0 || s->r->va == EC_VA_DYNAMIC) &&
        s->r->switching == EC_WORMHOLE && s->r->link > 1 &&
        s->r->depth < 2 * s->r->link + s->r->stages - 1)
        s->closed = false;
    s->packets += p * packets;
    s->messages += p;
    s->hops += p * (long double)n;
    s->words += p * words;
    for (size_t i = 0; i < n; i++)
        s->link[hops[i].node * links + hops[i].link] += p * words;
    s->inject[src * locals + (locals > 1 ? hops[0].link : 0)] +=
        p * ((long double)words + (long double)packets * s->startup);
    s->eject[dst * locals + (locals > 1 ? ec_topology_reverse(s->t, hops[n - 1].link) : 0)] +=
        p * words;
}

static long double share_of(const struct ec_topology *t, const struct ec_part *f, uint32_t src,
                            uint32_t dst)
{
    const long double each = 1.0L / (t->nodes - 1), hot = f->hot_share;
    if (f->map)
        return f->map[src] == dst;
    if (f->hot_share == 0 || src == f->hot_node)
        return each;
    return (1 - hot) * each + (dst == f->hot_node ? hot : 0);
}

/* The messages of a part, or the replies to them. */
static void add_part(struct sums *s, const struct ec_part *f, const struct ec_lengths *l,
                     bool reply)
{
    const uint32_t step = l->mix ? l->last - l->first : 1;
    const long double count = 1 + (l->last - l->first) / step;

    if (!reply)
        s->rate += f->share * (l->first + l->last) / 2;
    for (uint32_t src = 0; src < s->t->nodes; src++) {
        for (uint32_t dst = 0; dst < s->t->nodes; dst++) {
            const long double p = src == dst ? 0 : f->share * share_of(s->t, f, src, dst) / count;
            for (uint32_t words = l->first; p > 0 && words <= l->last; words += step)
                add_message(s, p, reply ? dst : src, reply ? src : dst, words);
        }
    }
}

static void assert_close(const char *what, double found, long double expected)
{
    if (!(fabsl(found - expected) <= 1e-14L * fabsl(expected)))
        fail_msg("%s: %.17g: expected %.17Lg", what, found, expected);
}

/* The bounds of parts whose shares are in any scale; `reply`: the words of replies, 0 if there are
 * none. */
static enum ec_code find(const struct ec_topology *t, const struct ec_router *r,
                         struct ec_part *parts, unsigned count, uint32_t reply, uint32_t startup,
                         struct ec_bounds *ret)
{
    struct ec_error error;
    const struct ec_workload w = {.nodes = t->nodes,
                                  .open_loop = true,
                                  .part_count = count,
                                  .parts = parts,
                                  .service.words = reply};
    return ec_bounds(t, r, &w, startup, ret, &error);
}

static void check_sums(const struct ec_topology *t, const struct ec_router *r,
                       struct ec_part *parts, unsigned count, uint32_t reply, uint32_t startup)
{
    const struct ec_lengths replies = {reply, reply, false};
    static struct sums s;
    long double most = 0;
    struct ec_bounds b = {0};

    memset(&s, 0, sizeof s);
    s.t = t;
    s.r = r;
    s.startup = startup;
    s.closed = true;
    assert_between(t->nodes * ec_topology_links(t), 1, ROOM);
    for (unsigned i = 0; i < count; i++)
        add_part(&s, &parts[i], &parts[i].lengths, false);
    for (unsigned i = 0; reply > 0 && i < count; i++)
        add_part(&s, &parts[i], &replies, true);
    for (size_t i = 0; i < ROOM; i++)
        most = fmaxl(most, fmaxl(s.link[i], fmaxl(s.inject[i], s.eject[i])));
    assert_int_equal(find(t, r, parts, count, reply, startup, &b), EC_OK);
    assert_int_equal(b.has_rate, most > 0);
    if (!b.has_rate)
        return;
    assert_close("rate", b.rate, s.rate / most);
    assert_close("load", b.load, most / s.rate);
    assert_close("sends", b.sends, s.words / s.rate / t->nodes);
    assert_close("hops", b.hops, s.hops / s.messages);
    assert_int_equal(b.has_zero_load, s.closed);
    if (!s.closed)
        return;
    assert_close("zero_load", b.zero_load, s.packet_time / s.packets);
}

static void bounds_are_sums_over_everything(void **state)
{
    (void)state;
    static const char *const networks[] = {"ring:5",    "mesh:4x3", "torus:4x4",
                                           "torus:3x5", "cube:3",   "mesh:2x3x2"};
    static const char *const routers[] = {
        "",
        "order=high,ports=all",
        "depth=1,vcs=1",
        "switching=cut-through,depth=4",
        "switching=store-and-forward,depth=5,ports=all,order=high",
        "stages=2,link=2",
        "stages=3,link=4,depth=3",
        "stages=2,link=3,switching=cut-through,depth=9",
        "stages=3,link=2,switching=store-and-forward,depth=6,ports=all",
        "vcs=8,va=dynamic,stages=2,link=3,depth=5"};
    static const struct ec_lengths lengths[] = {
        {1, 1, false}, {7, 7, false}, {1, 11, false}, {3, 10, true}, {4, 5, false}};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const struct ec_topology t = topology_of(networks[i]);
        struct ec_workload *map = workload_of("tornado:rate=0.1", &t);
        for (size_t k = 0; k < COUNT(routers) * COUNT(lengths) * 3; k++) {
            struct ec_router r = router_of(routers[k % COUNT(routers)], &t);
            const uint32_t startup = k % 2 ? 3 : 0;
            r.packet = 1 + k % 4;
            struct ec_part parts[] = {
                {.lengths = lengths[k / COUNT(routers) % COUNT(lengths)], .share = 1},
                {.lengths = lengths[(k + 2) % COUNT(lengths)],
                 .share = 0.35,
                 .hot_node = t.nodes / 2,
                 .hot_share = 0.2},
                {.lengths = lengths[(k + 1) % COUNT(lengths)],
                 .share = 2.5,
                 .map = map->parts[0].map},
            };
            for (size_t f = 0; f < COUNT(parts); f++)
                check_sums(&t, &r, &parts[f], 1, 0, startup);
            check_sums(&t, &r, parts, COUNT(parts), 0, startup);
            check_sums(&t, &r, parts, COUNT(parts), 1 + (uint32_t)(k % 5), startup);
        }
        ec_workload_close(map);
    }
}

static void mixtures_are_sums_of_their_parts(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:4x4");
    struct ec_router r = router_of(NULL, &t);
    struct ec_workload *map = workload_of("transpose:rate=0.1", &t);
    struct ec_part parts[] = {
        {.lengths = {4, 4, false}, .share = 14},
        {.lengths = {4, 4, false}, .share = 4, .map = map->parts[0].map},
        {.lengths = {1, 9, false}, .share = 2, .hot_node = 5, .hot_share = 0.25},
    };
    struct ec_bounds expected;

    r.packet = 9;
    assert_int_equal(find(&t, &r, parts, COUNT(parts), 0, 0, &expected), EC_OK);
    const struct ec_bounds b = bounds_of(
        "mesh:4x4", NULL,
        "mix:rate=0.2,m=4,of=uniform@0.7+transpose@0.2+hotspot:node=5:share=0.25:m=1..9@0.1");
    assert_close("rate", b.rate, expected.rate);
    assert_close("sends", b.sends, expected.sends);
    assert_close("zero_load", b.zero_load, expected.zero_load);
    assert_true(b.sends < 1 && b.rate < 1);
    ec_workload_close(map);
}

/* Each part is answered by messages of the length of replies, the other way. */
static void parts_are_answered(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:4x4");
    struct ec_router r = router_of("vcs=2", &t);
    struct ec_workload *map = workload_of("transpose:rate=0.1", &t);
    struct ec_part parts[] = {
        {.lengths = {4, 4, false}, .share = 0.75, .map = map->parts[0].map},
        {.lengths = {1, 9, false}, .share = 0.25, .hot_node = 5, .hot_share = 0.25},
    };
    struct ec_bounds expected;

    r.packet = 11;
    assert_int_equal(find(&t, &r, parts, COUNT(parts), 11, 0, &expected), EC_OK);
    const struct ec_bounds b =
        bounds_of("mesh:4x4", "vcs=2",
                  "mix:rate=0.2,m=4,of=transpose@0.75+hotspot:node=5:share=0.25:m=1..9@0.25,"
                  "reply=11,queue=inf");
    assert_close("rate", b.rate, expected.rate);
    assert_close("sends", b.sends, expected.sends);
    assert_close("zero_load", b.zero_load, expected.zero_load);
    assert_true(b.channel.kind == expected.channel.kind && b.channel.node == expected.channel.node);
    ec_workload_close(map);
}

/* Shares with so many digits that a sum exceeds 128 bits: the mean is rounded. Two equal parts are
 * one, whatever their shares are. */
static void sums_may_be_too_large(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:64x64");
    struct ec_router r = router_of(NULL, &t);
    struct ec_part one = {
        .lengths = {1, 9, false}, .share = 1, .hot_node = 70, .hot_share = 0.123456789012345};
    struct ec_part two[] = {one, one};
    struct ec_bounds expected, b;

    two[0].share = 0.123456789012347;
    two[1].share = 0.876543210987611;
    r.packet = 4;
    assert_int_equal(find(&t, &r, &one, 1, 0, 0, &expected), EC_OK);
    assert_int_equal(find(&t, &r, two, COUNT(two), 0, 0, &b), EC_OK);
    assert_close("rate", b.rate, expected.rate);
    assert_close("zero_load", b.zero_load, expected.zero_load);
}

/* A fraction has fifteen digits at most: what is left out does not matter. */
static void shares_may_be_any_fractions(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:4x4");
    struct ec_router r = router_of(NULL, &t);
    struct ec_part parts[2] = {{.lengths = {1, 3, false}},
                               {.lengths = {7, 7, false}, .hot_node = 5}};
    struct ec_bounds expected, b;

    r.packet = 4;
    for (unsigned third = 0; third < 3; third++) {
        parts[1].hot_share = third / 3.0;
        parts[0].share = 1;
        parts[1].share = 2;
        assert_int_equal(find(&t, &r, parts, 2, 0, 0, &expected), EC_OK);
        parts[0].share = 1 / 3.0;
        parts[1].share = 2 / 3.0;
        assert_int_equal(find(&t, &r, parts, 2, 0, 0, &b), EC_OK);
        assert_close("rate", b.rate, expected.rate);
        assert_close("sends", b.sends, expected.sends);
        assert_close("hops", b.hops, expected.hops);
        assert_close("zero_load", b.zero_load, expected.zero_load);
    }
}

static void lists_of_messages_are_refused(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("mesh:4x4");
    const struct ec_router r = router_of(NULL, &t);
    struct ec_workload *w = workload_of("shift:q=1", &t);
    struct ec_bounds b;
    struct ec_error error;

    assert_refused("shift", ec_bounds(&t, &r, w, 0, &b, &error), EC_USAGE, &error, "rate=");
    ec_workload_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("known rates of common patterns", known_rates),
        TEST("the first busiest channel is named", a_busiest_channel_is_named),
        TEST("traffic that does not use the network has no bound",
             nodes_that_send_nothing_have_no_bound),
        TEST("bounds are sums over all pairs, lengths and packets",
             bounds_are_sums_over_everything),
        TEST("mixtures are sums of their parts", mixtures_are_sums_of_their_parts),
        TEST("each part is answered", parts_are_answered),
        TEST("sums may be too large", sums_may_be_too_large),
        TEST("shares may be any fractions", shares_may_be_any_fractions),
        TEST("lists of messages are refused", lists_of_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
