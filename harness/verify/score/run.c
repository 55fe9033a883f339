/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a mutation score. Every mutant is judged in a process of its own, and its result is
 * kept in the journal of the folder.
 *
 * Knows the pool of workers; must not know what a judge does. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/list.h"
#include "program/report/report.h"
#include "terminal/interrupt.h"

/* --- The mutants ------------------------------------------------------------------------------ */

/* The first items are mutant 0 of each group. */
static uint32_t number_of(const struct mutate_work *w, size_t item, size_t *ret_group)
{
    const struct mutate *m = w->m;
    const size_t groups = m->mutants.groups;
    const uint32_t number = item < groups ? 0 : m->numbers[w->at[item - groups]];
    *ret_group = item < groups ? item + 1 : ec_mutants_group(&m->mutants, number);
    return number;
}

static void judge(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct mutate_work *w = context;
    struct mutate_result result;
    size_t group;
    const uint32_t number = number_of(w, item, &group);
    cli_progress_say(w->m->progress, "mutant %u", number);
    reply->code = mutate_judge(w->m, group, number, &w->vitals->pulse[0], &w->asks[item], &result,
                               &reply->error);
    reply->final = true;
    fwrite(&result, sizeof result, 1, out);
}

/* The RTL crashed its worker; or a cycle took too long, which proves nothing. */
static struct mutate_result result_of_death(const struct mutate_work *w,
                                            const struct cli_pool_result *result)
{
    struct mutate_result r = {.fate = result->late ? MUTATE_NOT_JUDGED : MUTATE_KILLED,
                              .judge = (enum mutate_judge)w->asks[result->item]};
    for (enum mutate_judge k = 0; k <= r.judge; k++)
        r.asked |= (unsigned)w->m->asking[k] << k;
    snprintf(r.why, sizeof r.why, "%s", result->death);
    return r;
}

static struct mutate_result result_of(const struct mutate_work *w,
                                      const struct cli_pool_result *result)
{
    struct mutate_result r = {.fate = MUTATE_PENDING};
    if (result->death)
        return result_of_death(w, result);
    if (result->reply->code == EC_OK && result->size == sizeof r)
        memcpy(&r, result->bytes, sizeof r);
    else if (!cli_interrupted()) {
        r.fate = MUTATE_NOT_JUDGED;
        snprintf(r.why, sizeof r.why, "%s", result->reply->error.message);
    }
    return r;
}

/* Mutant 0 must survive: otherwise no verdict on its group means anything. */
static enum ec_code check_scheme(struct mutate_work *w, size_t group, const struct mutate_result *r,
                                 enum ec_code code)
{
    w->sound[group - 1] = r->fate == MUTATE_SURVIVED;
    if (r->fate == MUTATE_KILLED)
        return ec_fail(&w->error, EC_INTERNAL,
                       "the netlist of group %zu is not the router: without a mutation, %s sees: "
                       "%s",
                       group, mutate_judges[r->judge].word, r->why);
    if (r->fate == MUTATE_NOT_JUDGED)
        return ec_fail(&w->error, code, "the netlist of group %zu without a mutation: %s", group,
                       r->why);
    return EC_OK;
}

/* Of the first judges, or of further ones, which ask about survivors only. */
static void take_result(struct mutate_result *to, const struct mutate_result *r)
{
    const struct mutate_result before = *to;
    if (r->fate == MUTATE_PENDING)
        return;
    *to = *r;
    to->asked |= before.asked;
    to->seconds += before.seconds;
}

static bool judged(void *context, const struct cli_pool_result *result)
{
    struct mutate_work *w = context;
    struct mutate *m = w->m;
    size_t group;
    const uint32_t number = number_of(w, result->item, &group);
    const struct mutate_result r = result_of(w, result);
    if (r.fate == MUTATE_NOT_JUDGED && m->failure.code == EC_OK)
        m->failure = result->reply->error;
    if (number == 0)
        w->code = check_scheme(w, group, &r, result->reply->code);
    else if (w->sound[group - 1])
        take_result(&m->results[w->at[result->item - m->mutants.groups]], &r);
    return w->code == EC_OK;
}

/* A result of the judges. */
static struct cli_journal_key key_of(const struct mutate_work *w, size_t item)
{
    const struct mutate *m = w->m;
    const char *asked[MUTATE_JUDGES];
    char how[100];
    size_t group;
    const uint32_t number = number_of(w, item, &group);
    for (enum mutate_judge k = 0; k < MUTATE_JUDGES; k++)
        asked[k] = m->asking[k] ? mutate_judges[k].word : "";
    snprintf(how, sizeof how, "judge %s%s %s %s%s", m->brief ? "brief " : "", asked[MUTATE_TILE],
             asked[MUTATE_ROWS], asked[MUTATE_LOCKSTEP],
             m->job->allow_starvation ? " with starvation" : "");
    return mutate_key(m, how, group, number);
}

/* The keys of all items; NULL: out of memory. */
static struct cli_journal_key *find_keys(const struct mutate_work *w, size_t count)
{
    const struct mutate *m = w->m;
    struct cli_journal_key *keys = calloc(count, sizeof *keys);
    size_t found = 0;
    for (size_t i = 0; keys && i < count; i++) {
        const void *bytes;
        size_t size;
        keys[i] = key_of(w, i);
        found += cli_journal_find(m->journal, &keys[i], &bytes, &size);
    }
    if (keys && m->job->resume && !m->job->quiet)
        fprintf(stderr, "ecube: %zu of %zu results of the %s come from %s%s\n", found, count,
                m->brief ? "brief tile check" : "judges", cli_journal_path(m->journal),
                cli_journal_count(m->journal) > 0 ? "" : ", which was empty or missing");
    return keys;
}

/* Let the judges of m->asking judge those mutants that no other one has killed. */
static enum ec_code judge_some(struct mutate *m, struct ec_error *reterr)
{
    struct mutate_work w = {.m = m};
    struct cli_pool pool = {.count = m->mutants.groups,
                            .fresh = true, /* routers read the number of a mutant once */
                            .what = "mutant",
                            .work = judge,
                            .done = judged,
                            .journal = m->journal};
    struct cli_journal_key *keys = NULL;
    struct ec_arrays arrays = {0};
    size_t *at;
    w.at = EC_ARRAY(&arrays, at, m->chosen);
    EC_ARRAY(&arrays, w.sound, m->mutants.groups);
    for (size_t i = 0; at && i < m->chosen; i++) {
        const enum mutate_fate fate = m->results[i].fate;
        if (fate == MUTATE_PENDING || fate == MUTATE_SURVIVED)
            at[pool.count++ - m->mutants.groups] = i;
    }
    if (!arrays.memory_short)
        keys = find_keys(&w, pool.count);
    void *shared =
        mmap(NULL, pool.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum ec_code code = EC_OK;
    if (!keys || shared == MAP_FAILED)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->chosen);
    pool.keys = keys;
    w.asks = shared;
    if (code == EC_OK && pool.count > m->mutants.groups)
        code = mutate_pool(&w, &pool, reterr);
    if (shared != MAP_FAILED)
        munmap(shared, pool.count);
    free(keys);
    ec_arrays_free(&arrays);
    return code;
}

/* A brief tile check kills most mutants in a second. */
static enum ec_code judge_all(struct mutate *m, struct ec_error *reterr)
{
    const double begin = ec_clock(CLOCK_MONOTONIC);
    enum ec_code code = EC_OK;
    m->results = calloc(m->chosen, sizeof *m->results);
    if (!m->results)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->chosen);
    m->brief = m->asking[MUTATE_TILE] = m->asked[MUTATE_TILE];
    if (m->brief)
        code = judge_some(m, reterr);
    m->brief = false;
    memcpy(m->asking, m->asked, sizeof m->asking);
    if (code == EC_OK)
        code = judge_some(m, reterr);
    m->interrupted = code == EC_INTERRUPTED;
    for (size_t i = 0; i < m->chosen && m->interrupted; i++) {
        struct mutate_result *r = &m->results[i];
        if (r->fate == MUTATE_SURVIVED && !r->whole)
            *r = (struct mutate_result){.fate = MUTATE_PENDING};
    }
    if (m->interrupted && mutate_score(m).mutants > 0)
        code = EC_OK;
    m->seconds = ec_clock(CLOCK_MONOTONIC) - begin;
    return code;
}

/* --- The steps -------------------------------------------------------------------------------- */

/* Before anything is written to the folder: no other process may use it. */
static enum ec_code open_journal(struct mutate *m, struct ec_error *reterr)
{
    char path[PATH_MAX];
    m->made_folder = access(m->job->folder, F_OK) != 0;
    enum ec_code code = ec_folder_make(m->job->folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_SCORE, m->job->folder);
    return code == EC_OK ? cli_journal_open(path, m->job->resume, &m->journal, reterr) : code;
}

static void close_journal(struct mutate *m, bool complete)
{
    const size_t count = m->journal ? cli_journal_count(m->journal) : 0;
    if (count > 0 && !complete && !m->job->quiet)
        fprintf(stderr, "ecube: %zu result%s of judges kept in %s: --resume continues from there\n",
                count, cli_plural(count), cli_journal_path(m->journal));
    cli_journal_close(m->journal, false, false); /* --resume finds all of it */
    m->journal = NULL;
}

enum ec_code mutate_run(struct mutate *m, struct ec_error *reterr)
{
    enum ec_code code = ec_case_open(m->session, &m->job->spec, &m->plain, reterr);
    if (code == EC_OK)
        code = open_journal(m, reterr);
    if (code == EC_OK)
        code = mutate_make(m, reterr);
    if (code == EC_OK)
        code = mutate_compile(m, reterr);
    if (code == EC_OK)
        code = mutate_expect(m, reterr);
    if (code == EC_OK)
        code = judge_all(m, reterr);
    close_journal(m, code == EC_OK && !m->interrupted);
    if (code != EC_OK && m->made_folder) /* it is empty without Yosys */
        rmdir(m->job->folder);
    return code;
}

void mutate_close(struct mutate *m)
{
    for (size_t g = 0; g < m->mutants.groups && m->rtl; g++)
        free(m->rtl[g]);
    for (size_t i = 0; i < m->dropped_count; i++)
        free(m->dropped[i].row);
    free(m->dropped);
    free(m->rtl);
    free(m->numbers);
    free(m->results);
    regress_file_close(&m->rows);
    ec_case_close(m->plain);
    ec_mutants_free(&m->mutants);
}
