/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of earlier sweeps, from their CSV or JSON. */
#ifndef CLI_SWEEP_STORED_H
#define CLI_SWEEP_STORED_H

#include "program/sweep/sweep.h"

/* Append the curves of a file, CSV or JSON, to a sweep, and write it as CSV to `csv`, if not NULL.
 * Of the points only what a plot shows is read. EC_IO, EC_USAGE: no sweep; EC_MEMORY. */
enum ec_code sweep_stored_read(const char *path, struct sweep *s, FILE *csv,
                               struct ec_error *reterr);

/* Label every curve by the parameters that not all curves share, or if there is none, by what its
 * file says and its file's name. For curves of several files. EC_MEMORY. */
enum ec_code sweep_stored_label(struct sweep *s, struct ec_error *reterr);

#endif
