/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder against a log of every cycle: each bin of each channel, the sums, the grid, the
 * choice of channels, and the path of every packet that is kept. */
#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"
#include "ecube/word.h"
#include "page/recorder.h"
#include "rig.h"

#define CYCLES_MOST 2048

/* --- What happened, cycle by cycle ------------------------------------------------------------ */

struct log {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    unsigned links, locals, vcs, span;
    size_t channels;
    uint32_t *at[EC_RECORDED_SERIES]; /* [cycle * channels + channel] */
    int32_t *held;                    /* [channel] */
};

static void note(struct log *l, enum ec_recorded what, uint64_t cycle, uint32_t node, unsigned port)
{
    assert_true(cycle < CYCLES_MOST);
    l->at[what][cycle * l->channels + (size_t)node * l->span + port]++;
}

/* The channel that ends at this input. */
static size_t feeder(const struct log *l, uint32_t node, unsigned port)
{
    if (port >= l->links)
        return (size_t)node * l->span + port;
    return (size_t)ec_topology_neighbor(l->t, node, port) * l->span +
           ec_topology_reverse(l->t, port);
}

static void see(void *context, const struct ec_net_seen *seen)
{
    struct log *l = context;
    for (unsigned port = 0; port < l->links + l->locals; port++) {
        const unsigned out = port < l->links ? port : port + l->locals;
        if (seen->in_valid >> port & 1) {
            l->held[feeder(l, seen->node, port)]++;
            if (port >= l->links)
                note(l, EC_RECORDED_FLITS, seen->cycle, seen->node, port);
        }
        if (seen->out_valid >> port & 1)
            note(l, EC_RECORDED_FLITS, seen->cycle + 1, seen->node, out);
        for (unsigned vc = 0; vc < l->vcs; vc++) {
            const unsigned wants = seen->want[port * l->vcs + vc];
            const unsigned to = wants < l->links ? wants : wants + l->locals;
            if (seen->out_credit[vc] >> port & 1)
                l->held[feeder(l, seen->node, port)]--;
            if (seen->contended[vc] >> port & 1)
                note(l, EC_RECORDED_CONTENDED, seen->cycle + 1, seen->node, to);
            else if (seen->starved[vc] >> port & 1)
                note(l, EC_RECORDED_STARVED, seen->cycle + 1, seen->node, to);
        }
    }
}

static void end_cycle(void *context, uint64_t cycle)
{
    struct log *l = context;
    assert_true(cycle + 1 < CYCLES_MOST);
    for (size_t i = 0; i < l->channels; i++)
        l->at[EC_RECORDED_BUFFERED][(cycle + 1) * l->channels + i] = (uint32_t)l->held[i];
}

static struct log log_open(const struct rig *rig)
{
    struct log l = {.t = &rig->t,
                    .links = ec_topology_links(&rig->t),
                    .locals = ec_router_locals(&rig->r, &rig->t),
                    .vcs = rig->r.vcs};
    l.span = l.links + 2 * l.locals;
    l.channels = (size_t)rig->t.nodes * l.span;
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++)
        l.at[k] = calloc(CYCLES_MOST * l.channels, sizeof *l.at[k]);
    l.held = calloc(l.channels, sizeof *l.held);
    l.watch = (struct ec_net_watch){.router = see, .cycle = end_cycle};
    return l;
}

static void log_close(struct log *l)
{
    for (unsigned k = 0; k < EC_RECORDED_SERIES; k++)
        free(l->at[k]);
    free(l->held);
}

/* --- Channels --------------------------------------------------------------------------------- */

struct recorded {
    struct log log;
    struct trial trial;
    struct ec_recorder *recorder;
    const struct ec_recording *r;
};

static size_t channel_of(const struct recorded *x, size_t i)
{
    return (size_t)x->r->channel[i].node * x->log.span + x->r->channel[i].port;
}

static uint64_t logged(const struct recorded *x, unsigned series, size_t bin, size_t channel)
{
    uint64_t sum = 0;
    for (uint64_t c = x->r->first + bin * x->r->width;
         c <= x->r->last && c < x->r->first + (bin + 1) * x->r->width; c++)
        sum += x->log.at[series][c * x->log.channels + channel];
    return sum;
}

static uint64_t cycles_of(const struct recorded *x, size_t bin)
{
    const uint64_t left = x->r->last - (x->r->first + bin * x->r->width) + 1;
    return left < x->r->width ? left : x->r->width;
}

static void check_bins(const struct recorded *x)
{
    const struct ec_recording *r = x->r;
    assert_true((r->bins - 1) * r->width < r->last && r->bins * r->width >= r->last);
    for (size_t bin = 0; bin < r->bins; bin++) {
        const uint64_t cycles = cycles_of(x, bin);
        for (size_t i = 0; i < r->channels; i++) {
            const size_t cell = bin * r->channels + i, channel = channel_of(x, i);
            for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++)
                trial_assert_equal(&x->trial, "a cell", r->series[k][cell],
                                   logged(x, k, bin, channel));
            const uint64_t held = logged(x, EC_RECORDED_BUFFERED, bin, channel);
            trial_assert_equal(&x->trial, "words in a buffer",
                               r->series[EC_RECORDED_BUFFERED][cell],
                               (held * EC_RECORDED_SCALE + cycles / 2) / cycles);
        }
    }
}

/* The counter of the report for a channel. */
static uint64_t reported(const struct recorded *x, unsigned series, uint32_t node, unsigned port)
{
    const struct ec_report *p = x->trial.report;
    const struct log *l = &x->log;
    const uint64_t *counters[] = {p->flits, p->contended, p->starved};
    if (port >= l->links && port < l->links + l->locals)
        return series ? 0 : p->injected[(size_t)node * p->locals + port - l->links];
    return counters[series][(size_t)node * p->ports + (port < l->links ? port : port - l->locals)];
}

static void check_totals(const struct recorded *x)
{
    const struct ec_recording *r = x->r;
    const struct ec_report *p = x->trial.report;
    struct ec_recorded_sums all = {0};
    for (size_t i = 0; i < r->channels; i++) {
        for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++) {
            uint64_t sum = 0;
            for (size_t bin = 0; bin < r->bins; bin++)
                sum += r->series[k][bin * r->channels + i];
            const uint64_t total = reported(x, k, r->channel[i].node, r->channel[i].port);
            trial_assert_equal(&x->trial, "the total of a channel", r->total[k][i], total);
            trial_assert_equal(&x->trial, "the sum of a channel", sum, total);
        }
    }
    for (size_t bin = 0; bin < r->bins; bin++) {
        all.flits += r->sums[bin].flits;
        all.contended += r->sums[bin].contended;
        all.starved += r->sums[bin].starved;
        all.injected += r->sums[bin].injected;
        all.ejected += r->sums[bin].ejected;
    }
    trial_assert_equal(&x->trial, "words on links", all.flits, p->flit_hops);
    trial_assert_equal(&x->trial, "contended cycles", all.contended, p->contended_cycles);
    trial_assert_equal(&x->trial, "starved cycles", all.starved, p->starved_cycles);
    trial_assert_equal(&x->trial, "words injected", all.injected, p->words);
    trial_assert_equal(&x->trial, "words ejected", all.ejected, p->words);
}

/* Where the page expects a node on the flat projection. */
static size_t region_of(const struct recorded *x, uint32_t node)
{
    const struct ec_topology *t = x->log.t;
    size_t at[2] = {0, 0}, stride[2] = {1, 1};
    for (unsigned d = 0; d < t->dims; d++) {
        at[d % 2] += stride[d % 2] * ec_topology_coord(t, node, d);
        stride[d % 2] *= t->radix[d];
    }
    return at[1] / x->r->step_down * x->r->grid_width + at[0] / x->r->step_across;
}

static void check_grid(const struct recorded *x)
{
    const struct ec_recording *r = x->r;
    const size_t regions = r->grid_width * r->grid_height;
    uint64_t *sum = calloc(regions + 1, sizeof *sum);
    for (size_t bin = 0; bin < r->bins && regions; bin++) {
        for (unsigned k = 0; k < EC_RECORDED_BUFFERED; k++) {
            memset(sum, 0, regions * sizeof *sum);
            for (size_t i = 0; i < x->log.channels; i++) {
                const uint32_t node = (uint32_t)(i / x->log.span);
                if (i % x->log.span < x->log.links)
                    sum[region_of(x, node)] += logged(x, k, bin, i);
            }
            for (size_t i = 0; i < regions; i++)
                trial_assert_equal(&x->trial, "a region", r->grid[k][bin * regions + i], sum[i]);
        }
    }
    free(sum);
}

/* Those dropped have not more to show than the least that are kept, or they are reported. */
static void check_choice(const struct recorded *x)
{
    const struct ec_recording *r = x->r;
    uint64_t least = UINT64_MAX;
    size_t more = 0, next = 0;
    for (size_t i = 0; i < r->channels; i++) {
        const uint64_t waiting =
            r->total[EC_RECORDED_CONTENDED][i] + r->total[EC_RECORDED_STARVED][i];
        least = waiting < least ? waiting : least;
    }
    for (size_t i = 0; i < x->log.channels; i++) {
        const uint32_t node = (uint32_t)(i / x->log.span);
        const unsigned port = (unsigned)(i % x->log.span);
        if (next < r->channels && channel_of(x, next) == i) {
            next++;
            continue;
        }
        more += reported(x, EC_RECORDED_CONTENDED, node, port) +
                    reported(x, EC_RECORDED_STARVED, node, port) >
                least;
    }
    assert_int_equal(next, r->channels);
    assert_true(more == 0 || r->missed > 0);
}

/* --- Packets ---------------------------------------------------------------------------------- */

static bool is_logged(const struct ec_report *report, const struct ec_recorded_packet *p,
                      uint64_t *from)
{
    for (; *from < report->packets; (*from)++) {
        const struct ec_packet_log *k = &report->packets_log[*from];
        if (k->src == p->src && k->dst == p->dst && k->words == p->words &&
            k->created == p->created && k->injected == p->injected && k->delivered == p->delivered)
            return true;
    }
    return false;
}

static void check_path(const struct recorded *x, const struct ec_recorded_packet *p)
{
    const struct rig *rig = x->trial.rig;
    struct ec_hop hops[64];
    const size_t count = ec_route_path(&rig->t, &rig->r, p->src, p->dst, hops, COUNT(hops));
    uint64_t before = p->injected;
    trial_assert_equal(&x->trial, "hops of a packet", p->hops, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t cycle = x->r->hop_cycle[p->hop + i];
        trial_assert_equal(&x->trial, "a link of a path", x->r->hop_port[p->hop + i], hops[i].link);
        if (cycle <= before || cycle >= p->delivered)
            trial_fail(&x->trial, "hop %zu of %u to %u in cycle %llu", i, p->src, p->dst,
                       (unsigned long long)cycle);
        before = cycle;
    }
}

static void check_packets(const struct recorded *x, const struct ec_recorder_options *o)
{
    const struct ec_recording *r = x->r;
    const struct ec_report *report = x->trial.report;
    uint64_t longest = 0, from = 0, hops = 0;
    trial_assert_equal(&x->trial, "packets", r->all_packets, report->packets);
    for (size_t i = 0; i < r->packets; i++) {
        const struct ec_recorded_packet *p = &r->packet[i];
        if (!is_logged(report, p, &from))
            trial_fail(&x->trial, "a packet from %u to %u is not in the log", p->src, p->dst);
        check_path(x, p);
        const uint64_t latency = p->delivered - p->created + 1;
        longest = latency > longest ? latency : longest;
        hops += p->hops;
    }
    if (!report->window_messages)
        trial_assert_equal(&x->trial, "the longest latency", longest, report->packet_latency.max);
    if (o && o->packets)
        assert_true(r->packets <= o->packets && r->packets >= o->packets / 4);
    if (o && o->hops)
        assert_true(hops <= o->hops);
    if (!o)
        trial_assert_equal(&x->trial, "packets kept", r->packets, r->all_packets);
}

/* The histogram has all packets of the log. */
static void check_latencies(const struct recorded *x)
{
    const struct ec_report *report = x->trial.report;
    uint64_t count[EC_RECORDED_LATENCIES] = {0};
    for (uint64_t i = 0; i < report->packets; i++) {
        const struct ec_packet_log *k = &report->packets_log[i];
        const uint64_t bar = (k->delivered - k->created + 1) / x->r->latency_width;
        assert_true(bar < EC_RECORDED_LATENCIES);
        count[bar]++;
    }
    for (size_t i = 0; i < EC_RECORDED_LATENCIES; i++)
        trial_assert_equal(&x->trial, "packets of a latency", x->r->latency[i], count[i]);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void record(struct rig *rig, const char *workload, const struct ec_recorder_options *o)
{
    struct ec_error e;
    struct recorded x = {.log = log_open(rig)};
    x.log.watch.context = &x.log;
    assert_int_equal(ec_recorder_open(&rig->t, &rig->r, o, &x.recorder, &e), EC_OK);
    const struct ec_net_watch *watches[] = {&x.log.watch, ec_recorder_watch(x.recorder)};
    const struct ec_run_options options = {.seed = 3,
                                           .cycles = strstr(workload, "rate") ? 150 : 0,
                                           .warmup = 20,
                                           .startup = 1,
                                           .keep_packets = true,
                                           .watches = watches,
                                           .watch_count = 2,
                                           .offer = ec_recorder_offer,
                                           .offer_context = x.recorder};
    x.trial = rig_run(rig, workload, &options);
    assert_int_equal(ec_recorder_finish(x.recorder, &x.r, &e), EC_OK);
    check_bins(&x);
    check_totals(&x);
    check_grid(&x);
    check_choice(&x);
    check_packets(&x, o);
    check_latencies(&x);
    const size_t regions = x.r->grid_width * x.r->grid_height;
    if (o && o->cells)
        assert_true((x.r->channels + regions) * x.r->bins * EC_RECORDED_SERIES <= o->cells);
    else
        assert_int_equal(x.r->channels, x.r->all_channels);
    trial_close(&x.trial);
    ec_recorder_close(x.recorder);
    log_close(&x.log);
}

static void every_bin_has_what_happened(NO_STATE)
{
    static const char *const networks[][2] = {
        {"ring:8", "vcs=2"},
        {"mesh:4x3", "vcs=1"},
        {"mesh:3x2x2", "vcs=2,ports=all"},
        {"torus:4x4", "vcs=4"},
        {"torus:4x4", "vcs=2,order=high"},
        {"torus:2x3x4", "vcs=2,switching=store-and-forward,depth=4"},
        {"cube:3", "ports=all"},
        {"cube:4", ""},
    };
    struct rig rig = {0};
    for (size_t i = 0; i < COUNT(networks); i++) {
        rig_open(&rig, &(struct ec_case_spec){
                           .topology = networks[i][0], .router = networks[i][1], .longest = 4});
        const size_t channels = (size_t)rig.t.nodes *
                                (ec_topology_links(&rig.t) + 2 * ec_router_locals(&rig.r, &rig.t));
        record(&rig, "uniform:rate=0.2,m=4", NULL);
        record(&rig, "shift:q=3,m=16", NULL);
        /* Bins merge until eight are left; 40 packets. */
        record(&rig, "uniform:rate=0.2,m=4",
               &(struct ec_recorder_options){.cells = channels * 8 * EC_RECORDED_SERIES,
                                             .packets = 40});
        /* Only some channels fit, in the result and, from the first cycles on, in memory. */
        record(&rig, "shift:q=3,m=16", &(struct ec_recorder_options){.cells = 5000, .hops = 64});
        record(&rig, "uniform:rate=0.2,m=4",
               &(struct ec_recorder_options){.cells = 2000, .memory = 3 * channels});
    }
    rig_close(&rig);
}

static void a_grid_has_the_sums_of_its_regions(NO_STATE)
{
    struct rig rig = {0};
    rig_open(&rig,
             &(struct ec_case_spec){.topology = "mesh:34x9", .router = "vcs=1", .longest = 4});
    record(&rig, "shift:q=100,m=4", &(struct ec_recorder_options){.cells = 100000});
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every bin has what happened in its cycles, every path is the route",
             every_bin_has_what_happened),
        TEST("a grid has the sums of its regions", a_grid_has_the_sums_of_its_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
