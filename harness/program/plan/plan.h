/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: all algorithms for a workload in the order of their cycles, beside what none can beat. */
#pragma once

#include <jansson.h>

#include "base/record.h"
#include "program/options/job.h"
#include "program/plan/axis.h"
#include "terminal/status.h"

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

/* What the permutation is made of (sdp.h, Johnsson and Ho). */
struct advice_factors {
    const char *kind; /* of a permutation of address bits: "real", "mixed", ...; NULL: it is none */
    unsigned order, real_order, storage_order, blocks, cycle_count, complements;
    char cycles[256]; /* as in gsh:cycle= */
    char orders[128],
        real_orders[64]; /* of the constituting mixed GSH, of the real cycles: "3,2" */
    uint32_t shift;      /* q of a shift; 0: it is none */
    char digits[160], signed_digits[256];
};

/* A range of a parameter in which one algorithm is the fastest at all values evaluated,
 * or not known to be at all of them. */
struct advice_range {
    const char *parameter; /* "K", "m", "startup" */
    const struct ec_axis_point *first, *last;
    size_t count;  /* values evaluated */
    bool measured; /* at one of them */
};

enum { ADVICE_AXES = 3 };

struct advice {
    const struct cli_job *job;
    const struct ec_case *c;  /* of algorithm "best", with all candidates */
    bool one, all;            /* are there candidates with one port, with all ports? */
    struct ec_least least[2]; /* by ports, where there are candidates */
    struct advice_row *rows;  /* [c->candidate_count], as the candidates; owned */
    struct advice_factors factors;
    struct ec_axis_points points[ADVICE_AXES]; /* owned */
    const char *parameter[ADVICE_AXES];        /* of these points */
    struct advice_range *ranges;               /* over all axes; owned */
    size_t range_count;
    char *command;    /* that runs the first row; owned */
    bool interrupted; /* runs of rows or points are missing */
    enum cli_status status;
};

/* Everything but text. The case belongs to the caller; the rows point into *ret. */
enum ec_code advice_open(const struct cli_job *job, struct ec_case *c, struct advice *ret,
                         struct ec_error *reterr);
void advice_free(struct advice *a);

void advice_factor(const struct ec_case *c, struct advice_factors *ret);
/* Fills points and ranges. EC_INTERRUPTED: only those of the parameters before. */
enum ec_code advice_follow(struct advice *a, struct ec_error *reterr);

/* A candidate without a prediction that may be faster than the chosen one, or NULL. */
const struct ec_candidate *advice_rival(const struct ec_case *c);

/* Has a run of --run failed? */
bool advice_failed(const struct advice *a);

bool advice_is_direct(const struct ec_candidate *k);
/* The words of --algorithm that give candidate `k`; no longer than its name. */
void advice_algorithm(const struct ec_candidate *k, char *buffer, size_t size);
/* Data that a node receives in the cycles of a candidate, by --clock and --link-bits; GB/s. */
double advice_bandwidth(const struct advice *a, const struct ec_candidate *k);
const char *advice_optimal_name(enum advice_optimal optimal);

void advice_text(const struct advice *a, bool brief, FILE *out);
json_t *advice_record(const struct advice *a);
/* Of the record and of its rows. */
extern const struct record_key advice_keys[];
