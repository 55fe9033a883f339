/* SPDX-License-Identifier: Apache-2.0 */
/* `--algorithm best`: the fastest of all algorithms that apply, direct among them. */
#ifndef CLI_BEST_H
#define CLI_BEST_H

#include <stdio.h>

#include "program/case/case.h"

/* Where the cycles of a candidate come from. Only the first two are compared. */
enum cli_basis { CLI_PREDICTED, CLI_MEASURED, CLI_AT_LEAST };

struct cli_candidate {
    char algorithm[200];
    enum ec_ports ports;
    uint64_t cycles;
    enum cli_basis basis;
};

struct cli_best {
    struct cli_candidate *list; /* the one chosen first, then by cycles; owned */
    size_t count, room;
};

/* Choose for the workload of `c`, whose words are read. *ret_schedule and *ret_played (the messages
 * of it) are the caller's, NULL for direct; the ports and the list go into the case. Candidates
 * without a prediction are run on ecube's own routers, if the case has a pool. EC_USAGE if the
 * algorithms of "best" cannot carry such a workload. */
enum ec_code cli_best_choose(struct cli_case *c, struct ec_schedule **ret_schedule,
                             struct ec_workload **ret_played, struct ec_error *reterr);
void cli_best_close(struct cli_best *b); /* NULL is fine */

/* What was chosen, and what the others would take. */
void cli_best_text(const struct cli_best *b, FILE *out);

#endif
