/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of one router in one cycle, and how the rules see them. */
#ifndef EC_UNIT_PINS_H
#define EC_UNIT_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/rules.h"

enum { PINS_PORTS = 64, PINS_VCS = 4 };

struct pins {
    uint64_t in_word[PINS_PORTS], out_word[PINS_PORTS], in_valid, out_valid;
    uint64_t in_credit[PINS_VCS], out_credit[PINS_VCS], contended[PINS_VCS], starved[PINS_VCS];
    uint8_t want[PINS_PORTS * PINS_VCS]; /* [port * VCs of the router + VC] */
    bool shown;                          /* the router is stepped in this cycle */
};

/* Cycle c: the inputs of pins[c], the outputs of pins[c + 1]. */
static inline void pins_see(struct rules *rules, uint32_t node, const struct pins *pins, uint64_t c)
{
    const struct pins *now = &pins[c], *next = &pins[c + 1];
    if (now->shown)
        rules_see(rules, &(struct ec_net_seen){.cycle = c,
                                               .node = node,
                                               .in_word = now->in_word,
                                               .in_credit = now->in_credit,
                                               .in_valid = now->in_valid,
                                               .out_word = next->out_word,
                                               .out_credit = next->out_credit,
                                               .out_valid = next->out_valid,
                                               .contended = next->contended,
                                               .starved = next->starved,
                                               .want = next->want});
    rules_cycle(rules, c);
}

#endif
