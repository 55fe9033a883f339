/* SPDX-License-Identifier: Apache-2.0 */
/* The plot of a sweep as a script for gnuplot. */
#ifndef CLI_SWEEP_SCRIPT_H
#define CLI_SWEEP_SCRIPT_H

#include <stdio.h>

#include "program/sweep/sweep.h"

enum plot_format { PLOT_SVG, PLOT_PDF, PLOT_PNG, PLOT_FORMATS };

/* Latency against the offered rate, and below it the accepted load. `title` is NULL or a line above
 * the plot; `picture` is the file that gnuplot writes. */
void sweep_plot_script(const struct sweep *s, enum plot_format format, const char *title,
                       const char *picture, FILE *out);

#endif
