/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a baseline: each becomes a case that is run, or compared cycle by cycle. Knows cases and
 * reports; must not know the format of the file. */
#include "program/regress/regress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/compare.h"
#include "ecube/run.h"
#include "ecube/systemc.h"
#include "program/options/job.h"
#include "program/runs/comparison.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

static void take_report(const struct ec_report *report, bool open_loop, struct regress_line *l)
{
    struct regress_result r = {
        .known = true,
        .closed = !open_loop,
        .deliveries = ec_report_deliveries(report),
        .cycles = report->cycles,
        .digest = report->digest,
        .taps = report->has_taps,
        .contended = report->contended_cycles,
    };
    snprintf(r.verdict, sizeof r.verdict, "%s", ec_ending_name(ec_report_ending(report, NULL)));
    if (open_loop && report->packet_latency.max == 0) /* no packet takes 0 cycles */
        snprintf(r.latency, sizeof r.latency, "-");
    else
        snprintf(r.latency, sizeof r.latency, "%.2f", report->packet_latency.mean);
    l->is = r;
    l->seconds = report->seconds;
    l->change = regress_judge(l);
    const unsigned cause = ec_report_cause(report);
    if (cause < EC_CHECK_COUNT)
        snprintf(l->detail, sizeof l->detail, "%s: %s", ec_check_name(cause),
                 report->checks[cause].detail);
}

static enum ec_code run_case(const struct regress_runner *r, struct ec_case *c,
                             struct regress_line *l, struct ec_error *e)
{
    struct ec_report *report;
    struct ec_run_options run = ec_case_run_options(c);
    run.keep_packets = true;
    enum ec_code code = ec_case_warning(c, &l->warning, e);
    if (code == EC_OK)
        code = ec_case_run(c, &run, &report, e);
    cli_progress_erase(r->progress);
    if (code != EC_OK)
        return code;
    if (report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(e, EC_INTERRUPTED, "interrupted");
    else
        take_report(report, c->workload->open_loop, l);
    ec_report_close(report);
    return code;
}

/* The words of a row and the job that they describe. */
struct row {
    struct cli_words words;
    struct cli_job job;
};

static void close_row(struct row *row)
{
    cli_words_free(&row->words);
    cli_job_free(&row->job);
}

static enum ec_code read_row(const struct regress_runner *r, const struct regress_line *l,
                             struct row *ret, struct ec_error *e)
{
    *ret = (struct row){.job = cli_job_default()};
    ret->job.spec.rtl = r->rtl;
    ret->job.spec.top = r->top;
    ret->job.spec.build = r->build;
    ret->job.spec.threads = r->threads;
    ret->job.spec.cover = r->cover;
    ret->job.spec.engine = r->engine;
    const enum ec_code code = cli_job_read(l->text, CLI_ROW, &ret->words, &ret->job, e);
    if (code != EC_OK)
        close_row(ret);
    return code;
}

/* The row as a case, whose strings are those of *ret_row. `trials`: "best" may run its candidates,
 * which only a worker does. */
static enum ec_code open_row(const struct regress_runner *r, const struct regress_line *l,
                             bool trials, struct row *ret_row, struct ec_case **ret,
                             struct ec_error *e)
{
    enum ec_code code = read_row(r, l, ret_row, e);
    if (code != EC_OK)
        return code;
    struct ec_case_spec spec = ret_row->job.spec;
    spec.own_time = true; /* the baseline judges the time, not the closed form */
    spec.no_trials = !trials;
    code = ec_case_open(r->session, &spec, ret, e);
    if (code != EC_OK)
        close_row(ret_row);
    return code;
}

/* A mode that the router lacks does not fail the row. */
static void name_lack(const struct ec_case *c, struct regress_line *l)
{
    const struct ec_trial_options brief = {.only = true, .brief = true, .seed = c->spec.seed};
    struct ec_trial_result unused;
    struct ec_error why;
    if (ec_case_try(c, &brief, &unused, &why) != EC_CONTRACT)
        return;
    snprintf(l->is.verdict, sizeof l->is.verdict, "lacks");
    snprintf(l->detail, sizeof l->detail, "%s", why.message);
}

enum ec_code regress_run(const struct regress_runner *r, struct regress_line *l, struct ec_error *e)
{
    struct row row;
    struct ec_case *c;
    enum ec_code code = cli_interrupted() ? ec_fail(e, EC_INTERRUPTED, "interrupted")
                                          : open_row(r, l, true, &row, &c, e);
    if (code != EC_OK)
        return code;
    code = run_case(r, c, l, e);
    if (code == EC_OK && r->lacks && !regress_delivered(&l->is))
        name_lack(c, l);
    ec_case_close(c);
    close_row(&row);
    return code;
}

enum ec_code regress_shape(const struct regress_runner *r, const struct regress_line *l,
                           struct ec_tile_shape *ret, struct ec_error *e)
{
    struct row row;
    struct ec_case *c;
    enum ec_code code = open_row(r, l, false, &row, &c, e);
    if (code != EC_OK)
        return code;
    code = ec_shape_choose(&c->topology, &c->router, ret, e);
    ec_case_close(c);
    close_row(&row);
    return code;
}

enum ec_code regress_lockstep(const struct regress_runner *r, const struct regress_line *l,
                              const struct ec_case_spec *against, struct ec_comparison **ret,
                              struct ec_error *e)
{
    const struct ec_failure_options *const no_wave[2] = {NULL, NULL};
    struct row row;
    struct ec_case *c;
    enum ec_code code = open_row(r, l, true, &row, &c, e);
    if (code != EC_OK)
        return code;
    struct ec_case_spec spec = c->spec;
    spec.rtl = against->rtl;
    spec.top = against->top;
    spec.build = against->build;
    const struct ec_case side[2] = {ec_case_on(c, &c->spec, 0), ec_case_on(c, &spec, 1)};
    code = ec_case_compare(&side[0], &side[1], no_wave, ret, e);
    ec_case_close(c);
    close_row(&row);
    return code;
}

void regress_died(struct regress_line *l, const char *what)
{
    l->is = (struct regress_result){.known = true, .died = true};
    snprintf(l->is.verdict, sizeof l->is.verdict, "fail");
    snprintf(l->detail, sizeof l->detail, "rtl: %s", what);
    l->change = regress_judge(l);
}

/* --- Twins ------------------------------------------------------------------------------------ */

/* Options that must not change a result. */
static const struct {
    const char *name;
    bool value;
} twin_options[] = {{"--no-sleep", false}, {"--shuffle", true}, {"--random-init", true}};

/* The length of `word` up to an '=' if it is one of these options, perhaps abbreviated; 0: it is
 * not. */
static size_t twin_option(const char *word, size_t *ret_option)
{
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof twin_options / sizeof *twin_options; i++) {
        if (length > strlen("--") && strncmp(word, twin_options[i].name, length) == 0) {
            *ret_option = i;
            return length;
        }
    }
    return 0;
}

/* The words of a row without these options. */
static enum ec_code plain_words(const char *text, struct cli_words *ret, struct ec_error *e)
{
    struct cli_words all = {0};
    enum ec_code code = cli_words_split(text, strlen(text), &all, e);
    for (size_t i = 0; code == EC_OK && i < all.count; i++) {
        size_t option;
        const size_t length = twin_option(all.at[i], &option);
        if (length > 0)
            i += twin_options[option].value && all.at[i][length] == '\0';
        else if (!cli_words_put(ret, all.at[i]))
            code = ec_fail(e, EC_MEMORY, "out of memory");
    }
    cli_words_free(&all);
    if (code != EC_OK)
        cli_words_free(ret);
    return code;
}

static bool same_words(const struct cli_words *a, const char *text)
{
    struct cli_words b = {0};
    bool same = cli_words_split(text, strlen(text), &b, NULL) == EC_OK && a->count == b.count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->at[i], b.at[i]) == 0;
    cli_words_free(&b);
    return same;
}

static enum ec_code pair_twin(struct regress_file *f, size_t i, const struct cli_job *job,
                              struct ec_error *e)
{
    struct regress_line *l = &f->lines[i];
    struct cli_words plain = {0};
    l->twin = job->spec.no_sleep      ? "--no-sleep"
              : job->spec.shuffle     ? "--shuffle"
              : job->spec.random_init ? "--random-init"
                                      : NULL;
    if (!l->twin)
        return EC_OK;
    enum ec_code code = plain_words(l->text, &plain, e);
    if (code != EC_OK)
        return code;
    l->plain = 0;
    while (l->plain < f->count &&
           (!f->lines[l->plain].is_run || !same_words(&plain, f->lines[l->plain].text)))
        l->plain++;
    if (l->plain == f->count)
        code = ec_fail(e, EC_USAGE,
                       "%s compares this row with the same row without it: expected that row in "
                       "the baseline, too",
                       l->twin);
    cli_words_free(&plain);
    return code;
}

enum ec_code regress_check(const struct regress_runner *r, struct regress_file *f, size_t i,
                           struct cli_files *files, struct ec_error *e)
{
    struct row row;
    struct ec_case *c;
    enum ec_code code = open_row(r, &f->lines[i], false, &row, &c, e);
    if (code != EC_OK)
        return code;
    cli_job_files(&row.job, (unsigned)i + 1, files);
    code = pair_twin(f, i, &row.job, e);
    ec_case_close(c);
    close_row(&row);
    return code;
}

/* --- The first change ------------------------------------------------------------------------- */

/* Only plain rows: what changes a twin alone is shown with its plain row. */
static const struct regress_line *first_of(const struct regress_file *f, enum regress_change change)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].is.known && f->lines[i].change == change && !f->lines[i].twin)
            return &f->lines[i];
    }
    return NULL;
}

static const struct regress_line *first_wrong(const struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (l->is.known && l->change != REGRESS_SAME && !regress_delivered(&l->is))
            return l;
    }
    return NULL;
}

static const struct regress_line *first_differing_twin(const struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].differs)
            return &f->lines[i];
    }
    return NULL;
}

/* The command line of a row: that of `ecube run', or with sides of `ecube compare'. NULL: out of
 * memory. */
static char *command_of(const struct cli_job *job, const struct regress_line *l)
{
    struct cli_words w = {0};
    bool good = cli_words_put(&w, "ecube");
    if (job->side[0])
        good = good && cli_words_put(&w, "compare") && cli_words_put(&w, job->side[0]) &&
               cli_words_put(&w, job->side[1]);
    else
        good = good && cli_words_put(&w, "run");
    good = good && cli_words_split(l->text, strlen(l->text), &w, NULL) == EC_OK;
    good = good && cli_job_put_router(&job->spec, &w);
    if (job->failure_dir)
        good = good && cli_words_put(&w, "--failure-dir") && cli_words_put(&w, job->failure_dir);
    if (job->no_failure_wave)
        good = good && cli_words_put(&w, "--no-failure-wave");
    char *text = good ? cli_words_quote(w.at, w.count) : NULL;
    cli_words_free(&w);
    return text;
}

static void print_repeat(const char *label, const struct cli_job *job, const struct regress_line *l)
{
    char *command = command_of(job, l);
    printf("  %-10s %s\n", label, command ? command : "(out of memory)");
    free(command);
}

void regress_repeat(const struct regress_file *f, const struct cli_job *job)
{
    const struct regress_line *l = first_of(f, REGRESS_FUNCTION);
    if (!l)
        l = first_wrong(f);
    if (l) {
        print_repeat("repeat", job, l);
    } else if ((l = first_differing_twin(f))) {
        print_repeat("repeat", job, &f->lines[l->plain]);
        print_repeat("", job, l);
    }
}

/* The side that shows most without being asked for. ecube's own router, whose rtl/ was edited, has
 * a model that agrees in every cycle. Another router differs from all others in time, which would
 * hide its failure: it is compared only on request. */
static const char *default_side(const struct regress_runner *r)
{
    return !r->top && ec_systemc_found() ? "systemc" : NULL;
}

static enum ec_code compare(const struct regress_runner *r, struct cli_job *job,
                            const struct regress_line *l, struct ec_error *e)
{
    struct cli_comparison x;
    char *command = command_of(job, l);
    if (!command)
        return ec_fail(e, EC_MEMORY, "out of memory");
    printf("  first      %s\n", command);
    fflush(stdout);
    job->command = command;
    enum ec_code code = cli_comparison_open(job, r->progress, &x, e);
    if (code == EC_OK) {
        if (cli_comparison_all(&x, job, NULL, command) == CLI_INTERRUPTED)
            code = ec_fail(e, EC_INTERRUPTED, "%s", ""); /* which it has reported */
        cli_comparison_close(&x);
    }
    free(command);
    return code;
}

enum ec_code regress_compare_first(const struct regress_runner *r, const struct regress_file *f,
                                   const struct cli_job *job)
{
    const struct regress_line *l = first_of(f, REGRESS_FUNCTION);
    const char *against = job->against ? job->against : default_side(r);
    struct row row;
    struct ec_error e;
    if (!l && job->against)
        l = first_of(f, REGRESS_TIME);
    if (!l || !against) {
        printf("  (--against SIDE compares the first change cycle by cycle: see ecube help "
               "compare)\n");
        return EC_OK;
    }
    enum ec_code code = read_row(r, l, &row, &e);
    if (code == EC_OK) {
        row.job.side[0] = against;
        row.job.side[1] = r->top ? "rtl" : "tiles";
        row.job.failure_dir = job->failure_dir;
        row.job.no_failure_wave = job->no_failure_wave;
        code = compare(r, &row.job, l, &e);
        close_row(&row);
    }
    if (code != EC_OK && code != EC_INTERRUPTED)
        cli_complain(NULL, &e);
    return code == EC_INTERRUPTED ? code : EC_OK;
}
