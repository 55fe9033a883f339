/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a failed run: finds the reason by an exact replay from cycle 0 (see diagnosis.c), and
 * makes a wave by two more replays. */
#include "diagnose/failure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/text.h"
#include "contract/rules.h"
#include "diagnose/diagnosis.h"
#include "network/names.h"
#include "observe/waves.h"
#include "run/checks.h"

/* --- The reason ----------------------------------------------------------------------------- */

/* If no credit comes back for so many cycles, none is on its way: when nothing moves, or while
 * other packets move. */
enum { PATIENCE_STILL = 32, PATIENCE_MOVING = RULES_CREDIT_DELAY };

/* Does a node hold back words because it has no room for a request, and what do its replies wait
 * for? */
static bool ask_node(const void *play, uint32_t node, unsigned local, unsigned vc,
                     struct waiting_refusal *ret)
{
    const struct play *p = play;
    const unsigned locals = p->senders.locals;
    if (!receivers_refuse(&p->receivers, node * locals + local, vc))
        return false;
    *ret = (struct waiting_refusal){.held = service_held(p->service, node)};
    for (unsigned k = 0; k < locals; k++)
        ret->replies[k] = (uint8_t)senders_reply_waits(&p->senders, node * locals + k);
    return true;
}

/* Replay with a diagnosis. A replay to the cycle reached restores the state of the play, unless the
 * user interrupts it. NULL: no diagnosis. */
static struct diagnosis *replay_diagnosed(struct play *p, uint64_t until)
{
    struct diagnosis *d = diagnosis_open(p->net);
    if (!d || !p->net->ops->watch) {
        diagnosis_close(d);
        return NULL;
    }
    if (p->service)
        diagnosis_ask_nodes(d, ask_node, p);
    uint32_t src, dst;
    uint64_t sent;
    if (p->net->router->routing == EC_ROUTING_ANY &&
        scoreboard_oldest(&p->board, &src, &dst, &sent))
        diagnosis_follow(d, scoreboard_oldest_word(&p->board), sent);
    p->stepped = diagnosis_nodes;
    p->stepped_context = d;
    const bool whole = play_again(p, diagnosis_watch(d), until);
    p->stepped = NULL;
    if (whole && !diagnosis_memory_short(d))
        return d;
    diagnosis_close(d);
    return NULL;
}

__attribute__((format(printf, 2, 3))) static void fail_progress(struct ec_report *report,
                                                                const char *format, ...)
{
    struct ec_check *c = &report->checks[EC_CHECK_PROGRESS];
    c->verdict = EC_VERDICT_FAIL;
    va_list args;
    va_start(args, format);
    vsnprintf(c->detail, sizeof c->detail, format, args);
    va_end(args);
}

/* "cycle 12, router 5 (101): ..." where a wave shows the cycle. */
static const char *without_cycle(const char *what)
{
    const char *comma = strncmp(what, "cycle ", strlen("cycle ")) == 0 ? strstr(what, ", ") : NULL;
    return comma ? comma + strlen(", ") : what;
}

/* The place to look at is the first router that broke the contract. */
static void take_cause(struct diagnosis *d, struct failure_place *place)
{
    uint64_t cycle;
    uint32_t node;
    if (!diagnosis_place(d, &cycle, &node, &place->port))
        return;
    snprintf(place->cause, sizeof place->cause, "%s", diagnosis_cause(d));
    place->nodes.count = 0;
    place->has_port = true;
    if (ec_node_set_add(&place->nodes, node))
        place->cycle = cycle;
    snprintf(place->what, sizeof place->what, "%s", without_cycle(diagnosis_cause(d)));
}

/* Routers and wires are in order, but a node does not accept its words; or all words have arrived,
 * no router keeps a credit, and a node does not send. */
static void blame_node(const struct play *p, struct ec_report *report, struct failure_place *place)
{
    const struct ec_topology *t = p->net->topology;
    const unsigned locals = p->senders.locals;
    struct ec_check *c = &report->checks[EC_CHECK_PROGRESS];
    char node[128], port[EC_NAME_SIZE];
    uint32_t at;
    unsigned vc;
    const bool holds = receivers_holding(&p->receivers, &at);
    if (!holds && !senders_waiting(&p->senders, p->cycle, &at, &vc))
        return;
    ec_topology_node_name(t, at / locals, node, sizeof node);
    ec_port_name(t, locals, ec_topology_links(t) + at % locals, port, sizeof port);
    if (holds)
        ec_append(c->detail, sizeof c->detail, ": node %s, port %s holds back words for ever", node,
                  port);
    else
        ec_append(c->detail, sizeof c->detail,
                  ", and the network is empty: node %s, port %s, VC %u has a message, but does not "
                  "send it (the node lost a credit, or was forgotten)",
                  node, port, vc);
    if (ec_node_set_add(&place->nodes, ec_topology_router(t, at / locals)))
        place->cycle = p->last_move;
}

/* A deadlock keeps its place, the circle; the router that caused it is shown, too. */
static void take_cause_of_deadlock(struct diagnosis *d, struct failure_place *place)
{
    uint32_t node;
    unsigned port;
    if (diagnosis_place(d, &place->begin, &node, &port) && ec_node_set_add(&place->nodes, node))
        snprintf(place->what, sizeof place->what, "%s", diagnosis_cause(d));
}

/* No router holds a word: a packet was lost outside the routers, and only its sender is known. */
static void blame_sender(const struct play *p, struct ec_report *report,
                         struct failure_place *place)
{
    const struct ec_topology *t = p->net->topology;
    uint32_t src, dst;
    uint64_t cycle;
    char router[128];
    if (!scoreboard_oldest(&p->board, &src, &dst, &cycle))
        return;
    ec_topology_node_name(t, ec_topology_router(t, src), router, sizeof router);
    struct ec_check *c = &report->checks[EC_CHECK_PROGRESS];
    ec_append(
        c->detail, sizeof c->detail,
        ", and no router holds a word: the packet for node %u sent in cycle %llu at router %s was "
        "lost between a node and its router",
        dst, (unsigned long long)cycle, router);
    if (ec_node_set_add(&place->nodes, ec_topology_router(t, src)))
        place->cycle = cycle;
}

/* A buffer that waits for an output to its node, and is in a cycle, waits for the node's replies.
 */
static bool passes_nodes(const struct play *p, const struct ec_report *report)
{
    for (size_t i = 0; p->service && i < report->waiting_count; i++) {
        if (report->waiting_at[i].wants >= ec_topology_links(p->net->topology))
            return true;
    }
    return false;
}

/* Nothing moves, or a packet is old. True: the buffers wait for each other; the report says so. */
static bool find_deadlock(const struct play *p, struct diagnosis *d, const char *cause,
                          struct ec_report *report, char **ret_culprit, bool *ret_memory_short,
                          struct failure_place *place)
{
    if (cause && !diagnosis_conserves(d))
        return false; /* what the buffers hold is not known, or is only a consequence */
    struct waiting_found waits;
    const bool found = diagnosis_waiting(d, &waits, &place->nodes);
    *ret_culprit = waits.culprit;
    *ret_memory_short = waits.memory_short;
    report->waiting = waits.lines;
    report->waiting_at = waits.inputs;
    report->waiting_count = waits.count;
    report->knot = waits.knot;
    if (!found)
        return false;
    report->outcome = EC_RUN_DEADLOCK;
    report->protocol = passes_nodes(p, report) && !cause;
    fail_progress(report, "%sdeadlock by cycle %llu: %zu buffers wait for each other%s%s%s%s",
                  report->protocol ? "protocol " : "", (unsigned long long)p->cycle,
                  report->waiting_count, waits.memory_short ? ", and more than fit the memory" : "",
                  report->protocol && p->w->service.shared
                      ? ", since requests keep replies from leaving the nodes: set classes=2 in "
                        "the workload, or queue=inf"
                      : "",
                  cause ? "; cause: " : "", cause ? cause : "");
    return true;
}

/* Where a packet may take any link: is the oldest one beyond the hops that the contract allows? */
static bool wanders(const struct play *p, const struct diagnosis *d, struct ec_report *report)
{
    const uint64_t most = (uint64_t)RULES_HOPS_MOST * ec_topology_diameter(p->net->topology);
    uint32_t src, dst;
    uint64_t sent;
    if (p->net->router->routing != EC_ROUTING_ANY || !d || diagnosis_hops(d) <= most ||
        !scoreboard_oldest(&p->board, &src, &dst, &sent))
        return false;
    fail_progress(report,
                  "livelock: the packet that node %" PRIu32 " sent in cycle %" PRIu64
                  " for node %" PRIu32 " has taken %" PRIu64 " links, expected at most %" PRIu64
                  " (contract, section 12.2)",
                  src, sent, dst, diagnosis_hops(d), most);
    return true;
}

bool explain_stand_still(struct play *p, enum play_state *state, struct ec_report *report,
                         struct failure_place *place)
{
    struct diagnosis *d = replay_diagnosed(p, p->cycle);
    char *culprit = NULL;
    bool over = true, wandering = false,
         memory_short = d ? diagnosis_memory_short(d) : p->net->ops->watch != NULL;
    if (p->interrupted) {
        *state = PLAY_INTERRUPTED;
        report->outcome = EC_RUN_INTERRUPTED;
        diagnosis_close(d);
        return true;
    }
    if (d)
        diagnosis_still(d, p->cycle, *state == PLAY_STUCK ? PATIENCE_STILL : PATIENCE_MOVING);
    const char *cause = d ? diagnosis_cause(d) : NULL;
    if (d && find_deadlock(p, d, cause, report, &culprit, &memory_short, place)) {
        /* the report has it */
    } else if (!cause && wanders(p, d, report)) {
        report->outcome = EC_RUN_BROKEN;
        wandering = true;
    } else if (*state == PLAY_OLD && !cause) {
        p->age_bound *= 2; /* old but moving: check again at twice the age */
        *state = PLAY_ON;
        over = false;
    } else {
        report->outcome = EC_RUN_BROKEN;
        if (cause && *state == PLAY_OLD)
            fail_progress(
                report, "livelock: a packet keeps moving but is never delivered; cause: %s", cause);
        else if (cause)
            fail_progress(report, "after cycle %llu nothing moves; cause: %s",
                          (unsigned long long)p->last_move + 1, cause);
        else
            fail_progress(report, "after cycle %llu nothing moves%s%s",
                          (unsigned long long)p->last_move + 1, culprit ? ": " : "",
                          culprit        ? culprit
                          : memory_short ? "; out of memory for the reason"
                                         : "");
    }
    place->cycle = p->last_move;
    if (report->outcome == EC_RUN_BROKEN && d && !cause && !culprit && !memory_short &&
        !wandering) {
        if (p->net->in_flight && !p->receivers.held_words)
            blame_sender(p, report, place);
        else
            blame_node(p, report, place);
    }
    if (d && report->outcome != EC_RUN_DEADLOCK)
        take_cause(d, place);
    else if (d && cause)
        take_cause_of_deadlock(d, place);
    if (!over)
        place->nodes.count = 0;
    free(culprit);
    diagnosis_close(d);
    return over;
}

/* All words arrived as sent, but at the wrong place: the schedule is wrong, and neither a diagnosis
 * of routers nor a wave would show it. */
static bool blames_schedule(const struct play *p, const struct ec_report *report)
{
    return checks_failed(report, EC_CHECK_DELIVERY) == EC_CHECK_COUNT && p->options.schedule &&
           report->outcome == EC_RUN_FINISHED && !p->board.failed &&
           report->messages == p->w->message_count;
}

/* The failed check that gets the cause. Messages of the RTL explain themselves. */
static struct ec_check *check_to_explain(struct ec_report *report)
{
    const unsigned id = checks_failed(report, EC_CHECK_RTL);
    return id < EC_CHECK_COUNT ? &report->checks[id] : NULL;
}

/* An overloaded network is not a defect. But ecube's own router may be slow because it breaks a
 * rule, for example if it forgets credits, and no other check would notice that. */
static bool looks_slow(const struct play *p, const struct ec_report *report)
{
    const enum ec_verdict v = report->checks[EC_CHECK_STABILITY].verdict;
    return !p->net->foreign &&
           (v == EC_VERDICT_FAIL || (v == EC_VERDICT_OPEN && report->window_missing > 0));
}

/* The cause is the detail of the first check that failed. If all passed, it makes one fail. */
static void report_cause(struct ec_check *failed, const char *cause)
{
    char noticed[200] = ""; /* where the check saw it: often a victim */
    if (failed->verdict == EC_VERDICT_FAIL && strstr(failed->detail, cause))
        return;
    if (failed->verdict == EC_VERDICT_FAIL)
        snprintf(noticed, sizeof noticed, "%.199s", failed->detail);
    failed->verdict = EC_VERDICT_FAIL;
    snprintf(failed->detail, sizeof failed->detail, "%s%s%s%s", noticed[0] ? "cause: " : "", cause,
             noticed[0] ? "; noticed: " : "", noticed);
}

/* The rules for ecube's own router say what it shows in every cycle, so the error is elsewhere. */
static void excuse_routers(struct ec_check *failed)
{
    ec_append(failed->detail, sizeof failed->detail,
              "; no router and no wire broke the contract: the error is in the nodes, ledgers, "
              "counters or predictions of ecube");
}

/* Replay the run and find the first breach. */
static void find_cause(struct play *p, struct ec_report *report, struct ec_check *failed,
                       struct failure_place *place)
{
    /* As long as a link takes: words sent in the last cycle arrive then, or do not. */
    struct diagnosis *d = replay_diagnosed(p, p->cycle + p->net->router->link);
    if (d && report->outcome == EC_RUN_FINISHED)
        diagnosis_drained(d, p->cycle);
    if (d)
        take_cause(d, place);
    if (place->cause[0] && !failed)
        failed = &report->checks[diagnosis_about_credits(d) ? EC_CHECK_LEDGER : EC_CHECK_PROGRESS];
    if (place->cause[0])
        report_cause(failed, place->cause);
    else if (d && failed && !p->net->foreign &&
             report->checks[EC_CHECK_PROGRESS].verdict != EC_VERDICT_FAIL)
        excuse_routers(failed);
    if (p->interrupted)
        report->outcome = EC_RUN_INTERRUPTED;
    diagnosis_close(d);
}

void explain(struct play *p, struct ec_report *report, struct failure_place *place)
{
    struct ec_check *failed = check_to_explain(report);
    if (failed == &report->checks[EC_CHECK_STABILITY])
        failed = NULL;
    if (report->outcome == EC_RUN_DEADLOCK || report->outcome == EC_RUN_INTERRUPTED ||
        blames_schedule(p, report) || (!failed && !looks_slow(p, report)))
        return;
    if (place->cause[0])
        report_cause(failed, place->cause); /* known since nothing moved */
    else
        find_cause(p, report, failed, place);
}

bool explain_applies(const struct play *p, const struct ec_report *report)
{
    return checks_failed(report, EC_CHECK_STABILITY) < EC_CHECK_COUNT || looks_slow(p, report);
}

bool explain_by_wave(const struct play *p, const struct ec_report *report)
{
    return checks_failed(report, EC_CHECK_STABILITY) < EC_CHECK_COUNT &&
           report->outcome != EC_RUN_INTERRUPTED && !blames_schedule(p, report) &&
           !(p->net->rtl && p->net->rtl->broken);
}

/* --- Replays for a wave --------------------------------------------------------------------- */

/* In the first replay every router has a traced twin, so that the checks inside the RTL can fail.
 * The second one dumps the routers concerned around the cycle concerned. */

enum {
    CYCLES_BEFORE = 64, /* in a dump, before and after the cycles of the failure */
    CYCLES_AFTER = 32,
    CYCLES_UP_TO = 4000, /* from a cause to its last consequence */
    WHOLE_UP_TO = 16,    /* nodes: small networks are dumped as a whole if no place is known */
    WHOLE_CYCLES = 1000, /* then this many cycles of them */
    TWINS_UP_TO = 4096,  /* nodes: in larger networks only the routers concerned have twins */
};

struct checked {
    struct twins twins;
    struct story *story; /* of the routers concerned; NULL: none are known */
};

static void check_router(void *context, const struct ec_net_seen *seen)
{
    struct checked *c = context;
    twins_see(&c->twins, seen);
    if (c->story)
        story_see(c->story, seen);
}

static void check_cycle(void *context, uint64_t cycle)
{
    struct checked *c = context;
    twins_step(&c->twins, cycle);
    if (c->story)
        story_cycle(c->story, cycle);
}

static void reset_checks(void *context)
{
    struct checked *c = context;
    twins_reset(&c->twins);
    if (c->story)
        story_reset(c->story);
}

/* The checks that failed, as lines of the report. The first one may be the place to look at. False:
 * out of memory. */
static bool take_checks(const struct play *p, const struct twins *twins, struct ec_failure *f,
                        struct failure_place *place)
{
    if (twins->failure_count == 0)
        return true;
    f->checks = calloc(twins->failure_count, sizeof *f->checks);
    for (size_t i = 0; f->checks && i < twins->failure_count; i++) {
        const struct twin_failure *t = &twins->failures[i];
        char router[128], line[512];
        ec_topology_node_name(p->net->topology, t->node, router, sizeof router);
        snprintf(line, sizeof line, "cycle %" PRIu64 ", router %s%s%s: %s", t->cycle, router,
                 t->place[0] ? ", " : "", t->place, t->what);
        f->checks[f->check_count] = strdup(line);
        f->check_count += f->checks[f->check_count] != NULL;
    }
    const struct twin_failure *first = &twins->failures[0];
    if (place->nodes.count == 0 || first->cycle < place->cycle)
        place->cycle = first->cycle;
    return ec_node_set_add(&place->nodes, first->node) && f->check_count == twins->failure_count;
}

/* A deadlock begins with the first of its buffers that stops, and is complete when the last one
 * does. */
static void take_deadlock(const struct story *story, unsigned vcs, const struct ec_report *report,
                          struct failure_place *place)
{
    for (size_t i = 0; i < report->waiting_count; i++) {
        const struct ec_waiting_input *at = &report->waiting_at[i];
        const uint64_t since =
            story_since(story, (struct story_input){at->node, at->port * vcs + at->vc});
        if (!place->begin || since < place->begin)
            place->begin = since;
        if (i == 0 || since > place->cycle)
            place->cycle = since;
    }
    char cause[sizeof place->what - 80];
    snprintf(cause, sizeof cause, "%.*s", (int)sizeof cause - 1, place->what);
    snprintf(place->what, sizeof place->what, "DEADLOCK: %zu buffers wait for each other%s%s",
             report->waiting_count, cause[0] ? "; cause: " : "", cause);
}

static enum ec_code open_checked(struct checked *c, const struct play *p,
                                 const struct ec_shape *shape, const struct ec_node_set *known,
                                 struct ec_error *reterr)
{
    const struct ec_topology *t = p->net->topology;
    struct ec_node_set all = {0};
    enum ec_code code = EC_OK;
    if (t->routers <= TWINS_UP_TO)
        code = ec_select_nodes("all", t, p->net->router, &all, reterr);
    if (code == EC_OK)
        code = twins_open(&c->twins, t, p->net->router, shape, all.count ? &all : known,
                          p->net->pulse, reterr);
    ec_node_set_free(&all);
    if (code != EC_OK || known->count == 0)
        return code;
    c->story = story_open(t, p->net->router, p->net->foreign, known);
    return c->story ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for the replay");
}

/* Replay with the checks inside the RTL. */
static enum ec_code replay_checked(struct play *p, const struct ec_shape *shape,
                                   struct failure_place *place, struct ec_report *report,
                                   struct ec_error *reterr)
{
    struct checked c = {0};
    if (p->net->topology->routers > TWINS_UP_TO && place->nodes.count == 0)
        return EC_OK;
    enum ec_code code = open_checked(&c, p, shape, &place->nodes, reterr);
    if (code == EC_OK) {
        const struct ec_net_watch watch = {.router = check_router,
                                           .cycle = check_cycle,
                                           .reset = reset_checks,
                                           .nodes = c.twins.selected,
                                           .context = &c};
        const bool whole = play_again(p, &watch, p->cycle);
        bool lost = c.story && story_memory_short(c.story);
        if (whole && !lost && report->outcome == EC_RUN_DEADLOCK && c.story)
            take_deadlock(c.story, p->net->router->vcs, report, place);
        lost |= !take_checks(p, &c.twins, &report->failure, place);
        code = !whole ? ec_fail(reterr, EC_INTERRUPTED, "interrupted")
               : lost ? ec_fail(reterr, EC_MEMORY, "out of memory for the replay")
                      : EC_OK;
    }
    story_close(c.story);
    twins_close(&c.twins);
    return code;
}

struct ec_cycle_range failure_cycles(const struct ec_router *r, uint64_t cycle, uint64_t last)
{
    const uint64_t to = last > cycle && last - cycle <= CYCLES_UP_TO ? last : cycle;
    const uint64_t more = ec_router_loop(r) - EC_ROUTER_LOOP_LEAST, before = CYCLES_BEFORE + more;
    return (struct ec_cycle_range){cycle > before ? cycle - before : 1, to + CYCLES_AFTER + more};
}

bool failure_peer(const struct ec_topology *t, uint32_t node, unsigned port,
                  struct ec_node_set *set)
{
    const uint32_t peer =
        port < ec_topology_links(t) ? ec_topology_neighbor(t, node, port) : EC_NONE;
    return peer == EC_NONE || ec_node_set_add(set, peer);
}

uint64_t failure_key(uint64_t key, const struct ec_shape *shape)
{
    const char *name = ec_shape_key(shape);
    return XXH3_64bits_withSeed(name, strlen(name), key);
}

void failure_note(char *note, size_t size, const char *format, ...)
{
    va_list args;
    if (*note)
        ec_append(note, size, "; ");
    const size_t used = strlen(note);
    va_start(args, format);
    vsnprintf(note + used, size - used, format, args);
    va_end(args);
}

enum ec_code failure_wave_finish(struct ec_wave *wave, bool whole,
                                 const struct ec_cycle_range *cycles, struct ec_wave_summary *ret,
                                 char *note, size_t size, struct ec_error *reterr)
{
    if (!whole && !wave->first)
        return ec_fail(reterr, EC_INTERRUPTED, "interrupted before cycle %" PRIu64, cycles->from);
    const enum ec_code code = ec_wave_finish(wave, ret, reterr);
    if (code == EC_OK && !whole && ret->last < cycles->to)
        failure_note(note, size, "interrupted: the wave ends in cycle %" PRIu64, ret->last);
    return code;
}

/* Choose routers and cycles. EC_USAGE, with a note: there is no reason to choose any. */
static enum ec_code choose_window(const struct play *p, struct failure_place *place,
                                  struct ec_cycle_range *range, struct ec_failure *f)
{
    const struct ec_topology *t = p->net->topology;
    f->found = place->nodes.count > 0;
    f->cycle = f->found ? place->cycle : 0;
    if (f->found) {
        const uint64_t begin = place->begin ? place->begin : place->cycle;
        *range = failure_cycles(p->net->router, begin, p->last_move);
        if (place->cycle > range->to) /* the last of the circle stopped long after the first */
            *range = failure_cycles(p->net->router, place->cycle, p->last_move);
        if (p->last_move > range->to)
            failure_note(f->note, sizeof f->note,
                         "the wave shows the cause; the last word moved in cycle %" PRIu64,
                         p->last_move);
        return !place->has_port ||
                       failure_peer(t, place->nodes.nodes[0], place->port, &place->nodes)
                   ? EC_OK
                   : EC_MEMORY;
    }
    if (t->routers > WHOLE_UP_TO) {
        snprintf(f->note, sizeof f->note,
                 "no wave: the router at fault is not known; choose routers with --wave-nodes");
        return EC_USAGE;
    }
    *range = (struct ec_cycle_range){1, WHOLE_CYCLES};
    return ec_select_nodes("all", t, p->net->router, &place->nodes, NULL);
}

/* ecube-failure-HASH.fst: a run overwrites only its own file, and so does another router. */
static enum ec_code name_failure_wave(const struct play *p, const struct ec_shape *shape,
                                      const struct ec_report *report, char *buffer, size_t size,
                                      struct ec_error *reterr)
{
    const uint64_t key =
        XXH3_64bits_withSeed(&report->digest, sizeof report->digest,
                             failure_key(play_key(p, p->options.failure->title), shape));
    return ec_path(buffer, size, reterr, "%s/ecube-failure-%016" PRIx64 ".fst",
                   p->options.failure->folder, key);
}

/* What the wave says of the failure: its cause, or else the first check that failed. */
static struct ec_wave_failure tell_failure(const struct failure_place *place,
                                           struct ec_report *report)
{
    const struct ec_check *c = check_to_explain(report);
    return (struct ec_wave_failure){.cycle = place->cycle,
                                    .text = place->what[0] ? place->what
                                            : c            ? c->detail
                                                           : "",
                                    .port = place->has_port ? place->port : EC_NONE};
}

/* Where the eye should go. */
static void mark_failure(struct ec_wave *wave, const struct play *p,
                         const struct failure_place *place)
{
    ec_wave_mark(wave, place->cycle, "FAILURE");
    if (place->begin && place->begin < place->cycle)
        ec_wave_mark(wave, place->begin, "it begins");
    if (p->last_move > place->cycle && p->last_move + 1 < p->cycle) /* not cut short by a verdict */
        ec_wave_mark(wave, p->last_move, "last move");
}

static enum ec_code replay_dumped(struct play *p, const struct ec_shape *shape,
                                  const struct failure_place *place,
                                  const struct ec_cycle_range *range, struct ec_report *report,
                                  struct ec_error *reterr)
{
    struct ec_failure *f = &report->failure;
    char path[sizeof f->wave];
    struct ec_wave *wave;
    struct ec_wave_summary summary;
    struct ec_node_set shown = place->nodes; /* borrowed */
    if (shown.count > EC_WAVE_NODES_MAX)
        shown.count = EC_WAVE_NODES_MAX;
    const struct ec_wave_failure failure = tell_failure(place, report);
    const struct ec_wave_options options = {.path = path,
                                            .nodes = &shown,
                                            .cycles = *range,
                                            .foreign = p->net->foreign,
                                            .failure = f->found ? &failure : NULL,
                                            .title = p->options.failure->title,
                                            .unfinished = p->options.failure->unfinished,
                                            .pulse = p->net->pulse};
    enum ec_code code = name_failure_wave(p, shape, report, path, sizeof path, reterr);
    if (code == EC_OK)
        code = ec_folder_make(p->options.failure->folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = ec_wave_open(p->net->topology, p->net->router, shape, &options, &wave, reterr);
    if (code != EC_OK)
        return code;
    if (f->found)
        mark_failure(wave, p, place);
    const bool whole = play_again(p, ec_wave_watch(wave), f->found ? range->to : p->cycle);
    code = failure_wave_finish(wave, whole, range, &summary, f->note, sizeof f->note, reterr);
    ec_wave_close(wave);
    if (code != EC_OK)
        return code;
    f->wave_nodes = shown.count;
    if (shown.count < f->node_count)
        failure_note(f->note, sizeof f->note,
                     "the wave has the first %zu of the %zu routers concerned", shown.count,
                     f->node_count);
    f->first = summary.first;
    f->last = summary.last;
    snprintf(f->wave, sizeof f->wave, "%s", path);
    if (summary.differs) { /* the traced shape is wrong, not the run */
        char router[128];
        ec_topology_node_name(p->net->topology, summary.differs_node, router, sizeof router);
        failure_note(f->note, sizeof f->note,
                     "internal error: in cycle %" PRIu64
                     " the traced router %s behaves differently from "
                     "the router",
                     summary.differs_cycle, router);
    }
    return EC_OK;
}

static bool keep_nodes(struct ec_failure *f, const struct ec_node_set *set)
{
    f->nodes = malloc(set->count * sizeof *f->nodes);
    if (!f->nodes)
        return false;
    memcpy(f->nodes, set->nodes, set->count * sizeof *f->nodes);
    f->node_count = set->count;
    return true;
}

static bool take_fault(const struct ec_net_fault *fault, struct failure_place *place)
{
    place->cycle = fault->cycle;
    place->port = fault->port;
    place->has_port = true;
    return ec_node_set_add(&place->nodes, fault->node);
}

/* If the diagnosis found no place: the place that the RTL, the ledger or the scoreboard names. */
static bool start_place(const struct play *p, const struct failure_place *known, bool drained,
                        struct failure_place *ret)
{
    const struct ec_net_fault *fault = p->net->ops->fault(p->net);
    const struct ec_net_rtl *rtl = p->net->rtl;
    *ret = *known;
    ret->nodes = (struct ec_node_set){0};
    for (size_t i = 0; i < known->nodes.count; i++) {
        if (!ec_node_set_add(&ret->nodes, known->nodes.nodes[i]))
            return false;
    }
    if (ret->nodes.count)
        return true;
    if (rtl && rtl->count && rtl->node != EC_NONE) {
        ret->cycle = rtl->cycle;
        return ec_node_set_add(&ret->nodes, rtl->node);
    }
    if (fault->found)
        return take_fault(fault, ret);
    if (p->board.failed) {
        ret->cycle = p->board.failed_cycle;
        return ec_node_set_add(&ret->nodes, p->board.failed_node);
    }
    struct ec_net_fault left;
    return drained || p->net->ops->drained(p->net, &left) || take_fault(&left, ret);
}

void failure_replay(struct play *p, const struct failure_place *known, struct ec_report *report)
{
    const struct ec_failure_options *options = p->options.failure;
    struct ec_failure *f = &report->failure;
    struct failure_place place;
    struct ec_cycle_range range;
    struct ec_shape *shape = NULL;
    struct ec_error e = {.code = EC_OK, .message = "out of memory"};
    bool good =
        start_place(p, known, report->checks[EC_CHECK_LEDGER].verdict != EC_VERDICT_FAIL, &place);
    if (good && !p->net->ops->watch) {
        snprintf(f->note, sizeof f->note, "no wave: backend %s cannot be watched",
                 p->net->ops->name);
        goto done;
    }
    good = good && options->traced(options->context, &shape, &e) == EC_OK &&
           replay_checked(p, shape, &place, report, &e) == EC_OK;
    if (good) {
        const enum ec_code chosen = choose_window(p, &place, &range, f);
        good = chosen == EC_USAGE || (chosen == EC_OK && keep_nodes(f, &place.nodes) &&
                                      replay_dumped(p, shape, &place, &range, report, &e) == EC_OK);
    }
    if (!good)
        snprintf(f->note, sizeof f->note, "no wave: %s", e.message);
done:
    ec_node_set_free(&place.nodes);
}

void failure_close(struct ec_failure *f)
{
    for (size_t i = 0; i < f->check_count; i++)
        free(f->checks[i]);
    free(f->checks);
    free(f->nodes);
    *f = (struct ec_failure){0};
}
