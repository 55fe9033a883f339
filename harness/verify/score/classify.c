/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of surviving mutants, each found in a worker; its answer is kept in the journal.
 *
 * Knows the pool of workers; must not know how a mutant is compared with the router. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/interrupt.h"

/* For the invariants, which all survivors share: times the seconds of one. */
#define INVARIANTS    6
/* Most proofs take less. */
#define BRIEF_SECONDS 1

struct survivors {
    struct mutate *m;
    size_t *at;        /* [count] indices of results; the first item is mutant 0 instead */
    uint32_t *numbers; /* [count] */
    size_t count;
    struct cli_journal_key *keys; /* [1 + count] */
    double seconds;               /* of a proof */
    bool known;                   /* the journal has all of it */
    enum ec_code code;            /* as in struct mutate_work */
    struct ec_error error;
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
        set_class(&s->m->results[s->at[i]], &how);
}

/* --- Workers ---------------------------------------------------------------------------------- */

static void classify(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    const struct survivors *s = context;
    const uint32_t number = item > 0 ? s->numbers[item - 1] : 0;
    struct ec_equal_result how = {.verdict = EC_EQUAL_UNKNOWN};
    cli_progress_say(s->m->progress, "comparing mutant %u with the router", number);
    reply->code = ec_equal_judge(s->m->equal, number, s->seconds, &how, &reply->error);
    reply->final = true;
    fwrite(&how, sizeof how, 1, out);
}

static bool classified(void *context, const struct cli_pool_result *result)
{
    struct survivors *s = context;
    struct ec_equal_result how = {.verdict = EC_EQUAL_UNKNOWN};
    if (result->reply->code == EC_INTERRUPTED && cli_interrupted())
        return true;
    if (result->reply->code == EC_OK && result->size == sizeof how)
        memcpy(&how, result->bytes, sizeof how);
    else
        snprintf(how.why, sizeof how.why, "%.*s", (int)sizeof how.why - 1,
                 result->reply->error.message);
    if (result->item == 0)
        s->m->unmutated = class_of(&how);
    /* In brief, only proofs count: the judges have yet to look for what differs. */
    if (result->item > 0 && (!s->m->brief || how.verdict == EC_EQUAL_PROVED))
        set_class(&s->m->results[s->at[result->item - 1]], &how);
    else if (result->item == 0 && how.verdict == EC_EQUAL_DIFFERS)
        s->code = ec_fail(&s->error, EC_INTERNAL,
                          "the netlist is not the router: without a mutation, %s differs in cycle "
                          "%u",
                          how.output, how.cycle);
    return s->code == EC_OK;
}

/* --- The survivors ---------------------------------------------------------------------------- */

static enum ec_code list_survivors(struct survivors *s, struct ec_error *reterr)
{
    const struct mutate *m = s->m;
    s->at = calloc(m->chosen + 1, sizeof *s->at);
    s->numbers = calloc(m->chosen + 1, sizeof *s->numbers);
    if (!s->at || !s->numbers)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->chosen);
    for (size_t i = 0; i < m->chosen; i++) {
        if (m->results[i].fate != MUTATE_SURVIVED || m->results[i].class != MUTATE_NO_CLASS)
            continue;
        s->at[s->count] = i;
        s->numbers[s->count++] = m->numbers[i];
    }
    return EC_OK;
}

/* More time may decide more of them. */
static enum ec_code find_keys(struct survivors *s, struct ec_error *reterr)
{
    struct mutate *m = s->m;
    const void *bytes;
    size_t size;
    char how[40];
    s->seconds =
        m->brief && m->job->class_seconds > BRIEF_SECONDS ? BRIEF_SECONDS : m->job->class_seconds;
    s->keys = calloc(1 + s->count, sizeof *s->keys);
    if (!s->keys)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %zu survivors", s->count);
    snprintf(how, sizeof how, "classify in %g s", s->seconds);
    s->known = true;
    for (size_t i = 0; i < 1 + s->count; i++) {
        const uint32_t number = i > 0 ? s->numbers[i - 1] : 0;
        s->keys[i] = mutate_key(m, how, ec_mutants_group(&m->mutants, number), number);
        s->known = s->known && cli_journal_find(m->journal, &s->keys[i], &bytes, &size);
    }
    return EC_OK;
}

static enum ec_code open_equal(struct survivors *s, struct ec_error *reterr)
{
    struct mutate *m = s->m;
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
    struct mutate *m = s->m;
    struct cli_pool pool = {.count = 1 + s->count,
                            .jobs = m->job->jobs,
                            .fresh = true, /* a verdict does not depend on those before */
                            .what = "survivor",
                            .list = true,
                            .progress = m->progress,
                            .journal = m->journal,
                            .keys = s->keys,
                            .context = s,
                            .work = classify,
                            .done = classified};
    enum ec_code code = cli_pool_run(&pool, reterr);
    cli_progress_erase(m->progress);
    return code == EC_OK && s->code != EC_OK ? ec_fail(reterr, s->code, "%s", s->error.message)
                                             : code;
}

enum ec_code mutate_classify(struct mutate *m, struct ec_error *reterr)
{
    struct survivors s = {.m = m};
    struct ec_error e = {.code = EC_OK};
    if (m->job->no_classify)
        return EC_OK;
    enum ec_code code = list_survivors(&s, reterr);
    m->classified = code == EC_OK;
    if (code == EC_OK)
        code = find_keys(&s, reterr);
    if (code == EC_OK && s.count > 0) {
        e.code = m->equal || s.known ? EC_OK : open_equal(&s, &e);
        if (e.code == EC_OK)
            code = classify_all(&s, reterr);
        else if (!cli_interrupted())
            leave_undecided(&s, e.message);
    }
    if (code == EC_OK && cli_interrupted())
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    free(s.keys);
    free(s.at);
    free(s.numbers);
    return code;
}
