/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a router may serve: the network and mode that were asked for, the other networks
 * and modes of the same shape, and other shapes.
 *
 * Knows which modes exist, how thoroughly each is tried, and what a failure means. Must not know
 * what a router goes through in one of them. */
#include "base/text.h"
#include "ecube/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"
#include "trial/scenario.h"
#include "trial/translate.h"

enum {
    MOORE_PLACES = 8,
    PLACES = 16,      /* of the mode that was asked for */
    SLICES = 256,     /* and coordinates of its widest dimension, if that has more than PLACES */
    FEW_PLACES = 4,   /* of others */
    FEW_NODES = 8,    /* but all of such a small network */
    FEW_BUFFERS = 48, /* input VCs of a router that compiles quickly */
    SEED = 1,
};

/* The last place of the mode that was asked for, its other places, places of other modes. A defect
 * that shows once in 2000 words of an input needs the first of these. */
static const struct scenario_effort long_effort = {
    .cycles = 6000, .outputs = UINT32_MAX, .resets = 8, .rounds = 2, .fair = true};
static const struct scenario_effort usual_effort = {
    .cycles = 400, .outputs = UINT32_MAX, .resets = 4, .rounds = 1, .fair = true};
static const struct scenario_effort short_effort = {
    .cycles = 80, .outputs = 2, .resets = 2, .rounds = 1};
/* Networks that differ from others only in their addresses. */
static const struct scenario_effort least_effort = {.cycles = 80, .rounds = 1};

/* --- One router in one mode ------------------------------------------------------------------- */

struct task {
    const struct ec_shape *shape, *random; /* random: with random initial state; or NULL */
    const struct ec_topology *t;
    struct ec_router r;
    const struct scenario_effort *effort; /* NULL: the mode that was asked for */
    bool judged, foreign, relative, unfair;
    bool begun;    /* only its initial blocks matter */
    unsigned turn; /* of the modes of a network: its places are not quite those of others */
    uint64_t seed;
    struct ec_net_pulse *pulse;
    const struct ec_trial_options *options; /* who watches a breach; NULL: nobody */
};

struct outcome {
    unsigned pairs; /* of places that were compared */
    uint64_t words;
    uint64_t arrivals, unseen; /* as of ec_trial_mode */
    double share;              /* the least one of an input in a saturated output */
    char unfair[160];          /* whose it is; "": all shares are fair enough */
    char wrong[1400];          /* the first breach, apart from the Moore rule; "": none */
    const char *scenario; /* what the last router was going through at its end; NULL: not tried */
};

/* A node at an end of some dimensions and not of others: only there, words reach the wrap link of
 * one dimension before they have crossed that of another. In TURNS of these nodes, a dimension and
 * the next one have all pairs of two different places. */
enum { TURNS = 6 };
static uint32_t mixed_place(const struct ec_topology *t, unsigned turn)
{
    enum end { FIRST, MIDDLE, LAST };
    static const enum end pairs[TURNS][2] = {{MIDDLE, LAST},  {LAST, MIDDLE}, {FIRST, MIDDLE},
                                             {MIDDLE, FIRST}, {FIRST, LAST},  {LAST, FIRST}};
    uint32_t node = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        const enum end end = pairs[turn % TURNS][d % 2];
        node += (end == FIRST    ? 0
                 : end == MIDDLE ? t->radix[d] / 2
                                 : t->radix[d] - 1) *
                t->stride[d];
    }
    return node;
}

/* Place k of `count`: all nodes of a small network; of a large one its ends, and nodes that have
 * all coordinates of small radices between them. Of few places, these depend on the `turn`: they
 * are mixed, if that is none of the others (in a ring all are), or drawn. The last place is in the
 * middle, where a mesh has most links; the middle of a cube is its end. */
static uint32_t place_at(const struct ec_topology *t, uint32_t k, uint32_t count, unsigned turn)
{
    const unsigned draw = count == FEW_PLACES ? turn : 0;
    uint32_t middle = 0, other = 0;
    if (t->graph)
        return (uint32_t)((uint64_t)k * t->routers / count);
    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t shift =
            (uint32_t)ec_rng_below(ec_rng_draw(ec_rng_key(d, draw), k / t->radix[d]), t->radix[d]);
        middle += t->radix[d] / 2 * t->stride[d];
        other += (k + shift) % t->radix[d] * t->stride[d];
    }
    if (count == t->nodes)
        return (middle + 1 + k) % t->nodes;
    const uint32_t mixed = draw > 0 ? mixed_place(t, draw) : 0;
    if (mixed != 0 && mixed != t->nodes - 1 && mixed != middle)
        other = mixed;
    if (middle == t->nodes - 1)
        middle = other;
    return k == count - 1 ? middle : k == 0 ? 0 : k == 1 ? t->nodes - 1 : other;
}

/* One trial of a router: at which place, and how. */
struct attempt {
    const struct ec_tile_place *places;
    uint32_t node;
    const struct scenario_effort *effort;
    bool patient;
    const struct ec_net_watch *watch; /* of the cycles since this reset; or NULL */
    unsigned watch_resets;
};

static enum ec_code run_rig(struct rig *g, const struct task *x, const struct attempt *how,
                            struct ec_error *reterr)
{
    const struct rig_options options = {.judged = x->judged,
                                        .foreign = x->foreign,
                                        .patient = how->patient,
                                        .random = x->random,
                                        .relative = x->relative,
                                        .unfair = x->unfair,
                                        .seed = x->seed,
                                        .pulse = x->pulse,
                                        .watch = how->watch,
                                        .watch_resets = how->watch_resets};
    enum ec_code code = EC_OK;
    if (!rig_begin(g, x->shape, x->t, &x->r, how->places, how->node, options))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a router");
    else if (g->code != EC_OK || x->begun)
        g->scenario = NULL;
    else if (!x->judged)
        scenario_moore(g);
    else if (!g->wrong[0])
        scenario_all(g, how->effort);
    rig_settle(g);
    if (how->watch && g->wrong[0])
        rig_go_on(g, EC_TRIAL_AFTER);
    if (code == EC_OK && g->rules && rules_memory_short(g->rules))
        code = ec_fail(reterr, EC_MEMORY, "out of memory to judge a router");
    if (code == EC_OK && g->code != EC_OK)
        code = ec_fail(reterr, g->code, "%s", g->error.message);
    rig_end(g);
    return code;
}

/* Once more, for whoever wants to see the breach. */
static enum ec_code show_breach(struct rig *g, const struct task *x, struct attempt how,
                                struct ec_error *reterr)
{
    char text[sizeof g->wrong];
    const struct ec_trial_options *o = x->options;
    const struct ec_trial_breach breach = {.topology = x->t,
                                           .router = &x->r,
                                           .node = how.node,
                                           .port = g->wrong_port,
                                           .cycle = g->wrong_at,
                                           .text = text};
    memcpy(text, g->wrong, sizeof text);
    how.watch_resets = g->resets;
    how.watch = o->watch(o->context, &breach);
    if (!how.watch)
        return EC_OK;
    const enum ec_code code = run_rig(g, x, &how, reterr);
    o->watched(o->context);
    return code;
}

/* The trial of a place is repeated if a patient one may tell more. */
static enum ec_code try_place(const struct task *x, struct attempt how, struct outcome *outcome,
                              struct ec_error *reterr)
{
    struct rig *g = malloc(sizeof *g);
    if (!g)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a router");
    enum ec_code code = run_rig(g, x, &how, reterr);
    how.patient = g->suspicious;
    if (code == EC_OK && how.patient)
        code = run_rig(g, x, &how, reterr);
    if (code == EC_OK && g->wrong[0] && x->judged && x->options && x->options->watch)
        code = show_breach(g, x, how, reterr);
    if (x->judged && !outcome->wrong[0])
        snprintf(outcome->wrong, sizeof outcome->wrong, "%s", g->wrong);
    if (g->unfair[0] && (!outcome->unfair[0] || g->share < outcome->share)) {
        outcome->share = g->share;
        memcpy(outcome->unfair, g->unfair, sizeof outcome->unfair);
    }
    outcome->words += g->words;
    outcome->arrivals += g->bench.pairs;
    outcome->unseen += g->bench.barred;
    outcome->pairs +=
        x->relative && x->judged && !x->random && g->bench.partner != EC_NONE && g->words > 0;
    outcome->scenario = g->scenario;
    free(g);
    return code;
}

static uint32_t widest(const struct ec_topology *t)
{
    uint32_t most = 0;
    for (unsigned d = 0; d < t->dims; d++)
        most = t->radix[d] > most ? t->radix[d] : most;
    return most;
}

static enum ec_code try_places(const struct task *x, uint32_t most, struct outcome *outcome,
                               struct ec_error *reterr)
{
    const uint32_t count = x->t->routers < most ? x->t->routers : most;
    const uint32_t wide = x->judged && !x->effort ? widest(x->t) : 0;
    const uint32_t slices = wide <= PLACES ? 0 : wide < SLICES ? wide : SLICES;
    struct ec_tile_place *places = calloc(x->t->routers, sizeof *places);
    if (!places)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u routers", x->t->routers);
    const struct ec_tile_shape *shape = &ec_shape_api(x->shape)->shape;
    if (x->relative ||
        (ec_router_chooses(&x->r) && !x->r.table)) /* which ask for other places, too */
        ec_shape_places(x->t, &x->r, shape, places);
    enum ec_code code = EC_OK;
    for (uint32_t k = 0; code == EC_OK && k < count + slices && !outcome->wrong[0]; k++) {
        const uint32_t slice = slices ? wide + (k - count) * (wide / slices) : 0;
        const uint32_t node = k < count ? place_at(x->t, k, count, x->turn)
                                        : place_at(x->t, slice, UINT32_MAX, x->turn);
        uint8_t *table;
        places[node] = ec_shape_place(x->t, &x->r, shape, node);
        const struct attempt how = {.places = places,
                                    .node = node,
                                    .effort = x->effort        ? x->effort
                                              : k >= count     ? &least_effort
                                              : k == count - 1 ? &long_effort
                                                               : &usual_effort};
        code = ec_shape_tables(x->t, &x->r, shape, &node, 1, &places[node], &table)
                   ? try_place(x, how, outcome, reterr)
                   : ec_fail(reterr, EC_MEMORY, "out of memory for a routing table");
        free(table);
    }
    free(places);
    return code;
}

static uint32_t few_places(const struct ec_topology *t)
{
    return t->routers <= FEW_NODES ? FEW_NODES : FEW_PLACES;
}

static enum ec_code try_moore(struct task x, const char **ret_scenario, struct ec_error *reterr)
{
    struct outcome outcome = {0}; /* the checks of a run cover the rest */
    x.judged = false;
    const enum ec_code code = try_places(&x, MOORE_PLACES, &outcome, reterr);
    *ret_scenario = outcome.scenario;
    return code;
}

enum ec_code ec_trial_moore(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            struct ec_error *reterr)
{
    struct task x = {.shape = s, .t = t, .r = *r, .seed = SEED, .pulse = pulse};
    const char *scenario;
    x.r.packet = r->packet ? r->packet : r->depth;
    return ec_shape_api(s)->peek ? try_moore(x, &scenario, reterr) : EC_OK;
}

enum ec_code ec_trial_initial(const struct ec_shape *s, const struct ec_topology *t,
                              const struct ec_router *r, struct ec_net_pulse *pulse,
                              struct ec_error *reterr)
{
    const struct task x = {.shape = s, .t = t, .r = *r, .begun = true, .pulse = pulse};
    struct outcome outcome = {0};
    return ec_shape_api(s)->peek ? try_places(&x, 1, &outcome, reterr) : EC_OK;
}

/* --- One network in one mode ------------------------------------------------------------------ */

struct trial {
    const struct ec_topology *t; /* what was asked for */
    const struct ec_router *r;
    const struct ec_trial_options *options;
    const struct ec_shape *shape;  /* that is being tried */
    const struct ec_tile_api *api; /* of it */
    struct ec_shape *random;       /* the shape that was asked for, with random initial state */
    unsigned group, turn;
    struct ec_trial_result result;
    bool served; /* a mode of this shape */
};

static void name_mode(const struct ec_topology *t, const struct ec_router *r, char *buffer,
                      size_t size)
{
    char network[160], router[160];
    ec_topology_format(t, network, sizeof network);
    ec_router_format(r, router, sizeof router);
    *strrchr(router, ',') = '\0'; /* the packet bound is a separate option */
    snprintf(buffer, size, "%s --router %s", network, router);
}

static void report(struct trial *c, const struct ec_topology *t, const struct ec_router *r,
                   const char *words, enum ec_trial_verdict verdict, const struct outcome *outcome)
{
    const struct ec_trial_mode mode = {.topology = t,
                                       .router = r,
                                       .words = words,
                                       .verdict = verdict,
                                       .reason = outcome->wrong,
                                       .scenario = outcome->wrong[0] ? outcome->scenario : NULL,
                                       .group = c->group,
                                       .moved = outcome->words,
                                       .arrivals = outcome->arrivals,
                                       .unseen = outcome->unseen,
                                       .unfair = outcome->unfair};
    c->result.words += outcome->words;
    c->result.pairs += outcome->pairs;
    c->result.modes += verdict != EC_TRIAL_NOT_TRIED;
    c->result.lacking += verdict == EC_TRIAL_LACKS;
    c->served |= verdict == EC_TRIAL_SERVES;
    if (c->options->done)
        c->options->done(c->options->context, &mode);
}

static void use_shape(struct trial *c, const struct ec_shape *s)
{
    c->shape = s;
    c->api = ec_shape_api(s);
}

/* Is the place of the router a parameter? Then a shape serves one network only. */
static bool has_places(const struct trial *c)
{
    return c->options->shape.top && ec_shape_has_places(c->options->shape.build);
}

static enum ec_code open_shape(const struct trial *c, const struct ec_tile_shape *shape,
                               bool random_init, struct ec_shape **ret, struct ec_error *reterr)
{
    struct ec_shape_options options = c->options->shape;
    struct ec_tile_place *places = has_places(c) ? calloc(c->t->routers, sizeof *places) : NULL;
    if (has_places(c) && !places)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u routers", c->t->routers);
    if (places)
        ec_shape_places(c->t, c->r, shape, places);
    options.places = places;
    options.place_count = places ? c->t->routers : 0;
    options.random_init = random_init;
    const enum ec_code code = ec_shape_open(shape, &options, ret, reterr);
    free(places);
    return code;
}

/* Beside a twin with random initial state. Its shape is not compiled before the router has passed
 * everything else. */
static enum ec_code try_random(struct trial *c, struct task x, struct outcome *outcome,
                               struct ec_error *reterr)
{
    const enum ec_code code =
        c->random ? EC_OK : open_shape(c, &c->api->shape, true, &c->random, reterr);
    if (code != EC_OK)
        return code;
    x.random = c->random;
    x.effort = c->options->brief ? &short_effort : &usual_effort;
    return try_places(&x, few_places(x.t), outcome, reterr);
}

/* Is it judged by the rules for foreign routers? */
static bool is_foreign(const struct trial *c)
{
    return c->options->shape.top && !c->options->exact;
}

static enum ec_code ask_to_go_on(const struct trial *c, struct ec_error *reterr)
{
    if (!c->options->go_on || c->options->go_on(c->options->context))
        return EC_OK;
    return ec_fail(reterr, EC_INTERRUPTED, "interrupted");
}

/* How thoroughly a mode is tried. */
enum care { GLANCE, BRIEFLY, AT_HAND };

/* `r`: with a packet bound. */
static enum ec_code try_mode(struct trial *c, const struct ec_topology *t,
                             const struct ec_router *r, enum care care, struct ec_error *reterr)
{
    const bool foreign = is_foreign(c), at_hand = care == AT_HAND;
    const struct task x = {.shape = c->shape,
                           .t = t,
                           .r = *r,
                           .judged = true,
                           .foreign = foreign,
                           .relative = c->options->relative && at_hand,
                           .unfair = c->options->allow_starvation,
                           .effort = care == GLANCE                  ? &least_effort
                                     : at_hand && !c->options->brief ? NULL
                                                                     : &short_effort,
                           .turn = at_hand ? 0 : c->turn,
                           .seed = c->options->seed,
                           .pulse = c->options->pulse,
                           .options = at_hand || !foreign ? c->options : NULL};
    struct outcome outcome = {0};
    struct ec_error e;
    char words[400];
    name_mode(t, r, words, sizeof words);
    if (c->options->begin)
        c->options->begin(c->options->context, words);
    enum ec_code code = care > GLANCE ? try_moore(x, &outcome.scenario, &e) : EC_OK;
    if (code == EC_OK)
        code = try_places(&x, at_hand ? PLACES : few_places(t), &outcome, &e);
    if (code == EC_OK && at_hand && !outcome.wrong[0])
        code = try_random(c, x, &outcome, &e);
    if (code == EC_OK && !outcome.wrong[0]) {
        report(c, t, r, words, EC_TRIAL_SERVES, &outcome);
        return ask_to_go_on(c, reterr);
    }
    if (code == EC_TOOL && foreign && !at_hand) { /* it refuses this mode */
        snprintf(outcome.wrong, sizeof outcome.wrong, "%s", e.message);
        code = EC_OK;
    }
    if (code == EC_OK && foreign && !at_hand) {
        const bool judged = strncmp(outcome.wrong, RIG_NOT_JUDGED, strlen(RIG_NOT_JUDGED)) != 0;
        report(c, t, r, words, judged ? EC_TRIAL_LACKS : EC_TRIAL_NOT_TRIED, &outcome);
        return ask_to_go_on(c, reterr);
    }
    if (code == EC_OK)
        code = ec_fail(&e, EC_CONTRACT, "this router breaks the contract: %s", outcome.wrong);
    if (code == EC_CONTRACT) {
        snprintf(outcome.wrong, sizeof outcome.wrong, "%s", e.message);
        report(c, t, r, words, EC_TRIAL_BREAKS, &outcome);
    }
    return ec_fail(reterr, code, "%s: %s", words, e.message);
}

/* --- One shape -------------------------------------------------------------------------------- */

/* The mode that was asked for, with several packet bounds unless one was asked for. */
static enum ec_code try_at_hand(struct trial *c, struct ec_error *reterr)
{
    struct ec_router r = *c->r;
    const unsigned bounds[] = {r.depth, r.depth - 1, r.depth / 2, 1};
    if (c->options->one_packet)
        return try_mode(c, c->t, &r, AT_HAND, reterr);
    enum ec_code code = EC_OK;
    for (unsigned k = 0; k < 4 && code == EC_OK; k++) {
        r.packet = bounds[k];
        if (k == 0 || (r.switching != EC_WORMHOLE && r.packet > 0 && r.packet < bounds[k - 1]))
            code = try_mode(c, c->t, &r, AT_HAND, reterr);
    }
    return code;
}

/* All switching modes, each with some depths. With the largest one packets fill the buffer in one
 * of the two orders, and leave room in the other; and a buffer full of packets of one word is the
 * only one with as many tails as entries. */
static enum ec_code try_switching(struct trial *c, const struct ec_topology *t, struct ec_router r,
                                  struct ec_error *reterr)
{
    static const enum ec_switching modes[] = {EC_WORMHOLE, EC_CUT_THROUGH, EC_STORE_AND_FORWARD};
    const unsigned most = c->api->shape.depth_max, depths[] = {most, 1, 2, 3, most};
    const unsigned count = t == c->t ? 5 : 2;
    enum ec_code code = EC_OK;
    c->group++;
    for (unsigned k = 0; k < 3 * count && code == EC_OK; k++) {
        const unsigned at = k % count;
        r.switching = modes[k / count];
        r.depth = depths[at];
        r.packet = at == 4 ? 1 : at == 0 && r.order == EC_ORDER_LOW ? r.depth / 2 + 1 : r.depth;
        /* In wormhole switching the bound is not read. */
        c->turn = k + 1;
        if ((at < 4 || r.switching != EC_WORMHOLE) && !(t == c->t && ec_router_same(&r, c->r)))
            code = try_mode(c, t, &r, BRIEFLY, reterr);
    }
    c->turn = 0;
    return code;
}

static enum ec_code try_network(struct trial *c, const struct ec_topology *t,
                                const struct ec_router *like, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    const bool adapts = like->routing == EC_ROUTING_ADAPTIVE;
    const bool chooses = ec_router_chooses(like) && !adapts;
    const unsigned least = adapts ? 4 : 2; /* VCs for datelines */
    unsigned modes = chooses ? 1 : 2;      /* orders; and with datelines, too */
    for (unsigned d = 0; d < t->dims; d++)
        modes = t->wrap[d] && like->vcs >= least && !chooses ? 4 : modes;
    for (unsigned k = 0; k < modes && code == EC_OK; k++) {
        struct ec_router r = {
            .vcs = like->vcs,
            .order = k % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW,
            .ports = like->ports,
            .dateline = k >= 2,
            .va = like->va,
            .routing = chooses || adapts ? like->routing : EC_ROUTING_DOR,
            .ordered = like->ordered && like->vcs == 1,
            .stages = like->stages,
            .link = like->link,
            .speedup = like->speedup,
            .classes = 1,
        };
        code = try_switching(c, t, r, reterr);
        r.classes = 2; /* which only dynamic allocation distinguishes */
        r.ordered = like->ordered && like->vcs <= 2;
        if (code == EC_OK && r.va == EC_VA_DYNAMIC && ec_router_lanes(&r) >= least)
            code = try_switching(c, t, r, reterr);
    }
    return code;
}

/* Another network that the shape serves. Does nothing if it is the requested one. */
static enum ec_code try_other(struct trial *c, const char *text, struct ec_error *reterr)
{
    char at_hand[160];
    struct ec_topology t;
    const enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code != EC_OK)
        return code;
    ec_topology_format(c->t, at_hand, sizeof at_hand);
    if (strcmp(text, at_hand) == 0)
        return EC_OK;
    c->result.networks++;
    return try_network(c, &t, c->r, reterr);
}

/* Address bits of a radix above 1. */
static unsigned bits_of(uint32_t radix)
{
    return 32 - (unsigned)__builtin_clz(radix - 1);
}

/* "torus:5x4x5": a radix for each dimension of the shape. To keep the nodes few, the last radices
 * of many are 2; but a shape with wide addresses serves networks that need them, so there the last
 * radix is large. */
static void name_grid(const char *kind, const uint32_t radix[2], const struct ec_tile_shape *shape,
                      char *text, size_t size)
{
    const unsigned dims = shape->dims, most = shape->address_bits;
    const unsigned least = most > EC_WORD_ADDRESS_BITS ? EC_WORD_ADDRESS_BITS + 1 : 0;
    unsigned spare = dims + 4 < most ? 4 : most - dims, total = dims;
    snprintf(text, size, "%s:", kind);
    for (unsigned d = 0; d < dims; d++) {
        const unsigned more = bits_of(radix[d % 2]) - 1;
        const bool fits = more <= spare;
        spare -= fits ? more : 0;
        total += fits ? more : 0;
        const uint32_t own = fits ? radix[d % 2] : 2;
        const bool grows = d + 1 == dims && total < least;
        ec_append(text, size, d ? "x%u" : "%u", grows ? own << (least - total) : own);
    }
}

/* All address bits of the shape are used: in a small network a defect in the others does not show.
 * Each dimension has its share of them. */
static void name_large(const char *kind, unsigned less, const struct ec_tile_shape *shape,
                       char *text, size_t size)
{
    const unsigned dims = shape->dims, bits = shape->address_bits;
    snprintf(text, size, "%s:", kind);
    for (unsigned d = 0; d < dims; d++) {
        const unsigned own = bits / dims + (d < bits % dims);
        ec_append(text, size, d ? "x%u" : "%u", (1U << own) - (own > 2 ? less : 0));
    }
}

/* With these radices in the first and the last dimension; the others have radix 1. */
static void name_ends(const char *kind, uint32_t first, uint32_t last, unsigned dims, char *text,
                      size_t size)
{
    snprintf(text, size, "%s:%u", kind, first);
    for (unsigned d = 1; d < dims; d++)
        ec_append(text, size, "x%u", d + 1 == dims ? last : 1);
}

/* In one switching mode, with datelines on wrap links. */
static enum ec_code try_addresses(struct trial *c, const char *text, enum ec_order order,
                                  enum care care, struct ec_error *reterr)
{
    struct ec_topology t;
    struct ec_router r = *c->r;
    const enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code != EC_OK)
        return code;
    r.switching = EC_WORMHOLE;
    r.depth = r.packet = c->api->shape.depth_max;
    r.classes = 1;
    r.ordered = r.ordered && r.vcs == 1;
    r.order = ec_router_chooses(&r) ? EC_ORDER_LOW : order;
    r.dateline = false;
    for (unsigned d = 0; d < t.dims; d++)
        r.dateline = r.dateline || (t.wrap[d] && r.vcs >= 2 && !ec_router_chooses(&r));
    return try_mode(c, &t, &r, care, reterr);
}

/* Large networks. (A user's router may have fewer bits for coordinates: it lacks them, which says
 * nothing about the network it was made for.) */
static enum ec_code try_large(struct trial *c, struct ec_error *reterr)
{
    static const struct {
        const char *kind;
        unsigned less;
    } grids[] = {{"mesh", 0}, {"torus", 0}, {"torus", 3}};
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < sizeof grids / sizeof *grids && code == EC_OK; k++) {
        char text[200];
        name_large(grids[k].kind, grids[k].less, &c->api->shape, text, sizeof text);
        c->result.networks++;
        c->group++;
        for (unsigned order = 0; order < 2 && code == EC_OK; order++)
            code = try_addresses(c, text, order ? EC_ORDER_HIGH : EC_ORDER_LOW, BRIEFLY, reterr);
    }
    return code;
}

/* Two dimensions with these radices, the others have radix 1. */
static enum ec_code try_ends(struct trial *c, const char *kind, uint32_t first, uint32_t last,
                             enum ec_order order, struct ec_error *reterr)
{
    char text[200];
    name_ends(kind, first, last, c->api->shape.dims, text, sizeof text);
    c->result.networks++;
    return try_addresses(c, text, order, GLANCE, reterr);
}

/* A dimension's place in the address. It begins at bit 0 or ends at the highest bit, with a radix
 * that has few bits set or many; the last one begins at any bit, as a ring, as a row that uses all
 * numbers of its bits, and with one bit only. */
static enum ec_code try_fields(struct trial *c, struct ec_error *reterr)
{
    const unsigned bits = c->api->shape.address_bits;
    const uint32_t all = 1U << bits, radices[] = {all, all - 3};
    enum ec_code code = EC_OK;
    c->group++;
    for (unsigned k = 0; k < 4 && bits > 3 && code == EC_OK; k++) {
        const uint32_t radix = radices[k % 2];
        code = try_ends(c, "torus", k < 2 ? radix : 1, k < 2 ? 1 : radix, EC_ORDER_LOW, reterr);
    }
    for (unsigned begin = 1; begin + 1 < bits && code == EC_OK; begin++)
        code = try_ends(c, "torus", 1U << begin, begin + 2 < bits ? 5 : 3,
                        begin % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW, reterr);
    c->group++; /* a mesh router lacks all of those */
    for (unsigned begin = 0; begin < bits && code == EC_OK; begin++) {
        const enum ec_order order = begin % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW;
        const enum ec_order other = begin % 2 ? EC_ORDER_LOW : EC_ORDER_HIGH;
        if (begin + 1 < bits)
            code = try_ends(c, "mesh", 1U << begin, 4, other, reterr);
        if (code == EC_OK)
            code = try_ends(c, "mesh", 1U << begin, 2, order, reterr);
    }
    return code;
}

static enum ec_code try_grids(struct trial *c, struct ec_error *reterr)
{
    static const struct {
        const char *kind;
        uint32_t radix[2];
    } grids[] = {{"mesh", {4, 3}}, {"mesh", {2, 5}}, {"torus", {5, 4}}, {"torus", {3, 2}}};
    const struct ec_tile_shape *shape = &c->api->shape;
    const bool wide = shape->address_bits > EC_WORD_ADDRESS_BITS;
    char text[80];
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < sizeof grids / sizeof *grids && code == EC_OK; k++) {
        name_grid(grids[k].kind, grids[k].radix, shape, text, sizeof text);
        code = try_other(c, text, reterr);
    }
    if (code == EC_OK && !wide && shape->dims <= shape->address_bits)
        code = try_large(c, reterr);
    if (code == EC_OK && !wide && shape->dims > 1 && shape->dims < shape->address_bits)
        code = try_fields(c, reterr);
    if (code == EC_OK && shape->dims == 2) /* it serves rings, too, with one dimension unused */
        code = try_other(c, wide ? "ring:100003" : "ring:6", reterr);
    /* Or with the first one unused: then the address bits of the second begin at bit 0. */
    if (code == EC_OK && !wide && shape->dims == 2)
        code = try_other(c, "torus:1x6", reterr);
    return code;
}

static enum ec_code try_cube(struct trial *c, struct ec_error *reterr)
{
    char text[16];
    snprintf(text, sizeof text, "cube:%u", c->api->shape.dims);
    return try_other(c, text, reterr);
}

/* The shape that was asked for: on all networks. */
static enum ec_code try_own_shape(struct trial *c, struct ec_error *reterr)
{
    c->group++;
    c->result.networks = 1;
    enum ec_code code = try_at_hand(c, reterr);
    if (c->options->only || code != EC_OK)
        return code;
    code = try_network(c, c->t, c->r, reterr);
    if (code != EC_OK || has_places(c))
        return code;
    return c->t->links_per_dim == 1 ? try_cube(c, reterr) : try_grids(c, reterr);
}

/* --- All shapes ------------------------------------------------------------------------------- */

static enum ec_code try_first_shape(struct trial *c, const struct ec_tile_shape *shape,
                                    struct ec_error *reterr)
{
    struct ec_shape *open = NULL;
    enum ec_code code = open_shape(c, shape, false, &open, reterr);
    if (code == EC_OK) {
        use_shape(c, open);
        snprintf(c->result.key, sizeof c->result.key, "%s", ec_shape_key(open));
        code = try_own_shape(c, reterr);
    }
    ec_shape_close(c->random);
    c->random = NULL;
    ec_shape_close(open);
    c->result.shapes = 1;
    c->result.shapes_served = c->served;
    return code;
}

/* A shape for other options `r` on the network that was asked for. That it does not compile is
 * something that a foreign router lacks. */
static enum ec_code try_other_shape(struct trial *c, const struct ec_router *r, unsigned depth_max,
                                    struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    struct ec_shape *open;
    struct outcome outcome = {0};
    struct ec_error e;
    char words[400];
    c->group++;
    name_mode(c->t, r, words, sizeof words);
    if (ec_shape_choose(c->t, r, &shape, NULL) != EC_OK)
        return EC_OK; /* no router has so many ports */
    shape.depth_max = depth_max;
    const unsigned buffers = (shape.dims * shape.links_per_dim + shape.locals) * shape.vcs;
    c->served = false;
    c->result.shapes++;
    if (buffers > FEW_BUFFERS || has_places(c)) {
        if (has_places(c))
            snprintf(outcome.wrong, sizeof outcome.wrong,
                     "not tried: the place is a parameter, and every place would be compiled");
        else
            snprintf(outcome.wrong, sizeof outcome.wrong,
                     "not tried: a shape of %u input VCs takes long to compile", buffers);
        report(c, c->t, r, words, EC_TRIAL_NOT_TRIED, &outcome);
        return EC_OK;
    }
    enum ec_code code = open_shape(c, &shape, false, &open, &e);
    if (code == EC_TOOL && c->options->shape.top) {
        snprintf(outcome.wrong, sizeof outcome.wrong, "%s", e.message);
        report(c, c->t, r, words, EC_TRIAL_LACKS, &outcome);
        return EC_OK;
    }
    if (code != EC_OK)
        return ec_fail(reterr, code, "%s: %s", words, e.message);
    use_shape(c, open);
    code = try_network(c, c->t, r, reterr);
    ec_shape_close(open);
    c->result.shapes_served += c->served;
    return code;
}

/* One parameter at a time differs from what was asked for. */
static enum ec_code try_other_shapes(struct trial *c, unsigned depth_max, struct ec_error *reterr)
{
    static const unsigned vcs[] = {1, 2, 4};
    enum ec_code code = EC_OK;
    for (unsigned k = 0; k < 3 && code == EC_OK; k++) {
        struct ec_router r = *c->r;
        r.vcs = vcs[k];
        r.dateline &= r.vcs > 1;
        r.ordered &= r.vcs <= ec_router_classes(&r);
        if (r.vcs != c->r->vcs)
            code = try_other_shape(c, &r, depth_max, reterr);
    }
    if (code == EC_OK && !ec_router_chooses(c->r)) {
        struct ec_router r = *c->r;
        r.ports = r.ports == EC_PORTS_ALL ? EC_PORTS_ONE : EC_PORTS_ALL;
        code = try_other_shape(c, &r, depth_max, reterr);
    }
    if (code == EC_OK && ec_router_lanes(c->r) > 1) { /* else it is the same */
        struct ec_router r = *c->r;
        r.va = r.va == EC_VA_DYNAMIC ? EC_VA_STATIC : EC_VA_DYNAMIC;
        code = try_other_shape(c, &r, depth_max, reterr);
    }
    if (code == EC_OK) {
        struct ec_router r = *c->r;
        const unsigned other = depth_max < EC_DEPTH_MAX ? 2 * depth_max : depth_max / 2;
        r.depth = other;
        code = try_other_shape(c, &r, other, reterr);
    }
    for (unsigned k = 1; k <= EC_STAGES_MAX && code == EC_OK && !c->options->shape.top; k++) {
        struct ec_router r = *c->r;
        r.stages = k;
        if (k != c->r->stages)
            code = try_other_shape(c, &r, depth_max, reterr);
    }
    return code;
}

/* With datelines the class of a packet depends on where the wrap link is. */
static enum ec_code check_relative(const struct ec_topology *t, const struct ec_router *r,
                                   struct ec_error *reterr)
{
    char name[160];
    bool found = false;
    ec_topology_format(t, name, sizeof name);
    if (r->table)
        return ec_fail(reterr, EC_USAGE,
                       "--relative: a routing table depends on absolute addresses: leave out "
                       "routing=table");
    if (r->routing == EC_ROUTING_VALIANT)
        return ec_fail(reterr, EC_USAGE,
                       "--relative: words have two absolute addresses: leave out "
                       "routing=valiant");
    if (r->dateline)
        return ec_fail(reterr, EC_USAGE,
                       "--relative: with datelines, VCs depend on absolute coordinates: expected a "
                       "mesh, a cube or --router vcs=1");
    for (uint32_t node = 0; node < t->nodes && !found; node++)
        found = translate_partner(t, node) != EC_NONE;
    return found
               ? EC_OK
               : ec_fail(reterr, EC_USAGE,
                         "--relative: no two routers of %s have the same links: expected a larger "
                         "network",
                         name);
}

enum ec_code ec_trial_run(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_trial_options *options, struct ec_trial_result *ret,
                          struct ec_error *reterr)
{
    struct trial c = {.t = t, .r = r, .options = options};
    struct ec_tile_shape shape;
    enum ec_code code = options->relative ? check_relative(t, r, reterr) : EC_OK;
    if (code == EC_OK)
        code = ec_shape_choose(t, r, &shape, reterr);
    if (code != EC_OK)
        return code;
    code = try_first_shape(&c, &shape, reterr);
    if (code == EC_OK && !options->only && !options->one_shape)
        code = try_other_shapes(&c, shape.depth_max, reterr);
    if (code == EC_OK)
        *ret = c.result;
    return code;
}
