/* SPDX-License-Identifier: Apache-2.0 */
/* The sending half of the nodes: one sender per local port turns messages into packets into words,
 * one word a cycle, as credits and start-up times allow (docs/ROUTER-CONTRACT.md, "node"). */
#ifndef EC_SENDER_H
#define EC_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "run/scoreboard.h"
#include "run/source.h"

struct sender {
    uint32_t dst;
    uint32_t message_left; /* words of the message not yet in a packet */
    uint32_t words, sent;  /* of the packet; words 0: between packets */
    uint32_t number;       /* of the packet */
    uint32_t message;      /* its index, in a list */
    uint64_t created;      /* the message */
    uint64_t ready;        /* end of the start-up: the head may be offered from this cycle on */
    unsigned lane, next_lane;
    bool starting; /* the start-up of the next packet has begun */
    bool busy;     /* a message is in hand */
};

struct senders {
    const struct ec_topology *t;
    const struct ec_router *r;
    struct sources *sources;
    struct scoreboard *board;
    struct order *order; /* of the sources; NULL where no message waits for another */
    unsigned locals, lanes, vcs;
    uint32_t ports, startup;
    unsigned head_credits; /* without which a head is not sent: the packet bound, 1 in wormhole */
    struct sender *sender; /* [ports] */
    uint64_t *due;         /* [ports] cycle in which a sender has something to try */
    struct sender_credit *credit; /* [ports * vcs] */
    uint64_t started;             /* cycle of the first start-up or offer; 0: none yet */
    uint64_t busy;                /* senders with a message in hand */
    /* Who wants to know of each packet that is taken up; NULL during replays. */
    void (*offered)(void *context, const struct ec_offer *offer);
    void *offered_context;
    uint64_t self_messages; /* messages to oneself: delivered without the network */
};

bool senders_open(struct senders *s, const struct ec_topology *t, const struct ec_router *r,
                  struct sources *sources, struct scoreboard *board, uint32_t startup);
void senders_reset(struct senders *s);
void senders_close(struct senders *s);

/* Put this cycle's words into `in`. */
void senders_offer(struct senders *s, uint64_t now, struct ec_port_events *in);
/* A router shows a credit for a local port in cycle `now`: it may be used from now + 1 on. */
void senders_credit(struct senders *s, uint32_t port, unsigned vc, uint64_t now);
/* The cycle in which the first sender has something to try; SOURCE_NEVER if none has. */
uint64_t senders_next_due(const struct senders *s);
/* A message for this port is there from cycle `now` on. */
void senders_wake(struct senders *s, uint32_t port, uint64_t now);

#endif
