/* SPDX-License-Identifier: Apache-2.0 */
/* What the callbacks of a run see, if the run is split: each part writes down what happens at its
 * nodes, and when the parts meet, the first one calls the callbacks. They see what they see of a
 * run in one part, in this order: cycle by cycle; in a cycle first deliveries, then what nodes
 * begin to send, then texts of the RTL, then routers; each of them by node.
 *
 * Must not know what the callbacks do. */
#ifndef EC_RUN_SEEN_H
#define EC_RUN_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/run.h"
#include "parts/exchange.h"

enum seen_kind {
    SEEN_DELIVERY,
    SEEN_TAKEN,
    SEEN_OFFER,
    SEEN_TEXT,
    SEEN_ROUTER,
    SEEN_CYCLE,
    SEEN_KINDS,
};

/* A part writes down so many texts; the caller shows fewer. */
#define SEEN_TEXTS_MOST 64

/* The caller's callbacks; used in the first part only. */
struct seen_calls {
    void (*delivery)(void *context, const struct ec_delivery *delivery);
    void (*taken)(void *context, const struct ec_message *message);
    void (*offer)(void *context, const struct ec_offer *offer);
    void (*text)(void *context, uint64_t cycle, uint32_t node, const char *text);
    void *delivery_context, *taken_context, *offer_context, *text_context;
    const struct ec_net_watch *watch;
    uint64_t count[SEEN_KINDS]; /* calls so far */
};

struct seen {
    struct exchange *x;
    struct seen_calls *calls;
    const uint64_t *cycle; /* of the play */
    unsigned vcs;          /* of a router */
    bool wanted[SEEN_KINDS];
    unsigned texts;            /* written so far */
    uint64_t *nodes;           /* bitmap of the routers to show; NULL: all */
    struct ec_net_watch watch; /* of own routers */
    unsigned char *data;       /* [size] events since the last meeting */
    size_t size, room;
    bool memory_short;
};

/* Begin to write down texts. Collective: the first part says whether anyone reads them. */
void seen_open(struct seen *s, struct exchange *x, struct seen_calls *calls);
void seen_close(struct seen *s);
/* Collective: begin to write down all that the callbacks of the first part want. `cycle` is that of
 * the play, read in each callback. False: out of memory, or a part is gone. */
bool seen_begin(struct seen *s, uint32_t nodes, unsigned vcs, const uint64_t *cycle);

/* The callbacks of a part; `seen` is a struct seen. */
void seen_delivery(void *seen, const struct ec_delivery *delivery);
void seen_taken(void *seen, const struct ec_message *message);
void seen_offer(void *seen, const struct ec_offer *offer);
void seen_text(void *seen, uint64_t cycle, uint32_t node, const char *text);

static inline bool seen_any(const struct seen *s)
{
    return s->size > 0 || s->memory_short;
}

/* Collective, if any part has something: call the callbacks, or, unless `show`, forget it. False:
 * as above. */
bool seen_meet(struct seen *s, bool show);

#endif
