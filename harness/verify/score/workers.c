/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of a mutation score share: their workers, and the keys of results in the journal
 * of the folder. Must not know what is done in them. */
#include "score/score.h"

#include <stdlib.h>

#include "terminal/interrupt.h"

static void watch(void *context, struct ec_vitals *vitals)
{
    struct mutate_work *w = context;
    w->vitals = vitals;
}

enum ec_code mutate_pool(struct mutate_work *w, struct cli_pool *pool, struct ec_error *reterr)
{
    pool->jobs = w->m->job->jobs;
    pool->progress = w->m->progress;
    pool->session = w->m->session;
    pool->context = w;
    pool->watched = watch;
    pool->list = true;
    enum ec_code code = cli_pool_run(pool, reterr);
    cli_progress_erase(w->m->progress);
    if (code == EC_OK && w->code != EC_OK)
        code = ec_fail(reterr, w->code, "%s", w->error.message);
    if (code == EC_OK && cli_interrupted())
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    return code;
}

/* The words, and the contents of the files. */
struct cli_journal_key mutate_key(const struct mutate *m, const char *how, size_t group,
                                  uint32_t number)
{
    const struct ec_case_spec *spec = &m->job->spec;
    struct cli_journal_key key = {0};
    struct cli_files files = {0};
    struct cli_job job = *m->job;
    char *words = NULL;
    cli_job_files(m->job, 0, &files);
    job.spec.rtl = m->rtl[group - 1];
    job.spec.build = NULL;
    cli_job_files(&job, 0, &files);
    if (asprintf(&words, "%s, group %zu, mutant %u: %s %s, %s, %s, seed %llu", how, group, number,
                 m->plain->topology_text, m->plain->router_text, spec->top ? spec->top : "",
                 spec->build ? spec->build : "", (unsigned long long)spec->seed) >= 0)
        key = cli_journal_key(m->journal, words, &files);
    free(words);
    cli_files_free(&files);
    return key;
}
