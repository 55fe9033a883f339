/* SPDX-License-Identifier: Apache-2.0 */
/* All ranks of a job: loads the module for their MPI, brings them together, and parts them. */
#pragma once

#include "ecube/error.h"
#include "parts/ranks/launch.h"
#include "parts/ranks/messages.h"

/* What each rank says about itself when they meet. */
struct world_greeting {
    const char *version; /* of ecube */
    uint64_t build;      /* of the program and the RTL that it uses */
    const char *command; /* the command line */
    uint32_t threads;    /* parts that this rank offers; 0: this rank has failed */
    enum ec_code code;   /* EC_OK, or why this rank cannot go on: */
    const char *message; /* may be NULL if the code is EC_OK */
};

/* How a rank has ended a meeting: complete, or with a reason why it broke off. */
struct world_leave {
    uint64_t meeting;
    uint64_t number; /* of the last collective of the meeting that is complete for this rank */
    struct exchange_end end; /* its code is EC_OK: complete */
};

struct world {
    const struct messages_api *api;
    struct messages *messages;
    uint32_t rank, ranks;
    uint32_t threads; /* parts of each rank: the least that a rank offers */
    bool crowded;     /* more parts on this host than processors */
    uint32_t closed;  /* rank 0: others that have closed */
    bool broken;      /* messages may be under way that will not be received */
    char (*host)[64]; /* [ranks] their names */
    bool *answered;   /* [ranks] rank 0: since it asked */
    uint64_t meeting;
    struct world_leave
        *leave; /* [2 * ranks] of an even and of an odd meeting; meeting 0: not yet */
};

/* Meet the other ranks. Once in the life of a process, and never in a child of one that did.
 * EC_USAGE without *ret: it is another MPI that has started the ranks, so no rank meets another.
 * EC_TOOL: there is no module for this MPI, or it does not work; the ranks are of different
 * versions. EC_USAGE: different commands. Or the code of the lowest rank that failed. If *ret is
 * not NULL after an error, all ranks have the same error, and world_part is due. */
enum ec_code world_open(const struct launch *launch, const struct world_greeting *greeting,
                        struct world **ret, struct ec_error *reterr);

/* The others wait, with little load on their processors, until rank 0 gets here. After a failure
 * nothing is waited for. */
void world_part(struct world *w);

/* After world_part: end MPI, unless there was a failure; then the process must end soon. NULL is
 * fine. */
void world_close(struct world *w);

/* --- For the transport ------------------------------------------------------------------------ */

enum {
    WORLD_TAG_DATA,
    WORLD_TAG_LEAVE,
    WORLD_TAG_CLOSE,
    WORLD_TAG_ASK, /* by rank 0: are you there? And the answer */
};

/* Waits. `test` returns 1 when it is over, 0 before, and -1 after an error. */
struct world_wait {
    int (*test)(void *object);
    void *object;
    bool idle; /* it may take long, and nothing depends on a quick answer */
    /* After about 1 ms, and again every 1 to 20 ms; false: give up. NULL: never. */
    bool (*look)(void *context, uint64_t passed); /* nanoseconds */
    void *context;
};
/* 1, or -1; 0: `look` gave up. */
int world_await(const struct world *w, const struct world_wait *wait);
