/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a run for people: the verdict first, then figures, then a picture. Decides what to
 * print; computes nothing. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "program/report/report.h"
#include "result/parameters.h"
#include "result/records.h"

enum { CANDIDATES_SHOWN = 5 };

uint64_t cli_field_load(const void *context, uint32_t node, unsigned link)
{
    const struct ec_audit *audit = context;
    return audit->link_load[(size_t)node * audit->links + link];
}

/* --- Schedules ----------------------------------------------------------------------------------
 */

static void put_candidate(const char *label, const struct ec_candidate *k, FILE *out)
{
    fprintf(out, "  %-10s  %s, ports=%s: %s%" PRIu64 " cycles %s\n", label, k->algorithm,
            result_ports_name(k->ports), k->basis == EC_BASIS_AT_LEAST ? "at least " : "",
            k->cycles,
            k->basis == EC_BASIS_PREDICTED  ? "predicted"
            : k->basis == EC_BASIS_MEASURED ? "measured"
                                            : "(no prediction; `ecube run' measures it)");
}

/* Without a prediction, and perhaps faster than the one chosen. */
static bool is_open(const struct ec_case *c, size_t i)
{
    return c->candidates[i].basis == EC_BASIS_AT_LEAST &&
           c->candidates[i].cycles < c->candidates[0].cycles;
}

static void put_candidates(const struct ec_case *c, FILE *out)
{
    size_t shown = 0, slower = 0;
    put_candidate("best", &c->candidates[0], out);
    for (size_t i = 1; i < c->candidate_count; i++) {
        if (is_open(c, i))
            continue;
        if (c->candidates[i].basis == EC_BASIS_AT_LEAST || shown == CANDIDATES_SHOWN)
            slower++;
        else
            put_candidate(shown++ ? "" : "runners-up", &c->candidates[i], out);
    }
    if (slower)
        fprintf(out, "              and %zu that %s not faster\n", slower,
                slower == 1 ? "is" : "are");
    for (size_t i = 1; i < c->candidate_count; i++) {
        if (is_open(c, i))
            put_candidate("unknown", &c->candidates[i], out);
    }
}

bool cli_has_steps(const struct ec_case *c)
{
    return c->schedule || (c->workload->order && c->workload->order->step);
}

/* The size of the schedule, its demands on a node, and its defect. */
void cli_text_schedule(const struct ec_case *c, FILE *out)
{
    const struct ec_schedule_audit *a = &c->found;
    if (c->pattern->shuffle[0])
        fprintf(out, "  shuffle     gsh:cycle=%s,K=%" PRIu32 "\n", c->pattern->shuffle,
                c->pattern->per_node);
    if (c->candidates)
        put_candidates(c, out);
    if (!c->schedule)
        return;
    fprintf(out,
            "  schedule    %s, --sync %s: %" PRIu32 " step%s, %zu transfer%s, %" PRIu64
            " element-hops\n",
            c->algorithm, cli_syncs[c->spec.sync].word, a->steps, cli_plural(a->steps),
            c->schedule->transfer_count, cli_plural(c->schedule->transfer_count), a->element_hops);
    fprintf(out,
            "  nodes       at most %" PRIu32 " element%s in one, %" PRIu64
            " local move%s, %s%s%s\n",
            a->peak_memory, cli_plural(a->peak_memory), a->local_moves, cli_plural(a->local_moves),
            a->adjacent ? "neighbours only, " : "", a->one_port ? "one port" : "several ports",
            c->ports_chosen ? ", hence ports=all" : "");
    if (a->defect[0])
        fprintf(out, "  defect      %s\n", a->defect);
}

/* --- Verdict of a run ---------------------------------------------------------------------------
 */

static const char *switching_name(enum ec_switching s)
{
    static const char *const names[] = {[EC_WORMHOLE] = "wormhole",
                                        [EC_CUT_THROUGH] = "cut-through",
                                        [EC_STORE_AND_FORWARD] = "store-and-forward"};
    return names[s];
}

/* Words that cross the network: a message to its own node does not. */
static uint64_t words_to_deliver(const struct ec_workload *w)
{
    uint64_t words = 0;
    for (size_t i = 0; i < w->message_count; i++)
        words += w->messages[i].src == w->messages[i].dst ? 0 : w->messages[i].words;
    return words;
}

/* An unfinished run has no time; print how far it came. */
static void put_progress(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    fprintf(out, "%" PRIu64, report->words);
    if (!r->c->workload->open_loop)
        fprintf(out, " of %" PRIu64, words_to_deliver(r->c->workload));
    fprintf(out, " words delivered in %" PRIu64 " cycle%s", report->simulated_cycles,
            cli_plural(report->simulated_cycles));
    if (!r->c->workload->open_loop && report->words > 0 &&
        report->cycles < report->simulated_cycles)
        fprintf(out, ", the last after %" PRIu64, report->cycles);
}

/* No packet takes 0 cycles. A latency that depends on the length of the window is none. */
static bool has_latency(const struct ec_report *report)
{
    return report->packet_latency.max > 0 && !report->backlogged;
}

static double known_half(const struct ec_confidence *c)
{
    return c->has_interval ? c->latency_half : 0;
}

/* Rounded up, so that the interval never shrinks; 0: not known. */
static void put_half(double half, FILE *out)
{
    if (half > 0)
        fprintf(out, " +- %.1f", ceil(10 * half) / 10);
    else
        fputs(" +- ?", out);
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
        if (has_latency(report))
            fprintf(out, "latency %.1f", report->packet_latency.mean);
        else
            fprintf(out, "latency not measured");
        if (has_latency(report))
            put_half(known_half(&report->packet_confidence), out);
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
    if (r->c->spec.clock > 0)
        fprintf(out, ", %.4g us", result_microseconds(r->c, (double)report->cycles));
}

static void put_run_verdict(const struct cli_run_result *r, const struct cli_style *s, FILE *out)
{
    const bool partial = r->status == CLI_INTERRUPTED || r->status == CLI_STOPPED;
    enum cli_paint paint = r->status == CLI_OK ? CLI_GOOD : partial ? CLI_WARM : CLI_BAD;
    fputs(cli_paint(s, paint), out);
    for (const char *c = ec_ending_name(ec_report_ending(r->report, &r->expect)); *c; c++)
        fputc(toupper((unsigned char)*c), out);
    fprintf(out, "%s  %s %s  ", cli_unpaint(s), r->c->topology_text, r->c->workload->text);
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
        fprintf(out, ", stopped by --cycles %" PRIu64, r->c->spec.cycles);
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

/* What to run after TOO SHORT. */
static void put_suggestion(const struct cli_run_result *r, FILE *out)
{
    if (r->report->suggested_cycles > 0)
        fprintf(out, "                      a %s to try: --cycles %" PRIu64 "\n",
                r->c->spec.precision > 0 ? "higher limit" : "longer window",
                r->report->suggested_cycles);
}

static void put_checks(const struct cli_run_result *r, bool all, const struct cli_style *s,
                       FILE *out)
{
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &r->report->checks[i];
        if (all || c->verdict == EC_VERDICT_FAIL || c->verdict == EC_VERDICT_OPEN)
            put_check(ec_check_name(i), c->verdict, ec_check_text(i), c->detail, s, out);
        if (i == EC_CHECK_STABILITY)
            put_suggestion(r, out);
    }
    if (r->expect.verdict == EC_VERDICT_FAIL || (all && r->expect.verdict != EC_VERDICT_NONE))
        put_check("expect", r->expect.verdict, cli_choice_word(cli_expectations, r->job->expect),
                  r->expect.detail, s, out);
}

/* One line with the checks that were not done and why. A brief report names only those that apply
 * to this kind of run, and none if the verdict line says that the run did not finish. */
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
    const char *of_step = cli_has_steps(r->c) ? " of a step" : "";
    if (audit && audit->congestion_free)
        fprintf(out, "; audit: no two messages%s share a channel", of_step);
    else if (audit)
        fprintf(out, "; audit: up to %" PRIu32 " messages%s share a channel", audit->max_step_load,
                of_step);
    fputc('\n', out);
}

/* `half`: in open loop, the half-width of the interval of the mean; below 0: closed. */
static void put_latency_line(const char *label, const char *what, const struct ec_latency *l,
                             double half, FILE *out)
{
    fprintf(out, "  %-10s  mean %.1f", label, l->mean);
    if (half >= 0)
        put_half(half, out);
    fprintf(out, "  p50 %" PRIu64 "  p95 %" PRIu64 "  p99 %" PRIu64 "  max %" PRIu64 "  %s\n",
            l->p50, l->p95, l->p99, l->max, what);
}

static void put_percentile(const char *name, struct ec_percentile p, FILE *out)
{
    fprintf(out, "  %s %" PRIu64 " (%" PRIu64 " to %" PRIu64 ")", name, p.value, p.low, p.high);
}

static void put_unknown(const struct ec_measurement *m, double mean, FILE *out)
{
    fprintf(out, "%.2f +- ? (not known: %s)", mean,
            m->state == EC_MEASURED_TOO_SHORT ? "the run is too short" : "batches are correlated");
}

static void put_percentiles(struct ec_percentile p50, struct ec_percentile p95,
                            struct ec_percentile p99, FILE *out)
{
    put_percentile("p50", p50, out);
    put_percentile("p95", p95, out);
    put_percentile("p99", p99, out);
}

static void put_round_trip(const struct ec_report *p, FILE *out)
{
    const struct ec_confidence *trips = &p->round_trip_confidence;
    if (trips->batches == 0)
        return;
    fputs("\n              round trip ", out);
    if (trips->has_interval) {
        fprintf(out, "%.2f +- %.2f", p->round_trip.mean, trips->latency_half);
        put_percentiles(trips->p50, trips->p95, trips->p99, out);
    } else {
        put_unknown(&p->measurement, p->round_trip.mean, out);
    }
}

/* What --precision found, and what repeats it. */
static void put_measurement(const struct cli_run_result *r, FILE *out)
{
    const struct ec_measurement *m = &r->report->measurement;
    if (m->state == EC_MEASURED_NONE)
        return;
    fprintf(out,
            "  measured    %s: %" PRIu64 " cycles after a warm-up of %" PRIu64 " (--warmup %" PRIu64
            " --cycles %" PRIu64 " repeats them)\n",
            ec_measured_name(m->state), m->window, m->truncated, m->truncated, m->window);
    fprintf(out, "              95 %% intervals: accepted %.4f +- %.4f", m->accepted,
            m->accepted_half);
    if (m->batches > 0 && has_latency(r->report)) {
        fputs(", latency ", out);
        if (m->has_interval) {
            fprintf(out, "%.2f +- %.2f\n            ", m->latency, m->latency_half);
            put_percentiles(m->p50, m->p95, m->p99, out);
        } else {
            put_unknown(m, m->latency, out);
        }
        put_round_trip(r->report, out);
        fprintf(out, "\n              %u batches, correlation of neighbours %+.2f%s", m->batches,
                m->correlation, m->independent ? "" : " (significant)");
    }
    fputc('\n', out);
}

static void put_traffic(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    fprintf(out,
            "  traffic     %" PRIu64 " message%s, %" PRIu64 " packet%s, %" PRIu64 " word%s, "
            "%" PRIu64 " flit-hop%s",
            report->messages, cli_plural(report->messages), report->packets,
            cli_plural(report->packets), report->words, cli_plural(report->words),
            report->flit_hops, cli_plural(report->flit_hops));
    if (report->outcome == EC_RUN_FINISHED || report->packets > 0)
        fprintf(out, ", longest path %u hop%s", report->max_hops, cli_plural(report->max_hops));
    fputc('\n', out);
    if (report->offered > 0)
        fprintf(out, "  load        offered %.4f, accepted %.4f flits/node/cycle", report->offered,
                report->accepted);
    if (report->offered > 0 && r->bounds.has_rate)
        fprintf(out, ", %.1f %% of the busiest channel's bound",
                100 * report->accepted / (r->bounds.rate * r->bounds.sends));
    if (report->offered > 0)
        fputc('\n', out);
    if (report->eject_waiting > 0 && report->eject_stalled > 0)
        fprintf(out,
                "  ejection    stalled in %.2f %% of %" PRIu64 " port-cycles with something to "
                "accept\n",
                100 * report->eject_stalled, report->eject_waiting);
}

/* In the units of the machine. */
static void put_machine(const struct cli_run_result *r, FILE *out)
{
    const struct ec_case *c = r->c;
    const struct ec_report *report = r->report;
    const double accepted = result_accepted(c, report);
    if (c->spec.clock <= 0)
        return;
    fprintf(out, "  machine     %.10g MHz: %.4g us", c->spec.clock,
            result_microseconds(c, (double)report->cycles));
    if (has_latency(report))
        fprintf(out, ", mean latency %.4g us", result_microseconds(c, report->packet_latency.mean));
    if (c->spec.link_bits > 0)
        fprintf(out, "; words of %" PRIu32 " bits: %.4g GB/s into a node, %.4g GB/s in all",
                c->spec.link_bits, result_gigabytes(c, accepted),
                result_gigabytes(c, accepted * c->topology.nodes));
    fputc('\n', out);
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

static void put_run_figures(const struct cli_run_result *r, FILE *out)
{
    const struct ec_report *report = r->report;
    const bool open = r->c->workload->open_loop;
    fprintf(out, "  router      %s\n", r->c->router_text);
    cli_text_schedule(r->c, out);
    put_traffic(r, out);
    put_congestion(r, out);
    put_measurement(r, out);
    if (has_latency(report)) {
        put_latency_line("latency", "cycles, creation to tail", &report->packet_latency,
                         open ? known_half(&report->packet_confidence) : -1, out);
        put_latency_line("", "cycles, injection to tail", &report->network_latency,
                         open ? report->network_half : -1, out);
    }
    if (has_latency(report) && report->round_trip.max > 0)
        put_latency_line("round trip", "cycles, creation of a request to tail of its reply",
                         &report->round_trip, known_half(&report->round_trip_confidence), out);
    put_machine(r, out);
    cli_text_classes(r, has_latency(report), out);
    cli_text_fairness(r, out);
    uint64_t all = report->simulated_cycles * r->c->topology.routers;
    fprintf(out,
            "  speed       %.2f M router-cycles/s: %" PRIu32 " router%s, %" PRIu64 " cycles in ",
            report->router_cycles_per_second / 1e6, r->c->topology.routers,
            cli_plural(r->c->topology.routers), report->simulated_cycles);
    put_seconds(report->seconds, out);
    if (report->parts > 1)
        fprintf(out, ", in %" PRIu32 " parts", report->parts);
    if (all > 0)
        fprintf(out, "; %.0f %% asleep", 100 * (1 - (double)report->stepped / (double)all));
    fputc('\n', out);
}

/* --- Pictures ----------------------------------------------------------------------------- */

static uint64_t percent_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_report *report = context;
    uint64_t flits = report->flits[(size_t)node * report->ports + link];
    /* Do not round the use of a link that carried anything to 0. */
    uint64_t percent = (100 * flits + report->simulated_cycles / 2) / report->simulated_cycles;
    return flits > 0 && percent == 0 ? 1 : percent;
}

static uint64_t waiting_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_report *report = context;
    const size_t at = (size_t)node * report->ports + link;
    return report->contended[at] + report->starved[at];
}

static void put_pictures(const struct cli_run_result *r, const struct cli_style *s, FILE *out)
{
    const struct ec_report *report = r->report;
    struct cli_field load = {.topology = &r->c->topology, .unit = "", .warm = 2};
    if (r->c->audit) {
        load.title = "messages per link";
        load.at = cli_field_load;
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
    struct cli_field waiting = {.topology = &r->c->topology,
                                .at = waiting_at,
                                .context = report,
                                .title = "waiting for each link: contended and starved cycles",
                                .unit = "",
                                .warm = 1};
    fputc('\n', out);
    cli_picture(&waiting, s, out);
}

static bool went_wrong(const struct ec_report *report)
{
    return report->outcome == EC_RUN_DEADLOCK || report->outcome == EC_RUN_BROKEN;
}

/* Results of the replay of a failed run. */
static void put_failure(const struct ec_failure *f, FILE *out)
{
    if (f->check_count > 0)
        fprintf(out, "  RTL checks  in the replay, which has ecube's own assertions:\n");
    for (size_t i = 0; i < f->check_count; i++)
        fprintf(out, "              %s\n", f->checks[i]);
    if (f->wave[0])
        fprintf(out, "  failure     %s: %zu router%s, cycles %" PRIu64 " to %" PRIu64 "%s\n",
                f->wave, f->wave_nodes, cli_plural(f->wave_nodes), f->first, f->last,
                f->found && f->cycle <= f->last ? ", the place of the failure marked" : "");
    cli_wave_text(f->wave, out);
    if (f->note[0])
        fprintf(out, "  failure     %s\n", f->note);
}

void cli_text_run(const struct cli_run_result *r, enum cli_detail detail,
                  const struct cli_style *style, FILE *out)
{
    put_run_verdict(r, style, out);
    put_checks(r, detail == CLI_FULL, style, out);
    if (detail == CLI_FULL && r->job->spec.engine != EC_ENGINE_VERILATOR)
        fprintf(out, "  engine      %s\n", ec_case_engine(r->c));
    if (detail != CLI_FULL) /* which shows every check with its reason */
        put_unchecked(r, detail == CLI_BRIEF, out);
    cli_text_waiting(r->report, detail == CLI_FULL, out);
    if (r->warning.text[0] && r->report->outcome != EC_RUN_DEADLOCK)
        fprintf(out, "  warning     %s\n", r->warning.text);
    if (r->warning.remedy[0])
        fprintf(
            out,
            "  remedy      this network can deadlock with these options (ecube audit): use %s\n",
            r->warning.remedy);
    put_failure(&r->report->failure, out);
    cli_traces_text(r->traces, out);
    if (detail == CLI_BRIEF || !r->report->measured)
        return;
    put_run_figures(r, out);
    cli_text_channels(r, out);
    cli_text_intervals(r, detail == CLI_FULL, out);
    /* Pictures would push the reason of a failure off the screen. */
    if (detail == CLI_FULL || !went_wrong(r->report))
        put_pictures(r, style, out);
}

/* --- Expectations and details -------------------------------------------------------------------
 */

bool cli_expect_deadlock_free(const struct cli_job *job, enum ec_answer possible,
                              struct ec_check *x)
{
    const bool met = possible == EC_ANSWER_NO;
    if (!(job->expect & CLI_EXPECT_DEADLOCK_FREE))
        return true;
    if (x->verdict != EC_VERDICT_FAIL) {
        x->verdict = met ? EC_VERDICT_PASS : EC_VERDICT_FAIL;
        x->detail[0] = met ? x->detail[0] : '\0';
    }
    if (!met)
        ec_append(x->detail, sizeof x->detail, "%sdeadlock possible: %s", *x->detail ? "; " : "",
                  ec_answer_name(possible));
    return met;
}

struct ec_result_details cli_run_details(const struct cli_run_result *r)
{
    return (struct ec_result_details){
        .command = r->job->command,
        .shape_key = r->shape_key,
        .wave = r->traces->has_wave ? r->job->wave : NULL,
        .page = r->traces->has_page ? r->job->report : NULL,
        .expected = &r->expect,
        .warning = &r->warning,
        .bounds = &r->bounds,
    };
}

/* --- Lists --------------------------------------------------------------------------------------
 */

void cli_text_summary(const size_t *counts, size_t total, size_t done, FILE *out)
{
    static const struct {
        enum cli_status status;
        const char *word;
    } words[] = {
        {CLI_OK, "passed"},
        {CLI_FAILED, "failed"},
        {CLI_UNSTABLE, "unstable or too short"},
        {CLI_DEADLOCK, "deadlocked"},
        {CLI_STOPPED, "stopped"},
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
