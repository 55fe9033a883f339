/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over jobs. A worker process does them, so a job that crashes or hangs ends only itself.
 *
 * Knows order, formats and exit statuses; must not know what a job does. */
#include "program/runs/executor.h"

#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "program/report/report.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

/* Memory for schedules that the check of a list keeps for the runs. Beyond it they are made twice.
 */
#define KEPT_BYTES_MAX ((size_t)256 << 20)

struct loop {
    const struct cli_executor *work;
    const struct cli_job *base;
    struct cli_batch batch;
    struct ec_case **kept; /* [batch.count] opened by the check, or NULL; NULL: none is kept */
    size_t kept_bytes;
    struct ec_output output;
    struct cli_style style;             /* of the output */
    size_t counts[CLI_INTERRUPTED + 1]; /* by exit status */
    size_t done;
    enum cli_status worst;
    bool unwritable; /* the output failed, and the error was printed */
};

/* About the size of a schedule and its messages. */
static size_t schedule_bytes(const struct ec_schedule *s)
{
    return s->transfer_count *
               (sizeof *s->transfers + sizeof(struct ec_message) + 2 * sizeof(size_t)) +
           s->carried_count * (sizeof *s->carried + sizeof(uint32_t)) +
           s->move_count * sizeof *s->moves + s->exchange_count * sizeof *s->exchanges +
           (size_t)s->holders * s->per_node * sizeof *s->target;
}

/* Keep a case that took time to open, except one of `best`: only a worker runs its candidates. */
static void keep(struct loop *l, size_t i, struct ec_case *c)
{
    const size_t bytes = c->schedule ? schedule_bytes(c->schedule) : 0;
    if (!l->kept || c->candidates || !bytes || bytes > KEPT_BYTES_MAX - l->kept_bytes) {
        ec_case_close(c);
        return;
    }
    l->kept[i] = c;
    l->kept_bytes += bytes;
}

static void forget(struct loop *l, size_t i)
{
    if (!l->kept)
        return;
    ec_case_close(l->kept[i]);
    l->kept[i] = NULL;
}

/* `trials`: "best" may run its candidates. */
static enum ec_code reopen_case(const struct loop *l, size_t i, bool trials, struct ec_case **ret,
                                struct ec_error *e)
{
    struct ec_case_spec spec = l->batch.lines[i].job.spec;
    spec.no_trials = !trials;
    return ec_case_open(l->work->session, &spec, ret, e);
}

static enum ec_code take_case(struct loop *l, size_t i, struct ec_case **ret, struct ec_error *e)
{
    if (!l->kept || !l->kept[i])
        return reopen_case(l, i, l->work->died != NULL, ret, e);
    *ret = l->kept[i];
    l->kept[i] = NULL;
    return EC_OK;
}

/* Open the case of every line once: a bad line is refused before the first run. */
static enum cli_status check_batch(struct loop *l)
{
    if (l->batch.list)
        l->kept = calloc(l->batch.count, sizeof *l->kept); /* without, nothing is kept */
    for (size_t i = 0; l->batch.list && i < l->batch.count && !cli_interrupted(); i++) {
        struct ec_error e;
        struct ec_case *c;
        char where[256];
        l->work->progress->job = i + 1;
        const enum ec_code code = reopen_case(l, i, false, &c, &e);
        cli_progress_erase(l->work->progress);
        if (code != EC_OK)
            return cli_complain(cli_batch_where(&l->batch, i, l->base->from, where, sizeof where),
                                &e);
        keep(l, i, c);
    }
    return CLI_OK;
}

/* Write the result of the command. CSV always begins with the header. */
static enum ec_code put_result(struct loop *l, FILE *out, struct ec_error *e)
{
    const struct cli_executor *w = l->work;
    const bool in_batch = l->batch.list;
    if (l->base->format == CLI_TEXT) {
        w->text(w->state, &l->style, l->base->quiet || (in_batch && !l->base->verbose), out);
        return EC_OK;
    }
    json_t *record = w->record(w->state);
    const bool good = record != NULL &&
                      (l->base->format == CLI_JSON ? record_print_json(record, in_batch, out)
                                                   : record_print_csv(w->keys, record, true, out));
    json_decref(record);
    return good ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory while writing a result");
}

/* The last bytes of a worker's output. */
struct reply {
    enum ec_code code;
    bool done; /* there is a result, of this status: */
    enum cli_status status;
    struct ec_error error;
};

/* In a worker: one job from words to result. */
static void do_job(struct loop *l, size_t i, FILE *out, struct reply *r)
{
    const struct cli_executor *w = l->work;
    struct ec_case *c;
    r->code = take_case(l, i, &c, &r->error);
    if (r->code != EC_OK) {
        cli_progress_erase(w->progress);
        return;
    }
    r->code = w->job(w->state, &l->batch.lines[i].job, c, &r->status, &r->error);
    cli_progress_erase(w->progress);
    if (r->code == EC_OK) {
        r->code = put_result(l, out, &r->error);
        r->done = r->code == EC_OK;
        if (r->code == EC_OK && w->lost)
            r->code = w->lost(w->state, &r->error);
        w->release(w->state);
    }
    ec_case_close(c);
}

static void do_in_worker(void *context, size_t item, void *shared, FILE *out)
{
    struct loop *l = context;
    struct reply r = {.code = EC_OK};
    cli_interrupt_worker(shared);
    cli_progress_worker(l->work->progress);
    if (l->work->watched)
        l->work->watched(l->work->state, shared);
    l->work->progress->job = item + 1;
    do_job(l, item, out, &r);
    fwrite(&r, sizeof r, 1, out);
}

/* Only the first result of CSV keeps its header. */
static enum ec_code write_text(struct loop *l, const char *text, size_t size, struct ec_error *e)
{
    if (l->base->format == CLI_CSV && l->done > 0) {
        const char *line = memchr(text, '\n', size);
        size -= line ? (size_t)(line + 1 - text) : 0;
        text = line ? line + 1 : text;
    }
    fwrite(text, 1, size, l->output.file);
    const enum ec_code code = ec_output_check(&l->output, e);
    l->unwritable = code != EC_OK;
    return code;
}

static enum ec_code take_text(struct loop *l, const char *text, size_t size, enum cli_status status,
                              struct ec_error *e)
{
    const enum ec_code code = write_text(l, text, size, e);
    l->worst = cli_status_worse(l->worst, status);
    l->counts[status]++;
    l->done++;
    cli_interrupt_output(l->output.temporary, l->output.path);
    return code;
}

/* The result of a job whose RTL ended its process. */
static enum ec_code take_death(struct loop *l, const struct ec_work_result *r, const char *what,
                               struct ec_error *e)
{
    const struct cli_executor *w = l->work;
    struct ec_case *c;
    char *text = NULL;
    size_t size = 0;
    enum ec_code code = reopen_case(l, r->item, false, &c, e);
    cli_progress_erase(w->progress);
    if (code != EC_OK)
        return code;
    FILE *out = open_memstream(&text, &size);
    code = out ? w->died(w->state, &l->batch.lines[r->item].job, c, what, e)
               : ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK) {
        code = put_result(l, out, e);
        w->release(w->state);
    }
    if (out)
        fclose(out);
    if (code == EC_OK)
        code = take_text(l, text, size, CLI_FAILED, e);
    free(text);
    ec_case_close(c);
    return code;
}

/* A worker has died. Its job has a result only if its RTL was the reason; the list goes on. */
static enum ec_code take_loss(struct loop *l, const struct ec_work_result *r, struct ec_error *e)
{
    char what[400], where[256];
    struct ec_error none;
    if (ec_vitals_death(r, what, sizeof what) && l->work->died)
        return take_death(l, r, what, e);
    ec_fail(&none, EC_INTERNAL, "%s", what);
    l->worst = cli_status_worse(
        l->worst,
        cli_complain(cli_batch_where(&l->batch, r->item, l->base->from, where, sizeof where),
                     &none));
    return EC_OK;
}

static enum ec_code take_result(struct loop *l, const struct ec_work_result *r, struct ec_error *e)
{
    struct reply reply;
    enum ec_code code = EC_OK;
    if (!r->whole) {
        ec_vitals_tidy(r->shared);
        if (cli_interrupted() && l->done > 0) /* it was interrupted and has reported that */
            return ec_fail(e, EC_INTERRUPTED, "%s", "");
        if (cli_interrupted())
            return ec_fail(e, EC_INTERRUPTED, "interrupted before the first result");
        return take_loss(l, r, e);
    }
    const size_t size = r->size - sizeof reply;
    memcpy(&reply, r->text + size, sizeof reply);
    if (reply.done)
        code = take_text(l, r->text, size, reply.status, e);
    if (code == EC_OK && reply.code != EC_OK) {
        *e = reply.error;
        code = reply.code;
        if (!reply.done && cli_interrupted())
            code = ec_fail(e, EC_INTERRUPTED, "interrupted before the first result");
    }
    return code;
}

/* The first job that cannot be done ends the list. */
static bool job_done(void *context, const struct ec_work_result *r)
{
    struct loop *l = context;
    struct ec_error e = {.code = EC_OK};
    char where[256];
    forget(l, r->item); /* the worker has used it */
    const enum ec_code code = take_result(l, r, &e);
    if (code == EC_OK)
        return true;
    const char *line = cli_batch_where(&l->batch, r->item, l->base->from, where, sizeof where);
    l->worst = cli_status_worse(l->worst,
                                e.message[0] ? cli_complain(line, &e) : cli_status_of_error(code));
    return false;
}

static bool list_goes_on(void *context)
{
    struct loop *l = context;
    if (!cli_interrupted())
        return true;
    l->worst = CLI_INTERRUPTED;
    return false;
}

static bool needs_fresh(const struct loop *l)
{
    for (size_t i = 0; l->work->fresh && i < l->batch.count; i++) {
        if (l->work->fresh(l->work->state, &l->batch.lines[i].job))
            return true;
    }
    return false;
}

static void do_all(struct loop *l)
{
    struct ec_error e;
    const struct ec_workers_plan plan = {.count = l->batch.count,
                                         .jobs = 1,
                                         .fresh = needs_fresh(l),
                                         .patient = true,
                                         .shared = sizeof(struct ec_vitals),
                                         .context = l,
                                         .work = do_in_worker,
                                         .hired = cli_interrupt_watch,
                                         .done = job_done,
                                         .go_on = list_goes_on,
                                         .alive = ec_vitals_alive};
    cli_interrupt_output(l->output.temporary, NULL);
    if (ec_workers_run(&plan, &e) != EC_OK)
        l->worst = cli_status_worse(l->worst, cli_complain(NULL, &e));
}

static enum cli_status finish_list(struct loop *l)
{
    struct ec_error e;
    cli_interrupt_output(NULL, NULL);
    if (l->base->format == CLI_TEXT && l->batch.list && l->done > 0 && !l->unwritable)
        cli_text_summary(l->counts, l->batch.count, l->done, l->output.file);
    /* Keep finished results even if the rest was interrupted or failed. */
    if (ec_output_end(&l->output, l->done > 0 && !l->unwritable, &e) != EC_OK)
        return cli_status_worse(l->worst, cli_complain(NULL, &e));
    return l->worst;
}

int cli_execute(const struct cli_executor *work, const struct cli_job *base,
                const struct cli_command *command, const char *line)
{
    struct loop l = {.work = work, .base = base, .worst = CLI_OK};
    struct ec_error e;
    cli_interrupt_catch();
    const enum ec_code code = cli_batch_open(command, base, line, &l.batch, &e);
    work->progress->jobs = l.batch.list ? l.batch.count : 0;
    /* Also the lines before a malformed one: the first bad line is reported. */
    l.worst = check_batch(&l);
    if (l.worst == CLI_OK && code != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK && cli_batch_check_files(&l.batch, base, &e) != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK && cli_output_open(base->output, &l.output, &e) != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK) {
        l.style = cli_style_of(l.output.file);
        do_all(&l);
        l.worst = finish_list(&l);
    }
    for (size_t i = 0; i < l.batch.count; i++)
        forget(&l, i);
    free(l.kept);
    cli_batch_close(&l.batch);
    return (int)l.worst;
}
