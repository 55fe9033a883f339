/* SPDX-License-Identifier: Apache-2.0 */
/* State that a worker process shares while it evaluates RTL: its progress and its unfinished files.
 * The watching process uses it to detect a hang, to report where the worker died, and to clean up.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "base/output.h"
#include "base/workers.h"
#include "ecube/net.h"

/* The time that RTL may take for one cycle. */
#define EC_CYCLE_SECONDS            10.0 /* of processor time; $ECUBE_CYCLE_SECONDS overrides it */
#define EC_CYCLE_SECONDS_PER_ROUTER 1e-3 /* more for each router */
#define EC_CYCLE_SLEEP              60.0 /* times that in real time: RTL may call C that sleeps */

struct ec_vitals {
    struct ec_net_pulse pulse[2]; /* of the network that the worker steps; of side B */
    volatile pid_t pid;           /* of the worker; 0: it has not begun */
    struct ec_unfinished_files files;

    /* Of the process that watches: */
    uint64_t beats; /* of the pulse when it was last seen to beat */
    double since;   /* processor time of the worker at that moment, in seconds */
    double asleep;  /* real time since then, while this process watched */
    double tick;    /* real time of the last check */
};

/* EC_USAGE if $ECUBE_CYCLE_SECONDS is not a number above 0; empty is the default. */
enum ec_code ec_vitals_check(struct ec_error *reterr);

/* As ec_workers_plan.alive, with a struct ec_vitals as `shared` and no context: false, with the
 * reason, if the worker spends too much time in one cycle. */
bool ec_vitals_alive(void *context, void *shared, double seconds, char *why, size_t size);

/* Did a worker die because of the RTL that it evaluated? If so, the text says where. */
bool ec_vitals_death(const struct ec_work_result *r, char *text, size_t size);

/* Remove the files that a worker left unfinished. */
void ec_vitals_tidy(struct ec_vitals *v);

/* For signal handlers. Ask the worker to end at once, with a SIGTERM that it can tell from others;
 * false if it has ended. May be repeated. */
bool ec_vitals_ask(struct ec_vitals *v);
bool ec_vitals_asks(const siginfo_t *signal);

/* Kill the worker and tidy up. A signal handler may call it. */
void ec_vitals_end(struct ec_vitals *v);
