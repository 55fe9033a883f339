/* SPDX-License-Identifier: Apache-2.0 */
/* From variants to runs and to command lines. Knows the words of `ecube run` and `ecube sweep`;
 * must not know what a run does. */
#include "program/sweep/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void sweep_request_close(struct sweep_request *q)
{
    free(q->workload);
}

enum ec_code sweep_request_open(const struct sweep_variant *v, const struct sweep_rate *rate,
                                uint64_t seed, uint64_t cycles, struct sweep_request *ret,
                                struct ec_error *e)
{
    struct sweep_request q = {.spec = v->job.spec, .workload = sweep_variant_workload(v, rate)};
    if (!q.workload)
        return ec_fail(e, EC_MEMORY, "out of memory for a sweep");
    q.spec.workload = q.workload;
    q.spec.seed = seed;
    const struct sweep_goal goal = sweep_variant_goal(v, rate->purpose, cycles);
    q.spec.precision = goal.precision;
    q.spec.cycles = goal.cycles;
    *ret = q;
    return EC_OK;
}

/* --- Commands --------------------------------------------------------------------------------- */

/* "ecube COMMAND WORDS...". */
static char *quote(const char *command, const struct cli_words *rest)
{
    struct cli_words words = {0};
    char *text = NULL;
    bool good = cli_words_put(&words, "ecube") && cli_words_put(&words, command);
    for (size_t i = 0; good && i < rest->count; i++)
        good = cli_words_put(&words, rest->at[i]);
    if (good)
        text = cli_words_quote(words.at, words.count);
    cli_words_free(&words);
    return text;
}

char *sweep_run_command(const struct sweep_variant *v, const struct sweep_rate *rate, uint64_t seed,
                        uint64_t cycles)
{
    struct cli_words words = {0};
    char *text = sweep_variant_words(v, rate, seed, cycles, &words) ? quote("run", &words) : NULL;
    cli_words_free(&words);
    return text;
}

static bool put_option(struct cli_words *words, const char *option, const char *value)
{
    return cli_words_put(words, option) && cli_words_put(words, value);
}

/* The options of a sweep that decide its result, besides those of its runs. `rates` may be NULL. */
static bool put_sweep(const struct cli_job *job, const char *rates, struct cli_words *words)
{
    const char *const option = job->replicas > 0 ? "--replicas" : "--seeds";
    char number[24];
    snprintf(number, sizeof number, "%u", cli_job_runs(job));
    return (!rates || put_option(words, "--rates", rates)) &&
           (cli_job_runs(job) == 1 || put_option(words, option, number));
}

char *sweep_curve_title(const struct sweep_variant *v)
{
    struct cli_words words = {0};
    char *text = NULL;
    if (strstr(v->label, "rtl=")) /* instead of its files, which its points name */
        return asprintf(&text, "%s %s (%s)", v->topology, v->workload, v->label) < 0 ? NULL : text;
    if (sweep_variant_base(v, SWEEP_GRID, &words))
        text = cli_words_quote(words.at, words.count);
    cli_words_free(&words);
    return text;
}

/* The command of the sweep without the options that do not change its result. */
char *sweep_title(const struct cli_job *job)
{
    struct cli_words words = {0};
    char *text = NULL;
    bool good =
        cli_words_put(&words, job->spec.topology) && cli_words_put(&words, job->spec.workload);
    for (size_t i = 0; good && i < job->parsed.repeated.count; i++)
        good = cli_words_put(&words, job->parsed.repeated.at[i]);
    for (size_t i = 0; good && i < job->vary.count; i++)
        good = put_option(&words, "--vary", job->vary.at[i]);
    good = good && put_sweep(job, job->rates, &words);
    if (good && job->saturation != CLI_SATURATION_DEFAULT)
        good =
            put_option(&words, "--saturation", cli_choice_word(cli_saturations, job->saturation));
    if (good)
        text = quote("sweep", &words);
    cli_words_free(&words);
    return text;
}

char *sweep_row_command(const struct cli_job *job, const struct sweep_variant *v,
                        const struct sweep_rate *rate)
{
    struct cli_words words = {0};
    char seed[24], *text = NULL;
    if (cli_job_runs(job) == 1)
        return sweep_run_command(v, rate, job->spec.seed, 0);
    snprintf(seed, sizeof seed, "%" PRIu64, job->spec.seed);
    if (sweep_variant_base(v, rate->purpose, &words) && put_sweep(job, rate->text, &words) &&
        put_option(&words, "--seed", seed))
        text = quote("sweep", &words);
    cli_words_free(&words);
    return text;
}
