/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a plan for each candidate. Knows candidates and bounds; must not know algorithms, nor
 * how a plan is printed. */
#include "program/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "result/parameters.h"

enum { WORKLOAD_MAX = 320 }; /* longer than that of any candidate with keys */

void advice_algorithm(const struct ec_candidate *k, char *buffer, size_t size)
{
    /* "extended (parity)" chooses parity itself. */
    snprintf(buffer, size, "%.*s", (int)strcspn(k->algorithm, " "), k->algorithm);
}

bool advice_failed(const struct advice *a)
{
    for (size_t i = 0; i < a->c->candidate_count; i++) {
        if (a->rows[i].ran && !a->rows[i].passed)
            return true;
    }
    return false;
}

bool advice_is_direct(const struct ec_candidate *k)
{
    return strcmp(k->algorithm, "direct") == 0;
}

double advice_bandwidth(const struct advice *a, const struct ec_candidate *k)
{
    const double node_cycles = (double)k->cycles * a->c->topology.nodes;
    return k->cycles ? result_gigabytes(a->c, result_payload(a->c->pattern) / node_cycles) : 0;
}

const char *advice_optimal_name(enum advice_optimal optimal)
{
    static const char *const names[] = {[ADVICE_OPTIMAL] = "yes",
                                        [ADVICE_IN_STEPS] = "in steps",
                                        [ADVICE_BEATEN] = "no",
                                        [ADVICE_NOT_KNOWN] = "not known"};
    return names[optimal];
}

static bool is_exact(const struct ec_candidate *k)
{
    return k->basis != EC_BASIS_AT_LEAST;
}

const struct ec_candidate *advice_rival(const struct ec_case *c)
{
    const struct ec_candidate *least = NULL;
    for (size_t i = 1; i < c->candidate_count; i++) {
        const struct ec_candidate *k = &c->candidates[i];
        if (!is_exact(k) && k->cycles < (least ? least : &c->candidates[0])->cycles)
            least = k;
    }
    return least;
}

/* Is an algorithm that needs no more ports faster? */
static bool is_beaten(const struct advice *a, const struct ec_candidate *k)
{
    for (size_t i = 0; i < a->c->candidate_count; i++) {
        const struct ec_candidate *other = &a->c->candidates[i];
        if (is_exact(other) && other->cycles < k->cycles &&
            (other->ports == k->ports || k->ports == EC_PORTS_ALL))
            return true;
    }
    return false;
}

static enum advice_optimal judge(const struct advice *a, const struct advice_row *row)
{
    const struct ec_candidate *k = row->k;
    if (is_exact(k) && k->cycles == row->least->cycles)
        return ADVICE_OPTIMAL;
    if (k->steps > 0 && !k->routed && !k->keyed && k->block <= 1 && k->steps == row->least->steps)
        return ADVICE_IN_STEPS;
    return is_beaten(a, k) ? ADVICE_BEATEN : ADVICE_NOT_KNOWN;
}

static enum ec_code find_bounds(struct advice *a, struct ec_error *e)
{
    const struct ec_case *c = a->c;
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < c->candidate_count; i++) {
        a->one |= c->candidates[i].ports == EC_PORTS_ONE;
        a->all |= c->candidates[i].ports == EC_PORTS_ALL;
    }
    if (a->one)
        code = ec_case_least(c, EC_PORTS_ONE, &a->least[EC_PORTS_ONE], e);
    if (code == EC_OK && a->all)
        code = ec_case_least(c, EC_PORTS_ALL, &a->least[EC_PORTS_ALL], e);
    return code;
}

static enum ec_code judge_rows(struct advice *a, struct ec_error *e)
{
    const struct ec_case *c = a->c;
    a->rows = calloc(c->candidate_count + 1, sizeof *a->rows);
    if (!a->rows)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; i < c->candidate_count; i++) {
        struct advice_row *row = &a->rows[i];
        row->k = &c->candidates[i];
        row->least = &a->least[row->k->ports];
        row->optimal = judge(a, row);
        if (is_exact(row->k) && row->k->cycles < row->least->cycles)
            return ec_fail(e, EC_INTERNAL,
                           "algorithm '%s' takes %llu cycles, below the lower bound of %llu (%s)",
                           row->k->algorithm, (unsigned long long)row->k->cycles,
                           (unsigned long long)row->least->cycles, row->least->reason);
    }
    return EC_OK;
}

static bool put_number(struct cli_words *words, const char *option, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return cli_words_put(words, option) && cli_words_put(words, text);
}

/* The router of the plan with the ports of a candidate; "": the default. */
static void router_of(const struct advice *a, const struct ec_candidate *k, char *buffer,
                      size_t size)
{
    const struct ec_case_spec *spec = &a->c->spec;
    const bool direct = advice_is_direct(k) || k->keyed; /* a schedule chooses ports=all itself */
    const bool add =
        direct && k->ports == EC_PORTS_ALL && !(spec->router && strstr(spec->router, "ports="));
    snprintf(buffer, size, "%s%s%s", spec->router ? spec->router : "",
             add && spec->router && *spec->router ? "," : "", add ? "ports=all" : "");
}

/* The options of `ecube run` that run candidate `k`. */
static bool put_options(const struct advice *a, const struct ec_candidate *k,
                        struct cli_words *words)
{
    const struct ec_case_spec *spec = &a->c->spec;
    const bool direct = advice_is_direct(k) || k->keyed;
    char algorithm[sizeof k->algorithm], router[512];
    advice_algorithm(k, algorithm, sizeof algorithm);
    router_of(a, k, router, sizeof router);
    bool good = direct || (cli_words_put(words, "--algorithm") && cli_words_put(words, algorithm));
    if (good && *router)
        good = cli_words_put(words, "--router") && cli_words_put(words, router);
    if (good && !direct && spec->sync == EC_SYNC_DATA)
        good = cli_words_put(words, "--sync") && cli_words_put(words, "data");
    if (good && !direct && spec->local_cost)
        good = put_number(words, "--local-cost", spec->local_cost);
    if (good && spec->packet)
        good = put_number(words, "--packet", spec->packet);
    if (good && spec->startup)
        good = put_number(words, "--startup", spec->startup);
    if (good && spec->combine)
        good = put_number(words, "--combine", spec->combine);
    if (good && spec->seed != ec_case_spec_default().seed)
        good = put_number(words, "--seed", spec->seed);
    if (good && spec->clock > 0) {
        char clock[40];
        snprintf(clock, sizeof clock, "%.10g", spec->clock);
        good = cli_words_put(words, "--clock") && cli_words_put(words, clock);
    }
    if (good && spec->link_bits)
        good = put_number(words, "--link-bits", spec->link_bits);
    return good;
}

/* The workload of a candidate: of a way of a collective operation with its keys, in `buffer`. */
static const char *workload_of(const struct advice *a, const struct ec_candidate *k,
                               char buffer[WORKLOAD_MAX])
{
    if (!k->keyed)
        return a->c->spec.workload;
    snprintf(buffer, WORKLOAD_MAX, "%s,%s", a->c->spec.workload, k->algorithm);
    return buffer;
}

static enum ec_code make_command(struct advice *a, struct ec_error *e)
{
    char workload[WORKLOAD_MAX];
    struct cli_words words = {0};
    const bool good = cli_words_put(&words, "ecube") && cli_words_put(&words, "run") &&
                      cli_words_put(&words, a->c->spec.topology) &&
                      cli_words_put(&words, workload_of(a, a->rows[0].k, workload)) &&
                      put_options(a, a->rows[0].k, &words);
    a->command = good ? cli_words_quote(words.at, words.count) : NULL;
    cli_words_free(&words);
    return a->command ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
}

/* Run the first rows, each as its own command would. */
static enum ec_code run_row(struct advice *a, struct advice_row *row, struct ec_error *e)
{
    char algorithm[sizeof row->k->algorithm], router[512], workload[WORKLOAD_MAX];
    struct ec_case_spec spec = a->c->spec;
    struct ec_report *report = NULL;
    struct ec_case *c;
    advice_algorithm(row->k, algorithm, sizeof algorithm);
    router_of(a, row->k, router, sizeof router);
    spec.algorithm = row->k->keyed ? NULL : algorithm;
    spec.workload = workload_of(a, row->k, workload);
    spec.router = router;
    if (advice_is_direct(row->k) || row->k->keyed) {
        spec.sync = EC_SYNC_STEP;
        spec.has_sync = false;
        spec.local_cost = 0;
    }
    enum ec_code code = ec_case_open(a->c->session, &spec, &c, e);
    if (code != EC_OK)
        return code;
    code = ec_case_run(c, NULL, &report, e);
    if (code == EC_OK && report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(e, EC_INTERRUPTED, "interrupted");
    if (code == EC_OK) {
        const bool as_planned = row->k->basis == EC_BASIS_AT_LEAST
                                    ? report->cycles >= row->k->cycles
                                    : report->cycles == row->k->cycles;
        row->ran = true;
        row->measured = report->cycles;
        row->passed = report->passed && as_planned;
        a->status = row->passed ? a->status : CLI_FAILED;
    }
    ec_report_close(report);
    ec_case_close(c);
    return code;
}

enum ec_code advice_open(const struct cli_job *job, struct ec_case *c, struct advice *ret,
                         struct ec_error *reterr)
{
    struct advice *a = ret;
    *a = (struct advice){.job = job, .c = c, .status = CLI_OK};
    enum ec_code code = find_bounds(a, reterr);
    if (code == EC_OK)
        code = judge_rows(a, reterr);
    if (code == EC_OK)
        code = make_command(a, reterr);
    advice_factor(c, &a->factors);
    for (size_t i = 0; code == EC_OK && i < job->verified && i < c->candidate_count; i++)
        code = run_row(a, &a->rows[i], reterr);
    if (code == EC_OK && !job->no_crossings)
        code = advice_follow(a, reterr);
    if (code == EC_INTERRUPTED) { /* the ranking stands */
        a->interrupted = true;
        a->status = CLI_INTERRUPTED;
        code = EC_OK;
    }
    if (code != EC_OK)
        advice_free(a);
    return code;
}

void advice_free(struct advice *a)
{
    free(a->rows);
    free(a->command);
    free(a->ranges);
    for (unsigned i = 0; i < ADVICE_AXES; i++)
        free(a->points[i].at);
    *a = (struct advice){.rows = NULL};
}
