/* SPDX-License-Identifier: Apache-2.0 */
/* Audits cases and runs them on RTL in a session of the library.
 *
 * Must not know which claim is being judged. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/run.h"
#include "ecube/session.h"
#include "program/options/job.h"

struct claims_runner {
    struct ec_session *session; /* NULL: out of memory */
    struct ec_case_spec usual;  /* options that all cases share */

    /* The current case, which struct claims_seen points into. */
    struct cli_words words; /* which the current case borrows */
    struct ec_case *c;
    struct ec_report *report;
};

struct claims_runner *claims_runner_open(const struct claims_options *options)
{
    struct claims_runner *runner = calloc(1, sizeof *runner);
    const struct ec_session_options how = {.context = options->progress_context,
                                           .building = options->progress};
    if (!runner || ec_session_open(&how, &runner->session, NULL) != EC_OK) {
        free(runner);
        return NULL;
    }
    ec_session_show(runner->session, 0, options->pulse);
    runner->usual = ec_case_spec_default();
    runner->usual.rtl = options->rtl;
    runner->usual.top = options->top;
    return runner;
}

static void drop_case(struct claims_runner *runner)
{
    ec_report_close(runner->report);
    ec_case_close(runner->c);
    cli_words_free(&runner->words);
    runner->report = NULL;
    runner->c = NULL;
}

void claims_runner_close(struct claims_runner *runner)
{
    if (!runner)
        return;
    drop_case(runner);
    ec_session_close(runner->session);
    free(runner);
}

/* --- Audits ----------------------------------------------------------------------------------- */

static struct claims_seen seen_audit(struct claims_run *run)
{
    const struct ec_case *c = run->runner->c;
    struct claims_seen seen = {
        .topology = &c->topology,
        .workload = c->pattern,
        .audit = c->schedule ? NULL : c->audit,
        .schedule = c->schedule,
        .checked = c->schedule ? &c->found : NULL,
        .startup = c->spec.startup,
    };
    if (c->schedule) {
        seen.steps = c->found.steps;
        seen.load = c->found.max_step_load;
        seen.hops = 1;
        claims_audited(run, "steps", seen.steps);
        claims_audited(run, "load of a link in a step", seen.load);
        claims_remember(run, false, seen.steps);
    } else {
        seen.steps = 1;
        seen.load = c->audit->max_link_load;
        seen.hops = c->audit->max_hops;
        claims_audited(run, "link load", seen.load);
        claims_audited(run, "hops", seen.hops);
        claims_remember(run, false, seen.load);
    }
    return seen;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* A failed check means a bug or another router: the experiment cannot continue. */
static bool judge_run(struct claims_run *run, const char *words, const struct ec_report *report)
{
    for (int i = 0; i < EC_CHECK_COUNT; i++) {
        if (report->checks[i].verdict == EC_VERDICT_FAIL) {
            claims_break(run, "ecube run %s: check %s failed: %s", words,
                         ec_check_name((enum ec_check_id)i), report->checks[i].detail);
            return false;
        }
    }
    if (!report->passed)
        claims_break(run, "ecube run %s: the run did not finish", words);
    return report->passed;
}

static bool note_run(struct claims_run *run, const char *words, struct claims_seen *seen)
{
    const struct ec_report *report = run->runner->report;
    if (!judge_run(run, words, report))
        return false;
    seen->report = report;
    seen->cycles = report->cycles;
    seen->contended = report->contended_cycles; /* 0 without taps */
    seen->predicted = report->has_prediction ? report->predicted_cycles : 0;
    claims_measured(run, "cycles", seen->cycles);
    if (report->has_taps)
        claims_measured(run, "contended cycles", seen->contended);
    if (report->has_prediction)
        claims_predicted(run, "cycles", seen->predicted);
    claims_remember(run, true, seen->cycles);
    return true;
}

/* --- The interface ---------------------------------------------------------------------------- */

/* `before`: a command that comes first, or "". */
static void write_command(struct claims_run *run, const char *before, const char *what,
                          const char *text)
{
    const char *rtl = strcmp(what, "draw") == 0 ? NULL : run->options->rtl;
    claims_set_command(run, "%s%secube %s %s%s%s%s%s", before, *before ? " && " : "", what, text,
                       rtl ? " --rtl " : "", rtl ? rtl : "", rtl ? " --top " : "",
                       rtl ? run->options->top : "");
}

void claims_shown_by(struct claims_run *run, const char *what, const char *format, ...)
{
    char *before = run->chosen ? run->command : NULL, *text;
    va_list args;
    va_start(args, format);
    const int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        run->memory_short = true;
        return;
    }
    if (before)
        run->command = NULL;
    write_command(run, before ? before : "", what, text);
    run->chosen = true;
    free(before);
    free(text);
}

static enum ec_code open_case(struct claims_runner *runner, bool timed, const char *text,
                              struct ec_error *e)
{
    struct cli_job job = cli_job_default();
    job.spec = runner->usual;
    enum ec_code code = cli_job_read(text, CLI_LINE, &runner->words, &job, e);
    if (code == EC_OK)
        code = (timed ? ec_case_open : ec_case_open_unplayed)(runner->session, &job.spec,
                                                              &runner->c, e);
    cli_job_free(&job);
    return code == EC_OK ? ec_case_audit(runner->c, true, e) : code;
}

bool claims_measure(struct claims_run *run, bool timed, struct claims_seen *ret, const char *words)
{
    struct claims_runner *runner = run->runner;
    const char *what = timed ? "run" : "audit";
    struct ec_error e;
    write_command(run, "", what, words);
    drop_case(runner);
    enum ec_code code = open_case(runner, timed, words, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        if (timed)
            code = ec_case_run(runner->c, NULL, &runner->report, &e);
    }
    if (code != EC_OK)
        claims_break(run, "ecube %s %s: %s", what, words, e.message);
    return code == EC_OK && (!timed || note_run(run, words, ret));
}

/* Replaces the messages of a pattern with a single message. */
static enum ec_code open_single(struct claims_runner *runner, const char *topology,
                                const char *router, uint32_t startup, struct ec_message m,
                                struct ec_error *e)
{
    char workload[40];
    struct ec_case_spec spec = runner->usual;
    snprintf(workload, sizeof workload, "shift:q=1,m=%u", m.words);
    spec.topology = topology;
    spec.workload = workload;
    spec.router = router;
    spec.startup = startup;
    const enum ec_code code = ec_case_open(runner->session, &spec, &runner->c, e);
    if (code != EC_OK)
        return code;
    runner->c->spec.workload = NULL;
    runner->c->pattern->messages[0] = m;
    runner->c->pattern->message_count = 1;
    runner->c->pattern->shift = 0;
    return ec_case_audit(runner->c, true, e);
}

bool claims_measure_single(struct claims_run *run, struct claims_seen *ret, const char *topology,
                           uint32_t src, uint32_t dst, uint32_t words, uint32_t startup,
                           const char *router)
{
    const struct ec_message m = {1, src, dst, words, 0};
    struct ec_error e;
    claims_set_command(run,
                       "printf '1,%u,%u,%u\\n' >one.csv && "
                       "ecube run %s trace:file=one.csv --startup %u%s%s",
                       src, dst, words, topology, startup, router ? " --router " : "",
                       router ? router : "");
    drop_case(run->runner);
    enum ec_code code = open_single(run->runner, topology, router, startup, m, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        code = ec_case_run(run->runner->c, NULL, &run->runner->report, &e);
    }
    if (code != EC_OK) {
        claims_break(run, "one message on %s: %s", topology, e.message);
        return false;
    }
    return note_run(run, topology, ret);
}

/* Replaces direct routing of a pattern with a schedule, which the case owns from now on. */
static enum ec_code open_played(struct claims_runner *runner, bool timed, struct ec_schedule *s,
                                const char *topology, const char *workload, struct ec_error *e)
{
    struct ec_case_spec spec = runner->usual;
    spec.topology = topology;
    spec.workload = workload;
    spec.router = s->all_ports ? "ports=all" : NULL;
    enum ec_code code = ec_case_open(runner->session, &spec, &runner->c, e);
    if (code != EC_OK) {
        ec_schedule_close(s);
        return code;
    }
    struct ec_case *c = runner->c;
    c->schedule = s;
    snprintf(c->algorithm, sizeof c->algorithm, "%s", s->algorithm);
    if (timed)
        code = ec_schedule_workload(s, c->pattern, EC_SYNC_STEP, 0, &c->played, e);
    if (c->played)
        c->workload = c->played;
    return code == EC_OK ? ec_case_audit(c, true, e) : code;
}

bool claims_play_schedule(struct claims_run *run, bool timed, struct claims_seen *ret,
                          struct ec_schedule *s, const char *topology, const char *workload)
{
    char words[120];
    struct ec_error e;
    snprintf(words, sizeof words, "%s %s, %.40s", topology, workload, s->algorithm);
    claims_without_command(run);
    drop_case(run->runner);
    enum ec_code code = open_played(run->runner, timed, s, topology, workload, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        if (timed)
            code = ec_case_run(run->runner->c, NULL, &run->runner->report, &e);
    }
    if (code != EC_OK)
        claims_break(run, "%s: %s", words, e.message);
    return code == EC_OK && (!timed || note_run(run, words, ret));
}

/* Replaces the messages of a shift by those of a map. */
static enum ec_code open_map(struct claims_runner *runner, bool timed, unsigned n,
                             const uint32_t *to, uint32_t words, struct ec_error *e)
{
    char topology[16], workload[40];
    struct ec_case_spec spec = runner->usual;
    snprintf(topology, sizeof topology, "cube:%u", n);
    snprintf(workload, sizeof workload, "shift:q=1,m=%" PRIu32, words);
    spec.topology = topology;
    spec.workload = workload;
    const enum ec_code code =
        (timed ? ec_case_open : ec_case_open_unplayed)(runner->session, &spec, &runner->c, e);
    if (code != EC_OK)
        return code;
    struct ec_workload *w = runner->c->pattern;
    runner->c->spec.topology = NULL;
    runner->c->spec.workload = NULL;
    w->message_count = 0;
    w->shift = 0;
    for (uint32_t i = 0; i < w->nodes; i++) {
        if (to[i] != i)
            w->messages[w->message_count++] = (struct ec_message){1, i, to[i], words, 0};
    }
    return ec_case_audit(runner->c, true, e);
}

bool claims_measure_map(struct claims_run *run, bool timed, struct claims_seen *ret, unsigned n,
                        const uint32_t *to, uint32_t words)
{
    struct claims_runner *runner = run->runner;
    struct ec_error e;
    claims_without_command(run);
    drop_case(runner);
    enum ec_code code = open_map(runner, timed, n, to, words, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        if (timed)
            code = ec_case_run(runner->c, NULL, &runner->report, &e);
    }
    if (code != EC_OK) {
        claims_break(run, "a map of cube:%u: %s", n, e.message);
        return false;
    }
    return !timed || note_run(run, "a map", ret);
}

bool claims_refused(const char *topology, const char *workload, const char *algorithm)
{
    struct ec_topology t;
    struct ec_workload *w = NULL;
    struct ec_schedule *s = NULL;
    enum ec_code code = ec_topology_parse(topology, &t, NULL);
    if (code == EC_OK)
        code = ec_workload_open(workload, &t, 1, &w, NULL);
    if (code == EC_OK && algorithm)
        code = ec_schedule_open(&t, w, algorithm, &s, NULL);
    ec_schedule_close(s);
    ec_workload_close(w);
    return code == EC_USAGE;
}

/* --- Looking into schedules ------------------------------------------------------------------- */

uint32_t claims_link_steps(const struct ec_topology *t, const struct ec_schedule *s, unsigned link,
                           uint32_t least)
{
    uint32_t count = 0, last = 0, senders = 0;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        senders = x->step == last ? senders : 0;
        last = x->step;
        if (ec_topology_neighbor(t, x->src, link) == x->dst && ++senders == least)
            count++;
    }
    return count;
}
