/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a run: the order of events within a cycle, and the end of the run. Must not judge
 * results. */
#include "run/play.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "ecube/schedule.h"
#include "traffic/process.h"

/* --- The loop -------------------------------------------------------------------------------- */

/* If nothing moves for this long, and for one loop of a credit, while words are in the network and
 * no node stalls, nothing will ever move. A foreign router may take 256 cycles to return a credit,
 * and as many to use one (contract, section 12.1). */
#define STUCK_AFTER       64
#define STUCK_AFTER_MOST  512
/* Simulated cycles between checks of the age of packets. */
#define AGE_EVERY         4096
/* Router-cycles between checks of the clock: less than PROGRESS_EVERY_NS of work. */
#define CLOCK_EVERY       (UINT32_C(1) << 18)
#define PROGRESS_EVERY_NS 100000000
/* Cycles played after the last delivery, for late duplicates; and one loop of a credit, so that all
 * credits are back. */
#define AFTERMATH         16
#define LEAST_AGE_BOUND   20000

/* Messages per node and cycle: the range of the gaps in source.c. */
#define LEAST_RATE  1e-12
/* Messages per burst: a source draws every burst up to the next one with a message. */
#define LEAST_BURST 1e-6
/* Sums of cycles do not overflow. */
#define CYCLES_MAX  (UINT64_C(1) << 60)

static enum ec_code check_rate(const struct ec_workload *w, struct ec_error *reterr)
{
    const double mean = ec_workload_mean_words(w), on = w->burst.on;
    const char *const plural = mean > 1 ? "s" : "";
    if (w->rate >= mean)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s creates at least one message per node "
                       "and cycle: expected a rate below %g, or longer messages",
                       w->rate, mean, plural, mean);
    if (w->rate < mean * LEAST_RATE)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s is less than a message per node in %g "
                       "cycles: expected a rate of at least %g",
                       w->rate, mean, plural, 1 / LEAST_RATE, mean * LEAST_RATE);
    if (w->burst.cycles <= 0)
        return EC_OK;
    if (process_peak(w) > 1)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s and on=%g creates more than one message "
                       "per cycle in a burst: expected a rate of at most %g, or on=%g or more",
                       w->rate, mean, plural, on, mean * on, w->rate / mean);
    if (process_peak(w) * w->burst.cycles < LEAST_BURST)
        return ec_fail(reterr, EC_USAGE,
                       "rate=%g with messages of %g word%s, burst=%g and on=%g: only one burst in "
                       "%g has a message: expected a rate of at least %g, or longer bursts",
                       w->rate, mean, plural, w->burst.cycles, on, 1 / LEAST_BURST,
                       mean * on * LEAST_BURST / w->burst.cycles);
    return EC_OK;
}

/* Requests and replies need lanes of their own; a node that can hold only some requests must never
 * hold the first packet of one whose rest it cannot get; and replies must flow when the window
 * begins. */
static enum ec_code check_service(const struct ec_router *r, const struct ec_workload *w,
                                  const struct ec_run_options *o, struct ec_error *reterr)
{
    struct ec_router own = *r;
    const enum ec_code code = ec_router_set_classes(&own, w->service.shared ? 1 : 2, reterr);
    if (code != EC_OK)
        return code;
    if (r->va == EC_VA_DYNAMIC && ec_router_classes(r) < own.classes)
        return ec_fail(reterr, EC_USAGE,
                       "router: the network was opened without classes=2, which its routers need "
                       "for requests and replies");
    if (w->service.queue > 0 && w->lengths.last > r->packet)
        return ec_fail(reterr, EC_USAGE,
                       "queue=%u needs requests of one packet, but those of %u words are longer "
                       "than a packet of at most %u: set --packet %u, shorter requests or "
                       "queue=inf",
                       w->service.queue, w->lengths.last, r->packet, w->lengths.last);
    if (w->service.think > o->warmup && !o->precision)
        return ec_fail(reterr, EC_USAGE,
                       "think=%u is longer than the warm-up of %llu cycles, so the window would "
                       "begin without replies: set --warmup %u or more",
                       w->service.think, (unsigned long long)o->warmup, 2 * w->service.think);
    return EC_OK;
}

static enum ec_code check_precision(const struct ec_workload *w, const struct ec_precision *o,
                                    struct ec_error *reterr)
{
    if (!w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "a precision for workload '%s', which ends by itself: expected an open-loop "
                       "workload (rate=...)",
                       w->text);
    if (!(o->relative >= EC_PRECISION_LEAST && o->relative <= EC_PRECISION_MOST))
        return ec_fail(reterr, EC_USAGE,
                       "precision %g: expected a part of the mean latency from %g to %g",
                       o->relative, EC_PRECISION_LEAST, EC_PRECISION_MOST);
    if (o->limit != 0 && (o->limit < PRECISION_LEAST || o->limit > CYCLES_MAX))
        return ec_fail(reterr, EC_USAGE,
                       "a measurement of at most %llu cycles (--cycles): expected %d to %llu",
                       (unsigned long long)o->limit, PRECISION_LEAST,
                       (unsigned long long)CYCLES_MAX);
    return EC_OK;
}

enum ec_code play_check_workload(const struct ec_router *r, const struct ec_workload *w,
                                 const struct ec_run_options *o, struct ec_error *reterr)
{
    if (w->open_loop && check_rate(w, reterr) != EC_OK)
        return EC_USAGE;
    if (w->service.words > 0 && check_service(r, w, o, reterr) != EC_OK)
        return EC_USAGE;
    if (o->precision && check_precision(w, o->precision, reterr) != EC_OK)
        return EC_USAGE;
    return EC_OK;
}

enum ec_code play_check(const struct ec_net *net, const struct ec_workload *w,
                        const struct ec_run_options *o, struct ec_error *reterr)
{
    if (net->router->packet == 0)
        return ec_fail(reterr, EC_USAGE,
                       "the packet bound of the router is 0: call ec_router_set_packet()");
    if (play_check_workload(net->router, w, o, reterr) != EC_OK)
        return EC_USAGE;
    if (o->cycles > CYCLES_MAX || o->warmup > CYCLES_MAX)
        return ec_fail(reterr, EC_USAGE, "too many cycles: expected at most %llu",
                       (unsigned long long)CYCLES_MAX);
    if (w->nodes != net->topology->nodes)
        return ec_fail(reterr, EC_USAGE, "the workload is for %u nodes, but the network has %u",
                       w->nodes, net->topology->nodes);
    if (w->message_count > EC_MESSAGES_MAX)
        return ec_fail(reterr, EC_USAGE, "workload '%s' has %zu messages: expected at most %u",
                       w->text, w->message_count, EC_MESSAGES_MAX);
    if (w->open_loop && o->cycles == 0 && !o->precision)
        return ec_fail(reterr, EC_USAGE,
                       "no measured cycles: expected at least 1 in an open-loop run");
    if (w->order && order_check(w, reterr) != EC_OK)
        return EC_USAGE;
    if (o->schedule && (!w->order || o->schedule->transfer_count != w->message_count))
        return ec_fail(reterr, EC_USAGE, "workload '%s' was not made from this schedule", w->text);
    if (!(o->eject_stall >= 0 && o->eject_stall <= 0.99))
        return ec_fail(reterr, EC_USAGE, "back-pressure %g: expected a probability from 0 to 0.99",
                       o->eject_stall);
    if (o->watch_count && !net->ops->watch)
        return ec_fail(reterr, EC_USAGE, "backend %s cannot be watched", net->ops->name);
    return EC_OK;
}

static bool events_open(struct ec_port_events *e, size_t ports, unsigned vcs)
{
    e->words = calloc(ports, sizeof *e->words);
    e->credits = calloc(ports * vcs, sizeof *e->credits);
    return e->words && e->credits;
}

static void events_close(struct ec_port_events *e)
{
    free(e->words);
    free(e->credits);
}

/* Requests and replies. */
static bool open_service(struct play *p)
{
    const struct ec_service *service = &p->w->service;
    if (!service->words)
        return true;
    p->service = service_open(p->net->topology, p->net->router, p->w, NULL);
    if (!p->service || !senders_serve(&p->senders, p->service, service->shared) ||
        !receivers_serve(&p->receivers, p->service, &p->senders, service->queue > 0))
        return false;
    if (p->board.overtakes)
        service_assemble(p->service, &p->board.assembly);
    p->board.service = p->service;
    p->board.asking = p->sources;
    return true;
}

/* The classes of the traffic: the patterns of a mixture, and replies. */
static bool open_classes(struct play *p)
{
    const unsigned count = ec_workload_classes(p->w);
    return count == 0 || (scoreboard_count_classes(&p->board, count) &&
                          (!p->options.precision || precision_add_classes(&p->precise, count)));
}

static void wake_released(void *context, uint32_t message, uint64_t from)
{
    struct play *p = context;
    senders_wake(&p->senders, sources_release(p->sources, message, from), from);
    p->board.memory_short |= sources_short(p->sources);
}

/* The caller's numbers of messages are those of the trace. */
static void pass_delivery(void *context, const struct ec_delivery *delivery)
{
    const struct play *p = context;
    struct ec_delivery d = *delivery;
    d.message = p->w->open_loop ? EC_NO_ID : p->w->ids ? p->w->ids[d.message] : d.message;
    if (p->options.delivery)
        p->options.delivery(p->options.delivery_context, &d);
    if (p->arrived)
        p->arrived(p->host, delivery);
}

void play_set_callbacks(struct play *p, bool run)
{
    p->senders.offered = run ? p->options.offer : NULL;
    p->senders.offered_context = p->options.offer_context;
    p->senders.taken = run ? p->options.taken : NULL;
    p->senders.taken_context = p->options.taken_context;
    p->senders.home = run ? p->home : NULL;
    p->senders.home_context = p->host;
    p->board.delivered = run && (p->options.delivery || p->arrived) ? pass_delivery : NULL;
    p->board.delivered_context = p;
}

/* The cycles that longer links and more stages add to the loop of a credit. */
static uint64_t loop_beyond(const struct play *p)
{
    return ec_router_loop(p->net->router) - EC_ROUTER_LOOP_LEAST;
}

/* The age at which a packet is suspected of a deadlock: longer if paths are, or if buffers are so
 * small that a channel carries only a few words in each loop of a credit. A wrong suspicion costs a
 * replay. */
static uint64_t default_age_bound(const struct play *p)
{
    const struct ec_router *r = p->net->router;
    const unsigned depth = r->depth > EC_ROUTER_LOOP_LEAST ? r->depth : EC_ROUTER_LOOP_LEAST;
    const uint64_t slower = (ec_router_loop(r) + depth - 1) / depth;
    const uint64_t path = (uint64_t)ec_topology_diameter(p->net->topology) + 1;
    return (uint64_t)(LEAST_AGE_BOUND / (1 - p->options.eject_stall)) * slower +
           path * (ec_router_hop(r) - 1);
}

/* Room for the words that ports created, requests and replies. False: out of memory. */
static bool open_replies(struct play *p, uint32_t ports)
{
    p->created = calloc((size_t)ports * 2, sizeof *p->created);
    return p->created != NULL;
}

/* What an open loop needs to observe its sources. False: out of memory. */
static bool open_steady(struct play *p, uint32_t ports)
{
    const bool replies = p->w->service.words > 0;
    if (!steady_open(&p->steady, replies ? 2 * ports : ports, p->board.measure_from,
                     p->board.measure_to, process_traffic(p->w)))
        return false;
    if (!replies)
        return true;
    steady_add_kind(&p->steady, process_reply_traffic(p->w));
    return open_replies(p, ports);
}

static bool open_measurement(struct play *p)
{
    const struct ec_run_options *o = &p->options;
    const uint32_t nodes = p->net->topology->nodes;
    const unsigned locals = ec_router_locals(p->net->router, p->net->topology);
    const bool replies = p->w->service.words > 0;
    struct scoreboard *b = &p->board;
    b->measure_from = 0;
    b->measure_to = SOURCE_NEVER - 1;
    if (!p->w->open_loop)
        return true;
    if (!scoreboard_count_channels(b))
        return false;
    if (o->precision) {
        b->precision = &p->precise;
        return precision_open(&p->precise, o->precision, nodes, locals, process_traffic(p->w),
                              default_age_bound(p) + p->w->service.think, NULL) &&
               (!replies || (open_replies(p, nodes * locals) &&
                             precision_add_replies(&p->precise, process_reply_traffic(p->w))));
    }
    b->measure_from = o->warmup;
    b->measure_to = o->warmup + o->cycles;
    b->steady = &p->steady;
    return open_steady(p, nodes * locals);
}

enum ec_code play_open(struct play *p, struct ec_net *net, const struct ec_workload *w,
                       const struct ec_run_options *options, struct ec_error *reterr)
{
    *p = (struct play){.net = net, .w = w, .options = *options};
    const struct ec_topology *t = net->topology;
    const struct ec_router *r = net->router;
    const unsigned locals = ec_router_locals(r, t);
    const size_t ports = (size_t)t->nodes * locals;
    p->clock_every = t->nodes < CLOCK_EVERY ? CLOCK_EVERY / t->nodes : 1;
    p->sources = sources_open(t, r, w, options->seed, NULL);
    if (p->sources && scoreboard_open(&p->board, t, r, NULL) && open_measurement(p) &&
        senders_open(&p->senders, t, r, p->sources, &p->board, options->startup, NULL) &&
        receivers_open(&p->receivers, t->nodes, locals, r->vcs, options->eject_stall, options->seed,
                       NULL) &&
        open_service(p) && open_classes(p) &&
        intervals_open(&p->intervals, t, locals, options->interval, options->interval_auto) &&
        events_open(&p->in, ports, r->vcs) && events_open(&p->out, ports, r->vcs)) {
        p->board.keep_log = options->keep_packets;
        p->board.order = sources_order(p->sources);
        if (p->board.order) {
            p->board.order->released = wake_released;
            p->board.order->context = p;
        }
        net->numbered = true;
        play_set_callbacks(p, true);
        play_reset(p);
        return EC_OK;
    }
    play_close(p);
    return ec_fail(reterr, EC_MEMORY, "out of memory for the nodes of a run");
}

void play_close(struct play *p)
{
    sources_close(p->sources);
    if (p->senders.sender)
        senders_close(&p->senders);
    receivers_close(&p->receivers);
    if (p->board.records.source)
        scoreboard_close(&p->board);
    steady_close(&p->steady);
    service_close(p->service);
    free(p->created);
    precision_close(&p->precise);
    intervals_close(&p->intervals);
    events_close(&p->in);
    events_close(&p->out);
    if (p->net)
        p->net->numbered = false;
    *p = (struct play){0};
}

void play_reset(struct play *p)
{
    p->net->ops->reset(p->net);
    sources_reset(p->sources);
    scoreboard_reset(&p->board);
    p->board.memory_short |= sources_short(p->sources);
    if (p->service)
        service_reset(p->service);
    senders_reset(&p->senders);
    receivers_reset(&p->receivers);
    p->in.word_count = p->in.credit_count = 0;
    p->out.word_count = p->out.credit_count = 0;
    p->cycle = p->skipped = p->last_move = p->last_idle = p->moved = 0;
    steady_reset(&p->steady);
    intervals_reset(&p->intervals);
    p->mark = p->w->open_loop ? steady_mark(&p->steady, 0) : SOURCE_NEVER;
    if (p->options.precision) {
        precision_reset(&p->precise);
        p->mark = precision_mark(&p->precise, 0);
    }
    p->window_messages = p->messages_before = p->replies = 0;
    memset(p->class_words, 0, sizeof p->class_words);
    p->grows = p->stopped = false;
    p->age_bound = p->options.age_bound ? p->options.age_bound : default_age_bound(p);
}

static void wake_sender(void *context, uint32_t port)
{
    struct play *p = context;
    senders_wake(&p->senders, port, p->cycle);
}

static uint64_t stuck_after(const struct play *p)
{
    return (p->net->foreign ? STUCK_AFTER_MOST : STUCK_AFTER) + loop_beyond(p);
}

/* A foreign router may return credits long after the last word. */
static bool awaits_credits(const struct play *p)
{
    struct ec_net_fault fault;
    return p->net->foreign && p->cycle <= p->last_move + stuck_after(p) &&
           !p->net->ops->drained(p->net, &fault);
}

/* While the network is empty, skip to the cycle before the next message, but not beyond `until`
 * (unless 0). */
static void skip_idle(struct play *p, uint64_t until)
{
    if (p->net->in_flight || p->senders.busy || p->receivers.held_words ||
        p->cycle < p->last_move + AFTERMATH + loop_beyond(p))
        return;
    const uint64_t due = senders_next_due(&p->senders);
    if ((due == SOURCE_NEVER && !(p->hosting && until)) || due <= p->cycle + 1 ||
        sources_need_create(p->sources))
        return;
    if (p->mark <= p->cycle || awaits_credits(p))
        return;
    uint64_t to = due > p->mark ? p->mark : due - 1;
    to = until && to > until ? until : to;
    p->net->cycle += to - p->cycle;
    p->skipped += to - p->cycle;
    p->cycle = to;
}

/* One cycle. `out` has the result of the last step: the outputs of the routers in this cycle. */
static bool play_cycle(struct play *p)
{
    const uint64_t now = ++p->cycle;
    if (!p->net->in_flight && !p->senders.busy)
        p->last_idle = now;
    if (sources_need_create(p->sources) && !sources_create(p->sources, now, wake_sender, p))
        return false;
    for (size_t i = 0; i < p->out.credit_count; i++)
        senders_credit(&p->senders, p->out.credits[i].port, p->out.credits[i].vc, now);
    for (size_t i = 0; i < p->out.word_count; i++)
        scoreboard_arrive(&p->board, p->out.words[i].port, p->out.words[i].word, now);
    senders_offer(&p->senders, now, &p->in);
    receivers_accept(&p->receivers, now, &p->out, &p->in);
    p->net->ops->step(p->net, &p->in, &p->out);
    p->board.memory_short |= p->net->memory_short;
    if (p->stepped && !ec_net_rtl_ended(p->net))
        p->stepped(p->stepped_context, now, &p->in, &p->out);
    if (p->net->moved != p->moved) {
        p->moved = p->net->moved;
        p->last_move = now;
    }
    return true;
}

const struct steady *play_steady(const struct play *p)
{
    return p->options.precision ? &precision_window(&p->precise)->steady : &p->steady;
}

uint64_t play_patience(const struct play *p)
{
    return play_steady(p)->to + default_age_bound(p) + p->w->service.think;
}

/* Words created at each port by cycle `now`; with replies, those of requests and of replies. */
static const uint64_t *words_created(struct play *p, uint64_t now)
{
    const uint64_t *const requests = sources_created(p->sources, now);
    if (!p->service)
        return requests;
    p->replies = 0;
    for (uint32_t port = 0; port < p->senders.ports; port++) {
        const uint64_t replies = service_created(p->service, port, now);
        p->created[2 * port] = requests[port];
        p->created[2 * port + 1] = replies * p->w->service.words;
        p->replies += replies;
    }
    return p->created;
}

/* Words of one traffic class created by the latest mark. */
static uint64_t words_of_class(const struct play *p, unsigned class_)
{
    return class_ < p->w->part_count ? sources_part_words(p->sources, class_)
                                     : p->replies * p->w->service.words;
}

/* The window begins or ends. */
static void count_classes(struct play *p, bool begins)
{
    for (unsigned k = 0; k < p->board.class_count; k++)
        p->class_words[k] = words_of_class(p, k) - (begins ? 0 : p->class_words[k]);
}

static void stop_creation(struct play *p)
{
    sources_stop(p->sources);
    p->stopped = true;
    p->mark = SOURCE_NEVER;
}

/* With a precision, after the cycle of a mark. */
static void pass_precise(struct play *p)
{
    struct precision *x = &p->precise;
    struct precision_words classes[EC_CLASSES_MAX] = {0};
    struct precision_sample s = {.cycle = p->cycle,
                                 .words = p->board.words,
                                 .classes = classes,
                                 .messages = p->board.messages};
    if (precision_needs_sources(x, p->cycle)) {
        struct ec_net_counters c;
        p->net->ops->counters(p->net, &c);
        for (uint32_t node = 0; node < x->nodes; node++)
            x->accepted[node] = scoreboard_source(&p->board, node).words;
        s.created = words_created(p, p->cycle);
        s.created_messages = sources_messages(p->sources) * (p->service ? 2 : 1);
        s.sent = p->service ? p->senders.sent : c.injected;
        s.accepted = x->accepted;
        for (unsigned k = 0; k < p->board.class_count; k++)
            classes[k].created = words_of_class(p, k);
    }
    for (unsigned k = 0; k < p->board.class_count; k++)
        classes[k].arrived = p->board.classes[k].words;
    if (precision_sample(x, &s))
        stop_creation(p);
    else
        p->mark = precision_mark(x, p->cycle);
    p->grows = x->done && x->grows;
    p->board.memory_short |= x->memory_short;
}

/* Open loop, after the cycle of a mark: sample the backlogs. After the last mark, end the creation
 * of messages when those of the window have arrived or waiting is useless. */
static void pass_mark(struct play *p)
{
    struct steady *s = &p->steady;
    while (!steady_complete(s) && steady_mark(s, s->seen) <= p->cycle) {
        struct ec_net_counters c;
        p->net->ops->counters(p->net, &c);
        steady_sample(s, words_created(p, p->cycle), p->service ? p->senders.sent : c.injected);
        if (s->seen == 1) {
            p->messages_before = sources_messages(p->sources);
            count_classes(p, true);
        }
        if (!steady_complete(s))
            continue;
        p->window_messages = sources_messages(p->sources) - p->messages_before;
        if (p->service)
            p->window_messages *= 2; /* each has a reply */
        count_classes(p, false);
        p->grows = steady_grows(s);
    }
    if (!steady_complete(s)) {
        p->mark = steady_mark(s, s->seen);
        return;
    }
    p->mark = p->cycle; /* again in every cycle */
    if (p->grows || p->board.measured == p->window_messages || p->cycle - s->to >= play_patience(p))
        stop_creation(p);
}

static bool take_interval(struct play *p, bool last)
{
    const struct ec_interval totals = {.messages_sent = p->senders.messages,
                                       .messages = p->board.messages + p->senders.self_messages,
                                       .packets = p->board.packets,
                                       .words = p->board.words,
                                       .latency_sum = p->board.latency_sum,
                                       .latency_max = p->board.recent_latency};
    struct ec_net_counters c;
    p->net->ops->counters(p->net, &c);
    p->board.recent_latency = 0;
    return intervals_take(&p->intervals, p->cycle, last, totals, &c);
}

bool play_end_intervals(struct play *p)
{
    return p->intervals.border == UINT64_MAX || take_interval(p, true);
}

bool play_idle(const struct play *p)
{
    return !p->net->in_flight && !p->out.word_count && !p->senders.busy &&
           !p->receivers.held_words && sources_exhausted(p->sources);
}

void play_add(struct play *p, uint32_t index)
{
    senders_wake(&p->senders, sources_add(p->sources, index), p->w->messages[index].cycle);
    p->board.memory_short |= sources_short(p->sources);
}

static bool finished(const struct play *p)
{
    if (p->hosting || p->net->in_flight || p->senders.busy || p->receivers.held_words)
        return false;
    if (p->cycle < p->last_move + AFTERMATH + loop_beyond(p) ||
        (p->service && !service_idle(p->service)))
        return false;
    return (p->w->open_loop ? p->stopped : sources_exhausted(p->sources)) && !awaits_credits(p);
}

/* Words are in the network, nothing moves, and no node holds words back; or one holds them back for
 * so long that it is not by chance; or it has no room for requests, and no reply is about to be
 * sent. */
static bool stuck(const struct play *p)
{
    if (p->receivers.held_words && p->options.eject_stall > 0)
        return p->cycle > p->last_move + default_age_bound(p) + p->w->service.think;
    if (p->cycle <= p->last_move + stuck_after(p))
        return false;
    if (!p->receivers.held_words)
        return p->net->in_flight;
    return p->cycle > p->last_move + stuck_after(p) + p->options.startup &&
           !service_thinks(p->service, p->cycle - stuck_after(p) - p->options.startup);
}

/* A sender waits for a credit that never comes, even if nothing is in flight. A start-up after the
 * last word, or after an idle time, is not such a wait. */
static bool starving(const struct play *p)
{
    const uint64_t since = p->last_move > p->last_idle ? p->last_move : p->last_idle;
    return p->cycle > since + stuck_after(p) + p->options.startup && p->senders.busy &&
           p->net->in_flight == 0 && p->receivers.held_words == 0;
}

/* A message is due at a node that does not take it. */
static bool overlooked(const struct play *p)
{
    return p->cycle > p->last_move + STUCK_AFTER && p->senders.busy == 0 &&
           p->net->in_flight == 0 && p->receivers.held_words == 0 &&
           senders_next_due(&p->senders) < p->cycle - STUCK_AFTER;
}

/* Messages are left although no sender can send and the network is empty: each of them waits for
 * another, or is queued behind one that does. */
static bool unmet(const struct play *p)
{
    return p->net->in_flight == 0 && p->out.word_count == 0 && p->senders.busy == 0 &&
           p->receivers.held_words == 0 && !sources_exhausted(p->sources) &&
           senders_next_due(&p->senders) == SOURCE_NEVER;
}

/* Report progress when due. False: the caller interrupts the run. */
static bool report_progress(struct play *p)
{
    if (!p->options.progress)
        return true;
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    const uint64_t ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
    if (ns - p->last_report < PROGRESS_EVERY_NS)
        return true;
    p->last_report = ns;
    const uint64_t all = p->w->open_loop ? 0 : p->w->message_count;
    return p->options.progress(p->options.progress_context, p->cycle, p->board.messages, all);
}

/* Checks that are not made in every cycle. They count simulated cycles, since a trace may skip
 * others. A replay does not check ages again, but the user may interrupt it, too. */
static enum play_state check_sometimes(struct play *p, bool again)
{
    const uint64_t simulated = p->cycle - p->skipped;
    if (!again && simulated % AGE_EVERY == 0 &&
        scoreboard_overdue(&p->board, p->cycle, p->age_bound))
        return PLAY_OLD;
    if (simulated % p->clock_every != 0 || report_progress(p))
        return PLAY_ON;
    p->interrupted = true;
    return PLAY_INTERRUPTED;
}

enum play_state play_on(struct play *p, uint64_t until)
{
    for (;;) {
        if (finished(p))
            return PLAY_DONE;
        if (until && p->cycle >= until)
            return PLAY_ON;
        if (p->until_idle && !until && play_idle(p))
            return PLAY_IDLE;
        skip_idle(p, until);
        if (until && p->cycle >= until)
            continue;
        if (p->cycle >= p->mark && p->options.precision)
            pass_precise(p);
        else if (p->cycle >= p->mark)
            pass_mark(p);
        if (p->cycle >= p->intervals.border && !take_interval(p, false)) {
            p->board.memory_short = true;
            return PLAY_BROKEN;
        }
        if (!p->w->open_loop && p->options.cycles && p->cycle >= p->options.cycles)
            return PLAY_LIMIT;
        if (!play_cycle(p) || p->board.memory_short || p->receivers.memory_short)
            return PLAY_BROKEN;
        if (p->board.failed || p->net->ops->fault(p->net)->found || ec_net_rtl_ended(p->net))
            return PLAY_BROKEN;
        if (stuck(p) || starving(p) || overlooked(p))
            return PLAY_STUCK;
        if (p->board.order && unmet(p))
            return PLAY_UNMET;
        const enum play_state state = check_sometimes(p, until != 0);
        if (state != PLAY_ON)
            return state;
    }
}

bool play_again(struct play *p, const struct ec_net_watch *watch, uint64_t until)
{
    const uint64_t age_bound = p->age_bound;
    p->net->ops->watch(p->net, watch); /* before the reset, which the run's watchers must not see */
    play_set_callbacks(p, false);
    play_reset(p);
    enum play_state state = PLAY_ON;
    while (p->cycle < until && state != PLAY_INTERRUPTED) {
        const uint64_t before = p->cycle;
        state = play_on(p, until); /* stops where the run stopped, then at every cycle */
        if (p->cycle == before)
            break;
    }
    p->net->ops->watch(p->net, p->watch);
    play_set_callbacks(p, true);
    p->age_bound = age_bound;
    return state != PLAY_INTERRUPTED;
}

/* --- A key of the play ----------------------------------------------------------------------- */

static uint64_t mix_bytes(uint64_t key, const void *bytes, size_t size)
{
    return XXH3_64bits_withSeed(bytes, size, key);
}

/* With the terminating 0, so that texts that follow each other are separated. */
static uint64_t mix_text(uint64_t key, const char *text)
{
    return mix_bytes(key, text, strlen(text) + 1);
}

/* Field by field, without padding. */
static uint64_t mix_messages(uint64_t key, const struct ec_workload *w)
{
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const uint64_t fields[] = {m->cycle, m->src, m->dst, m->words};
        key = mix_bytes(key, fields, sizeof fields);
    }
    return key;
}

static uint64_t mix_order(uint64_t key, const struct ec_workload *w)
{
    const struct ec_message_order *o = w->order;
    const size_t n = w->message_count;
    key = mix_bytes(key, &o->by_step, sizeof o->by_step);
    if (o->step)
        key = mix_bytes(key, o->step, n * sizeof *o->step);
    if (o->overtake)
        key = mix_text(key, "overtake");
    if (o->behind)
        key = mix_bytes(key, o->behind, n * sizeof *o->behind);
    if (o->delay)
        key = mix_bytes(key, o->delay, n * sizeof *o->delay);
    if (o->by_step)
        return key;
    key = mix_bytes(key, o->first, (n + 1) * sizeof *o->first);
    return mix_bytes(key, o->after, o->first[n] * sizeof *o->after);
}

static uint64_t mix_precision(uint64_t key, const struct ec_precision *o)
{
    const double parts[] = {o->relative, o->saturated_latency};
    const uint64_t numbers[] = {o->first, o->limit};
    key = mix_bytes(key, parts, sizeof parts);
    return mix_bytes(key, numbers, sizeof numbers);
}

uint64_t play_key(const struct play *p)
{
    char topology[160], router[160];
    const struct ec_run_options *o = &p->options;
    const struct ec_workload *w = p->w;
    const uint64_t numbers[] = {o->cycles, o->warmup, o->startup, o->seed, o->age_bound};
    ec_topology_format(p->net->topology, topology, sizeof topology);
    ec_router_format(p->net->router, router, sizeof router);
    uint64_t key = mix_text(0, topology);
    key = mix_text(key, router);
    key = mix_text(key, w->text);
    key = mix_messages(key, w);
    if (w->order)
        key = mix_order(key, w);
    for (unsigned k = 0; k < w->part_count; k++) {
        const uint32_t *map = w->parts[k].map;
        if (map)
            key = mix_bytes(key, map, w->nodes * sizeof *map);
    }
    key = mix_bytes(key, numbers, sizeof numbers);
    if (o->precision)
        key = mix_precision(key, o->precision);
    return mix_bytes(key, &o->eject_stall, sizeof o->eject_stall);
}
