/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of a sweep for people and for programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "program/sweep/sweep.h"
#include "terminal/style.h"

/* A table for each curve, then what it says about saturation. `brief`: only the
 * points that failed. */
void sweep_text(const struct sweep *s, bool brief, const struct cli_style *style, FILE *out);

/* One object; a row for each point. `host`: with seconds and memory. False without memory. */
bool sweep_json(const struct sweep *s, enum cli_status status, bool host, FILE *out);
bool sweep_csv(const struct sweep *s, bool host, FILE *out);
/* A point as soon as it is measured: one line, `variant` of its curve and the keys of points. */
bool sweep_line(const struct sweep_curve *c, const struct sweep_point *p, bool host, FILE *out);
/* The same rows from the object. EC_USAGE: a point is no object; EC_MEMORY. */
enum ec_code sweep_rows(const json_t *sweep, FILE *out);

/* A stored sweep as CSV, from its start: the file itself, or a copy of one that is JSON. The caller
 * closes it. EC_IO; EC_USAGE: no sweep; EC_MEMORY. */
enum ec_code sweep_stored_open(const char *path, FILE **ret, struct ec_error *reterr);
