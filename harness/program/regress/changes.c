/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a regression: text for people, JUnit XML, JSON and CSV. keys.def defines the keys.
 * Must not know how a row is run or judged. */
#include "base/file.h"
#include "program/regress/regress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "program/report/keys.def"
#include "terminal/style.h"

/* --- A change in words ------------------------------------------------------------------------ */

static const char *better(bool less)
{
    return less ? "better" : "worse";
}

static void say_numbers(char *buffer, size_t size, const struct regress_result *was,
                        const struct regress_result *is)
{
    const size_t before = strlen(buffer);
    if (was->cycles != is->cycles)
        ec_append(buffer, size, "cycles %" PRIu64 " -> %" PRIu64 " (%+.1f %%, %s); ", was->cycles,
                  is->cycles,
                  was->cycles ? 100 * ((double)is->cycles / (double)was->cycles - 1) : 0,
                  better(is->cycles < was->cycles));
    const bool measured = was->latency[0] != '-' && is->latency[0] != '-';
    if (strcmp(was->latency, is->latency) != 0 && !measured)
        ec_append(buffer, size, "mean latency %s -> %s; ", was->latency, is->latency);
    else if (strcmp(was->latency, is->latency) != 0)
        ec_append(buffer, size, "mean latency %s -> %s (%s); ", was->latency, is->latency,
                  better(strtod(is->latency, NULL) < strtod(was->latency, NULL)));
    if (was->taps && is->taps && was->contended != is->contended)
        ec_append(buffer, size, "contended %" PRIu64 " -> %" PRIu64 " (%s); ", was->contended,
                  is->contended, better(is->contended < was->contended));
    else if (was->taps != is->taps)
        ec_append(buffer, size, "taps %s; ", is->taps ? "added" : "removed");
    if (strlen(buffer) == before && was->digest != is->digest)
        ec_append(buffer, size, "the same cycles in all, but words arrive in others; ");
}

/* One sentence on a changed run. */
static void describe(const struct regress_line *l, char *buffer, size_t size)
{
    const struct regress_result *was = &l->was, *is = &l->is;
    buffer[0] = '\0';
    if (is->died) {
        ec_append(buffer, size, "%s", l->detail);
        return;
    }
    if (regress_limited(l)) {
        ec_append(buffer, size, "%s, %" PRIu64 " cycles, mean latency %s", is->verdict, is->cycles,
                  is->latency);
        if (l->limits.cycles > 0)
            ec_append(buffer, size, "; expected at most %" PRIu64 " cycles", l->limits.cycles);
        if (l->limits.latency > 0)
            ec_append(buffer, size, "; expected a latency of at most %g", l->limits.latency);
        ec_append(buffer, size, "%s%s", l->detail[0] ? "; " : "", l->detail);
        return;
    }
    if (!was->known) {
        ec_append(buffer, size, "no result is stored: %s, %" PRIu64 " cycles%s%s", is->verdict,
                  is->cycles, l->detail[0] ? "; " : "", l->detail);
        return;
    }
    if (l->change == REGRESS_SAME)
        ec_append(buffer, size, "%s, as before; ", is->verdict);
    else if (strcmp(was->verdict, is->verdict) != 0)
        ec_append(buffer, size, "%s, was %s; ", is->verdict, was->verdict);
    else if (was->closed != is->closed || (is->closed && was->deliveries != is->deliveries))
        ec_append(buffer, size, "other deliveries; ");
    if (l->detail[0])
        ec_append(buffer, size, "%s; ", l->detail);
    if (regress_delivered(was) && regress_delivered(is)) /* else of a run that was not finished */
        say_numbers(buffer, size, was, is);
    if (ec_name_ends(buffer, "; "))
        buffer[strlen(buffer) - 2] = '\0';
}

static const char *const change_names[] = {[REGRESS_SAME] = "same",
                                           [REGRESS_NEW] = "new",
                                           [REGRESS_TIME] = "time",
                                           [REGRESS_FUNCTION] = "function"};

/* Did a row change, fail, or break an expectation? */
static bool is_reported(const struct regress_file *f, const struct regress_line *l)
{
    return l->is.known && (l->change != REGRESS_SAME || l->unexpected || regress_refused(f, l));
}

static const char *failure_name(const struct regress_line *l)
{
    return l->change == REGRESS_SAME ? "failing" : change_names[l->change];
}

/* --- Text ------------------------------------------------------------------------------------- */

const char *regress_verdict(const struct regress_file *f, bool update)
{
    const struct regress_counts n = regress_count(f);
    return n.stopped                                        ? "PARTIAL"
           : update && n.wrong + n.beyond > 0 && !f->accept ? "REFUSED"
           : update                                         ? "UPDATED"
           : n.fresh + n.time + n.function > 0              ? "CHANGED"
                                                            : "SAME";
}

void regress_text_verdict(const struct regress_file *f, const char *baseline, bool update,
                          FILE *out)
{
    const struct regress_counts n = regress_count(f);
    fprintf(out, "%s  %s  ", regress_verdict(f, update), baseline);
    if (n.stopped)
        fprintf(out, "%zu of ", n.done);
    fprintf(out, "%zu run%s: %zu as before, %zu changed in time, %zu in function", f->runs,
            f->runs == 1 ? "" : "s", n.same, n.time, n.function);
    if (n.fresh)
        fprintf(out, ", %zu without a result%s", n.fresh, update ? " before" : "");
    if (n.wrong)
        fprintf(out, "; %zu fail", n.wrong);
    if (n.differ)
        fprintf(out, "; %zu differ%s from the plain row", n.differ, n.differ == 1 ? "s" : "");
    fputc('\n', out);
}

static void put_mean(const char *label, const char *kind, const struct regress_mean *m, FILE *out)
{
    if (m->rows == 0)
        return;
    fprintf(out, "  %-10s %s rows (%zu): cycles x %.3f", label, kind, m->rows, m->cycles);
    if (m->latency > 0)
        fprintf(out, ", latency x %.3f", m->latency);
    fputc('\n', out);
}

static void put_extreme(const char *label, const struct regress_line *l, FILE *out)
{
    if (l)
        fprintf(out, "  %-10s x %.3f  %s\n", label, regress_ratio(l), l->text);
}

/* Is the router better or worse, all in all? */
static void put_summary(const struct regress_file *f, FILE *out)
{
    const struct regress_counts n = regress_count(f);
    const struct regress_summary s = regress_summarize(f);
    if (n.faster + n.slower + n.other == 0)
        return;
    fprintf(out, "  summary    %zu faster, %zu slower, %zu other change%s in time\n", n.faster,
            n.slower, n.other, n.other == 1 ? "" : "s");
    put_mean("means", "closed", &s.closed, out);
    put_mean(s.closed.rows ? "" : "means", "open-loop", &s.open, out);
    put_extreme("best", s.best, out);
    put_extreme("worst", s.worst, out);
}

void regress_text(const struct regress_file *f, FILE *out)
{
    const struct cli_style s = cli_style_of(out);
    char text[2048];
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (!is_reported(f, l))
            continue;
        describe(l, text, sizeof text);
        fprintf(out, "  %s%-8s%s  %s\n              %s\n",
                cli_paint(&s, l->change == REGRESS_FUNCTION || l->change == REGRESS_SAME
                                  ? CLI_BAD
                                  : CLI_WARM),
                failure_name(l), cli_unpaint(&s), l->text, text);
    }
    put_summary(f, out);
}

void regress_warn(const struct regress_file *f, const char *label, FILE *out)
{
    for (size_t i = 0; i < f->count; i++) {
        const char *text = f->lines[i].warning.text;
        size_t j = 0;
        while (j < i && strcmp(f->lines[j].warning.text, text) != 0)
            j++;
        if (*text && j == i)
            fprintf(out, "%s%s: %s\n", label, f->lines[i].text, text);
    }
}

/* --- JUnit XML -------------------------------------------------------------------------------- */

void regress_junit(const struct regress_file *f, const char *baseline, FILE *out)
{
    const struct regress_counts n = regress_count(f);
    char text[2048];
    double seconds = 0;
    size_t failures = 0;
    for (size_t i = 0; i < f->count; i++) {
        seconds += f->lines[i].seconds;
        failures += is_reported(f, &f->lines[i]);
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ecube regress ", out);
    ec_put_markup(baseline, true, out);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n",
            n.done + n.stopped, failures, n.stopped, seconds);
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (!l->is.known && !l->stopped)
            continue;
        fputs("  <testcase classname=\"ecube.regress\" name=\"", out);
        ec_put_markup(l->text, true, out);
        fprintf(out, "\" time=\"%.3f\"", l->seconds);
        if (!l->stopped && !is_reported(f, l)) {
            fputs("/>\n", out);
            continue;
        }
        if (l->stopped)
            snprintf(text, sizeof text, "%s", l->detail);
        else
            describe(l, text, sizeof text);
        fprintf(out, ">\n    <%s type=\"%s\" message=\"", l->stopped ? "error" : "failure",
                l->stopped ? "stopped" : failure_name(l));
        ec_put_markup(text, true, out);
        fputs("\"/>\n  </testcase>\n", out);
    }
    fputs("</testsuite>\n", out);
}

/* --- JSON and CSV ----------------------------------------------------------------------------- */

static json_t *hex(bool known, uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return record_text(known ? text : NULL);
}

/* A latency of the baseline: two decimals, or '-'. */
static json_t *latency(const struct regress_result *r)
{
    return record_real_if(r->known && !r->died && r->latency[0] != '-', strtod(r->latency, NULL));
}

static json_t *change_of(const struct regress_line *l)
{
    return record_text(l->stopped ? "stopped" : l->is.known ? change_names[l->change] : NULL);
}

static json_t *explained(const struct regress_file *f, const struct regress_line *l)
{
    char text[2048];
    if (l->stopped)
        return record_text(l->detail);
    if (!is_reported(f, l))
        return json_null();
    describe(l, text, sizeof text);
    return record_text(text);
}

static json_t *row_record(const struct regress_file *f, const struct regress_line *l)
{
    const struct regress_result *was = &l->was, *is = &l->is;
    const bool ended = is->known && !is->died;
    return RECORD(REGRESS_ROW_KEYS);
}

static json_t *rows(const struct regress_file *f)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < f->count; i++) {
        if (f->lines[i].is_run)
            list = record_append(list, row_record(f, &f->lines[i]));
    }
    return list;
}

static json_t *mean_record(const struct regress_mean *m)
{
    return RECORD(REGRESS_MEAN_KEYS);
}

static json_t *verdict_record(const struct regress_file *f, bool update)
{
    char word[16];
    snprintf(word, sizeof word, "%s", regress_verdict(f, update));
    for (char *c = word; *c; c++)
        *c = (char)(*c | 0x20); /* to lower case */
    return record_text(word);
}

bool regress_json(const struct regress_file *f, const char *baseline, bool update, FILE *out)
{
    const struct regress_counts n = regress_count(f);
    const struct regress_summary s = regress_summarize(f);
    json_t *record = RECORD(REGRESS_KEYS);
    const bool good = record && record_print_json(record, false, out);
    json_decref(record);
    return good;
}

bool regress_csv(const struct regress_file *f, FILE *out)
{
    static const struct record_key keys[] = RECORD_KEYS(REGRESS_ROW_KEYS);
    json_t *list = rows(f);
    const bool good = list && record_print_rows(keys, NULL, list, out);
    json_decref(list);
    return good;
}
