/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a run: the order of events within a cycle, and the end of the run. Must not judge
 * results. */
#include "run/play.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>
#include <xxhash.h>

#include "base/clock.h"
#include "run/checkpoint.h"

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
    p->service =
        service_open(p->net->topology, p->net->router, p->w, p->part ? &p->part->own : NULL);
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

/* Set the bounds of the traffic in the part that judges it. False: out of memory. */
static bool set_bounds(struct play *p, struct steady *s)
{
    const struct ec_net *net = p->net;
    struct ec_bounds b = {0};
    if (part_first(p->part) && !ec_router_chooses(net->router) &&
        ec_bounds(net->topology, net->router, p->w, p->options.startup, &b, NULL) == EC_MEMORY)
        return false;
    s->fixed = !p->options.precision;
    s->load = b.has_rate ? p->w->rate / b.rate : 0;
    if (b.has_rate) /* nodes that stall */
        s->load = fmax(s->load, p->w->rate * b.ejection / (1 - p->options.eject_stall));
    if (b.has_zero_load && !net->foreign && p->options.eject_stall <= 0)
        s->zero_load = b.zero_load;
    return true;
}

/* What an open loop needs to observe its sources. The first part observes those of all. False: out
 * of memory. */
static bool open_measurement(struct play *p)
{
    const struct ec_run_options *o = &p->options;
    const struct ec_workload *w = p->w;
    const uint32_t nodes = p->net->topology->nodes;
    const unsigned locals = ec_router_locals(p->net->router, p->net->topology);
    const uint32_t observed = part_first(p->part) ? nodes * locals : 0;
    struct scoreboard *b = &p->board;
    b->measure_from = 0;
    b->measure_to = SOURCE_NEVER - 1;
    if (!w->open_loop)
        return true;
    const struct process_words traffic = process_traffic(w), answers = process_reply_traffic(w);
    const struct process_words *const replies = w->service.words > 0 ? &answers : NULL;
    p->created = replies ? calloc((size_t)nodes * locals * 2, sizeof *p->created) : NULL;
    const bool counts = !ec_router_chooses(p->net->router); /* else paths are not known */
    if ((replies && !p->created) || (counts && !scoreboard_count_channels(b)))
        return false;
    if (o->precision) {
        b->precision = &p->precise;
        return precision_open(&p->precise, o->precision, nodes, locals, traffic, replies,
                              default_age_bound(p) + w->service.think,
                              p->part ? p->part->x : NULL) &&
               set_bounds(p, &p->precise.window[0].steady) &&
               set_bounds(p, &p->precise.window[1].steady);
    }
    b->measure_from = o->warmup;
    b->measure_to = o->warmup + o->cycles;
    b->steady = &p->steady;
    return steady_open(&p->steady, observed, b->measure_from, b->measure_to, traffic, replies) &&
           set_bounds(p, &p->steady);
}

/* All is open; connect it. */
static void begin(struct play *p)
{
    p->board.keep_log = p->options.keep_packets;
    p->board.order = sources_order(p->sources);
    if (p->board.order) {
        p->board.order->released = wake_released;
        p->board.order->context = p;
    }
    if (p->part)
        part_begin(p->part, p->w, p->board.order);
}

/* A check ends the epoch of the parts. So it is not made more often than links take, unless a part
 * alone has so much to do: parts work at the same time. */
static uint32_t clock_every(const struct play *p)
{
    const uint32_t nodes = p->net->topology->nodes;
    const uint32_t link = ec_router_link_least(p->net->router, p->net->topology);
    const uint32_t parts = p->part ? p->part->partition->parts : 1;
    const uint32_t whole = CLOCK_EVERY / nodes, each = CLOCK_EVERY / (nodes / parts);
    const uint32_t epoch = each < link ? each : link;
    const uint32_t every = whole > epoch ? whole : epoch;
    return every ? every : 1;
}

static void look_around(struct play *p);

/* At the beginning, or at a checkpoint. */
static enum ec_code play_continue(struct play *p, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    checkpoint_begin(p);
    if (p->options.restart)
        code = checkpoint_load(p, p->options.restart, reterr);
    if (code == EC_OK && p->options.restart)
        look_around(p);
    if (code != EC_OK)
        play_close(p);
    p->since[0] = ec_clock(CLOCK_MONOTONIC);
    p->since[1] = ec_clock(CLOCK_PROCESS_CPUTIME_ID);
    return code;
}

enum ec_code play_open(struct play *p, struct ec_net *net, struct part *part,
                       const struct ec_workload *w, const struct ec_run_options *options,
                       struct ec_error *reterr)
{
    const struct ec_topology *t = net->topology;
    const struct ec_router *r = net->router;
    const unsigned locals = ec_router_locals(r, t);
    const size_t ports = (size_t)t->nodes * locals;
    const struct nodes_own *own = part ? &part->own : NULL;
    const bool first = part_first(part);
    *p = (struct play){.part = part, .net = net, .w = w, .options = *options};
    p->clock_every = clock_every(p);
    p->sources = sources_open(t, r, w, options->seed, own);
    const bool opened =
        p->sources && scoreboard_open(&p->board, t, r, own) && open_measurement(p) &&
        senders_open(&p->senders, t, r, p->sources, &p->board, options->startup, own) &&
        receivers_open(&p->receivers, t->nodes, locals, r->vcs, options->eject_stall, options->seed,
                       own) &&
        receivers_keep(&p->receivers, &p->board, r->depth) && open_service(p) && open_classes(p) &&
        intervals_open(&p->intervals, t, locals, first ? options->interval : 0,
                       first && options->interval_auto) &&
        events_open(&p->in, ports, r->vcs) && events_open(&p->out, ports, r->vcs);
    if (part_any(p->part, !opened)) {
        play_close(p);
        return ec_fail(reterr, EC_MEMORY, "%s",
                       opened ? "" : "out of memory for the nodes of a run");
    }
    begin(p);
    net->numbered = true;
    play_set_callbacks(p, true);
    play_reset(p);
    return play_continue(p, reterr);
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

bool play_broken(const struct play *p)
{
    return p->board.failed || p->board.memory_short || p->receivers.memory_short ||
           p->board.records.cannot_split || p->net->ops->fault(p->net)->found ||
           ec_net_rtl_ended(p->net);
}

/* The values by which all decisions are made. While the network is empty nothing moves, so the
 * latest move tells whether it was empty when the senders were idle. */
static void look_around(struct play *p)
{
    /* A router breaks the contract: what follows from this move may be too late in other parts. */
    p->board.records.cannot_split |=
        p->part && p->part->silent && p->last_move > p->all[PART_LAST_MOVE];
    p->all[PART_IN_FLIGHT] = p->net->in_flight;
    p->all[PART_SHOWN] = p->out.word_count;
    p->all[PART_BUSY] = p->senders.busy;
    p->all[PART_HELD_WORDS] = p->receivers.held_words;
    p->all[PART_MEASURED] = p->board.measured;
    p->all[PART_LEFT] = !sources_exhausted(p->sources);
    p->all[PART_IDLE_AT] = p->idle_at;
    p->all[PART_LAST_MOVE] = p->last_move;
    p->all[PART_BROKEN] = play_broken(p);
    if (p->part)
        part_meet(p->part, &p->board, p->cycle, p->all);
    p->last_move = p->all[PART_LAST_MOVE];
    if (!p->all[PART_IN_FLIGHT])
        p->last_idle = p->all[PART_IDLE_AT];
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
    p->cycle = p->skipped = p->last_move = p->last_idle = p->idle_at = p->moved = 0;
    steady_reset(&p->steady);
    intervals_reset(&p->intervals);
    p->intervals.border = part_told(p->part, p->intervals.border);
    p->mark = p->w->open_loop ? steady_mark(&p->steady, 0) : SOURCE_NEVER;
    if (p->options.precision) {
        precision_reset(&p->precise);
        p->mark = precision_mark(&p->precise, 0);
    }
    p->window_messages = p->messages_before = p->replies = 0;
    memset(p->class_words, 0, sizeof p->class_words);
    p->grows = p->stopped = false;
    p->age_bound = p->options.age_bound ? p->options.age_bound : default_age_bound(p);
    look_around(p);
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

/* The next cycle in which any sender has something to do. */
static uint64_t next_due(const struct play *p)
{
    return part_least(p->part, senders_next_due(&p->senders));
}

/* While the network is empty, skip to the cycle before the next message, but not beyond `until`
 * (unless 0). */
static void skip_idle(struct play *p, uint64_t until)
{
    if (p->all[PART_IN_FLIGHT] || p->all[PART_BUSY] || p->all[PART_HELD_WORDS] ||
        p->cycle < p->last_move + AFTERMATH + loop_beyond(p))
        return;
    const uint64_t due = next_due(p);
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
static void play_cycle(struct play *p)
{
    const uint64_t now = ++p->cycle;
    if (!p->senders.busy)
        p->idle_at = now;
    if (sources_need_create(p->sources))
        p->board.memory_short |= !sources_create(p->sources, now, wake_sender, p);
    for (size_t i = 0; i < p->out.credit_count; i++)
        senders_credit(&p->senders, p->out.credits[i].port, p->out.credits[i].vc, now);
    if (!p->receivers.words)
        scoreboard_see(&p->board, p->out.words, p->out.word_count, now);
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
}

/* The next cycle after which play_on() does what it does not do in every cycle. */
static uint64_t next_check(const struct play *p)
{
    const uint64_t simulated = p->cycle - p->skipped, age = AGE_EVERY - simulated % AGE_EVERY,
                   clock = p->clock_every - simulated % p->clock_every;
    return p->cycle + (age < clock ? age : clock);
}

static void no_later_than(uint64_t *end, uint64_t cycle, uint64_t now)
{
    if (cycle > now && cycle < *end)
        *end = cycle;
}

/* Is every sender idle, in a start-up, whose end is known, or without a credit, while nothing moves
 * and no credit is under way between parts? */
static bool is_silent(const struct play *p)
{
    const uint64_t loop = p->net->foreign ? stuck_after(p) : AFTERMATH + loop_beyond(p);
    return p->all[PART_BUSY] && !p->all[PART_IN_FLIGHT] && !p->all[PART_SHOWN] &&
           !p->all[PART_HELD_WORDS] && p->cycle >= p->last_move + loop &&
           !sources_need_create(p->sources);
}

/* The cycle in which starving() becomes true in a silence: a sender waits for a credit that never
 * comes. A start-up after the last word, or after an idle time, is not such a wait. */
static uint64_t starves_at(const struct play *p)
{
    const uint64_t since = p->last_move > p->last_idle ? p->last_move : p->last_idle;
    return since + stuck_after(p) + p->options.startup + 1;
}

/* The cycle with which the next epoch ends. What leaves a router arrives after `link` cycles, so
 * parts need not meet more often, if all else that they do depends on their own nodes. In a silence
 * they need not meet before a sender acts. But what ends a play, or lets it skip cycles, must be
 * noticed in its cycle. The end of a play needs more than 16 cycles without a move and comes in a
 * cycle that is known before; to skip cycles all senders must be idle, which ends a silence. */
static uint64_t epoch_end(const struct play *p, uint64_t until)
{
    const uint64_t now = p->cycle;
    const uint64_t link = ec_router_link_least(p->net->router, p->net->topology);
    if (!p->part || p->mark <= now)
        return now + 1;
    const uint64_t due = is_silent(p) ? next_due(p) : 0;
    uint64_t end = now + link;
    p->part->silent = due > now + 2;
    if (p->part->silent)
        end = due - 1;
    else if (!p->part->look_ahead || now >= p->last_move + link)
        return now + 1;
    no_later_than(&end, starves_at(p), now);
    no_later_than(&end, p->mark, now);
    no_later_than(&end, p->intervals.border, now);
    no_later_than(&end, p->checkpoint_at, now);
    no_later_than(&end, next_check(p), now);
    no_later_than(&end, p->w->open_loop ? 0 : p->options.cycles, now);
    no_later_than(&end, until, now);
    return end;
}

/* The cycles between two looks at the whole network. */
static void play_epoch(struct play *p, uint64_t until)
{
    const uint64_t end = epoch_end(p, until);
    do
        play_cycle(p);
    while (p->cycle < end);
    look_around(p);
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
    uint64_t *const requests = sources_created(p->sources, now);
    if (!p->service)
        return part_gather(p->part, requests, p->senders.locals);
    p->replies = 0;
    for (uint32_t i = 0; i < p->senders.own.count; i++) {
        const uint32_t node = nodes_own_at(&p->senders.own, i), locals = p->senders.locals;
        for (uint32_t port = node * locals; port < (node + 1) * locals; port++) {
            const uint64_t replies = service_created(p->service, port, now);
            p->created[2 * port] = requests[port];
            p->created[2 * port + 1] = replies * p->w->service.words;
            p->replies += replies;
        }
    }
    return part_gather(p->part, p->created, 2 * p->senders.locals);
}

/* Words sent at each port, likewise. */
static const uint64_t *words_sent(struct play *p)
{
    if (p->service)
        return part_gather(p->part, p->senders.sent, 2 * p->senders.locals);
    return part_injected(p->part, p->net);
}

/* Words that have arrived from each source. */
static const uint64_t *words_accepted(struct play *p, uint64_t *room)
{
    for (uint32_t node = 0; node < p->net->topology->nodes; node++)
        room[node] = scoreboard_source(&p->board, node).words;
    part_sum_all(p->part, room, p->net->topology->nodes);
    return room;
}

/* Messages created by the latest mark, with the replies to them. */
static uint64_t messages_created(const struct play *p)
{
    return part_sum(p->part, sources_messages(p->sources)) * (p->service ? 2 : 1);
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
                                 .words = part_sum(p->part, p->board.words),
                                 .classes = classes,
                                 .messages = part_sum(p->part, p->board.messages)};
    if (precision_needs_sources(x, p->cycle)) {
        s.created = words_created(p, p->cycle);
        s.created_messages = messages_created(p);
        s.sent = words_sent(p);
        for (unsigned k = 0; k < p->board.class_count; k++)
            classes[k].created = part_sum(p->part, words_of_class(p, k));
    }
    if (precision_needs_accepted(x, p->cycle))
        s.accepted = words_accepted(p, x->accepted);
    for (unsigned k = 0; k < p->board.class_count; k++)
        classes[k].arrived = part_sum(p->part, p->board.classes[k].words);
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
        const uint64_t *const created = words_created(p, p->cycle);
        s->accepted[s->seen] = part_sum(p->part, p->board.accepted);
        steady_sample(s, created, words_sent(p));
        if (s->seen == 1) {
            p->messages_before = messages_created(p);
            count_classes(p, true);
        }
        if (!steady_complete(s))
            continue;
        p->window_messages = messages_created(p) - p->messages_before;
        count_classes(p, false);
        p->grows = part_any(p->part, steady_grows(s));
    }
    if (!steady_complete(s)) {
        p->mark = steady_mark(s, s->seen);
        return;
    }
    p->mark = p->cycle; /* again in every cycle */
    if (p->grows || p->all[PART_MEASURED] == p->window_messages ||
        p->cycle - s->to >= play_patience(p))
        stop_creation(p);
}

static bool take_interval(struct play *p, bool last)
{
    struct ec_interval totals = {.messages_sent = p->senders.messages,
                                 .messages = p->board.messages + p->senders.self_messages,
                                 .packets = p->board.packets,
                                 .words = p->board.words,
                                 .latency_sum = p->board.latency_sum,
                                 .latency_max = p->board.recent_latency};
    struct ec_net_counters c;
    p->net->ops->counters(p->net, &c);
    p->board.recent_latency = 0;
    part_sum_interval(p->part, &totals);
    const bool taken =
        !part_first(p->part) || intervals_take(&p->intervals, p->cycle, last, totals, &c);
    p->intervals.border = part_told(p->part, p->intervals.border);
    return !part_any(p->part, !taken);
}

bool play_end_intervals(struct play *p)
{
    const bool taken = p->intervals.border == UINT64_MAX || take_interval(p, true);
    p->intervals.border = UINT64_MAX;
    return taken;
}

bool play_idle(const struct play *p)
{
    return !p->all[PART_IN_FLIGHT] && !p->all[PART_SHOWN] && !p->all[PART_BUSY] &&
           !p->all[PART_HELD_WORDS] && !p->all[PART_LEFT];
}

void play_add(struct play *p, uint32_t index)
{
    senders_wake(&p->senders, sources_add(p->sources, index), p->w->messages[index].cycle);
    p->board.memory_short |= sources_short(p->sources);
    p->all[PART_LEFT] = true;
}

static bool finished(const struct play *p)
{
    if (p->hosting || p->all[PART_IN_FLIGHT] || p->all[PART_BUSY] || p->all[PART_HELD_WORDS])
        return false;
    if (p->cycle < p->last_move + AFTERMATH + loop_beyond(p) ||
        (p->service && part_any(p->part, !service_idle(p->service))))
        return false;
    return (p->w->open_loop ? p->stopped : !p->all[PART_LEFT]) && !awaits_credits(p);
}

/* Words are in the network, nothing moves, and no node holds words back; or one holds them back for
 * so long that it is not by chance; or it has no room for requests, and no reply is about to be
 * sent. */
static bool stuck(const struct play *p)
{
    if (p->all[PART_HELD_WORDS] && p->options.eject_stall > 0)
        return p->cycle > p->last_move + default_age_bound(p) + p->w->service.think;
    if (p->cycle <= p->last_move + stuck_after(p))
        return false;
    if (!p->all[PART_HELD_WORDS])
        return p->all[PART_IN_FLIGHT];
    return p->cycle > p->last_move + stuck_after(p) + p->options.startup &&
           !part_any(p->part,
                     service_thinks(p->service, p->cycle - stuck_after(p) - p->options.startup));
}

/* A sender waits for a credit that never comes, even if nothing is in flight. */
static bool starving(const struct play *p)
{
    return p->cycle >= starves_at(p) && p->all[PART_BUSY] && p->all[PART_IN_FLIGHT] == 0 &&
           p->all[PART_HELD_WORDS] == 0;
}

/* A message is due at a node that does not take it. */
static bool overlooked(const struct play *p)
{
    return p->cycle > p->last_move + STUCK_AFTER && p->all[PART_BUSY] == 0 &&
           p->all[PART_IN_FLIGHT] == 0 && p->all[PART_HELD_WORDS] == 0 &&
           next_due(p) < p->cycle - STUCK_AFTER;
}

/* Messages are left although no sender can send and the network is empty: each of them waits for
 * another, or is queued behind one that does. */
static bool unmet(const struct play *p)
{
    return p->all[PART_IN_FLIGHT] == 0 && p->all[PART_SHOWN] == 0 && p->all[PART_BUSY] == 0 &&
           p->all[PART_HELD_WORDS] == 0 && p->all[PART_LEFT] && next_due(p) == SOURCE_NEVER;
}

/* Report progress when due. False: the caller interrupts the run. Of the parts of a process only
 * the first one asks: the callbacks of a caller are made in one thread. */
static bool report_progress(struct play *p, uint64_t messages)
{
    if (!p->options.progress || (!part_first(p->part) && !p->part->asks))
        return true;
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    const uint64_t ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
    if (ns - p->last_report < PROGRESS_EVERY_NS)
        return true;
    p->last_report = ns;
    const uint64_t all = p->w->open_loop ? 0 : p->w->message_count;
    return p->options.progress(p->options.progress_context, p->cycle, messages, all);
}

/* Checks that are not made in every cycle. They count simulated cycles, since a trace may skip
 * others. A replay does not check ages again, but the user may interrupt it, too. */
static enum play_state check_sometimes(struct play *p, bool again)
{
    const uint64_t simulated = p->cycle - p->skipped;
    if (!again && simulated % AGE_EVERY == 0 &&
        part_any(p->part, scoreboard_overdue(&p->board, p->cycle, p->age_bound)))
        return PLAY_OLD;
    if (simulated % p->clock_every != 0)
        return PLAY_ON;
    const uint64_t messages = part_sum(p->part, p->board.messages);
    p->interrupted = part_any(p->part, !report_progress(p, messages));
    if (!p->again && p->options.checkpoint && (p->interrupted || checkpoint_is_due(p)))
        checkpoint_write(p);
    return p->interrupted ? PLAY_INTERRUPTED : PLAY_ON;
}

/* A closed run is stopped unless everything has arrived by then: the network may drain later. */
static bool beyond_limit(const struct play *p)
{
    const uint64_t limit = p->w->open_loop ? 0 : p->options.cycles;
    return limit && (p->cycle == limit ? !play_idle(p) : p->cycle > limit && p->all[PART_LEFT]);
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
        if (beyond_limit(p))
            return PLAY_LIMIT;
        play_epoch(p, until);
        if (p->all[PART_BROKEN])
            return PLAY_BROKEN;
        if (stuck(p) || starving(p) || overlooked(p))
            return PLAY_STUCK;
        if (p->board.order && unmet(p))
            return PLAY_UNMET;
        const enum play_state state = check_sometimes(p, until != 0);
        if (state != PLAY_ON)
            return state;
        if (p->cycle >= p->checkpoint_at && !p->again)
            checkpoint_write(p);
    }
}

bool play_again(struct play *p, const struct ec_net_watch *watch, uint64_t until)
{
    const uint64_t age_bound = p->age_bound;
    p->net->ops->watch(p->net, watch); /* before the reset, which the run's watchers must not see */
    play_set_callbacks(p, false);
    play_reset(p);
    p->again = true;
    enum play_state state = PLAY_ON;
    while (p->cycle < until && state != PLAY_INTERRUPTED) {
        const uint64_t before = p->cycle;
        state = play_on(p, until); /* stops where the run stopped, then at every cycle */
        if (p->cycle == before)
            break;
    }
    p->net->ops->watch(p->net, p->watch);
    play_set_callbacks(p, true);
    p->again = false;
    p->age_bound = age_bound;
    return state != PLAY_INTERRUPTED;
}

/* --- A key of the play ----------------------------------------------------------------------- */

uint64_t play_key(const struct play *p, const char *command)
{
    char topology[160], router[160], text[2000];
    ec_topology_format(p->net->topology, topology, sizeof topology);
    ec_router_format(p->net->router, router, sizeof router);
    snprintf(text, sizeof text, "%s %s %.500s %" PRIu64 " %.1000s", topology, router, p->w->text,
             p->options.seed, command ? command : "");
    return XXH3_64bits(text, strlen(text));
}
