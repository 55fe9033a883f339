/* SPDX-License-Identifier: Apache-2.0 */
/* Knows the defaults of an open-loop run, and where failures are kept. */
#include "program/case/run_options.h"

#include "terminal/interrupt.h"

enum { WINDOW = 10000, WARMUP = 1000 }; /* cycles of an open-loop run without --cycles, --warmup */

struct ec_run_options cli_run_options(const struct cli_job *job, bool open_loop,
                                      struct cli_progress *progress)
{
    return (struct ec_run_options){
        .cycles = job->spec.has_cycles ? job->spec.cycles
                  : open_loop          ? WINDOW
                                       : 0,
        .warmup = job->spec.has_warmup ? job->spec.warmup
                  : open_loop          ? WARMUP
                                       : 0,
        .startup = job->spec.startup,
        .seed = job->spec.seed,
        .eject_stall = job->spec.eject_stall,
        .keep_packets = job->packets,
        .progress = cli_progress_run,
        .progress_context = progress,
    };
}

static enum ec_code give_traced(void *context, struct ec_shape **ret, struct ec_error *reterr)
{
    const struct cli_tracing *t = context;
    return cli_pool_traced(t->pool, t->c, ret, reterr);
}

struct ec_failure_options cli_failure_options(const struct cli_job *job,
                                              struct cli_tracing *tracing)
{
    return (struct ec_failure_options){
        .folder = job->failure_dir ? job->failure_dir : ".",
        .title = job->command,
        .traced = give_traced,
        .context = tracing,
        .unfinished = &cli_interrupt_unfinished,
    };
}
