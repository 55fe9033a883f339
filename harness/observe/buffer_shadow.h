/* SPDX-License-Identifier: Apache-2.0 */
/* The words at the front of one router's input VCs in one cycle, from what crossed its channels. */
#ifndef EC_FRONTS_H
#define EC_FRONTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/net.h"

struct fronts {
    struct ec_net_watch watch;
    uint32_t node;
    uint64_t cycle; /* whose fronts are asked for: those before its grants */
    unsigned ports, vcs;
    uint32_t depth;  /* words of a buffer; a router that breaks the contract loses the rest */
    uint64_t *words; /* [(port * vcs + vc) * depth] rings */
    uint32_t *first, *count; /* [port * vcs + vc] */
    uint64_t *nodes;         /* bitmap of the one router */
};

bool fronts_open(struct fronts *f, const struct ec_topology *t, const struct ec_router *r,
                 uint32_t node, uint64_t cycle);
/* The front word; 0: the input VC is empty. */
uint64_t fronts_word(const struct fronts *f, unsigned port, unsigned vc);
void fronts_close(struct fronts *f);

#endif
