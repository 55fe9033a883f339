/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of runs on real routers, against sums and small traces whose waiting is known by hand:
 * intervals, fairness over sources, and the cycles in which nodes wait for credits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"

static void open_rig(struct rig *rig, const char *topology, const char *router)
{
    rig_open(rig, &(struct ec_case_spec){.topology = topology, .router = router, .longest = 64});
}

/* Run a trace given as text. */
static struct trial run_trace(struct rig *rig, const char *rows, const struct ec_run_options *o)
{
    char path[] = "/tmp/ecube-statistics.XXXXXX", workload[64];
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, rows, strlen(rows)) == (ssize_t)strlen(rows));
    close(file);
    snprintf(workload, sizeof workload, "trace:file=%s", path);
    struct trial trial = rig_run(rig, workload, o);
    unlink(path);
    return trial;
}

static uint64_t sum(const uint64_t *x, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += x[i];
    return total;
}

/* The intervals of a run are in order, as long as asked for, and their sums are its totals. */
static void check_sums(const struct trial *trial)
{
    const struct ec_report *r = trial->report;
    struct ec_interval all = {0};
    uint64_t max = 0, last = 0, waiting = 0;
    for (size_t i = 0; i < r->interval_count; i++) {
        const struct ec_interval *x = &r->intervals[i];
        if (x->from <= last || x->to < x->from)
            trial_fail(trial, "interval %llu to %llu after %llu", (unsigned long long)x->from,
                       (unsigned long long)x->to, (unsigned long long)last);
        if (trial->options.interval)
            trial_assert_equal(trial, "a border", (x->from - 1) % trial->options.interval, 0);
        last = x->to;
        all.messages_sent += x->messages_sent;
        all.words_sent += x->words_sent;
        all.messages += x->messages;
        all.packets += x->packets;
        all.words += x->words;
        all.latency_sum += x->latency_sum;
        max = x->latency_max > max ? x->latency_max : max;
        all.flit_hops += x->flit_hops;
        all.contended += x->contended;
        all.starved += x->starved;
        waiting += x->link_waiting;
        /* A channel carries a word per cycle. */
        assert_true(x->busiest_flits >= x->link_flits && x->busiest_flits <= x->to - x->from + 1);
        assert_true(x->link_starved <= x->link_waiting);
    }
    const size_t ports = (size_t)trial->rig->t.nodes * r->locals;
    trial_assert_equal(trial, "words sent", all.words_sent, sum(r->injected, ports));
    trial_assert_equal(trial, "messages sent", all.messages_sent, r->messages);
    trial_assert_equal(trial, "messages", all.messages, r->messages);
    trial_assert_equal(trial, "packets", all.packets, r->packets);
    trial_assert_equal(trial, "words", all.words, r->words);
    trial_assert_equal(trial, "flit-hops", all.flit_hops, r->flit_hops);
    trial_assert_equal(trial, "contended cycles", all.contended, r->contended_cycles);
    trial_assert_equal(trial, "starved cycles", all.starved, r->starved_cycles);
    assert_true(waiting <= r->contended_cycles + r->starved_cycles);
    uint64_t latency = 0, largest = 0;
    for (uint64_t i = 0; i < r->packets; i++) {
        const struct ec_packet_log *p = &r->packets_log[i];
        const uint64_t took = p->delivered - p->created + 1;
        latency += took;
        largest = took > largest ? took : largest;
    }
    trial_assert_equal(trial, "sum of latencies", all.latency_sum, latency);
    trial_assert_equal(trial, "largest latency", max, largest);
}

static void intervals_add_up(NO_STATE)
{
    static const struct {
        const char *topology, *router, *workload;
    } rows[] = {
        {"torus:4x4", "vcs=2", "uniform:rate=0.3,m=1+8"},
        {"cube:4", "ports=all", "bitrev:m=16"},
        {"mesh:4x4", "switching=store-and-forward,depth=4", "uniform:rate=0.2,m=4"},
        {"cube:3", "", "shift:q=3,m=64"},
    };
    static const uint64_t lengths[] = {1, 7, 100, 1000000};
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t digest = 0, simulated = 0;
        open_rig(&rig, rows[i].topology, rows[i].router);
        for (size_t k = 0; k < COUNT(lengths) + 2; k++) {
            struct ec_run_options o = {.seed = 3, .keep_packets = true};
            o.interval = k < COUNT(lengths) ? lengths[k] : 0;
            o.interval_auto = k == COUNT(lengths) + 1;
            o.cycles = strstr(rows[i].workload, "rate") ? 500 : 0;
            o.warmup = o.cycles ? 100 : 0;
            struct trial trial = rig_run(&rig, rows[i].workload, &o);
            const struct ec_report *r = trial.report;
            assert_int_equal(r->outcome, EC_RUN_FINISHED);
            if (k == COUNT(lengths))
                trial_assert_equal(&trial, "intervals nobody wanted", r->interval_count, 0);
            else
                check_sums(&trial);
            if (o.interval_auto && r->cycles >= 128)
                assert_true(r->interval_count >= 8 && r->interval_count <= 17);
            /* The run itself does not depend on its intervals. */
            if (k > 0) {
                trial_assert_equal(&trial, "digest", r->digest, digest);
                trial_assert_equal(&trial, "simulated cycles", r->simulated_cycles, simulated);
            }
            digest = r->digest;
            simulated = r->simulated_cycles;
            trial_close(&trial);
        }
    }
    rig_close(&rig);
}

/* Idle time between phases is skipped, and has no rows; the rows keep their cycles. */
static void phases_keep_their_cycles(NO_STATE)
{
    struct rig rig = {0};
    open_rig(&rig, "ring:8", "vcs=2");
    const struct ec_run_options o = {.seed = 1, .interval = 100, .keep_packets = true};
    struct trial trial = run_trace(&rig, "1,0,1,10\n1000001,2,3,20\n1000150,4,4,5\n", &o);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    check_sums(&trial);
    assert_int_equal(r->interval_count, 3);
    trial_assert_equal(&trial, "first phase", r->intervals[0].from, 1);
    trial_assert_equal(&trial, "its words", r->intervals[0].words, 10);
    trial_assert_equal(&trial, "its link", r->intervals[0].node, 0);
    assert_int_equal(r->intervals[0].busiest.kind, EC_CHANNEL_LINK);
    trial_assert_equal(&trial, "its busiest channel", r->intervals[0].busiest_flits, 10);
    trial_assert_equal(&trial, "is on a path of equals", r->intervals[0].busiest_ties, 2);
    trial_assert_equal(&trial, "second phase", r->intervals[1].from, 1000001);
    trial_assert_equal(&trial, "its words", r->intervals[1].words, 20);
    trial_assert_equal(&trial, "its link", r->intervals[1].node, 2);
    trial_assert_equal(&trial, "message within a node", r->intervals[2].from, 1000101);
    trial_assert_equal(&trial, "is delivered", r->intervals[2].messages, 1);
    trial_assert_equal(&trial, "without words", r->intervals[2].words, 0);
    assert_true(r->simulated_cycles < 1000);
    trial_close(&trial);

    const struct ec_run_options chosen = {.seed = 1, .interval_auto = true, .keep_packets = true};
    trial = run_trace(&rig, "1,0,1,10\n1000001,2,3,20\n1000150,4,4,5\n", &chosen);
    check_sums(&trial);
    assert_int_equal(trial.report->intervals[0].to, 16); /* few rows: nothing is merged */
    trial_close(&trial);

    const struct ec_run_options long_one = {.seed = 1, .interval = 1000};
    trial = run_trace(&rig, "1,0,1,10\n", &long_one);
    trial_assert_equal(&trial, "intervals", trial.report->interval_count, 1);
    trial_assert_equal(&trial, "its end", trial.report->intervals[0].to,
                       trial.report->simulated_cycles);
    trial_close(&trial);
    rig_close(&rig);
}

/* The first and the last cycle in which a node put a word on its local port. */
struct sent {
    unsigned port;
    uint64_t first, last;
};

static void see_node_0(void *context, const struct ec_net_seen *seen)
{
    struct sent *s = context;
    if (seen->node != 0 || !(seen->in_valid >> s->port & 1))
        return;
    s->first = s->first ? s->first : seen->cycle;
    s->last = seen->cycle;
}

/* On a line 0 - 1 - 2 the messages 0 -> 2 and 1 -> 2 of 16 words meet at the link 1 -> 2. The one
 * that comes second waits there, contended, until the tail of the other has left; its words fill
 * the buffer, then its source has no credit. Nothing else waits. */
static void the_link_of_a_meeting_waits(NO_STATE)
{
    struct rig rig = {0};
    open_rig(&rig, "mesh:3", "depth=4");
    struct sent sent = {.port = ec_topology_links(&rig.t)};
    const struct ec_net_watch watch = {.router = see_node_0, .context = &sent};
    const struct ec_net_watch *const watches[] = {&watch};
    const struct ec_run_options o = {
        .seed = 1, .interval = 1000, .keep_packets = true, .watches = watches, .watch_count = 1};
    struct trial trial = run_trace(&rig, "1,0,2,16\n1,1,2,16\n", &o);
    const struct ec_report *r = trial.report;
    trial_assert_passed(&trial);
    check_sums(&trial);
    const size_t hot = 1 * (size_t)r->ports; /* the link +x of node 1 */
    trial_assert_equal(&trial, "words of the link", r->flits[hot], 32);
    trial_assert_equal(&trial, "contended there", r->contended[hot], r->contended_cycles);
    /* Alone, 0 -> 2 is done in cycle 16 + 3; behind 16 words of node 1, in cycle 16 + 16 + 2. Its
     * head shows up in router 1 one cycle after the one of node 1, and waits for 15 more words. */
    trial_assert_equal(&trial, "cycles", r->cycles, 34);
    trial_assert_equal(&trial, "waiting for the link", r->contended[hot] + r->starved[hot], 15);
    assert_int_equal(r->interval_count, 1);
    trial_assert_equal(&trial, "the link", r->intervals[0].node, 1);
    trial_assert_equal(&trial, "its waiting", r->intervals[0].link_waiting, 15);
    /* Node 0 has a word to send in every cycle until its last one. */
    assert_true(sent.last >= sent.first + 16);
    trial_assert_equal(&trial, "node 0 without credit", r->blocked[0],
                       sent.last - sent.first + 1 - 16);
    trial_assert_equal(&trial, "node 1 without credit", r->blocked[1], 0);
    /* Latencies 34 and 18: the index is 52^2 / (2 (34^2 + 18^2)). */
    const double jain = 52.0 * 52.0 / (2 * (34.0 * 34.0 + 18.0 * 18.0));
    assert_int_equal(r->latency_fairness.sources, 2);
    assert_true(fabs(r->latency_fairness.jain - jain) < 1e-12);
    assert_int_equal(r->latency_fairness.max_node, 0);
    assert_true(fabs(r->latency_fairness.max - 34) < 1e-12);
    assert_true(fabs(r->latency_fairness.min - 18) < 1e-12);
    assert_true(fabs(r->share_fairness.jain - 1) < 1e-12);
    trial_close(&trial);
    rig_close(&rig);
}

/* In a run that is stopped, the share of each source is what arrived. */
static void shares_of_a_stopped_run(NO_STATE)
{
    struct rig rig = {0};
    open_rig(&rig, "mesh:3", "depth=4");
    const struct ec_run_options o = {.seed = 1, .cycles = 20};
    struct trial trial = run_trace(&rig, "1,0,2,16\n1,1,2,16\n", &o);
    const struct ec_report *r = trial.report;
    assert_int_equal(r->outcome, EC_RUN_LIMIT);
    trial_assert_equal(&trial, "words of node 1", r->sources[1].words, 16);
    trial_assert_equal(&trial, "words of node 0", r->sources[0].words, 2); /* cycles 19, 20 */
    const double share = 2.0 / 16, jain = (1 + share) * (1 + share) / (2 * (1 + share * share));
    assert_int_equal(r->share_fairness.min_node, 0);
    assert_true(fabs(r->share_fairness.min - share) < 1e-12);
    assert_true(fabs(r->share_fairness.jain - jain) < 1e-12);
    trial_close(&trial);
    rig_close(&rig);
}

/* Open loop: the sources add up to the report. */
static void sources_add_up(NO_STATE)
{
    struct rig rig = {0};
    open_rig(&rig, "cube:3", "ports=all");
    const struct ec_run_options o = {
        .seed = 5, .cycles = 2000, .warmup = 200, .keep_packets = true};
    struct trial trial = rig_run(&rig, "uniform:rate=0.5,m=1..8", &o);
    const struct ec_report *r = trial.report;
    double offered = 0, words = 0, square = 0, shares = 0, latency = 0, packets = 0;
    trial_assert_passed(&trial);
    for (uint32_t node = 0; node < rig.t.nodes; node++) {
        const struct ec_source_use *x = &r->sources[node];
        const double share = (double)x->words / (double)x->offered;
        offered += (double)x->offered;
        words += (double)x->words;
        shares += share;
        square += share * share;
        latency += (double)x->latency;
        packets += (double)x->packets;
    }
    assert_true(fabs(offered - r->offered * 8 * 2000) < 1e-6);
    assert_true(fabs(words - r->accepted * 8 * 2000) < 1e-6);
    assert_true(fabs(latency / packets - r->packet_latency.mean) < 1e-9);
    assert_true(fabs(r->share_fairness.jain - shares * shares / (8 * square)) < 1e-12);
    trial_close(&trial);
    rig_close(&rig);
}

/* Windows that decide nothing suggest a longer one, which decides, or is itself followed by one. */
static void suggested_windows_decide(NO_STATE)
{
    static const struct {
        const char *workload;
        uint64_t cycles;
        bool backlogged; /* in the first window */
        enum ec_steady end;
    } rows[] = {
        {"uniform:rate=0.8,m=8", 300, true, EC_STEADY_GROWS},
        {"uniform:rate=0.02,m=8", 20, false, EC_STEADY_SHOWN},
        {"uniform:rate=0.4,m=8", 100, false, EC_STEADY_SHOWN},
    };
    struct rig rig = {0};
    open_rig(&rig, "cube:3", "");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_run_options o = {.seed = 1, .warmup = 100, .cycles = rows[i].cycles};
        for (unsigned step = 0;; step++) {
            struct trial trial = rig_run(&rig, rows[i].workload, &o);
            const struct ec_report *r = trial.report;
            const uint64_t suggested = r->suggested_cycles;
            if (step == 0)
                trial_assert_equal(&trial, "backlogged", r->backlogged, rows[i].backlogged);
            if (r->steady != EC_STEADY_TOO_SHORT) {
                trial_assert_equal(&trial, "the end", r->steady, rows[i].end);
                trial_assert_equal(&trial, "suggested", suggested, 0);
                if (step == 0)
                    trial_fail(&trial, "decided at once");
                trial_close(&trial);
                break;
            }
            if (suggested < 2 * o.cycles || step == 3)
                trial_fail(&trial, "step %u suggests %llu", step, (unsigned long long)suggested);
            o.cycles = suggested;
            trial_close(&trial);
        }
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the sums over intervals are the totals", intervals_add_up),
        TEST("phases keep their cycles", phases_keep_their_cycles),
        TEST("the link of a meeting waits", the_link_of_a_meeting_waits),
        TEST("shares of a stopped run", shares_of_a_stopped_run),
        TEST("the sums over sources are the totals", sources_add_up),
        TEST("suggested windows decide", suggested_windows_decide),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
