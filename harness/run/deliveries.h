/* SPDX-License-Identifier: Apache-2.0 */
/* What a packet adds to the statistics of a scoreboard. Only for run/scoreboard.c. */
#ifndef EC_RUN_DELIVERIES_H
#define EC_RUN_DELIVERIES_H

#include <stdint.h>

#include "run/scoreboard.h"

/* Count the words of a packet on the channels of its path behind the first `from` hops, up to node
 * `until` (EC_NONE: to its end). With a local port per link it enters by that of its first link,
 * and leaves by that of its last one. Returns the hops of the path as far as it was followed. */
unsigned deliveries_count_path(struct scoreboard *s, uint32_t src, const struct packet *p,
                               unsigned from, uint32_t until);
/* The last word of a packet arrives; `guest`: see packets_guest(). */
void deliveries_add(struct scoreboard *s, uint32_t src, uint32_t guest, const struct packet *p,
                    uint64_t cycle);

#endif
