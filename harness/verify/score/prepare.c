/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before the first mutant is judged: makes the mutants, compiles their groups, and lets
 * the judges see the unmutated router.
 *
 * Knows the pool of workers; must not know what a judge does. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ecube/shape.h"

/* --- The mutants ------------------------------------------------------------------------------ */

static enum ec_code name_groups(struct mutate *m, struct ec_error *reterr)
{
    char text[2 * PATH_MAX];
    enum ec_code code = EC_OK;
    m->rtl = calloc(m->mutants.groups, sizeof *m->rtl);
    for (size_t g = 0; g < m->mutants.groups && m->rtl && code == EC_OK; g++) {
        code = ec_mutants_rtl(&m->mutants, g + 1, text, sizeof text, reterr);
        m->rtl[g] = strdup(text);
    }
    if (code == EC_OK && (!m->rtl || !m->rtl[m->mutants.groups - 1]))
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    return code;
}

/* "4,17-20" of --mutants, of `most` mutants. NULL: all. `chosen`, unless NULL, has `most` + 1
 * entries. */
static enum ec_code read_list(const char *list, size_t most, bool *chosen, struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(list ? list : "1-"), range, first;
    while (ec_slice_take(&rest, ',', &range)) {
        const bool single = !memchr(range.at, '-', range.length);
        uint64_t from, to = most;
        ec_slice_take(&range, '-', &first);
        bool good = ec_slice_number(first, most, &from) && from > 0;
        if (good && single)
            to = from;
        else if (range.length > 0)
            good = good && ec_slice_number(range, most, &to);
        if (!good || from > to)
            return ec_fail(reterr, EC_USAGE,
                           "--mutants '%.100s': expected numbers from 1 to %zu, and ranges of "
                           "them, separated by commas",
                           list, most);
        for (uint64_t k = from; chosen && k <= to; k++)
            chosen[k] = true;
    }
    return EC_OK;
}

static enum ec_code choose(struct mutate *m, const char *list, struct ec_error *reterr)
{
    bool *chosen = calloc(m->mutants.count + 1, sizeof *chosen);
    m->numbers = calloc(m->mutants.count, sizeof *m->numbers);
    if (!chosen || !m->numbers) {
        free(chosen);
        return ec_fail(reterr, EC_MEMORY, "out of memory for %zu mutants", m->mutants.count);
    }
    const enum ec_code code = read_list(list, m->mutants.count, chosen, reterr);
    for (uint32_t k = 1; k <= m->mutants.count; k++) {
        if (chosen[k])
            m->numbers[m->chosen++] = k;
    }
    free(chosen);
    return code;
}

enum ec_code mutate_make(struct mutate *m, struct ec_error *reterr)
{
    const struct cli_job *job = m->job;
    m->request = (struct ec_mutants_request){.folder = job->folder,
                                             .rtl = job->spec.rtl,
                                             .top = job->spec.top,
                                             .build = job->spec.build,
                                             .count = job->count,
                                             .seed = job->spec.seed};
    cli_progress_say(m->progress, "making %u mutants", job->count);
    enum ec_code code = read_list(job->mutants, job->count, NULL, reterr);
    if (code == EC_OK)
        code = ec_shape_choose(&m->plain->topology, &m->plain->router, &m->request.shape, reterr);
    if (code == EC_OK)
        code = ec_mutants_make(&m->request, &m->mutants, reterr);
    if (code == EC_OK)
        code = choose(m, job->mutants, reterr);
    cli_progress_erase(m->progress);
    return code == EC_OK ? name_groups(m, reterr) : code;
}

/* --- Compiled routers ------------------------------------------------------------------------- */

/* Item 2 g + k: group g, 0 for the unmutated router; k = 1: with random initial state. */
static void compile(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct mutate_work *w = context;
    (void)out;
    reply->code = mutate_load(w->m, item / 2, item % 2, &reply->error);
}

static bool compiled(void *context, const struct cli_pool_result *result)
{
    struct mutate_work *w = context;
    if (result->reply->code != EC_OK) {
        w->code = result->reply->code;
        w->error = result->reply->error;
    }
    return w->code == EC_OK;
}

/* In workers, several at a time; then this process loads them for all workers to come. */
enum ec_code mutate_compile(struct mutate *m, struct ec_error *reterr)
{
    struct mutate_work w = {.m = m};
    const size_t count = 2 * (m->mutants.groups + 1);
    struct cli_pool pool = {.count = count, .what = "router", .work = compile, .done = compiled};
    enum ec_code code = mutate_pool(&w, &pool, reterr);
    for (size_t i = 0; i < count && code == EC_OK; i++)
        code = mutate_load(m, i / 2, i % 2, reterr);
    return code;
}

/* --- The unmutated router --------------------------------------------------------------------- */

/* What a row shows of it. */
struct seen {
    struct regress_result result;
    char why[400]; /* it is not delivered */
};

static struct seen seen_of(const struct regress_line *l)
{
    struct seen s = {.result = l->is};
    snprintf(s.why, sizeof s.why, "%.12s%s%.380s", l->is.verdict, l->detail[0] ? ": " : "",
             l->detail);
    return s;
}

/* The first items are the tile checks, the others are the rows. */
enum { TRIALS = 2 };
static void expect(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct mutate_work *w = context;
    reply->final = true;
    if (item < TRIALS) {
        reply->code =
            w->m->asked[MUTATE_TILE]
                ? mutate_expect_modes(w->m, item == 1, &w->vitals->pulse[0], out, &reply->error)
                : EC_OK;
        return;
    }
    struct regress_line l = w->m->rows.lines[item - TRIALS];
    cli_progress_say(w->m->progress, "%s", l.text);
    reply->code = mutate_expect_row(w->m, &l, &reply->error);
    const struct seen seen = seen_of(&l);
    fwrite(&seen, sizeof seen, 1, out);
}

/* Nothing can be learnt of a mutant from a row that the unmutated router does not deliver. A row
 * that the options of this router exclude (EC_USAGE) is not one of its rows. */
static void drop(struct mutate *m, struct regress_line *l, enum ec_code code, const char *why)
{
    if (code == EC_USAGE) {
        free(l->text);
        l->text = NULL;
        return;
    }
    struct mutate_dropped *d = &m->dropped[m->dropped_count++];
    d->row = l->text;
    snprintf(d->why, sizeof d->why, "%.*s", (int)sizeof d->why - 1, why);
    l->text = NULL;
}

static void take_row(struct mutate *m, const struct cli_pool_result *result)
{
    struct regress_line *l = &m->rows.lines[result->item - TRIALS];
    struct seen seen;
    if (result->death || result->reply->code != EC_OK || result->size != sizeof seen) {
        drop(m, l, result->reply->code,
             result->death ? result->death : result->reply->error.message);
        return;
    }
    memcpy(&seen, result->bytes, sizeof seen);
    l->was = seen.result;
    if (!l->was.known || !regress_delivered(&l->was))
        drop(m, l, EC_OK, seen.why);
}

static bool expected(void *context, const struct cli_pool_result *result)
{
    struct mutate_work *w = context;
    struct mutate *m = w->m;
    const struct cli_reply *reply = result->reply;
    const bool trial = result->item < TRIALS;
    if (reply->code == EC_INTERRUPTED || (reply->code != EC_OK && trial)) {
        w->code = reply->code == EC_INTERRUPTED ? reply->code : EC_CONTRACT;
        ec_fail(&w->error, w->code, "the unmutated router fails: %s", reply->error.message);
    } else if (!trial) {
        take_row(m, result);
    } else if (result->size < sizeof m->modes[0]) {
        memcpy(m->modes[result->item], result->bytes, result->size + 1);
    }
    return w->code == EC_OK;
}

static void remove_dropped(struct regress_file *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].text)
            f->lines[kept++] = f->lines[i];
    }
    f->count = f->runs = kept;
}

enum ec_code mutate_expect(struct mutate *m, struct ec_error *reterr)
{
    struct mutate_work w = {.m = m};
    enum ec_code code =
        m->asked[MUTATE_ROWS] || m->asked[MUTATE_LOCKSTEP] ? mutate_rows(m, reterr) : EC_OK;
    struct cli_pool pool = {.count = TRIALS + m->rows.count,
                            .what = "check",
                            .work = expect,
                            .done = expected,
                            .journal = m->journal};
    struct cli_journal_key *keys = calloc(pool.count, sizeof *keys);
    for (size_t i = 0; keys && code == EC_OK && i < pool.count; i++) {
        char how[1000];
        snprintf(how, sizeof how, "expect %zu %d %d %s", i, m->asked[MUTATE_TILE],
                 m->job->allow_starvation, i < TRIALS ? "" : m->rows.lines[i - TRIALS].text);
        keys[i] = mutate_key(m, how, 1, 0);
    }
    pool.keys = keys;
    m->dropped = calloc(pool.count, sizeof *m->dropped);
    if (code == EC_OK && (!m->dropped || !keys))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for %zu rows", m->rows.count);
    if (code == EC_OK)
        code = mutate_pool(&w, &pool, reterr);
    remove_dropped(&m->rows);
    free(keys);
    return code;
}
