/* SPDX-License-Identifier: Apache-2.0 */
/* Judges rows in worker processes, which return their findings as JSON.
 *
 * Knows workers; must not know how a row is judged. */
#include "claims/workers.h"

#include <stdio.h>
#include <string.h>

#include "base/workers.h"
#include "ecube/session.h"
#include "terminal/vitals.h"

/* --- Findings as JSON ------------------------------------------------------------------------- */

json_t *claims_finding_encode(const struct claims_finding *f)
{
    return json_pack("{s:i, s:b, s:I, s:s, s:s, s:s, s:s, s:s, s:f, s:O?, s:O?}", "verdict",
                     (int)f->verdict, "as_expected", (int)f->as_expected, "cases",
                     (json_int_t)f->cases, "predicted", f->predicted, "audited", f->audited,
                     "measured", f->measured, "note", f->note, "counterexample", f->counterexample,
                     "seconds", f->seconds, "commands", f->commands, "table", f->table);
}

bool claims_finding_decode(json_t *encoded, const struct claims_row *row,
                           struct claims_finding *ret)
{
    struct claims_finding f = {.row = row};
    const char *predicted, *audited, *measured, *note, *counterexample;
    json_t *commands, *table;
    int verdict, as_expected;
    json_int_t cases;
    if (json_unpack(encoded, "{s:i, s:b, s:I, s:s, s:s, s:s, s:s, s:s, s:F, s:o, s:o}", "verdict",
                    &verdict, "as_expected", &as_expected, "cases", &cases, "predicted", &predicted,
                    "audited", &audited, "measured", &measured, "note", &note, "counterexample",
                    &counterexample, "seconds", &f.seconds, "commands", &commands, "table",
                    &table) != 0 ||
        verdict < 0 || verdict >= CLAIMS_VERDICT_COUNT)
        return false;
    f.verdict = (enum claims_verdict)verdict;
    f.as_expected = as_expected != 0;
    f.cases = (uint64_t)cases;
    snprintf(f.predicted, sizeof f.predicted, "%s", predicted);
    snprintf(f.audited, sizeof f.audited, "%s", audited);
    snprintf(f.measured, sizeof f.measured, "%s", measured);
    snprintf(f.note, sizeof f.note, "%s", note);
    snprintf(f.counterexample, sizeof f.counterexample, "%s", counterexample);
    f.commands = json_incref(commands);
    f.table = json_is_null(table) ? NULL : json_incref(table);
    *ret = f;
    return true;
}

/* --- Workers ---------------------------------------------------------------------------------- */

struct judging {
    const struct claims_row *const *rows;
    size_t count, done;
    const struct claims_options *options;
    const struct claims_plan *plan;
    struct claims_finding *findings;
};

/* In a worker: sends {"error": message} in place of a finding. */
static void send_error(const char *message, FILE *out)
{
    json_t *error = json_pack("{s:s}", "error", message);
    if (error)
        json_dumpf(error, out, 0);
    json_decref(error);
}

/* In a worker: judges one row. */
static void judge_in_worker(void *context, size_t item, void *shared, FILE *out)
{
    const struct judging *j = context;
    struct ec_vitals *vitals = shared;
    struct claims_options options = *j->options;
    struct claims_finding f;
    struct ec_error e;
    options.pulse = &vitals->pulse[0];
    if (claims_judge(j->rows[item], &options, &f, &e) != EC_OK) {
        send_error(e.message, out);
        return;
    }
    json_t *encoded = claims_finding_encode(&f);
    if (encoded)
        json_dumpf(encoded, out, 0);
    else
        send_error("cannot encode the finding: out of memory, or a text is not UTF-8", out);
    json_decref(encoded);
    claims_finding_close(&f);
}

static void lose(struct claims_finding *f, const struct claims_row *row, const char *why)
{
    *f = (struct claims_finding){.row = row, .verdict = CLAIMS_NOT_RUN, .commands = json_array()};
    snprintf(f->note, sizeof f->note, "%s", why);
}

static bool receive_finding(void *context, const struct ec_work_result *r)
{
    struct judging *j = context;
    struct claims_finding *f = &j->findings[r->item];
    const struct claims_row *row = j->rows[r->item];
    char why[400];
    json_t *encoded = r->whole ? json_loadb(r->text, r->size, 0, NULL) : NULL;
    const char *error = json_string_value(json_object_get(encoded, "error"));
    if (!r->whole) {
        ec_vitals_death(r, why, sizeof why);
        lose(f, row, why);
    } else if (error) {
        lose(f, row, error);
    } else if (!encoded || !claims_finding_decode(encoded, row, f)) {
        lose(f, row, "cannot read the finding of the worker process");
    }
    json_decref(encoded);
    j->done++;
    return true;
}

static bool go_on(void *context)
{
    const struct judging *j = context;
    return j->plan->progress(j->plan->context, j->done, j->count);
}

enum ec_code claims_judge_all(const struct claims_row *const *rows, size_t count,
                              const struct claims_options *options, const struct claims_plan *plan,
                              struct claims_finding *findings, struct ec_error *reterr)
{
    struct judging j = {
        .rows = rows, .count = count, .options = options, .plan = plan, .findings = findings};
    const struct ec_workers_plan workers = {
        .count = count,
        .jobs = plan->jobs < EC_WORKERS_MAX ? plan->jobs : EC_WORKERS_MAX,
        .fresh = true, /* each row starts without cached networks */
        .shared = sizeof(struct ec_vitals),
        .context = &j,
        .work = judge_in_worker,
        .done = receive_finding,
        .go_on = go_on,
        .alive = ec_vitals_alive};
    for (size_t i = 0; i < count; i++)
        findings[i] = (struct claims_finding){0};
    return ec_workers_run(&workers, reterr);
}

/* --- Router shapes ---------------------------------------------------------------------------- */

/* The first word of `check` contains T if the row runs on RTL. */
static bool timed(const struct claims_row *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *t = strchr(rows[i]->check, 'T');
        if (rows[i]->experiment && t && t < rows[i]->check + 2)
            return true;
    }
    return false;
}

enum ec_code claims_prepare(const struct claims_row *const *rows, size_t count,
                            const struct claims_options *options, struct ec_error *reterr)
{
    const struct ec_session_options how = {.context = options->progress_context,
                                           .building = options->progress};
    struct ec_case_spec spec = ec_case_spec_default();
    struct ec_session *session;
    struct ec_case *c = NULL;
    struct ec_shape *shape;
    if (options->rtl || !timed(rows, count))
        return EC_OK;
    enum ec_code code = ec_session_open(&how, &session, reterr);
    if (code != EC_OK)
        return code;
    spec.topology = "cube:3";
    spec.router = "depth=4";
    code = ec_case_open(session, &spec, &c, reterr);
    if (code == EC_OK)
        code = ec_case_shape(c, &shape, reterr);
    ec_case_close(c);
    ec_session_close(session);
    return code;
}
