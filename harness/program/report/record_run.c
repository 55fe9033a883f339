/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON record of a run.
 *
 * Knows every key, its order and its meaning; the man page repeats them and a test compares. */
#include "program/report/record.h"

#include <inttypes.h>

#include "program/report/channel.h"
#include "program/report/record_fill.h"

static const char *verdict_name(enum ec_verdict v)
{
    static const char *const names[] = {[EC_VERDICT_NONE] = "none",
                                        [EC_VERDICT_PASS] = "pass",
                                        [EC_VERDICT_FAIL] = "fail",
                                        [EC_VERDICT_UNCHECKED] = "not-checked",
                                        [EC_VERDICT_OPEN] = "open"};
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

static const char *steady_name(enum ec_steady steady)
{
    static const char *const names[] = {
        [EC_STEADY_NONE] = NULL,
        [EC_STEADY_SHOWN] = "yes",
        [EC_STEADY_NOT_SHOWN] = "not shown",
        [EC_STEADY_GROWS] = "no",
    };
    return names[steady];
}

static json_t *check(const char *name, enum ec_verdict verdict, const char *detail)
{
    struct record_filling f = {.object = json_object()};
    record_put(&f, "name", cli_record_text(name));
    record_put(&f, "verdict", cli_record_text(verdict_name(verdict)));
    record_put(&f, "detail", cli_record_text(detail));
    return record_finish(&f);
}

static json_t *checks(const struct cli_run_result *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        list = record_append(list, check(ec_check_name(i), c->verdict, c->detail));
    }
    if (r->expect.verdict != EC_VERDICT_NONE)
        list = record_append(list, check("expect", r->expect.verdict, r->expect.detail));
    return list;
}

/* No packet takes 0 cycles: a largest latency of 0 means that none was measured. */
static json_t *latency(const struct ec_latency *l)
{
    bool known = l->max > 0;
    struct record_filling f = {.object = json_object()};
    record_put(&f, "mean", record_real_if(known, l->mean));
    record_put(&f, "p50", record_number_if(known, l->p50));
    record_put(&f, "p95", record_number_if(known, l->p95));
    record_put(&f, "p99", record_number_if(known, l->p99));
    record_put(&f, "max", record_number_if(known, l->max));
    return record_finish(&f);
}

static json_t *channel_use(const struct cli_run_result *r, struct ec_channel c, const char *name,
                           uint32_t to)
{
    struct cli_channel_use use = cli_channel_used(r, c);
    bool taps = r->report->has_taps && c.kind != EC_CHANNEL_INJECT;
    struct record_filling f = {.object = json_object()};
    record_put(&f, "node", record_number(c.node));
    record_put(&f, "port", record_number(c.port));
    record_put(&f, "name", cli_record_text(name));
    if (c.kind == EC_CHANNEL_LINK)
        record_put(&f, "to", record_number(to));
    record_put(&f, "load", record_number_if(r->c->audit != NULL, use.load));
    record_put(&f, "flits", record_number(use.flits));
    record_put(&f, "contended", record_number_if(taps, use.contended));
    record_put(&f, "starved", record_number_if(taps, use.starved));
    return record_finish(&f);
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
            list = record_append(list, channel_use(r, c, name, to));
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
            list = record_append(list, channel_use(r, c, "inject", 0));
            c.kind = EC_CHANNEL_EJECT;
            list = record_append(list, channel_use(r, c, "eject", 0));
        }
    }
    return list;
}

static json_t *packet_log(const struct ec_report *report)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < report->packets; i++) {
        const struct ec_packet_log *p = &report->packets_log[i];
        struct record_filling f = {.object = json_object()};
        record_put(&f, "src", record_number(p->src));
        record_put(&f, "dst", record_number(p->dst));
        record_put(&f, "words", record_number(p->words));
        record_put(&f, "created", record_number(p->created));
        record_put(&f, "injected", record_number(p->injected));
        record_put(&f, "delivered", record_number(p->delivered));
        list = record_append(list, record_finish(&f));
    }
    return list;
}

static json_t *waiting_lines(const struct ec_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->waiting_count; i++)
        list = record_append(list, cli_record_text(report->waiting[i]));
    return list;
}

/* Null if nothing failed or no replay was asked for. */
static json_t *failure(const struct ec_failure *failure)
{
    if (!failure->found && !failure->wave[0] && !failure->note[0] && failure->check_count == 0)
        return json_null();
    struct record_filling f = {.object = json_object()};
    json_t *nodes = json_array(), *lines = json_array();
    for (size_t i = 0; i < failure->node_count; i++)
        nodes = record_append(nodes, record_number(failure->nodes[i]));
    for (size_t i = 0; i < failure->check_count; i++)
        lines = record_append(lines, cli_record_text(failure->checks[i]));
    record_put(&f, "cycle", record_number_if(failure->found, failure->cycle));
    record_put(&f, "nodes", nodes);
    record_put(&f, "rtl_checks", lines);
    record_put(&f, "wave", cli_record_text(failure->wave[0] ? failure->wave : NULL));
    record_put(&f, "note", cli_record_text(failure->note[0] ? failure->note : NULL));
    return record_finish(&f);
}

static void put_counts(struct record_filling *f, const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    const bool known = report->measured;
    /* Without a delivery there is no last word, unless the workload has none to deliver. */
    const bool finished = report->outcome == EC_RUN_FINISHED && !r->c->workload->open_loop;
    record_put(f, "cycles", record_number_if(finished || report->words > 0, report->cycles));
    record_put(f, "predicted_cycles",
               record_number_if(report->has_prediction, report->predicted_cycles));
    record_put(f, "steps", record_number_if(r->c->schedule != NULL, r->c->found.steps));
    record_put(f, "words", record_number_if(known, report->words));
    record_put(f, "packets", record_number_if(known, report->packets));
    record_put(f, "flit_hops", record_number_if(known, report->flit_hops));
    record_put(f, "max_hops", record_number_if(finished || report->packets > 0, report->max_hops));
    record_put(f, "contended_cycles",
               record_number_if(r->report->has_taps, report->contended_cycles));
    record_put(f, "starved_cycles", record_number_if(r->report->has_taps, report->starved_cycles));
    record_put(f, "max_link_load", record_number_if(r->c->audit != NULL, report->max_link_load));
    record_put(f, "latency", latency(&report->packet_latency));
}

/* Keys that came after the schema's own. */
static void put_more(struct record_filling *f, const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    const bool known = report->measured;
    const bool window = report->offered > 0;
    const bool waited = report->steady == EC_STEADY_SHOWN || report->steady == EC_STEADY_NOT_SHOWN;
    record_put(f, "outcome", cli_record_text(cli_record_outcome(report->outcome)));
    record_put(f, "messages", record_number_if(known, report->messages));
    record_put(f, "network_latency", latency(&report->network_latency));
    record_put(f, "offered", record_real_if(window, report->offered));
    record_put(f, "steady", cli_record_text(steady_name(report->steady)));
    record_put(f, "window_messages", record_number_if(window, report->window_messages));
    record_put(f, "window_missing", record_number_if(waited, report->window_missing));
    record_put(f, "max_link_flits", record_number_if(known, report->max_link_flits));
    record_put(f, "eject_stalled",
               record_real_if(report->eject_waiting > 0, report->eject_stalled));
    record_put(f, "simulated_cycles", record_number_if(known, report->simulated_cycles));
    record_put(f, "stepped", record_number_if(known, report->stepped));
    record_put(f, "cpu_seconds", record_real_if(known, report->cpu_seconds));
    record_put(f, "waiting", waiting_lines(report));
    record_put(f, "failure", failure(&report->failure));
    record_put(f, "links", known ? links(r) : json_null());
    record_put(f, "locals", known ? locals(r) : json_null());
    if (report->packets_log)
        record_put(f, "packet_log", packet_log(report));
    record_put(f, "peak_memory", record_number_if(r->c->schedule != NULL, r->c->found.peak_memory));
    record_put_schedule(f, r->c);
}

json_t *cli_record_run(const struct cli_run_result *r)
{
    const struct ec_report *report = r->report;
    const bool known = report->measured;
    struct record_filling f = {.object = json_object()};
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, report->digest);
    record_put_case(&f, r->c);
    record_put(&f, "sync", record_sync(r->c));
    record_put(&f, "router", cli_record_text(r->c->router_text));
    record_put(&f, "backend", cli_record_text(cli_backends[r->c->job->backend]));
    record_put(&f, "seed", record_number(r->c->job->seed));
    record_put(&f, "verdict", cli_record_text(r->status == CLI_OK ? "pass" : "fail"));
    record_put(&f, "checks", checks(r));
    put_counts(&f, r);
    record_put(&f, "accepted", record_real_if(report->offered > 0, report->accepted));
    record_put(&f, "digest", cli_record_text(known ? digest : NULL));
    record_put(&f, "shape_key", cli_record_text(r->shape_key));
    record_put(&f, "command", cli_record_text(r->c->job->command));
    record_put(&f, "seconds", record_real_if(known, report->seconds));
    record_put(&f, "router_cycles_per_second",
               record_real_if(known, report->router_cycles_per_second));
    record_put(&f, "peak_rss_bytes", record_number(record_peak_rss()));
    record_put(&f, "wave", cli_record_text(r->look->has_wave ? r->c->job->wave : NULL));
    record_put(&f, "version", cli_record_text(EC_VERSION));
    record_put(&f, "schema", cli_record_text("ecube-run-2"));
    put_more(&f, r);
    return record_finish(&f);
}
