/* SPDX-License-Identifier: Apache-2.0 */
/* Reference for routes and named permutations: computed from coordinates and address bits as
 * docs/ROUTER-CONTRACT.md and the tables define them, without code of the library. */
#ifndef TEST_RUN_ORACLE_H
#define TEST_RUN_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/audit.h"
#include "ecube/workload.h"

/* Messages and words of every channel, counted by walking each path. */
struct oracle_loads {
    unsigned links, locals;
    uint32_t *link, *eject; /* [node * links + link], [node * locals + local] messages */
    uint64_t *link_words, *eject_words; /* the same in words */
    uint64_t *inject_words;
    uint32_t busiest, busiest_eject; /* messages */
    unsigned longest;                /* hops */
    uint64_t hops, links_used;
};

struct oracle_loads oracle_loads(const struct ec_topology *t, const struct ec_router *r,
                                 const struct ec_message *messages, size_t count);
void oracle_loads_free(struct oracle_loads *l);

/* Where a permutation given by cycles of address bits, "(3 0) (~2 1)", sends a node. */
uint32_t oracle_cycles(const char *cycles, uint32_t node);

#endif
