/* SPDX-License-Identifier: Apache-2.0 */
/* The mutation score of a router: how many of its mutants the checks of ecube find.
 *
 * Judges are asked in their order until one finds the mutant. What each of them sees of the
 * unmutated router is what it expects. Mutant 0 of each group is that router again, as a netlist:
 * no judge may find it. */
#ifndef CLI_MUTATE_H
#define CLI_MUTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "mutate/mutants.h"
#include "program/options/job.h"
#include "program/regress/regress.h"
#include "terminal/progress.h"

enum mutate_judge {
    MUTATE_TILE,     /* `ecube tile check`, in everything that the compiled router serves */
    MUTATE_ROWS,     /* runs: their verdicts, and the digests of all words and cycles */
    MUTATE_LOCKSTEP, /* the same runs beside the unmutated router, all signals in every cycle */
    MUTATE_JUDGES,
};
extern const struct cli_choice mutate_judges[]; /* their words */

/* What became of a mutant. */
struct mutate_result {
    bool known;
    bool killed;
    enum mutate_judge judge; /* that killed it */
    char why[1100];          /* what the judge saw */
    double seconds;          /* of all judges that were asked */
};

enum { MUTATE_MODES_MAX = 1000 };

struct mutate {
    const struct cli_job *job;
    struct cli_progress *progress;
    struct ec_session *session;
    struct ec_case *plain; /* the unmutated router on the network; owned */
    struct ec_mutants mutants;
    bool asked[MUTATE_JUDGES];     /* --judges */
    char **rtl;                    /* [mutants.groups] sources of a group; owned */
    char modes[MUTATE_MODES_MAX];  /* verdicts of the trial of the unmutated router, in order */
    struct regress_file rows;      /* with the results of the unmutated router; owned */
    struct mutate_result *results; /* [mutants.count]; owned */
    double seconds;                /* of the whole judging, in real time */
};

/* Make the mutants, judge the unmutated router and then all mutants. EC_CONTRACT: the unmutated
 * router fails itself. Release with mutate_close, whatever happens. */
enum ec_code mutate_run(struct mutate *m, struct ec_error *reterr);
void mutate_close(struct mutate *m);

/* --- Judges, in a worker ---------------------------------------------------------------------- */

/* The router of a group; 0: the unmutated one. */
struct ec_case_spec mutate_spec(const struct mutate *m, size_t group);
/* Load the compiled routers that the judges need. */
enum ec_code mutate_load(const struct mutate *m, size_t group, bool random_init,
                         struct ec_error *reterr);
/* What the tile check sees of the unmutated router. */
enum ec_code mutate_expect_modes(const struct mutate *m, struct ec_net_pulse *pulse, FILE *out,
                                 struct ec_error *reterr);
/* The rows that the router has, without results. */
enum ec_code mutate_rows(struct mutate *m, struct ec_error *reterr);
enum ec_code mutate_expect_row(const struct mutate *m, struct regress_line *l,
                               struct ec_error *reterr);
/* Judge mutant `number` of a group. *asks: the judge that it is with. */
enum ec_code mutate_judge(const struct mutate *m, size_t group, uint32_t number,
                          struct ec_net_pulse *pulse, volatile unsigned char *asks,
                          struct mutate_result *ret, struct ec_error *reterr);

/* --- Scores ----------------------------------------------------------------------------------- */

struct mutate_score {
    size_t judged, killed, survived;
    size_t by[MUTATE_JUDGES], asked[MUTATE_JUDGES]; /* killed by, and asked for */
    double share;                                   /* killed of those judged; 0 without any */
};
struct mutate_score mutate_score(const struct mutate *m);

void mutate_text(const struct mutate *m, FILE *out);
/* The score as an object, or each mutant as a line of CSV. False if memory ran out. */
bool mutate_json(const struct mutate *m, FILE *out);
bool mutate_csv(const struct mutate *m, FILE *out);

#endif
