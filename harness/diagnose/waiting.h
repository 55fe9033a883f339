/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffers wait for which, in the account of a replayed run.
 *
 * A buffer waits for others: the holder of the output VC that its front word wants, or the full
 * buffer behind that. With dynamic allocation a head may take any VC of its class, so it waits for
 * several, and one of them is enough. Buffers are therefore proved stuck only as a knot: each waits
 * for buffers of the knot alone, and none for anything else. With a single VC per class a knot is a
 * circle. */
#ifndef EC_WAITING_H
#define EC_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/rules.h"
#include "diagnose/diagnosis.h"

struct waiting {
    const struct ec_topology *t;
    const struct ec_router *r;
    const struct rules *rules;
    bool foreign;
    uint64_t cycle;       /* the last one seen */
    uint64_t still_after; /* if no word has left a router for more cycles, no front word can move */
    diagnosis_ask *ask;   /* or NULL */
    const void *ask_context;
};

/* As diagnosis_waiting(). */
bool waiting_find(const struct waiting *w, struct diagnosis_waits *ret, struct ec_node_set *nodes);

#endif
