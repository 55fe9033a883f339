/* SPDX-License-Identifier: Apache-2.0 */
/* The judges of a mutant. Each compares its results with those for the unmutated router.
 *
 * Knows trials, runs and comparisons; must not know how mutants are made, nor who else is judged.
 */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "ecube/compare.h"
#include "terminal/interrupt.h"

const struct cli_choice mutate_judges[] = {
    {"tile", MUTATE_TILE}, {"rows", MUTATE_ROWS}, {"lockstep", MUTATE_LOCKSTEP}, {0}};

/* --- Routers ---------------------------------------------------------------------------------- */

struct ec_case_spec mutate_spec(const struct mutate *m, size_t group)
{
    struct ec_case_spec spec = m->job->spec;
    if (group > 0) {
        spec.rtl = m->rtl[group - 1];
        spec.top = EC_MUTANTS_TOP;
        spec.build = NULL;
    }
    return spec;
}

static struct regress_runner runner_of(const struct mutate *m, size_t group)
{
    const struct ec_case_spec spec = mutate_spec(m, group);
    return (struct regress_runner){.rtl = spec.rtl,
                                   .top = spec.top,
                                   .build = spec.build,
                                   .threads = 1,
                                   .progress = m->progress,
                                   .session = m->session};
}

enum ec_code mutate_load(const struct mutate *m, size_t group, bool random_init,
                         struct ec_error *reterr)
{
    struct ec_case_spec spec = mutate_spec(m, group);
    struct ec_case *c;
    struct ec_shape *shape;
    spec.random_init = random_init;
    enum ec_code code = ec_case_open(m->session, &spec, &c, reterr);
    if (code != EC_OK)
        return code;
    code = ec_case_shape(c, &shape, reterr);
    ec_case_close(c);
    return code;
}

/* --- Kills ------------------------------------------------------------------------------------ */

static bool is_killed(const struct mutate_result *r)
{
    return r->fate == MUTATE_KILLED;
}

/* What is seen after an interrupt is that of a run that was cut short. */
static bool take(struct mutate_result *r, bool killed)
{
    if (killed && !cli_interrupted())
        r->fate = MUTATE_KILLED;
    return is_killed(r);
}

/* --- The tile check --------------------------------------------------------------------------- */

/* A trial, mode by mode. */
struct trial {
    const char *expected; /* NULL: of the unmutated router, which is noted */
    char modes[MUTATE_MODES_MAX];
    size_t count;
    bool differs;
    char why[1100];
};

static char letter_of(enum ec_trial_verdict verdict)
{
    return "slbn"[verdict];
}

static void note_mode(void *context, const struct ec_trial_mode *mode)
{
    struct trial *x = context;
    const char letter = letter_of(mode->verdict);
    if (x->count + 1 == sizeof x->modes)
        return;
    if (x->expected && !x->differs && x->expected[x->count] != letter) {
        x->differs = true;
        snprintf(x->why, sizeof x->why, "%.150s: %.900s", mode->words, mode->reason);
    }
    x->modes[x->count++] = letter;
}

static bool goes_on(void *context)
{
    const struct trial *x = context;
    return !x->differs && !cli_interrupted();
}

static enum ec_code try_router(const struct mutate *m, size_t group, struct ec_net_pulse *pulse,
                               struct trial *x, struct ec_error *reterr)
{
    const struct ec_case_spec spec = mutate_spec(m, group);
    const struct ec_trial_options options = {.one_shape = true,
                                             .exact = !m->job->spec.top,
                                             .brief = m->brief,
                                             .allow_starvation = m->job->allow_starvation,
                                             .seed = spec.seed,
                                             .pulse = pulse,
                                             .done = note_mode,
                                             .go_on = goes_on,
                                             .context = x};
    struct ec_trial_result result;
    struct ec_case *c;
    enum ec_code code = ec_case_open(m->session, &spec, &c, reterr);
    if (code != EC_OK)
        return code;
    code = ec_case_try(c, &options, &result, reterr);
    ec_case_close(c);
    return code;
}

enum ec_code mutate_expect_modes(const struct mutate *m, bool brief, struct ec_net_pulse *pulse,
                                 FILE *out, struct ec_error *reterr)
{
    struct trial *x = calloc(1, sizeof *x);
    if (!x)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    struct mutate way = *m;
    way.brief = brief;
    const enum ec_code code = try_router(&way, 0, pulse, x, reterr);
    fputs(x->modes, out);
    free(x);
    return code;
}

static enum ec_code judge_tile(const struct mutate *m, size_t group, struct ec_net_pulse *pulse,
                               struct mutate_result *ret, struct ec_error *reterr)
{
    struct trial *x = calloc(1, sizeof *x);
    struct ec_error e;
    if (!x)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    x->expected = m->modes[m->brief];
    const enum ec_code code = try_router(m, group, pulse, x, &e);
    if (take(ret, code == EC_CONTRACT || x->differs))
        snprintf(ret->why, sizeof ret->why, "%s", code == EC_CONTRACT ? e.message : x->why);
    free(x);
    return code == EC_OK || is_killed(ret) ? EC_OK : ec_fail(reterr, e.code, "%s", e.message);
}

/* --- Runs ------------------------------------------------------------------------------------- */

enum ec_code mutate_expect_row(const struct mutate *m, struct regress_line *l,
                               struct ec_error *reterr)
{
    struct regress_runner r = runner_of(m, 0);
    r.lacks = m->job->spec.top != NULL;
    return regress_run(&r, l, reterr);
}

/* Run a row: is the mutant killed, or what failed? */
static enum ec_code try_row(const struct mutate *m, size_t group, const struct regress_line *row,
                            struct mutate_result *ret, struct ec_error *e)
{
    const struct regress_runner r = runner_of(m, group);
    struct regress_line l = *row;
    const enum ec_code code = regress_run(&r, &l, e);
    if (take(ret, code == EC_OK && l.change != REGRESS_SAME))
        snprintf(ret->why, sizeof ret->why, "%.150s: %.900s", l.text,
                 l.detail[0]                    ? l.detail
                 : l.change == REGRESS_FUNCTION ? "other deliveries"
                                                : "words arrive in other cycles");
    return code;
}

/* The same beside the unmutated router. */
static enum ec_code try_lockstep(const struct mutate *m, size_t group, const struct regress_line *l,
                                 struct mutate_result *ret, struct ec_error *e)
{
    const struct regress_runner r = runner_of(m, group);
    const struct ec_case_spec against = mutate_spec(m, 0);
    struct ec_comparison *c = NULL;
    const enum ec_code code = regress_lockstep(&r, l, &against, &c, e);
    if (take(ret, code == EC_OK && (!c->agree || c->outcome == EC_RUN_BROKEN))) {
        const struct ec_divergence *d = &c->divergence;
        if (d->found)
            snprintf(ret->why, sizeof ret->why,
                     "%.150s: cycle %llu, %s: %s: %.70s instead of %.70s", l->text,
                     (unsigned long long)d->cycle, d->place, ec_compared_name(d->field), d->text[0],
                     d->text[1]);
        else
            snprintf(ret->why, sizeof ret->why, "%.150s: %.900s", l->text, c->detail);
    }
    ec_comparison_close(c);
    return code;
}

static enum ec_code judge_runs(const struct mutate *m, enum mutate_judge judge, size_t group,
                               struct mutate_result *ret, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < m->rows.count && code == EC_OK && !is_killed(ret); i++) {
        const struct regress_line *l = &m->rows.lines[i];
        struct ec_error e = {.code = EC_OK};
        code = (judge == MUTATE_ROWS ? try_row : try_lockstep)(m, group, l, ret, &e);
        if (take(ret, code == EC_CONTRACT || is_killed(ret)) && code == EC_CONTRACT) {
            snprintf(ret->why, sizeof ret->why, "%.150s: %.900s", l->text, e.message);
            code = EC_OK;
        } else if (code != EC_OK) {
            ec_fail(reterr, code, "%s: %s", l->text, e.message);
        }
    }
    return code;
}

/* --- All judges ------------------------------------------------------------------------------- */

enum ec_code mutate_judge(const struct mutate *m, size_t group, uint32_t number,
                          struct ec_net_pulse *pulse, volatile unsigned char *asks,
                          struct mutate_result *ret, struct ec_error *reterr)
{
    const double begin = ec_clock(CLOCK_MONOTONIC);
    char text[16];
    enum ec_code code = EC_OK;
    *ret = (struct mutate_result){0};
    snprintf(text, sizeof text, "%u", number);
    if (setenv(EC_MUTANTS_VARIABLE, text, 1) != 0)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (enum mutate_judge k = 0; k < MUTATE_JUDGES && code == EC_OK && !is_killed(ret); k++) {
        if (!m->asking[k])
            continue;
        ret->judge = k;
        ret->asked |= 1U << k;
        *asks = (unsigned char)k;
        code = k == MUTATE_TILE ? judge_tile(m, group, pulse, ret, reterr)
                                : judge_runs(m, k, group, ret, reterr);
    }
    if (code == EC_OK && cli_interrupted())
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    if (code == EC_OK && !is_killed(ret))
        ret->fate = MUTATE_SURVIVED;
    ret->whole = !m->brief;
    ret->seconds = ec_clock(CLOCK_MONOTONIC) - begin;
    return code;
}
