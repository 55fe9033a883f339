/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a run. Knows the order of things within a cycle; judges nothing but "go on or stop".
 */
#include "run/play.h"

#include <stdlib.h>
#include <time.h>

#include "backend/net_rtl.h"

/* With nothing moving for this long while words are in the network and no node holds them back,
 * nothing will move again: credits and words are under way for one cycle only. */
#define STUCK_AFTER       64
/* Simulated cycles between looks at the age of packets. */
#define AGE_EVERY         4096
/* Router-cycles between looks at the clock: less than PROGRESS_EVERY_NS of work. */
#define CLOCK_EVERY       (UINT32_C(1) << 18)
#define PROGRESS_EVERY_NS 100000000
/* Cycles played after the last delivery: late credits come home, late duplicates show themselves.
 */
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

static void wake_released(void *context, uint32_t message, uint64_t ready)
{
    struct play *p = context;
    senders_wake(&p->senders, sources_port(p->sources, message), ready);
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
    const uint64_t window_end = options->warmup + options->cycles;
    p->sources = sources_open(t, r, w, options->seed);
    if (p->sources && scoreboard_open(&p->board, t, r) &&
        (!w->open_loop ||
         (scoreboard_count_links(&p->board) &&
          steady_open(&p->steady, (uint32_t)ports, options->warmup, window_end, &w->lengths))) &&
        senders_open(&p->senders, t, r, p->sources, &p->board, options->startup) &&
        receivers_open(&p->receivers, (uint32_t)ports, r->vcs, options->eject_stall,
                       options->seed) &&
        events_open(&p->in, ports, r->vcs) && events_open(&p->out, ports, r->vcs)) {
        p->board.keep_log = options->keep_packets;
        p->board.measure_from = w->open_loop ? options->warmup : 0;
        p->board.measure_to = w->open_loop ? window_end : SOURCE_NEVER - 1;
        p->board.steady = w->open_loop ? &p->steady : NULL;
        p->board.order = sources_order(p->sources);
        if (p->board.order) {
            p->board.order->released = wake_released;
            p->board.order->context = p;
        }
        net->numbered = true;
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
    if (p->board.sources)
        scoreboard_close(&p->board);
    steady_close(&p->steady);
    events_close(&p->in);
    events_close(&p->out);
    if (p->net)
        p->net->numbered = false;
    *p = (struct play){0};
}

/* The age at which a packet is suspected. A wrong suspicion costs a replay, a late one only time.
 */
static uint64_t default_age_bound(const struct play *p)
{
    return (uint64_t)(LEAST_AGE_BOUND / (1 - p->options.eject_stall));
}

void play_reset(struct play *p)
{
    p->net->ops->reset(p->net);
    sources_reset(p->sources);
    scoreboard_reset(&p->board);
    senders_reset(&p->senders);
    receivers_reset(&p->receivers);
    p->in.word_count = p->in.credit_count = 0;
    p->out.word_count = p->out.credit_count = 0;
    p->cycle = p->skipped = p->last_move = p->last_idle = p->moved = 0;
    steady_reset(&p->steady);
    p->mark = p->w->open_loop ? steady_mark(&p->steady, 0) : SOURCE_NEVER;
    p->window_messages = 0;
    p->grows = p->stopped = false;
    p->age_bound = p->options.age_bound ? p->options.age_bound : default_age_bound(p);
}

static void wake_sender(void *context, uint32_t port)
{
    struct play *p = context;
    senders_wake(&p->senders, port, p->cycle);
}

/* While nothing is under way, go straight to the cycle before the next message. */
static void skip_idle(struct play *p)
{
    if (p->net->in_flight || p->senders.busy || p->receivers.held_words ||
        p->cycle < p->last_move + AFTERMATH)
        return;
    const uint64_t due = senders_next_due(&p->senders);
    if (due == SOURCE_NEVER || due <= p->cycle + 1 || sources_need_create(p->sources))
        return;
    if (p->mark <= p->cycle)
        return;
    const uint64_t to = due > p->mark ? p->mark : due - 1;
    p->net->cycle += to - p->cycle;
    p->skipped += to - p->cycle;
    p->cycle = to;
}

/* One cycle. What the routers show in this cycle was computed by the last step: it is in `out`. */
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
    if (p->net->moved != p->moved) {
        p->moved = p->net->moved;
        p->last_move = now;
    }
    return true;
}

uint64_t play_patience(const struct play *p)
{
    return p->steady.to + default_age_bound(p);
}

/* Open loop, the cycle of a mark has been played: read the backlogs. Behind the last mark, end the
 * creation of messages as soon as those of the window have arrived, or the wait for them is vain.
 */
static void pass_mark(struct play *p)
{
    struct steady *s = &p->steady;
    while (!steady_complete(s) && steady_mark(s, s->seen) <= p->cycle) {
        struct ec_net_counters c;
        p->net->ops->counters(p->net, &c);
        steady_sample(s, sources_created(p->sources, p->cycle), c.injected);
        if (s->seen == 1)
            p->messages_before = sources_messages(p->sources);
        if (!steady_complete(s))
            continue;
        p->window_messages = sources_messages(p->sources) - p->messages_before;
        p->grows = steady_grows(s);
    }
    if (!steady_complete(s)) {
        p->mark = steady_mark(s, s->seen);
        return;
    }
    p->mark = p->cycle; /* look in every cycle */
    if (p->grows || p->board.measured == p->window_messages ||
        p->cycle - s->to >= play_patience(p)) {
        sources_stop(p->sources);
        p->stopped = true;
        p->mark = SOURCE_NEVER;
    }
}

static bool finished(const struct play *p)
{
    if (p->net->in_flight || p->senders.busy || p->receivers.held_words)
        return false;
    if (p->cycle < p->last_move + AFTERMATH)
        return false;
    return p->w->open_loop ? p->stopped : sources_exhausted(p->sources);
}

/* Nothing moves, nothing is held back by a node, and no sender is in a start-up. */
static bool stuck(const struct play *p)
{
    return p->cycle > p->last_move + STUCK_AFTER && p->net->in_flight &&
           p->receivers.held_words == 0;
}

/* A credit that never comes leaves a sender waiting even if nothing is in flight. Start-ups are no
 * such wait, whether they follow a word or a time in which there was nothing to do. */
static bool starving(const struct play *p)
{
    const uint64_t since = p->last_move > p->last_idle ? p->last_move : p->last_idle;
    return p->cycle > since + STUCK_AFTER + p->options.startup && p->senders.busy &&
           p->net->in_flight == 0 && p->receivers.held_words == 0;
}

/* Nobody has anything to send, nothing is under way, and yet messages are left: each of them waits
 * for another, or stands behind one that does. */
static bool unmet(const struct play *p)
{
    return p->net->in_flight == 0 && p->out.word_count == 0 && p->senders.busy == 0 &&
           p->receivers.held_words == 0 && !sources_exhausted(p->sources) &&
           senders_next_due(&p->senders) == SOURCE_NEVER;
}

/* Tell the caller how far the play is, if it is time to; false: the caller wants an end. */
static bool tell_progress(struct play *p)
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

/* What is looked at now and then. Simulated cycles are counted, for a trace may skip any others. A
 * replay knows already what is old, but its user may want an end, too. */
static enum play_state look(struct play *p, bool again)
{
    const uint64_t simulated = p->cycle - p->skipped;
    if (!again && simulated % AGE_EVERY == 0 &&
        scoreboard_overdue(&p->board, p->cycle, p->age_bound))
        return PLAY_OLD;
    if (simulated % p->clock_every != 0 || tell_progress(p))
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
        skip_idle(p);
        if (p->cycle >= p->mark)
            pass_mark(p);
        if (!p->w->open_loop && p->options.cycles && p->cycle >= p->options.cycles)
            return PLAY_LIMIT;
        if (!play_cycle(p) || p->board.memory_short)
            return PLAY_BROKEN;
        if (p->board.failed || p->net->ops->fault(p->net)->found || net_rtl_ended(p->net))
            return PLAY_BROKEN;
        if (stuck(p) || starving(p))
            return PLAY_STUCK;
        if (p->board.order && unmet(p))
            return PLAY_UNMET;
        const enum play_state state = look(p, until != 0);
        if (state != PLAY_ON)
            return state;
    }
}

bool play_again(struct play *p, const struct ec_net_watch *watch, uint64_t until)
{
    const uint64_t age_bound = p->age_bound;
    p->net->ops->watch(p->net, watch); /* before the reset, which is not for the run's watchers */
    p->senders.offered = NULL;
    play_reset(p);
    enum play_state state = PLAY_ON;
    while (p->cycle < until && state != PLAY_INTERRUPTED) {
        const uint64_t before = p->cycle;
        state = play_on(p, until); /* stops at what the run stopped at, beyond it at every cycle */
        if (p->cycle == before)
            break;
    }
    p->net->ops->watch(p->net, p->watch);
    p->senders.offered = p->options.offer;
    p->age_bound = age_bound;
    return state != PLAY_INTERRUPTED;
}
