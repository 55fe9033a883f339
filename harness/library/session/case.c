/* SPDX-License-Identifier: Apache-2.0 */
/* From option strings to objects, and from these to a report.
 *
 * Calls the parts of the library in the right order; must not do their work. */
#include "session/session.h"
#include "shape/bank_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "ecube/partition.h"
#include "parts/auto.h"
#include "parts/host.h"
#include "run/play.h"
#include "session/split.h"
#include "shape/engine.h"

enum { WINDOW = 10000, WARMUP = 1000 }; /* default cycles of an open-loop run */

/* --- Specifications --------------------------------------------------------------------------- */

struct ec_case_spec ec_case_spec_default(void)
{
    return (struct ec_case_spec){.seed = 1};
}

bool ec_case_spec_chooses(const struct ec_case_spec *spec)
{
    const size_t name = spec->algorithm ? strcspn(spec->algorithm, ":") : 0;
    return name == strlen("best") && strncmp(spec->algorithm, "best", name) == 0;
}

bool spec_has_ports(const struct ec_case_spec *spec)
{
    for (const char *at = spec->router; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "ports=", strlen("ports=")) == 0)
            return true;
    }
    return false;
}

/* --- Parts ------------------------------------------------------------------------------------ */

struct ec_run_options ec_case_run_options(const struct ec_case *c)
{
    const struct ec_session_options *o = session_options(c->session);
    const struct ec_case_spec *spec = &c->spec;
    const bool open_loop = c->workload->open_loop;
    return (struct ec_run_options){
        .cycles = spec->has_cycles ? spec->cycles
                  : open_loop      ? WINDOW
                                   : 0,
        .warmup = spec->has_warmup ? spec->warmup
                  : open_loop      ? WARMUP
                                   : 0,
        .precision = spec->precision > 0 ? &c->precision : NULL,
        .startup = spec->startup,
        .seed = spec->seed,
        .eject_stall = spec->eject_stall,
        .progress = o->progress,
        .progress_context = o->context,
        .schedule = c->schedule,
    };
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What a router does in a cycle, about, in a closed workload: it sends a word. */
#define CLOSED_WORDS     1.0
/* Cycles of a run with a precision, about. */
#define PRECISION_CYCLES 65536.0

/* Links and the destination, on average over all pairs of nodes. */
static double path_words(const struct ec_topology *t)
{
    return ec_topology_diameter(t) / (t->kind == EC_MESH ? 3.0 : 2.0) + 1;
}

static double all_words(const struct ec_workload *w)
{
    double words = 0;
    for (size_t i = 0; i < w->message_count; i++)
        words += w->messages[i].words;
    return words;
}

static struct parts_work work_of(const struct ec_case *c, uint32_t ranks)
{
    const struct ec_run_options run = ec_case_run_options(c);
    const struct ec_workload *w = c->workload;
    const double path = path_words(&c->topology), nodes = c->topology.routers;
    struct parts_work work = {
        .nodes = c->topology.routers / ranks,
        .ports = ec_topology_links(&c->topology) + ec_router_local_ports(&c->router, &c->topology),
        .epoch = w->order ? 1 : ec_router_link_least(&c->router, &c->topology)};
    if (w->open_loop) {
        work.words = w->rate * path * c->topology.nodes / nodes;
        work.cycles = run.precision ? PRECISION_CYCLES : (double)(run.warmup + run.cycles);
    } else {
        work.words = CLOSED_WORDS;
        work.cycles = all_words(w) * path / nodes / CLOSED_WORDS;
    }
    return work;
}

bool session_vectors(const struct ec_case *c, struct ec_error *ret_why)
{
    enum { LONG_WORDS = 1024 }; /* of a message */
    const struct ec_workload *w = c->workload;
    if (ec_engine_simd()->instructions()[0] == '\0')
        return ec_fail(ret_why, EC_TOOL, "this processor has neither AVX2 nor AVX-512") == EC_OK;
    if (c->router.vcs > 4 && c->router.va == EC_VA_DYNAMIC)
        return ec_fail(ret_why, EC_USAGE,
                       "auto takes simd for up to 4 VCs with va=dynamic: Yosys takes minutes for "
                       "more") == EC_OK;
    if (!w || w->order || (!w->open_loop && (!w->permutation || w->longest < LONG_WORDS)))
        return ec_fail(ret_why, EC_USAGE,
                       "auto takes simd for open-loop workloads, and for permutations with "
                       "messages of %d words or more",
                       LONG_WORDS) == EC_OK;
    const struct parts_work work = work_of(c, 1);
    if (!parts_vectors(&work))
        return ec_fail(ret_why, EC_USAGE,
                       "auto takes simd for 16 routers or more that send %g words a cycle at each "
                       "port; expected here: %u routers, %.3g words",
                       PARTS_VECTORS_USE, work.nodes, work.words / work.ports) == EC_OK;
    return true;
}

/* What each part has at least one of. */
static uint32_t units_of(const struct ec_case *c)
{
    return least(c->topology.nodes, c->topology.routers);
}

static uint32_t auto_threads(const struct ec_case *c, uint32_t ranks, uint32_t processors)
{
    if (!c->workload)
        return 1;
    const struct parts_work work = work_of(c, ranks);
    return parts_auto(&work, processors);
}

static uint32_t threads_of(const struct ec_case *c, uint32_t ranks)
{
    const uint32_t most = units_of(c) / ranks, threads = c->spec.threads;

    if (threads == EC_THREADS_AUTO)
        return auto_threads(c, ranks, least(ec_host_processors(), EC_THREADS_MAX));
    return threads > 1 ? least(threads, most) : 1;
}

static const char *indivisible(enum ec_backend backend)
{
    return backend == EC_BACKEND_FLAT ? "flat" : backend == EC_BACKEND_SYSTEMC ? "systemc" : NULL;
}

static enum ec_code check(const struct ec_case *c, const struct ec_case_split *s,
                          struct ec_error *reterr)
{
    const uint32_t units = units_of(c), most = least(units, EC_PARTITION_MAX);
    const char *what = units < c->topology.nodes ? "router" : "node";
    const char *whole = indivisible(c->spec.backend);

    if (s->ranks > units)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u %ss, too few for %u ranks of MPI: every rank needs a %s",
                       c->topology_text, units, what, s->ranks, what);
    if (s->parts > most)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u %ss and cannot be split into %u parts: expected 1 to %u",
                       c->topology_text, units, what, s->parts, most);
    if (s->parts > 1 && whole)
        return ec_fail(reterr, EC_USAGE,
                       "the backend '%s' is one model of the whole network, which cannot be split "
                       "into %u parts; only 'tiles' can",
                       whole, s->parts);
    return EC_OK;
}

enum ec_code ec_case_split(const struct ec_case *c, struct ec_case_split *ret,
                           struct ec_error *reterr)
{
    struct ec_case_split s = {.ranks = session_rank_count(c->session)};
    const struct world *world = session_world(c->session);

    s.threads = world ? world->threads /* all ranks agree on them */
                : indivisible(c->spec.backend) && c->spec.threads == EC_THREADS_AUTO
                    ? 1
                    : threads_of(c, least(s.ranks, units_of(c)));
    s.parts = s.ranks * s.threads;
    s.pays = auto_threads(c, 1, EC_PARTITION_MAX) > 1;
    const enum ec_code code = check(c, &s, reterr);
    if (code == EC_OK)
        *ret = s;
    return code;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static bool is_direct(const struct ec_case_spec *spec)
{
    return !spec->algorithm || strcmp(spec->algorithm, "direct") == 0;
}

/* A schedule that uses all links of a node at once needs a local port for each. */
static enum ec_code choose_ports(struct ec_case *c, struct ec_error *reterr)
{
    if (!c->schedule->all_ports || c->router.ports == EC_PORTS_ALL)
        return EC_OK;
    if (c->router.table)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' uses all links of a node at once, which needs ports=all: "
                       "leave out routing=table",
                       c->schedule->algorithm);
    if (spec_has_ports(&c->spec))
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' uses all links of a node at once: set ports=all in "
                       "--router, or leave out ports=",
                       c->schedule->algorithm);
    c->router.ports = EC_PORTS_ALL;
    c->ports_chosen = true;
    return EC_OK;
}

static enum ec_code make_schedule(struct ec_case *c, bool played, struct ec_error *reterr)
{
    const struct ec_case_spec *spec = &c->spec;
    session_phase(c->session, "%s %s: making the schedule '%s'", spec->topology, spec->workload,
                  spec->algorithm);
    enum ec_code code =
        ec_schedule_open(&c->topology, c->pattern, spec->algorithm, &c->schedule, reterr);
    if (code == EC_OK)
        code = choose_ports(c, reterr);
    if (code == EC_OK && played)
        code = ec_schedule_workload(c->schedule, c->pattern, spec->sync, spec->local_cost,
                                    &c->played, reterr);
    if (code == EC_OK)
        snprintf(c->algorithm, sizeof c->algorithm, "%s", c->schedule->algorithm);
    return code;
}

static enum ec_code choose_schedule(struct ec_case *c, struct ec_error *reterr)
{
    const enum ec_code code = best_choose(c, reterr);
    if (code != EC_OK)
        return code;
    const int length = snprintf(c->algorithm, sizeof c->algorithm, "%s (%s)", c->spec.algorithm,
                                c->candidates[0].algorithm);
    if (length < 0 || (size_t)length >= sizeof c->algorithm)
        return ec_fail(reterr, EC_USAGE, "--algorithm '%.40s...': the name is too long",
                       c->spec.algorithm);
    return EC_OK;
}

/* The default way may not fit where others do. EC_USAGE: none does. */
static enum ec_code open_any_way(struct ec_case *c)
{
    const char *keys, *given = c->spec.workload;
    struct ec_error e;
    char text[300];
    bool all;
    for (size_t i = 1; (keys = ec_workload_way(given, i, &all)) != NULL; i++) {
        snprintf(text, sizeof text, "%s,%s", given, keys);
        if (ec_workload_open(text, &c->topology, c->spec.seed, &c->pattern, &e) != EC_OK)
            continue;
        snprintf(c->pattern->text, sizeof c->pattern->text, "%s", given);
        return EC_OK;
    }
    return EC_USAGE;
}

static enum ec_code open_workload(struct ec_case *c, bool played, struct ec_error *reterr)
{
    const struct ec_case_spec *spec = &c->spec;
    session_phase(c->session, "%s %s: making the workload", spec->topology, spec->workload);
    enum ec_code code =
        ec_workload_open(spec->workload, &c->topology, spec->seed, &c->pattern, reterr);
    if (code == EC_USAGE && ec_case_spec_chooses(spec))
        code = open_any_way(c);
    if (code != EC_OK)
        return code;
    c->workload = c->pattern;
    if (spec->combine)
        code = ec_workload_combine(c->pattern, spec->combine, reterr);
    if (code != EC_OK)
        return code;
    if (spec->has_warmup && !spec->warmup_optional && !c->pattern->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "--warmup requires an open-loop workload (rate=): '%.100s' is measured from "
                       "its first word",
                       spec->workload);
    if (spec->precision > 0 && spec->has_warmup)
        return ec_fail(reterr, EC_USAGE,
                       "--precision and --warmup: a measurement finds its own warm-up; expected "
                       "one of them");
    if (spec->precision > 0 && !c->pattern->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "--precision requires an open-loop workload (rate=): '%.100s' ends by "
                       "itself",
                       spec->workload);
    if (is_direct(spec)) {
        if (spec->has_sync || spec->local_cost)
            return ec_fail(reterr, EC_USAGE,
                           "%s needs --algorithm NAME: direct traffic has no steps (see `ecube "
                           "list algorithms`)",
                           spec->has_sync ? "--sync" : "--local-cost");
        return EC_OK;
    }
    if (c->topology.graph && spec->all_candidates)
        return ec_fail(reterr, EC_USAGE,
                       "topology '%.100s': expected a ring, mesh, torus or cube, for which a plan "
                       "has algorithms and lower bounds; got a graph: use ecube run",
                       spec->topology);
    if (c->topology.graph)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%.100s': algorithms are made for rings, meshes, tori and cubes: "
                       "expected --algorithm direct on a graph",
                       spec->algorithm);
    code =
        ec_case_spec_chooses(spec) ? choose_schedule(c, reterr) : make_schedule(c, played, reterr);
    if (code == EC_OK && c->played)
        c->workload = c->played;
    return code;
}

/* A topology that is none: is it a workload, or only its first half? */
static enum ec_code refuse_topology(const struct ec_case_spec *spec, struct ec_error *reterr)
{
    struct ec_topology t;
    struct ec_error e = *reterr;
    char hint[160] = "";
    if (spec->workload && ec_topology_parse(spec->workload, &t, NULL) == EC_OK)
        snprintf(hint, sizeof hint, "; did you mean '%.60s %.60s'?", spec->workload,
                 spec->topology);
    else if (spec->workload)
        ec_hint_join(spec->topology, spec->workload, hint, sizeof hint);
    return *hint ? ec_fail(reterr, e.code, "%.800s%s", e.message, hint) : e.code;
}

/* Message classes that must not wait for each other. */
static unsigned message_classes(const struct ec_workload *w)
{
    return w && w->service.words > 0 && !w->service.shared ? 2 : 1;
}

/* Only the routers of ecube have paths by message class, which are then not those of requests and
 * replies; schedules are made for one path. */
static enum ec_code check_draws(const struct ec_case *c, struct ec_error *reterr)
{
    if (c->spec.top)
        return ec_fail(reterr, EC_USAGE,
                       "router: order=class and routing=valiant are options of ecube's own "
                       "router: leave out --top");
    if (c->schedule)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' is made for one path between two nodes: expected "
                       "--algorithm direct with order=class or routing=valiant",
                       c->algorithm);
    return c->workload ? play_check_draws(&c->router, c->workload, reterr) : EC_OK;
}

/* A router that chooses is the user's, and nothing is proved about its paths. */
static enum ec_code check_routing(const struct ec_case *c, struct ec_error *reterr)
{
    if (c->topology.graph && c->spec.backend != EC_BACKEND_TILES)
        return ec_fail(reterr, EC_USAGE, "%s is a graph: expected the backend 'tiles'",
                       c->topology_text);
    if (c->spec.top && c->router.speedup)
        return ec_fail(reterr, EC_USAGE,
                       "router: speedup is an option of ecube's own router: leave out --top");
    const bool adapts = c->router.routing == EC_ROUTING_ADAPTIVE;
    if (ec_router_draws(&c->router))
        return check_draws(c, reterr);
    if (!ec_router_chooses(&c->router))
        return EC_OK;
    if (!c->spec.top && !adapts && !ec_router_has_sets(&c->router)) /* an audit takes these */
        return ec_fail(reterr, EC_USAGE,
                       "router: ecube's own router has routing=dor, table, adaptive or valiant: "
                       "expected "
                       "--rtl FILES --top "
                       "NAME with another routing");
    if (c->spec.top && adapts)
        return ec_fail(reterr, EC_USAGE,
                       "router: routing=adaptive is that of ecube's own router: expected "
                       "routing=minimal with --top");
    if (c->schedule)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' is made for the paths of routing=dor: expected "
                       "--algorithm direct with another routing",
                       c->algorithm);
    return EC_OK;
}

/* Shortest paths, or, if these can deadlock, up/down routing, which cannot. */
static enum ec_code make_graph_table(struct ec_case *c, struct ec_error *reterr)
{
    struct ec_router r = c->router;
    bool is_free = false;
    r.table = c->table;
    enum ec_code code = ec_table_fill_graph(c->table, &c->topology, false, reterr);
    if (code == EC_OK)
        code = ec_deadlock_free(&c->topology, &r, &is_free, NULL, NULL, reterr);
    c->updown = !is_free;
    return code == EC_OK && c->updown ? ec_table_fill_graph(c->table, &c->topology, true, reterr)
                                      : code;
}

/* The table that the router follows, as made or read; it is proved that every message arrives. A
 * router that chooses gets one in a graph, where nothing else leads it to a node. */
static enum ec_code open_table(struct ec_case *c, struct ec_error *reterr)
{
    const struct ec_topology *t = &c->topology;
    const struct ec_router *r = &c->router;
    if (r->routing != EC_ROUTING_TABLE && !t->graph)
        return EC_OK;
    session_phase(c->session, "%s: making the routing table", c->topology_text);
    enum ec_code code =
        ec_table_open(t->routers, t->nodes, ec_topology_links(t) + ec_router_local_ports(r, t),
                      r->dateline, &c->table, reterr);
    if (code == EC_OK && *r->table_file)
        code = ec_table_read(c->table, r->table_file, reterr);
    else if (code == EC_OK && t->graph)
        code = make_graph_table(c, reterr);
    else if (code == EC_OK)
        ec_table_fill(c->table, t, r);
    if (code == EC_OK)
        code = ec_table_check(c->table, t, NULL, reterr);
    if (code == EC_OK)
        c->router.table = c->table;
    if (code == EC_OK && r->ordered && !ec_router_chooses(r))
        code = ec_fail(reterr, EC_USAGE,
                       "router: ordered: with one port in each entry of table=%s order follows "
                       "from the path: leave it out",
                       r->table_file);
    return code;
}

static enum ec_code open_parts(struct ec_case *c, bool played, struct ec_error *reterr)
{
    const struct ec_case_spec *spec = &c->spec;
    enum ec_code code = ec_topology_open(spec->topology, &c->topology, reterr);
    if (code != EC_OK)
        return reterr ? refuse_topology(spec, reterr) : code;
    code = ec_router_parse(spec->router, &c->topology, &c->router, reterr);
    if (code != EC_OK)
        return code;
    ec_topology_format(&c->topology, c->topology_text, sizeof c->topology_text);
    code = open_table(c, reterr);
    struct ec_case_split split;
    if (code == EC_OK)
        code = ec_case_split(c, &split, reterr);
    if (code == EC_OK && spec->workload)
        code = open_workload(c, played, reterr);
    if (code == EC_OK)
        code = check_routing(c, reterr);
    for (size_t i = 0; code == EC_OK && c->pattern && i < c->pattern->message_count; i++)
        c->pattern->messages[i].way =
            ec_route_of_message(&c->router, c->topology.nodes, spec->seed, i);
    if (code == EC_OK)
        code = ec_router_set_packet(&c->router, spec->packet,
                                    c->workload     ? c->workload->longest
                                    : spec->longest ? spec->longest
                                                    : 1,
                                    reterr);
    /* An audit needs no lanes; a run without them is refused before it is played. Without a
     * workload yet, the classes stay open. */
    const unsigned classes = message_classes(c->workload);
    if (code == EC_OK && c->workload && ec_router_lanes(&c->router) >= classes)
        code = ec_router_set_classes(&c->router, classes, reterr);
    if (code == EC_OK)
        ec_router_format(&c->router, c->router_text, sizeof c->router_text);
    return code;
}

static enum ec_code open_case(struct ec_session *s, const struct ec_case_spec *spec, bool played,
                              struct ec_case **ret, struct ec_error *reterr)
{
    struct ec_case *c = calloc(1, sizeof *c);
    if (!c)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    c->session = s;
    c->spec = *spec;
    c->precision = (struct ec_precision){.relative = spec->precision,
                                         .limit = spec->has_cycles ? spec->cycles : 0};
    snprintf(c->algorithm, sizeof c->algorithm, "direct");
    const enum ec_code code = open_parts(c, played, reterr);
    if (code == EC_OK)
        *ret = c;
    else
        ec_case_close(c);
    return code;
}

enum ec_code ec_case_open(struct ec_session *s, const struct ec_case_spec *spec,
                          struct ec_case **ret, struct ec_error *reterr)
{
    return open_case(s, spec, true, ret, reterr);
}

enum ec_code ec_case_open_unplayed(struct ec_session *s, const struct ec_case_spec *spec,
                                   struct ec_case **ret, struct ec_error *reterr)
{
    return open_case(s, spec, false, ret, reterr);
}

void ec_case_close(struct ec_case *c)
{
    if (!c)
        return;
    ec_audit_close(c->audit);
    ec_workload_close(c->played);
    ec_schedule_close(c->schedule);
    free(c->candidates);
    ec_workload_close(c->pattern);
    ec_table_close(c->table);
    ec_topology_close(&c->topology);
    free(c);
}

/* --- Audit ------------------------------------------------------------------------------------ */

enum ec_code ec_case_audit(struct ec_case *c, bool with_words, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (c->audited || c->workload->open_loop || ec_router_chooses(&c->router))
        return EC_OK; /* nothing to audit: messages are drawn, or the router chooses the paths */
    if (c->owner) {
        code = ec_case_audit(c->owner, with_words, reterr);
        c->audited = c->owner->audited;
        c->audit = c->owner->audit;
        c->found = c->owner->found;
        return code;
    }
    session_phase(c->session, "%s %s: auditing", c->topology_text, c->workload->text);
    ec_audit_close(c->audit); /* of an attempt that failed halfway */
    c->audit = NULL;
    if (c->played || !c->schedule)
        code = ec_audit_open(&c->topology, &c->router, c->workload, with_words, &c->audit, reterr);
    if (code == EC_OK && c->schedule)
        code = ec_schedule_audit(&c->topology, &c->router, c->schedule, &c->found, reterr);
    c->audited = code == EC_OK;
    return code;
}

enum ec_code ec_case_predict(const struct ec_case *c, bool *ret_known, uint64_t *ret_cycles,
                             struct ec_error *reterr)
{
    *ret_known = false;
    return c->audit ? ec_predict(&c->topology, &c->router, c->workload, c->audit, c->spec.startup,
                                 ret_known, ret_cycles, reterr)
                    : EC_OK;
}

enum ec_code ec_case_least(const struct ec_case *c, enum ec_ports ports, struct ec_least *ret,
                           struct ec_error *reterr)
{
    struct ec_router router = c->router;
    router.ports = ports;
    session_phase(c->session, "%s %s: computing lower bounds", c->topology_text, c->pattern->text);
    /* Packets can be as long as the router admits. */
    const enum ec_code code = ec_router_set_packet(&router, c->spec.packet, UINT32_MAX, reterr);
    return code == EC_OK
               ? ec_least_cycles(&c->topology, &router, c->pattern, c->spec.startup, ret, reterr)
               : code;
}

enum ec_code ec_case_bounds(const struct ec_case *c, struct ec_bounds *ret, struct ec_error *reterr)
{
    struct ec_bounds b = {0};
    if (c->workload->open_loop && !ec_router_chooses(&c->router)) {
        session_phase(c->session, "%s %s: computing bounds", c->topology_text, c->workload->text);
        const enum ec_code code =
            ec_bounds(&c->topology, &c->router, c->workload, c->spec.startup, &b, reterr);
        if (code != EC_OK && code != EC_USAGE) /* EC_USAGE: numbers too large; not known then */
            return code;
        b.has_zero_load &= !c->spec.top && !c->spec.own_time && c->spec.eject_stall <= 0;
    }
    *ret = b;
    return EC_OK;
}

enum ec_code ec_case_deadlock(const struct ec_case *c, struct ec_deadlock *ret,
                              struct ec_error *reterr)
{
    struct ec_deadlock found, without = {.possible = EC_ANSWER_UNCHECKED};
    struct ec_router router = c->router;
    enum ec_code code = ec_deadlock_possible(&c->topology, &router, c->workload, &found, reterr);
    router.dateline = false;
    if (code == EC_OK && c->spec.top && ec_router_classes(&router) == 1)
        code = ec_deadlock_possible(&c->topology, &router, c->workload, &without, reterr);
    const bool chooses = router.routing == EC_ROUTING_MINIMAL || router.routing == EC_ROUTING_ANY;
    if ((c->spec.top && without.possible != EC_ANSWER_NO) || chooses)
        found.possible = EC_ANSWER_UNCHECKED;
    if (chooses) /* the ring is one of paths in dimension order */
        found.length = 0;
    if (code == EC_OK)
        *ret = found;
    return code;
}

/* --- Runs ------------------------------------------------------------------------------------- */

enum ec_code ec_case_check(const struct ec_case *c, struct ec_error *reterr)
{
    const struct ec_run_options options = ec_case_run_options(c);
    return play_check_workload(&c->router, c->workload, &options, reterr);
}

struct ec_failure_options ec_case_failure_options(struct ec_case *c)
{
    return (struct ec_failure_options){.folder = ".", .traced = session_traced, .context = c};
}

static void tell_begin(const struct ec_case *c, const struct ec_run_options *run)
{
    const struct ec_session_options *o = session_options(c->session);
    if (o->begin)
        o->begin(o->context, c->topology.nodes,
                 c->workload->open_loop && !run->precision ? run->warmup + run->cycles : 0);
}

/* The parts of a run. Callbacks and watchers get the events of all nodes in order, which takes more
 * time than several parts save (docs/adr/0022-parts.md). Other ranks have parts of the network, but
 * do not know of the callbacks of this one. */
static enum ec_code split_of(const struct ec_case *c, const struct ec_run_options *o,
                             struct ec_case_split *ret, struct ec_error *reterr)
{
    const bool watched = o->delivery || o->taken || o->offer || o->watch_count;
    const enum ec_code code = ec_case_split(c, ret, reterr);
    if (code != EC_OK || !watched || ret->parts == 1)
        return code;
    if (ret->ranks > 1)
        return ec_fail(reterr, EC_USAGE,
                       "%u ranks of MPI: event logs, waves, reports and other watchers of a run "
                       "need one process: expected one rank",
                       ret->ranks);
    ret->parts = ret->threads = 1;
    return EC_OK;
}

static enum ec_code prepare(struct ec_case *c, const struct ec_run_options *o,
                            struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    struct ec_case_split split;
    struct ec_net *net;
    /* No backend takes a network that no shape serves, nor a workload that the router cannot: say
     * so before a long audit and a build. */
    enum ec_code code = ec_shape_choose(&c->topology, &c->router, &shape, reterr);
    if (code == EC_OK)
        code = play_check_workload(&c->router, c->workload, o, reterr);
    if (code == EC_OK)
        code = ec_case_audit(c, true, reterr);
    if (code != EC_OK)
        return code;
    if (c->schedule && !c->found.sound)
        return ec_fail(reterr, EC_UNSOUND,
                       "%s %s: algorithm '%s' cannot be played: a node would send an element that "
                       "it does not have; first defect: %s",
                       c->topology_text, c->workload->text, c->algorithm, c->found.defect);
    code = split_of(c, o, &split, reterr);
    if (code != EC_OK)
        return code;
    return split.parts > 1 ? session_prepare_parts(c, split.parts, reterr)
                           : ec_case_net(c, &net, reterr);
}

enum ec_code ec_case_prepare(struct ec_case *c, struct ec_error *reterr)
{
    const struct ec_run_options options = ec_case_run_options(c);
    return prepare(c, &options, reterr);
}

/* The state of a run is that of its compiled router, and of nothing that watches it. */
static enum ec_code check_saved(const struct ec_case *c, struct ec_run_options *o,
                                struct ec_checkpoint_options *checkpoint, struct ec_error *reterr)
{
    struct ec_shape *shape = NULL;
    if (!o->checkpoint && !o->restart)
        return EC_OK;
    if (o->delivery || o->taken || o->offer || o->watch_count || o->keep_packets ||
        c->router.ordered)
        return ec_fail(reterr, EC_USAGE,
                       "the state of a run with an event log, wave, report or list of packets, or "
                       "with ordered=yes, cannot be saved");
    const enum ec_code code = ec_case_shape(c, &shape, reterr);
    if (code != EC_OK)
        return code;
    if (!shape || !ec_shape_state(shape))
        return ec_fail(reterr, EC_USAGE,
                       "a run of %s with this backend, or with a router for each place "
                       "(--parameter with %%), cannot be saved",
                       c->topology_text);
    if (o->restart && strcmp(ec_restart_router(o->restart), ec_shape_key(shape)) != 0)
        return ec_fail(
            reterr, EC_USAGE,
            "the checkpoint has the state of router %.32s, and the router here is %.32s: "
            "other sources, tools or another engine",
            ec_restart_router(o->restart), ec_shape_key(shape));
    if (!o->checkpoint)
        return EC_OK;
    *checkpoint = *o->checkpoint;
    checkpoint->router = ec_shape_key(shape);
    o->checkpoint = checkpoint;
    const struct world *world = session_world(c->session);
    if (world && world->rank > 0)
        return EC_OK;
    struct ec_output probe; /* later the run would go on without a checkpoint */
    const enum ec_code writes =
        ec_output_open(&probe, NULL, checkpoint->path, checkpoint->unfinished, reterr);
    ec_output_discard(&probe);
    return writes;
}

enum ec_code ec_case_run(struct ec_case *c, const struct ec_run_options *options,
                         struct ec_report **ret, struct ec_error *reterr)
{
    const struct ec_run_options usual = ec_case_run_options(c);
    struct ec_run_options own = options ? *options : usual;
    struct ec_checkpoint_options checkpoint;
    struct ec_case_split split;
    struct ec_net *net = NULL;
    struct ec_error e;
    enum ec_code code = prepare(c, &own, &e);
    if (code == EC_OK)
        code = check_saved(c, &own, &checkpoint, &e);
    if (code == EC_OK)
        code = split_of(c, &own, &split, &e);
    if (code == EC_OK && split.parts == 1)
        code = ec_case_net(c, &net, &e);
    if (code != EC_OK)
        return split_refuse(c, &e, reterr);
    tell_begin(c, &own);
    if (split.parts > 1)
        return split_run(c, &split, &own, ret, reterr);
    return ec_run(net, c->workload, c->audit, &own, ret, reterr);
}

enum ec_code ec_case_compare(const struct ec_case *a, const struct ec_case *b,
                             const struct ec_failure_options *const wave[2],
                             struct ec_comparison **ret, struct ec_error *reterr)
{
    const struct ec_compare_options options = {.run = ec_case_run_options(a),
                                               .wave = {wave[0], wave[1]}};
    struct ec_net *net[2];
    enum ec_code code = play_check_workload(&a->router, a->workload, &options.run, reterr);
    if (code == EC_OK)
        code = ec_case_net(a, &net[0], reterr);
    if (code == EC_OK)
        code = ec_case_net(b, &net[1], reterr);
    if (code != EC_OK)
        return code;
    tell_begin(a, &options.run);
    return ec_compare(net[0], net[1], a->workload, &options, ret, reterr);
}
