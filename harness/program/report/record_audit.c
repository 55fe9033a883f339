/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON record of an audit.
 *
 * Knows every key, its order and its meaning; the man page repeats them and a test compares. */
#include "program/report/channel.h"
#include "program/report/record.h"
#include "program/report/record_fill.h"

static json_t *witness_packet(const struct cli_audit_result *r, unsigned which)
{
    const struct ec_audit *audit = r->c->audit;
    const struct ec_message *m = &r->c->workload->messages[audit->witness[which]];
    json_t *path = json_array();
    for (size_t i = 0; i < r->hops[which]; i++)
        path = record_append(path, record_number(r->path[which][i].node));
    path = record_append(path, record_number(m->dst));
    struct record_filling f = {.object = json_object()};
    record_put(&f, "src", record_number(m->src));
    record_put(&f, "dst", record_number(m->dst));
    record_put(&f, "path", path);
    return record_finish(&f);
}

static json_t *witness(const struct cli_audit_result *r)
{
    const struct ec_audit *audit = r->c->audit;
    if (!audit || audit->congestion_free)
        return json_null();
    char name[200];
    cli_channel_name(&r->c->topology, audit->locals, audit->busiest, name, sizeof name);
    json_t *packets = json_array();
    packets = record_append(packets, witness_packet(r, 0));
    packets = record_append(packets, witness_packet(r, 1));
    struct record_filling f = {.object = json_object()};
    record_put(&f, "channel", cli_record_text(name));
    record_put(&f, "packets", packets);
    return record_finish(&f);
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
        struct record_filling f = {.object = json_object()};
        record_put(&f, "node", record_number(v->node));
        record_put(&f, "port", record_number(v->link));
        record_put(&f, "name", cli_record_text(name));
        record_put(&f, "class", record_number(v->class_));
        list = record_append(list, record_finish(&f));
    }
    return list;
}

/* What the audit of a schedule proves or refutes, one by one. */
static void put_proofs(struct record_filling *f, const struct cli_case *c)
{
    const struct ec_schedule_audit *found = &c->found;
    const bool has = c->schedule != NULL;
    record_put(f, "sync", record_sync(c));
    record_put(f, "sound", record_boolean_if(has, found->sound));
    record_put(f, "placed", record_boolean_if(has, found->placed));
    record_put(f, "one_port", record_boolean_if(has, found->one_port));
    record_put(f, "adjacent", record_boolean_if(has, found->adjacent));
    record_put(f, "max_step_load",
               record_number_if(has && c->audit, c->audit ? c->audit->max_step_load : 0));
}

json_t *cli_record_audit(const struct cli_audit_result *r)
{
    const struct ec_audit *a = r->c->audit;
    struct record_filling f = {.object = json_object()};
    record_put_case(&f, r->c);
    record_put(&f, "router", cli_record_text(r->c->router_text));
    record_put(&f, "congestion_free", record_boolean_if(a != NULL, a && a->congestion_free));
    record_put(&f, "max_link_load", record_number_if(a != NULL, a ? a->max_link_load : 0));
    record_put(&f, "max_hops", record_number_if(a != NULL, a ? a->max_hops : 0));
    record_put(&f, "channels", record_number_if(a != NULL, a ? a->channels : 0));
    record_put(&f, "channels_used", record_number_if(a != NULL, a ? a->channels_used : 0));
    record_put(&f, "steps", record_number_if(r->c->schedule != NULL, r->c->found.steps));
    record_put(&f, "peak_memory",
               record_number_if(r->c->schedule != NULL, r->c->found.peak_memory));
    record_put(&f, "witness", witness(r));
    record_put(&f, "deadlock_free", json_boolean(r->deadlock_free));
    record_put(&f, "waiting_cycle", waiting_cycle(r));
    record_put(&f, "version", cli_record_text(EC_VERSION));
    record_put(&f, "schema", cli_record_text("ecube-audit-1"));
    record_put(&f, "verdict", cli_record_text(r->status == CLI_OK ? "pass" : "fail"));
    record_put(&f, "predicted_cycles", record_number_if(r->has_prediction, r->predicted_cycles));
    record_put(&f, "max_channel_load", record_number_if(a != NULL, a ? a->max_channel_load : 0));
    record_put(&f, "total_hops", record_number_if(a != NULL, a ? a->total_hops : 0));
    record_put(&f, "flit_hops", record_number_if(a != NULL, a ? a->flit_hops : 0));
    record_put(&f, "seed", record_number(r->c->job->seed));
    record_put(&f, "command", cli_record_text(r->c->job->command));
    record_put(&f, "seconds", record_real_if(true, r->seconds));
    record_put(&f, "peak_rss_bytes", record_number(record_peak_rss()));
    put_proofs(&f, r->c);
    record_put_schedule(&f, r->c);
    return record_finish(&f);
}
