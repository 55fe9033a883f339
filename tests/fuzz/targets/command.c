/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines: the words of the program, and what is parsed further before any work is done:
 * sides of a comparison, the variants of a sweep, splits of words and their quotes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "program/options/job.h"
#include "program/sweep/variants.h"

/* Words that are quoted and split again are the same words. */
static void check_quotes(const struct cli_words *words)
{
    struct cli_words again = {0};
    struct ec_error e;
    char *line = cli_words_quote(words->at, words->count);
    if (!line || cli_words_split(line, strlen(line), &again, &e) != EC_OK ||
        again.count != words->count)
        fuzz_fail("quoted words are not as many words again: %s", line ? line : "no memory");
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->at[i], again.at[i]) != 0)
            fuzz_fail("a quoted word is another word: '%s', '%s'", words->at[i], again.at[i]);
    }
    cli_words_free(&again);
    free(line);
}

static void try_job(const struct cli_job *job)
{
    struct cli_side side;
    struct sweep_variants variants;
    struct cli_files files = {0};
    struct ec_error e;
    enum ec_code code;
    for (unsigned k = 0; k < 2 && job->side[k]; k++) {
        code = cli_side_open(job->side[k], &job->spec, &side, &e);
        fuzz_check_error(code, &e);
        if (code == EC_OK)
            cli_side_close(&side);
    }
    if (job->parsed.scope == CLI_SWEEP && job->spec.topology && job->spec.workload) {
        code = sweep_variants_open(job, &variants, &e);
        fuzz_check_error(code, &e);
        if (code == EC_OK)
            sweep_variants_close(&variants);
    }
    cli_job_files(job, 0, &files);
    cli_files_free(&files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cli_words words = {0};
    struct cli_job job = cli_job_default();
    struct ec_error e;
    fuzz_enter_folder();
    if (fuzz_leaves_folder(data, size))
        return -1;
    enum ec_code code = cli_words_split((const char *)data, size, &words, &e);
    fuzz_check_error(code, &e);
    const struct cli_command *command =
        code == EC_OK && words.count > 0 ? cli_command_find(&cli_table, words.at[0]) : NULL;
    if (code == EC_OK && words.count > 0)
        check_quotes(&words);
    if (command && command->scope) {
        code = cli_parse(&cli_table, command, (int)words.count, words.at, &job.parsed, &e);
        fuzz_check_error(code, &e);
        if (code == EC_OK && !job.parsed.help)
            try_job(&job);
    }
    cli_job_free(&job);
    cli_words_free(&words);
    return 0;
}
