/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube compare`: two sides, one workload. */
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/runs/comparison.h"
#include "program/runs/ranks.h"
#include "terminal/status.h"

int cli_compare(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct cli_progress progress;
    struct cli_comparison x;
    struct ec_error e;
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        cli_job_choose_format(&job, false);
        if (cli_rank() > 0)
            cli_job_silence(&job);
        cli_progress_init(&progress, job.quiet);
        enum ec_code code = cli_comparison_open(&job, &progress, &x, &e);
        const bool opened = code == EC_OK;
        if (code == EC_OK)
            code = cli_rtl_check(job.spec.rtl, job.spec.build, &e);
        if (code == EC_OK)
            code = cli_folder_check("--failure-dir", job.failure_dir, &e);
        if (code != EC_OK)
            status = (int)cli_complain(NULL, &e);
        else
            status = cli_comparison_all(&x, &job, self, line);
        if (opened)
            cli_comparison_close(&x);
        cli_progress_end(&progress);
    }
    cli_job_free(&job);
    return status;
}
