/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of an algorithm by its cycles.
 *
 * Knows how to make, predict and, without a prediction, run a candidate; must not know how
 * algorithms work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/rng.h"
#include "ecube/route.h"
#include "session/session.h"

enum {
    TRIAL_ROUTER_CYCLES = 1 << 21, /* about a second */
};

/* The fastest candidate so far. */
struct choosing {
    struct ec_case *c;
    size_t room; /* for candidates */
    bool ports_given, found;
    uint64_t element_hops, farthest; /* of the pattern */
    struct ec_candidate leader;
    struct ec_schedule *schedule; /* of the leader; NULL: direct; owned, as is: */
    struct ec_workload *played;
};

static enum ec_code note(struct choosing *x, const struct ec_candidate *k, struct ec_error *e)
{
    struct ec_case *c = x->c;
    return EC_LIST_PUSH(c->candidates, c->candidate_count, x->room, *k)
               ? EC_OK
               : ec_fail(e, EC_MEMORY, "out of memory");
}

/* Are the cycles of the fastest candidate so far known? */
static bool has_leader(const struct choosing *x)
{
    return x->found && x->leader.basis != EC_BASIS_AT_LEAST;
}

/* A candidate that takes `least` cycles or more cannot be the fastest. */
static bool hopeless(const struct choosing *x, uint64_t least)
{
    return has_leader(x) && least >= x->leader.cycles;
}

/* How long a candidate may run; 0: as long as it takes. */
static uint64_t trial_cycles(const struct choosing *x)
{
    const struct ec_case_spec *spec = &x->c->spec;
    const uint64_t second = TRIAL_ROUTER_CYCLES / x->c->topology.nodes;
    if (spec->has_budget && (!has_leader(x) || spec->budget < x->leader.cycles))
        return spec->budget;
    if (!has_leader(x))
        return 0;
    if (!spec->all_candidates)
        return x->leader.cycles;
    if (spec->has_budget)
        return spec->budget;
    return x->leader.cycles > second ? x->leader.cycles : second;
}

/* Is a run of a candidate worth it that takes `least` cycles or more? */
static bool is_tried(const struct choosing *x, uint64_t least)
{
    const struct ec_case_spec *spec = &x->c->spec;
    const uint64_t most = trial_cycles(x);
    if (!x->c->session || spec->no_trials || (spec->has_budget && least > spec->budget))
        return false;
    return spec->all_candidates ? most == 0 || least <= most : !hopeless(x, least);
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

/* A cycle by which the first message has started: time counts from there. */
static uint64_t first_cycle(const struct ec_workload *w)
{
    const struct ec_message_order *o = w->order;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const bool waits =
            o && (o->by_step ? o->step[i] != o->step[0] : o->first[i + 1] > o->first[i]);
        if (m->src != m->dst && !waits)
            return m->cycle + (o && o->delay ? o->delay[i] : 0);
    }
    return 0;
}

/* Run a candidate on ecube's own router. */
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
    const uint64_t most = trial_cycles(x);
    const struct ec_run_options options = {.cycles = most ? first_cycle(w) + most : 0,
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
        k->cycles = most > k->cycles ? most : k->cycles;
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
    bool known = false;
    enum ec_code code =
        w->order ? ec_predict(t, router, w, NULL, startup, &known, &k->cycles, e) : EC_OK;
    if (code != EC_OK || known)
        return code;
    code = ec_audit_open(t, router, w, true, &audit, e);
    if (code != EC_OK)
        return code;
    if (!w->order)
        code = ec_predict(t, router, w, audit, startup, &known, &k->cycles, e);
    if (code == EC_OK && !known) {
        k->basis = EC_BASIS_AT_LEAST;
        k->cycles = bound(t, router, audit);
        if (is_tried(x, k->cycles))
            code = measure(x, router, w, audit, k, e);
    }
    ec_audit_close(audit);
    return code;
}

static bool is_direct(const struct ec_candidate *k)
{
    return strcmp(k->algorithm, "direct") == 0;
}

/* Times come before lower bounds. Of equal candidates the first one wins, but direct traffic with a
 * prediction, which is tried last, is the simplest. */
static bool faster(const struct ec_candidate *a, const struct ec_candidate *b)
{
    const bool direct = is_direct(a) && !is_direct(b) && a->basis == EC_BASIS_PREDICTED;
    if ((a->basis == EC_BASIS_AT_LEAST) != (b->basis == EC_BASIS_AT_LEAST))
        return b->basis == EC_BASIS_AT_LEAST;
    return a->cycles < b->cycles || (direct && a->cycles == b->cycles);
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

/* The elements that the pattern moves, times their distances, and the largest distance. */
static void measure_ways(struct choosing *x)
{
    const struct ec_case *c = x->c;
    for (size_t i = 0; i < c->pattern->message_count; i++) {
        const struct ec_message *m = &c->pattern->messages[i];
        const uint64_t hops = ec_topology_distance(&c->topology, m->src, m->dst);
        x->element_hops += hops;
        x->farthest = hops > x->farthest ? hops : x->farthest;
    }
}

/* Cycles that a schedule takes at least. A step takes the start-up, the words of its longest packet
 * and two cycles. Without steps the busiest link still carries its words. Algorithms with packets
 * of several elements send at most one over a link in a step, and one of a node with one port. */
static uint64_t least_cycles(const struct choosing *x, const struct ec_choice_offer *offer)
{
    const struct ec_case_spec *spec = &x->c->spec;
    const struct ec_topology *t = &x->c->topology;
    const uint64_t words = x->c->pattern->words, fixed = (uint64_t)spec->startup + 2;
    const uint64_t senders = (uint64_t)t->nodes * (offer->all_ports ? ec_topology_links(t) : 1);
    const uint64_t elements = (x->element_hops + senders - 1) / senders;
    uint64_t steps = offer->block ? (elements + offer->block - 1) / offer->block : 0;
    steps = offer->block && x->farthest > steps ? x->farthest : steps;
    if (spec->sync == EC_SYNC_STEP) {
        const uint64_t one_by_one = offer->least * (fixed + words);
        const uint64_t packets = offer->block ? steps * fixed + elements * words : 0;
        return packets > one_by_one ? packets : one_by_one;
    }
    if (!offer->all_ports && x->c->router.ports == EC_PORTS_ALL)
        return 0; /* the links of a node take turns and may overlap */
    return offer->least * words;
}

static bool wants(void *context, const struct ec_choice_offer *offer)
{
    const struct choosing *x = context;
    if (offer->all_ports && x->ports_given && x->c->router.ports != EC_PORTS_ALL)
        return false;
    if (!x->c->spec.all_candidates && hopeless(x, least_cycles(x, offer)))
        return false;
    session_phase(x->c->session, "%s %s: trying algorithm '%s'", x->c->topology_text,
                  x->c->pattern->text, offer->name);
    return true;
}

/* Packets of the longest message, added up over the steps. */
static uint64_t startups_of(const struct ec_workload *played, const struct ec_router *r)
{
    uint64_t sum = 0, most = 0;
    for (size_t i = 0; i < played->message_count; i++) {
        const uint64_t packets = (played->messages[i].words + r->packet - 1) / r->packet;
        if (i > 0 && played->order->step[i] != played->order->step[i - 1]) {
            sum += most;
            most = 0;
        }
        most = packets > most ? packets : most;
    }
    return sum + most;
}

/* The order of the elements in a message does not count. */
static uint64_t digest_of(const struct ec_schedule *s)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        uint64_t elements = 0;
        for (size_t k = 0; k < t->count; k++)
            elements += ec_rng_mix(s->carried[t->first + k].element + UINT64_C(1));
        digest += ec_rng_mix(ec_rng_key(((uint64_t)t->src << 32) | t->dst, t->step) ^ elements);
    }
    return digest;
}

/* EC_INTERNAL: an algorithm is wrong. EC_USAGE: it is for routers with another order. */
static enum ec_code audit_schedule(const struct choosing *x, const struct ec_schedule *s,
                                   struct ec_candidate *k, struct ec_error *e)
{
    struct ec_schedule_audit found;
    const struct ec_case *c = x->c;
    if (!c->spec.all_candidates && !s->routed)
        return EC_OK;
    const enum ec_code code = ec_schedule_audit(&c->topology, &c->router, s, &found, e);
    if (code != EC_OK)
        return code;
    k->memory = found.peak_memory;
    k->digest = digest_of(s);
    if (s->routed && !found.congestion_free)
        return ec_fail(e, EC_USAGE, "algorithm '%s': %s", s->algorithm, found.defect);
    return found.sound && found.placed
               ? EC_OK
               : ec_fail(e, EC_INTERNAL, "algorithm '%s': %s", s->algorithm, found.defect);
}

static enum ec_code take_candidate(void *context, const struct ec_choice_offer *offer,
                                   struct ec_schedule *s, struct ec_error *e)
{
    struct choosing *x = context;
    const struct ec_case_spec *spec = &x->c->spec;
    struct ec_workload *played = NULL;
    struct ec_router router = x->c->router;
    struct ec_candidate k = {.ports = s->all_ports ? EC_PORTS_ALL : router.ports,
                             .block = offer->block,
                             .steps = s->steps,
                             .routed = s->routed};
    snprintf(k.algorithm, sizeof k.algorithm, "%s", s->algorithm);
    router.ports = k.ports;
    enum ec_code code =
        ec_schedule_workload(s, x->c->pattern, spec->sync, spec->local_cost, &played, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&router, spec->packet, played->longest, e);
    if (code == EC_OK)
        code = audit_schedule(x, s, &k, e);
    if (code == EC_OK) {
        k.startups = startups_of(played, &router);
        code = rate(x, &router, played, &k, e);
    }
    if (code == EC_OK)
        return compete(x, &k, s, played, e);
    ec_schedule_close(s);
    ec_workload_close(played);
    return code;
}

/* Packets that the busiest local port sends. */
static enum ec_code find_startups(const struct ec_case *c, const struct ec_router *r,
                                  struct ec_candidate *k, struct ec_error *e)
{
    const struct ec_workload *w = c->pattern;
    const unsigned locals = ec_router_locals(r, &c->topology);
    uint64_t *sent = calloc((size_t)w->nodes * locals, sizeof *sent);
    if (!sent)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const uint32_t link = ec_route_link(&c->topology, r, m->src, m->dst);
        if (link == EC_NONE)
            continue;
        uint64_t *port = &sent[(size_t)m->src * locals + (locals > 1 ? link : 0)];
        *port += (m->words + r->packet - 1) / r->packet;
        k->startups = *port > k->startups ? *port : k->startups;
    }
    free(sent);
    return EC_OK;
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
        code = find_startups(x->c, &router, &k, e);
    if (code == EC_OK)
        code = rate(x, &router, x->c->pattern, &k, e);
    if (code == EC_USAGE && x->found) /* it deadlocks: a schedule need not */
        return EC_OK;
    return code == EC_OK ? compete(x, &k, NULL, NULL, e) : code;
}

static enum ec_code try_algorithms(struct choosing *x, struct ec_error *e)
{
    struct ec_case *c = x->c;
    const struct ec_choice choice = {x, wants, take_candidate};
    measure_ways(x);
    enum ec_code code = ec_schedule_choose(&c->topology, c->pattern, c->spec.algorithm, &choice, e);
    if (code == EC_OK)
        code = try_direct(x, c->router.ports, e);
    if (code == EC_OK && !x->ports_given)
        code = try_direct(x, EC_PORTS_ALL, e);
    return code;
}

/* A collective operation in one way; EC_USAGE if it cannot be carried out so. */
static enum ec_code try_way(struct choosing *x, const char *keys, enum ec_ports ports,
                            struct ec_error *e)
{
    const struct ec_case *c = x->c;
    struct ec_candidate k = {.ports = ports, .keyed = true};
    struct ec_router router = c->router;
    struct ec_workload *played = NULL;
    char text[300];
    router.ports = ports;
    snprintf(k.algorithm, sizeof k.algorithm, "%s", keys);
    snprintf(text, sizeof text, "%s,%s", c->spec.workload, keys);
    session_phase(x->c->session, "%s: trying %s", c->topology_text, text);
    enum ec_code code = ec_workload_open(text, &c->topology, c->spec.seed, &played, e);
    if (code == EC_OK && c->spec.combine)
        code = ec_workload_combine(played, c->spec.combine, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&router, c->spec.packet, played->longest, e);
    if (code == EC_OK) {
        k.steps = played->order->step[played->message_count - 1];
        k.startups = startups_of(played, &router);
        code = rate(x, &router, played, &k, e);
    }
    if (code == EC_OK)
        return compete(x, &k, NULL, played, e);
    ec_workload_close(played);
    return code;
}

static enum ec_code try_ways(struct choosing *x, struct ec_error *e)
{
    const struct ec_case *c = x->c;
    enum ec_code code = EC_OK;
    const char *keys;
    bool all = false;
    for (size_t i = 0; (keys = ec_workload_way(c->spec.workload, i, &all)) != NULL; i++) {
        for (enum ec_ports ports = EC_PORTS_ONE; ports <= EC_PORTS_ALL; ports++) {
            if ((all && ports == EC_PORTS_ONE) || (x->ports_given && ports != c->router.ports))
                continue;
            code = try_way(x, keys, ports, e);
            if (code != EC_OK && code != EC_USAGE)
                return code;
        }
    }
    if (x->found)
        return EC_OK;
    const struct ec_error last = *e;
    return ec_fail(e, EC_USAGE, "%.800s (by= and ways= are chosen here: leave them out)",
                   last.message);
}

/* By cycles, equals in the order in which they were tried: the first one is the chosen one. */
static void sort(struct choosing *x)
{
    struct ec_candidate *list = x->c->candidates;
    for (size_t i = 1; i < x->c->candidate_count; i++) {
        const struct ec_candidate k = list[i];
        size_t at = i;
        for (; at > 0 && faster(&k, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = k;
    }
}

enum ec_code best_choose(struct ec_case *c, struct ec_error *reterr)
{
    struct choosing x = {.c = c, .ports_given = spec_has_ports(&c->spec)};
    if (c->pattern->open_loop && c->spec.all_candidates)
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: expected a workload without rate=, since a plan counts the "
                       "cycles that known messages take",
                       c->pattern->name);
    enum ec_code code = c->pattern->vector ? try_ways(&x, reterr) : try_algorithms(&x, reterr);
    c->schedule = x.schedule;
    c->played = x.played;
    if (code != EC_OK)
        return code;
    sort(&x);
    c->ports_chosen = c->router.ports != x.leader.ports;
    c->router.ports = x.leader.ports;
    return EC_OK;
}
