/* SPDX-License-Identifier: Apache-2.0 */
/* The plot of a sweep as a file, drawn by gnuplot. */
#ifndef CLI_SWEEP_PLOT_H
#define CLI_SWEEP_PLOT_H

#include "program/sweep/sweep.h"

/* Before any work is done: can this file be drawn? EC_USAGE: its name does not end in a known
 * format; EC_TOOL: there is no gnuplot; EC_IO: it cannot be written. */
enum ec_code sweep_plot_check(const char *path, struct ec_error *reterr);

/* Draw the curves. NAME.gp gets the script of a plot NAME.pdf, which does not need gnuplot. `title`
 * may be NULL. Errors as above; EC_TOOL also if gnuplot fails; EC_IO; EC_MEMORY. */
enum ec_code sweep_plot(const struct sweep *s, const char *title, const char *path,
                        struct ec_error *reterr);

#endif
