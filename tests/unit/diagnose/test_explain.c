/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of a failed run, for everything that a replay may find. The linker replaces
 * the replay, the diagnosis and the nodes by stand-ins that follow a script. */
#include "diagnose/failure.h"

#include <stdlib.h>
#include <string.h>

#include "contract/rules.h"
#include "diagnose/diagnosis.h"
#include "unit.h"

/* cube:3 with a local port for each link: port 7 of all nodes is local1 of node 2. */
enum { LOCALS = 3, CYCLE = 500, LAST_MOVE = 440, BOUND = 100 };

/* --- The script ------------------------------------------------------------------------------- */

#define SCRIPT(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

struct script {
    const char *cause; /* with its place; NULL: none */
    uint64_t at;
    uint32_t node;
    unsigned port;
    bool conserves, credits;
    unsigned buffers; /* that wait for each other, at nodes 4, 5, ... */
    bool knot;
    unsigned at_node; /* the one that waits for a local port, from 1 on; 0: none does */
    const char *culprit;
    bool search_short;
    bool unwatched, no_memory, short_later, interrupted; /* no diagnosis */
    uint64_t in_flight, held;
    bool holding, waiting, lost; /* a node holds words back, has a message; a packet is missing */
    bool serves, shared;         /* requests with replies */
    bool foreign;
    uint64_t link; /* cycles; 0: one */
};

static struct {
    struct script s;
    unsigned opened, closed, asked_nodes, stills, drains, replays;
    uint64_t until, still_at, patience, drained_at;
    struct ec_topology t;
    struct ec_router r;
    struct ec_net net;
    struct ec_net_ops ops;
    struct ec_net_rtl rtl;
    struct ec_workload w;
    struct play p;
    struct ec_report report;
    struct failure_place place;
    enum play_state state;
} m;

static const struct ec_net_watch watch;
static const void *const the_diagnosis = &m;

#define STAND_IN(name) __asm__("__wrap_" #name)
struct diagnosis *open_it(const struct ec_net *net) STAND_IN(diagnosis_open);
void close_it(struct diagnosis *d) STAND_IN(diagnosis_close);
void ask_it(struct diagnosis *d, waiting_ask *ask, const void *context)
    STAND_IN(diagnosis_ask_nodes);
const struct ec_net_watch *watch_it(struct diagnosis *d) STAND_IN(diagnosis_watch);
bool short_here(const struct diagnosis *d) STAND_IN(diagnosis_memory_short);
void drained_here(struct diagnosis *d, uint64_t cycle) STAND_IN(diagnosis_drained);
void still_here(struct diagnosis *d, uint64_t cycle, uint64_t patience) STAND_IN(diagnosis_still);
const char *cause_here(struct diagnosis *d) STAND_IN(diagnosis_cause);
bool place_here(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node,
                unsigned *ret_port) STAND_IN(diagnosis_place);
bool conserves_here(const struct diagnosis *d) STAND_IN(diagnosis_conserves);
bool credits_here(const struct diagnosis *d) STAND_IN(diagnosis_about_credits);
bool waiting_here(const struct diagnosis *d, struct waiting_found *ret, struct ec_node_set *nodes)
    STAND_IN(diagnosis_waiting);
bool again_here(struct play *p, const struct ec_net_watch *w, uint64_t until) STAND_IN(play_again);
bool holding_here(const struct receivers *r, uint32_t *ret_port) STAND_IN(receivers_holding);
bool sends_here(const struct senders *s, uint64_t now, uint32_t *ret_port, unsigned *ret_vc)
    STAND_IN(senders_waiting);
bool oldest_here(const struct scoreboard *s, uint32_t *ret_src, uint32_t *ret_dst,
                 uint64_t *ret_cycle) STAND_IN(scoreboard_oldest);
bool refuse_here(const struct receivers *r, uint32_t port, unsigned vc) STAND_IN(receivers_refuse);
unsigned reply_here(const struct senders *s, uint32_t port) STAND_IN(senders_reply_waits);
uint32_t held_here(const struct service *s, uint32_t node) STAND_IN(service_held);

struct diagnosis *open_it(const struct ec_net *net)
{
    assert_ptr_equal(net, &m.net);
    if (m.s.no_memory)
        return NULL;
    m.opened++;
    return (struct diagnosis *)&m;
}

void close_it(struct diagnosis *d)
{
    m.closed += d != NULL;
}

/* A request is refused at port 7 of all, VC 1, alone; its replies wait on VCs that tell the port.
 */
bool refuse_here(const struct receivers *r, uint32_t port, unsigned vc)
{
    assert_ptr_equal(r, &m.p.receivers);
    return port == 7 && vc == 1;
}

unsigned reply_here(const struct senders *s, uint32_t port)
{
    assert_ptr_equal(s, &m.p.senders);
    return port;
}

uint32_t held_here(const struct service *s, uint32_t node)
{
    assert_ptr_equal(s, m.p.service);
    return 10 + node;
}

void ask_it(struct diagnosis *d, waiting_ask *ask, const void *context)
{
    struct waiting_refusal refusal;
    assert_ptr_equal(d, the_diagnosis);
    m.asked_nodes++;
    assert_false(ask(context, 2, 1, 0, &refusal));
    assert_false(ask(context, 2, 0, 1, &refusal));
    assert_true(ask(context, 2, 1, 1, &refusal));
    assert_int_equal(refusal.held, 12);
    for (unsigned local = 0; local < EC_TILE_PORTS_MAX; local++)
        assert_int_equal(refusal.replies[local], local < LOCALS ? 6 + local : 0);
}

const struct ec_net_watch *watch_it(struct diagnosis *d)
{
    assert_ptr_equal(d, the_diagnosis);
    return &watch;
}

bool short_here(const struct diagnosis *d)
{
    assert_ptr_equal(d, the_diagnosis);
    return m.s.short_later;
}

void drained_here(struct diagnosis *d, uint64_t cycle)
{
    assert_ptr_equal(d, the_diagnosis);
    m.drains++;
    m.drained_at = cycle;
}

void still_here(struct diagnosis *d, uint64_t cycle, uint64_t patience)
{
    assert_ptr_equal(d, the_diagnosis);
    m.stills++;
    m.still_at = cycle;
    m.patience = patience;
}

const char *cause_here(struct diagnosis *d)
{
    assert_ptr_equal(d, the_diagnosis);
    return m.s.cause;
}

bool place_here(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node,
                unsigned *ret_port)
{
    assert_ptr_equal(d, the_diagnosis);
    if (!m.s.cause)
        return false;
    *ret_cycle = m.s.at;
    *ret_node = m.s.node;
    *ret_port = m.s.port;
    return true;
}

bool conserves_here(const struct diagnosis *d)
{
    assert_ptr_equal(d, the_diagnosis);
    return m.s.conserves;
}

bool credits_here(const struct diagnosis *d)
{
    assert_ptr_equal(d, the_diagnosis);
    return m.s.credits;
}

bool waiting_here(const struct diagnosis *d, struct waiting_found *ret, struct ec_node_set *nodes)
{
    assert_ptr_equal(d, the_diagnosis);
    *ret = (struct waiting_found){.count = m.s.buffers,
                                  .knot = m.s.knot,
                                  .culprit = m.s.culprit ? strdup(m.s.culprit) : NULL,
                                  .memory_short = m.s.search_short};
    if (m.s.culprit)
        assert_true(ec_node_set_add(nodes, 1));
    if (m.s.buffers == 0)
        return false;
    ret->lines = calloc(m.s.buffers, sizeof *ret->lines);
    ret->inputs = calloc(m.s.buffers, sizeof *ret->inputs);
    for (unsigned k = 0; k < m.s.buffers; k++) {
        ret->lines[k] = strdup("a line");
        /* The first local port is 3. */
        ret->inputs[k] =
            (struct ec_waiting_input){.node = 4 + k, .wants = k + 1 == m.s.at_node ? 3 : 2};
        assert_true(ec_node_set_add(nodes, 4 + k));
    }
    return true;
}

bool again_here(struct play *p, const struct ec_net_watch *w, uint64_t until)
{
    assert_ptr_equal(p, &m.p);
    assert_ptr_equal(w, &watch);
    assert_true(p->stepped == diagnosis_nodes && p->stepped_context == the_diagnosis);
    m.replays++;
    m.until = until;
    p->interrupted = m.s.interrupted;
    return !m.s.interrupted;
}

bool holding_here(const struct receivers *r, uint32_t *ret_port)
{
    assert_ptr_equal(r, &m.p.receivers);
    *ret_port = 7;
    return m.s.holding;
}

bool sends_here(const struct senders *s, uint64_t now, uint32_t *ret_port, unsigned *ret_vc)
{
    assert_ptr_equal(s, &m.p.senders);
    assert_int_equal(now, CYCLE);
    *ret_port = 14;
    *ret_vc = 1;
    return m.s.waiting;
}

bool oldest_here(const struct scoreboard *s, uint32_t *ret_src, uint32_t *ret_dst,
                 uint64_t *ret_cycle)
{
    assert_ptr_equal(s, &m.p.board);
    *ret_src = 6;
    *ret_dst = 3;
    *ret_cycle = 77;
    return m.s.lost;
}

static void watch_nothing(struct ec_net *net, const struct ec_net_watch *w)
{
    (void)net;
    (void)w;
}

static void free_report(void)
{
    for (size_t i = 0; i < m.report.waiting_count; i++)
        free(m.report.waiting[i]);
    free(m.report.waiting);
    free(m.report.waiting_at);
    ec_node_set_free(&m.place.nodes);
}

static void play_script(const struct script *s, enum play_state state)
{
    free_report();
    memset(&m, 0, sizeof m);
    m.s = *s;
    m.state = state;
    m.t = topology_of("cube:3");
    m.r = router_of("ports=all", &m.t);
    m.r.link = s->link ? (unsigned)s->link : 1;
    m.ops.watch = s->unwatched ? NULL : watch_nothing;
    m.net = (struct ec_net){.ops = &m.ops,
                            .topology = &m.t,
                            .router = &m.r,
                            .in_flight = s->in_flight,
                            .foreign = s->foreign};
    m.w.service.shared = s->shared;
    m.w.message_count = 20;
    m.p.net = &m.net;
    m.p.w = &m.w;
    m.p.service = s->serves ? (struct service *)&m.w : NULL;
    m.p.senders.locals = LOCALS;
    m.p.receivers.held_words = s->held;
    m.p.cycle = CYCLE;
    m.p.last_move = LAST_MOVE;
    m.p.age_bound = BOUND;
}

static void assert_nodes(const char *should)
{
    char is[100] = "";
    for (size_t i = 0; i < m.place.nodes.count; i++)
        snprintf(is + strlen(is), sizeof is - strlen(is), "%s%u", i ? " " : "",
                 m.place.nodes.nodes[i]);
    assert_string_equal(is, should);
}

/* --- Nothing moves, or a packet is old -------------------------------------------------------- */

#define CAUSE  "cycle 12, router 5 (101), port dim1: it breaks, and more"
#define WHAT   "router 5 (101), port dim1: it breaks, and more"
#define BREACH .cause = CAUSE, .at = 12, .node = 5, .port = 1
#define NODE2  "node 2 (010), port local1"

struct stand_still {
    const char *name;
    enum ec_outcome outcome;
    const char *detail, *nodes; /* nodes: NULL: none */
    uint64_t cycle;             /* of the place; 0: of the last move */
    bool old;                   /* a packet is; else nothing moves */
    struct script s;
};

static const struct stand_still stand_stills[] = {
    {"a deadlock", EC_RUN_DEADLOCK, "deadlock by cycle 500: 3 buffers wait for each other", "4 5 6",
     .s = SCRIPT(.buffers = 3)},
    {"a deadlock while others move", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 2 buffers wait for each other", "4 5", .old = true,
     .s = SCRIPT(.buffers = 2, .knot = true)},
    {"a deadlock by a breach, after which all words are accounted for", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 3 buffers wait for each other; cause: " CAUSE, "4 5 6",
     .s = SCRIPT(BREACH, .conserves = true, .buffers = 3, .serves = true, .at_node = 2)},
    {"a deadlock by a breach elsewhere", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 1 buffers wait for each other; cause: " CAUSE, "4 0", .old = true,
     .s = SCRIPT(.cause = CAUSE, .at = 12, .node = 0, .port = 1, .conserves = true, .buffers = 1)},
    {"a deadlock by requests that keep replies from leaving", EC_RUN_DEADLOCK,
     "protocol deadlock by cycle 500: 3 buffers wait for each other, since requests keep replies "
     "from leaving the nodes: set classes=2 in the workload, or queue=inf",
     "4 5 6", .s = SCRIPT(.buffers = 3, .serves = true, .shared = true, .at_node = 3)},
    {"a deadlock of requests in lanes of their own", EC_RUN_DEADLOCK,
     "protocol deadlock by cycle 500: 3 buffers wait for each other", "4 5 6",
     .s = SCRIPT(.buffers = 3, .serves = true, .at_node = 1)},
    {"all at once", EC_RUN_DEADLOCK,
     "protocol deadlock by cycle 500: 3 buffers wait for each other, and more than fit the memory, "
     "since requests keep replies from leaving the nodes: set classes=2 in the workload, or "
     "queue=inf",
     "4 5 6",
     .s = SCRIPT(.buffers = 3, .serves = true, .shared = true, .at_node = 1, .search_short = true)},
    {"a breach, and all at once", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 2 buffers wait for each other, and more than fit the memory; "
     "cause: " CAUSE,
     "4 5", .old = true,
     .s = SCRIPT(BREACH, .conserves = true, .buffers = 2, .serves = true, .shared = true,
                 .at_node = 1, .search_short = true)},
    {"a deadlock that passes no node", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 3 buffers wait for each other", "4 5 6",
     .s = SCRIPT(.buffers = 3, .serves = true, .shared = true)},
    {"a deadlock with more buffers than fit the memory", EC_RUN_DEADLOCK,
     "deadlock by cycle 500: 2 buffers wait for each other, and more than fit the memory", "4 5",
     .s = SCRIPT(.buffers = 2, .search_short = true)},
    {"a breach after which nobody knows what buffers hold", EC_RUN_BROKEN,
     "after cycle 441 nothing moves; cause: " CAUSE, "5", 12, .s = SCRIPT(BREACH, .buffers = 3)},
    {"a breach, and a buffer that does not move", EC_RUN_BROKEN,
     "after cycle 441 nothing moves; cause: " CAUSE, "5", 12,
     .s = SCRIPT(BREACH, .conserves = true, .culprit = "router 1: it does not")},
    {"a packet that is never delivered", EC_RUN_BROKEN,
     "livelock: a packet keeps moving but is never delivered; cause: " CAUSE, "5", 12, .old = true,
     .s = SCRIPT(BREACH, .in_flight = 1, .lost = true, .holding = true)},
    {"a buffer that does not move", EC_RUN_BROKEN,
     "after cycle 441 nothing moves: router 1: it does not", "1",
     .s =
         SCRIPT(.culprit = "router 1: it does not", .in_flight = 1, .lost = true, .waiting = true)},
    {"a packet lost outside of the routers", EC_RUN_BROKEN,
     "after cycle 441 nothing moves, and no router holds a word: the packet for node 3 sent in "
     "cycle 77 at router 6 (110) was lost between a node and its router",
     "6", 77, .s = SCRIPT(.in_flight = 1, .lost = true, .holding = true)},
    {"words in flight that no packet has", EC_RUN_BROKEN, "after cycle 441 nothing moves",
     .s = SCRIPT(.in_flight = 1, .waiting = true, .holding = true)},
    {"a node that holds back words", EC_RUN_BROKEN,
     "after cycle 441 nothing moves: " NODE2 " holds back words for ever", "2",
     .s = SCRIPT(.in_flight = 1, .held = 1, .lost = true, .holding = true, .waiting = true)},
    {"a node that does not send", EC_RUN_BROKEN,
     "after cycle 441 nothing moves, and the network is empty: node 4 (100), port local2, VC 1 has "
     "a message, but does not send it (the node lost a credit, or was forgotten)",
     "4", .s = SCRIPT(.lost = true, .waiting = true)},
    {"nothing is known", EC_RUN_BROKEN, "after cycle 441 nothing moves", .s = SCRIPT(.lost = true)},
    {"a search that lacks memory blames nobody", EC_RUN_BROKEN,
     "after cycle 441 nothing moves; out of memory for the reason",
     .s = SCRIPT(.search_short = true, .in_flight = 1, .lost = true, .holding = true)},
    {"no memory for a diagnosis", EC_RUN_BROKEN,
     "after cycle 441 nothing moves; out of memory for the reason",
     .s = SCRIPT(.no_memory = true, .in_flight = 1, .lost = true, .holding = true)},
    {"a diagnosis that ran out of memory", EC_RUN_BROKEN,
     "after cycle 441 nothing moves; out of memory for the reason",
     .s = SCRIPT(BREACH, .short_later = true, .buffers = 2)},
    {"a backend that cannot be watched", EC_RUN_BROKEN, "after cycle 441 nothing moves",
     .s = SCRIPT(.unwatched = true, .in_flight = 1, .lost = true, .holding = true)},
};

static void nothing_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(stand_stills); i++) {
        const struct stand_still *x = &stand_stills[i];
        const struct ec_check *c = &m.report.checks[EC_CHECK_PROGRESS];
        const enum play_state how = x->old ? PLAY_OLD : PLAY_STUCK;
        play_script(&x->s, how);
        if (!explain_stand_still(&m.p, &m.state, &m.report, &m.place))
            fail_msg("%s: the run goes on", x->name);
        if (m.report.outcome != x->outcome || strcmp(c->detail, x->detail) != 0)
            fail_msg("%s: outcome %d, '%s'\nexpected '%s'", x->name, m.report.outcome, c->detail,
                     x->detail);
        assert_int_equal(c->verdict, EC_VERDICT_FAIL);
        assert_int_equal(m.state, how);
        assert_nodes(x->nodes ? x->nodes : "");
        assert_int_equal(m.place.cycle, x->cycle ? x->cycle : LAST_MOVE);
        assert_string_equal(m.place.cause, x->cycle == 12 ? CAUSE : "");
        assert_int_equal(m.place.has_port, x->cycle == 12);
        if (x->cycle == 12)
            assert_int_equal(m.place.port, x->s.port);
        /* A deadlock keeps its own place. */
        const bool searched = x->outcome == EC_RUN_DEADLOCK, caused = searched && x->s.cause;
        assert_int_equal(m.place.begin, caused ? 12 : 0);
        assert_string_equal(m.place.what, caused ? CAUSE : x->cycle == 12 ? WHAT : "");
        assert_int_equal(m.report.protocol, strncmp(x->detail, "protocol", 8) == 0);
        assert_int_equal(m.report.waiting_count, searched ? x->s.buffers : 0);
        assert_int_equal(m.report.waiting_at != NULL && m.report.waiting != NULL, searched);
        assert_int_equal(m.report.knot, searched && x->s.knot);
        assert_int_equal(m.opened, m.closed);
        assert_int_equal(m.replays, !(x->s.unwatched || x->s.no_memory));
        assert_int_equal(m.asked_nodes, x->s.serves);
        assert_null(m.p.stepped);
        assert_int_equal(m.p.age_bound, BOUND);
        if (m.stills) {
            assert_int_equal(m.until, CYCLE);
            assert_int_equal(m.still_at, CYCLE);
            assert_int_equal(m.patience, how == PLAY_STUCK ? 32 : RULES_CREDIT_DELAY);
        }
        assert_int_equal(m.stills, m.replays && !x->s.short_later);
        assert_int_equal(m.drains, 0);
    }
}

/* The diagnosis may have named a culprit: it is about to move. */
static void an_old_packet_that_moves_is_let_go(void **state)
{
    static const struct script scripts[] = {{0},
                                            {.culprit = "router 1: it does not"},
                                            {.in_flight = 1, .lost = true, .waiting = true},
                                            {.no_memory = true},
                                            {.unwatched = true}};
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        play_script(&scripts[i], PLAY_OLD);
        assert_false(explain_stand_still(&m.p, &m.state, &m.report, &m.place));
        assert_int_equal(m.state, PLAY_ON);
        assert_int_equal(m.p.age_bound, 2 * BOUND);
        assert_int_equal(m.report.checks[EC_CHECK_PROGRESS].verdict, EC_VERDICT_NONE);
        assert_string_equal(m.report.checks[EC_CHECK_PROGRESS].detail, "");
        assert_nodes("");
        assert_int_equal(m.opened, m.closed);
    }
}

static void an_interrupted_diagnosis_says_nothing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        play_script(&(struct script){BREACH, .buffers = 2, .interrupted = true},
                    k ? PLAY_OLD : PLAY_STUCK);
        assert_true(explain_stand_still(&m.p, &m.state, &m.report, &m.place));
        assert_int_equal(m.state, PLAY_INTERRUPTED);
        assert_int_equal(m.report.outcome, EC_RUN_INTERRUPTED);
        assert_int_equal(m.report.checks[EC_CHECK_PROGRESS].verdict, EC_VERDICT_NONE);
        assert_nodes("");
        assert_int_equal(m.opened, m.closed);
    }
}

/* --- A check failed --------------------------------------------------------------------------- */

#define NONE EC_CHECK_COUNT
#define EXCUSE                                                                                     \
    "; no router and no wire broke the contract: the error is in the nodes, ledgers, counters or " \
    "predictions of ecube"

struct failed {
    const char *name;
    enum ec_outcome outcome;
    enum ec_check_id first, second; /* failed, with the details "first" and "second"; or NONE */
    enum ec_check_id about;         /* that tells the cause */
    const char *detail;             /* of it */
    uint64_t until, drained;        /* of the replay; 0: none */
    bool schedule, board_failed;
    uint64_t missing; /* messages */
    struct script s;
};

static const struct failed faileds[] = {
    {"all is well", EC_RUN_FINISHED, NONE, NONE, NONE, "", .s = SCRIPT(BREACH)},
    {"a breach", EC_RUN_FINISHED, EC_CHECK_DELIVERY, NONE, EC_CHECK_DELIVERY,
     "cause: " CAUSE "; noticed: first", CYCLE + 1, CYCLE, .s = SCRIPT(BREACH)},
    {"a breach on long links, of a run that did not finish", EC_RUN_BROKEN, EC_CHECK_LEDGER,
     EC_CHECK_TIME, EC_CHECK_LEDGER, "cause: " CAUSE "; noticed: first", CYCLE + 5,
     .s = SCRIPT(BREACH, .link = 5)},
    {"messages of the RTL explain themselves", EC_RUN_BROKEN, EC_CHECK_RTL, EC_CHECK_TIME,
     EC_CHECK_TIME, "cause: " CAUSE "; noticed: second", CYCLE + 1, .s = SCRIPT(BREACH)},
    {"no breach", EC_RUN_FINISHED, EC_CHECK_TIME, NONE, EC_CHECK_TIME, "first" EXCUSE, CYCLE + 2,
     CYCLE, .s = SCRIPT(.link = 2)},
    {"no breach of a foreign router", EC_RUN_FINISHED, EC_CHECK_DELIVERY, NONE, EC_CHECK_DELIVERY,
     "first", CYCLE + 1, CYCLE, .s = SCRIPT(.foreign = true)},
    {"no breach, and nothing moves", EC_RUN_BROKEN, EC_CHECK_PROGRESS, NONE, EC_CHECK_PROGRESS,
     "first", CYCLE + 1, .s = SCRIPT(0)},
    {"no breach, and nothing moves, and more", EC_RUN_BROKEN, EC_CHECK_DELIVERY, EC_CHECK_PROGRESS,
     EC_CHECK_DELIVERY, "first", CYCLE + 1, .s = SCRIPT(0)},
    {"no diagnosis", EC_RUN_FINISHED, EC_CHECK_TIME, NONE, EC_CHECK_TIME, "first",
     .s = SCRIPT(.no_memory = true)},
    {"a deadlock is known", EC_RUN_DEADLOCK, EC_CHECK_PROGRESS, NONE, EC_CHECK_PROGRESS, "first",
     .s = SCRIPT(BREACH)},
    {"an interrupted run", EC_RUN_INTERRUPTED, EC_CHECK_TIME, NONE, EC_CHECK_TIME, "first",
     .s = SCRIPT(BREACH)},
    {"a wrong schedule", EC_RUN_FINISHED, EC_CHECK_DELIVERY, NONE, EC_CHECK_DELIVERY, "first",
     .schedule = true, .s = SCRIPT(BREACH)},
    {"a schedule in which words are missing", EC_RUN_FINISHED, EC_CHECK_DELIVERY, NONE,
     EC_CHECK_DELIVERY, "cause: " CAUSE "; noticed: first", CYCLE + 1, CYCLE, .schedule = true,
     .missing = 1, .s = SCRIPT(BREACH)},
    {"a schedule in which words are wrong", EC_RUN_FINISHED, EC_CHECK_DELIVERY, NONE,
     EC_CHECK_DELIVERY, "cause: " CAUSE "; noticed: first", CYCLE + 1, CYCLE, .schedule = true,
     .board_failed = true, .s = SCRIPT(BREACH)},
    {"a schedule, and another check failed", EC_RUN_FINISHED, EC_CHECK_DELIVERY, EC_CHECK_TIME,
     EC_CHECK_DELIVERY, "cause: " CAUSE "; noticed: first", CYCLE + 1, CYCLE, .schedule = true,
     .s = SCRIPT(BREACH)},
    {"a schedule, and messages of the RTL", EC_RUN_FINISHED, EC_CHECK_RTL, EC_CHECK_DELIVERY,
     EC_CHECK_DELIVERY, "cause: " CAUSE "; noticed: second", CYCLE + 1, CYCLE, .schedule = true,
     .s = SCRIPT(BREACH)},
    {"a schedule, and the last check failed", EC_RUN_FINISHED, EC_CHECK_DELIVERY,
     EC_CHECK_SWITCHING, EC_CHECK_DELIVERY, "cause: " CAUSE "; noticed: first", CYCLE + 1, CYCLE,
     .schedule = true, .s = SCRIPT(BREACH)},
    {"a schedule that did not finish", EC_RUN_LIMIT, EC_CHECK_DELIVERY, NONE, EC_CHECK_DELIVERY,
     "cause: " CAUSE "; noticed: first", CYCLE + 1, .schedule = true, .s = SCRIPT(BREACH)},
    {"an unstable run whose router lost a credit", EC_RUN_FINISHED, EC_CHECK_STABILITY, NONE,
     EC_CHECK_LEDGER, CAUSE, CYCLE + 1, CYCLE, .s = SCRIPT(BREACH, .credits = true)},
    {"an unstable run whose router is slow for another reason", EC_RUN_FINISHED, EC_CHECK_STABILITY,
     NONE, EC_CHECK_PROGRESS, CAUSE, CYCLE + 1, CYCLE, .s = SCRIPT(BREACH)},
    {"an unstable run", EC_RUN_FINISHED, EC_CHECK_STABILITY, NONE, EC_CHECK_STABILITY, "first",
     CYCLE + 1, CYCLE, .s = SCRIPT(0)},
    {"an unstable run of a foreign router", EC_RUN_FINISHED, EC_CHECK_STABILITY, NONE,
     EC_CHECK_STABILITY, "first", .s = SCRIPT(BREACH, .foreign = true)},
};

static void fill_checks(const struct failed *x)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++)
        m.report.checks[id].verdict = EC_VERDICT_PASS;
    const enum ec_check_id ids[] = {x->first, x->second};
    for (unsigned k = 0; k < 2; k++) {
        if (ids[k] == NONE)
            continue;
        m.report.checks[ids[k]].verdict = EC_VERDICT_FAIL;
        snprintf(m.report.checks[ids[k]].detail, 100, "%s", k ? "second" : "first");
    }
    m.report.outcome = x->outcome;
    m.report.messages = 20 - x->missing;
    m.p.options.schedule = x->schedule ? (const void *)&m : NULL;
    m.p.board.failed = x->board_failed;
}

static void a_check_failed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(faileds); i++) {
        const struct failed *x = &faileds[i];
        play_script(&x->s, PLAY_DONE);
        fill_checks(x);
        explain(&m.p, &m.report, &m.place);
        for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
            const struct ec_check *c = &m.report.checks[id];
            const bool failed = id == x->first || id == x->second || id == x->about;
            const char *detail = id == x->about    ? x->detail
                                 : id == x->first  ? "first"
                                 : id == x->second ? "second"
                                                   : "";
            if (c->verdict != (failed ? EC_VERDICT_FAIL : EC_VERDICT_PASS) ||
                strcmp(c->detail, detail) != 0)
                fail_msg("%s: check %u: '%s'\nexpected '%s'", x->name, id, c->detail, detail);
        }
        assert_int_equal(m.until, x->until);
        assert_int_equal(m.drained_at, x->drained);
        assert_int_equal(m.report.outcome, x->outcome);
        const bool placed = x->s.cause && x->until;
        assert_nodes(placed ? "5" : "");
        assert_int_equal(m.place.cycle, placed ? 12 : 0);
        assert_string_equal(m.place.cause, placed ? CAUSE : "");
        assert_int_equal(m.opened, m.closed);
    }
}

/* Then the replay is not repeated, and the text not either. */
static void a_known_cause_is_reported_once(void **state)
{
    static const char *const details[] = {"first", "nothing moves; cause: " CAUSE};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const struct failed x = {
            .outcome = EC_RUN_BROKEN, .first = EC_CHECK_PROGRESS, .second = NONE};
        play_script(&(struct script){BREACH}, PLAY_STUCK);
        fill_checks(&x);
        struct ec_check *c = &m.report.checks[EC_CHECK_PROGRESS];
        snprintf(c->detail, sizeof c->detail, "%s", details[k]);
        snprintf(m.place.cause, sizeof m.place.cause, CAUSE);
        explain(&m.p, &m.report, &m.place);
        assert_string_equal(c->detail, k ? details[1] : "cause: " CAUSE "; noticed: first");
        assert_int_equal(m.replays, 0);
    }
}

static void an_interrupt_while_the_cause_is_sought(void **state)
{
    const struct failed x = {.outcome = EC_RUN_FINISHED, .first = EC_CHECK_TIME, .second = NONE};
    (void)state;
    play_script(&(struct script){BREACH, .interrupted = true}, PLAY_DONE);
    fill_checks(&x);
    explain(&m.p, &m.report, &m.place);
    assert_int_equal(m.report.outcome, EC_RUN_INTERRUPTED);
    assert_string_equal(m.report.checks[EC_CHECK_TIME].detail, "first");
}

/* An open window that waits for messages may be slow, too. */
static void slow_runs_are_explained(void **state)
{
    (void)state;
    for (unsigned missing = 0; missing < 2; missing++) {
        for (unsigned foreign = 0; foreign < 2; foreign++) {
            const struct failed x = {.outcome = EC_RUN_FINISHED, .first = NONE, .second = NONE};
            const bool slow = missing && !foreign;
            play_script(&(struct script){BREACH, .foreign = foreign}, PLAY_DONE);
            fill_checks(&x);
            m.report.checks[EC_CHECK_STABILITY].verdict = EC_VERDICT_OPEN;
            m.report.window_missing = missing;
            assert_int_equal(explain_applies(&m.p, &m.report), slow);
            assert_false(explain_by_wave(&m.p, &m.report));
            explain(&m.p, &m.report, &m.place);
            assert_int_equal(m.replays, slow);
            assert_string_equal(m.report.checks[EC_CHECK_PROGRESS].detail, slow ? CAUSE : "");
        }
    }
}

static void what_a_wave_can_show(void **state)
{
    static const struct {
        enum ec_check_id first, second;
        enum ec_outcome outcome;
        bool schedule, broken, applies, wave;
    } rows[] = {
        {NONE, NONE, EC_RUN_FINISHED, false, false, false, false},
        {EC_CHECK_TIME, NONE, EC_RUN_FINISHED, false, false, true, true},
        {EC_CHECK_RTL, NONE, EC_RUN_BROKEN, false, false, true, true},
        {EC_CHECK_RTL, NONE, EC_RUN_BROKEN, false, true, true, false},
        {EC_CHECK_TIME, NONE, EC_RUN_INTERRUPTED, false, false, true, false},
        {EC_CHECK_STABILITY, NONE, EC_RUN_FINISHED, false, false, true, false},
        {EC_CHECK_STABILITY, EC_CHECK_TIME, EC_RUN_FINISHED, false, false, true, true},
        {EC_CHECK_DELIVERY, NONE, EC_RUN_FINISHED, true, false, true, false},
        {EC_CHECK_SWITCHING, NONE, EC_RUN_DEADLOCK, false, false, true, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct failed x = {.first = rows[i].first,
                                 .second = rows[i].second,
                                 .outcome = rows[i].outcome,
                                 .schedule = rows[i].schedule};
        play_script(&(struct script){0}, PLAY_DONE);
        fill_checks(&x);
        m.rtl.broken = rows[i].broken;
        m.net.rtl = i % 2 || rows[i].broken ? &m.rtl : NULL;
        assert_int_equal(explain_applies(&m.p, &m.report), rows[i].applies);
        assert_int_equal(explain_by_wave(&m.p, &m.report), rows[i].wave);
        assert_int_equal(m.replays, 0);
    }
}

static int close_all(void **state)
{
    (void)state;
    free_report();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("nothing moves: who is to blame", nothing_moves),
        TEST("an old packet that moves is let go", an_old_packet_that_moves_is_let_go),
        TEST("an interrupted diagnosis says nothing", an_interrupted_diagnosis_says_nothing),
        TEST("a check failed: the cause is told", a_check_failed),
        TEST("a known cause is reported once", a_known_cause_is_reported_once),
        TEST("an interrupt while the cause is sought", an_interrupt_while_the_cause_is_sought),
        TEST("a slow run of ecube's own router is explained", slow_runs_are_explained),
        TEST("what a wave can show", what_a_wave_can_show),
    };
    return cmocka_run_group_tests_name("explain", tests, NULL, close_all);
}
