/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange: how the parts of one split run meet. A part is a thread that runs the same code as
 * all other parts on its own nodes. It knows the others only through its exchange: bytes for
 * neighbours and numbers for all. The exchange does not know what the bytes and numbers mean.
 *
 * Collectives. exchange_swap, exchange_fold and exchange_gather are collective: all parts call the
 * same ones in the same order with the same count, fold and `everyone`. A call returns when its
 * result is complete. It returns false if the result will never be complete, because another part
 * called exchange_abort or returned from its body too early: then all later calls return false as
 * well, exchange_why says why, and the part should free what it owns and return. No call waits for
 * ever, unless a part neither returns nor calls.
 *
 * Results depend on the values only, never on the speed of the parts. (Only the call in which a
 * part notices an abort depends on it.)
 *
 * Ownership. The exchange owns all buffers. One exchange object belongs to one part, and only the
 * thread of this part may use it, during the body. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

struct exchange_bytes {
    unsigned char *data; /* aligned to 64 bytes; meaningless if room is 0 */
    size_t size, room;
};

/* How the numbers of all parts become one number. */
enum exchange_fold {
    EXCHANGE_SUM, /* modulo 2^64: a part may count below 0 */
    EXCHANGE_MIN,
    EXCHANGE_MAX,
    EXCHANGE_OR,
};

enum {
    EXCHANGE_VALUES = 16, /* the most values of a swap */
    EXCHANGE_ALIGN = 64,  /* of every buffer, in bytes */
    EXCHANGE_WHY = 256,   /* the longest reason, with its end */
};

/* Why no call will be complete any more. */
struct exchange_end {
    enum ec_code code;      /* EC_OK: calls are still completed */
    char why[EXCHANGE_WHY]; /* one line, or "" */
};

struct exchange;

/* What a transport implements; callers use the functions below. */
struct exchange_ops {
    bool (*swap)(struct exchange *x, uint64_t *values, const enum exchange_fold *fold,
                 size_t count);
    bool (*fold)(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold);
    bool (*gather)(struct exchange *x, const void *bytes, size_t size, bool everyone,
                   const struct exchange_bytes **ret);
    void (*abort)(struct exchange *x, enum ec_code code, const char *why);
    const struct exchange_end *(*end)(const struct exchange *x);
};

struct exchange {
    const struct exchange_ops *ops;
    uint32_t part, parts;
    uint32_t neighbours;       /* parts with which this one swaps bytes */
    const uint32_t *neighbour; /* [neighbours] their numbers, ascending */

    /* [neighbours] `to` is filled with exchange_append and keeps its contents until the next swap,
     * also during folds and gathers. `from` is read only, is what the neighbours had in their `to`
     * at the last swap, and is valid until the next one. Both pointers may change in a swap. */
    struct exchange_bytes *to, *from;

    /* Called by a part that has waited long in a collective for `part`, again every 20 ms or so,
     * and with its own number when the wait is over. Set by the owner of the exchange; NULL: not
     * called. */
    void (*waiting)(void *context, uint32_t part);
    /* Called in part 0, if a rank neither computes in time nor answers: once in a collective that
     * takes longer than 30 s. NULL: not called. */
    void (*silent)(void *context, uint32_t rank, const char *host);
    void *waiting_context; /* of both */
};

/* Collective: what each part has in to[] arrives in from[] of its neighbours; `to` is empty
 * afterwards. values[i] of all parts are folded by fold[i]; all parts get the results in `values`.
 * fold is the same in all parts; count <= EXCHANGE_VALUES. On false, values and from are
 * meaningless. */
static inline bool exchange_swap(struct exchange *x, uint64_t *values,
                                 const enum exchange_fold *fold, size_t count)
{
    return x->ops->swap(x, values, fold, count);
}

/* Collective, of any count, and all by the same fold. For rare use. A count of 0 is a barrier. */
static inline bool exchange_fold(struct exchange *x, uint64_t *values, size_t count,
                                 enum exchange_fold fold)
{
    return x->ops->fold(x, values, count, fold);
}

/* Collective: everyone: all parts get the bytes of all parts. Otherwise part 0 gets them, and the
 * others NULL. *ret has one entry per part, read only and valid until the next collective call of
 * this part. Sizes may differ and be 0 (then `bytes` may be NULL): with bytes of one part only, it
 * is a broadcast. */
static inline bool exchange_gather(struct exchange *x, const void *bytes, size_t size,
                                   bool everyone, const struct exchange_bytes **ret)
{
    return x->ops->gather(x, bytes, size, everyone, ret);
}

/* Pending and later calls of all parts return false. Of several reasons, the first one counts. */
static inline void exchange_abort(struct exchange *x, enum ec_code code, const char *why)
{
    x->ops->abort(x, code, why);
}

/* Why calls return false. Valid until parts_run returns. */
static inline const struct exchange_end *exchange_ended(const struct exchange *x)
{
    return x->ops->end(x);
}

/* For transports: of several reasons, the first one counts. */
void exchange_end_set(struct exchange_end *end, enum ec_code code, const char *why);

/* Make `b` at least `size` bytes long, keeping what it contains. False: out of memory. For
 * transports and for exchange_append. */
bool exchange_room(struct exchange_bytes *b, size_t size);

/* `size` more bytes at the end of to[k], to be written before the next swap. NULL: out of memory;
 * then the exchange is aborted. */
static inline void *exchange_append(struct exchange *x, uint32_t k, size_t size)
{
    struct exchange_bytes *b = &x->to[k];
    if (size > b->room - b->size && !exchange_room(b, b->size + size)) {
        exchange_abort(x, EC_MEMORY, "out of memory for the words that leave a part");
        return NULL;
    }
    void *end = b->data + b->size;
    b->size += size;
    return end;
}

struct world;

struct parts_plan {
    /* NULL: the parts are threads of this process. Else several processes run them
     * (parts/ranks/world.h): rank r runs the parts r * threads to r * threads + threads - 1. */
    struct world *world;
    uint32_t parts;            /* >= 1 */
    const uint32_t *first;     /* [parts + 1] into neighbour; NULL: no part has neighbours */
    const uint32_t *neighbour; /* of part p: neighbour[first[p]] to neighbour[first[p + 1] - 1],
                                  ascending, without p; symmetric */
    bool pin; /* bind each thread to a CPU, if the parts need all CPUs that the process may use */
    const struct ec_error *refused; /* why this process cannot take part, so that no body runs here,
                                       and other ranks are told; NULL: it can */
};

typedef void parts_body(void *context, struct exchange *x);

/* Run body(context, x) once per part, each in its own thread, part 0 in the calling thread. Returns
 * when all have returned: EC_OK, also after aborts. Otherwise no body has run: EC_MEMORY,
 * EC_INTERNAL (a thread cannot be started), or the refusal of the plan. New threads block all
 * signals. */
enum ec_code parts_run(const struct parts_plan *plan, parts_body *body, void *context,
                       struct ec_error *reterr);
