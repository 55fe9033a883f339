/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube regress`: a matrix of runs against stored results.
 *
 * Knows the order: run every line, judge it, report, and for the first change a comparison cycle by
 * cycle, which is a process of its own (as a user would call it). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"
#include "commands.h"
#include "ecube/compare.h"
#include "ecube/run.h"
#include "ecube/shape.h"
#include "interrupt.h"
#include "output.h"
#include "pool.h"
#include "regress_report.h"
#include "run_options.h"
#include "side.h"
#include "status.h"

struct request {
    const char *baseline; /* NULL: the one that comes with ecube */
    const char *rtl, *top, *against, *junit, *failure_dir;
    bool update, quiet, no_failure_wave;
};

enum { KEY_RTL = 0x100, KEY_TOP, KEY_AGAINST, KEY_JUNIT, KEY_UPDATE, KEY_FAILURE_DIR, KEY_NO_WAVE };

static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "FILES", 0, "your own router: its sources, comma-separated", 0},
    {"top", KEY_TOP, "NAME", 0, "your own router: its module", 0},
    {"update", KEY_UPDATE, NULL, 0, "store the results in BASELINE instead of judging them", 0},
    {"against", KEY_AGAINST, "SIDE", 0,
     "where something changed, compare with SIDE cycle by cycle (as of `ecube compare'; default, "
     "with --rtl and only where the function changed: tiles)",
     0},
    {"junit", KEY_JUNIT, "FILE", 0, "write JUnit XML for a CI system, too", 0},
    {"failure-dir", KEY_FAILURE_DIR, "FOLDER", 0,
     "where a comparison leaves its waves (default: the current folder)", 0},
    {"no-failure-wave", KEY_NO_WAVE, NULL, 0, "a comparison leaves no waves", 0},
    {"quiet", 'q', NULL, 0, "the verdict line only; no progress", 0},
    CLI_HELP_OPTION,
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cli_parse *input = state->input;
    struct request *q = input->target;
    switch (key) {
    case KEY_RTL:
        q->rtl = arg;
        return 0;
    case KEY_TOP:
        q->top = arg;
        return 0;
    case KEY_AGAINST:
        q->against = arg;
        return 0;
    case KEY_JUNIT:
        q->junit = arg;
        return 0;
    case KEY_FAILURE_DIR:
        q->failure_dir = arg;
        return 0;
    case KEY_NO_WAVE:
        q->no_failure_wave = true;
        return 0;
    case KEY_UPDATE:
        q->update = true;
        return 0;
    case 'q':
        q->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (q->baseline)
            return (error_t)ec_fail(input->error, EC_USAGE,
                                    "'%.60s': one BASELINE at a time, and that is '%.60s'", arg,
                                    q->baseline);
        q->baseline = arg;
        return 0;
    case ARGP_KEY_END:
        if (!q->rtl != !q->top)
            return (error_t)ec_fail(input->error, EC_USAGE,
                                    "--rtl FILES and --top NAME belong together");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp regress_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[BASELINE]",
    .doc =
        "Run the matrix of a baseline, and tell what changed against its results: in function "
        "(something else is delivered, or a check fails) or in time (the same, in other cycles). "
        "Without BASELINE the matrix that comes with ecube.\v"
        "Examples:\n"
        "  ecube regress\n"
        "  ecube regress --junit regress.xml --quiet\n"
        "  ecube regress mine.txt --update\n"
        "  ecube regress mine.txt\n"
        "\n"
        "Exit status: 0 nothing changed (or --update); 1 something did; 2 usage or bad input; 5 a "
        "tool is missing or a build failed.",
};

/* --- One run -------------------------------------------------------------------------------- */

struct state {
    const struct request *request;
    struct cli_progress progress;
    struct cli_pool *pool;
    struct regress_file file;
};

static const char *verdict_of(const struct ec_report *report)
{
    switch (cli_status_of_report(report)) {
    case CLI_OK:
        return "pass";
    case CLI_UNSTABLE:
        return "unstable";
    case CLI_DEADLOCK:
        return "deadlock";
    default:
        return "fail";
    }
}

static void take(const struct ec_report *report, bool open_loop, bool taps, struct regress_line *l)
{
    struct regress_result r = {
        .known = true,
        .closed = !open_loop,
        .deliveries = ec_report_deliveries(report),
        .cycles = report->cycles,
        .digest = report->digest,
        .taps = taps,
        .contended = report->contended_cycles,
    };
    snprintf(r.verdict, sizeof r.verdict, "%s", verdict_of(report));
    snprintf(r.latency, sizeof r.latency, "%.2f", report->packet_latency.mean);
    l->is = r;
    l->seconds = report->seconds;
    l->change = regress_judge(&l->was, &l->is);
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &report->checks[i];
        if (c->verdict == EC_VERDICT_FAIL && i != EC_CHECK_STABILITY && !l->detail[0])
            snprintf(l->detail, sizeof l->detail, "%s: %s", ec_check_name(i), c->detail);
    }
}

static enum ec_code run_case(struct state *s, struct cli_case *c, struct regress_line *l,
                             struct ec_error *e)
{
    struct ec_net *net;
    struct ec_shape *shape;
    struct ec_report *report;
    struct ec_run_options run = cli_run_options(c->job, c->workload->open_loop, &s->progress);
    enum ec_code code = cli_case_audit(c, true, e);
    if (code == EC_OK)
        code = cli_pool_net(s->pool, c, &net, &shape, e);
    if (code != EC_OK)
        return code;
    run.keep_packets = true;
    run.schedule = c->schedule;
    cli_progress_begin(&s->progress, c->topology.nodes,
                       c->workload->open_loop ? run.warmup + run.cycles : 0);
    code = ec_run(net, c->workload, c->audit, &run, &report, e);
    cli_progress_erase(&s->progress);
    if (code != EC_OK)
        return code;
    if (report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(e, EC_INTERRUPTED, "interrupted");
    else
        take(report, c->workload->open_loop, net->has_taps, l);
    ec_report_close(report);
    return code;
}

/* The words of a line as those of a list of runs. */
static enum ec_code run_line(struct state *s, struct regress_line *l, struct ec_error *e)
{
    struct cli_job job = cli_job_default();
    struct cli_words words = {0};
    struct cli_case c;
    bool help = false;
    job.rtl = s->request->rtl;
    job.top = s->request->top;
    job.quiet = s->request->quiet;
    job.in_batch = true;
    enum ec_code code =
        cli_words_add(&words, "run", 3) ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = cli_words_split(l->text, strlen(l->text), &words, e);
    if (code == EC_OK)
        code = cli_arguments(&cli_run_argp, (int)words.count, words.at, &job, &help, e);
    if (code == EC_OK && (help || job.backend == CLI_SYSTEMC))
        code = ec_fail(e, EC_USAGE, "a matrix has runs of RTL only, no --help and no systemc");
    if (code == EC_OK)
        code = cli_case_open(&job, &c, e);
    if (code == EC_OK) {
        code = run_case(s, &c, l, e);
        cli_case_close(&c);
    }
    cli_words_free(&words);
    cli_job_free(&job);
    return code;
}

static enum ec_code run_all(struct state *s, const char *path, struct ec_error *reterr)
{
    struct ec_error e;
    s->progress.jobs = s->file.runs;
    for (size_t i = 0; i < s->file.count; i++) {
        struct regress_line *l = &s->file.lines[i];
        if (!l->is_run)
            continue;
        s->progress.job++;
        const enum ec_code code =
            cli_interrupted() ? ec_fail(&e, EC_INTERRUPTED, "interrupted") : run_line(s, l, &e);
        if (code != EC_OK)
            return ec_fail(reterr, code, "%.200s:%zu: %s", path, i + 1, e.message);
    }
    return EC_OK;
}

/* --- The first change, cycle by cycle ------------------------------------------------------- */

static bool add(struct cli_words *words, const char *word)
{
    return cli_words_add(words, word, strlen(word));
}

/* "ecube compare SIDE tiles|rtl WORDS...". */
static bool command_of(const struct request *q, const struct regress_line *l, const char *against,
                       struct cli_words *ret)
{
    bool good = add(ret, "ecube") && add(ret, "compare") && add(ret, against) &&
                add(ret, q->rtl ? "rtl" : "tiles") &&
                cli_words_split(l->text, strlen(l->text), ret, NULL) == EC_OK;
    if (q->rtl)
        good =
            good && add(ret, "--rtl") && add(ret, q->rtl) && add(ret, "--top") && add(ret, q->top);
    if (q->failure_dir)
        good = good && add(ret, "--failure-dir") && add(ret, q->failure_dir);
    if (q->no_failure_wave)
        good = good && add(ret, "--no-failure-wave");
    return good;
}

/* The line to look at: the first that changed in function, else, if asked for, in time. */
static const struct regress_line *first_change(const struct state *s)
{
    const struct regress_line *found = NULL;
    for (size_t i = 0; i < s->file.count; i++) {
        const struct regress_line *l = &s->file.lines[i];
        if (l->change == REGRESS_FUNCTION)
            return l;
        if (l->change == REGRESS_TIME && s->request->against && !found)
            found = l;
    }
    return found;
}

static void compare_first(const struct state *s)
{
    const struct request *q = s->request;
    const struct regress_line *l = first_change(s);
    const char *against = q->against ? q->against : q->rtl ? "tiles" : NULL;
    struct cli_words words = {0};
    int status;
    if (!l || !against) {
        printf("  (--against SIDE compares the first change cycle by cycle: see ecube help "
               "compare)\n");
        return;
    }
    if (command_of(q, l, against, &words)) {
        char *text = cli_words_quote(words.at, words.count);
        printf("  first      %s\n", text ? text : "");
        free(text);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            execv("/proc/self/exe", words.at);
            _exit(127);
        }
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    cli_words_free(&words);
}

/* --- The whole ------------------------------------------------------------------------------ */

static enum ec_code write_file(const char *path, const struct regress_file *f, const char *junit_of,
                               struct ec_error *e)
{
    struct cli_output out;
    enum ec_code code = cli_output_open(path, &out, e);
    if (code != EC_OK)
        return code;
    if (junit_of)
        regress_junit(f, junit_of, out.file);
    else
        regress_file_write(f, out.file);
    return cli_output_close(&out, true, e);
}

static enum ec_code default_path(char *buffer, size_t size, struct ec_error *e)
{
    char data[3000];
    const enum ec_code code = ec_data_path(data, sizeof data, e);
    if (code == EC_OK)
        snprintf(buffer, size, "%s/harness/regress/default.txt", data);
    return code;
}

/* The baseline; a new one is begun with the matrix that comes with ecube, and without its results.
 */
static enum ec_code open_file(struct state *s, const char *path, const char *matrix,
                              struct ec_error *e)
{
    const bool fresh = s->request->update && access(path, F_OK) != 0 && errno == ENOENT;
    const enum ec_code code = regress_file_read(fresh ? matrix : path, &s->file, e);
    for (size_t i = 0; code == EC_OK && fresh && i < s->file.count; i++)
        s->file.lines[i].was.known = false;
    return code;
}

static void put_verdict(const struct state *s, const char *path)
{
    const struct regress_counts n = regress_count(&s->file);
    const bool changed = n.fresh + n.time + n.function > 0;
    printf("%s  %s  %zu runs: %zu as before, %zu changed in time, %zu in function",
           s->request->update ? "UPDATED"
           : changed          ? "CHANGED"
                              : "SAME",
           path, s->file.runs, n.same, n.time, n.function);
    if (n.fresh)
        printf(", %zu without a result%s", n.fresh, s->request->update ? " before" : "");
    putchar('\n');
}

static enum cli_status report(const struct state *s, const char *path)
{
    const struct request *q = s->request;
    const struct regress_counts n = regress_count(&s->file);
    struct ec_error e;
    if (q->junit && write_file(q->junit, &s->file, path, &e) != EC_OK)
        return cli_complain(NULL, &e);
    if (q->update && write_file(path, &s->file, NULL, &e) != EC_OK)
        return cli_complain(NULL, &e);
    put_verdict(s, path);
    if (!q->quiet)
        regress_text(&s->file, stdout);
    if (!q->update && !q->quiet && n.time + n.function > 0)
        compare_first(s);
    const enum cli_status status = cli_output_flush(stdout, "standard output");
    return status == CLI_OK && !q->update && n.fresh + n.time + n.function > 0 ? CLI_FAILED
                                                                               : status;
}

static enum cli_status regress(struct state *s)
{
    struct ec_error e;
    char matrix[4096] = "";
    const char *path = s->request->baseline;
    enum ec_code code = default_path(matrix, sizeof matrix, &e);
    if (!path)
        path = matrix;
    if (code == EC_OK && s->request->against) { /* before all that takes time */
        struct cli_side side;
        struct cli_job job = cli_job_default();
        job.rtl = s->request->rtl;
        job.top = s->request->top;
        code = cli_side_open(s->request->against, &job, &side, &e);
        if (code == EC_OK)
            cli_side_close(&side);
    }
    if (code == EC_OK)
        code = open_file(s, path, matrix, &e);
    if (code == EC_OK)
        code = cli_pool_open(&s->progress, &s->pool, &e);
    if (code == EC_OK)
        code = run_all(s, path, &e);
    return code == EC_OK ? report(s, path) : cli_complain(NULL, &e);
}

static int regress_main(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct request q = {0};
    struct state s = {.request = &q};
    int status;
    (void)line;
    if (cli_arguments_begin(self, argc, argv, &q, &status)) {
        cli_progress_init(&s.progress, q.quiet);
        cli_interrupt_catch();
        status = (int)regress(&s);
        cli_pool_close(s.pool);
        regress_file_close(&s.file);
    }
    return status;
}

const struct cli_command cli_command_regress = {
    .name = "regress",
    .summary = "run a matrix, tell what changed against stored results",
    .argp = &regress_argp,
    .main = regress_main,
};
