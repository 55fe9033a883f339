/* SPDX-License-Identifier: Apache-2.0 */
/* What the transports of an exchange share. Only they include this. */
#pragma once

#include "parts/exchange.h"

static inline uint64_t exchange_fold_one(uint64_t a, uint64_t b, enum exchange_fold fold)
{
    switch (fold) {
    case EXCHANGE_SUM:
        return a + b;
    case EXCHANGE_MIN:
        return a < b ? a : b;
    case EXCHANGE_MAX:
        return a > b ? a : b;
    case EXCHANGE_OR:
        return a | b;
    }
    return a;
}

/* into[i] becomes the fold of into[i] and values[i]. */
static inline void exchange_fold_all(uint64_t *into, const uint64_t *values, size_t count,
                                     enum exchange_fold fold)
{
    for (size_t i = 0; i < count; i++)
        into[i] = exchange_fold_one(into[i], values[i], fold);
}

/* Replace what `b` contains. False: out of memory. */
bool exchange_keep(struct exchange_bytes *b, const void *bytes, size_t size);

void exchange_free(struct exchange_bytes *b);

/* Run the bodies of the parts in threads of this process. */
enum ec_code team_run(const struct parts_plan *plan, parts_body *body, void *context,
                      struct ec_error *reterr);

/* Run the bodies of the parts of this rank, which meet those of all other ranks of plan->world. */
enum ec_code ranks_run(const struct parts_plan *plan, parts_body *body, void *context,
                       struct ec_error *reterr);
