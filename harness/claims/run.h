/* SPDX-License-Identifier: Apache-2.0 */
/* A row that is being judged: what its experiment has reported so far. */
#ifndef CLAIMS_RUN_H
#define CLAIMS_RUN_H

#include "claims/experiment.h"

struct claims_runner;

enum claims_column { CLAIMS_PREDICTED, CLAIMS_AUDITED, CLAIMS_MEASURED, CLAIMS_COLUMNS };

/* The range of one number over all cases. */
struct claims_span {
    char what[60]; /* "": not used */
    uint64_t low, high;
};

struct claims_run {
    const struct claims_row *row;
    const struct claims_options *options;
    struct claims_runner *runner;
    struct claims_finding *finding;

    uint64_t cases, true_cases;
    uint64_t inside, inside_true;   /* conditional cases: condition true, */
    uint64_t outside, outside_true; /* and false */
    bool conditional, equivalent;
    uint64_t open; /* cases that are neither true nor false, not in `cases` */
    char first_open[240];
    uint64_t bounds, reached; /* cases of <= and >=, and those with equality */
    uint64_t slack;           /* largest */
    char broken[400];         /* the first failed requirement; "": none */
    char unchecked[200];      /* what this router cannot show; "": nothing */

    struct claims_span spans[CLAIMS_COLUMNS][6];
    char *command;         /* of the last audit or run; these four are owned, NULL: none */
    char *counter_command; /* of the first false case */
    char *
        inside_command; /* of the first true case under the condition, if the experiment chose it */
    char *largest_command; /* of the largest number seen */
    uint64_t largest;
    bool largest_measured;
    bool chosen; /* `command` is of claims_shown_by() */
    bool aside;  /* columns and commands do not show the current audit */
    bool memory_short;
    bool cut; /* a text did not fit: the row fails */
};

/* Keep the command of the largest `value`; measured numbers take precedence over audited ones. */
void claims_remember(struct claims_run *run, bool measured, uint64_t value);
void claims_span(struct claims_run *run, enum claims_column column, const char *what,
                 uint64_t value);
/* Append a text, with a separator unless it is the first. */
void claims_append(struct claims_run *run, char *buffer, size_t size, const char *separator,
                   const char *text);
/* Set the command that reproduces the next cases. */
void claims_set_command(struct claims_run *run, const char *format, ...) CLAIMS_FORMAT(2, 3);
/* A requirement failed, so the row fails. Only the first failure is kept. */
void claims_break(struct claims_run *run, const char *format, ...) CLAIMS_FORMAT(2, 3);

struct claims_runner *
claims_runner_open(const struct claims_options *options); /* NULL: no memory */
void claims_runner_close(struct claims_runner *runner);

#endif
