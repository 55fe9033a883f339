/* SPDX-License-Identifier: Apache-2.0 */
/* A mutation score as text, JSON and CSV. keys.def defines the keys; must not judge. */
#include "score/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "program/report/keys.def"
#include "program/report/report.h"

static const struct ec_mutant *mutant_of(const struct mutate *m, size_t i)
{
    return &m->mutants.at[m->numbers[i] - 1];
}

struct mutate_score mutate_score(const struct mutate *m)
{
    struct mutate_score s = {0};
    for (size_t i = 0; i < m->chosen; i++) {
        const struct mutate_result *r = &m->results[i];
        const bool killed = r->fate == MUTATE_KILLED;
        s.mutants += r->fate != MUTATE_PENDING;
        s.killed += killed;
        s.survived += r->fate == MUTATE_SURVIVED;
        s.not_judged += r->fate == MUTATE_NOT_JUDGED;
        for (enum mutate_judge k = 0; k < MUTATE_JUDGES; k++)
            s.asked[k] += r->asked >> k & 1;
        s.by[r->judge] += killed;
    }
    s.share = s.mutants > 0 ? (double)s.killed / (double)s.mutants : 0;
    return s;
}

/* What checks a mutant alone; malloc'd. NULL: out of memory. */
static char *repeat_of(const struct mutate *m, uint32_t number)
{
    const struct ec_case_spec spec = mutate_spec(m, ec_mutants_group(&m->mutants, number));
    struct cli_words w = {0};
    char *text = NULL;
    bool good = cli_words_put(&w, "ecube") && cli_words_put(&w, "tile") &&
                cli_words_put(&w, "check") && cli_words_put(&w, m->plain->topology_text);
    if (spec.router)
        good = good && cli_words_put(&w, "--router") && cli_words_put(&w, spec.router);
    good = good && cli_words_put(&w, "--only") && cli_job_put_router(&spec, &w);
    char *words = good ? cli_words_quote(w.at, w.count) : NULL;
    cli_words_free(&w);
    if (words && asprintf(&text, EC_MUTANTS_VARIABLE "=%u %s", number, words) < 0)
        text = NULL;
    free(words);
    return text;
}

/* --- Text ------------------------------------------------------------------------------------- */

static void put_mutant(const struct ec_mutant *mutant, FILE *out)
{
    char where[120] = "-";
    if (mutant->line > 0)
        snprintf(where, sizeof where, "%s:%u", mutant->file, mutant->line);
    fprintf(out, "  %5u  %-6s  %-22s  %s", mutant->number, mutant->kind, where, mutant->place);
}

static void put_survivors(const struct mutate *m, FILE *out)
{
    const struct ec_mutant *first = NULL;
    for (size_t i = 0; i < m->chosen; i++) {
        if (m->results[i].fate != MUTATE_SURVIVED)
            continue;
        if (!first)
            fprintf(out, "survivors\n");
        first = first ? first : mutant_of(m, i);
        put_mutant(mutant_of(m, i), out);
        fputc('\n', out);
    }
    char *command = first ? repeat_of(m, first->number) : NULL;
    if (command)
        fprintf(out, "  the first one again: %s\n", command);
    free(command);
}

static void put_not_judged(const struct mutate *m, const struct mutate_score *s, FILE *out)
{
    if (s->not_judged > 0)
        fprintf(out, "not judged\n");
    for (size_t i = 0; i < m->chosen; i++) {
        if (m->results[i].fate != MUTATE_NOT_JUDGED)
            continue;
        put_mutant(mutant_of(m, i), out);
        fprintf(out, ": %s\n", m->results[i].why);
    }
}

static void put_dropped(const struct mutate *m, FILE *out)
{
    if (m->dropped_count > 0)
        fprintf(out,
                "rows that were not asked, since the unmutated router itself lacks or fails them: "
                "%zu\n",
                m->dropped_count);
    for (size_t i = 0; i < m->dropped_count; i++)
        fprintf(out, "  %s: %s\n", m->dropped[i].row, m->dropped[i].why);
}

/* The router's options without the last one, its packet bound: the judges try several. */
static int router_length(const struct mutate *m)
{
    return (int)(strrchr(m->plain->router_text, ',') - m->plain->router_text);
}

/* "SCORE 90.20 %  NETWORK ROUTER: 451 of 500 mutants are killed; ..." */
static void put_score(const struct mutate *m, const struct mutate_score *s, FILE *out)
{
    if (m->interrupted) { /* no share: survivors take longest, so most of them are left */
        fprintf(out, "PARTIAL  %s %.*s: %zu mutants are killed, %zu survive, %zu are left\n",
                m->plain->topology_text, router_length(m), m->plain->router_text, s->killed,
                s->mutants - s->killed, m->chosen - s->mutants);
        return;
    }
    fprintf(out, "SCORE %.2f %%  %s %.*s: %zu of %zu mutants are killed", 100 * s->share,
            m->plain->topology_text, router_length(m), m->plain->router_text, s->killed,
            s->mutants);
    if (s->not_judged > 0)
        fprintf(out, "; %zu not judged", s->not_judged);
    fputc('\n', out);
}

void mutate_text(const struct mutate *m, FILE *out)
{
    const struct mutate_score s = mutate_score(m);
    put_score(m, &s, out);
    if (m->job->quiet)
        return;
    for (enum mutate_judge k = 0; k < MUTATE_JUDGES; k++) {
        if (m->asked[k])
            fprintf(out, "  %-8s  kills %zu of %zu\n", mutate_judges[k].word, s.by[k], s.asked[k]);
    }
    put_survivors(m, out);
    put_not_judged(m, &s, out);
    put_dropped(m, out);
}

/* --- Records ---------------------------------------------------------------------------------- */

static const char *fate_of(const struct mutate_result *r)
{
    static const char *const words[] = {[MUTATE_PENDING] = NULL,
                                        [MUTATE_KILLED] = "killed",
                                        [MUTATE_SURVIVED] = "survived",
                                        [MUTATE_NOT_JUDGED] = "not judged"};
    return words[r->fate];
}

static json_t *judges(const struct mutate *m, const struct mutate_score *s)
{
    json_t *list = json_array();
    for (enum mutate_judge judge = 0; judge < MUTATE_JUDGES; judge++) {
        if (m->asked[judge])
            list = record_append(list, RECORD(MUTATE_JUDGED_KEYS));
    }
    return list;
}

static json_t *dropped(const struct mutate *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->dropped_count; i++) {
        const struct mutate_dropped *d = &m->dropped[i];
        list = record_append(list, RECORD(MUTATE_DROPPED_KEYS));
    }
    return list;
}

static json_t *row(const struct mutate *m, size_t i)
{
    const struct ec_mutant *k = mutant_of(m, i);
    const struct mutate_result *r = &m->results[i];
    char *command = repeat_of(m, k->number);
    json_t *record = command ? RECORD(MUTATE_ROW_KEYS) : NULL;
    free(command);
    return record;
}

static json_t *rows(const struct mutate *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->chosen; i++) {
        if (m->results[i].fate != MUTATE_PENDING)
            list = record_append(list, row(m, i));
    }
    return list;
}

bool mutate_json(const struct mutate *m, FILE *out)
{
    const struct ec_case *c = m->plain;
    const struct mutate_score s = mutate_score(m);
    json_t *object = RECORD(MUTATE_KEYS);
    const bool good = object && record_print_json(object, false, out);
    json_decref(object);
    return good;
}

bool mutate_csv(const struct mutate *m, FILE *out)
{
    static const struct record_key keys[] = RECORD_KEYS(MUTATE_ROW_KEYS);
    json_t *list = rows(m);
    const bool good = list && record_print_rows(keys, NULL, list, out);
    json_decref(list);
    return good;
}
