/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of sweeps, drawn from CSV by gnuplot with the script plot.gp. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ecube/error.h"

struct sweep_csv {
    FILE *file;       /* owned */
    const char *name; /* in the key, if there are several; borrowed */
};

/* Before any work is done: can this file be drawn? EC_USAGE: its name does not end in a known
 * format; EC_TOOL: there is no gnuplot; EC_IO: it cannot be written. */
enum ec_code sweep_plot_check(const char *path, struct ec_error *reterr);

/* Draw the curves of `count` files. `title` may be NULL. `interrupted`: points are missing. Errors
 * as above; EC_TOOL also if gnuplot fails; EC_MEMORY, EC_INTERRUPTED. */
enum ec_code sweep_plot(const struct sweep_csv *csv, size_t count, const char *title,
                        const char *path, bool interrupted, struct ec_error *reterr);
