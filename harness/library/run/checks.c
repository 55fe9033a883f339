/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of a finished play. Reads the counters and the audit; counts nothing itself. */
#include "run/checks.h"

#include <inttypes.h>
#include <stdarg.h>

#include "ecube/schedule.h"
#include "network/names.h"
#include "run/predict.h"

enum { TEXT_SIZE = 400 }; /* enough for each text that becomes a part of a verdict */

/* --- Places of elements ---------------------------------------------------------------------- */

struct element {
    struct ec_place at;
    uint64_t since; /* cycle in which it arrived there; 0: its origin */
};

/* Make the local moves up to `step`. Those of one step happen at once; each has the new slot of one
 * element. */
static size_t make_moves(const struct ec_schedule *s, struct element *elements, size_t next,
                         uint32_t step)
{
    const size_t count = (size_t)s->holders * s->per_node;
    for (; next < s->move_count && s->moves[next].step <= step; next++) {
        if (s->moves[next].element < count)
            elements[s->moves[next].element].at.slot = s->moves[next].slot;
    }
    return next;
}

static bool carry_elements(const struct ec_schedule *s, const struct ec_message *messages,
                           struct element *elements, size_t i, const uint64_t *started,
                           const uint64_t *delivered, char *why, size_t size)
{
    const struct ec_transfer *t = &s->transfers[i];
    if (messages[i].words != (uint64_t)t->count * s->words) {
        snprintf(why, size,
                 "step %" PRIu32 ": node %" PRIu32 " sends %" PRIu32 " elements of %" PRIu32
                 " words in a message of %" PRIu32 " words",
                 t->step, t->src, t->count, s->words, messages[i].words);
        return false;
    }
    for (uint32_t k = 0; k < t->count; k++) {
        const struct ec_carried *c = &s->carried[t->first + k];
        if (c->element >= (uint64_t)s->holders * s->per_node) {
            snprintf(why, size, "step %" PRIu32 ": there is no element %" PRIu32, t->step,
                     c->element);
            return false;
        }
        struct element *e = &elements[c->element];
        if (e->at.node != t->src || e->since >= started[i]) {
            snprintf(why, size,
                     "step %" PRIu32 ": node %" PRIu32 " began in cycle %" PRIu64
                     " to send element %" PRIu32 ", which was in node %" PRIu32
                     " from cycle %" PRIu64 " on",
                     t->step, t->src, started[i], c->element, e->at.node, e->since);
            return false;
        }
        *e = (struct element){.at = {t->dst, c->slot}, .since = delivered[i]};
    }
    return true;
}

static bool at_targets(const struct ec_schedule *s, const struct element *elements, char *why,
                       size_t size)
{
    const size_t count = (size_t)s->holders * s->per_node;
    for (size_t i = 0; i < count; i++) {
        const struct ec_place *is = &elements[i].at, *should = &s->target[i];
        if (is->node == should->node && is->slot == should->slot)
            continue;
        snprintf(why, size,
                 "element %zu ended in node %" PRIu32 " slot %" PRIu32
                 ", its target is node %" PRIu32 " slot %" PRIu32,
                 i, is->node, is->slot, should->node, should->slot);
        return false;
    }
    return true;
}

/* Follow every element (`elements` has room for them) along the messages of a run, message i being
 * transfer i: started[i] is the cycle in which its source started it, delivered[i] that of its last
 * word; 0: never. True if every element was in the source before the message that carries it
 * started, that message had all its words, and the element ended at its target. Else `why` has the
 * first difference.
 *
 * Nodes follow from deliveries, slots from the schedule: the network does not decide where in its
 * memory a node puts what has arrived. The order of messages is not used, so a message that left
 * too early is found here. */
static bool follow_elements(const struct ec_schedule *s, struct element *elements,
                            const struct ec_message *messages, const uint64_t *started,
                            const uint64_t *delivered, char *why, size_t size)
{
    const size_t count = (size_t)s->holders * s->per_node;
    size_t moves = 0;
    bool good = true;
    for (size_t i = 0; i < count; i++)
        elements[i].at =
            (struct ec_place){(uint32_t)(i / s->per_node), (uint32_t)(i % s->per_node)};
    for (size_t i = 0; good && i < s->transfer_count; i++) {
        moves = make_moves(s, elements, moves, s->transfers[i].step);
        if (delivered[i] == 0) {
            snprintf(why, size, "message %zu of step %" PRIu32 " was never delivered", i,
                     s->transfers[i].step);
            good = false;
        } else {
            good = carry_elements(s, messages, elements, i, started, delivered, why, size);
        }
    }
    if (good)
        make_moves(s, elements, moves, UINT32_MAX);
    return good && at_targets(s, elements, why, size);
}

/* --- Checks ---------------------------------------------------------------------------------- */

static const char *const names[] = {
#define EC_CHECK_NAME(id, name, text) name,
    EC_CHECKS(EC_CHECK_NAME)
#undef EC_CHECK_NAME
};

static const char *const texts[] = {
#define EC_CHECK_TEXT(id, name, text) text,
    EC_CHECKS(EC_CHECK_TEXT)
#undef EC_CHECK_TEXT
};

const char *ec_check_name(enum ec_check_id id)
{
    return names[id];
}

const char *ec_check_text(enum ec_check_id id)
{
    return texts[id];
}

static enum ec_verdict verdict_of(bool pass)
{
    return pass ? EC_VERDICT_PASS : EC_VERDICT_FAIL;
}

/* The first failure stays, and a pass stays unless the check fails or passes again. */
__attribute__((format(printf, 4, 5))) static void decide(struct ec_report *report,
                                                         enum ec_check_id id,
                                                         enum ec_verdict verdict,
                                                         const char *format, ...)
{
    struct ec_check *c = &report->checks[id];
    const bool decides = verdict == EC_VERDICT_PASS || verdict == EC_VERDICT_FAIL;
    if (c->verdict == EC_VERDICT_FAIL || (c->verdict == EC_VERDICT_PASS && !decides))
        return;
    c->verdict = verdict;
    va_list args;
    va_start(args, format);
    vsnprintf(c->detail, sizeof c->detail, format, args);
    va_end(args);
}

/* All messages have been delivered: is every element of the schedule at its target? */
static void judge_placement(struct ec_report *report, const struct play *p)
{
    const struct ec_schedule *s = p->options.schedule;
    const struct scoreboard *b = &p->board;
    const size_t count = (size_t)s->holders * s->per_node;
    struct element *elements = calloc(count ? count : 1, sizeof *elements);
    char why[TEXT_SIZE];
    if (!elements)
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_UNCHECKED,
               "out of memory for the places of %zu elements", count);
    else if (follow_elements(s, elements, p->w->messages, b->order->started, b->order->delivered,
                             why, sizeof why))
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_PASS,
               "%" PRIu64 " words in %" PRIu64 " packets; %" PRIu64 " elements at their targets",
               b->words, b->packets, (uint64_t)count);
    else
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_FAIL, "%s", why);
    free(elements);
}

static void judge_rtl(struct ec_report *report, const struct play *p, enum play_state state)
{
    char what[sizeof report->checks->detail];
    if (ec_net_rtl_said(p->net)) {
        ec_net_rtl_text(p->net, what, sizeof what);
        decide(report, EC_CHECK_RTL, EC_VERDICT_FAIL, "%s", what);
    } else if (p->net->rtl && p->net->rtl->mute) {
        decide(report, EC_CHECK_RTL, EC_VERDICT_UNCHECKED,
               "the engine simd leaves out assertions and messages of the router");
    } else if (p->net->rtl && state == PLAY_DONE) {
        decide(report, EC_CHECK_RTL, EC_VERDICT_PASS,
               "no error message after the reset, no end of simulation");
    } else if (!p->net->rtl) {
        decide(report, EC_CHECK_RTL, EC_VERDICT_NONE, "no RTL");
    }
}

static void judge_delivery(struct ec_report *report, const struct play *p, enum play_state state)
{
    const struct scoreboard *b = &p->board;
    uint32_t src, dst;
    uint64_t cycle;
    if (b->failed)
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_FAIL, "%s", b->what);
    else if (state == PLAY_DONE && !p->w->open_loop && report->messages != p->w->message_count)
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
               "%" PRIu64 " of %zu messages arrived, and nothing more is under way",
               report->messages, p->w->message_count);
    else if (state == PLAY_DONE && p->options.schedule)
        judge_placement(report, p);
    else if (state == PLAY_DONE)
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_PASS,
               "%" PRIu64 " words in %" PRIu64 " packets", b->words, b->packets);
    else if (state == PLAY_STUCK && p->net->in_flight && !scoreboard_oldest(b, &src, &dst, &cycle))
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
               "all %" PRIu64 " words that nodes sent arrived, but the network counts %" PRId64
               " words that are still in it (wiring error: its count is wrong)",
               b->words, (int64_t)p->net->in_flight);
    else if (state == PLAY_STUCK)
        decide(report, EC_CHECK_DELIVERY, EC_VERDICT_FAIL,
               "after %" PRIu64 " words nothing more arrives, with %" PRId64
               " words in the network",
               b->words, (int64_t)p->net->in_flight);
}

static void judge_fault(struct ec_report *report, const struct play *p,
                        const struct ec_net_fault *fault)
{
    const struct ec_topology *t = p->net->topology;
    char node[EC_NAME_SIZE], port[EC_NAME_SIZE];
    ec_topology_node_name(t, fault->node, node, sizeof node);
    ec_port_name(t, ec_router_local_ports(p->net->router, t), fault->port, port, sizeof port);
    decide(report,
           fault->kind == EC_FAULT_VC     ? EC_CHECK_VCS
           : fault->kind == EC_FAULT_PORT ? EC_CHECK_LOADS
                                          : EC_CHECK_LEDGER,
           EC_VERDICT_FAIL, "cycle %" PRIu64 ", router %s, port %s, VC %u: %s", fault->cycle, node,
           port, fault->vc, fault->what);
}

static void judge_ledger(struct ec_report *report, const struct play *p, enum play_state state)
{
    struct ec_net_fault fault = *p->net->ops->fault(p->net);
    if (!fault.found && state == PLAY_DONE && p->net->ops->drained(p->net, &fault))
        decide(report, EC_CHECK_LEDGER, EC_VERDICT_PASS, "all credits are back");
    if (fault.found)
        judge_fault(report, p, &fault);
}

static void judge_vcs(struct ec_report *report, const struct play *p, enum play_state state)
{
    if (state != PLAY_DONE)
        return;
    if (p->net->ops->checked_vcs && p->net->ops->checked_vcs(p->net))
        decide(report, EC_CHECK_VCS, EC_VERDICT_PASS, "%" PRIu64 " words on their channels",
               p->net->moved);
    else if (p->net->router->vcs > 1)
        decide(report, EC_CHECK_VCS, EC_VERDICT_UNCHECKED, "%s",
               p->net->ops->checked_vcs ? "some packets were not followed"
                                        : "the backend does not follow words");
    else
        decide(report, EC_CHECK_VCS, EC_VERDICT_NONE, "one VC");
}

/* Signed: a negative count means that words came out that never went in. */
static void judge_drain(struct ec_report *report, const struct play *p, enum play_state state)
{
    if (state == PLAY_DONE)
        decide(report, EC_CHECK_DRAIN, verdict_of(p->net->in_flight == 0), "%" PRId64 " words left",
               (int64_t)p->net->in_flight);
    else if (state == PLAY_STUCK && p->net->in_flight)
        decide(report, EC_CHECK_DRAIN, EC_VERDICT_FAIL, "%" PRId64 " words left",
               (int64_t)p->net->in_flight);
}

/* Compare one kind of channel with what `who` says. False at the first difference. */
static bool same_loads(struct ec_report *report, const struct play *p, enum ec_channel_kind kind,
                       const char *who, const uint64_t *expected)
{
    static const char *const kinds[] = {"link", "injection port", "ejection port"};
    const struct ec_topology *t = p->net->topology;
    const bool link = kind == EC_CHANNEL_LINK;
    const unsigned each = link ? ec_topology_links(t) : report->locals;
    for (uint32_t node = 0; node < (link ? t->routers : t->nodes); node++) {
        for (unsigned k = 0; k < each; k++) {
            const size_t output =
                link ? (size_t)node * report->ports + k : ec_report_ejection(report, t, node, k);
            const uint64_t is = kind == EC_CHANNEL_INJECT
                                    ? report->injected[(size_t)node * report->locals + k]
                                    : report->flits[output];
            const uint64_t should = expected[(size_t)node * each + k];
            if (is == should)
                continue;
            char name[EC_NAME_SIZE], channel[EC_NAME_SIZE];
            ec_topology_node_name(t, (uint32_t)(output / report->ports), name, sizeof name);
            ec_port_name(t, ec_router_local_ports(p->net->router, t),
                         (unsigned)(output % report->ports), channel, sizeof channel);
            decide(report, EC_CHECK_LOADS, EC_VERDICT_FAIL,
                   "%s %s of router %s carried %" PRIu64 " words, but %s %" PRIu64, kinds[kind],
                   channel, name, is, who, should);
            return false;
        }
    }
    return true;
}

/* The router chose the links. All packets arrived, so a word more than the least is a detour. */
static void judge_free_loads(struct ec_report *report, const struct play *p)
{
    const struct ec_router *r = p->net->router;
    const bool minimal = r->routing != EC_ROUTING_ANY && !ec_router_has_sets(r);
    const uint64_t least = p->board.hop_words;
    decide(report, EC_CHECK_LOADS,
           verdict_of(minimal ? report->flit_hops == least : report->flit_hops >= least),
           "%" PRIu64 " flit-hops measured, expected %s %" PRIu64
           " = sum of distances; loads of single channels are the router's choice",
           report->flit_hops, minimal ? "exactly" : "at least", least);
}

/* What every channel must have carried: by the audit or, without one, by the paths of the packets
 * that arrived. Without either only the sum over all links is known. */
static void judge_loads(struct ec_report *report, const struct play *p,
                        const struct ec_audit *audit)
{
    if (ec_router_chooses(p->net->router)) {
        judge_free_loads(report, p);
        return;
    }
    const struct scoreboard *b = &p->board;
    const bool audited = audit && audit->link_words;
    const uint64_t *link = audited ? audit->link_words : b->link_words;
    const uint64_t *inject = audited ? audit->inject_words : b->inject_words;
    const uint64_t *eject = audited ? audit->eject_words : b->eject_words;
    const uint64_t hops = audited ? audit->flit_hops : b->hop_words;
    const char *who = audited ? "the audit expects" : "the paths of the delivered packets need";
    if (link && (!same_loads(report, p, EC_CHANNEL_LINK, who, link) ||
                 !same_loads(report, p, EC_CHANNEL_INJECT, who, inject) ||
                 !same_loads(report, p, EC_CHANNEL_EJECT, who, eject)))
        return;
    decide(report, EC_CHECK_LOADS, verdict_of(report->flit_hops == hops),
           audited ? "%" PRIu64 " flit-hops, %" PRIu64 " audited; every channel as audited"
                   : "%" PRIu64 " flit-hops measured, %" PRIu64 " = sum of path lengths",
           report->flit_hops, hops);
}

/* True if two messages that share a channel must meet there: all start together, each is longer
 * than any difference of the times in which their heads come there, and its words come without gaps
 * (which routers with another pipeline do not guarantee). */
static bool must_meet(const struct play *p)
{
    const struct ec_topology *t = p->net->topology;
    const struct ec_router *r = p->net->router;
    if (!p->w->permutation || p->options.eject_stall > 0 || r->switching == EC_STORE_AND_FORWARD ||
        p->net->foreign || r->routing == EC_ROUTING_VALIANT) /* it may cross a link twice */
        return false;
    const unsigned furthest = ec_topology_diameter(t) * ec_router_hop(r);
    for (size_t i = 0; i < p->w->message_count; i++) {
        if (p->w->messages[i].words <= furthest)
            return false;
    }
    const bool whole = r->packet >= p->w->longest, full_rate = predict_at_full_rate(r);
    if (r->switching == EC_WORMHOLE && !full_rate && r->vcs > 1)
        return false; /* packets on different VCs may use the gaps of each other */
    return whole || (p->options.startup == 0 && full_rate);
}

/* Messages that wait for others may share channels one after the other. There must be no contention
 * if that is certain: by step, if no two messages of a step share a channel; else, if there is a
 * prediction, since it excludes that two messages meet. False: it is not certain. */
static bool judge_order(struct ec_report *report, const struct play *p,
                        const struct ec_audit *audit)
{
    const bool by_step = p->w->order->by_step;
    const bool apart = audit->congestion_free && predict_is_alone(p->net->router, p->w->longest);
    if (!(by_step ? apart : report->has_prediction))
        return false;
    decide(report, EC_CHECK_CONGESTION, verdict_of(report->contended_cycles == 0),
           "%" PRIu64 " contended cycles, %s", report->contended_cycles,
           by_step ? "no two messages of a step share a channel"
                   : "no two messages meet in the prediction");
    return true;
}

/* Can a message be contended by other messages only? With dynamic allocation its packets may be on
 * several virtual channels after they had to wait somewhere, and then contend with each other. */
static bool meets_others_only(const struct play *p, const struct ec_audit *audit)
{
    const struct ec_router *r = p->net->router;
    const bool waits = audit->max_channel_load >= 2 || p->options.eject_stall > 0;
    return predict_is_alone(r, p->w->longest) &&
           !(ec_router_overtakes(r) && p->w->longest > r->packet && waits);
}

/* With one crossbar input for each port, messages that came by one channel also meet on their way
 * to different outputs: does such a channel end at this router? */
static bool meet_at_inputs(const struct ec_topology *t, const struct ec_audit *a, uint32_t router)
{
    for (unsigned link = 0; link < a->links; link++) {
        const uint32_t from = ec_topology_neighbor(t, router, link);
        if (from != EC_NONE &&
            a->link_load[(size_t)from * a->links + ec_topology_back(t, router, link)] >= 2)
            return true;
    }
    uint32_t node = ec_topology_first_node(t, router);
    for (; node < t->nodes && ec_topology_router(t, node) == router; node++) {
        for (unsigned k = 0; k < a->locals; k++) {
            if (a->inject_load[(size_t)node * a->locals + k] >= 2)
                return true;
        }
    }
    return false;
}

static void judge_congestion(struct ec_report *report, const struct play *p,
                             const struct ec_audit *audit)
{
    if (ec_router_chooses(p->net->router)) {
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_UNCHECKED,
               "paths and loads of channels: the router chooses them");
        return;
    }
    if (!audit) {
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_NONE, "random traffic");
        return;
    }
    if (!p->net->has_taps) { /* contended cycles are not counted */
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_UNCHECKED, "no taps");
        return;
    }
    if (p->w->order && judge_order(report, p, audit))
        return;
    if (p->w->order && p->w->order->step) {
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_NONE,
               "messages of the schedule may meet: %" PRIu64 " contended cycles",
               report->contended_cycles);
        return;
    }
    if (!meets_others_only(p, audit)) {
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_NONE,
               "packets of one message may overtake each other: %" PRIu64 " contended cycles",
               report->contended_cycles);
        return;
    }
    const struct ec_topology *t = p->net->topology;
    const unsigned links = ec_topology_links(t);
    const bool shares = p->net->router->speedup && p->net->router->vcs > 1;
    for (uint32_t node = 0; node < t->routers; node++) {
        for (unsigned port = 0; port < report->ports; port++) {
            const uint64_t seen = report->contended[(size_t)node * report->ports + port];
            if (seen == 0)
                continue;
            const uint32_t load =
                port < links
                    ? audit->link_load[(size_t)node * links + port]
                    : audit->eject_load[(size_t)ec_topology_first_node(t, node) * report->locals +
                                        port - links];
            if (load >= 2 || (load && shares && meet_at_inputs(t, audit, node)))
                continue;
            char name[EC_NAME_SIZE], channel[EC_NAME_SIZE];
            ec_topology_node_name(t, node, name, sizeof name);
            ec_port_name(t, ec_router_local_ports(p->net->router, t), port, channel,
                         sizeof channel);
            decide(report, EC_CHECK_CONGESTION, EC_VERDICT_FAIL,
                   "%" PRIu64 " contended cycles at port %s of router %s, which %s message uses",
                   seen, channel, name, load ? "only one" : "no");
            return;
        }
    }
    if (audit->max_channel_load >= 2 && must_meet(p) && report->contended_cycles == 0) {
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_FAIL,
               "a channel of load %u and messages that must meet there, but no contention",
               audit->max_channel_load);
        return;
    }
    decide(report, EC_CHECK_CONGESTION, EC_VERDICT_PASS,
           "%" PRIu64 " contended cycles, at most %u message%s on a channel",
           report->contended_cycles, audit->max_channel_load,
           audit->max_channel_load == 1 ? "" : "s");
}

static void judge_time(struct ec_report *report, const struct play *p, const struct ec_audit *audit)
{
    uint64_t own = 0;
    bool known;
    if (report->has_prediction)
        decide(report, EC_CHECK_TIME, verdict_of(report->cycles == report->predicted_cycles),
               "%" PRIu64 " cycles measured, %" PRIu64 " predicted", report->cycles,
               report->predicted_cycles);
    else if (p->w->open_loop)
        decide(report, EC_CHECK_TIME, EC_VERDICT_NONE, "random traffic");
    else if (p->options.eject_stall > 0)
        decide(report, EC_CHECK_TIME, EC_VERDICT_NONE, "random back-pressure");
    else if (!p->net->foreign)
        decide(report, EC_CHECK_TIME, EC_VERDICT_NONE, "no closed form");
    else if (ec_predict(p->net->topology, p->net->router, p->w, audit, p->options.startup, &known,
                        &own, NULL) == EC_OK &&
             known)
        decide(report, EC_CHECK_TIME, EC_VERDICT_UNCHECKED,
               "foreign pipeline; ecube's own would take %" PRIu64 " cycles", own);
    else
        decide(report, EC_CHECK_TIME, EC_VERDICT_UNCHECKED, "foreign pipeline");
}

/* What is visible at the nodes: in store-and-forward a packet takes hops + 2 channels, each for all
 * its words, one after the other, and the delay of the links. Whether a router stores packets at
 * each hop is visible only in its timing, which the time check covers for ecube's router. */
static void judge_switching(struct ec_report *report, const struct play *p)
{
    const struct scoreboard *b = &p->board;
    const bool store = p->net->router->switching == EC_STORE_AND_FORWARD;
    if (store && b->early.found) {
        char from[EC_NAME_SIZE], to[EC_NAME_SIZE];
        ec_topology_node_name(p->net->topology, b->early.src, from, sizeof from);
        ec_topology_node_name(p->net->topology, b->early.dst, to, sizeof to);
        decide(report, EC_CHECK_SWITCHING, EC_VERDICT_FAIL,
               "store-and-forward: the packet of %" PRIu32 " words from node %s to node %s that "
               "arrived in cycle %" PRIu64 " took %" PRIu64
               " cycles over %u hops; at least %" PRIu64 " are needed",
               b->early.words, from, to, b->early.cycle, b->early.took, b->early.hops,
               b->early.least);
    } else if (p->net->foreign) {
        decide(report, EC_CHECK_SWITCHING, EC_VERDICT_UNCHECKED, "foreign router");
    } else if (store && b->packets > 0) {
        decide(report, EC_CHECK_SWITCHING, EC_VERDICT_PASS, "%" PRIu64 " packets took their time",
               b->packets);
    }
}

/* Mark the checks that remain undecided because the run did not finish. */
static void leave_unfinished(struct ec_report *report, const struct play *p,
                             const struct ec_audit *audit)
{
    static const enum ec_check_id always[] = {EC_CHECK_DELIVERY, EC_CHECK_DRAIN, EC_CHECK_LEDGER,
                                              EC_CHECK_LOADS, EC_CHECK_PROGRESS};
    static const char reason[] = "the run did not finish";
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        decide(report, always[i], EC_VERDICT_UNCHECKED, reason);
    if (p->net->rtl)
        decide(report, EC_CHECK_RTL, EC_VERDICT_UNCHECKED, reason);
    if (p->net->router->vcs > 1)
        decide(report, EC_CHECK_VCS, EC_VERDICT_UNCHECKED, reason);
    if (audit)
        decide(report, EC_CHECK_CONGESTION, EC_VERDICT_UNCHECKED, reason);
    if (report->has_prediction)
        decide(report, EC_CHECK_TIME, EC_VERDICT_UNCHECKED, reason);
    if (p->w->open_loop)
        decide(report, EC_CHECK_STABILITY, EC_VERDICT_UNCHECKED, reason);
}

/* Why no steady state is shown: the first limit that is exceeded. */
static void judge_unsteady(struct ec_report *report, const struct play *p,
                           const struct steady_finding *f)
{
    struct ec_check *c = &report->checks[EC_CHECK_STABILITY];
    const char *const begin = "window too short to show a steady state";
    const double window = (double)(play_steady(p)->to - play_steady(p)->from);
    char node[EC_NAME_SIZE];
    ec_topology_node_name(p->net->topology, f->port / play_steady(p)->kinds / p->senders.locals,
                          node, sizeof node);
    if (f->beyond)
        snprintf(
            c->detail, sizeof c->detail,
            "no window shows a steady state: the rate is %.6g, and at %.6g the busiest channel "
            "has no idle cycle left; expected a lower rate",
            p->w->rate, p->w->rate / play_steady(p)->load);
    else if (f->backlog > f->backlog_limit)
        snprintf(c->detail, sizeof c->detail,
                 "%s: node %s has a backlog of %.0f words, of which %.0f could be chance", begin,
                 node, f->backlog, f->backlog_limit);
    else if (f->rise > f->rise_limit)
        snprintf(c->detail, sizeof c->detail,
                 "%s: the backlogs rise by %.0f words, of which %.0f could be chance", begin,
                 f->rise, f->rise_limit);
    else if (report->window_missing > 0)
        snprintf(c->detail, sizeof c->detail,
                 "%s: %" PRIu64 " of its %" PRIu64 " messages had not arrived %" PRIu64
                 " cycles after its end",
                 begin, report->window_missing, report->window_messages, play_patience(p));
    else if (!f->has_latency)
        snprintf(c->detail, sizeof c->detail, "%s: half of it has no message", begin);
    else if (f->few_bursts)
        snprintf(c->detail, sizeof c->detail,
                 "%s: expected at least ten bursts of each source, %.0f cycles each with the pause",
                 begin, play_steady(p)->traffic[0].period);
    else if (f->few)
        snprintf(c->detail, sizeof c->detail,
                 "%s: expected at least ten times the mean latency of %.1f cycles", begin, f->mean);
    else if (f->brief)
        snprintf(
            c->detail, sizeof c->detail,
            "window too short to show how far the mean latency of %.1f is off: it is %.2g times "
            "as long as the %.6g cycles in which the busiest queue forgets its length, expected "
            "at least 5 times",
            f->mean, window / f->relaxation, f->relaxation);
    else
        snprintf(c->detail, sizeof c->detail,
                 "%s: latency drifts by %+.1f cycles, standard error %.1f, mean %.1f", begin,
                 f->drift, f->drift_error, f->mean);
}

static double percent(double share)
{
    return 100 * share;
}

/* Why a steady state is less precise than requested. */
static void explain_lack(struct ec_check *c, const struct precision *x)
{
    const struct ec_measurement *m = &x->found;
    const struct precision_lack *lack = &x->lack;
    char of[EC_NAME_SIZE], width[TEXT_SIZE];
    snprintf(of, sizeof of, "mean latency %.1f", m->latency);
    snprintf(width, sizeof width, "%s +- %.2g %% after %" PRIu64 " cycles", of,
             percent(m->latency_half / m->latency), x->decision);
    if (lack->what == PRECISION_LACKS_INTERVAL)
        snprintf(c->detail, sizeof c->detail,
                 "%s after %" PRIu64 " cycles, its interval is not known: batches are correlated "
                 "(%+.2f), expected +- %.2g %% and uncorrelated batches",
                 of, x->decision, m->correlation, percent(x->goal.relative));
    else if (lack->what == PRECISION_LACKS_PACKETS)
        snprintf(c->detail, sizeof c->detail,
                 "%s, but of only %" PRIu64 " packets: expected at least %d", width, m->packets,
                 PRECISION_PACKETS);
    else if (lack->what == PRECISION_LACKS_HALF && lack->wide == 0)
        snprintf(c->detail, sizeof c->detail,
                 "%s, but too few packets in the %s half for an interval of its own", width,
                 lack->half ? "second" : "first");
    else if (lack->what == PRECISION_LACKS_HALF)
        snprintf(c->detail, sizeof c->detail,
                 "%s, but +- %.2g %% in its %s half: expected at most +- %.2g %% there", width,
                 percent(lack->wide), lack->half ? "second" : "first",
                 percent(PRECISION_HALVES * x->goal.relative));
    else
        snprintf(c->detail, sizeof c->detail, "%s, expected +- %.2g %%", width,
                 percent(x->goal.relative));
}

/* A measurement that reached its limit although its sources are steady. */
static void judge_precision(struct ec_report *report, const struct play *p)
{
    const struct precision *x = &p->precise;
    const struct ec_measurement *m = &x->found;
    struct ec_check *c = &report->checks[EC_CHECK_STABILITY];
    c->verdict = EC_VERDICT_OPEN;
    report->suggested_cycles = precision_suggest(x);
    if (m->batches == 0)
        snprintf(c->detail, sizeof c->detail,
                 "only %" PRIu64 " packets in %" PRIu64 " cycles, too few for an interval",
                 m->packets, m->window);
    else if (m->state == EC_MEASURED_TOO_SHORT)
        snprintf(c->detail, sizeof c->detail,
                 "latency still changes after half of the %" PRIu64 " cycles", x->decision);
    else
        explain_lack(c, x);
}

/* The intervals of a fixed window. */
static void take_intervals(struct ec_report *report, const struct play *p,
                           const struct steady_finding *f)
{
    const struct steady *s = play_steady(p);
    report->packet_confidence = steady_interval(s, f, STEADY_PACKET);
    report->packet_confidence.accepted_half =
        steady_accepted_half(s) / (double)p->net->topology->nodes;
    report->network_half = steady_interval(s, f, STEADY_NETWORK).latency_half;
    report->round_trip_confidence = steady_interval(s, f, STEADY_ROUND_TRIP);
    for (unsigned k = 0; k < report->class_count; k++) {
        struct ec_class_use *use = &report->classes[k];
        use->confidence = steady_interval(s, f, STEADY_CLASS + 2 * k);
        use->network_half = steady_interval(s, f, STEADY_CLASS + 2 * k + 1).latency_half;
    }
}

static void judge_stability(struct ec_report *report, const struct play *p)
{
    const struct steady_finding f = steady_judge(play_steady(p), report->window_missing == 0);
    struct ec_check *c = &report->checks[EC_CHECK_STABILITY];
    if (!p->options.precision)
        take_intervals(report, p, &f);
    report->steady = f.steady;
    if (f.steady == EC_STEADY_GROWS)
        decide(report, EC_CHECK_STABILITY, EC_VERDICT_FAIL,
               "the backlogs of %u source%s grow: by %.0f words in the second half of the window, "
               "%.0f times the standard error",
               f.behind, f.behind == 1 ? "" : "s", f.grown,
               f.grown_error > 0 ? f.grown / f.grown_error : 0);
    else if (f.steady == EC_STEADY_SHOWN && (report->measurement.state == EC_MEASURED_LIMIT ||
                                             report->measurement.state == EC_MEASURED_TOO_SHORT))
        judge_precision(report, p);
    else if (f.steady == EC_STEADY_SHOWN)
        decide(report, EC_CHECK_STABILITY, EC_VERDICT_PASS,
               "largest backlog %.0f words (limit %.0f), latency drifts by %+.1f cycles (standard "
               "error %.1f)",
               f.backlog, f.backlog_limit, f.drift, f.drift_error);
    else {
        c->verdict = EC_VERDICT_OPEN;
        report->backlogged = f.backlogged;
        const uint64_t window = steady_suggest(play_steady(p), &f);
        const uint64_t limit =
            window > 0 && p->options.precision ? precision_suggest(&p->precise) : 0;
        /* With a precision, the sources are observed in the second half of the cycles. */
        report->suggested_cycles = !limit ? window : limit > 2 * window ? limit : 2 * window;
        judge_unsteady(report, p, &f);
        const size_t used = strlen(c->detail);
        if (window == 0 && !f.beyond)
            snprintf(
                c->detail + used, sizeof c->detail - used,
                "; even 10^9 cycles could be too few, so near the bound: expected a lower rate");
    }
}

void checks_judge(struct ec_report *report, const struct play *p, enum play_state state,
                  const struct ec_audit *audit)
{
    judge_rtl(report, p, state);
    judge_delivery(report, p, state);
    judge_ledger(report, p, state);
    judge_vcs(report, p, state);
    judge_drain(report, p, state);
    if (state == PLAY_DONE)
        decide(report, EC_CHECK_PROGRESS, EC_VERDICT_PASS, "every packet arrived");
    if (state == PLAY_UNMET) {
        char why[TEXT_SIZE];
        order_explain(p->board.order, why, sizeof why);
        decide(report, EC_CHECK_PROGRESS, EC_VERDICT_FAIL, "cycle %" PRIu64 ": %s", p->cycle, why);
    }
    judge_switching(report, p);
    if (state != PLAY_DONE) {
        leave_unfinished(report, p, audit);
        return;
    }
    judge_loads(report, p, audit);
    judge_congestion(report, p, audit);
    judge_time(report, p, audit);
    if (p->w->open_loop)
        judge_stability(report, p);
}

bool checks_open(const struct ec_report *report)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_OPEN)
            return true;
    }
    return false;
}

unsigned checks_failed(const struct ec_report *report, unsigned but)
{
    unsigned id = 0;
    while (id < EC_CHECK_COUNT && (id == but || report->checks[id].verdict != EC_VERDICT_FAIL))
        id++;
    return id;
}
