/* SPDX-License-Identifier: Apache-2.0 */
/* Prints claims and findings: for a person, for programs, for docs/study/REPRODUCTION.md. */
#ifndef CLI_CLAIMS_PRINT_H
#define CLI_CLAIMS_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "claims/rows.h"

/* Findings to print, and how. */
struct cli_claims {
    const struct claims_finding *findings; /* row NULL: not finished */
    size_t count, beyond;                  /* all; results beyond the papers, counted apart */
    bool full;                             /* which grid */
    bool quiet;                            /* only unexpected findings and the summary */
    bool whole;                            /* all claims */
};

void cli_claims_list(const struct claims_row *const *rows, size_t count, FILE *out);
bool cli_claims_list_json(const struct claims_row *const *rows, size_t count, FILE *out);
void cli_claims_text(const struct cli_claims *c, FILE *out);
void cli_claims_markdown(const struct cli_claims *c, FILE *out);

/* One object, indented; several objects, one per line. False: out of memory. */
bool cli_claims_json(const struct cli_claims *c, FILE *out);
bool cli_claims_csv(const struct cli_claims *c, FILE *out);

/* The table of an experiment as CSV, its heading first. */
bool cli_claims_table(const struct claims_finding *f, FILE *out);

#endif
