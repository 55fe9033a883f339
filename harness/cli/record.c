/* SPDX-License-Identifier: Apache-2.0 */
/* JSON records of runs and audits.
 *
 * Knows every key, its order and its meaning; the man page repeats them and a test compares. */
#include "record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "channel.h"

/* A record being filled; `failed` once memory ran out. */
struct filling {
    json_t *object;
    bool failed;
};

static void put(struct filling *f, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(f->object, key, value) != 0)
        f->failed = true;
}

/* The object, or NULL if something of it is missing. */
static json_t *finish(struct filling *f)
{
    if (!f->failed)
        return f->object;
    json_decref(f->object);
    return NULL;
}

/* The list, or NULL if something of it is missing; takes both over. */
static json_t *append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

/* Text from the user may hold bytes that are no UTF-8, which JSON cannot: they become '?'. */
static json_t *text(const char *s)
{
    if (!s)
        return json_null();
    json_t *value = json_string(s);
    if (value)
        return value;
    char *copy = strdup(s);
    for (char *c = copy; c && *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    value = copy ? json_string(copy) : NULL;
    free(copy);
    return value;
}

json_t *cli_record_text(const char *s)
{
    return text(s);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *number_if(bool known, uint64_t value)
{
    return known ? number(value) : json_null();
}

static json_t *real_if(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *boolean_if(bool known, bool value)
{
    return known ? json_boolean(value) : json_null();
}

static uint64_t peak_rss_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static const char *verdict_name(enum ec_verdict v)
{
    static const char *const names[] = {
        [EC_VERDICT_NONE] = "none", [EC_VERDICT_PASS] = "pass", [EC_VERDICT_FAIL] = "fail"};
    return names[v];
}

const char *cli_record_outcome(enum ec_outcome o)
{
    static const char *const names[] = {[EC_RUN_FINISHED] = "finished",
                                        [EC_RUN_LIMIT] = "limit",
                                        [EC_RUN_DEADLOCK] = "deadlock",
                                        [EC_RUN_BROKEN] = "broken",
                                        [EC_RUN_INTERRUPTED] = "interrupted"};
    return names[o];
}

static json_t *check(const char *name, enum ec_verdict verdict, const char *detail)
{
    struct filling f = {.object = json_object()};
    put(&f, "name", text(name));
    put(&f, "verdict", text(verdict_name(verdict)));
    put(&f, "detail", text(detail));
    return finish(&f);
}

static json_t *checks(const struct cli_run_result *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        list = append(list, check(ec_check_name(i), c->verdict, c->detail));
    }
    if (r->expect.verdict != EC_VERDICT_NONE)
        list = append(list, check("expect", r->expect.verdict, r->expect.detail));
    return list;
}

/* No packet takes 0 cycles: a largest latency of 0 means that none was measured. */
static json_t *latency(const struct ec_latency *l)
{
    bool known = l->max > 0;
    struct filling f = {.object = json_object()};
    put(&f, "mean", real_if(known, l->mean));
    put(&f, "p50", number_if(known, l->p50));
    put(&f, "p95", number_if(known, l->p95));
    put(&f, "p99", number_if(known, l->p99));
    put(&f, "max", number_if(known, l->max));
    return finish(&f);
}

static json_t *channel_use(const struct cli_run_result *r, struct ec_channel c, const char *name,
                           uint32_t to)
{
    struct cli_channel_use use = cli_channel_used(r, c);
    bool taps = r->has_taps && c.kind != EC_CHANNEL_INJECT;
    struct filling f = {.object = json_object()};
    put(&f, "node", number(c.node));
    put(&f, "port", number(c.port));
    put(&f, "name", text(name));
    if (c.kind == EC_CHANNEL_LINK)
        put(&f, "to", number(to));
    put(&f, "load", number_if(r->c->audit != NULL, use.load));
    put(&f, "flits", number(use.flits));
    put(&f, "contended", number_if(taps, use.contended));
    put(&f, "starved", number_if(taps, use.starved));
    return finish(&f);
}

static json_t *links(const struct cli_run_result *r)
{
    const struct ec_topology *t = &r->c->topology;
    json_t *list = json_array();
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            uint32_t to = ec_topology_neighbor(t, node, link);
            if (to == EC_NONE)
                continue;
            char name[32];
            ec_topology_link_name(t, link, name, sizeof name);
            struct ec_channel c = {.kind = EC_CHANNEL_LINK, .node = node, .port = link};
            list = append(list, channel_use(r, c, name, to));
        }
    }
    return list;
}

static json_t *locals(const struct cli_run_result *r)
{
    json_t *list = json_array();
    for (uint32_t node = 0; node < r->c->topology.nodes; node++) {
        for (unsigned port = 0; port < r->report->locals; port++) {
            struct ec_channel c = {.kind = EC_CHANNEL_INJECT, .node = node, .port = port};
            list = append(list, channel_use(r, c, "inject", 0));
            c.kind = EC_CHANNEL_EJECT;
            list = append(list, channel_use(r, c, "eject", 0));
        }
    }
    return list;
}

static json_t *packet_log(const struct ec_report *report)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < report->packets; i++) {
        const struct ec_packet_log *p = &report->packets_log[i];
        struct filling f = {.object = json_object()};
        put(&f, "src", number(p->src));
        put(&f, "dst", number(p->dst));
        put(&f, "words", number(p->words));
        put(&f, "created", number(p->created));
        put(&f, "injected", number(p->injected));
        put(&f, "delivered", number(p->delivered));
        list = append(list, finish(&f));
    }
    return list;
}

static json_t *waiting_lines(const struct ec_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->waiting_count; i++)
        list = append(list, text(report->waiting[i]));
    return list;
}

/* Null if nothing failed or no replay was asked for. */
static json_t *failure(const struct ec_failure *failure)
{
    if (!failure->found && !failure->wave[0] && !failure->note[0] && failure->check_count == 0)
        return json_null();
    struct filling f = {.object = json_object()};
    json_t *nodes = json_array(), *lines = json_array();
    for (size_t i = 0; i < failure->node_count; i++)
        nodes = append(nodes, number(failure->nodes[i]));
    for (size_t i = 0; i < failure->check_count; i++)
        lines = append(lines, text(failure->checks[i]));
    put(&f, "cycle", number_if(failure->found, failure->cycle));
    put(&f, "nodes", nodes);
    put(&f, "rtl_checks", lines);
    put(&f, "wave", text(failure->wave[0] ? failure->wave : NULL));
    put(&f, "note", text(failure->note[0] ? failure->note : NULL));
    return finish(&f);
}

/* What run and audit rows begin with. */
static void put_case(struct filling *f, const struct cli_case *c)
{
    put(f, "topology", text(c->topology_text));
    put(f, "nodes", number(c->topology.nodes));
    put(f, "workload", text(c->workload->text));
    put(f, "algorithm", text(cli_case_algorithm(c)));
}

/* Null without a schedule. */
static json_t *sync_name(const struct cli_case *c)
{
    return text(c->schedule ? cli_syncs[c->job->sync] : NULL);
}

/* What rows with a schedule say of it. */
static void put_schedule(struct filling *f, const struct cli_case *c)
{
    const struct ec_schedule_audit *found = &c->found;
    const bool has = c->schedule != NULL;
    put(f, "local_cost", number_if(has, c->job->local_cost));
    put(f, "local_moves", number_if(has, found->local_moves));
    put(f, "element_hops", number_if(has, found->element_hops));
    put(f, "valid", boolean_if(has, found->valid));
    put(f, "defect", text(found->defect[0] ? found->defect : NULL));
    put(f, "shifted", number_if(has, found->shifted));
    put(f, "distinct", boolean_if(has, found->distinct));
}

static void put_counts(struct filling *f, const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    put(f, "cycles", number(report->cycles));
    put(f, "predicted_cycles", number_if(report->has_prediction, report->predicted_cycles));
    put(f, "steps", number_if(r->c->schedule != NULL, r->c->found.steps));
    put(f, "words", number(report->words));
    put(f, "packets", number(report->packets));
    put(f, "flit_hops", number(report->flit_hops));
    put(f, "max_hops", number(report->max_hops));
    put(f, "contended_cycles", number_if(r->has_taps, report->contended_cycles));
    put(f, "starved_cycles", number_if(r->has_taps, report->starved_cycles));
    put(f, "max_link_load", number_if(r->c->audit != NULL, report->max_link_load));
    put(f, "latency", latency(&report->packet_latency));
}

/* Keys that came after the schema's own. */
static void put_more(struct filling *f, const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    put(f, "outcome", text(cli_record_outcome(report->outcome)));
    put(f, "messages", number(report->messages));
    put(f, "network_latency", latency(&report->network_latency));
    put(f, "offered", real_if(report->offered > 0, report->offered));
    put(f, "max_link_flits", number(report->max_link_flits));
    put(f, "eject_stalled", real_if(report->eject_waiting > 0, report->eject_stalled));
    put(f, "simulated_cycles", number(report->simulated_cycles));
    put(f, "stepped", number(report->stepped));
    put(f, "cpu_seconds", real_if(true, report->cpu_seconds));
    put(f, "waiting", waiting_lines(report));
    put(f, "failure", failure(&report->failure));
    put(f, "links", links(r));
    put(f, "locals", locals(r));
    if (report->packets_log)
        put(f, "packet_log", packet_log(report));
    put(f, "peak_memory", number_if(r->c->schedule != NULL, r->c->found.peak_memory));
    put_schedule(f, r->c);
}

json_t *cli_record_run(const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    struct filling f = {.object = json_object()};
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, report->digest);
    put_case(&f, r->c);
    put(&f, "sync", sync_name(r->c));
    put(&f, "router", text(r->c->router_text));
    put(&f, "backend", text(cli_backends[r->c->job->backend]));
    put(&f, "seed", number(r->c->job->seed));
    put(&f, "verdict", text(r->status == CLI_OK ? "pass" : "fail"));
    put(&f, "checks", checks(r));
    put_counts(&f, r);
    put(&f, "accepted", real_if(report->offered > 0, report->accepted));
    put(&f, "digest", text(digest));
    put(&f, "shape_key", text(r->shape_key));
    put(&f, "command", text(r->c->job->command));
    put(&f, "seconds", real_if(true, report->seconds));
    put(&f, "router_cycles_per_second", real_if(true, report->router_cycles_per_second));
    put(&f, "peak_rss_bytes", number(peak_rss_bytes()));
    put(&f, "wave", text(r->look->has_wave ? r->c->job->wave : NULL));
    put(&f, "version", text(EC_VERSION));
    put(&f, "schema", text("ecube-run-1"));
    put_more(&f, r);
    return finish(&f);
}

static json_t *witness_packet(const struct cli_audit_result *r, unsigned which)
{
    const struct ec_audit *audit = r->c->audit;
    const struct ec_message *m = &r->c->workload->messages[audit->witness[which]];
    json_t *path = json_array();
    for (size_t i = 0; i < r->hops[which]; i++)
        path = append(path, number(r->path[which][i].node));
    path = append(path, number(m->dst));
    struct filling f = {.object = json_object()};
    put(&f, "src", number(m->src));
    put(&f, "dst", number(m->dst));
    put(&f, "path", path);
    return finish(&f);
}

static json_t *witness(const struct cli_audit_result *r)
{
    const struct ec_audit *audit = r->c->audit;
    if (!audit || audit->congestion_free)
        return json_null();
    char name[200];
    cli_channel_name(&r->c->topology, audit->locals, audit->busiest, name, sizeof name);
    json_t *packets = json_array();
    packets = append(packets, witness_packet(r, 0));
    packets = append(packets, witness_packet(r, 1));
    struct filling f = {.object = json_object()};
    put(&f, "channel", text(name));
    put(&f, "packets", packets);
    return finish(&f);
}

static json_t *waiting_cycle(const struct cli_audit_result *r)
{
    if (r->deadlock_free)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct ec_vertex *v = &r->waiting[i];
        char name[32];
        ec_topology_link_name(&r->c->topology, v->link, name, sizeof name);
        struct filling f = {.object = json_object()};
        put(&f, "node", number(v->node));
        put(&f, "port", number(v->link));
        put(&f, "name", text(name));
        put(&f, "class", number(v->class_));
        list = append(list, finish(&f));
    }
    return list;
}

/* What the audit of a schedule proves or refutes, one by one. */
static void put_proofs(struct filling *f, const struct cli_case *c)
{
    const struct ec_schedule_audit *found = &c->found;
    const bool has = c->schedule != NULL;
    put(f, "sync", sync_name(c));
    put(f, "sound", boolean_if(has, found->sound));
    put(f, "placed", boolean_if(has, found->placed));
    put(f, "one_port", boolean_if(has, found->one_port));
    put(f, "adjacent", boolean_if(has, found->adjacent));
    put(f, "max_step_load", number_if(has && c->audit, c->audit ? c->audit->max_step_load : 0));
}

json_t *cli_record_audit(const struct cli_audit_result *r)
{
    const struct ec_audit *a = r->c->audit;
    struct filling f = {.object = json_object()};
    put_case(&f, r->c);
    put(&f, "router", text(r->c->router_text));
    put(&f, "congestion_free", boolean_if(a != NULL, a && a->congestion_free));
    put(&f, "max_link_load", number_if(a != NULL, a ? a->max_link_load : 0));
    put(&f, "max_hops", number_if(a != NULL, a ? a->max_hops : 0));
    put(&f, "channels", number_if(a != NULL, a ? a->channels : 0));
    put(&f, "channels_used", number_if(a != NULL, a ? a->channels_used : 0));
    put(&f, "steps", number_if(r->c->schedule != NULL, r->c->found.steps));
    put(&f, "peak_memory", number_if(r->c->schedule != NULL, r->c->found.peak_memory));
    put(&f, "witness", witness(r));
    put(&f, "deadlock_free", json_boolean(r->deadlock_free));
    put(&f, "waiting_cycle", waiting_cycle(r));
    put(&f, "version", text(EC_VERSION));
    put(&f, "schema", text("ecube-audit-1"));
    put(&f, "verdict", text(r->status == CLI_OK ? "pass" : "fail"));
    put(&f, "predicted_cycles", number_if(r->has_prediction, r->predicted_cycles));
    put(&f, "max_channel_load", number_if(a != NULL, a ? a->max_channel_load : 0));
    put(&f, "total_hops", number_if(a != NULL, a ? a->total_hops : 0));
    put(&f, "flit_hops", number_if(a != NULL, a ? a->flit_hops : 0));
    put(&f, "seed", number(r->c->job->seed));
    put(&f, "command", text(r->c->job->command));
    put(&f, "seconds", real_if(true, r->seconds));
    put(&f, "peak_rss_bytes", number(peak_rss_bytes()));
    put_proofs(&f, r->c);
    put_schedule(&f, r->c);
    return finish(&f);
}
