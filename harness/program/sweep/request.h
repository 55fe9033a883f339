/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a sweep, and the commands in the output. */
#pragma once

#include "program/options/job.h"
#include "program/sweep/variants.h"

/* A run of a parsed variant, which owns the other strings. */
struct sweep_request {
    struct ec_case_spec spec;
    char *workload; /* with the rate; owned */
};

/* The run at a rate; `cycles`: of a replica, or 0. EC_MEMORY. */
enum ec_code sweep_request_open(const struct sweep_variant *v, const struct sweep_rate *rate,
                                uint64_t seed, uint64_t cycles, struct sweep_request *ret,
                                struct ec_error *e);
void sweep_request_close(struct sweep_request *q);

/* Command lines, quoted for a shell; malloc'd, NULL without memory. */

/* "ecube run ...": the same run. */
char *sweep_run_command(const struct sweep_variant *v, const struct sweep_rate *rate, uint64_t seed,
                        uint64_t cycles);
/* The command that repeats a row: that of its run, or a sweep of this rate with all seeds. */
char *sweep_row_command(const struct cli_job *job, const struct sweep_variant *v,
                        const struct sweep_rate *rate);
/* The words of a curve, without a command. */
char *sweep_curve_title(const struct sweep_variant *v);
/* The whole sweep, without the options that do not change its result. */
char *sweep_title(const struct cli_job *job);
