/* SPDX-License-Identifier: Apache-2.0 */
/* A run: a play, and a replay with diagnosis if a check fails. Calls the parts; must not do their
 * work. Detection is cheap and always on; diagnosis is an exact replay from cycle 0. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "diagnose/failure.h"
#include "ecube/run.h"
#include "ecube/schedule.h"
#include "measure/fairness.h"
#include "run/checks.h"
#include "run/play.h"
#include "session/running.h"

/* --- Several watchers as one ---------------------------------------------------------------- */

static void pass_router(void *context, const struct ec_net_seen *seen)
{
    const struct fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        const struct ec_net_watch *w = f->parts[i];
        if (w->router && (!w->nodes || w->nodes[seen->node >> 6] >> (seen->node & 63) & 1))
            w->router(w->context, seen);
    }
}

static void pass_cycle(void *context, uint64_t cycle)
{
    const struct fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        if (f->parts[i]->cycle)
            f->parts[i]->cycle(f->parts[i]->context, cycle);
    }
}

static void pass_reset(void *context)
{
    const struct fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        if (f->parts[i]->reset)
            f->parts[i]->reset(f->parts[i]->context);
    }
}

bool fan_open(struct fan *f, const struct ec_net_watch *const *parts, size_t count, uint32_t nodes)
{
    const size_t words = ((size_t)nodes + 63) / 64;
    bool all = false;
    *f = (struct fan){.parts = parts, .count = count};
    for (size_t i = 0; i < count; i++)
        all = all || (parts[i]->router && !parts[i]->nodes);
    if (!all) {
        f->nodes = calloc(words ? words : 1, sizeof *f->nodes);
        if (!f->nodes)
            return false;
    }
    for (size_t i = 0; f->nodes && i < count; i++) {
        for (size_t k = 0; parts[i]->nodes && k < words; k++)
            f->nodes[k] |= parts[i]->nodes[k];
    }
    f->watch = (struct ec_net_watch){.router = pass_router,
                                     .cycle = pass_cycle,
                                     .reset = pass_reset,
                                     .nodes = f->nodes,
                                     .context = f};
    return true;
}

void fan_close(struct fan *f)
{
    free(f->nodes);
    *f = (struct fan){0};
}

/* --- The report ----------------------------------------------------------------------------- */

/* Zeros are not copied: of the counters of a network without congestion no page is ever written,
 * and such pages need no memory. */
static bool copy(uint64_t **ret, const uint64_t *from, size_t count)
{
    *ret = calloc(count, sizeof **ret);
    for (size_t i = 0; *ret && i < count; i++) {
        if (from[i])
            (*ret)[i] = from[i];
    }
    return *ret != NULL;
}

static bool take_counters(struct ec_report *report, struct play *p)
{
    const struct ec_topology *t = p->net->topology;
    struct ec_net_counters c;
    p->net->ops->counters(p->net, &c);
    report->ports = c.ports;
    report->locals = p->senders.locals;
    report->stepped = c.stepped;
    const size_t channels = (size_t)t->routers * c.ports;
    if (!copy(&report->flits, c.flits, channels) ||
        !copy(&report->contended, c.contended, channels) ||
        !copy(&report->starved, c.starved, channels) ||
        !copy(&report->injected, c.injected, (size_t)t->nodes * report->locals))
        return false;
    report->blocked = malloc((size_t)t->nodes * report->locals * sizeof *report->blocked);
    if (!report->blocked)
        return false;
    for (uint32_t port = 0; port < t->nodes * report->locals; port++)
        report->blocked[port] = senders_blocked(&p->senders, port, p->cycle);
    const unsigned links = ec_topology_links(t);
    for (size_t i = 0; i < channels; i++) {
        report->contended_cycles += c.contended[i];
        report->starved_cycles += c.starved[i];
        if (i % c.ports >= links)
            continue;
        report->flit_hops += c.flits[i];
        if (c.flits[i] > report->max_link_flits)
            report->max_link_flits = c.flits[i];
    }
    return true;
}

/* The measurement of a point, if it came to its end. */
static void fill_measurement(struct ec_report *report, const struct play *p)
{
    const struct precision *x = &p->precise;
    if (!x->done)
        return;
    report->measurement = x->found;
    report->accepted = x->found.accepted;
    report->offered = x->all.offered;
    report->window_messages = x->messages;
    report->window_missing = x->missing;
    report->packet_latency = x->all.packet;
    report->network_latency = x->all.network;
    report->round_trip = x->round_trip.packet;
    report->round_trip_confidence = x->round_trip.confidence;
    report->packet_confidence = x->all.confidence;
    report->network_half = x->found.has_interval ? x->all.network_half : 0;
}

static void fill_open_loop(struct ec_report *report, const struct play *p)
{
    const double window = (double)p->net->topology->nodes * (double)p->options.cycles;
    if (!steady_complete(&p->steady))
        return; /* the window was not played in full */
    report->accepted = (double)p->board.accepted / window;
    report->offered = (double)steady_created(&p->steady) / window;
    report->window_messages = p->window_messages;
    if (!p->grows)
        report->window_missing = p->window_messages - p->board.measured;
}

/* The words that every source created for other nodes: in open loop those of the window. */
static void count_offered(struct ec_source_use *sources, const struct play *p)
{
    const struct ec_workload *w = p->w;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        sources[m->src].offered += m->src == m->dst ? 0 : m->words;
    }
    for (uint32_t i = 0; w->open_loop && steady_complete(&p->steady) && i < p->steady.count; i++)
        sources[i / p->steady.kinds / p->senders.locals].offered += p->steady.source[i].created;
}

/* `measured`: the latencies mean something. */
static bool take_sources(struct ec_report *report, const struct play *p, bool measured)
{
    const uint32_t nodes = p->net->topology->nodes;
    report->sources = calloc(nodes, sizeof *report->sources);
    if (!report->sources)
        return false;
    for (uint32_t node = 0; node < nodes; node++) {
        report->sources[node] = p->options.precision ? precision_window(&p->precise)->sources[node]
                                                     : scoreboard_source(&p->board, node);
        if (!measured)
            report->sources[node].packets = report->sources[node].latency = 0;
    }
    count_offered(report->sources, p);
    report->latency_fairness = fairness_of_latency(report->sources, nodes);
    report->share_fairness = fairness_of_shares(report->sources, nodes);
    if (report->measurement.state != EC_MEASURED_NONE && report->share_fairness.sources > 0) {
        report->measurement.has_share = true;
        report->measurement.least_share = report->share_fairness.min;
        report->measurement.least_share_at = report->share_fairness.min_node;
    }
    return true;
}

/* A traffic class in a fixed window; `measured`: its latencies mean something. */
static void fill_class(struct ec_class_use *use, struct play *p, unsigned k, bool measured)
{
    struct traffic_class *c = &p->board.classes[k];
    const double window = (double)p->net->topology->nodes * (double)p->options.cycles;
    if (use->measured) {
        use->accepted = (double)c->accepted / window;
        use->offered = (double)p->class_words[k] / window;
    }
    if (!measured)
        return;
    use->packet_latency = latency_summary(&c->packet_latency);
    use->network_latency = latency_summary(&c->network_latency);
}

static void fill_precise_class(struct ec_class_use *use, const struct precision_series *s)
{
    use->accepted = s->accepted;
    use->offered = s->offered;
    use->packet_latency = s->packet;
    use->network_latency = s->network;
    use->confidence = s->confidence;
    use->network_half = s->confidence.has_interval ? s->network_half : 0;
}

/* The traffic classes, if there are several. */
static bool take_classes(struct ec_report *report, struct play *p, bool measured)
{
    const struct scoreboard *b = &p->board;
    if (!b->classes)
        return true;
    report->classes = calloc(b->class_count, sizeof *report->classes);
    if (!report->classes)
        return false;
    report->class_count = b->class_count;
    for (unsigned k = 0; k < b->class_count; k++) {
        const struct traffic_class *c = &b->classes[k];
        struct ec_class_use *use = &report->classes[k];
        *use = (struct ec_class_use){
            .messages = c->messages, .packets = c->packets, .words = c->words};
        snprintf(use->name, sizeof use->name, "%s", ec_workload_class_name(p->w, k));
        use->measured = p->options.precision ? p->precise.done : steady_complete(&p->steady);
        if (!p->options.precision)
            fill_class(use, p, k, measured);
        else if (use->measured)
            fill_precise_class(use, &p->precise.classes[k]);
    }
    return true;
}

/* The report takes the rows; a replay collects none. */
static bool take_intervals(struct ec_report *report, struct play *p)
{
    if (!play_end_intervals(p))
        return false;
    report->intervals = p->intervals.rows;
    report->interval_count = p->intervals.count;
    p->intervals.rows = NULL;
    intervals_close(&p->intervals);
    return true;
}

static enum ec_code fill_report(struct ec_report *report, struct play *p,
                                const struct ec_audit *audit, struct ec_error *reterr)
{
    const struct ec_topology *t = p->net->topology;
    struct scoreboard *b = &p->board;
    report->measured = true;
    if (b->memory_short || !take_counters(report, p) || !take_intervals(report, p))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the statistics of a run");
    report->cycles = b->words ? b->last_cycle - p->senders.started + 1 : 0;
    if (!p->net->foreign && p->options.eject_stall <= 0) {
        const enum ec_code code =
            ec_predict(t, p->net->router, p->w, audit, p->options.startup, &report->has_prediction,
                       &report->predicted_cycles, reterr);
        if (code != EC_OK)
            return code;
    }
    report->has_taps = p->net->has_taps;
    report->words = b->words;
    report->packets = b->packets;
    report->messages = b->messages + p->senders.self_messages + order_worked(b->order);
    report->max_hops = b->max_hops;
    report->max_link_load = audit ? audit->max_link_load : 0;
    if (p->options.precision)
        fill_measurement(report, p);
    else if (p->w->open_loop)
        fill_open_loop(report, p);
    const bool measured = !p->grows && report->window_missing == 0;
    if (measured && !p->options.precision) {
        report->packet_latency = latency_summary(&b->packet_latency);
        report->network_latency = latency_summary(&b->network_latency);
        report->round_trip = latency_summary(&b->round_trip);
    }
    report->most_requests = p->service ? service_most(p->service) : 0;
    if (!take_sources(report, p, measured) || !take_classes(report, p, measured))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the statistics of a run");
    report->digest = b->digest;
    report->simulated_cycles = p->cycle - p->skipped;
    report->eject_waiting = p->receivers.waiting;
    if (p->receivers.waiting)
        report->eject_stalled = (double)p->receivers.stalled / (double)p->receivers.waiting;
    report->packets_log = b->log;
    b->log = NULL; /* now owned by the report; a replay needs none */
    b->log_size = 0;
    b->keep_log = false;
    return EC_OK;
}

static enum ec_outcome outcome_of(enum play_state state)
{
    return state == PLAY_DONE          ? EC_RUN_FINISHED
           : state == PLAY_LIMIT       ? EC_RUN_LIMIT
           : state == PLAY_INTERRUPTED ? EC_RUN_INTERRUPTED
                                       : EC_RUN_BROKEN;
}

enum ec_code running_open(struct running *r, struct ec_net *net, struct part *part,
                          const struct ec_workload *w, const struct ec_run_options *options,
                          struct ec_error *reterr)
{
    *r = (struct running){.state = PLAY_ON};
    enum ec_code code = play_check(net, w, options, reterr);
    if (code != EC_OK)
        return code;
    r->report = calloc(1, sizeof *r->report);
    const bool room = r->report && (options->watch_count == 0 ||
                                    fan_open(&r->fan, options->watches, options->watch_count,
                                             net->topology->nodes));
    if (part_any(part, !room)) {
        running_close(r);
        return ec_fail(reterr, EC_MEMORY, "%s",
                       room ? "" : "out of memory for the report of a run");
    }
    r->report->parts = r->report->threads = r->report->ranks = 1;
    if (options->watch_count)
        net->ops->watch(net, &r->fan.watch); /* before the reset, which the watchers must see */
    code = play_open(&r->play, net, part, w, options, reterr);
    if (code != EC_OK) {
        if (options->watch_count)
            net->ops->watch(net, NULL);
        running_close(r);
        return code;
    }
    r->report->seconds = r->play.spent[0];
    r->report->cpu_seconds = r->play.spent[1];
    r->play.watch = options->watch_count ? &r->fan.watch : NULL;
    return EC_OK;
}

void running_on(struct running *r, uint64_t until)
{
    struct play *p = &r->play;
    struct ec_report *report = r->report;
    for (;;) {
        const double wall = ec_clock(CLOCK_MONOTONIC), cpu = ec_clock(CLOCK_PROCESS_CPUTIME_ID);
        r->state = play_on(p, until);
        report->seconds += ec_clock(CLOCK_MONOTONIC) - wall; /* without the replays in between */
        report->cpu_seconds += ec_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        report->outcome = outcome_of(r->state);
        if ((r->state != PLAY_STUCK && r->state != PLAY_OLD) || p->part)
            break;
        if (explain_stand_still(p, &r->state, report, &r->place))
            break;
    }
}

enum ec_code running_judge(struct running *r, const struct ec_audit *audit, struct ec_error *reterr)
{
    struct play *p = &r->play;
    struct ec_report *report = r->report;
    const enum ec_code code = fill_report(report, p, audit, reterr);
    if (code != EC_OK)
        return code;
    if (report->seconds > 0)
        report->router_cycles_per_second =
            (double)p->net->topology->routers * (double)report->simulated_cycles / report->seconds;
    checks_judge(report, p, r->state, audit);
    return EC_OK;
}

struct ec_report *running_take(struct running *r)
{
    struct ec_report *report = r->report;
    report->passed = report->outcome == EC_RUN_FINISHED && !checks_open(report) &&
                     checks_failed(report, EC_CHECK_COUNT) == EC_CHECK_COUNT;
    r->report = NULL;
    return report;
}

enum ec_code running_conclude(struct running *r, const struct ec_audit *audit,
                              struct ec_report **ret, struct ec_error *reterr)
{
    struct play *p = &r->play;
    const enum ec_code code = running_judge(r, audit, reterr);
    if (code != EC_OK)
        return code;
    explain(p, r->report, &r->place);
    if (p->options.failure && explain_by_wave(p, r->report))
        failure_replay(p, &r->place, r->report);
    *ret = running_take(r);
    return EC_OK;
}

void running_close(struct running *r)
{
    struct ec_net *net = r->play.net;
    const bool watched = r->play.watch != NULL;
    play_close(&r->play);
    if (watched)
        net->ops->watch(net, NULL);
    fan_close(&r->fan);
    ec_node_set_free(&r->place.nodes);
    ec_report_close(r->report);
    r->report = NULL;
}

enum ec_code ec_run(struct ec_net *net, const struct ec_workload *w, const struct ec_audit *audit,
                    const struct ec_run_options *options, struct ec_report **ret,
                    struct ec_error *reterr)
{
    struct running r;
    enum ec_code code = running_open(&r, net, NULL, w, options, reterr);
    if (code != EC_OK)
        return code;
    running_on(&r, 0);
    code = running_conclude(&r, audit, ret, reterr);
    running_close(&r);
    return code;
}

enum ec_code ec_report_of_death(const char *what, struct ec_report **ret, struct ec_error *reterr)
{
    struct ec_report *report = calloc(1, sizeof *report);
    if (!report)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the report of a run");
    struct ec_check *rtl = &report->checks[EC_CHECK_RTL];
    report->outcome = EC_RUN_BROKEN;
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        report->checks[id].verdict = EC_VERDICT_UNCHECKED;
        snprintf(report->checks[id].detail, sizeof report->checks[id].detail,
                 "the process of the run died");
    }
    rtl->verdict = EC_VERDICT_FAIL;
    snprintf(rtl->detail, sizeof rtl->detail, "%s", what);
    *ret = report;
    return EC_OK;
}

void ec_report_close(struct ec_report *report)
{
    if (!report)
        return;
    free(report->flits);
    free(report->contended);
    free(report->starved);
    free(report->injected);
    free(report->blocked);
    free(report->intervals);
    free(report->sources);
    free(report->classes);
    for (size_t i = 0; i < report->waiting_count; i++)
        free(report->waiting[i]);
    free(report->waiting);
    free(report->waiting_at);
    failure_close(&report->failure);
    free(report->packets_log);
    free(report);
}
