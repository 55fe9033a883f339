/* SPDX-License-Identifier: Apache-2.0 */
/* A run in several parts. Every part plays on its own nodes (run/part.c); the report is made in the
 * first one, from the statistics of all.
 *
 * Parts only detect that something is wrong. What it is, a repetition in one part finds: its report
 * is the result. Must not know how a cycle is played. */
#include "session/split.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/failure.h"
#include "parts/heartbeat.h"
#include "run/merge.h"
#include "session/running.h"

struct split {
    struct ec_case *c;
    const struct ec_run_options *options;
    struct ec_case_split how;
    struct ec_partition *partition;
    struct world *world;  /* other ranks that play; NULL: none */
    uint32_t first, last; /* parts of this rank */
    /* What the first part found: a report, an error, or neither. A report is in rank 0 only. */
    struct ec_report *report;
    enum ec_code code;
    struct ec_error error;
    /* Without a report, how the repetition must end. ANYHOW: the parts could not go on, or have not
     * found out whether anything is wrong. */
    enum { ANYHOW, FAILED, SAME_CYCLES } expected;
    uint64_t cycles, digest; /* SAME_CYCLES: these */
    bool saved;              /* the parts have written a checkpoint */
};

/* Other parts have ended. */
static enum ec_code fail_ended(const struct exchange *x, struct ec_error *e)
{
    const struct exchange_end *end = exchange_ended(x);
    const bool known = end->code != EC_INTERNAL;
    return ec_fail(e, end->code, "%s%s", known ? "" : "a part of the run ended early: ", end->why);
}

/* Collective: the error of the first part that has one is that of all. Memory may be short in one
 * rank only, which the message then names; it is empty in the others. */
static enum ec_code agree(const struct split *s, struct exchange *x, enum ec_code code,
                          struct ec_error *e)
{
    const struct exchange_bytes *all;
    const struct world *w = s->world;
    const bool own = code != EC_OK && e->message[0] != '\0';
    if (own && code == EC_MEMORY && w) {
        const struct ec_error here = *e;
        ec_fail(e, code, "rank %" PRIu32 " on %s: %.900s", w->rank, w->host[w->rank], here.message);
    }
    if (!exchange_gather(x, e, own ? sizeof *e : 0, true, &all))
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
static void expect_repetition(struct split *s, struct running *r, struct part *part,
                              const struct rtl_texts *texts)
{
    const bool anyhow = part_any(part, r->play.board.records.cannot_split) ||
                        r->state == PLAY_OLD || r->state == PLAY_INTERRUPTED;
    const bool said = part_any(part, texts->count > 0);
    if (part_first(part))
        s->saved = r->play.saved && !said; /* only a whole repetition says all of it again */
    if (!part_first(part) || anyhow || part->lost)
        return;
    s->expected = r->state == PLAY_DONE || r->state == PLAY_LIMIT ? SAME_CYCLES : FAILED;
    s->cycles = r->report->simulated_cycles;
    s->digest = r->report->digest;
}

static int by_cycle_and_node(const void *x, const void *y)
{
    const struct rtl_text *a = x, *b = y;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Collective: the first part shows what the RTL of all parts has printed. A repetition does that
 * itself. False: out of memory, or another part is gone. */
static bool show_texts(const struct split *s, struct exchange *x, const struct rtl_texts *texts)
{
    const struct exchange_bytes *from = NULL;
    size_t count = 0;
    if (!exchange_gather(x, texts->list, texts->count * sizeof *texts->list, false, &from))
        return false;
    if (!from || !s->report)
        return true;
    for (uint32_t k = 0; k < x->parts; k++)
        count += from[k].size / sizeof *texts->list;
    struct rtl_text *list = calloc(count + 1, sizeof *list), *end = list;
    for (uint32_t k = 0; list && k < x->parts; k++) {
        if (from[k].size)
            memcpy(end, from[k].data, from[k].size);
        end += from[k].size / sizeof *list;
    }
    if (list)
        qsort(list, count, sizeof *list, by_cycle_and_node);
    for (size_t i = 0; list && i < count; i++)
        session_tell(s->c, &list[i]);
    free(list);
    return list != NULL;
}

/* Collective. */
static enum ec_code conclude(struct split *s, struct running *r, struct part *part,
                             const struct rtl_texts *texts, struct ec_error *e)
{
    enum ec_code code = EC_OK;
    if (short_of_memory(&r->play))
        code = ec_fail(e, EC_MEMORY, "out of memory for the nodes of a run");
    code = agree(s, part->x, code, e);
    if (code != EC_OK)
        return code;
    if (r->state != PLAY_DONE && r->state != PLAY_LIMIT && r->state != PLAY_INTERRUPTED) {
        expect_repetition(s, r, part, texts);
        return EC_OK;
    }
    if (!play_merge(&r->play))
        code = ec_fail(e, EC_MEMORY, "out of memory for the statistics of a run");
    else if (part_first(part))
        code = running_judge(r, s->c->audit, e);
    code = agree(s, part->x, code, e);
    if (code != EC_OK)
        return code;
    expect_repetition(s, r, part, texts);
    if (part_first(part) && is_complete(r, part))
        s->report = running_take(r);
    if (!show_texts(s, part->x, texts))
        code = ec_fail(e, EC_MEMORY, "out of memory for the texts of the RTL");
    return agree(s, part->x, code, e);
}

/* Collective. */
static enum ec_code play_nodes(struct split *s, struct part *part, const struct rtl_texts *texts,
                               struct ec_error *e)
{
    struct running r;
    enum ec_code code = running_open(&r, &part->net, part, s->c->workload, s->options, e);
    if (code != EC_OK)
        return agree(s, part->x, code, e);
    running_on(&r, 0);
    code = conclude(s, &r, part, texts, e);
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

/* The run goes on when the rank does. */
static void tell_silent(void *context, uint32_t rank, const char *host)
{
    const struct split *s = context;
    const struct ec_session_options *o = session_options(s->c->session);
    const struct ec_net_pulse *pulse = pulse_of(s, s->first);
    char line[200];
    snprintf(line, sizeof line, "rank %" PRIu32 " on %s has not answered since cycle %" PRIu64,
             rank, host, pulse ? pulse->cycle : 0);
    if (o->warning)
        o->warning(o->context, line);
}

/* The routers are opened in the thread that steps them: their memory is near it. */
static enum ec_code open_and_play(struct split *s, struct exchange *x, struct ec_error *e)
{
    struct part part = {0};
    struct rtl_texts texts = {.count = 0};
    struct ec_net *tiles;
    enum ec_code code =
        session_part(s->c, s->partition, x->part, pulse_of(s, x->part), &texts, &tiles, e);
    if (code == EC_OK && !part_open(&part, x, s->partition, tiles))
        code = ec_fail(e, EC_MEMORY, "out of memory for a part of the network");
    part.asks = x->part == s->first;
    code = agree(s, x, code, e);
    if (code == EC_OK)
        code = play_nodes(s, &part, &texts, e);
    part_close(&part);
    session_part_end(s->c, x->part);
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
        x->silent = tell_silent;
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
    const struct parts_plan plan = {
        .world = world, .parts = world ? world->ranks * world->threads : 1, .refused = why};
    return parts_run(&plan, play_nothing, NULL, reterr);
}

/* --- The repetition --------------------------------------------------------------------------- */

/* From the last checkpoint, before which no check had failed. */
static enum ec_code run_again(struct split *s, struct ec_error *reterr)
{
    struct ec_run_options whole = *s->options;
    const struct ec_checkpoint_options *o = whole.checkpoint;
    struct ec_restart *last = NULL;
    struct ec_net *net;
    if (s->saved && ec_restart_open(o->path, o->program, &last, NULL) == EC_OK)
        whole.restart = last;
    session_phase(s->c->session, "%s %s: repeating the run in one part%s to find the cause",
                  s->c->topology_text, s->c->workload->text,
                  whole.restart ? " from its last checkpoint" : "");
    enum ec_code code = ec_case_net(s->c, &net, reterr);
    if (code == EC_OK)
        code = ec_run(net, s->c->workload, s->c->audit, &whole, &s->report, reterr);
    ec_restart_close(last);
    if (code == EC_OK || code == EC_INTERRUPTED || !whole.restart)
        return code;
    whole.restart = NULL; /* the file could not be read any more */
    code = ec_case_net(s->c, &net, reterr);
    return code == EC_OK ? ec_run(net, s->c->workload, s->c->audit, &whole, &s->report, reterr)
                         : code;
}

static const char *in_one_part(const struct split *s)
{
    return s->world ? "without mpirun and --threads" : "without --threads";
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
                   "it %s",
                   s->c->topology_text, s->c->workload->text, s->how.parts,
                   s->expected == FAILED ? "the run fails" : "words arrive in other cycles",
                   in_one_part(s));
}

/* Nothing else shows that the parts have not finished the run. */
static void tell_alone(const struct split *s)
{
    const struct ec_session_options *o = session_options(s->c->session);
    char line[400];
    snprintf(line, sizeof line,
             "%.100s %.100s: %" PRIu32 " parts did not finish the run, but one part did: run it %s",
             s->c->topology_text, s->c->workload->text, s->how.parts, in_one_part(s));
    if (o->warning)
        o->warning(o->context, line);
}

static enum ec_code repeat(struct split *s, struct ec_error *reterr)
{
    struct ec_case *c = s->c;
    enum ec_code code = run_again(s, reterr);
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
    } else if (s->report->passed && s->expected == ANYHOW) {
        tell_alone(s);
    }
    return code;
}

enum ec_code split_run(struct ec_case *c, const struct ec_case_split *how,
                       const struct ec_run_options *options, struct ec_report **ret,
                       struct ec_error *reterr)
{
    struct split s = {.c = c, .options = options, .how = *how, .world = session_world(c->session)};
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
    else
        ec_report_close(s.report);
    return code;
}
