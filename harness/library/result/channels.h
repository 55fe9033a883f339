/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a run: their names, what they carried, and for which of them flits waited most. */
#pragma once

#include "ecube/run.h"
#include "ecube/session.h"

/* "0 (000) dim2 -> 4 (100)", "eject at 5 (101)", "inject at 3 (011), port 2". */
void channel_name(const struct ec_topology *t, unsigned locals, struct ec_channel c, char *buffer,
                  size_t size);

struct channel_use {
    struct ec_channel channel;
    uint32_t load; /* messages; 0 in open loop */
    uint64_t flits, contended, starved;
    uint64_t waiting; /* contended + starved */
    uint64_t ties;    /* in a ranking: further channels with the same numbers */
};

/* The counters of one channel of a run. An injection port is starved while its node has a word to
 * send and no credit. Links and ejection ports need taps: else 0. `audit` may be NULL. */
struct channel_use channel_used(const struct ec_topology *t, const struct ec_report *report,
                                const struct ec_audit *audit, struct ec_channel c);

/* The first `room` links, or local ports, of a run by waiting, then flits, contended
 * cycles and place; without those that carried nothing and for which nothing waits. Channels with
 * equal numbers share an entry. Returns how many there are. */
size_t channel_ranked(const struct ec_case *c, const struct ec_report *report, bool local,
                      struct channel_use *ret, size_t room);

/* The number of flits if all links that carried any carried the same number, else 0. */
uint64_t channel_even(const struct ec_case *c, const struct ec_report *report, uint64_t *ret_links);
