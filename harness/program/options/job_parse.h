/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of job.c share: the table of options, what is made of each, and of all. */
#ifndef CLI_JOB_PARSE_H
#define CLI_JOB_PARSE_H

#include "program/options/job.h"

/* Options without a letter. */
enum {
    KEY_ROUTER = 0x100,
    KEY_ALGORITHM,
    KEY_SYNC,
    KEY_LOCAL_COST,
    KEY_PACKET,
    KEY_STARTUP,
    KEY_CYCLES,
    KEY_WARMUP,
    KEY_SEED,
    KEY_EJECT_STALL,
    KEY_BACKEND,
    KEY_RTL,
    KEY_TOP,
    KEY_EXPECT,
    KEY_FORMAT,
    KEY_FROM,
    KEY_PACKETS,
    KEY_NO_SLEEP,
    KEY_SHUFFLE,
    KEY_WAVE,
    KEY_WAVE_NODES,
    KEY_WAVE_CYCLES,
    KEY_EVENTS,
    KEY_EVENTS_FORMAT,
    KEY_EVENTS_NODES,
    KEY_EVENTS_PACKETS,
    KEY_EVENTS_CYCLES,
    KEY_FAILURE_DIR,
    KEY_NO_FAILURE_WAVE,
    KEY_RANDOM_INIT,
    KEY_DELIVERIES,
    KEY_SOAK,
    KEY_TIME,
    KEY_LAST = KEY_TIME,
};

error_t cli_job_parse(int key, char *arg, struct argp_state *state);

/* Do all the words together make sense? */
enum ec_code cli_job_check(const struct cli_job *job, struct ec_error *e);

#endif
