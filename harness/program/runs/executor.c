/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over jobs. A worker process does them, so a job that crashes or hangs ends only itself.
 *
 * Knows order, formats and exit statuses; must not know what a job does. */
#include "program/runs/executor.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "program/report/report.h"
#include "program/runs/coverage.h"
#include "program/runs/pool.h"
#include "program/runs/ranks.h"
#include "session/session.h"
#include "terminal/interrupt.h"

struct loop {
    const struct cli_executor *work;
    const struct cli_job *base;
    struct cli_batch batch;
    struct ec_output output;
    struct cli_style style; /* of the output */
    struct cli_coverage coverage;
    struct cli_journal *journal;        /* NULL: none */
    struct cli_journal_key *keys;       /* [batch.count] */
    size_t bytes;                       /* memory that the largest network needs, about */
    size_t counts[CLI_INTERRUPTED + 1]; /* by exit status */
    size_t done;
    enum cli_status worst;
    bool unwritable; /* the output failed, and the error was printed */
    bool committed;  /* the output is complete */
    struct failure *failures;
    size_t failure_count, failure_room;
    char *warned;           /* the warnings that were printed, a line each; or NULL */
    struct ec_error reason; /* why a job that was interrupted has no result */
};

/* With --keep-going: a job that could not be done. */
struct failure {
    size_t item;
    enum ec_code code;
    char *message; /* owned */
};

static const struct ec_error before_first = {EC_INTERRUPTED, "interrupted before the first result"};

/* `trials`: "best" may run its candidates. */
static enum ec_code reopen_case(const struct loop *l, size_t i, bool trials, struct ec_case **ret,
                                struct ec_error *e)
{
    struct ec_case_spec spec = l->batch.lines[i].job.spec;
    spec.no_trials = !trials;
    return ec_case_open(l->work->session, &spec, ret, e);
}

static void note_size(struct loop *l, const struct ec_case *c)
{
    const size_t bytes = cli_pool_bytes(c->topology.nodes);
    l->bytes = bytes > l->bytes ? bytes : l->bytes;
}

/* Open the case of every line once: a bad line is refused before the first run. */
static enum cli_status check_batch(struct loop *l)
{
    for (size_t i = 0; l->batch.list && i < l->batch.count && !cli_interrupted(); i++) {
        struct ec_error e;
        struct ec_case *c;
        char where[256];
        if (l->batch.lines[i].bad)
            continue;
        enum ec_code code = reopen_case(l, i, false, &c, &e);
        if (code == EC_OK && l->work->died) { /* it will be run */
            code = ec_case_check(c, &e);
            if (code != EC_OK)
                ec_case_close(c);
        }
        cli_progress_erase(l->work->progress);
        if (code == EC_OK) {
            note_size(l, c);
            ec_case_close(c);
        } else if (!l->base->keep_going || !cli_line_spoil(&l->batch.lines[i], &e)) {
            return cli_complain(cli_batch_where(&l->batch, i, l->base->from, where, sizeof where),
                                &e);
        }
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
    const bool json = l->base->format == CLI_JSON;
    json_t *record = json && w->json ? NULL : w->record(w->state);
    bool good = record != NULL;
    if (json && w->json)
        good = w->json(w->state, in_batch, out);
    else if (good && json)
        good = record_print_json(record, in_batch, out);
    else if (good && w->rows)
        good = record_print_rows(w->keys, record, json_object_get(record, w->rows), out);
    else if (good)
        good = record_print_csv(w->keys, record, true, out);
    json_decref(record);
    return good ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory while writing a result");
}

enum ec_code cli_execute_together(struct ec_session *s, const struct ec_case *c,
                                  struct ec_error *reterr)
{
    struct ec_case_split split;
    struct world *world;
    if (session_rank_count(s) == 1 || cli_ranks_met())
        return EC_OK;
    enum ec_code code = ec_case_split(c, &split, reterr);
    if (code != EC_OK)
        return code;
    code = cli_ranks_meet(split.threads, EC_OK, &world, reterr);
    session_meet(s, world);
    return code;
}

/* In a worker: one job from words to result. */
static void do_job(void *context, size_t i, FILE *out, struct cli_reply *r)
{
    struct loop *l = context;
    const struct cli_executor *w = l->work;
    struct cli_line *line = &l->batch.lines[i];
    enum cli_status status = CLI_OK;
    struct ec_case *c;
    if (line->bad)
        r->error = *line->bad;
    r->code = line->bad ? line->bad->code : reopen_case(l, i, w->died != NULL, &c, &r->error);
    if (r->code != EC_OK)
        return;
    r->code = w->job(w->state, &line->job, c, &status, &r->error);
    cli_progress_erase(w->progress);
    if (r->code == EC_OK && cli_rank() > 0) { /* rank 0 writes the result */
        r->whole = true;
        w->release(w->state);
    } else if (r->code == EC_OK) {
        r->code = put_result(l, out, &r->error);
        r->whole = r->code == EC_OK;
        r->final = status != CLI_INTERRUPTED;
        r->status = (int)status;
        if (w->warning && l->base->format != CLI_TEXT && *w->warning(w->state))
            snprintf(r->warning, sizeof r->warning, "%s: warning: %s\n", c->topology_text,
                     w->warning(w->state));
        if (r->code == EC_OK && w->lost)
            r->code = w->lost(w->state, &r->error);
        w->release(w->state);
    }
    ec_case_close(c);
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
    cli_interrupt_output(l->output.temporary, l->output.partial);
    return code;
}

/* The result of a job whose RTL ended its process. */
static enum ec_code take_death(struct loop *l, const struct cli_pool_result *r, struct ec_error *e)
{
    const struct cli_executor *w = l->work;
    struct ec_case *c;
    char *text = NULL;
    size_t size = 0;
    enum ec_code code = reopen_case(l, r->item, false, &c, e);
    if (code != EC_OK)
        return code;
    if (cli_rank() > 0) /* nobody reads its result, but its last message is passed on */
        fprintf(stderr, "ecube: %s\n", r->death);
    FILE *out = open_memstream(&text, &size);
    code = out ? w->died(w->state, &l->batch.lines[r->item].job, c, r->death, e)
               : ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK) {
        code = put_result(l, out, e);
        w->release(w->state);
    }
    if (!ec_memstream_close(out, &text) && code == EC_OK)
        code = ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = take_text(l, text, size, CLI_FAILED, e);
    free(text);
    ec_case_close(c);
    return code;
}

/* Once per network. */
static void warn(struct loop *l, const char *line)
{
    char *longer = NULL;
    if (l->warned && strstr(l->warned, line))
        return;
    cli_progress_erase(l->work->progress);
    fprintf(stderr, "ecube: %s", line);
    if (asprintf(&longer, "%s%s", l->warned ? l->warned : "", line) < 0)
        return;
    free(l->warned);
    l->warned = longer;
}

static enum ec_code take_result(struct loop *l, const struct cli_pool_result *r, struct ec_error *e)
{
    enum ec_code code = EC_OK;
    if (r->death && l->work->died)
        return take_death(l, r, e);
    if (r->reply->warning[0])
        warn(l, r->reply->warning);
    if (r->reply->whole)
        code = take_text(l, r->bytes, r->size, (enum cli_status)r->reply->status, e);
    if (code == EC_OK && r->reply->code != EC_OK) {
        *e = r->reply->error;
        code = r->reply->code;
    }
    return code;
}

/* A job that could not be done. Those of a list that goes on are reported at its end. */
static void note_failure(struct loop *l, size_t item, const struct ec_error *e)
{
    char where[256];
    char *message = l->base->keep_going ? strdup(e->message) : NULL;
    l->worst = cli_status_worse(l->worst, cli_status_of_error(e->code));
    if (message &&
        EC_LIST_PUSH(l->failures, l->failure_count, l->failure_room,
                     (struct failure){.item = item, .code = e->code, .message = message}))
        return;
    free(message);
    cli_progress_erase(l->work->progress);
    cli_complain(cli_batch_where(&l->batch, item, l->base->from, where, sizeof where), e);
}

/* Without --keep-going the first job that cannot be done ends the list, unless it was the fault of
 * ecube or of the system. */
static bool job_done(void *context, const struct cli_pool_result *r)
{
    struct loop *l = context;
    struct ec_error e = {.code = EC_OK};
    const enum ec_code code = take_result(l, r, &e);
    if (code == EC_OK)
        return true;
    if (code == EC_INTERRUPTED && cli_interrupted()) {
        l->reason = e;
        return true;
    }
    note_failure(l, r->item, &e);
    return !l->unwritable && (l->base->keep_going || code == EC_INTERNAL);
}

static bool needs_fresh(const struct loop *l)
{
    for (size_t i = 0; l->work->fresh && i < l->batch.count; i++) {
        if (l->work->fresh(l->work->state, &l->batch.lines[i].job))
            return true;
    }
    return false;
}

/* Most threads of a job. */
static unsigned threads_of(const struct loop *l)
{
    unsigned most = 1;
    for (size_t i = 0; i < l->batch.count; i++) {
        const uint32_t threads = l->batch.lines[i].job.spec.threads;
        if (threads != EC_THREADS_AUTO && threads > most)
            most = threads;
    }
    return most;
}

static void do_all(struct loop *l)
{
    struct ec_error e;
    const struct cli_pool pool = {.count = l->batch.count,
                                  .jobs = l->base->jobs,
                                  .threads = threads_of(l),
                                  .fresh = needs_fresh(l),
                                  .split = cli_ranks() > 1,
                                  .what = "run",
                                  .list = l->batch.list,
                                  .progress = l->work->progress,
                                  .journal = l->journal,
                                  .keys = l->keys,
                                  .session = l->work->session,
                                  .coverage = &l->coverage,
                                  .bytes = l->bytes,
                                  .context = l,
                                  .work = do_job,
                                  .done = job_done};
    cli_interrupt_output(l->output.temporary, NULL);
    if (cli_pool_run(&pool, &e) != EC_OK)
        l->worst = cli_status_worse(l->worst, cli_complain(NULL, &e));
    if (!cli_interrupted())
        return;
    l->worst = CLI_INTERRUPTED;
    if (l->done == 0)
        cli_complain(NULL, l->reason.message[0] ? &l->reason : &before_first);
}

/* The jobs that could not be done, with --keep-going. */
static void report_failures(struct loop *l)
{
    char where[256];
    if (l->failure_count > 0)
        fprintf(stderr, "ecube: %zu of %zu jobs could not be done:\n", l->failure_count,
                l->batch.count);
    for (size_t i = 0; i < l->failure_count; i++) {
        const struct failure *f = &l->failures[i];
        fprintf(stderr, "ecube: %s: %s (status %d)\n",
                cli_batch_where(&l->batch, f->item, l->base->from, where, sizeof where), f->message,
                (int)cli_status_of_error(f->code));
        free(f->message);
    }
    free(l->failures);
}

/* --- The journal ------------------------------------------------------------------------------ */

/* A format and its details are a part of the words: they decide what a result looks like. */
static struct cli_journal_key key_of(const struct loop *l, size_t i)
{
    const struct cli_line *line = &l->batch.lines[i];
    const char *const how[] = {[CLI_TEXT] = "text", [CLI_JSON] = "json", [CLI_CSV] = "csv"};
    const bool text = l->base->format == CLI_TEXT;
    struct cli_files files = {0};
    struct cli_journal_key key = {0};
    char *words = NULL;
    cli_job_files(&line->job, 0, &files);
    if (asprintf(&words, "%s%s%s %s", how[l->base->format], text && l->base->quiet ? " quiet" : "",
                 text && l->base->verbose ? " verbose" : "", line->command) >= 0)
        key = cli_journal_key(l->journal, words, &files);
    free(words);
    cli_files_free(&files);
    return key;
}

static bool is_kept(const struct loop *l, size_t i)
{
    const void *bytes;
    size_t size;
    return cli_journal_find(l->journal, &l->keys[i], &bytes, &size);
}

/* The first lines that have to be run. */
static void print_missing(const struct loop *l)
{
    enum { NAMED = 8 };
    size_t named = 0;
    for (size_t i = 0; i < l->batch.count && named <= NAMED; i++) {
        char where[256];
        if (is_kept(l, i))
            continue;
        (void)cli_batch_where(&l->batch, i, l->base->from, where, sizeof where);
        fprintf(stderr, "%s%s", named == 0 ? "ecube: to be run: " : ", ",
                named < NAMED ? where : "...");
        named++;
    }
    fputc('\n', stderr);
}

/* Only a list has a journal: a single run has nothing to keep before its end. */
static enum ec_code open_journal(struct loop *l, struct ec_error *e)
{
    if (!l->batch.list || !l->base->output || strcmp(l->base->output, "-") == 0)
        return l->base->resume ? ec_fail(e, EC_USAGE, "--resume needs --from FILE --output FILE")
                               : EC_OK;
    const enum ec_code code = cli_journal_open(l->base->output, l->base->resume, &l->journal, e);
    if (code != EC_OK || !l->journal)
        return code;
    l->keys = calloc(l->batch.count + 1, sizeof *l->keys);
    if (!l->keys)
        return ec_fail(e, EC_MEMORY, "out of memory for a list of %zu", l->batch.count);
    size_t found = 0;
    for (size_t i = 0; i < l->batch.count; i++) {
        l->keys[i] = key_of(l, i);
        found += is_kept(l, i);
    }
    if (!l->base->resume || l->base->quiet)
        return EC_OK;
    fprintf(stderr, "ecube: %zu of %zu results come from %s%s\n", found, l->batch.count,
            cli_journal_path(l->journal),
            cli_journal_count(l->journal) > 0 ? "" : ", which was empty or missing");
    if (found > 0 && found < l->batch.count)
        print_missing(l);
    return EC_OK;
}

static void close_journal(struct loop *l)
{
    const bool complete = l->committed && l->done == l->batch.count && !cli_interrupted();
    const size_t count = l->journal ? cli_journal_count(l->journal) : 0;
    if (count > 0 && !complete && !l->base->quiet)
        fprintf(stderr, "ecube: %zu result%s kept in %s: --resume continues from there\n", count,
                cli_plural(count), cli_journal_path(l->journal));
    cli_journal_close(l->journal, complete, l->base->slice != NULL); /* to be put together */
    free(l->keys);
}

/* The options of the command line are checked against each other; this one is not in the lines. */
static enum ec_code open_coverage(struct loop *l, struct ec_error *e)
{
    char where[256];
    for (size_t i = 0; l->base->coverage && i < l->batch.count; i++) {
        if (l->batch.lines[i].job.spec.backend == EC_BACKEND_SYSTEMC)
            return ec_fail(e, EC_USAGE, "%s: --coverage cannot be combined with --backend systemc",
                           cli_batch_where(&l->batch, i, l->base->from, where, sizeof where));
    }
    return cli_coverage_open(&l->coverage, l->base, e);
}

static enum cli_status finish_list(struct loop *l)
{
    struct ec_error e;
    cli_interrupt_output(NULL, NULL);
    if (l->base->format == CLI_TEXT && l->batch.list && l->done > 0 && !l->unwritable)
        cli_text_summary(l->counts, l->batch.count, l->done, l->output.file);
    /* Keep finished results even if the rest was interrupted or failed. */
    l->committed = (l->done > 0 || l->batch.count == 0) && !l->unwritable;
    if (l->committed && l->worst == CLI_INTERRUPTED)
        cli_output_interrupted(&l->output);
    if (ec_output_end(&l->output, l->committed, &e) != EC_OK) {
        l->committed = false;
        l->worst = cli_status_worse(l->worst, cli_complain(NULL, &e));
    }
    report_failures(l);
    return l->worst;
}

int cli_execute(const struct cli_executor *work, const struct cli_job *base,
                const struct cli_command *command, const char *line)
{
    struct loop l = {.work = work, .base = base, .worst = CLI_OK};
    struct ec_error e;
    if (base->from && cli_ranks_refuse(&e) != EC_OK)
        return (int)cli_complain(NULL, &e);
    if (!work->splits && !cli_ranks_part())
        return CLI_OK;
    if (work->splits)
        session_ranks(work->session, cli_ranks());
    cli_interrupt_catch();
    enum ec_code code = cli_batch_open(command, base, line, &l.batch, &e);
    for (size_t i = 0; i < l.batch.count; i++) {
        l.batch.lines[i].job.spec.cover = cli_coverage_kinds(base);
        cli_job_share_processors(&l.batch.lines[i].job, l.batch.count > 1 ? base->jobs : 1);
    }
    /* Also the lines before a malformed one: the first bad line is reported. */
    l.worst = check_batch(&l);
    if (l.worst == CLI_OK && code != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK && cli_batch_check_files(&l.batch, base, &e) != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK && open_coverage(&l, &e) != EC_OK)
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK &&
        (open_journal(&l, &e) != EC_OK || cli_output_open(base->output, &l.output, &e) != EC_OK))
        l.worst = cli_complain(NULL, &e);
    if (l.worst == CLI_OK) {
        l.style = cli_style_of(l.output.file);
        do_all(&l);
        l.worst = finish_list(&l);
        l.worst = cli_status_worse(l.worst, cli_coverage_finish(&l.coverage));
    }
    close_journal(&l);
    free(l.warned);
    cli_batch_close(&l.batch);
    cli_coverage_close(&l.coverage);
    return (int)l.worst;
}

int cli_execute_alone(struct cli_executor *work, const struct cli_job *base,
                      const struct cli_command *command, const char *line)
{
    struct ec_error e;
    int status;
    cli_progress_init(work->progress, base->quiet);
    if (cli_progress_session(work->progress, &work->session, &e) == EC_OK)
        status = cli_execute(work, base, command, line);
    else
        status = (int)cli_complain(NULL, &e);
    cli_progress_end(work->progress);
    ec_session_close(work->session);
    return status;
}
