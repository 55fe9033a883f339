/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of an algorithm by its cycles.
 *
 * Knows how to make, predict and, without a prediction, run a candidate; must not know how
 * algorithms work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/case.h"

/* Cycles, and loops of a credit, that a run needs to detect that nothing more arrives. */
enum { AFTERMATH = 62 };

/* The fastest candidate so far. */
struct choosing {
    struct ec_case *c;
    size_t room; /* for candidates */
    bool ports_given, found;
    struct ec_candidate leader;
    struct ec_schedule *schedule; /* of the leader; NULL: direct; owned, as is: */
    struct ec_workload *played;
};

static enum ec_code note(struct choosing *x, const struct ec_candidate *k, struct ec_error *e)
{
    struct ec_case *c = x->c;
    if (c->candidate_count == x->room) {
        const size_t room = x->room ? 2 * x->room : 16;
        struct ec_candidate *list = realloc(c->candidates, room * sizeof *list);
        if (!list)
            return ec_fail(e, EC_MEMORY, "out of memory");
        c->candidates = list;
        x->room = room;
    }
    c->candidates[c->candidate_count++] = *k;
    return EC_OK;
}

/* Can a candidate that takes `least` cycles or more be the fastest? */
static bool hopeless(const struct choosing *x, uint64_t least)
{
    return x->found && x->leader.basis != EC_BASIS_AT_LEAST && least >= x->leader.cycles;
}

/* A channel carries a word per cycle, and every word crosses at least three channels. */
static uint64_t bound(const struct ec_topology *t, const struct ec_router *r,
                      const struct ec_audit *a)
{
    uint64_t most = 0;
    for (size_t i = 0; i < (size_t)t->nodes * a->links; i++)
        most = a->link_words[i] > most ? a->link_words[i] : most;
    for (size_t i = 0; i < (size_t)t->nodes * a->locals; i++) {
        most = a->inject_words[i] > most ? a->inject_words[i] : most;
        most = a->eject_words[i] > most ? a->eject_words[i] : most;
    }
    return most ? most + r->stages + ec_router_hop(r) : 0;
}

/* Run a candidate on ecube's own router, for at most the cycles of the leader. */
static enum ec_code measure(const struct choosing *x, const struct ec_router *router,
                            const struct ec_workload *w, const struct ec_audit *audit,
                            struct ec_candidate *k, struct ec_error *e)
{
    const struct ec_session_options *o = session_options(x->c->session);
    const struct ec_case_spec *spec = &x->c->spec;
    const struct ec_case_spec hardware = {.own_time = spec->own_time, .no_sleep = spec->no_sleep};
    struct ec_case own = ec_case_on(x->c, &hardware, x->c->side);
    struct ec_report *report;
    struct ec_net *net;
    const bool limited = x->found && x->leader.basis != EC_BASIS_AT_LEAST;
    const uint64_t most = x->leader.cycles + AFTERMATH + ec_router_loop(router);
    const struct ec_run_options options = {.cycles = limited ? most : 0,
                                           .startup = spec->startup,
                                           .seed = spec->seed,
                                           .progress = o->progress,
                                           .progress_context = o->context};
    own.router = *router;
    enum ec_code code = ec_case_net(&own, &net, e);
    if (code == EC_OK && o->begin)
        o->begin(o->context, own.topology.nodes, options.cycles);
    if (code == EC_OK)
        code = ec_run(net, w, audit, &options, &report, e);
    if (code != EC_OK)
        return code;
    if (report->outcome == EC_RUN_FINISHED && report->passed) {
        k->basis = EC_BASIS_MEASURED;
        k->cycles = report->cycles;
    } else if (report->outcome == EC_RUN_LIMIT) {
        k->cycles = x->leader.cycles;
    } else {
        code = report->outcome == EC_RUN_INTERRUPTED
                   ? ec_fail(e, EC_INTERRUPTED, "interrupted")
                   : ec_fail(e, EC_USAGE,
                             "trial run of algorithm '%s' failed: run it alone to see why",
                             k->algorithm);
    }
    ec_report_close(report);
    return code;
}

/* The cycles of messages `w` on `router`. */
static enum ec_code rate(const struct choosing *x, const struct ec_router *router,
                         const struct ec_workload *w, struct ec_candidate *k, struct ec_error *e)
{
    const struct ec_topology *t = &x->c->topology;
    const uint32_t startup = x->c->spec.startup;
    struct ec_audit *audit;
    k->basis = EC_BASIS_PREDICTED;
    if (w->order && ec_predict(t, router, w, NULL, startup, &k->cycles))
        return EC_OK;
    enum ec_code code = ec_audit_open(t, router, w, true, &audit, e);
    if (code != EC_OK)
        return code;
    if (w->order || !ec_predict(t, router, w, audit, startup, &k->cycles)) {
        k->basis = EC_BASIS_AT_LEAST;
        k->cycles = bound(t, router, audit);
        if (x->c->session && !x->c->spec.no_trials && !hopeless(x, k->cycles))
            code = measure(x, router, w, audit, k, e);
    }
    ec_audit_close(audit);
    return code;
}

/* Times come before lower bounds; of equal candidates the first one wins. */
static bool faster(const struct ec_candidate *a, const struct ec_candidate *b)
{
    if ((a->basis == EC_BASIS_AT_LEAST) != (b->basis == EC_BASIS_AT_LEAST))
        return b->basis == EC_BASIS_AT_LEAST;
    return a->cycles < b->cycles;
}

/* Takes ownership of the schedule and its messages (NULL for direct): they become the leader or are
 * closed. */
static enum ec_code compete(struct choosing *x, const struct ec_candidate *k, struct ec_schedule *s,
                            struct ec_workload *played, struct ec_error *e)
{
    const enum ec_code code = note(x, k, e);
    if (code == EC_OK && (!x->found || faster(k, &x->leader))) {
        struct ec_schedule *old = x->schedule;
        struct ec_workload *old_played = x->played;
        x->schedule = s;
        x->played = played;
        x->leader = *k;
        x->found = true;
        s = old;
        played = old_played;
    }
    ec_schedule_close(s);
    ec_workload_close(played);
    return code;
}

static bool wants(void *context, const char *name, bool all_ports, uint32_t least)
{
    const struct choosing *x = context;
    const struct ec_case_spec *spec = &x->c->spec;
    /* A step takes the start-up, the words of an element and two cycles. Without steps the busiest
     * link still carries an element per step. */
    const uint64_t words = x->c->pattern->words;
    uint64_t step = spec->sync == EC_SYNC_STEP ? spec->startup + words + 2 : words;
    if (spec->sync != EC_SYNC_STEP && !all_ports && x->c->router.ports == EC_PORTS_ALL)
        step = 0; /* the links of a node take turns and may overlap */
    if (all_ports && x->ports_given && x->c->router.ports != EC_PORTS_ALL)
        return false;
    if (hopeless(x, least * step))
        return false;
    session_phase(x->c->session, "%s %s: trying algorithm '%s'", x->c->topology_text,
                  x->c->pattern->text, name);
    return true;
}

static enum ec_code take_candidate(void *context, struct ec_schedule *s, struct ec_error *e)
{
    struct choosing *x = context;
    const struct ec_case_spec *spec = &x->c->spec;
    struct ec_workload *played = NULL;
    struct ec_router router = x->c->router;
    struct ec_candidate k = {.ports = s->all_ports ? EC_PORTS_ALL : router.ports};
    snprintf(k.algorithm, sizeof k.algorithm, "%s", s->algorithm);
    router.ports = k.ports;
    enum ec_code code =
        ec_schedule_workload(s, x->c->pattern, spec->sync, spec->local_cost, &played, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&router, spec->packet, played->longest, e);
    if (code == EC_OK)
        code = rate(x, &router, played, &k, e);
    if (code == EC_OK)
        return compete(x, &k, s, played, e);
    ec_schedule_close(s);
    ec_workload_close(played);
    return code;
}

/* Direct traffic comes last: its trial is limited to the cycles of the leader. */
static enum ec_code try_direct(struct choosing *x, enum ec_ports ports, struct ec_error *e)
{
    struct ec_candidate k = {.algorithm = "direct", .ports = ports};
    struct ec_router router = x->c->router;
    router.ports = ports;
    session_phase(x->c->session, "%s %s: trying algorithm 'direct'", x->c->topology_text,
                  x->c->pattern->text);
    enum ec_code code = ec_router_set_packet(&router, x->c->spec.packet, x->c->pattern->longest, e);
    if (code == EC_OK)
        code = rate(x, &router, x->c->pattern, &k, e);
    return code == EC_OK ? compete(x, &k, NULL, NULL, e) : code;
}

static int by_cycles(const void *a, const void *b)
{
    return faster(b, a) - faster(a, b);
}

/* The chosen one first, then the others by their cycles. */
static void sort(struct choosing *x)
{
    struct ec_candidate *list = x->c->candidates;
    size_t at = 0;
    while (strcmp(list[at].algorithm, x->leader.algorithm) != 0 ||
           list[at].ports != x->leader.ports)
        at++;
    memmove(list + 1, list, at * sizeof *list);
    list[0] = x->leader;
    qsort(list + 1, x->c->candidate_count - 1, sizeof *list, by_cycles);
}

enum ec_code best_choose(struct ec_case *c, struct ec_error *reterr)
{
    struct choosing x = {.c = c, .ports_given = spec_has_ports(&c->spec)};
    const struct ec_choice choice = {&x, wants, take_candidate};
    enum ec_code code =
        ec_schedule_choose(&c->topology, c->pattern, c->spec.algorithm, &choice, reterr);
    if (code == EC_OK && !x.ports_given)
        code = try_direct(&x, EC_PORTS_ALL, reterr);
    if (code == EC_OK)
        code = try_direct(&x, c->router.ports, reterr);
    c->schedule = x.schedule;
    c->played = x.played;
    if (code != EC_OK)
        return code;
    sort(&x);
    c->ports_chosen = c->router.ports != x.leader.ports;
    c->router.ports = x.leader.ports;
    return EC_OK;
}
