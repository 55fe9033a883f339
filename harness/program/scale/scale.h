/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube scale`: a request, its result, and how it is shown. */
#ifndef CLI_SCALE_H
#define CLI_SCALE_H

#include <jansson.h>
#include <stdio.h>

#include "base/record.h"
#include "ecube/router.h"
#include "parts/ranks/world.h"
#include "program/options/job.h"
#include "program/scale/cut.h"
#include "program/scale/measure.h"
#include "terminal/style.h"

enum { SCALE_LIST_MAX = 16, SCALE_NETWORKS = 4 };

/* Ascending numbers. */
struct scale_list {
    uint32_t value[SCALE_LIST_MAX];
    size_t count;
};

/* "1,2,4", or "2,...,1024", where "..." doubles. EC_USAGE; `option` names the culprit. */
enum ec_code scale_list_read(const char *option, const char *text, struct scale_list *ret,
                             struct ec_error *reterr);

struct scale_row {
    struct scale_cut cut;
    struct scale_point point;
    double verified; /* seconds of a cycle, from a run in so many parts; 0: there was none */
    double bytes;    /* of memory that a rank needs for its routers; 0: not known */
    /* The least link delay that makes each network worth the ranks; 0: none does. */
    unsigned delay[SCALE_NETWORKS];
};

/* Measured speed / predicted speed; 0: it was not measured. */
static inline double scale_ratio(const struct scale_row *row)
{
    return row->verified > 0 ? row->point.cycle / row->verified : 0;
}

/* Networks between machines. The first one is that of the request. */
struct scale_kind {
    const char *name;
    struct scale_network network;
};

struct scale_result {
    const struct cli_job *job;
    const struct ec_case *c;
    struct cli_progress *progress;
    struct scale_list ranks, threads; /* as requested */
    struct scale_measured measured;
    struct scale_kind kinds[SCALE_NETWORKS];
    uint32_t met;           /* ranks between which the first network was measured; 0: none */
    struct scale_row *rows; /* [count] ranks first, then threads; owned */
    size_t count;
    size_t left_out; /* more parts than nodes, or than a run can have */
    size_t best;     /* index of the row with the most cycles per second */
};

/* Measure on this machine. Release with scale_free(), whatever happens. */
enum ec_code scale_open(const struct cli_job *job, struct ec_case *c, struct ec_net_pulse *pulse,
                        struct cli_progress *progress, struct scale_result *ret,
                        struct ec_error *reterr);
/* Run the case in as many threads as the rows say, where they have processors. */
enum ec_code scale_verify(struct scale_result *r, struct ec_case *c, struct ec_error *reterr);
/* Collective: measure the network between all ranks; with --verify also a run over them. In ranks
 * other than 0, `r` has a job and no rows. */
enum ec_code scale_meet(struct scale_result *r, struct ec_case *c, struct world *world,
                        struct ec_error *reterr);
/* Fill all rows. */
void scale_predict_all(struct scale_result *r);
void scale_free(struct scale_result *r);

void scale_text(const struct scale_result *r, const struct cli_style *style, bool brief, FILE *out);
json_t *scale_record(const struct scale_result *r); /* NULL: out of memory */
/* A row for each split. False: out of memory. */
bool scale_csv(const struct scale_result *r, FILE *out);

#endif
