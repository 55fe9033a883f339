/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of an algorithm by its cycles.
 *
 * Knows how a candidate is made, predicted and, without a prediction, run; not how any algorithm
 * works. */
#include "program/case/best.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/run.h"
#include "program/case/pool.h"

enum { OTHERS_SHOWN = 5, AFTERMATH = 64 /* cycles in which a run sees that nothing more comes */ };

/* What is fastest so far, and the case it is for. */
struct choosing {
    struct cli_case *c;
    struct cli_best *best;
    bool ports_given, found;
    struct cli_candidate leader;
    struct ec_schedule *schedule; /* of the leader; NULL: direct; owned, as is: */
    struct ec_workload *played;
};

static enum ec_code note(struct choosing *x, const struct cli_candidate *k, struct ec_error *e)
{
    struct cli_best *b = x->best;
    if (b->count == b->room) {
        const size_t room = b->room ? 2 * b->room : 16;
        struct cli_candidate *list = realloc(b->list, room * sizeof *list);
        if (!list)
            return ec_fail(e, EC_MEMORY, "out of memory");
        b->list = list;
        b->room = room;
    }
    b->list[b->count++] = *k;
    return EC_OK;
}

/* Can a candidate that takes `least` cycles or more be the fastest? */
static bool hopeless(const struct choosing *x, uint64_t least)
{
    return x->found && x->leader.basis != CLI_AT_LEAST && least >= x->leader.cycles;
}

/* A channel carries a word a cycle, and each word is on three channels or more. */
static enum ec_code bound(const struct ec_topology *t, const struct ec_audit *a, uint64_t *ret)
{
    uint64_t most = 0;
    for (size_t i = 0; i < (size_t)t->nodes * a->links; i++)
        most = a->link_words[i] > most ? a->link_words[i] : most;
    for (size_t i = 0; i < (size_t)t->nodes * a->locals; i++) {
        most = a->inject_words[i] > most ? a->inject_words[i] : most;
        most = a->eject_words[i] > most ? a->eject_words[i] : most;
    }
    *ret = most ? most + 2 : 0;
    return EC_OK;
}

/* Run it on ecube's own routers, no longer than the leader takes. */
static enum ec_code measure(const struct choosing *x, const struct ec_router *router,
                            const struct ec_workload *w, const struct ec_audit *audit,
                            struct cli_candidate *k, struct ec_error *e)
{
    struct cli_job job = *x->c->job;
    struct cli_case own = *x->c;
    struct ec_report *report;
    struct ec_net *net;
    struct ec_shape *shape;
    const bool limited = x->found && x->leader.basis != CLI_AT_LEAST;
    const struct ec_run_options options = {.cycles = limited ? x->leader.cycles + AFTERMATH : 0,
                                           .startup = job.spec.startup,
                                           .seed = job.spec.seed,
                                           .progress = cli_progress_run,
                                           .progress_context = x->c->progress};
    job.spec.rtl = job.spec.top = NULL;
    job.spec.backend = EC_BACKEND_TILES;
    job.spec.random_init = 0;
    job.spec.shuffle = 0;
    own.job = &job;
    own.router = *router;
    enum ec_code code = cli_pool_net(x->c->pool, &own, &net, &shape, e);
    cli_progress_begin(x->c->progress, own.topology.nodes, options.cycles);
    if (code == EC_OK)
        code = ec_run(net, w, audit, &options, &report, e);
    if (code != EC_OK)
        return code;
    if (report->outcome == EC_RUN_FINISHED && report->passed) {
        k->basis = CLI_MEASURED;
        k->cycles = report->cycles;
    } else if (report->outcome == EC_RUN_LIMIT) {
        k->cycles = x->leader.cycles;
    } else {
        code = report->outcome == EC_RUN_INTERRUPTED
                   ? ec_fail(e, EC_INTERRUPTED, "interrupted")
                   : ec_fail(e, EC_USAGE, "algorithm '%s' fails when it is run", k->algorithm);
    }
    ec_report_close(report);
    return code;
}

/* The cycles of messages `w` on `router`. */
static enum ec_code rate(const struct choosing *x, const struct ec_router *router,
                         const struct ec_workload *w, struct cli_candidate *k, struct ec_error *e)
{
    const struct ec_topology *t = &x->c->topology;
    const uint32_t startup = x->c->job->spec.startup;
    struct ec_audit *audit;
    k->basis = CLI_PREDICTED;
    if (w->order && ec_predict(t, router, w, NULL, startup, &k->cycles))
        return EC_OK;
    enum ec_code code = ec_audit_open(t, router, w, true, &audit, e);
    if (code != EC_OK)
        return code;
    if (w->order || !ec_predict(t, router, w, audit, startup, &k->cycles)) {
        k->basis = CLI_AT_LEAST;
        code = bound(t, audit, &k->cycles);
        if (code == EC_OK && x->c->pool && !hopeless(x, k->cycles))
            code = measure(x, router, w, audit, k, e);
    }
    ec_audit_close(audit);
    return code;
}

/* Numbers that stand for a time before those that do not; the first of equals. */
static bool faster(const struct cli_candidate *a, const struct cli_candidate *b)
{
    if ((a->basis == CLI_AT_LEAST) != (b->basis == CLI_AT_LEAST))
        return b->basis == CLI_AT_LEAST;
    return a->cycles < b->cycles;
}

/* A schedule and its messages, or NULL and NULL: these are the leader's from now on, or closed. */
static enum ec_code compete(struct choosing *x, const struct cli_candidate *k,
                            struct ec_schedule *s, struct ec_workload *played, struct ec_error *e)
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
    const struct cli_job *job = x->c->job;
    /* A step takes its start-up, the words of an element and two cycles; without steps the busiest
     * link still carries an element for each. */
    const uint64_t words = x->c->workload->words;
    uint64_t step = job->spec.sync == EC_SYNC_STEP ? job->spec.startup + words + 2 : words;
    if (job->spec.sync != EC_SYNC_STEP && !all_ports && x->c->router.ports == EC_PORTS_ALL)
        step = 0; /* the links of a node take turns, and may overlap */
    if (all_ports && x->ports_given && x->c->router.ports != EC_PORTS_ALL)
        return false;
    if (hopeless(x, least * step))
        return false;
    cli_progress_say(x->c->progress, "%s %s: trying algorithm '%s'", x->c->topology_text,
                     x->c->workload->text, name);
    return true;
}

static enum ec_code take(void *context, struct ec_schedule *s, struct ec_error *e)
{
    struct choosing *x = context;
    const struct cli_job *job = x->c->job;
    struct ec_workload *played = NULL;
    struct ec_router router = x->c->router;
    struct cli_candidate k = {.ports = s->all_ports ? EC_PORTS_ALL : router.ports};
    snprintf(k.algorithm, sizeof k.algorithm, "%s", s->algorithm);
    router.ports = k.ports;
    enum ec_code code =
        ec_schedule_workload(s, x->c->workload, job->spec.sync, job->spec.local_cost, &played, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&router, job->spec.packet, played->longest, e);
    if (code == EC_OK)
        code = rate(x, &router, played, &k, e);
    if (code == EC_OK)
        return compete(x, &k, s, played, e);
    ec_schedule_close(s);
    ec_workload_close(played);
    return code;
}

/* Direct traffic, last: it is run no longer than the leader takes. */
static enum ec_code try_direct(struct choosing *x, enum ec_ports ports, struct ec_error *e)
{
    struct cli_candidate k = {.algorithm = "direct", .ports = ports};
    struct ec_router router = x->c->router;
    router.ports = ports;
    cli_progress_say(x->c->progress, "%s %s: trying algorithm 'direct'", x->c->topology_text,
                     x->c->workload->text);
    enum ec_code code =
        ec_router_set_packet(&router, x->c->job->spec.packet, x->c->workload->longest, e);
    if (code == EC_OK)
        code = rate(x, &router, x->c->workload, &k, e);
    return code == EC_OK ? compete(x, &k, NULL, NULL, e) : code;
}

static int by_cycles(const void *a, const void *b)
{
    return faster(b, a) - faster(a, b);
}

/* The chosen one first, then the others by their cycles. */
static void sort(struct choosing *x)
{
    struct cli_candidate *list = x->best->list;
    size_t at = 0;
    while (strcmp(list[at].algorithm, x->leader.algorithm) != 0 ||
           list[at].ports != x->leader.ports)
        at++;
    memmove(list + 1, list, at * sizeof *list);
    list[0] = x->leader;
    qsort(list + 1, x->best->count - 1, sizeof *list, by_cycles);
}

enum ec_code cli_best_choose(struct cli_case *c, struct ec_schedule **ret_schedule,
                             struct ec_workload **ret_played, struct ec_error *reterr)
{
    struct choosing x = {.c = c, .ports_given = ec_case_spec_has_ports(&c->job->spec)};
    const struct ec_choice choice = {&x, wants, take};
    x.best = c->best = calloc(1, sizeof *c->best);
    if (!c->best)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    enum ec_code code =
        ec_schedule_choose(&c->topology, c->workload, c->job->spec.algorithm, &choice, reterr);
    if (code == EC_OK && !x.ports_given)
        code = try_direct(&x, EC_PORTS_ALL, reterr);
    if (code == EC_OK)
        code = try_direct(&x, c->router.ports, reterr);
    if (code != EC_OK) {
        ec_schedule_close(x.schedule);
        ec_workload_close(x.played);
        return code;
    }
    sort(&x);
    c->ports_chosen = c->router.ports != x.leader.ports;
    c->router.ports = x.leader.ports;
    *ret_schedule = x.schedule;
    *ret_played = x.played;
    return EC_OK;
}

void cli_best_close(struct cli_best *b)
{
    if (b)
        free(b->list);
    free(b);
}

static const char *const ports[] = {[EC_PORTS_ONE] = "one", [EC_PORTS_ALL] = "all"};

static void put_candidate(const char *label, const struct cli_candidate *k, FILE *out)
{
    fprintf(out, "  %-10s  %s, ports=%s: %s%" PRIu64 " cycles %s\n", label, k->algorithm,
            ports[k->ports], k->basis == CLI_AT_LEAST ? "at least " : "", k->cycles,
            k->basis == CLI_PREDICTED  ? "predicted"
            : k->basis == CLI_MEASURED ? "measured"
                                       : "(no prediction; `ecube run' measures it)");
}

/* Without a prediction, and perhaps faster than the one chosen. */
static bool is_open(const struct cli_best *b, size_t i)
{
    return b->list[i].basis == CLI_AT_LEAST && b->list[i].cycles < b->list[0].cycles;
}

void cli_best_text(const struct cli_best *b, FILE *out)
{
    size_t shown = 0, slower = 0;
    put_candidate("best", &b->list[0], out);
    for (size_t i = 1; i < b->count; i++) {
        if (is_open(b, i))
            continue;
        if (b->list[i].basis == CLI_AT_LEAST || shown == OTHERS_SHOWN)
            slower++;
        else
            put_candidate(shown++ ? "" : "runners-up", &b->list[i], out);
    }
    if (slower)
        fprintf(out, "              and %zu that %s not faster\n", slower,
                slower == 1 ? "is" : "are");
    for (size_t i = 1; i < b->count; i++) {
        if (is_open(b, i))
            put_candidate("unknown", &b->list[i], out);
    }
}
