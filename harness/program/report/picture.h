/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers on links, drawn so that the eye finds the busy ones: at most 80 columns wide. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdio.h>

#include "program/report/field.h"
#include "program/terminal/style.h"

/* Meshes and tori of two dimensions as a map, everything else up to 64 nodes as strips (a row per
 * direction, a column per node), larger networks as a histogram. */
void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out);

#endif
