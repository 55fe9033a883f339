/* SPDX-License-Identifier: Apache-2.0 */
/* Makes watchers of the run from the options --wave, --events and --report. Knows the defaults;
 * must not know the grammar or the file formats. */
#include "program/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/interrupt.h"

enum { ALL_UP_TO = 8 }; /* routers: a wave of a whole network is still readable */

/* The message with the longest path; the longer message among equals. */
static const struct ec_message *longest(const struct ec_case *c)
{
    const struct ec_workload *w = c->workload;
    const struct ec_message *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const unsigned hops = ec_topology_distance(&c->topology, m->src, m->dst);
        if (!best || hops > most || (hops == most && m->words > best->words)) {
            best = m;
            most = hops;
        }
    }
    return best;
}

/* A node at the largest distance from node 0: open-loop traffic has no longest message. */
static uint32_t farthest(const struct ec_topology *t)
{
    uint32_t best = 0;
    for (uint32_t node = 1; node < t->nodes; node++) {
        if (ec_topology_distance(t, 0, node) > ec_topology_distance(t, 0, best))
            best = node;
    }
    return best;
}

static enum ec_code choose_nodes(const struct cli_job *job, const struct ec_case *c,
                                 struct ec_node_set *ret, struct ec_error *reterr)
{
    const struct ec_topology *t = &c->topology;
    if (job->wave_nodes) {
        struct ec_error e;
        enum ec_code code = ec_select_nodes(job->wave_nodes, t, &c->router, ret, &e);
        return code == EC_OK ? EC_OK : ec_fail(reterr, code, "--wave-nodes: %s", e.message);
    }
    if (t->nodes <= ALL_UP_TO)
        return ec_select_nodes("all", t, &c->router, ret, reterr);
    const struct ec_message *m = longest(c);
    return ec_select_path(t, &c->router, m ? m->src : 0, m ? m->dst : farthest(t), ret, reterr);
}

/* What --wave-nodes and --wave-cycles select; free the nodes with ec_node_set_free(). */
static enum ec_code select_wave(const struct cli_job *job, const struct ec_case *c,
                                struct ec_cycle_range *cycles, struct ec_node_set *nodes,
                                struct ec_error *reterr)
{
    struct ec_error e;
    enum ec_code code = EC_OK;
    if (job->wave_cycles && ec_select_cycles(job->wave_cycles, cycles, &e) != EC_OK)
        return ec_fail(reterr, e.code, "--wave-cycles: %s", e.message);
    code = choose_nodes(job, c, nodes, reterr);
    if (code == EC_OK && nodes->count > EC_WAVE_NODES_MAX && job->wave_nodes)
        code = ec_fail(reterr, EC_USAGE,
                       "--wave-nodes '%.60s' selects %zu routers: expected at most %d",
                       job->wave_nodes, nodes->count, EC_WAVE_NODES_MAX);
    else if (code == EC_OK && nodes->count > EC_WAVE_NODES_MAX)
        code = ec_fail(reterr, EC_USAGE,
                       "the longest path has %zu routers, and a wave shows at most %d; select some "
                       "with --wave-nodes",
                       nodes->count, EC_WAVE_NODES_MAX);
    return code;
}

static enum ec_code open_wave(struct cli_traces *l, const struct cli_job *job,
                              const struct ec_case *c, struct ec_error *reterr)
{
    struct ec_wave_options options = {.path = job->wave,
                                      .cycles = {1, UINT64_MAX},
                                      .title = job->command,
                                      .unfinished = &cli_interrupt_unfinished};
    struct ec_node_set nodes = {0};
    enum ec_code code = select_wave(job, c, &options.cycles, &nodes, reterr);
    options.nodes = &nodes;
    if (code == EC_OK)
        code = ec_case_wave(c, &options, &l->wave, reterr);
    l->routers = nodes.count;
    ec_node_set_free(&nodes);
    return code;
}

enum ec_code cli_traces_check(const struct cli_job *job, const struct ec_case *c,
                              struct ec_error *reterr)
{
    struct ec_cycle_range cycles;
    struct ec_node_set nodes = {0};
    enum ec_code code = EC_OK;
    if (job->wave && (job->wave_nodes || job->wave_cycles))
        code = select_wave(job, c, &cycles, &nodes, reterr);
    ec_node_set_free(&nodes);
    return code;
}

/* "SRC-DST,SRC-DST,...": commas inside parentheses belong to coordinates. */
static enum ec_code read_packets(const char *text, const struct ec_topology *t,
                                 struct ec_packet_filter **ret, size_t *ret_count,
                                 struct ec_error *reterr)
{
    size_t room = 1;
    for (const char *c = text; *c; c++)
        room += *c == ',';
    struct ec_packet_filter *list = calloc(room, sizeof *list);
    char *copy = strdup(text);
    enum ec_code code =
        list && copy ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a list of packets");
    size_t count = 0;
    for (char *item = copy; code == EC_OK && item;) {
        char *end = item;
        for (bool inside = false; *end && (inside || *end != ','); end++)
            inside = *end == '(' || (inside && *end != ')');
        char *next = *end ? end + 1 : NULL;
        *end = '\0';
        code = ec_select_pair(item, t, &list[count].src, &list[count].dst, reterr);
        count++;
        item = next;
    }
    free(copy);
    if (code == EC_OK) {
        *ret = list;
        *ret_count = count;
    } else {
        free(list);
    }
    return code;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static enum ec_events_format events_format(const struct cli_job *job)
{
    switch (job->events_format) {
    case CLI_EVENTS_TEXT:
        return EC_EVENTS_TEXT;
    case CLI_EVENTS_JSONL:
        return EC_EVENTS_JSONL;
    case CLI_EVENTS_PERFETTO:
        return EC_EVENTS_PERFETTO;
    case CLI_EVENTS_BY_NAME:
        break;
    }
    return ends_in(job->events, ".jsonl")           ? EC_EVENTS_JSONL
           : ends_in(job->events, ".perfetto.json") ? EC_EVENTS_PERFETTO
                                                    : EC_EVENTS_TEXT;
}

static enum ec_code open_events(struct cli_traces *l, const struct cli_job *job,
                                const struct ec_case *c, struct ec_error *reterr)
{
    struct ec_events_options options = {
        .path = job->events,
        .format = events_format(job),
        .cycles = {1, UINT64_MAX},
        .unfinished = &cli_interrupt_unfinished,
    };
    struct ec_node_set nodes = {0};
    struct ec_packet_filter *packets = NULL;
    struct ec_error e;
    const char *culprit = "--events-cycles";
    enum ec_code code =
        job->events_cycles ? ec_select_cycles(job->events_cycles, &options.cycles, &e) : EC_OK;
    if (code == EC_OK && job->events_nodes) {
        culprit = "--events-nodes";
        code = ec_select_nodes(job->events_nodes, &c->topology, &c->router, &nodes, &e);
        options.nodes = &nodes;
    }
    if (code == EC_OK && job->events_packets) {
        culprit = "--events-packets";
        code = read_packets(job->events_packets, &c->topology, &packets, &options.packet_count, &e);
        options.packets = packets;
    }
    code = code == EC_OK ? ec_events_open(&c->topology, &c->router, &options, &l->events, reterr)
                         : ec_fail(reterr, code, "%s: %s", culprit, e.message);
    ec_node_set_free(&nodes);
    free(packets);
    return code;
}

/* The comment of a trace: what it is, and the command that plays it. */
static void describe_trace(const struct ec_case *c, char *buffer, size_t size)
{
    const struct ec_case_spec *spec = &c->spec;
    const bool ports = c->ports_chosen; /* ports=all, which the algorithm needs */
    char router[600] = "", packet[32] = "", startup[32] = "";
    if (spec->router || ports)
        snprintf(router, sizeof router, " --router %.500s%s%s", spec->router ? spec->router : "",
                 spec->router && ports ? "," : "", ports ? "ports=all" : "");
    if (spec->packet)
        snprintf(packet, sizeof packet, " --packet %" PRIu32, spec->packet);
    if (spec->startup)
        snprintf(startup, sizeof startup, " --startup %" PRIu32, spec->startup);
    snprintf(buffer, size,
             "Messages of: %.1000s %.1000s, algorithm %s\n"
             "To play them: ecube run %.1000s trace:file=FILE%s%s%s\n",
             c->topology_text, c->workload->text, c->algorithm, c->topology_text, router, packet,
             startup);
}

enum ec_code cli_export_trace(const struct cli_job *job, const struct ec_case *c,
                              struct ec_error *reterr)
{
    char remark[4096];
    if (!job->export_trace)
        return EC_OK;
    describe_trace(c, remark, sizeof remark);
    return ec_messages_write(c->workload, &c->topology, &c->router, remark, job->export_trace,
                             &cli_interrupt_unfinished, reterr);
}

/* Random traffic: the trace is written while the run goes on. */
static enum ec_code open_messages(struct cli_traces *l, const struct cli_job *job,
                                  const struct ec_case *c, struct ec_error *reterr)
{
    char remark[4096];
    if (!c->workload->open_loop)
        return cli_export_trace(job, c, reterr);
    if (c->workload->service.words)
        return ec_fail(reterr, EC_USAGE,
                       "--export-trace: the replies of '%.100s' depend on when requests are "
                       "accepted, which a trace cannot tell: expected a workload without reply=",
                       c->workload->text);
    describe_trace(c, remark, sizeof remark);
    return ec_message_log_open(remark, job->export_trace, &cli_interrupt_unfinished, &l->messages,
                               reterr);
}

enum ec_code cli_traces_open(struct cli_traces *l, const struct cli_job *job,
                             const struct ec_case *c, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    *l = (struct cli_traces){.job = job, .topology = &c->topology};
    if (job->events)
        code = open_events(l, job, c, reterr);
    if (code == EC_OK && job->packets_csv)
        code = ec_packets_open(job->packets_csv, &cli_interrupt_unfinished, &l->packets, reterr);
    if (code == EC_OK && job->export_trace)
        code = open_messages(l, job, c, reterr);
    if (code == EC_OK && job->wave)
        code = open_wave(l, job, c, reterr);
    if (code == EC_OK && job->report)
        code = cli_page_open(&l->page, job->report, c, reterr);
    if (code != EC_OK) {
        cli_traces_close(l);
        return code;
    }
    if (l->events)
        l->watches[l->watch_count++] = ec_events_watch(l->events);
    if (l->wave)
        l->watches[l->watch_count++] = ec_wave_watch(l->wave);
    if (l->page.recorder)
        l->watches[l->watch_count++] = ec_recorder_watch(l->page.recorder);
    return EC_OK;
}

void cli_traces_offer(void *context, const struct ec_offer *offer)
{
    const struct cli_traces *l = context;
    if (l->events)
        ec_events_offer(l->events, offer);
    if (l->page.recorder)
        ec_recorder_offer(l->page.recorder, offer);
}

static enum ec_code finish_wave(struct cli_traces *l, struct ec_error *reterr)
{
    enum ec_code code = ec_wave_finish(l->wave, &l->summary, reterr);
    l->has_wave = code == EC_OK;
    if (code == EC_OK && l->summary.differs) {
        char name[200];
        ec_topology_node_name(l->topology, l->summary.differs_node, name, sizeof name);
        code = ec_fail(reterr, EC_INTERNAL,
                       "cycle %" PRIu64 ", router %s: the traced router behaves differently from "
                       "the router; the wave %s does not show the run",
                       l->summary.differs_cycle, name, l->job->wave);
    }
    return code;
}

/* One message for all that failed, with the status of the first. */
static enum ec_code join_errors(const struct ec_error *const *errors, size_t count,
                                struct ec_error *reterr)
{
    struct ec_error all = {.code = EC_OK};
    for (size_t i = 0; i < count; i++) {
        if (errors[i]->code == EC_OK)
            continue;
        const struct ec_error before = all;
        if (before.code == EC_OK)
            all = *errors[i];
        else
            ec_fail(&all, before.code, "%.600s; and %.300s", before.message, errors[i]->message);
    }
    if (all.code != EC_OK)
        *reterr = all;
    return all.code;
}

enum ec_code cli_traces_finish(struct cli_traces *l, struct ec_error *reterr)
{
    struct ec_error events = {.code = EC_OK}, packets = events, messages = events, wave = events;
    const struct ec_error *const errors[] = {&events, &packets, &messages, &wave};
    if (l->events)
        l->has_events = ec_events_finish(l->events, &l->lines, &events) == EC_OK;
    if (l->packets)
        l->has_packets = ec_log_finish(l->packets, &l->packet_rows, &packets) == EC_OK;
    if (l->messages)
        ec_log_finish(l->messages, &(uint64_t){0}, &messages);
    if (l->wave)
        finish_wave(l, &wave);
    return join_errors(errors, sizeof errors / sizeof *errors, reterr);
}

enum ec_code cli_traces_show(struct cli_traces *l, const struct cli_run_result *r,
                             struct ec_error *reterr)
{
    if (!l->page.recorder)
        return EC_OK;
    l->has_page = true; /* as the record in the page says */
    const enum ec_code code = cli_page_finish(&l->page, r, reterr);
    l->has_page = code == EC_OK;
    return code;
}

void cli_traces_close(struct cli_traces *l)
{
    cli_page_close(&l->page);
    ec_events_close(l->events);
    ec_log_close(l->packets);
    ec_log_close(l->messages);
    ec_wave_close(l->wave);
    *l = (struct cli_traces){0};
}

struct ec_failure_options cli_failure_options(const struct cli_job *job, struct ec_case *c)
{
    struct ec_failure_options o = ec_case_failure_options(c);
    o.folder = job->failure_dir ? job->failure_dir : o.folder;
    o.title = job->command;
    o.unfinished = &cli_interrupt_unfinished;
    return o;
}

void cli_wave_text(const char *path, FILE *out)
{
    if (!path[0])
        return;
    const int stem = (int)(strlen(path) - strlen(".fst")); /* the ending was checked */
    fprintf(out,
            "              open it with   gtkwave %s %.*s.gtkw\n"
            "              or with        surfer -c %.*s.sucl %s\n",
            path, stem, path, stem, path, path);
}

static void put_wave(const struct cli_traces *l, FILE *out)
{
    const char *path = l->job->wave;
    if (l->summary.first == 0) {
        fprintf(out, "  wave        %s is empty: the run did not reach --wave-cycles %s\n", path,
                l->job->wave_cycles);
        return;
    }
    const double bytes = (double)l->summary.bytes;
    const bool large = bytes >= 1e6;
    fprintf(out, "  wave        %s: %zu router%s, cycles %" PRIu64 " to %" PRIu64 ", %.1f %s\n",
            path, l->routers, l->routers == 1 ? "" : "s", l->summary.first, l->summary.last,
            large ? bytes / 1e6 : bytes / 1e3, large ? "MB" : "kB");
    cli_wave_text(path, out);
}

void cli_traces_text(const struct cli_traces *l, FILE *out)
{
    if (l->has_wave)
        put_wave(l, out);
    if (l->has_events)
        fprintf(out, "  events      %s: %" PRIu64 " line%s\n", l->job->events, l->lines,
                l->lines == 1 ? "" : "s");
    if (l->has_packets)
        fprintf(out, "  packets     %s: %" PRIu64 " row%s\n", l->job->packets_csv, l->packet_rows,
                l->packet_rows == 1 ? "" : "s");
    if (l->has_page)
        cli_page_text(&l->page, out);
}
