/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of a permutation of address bits, and the factors of those that move processor and
 * storage dimensions (Johnsson and Ho, Figure 7). */
#ifndef DRAW_FACTORING_H
#define DRAW_FACTORING_H

#include <stdio.h>

#include "ecube/sdp.h"

/* `millimetres`: width in print; 0: a pixel is 1/96 inch. */
void factoring_svg(FILE *out, const struct ec_sdp *sdp, const char *title, double millimetres);
void factoring_text(FILE *out, const struct ec_sdp *sdp, const char *title);

#endif
