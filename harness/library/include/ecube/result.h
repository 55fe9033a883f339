/* SPDX-License-Identifier: Apache-2.0 */
/* Results in words and as JSON: the records that `ecube run` and `ecube audit` print.
 * docs/OUTPUT.md defines their keys. */
#ifndef ECUBE_RESULT_H
#define ECUBE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ecube/audit.h"
#include "ecube/error.h"
#include "ecube/route.h"
#include "ecube/run.h"
#include "ecube/session.h"

#pragma GCC visibility push(default)

/* Can the traffic of a case deadlock, and which options prevent it? */
struct ec_warning {
    enum ec_answer possible;
    char text[560];  /* "can deadlock: why: use what instead"; "": no reason to warn */
    char remedy[48]; /* options without deadlocks, if the routing can deadlock and datelines
                        prevent it; else "" */
};
/* The same as ec_case_deadlock(), in words. EC_MEMORY. */
enum ec_code ec_case_warning(const struct ec_case *c, struct ec_warning *ret,
                             struct ec_error *reterr);
/* "yes", "no" or "not checked". */
const char *ec_answer_name(enum ec_answer answer);

/* How a run ended, in a word. */
enum ec_ending {
    EC_ENDED_PASSED,
    EC_ENDED_FAILED,
    EC_ENDED_UNSTABLE,  /* only the check of stability did not pass: the backlogs grow, */
    EC_ENDED_TOO_SHORT, /* or the window is too short to tell */
    EC_ENDED_DEADLOCKED,
    EC_ENDED_STOPPED, /* by options.cycles; nothing is wrong */
    EC_ENDED_PARTIAL, /* interrupted */
};
/* `expected`: a further check, made by the caller; or NULL. */
enum ec_ending ec_report_ending(const struct ec_report *report, const struct ec_check *expected);
/* "pass", "fail", "unstable", "too short", "deadlock", "stopped" or "partial". */
const char *ec_ending_name(enum ec_ending ending);

/* The failed check that is nearest to the cause: the first that names a router; else the first.
 * EC_CHECK_COUNT: none failed, or only that of stability. */
unsigned ec_report_cause(const struct ec_report *report);

/* What the caller adds to a record. NULL: null in the record, unless the line says otherwise. */
struct ec_result_details {
    const char *command;             /* that repeats the result */
    const char *shape_key;           /* of the compiled router */
    const char *wave, *page;         /* files that the run has written */
    const struct ec_check *expected; /* a further check, "expect"; NULL: none */
    /* Of the case; NULL: they are found here. */
    const struct ec_warning *warning;
    const struct ec_bounds *bounds; /* open loop */
};

/* Write the result of a run of `c` as a JSON object that ends with a newline, on one line or
 * indented. Lists with an element for each channel, source and packet are written element by
 * element: the text of a large network may be longer than its memory. `details` may be NULL. The
 * caller checks the stream; for a string, use open_memstream(). EC_MEMORY. */
enum ec_code ec_report_json(const struct ec_case *c, const struct ec_report *report,
                            const struct ec_result_details *details, bool one_line, FILE *out,
                            struct ec_error *reterr);

/* What is proved of a case without simulation, besides its audit (c->audit, c->found). */
struct ec_proofs {
    bool deadlock_free; /* the routing */
    struct ec_vertex
        *waiting; /* [waiting_count] a cycle of channels, unless deadlock_free; owned */
    size_t waiting_count;
    uint64_t longer;        /* of a table, as in ec_table_check() */
    struct ec_hop *path[2]; /* [hops] of the two messages c->audit->witness; NULL: none; owned */
    size_t hops[2];
    bool has_prediction;
    uint64_t predicted_cycles;
    struct ec_bounds bounds; /* open loop */
    bool has_bits; /* a permutation of address bits, one element per node, sent directly: */
    struct ec_bit_loads bits;
    double seconds; /* wall time of the proofs */
    struct ec_warning warning;
};
/* Audit the case, too (ec_case_audit). EC_MEMORY. */
enum ec_code ec_proofs_open(struct ec_case *c, struct ec_proofs **ret, struct ec_error *reterr);
void ec_proofs_close(struct ec_proofs *p); /* accepts NULL */

/* Neither the routing nor the traffic can deadlock, and a schedule does what it should. */
bool ec_proofs_hold(const struct ec_case *c, const struct ec_proofs *p);

/* Write the audit of `c` as ec_report_json() writes a run. */
enum ec_code ec_audit_json(const struct ec_case *c, const struct ec_proofs *p,
                           const struct ec_result_details *details, bool one_line, FILE *out,
                           struct ec_error *reterr);

#pragma GCC visibility pop

#endif
