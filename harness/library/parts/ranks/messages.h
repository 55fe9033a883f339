/* SPDX-License-Identifier: Apache-2.0 */
/* What ecube needs of MPI: messages between the ranks of a job. A rank is a process that a launcher
 * (mpirun, srun) started together with others.
 *
 * MPI has no binary interface that all libraries share. So this one is implemented by a module for
 * each library (mpi/module.c, compiled once against each mpi.h), which is loaded when the program
 * runs under that MPI (world.c). Nothing else knows MPI.
 *
 * All transfers run in the background: they are started, and then tested until they are complete.
 * So the caller decides how to wait. All functions are called by one thread. A bool is false, and a
 * test negative, if MPI reports an error: then ->why() says which, and the ranks cannot go on. */
#pragma once

#include "ecube/topology.h"
#include "parts/exchange.h"

#define MESSAGES_ABI   2
#define MESSAGES_ENTRY "ec_messages_api" /* const struct messages_api *(void) */

enum {
    MESSAGES_WHY = 256,
    MESSAGES_UNIT = 64, /* sizes and places of collected bytes are multiples of it */
};

/* What begin() opens: this process as a rank. */
struct messages;

/* A value to be folded, and how: an enum exchange_fold. */
struct messages_value {
    uint64_t value, fold;
};

struct messages_api {
    uint32_t abi;
    const char *library; /* "Open MPI": the one of the headers */

    /* MPI_Init; once in the life of a job's process. `why` gets a line on failure. */
    bool (*begin)(struct messages **ret, uint32_t *ret_rank, uint32_t *ret_ranks,
                  char why[MESSAGES_WHY]);
    /* MPI_Finalize, which waits for all ranks; nothing may be under way. */
    void (*end)(struct messages *m);
    /* MPI_Abort: end all ranks, this one included. */
    void (*kill)(struct messages *m, int status);
    const char *(*why)(const struct messages *m);

    /* Collective, one at a time: start, then test until 1. Buffers are borrowed until then.
     * fold: in place, count <= INT32_MAX; the folds are the same in all ranks.
     * collect: units[r] units of rank r arrive at all + MESSAGES_UNIT * at[r] in all ranks if
     * `everyone`, else in rank 0 (`all` is NULL in the others). */
    bool (*fold_start)(struct messages *m, struct messages_value *values, size_t count);
    bool (*collect_start)(struct messages *m, const void *bytes, void *all, const int *units,
                          const int *at, bool everyone);
    int (*test)(struct messages *m);

    /* Messages to one rank, at most INT32_MAX bytes, which are copied; those of a tag arrive in
     * order. find: 1: a message with this tag has come, of *ret_size bytes, from *rank, or if that
     * is EC_NONE from any rank, which *rank then names; take must follow. sent: 1: all have left
     * this process. */
    bool (*send)(struct messages *m, uint32_t rank, unsigned tag, const void *bytes, size_t size);
    int (*find)(struct messages *m, unsigned tag, uint32_t *rank, size_t *ret_size);
    bool (*take)(struct messages *m, void *bytes);
    int (*sent)(struct messages *m);
};
