/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of a sweep. Knows variants, rates and workers; must not know why a rate is measured or
 * what a run does. */
#include "program/sweep/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "program/runs/pool.h"
#include "program/sweep/output.h"
#include "program/sweep/point.h"
#include "program/sweep/request.h"

static enum ec_code no_memory(struct ec_error *e)
{
    return ec_fail(e, EC_MEMORY, "out of memory for a sweep");
}

/* --- A round ---------------------------------------------------------------------------------- */

/* A run of a round. */
struct task {
    size_t curve;
    struct sweep_rate rate;
    uint64_t seed, cycles; /* cycles of a replica; 0: none */
    double seconds;        /* that shorter replicas of the point took, all together */
    char *command;         /* "ecube run ..."; owned */
    struct sweep_run run;
    bool done;
};

struct tasks {
    struct task *at; /* [count], the runs of a point side by side */
    size_t count, room;
};

struct round {
    struct sweep_work *work;
    unsigned number; /* from 1 on */
    size_t planned;  /* points */
    struct tasks tasks;
    struct tasks longer; /* of points whose replicas were too short */
    enum ec_code code;   /* EC_OK, or why the round ended: */
    struct ec_error error;
};

/* All runs of a point: those of `t`, with all seeds. */
static enum ec_code add_point(struct round *r, struct tasks *to, struct task t, struct ec_error *e)
{
    const struct cli_job *job = r->work->job;
    enum ec_code code = EC_OK;
    t.done = false;
    for (unsigned k = 0; code == EC_OK && k < cli_job_runs(job); k++) {
        t.seed = job->spec.seed + k;
        t.command = sweep_run_command(&r->work->variants.at[t.curve], &t.rate, t.seed, t.cycles);
        if (!t.command || !EC_LIST_PUSH(to->at, to->count, to->room, t)) {
            free(t.command);
            code = no_memory(e);
        }
    }
    return code;
}

/* Of all replicas of a point. */
static uint64_t limit_of(const struct round *r, size_t curve)
{
    return r->work->variants.at[curve].job.spec.cycles;
}

/* All runs of the rates of a curve. The highest rates, which take longest, come first: a long run
 * at the end of a round would leave the other workers idle. */
static enum ec_code add_rates(struct round *r, size_t curve, const struct sweep_rates *rates,
                              struct ec_error *e)
{
    const unsigned replicas = r->work->job->replicas;
    enum ec_code code = EC_OK;
    for (size_t i = rates->count; code == EC_OK && i-- > 0;) {
        if (!cli_slice_has(&r->work->slice, r->planned++))
            continue;
        struct task t = {.curve = curve, .rate = rates->at[i]};
        t.cycles = replicas > 0 ? replicas_first(replicas, limit_of(r, curve)) : 0;
        code = add_point(r, &r->tasks, t, e);
    }
    return code;
}

static void free_tasks(struct tasks *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->at[i].command);
    free(t->at);
    *t = (struct tasks){0};
}

/* --- From runs to points ---------------------------------------------------------------------- */

static enum ec_code insert_point(struct sweep_curve *c, const struct sweep_point *p,
                                 struct ec_error *e)
{
    size_t at = c->point_count;
    struct sweep_point *points = realloc(c->points, (at + 1) * sizeof *points);
    if (!points)
        return no_memory(e);
    c->points = points;
    while (at > 0 && points[at - 1].rate > p->rate)
        at--;
    memmove(&points[at + 1], &points[at], (c->point_count - at) * sizeof *points);
    points[at] = *p;
    c->point_count++;
    return EC_OK;
}

/* --follow: tell who reads along. */
static enum ec_code follow(struct sweep_work *w, const struct sweep_curve *c,
                           const struct sweep_point *p, struct ec_error *e)
{
    if (!sweep_line(c, p, w->job->host_figures, w->follow))
        return no_memory(e);
    if (fflush(w->follow) != 0)
        return ec_fail(e, EC_IO, "--follow: cannot write '%.300s': %s", w->job->follow,
                       strerror(errno));
    return EC_OK;
}

/* The point of the runs from `t` on, if all of them have been done; or longer runs. */
static enum ec_code take_point(struct round *r, const struct task *t, struct ec_error *e)
{
    struct sweep_work *w = r->work;
    uint64_t longer = 0;
    const unsigned runs = cli_job_runs(w->job);
    for (unsigned k = 0; k < runs; k++) {
        if (!t[k].done)
            return EC_OK;
    }
    struct sweep_point p = {.rate = t->rate.rate,
                            .purpose = t->rate.purpose,
                            .command =
                                sweep_row_command(w->job, &w->variants.at[t->curve], &t->rate)};
    snprintf(p.rate_text, sizeof p.rate_text, "%s", t->rate.text);
    p.runs = calloc(runs, sizeof *p.runs);
    p.run_count = runs;
    for (unsigned k = 0; p.runs && k < runs; k++)
        p.runs[k] = t[k].run;
    enum ec_code code = p.runs && p.command ? EC_OK : no_memory(e);
    if (code == EC_OK) {
        sweep_point_merge(&p);
        p.row.seconds += t->seconds;
        if (t->cycles > 0)
            longer =
                sweep_point_pool(&p, sweep_variant_precision(&w->variants.at[t->curve], p.purpose),
                                 t->cycles, limit_of(r, t->curve));
        if (longer == 0)
            code = insert_point(&w->sweep.curves[t->curve], &p, e);
    }
    if (code != EC_OK || longer > 0) {
        struct task again = *t;
        again.seconds = p.row.seconds;
        sweep_point_close(&p);
        again.cycles = longer;
        return code == EC_OK ? add_point(r, &r->longer, again, e) : code;
    }
    if (p.row.state == SWEEP_FAILED) {
        w->worst = cli_status_worse(w->worst, p.row.status);
        w->failed++;
    }
    return w->follow ? follow(w, &w->sweep.curves[t->curve], &p, e) : EC_OK;
}

/* --- The runs --------------------------------------------------------------------------------- */

/* In a worker. */
static void run_task(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    const struct round *r = context;
    const struct task *t = &r->tasks.at[item];
    struct sweep_request q;
    struct sweep_run run;
    reply->code = sweep_request_open(&r->work->variants.at[t->curve], &t->rate, t->seed, t->cycles,
                                     &q, &reply->error);
    if (reply->code != EC_OK)
        return;
    cli_progress_say(r->work->progress, "%s", t->command);
    reply->code = sweep_point_run(r->work->session, &q.spec, &run, &reply->error);
    sweep_request_close(&q);
    if (reply->code != EC_OK)
        return;
    reply->whole = reply->final = true;
    fwrite(&run, sizeof run, 1, out);
}

/* A point that could not be run at all is a failed row only with --keep-going. */
static bool task_failed(struct round *r, struct task *t, const struct cli_reply *reply)
{
    r->error = reply->error;
    r->code = reply->code;
    if (!r->work->job->keep_going || reply->code == EC_INTERRUPTED)
        return false;
    t->run = sweep_run_failed(cli_status_of_error(r->code), reply->error.message, t->seed);
    r->code = EC_OK;
    return true;
}

static bool task_done(void *context, const struct cli_pool_result *result)
{
    struct round *r = context;
    struct task *t = &r->tasks.at[result->item];
    char what[sizeof t->run.detail];
    if (result->death) {
        snprintf(what, sizeof what, "%s: %.350s", ec_check_name(EC_CHECK_RTL), result->death);
        t->run = sweep_run_failed(CLI_FAILED, what, t->seed);
    } else if (result->reply->code == EC_OK && result->size == sizeof t->run) {
        memcpy(&t->run, result->bytes, sizeof t->run);
    } else if (!task_failed(r, t, result->reply)) {
        return false;
    }
    t->done = true;
    r->code = take_point(r, t - result->item % cli_job_runs(r->work->job), &r->error);
    return r->code == EC_OK;
}

/* The key of a run covers its words and the files that it reads. */
static struct cli_journal_key find_key(const struct round *r, const struct task *t)
{
    struct cli_files files = {0};
    cli_job_files(&r->work->variants.at[t->curve].job, 0, &files);
    const struct cli_journal_key key = cli_journal_key(r->work->journal, t->command, &files);
    cli_files_free(&files);
    return key;
}

/* The keys of all runs, if there is a journal. */
static enum ec_code find_keys(const struct round *r, struct cli_journal_key **ret,
                              struct ec_error *e)
{
    *ret = NULL;
    if (!r->work->journal)
        return EC_OK;
    *ret = calloc(r->tasks.count, sizeof **ret);
    if (!*ret)
        return no_memory(e);
    for (size_t i = 0; i < r->tasks.count; i++)
        (*ret)[i] = find_key(r, &r->tasks.at[i]);
    return EC_OK;
}

/* --resume: how many runs the journal has, and the first points that have to be run. */
static void tell_resumed(const struct round *r, const struct cli_journal_key *keys)
{
    enum { NAMED = 8 };
    const unsigned runs = cli_job_runs(r->work->job);
    size_t found = 0, missing = 0, size;
    char names[NAMED * 100] = "";
    for (size_t i = 0; i < r->tasks.count; i++) {
        const struct task *t = &r->tasks.at[i];
        const void *bytes;
        const bool kept = cli_journal_find(r->work->journal, &keys[i], &bytes, &size);
        found += kept;
        missing = i % runs == 0 ? 0 : missing;
        if (!kept && missing++ == 0)
            ec_append(names, sizeof names, "%s rate %s%s%.60s",
                      *names ? "," : "; to be run:", t->rate.text,
                      *r->work->variants.at[t->curve].label ? " of " : "",
                      r->work->variants.at[t->curve].label);
    }
    fprintf(stderr, "ecube: round %u: %zu of %zu runs come from %s%s%s\n", r->number, found,
            r->tasks.count, cli_journal_path(r->work->journal), found > 0 ? names : "",
            found > 0 && strlen(names) + 1 == sizeof names ? "..." : "");
}

static enum ec_code play_round(struct round *r, struct ec_error *e)
{
    struct sweep_work *w = r->work;
    struct cli_journal_key *keys;
    char what[40];
    enum ec_code code = find_keys(r, &keys, e);
    if (code == EC_OK && w->job->resume && keys && !w->job->quiet)
        tell_resumed(r, keys);
    snprintf(what, sizeof what, "round %u, run", r->number);
    const struct cli_pool pool = {.count = r->tasks.count,
                                  .jobs = w->job->jobs,
                                  .threads = w->job->spec.threads,
                                  .fresh = w->fresh,
                                  .what = what,
                                  .list = true,
                                  .progress = w->progress,
                                  .journal = w->journal,
                                  .keys = keys,
                                  .session = w->session,
                                  .bytes = cli_pool_bytes(w->nodes),
                                  .context = r,
                                  .work = run_task,
                                  .done = task_done};
    if (code == EC_OK)
        code = cli_pool_run(&pool, e);
    free(keys);
    for (size_t i = 0; i < w->sweep.curve_count; i++)
        sweep_curve_judge(&w->sweep.curves[i]);
    if (code == EC_OK && r->code != EC_OK) {
        *e = r->error;
        code = r->code;
    }
    for (size_t i = 0; code == EC_OK && i < r->tasks.count; i++) {
        if (!r->tasks.at[i].done)
            code = ec_fail(e, EC_INTERRUPTED, "interrupted");
    }
    return code;
}

/* What to bracket: the definitions of --saturation; with --rates only if it is given. */
static unsigned searches(const struct cli_job *job)
{
    static const unsigned what[] = {
        [CLI_SATURATION_DEFAULT] = SWEEP_SEARCH_BACKLOG | SWEEP_SEARCH_LATENCY,
        [CLI_SATURATION_BOTH] = SWEEP_SEARCH_BACKLOG | SWEEP_SEARCH_LATENCY,
        [CLI_SATURATION_BACKLOG] = SWEEP_SEARCH_BACKLOG,
        [CLI_SATURATION_LATENCY] = SWEEP_SEARCH_LATENCY,
        [CLI_SATURATION_NONE] = 0,
    };
    return job->rates && job->saturation == CLI_SATURATION_DEFAULT ? 0 : what[job->saturation];
}

static enum ec_code plan_round(struct round *r, struct ec_error *e)
{
    const struct sweep_work *w = r->work;
    struct sweep_rates *next = malloc(sizeof *next);
    enum ec_code code = next ? EC_OK : no_memory(e);
    for (size_t i = 0; code == EC_OK && i < w->sweep.curve_count; i++) {
        if (r->number > 1)
            sweep_rates_next(&w->sweep.curves[i], searches(w->job), next);
        code = add_rates(r, i, r->number > 1 ? next : &w->first[i], e);
    }
    free(next);
    return code;
}

enum ec_code sweep_measure(struct sweep_work *w, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    bool more = true;
    for (unsigned number = 1; code == EC_OK && more && number <= SWEEP_ROUNDS_MAX; number++) {
        struct round r = {.work = w, .number = number};
        code = plan_round(&r, reterr);
        more = r.tasks.count > 0 && w->slice.step == 1;
        while (code == EC_OK && r.tasks.count > 0) {
            code = play_round(&r, reterr);
            free_tasks(&r.tasks);
            r.tasks = r.longer;
            r.longer = (struct tasks){0};
        }
        free_tasks(&r.tasks);
    }
    return code;
}

void sweep_work_close(struct sweep_work *w)
{
    sweep_free(&w->sweep);
    sweep_variants_close(&w->variants);
    free(w->first);
    if (w->follow)
        fclose(w->follow); /* every line was flushed */
}
