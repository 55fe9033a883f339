/* SPDX-License-Identifier: Apache-2.0 */
/* Results of comparisons: the text for people, and the record. Decides what to print; computes
 * nothing. */
#include <inttypes.h>

#include "paths.h"
#include "program/report/keys.def"
#include "program/report/report.h"
#include "result/parameters.h"
#include "result/records.h"

/* --- Text ------------------------------------------------------------------------------------- */

static void put_compared_verdict(const struct cli_compared *r, const char *word,
                                 const struct cli_style *s, FILE *out)
{
    const enum cli_paint paint = r->status == CLI_OK            ? CLI_GOOD
                                 : r->status == CLI_INTERRUPTED ? CLI_WARM
                                                                : CLI_BAD;
    fprintf(out, "%s%s%s  %s %s  %s, %s  ", cli_paint(s, paint), word, cli_unpaint(s),
            r->c->topology_text, r->c->workload->text, r->side[0], r->side[1]);
}

static void put_divergence(const struct cli_compared *r, FILE *out)
{
    const struct ec_divergence *d = &r->cycles->divergence;
    fprintf(out, "cycle %" PRIu64 ", %s: %s\n", d->cycle, d->place, ec_compared_name(d->field));
    fprintf(out, "  differs     %s\n", ec_compared_text(d->field));
    for (unsigned k = 0; k < 2; k++)
        fprintf(out, "    %c %-9s %s\n", (char)('A' + k), r->side[k], d->text[k]);
    if (d->packets[0][0] || d->packets[1][0])
        fprintf(out, "  packets     %s%s%s\n", d->packets[0],
                d->packets[0][0] && d->packets[1][0] ? ", " : "", d->packets[1]);
}

static void put_compared_waves(const struct cli_compared *r, FILE *out)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ec_compare_wave *w = &r->cycles->wave[k];
        if (w->path[0])
            fprintf(out, "  wave of %c   %s: cycles %" PRIu64 " to %" PRIu64 "\n", (char)('A' + k),
                    w->path, w->first, w->last);
        cli_wave_text(w->path, out);
        if (w->note[0])
            fprintf(out, "  wave of %c   %s\n", (char)('A' + k), w->note);
    }
}

static void put_lockstep(const struct cli_compared *r, bool brief, const struct cli_style *s,
                         FILE *out)
{
    const struct ec_comparison *c = r->cycles;
    if (c->divergence.found) {
        put_compared_verdict(r, "DIFFER", s, out);
        put_divergence(r, out);
        put_compared_waves(r, out);
        return;
    }
    put_compared_verdict(r,
                         r->status == CLI_OK        ? "AGREE"
                         : c->agree && c->detail[0] ? "BROKEN"
                                                    : "PARTIAL",
                         s, out);
    fprintf(out, "%" PRIu64 " cycles, %" PRIu64 " words%s\n", c->cycles, c->words,
            c->outcome == EC_RUN_DEADLOCK      ? ", then nothing moves on either side"
            : c->outcome == EC_RUN_LIMIT       ? ", stopped by --cycles"
            : c->outcome == EC_RUN_INTERRUPTED ? ", interrupted"
                                               : "");
    if (c->detail[0])
        fprintf(out, "  %s\n", c->detail);
    if (!brief)
        fprintf(out,
                "  compared    %s of %" PRIu64 " router-cycles (in all others nothing was on any "
                "channel), %.1f M router-cycles/s\n",
                c->taps ? "words, credits and taps" : "words and credits (a side has no taps)",
                c->compared, c->router_cycles_per_second / 1e6);
}

static void put_compared_report(const struct cli_compared *r, unsigned k, bool brief, FILE *out)
{
    const struct ec_report *report = r->report[k];
    const char side = (char)('A' + k);
    if (!brief)
        fprintf(out, "    %c %-10s%" PRIu64 " cycles, latency mean %.1f max %" PRIu64 "\n", side,
                r->side[k], report->cycles, report->packet_latency.mean,
                report->packet_latency.max);
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        if (report->checks[i].verdict == EC_VERDICT_FAIL)
            fprintf(out, "    %c FAIL %s: %s\n", side, ec_check_name(i), report->checks[i].detail);
    }
    if (!brief)
        cli_text_waiting(report, false, out);
}

/* Which side fails on its own, and why: the other side has no part in it. */
static void put_reasons(const struct cli_compared *r, FILE *out)
{
    for (unsigned k = 0; k < 2; k++) {
        if (r->reason[k][0])
            fprintf(out, "  side %c fails  %s\n", (char)('A' + k), r->reason[k]);
    }
}

static void put_packet(const struct ec_delivery_comparison *d, unsigned side, FILE *out)
{
    fprintf(out, "    %c           ", (char)('A' + side));
    if (d->words[side])
        fprintf(out, "%" PRIu32 " words, created in cycle %" PRIu64 "\n", d->words[side],
                d->created[side]);
    else
        fputs("not delivered\n", out);
}

static void put_deliveries(const struct cli_compared *r, bool brief, const struct cli_style *s,
                           FILE *out)
{
    const struct ec_delivery_comparison *d = &r->deliveries;
    const struct ec_report *a = r->report[0], *b = r->report[1];
    put_compared_verdict(r,
                         r->status == CLI_OK            ? "SAME DELIVERIES"
                         : r->status == CLI_INTERRUPTED ? "PARTIAL"
                         : d->found                     ? "DIFFER"
                                                        : "BROKEN",
                         s, out);
    fprintf(out, "%" PRIu64 " and %" PRIu64 " packets, %" PRIu64 " and %" PRIu64 " cycles\n",
            a->packets, b->packets, a->cycles, b->cycles);
    put_reasons(r, out);
    if (d->found) {
        fprintf(out, "  differs     packet number %zu from node %" PRIu32 " to node %" PRIu32 "\n",
                d->index, d->src, d->dst);
        put_packet(d, 0, out);
        put_packet(d, 1, out);
    } else if (d->only[0] + d->only[1] > 0) {
        fprintf(out,
                "  the same    %" PRIu64 " packets; %" PRIu64 " more of A and %" PRIu64
                " of B, which the other side had not sent when its sources stopped\n",
                d->common, d->only[0], d->only[1]);
    }
    for (unsigned k = 0; k < 2; k++)
        put_compared_report(r, k, brief, out);
}

void cli_text_compare(const struct cli_compared *r, bool brief, const struct cli_style *s,
                      FILE *out)
{
    if (r->died[0]) {
        put_compared_verdict(r, "BROKEN", s, out);
        fprintf(out, "the process of the comparison died\n  %s\n", r->died);
    } else if (r->cycles) {
        put_lockstep(r, brief, s, out);
    } else {
        put_deliveries(r, brief, s, out);
    }
}

/* --- The record ------------------------------------------------------------------------------- */

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
    return RECORD(DIVERGENCE_KEYS);
}

static json_t *compared_wave(const struct ec_compare_wave *w)
{
    return RECORD(WAVE_KEYS);
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
            list = record_append(list, result_check(ec_check_name(i), c->verdict, c->detail));
    }
    return list;
}

static json_t *deliveries(const struct cli_compared *r)
{
    const struct ec_delivery_comparison *d = &r->deliveries;
    return RECORD(DELIVERIES_KEYS);
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
        return record_text(result_outcome_name(r->cycles->outcome));
    return record_text(r->died[0] ? result_outcome_name(EC_RUN_BROKEN) : NULL);
}

const struct record_key cli_compare_keys[] = RECORD_KEYS(COMPARE_KEYS);

json_t *cli_record_compare(const struct cli_compared *r)
{
    const struct ec_case *c = r->c;
    const struct ec_comparison *x = r->cycles;
    return RECORD(COMPARE_KEYS);
}
