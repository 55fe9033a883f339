/* SPDX-License-Identifier: Apache-2.0 */
/* A number on each link of a network, for pictures. */
#ifndef CLI_FIELD_H
#define CLI_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "ecube/topology.h"

struct cli_field {
    const struct ec_topology *topology;
    /* The number on a link that exists. */
    uint64_t (*at)(const void *context, uint32_t node, unsigned link);
    const void *context;
    const char *title; /* "messages per link" */
    const char *unit;  /* " %" behind a number, or "" */
    uint64_t warm;     /* numbers from here on are highlighted; the largest most */
};

/* Does the node have that link? */
bool cli_field_link(const struct ec_topology *t, uint32_t node, unsigned link);

/* The largest number on any link. */
uint64_t cli_field_max(const struct cli_field *f);

#endif
