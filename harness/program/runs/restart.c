/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints on the command line. Knows which options may change in a run that continues; must not
 * know what is in a checkpoint besides the command. */
#include "program/runs/restart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program/runs/journal.h"
#include "terminal/interrupt.h"

static const char *this_program(char text[CLI_PROGRAM_SIZE])
{
    char hash[CLI_PROGRAM_HASH];
    cli_program_hash(hash);
    snprintf(text, CLI_PROGRAM_SIZE, "ecube " EC_VERSION " (build %.12s)", hash);
    return text;
}

/* --- Saving ----------------------------------------------------------------------------------- */

static enum ec_code read_every(const char *text, struct ec_checkpoint_options *o,
                               struct ec_error *e)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"cycles", 0}};
    char *unit;
    const uint64_t value = strtoull(text, &unit, 10);
    for (size_t i = 0; value > 0 && value <= UINT32_MAX && i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        o->seconds = units[i].seconds * (double)value;
        o->cycles = units[i].seconds > 0 ? 0 : value;
        return EC_OK;
    }
    return ec_fail(e, EC_USAGE,
                   "--every %.60s: expected a number from 1 to %" PRIu32 " and s, min, h or cycles",
                   text, UINT32_MAX);
}

static void tell(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "\recube: warning: %s\n", line);
}

enum ec_code cli_restart_options(const struct cli_job *job, const char *line,
                                 char program[CLI_PROGRAM_SIZE], struct ec_checkpoint_options *ret,
                                 struct ec_error *reterr)
{
    *ret = (struct ec_checkpoint_options){.path = NULL};
    if (!job->checkpoint && !job->restart)
        return EC_OK;
    *ret = (struct ec_checkpoint_options){.path = job->checkpoint,
                                          .program = this_program(program),
                                          .command = line,
                                          .tell = tell,
                                          .unfinished = &cli_interrupt_unfinished};
    return read_every(job->every ? job->every : "10min", ret, reterr);
}

/* --- Continuing ------------------------------------------------------------------------------- */

static enum ec_code check_given(const struct cli_job *job, struct ec_error *e)
{
    static const char *const allowed[] = {"restart", "threads", "checkpoint", "every", "format",
                                          "output",  "quiet",   "verbose",    NULL};
    const struct cli_parsed *p = &job->parsed;
    if (job->spec.topology)
        return ec_fail(e, EC_USAGE,
                       "'%.100s' beside --restart: the file has the topology and the workload",
                       job->spec.topology);
    for (size_t row = 0; p->table->options[row].name; row++) {
        const char *name = p->table->options[row].name;
        size_t k = 0;
        while (allowed[k] && strcmp(allowed[k], name) != 0)
            k++;
        if (p->given[row] != CLI_NOT_GIVEN && !allowed[k])
            return ec_fail(e, EC_USAGE,
                           "--%s beside --restart: the file has the command of the run, and only "
                           "--threads, --checkpoint, --every, --format, --output, --quiet and "
                           "--verbose may differ from it",
                           name);
    }
    return EC_OK;
}

/* Later words win: those of the command line come last. */
static enum ec_code parse_again(const struct cli_command *self, int argc, char **argv,
                                struct cli_job *job, struct cli_restart *r, struct ec_error *e)
{
    const char *command = ec_restart_command(r->from);
    bool good = true;
    enum ec_code code = cli_words_split(command, strlen(command), &r->words, e);
    if (code == EC_OK && (r->words.count < 2 || strcmp(r->words.at[0], "ecube") != 0 ||
                          strcmp(r->words.at[1], self->name) != 0))
        code = ec_fail(e, EC_USAGE, "the checkpoint has the command '%.200s': expected ecube %s",
                       command, self->name);
    for (int i = 1; i < argc; i++)
        good = good && cli_words_put(&r->words, argv[i]);
    if (code == EC_OK && !good)
        code = ec_fail(e, EC_MEMORY, "out of memory");
    if (code != EC_OK)
        return code;
    cli_job_free(job);
    *job = cli_job_default();
    return cli_parse(&cli_table, self, (int)r->words.count - 1, r->words.at + 1, &job->parsed, e);
}

enum ec_code cli_restart_open(const struct cli_command *self, int argc, char **argv,
                              struct cli_job *job, struct cli_restart *ret, struct ec_error *reterr)
{
    char program[CLI_PROGRAM_SIZE];
    enum ec_code code = EC_OK;
    *ret = (struct cli_restart){.from = NULL};
    if (job->restart) {
        code = check_given(job, reterr);
        if (code == EC_OK)
            code = ec_restart_open(job->restart, this_program(program), &ret->from, reterr);
        if (code == EC_OK)
            code = parse_again(self, argc, argv, job, ret, reterr);
    }
    job->spec.saved = job->checkpoint || job->restart;
    struct ec_checkpoint_options none;
    return code == EC_OK && job->every ? read_every(job->every, &none, reterr) : code;
}

void cli_restart_close(struct cli_restart *r)
{
    ec_restart_close(r->from);
    cli_words_free(&r->words);
}
