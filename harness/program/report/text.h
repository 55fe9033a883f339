/* SPDX-License-Identifier: Apache-2.0 */
/* Results for a person. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "program/report/result.h"
#include "terminal/style.h"

enum cli_detail {
    CLI_BRIEF,  /* the verdict line, and what went wrong */
    CLI_NORMAL, /* figures and a picture of the links */
    CLI_FULL,   /* also every check */
};

/* "1 cycle", "2 cycles". */
static inline const char *cli_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void cli_text_run(const struct cli_run_result *r, enum cli_detail detail,
                  const struct cli_style *style, FILE *out);
void cli_text_audit(const struct cli_audit_result *r, enum cli_detail detail,
                    const struct cli_style *style, FILE *out);

/* What is known of the schedule before it is played; nothing without one. */
void cli_text_schedule(const struct ec_case *c, FILE *out);

/* The last line of a list of jobs: how many of `total` were done, and how they ended. counts[]
 * is indexed by exit status. */
void cli_text_summary(const size_t *counts, size_t total, size_t done, FILE *out);

#endif
