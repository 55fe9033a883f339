/* SPDX-License-Identifier: Apache-2.0 */
/* A run in several parts. Every part plays on its own nodes (run/part.c); the report is made in the
 * first one, from the statistics of all.
 *
 * Parts only detect that something is wrong. What it is, a repetition in one part finds: its report
 * is the result. Must not know how a cycle is played. */
#include "session/split.h"

#include <inttypes.h>
#include <string.h>

#include "diagnose/failure.h"
#include "parts/heartbeat.h"
#include "session/running.h"

struct split {
    struct ec_case *c;
    const struct ec_run_options *options;
    struct ec_case_split how;
    struct ec_partition *partition;
    struct world *world;     /* other ranks that play; NULL: none */
    uint32_t first, last;    /* parts of this rank */
    struct seen_calls calls; /* made by the first part */
    /* What the first part found: a report, an error, or neither. A report is in rank 0 only. */
    struct ec_report *report;
    enum ec_code code;
    struct ec_error error;
    /* Without a report, how the repetition must end. ANYHOW: the parts could not go on, or have not
     * found out whether anything is wrong. */
    enum { ANYHOW, FAILED, SAME_CYCLES } expected;
    uint64_t cycles, digest; /* SAME_CYCLES: these */
};

/* Other parts have ended. */
static enum ec_code fail_ended(const struct exchange *x, struct ec_error *e)
{
    const struct exchange_end *end = exchange_ended(x);
    const bool known = end->code != EC_INTERNAL;
    return ec_fail(e, end->code, "%s%s", known ? "" : "a part of the run ended early: ", end->why);
}

/* Collective: the error of the first part that has one is that of all. */
static enum ec_code agree(struct exchange *x, enum ec_code code, struct ec_error *e)
{
    const struct exchange_bytes *all;
    if (!exchange_gather(x, e, code == EC_OK ? 0 : sizeof *e, true, &all))
        return fail_ended(x, e);
    for (uint32_t k = 0; k < x->parts; k++) {
        if (all[k].size == 0)
            continue;
        memcpy(e, all[k].data, sizeof *e);
        return e->code;
    }
    return EC_OK;
}

static bool short_of_memory(const struct play *p)
{
    return p->board.memory_short || p->receivers.memory_short;
}

/* Has the run gone so well that its report is complete? */
static bool is_complete(const struct running *r, const struct part *part)
{
    return part->clean && !explain_applies(&r->play, r->report);
}

/* Collective. The parts have found a failure, or a run that is to be explained. A packet that is
 * only old may be no failure: one part looks, and goes on. */
static void expect_repetition(struct split *s, struct running *r, struct part *part)
{
    const bool anyhow = part_any(part, r->play.board.records.cannot_split) ||
                        r->state == PLAY_OLD || r->state == PLAY_INTERRUPTED;
    if (!part_first(part) || anyhow || part->lost)
        return;
    s->expected = r->state == PLAY_DONE || r->state == PLAY_LIMIT ? SAME_CYCLES : FAILED;
    s->cycles = r->report->simulated_cycles;
    s->digest = r->report->digest;
}

/* Collective. */
static enum ec_code conclude(struct split *s, struct running *r, struct part *part,
                             struct ec_error *e)
{
    enum ec_code code = EC_OK;
    if (short_of_memory(&r->play))
        code = ec_fail(e, EC_MEMORY, "out of memory for the nodes of a run");
    code = agree(part->x, code, e);
    if (code != EC_OK)
        return code;
    if (r->state != PLAY_DONE && r->state != PLAY_LIMIT && r->state != PLAY_INTERRUPTED) {
        expect_repetition(s, r, part);
        return EC_OK;
    }
    if (!part_merge(part, &r->play))
        code = ec_fail(e, EC_MEMORY, "out of memory for the statistics of a run");
    else if (part_first(part))
        code = running_judge(r, s->c->audit, e);
    code = agree(part->x, code, e);
    if (code != EC_OK)
        return code;
    expect_repetition(s, r, part);
    if (part_first(part) && is_complete(r, part))
        s->report = running_take(r);
    return EC_OK;
}

/* Collective. */
static enum ec_code play_nodes(struct split *s, struct part *part, struct ec_error *e)
{
    struct running r;
    enum ec_code code = running_open_part(&r, part, s->c->workload, s->options, e);
    if (code != EC_OK)
        return agree(part->x, code, e);
    running_on(&r, 0);
    code = conclude(s, &r, part, e);
    running_close(&r);
    return code;
}

static struct ec_net_pulse *pulse_of(const struct split *s, uint32_t part)
{
    return session_pulse(s->c, part, part == s->first);
}

/* The first part of this process waits for another one, or no longer: who watches the process sees
 * that one. */
static void show_part(void *context, uint32_t part)
{
    const struct split *s = context;
    if (part == s->first)
        heartbeat_show_end(pulse_of(s, s->first));
    else if (part > s->first && part <= s->last)
        heartbeat_show(pulse_of(s, s->first), pulse_of(s, part));
}

/* The routers are opened in the thread that steps them: their memory is near it. */
static enum ec_code open_and_play(struct split *s, struct exchange *x, struct ec_error *e)
{
    struct part part = {0};
    struct seen seen;
    struct ec_net *tiles;
    seen_open(&seen, x, &s->calls);
    enum ec_code code =
        session_part(s->c, s->partition, x->part, pulse_of(s, x->part), &seen, &tiles, e);
    if (code == EC_OK && !part_open(&part, x, s->partition, tiles, &seen))
        code = ec_fail(e, EC_MEMORY, "out of memory for a part of the network");
    part.asks = x->part == s->first;
    code = agree(x, code, e);
    if (code == EC_OK)
        code = play_nodes(s, &part, e);
    part_close(&part);
    session_part_end(s->c, x->part);
    seen_close(&seen);
    return code;
}

/* The body of every part. */
static void play_part(void *context, struct exchange *x)
{
    struct split *s = context;
    struct ec_error e;
    heartbeat_enter(pulse_of(s, x->part), pulse_of(s, s->first));
    if (x->part == s->first) {
        x->waiting = show_part;
        x->waiting_context = s;
    }
    const enum ec_code code = open_and_play(s, x, &e);
    heartbeat_enter(NULL, NULL);
    if (x->part != s->first)
        return;
    s->code = code;
    s->error = e;
}

static enum ec_code play_parts(struct split *s, struct ec_error *reterr)
{
    const struct ec_partition *p = s->partition;
    const struct parts_plan plan = {
        .transport = s->world             ? PARTS_RANKS
                     : s->how.threads > 1 ? PARTS_THREADS
                                          : PARTS_IN_TURN,
        .world = s->world,
        .parts = p->parts,
        .first = p->first_neighbour,
        .neighbour = p->neighbour,
        .pin = s->c->spec.pin,
    };
    const enum ec_code code = parts_run(&plan, play_part, s, reterr);
    if (code == EC_OK && s->code != EC_OK && reterr)
        *reterr = s->error;
    return code == EC_OK ? s->code : code;
}

/* The part of a rank that cannot take part: it only meets the others, and never plays. */
static void play_nothing(void *context, struct exchange *x)
{
    (void)context;
    (void)x;
}

enum ec_code split_refuse(const struct ec_case *c, const struct ec_error *why,
                          struct ec_error *reterr)
{
    struct world *world = session_world(c->session);
    const struct parts_plan plan = {.transport = world ? PARTS_RANKS : PARTS_IN_TURN,
                                    .world = world,
                                    .parts = world ? world->ranks * world->threads : 1,
                                    .refused = why};
    return parts_run(&plan, play_nothing, NULL, reterr);
}

/* --- The repetition --------------------------------------------------------------------------- */

/* The callbacks of the repetition: without the calls that the parts have made. */
struct again {
    const struct seen_calls *calls;
    uint64_t left[SEEN_KINDS]; /* calls to leave out */
    struct fan fan;
    struct ec_net_watch watch;
};

static bool is_new(struct again *a, enum seen_kind kind)
{
    const bool new = a->left[kind] == 0;
    a->left[kind] -= !new;
    return new;
}

static void deliver_again(void *context, const struct ec_delivery *delivery)
{
    struct again *a = context;
    if (is_new(a, SEEN_DELIVERY))
        a->calls->delivery(a->calls->delivery_context, delivery);
}

static void take_again(void *context, const struct ec_message *message)
{
    struct again *a = context;
    if (is_new(a, SEEN_TAKEN))
        a->calls->taken(a->calls->taken_context, message);
}

static void offer_again(void *context, const struct ec_offer *offer)
{
    struct again *a = context;
    if (is_new(a, SEEN_OFFER))
        a->calls->offer(a->calls->offer_context, offer);
}

static void show_router_again(void *context, const struct ec_net_seen *seen)
{
    struct again *a = context;
    if (is_new(a, SEEN_ROUTER))
        a->fan.watch.router(a->fan.watch.context, seen);
}

static void show_cycle_again(void *context, uint64_t cycle)
{
    struct again *a = context;
    if (is_new(a, SEEN_CYCLE))
        a->fan.watch.cycle(a->fan.watch.context, cycle);
}

/* The watchers have seen the reset. */
static bool open_again(struct again *a, const struct split *s)
{
    const struct ec_run_options *o = s->options;
    *a = (struct again){.calls = &s->calls};
    memcpy(a->left, s->calls.count, sizeof a->left);
    if (o->watch_count == 0)
        return true;
    if (!fan_open(&a->fan, o->watches, o->watch_count, s->c->topology.nodes))
        return false;
    a->watch = (struct ec_net_watch){.router = show_router_again,
                                     .cycle = show_cycle_again,
                                     .nodes = a->fan.nodes,
                                     .context = a};
    return true;
}

static enum ec_code run_again(struct split *s, struct again *a, struct ec_error *reterr)
{
    struct ec_case *c = s->c;
    struct ec_run_options o = *s->options;
    const struct ec_net_watch *const watches[] = {&a->watch};
    struct ec_net *net;
    o.delivery = o.delivery ? deliver_again : NULL;
    o.taken = o.taken ? take_again : NULL;
    o.offer = o.offer ? offer_again : NULL;
    o.delivery_context = o.taken_context = o.offer_context = a;
    o.watches = watches;
    o.watch_count = o.watch_count > 0;
    session_tell_after(c, s->calls.count[SEEN_TEXT]);
    enum ec_code code = ec_case_net(c, &net, reterr);
    if (code == EC_OK)
        code = ec_run(net, c->workload, c->audit, &o, &s->report, reterr);
    session_tell_after(c, 0);
    return code;
}

/* A repetition that shows something else would hide an error in the parts. */
static enum ec_code check_repetition(const struct split *s, struct ec_error *reterr)
{
    const struct ec_report *r = s->report;
    if (r->outcome == EC_RUN_INTERRUPTED || s->expected == ANYHOW ||
        (s->expected == FAILED && !r->passed) ||
        (s->expected == SAME_CYCLES && r->simulated_cycles == s->cycles && r->digest == s->digest))
        return EC_OK;
    return ec_fail(reterr, EC_INTERNAL,
                   "%s %s: in %" PRIu32 " parts %s, but not in one: this is an error in ecube; run "
                   "it without --threads and --parts",
                   s->c->topology_text, s->c->workload->text, s->how.parts,
                   s->expected == FAILED ? "the run fails" : "words arrive in other cycles");
}

static enum ec_code repeat(struct split *s, struct ec_error *reterr)
{
    struct ec_case *c = s->c;
    struct again a;
    session_phase(c->session, "%s %s: repeating the run in one part to find the cause",
                  c->topology_text, c->workload->text);
    if (!open_again(&a, s))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the watchers of a run");
    enum ec_code code = run_again(s, &a, reterr);
    fan_close(&a.fan);
    if (code == EC_MEMORY && s->expected == FAILED)
        return ec_fail(reterr, EC_MEMORY,
                       "%s %s: a check failed in one of %" PRIu32 " parts, but memory is too short "
                       "to repeat the run in one part, which finds the cause",
                       c->topology_text, c->workload->text, s->how.parts);
    if (code != EC_OK)
        return code;
    code = check_repetition(s, reterr);
    if (code != EC_OK) {
        ec_report_close(s->report);
        s->report = NULL;
    }
    return code;
}

enum ec_code split_run(struct ec_case *c, const struct ec_case_split *how,
                       const struct ec_run_options *options, struct ec_report **ret,
                       struct ec_error *reterr)
{
    struct split s = {.c = c, .options = options, .how = *how, .world = session_world(c->session)};
    s.calls = (struct seen_calls){.delivery = options->delivery,
                                  .taken = options->taken,
                                  .offer = options->offer,
                                  .text = session_options(c->session)->rtl ? session_tell : NULL,
                                  .delivery_context = options->delivery_context,
                                  .taken_context = options->taken_context,
                                  .offer_context = options->offer_context,
                                  .text_context = c};
    s.first = s.world ? s.world->rank * s.world->threads : 0;
    s.last = s.first + (s.world ? s.world->threads : how->parts) - 1;
    struct ec_error e;
    enum ec_code code = ec_partition_open(&c->topology, how->parts, &s.partition, &e);
    if (code != EC_OK)
        return split_refuse(c, &e, reterr);
    code = play_parts(&s, reterr);
    ec_partition_close(s.partition);
    if (code == EC_OK && s.report) {
        s.report->parts = how->parts;
        s.report->threads = how->threads;
        s.report->ranks = how->ranks;
    } else if (code == EC_OK && s.first == 0) {
        code = repeat(&s, reterr);
        if (code != EC_OK)
            session_break(c->session);
    }
    if (code == EC_OK)
        *ret = s.report; /* NULL: rank 0 has it */
    return code;
}
