/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of a run's text: the channels that flits waited for, the intervals, the sources, the cycle
 * of a deadlock. Computes nothing. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "program/report/report.h"
#include "result/channels.h"

enum {
    CHANNELS_SHOWN = 5,
    INTERVALS_SHOWN = 24, /* without --verbose */
};

/* --- Channels ----------------------------------------------------------------------------- */

/* The time in which links were needed: until the last tail, if it arrived. */
static uint64_t busy_cycles(const struct cli_run_result *r)
{
    const bool to_tail = !r->c->workload->open_loop && r->report->outcome == EC_RUN_FINISHED;
    uint64_t cycles = to_tail ? r->report->cycles : r->report->simulated_cycles;
    return cycles > 0 ? cycles : 1;
}

static void put_channel(const struct cli_run_result *r, const struct channel_use *use, FILE *out)
{
    char name[240], load[16] = "-", contended[24] = "-", starved[24] = "-";
    const bool inject = use->channel.kind == EC_CHANNEL_INJECT;
    channel_name(&r->c->topology, r->report->locals, use->channel, name, sizeof name);
    if (use->ties > 0)
        ec_append(name, sizeof name, ", %" PRIu64 " more alike", use->ties);
    if (r->c->audit)
        snprintf(load, sizeof load, "%" PRIu32, use->load);
    if (r->report->has_taps && !inject)
        snprintf(contended, sizeof contended, "%" PRIu64, use->contended);
    if (r->report->has_taps || inject)
        snprintf(starved, sizeof starved, "%" PRIu64, use->starved);
    fprintf(out, "    %-34s %4s %10" PRIu64 " %4.0f %% %9s %9s\n", name, load, use->flits,
            100.0 * (double)use->flits / (double)busy_cycles(r), contended, starved);
}

/* Only the channels that something waited for, if there are any. */
static void put_ranking(const struct cli_run_result *r, bool local, FILE *out)
{
    struct channel_use top[CHANNELS_SHOWN];
    const size_t count = channel_ranked(r->c, r->report, local, top, CHANNELS_SHOWN);
    const bool waits = count > 0 && top[0].waiting > 0;
    /* Where nothing waits, the words of a local port are those of the workload. */
    if (count == 0 || (local && !waits && r->report->has_taps))
        return;
    fprintf(out, "\n  %-36s %4s %10s %6s %9s %9s\n",
            local   ? waits ? "local ports, most waiting first" : "local ports, most words first"
            : waits ? "links, most waiting first"
                    : "links, most words first",
            "load", "flits", "used", "contended", "starved");
    for (size_t i = 0; i < count && (!waits || top[i].waiting > 0); i++)
        put_channel(r, &top[i], out);
    if (waits && !local)
        fprintf(
            out,
            "    cycles of front flits: contended, another packet takes the link; starved, "
            "the buffer at its\n    far end returns no credit: the bottleneck is downstream%s\n",
            r->report->outcome == EC_RUN_FINISHED
                ? ": look for a\n    link or local port near 100 % use"
                : "");
    if (waits && local)
        fprintf(out, "    starved at inject: cycles in which the node had a word to send and no "
                     "credit\n");
}

void cli_text_channels(const struct cli_run_result *r, FILE *out)
{
    uint64_t links = 0, flits = channel_even(r->c, r->report, &links);
    if (flits > 0 && r->report->contended_cycles == 0)
        fprintf(out, "  channels    %" PRIu64 " link%s used, each by %" PRIu64 " flit%s\n", links,
                cli_plural(links), flits, cli_plural(flits));
    else
        put_ranking(r, false, out);
    put_ranking(r, true, out);
}

/* --- Intervals ---------------------------------------------------------------------------- */

/* "eject at 5 (1,1)  97 %, 1 more alike". */
static void name_busiest(const struct cli_run_result *r, const struct ec_interval *x, char *buffer,
                         size_t size)
{
    const double cycles = (double)(x->to - x->from + 1);
    buffer[0] = '\0';
    if (x->busiest_flits == 0)
        return;
    channel_name(&r->c->topology, r->report->locals, x->busiest, buffer, size);
    ec_append(buffer, size, ": %.0f %%", 100.0 * (double)x->busiest_flits / cycles);
    if (x->busiest_ties > 0)
        ec_append(buffer, size, ", %" PRIu64 " more alike", x->busiest_ties);
}

static void put_most_waiting(const struct cli_run_result *r, const struct ec_interval *x, FILE *out)
{
    const struct ec_channel c = {.kind = EC_CHANNEL_LINK, .node = x->node, .port = x->link};
    char name[200];
    channel_name(&r->c->topology, r->report->locals, c, name, sizeof name);
    fprintf(out, "  %s: %" PRIu64, name, x->link_waiting);
    if (2 * x->link_starved > x->link_waiting)
        fprintf(out, " starved");
    if (x->ties > 0)
        fprintf(out, ", %" PRIu64 " more alike", x->ties);
}

/* `width` of the column of the busiest channels. */
static void put_interval(const struct cli_run_result *r, const struct ec_interval *x, int width,
                         FILE *out)
{
    char cycles[48], mean[24] = "-", max[24] = "-", contended[24] = "-", starved[24] = "-";
    char busiest[240];
    snprintf(cycles, sizeof cycles, "%" PRIu64 "-%" PRIu64, x->from, x->to);
    if (x->packets > 0) {
        snprintf(mean, sizeof mean, "%.1f", (double)x->latency_sum / (double)x->packets);
        snprintf(max, sizeof max, "%" PRIu64, x->latency_max);
    }
    if (r->report->has_taps) {
        snprintf(contended, sizeof contended, "%" PRIu64, x->contended);
        snprintf(starved, sizeof starved, "%" PRIu64, x->starved);
    }
    name_busiest(r, x, busiest, sizeof busiest);
    fprintf(out,
            "    %-13s %7" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8s %6s %9" PRIu64 " %9s %8s  %-*s",
            cycles, x->messages, x->words_sent, x->words, mean, max, x->flit_hops, contended,
            starved, x->link_waiting > 0 ? width : 0, busiest);
    if (x->link_waiting > 0)
        put_most_waiting(r, x, out);
    fputc('\n', out);
}

static int busiest_width(const struct cli_run_result *r, size_t shown)
{
    char name[240];
    size_t width = strlen("busiest channel");
    for (size_t i = 0; i < shown; i++) {
        name_busiest(r, &r->report->intervals[i], name, sizeof name);
        width = strlen(name) > width ? strlen(name) : width;
    }
    return (int)width;
}

void cli_text_intervals(const struct cli_run_result *r, bool all, FILE *out)
{
    const struct ec_report *report = r->report;
    const size_t count = report->interval_count;
    const size_t shown = all || count <= INTERVALS_SHOWN ? count : INTERVALS_SHOWN;
    if (count == 0 || (count == 1 && !r->job->interval))
        return;
    const int width = busiest_width(r, shown);
    fprintf(out, "\n  %-15s %7s %8s %8s %8s %6s %9s %9s %8s  %-*s%s\n", "cycles", "msgs", "sent",
            "words", "latency", "max", "flit-hops", "contended", "starved", width,
            "busiest channel", report->has_taps ? "  most waiting at" : "");
    for (size_t i = 0; i < shown; i++)
        put_interval(r, &report->intervals[i], width, out);
    if (shown < count)
        fprintf(out, "    and %zu more intervals (--verbose shows all)\n", count - shown);
    fprintf(out, "    words injected (sent); messages and words delivered, with the latency of "
                 "their packets from\n    creation to tail. The busiest channel carried a word in "
                 "so many of the cycles: near 100 %% it is\n    the bottleneck, and waiting "
                 "elsewhere is its effect (back-pressure). --interval sets finer rows\n");
}

/* --- Classes ------------------------------------------------------------------------------ */

/* ", accepted 0.0500 +- 0.0004 of 0.0500, latency 6.24 +- 0.05 (p99 11, max 15)" */
static void put_class_figures(const struct ec_class_use *k, bool load, bool latency, FILE *out)
{
    const struct ec_confidence *c = &k->confidence;
    if (k->measured && load) {
        fprintf(out, ", accepted %.4f", k->accepted);
        if (c->accepted_half > 0)
            fprintf(out, " +- %.4f", c->accepted_half);
        fprintf(out, " of %.4f", k->offered);
    }
    if (latency) {
        const int digits = c->batches > 0 ? 2 : 1;
        fprintf(out, ", latency %.*f", digits, k->packet_latency.mean);
        if (c->has_interval)
            fprintf(out, " +- %.2f", c->latency_half);
        else
            fputs(c->independent || c->batches == 0 ? " +- ?" : " +- ? (correlated)", out);
        fprintf(out, " (p99 %" PRIu64 ", max %" PRIu64 ")", k->packet_latency.p99,
                k->packet_latency.max);
    }
    fputc('\n', out);
}

void cli_text_classes(const struct cli_run_result *r, bool latency, FILE *out)
{
    const struct ec_report *report = r->report;
    int width = 0;
    for (size_t i = 0; i < report->class_count; i++) {
        const int length = (int)strlen(report->classes[i].name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < report->class_count; i++) {
        const struct ec_class_use *k = &report->classes[i];
        fprintf(out, "  %-10s  %-*s  %" PRIu64 " messages", i == 0 ? "classes" : "", width, k->name,
                k->messages);
        put_class_figures(k, report->offered > 0, latency && k->packet_latency.max > 0, out);
    }
    const struct ec_service *service = &r->c->workload->service;
    if (service->words == 0)
        return;
    fprintf(out, "  queues      at most %" PRIu32 " request%s in one node at a time",
            report->most_requests, cli_plural(report->most_requests));
    if (service->queue > 0)
        fprintf(out, ", room for %" PRIu32, service->queue);
    else
        fprintf(out, ", room for any number (queue=inf)");
    fputs(service->shared ? "; replies share the lanes of requests\n"
                          : "; replies have lanes of their own\n",
          out);
}

/* --- Sources ------------------------------------------------------------------------------ */

static void put_fairness(const struct cli_run_result *r, const char *label, const char *what,
                         const struct ec_fairness *f, bool high, FILE *out)
{
    const uint32_t node = high ? f->max_node : f->min_node;
    const uint32_t ties = high ? f->max_ties : f->min_ties;
    const int digits = high ? 1 : 3;
    char name[64];
    ec_topology_node_name(&r->c->topology, node, name, sizeof name);
    fprintf(out, "  %-10s  %s %.*f to %.*f, Jain index %.3f", label, what, digits, f->min, digits,
            f->max, f->jain);
    if (f->max > f->min)
        fprintf(out, "; worst at node %s", name);
    if (f->max > f->min && ties > 0)
        fprintf(out, " and %" PRIu32 " more", ties);
    fputc('\n', out);
}

void cli_text_fairness(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    const struct ec_fairness *latency = &report->latency_fairness, *share = &report->share_fairness;
    const char *label = "sources";
    const bool open_loop = r->c->workload->open_loop;
    if (!open_loop && strcmp(r->c->workload->name, "trace") != 0)
        return; /* patterns: the picture shows more */
    if (latency->sources > 1 && !report->backlogged) {
        put_fairness(r, label, "mean latency", latency, true, out);
        label = "";
    }
    /* Of a finished trace every word was accepted. */
    if (share->sources > 1 && (open_loop || report->outcome != EC_RUN_FINISHED))
        put_fairness(r, label, "accepted / offered", share, false, out);
}

/* --- Deadlocks ---------------------------------------------------------------------------- */

enum { WAITING_SHOWN = 24 }; /* buffers, unless all are wanted */

void cli_text_waiting(const struct ec_report *report, bool all, FILE *out)
{
    const size_t count = report->waiting_count;
    const size_t shown = all || count <= WAITING_SHOWN ? count : WAITING_SHOWN;
    if (count > 0)
        fprintf(out, "  waiting     %s:\n",
                report->knot ? "for each other; where several are named, for any of them"
                             : "in a cycle");
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "    %s\n", report->waiting[i]);
    if (shown < count)
        fprintf(out, "    and %zu more%s (--verbose shows all)\n", count - shown,
                report->knot ? "" : ", back to the first");
}
