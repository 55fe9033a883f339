/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers on links, drawn so that the eye finds the busy ones: at most 80 columns wide. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "ecube/topology.h"
#include "style.h"

struct cli_field {
    const struct ec_topology *topology;
    /* The number on a link that exists. */
    uint64_t (*at)(const void *context, uint32_t node, unsigned link);
    const void *context;
    const char *title; /* "messages per link" */
    const char *unit;  /* " %" behind a number, or "" */
    uint64_t warm;     /* numbers from here on are highlighted; the largest most */
};

/* Meshes and tori of two dimensions as a map, everything else up to 64 nodes as strips (a row per
 * direction, a column per node), larger networks as a histogram. */
void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out);

/* How many links carry how much. */
void cli_picture_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out);

/* Does the node have that link? */
bool cli_picture_link(const struct ec_topology *t, uint32_t node, unsigned link);

/* The largest number on any link. */
uint64_t cli_picture_max(const struct cli_field *f);

#endif
