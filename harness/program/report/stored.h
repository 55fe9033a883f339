/* SPDX-License-Identifier: Apache-2.0 */
/* A result that was stored as JSON: reading it, and comparing a replay with it. The file may be
 * damaged or hostile: nothing in it is trusted. */
#pragma once

#include <jansson.h>

#include "ecube/run.h"
#include "program/options/job.h"
#include "terminal/words.h"

enum cli_stored_kind {
    CLI_STORED_RUN,
    CLI_STORED_COMPARE,
    CLI_STORED_SWEEP,
    CLI_STORED_REGRESS,
};

struct cli_stored {
    const char *path;          /* for messages; borrowed */
    json_t *result;            /* an object; owned */
    enum cli_stored_kind kind; /* by its schema */
    const char *kind_name;     /* "run" */
    const char *command;       /* NULL: none */
    const char *digest;        /* of a run that can be replayed, else NULL */
    const char *version;       /* of the program that made it; NULL: unknown */
};

/* `path` "-" is standard input. EC_USAGE: no result, or one that cannot be shown; the message names
 * the file. */
enum ec_code cli_stored_read(const char *path, struct cli_stored *ret, struct ec_error *reterr);
void cli_stored_close(struct cli_stored *s);

/* What a replay of its command needs: the case, side A of a comparison, and nothing that writes a
 * file. The strings belong to *ret_words, which the caller frees. EC_USAGE. */
struct cli_replay {
    struct cli_words words;
    struct cli_side side; /* of a comparison */
    struct cli_job job;
};
enum ec_code cli_replay_open(const struct cli_stored *s, struct cli_replay *ret,
                             struct ec_error *reterr);
void cli_replay_close(struct cli_replay *r);

/* Did the replay do what the stored run did? EC_INTERNAL: no. EC_INTERRUPTED. */
enum ec_code cli_stored_check(const struct cli_stored *s, const struct ec_report *report,
                              struct ec_error *reterr);
