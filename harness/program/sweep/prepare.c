/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep checks and computes before its first run. Knows cases and their bounds; must not
 * know the rates of later rounds. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/precision.h"
#include "program/report/report.h"
#include "program/sweep/request.h"
#include "program/sweep/rounds.h"
#include "result/channels.h"
#include "result/parameters.h"

static enum ec_code no_memory(struct ec_error *e)
{
    return ec_fail(e, EC_MEMORY, "out of memory for a sweep");
}

/* A rate in the workload would be replaced without a word. */
static enum ec_code check_workload(const struct sweep_variant *v, struct ec_error *e)
{
    struct ec_slice rest = ec_slice_of(v->workload), pair;
    ec_slice_take(&rest, ':', &pair);
    while (rest.at && ec_slice_take(&rest, ',', &pair)) {
        if (pair.length >= 5 && memcmp(pair.at, "rate=", 5) == 0)
            return ec_fail(e, EC_USAGE,
                           "workload '%.100s': a sweep finds the rates itself, or takes them from "
                           "--rates: leave out %.*s",
                           v->workload, EC_SHOWN(pair));
    }
    return EC_OK;
}

/* Is the workload one that can only be played without a rate? */
static bool is_closed(struct sweep_work *w, const struct sweep_variant *v)
{
    struct ec_case_spec spec = v->job.spec;
    struct ec_error e;
    struct ec_case *c;
    spec.precision = 0;
    spec.has_cycles = false;
    if (ec_case_open(w->session, &spec, &c, &e) != EC_OK)
        return false;
    ec_case_close(c);
    return true;
}

/* Where any rate will do. */
static const struct sweep_rate some_rate = {.rate = 0.001, .text = "0.001", .purpose = SWEEP_GRID};

/* The case of a variant at one rate. */
static enum ec_code open_case(struct sweep_work *w, const struct sweep_variant *v,
                              const struct sweep_rate *rate, struct sweep_request *q,
                              struct ec_case **ret, struct ec_error *e)
{
    struct ec_error why;
    enum ec_code code = sweep_request_open(v, rate, w->job->spec.seed, 0, q, e);
    if (code != EC_OK)
        return code;
    code = ec_case_open(w->session, &q->spec, ret, &why);
    if (code == EC_USAGE && is_closed(w, v))
        ec_fail(e, code, "workload '%.100s' cannot be swept, because it takes no rate: %s",
                v->workload, why.message);
    else if (code != EC_OK)
        *e = why;
    if (code != EC_OK)
        sweep_request_close(q);
    return code;
}

static enum ec_code find_bounds(const struct ec_case *c, struct sweep_curve *curve,
                                struct ec_error *e)
{
    struct ec_bounds b;
    const enum ec_code code = ec_case_bounds(c, &b, e);
    if (code != EC_OK)
        return code;
    curve->has_bound = b.has_rate;
    curve->bound = b.rate;
    curve->sends = b.sends;
    curve->has_zero_load = b.has_zero_load;
    curve->zero_load = b.zero_load;
    channel_name(&c->topology, ec_router_locals(&c->router, &c->topology), b.channel,
                 curve->busiest, sizeof curve->busiest);
    return EC_OK;
}

/* Can the nodes create messages at this rate? */
static enum ec_code check_rate(struct sweep_work *w, const struct sweep_variant *v,
                               const struct sweep_rate *rate, struct ec_error *e)
{
    struct sweep_request q;
    struct ec_case *c;
    enum ec_code code = open_case(w, v, rate, &q, &c, e);
    if (code != EC_OK)
        return code;
    struct ec_error why;
    code = ec_case_check(c, &why);
    if (code != EC_OK)
        ec_fail(e, code, "rate %s: %s", rate->text, why.message);
    ec_case_close(c);
    sweep_request_close(&q);
    return code;
}

/* Leave out the rates of the grid that the workload refuses, such as more than a node can send. */
static enum ec_code check_rates(struct sweep_work *w, size_t i, struct ec_error *e)
{
    struct sweep_rates *r = &w->first[i];
    while (r->count > 0) {
        const struct sweep_rate *last = &r->at[r->count - 1];
        const enum ec_code code = check_rate(w, &w->variants.at[i], last, e);
        if (code != EC_USAGE || last->purpose == SWEEP_GIVEN || r->count == 1)
            return code;
        r->count--;
    }
    return ec_fail(e, EC_USAGE,
                   "'%.100s %.100s' sends nothing through the network: there is no curve",
                   w->variants.at[i].topology, w->variants.at[i].workload);
}

/* Parameters of a run that are not those of its curve: the rate and what depends on it, and what an
 * open loop does not have. */
static bool is_of_curve(const char *name)
{
    static const char *const others[] = {"workload", "workload_rate", "seed", "warmup",    "window",
                                         "limit",    "algorithm",     "sync", "local_cost"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(name, others[i]) == 0)
            return false;
    }
    return true;
}

static enum ec_code take_parameters(const struct ec_case *c, const struct sweep_variant *v,
                                    struct sweep_curve *curve, struct ec_error *e)
{
    json_t *all = result_parameters(c), *value;
    const char *name;
    curve->parameters = record_of(
        (const struct record_pair[]){{"workload", record_text(v->workload)}, {NULL, NULL}});
    bool good = all && curve->parameters;
    json_object_foreach(all, name, value)
    {
        if (good && is_of_curve(name))
            good = json_object_set(curve->parameters, name, value) == 0;
    }
    json_decref(all);
    return good ? EC_OK : no_memory(e);
}

static enum ec_code take_classes(const struct ec_workload *w, struct sweep_curve *curve,
                                 struct ec_error *e)
{
    const unsigned count = ec_workload_classes(w);
    curve->has_replies = w->service.words > 0;
    for (; curve->class_count < count; curve->class_count++) {
        const unsigned k = (unsigned)curve->class_count;
        curve->classes[k] = strdup(ec_workload_class_name(w, k));
        if (!curve->classes[k])
            return no_memory(e);
    }
    return EC_OK;
}

/* Each point could end in a deadlock: say so before the first. */
static enum ec_code warn_of_deadlocks(struct sweep_work *w, const struct ec_case *c,
                                      const struct sweep_variant *v, struct sweep_curve *curve,
                                      struct ec_error *e)
{
    struct ec_check x = {0};
    const char *separator = *v->label ? ": " : "";
    const enum ec_code code = ec_case_warning(c, &curve->warning, e);
    cli_progress_erase(w->progress);
    if (curve->warning.text[0])
        fprintf(stderr, "ecube: %s%swarning: %s\n", v->label, separator, curve->warning.text);
    if (!cli_expect_deadlock_free(w->job, curve->warning.possible, &x)) {
        fprintf(stderr, "ecube: %s%s--expect deadlock-free: %s\n", v->label, separator, x.detail);
        w->worst = cli_status_worse(w->worst, CLI_FAILED);
    }
    return code;
}

static enum ec_code prepare_curve(struct sweep_work *w, size_t i, struct ec_error *e)
{
    struct sweep_variant *v = &w->variants.at[i];
    struct sweep_curve *curve = &w->sweep.curves[i];
    struct sweep_rates *rates = &w->first[i];
    struct sweep_request q;
    struct ec_case *c;
    enum ec_code code = check_workload(v, e);
    rates->count = 0;
    if (code == EC_OK && w->job->rates)
        code = sweep_rates_read(w->job->rates, rates, e);
    if (code == EC_OK)
        code = sweep_variant_parse(v, e);
    if (code != EC_OK)
        return code;
    if (w->job->replicas > 0 && v->job.spec.cycles / w->job->replicas < PRECISION_LEAST)
        return ec_fail(e, EC_USAGE,
                       "--cycles %" PRIu64 " for %u replicas: expected at least %d cycles for each",
                       v->job.spec.cycles, w->job->replicas, PRECISION_LEAST);
    v->job.spec.threads = w->job->spec.threads; /* not in the words: they change no result */
    code = open_case(w, v, rates->count ? &rates->at[0] : &some_rate, &q, &c, e);
    if (code != EC_OK)
        return code;
    if (rates->count) /* else any rate serves to find the bound */
        code = ec_case_check(c, e);
    w->uneven |= i > 0 && c->router.vcs != w->vcs;
    w->vcs = c->router.vcs;
    w->nodes = c->topology.nodes > w->nodes ? c->topology.nodes : w->nodes;
    w->fresh |= v->job.spec.backend == EC_BACKEND_SYSTEMC;
    curve->label = strdup(v->label);
    curve->title = sweep_curve_title(v);
    if (code == EC_OK)
        code = curve->label && curve->title ? find_bounds(c, curve, e) : no_memory(e);
    if (code == EC_OK && !w->job->rates && (curve->has_bound || ec_router_chooses(&c->router)))
        sweep_rates_grid(curve->has_bound ? curve->bound : 1, rates);
    if (code == EC_OK)
        code = take_parameters(c, v, curve, e);
    if (code == EC_OK)
        code = take_classes(c->workload, curve, e);
    if (code == EC_OK)
        code = warn_of_deadlocks(w, c, v, curve, e);
    ec_case_close(c);
    sweep_request_close(&q);
    return code == EC_OK ? check_rates(w, i, e) : code;
}

enum ec_code sweep_prepare(struct sweep_work *w, struct ec_error *reterr)
{
    enum ec_code code = sweep_variants_open(w->job, &w->variants, reterr);
    if (code != EC_OK)
        return code;
    const size_t count = w->variants.count;
    w->sweep.curves = calloc(count, sizeof *w->sweep.curves);
    w->first = calloc(count, sizeof *w->first);
    w->sweep.title = sweep_title(w->job);
    if (!w->sweep.curves || !w->first || !w->sweep.title)
        return no_memory(reterr);
    w->sweep.curve_count = count;
    for (size_t i = 0; code == EC_OK && i < count; i++) {
        struct ec_error e;
        code = prepare_curve(w, i, &e);
        if (code != EC_OK)
            ec_fail(reterr, code, "%s%s%s", w->variants.at[i].label,
                    *w->variants.at[i].label ? ": " : "", e.message);
    }
    const char *varied = w->variants.at[0].label;
    if (w->uneven && !strstr(varied, "vcs=") && !strstr(varied, "router="))
        fprintf(stderr, "ecube: the curves also differ in virtual channels: --router vcs=N gives "
                        "all the same number\n");
    return code;
}

void sweep_files(const struct sweep_work *w, struct cli_files *files)
{
    for (size_t i = 0; i < w->variants.count; i++)
        cli_job_files(&w->variants.at[i].job, 0, files);
}
