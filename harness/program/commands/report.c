/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube report`: the page of a stored result. Knows which results need a replay; must not know how
 * a page is made. */
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "page/page.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

/* RESULT.json becomes RESULT.html. */
static enum ec_code name_page(const char *stored, const char *given, char *path, size_t size,
                              struct ec_error *e)
{
    const int ending = ec_name_ends(stored, ".json") ? (int)strlen(".json") : 0;
    if (given)
        return ec_path(path, size, e, "%s", given);
    if (strcmp(stored, "-") == 0)
        return ec_fail(e, EC_USAGE,
                       "the result comes from standard input: name the page with "
                       "--output FILE.html");
    return ec_path(path, size, e, "%.*s.html", (int)strlen(stored) - ending, stored);
}

static enum ec_code check_files(const char *stored, const char *page, struct ec_error *e)
{
    struct cli_files files = {0};
    cli_files_read(&files, "RESULT", stored, 0);
    cli_files_write(&files, "--output", page, 0);
    return cli_files_check(&files, NULL, e);
}

static int replay(const struct cli_stored *s, const char *page, bool quiet)
{
    struct cli_replay r;
    struct ec_error e;
    if (cli_replay_open(s, &r, &e) != EC_OK)
        return (int)cli_complain(NULL, &e);
    r.job.report = page;
    r.job.quiet = quiet;
    const int status = cli_run_replay(&r.job, s, cli_command_find(&cli_table, "run"));
    cli_replay_close(&r);
    return status;
}

static int make_page(const struct cli_job *job)
{
    struct cli_stored s;
    struct ec_error e;
    char page[PATH_MAX];
    int status = CLI_OK;
    enum ec_code code = page_available(&e);
    if (code == EC_OK)
        code = name_page(job->result, job->report, page, sizeof page, &e);
    if (code == EC_OK)
        code = check_files(job->result, page, &e);
    if (code == EC_OK)
        code = cli_stored_read(job->result, &s, &e);
    if (code != EC_OK)
        return (int)cli_complain(NULL, &e);
    if (s.kind == CLI_STORED_RUN || s.kind == CLI_STORED_COMPARE) {
        status = replay(&s, page, job->quiet);
    } else {
        cli_interrupt_catch();
        if (cli_page_stored(&s, page, &e) != EC_OK)
            status = (int)cli_complain(NULL, &e);
    }
    cli_stored_close(&s);
    return status;
}

int cli_report(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    int status;
    (void)line;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status))
        status = make_page(&job);
    cli_job_free(&job);
    return status;
}
