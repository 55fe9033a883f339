/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile mutate`: the mutation score of a router. Knows the steps of the command; must not
 * judge.
 */
#include "score/score.h"

#include <stdlib.h>

#include "base/text.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"
#include "verify/commands/commands.h"

static enum ec_code choose_judges(const char *list, bool ret[MUTATE_JUDGES], struct ec_error *e)
{
    struct ec_slice rest = ec_slice_of(list ? list : "tile,rows,lockstep"), one;
    enum ec_code code = EC_OK;
    while (code == EC_OK && ec_slice_take(&rest, ',', &one)) {
        char word[40];
        unsigned judge;
        snprintf(word, sizeof word, "%.*s", EC_SHOWN(one));
        code = cli_read_choice("--judges", word, mutate_judges, &judge, e);
        if (code == EC_OK)
            ret[judge] = true;
    }
    return code;
}

static bool print(const struct mutate *m, FILE *out)
{
    if (m->job->format == CLI_JSON)
        return mutate_json(m, out);
    if (m->job->format == CLI_CSV)
        return mutate_csv(m, out);
    mutate_text(m, out);
    return true;
}

static enum cli_status report(const struct mutate *m, struct ec_output *o)
{
    struct ec_error e;
    if (!print(m, o->file)) {
        ec_output_discard(o);
        ec_fail(&e, EC_MEMORY, "out of memory while writing the score");
        return cli_complain(NULL, &e);
    }
    if (m->interrupted)
        cli_output_interrupted(o);
    if (ec_output_commit(o, &e) != EC_OK)
        return cli_complain(NULL, &e);
    if (m->interrupted)
        return CLI_INTERRUPTED;
    if (m->failure.code != EC_OK)
        return cli_complain("mutants are not judged", &m->failure);
    return mutate_score(m).share < m->job->least ? CLI_FAILED : CLI_OK;
}

static enum cli_status score(struct mutate *m)
{
    struct ec_output output = {0};
    struct ec_error e;
    enum ec_code code = choose_judges(m->job->judges, m->asked, &e);
    if (code == EC_OK)
        code = cli_rtl_check(m->job->spec.rtl, m->job->spec.build, &e);
    if (code == EC_OK)
        code = cli_output_open(m->job->output, &output, &e);
    if (code != EC_OK)
        return cli_complain(NULL, &e);
    cli_interrupt_output(output.temporary, NULL);
    code = mutate_run(m, &e);
    cli_interrupt_output(NULL, NULL);
    if (code == EC_OK)
        return report(m, &output);
    ec_output_discard(&output);
    return cli_complain(NULL, &e);
}

/* As the user may repeat it; malloc'd. NULL: out of memory. */
static char *command_line(int argc, char **argv)
{
    struct cli_words words = {0};
    bool good = cli_words_put(&words, "ecube") && cli_words_put(&words, "tile") &&
                cli_words_put(&words, "mutate");
    for (int i = 1; i < argc && good; i++)
        good = cli_words_put(&words, argv[i]);
    char *line = good ? cli_words_quote(words.at, words.count) : NULL;
    cli_words_free(&words);
    return line;
}

int verify_mutate(const struct cli_command *self, int argc, char **argv)
{
    struct cli_job job = cli_job_default();
    struct cli_progress progress;
    struct mutate m = {.job = &job, .progress = &progress};
    struct ec_error e;
    int status;
    char *line = command_line(argc, argv); /* before parsing, which changes the order */
    job.command = line;
    if (line == NULL) {
        ec_fail(&e, EC_MEMORY, "out of memory");
        status = (int)cli_complain(NULL, &e);
    } else if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_job_choose_format(&job, true);
        cli_progress_init(&progress, job.quiet);
        cli_interrupt_catch();
        if (cli_progress_session(&progress, &m.session, &e) == EC_OK)
            status = (int)score(&m);
        else
            status = (int)cli_complain(NULL, &e);
        cli_progress_end(&progress);
        mutate_close(&m);
        ec_session_close(m.session);
    }
    cli_job_free(&job);
    free(line);
    return status;
}
