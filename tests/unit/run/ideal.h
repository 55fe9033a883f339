/* SPDX-License-Identifier: Apache-2.0 */
/* An ideal network: it takes every word at once and shows it at its node as soon as its packet is
 * complete, one word per port and cycle, and gives its credit back then. It counts what the routing
 * predicts, so every run on it passes; a test damages one answer of it at a time. */
#ifndef EC_UNIT_IDEAL_H
#define EC_UNIT_IDEAL_H

#include "unit.h"

#include "ecube/net.h"

/* One thing that is wrong. The first of many: word 20 that arrives, the channel with index 5. */
enum damage {
    SOUND,
    WORD_LOST,      /* and the rest arrives */
    WORD_TWICE,     /* again, behind its packet */
    WORD_LATE,      /* again, after all others */
    WORD_ALTERED,   /* in its data */
    WORD_ASTRAY,    /* at the next port */
    WORD_INVENTED,  /* counted in flight, never sent */
    NODE_NOT_HEARD, /* words of the last port vanish */
    CREDIT_LOST,    /* to a node */
    LEDGER_FAULT,   /* in cycle 7, at router 3 */
    VC_FAULT,       /* the same */
    NOT_DRAINED,    /* at the end */
    VCS_UNKNOWN,
    RTL_ERROR,
    LINK_COUNT, /* one word more than went over it */
    INJECTED_COUNT,
    EJECTED_COUNT, /* one word less */
    HOP_COUNT,     /* words over a link that leads nowhere */
    CONTENDED,     /* a cycle, at a channel without load */
    ALONE,         /* the same at the ejection port of node 0 */
};

/* `locals`: 1. Closed by ops->close. */
struct ec_net *ideal_open(const struct ec_topology *t, const struct ec_router *r);
/* From the next reset on. */
void ideal_damage(struct ec_net *net, enum damage damage);

#endif
