/* SPDX-License-Identifier: Apache-2.0 */
/* The laboratory: audits and runs on RTL, asked for in the words of the command line.
 *
 * Knows the public interface of the library and the order in which its parts need each other; must
 * not know which claim is tried, nor how a network is made. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/networks.h"
#include "study/run.h"

/* What the words of one case stand for. */
struct wanted {
    char *text;  /* the words, as given; owned, as is: */
    char *words; /* the same, cut up; the others may point in here */
    const char *topology, *workload, *algorithm, *router;
    uint32_t packet, startup;
    enum ec_sync sync;
};

struct claims_lab {
    struct claims_nets nets;

    /* The case at hand, kept for who looks at it. */
    struct ec_topology topology;
    struct ec_router router;
    struct ec_workload *workload, *played; /* the pattern; the messages of a schedule */
    struct ec_audit *audit;
    struct ec_schedule *schedule;
    struct ec_schedule_audit checked;
    struct ec_report *report;
};

struct claims_lab *claims_lab_open(const struct claims_options *options)
{
    struct claims_lab *lab = calloc(1, sizeof *lab);
    if (lab)
        lab->nets.options = options;
    return lab;
}

static void drop_case(struct claims_lab *lab)
{
    ec_report_close(lab->report);
    ec_audit_close(lab->audit);
    ec_workload_close(lab->played);
    ec_schedule_close(lab->schedule);
    ec_workload_close(lab->workload);
    lab->report = NULL;
    lab->audit = NULL;
    lab->played = NULL;
    lab->schedule = NULL;
    lab->workload = NULL;
}

void claims_lab_close(struct claims_lab *lab)
{
    if (!lab)
        return;
    claims_nets_close(&lab->nets);
    drop_case(lab);
    free(lab);
}

/* --- Words ------------------------------------------------------------------------------------ */

static bool take_number(const char *value, uint32_t *ret)
{
    char *end;
    const unsigned long n = strtoul(value, &end, 10);
    *ret = (uint32_t)n;
    return *value >= '0' && *value <= '9' && !*end && n <= UINT32_MAX;
}

static bool take_option(struct wanted *w, const char *name, const char *value)
{
    if (strcmp(name, "--router") == 0) {
        w->router = value;
        return true;
    }
    if (strcmp(name, "--algorithm") == 0) {
        w->algorithm = strcmp(value, "direct") == 0 ? NULL : value;
        return true;
    }
    if (strcmp(name, "--sync") == 0) {
        w->sync = strcmp(value, "data") == 0 ? EC_SYNC_DATA : EC_SYNC_STEP;
        return true;
    }
    if (strcmp(name, "--packet") == 0)
        return take_number(value, &w->packet);
    return strcmp(name, "--startup") == 0 && take_number(value, &w->startup);
}

static bool read_words(struct wanted *w, struct ec_error *e)
{
    char *rest, *word;
    rest = w->words = strdup(w->text);
    if (!w->words) {
        ec_fail(e, EC_MEMORY, "out of memory");
        return false;
    }
    w->topology = strsep(&rest, " ");
    w->workload = strsep(&rest, " ");
    while ((word = strsep(&rest, " "))) {
        char *value = strsep(&rest, " ");
        if (!value || !take_option(w, word, value)) {
            ec_fail(e, EC_INTERNAL, "an experiment says '%s'", w->text);
            return false;
        }
    }
    if (!w->workload)
        ec_fail(e, EC_INTERNAL, "an experiment says '%s'", w->text);
    return w->workload != NULL;
}

/* --- Audits ----------------------------------------------------------------------------------- */

static enum ec_code open_case(struct claims_lab *lab, const struct wanted *w, struct ec_error *e)
{
    enum ec_code code = ec_topology_parse(w->topology, &lab->topology, e);
    if (code == EC_OK)
        code = ec_router_parse(w->router, &lab->topology, &lab->router, e);
    if (code == EC_OK)
        code = ec_workload_open(w->workload, &lab->topology, 1, &lab->workload, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&lab->router, w->packet, lab->workload->longest, e);
    return code;
}

static enum ec_code audit_case(struct claims_lab *lab, const struct wanted *w, struct ec_error *e)
{
    const struct ec_topology *t = &lab->topology;
    if (!w->algorithm)
        return ec_audit_open(t, &lab->router, lab->workload, true, &lab->audit, e);
    enum ec_code code = ec_schedule_open(t, lab->workload, w->algorithm, &lab->schedule, e);
    /* As the command line does: a schedule that uses all links at once has a port for each. */
    if (code == EC_OK && lab->schedule->all_ports)
        lab->router.ports = EC_PORTS_ALL;
    if (code == EC_OK)
        code = ec_schedule_audit(t, lab->router.order, lab->schedule, &lab->checked, e);
    return code;
}

static struct claims_seen seen_audit(struct claims_run *run)
{
    struct claims_lab *lab = run->lab;
    struct claims_seen seen = {
        .topology = &lab->topology,
        .workload = lab->workload,
        .audit = lab->audit,
        .schedule = lab->schedule,
        .checked = lab->schedule ? &lab->checked : NULL,
    };
    if (lab->schedule) {
        seen.steps = lab->checked.steps;
        seen.load = lab->checked.max_step_load;
        seen.hops = 1;
        claims_audited(run, "steps", seen.steps);
        claims_audited(run, "load of a link in a step", seen.load);
        claims_remember(run, false, seen.steps);
    } else {
        seen.steps = 1;
        seen.load = lab->audit->max_link_load;
        seen.hops = lab->audit->max_hops;
        claims_audited(run, "link load", seen.load);
        claims_audited(run, "hops", seen.hops);
        claims_remember(run, false, seen.load);
    }
    return seen;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* The messages to play: those of the pattern, or those of the schedule with an audit of theirs. */
static enum ec_code prepare_play(struct claims_lab *lab, const struct wanted *w,
                                 const struct ec_workload **ret, struct ec_error *e)
{
    *ret = lab->workload;
    if (!lab->schedule)
        return EC_OK;
    enum ec_code code =
        ec_schedule_workload(lab->schedule, lab->workload, w->sync, 0, &lab->played, e);
    if (code == EC_OK)
        code = ec_router_set_packet(&lab->router, w->packet, lab->played->longest, e);
    if (code == EC_OK)
        code = ec_audit_open(&lab->topology, &lab->router, lab->played, true, &lab->audit, e);
    *ret = lab->played;
    return code;
}

static enum ec_code run_case(struct claims_lab *lab, const struct wanted *w, struct ec_error *e)
{
    const struct ec_workload *played = NULL;
    struct ec_net *net = NULL;
    const struct ec_run_options options = {.startup = w->startup, .seed = 1};
    enum ec_code code = prepare_play(lab, w, &played, e);
    if (code == EC_OK)
        code = claims_net(&lab->nets, &lab->topology, &lab->router, &net, e);
    if (code == EC_OK)
        code = ec_run(net, played, lab->audit, &options, &lab->report, e);
    return code;
}

/* A run that did not pass its checks breaks the experiment: there is a bug, or another router. */
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
    const struct ec_report *report = run->lab->report;
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

/* --- The interface ------------------------------------------------------------------------------
 */

static void write_command(struct claims_run *run, const char *what, const struct wanted *w)
{
    const char *rtl = run->options->rtl;
    claims_set_command(run, "ecube %s %s%s%s%s%s", what, w->text, rtl ? " --rtl " : "",
                       rtl ? rtl : "", rtl ? " --top " : "", rtl ? run->options->top : "");
}

static bool look(struct claims_run *run, bool timed, struct claims_seen *ret, struct wanted *w)
{
    struct claims_lab *lab = run->lab;
    struct ec_error e;
    write_command(run, timed ? "run" : "audit", w);
    drop_case(lab);
    enum ec_code code = read_words(w, &e) ? open_case(lab, w, &e) : EC_INTERNAL;
    if (code == EC_OK)
        code = audit_case(lab, w, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        if (timed)
            code = run_case(lab, w, &e);
    }
    if (code != EC_OK)
        claims_break(run, "ecube %s %s: %s", timed ? "run" : "audit", w->text, e.message);
    return code == EC_OK && (!timed || note_run(run, w->text, ret));
}

static bool look_at(struct claims_run *run, bool timed, struct claims_seen *ret, const char *format,
                    va_list args)
{
    struct wanted w = {.sync = EC_SYNC_STEP};
    if (vasprintf(&w.text, format, args) < 0) {
        run->memory_short = true;
        return false;
    }
    const bool good = look(run, timed, ret, &w);
    free(w.text);
    free(w.words);
    return good;
}

bool claims_audit(struct claims_run *run, struct claims_seen *ret, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const bool good = look_at(run, false, ret, format, args);
    va_end(args);
    return good;
}

bool claims_measure(struct claims_run *run, struct claims_seen *ret, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const bool good = look_at(run, true, ret, format, args);
    va_end(args);
    return good;
}

bool claims_look(struct claims_run *run, bool timed, struct claims_seen *ret, const char *format,
                 ...)
{
    va_list args;
    va_start(args, format);
    const bool good = look_at(run, timed, ret, format, args);
    va_end(args);
    return good;
}

/* One message in place of those of a pattern. */
static enum ec_code open_single(struct claims_lab *lab, const char *topology, const char *router,
                                struct ec_message m, struct ec_error *e)
{
    char workload[40];
    const struct wanted w = {
        .topology = topology, .workload = workload, .router = router ? router : ""};
    snprintf(workload, sizeof workload, "shift:q=1,m=%" PRIu32, m.words);
    enum ec_code code = open_case(lab, &w, e);
    if (code != EC_OK)
        return code;
    lab->workload->messages[0] = m;
    lab->workload->message_count = 1;
    lab->workload->shift = 0;
    return audit_case(lab, &w, e);
}

bool claims_measure_single(struct claims_run *run, struct claims_seen *ret, const char *topology,
                           uint32_t src, uint32_t dst, uint32_t words, uint32_t startup,
                           const char *router)
{
    const struct ec_message m = {1, src, dst, words};
    const struct wanted w = {.startup = startup};
    struct ec_error e;
    claims_set_command(run,
                       "printf '1,%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\\n' >one.csv && "
                       "ecube run %s trace:file=one.csv --startup %" PRIu32 "%s%s",
                       src, dst, words, topology, startup, router ? " --router " : "",
                       router ? router : "");
    drop_case(run->lab);
    enum ec_code code = open_single(run->lab, topology, router, m, &e);
    if (code == EC_OK) {
        *ret = seen_audit(run);
        code = run_case(run->lab, &w, &e);
    }
    if (code != EC_OK) {
        claims_break(run, "one message on %s: %s", topology, e.message);
        return false;
    }
    return note_run(run, topology, ret);
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

void claims_places(const struct ec_schedule *s, uint32_t steps, uint32_t *nodes)
{
    for (uint32_t e = 0; e < s->holders * s->per_node; e++)
        nodes[e] = e / s->per_node;
    for (size_t i = 0; i < s->transfer_count && s->transfers[i].step <= steps; i++) {
        const struct ec_transfer *t = &s->transfers[i];
        for (uint32_t k = 0; k < t->count; k++)
            nodes[s->carried[t->first + k].element] = t->dst;
    }
}

uint32_t claims_link_steps(const struct ec_topology *t, const struct ec_schedule *s, unsigned link)
{
    uint32_t count = 0, last = 0;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        if (x->step != last && ec_topology_neighbor(t, x->src, link) == x->dst) {
            last = x->step;
            count++;
        }
    }
    return count;
}
