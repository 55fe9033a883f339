/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: all algorithms for a workload in the order of their cycles, beside what none can beat. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include <jansson.h>

#include "base/record.h"
#include "program/options/job.h"
#include "terminal/status.h"
#include "terminal/style.h"

/* Is a candidate as fast as any algorithm can be? */
enum advice_optimal {
    ADVICE_OPTIMAL,   /* its cycles are the lower bound */
    ADVICE_IN_STEPS,  /* its steps are, but nothing is known of its cycles */
    ADVICE_BEATEN,    /* another one that needs no more ports is faster */
    ADVICE_NOT_KNOWN, /* it is not, and the bound is lower */
};

struct advice_row {
    const struct ec_candidate *k;
    const struct ec_least *least; /* with its ports */
    enum advice_optimal optimal;
    bool ran, passed;  /* --run; passed: all checks, and the cycles are those of the plan */
    uint64_t measured; /* cycles of that run */
};

struct advice {
    const struct cli_job *job;
    const struct ec_case *c;  /* of algorithm "best", with all candidates */
    bool one, all;            /* are there candidates with one port, with all ports? */
    struct ec_least least[2]; /* by ports, where there are candidates */
    struct advice_row *rows;  /* [c->candidate_count], as the candidates; owned */
    char *command;            /* that runs the first row; owned */
    enum cli_status status;
};

/* Everything but text. The case belongs to the caller; the rows point into *ret. */
enum ec_code advice_open(const struct cli_job *job, struct ec_case *c, struct advice *ret,
                         struct ec_error *reterr);
void advice_free(struct advice *a);

/* A candidate without a prediction that may be faster than the chosen one, or NULL. */
const struct ec_candidate *advice_rival(const struct ec_case *c);

/* The words of --algorithm that give candidate `k`; no longer than its name. */
void advice_algorithm(const struct ec_candidate *k, char *buffer, size_t size);
const char *advice_basis(enum ec_basis basis);
const char *advice_optimal_name(enum advice_optimal optimal);

void advice_text(const struct advice *a, bool brief, FILE *out);
json_t *advice_record(const struct advice *a);
bool advice_csv(const struct advice *a, FILE *out);

#endif
