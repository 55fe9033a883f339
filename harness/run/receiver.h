/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving half of the nodes: words are taken in the cycle in which they are seen, or, under
 * back-pressure, held in the node's buffer until the node accepts them. */
#ifndef EC_RECEIVER_H
#define EC_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/net.h"

struct receivers {
    uint32_t ports;
    unsigned vcs;
    uint64_t stall;  /* threshold of a 64-bit draw: below it a port accepts nothing; 0: never */
    uint64_t key;    /* of the random numbers */
    uint16_t *held;  /* [ports * vcs] words seen and not accepted; NULL without back-pressure */
    uint32_t *holds; /* [ports] the sum over VCs */
    uint64_t waiting,
        stalled; /* port-cycles with something to accept; those that accepted nothing */
    uint64_t held_words;
};

bool receivers_open(struct receivers *r, uint32_t ports, unsigned vcs, double stall, uint64_t seed);
void receivers_reset(struct receivers *r);
void receivers_close(struct receivers *r);

/* The words that routers show in cycle `now` (`seen`): decide what is accepted and put its credits
 * into `in`, the events of the same cycle. */
void receivers_accept(struct receivers *r, uint64_t now, const struct ec_port_events *seen,
                      struct ec_port_events *in);

#endif
