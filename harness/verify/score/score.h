/* SPDX-License-Identifier: Apache-2.0 */
/* The mutation score of a router: how many of its mutants the checks of ecube find.
 *
 * Judges are asked in their order until one finds the mutant. What each of them sees of the
 * unmutated router is what it expects. Mutant 0 of each group is that router again, as a netlist:
 * no judge may find it. */
#ifndef EC_SCORE_H
#define EC_SCORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "mutate/mutants.h"
#include "program/options/job.h"
#include "program/regress/regress.h"
#include "program/runs/journal.h"
#include "program/runs/pool.h"
#include "terminal/progress.h"

enum mutate_judge {
    MUTATE_TILE,     /* `ecube tile check`, in everything that the compiled router serves */
    MUTATE_ROWS,     /* runs: their verdicts, and the digests of all words and cycles */
    MUTATE_LOCKSTEP, /* the same runs beside the unmutated router, all signals in every cycle */
    MUTATE_JUDGES,
};
extern const struct cli_choice mutate_judges[]; /* their words */

enum mutate_fate {
    MUTATE_PENDING, /* an interrupt came before */
    MUTATE_KILLED,
    MUTATE_SURVIVED,
    MUTATE_NOT_JUDGED, /* a judge could not do its work */
};

/* What became of a mutant. */
struct mutate_result {
    enum mutate_fate fate;
    enum mutate_judge judge; /* that killed it */
    unsigned asked;          /* a bit for each judge that was */
    char why[1100];          /* what the judge saw, or why it could not judge */
    double seconds;          /* of all judges that were asked */
    bool whole;              /* it survived more than the brief tile check */
};

/* A row that judges no mutant, since the unmutated router itself fails in it. */
struct mutate_dropped {
    char *row; /* owned */
    char why[400];
};

enum { MUTATE_MODES_MAX = 1000 };

struct mutate {
    const struct cli_job *job;
    struct cli_progress *progress;
    struct ec_session *session;
    struct ec_case *plain; /* the unmutated router on the network; owned */
    struct ec_mutants_request request;
    struct ec_mutants mutants;
    uint32_t *numbers; /* [chosen] the mutants to be judged, in order; owned */
    size_t chosen;
    bool asked[MUTATE_JUDGES];       /* --judges */
    bool asking[MUTATE_JUDGES];      /* of them, at present */
    char **rtl;                      /* [mutants.groups] sources of a group; owned */
    bool brief;                      /* the tile check is brief, at present */
    char modes[2][MUTATE_MODES_MAX]; /* verdicts of the tile check of the unmutated router, in
                                        order; [1]: of the brief one */
    struct regress_file rows;        /* with the results of the unmutated router; owned */
    struct mutate_dropped *dropped;  /* [dropped_count]; owned */
    size_t dropped_count;
    struct mutate_result *results; /* [chosen]; owned */
    bool made_folder;              /* it did not exist before */
    struct cli_journal *journal;   /* results of the judges, in the folder; owned */
    bool interrupted;              /* some results are missing */
    struct ec_error failure;       /* the first reason why a mutant is not judged; EC_OK: none */
    double seconds;                /* of the whole judging, in real time */
};

/* Make the mutants, judge the unmutated router and then all mutants. EC_CONTRACT: the unmutated
 * router fails itself. EC_INTERRUPTED: before there was any result; later only `interrupted` says
 * so. Release with mutate_close, whatever happens. */
enum ec_code mutate_run(struct mutate *m, struct ec_error *reterr);
void mutate_close(struct mutate *m);

/* --- Steps ------------------------------------------------------------------------------------ */

/* What the workers of a step share. */
struct mutate_work {
    struct mutate *m;
    struct ec_vitals *vitals; /* in a worker: its own */
    volatile unsigned char
        *asks;         /* [items] shared with the workers: the judge that an item is with */
    const size_t *at;  /* [items - groups] the results of those behind the mutants 0 */
    bool *sound;       /* [groups] its mutant 0 is the router */
    enum ec_code code; /* EC_OK, or why an item could not be done: */
    struct ec_error error;
};

/* Do the items in workers. EC_INTERRUPTED after Ctrl-C. */
enum ec_code mutate_pool(struct mutate_work *w, struct cli_pool *pool, struct ec_error *reterr);

/* Make the mutants; compile their groups; let the judges see the unmutated router. */
enum ec_code mutate_make(struct mutate *m, struct ec_error *reterr);
enum ec_code mutate_compile(struct mutate *m, struct ec_error *reterr);
enum ec_code mutate_expect(struct mutate *m, struct ec_error *reterr);

/* --- Journal ---------------------------------------------------------------------------------- */

/* The key of what `how` finds out about a mutant of a group: all that decides it. */
struct cli_journal_key mutate_key(const struct mutate *m, const char *how, size_t group,
                                  uint32_t number);

/* --- Judges, in a worker ---------------------------------------------------------------------- */

/* The router of a group; 0: the unmutated one. */
struct ec_case_spec mutate_spec(const struct mutate *m, size_t group);
/* Load the compiled routers that the judges need. */
enum ec_code mutate_load(const struct mutate *m, size_t group, bool random_init,
                         struct ec_error *reterr);
/* What the tile check sees of the unmutated router. */
enum ec_code mutate_expect_modes(const struct mutate *m, bool brief, struct ec_net_pulse *pulse,
                                 FILE *out, struct ec_error *reterr);
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
    size_t mutants; /* with a result */
    size_t killed, survived, not_judged;
    size_t by[MUTATE_JUDGES], asked[MUTATE_JUDGES]; /* killed by, and asked for */
    double share;                                   /* killed of all; 0 without any */
};
struct mutate_score mutate_score(const struct mutate *m);

void mutate_text(const struct mutate *m, FILE *out);
/* The score as an object, or each mutant as a line of CSV. False if memory ran out. */
bool mutate_json(const struct mutate *m, FILE *out);
bool mutate_csv(const struct mutate *m, FILE *out);

#endif
