/* SPDX-License-Identifier: Apache-2.0 */
/* A list of items, done by worker processes (base/workers.h) and handed over in list order.
 *
 * Items that end early wait for those before them, so the caller sees the same calls for every
 * number of workers. Must not know what an item is. */
#pragma once

#include <stdio.h>

#include "ecube/error.h"
#include "program/runs/coverage.h"
#include "program/runs/journal.h"
#include "terminal/progress.h"
#include "terminal/vitals.h"

/* How an item ended, besides the bytes that it wrote. Zero at first. */
struct cli_reply {
    enum ec_code code; /* EC_OK, or what failed: */
    struct ec_error error;
    bool whole;        /* the bytes are a result, even if `code` says that something else failed */
    bool final;        /* doing it again would give the same result: the journal keeps it */
    int status;        /* of the caller; the pool does not look at it */
    char warning[760]; /* the same */
};

struct cli_pool_result {
    size_t item;
    const struct cli_reply *reply;
    /* [size], and a zero byte behind it; valid during the call only. */
    const char *bytes;
    size_t size;
    /* The RTL that the item evaluated ended its worker: where and how; `reply` is EC_INTERNAL then.
     * NULL: it did not. */
    const char *death;
    bool late; /* the worker was killed because a cycle took too long */
};

struct cli_pool {
    size_t count;
    unsigned jobs;    /* threads at a time; 0: as many as the processors and the memory allow */
    unsigned threads; /* of a worker: `jobs` is divided by them; 0: 1 */
    bool fresh;       /* every item needs a new process */
    bool split;       /* the only item is done by all ranks together (runs/ranks.h) */
    const char *what; /* of an item, for the progress: "run" */
    bool list;        /* the progress counts the items; false: it shows the activity of the one */
    struct cli_progress *progress;
    /* Where results are kept and taken from: the key of every item. NULL: nowhere. */
    struct cli_journal *journal;
    const struct cli_journal_key *keys; /* [count] */
    struct ec_session *session;         /* whose networks report to the workers; NULL: none */
    struct cli_coverage *coverage;      /* of these networks, taken after each item; NULL: none */
    size_t bytes; /* least memory that a worker is expected to need; 0: not known */
    void *context;

    /* In a worker. The progress of the worker is shown by this process. */
    void (*work)(void *context, size_t item, FILE *out, struct cli_reply *reply);
    /* In a worker, before each item: what its networks report to, besides those of the session.
     * NULL: nothing to do. */
    void (*watched)(void *context, struct ec_vitals *vitals);
    /* In this process, in the order of the list; false: begin no further item, and call off those
     * that have begun. */
    bool (*done)(void *context, const struct cli_pool_result *result);
};

/* Do all items. After an interrupt the workers end; the items that have a result, perhaps a partial
 * one, are still handed over in order, the others are left out. EC_IO: no process can be started;
 * EC_MEMORY. What failed in an item is in its result only. */
enum ec_code cli_pool_run(const struct cli_pool *plan, struct ec_error *reterr);

/* The memory of a worker with a network of so many nodes, as measured for one virtual channel and
 * permutations: others need more, which the pool learns from the first results. */
size_t cli_pool_bytes(uint32_t nodes);
