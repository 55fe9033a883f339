/* SPDX-License-Identifier: Apache-2.0 */
/* What `ecube compare` found out, as the writers of text and JSON get it. */
#ifndef CLI_COMPARED_H
#define CLI_COMPARED_H

#include <stdio.h>

#include "ecube/compare.h"
#include "program/options/job.h"
#include "terminal/status.h"
#include "terminal/style.h"

struct cli_compared {
    const struct cli_job *job;
    const struct ec_case *c;
    const char *side[2];          /* as given */
    struct ec_comparison *cycles; /* lock-step; NULL with --deliveries: */
    struct ec_report *report[2];
    struct ec_delivery_comparison deliveries;
    char died[400]; /* how the process of the comparison died; then nothing else is known; or "" */
    enum cli_status status;
};

void cli_text_compare(const struct cli_compared *r, bool brief, const struct cli_style *s,
                      FILE *out);

#endif
