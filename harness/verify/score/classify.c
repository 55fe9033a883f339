/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of surviving mutants, each found in a worker; its answer is kept in the journal.
 *
 * Knows the pool of workers; must not know how a mutant is compared with the router. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "terminal/interrupt.h"

/* For the invariants, which all survivors share: times the seconds of one. */
#define INVARIANTS    6
/* Most proofs take less. */
#define BRIEF_SECONDS 1

struct survivors {
    struct mutate_work work; /* `at`: indices of results; the first item is mutant 0 instead */
    uint32_t *numbers;       /* [count] */
    size_t count;
    struct cli_journal_key *keys; /* [1 + count] */
    double seconds;               /* of a proof */
    bool known;                   /* the journal has all of it */
};

static bool must_stop(void *context)
{
    (void)context;
    return cli_interrupted();
}

static enum mutate_class class_of(const struct ec_equal_result *how)
{
    static const enum mutate_class classes[] = {[EC_EQUAL_UNKNOWN] = MUTATE_UNDECIDED,
                                                [EC_EQUAL_PROVED] = MUTATE_EQUIVALENT,
                                                [EC_EQUAL_DIFFERS] = MUTATE_HOLE};
    return classes[how->verdict];
}

static void set_class(struct mutate_result *r, const struct ec_equal_result *how)
{
    r->class = class_of(how);
    r->how = *how;
}

/* All of them, for one reason. */
static void leave_undecided(const struct survivors *s, const char *why)
{
    struct ec_equal_result how = {.verdict = EC_EQUAL_UNKNOWN};
    snprintf(how.why, sizeof how.why, "%.*s", (int)sizeof how.why - 1, why);
    for (size_t i = 0; i < s->count; i++)
        set_class(&s->work.m->results[s->work.at[i]], &how);
}

/* --- Workers ---------------------------------------------------------------------------------- */

static void classify(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    const struct survivors *s = context;
    struct mutate *m = s->work.m;
    const uint32_t number = item > 0 ? s->numbers[item - 1] : 0;
    struct ec_equal_result how = {.verdict = EC_EQUAL_UNKNOWN};
    cli_progress_say(m->progress, "comparing mutant %u with the router", number);
    reply->code = ec_equal_judge(m->equal, number, s->seconds, &how, &reply->error);
    reply->final = true;
    fwrite(&how, sizeof how, 1, out);
}

static bool classified(void *context, const struct cli_pool_result *result)
{
    struct survivors *s = context;
    struct mutate_work *w = &s->work;
    struct ec_equal_result how = {.verdict = EC_EQUAL_UNKNOWN};
    if (result->reply->code == EC_INTERRUPTED && cli_interrupted())
        return true;
    if (result->reply->code == EC_OK && result->size == sizeof how)
        memcpy(&how, result->bytes, sizeof how);
    else
        snprintf(how.why, sizeof how.why, "%.*s", (int)sizeof how.why - 1,
                 result->reply->error.message);
    if (result->item == 0)
        w->m->unmutated = class_of(&how);
    /* In brief, only proofs count: the judges have yet to look for what differs. */
    if (result->item > 0 && (!w->m->brief || how.verdict == EC_EQUAL_PROVED))
        set_class(&w->m->results[w->at[result->item - 1]], &how);
    else if (result->item == 0 && how.verdict == EC_EQUAL_DIFFERS)
        w->code = ec_fail(&w->error, EC_INTERNAL,
                          "the netlist is not the router: without a mutation, %s differs in cycle "
                          "%u",
                          how.output, how.cycle);
    return w->code == EC_OK;
}

/* --- The survivors ---------------------------------------------------------------------------- */

/* Their keys, too: more time may decide more of them. */
static void list_survivors(struct survivors *s, size_t *at)
{
    struct mutate *m = s->work.m;
    const void *bytes;
    size_t size;
    char how[40];
    for (size_t i = 0; i < m->chosen; i++) {
        if (m->results[i].fate != MUTATE_SURVIVED || m->results[i].class != MUTATE_NO_CLASS)
            continue;
        at[s->count] = i;
        s->numbers[s->count++] = m->numbers[i];
    }
    s->seconds =
        m->brief && m->job->class_seconds > BRIEF_SECONDS ? BRIEF_SECONDS : m->job->class_seconds;
    snprintf(how, sizeof how, "classify in %g s", s->seconds);
    s->known = true;
    for (size_t i = 0; i < 1 + s->count; i++) {
        const uint32_t number = i > 0 ? s->numbers[i - 1] : 0;
        s->keys[i] = mutate_key(m, how, ec_mutants_group(&m->mutants, number), number);
        s->known = s->known && cli_journal_find(m->journal, &s->keys[i], &bytes, &size);
    }
}

static enum ec_code open_equal(struct survivors *s, struct ec_error *reterr)
{
    struct mutate *m = s->work.m;
    const struct ec_equal_request q = {.mutants = &m->mutants,
                                       .request = &m->request,
                                       .topology = &m->plain->topology,
                                       .router = &m->plain->router,
                                       .numbers = s->numbers,
                                       .count = s->count,
                                       .seconds = INVARIANTS * m->job->class_seconds,
                                       .stop = must_stop};
    cli_progress_say(m->progress, "finding invariants of the router, to classify %zu survivors",
                     s->count);
    const enum ec_code code = ec_equal_open(&q, &m->equal, reterr);
    cli_progress_erase(m->progress);
    return code;
}

static enum ec_code classify_all(struct survivors *s, struct ec_error *reterr)
{
    struct cli_pool pool = {.count = 1 + s->count,
                            .fresh = true, /* a verdict does not depend on those before */
                            .what = "survivor",
                            .journal = s->work.m->journal,
                            .keys = s->keys,
                            .work = classify,
                            .done = classified};
    return mutate_pool(&s->work, &pool, reterr);
}

enum ec_code mutate_classify(struct mutate *m, struct ec_error *reterr)
{
    struct survivors s = {.work = {.m = m}};
    struct ec_arrays arrays = {0};
    struct ec_error e = {.code = EC_OK};
    enum ec_code code = EC_OK;
    size_t *at;
    if (m->job->no_classify)
        return EC_OK;
    s.work.at = EC_ARRAY(&arrays, at, m->chosen);
    EC_ARRAY(&arrays, s.numbers, m->chosen);
    EC_ARRAY(&arrays, s.keys, 1 + m->chosen);
    if (arrays.memory_short)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->chosen);
    else
        list_survivors(&s, at);
    m->classified = code == EC_OK;
    if (s.count > 0) {
        e.code = m->equal || s.known ? EC_OK : open_equal(&s, &e);
        if (e.code == EC_OK)
            code = classify_all(&s, reterr);
        else if (!cli_interrupted())
            leave_undecided(&s, e.message);
    }
    if (code == EC_OK && cli_interrupted())
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    ec_arrays_free(&arrays);
    return code;
}
