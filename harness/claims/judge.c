/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the cases of an experiment into a finding with a verdict.
 *
 * Knows what verdicts mean; must not know networks or any claim. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "claims/run.h"

const char *claims_verdict_text(enum claims_verdict v)
{
    static const char *const texts[] = {
#define CLAIMS_TEXT(name, text) [CLAIMS_##name] = text,
        CLAIMS_VERDICTS(CLAIMS_TEXT)
#undef CLAIMS_TEXT
    };
    return texts[v];
}

static void write_column(struct claims_run *run, enum claims_column column, char *buffer,
                         size_t size)
{
    for (size_t i = 0; i < sizeof run->spans[column] / sizeof *run->spans[column]; i++) {
        const struct claims_span *s = &run->spans[column][i];
        char text[100];
        if (!*s->what)
            break;
        if (s->low == s->high)
            snprintf(text, sizeof text, "%s %" PRIu64, s->what, s->low);
        else
            snprintf(text, sizeof text, "%s %" PRIu64 "..%" PRIu64, s->what, s->low, s->high);
        claims_append(run, buffer, size, ", ", text);
    }
}

static enum claims_verdict conclude(const struct claims_run *run)
{
    if (run->equivalent)
        return CLAIMS_UNVERIFIABLE;
    if (run->cases == 0)
        return CLAIMS_NOT_RUN;
    const bool conditional = run->conditional && run->inside > 0 &&
                             run->inside_true == run->inside && run->outside_true == 0 &&
                             run->outside + run->open > 0; /* open: not known to be true */
    if (run->true_cases < run->cases && !conditional)
        return CLAIMS_REFUTED;
    if (*run->unchecked) /* a check that could not be made is not a true statement */
        return CLAIMS_NOT_RUN;
    return conditional ? CLAIMS_CONDITIONAL : CLAIMS_HOLDS;
}

static void count_under_condition(const struct claims_run *run, size_t size, char *ret_text)
{
    char inside[48] = "the one case", outside[48] = "the one other";

    if (run->inside != 1)
        snprintf(inside, sizeof inside, "all %" PRIu64 " cases", run->inside);
    if (run->outside == 0) {
        snprintf(ret_text, size, "true in %s that %s decided", inside,
                 run->inside == 1 ? "is" : "are");
        return;
    }
    if (run->outside != 1)
        snprintf(outside, sizeof outside, "all %" PRIu64 " others", run->outside);
    snprintf(ret_text, size, "true in %s under the condition, false in %s", inside, outside);
}

static void write_note(struct claims_run *run)
{
    struct claims_finding *f = run->finding;
    char remarks[sizeof f->note], text[500] = "";
    const char *seen = *run->unchecked ? "what was checked is " : "";
    memcpy(remarks, f->note, sizeof remarks);
    *f->note = '\0';
    if (*run->broken) { /* first, so that a long note cannot displace it */
        snprintf(text, sizeof text, "INVALID: %s", run->broken);
        claims_append(run, f->note, sizeof f->note, "; ", text);
        *text = '\0';
    }
    if (*run->unchecked) {
        snprintf(text, sizeof text, "not checked: %s", run->unchecked);
        claims_append(run, f->note, sizeof f->note, "; ", text);
        *text = '\0';
    }
    if (f->verdict == CLAIMS_CONDITIONAL)
        count_under_condition(run, sizeof text, text);
    else if (run->cases > 0 && run->true_cases == run->cases)
        snprintf(text, sizeof text, "%strue in %s%" PRIu64 " case%s", seen,
                 run->cases > 1 ? "all " : "", run->cases, run->cases == 1 ? "" : "s");
    else if (run->cases > 0)
        snprintf(text, sizeof text, "false in %" PRIu64 " of %" PRIu64 " case%s",
                 run->cases - run->true_cases, run->cases, run->cases == 1 ? "" : "s");
    if (*text)
        claims_append(run, f->note, sizeof f->note, "; ", text);
    if (run->bounds > 0) {
        snprintf(text, sizeof text, "bound %s, slack %s%" PRIu64,
                 run->reached ? "reached" : "never reached", run->slack ? "up to " : "",
                 run->slack);
        claims_append(run, f->note, sizeof f->note, "; ", text);
    }
    if (run->open > 0) {
        snprintf(text, sizeof text, "open in %" PRIu64 " case%s, the smallest %s", run->open,
                 run->open == 1 ? "" : "s", run->first_open);
        claims_append(run, f->note, sizeof f->note, "; ", text);
    }
    if (*f->counterexample) {
        snprintf(text, sizeof text, "smallest counterexample: %s", f->counterexample);
        claims_append(run, f->note, sizeof f->note, "; ", text);
    }
    if (*remarks)
        claims_append(run, f->note, sizeof f->note, "; ", remarks);
}

static void add_whole(struct claims_run *run)
{
    const char *rtl = run->options->rtl;
    claims_command(run, "ecube claims %s%s%s%s%s%s", run->row->id,
                   run->options->full ? " --full" : "", rtl ? " --rtl " : "", rtl ? rtl : "",
                   rtl ? " --top " : "", rtl ? run->options->top : "");
}

static void write_commands(struct claims_run *run)
{
    const bool whole_first = *run->finding->counterexample && !run->counter_command;
    if (whole_first)
        add_whole(run);
    if (run->counter_command &&
        json_array_insert_new(run->finding->commands, 0, json_string(run->counter_command)) != 0)
        run->memory_short = true;
    if (run->inside_command)
        claims_command(run, "%s", run->inside_command);
    if (run->largest_command)
        claims_command(run, "%s", run->largest_command);
    if (!whole_first)
        add_whole(run);
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static void finish(struct claims_run *run)
{
    struct claims_finding *f = run->finding;
    const struct claims_row *row = run->row;
    f->cases = run->cases;
    f->verdict = conclude(run);
    write_column(run, CLAIMS_PREDICTED, f->predicted, sizeof f->predicted);
    write_column(run, CLAIMS_AUDITED, f->audited, sizeof f->audited);
    write_column(run, CLAIMS_MEASURED, f->measured, sizeof f->measured);
    if (f->verdict == row->expected && !same_text(f->counterexample, row->counterexample))
        claims_break(run, "unexpected counterexample: expected %s",
                     row->counterexample ? row->counterexample : "none");
    write_note(run);
    if (run->cut) /* perhaps the note itself */
        snprintf(f->note, sizeof f->note, "INVALID: %s", run->broken);
    f->as_expected = f->verdict == row->expected && !*run->broken;
    write_commands(run);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum ec_code claims_judge(const struct claims_row *row, const struct claims_options *options,
                          struct claims_finding *ret, struct ec_error *reterr)
{
    struct claims_finding f = {.row = row, .commands = json_array()};
    const double begin = now();
    if (!f.commands)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    if (!row->experiment) {
        f.verdict = CLAIMS_NOT_RUN;
        f.as_expected = true;
        snprintf(f.note, sizeof f.note, "needs %s", row->needs ? row->needs : "an experiment");
        *ret = f;
        return EC_OK;
    }
    struct claims_run run = {.row = row, .options = options, .finding = &f};
    run.runner = claims_runner_open(options);
    if (run.runner)
        row->experiment(&run);
    else
        run.memory_short = true;
    finish(&run);
    claims_runner_close(run.runner);
    free(run.command);
    free(run.counter_command);
    free(run.inside_command);
    free(run.largest_command);
    f.seconds = now() - begin;
    if (run.memory_short) {
        claims_finding_close(&f);
        return ec_fail(reterr, EC_MEMORY, "out of memory while judging %s", row->id);
    }
    *ret = f;
    return EC_OK;
}

void claims_finding_close(struct claims_finding *f)
{
    json_decref(f->commands);
    json_decref(f->table);
    *f = (struct claims_finding){0};
}
