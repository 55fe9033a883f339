/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that fail while a network, its rules or its scoreboard are opened, one after the
 * other: each is reported, and nothing is kept. Networks of a part and of all nodes, with every
 * option that allocates. And allocations that fail while words move. */
#include "backend/tiles.h"
#include "backend/vcs.h"
#include "contract/rules.h"
#include "ecube/audit.h"
#include "ecube/partition.h"
#include "rig.h"
#include "run/ports.h"
#include "run/scoreboard.h"

/* The linker puts these in place of the C library's own. */
void *__wrap_calloc(size_t count, size_t size), *__real_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size), *__real_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size), *__real_malloc(size_t size);

static unsigned allocations, failing; /* the number of the one that fails; 0: none */

void *__wrap_calloc(size_t count, size_t size)
{
    return ++allocations == failing ? NULL : __real_calloc(count, size);
}

void *__wrap_malloc(size_t size)
{
    return ++allocations == failing ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++allocations == failing ? NULL : __real_realloc(old, size);
}

static enum ec_code open_again(const struct rig *g, const struct ec_partition *cut,
                               struct ec_net **ret)
{
    struct ec_error error;
    const struct ec_tiles_options options = {.no_sleep = true};
    const enum ec_code code =
        cut ? tiles_open_part(&g->t, &g->r, NULL, &options, cut, 1, ret, &error)
            : ec_tiles_open(&g->t, &g->r, NULL, &options, ret, &error);
    if (code != EC_OK)
        assert_non_null(strstr(error.message, "out of memory"));
    return code;
}

/* Opens the network with each of its allocations failing. */
static void assert_all_reported(const char *topology, const char *router, unsigned dims,
                                uint32_t parts)
{
    struct rig g;
    struct ec_partition *cut = NULL;
    struct ec_net *net = NULL;
    enum ec_code code = EC_MEMORY;
    rig_open(&g, topology, router, dims, NULL);
    if (parts)
        assert_int_equal(ec_partition_open(&g.t, parts, &cut, NULL), EC_OK);
    for (failing = 1; code != EC_OK; failing++) {
        allocations = 0;
        code = open_again(&g, cut, &net);
        assert_int_equal(code, allocations < failing ? EC_OK : EC_MEMORY);
    }
    assert_true(failing > 20);
    failing = 0;
    net->ops->close(net);
    ec_partition_close(cut);
    rig_close(&g);
}

static void a_network_says_that_memory_is_short(void **state)
{
    (void)state;
    assert_all_reported("cube:3", "", 3, 0);
    assert_all_reported("torus:4x3", "vcs=2,ports=all", 3, 0);
    assert_all_reported("torus:4x4", "vcs=4", 2, 0);
    assert_all_reported("cube:3", "link=3", 3, 0);
}

/* So many links leave a part that their list grows. */
static void a_part_says_that_memory_is_short(void **state)
{
    (void)state;
    assert_all_reported("cube:3", "", 3, 2);
    assert_all_reported("torus:4x4", "vcs=4,link=2", 2, 3);
    assert_all_reported("cube:7", "", 7, 2);
}

static void assert_rules_reported(const char *router, uint32_t node, bool foreign)
{
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of(router, &t);
    struct rules *rules = NULL;
    for (failing = 1; !rules; failing++) {
        allocations = 0;
        rules = rules_open(&t, &r, node, (struct rules_options){.foreign = foreign});
        assert_int_equal(rules != NULL, allocations < failing);
    }
    assert_true(failing > 8);
    failing = 0;
    rules_close(rules);
}

static void rules_say_that_memory_is_short(void **state)
{
    (void)state;
    assert_rules_reported("vcs=2", EC_NONE, false);
    assert_rules_reported("vcs=2,stages=2", EC_NONE, false);
    assert_rules_reported("vcs=2,stages=3", 5, false);
    assert_rules_reported("vcs=2", 5, true);
    assert_rules_reported("vcs=2", EC_NONE, true);
}

static void a_scoreboard_says_that_memory_is_short(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of("vcs=2", &t);
    struct scoreboard s;
    bool opened = false;
    for (failing = 1; !opened; failing++) {
        allocations = 0;
        opened = scoreboard_open(&s, &t, &r, NULL) && scoreboard_count_channels(&s) &&
                 scoreboard_count_classes(&s, 3);
        assert_int_equal(opened, allocations < failing);
        scoreboard_close(&s);
    }
    assert_true(failing > 6);
    failing = 0;
}

/* Senders of both kinds, and receivers that hold words. */
static void ports_say_that_memory_is_short(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of("vcs=4,ports=all", &t);
    struct ec_workload *const w = workload_of("uniform:rate=1e-9,m=1,reply=2,queue=1", &t);
    struct sources *const sources = sources_open(&t, &r, w, 1, NULL);
    struct service *const service = service_open(&t, &r, w, NULL);
    struct scoreboard board;
    assert_true(sources && service && scoreboard_open(&board, &t, &r, NULL));
    for (unsigned kind = 0; kind < 4; kind++) {
        bool opened = false;
        for (failing = 1; !opened; failing++) {
            struct senders s;
            struct receivers x;
            allocations = 0;
            if (kind < 2) {
                opened = senders_open(&s, &t, &r, sources, &board, 0, NULL) &&
                         senders_serve(&s, service, kind);
                senders_close(&s);
                assert_true(!s.sender && !s.due && !s.ports);
            } else {
                opened = receivers_open(&x, t.nodes, 4, 4, kind == 2 ? 0.1 : 0, 1, NULL) &&
                         receivers_serve(&x, service, NULL, true);
                receivers_close(&x);
                assert_true(!x.held && !x.ports);
            }
            assert_int_equal(opened, allocations < failing);
        }
        assert_true(failing > 3);
    }
    failing = 0;
    scoreboard_close(&board);
    service_close(service);
    sources_close(sources);
    ec_workload_close(w);
}

/* --- While words move ------------------------------------------------------------------------ */

/* Eight packets of one word pass the middle router of a row, which returns no credits. */
static void rules_notice_words_without_memory(void **state)
{
    (void)state;
    enum { HERE = 1, PACKETS = 8 };
    const struct ec_topology t = topology_of("mesh:3");
    struct ec_router r = router_of("depth=16", &t);
    bool all = false;
    r.packet = 1;
    for (unsigned fails = 1; !all; fails++) {
        failing = 0;
        struct rules *rules = rules_open(&t, &r, EC_NONE, (struct rules_options){.foreign = true});
        assert_non_null(rules);
        allocations = 0;
        failing = fails;
        for (uint32_t c = 1; c <= PACKETS + 4; c++) { /* each word leaves four cycles later */
            uint64_t in[64] = {0}, out[64] = {0}, none[4] = {0};
            in[1] = ec_word_pack(&narrow, true, true, 0, 2, 0, c << 13);
            out[0] = c > 4 ? ec_word_pack(&narrow, true, true, 0, 2, 0, (c - 4) << 13) : 0;
            rules_see(rules, &(struct ec_net_seen){.cycle = c,
                                                   .node = HERE,
                                                   .in_word = in,
                                                   .in_credit = none,
                                                   .in_valid = c <= PACKETS ? 2 : 0,
                                                   .out_word = out,
                                                   .out_credit = none,
                                                   .out_valid = c > 4});
        }
        all = allocations < fails;
        assert_int_equal(rules_memory_short(rules), !all);
        if (all)
            assert_null(rules_breach(rules));
        rules_close(rules);
    }
    assert_true(failing > 4); /* lists of words and of missing credits, which grow */
    failing = 0;
}

/* What is on a link has no room: of a whole network, on its way to another part, or from there. */
static void networks_notice_words_without_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        const unsigned way = i / 2, fails = i % 2;
        struct rig g;
        struct ec_partition *cut = NULL;
        struct ec_net *net;
        rig_open(&g, "cube:3", "link=3", 3, &(struct ec_tiles_options){.no_sleep = true});
        assert_int_equal(ec_partition_open(&g.t, 2, &cut, NULL), EC_OK);
        assert_int_equal(open_again(&g, way ? cut : NULL, &net), EC_OK); /* part 1: nodes 4 to 7 */
        allocations = 0;
        failing = fails;
        if (way < 2) {
            show_word(&g, 0, 2, word_of(0, 1));
            net->ops->step(net, &g.in, &g.out);
        } else {
            assert_true(tiles_part_enter(net, &(struct crossing){word_of(0, 1), 4 * 4 + 2, 2},
                                         1)); /* to node 4 */
        }
        failing = 0;
        assert_int_equal(allocations, 1);
        assert_int_equal(net->memory_short, fails);
        net->ops->reset(net);
        assert_false(net->memory_short);
        net->ops->step(net, &g.in, &g.out);
        assert_false(net->memory_short);
        net->ops->close(net);
        ec_partition_close(cut);
        rig_close(&g);
    }
}

/* The table of packets doubles when it is half full. A packet that finds no room is not known. */
static void a_vc_without_memory_is_unknown(void **state)
{
    (void)state;
    struct packet_vcs l;
    assert_true(packet_vcs_open(&l));
    const uint32_t half = 1u << (l.bits - 1);
    for (uint32_t packet = 1; packet <= half; packet++)
        packet_vcs_keep(&l, packet, packet % 4);
    allocations = 0;
    failing = 1;
    packet_vcs_keep(&l, half + 1, 2);
    assert_int_equal(allocations, 1);
    assert_true(packet_vcs_find(&l, half + 1) == VC_UNKNOWN);
    failing = 0;
    packet_vcs_keep(&l, half + 1, 2);
    for (uint32_t packet = 1; packet <= half + 1; packet++)
        assert_int_equal(packet_vcs_find(&l, packet), packet == half + 1 ? 2 : packet % 4);
    assert_int_equal(l.count, half + 1);
    packet_vcs_close(&l);
}

/* A packet that is sent, and one that comes from another part, need a record; a delivery that is
 * logged needs an entry. */
static void a_scoreboard_notices_packets_without_memory(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of("vcs=2", &t);
    struct scoreboard s;
    bool all = false;
    for (unsigned fails = 1; !all; fails++) {
        failing = 0;
        assert_true(scoreboard_open(&s, &t, &r, NULL));
        scoreboard_reset(&s);
        s.keep_log = true;
        allocations = 0;
        failing = fails;
        const uint32_t number = scoreboard_send(&s, 1, 2, 1, 0, 1, 1, true);
        if (number == EC_NONE) {
            assert_int_equal(allocations, fails);
            assert_true(s.memory_short);
            scoreboard_close(&s);
            continue;
        }
        struct packets_record record = {.packet = s.records.source[1].ring[0]};
        record.packet.next = scoreboard_word(&s, 3, 2, 1, 0, 0, 0);
        const bool entered = scoreboard_enter(&s, (unsigned char *)&record, sizeof record);
        assert_int_equal(entered, allocations < fails);
        assert_int_equal(s.memory_short, !entered);
        if (entered) {
            scoreboard_arrive(&s, 2, scoreboard_word(&s, 1, 2, 1, 0, number, 0), 5);
            all = allocations < fails;
            assert_int_equal(s.memory_short, !all);
        }
        assert_false(s.failed);
        scoreboard_close(&s);
    }
    assert_true(failing > 3);
    failing = 0;
}

/* One message of two packets arrives, with all that a scoreboard keeps: the entry of its message,
 * its latencies in all histograms, and a request at its server. */
static void a_scoreboard_notices_deliveries_without_memory(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of("vcs=2,va=dynamic,dateline=off", &t);
    struct ec_workload *const w = workload_of("uniform:rate=1e-9,m=1,reply=2,queue=inf", &t);
    bool all = false;
    for (unsigned fails = 1; !all; fails++) {
        struct scoreboard s;
        failing = 0;
        struct service *const service = service_open(&t, &r, w, NULL);
        assert_non_null(service);
        service_reset(service);
        assert_true(scoreboard_open(&s, &t, &r, NULL) && scoreboard_count_classes(&s, 2));
        assert_true(s.overtakes);
        s.service = service;
        service_assemble(service, &s.assembly);
        scoreboard_reset(&s);
        s.measure_to = 1000;
        for (uint32_t k = 0; k < 3; k++) { /* the last one is a reply on its own */
            assert_int_equal(scoreboard_send(&s, 1, 2, 1, 0, 1, 1, k == 2), k);
            if (k < 2)
                scoreboard_of_assembled(&s, 1, k, 7, 2);
            scoreboard_of_class(&s, 1, k, k % 2, k == 2);
        }
        allocations = 0;
        failing = fails;
        for (uint32_t k = 0; k < 3 && !s.memory_short; k++)
            scoreboard_arrive(&s, 2, scoreboard_word(&s, 1, 2, 1, 0, k, 0), 10 + 1000 * k);
        all = allocations < fails;
        assert_int_equal(s.memory_short, !all);
        assert_false(s.failed);
        failing = 0;
        scoreboard_close(&s);
        service_close(service);
        assert_true(!all || fails > 6);
    }
    failing = 0;
    ec_workload_close(w);
}

static void bounds_say_that_memory_is_short(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    struct ec_router r = router_of("vcs=2", &t);
    struct ec_workload *const w = workload_of("uniform:rate=0.1,m=1..9,reply=2,queue=inf", &t);
    struct ec_error error;
    assert_int_equal(ec_router_set_packet(&r, 0, w->longest, &error), EC_OK);
    enum ec_code code = EC_MEMORY;
    for (failing = 1; code != EC_OK; failing++) {
        struct ec_bounds bounds;
        allocations = 0;
        code = ec_bounds(&t, &r, w, 0, &bounds, &error);
        assert_int_equal(code, allocations < failing ? EC_OK : EC_MEMORY);
        assert_true(code == EC_OK || strstr(error.message, "out of memory"));
    }
    assert_true(failing > 4);
    failing = 0;
    ec_workload_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_says_that_memory_is_short),
        cmocka_unit_test(a_part_says_that_memory_is_short),
        cmocka_unit_test(rules_say_that_memory_is_short),
        cmocka_unit_test(a_scoreboard_says_that_memory_is_short),
        cmocka_unit_test(rules_notice_words_without_memory),
        cmocka_unit_test(networks_notice_words_without_memory),
        cmocka_unit_test(a_vc_without_memory_is_unknown),
        cmocka_unit_test(a_scoreboard_notices_packets_without_memory),
        cmocka_unit_test(ports_say_that_memory_is_short),
        cmocka_unit_test(bounds_say_that_memory_is_short),
        cmocka_unit_test(a_scoreboard_notices_deliveries_without_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
