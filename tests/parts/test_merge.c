/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of several parts become those of part 0: each number of each part is another random
 * one, and the test adds them up itself. And allocations that fail meanwhile. Parts must not fail
 * in their threads, so they note what is wrong. */
#include "run/merge.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/partition.h"
#include "run/ports.h"
#include "unit.h"

/* The linker puts these in place of the C library's own. */
void *real_calloc(size_t count, size_t size) __asm__("__real_calloc");
void *real_malloc(size_t size) __asm__("__real_malloc");
void *real_realloc(void *old, size_t size) __asm__("__real_realloc");
void *calloc_here(size_t count, size_t size) __asm__("__wrap_calloc");
void *malloc_here(size_t size) __asm__("__wrap_malloc");
void *realloc_here(void *old, size_t size) __asm__("__wrap_realloc");

static atomic_uint allocations;
static unsigned failing; /* the number of the one that fails; 0: none */

void *calloc_here(size_t count, size_t size)
{
    return ++allocations == failing ? NULL : real_calloc(count, size);
}

void *malloc_here(size_t size)
{
    return ++allocations == failing ? NULL : real_malloc(size);
}

void *realloc_here(void *old, size_t size)
{
    return ++allocations == failing ? NULL : real_realloc(old, size);
}

enum { PARTS = 3, CLASSES = 2, LOGGED = 40, SAMPLES = 30 };

struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_partition *partition;
    struct nodes_own own[PARTS];
    struct scoreboard board[PARTS];
    struct senders senders[PARTS];
    struct receivers receivers[PARTS];
    struct steady steady[PARTS];
    uint64_t drawn;
    bool done[PARTS];
};

static uint64_t draw(struct bench *b, uint64_t below)
{
    return ec_rng_below(ec_rng_draw(3, b->drawn++), below);
}

static void bench_open(struct bench *b, const char *topology, const char *router)
{
    struct ec_error error;
    memset(b, 0, sizeof *b);
    b->t = topology_of(topology);
    b->r = router_of(router, &b->t);
    if (ec_partition_open(&b->t, PARTS, &b->partition, &error) != EC_OK)
        fail_msg("%s", error.message);
    for (uint32_t k = 0; k < PARTS; k++) {
        const uint32_t first = b->partition->first[k], end = b->partition->first[k + 1];
        assert_true(nodes_own_open(&b->own[k], b->partition->node + first, end - first));
    }
}

static void bench_close(struct bench *b)
{
    for (uint32_t k = 0; k < PARTS; k++)
        nodes_own_close(&b->own[k]);
    ec_partition_close(b->partition);
}

static bool run_parts(struct bench *b, parts_body *body)
{
    struct ec_error error;
    const struct parts_plan plan = {.parts = PARTS};
    memset(b->done, 0, sizeof b->done);
    const enum ec_code code = parts_run(&plan, body, b, &error);
    return code == EC_OK && b->done[0] && b->done[1] && b->done[2];
}

static void assert_number(const char *what, size_t i, uint64_t is, uint64_t should)
{
    if (is != should)
        fail_msg("%s %zu is %llu instead of %llu", what, i, (unsigned long long)is,
                 (unsigned long long)should);
}

/* --- The scoreboard --------------------------------------------------------------------------- */

static size_t sums_of(struct scoreboard *s, uint64_t **ret)
{
    uint64_t *const own[] = {&s->measured, &s->latency_sum, &s->words,    &s->packets,
                             &s->messages, &s->digest,      &s->accepted, &s->hop_words};
    size_t count = COUNT(own);
    memcpy(ret, own, sizeof own);
    for (unsigned k = 0; k < s->class_count; k++) {
        ret[count++] = &s->classes[k].messages;
        ret[count++] = &s->classes[k].packets;
        ret[count++] = &s->classes[k].words;
        ret[count++] = &s->classes[k].accepted;
    }
    return count;
}

static size_t histograms_of(struct scoreboard *s, struct latency **ret)
{
    size_t count = 0;
    ret[count++] = &s->packet_latency;
    ret[count++] = &s->network_latency;
    ret[count++] = &s->round_trip;
    for (unsigned k = 0; k < s->class_count; k++) {
        ret[count++] = &s->classes[k].packet_latency;
        ret[count++] = &s->classes[k].network_latency;
    }
    return count;
}

/* What part 0 must have in the end. */
struct expected {
    uint64_t sum[32], most[3];
    struct ec_source_use source[8192];
    uint64_t channel[3][256];
    uint64_t samples[16], max[16], cycles[16];
    struct ec_packet_log log[PARTS * LOGGED];
    size_t logged;
};

static void fill_numbers(struct bench *b, struct scoreboard *s, struct expected *e)
{
    uint64_t *list[32];
    for (size_t i = sums_of(s, list); i-- > 0;)
        e->sum[i] += *list[i] = draw(b, UINT64_MAX);
    s->recent_latency = draw(b, UINT64_MAX);
    s->last_cycle = draw(b, UINT64_MAX);
    s->max_hops = (unsigned)draw(b, UINT32_MAX);
    const uint64_t most[] = {s->recent_latency, s->last_cycle, s->max_hops};
    for (size_t i = 0; i < COUNT(most); i++)
        e->most[i] = most[i] > e->most[i] ? most[i] : e->most[i];
    for (uint32_t node = 0; node < b->t.nodes; node++) {
        s->from[node] = (struct from_source){draw(b, 1u << 30), draw(b, 1u << 30), draw(b, 99)};
        e->source[node].words += s->from[node].accepted;
        e->source[node].packets += s->from[node].packets;
        e->source[node].latency += s->from[node].latency;
    }
}

/* Only what own nodes know of their channels counts. */
static void fill_channels(struct bench *b, struct scoreboard *s, uint32_t part, struct expected *e)
{
    const unsigned links = ec_topology_links(&b->t);
    uint64_t *const array[] = {s->link_words, s->inject_words, s->eject_words};
    const unsigned per_node[] = {links, s->locals, s->locals};
    for (unsigned k = 0; s->link_words && k < COUNT(array); k++) {
        for (size_t i = 0; i < (size_t)b->t.nodes * per_node[k]; i++) {
            array[k][i] = draw(b, UINT64_MAX);
            if (b->partition->part_of[i / per_node[k]] == part)
                e->channel[k][i] = array[k][i];
        }
    }
}

static void fill_histograms(struct bench *b, struct scoreboard *s, struct expected *e)
{
    struct latency *list[16];
    for (size_t i = histograms_of(s, list); i-- > 0;) {
        for (uint64_t left = draw(b, SAMPLES); left > 0; left--) {
            const uint64_t cycles = draw(b, 9) ? draw(b, 500) : LATENCY_NEAR_MAX + draw(b, 5);
            assert_true(latency_add(list[i], cycles));
            e->samples[i]++;
            e->cycles[i] += cycles;
            e->max[i] = cycles > e->max[i] ? cycles : e->max[i];
        }
    }
}

/* Packets in the order in which the network shows them: by cycle, then by node, then by port. */
static int by_place(const void *a, const void *b)
{
    const struct ec_packet_log *x = a, *y = b;
    const uint64_t p[] = {x->delivered, x->dst, x->words}, q[] = {y->delivered, y->dst, y->words};
    for (size_t i = 0; i < COUNT(p); i++) {
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    }
    return 0;
}

/* Each packet has another number of words, which grows along the log. */
static void fill_log(struct bench *b, struct scoreboard *s, uint32_t part, struct expected *e)
{
    struct ec_packet_log own[LOGGED];
    for (uint32_t i = 0; i < LOGGED; i++)
        own[i] = (struct ec_packet_log){
            .src = (uint32_t)draw(b, 1000),
            .dst = nodes_own_at(&b->own[part], (uint32_t)draw(b, b->own[part].count)),
            .words = part * LOGGED + i,
            .created = draw(b, 1000),
            .injected = draw(b, 1000),
            .delivered = 1 + draw(b, 12)};
    qsort(own, LOGGED, sizeof *own, by_place);
    for (uint32_t i = 0; i < LOGGED; i++) {
        own[i].words = part * LOGGED + i;
        assert_true(scoreboard_log(s, &own[i]));
        e->log[e->logged++] = own[i];
    }
}

static void open_boards(struct bench *b, bool all, struct expected *e)
{
    *e = (struct expected){0};
    for (uint32_t k = 0; k < PARTS; k++) {
        struct scoreboard *s = &b->board[k];
        assert_true(scoreboard_open(s, &b->t, &b->r, &b->own[k]));
        assert_true(!all || (scoreboard_count_channels(s) && scoreboard_count_classes(s, CLASSES)));
        scoreboard_reset(s);
        s->keep_log = all;
        fill_numbers(b, s, e);
        fill_channels(b, s, k, e);
        fill_histograms(b, s, e);
        if (all && k + 1 < PARTS) /* nothing has arrived in the last part */
            fill_log(b, s, k, e);
    }
    qsort(e->log, e->logged, sizeof *e->log, by_place);
}

static void close_boards(struct bench *b)
{
    for (uint32_t k = 0; k < PARTS; k++)
        scoreboard_close(&b->board[k]);
}

static void merge_board(void *context, struct exchange *x)
{
    struct bench *b = context;
    b->done[x->part] = scoreboard_merge(&b->board[x->part], x, b->partition);
}

static void compare_board(struct bench *b, const struct expected *e)
{
    struct scoreboard *s = &b->board[0];
    const uint64_t most[] = {s->recent_latency, s->last_cycle, s->max_hops};
    uint64_t *list[32];
    struct latency *histogram[16];
    for (size_t i = sums_of(s, list); i-- > 0;)
        assert_number("sum", i, *list[i], e->sum[i]);
    for (size_t i = 0; i < COUNT(most); i++)
        assert_number("maximum", i, most[i], e->most[i]);
    for (uint32_t node = 0; node < b->t.nodes; node++) {
        const struct ec_source_use use = scoreboard_source(s, node);
        assert_number("words of source", node, use.words, e->source[node].words);
        assert_number("packets of source", node, use.packets, e->source[node].packets);
        assert_number("latency of source", node, use.latency, e->source[node].latency);
    }
    uint64_t *const array[] = {s->link_words, s->inject_words, s->eject_words};
    const unsigned per_node[] = {ec_topology_links(&b->t), s->locals, s->locals};
    for (unsigned k = 0; s->link_words && k < COUNT(array); k++) {
        for (size_t i = 0; i < (size_t)b->t.nodes * per_node[k]; i++)
            assert_number("channel", i, array[k][i], e->channel[k][i]);
    }
    for (size_t i = histograms_of(s, histogram); i-- > 0;) {
        assert_number("samples", i, histogram[i]->samples, e->samples[i]);
        assert_number("cycles", i, (uint64_t)histogram[i]->sum, e->cycles[i]);
        assert_number("maximum", i, histogram[i]->max, e->max[i]);
    }
    assert_number("packets", 0, s->log_count, e->logged);
    for (size_t i = 0; i < e->logged; i++) {
        const struct ec_packet_log *x = &s->log[i], *y = &e->log[i];
        assert_number("source of packet", i, x->src, y->src);
        assert_number("destination of packet", i, x->dst, y->dst);
        assert_number("words of packet", i, x->words, y->words);
        assert_number("creation of packet", i, x->created, y->created);
        assert_number("start of packet", i, x->injected, y->injected);
        assert_number("arrival of packet", i, x->delivered, y->delivered);
    }
}

static void boards_add_up(NO_STATE)
{
    static const char *const routers[] = {"vcs=2", "vcs=2,ports=all"};
    static struct expected e;
    struct bench b;
    for (unsigned i = 0; i < 4; i++) {
        bench_open(&b, "mesh:5x4", routers[i / 2]);
        open_boards(&b, i % 2, &e);
        assert_true(run_parts(&b, merge_board));
        compare_board(&b, &e);
        close_boards(&b);
        bench_close(&b);
    }
}

/* More sources than are added in one piece. */
static void boards_of_many_sources_add_up(NO_STATE)
{
    static struct expected e;
    struct bench b;
    bench_open(&b, "cube:13", "");
    open_boards(&b, false, &e);
    assert_true(run_parts(&b, merge_board));
    compare_board(&b, &e);
    close_boards(&b);
    bench_close(&b);
}

/* What went wrong in any part is known in all of them, and nothing else. */
static void failures_of_all_parts_are_known(NO_STATE)
{
    static struct expected e;
    struct bench b;
    bench_open(&b, "cube:3", "");
    for (unsigned what = 0; what <= 3 * PARTS; what++) {
        open_boards(&b, false, &e);
        for (uint32_t k = 0; k < PARTS; k++) {
            b.board[k].early.found = what == k;
            b.board[k].memory_short = what == PARTS + k;
            b.board[k].failed = what == 2 * PARTS + k;
        }
        assert_true(run_parts(&b, merge_board));
        for (uint32_t k = 0; k < PARTS; k++) {
            assert_int_equal(b.board[k].early.found, what / PARTS == 0);
            assert_int_equal(b.board[k].memory_short, what / PARTS == 1);
            assert_int_equal(b.board[k].failed, what / PARTS == 2);
        }
        close_boards(&b);
    }
    bench_close(&b);
}

/* --- Ports and batches ------------------------------------------------------------------------ */

enum { NOW = 1000 };

static void merge_ports(void *context, struct exchange *x)
{
    struct bench *b = context;
    b->done[x->part] = senders_merge(&b->senders[x->part], x, b->partition, NOW) &&
                       receivers_merge(&b->receivers[x->part], x) &&
                       steady_merge(&b->steady[x->part], x);
}

/* Each sender has waited in waits that ended, and some wait now. Returns what all have waited. */
static uint64_t fill_port(struct bench *b, struct senders *s, uint32_t port)
{
    uint64_t sum = 0;
    for (uint32_t slot = port * s->classes; slot < (port + 1) * s->classes; slot++) {
        s->blocked[slot] = draw(b, 1u << 20);
        s->sender[slot].blocked = draw(b, 2) ? 1 + draw(b, NOW) : 0;
        sum += s->blocked[slot];
        sum += s->sender[slot].blocked ? NOW - s->sender[slot].blocked + 1 : 0;
    }
    return sum;
}

/* `starts`: the parts that have started to send, as bits. */
static void merge_all_ports(const char *router, const char *traffic, unsigned starts)
{
    struct bench b;
    uint64_t sums[5] = {0}, started = UINT64_MAX, blocked[256];
    enum { BINS = STEADY_SERIES * STEADY_BINS };
    static uint64_t batch[2][BINS];
    memset(batch, 0, sizeof batch);
    bench_open(&b, "mesh:5x4", router);
    struct ec_workload *const w = workload_of(traffic, &b.t);
    struct service *const service = w->service.words ? service_open(&b.t, &b.r, w, NULL) : NULL;
    struct sources *const sources = sources_open(&b.t, &b.r, w, 1, NULL);
    assert_non_null(sources);
    for (uint32_t k = 0; k < PARTS; k++) {
        struct senders *s = &b.senders[k];
        struct receivers *r = &b.receivers[k];
        assert_true(senders_open(s, &b.t, &b.r, sources, &b.board[k], 0, &b.own[k]));
        assert_true(!service || senders_serve(s, service, false));
        senders_reset(s);
        assert_true(receivers_open(r, b.t.nodes, s->locals, s->vcs, 0, 1, &b.own[k]));
        uint64_t *const list[] = {&s->messages, &s->self_messages, &r->waiting, &r->stalled,
                                  &r->held_words};
        for (size_t i = 0; i < COUNT(list); i++)
            sums[i] += *list[i] = draw(&b, UINT64_MAX);
        s->started = starts >> k & 1 ? 1 + draw(&b, 1u << 20) : 0;
        if (s->started && s->started < started)
            started = s->started;
        for (uint32_t i = 0; i < b.own[k].count * s->locals; i++) {
            const uint32_t port =
                nodes_own_at(&b.own[k], i / s->locals) * s->locals + i % s->locals;
            blocked[port] = fill_port(&b, s, port);
        }
        assert_true(steady_open(&b.steady[k], 1, 0, 1, (struct process_words){.length = 1}, NULL));
        for (unsigned i = 0; i < BINS; i++) {
            batch[0][i] += b.steady[k].bin[i / STEADY_BINS][i % STEADY_BINS].count =
                draw(&b, UINT64_MAX);
            batch[1][i] += b.steady[k].bin[i / STEADY_BINS][i % STEADY_BINS].sum =
                draw(&b, UINT64_MAX);
        }
    }
    assert_true(run_parts(&b, merge_ports));
    const struct senders *s = &b.senders[0];
    const struct receivers *r = &b.receivers[0];
    const uint64_t is[] = {s->messages, s->self_messages, r->waiting, r->stalled, r->held_words};
    for (size_t i = 0; i < COUNT(is); i++)
        assert_number("sum", i, is[i], sums[i]);
    assert_number("start", 0, s->started, starts ? started : 0);
    for (uint32_t port = 0; port < s->ports; port++)
        assert_number("wait of port", port, senders_blocked(s, port, NOW), blocked[port]);
    for (unsigned i = 0; i < BINS; i++) {
        const struct estimate_bin *bin = &b.steady[0].bin[i / STEADY_BINS][i % STEADY_BINS];
        assert_number("packets of bin", i, bin->count, batch[0][i]);
        assert_number("cycles of bin", i, bin->sum, batch[1][i]);
    }
    for (uint32_t k = 0; k < PARTS; k++) {
        steady_close(&b.steady[k]);
        senders_close(&b.senders[k]);
        receivers_close(&b.receivers[k]);
    }
    service_close(service);
    sources_close(sources);
    ec_workload_close(w);
    bench_close(&b);
}

static void ports_and_batches_add_up(NO_STATE)
{
    for (unsigned starts = 0; starts < 1 << PARTS; starts++)
        merge_all_ports("vcs=2", "uniform:rate=1e-9,m=1", starts);
    merge_all_ports("vcs=2,ports=all", "uniform:rate=1e-9,m=1", 1);
    merge_all_ports("vcs=2", "uniform:rate=1e-9,m=1,reply=3,queue=inf", 1);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Some part says so, and no part waits for ever. */
static void a_merge_says_that_memory_is_short(NO_STATE)
{
    static struct expected e;
    struct bench b;
    bench_open(&b, "mesh:5x4", "vcs=2,ports=all");
    bool good = false;
    unsigned failed = 0;
    for (unsigned number = 1; !good; number++) {
        open_boards(&b, true, &e);
        allocations = 0;
        failing = number;
        good = run_parts(&b, merge_board);
        failing = 0;
        failed += !good;
        assert_int_equal(good, allocations < number);
        close_boards(&b);
    }
    assert_true(failed > 10);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("boards add up", boards_add_up),
        TEST("boards of many sources add up", boards_of_many_sources_add_up),
        TEST("failures of all parts are known", failures_of_all_parts_are_known),
        TEST("ports and batches add up", ports_and_batches_add_up),
        TEST("a merge says that memory is short", a_merge_says_that_memory_is_short),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
