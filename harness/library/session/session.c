/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled routers and the last network are kept for the next case.
 *
 * Knows which parts of a case require a new compiled router or network; must not know workloads. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "backend/part.h"
#include "base/list.h"
#include "ecube/systemc.h"
#include "session/session.h"
#include "shape/points.h"
#include "shape/sources.h"

enum { SIDES = 2 };

/* What a compiled shape depends on. */
struct shape_key {
    struct ec_tile_shape shape;
    bool random_init, traced, saved;
    bool balanced; /* a user's router with ties=balanced */
    bool sets;     /* a user's router with ec_router_has_sets() */
    enum ec_cover cover;
    enum ec_engine_choice engine;
    bool flat;                   /* a whole network: */
    unsigned link;               /* cycles of its links */
    bool bound;                  /* it serves this topology only: */
    struct ec_topology topology; /* (ignored otherwise) */
};

struct kept_shape {
    struct shape_key key;
    char *router; /* its sources, module and build options, as lines */
    struct ec_shape *open;
    struct ec_error *refused; /* why the engine simd cannot take it, and `open` is NULL; or NULL */
};

/* One part of a network. */
struct kept_part {
    struct ec_net *net;        /* NULL: not open yet */
    struct ec_net_pulse pulse; /* unless it is the first one of the process */
    struct rtl_texts *texts;   /* takes the texts of its RTL; NULL: no run */
};

/* The last network of a side, as a whole or in parts, and the options it was made from; it borrows
 * these copies. */
struct kept_net {
    struct ec_session *session;
    struct ec_net_pulse *pulse; /* or NULL */
    unsigned rtl_lines;         /* printed by the RTL in this run */
    struct ec_net *net;         /* NULL: none */
    struct kept_part *part;     /* [parts] NULL: none */
    uint32_t parts;
    struct ec_topology topology;
    struct ec_router router;
    struct ec_table *table; /* of the router, or NULL; a share */
    struct ec_shape *shape;
    struct ec_tiles_options options;
};

struct ec_session {
    struct ec_session_options options;
    struct kept_shape *shapes;
    size_t shape_count, shape_room;
    char engine[600]; /* of the last case, and why */
    struct kept_net side[SIDES];
    uint32_t ranks;      /* 0 or 1: none but this process */
    struct world *world; /* borrowed */
};

enum ec_code ec_session_open(const struct ec_session_options *options, struct ec_session **ret,
                             struct ec_error *reterr)
{
    struct ec_session *s = calloc(1, sizeof *s);
    if (!s)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a session");
    if (options)
        s->options = *options;
    for (unsigned k = 0; k < SIDES; k++)
        s->side[k].session = s;
    *ret = s;
    return EC_OK;
}

void ec_session_show(struct ec_session *s, unsigned side, struct ec_net_pulse *pulse)
{
    s->side[side].pulse = pulse;
}

void session_ranks(struct ec_session *s, uint32_t ranks)
{
    s->ranks = ranks;
}

void session_meet(struct ec_session *s, struct world *world)
{
    s->world = world;
}

uint32_t session_rank_count(const struct ec_session *s)
{
    return s && s->ranks > 1 ? s->ranks : 1;
}

struct world *session_world(const struct ec_session *s)
{
    return s ? s->world : NULL;
}

void session_break(const struct ec_session *s)
{
    struct world *world = session_world(s);
    if (world)
        world->broken = true;
}

static void drop_net(struct kept_net *kept)
{
    if (kept->net)
        kept->net->ops->close(kept->net);
    for (uint32_t k = 0; kept->part && k < kept->parts; k++) {
        if (kept->part[k].net)
            kept->part[k].net->ops->close(kept->part[k].net);
    }
    free(kept->part);
    ec_table_close(kept->table);
    ec_topology_close(&kept->topology);
    kept->table = NULL;
    kept->part = NULL;
    kept->net = NULL;
}

void ec_session_close(struct ec_session *s)
{
    if (!s)
        return;
    for (unsigned k = 0; k < SIDES; k++)
        drop_net(&s->side[k]);
    for (size_t i = 0; i < s->shape_count; i++) {
        ec_shape_close(s->shapes[i].open);
        free(s->shapes[i].router);
        free(s->shapes[i].refused);
    }
    free(s->shapes);
    free(s);
}

void session_points(const struct ec_session *s, ec_point_take *take, void *context)
{
    for (size_t i = 0; i < s->shape_count; i++) {
        if (s->shapes[i].open)
            ec_shape_points(s->shapes[i].open, take, context);
    }
}

const struct ec_session_options *session_options(const struct ec_session *s)
{
    static const struct ec_session_options none;
    return s ? &s->options : &none;
}

void session_phase(const struct ec_session *s, const char *format, ...)
{
    const struct ec_session_options *o = session_options(s);
    char text[400];
    va_list args;
    if (!o->phase)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    o->phase(o->context, text);
}

/* --- Shapes ----------------------------------------------------------------------------------- */

static bool same_topology(const struct ec_topology *a, const struct ec_topology *b)
{
    if (a->graph || b->graph)
        return a->graph == b->graph;
    if (a->kind != b->kind || a->dims != b->dims || a->links_per_dim != b->links_per_dim)
        return false;
    for (unsigned d = 0; d < a->dims; d++) {
        if (a->radix[d] != b->radix[d] || a->wrap[d] != b->wrap[d])
            return false;
    }
    return true;
}

static bool same_key(const struct shape_key *a, const struct shape_key *b)
{
    return ec_shape_same(&a->shape, &b->shape) && a->random_init == b->random_init &&
           a->traced == b->traced && a->saved == b->saved && a->balanced == b->balanced &&
           a->sets == b->sets && a->cover == b->cover && a->engine == b->engine &&
           a->flat == b->flat && (!a->flat || a->link == b->link) && a->bound == b->bound &&
           (!a->bound || same_topology(&a->topology, &b->topology));
}

static enum ec_code open_shape(struct ec_session *s, const struct ec_case_spec *spec,
                               const struct ec_router *router, const struct shape_key *key,
                               struct ec_shape **ret, struct ec_error *reterr)
{
    const char **list = spec->rtl ? ec_sources_split(spec->rtl) : NULL;
    if (spec->rtl && !list)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    struct ec_tile_place *places = NULL;
    if (key->bound && !key->flat && !(places = calloc(key->topology.routers, sizeof *places))) {
        free(list);
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u routers", key->topology.routers);
    }
    if (places)
        ec_shape_places(&key->topology, router, &key->shape, places);
    const struct ec_shape_options options = {
        .places = places,
        .place_count = places ? key->topology.routers : 0,
        .random_init = key->random_init,
        .traced = key->traced,
        .engine = key->engine == EC_ENGINE_SIMD ? ec_engine_simd() : NULL,
        .saved = key->saved,
        .cover = key->cover,
        .rtl = list,
        .top = spec->top,
        .balanced = key->balanced,
        .sets = key->sets,
        .build = spec->build,
        .network = key->flat ? &key->topology : NULL,
        .link = key->link,
        .progress = s->options.building,
        .progress_context = s->options.context,
    };
    if (s->options.phase) /* the build reports its own progress */
        s->options.phase(s->options.context, NULL);
    const enum ec_code code = ec_shape_open(&key->shape, &options, ret, reterr);
    free(places);
    free(list);
    return code;
}

/* NULL: out of memory. */
static char *router_text(const struct ec_case_spec *spec)
{
    char *text;
    const int size = asprintf(&text, "%s\n%s\n%s", spec->rtl ? spec->rtl : "",
                              spec->top ? spec->top : "", spec->build ? spec->build : "");
    return size < 0 ? NULL : text;
}

static enum ec_code need_session(const struct ec_case *c, struct ec_error *reterr)
{
    return c->session ? EC_OK : ec_fail(reterr, EC_USAGE, "a case without a session cannot be run");
}

/* From the session, else built or loaded. A router that the engine simd cannot take is not tried
 * again. */
static enum ec_code keep_shape(const struct ec_case *c, const struct shape_key *key,
                               struct ec_shape **ret, struct ec_error *reterr)
{
    struct ec_session *s = c->session;
    struct kept_shape kept = {.key = *key, .router = router_text(&c->spec)};
    struct ec_error e;
    if (!kept.router)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < s->shape_count; i++) {
        const struct kept_shape *other = &s->shapes[i];
        if (same_key(&other->key, key) && strcmp(other->router, kept.router) == 0) {
            free(kept.router);
            *ret = other->open;
            return other->open
                       ? EC_OK
                       : ec_fail(reterr, other->refused->code, "%s", other->refused->message);
        }
    }
    enum ec_code code = open_shape(s, &c->spec, &c->router, key, &kept.open, &e);
    if (code == EC_TOOL && key->engine == EC_ENGINE_SIMD &&
        (kept.refused = malloc(sizeof *kept.refused)))
        *kept.refused = e;
    if ((code == EC_OK || kept.refused) &&
        !EC_LIST_PUSH(s->shapes, s->shape_count, s->shape_room, kept)) {
        ec_shape_close(kept.open);
        free(kept.refused);
        free(kept.router);
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    }
    if (code == EC_OK)
        *ret = kept.open;
    else if (!kept.refused)
        free(kept.router);
    return code == EC_OK ? EC_OK : ec_fail(reterr, code, "%s", e.message);
}

/* What the engine simd cannot take goes to Verilator. */
static enum ec_code choose_engine(const struct ec_case *c, struct shape_key *key,
                                  struct ec_shape **ret, struct ec_error *reterr)
{
    struct ec_session *s = c->session;
    struct ec_error e = {.message = ""};
    if (session_vectors(c, &e)) {
        key->engine = EC_ENGINE_SIMD;
        enum ec_code code = keep_shape(c, key, ret, &e);
        if (code == EC_OK && ec_shape_mute(*ret))
            code = ec_fail(&e, EC_TOOL,
                           "the router has assertions, or tasks that print or end a simulation: "
                           "simd leaves them out");
        if (code == EC_OK)
            snprintf(s->engine, sizeof s->engine, "simd");
        if (code != EC_TOOL && code != EC_USAGE)
            return code == EC_OK ? EC_OK : ec_fail(reterr, code, "%s", e.message);
    }
    key->engine = EC_ENGINE_VERILATOR;
    snprintf(s->engine, sizeof s->engine, "verilator: %.560s", e.message);
    return keep_shape(c, key, ret, reterr);
}

static enum ec_code find_shape(const struct ec_case *c, bool traced, struct ec_shape **ret,
                               struct ec_error *reterr)
{
    const struct ec_case_spec *spec = &c->spec;
    struct shape_key key = {
        .random_init = spec->random_init != 0 && !traced,
        .traced = traced,
        .saved = spec->saved && !traced,
        .balanced = spec->top && c->router.ties == EC_TIES_BALANCED,
        .sets = ec_router_has_sets(&c->router),
        .cover = traced ? EC_COVER_NONE : spec->cover,
        .flat = spec->backend == EC_BACKEND_FLAT && !traced, /* waves are those of single routers */
        .topology = c->topology,
    };
    key.engine = traced || key.flat ? EC_ENGINE_VERILATOR : spec->engine;
    key.link = c->router.link;
    key.bound = key.flat || (spec->top && ec_shape_has_places(spec->build));
    enum ec_code code = need_session(c, reterr);
    if (code == EC_OK)
        code = (key.flat ? ec_flat_choose : ec_shape_choose)(&c->topology, &c->router, &key.shape,
                                                             reterr);
    if (code != EC_OK)
        return code;
    if (key.engine == EC_ENGINE_AUTO)
        return choose_engine(c, &key, ret, reterr);
    if (!traced)
        snprintf(c->session->engine, sizeof c->session->engine, "%s",
                 key.engine == EC_ENGINE_SIMD ? "simd" : "verilator");
    return keep_shape(c, &key, ret, reterr);
}

const char *ec_case_engine(const struct ec_case *c)
{
    return c->session ? c->session->engine : "";
}

/* The first entry with several ports. */
static enum ec_code refuse_sets(const struct ec_case *c, struct ec_error *reterr)
{
    const struct ec_table *const t = c->router.table;
    size_t entry = 0;
    uint64_t ports;
    do
        ports = ec_table_all_ports(t, entry);
    while (!(ports & (ports - 1)) && ++entry);
    return ec_fail(reterr, EC_USAGE,
                   "routing table %s: router %zu has %d ports for node %zu, and ecube's own router "
                   "does not choose: expected one port in each entry, or --rtl FILES --top NAME",
                   c->router.table_file, entry / t->nodes, __builtin_popcountll(ports),
                   entry % t->nodes);
}

enum ec_code ec_case_shape(const struct ec_case *c, struct ec_shape **ret, struct ec_error *reterr)
{
    if (!c->spec.top && ec_router_has_sets(&c->router))
        return refuse_sets(c, reterr);
    if (c->spec.backend != EC_BACKEND_SYSTEMC)
        return find_shape(c, false, ret, reterr);
    *ret = NULL;
    return EC_OK;
}

enum ec_code session_traced(void *context, struct ec_shape **ret, struct ec_error *reterr)
{
    return find_shape(context, true, ret, reterr);
}

enum ec_code ec_case_try(const struct ec_case *c, const struct ec_trial_options *options,
                         struct ec_trial_result *ret, struct ec_error *reterr)
{
    struct ec_trial_options own = *options;
    enum ec_code code = need_session(c, reterr);
    if (code == EC_OK && ec_router_has_sets(&c->router))
        code =
            ec_fail(reterr, EC_USAGE,
                    "routing table %s: entries with several ports are checked in a network only: "
                    "expected ecube run, or routing=minimal or any",
                    c->router.table_file);
    if (code == EC_OK && (c->router.table || ec_router_draws(&c->router)) && !own.only)
        code = ec_fail(reterr, EC_USAGE, "%s: expected --only with it",
                       c->router.table ? "a routing table is for one network and one mode"
                       : c->router.order == EC_ORDER_CLASS
                           ? "order=class is for networks with enough VCs"
                           : "routing=valiant is for networks with enough VCs and address bits");
    if (code != EC_OK)
        return code;
    const char **list = c->spec.rtl ? ec_sources_split(c->spec.rtl) : NULL;
    if (c->spec.rtl && !list)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    own.shape = (struct ec_shape_options){.rtl = list,
                                          .top = c->spec.top,
                                          .balanced = c->router.ties == EC_TIES_BALANCED,
                                          .build = c->spec.build,
                                          .progress = c->session->options.building,
                                          .progress_context = c->session->options.context};
    code = ec_trial_run(&c->topology, &c->router, &own, ret, reterr);
    free(list);
    return code;
}

enum ec_code ec_case_wave(const struct ec_case *c, const struct ec_wave_options *options,
                          struct ec_wave **ret, struct ec_error *reterr)
{
    return ec_case_wave_of(c, &c->router, options, ret, reterr);
}

enum ec_code ec_case_wave_of(const struct ec_case *c, const struct ec_router *r,
                             const struct ec_wave_options *options, struct ec_wave **ret,
                             struct ec_error *reterr)
{
    struct ec_wave_options own = *options;
    struct ec_shape *traced;
    const enum ec_code code = find_shape(c, true, &traced, reterr);
    if (code != EC_OK)
        return code;
    own.pulse = c->session->side[c->side].pulse;
    own.foreign = c->spec.top != NULL || c->spec.own_time;
    return ec_wave_open(&c->topology, r, traced, &own, ret, reterr);
}

/* --- Networks --------------------------------------------------------------------------------- */

static bool same_options(const struct ec_tiles_options *a, const struct ec_tiles_options *b)
{
    return a->no_sleep == b->no_sleep && a->shuffle_seed == b->shuffle_seed &&
           a->random_seed == b->random_seed && a->foreign == b->foreign && a->pulse == b->pulse;
}

/* Output of the RTL, limited because it may print in every cycle. */
static void tell_rtl(void *context, uint64_t cycle, uint32_t node, const char *text)
{
    struct kept_net *kept = context;
    const struct ec_session_options *o = &kept->session->options;
    char router[128], line[1200];
    if (++kept->rtl_lines > RTL_TEXTS_MAX)
        return;
    if (kept->rtl_lines > RTL_LINES_MAX) {
        o->rtl(o->context, "RTL: further output of this run is not shown");
        return;
    }
    snprintf(router, sizeof router, "?");
    if (node != EC_NONE)
        ec_topology_node_name(&kept->topology, node, router, sizeof router);
    snprintf(line, sizeof line, "RTL: cycle %" PRIu64 ", router %s: %s", cycle, router, text);
    for (char *c = line; *c; c++)
        *c = (unsigned char)*c < ' ' ? '?' : *c;
    o->rtl(o->context, line);
}

struct ec_case ec_case_on(struct ec_case *c, const struct ec_case_spec *spec, unsigned side)
{
    struct ec_case other = *c;
    other.owner = c->owner ? c->owner : c;
    other.side = side;
    other.spec.backend = spec->backend;
    other.spec.engine = spec->engine;
    other.spec.rtl = spec->rtl;
    other.spec.top = spec->top;
    if (!spec->top && ec_router_chooses(&other.router) &&
        other.router.routing != EC_ROUTING_ADAPTIVE) {
        /* ecube's own router keeps to dimension order, or to the table */
        other.router.routing = c->router.table ? EC_ROUTING_TABLE : EC_ROUTING_DOR;
        other.router.ordered = false;
    }
    other.spec.build = spec->build;
    other.spec.own_time = spec->own_time;
    other.spec.no_sleep = spec->no_sleep;
    other.spec.shuffle = spec->shuffle;
    other.spec.random_init = spec->random_init;
    return other;
}

static bool is_broken(const struct ec_net *net)
{
    return net && net->rtl && net->rtl->broken;
}

static bool any_broken(const struct kept_net *kept)
{
    bool broken = is_broken(kept->net);
    for (uint32_t k = 0; kept->part && k < kept->parts; k++)
        broken |= is_broken(kept->part[k].net);
    return broken;
}

static void forget_point(void *context, const struct ec_point *point, uint64_t hits)
{
    (void)context;
    (void)point;
    (void)hits;
}

/* The user's router is tried alone before a network is built from it. What it went through there
 * is no part of the run. */
static enum ec_code try_router(const struct kept_net *kept, const struct ec_case_spec *spec,
                               struct ec_error *reterr)
{
    struct ec_error e;
    const enum ec_code code = spec->top ? ec_trial_moore(kept->shape, &kept->topology,
                                                         &kept->router, kept->options.pulse, &e)
                                        : EC_OK;
    if (spec->top)
        ec_shape_points(kept->shape, forget_point, NULL);
    return code == EC_OK ? EC_OK : ec_fail(reterr, code, "--top %.60s: %s", spec->top, e.message);
}

/* Prepare the side of the case for a network in `parts` parts: keep the last one if it fits. */
static enum ec_code prepare_side(const struct ec_case *c, uint32_t parts, struct kept_net **ret,
                                 struct ec_error *reterr)
{
    enum ec_code code = need_session(c, reterr);
    if (code != EC_OK)
        return code;
    struct kept_net *kept = &c->session->side[c->side];
    const struct ec_tiles_options options = {
        .no_sleep = c->spec.no_sleep,
        .shuffle_seed = c->spec.shuffle,
        .random_seed = c->spec.random_init,
        .foreign = c->spec.top != NULL || c->spec.own_time,
        .pulse = kept->pulse,
        .text = c->session->options.rtl ? tell_rtl : NULL,
        .text_context = kept,
    };
    struct ec_shape *shape = NULL;
    code = ec_case_shape(c, &shape, reterr);
    if (code != EC_OK)
        return code;
    kept->rtl_lines = 0;
    *ret = kept;
    if ((kept->net || kept->part) && kept->parts == parts && !any_broken(kept) &&
        kept->shape == shape && same_options(&kept->options, &options) &&
        same_topology(&kept->topology, &c->topology) && ec_router_same(&kept->router, &c->router) &&
        kept->router.packet == c->router.packet)
        return EC_OK;
    drop_net(kept);
    kept->parts = parts;
    kept->topology = ec_topology_share(&c->topology);
    kept->router = c->router;
    kept->table = ec_table_share(c->table);
    kept->shape = shape;
    kept->options = options;
    return shape ? try_router(kept, &c->spec, reterr) : EC_OK;
}

enum ec_code ec_case_net(const struct ec_case *c, struct ec_net **ret, struct ec_error *reterr)
{
    struct kept_net *kept;
    enum ec_code code = prepare_side(c, 1, &kept, reterr);
    if (code == EC_OK && !kept->net)
        code = kept->shape ? ec_tiles_open(&kept->topology, &kept->router, kept->shape,
                                           &kept->options, &kept->net, reterr)
                           : ec_systemc_open(&kept->topology, &kept->router, &kept->net, reterr);
    if (code == EC_OK)
        *ret = kept->net;
    return code;
}

enum ec_code session_prepare_parts(const struct ec_case *c, uint32_t parts, struct ec_error *reterr)
{
    struct kept_net *kept;
    const enum ec_code code = prepare_side(c, parts, &kept, reterr);
    if (code != EC_OK || kept->part)
        return code;
    kept->part = calloc(parts, sizeof *kept->part);
    return kept->part ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for %u parts", parts);
}

struct ec_net_pulse *session_pulse(const struct ec_case *c, uint32_t part, bool first)
{
    struct kept_net *kept = &c->session->side[c->side];
    return first && kept->pulse ? kept->pulse : &kept->part[part].pulse;
}

static void pass_text(void *context, uint64_t cycle, uint32_t node, const char *text)
{
    struct rtl_texts *t = ((const struct kept_part *)context)->texts;
    if (!t || t->count == RTL_TEXTS_MAX)
        return;
    struct rtl_text *to = &t->list[t->count];
    *to = (struct rtl_text){.cycle = cycle, .node = node, .number = t->count++};
    snprintf(to->text, sizeof to->text, "%s", text);
}

enum ec_code session_part(const struct ec_case *c, const struct ec_partition *partition,
                          uint32_t part, struct ec_net_pulse *pulse, struct rtl_texts *texts,
                          struct ec_net **ret, struct ec_error *reterr)
{
    struct kept_net *kept = &c->session->side[c->side];
    struct kept_part *k = &kept->part[part];
    struct ec_tiles_options options = kept->options;
    enum ec_code code = EC_OK;
    options.pulse = pulse;
    options.text = pass_text;
    options.text_context = k;
    k->texts = texts;
    if (!k->net)
        code = tiles_open_part(&kept->topology, &kept->router, kept->shape, &options, partition,
                               part, &k->net, reterr);
    if (code == EC_OK)
        *ret = k->net;
    return code;
}

void session_part_end(const struct ec_case *c, uint32_t part)
{
    c->session->side[c->side].part[part].texts = NULL;
}

void session_tell(const struct ec_case *c, const struct rtl_text *text)
{
    if (c->session->options.rtl)
        tell_rtl(&c->session->side[c->side], text->cycle, text->node, text->text);
}
