/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON records of runs, audits and comparisons. keys.def defines the keys and their meaning;
 * this file computes the values that need more than an expression. */
#include "program/report/report.h"

#include <inttypes.h>

#include "program/report/parameters.h"
#include "terminal/host.h"

static json_t absent; /* a key that the record does not have */

static void put(struct record *into, const char *key, json_t *value)
{
    if (value != &absent)
        record_put(into, key, value);
}

#define PUT(key, unit, column, value, definition) put(&into, key, value);
#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

/* --- Names -------------------------------------------------------------------------------- */

static const char *const port_names[] = {[EC_PORTS_ONE] = "one", [EC_PORTS_ALL] = "all"};
static const char *const basis_names[] = {[EC_BASIS_PREDICTED] = "predicted",
                                          [EC_BASIS_MEASURED] = "measured",
                                          [EC_BASIS_AT_LEAST] = "at-least"};

static const char *verdict_name(enum ec_verdict v)
{
    static const char *const names[] = {[EC_VERDICT_NONE] = "none",
                                        [EC_VERDICT_PASS] = "pass",
                                        [EC_VERDICT_FAIL] = "fail",
                                        [EC_VERDICT_UNCHECKED] = "not-checked",
                                        [EC_VERDICT_OPEN] = "open"};
    return names[v];
}

static const char *outcome_name(enum ec_outcome o)
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
        [EC_STEADY_TOO_SHORT] = "too short",
        [EC_STEADY_GROWS] = "no",
    };
    return names[steady];
}

/* --- Values of several records ------------------------------------------------------------ */

static json_t *verdict_of(enum cli_status status)
{
    return record_text(status == CLI_OK ? "pass" : "fail");
}

static json_t *candidate(const struct ec_candidate *k)
{
    struct record into = {.object = json_object()};
#define CANDIDATE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *candidates(const struct ec_case *c)
{
    if (!c->candidates)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < c->candidate_count; i++)
        list = record_append(list, candidate(&c->candidates[i]));
    return list;
}

/* --- A run -------------------------------------------------------------------------------- */

static json_t *check(const char *name, enum ec_verdict verdict, const char *detail)
{
    struct record into = {.object = json_object()};
#define CHECK PUT
#include "program/report/keys.def"
    return record_finish(&into);
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

static json_t *latency(const struct ec_latency *l)
{
    struct record into = {.object = json_object()};
#define LATENCY PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *measurement(const struct ec_report *p)
{
    const struct ec_measurement *m = &p->measurement;
    const struct ec_confidence *trips = &p->round_trip_confidence;
    const bool done = m->state != EC_MEASURED_NONE, tested = m->has_latency && m->batches > 0;
    const bool tripped = done && trips->batches > 0, trip_sure = done && trips->has_interval;
    const bool sure = m->has_latency && m->has_interval;
    struct record into = {.object = json_object()};
#define MEASUREMENT PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *channel(const struct cli_run_result *r, struct ec_channel c, const char *name,
                       uint32_t to)
{
    const struct cli_channel_use used = cli_channel_used(r, c), *use = &used;
    const bool audited = r->c->audit != NULL;
    const bool taps = r->report->has_taps && c.kind != EC_CHANNEL_INJECT;
    struct record into = {.object = json_object()};
#define CHANNEL PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *link_at(const void *result, uint64_t place)
{
    const struct cli_run_result *r = result;
    const struct ec_topology *t = &r->c->topology;
    const unsigned links = ec_topology_links(t), link = (unsigned)(place % links);
    const uint32_t node = (uint32_t)(place / links), to = ec_topology_neighbor(t, node, link);
    char name[32];
    if (to == EC_NONE)
        return json_null();
    ec_topology_link_name(t, link, name, sizeof name);
    const struct ec_channel c = {.kind = EC_CHANNEL_LINK, .node = node, .port = link};
    return channel(r, c, name, to);
}

/* Each port has two places. */
static json_t *local_at(const void *result, uint64_t place)
{
    const struct cli_run_result *r = result;
    const unsigned locals = r->report->locals;
    const bool inject = place % 2 == 0;
    const struct ec_channel c = {.kind = inject ? EC_CHANNEL_INJECT : EC_CHANNEL_EJECT,
                                 .node = (uint32_t)(place / 2 / locals),
                                 .port = (unsigned)(place / 2 % locals)};
    return channel(r, c, inject ? "inject" : "eject", EC_NONE);
}

/* The first of the links with the most waiting: its name and its cycles. Null if nothing waited, or
 * nothing is known. */
static json_t *most_waiting(const struct cli_run_result *r, bool named)
{
    struct cli_channel_use use;
    char text[200];
    if (!r->report->has_taps || cli_channel_ranked(r, false, &use, 1) == 0 || use.waiting == 0)
        return json_null();
    cli_channel_name(&r->c->topology, r->report->locals, use.channel, text, sizeof text);
    return named ? record_text(text) : record_number(use.waiting);
}

static json_t *fairness(const struct cli_run_result *r, const struct ec_fairness *f)
{
    const bool known = r->report->measured && f->sources > 0;
    struct record into = {.object = json_object()};
#define FAIRNESS PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *source(uint32_t node, const struct ec_source_use *x)
{
    struct record into = {.object = json_object()};
#define SOURCE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *source_at(const void *result, uint64_t place)
{
    const struct cli_run_result *r = result;
    const struct ec_source_use *x = &r->report->sources[place];
    return x->offered > 0 || x->words > 0 ? source((uint32_t)place, x) : json_null();
}

static json_t *interval(const struct cli_run_result *r, const struct ec_interval *x)
{
    const bool taps = r->report->has_taps, used = x->link_waiting + x->link_flits > 0;
    char name[200] = "", busiest[200] = "";
    cli_channel_name(&r->c->topology, r->report->locals, x->busiest, busiest, sizeof busiest);
    if (used)
        cli_channel_name(
            &r->c->topology, r->report->locals,
            (struct ec_channel){.kind = EC_CHANNEL_LINK, .node = x->node, .port = x->link}, name,
            sizeof name);
    struct record into = {.object = json_object()};
#define INTERVAL PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *intervals(const struct cli_run_result *r)
{
    if (r->report->interval_count == 0)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < r->report->interval_count; i++)
        list = record_append(list, interval(r, &r->report->intervals[i]));
    return list;
}

static json_t *class_of(const struct cli_run_result *r, const struct ec_class_use *k)
{
    const struct ec_latency *l = &k->packet_latency;
    const struct ec_confidence *confidence = &k->confidence;
    const bool measured = r->report->measurement.state != EC_MEASURED_NONE && k->measured;
    const bool tested = confidence->batches > 0, sure = confidence->has_interval;
    struct record into = {.object = json_object()};
#define CLASS PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *classes(const struct cli_run_result *r)
{
    if (r->report->class_count == 0)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < r->report->class_count; i++)
        list = record_append(list, class_of(r, &r->report->classes[i]));
    return list;
}

static json_t *packet(const struct ec_packet_log *k)
{
    struct record into = {.object = json_object()};
#define PACKET PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *packet_at(const void *result, uint64_t place)
{
    const struct cli_run_result *r = result;
    return packet(&r->report->packets_log[place]);
}

static json_t *texts(char *const *lines, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        list = record_append(list, record_text(lines[i]));
    return list;
}

static json_t *failed_nodes(const struct ec_failure *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->node_count; i++)
        list = record_append(list, record_number(f->nodes[i]));
    return list;
}

/* Null if nothing failed or no replay was requested. */
static json_t *failure(const struct ec_failure *f)
{
    if (!f->found && !f->wave[0] && !f->note[0] && f->check_count == 0)
        return json_null();
    struct record into = {.object = json_object()};
#define FAILURE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *digest(const struct ec_report *p)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, p->digest);
    return record_text(p->measured ? text : NULL);
}

/* Lists with an element for each channel, node or packet. */
enum { LINKS, LOCALS, SOURCES, PACKETS, LONG_LISTS };

static void find_lists(const struct cli_run_result *r, struct record_list list[LONG_LISTS])
{
    const uint64_t nodes = r->c->topology.nodes, locals = r->report->locals;
    list[LINKS] =
        (struct record_list){"links", nodes * ec_topology_links(&r->c->topology), link_at, r};
    list[LOCALS] = (struct record_list){"locals", 2 * nodes * locals, local_at, r};
    list[SOURCES] = (struct record_list){"sources", nodes, source_at, r};
    list[PACKETS] = (struct record_list){"packet_log", r->report->packets, packet_at, r};
}

uint64_t cli_record_bytes(const struct ec_case *c)
{
    enum { BYTES = 220 }; /* of a channel */
    const struct ec_topology *t = &c->topology;
    const uint64_t channels = ec_topology_links(t) + 2 * ec_router_locals(&c->router, t);
    const bool sources = c->workload && c->workload->open_loop;
    return t->nodes * (channels + sources) * BYTES;
}

static json_t *long_list(const struct cli_run_result *r, unsigned which)
{
    struct record_list list[LONG_LISTS];
    if (!r->report->measured || r->lists == CLI_LISTS_LEFT_OUT)
        return json_null();
    if (r->lists == CLI_LISTS_LATER)
        return json_array();
    find_lists(r, list);
    return record_collect(&list[which]);
}

/* Without a delivery there is no last word, unless the workload has none to deliver. */
static bool finished(const struct cli_run_result *r)
{
    return r->report->outcome == EC_RUN_FINISHED && !r->c->workload->open_loop;
}

static json_t *bound_share(const struct cli_run_result *r)
{
    const struct ec_bounds *b = &r->bounds;
    const bool known = r->report->offered > 0 && b->has_rate;
    return record_real_if(known, known ? r->report->accepted / (b->rate * b->sends) : 0);
}

const struct record_key cli_run_keys[] = {
#define RUN ROW
#include "program/report/keys.def"
    {0},
};

json_t *cli_record_run(const struct cli_run_result *r)
{
    const struct ec_case *c = r->c;
    const struct ec_report *p = r->report;
    struct record into = {.object = json_object()};
#define RUN PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

bool cli_record_print(const struct cli_run_result *r, bool one_line, FILE *out)
{
    struct cli_run_result brief = *r;
    struct record_list list[LONG_LISTS];
    const struct record_list *lists[LONG_LISTS + 1] = {NULL};
    brief.lists = CLI_LISTS_LATER;
    find_lists(r, list);
    for (unsigned i = 0; i < LONG_LISTS; i++)
        lists[i] = &list[i];
    json_t *record = cli_record_run(&brief);
    const bool good = record && record_print_lists(record, lists, one_line, out);
    json_decref(record);
    return good;
}

/* --- An audit ----------------------------------------------------------------------------- */

static json_t *witness_path(const struct cli_audit_result *r, unsigned which)
{
    json_t *path = json_array();
    for (size_t i = 0; i < r->hops[which]; i++)
        path = record_append(path, record_number(r->path[which][i].node));
    const size_t message = r->c->audit->witness[which];
    return record_append(path, record_number(r->c->workload->messages[message].dst));
}

static json_t *witnessed(const struct cli_audit_result *r, unsigned which)
{
    const struct ec_message *m = &r->c->workload->messages[r->c->audit->witness[which]];
    struct record into = {.object = json_object()};
#define WITNESSED PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *witnesses(const struct cli_audit_result *r)
{
    json_t *list = record_append(json_array(), witnessed(r, 0));
    return record_append(list, witnessed(r, 1));
}

static json_t *witness(const struct cli_audit_result *r)
{
    const struct ec_audit *a = r->c->audit;
    char name[200];
    if (!a || a->congestion_free)
        return json_null();
    cli_channel_name(&r->c->topology, a->locals, a->busiest, name, sizeof name);
    struct record into = {.object = json_object()};
#define WITNESS PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *waiting(const struct ec_topology *t, const struct ec_vertex *v)
{
    char name[32];
    ec_topology_link_name(t, v->link, name, sizeof name);
    struct record into = {.object = json_object()};
#define WAITING PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *waiting_cycle(const struct cli_audit_result *r)
{
    if (r->deadlock_free)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < r->waiting_count; i++)
        list = record_append(list, waiting(&r->c->topology, &r->waiting[i]));
    return list;
}

static json_t *bound_channel(const struct cli_audit_result *r)
{
    const struct ec_case *c = r->c;
    char name[200];
    if (!r->bounds.has_rate)
        return json_null();
    cli_channel_name(&c->topology, ec_router_locals(&c->router, &c->topology), r->bounds.channel,
                     name, sizeof name);
    return record_text(name);
}

static json_t *bit_reason(const struct cli_audit_result *r)
{
    char text[400];
    if (!r->has_bits)
        return json_null();
    cli_bits_reason(r, text, sizeof text);
    return record_text(text);
}

static json_t *bit_loads(const struct cli_audit_result *r)
{
    json_t *list = r->has_bits ? json_array() : json_null();
    for (unsigned d = 0; d < r->bits.dims; d++)
        list = record_append(list, record_number(r->bits.load[d]));
    return list;
}

static json_t *bit_order(const struct cli_audit_result *r)
{
    json_t *list = r->has_bits ? json_array() : json_null();
    for (unsigned i = 0; i < r->bits.dims; i++)
        list = record_append(list, record_number(r->bits.order[i]));
    return list;
}

const struct record_key cli_audit_keys[] = {
#define AUDIT ROW
#include "program/report/keys.def"
    {0},
};

json_t *cli_record_audit(const struct cli_audit_result *r)
{
    const struct ec_case *c = r->c;
    const struct ec_audit *a = c->audit;
    struct record into = {.object = json_object()};
#define AUDIT PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

/* --- A comparison ------------------------------------------------------------------------- */

static json_t *diverged_value(const struct ec_divergence *d, unsigned side)
{
    char hex[24];
    if (d->field != EC_COMPARED_IN_WORD && d->field != EC_COMPARED_OUT_WORD)
        return record_number(d->value[side]);
    snprintf(hex, sizeof hex, "%016" PRIx64, d->value[side]);
    return record_text(hex);
}

static json_t *diverged_packets(const struct ec_divergence *d)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < 2; k++) {
        if (d->packets[k][0])
            list = record_append(list, record_text(d->packets[k]));
    }
    return list;
}

static json_t *divergence(const struct ec_divergence *d)
{
    if (!d->found)
        return json_null();
    struct record into = {.object = json_object()};
#define DIVERGENCE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *compared_wave(const struct ec_compare_wave *w)
{
    struct record into = {.object = json_object()};
#define WAVE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *compared_waves(const struct ec_comparison *x)
{
    json_t *list = record_append(json_array(), compared_wave(&x->wave[0]));
    return record_append(list, compared_wave(&x->wave[1]));
}

static json_t *delivery_difference(const struct ec_delivery_comparison *d)
{
    if (!d->found)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "source", (json_int_t)d->src,
                     "destination", (json_int_t)d->dst, "index", (json_int_t)d->index, "a_words",
                     (json_int_t)d->words[0], "b_words", (json_int_t)d->words[1], "a_created",
                     record_number_if(d->words[0], d->created[0]), "b_created",
                     record_number_if(d->words[1], d->created[1]));
}

static json_t *failed_checks(const struct ec_report *report)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &report->checks[i];
        if (c->verdict == EC_VERDICT_FAIL)
            list = record_append(list, check(ec_check_name(i), c->verdict, c->detail));
    }
    return list;
}

static json_t *deliveries(const struct cli_compared *r)
{
    const struct ec_delivery_comparison *d = &r->deliveries;
    struct record into = {.object = json_object()};
#define DELIVERIES PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *compared_detail(const struct cli_compared *r)
{
    char text[600];
    if (r->died[0] || (r->cycles && r->cycles->detail[0]))
        return record_text(r->died[0] ? r->died : r->cycles->detail);
    for (unsigned k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "side %c: %s", (char)('A' + k), r->reason[k]);
        if (r->reason[k][0])
            return record_text(text);
    }
    return record_text(NULL);
}

static json_t *compared_outcome(const struct cli_compared *r)
{
    if (r->cycles)
        return record_text(outcome_name(r->cycles->outcome));
    return record_text(r->died[0] ? outcome_name(EC_RUN_BROKEN) : NULL);
}

const struct record_key cli_compare_keys[] = {
#define COMPARE ROW
#include "program/report/keys.def"
    {0},
};

json_t *cli_record_compare(const struct cli_compared *r)
{
    const struct ec_case *c = r->c;
    const struct ec_comparison *x = r->cycles;
    struct record into = {.object = json_object()};
#define COMPARE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}
