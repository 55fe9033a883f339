/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over jobs.
 *
 * Knows order, formats and exit statuses; what a job is, only the command knows. */
#include "work.h"

#include <stdlib.h>

#include "apart.h"
#include "batch.h"
#include "interrupt.h"
#include "output.h"
#include "text.h"

/* Schedules of a list that are made once, for the check and for the work. The others are made
 * twice: a list may be long. */
#define KEPT_BYTES_MAX ((size_t)256 << 20)

struct loop {
    const struct cli_work *work;
    const struct cli_job *base;
    struct cli_batch batch;
    struct cli_case **kept; /* [batch.count] as the check opened it, or NULL; NULL: none of them */
    size_t kept_bytes;
    struct cli_output output;
    size_t counts[CLI_INTERRUPTED + 1]; /* by exit status */
    size_t done;
    enum cli_status worst;
    bool unwritable; /* the output failed, and that was said */
};

/* Near enough: a schedule, and the messages made of it. */
static size_t schedule_bytes(const struct ec_schedule *s)
{
    return s->transfer_count *
               (sizeof *s->transfers + sizeof(struct ec_message) + 2 * sizeof(size_t)) +
           s->carried_count * (sizeof *s->carried + sizeof(uint32_t)) +
           s->move_count * sizeof *s->moves + s->exchange_count * sizeof *s->exchanges +
           (size_t)s->holders * s->per_node * sizeof *s->target;
}

/* What took time to open waits for its turn. */
static void keep(struct loop *l, size_t i, struct cli_case *c)
{
    const size_t bytes = c->schedule ? schedule_bytes(c->schedule) : 0;
    const bool worth_it = l->kept && bytes && bytes <= KEPT_BYTES_MAX - l->kept_bytes;
    struct cli_case *to = worth_it ? malloc(sizeof *to) : NULL;
    if (!to) {
        cli_case_close(c);
        return;
    }
    *to = *c;
    l->kept[i] = to;
    l->kept_bytes += bytes;
}

static void forget(struct loop *l, size_t i)
{
    if (!l->kept || !l->kept[i])
        return;
    cli_case_close(l->kept[i]);
    free(l->kept[i]);
    l->kept[i] = NULL;
}

static enum ec_code open_case(struct loop *l, size_t i, struct cli_case *ret, struct ec_error *e)
{
    if (!l->kept || !l->kept[i])
        return cli_case_open(&l->batch.jobs[i], ret, e);
    *ret = *l->kept[i];
    free(l->kept[i]);
    l->kept[i] = NULL;
    return EC_OK;
}

/* Read the words of every line once, so that a bad one is refused before anything runs. */
static enum cli_status check_batch(struct loop *l)
{
    if (l->batch.lines)
        l->kept = calloc(l->batch.count, sizeof *l->kept); /* without, nothing is kept */
    for (size_t i = 0; l->batch.lines && i < l->batch.count && !cli_interrupted(); i++) {
        struct ec_error e;
        struct cli_case c;
        char where[256];
        if (cli_case_open(&l->batch.jobs[i], &c, &e) != EC_OK)
            return cli_complain(cli_batch_where(&l->batch, i, l->base->from, where, sizeof where),
                                &e);
        keep(l, i, &c);
    }
    return CLI_OK;
}

static enum ec_code write_result(struct loop *l, struct ec_error *e)
{
    const struct cli_work *w = l->work;
    bool in_batch = l->batch.lines != NULL;
    if (l->base->format == CLI_TEXT) {
        w->text(w->state, l->output.file, l->base->quiet || (in_batch && !l->base->verbose));
    } else {
        json_t *record = w->record(w->state);
        bool good =
            record != NULL && (l->base->format == CLI_JSON
                                   ? cli_record_print_json(record, in_batch, l->output.file)
                                   : cli_record_print_csv(record, l->done == 0, l->output.file));
        json_decref(record);
        if (!good)
            return ec_fail(e, EC_MEMORY, "out of memory while writing a result");
    }
    enum ec_code code = cli_output_check(&l->output, e);
    l->unwritable = code != EC_OK;
    return code;
}

/* One job from words to output. */
static enum ec_code do_job(struct loop *l, size_t i, struct ec_error *e)
{
    const struct cli_work *w = l->work;
    struct cli_case c;
    enum ec_code code = open_case(l, i, &c, e);
    if (code != EC_OK)
        return code;
    enum cli_status status = CLI_OK;
    code = w->job(w->state, &c, &status, e);
    cli_progress_erase(w->progress);
    if (code == EC_OK) {
        code = write_result(l, e);
        l->worst = cli_status_worse(l->worst, status);
        l->counts[status]++;
        l->done++;
        if (code == EC_OK && w->lost)
            code = w->lost(w->state, e);
        w->release(w->state);
    }
    cli_case_close(&c);
    return code;
}

/* What do_job did, told by one process to another. */
struct outcome {
    enum ec_code code;
    bool done; /* there was a result, of this status: */
    enum cli_status status;
    bool unwritable;
    struct ec_error error;
};

struct task {
    struct loop *loop;
    size_t job;
};

static void do_task(void *context, void *result)
{
    const struct task *t = context;
    struct outcome *o = result;
    struct loop *l = t->loop;
    const size_t before = l->done;
    l->worst = CLI_OK;
    cli_interrupt_child();
    *o = (struct outcome){.code = EC_OK};
    o->code = do_job(l, t->job, &o->error);
    o->done = l->done > before;
    o->status = l->worst;
    o->unwritable = l->unwritable;
}

/* The same in a process of its own. */
static enum ec_code do_job_apart(struct loop *l, size_t i, struct ec_error *e)
{
    struct task task = {l, i};
    struct outcome o = {.code = EC_OK};
    enum ec_code code = cli_output_check(&l->output, e);
    if (code == EC_OK)
        code = cli_apart(do_task, &task, &o, sizeof o, e);
    forget(l, i); /* the other process has used it */
    if (code != EC_OK)
        return code;
    l->unwritable = o.unwritable;
    if (o.done) {
        l->worst = cli_status_worse(l->worst, o.status);
        l->counts[o.status]++;
        l->done++;
    }
    if (o.code != EC_OK)
        *e = o.error;
    return o.code;
}

static bool needs_process(const struct loop *l, size_t i)
{
    const struct cli_work *w = l->work;
    return l->batch.lines && w->apart && w->apart(w->state, &l->batch.jobs[i]);
}

/* All jobs; stops at the first that could not be done, and at an interrupt. */
static void do_all(struct loop *l)
{
    for (size_t i = 0; i < l->batch.count; i++) {
        struct ec_error e = {.code = EC_OK};
        const size_t before = l->done;
        l->work->progress->job = i + 1;
        if (cli_interrupted()) {
            l->worst = CLI_INTERRUPTED;
            return;
        }
        cli_interrupt_output(l->output.temporary, l->done > 0 ? l->output.path : NULL);
        enum ec_code code = needs_process(l, i) ? do_job_apart(l, i, &e) : do_job(l, i, &e);
        if (code != EC_OK && cli_interrupted() && l->done == before)
            code = ec_fail(&e, EC_INTERRUPTED, "interrupted before the first result");
        if (code != EC_OK) {
            char where[256];
            l->worst = cli_status_worse(
                l->worst,
                cli_complain(cli_batch_where(&l->batch, i, l->base->from, where, sizeof where),
                             &e));
            return;
        }
    }
}

static enum cli_status finish(struct loop *l)
{
    struct ec_error e;
    cli_interrupt_output(NULL, NULL);
    if (l->base->format == CLI_TEXT && l->batch.lines && l->done > 0 && !l->unwritable)
        cli_text_summary(l->counts, l->batch.count, l->done, l->output.file);
    /* What is finished is kept even if the rest was interrupted or refused. */
    if (cli_output_close(&l->output, l->done > 0 && !l->unwritable, &e) != EC_OK)
        return cli_status_worse(l->worst, cli_complain(NULL, &e));
    return l->worst;
}

int cli_work_all(const struct cli_work *work, const struct cli_job *base, const struct argp *argp,
                 const char *command, const char *line)
{
    struct loop l = {.work = work, .base = base, .worst = CLI_OK};
    struct ec_error e;
    cli_interrupt_catch();
    if (cli_batch_open(base, argp, command, line, &l.batch, &e) != EC_OK)
        return cli_complain(NULL, &e);
    work->progress->jobs = l.batch.lines ? l.batch.count : 0;
    l.worst = check_batch(&l);
    if (l.worst == CLI_OK && cli_output_open(base->output, &l.output, &e) != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK) {
        do_all(&l);
        l.worst = finish(&l);
    }
    for (size_t i = 0; i < l.batch.count; i++)
        forget(&l, i);
    free(l.kept);
    cli_batch_close(&l.batch);
    return (int)l.worst;
}
