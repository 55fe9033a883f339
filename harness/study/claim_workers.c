/* SPDX-License-Identifier: Apache-2.0 */
/* Rows judged in worker processes, which send their findings home as JSON.
 *
 * Knows workers; must not know what is judged. */
#include "study/claim_workers.h"

#include <stdio.h>
#include <string.h>

#include "base/vitals.h"
#include "base/workers.h"

struct yard {
    const struct claims_row *const *rows;
    size_t count, done;
    const struct claims_options *options;
    const struct claims_farm *farm;
    struct claims_finding *findings;
};

/* In a worker: judge one row. Nothing written is a finding that could not be had. */
static void work(void *context, size_t item, void *shared, FILE *out)
{
    const struct yard *y = context;
    struct ec_vitals *vitals = shared;
    struct claims_options options = *y->options;
    struct claims_finding f;
    struct ec_error e;
    options.pulse = &vitals->pulse[0];
    if (claims_judge(y->rows[item], &options, &f, &e) != EC_OK)
        return;
    json_t *packed = claims_finding_pack(&f);
    if (packed)
        json_dumpf(packed, out, 0);
    json_decref(packed);
    claims_finding_close(&f);
}

static void lose(struct claims_finding *f, const struct claims_row *row, const char *why)
{
    *f = (struct claims_finding){.row = row, .verdict = CLAIMS_NOT_RUN, .commands = json_array()};
    snprintf(f->note, sizeof f->note, "%s", why);
}

static bool done(void *context, const struct ec_work_result *r)
{
    struct yard *y = context;
    struct claims_finding *f = &y->findings[r->item];
    const struct claims_row *row = y->rows[r->item];
    char why[400];
    json_t *packed = r->whole ? json_loadb(r->text, r->size, 0, NULL) : NULL;
    if (!r->whole) {
        ec_vitals_death(r, why, sizeof why);
        lose(f, row, why);
    } else if (!packed || !claims_finding_unpack(packed, row, f)) {
        lose(f, row, "out of memory");
    }
    json_decref(packed);
    y->done++;
    return true;
}

static bool go_on(void *context)
{
    const struct yard *y = context;
    return y->farm->progress(y->farm->context, y->done, y->count);
}

enum ec_code claims_farm(const struct claims_row *const *rows, size_t count,
                         const struct claims_options *options, const struct claims_farm *farm,
                         struct claims_finding *findings, struct ec_error *reterr)
{
    struct yard y = {
        .rows = rows, .count = count, .options = options, .farm = farm, .findings = findings};
    const struct ec_workers_plan plan = {
        .count = count,
        .jobs = farm->jobs < EC_WORKERS_MAX ? farm->jobs : EC_WORKERS_MAX,
        .fresh = true, /* each row begins with the networks that it asks for */
        .shared = sizeof(struct ec_vitals),
        .context = &y,
        .work = work,
        .done = done,
        .go_on = go_on,
        .alive = ec_vitals_alive};
    for (size_t i = 0; i < count; i++)
        findings[i] = (struct claims_finding){0};
    return ec_workers_run(&plan, reterr);
}
