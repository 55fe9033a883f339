/* SPDX-License-Identifier: Apache-2.0 */
/* The time constants of a foreign router: single messages in the idle network, of several lengths,
 * over several paths, with several depths of the buffers. They are kept if one formula gives every
 * time that was measured.
 *
 * Knows networks, paths and the rules for nodes. Must not know why a router takes its time. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/word.h"
#include "network/walk.h"
#include "session/session.h"

enum {
    PATHS = 96,          /* tried */
    DEPTH_PATHS = 4,     /* of these, with every depth */
    LATE = 4096,         /* cycles after which a message counts as lost, and for each */
    LATE_MORE = 64,      /* of its words and hops */
    WORK = 40 * 1000000, /* router-cycles; fewer paths are tried in large networks */
};

/* Lengths of messages: one that fits into a buffer, and some that do not. */
static const uint32_t lengths[] = {1, 2, 3, 7, 20};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

struct probe {
    uint32_t src, dst;
    unsigned first, straight, turns; /* first link; routers between the first and the last */
};

struct calibrator {
    struct ec_case at; /* the case with another depth */
    struct probe probes[PATHS];
    size_t count;
    struct ec_port_events in, out;
    struct ec_calibration *found;
    char *why;
    size_t why_size;
    bool stopped; /* by the callback of the session */
};

/* --- Paths ------------------------------------------------------------------------------------ */

static struct probe probe_of(const struct ec_case *c, uint32_t src, uint32_t dst)
{
    struct probe p = {.src = src, .dst = dst};
    const unsigned per_dim = c->topology.links_per_dim;
    struct ec_walk w = ec_walk_begin(&c->topology, c->router.order, c->router.dateline, src, dst);
    struct ec_hop hop;
    for (unsigned last = EC_NONE; ec_walk_next(&w, &hop); last = hop.link) {
        if (last == EC_NONE)
            p.first = hop.link;
        else if (last / per_dim == hop.link / per_dim)
            p.straight++;
        else
            p.turns++;
    }
    return p;
}

static void add_probe(struct calibrator *k, size_t most, uint32_t src, uint32_t dst)
{
    if (src != dst && k->count < most)
        k->probes[k->count++] = probe_of(&k->at, src, dst);
}

/* One hop, two hops ahead and round a corner, the longest paths, and random ones. */
static void choose_probes(struct calibrator *k)
{
    const uint32_t nodes = k->at.topology.nodes;
    const size_t room = WORK / (nodes * (size_t)100 * LENGTHS);
    const size_t most = room < 12 ? 12 : room < PATHS ? room : PATHS;
    const uint64_t key = ec_rng_key(k->at.spec.seed, nodes);
    for (unsigned d = 0; d < k->at.topology.dims; d++) {
        const uint32_t step = k->at.topology.stride[d];
        add_probe(k, most, 0, step % nodes);
        add_probe(k, most, step % nodes, 0);
        add_probe(k, most, 0, k->at.topology.radix[d] > 2 ? 2 * step : 0);
        add_probe(k, most, 0, d > 0 ? step + k->at.topology.stride[d - 1] : 0);
    }
    add_probe(k, most, 0, nodes - 1);
    add_probe(k, most, nodes - 1, 0);
    for (uint64_t draw = 0; k->count < most && draw < 4 * (uint64_t)most; draw += 2)
        add_probe(k, most, (uint32_t)ec_rng_below(ec_rng_draw(key, draw), nodes),
                  (uint32_t)ec_rng_below(ec_rng_draw(key, draw + 1), nodes));
}

/* --- One message ------------------------------------------------------------------------------ */

static uint64_t word_at(const struct calibrator *k, const struct probe *p, uint32_t at,
                        uint32_t words)
{
    const struct ec_topology *t = &k->at.topology;
    const struct ec_word_layout l = ec_word_layout(t->address_bits, k->at.router.vcs);
    return ec_word_pack(&l, at == 0, at + 1 == words, 0, ec_topology_address(t, p->dst),
                        ec_topology_address(t, p->src), at);
}

/* The node gives credits back at once. The number of words it has seen, and the tail among them. */
static bool take_words(struct calibrator *k)
{
    const unsigned vcs = k->at.router.vcs;
    bool tail = false;
    k->in.credit_count = k->out.word_count;
    for (size_t i = 0; i < k->out.word_count; i++) {
        k->in.credits[i] = (struct ec_port_credit){.port = k->out.words[i].port,
                                                   .vc = ec_word_vc(k->out.words[i].word, vcs)};
        tail |= (k->out.words[i].word & EC_WORD_TAIL) != 0;
    }
    return tail;
}

/* Networks of routers without quiet_o are slow. */
static bool must_stop(struct calibrator *k, uint64_t cycle)
{
    const struct ec_session_options *o = session_options(k->at.session);
    if (cycle % 64 == 0 && o->go_on && !o->go_on(o->context))
        k->stopped = true;
    return k->stopped;
}

/* The cycle in which the destination sees the last word of a message that its source offers from
 * cycle 1 on; 0: it does not arrive. */
static uint64_t time_of(struct calibrator *k, struct ec_net *net, const struct probe *p,
                        uint32_t words)
{
    const unsigned locals = ec_router_locals(&k->at.router, &k->at.topology);
    const uint32_t port = p->src * locals + (locals > 1 ? p->first : 0);
    uint32_t sent = 0, credits = k->at.router.depth;
    k->out.word_count = k->out.credit_count = 0;
    net->ops->reset(net);
    const uint64_t late = LATE + LATE_MORE * ((uint64_t)words + p->straight + p->turns);
    for (uint64_t cycle = 1; cycle < late && !must_stop(k, cycle); cycle++) {
        if (take_words(k))
            return cycle;
        k->in.word_count = sent < words && credits > 0;
        if (k->in.word_count) {
            k->in.words[0] = (struct ec_port_word){port, word_at(k, p, sent++, words)};
            credits--;
        }
        credits += (uint32_t)k->out.credit_count; /* only this node sends */
        net->ops->step(net, &k->in, &k->out);
    }
    return 0;
}

/* --- The formula ------------------------------------------------------------------------------ */

static uint64_t time_by(const struct ec_calibration *c, unsigned straight, unsigned turns,
                        uint32_t words)
{
    return 1 + c->ends + (uint64_t)c->straight * straight + (uint64_t)c->turn * turns +
           (uint64_t)c->word * (words - 1);
}

static bool refuse(struct calibrator *k, const struct probe *p, uint32_t words, uint64_t seen,
                   uint64_t expected)
{
    char from[100], to[100];
    ec_topology_node_name(&k->at.topology, p->src, from, sizeof from);
    ec_topology_node_name(&k->at.topology, p->dst, to, sizeof to);
    if (seen == 0)
        snprintf(k->why, k->why_size,
                 "a message of %u words from node %s to node %s does not arrive", words, from, to);
    else
        snprintf(
            k->why, k->why_size,
            "depth=%u: a message of %u word%s from node %s to node %s takes %llu cycles instead "
            "of %llu",
            k->at.router.depth, words, words == 1 ? "" : "s", from, to, (unsigned long long)seen,
            (unsigned long long)expected);
    return false;
}

/* Only messages that are longer than a buffer were late. */
static void advise_depth(struct calibrator *k)
{
    const size_t used = strlen(k->why);
    snprintf(k->why + used, k->why_size - used,
             "; its credits may take longer than a buffer lasts: try --router depth=%u",
             2 * k->at.router.depth);
}

/* A constant from the first path that shows it; it stays at the straight one where all hops turn.
 */
static bool find_constants(struct calibrator *k, struct ec_net *net)
{
    struct ec_calibration *const c = k->found;
    bool straight = false, turn = false;
    uint64_t one[PATHS] = {0};
    for (size_t i = 0; i < k->count; i++) {
        one[i] = time_of(k, net, &k->probes[i], 1);
        if (one[i] == 0)
            return refuse(k, &k->probes[i], 1, 0, 0);
    }
    c->ends = (unsigned)one[0] - 1; /* the first path has one hop */
    const uint64_t two = time_of(k, net, &k->probes[0], 2);
    c->word = (unsigned)(two - one[0]);
    for (size_t i = 0; i < k->count; i++) {
        const struct probe *p = &k->probes[i];
        const unsigned more = (unsigned)(one[i] - one[0]);
        if (p->straight == 1 && p->turns == 0 && !straight) {
            c->straight = more;
            straight = true;
        } else if (p->turns == 1 && p->straight == 0 && !turn) {
            c->turn = more;
            turn = true;
        }
    }
    c->straight = straight ? c->straight : c->turn;
    c->turn = turn ? c->turn : c->straight;
    return two > one[0] || refuse(k, &k->probes[0], 2, two, one[0] + 1);
}

/* Does the formula give all times of these paths? */
static bool holds(struct calibrator *k, struct ec_net *net, size_t paths)
{
    for (size_t i = 0; i < paths && i < k->count; i++) {
        const struct probe *p = &k->probes[k->count - 1 - i]; /* the longest are not the first */
        for (unsigned n = 0; n < LENGTHS; n++) {
            const uint64_t expected = time_by(k->found, p->straight, p->turns, lengths[n]);
            const uint64_t seen = time_of(k, net, p, lengths[n]);
            if (seen == expected)
                continue;
            refuse(k, p, lengths[n], seen, expected);
            if (seen > expected && lengths[n] > k->at.router.depth)
                advise_depth(k);
            return false;
        }
    }
    return true;
}

/* With buffers of `depth` words. */
static enum ec_code try_depth(struct calibrator *k, unsigned depth, bool first, bool *ret_holds,
                              struct ec_error *reterr)
{
    struct ec_net *net;
    k->at.router.depth = depth;
    k->at.router.packet = depth;
    const enum ec_code code = ec_case_net(&k->at, &net, reterr);
    if (code != EC_OK)
        return code;
    session_phase(k->at.session, "%s: measuring the time of single messages, depth=%u",
                  k->at.topology_text, depth);
    *ret_holds = (!first || find_constants(k, net)) && holds(k, net, first ? PATHS : DEPTH_PATHS);
    if (k->stopped)
        return ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    if (ec_net_rtl_said(net)) {
        snprintf(k->why, k->why_size, "%s", net->rtl->text);
        *ret_holds = false;
    }
    return EC_OK;
}

/* The constants with the largest buffers, then the smallest depth from which on they hold: with
 * fewer words than the credit loop is long, a channel cannot be busy all the time. */
static enum ec_code calibrate(struct calibrator *k, unsigned depth_max, bool *ret_affine,
                              struct ec_error *reterr)
{
    unsigned depth = depth_max;
    char ignored[1];
    enum ec_code code = try_depth(k, depth, true, ret_affine, reterr);
    k->why = *ret_affine ? ignored : k->why;
    k->why_size = *ret_affine ? sizeof ignored : k->why_size;
    for (bool good = *ret_affine; code == EC_OK && good && depth > 1;) {
        const unsigned next = depth > 16 ? depth / 2 : depth - 1;
        code = try_depth(k, next, false, &good, reterr);
        depth = good ? next : depth;
    }
    k->found->depth = depth;
    return code;
}

/* --- The interface ---------------------------------------------------------------------------- */

/* The constants hold for the networks of a family that have the hops which were measured. */
static void name_mode(const struct ec_case *c, char *buffer, size_t size)
{
    const struct ec_topology *t = &c->topology;
    struct ec_router r = c->router;
    char router[160];
    unsigned used = 0; /* dimensions */
    bool straight = false;
    for (unsigned d = 0; d < t->dims; d++) {
        used += t->radix[d] > 1;
        straight |= t->radix[d] > (t->wrap[d] ? 3 : 2);
    }
    r.depth = r.packet = r.link = 1;
    ec_router_format(&r, router, sizeof router);
    snprintf(buffer, size, "%.*s%s%s %s %s", (int)strcspn(c->topology_text, ":"), c->topology_text,
             straight ? " straight" : "", used > 1 ? " turn" : "", router,
             c->spec.build && ec_shape_has_places(c->spec.build) ? c->spec.build : "");
}

enum ec_code ec_case_calibrate(const struct ec_case *c, struct ec_calibration *ret, char *why,
                               size_t why_size, struct ec_error *reterr)
{
    char mode[1000];
    struct ec_shape *shape = NULL;
    *ret = (struct ec_calibration){0};
    why[0] = '\0';
    enum ec_code code = ec_case_shape(c, &shape, reterr);
    if (code != EC_OK)
        return code;
    struct calibrator *k = calloc(1, sizeof *k);
    if (!k)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a calibration");
    *k = (struct calibrator){.at = *c, .found = ret, .why = why, .why_size = why_size};
    k->at.router.link = 1;
    const size_t ports = (size_t)c->topology.nodes * ec_router_locals(&c->router, &c->topology);
    k->in.words = calloc(ports, sizeof *k->in.words);
    k->out.words = calloc(ports, sizeof *k->out.words);
    k->in.credits = calloc(ports * c->router.vcs, sizeof *k->in.credits);
    k->out.credits = calloc(ports * c->router.vcs, sizeof *k->out.credits);
    bool affine = false;
    if (!k->in.words || !k->out.words || !k->in.credits || !k->out.credits)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a calibration");
    if (code == EC_OK) {
        choose_probes(k);
        code = calibrate(k, ec_shape_api(shape)->shape.depth_max, &affine, reterr);
    }
    name_mode(c, mode, sizeof mode);
    if (code == EC_OK)
        code = ec_shape_calibrate(shape, mode, affine ? ret : NULL, reterr);
    free(k->in.words);
    free(k->out.words);
    free(k->in.credits);
    free(k->out.credits);
    free(k);
    return code;
}

bool calibrate_find(const struct ec_case *c, struct ec_calibration *ret)
{
    char mode[1000];
    struct ec_shape *shape = NULL;
    if (!c->spec.top || c->router.switching != EC_WORMHOLE ||
        ec_case_shape(c, &shape, NULL) != EC_OK || !shape)
        return false;
    name_mode(c, mode, sizeof mode);
    return ec_shape_calibration(shape, mode, ret);
}
