/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of numbers on links, at most 80 columns wide; busy links stand out. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "ecube/topology.h"
#include "terminal/style.h"

/* A number on each link of a network. */
struct cli_field {
    const struct ec_topology *topology;
    uint64_t (*at)(const void *context, uint32_t node, unsigned link); /* of a link that exists */
    const void *context;
    const char *title; /* "messages per link" */
    const char *unit;  /* printed after a number: " %", or "" */
    uint64_t warm;     /* numbers from here on are highlighted; the largest most */
};

/* Meshes and tori of two dimensions as maps, other networks of up to 64 nodes as strips (a row per
 * direction, a column per node), larger networks as a histogram. */
void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out);

/* How many links carry how much. */
void cli_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out);

#endif
