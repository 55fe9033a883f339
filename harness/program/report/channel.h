/* SPDX-License-Identifier: Apache-2.0 */
/* Channels for a reader: their names, and which of them were busiest. */
#ifndef CLI_CHANNEL_H
#define CLI_CHANNEL_H

#include "ecube/audit.h"
#include "program/report/result.h"

/* "0 (000) dim2 -> 4 (100)", "eject at 5 (101)", "inject at 3 (011), port 2". */
void cli_channel_name(const struct ec_topology *t, unsigned locals, struct ec_channel c,
                      char *buffer, size_t size);

struct cli_channel_use {
    struct ec_channel channel;
    uint32_t load; /* messages; 0 in open loop */
    uint64_t flits, contended, starved;
};

/* What the run counted on one channel. Injection ports have no taps of their own: 0. */
struct cli_channel_use cli_channel_used(const struct cli_run_result *r, struct ec_channel c);

/* The `room` busiest channels of a run by flits, then contended cycles, then place; links, then
 * local ports. Returns how many there are. */
size_t cli_channel_busiest(const struct cli_run_result *r, struct cli_channel_use *ret,
                           size_t room);

/* Directed links that exist and carried the same number of flits, all of those that carried any:
 * then that number, else 0. */
uint64_t cli_channel_even(const struct cli_run_result *r, uint64_t *ret_links);

#endif
