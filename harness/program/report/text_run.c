/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a run for a person: the verdict first, then the figures, then the picture.
 *
 * Knows what a report holds; what is worth a reader's line is decided here and nowhere else. */
#include <inttypes.h>
#include <string.h>

#include "program/report/channel.h"
#include "program/report/picture.h"
#include "program/report/text.h"

enum {
    BUSIEST = 5,
    WAITING_SHOWN = 24, /* buffers of a circle that a person reads without asking for more */
};

static const char *switching_name(enum ec_switching s)
{
    static const char *const names[] = {[EC_WORMHOLE] = "wormhole",
                                        [EC_CUT_THROUGH] = "cut-through",
                                        [EC_STORE_AND_FORWARD] = "store-and-forward"};
    return names[s];
}

/* --- The verdict -------------------------------------------------------------------------- */

static const char *verdict_word(const struct cli_run_result *r)
{
    switch (r->status) {
    case CLI_OK:
        return "PASS";
    case CLI_UNSTABLE:
        return r->report->steady == EC_STEADY_GROWS ? "UNSTABLE" : "TOO SHORT";
    case CLI_DEADLOCK:
        return "DEADLOCK";
    case CLI_INTERRUPTED:
        return "PARTIAL";
    default:
        return "FAIL";
    }
}

/* Words that cross the network: a message to its own node does not. */
static uint64_t words_to_deliver(const struct ec_workload *w)
{
    uint64_t words = 0;
    for (size_t i = 0; i < w->message_count; i++)
        words += w->messages[i].src == w->messages[i].dst ? 0 : w->messages[i].words;
    return words;
}

/* A run that did not come to its end has no time; how far it came says more. */
static void put_progress(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    fprintf(out, "%" PRIu64, report->words);
    if (!r->c->workload->open_loop)
        fprintf(out, " of %" PRIu64, words_to_deliver(r->c->workload));
    fprintf(out, " words delivered in %" PRIu64 " cycle%s", report->simulated_cycles,
            cli_plural(report->simulated_cycles));
}

static void put_time(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    if (!report->measured) {
        fprintf(out, "the process of the run died");
        return;
    }
    if (r->c->workload->open_loop && report->outcome == EC_RUN_FINISHED) {
        fprintf(out, "accepted %.4f of %.4f, ", report->accepted, report->offered);
        if (report->packet_latency.max > 0) /* no packet takes 0 cycles */
            fprintf(out, "latency %.1f", report->packet_latency.mean);
        else
            fprintf(out, "latency not measured");
        return;
    }
    if (report->outcome != EC_RUN_FINISHED) {
        put_progress(r, out);
        return;
    }
    fprintf(out, "%" PRIu64 " cycle%s", report->cycles, cli_plural(report->cycles));
    if (report->has_prediction && report->cycles == report->predicted_cycles)
        fprintf(out, " = predicted");
    else if (report->has_prediction)
        fprintf(out, ", predicted %" PRIu64, report->predicted_cycles);
}

static void put_verdict(const struct cli_run_result *r, const struct cli_style *s, FILE *out)
{
    const char *word = verdict_word(r);
    enum cli_paint paint = r->status == CLI_OK            ? CLI_GOOD
                           : r->status == CLI_INTERRUPTED ? CLI_WARM
                                                          : CLI_BAD;
    fprintf(out, "%s%s%s  %s %s  ", cli_paint(s, paint), word, cli_unpaint(s), r->c->topology_text,
            r->c->workload->text);
    if (r->c->schedule || r->c->candidates)
        fprintf(out, "by %s  ", r->c->algorithm);
    const bool checked = r->report->checks[EC_CHECK_SWITCHING].verdict != EC_VERDICT_UNCHECKED;
    fprintf(out, "%s%s  ", switching_name(r->c->router.switching), checked ? "" : " (not checked)");
    put_time(r, out);
    if (r->report->contended_cycles > 0 && !r->c->workload->open_loop)
        fprintf(out, ", %" PRIu64 " contended", r->report->contended_cycles);
    if (r->report->outcome == EC_RUN_INTERRUPTED)
        fprintf(out, ", interrupted");
    if (r->report->outcome == EC_RUN_LIMIT)
        fprintf(out, ", stopped there by --cycles");
    fputc('\n', out);
}

/* --- Checks ------------------------------------------------------------------------------- */

static void put_check(const char *name, enum ec_verdict verdict, const char *text,
                      const char *detail, const struct cli_style *s, FILE *out)
{
    static const char *const words[] = {[EC_VERDICT_NONE] = "-",
                                        [EC_VERDICT_PASS] = "pass",
                                        [EC_VERDICT_FAIL] = "FAIL",
                                        [EC_VERDICT_UNCHECKED] = "?",
                                        [EC_VERDICT_OPEN] = "OPEN"};
    static const enum cli_paint paints[] = {[EC_VERDICT_NONE] = CLI_FAINT,
                                            [EC_VERDICT_PASS] = CLI_GOOD,
                                            [EC_VERDICT_FAIL] = CLI_BAD,
                                            [EC_VERDICT_UNCHECKED] = CLI_WARM,
                                            [EC_VERDICT_OPEN] = CLI_BAD};
    fprintf(out, "    %s%-4s%s  %-10s  %s\n", cli_paint(s, paints[verdict]), words[verdict],
            cli_unpaint(s), name, text);
    if (detail[0] != '\0')
        fprintf(out, "                      %s\n", detail);
}

static void put_checks(const struct cli_run_result *r, bool all, const struct cli_style *s,
                       FILE *out)
{
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        if (all || c->verdict == EC_VERDICT_FAIL || c->verdict == EC_VERDICT_OPEN)
            put_check(ec_check_name(i), c->verdict, ec_check_text(i), c->detail, s, out);
    }
    if (r->expect.verdict == EC_VERDICT_FAIL || (all && r->expect.verdict != EC_VERDICT_NONE))
        put_check("expect", r->expect.verdict, "congestion-free", r->expect.detail, s, out);
}

/* One line with the checks that were not done and why. A brief report names only those that this
 * kind of run has, and leaves them out where the verdict line says that the run did not finish. */
static void put_unchecked(const struct cli_run_result *r, bool brief, FILE *out)
{
    const char *reason = NULL;
    if (brief && r->report->outcome != EC_RUN_FINISHED)
        return;
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        const bool open = c->verdict == EC_VERDICT_UNCHECKED ||
                          (!brief && c->verdict == EC_VERDICT_NONE && c->detail[0]);
        if (!open)
            continue;
        if (!reason)
            fprintf(out, "  not checked ");
        else if (strcmp(reason, c->detail) == 0)
            fprintf(out, ", ");
        else
            fprintf(out, " (%s), ", reason);
        reason = c->detail;
        fprintf(out, "%s", ec_check_name(i));
    }
    if (reason)
        fprintf(out, " (%s)\n", reason);
}

static void put_waiting(const struct ec_report *report, bool all, FILE *out)
{
    const size_t count = report->waiting_count;
    const size_t shown = all || count <= WAITING_SHOWN ? count : WAITING_SHOWN;
    if (count > 0)
        fprintf(out, "  waiting     in a cycle:\n");
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "    %s\n", report->waiting[i]);
    if (shown < count)
        fprintf(out, "    and %zu more, back to the first (--verbose shows all)\n", count - shown);
}

/* --- Figures ------------------------------------------------------------------------------ */

static void put_congestion(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    const struct ec_audit *audit = r->c->audit;
    fprintf(out, "  congestion  ");
    if (!r->report->has_taps)
        fprintf(out, "not known: this router has no taps");
    else if (report->contended_cycles == 0 && report->outcome == EC_RUN_FINISHED)
        fprintf(out, "none: 0 contended cycles, %" PRIu64 " starved", report->starved_cycles);
    else
        fprintf(out, "%" PRIu64 " contended cycles, %" PRIu64 " starved%s",
                report->contended_cycles, report->starved_cycles,
                report->outcome == EC_RUN_FINISHED ? "" : " so far");
    const char *of_step = r->c->schedule ? " of a step" : "";
    if (audit && audit->congestion_free)
        fprintf(out, "; audit: no two messages%s share a channel", of_step);
    else if (audit)
        fprintf(out, "; audit: up to %" PRIu32 " messages%s share a channel", audit->max_step_load,
                of_step);
    fputc('\n', out);
}

static void put_latency_line(const char *label, const char *what, const struct ec_latency *l,
                             FILE *out)
{
    fprintf(out,
            "  %-10s  mean %.1f  p50 %" PRIu64 "  p95 %" PRIu64 "  p99 %" PRIu64 "  max %" PRIu64
            "  %s\n",
            label, l->mean, l->p50, l->p95, l->p99, l->max, what);
}

static void put_traffic(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    fprintf(out,
            "  traffic     %" PRIu64 " message%s, %" PRIu64 " packet%s, %" PRIu64 " word%s, "
            "%" PRIu64 " flit-hops, longest path %u hop%s\n",
            report->messages, cli_plural(report->messages), report->packets,
            cli_plural(report->packets), report->words, cli_plural(report->words),
            report->flit_hops, report->max_hops, cli_plural(report->max_hops));
    if (report->offered > 0)
        fprintf(out, "  load        offered %.4f, accepted %.4f flits/node/cycle\n",
                report->offered, report->accepted);
    if (report->eject_waiting > 0 && report->eject_stalled > 0)
        fprintf(out,
                "  ejection    stalled in %.2f %% of %" PRIu64 " port-cycles with something to "
                "accept\n",
                100 * report->eject_stalled, report->eject_waiting);
}

static void put_seconds(double seconds, FILE *out)
{
    if (seconds < 1e-3)
        fprintf(out, "%.0f us", seconds * 1e6);
    else if (seconds < 1)
        fprintf(out, "%.1f ms", seconds * 1e3);
    else
        fprintf(out, "%.1f s", seconds);
}

static void put_figures(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    fprintf(out, "  router      %s\n", r->c->router_text);
    cli_text_schedule(r->c, out);
    put_traffic(r, out);
    put_congestion(r, out);
    if (report->packet_latency.max > 0) {
        put_latency_line("latency", "cycles, creation to tail", &report->packet_latency, out);
        put_latency_line("", "cycles, injection to tail", &report->network_latency, out);
    }
    uint64_t all = report->simulated_cycles * r->c->topology.nodes;
    fprintf(out,
            "  speed       %.2f M router-cycles/s: %" PRIu32 " router%s, %" PRIu64 " cycles in ",
            report->router_cycles_per_second / 1e6, r->c->topology.nodes,
            cli_plural(r->c->topology.nodes), report->simulated_cycles);
    put_seconds(report->seconds, out);
    if (all > 0)
        fprintf(out, "; %.0f %% asleep", 100 * (1 - (double)report->stepped / (double)all));
    fputc('\n', out);
}

/* --- Channels ----------------------------------------------------------------------------- */

/* The time in which links had something to do: until the last tail, if there is one and it came. */
static uint64_t busy_cycles(const struct cli_run_result *r)
{
    const bool to_tail = !r->c->workload->open_loop && r->report->outcome == EC_RUN_FINISHED;
    uint64_t cycles = to_tail ? r->report->cycles : r->report->simulated_cycles;
    return cycles > 0 ? cycles : 1;
}

static void put_busiest(const struct cli_run_result *r, FILE *out)
{
    struct cli_channel_use top[BUSIEST];
    uint64_t links = 0, flits = cli_channel_even(r, &links);
    if (flits > 0 && r->report->contended_cycles == 0) {
        fprintf(out, "  channels    %" PRIu64 " link%s used, each by %" PRIu64 " flit%s\n", links,
                cli_plural(links), flits, cli_plural(flits));
        return;
    }
    size_t count = cli_channel_busiest(r, top, BUSIEST);
    if (count == 0)
        return;
    fprintf(out, "\n  %-34s %6s %10s %6s %9s %9s\n", "busiest channels", "load", "flits", "used",
            "contended", "starved");
    for (size_t i = 0; i < count; i++) {
        char name[200], load[16] = "-", contended[24] = "-", starved[24] = "-";
        cli_channel_name(&r->c->topology, r->report->locals, top[i].channel, name, sizeof name);
        if (r->c->audit)
            snprintf(load, sizeof load, "%" PRIu32, top[i].load);
        if (r->report->has_taps) {
            snprintf(contended, sizeof contended, "%" PRIu64, top[i].contended);
            snprintf(starved, sizeof starved, "%" PRIu64, top[i].starved);
        }
        fprintf(out, "    %-32s %6s %10" PRIu64 " %4.0f %% %9s %9s\n", name, load, top[i].flits,
                100.0 * (double)top[i].flits / (double)busy_cycles(r), contended, starved);
    }
}

static uint64_t load_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_audit *audit = context;
    return audit->link_load[(size_t)node * audit->links + link];
}

static uint64_t percent_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_report *report = context;
    uint64_t flits = report->flits[(size_t)node * report->ports + link];
    /* A link that carried anything is no idle one. */
    uint64_t percent = (100 * flits + report->simulated_cycles / 2) / report->simulated_cycles;
    return flits > 0 && percent == 0 ? 1 : percent;
}

static uint64_t contended_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_report *report = context;
    return report->contended[(size_t)node * report->ports + link];
}

static void put_pictures(const struct cli_run_result *r, const struct cli_style *s, FILE *out)
{
    const struct ec_report *report = r->report;
    struct cli_field load = {.topology = &r->c->topology, .unit = "", .warm = 2};
    if (r->c->audit) {
        load.title = "messages per link";
        load.at = load_at;
        load.context = r->c->audit;
    } else {
        load.title = "use of each link, % of the cycles";
        load.unit = " %";
        load.at = percent_at;
        load.context = report;
        load.warm = 50;
    }
    if (report->simulated_cycles == 0)
        return;
    fputc('\n', out);
    cli_picture(&load, s, out);
    if (!r->c->audit || report->contended_cycles == 0)
        return;
    struct cli_field contended = {.topology = &r->c->topology,
                                  .at = contended_at,
                                  .context = report,
                                  .title = "contended cycles per link",
                                  .unit = "",
                                  .warm = 1};
    fputc('\n', out);
    cli_picture(&contended, s, out);
}

/* What the replay of a failed run left. */
static void put_failure(const struct ec_failure *f, FILE *out)
{
    for (size_t i = 0; i < f->check_count; i++)
        fprintf(out, "  %-11s %s\n", i ? "" : "RTL checks", f->checks[i]);
    if (f->wave[0])
        fprintf(out,
                "  failure     %s: %zu router%s, cycles %" PRIu64 " to %" PRIu64 "%s\n"
                "              open it with   gtkwave %s %.*s.gtkw\n",
                f->wave, f->wave_nodes, cli_plural(f->wave_nodes), f->first, f->last,
                f->found && f->cycle <= f->last ? ", the place of the failure marked" : "", f->wave,
                (int)(strlen(f->wave) - strlen(".fst")), f->wave);
    if (f->note[0])
        fprintf(out, "  failure     %s\n", f->note);
}

void cli_text_run(const struct cli_run_result *r, enum cli_detail detail,
                  const struct cli_style *style, FILE *out)
{
    put_verdict(r, style, out);
    put_checks(r, detail == CLI_FULL, style, out);
    if (detail != CLI_FULL) /* which shows every check with its reason */
        put_unchecked(r, detail == CLI_BRIEF, out);
    put_waiting(r->report, detail == CLI_FULL, out);
    put_failure(&r->report->failure, out);
    cli_look_text(r->look, out);
    if (detail == CLI_BRIEF || !r->report->measured)
        return;
    put_figures(r, out);
    put_busiest(r, out);
    put_pictures(r, style, out);
}

void cli_text_summary(const size_t *counts, size_t total, size_t done, FILE *out)
{
    static const struct {
        enum cli_status status;
        const char *word;
    } words[] = {
        {CLI_OK, "passed"},
        {CLI_FAILED, "failed"},
        {CLI_UNSTABLE, "not steady"},
        {CLI_DEADLOCK, "deadlocked"},
        {CLI_INTERRUPTED, "interrupted"},
    };
    const char *separator = ": ";
    if (done < total)
        fprintf(out, "partial: %zu of ", done);
    fprintf(out, "%zu job%s", total, cli_plural(total));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (counts[words[i].status] == 0)
            continue;
        fprintf(out, "%s%zu %s", separator, counts[words[i].status], words[i].word);
        separator = ", ";
    }
    fputc('\n', out);
}
