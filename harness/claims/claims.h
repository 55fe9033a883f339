/* SPDX-License-Identifier: Apache-2.0 */
/* The claims of the literature, one row each, and how they are judged.
 *
 * A row is data (rows.h): what the paper states, where, the grid to test it on, and the
 * expected verdict. Its experiment computes everything else. claims_judge() judges a row in the
 * calling process; workers.h judges many rows in worker processes. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

#define CLAIMS_VERDICTS(X)                                                                         \
    X(HOLDS, "holds")     /* true on the whole grid */                                             \
    X(REFUTED, "refuted") /* false somewhere; the finding has the smallest counterexample */       \
    X(CONDITIONAL, "conditional")   /* true exactly under the condition given */                   \
    X(UNVERIFIABLE, "unverifiable") /* cannot be verified here; an equivalent is run instead */    \
    X(NOT_RUN, "not run")           /* needs something that is missing */

enum claims_verdict {
#define CLAIMS_ENUM(name, text) CLAIMS_##name,
    CLAIMS_VERDICTS(CLAIMS_ENUM)
#undef CLAIMS_ENUM
        CLAIMS_VERDICT_COUNT
};
const char *claims_verdict_text(enum claims_verdict v);

struct claims_run; /* a row being judged (experiment.h) */

/* A line of a record. */
struct claims_line {
    const char *key, *value;
    unsigned number; /* in its file, from 1 */
};

/* Texts are stored as in the record. */
struct claims_row {
    unsigned number;
    const char *id, *source, *place, *statement;
    const char *grid;     /* grid names of grids.h and other words; "[a|b]": quick, full */
    const char *check;    /* S static, T timed on RTL, A arithmetic; then what is compared */
    const char *relation; /* "==", "<=", "iff", ... */
    enum claims_verdict expected;
    const char *remark;         /* the condition, the correction, what is run instead; or "" */
    const char *counterexample; /* the smallest, exactly as the experiment prints it; or NULL */
    void (*experiment)(struct claims_run *run); /* NULL: not run */
    int with;                                   /* for experiments that serve several rows */
    const struct claims_line *script;           /* an experiment written in the record */
    size_t script_count;
    const char *const *forms; /* closed forms and grids for scripts; NULL: none */
    const char *needs;        /* what a missing experiment would need */
    unsigned line;            /* of its record */
    bool beyond;              /* a result of ours that no paper claims; counted apart */
};

struct claims_options {
    bool full;       /* the full grid instead of the quick one */
    const char *rtl; /* comma-separated sources of another router, and its module; or NULL */
    const char *top;
    struct ec_net_pulse *pulse; /* for the networks of the experiments; or NULL */
    /* Called with a line about slow work (compiling a router); may be NULL. */
    void (*progress)(void *context, const char *line);
    void *progress_context;
};

/* The result of judging a row. Texts contain no times. */
struct claims_finding {
    const struct claims_row *row;
    enum claims_verdict verdict;
    bool
        as_expected; /* verdict and counterexample match the record, and all requirements are met */
    uint64_t cases;
    char predicted[300], audited[300], measured[300];
    char note[700]; /* the reasons for the verdict: counts, slack, counterexample, failures */
    char counterexample[240];
    json_t
        *commands; /* array of texts: commands that reproduce it, the counterexample first; owned */
    json_t *table; /* array of arrays of texts, the heading first; NULL: none; owned */
    double seconds;
};
void claims_finding_close(struct claims_finding *f);

/* Judge one row in this process. Errors go into the finding, which is then unexpected; only
 * EC_MEMORY is returned. */
enum ec_code claims_judge(const struct claims_row *row, const struct claims_options *options,
                          struct claims_finding *ret, struct ec_error *reterr);

#endif
