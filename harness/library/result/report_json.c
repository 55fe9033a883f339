/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON record of a run. keys.def defines the keys and their meaning; this file computes the
 * values that need more than an expression. */
#include <inttypes.h>

#include "base/usage.h"
#include "paths.h"
#include "result/channels.h"
#include "result/parameters.h"
#include "result/records.h"

/* All that a record is made of. */
struct result {
    const struct ec_case *c;
    const struct ec_report *report;
    const struct ec_result_details *more;
    const struct ec_warning *warning;
    const struct ec_bounds *bounds;
    struct ec_warning own_warning; /* unless the caller has them */
    struct ec_bounds own_bounds;
    enum result_lists lists;
};

/* --- Names -------------------------------------------------------------------------------- */

const char *result_ports_name(enum ec_ports ports)
{
    return ports == EC_PORTS_ONE ? "one" : "all";
}

const char *result_basis_name(enum ec_basis basis)
{
    static const char *const names[] = {[EC_BASIS_PREDICTED] = "predicted",
                                        [EC_BASIS_MEASURED] = "measured",
                                        [EC_BASIS_AT_LEAST] = "at-least"};
    return names[basis];
}

static const char *verdict_name(enum ec_verdict v)
{
    static const char *const names[] = {[EC_VERDICT_NONE] = "none",
                                        [EC_VERDICT_PASS] = "pass",
                                        [EC_VERDICT_FAIL] = "fail",
                                        [EC_VERDICT_UNCHECKED] = "not-checked",
                                        [EC_VERDICT_OPEN] = "open"};
    return names[v];
}

const char *result_outcome_name(enum ec_outcome o)
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

static json_t *candidate(const struct ec_candidate *k)
{
    return RECORD(CANDIDATE_KEYS);
}

json_t *result_candidates(const struct ec_case *c)
{
    json_t *list = c->candidates ? json_array() : json_null();
    for (size_t i = 0; i < c->candidate_count; i++)
        list = record_append(list, candidate(&c->candidates[i]));
    return list;
}

/* --- A run -------------------------------------------------------------------------------- */

json_t *result_check(const char *name, enum ec_verdict verdict, const char *detail)
{
    return RECORD(CHECK_KEYS);
}

static json_t *checks(const struct result *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        list = record_append(list, result_check(ec_check_name(i), c->verdict, c->detail));
    }
    const struct ec_check *x = r->more->expected;
    if (x && x->verdict != EC_VERDICT_NONE)
        list = record_append(list, result_check("expect", x->verdict, x->detail));
    return list;
}

static json_t *latency(const struct ec_latency *l)
{
    return RECORD(LATENCY_KEYS);
}

static json_t *measurement(const struct ec_report *p)
{
    const struct ec_measurement *m = &p->measurement;
    const struct ec_confidence *trips = &p->round_trip_confidence;
    const bool done = m->state != EC_MEASURED_NONE, tested = m->has_latency && m->batches > 0;
    const bool tripped = done && trips->batches > 0, trip_sure = done && trips->has_interval;
    const bool sure = m->has_latency && m->has_interval;
    return RECORD(MEASUREMENT_KEYS);
}

static json_t *channel(const struct result *r, struct ec_channel c, const char *name, uint32_t to)
{
    const struct channel_use used = channel_used(&r->c->topology, r->report, r->c->audit, c),
                             *use = &used;
    const bool audited = r->c->audit != NULL;
    const bool taps = r->report->has_taps && c.kind != EC_CHANNEL_INJECT;
    json_t *record = RECORD(CHANNEL_KEYS);
    if (to == EC_NONE)
        json_object_del(record, "to");
    return record;
}

static json_t *link_at(const void *result, uint64_t place)
{
    const struct result *r = result;
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
    const struct result *r = result;
    const unsigned locals = r->report->locals;
    const bool inject = place % 2 == 0;
    const struct ec_channel c = {.kind = inject ? EC_CHANNEL_INJECT : EC_CHANNEL_EJECT,
                                 .node = (uint32_t)(place / 2 / locals),
                                 .port = (unsigned)(place / 2 % locals)};
    return channel(r, c, inject ? "inject" : "eject", EC_NONE);
}

/* The first of the links with the most waiting: its name and its cycles. Null if nothing waited, or
 * nothing is known. */
static json_t *most_waiting(const struct result *r, bool named)
{
    struct channel_use use;
    char text[200];
    if (!r->report->has_taps || channel_ranked(r->c, r->report, false, &use, 1) == 0 ||
        use.waiting == 0)
        return json_null();
    channel_name(&r->c->topology, r->report->locals, use.channel, text, sizeof text);
    return named ? record_text(text) : record_number(use.waiting);
}

static json_t *fairness(const struct result *r, const struct ec_fairness *f)
{
    const bool known = r->report->measured && f->sources > 0;
    return RECORD(FAIRNESS_KEYS);
}

static json_t *source(uint32_t node, const struct ec_source_use *x)
{
    return RECORD(SOURCE_KEYS);
}

static json_t *source_at(const void *result, uint64_t place)
{
    const struct result *r = result;
    const struct ec_source_use *x = &r->report->sources[place];
    return x->offered > 0 || x->words > 0 ? source((uint32_t)place, x) : json_null();
}

static json_t *interval(const struct result *r, const struct ec_interval *x)
{
    const bool taps = r->report->has_taps, used = x->link_waiting + x->link_flits > 0;
    char name[200] = "", busiest[200] = "";
    channel_name(&r->c->topology, r->report->locals, x->busiest, busiest, sizeof busiest);
    if (used)
        channel_name(&r->c->topology, r->report->locals,
                     (struct ec_channel){.kind = EC_CHANNEL_LINK, .node = x->node, .port = x->link},
                     name, sizeof name);
    return RECORD(INTERVAL_KEYS);
}

static json_t *intervals(const struct result *r)
{
    json_t *list = r->report->interval_count ? json_array() : json_null();
    for (size_t i = 0; i < r->report->interval_count; i++)
        list = record_append(list, interval(r, &r->report->intervals[i]));
    return list;
}

static json_t *class_of(const struct result *r, const struct ec_class_use *k)
{
    const struct ec_latency *l = &k->packet_latency;
    const struct ec_confidence *confidence = &k->confidence;
    const bool measured = r->report->measurement.state != EC_MEASURED_NONE && k->measured;
    const bool tested = confidence->batches > 0, sure = confidence->has_interval;
    return RECORD(CLASS_KEYS);
}

static json_t *classes(const struct result *r)
{
    json_t *list = r->report->class_count ? json_array() : json_null();
    for (size_t i = 0; i < r->report->class_count; i++)
        list = record_append(list, class_of(r, &r->report->classes[i]));
    return list;
}

static json_t *packet(const struct ec_packet_log *k)
{
    return RECORD(PACKET_KEYS);
}

static json_t *packet_at(const void *result, uint64_t place)
{
    const struct result *r = result;
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
    return RECORD(FAILURE_KEYS);
}

static json_t *digest(const struct ec_report *p)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, p->digest);
    return record_text(p->measured ? text : NULL);
}

/* Lists with an element for each channel, node or packet. */
enum { LINKS, LOCALS, SOURCES, PACKETS, LONG_LISTS };

static void find_lists(const struct result *r, struct record_list list[LONG_LISTS])
{
    const uint64_t nodes = r->c->topology.nodes, locals = r->report->locals;
    list[LINKS] = (struct record_list){
        "links", (uint64_t)r->c->topology.routers * ec_topology_links(&r->c->topology), link_at, r};
    list[LOCALS] = (struct record_list){"locals", 2 * nodes * locals, local_at, r};
    list[SOURCES] = (struct record_list){"sources", nodes, source_at, r};
    list[PACKETS] = (struct record_list){"packet_log", r->report->packets, packet_at, r};
}

uint64_t result_run_bytes(const struct ec_case *c)
{
    enum { BYTES = 220 }; /* of a channel */
    const struct ec_topology *t = &c->topology;
    const uint64_t locals = 2 * ec_router_locals(&c->router, t);
    const bool sources = c->workload && c->workload->open_loop;
    return ((uint64_t)t->routers * ec_topology_links(t) + t->nodes * (locals + sources)) * BYTES;
}

static json_t *long_list(const struct result *r, unsigned which)
{
    struct record_list list[LONG_LISTS];
    if (!r->report->measured || r->lists == RESULT_LISTS_LEFT_OUT)
        return json_null();
    if (r->lists == RESULT_LISTS_LATER)
        return json_array();
    find_lists(r, list);
    return record_collect(&list[which]);
}

/* Without a delivery there is no last word, unless the workload has none to deliver. */
static bool finished(const struct result *r)
{
    return r->report->outcome == EC_RUN_FINISHED && !r->c->workload->open_loop;
}

static json_t *bound_share(const struct result *r)
{
    const struct ec_bounds *b = r->bounds;
    const bool known = r->report->offered > 0 && b->has_rate;
    return record_real_if(known, known ? r->report->accepted / (b->rate * b->sends) : 0);
}

/* Of a deadlock for which the options are to blame. */
static json_t *remedy(const struct result *r)
{
    const char *text = r->warning->remedy;
    const bool shown = r->report->outcome == EC_RUN_DEADLOCK && !r->report->protocol && *text;
    return record_text(shown ? text : NULL);
}

const struct record_key result_run_keys[] = RECORD_KEYS(RUN_KEYS);

static json_t *record(const struct result *r)
{
    const struct ec_case *c = r->c;
    const struct ec_report *p = r->report;
    json_t *whole = RECORD(RUN_KEYS);
    if (!p->packets_log)
        json_object_del(whole, "packet_log");
    return whole;
}

/* Find what the caller has not found already. */
static enum ec_code collect(struct result *r, struct ec_error *reterr)
{
    static const struct ec_result_details nothing;
    enum ec_code code = EC_OK;
    r->more = r->more ? r->more : &nothing;
    r->bounds = r->more->bounds ? r->more->bounds : &r->own_bounds;
    r->warning = r->more->warning ? r->more->warning : &r->own_warning;
    if (!r->more->bounds)
        code = ec_case_bounds(r->c, &r->own_bounds, reterr);
    if (code == EC_OK && !r->more->warning)
        code = ec_case_warning(r->c, &r->own_warning, reterr);
    return code;
}

json_t *result_run(const struct ec_case *c, const struct ec_report *report,
                   const struct ec_result_details *details, enum result_lists lists)
{
    struct result r = {.c = c, .report = report, .more = details, .lists = lists};
    return collect(&r, NULL) == EC_OK ? record(&r) : NULL;
}

enum ec_code ec_report_json(const struct ec_case *c, const struct ec_report *report,
                            const struct ec_result_details *details, bool one_line, FILE *out,
                            struct ec_error *reterr)
{
    struct result r = {.c = c, .report = report, .more = details, .lists = RESULT_LISTS_LATER};
    struct record_list list[LONG_LISTS];
    const struct record_list *lists[LONG_LISTS + 1] = {NULL};
    const enum ec_code code = collect(&r, reterr);
    if (code != EC_OK)
        return code;
    find_lists(&r, list);
    for (unsigned i = 0; i < LONG_LISTS; i++)
        lists[i] = &list[i];
    json_t *whole = record(&r);
    const bool good = whole && record_print_lists(whole, lists, one_line, out);
    json_decref(whole);
    return good ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory while writing a result");
}
