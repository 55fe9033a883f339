/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnoses of real runs: one word or credit is lost, altered, invented or misrouted at a random
 * place, and the report must name this router, port and cycle.
 *
 * The routers are sound. The test changes what the replay shows of them: at one end of a wire,
 * which is a broken wire, or at both ends, which is a broken router. */
#include "rig.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "ecube/tile.h"
#include "network/names.h"

enum { SHOTS = 1 << 14, VCS = 8, EDITS = 4, FAILS_IN = 150, TRIES = 2000 };

/* What a router got and showed in a cycle. */
struct shot {
    uint64_t cycle, in_valid, out_valid;
    uint32_t node;
    uint64_t in_word[EC_TILE_PORTS_MAX], out_word[EC_TILE_PORTS_MAX];
    uint64_t in_credit[VCS], out_credit[VCS];
};

/* A change of what is shown of a router in a cycle. */
struct edit {
    uint64_t cycle;
    uint32_t node;
    bool out, credit; /* of an output; a credit appears or disappears; else a word: */
    unsigned port, vc;
    uint64_t word; /* 0: none */
};

static struct {
    struct shot shots[SHOTS];
    size_t shot_count;
    struct edit edits[EDITS];
    size_t edit_count, edited;
    const struct ec_net_ops *real;
    struct ec_net_ops ops;
    const struct ec_net_watch *inner;
    struct ec_net_watch outer;
    struct ec_net_fault fault;
    struct rig rig;
    uint64_t key, drawn;
} m;

static unsigned draw(uint64_t below)
{
    return (unsigned)ec_rng_below(ec_rng_draw(m.key, m.drawn++), below);
}

static bool bit(uint64_t mask, unsigned k)
{
    return mask >> k & 1;
}

/* --- What is shown ---------------------------------------------------------------------------- */

static void copy(struct shot *s, const struct ec_net_seen *seen)
{
    *s = (struct shot){.cycle = seen->cycle,
                       .in_valid = seen->in_valid,
                       .out_valid = seen->out_valid,
                       .node = seen->node};
    for (unsigned port = 0; port < EC_TILE_PORTS_MAX; port++) {
        if (bit(seen->in_valid, port))
            s->in_word[port] = seen->in_word[port];
        if (bit(seen->out_valid, port))
            s->out_word[port] = seen->out_word[port];
    }
    memcpy(s->in_credit, seen->in_credit, m.rig.r.vcs * sizeof *s->in_credit);
    memcpy(s->out_credit, seen->out_credit, m.rig.r.vcs * sizeof *s->out_credit);
}

static void record(void *context, const struct ec_net_seen *seen)
{
    (void)context;
    if (m.shot_count < SHOTS)
        copy(&m.shots[m.shot_count++], seen);
}

static void apply(struct shot *s, const struct edit *e)
{
    const uint64_t mask = UINT64_C(1) << e->port;
    uint64_t *valid = e->out ? &s->out_valid : &s->in_valid;
    m.edited++;
    if (e->credit) {
        (e->out ? s->out_credit : s->in_credit)[e->vc] ^= mask;
        return;
    }
    (e->out ? s->out_word : s->in_word)[e->port] = e->word;
    *valid = e->word ? *valid | mask : *valid & ~mask;
}

static void show(void *context, const struct ec_net_seen *seen)
{
    struct shot s;
    struct ec_net_seen changed = *seen;
    (void)context;
    copy(&s, seen);
    for (size_t i = 0; i < m.edit_count; i++) {
        if (m.edits[i].cycle == s.cycle && m.edits[i].node == s.node)
            apply(&s, &m.edits[i]);
    }
    changed.in_valid = s.in_valid;
    changed.out_valid = s.out_valid;
    changed.in_word = s.in_word;
    changed.out_word = s.out_word;
    changed.in_credit = s.in_credit;
    changed.out_credit = s.out_credit;
    m.inner->router(m.inner->context, &changed);
}

static void end_cycle(void *context, uint64_t cycle)
{
    (void)context;
    if (m.inner->cycle)
        m.inner->cycle(m.inner->context, cycle);
}

static void reset(void *context)
{
    (void)context;
    if (m.inner->reset)
        m.inner->reset(m.inner->context);
}

/* Watchers of the run itself see what is true: there are none in a replay. */
static void watch(struct ec_net *net, const struct ec_net_watch *inner)
{
    m.inner = inner;
    m.outer = (struct ec_net_watch){
        .router = show, .cycle = end_cycle, .reset = reset, .nodes = inner ? inner->nodes : NULL};
    m.real->watch(net, inner ? &m.outer : NULL);
}

static const struct ec_net_fault *fault(const struct ec_net *net)
{
    m.fault.found = net->cycle >= FAILS_IN;
    return &m.fault;
}

static bool owes_credits(const struct ec_net *net, struct ec_net_fault *ret)
{
    (void)net;
    *ret = m.fault;
    ret->found = true;
    return false;
}

/* --- Runs ------------------------------------------------------------------------------------- */

struct network {
    const char *topology, *router, *workload;
};

static const struct ec_run_options options = {.cycles = 400, .seed = 1};

/* A run without a defect; all that its routers got and showed. */
static void open_network(const struct network *n)
{
    const struct ec_net_watch recorder = {.router = record};
    const struct ec_net_watch *const watches[] = {&recorder};
    struct ec_run_options watched = options;
    rig_open(&m.rig,
             &(struct ec_case_spec){.topology = n->topology, .router = n->router, .longest = 8});
    m.real = m.rig.net->ops;
    m.shot_count = m.edit_count = 0;
    watched.watches = watches;
    watched.watch_count = 1;
    struct trial trial = rig_run(&m.rig, n->workload, &watched);
    trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
    trial_close(&trial);
}

/* The same run again, which fails in cycle FAILS_IN. */
static struct trial run_failing(const struct network *n, const struct ec_failure_options *failure)
{
    struct ec_run_options failing = options;
    failing.failure = failure;
    m.ops = *m.real;
    m.ops.watch = watch;
    m.ops.fault = fault;
    m.fault = (struct ec_net_fault){.cycle = FAILS_IN, .node = 0, .what = "a fault"};
    m.edited = 0;
    m.rig.net->ops = &m.ops;
    struct trial trial = rig_run(&m.rig, n->workload, &failing);
    m.rig.net->ops = m.real;
    trial.options.failure = NULL; /* it ends here */
    return trial;
}

/* --- Defects ---------------------------------------------------------------------------------- */

static const struct shot *shot_of(uint64_t cycle, uint32_t node)
{
    for (size_t i = 0; i < m.shot_count; i++) {
        if (m.shots[i].cycle == cycle && m.shots[i].node == node)
            return &m.shots[i];
    }
    return NULL;
}

static void edit(struct edit e)
{
    assert_true(m.edit_count < EDITS);
    m.edits[m.edit_count++] = e;
}

/* Where a defect is, and what a diagnosis says of it. */
struct defect {
    uint64_t cycle;
    uint32_t node;
    unsigned port;
    const char *side; /* "port" of a broken wire; "output" or "input" of a router */
    uint64_t word;    /* of a broken wire; 0: a credit */
    unsigned vc;      /* of the credit */
    char what[200];   /* behind the word or credit */
};

/* A random place of a kind: a router that is seen, and a port; at a link also its other end. */
struct spot {
    const struct shot *here, *there; /* there: when it arrives; NULL: local */
    unsigned port, back, vc;
};

enum where { AT_LINK, AT_NODE };

static bool draw_spot(enum where where, struct spot *ret)
{
    const unsigned links = ec_topology_links(&m.rig.t);
    const unsigned locals = ec_router_locals(&m.rig.r, &m.rig.t);
    *ret = (struct spot){.here = &m.shots[draw(m.shot_count)], .vc = draw(m.rig.r.vcs)};
    if (ret->here->cycle + 40 > FAILS_IN)
        return false;
    ret->port = where == AT_NODE ? links + draw(locals) : draw(links);
    if (where == AT_NODE)
        return true;
    const uint32_t peer = ec_topology_neighbor(&m.rig.t, ret->here->node, ret->port);
    ret->back = ec_topology_reverse(&m.rig.t, ret->port);
    ret->there = peer == EC_NONE ? NULL : shot_of(ret->here->cycle + m.rig.r.link, peer);
    return ret->there != NULL;
}

/* Makes a defect of this kind there; false: there is nothing to spoil. */
typedef bool kind(const struct spot *s, struct defect *ret);

static void say(struct defect *d, const char *before, uint32_t node, const char *after)
{
    char router[64];
    ec_topology_node_name(&m.rig.t, node, router, sizeof router);
    snprintf(d->what, sizeof d->what, "%s%s%s (wiring error)", before, router, after);
}

static void at_sender(const struct spot *s, struct defect *ret)
{
    *ret = (struct defect){.cycle = s->there->cycle,
                           .node = s->here->node,
                           .port = s->port,
                           .side = "port",
                           .vc = s->vc};
    say(ret, "leaves but does not arrive at router ", s->there->node, "");
}

static void at_receiver(const struct spot *s, struct defect *ret)
{
    *ret = (struct defect){.cycle = s->there->cycle,
                           .node = s->there->node,
                           .port = s->back,
                           .side = "port",
                           .vc = s->vc};
    say(ret, "arrives, but router ", s->here->node, " did not send it");
}

static bool wire_loses_word(const struct spot *s, struct defect *ret)
{
    at_sender(s, ret);
    ret->word = s->here->out_word[s->port];
    edit((struct edit){s->there->cycle, s->there->node, .port = s->back});
    return bit(s->here->out_valid, s->port);
}

static bool wire_alters_word(const struct spot *s, struct defect *ret)
{
    at_sender(s, ret);
    ret->word = s->here->out_word[s->port];
    edit((struct edit){s->there->cycle, s->there->node, .port = s->back, .word = ret->word ^ 1});
    return bit(s->here->out_valid, s->port);
}

static bool wire_invents_word(const struct spot *s, struct defect *ret)
{
    at_receiver(s, ret);
    ret->word = EC_WORD_VALID | 5;
    edit((struct edit){s->there->cycle, s->there->node, .port = s->back, .word = ret->word});
    return !bit(s->here->out_valid, s->port);
}

static bool wire_loses_credit(const struct spot *s, struct defect *ret)
{
    at_sender(s, ret);
    edit((struct edit){s->there->cycle, s->there->node, .credit = true, .port = s->back,
                       .vc = s->vc});
    return bit(s->here->out_credit[s->vc], s->port);
}

static bool wire_invents_credit(const struct spot *s, struct defect *ret)
{
    at_receiver(s, ret);
    edit((struct edit){s->there->cycle, s->there->node, .credit = true, .port = s->back,
                       .vc = s->vc});
    return !bit(s->here->out_credit[s->vc], s->port);
}

/* A local port is named at its router. */
static bool at_node(const struct spot *s, bool out, bool credit, bool had, const char *what,
                    struct defect *ret)
{
    const struct shot *h = s->here;
    *ret = (struct defect){
        .cycle = h->cycle + out, .node = h->node, .port = s->port, .side = "port", .vc = s->vc};
    snprintf(ret->what, sizeof ret->what, "%s (wiring error)", what);
    struct edit e = {h->cycle, h->node, out, credit, s->port, s->vc, 0};
    if (!credit) {
        ret->word = !had ? EC_WORD_VALID | 5 : (out ? h->out_word : h->in_word)[s->port];
        e.word = had ? 0 : ret->word;
    }
    edit(e);
    const uint64_t mask =
        credit ? (out ? h->out_credit : h->in_credit)[s->vc] : (out ? h->out_valid : h->in_valid);
    return bit(mask, s->port) == had;
}

static bool node_is_not_heard(const struct spot *s, struct defect *ret)
{
    return at_node(s, false, draw(2), true, "leaves the node but does not arrive at the router",
                   ret);
}

static bool node_is_misheard(const struct spot *s, struct defect *ret)
{
    return at_node(s, false, draw(2), false, "arrives, but the node did not send it", ret);
}

static bool node_hears_more(const struct spot *s, struct defect *ret)
{
    return at_node(s, true, draw(2), true, "arrives at the node, but the router did not send it",
                   ret);
}

static bool node_hears_less(const struct spot *s, struct defect *ret)
{
    return at_node(s, true, draw(2), false, "leaves but does not arrive at the node", ret);
}

/* A router: both ends of its link agree. */
static void edit_link(const struct spot *s, unsigned port, unsigned back, const struct shot *there,
                      bool credit, uint64_t word)
{
    edit((struct edit){s->here->cycle, s->here->node, true, credit, port, s->vc, word});
    edit((struct edit){there->cycle, there->node, false, credit, back, s->vc, word});
}

static void at_output(const struct spot *s, const char *side, struct defect *ret)
{
    *ret = (struct defect){
        .cycle = s->here->cycle + 1, .node = s->here->node, .port = s->port, .side = side};
}

static bool router_alters_word(const struct spot *s, struct defect *ret)
{
    at_output(s, "output", ret);
    edit_link(s, s->port, s->back, s->there, false, s->here->out_word[s->port] ^ 1);
    return bit(s->here->out_valid, s->port);
}

/* It has returned the credit, so the word is missing at the input by which it came. */
static bool router_swallows_word(const struct spot *s, struct defect *ret)
{
    const uint64_t word = s->here->out_word[s->port] & ~ec_word_vc_mask(m.rig.r.vcs);
    at_output(s, "input", ret);
    edit_link(s, s->port, s->back, s->there, false, 0);
    for (size_t i = 0; i < m.shot_count && bit(s->here->out_valid, s->port); i++) {
        const struct shot *x = &m.shots[i];
        for (unsigned port = 0; port < EC_TILE_PORTS_MAX; port++) {
            if (x->node == ret->node && x->cycle <= s->here->cycle && bit(x->in_valid, port) &&
                (x->in_word[port] & ~ec_word_vc_mask(m.rig.r.vcs)) == word) {
                ret->port = port;
                return true;
            }
        }
    }
    return false;
}

static bool router_doubles_word(const struct spot *s, struct defect *ret)
{
    const struct shot *before = shot_of(s->here->cycle - 1, s->here->node);
    at_output(s, "output", ret);
    if (!before || !bit(before->out_valid, s->port) || bit(s->here->out_valid, s->port))
        return false;
    edit_link(s, s->port, s->back, s->there, false, before->out_word[s->port]);
    return true;
}

/* It leaves by another port. */
static bool router_misroutes_word(const struct spot *s, struct defect *ret)
{
    const unsigned other = draw(ec_topology_links(&m.rig.t));
    const uint32_t peer = ec_topology_neighbor(&m.rig.t, s->here->node, other);
    const struct shot *there =
        peer == EC_NONE ? NULL : shot_of(s->here->cycle + m.rig.r.link, peer);
    at_output(s, "output", ret);
    if (!there || !bit(s->here->out_valid, s->port) || bit(s->here->out_valid, other))
        return false;
    edit_link(s, s->port, s->back, s->there, false, 0);
    edit_link(s, other, ec_topology_reverse(&m.rig.t, other), there, false,
              s->here->out_word[s->port]);
    ret->port = other;
    return true;
}

static bool router_keeps_credit(const struct spot *s, struct defect *ret)
{
    at_output(s, "input", ret);
    edit_link(s, s->port, s->back, s->there, true, 0);
    return bit(s->here->out_credit[s->vc], s->port);
}

static bool router_doubles_credit(const struct spot *s, struct defect *ret)
{
    at_output(s, "input", ret);
    edit_link(s, s->port, s->back, s->there, true, 0);
    return !bit(s->here->out_credit[s->vc], s->port);
}

static const struct {
    const char *name;
    kind *make;
    enum where where;
} kinds[] = {
    {"a wire loses a word", wire_loses_word, AT_LINK},
    {"a wire alters a word", wire_alters_word, AT_LINK},
    {"a wire invents a word", wire_invents_word, AT_LINK},
    {"a wire loses a credit", wire_loses_credit, AT_LINK},
    {"a wire invents a credit", wire_invents_credit, AT_LINK},
    {"a node is not heard", node_is_not_heard, AT_NODE},
    {"a router hears what no node said", node_is_misheard, AT_NODE},
    {"a node hears what no router said", node_hears_more, AT_NODE},
    {"a node does not hear", node_hears_less, AT_NODE},
    {"a router alters a word", router_alters_word, AT_LINK},
    {"a router swallows a word", router_swallows_word, AT_LINK},
    {"a router sends a word twice", router_doubles_word, AT_LINK},
    {"a router misroutes a word", router_misroutes_word, AT_LINK},
    {"a router keeps a credit", router_keeps_credit, AT_LINK},
    {"a router returns a credit twice", router_doubles_credit, AT_LINK},
};

static void make_defect(size_t k, struct defect *ret)
{
    for (unsigned tries = 0; tries < TRIES; tries++) {
        struct spot spot;
        m.edit_count = 0;
        if (draw_spot(kinds[k].where, &spot) && kinds[k].make(&spot, ret))
            return;
    }
    fail_msg("%s: no place for it in this run", kinds[k].name);
}

/* --- What a report must say ------------------------------------------------------------------- */

/* The words of the cause, separated by '|'. */
static void due_text(const struct defect *d, char *buffer, size_t size)
{
    char router[64], port[EC_NAME_SIZE], word[EC_NAME_SIZE];
    const struct ec_word_layout layout = ec_word_layout(m.rig.t.address_bits, m.rig.r.vcs);
    ec_topology_node_name(&m.rig.t, d->node, router, sizeof router);
    ec_port_name(&m.rig.t, ec_router_locals(&m.rig.r, &m.rig.t), d->port, port, sizeof port);
    int used = snprintf(buffer, size, "cause: cycle %llu, router %s, %s %s",
                        (unsigned long long)d->cycle, router, d->side, port);
    if (!d->what[0])
        return;
    ec_word_name(&m.rig.t, &layout, d->word, word, sizeof word);
    if (d->word)
        snprintf(buffer + used, size - (size_t)used, ": word |%s %s; noticed: cycle %d, ", word,
                 d->what, FAILS_IN);
    else if (m.rig.r.vcs > 1)
        snprintf(buffer + used, size - (size_t)used, ": a credit of VC %u %s; noticed: ", d->vc,
                 d->what);
    else
        snprintf(buffer + used, size - (size_t)used, ": a credit %s; noticed: ", d->what);
}

static void assert_told(const struct trial *trial, const char *name, const struct defect *d)
{
    const struct ec_check *c = &trial->report->checks[EC_CHECK_LEDGER];
    char due[500], *rest = due;
    due_text(d, due, sizeof due);
    if (m.edited == 0)
        trial_fail(trial, "%s: nothing was changed", name);
    const char *at = c->detail;
    for (const char *part; (part = strsep(&rest, "|"));) {
        at = strstr(at, part);
        if (!at)
            trial_fail(trial, "%s: '%s'\nexpected '%s'", name, c->detail, part);
    }
    if (strncmp(c->detail, "cause: ", 7) != 0 || trial->report->outcome != EC_RUN_BROKEN)
        trial_fail(trial, "%s: no cause", name);
}

static const struct network networks[] = {
    {"cube:3", "", "uniform:rate=0.3,m=4"},
    {"cube:3", "ports=all", "uniform:rate=0.5,m=4"},
    {"torus:4x4", "vcs=2", "uniform:rate=0.3,m=4"},
    {"cube:3", "link=4", "uniform:rate=0.3,m=3"},
    {"torus:4x4", "vcs=4,link=2", "uniform:rate=0.3,m=4"},
};

static void the_place_is_named(NO_STATE)
{
    for (size_t n = 0; n < COUNT(networks); n++) {
        m.key = n;
        open_network(&networks[n]);
        for (size_t k = 0; k < 4 * COUNT(kinds); k++) {
            struct defect defect = {0};
            make_defect(k % COUNT(kinds), &defect);
            struct trial trial = run_failing(&networks[n], NULL);
            assert_told(&trial, kinds[k % COUNT(kinds)].name, &defect);
            trial_close(&trial);
        }
    }
    rig_close(&m.rig);
}

/* Nothing is wrong with what is shown. */
static void sound_routers_are_not_blamed(NO_STATE)
{
    for (size_t n = 0; n < COUNT(networks); n++) {
        open_network(&networks[n]);
        struct trial trial = run_failing(&networks[n], NULL);
        const char *detail = trial.report->checks[EC_CHECK_LEDGER].detail;
        if (strncmp(detail, "cycle 150, router 0 ", 20) != 0 ||
            !strstr(detail, "; no router and no wire broke the contract"))
            trial_fail(&trial, "a router is blamed");
        trial_close(&trial);
    }
    rig_close(&m.rig);
}

/* Does a word come in by this port later? */
static bool gets_more(const struct spot *s)
{
    for (size_t i = 0; i < m.shot_count; i++) {
        const struct shot *x = &m.shots[i];
        if (x->node == s->here->node && x->cycle > s->here->cycle && bit(x->in_valid, s->port))
            return true;
    }
    return false;
}

/* A foreign router may return credits late: at the end they are missing. */
static void a_late_credit_is_missing_at_the_end(NO_STATE)
{
    const struct network n = {"torus:4x4", "vcs=2", "randperm:m=8"};
    m.key = 99;
    open_network(&n);
    for (unsigned k = 0; k < 12; k++) {
        struct spot s;
        m.edit_count = 0;
        while (!draw_spot(AT_LINK, &s) || !bit(s.here->out_credit[s.vc], s.port) || gets_more(&s))
            ;
        edit_link(&s, s.port, s.back, s.there, true, 0);
        m.ops = *m.real;
        m.ops.watch = watch;
        m.ops.drained = owes_credits;
        m.fault = (struct ec_net_fault){.cycle = 7, .node = 3, .what = "a credit is missing"};
        m.rig.net->ops = &m.ops;
        m.rig.net->foreign = true;
        struct trial trial = rig_run(&m.rig, n.workload, &(struct ec_run_options){.seed = 1});
        m.rig.net->ops = m.real;
        m.rig.net->foreign = false;
        char router[64], port[EC_NAME_SIZE], place[300];
        ec_topology_node_name(&m.rig.t, s.here->node, router, sizeof router);
        ec_port_name(&m.rig.t, 1, s.port, port, sizeof port);
        snprintf(place, sizeof place,
                 "router %s, input %s VC %u: the router has not returned 1 credit", router, port,
                 s.vc);
        if (!strstr(trial.report->checks[EC_CHECK_LEDGER].detail, place))
            trial_fail(&trial, "expected '%s'", place);
        trial_close(&trial);
    }
    rig_close(&m.rig);
}

/* --- The wave --------------------------------------------------------------------------------- */

static void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

/* The replay tells the same as the run: the wave shows the router and the cycle, and the router at
 * the other end of the port. */
static void the_wave_shows_the_same_place(NO_STATE)
{
    char folder[] = "/tmp/ecube-diagnosis.XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t n = 0; n < 3; n += 2) {
        m.key = 50 + n;
        open_network(&networks[n]);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            struct defect d = {0};
            make_defect(k, &d);
            struct ec_failure_options failure = ec_case_failure_options(m.rig.c);
            failure.folder = folder;
            struct trial trial = run_failing(&networks[n], &failure);
            const struct ec_failure *f = &trial.report->failure;
            assert_told(&trial, kinds[k].name, &d);
            const uint32_t peer = d.port < ec_topology_links(&m.rig.t)
                                      ? ec_topology_neighbor(&m.rig.t, d.node, d.port)
                                      : EC_NONE;
            trial_assert_equal(&trial, "found", f->found, true);
            trial_assert_equal(&trial, "cycle", f->cycle, d.cycle);
            /* The traced router gets what is shown, so its own checks may fail, too. */
            if (f->check_count == 0)
                trial_assert_equal(&trial, "routers", f->node_count, 1u + (peer != EC_NONE));
            trial_assert_equal(&trial, "router", f->nodes[0], d.node);
            if (peer != EC_NONE && f->check_count == 0)
                trial_assert_equal(&trial, "the other end", f->nodes[1], peer);
            trial_assert_equal(&trial, "dump", access(f->wave, R_OK) == 0, true);
            if (f->first > d.cycle || f->last < d.cycle)
                trial_fail(&trial, "the wave does not show the failure");
            trial_close(&trial);
        }
    }
    rig_close(&m.rig);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the router, port and cycle of a defect are named", the_place_is_named),
        TEST("sound routers are not blamed", sound_routers_are_not_blamed),
        TEST("a late credit is missing at the end", a_late_credit_is_missing_at_the_end),
        TEST("the wave shows the same place", the_wave_shows_the_same_place),
    };
    return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
