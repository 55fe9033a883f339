/* SPDX-License-Identifier: Apache-2.0 */
/* Items of work in child processes. An item that crashes, exits or never returns does not affect
 * this process.
 *
 * A worker is a fork of this process. It does one item after the other, keeps open objects for the
 * next one, and sends back its output. A worker that dies is replaced. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "ecube/error.h"

enum { EC_WORKERS_MAX = 256 };

/* The outcome of an item. */
struct ec_work_result {
    size_t item;
    bool whole;       /* the worker has done it; `text` is its output */
    const char *text; /* [size], and a zero byte behind it; valid during the call only */
    size_t size;
    /* Otherwise: why the worker is gone, in a few words, and its exit status, or -1. */
    char why[200];
    int status;
    bool late;        /* killed because `alive` of the plan returned false */
    bool killed;      /* by another process or by the system, so the item is not to blame */
    bool interrupted; /* by SIGINT, SIGTERM or SIGHUP: another process wanted it to end */
    void *shared;     /* memory shared with the worker, as it left it */
};

struct ec_workers_plan {
    size_t count;  /* items */
    unsigned jobs; /* workers at a time, 1 to EC_WORKERS_MAX */
    bool fresh;    /* a worker does one item only */
    bool patient;  /* at the end, workers may finish (SIGTERM); else they are killed */
    size_t shared; /* bytes of memory to share with each worker */
    void *context;

    /* In the worker, whose standard output is standard error; all of `shared` is zero. */
    void (*work)(void *context, size_t item, void *shared, FILE *out);
    /* In the worker, after its last item, whose result this process has taken. NULL: nothing to do.
     */
    void (*ended)(void *context);
    /* If not NULL: the last worker, which is not waited for: its process, which the caller must
     * reap (base/child.h). Untouched if there is none. */
    pid_t *last;
    /* In this process, when a worker begins: its shared memory; NULL when it is gone. The callback
     * may be NULL. */
    void (*hired)(void *context, void *shared);
    /* In this process, for every item as soon as it has ended; false: begin no further one. */
    bool (*done)(void *context, const struct ec_work_result *result);
    /* The number of workers allowed now: those beyond it end when their item has ended. At least 1
     * unless an item is at work. NULL: `jobs`. */
    unsigned (*limit)(void *context);
    /* About every 100 ms and after every item; false: begin no further item and end the workers.
     */
    bool (*go_on)(void *context);
    /* About every 100 ms for each worker: may it continue? `seconds`: its processor time so far. If
     * not, `why` gets the reason and the worker is killed. NULL: always. */
    bool (*alive)(void *context, void *shared, double seconds, char *why, size_t size);
};

/* Do all items. EC_OK if `done` was called for every item that was begun; EC_IO if no process can
 * be started; EC_MEMORY. After go_on() returned false, items without a result are not reported. */
enum ec_code ec_workers_run(const struct ec_workers_plan *plan, struct ec_error *reterr);
