/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the parts of the library for a run; judges nothing. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void must(enum ec_code code, const struct ec_error *error, const char *what)
{
    if (code != EC_OK)
        fail_msg("%s: %s", what, error->message);
}

void rig_open(struct rig *rig, const struct ec_case_spec *spec)
{
    struct ec_error error;
    ec_case_close(rig->c);
    rig->c = NULL;
    if (!rig->session)
        must(ec_session_open(NULL, &rig->session, &error), &error, spec->topology);
    must(ec_case_open(rig->session, spec, &rig->c, &error), &error, spec->topology);
    must(ec_case_net(rig->c, &rig->net, &error), &error, spec->topology);
    rig->t = rig->c->topology;
    rig->r = rig->c->router;
}

void rig_close(struct rig *rig)
{
    ec_case_close(rig->c);
    ec_session_close(rig->session);
    *rig = (struct rig){0};
}

struct trial rig_run(struct rig *rig, const char *workload, const struct ec_run_options *options)
{
    struct ec_error error;
    struct trial trial = {.rig = rig, .options = {.cycles = 0, .seed = 1}};
    if (options)
        trial.options = *options;
    must(ec_workload_open(workload, &rig->t, trial.options.seed, &trial.w, &error), &error,
         workload);
    if (!trial.w->open_loop)
        must(ec_audit_open(&rig->t, &rig->r, trial.w, true, &trial.audit, &error), &error,
             workload);
    must(ec_run(rig->net, trial.w, trial.audit, &trial.options, &trial.report, &error), &error,
         workload);
    return trial;
}

void trial_close(struct trial *trial)
{
    ec_report_close(trial->report);
    ec_audit_close(trial->audit);
    ec_workload_close(trial->w);
    *trial = (struct trial){0};
}

/* Append to a static text, cut to its size. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

const char *trial_text(const struct trial *trial)
{
    static const char *const outcomes[] = {"finished", "limit", "deadlock", "broken",
                                           "interrupted"};
    static char text[8192];
    const struct ec_report *r = trial->report;
    const struct ec_run_options *o = &trial->options;
    char topology[160], router[160];
    ec_topology_format(&trial->rig->t, topology, sizeof topology);
    ec_router_format(&trial->rig->r, router, sizeof router);
    text[0] = '\0';
    append(text, sizeof text, "%s %s (%s) seed %llu, cycles %llu, startup %u, stall %g, age %llu\n",
           topology, trial->w->text, router, (unsigned long long)o->seed,
           (unsigned long long)o->cycles, o->startup, o->eject_stall,
           (unsigned long long)o->age_bound);
    append(text, sizeof text, "  %s after %llu simulated cycles: %llu words in %llu cycles\n",
           outcomes[r->outcome], (unsigned long long)r->simulated_cycles,
           (unsigned long long)r->words, (unsigned long long)r->cycles);
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        static const char *const words[] = {[EC_VERDICT_PASS] = "pass",
                                            [EC_VERDICT_FAIL] = "FAIL",
                                            [EC_VERDICT_UNCHECKED] = "not checked",
                                            [EC_VERDICT_OPEN] = "OPEN"};
        if (r->checks[id].verdict != EC_VERDICT_NONE)
            append(text, sizeof text, "  %s %s: %s\n", words[r->checks[id].verdict],
                   ec_check_name((enum ec_check_id)id), r->checks[id].detail);
    }
    for (size_t i = 0; i < r->waiting_count; i++)
        append(text, sizeof text, "  %s\n", r->waiting[i]);
    return text;
}

void trial_fail(const struct trial *trial, const char *format, ...)
{
    char why[512];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    fail_msg("%s\n  %s", why, trial_text(trial));
}

void trial_assert_passed(const struct trial *trial)
{
    if (!trial->report->passed)
        trial_fail(trial, "not passed");
    trial_assert_passed_but(trial, EC_CHECK_COUNT);
}

void trial_assert_passed_but(const struct trial *trial, enum ec_check_id but)
{
    if (trial->report->outcome != EC_RUN_FINISHED)
        trial_fail(trial, "not finished");
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        const enum ec_verdict v = trial->report->checks[id].verdict;
        if (id != but && (v == EC_VERDICT_FAIL || v == EC_VERDICT_OPEN))
            trial_fail(trial, "%s failed", ec_check_name((enum ec_check_id)id));
    }
}
