/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a mutation score: make the mutants, compile their groups, judge the unmutated
 * router, then every mutant in a process of its own.
 *
 * Knows the pool of workers; must not know what a judge does. */
#include "program/mutate/mutate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "program/runs/pool.h"
#include "terminal/interrupt.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What the pools of this file share. */
struct work {
    struct mutate *m;
    struct ec_vitals *vitals;     /* in a worker: its own */
    volatile unsigned char *asks; /* [mutants.count + groups] shared with the workers: the judge
                                     that an item is with */
    enum ec_code code;            /* EC_OK, or why an item could not be done: */
    struct ec_error error;
};

static void watch(void *context, struct ec_vitals *vitals)
{
    struct work *w = context;
    w->vitals = vitals;
    for (unsigned k = 0; k < 2; k++)
        ec_session_show(w->m->session, k, &vitals->pulse[k]);
}

static enum ec_code run_pool(struct work *w, struct cli_pool *pool, bool list,
                             struct ec_error *reterr)
{
    pool->jobs = w->m->job->jobs;
    pool->progress = w->m->progress;
    pool->context = w;
    pool->watched = watch;
    pool->list = list;
    enum ec_code code = cli_pool_run(pool, reterr);
    cli_progress_erase(w->m->progress);
    if (code == EC_OK && w->code != EC_OK)
        code = ec_fail(reterr, w->code, "%s", w->error.message);
    if (code == EC_OK && cli_interrupted())
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    return code;
}

/* --- Compiled routers ------------------------------------------------------------------------- */

/* Item 2 g + k: group g, 0 for the unmutated router; k = 1: with random initial state. */
static void compile(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct work *w = context;
    (void)out;
    reply->code = mutate_load(w->m, item / 2, item % 2, &reply->error);
}

static bool compiled(void *context, const struct cli_pool_result *result)
{
    struct work *w = context;
    if (result->reply->code != EC_OK) {
        w->code = result->reply->code;
        w->error = result->reply->error;
    }
    return w->code == EC_OK;
}

/* In workers, several at a time; then this process loads them for all workers to come. */
static enum ec_code compile_all(struct mutate *m, struct ec_error *reterr)
{
    struct work w = {.m = m};
    const size_t count = 2 * (m->mutants.groups + 1);
    struct cli_pool pool = {.count = count, .what = "router", .work = compile, .done = compiled};
    enum ec_code code = run_pool(&w, &pool, true, reterr);
    for (size_t i = 0; i < count && code == EC_OK; i++)
        code = mutate_load(m, i / 2, i % 2, reterr);
    return code;
}

/* --- The unmutated router --------------------------------------------------------------------- */

/* Item 0 is the trial, the others are the rows. */
static void expect(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct work *w = context;
    if (item == 0) {
        reply->code = w->m->asked[MUTATE_TILE]
                          ? mutate_expect_modes(w->m, &w->vitals->pulse[0], out, &reply->error)
                          : EC_OK;
        return;
    }
    struct regress_line l = w->m->rows.lines[item - 1];
    cli_progress_say(w->m->progress, "%s", l.text);
    reply->code = mutate_expect_row(w->m, &l, &reply->error);
    fwrite(&l.is, sizeof l.is, 1, out);
}

static bool expected(void *context, const struct cli_pool_result *result)
{
    struct work *w = context;
    struct mutate *m = w->m;
    const struct cli_reply *reply = result->reply;
    struct regress_result *was = result->item > 0 ? &m->rows.lines[result->item - 1].was : NULL;
    if (reply->code == EC_OK && was && result->size == sizeof *was)
        memcpy(was, result->bytes, sizeof *was);
    else if (reply->code == EC_OK && !was && result->size < sizeof m->modes)
        memcpy(m->modes, result->bytes, result->size + 1);
    if (reply->code == EC_INTERRUPTED || (reply->code != EC_OK && !was)) {
        w->code = reply->code == EC_INTERRUPTED ? reply->code : EC_CONTRACT;
        ec_fail(&w->error, w->code, "the unmutated router fails: %s", reply->error.message);
    }
    return w->code == EC_OK;
}

/* Of rows that the unmutated router does not deliver nothing can be learnt of a mutant. */
static void drop_failed_rows(struct regress_file *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].was.known && regress_delivered(&f->lines[i].was))
            f->lines[kept++] = f->lines[i];
        else
            free(f->lines[i].text);
    }
    f->count = f->runs = kept;
}

static enum ec_code expect_all(struct mutate *m, struct ec_error *reterr)
{
    struct work w = {.m = m};
    enum ec_code code =
        m->asked[MUTATE_ROWS] || m->asked[MUTATE_LOCKSTEP] ? mutate_rows(m, reterr) : EC_OK;
    struct cli_pool pool = {
        .count = 1 + m->rows.count, .what = "check", .work = expect, .done = expected};
    if (code == EC_OK)
        code = run_pool(&w, &pool, true, reterr);
    drop_failed_rows(&m->rows);
    return code;
}

/* --- The mutants ------------------------------------------------------------------------------ */

/* The first items are mutant 0 of each group. */
static uint32_t number_of(const struct mutate *m, size_t item, size_t *ret_group)
{
    const size_t groups = m->mutants.groups;
    const uint32_t number = item < groups ? 0 : (uint32_t)(item - groups) + 1;
    *ret_group = item < groups ? item + 1 : ec_mutants_group(&m->mutants, number);
    return number;
}

static void judge(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct work *w = context;
    struct mutate_result result;
    size_t group;
    const uint32_t number = number_of(w->m, item, &group);
    cli_progress_say(w->m->progress, "mutant %u", number);
    reply->code = mutate_judge(w->m, group, number, &w->vitals->pulse[0], &w->asks[item], &result,
                               &reply->error);
    fwrite(&result, sizeof result, 1, out);
}

/* The RTL ended the worker: a crash, or a cycle without an end. */
static void take_death(const struct work *w, const struct cli_pool_result *result,
                       struct mutate_result *ret)
{
    *ret = (struct mutate_result){
        .known = true, .killed = true, .judge = (enum mutate_judge)w->asks[result->item]};
    snprintf(ret->why, sizeof ret->why, "%s", result->death);
}

static bool judged(void *context, const struct cli_pool_result *result)
{
    struct work *w = context;
    struct mutate *m = w->m;
    struct mutate_result r = {0};
    size_t group;
    const uint32_t number = number_of(m, result->item, &group);
    if (result->death)
        take_death(w, result, &r);
    else if (result->reply->code == EC_OK && result->size == sizeof r)
        memcpy(&r, result->bytes, sizeof r);
    else
        w->code = ec_fail(&w->error, result->reply->code, "mutant %u: %s", number,
                          result->reply->error.message);
    if (number > 0)
        m->results[number - 1] = r;
    else if (r.killed)
        w->code =
            ec_fail(&w->error, EC_INTERNAL,
                    "the netlist of group %zu is not the router: without a mutation, %s sees: "
                    "%s",
                    group, mutate_judges[r.judge].word, r.why);
    return w->code == EC_OK;
}

static enum ec_code judge_all(struct mutate *m, struct ec_error *reterr)
{
    struct work w = {.m = m};
    struct cli_pool pool = {.count = m->mutants.groups + m->mutants.count,
                            .fresh = true, /* routers read the number of a mutant once */
                            .what = "mutant",
                            .work = judge,
                            .done = judged};
    const double begin = now();
    m->results = calloc(m->mutants.count, sizeof *m->results);
    void *shared =
        mmap(NULL, pool.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!m->results || shared == MAP_FAILED)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->mutants.count);
    w.asks = shared;
    const enum ec_code code = run_pool(&w, &pool, true, reterr);
    munmap(shared, pool.count);
    m->seconds = now() - begin;
    return code;
}

/* For those who look into them: their numbers, one a line. */
static enum ec_code write_survivors(const struct mutate *m, struct ec_error *reterr)
{
    char path[PATH_MAX];
    struct ec_output o;
    enum ec_code code =
        ec_path(path, sizeof path, reterr, "%s/" EC_MUTANTS_SURVIVORS, m->mutants.folder);
    if (code == EC_OK)
        code = ec_output_open(&o, NULL, path, NULL, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < m->mutants.count; i++) {
        if (m->results[i].known && !m->results[i].killed)
            fprintf(o.file, "%u\n", m->mutants.at[i].number);
    }
    return ec_output_commit(&o, reterr);
}

/* --- The steps -------------------------------------------------------------------------------- */

/* "a.sv,b.sv" as a list, whose text is at its first name. NULL: out of memory. */
static char **split(const char *files)
{
    size_t count = 1;
    for (const char *c = files; *c; c++)
        count += *c == ',';
    char **list = calloc(count + 1, sizeof *list);
    char *text = strdup(files);
    for (size_t i = 0; list && text && i < count; i++)
        list[i] = strsep(&text, ",");
    if (list && !list[0]) {
        free(list);
        list = NULL;
    }
    return list;
}

/* In a worker, because the progress of this process would interrupt the wait for Yosys. */
static void make(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct work *w = context;
    const struct cli_job *job = w->m->job;
    const struct ec_case *c = w->m->plain;
    struct ec_mutants made = {0};
    struct ec_mutants_request q = {.folder = job->folder,
                                   .top = job->spec.top,
                                   .build = job->spec.build,
                                   .count = job->count,
                                   .seed = job->spec.seed};
    char **files = job->spec.rtl ? split(job->spec.rtl) : NULL;
    (void)item;
    q.rtl = (const char *const *)files;
    cli_progress_say(w->m->progress, "making %u mutants", job->count);
    reply->code = job->spec.rtl && !files
                      ? ec_fail(&reply->error, EC_MEMORY, "out of memory")
                      : ec_shape_choose(&c->topology, &c->router, &q.shape, &reply->error);
    if (reply->code == EC_OK)
        reply->code = ec_mutants_make(&q, &made, &reply->error);
    fwrite(&made, sizeof made, 1, out);
    if (made.at)
        fwrite(made.at, sizeof *made.at, made.count, out);
    ec_mutants_free(&made);
    if (files)
        free(files[0]);
    free(files);
}

static bool made(void *context, const struct cli_pool_result *result)
{
    struct work *w = context;
    struct ec_mutants got;
    w->code = result->reply->code;
    w->error = result->reply->error;
    if (w->code != EC_OK)
        return false;
    memcpy(&got, result->bytes, sizeof got);
    got.at = malloc(got.count * sizeof *got.at);
    if (got.at)
        memcpy(got.at, result->bytes + sizeof got, got.count * sizeof *got.at);
    else
        w->code = ec_fail(&w->error, EC_MEMORY, "out of memory for %zu mutants", got.count);
    w->m->mutants = got;
    return true;
}

static enum ec_code make_all(struct mutate *m, struct ec_error *reterr)
{
    struct work w = {.m = m};
    struct cli_pool pool = {.count = 1, .work = make, .done = made};
    return run_pool(&w, &pool, false, reterr);
}

static enum ec_code name_groups(struct mutate *m, struct ec_error *reterr)
{
    char text[2 * PATH_MAX];
    enum ec_code code = EC_OK;
    m->rtl = calloc(m->mutants.groups, sizeof *m->rtl);
    for (size_t g = 0; g < m->mutants.groups && m->rtl && code == EC_OK; g++) {
        code = ec_mutants_rtl(&m->mutants, g + 1, text, sizeof text, reterr);
        m->rtl[g] = strdup(text);
    }
    if (code == EC_OK && (!m->rtl || !m->rtl[m->mutants.groups - 1]))
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    return code;
}

enum ec_code mutate_run(struct mutate *m, struct ec_error *reterr)
{
    enum ec_code code = ec_case_open(m->session, &m->job->spec, &m->plain, reterr);
    if (code == EC_OK)
        code = make_all(m, reterr);
    if (code == EC_OK)
        code = name_groups(m, reterr);
    if (code == EC_OK)
        code = compile_all(m, reterr);
    if (code == EC_OK)
        code = expect_all(m, reterr);
    if (code == EC_OK)
        code = judge_all(m, reterr);
    return code == EC_OK ? write_survivors(m, reterr) : code;
}

void mutate_close(struct mutate *m)
{
    for (size_t g = 0; g < m->mutants.groups && m->rtl; g++)
        free(m->rtl[g]);
    free(m->rtl);
    free(m->results);
    regress_file_close(&m->rows);
    ec_case_close(m->plain);
    ec_mutants_free(&m->mutants);
}
