/* SPDX-License-Identifier: Apache-2.0 */
/* What each packet on its way keeps: its lane, or with dynamic allocation its message class. A hash
 * table, so its memory is proportional to the packets on their way.
 *
 * Knows names of packets as numbers. Must not know what a name or a lane means. */
#ifndef EC_LANES_H
#define EC_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/router.h"

enum { LANES_UNKNOWN = EC_VCS_MAX };

struct lane {
    uint32_t packet; /* its name, not 0; 0: free */
    uint32_t kept;   /* less than LANES_UNKNOWN */
};

struct lanes {
    struct lane *of; /* [1 << bits], at most half of them taken; NULL: not opened */
    unsigned bits;
    uint32_t count;
};

bool lanes_open(struct lanes *l);
void lanes_close(struct lanes *l);
void lanes_reset(struct lanes *l);

/* Without memory the packet stays unknown. */
void lanes_keep(struct lanes *l, uint32_t packet, uint32_t kept);
/* The packet may be unknown. */
void lanes_forget(struct lanes *l, uint32_t packet);

static inline size_t lanes_place(const struct lanes *l, uint32_t packet)
{
    return (packet * UINT32_C(2654435769)) >> (32 - l->bits);
}

/* What the packet keeps, or LANES_UNKNOWN. */
static inline uint32_t lanes_find(const struct lanes *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    for (size_t i = lanes_place(l, packet); l->of[i].packet; i = (i + 1) & mask) {
        if (l->of[i].packet == packet)
            return l->of[i].kept;
    }
    return LANES_UNKNOWN;
}

#endif
