/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of random plays that are over, against what the text of each check says of the same
 * numbers; and the elements of random schedules, followed one by one. A play is made up here, it is
 * not played. All checks but that of a steady state. */
#include "unit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/audit.h"
#include "ecube/net.h"
#include "ecube/schedule.h"
#include "network/names.h"
#include "run/checks.h"
#include "run/predict.h"

enum { CHANNELS = 256, MESSAGES = 4, TRIALS = 40000 };

static const char unfinished[] = "the run did not finish";
static const char before[] = "judged before";

struct expected {
    enum ec_verdict verdict;
    char text[500];
};

/* All that the checks look at. */
static struct bench {
    struct ec_topology t;
    struct ec_router r;
    struct ec_net net;
    struct ec_net_ops ops;
    struct ec_net_rtl rtl;
    struct ec_net_fault fault, kept; /* kept: why it is not drained */
    bool drained, checked_vcs, flying;
    struct ec_workload w;
    struct ec_message messages[MESSAGES];
    struct ec_message_order order;
    uint32_t step[MESSAGES];
    struct ec_audit audit;
    uint32_t loads[3][CHANNELS];
    uint64_t audited[3][CHANNELS], counted[3][CHANNELS];
    struct play p;
    uint64_t flits[CHANNELS], injected[CHANNELS], contended[CHANNELS];
    struct ec_report report;
    enum play_state state;
    bool has_audit;
    struct expected due[EC_CHECK_COUNT];
} b;

static uint64_t key, drawn;

static uint64_t draw(uint64_t below)
{
    return ec_rng_below(ec_rng_draw(key, drawn++), below);
}

static bool chance(unsigned percent)
{
    return draw(100) < percent;
}

/* --- The network ------------------------------------------------------------------------------ */

static const struct ec_net_fault *fault_of(const struct ec_net *net)
{
    (void)net;
    return &b.fault;
}

static bool is_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    (void)net;
    if (!b.drained)
        *ret_fault = b.kept;
    return b.drained;
}

static bool are_vcs_checked(const struct ec_net *net)
{
    (void)net;
    return b.checked_vcs;
}

static struct ec_net_fault draw_fault(const char *what)
{
    struct ec_net_fault ret = {.found = true,
                               .kind = chance(50) ? EC_FAULT_VC : EC_FAULT_LEDGER,
                               .cycle = draw(100),
                               .node = (uint32_t)draw(b.t.nodes),
                               .port = (unsigned)draw(b.report.ports),
                               .vc = (unsigned)draw(b.r.vcs)};
    snprintf(ret.what, sizeof ret.what, "%s %u", what, (unsigned)draw(9));
    return ret;
}

/* --- A random play ---------------------------------------------------------------------------- */

static void draw_loads(void)
{
    const unsigned links = b.audit.links, locals = b.audit.locals;
    const unsigned per_node[3] = {links, locals, locals};
    for (uint32_t node = 0; node < b.t.nodes; node++) {
        for (unsigned kind = 0; kind < 3; kind++) {
            for (unsigned k = 0; k < per_node[kind]; k++) {
                const size_t i = node * per_node[kind] + k;
                b.loads[kind][i] = (uint32_t)draw(4);
                b.audited[kind][i] = b.counted[kind][i] = draw(50);
            }
        }
        for (unsigned k = 0; k < links; k++)
            b.flits[node * (links + locals) + k] = b.audited[0][node * links + k];
        for (unsigned k = 0; k < locals; k++) {
            b.injected[node * locals + k] = b.audited[1][node * locals + k];
            b.flits[node * (links + locals) + links + k] = b.audited[2][node * locals + k];
        }
        for (unsigned port = 0; port < links + locals; port++)
            b.contended[node * (links + locals) + port] = chance(4) ? 1 + draw(9) : 0;
    }
    /* A channel or two are wrong, or what the nodes saw is. */
    for (unsigned k = 0; k < draw(3); k++)
        b.flits[draw((size_t)b.t.nodes * (links + locals))]++;
    if (chance(20))
        b.injected[draw((size_t)b.t.nodes * locals)]--;
    for (unsigned kind = 0; kind < 3; kind++)
        b.counted[kind][draw((size_t)b.t.nodes * per_node[kind])] += chance(20);
}

static void draw_workload(void)
{
    b.w.nodes = b.t.nodes;
    b.w.open_loop = chance(30) && b.state != PLAY_DONE;
    b.w.message_count = 1 + draw(MESSAGES);
    b.w.messages = b.messages;
    for (size_t i = 0; i < b.w.message_count; i++) {
        b.messages[i] = (struct ec_message){.cycle = 1,
                                            .src = (uint32_t)draw(b.t.nodes),
                                            .dst = (uint32_t)draw(b.t.nodes),
                                            .words = 1 + (uint32_t)draw(12)};
        b.w.longest = b.messages[i].words > b.w.longest ? b.messages[i].words : b.w.longest;
    }
    b.w.permutation = chance(70);
    if (chance(40) && (!b.net.foreign || b.report.has_prediction)) {
        b.w.order = &b.order; /* incomplete: nothing can be predicted from it */
        b.order.by_step = chance(50);
        b.order.step = chance(70) ? b.step : NULL;
    }
}

static void draw_report(void)
{
    b.report.cycles = 10 + draw(3);
    b.report.predicted_cycles = 10 + draw(3);
    b.report.messages = b.w.message_count + (chance(20) ? draw(3) - 1 : 0);
    b.report.flit_hops = 100 + draw(2);
    b.report.contended_cycles = draw(3) ? 0 : draw(30);
    b.report.flits = b.flits;
    b.report.injected = b.injected;
    b.report.contended = b.contended;
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        static const enum ec_verdict verdicts[] = {EC_VERDICT_PASS, EC_VERDICT_FAIL,
                                                   EC_VERDICT_UNCHECKED, EC_VERDICT_NONE};
        if (!chance(15))
            continue;
        b.report.checks[id].verdict = verdicts[draw(COUNT(verdicts))];
        strcpy(b.report.checks[id].detail, before);
    }
}

static void draw_board(void)
{
    struct scoreboard *s = &b.p.board;
    s->failed = chance(10);
    snprintf(s->what, sizeof s->what, "what the scoreboard says");
    s->words = draw(1000);
    s->packets = draw(100) < 20 ? 0 : draw(100);
    s->hop_words = 100 + draw(2);
    if (chance(60)) {
        s->link_words = b.counted[0];
        s->inject_words = b.counted[1];
        s->eject_words = b.counted[2];
    }
    s->early.found = chance(30);
    s->early.cycle = draw(100);
    s->early.took = draw(100);
    s->early.least = draw(100);
    s->early.src = (uint32_t)draw(b.t.nodes);
    s->early.dst = (uint32_t)draw(b.t.nodes);
    s->early.words = (uint32_t)draw(100);
    s->early.hops = (unsigned)draw(10);
}

static void draw_play(const char *topology, const char *router)
{
    static const enum play_state states[] = {PLAY_DONE,  PLAY_DONE, PLAY_DONE,
                                             PLAY_DONE,  PLAY_DONE, PLAY_STUCK,
                                             PLAY_LIMIT, PLAY_OLD,  PLAY_BROKEN};
    struct ec_error error;
    memset(&b, 0, sizeof b);
    b.t = topology_of(topology);
    b.r = router_of(router, &b.t);
    if (ec_router_set_packet(&b.r, b.r.depth < 4 ? b.r.depth : 1 + (uint32_t)draw(b.r.depth), 12,
                             &error))
        fail_msg("%s", error.message);
    b.state = states[draw(COUNT(states))];
    b.audit.links = ec_topology_links(&b.t);
    b.audit.locals = b.report.locals = ec_router_locals(&b.r, &b.t);
    b.report.ports = b.audit.links + b.audit.locals;
    assert_true((size_t)b.t.nodes * b.report.ports <= CHANNELS);
    b.net.foreign = chance(30);
    b.report.has_prediction = chance(40);
    draw_workload();
    draw_loads();
    draw_report();
    b.has_audit = !b.w.open_loop && chance(80);
    b.audit.link_load = b.loads[0];
    b.audit.inject_load = b.loads[1];
    b.audit.eject_load = b.loads[2];
    if (chance(80)) {
        b.audit.link_words = b.audited[0];
        b.audit.inject_words = b.audited[1];
        b.audit.eject_words = b.audited[2];
    }
    b.audit.flit_hops = 100 + draw(2);
    b.audit.max_channel_load = 1 + (uint32_t)draw(3);
    b.audit.congestion_free = chance(50);
    b.audit.max_hops = (unsigned)draw(3);
    b.ops = (struct ec_net_ops){.name = "made up", .fault = fault_of, .drained = is_drained};
    b.ops.checked_vcs = chance(80) ? are_vcs_checked : NULL;
    b.checked_vcs = chance(70);
    b.net = (struct ec_net){.ops = &b.ops,
                            .topology = &b.t,
                            .router = &b.r,
                            .has_taps = chance(80),
                            .foreign = b.net.foreign,
                            .moved = draw(1000),
                            .in_flight = chance(60) ? 0 : draw(9) - 4,
                            .rtl = chance(80) ? &b.rtl : NULL};
    if (chance(20)) {
        b.rtl = (struct ec_net_rtl){.count = 1 + draw(2), .cycle = draw(9), .node = EC_NONE};
        strcpy(b.rtl.text, "the RTL");
    }
    if (chance(15))
        b.fault = draw_fault("found");
    b.drained = chance(80);
    b.kept = draw_fault("kept");
    b.p.net = &b.net;
    b.p.w = &b.w;
    b.p.options.eject_stall = chance(20) ? 0.1 : 0;
    b.p.options.startup = chance(30) ? (uint32_t)draw(3) : 0;
    draw_board();
    b.flying = chance(50);
}

/* --- What the checks must say ----------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void decide(enum ec_check_id id, bool pass,
                                                         const char *format, ...)
{
    struct expected *x = &b.due[id];
    if (x->verdict == EC_VERDICT_FAIL)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(x->text, sizeof x->text, format, args);
    va_end(args);
    x->verdict = pass ? EC_VERDICT_PASS : EC_VERDICT_FAIL;
}

/* What was decided before stays. */
__attribute__((format(printf, 3, 4))) static void
leave(enum ec_check_id id, enum ec_verdict verdict, const char *format, ...)
{
    struct expected *x = &b.due[id];
    if (x->verdict == EC_VERDICT_FAIL || x->verdict == EC_VERDICT_PASS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(x->text, sizeof x->text, format, args);
    va_end(args);
    x->verdict = verdict;
}

static const char *node_name(uint32_t node)
{
    static char text[2][EC_NAME_SIZE];
    static unsigned turn;
    char *const ret = text[turn++ % 2];
    ec_topology_node_name(&b.t, node, ret, sizeof text[0]);
    return ret;
}

static const char *port_name(unsigned port)
{
    static char text[EC_NAME_SIZE];
    ec_port_name(&b.t, b.audit.locals, port, text, sizeof text);
    return text;
}

static void expect_delivery(void)
{
    const int64_t inside = (int64_t)b.net.in_flight;
    const unsigned long long words = b.p.board.words, packets = b.p.board.packets;
    if (b.p.board.failed)
        decide(EC_CHECK_DELIVERY, false, "what the scoreboard says");
    else if (b.state == PLAY_DONE && b.report.messages != b.w.message_count)
        decide(EC_CHECK_DELIVERY, false,
               "%llu of %zu messages arrived, and nothing more is under "
               "way",
               (unsigned long long)b.report.messages, b.w.message_count);
    else if (b.state == PLAY_DONE)
        decide(EC_CHECK_DELIVERY, true, "%llu words in %llu packets", words, packets);
    else if (b.state == PLAY_STUCK && inside && !b.flying)
        decide(EC_CHECK_DELIVERY, false,
               "all %llu words that nodes sent arrived, but the network counts %" PRId64
               " words that are still in it (wiring error: its count is wrong)",
               words, inside);
    else if (b.state == PLAY_STUCK)
        decide(EC_CHECK_DELIVERY, false,
               "after %llu words nothing more arrives, with %" PRId64 " words in the network",
               words, inside);
    if (b.state == PLAY_DONE)
        decide(EC_CHECK_DRAIN, inside == 0, "%" PRId64 " words left", inside);
    else if (b.state == PLAY_STUCK && inside)
        decide(EC_CHECK_DRAIN, false, "%" PRId64 " words left", inside);
    if (b.state == PLAY_DONE)
        decide(EC_CHECK_PROGRESS, true, "every packet arrived");
}

static void expect_network(void)
{
    char text[400];
    const bool judged = b.fault.found || (b.state == PLAY_DONE && !b.drained);
    if (b.net.rtl && b.rtl.count > 0) {
        ec_net_rtl_text(&b.net, text, sizeof text);
        decide(EC_CHECK_RTL, false, "%s", text);
    } else if (!b.net.rtl) {
        leave(EC_CHECK_RTL, EC_VERDICT_NONE, "no RTL");
    } else if (b.state == PLAY_DONE) {
        decide(EC_CHECK_RTL, true, "no error message after the reset, no end of simulation");
    }
    if (judged) {
        const struct ec_net_fault *f = b.fault.found ? &b.fault : &b.kept;
        decide(f->kind == EC_FAULT_VC ? EC_CHECK_VCS : EC_CHECK_LEDGER, false,
               "cycle %llu, router %s, port %s, VC %u: %s", (unsigned long long)f->cycle,
               node_name(f->node), port_name(f->port), f->vc, f->what);
    } else if (b.state == PLAY_DONE) {
        decide(EC_CHECK_LEDGER, true, "all credits are back");
    }
    if (b.state != PLAY_DONE)
        return;
    if (b.ops.checked_vcs && b.checked_vcs)
        decide(EC_CHECK_VCS, true, "%llu words on their channels", (unsigned long long)b.net.moved);
    else if (b.r.vcs == 1)
        leave(EC_CHECK_VCS, EC_VERDICT_NONE, "one VC");
    else if (b.ops.checked_vcs)
        leave(EC_CHECK_VCS, EC_VERDICT_UNCHECKED, "some packets were not followed");
    else
        leave(EC_CHECK_VCS, EC_VERDICT_UNCHECKED, "the backend does not follow words");
}

static void expect_switching(void)
{
    const bool store = b.r.switching == EC_STORE_AND_FORWARD;
    const struct scoreboard *s = &b.p.board;
    if (store && s->early.found)
        decide(EC_CHECK_SWITCHING, false,
               "store-and-forward: the packet of %u words from node %s to node %s that arrived in "
               "cycle %llu took %llu cycles over %u hops; at least %llu are needed",
               s->early.words, node_name(s->early.src), node_name(s->early.dst),
               (unsigned long long)s->early.cycle, (unsigned long long)s->early.took, s->early.hops,
               (unsigned long long)s->early.least);
    else if (b.net.foreign)
        leave(EC_CHECK_SWITCHING, EC_VERDICT_UNCHECKED, "foreign router");
    else if (store && s->packets > 0)
        decide(EC_CHECK_SWITCHING, true, "%llu packets took their time",
               (unsigned long long)s->packets);
}

/* The first channel that carried another number of words, as a text; false: none. Links of all
 * nodes come first, then injection, then ejection ports. */
static bool find_load(const uint64_t expected[3][CHANNELS], const char *who, char *text,
                      size_t size)
{
    static const char *const kinds[] = {"link", "injection port", "ejection port"};
    const unsigned links = b.audit.links, locals = b.audit.locals;
    for (unsigned kind = 0; kind < 3; kind++) {
        const unsigned per_node = kind == 0 ? links : locals;
        for (size_t i = 0; i < (size_t)b.t.nodes * per_node; i++) {
            const uint32_t node = (uint32_t)(i / per_node);
            const unsigned port = (unsigned)(i % per_node) + (kind == 0 ? 0 : links);
            const uint64_t is = kind == 1 ? b.injected[i] : b.flits[node * (links + locals) + port];
            if (is == expected[kind][i])
                continue;
            snprintf(text, size, "%s %s of router %s carried %llu words, but %s %llu", kinds[kind],
                     port_name(port), node_name(node), (unsigned long long)is, who,
                     (unsigned long long)expected[kind][i]);
            return true;
        }
    }
    return false;
}

static void expect_loads(void)
{
    char text[400];
    const bool audited = b.has_audit && b.audit.link_words;
    const unsigned long long is = b.report.flit_hops,
                             due = audited ? b.audit.flit_hops : b.p.board.hop_words;
    bool found = false;
    if (audited)
        found = find_load(b.audited, "the audit expects", text, sizeof text);
    else if (b.p.board.link_words)
        found = find_load(b.counted, "the paths of the delivered packets need", text, sizeof text);
    if (found)
        decide(EC_CHECK_LOADS, false, "%s", text);
    else if (audited)
        decide(EC_CHECK_LOADS, is == due, "%llu flit-hops, %llu audited; every channel as audited",
               is, due);
    else
        decide(EC_CHECK_LOADS, is == due, "%llu flit-hops measured, %llu = sum of path lengths", is,
               due);
}

/* Do messages that share a channel have to meet? See must_meet() in run/checks.c. */
static bool meet(void)
{
    uint32_t shortest = UINT32_MAX;
    for (size_t i = 0; i < b.w.message_count; i++)
        shortest = b.messages[i].words < shortest ? b.messages[i].words : shortest;
    const bool at_once = b.w.permutation && b.p.options.eject_stall <= 0 && !b.net.foreign;
    const bool longer = shortest > ec_topology_diameter(&b.t) * ec_router_hop(&b.r);
    const bool full = predict_at_full_rate(&b.r);
    if (!at_once || !longer || b.r.switching == EC_STORE_AND_FORWARD)
        return false;
    if (b.r.switching == EC_WORMHOLE && b.r.vcs > 1 && !full)
        return false;
    return b.w.longest <= b.r.packet || (full && b.p.options.startup == 0);
}

/* The first channel with contention and fewer than two messages. */
static bool find_contention(char *text, size_t size)
{
    const unsigned links = b.audit.links, locals = b.audit.locals, ports = links + locals;
    for (size_t i = 0; i < (size_t)b.t.nodes * ports; i++) {
        const uint32_t node = (uint32_t)(i / ports);
        const unsigned port = (unsigned)(i % ports);
        const uint32_t load = port < links ? b.loads[0][node * links + port]
                                           : b.loads[2][node * locals + port - links];
        if (b.contended[i] == 0 || load > 1)
            continue;
        snprintf(text, size, "%llu contended cycles at port %s of router %s, which %s message uses",
                 (unsigned long long)b.contended[i], port_name(port), node_name(node),
                 load == 1 ? "only one" : "no");
        return true;
    }
    return false;
}

static void expect_congestion(void)
{
    char text[400];
    const unsigned long long cycles = b.report.contended_cycles;
    const bool alone = predict_is_alone(&b.r, b.w.longest);
    const bool waits = b.audit.max_channel_load > 1 || b.p.options.eject_stall > 0;
    const bool overtake = ec_router_overtakes(&b.r) && b.w.longest > b.r.packet && waits;
    if (!b.has_audit)
        leave(EC_CHECK_CONGESTION, EC_VERDICT_NONE, "random traffic");
    else if (!b.net.has_taps)
        leave(EC_CHECK_CONGESTION, EC_VERDICT_UNCHECKED, "no taps");
    else if (b.w.order && b.order.by_step && b.audit.congestion_free && alone)
        decide(EC_CHECK_CONGESTION, cycles == 0,
               "%llu contended cycles, no two messages of a step share a channel", cycles);
    else if (b.w.order && !b.order.by_step && b.report.has_prediction)
        decide(EC_CHECK_CONGESTION, cycles == 0,
               "%llu contended cycles, no two messages meet in the prediction", cycles);
    else if (b.w.order && b.order.step)
        leave(EC_CHECK_CONGESTION, EC_VERDICT_NONE,
              "messages of the schedule may meet: %llu contended cycles", cycles);
    else if (!alone || overtake)
        leave(EC_CHECK_CONGESTION, EC_VERDICT_NONE,
              "packets of one message may overtake each other: %llu contended cycles", cycles);
    else if (find_contention(text, sizeof text))
        decide(EC_CHECK_CONGESTION, false, "%s", text);
    else if (b.audit.max_channel_load > 1 && meet() && cycles == 0)
        decide(EC_CHECK_CONGESTION, false,
               "a channel of load %u and messages that must meet there, but no contention",
               b.audit.max_channel_load);
    else
        decide(EC_CHECK_CONGESTION, true,
               "%llu contended cycles, at most %u message%s on a channel", cycles,
               b.audit.max_channel_load, b.audit.max_channel_load == 1 ? "" : "s");
}

static void expect_time(void)
{
    const unsigned long long is = b.report.cycles;
    uint64_t own;
    bool known;
    if (b.report.has_prediction)
        decide(EC_CHECK_TIME, is == b.report.predicted_cycles,
               "%llu cycles measured, %llu predicted", is,
               (unsigned long long)b.report.predicted_cycles);
    else if (b.p.options.eject_stall > 0)
        leave(EC_CHECK_TIME, EC_VERDICT_NONE, "random back-pressure");
    else if (!b.net.foreign)
        leave(EC_CHECK_TIME, EC_VERDICT_NONE, "no closed form");
    else if (ec_predict(&b.t, &b.r, &b.w, b.has_audit ? &b.audit : NULL, b.p.options.startup,
                        &known, &own, NULL) == EC_OK &&
             known)
        leave(EC_CHECK_TIME, EC_VERDICT_UNCHECKED,
              "foreign pipeline; ecube's own would take %llu cycles", (unsigned long long)own);
    else
        leave(EC_CHECK_TIME, EC_VERDICT_UNCHECKED, "foreign pipeline");
}

static void expect_unfinished(void)
{
    const bool applies[EC_CHECK_COUNT] = {[EC_CHECK_RTL] = b.net.rtl,
                                          [EC_CHECK_DELIVERY] = true,
                                          [EC_CHECK_DRAIN] = true,
                                          [EC_CHECK_LEDGER] = true,
                                          [EC_CHECK_VCS] = b.r.vcs > 1,
                                          [EC_CHECK_LOADS] = true,
                                          [EC_CHECK_CONGESTION] = b.has_audit,
                                          [EC_CHECK_TIME] = b.report.has_prediction,
                                          [EC_CHECK_PROGRESS] = true,
                                          [EC_CHECK_STABILITY] = b.w.open_loop};
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (applies[id])
            leave((enum ec_check_id)id, EC_VERDICT_UNCHECKED, "%s", unfinished);
    }
}

static void expect_all(void)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        b.due[id].verdict = b.report.checks[id].verdict;
        strcpy(b.due[id].text, b.report.checks[id].detail);
    }
    expect_delivery();
    expect_network();
    expect_switching();
    if (b.state != PLAY_DONE) {
        expect_unfinished();
        return;
    }
    expect_loads();
    expect_congestion();
    expect_time();
}

/* --- The comparison --------------------------------------------------------------------------- */

static unsigned seen[EC_CHECK_COUNT]; /* verdicts of each check, as bits */

static void compare(const char *topology, const char *router, uint64_t trial)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        const struct ec_check *c = &b.report.checks[id];
        if (c->verdict != b.due[id].verdict || strcmp(c->detail, b.due[id].text) != 0)
            fail_msg("%s %s, trial %u: %s is %d: %s\n  expected %d: %s", topology, router,
                     (unsigned)trial, ec_check_name((enum ec_check_id)id), (int)c->verdict,
                     c->detail, (int)b.due[id].verdict, b.due[id].text);
        seen[id] |= 1u << c->verdict;
    }
    bool open = false;
    struct ec_check *first = NULL;
    for (unsigned id = EC_CHECK_COUNT; id-- > 0;) {
        open |= b.due[id].verdict == EC_VERDICT_OPEN;
        first = b.due[id].verdict == EC_VERDICT_FAIL ? &b.report.checks[id] : first;
    }
    assert_int_equal(checks_open(&b.report), open);
    assert_ptr_equal(checks_first_failure(&b.report), first);
}

static void random_plays_have_the_verdicts_of_the_model(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"mesh:3x2", "depth=4"},
        {"mesh:3x2", "depth=1,vcs=2"},
        {"ring:5", "vcs=2,depth=4,ports=all"},
        {"cube:3", "depth=4,ports=all,switching=cut-through"},
        {"cube:2", "depth=12,switching=store-and-forward"},
        {"mesh:3", "vcs=2,depth=4,va=dynamic"},
        {"torus:3x3", "vcs=4,depth=2,va=dynamic"},
        {"mesh:2x2", "depth=8,link=2"},
        {"mesh:4", "depth=2,stages=2"},
    };
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        const char *const *row = rows[trial % COUNT(rows)];
        key = ec_rng_key(trial, 31);
        drawn = 0;
        draw_play(row[0], row[1]);
        struct scoreboard *const s = &b.p.board;
        struct packet flying = {.left = 1, .words = 1, .injected = 1};
        struct outstanding source = {.ring = &flying, .size = 1, .next = 1};
        s->t = &b.t;
        s->r = &b.r;
        s->layout = ec_word_layout(b.t.address_bits, b.r.vcs);
        uint32_t node_of[64] = {0};
        s->node_of = node_of;
        s->records.own = nodes_all(1);
        s->records.source = &source;
        flying.left = b.flying;
        expect_all();
        checks_judge(&b.report, &b.p, b.state, b.has_audit ? &b.audit : NULL);
        compare(row[0], row[1], trial);
    }
    const unsigned decided = 1u << EC_VERDICT_PASS | 1u << EC_VERDICT_FAIL;
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++)
        assert_int_equal(seen[id] & decided, decided);
}

/* --- Places of elements ----------------------------------------------------------------------- */

enum { PLACES = 12, TRANSFERS = 8, CARRIED = 3, MOVES = 5 };

static struct placement {
    struct ec_schedule s;
    struct ec_place target[PLACES];
    struct ec_transfer transfers[TRANSFERS];
    struct ec_carried carried[TRANSFERS * CARRIED];
    struct ec_local_move moves[MOVES];
    struct ec_message messages[TRANSFERS];
    uint64_t started[TRANSFERS], delivered[TRANSFERS];
    struct order order;
} x;

/* An element, from its origin on: where it is when `transfers` of them have been made. */
struct stop {
    struct ec_place at;
    uint64_t since;
};

/* The stop of an element before transfer `until`: the last one that carried it, and the local moves
 * since then. The moves of a step come before its transfers. */
static struct stop stop_of(uint32_t element, size_t until)
{
    struct stop ret = {{element / x.s.per_node, element % x.s.per_node}, 0};
    size_t move = 0;
    for (size_t i = 0; i <= until; i++) {
        const bool last = i == x.s.transfer_count;
        for (; move < x.s.move_count && (last || x.moves[move].step <= x.transfers[i].step); move++)
            ret.at.slot = x.moves[move].element == element ? x.moves[move].slot : ret.at.slot;
        for (uint32_t k = 0; !last && i < until && k < x.transfers[i].count; k++) {
            const struct ec_carried *c = &x.carried[x.transfers[i].first + k];
            if (c->element == element)
                ret = (struct stop){{x.transfers[i].dst, c->slot}, x.delivered[i]};
        }
    }
    return ret;
}

/* A message that carries its elements from where they are. */
static void draw_transfer(size_t i, uint32_t step)
{
    const size_t count = (size_t)x.s.holders * x.s.per_node;
    struct ec_transfer *t = &x.transfers[i];
    const struct stop from = stop_of((uint32_t)draw(count), i);
    *t = (struct ec_transfer){.step = step,
                              .src = from.at.node,
                              .dst = (uint32_t)draw(b.t.nodes),
                              .first = (uint32_t)x.s.carried_count};
    x.started[i] = from.since + 1 + draw(3);
    for (uint32_t element = 0; element < count && t->count < CARRIED; element++) {
        const struct stop stop = stop_of(element, i);
        if (stop.at.node != t->src || stop.since >= x.started[i] || chance(30))
            continue;
        x.carried[x.s.carried_count++] =
            (struct ec_carried){.element = element, .slot = (uint32_t)draw(3)};
        t->count++;
    }
    x.delivered[i] = x.started[i] + draw(9);
    x.messages[i].words = t->count * x.s.words;
}

static void draw_schedule(void)
{
    memset(&x, 0, sizeof x);
    x.s = (struct ec_schedule){.nodes = b.t.nodes,
                               .per_node = 1 + (uint32_t)draw(3),
                               .words = 1 + (uint32_t)draw(3),
                               .holders = 1 + (uint32_t)draw(4),
                               .target = x.target,
                               .transfers = x.transfers,
                               .carried = x.carried,
                               .moves = x.moves,
                               .move_count = draw(MOVES + 1)};
    uint32_t step = 1;
    for (size_t i = 0; i < x.s.move_count; i++) {
        step += (uint32_t)draw(2);
        x.moves[i] = (struct ec_local_move){
            .step = step, .element = (uint32_t)draw(13), .slot = (uint32_t)draw(3)};
    }
    step = 1;
    const size_t transfers = draw(TRANSFERS + 1);
    for (size_t i = 0; i < transfers; i++) {
        step += (uint32_t)draw(2);
        x.transfers[i].step = step;
        draw_transfer(i, step);
        x.s.transfer_count = i + 1;
    }
    for (uint32_t k = 0; k < x.s.holders * x.s.per_node; k++)
        x.target[k] = stop_of(k, x.s.transfer_count).at;
}

/* One number is another one. */
static void spoil_schedule(void)
{
    const size_t i = x.s.transfer_count ? draw(x.s.transfer_count) : 0;
    const size_t k = draw((size_t)x.s.holders * x.s.per_node);
    struct ec_carried *const c = &x.carried[x.s.carried_count ? draw(x.s.carried_count) : 0];
    switch (draw(9)) {
    case 0:
        x.target[k].node++;
        break;
    case 1:
        x.target[k].slot++;
        break;
    case 2:
        x.transfers[i].src++;
        break;
    case 3:
        c->element = (uint32_t)draw(16);
        break;
    case 4:
        x.messages[i].words += draw(2) ? 1 : UINT32_MAX;
        break;
    case 5:
        x.started[i] -= x.started[i] > 1 ? 1 + draw(2) : 0;
        break;
    case 6:
        x.delivered[i] = draw(2) ? 0 : x.delivered[i] + draw(9);
        break;
    case 7:
        c->slot++;
        break;
    default:
        break;
    }
}

/* The first thing that is wrong; false: nothing is. */
static bool find_misplaced(char *text, size_t size)
{
    const uint32_t count = x.s.holders * x.s.per_node;
    for (size_t i = 0; i < x.s.transfer_count; i++) {
        const struct ec_transfer *t = &x.transfers[i];
        if (x.delivered[i] == 0) {
            snprintf(text, size, "message %zu of step %u was never delivered", i, t->step);
            return true;
        }
        if (x.messages[i].words != t->count * x.s.words) {
            snprintf(text, size,
                     "step %u: node %u sends %u elements of %u words in a message of %u words",
                     t->step, t->src, t->count, x.s.words, x.messages[i].words);
            return true;
        }
        for (uint32_t k = 0; k < t->count; k++) {
            const uint32_t element = x.carried[t->first + k].element;
            if (element >= count) {
                snprintf(text, size, "step %u: there is no element %u", t->step, element);
                return true;
            }
            struct stop stop = stop_of(element, i);
            for (uint32_t first = 0; first < k; first++) { /* it was carried away already */
                const struct ec_carried *c = &x.carried[t->first + first];
                if (c->element == element)
                    stop = (struct stop){{t->dst, c->slot}, x.delivered[i]};
            }
            if (stop.at.node == t->src && stop.since < x.started[i])
                continue;
            snprintf(text, size,
                     "step %u: node %u began in cycle %llu to send element %u, which was in node "
                     "%u from cycle %llu on",
                     t->step, t->src, (unsigned long long)x.started[i], element, stop.at.node,
                     (unsigned long long)stop.since);
            return true;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const struct ec_place is = stop_of(k, x.s.transfer_count).at, should = x.target[k];
        if (is.node == should.node && is.slot == should.slot)
            continue;
        snprintf(text, size, "element %u ended in node %u slot %u, its target is node %u slot %u",
                 k, is.node, is.slot, should.node, should.slot);
        return true;
    }
    return false;
}

static void elements_are_followed_one_by_one(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (uint64_t trial = 0; trial < 20000; trial++) {
        char text[400];
        key = ec_rng_key(trial, 37);
        drawn = 0;
        draw_play("mesh:3x2", "depth=4");
        draw_schedule();
        spoil_schedule();
        b.state = PLAY_DONE;
        b.w.open_loop = false;
        b.p.board.failed = false;
        b.w.messages = x.messages;
        b.w.message_count = b.report.messages = x.s.transfer_count;
        b.p.options.schedule = &x.s;
        x.order.started = x.started;
        x.order.delivered = x.delivered;
        b.p.board.order = &x.order;
        struct ec_check *const c = &b.report.checks[EC_CHECK_DELIVERY];
        *c = (struct ec_check){0};
        const bool bad = find_misplaced(text, sizeof text);
        if (!bad)
            snprintf(text, sizeof text, "%llu words in %llu packets; %u elements at their targets",
                     (unsigned long long)b.p.board.words, (unsigned long long)b.p.board.packets,
                     x.s.holders * x.s.per_node);
        checks_judge(&b.report, &b.p, b.state, NULL);
        if (c->verdict != (bad ? EC_VERDICT_FAIL : EC_VERDICT_PASS) || strcmp(c->detail, text) != 0)
            fail_msg("trial %u: %d: %s\n  expected %s", (unsigned)trial, (int)c->verdict, c->detail,
                     text);
        wrong += bad;
    }
    assert_between(wrong, 5000, 15000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("random plays have the verdicts of the model",
             random_plays_have_the_verdicts_of_the_model),
        TEST("elements are followed one by one", elements_are_followed_one_by_one),
    };
    return cmocka_run_group_tests_name("verdicts model", tests, NULL, NULL);
}
